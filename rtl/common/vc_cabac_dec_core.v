// CABAC decoder engine of H.264 and H.265 (H.265 clause 9.3.4.3) without the
// memory of the contexts: bytes of codewords in, one context bin or up to Bypass
// bypass bins a cycle out. What is decoded next follows from the bin of this
// cycle: a request for each of its values, from registers of the parser. Both
// contexts are read before the bin is known. The choice follows from a bin with a
// context alone, and only if fork_i is high: bypass bins come late. Otherwise the
// context, or the end, of the first request is taken: one that is requested for
// the other value alone is named in both. After several bypass bins follows the
// first request.
//
// Kinds of requests: 0 nothing; 1 a bin with a context; 2 count bypass bins; 3 a
// bin before a possible end. After start_i nine bypass bins shift ivlOffset in;
// a one among them is an offset that is not allowed. Bytes are taken between
// start_i and the last one.
//
// Mirror:     internal/cabachw/dec.go
// Latency:    0 from a request to its bins, which are combinational
// Throughput: 1 request a cycle
// Storage:    50 + CtxBits bits

`default_nettype none

module vc_cabac_dec_core #(
  parameter Contexts = 128,  // contexts, or places for them
  parameter Bypass   = 2,    // bypass bins a cycle, 1..7
  parameter CtxBits  = Contexts > 1 ? $clog2(Contexts) : 1  // bits of an index
) (
  input  wire               clk_i,
  input  wire               rst_i,
  input  wire               in_valid_i,
  output wire               in_ready_o,
  input  wire [7:0]         in_data_i,
  input  wire               in_last_i,
  input  wire               start_i,        // the next codeword begins; nothing is decoded
  input  wire               drain_i,        // drop bytes up to the last one
  input  wire               init_i,         // sets a context; no bin is decoded with one
  input  wire [CtxBits-1:0] init_ctx_i,
  input  wire [6:0]         init_value_i,
  input  wire               enable_i,       // the parser takes the bins of this cycle
  input  wire [1:0]         zero_kind_i,    // the next request after a bin of zero, or several bins
  input  wire [CtxBits-1:0] zero_ctx_i,
  input  wire [2:0]         zero_count_i,   // 1..Bypass
  input  wire [1:0]         one_kind_i,     // after a bin of one
  input  wire [CtxBits-1:0] one_ctx_i,
  input  wire [2:0]         one_count_i,
  output wire               step_o,         // on to the next request
  output reg                bin_o,          // of a request of one bin, else 0
  output reg  [Bypass-1:0]  bins_o,         // of any, most significant first; several come late
  input  wire               fork_i,         // these differ in the context, or in the end
  input  wire [6:0]         zero_word_i,    // the context at zero_ctx_i
  input  wire [6:0]         one_word_i,
  output wire               we_o,           // a context to the memory
  output wire [CtxBits-1:0] waddr_o,
  output wire [6:0]         wdata_o,
  output wire               ended_o,        // the last byte is taken
  output wire               overrun_o,      // bins from beyond it
  output wire               cut_o           // in this request, and not the last one alone
);

  generate
    if (Contexts < 2 || Contexts > 256) begin : gen_illegal_contexts
      illegal_Contexts_is_not_2_to_256 u_illegal ();
    end
  endgenerate

  localparam [1:0] NONE      = 2'd0;
  localparam [1:0] CONTEXT   = 2'd1;
  localparam [1:0] BYPASS    = 2'd2;
  localparam [1:0] TERMINATE = 2'd3;

  // The request. A terminating bin is one of the state 63, whose less probable
  // range is 2.
  reg  [1:0]         kind_q;
  reg  [2:0]         count_q;
  reg  [CtxBits-1:0] ctx_q;
  reg  [6:0]         context_q;

  // The range is 256 + rng_q. The window is ivlOffset above 15 bits to come, of
  // which more_q are there.
  reg  [7:0]  rng_q;
  reg  [23:0] win_q;
  reg  [3:0]  more_q;
  reg         ended_q;
  reg         overrun_q;

  assign in_ready_o = !ended_q && (!more_q[3] || drain_i);
  assign ended_o    = ended_q;
  assign overrun_o  = overrun_q;

  wire        take   = in_valid_i && in_ready_o;
  wire [3:0]  filled = {more_q[3] || take, more_q[2:0]};
  wire [14:0] byte_  = {in_data_i, 7'd0} >> more_q[2:0];
  wire [23:0] win    = win_q | {9'd0, take ? byte_ : 15'd0};

  assign step_o = enable_i && (kind_q == NONE || filled[3] || ended_q);

  // A bin with a context.
  wire [8:0]  mps_range;
  wire [7:0]  lps_range;
  wire [2:0]  lps_shift;
  wire [9:0]  behind    = {1'b0, win_q[23:15]} - {2'b01, rng_q};
  wire [9:0]  beyond    = behind + {2'b00, lps_range};
  wire        lps       = !beyond[9];
  wire        bin       = context_q[0] ^ lps;

  vc_cabac_range u_range (
    .state_i(context_q[6:1]),
    .rng_i  (rng_q),
    .mps_o  (mps_range),
    .lps_o  (lps_range),
    .shift_o(lps_shift)
  );

  // Bypass bins.
  wire [8:0]        off;
  wire              bypass_bin;
  wire [Bypass-1:0] bypass_bins;

  vc_cabac_bypass #(
    .Bypass(Bypass)
  ) u_bypass (
    .rng_i  (rng_q),
    .off_i  (win[23:15]),
    .bits_i (win[14-:Bypass]),
    .count_i(count_q),
    .off_o  (off),
    .bin_o  (bypass_bin),
    .bins_o (bypass_bins)
  );

  // Both outcomes of a bin with a context are shifted before it is known.
  reg  [23:0] win_d;
  reg  [7:0]  rng_d;
  reg  [2:0]  shift;
  wire [23:0] win_lps = {beyond[8:0], win[14:0]} << lps_shift;
  wire [23:0] win_mps = mps_range[8] ? win : {win[22:0], 1'b0};
  wire [7:0]  rng_lps = lps_range << lps_shift;
  wire [7:0]  rng_mps = mps_range[8] ? mps_range[7:0] : {mps_range[6:0], 1'b0};

  always @* begin
    win_d  = lps ? win_lps : win_mps;
    rng_d  = lps ? rng_lps : rng_mps;
    shift  = lps ? lps_shift : {2'b00, !mps_range[8]};
    bin_o  = bin;
    bins_o = {{(Bypass - 1) {1'b0}}, bin};
    if (kind_q == BYPASS) begin
      win_d  = {off, win[14:0] << count_q};
      rng_d  = rng_q;
      shift  = count_q;
      bin_o  = bypass_bin;
      bins_o = bypass_bins;
    end
    if (kind_q == NONE) begin
      win_d  = win;
      rng_d  = rng_q;
      shift  = 3'd0;
      bin_o  = 1'b0;
      bins_o = {Bypass{1'b0}};
    end
  end

  assign cut_o = kind_q == BYPASS && {1'b0, count_q - 3'd1} > filled;

  // The request after this one. A context that this cycle changes is not in the
  // memory yet.
  wire       coded = kind_q == CONTEXT;
  wire       one   = bin && kind_q[0] && fork_i;
  wire [6:0] after;
  wire       zero_same = coded && zero_ctx_i == ctx_q;
  wire       one_same  = coded && one_ctx_i == ctx_q;
  wire       zero_end  = zero_kind_i == TERMINATE;
  wire       one_end   = one_kind_i == TERMINATE;
  wire [6:0] zero_context = zero_end ? {6'd63, 1'b0} : zero_word_i;
  wire [6:0] one_context  = one_end ? {6'd63, 1'b0} : one_word_i;

  assign we_o    = step_o && coded || init_i;
  assign waddr_o = init_i ? init_ctx_i : ctx_q;
  assign wdata_o = init_i ? init_value_i : after;

  vc_cabac_step u_step (
    .context_i(context_q),
    .lps_i    (lps),
    .context_o(after)
  );

  always @(posedge clk_i) begin
    if (rst_i) begin
      kind_q    <= NONE;
      ended_q   <= 1'b1;
      overrun_q <= 1'b0;
    end else begin
      if (step_o) kind_q <= bin_o ? one_kind_i : zero_kind_i;
      if (start_i) ended_q <= 1'b0;
      else if (take && in_last_i) ended_q <= 1'b1;
      if (start_i) overrun_q <= 1'b0;
      else if (step_o && {1'b0, shift} > filled && !(kind_q == TERMINATE && lps)) overrun_q <= 1'b1;
    end
  end

  always @(posedge clk_i) begin
    if (step_o) begin
      ctx_q   <= one ? one_ctx_i : zero_ctx_i;
      count_q <= bin_o ? one_count_i : zero_count_i;
      if (one ? one_same && !one_end : zero_same && !zero_end) context_q <= after;
      else context_q <= one ? one_context : zero_context;
    end
  end

  always @(posedge clk_i) begin
    if (start_i) begin
      rng_q  <= 8'd254;
      win_q  <= 24'd0;
      more_q <= 4'd0;
    end else begin
      if (step_o) rng_q <= rng_d;
      win_q  <= step_o ? win_d : win;
      more_q <= step_o ? filled - {1'b0, shift} : filled;
    end
  end

endmodule

`default_nettype wire
