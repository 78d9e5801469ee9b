// Reference samples on their way to a page (clauses 8.4.4.2.2 and 8.4.4.2.3): those that
// are not available are replaced, and all are filtered where the mode and the size ask
// for it. Above and left are exchanged in modes 2 to 17, so that main is what the angle
// points to, and side the other one.
//
// A beat waits in the first stage for the next one of its block, whose first samples the
// filter of its last ones needs. It leaves as a word of main and a word of side, for the
// places that t265_dec_project tells.
//
// Words: DEC_REF in (gen/t265_dec_words.vh).
//
// Mirror:     t265/hwdec/predict.go
// Latency:    2 from a beat to its words, if the next beat follows
// Throughput: a beat a cycle
// Storage:    180 bits, and those of t265_dec_project, with MaxTU 32 of t265_dec_strong

`default_nettype none
`include "t265_dec_words.vh"

module t265_dec_smooth #(
  parameter MaxTU    = 16,  // largest block, 8, 16 or 32
  parameter Modes    = 35,  // 35, or 4: planar, DC, horizontal and vertical
  parameter SizeBits = $clog2(MaxTU)  // log2 of the largest block
) (
  input  wire                          clk_i,
  input  wire                          rst_i,
  input  wire                          in_valid_i,
  output wire                          in_ready_o,
  input  wire [`T265_DEC_REF_BITS-1:0] in_data_i,
  input  wire                          room_i,      // the next block has a page
  output wire                          complete_o,  // the last beat of a block comes
  // a beat that leaves
  output wire                          leave_o,
  output wire                          last_o,
  output wire [1:0]                    log2_o,
  output wire                          planar_o,
  output wire                          dc_o,
  output wire                          straight_o,
  output wire                          negative_o,
  output wire [5:0]                    angle_o,
  output wire                          ends_o,      // what follows is there
  output wire [7:0]                    main_end_o,  // planar: sample n; straight: corner; DC
  output wire [7:0]                    side_end_o,  // planar: sample n; DC
  output wire [MaxTU/2-1:0]            words_o,     // that are written whole
  output wire [MaxTU-1:0]              bytes_o,     // that are written, of the second half
  // in the next cycle
  output reg  [31:0]                   main_o,
  output reg  [31:0]                   side_o,
  output reg                           odd_o,       // side goes to odd words of the first half
  output reg  [1:0]                    upper_o      // and to odd, even words of the second half
);

  localparam AT  = SizeBits - 1;  // bits of the number of a beat
  localparam SUM = SizeBits + 9;  // bits of the sum of the DC mode

  // The fraction of a rounded sum goes nowhere.
  /* verilator lint_off UNUSEDSIGNAL */
  function [7:0] tap(input [7:0] a, input [7:0] b, input [7:0] c);
    reg [9:0] sum;
    begin
      sum = ({2'd0, a} + {2'd0, c}) + ({1'b0, b, 1'b0} + 10'd2);
      tap = sum[9:2];
    end
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  function [9:0] sum4(input [31:0] s);
    sum4 = ({2'd0, s[7:0]} + {2'd0, s[15:8]}) + ({2'd0, s[23:16]} + {2'd0, s[31:24]});
  endfunction

  // The first stage.
  reg          held_q;
  reg [AT-1:0] at_q;           // number of the beat
  reg [1:0]    log2_q;
  reg [5:0]    mode_q;
  reg [31:0]   main_q;
  reg [31:0]   side_q;
  reg [7:0]    before_main_q;  // the sample before these; the corner at first
  reg [7:0]    before_side_q;

  // The second turn of strong smoothing.
  wire        decides;  // the last beat tells whether there is one
  wire        smooth;   // it says so
  wire        turns;
  wire        turned;   // the beat in the first stage is of it
  wire [31:0] turn_main;
  wire [31:0] turn_side;
  wire [7:0]  turn_corner;

  wire [AT-1:0] beats  = ~({{(AT-1) {1'b1}}, 1'b0} << log2_q);  // the number of the last one
  wire          last   = (at_q | ~beats) == {AT{1'b1}};
  wire          second = (at_q | ~beats) == {{(AT-1) {1'b1}}, 1'b0};  // the last but one
  wire          half   = (at_q & (beats ^ beats >> 1)) == {AT{1'b0}};  // samples up to n
  wire          moves  = at_q != {AT{1'b0}} || room_i;  // after reset there is room
  wire          begins = !held_q || last;  // what comes is the first beat of a block
  wire          take   = turns || in_valid_i && in_ready_o;
  wire          ends   = take && !begins && second;  // the last beat comes
  wire          may_turn;

  assign in_ready_o = !turns && !decides && moves;
  assign leave_o    = held_q && moves && (last || turns || in_valid_i);
  assign last_o     = last && leave_o && !(decides && smooth);
  assign complete_o = ends && !may_turn || decides && !smooth;

  // The beat that comes in.
  wire [5:0]  mode       = in_data_i[`T265_DEC_REF_MODE];
  wire        horizontal = !mode[5] && (mode[4] != (mode[3:1] != 3'd0));
  wire [31:0] above      = in_data_i[`T265_DEC_REF_ABOVE];
  wire [31:0] left       = in_data_i[`T265_DEC_REF_LEFT];
  wire        has_above  = in_data_i[`T265_DEC_REF_HAS_ABOVE];
  wire        has_left   = in_data_i[`T265_DEC_REF_HAS_LEFT];
  wire [7:0]  corner     = turns ? turn_corner
                         : in_data_i[`T265_DEC_REF_HAS_CORNER] ? in_data_i[`T265_DEC_REF_CORNER]
                         : has_left ? left[7:0] : has_above ? above[7:0] : 8'd128;
  wire [7:0]  fill_main  = begins ? corner : main_q[31:24];
  wire [7:0]  fill_side  = begins ? corner : side_q[31:24];
  wire        has_main   = horizontal ? has_left : has_above;
  wire        has_side   = horizontal ? has_above : has_left;
  wire [31:0] next_main  = turns ? turn_main : !has_main ? {4{fill_main}} :
                           horizontal ? left : above;
  wire [31:0] next_side  = turns ? turn_side : !has_side ? {4{fill_side}} :
                           horizontal ? above : left;

  always @(posedge clk_i) begin
    if (rst_i) held_q <= 1'b0;
    else if (take) held_q <= 1'b1;
    else if (last) held_q <= 1'b0;
  end

  always @(posedge clk_i) begin
    if (take) begin
      at_q          <= begins ? {AT{1'b0}} : at_q + 1'b1;
      main_q        <= next_main;
      side_q        <= next_side;
      before_main_q <= fill_main;
      before_side_q <= fill_side;
    end
    if (take && !turns) begin
      log2_q <= in_data_i[`T265_DEC_REF_LOG2];
      mode_q <= mode;
    end
  end

  // What the mode asks for.
  wire filters;

  t265_dec_angle #(
    .Modes(Modes)
  ) u_angle (
    .mode_i      (mode_q),
    .log2_i      (log2_q),
    .planar_o    (planar_o),
    .dc_o        (dc_o),
    .straight_o  (straight_o),
    .negative_o  (negative_o),
    .filter_o    (filters),
    .angle_o     (angle_o)
  );

  wire filter = filters && !turned;

  assign log2_o = log2_q;

  // Filter.
  wire [47:0] main_line = {next_main[7:0], main_q, before_main_q};
  wire [47:0] side_line = {next_side[7:0], side_q, before_side_q};
  reg  [31:0] main;
  reg  [31:0] side;
  integer     i;

  always @* begin
    main = main_q;
    side = side_q;
    if (filter) begin
      for (i = 0; i < 4; i = i + 1) begin
        main[8*i +: 8] = tap(main_line[8*i +: 8], main_line[8*i+8 +: 8], main_line[8*i+16 +: 8]);
        side[8*i +: 8] = tap(side_line[8*i +: 8], side_line[8*i+8 +: 8], side_line[8*i+16 +: 8]);
      end
      if (last) main[31:24] = main_q[31:24];
    end
  end

  reg [7:0] corner_q;

  always @(posedge clk_i) begin
    if (at_q == {AT{1'b0}})
      corner_q <= filter ? tap(main_q[7:0], before_main_q, side_q[7:0]) : before_main_q;
  end

  // Sum of the DC mode.
  reg  [SUM-1:0] sum_q;
  wire [SUM-1:0] size  = {{(SUM - 3) {1'b0}}, 3'd4} << log2_q;  // n
  wire [10:0]    sum8  = {1'b0, sum4(main_q)} + {1'b0, sum4(side_q)};
  wire [SUM-1:0] start = at_q == {AT{1'b0}} ? size : sum_q;
  // The fraction goes nowhere.
  /* verilator lint_off UNUSEDSIGNAL */
  wire [SUM-4:0] mean = sum_q[SUM-1:3] >> log2_q;
  /* verilator lint_on UNUSEDSIGNAL */

  always @(posedge clk_i) begin
    if (leave_o && half) sum_q <= start + {{(SUM - 11) {1'b0}}, sum8};
  end

  assign main_end_o = planar_o ? main[7:0] : dc_o ? mean[7:0] : corner_q;
  assign side_end_o = planar_o ? side[7:0] : mean[7:0];
  assign ends_o     = at_q == (beats >> 1) + 1'b1;  // the first beat behind the first n

  // Words and their places.
  wire        aligned = Modes == 4 || planar_o || dc_o || straight_o;
  wire [31:0] placed;

  t265_dec_project #(
    .MaxTU(MaxTU),
    .Modes(Modes)
  ) u_project (
    .clk_i     (clk_i),
    .leave_i   (leave_o),
    .at_i      (at_q),
    .half_i    (half),
    .aligned_i (aligned),
    .negative_i(negative_o),
    .angle_i   (angle_o),
    .side_i    (side),
    .corner_i  (corner_q),
    .words_o   (words_o),
    .bytes_o   (bytes_o),
    .side_o    (placed)
  );

  always @(posedge clk_i) begin
    main_o  <= main;
    side_o  <= placed;
    odd_o   <= aligned;
    upper_o <= {aligned || negative_o, negative_o};
  end

  generate
    if (MaxTU == 32) begin : gen_strong
      assign may_turn = in_data_i[`T265_DEC_REF_STRONG] && log2_q == 2'd3 && filters && !turns;

      t265_dec_strong u_strong (
        .clk_i   (clk_i),
        .rst_i   (rst_i),
        .begin_i (take && begins),
        .corner_i(corner),
        .leave_i (leave_o),
        .at_i    (at_q),
        .main_i  (main_q[31:24]),
        .side_i  (side_q[31:24]),
        .decide_i(ends && may_turn),
        .decides_o(decides),
        .smooth_o(smooth),
        .turns_o (turns),
        .turned_o(turned),
        .corner_o(turn_corner),
        .main_o  (turn_main),
        .side_o  (turn_side)
      );
    end else begin : gen_none
      assign may_turn    = 1'b0;
      assign decides     = 1'b0;
      assign smooth      = 1'b0;
      assign turns       = 1'b0;
      assign turned      = 1'b0;
      assign turn_corner = 8'd0;
      assign turn_main   = 32'd0;
      assign turn_side   = 32'd0;

      wire unused = &{1'b0, in_data_i[`T265_DEC_REF_STRONG]};
    end
  endgenerate

endmodule

`default_nettype wire
