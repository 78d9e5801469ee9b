// The control of t264_parse, without registers: the next state, and what is
// decoded in it for either value of the bin of this one.
//
// Mirror:     t264/hwdec/parse.go
// Latency:    0
// Throughput: 1 state a cycle
// Storage:    none

`default_nettype none

module t264_parse_control (
  input  wire [4:0] state_i,
  input  wire       bin_i,
  input  wire       overrun_i,
  input  wire       cut_i,           // bins of a group before the last one are beyond the data
  output wire       abort_o,         // the data ended early: whatever is under way ends
  output reg        fail_o,          // this bin or state ends the slice
  output reg  [3:0] fail_code_o,     // the reason, also of abort_o
  output reg  [4:0] state_o,         // the next state
  output reg        enable_o,        // it may come
  output reg  [1:0] zero_kind_o,     // its request
  output reg  [7:0] zero_ctx_o,
  output reg  [1:0] one_kind_o,
  output reg  [7:0] one_ctx_o,
  output wire       fork_o,          // the two differ in the context, or in the end
  input  wire       cfg_i,           // what states wait for
  input  wire       set_end_i,
  input  wire       above_ready_i,
  input  wire       reply_valid_i,
  input  wire       free_i,
  input  wire       ended_i,
  input  wire [5:0] k_i,             // registers of t264_parse
  input  wire       t8_i,
  input  wire       diff_i,
  input  wire       eight_i,
  input  wire       i16_i,
  input  wire       done_i,
  input  wire       some_i,          // a bit of coded_block_pattern 0..2
  input  wire       pattern_i,       // that of the block
  input  wire       carry_i,         // no block follows
  input  wire       final_i,         // nor a macroblock
  input  wire       mode_bad_i,
  input  wire       mode16_bad_i,
  input  wire [1:0] cat_i,
  input  wire [1:0] type_inc_i,      // ctxIdxInc
  input  wire [1:0] t8_inc_i,
  input  wire [1:0] cbp_inc_i,
  input  wire [1:0] cbp_zero_inc_i,
  input  wire [1:0] cbp_one_inc_i,
  input  wire [1:0] dc_inc_i,
  input  wire [1:0] coded_inc_i,
  input  wire       res_sign_i,      // of t264_parse_residual
  input  wire       res_waits_i,
  input  wire       res_last_i,
  input  wire       res_bad_i,
  input  wire       res_fork_i,
  input  wire [1:0] res_zero_kind_i,
  input  wire [7:0] res_zero_ctx_i,
  input  wire [1:0] res_one_kind_i,
  input  wire [7:0] res_one_ctx_i
);

  // States: what is being decoded, or, where nothing is, what is done.
  localparam [4:0] IDLE = 5'd0, INIT = 5'd1, START = 5'd2, FETCH = 5'd3, WAIT = 5'd4, MB = 5'd5;
  localparam [4:0] TYPE = 5'd6, T8 = 5'd7, PCM = 5'd8, TYPE3 = 5'd9, TYPE4 = 5'd10, TYPE6 = 5'd11;
  localparam [4:0] TYPE7 = 5'd12, PREV = 5'd13, REM0 = 5'd14, REM1 = 5'd15, MODE = 5'd17;
  localparam [4:0] CBP = 5'd18, QP = 5'd19, QP_SET = 5'd20, HEADER = 5'd21, MODES = 5'd22;
  localparam [4:0] BLOCK = 5'd23, CODED = 5'd24, RESIDUAL = 5'd25, END = 5'd26, SEND = 5'd27;
  localparam [4:0] DRAIN = 5'd28;

  // Kinds of requests; contexts of t264/hw/dec_order.go; codes of t264/hw/item.go.
  localparam [1:0] NONE = 2'd0, CONTEXT = 2'd1, BYPASS = 2'd2, TERMINATE = 2'd3;
  localparam [5:0] CTX_CBP = 6'h30, CTX_QP = 6'h0f;  // above two bits of ctxIdxInc
  localparam [5:0] CTX_MB_TYPE = 6'h2e, CTX_TYPE = 6'h2b, CTX_T8 = 6'h2a;
  localparam [7:0] CTX_PREV = 8'hab, CTX_REM = 8'h3b, CTX_SIG8 = 8'h0f;
  localparam [3:0] BAD_START = 4'd1, BAD_DATA = 4'd2, BAD_PCM = 4'd3, BAD_CHROMA = 4'd4;
  localparam [3:0] BAD_MODE = 4'd5, BAD_DELTA = 4'd6, BAD_LEVEL = 4'd7, BAD_PICTURE = 4'd8;

  assign abort_o = overrun_i && state_i >= MB && state_i < SEND || cut_i;

  always @* begin
    fail_o      = 1'b0;
    fail_code_o = BAD_DATA;
    if (!abort_o) case (state_i)
      START: {fail_o, fail_code_o} = {bin_i, BAD_START};
      PCM: {fail_o, fail_code_o} = {bin_i, BAD_PCM};
      TYPE4: {fail_o, fail_code_o} = {bin_i, BAD_CHROMA};
      MODE: {fail_o, fail_code_o} = {mode_bad_i, BAD_MODE};
      HEADER: {fail_o, fail_code_o} = {mode16_bad_i, BAD_MODE};
      QP: {fail_o, fail_code_o} = {bin_i && k_i == 6'd52, BAD_DELTA};
      QP_SET: {fail_o, fail_code_o} = {k_i == 6'd51, BAD_DELTA};
      RESIDUAL: {fail_o, fail_code_o} = {res_bad_i, BAD_LEVEL};
      END: {fail_o, fail_code_o} = {!bin_i && final_i, BAD_PICTURE};
      default: ;
    endcase
  end

  always @* begin
    case (state_i)
      START: state_o = k_i == 6'd8 ? FETCH : START;
      TYPE: state_o = bin_i ? PCM : t8_i ? T8 : PREV;
      T8: state_o = PREV;
      TYPE7: state_o = QP;
      PREV: state_o = bin_i ? MODE : REM0;
      MODE: state_o = carry_i ? CBP : PREV;
      CBP: state_o = !carry_i ? CBP : some_i || bin_i ? QP : HEADER;
      QP: state_o = bin_i ? QP : QP_SET;
      HEADER: state_o = i16_i ? CODED : MODES;
      BLOCK: state_o = done_i ? END : !pattern_i ? BLOCK : eight_i ? RESIDUAL : CODED;
      CODED: state_o = bin_i ? RESIDUAL : BLOCK;
      RESIDUAL: state_o = res_last_i ? BLOCK : RESIDUAL;
      END: state_o = bin_i ? SEND : FETCH;
      DRAIN: state_o = IDLE;
      PCM: state_o = TYPE3;
      default: state_o = state_i + 5'd1;
    endcase
    if (fail_o || abort_o) state_o = SEND;
  end

  always @* begin
    case (state_i)
      IDLE: enable_o = cfg_i;
      INIT: enable_o = set_end_i;
      FETCH: enable_o = above_ready_i;
      WAIT: enable_o = reply_valid_i;
      MODE, HEADER, MODES, CODED, SEND: enable_o = free_i;
      RESIDUAL: enable_o = !res_sign_i || free_i && !res_waits_i;
      DRAIN: enable_o = ended_i;
      default: enable_o = 1'b1;
    endcase
  end

  assign fork_o = state_i == TYPE || state_i == CBP && !carry_i ||
                  state_i == RESIDUAL && res_fork_i;

  // What is decoded in the next state, even if it ends the slice. Where the two
  // requests have the same context it is in zero_ctx_o.
  always @* begin
    zero_kind_o = NONE;
    zero_ctx_o  = CTX_PREV;
    one_kind_o  = NONE;
    one_ctx_o   = res_one_ctx_i;
    case (state_i)
      INIT: zero_kind_o = BYPASS;
      START: zero_kind_o = k_i == 6'd8 ? NONE : BYPASS;
      MB: {zero_kind_o, zero_ctx_o} = {CONTEXT, CTX_MB_TYPE, type_inc_i};
      TYPE: begin
        zero_kind_o = CONTEXT;
        if (t8_i) zero_ctx_o = {CTX_T8, t8_inc_i};
        one_kind_o = TERMINATE;
      end
      T8: {zero_kind_o, one_kind_o} = {2{CONTEXT}};
      PCM: {zero_kind_o, zero_ctx_o} = {CONTEXT, CTX_TYPE, 2'd0};
      TYPE3: {zero_kind_o, one_kind_o, zero_ctx_o} = {{2{CONTEXT}}, CTX_TYPE, 2'd1};
      TYPE4: {zero_kind_o, zero_ctx_o} = {CONTEXT, CTX_TYPE, 2'd2};
      TYPE6: {zero_kind_o, one_kind_o, zero_ctx_o} = {{2{CONTEXT}}, CTX_TYPE, 2'd3};
      TYPE7: {zero_kind_o, one_kind_o, zero_ctx_o} = {{2{CONTEXT}}, CTX_QP, 1'b0, diff_i};
      PREV: {zero_kind_o, zero_ctx_o} = {CONTEXT, CTX_REM};
      REM0, REM1: {zero_kind_o, one_kind_o, zero_ctx_o} = {{2{CONTEXT}}, CTX_REM};
      MODE: begin
        zero_kind_o = CONTEXT;
        if (carry_i) zero_ctx_o = {CTX_CBP, cbp_inc_i};
      end
      CBP: begin
        if (!carry_i || some_i) zero_kind_o = CONTEXT;
        one_kind_o = CONTEXT;
        zero_ctx_o = carry_i ? {CTX_QP, 1'b0, diff_i} : {CTX_CBP, cbp_zero_inc_i};
        one_ctx_o  = {CTX_CBP, cbp_one_inc_i};
      end
      QP: begin
        one_kind_o = CONTEXT;
        zero_ctx_o = {CTX_QP, 1'b1, k_i != 6'd0};
      end
      HEADER: begin
        if (i16_i) zero_kind_o = CONTEXT;
        zero_ctx_o = {6'h21, dc_inc_i};
      end
      BLOCK: begin
        zero_kind_o = done_i ? TERMINATE : pattern_i ? CONTEXT : NONE;
        zero_ctx_o  = eight_i ? CTX_SIG8 : {4'hb, 1'b0, !i16_i, coded_inc_i};
      end
      CODED: {one_kind_o, zero_ctx_o} = {CONTEXT, 2'd0, cat_i, 3'd0, cat_i == 2'd1};
      RESIDUAL: {zero_kind_o, zero_ctx_o, one_kind_o} =
          {res_zero_kind_i, res_zero_ctx_i, res_one_kind_i};
      default: ;
    endcase
  end

endmodule

`default_nettype wire
