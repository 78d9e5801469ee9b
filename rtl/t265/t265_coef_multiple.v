// The small multiple of a magnitude of a coefficient that its product with quantScale is
// made of: see t265_product.
//
// Mirror:     t265/hwenc/quant.go
// Latency:    0
// Throughput: 1
// Storage:    0 bits

`default_nettype none

module t265_coef_multiple #(
  parameter Coef = 16  // bits of a magnitude
) (
  input  wire [Coef-1:0] value_i,
  input  wire [5:0]      rem_i,  // QP % 6, one bit of six
  output wire [Coef+3:0] multiple_o
);

  // The multiple beyond 8.
  wire [Coef+3:0] value = {4'd0, value_i};
  wire [Coef+3:0] rest  = (value << 2 & {(Coef + 4) {rem_i[0] || rem_i[1]}}) |
                          (value << 1 & {(Coef + 4) {rem_i[2]}}) |
                          (value & {(Coef + 4) {rem_i[3]}}) | (~value & {(Coef + 4) {rem_i[5]}});

  // One bit below the others carries the one of a difference.
  wire [Coef+4:0] sum = {value << 3, 1'b1} + {rest, rem_i[5]};

  wire unused = &{1'b0, rem_i[4], sum[0]};

  assign multiple_o = sum[Coef+4:1];

endmodule

`default_nettype wire
