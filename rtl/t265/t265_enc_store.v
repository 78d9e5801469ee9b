// Keeps CTUs between the pixel path and the lanes of the T.265 encoder, and makes the words of
// the lanes. It takes every word of the path. Levels go to a bank by the lane of their
// thread, and with the last sub-block of a block what is known of the block.
//
// Mirror:     t265/hwenc/store.go
// Latency:    2 from the last sub-block of a block to its first word
// Throughput: 1 sub-block a cycle in; see t265_enc_feed
// Storage:    28 bits, and that of the banks
// Packing:    thread t has bit t of room_o; lane l has bit l of word_ready_i and word_valid_o,
//             word_data_o[56*l +: 56], and turn_o[TurnBits*l +: TurnBits]; HEAD and LEV in
//             (gen/t265_enc_words.vh); levels outside of the mask are 0

`default_nettype none
`include "t265_enc_words.vh"

module t265_enc_store #(
  parameter Threads    = 18,  // frames in flight
  parameter Lanes      = 18,  // CABAC engines; Threads is a multiple
  parameter MaxTU      = 16,  // largest transform block, 8 or 16
  parameter ThreadBits = Threads > 1 ? $clog2(Threads) : 1,             // bits of a thread number
  parameter TurnBits   = Threads > Lanes ? $clog2(Threads / Lanes) : 1  // bits of a turn of a lane
) (
  input  wire                       clk_i,
  input  wire                       rst_i,
  input  wire                       take_valid_i,   // a CTU was requested
  input  wire [ThreadBits-1:0]      take_thread_i,
  output wire [Threads-1:0]         room_o,
  input  wire                       head_valid_i,   // always taken
  input  wire [`T265_HEAD_BITS-1:0] head_data_i,
  input  wire                       lev_valid_i,    // always taken
  input  wire [`T265_LEV_BITS-1:0]  lev_data_i,
  output wire [Lanes-1:0]           word_valid_o,
  input  wire [Lanes-1:0]           word_ready_i,   // stays until a word comes
  output wire [56*Lanes-1:0]        word_data_o,
  output wire [Lanes*TurnBits-1:0]  turn_o          // thread that a lane codes, or looks for
);

  // Lanes of a bank.
  localparam SHARE = Lanes % 4 == 0 ? 4 : Lanes % 3 == 0 ? 3 : Lanes % 2 == 0 ? 2 : 1;
  localparam TURNS = Threads / Lanes;

  integer i;

  // The sub-block.
  wire [1:0]  log2 = lev_data_i[`T265_LEV_LOG2];
  wire [1:0]  sx   = lev_data_i[`T265_LEV_SX];
  wire [1:0]  sy   = lev_data_i[`T265_LEV_SY];
  wire [1:0]  scan = lev_data_i[`T265_LEV_SCAN];
  wire [15:0] mask = lev_data_i[`T265_LEV_MASK];
  wire        last = lev_data_i[`T265_LEV_LAST_SUB];
  wire        full = mask != 16'd0;
  wire        unused = &{1'b0, lev_data_i[`T265_LEV_CX], lev_data_i[`T265_LEV_CY],
                         lev_data_i[`T265_LEV_MODE], lev_data_i[`T265_LEV_QP],
                         lev_data_i[`T265_LEV_LAST_TU]};

  // Its place in the scan: diagonal in blocks of 16x16, of four in smaller ones.
  reg  [3:0]  index;

  always @* begin
    index = scan[0] ? {2'd0, sy[0], sx[0]} : {2'd0, sx[0], sy[0]};
    if (log2[1]) begin
      case ({sy, sx})
        4'd0: index = 4'd0;
        4'd1: index = 4'd2;
        4'd2: index = 4'd5;
        4'd3: index = 4'd9;
        4'd4: index = 4'd1;
        4'd5: index = 4'd4;
        4'd6: index = 4'd8;
        4'd7: index = 4'd12;
        4'd8: index = 4'd3;
        4'd9: index = 4'd7;
        4'd10: index = 4'd11;
        4'd11: index = 4'd14;
        4'd12: index = 4'd6;
        4'd13: index = 4'd10;
        4'd14: index = 4'd13;
        default: index = 4'd15;
      endcase
    end
  end

  // Its last level.
  reg  [3:0]  top;
  wire [1:0]  px;
  wire [1:0]  py;

  always @* begin
    top = 4'd0;
    for (i = 1; i < 16; i = i + 1) begin
      if (mask[i]) top = i[3:0];
    end
  end

  t265_position u_position (
    .scan_k_i({scan, top}),
    .x_o     (px),
    .y_o     (py)
  );

  // Of the block of more than one sub-block that comes in. One of 4x4 may come between.
  reg  [15:0] coded_q;
  reg  [3:0]  top_q;   // the last sub-block that is coded
  reg  [3:0]  x_q;     // of the last level, as coded
  reg  [3:0]  y_q;

  wire        single = log2 == 2'd0;
  wire [15:0] known  = coded_q & {16{!single}};
  wire        later  = full && (known == 16'd0 || index > top_q);
  reg  [15:0] one;

  always @* begin
    one        = 16'd0;
    one[index] = full;
  end

  wire [15:0] coded = known | one;
  wire [3:0]  x     = later ? (scan[1] ? {sy, py} : {sx, px}) : x_q & {4{!single}};
  wire [3:0]  y     = later ? (scan[1] ? {sx, px} : {sy, py}) : y_q & {4{!single}};

  always @(posedge clk_i) begin
    if (rst_i) begin
      coded_q <= 16'd0;
      x_q     <= 4'd0;
      y_q     <= 4'd0;
    end else if (lev_valid_i && !single) begin
      coded_q <= coded & {16{!last}};
      x_q     <= x & {4{!last}};
      y_q     <= y & {4{!last}};
    end
  end

  always @(posedge clk_i) begin
    if (lev_valid_i && !single && later) top_q <= index;
  end

  // Signs and magnitudes, of at most 13108.
  wire [255:0] signed_levels = lev_data_i[`T265_LEV_LEVELS];
  wire [239:0] levels;

  genvar k;
  generate
    for (k = 0; k < 16; k = k + 1) begin : gen_level
      wire [13:0] low         = signed_levels[16*k +: 14];
      wire        minus       = signed_levels[16*k + 15];
      wire        unused_sign = signed_levels[16*k + 14];  // as the sign

      assign levels[15*k +: 15] = {minus, minus ? -low : low};
    end
  endgenerate

  // The HEAD with the QP of the slice.
  reg  [`T265_HEAD_BITS-1:0] head;

  always @* begin
    head = head_data_i;
    head[`T265_HEAD_QP] = head_data_i[`T265_HEAD_QP] - {5'd0, head_data_i[`T265_HEAD_HIGH]};
  end

  genvar b;
  genvar l;
  genvar t;
  generate
    for (b = 0; b < Lanes; b = b + SHARE) begin : gen_bank
      wire [SHARE*TURNS-1:0] room;
      wire [55:0]            word;

      t265_enc_feed #(
        .Share(SHARE),
        .Turns(TURNS),
        .First(b),
        .Lanes(Lanes),
        .MaxTU(MaxTU)
      ) u_feed (
        .clk_i        (clk_i),
        .rst_i        (rst_i),
        .take_valid_i (take_valid_i),
        .take_thread_i(take_thread_i),
        .room_o       (room),
        .head_valid_i (head_valid_i),
        .head_data_i  (head),
        .lev_valid_i  (lev_valid_i),
        .lev_thread_i (lev_data_i[`T265_LEV_THREAD]),
        .lev_log2_i   (log2),
        .lev_index_i  (index),
        .lev_last_i   (last),
        .lev_levels_i (levels),
        .lev_about_i  ({y, x, coded}),
        .ready_i      (word_ready_i[b +: SHARE]),
        .word_valid_o (word_valid_o[b +: SHARE]),
        .word_o       (word),
        .turn_o       (turn_o[TurnBits*b +: TurnBits*SHARE])
      );

      assign word_data_o[56*b +: 56*SHARE] = {SHARE{word}};

      for (l = 0; l < SHARE; l = l + 1) begin : gen_lane
        for (t = 0; t < TURNS; t = t + 1) begin : gen_turn
          assign room_o[t*Lanes + b + l] = room[t*SHARE + l];
        end
      end
    end
  endgenerate

endmodule

`default_nettype wire
