// Memory of the items of all threads. A head takes a word (t265_dec_head), and so do four
// levels of eight bits; where one has more, a word with their upper bytes comes first. An
// end while levels of a block are to come is a word of levels of zero, the last of that
// block. Nothing is kept of other items.
//
// Words: DEC_ITEM, DEC_HEAD in (gen/t265_dec_words.vh), DEC_KEPT, DEC_GROUP out
// (gen/t265_dec_pixel_words.vh).
//
// Mirror:     t265/hwdec/sched.go
// Latency:    2 to write, 1 to read
// Throughput: 1 word a cycle in and out
// Storage:    Width * Words * 2^ThreadBits bits of memory; 76 + ThreadBits bits

`default_nettype none
`include "t265_dec_words.vh"
`include "t265_dec_pixel_words.vh"

module t265_dec_store #(
  parameter Threads    = 16,  // independent frames
  parameter FrameCTUs  = 16,  // widest and highest frame, in CTUs of 16 samples
  parameter MaxTU      = 16,  // largest transform block, 8 or 16
  parameter Words      = 72,  // by thread
  parameter Width      = 39,  // bits of a word
  parameter ThreadBits = Threads > 1 ? $clog2(Threads) : 1,  // bits of a thread number
  parameter AddrBits   = $clog2(Words),  // bits of an address of a word of a thread
  parameter PosBits    = $clog2(FrameCTUs) + 2,  // bits of a column or row, in units of four
  parameter PlaceBits  = $clog2(MaxTU / 4)  // bits of the row or column of a sub-block
) (
  input  wire                           clk_i,
  input  wire                           rst_i,
  input  wire                           in_take_i,   // an item moves; not while stays_o
  input  wire [ThreadBits-1:0]          in_thread_i,
  input  wire [9:0]                     in_tag_i,    // it without its data
  input  wire [63:0]                    in_data_i,
  output wire                           stays_o,     // another word is to come
  // the thread of the item under way
  output wire [ThreadBits-1:0]          thread_o,
  input  wire                           open_i,      // levels of a block are to come
  input  wire [AddrBits-1:0]            at_i,        // where its next word goes
  output wire                           put_o,       // which is written now
  output wire                           put_head_o,
  output wire [1:0]                     put_log2_o,
  output wire                           put_more_o,
  output wire                           put_ends_o,
  input  wire                           read_i,
  input  wire [AddrBits+ThreadBits-1:0] raddr_i,
  output wire [Width-1:0]               word_o
);

  localparam [1:0] TU = 2'd0, LEVELS = 2'd1, END = 2'd3;
  localparam KEPT  = `T265_DEC_KEPT_BITS;
  localparam GROUP = `T265_DEC_GROUP_BITS;

  reg                  valid_q;
  reg                  second_q;  // the upper bytes have been written
  reg [ThreadBits-1:0] thread_q;
  // Blocks have few sub-blocks, and of a head that is told what the memory keeps.
  /* verilator lint_off UNUSEDSIGNAL */
  reg [9:0]            tag_q;
  /* verilator lint_on UNUSEDSIGNAL */
  reg [63:0]           data_q;
  reg                  wide;      // a level has more than eight bits
  reg [GROUP-1:0]      group;
  integer              i;

  wire [1:0]                     kind = tag_q[`T265_DEC_ITEM_KIND];
  wire [`T265_DEC_HEAD_BITS-1:0] head = data_q[`T265_DEC_HEAD_BITS-1:0];
  wire [KEPT-1:0]                kept;
  wire [Width-1:0]               word;
  wire                           is_levels = kind == LEVELS;
  wire                           last;

  t265_dec_head #(
    .FrameCTUs(FrameCTUs)
  ) u_head (
    .head_i(head),
    .kept_o(kept)
  );

  always @* begin
    wide = 1'b0;
    for (i = 0; i < 4; i = i + 1) begin
      if (data_q[16*i+7 +: 9] != {9{data_q[16*i+7]}}) wide = 1'b1;
    end
  end

  always @* begin
    group = {GROUP{1'b0}};
    if (is_levels) begin
      for (i = 0; i < 4; i = i + 1) begin
        group[8*i +: 8] = stays_o ? data_q[16*i+8 +: 8] : data_q[16*i +: 8];
      end
      group[`T265_DEC_GROUP_GROUP] = tag_q[`T265_DEC_ITEM_GROUP];
      group[`T265_DEC_GROUP_SUB_X] = tag_q[`T265_DEC_ITEM_SUB_X_AT +: PlaceBits];
      group[`T265_DEC_GROUP_SUB_Y] = tag_q[`T265_DEC_ITEM_SUB_Y_AT +: PlaceBits];
      group[`T265_DEC_GROUP_HIGH]  = stays_o;
    end
  end

  assign last       = group[GROUP-1:32] == {(GROUP - 32) {1'b0}};
  assign stays_o    = valid_q && is_levels && wide && !second_q;
  assign thread_o   = thread_q;
  assign put_o      = valid_q && (kind == TU || is_levels || kind == END && open_i);
  assign put_head_o = kind == TU;
  assign put_log2_o = head[`T265_DEC_HEAD_LOG2];
  assign put_ends_o = kind == TU ? !head[`T265_DEC_HEAD_CODED] : last;
  assign put_more_o = !put_ends_o;

  generate
    if (KEPT < Width) begin : gen_short_head
      assign word = kind == TU ? {{(Width - KEPT) {1'b0}}, kept} : group;
    end else if (GROUP < Width) begin : gen_short_group
      assign word = kind == TU ? kept : {{(Width - GROUP) {1'b0}}, group};
    end else begin : gen_same
      assign word = kind == TU ? kept : group;
    end
  endgenerate

  vc_ram_1r1w #(
    .Width(Width),
    .Depth(Words << ThreadBits)
  ) u_mem (
    .clk_i  (clk_i),
    .we_i   (put_o),
    .waddr_i({at_i, thread_q}),
    .wdata_i(word),
    .re_i   (read_i),
    .raddr_i(raddr_i),
    .rdata_o(word_o)
  );

  always @(posedge clk_i) begin
    if (rst_i) begin
      valid_q  <= 1'b0;
      second_q <= 1'b0;
    end else begin
      valid_q  <= in_take_i || stays_o;
      second_q <= stays_o;
    end
  end

  always @(posedge clk_i) begin
    if (in_take_i) begin
      thread_q <= in_thread_i;
      tag_q    <= in_tag_i;
      data_q   <= in_data_i;
    end
  end

endmodule

`default_nettype wire
