// Scales transform coefficient levels, four a cycle (clauses 8.5.9 to 8.5.13
// with flat lists): those of row y of a 4x4 block in phase y, or four scan
// positions of an 8x8 block. Levels of DC blocks take the scale of position 0;
// their shift comes after the transform.
//
// Mirror:     t264/hwdec/pixels.go
// Latency:    4, from the word of levels, which is there in phases 1 to 0
// Throughput: 4 levels a cycle
// Storage:    341 bits
// Packing:    level i of 16 in scan order in levels_i[16*i +: 16], coefficient j in
//             coef_o[18*j +: 18]

`default_nettype none

module t264_dequant (
  input  wire         clk_i,
  input  wire [1:0]   phase_i,
  // the word that is read in phase 0, for the slot
  input  wire         on_i,
  input  wire [1:0]   kind_i,     // 0 4x4, 1 8x8, 2 AC, 3 DC
  input  wire [1:0]   word_i,     // of an 8x8 block
  input  wire [5:0]   qp_i,
  input  wire [255:0] levels_i,
  output reg  [71:0]  coef_o      // s18, in phases 0 to 3 of the next slot
);

  localparam [1:0] WIDE = 2'd1;
  localparam [1:0] DC   = 2'd3;

  // Norms and shift of the word, from phase 1 on.
  wire [2:0]  rem;
  wire [3:0]  div;
  wire [14:0] norm4;
  wire [35:0] norm8;
  reg  [14:0] norm4_q;
  reg  [35:0] norm8_q;
  reg  [3:0]  shift_q;
  reg  [3:0]  shift2_q;
  reg         wide_q;
  reg         wide2_q;
  reg         dc_q;
  reg         on_q;
  reg  [1:0]  word_q;

  t264_qp u_qp (
    .qp_i (qp_i),
    .div_o(div),
    .rem_o(rem)
  );

  t264_norm4 u_norm4 (
    .rem_i(rem),
    .row_o(norm4)
  );

  t264_norm8 u_norm8 (
    .rem_i(rem),
    .row_o(norm8)
  );

  always @(posedge clk_i) begin
    norm4_q <= norm4;
    norm8_q <= norm8;
    shift_q <= div;
    wide_q  <= kind_i == WIDE;
    dc_q    <= kind_i == DC;
    on_q    <= on_i;
    word_q  <= word_i;
    if (phase_i == 2'd2) begin
      shift2_q <= shift_q;
      wide2_q  <= wide_q;
    end
  end

  // Levels and norms of this cycle: row or group y of the word.
  wire [1:0]  y = phase_i - 2'd1;
  wire [11:0] class8;
  wire [63:0] row;    // of a 4x4 block
  reg  [63:0] level;
  reg  [63:0] level_q;
  reg  [23:0] norm;
  reg  [23:0] norm_q;
  integer     j;

  t264_class8 u_class8 (
    .group_i({word_q, y}),
    .row_o  (class8)
  );

  t264_scan4_row #(
    .Width(16)
  ) u_row (
    .row_i   (y),
    .levels_i(levels_i),
    .values_o(row)
  );

  always @* begin
    level = wide_q ? levels_i[64*y +: 64] : row;
    for (j = 0; j < 4; j = j + 1) begin
      norm[6*j +: 6] = {1'b0, norm4_q[4:0]};  // both coordinates even
      if (!dc_q && (j[0] != y[0])) norm[6*j +: 6] = {1'b0, norm4_q[14:10]};
      if (!dc_q && j[0] && y[0]) norm[6*j +: 6] = {1'b0, norm4_q[9:5]};
      if (wide_q) norm[6*j +: 6] = norm8_q[6*class8[3*j +: 3] +: 6];
    end
  end

  always @(posedge clk_i) begin
    level_q <= on_q ? level : 64'd0;
    norm_q  <= norm;
  end

  // Products and their shift, which wrap at 18 bits. An 8x8 block has two bits less.
  wire signed [17:0] product_0 = $signed(level_q[15:0]) * $signed({1'b0, norm_q[5:0]});
  wire signed [17:0] product_1 = $signed(level_q[31:16]) * $signed({1'b0, norm_q[11:6]});
  wire signed [17:0] product_2 = $signed(level_q[47:32]) * $signed({1'b0, norm_q[17:12]});
  wire signed [17:0] product_3 = $signed(level_q[63:48]) * $signed({1'b0, norm_q[23:18]});
  reg  [71:0] product_q;
  reg  [71:0] coef;
  reg  [17:0] scaled;
  reg  [15:0] rounded;

  always @(posedge clk_i) begin
    product_q <= {product_3, product_2, product_1, product_0};
  end

  always @* begin
    for (j = 0; j < 4; j = j + 1) begin
      scaled  = product_q[18*j +: 18] << shift2_q;
      rounded = scaled[17:2] + {15'd0, scaled[1]};  // (scaled + 2) >> 2
      coef[18*j +: 18] = scaled;
      if (wide2_q) coef[18*j +: 16] = rounded;  // 16 bits of it count
    end
  end

  always @(posedge clk_i) coef_o <= coef;

endmodule

`default_nettype wire
