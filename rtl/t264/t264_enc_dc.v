// The DC coefficients of a macroblock (package t264, rules 3, 4 and 6): Hadamard
// transform, quantisation, and for the reconstruction of the border the inverse
// transform and scaling; it ends a macroblock with the word mb_*.
//
// A 4x4 array holds the values, rows of blocks times columns of blocks; one row
// or one column goes through the transform in a cycle. Steps: 4 rows, 4 columns
// into the quantisers, 4 columns of levels back, 4 rows, 8 words of 4 border
// samples.
//
// Words: SUM and TOKEN in, MB, DC and BORDER out (gen/t264_enc_words.vh).
//
// Mirror:     t264/hwenc/dc.go
// Latency:    10 from the last block to the levels, 20 to the first border word
// Throughput: 1 macroblock in 30 cycles
// Storage:    16 * (14 + 18 + 14) bits and pipeline registers

`default_nettype none
`include "t264_enc_words.vh"

module t264_enc_dc #(
  parameter Threads    = 4,   // frames in flight
  parameter FrameMBs   = 64,  // widest frame in macroblocks, 2..256
  parameter ThreadBits = Threads > 1 ? $clog2(Threads) : 1,   // bits of a thread number
  parameter XBits      = FrameMBs > 1 ? $clog2(FrameMBs) : 1  // bits of the column of a macroblock
) (
  input  wire                         clk_i,
  input  wire                         rst_i,
  input  wire                         in_valid_i,
  output wire                         in_ready_o,
  input  wire [`T264_SUM_BITS-1:0]    in_data_i,
  input  wire                         ac_moved_i,  // the AC levels of a macroblock are out
  input  wire                         hdr_valid_i,
  output wire                         hdr_ready_o,
  input  wire [`T264_TOKEN_BITS-1:0]  hdr_data_i,
  output wire                         mb_valid_o,
  input  wire                         mb_ready_i,
  output wire [`T264_MB_BITS-1:0]     mb_data_o,
  output wire                         out_valid_o,
  output wire [`T264_DC_BITS-1:0]     out_data_o,
  output wire [`T264_BORDER_BITS-1:0] meta_o
);

  localparam W   = 18;  // bits of a value of the array
  localparam SUM = `T264_SUM_BITS;

  localparam [2:0] IDLE = 3'd0, ROWS = 3'd1, COLUMNS = 3'd2, LEVELS = 3'd3, BACK = 3'd4;
  localparam [2:0] BORDER = 3'd5, DRAIN = 3'd6;

  // Blocks gather in decoding order.
  reg  [16*SUM-1:0] blocks_q;
  reg  [3:0]       count_q;
  reg              full_q;
  reg  [2:0]       state_q, step_q;
  reg              mb_valid_q;
  reg              mb_full_q;  // the levels are there
  reg              out_valid_q, out_last_q;

  wire start    = state_q == IDLE && full_q && hdr_valid_i && !mb_full_q && !mb_valid_q;
  wire finish   = out_last_q;

  assign in_ready_o  = !full_q;
  assign hdr_ready_o = finish;

  always @(posedge clk_i) begin
    if (rst_i) begin
      count_q <= 4'd0;
      full_q  <= 1'b0;
    end else begin
      if (in_valid_i && !full_q) count_q <= count_q + 4'd1;
      full_q <= in_valid_i && count_q == 4'd15 || full_q && !start;
    end
  end

  always @(posedge clk_i) begin
    if (in_valid_i && !full_q) blocks_q <= {in_data_i, blocks_q[16*SUM-1:SUM]};
  end

  // The array, value (row, column) at 4 * row + column.
  reg  [16*W-1:0] array_q;
  reg  [16*W-1:0] array_d;
  reg  [15:0]     coded;  // by decoding order
  reg  [15:0]     coded_q;
  reg  [4*W-1:0]  line;
  wire [4*W-1:0]  turned;
  wire [55:0]     back;   // a column of levels s14
  integer         i;

  wire by_row  = state_q == ROWS || state_q == BACK;
  wire back_in = state_q == LEVELS;  // 4 cycles behind COLUMNS

  t264_hadamard4 #(
    .Width(W)
  ) u_hadamard (
    .in_i (line),
    .out_o(turned)
  );

  always @* begin
    for (i = 0; i < 16; i = i + 1) coded[i] = blocks_q[SUM*i + `T264_SUM_CODED];
    for (i = 0; i < 4; i = i + 1) begin
      line[W*i +: W] = array_q[4*W*i +: W];  // column 0
      if (by_row) line[W*i +: W] = array_q[W*i +: W];
      if (back_in) line[W*i +: W] = {{(W - 14) {back[14*i+13]}}, back[14*i +: 14]};
    end
  end

  always @* begin
    array_d = array_q;
    if (start) begin
      for (i = 0; i < 16; i = i + 1)
        array_d[W*i +: W] = {{(W - 13) {blocks_q[SUM*((i/8)*8+(i/4%2)*2+(i/2%2)*4+i%2+1)-1]}},
                             blocks_q[SUM*((i/8)*8+(i/4%2)*2+(i/2%2)*4+i%2) + `T264_SUM_DC]};
    end else if (by_row) begin
      array_d = {turned, array_q[16*W-1:4*W]};
    end else begin
      for (i = 0; i < 4; i = i + 1)
        array_d[4*W*i +: 4*W] = {turned[W*i +: W], array_q[4*W*i+W +: 3*W]};
    end
  end

  always @(posedge clk_i) begin
    if (start || by_row || state_q == COLUMNS || back_in) array_q <= array_d;
    if (start) coded_q <= coded;
  end

  always @(posedge clk_i) begin
    if (rst_i) begin
      state_q <= IDLE;
    end else begin
      case (state_q)
        ROWS: if (step_q == 3'd3) state_q <= COLUMNS;
        COLUMNS: if (step_q == 3'd3) state_q <= LEVELS;
        LEVELS: if (step_q == 3'd3) state_q <= BACK;
        BACK: if (step_q == 3'd3) state_q <= BORDER;
        BORDER: if (step_q == 3'd7) state_q <= DRAIN;
        DRAIN: if (finish) state_q <= IDLE;
        default: if (start) state_q <= ROWS;
      endcase
      if (state_q == IDLE) step_q <= 3'd0;
      else if (state_q != BORDER) step_q <= {1'b0, step_q[1:0] + 2'd1};
      else step_q <= step_q + 3'd1;
    end
  end

  // Quantisers of a column.
  wire [3:0]  sixth;
  wire [2:0]  rem;
  wire [41:0] scale;
  wire [14:0] steps;

  t264_qp u_qp (
    .qp_i(hdr_data_i[`T264_TOKEN_QP]), .div_o(sixth), .rem_o(rem)
  );

  t264_scale4 u_scale4 (
    .rem_i(rem), .row_o(scale)
  );

  t264_norm4 u_norm4 (
    .rem_i(rem), .row_o(steps)
  );

  reg  [3:0]  sixth_q;
  reg  [13:0] scale_q;
  reg  [4:0]  step5_q;
  wire [3:0]  set;

  always @(posedge clk_i) begin
    sixth_q <= sixth;
    scale_q <= scale[13:0];
    step5_q <= steps[4:0];
  end

  genvar g;
  generate
    for (g = 0; g < 4; g = g + 1) begin : gen_level
      // A DC level may stand alone.
      /* verilator lint_off PINCONNECTEMPTY */
      t264_level #(
        .Coef (16),
        .Base (11),
        .Units(19)
      ) u_level (
        .clk_i   (clk_i),
        .enable_i(1'b1),
        .coef_i  (turned[W*g +: 17]),
        .scale_i (scale_q),
        .sixth_i (sixth_q),
        .level_o (back[14*g +: 14]),
        .set_o   (set[g]),
        .weak_o  ()
      );
      /* verilator lint_on PINCONNECTEMPTY */
    end
  endgenerate

  // The word of the macroblock. Column c has the scan positions of 4 * c + row.
  reg                       credit_q;  // the AC levels of a macroblock are out
  reg  [`T264_MB_DC_AT-1:0] head_q;
  reg  [223:0]              levels_q;
  reg                       dc_set_q;
  wire [223:0]              placed;

  t264_scan4_column #(.Width(14)) u_column (
    .column_i(step_q[1:0]), .values_i(back), .levels_i(levels_q), .levels_o(placed)
  );

  wire [1:0] mode    = hdr_data_i[`T264_TOKEN_MODE];
  wire       publish = mb_full_q && credit_q;

  assign mb_valid_o                    = mb_valid_q;
  assign mb_data_o[`T264_MB_DC_AT-1:0] = head_q;
  assign mb_data_o[`T264_MB_DC]        = levels_q;

  always @(posedge clk_i) begin
    if (rst_i) begin
      mb_full_q  <= 1'b0;
      mb_valid_q <= 1'b0;
      credit_q   <= 1'b0;
    end else begin
      mb_full_q  <= state_q == LEVELS && step_q == 3'd3 || mb_full_q && !publish;
      mb_valid_q <= publish || mb_valid_q && !mb_ready_i;
      credit_q   <= ac_moved_i || credit_q && !publish;
    end
  end

  always @(posedge clk_i) begin
    if (start) begin
      head_q[`T264_MB_THREAD]      <= hdr_data_i[`T264_TOKEN_THREAD];
      head_q[`T264_MB_QP]          <= hdr_data_i[`T264_TOKEN_SLICE_QP];
      head_q[`T264_MB_MODE]        <= mode;
      head_q[`T264_MB_CBP]         <= |coded;
      head_q[`T264_MB_QP_DELTA]    <= hdr_data_i[`T264_TOKEN_DELTA];
      head_q[`T264_MB_CHANGED]     <= hdr_data_i[`T264_TOKEN_CHANGED];
      head_q[`T264_MB_LEFT]        <= hdr_data_i[`T264_TOKEN_LEFT];
      head_q[`T264_MB_ABOVE]       <= hdr_data_i[`T264_TOKEN_ABOVE];
      head_q[`T264_MB_LEFT_CODED]  <= hdr_data_i[`T264_TOKEN_LEFT_CODED];
      head_q[`T264_MB_ABOVE_CODED] <= hdr_data_i[`T264_TOKEN_ABOVE_CODED];
      head_q[`T264_MB_LAST]        <= hdr_data_i[`T264_TOKEN_LAST];
      dc_set_q                     <= 1'b0;
    end
    if (back_in) begin
      dc_set_q <= dc_set_q || set != 4'd0;
      levels_q <= placed;
    end
  end

  // Border words: right 0 and 1, lower 0 and 1, right 2, lower 2 and 3, right 3.
  wire [127:0]   vector   = hdr_data_i[`T264_TOKEN_VECTOR];
  reg  [W-1:0]   value;
  reg            valid1_q, valid2_q;
  reg  [2:0]     step1_q, step2_q;
  reg  [W-1:0]   value_q, product_q;
  reg  [15:0]    out_dc_q;
  reg  [31:0]    out_pred_q;

  wire [W-1:0] scaled = product_q << sixth_q;
  wire         right  = step2_q == 3'd0 || step2_q == 3'd1 || step2_q == 3'd4 || step2_q == 3'd7;
  wire [1:0]   place  = {step2_q[2], step2_q[2] ? step2_q[1] : step2_q[0]};
  wire         far    = mode == 2'd0 && right || mode == 2'd1 && !right;  // the last sample

  wire unused = &{1'b0, scale[41:14], steps[14:5], coded_q, scaled[0]};

  always @* begin
    case (step_q)
      3'd0: value = array_q[3*W +: W];
      3'd1: value = array_q[7*W +: W];
      3'd2: value = array_q[12*W +: W];
      3'd3: value = array_q[13*W +: W];
      3'd4: value = array_q[11*W +: W];
      3'd5: value = array_q[14*W +: W];
      default: value = array_q[15*W +: W];
    endcase
  end

  assign out_valid_o = out_valid_q;
  assign out_data_o[`T264_DC_VALUE]  = out_dc_q;
  assign out_data_o[`T264_DC_PRED]   = out_pred_q;
  assign meta_o[`T264_BORDER_THREAD] = hdr_data_i[`T264_TOKEN_THREAD];
  assign meta_o[`T264_BORDER_X]      = hdr_data_i[`T264_TOKEN_X];
  assign meta_o[`T264_BORDER_BELOW]  = {dc_set_q, coded_q[15:14], coded_q[11:10]};
  assign meta_o[`T264_BORDER_BESIDE] =
    {dc_set_q, coded_q[15], coded_q[13], coded_q[7], coded_q[5]};

  always @(posedge clk_i) begin
    if (rst_i) begin
      valid1_q    <= 1'b0;
      valid2_q    <= 1'b0;
      out_valid_q <= 1'b0;
    end else begin
      valid1_q    <= state_q == BORDER;
      valid2_q    <= valid1_q;
      out_valid_q <= valid2_q;
    end
  end

  always @(posedge clk_i) begin
    step1_q    <= step_q;
    value_q    <= value;
    step2_q    <= step1_q;
    product_q  <= value_q * {{(W - 5) {1'b0}}, step5_q};
    out_last_q <= step2_q == 3'd7;
    out_dc_q   <= scaled[W-1:2] + {15'd0, scaled[1]};
    out_pred_q <= far ? {4{vector[127:120]}} : vector[32*place +: 32];
  end

endmodule

`default_nettype wire
