// The operations of sub-blocks (H.265 clause 7.3.8.11), one a cycle: coded_sub_block_flag,
// sig_coeff_flag, the greater flags, and then groups of bypass bins. It holds the flags
// of one sub-block, which are free for the next once their last context bin leaves.
//
// Mirror:     t265/hwenc/residual.go
// Latency:    0
// Throughput: 1 operation a cycle
// Storage:    70 bits
// Packing:    SUB in (gen/t265_enc_words.vh)

`default_nettype none
`include "t265_enc_words.vh"

module t265_residual (
  input  wire        clk_i,
  input  wire        rst_i,
  input  wire [1:0]  log2_i,         // of the transform block, less 2
  input  wire [1:0]  scan_i,         // its scanIdx
  input  wire        begin_i,        // it begins
  input  wire        load_i,         // a sub-block comes in
  input  wire [`T265_SUB_BITS-1:0] load_word_i,
  output wire        has_o,          // it may not
  output wire        frees_o,        // but with this operation
  output wire [15:0] greater_o,      // the flags
  output wire [15:0] sign_o,
  input  wire        step_i,         // the operation leaves
  output reg         emit_o,         // there is one
  output wire        bypass_o,       // of bypass bins, not one with a context
  output reg  [6:0]  ctx_o,
  output wire [2:0]  count_o,
  output reg  [6:0]  bits_o,
  output wire        done_o,         // the last one of the transform block
  input  wire        group_valid_i,
  output wire        group_ready_o,  // with step_i
  input  wire [2:0]  group_count_i,
  input  wire [6:0]  group_bits_i,
  input  wire        group_last_i
);

  localparam [2:0] S_SUB = 3'd0, S_SIG = 3'd1, S_GREATER1 = 3'd2, S_GREATER2 = 3'd3;
  localparam [2:0] S_RUN = 3'd4, S_CODED = 3'd5;

  // Contexts: see t265/hw/enc_order.go.
  localparam [6:0] GREATER2 = 7'd16, CODED = 7'd20, SIG = 7'd44;

  reg  [2:0]  state_q, state_d;
  reg  [2:0]  state;     // S_CODED and others in place of S_SUB
  reg         has_q;
  reg  [15:0] flags_q;   // not zero
  reg  [15:0] greater_q;
  reg  [15:0] sign_q;
  reg         two_q;
  reg  [1:0]  around_q;
  reg         dc_q;
  reg         top_q;
  reg  [15:0] mask_q;    // flags_q less the levels whose greater flag is coded
  reg  [3:0]  k_q;       // scan position of the next sig_coeff_flag
  reg  [2:0]  count_q;   // coeff_abs_level_greater1_flag so far
  reg  [1:0]  inc_q;     // greater1Ctx
  reg         any_q;     // one of them was one
  reg         before_q;  // of the sub-block before
  reg         more_q;    // a sub-block comes after the bypass bins
  reg         frees;
  reg         done;
  reg  [3:0]  high;      // the last one of mask_q
  reg  [15:0] one;       // its bit
  reg  [3:0]  load_top;
  integer     i;

  wire [15:0] load_mask = load_word_i[`T265_SUB_MASK];
  wire        single    = flags_q == 16'd1;
  wire        greater   = greater_q[high];
  wire [1:0]  set       = {!dc_q, before_q};
  wire [4:0]  sig_inc;

  assign has_o         = has_q;
  assign frees_o       = frees;
  assign greater_o     = greater_q;
  assign sign_o        = sign_q;
  assign bypass_o      = state_q == S_RUN;
  assign count_o       = bypass_o ? group_count_i : 3'd0;
  assign done_o        = done;
  assign group_ready_o = bypass_o;

  t265_sig u_sig (
    .log2_i  (log2_i),
    .scan_i  (scan_i),
    .later_i (!dc_q),
    .around_i(around_q),
    .k_i     (k_q),
    .inc_o   (sig_inc)
  );

  always @* begin
    high     = 4'd0;
    load_top = 4'd1;  // a last level at position 0 has no sig_coeff_flag before it
    for (i = 1; i < 16; i = i + 1) begin
      if (mask_q[i]) high = i[3:0];
    end
    for (i = 2; i < 16; i = i + 1) begin
      if (load_mask[i]) load_top = i[3:0];
    end
    one       = 16'd0;
    one[high] = 1'b1;
  end

  always @* begin
    state = state_q;
    if (state_q == S_SUB) state = top_q && single ? S_GREATER1 : top_q || dc_q ? S_SIG : S_CODED;
  end

  always @* begin
    state_d = state;
    emit_o  = has_q;
    ctx_o   = 7'd0;
    bits_o  = 7'd0;
    frees   = 1'b0;
    done    = 1'b0;
    case (state)
      S_CODED: begin
        ctx_o     = CODED + {6'd0, around_q != 2'd0};
        bits_o[0] = flags_q != 16'd0;
        frees     = flags_q == 16'd0;
        state_d   = frees ? S_SUB : S_SIG;
      end
      S_SIG: begin
        ctx_o     = SIG + {2'd0, sig_inc};
        bits_o[0] = flags_q[k_q];
        if (k_q == 4'd0 || k_q == 4'd1 && single && !dc_q) begin
          frees   = flags_q == 16'd0;  // of sub-block 0
          done    = frees;
          state_d = frees ? S_SUB : S_GREATER1;
        end
      end
      S_GREATER1: begin
        ctx_o     = {3'd0, set, inc_q};
        bits_o[0] = greater;
        if (count_q == 3'd7 || mask_q == one) begin
          frees   = !greater && !any_q;
          state_d = frees ? S_RUN : S_GREATER2;
        end
      end
      S_GREATER2: begin
        ctx_o     = GREATER2 + {5'd0, set};
        bits_o[0] = two_q;
        frees     = 1'b1;
        state_d   = S_RUN;
      end
      default: begin  // S_RUN
        emit_o = group_valid_i;
        bits_o = group_bits_i;
        if (group_last_i) begin
          state_d = S_SUB;
          done    = !more_q;
        end
      end
    endcase
  end

  always @(posedge clk_i) begin
    if (rst_i) begin
      state_q <= S_SUB;
      has_q   <= 1'b0;
    end else begin
      if (step_i) state_q <= state_d;
      if (load_i) has_q <= 1'b1;
      else if (step_i && frees) has_q <= 1'b0;
    end
  end

  always @(posedge clk_i) begin
    if (load_i) begin
      flags_q   <= load_mask;
      greater_q <= load_word_i[`T265_SUB_GREATER];
      sign_q    <= load_word_i[`T265_SUB_SIGN];
      two_q     <= load_word_i[`T265_SUB_TWO];
      around_q  <= load_word_i[`T265_SUB_AROUND];
      dc_q      <= load_word_i[`T265_SUB_DC];
      top_q     <= load_word_i[`T265_SUB_TOP];
      mask_q    <= load_mask;
      k_q       <= load_word_i[`T265_SUB_TOP] ? load_top - 4'd1 : 4'd15;
      count_q   <= 3'd0;
      inc_q     <= 2'd1;
      any_q     <= 1'b0;
    end else if (step_i) begin
      if (state == S_SIG) k_q <= k_q - 4'd1;
      if (state == S_GREATER1) begin
        mask_q  <= mask_q & ~one;
        count_q <= count_q + 3'd1;
        any_q   <= any_q || greater;
        inc_q   <= greater ? 2'd0 : inc_q == 2'd0 || inc_q == 2'd3 ? inc_q : inc_q + 2'd1;
      end
    end
  end

  always @(posedge clk_i) begin
    if (begin_i) before_q <= 1'b0;
    else if (step_i && state_d == S_RUN && !bypass_o) begin
      before_q <= any_q;
      more_q   <= !dc_q;
    end
  end

endmodule

`default_nettype wire
