// Reconstruction (clause 8.6.7): prediction plus residual, limited to 8 bits, four samples
// a cycle, and what blocks to come are predicted from. Samples come by rows or by columns;
// words of the last line go to the windows as they are, and those at the ends of four
// lines are put together to one. Both are written in the first cycle of their samples.
//
// Words: DEC_SUM in, DEC_LEFT out (gen/t265_dec_pixel_words.vh).
//
// Mirror:     t265/hwdec/recon.go
// Latency:    1
// Throughput: 4 samples a cycle
// Storage:    78 + ThreadBits + 2 * PosBits bits

`default_nettype none
`include "t265_dec_pixel_words.vh"

module t265_dec_recon #(
  parameter Threads    = 16,  // independent frames
  parameter FrameCTUs  = 16,  // widest and highest frame, in CTUs of 16 samples
  parameter ThreadBits = Threads > 1 ? $clog2(Threads) : 1,  // bits of a thread number
  parameter PosBits    = $clog2(FrameCTUs) + 2  // bits of a column or row, in units of four
) (
  input  wire                           clk_i,
  input  wire                           rst_i,
  input  wire                           sum_valid_i,
  output wire                           sum_ready_o,
  input  wire [`T265_DEC_SUM_BITS-1:0]  sum_i,
  input  wire                           pred_valid_i,
  output wire                           pred_ready_o,
  input  wire [31:0]                    pred_i,
  input  wire                           res_valid_i,   // of coded blocks alone
  output wire                           res_ready_o,
  input  wire [35:0]                    res_i,         // s9
  output wire                           out_valid_o,
  input  wire                           out_ready_i,
  output wire [ThreadBits-1:0]          out_thread_o,
  output wire                           out_columns_o, // samples downwards
  output wire [PosBits+1:0]             out_x_o,       // of the first one
  output wire [PosBits+1:0]             out_y_o,
  output wire [31:0]                    out_data_o,
  output wire                           done_o,        // the block of out_thread_o ends
  // windows, at out_thread_o
  output wire                           above_we_o,
  output wire                           left_we_o,
  output wire [PosBits-1:0]             x_o,
  output wire [PosBits-1:0]             y_o,
  output wire [31:0]                    above_o,
  output wire [`T265_DEC_LEFT_BITS-1:0] left_o
);

  // The samples that come.
  reg  [3:0]  line_q;  // row or column
  reg  [1:0]  word_q;  // four samples of it
  wire [1:0]  log2      = sum_i[`T265_DEC_SUM_LOG2];
  wire        columns   = sum_i[`T265_DEC_SUM_BY_COLUMNS];
  wire        coded     = sum_i[`T265_DEC_SUM_CODED];
  wire [1:0]  inner     = {log2[1], |log2};
  wire        line_ends = word_q == inner;
  wire        last_line = line_q == {inner, 2'd3};
  wire        moves     = sum_valid_i && pred_valid_i && (res_valid_i || !coded)
                       && (!valid_q || out_ready_i);
  reg  [31:0] samples_d;
  reg  [9:0]  sum;
  integer     i;

  always @* begin
    for (i = 0; i < 4; i = i + 1) begin
      sum = {res_i[9*i+8], res_i[9*i +: 9]} & {10{coded}};
      sum = sum + {2'd0, pred_i[8*i +: 8]};
      samples_d[8*i +: 8] = sum[9] ? 8'd0 : sum[8] ? 8'd255 : sum[7:0];
    end
  end

  // Those that were summed.
  reg                  valid_q;
  reg                  fresh_q;      // in their first cycle
  reg [31:0]           samples_q;
  reg [ThreadBits-1:0] thread_q;
  reg                  columns_q;
  reg [PosBits-1:0]    x_q;
  reg [PosBits-1:0]    y_q;
  reg [1:0]            low_q;        // row, or column, in these
  reg                  line_ends_q;
  reg                  main_q;       // of the last line
  reg                  side_q;       // at the end of the last one of four lines
  reg [7:0]            corner_q;     // above the next word of the column on the left
  reg [23:0]           sides_q;      // ends of lines

  wire [31:0]        side   = {samples_q[31:24], sides_q};
  wire [PosBits-1:0] along  = {{(PosBits - 2) {1'b0}}, word_q};
  wire [PosBits-1:0] across = {{(PosBits - 2) {1'b0}}, line_q[3:2]};

  assign sum_ready_o  = moves && line_ends && last_line;
  assign pred_ready_o = moves;
  assign res_ready_o  = moves && coded;

  assign out_valid_o   = valid_q;
  assign out_thread_o  = thread_q;
  assign out_columns_o = columns_q;
  assign out_x_o       = {x_q, low_q & {2{columns_q}}};
  assign out_y_o       = {y_q, low_q & {2{!columns_q}}};
  assign out_data_o    = samples_q;
  assign done_o        = fresh_q && main_q && line_ends_q;

  assign above_we_o = fresh_q && (columns_q ? side_q : main_q);
  assign left_we_o  = fresh_q && (columns_q ? main_q : side_q);
  assign x_o        = x_q;
  assign y_o        = y_q;
  assign above_o    = columns_q ? side : samples_q;
  assign left_o[`T265_DEC_LEFT_SAMPLES] = columns_q ? samples_q : side;
  assign left_o[`T265_DEC_LEFT_CORNER]  = corner_q;

  always @(posedge clk_i) begin
    if (rst_i) begin
      line_q  <= 4'd0;
      word_q  <= 2'd0;
      valid_q <= 1'b0;
      fresh_q <= 1'b0;
    end else begin
      fresh_q <= moves;
      if (moves) valid_q <= 1'b1;
      else if (out_ready_i) valid_q <= 1'b0;
      if (moves) word_q <= line_ends ? 2'd0 : word_q + 2'd1;
      if (moves && line_ends) line_q <= last_line ? 4'd0 : line_q + 4'd1;
    end
  end

  always @(posedge clk_i) begin
    if (moves) begin
      samples_q   <= samples_d;
      thread_q    <= sum_i[`T265_DEC_SUM_THREAD];
      columns_q   <= columns;
      x_q         <= sum_i[`T265_DEC_SUM_X] | (columns ? across : along);
      y_q         <= sum_i[`T265_DEC_SUM_Y] | (columns ? along : across);
      low_q       <= line_q[1:0];
      line_ends_q <= line_ends;
      main_q      <= last_line;
      side_q      <= line_ends && (&line_q[1:0]);
    end
    if (fresh_q && line_ends_q) sides_q <= side[31:8];
    if (line_q == 4'd0) corner_q <= sum_i[`T265_DEC_SUM_CORNER];
    else if (left_we_o) corner_q <= samples_q[31:24];
  end

endmodule

`default_nettype wire
