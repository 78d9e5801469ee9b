// Parses slice data (H.264 clause 7.3.4) with a decoder engine into items, for
// I_4x4, I_8x8 and I_16x16 of monochrome pictures. In each cycle it knows what is
// to be decoded next for either value of the bin.
//
// Mirror:     t264/hwdec/parse.go
// Latency:    0 from a bin to the next request, 1 to an item
// Throughput: 1 bin a cycle; a cycle without one for each block and mode, 7 for each macroblock
// Storage:    46 bits, and those of the place, the neighbours, the residual and the items
// Packing:    items as t264/hw/item.go says; an above word as in t264_parse_around

`default_nettype none
`include "t264_dec_words.vh"

module t264_parse #(
  parameter FrameMBs = 64,  // widest and highest frame in macroblocks, 2..1024
  parameter Bypass   = 1,   // bypass bins a cycle in a level, 1..4
  parameter MBBits   = FrameMBs > 1 ? $clog2(FrameMBs) : 1  // bits of a column or row
) (
  input  wire                         clk_i,
  input  wire                         rst_i,
  input  wire                         cfg_valid_i,    // a slice
  output wire                         cfg_ready_o,
  input  wire [MBBits-1:0]            cfg_last_x_i,   // last macroblock of the picture
  input  wire [MBBits-1:0]            cfg_last_y_i,
  input  wire [MBBits-1:0]            cfg_x_i,        // first macroblock of the slice
  input  wire [MBBits-1:0]            cfg_y_i,
  input  wire [5:0]                   cfg_qp_i,
  input  wire                         cfg_t8_i,       // transform_8x8_mode_flag
  output wire                         init_o,         // asks for the contexts
  output wire [5:0]                   init_qp_o,
  input  wire                         set_end_i,      // the last of them is there
  output wire                         above_valid_o,  // asks for the above word at above_read_o,
  input  wire                         above_ready_i,
  output wire                         above_write_o,  // after above_word_o goes to column above_x_o
  output wire [MBBits-1:0]            above_x_o,
  output wire [MBBits-1:0]            above_read_o,
  output wire [`T264_AROUND_BITS-1:0] above_word_o,
  input  wire                         reply_valid_i,
  output wire                         reply_ready_o,
  input  wire [`T264_AROUND_BITS-1:0] reply_word_i,
  output wire                         enable_o,       // to the engine, and from it
  input  wire                         step_i,
  input  wire                         bin_i,          // where one is asked for
  input  wire [Bypass-1:0]            bins_i,         // of a level, most significant first
  output wire                         start_o,
  output wire                         drain_o,
  input  wire                         ended_i,
  input  wire                         overrun_i,
  input  wire                         cut_i,
  output wire                         fork_o,
  output wire [1:0]                   zero_kind_o,
  output wire [7:0]                   zero_ctx_o,
  output wire [2:0]                   count_o,        // bypass bins after a zero
  output wire [1:0]                   one_kind_o,
  output wire [7:0]                   one_ctx_o,
  output wire                         item_valid_o,
  input  wire                         item_ready_i,
  output wire [2:0]                   item_kind_o,
  output wire [3:0]                   item_block_o,
  output wire [3:0]                   item_group_o,
  output wire                         item_last_o,
  output wire                         item_coded_o,
  output wire [63:0]                  item_data_o,
  output wire [3:0]                   error_o         // code of the last slice, if it ended early
);

  generate
    if (FrameMBs < 2 || FrameMBs > 1024) begin : gen_illegal_framembs
      illegal_FrameMBs_is_not_2_to_1024 u_illegal ();
    end
    if (Bypass < 1 || Bypass > 4) begin : gen_illegal_bypass
      illegal_Bypass_is_not_1_to_4 u_illegal ();
    end
  endgenerate

  // States, as in t264_parse_control.
  localparam [4:0] IDLE = 5'd0, INIT = 5'd1, START = 5'd2, FETCH = 5'd3, WAIT = 5'd4, MB = 5'd5;
  localparam [4:0] T8 = 5'd7, TYPE3 = 5'd9, TYPE6 = 5'd11, TYPE7 = 5'd12, PREV = 5'd13;
  localparam [4:0] REM0 = 5'd14, REM1 = 5'd15, REM2 = 5'd16, MODE = 5'd17, CBP = 5'd18;
  localparam [4:0] QP = 5'd19, QP_SET = 5'd20, HEADER = 5'd21, MODES = 5'd22, BLOCK = 5'd23;
  localparam [4:0] CODED = 5'd24, RESIDUAL = 5'd25, SEND = 5'd27, DRAIN = 5'd28;

  reg  [4:0] state_q;
  reg  [5:0] qp_q;
  reg        t8_q;
  reg        diff_q;    // mb_qp_delta of the macroblock before was not zero
  reg  [5:0] k_q;       // bins of ivlOffset or mb_qp_delta
  reg  [3:0] code_q;
  reg  [1:0] kind_q;    // 0 for 4x4 blocks, 1 for 8x8 blocks, 2 for I_16x16
  reg  [1:0] mode16_q;
  reg  [3:0] cbp_q;
  reg  [3:0] b_q;       // 4x4 block
  reg        done_q;    // no block is left
  reg        dc_q;      // the DC block comes next
  reg        prev_q;    // prev_intra_pred_mode_flag
  reg  [2:0] rem_q;

  wire abort, fail;
  wire [3:0] fail_code;
  wire [4:0] state_d;
  wire go   = step_i && !abort;
  wire load = go && state_q == IDLE;

  // Place, neighbours, residual and items.
  wire fresh, final_, left, above, above_left, above_right, free;
  wire [MBBits-1:0] x, y;
  wire [1:0] type_inc, t8_inc, cbp_inc, cbp_zero_inc, cbp_one_inc, dc_inc, coded_inc;
  wire [3:0] left_mode, above_mode;
  wire res_sign, res_waits, res_push, res_last, res_bad, res_fork;
  wire [1:0] res_zero_kind, res_one_kind, res_slot;
  wire [7:0] res_zero_ctx, res_one_ctx;
  wire [15:0] res_level;
  wire [3:0] res_group;

  wire       eight   = kind_q[0];
  wire       i16     = kind_q[1];
  wire       pattern = cbp_q[b_q[3:2]];
  wire [1:0] cat     = dc_q ? 2'd0 : i16 ? 2'd1 : eight ? 2'd3 : 2'd2;
  wire       whole   = state_q == BLOCK && !done_q && (!pattern || eight);  // all of an 8x8 block

  // The mode of a block: bit m of NEEDS_* says what mode m reads.
  localparam [15:0] NEEDS_LEFT = 16'h0172, NEEDS_ABOVE = 16'h00f9, NEEDS_CORNER = 16'h0070;
  wire       no_left    = left_mode == 4'd15;
  wire       no_above   = above_mode == 4'd15;
  wire [3:0] smaller    = left_mode < above_mode ? left_mode : above_mode;
  wire [3:0] predicted  = no_left || no_above ? 4'd2 : smaller;
  wire [3:0] other      = {1'b0, rem_q} + {3'd0, {1'b0, rem_q} >= predicted};
  wire [3:0] mode       = prev_q ? predicted : other;
  wire       mode_bad   = no_left && NEEDS_LEFT[mode] || no_above && NEEDS_ABOVE[mode] ||
                          b_q == 4'd0 && !above_left && NEEDS_CORNER[mode];
  wire       mode16_bad = i16 && (!left && mode16_q[0] || !above && mode16_q[0] == mode16_q[1] ||
                                  !above_left && mode16_q == 2'd3);

  // The next block.
  wire [4:0] b_next = {1'b0, b_q} + (eight || whole || state_q == CBP ? 5'd4 : 5'd1);
  wire       past   = whole && !pattern || state_q == CODED && !bin_i ||
                      state_q == RESIDUAL && res_last;

  // The QP after mb_qp_delta, whose k_q ones stand for 0, 1, -1, 2, -2...
  wire [7:0] qp_up   = {2'b00, qp_q} + {3'b000, k_q[5:1]} + 8'd1;
  wire [7:0] qp_sum  = k_q[0] ? qp_up : {2'b00, qp_q} - {3'b000, k_q[5:1]};
  wire [5:0] qp_add  = qp_sum[7] ? 6'd52 : qp_sum > 8'd51 ? 6'd12 : 6'd0;  // 12 is -52
  wire [5:0] qp_wrap = qp_sum[5:0] + qp_add;

  t264_parse_control u_control (
    .state_i(state_q), .bin_i(bin_i), .overrun_i(overrun_i), .cut_i(cut_i),
    .abort_o(abort),
    .fail_o(fail), .fail_code_o(fail_code), .state_o(state_d), .enable_o(enable_o),
    .fork_o(fork_o),
    .zero_kind_o(zero_kind_o), .zero_ctx_o(zero_ctx_o),
    .one_kind_o(one_kind_o), .one_ctx_o(one_ctx_o),
    .cfg_i(cfg_valid_i && cfg_ready_o), .set_end_i(set_end_i), .above_ready_i(above_ready_i),
    .reply_valid_i(reply_valid_i), .free_i(free), .ended_i(ended_i),
    .k_i(k_q), .t8_i(t8_q), .diff_i(diff_q), .eight_i(eight), .i16_i(i16), .done_i(done_q),
    .some_i(cbp_q[2:0] != 3'd0), .pattern_i(pattern), .carry_i(b_next[4]), .final_i(final_),
    .mode_bad_i(mode_bad), .mode16_bad_i(mode16_bad), .cat_i(cat), .type_inc_i(type_inc),
    .t8_inc_i(t8_inc), .cbp_inc_i(cbp_inc), .cbp_zero_inc_i(cbp_zero_inc),
    .cbp_one_inc_i(cbp_one_inc), .dc_inc_i(dc_inc), .coded_inc_i(coded_inc),
    .res_sign_i(res_sign), .res_waits_i(res_waits), .res_last_i(res_last), .res_bad_i(res_bad),
    .res_fork_i(res_fork),
    .res_zero_kind_i(res_zero_kind), .res_zero_ctx_i(res_zero_ctx),
    .res_one_kind_i(res_one_kind), .res_one_ctx_i(res_one_ctx)
  );

  t264_parse_place #(
    .FrameMBs(FrameMBs)
  ) u_place (
    .clk_i(clk_i), .load_i(load), .last_x_i(cfg_last_x_i), .last_y_i(cfg_last_y_i),
    .x_i(cfg_x_i), .y_i(cfg_y_i), .next_i(go && state_q == FETCH), .fresh_o(fresh),
    .x_o(x), .y_o(y), .next_x_o(above_read_o), .final_o(final_), .left_o(left),
    .above_o(above), .above_left_o(above_left), .above_right_o(above_right)
  );

  t264_parse_around u_around (
    .clk_i(clk_i), .next_i(go && state_q == WAIT || load), .above_i(reply_word_i),
    .has_left_i(left), .has_above_i(above && !load), .block_i(b_q),
    .eight_i(state_q == BLOCK || eight), .bin_i(bin_i),
    .set_mode_i(go && state_q == MODE), .mode_i(mode), .set_cbp_i(go && state_q == CBP),
    .set_dc_i(go && state_q == CODED && dc_q),
    .set_coded_i(go && (state_q == CODED && !dc_q || whole)),
    .coded_i(state_q == CODED ? bin_i : pattern),
    .set_kind_i(go && state_q == HEADER), .kind_i(kind_q), .pattern_i(cbp_q[0]),
    .word_o(above_word_o), .type_inc_o(type_inc), .t8_inc_o(t8_inc),
    .left_mode_o(left_mode), .above_mode_o(above_mode), .cbp_inc_o(cbp_inc),
    .zero_inc_o(cbp_zero_inc), .one_inc_o(cbp_one_inc), .dc_inc_o(dc_inc),
    .coded_inc_o(coded_inc)
  );

  t264_parse_residual #(
    .Bypass(Bypass)
  ) u_residual (
    .clk_i(clk_i), .start_i(state_q == CODED || state_q == BLOCK),
    .active_i(state_q == RESIDUAL), .step_i(step_i), .bin_i(bin_i), .bins_i(bins_i), .cat_i(cat),
    .sign_o(res_sign), .waits_o(res_waits),
    .zero_kind_o(res_zero_kind), .zero_ctx_o(res_zero_ctx),
    .one_kind_o(res_one_kind), .one_ctx_o(res_one_ctx), .count_o(count_o), .slot_o(res_slot),
    .level_o(res_level), .push_o(res_push), .group_o(res_group), .last_o(res_last),
    .bad_o(res_bad), .fork_o(res_fork)
  );

  // Items.
  wire       in_res = state_q == RESIDUAL;
  wire       empty  = state_q == CODED && !bin_i;
  wire       push   = go && !fail && (state_q == HEADER || state_q == MODES || empty ||
                                      in_res && res_push || state_q == SEND);
  wire [2:0] item   = state_q == HEADER ? 3'd0 : state_q == MODES ? 3'd1 :
                      state_q == SEND ? 3'd4 : dc_q ? 3'd2 : 3'd3;
  wire [`T264_MB_ITEM_BITS-1:0] header;

  assign header[`T264_MB_ITEM_KIND]        = kind_q;
  assign header[`T264_MB_ITEM_MODE]        = mode16_q;
  assign header[`T264_MB_ITEM_CBP]         = cbp_q;
  assign header[`T264_MB_ITEM_QP]          = qp_q;
  assign header[`T264_MB_ITEM_LEFT]        = left;
  assign header[`T264_MB_ITEM_ABOVE]       = above;
  assign header[`T264_MB_ITEM_ABOVE_LEFT]  = above_left;
  assign header[`T264_MB_ITEM_ABOVE_RIGHT] = above_right;
  assign header[`T264_MB_ITEM_FINAL]       = final_;
  assign header[`T264_MB_ITEM_X]           = {{(`T264_MB_ITEM_X_BITS - MBBits) {1'b0}}, x};
  assign header[`T264_MB_ITEM_Y]           = {{(`T264_MB_ITEM_Y_BITS - MBBits) {1'b0}}, y};

  t264_parse_items u_items (
    .clk_i(clk_i), .rst_i(rst_i), .clear_i(load), .free_o(free), .push_i(push), .kind_i(item),
    .block_i(b_q), .tag_i(in_res || empty), .group_i(in_res ? res_group : 4'd0),
    .last_i(in_res ? res_last : empty), .coded_i(in_res),
    .mode_i(go && state_q == MODE), .eight_i(eight), .level_i(go && in_res && res_sign),
    .slot_i(res_slot), .value_i(state_q == MODE ? {4{mode}} : res_level),
    .header_i(header),
    .code_i(code_q), .item_valid_o(item_valid_o), .item_ready_i(item_ready_i),
    .item_kind_o(item_kind_o), .item_block_o(item_block_o), .item_group_o(item_group_o),
    .item_last_o(item_last_o), .item_coded_o(item_coded_o), .item_data_o(item_data_o)
  );

  assign cfg_ready_o   = state_q == IDLE && !item_valid_o;
  assign init_o        = state_q == INIT;
  assign init_qp_o     = qp_q;
  assign above_valid_o = state_q == FETCH;
  assign above_write_o = !fresh;
  assign above_x_o     = x;
  assign reply_ready_o = state_q == WAIT;
  assign start_o       = go && state_q == INIT;
  assign drain_o       = state_q == DRAIN;
  assign error_o       = code_q;

  always @(posedge clk_i) begin
    if (rst_i) begin
      state_q <= IDLE;
      code_q  <= 4'd0;
    end else begin
      if (step_i) state_q <= state_d;
      if (load) code_q <= 4'd0;
      else if (step_i && (abort || fail)) code_q <= fail_code;
    end
  end

  always @(posedge clk_i) begin
    if (load) {qp_q, t8_q, diff_q, k_q} <= {cfg_qp_i, cfg_t8_i, 1'b0, 6'd0};
    if (go) begin
      case (state_q)
        START: k_q <= k_q + 6'd1;
        MB: begin
          {b_q, k_q, kind_q, done_q} <= 13'd0;
          mode16_q <= 2'd0;
        end
        T8: kind_q <= {1'b0, bin_i};
        TYPE3: cbp_q <= {4{bin_i}};
        TYPE6: mode16_q[1] <= bin_i;
        TYPE7: begin
          kind_q <= 2'd2;
          mode16_q[0] <= bin_i;
        end
        PREV: prev_q <= bin_i;
        REM0, REM1, REM2: rem_q <= {bin_i, rem_q[2:1]};
        MODE: b_q <= b_next[3:0];
        CBP: begin
          b_q <= b_next[3:0];
          cbp_q[b_q[3:2]] <= bin_i;
          if (state_d == HEADER) diff_q <= 1'b0;
        end
        QP: if (bin_i) k_q <= k_q + 6'd1;
        QP_SET: {qp_q, diff_q} <= {qp_wrap, k_q != 6'd0};
        HEADER: dc_q <= i16;
        default: ;
      endcase
      if (past && dc_q) dc_q <= 1'b0;
      else if (past) {done_q, b_q} <= b_next;
    end
  end

endmodule

`default_nettype wire
