// Quantisation of AC coefficients (package t264, rule 4): Values a cycle in, a
// block of 15 levels out, to three places: the entropy coding, the DC path, and
// for the blocks at the lower and the right border the reconstruction.
//
// Words: COEF in, AC, SUM and EDGE out (gen/t264_enc_words.vh). There is always room
// for the last one.
//
// Mirror:     t264/hwenc/quant.go
// Latency:    5 from the last beat of a block
// Throughput: 1 beat a cycle
// Storage:    about 100 * Values + 400 bits

`default_nettype none
`include "t264_enc_words.vh"

module t264_quant #(
  parameter Threads    = 4,  // frames in flight
  parameter Values     = 8,  // coefficients a cycle, 4 or 8
  parameter ThreadBits = Threads > 1 ? $clog2(Threads) : 1  // bits of a thread number
) (
  input  wire                       clk_i,
  input  wire                       rst_i,
  input  wire                       in_valid_i,
  output wire                       in_ready_o,
  input  wire [`T264_COEF_BITS-1:0] in_data_i,
  output wire                       ac_valid_o,
  input  wire                       ac_ready_i,
  output wire [`T264_AC_BITS-1:0]   ac_data_o,
  output wire                       sum_valid_o,
  input  wire                       sum_ready_i,
  output wire [`T264_SUM_BITS-1:0]  sum_data_o,
  output wire                       edge_valid_o,
  output wire [`T264_EDGE_BITS-1:0] edge_data_o
);

  generate
    if (Values != 4 && Values != 8) begin : gen_illegal_values
      illegal_Values_is_neither_4_nor_8 u_illegal ();
    end
  endgenerate

  localparam SUB  = `T264_COEF_BEAT_BITS;
  localparam META = `T264_COEF_BEAT_AT;    // bits of thread, QP and block
  localparam BEAT = `T264_COEF_VALUES_AT;  // bits of those and of the beat of the block
  localparam PART = 12 * (16 - Values);    // levels of the beats before the last

  // What goes along with the four stages of the quantisers.
  reg              valid1_q;
  reg              valid2_q;
  reg              valid3_q;
  reg              valid4_q;
  reg  [BEAT-1:0]  beat1_q;
  reg  [BEAT-1:0]  beat2_q;
  reg  [BEAT-1:0]  beat3_q;
  reg  [BEAT-1:0]  beat4_q;
  reg  [12:0]      dc1_q;
  reg  [12:0]      dc2_q;
  reg  [12:0]      dc3_q;
  reg  [12:0]      dc4_q;
  reg  [41:0]      scale1_q;
  reg  [3:0]       sixth1_q;
  reg  [3:0]       sixth2_q;
  wire [41:0]      scale;
  wire [3:0]       sixth;
  wire [2:0]       rem;
  reg              out_valid_q;

  wire leave;  // the block is taken everywhere
  wire finish = valid4_q && (&beat4_q[`T264_COEF_BEAT]);
  wire enable = !finish || !out_valid_q || leave;

  assign in_ready_o = enable;

  t264_qp u_qp (
    .qp_i (in_data_i[`T264_COEF_QP]),
    .div_o(sixth),
    .rem_o(rem)
  );

  t264_scale4 u_scale4 (
    .rem_i(rem),
    .row_o(scale)
  );

  always @(posedge clk_i) begin
    if (rst_i) begin
      valid1_q <= 1'b0;
      valid2_q <= 1'b0;
      valid3_q <= 1'b0;
      valid4_q <= 1'b0;
    end else if (enable) begin
      valid1_q <= in_valid_i;
      valid2_q <= valid1_q;
      valid3_q <= valid2_q;
      valid4_q <= valid3_q;
    end
  end

  always @(posedge clk_i) begin
    if (enable) begin
      beat1_q  <= in_data_i[BEAT-1:0];
      beat2_q  <= beat1_q;
      beat3_q  <= beat2_q;
      beat4_q  <= beat3_q;
      dc1_q    <= in_data_i[BEAT +: 13];
      dc2_q    <= dc1_q;
      dc3_q    <= dc2_q;
      dc4_q    <= dc3_q;
      scale1_q <= scale;
      sixth1_q <= sixth;
      sixth2_q <= sixth1_q;
    end
  end

  // Scales by class of position: both coordinates even, both odd, others.
  wire [13:0]          even_even = scale1_q[13:0];
  wire [13:0]          odd_odd   = scale1_q[27:14];
  wire [13:0]          others    = scale1_q[41:28];
  wire [12*Values-1:0] levels;
  wire [Values-1:0]    set;
  wire [Values-1:0]    weak;

  genvar g;
  generate
    for (g = 0; g < Values; g = g + 1) begin : gen_level
      wire odd = Values == 4 ? beat1_q[`T264_COEF_BEAT_AT] : g / 4 % 2 == 1;  // the column
      wire [13:0] value_scale = g % 2 == 0 ? (odd ? others : even_even) : odd ? odd_odd : others;
      t264_level #(
        .Coef (14),
        .Base (9),
        .Units(17)
      ) u_level (
        .clk_i   (clk_i),
        .enable_i(enable),
        .coef_i  (in_data_i[BEAT+15*g +: 15]),
        .scale_i (value_scale),
        .sixth_i (sixth2_q),
        .level_o (levels[12*g +: 12]),
        .set_o   (set[g]),
        .weak_o  (weak[g])
      );
    end
  endgenerate

  // The beats of a block gather. Position 0 is the DC coefficient and does not
  // count. One weak level alone goes to zero.
  reg  [PART-1:0]  part_q;
  reg              some_q;
  reg              keep_q;
  reg  [12:0]      dc_q;
  reg              first;
  reg  [Values-1:0] count;
  reg              some;
  reg              keep;
  wire [191:0]     block = {levels, part_q};
  integer          i;

  always @* begin
    first = beat4_q[`T264_COEF_BEAT] == {SUB{1'b0}};
    count = set;
    if (first) count[0] = 1'b0;
    some = !first && some_q;
    keep = !first && keep_q;
    for (i = 0; i < Values; i = i + 1) begin
      keep = keep || count[i] && (some || !weak[i]);
      some = some || count[i];
    end
  end

  reg  [META-1:0] out_meta_q;
  reg             out_coded_q;
  reg  [179:0]    out_levels_q;
  reg  [12:0]     out_dc_q;
  reg             ac_taken_q;
  reg             sum_taken_q;
  reg             edge_taken_q;
  wire [191:0]    scanned;

  wire unused = &{1'b0, scanned[11:0]};  // the DC coefficient

  t264_scan4 #(
    .Width(12)
  ) u_scan (
    .block_i (block),
    .levels_o(scanned)
  );

  always @(posedge clk_i) begin
    if (enable) begin  // the beats of a block come without a gap
      part_q <= block[191 -: PART];
      some_q <= some;
      keep_q <= keep;
      if (first) dc_q <= dc4_q;
    end
    if (enable && finish) begin
      out_meta_q   <= beat4_q[META-1:0];
      out_coded_q  <= keep;
      out_levels_q <= keep ? scanned[191:12] : 180'd0;
      out_dc_q     <= dc_q;
    end
  end

  // Blocks 5, 7, 13, 15 are at the right border, 10, 11, 14, 15 at the lower one
  // (clause 6.4.3).
  wire [3:0] b      = out_meta_q[`T264_COEF_BLOCK];
  wire       border = b[0] && b[2] || b[1] && b[3];
  wire       ac_out   = ac_taken_q || ac_ready_i;
  wire       sum_out  = sum_taken_q || sum_ready_i;

  assign leave        = ac_out && sum_out;
  assign ac_valid_o   = out_valid_q && !ac_taken_q;
  assign sum_valid_o  = out_valid_q && !sum_taken_q;
  assign edge_valid_o = out_valid_q && !edge_taken_q && border;

  assign ac_data_o[`T264_AC_THREAD]     = out_meta_q[`T264_COEF_THREAD];
  assign ac_data_o[`T264_AC_BLOCK]      = b;
  assign ac_data_o[`T264_AC_CODED]      = out_coded_q;
  assign ac_data_o[`T264_AC_LEVELS]     = out_levels_q;
  assign sum_data_o[`T264_SUM_CODED]    = out_coded_q;
  assign sum_data_o[`T264_SUM_DC]       = out_dc_q;
  assign edge_data_o[`T264_EDGE_QP]     = out_meta_q[`T264_COEF_QP];
  assign edge_data_o[`T264_EDGE_LEVELS] = out_levels_q;

  always @(posedge clk_i) begin
    if (rst_i) out_valid_q <= 1'b0;
    else out_valid_q <= finish || out_valid_q && !leave;
  end

  // Low while there is no block, so that they need no reset.
  always @(posedge clk_i) begin
    ac_taken_q   <= out_valid_q && ac_out && !leave;
    sum_taken_q  <= out_valid_q && sum_out && !leave;
    edge_taken_q <= out_valid_q && !leave;
  end

endmodule

`default_nettype wire
