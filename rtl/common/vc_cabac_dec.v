// CABAC decoder engine of H.264 and H.265 with its contexts: see vc_cabac_dec_core.
// A context is pStateIdx (6 bits) above valMps.
//
// Mirror:     internal/cabachw/dec.go
// Latency:    0 from a request to its bins, which are combinational
// Throughput: 1 request a cycle
// Storage:    7 * Contexts + 50 + CtxBits bits

`default_nettype none

module vc_cabac_dec #(
  parameter Contexts = 100,  // contexts
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
  input  wire               fork_i,         // these differ in the context, or in the end
  output wire               step_o,         // on to the next request
  output wire               bin_o,          // of a request of one bin, else 0
  output wire [Bypass-1:0]  bins_o,         // most significant first
  output wire               ended_o,        // the last byte is taken
  output wire               overrun_o,      // bins from beyond it
  output wire               cut_o           // in this request, and not the last one alone
);

  wire [6:0]         zero_word;
  wire [6:0]         one_word;
  wire               we;
  wire [CtxBits-1:0] waddr;
  wire [6:0]         wdata;

  vc_cabac_dec_core #(
    .Contexts(Contexts),
    .Bypass  (Bypass)
  ) u_core (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .in_valid_i  (in_valid_i),
    .in_ready_o  (in_ready_o),
    .in_data_i   (in_data_i),
    .in_last_i   (in_last_i),
    .start_i     (start_i),
    .drain_i     (drain_i),
    .init_i      (init_i),
    .init_ctx_i  (init_ctx_i),
    .init_value_i(init_value_i),
    .enable_i    (enable_i),
    .zero_kind_i (zero_kind_i),
    .zero_ctx_i  (zero_ctx_i),
    .zero_count_i(zero_count_i),
    .one_kind_i  (one_kind_i),
    .one_ctx_i   (one_ctx_i),
    .one_count_i (one_count_i),
    .fork_i      (fork_i),
    .step_o      (step_o),
    .bin_o       (bin_o),
    .bins_o      (bins_o),
    .ended_o     (ended_o),
    .overrun_o   (overrun_o),
    .cut_o       (cut_o),
    .zero_word_i (zero_word),
    .one_word_i  (one_word),
    .we_o        (we),
    .waddr_o     (waddr),
    .wdata_o     (wdata)
  );

  vc_ram_latch #(
    .Width(7),
    .Depth(Contexts),
    .Reads(2)
  ) u_mem (
    .clk_i  (clk_i),
    .we_i   (we),
    .waddr_i(waddr),
    .wdata_i(wdata),
    .raddr_i({one_ctx_i, zero_ctx_i}),
    .rdata_o({one_word, zero_word})
  );

endmodule

`default_nettype wire
