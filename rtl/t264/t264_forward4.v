// The one-dimensional forward transform of four values: (1 1 1 1), (2 1 -1 -2),
// (1 -1 -1 1), (1 -2 2 -1).
//
// Mirror:     t264/hwenc/dct.go
// Latency:    0
// Throughput: combinational
// Storage:    none

`default_nettype none

module t264_forward4 #(
  parameter Width = 9  // bits of a value, signed; results have three more
) (
  input  wire [4*Width-1:0]     in_i,
  output wire [4*(Width+3)-1:0] out_o
);

  localparam W = Width + 3;

  wire signed [W-1:0] p = {{3{in_i[Width-1]}}, in_i[0 +: Width]};
  wire signed [W-1:0] q = {{3{in_i[2*Width-1]}}, in_i[Width +: Width]};
  wire signed [W-1:0] r = {{3{in_i[3*Width-1]}}, in_i[2*Width +: Width]};
  wire signed [W-1:0] s = {{3{in_i[4*Width-1]}}, in_i[3*Width +: Width]};
  wire signed [W-1:0] a = p + s;
  wire signed [W-1:0] b = q + r;
  wire signed [W-1:0] c = q - r;
  wire signed [W-1:0] d = p - s;

  assign out_o[0 +: W]   = a + b;
  assign out_o[W +: W]   = (d <<< 1) + c;
  assign out_o[2*W +: W] = a - b;
  assign out_o[3*W +: W] = d - (c <<< 1);

endmodule

`default_nettype wire
