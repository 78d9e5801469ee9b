// The one-dimensional Hadamard transform of four values in the sequency order of
// the standard (equation 8-328).
//
// Mirror:     t264/hwenc/dc.go
// Latency:    0
// Throughput: combinational
// Storage:    none

`default_nettype none

module t264_hadamard4 #(
  parameter Width = 18  // bits of a value, signed; sums must fit
) (
  input  wire [4*Width-1:0] in_i,
  output wire [4*Width-1:0] out_o
);

  wire [Width-1:0] p = in_i[0 +: Width];
  wire [Width-1:0] q = in_i[Width +: Width];
  wire [Width-1:0] r = in_i[2*Width +: Width];
  wire [Width-1:0] s = in_i[3*Width +: Width];
  wire [Width-1:0] a = p + s;
  wire [Width-1:0] b = q + r;
  wire [Width-1:0] d = p - s;
  wire [Width-1:0] e = q - r;

  assign out_o = {d - e, a - b, d + e, a + b};

endmodule

`default_nettype wire
