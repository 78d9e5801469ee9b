// Prediction of the decoder's blocks: of 4x4 and 8x8 blocks from their references
// at once; of I_16x16 macroblocks the DC block, which comes first, leaves a plane
// that its 4x4 blocks read.
//
// Mirror:     t264/hwdec/pixels.go
// Latency:    3, from phase 2
// Throughput: 4 samples a cycle
// Storage:    38 * Threads bits of memory, 700 of flip-flops

`default_nettype none
`include "t264_dec_words.vh"

module t264_dec_predict #(
  parameter Threads    = 16,  // independent frames
  parameter ThreadBits = Threads > 1 ? $clog2(Threads) : 1  // bits of a thread number
) (
  input  wire                  clk_i,
  input  wire [1:0]            phase_i,
  // the block whose references are there from phase 1 on
  input  wire                  new_i,        // its first slot
  input  wire [ThreadBits-1:0] thread_i,
  input  wire [1:0]            kind_i,       // 0 4x4, 1 8x8, 2 AC, 3 DC
  input  wire [3:0]            mode_i,
  input  wire [3:0]            block_i,
  input  wire [1:0]            word_i,       // slot of an 8x8 block
  input  wire [3:0]            near_i,       // macroblocks: above right, above left, above, left
  input  wire [127:0]          above_i,
  input  wire [63:0]           left_i,
  input  wire [7:0]            corner_i,
  input  wire [31:0]           left_word_i,  // of a DC block: word i in phase i - 1
  input  wire [1:0]            pred_near_i,  // macroblocks above, left, a slot later
  input  wire                  put_i,        // a DC block ends, in phase 1
  input  wire [ThreadBits-1:0] put_thread_i,
  input  wire                  put_plane_i,  // its mode
  output wire [31:0]           pred_o
);

  localparam [1:0] WIDE = 2'd1;
  wire [7:0]       corner;

  // Which neighbours of the block exist (clause 6.4.11).
  wire [1:0] bx     = {block_i[2], block_i[0]};  // those of 8x8 blocks are even
  wire [1:0] by     = {block_i[3], block_i[1]};
  wire       right  = bx[1] && (kind_i == WIDE || bx[0]);
  wire       later  = right || bx[0] && by[0];
  reg  [3:0] exists;

  always @* begin
    exists[0] = bx != 2'd0 || near_i[0];
    exists[1] = by != 2'd0 || near_i[1];
    if (bx != 2'd0) exists[2] = by != 2'd0 || near_i[1];
    else exists[2] = by != 2'd0 ? near_i[0] : near_i[2];
    if (by != 2'd0) exists[3] = !later;
    else exists[3] = right ? near_i[3] : near_i[1];
  end

  wire [`T264_PLANE_BITS-1:0] plane_d;
  wire [`T264_PLANE_BITS-1:0] plane;

  t264_intra u_intra (
    .clk_i   (clk_i),
    .phase_i (phase_i),
    .new_i   (new_i),
    .above_i (above_i),
    .left_i  (left_i),
    .corner_i(corner_i),
    .near_i  (exists),
    .kind_i  (kind_i),
    .mode_i  (mode_i),
    .block_i (block_i),
    .word_i  (word_i),
    .plane_i (plane),
    .corner_o(corner),
    .pred_o  (pred_o)
  );

  t264_plane u_plane (
    .clk_i     (clk_i),
    .phase_i   (phase_i),
    .above_i   (above_i[32*phase_i +: 32]),
    .left_i    (left_word_i),
    .corner_i  (corner),
    .by_above_i(pred_near_i[1]),
    .by_left_i (pred_near_i[0]),
    .plane_i   (put_plane_i),
    .plane_o   (plane_d)
  );

  vc_ram_1r1w #(
    .Width(`T264_PLANE_BITS),
    .Depth(Threads)
  ) u_planes (
    .clk_i  (clk_i),
    .we_i   (phase_i == 2'd1 && put_i),
    .waddr_i(put_thread_i),
    .wdata_i(plane_d),
    .re_i   (phase_i == 2'd0),
    .raddr_i(thread_i),
    .rdata_o(plane)
  );

endmodule

`default_nettype wire
