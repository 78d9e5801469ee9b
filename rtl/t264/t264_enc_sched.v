// Macroblock scheduler of the encoder: keeps the place and the QP of a frame per
// thread and asks for the next macroblock of one thread after the other, of those
// with no macroblock in the loop and with room behind it. mb_qp_delta spreads
// QP steps of 1/16 over the macroblocks (clause 7.4.5).
//
// Words: CFG in, REQ and JOB out (gen/t264_enc_words.vh).
//
// Mirror:     t264/hwenc/sched.go
// Latency:    2 from the pick of a thread
// Throughput: 1 macroblock in 3 cycles, and a cycle for each thread passed over
// Storage:    Threads * (2 * XBits + 38) bits of memory and flip-flops, and 3 words

`default_nettype none
`include "t264_enc_words.vh"

module t264_enc_sched #(
  parameter Threads    = 4,   // frames in flight
  parameter FrameMBs   = 64,  // widest frame in macroblocks, 2..256
  parameter ThreadBits = Threads > 1 ? $clog2(Threads) : 1,   // bits of a thread number
  parameter XBits      = FrameMBs > 1 ? $clog2(FrameMBs) : 1  // bits of the column of a macroblock
) (
  input  wire                      clk_i,
  input  wire                      rst_i,
  input  wire                      cfg_valid_i,
  output wire                      cfg_ready_o,
  input  wire [`T264_CFG_BITS-1:0] cfg_data_i,
  input  wire [Threads-1:0]        room_i,
  input  wire                      done_valid_i,  // a macroblock left the loop
  input  wire [ThreadBits-1:0]     done_thread_i,
  output wire                      req_valid_o,
  input  wire                      req_ready_i,
  output wire [`T264_REQ_BITS-1:0] req_data_o,
  output wire                      job_valid_o,
  input  wire                      job_ready_i,
  output wire [`T264_JOB_BITS-1:0] job_data_o
);

  localparam [1:0] PICK = 2'd0;
  localparam [1:0] READ = 2'd1;
  localparam [1:0] SEND = 2'd2;

  localparam [31:0]           LAST32 = Threads - 1;
  localparam [ThreadBits-1:0] LAST   = LAST32[ThreadBits-1:0];

  reg [1:0]                state_q;
  reg [ThreadBits-1:0]     thread_q;  // looked at, or being served
  reg [Threads-1:0]        more_q;    // macroblocks are left to ask for
  reg [Threads-1:0]        flight_q;  // one is in the loop
  reg                      cfg_valid_q;
  reg [`T264_CFG_BITS-1:0] cfg_q;
  reg                      req_valid_q;
  reg                      job_valid_q;
  reg [`T264_REQ_BITS-1:0] req_q;
  reg [`T264_JOB_BITS-1:0] job_q;

  assign cfg_ready_o = !cfg_valid_q;
  assign req_valid_o = req_valid_q;
  assign req_data_o  = req_q;
  assign job_valid_o = job_valid_q;
  assign job_data_o  = job_q;

  wire [ThreadBits-1:0] cfg_thread = cfg_q[`T264_CFG_THREAD];
  wire [XBits-1:0]      cfg_width  = cfg_q[`T264_CFG_WIDTH];
  wire [9:0]            cfg_height = cfg_q[`T264_CFG_HEIGHT];
  wire [9:0]            cfg_qp16   = cfg_q[`T264_CFG_QP16];

  wire sent   = (!req_valid_q || req_ready_i) && (!job_valid_q || job_ready_i);
  wire start  = state_q == PICK && cfg_valid_q && !more_q[cfg_thread] && !flight_q[cfg_thread];
  wire wanted = more_q[thread_q] && !flight_q[thread_q] && room_i[thread_q];
  wire fetch  = state_q == PICK && !start && wanted;
  wire step   = state_q == PICK && !start && !wanted || state_q == SEND && sent;

  // The place of a frame.
  wire [`T264_PLACE_BITS-1:0] place;
  reg  [`T264_PLACE_BITS-1:0] place_d;

  wire [XBits-1:0] width   = place[`T264_PLACE_WIDTH];
  wire [9:0]       height  = place[`T264_PLACE_HEIGHT];
  wire [9:0]       qp16    = place[`T264_PLACE_QP16];
  wire [XBits-1:0] x       = place[`T264_PLACE_X];
  wire [9:0]       y       = place[`T264_PLACE_Y];
  wire [3:0]       acc     = place[`T264_PLACE_ACC];
  wire             raised  = place[`T264_PLACE_HIGH];
  wire             changed = place[`T264_PLACE_CHANGED];

  wire             row_end = x == width;
  wire [9:0]       y_next  = y + 10'd1;
  wire             last    = row_end && y_next == height;
  wire [4:0]       sum     = {1'b0, acc} + {1'b0, qp16[3:0]};
  wire [5:0]       qp      = qp16[9:4] + {5'd0, sum[4]};
  wire [1:0]       delta   = {raised && !sum[4], !raised && sum[4]};
  wire [XBits-1:0] x_next  = row_end ? {XBits{1'b0}} : x + 1'b1;

  always @* begin
    place_d = place;
    place_d[`T264_PLACE_X]       = x_next;
    place_d[`T264_PLACE_Y]       = row_end ? y_next : y;
    place_d[`T264_PLACE_ACC]     = sum[3:0];
    place_d[`T264_PLACE_HIGH]    = sum[4];
    place_d[`T264_PLACE_CHANGED] = delta != 2'd0;
    if (start) begin
      place_d = {`T264_PLACE_BITS{1'b0}};
      place_d[`T264_PLACE_WIDTH]  = cfg_width;
      place_d[`T264_PLACE_HEIGHT] = cfg_height;
      place_d[`T264_PLACE_QP16]   = cfg_qp16;
    end
  end

  vc_ram_1r1w #(
    .Width(`T264_PLACE_BITS),
    .Depth(Threads)
  ) u_place (
    .clk_i  (clk_i),
    .we_i   (start || state_q == READ),
    .waddr_i(start ? cfg_thread : thread_q),
    .wdata_i(place_d),
    .re_i   (fetch),
    .raddr_i(thread_q),
    .rdata_o(place)
  );

  always @(posedge clk_i) begin
    if (rst_i) begin
      state_q     <= PICK;
      thread_q    <= {ThreadBits{1'b0}};
      more_q      <= {Threads{1'b0}};
      flight_q    <= {Threads{1'b0}};
      cfg_valid_q <= 1'b0;
      req_valid_q <= 1'b0;
      job_valid_q <= 1'b0;
    end else begin
      if (cfg_ready_o) cfg_valid_q <= cfg_valid_i;
      else if (start) cfg_valid_q <= 1'b0;
      if (start) more_q[cfg_thread] <= 1'b1;
      if (done_valid_i) flight_q[done_thread_i] <= 1'b0;
      if (req_ready_i) req_valid_q <= 1'b0;
      if (job_ready_i) job_valid_q <= 1'b0;
      if (fetch) state_q <= READ;
      if (state_q == READ) begin
        state_q            <= SEND;
        req_valid_q        <= 1'b1;
        job_valid_q        <= 1'b1;
        flight_q[thread_q] <= 1'b1;
        more_q[thread_q]   <= !last;
      end
      if (step) begin
        state_q  <= PICK;
        thread_q <= thread_q == LAST ? {ThreadBits{1'b0}} : thread_q + 1'b1;
      end
    end
  end

  always @(posedge clk_i) begin
    if (cfg_ready_o) cfg_q <= cfg_data_i;
    if (state_q == READ) begin
      req_q[`T264_REQ_THREAD]   <= thread_q;
      req_q[`T264_REQ_X]        <= x;
      req_q[`T264_REQ_Y]        <= y;
      req_q[`T264_REQ_LAST]     <= last;
      job_q[`T264_JOB_THREAD]   <= thread_q;
      job_q[`T264_JOB_X]        <= x;
      job_q[`T264_JOB_LAST]     <= last;
      job_q[`T264_JOB_QP]       <= qp;
      job_q[`T264_JOB_SLICE_QP] <= qp16[9:4];
      job_q[`T264_JOB_DELTA]    <= delta;
      job_q[`T264_JOB_CHANGED]  <= changed;
      job_q[`T264_JOB_LEFT]     <= x != {XBits{1'b0}};
      job_q[`T264_JOB_ABOVE]    <= y != 10'd0;
    end
  end

endmodule

`default_nettype wire
