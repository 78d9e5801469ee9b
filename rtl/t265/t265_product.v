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
  input  wire [5:0]      rem_i,  // QP % 6, one bit of six
  output wire [Wide-1:0] product_o
);

  localparam PROD = Coef + 15;  // bits of the product

  wire [Coef+3:0] value = {4'd0, value_i};
  reg  [Coef+3:0] rest;  // of the multiple beyond 8

  always @* begin
    rest = {(Coef + 4) {1'b0}};
    if (rem_i[0] || rem_i[1]) rest = value << 2;
    if (rem_i[2]) rest = value << 1;
    if (rem_i[3]) rest = value;
    if (rem_i[5]) rest = ~value;
  end

  // One bit below the others carries the one of a difference.
  wire [Coef+4:0] multiple = {value << 3, 1'b1} + {rest, rem_i[5]};

  // Four terms. The ones of differences are in the low bits of the first one.
  wire [PROD-1:0] wide = {11'd0, multiple[Coef+4:1]};
  reg  [PROD-1:0] first;
  reg  [PROD-1:0] second;
  reg  [PROD-1:0] third;
  reg  [PROD-1:0] fourth;

  always @* begin
    first    = wide << 11;
    first[7] = rem_i[1];
    first[2] = rem_i[3] || rem_i[5];
    second = {PROD{1'b0}};
    if (rem_i[0]) second = wide << 7;
    if (rem_i[1]) second = ~wide << 7;
    third  = {PROD{1'b0}};
    if (rem_i[0] || rem_i[2]) third = wide << 3;
    if (rem_i[1] || rem_i[5]) third = {7'd0, value_i, 8'd0};
    fourth = {PROD{1'b0}};
    if (rem_i[0] || rem_i[1]) fourth = wide >> 1;
    if (rem_i[3] || rem_i[5]) fourth = ~wide << 2;
  end

  wire [PROD-1:0] sum = first + second + third + fourth;

  wire unused = &{1'b0, rem_i[4], multiple[0], sum};

  assign product_o = sum[PROD-1 -: Wide];

endmodule

`default_nettype wire
