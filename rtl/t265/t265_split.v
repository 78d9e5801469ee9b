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
// Latency:    92 from the job to the plan, 61 with MaxTU 8
// Throughput: 1 CTU in 32 cycles
// Storage:    2 memories of 4096 bits, those of the transforms, 4 jobs, 2 borders of
//             16 + 16 samples, and about 1000 bits

`default_nettype none
`include "t265_enc_words.vh"

module t265_split #(
  parameter Threads    = 4,   // frames in flight
  parameter FrameCTUs  = 64,  // widest frame in CTUs, 2..256
  parameter MaxTU      = 16,  // largest block, 8 or 16
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
  reg                   valid2_q;
  reg  [2:0]            at2_q;
  reg                   valid3_q;
  reg                   third_q;  // the beat there is the last one of four
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
      valid2_q <= 1'b0;
      valid3_q <= 1'b0;
    end else begin
      if (beat_valid_i) tail_q <= tail_q + 1'b1;
      used_q   <= used_q + {6'd0, beat_valid_i} - {2'd0, half, 4'd0};
      begin_q  <= start || begin_q && !enable;
      run_q    <= start || run_q && !last;
      flight_q <= flight_q + {2'd0, load} - {2'd0, plan_valid_o};
      if (reads) at_q <= at_q + 1'b1;
      if (enable) begin
        valid1_q <= run_q;
        valid2_q <= valid1_q;
        valid3_q <= valid2_q;
      end
    end
  end

  always @(posedge clk_i) begin
    if (reads) at1_q <= at_q[4:0];
    if (enable) begin
      at2_q   <= at1_q[2:0];
      third_q <= &at2_q[1:0];
    end
    if (load) thread_q <= in_data_i[`T265_CHOSEN_THREAD];
  end

  vc_ram_1r1w #(
    .Width(64),
    .Depth(64)
  ) u_tiles (
    .clk_i  (clk_i),
    .we_i   (beat_valid_i),
    .waddr_i(tail_q),
    .wdata_i(beat_data_i),
    .re_i   (reads),
    .raddr_i(at_q),
    .rdata_o(beat)
  );

  // What the predictions know of the CTU: its row and column, which those of blocks of
  // 8x8 and 4x4 replace as they go by.
  reg  [5:0]   qp_q;
  reg  [1:0]   mode_q;
  reg  [127:0] above_q;
  reg  [127:0] left_q;
  reg  [63:0]  beat1_q;  // the beat before,
  reg  [63:0]  beat2_q;
  reg  [39:0]  beat3_q;  // samples 3 to 7 of it
  reg  [31:0]  beat4_q;  // samples 4 to 7

  wire [63:0] tile_above = above_q[64*at1_q[3] +: 64];
  wire [63:0] tile_left  = left_q[64*at1_q[4] +: 64];
  wire        fourth     = valid1_q && (&at1_q[1:0]);

  always @(posedge clk_i) begin
    if (enable) begin
      beat1_q <= beat;
      beat2_q <= beat1_q;
      beat3_q <= beat2_q[63:24];
      beat4_q <= beat3_q[39:8];
      if (fourth) begin
        above_q[64*at1_q[3] +: 64] <= beat;
        left_q[32*{at1_q[4], at1_q[2]} +: 32] <=
          {beat[63:56], beat1_q[63:56], beat2_q[63:56], beat3_q[39:32]};
      end
    end
    if (load) begin
      qp_q    <= in_data_i[`T265_CHOSEN_QP];
      mode_q  <= in_data_i[`T265_CHOSEN_MODE];
      above_q <= in_data_i[`T265_CHOSEN_ROW_AT +: 128];
      left_q  <= in_data_i[`T265_CHOSEN_SIDE];
    end
  end

  // Blocks of 8x8: what is above and on the left of a tile when its first row is there,
  // which goes a cycle later.
  reg  [5:0]  narrow_qp_q;
  reg  [1:0]  narrow_mode_q;
  reg  [63:0] narrow_above_q;
  reg  [7:0]  narrow_bottom_q;
  reg  [7:0]  narrow_left_q;
  reg  [7:0]  narrow_dc_q;
  reg  [11:0] narrow_sum;
  reg         narrow_valid_q;
  reg  [77:0] narrow_q;  // residual, QP
  wire [71:0] narrow_res;
  wire        narrow_ready;
  integer     i;

  always @* begin
    narrow_sum = 12'd8;
    for (i = 0; i < 8; i = i + 1)
      narrow_sum = narrow_sum + {4'd0, tile_above[8*i +: 8]} + {4'd0, tile_left[8*i +: 8]};
  end

  t265_open #(
    .Log2(3)
  ) u_narrow_open (
    .mode_i  (narrow_mode_q),
    .y_i     ({1'b0, at2_q}),
    .right_i (1'b0),
    .above_i (narrow_above_q),
    .left_i  ({8'd0, narrow_left_q}),
    .bottom_i(narrow_bottom_q),
    .corner_i(narrow_above_q[63:56]),
    .dc_i    (narrow_dc_q),
    .src_i   (beat1_q),
    .res_o   (narrow_res)
  );

  assign narrow_go = !narrow_valid_q || narrow_ready;

  always @(posedge clk_i) begin
    if (rst_i) narrow_valid_q <= 1'b0;
    else if (enable) narrow_valid_q <= valid2_q;
    else if (narrow_ready) narrow_valid_q <= 1'b0;
  end

  always @(posedge clk_i) begin
    if (enable) begin
      narrow_left_q <= tile_left[8*at1_q[2:0] +: 8];
      if (at1_q[2:0] == 3'd0) begin
        narrow_qp_q     <= qp_q;
        narrow_mode_q   <= mode_q;
        narrow_above_q  <= tile_above;
        narrow_bottom_q <= tile_left[63:56];
        narrow_dc_q     <= narrow_sum[11:4];
      end
      narrow_q <= {narrow_res, narrow_qp_q};
    end
  end

  // Blocks of 4x4: rows 0 and 1 of the one on the left of a tile leave when row 1 is in
  // beat1_q, rows 2 and 3 a cycle later, those of the one on the right behind them.
  reg  [5:0]  small_qp_q;
  reg  [1:0]  small_mode_q;
  reg  [31:0] small_above_q;
  reg  [31:0] small_left_q;
  reg  [31:0] small_above;
  reg  [31:0] small_left;
  reg  [10:0] small_sum;
  reg  [7:0]  small_dc_q;
  reg  [63:0] small_src;
  reg         small_valid_q;
  reg         small_last_q;
  reg  [77:0] small_q;  // residual, QP
  wire [71:0] small_res;

  wire [1:0] step = at2_q[1:0] & {2{valid2_q}};

  always @* begin
    case (step)
      2'd1: small_src = {beat1_q[31:0], beat2_q[31:0]};
      2'd2: small_src = {beat[31:0], beat1_q[31:0]};
      2'd3: small_src = {beat3_q[39:8], beat4_q};
      default: small_src = {beat2_q[63:32], beat3_q[39:8]};
    endcase
    small_above = at1_q[1] ? tile_above[63:32] : tile_above[31:0];
    small_left  = at1_q[1] ? {beat[31:24], beat1_q[31:24], beat2_q[31:24], beat3_q[7:0]}
                           : tile_left[32*at1_q[2] +: 32];
    small_sum   = 11'd4;
    for (i = 0; i < 4; i = i + 1)
      small_sum = small_sum + {3'd0, small_above[8*i +: 8]} + {3'd0, small_left[8*i +: 8]};
  end

  t265_open #(
    .Log2(2)
  ) u_small_open (
    .mode_i  (small_mode_q),
    .y_i     ({2'd0, !step[0], 1'b0}),
    .right_i (1'b0),
    .above_i ({2{small_above_q}}),
    .left_i  (step[0] ? small_left_q[15:0] : small_left_q[31:16]),
    .bottom_i(small_left_q[31:24]),
    .corner_i(small_above_q[31:24]),
    .dc_i    (small_dc_q),
    .src_i   (small_src),
    .res_o   (small_res)
  );

  wire unused = &{1'b0, narrow_sum[3:0], small_sum[2:0]};

  always @(posedge clk_i) begin
    if (rst_i) small_valid_q <= 1'b0;
    else if (enable) small_valid_q <= step != 2'd0 || valid3_q && third_q;
  end

  always @(posedge clk_i) begin
    if (enable) begin
      if (valid1_q && at1_q[0]) begin
        small_above_q <= small_above;
        small_left_q  <= small_left;
        small_dc_q    <= small_sum[10:3];
      end
      if (at1_q[1:0] == 2'd1) begin
        small_qp_q   <= qp_q;
        small_mode_q <= mode_q;
      end
      small_last_q <= !step[0];
      small_q      <= {small_res, small_qp_q};
    end
  end

  // Transforms and costs.
  wire         narrow_coef_valid;
  wire [135:0] narrow_coef;  // coefficients, size, QP
  reg  [2:0]   narrow_at_q;
  wire         small_done;
  wire [17:0]  small_cost;
  wire         narrow_done;
  wire [19:0]  narrow_cost;
  wire         wide_done;
  wire [21:0]  wide_cost;

  t265_forward #(
    .MaxTU  (8),
    .TagBits(6)
  ) u_narrow_forward (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .in_valid_i (narrow_valid_q),
    .in_ready_o (narrow_ready),
    .in_data_i  ({narrow_q[77:6], 2'd1, narrow_q[5:0]}),
    .out_valid_o(narrow_coef_valid),
    .out_ready_i(1'b1),
    .out_data_o (narrow_coef)
  );

  always @(posedge clk_i) begin
    if (rst_i) narrow_at_q <= 3'd0;
    else if (narrow_coef_valid) narrow_at_q <= narrow_at_q + 1'b1;
  end

  t265_cost #(
    .Log2(3)
  ) u_narrow_cost (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .valid_i (narrow_coef_valid),
    .last_i  (&narrow_at_q),
    .qp_i    (narrow_coef[5:0]),
    .values_i(narrow_coef[135:8]),
    .done_o  (narrow_done),
    .cost_o  (narrow_cost)
  );

  wire unused_size = &{1'b0, narrow_coef[7:6]};

  t265_cost #(
    .Log2(2)
  ) u_small_cost (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .valid_i (small_valid_q && enable),
    .last_i  (small_last_q),
    .qp_i    (small_q[5:0]),
    .values_i(small_q[77:6]),
    .done_o  (small_done),
    .cost_o  (small_cost)
  );

  // Blocks of 16x16.
  generate
    if (MaxTU == 16) begin : gen_wide
      reg  [127:0] row_q;
      reg  [127:0] column_q;
      reg  [7:0]   dc_q;
      reg          wide_valid_q;
      reg  [77:0]  wide_q;  // residual, QP
      reg  [4:0]   wide_at_q;
      wire [63:0]  half_row;
      wire [71:0]  wide_res;
      wire         wide_ready;
      wire         coef_valid;
      wire [135:0] coef;  // coefficients, size, QP

      assign wide_go = !wide_valid_q || wide_ready;

      vc_ram_1r1w #(
        .Width(64),
        .Depth(64)
      ) u_rows (
        .clk_i  (clk_i),
        .we_i   (beat_valid_i),
        .waddr_i(tail_q),
        .wdata_i(beat_data_i),
        .re_i   (reads),
        .raddr_i({at_q[5:4], at_q[0], at_q[3:1]}),
        .rdata_o(half_row)
      );

      t265_open #(
        .Log2(4)
      ) u_open (
        .mode_i  (mode_q),
        .y_i     (at1_q[4:1]),
        .right_i (at1_q[0]),
        .above_i (row_q[64*at1_q[0] +: 64]),
        .left_i  ({8'd0, column_q[8*at1_q[4:1] +: 8]}),
        .bottom_i(column_q[127:120]),
        .corner_i(row_q[127:120]),
        .dc_i    (dc_q),
        .src_i   (half_row),
        .res_o   (wide_res)
      );

      t265_forward #(
        .MaxTU  (16),
        .TagBits(6)
      ) u_forward (
        .clk_i      (clk_i),
        .rst_i      (rst_i),
        .in_valid_i (wide_valid_q),
        .in_ready_o (wide_ready),
        .in_data_i  ({wide_q[77:6], 2'd2, wide_q[5:0]}),
        .out_valid_o(coef_valid),
        .out_ready_i(1'b1),
        .out_data_o (coef)
      );

      t265_cost #(
        .Log2(4)
      ) u_cost (
        .clk_i   (clk_i),
        .rst_i   (rst_i),
        .valid_i (coef_valid),
        .last_i  (&wide_at_q),
        .qp_i    (coef[5:0]),
        .values_i(coef[135:8]),
        .done_o  (wide_done),
        .cost_o  (wide_cost)
      );

      wire unused_wide = &{1'b0, coef[7:6]};

      always @(posedge clk_i) begin
        if (rst_i) begin
          wide_valid_q <= 1'b0;
          wide_at_q    <= 5'd0;
        end else begin
          if (enable) wide_valid_q <= valid1_q;
          else if (wide_ready) wide_valid_q <= 1'b0;
          if (coef_valid) wide_at_q <= wide_at_q + 1'b1;
        end
      end

      always @(posedge clk_i) begin
        if (enable) wide_q <= {wide_res, qp_q};
        if (load) begin
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

  t265_split_sum #(
    .MaxTU(MaxTU)
  ) u_sum (
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

  vc_ram_latch #(
    .Width(JOB),
    .Depth(4)
  ) u_jobs (
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
