// Store of the items of all threads: of each, two macroblocks with their modes,
// and the levels of eight blocks of 16. It is read in one cycle of four; it takes
// levels in each cycle, the rest in the others.
//
// Mirror:     t264/hwdec/thread.go
// Latency:    1
// Throughput: 1 item a cycle
// Storage:    Threads * (2212 + 4 * MBBits) bits of memory

`default_nettype none
`include "t264_dec_words.vh"

module t264_dec_store #(
  parameter Threads    = 16,  // independent frames
  parameter FrameMBs   = 64,  // widest and highest frame in macroblocks, 2..1024
  parameter ThreadBits = Threads > 1 ? $clog2(Threads) : 1,   // bits of a thread number
  parameter MBBits     = FrameMBs > 1 ? $clog2(FrameMBs) : 1  // bits of a column or row
) (
  input  wire                       clk_i,
  input  wire                       read_i,
  input  wire                       we_mb_i,     // an item moves: a macroblock,
  input  wire                       we_modes_i,  // modes,
  input  wire                       we_i,        // or levels
  input  wire                       fill_i,      // the other groups of the word become zero
  input  wire [1:0]                 group_i,     // of the word
  input  wire [63:0]                data_i,
  input  wire [ThreadBits+2:0]      waddr_i,
  input  wire [ThreadBits:0]        mb_waddr_i,
  input  wire [ThreadBits+2:0]      raddr_i,
  input  wire [ThreadBits:0]        mb_raddr_i,
  output wire [`T264_KEPT_BITS-1:0] mb_o,
  output wire [63:0]                modes_o,
  output wire [255:0]               levels_o
);

  wire [ThreadBits:0]        mb_addr = read_i ? mb_raddr_i : mb_waddr_i;
  wire [`T264_KEPT_BITS-1:0] mb;

  assign mb[`T264_KEPT_KIND]        = data_i[`T264_MB_ITEM_KIND];
  assign mb[`T264_KEPT_MODE]        = data_i[`T264_MB_ITEM_MODE];
  assign mb[`T264_KEPT_CBP]         = data_i[`T264_MB_ITEM_CBP];
  assign mb[`T264_KEPT_QP]          = data_i[`T264_MB_ITEM_QP];
  assign mb[`T264_KEPT_LEFT]        = data_i[`T264_MB_ITEM_LEFT];
  assign mb[`T264_KEPT_ABOVE]       = data_i[`T264_MB_ITEM_ABOVE];
  assign mb[`T264_KEPT_ABOVE_LEFT]  = data_i[`T264_MB_ITEM_ABOVE_LEFT];
  assign mb[`T264_KEPT_ABOVE_RIGHT] = data_i[`T264_MB_ITEM_ABOVE_RIGHT];
  assign mb[`T264_KEPT_X]           = data_i[`T264_MB_ITEM_X_AT +: MBBits];
  assign mb[`T264_KEPT_Y]           = data_i[`T264_MB_ITEM_Y_AT +: MBBits];

  vc_ram_1rw #(
    .Width(`T264_KEPT_BITS),
    .Depth(2 * Threads)
  ) u_mb (
    .clk_i  (clk_i),
    .en_i   (read_i || we_mb_i),
    .we_i   (!read_i),
    .addr_i (mb_addr),
    .wdata_i(mb),
    .rdata_o(mb_o)
  );

  vc_ram_1rw #(
    .Width(64),
    .Depth(2 * Threads)
  ) u_modes (
    .clk_i  (clk_i),
    .en_i   (read_i || we_modes_i),
    .we_i   (!read_i),
    .addr_i (mb_addr),
    .wdata_i(data_i),
    .rdata_o(modes_o)
  );

  genvar g;
  generate
    for (g = 0; g < 4; g = g + 1) begin : gen_bank
      localparam [31:0] INDEX = g;
      wire mine = group_i == INDEX[1:0];
      vc_ram_1r1w #(
        .Width(64),
        .Depth(8 * Threads)
      ) u_levels (
        .clk_i  (clk_i),
        .we_i   (we_i && (mine || fill_i)),
        .waddr_i(waddr_i),
        .wdata_i(data_i & {64{mine}}),
        .re_i   (read_i),
        .raddr_i(raddr_i),
        .rdata_o(levels_o[64*g +: 64])
      );
    end
  endgenerate

endmodule

`default_nettype wire
