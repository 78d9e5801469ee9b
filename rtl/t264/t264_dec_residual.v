// Residual of the decoder's blocks: a word of 16 levels a slot in, four values of
// a column a cycle out. Those of 4x4 blocks leave two slots later, those of 8x8
// blocks, whose four words follow each other, from eight slots after the first.
//
// Mirror:     t264/hwdec/pixels.go
// Latency:    9 cycles from the word, which is there in phases 1 to 0; 8x8 blocks 33
// Throughput: 4 values a cycle
// Storage:    64 * Threads bits of memory, 3400 of flip-flops

`default_nettype none

module t264_dec_residual #(
  parameter Threads    = 16,  // independent frames
  parameter Transform8 = 1,   // 8x8 blocks exist
  parameter ThreadBits = Threads > 1 ? $clog2(Threads) : 1  // bits of a thread number
) (
  input  wire                  clk_i,
  input  wire                  rst_i,
  input  wire [1:0]            phase_i,
  input  wire                  slot_i,     // parity of the slot
  // the word that is read in phase 0 of this slot
  input  wire                  on_i,       // it is there, zero otherwise
  input  wire                  start_i,    // first word of an 8x8 block
  input  wire [1:0]            kind_i,     // 0 4x4, 1 8x8, 2 AC, 3 DC
  input  wire [1:0]            word_i,     // of an 8x8 block
  input  wire [1:0]            x_i,        // place of a 4x4 block
  input  wire [1:0]            y_i,
  input  wire [ThreadBits-1:0] thread_i,
  input  wire [5:0]            qp_i,
  input  wire [255:0]          levels_i,
  // what leaves, from phase 1 on
  input  wire                  put_dc_i,   // DC coefficients, to be kept
  input  wire [ThreadBits-1:0] put_thread_i,
  input  wire                  wide_i,     // an 8x8 block
  output reg  [71:0]           residual_o  // before rounding, s18
);

  generate
    if (Transform8 < 0 || Transform8 > 1) begin : gen_illegal_transform8
      illegal_Transform8_is_not_0_to_1 u_illegal ();
    end
  endgenerate

  localparam [1:0] WIDE = 2'd1;
  localparam [1:0] AC   = 2'd2;
  localparam [1:0] DC   = 2'd3;

  // Residual of 4x4 blocks. The DC coefficients of I_16x16 come from a transform
  // of their own and wait by thread, four blocks of a column in a word.
  wire [71:0] coef;
  wire [71:0] column4;
  wire [63:0] dc_word;
  reg  [15:0] dc_q;
  reg         row_ac_q;
  reg         row_dc_q;
  reg         col_dc_q;
  wire        with_dc = row_ac_q && phase_i == 2'd0;
  wire [71:0] row4    = {coef[71:18], with_dc ? {{2{dc_q[15]}}, dc_q} : coef[17:0]};
  reg  [63:0] dc_put;
  integer     i;

  t264_dequant u_dequant (
    .clk_i   (clk_i),
    .phase_i (phase_i),
    .on_i    (on_i),
    .kind_i  (kind_i),
    .word_i  (word_i),
    .qp_i    (qp_i),
    .levels_i(levels_i),
    .coef_o  (coef)
  );

  t264_idct4 u_idct4 (
    .clk_i      (clk_i),
    .slot_i     (slot_i),
    .hadamard_i (row_dc_q),
    .row_i      (row4),
    .hadamard2_i(col_dc_q),
    .column_o   (column4)
  );

  always @* begin
    for (i = 0; i < 4; i = i + 1) begin
      dc_put[16*i +: 16] = column4[18*i + 2 +: 16] + {15'd0, column4[18*i + 1]};  // (sum + 2) >> 2
    end
  end

  vc_ram_1r1w #(
    .Width(64),
    .Depth(4 * Threads)
  ) u_dc (
    .clk_i  (clk_i),
    .we_i   (put_dc_i),
    .waddr_i({put_thread_i, phase_i - 2'd1}),
    .wdata_i(dc_put),
    .re_i   (phase_i == 2'd2),
    .raddr_i({thread_i, x_i}),
    .rdata_o(dc_word)
  );

  always @(posedge clk_i) begin
    if (phase_i == 2'd3) begin
      row_ac_q <= kind_i == AC;
      row_dc_q <= kind_i == DC;
      col_dc_q <= row_dc_q;
      dc_q     <= dc_word[16*y_i +: 16];
    end
  end

  // Residual of 8x8 blocks.
  wire [63:0] column8;

  generate
    if (Transform8 != 0) begin : gen_transform8
      reg       load_q;
      reg       start_q;
      reg [1:0] word_q;

      always @(posedge clk_i) begin
        if (phase_i == 2'd3) begin
          load_q  <= kind_i == WIDE;
          start_q <= start_i;
          word_q  <= word_i;
        end
      end

      t264_idct8 u_idct8 (
        .clk_i   (clk_i),
        .rst_i   (rst_i),
        .half_i  (phase_i[0]),
        .start_i (start_q && (phase_i == 2'd0)),
        .load_i  (load_q),
        .group_i ({word_q, phase_i}),
        .coef_i  ({coef[69:54], coef[51:36], coef[33:18], coef[15:0]}),
        .column_o(column8)
      );
    end else begin : gen_no_transform8
      assign column8 = 64'd0;
    end
  endgenerate

  always @* begin
    for (i = 0; i < 4; i = i + 1) begin
      residual_o[18*i +: 18] = column4[18*i +: 18];
      if (wide_i) residual_o[18*i +: 18] = {{2{column8[16*i + 15]}}, column8[16*i +: 16]};
    end
  end

endmodule

`default_nettype wire
