// Scales a level (clause 8.6.4.2 with flat lists): the product with levelScale by QP
// modulo 6, shifted, rounded and limited to 16 bits. Levels have all 16 bits.
//
//   QP % 6     0    1    2       3      4    5
//   scale      8*5  9*5  17*3    8*7+1  64   8*9
//
// Mirror:     t265/hwdec/itransform.go
// Latency:    2
// Throughput: 1 level a cycle
// Storage:    39 bits

`default_nettype none

module t265_dec_dequant (
  input  wire               clk_i,
  input  wire signed [15:0] level_i,
  input  wire        [5:0]  rem_i,    // QP % 6, one bit of six
  input  wire        [3:0]  shift_i,  // QP / 6 + 3, less log2 of the size less 2; a cycle later
  output reg         [15:0] coef_o
);

  wire [19:0] odd;  // 5, 3, 7 or 9 times the level

  t265_multiple #(
    .Width(16)
  ) u_multiple (
    .one_i     (rem_i[4]),
    .far_i     ({!rem_i[2], !rem_i[0] && !rem_i[1]}),
    .minus_i   (rem_i[3]),
    .value_i   (level_i),
    .multiple_o(odd)
  );

  wire [22:0] times8 = {odd, 3'd0};
  wire [22:0] times1 = {{4{odd[18]}}, odd[18:0]};  // of 5 and 3 times
  reg  [22:0] most;
  reg  [22:0] rest;
  reg  [22:0] product_q;

  always @* begin
    most = times8;
    rest = 23'd0;
    case (1'b1)
      rem_i[1]: rest = times1;
      rem_i[2]: {most, rest} = {times8 << 1, times1};
      rem_i[3]: rest = {{7{level_i[15]}}, level_i};
      rem_i[4]: most = times8 << 3;
      default: rest = 23'd0;
    endcase
  end

  always @(posedge clk_i) product_q <= most + rest;

  // Four bits of fraction.
  wire [32:0] shifted = {{10{product_q[22]}}, product_q} << shift_i;
  wire [29:0] rounded = {shifted[32], shifted[32:4]} + {29'd0, shifted[3]};
  wire        over    = rounded[29:15] != {15{rounded[29]}};

  wire unused = &{1'b0, rem_i[5], rem_i[0], shifted[2:0]};

  always @(posedge clk_i) begin
    coef_o <= over ? {rounded[29], {15{!rounded[29]}}} : rounded[15:0];
  end

endmodule

`default_nettype wire
