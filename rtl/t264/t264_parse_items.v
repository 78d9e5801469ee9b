// The output register of a decoder lane: one item, as t264/hw/item.go says. The
// modes of a macroblock, or the levels of a group, collect in its 64 bits; they
// are zero again when an item with them has left. The header of a macroblock
// stays in the registers of the parser and is chosen behind the flip-flops.
//
// Mirror:     t264/hwdec/parse.go
// Latency:    1
// Throughput: 1 item a cycle
// Storage:    78 bits

`default_nettype none
`include "t264_dec_words.vh"

module t264_parse_items (
  input  wire                          clk_i,
  input  wire                          rst_i,
  input  wire                          clear_i,  // a slice begins
  output wire                          free_o,   // an item, a mode or a level may come
  input  wire                          push_i,   // an item
  input  wire [2:0]                    kind_i,
  input  wire [3:0]                    block_i,
  input  wire                          tag_i,    // it is of a block
  input  wire [3:0]                    group_i,
  input  wire                          last_i,
  input  wire                          coded_i,
  input  wire                          mode_i,   // value_i is the mode of block_i, four times,
  input  wire                          eight_i,  // or of its 8x8 block
  input  wire                          level_i,  // value_i is the level of slot_i
  input  wire [1:0]                    slot_i,
  input  wire [15:0]                   value_i,
  input  wire [`T264_MB_ITEM_BITS-1:0] header_i,
  input  wire [3:0]                    code_i,
  output wire                          item_valid_o,
  input  wire                          item_ready_i,
  output wire [2:0]                    item_kind_o,
  output wire [3:0]                    item_block_o,
  output wire [3:0]                    item_group_o,
  output wire                          item_last_o,
  output wire                          item_coded_o,
  output reg  [63:0]                   item_data_o
);

  localparam [2:0] MB  = 3'd0;
  localparam [2:0] END = 3'd4;

  reg        valid_q;
  reg [2:0]  kind_q;
  reg [3:0]  block_q;
  reg [3:0]  group_q;
  reg        last_q;
  reg        coded_q;
  reg [63:0] word_q;

  wire        leaves = valid_q && item_ready_i;
  wire        clear  = clear_i || leaves && kind_q != MB;
  wire [1:0]  slot   = mode_i ? block_i[3:2] : slot_i;
  integer     i;

  assign free_o       = !valid_q || item_ready_i;
  assign item_valid_o = valid_q;
  assign item_kind_o  = kind_q;
  assign item_block_o = block_q;
  assign item_group_o = group_q;
  assign item_last_o  = last_q;
  assign item_coded_o = coded_q;

  always @* begin
    item_data_o = word_q;
    if (kind_q == MB) item_data_o = {{(64 - `T264_MB_ITEM_BITS) {1'b0}}, header_i};
    if (kind_q == END) item_data_o = {60'd0, code_i};
  end

  always @(posedge clk_i) begin
    if (rst_i) valid_q <= 1'b0;
    else if (push_i) valid_q <= 1'b1;
    else if (item_ready_i) valid_q <= 1'b0;
  end

  always @(posedge clk_i) begin
    if (push_i) begin
      kind_q  <= kind_i;
      block_q <= tag_i ? block_i : 4'd0;
      group_q <= group_i;
      last_q  <= last_i;
      coded_q <= coded_i;
    end
    for (i = 0; i < 16; i = i + 1) begin
      if ((level_i || mode_i && (eight_i || block_i[1:0] == i[1:0])) && slot == i[3:2])
        word_q[4*i+:4] <= value_i[4*i[1:0]+:4];
      else if (clear) word_q[4*i+:4] <= 4'd0;
    end
  end

endmodule

`default_nettype wire
