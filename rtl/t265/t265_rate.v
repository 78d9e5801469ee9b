// The bits of a sub-block but for its pattern (package t265, transform tree; countRate
// in t265/block/quant.go): of count levels with magnitudes that add up to sum, the signs,
// and the magnitudes less one in a Golomb-Rice code of k bits. k is the largest with
// count << k at most sum.
//
// Mirror:     t265/hwenc/cost.go
// Latency:    0
// Throughput: 1 sub-block
// Storage:    0 bits

`default_nettype none

module t265_rate #(
  parameter Sum = 17  // bits of a sum, 13..18
) (
  input  wire [4:0]     count_i,  // 0..16
  input  wire [Sum-1:0] sum_i,    // 0 with a count of 0
  output wire [8:0]     bits_o
);

  // k from its highest bit down. sum >> k is below 2 * count, and so is what is coded
  // of the magnitudes above the k bits. A bit is there both ways of the bit above it.
  wire [Sum-1:0] rest   = sum_i - {{(Sum - 5) {1'b0}}, count_i};
  wire           eight  = {5'd0, sum_i[Sum-1:8]} >= {{(Sum - 8) {1'b0}}, count_i};
  wire [11:0]    sum_8  = eight ? {{(20 - Sum) {1'b0}}, sum_i[Sum-1:8]} : sum_i[11:0];
  wire [11:0]    rest_8 = eight ? {{(20 - Sum) {1'b0}}, rest[Sum-1:8]} : rest[11:0];
  wire [7:0]     top    = {{(20 - Sum) {1'b0}}, sum_i[Sum-1:12]};
  wire           four   = eight ? top >= {3'd0, count_i} : sum_i[11:4] >= {3'd0, count_i};
  wire [7:0]     sum_4  = four ? sum_8[11:4] : sum_8[7:0];
  wire [7:0]     rest_4 = four ? rest_8[11:4] : rest_8[7:0];
  wire           two    = four ? sum_8[11:6] >= {1'b0, count_i} : sum_8[7:2] >= {1'b0, count_i};
  wire [5:0]     rest_2 = two ? rest_4[7:2] : rest_4[5:0];
  wire           one    = two ? sum_4[7:3] >= count_i : sum_4[5:1] >= count_i;
  wire [4:0]     rest_1 = one ? rest_2[5:1] : rest_2[4:0];

  wire unused = &{1'b0, sum_4[0]};

  wire [4:0] each = {1'b0, eight, four, two, one} + 5'd2;  // of a level

  assign bits_o = {4'd0, count_i} * {4'd0, each} + {4'd0, rest_1};

endmodule

`default_nettype wire
