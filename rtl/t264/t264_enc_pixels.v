// Pixel path of the encoder (package t264): frames by thread in, levels out. It
// asks for macroblocks, predicts, transforms, quantises, and reconstructs their
// borders; one macroblock of a thread is in the loop at a time.
//
//   sched -> ref -> mode -> dct -> quant -> ac_*
//             ^               `-> headers  |  `-> dc -> mb_*
//             `------- border <------------+--------'
//
// Words: CFG in, REQ, AC and MB out (gen/t264_enc_words.vh). room_i: room for one more
// macroblock, by thread.
//
// Mirror:     t264/hwenc/pixels.go
// Latency:    the loop takes 512 / Values + 50 cycles
// Throughput: 1 macroblock in 256 / Values + 1 cycles
// Storage:    those of its parts

`default_nettype none
`include "t264_enc_words.vh"

module t264_enc_pixels #(
  parameter Threads    = 4,   // frames in flight
  parameter Values     = 8,   // samples a cycle, 4 or 8
  parameter FrameMBs   = 64,  // widest frame in macroblocks, 2..256
  parameter ThreadBits = Threads > 1 ? $clog2(Threads) : 1,   // bits of a thread number
  parameter XBits      = FrameMBs > 1 ? $clog2(FrameMBs) : 1  // bits of the column of a macroblock
) (
  input  wire                      clk_i,
  input  wire                      rst_i,
  input  wire                      cfg_valid_i,
  output wire                      cfg_ready_o,
  input  wire [`T264_CFG_BITS-1:0] cfg_data_i,
  output wire                      req_valid_o,
  input  wire                      req_ready_i,
  output wire [`T264_REQ_BITS-1:0] req_data_o,
  input  wire                      src_valid_i,
  output wire                      src_ready_o,
  input  wire [8*Values-1:0]       src_data_i,
  input  wire [Threads-1:0]        room_i,
  output wire                      ac_valid_o,
  input  wire                      ac_ready_i,
  output wire [`T264_AC_BITS-1:0]  ac_data_o,
  output wire                      mb_valid_o,
  input  wire                      mb_ready_i,
  output wire [`T264_MB_BITS-1:0]  mb_data_o
);

  generate
    if (Threads < 1 || Threads > 64) begin : gen_illegal_threads
      illegal_Threads_is_not_1_to_64 u_illegal ();
    end
    if (FrameMBs < 2 || FrameMBs > 256) begin : gen_illegal_framembs
      illegal_FrameMBs_is_not_2_to_256 u_illegal ();
    end
  endgenerate

  wire                         job_valid, job_ready;
  wire [`T264_JOB_BITS-1:0]    job_data;
  wire                         done_valid, done_ready;
  wire [`T264_DONE_BITS-1:0]   done_data;
  wire                         ref_valid, ref_ready;
  wire [`T264_JOB_BITS-1:0]    ref_job;
  wire [127:0]                 ref_above, ref_left;
  wire [4:0]                   ref_above_coded, ref_left_coded;
  wire                         beat_valid, beat_ready;
  wire [8*Values-1:0]          beat_data;
  wire                         tok_valid, tok_ready;
  wire [`T264_TOKEN_BITS-1:0]  tok_data;
  wire                         hdr_in_valid, hdr_in_ready;
  wire [`T264_TOKEN_BITS-1:0]  hdr_in_data;
  wire                         hdr_valid, hdr_ready;
  wire [`T264_TOKEN_BITS-1:0]  hdr_data;
  wire                         coef_valid, coef_ready;
  wire [`T264_COEF_BITS-1:0]   coef_data;
  wire                         sum_valid, sum_ready;
  wire [`T264_SUM_BITS-1:0]    sum_data;
  wire                         edge_valid;
  wire [`T264_EDGE_BITS-1:0]   edge_data;
  wire                         dc_valid;
  wire [`T264_DC_BITS-1:0]     dc_data;
  wire [`T264_BORDER_BITS-1:0] dc_meta;

  t264_enc_sched #(
    .Threads (Threads),
    .FrameMBs(FrameMBs)
  ) u_sched (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .cfg_valid_i  (cfg_valid_i),
    .cfg_ready_o  (cfg_ready_o),
    .cfg_data_i   (cfg_data_i),
    .room_i       (room_i),
    .done_valid_i (done_valid && done_ready),
    .done_thread_i(done_data[`T264_DONE_THREAD]),
    .req_valid_o  (req_valid_o),
    .req_ready_i  (req_ready_i),
    .req_data_o   (req_data_o),
    .job_valid_o  (job_valid),
    .job_ready_i  (job_ready),
    .job_data_o   (job_data)
  );

  t264_enc_ref #(
    .Threads (Threads),
    .FrameMBs(FrameMBs)
  ) u_ref (
    .clk_i            (clk_i),
    .rst_i            (rst_i),
    .job_valid_i      (job_valid),
    .job_ready_o      (job_ready),
    .job_data_i       (job_data),
    .done_valid_i     (done_valid),
    .done_ready_o     (done_ready),
    .done_data_i      (done_data),
    .out_valid_o      (ref_valid),
    .out_ready_i      (ref_ready),
    .out_job_o        (ref_job),
    .out_above_o      (ref_above),
    .out_left_o       (ref_left),
    .out_above_coded_o(ref_above_coded),
    .out_left_coded_o (ref_left_coded)
  );

  t264_mode #(
    .Threads (Threads),
    .Values  (Values),
    .FrameMBs(FrameMBs)
  ) u_mode (
    .clk_i            (clk_i),
    .rst_i            (rst_i),
    .ref_valid_i      (ref_valid),
    .ref_ready_o      (ref_ready),
    .ref_job_i        (ref_job),
    .ref_above_i      (ref_above),
    .ref_left_i       (ref_left),
    .ref_above_coded_i(ref_above_coded),
    .ref_left_coded_i (ref_left_coded),
    .src_valid_i      (src_valid_i),
    .src_ready_o      (src_ready_o),
    .src_data_i       (src_data_i),
    .beat_valid_o     (beat_valid),
    .beat_ready_i     (beat_ready),
    .beat_data_o      (beat_data),
    .tok_valid_o      (tok_valid),
    .tok_ready_i      (tok_ready),
    .tok_data_o       (tok_data)
  );

  t264_dct #(
    .Threads (Threads),
    .Values  (Values),
    .FrameMBs(FrameMBs)
  ) u_dct (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .tok_valid_i (tok_valid),
    .tok_ready_o (tok_ready),
    .tok_data_i  (tok_data),
    .beat_valid_i(beat_valid),
    .beat_ready_o(beat_ready),
    .beat_data_i (beat_data),
    .hdr_valid_o (hdr_in_valid),
    .hdr_ready_i (hdr_in_ready),
    .hdr_data_o  (hdr_in_data),
    .out_valid_o (coef_valid),
    .out_ready_i (coef_ready),
    .out_data_o  (coef_data)
  );

  t264_quant #(
    .Threads(Threads),
    .Values (Values)
  ) u_quant (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .in_valid_i  (coef_valid),
    .in_ready_o  (coef_ready),
    .in_data_i   (coef_data),
    .ac_valid_o  (ac_valid_o),
    .ac_ready_i  (ac_ready_i),
    .ac_data_o   (ac_data_o),
    .sum_valid_o (sum_valid),
    .sum_ready_i (sum_ready),
    .sum_data_o  (sum_data),
    .edge_valid_o(edge_valid),
    .edge_data_o (edge_data)
  );

  // Headers overtake the levels: two wait.
  vc_fifo #(
    .Width(`T264_TOKEN_BITS),
    .Depth(2)
  ) u_headers (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .in_valid_i (hdr_in_valid),
    .in_ready_o (hdr_in_ready),
    .in_data_i  (hdr_in_data),
    .out_valid_o(hdr_valid),
    .out_ready_i(hdr_ready),
    .out_data_o (hdr_data)
  );

  t264_enc_dc #(
    .Threads (Threads),
    .FrameMBs(FrameMBs)
  ) u_dc (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .in_valid_i (sum_valid),
    .in_ready_o (sum_ready),
    .in_data_i  (sum_data),
    .ac_moved_i (ac_valid_o && ac_ready_i && ac_data_o[`T264_AC_BLOCK] == 4'd15),
    .hdr_valid_i(hdr_valid),
    .hdr_ready_o(hdr_ready),
    .hdr_data_i (hdr_data),
    .mb_valid_o (mb_valid_o),
    .mb_ready_i (mb_ready_i),
    .mb_data_o  (mb_data_o),
    .out_valid_o(dc_valid),
    .out_data_o (dc_data),
    .meta_o     (dc_meta)
  );

  t264_border #(
    .Threads (Threads),
    .FrameMBs(FrameMBs)
  ) u_border (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .in_valid_i  (edge_valid),
    .in_data_i   (edge_data),
    .dc_valid_i  (dc_valid),
    .dc_data_i   (dc_data),
    .dc_meta_i   (dc_meta),
    .done_valid_o(done_valid),
    .done_ready_i(done_ready),
    .done_data_o (done_data)
  );

endmodule

`default_nettype wire
