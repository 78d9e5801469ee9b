// The operations of a transform block but for its sub-blocks (H.265 clauses 7.3.8.4 to
// 7.3.8.11), one a cycle: what its word says, up to the position of the last level, and
// end_of_slice_segment_flag. The word stays until cbf_luma is zero or the position comes.
//
// Mirror:     t265/hwenc/syntax.go
// Latency:    0
// Throughput: 1 operation a cycle
// Storage:    25 bits
// Packing:    BLOCK in (gen/t265_enc_words.vh)

`default_nettype none
`include "t265_enc_words.vh"

module t265_syntax (
  input  wire       clk_i,
  input  wire       rst_i,
  input  wire       start_i,       // a slice may begin
  input  wire       word_valid_i,
  input  wire [`T265_BLOCK_BITS-1:0] word_i,
  output reg        take_o,        // the word goes with the operation
  output wire       coded_o,       // and sub-blocks follow
  output wire       init_valid_o,  // asks for the contexts of a QP
  output wire [5:0] init_qp_o,
  input  wire       set_valid_i,
  input  wire [6:0] set_ctx_i,
  input  wire [6:0] set_value_i,
  input  wire       set_last_i,
  output wire       residual_o,    // the operation is one of the sub-blocks
  input  wire       done_i,        // which leaves, the last one of them
  output wire [1:0] log2_o,        // of their transform block, less 2
  output wire [1:0] scan_o,
  output wire       hide_o,        // sign data hiding
  input  wire       step_i,        // the operation leaves
  output reg        emit_o,        // there is one
  output reg  [1:0] kind_o,
  output reg  [6:0] ctx_o,
  output reg        tail_o,        // a bypass bin behind the context bin
  output reg  [6:0] bits_o
);

  localparam [1:0] CONTEXT = 2'd0, BYPASS = 2'd1, TERMINATE = 2'd2, INIT = 2'd3;
  localparam [3:0] S_FIRST = 4'd0, S_INIT = 4'd1, S_PART = 4'd2, S_PREV = 4'd3, S_MODE = 4'd4;
  localparam [3:0] S_TREE = 4'd5, S_CBF = 4'd6, S_DELTA = 4'd7, S_DELTA_END = 4'd8, S_SKIP = 4'd9;
  localparam [3:0] S_LAST_X = 4'd10, S_LAST_Y = 4'd11, S_SUFFIX = 4'd12, S_RESIDUAL = 4'd13;
  localparam [3:0] S_END = 4'd14;

  // Contexts: see t265/hw/enc_order.go.
  localparam [6:0] QP_DELTA = 7'd22, QP_DELTA_END = 7'd23, CBF = 7'd24, PART_MODE = 7'd26;
  localparam [6:0] PREV_INTRA = 7'd27, SPLIT_TREE = 7'd28, SKIP = 7'd31;

  reg  [3:0] state_q, state_d;
  reg  [3:0] state;  // where a block begins, in place of S_FIRST
  reg  [3:0] n_q;    // bin of an element of several
  reg        again;  // its next bin comes
  reg  [1:0] log2_q;
  reg  [1:0] scan_q;
  reg  [4:0] x_q;
  reg  [4:0] y_q;
  reg        hide_q;
  reg        end_q;  // end_of_slice_segment_flag follows
  reg        last_q;
  reg  [6:0] last_ctx;

  // The word.
  wire       first    = word_i[`T265_BLOCK_INIT];
  wire       unit     = word_i[`T265_BLOCK_UNIT];
  wire       probable = word_i[`T265_BLOCK_PROBABLE];
  wire [4:0] mode     = word_i[`T265_BLOCK_MODE];
  wire [1:0] trees    = word_i[`T265_BLOCK_TREES];
  wire       tree_end = word_i[`T265_BLOCK_TREE_END];
  wire       coded    = word_i[`T265_BLOCK_CODED];
  wire [1:0] delta    = word_i[`T265_BLOCK_DELTA];
  wire [1:0] log2     = word_i[`T265_BLOCK_LOG2];

  wire [3:0] after_unit  = trees != 2'd0 ? S_TREE : S_CBF;
  wire [3:0] begins      = unit ? S_PART : after_unit;
  wire [3:0] after_delta = word_i[`T265_BLOCK_SKIP] ? S_SKIP : S_LAST_X;

  wire       tree_last = n_q[1:0] == trees - 2'd1;
  wire [1:0] tree_inc  = 2'd3 - log2 - trees + {1'b0, tree_end} + n_q[1:0];

  // Prefix and suffix of a coordinate (clause 9.3.3.11): the suffix is its lowest bits.
  reg  [3:0] prefix_x;
  reg  [3:0] prefix_y;
  reg  [1:0] bits_x;
  reg  [1:0] bits_y;
  integer    i;

  always @* begin
    prefix_x = {2'd0, x_q[1:0]};
    prefix_y = {2'd0, y_q[1:0]};
    bits_x   = 2'd0;
    bits_y   = 2'd0;
    for (i = 2; i < 5; i = i + 1) begin
      if (x_q[i]) begin
        prefix_x = {i[2:0], x_q[i-1]};
        bits_x   = i[1:0] - 2'd1;
      end
      if (y_q[i]) begin
        prefix_y = {i[2:0], y_q[i-1]};
        bits_y   = i[1:0] - 2'd1;
      end
    end
  end

  wire [2:0] bits     = {1'b0, bits_x} + {1'b0, bits_y};
  wire [2:0] at       = state_q == S_SUFFIX ? n_q[2:0] + 3'd1 : 3'd0;  // bin of the suffixes
  wire       at_x     = at < {1'b0, bits_x};
  wire [1:0] from_x   = bits_x - at[1:0] - 2'd1;
  wire [2:0] from_y   = bits - at - 3'd1;
  wire       suffix   = at_x ? x_q[{1'b0, from_x}] : y_q[from_y];
  wire [3:0] position = log2_q == 2'd0 ? n_q : {1'b0, n_q[3:1]};
  wire       longest  = n_q == {1'b0, log2_q, 1'b0} + 4'd2;  // the last bin of any prefix

  always @* begin
    case ({log2_q, state_q == S_LAST_Y})
      3'd0: last_ctx = 7'd32;
      3'd1: last_ctx = 7'd38;
      3'd2: last_ctx = 7'd35;
      3'd3: last_ctx = 7'd41;
      3'd4: last_ctx = 7'd71;
      3'd5: last_ctx = 7'd75;
      3'd6: last_ctx = 7'd79;
      default: last_ctx = 7'd84;
    endcase
    last_ctx = last_ctx + {3'd0, position};
  end

  assign coded_o      = coded;
  assign init_valid_o = state_q == S_INIT;
  assign init_qp_o    = word_i[`T265_BLOCK_QP] & {6{init_valid_o}};
  assign residual_o   = state_q == S_RESIDUAL;
  assign log2_o       = log2_q;
  assign scan_o       = scan_q;
  assign hide_o       = hide_q;

  always @* begin
    state = state_q;
    if (state_q == S_FIRST && word_valid_i && !first) state = begins;
  end

  always @* begin
    state_d = state;
    emit_o  = 1'b1;
    kind_o  = CONTEXT;
    ctx_o   = 7'd0;
    tail_o  = 1'b0;
    bits_o  = 7'd0;
    again   = 1'b0;
    take_o  = 1'b0;
    case (state)
      S_FIRST, S_RESIDUAL: emit_o = 1'b0;
      S_INIT: begin
        emit_o = set_valid_i;
        kind_o = INIT;
        ctx_o  = set_ctx_i;
        bits_o = set_value_i;
        if (set_last_i) state_d = begins;
      end
      S_PART: begin
        ctx_o     = PART_MODE;
        bits_o[0] = 1'b1;
        state_d   = S_PREV;
      end
      S_PREV: begin
        ctx_o       = PREV_INTRA;
        tail_o      = 1'b1;
        bits_o[1:0] = {probable ? mode != 5'd0 : mode[4], probable};
        state_d     = probable && mode == 5'd0 ? after_unit : S_MODE;
      end
      S_MODE: begin
        kind_o    = BYPASS;
        tail_o    = 1'b1;
        bits_o[0] = mode[probable ? 3'd1 : {1'b0, ~n_q[1:0]}];
        again     = !probable && n_q[1:0] != 2'd3;
        if (!again) state_d = after_unit;
      end
      S_TREE: begin
        ctx_o     = SPLIT_TREE + {5'd0, tree_inc};
        bits_o[0] = !tree_last || !tree_end;
        again     = !tree_last;
        if (tree_last) state_d = S_CBF;
      end
      S_CBF: begin
        ctx_o     = CBF + {6'd0, word_i[`T265_BLOCK_ROOT]};
        bits_o[0] = coded;
        take_o    = !coded;
        state_d   = !coded ? (word_i[`T265_BLOCK_END_CTU] ? S_END : S_FIRST)
                  : delta != 2'd0 ? S_DELTA : after_delta;
      end
      S_DELTA: begin
        ctx_o     = QP_DELTA;
        bits_o[0] = delta[1];
        state_d   = delta[1] ? S_DELTA_END : after_delta;
      end
      S_DELTA_END: begin
        ctx_o     = QP_DELTA_END;
        tail_o    = 1'b1;
        bits_o[1] = delta[0];
        state_d   = after_delta;
      end
      S_SKIP: begin
        ctx_o     = SKIP;
        bits_o[0] = 1'b1;
        state_d   = S_LAST_X;
      end
      S_LAST_X: begin
        ctx_o     = last_ctx;
        bits_o[0] = n_q < prefix_x;
        again     = bits_o[0] && !longest;
        if (!again) state_d = S_LAST_Y;
      end
      S_LAST_Y: begin
        ctx_o     = last_ctx;
        bits_o[0] = n_q < prefix_y;
        again     = bits_o[0] && !longest;
        if (!again) begin
          tail_o    = bits != 3'd0;
          bits_o[1] = tail_o && suffix;
          state_d   = bits > 3'd1 ? S_SUFFIX : S_RESIDUAL;
        end
      end
      S_SUFFIX: begin
        kind_o    = BYPASS;
        tail_o    = 1'b1;
        bits_o[0] = suffix;
        again     = at != bits - 3'd1;
        if (!again) state_d = S_RESIDUAL;
      end
      default: begin  // S_END
        kind_o    = TERMINATE;
        bits_o[0] = last_q;
        state_d   = S_FIRST;
      end
    endcase
    if (state != S_LAST_X && state_d == S_LAST_X) take_o = 1'b1;
  end

  always @(posedge clk_i) begin
    if (rst_i) state_q <= S_FIRST;
    else if (done_i) state_q <= end_q ? S_END : S_FIRST;
    else if (step_i) state_q <= state_d;
    else if (state_q == S_FIRST && word_valid_i && first && start_i) state_q <= S_INIT;
  end

  always @(posedge clk_i) begin
    if (step_i) n_q <= again ? n_q + 4'd1 : 4'd0;
  end

  always @(posedge clk_i) begin
    if (take_o) begin
      log2_q <= log2;
      scan_q <= word_i[`T265_BLOCK_SCAN];
      x_q    <= word_i[`T265_BLOCK_LAST_X];
      y_q    <= word_i[`T265_BLOCK_LAST_Y];
      hide_q <= word_i[`T265_BLOCK_HIDE];
      end_q  <= word_i[`T265_BLOCK_END_CTU];
      last_q <= word_i[`T265_BLOCK_LAST];
    end
  end

endmodule

`default_nettype wire
