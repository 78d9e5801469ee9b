// Decoder of T.264: slices of Lanes independent frames in, samples out. A slice
// starts in lane cfg_lane_i with a cfg word; its data follow or go before in words
// of the lane. Pictures may have several slices, in order. A slice of bad data ends
// early: error_o holds its code until the next one of the lane starts.
//
// Mirror:     t264/hwdec/dec.go
// Latency:    about 250 to the first samples of a slice
// Throughput: 4 values a cycle; a lane decodes one bin a cycle
// Storage:    see t264_dec_pixels and t264_dec_lane; t264_dec_above
// Packing:    lane i in bit i, or in [4*i +: 4] of error_o

`default_nettype none
`include "t264_dec_words.vh"

module t264_dec #(
  parameter Lanes      = 16,  // threads with their arithmetic decoders
  parameter FrameMBs   = 64,  // widest and highest frame in macroblocks, 2..1024
  parameter Slots      = 16,  // slots of four words in the output queue
  parameter Bypass     = 1,   // bypass bins a cycle of a lane, 1..4
  parameter Transform8 = 1,   // 8x8 blocks exist
  parameter LaneBits   = Lanes > 1 ? $clog2(Lanes) : 1,       // bits of the number of a lane
  parameter MBBits     = FrameMBs > 1 ? $clog2(FrameMBs) : 1  // bits of a column or row
) (
  input  wire                clk_i,
  input  wire                rst_i,
  input  wire                cfg_valid_i,
  output wire [Lanes-1:0]    cfg_ready_o,
  input  wire [LaneBits-1:0] cfg_lane_i,
  input  wire [MBBits-1:0]   cfg_last_x_i,  // last macroblock of the picture
  input  wire [MBBits-1:0]   cfg_last_y_i,
  input  wire [MBBits-1:0]   cfg_x_i,       // first macroblock of the slice
  input  wire [MBBits-1:0]   cfg_y_i,
  input  wire [5:0]          cfg_qp_i,
  input  wire                cfg_t8_i,      // transform_8x8_mode_flag, 0 without Transform8
  input  wire                word_valid_i,
  output wire [Lanes-1:0]    word_ready_o,
  input  wire [LaneBits-1:0] word_lane_i,
  input  wire [63:0]         word_data_i,
  input  wire [3:0]          word_count_i,  // bytes, 1..8
  input  wire                word_last_i,
  output wire                out_valid_o,
  input  wire                out_ready_i,
  output wire [LaneBits-1:0] out_lane_o,
  output wire [MBBits-1:0]   out_mb_x_o,
  output wire [MBBits-1:0]   out_mb_y_o,
  output wire [3:0]          out_x_o,       // column in the macroblock
  output wire [1:0]          out_y_o,       // rows 4*out_y_o on
  output wire [31:0]         out_data_o,    // samples downwards
  output wire [4*Lanes-1:0]  error_o
);

  localparam ITEM = `T264_ITEM_BITS;

  wire [Lanes-1:0]                   init;
  wire [6*Lanes-1:0]                 init_qp;
  wire [Lanes-1:0]                   set_valid;
  wire [7:0]                         set_ctx;
  wire [6:0]                         set_value;
  wire                               set_last;
  wire [Lanes-1:0]                   ask_valid, ask_ready, ask_write;
  wire [MBBits*Lanes-1:0]            ask_x, ask_read;
  wire [`T264_AROUND_BITS*Lanes-1:0] ask_word;
  wire [Lanes-1:0]                   reply_valid;
  wire [`T264_AROUND_BITS-1:0]       reply_word;
  wire [Lanes-1:0]                   item_valid;
  wire [3*Lanes-1:0]                 item_kinds;
  wire [Lanes-1:0]                   item_bad, item_room;
  wire [ITEM*Lanes-1:0]              items;

  // A context or an above word is taken in the cycle in which it comes; the pixel
  // path counts blocks and knows what is coded.
  /* verilator lint_off UNUSEDSIGNAL */
  wire [Lanes-1:0]        set_ready, reply_ready;
  wire [4*Lanes-1:0]      item_block;
  wire [Lanes-1:0]        item_coded;
  /* verilator lint_on UNUSEDSIGNAL */

  reg  [LaneBits-1:0]     sel_q;  // the lane whose item is looked at

  genvar l;
  generate
    for (l = 0; l < Lanes; l = l + 1) begin : gen_lane
      localparam [31:0] INDEX = l;
      assign item_kinds[3*l +: 3] = items[ITEM*l + `T264_ITEM_KIND];
      assign item_bad[l]          = error_o[4*l +: 4] != 4'd0;

      t264_dec_lane #(
        .FrameMBs(FrameMBs),
        .Bypass  (Bypass)
      ) u_lane (
        .clk_i        (clk_i),
        .rst_i        (rst_i),
        .word_valid_i (word_valid_i && word_lane_i == INDEX[LaneBits-1:0]),
        .word_ready_o (word_ready_o[l]),
        .word_data_i  (word_data_i),
        .word_count_i (word_count_i),
        .word_last_i  (word_last_i),
        .cfg_valid_i  (cfg_valid_i && cfg_lane_i == INDEX[LaneBits-1:0]),
        .cfg_ready_o  (cfg_ready_o[l]),
        .cfg_last_x_i (cfg_last_x_i),
        .cfg_last_y_i (cfg_last_y_i),
        .cfg_x_i      (cfg_x_i),
        .cfg_y_i      (cfg_y_i),
        .cfg_qp_i     (cfg_qp_i),
        .cfg_t8_i     (cfg_t8_i && Transform8 != 0),
        .init_o       (init[l]),
        .init_qp_o    (init_qp[6*l +: 6]),
        .set_valid_i  (set_valid[l]),
        .set_ready_o  (set_ready[l]),
        .set_ctx_i    (set_ctx),
        .set_value_i  (set_value),
        .set_last_i   (set_last),
        .above_valid_o(ask_valid[l]),
        .above_ready_i(ask_ready[l]),
        .above_write_o(ask_write[l]),
        .above_x_o    (ask_x[MBBits*l +: MBBits]),
        .above_read_o (ask_read[MBBits*l +: MBBits]),
        .above_word_o (ask_word[`T264_AROUND_BITS*l +: `T264_AROUND_BITS]),
        .reply_valid_i(reply_valid[l]),
        .reply_ready_o(reply_ready[l]),
        .reply_word_i (reply_word),
        .item_valid_o (item_valid[l]),
        .item_ready_i (item_room[l] && sel_q == INDEX[LaneBits-1:0]),
        .item_kind_o  (items[ITEM*l + `T264_ITEM_KIND]),
        .item_block_o (item_block[4*l +: 4]),
        .item_group_o (items[ITEM*l + `T264_ITEM_GROUP]),
        .item_last_o  (items[ITEM*l + `T264_ITEM_LAST]),
        .item_coded_o (item_coded[l]),
        .item_data_o  (items[ITEM*l + `T264_ITEM_DATA]),
        .error_o      (error_o[4*l +: 4])
      );
    end
  endgenerate

  t264_context #(
    .Lanes  (Lanes),
    .Decoder(1)
  ) u_context (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .init_i     (init),
    .init_qp_i  (init_qp),
    .set_valid_o(set_valid),
    .set_ctx_o  (set_ctx),
    .set_value_o(set_value),
    .set_last_o (set_last)
  );

  t264_dec_above #(
    .Lanes   (Lanes),
    .FrameMBs(FrameMBs)
  ) u_above (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .in_valid_i (ask_valid),
    .in_ready_o (ask_ready),
    .in_write_i (ask_write),
    .in_x_i     (ask_x),
    .in_read_i  (ask_read),
    .in_word_i  (ask_word),
    .out_valid_o(reply_valid),
    .out_word_o (reply_word)
  );

  // Items, round robin: the pixel path looks at those of one lane for a cycle in
  // which it can take some. An item that it has no room for stays in its lane. The
  // room is known of all lanes, so that no choice is in the path to their parsers.
  reg  [LaneBits-1:0] low;
  reg  [LaneBits-1:0] high;
  reg                 any_low;
  reg                 any_high;
  reg                 valid;
  reg  [ITEM-1:0]     item;
  wire                open;
  integer             i;

  always @* begin
    valid            = 1'b0;
    item             = {ITEM{1'b0}};
    {any_low, low}   = {(LaneBits + 1) {1'b0}};
    {any_high, high} = {(LaneBits + 1) {1'b0}};
    for (i = Lanes - 1; i >= 0; i = i - 1) begin
      if (sel_q == i[LaneBits-1:0]) begin
        valid = item_valid[i];
        item  = items[ITEM*i +: ITEM];
      end else if (item_valid[i]) begin
        {any_low, low} = {1'b1, i[LaneBits-1:0]};
        if (sel_q < i[LaneBits-1:0]) {any_high, high} = {1'b1, i[LaneBits-1:0]};
      end
    end
  end

  always @(posedge clk_i) begin
    if (rst_i) sel_q <= {LaneBits{1'b0}};
    else if ((open || !valid) && any_low) sel_q <= any_high ? high : low;
  end

  t264_dec_pixels #(
    .Threads   (Lanes),
    .FrameMBs  (FrameMBs),
    .Slots     (Slots),
    .Transform8(Transform8)
  ) u_pixels (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .in_open_o   (open),
    .in_kinds_i  (item_kinds),
    .in_bad_i    (item_bad),
    .in_valid_i  (valid),
    .in_ready_o  (item_room),
    .in_thread_i (sel_q),
    .in_kind_i   (item[`T264_ITEM_KIND]),
    .in_group_i  (item[`T264_ITEM_GROUP]),
    .in_last_i   (item[`T264_ITEM_LAST]),
    .in_data_i   (item[`T264_ITEM_DATA]),
    .out_valid_o (out_valid_o),
    .out_ready_i (out_ready_i),
    .out_thread_o(out_lane_o),
    .out_mb_x_o  (out_mb_x_o),
    .out_mb_y_o  (out_mb_y_o),
    .out_x_o     (out_x_o),
    .out_y_o     (out_y_o),
    .out_data_o  (out_data_o)
  );

endmodule

`default_nettype wire
