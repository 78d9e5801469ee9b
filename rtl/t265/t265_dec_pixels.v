// Pixel path of the decoder: items of all threads (t265/hw/dec_item.go) in, samples out,
// four values a cycle. Blocks of different threads follow each other, so that hardly one
// waits for its neighbours. Levels go through the inverse path while references are read
// and predicted from; the reconstruction joins both, and writes the windows.
//
// Mirror:     t265/hwdec/pixels.go
// Latency:    from the last item of a block to its first samples 13 for 4x4, 15 for 8x8, 19
//             for 16x16, and 30, 38, 86 where it is coded
// Throughput: 4 values a cycle; blocks that are coded as t265_dec_inverse
// Storage:    memories of t265_dec_sched, t265_dec_windows and t265_dec_inverse

`default_nettype none
`include "t265_dec_words.vh"
`include "t265_dec_pixel_words.vh"

module t265_dec_pixels #(
  parameter Threads    = 16,  // independent frames, 2..64
  parameter FrameCTUs  = 16,  // widest and highest frame, in CTUs of 16 samples, 2..1024
  parameter MaxCTU     = 64,  // largest CTU, 16, 32 or 64
  parameter MaxTU      = 16,  // largest transform block, 8 or 16
  parameter Modes      = 35,  // or 4: planar, DC, horizontal and vertical
  parameter Words      = 72,  // of items by thread, 16..256; a block of 16x16 has up to 65
  parameter ThreadBits = Threads > 1 ? $clog2(Threads) : 1,  // bits of a thread number
  parameter PosBits    = $clog2(FrameCTUs) + 2  // bits of a column or row, in units of four
) (
  input  wire                  clk_i,
  input  wire                  rst_i,
  output wire [Threads-1:0]    in_ready_o,     // an item of the thread may come
  input  wire                  in_valid_i,
  input  wire [ThreadBits-1:0] in_thread_i,
  input  wire [9:0]            in_tag_i,       // an item without its data
  input  wire [63:0]           in_data_i,
  output wire                  out_valid_o,
  input  wire                  out_ready_i,
  output wire [ThreadBits-1:0] out_thread_o,
  output wire                  out_columns_o,  // samples downwards
  output wire [PosBits+1:0]    out_x_o,        // of the first one
  output wire [PosBits+1:0]    out_y_o,
  output wire [31:0]           out_data_o
);

  localparam PLACE = $clog2(MaxTU / 4);  // bits of the row or column of a sub-block

  // Scheduler.
  wire                          job_in_valid, job_in_ready;
  wire [`T265_DEC_JOB_BITS-1:0] job_in;
  wire                          lev_valid, lev_ready;
  wire [1:0]                    lev_log2, lev_scan, lev_group;
  wire                          lev_skip, lev_columns, lev_last;
  wire [5:0]                    lev_qp;
  wire [PLACE-1:0]              lev_x, lev_y;
  wire [63:0]                   lev_levels;
  wire                          done;

  t265_dec_sched #(
    .Threads  (Threads),
    .FrameCTUs(FrameCTUs),
    .MaxTU    (MaxTU),
    .Words    (Words)
  ) u_sched (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .in_ready_o   (in_ready_o),
    .in_valid_i   (in_valid_i),
    .in_thread_i  (in_thread_i),
    .in_tag_i     (in_tag_i),
    .in_data_i    (in_data_i),
    .job_valid_o  (job_in_valid),
    .job_ready_i  (job_in_ready),
    .job_o        (job_in),
    .lev_valid_o  (lev_valid),
    .lev_ready_i  (lev_ready),
    .lev_log2_o   (lev_log2),
    .lev_skip_o   (lev_skip),
    .lev_scan_o   (lev_scan),
    .lev_qp_o     (lev_qp),
    .lev_columns_o(lev_columns),
    .lev_x_o      (lev_x),
    .lev_y_o      (lev_y),
    .lev_group_o  (lev_group),
    .lev_last_o   (lev_last),
    .lev_levels_o (lev_levels),
    .done_i       (done),
    .done_thread_i(out_thread_o)
  );

  // Residuals.
  wire        res_valid, res_ready;
  wire [35:0] res;

  t265_dec_inverse #(
    .MaxTU(MaxTU),
    .MinTU(4)
  ) u_inverse (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .in_valid_i  (lev_valid),
    .in_ready_o  (lev_ready),
    .in_log2_i   (lev_log2),
    .in_skip_i   (lev_skip),
    .in_scan_i   (lev_scan),
    .in_qp_i     (lev_qp),
    .in_columns_i(lev_columns),
    .in_x_i      (lev_x),
    .in_y_i      (lev_y),
    .in_group_i  (lev_group),
    .in_last_i   (lev_last),
    .in_levels_i (lev_levels),
    .out_valid_o (res_valid),
    .out_ready_i (res_ready),
    .out_data_o  (res)
  );

  // References.
  wire                           job_valid, job_ready;
  wire [`T265_DEC_JOB_BITS-1:0]  job;
  wire                           ref_valid, ref_ready;
  wire [`T265_DEC_REF_BITS-1:0]  refs;
  wire                           sum_in_valid, sum_in_ready;
  wire [`T265_DEC_SUM_BITS-1:0]  sum_in;
  wire                           above_we, left_we;
  wire [PosBits-1:0]             x, y;
  wire [31:0]                    above;
  wire [`T265_DEC_LEFT_BITS-1:0] left;

  vc_fifo #(
    .Width(`T265_DEC_JOB_BITS),
    .Depth(5)
  ) u_jobs (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .in_valid_i (job_in_valid),
    .in_ready_o (job_in_ready),
    .in_data_i  (job_in),
    .out_valid_o(job_valid),
    .out_ready_i(job_ready),
    .out_data_o (job)
  );

  t265_dec_windows #(
    .Threads  (Threads),
    .FrameCTUs(FrameCTUs),
    .MaxCTU   (MaxCTU)
  ) u_windows (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .job_valid_i(job_valid),
    .job_ready_o(job_ready),
    .job_i      (job),
    .ref_valid_o(ref_valid),
    .ref_ready_i(ref_ready),
    .ref_o      (refs),
    .sum_valid_o(sum_in_valid),
    .sum_ready_i(sum_in_ready),
    .sum_o      (sum_in),
    .above_we_i (above_we),
    .left_we_i  (left_we),
    .thread_i   (out_thread_o),
    .x_i        (x),
    .y_i        (y),
    .above_i    (above),
    .left_i     (left)
  );

  wire        pred_valid, pred_ready;
  wire [31:0] pred;

  t265_dec_predict #(
    .MaxTU(MaxTU),
    .Modes(Modes)
  ) u_predict (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .in_valid_i (ref_valid),
    .in_ready_o (ref_ready),
    .in_data_i  (refs),
    .out_valid_o(pred_valid),
    .out_ready_i(pred_ready),
    .out_data_o (pred)
  );

  // Reconstruction.
  wire                          sum_valid, sum_ready;
  wire [`T265_DEC_SUM_BITS-1:0] sum;

  vc_fifo #(
    .Width(`T265_DEC_SUM_BITS),
    .Depth(4)
  ) u_sums (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .in_valid_i (sum_in_valid),
    .in_ready_o (sum_in_ready),
    .in_data_i  (sum_in),
    .out_valid_o(sum_valid),
    .out_ready_i(sum_ready),
    .out_data_o (sum)
  );

  t265_dec_recon #(
    .Threads  (Threads),
    .FrameCTUs(FrameCTUs)
  ) u_recon (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .sum_valid_i  (sum_valid),
    .sum_ready_o  (sum_ready),
    .sum_i        (sum),
    .pred_valid_i (pred_valid),
    .pred_ready_o (pred_ready),
    .pred_i       (pred),
    .res_valid_i  (res_valid),
    .res_ready_o  (res_ready),
    .res_i        (res),
    .out_valid_o  (out_valid_o),
    .out_ready_i  (out_ready_i),
    .out_thread_o (out_thread_o),
    .out_columns_o(out_columns_o),
    .out_x_o      (out_x_o),
    .out_y_o      (out_y_o),
    .out_data_o   (out_data_o),
    .done_o       (done),
    .above_we_o   (above_we),
    .left_we_o    (left_we),
    .x_o          (x),
    .y_o          (y),
    .above_o      (above),
    .left_o       (left)
  );

endmodule

`default_nettype wire
