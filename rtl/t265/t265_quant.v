// Quantisation of 4x4 sub-blocks with a sign hidden in each (package t265), and the
// scaling of their levels. A sub-block comes in two beats of 8 coefficients, from the
// transform or, as the residual, from a block with transform skip, which goes first.
// Its levels leave in scan order, its scaled coefficients in two beats as they came.
//
// Words: COEF and SKIP in, LEV, COEF as deq and SCALED as rest out
// (gen/t265_enc_words.vh).
//
// Mirror:     t265/hwenc/quant.go
// Latency:    7 from the first beat of a sub-block
// Throughput: 1 beat a cycle
// Storage:    about 1500 bits

`default_nettype none
`include "t265_enc_words.vh"

module t265_quant #(
  parameter Threads    = 16,  // frames in flight
  parameter MaxTU      = 16,  // size of the largest transform block, 8 or 16
  parameter MinTU      = 4,   // and of the smallest, 4 or 8: with 8 skip has no beats
  parameter Hide       = 1,   // sign data hiding, 0 or 1
  parameter ThreadBits = Threads > 1 ? $clog2(Threads) : 1  // bits of a thread number
) (
  input  wire                         clk_i,
  input  wire                         rst_i,
  input  wire                         coef_valid_i,
  output wire                         coef_ready_o,
  input  wire [`T265_COEF_BITS-1:0]   coef_data_i,
  input  wire                         skip_valid_i,
  output wire                         skip_ready_o,
  input  wire [`T265_SKIP_BITS-1:0]   skip_data_i,
  output wire                         lev_valid_o,
  input  wire                         lev_ready_i,
  output wire [`T265_LEV_BITS-1:0]    lev_data_o,
  output wire                         deq_valid_o,
  input  wire                         deq_ready_i,
  output wire [`T265_COEF_BITS-1:0]   deq_data_o,
  output wire                         rest_valid_o,
  input  wire                         rest_ready_i,
  output wire [`T265_SCALED_BITS-1:0] rest_data_o
);

  generate
    if (MaxTU != 8 && MaxTU != 16) begin : gen_illegal_max_tu
      illegal_MaxTU_is_neither_8_nor_16 u_illegal ();
    end
    if (MinTU != 4 && MinTU != 8) begin : gen_illegal_min_tu
      illegal_MinTU_is_neither_4_nor_8 u_illegal ();
    end
    if (Hide != 0 && Hide != 1) begin : gen_illegal_hide
      illegal_Hide_is_neither_0_nor_1 u_illegal ();
    end
  endgenerate

  localparam UNITS = MaxTU == 16 ? 19 : 18;  // bits of a magnitude in 1/64 step
  localparam LEVEL = UNITS - 5;              // of a level
  localparam [3:0] LARGEST = MaxTU == 16 ? 4'd2 : 4'd1;  // log2 of the largest block, less 2
  localparam TAG   = `T265_TAG_BITS;
  localparam HEAD  = TAG + 5;                // of the tag, the place of the sub-block, and
                                             // whether it is the last one

  // The beat that is taken.
  reg        half_q;       // the first beat of a sub-block has been
  reg        half_skip_q;
  reg  [1:0] sx_q;         // the sub-block of the transform that comes
  reg  [1:0] sy_q;
  wire       enable;
  wire       from_skip = MinTU == 4 && (half_q ? half_skip_q : skip_valid_i);
  wire       takes     = enable && (from_skip ? skip_valid_i : coef_valid_i);

  assign skip_ready_o = enable && from_skip;
  assign coef_ready_o = enable && !from_skip;

  wire [TAG-1:0] tag  = from_skip ? skip_data_i[`T265_SKIP_TAG] : coef_data_i[`T265_COEF_TAG];
  wire [1:0]     log2 = tag[`T265_TAG_LOG2];
  wire [1:0]     side = {log2[1], |log2};  // sub-blocks in a row, less one
  wire           low  = sy_q == side;      // the lowest one of its strip
  wire           last = low && sx_q == side;
  wire [3:0]     sixth;
  wire [5:0]     rem;

  t265_qp u_qp (
    .qp_i (tag[`T265_TAG_QP]),
    .div_o(sixth),
    .rem_o(rem)
  );

  always @(posedge clk_i) begin
    if (rst_i) begin
      half_q <= 1'b0;
      sx_q   <= 2'd0;
      sy_q   <= 2'd0;
    end else if (takes) begin
      half_q <= !half_q;
      if (half_q && !from_skip) begin
        sy_q <= low ? 2'd0 : sy_q + 2'd1;
        if (low) sx_q <= last ? 2'd0 : sx_q + 2'd1;
      end
    end
  end

  // Stages of beats 1 to 3: magnitude, magnitude in 1/64 step, level. In stage 4 a
  // first beat waits for the second. With both the sub-block goes on: one level of it
  // moves on the way from stage 5, and in stage 7 its levels are complete.
  reg beat1_q, beat2_q, beat3_q;           // there is a beat
  reg second1_q, second2_q, second3_q;     // and it is the second one
  reg second4_q, second5_q;
  reg out1_q, out2_q;                      // the first, the second beat leaves

  always @(posedge clk_i) begin
    if (rst_i) begin
      {second1_q, second2_q, second3_q, second4_q, second5_q, out1_q, out2_q} <= 7'd0;
    end else if (enable) begin
      {second1_q, second2_q, second3_q} <= {takes && half_q, second1_q, second2_q};
      {second4_q, second5_q, out1_q, out2_q} <= {second3_q, second4_q, second5_q, out1_q};
    end
  end

  // What belongs to the whole sub-block stays for two cycles in each of these.
  reg  [HEAD-1:0] head1_q, head2_q, head3_q, head4_q;
  reg  [5:0]      rem1_q;
  reg  [3:0]      shift1_q;
  reg  [3:0]      shift2_q;
  reg  [5:0]      rem4_q;
  reg  [3:0]      shift4_q;
  wire [5:0]      rem3;
  wire [3:0]      sixth3;

  t265_qp u_qp_scale (
    .qp_i (head3_q[`T265_TAG_QP]),
    .div_o(sixth3),
    .rem_o(rem3)
  );

  always @(posedge clk_i) begin
    if (takes) begin
      half_skip_q <= from_skip;
      head1_q     <= {from_skip || last, from_skip ? 4'd0 : {sy_q, sx_q}, tag};
      rem1_q      <= rem;
      shift1_q    <= sixth + LARGEST - {2'd0, log2};
    end
    if (enable && second1_q) head2_q <= head1_q;
    if (enable && second3_q) head3_q <= head2_q;
    if (enable && second5_q) head4_q <= head3_q;
    if (enable) begin
      {beat1_q, beat2_q, beat3_q} <= {takes, beat1_q, beat2_q};
      shift2_q <= shift1_q;
      rem4_q   <= rem3;
      shift4_q <= sixth3 + 4'd2 - {2'd0, head3_q[`T265_TAG_LOG2]};
    end
  end

  // The two beats that are together, 9 bits a value, the first beat lowest: whether the
  // level is set, the coefficient negative, its magnitude below one level, and what its
  // move gains.
  wire [9*16-1:0]     pair;
  wire [15:0]         odd;
  wire [1:0]          scan2 = scan_of(head2_q[`T265_TAG_LOG2_AT+1], head2_q[`T265_TAG_MODE]);
  wire [1:0]          scan3 = scan_of(head3_q[`T265_TAG_LOG2_AT+1], head3_q[`T265_TAG_MODE]);
  wire [1:0]          scan4 = scan_of(head4_q[`T265_TAG_LOG2_AT+1], head4_q[`T265_TAG_MODE]);
  wire                rows2 = MinTU == 4 && head2_q[`T265_TAG_LOG2] == 2'd0;
  wire                rows3 = MinTU == 4 && head3_q[`T265_TAG_LOG2] == 2'd0;
  wire                rows4 = MinTU == 4 && head4_q[`T265_TAG_LOG2] == 2'd0;
  wire                move3;  // a level moves,
  wire [3:0]          at3;    // this one
  wire [16*LEVEL-1:0] moved;  // levels as they leave
  wire [8*16-1:0]     scaled;

  // scanIdx (clause 7.4.9.11).
  function [1:0] scan_of(input big, input [1:0] mode);
    scan_of = big || !mode[1] ? 2'd0 : mode[0] ? 2'd2 : 2'd1;
  endfunction

  genvar g;
  generate
    for (g = 0; g < 8; g = g + 1) begin : gen_value
      localparam [2:0] LANE = g;

      wire [15:0] coef = from_skip ? {{2{skip_data_i[`T265_SKIP_VALUES_AT+9*g+8]}},
                                      skip_data_i[`T265_SKIP_VALUES_AT+9*g +: 9], 5'd0}
                                   : coef_data_i[`T265_COEF_VALUES_AT+16*g +: 16];

      t265_quant_value #(
        .Units(UNITS)
      ) u_value (
        .clk_i    (clk_i),
        .enable_i (enable),
        .coef_i   (coef),
        .rem_i    (rem),
        .rem1_i   (rem1_q),
        .shift2_i (shift2_q),
        .beat3_i  (beat3_q),
        .second_o ({odd[g+8], pair[9*(g+8) +: 9]}),
        .first_o  ({odd[g], pair[9*g +: 9]}),
        .move_i   (move3 && at3 == {second5_q, LANE}),
        .rem4_i   (rem4_q),
        .shift4_i (shift4_q),
        .second7_o(moved[LEVEL*(g+8) +: LEVEL]),
        .first7_o (moved[LEVEL*g +: LEVEL]),
        .scaled_o (scaled[16*g +: 16])
      );
    end

    if (Hide == 1) begin : gen_hide
      wire [9*16-1:0] ordered;
      wire [15:0]     set;
      wire [15:0]     negative;
      wire [15:0]     born;
      wire [16*6-1:0] gain;
      wire [3:0]      k;
      wire [1:0]      x;
      wire [1:0]      y;

      t265_scan4 #(
        .Width(9)
      ) u_scan (
        .scan_i  (scan2),
        .rows_i  (rows2),
        .values_i(pair),
        .levels_o(ordered)
      );

      for (g = 0; g < 16; g = g + 1) begin : gen_position
        assign {gain[6*g +: 6], born[g], negative[g], set[g]} = ordered[9*g +: 9];
      end

      t265_hide u_hide (
        .clk_i     (clk_i),
        .enable_i  (enable && second3_q),
        .set_i     (set),
        .negative_i(negative),
        .born_i    (born),
        .gain_i    (gain),
        .odd_i     (^odd),
        .move_o    (move3),
        .k_o       (k)
      );

      t265_position u_position (
        .scan_k_i({scan3, k}),
        .x_o     (x),
        .y_o     (y)
      );

      assign at3 = rows3 ? {y, x} : {x, y};
    end else begin : gen_plain
      wire unused = &{1'b0, pair, odd, scan2, scan3, rows2, rows3};

      assign move3 = 1'b0;
      assign at3   = 4'd0;
    end
  endgenerate

  // The outputs. What has left waits for what leaves in the same cycle; while nothing
  // leaves, nothing has left, so that this needs no reset.
  reg                 lev_taken_q;
  reg                 deq_taken_q;
  wire                deq_valid  = out1_q || out2_q;
  wire                lev_leaves = !out1_q || lev_taken_q || lev_ready_i;
  wire                deq_ready  = rows4 ? rest_ready_i : deq_ready_i;
  wire                deq_leaves = !deq_valid || deq_taken_q || deq_ready;
  wire [16*LEVEL-1:0] ordered;

  assign enable       = lev_leaves && deq_leaves;
  assign lev_valid_o  = out1_q && !lev_taken_q;
  assign deq_valid_o  = deq_valid && !deq_taken_q && !rows4;
  assign rest_valid_o = deq_valid && !deq_taken_q && rows4;

  always @(posedge clk_i) begin
    if (enable) begin
      lev_taken_q <= 1'b0;
      deq_taken_q <= 1'b0;
    end else begin
      lev_taken_q <= lev_leaves;
      deq_taken_q <= deq_leaves;
    end
  end

  t265_scan4 #(
    .Width(LEVEL)
  ) u_scan (
    .scan_i  (scan4),
    .rows_i  (rows4),
    .values_i(moved),
    .levels_o(ordered)
  );

  generate
    for (g = 0; g < 16; g = g + 1) begin : gen_level
      wire [LEVEL-1:0] level = ordered[LEVEL*g +: LEVEL];

      assign lev_data_o[`T265_LEV_LEVELS_AT+16*g +: 16] = {{(16 - LEVEL) {level[LEVEL-1]}}, level};
      assign lev_data_o[`T265_LEV_MASK_AT+g]            = |level;
    end
  endgenerate

  assign lev_data_o[`T265_LEV_TAG]       = head4_q[TAG-1:0];
  assign lev_data_o[`T265_LEV_SX]        = head4_q[TAG +: 2];
  assign lev_data_o[`T265_LEV_SY]        = head4_q[TAG+2 +: 2];
  assign lev_data_o[`T265_LEV_SCAN]      = scan4;
  assign lev_data_o[`T265_LEV_LAST_SUB]  = head4_q[TAG+4];
  assign deq_data_o[`T265_COEF_TAG]      = head4_q[TAG-1:0];
  assign deq_data_o[`T265_COEF_VALUES]   = scaled;
  assign rest_data_o[`T265_SCALED_TAG]    = head4_q[TAG-1:0];
  assign rest_data_o[`T265_SCALED_VALUES] = scaled;

endmodule

`default_nettype wire
