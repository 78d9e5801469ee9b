// What the blocks of a macroblock derive contexts and modes from (H.264 clauses
// 8.3.1.1 and 9.3.3.1.1): an entry for each column, of the block above, and for
// each row, of the block to the left. A block replaces both. So at the end of a
// macroblock they are what its right and lower neighbours need.
//
// Mirror:     t264/hwdec/around.go
// Latency:    1 to update
// Throughput: 1 block a cycle
// Storage:    50 bits
// Packing:    AROUND in and out (gen/t264_dec_words.vh)

`default_nettype none
`include "t264_dec_words.vh"

module t264_parse_around (
  input  wire                         clk_i,
  input  wire                         next_i,       // a macroblock begins
  input  wire [`T264_AROUND_BITS-1:0] above_i,      // the word of its column
  input  wire                         has_left_i,   // the macroblocks are available
  input  wire                         has_above_i,
  input  wire [3:0]                   block_i,      // 4x4 block in decoding order
  input  wire                         eight_i,      // it stands for its 8x8 block
  input  wire                         bin_i,
  input  wire                         set_mode_i,
  input  wire [3:0]                   mode_i,
  input  wire                         set_cbp_i,
  input  wire                         set_dc_i,
  input  wire                         set_coded_i,
  input  wire                         coded_i,
  input  wire                         set_kind_i,
  input  wire [1:0]                   kind_i,
  input  wire                         pattern_i,    // coded_block_pattern of I_16x16 is 15
  output wire [`T264_AROUND_BITS-1:0] word_o,
  output wire [1:0]                   type_inc_o,
  output wire [1:0]                   t8_inc_o,
  output reg  [3:0]                   left_mode_o,  // of block_i; 15 where it is not available
  output reg  [3:0]                   above_mode_o,
  output wire [1:0]                   cbp_inc_o,    // of the first 8x8 block
  output wire [1:0]                   zero_inc_o,   // of the 8x8 block after block_i, its bin 0
  output wire [1:0]                   one_inc_o,    // its bin 1
  output wire [1:0]                   dc_inc_o,
  output wire [1:0]                   coded_inc_o   // of block_i
);

  localparam [1:0] I16     = 2'd2;
  localparam [3:0] DC_MODE = 4'd2;

  reg [1:0]  left_kind_q;
  reg        left_dc_q;
  reg [1:0]  left_cbp_q;
  reg [3:0]  left_coded_q;
  reg [15:0] left_mode_q;
  reg [1:0]  above_kind_q;
  reg        above_dc_q;
  reg [1:0]  above_cbp_q;
  reg [3:0]  above_coded_q;
  reg [15:0] above_mode_q;

  wire [1:0] x    = {block_i[2], block_i[0]};
  wire [1:0] y    = {block_i[3], block_i[1]};
  wire [3:0] cols = eight_i ? {{2{x[1]}}, {2{!x[1]}}} : 4'd1 << x;
  wire [3:0] rows = eight_i ? {{2{y[1]}}, {2{!y[1]}}} : 4'd1 << y;

  assign word_o[`T264_AROUND_KIND]  = above_kind_q;
  assign word_o[`T264_AROUND_DC]    = above_dc_q;
  assign word_o[`T264_AROUND_CBP]   = above_cbp_q;
  assign word_o[`T264_AROUND_CODED] = above_coded_q;
  assign word_o[`T264_AROUND_MODE]  = above_mode_q;

  assign type_inc_o  = {1'b0, left_kind_q[1]} + {1'b0, above_kind_q[1]};
  assign t8_inc_o    = {1'b0, left_kind_q[0]} + {1'b0, above_kind_q[0]};
  assign cbp_inc_o   = {!above_cbp_q[0], !left_cbp_q[0]};
  assign zero_inc_o  = block_i[2] ? {!above_cbp_q[0], !left_cbp_q[1]} : {!above_cbp_q[1], 1'b1};
  assign one_inc_o   = block_i[2] ? {!above_cbp_q[0], !left_cbp_q[1]} : {!above_cbp_q[1], 1'b0};
  assign dc_inc_o    = {above_dc_q, left_dc_q};
  assign coded_inc_o = {above_coded_q[x], left_coded_q[y]};

  always @* begin
    case (y)
      2'd0: left_mode_o = left_mode_q[3:0];
      2'd1: left_mode_o = left_mode_q[7:4];
      2'd2: left_mode_o = left_mode_q[11:8];
      default: left_mode_o = left_mode_q[15:12];
    endcase
    case (x)
      2'd0: above_mode_o = above_mode_q[3:0];
      2'd1: above_mode_o = above_mode_q[7:4];
      2'd2: above_mode_o = above_mode_q[11:8];
      default: above_mode_o = above_mode_q[15:12];
    endcase
  end

  wire    i16 = kind_i == I16;
  integer i;

  always @(posedge clk_i) begin
    if (next_i) begin
      above_kind_q  <= above_i[`T264_AROUND_KIND];
      above_dc_q    <= above_i[`T264_AROUND_DC];
      above_cbp_q   <= above_i[`T264_AROUND_CBP];
      above_coded_q <= above_i[`T264_AROUND_CODED];
      above_mode_q  <= above_i[`T264_AROUND_MODE];
    end
    if (next_i && !has_above_i) begin
      above_kind_q  <= 2'd0;
      above_dc_q    <= 1'b1;
      above_cbp_q   <= 2'd3;
      above_coded_q <= 4'hf;
      above_mode_q  <= 16'hffff;
    end
    if (next_i && !has_left_i) begin
      left_kind_q  <= 2'd0;
      left_dc_q    <= 1'b1;
      left_cbp_q   <= 2'd3;
      left_coded_q <= 4'hf;
      left_mode_q  <= 16'hffff;
    end
    if (set_kind_i) begin
      left_kind_q  <= kind_i;
      above_kind_q <= kind_i;
    end
    if (set_kind_i && i16) begin
      left_mode_q  <= {4{DC_MODE}};
      above_mode_q <= {4{DC_MODE}};
      left_cbp_q   <= {2{pattern_i}};
      above_cbp_q  <= {2{pattern_i}};
    end
    if (set_dc_i || set_kind_i && !i16) begin
      left_dc_q  <= bin_i;  // 0 with set_kind_i: a header has no bin
      above_dc_q <= bin_i;
    end
    if (set_cbp_i) begin
      left_cbp_q[block_i[3]]  <= bin_i;
      above_cbp_q[block_i[2]] <= bin_i;
    end
    if (set_coded_i) begin
      left_coded_q  <= left_coded_q & ~rows | {4{coded_i}} & rows;
      above_coded_q <= above_coded_q & ~cols | {4{coded_i}} & cols;
    end
    for (i = 0; i < 4; i = i + 1) begin
      if (set_mode_i && rows[i]) left_mode_q[4*i+:4] <= mode_i;
      if (set_mode_i && cols[i]) above_mode_q[4*i+:4] <= mode_i;
    end
  end

endmodule

`default_nettype wire
