// Pixel path of the encoder (package t265): frames by thread in, levels and heads out.
// Two CTUs of a thread are in it at most: one whose mode and transform tree are
// decided, and one in the closed loop, of which one transform block at a time is
// under way.
//
//   sched -> ref -> decide -> tree -> samples -+-> forward -+-> quant -> lev_*
//             ^       |        `-> head_* ^ ^  '------------'    |
//             |       '-> source memory --' '------- inverse <---'
//             '---------------------------- samples
//
// Words: CFG in, REQ, HEAD and LEV out (gen/t265_enc_words.vh). room_i: room for one
// more CTU, by thread, counted from its request on. HEAD and LEV are always taken.
//
// Mirror:     t265/hwenc/pixels.go
// Latency:    15, 62, and 142 cycles through the loop for blocks of 4x4, 8x8, and 16x16
// Throughput: 8 samples a cycle
// Storage:    Threads * 4096 bits of memory, and those of its parts

`default_nettype none
`include "t265_enc_words.vh"

module t265_enc_pixels #(
  parameter Threads    = 16,  // frames in flight, 1..64
  parameter MaxTU      = 16,  // size of the largest transform block, 8 or 16
  parameter MinTU      = 4,   // and of the smallest, 4 or 8
  parameter FrameCTUs  = 64,  // widest frame in CTUs, 2..256
  parameter ThreadBits = Threads > 1 ? $clog2(Threads) : 1,     // bits of a thread number
  parameter XBits      = FrameCTUs > 1 ? $clog2(FrameCTUs) : 1  // bits of the column of a CTU
) (
  input  wire                       clk_i,
  input  wire                       rst_i,
  input  wire                       cfg_valid_i,
  output wire                       cfg_ready_o,
  input  wire [`T265_CFG_BITS-1:0]  cfg_data_i,
  output wire                       req_valid_o,
  input  wire                       req_ready_i,
  output wire [`T265_REQ_BITS-1:0]  req_data_o,
  input  wire                       src_valid_i,
  output wire                       src_ready_o,
  input  wire [63:0]                src_data_i,
  input  wire [Threads-1:0]         room_i,
  output wire                       head_valid_o,
  output wire [`T265_HEAD_BITS-1:0] head_data_o,
  output wire                       lev_valid_o,
  output wire [`T265_LEV_BITS-1:0]  lev_data_o
);

  generate
    if (Threads < 1 || Threads > 64) begin : gen_illegal_threads
      illegal_Threads_is_not_1_to_64 u_illegal ();
    end
    if (FrameCTUs < 2 || FrameCTUs > 256) begin : gen_illegal_framectus
      illegal_FrameCTUs_is_not_2_to_256 u_illegal ();
    end
  endgenerate

  localparam TAG = `T265_TAG_BITS - 2;  // bits of a tag without the size

  wire                         job_valid, job_ready;
  wire [`T265_JOB_BITS-1:0]    job_data;
  wire                         ref_valid, ref_ready;
  wire [`T265_REF_BITS-1:0]    ref_data;
  wire                         write;
  wire [ThreadBits+4:0]        write_addr;
  wire [63:0]                  write_data;
  wire                         plan_valid;
  wire [`T265_PLAN_BITS-1:0]   plan_data;
  wire [Threads-1:0]           free, idle, slot;
  wire [XBits-1:0]             head_x;
  wire                         tu_valid, tu_ready;
  wire [`T265_FIRST_BITS-1:0]  tu_data;
  wire [1:0]                   read;
  wire [ThreadBits+3:0]        read_addr;
  wire [63:0]                  even, odd;
  wire                         res_valid, res_ready;
  wire [`T265_RES_BITS-1:0]    res_data;
  wire                         skip_valid, skip_ready;
  wire [`T265_SKIP_BITS-1:0]   skip_data;
  wire                         coef_valid, coef_ready;
  wire [`T265_COEF_BITS-1:0]   coef_data;
  wire                         deq_valid, deq_ready;
  wire [`T265_COEF_BITS-1:0]   deq_data;
  wire                         scaled_valid, scaled_ready;
  wire [`T265_SCALED_BITS-1:0] scaled_data;
  wire                         inv_valid, inv_ready;
  wire [`T265_RES_BITS-1:0]    inv_data;
  wire                         done_valid;
  wire [`T265_DONE_BITS-1:0]   done_data;
  wire                         line_valid;
  wire [`T265_LINE_BITS-1:0]   line_data;

  t265_enc_sched #(
    .Threads  (Threads),
    .FrameCTUs(FrameCTUs)
  ) u_sched (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .cfg_valid_i  (cfg_valid_i),
    .cfg_ready_o  (cfg_ready_o),
    .cfg_data_i   (cfg_data_i),
    .room_i       (room_i),
    .free_i       (free),
    .idle_i       (idle),
    .plan_valid_i (plan_valid),
    .plan_thread_i(plan_data[`T265_PLAN_THREAD]),
    .req_valid_o  (req_valid_o),
    .req_ready_i  (req_ready_i),
    .req_data_o   (req_data_o),
    .job_valid_o  (job_valid),
    .job_ready_i  (job_ready),
    .job_data_o   (job_data)
  );

  t265_enc_ref #(
    .Threads  (Threads),
    .FrameCTUs(FrameCTUs)
  ) u_ref (
    .clk_i           (clk_i),
    .rst_i           (rst_i),
    .job_valid_i     (job_valid),
    .job_ready_o     (job_ready),
    .job_data_i      (job_data),
    .entered_valid_i (head_valid_o),
    .entered_thread_i(head_data_o[`T265_HEAD_THREAD]),
    .entered_x_i     (head_x),
    .line_valid_i    (line_valid),
    .line_data_i     (line_data),
    .out_valid_o     (ref_valid),
    .out_ready_i     (ref_ready),
    .out_data_o      (ref_data)
  );

  t265_decide #(
    .Threads  (Threads),
    .MaxTU    (MaxTU),
    .MinTU    (MinTU),
    .FrameCTUs(FrameCTUs)
  ) u_decide (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .ref_valid_i  (ref_valid),
    .ref_ready_o  (ref_ready),
    .ref_data_i   (ref_data),
    .src_valid_i  (src_valid_i),
    .src_ready_o  (src_ready_o),
    .src_data_i   (src_data_i),
    .write_valid_o(write),
    .write_addr_o (write_addr),
    .write_data_o (write_data),
    .plan_valid_o (plan_valid),
    .plan_data_o  (plan_data)
  );

  t265_enc_tree #(
    .Threads  (Threads),
    .FrameCTUs(FrameCTUs)
  ) u_tree (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .plan_valid_i(plan_valid),
    .plan_data_i (plan_data),
    .done_valid_i(done_valid),
    .done_data_i (done_data),
    .free_o      (free),
    .idle_o      (idle),
    .slot_o      (slot),
    .head_valid_o(head_valid_o),
    .head_data_o (head_data_o),
    .head_x_o    (head_x),
    .out_valid_o (tu_valid),
    .out_ready_i (tu_ready),
    .out_data_o  (tu_data)
  );

  // The source samples of two CTUs of each thread: in the slot of the one in the loop
  // they are read, in the other slot they are written.
  wire [ThreadBits-1:0] read_thread  = read_addr[4 +: ThreadBits];
  wire [ThreadBits-1:0] write_thread = write_addr[5 +: ThreadBits];
  wire [ThreadBits+4:0] raddr        = {read_thread, slot[read_thread], read_addr[3:0]};
  wire [ThreadBits+4:0] waddr        = {write_thread, !slot[write_thread], write_addr[4:1]};

  vc_ram_1r1w #(
    .Width(64),
    .Depth((Threads > 1 ? Threads : 2) * 32)
  ) u_even (
    .clk_i  (clk_i),
    .we_i   (write && !write_addr[0]),
    .waddr_i(waddr),
    .wdata_i(write_data),
    .re_i   (read[0]),
    .raddr_i(raddr),
    .rdata_o(even)
  );

  vc_ram_1r1w #(
    .Width(64),
    .Depth((Threads > 1 ? Threads : 2) * 32)
  ) u_odd (
    .clk_i  (clk_i),
    .we_i   (write && write_addr[0]),
    .waddr_i(waddr),
    .wdata_i(write_data),
    .re_i   (read[1]),
    .raddr_i(raddr),
    .rdata_o(odd)
  );

  t265_samples #(
    .Threads(Threads),
    .MaxTU  (MaxTU),
    .MinTU  (MinTU)
  ) u_samples (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .tu_valid_i    (tu_valid),
    .tu_ready_o    (tu_ready),
    .tu_data_i     (tu_data),
    .src_re_o      (read),
    .src_addr_o    (read_addr),
    .src_even_i    (even),
    .src_odd_i     (odd),
    .res_valid_o   (res_valid),
    .res_ready_i   (res_ready),
    .res_data_o    (res_data),
    .skip_valid_o  (skip_valid),
    .skip_ready_i  (skip_ready),
    .skip_data_o   (skip_data),
    .inv_valid_i   (inv_valid),
    .inv_ready_o   (inv_ready),
    .inv_data_i    (inv_data),
    .scaled_valid_i(scaled_valid),
    .scaled_ready_o(scaled_ready),
    .scaled_data_i (scaled_data),
    .done_valid_o  (done_valid),
    .done_data_o   (done_data),
    .line_valid_o  (line_valid),
    .line_data_o   (line_data)
  );

  t265_forward #(
    .MaxTU  (MaxTU),
    .TagWidth(TAG)
  ) u_forward (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .in_valid_i (res_valid),
    .in_ready_o (res_ready),
    .in_data_i  (res_data),
    .out_valid_o(coef_valid),
    .out_ready_i(coef_ready),
    .out_data_o (coef_data)
  );

  t265_quant #(
    .Threads(Threads),
    .MaxTU  (MaxTU),
    .MinTU  (MinTU),
    .Hide   (1)
  ) u_quant (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .coef_valid_i(coef_valid),
    .coef_ready_o(coef_ready),
    .coef_data_i (coef_data),
    .skip_valid_i(skip_valid),
    .skip_ready_o(skip_ready),
    .skip_data_i (skip_data),
    .lev_valid_o (lev_valid_o),
    .lev_ready_i (1'b1),
    .lev_data_o  (lev_data_o),
    .deq_valid_o (deq_valid),
    .deq_ready_i (deq_ready),
    .deq_data_o  (deq_data),
    .rest_valid_o(scaled_valid),
    .rest_ready_i(scaled_ready),
    .rest_data_o (scaled_data)
  );

  t265_inverse #(
    .MaxTU  (MaxTU),
    .TagWidth(TAG)
  ) u_inverse (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .in_valid_i (deq_valid),
    .in_ready_o (deq_ready),
    .in_data_i  (deq_data),
    .out_valid_o(inv_valid),
    .out_ready_i(inv_ready),
    .out_data_o (inv_data)
  );

endmodule

`default_nettype wire
