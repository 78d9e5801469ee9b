// The entropy coding of the T.265 encoder: a store of CTUs, lanes, the contexts they start
// from, and one stream of words. A lane codes the slices of its threads one after the other.
//
// Mirror:     t265/hwenc/code.go
// Latency:    12 from the last sub-block of a transform block to the bits
// Throughput: 1 operation a cycle and lane
// Storage:    Lanes * TurnBits bits, and that of the parts
// Packing:    thread t has bit t of room_o; HEAD and LEV in (gen/t265_enc_words.vh); byte i of a
//             word in out_data_o[8*i +: 8]

`default_nettype none
`include "t265_enc_words.vh"

module t265_enc_code #(
  parameter Threads    = 18,  // frames in flight
  parameter Lanes      = 18,  // CABAC engines; Threads is a multiple
  parameter MaxTU      = 16,  // largest transform block, 8 or 16
  parameter Bypass     = 4,   // bypass bins a cycle, 4..7
  parameter Groups     = 8,   // groups of them that wait in a lane, 2..16
  parameter RunBits    = 16,  // bits of the count of outstanding bytes of a lane
  parameter ThreadBits = Threads > 1 ? $clog2(Threads) : 1,             // bits of a thread number
  parameter LaneBits   = Lanes > 1 ? $clog2(Lanes) : 1,                 // bits of a lane number
  parameter TurnBits   = Threads > Lanes ? $clog2(Threads / Lanes) : 1  // bits of a turn of a lane
) (
  input  wire                       clk_i,
  input  wire                       rst_i,
  input  wire                       take_valid_i,  // a CTU was requested
  input  wire [ThreadBits-1:0]      take_thread_i,
  output wire [Threads-1:0]         room_o,
  input  wire                       head_valid_i,  // always taken
  input  wire [`T265_HEAD_BITS-1:0] head_data_i,
  input  wire                       lev_valid_i,   // always taken
  input  wire [`T265_LEV_BITS-1:0]  lev_data_i,
  output wire                       out_valid_o,
  input  wire                       out_ready_i,
  output wire [ThreadBits-1:0]      out_thread_o,
  output wire [63:0]                out_data_o,
  output wire [3:0]                 out_count_o,
  output wire                       out_last_o,
  output wire                       overflow_o     // a lane lost bytes
);

  generate
    if (Lanes < 1 || Threads % Lanes != 0) begin : gen_illegal_threads
      illegal_Threads_is_no_multiple_of_Lanes u_illegal ();
    end
  endgenerate

  localparam WIDTH = `T265_SLICE_BITS;

  wire [Lanes-1:0]          in_valid;
  wire [Lanes-1:0]          in_ready;
  wire [56*Lanes-1:0]       in_data;
  wire [Lanes*TurnBits-1:0] turn;
  wire [Lanes-1:0]          init_valid;
  wire [6*Lanes-1:0]        init_qp;
  wire [Lanes-1:0]          set_valid;
  wire [6:0]                set_ctx;
  wire [6:0]                set_value;
  wire                      set_last;
  wire [Lanes-1:0]          word_valid;
  wire [Lanes-1:0]          word_ready;
  wire [Lanes*WIDTH-1:0]    word_data;
  wire [Lanes-1:0]          overflow;
  wire [WIDTH-1:0]          slice;
  wire [LaneBits-1:0]       unused_source;

  assign out_thread_o = slice[`T265_SLICE_THREAD];
  assign out_data_o   = slice[`T265_SLICE_DATA];
  assign out_count_o  = slice[`T265_SLICE_COUNT];
  assign out_last_o   = slice[`T265_SLICE_LAST];
  assign overflow_o   = overflow != {Lanes{1'b0}};

  t265_enc_store #(
    .Threads(Threads),
    .Lanes  (Lanes),
    .MaxTU  (MaxTU)
  ) u_store (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .take_valid_i (take_valid_i),
    .take_thread_i(take_thread_i),
    .room_o       (room_o),
    .head_valid_i (head_valid_i),
    .head_data_i  (head_data_i),
    .lev_valid_i  (lev_valid_i),
    .lev_data_i   (lev_data_i),
    .word_valid_o (in_valid),
    .word_ready_i (in_ready),
    .word_data_o  (in_data),
    .turn_o       (turn)
  );

  t265_context #(
    .Lanes(Lanes),
    .MaxTU(MaxTU)
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
      reg  [TurnBits-1:0]    turn_q;  // of the thread whose slice is coded
      wire [ThreadBits-1:0]  own;     // thread
      wire [31-ThreadBits:0] unused;

      assign {unused, own} = {{(32 - TurnBits) {1'b0}}, turn_q} * Lanes + l;

      assign word_data[WIDTH*l + `T265_SLICE_THREAD] = own;

      // The store looks for no other thread while the first word of a slice waits.
      always @(posedge clk_i) begin
        if (init_valid[l]) turn_q <= turn[TurnBits*l +: TurnBits];
      end

      t265_enc_lane #(
        .Bypass (Bypass),
        .Groups (Groups),
        .MaxTU  (MaxTU),
        .RunBits(RunBits)
      ) u_lane (
        .clk_i       (clk_i),
        .rst_i       (rst_i),
        .in_valid_i  (in_valid[l]),
        .in_ready_o  (in_ready[l]),
        .in_data_i   (in_data[56*l +: 56]),
        .init_valid_o(init_valid[l]),
        .init_qp_o   (init_qp[6*l +: 6]),
        .set_valid_i (set_valid[l]),
        .set_ctx_i   (set_ctx),
        .set_value_i (set_value),
        .set_last_i  (set_last),
        .out_valid_o (word_valid[l]),
        .out_ready_i (word_ready[l]),
        .out_data_o  (word_data[WIDTH*l + `T265_SLICE_DATA]),
        .out_count_o (word_data[WIDTH*l + `T265_SLICE_COUNT]),
        .out_last_o  (word_data[WIDTH*l + `T265_SLICE_LAST]),
        .overflow_o  (overflow[l])
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
