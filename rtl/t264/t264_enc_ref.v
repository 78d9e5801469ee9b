// Neighbour memories of the encoder: bottom rows of the macroblocks above and
// right columns of those on the left, by thread, with the coded_block_flag of
// their blocks. Even cycles read, odd ones write.
//
// Words: JOB and DONE in, JOB out (gen/t264_enc_words.vh). Flags of neighbours that
// are not available are ones.
//
// Mirror:     t264/hwenc/ref.go
// Latency:    1 or 2
// Throughput: 1 macroblock in, and 1 out, in 2 cycles
// Storage:    Threads * (2^XBits + 1) * 133 bits of memory, and a job

`default_nettype none
`include "t264_enc_words.vh"

module t264_enc_ref #(
  parameter Threads    = 4,   // frames in flight
  parameter FrameMBs   = 64,  // widest frame in macroblocks, 2..256
  parameter ThreadBits = Threads > 1 ? $clog2(Threads) : 1,   // bits of a thread number
  parameter XBits      = FrameMBs > 1 ? $clog2(FrameMBs) : 1  // bits of the column of a macroblock
) (
  input  wire                       clk_i,
  input  wire                       rst_i,
  input  wire                       job_valid_i,
  output wire                       job_ready_o,
  input  wire [`T264_JOB_BITS-1:0]  job_data_i,
  input  wire                       done_valid_i,
  output wire                       done_ready_o,
  input  wire [`T264_DONE_BITS-1:0] done_data_i,
  output wire                       out_valid_o,
  input  wire                       out_ready_i,
  output wire [`T264_JOB_BITS-1:0]  out_job_o,
  output wire [127:0]               out_above_o,  // samples from the left
  output wire [127:0]               out_left_o,   // samples from the top
  output wire [4:0]                 out_above_coded_o,
  output wire [4:0]                 out_left_coded_o
);

  reg                      odd_q;
  reg                      valid_q;
  reg [`T264_JOB_BITS-1:0] job_q;

  wire read  = job_valid_i && job_ready_o;
  wire write = done_valid_i && done_ready_o;

  assign done_ready_o = odd_q;
  assign job_ready_o  = !odd_q && (!valid_q || out_ready_i);
  assign out_valid_o  = valid_q;
  assign out_job_o    = job_q;

  wire [ThreadBits-1:0] job_thread  = job_data_i[`T264_JOB_THREAD];
  wire [XBits-1:0]      job_x       = job_data_i[`T264_JOB_X];
  wire [ThreadBits-1:0] done_thread = done_data_i[`T264_DONE_THREAD];
  wire [XBits-1:0]      done_x      = done_data_i[`T264_DONE_X];
  wire [127:0]          bottom      = done_data_i[`T264_DONE_BOTTOM];
  wire [127:0]          right       = done_data_i[`T264_DONE_RIGHT];
  wire [4:0]            below       = done_data_i[`T264_DONE_BELOW];
  wire [4:0]            beside      = done_data_i[`T264_DONE_BESIDE];
  wire                  has_left    = job_q[`T264_JOB_LEFT];
  wire                  has_above   = job_q[`T264_JOB_ABOVE];
  wire [132:0]          above;
  wire [132:0]          left;

  assign out_above_o       = above[127:0];
  assign out_left_o        = left[127:0];
  assign out_above_coded_o = above[132:128] | {5{!has_above}};
  assign out_left_coded_o  = left[132:128] | {5{!has_left}};

  // One thread has an address bit, too.
  vc_ram_1rw #(
    .Width(133),
    .Depth((Threads > 1 ? Threads : 2) << XBits)
  ) u_above (
    .clk_i  (clk_i),
    .en_i   (read || write),
    .we_i   (odd_q),
    .addr_i (odd_q ? {done_thread, done_x} : {job_thread, job_x}),
    .wdata_i({below, bottom}),
    .rdata_o(above)
  );

  vc_ram_1rw #(
    .Width(133),
    .Depth(Threads)
  ) u_left (
    .clk_i  (clk_i),
    .en_i   (read || write),
    .we_i   (odd_q),
    .addr_i (odd_q ? done_thread : job_thread),
    .wdata_i({beside, right}),
    .rdata_o(left)
  );

  always @(posedge clk_i) begin
    if (rst_i) begin
      odd_q   <= 1'b0;
      valid_q <= 1'b0;
    end else begin
      odd_q   <= !odd_q;
      valid_q <= read || valid_q && !out_ready_i;
    end
  end

  always @(posedge clk_i) begin
    if (read) job_q <= job_data_i;
  end

endmodule

`default_nettype wire
