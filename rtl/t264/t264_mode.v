// Intra mode decision of the encoder (package t264, rule 2): the sums of absolute
// differences of DC, vertical and horizontal 16x16 prediction while the source
// samples go by into a queue. The chosen prediction is one vector: the row
// above, the column on the left, or the DC value (clause 8.3.3).
//
// Source beats hold Values samples of one 4x4 block in decoding order, rows from
// the top. Words: JOB in, TOKEN out (gen/t264_enc_words.vh).
//
// Mirror:     t264/hwenc/mode.go
// Latency:    6 from the last source beat
// Throughput: 1 beat a cycle, one cycle between macroblocks
// Storage:    3 * 128 bits of samples, a queue of 256 / Values + 8 beats of memory

`default_nettype none
`include "t264_enc_words.vh"

module t264_mode #(
  parameter Threads    = 4,   // frames in flight
  parameter Values     = 8,   // samples a cycle, 4 or 8
  parameter FrameMBs   = 64,  // widest frame in macroblocks, 2..256
  parameter ThreadBits = Threads > 1 ? $clog2(Threads) : 1,   // bits of a thread number
  parameter XBits      = FrameMBs > 1 ? $clog2(FrameMBs) : 1  // bits of the column of a macroblock
) (
  input  wire                        clk_i,
  input  wire                        rst_i,
  input  wire                        ref_valid_i,
  output wire                        ref_ready_o,
  input  wire [`T264_JOB_BITS-1:0]   ref_job_i,
  input  wire [127:0]                ref_above_i,
  input  wire [127:0]                ref_left_i,
  input  wire [4:0]                  ref_above_coded_i,
  input  wire [4:0]                  ref_left_coded_i,
  input  wire                        src_valid_i,
  output wire                        src_ready_o,
  input  wire [8*Values-1:0]         src_data_i,
  output wire                        beat_valid_o,
  input  wire                        beat_ready_i,
  output wire [8*Values-1:0]         beat_data_o,
  output wire                        tok_valid_o,
  input  wire                        tok_ready_i,
  output wire [`T264_TOKEN_BITS-1:0] tok_data_o
);

  generate
    if (Values != 4 && Values != 8) begin : gen_illegal_values
      illegal_Values_is_neither_4_nor_8 u_illegal ();
    end
  endgenerate

  localparam       SUB  = Values == 4 ? 2 : 1;  // bits of the beat of a block
  localparam       CNT  = 4 + SUB;              // bits of the beat of a macroblock
  localparam       ROWS = 2 * Values;           // bits of the left samples of a beat
  localparam [1:0] DC   = 2'd2;

  integer i;

  // The DC value in two steps, while the neighbours wait.
  reg         sums_q;
  reg         ready_q;
  reg  [11:0] above_sum_q;
  reg  [11:0] left_sum_q;
  reg  [7:0]  dc_q;
  reg  [11:0] above_sum_d;
  reg  [11:0] left_sum_d;
  reg  [7:0]  dc_d;
  reg         cur_valid_q;

  wire has_left  = ref_job_i[`T264_JOB_LEFT];
  wire has_above = ref_job_i[`T264_JOB_ABOVE];
  wire load      = ref_valid_i && ref_ready_o;

  wire [12:0] both = {1'b0, above_sum_q} + {1'b0, left_sum_q} + 13'd16;
  wire [11:0] one  = (has_above ? above_sum_q : left_sum_q) + 12'd8;

  wire unused = &{1'b0, both[4:0], one[3:0]};

  assign ref_ready_o = ready_q && !cur_valid_q;

  always @* begin
    above_sum_d = 12'd0;
    left_sum_d  = 12'd0;
    for (i = 0; i < 16; i = i + 1) begin
      above_sum_d = above_sum_d + {4'd0, ref_above_i[8*i +: 8]};
      left_sum_d  = left_sum_d + {4'd0, ref_left_i[8*i +: 8]};
    end
    dc_d = 8'd128;
    if (has_left || has_above) dc_d = one[11:4];
    if (has_left && has_above) dc_d = both[12:5];
  end

  always @(posedge clk_i) begin
    if (rst_i) begin
      sums_q  <= 1'b0;
      ready_q <= 1'b0;
    end else begin
      sums_q  <= ref_valid_i && !sums_q && !ready_q;
      ready_q <= sums_q || ready_q && !load;
    end
  end

  always @(posedge clk_i) begin
    above_sum_q <= above_sum_d;
    left_sum_q  <= left_sum_d;
    dc_q        <= dc_d;
  end

  // The macroblock whose samples come, and the one before it, on which the
  // decision is made.
  reg  [`T264_TOKEN_MODE_AT-1:0] cur_q;  // a token as far as it is known
  reg  [127:0]                   cur_above_q;
  reg  [127:0]                   cur_left_q;
  reg  [7:0]                     cur_dc_q;
  reg  [`T264_TOKEN_MODE_AT-1:0] old_q;
  reg  [127:0]                   old_above_q;
  reg  [127:0]                   old_left_q;
  reg  [7:0]                     old_dc_q;
  reg  [CNT-1:0]                 cnt_q;
  reg                            tok_valid_q;
  reg                            mode_valid_q;
  wire                           fifo_ready;

  wire enable = !mode_valid_q || !tok_valid_q || tok_ready_i;
  wire take   = src_valid_i && src_ready_o;
  wire last   = take && (&cnt_q);

  assign src_ready_o = cur_valid_q && enable && fifo_ready;

  vc_fifo_ram #(
    .Width(8 * Values),
    .Depth(256 / Values + 8)
  ) u_source (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .in_valid_i (src_valid_i && cur_valid_q && enable),
    .in_ready_o (fifo_ready),
    .in_data_i  (src_data_i),
    .out_valid_o(beat_valid_o),
    .out_ready_i(beat_ready_i),
    .out_data_o (beat_data_o)
  );

  always @(posedge clk_i) begin
    if (rst_i) begin
      cur_valid_q <= 1'b0;
      cnt_q       <= {CNT{1'b0}};
    end else begin
      cur_valid_q <= load || cur_valid_q && !last;
      if (take) cnt_q <= cnt_q + 1'b1;
    end
  end

  always @(posedge clk_i) begin
    if (load) begin
      cur_q[`T264_TOKEN_JOB]         <= ref_job_i;
      cur_q[`T264_TOKEN_LEFT_CODED]  <= ref_left_coded_i;
      cur_q[`T264_TOKEN_ABOVE_CODED] <= ref_above_coded_i;
      cur_above_q                    <= ref_above_i;
      cur_left_q                     <= ref_left_i;
      cur_dc_q                       <= dc_q;
    end
    if (last) begin
      old_q       <= cur_q;
      old_above_q <= cur_above_q;
      old_left_q  <= cur_left_q;
      old_dc_q    <= cur_dc_q;
    end
  end

  wire [1:0]     x4 = {cnt_q[SUB+2], cnt_q[SUB]};  // blockX / 4 (clause 6.4.3)
  wire [SUB+1:0] y  = {cnt_q[SUB+3], cnt_q[SUB+1], cnt_q[SUB-1:0]};
  wire           sum_valid;
  wire [15:0]    dc_sum;
  wire [15:0]    above_sum;
  wire [15:0]    left_sum;

  t264_sad #(
    .Values(Values)
  ) u_sad (
    .clk_i    (clk_i),
    .rst_i    (rst_i),
    .enable_i (enable),
    .valid_i  (take),
    .last_i   (&cnt_q),
    .src_i    (src_data_i),
    .above_i  (cur_above_q[32*x4 +: 32]),
    .left_i   (cur_left_q[ROWS*y +: ROWS]),
    .dc_i     (cur_dc_q),
    .valid_o  (sum_valid),
    .dc_o     (dc_sum),
    .above_o  (above_sum),
    .left_o   (left_sum)
  );

  // The decision. Of vertical and horizontal the cheaper one stands against DC.
  wire [3:0]                  sixth;
  reg  [10:0]                 price_q;
  reg  [1:0]                  mode_q;
  reg  [`T264_TOKEN_BITS-1:0] tok_q;

  wire         old_left  = old_q[`T264_TOKEN_LEFT];
  wire         old_above = old_q[`T264_TOKEN_ABOVE];
  wire         h_first   = left_sum < above_sum || !old_above;
  wire         above_win = old_above && {1'b0, above_sum} + {6'd0, price_q} < {1'b0, dc_sum};
  wire         left_win  = old_left && {1'b0, left_sum} + {6'd0, price_q} < {1'b0, dc_sum};

  // The price does not need the remainder.
  /* verilator lint_off PINCONNECTEMPTY */
  t264_qp u_qp (
    .qp_i (old_q[`T264_TOKEN_QP]),
    .div_o(sixth),
    .rem_o()
  );
  /* verilator lint_on PINCONNECTEMPTY */

  assign tok_valid_o = tok_valid_q;
  assign tok_data_o  = tok_q;

  always @(posedge clk_i) begin
    if (rst_i) begin
      mode_valid_q <= 1'b0;
      tok_valid_q  <= 1'b0;
    end else begin
      if (enable) mode_valid_q <= sum_valid;
      if (!tok_valid_q || tok_ready_i) tok_valid_q <= mode_valid_q;
    end
  end

  always @(posedge clk_i) begin
    price_q <= 11'd4 << sixth;
    mode_q  <= left_win && h_first ? 2'd1 : above_win ? 2'd0 : DC;
    if (mode_valid_q && enable) begin
      tok_q[`T264_TOKEN_MODE_AT-1:0] <= old_q;
      tok_q[`T264_TOKEN_MODE]        <= mode_q;
      tok_q[`T264_TOKEN_VECTOR]      <= mode_q[1] ? {16{old_dc_q}} :
                                        mode_q[0] ? old_left_q : old_above_q;
    end
  end

endmodule

`default_nettype wire
