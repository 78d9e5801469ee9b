// The memories of a bank of the store of the T.265 encoder: levels, each group of four positions
// in its own; what is known of a block; and the HEAD of a CTU. All but the last have one port.
//
// Mirror:     t265/hwenc/feed.go
// Latency:    1, of a HEAD 0
// Throughput: 1 sub-block in or 1 word out a cycle
// Storage:    Threads * (32 * 264 + 2 * 18) bits of memory
// Packing:    a place is a thread above 5 bits; a HEAD has a thread above its half of the ring;
//             levels and about as in t265_enc_feed; bit g of read_i reads the levels of group g

`default_nettype none

module t265_enc_memory #(
  parameter Threads = 4,  // threads of the bank
  parameter OwnBits = Threads > 1 ? $clog2(Threads) : 1  // bits of the number of one
) (
  input  wire               clk_i,
  input  wire               head_we_i,
  input  wire [OwnBits:0]   head_at_i,
  input  wire [17:0]        head_i,
  input  wire               write_i,        // a sub-block, in place of a read
  input  wire [OwnBits+4:0] write_at_i,     // place of its block
  input  wire [3:0]         write_index_i,
  input  wire               write_last_i,   // with what is known of the block
  input  wire [239:0]       levels_i,
  input  wire [23:0]        about_i,
  input  wire               read_about_i,
  input  wire [3:0]         read_i,
  input  wire [OwnBits+4:0] read_at_i,
  input  wire [3:0]         read_index_i,
  input  wire [OwnBits:0]   read_head_i,
  output wire [239:0]       levels_o,
  output wire [23:0]        about_o,
  output wire [17:0]        head_o
);

  localparam ADDR = $clog2(32 * Threads);  // bits of a place
  localparam HALF = $clog2(2 * Threads);   // of a half of a ring

  // Blocks are aligned.
  wire [OwnBits+4:0] base   = write_i ? write_at_i : read_at_i;
  wire [3:0]         part   = write_i ? write_index_i : read_index_i;
  wire [OwnBits+4:0] addr   = base | {{(OwnBits + 1) {1'b0}}, part};
  wire               unused = &{1'b0, addr, head_at_i, read_head_i};  // the highest bit

  genvar g;
  generate
    for (g = 0; g < 4; g = g + 1) begin : gen_group
      vc_ram_1rw #(
        .Width(60),
        .Depth(32 * Threads)
      ) u_levels (
        .clk_i  (clk_i),
        .en_i   (write_i || read_i[g]),
        .we_i   (write_i),
        .addr_i (addr[ADDR-1:0]),
        .wdata_i(levels_i[60*g +: 60]),
        .rdata_o(levels_o[60*g +: 60])
      );
    end
  endgenerate

  vc_ram_1rw #(
    .Width(24),
    .Depth(32 * Threads)
  ) u_about (
    .clk_i  (clk_i),
    .en_i   (write_i ? write_last_i : read_about_i),
    .we_i   (write_i),
    .addr_i (base[ADDR-1:0]),
    .wdata_i(about_i),
    .rdata_o(about_o)
  );

  vc_ram_latch #(
    .Width(18),
    .Depth(2 * Threads)
  ) u_heads (
    .clk_i  (clk_i),
    .we_i   (head_we_i),
    .waddr_i(head_at_i[HALF-1:0]),
    .wdata_i(head_i),
    .raddr_i(read_head_i[HALF-1:0]),
    .rdata_o(head_o)
  );

endmodule

`default_nettype wire
