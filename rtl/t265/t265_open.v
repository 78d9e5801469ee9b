// Residual of eight samples of a block of 4x4, 8x8 or 16x16: they are predicted from as
// many samples above and on the left of the block as it has columns and rows, in DC,
// planar, vertical or horizontal mode. The samples are those of a row or half a row, of
// a block of 4x4 those of two rows. What they have in common comes from t265_open_row.
//
// Mirror:     t265/hwenc/split.go
// Latency:    0
// Throughput: combinational
// Storage:    none

`default_nettype none

module t265_open #(
  parameter Log2 = 3,                  // of the size, 2..4
  parameter Rows = Log2 == 2 ? 2 : 1,  // that the samples are in
  parameter Sum  = Log2 + 9            // bits of a sum of planar prediction
) (
  input  wire [1:0]          mode_i,   // 0 DC, 1 planar, 2 vertical, 3 horizontal
  input  wire [3:0]          y_i,      // row; even in blocks of 4x4
  input  wire                right_i,  // the right half of a row of 16
  input  wire [63:0]         above_i,  // above each sample
  input  wire [8*Rows-1:0]   left_i,   // on the left of the row, and of the next one
  input  wire [Rows*Sum-1:0] base_i,
  input  wire [9*Rows-1:0]   step_i,
  input  wire [7:0]          dc_i,
  input  wire [63:0]         src_i,
  output wire [71:0]         res_o     // 8 of s9
);

  wire [9:0] triple = {1'b0, dc_i, 1'b0} + {2'd0, dc_i} + 10'd2;

  genvar r;
  genvar k;
  generate
    for (r = 0; r < Rows; r = r + 1) begin : gen_row
      localparam [3:0] LOW = r;

      wire [3:0]     y    = y_i | LOW;
      wire [7:0]     left = left_i[8*r +: 8];
      wire [Sum-1:0] s1   = {{(Sum - 9) {step_i[9*r+8]}}, step_i[9*r +: 9]};
      wire [Sum-1:0] s3   = s1 + (s1 << 1);

      for (k = 0; k < 8 / Rows; k = k + 1) begin : gen_sample
        localparam AT = 8 / Rows * r + k;

        wire [7:0]     above = above_i[8*AT +: 8];
        wire [Sum-1:0] a     = {{(Sum - 8) {1'b0}}, above};
        wire [Sum-1:0] run   = k == 0 ? s1 : k == 1 ? s1 << 1 : k == 2 ? s3 : k == 3 ? s1 << 2 :
                               k == 4 ? s1 + (s1 << 2) : k == 5 ? s3 << 1 :
                               k == 6 ? (s1 << 3) - s1 : s1 << 3;
        wire [Sum-1:0] fall  = (a & {Sum{!y[0]}}) + (a << 1 & {Sum{!y[1]}})
                             + (a << 2 & {Sum{Log2 > 2 && !y[2]}})
                             + (a << 3 & {Sum{Log2 > 3 && !y[3]}});
        wire [Sum-1:0] sum   = base_i[Sum*r +: Sum] + run + fall;
        wire [9:0]     edged = triple + {2'd0, y == 4'd0 ? above : dc_i};
        wire [9:0]     first = edged + {2'd0, left} - {2'd0, dc_i};
        wire [7:0]     mean  = k == 0 && !right_i ? first[9:2] : edged[9:2];
        wire [7:0]     flat  = mode_i[0] ? left : above;
        wire [7:0]     pred  = mode_i[1] ? flat : mode_i[0] ? sum[Sum-1:Log2+1] : mean;

        assign res_o[9*AT +: 9] = {1'b0, src_i[8*AT +: 8]} - {1'b0, pred};

        wire unused = &{1'b0, sum[Log2:0], first[1:0], edged[1:0]};
      end
    end
  endgenerate

  wire unused = &{1'b0, y_i};

endmodule

`default_nettype wire
