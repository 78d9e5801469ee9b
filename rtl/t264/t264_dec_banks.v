// The contexts of a decoder lane, in the banks and places of t264/hw/dec_order.go:
// what follows a bin of zero is read from the banks 0, 2 and 3, what follows a bin
// of one, where the two differ, from the banks 1 and 3.
//
// Mirror:     t264/hwdec/lane.go
// Latency:    0 to read, 1 to write
// Throughput: 2 reads and 1 write a cycle
// Storage:    1288 bits of latches

`default_nettype none

module t264_dec_banks (
  input  wire       clk_i,
  input  wire       we_i,
  input  wire [7:0] waddr_i,
  input  wire [6:0] wdata_i,
  input  wire [7:0] zero_ctx_i,
  output reg  [6:0] zero_word_o,
  input  wire [7:0] one_ctx_i,
  output wire [6:0] one_word_o
);

  wire [6:0] sig, last, abs, zero_both, one_both;

  vc_ram_latch #(
    .Width(7),
    .Depth(64)
  ) u_sig (
    .clk_i  (clk_i),
    .we_i   (we_i && waddr_i[7:6] == 2'd0),
    .waddr_i(waddr_i[5:0]),
    .wdata_i(wdata_i),
    .raddr_i(zero_ctx_i[5:0]),
    .rdata_o(sig)
  );

  vc_ram_latch #(
    .Width(7),
    .Depth(53)
  ) u_last (
    .clk_i  (clk_i),
    .we_i   (we_i && waddr_i[7:6] == 2'd1),
    .waddr_i(waddr_i[5:0]),
    .wdata_i(wdata_i),
    .raddr_i(one_ctx_i[5:0]),
    .rdata_o(last)
  );

  vc_ram_latch #(
    .Width(7),
    .Depth(59)
  ) u_abs (
    .clk_i  (clk_i),
    .we_i   (we_i && waddr_i[7:6] == 2'd2),
    .waddr_i(waddr_i[5:0]),
    .wdata_i(wdata_i),
    .raddr_i(zero_ctx_i[5:0]),
    .rdata_o(abs)
  );

  vc_ram_latch #(
    .Width(7),
    .Depth(8),
    .Reads(2)
  ) u_both (
    .clk_i  (clk_i),
    .we_i   (we_i && waddr_i[7:6] == 2'd3),
    .waddr_i(waddr_i[2:0]),
    .wdata_i(wdata_i),
    .raddr_i({one_ctx_i[2:0], zero_ctx_i[2:0]}),
    .rdata_o({one_both, zero_both})
  );

  always @* begin
    case (zero_ctx_i[7:6])
      2'd0: zero_word_o = sig;
      2'd2: zero_word_o = abs;
      default: zero_word_o = zero_both;
    endcase
  end

  assign one_word_o = one_ctx_i[7:6] == 2'd1 ? last : one_both;

endmodule

`default_nettype wire
