// The one-dimensional inverse transform of four coefficients (equations 8-338 to
// 8-345), in 16 bits.
//
// Mirror:     t264/hwenc/border.go
// Latency:    0
// Throughput: combinational
// Storage:    none

`default_nettype none

module t264_inverse4 (
  input  wire [63:0] in_i,
  output wire [63:0] out_o
);

  wire [15:0] a = in_i[15:0];
  wire [15:0] b = in_i[31:16];
  wire [15:0] c = in_i[47:32];
  wire [15:0] d = in_i[63:48];
  wire [15:0] e0 = a + c;
  wire [15:0] e1 = a - c;
  wire [15:0] o0 = {b[15], b[15:1]} - d;
  wire [15:0] o1 = b + {d[15], d[15:1]};

  assign out_o = {e0 - o1, e1 - o0, e1 + o0, e0 + o1};

endmodule

`default_nettype wire
