// The product of a magnitude with quantScale by QP modulo 6 (package t265, quantisation),
// without its lowest bits. All six scales have four terms or less of a small multiple.
//
//   QP % 6   scale   multiple
//   0        26214   12       times 2^11 + 2^7 + 2^3 + 2^-1
//   1        23302   12       times 2^11 - 2^7 + 2^-1, plus 2^8
//   2        20560   10       times 2^11 + 2^3
//   3        18396    9       times 2^11 - 2^2
//   4        16384    8       times 2^11
//   5        14564    7       times 2^11 - 2^2, plus 2^8
//
// Mirror:     t265/hwenc/quant.go
// Latency:    0
// Throughput: 1
// Storage:    0 bits

`default_nettype none

module t265_product #(
  parameter Coef = 16,  // bits of a magnitude
  parameter Base = 11,  // bits that are left out
  parameter Wide = Coef + 15 - Base  // bits of the result
) (
  input  wire [Coef-1:0] value_i,
  input  wire [Coef+3:0] multiple_i,  // of t265_coef_multiple
  input  wire [5:0]      rem_i,       // QP % 6, one bit of six
  output wire [Wide-1:0] product_o
);

  localparam PROD = Coef + 15;  // bits of the product

  // Four terms. The ones of differences are in the low bits of the first one.
  wire [PROD-1:0] wide = {11'd0, multiple_i};
  reg  [PROD-1:0] first;

  always @* begin
    first    = wide << 11;
    first[7] = rem_i[1];
    first[2] = rem_i[3] || rem_i[5];
  end

  wire [PROD-1:0] second = (wide << 7 & {PROD{rem_i[0]}}) | (~wide << 7 & {PROD{rem_i[1]}});
  wire [PROD-1:0] third  = (wide << 3 & {PROD{rem_i[0] || rem_i[2]}}) |
                           ({7'd0, value_i, 8'd0} & {PROD{rem_i[1] || rem_i[5]}});
  wire [PROD-1:0] fourth = (wide >> 1 & {PROD{rem_i[0] || rem_i[1]}}) |
                           (~wide << 2 & {PROD{rem_i[3] || rem_i[5]}});
  wire [PROD-1:0] sum = first + second + third + fourth;

  wire unused = &{1'b0, rem_i[4], sum};

  assign product_o = sum[PROD-1 -: Wide];

endmodule

`default_nettype wire
