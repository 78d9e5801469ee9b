// Parses slice segment data (H.265 clause 7.3.8) with a decoder engine into items: all
// of a monochrome intra slice but PCM samples and cu_transquant_bypass_flag. In each
// cycle it knows what is to be decoded next for either value of the bin.
//
// Mirror:     t265/hwdec/parse.go
// Latency:    0 from a bin to the next request, 1 to an item
// Throughput: 1 request a cycle; see t265_parse_residual
// Storage:    97 bits, and those of its units
// Packing:    items as t265/hw/dec_item.go says, tools as gen/t265_dec_words.vh

`default_nettype none
`include "t265_dec_words.vh"

module t265_parse #(
  parameter FrameCTUs = 64,  // widest and highest picture in CTUs, 2..1024
  parameter MaxCTU    = 64,  // largest CTU, 16, 32 or 64
  parameter Bypass    = 4,   // bypass bins a cycle of signs and levels, 1..4
  parameter CTUBits   = FrameCTUs > 1 ? $clog2(FrameCTUs) : 1  // bits of a column or row
) (
  input  wire                        clk_i,
  input  wire                        rst_i,
  input  wire                        cfg_valid_i,     // a slice segment
  output wire                        cfg_ready_o,
  input  wire [CTUBits-1:0]          cfg_last_x_i,    // last CTU of the picture
  input  wire [CTUBits-1:0]          cfg_last_y_i,
  input  wire [3:0]                  cfg_part_x_i,    // what the picture has of it
  input  wire [3:0]                  cfg_part_y_i,
  input  wire [CTUBits-1:0]          cfg_x_i,         // first CTU of the slice segment
  input  wire [CTUBits-1:0]          cfg_y_i,
  input  wire [5:0]                  cfg_qp_i,
  input  wire                        cfg_dependent_i,
  input  wire [`T265_TOOLS_BITS-1:0] cfg_tools_i,
  output wire                        init_o,          // asks for the contexts
  output wire [5:0]                  init_qp_o,
  input  wire                        set_end_i,       // the last of them is there
  output wire                        above_valid_o,   // asks for the above word at above_read_o,
  input  wire                        above_ready_i,
  output wire                        above_write_o,   // after above_word_o goes to above_x_o
  output wire [CTUBits-1:0]          above_x_o,
  output wire [CTUBits-1:0]          above_read_o,
  output wire [MaxCTU/4-1:0]         above_word_o,
  input  wire                        reply_valid_i,
  output wire                        reply_ready_o,
  input  wire [MaxCTU/4-1:0]         reply_word_i,
  output wire                        enable_o,        // to the engine, and from it
  input  wire                        step_i,
  input  wire                        bin_i,           // where one is asked for
  input  wire [Bypass-1:0]           bins_i,          // of signs and levels
  output wire                        start_o,
  output wire                        drain_o,
  input  wire                        ended_i,
  input  wire                        overrun_i,
  input  wire                        cut_i,
  output wire                        fork_o,
  output wire [1:0]                  zero_kind_o,
  output wire [6:0]                  zero_ctx_o,
  output wire [2:0]                  zero_count_o,
  output wire [1:0]                  one_kind_o,
  output wire [1:0]                  one_set_o,
  output wire [2:0]                  one_count_o,
  output wire                        item_valid_o,
  input  wire                        item_ready_i,
  output wire [9:0]                  item_tag_o,
  output wire [63:0]                 item_data_o,
  output wire [2:0]                  error_o          // code of the last slice, if it ended early
);

  localparam XY_BITS = $clog2(MaxCTU) - 2;

  generate
    if (FrameCTUs < 2 || FrameCTUs > 1024) begin : gen_illegal_framectus
      illegal_FrameCTUs_is_not_2_to_1024 u_illegal ();
    end
    if (MaxCTU != 16 && MaxCTU != 32 && MaxCTU != 64) begin : gen_illegal_maxctu
      illegal_MaxCTU_is_not_16_32_or_64 u_illegal ();
    end
    if (Bypass < 1 || Bypass > 4) begin : gen_illegal_bypass
      illegal_Bypass_is_not_1_to_4 u_illegal ();
    end
  endgenerate

  // States, as in t265_parse_control.
  localparam [4:0] IDLE = 5'd0, INIT = 5'd1, START = 5'd2, FETCH = 5'd3, WAIT = 5'd4, NODE = 5'd5;
  localparam [4:0] SPLIT = 5'd6, UNIT = 5'd7, PART = 5'd9, PREV = 5'd11, WHICH = 5'd12, MPM = 5'd13;
  localparam [4:0] REM = 5'd14, MODE = 5'd15, TREE = 5'd16, SPLIT_TRANSFORM = 5'd17, CBF = 5'd18;
  localparam [4:0] QP = 5'd19, QP_ONES = 5'd20, QP_BITS = 5'd21, QP_SIGN = 5'd22, QP_SET = 5'd23;
  localparam [4:0] SKIP = 5'd24, RESIDUAL = 5'd25, HEAD = 5'd26, NEXT = 5'd27, CTU = 5'd28;
  localparam [4:0] SEND = 5'd30, DRAIN = 5'd31;

  reg [4:0]                  state_q;
  reg [`T265_TOOLS_BITS-1:0] tools_q;
  reg [3:0]                  k_q;      // bins of ivlOffset, of a mode or of cu_qp_delta_abs
  reg [2:0]                  code_q;
  reg                        four_q;   // PART_NxN
  reg [1:0]                  b_q;      // prediction block
  reg [3:0]                  prev_q;   // prev_intra_luma_pred_flag
  reg [23:0]                 mode_q;   // IntraPredModeY of the prediction blocks
  reg [4:0]                  value_q;  // mpm_idx, rem_intra_luma_pred_mode, cu_qp_delta_abs
  reg [5:0]                  qp_q;     // QpY
  reg                        known_q;  // IsCuQpDeltaCoded
  reg                        minus_q;  // cu_qp_delta_sign_flag
  reg                        coded_q;  // cbf_luma
  reg                        skip_q;   // transform_skip_flag

  wire [1:0] log2_ctb = tools_q[`T265_TOOLS_LOG2_CTB];

  wire       abort, fail;
  wire [2:0] fail_code;
  wire [4:0] state_d;
  wire       go   = step_i && !abort;
  wire       load = go && state_q == IDLE && !cfg_dependent_i;

  // Place and node.
  wire fresh, final_, next_left, above, free;
  wire [`T265_DEC_HEAD_BITS-1:0] ctu;
  wire [3:0] right, bottom;
  wire [2:0] log2, unit;
  wire [XY_BITS-1:0] node_x, node_y, unit_x, unit_y, part_x, part_y;
  wire [1:0] quarter;
  wire outside, cut_node, unit_end, ctu_end;

  wire more = four_q && b_q != 2'd3;
  wire splits, group, inferred;

  // Modes and QPs.
  wire [1:0] split_inc;
  wire [5:0] left_mode, above_mode, predicted, qp_new, mode;
  wire       mode_end = state_q == MODE && (prev_q[b_q] || k_q == 4'd7);
  wire [1:0] at       = quarter & {2{four_q}};
  wire [5:0] tu_mode  = mode_q[6*at +: 6];
  wire [1:0] scan;
  reg  [1:0] scan_q;  // of the node of the cycle before, which is that of a residual
  wire [1:0] log2_tu  = log2[1:0] - 2'd2;

  // Residual.
  wire        res_enable, res_head, res_end, res_fork, res_push;
  wire [1:0]  res_zero_kind, res_one_kind, res_group;
  wire [6:0]  res_first_ctx, res_zero_ctx;
  wire [2:0]  res_zero_count, res_one_count;
  wire [3:0]  res_set;
  wire [63:0] res_levels;
  wire [5:0]  res_sub;
  wire        in_res = state_q == RESIDUAL;

  t265_parse_control u_control (
    .state_i(state_q), .bin_i(bin_i), .overrun_i(overrun_i), .cut_i(cut_i), .abort_o(abort),
    .fail_o(fail), .fail_code_o(fail_code), .state_o(state_d), .enable_o(enable_o),
    .zero_kind_o(zero_kind_o), .zero_ctx_o(zero_ctx_o), .one_kind_o(one_kind_o), .fork_o(fork_o),
    .cfg_i(cfg_valid_i && cfg_ready_o), .dependent_i(cfg_dependent_i), .set_end_i(set_end_i),
    .above_ready_i(above_ready_i), .reply_valid_i(reply_valid_i), .free_i(free), .ended_i(ended_i),
    .k_i(k_q), .value_i(value_q), .tools_i(tools_q[`T265_TOOLS_HIDE_AT-1:0]), .four_i(four_q),
    .known_i(known_q), .more_i(more), .probable_i(prev_q[b_q]), .log2_i(log2), .unit_i(unit),
    .outside_i(outside), .cut_node_i(cut_node), .split_inc_i(split_inc), .splits_o(splits),
    .group_o(group), .inferred_o(inferred), .unit_end_i(unit_end), .ctu_end_i(ctu_end),
    .final_i(final_), .res_end_i(res_end), .res_enable_i(res_enable),
    .res_fork_i(res_fork), .res_zero_kind_i(res_zero_kind), .res_zero_ctx_i(res_zero_ctx),
    .res_one_kind_i(res_one_kind), .res_first_ctx_i(res_first_ctx)
  );

  t265_parse_place #(
    .FrameCTUs(FrameCTUs)
  ) u_place (
    .clk_i(clk_i), .load_i(load), .last_x_i(cfg_last_x_i), .last_y_i(cfg_last_y_i),
    .part_x_i(cfg_part_x_i), .part_y_i(cfg_part_y_i), .x_i(cfg_x_i), .y_i(cfg_y_i),
    .log2_i(log2_ctb), .next_i(go && state_q == FETCH), .fresh_o(fresh), .x_o(above_x_o),
    .next_x_o(above_read_o), .next_left_o(next_left), .final_o(final_), .above_o(above),
    .right_o(right), .bottom_o(bottom), .strong_i(tools_q[`T265_TOOLS_STRONG]), .head_o(ctu)
  );

  t265_parse_node #(
    .MaxCTU(MaxCTU)
  ) u_node (
    .clk_i(clk_i), .ctb_i(log2_ctb), .start_i(go && state_q == FETCH),
    .quarter_i(go && (state_q == NODE && state_d == NODE || state_q == SPLIT && bin_i ||
                      state_q == TREE && inferred || state_q == SPLIT_TRANSFORM && bin_i)),
    .unit_i(go && (state_q == NODE && outside || state_q == UNIT)),
    .next_i(go && state_q == NEXT && !ctu_end), .four_i(four_q), .b_i(b_q), .right_i(right),
    .bottom_i(bottom), .log2_o(log2), .unit_o(unit), .x_o(node_x), .y_o(node_y),
    .unit_x_o(unit_x), .unit_y_o(unit_y), .part_x_o(part_x), .part_y_o(part_y),
    .quarter_o(quarter), .outside_o(outside), .cut_o(cut_node), .unit_end_o(unit_end),
    .ctu_end_o(ctu_end)
  );

  t265_parse_around #(
    .MaxCTU(MaxCTU)
  ) u_around (
    .clk_i(clk_i), .next_i(go && state_q == FETCH), .left_i(next_left),
    .load_i(go && state_q == WAIT || load), .has_above_i(above && !load), .above_i(reply_word_i),
    .word_o(above_word_o), .x_i(node_x), .y_i(node_y), .depth_i(log2_ctb - log2[1:0]),
    .qp_i(qp_q), .split_inc_o(split_inc), .predicted_o(predicted), .mode_x_i(part_x),
    .mode_y_i(part_y), .left_mode_o(left_mode), .above_mode_o(above_mode),
    .set_mode_i(go && mode_end), .mode_log2_i(unit - 3'd2 - {2'd0, four_q}), .mode_i(mode),
    .set_unit_i(go && state_q == NEXT && unit_end), .unit_x_i(unit_x), .unit_y_i(unit_y),
    .unit_log2_i(unit - 3'd2), .unit_depth_i(log2_ctb - unit[1:0])
  );

  t265_parse_mode u_mode (
    .left_i(left_mode), .above_i(above_mode), .probable_i(prev_q[b_q]), .value_i(value_q),
    .guess_i(mode_q[6*b_q +: 6]), .mode_o(mode),
    .tu_mode_i(tu_mode), .tu_large_i(log2[2]), .scan_o(scan)
  );

  t265_parse_qp u_qp (.predicted_i(qp_q), .delta_i(value_q), .minus_i(minus_q), .qp_o(qp_new));

  t265_parse_residual #(
    .Bypass(Bypass)
  ) u_residual (
    .clk_i(clk_i), .active_i(in_res), .abort_i(abort), .step_i(step_i), .bin_i(bin_i),
    .bins_i(bins_i), .log2_i(log2_tu), .scan_i(scan_q), .hide_i(tools_q[`T265_TOOLS_HIDE]),
    .free_i(free), .first_ctx_o(res_first_ctx), .enable_o(res_enable), .head_o(res_head),
    .end_o(res_end), .fork_o(res_fork), .zero_kind_o(res_zero_kind), .zero_ctx_o(res_zero_ctx),
    .zero_count_o(res_zero_count), .one_kind_o(res_one_kind), .one_set_o(one_set_o),
    .one_count_o(res_one_count), .set_o(res_set), .levels_o(res_levels), .push_o(res_push),
    .sub_o(res_sub), .group_o(res_group)
  );

  assign {zero_count_o, one_count_o} = in_res ? {res_zero_count, res_one_count} : {2{3'd1}};

  // Items.
  wire head = state_q == HEAD || in_res && res_head;
  wire [`T265_DEC_HEAD_BITS-1:0] word;

  assign word[`T265_DEC_HEAD_X]           = {{(4 - XY_BITS) {1'b0}}, node_x};
  assign word[`T265_DEC_HEAD_Y]           = {{(4 - XY_BITS) {1'b0}}, node_y};
  assign word[`T265_DEC_HEAD_LOG2]        = log2_tu;
  assign word[`T265_DEC_HEAD_MODE]        = tu_mode;
  assign word[`T265_DEC_HEAD_SCAN]        = scan;
  assign word[`T265_DEC_HEAD_QP]          = qp_q & {6{coded_q}};
  assign word[`T265_DEC_HEAD_CODED]       = coded_q;
  assign word[`T265_DEC_HEAD_SKIP]        = skip_q;
  assign word[`T265_DEC_HEAD_BITS-1:`T265_DEC_HEAD_CTUX_AT] =
      ctu[`T265_DEC_HEAD_BITS-1:`T265_DEC_HEAD_CTUX_AT];

  t265_parse_items u_items (
    .clk_i(clk_i), .rst_i(rst_i), .free_o(free),
    .push_i(res_push || go && (head || state_q == CTU || state_q == SEND)),
    .kind_i(state_q == CTU ? 2'd2 : state_q == SEND ? 2'd3 : {1'b0, !head}), .sub_i(res_sub),
    .group_i(res_group), .set_i(res_set), .levels_i(res_levels), .head_i(word),
    .ctu_i(ctu), .code_i(code_q), .item_valid_o(item_valid_o), .item_ready_i(item_ready_i),
    .item_tag_o(item_tag_o), .item_data_o(item_data_o)
  );

  assign cfg_ready_o   = state_q == IDLE && !item_valid_o;
  assign init_o        = state_q == INIT;
  assign init_qp_o     = qp_q;
  assign above_valid_o = state_q == FETCH && splits;
  assign above_write_o = !fresh;
  assign reply_ready_o = state_q == WAIT;
  assign start_o       = go && (state_q == INIT || state_q == IDLE && cfg_dependent_i);
  assign drain_o       = state_q == DRAIN;
  assign error_o       = code_q;
  always @(posedge clk_i) begin
    if (rst_i) begin
      state_q <= IDLE;
      code_q  <= 3'd0;
    end else begin
      if (step_i) state_q <= state_d;
      if (go && state_q == IDLE) code_q <= 3'd0;
      else if (step_i && (abort || fail)) code_q <= fail_code;
    end
  end

  always @(posedge clk_i) begin
    scan_q <= scan;
    if (load) tools_q <= cfg_tools_i;
    if (load) qp_q <= cfg_qp_i;
    else if (go && group) qp_q <= predicted;
    else if (go && state_q == QP_SET) qp_q <= qp_new;
    if (go && (group || state_q == QP_SET)) known_q <= !group;
    if (go) begin
      case (state_q)
        IDLE: k_q <= 4'd0;
        START: k_q <= k_q + 4'd1;
        UNIT: {four_q, b_q} <= 3'd0;
        PART: four_q <= !bin_i;
        PREV: begin
          prev_q[b_q] <= bin_i;
          b_q <= more ? b_q + 2'd1 : 2'd0;
        end
        WHICH: {k_q, value_q} <= 9'd0;
        MPM: value_q <= value_q + {4'd0, bin_i};
        REM: begin
          {k_q, value_q}     <= {k_q + 4'd1, value_q[3:0], bin_i};
          mode_q[6*b_q +: 6] <= {1'b0, value_q[3:0], bin_i};
        end
        MODE: begin
          k_q <= k_q + 4'd1;
          mode_q[6*b_q +: 6] <= mode;
          if (mode_end && more) b_q <= b_q + 2'd1;
        end
        CBF: {coded_q, skip_q, k_q, value_q, minus_q} <= {bin_i, 11'd0};
        QP:
          if (bin_i) {k_q, value_q} <= k_q == 4'd4 ? {4'd0, 5'd1} : {k_q + 4'd1, value_q};
          else value_q <= {1'b0, k_q};
        QP_ONES:
          if (bin_i) k_q <= k_q + 4'd1;
          else if (k_q == 4'd0) value_q <= 5'd5;
        QP_BITS:
          {k_q, value_q} <= {k_q - 4'd1, {value_q[3:0], bin_i} + (k_q == 4'd1 ? 5'd4 : 5'd0)};
        QP_SIGN: minus_q <= bin_i;
        SKIP: skip_q <= bin_i;
        default: ;
      endcase
    end
  end

endmodule

`default_nettype wire
