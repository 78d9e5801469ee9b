// The context after a bin (H.265 clause 9.3.4.3.2.2, H.264 9.3.3.2.1.1). A
// context is pStateIdx (6 bits) above valMps.
//
// Mirror:     internal/cabachw/ctx.go
// Latency:    0
// Throughput: 1 bin a cycle
// Storage:    none

`default_nettype none

module vc_cabac_step (
  input  wire [6:0] context_i,
  input  wire       lps_i,      // the bin is the less probable one
  output wire [6:0] context_o
);

  wire [5:0] after_lps;
  wire [5:0] after_mps = context_i[6:1] == 6'd62 ? 6'd62 : context_i[6:1] + 6'd1;
  wire       flip      = context_i[6:1] == 6'd0;

  vc_cabac_next u_next (
    .state_i(context_i[6:1]),
    .state_o(after_lps)
  );

  assign context_o = lps_i ? {after_lps, context_i[0] ^ flip} : {after_mps, context_i[0]};

endmodule

`default_nettype wire
