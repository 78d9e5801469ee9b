// Decoder lane of T.264: words of slice data in, items out, at one bin a cycle,
// in the suffix of a level Bypass.
// A slice starts with a cfg word; whatever the data, it ends with an item of kind 4
// and its words are taken up to the last one. The lane asks for its contexts with
// init_o, and keeps a word for each macroblock column in a memory outside.
//
// Mirror:     t264/hwdec/lane.go
// Latency:    3 from a word to its first bins
// Throughput: 1 bin a cycle while bytes are there; see t264_parse
// Storage:    1288 bits of contexts and about 490
// Packing:    as t264/hw/item.go and t264_parse_around say

`default_nettype none
`include "t264_dec_words.vh"

module t264_dec_lane #(
  parameter FrameMBs = 64,  // widest and highest frame in macroblocks, 2..1024
  parameter Bypass   = 1,   // bypass bins a cycle in a level, 1..4
  parameter MBBits   = FrameMBs > 1 ? $clog2(FrameMBs) : 1  // bits of a column or row
) (
  input  wire                         clk_i,
  input  wire                         rst_i,
  input  wire                         word_valid_i,   // slice data
  output wire                         word_ready_o,
  input  wire [63:0]                  word_data_i,
  input  wire [3:0]                   word_count_i,   // bytes, 1..8
  input  wire                         word_last_i,
  input  wire                         cfg_valid_i,    // a slice
  output wire                         cfg_ready_o,
  input  wire [MBBits-1:0]            cfg_last_x_i,   // last macroblock of the picture
  input  wire [MBBits-1:0]            cfg_last_y_i,
  input  wire [MBBits-1:0]            cfg_x_i,        // first macroblock of the slice
  input  wire [MBBits-1:0]            cfg_y_i,
  input  wire [5:0]                   cfg_qp_i,
  input  wire                         cfg_t8_i,       // transform_8x8_mode_flag
  output wire                         init_o,         // asks for the contexts
  output wire [5:0]                   init_qp_o,
  input  wire                         set_valid_i,    // a context; while it asks
  output wire                         set_ready_o,
  input  wire [7:0]                   set_ctx_i,
  input  wire [6:0]                   set_value_i,
  input  wire                         set_last_i,
  output wire                         above_valid_o,  // asks for the above word at above_read_o,
  input  wire                         above_ready_i,
  output wire                         above_write_o,  // after above_word_o goes to column above_x_o
  output wire [MBBits-1:0]            above_x_o,
  output wire [MBBits-1:0]            above_read_o,
  output wire [`T264_AROUND_BITS-1:0] above_word_o,
  input  wire                         reply_valid_i,
  output wire                         reply_ready_o,
  input  wire [`T264_AROUND_BITS-1:0] reply_word_i,
  output wire                         item_valid_o,
  input  wire                         item_ready_i,
  output wire [2:0]                   item_kind_o,
  output wire [3:0]                   item_block_o,
  output wire [3:0]                   item_group_o,
  output wire                         item_last_o,
  output wire                         item_coded_o,
  output wire [63:0]                  item_data_o,
  output wire [3:0]                   error_o         // code of the last slice, if it ended early
);

  wire       byte_valid, byte_ready, byte_last;
  wire [7:0] byte_data;
  wire       enable, step, bin, start, drain, ended, overrun, cut;
  wire [Bypass-1:0] bins;
  wire [2:0] count;
  wire [1:0] zero_kind, one_kind;
  wire [7:0] zero_ctx, one_ctx, waddr;
  wire [6:0] zero_word, one_word, wdata;
  wire       fork_, we;

  assign set_ready_o = init_o;

  vc_nal_unpack u_unpack (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .in_valid_i (word_valid_i),
    .in_ready_o (word_ready_o),
    .in_data_i  (word_data_i),
    .in_count_i (word_count_i),
    .in_last_i  (word_last_i),
    .out_valid_o(byte_valid),
    .out_ready_i(byte_ready),
    .out_data_o (byte_data),
    .out_last_o (byte_last)
  );

  vc_cabac_dec_core #(
    .Contexts(256),
    .Bypass  (Bypass)
  ) u_engine (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .in_valid_i  (byte_valid),
    .in_ready_o  (byte_ready),
    .in_data_i   (byte_data),
    .in_last_i   (byte_last),
    .start_i     (start),
    .drain_i     (drain),
    .init_i      (set_valid_i),
    .init_ctx_i  (set_ctx_i),
    .init_value_i(set_value_i),
    .enable_i    (enable),
    .zero_kind_i (zero_kind),
    .zero_ctx_i  (zero_ctx),
    .zero_count_i(count),
    .one_kind_i  (one_kind),
    .one_ctx_i   (one_ctx),
    .one_count_i (3'd1),
    .fork_i      (fork_),
    .zero_word_i (zero_word),
    .one_word_i  (one_word),
    .we_o        (we),
    .waddr_o     (waddr),
    .wdata_o     (wdata),
    .step_o      (step),
    .bin_o       (bin),
    .bins_o      (bins),
    .ended_o     (ended),
    .overrun_o   (overrun),
    .cut_o       (cut)
  );

  t264_dec_banks u_banks (
    .clk_i      (clk_i),
    .we_i       (we),
    .waddr_i    (waddr),
    .wdata_i    (wdata),
    .zero_ctx_i (zero_ctx),
    .zero_word_o(zero_word),
    .one_ctx_i  (one_ctx),
    .one_word_o (one_word)
  );

  t264_parse #(
    .FrameMBs(FrameMBs),
    .Bypass  (Bypass)
  ) u_parse (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .cfg_valid_i  (cfg_valid_i),
    .cfg_ready_o  (cfg_ready_o),
    .cfg_last_x_i (cfg_last_x_i),
    .cfg_last_y_i (cfg_last_y_i),
    .cfg_x_i      (cfg_x_i),
    .cfg_y_i      (cfg_y_i),
    .cfg_qp_i     (cfg_qp_i),
    .cfg_t8_i     (cfg_t8_i),
    .init_o       (init_o),
    .init_qp_o    (init_qp_o),
    .set_end_i    (set_valid_i && set_last_i),
    .above_valid_o(above_valid_o),
    .above_ready_i(above_ready_i),
    .above_write_o(above_write_o),
    .above_x_o    (above_x_o),
    .above_read_o (above_read_o),
    .above_word_o (above_word_o),
    .reply_valid_i(reply_valid_i),
    .reply_ready_o(reply_ready_o),
    .reply_word_i (reply_word_i),
    .enable_o     (enable),
    .step_i       (step),
    .bin_i        (bin),
    .bins_i       (bins),
    .start_o      (start),
    .drain_o      (drain),
    .ended_i      (ended),
    .overrun_i    (overrun),
    .cut_i        (cut),
    .fork_o       (fork_),
    .zero_kind_o  (zero_kind),
    .zero_ctx_o   (zero_ctx),
    .count_o      (count),
    .one_kind_o   (one_kind),
    .one_ctx_o    (one_ctx),
    .item_valid_o (item_valid_o),
    .item_ready_i (item_ready_i),
    .item_kind_o  (item_kind_o),
    .item_block_o (item_block_o),
    .item_group_o (item_group_o),
    .item_last_o  (item_last_o),
    .item_coded_o (item_coded_o),
    .item_data_o  (item_data_o),
    .error_o      (error_o)
  );

endmodule

`default_nettype wire
