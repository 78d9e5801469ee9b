// Reconstruction (clause 8.6.7): prediction plus residual, limited to 8 bits, a beat of
// eight samples a cycle, and what blocks to come are predicted from. The residual of a
// 4x4 block follows from coefficients with transform skip (clause 8.6.4.2). Beats of 4x4
// blocks, of which one waits, go before others.
//
// Words: RES and SCALED in, DONE and LINE out (gen/t265_enc_words.vh). DONE comes in the
// cycle in which the last samples are written to the window, LINE with the last DONE of
// a CTU; both are always taken. Predictions come from their queues: that of a beat of
// SCALED is there in the next cycle, as the beat comes after its residual in SKIP.
//
// Mirror:     t265/hwenc/recon.go
// Latency:    1, and 2 for 4x4
// Throughput: 8 samples a cycle
// Storage:    72 bits of residual, 64 of reconstruction, 104 of samples that gather, and tags

`default_nettype none
`include "t265_enc_words.vh"

module t265_recon #(
  parameter Threads    = 16,  // frames in flight
  parameter MaxTU      = 16,  // largest block, 8 or 16
  parameter MinTU      = 4,   // smallest block, 4 or 8
  parameter ThreadBits = Threads > 1 ? $clog2(Threads) : 1  // bits of a thread number
) (
  input  wire                         clk_i,
  input  wire                         rst_i,
  input  wire                         inv_valid_i,
  output wire                         inv_ready_o,
  input  wire [`T265_RES_BITS-1:0]    inv_data_i,
  input  wire                         scaled_valid_i,
  output wire                         scaled_ready_o,
  input  wire [`T265_SCALED_BITS-1:0] scaled_data_i,
  // predictions of inv and of scaled
  input  wire                         wide_valid_i,
  output wire                         wide_ready_o,
  input  wire [63:0]                  wide_data_i,
  output wire                         narrow_ready_o,
  input  wire [63:0]                  narrow_data_i,
  // the window
  output wire [ThreadBits-1:0]        thread_o,
  output reg  [3:0]                   row_we_o,
  output wire [63:0]                  row_data_o,
  output reg  [3:0]                   left_we_o,
  output wire [31:0]                  left_data_o,
  output reg  [6:0]                   diag_we_o,
  output wire [15:0]                  diag_data_o,
  input  wire [127:0]                 row_i,
  output wire                         busy_o,       // rows or diagonals are written
  output wire                         done_valid_o,
  output wire [`T265_DONE_BITS-1:0]   done_data_o,
  output wire                         line_valid_o,
  output wire [`T265_LINE_BITS-1:0]   line_data_o
);

  localparam TAG = `T265_TAG_BITS;

  // The residual of a 4x4 block waits a cycle.
  reg                      waits_q;
  reg [`T265_TAG_BITS-1:0] skip_tag_q;
  reg [71:0]               skip_q;
  reg [71:0]               skip_d;
  // The fraction of a rounded sum goes nowhere.
  /* verilator lint_off UNUSEDSIGNAL */
  reg [16:0]               rounded;
  /* verilator lint_on UNUSEDSIGNAL */
  integer                  i;

  wire waits    = MinTU == 4 && waits_q;
  wire take_inv = inv_valid_i && inv_ready_o;

  assign narrow_ready_o = waits;
  assign scaled_ready_o = 1'b1;
  assign inv_ready_o    = wide_valid_i && !waits;
  assign wide_ready_o   = take_inv;

  always @* begin
    for (i = 0; i < 8; i = i + 1) begin
      rounded = {scaled_data_i[TAG+16*i+15], scaled_data_i[TAG+16*i +: 16]} + 17'd16;
      skip_d[9*i +: 9] = rounded[13:5];
      if (rounded[16:13] != {4{rounded[16]}}) skip_d[9*i +: 9] = {rounded[16], {8{!rounded[16]}}};
    end
  end

  // Nothing comes in the second cycle of a reset.
  always @(posedge clk_i) begin
    waits_q <= scaled_valid_i;
    if (scaled_valid_i) begin
      skip_tag_q <= scaled_data_i[`T265_SCALED_TAG];
      skip_q     <= skip_d;
    end
  end

  // Sum.
  wire [71:0] res  = waits ? skip_q : inv_data_i[`T265_RES_VALUES];
  wire [63:0] pred = waits ? narrow_data_i : wide_data_i;
  reg         skip_beat_q;
  reg  [4:0]  inv_beat_q;
  wire        inv_wide = MaxTU == 16 && inv_data_i[`T265_RES_LOG2_AT+1];
  reg         valid_q;
  reg  [`T265_TAG_BITS-1:0] tag_q;
  reg  [4:0]  beat_q;
  reg  [63:0] rec_q;
  reg  [63:0] rec_d;
  reg  [9:0]  sum;
  integer     k;

  always @* begin
    for (k = 0; k < 8; k = k + 1) begin
      sum = {res[9*k+8], res[9*k +: 9]} + {2'd0, pred[8*k +: 8]};
      rec_d[8*k +: 8] = sum[9] ? 8'd0 : sum[8] ? 8'd255 : sum[7:0];
    end
  end

  always @(posedge clk_i) begin
    if (rst_i) begin
      valid_q     <= 1'b0;
      skip_beat_q <= 1'b0;
      inv_beat_q  <= 5'd0;
    end else begin
      valid_q <= waits || take_inv;
      if (waits) skip_beat_q <= !skip_beat_q;
      if (take_inv) inv_beat_q <= (inv_beat_q + 5'd1) & {{2{inv_wide}}, 3'b111};
    end
  end

  always @(posedge clk_i) begin
    if (waits || take_inv) begin
      tag_q  <= waits ? skip_tag_q : inv_data_i[`T265_RES_TAG];
      beat_q <= waits ? {4'd0, skip_beat_q} : inv_beat_q;
      rec_q  <= rec_d;
    end
  end

  // What the beat ends: its block, four rows on the right, the first half of the lowest
  // row of a 16x16 block.
  wire [1:0] log2    = tag_q[`T265_TAG_LOG2];
  wire       four    = MinTU == 4 && log2 == 2'd0;
  wire       sixteen = MaxTU == 16 && log2[1];
  wire       eight   = !four && !sixteen;
  wire [1:0] cx      = tag_q[`T265_TAG_CX];
  wire [1:0] cy      = tag_q[`T265_TAG_CY];
  wire       last    = valid_q && beat_q == {{2{sixteen}}, {2{!four}}, 1'b1};
  wire       half_in = valid_q && beat_q == 5'd30;
  wire       rows    = valid_q && beat_q[1:0] == 2'd3;  // in a 16x16 block at two rows, too
  wire       upper   = eight && rows && !last;
  wire [2:0] diag    = 3'd3 + {1'b0, cx} - {1'b0, cy};

  // Last samples of rows so far.
  reg [15:0]  top_q;    // of a 4x4 block
  reg [23:0]  right_q;  // of others
  wire [23:0] right = four ? {rec_q[31:24], top_q} : right_q;

  assign thread_o    = tag_q[`T265_TAG_THREAD];
  assign row_data_o  = {rec_q[63:32], four ? rec_q[63:32] : rec_q[31:0]};
  assign left_data_o = {rec_q[63:56], right};
  assign diag_data_o = {rec_q[63:56], eight && last ? rec_q[31:24] : rec_q[63:56]};
  assign busy_o      = last || half_in || upper;

  // Of a 16x16 block no diagonal is needed: it is all of its CTU.
  always @* begin
    row_we_o  = 4'd0;
    left_we_o = 4'd0;
    diag_we_o = 7'd0;
    if (four) begin
      row_we_o[cx]    = last;
      left_we_o[cy]   = last;
      diag_we_o[diag] = last;
    end else if (eight) begin
      row_we_o             = {2'd0, {2{last}}} << cx;
      left_we_o            = {2'd0, last, upper} << cy;
      diag_we_o[diag]      = last;
      diag_we_o[diag-3'd1] = last;
      diag_we_o[diag+3'd1] = upper;
    end else begin
      row_we_o               = {{2{last}}, {2{half_in}}};
      left_we_o[beat_q[4:3]] = rows;
    end
  end

  always @(posedge clk_i) begin
    if (four) top_q <= {rec_q[63:56], rec_q[31:24]};
    if (valid_q && (eight || sixteen && beat_q[0])) right_q <= {rec_q[63:56], right_q[23:8]};
  end

  assign done_valid_o = last;
  assign line_valid_o = last && tag_q[`T265_TAG_LAST_TU];

  assign done_data_o[`T265_DONE_THREAD]  = tag_q[`T265_TAG_THREAD];
  assign done_data_o[`T265_DONE_LAST_TU] = tag_q[`T265_TAG_LAST_TU];

  assign line_data_o[`T265_LINE_THREAD]  = tag_q[`T265_TAG_THREAD];

  genvar g;
  generate
    for (g = 0; g < 4; g = g + 1) begin : gen_line
      assign line_data_o[ThreadBits+32*g +: 32] =
        row_we_o[g] ? row_data_o[32*(g%2) +: 32] : row_i[32*g +: 32];
    end
  endgenerate

endmodule

`default_nettype wire
