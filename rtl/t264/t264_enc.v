// T.264 encoder, hw tier: frames by thread in, bytes of their slices out. The host
// answers requests with source samples, and writes parameter sets and slice
// headers.
//
//   cfg_*, req_*, src_* -> pixels -> AC blocks, macroblocks -> code -> out_*
//                             ^---------- room, by thread --------'
//
// Words: CFG in, REQ out (gen/t264_enc_words.vh); src_data_i Values samples, 4x4 blocks in
// decoding order; byte i of a word of the output in out_data_o[8*i +: 8].
//
// Mirror:     t264/hwenc/enc.go
// Latency:    256 / Values + 67 from the first sample of a macroblock to its bits
// Throughput: 1 macroblock in 256 / Values + 1 cycles; 1 operation a cycle and lane
// Storage:    that of the parts

`default_nettype none
`include "t264_enc_words.vh"

module t264_enc #(
  parameter Threads    = 8,   // frames in flight
  parameter Lanes      = 8,   // CABAC engines; Threads is a multiple
  parameter Values     = 8,   // samples a cycle, 4 or 8
  parameter Bypass     = 4,   // bypass bins a cycle
  parameter FrameMBs   = 64,  // widest frame in macroblocks, 2..256
  parameter ThreadBits = Threads > 1 ? $clog2(Threads) : 1,   // bits of a thread number
  parameter XBits      = FrameMBs > 1 ? $clog2(FrameMBs) : 1  // bits of the column of a macroblock
) (
  input  wire                      clk_i,
  input  wire                      rst_i,
  input  wire                      cfg_valid_i,
  output wire                      cfg_ready_o,
  input  wire [`T264_CFG_BITS-1:0] cfg_data_i,
  output wire                      req_valid_o,
  input  wire                      req_ready_i,
  output wire [`T264_REQ_BITS-1:0] req_data_o,
  input  wire                      src_valid_i,
  output wire                      src_ready_o,
  input  wire [8*Values-1:0]       src_data_i,
  output wire                      out_valid_o,
  input  wire                      out_ready_i,
  output wire [ThreadBits-1:0]     out_thread_o,
  output wire [63:0]               out_data_o,
  output wire [3:0]                out_count_o,
  output wire                      out_last_o,
  output wire                      overflow_o  // a lane lost bytes
);

  wire [Threads-1:0]       room;
  wire                     ac_valid;
  wire                     ac_ready;
  wire [`T264_AC_BITS-1:0] ac_data;
  wire                     mb_valid;
  wire                     mb_ready;
  wire [`T264_MB_BITS-1:0] mb_data;

  t264_enc_pixels #(
    .Threads (Threads),
    .Values  (Values),
    .FrameMBs(FrameMBs)
  ) u_pixels (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .cfg_valid_i(cfg_valid_i),
    .cfg_ready_o(cfg_ready_o),
    .cfg_data_i (cfg_data_i),
    .req_valid_o(req_valid_o),
    .req_ready_i(req_ready_i),
    .req_data_o (req_data_o),
    .src_valid_i(src_valid_i),
    .src_ready_o(src_ready_o),
    .src_data_i (src_data_i),
    .room_i     (room),
    .ac_valid_o (ac_valid),
    .ac_ready_i (ac_ready),
    .ac_data_o  (ac_data),
    .mb_valid_o (mb_valid),
    .mb_ready_i (mb_ready),
    .mb_data_o  (mb_data)
  );

  t264_enc_code #(
    .Threads(Threads),
    .Lanes  (Lanes),
    .Bypass (Bypass)
  ) u_code (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .take_valid_i (req_valid_o && req_ready_i),
    .take_thread_i(req_data_o[`T264_REQ_THREAD]),
    .room_o       (room),
    .ac_valid_i   (ac_valid),
    .ac_ready_o   (ac_ready),
    .ac_data_i    (ac_data),
    .mb_valid_i   (mb_valid),
    .mb_ready_o   (mb_ready),
    .mb_data_i    (mb_data),
    .out_valid_o  (out_valid_o),
    .out_ready_i  (out_ready_i),
    .out_thread_o (out_thread_o),
    .out_data_o   (out_data_o),
    .out_count_o  (out_count_o),
    .out_last_o   (out_last_o),
    .overflow_o   (overflow_o)
  );

endmodule

`default_nettype wire
