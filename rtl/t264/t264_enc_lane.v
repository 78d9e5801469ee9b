// Codes the macroblocks of the threads of a lane, one slice after the other: the
// binariser, the CABAC engine, and the packing with emulation prevention. Between
// slices, with the bytes of the last one gone, it looks at one thread a cycle.
//
// Mirror:     t264/hwenc/lane.go
// Latency:    7 from the load to the bits
// Throughput: 1 operation a cycle
// Storage:    1130 bits
// Packing:    HEAD in (gen/t264_enc_words.vh), load_levels_i as in t264_residual; byte i of a
//             word in out_data_o[8*i +: 8]

`default_nettype none
`include "t264_enc_words.vh"

module t264_enc_lane #(
  parameter Bypass   = 4,   // bypass bins a cycle
  parameter Turns    = 1,   // threads of the lane
  parameter Late     = 12,  // AC block from which on late_o is high
  parameter RunBits  = 16,  // bits of the count of outstanding bytes
  parameter TurnBits = Turns > 1 ? $clog2(Turns) : 1  // bits of the number of a turn
) (
  input  wire                       clk_i,
  input  wire                       rst_i,
  output wire [TurnBits-1:0]        turn_o,       // thread that is looked at or coded
  input  wire                       avail_i,      // the store holds a macroblock of it
  output wire                       late_o,
  output wire                       fetch_valid_o,
  input  wire                       fetch_ready_i,
  output wire [1:0]                 fetch_kind_o,
  input  wire                       load_valid_i,
  input  wire [`T264_HEAD_BITS-1:0] load_head_i,
  input  wire [15:0]                load_mask_i,
  input  wire [181:0]               load_levels_i,
  output wire                       init_valid_o,
  output wire [5:0]                 init_qp_o,
  input  wire                       set_valid_i,  // while init_valid_o is high
  input  wire [6:0]                 set_ctx_i,
  input  wire [6:0]                 set_value_i,
  input  wire                       set_last_i,
  output wire                       out_valid_o,
  input  wire                       out_ready_i,
  output wire [63:0]                out_data_o,
  output wire [3:0]                 out_count_o,
  output wire                       out_last_o,
  output wire                       overflow_o
);

  localparam [31:0]         LAST32 = Turns - 1;
  localparam [TurnBits-1:0] LAST   = LAST32[TurnBits-1:0];

  reg                open_q;  // a slice is under way, or its bytes are
  reg [TurnBits-1:0] turn_q;

  wire       op_valid;
  wire       op_ready;
  wire [1:0] op_kind;
  wire [6:0] op_ctx;
  wire [2:0] op_count;
  wire [6:0] op_bits;
  wire       byte_valid;
  wire       byte_ready;
  wire [7:0] byte_data;
  wire       byte_last;

  assign turn_o = turn_q;

  always @(posedge clk_i) begin
    if (rst_i) begin
      open_q <= 1'b0;
      turn_q <= {TurnBits{1'b0}};
    end else if (init_valid_o) begin
      open_q <= 1'b1;
    end else if (out_valid_o && out_ready_i && out_last_o) begin
      open_q <= 1'b0;
    end else if (!open_q && !avail_i) begin
      turn_q <= turn_q == LAST ? {TurnBits{1'b0}} : turn_q + 1'b1;
    end
  end

  // A context is taken in the cycle in which it comes: what is behind the binariser is
  // empty between slices.
  /* verilator lint_off PINCONNECTEMPTY */
  t264_residual #(
    .Bypass(Bypass),
    .Late  (Late)
  ) u_residual (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .start_i      (!open_q),
    .avail_i      (avail_i),
    .fetch_valid_o(fetch_valid_o),
    .fetch_ready_i(fetch_ready_i),
    .fetch_kind_o (fetch_kind_o),
    .load_valid_i (load_valid_i),
    .load_head_i  (load_head_i),
    .load_mask_i  (load_mask_i),
    .load_levels_i(load_levels_i),
    .late_o       (late_o),
    .init_valid_o (init_valid_o),
    .init_qp_o    (init_qp_o),
    .set_valid_i  (set_valid_i),
    .set_ready_o  (),
    .set_ctx_i    (set_ctx_i),
    .set_value_i  (set_value_i),
    .set_last_i   (set_last_i),
    .out_valid_o  (op_valid),
    .out_ready_i  (op_ready),
    .out_kind_o   (op_kind),
    .out_ctx_o    (op_ctx),
    .out_count_o  (op_count),
    .out_bits_o   (op_bits)
  );
  /* verilator lint_on PINCONNECTEMPTY */

  vc_cabac_enc #(
    .Contexts(97),
    .Bypass  (Bypass),
    .RunBits (RunBits)
  ) u_enc (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .in_valid_i (op_valid),
    .in_ready_o (op_ready),
    .in_kind_i  (op_kind),
    .in_ctx_i   (op_ctx),
    .in_count_i (op_count),
    .in_bits_i  (op_bits),
    .out_valid_o(byte_valid),
    .out_ready_i(byte_ready),
    .out_data_o (byte_data),
    .out_last_o (byte_last),
    .overflow_o (overflow_o)
  );

  vc_nal_pack #(
    .Bytes(8)
  ) u_nal (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .in_valid_i (byte_valid),
    .in_ready_o (byte_ready),
    .in_data_i  (byte_data),
    .in_last_i  (byte_last),
    .out_valid_o(out_valid_o),
    .out_ready_i(out_ready_i),
    .out_data_o (out_data_o),
    .out_count_o(out_count_o),
    .out_last_o (out_last_o)
  );

endmodule

`default_nettype wire
