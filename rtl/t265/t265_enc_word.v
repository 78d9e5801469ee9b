// A word of a lane of the T.265 encoder from what its bank of the store holds, and what comes
// after it: of a block its syntax; of a sub-block its flags; of four levels their magnitudes.
//
// Mirror:     t265/hwenc/feed.go
// Latency:    0
// Throughput: 1 word a cycle
// Storage:    0 bits
// Packing:    head_i as HEAD in gen/t265_enc_words.vh without its thread, its QP that of the
//             slice; about_i and levels_i as in t265_enc_feed; word_o as in t265_binarise

`default_nettype none
`include "t265_enc_words.vh"

module t265_enc_word #(
  parameter MaxTU      = 16,  // largest transform block, 8 or 16
  parameter Threads    = 2,   // that HEAD can tell apart; here it has none
  parameter ThreadBits = Threads > 1 ? $clog2(Threads) : 1  // bits of a thread number
) (
  input  wire [1:0]   kind_i,    // block, its last sub-block, another one, or levels
  input  wire [3:0]   place_i,   // of the block in its CTU
  input  wire [3:0]   sub_i,     // sub-block, in scan order
  input  wire [3:0]   groups_i,  // groups of levels that are to be sent
  input  wire [3:0]   group_i,   // the one that is
  input  wire         delta_i,   // cu_qp_delta of the CTU is coded
  input  wire         high_i,    // QP of the CTU before is that of the slice + 1
  input  wire [1:0]   left_i,    // mode of the CTU before
  input  wire [17:0]  head_i,
  input  wire [23:0]  about_i,
  input  wire [239:0] levels_i,
  output reg  [55:0]  word_o,
  output wire         code_o,    // the block is coded
  output wire         high_o,    // QP of the CTU is that of the slice + 1
  output wire [1:0]   mode_o,    // of the CTU
  output reg          done_o,    // the block ends,
  output wire         last_o,    // its CTU,
  output wire         over_o,    // the slice
  output wire [1:0]   kind_o,    // of the next word
  output wire [3:0]   sub_o,
  output reg  [3:0]   groups_o,
  output wire [5:0]   places_o   // that the block has
);

  localparam [1:0] BLOCK = 2'd0, TOP = 2'd1, SUB = 2'd2, LEVELS = 2'd3;

  integer i;

  // The block that the word is of.
  wire [`T265_HEAD_BITS-1:0] h      = {head_i, {ThreadBits{1'b0}}};
  wire                       split  = h[`T265_HEAD_SPLIT];
  wire [3:0]                 split8 = h[`T265_HEAD_SPLIT8];
  wire [1:0]                 mode   = h[`T265_HEAD_MODE];  // DC, planar, vertical, horizontal
  wire                       high   = h[`T265_HEAD_HIGH];
  wire [3:0]                 z      = place_i;
  wire [15:0]                coded  = about_i[15:0];
  wire                       first  = z == 4'd0;
  wire [1:0]                 log2   = !split ? 2'd2 : {1'b0, !split8[z[3:2]]};
  wire                       ends   = !split || z[3:2] == 2'd3 && (log2[0] || z[1:0] == 2'd3);
  wire [1:0]                 scan   = log2[1] ? 2'd0 : {mode == 2'd3, mode == 2'd2};
  wire                       code   = coded != 16'd0;

  // The mode by the most probable ones: that of the CTU on the left, and DC.
  wire [1:0] left     = left_i & {2{h[`T265_HEAD_LEFT]}};
  wire       aligned  = left[1] && mode == left;  // as on the left, and not planar or DC
  wire       probable = !mode[1] || aligned || !left[1] && mode == 2'd2;
  reg  [4:0] value;

  always @* begin
    case (mode)
      2'd0: value = 5'd1;
      2'd1: value = left[1] ? 5'd2 : 5'd0;
      default: begin
        value = 5'd8;  // of horizontal, behind planar and DC
        if (aligned) value = 5'd0;
        else if (mode == 2'd2) value = left[1] ? 5'd23 : 5'd2;
      end
    endcase
  end

  wire [`T265_BLOCK_BITS-1:0] block;
  wire                        fresh = h[`T265_HEAD_FINE] && !delta_i;
  wire                        whole = MaxTU > 8;  // split_transform_flag of a CTU is coded

  assign block[`T265_BLOCK_INIT]      = first && h[`T265_HEAD_FIRST];
  assign block[`T265_BLOCK_QP]        = h[`T265_HEAD_QP];
  assign block[`T265_BLOCK_UNIT]      = first;
  assign block[`T265_BLOCK_PROBABLE]  = first && probable;
  assign block[`T265_BLOCK_MODE]      = value & {5{first}};
  assign block[`T265_BLOCK_TREES]     = z[1:0] != 2'd0 ? 2'd0
                                      : first && split && whole ? 2'd2 : 2'd1;
  assign block[`T265_BLOCK_TREE_END]  = log2 != 2'd0;
  assign block[`T265_BLOCK_ROOT]      = !split;
  assign block[`T265_BLOCK_CODED]     = code;
  assign block[`T265_BLOCK_DELTA]     = !code || !fresh ? 2'd0
                                      : high == high_i ? 2'd1 : high ? 2'd2 : 2'd3;
  assign block[`T265_BLOCK_SKIP]      = code && log2 == 2'd0;
  assign block[`T265_BLOCK_LOG2]      = log2;
  assign block[`T265_BLOCK_SCAN]      = scan;
  assign block[`T265_BLOCK_LAST_X]    = {1'b0, about_i[19:16]};
  assign block[`T265_BLOCK_LAST_Y]    = {1'b0, about_i[23:20]};
  assign block[`T265_BLOCK_HIDE]      = 1'b1;
  assign block[`T265_BLOCK_END_CTU]   = ends;
  assign block[`T265_BLOCK_LAST]      = ends && h[`T265_HEAD_LAST];

  // The flags of a sub-block.
  reg  [15:0] mask;
  reg  [15:0] greater;
  reg  [15:0] sign;
  reg         two;
  reg  [3:0]  top;    // the last sub-block of the block that is coded
  reg  [3:0]  grown;  // groups with a level above one

  always @* begin
    two = 1'b0;
    top = 4'd0;
    for (i = 0; i < 16; i = i + 1) begin
      mask[i]    = levels_i[15*i +: 14] != 14'd0;
      greater[i] = levels_i[15*i + 1 +: 13] != 13'd0;
      sign[i]    = levels_i[15*i + 14];
      if (greater[i]) two = levels_i[15*i + 2 +: 12] != 12'd0 || levels_i[15*i];
      if (coded[i]) top = i[3:0];
    end
    for (i = 0; i < 4; i = i + 1) grown[i] = greater[4*i +: 4] != 4'd0;
  end

  // Of the sub-blocks on the right and below, by the sub-block: those of 16x16, in the diagonal
  // scan, and those of 8x8, where the horizontal scan exchanges them.
  wire [15:0] right16 = {2'b00, coded[15], 1'b0, coded[14], coded[13], 1'b0, coded[12],
                         coded[11], coded[10], coded[9], coded[8], coded[7], coded[5], coded[4],
                         coded[2]};
  wire [15:0] below16 = {1'b0, coded[15], 1'b0, coded[14], coded[13], 1'b0, coded[12], coded[11],
                         coded[10], 1'b0, coded[8], coded[7], coded[6], coded[4], coded[3],
                         coded[1]};
  wire [3:0]  right8  = {2'b00, coded[3], coded[2]};
  wire [3:0]  below8  = {1'b0, coded[3], 1'b0, coded[1]};
  wire [1:0]  around8 = {below8[sub_i[1:0]], right8[sub_i[1:0]]};
  wire [1:0]  around  = log2[1] ? {below16[sub_i], right16[sub_i]}
                      : scan[0] ? {around8[0], around8[1]} : around8;

  wire [`T265_SUB_BITS-1:0] flags;

  assign flags[`T265_SUB_MASK]    = mask;
  assign flags[`T265_SUB_GREATER] = greater;
  assign flags[`T265_SUB_SIGN]    = sign;
  assign flags[`T265_SUB_TWO]     = two;
  assign flags[`T265_SUB_AROUND]  = around;
  assign flags[`T265_SUB_DC]      = sub_i == 4'd0;
  assign flags[`T265_SUB_TOP]     = kind_i == TOP;

  // The word, and what comes after it.
  reg [59:0] four;

  always @* begin
    four = 60'd0;
    for (i = 0; i < 4; i = i + 1) four = four | levels_i[60*i +: 60] & {60{group_i[i]}};
    groups_o = kind_i == LEVELS ? groups_i & ~group_i : grown;
    done_o   = groups_o == 4'd0 && sub_i == 4'd0;
    word_o   = {four[58:45], four[43:30], four[28:15], four[13:0]};
    case (kind_i)
      BLOCK: begin
        word_o = {{(56 - `T265_BLOCK_BITS) {1'b0}}, block};
        done_o = !code;
      end
      TOP, SUB: word_o = {{(56 - `T265_SUB_BITS) {1'b0}}, flags};
      default: ;
    endcase
  end

  assign code_o   = code;
  assign high_o   = high;
  assign mode_o   = mode;
  assign last_o   = done_o && ends;
  assign over_o   = last_o && h[`T265_HEAD_LAST];
  assign kind_o   = done_o ? BLOCK : kind_i == BLOCK ? TOP : groups_o != 4'd0 ? LEVELS : SUB;
  assign sub_o    = kind_i == BLOCK ? top : groups_o != 4'd0 ? sub_i : sub_i - 4'd1;
  assign places_o = log2[1] ? 6'd16 : log2[0] ? 6'd4 : 6'd1;

endmodule

`default_nettype wire
