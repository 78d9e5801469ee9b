// Computes the initial contexts of a slice (H.265 clause 9.3.2.2) for the lanes that
// ask, one lane at a time, the lowest first. A value is pStateIdx above valMps. A
// lane takes what is set while it asks; it is empty between slices, so that nothing
// waits and no ready comes back. Stages: table; product and limits.
//
// Mirror:     t265/hw/context.go
// Latency:    3
// Throughput: 1 context a cycle
// Storage:    48 + LaneBits bits
// Packing:    lane l has bit l of init_i and set_valid_o and its QP in init_qp_i[6*l +: 6]

`default_nettype none

module t265_context #(
  parameter Lanes    = 8,   // lanes
  parameter MaxTU    = 16,  // largest transform block, 8, 16 or 32
  parameter LaneBits = Lanes > 1 ? $clog2(Lanes) : 1  // bits of the number of a lane
) (
  input  wire               clk_i,
  input  wire               rst_i,
  input  wire [Lanes-1:0]   init_i,      // until the last context
  input  wire [6*Lanes-1:0] init_qp_i,   // 0..51
  output reg  [Lanes-1:0]   set_valid_o,
  output wire [6:0]         set_ctx_o,
  output wire [6:0]         set_value_o,
  output wire               set_last_o
);

  generate
    if (MaxTU != 8 && MaxTU != 16 && MaxTU != 32) begin : gen_illegal_max_tu
      illegal_MaxTU_is_not_8_16_or_32 u_illegal ();
    end
  endgenerate

  localparam [6:0] LAST = MaxTU == 8 ? 7'd64 : MaxTU == 16 ? 7'd78 : 7'd88;  // its last context

  reg                busy_q;   // a lane gets its contexts
  reg [LaneBits-1:0] lane_q;
  reg [5:0]          qp_q;
  reg [6:0]          index_q;
  reg                end_q;    // the table is read
  reg                valid1_q;
  reg [6:0]          ctx1_q;
  reg [7:0]          init1_q;
  reg                valid2_q;
  reg [6:0]          ctx2_q;
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

  wire [7:0] init_value;

  t265_enc_context_rom u_rom (
    .ctx_i  (index_q),
    .value_o(init_value)
  );

  // m = 5 * slopeIdx - 45, n = 8 * offsetIdx - 16, and preCtxState: of these contexts it is
  // below 0 or 1..126, and limited to 1.
  wire signed [6:0]  m       = $signed({3'd0, init1_q[7:4]}) * 7'sd5 - 7'sd45;
  wire        [7:0]  n       = {1'b0, init1_q[3:0], 3'd0} - 8'd16;
  wire signed [11:0] product = m * $signed({1'b0, qp_q});
  wire        [7:0]  sum     = product[11:4] + n;
  wire        [6:0]  state   = sum[7] ? 7'd1 : sum[6:0];
  wire               unused  = &{1'b0, product[3:0]};

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
      valid1_q <= read;
      valid2_q <= valid1_q;
    end
  end

  always @(posedge clk_i) begin
    if (start) begin
      lane_q  <= lane_d;
      qp_q    <= qp_d;
      index_q <= 7'd0;
      end_q   <= 1'b0;
    end else if (read) begin
      index_q <= index_q + 1'b1;
      end_q   <= index_q == LAST;
    end
    ctx1_q  <= index_q;
    init1_q <= init_value;
    if (valid1_q) begin
      ctx2_q   <= ctx1_q;
      value2_q <= state[6] ? {state[5:0], 1'b1} : {~state[5:0], 1'b0};
    end
  end

endmodule

`default_nettype wire
