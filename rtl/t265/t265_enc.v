// T.265 encoder, hw tier: frames by thread in, bytes of their slices out. The host
// answers requests with source samples, and writes parameter sets and slice
// headers.
//
//   cfg_*, req_*, src_* -> pixels -> heads, levels -> code -> out_*
//                             ^------- room, by thread ---'
//
// Words: CFG in, REQ out (gen/t265_enc_words.vh); src_data_i eight samples, the first one
// lowest, tiles of 8x8 in z-order, rows from the top; byte i of a word of the output in
// out_data_o[8*i +: 8].
//
// Mirror:     t265/hwenc/enc.go
// Latency:    that of t265_enc_pixels and t265_enc_code
// Throughput: 8 samples a cycle; 1 operation a cycle and lane
// Storage:    that of the parts

`default_nettype none
`include "t265_enc_words.vh"

module t265_enc #(
  parameter Threads    = 18,  // frames in flight
  parameter Lanes      = 18,  // CABAC engines; Threads is a multiple
  parameter MaxTU      = 16,  // largest transform block, 8 or 16
  parameter MinTU      = 4,   // smallest transform block, 4 or 8
  parameter Bypass     = 4,   // bypass bins a cycle, 4..7
  parameter Groups     = 8,   // groups of them that wait in a lane, 2..16
  parameter FrameCTUs  = 64,  // widest frame in CTUs, 2..256
  parameter ThreadBits = Threads > 1 ? $clog2(Threads) : 1  // bits of a thread number
) (
  input  wire                      clk_i,
  input  wire                      rst_i,
  input  wire                      cfg_valid_i,
  output wire                      cfg_ready_o,
  input  wire [`T265_CFG_BITS-1:0] cfg_data_i,
  output wire                      req_valid_o,
  input  wire                      req_ready_i,
  output wire [`T265_REQ_BITS-1:0] req_data_o,
  input  wire                      src_valid_i,
  output wire                      src_ready_o,
  input  wire [63:0]               src_data_i,
  output wire                      out_valid_o,
  input  wire                      out_ready_i,
  output wire [ThreadBits-1:0]     out_thread_o,
  output wire [63:0]               out_data_o,
  output wire [3:0]                out_count_o,
  output wire                      out_last_o,
  output wire                      overflow_o  // a lane lost bytes
);

  wire [Threads-1:0]         room;
  wire                       head_valid;
  wire [`T265_HEAD_BITS-1:0] head_data;
  wire                       lev_valid;
  wire [`T265_LEV_BITS-1:0]  lev_data;

  t265_enc_pixels #(
    .Threads  (Threads),
    .MaxTU    (MaxTU),
    .MinTU    (MinTU),
    .FrameCTUs(FrameCTUs)
  ) u_pixels (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .cfg_valid_i (cfg_valid_i),
    .cfg_ready_o (cfg_ready_o),
    .cfg_data_i  (cfg_data_i),
    .req_valid_o (req_valid_o),
    .req_ready_i (req_ready_i),
    .req_data_o  (req_data_o),
    .src_valid_i (src_valid_i),
    .src_ready_o (src_ready_o),
    .src_data_i  (src_data_i),
    .room_i      (room),
    .head_valid_o(head_valid),
    .head_data_o (head_data),
    .lev_valid_o (lev_valid),
    .lev_data_o  (lev_data)
  );

  t265_enc_code #(
    .Threads(Threads),
    .Lanes  (Lanes),
    .MaxTU  (MaxTU),
    .Bypass (Bypass),
    .Groups (Groups)
  ) u_code (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .take_valid_i (req_valid_o && req_ready_i),
    .take_thread_i(req_data_o[`T265_REQ_THREAD]),
    .room_o       (room),
    .head_valid_i (head_valid),
    .head_data_i  (head_data),
    .lev_valid_i  (lev_valid),
    .lev_data_i   (lev_data),
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
