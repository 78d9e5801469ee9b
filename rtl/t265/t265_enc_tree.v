// Walk of the transform trees of the encoder: holds the plans of two CTUs of each
// thread, the one in the closed loop and one that waits, and hands out the transform
// blocks of the former in z-order, of those threads that have none under way, one thread
// after the other.
//
// Words: PLAN and DONE in, HEAD and FIRST out (gen/t265_enc_words.vh). A plan comes only
// for a thread of free_o. Its source samples are in the slot that slot_o does not tell.
// The head goes as the words of a CTU that enters the loop come from the memory, before
// its first block is at out_data_o, and whether or not that one is taken: so nothing that
// holds up the loop is on the way of a head.
//
// Mirror:     t265/hwenc/tree.go
// Latency:    3 from the end of a block to the next block, 4 from a plan or to the next CTU
// Throughput: 1 block a cycle
// Storage:    Threads * (2 * (XBits + 20) + 156) bits of memory, Threads * 5 flip-flops,
//             and a word

`default_nettype none
`include "t265_enc_words.vh"

module t265_enc_tree #(
  parameter Threads    = 4,   // frames in flight
  parameter FrameCTUs  = 64,  // widest frame in CTUs, 2..256
  parameter ThreadBits = Threads > 1 ? $clog2(Threads) : 1,     // bits of a thread number
  parameter XBits      = FrameCTUs > 1 ? $clog2(FrameCTUs) : 1  // bits of the column of a CTU
) (
  input  wire                        clk_i,
  input  wire                        rst_i,
  input  wire                        plan_valid_i,
  input  wire [`T265_PLAN_BITS-1:0]  plan_data_i,
  input  wire                        done_valid_i,
  input  wire [`T265_DONE_BITS-1:0]  done_data_i,
  output wire [Threads-1:0]          free_o,  // a plan may come
  output wire [Threads-1:0]          idle_o,  // there is no CTU
  output wire [Threads-1:0]          slot_o,  // of the CTU in the loop
  output wire                        head_valid_o,
  output wire [`T265_HEAD_BITS-1:0]  head_data_o,
  output wire [XBits-1:0]            head_x_o,  // column of that CTU
  output wire                        out_valid_o,
  input  wire                        out_ready_i,
  output wire [`T265_FIRST_BITS-1:0] out_data_o
);

  wire [ThreadBits-1:0] plan_thread = plan_data_i[`T265_PLAN_THREAD];
  wire [ThreadBits-1:0] done_thread = done_data_i[`T265_DONE_THREAD];
  wire                  done_last   = done_data_i[`T265_DONE_LAST_TU];

  reg  [Threads-1:0]          waiting_q;  // there is a plan of a CTU that is not in the loop
  reg  [Threads-1:0]          busy_q;     // a CTU is in the loop
  reg  [Threads-1:0]          ready_q;    // its next block may go out
  reg  [Threads-1:0]          fresh_q;    // it is the first one
  reg  [Threads-1:0]          slot_q;
  reg  [ThreadBits-1:0]       thread_q;   // picked last
  reg                         picked_q;   // its words are at the ports of the memories,
  reg                         came_q;     // since this cycle
  reg                         first_q;    // its block is the first one
  reg                         valid_q;
  reg  [`T265_TU_BITS-1:0]    tu_q;
  reg  [151:0]                edge_q;

  assign free_o      = ~(waiting_q | fresh_q);
  assign idle_o      = ~(waiting_q | busy_q);
  assign slot_o      = slot_q;
  assign out_valid_o = valid_q;
  assign out_data_o  = {edge_q, tu_q};

  wire load = !valid_q || out_ready_i;           // the output register is free after this edge
  wire pick = (load || !picked_q) && |ready_q;

  wire [Threads-1:0] enter = waiting_q & ~busy_q;  // the loop

  // The next thread: the first one above the last, else the lowest.
  reg [ThreadBits-1:0] low;
  reg [ThreadBits-1:0] high;
  reg                  any_high;
  integer              i;

  always @* begin
    low      = {ThreadBits{1'b0}};
    high     = {ThreadBits{1'b0}};
    any_high = 1'b0;
    for (i = Threads - 1; i >= 0; i = i - 1) begin
      if (ready_q[i]) begin
        low = i[ThreadBits-1:0];
        if (i[ThreadBits-1:0] > thread_q) begin
          high     = i[ThreadBits-1:0];
          any_high = 1'b1;
        end
      end
    end
  end

  wire [ThreadBits-1:0] next  = any_high ? high : low;
  wire                  fresh = fresh_q[next];

  // The plans, and the samples above and at the corner, which the first block takes along.
  reg  [`T265_WALK_BITS-1:0] walk_d;
  reg  [`T265_HEAD_BITS-1:0] head;
  wire [`T265_WALK_BITS-1:0] walk;
  wire [151:0]               edges;

  always @* begin
    walk_d[`T265_WALK_X]      = plan_data_i[`T265_PLAN_X];
    walk_d[`T265_WALK_HIGH]   = plan_data_i[`T265_PLAN_HIGH];
    walk_d[`T265_WALK_FINE]   = plan_data_i[`T265_PLAN_FINE];
    walk_d[`T265_WALK_FIRST]  = plan_data_i[`T265_PLAN_FIRST];
    walk_d[`T265_WALK_LAST]   = plan_data_i[`T265_PLAN_LAST];
    walk_d[`T265_WALK_QP]     = plan_data_i[`T265_PLAN_QP];
    walk_d[`T265_WALK_LEFT]   = plan_data_i[`T265_PLAN_LEFT];
    walk_d[`T265_WALK_ABOVE]  = plan_data_i[`T265_PLAN_ABOVE];
    walk_d[`T265_WALK_RIGHT]  = plan_data_i[`T265_PLAN_RIGHT];
    walk_d[`T265_WALK_MODE]   = plan_data_i[`T265_PLAN_MODE];
    walk_d[`T265_WALK_SPLIT]  = plan_data_i[`T265_PLAN_SPLIT];
    walk_d[`T265_WALK_SPLIT8] = plan_data_i[`T265_PLAN_SPLIT8];
    head[`T265_HEAD_THREAD]   = thread_q;
    head[`T265_HEAD_QP]       = walk[`T265_WALK_QP];
    head[`T265_HEAD_HIGH]     = walk[`T265_WALK_HIGH];
    head[`T265_HEAD_FINE]     = walk[`T265_WALK_FINE];
    head[`T265_HEAD_FIRST]    = walk[`T265_WALK_FIRST];
    head[`T265_HEAD_LAST]     = walk[`T265_WALK_LAST];
    head[`T265_HEAD_LEFT]     = walk[`T265_WALK_LEFT];
    head[`T265_HEAD_MODE]     = walk[`T265_WALK_MODE];
    head[`T265_HEAD_SPLIT]    = walk[`T265_WALK_SPLIT];
    head[`T265_HEAD_SPLIT8]   = walk[`T265_WALK_SPLIT8];
  end

  assign head_valid_o = came_q && first_q;
  assign head_data_o  = head;
  assign head_x_o     = walk[`T265_WALK_X];

  vc_ram_1r1w #(
    .Width(`T265_WALK_BITS),
    .Depth(Threads > 1 ? 2 * Threads : 4)
  ) u_plans (
    .clk_i  (clk_i),
    .we_i   (plan_valid_i),
    .waddr_i({plan_thread, !slot_q[plan_thread]}),
    .wdata_i(walk_d),
    .re_i   (pick),
    .raddr_i({next, slot_q[next]}),
    .rdata_o(walk)
  );

  vc_ram_1r1w #(
    .Width(152),
    .Depth(Threads)
  ) u_edges (
    .clk_i  (clk_i),
    .we_i   (plan_valid_i),
    .waddr_i(plan_thread),
    .wdata_i({plan_data_i[`T265_PLAN_CORNER], plan_data_i[`T265_PLAN_ROW]}),
    .re_i   (pick && fresh),
    .raddr_i(next),
    .rdata_o(edges)
  );

  // Where a thread is in its CTU: the first 4x4 block of the next block, in z-order.
  wire [3:0] at_kept;
  wire [3:0] split8 = walk[`T265_WALK_SPLIT8];
  wire       split  = walk[`T265_WALK_SPLIT];
  wire [3:0] at     = first_q ? 4'd0 : at_kept;
  wire       quarter  = split8[at[3:2]];
  wire [4:0] after  = {1'b0, at} + (!split ? 5'd16 : quarter ? 5'd1 : 5'd4);

  vc_ram_ff #(
    .Width(4),
    .Depth(Threads)
  ) u_at (
    .clk_i  (clk_i),
    .we_i   (load && picked_q),
    .waddr_i(thread_q),
    .wdata_i(after[3:0]),
    .raddr_i(thread_q),
    .rdata_o(at_kept)
  );

  always @(posedge clk_i) begin
    if (rst_i) begin
      waiting_q <= {Threads{1'b0}};
      busy_q    <= {Threads{1'b0}};
      ready_q   <= {Threads{1'b0}};
      fresh_q   <= {Threads{1'b0}};
      slot_q    <= {Threads{1'b0}};
      thread_q  <= {ThreadBits{1'b0}};
      picked_q  <= 1'b0;
      came_q    <= 1'b0;
      valid_q   <= 1'b0;
    end else begin
      waiting_q <= waiting_q & ~enter;
      busy_q    <= busy_q | enter;
      ready_q   <= ready_q | enter;
      fresh_q   <= fresh_q | enter;
      slot_q    <= slot_q ^ enter;
      if (load) valid_q <= picked_q;
      if (load || !picked_q) picked_q <= pick;
      came_q <= pick;
      if (pick) begin
        thread_q      <= next;
        ready_q[next] <= 1'b0;
        fresh_q[next] <= 1'b0;
      end
      if (done_valid_i) begin
        ready_q[done_thread] <= !done_last;
        if (done_last) busy_q[done_thread] <= 1'b0;
      end
      if (plan_valid_i) waiting_q[plan_thread] <= 1'b1;
    end
  end

  always @(posedge clk_i) begin
    if (pick) first_q <= fresh;
    if (load && picked_q) begin
      tu_q[`T265_TU_THREAD]  <= thread_q;
      tu_q[`T265_TU_CX]      <= {at[2], at[0]};
      tu_q[`T265_TU_CY]      <= {at[3], at[1]};
      tu_q[`T265_TU_MODE]    <= walk[`T265_WALK_MODE];
      tu_q[`T265_TU_QP]      <= walk[`T265_WALK_QP];
      tu_q[`T265_TU_LAST_TU] <= after[4];
      tu_q[`T265_TU_LOG2]    <= !split ? 2'd2 : quarter ? 2'd0 : 2'd1;
      tu_q[`T265_TU_FIRST]   <= first_q;
      tu_q[`T265_TU_LEFT]    <= walk[`T265_WALK_LEFT];
      tu_q[`T265_TU_ABOVE]   <= walk[`T265_WALK_ABOVE];
      tu_q[`T265_TU_RIGHT]   <= walk[`T265_WALK_RIGHT];
      edge_q                 <= edges;
    end
  end

endmodule

`default_nettype wire
