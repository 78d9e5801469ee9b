// Reconstruction of the lower and right border of a macroblock (package t264,
// rule 6): scaling and inverse 4x4 transform of the AC levels of its 7 border
// blocks, a row of 4 in a cycle, of which the last row and the last column are
// kept; then the DC coefficient, prediction and limits, 4 samples a cycle. A DC
// coefficient adds the same to all results of the inverse transform.
//
// The AC part never waits: 3 blocks of room are enough for the order in which
// border blocks come, 2 cycles a block or slower, and 16 words for those that wait
// for DC coefficients. These come 18 cycles or more after the last block of a
// macroblock, when its residuals are there, and need no ready either.
//
// Words: EDGE, DC and BORDER in, DONE out (gen/t264_enc_words.vh).
//
// Mirror:     t264/hwenc/border.go
// Latency:    9 from the levels of a block, 3 from the last DC coefficient
// Throughput: 4 values a cycle
// Storage:    186 * 3 + 64 * 16 + 256 bits and pipeline registers

`default_nettype none
`include "t264_enc_words.vh"

module t264_border #(
  parameter Threads    = 4,   // frames in flight
  parameter FrameMBs   = 64,  // widest frame in macroblocks, 2..256
  parameter ThreadBits = Threads > 1 ? $clog2(Threads) : 1,   // bits of a thread number
  parameter XBits      = FrameMBs > 1 ? $clog2(FrameMBs) : 1  // bits of the column of a macroblock
) (
  input  wire                         clk_i,
  input  wire                         rst_i,
  input  wire                         in_valid_i,
  input  wire [`T264_EDGE_BITS-1:0]   in_data_i,
  input  wire                         dc_valid_i,
  input  wire [`T264_DC_BITS-1:0]     dc_data_i,
  input  wire [`T264_BORDER_BITS-1:0] dc_meta_i,
  output wire                         done_valid_o,
  input  wire                         done_ready_i,
  output wire [`T264_DONE_BITS-1:0]   done_data_o
);

  wire                       next_valid;  // a block waits
  wire                       next_ready;
  wire                       unused_ready;
  wire [`T264_EDGE_BITS-1:0] next;
  wire                       block_valid;
  wire                       block_ready;
  wire [`T264_EDGE_BITS-1:0] block;

  vc_fifo #(
    .Width(`T264_EDGE_BITS),
    .Depth(2)
  ) u_blocks (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .in_valid_i (in_valid_i),
    .in_ready_o (unused_ready),
    .in_data_i  (in_data_i),
    .out_valid_o(next_valid),
    .out_ready_i(next_ready),
    .out_data_o (next)
  );

  vc_pipe #(
    .Width(`T264_EDGE_BITS)
  ) u_block (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .in_valid_i (next_valid),
    .in_ready_o (next_ready),
    .in_data_i  (next),
    .out_valid_o(block_valid),
    .out_ready_i(block_ready),
    .out_data_o (block)
  );

  // A row of levels, scan positions at column * 4 + row, and the scales of its
  // columns.
  reg  [1:0]  row_q;
  reg  [2:0]  block_q;  // of the 7
  wire [47:0] levels;
  reg         full_q;   // results wait for the queue
  reg         two_q;    // two words of them
  reg         last1_q, last2_q, last3_q, last4_q;  // rows of a block
  reg  [1:0]  row1_q, row2_q, row3_q, row4_q;
  reg  [2:0]  block1_q, block2_q, block3_q, block4_q;
  reg  [47:0] levels_q;
  reg  [4:0]  even_q;   // scale of even columns
  reg  [4:0]  odd_q;
  reg  [3:0]  sixth1_q;
  reg  [3:0]  sixth2_q;
  wire [3:0]  sixth;
  wire [2:0]  rem;
  wire [14:0] steps;

  wire finish = last4_q;

  assign block_ready = row_q == 2'd3;

  t264_scan4_row #(
    .Width(12)
  ) u_row (
    .row_i   (row_q),
    .levels_i({block[`T264_EDGE_LEVELS], 12'd0}),
    .values_o(levels)
  );

  t264_qp u_qp (
    .qp_i (block[`T264_EDGE_QP]),
    .div_o(sixth),
    .rem_o(rem)
  );

  t264_norm4 u_norm4 (
    .rem_i(rem),
    .row_o(steps)
  );

  always @(posedge clk_i) begin
    if (rst_i) begin
      row_q   <= 2'd0;
      block_q <= 3'd0;
      last1_q <= 1'b0;
      last2_q <= 1'b0;
      last3_q <= 1'b0;
      last4_q <= 1'b0;
    end else begin
      if (block_valid) row_q <= row_q + 2'd1;
      if (block_valid && row_q == 2'd3) block_q <= block_q == 3'd6 ? 3'd0 : block_q + 3'd1;
      last1_q <= block_valid && block_ready;
      last2_q <= last1_q;
      last3_q <= last2_q;
      last4_q <= last3_q;
    end
  end

  // Product, shift, horizontal transform.
  reg  [63:0]  product_q;
  reg  [63:0]  coef_q;
  wire [63:0]  line;
  reg  [63:0]  line_q;
  integer      i;

  t264_inverse4 u_horizontal (
    .in_i (coef_q),
    .out_o(line)
  );

  always @(posedge clk_i) begin
    levels_q <= levels;
    even_q   <= row_q[0] ? steps[14:10] : steps[4:0];
    odd_q    <= row_q[0] ? steps[9:5] : steps[14:10];
    sixth1_q <= sixth;
    sixth2_q <= sixth1_q;
    row1_q   <= row_q;
    row2_q   <= row1_q;
    row3_q   <= row2_q;
    row4_q   <= row3_q;
    block1_q <= block_q;
    block2_q <= block1_q;
    block3_q <= block2_q;
    block4_q <= block3_q;
    for (i = 0; i < 4; i = i + 1) begin
      product_q[16*i +: 16] <= {{4{levels_q[12*i+11]}}, levels_q[12*i +: 12]} *
                               {11'd0, i % 2 == 0 ? even_q : odd_q};
      coef_q[16*i +: 16]    <= product_q[16*i +: 16] << sixth2_q;
    end
    line_q <= line;
  end

  // Vertical: the last row gathers, the last column waits for its end.
  reg  [63:0] sum_q;    // row 0 - row 1 + row 2
  reg  [63:0] sum_d;
  reg  [47:0] side_q;   // of rows 0..2
  wire [63:0] side;
  reg  [63:0] lower_q;
  reg  [63:0] right_q;
  wire        lower_first = block4_q == 3'd2 || block4_q == 3'd3 || block4_q >= 3'd5;

  t264_inverse4 u_vertical (
    .in_i ({line_q[63:48], side_q}),
    .out_o(side)
  );

  always @* begin
    sum_d = line_q;
    for (i = 0; i < 4; i = i + 1) begin
      if (row4_q == 2'd1) sum_d[16*i +: 16] = sum_q[16*i +: 16] - line_q[16*i +: 16];
      if (row4_q == 2'd2) sum_d[16*i +: 16] = sum_q[16*i +: 16] + line_q[16*i +: 16];
      if (row4_q == 2'd3)
        sum_d[16*i +: 16] = sum_q[16*i +: 16] - {line_q[16*i+15], line_q[16*i+1 +: 15]};
    end
  end

  always @(posedge clk_i) begin
    full_q <= !rst_i && (finish || two_q);
    two_q  <= finish && block4_q == 3'd6;
  end

  always @(posedge clk_i) begin
    sum_q   <= sum_d;
    side_q  <= {line_q[63:48], side_q[47:16]};
    right_q <= side;
    lower_q <= !finish ? right_q : lower_first ? sum_d : side;
  end

  // Residuals wait for the DC coefficient.
  wire        unused_valid;
  wire        unused_queue;
  wire [63:0] word;

  vc_fifo_ram #(
    .Width(64),
    .Depth(16)
  ) u_words (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .in_valid_i (full_q),
    .in_ready_o (unused_queue),
    .in_data_i  (lower_q),
    .out_valid_o(unused_valid),
    .out_ready_i(dc_valid_i),
    .out_data_o (word)
  );

  // Sum, limits.
  reg                         sum_valid_q;
  reg [2:0]                   word_q;  // of the 8
  reg [2:0]                   place_q;
  reg [39:0]                  res_q;   // s10
  reg [31:0]                  pred_q;
  reg [31:0]                  rec;
  reg [127:0]                 bottom_q;
  reg [127:0]                 column_q;
  reg [`T264_BORDER_BITS-1:0] meta_q;
  reg                         done_q;
  reg [10:0]                  sample;

  wire to_side = place_q == 3'd0 || place_q == 3'd1 || place_q == 3'd4 || place_q == 3'd7;

  assign done_valid_o = done_q;

  assign done_data_o[`T264_DONE_THREAD] = meta_q[`T264_BORDER_THREAD];
  assign done_data_o[`T264_DONE_X]      = meta_q[`T264_BORDER_X];
  assign done_data_o[`T264_DONE_BOTTOM] = bottom_q;
  assign done_data_o[`T264_DONE_RIGHT]  = column_q;
  assign done_data_o[`T264_DONE_BELOW]  = meta_q[`T264_BORDER_BELOW];
  assign done_data_o[`T264_DONE_BESIDE] = meta_q[`T264_BORDER_BESIDE];

  always @* begin
    for (i = 0; i < 4; i = i + 1) begin
      sample = {res_q[10*i+9], res_q[10*i +: 10]} + {3'd0, pred_q[8*i +: 8]};
      rec[8*i +: 8] = sample[10] ? 8'd0 : sample[9:8] != 2'd0 ? 8'd255 : sample[7:0];
    end
  end

  always @(posedge clk_i) begin
    if (rst_i) begin
      word_q <= 3'd0;
      done_q <= 1'b0;
    end else begin
      if (dc_valid_i) word_q <= word_q + 3'd1;
      done_q <= sum_valid_q && place_q == 3'd7 || done_q && !done_ready_i;
    end
  end

  always @(posedge clk_i) begin
    sum_valid_q <= dc_valid_i;  // 0 from the second cycle of a reset on
    place_q     <= word_q;
    pred_q      <= dc_data_i[`T264_DC_PRED];
    if (dc_valid_i) meta_q <= dc_meta_i;
    if (sum_valid_q && to_side) column_q <= {rec, column_q[127:32]};
    if (sum_valid_q && !to_side) bottom_q <= {rec, bottom_q[127:32]};
  end

  genvar g;
  generate
    for (g = 0; g < 4; g = g + 1) begin : gen_sum
      wire [15:0] res = word[16*g +: 16] + dc_data_i[`T264_DC_VALUE] + 16'd32;
      wire unused = &{1'b0, res[5:0]};
      always @(posedge clk_i) res_q[10*g +: 10] <= res[15:6];
    end
  endgenerate

endmodule

`default_nettype wire
