// Turns the words of transform blocks into the operations of an encoder lane (H.265
// clauses 7.3.8.4 to 7.3.8.11 and 9.3.3), one a cycle. One word waits in front; the syntax of a
// block, the flags of a sub-block and its levels are taken from it. While the context
// bins of a sub-block leave, its bypass bins are made.
//
// Mirror:     t265/hwenc/binarise.go
// Latency:    2
// Throughput: 1 operation a cycle
// Storage:    78 bits, and those of its parts
// Packing:    BLOCK, SUB and LEVELS in (gen/t265_enc_words.vh)

`default_nettype none
`include "t265_enc_words.vh"

module t265_binarise #(
  parameter Bypass = 4,  // bypass bins a cycle, 4..7
  parameter Groups = 8   // groups of them that wait
) (
  input  wire        clk_i,
  input  wire        rst_i,
  input  wire        start_i,       // a slice may begin
  input  wire        in_valid_i,
  output wire        in_ready_o,
  input  wire [55:0] in_data_i,
  output wire        init_valid_o,  // asks for the contexts of a QP
  output wire [5:0]  init_qp_o,
  input  wire        set_valid_i,
  output wire        set_ready_o,
  input  wire [6:0]  set_ctx_i,
  input  wire [6:0]  set_value_i,
  input  wire        set_last_i,
  output wire        out_valid_o,
  input  wire        out_ready_i,
  output wire [1:0]  out_kind_o,
  output wire [6:0]  out_ctx_o,
  output wire [2:0]  out_count_o,
  output wire [6:0]  out_bits_o
);

  localparam [1:0] CONTEXT = 2'd0, BYPASS = 2'd1;

  reg         valid_q;
  reg  [18:0] op_q;
  reg         subs_q;  // sub-blocks of the block come, behind the levels of the one under way

  wire        word_valid;
  wire [55:0] word;
  wire        take;
  wire        coded;
  wire        residual;  // the operation is of a sub-block
  wire        done;
  wire [1:0]  log2;
  wire [1:0]  scan;
  wire        hide;
  wire        syntax_emit;
  wire [1:0]  syntax_kind;
  wire [6:0]  syntax_ctx;
  wire        syntax_tail;
  wire [6:0]  syntax_bits;
  wire        has;
  wire        frees;
  wire [15:0] greater;
  wire [15:0] sign;
  wire        sub_emit;
  wire        sub_bypass;
  wire [6:0]  sub_ctx;
  wire [2:0]  sub_count;
  wire [6:0]  sub_bits;
  wire        sub_done;
  wire        idle;
  wire        levels_take;
  wire        group_valid;
  wire        group_ready;
  wire [2:0]  group_count;
  wire [6:0]  group_bits;
  wire        group_last;

  wire free     = !valid_q || out_ready_i;  // the output register is free after this edge
  wire step     = free && (residual ? sub_emit : syntax_emit);
  wire sub_step = step && residual;
  wire takes    = step && take;
  wire load     = word_valid && subs_q && idle && (!has || sub_step && frees);

  assign done        = sub_step && sub_done;
  assign set_ready_o = init_valid_o && free;
  assign out_valid_o = valid_q;
  assign {out_kind_o, out_ctx_o, out_count_o, out_bits_o} = op_q;

  vc_pipe #(
    .Width(56)
  ) u_word (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .in_valid_i (in_valid_i),
    .in_ready_o (in_ready_o),
    .in_data_i  (in_data_i),
    .out_valid_o(word_valid),
    .out_ready_i(takes || load || levels_take),
    .out_data_o (word)
  );

  t265_syntax u_syntax (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .start_i     (start_i),
    .word_valid_i(word_valid),
    .word_i      (word[`T265_BLOCK_BITS-1:0]),
    .take_o      (take),
    .coded_o     (coded),
    .init_valid_o(init_valid_o),
    .init_qp_o   (init_qp_o),
    .set_valid_i (set_valid_i),
    .set_ctx_i   (set_ctx_i),
    .set_value_i (set_value_i),
    .set_last_i  (set_last_i),
    .residual_o  (residual),
    .done_i      (done),
    .log2_o      (log2),
    .scan_o      (scan),
    .hide_o      (hide),
    .step_i      (step),
    .emit_o      (syntax_emit),
    .kind_o      (syntax_kind),
    .ctx_o       (syntax_ctx),
    .tail_o      (syntax_tail),
    .bits_o      (syntax_bits)
  );

  t265_residual u_residual (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .log2_i       (log2),
    .scan_i       (scan),
    .begin_i      (takes),
    .load_i       (load),
    .load_word_i  (word[`T265_SUB_BITS-1:0]),
    .has_o        (has),
    .frees_o      (frees),
    .greater_o    (greater),
    .sign_o       (sign),
    .step_i       (sub_step),
    .emit_o       (sub_emit),
    .bypass_o     (sub_bypass),
    .ctx_o        (sub_ctx),
    .count_o      (sub_count),
    .bits_o       (sub_bits),
    .done_o       (sub_done),
    .group_valid_i(group_valid),
    .group_ready_o(group_ready),
    .group_count_i(group_count),
    .group_bits_i (group_bits),
    .group_last_i (group_last)
  );

  t265_bypass #(
    .Bypass(Bypass),
    .Groups(Groups)
  ) u_bypass (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .load_i       (load && word[`T265_SUB_MASK] != 16'd0),
    .load_mask_i  (word[`T265_SUB_MASK]),
    .idle_o       (idle),
    .greater_i    (greater),
    .sign_i       (sign),
    .hide_i       (hide),
    .word_valid_i (word_valid),
    .word_i       (word),
    .word_take_o  (levels_take),
    .group_valid_o(group_valid),
    .group_ready_i(sub_step && group_ready),
    .group_count_o(group_count),
    .group_bits_o (group_bits),
    .group_last_o (group_last)
  );

  always @(posedge clk_i) begin
    if (rst_i) begin
      valid_q <= 1'b0;
      subs_q  <= 1'b0;
    end else begin
      if (free) valid_q <= step;
      if (takes) subs_q <= coded;
      else if (load) subs_q <= !word[`T265_SUB_DC];
    end
  end

  always @(posedge clk_i) begin
    if (step) begin
      op_q <= residual ? {sub_bypass ? BYPASS : CONTEXT, sub_ctx, sub_count, sub_bits}
                       : {syntax_kind, syntax_ctx, 2'd0, syntax_tail, syntax_bits};
    end
  end

endmodule

`default_nettype wire
