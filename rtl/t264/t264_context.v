// Computes the initial contexts of a slice (H.264 clause 9.3.1.1) for the lanes that
// ask, one lane at a time, the lowest first. A value is pStateIdx above valMps. A
// lane takes what is set while it asks; it is empty between slices, so that nothing
// waits and no ready comes back. Stages: table; product and limits.
//
// Mirror:     t264/hw/context.go
// Latency:    3
// Throughput: 1 context a cycle
// Storage:    51 + LaneBits bits, 54 + LaneBits in a decoder
// Packing:    lane l has bit l of init_i and set_valid_o and its QP in init_qp_i[6*l +: 6]

`default_nettype none

module t264_context #(
  parameter Lanes    = 8,  // lanes
  parameter Decoder  = 0,  // 1: of a decoder, whose contexts have an index of 8 bits, not 7
  parameter LaneBits = Lanes > 1 ? $clog2(Lanes) : 1  // bits of the number of a lane
) (
  input  wire               clk_i,
  input  wire               rst_i,
  input  wire [Lanes-1:0]   init_i,      // until the last context
  input  wire [6*Lanes-1:0] init_qp_i,   // 0..51
  output reg  [Lanes-1:0]   set_valid_o,
  output wire [6+Decoder:0] set_ctx_o,
  output wire [6:0]         set_value_o,
  output wire               set_last_o
);

  generate
    if (Decoder < 0 || Decoder > 1) begin : gen_illegal_decoder
      illegal_Decoder_is_not_0_to_1 u_illegal ();
    end
  endgenerate

  reg                busy_q;   // a lane gets its contexts
  reg [LaneBits-1:0] lane_q;
  reg [5:0]          qp_q;
  reg [6+Decoder:0]  index_q;
  reg                end_q;    // the table is read
  reg                valid1_q;
  reg [6+Decoder:0]  ctx1_q;
  reg                last1_q;
  reg signed [6:0]   m1_q;
  reg signed [7:0]   n1_q;
  reg                valid2_q;
  reg [6+Decoder:0]  ctx2_q;
  reg                last2_q;
  reg [6:0]          value2_q;

  reg [LaneBits-1:0] lane_d;
  reg [5:0]          qp_d;
  integer            i;

  always @* begin
    lane_d = {LaneBits{1'b0}};
    qp_d   = 6'd0;
    for (i = Lanes - 1; i >= 0; i = i - 1) begin
      set_valid_o[i] = valid2_q && lane_q == i[LaneBits-1:0];
      if (init_i[i]) begin
        lane_d = i[LaneBits-1:0];
        qp_d   = init_qp_i[6*i +: 6];
      end
    end
  end

  wire read  = busy_q && !end_q;
  wire start = !busy_q && init_i != {Lanes{1'b0}};

  wire              last;
  wire signed [6:0] m;
  wire signed [7:0] n;

  generate
    if (Decoder != 0) begin : gen_dec
      t264_dec_context_rom u_rom (
        .ctx_i (index_q),
        .last_o(last),
        .m_o   (m),
        .n_o   (n)
      );
    end else begin : gen_enc
      t264_enc_context_rom u_rom (
        .ctx_i (index_q),
        .last_o(last),
        .m_o   (m),
        .n_o   (n)
      );
    end
  endgenerate

  // preCtxState of clause 9.3.1.1, limited to 1..126.
  wire signed [12:0] product = m1_q * $signed({1'b0, qp_q});
  wire signed [12:0] sum     = (product >>> 4) + $signed({{5{n1_q[7]}}, n1_q});
  wire        [6:0]  state   = sum <= 13'sd0 ? 7'd1 : sum > 13'sd126 ? 7'd126 : sum[6:0];

  assign set_ctx_o   = ctx2_q;
  assign set_value_o = value2_q;
  assign set_last_o  = last2_q;

  always @(posedge clk_i) begin
    if (rst_i) begin
      busy_q   <= 1'b0;
      valid1_q <= 1'b0;
      valid2_q <= 1'b0;
    end else begin
      if (start) busy_q <= 1'b1;
      else if (valid2_q && last2_q) busy_q <= 1'b0;
      valid1_q <= read;
      valid2_q <= valid1_q;
    end
  end

  always @(posedge clk_i) begin
    if (start) begin
      lane_q  <= lane_d;
      qp_q    <= qp_d;
      index_q <= {(7 + Decoder) {1'b0}};
      end_q   <= 1'b0;
    end else if (read) begin
      index_q <= index_q + 1'b1;
      end_q   <= last;
    end
    ctx1_q  <= index_q;
    last1_q <= last;
    m1_q    <= m;
    n1_q    <= n;
    if (valid1_q) begin
      ctx2_q   <= ctx1_q;
      last2_q  <= last1_q;
      value2_q <= state[6] ? {state[5:0], 1'b1} : {~state[5:0], 1'b0};
    end
  end

endmodule

`default_nettype wire
