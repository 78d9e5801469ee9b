// The entropy coding of the T.264 encoder: a store of macroblocks, lanes, the
// contexts they start from, and one stream of words.
//
// Mirror:     t264/hwenc/code.go
// Latency:    12 from a macroblock to the bits
// Throughput: 1 operation a cycle and lane
// Storage:    that of the parts
// Packing:    AC and MB in (gen/t264_enc_words.vh); byte i of a word in out_data_o[8*i +: 8]

`default_nettype none
`include "t264_enc_words.vh"

module t264_enc_code #(
  parameter Threads    = 8,   // frames in flight
  parameter Lanes      = 8,   // CABAC engines; Threads is a multiple
  parameter Bypass     = 4,   // bypass bins a cycle
  parameter RunBits    = 16,  // bits of the count of outstanding bytes of a lane
  parameter ThreadBits = Threads > 1 ? $clog2(Threads) : 1,  // bits of a thread number
  parameter LaneBits   = Lanes > 1 ? $clog2(Lanes) : 1,      // bits of the number of a lane
  parameter TurnBits   = Threads > Lanes ? $clog2(Threads / Lanes) : 1  // bits of a turn of a lane
) (
  input  wire                     clk_i,
  input  wire                     rst_i,
  input  wire                     take_valid_i,  // a macroblock was requested
  input  wire [ThreadBits-1:0]    take_thread_i,
  output wire [Threads-1:0]       room_o,
  input  wire                     ac_valid_i,
  output wire                     ac_ready_o,
  input  wire [`T264_AC_BITS-1:0] ac_data_i,
  input  wire                     mb_valid_i,
  output wire                     mb_ready_o,
  input  wire [`T264_MB_BITS-1:0] mb_data_i,
  output wire                     out_valid_o,
  input  wire                     out_ready_i,
  output wire [ThreadBits-1:0]    out_thread_o,
  output wire [63:0]              out_data_o,
  output wire [3:0]               out_count_o,
  output wire                     out_last_o,
  output wire                     overflow_o     // a lane lost bytes
);

  generate
    if (Lanes < 1 || Threads % Lanes != 0) begin : gen_illegal_threads
      illegal_Threads_is_no_multiple_of_Lanes u_illegal ();
    end
  endgenerate

  localparam WORDS = 20;  // AC blocks of a thread in the store
  localparam WIDTH = `T264_SLICE_BITS;

  wire [Lanes*ThreadBits-1:0] thread;
  wire [Lanes-1:0]            late;
  wire [Lanes-1:0]            avail;
  wire [Lanes-1:0]            fetch_valid;
  wire [Lanes-1:0]            fetch_ready;
  wire [2*Lanes-1:0]          fetch_kind;
  wire [Lanes-1:0]            load_valid;
  wire [`T264_HEAD_BITS-1:0]  load_head;
  wire [15:0]                 load_mask;
  wire [181:0]                load_levels;
  wire [Lanes-1:0]            init_valid;
  wire [6*Lanes-1:0]          init_qp;
  wire [Lanes-1:0]            set_valid;
  wire [6:0]                  set_ctx;
  wire [6:0]                  set_value;
  wire                        set_last;
  wire [Lanes-1:0]            word_valid;
  wire [Lanes-1:0]            word_ready;
  wire [Lanes*WIDTH-1:0]      word_data;
  wire [Lanes-1:0]            overflow;
  wire [WIDTH-1:0]            slice;
  wire [LaneBits-1:0]         unused_source;

  assign out_thread_o = slice[`T264_SLICE_THREAD];
  assign out_data_o   = slice[`T264_SLICE_DATA];
  assign out_count_o  = slice[`T264_SLICE_COUNT];
  assign out_last_o   = slice[`T264_SLICE_LAST];
  assign overflow_o   = overflow != {Lanes{1'b0}};

  t264_enc_store #(
    .Threads(Threads),
    .Lanes  (Lanes),
    .Words  (WORDS)
  ) u_store (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .take_valid_i (take_valid_i),
    .take_thread_i(take_thread_i),
    .room_o       (room_o),
    .ac_valid_i   (ac_valid_i),
    .ac_ready_o   (ac_ready_o),
    .ac_data_i    (ac_data_i),
    .mb_valid_i   (mb_valid_i),
    .mb_ready_o   (mb_ready_o),
    .mb_data_i    (mb_data_i),
    .thread_i     (thread),
    .late_i       (late),
    .avail_o      (avail),
    .fetch_valid_i(fetch_valid),
    .fetch_ready_o(fetch_ready),
    .fetch_kind_i (fetch_kind),
    .load_valid_o (load_valid),
    .load_head_o  (load_head),
    .load_mask_o  (load_mask),
    .load_levels_o(load_levels)
  );

  t264_context #(
    .Lanes(Lanes)
  ) u_context (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .init_i     (init_valid),
    .init_qp_i  (init_qp),
    .set_valid_o(set_valid),
    .set_ctx_o  (set_ctx),
    .set_value_o(set_value),
    .set_last_o (set_last)
  );

  genvar l;
  generate
    for (l = 0; l < Lanes; l = l + 1) begin : gen_lane
      wire [TurnBits-1:0]    turn;
      wire [ThreadBits-1:0]  own;  // thread
      wire [31-ThreadBits:0] unused;

      assign {unused, own} = {{(32 - TurnBits) {1'b0}}, turn} * Lanes + l;

      assign thread[ThreadBits*l +: ThreadBits] = own;
      assign word_data[WIDTH*l + `T264_SLICE_THREAD] = own;

      t264_enc_lane #(
        .Bypass (Bypass),
        .Turns  (Threads / Lanes),
        .Late   (32 - WORDS),
        .RunBits(RunBits)
      ) u_lane (
        .clk_i        (clk_i),
        .rst_i        (rst_i),
        .turn_o       (turn),
        .avail_i      (avail[l]),
        .late_o       (late[l]),
        .fetch_valid_o(fetch_valid[l]),
        .fetch_ready_i(fetch_ready[l]),
        .fetch_kind_o (fetch_kind[2*l +: 2]),
        .load_valid_i (load_valid[l]),
        .load_head_i  (load_head),
        .load_mask_i  (load_mask),
        .load_levels_i(load_levels),
        .init_valid_o (init_valid[l]),
        .init_qp_o    (init_qp[6*l +: 6]),
        .set_valid_i  (set_valid[l]),
        .set_ctx_i    (set_ctx),
        .set_value_i  (set_value),
        .set_last_i   (set_last),
        .out_valid_o  (word_valid[l]),
        .out_ready_i  (word_ready[l]),
        .out_data_o   (word_data[WIDTH*l + `T264_SLICE_DATA]),
        .out_count_o  (word_data[WIDTH*l + `T264_SLICE_COUNT]),
        .out_last_o   (word_data[WIDTH*l + `T264_SLICE_LAST]),
        .overflow_o   (overflow[l])
      );
    end
  endgenerate

  vc_arbiter #(
    .Width (WIDTH),
    .Inputs(Lanes)
  ) u_arbiter (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .in_valid_i  (word_valid),
    .in_ready_o  (word_ready),
    .in_data_i   (word_data),
    .out_valid_o (out_valid_o),
    .out_ready_i (out_ready_i),
    .out_data_o  (slice),
    .out_source_o(unused_source)
  );

endmodule

`default_nettype wire
