// Contexts of decoder lanes at the start of a slice (H.264 clause 9.3.1.1): one
// lane at a time, one context a cycle, computed from m, n and the QP of the slice.
//
// Mirror:     t264/dec_unit.go
// Latency:    4, from the request of an idle unit
// Throughput: 1 context a cycle
// Storage:    70 bits

`default_nettype none

module t264_dec_context #(
  parameter Lanes    = 16,
  parameter LaneBits = 4
) (
  input  wire               clk_i,
  input  wire               rst_i,
  input  wire [Lanes-1:0]   ask_i,    // lanes that wait for their contexts
  input  wire [6*Lanes-1:0] qp_i,
  output reg  [Lanes-1:0]   valid_o,  // a context goes to this lane, which takes it
  output wire [7:0]         ctx_o,
  output wire [6:0]         value_o,  // pStateIdx above valMps
  output wire               last_o
);

  localparam [7:0] LAST = 8'd191;

  reg                 busy_q;
  reg                 run_q;
  reg  [LaneBits-1:0] lane_q;
  reg  [LaneBits-1:0] first;
  reg  [5:0]          qp_q;
  reg  [7:0]          ctx_q, ctx1_q, ctx2_q, ctx3_q;
  reg                 valid1_q, valid2_q, valid3_q;
  reg                 last3_q;
  wire signed [6:0]   m;
  wire signed [7:0]   n;
  reg  signed [6:0]   m1_q;
  reg  signed [7:0]   n1_q;
  reg  signed [9:0]   pre2_q;   // preCtxState before its limits
  reg         [6:0]   state;    // 1..126
  reg         [6:0]   value3_q;
  integer             i;

  t264_dec_context_rom u_rom (
    .ctx_i(ctx_q),
    .m_o  (m),
    .n_o  (n)
  );

  // The fraction of the product goes nowhere.
  /* verilator lint_off UNUSEDSIGNAL */
  wire signed [13:0] product = m1_q * $signed({1'b0, qp_q});
  /* verilator lint_on UNUSEDSIGNAL */

  always @* begin
    first = {LaneBits{1'b0}};
    for (i = Lanes - 1; i >= 0; i = i - 1) begin
      if (ask_i[i]) first = i[LaneBits-1:0];
      valid_o[i] = valid3_q && lane_q == i[LaneBits-1:0];
    end
    state = pre2_q[6:0];
    if (pre2_q < 10'sd1) state = 7'd1;
    if (pre2_q > 10'sd126) state = 7'd126;
  end

  assign ctx_o   = ctx3_q;
  assign value_o = value3_q;
  assign last_o  = last3_q;

  always @(posedge clk_i) begin
    if (rst_i) begin
      busy_q   <= 1'b0;
      run_q    <= 1'b0;
      valid1_q <= 1'b0;
      valid2_q <= 1'b0;
      valid3_q <= 1'b0;
      ctx_q    <= 8'd0;
    end else begin
      if (!busy_q) busy_q <= |ask_i;
      else if (valid3_q && last3_q) busy_q <= 1'b0;
      if (!busy_q) run_q <= |ask_i;
      else if (ctx_q == LAST) run_q <= 1'b0;
      if (!run_q) ctx_q <= 8'd0;
      else ctx_q <= ctx_q + 8'd1;
      valid1_q <= run_q;
      valid2_q <= valid1_q;
      valid3_q <= valid2_q;
    end
  end

  always @(posedge clk_i) begin
    if (!busy_q) begin
      lane_q <= first;
      qp_q   <= qp_i[6*first +: 6];
    end
    ctx1_q   <= ctx_q;
    m1_q     <= m;
    n1_q     <= n;
    ctx2_q   <= ctx1_q;
    pre2_q   <= product[13:4] + {{2{n1_q[7]}}, n1_q};
    ctx3_q   <= ctx2_q;
    value3_q <= state[6] ? {state[5:0], 1'b1} : {~state[5:0], 1'b0};
    last3_q  <= ctx2_q == LAST;
  end

endmodule

`default_nettype wire
