// A magnitude in 1/64 quantiser step (package t265, quantisation): the product with
// quantScale by QP modulo 6, and its upper bits. A scale is 256 times a number below
// 103, and a rest that is made of what makes that number:
//
//   QP % 6     0            1          2           3          4        5
//   scale      102*257      91*256+6   80*257      72*256-36  64*256   57*256-28
//   multiple   3            3          5           9          1        7
//
// Mirror:     t265/hwenc/quant.go
// Latency:    0
// Throughput: 1
// Storage:    0 bits

`default_nettype none

module t265_units #(
  parameter Coef  = 16,  // bits of a magnitude
  parameter Base  = 11,  // least shift of a product
  parameter Units = 19   // bits of the result
) (
  input  wire [Coef-1:0]  value_i,
  input  wire [2:0]       rem_i,    // QP % 6
  input  wire [3:0]       shift_i,  // beyond Base
  output wire [Units-1:0] units_o
);

  localparam MULT = Coef + 4;   // bits of a multiple
  localparam HIGH = Coef + 7;   // of the product with the upper part of the scale
  localparam PROD = Coef + 15;  // of the product

  wire is_0 = rem_i == 3'd0;
  wire is_1 = rem_i == 3'd1;
  wire is_2 = rem_i == 3'd2;
  wire is_3 = rem_i == 3'd3;
  wire is_4 = rem_i == 3'd4;
  wire is_5 = rem_i == 3'd5;

  wire [MULT:0] multiple;

  t265_multiple #(
    .Width(Coef + 1)
  ) u_multiple (
    .one_i     (is_4),
    .far_i     ({is_2 || is_3 || is_5, is_0 || is_1 || is_3 || is_5}),
    .minus_i   (is_5),
    .value_i   ({1'b0, value_i}),
    .multiple_o(multiple)
  );

  wire [HIGH-1:0] value = {7'd0, value_i};
  wire [HIGH-1:0] wide  = {3'd0, multiple[MULT-1:0]};
  reg  [HIGH-1:0] near;   // 102 is 3 * 32 + 3 * 2, 91 is 3 * 32 - 3 * 2 + 1
  reg  [HIGH-1:0] least;  // 57 is 7 * 8 + 1
  reg  [HIGH-1:0] first;

  always @* begin
    first = is_0 || is_1 ? wide << 5 : is_2 ? wide << 4 : is_4 ? wide << 6 : wide << 3;
    near  = is_0 ? wide << 1 : is_1 ? ~(wide << 1) : is_5 ? value : {HIGH{1'b0}};
    least = is_1 ? value : {HIGH{1'b0}};
    first[0] = is_1;  // completes the difference
  end

  wire [HIGH-1:0] high = first + near + least;
  reg  [HIGH-1:0] low;
  wire            minus = is_3 || is_5;

  always @* begin
    low = {HIGH{1'b0}};
    if (is_0 || is_2) low = high;
    if (is_1) low = wide << 1;
    if (minus) low = ~(wide << 2);
  end

  wire [PROD:0]   sum     = {high, 8'd0, 1'b1} + {{8{minus}}, low, minus};
  wire [PROD-1:0] shifted = sum[PROD:1] >> shift_i;

  wire unused = &{1'b0, multiple[MULT], sum[0], shifted};

  assign units_o = shifted[Base +: Units];

endmodule

`default_nettype wire
