// CABAC encoder lane of H.264 and H.265 (H.265 clause 9.3.4.6): one context bin,
// also with a bypass bin after it, or up to Bypass bypass bins a cycle in, bytes
// of codewords out. Stages: context read and update; range; addend; low;
// packing. They advance together.
//
// Kinds: 0 one bin with a context, in bit 0, and in_count_i = 0 or 1 bypass bin
// after it, in bit 1; 1 in_count_i bypass bins, most significant first; 2 a
// terminating bin: after a one the codeword is flushed and the next begins; 3
// sets a context to in_bits_i, pStateIdx above valMps.
//
// Mirror:     internal/cabachw/enc.go
// Latency:    4 to the bits, and the packing
// Throughput: 1 operation a cycle, 2 cycles for a terminating one
// Storage:    7 * Contexts + 82 + Bypass bits, and the packing

`default_nettype none

module vc_cabac_enc #(
  parameter Contexts = 100,  // contexts
  parameter Bypass   = 4,    // bypass bins a cycle, 1..7
  parameter RunBits  = 16,   // bits of the count of outstanding bytes
  parameter CtxBits  = Contexts > 1 ? $clog2(Contexts) : 1  // bits of an index
) (
  input  wire               clk_i,
  input  wire               rst_i,
  input  wire               in_valid_i,
  output wire               in_ready_o,
  input  wire [1:0]         in_kind_i,
  input  wire [CtxBits-1:0] in_ctx_i,
  input  wire [2:0]         in_count_i,  // 1..Bypass; 0 or 1 after a context bin
  input  wire [6:0]         in_bits_i,
  output wire               out_valid_o,
  input  wire               out_ready_i,
  output wire [7:0]         out_data_o,
  output wire               out_last_o,
  output wire               overflow_o
);

  generate
    if (Contexts < 2 || Contexts > 256) begin : gen_illegal_contexts
      illegal_Contexts_is_not_2_to_256 u_illegal ();
    end
    if (Bypass < 1 || Bypass > 7) begin : gen_illegal_bypass
      illegal_Bypass_is_not_1_to_7 u_illegal ();
    end
  endgenerate

  localparam [1:0] CONTEXT   = 2'd0;
  localparam [1:0] BYPASS    = 2'd1;
  localparam [1:0] TERMINATE = 2'd2;
  localparam [1:0] INIT      = 2'd3;
  localparam [7:0] FULL      = 8'd254;  // range 510 without its top bit

  wire pack_ready;
  reg  word_valid_q;
  reg  hold_q;  // the flush follows a terminating bin of one

  wire enable = !word_valid_q || pack_ready;
  wire take   = in_valid_i && in_ready_o;

  assign in_ready_o = enable && !hold_q;

  // Context stage. A terminating bin is one of the state 63, whose less
  // probable range is 2. The flush shifts out two bits of low.
  wire [5:0] state;
  wire       lps;
  reg        valid1_q;
  reg        bypass1_q;
  reg        end1_q;
  reg  [6:0] val1_q;  // lps above pStateIdx, or bypass bins
  reg  [2:0] n1_q;    // bins; or of the bin after a context bin: whether it is, and its value
  reg  [2:0] n1_d;
  reg  [6:0] val1_d;

  vc_cabac_ctx #(
    .Contexts(Contexts)
  ) u_ctx (
    .clk_i  (clk_i),
    .code_i (take && in_kind_i == CONTEXT),
    .init_i (take && in_kind_i == INIT),
    .ctx_i  (in_ctx_i),
    .bin_i  (in_bits_i[0]),
    .value_i(in_bits_i),
    .state_o(state),
    .lps_o  (lps)
  );

  always @* begin
    val1_d = {lps, state};
    n1_d   = {in_count_i[2], in_bits_i[1], in_count_i[0]};
    if (in_kind_i == BYPASS) begin
      val1_d = in_bits_i;
      n1_d   = in_count_i;
    end
    if (in_kind_i == TERMINATE) begin
      val1_d = {in_bits_i[0], 6'd63};
      n1_d   = 3'd0;
    end
    if (hold_q) begin
      val1_d = 7'd0;
      n1_d   = 3'd2;
    end
  end

  always @(posedge clk_i) begin
    if (rst_i) begin
      hold_q   <= 1'b0;
      valid1_q <= 1'b0;
    end else if (enable) begin
      hold_q   <= take && in_kind_i == TERMINATE && in_bits_i[0];
      valid1_q <= hold_q || in_valid_i && in_kind_i != INIT;
    end
  end

  always @(posedge clk_i) begin
    if (enable) begin
      val1_q    <= val1_d;
      bypass1_q <= hold_q || in_kind_i == BYPASS;
      end1_q    <= hold_q;
      n1_q      <= n1_d;
    end
  end

  // Range stage. The range is 256 + rng_q.
  wire [8:0]  mps_range;
  wire [7:0]  lps_range;
  wire [2:0]  lps_shift;
  reg  [7:0]  rng_q;
  reg  [7:0]  rng_d;
  reg  [2:0]  n2_d;
  reg         valid2_q;
  reg         bypass2_q;
  reg         end2_q;
  reg         tail2_q;  // a bypass bin follows
  reg         sign2_q;  // its value
  reg  [8:0]  r2_q;
  reg  [2:0]  n2_q;
  reg  [Bypass-1:0] val2_q;

  vc_cabac_range u_range (
    .state_i(val1_q[5:0]),
    .rng_i  (rng_q),
    .mps_o  (mps_range),
    .lps_o  (lps_range),
    .shift_o(lps_shift)
  );

  always @* begin
    n2_d  = {2'b00, !mps_range[8]};
    rng_d = mps_range[8] ? mps_range[7:0] : {mps_range[6:0], 1'b0};
    if (val1_q[6]) begin
      n2_d  = lps_shift;
      rng_d = lps_range << lps_shift;
    end
    if (bypass1_q) begin
      n2_d  = n1_q;
      rng_d = rng_q;
    end
    if (end1_q) rng_d = FULL;
  end

  always @(posedge clk_i) begin
    if (rst_i) begin
      rng_q    <= FULL;
      valid2_q <= 1'b0;
    end else if (enable) begin
      if (valid1_q) rng_q <= rng_d;
      valid2_q <= valid1_q && (n2_d != 3'd0 || n1_q[0]);
    end
  end

  always @(posedge clk_i) begin
    if (enable) begin
      bypass2_q <= bypass1_q;
      end2_q    <= end1_q;
      tail2_q   <= n1_q[0] && !bypass1_q;
      sign2_q   <= n1_q[1];
      r2_q      <= bypass1_q ? {1'b1, rng_q} : mps_range;
      n2_q      <= n2_d;
      val2_q    <= bypass1_q ? val1_q[Bypass-1:0] : {{(Bypass - 1) {1'b0}}, val1_q[6]};
    end
  end

  // Addend stage: low grows by (lps * R) << n for a context bin, by R * bins for
  // bypass bins. rng_q is the range after the context bin, and so the R of the
  // bypass bin behind it.
  reg         valid3_q;
  reg         end3_q;
  reg  [15:0] add3_q;
  reg  [2:0]  n3_q;

  wire [15:0] product = {7'd0, r2_q} * {{(16 - Bypass) {1'b0}}, val2_q};
  wire [15:0] scaled  = bypass2_q ? product : product << n2_q;
  wire [15:0] tailed  = {scaled[14:0], 1'b0} + {7'd0, sign2_q, rng_q & {8{sign2_q}}};

  always @(posedge clk_i) begin
    if (enable) begin
      valid3_q <= valid2_q;  // 0 from the second cycle of a reset on
      end3_q   <= end2_q;
      n3_q     <= n2_q + {2'd0, tail2_q};
      add3_q   <= tail2_q ? tailed : scaled;
    end
  end

  // Low stage: (low << n) + addend; the low 9 bits remain.
  reg  [8:0]  low_q;
  reg  [7:0]  word_bits_q;
  reg  [2:0]  word_n_q;
  reg         word_last_q;

  wire [16:0] low_t = ({8'd0, low_q} << n3_q) + {1'b0, add3_q};

  always @(posedge clk_i) begin
    if (rst_i) begin
      low_q        <= 9'd0;
      word_valid_q <= 1'b0;
    end else if (enable) begin
      if (valid3_q) low_q <= end3_q ? 9'd0 : low_t[8:0];
      word_valid_q <= valid3_q;
    end
  end

  always @(posedge clk_i) begin
    if (enable) begin
      word_bits_q <= low_t[16:9] | {7'd0, end3_q};
      word_n_q    <= n3_q;
      word_last_q <= end3_q;
    end
  end

  vc_cabac_pack #(
    .RunBits(RunBits)
  ) u_pack (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .in_valid_i (word_valid_q),
    .in_ready_o (pack_ready),
    .in_bits_i  (word_bits_q),
    .in_n_i     (word_n_q),
    .in_last_i  (word_last_q),
    .out_valid_o(out_valid_o),
    .out_ready_i(out_ready_i),
    .out_data_o (out_data_o),
    .out_last_o (out_last_o),
    .overflow_o (overflow_o)
  );

endmodule

`default_nettype wire
