// Both ends of the closed loop: prediction of transform blocks and their residual, and
// reconstruction, which makes what other blocks are predicted from. A thread has one
// block between TU and DONE at a time. With MinTU 8 no block of 4x4 comes: SKIP and SCALED
// have no words, and what they need is not there.
//
// Words: FIRST in, RES and SKIP out, RES (inv) and SCALED in, DONE and LINE out
// (gen/t265_enc_words.vh). DONE and LINE are always taken.
//
// Mirror:     t265/hwenc/samples.go
// Latency:    5 from a block to its residual, 1 or 2 from the last residual to DONE
// Throughput: 8 samples a cycle
// Storage:    64 * (8 * MaxTU + 16) bits of memory, windows and registers

`default_nettype none
`include "t265_enc_words.vh"

module t265_samples #(
  parameter Threads    = 16,  // frames in flight
  parameter MaxTU      = 16,  // largest block, 8 or 16
  parameter MinTU      = 4,   // smallest block, 4 or 8
  parameter ThreadBits = Threads > 1 ? $clog2(Threads) : 1  // bits of a thread number
) (
  input  wire                         clk_i,
  input  wire                         rst_i,
  input  wire                         tu_valid_i,
  output wire                         tu_ready_o,
  input  wire [`T265_FIRST_BITS-1:0]  tu_data_i,
  // source samples: addressed in one cycle, there from the next one on
  output wire [1:0]                   src_re_o,       // in even rows, in odd ones
  output wire [ThreadBits+3:0]        src_addr_o,
  input  wire [63:0]                  src_even_i,
  input  wire [63:0]                  src_odd_i,
  output wire                         res_valid_o,
  input  wire                         res_ready_i,
  output wire [`T265_RES_BITS-1:0]    res_data_o,
  output wire                         skip_valid_o,
  input  wire                         skip_ready_i,
  output wire [`T265_SKIP_BITS-1:0]   skip_data_o,
  input  wire                         inv_valid_i,
  output wire                         inv_ready_o,
  input  wire [`T265_RES_BITS-1:0]    inv_data_i,
  input  wire                         scaled_valid_i,
  output wire                         scaled_ready_o,
  input  wire [`T265_SCALED_BITS-1:0] scaled_data_i,
  output wire                         done_valid_o,
  output wire [`T265_DONE_BITS-1:0]   done_data_o,
  output wire                         line_valid_o,
  output wire [`T265_LINE_BITS-1:0]   line_data_o
);

  generate
    if (MaxTU != 8 && MaxTU != 16) begin : gen_illegal_max_tu
      illegal_MaxTU_is_neither_8_nor_16 u_illegal ();
    end
    if (MinTU != 4 && MinTU != 8) begin : gen_illegal_min_tu
      illegal_MinTU_is_neither_4_nor_8 u_illegal ();
    end
  endgenerate

  wire [`T265_TU_BITS-1:0] fetch;
  wire                     begins;
  wire                     busy;
  wire [8*MaxTU+15:0]      above;
  wire [8*MaxTU+15:0]      left;
  wire [7:0]               corner;
  wire                     res_valid;
  wire                     skip_valid;
  wire                     wide_room;    // in the queues of predictions
  wire                     narrow_room;
  wire [63:0]              pred;

  assign res_valid_o  = res_valid && wide_room;
  assign skip_valid_o = skip_valid && narrow_room;
  assign skip_data_o  = res_data_o;

  t265_predict #(
    .Threads(Threads),
    .MaxTU  (MaxTU),
    .MinTU  (MinTU)
  ) u_predict (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .tu_valid_i  (tu_valid_i),
    .tu_ready_o  (tu_ready_o),
    .tu_data_i   (tu_data_i),
    .busy_i      (busy),
    .begin_o     (begins),
    .fetch_o     (fetch),
    .above_i     (above),
    .left_i      (left),
    .corner_i    (corner),
    .src_re_o    (src_re_o),
    .src_addr_o  (src_addr_o),
    .src_even_i  (src_even_i),
    .src_odd_i   (src_odd_i),
    .res_valid_o (res_valid),
    .res_ready_i (res_ready_i && wide_room),
    .skip_valid_o(skip_valid),
    .skip_ready_i(skip_ready_i && narrow_room),
    .data_o      (res_data_o),
    .pred_o      (pred)
  );

  // Predictions wait for their residual.
  wire        wide_valid;
  wire        wide_ready;
  wire [63:0] wide;
  wire        narrow_ready;
  wire [63:0] narrow;

  vc_fifo_ram #(
    .Width(64),
    .Depth(8 * MaxTU)
  ) u_wide (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .in_valid_i (res_valid && res_ready_i),
    .in_ready_o (wide_room),
    .in_data_i  (pred),
    .out_valid_o(wide_valid),
    .out_ready_i(wide_ready),
    .out_data_o (wide)
  );

  generate
    if (MinTU == 4) begin : gen_narrow
      wire unused_valid;

      vc_fifo_ram #(
        .Width(64),
        .Depth(16)
      ) u_narrow (
        .clk_i      (clk_i),
        .rst_i      (rst_i),
        .in_valid_i (skip_valid && skip_ready_i),
        .in_ready_o (narrow_room),
        .in_data_i  (pred),
        .out_valid_o(unused_valid),
        .out_ready_i(narrow_ready),
        .out_data_o (narrow)
      );
    end else begin : gen_no_narrow
      wire unused = &{1'b0, narrow_ready};

      assign narrow_room = wide_room;
      assign narrow      = wide;
    end
  endgenerate

  wire [ThreadBits-1:0] thread;
  wire [3:0]            row_we;
  wire [63:0]           row_data;
  wire [3:0]            left_we;
  wire [31:0]           left_data;
  wire [6:0]            diag_we;
  wire [15:0]           diag_data;
  wire [127:0]          row;

  t265_recon #(
    .Threads(Threads),
    .MaxTU  (MaxTU),
    .MinTU  (MinTU)
  ) u_recon (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .inv_valid_i   (inv_valid_i),
    .inv_ready_o   (inv_ready_o),
    .inv_data_i    (inv_data_i),
    .scaled_valid_i(scaled_valid_i),
    .scaled_ready_o(scaled_ready_o),
    .scaled_data_i (scaled_data_i),
    .wide_valid_i  (wide_valid),
    .wide_ready_o  (wide_ready),
    .wide_data_i   (wide),
    .narrow_ready_o(narrow_ready),
    .narrow_data_i (narrow),
    .thread_o      (thread),
    .row_we_o      (row_we),
    .row_data_o    (row_data),
    .left_we_o     (left_we),
    .left_data_o   (left_data),
    .diag_we_o     (diag_we),
    .diag_data_o   (diag_data),
    .row_i         (row),
    .busy_o        (busy),
    .done_valid_o  (done_valid_o),
    .done_data_o   (done_data_o),
    .line_valid_o  (line_valid_o),
    .line_data_o   (line_data_o)
  );

  t265_window #(
    .Threads(Threads),
    .MaxTU  (MaxTU),
    .MinTU  (MinTU)
  ) u_window (
    .clk_i         (clk_i),
    .begin_i       (begins),
    .begin_thread_i(tu_data_i[`T265_FIRST_THREAD]),
    .begin_row_i   (tu_data_i[`T265_FIRST_ROW]),
    .begin_corner_i(tu_data_i[`T265_FIRST_CORNER]),
    .thread_i      (thread),
    .row_we_i      (row_we),
    .row_data_i    (row_data),
    .left_we_i     (left_we),
    .left_data_i   (left_data),
    .diag_we_i     (diag_we),
    .diag_data_i   (diag_data),
    .row_o         (row),
    .fetch_thread_i(fetch[`T265_TU_THREAD]),
    .fetch_cx_i    (fetch[`T265_TU_CX]),
    .fetch_cy_i    (fetch[`T265_TU_CY]),
    .fetch_log2_i  (fetch[`T265_TU_LOG2]),
    .fetch_left_i  (fetch[`T265_TU_LEFT]),
    .fetch_above_i (fetch[`T265_TU_ABOVE]),
    .fetch_right_i (fetch[`T265_TU_RIGHT]),
    .above_o       (above),
    .left_o        (left),
    .corner_o      (corner)
  );

endmodule

`default_nettype wire
