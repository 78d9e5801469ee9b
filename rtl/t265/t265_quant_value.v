// One of the 8 values of a beat in t265_quant, from the coefficient to the level and
// back. Stages 1 to 3 are those of a beat; the first one of a sub-block waits in stage 4
// for the second in stage 3. What decides on the move of a level takes both; the move
// happens on the way from stage 5 to 6, and the level is scaled behind that.
//
// Mirror:     t265/hwenc/quant.go
// Latency:    6, and what a first beat waits
// Throughput: 1 value a cycle
// Storage:    148 bits

`default_nettype none

module t265_quant_value #(
  parameter Units = 19,        // bits of a magnitude in 1/64 step
  parameter Level = Units - 5  // of a level
) (
  input  wire                    clk_i,
  input  wire                    enable_i,
  input  wire signed [15:0]      coef_i,
  input  wire        [5:0]       rem_i,      // QP % 6, one bit of six
  // a cycle later
  input  wire        [5:0]       rem1_i,     // QP % 6, one bit of six
  // and another
  input  wire        [3:0]       shift2_i,   // QP / 6, and log2 of the largest block less that
                                             // of this one
  // of a sub-block with both beats there
  input  wire                    beat3_i,    // there is a beat in stage 3
  output wire        [9:0]       second_o,   // the level is odd; what its move gains, 1..39;
  output wire        [9:0]       first_o,    // its magnitude was below one; the coefficient is
                                             // below zero; the level is not zero
  // in stage 5
  input  wire                    move_i,     // the level moves towards the coefficient
  // and a cycle later
  input  wire        [5:0]       rem4_i,
  input  wire        [3:0]       shift4_i,   // QP / 6, plus 4, less log2 of the block size
  output wire signed [Level-1:0] second7_o,  // levels, when the first one's is in stage 7
  output wire signed [Level-1:0] first7_o,
  output reg  signed [15:0]      scaled_o    // a cycle after stage 6
);

  localparam WORD = Level + 10;

  reg  [15:0]      abs1_q;
  reg  [19:0]      multiple1_q;
  reg              sign1_q;
  reg  [Units:0]   product2_q;
  reg              sign2_q;
  reg  [WORD-1:0]  word3_q;
  reg  [WORD-1:0]  word4_q;
  reg  [Level-1:0] level5_q;
  reg              down5_q;
  reg  [Level-1:0] level6_q;
  reg  [Level-1:0] level7_q;
  wire [15:0]      abs = (coef_i ^ {16{coef_i[15]}}) + {15'd0, coef_i[15]};
  wire [19:0]      multiple;
  wire [Units:0]   product;
  wire [Units:0]   units = product2_q >> shift2_i;
  wire [Units-7:0] whole;
  wire             none;
  wire             up;
  wire [5:0]       error;
  wire [15:0]      scaled;

  t265_coef_multiple #(
    .Coef(16)
  ) u_multiple (
    .value_i   (abs),
    .rem_i     (rem_i),
    .multiple_o(multiple)
  );

  t265_product #(
    .Coef(16),
    .Base(30 - Units)
  ) u_product (
    .value_i   (abs1_q),
    .multiple_i(multiple1_q),
    .rem_i     (rem1_i),
    .product_o (product)
  );

  t265_round #(
    .Units(Units)
  ) u_round (
    .units_i(units[Units-1:0]),
    .whole_o(whole),
    .none_o (none),
    .up_o   (up),
    .error_o(error)
  );

  // What a move gains is the error, less what the level costs: most if it grows from zero,
  // nothing but a profit if it shrinks. A coefficient of less than 1/64 step gains least, 1,
  // and the highest level of a sub-block more than that: its sign does not count.
  wire [Units-7:0] size  = whole + {{(Units - 7) {1'b0}}, up};
  wire [Level-1:0] level = ({1'b0, size} ^ {Level{sign2_q}}) + {{(Level - 1) {1'b0}}, sign2_q};
  wire [5:0]       gain  = error + (up ? 6'd7 : none ? 6'd1 : 6'd3);
  wire [Level-1:0] step  = move_i ? {{(Level - 1) {down5_q}}, 1'b1} : {Level{1'b0}};

  wire unused = &{1'b0, units[Units]};

  t265_scale #(
    .Level(Level)
  ) u_scale (
    .level_i (level6_q),
    .rem_i   (rem4_i),
    .shift_i (shift4_i),
    .scaled_o(scaled)
  );

  always @(posedge clk_i) begin
    if (enable_i) begin
      abs1_q      <= abs;
      multiple1_q <= multiple;
      sign1_q     <= coef_i[15];
      product2_q  <= product;
      sign2_q     <= sign1_q;
      word3_q     <= {level, up ^ sign2_q, gain, none, sign2_q, !none || up};
      if (beat3_i) word4_q <= word3_q;
      {level5_q, down5_q} <= word4_q[WORD-1:9];
      level6_q    <= level5_q + step;
      level7_q    <= level6_q;
      scaled_o    <= scaled;
    end
  end

  assign second_o  = {word3_q[10], word3_q[8:0]};
  assign first_o   = {word4_q[10], word4_q[8:0]};
  assign second7_o = level6_q;
  assign first7_o  = level7_q;

endmodule

`default_nettype wire
