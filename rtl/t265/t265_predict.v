// Prediction of transform blocks and their residual, eight samples a cycle. A block waits
// for its references while the one before goes out: blocks of 4x4 follow each other every
// two cycles, those of other threads without a gap.
//
// Words: FIRST in, RES or SKIP out (gen/t265_enc_words.vh), with the prediction of each
// beat to its queue. Source samples lie in two memories, those of even rows and those of
// odd ones, at the number of a beat of the CTU without its lowest bit, by thread.
//
// Mirror:     t265/hwenc/predict.go
// Latency:    5
// Throughput: 8 samples a cycle
// Storage:    296 bits of references, 233 in t265_intra, 136 at the output, and tags

`default_nettype none
`include "t265_enc_words.vh"

module t265_predict #(
  parameter Threads    = 16,  // frames in flight
  parameter MaxTU      = 16,  // largest block, 8 or 16
  parameter MinTU      = 4,   // smallest block, 4 or 8
  parameter ThreadBits = Threads > 1 ? $clog2(Threads) : 1  // bits of a thread number
) (
  input  wire                        clk_i,
  input  wire                        rst_i,
  input  wire                        tu_valid_i,
  output wire                        tu_ready_o,
  input  wire [`T265_FIRST_BITS-1:0] tu_data_i,
  // the window of its thread
  input  wire                        busy_i,        // no CTU may start
  output wire                        begin_o,       // one does
  output wire [`T265_TU_BITS-1:0]    fetch_o,
  input  wire [8*MaxTU+15:0]         above_i,
  input  wire [8*MaxTU+15:0]         left_i,
  input  wire [7:0]                  corner_i,
  // source samples: addressed in one cycle, there from the next one on
  output wire [1:0]                  src_re_o,      // in even rows, in odd ones
  output wire [ThreadBits+3:0]       src_addr_o,
  input  wire [63:0]                 src_even_i,
  input  wire [63:0]                 src_odd_i,
  // a beat of 8x8 and 16x16 blocks, and of 4x4 ones
  output wire                        res_valid_o,
  input  wire                        res_ready_i,
  output wire                        skip_valid_o,
  input  wire                        skip_ready_i,
  output wire [`T265_RES_BITS-1:0]   data_o,
  output wire [63:0]                 pred_o
);

  // A block waits for its references.
  reg                      waits_q;
  reg  [`T265_TU_BITS-1:0] tu_q;
  wire                     free;  // its place is, after this edge

  assign tu_ready_o = (!waits_q || free) && !busy_i;
  assign begin_o    = tu_valid_i && tu_ready_o && tu_data_i[`T265_FIRST_FIRST];
  assign fetch_o    = tu_q;

  // Nothing comes in the second cycle of a reset, in which the place is free.
  always @(posedge clk_i) begin
    if (tu_ready_o) waits_q <= tu_valid_i;
    else if (free) waits_q <= 1'b0;
  end

  always @(posedge clk_i) begin
    if (tu_valid_i && tu_ready_o) tu_q <= tu_data_i[`T265_FIRST_TU];
  end

  // Beats of a block go out.
  reg                       valid_q;
  reg [`T265_TAG_BITS-1:0]  tag_q;
  reg [4:0]                 beat_q;
  reg [8*MaxTU+15:0]        above_q;
  reg [8*MaxTU+15:0]        left_q;
  reg [7:0]                 corner_q;
  wire                      step;

  wire [1:0] log2    = tag_q[`T265_TAG_LOG2];
  wire       four    = MinTU == 4 && log2 == 2'd0;
  wire       sixteen = MaxTU == 16 && log2[1];
  wire       last    = beat_q == {{2{sixteen}}, {2{!four}}, 1'b1};

  assign free = !valid_q || step && last;

  always @(posedge clk_i) begin
    if (rst_i) valid_q <= 1'b0;
    else if (free) valid_q <= waits_q;
  end

  always @(posedge clk_i) begin
    if (free && waits_q) begin
      tag_q    <= tu_q[`T265_TU_TAG];
      above_q  <= above_i;
      left_q   <= left_i;
      corner_q <= corner_i;
      beat_q   <= 5'd0;
    end else if (step) begin
      beat_q <= beat_q + 5'd1;
    end
  end

  // Prediction.
  wire [63:0] pred;

  t265_intra #(
    .MaxTU(MaxTU),
    .MinTU(MinTU)
  ) u_intra (
    .clk_i   (clk_i),
    .step_i  (step),
    .mode_i  (tag_q[`T265_TAG_MODE]),
    .log2_i  (log2),
    .beat_i  (beat_q),
    .above_i (above_q),
    .left_i  (left_q),
    .corner_i(corner_q),
    .pred_o  (pred)
  );

  // A beat in the second stage, and its source samples.
  reg                      mid_valid_q;
  reg [`T265_TAG_BITS-1:0] mid_tag_q;
  reg [4:0]                mid_beat_q;

  wire [1:0]            mid_log2    = mid_tag_q[`T265_TAG_LOG2];
  wire                  mid_four    = MinTU == 4 && mid_log2 == 2'd0;
  wire                  mid_sixteen = MaxTU == 16 && mid_log2[1];
  wire                  half        = mid_sixteen ? mid_beat_q[0] : mid_tag_q[`T265_TAG_CX_AT+1];
  wire [1:0]            cy          = mid_tag_q[`T265_TAG_CY];
  wire [ThreadBits-1:0] thread      = mid_tag_q[`T265_TAG_THREAD];
  wire                  odd         = mid_sixteen ? mid_beat_q[1] : mid_beat_q[0];
  wire [2:0]            pair        = mid_sixteen ? mid_beat_q[4:2] :
                                      mid_four ? {cy, mid_beat_q[0]} : {cy[1], mid_beat_q[2:1]};

  assign src_re_o   = {2{mid_valid_q && step}} & {mid_four || odd, mid_four || !odd};
  assign src_addr_o = {thread, pair[2], half, pair[1:0]};

  // The second cycle of a reset is a step.
  always @(posedge clk_i) begin
    if (step) mid_valid_q <= valid_q;
  end

  always @(posedge clk_i) begin
    if (step && valid_q) begin
      mid_tag_q  <= tag_q;
      mid_beat_q <= beat_q;
    end
  end

  // A beat that is predicted.
  reg                      end_valid_q;
  reg [`T265_TAG_BITS-1:0] end_tag_q;
  reg                      end_odd_q;

  always @(posedge clk_i) begin
    if (rst_i) end_valid_q <= 1'b0;
    else if (step) end_valid_q <= mid_valid_q;
  end

  always @(posedge clk_i) begin
    if (step && mid_valid_q) begin
      end_tag_q <= mid_tag_q;
      end_odd_q <= odd;
    end
  end

  // Residual.
  wire        end_four  = MinTU == 4 && end_tag_q[`T265_TAG_LOG2] == 2'd0;
  wire        end_right = end_tag_q[`T265_TAG_CX_AT];
  wire [31:0] upper     = end_right ? src_even_i[63:32] : src_even_i[31:0];
  wire [31:0] lower     = end_right ? src_odd_i[63:32] : src_odd_i[31:0];
  wire [63:0] src       = end_four ? {lower, upper} : end_odd_q ? src_odd_i : src_even_i;
  reg                      out_valid_q;
  reg                      out_skip_q;
  reg [`T265_TAG_BITS-1:0] out_tag_q;
  reg [63:0]               out_pred_q;
  reg [71:0]               out_res_q;
  integer                  k;

  assign res_valid_o  = out_valid_q && !out_skip_q;
  assign skip_valid_o = out_valid_q && out_skip_q;
  assign step         = !out_valid_q || (out_skip_q ? skip_ready_i : res_ready_i);
  assign pred_o       = out_pred_q;

  assign data_o[`T265_RES_TAG]    = out_tag_q;
  assign data_o[`T265_RES_VALUES] = out_res_q;

  always @(posedge clk_i) begin
    if (rst_i) out_valid_q <= 1'b0;
    else if (step) out_valid_q <= end_valid_q;
  end

  always @(posedge clk_i) begin
    if (step && end_valid_q) begin
      out_skip_q <= end_four;
      out_tag_q  <= end_tag_q;
      out_pred_q <= pred;
      for (k = 0; k < 8; k = k + 1) begin
        out_res_q[9*k +: 9] <= {1'b0, src[8*k +: 8]} - {1'b0, pred[8*k +: 8]};
      end
    end
  end

endmodule

`default_nettype wire
