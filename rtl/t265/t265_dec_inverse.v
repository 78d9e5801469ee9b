// Inverse path of the decoder (clauses 8.6.2 and 8.6.4): levels of coded blocks in, four
// scan positions a word, residuals out, four samples a word. Blocks keep their order. One
// engine does columns and rows in turn: see t265_dec_passes.
//
// Levels of a block that are not in its words are zero; its other fields are the same in
// all of them.
//
// Mirror:     t265/hwdec/itransform.go
// Latency:    from the last levels to the first samples 14 with transform skip, 23 for
//             4x4, 31 for 8x8, 79 for 16x16; with MaxTU 8 one less a pass
// Throughput: a block in 65 cycles for 16x16, 17 for 8x8, 8.5 for 4x4, 7 with transform skip
// Storage:    20 SRAMs of 1024 to 1152 bits, about 1500 bits

`default_nettype none

module t265_dec_inverse #(
  parameter MaxTU     = 16,  // largest block, 8 or 16
  parameter MinTU     = 4,   // smallest block, 4 or 8
  parameter PlaceBits = $clog2(MaxTU / 4)  // bits of the row or column of a sub-block
) (
  input  wire                 clk_i,
  input  wire                 rst_i,
  input  wire                 in_valid_i,
  output wire                 in_ready_o,
  input  wire [1:0]           in_log2_i,     // of the size, less 2
  input  wire                 in_skip_i,     // transform_skip_flag, of 4x4 blocks alone
  input  wire [1:0]           in_scan_i,     // scanIdx
  input  wire [5:0]           in_qp_i,
  input  wire                 in_columns_i,  // the residual leaves by columns
  input  wire [PlaceBits-1:0] in_x_i,        // sub-block
  input  wire [PlaceBits-1:0] in_y_i,
  input  wire [1:0]           in_group_i,    // of four scan positions
  input  wire                 in_last_i,     // of the block
  input  wire [63:0]          in_levels_i,   // s16
  output wire                 out_valid_o,
  input  wire                 out_ready_i,
  output wire [35:0]          out_data_o     // s9
);

  generate
    if (MaxTU != 8 && MaxTU != 16) begin : gen_illegal_max_tu
      illegal_MaxTU_is_neither_8_nor_16 u_illegal ();
    end
    if (MinTU != 4 && MinTU != 8) begin : gen_illegal_min_tu
      illegal_MinTU_is_neither_4_nor_8 u_illegal ();
    end
  endgenerate

  localparam SIDE  = PlaceBits + 2;          // bits of a row or column
  localparam GROUP = 5 + 2 * PlaceBits + 1;  // bits of the place of a group
  localparam [1:0] NONE = 2'd0, COLUMNS = 2'd1, ROWS = 2'd2;

  // Scaling.
  wire             take = in_valid_i && in_ready_o;
  wire             in_page;
  wire [3:0]       div;
  wire [5:0]       rem;
  wire [63:0]      coefs;
  reg  [3:0]       shift_q;
  reg              fresh_q;       // the next group is the first of its block
  reg              product_q;     // there are products
  reg              there_q;       // those of the last group of a block
  reg              coef_q;        // there are coefficients
  reg  [GROUP-1:0] product_place_q;
  reg  [GROUP-1:0] place_q;
  wire [GROUP-1:0] in_place = {in_page, in_y_i, in_x_i, in_scan_i, in_group_i, fresh_q};

  t265_qp u_qp (
    .qp_i (in_qp_i),
    .div_o(div),
    .rem_o(rem)
  );

  always @(posedge clk_i) begin
    if (rst_i) begin
      fresh_q <= 1'b1;
      there_q <= 1'b0;
    end else begin
      if (take) fresh_q <= in_last_i;
      there_q <= take && in_last_i;
    end
  end

  // What is written for nothing after reset is not there for the first block.
  always @(posedge clk_i) begin
    product_q       <= take;
    coef_q          <= product_q;
    shift_q         <= div + 4'd3 - {2'd0, in_log2_i};
    product_place_q <= in_place;
    place_q         <= product_place_q;
  end

  genvar g;
  generate
    for (g = 0; g < 4; g = g + 1) begin : gen_level
      t265_dec_dequant u_dequant (
        .clk_i  (clk_i),
        .level_i(in_levels_i[16*g +: 16]),
        .rem_i  (rem),
        .shift_i(shift_q),
        .coef_o (coefs[16*g +: 16])
      );
    end
  endgenerate

  // Passes.
  wire [1:0]      pass;
  wire            page;
  wire [1:0]      log2;
  wire [1:0]      scan;
  wire [SIDE-1:0] line;
  wire            half;
  wire [1:0]      sum_pass;
  wire            sum_small;
  wire [1:0]      put_pass;
  wire            put_page;
  wire [SIDE-1:0] put_line;
  wire            put_half;
  wire            word_valid;
  wire            word_page;
  wire            word_columns;
  wire [SIDE-1:0] word_line;
  wire [SIDE-3:0] word_part;
  wire            leave;  // words move on

  t265_dec_passes #(
    .MaxTU(MaxTU)
  ) u_passes (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .in_ready_o    (in_ready_o),
    .in_page_o     (in_page),
    .in_end_i      (take && in_last_i),
    .in_log2_i     (in_log2_i),
    .in_skip_i     (in_skip_i),
    .in_columns_i  (in_columns_i),
    .in_scan_i     (in_scan_i),
    .in_there_i    (there_q),
    .pass_o        (pass),
    .page_o        (page),
    .log2_o        (log2),
    .scan_o        (scan),
    .line_o        (line),
    .half_o        (half),
    .sum_pass_o    (sum_pass),
    .sum_small_o   (sum_small),
    .put_pass_o    (put_pass),
    .put_page_o    (put_page),
    .put_line_o    (put_line),
    .put_half_o    (put_half),
    .word_valid_o  (word_valid),
    .word_ready_i  (leave),
    .word_page_o   (word_page),
    .word_columns_o(word_columns),
    .word_line_o   (word_line),
    .word_part_o   (word_part)
  );

  wire [127:0] column;
  wire [127:0] row;
  wire [127:0] values;
  reg  [1:0]   pass_q;  // of the beat that was read
  reg  [1:0]   part_q;
  reg          short_q;

  t265_dec_coefs #(
    .MaxTU(MaxTU)
  ) u_coefs (
    .clk_i    (clk_i),
    .we_i     (coef_q),
    .fresh_i  (place_q[0]),
    .wpage_i  (place_q[GROUP-1]),
    .wx_i     (place_q[5 +: PlaceBits]),
    .wy_i     (place_q[5+PlaceBits +: PlaceBits]),
    .wscan_i  (place_q[4:3]),
    .wgroup_i (place_q[2:1]),
    .wdata_i  (coefs),
    .re_i     (pass[0]),
    .rpage_i  (page),
    .rcolumn_i(line),
    .rhalf_i  (half),
    .rscan_i  (scan),
    .rdata_o  (column)
  );

  t265_dec_transpose #(
    .MaxTU(MaxTU)
  ) u_transpose (
    .clk_i    (clk_i),
    .we_i     (put_pass == COLUMNS),
    .wpage_i  (put_page),
    .wcolumn_i(put_line),
    .whalf_i  (put_half),
    .wdata_i  (values),
    .re_i     (pass == ROWS),
    .rpage_i  (page),
    .rrow_i   (line),
    .rhalf_i  (half),
    .rdata_o  (row)
  );

  always @(posedge clk_i) begin
    pass_q  <= pass;
    part_q  <= pass == NONE || log2 == 2'd0 ? 2'd0 : log2[0] ? 2'd1 : {1'b1, half};
    short_q <= pass != NONE && log2 == 2'd0;
  end

  t265_dec_itransform #(
    .MaxTU(MaxTU),
    .MinTU(MinTU)
  ) u_itransform (
    .clk_i    (clk_i),
    .part_i   (part_q),
    .short_i  (short_q),
    .skip_i   (&pass_q),
    .values_i (pass_q[0] ? column : row),
    .columns_i(sum_pass == COLUMNS),
    .small_i  (sum_small),
    .en_i     (sum_pass != NONE),
    .values_o (values)
  );

  // Residuals.
  wire [71:0] residual;
  wire [35:0] word;
  reg         fetched_q;
  reg         out_valid_q;
  reg  [35:0] out_q;

  generate
    for (g = 0; g < 8; g = g + 1) begin : gen_residual
      assign residual[9*g +: 9] = values[16*g +: 9];
    end
  endgenerate

  t265_dec_turned #(
    .MaxTU(MaxTU)
  ) u_turned (
    .clk_i     (clk_i),
    .we_i      (put_pass[1]),
    .wpage_i   (put_page),
    .wrow_i    (put_line),
    .whalf_i   (put_half),
    .wdata_i   (residual),
    .re_i      (leave && word_valid),
    .rpage_i   (word_page),
    .rcolumns_i(word_columns),
    .rline_i   (word_line),
    .rpart_i   (word_part),
    .rdata_o   (word)
  );

  always @(posedge clk_i) begin
    if (rst_i) begin
      fetched_q   <= 1'b0;
      out_valid_q <= 1'b0;
    end else if (leave) begin
      fetched_q   <= word_valid;
      out_valid_q <= fetched_q;
    end
  end

  always @(posedge clk_i) begin
    if (leave && fetched_q) out_q <= word;
  end

  assign leave       = !out_valid_q || out_ready_i;
  assign out_valid_o = out_valid_q;
  assign out_data_o  = out_q;

endmodule

`default_nettype wire
