// What the samples of a row have in common in planar prediction (t265_open): the sum
// before its first sample, or before that of its right half, is base_o and what is above
// each; from one sample to the next it grows by step_o.
//
// Mirror:     t265/hwenc/split.go
// Latency:    0
// Throughput: combinational
// Storage:    none

`default_nettype none

module t265_open_row #(
  parameter Log2 = 3,        // of the size, 2..4
  parameter Sum  = Log2 + 9  // bits of a sum
) (
  input  wire [3:0]     y_i,
  input  wire           right_i,   // the right half of a row of 16
  input  wire [7:0]     left_i,    // on the left of the row
  input  wire [7:0]     bottom_i,  // the last sample on the left of the block
  input  wire [7:0]     corner_i,  // the last one above it
  output wire [Sum-1:0] base_o,
  output wire [8:0]     step_o     // signed
);

  localparam [Sum-1:0] SIZE = 1 << Log2;  // rounds

  wire [8:0]     step = {1'b0, corner_i} - {1'b0, left_i};
  wire [Sum-1:0] b    = {{(Sum - 8) {1'b0}}, bottom_i};
  wire [Sum-1:0] down = b + (b & {Sum{y_i[0]}}) + (b << 1 & {Sum{y_i[1]}})
                      + (b << 2 & {Sum{y_i[2]}}) + (b << 3 & {Sum{y_i[3]}});

  assign step_o = step;
  assign base_o = down + ({{(Sum - 8) {1'b0}}, left_i} << Log2) + SIZE
                + ({{(Sum - 9) {step[8]}}, step} << 3 & {Sum{right_i}});

endmodule

`default_nettype wire
