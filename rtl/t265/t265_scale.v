// Scales a level of the quantiser (H.265 clause 8.6.4.2 with flat lists): the product
// with levelScale by QP modulo 6, shifted and limited to 16 bits. Levels are such that
// the product is at most 2^15 plus a quantiser step, which fits 17 bits.
//
//   QP % 6     0    1     2      3      4    5
//   scale      5*8  5*9   3*17   7*8+1  64   9*8
//
// Mirror:     t265/hwenc/quant.go
// Latency:    0
// Throughput: 1
// Storage:    0 bits

`default_nettype none

module t265_scale #(
  parameter Level = 14  // bits of a level, signed
) (
  input  wire signed [Level-1:0] level_i,
  input  wire        [5:0]       rem_i,    // QP % 6, one bit of six
  input  wire        [3:0]       shift_i,  // QP / 6, plus 4, less log2 of the block size
  output wire        [15:0]      scaled_o
);

  localparam PROD = Level + 7;  // bits of a product

  wire [Level+3:0] multiple;

  t265_multiple #(
    .Width(Level)
  ) u_multiple (
    .one_i     (rem_i[4]),
    .far_i     ({!rem_i[2], !rem_i[0] && !rem_i[1]}),
    .minus_i   (rem_i[3]),
    .value_i   (level_i),
    .multiple_o(multiple)
  );

  wire [PROD-1:0] wide = {{3{multiple[Level+3]}}, multiple};
  reg  [PROD-1:0] first;
  reg  [PROD-1:0] second;

  always @* begin
    first  = rem_i[4] ? wide << 6 : rem_i[2] ? wide << 4 : wide << 3;
    second = {PROD{1'b0}};
    if (rem_i[1] || rem_i[2]) second = wide;
    if (rem_i[3]) second = {{7{level_i[Level-1]}}, level_i};
  end

  // Half of the eight that a shifted product is divided by comes before the shift.
  wire [PROD-1:0] half    = {{(PROD - 3) {1'b0}}, 3'd4 >> shift_i};
  wire [PROD-1:0] product = first + second + half;
  wire [PROD+9:0] shifted = {{10{product[PROD-1]}}, product} << shift_i;
  wire [16:0]     rounded = shifted[19:3];
  wire            over    = rounded[16] != rounded[15];

  wire unused = &{1'b0, rem_i[5], shifted};

  assign scaled_o = over ? {rounded[16], {15{!rounded[16]}}} : rounded[15:0];

endmodule

`default_nettype wire
