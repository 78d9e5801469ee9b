// CTU scheduler of the encoder: keeps the place of a frame per thread and asks for
// the next CTU of one thread after the other, of those with none before the closed
// loop and with room behind it. The first CTUs of a frame have a QP above that of
// the slice. In a frame of one or two columns the row above a CTU ends with the CTU
// before it: the next one waits for its end.
//
// Words: CFG in, REQ and JOB out (gen/t265_enc_words.vh).
//
// Mirror:     t265/hwenc/sched.go
// Latency:    2 from the pick of a thread
// Throughput: 1 CTU in 3 cycles, and a cycle for each thread passed over
// Storage:    Threads * (XBits + 60) bits of memory and flip-flops, and 3 words

`default_nettype none
`include "t265_enc_words.vh"

module t265_enc_sched #(
  parameter Threads    = 4,   // frames in flight
  parameter FrameCTUs  = 64,  // widest frame in CTUs, 2..256
  parameter ThreadBits = Threads > 1 ? $clog2(Threads) : 1,     // bits of a thread number
  parameter XBits      = FrameCTUs > 1 ? $clog2(FrameCTUs) : 1  // bits of the column of a CTU
) (
  input  wire                      clk_i,
  input  wire                      rst_i,
  input  wire                      cfg_valid_i,
  output wire                      cfg_ready_o,
  input  wire [`T265_CFG_BITS-1:0] cfg_data_i,
  input  wire [Threads-1:0]        room_i,
  input  wire [Threads-1:0]        free_i,  // no plan waits before the closed loop
  input  wire [Threads-1:0]        idle_i,  // nor is a CTU in it
  input  wire                      plan_valid_i,
  input  wire [ThreadBits-1:0]     plan_thread_i,
  output wire                      req_valid_o,
  input  wire                      req_ready_i,
  output wire [`T265_REQ_BITS-1:0] req_data_o,
  output wire                      job_valid_o,
  input  wire                      job_ready_i,
  output wire [`T265_JOB_BITS-1:0] job_data_o
);

  localparam [1:0] PICK = 2'd0;
  localparam [1:0] READ = 2'd1;
  localparam [1:0] SEND = 2'd2;

  localparam [31:0]           LAST32 = Threads - 1;
  localparam [ThreadBits-1:0] LAST   = LAST32[ThreadBits-1:0];

  reg [1:0]                state_q;
  reg [ThreadBits-1:0]     thread_q;   // looked at, or being served
  reg [Threads-1:0]        more_q;     // CTUs are left to ask for
  reg [Threads-1:0]        pending_q;  // one has no plan
  reg [Threads-1:0]        narrow_q;   // frames of at most two columns
  reg                      cfg_valid_q;
  reg [`T265_CFG_BITS-1:0] cfg_q;
  reg                      req_valid_q;
  reg                      job_valid_q;
  reg [`T265_REQ_BITS-1:0] req_q;
  reg [`T265_JOB_BITS-1:0] job_q;

  assign cfg_ready_o = !cfg_valid_q;
  assign req_valid_o = req_valid_q;
  assign req_data_o  = req_q;
  assign job_valid_o = job_valid_q;
  assign job_data_o  = job_q;

  wire [ThreadBits-1:0] cfg_thread = cfg_q[`T265_CFG_THREAD];
  wire [9:0]            cfg_width  = cfg_q[`T265_CFG_WIDTH];

  wire sent   = (!req_valid_q || req_ready_i) && (!job_valid_q || job_ready_i);
  wire start  = state_q == PICK && cfg_valid_q && !more_q[cfg_thread];
  wire above  = idle_i[thread_q] || !narrow_q[thread_q];  // what is above the CTU is there
  wire ahead  = pending_q[thread_q] || !free_i[thread_q];
  wire wanted = more_q[thread_q] && !ahead && room_i[thread_q] && above;
  wire fetch  = state_q == PICK && !start && wanted;
  wire step   = state_q == PICK && !start && !wanted || state_q == SEND && sent;

  // The place of a frame.
  wire [`T265_PLACE_BITS-1:0] place;
  reg  [`T265_PLACE_BITS-1:0] place_d;

  wire [9:0]       width   = place[`T265_PLACE_WIDTH];
  wire [9:0]       height  = place[`T265_PLACE_HEIGHT];
  wire [5:0]       qp      = place[`T265_PLACE_QP];
  wire [19:0]      high    = place[`T265_PLACE_HIGH];
  wire             fine    = place[`T265_PLACE_FINE];
  wire [XBits-1:0] x       = place[`T265_PLACE_X];
  wire [9:0]       y       = place[`T265_PLACE_Y];

  wire [9:0]       x_wide  = {{(10 - XBits) {1'b0}}, x};
  wire [9:0]       x_next  = x_wide + 10'd1;
  wire [9:0]       y_next  = y + 10'd1;
  wire             row_end = x_next == width;
  wire             last    = row_end && y_next == height;
  wire             raised  = high != 20'd0;
  wire             at_left = x == {XBits{1'b0}};
  wire             at_top  = y == 10'd0;

  always @* begin
    place_d = place;
    place_d[`T265_PLACE_HIGH] = high - {19'd0, raised};
    place_d[`T265_PLACE_X]    = row_end ? {XBits{1'b0}} : x_next[XBits-1:0];
    place_d[`T265_PLACE_Y]    = row_end ? y_next : y;
    if (start) begin
      place_d = {`T265_PLACE_BITS{1'b0}};
      place_d[`T265_PLACE_WIDTH]  = cfg_width;
      place_d[`T265_PLACE_HEIGHT] = cfg_q[`T265_CFG_HEIGHT];
      place_d[`T265_PLACE_QP]     = cfg_q[`T265_CFG_QP];
      place_d[`T265_PLACE_HIGH]   = cfg_q[`T265_CFG_HIGH];
      place_d[`T265_PLACE_FINE]   = cfg_q[`T265_CFG_FINE];
    end
  end

  vc_ram_1r1w #(
    .Width(`T265_PLACE_BITS),
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
      pending_q   <= {Threads{1'b0}};
      cfg_valid_q <= 1'b0;
      req_valid_q <= 1'b0;
      job_valid_q <= 1'b0;
    end else begin
      if (cfg_ready_o) cfg_valid_q <= cfg_valid_i;
      else if (start) cfg_valid_q <= 1'b0;
      if (start) more_q[cfg_thread] <= 1'b1;
      if (plan_valid_i) pending_q[plan_thread_i] <= 1'b0;
      if (req_ready_i) req_valid_q <= 1'b0;
      if (job_ready_i) job_valid_q <= 1'b0;
      if (fetch) state_q <= READ;
      if (state_q == READ) begin
        state_q             <= SEND;
        req_valid_q         <= 1'b1;
        job_valid_q         <= 1'b1;
        pending_q[thread_q] <= 1'b1;
        more_q[thread_q]    <= !last;
      end
      if (step) begin
        state_q  <= PICK;
        thread_q <= thread_q == LAST ? {ThreadBits{1'b0}} : thread_q + 1'b1;
      end
    end
  end

  always @(posedge clk_i) begin
    if (cfg_ready_o) cfg_q <= cfg_data_i;
    if (start) narrow_q[cfg_thread] <= cfg_width <= 10'd2;
    if (state_q == READ) begin
      req_q[`T265_REQ_THREAD] <= thread_q;
      req_q[`T265_REQ_X]      <= x_wide;
      req_q[`T265_REQ_Y]      <= y;
      req_q[`T265_REQ_LAST]   <= last;
      job_q[`T265_JOB_THREAD] <= thread_q;
      job_q[`T265_JOB_X]      <= x;
      job_q[`T265_JOB_QP]     <= qp + {5'd0, raised};
      job_q[`T265_JOB_HIGH]   <= raised;
      job_q[`T265_JOB_FINE]   <= fine;
      job_q[`T265_JOB_FIRST]  <= at_left && at_top;
      job_q[`T265_JOB_LAST]   <= last;
      job_q[`T265_JOB_LEFT]   <= !at_left;
      job_q[`T265_JOB_ABOVE]  <= !at_top;
      job_q[`T265_JOB_RIGHT]  <= !at_top && !row_end;
    end
  end

endmodule

`default_nettype wire
