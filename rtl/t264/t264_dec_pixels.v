// Pixel path of the decoder: items of all threads (t264/hw/item.go) in, samples out,
// four values a cycle. Blocks of different threads follow each other in slots of
// four cycles, so that none waits for its neighbours. Nothing inside waits
// either: a block enters when its samples will have room.
//
// slot after issue:   4x4  0 issue  1 levels, references  2 rows  3 columns, prediction
//                     8x8  0 issue  1-4 levels  7 references  9-12 columns, prediction
//
// Mirror:     t264/hwdec/pixels.go
// Latency:    16 cycles from issue
// Throughput: 4 values a cycle; 1 slot more for each I_16x16 macroblock
// Storage:    Threads * (2300 + 2^MBBits * 128) bits of memory, 5000 of flip-flops

`default_nettype none
`include "t264_dec_words.vh"

module t264_dec_pixels #(
  parameter Threads    = 16,  // independent frames
  parameter FrameMBs   = 64,  // widest and highest frame in macroblocks, 2..1024
  parameter Slots      = 16,  // slots of four words in the output queue, at least 16
  parameter Transform8 = 1,   // 8x8 blocks exist
  parameter ThreadBits = Threads > 1 ? $clog2(Threads) : 1,   // bits of a thread number
  parameter MBBits     = FrameMBs > 1 ? $clog2(FrameMBs) : 1  // bits of a column or row
) (
  input  wire                  clk_i,
  input  wire                  rst_i,
  output wire                  in_open_o,   // it takes items, where there is room
  input  wire [3*Threads-1:0]  in_kinds_i,  // by thread, of its next item
  input  wire [Threads-1:0]    in_bad_i,    // if that is an end: not complete
  output wire [Threads-1:0]    in_ready_o,  // it may come
  input  wire                  in_valid_i,
  input  wire [ThreadBits-1:0] in_thread_i,
  input  wire [2:0]            in_kind_i,
  input  wire [3:0]            in_group_i,
  input  wire                  in_last_i,
  input  wire [63:0]           in_data_i,
  output wire                  out_valid_o,
  input  wire                  out_ready_i,
  output wire [ThreadBits-1:0] out_thread_o,
  output wire [MBBits-1:0]     out_mb_x_o,
  output wire [MBBits-1:0]     out_mb_y_o,
  output wire [3:0]            out_x_o,     // column in the macroblock
  output wire [1:0]            out_y_o,     // rows 4*out_y_o on
  output wire [31:0]           out_data_o   // samples downwards
);

  localparam [1:0] WIDE = 2'd1, DC = 2'd3;  // kinds of blocks

  reg [1:0] phase_q;
  reg       slot_q;   // parity

  always @(posedge clk_i) begin
    if (rst_i) {slot_q, phase_q} <= 3'd0;
    else {slot_q, phase_q} <= {slot_q, phase_q} + 3'd1;
  end

  // Store of items.
  wire                       we_mb, we_modes, we, fill;
  wire [ThreadBits+2:0]      waddr, raddr;
  wire                       mb_waddr;
  wire [ThreadBits:0]        mb_raddr;
  wire [`T264_KEPT_BITS-1:0] mb;
  wire [63:0]                modes;
  wire [255:0]               levels;
  wire                       early = phase_q == 2'd0;

  t264_dec_store #(
    .Threads (Threads),
    .FrameMBs(FrameMBs)
  ) u_store (
    .clk_i     (clk_i),
    .read_i    (early),
    .we_mb_i   (we_mb),
    .we_modes_i(we_modes),
    .we_i      (we),
    .fill_i    (fill),
    .group_i   (in_group_i[1:0]),
    .data_i    (in_data_i),
    .waddr_i   (waddr),
    .mb_waddr_i({in_thread_i, mb_waddr}),
    .raddr_i   (raddr),
    .mb_raddr_i(mb_raddr),
    .mb_o      (mb),
    .modes_o   (modes),
    .levels_o  (levels)
  );

  // Scheduler.
  wire                       lev_on, lev_start;
  wire [1:0]                 lev_kind, lev_word, lev_x, lev_y;
  wire [ThreadBits-1:0]      lev_thread;
  wire [5:0]                 lev_qp;
  wire                       near_valid, done, credit;
  wire [`T264_STEP_BITS-1:0] near;
  reg                        ref_valid_q;
  reg  [`T264_STEP_BITS-1:0] ref_q;

  t264_dec_sched #(
    .Threads (Threads),
    .FrameMBs(FrameMBs),
    .Slots   (Slots)
  ) u_sched (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .phase_i      (phase_q),
    .in_open_o    (in_open_o),
    .in_kinds_i   (in_kinds_i),
    .in_bad_i     (in_bad_i),
    .in_valid_i   (in_valid_i),
    .in_ready_o   (in_ready_o),
    .in_thread_i  (in_thread_i),
    .in_kind_i    (in_kind_i),
    .in_word_i    (in_group_i[3:2]),
    .in_last_i    (in_last_i),
    .in_data_i    (in_data_i[`T264_MB_ITEM_CBP_AT:0]),
    .we_mb_o      (we_mb),
    .we_modes_o   (we_modes),
    .we_o         (we),
    .waddr_o      (waddr),
    .fill_o       (fill),
    .mb_waddr_o   (mb_waddr),
    .mb_raddr_o   (mb_raddr),
    .mb_kind_i    (mb[`T264_KEPT_KIND]),
    .mb_mode_i    (mb[`T264_KEPT_MODE]),
    .mb_cbp_i     (mb[`T264_KEPT_CBP]),
    .mb_qp_i      (mb[`T264_KEPT_QP]),
    .mb_near_i    (mb[`T264_KEPT_NEAR]),
    .mb_x_i       (mb[`T264_KEPT_X]),
    .mb_y_i       (mb[`T264_KEPT_Y]),
    .modes_i      (modes),
    .raddr_o      (raddr),
    .lev_on_o     (lev_on),
    .lev_start_o  (lev_start),
    .lev_kind_o   (lev_kind),
    .lev_word_o   (lev_word),
    .lev_x_o      (lev_x),
    .lev_y_o      (lev_y),
    .lev_thread_o (lev_thread),
    .lev_qp_o     (lev_qp),
    .tok_valid_o  (near_valid),
    .tok_o        (near),
    .done_i       (done),
    .done_thread_i(ref_q[`T264_STEP_THREAD]),
    .credit_i     (credit)
  );

  wire [71:0]           residual;
  reg                   put_dc_q, wide_q;
  reg  [ThreadBits-1:0] put_thread_q;

  t264_dec_residual #(
    .Threads   (Threads),
    .Transform8(Transform8)
  ) u_residual (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .phase_i     (phase_q),
    .slot_i      (slot_q),
    .on_i        (lev_on),
    .start_i     (lev_start),
    .kind_i      (lev_kind),
    .word_i      (lev_word),
    .x_i         (lev_x),
    .y_i         (lev_y),
    .thread_i    (lev_thread),
    .qp_i        (lev_qp),
    .levels_i    (levels),
    .put_dc_i    (put_dc_q),
    .put_thread_i(put_thread_q),
    .wide_i      (wide_q),
    .residual_o  (residual)
  );

  // Neighbours: in a slot the references are read (near), in the next (ref) they
  // are there; then prediction (pred) and, two cycles later, samples (samp).
  wire                       near_first = near_valid && near[`T264_STEP_WORD] == 2'd0;
  wire                       ref_first  = ref_valid_q && ref_q[`T264_STEP_WORD] == 2'd0;
  wire [1:0]                 ref_kind   = ref_q[`T264_STEP_KIND];
  wire [3:0]                 ref_block  = ref_q[`T264_STEP_BLOCK];
  wire [3:0]                 ref_mb     = ref_q[`T264_STEP_NEAR];  // neighbouring macroblocks
  reg                        samp_valid_q;
  reg  [`T264_STEP_BITS-1:0] samp_q;
  reg                        pred_valid_q;
  reg  [`T264_STEP_BITS-1:0] pred_q;
  wire [127:0]               above;
  wire [63:0]                left;
  wire [7:0]                 corner;
  wire [31:0]                left_word;
  wire [31:0]                pred, samp;
  wire [1:0]                 samp_kind  = samp_q[`T264_STEP_KIND];
  wire [3:0]                 samp_block = samp_q[`T264_STEP_BLOCK];

  assign done = ref_valid_q && (ref_kind != WIDE || ref_q[`T264_STEP_WORD] == 2'd3);

  always @(posedge clk_i) begin
    if (rst_i) begin
      ref_valid_q  <= 1'b0;
      pred_valid_q <= 1'b0;
      samp_valid_q <= 1'b0;
    end else begin
      if (phase_q == 2'd3) ref_valid_q <= near_valid;
      if (phase_q == 2'd2) pred_valid_q <= ref_valid_q;
      if (phase_q == 2'd1) samp_valid_q <= pred_valid_q;
    end
  end

  always @(posedge clk_i) begin
    if (phase_q == 2'd3) ref_q <= near;
    if (phase_q == 2'd2) pred_q <= ref_q;
    if (phase_q == 2'd1) samp_q <= pred_q;
    if (early) begin
      put_dc_q     <= pred_valid_q && pred_q[`T264_STEP_KIND] == DC;
      put_thread_q <= pred_q[`T264_STEP_THREAD];
      wide_q       <= pred_q[`T264_STEP_KIND] == WIDE;
    end
  end

  t264_dec_ref #(.Threads(Threads), .FrameMBs(FrameMBs)) u_ref (
    .clk_i        (clk_i),
    .phase_i      (phase_q),
    .near_i       (near_first),
    .near_thread_i(near[`T264_STEP_THREAD]),
    .near_x_i     (near[`T264_STEP_X]),
    .near_kind_i  (near[`T264_STEP_KIND]),
    .near_block_i (near[`T264_STEP_BLOCK]),
    .ref_i        (ref_first),
    .ref_thread_i (ref_q[`T264_STEP_THREAD]),
    .ref_kind_i   (ref_kind),
    .ref_odd_i    (ref_block[0]),
    .ref_below_i  (ref_block[3] || ref_block[1]),
    .above_o      (above),
    .left_o       (left),
    .corner_o     (corner),
    .left_word_o  (left_word),
    .done_i       (samp_valid_q),
    .done_thread_i(samp_q[`T264_STEP_THREAD]),
    .done_x_i     (samp_q[`T264_STEP_X]),
    .done_kind_i  (samp_kind),
    .done_block_i (samp_block),
    .done_word_i  (samp_q[`T264_STEP_WORD]),
    .done_data_i  (samp)
  );

  t264_dec_predict #(.Threads(Threads)) u_predict (
    .clk_i       (clk_i),
    .phase_i     (phase_q),
    .new_i       (ref_first),
    .thread_i    (ref_q[`T264_STEP_THREAD]),
    .kind_i      (ref_kind),
    .mode_i      (ref_q[`T264_STEP_MODE]),
    .block_i     (ref_block),
    .word_i      (ref_q[`T264_STEP_WORD]),
    .near_i      (ref_mb),
    .above_i     (above),
    .left_i      (left),
    .corner_i    (corner),
    .left_word_i (left_word),
    .pred_near_i (pred_q[`T264_STEP_NEAR_AT +: 2]),
    .put_i       (samp_valid_q && samp_kind == DC),
    .put_thread_i(samp_q[`T264_STEP_THREAD]),
    .put_plane_i (samp_q[`T264_STEP_MODE_AT]),
    .pred_o      (pred)
  );

  t264_recon u_recon (
    .clk_i     (clk_i),
    .pred_i    (pred),
    .residual_i(residual),
    .out_o     (samp)
  );

  // Samples out. Words of an 8x8 block alternate between its halves.
  wire [1:0] beat = phase_q ^ 2'd2;
  wire       samp_wide = samp_kind == WIDE;
  wire [3:0] samp_x = {samp_block[2],
                       samp_wide ? {samp_q[`T264_STEP_WORD], beat[1]} : {samp_block[0], beat}};
  wire [1:0] samp_y = {samp_block[3], samp_wide ? beat[0] : samp_block[1]};

  wire [`T264_PIXEL_BITS-1:0] put, out;
  assign put[`T264_PIXEL_THREAD] = samp_q[`T264_STEP_THREAD];
  assign put[`T264_PIXEL_MBX]    = samp_q[`T264_STEP_X];
  assign put[`T264_PIXEL_MBY]    = samp_q[`T264_STEP_Y];
  assign put[`T264_PIXEL_X]      = samp_x;
  assign put[`T264_PIXEL_Y]      = samp_y;
  assign put[`T264_PIXEL_DATA]   = samp;
  assign out_thread_o = out[`T264_PIXEL_THREAD];
  assign out_mb_x_o   = out[`T264_PIXEL_MBX];
  assign out_mb_y_o   = out[`T264_PIXEL_MBY];
  assign out_x_o      = out[`T264_PIXEL_X];
  assign out_y_o      = out[`T264_PIXEL_Y];
  assign out_data_o   = out[`T264_PIXEL_DATA];

  t264_dec_out #(
    .Width(`T264_PIXEL_BITS),
    .Slots(Slots)
  ) u_out (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .in_valid_i (samp_valid_q && samp_kind != DC),
    .in_data_i  (put),
    .out_valid_o(out_valid_o),
    .out_ready_i(out_ready_i),
    .out_data_o (out),
    .credit_o   (credit)
  );

endmodule

`default_nettype wire
