// Computes the contexts of a slice (H.264 clause 9.3.1.1) for the decoder lanes
// that ask, one lane at a time, the lowest first. A value is pStateIdx above
// valMps. A lane takes what is set while it asks. Stages: table; product and
// limits.
//
// Mirror:     t264/dec_context_unit.go
// Latency:    3
// Throughput: 1 context a cycle
// Storage:    58 + LaneBits bits
// Packing:    lane l has bit l of init_i and set_valid_o and its QP in init_qp_i[6*l +: 6]

`default_nettype none

module t264_dec_context #(
  parameter Lanes    = 8,  // decoder lanes
  parameter LaneBits = 3   // bits of the number of a lane, at least 1
) (
  input  wire               clk_i,
  input  wire               rst_i,
  input  wire [Lanes-1:0]   init_i,
  input  wire [6*Lanes-1:0] init_qp_i,
  output reg  [Lanes-1:0]   set_valid_o,
  output wire [7:0]         set_ctx_o,
  output wire [6:0]         set_value_o,
  output wire               set_last_o
);

  localparam [7:0] LAST = 8'd199;  // context

  reg                busy_q;   // a lane gets its contexts
  reg [LaneBits-1:0] lane_q;
  reg [5:0]          qp_q;
  reg [7:0]          index_q;
  reg                end_q;    // the table is read
  reg                valid1_q;
  reg [7:0]          ctx1_q;
  reg signed [6:0]   m1_q;
  reg signed [7:0]   n1_q;
  reg                valid2_q;
  reg [7:0]          ctx2_q;
  reg [6:0]          value2_q;

  reg [LaneBits-1:0] lane_d;
  reg [5:0]          qp_d;
  integer            i;

  always @* begin
    lane_d = {LaneBits{1'b0}};
    qp_d   = 6'd0;
    set_valid_o = {Lanes{1'b0}};
    for (i = Lanes - 1; i >= 0; i = i - 1) begin
      if (init_i[i]) lane_d = i[LaneBits-1:0];
      if (init_i[i]) qp_d = init_qp_i[6*i+:6];
      if (lane_q == i[LaneBits-1:0]) set_valid_o[i] = valid2_q;
    end
  end

  wire signed [6:0] m;
  wire signed [7:0] n;

  t264_dec_context_rom u_rom (
    .ctx_i(index_q),
    .m_o  (m),
    .n_o  (n)
  );

  // preCtxState of clause 9.3.1.1, 1..126.
  wire signed [12:0] product = m1_q * $signed({1'b0, qp_q});
  wire signed [12:0] sum     = (product >>> 4) + $signed({{5{n1_q[7]}}, n1_q});
  reg         [6:0]  pre;

  always @* begin
    pre = sum[6:0];
    if (sum < 13'sd1) pre = 7'd1;
    if (sum > 13'sd126) pre = 7'd126;
  end

  wire start = !busy_q && init_i != {Lanes{1'b0}};

  assign set_ctx_o   = ctx2_q;
  assign set_value_o = value2_q;
  assign set_last_o  = ctx2_q == LAST;

  always @(posedge clk_i) begin
    if (rst_i) begin
      busy_q   <= 1'b0;
      valid1_q <= 1'b0;
      valid2_q <= 1'b0;
    end else begin
      if (start) busy_q <= 1'b1;
      else if (valid2_q && set_last_o) busy_q <= 1'b0;
      valid1_q <= busy_q && !end_q;
      valid2_q <= valid1_q;
    end
  end

  always @(posedge clk_i) begin
    if (start) begin
      lane_q  <= lane_d;
      qp_q    <= qp_d;
      index_q <= 8'd0;
      end_q   <= 1'b0;
    end else if (busy_q && !end_q) begin
      index_q <= index_q + 8'd1;
      end_q   <= index_q == LAST;
      ctx1_q  <= index_q;
      m1_q    <= m;
      n1_q    <= n;
    end
    if (valid1_q) begin
      ctx2_q   <= ctx1_q;
      value2_q <= pre[6] ? {pre[5:0], 1'b1} : {~pre[5:0], 1'b0};
    end
  end

endmodule

`default_nettype wire
