// The contexts of a decoder lane, in the places of t265/hw/dec_order.go. What follows
// a bin of one has a context of its own only within coeff_abs_level_greater1_flag, and
// it is one of four.
//
// Mirror:     t265/hwdec/lane.go
// Latency:    0 to read, 1 to write
// Throughput: 2 reads and 1 write a cycle
// Storage:    679 bits of latches, 588 for blocks up to 16x16

`default_nettype none

module t265_dec_banks #(
  parameter MaxTU = 32  // largest transform block, 16 or 32
) (
  input  wire       clk_i,
  input  wire       we_i,
  input  wire [6:0] waddr_i,
  input  wire [6:0] wdata_i,
  input  wire [6:0] zero_ctx_i,
  output wire [6:0] zero_word_o,
  input  wire [1:0] one_set_i,   // ctxSet, of greater1Ctx 0
  output wire [6:0] one_word_o
);

  generate
    if (MaxTU != 16 && MaxTU != 32) begin : gen_illegal_max_tu
      illegal_MaxTU_is_not_16_or_32 u_illegal ();
    end
  endgenerate

  localparam DEPTH = MaxTU == 32 ? 93 : 80;

  wire [6:0] most, zero_both;
  wire       both = waddr_i[6:5] == 2'd3;

  vc_ram_latch #(
    .Width(7),
    .Depth(DEPTH)
  ) u_most (
    .clk_i  (clk_i),
    .we_i   (we_i && !both),
    .waddr_i(waddr_i),
    .wdata_i(wdata_i),
    .raddr_i(zero_ctx_i),
    .rdata_o(most)
  );

  vc_ram_latch #(
    .Width(7),
    .Depth(4),
    .Reads(2)
  ) u_both (
    .clk_i  (clk_i),
    .we_i   (we_i && both),
    .waddr_i(waddr_i[1:0]),
    .wdata_i(wdata_i),
    .raddr_i({one_set_i, zero_ctx_i[1:0]}),
    .rdata_o({one_word_o, zero_both})
  );

  assign zero_word_o = zero_ctx_i[6:5] == 2'd3 ? zero_both : most;

endmodule

`default_nettype wire
