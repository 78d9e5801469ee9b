// Line memory of the encoder: the last rows of the reconstructed CTUs above, by thread
// and column. It gives each job the row above its CTU, two samples of the row above on
// the right, and the last one above on the left, in two reads. Rows of CTUs that are
// not there are of no meaning.
//
// Words: JOB and LINE in, REF out (gen/t265_enc_words.vh). entered_*: the CTU that the
// next LINE of its thread is of.
//
// Mirror:     t265/hwenc/sched.go
// Latency:    2
// Throughput: 1 job in 2 cycles, 1 row a cycle
// Storage:    Threads * (2^XBits * 128 + XBits + 8) bits of memory, a job and a row

`default_nettype none
`include "t265_enc_words.vh"

module t265_enc_ref #(
  parameter Threads    = 4,   // frames in flight
  parameter FrameCTUs  = 64,  // widest frame in CTUs, 2..256
  parameter ThreadBits = Threads > 1 ? $clog2(Threads) : 1,     // bits of a thread number
  parameter XBits      = FrameCTUs > 1 ? $clog2(FrameCTUs) : 1  // bits of the column of a CTU
) (
  input  wire                       clk_i,
  input  wire                       rst_i,
  input  wire                       job_valid_i,
  output wire                       job_ready_o,
  input  wire [`T265_JOB_BITS-1:0]  job_data_i,
  input  wire                       entered_valid_i,
  input  wire [ThreadBits-1:0]      entered_thread_i,
  input  wire [XBits-1:0]           entered_x_i,
  input  wire                       line_valid_i,
  input  wire [`T265_LINE_BITS-1:0] line_data_i,
  output wire                       out_valid_o,
  input  wire                       out_ready_i,
  output reg  [`T265_REF_BITS-1:0]  out_data_o
);

  localparam [1:0] IDLE  = 2'd0;
  localparam [1:0] ABOVE = 2'd1;  // the row of the CTU above is there
  localparam [1:0] OUT   = 2'd2;  // that of the one on its right

  reg [1:0]                state_q;
  reg [`T265_JOB_BITS-1:0] job_q;
  reg [127:0]              above_q;
  reg [7:0]                out_corner_q;

  wire take  = job_valid_i && job_ready_o;
  wire above = state_q == ABOVE;

  assign job_ready_o = state_q == IDLE || state_q == OUT && out_ready_i;
  assign out_valid_o = state_q == OUT;

  wire [ThreadBits-1:0] thread      = job_q[`T265_JOB_THREAD];
  wire [XBits-1:0]      x_right     = job_q[`T265_JOB_X] + 1'b1;
  wire [ThreadBits-1:0] job_thread  = job_data_i[`T265_JOB_THREAD];
  wire [XBits-1:0]      job_x       = job_data_i[`T265_JOB_X];
  wire [ThreadBits-1:0] line_thread = line_data_i[`T265_LINE_THREAD];
  wire [XBits-1:0]      line_x;
  wire [127:0]          row;
  wire [7:0]            corner;

  always @* begin
    out_data_o[`T265_REF_JOB]    = job_q;
    out_data_o[`T265_REF_ROW]    = {row[15:0], above_q};
    out_data_o[`T265_REF_CORNER] = out_corner_q;
  end

  // One thread has an address bit, too.
  vc_ram_1r1w #(
    .Width(128),
    .Depth((Threads > 1 ? Threads : 2) << XBits)
  ) u_lines (
    .clk_i  (clk_i),
    .we_i   (line_valid_i),
    .waddr_i({line_thread, line_x}),
    .wdata_i(line_data_i[`T265_LINE_SAMPLES]),
    .re_i   (take || above),
    .raddr_i(above ? {thread, x_right} : {job_thread, job_x}),
    .rdata_o(row)
  );

  // The column of the CTU in the loop.
  vc_ram_ff #(
    .Width(XBits),
    .Depth(Threads)
  ) u_column (
    .clk_i  (clk_i),
    .we_i   (entered_valid_i),
    .waddr_i(entered_thread_i),
    .wdata_i(entered_x_i),
    .raddr_i(line_thread),
    .rdata_o(line_x)
  );

  // The last sample of the row that was read last.
  vc_ram_ff #(
    .Width(8),
    .Depth(Threads)
  ) u_corner (
    .clk_i  (clk_i),
    .we_i   (above),
    .waddr_i(thread),
    .wdata_i(row[127:120]),
    .raddr_i(thread),
    .rdata_o(corner)
  );

  always @(posedge clk_i) begin
    if (rst_i) state_q <= IDLE;
    else if (take) state_q <= ABOVE;
    else if (above) state_q <= OUT;
    else if (out_ready_i) state_q <= IDLE;
  end

  always @(posedge clk_i) begin
    if (take) job_q <= job_data_i;
    if (above) begin
      above_q      <= row;
      out_corner_q <= corner & {8{job_q[`T265_JOB_LEFT]}};
    end
  end

endmodule

`default_nettype wire
