// Binarisation of coeff_abs_level_remaining (H.265 clause 9.3.3.11): a prefix of ones
// and a zero, and a suffix.
//
// Mirror:     t265/hwenc/bypass.go
// Latency:    0
// Throughput: 1 level a cycle
// Storage:    0 bits

`default_nettype none

module t265_remaining (
  input  wire [13:0] value_i,
  input  wire [2:0]  rice_i,    // cRiceParam 0..4
  output wire [4:0]  prefix_o,  // bins, the zero included, 1..17
  output wire [3:0]  length_o,  // bits of the suffix, 0..13
  output reg  [12:0] suffix_o
);

  reg  [3:0] top;
  integer    i;

  wire [13:0] quotient = value_i >> rice_i;
  wire        short    = quotient[13:2] == 12'd0;
  wire [13:0] rest     = value_i - (14'd2 << rice_i);  // of a long one: its top bit is implied

  always @* begin
    top = 4'd0;
    for (i = 0; i < 14; i = i + 1) begin
      if (rest[i]) top = i[3:0];
    end
  end

  assign prefix_o = short ? {3'd0, quotient[1:0]} + 5'd1 : {1'b0, top} - {2'd0, rice_i} + 5'd4;
  assign length_o = short ? {1'b0, rice_i} : top;

  always @* begin
    suffix_o = short ? value_i[12:0] : rest[12:0];
    for (i = 0; i < 13; i = i + 1) begin
      if (length_o <= i[3:0]) suffix_o[i] = 1'b0;
    end
  end

endmodule

`default_nettype wire
