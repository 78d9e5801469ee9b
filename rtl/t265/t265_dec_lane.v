// Decoder lane of T.265: words of slice segment data in, items out, at one bin with a
// context a cycle, or up to Bypass bypass bins of signs and levels. A slice segment starts
// with a cfg word; whatever the data, it ends with an item of kind 3 and its words are
// taken up to the last one. The lane asks for its contexts with init_o, and keeps a word
// for each column of CTUs in a memory outside.
//
// Mirror:     t265/hwdec/lane.go
// Latency:    3 from a word to its first bins
// Throughput: see t265_parse_residual
// Storage:    679 bits of contexts and about 900, with MaxCTU 16 about 560
// Packing:    as t265/hw/dec_item.go and t265_parse_around say

`default_nettype none
`include "t265_dec_words.vh"

module t265_dec_lane #(
  parameter FrameCTUs = 64,  // widest and highest picture in CTUs, 2..1024
  parameter MaxCTU    = 64,  // largest CTU, 16, 32 or 64
  parameter MaxTU     = 32,  // largest transform block, 16 or 32, at most MaxCTU
  parameter Bypass    = 4,   // bypass bins a cycle of signs and levels, 1..4
  parameter CTUBits   = FrameCTUs > 1 ? $clog2(FrameCTUs) : 1  // bits of a column or row
) (
  input  wire                        clk_i,
  input  wire                        rst_i,
  input  wire                        word_valid_i,    // slice segment data
  output wire                        word_ready_o,
  input  wire [63:0]                 word_data_i,
  input  wire [3:0]                  word_count_i,    // bytes, 1..8
  input  wire                        word_last_i,
  input  wire                        cfg_valid_i,     // a slice segment
  output wire                        cfg_ready_o,
  input  wire [CTUBits-1:0]          cfg_last_x_i,    // last CTU of the picture
  input  wire [CTUBits-1:0]          cfg_last_y_i,
  input  wire [3:0]                  cfg_part_x_i,    // what the picture has of it
  input  wire [3:0]                  cfg_part_y_i,
  input  wire [CTUBits-1:0]          cfg_x_i,         // first CTU of the slice segment
  input  wire [CTUBits-1:0]          cfg_y_i,
  input  wire [5:0]                  cfg_qp_i,
  input  wire                        cfg_dependent_i,
  input  wire [`T265_TOOLS_BITS-1:0] cfg_tools_i,
  output wire                        init_o,          // asks for the contexts
  output wire [5:0]                  init_qp_o,
  input  wire                        set_valid_i,     // a context; while it asks
  output wire                        set_ready_o,
  input  wire [6:0]                  set_ctx_i,
  input  wire [6:0]                  set_value_i,
  input  wire                        set_last_i,
  output wire                        above_valid_o,   // asks for the above word at above_read_o,
  input  wire                        above_ready_i,
  output wire                        above_write_o,   // after above_word_o goes to above_x_o
  output wire [CTUBits-1:0]          above_x_o,
  output wire [CTUBits-1:0]          above_read_o,
  output wire [MaxCTU/4-1:0]         above_word_o,
  input  wire                        reply_valid_i,
  output wire                        reply_ready_o,
  input  wire [MaxCTU/4-1:0]         reply_word_i,
  output wire                        item_valid_o,
  input  wire                        item_ready_i,
  output wire [9:0]                  item_tag_o,      // kind, sub-block and group
  output wire [63:0]                 item_data_o,
  output wire [2:0]                  error_o          // code of the last slice, if it ended early
);

  generate
    if (MaxTU > MaxCTU) begin : gen_illegal_maxtu
      illegal_MaxTU_is_above_MaxCTU u_illegal ();
    end
  endgenerate

  wire       byte_valid, byte_ready, byte_last;
  wire [7:0] byte_data;
  wire       enable, step, bin, start, drain, ended, overrun, cut, fork_, we;
  wire [Bypass-1:0] bins;
  wire [2:0] zero_count, one_count;
  wire [1:0] zero_kind, one_kind, one_set;
  wire [6:0] zero_ctx, waddr, zero_word, one_word, wdata;

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
    .Contexts(128),
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
    .init_i      (init_o && set_valid_i),
    .init_ctx_i  (set_ctx_i),
    .init_value_i(set_value_i),
    .enable_i    (enable),
    .zero_kind_i (zero_kind),
    .zero_ctx_i  (zero_ctx),
    .zero_count_i(zero_count),
    .one_kind_i  (one_kind),
    .one_ctx_i   ({5'b11000, one_set}),
    .one_count_i (one_count),
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

  t265_dec_banks #(
    .MaxTU(MaxTU)
  ) u_banks (
    .clk_i      (clk_i),
    .we_i       (we),
    .waddr_i    (waddr),
    .wdata_i    (wdata),
    .zero_ctx_i (zero_ctx),
    .zero_word_o(zero_word),
    .one_set_i  (one_set),
    .one_word_o (one_word)
  );

  t265_parse #(
    .FrameCTUs(FrameCTUs),
    .MaxCTU   (MaxCTU),
    .Bypass   (Bypass)
  ) u_parse (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .cfg_valid_i    (cfg_valid_i),
    .cfg_ready_o    (cfg_ready_o),
    .cfg_last_x_i   (cfg_last_x_i),
    .cfg_last_y_i   (cfg_last_y_i),
    .cfg_part_x_i   (cfg_part_x_i),
    .cfg_part_y_i   (cfg_part_y_i),
    .cfg_x_i        (cfg_x_i),
    .cfg_y_i        (cfg_y_i),
    .cfg_qp_i       (cfg_qp_i),
    .cfg_dependent_i(cfg_dependent_i),
    .cfg_tools_i    (cfg_tools_i),
    .init_o         (init_o),
    .init_qp_o      (init_qp_o),
    .set_end_i      (set_valid_i && set_last_i),
    .above_valid_o  (above_valid_o),
    .above_ready_i  (above_ready_i),
    .above_write_o  (above_write_o),
    .above_x_o      (above_x_o),
    .above_read_o   (above_read_o),
    .above_word_o   (above_word_o),
    .reply_valid_i  (reply_valid_i),
    .reply_ready_o  (reply_ready_o),
    .reply_word_i   (reply_word_i),
    .enable_o       (enable),
    .step_i         (step),
    .bin_i          (bin),
    .bins_i         (bins),
    .start_o        (start),
    .drain_o        (drain),
    .ended_i        (ended),
    .overrun_i      (overrun),
    .cut_i          (cut),
    .fork_o         (fork_),
    .zero_kind_o    (zero_kind),
    .zero_ctx_o     (zero_ctx),
    .zero_count_o   (zero_count),
    .one_kind_o     (one_kind),
    .one_set_o      (one_set),
    .one_count_o    (one_count),
    .item_valid_o   (item_valid_o),
    .item_ready_i   (item_ready_i),
    .item_tag_o     (item_tag_o),
    .item_data_o    (item_data_o),
    .error_o        (error_o)
  );

endmodule

`default_nettype wire
