// The control of t265_parse, without registers: the next state, and what is decoded in
// it for either value of the bin of this one.
//
// Mirror:     t265/hwdec/parse.go
// Latency:    0
// Throughput: 1 state a cycle
// Storage:    none

`default_nettype none
`include "t265_dec_words.vh"

module t265_parse_control (
  input  wire [4:0] state_i,
  input  wire       bin_i,
  input  wire       overrun_i,
  input  wire       cut_i,          // bins of a group before the last one are beyond the data
  output wire       abort_o,        // the data ended early: whatever is under way ends
  output reg        fail_o,         // this bin or state ends the slice segment
  output reg  [2:0] fail_code_o,    // the reason, also of abort_o
  output reg  [4:0] state_o,        // the next state
  output reg        enable_o,       // it may come
  output wire [1:0] zero_kind_o,    // its request
  output reg  [6:0] zero_ctx_o,
  output wire [1:0] one_kind_o,
  output wire       fork_o,         // the two differ in the context, or in the end
  input  wire       cfg_i,          // what states wait for
  input  wire       dependent_i,
  input  wire       set_end_i,
  input  wire       above_ready_i,
  input  wire       reply_valid_i,
  input  wire       free_i,
  input  wire       ended_i,
  input  wire [3:0] k_i,            // registers of t265_parse
  input  wire [4:0] value_i,
  input  wire [`T265_TOOLS_HIDE_AT-1:0] tools_i,  // of t265_parse
  input  wire       four_i,
  input  wire       known_i,        // IsCuQpDeltaCoded
  input  wire       more_i,         // another prediction block follows
  input  wire       probable_i,
  input  wire [2:0] log2_i,         // of the node
  input  wire [2:0] unit_i,         // of the coding unit
  input  wire       outside_i,
  input  wire       cut_node_i,
  input  wire [1:0] split_inc_i,
  output wire       splits_o,       // there are split_cu_flags
  output wire       group_o,        // a quantization group begins
  output wire       inferred_o,     // the node of a transform tree is split without a flag
  input  wire       unit_end_i,
  input  wire       ctu_end_i,
  input  wire       final_i,
  input  wire       res_end_i,      // of t265_parse_residual
  input  wire       res_enable_i,
  input  wire       res_fork_i,
  input  wire [1:0] res_zero_kind_i,
  input  wire [6:0] res_zero_ctx_i,
  input  wire [1:0] res_one_kind_i,
  input  wire [6:0] res_first_ctx_i
);

  // States: what is being decoded, or, where nothing is, what is done.
  localparam [4:0] IDLE = 5'd0, INIT = 5'd1, START = 5'd2, FETCH = 5'd3, WAIT = 5'd4, NODE = 5'd5;
  localparam [4:0] SPLIT = 5'd6, UNIT = 5'd7, TRANSQUANT = 5'd8, PART = 5'd9, PCM = 5'd10;
  localparam [4:0] PREV = 5'd11, WHICH = 5'd12, MPM = 5'd13, REM = 5'd14, MODE = 5'd15;
  localparam [4:0] TREE = 5'd16, SPLIT_TRANSFORM = 5'd17, CBF = 5'd18, QP = 5'd19, QP_ONES = 5'd20;
  localparam [4:0] QP_BITS = 5'd21, QP_SIGN = 5'd22, QP_SET = 5'd23, SKIP = 5'd24;
  localparam [4:0] RESIDUAL = 5'd25, HEAD = 5'd26, NEXT = 5'd27, CTU = 5'd28, END = 5'd29;
  localparam [4:0] SEND = 5'd30, DRAIN = 5'd31;

  // Kinds of requests; contexts of t265/hw/dec_order.go; codes of t265/hw/dec_item.go.
  localparam [1:0] NONE = 2'd0, CONTEXT = 2'd1, BYPASS = 2'd2;  // and 3 for an end
  localparam [6:0] CTX_SPLIT32 = 7'd27, CTX_SPLIT16 = 7'd60, CTX_SPLIT8 = 7'd61, CTX_QP = 7'd42;
  localparam [4:0] CTX_SPLIT_CU = 5'b01011;
  localparam [6:0] CTX_PREV = 7'd47, CTX_PART = 7'd58, CTX_SKIP = 7'd59, CTX_TRANSQUANT = 7'd62;
  localparam [2:0] BAD_START = 3'd1, BAD_DATA = 3'd2, BAD_PCM = 3'd3, BAD_BYPASS = 3'd4;
  localparam [2:0] BAD_DELTA = 3'd5, BAD_PICTURE = 3'd6;

  wire [1:0] ctb        = tools_i[`T265_TOOLS_LOG2_CTB];
  wire [2:0] min_cb     = {1'b0, tools_i[`T265_TOOLS_LOG2_MIN_CB]} + 3'd3;
  wire       smallest   = log2_i == min_cb;
  wire [2:0] pcm_log2   = log2_i - 3'd3;
  wire       pcm        = tools_i[`T265_TOOLS_PCM] &&
                          pcm_log2 >= {1'b0, tools_i[`T265_TOOLS_LOG2_MIN_PCM]} &&
                          pcm_log2 <= {1'b0, tools_i[`T265_TOOLS_LOG2_MAX_PCM]};
  wire       transquant = tools_i[`T265_TOOLS_TRANSQUANT_FLAG];
  wire [2:0] depth      = unit_i - log2_i;
  wire [2:0] limit      = tools_i[`T265_TOOLS_DEPTH] + {2'd0, four_i};
  wire       root       = depth == 3'd0;
  wire       flag       = log2_i > {1'b0, tools_i[`T265_TOOLS_LOG2_MIN_TB]} + 3'd2 && depth < limit;
  wire       delta      = tools_i[`T265_TOOLS_QP_DELTA];
  wire       skip       = tools_i[`T265_TOOLS_SKIP] && log2_i == 3'd2;
  wire [2:0] group_log2 = {1'b1, ctb} - {1'b0, tools_i[`T265_TOOLS_QP_DEPTH]};

  assign splits_o   = min_cb != {1'b1, ctb};
  assign inferred_o = log2_i > {1'b0, tools_i[`T265_TOOLS_LOG2_MAX_TB]} + 3'd2 || four_i && root;
  assign group_o    = delta && (state_i == NODE && log2_i == group_log2 ||
                                state_i == UNIT && log2_i > group_log2);

  assign abort_o = overrun_i && state_i >= NODE && state_i < SEND || cut_i;

  wire too_much = {value_i, bin_i} > 6'd22;  // cu_qp_delta_abs, less 4, above 26

  always @* begin
    fail_o      = 1'b0;
    fail_code_o = BAD_DATA;
    if (!abort_o) case (state_i)
      START: {fail_o, fail_code_o} = {bin_i, BAD_START};
      TRANSQUANT: {fail_o, fail_code_o} = {bin_i, BAD_BYPASS};
      PCM: {fail_o, fail_code_o} = {bin_i, BAD_PCM};
      QP_ONES: {fail_o, fail_code_o} = {bin_i && k_i == 4'd4, BAD_DELTA};
      QP_BITS: {fail_o, fail_code_o} = {k_i == 4'd1 && too_much, BAD_DELTA};
      END: {fail_o, fail_code_o} = {!bin_i && final_i, BAD_PICTURE};
      default: ;
    endcase
  end

  wire [4:0] part = smallest ? PART : pcm ? PCM : PREV;
  wire [4:0] res  = skip ? SKIP : RESIDUAL;

  always @* begin
    case (state_i)
      IDLE: state_o = dependent_i ? START : INIT;
      START: state_o = k_i == 4'd8 ? FETCH : START;
      FETCH: state_o = splits_o ? WAIT : NODE;
      NODE: state_o = outside_i ? NEXT : smallest ? UNIT : cut_node_i ? NODE : SPLIT;
      SPLIT: state_o = bin_i ? NODE : UNIT;
      UNIT: state_o = transquant ? TRANSQUANT : part;
      TRANSQUANT: state_o = part;
      PART: state_o = bin_i && pcm ? PCM : PREV;
      PREV: state_o = more_i ? PREV : WHICH;
      WHICH: state_o = probable_i ? MPM : REM;
      MPM: state_o = bin_i && value_i == 5'd0 ? MPM : MODE;
      REM: state_o = k_i == 4'd4 ? MODE : REM;
      MODE: state_o = !probable_i && k_i != 4'd7 ? MODE : more_i ? WHICH : TREE;
      TREE: state_o = inferred_o ? TREE : flag ? SPLIT_TRANSFORM : CBF;
      SPLIT_TRANSFORM: state_o = bin_i ? TREE : CBF;
      CBF: state_o = !bin_i ? HEAD : delta && !known_i ? QP : res;
      QP: state_o = !bin_i ? (k_i == 4'd0 ? QP_SET : QP_SIGN) : k_i == 4'd4 ? QP_ONES : QP;
      QP_ONES: state_o = bin_i ? QP_ONES : k_i == 4'd0 ? QP_SIGN : QP_BITS;
      QP_BITS: state_o = k_i == 4'd1 ? QP_SIGN : QP_BITS;
      QP_SET: state_o = res;
      RESIDUAL: state_o = res_end_i ? NEXT : RESIDUAL;
      NEXT: state_o = ctu_end_i ? CTU : unit_end_i ? NODE : TREE;
      END: state_o = bin_i ? SEND : FETCH;
      DRAIN: state_o = IDLE;
      default: state_o = state_i + 5'd1;  // INIT, WAIT, PCM, QP_SIGN, SKIP, HEAD, CTU, SEND
    endcase
    if (fail_o || abort_o) state_o = SEND;
  end

  always @* begin
    case (state_i)
      IDLE: enable_o = cfg_i;
      INIT: enable_o = set_end_i;
      FETCH: enable_o = free_i && (above_ready_i || !splits_o);
      WAIT: enable_o = reply_valid_i;
      RESIDUAL: enable_o = res_enable_i;
      HEAD, NEXT, CTU, SEND: enable_o = free_i;
      DRAIN: enable_o = ended_i;
      default: enable_o = 1'b1;
    endcase
  end

  assign fork_o = state_i == PART && pcm || state_i == RESIDUAL && res_fork_i;

  // What is decoded in the next state, even if it ends the slice segment. Where the two
  // requests have the same context it is in zero_ctx_o.
  wire [6:0] cbf_ctx = {4'b1000, root, 2'b00};
  wire [6:0] res_ctx = skip ? CTX_SKIP : res_first_ctx_i;

  // An end is asked for in a branch of its own, of one of the kinds that have one, so that the
  // engine knows early whether it reads a context.
  reg  [1:0] zero_kind;
  reg  [1:0] one_kind;
  reg        zero_end;
  wire       one_end = state_i == PART && pcm;

  always @* begin
    zero_kind  = NONE;
    zero_ctx_o = CTX_PREV;
    one_kind   = NONE;
    zero_end   = 1'b0;
    case (state_i)
      IDLE: zero_kind = dependent_i ? BYPASS : NONE;
      INIT: zero_kind = BYPASS;
      START: zero_kind = k_i == 4'd8 ? NONE : BYPASS;
      NODE: begin
        zero_kind  = outside_i || smallest || cut_node_i ? NONE : CONTEXT;
        zero_ctx_o = {CTX_SPLIT_CU, split_inc_i};
      end
      UNIT, TRANSQUANT: begin
        zero_end  = !smallest && pcm && !(state_i == UNIT && transquant);
        zero_kind = zero_end ? NONE : CONTEXT;
        if (smallest) zero_ctx_o = CTX_PART;
        if (state_i == UNIT && transquant) zero_ctx_o = CTX_TRANSQUANT;
      end
      PART: {zero_kind, one_kind} = {CONTEXT, pcm ? NONE : CONTEXT};
      PCM: zero_kind = CONTEXT;
      PREV: {zero_kind, one_kind} = more_i ? {2{CONTEXT}} : {2{NONE}};
      WHICH: zero_kind = BYPASS;
      MPM: one_kind = value_i == 5'd0 ? BYPASS : NONE;
      REM: {zero_kind, one_kind} = k_i == 4'd4 ? {2{NONE}} : {2{BYPASS}};
      TREE: begin
        zero_kind  = inferred_o ? NONE : CONTEXT;
        zero_ctx_o = !flag ? cbf_ctx : !log2_i[0] ? CTX_SPLIT16 :
                     log2_i[2] ? CTX_SPLIT32 : CTX_SPLIT8;
      end
      SPLIT_TRANSFORM: {zero_kind, zero_ctx_o} = {CONTEXT, cbf_ctx};
      CBF: {one_kind, zero_ctx_o} = {CONTEXT, delta && !known_i ? CTX_QP : res_ctx};
      QP: begin
        zero_kind  = k_i == 4'd0 ? NONE : BYPASS;
        one_kind   = k_i == 4'd4 ? BYPASS : CONTEXT;
        zero_ctx_o = CTX_QP + 7'd1;
      end
      QP_ONES, QP_BITS: {zero_kind, one_kind} = {2{BYPASS}};
      QP_SET: {zero_kind, zero_ctx_o} = {CONTEXT, res_ctx};
      SKIP: {zero_kind, one_kind, zero_ctx_o} = {{2{CONTEXT}}, res_first_ctx_i};
      RESIDUAL: {zero_kind, zero_ctx_o, one_kind} =
          {res_zero_kind_i, res_zero_ctx_i, res_one_kind_i};
      CTU: zero_end = 1'b1;
      default: ;
    endcase
  end

  assign zero_kind_o = (zero_kind | {2{zero_end}}) & {2{!abort_o}};
  assign one_kind_o  = (one_kind | {2{one_end}}) & {2{!abort_o}};

endmodule

`default_nettype wire
