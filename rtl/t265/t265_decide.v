// Decisions on the CTUs of the pixel path (package t265, mode and transform tree), in
// order: the mode while the source samples come, the tree behind it. The samples are
// copied to the memory of the closed loop, and the plan goes behind them. Words: REF in,
// PLAN out (gen/t265_enc_words.vh).
//
// Mirror:     t265/hwenc/decide.go
// Latency:    104 from the last source beat to the plan, 74 with MaxTU 8
// Throughput: 1 beat a cycle with three threads or more: a CTU waits for the last column
//             of the one on its left
// Storage:    see t265_mode and t265_split

`default_nettype none
`include "t265_enc_words.vh"

module t265_decide #(
  parameter Threads    = 4,   // frames in flight
  parameter FrameCTUs  = 64,  // widest frame in CTUs, 2..256
  parameter MaxTU      = 16,  // largest transform block, 8 or 16
  parameter MinTU      = 4,   // smallest transform block, 4 or 8
  parameter ThreadBits = Threads > 1 ? $clog2(Threads) : 1,  // bits of a thread number
  parameter XBits      = $clog2(FrameCTUs)                   // bits of the column of a CTU
) (
  input  wire                       clk_i,
  input  wire                       rst_i,
  input  wire                       ref_valid_i,
  output wire                       ref_ready_o,
  input  wire [`T265_REF_BITS-1:0]  ref_data_i,
  input  wire                       src_valid_i,
  output wire                       src_ready_o,
  input  wire [63:0]                src_data_i,
  output wire                       write_valid_o,
  output wire [ThreadBits+4:0]      write_addr_o,
  output wire [63:0]                write_data_o,
  output wire                       plan_valid_o,  // always taken
  output wire [`T265_PLAN_BITS-1:0] plan_data_o
);

  wire                         room;
  wire                         chosen_valid;
  wire                         chosen_ready;
  wire [`T265_CHOSEN_BITS-1:0] chosen;

  t265_mode #(
    .Threads  (Threads),
    .FrameCTUs(FrameCTUs)
  ) u_mode (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .ref_valid_i(ref_valid_i),
    .ref_ready_o(ref_ready_o),
    .ref_data_i (ref_data_i),
    .src_valid_i(src_valid_i),
    .src_ready_o(src_ready_o),
    .src_data_i (src_data_i),
    .room_i     (room),
    .out_valid_o(chosen_valid),
    .out_ready_i(chosen_ready),
    .out_data_o (chosen)
  );

  t265_split #(
    .Threads  (Threads),
    .FrameCTUs(FrameCTUs),
    .MaxTU    (MaxTU),
    .MinTU    (MinTU)
  ) u_split (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .in_valid_i   (chosen_valid),
    .in_ready_o   (chosen_ready),
    .in_data_i    (chosen),
    .beat_valid_i (src_valid_i && src_ready_o),
    .beat_data_i  (src_data_i),
    .room_o       (room),
    .write_valid_o(write_valid_o),
    .write_addr_o (write_addr_o),
    .write_data_o (write_data_o),
    .plan_valid_o (plan_valid_o),
    .plan_data_o  (plan_data_o)
  );

endmodule

`default_nettype wire
