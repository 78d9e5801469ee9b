// Residual of eight samples of a block of 4x4, 8x8 or 16x16: they are predicted from as
// many samples above and on the left of the block as it has columns and rows, in DC,
// planar, vertical or horizontal mode. The samples are those of a row or half a row, of
// a block of 4x4 those of two rows.
//
// Mirror:     t265/hwenc/split.go
// Latency:    0
// Throughput: combinational
// Storage:    none

`default_nettype none

module t265_open #(
  parameter Log2 = 3  // of the size, 2..4
) (
  input  wire [1:0]  mode_i,    // 0 DC, 1 planar, 2 vertical, 3 horizontal
  input  wire [3:0]  y_i,       // row; even in blocks of 4x4
  input  wire        right_i,   // the right half of a row of 16
  input  wire [63:0] above_i,   // above each sample
  input  wire [15:0] left_i,    // on the left of the row, and of the next one in blocks of 4x4
  input  wire [7:0]  bottom_i,  // the last sample on the left of the block
  input  wire [7:0]  corner_i,  // the last one above it
  input  wire [7:0]  dc_i,
  input  wire [63:0] src_i,
  output wire [71:0] res_o      // 8 of s9
);

  localparam WORD = Log2 + 9;             // bits of a sum of planar prediction
  localparam ROWS = Log2 == 2 ? 2 : 1;    // rows that the samples are in
  localparam [WORD-1:0] SIZE = 1 << Log2; // rounds

  wire [9:0] triple = {1'b0, dc_i, 1'b0} + {2'd0, dc_i} + 10'd2;

  genvar r;
  genvar k;
  generate
    for (r = 0; r < ROWS; r = r + 1) begin : gen_row
      localparam [3:0] LOW = r;

      // What the samples of a row have in common: (y + 1) of bottom_i, size times left,
      // and the step from one sample to the next.
      wire [3:0]      y    = y_i | LOW;
      wire [7:0]      left = left_i[8*r +: 8];
      wire [WORD-1:0] b    = {{(WORD - 8) {1'b0}}, bottom_i};
      wire [WORD-1:0] down = b + (b & {WORD{y[0]}}) + (b << 1 & {WORD{y[1]}})
                           + (b << 2 & {WORD{y[2]}}) + (b << 3 & {WORD{y[3]}});
      wire [WORD-1:0] s1   = {{(WORD - 8) {1'b0}}, corner_i} - {{(WORD - 8) {1'b0}}, left};
      wire [WORD-1:0] s3   = s1 + (s1 << 1);
      wire [WORD-1:0] base = down + ({{(WORD - 8) {1'b0}}, left} << Log2) + SIZE
                           + (s1 << 3 & {WORD{right_i}});

      for (k = 0; k < 8 / ROWS; k = k + 1) begin : gen_sample
        localparam AT = 8 / ROWS * r + k;

        wire [7:0]      above = above_i[8*AT +: 8];
        wire [WORD-1:0] a     = {{(WORD - 8) {1'b0}}, above};
        wire [WORD-1:0] run   = k == 0 ? s1 : k == 1 ? s1 << 1 : k == 2 ? s3 : k == 3 ? s1 << 2 :
                                k == 4 ? s1 + (s1 << 2) : k == 5 ? s3 << 1 :
                                k == 6 ? (s1 << 3) - s1 : s1 << 3;
        wire [WORD-1:0] fall  = (a & {WORD{!y[0]}}) + (a << 1 & {WORD{!y[1]}})
                              + (a << 2 & {WORD{Log2 > 2 && !y[2]}})
                              + (a << 3 & {WORD{Log2 > 3 && !y[3]}});
        wire [WORD-1:0] sum   = base + run + fall;
        wire [9:0]      edged = triple + {2'd0, y == 4'd0 ? above : dc_i};
        wire [9:0]      first = edged + {2'd0, left} - {2'd0, dc_i};
        wire [7:0]      mean  = k == 0 && !right_i ? first[9:2] : edged[9:2];
        wire [7:0]      flat  = mode_i[0] ? left : above;
        wire [7:0]      pred  = mode_i[1] ? flat : mode_i[0] ? sum[WORD-1:Log2+1] : mean;

        assign res_o[9*AT +: 9] = {1'b0, src_i[8*AT +: 8]} - {1'b0, pred};

        wire unused = &{1'b0, sum[Log2:0], first[1:0], edged[1:0]};
      end
    end
  endgenerate

  wire unused = &{1'b0, left_i, y_i};

endmodule

`default_nettype wire
