// Decision on the transform tree of a CTU (package t265, transform tree): blocks of all
// sizes are predicted in its mode from source samples, transformed and quantised, eight
// samples of each size a cycle, and their costs are compared. Nothing behind it holds it
// up. With MaxTU 8 there are no blocks of 16x16, and every CTU is split.
//
// Source beats are rows of tiles of 8x8. They wait in two memories; from one they leave
// as they came, for the memory of the closed loop and for the blocks of 8x8 and 4x4,
// from the other in the order of the blocks of 16x16. Words: CHOSEN in, PLAN out
// (gen/t265_enc_words.vh).
//
// Mirror:     t265/hwenc/split.go
// Latency:    90 from the job to the plan, 60 with MaxTU 8
// Throughput: 1 CTU in 32 cycles
// Storage:    2 memories of 4096 bits, those of the transforms, 4 jobs, 2 borders, 1000 bits

`default_nettype none
`include "t265_enc_words.vh"

module t265_split #(
  parameter Threads    = 4,   // frames in flight
  parameter FrameCTUs  = 64,  // widest frame in CTUs, 2..256
  parameter MaxTU      = 16,  // largest block, 8 or 16
  parameter MinTU      = 4,   // smallest block, 4 or 8
  parameter ThreadBits = Threads > 1 ? $clog2(Threads) : 1,  // bits of a thread number
  parameter XBits      = $clog2(FrameCTUs)                   // bits of the column of a CTU
) (
  input  wire                         clk_i,
  input  wire                         rst_i,
  input  wire                         in_valid_i,
  output wire                         in_ready_o,
  input  wire [`T265_CHOSEN_BITS-1:0] in_data_i,
  input  wire                         beat_valid_i,
  input  wire [63:0]                  beat_data_i,
  output wire                         room_o,  // for a beat
  output wire                         write_valid_o,  // into the memory of the closed loop
  output wire [ThreadBits+4:0]        write_addr_o,
  output wire [63:0]                  write_data_o,
  output wire                         plan_valid_o,
  output wire [`T265_PLAN_BITS-1:0]   plan_data_o
);

  generate
    if (MaxTU != 8 && MaxTU != 16) begin : gen_illegal_max_tu
      illegal_MaxTU_is_neither_8_nor_16 u_illegal ();
    end
    if (MinTU != 4 && MinTU != 8) begin : gen_illegal_min_tu
      illegal_MinTU_is_neither_4_nor_8 u_illegal ();
    end
  endgenerate

  localparam JOB = `T265_REF_BITS + 2;  // bits of a job that waits: with the mode

  // Beats in memory, and those that are read.
  reg  [5:0]            tail_q;
  reg  [6:0]            used_q;
  reg                   begin_q;  // a job comes
  reg                   run_q;
  reg  [5:0]            at_q;
  reg  [2:0]            flight_q;  // jobs that wait for their plan
  reg                   valid1_q;
  reg  [4:0]            at1_q;
  reg  [ThreadBits-1:0] thread_q;
  wire [63:0]           beat;
  wire                  wide_go;
  wire                  narrow_go;

  wire enable = wide_go && narrow_go;
  wire load   = in_valid_i && in_ready_o;
  wire reads  = run_q && enable;
  wire half   = reads && (&at_q[3:0]);
  wire last   = half && at_q[4];
  wire start  = in_valid_i && !begin_q && !flight_q[2] && (!run_q || last);

  assign in_ready_o    = begin_q && enable;
  assign room_o        = !used_q[6];
  assign write_valid_o = valid1_q && enable;
  assign write_addr_o  = {thread_q, at1_q};
  assign write_data_o  = beat;

  always @(posedge clk_i) begin
    if (rst_i) begin
      tail_q   <= 6'd0;
      used_q   <= 7'd0;
      begin_q  <= 1'b0;
      run_q    <= 1'b0;
      at_q     <= 6'd0;
      flight_q <= 3'd0;
      valid1_q <= 1'b0;
    end else begin
      if (beat_valid_i) tail_q <= tail_q + 1'b1;
      used_q   <= used_q + {6'd0, beat_valid_i} - {2'd0, half, 4'd0};
      begin_q  <= start || begin_q && !enable;
      run_q    <= start || run_q && !last;
      flight_q <= flight_q + {2'd0, load} - {2'd0, plan_valid_o};
      if (reads) at_q <= at_q + 1'b1;
      if (enable) valid1_q <= run_q;
    end
  end

  always @(posedge clk_i) begin
    if (reads) at1_q <= at_q[4:0];
    if (load) thread_q <= in_data_i[`T265_CHOSEN_THREAD];
  end

  vc_ram_1r1w #(.Width(64), .Depth(64)) u_tiles (
    .clk_i  (clk_i),
    .we_i   (beat_valid_i),
    .waddr_i(tail_q),
    .wdata_i(beat_data_i),
    .re_i   (reads),
    .raddr_i(at_q),
    .rdata_o(beat)
  );

  // Blocks of 8x8 and 4x4.
  wire        narrow_valid;
  wire [5:0]  narrow_qp;
  wire [71:0] narrow_res;
  wire        narrow_done;
  wire [19:0] narrow_cost;
  wire        small_valid;
  wire        small_last;
  wire [5:0]  small_qp;
  wire [71:0] small_res;
  wire        small_done;
  wire [17:0] small_cost;
  wire        wide_done;
  wire [21:0] wide_cost;

  t265_split_tiles u_blocks (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .enable_i      (enable),
    .load_i        (load),
    .qp_i          (in_data_i[`T265_CHOSEN_QP]),
    .mode_i        (in_data_i[`T265_CHOSEN_MODE]),
    .row_i         (in_data_i[`T265_CHOSEN_ROW_AT +: 128]),
    .side_i        (in_data_i[`T265_CHOSEN_SIDE]),
    .valid_i       (valid1_q),
    .at_i          (at1_q),
    .beat_i        (beat),
    .narrow_valid_o(narrow_valid),
    .narrow_qp_o   (narrow_qp),
    .narrow_res_o  (narrow_res),
    .small_valid_o (small_valid),
    .small_last_o  (small_last),
    .small_qp_o    (small_qp),
    .small_res_o   (small_res)
  );

  t265_split_size #(.Log2(3)) u_narrow (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .enable_i(enable),
    .valid_i (narrow_valid),
    .qp_i    (narrow_qp),
    .res_i   (narrow_res),
    .go_o    (narrow_go),
    .done_o  (narrow_done),
    .cost_o  (narrow_cost)
  );

  t265_cost #(.Log2(2)) u_small (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .valid_i (small_valid),
    .last_i  (small_last),
    .qp_i    (small_qp),
    .values_i(small_res),
    .done_o  (small_done),
    .cost_o  (small_cost)
  );

  // Blocks of 16x16.
  generate
    if (MaxTU == 16) begin : gen_wide
      reg  [5:0]   qp_q;
      reg  [1:0]   mode_q;
      reg  [127:0] row_q;
      reg  [127:0] column_q;
      reg  [7:0]   dc_q;
      reg  [7:0]   left_q;
      reg  [12:0]  base_q;
      reg  [8:0]   step_q;
      wire [12:0]  base;
      wire [8:0]   step;
      wire [63:0]  half_row;
      wire [71:0]  wide_res;

      vc_ram_1r1w #(.Width(64), .Depth(64)) u_rows (
        .clk_i  (clk_i),
        .we_i   (beat_valid_i),
        .waddr_i(tail_q),
        .wdata_i(beat_data_i),
        .re_i   (reads),
        .raddr_i({at_q[5:4], at_q[0], at_q[3:1]}),
        .rdata_o(half_row)
      );

      // The row that is read. With the first one the CTU comes.
      wire [7:0] left   = begin_q ? in_data_i[`T265_CHOSEN_SIDE_AT +: 8]
                                  : column_q[8*at_q[4:1] +: 8];
      wire [7:0] bottom = begin_q ? in_data_i[`T265_CHOSEN_SIDE_AT + 120 +: 8] : column_q[127:120];
      wire [7:0] corner = begin_q ? in_data_i[`T265_CHOSEN_ROW_AT + 120 +: 8] : row_q[127:120];

      t265_open_row #(.Log2(4)) u_row (
        .y_i     (at_q[4:1]),
        .right_i (at_q[0]),
        .left_i  (left),
        .bottom_i(bottom),
        .corner_i(corner),
        .base_o  (base),
        .step_o  (step)
      );

      t265_open #(.Log2(4)) u_open (
        .mode_i (mode_q),
        .y_i    (at1_q[4:1]),
        .right_i(at1_q[0]),
        .above_i(row_q[64*at1_q[0] +: 64]),
        .left_i (left_q),
        .base_i (base_q),
        .step_i (step_q),
        .dc_i   (dc_q),
        .src_i  (half_row),
        .res_o  (wide_res)
      );

      t265_split_size #(.Log2(4)) u_size (
        .clk_i   (clk_i),
        .rst_i   (rst_i),
        .enable_i(enable),
        .valid_i (valid1_q),
        .qp_i    (qp_q),
        .res_i   (wide_res),
        .go_o    (wide_go),
        .done_o  (wide_done),
        .cost_o  (wide_cost)
      );

      always @(posedge clk_i) begin
        if (reads) begin
          left_q <= left;
          base_q <= base;
          step_q <= step;
        end
        if (load) begin
          qp_q     <= in_data_i[`T265_CHOSEN_QP];
          mode_q   <= in_data_i[`T265_CHOSEN_MODE];
          row_q    <= in_data_i[`T265_CHOSEN_ROW_AT +: 128];
          column_q <= in_data_i[`T265_CHOSEN_SIDE];
          dc_q     <= in_data_i[`T265_CHOSEN_DC];
        end
      end
    end else begin : gen_narrow
      assign wide_go   = 1'b1;
      assign wide_done = 1'b0;
      assign wide_cost = 22'd0;

      wire unused_dc = &{1'b0, in_data_i[`T265_CHOSEN_DC]};
    end
  endgenerate

  wire       split;
  wire [3:0] split8;

  t265_split_sum #(.MaxTU(MaxTU), .MinTU(MinTU)) u_sum (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .small_valid_i (small_done),
    .small_cost_i  (small_cost),
    .narrow_valid_i(narrow_done),
    .narrow_cost_i (narrow_cost),
    .wide_valid_i  (wide_done),
    .wide_cost_i   (wide_cost),
    .valid_o       (plan_valid_o),
    .split_o       (split),
    .split8_o      (split8)
  );

  // Jobs that wait for their plan.
  reg  [1:0]     head_q;
  reg  [1:0]     behind_q;
  wire [JOB-1:0] job;

  assign plan_data_o = {split8, split, job};

  vc_ram_latch #(.Width(JOB), .Depth(4)) u_jobs (
    .clk_i  (clk_i),
    .we_i   (load),
    .waddr_i(behind_q),
    .wdata_i({in_data_i[`T265_CHOSEN_MODE], in_data_i[`T265_CHOSEN_REF_JOB]}),
    .raddr_i(head_q),
    .rdata_o(job)
  );

  always @(posedge clk_i) begin
    if (rst_i) begin
      head_q   <= 2'd0;
      behind_q <= 2'd0;
    end else begin
      if (plan_valid_o) head_q <= head_q + 1'b1;
      if (load) behind_q <= behind_q + 1'b1;
    end
  end

endmodule

`default_nettype wire
