// Residual and forward 4x4 transform (package t264, rule 3), rows first: Values
// samples a cycle in, Values coefficients a cycle out, column by column.
//
// The macroblock token of t264_mode stays at the input while its samples pass,
// and goes on to hdr_* after the last. Words: TOKEN in and on, COEF out
// (gen/t264_enc_words.vh).
//
// Mirror:     t264/hwenc/dct.go
// Latency:    16 / Values + 2
// Throughput: 1 beat a cycle, one cycle between macroblocks
// Storage:    9 * Values + 12 * (32 - Values) + 15 * Values bits

`default_nettype none
`include "t264_enc_words.vh"

module t264_dct #(
  parameter Threads    = 4,   // frames in flight
  parameter Values     = 8,   // samples a cycle, 4 or 8
  parameter FrameMBs   = 64,  // widest frame in macroblocks, 2..256
  parameter ThreadBits = Threads > 1 ? $clog2(Threads) : 1,   // bits of a thread number
  parameter XBits      = FrameMBs > 1 ? $clog2(FrameMBs) : 1  // bits of the column of a macroblock
) (
  input  wire                        clk_i,
  input  wire                        rst_i,
  input  wire                        tok_valid_i,
  output wire                        tok_ready_o,
  input  wire [`T264_TOKEN_BITS-1:0] tok_data_i,
  input  wire                        beat_valid_i,
  output wire                        beat_ready_o,
  input  wire [8*Values-1:0]         beat_data_i,
  output wire                        hdr_valid_o,
  input  wire                        hdr_ready_i,
  output wire [`T264_TOKEN_BITS-1:0] hdr_data_o,
  output wire                        out_valid_o,
  input  wire                        out_ready_i,
  output wire [`T264_COEF_BITS-1:0]  out_data_o
);

  generate
    if (Values != 4 && Values != 8) begin : gen_illegal_values
      illegal_Values_is_neither_4_nor_8 u_illegal ();
    end
  endgenerate

  localparam       SUB  = `T264_COEF_BEAT_BITS;
  localparam       CNT  = `T264_COEF_BLOCK_BITS + SUB;  // bits of the beat of a macroblock
  localparam       META = `T264_COEF_BEAT_AT;           // bits of thread, QP and block
  localparam       WIDE = 12 * Values;                  // a beat after the first stage
  localparam [1:0] HORZ = 2'd1;

  // Residual. The vector is the row above, the column on the left, or DC.
  reg  [CNT-1:0]       cnt_q;
  reg                  release_q;  // the last sample is in
  reg                  r_valid_q;
  reg  [SUB-1:0]       r_sub_q;
  reg  [META-1:0]      r_meta_q;
  reg  [9*Values-1:0]  r_q;
  reg  [9*Values-1:0]  r_d;
  reg                  hold_valid_q;
  reg  [SUB-1:0]       hold_sub_q;
  reg                  out_valid_q;

  wire out_free  = !out_valid_q || out_ready_i;
  wire hold_free = !hold_valid_q || (&hold_sub_q) && out_free;
  wire r_go      = !(&r_sub_q) || hold_free;
  wire r_free    = !r_valid_q || r_go;
  wire take      = beat_valid_i && beat_ready_o;

  assign beat_ready_o = tok_valid_i && !release_q && r_free;
  assign hdr_valid_o  = release_q;
  assign hdr_data_o   = tok_data_i;
  assign tok_ready_o  = release_q && hdr_ready_i;

  wire [127:0]         vector = tok_data_i[`T264_TOKEN_VECTOR];
  wire [1:0]           mode   = tok_data_i[`T264_TOKEN_MODE];
  wire [1:0]           x4     = {cnt_q[SUB+2], cnt_q[SUB]};
  wire [SUB+1:0]       y      = {cnt_q[SUB+3], cnt_q[SUB+1], cnt_q[SUB-1:0]};
  wire [31:0]          row    = vector[32*x4 +: 32];
  wire [2*Values-1:0]  column = vector[2*Values*y +: 2*Values];
  reg  [7:0]           pred;

  integer i;

  always @* begin
    for (i = 0; i < Values; i = i + 1) begin
      pred = mode == HORZ ? column[8*(i/4) +: 8] : row[8*(i%4) +: 8];
      r_d[9*i +: 9] = {1'b0, beat_data_i[8*i +: 8]} - {1'b0, pred};
    end
  end

  always @(posedge clk_i) begin
    if (rst_i) begin
      cnt_q     <= {CNT{1'b0}};
      release_q <= 1'b0;
      r_valid_q <= 1'b0;
    end else begin
      if (take) cnt_q <= cnt_q + 1'b1;
      release_q <= take && (&cnt_q) || release_q && !hdr_ready_i;
      r_valid_q <= take || r_valid_q && !r_go;
    end
  end

  always @(posedge clk_i) begin
    if (take) begin
      r_q      <= r_d;
      r_sub_q  <= cnt_q[SUB-1:0];
      r_meta_q[`T264_COEF_THREAD] <= tok_data_i[`T264_TOKEN_THREAD];
      r_meta_q[`T264_COEF_QP]     <= tok_data_i[`T264_TOKEN_QP];
      r_meta_q[`T264_COEF_BLOCK]  <= cnt_q[SUB +: `T264_COEF_BLOCK_BITS];
    end
  end

  // Horizontal: s9 to s12. The rows of a block gather and turn to columns.
  wire [WIDE-1:0]      h;
  reg  [191-WIDE:0]    fill_q;
  reg  [191:0]         hold_q;
  reg  [META-1:0]      hold_meta_q;
  reg  [191:0]         turned;
  wire [191:0]         rows = {h, fill_q};

  always @* begin
    for (i = 0; i < 16; i = i + 1)
      turned[12*i +: 12] = rows[12*(i/4+4*(i%4)) +: 12];
  end

  wire fill_full = r_valid_q && (&r_sub_q) && hold_free;
  wire hold_step = hold_valid_q && out_free;

  always @(posedge clk_i) begin
    if (rst_i) begin
      hold_valid_q <= 1'b0;
      hold_sub_q   <= {SUB{1'b0}};
    end else begin
      hold_valid_q <= fill_full || hold_valid_q && !((&hold_sub_q) && out_free);
      if (hold_step) hold_sub_q <= hold_sub_q + 1'b1;
    end
  end

  always @(posedge clk_i) begin
    if (r_go) fill_q <= rows[191:WIDE];  // the beats of a macroblock come without a gap
    if (fill_full) begin
      hold_q      <= turned;
      hold_meta_q <= r_meta_q;
    end else if (hold_step) hold_q <= hold_q >> WIDE;
  end

  // Vertical: s12 to s15.
  wire [15*Values-1:0] v;
  reg  [15*Values-1:0] out_q;
  reg  [META-1:0]      out_meta_q;
  reg  [SUB-1:0]       out_sub_q;

  genvar g;
  generate
    for (g = 0; g < Values / 4; g = g + 1) begin : gen_line
      t264_forward4 #(
        .Width(9)
      ) u_horizontal (
        .in_i (r_q[36*g +: 36]),
        .out_o(h[48*g +: 48])
      );
      t264_forward4 #(
        .Width(12)
      ) u_vertical (
        .in_i (hold_q[48*g +: 48]),
        .out_o(v[60*g +: 60])
      );
    end
  endgenerate

  assign out_valid_o = out_valid_q;
  assign out_data_o[META-1:0]          = out_meta_q;
  assign out_data_o[`T264_COEF_BEAT]   = out_sub_q;
  assign out_data_o[`T264_COEF_VALUES] = out_q;

  always @(posedge clk_i) begin
    // The second cycle of a reset clears it: then the quantiser is ready.
    if (out_free) out_valid_q <= hold_valid_q;
  end

  always @(posedge clk_i) begin
    if (hold_step) begin
      out_q      <= v;
      out_sub_q  <= hold_sub_q;
      out_meta_q <= hold_meta_q;
    end
  end

endmodule

`default_nettype wire
