// Context memory of a CABAC lane: reads a context and, at the edge of the same
// cycle, holds the state after the bin (H.265 clause 9.3.4.3.2.2), or a new
// value. A context is pStateIdx (6 bits) above valMps.
//
// Mirror:     internal/cabachw/ctx.go
// Latency:    0 to read, 1 to update
// Throughput: 1 bin or 1 new value a cycle
// Storage:    7 * Contexts bits of latches

`default_nettype none

module vc_cabac_ctx #(
  parameter Contexts = 100,  // contexts
  parameter CtxBits  = Contexts > 1 ? $clog2(Contexts) : 1  // bits of an index
) (
  input  wire               clk_i,
  input  wire               code_i,   // a bin this cycle
  input  wire               init_i,   // a new value this cycle
  input  wire [CtxBits-1:0] ctx_i,
  input  wire               bin_i,
  input  wire [6:0]         value_i,
  output wire [5:0]         state_o,
  output wire               lps_o     // the bin is the less probable one
);

  wire [6:0] context;
  wire [6:0] after;

  assign state_o = context[6:1];
  assign lps_o   = context[0] ^ bin_i;

  vc_cabac_step u_step (
    .context_i(context),
    .lps_i    (lps_o),
    .context_o(after)
  );

  vc_ram_latch #(
    .Width(7),
    .Depth(Contexts)
  ) u_mem (
    .clk_i  (clk_i),
    .we_i   (code_i || init_i),
    .waddr_i(ctx_i),
    .wdata_i(init_i ? value_i : after),
    .raddr_i(ctx_i),
    .rdata_o(context)
  );

endmodule

`default_nettype wire
