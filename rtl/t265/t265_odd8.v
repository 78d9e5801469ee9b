// The odd half of a DCT of 16 points (clause 8.6.4.2), four of its eight inputs a
// cycle. Its matrix is symmetric, and value 7-j of row k is, but for a sign, value j of
// row 7-k: so inputs 7 to 4 go through the rows of inputs 0 to 3, and the sums of the
// first four come in from the row opposite. Inputs that change their sign are inverted;
// what a complement is short of is in the numbers that the first sums begin with.
//
// Mirror:     t265/hwenc/transform.go
// Latency:    2 from the second four
// Throughput: 4 inputs a cycle
// Storage:    4 * Width + 8 * (Width + 9) bits

`default_nettype none

module t265_odd8 #(
  parameter Width = 17,  // bits of an input
  parameter Flip  = 0,   // inputs 7 to 4 to be inverted: 0 those of even places, 1 of odd ones
  parameter Round = 0    // what is added to all sums
) (
  input  wire                     clk_i,
  input  wire                     en_i,
  input  wire                     load_i,    // four inputs
  input  wire                     second_i,  // they are 7 to 4
  input  wire [4*Width-1:0]       in_i,
  output wire [8*(Width+9)-1:0]   sums_o     // of rows 0 to 7
);

  localparam OUT = Width + 9;

  reg                 load_q;
  reg                 second_q;
  reg  [4*Width-1:0]  in_q;
  reg  [8*OUT-1:0]    sum_q;
  wire [8*OUT-1:0]    sum_d;
  wire [8*OUT-1:0]    begun;  // what a sum begins with

  genvar g;
  generate
    for (g = 0; g < 4; g = g + 1) begin : gen_in
      wire invert = second_i && g % 2 == Flip;

      always @(posedge clk_i) begin
        if (en_i && load_i) in_q[Width*g +: Width] <= in_i[Width*g +: Width] ^ {Width{invert}};
      end
    end
  endgenerate

  // Multiples of the inputs.
  wire [OUT-1:0] a  = {{9{in_q[Width-1]}}, in_q[Width-1:0]};
  wire [OUT-1:0] b  = {{9{in_q[2*Width-1]}}, in_q[2*Width-1:Width]};
  wire [OUT-1:0] c  = {{9{in_q[3*Width-1]}}, in_q[3*Width-1:2*Width]};
  wire [OUT-1:0] d  = {{9{in_q[4*Width-1]}}, in_q[4*Width-1:3*Width]};
  wire [OUT-1:0] a3 = a + (a << 1);
  wire [OUT-1:0] b3 = b + (b << 1);
  wire [OUT-1:0] c3 = c + (c << 1);
  wire [OUT-1:0] d3 = d + (d << 1);
  wire [OUT-1:0] a5 = a + (a << 2);
  wire [OUT-1:0] b5 = b + (b << 2);
  wire [OUT-1:0] c5 = c + (c << 2);
  wire [OUT-1:0] d5 = d + (d << 2);
  wire [OUT-1:0] a9 = a + (a << 3);
  wire [OUT-1:0] b9 = b + (b << 3);
  wire [OUT-1:0] c9 = c + (c << 3);
  wire [OUT-1:0] d9 = d + (d << 3);

  // 90 = 72 + 18, 87 = 96 - 9, 80, 70 = 80 - 10, 57 = 48 + 9, 43 = 40 + 3, 25 = 24 + 1, 9.
  assign sum_d[0 +: OUT]     = begun[0 +: OUT]     + (a9 << 3) + (a9 << 1) + (b3 << 5) - b9
                             + (c5 << 4) + (d5 << 4) - (d5 << 1);
  assign sum_d[OUT +: OUT]   = begun[OUT +: OUT]   + (a3 << 5) - a9 + (b3 << 4) + b9 + c9
                             - (d5 << 3) - d3;
  assign sum_d[2*OUT +: OUT] = begun[2*OUT +: OUT] + (a5 << 4) + b9 - (c5 << 4) + (c5 << 1)
                             - (d3 << 5) + d9;
  assign sum_d[3*OUT +: OUT] = begun[3*OUT +: OUT] + (a5 << 4) - (a5 << 1) - (b5 << 3) - b3
                             - (c3 << 5) + c9 + d9;
  assign sum_d[4*OUT +: OUT] = begun[4*OUT +: OUT] + (a3 << 4) + a9 - (b5 << 4) - (c3 << 3) - c
                             + (d9 << 3) + (d9 << 1);
  assign sum_d[5*OUT +: OUT] = begun[5*OUT +: OUT] + (a5 << 3) + a3 - (b9 << 3) - (b9 << 1)
                             + (c3 << 4) + c9 + (d3 << 3) + d;
  assign sum_d[6*OUT +: OUT] = begun[6*OUT +: OUT] + (a3 << 3) + a - (b5 << 4) + (b5 << 1)
                             + (c9 << 3) + (c9 << 1) - (d5 << 4);
  assign sum_d[7*OUT +: OUT] = begun[7*OUT +: OUT] + a9 - (b3 << 3) - b + (c5 << 3) + c3
                             - (d3 << 4) - d9;

  // What all rows make of the complements of 0: values 0 and 2, or 1 and 3, of a row.
  localparam [16*8-1:0] SHORT = Flip == 0
    ? {16'd52, 16'd115, 16'd100, 16'd32, -16'd17, 16'd10, 16'd96, 16'd170}
    : {-16'd82, -16'd150, -16'd65, 16'd10, -16'd34, -16'd78, 16'd14, 16'd157};

  generate
    for (g = 0; g < 8; g = g + 1) begin : gen_row
      localparam [15:0] LACK  = SHORT[16*(7-g) +: 16];  // of the row opposite
      localparam [15:0] BEGIN = g % 2 == 0 ? Round[15:0] + LACK : Round[15:0] - LACK;

      assign begun[OUT*g +: OUT] = !second_q  ? {{(OUT - 16) {BEGIN[15]}}, BEGIN} :
                                   g % 2 == 0 ? ~sum_q[OUT*(7-g) +: OUT] : sum_q[OUT*(7-g) +: OUT];
      assign sums_o[OUT*g +: OUT] = g % 2 == 0 ? sum_q[OUT*(7-g) +: OUT] : ~sum_q[OUT*(7-g) +: OUT];
    end
  endgenerate

  always @(posedge clk_i) begin
    if (en_i) load_q <= load_i;
  end

  always @(posedge clk_i) begin
    if (en_i) second_q <= second_i;
    if (en_i && load_q) sum_q <= sum_d;
  end

endmodule

`default_nettype wire
