// The product of a magnitude with quantScale by QP modulo 6 (package t265, quantisation),
// without its lowest bits. All six scales have four terms or less of a small multiple.
//
//   QP % 6   scale   multiple
//   0        26214   3        times 2^13 + 2^9 + 2^5 + 2
//   1        23302   3        times 2^13 - 2^9 + 2, plus 2^8
//   2        20560   5        times 2^12 + 2^4
//   3        18396   9        times 2^11 - 2^2
//   4        16384   1        times 2^14
//   5        14564   7        times 2^11 - 2^2, plus 2^8
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

  wire [Coef+4:0] multiple;

  t265_multiple #(
    .Width(Coef + 1)
  ) u_multiple (
    .one_i     (rem_i[4]),
    .far_i     ({rem_i[2] || rem_i[3] || rem_i[5], rem_i[0] || rem_i[1] || rem_i[3] || rem_i[5]}),
    .minus_i   (rem_i[5]),
    .value_i   ({1'b0, value_i}),
    .multiple_o(multiple)
  );

  // Four terms. The ones of the two differences are in the low bits of the first term.
  wire [PROD-1:0] value = {15'd0, value_i};
  wire [PROD-1:0] wide  = {11'd0, multiple[Coef+3:0]};
  reg  [PROD-1:0] first;
  reg  [PROD-1:0] second;
  reg  [PROD-1:0] third;
  reg  [PROD-1:0] fourth;

  always @* begin
    first  = wide << 11;
    if (rem_i[0] || rem_i[1]) first = wide << 13;
    if (rem_i[2]) first = wide << 12;
    if (rem_i[4]) first = wide << 14;
    first[9] = rem_i[1];
    first[2] = rem_i[3] || rem_i[5];
    second = {PROD{1'b0}};
    if (rem_i[0]) second = wide << 9;
    if (rem_i[1]) second = ~wide << 9;
    if (rem_i[5]) second = value << 8;
    third  = {PROD{1'b0}};
    if (rem_i[0]) third = wide << 5;
    if (rem_i[1]) third = value << 8;
    if (rem_i[2]) third = wide << 4;
    fourth = {PROD{1'b0}};
    if (rem_i[0] || rem_i[1]) fourth = wide << 1;
    if (rem_i[3] || rem_i[5]) fourth = ~wide << 2;
  end

  wire [PROD-1:0] sum = first + second + third + fourth;

  wire unused = &{1'b0, multiple[Coef+4], sum};

  assign product_o = sum[PROD-1 -: Wide];

endmodule

`default_nettype wire
