// Binarises macroblocks into the operations of an encoder lane (H.264 clauses
// 7.3.5 and 9.3.2), one a cycle. It holds one block of levels (of the DC levels,
// one half) and one level apart, which is under way: when it takes the last level
// of a block it fetches the next, and the operations of that level and a
// coded_block_flag hide the fetch.
//
// Fetches: 0 a macroblock with its DC levels 8..15, 1 the next block of AC levels,
// 2 its DC levels 0..7. Each is answered by load_valid_i, some cycles later.
//
// Mirror:     t264/hwenc/residual.go
// Latency:    1 from the load to the first operation
// Throughput: 1 operation a cycle
// Storage:    290 bits
// Packing:    HEAD in (gen/t264_enc_words.vh); load_levels_i as in t264_residual_levels

`default_nettype none
`include "t264_enc_words.vh"

module t264_residual #(
  parameter Bypass = 4,  // bypass bins a cycle
  parameter Late   = 12  // AC block from which on late_o is high, 1..15
) (
  input  wire                       clk_i,
  input  wire                       rst_i,
  input  wire                       start_i,       // a slice may begin
  input  wire                       avail_i,       // the store holds a macroblock
  output wire                       fetch_valid_o,
  input  wire                       fetch_ready_i,
  output wire [1:0]                 fetch_kind_o,
  input  wire                       load_valid_i,
  input  wire [`T264_HEAD_BITS-1:0] load_head_i,
  input  wire [15:0]                load_mask_i,   // levels not zero; of fetch 2 those below 8
  input  wire [181:0]               load_levels_i,
  output wire                       late_o,        // at most 16 - Late blocks are not fetched yet
  output wire                       init_valid_o,  // asks for the contexts of a QP
  output wire [5:0]                 init_qp_o,
  input  wire                       set_valid_i,
  output wire                       set_ready_o,
  input  wire [6:0]                 set_ctx_i,
  input  wire [6:0]                 set_value_i,
  input  wire                       set_last_i,
  output wire                       out_valid_o,
  input  wire                       out_ready_i,
  output wire [1:0]                 out_kind_o,
  output wire [6:0]                 out_ctx_o,
  output wire [2:0]                 out_count_o,
  output wire [6:0]                 out_bits_o
);

  generate
    if (Late < 1 || Late > 15) begin : gen_illegal_late
      illegal_Late_is_not_1_to_15 u_illegal ();
    end
  endgenerate

  localparam [1:0] CONTEXT = 2'd0, BYPASS = 2'd1, TERMINATE = 2'd2, INIT = 2'd3;
  localparam [3:0] S_HEAD = 4'd0, S_INIT = 4'd1, S_MB = 4'd2, S_AC = 4'd3, S_SIG = 4'd4;
  localparam [3:0] S_LAST = 4'd5, S_ONE = 4'd6, S_MORE = 4'd7, S_PREFIX = 4'd8, S_SUFFIX = 4'd9;
  localparam [3:0] S_END = 4'd10;

  // Contexts, by the upper bits of their index in a lane: see t264/hwenc/binarise.go.
  localparam [1:0] SIG = 2'd0, LAST = 2'd1, ABS = 2'd2;
  localparam [4:0] CODED_AC = 5'd23;  // laneCoded + laneAC, / 4

  localparam [31:0] LATE32 = Late;
  localparam [4:0]  LATE   = LATE32[4:0];

  reg  [3:0] state_q, state_d;
  reg        emit;        // the state has an operation
  reg  [1:0] kind;
  reg  [2:0] count;
  reg  [6:0] word, ctx;
  reg        map_ends;    // with this operation
  reg        level_ends;
  reg        valid_q;
  reg [18:0] op_q;
  reg        ac_q;        // the DC block is done
  reg        late_q;

  wire free       = !valid_q || out_ready_i;  // the output register is free after this edge
  wire step       = free && emit;
  wire map_done   = step && map_ends;
  wire level_done = step && level_ends;

  assign out_valid_o = valid_q;
  assign {out_kind_o, out_ctx_o, out_count_o, out_bits_o} = op_q;
  assign late_o       = late_q;
  assign init_valid_o = state_q == S_INIT;
  assign init_qp_o    = mag[5:0] & {6{init_valid_o}};
  assign set_ready_o  = init_valid_o && free;

  // The macroblock.
  wire        head;  // the load is of a macroblock
  wire        terminate;
  wire [6:0]  head_ctx;
  wire        head_bin;
  wire        head_ends;
  wire        dc_coded;
  wire [15:0] coded;
  wire [3:0]  block;
  wire [1:0]  inc;
  wire        last;
  wire        rest;
  wire [12:0] mag;

  wire some   = coded != 16'd0;
  wire end_dc = !dc_coded || level_done && !rest;
  wire end_ac = step && state_q == S_AC && !coded[0] || level_done && ac_q && !rest;
  wire end_mb = step && state_q == S_END;

  t264_residual_head u_head (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .load_i     (head),
    .load_head_i(load_head_i),
    .load_dc_i  (load_mask_i != 16'd0),
    .step_i     (step && state_q == S_MB),
    .next_i     (end_ac),
    .terminate_o(terminate),
    .ctx_o      (head_ctx),
    .bin_o      (head_bin),
    .ends_o     (head_ends),
    .dc_coded_o (dc_coded),
    .coded_o    (coded),
    .block_o    (block),
    .inc_o      (inc),
    .last_o     (last)
  );

  always @(posedge clk_i) begin
    if (rst_i || end_mb || end_ac && {1'b0, block} + 5'd1 == LATE) late_q <= 1'b1;
    else if (head) late_q <= 1'b0;
  end

  always @(posedge clk_i) begin
    if (head) ac_q <= 1'b0;
    else if (end_dc) ac_q <= 1'b1;
  end

  // The levels.
  wire [15:0] mask;
  wire [3:0]  top;
  wire        under;
  wire [3:0]  abs_inc;
  wire        sign;

  t264_residual_levels u_levels (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .avail_i      (avail_i && (!last || start_i)),
    .idle_i       (state_q == S_HEAD),
    .coded_i      (coded),
    .fetch_valid_o(fetch_valid_o),
    .fetch_ready_i(fetch_ready_i),
    .fetch_kind_o (fetch_kind_o),
    .load_valid_i (load_valid_i),
    .load_head_o  (head),
    .load_qp_i    (load_head_i[`T264_HEAD_QP]),
    .load_mask_i  (load_mask_i),
    .load_levels_i(load_levels_i),
    .ac_i         (ac_q),
    .one_i        (state_q == S_ONE),
    .map_done_i   (map_done),
    .level_done_i (level_done),
    .escape_i     (step && state_q == S_MORE && state_d == S_PREFIX),
    .mask_o       (mask),
    .top_o        (top),
    .under_o      (under),
    .rest_o       (rest),
    .mag_o        (mag),
    .sign_o       (sign),
    .abs_inc_o    (abs_inc)
  );

  // The suffix of a level.
  wire       merged;
  wire       group_ends;
  wire [2:0] group_bins;
  wire [6:0] prefix;
  wire [6:0] suffix;

  t264_residual_suffix #(
    .Bypass(Bypass)
  ) u_suffix (
    .clk_i   (clk_i),
    .step_i  (step),
    .first_i (state_d != state_q),
    .mag_i   (mag),
    .sign_i  (sign),
    .merged_o(merged),
    .end_o   (group_ends),
    .count_o (group_bins),
    .prefix_o(prefix),
    .suffix_o(suffix)
  );

  // Position in the map, or the magnitude that the next bin is about.
  reg  [3:0] k_q;

  wire more = mag != {9'd0, k_q};

  always @(posedge clk_i) begin
    if (step) begin
      case (state_q)
        S_MB: k_q <= 4'd0;
        S_AC: k_q <= 4'd1;
        S_SIG: if (!word[0]) k_q <= k_q + 4'd1;
        default: k_q <= k_q + 4'd1;
      endcase
    end
    if (map_done || level_done) k_q <= 4'd1;
  end

  // Operations.
  wire [3:0] after_block = block == 4'd15 ? S_END : S_AC;
  wire [3:0] after_dc    = some ? S_AC : S_END;
  wire [3:0] after_level = rest ? S_ONE : ac_q ? after_block : after_dc;

  always @* begin
    state_d    = state_q;
    emit       = 1'b1;
    kind       = CONTEXT;
    ctx        = 7'd0;
    count      = 3'd0;
    word       = 7'd0;
    map_ends   = 1'b0;
    level_ends = 1'b0;
    case (state_q)
      S_HEAD: emit = 1'b0;
      S_INIT: begin
        emit = set_valid_i;
        kind = INIT;
        ctx  = set_ctx_i;
        word = set_value_i;
        if (set_last_i) state_d = S_MB;
      end
      S_MB: begin
        if (terminate) kind = TERMINATE;
        ctx  = head_ctx;
        word = {6'd0, head_bin};
        if (head_ends) state_d = dc_coded ? S_SIG : after_dc;
      end
      S_AC: begin
        ctx     = {CODED_AC, inc};
        word    = {6'd0, coded[0]};
        state_d = coded[0] ? S_SIG : after_block;
      end
      S_SIG: begin
        emit     = mask != 16'd0;
        ctx      = {SIG, ac_q, k_q};
        word     = {6'd0, mask[k_q]};
        state_d  = mask[k_q] ? S_LAST : k_q == 4'd14 ? S_ONE : S_SIG;
        map_ends = !mask[k_q] && k_q == 4'd14;
      end
      S_LAST: begin
        ctx      = {LAST, ac_q, k_q};
        word     = {6'd0, k_q == top};
        map_ends = k_q == top || k_q == 4'd14;
        state_d  = map_ends ? S_ONE : S_SIG;
      end
      S_ONE, S_MORE: begin
        emit       = under;
        ctx        = {ABS, ac_q, abs_inc};
        word       = {5'd0, sign && !more, more};
        count      = {2'd0, !more};
        state_d    = !more ? after_level : k_q == 4'd14 ? S_PREFIX : S_MORE;
        level_ends = !more;
      end
      S_PREFIX: begin
        kind       = BYPASS;
        count      = group_bins;
        word       = prefix;
        state_d    = merged ? after_level : group_ends ? S_SUFFIX : S_PREFIX;
        level_ends = merged;
      end
      S_SUFFIX: begin
        kind       = BYPASS;
        count      = group_bins;
        word       = suffix;
        state_d    = group_ends ? after_level : S_SUFFIX;
        level_ends = group_ends;
      end
      default: begin  // S_END
        kind    = TERMINATE;
        word    = {6'd0, last};
        state_d = S_HEAD;
      end
    endcase
  end

  always @(posedge clk_i) begin
    if (rst_i) state_q <= S_HEAD;
    else if (head) state_q <= !load_head_i[`T264_HEAD_LEFT] && !load_head_i[`T264_HEAD_ABOVE]
                         ? S_INIT : S_MB;
    else if (step) state_q <= state_d;
  end

  always @(posedge clk_i) begin
    if (rst_i) valid_q <= 1'b0;
    else if (free) valid_q <= emit;
  end

  always @(posedge clk_i) begin
    if (step) op_q <= {kind, ctx, count, word};
  end

endmodule

`default_nettype wire
