// The item that leaves a decoder lane: one for a transform block, for four levels or for
// an end. Levels are put together in a word.
//
// Mirror:     t265/hwdec/parse.go
// Latency:    1
// Throughput: 1 item a cycle
// Storage:    75 bits
// Packing:    as t265/hw/dec_item.go says

`default_nettype none
`include "t265_dec_words.vh"

module t265_parse_items (
  input  wire                           clk_i,
  input  wire                           rst_i,
  output wire                           free_o,   // the item, if there is one, leaves
  input  wire                           push_i,   // an item
  input  wire [1:0]                     kind_i,
  input  wire [5:0]                     sub_i,    // row and column of a sub-block
  input  wire [1:0]                     group_i,
  input  wire [3:0]                     set_i,    // levels go to the word
  input  wire [63:0]                    levels_i,
  input  wire [`T265_DEC_HEAD_BITS-1:0] head_i,   // of a transform block,
  input  wire [`T265_DEC_HEAD_BITS-1:0] ctu_i,    // and without its fields
  input  wire [2:0]                     code_i,
  output wire                           item_valid_o,
  input  wire                           item_ready_i,
  output reg  [9:0]                     item_tag_o,   // an item without its data
  output reg  [63:0]                    item_data_o
);

  localparam [1:0] TU = 2'd0, LEVELS = 2'd1, CTU = 2'd2, END = 2'd3;

  reg        valid_q;
  reg [1:0]  kind_q;
  reg [5:0]  sub_q;
  reg [1:0]  group_q;
  reg [63:0] word_q;
  integer    i;

  assign free_o       = !valid_q || item_ready_i;
  assign item_valid_o = valid_q;

  always @* begin
    item_tag_o  = {8'd0, kind_q};
    item_data_o = word_q;
    case (kind_q)
      TU: item_data_o = {2'd0, head_i};
      LEVELS: begin
        item_tag_o[`T265_DEC_ITEM_SUB_X] = sub_q[2:0];
        item_tag_o[`T265_DEC_ITEM_SUB_Y] = sub_q[5:3];
        item_tag_o[`T265_DEC_ITEM_GROUP] = group_q;
      end
      CTU: item_data_o = {2'd0, ctu_i};
      END: item_data_o = {61'd0, code_i};
      default: ;
    endcase
  end

  always @(posedge clk_i) begin
    if (rst_i) valid_q <= 1'b0;
    else if (push_i) valid_q <= 1'b1;
    else if (item_ready_i) valid_q <= 1'b0;
  end

  always @(posedge clk_i) begin
    if (push_i) begin
      kind_q  <= kind_i;
      sub_q   <= sub_i;
      group_q <= group_i;
    end
    for (i = 0; i < 4; i = i + 1) begin
      if (set_i[i]) word_q[16*i +: 16] <= levels_i[16*i +: 16];
    end
  end

endmodule

`default_nettype wire
