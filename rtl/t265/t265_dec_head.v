// What is kept of the head of a transform block: its place in the picture, and which of
// the reference samples are available (clause 6.4.1). In the z-scan order of blocks of
// 4x4 that to the upper right comes first if the lowest one in y is not below the lowest
// zero in x, and that to the lower left if the lowest one in x is above the lowest zero
// in y, both without the bits of a place in the block.
//
// Mirror:     t265/hwdec/sched.go
// Latency:    combinational
// Throughput: 1 head
// Storage:    none

`default_nettype none
`include "t265_dec_words.vh"
`include "t265_dec_pixel_words.vh"

module t265_dec_head #(
  parameter FrameCTUs = 16,  // widest and highest frame, in CTUs of 16 samples
  parameter PosBits   = $clog2(FrameCTUs) + 2  // bits of a column or row, in units of four
) (
  // The scan follows from size and mode, and the last CTU is one as others.
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire [`T265_DEC_HEAD_BITS-1:0] head_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output wire [`T265_DEC_KEPT_BITS-1:0] kept_o
);

  wire [1:0] log2    = head_i[`T265_DEC_HEAD_LOG2];
  wire [1:0] log2ctb = head_i[`T265_DEC_HEAD_LOG2_CTB];
  wire [3:0] x       = head_i[`T265_DEC_HEAD_X];
  wire [3:0] y       = head_i[`T265_DEC_HEAD_Y];
  wire       left    = head_i[`T265_DEC_HEAD_LEFT];
  wire       above   = head_i[`T265_DEC_HEAD_ABOVE];

  // Places behind the block, and lowest ones and zeros.
  wire [3:0] inner   = {1'b0, &log2, log2[1], |log2};
  wire [4:0] next_x  = {1'b0, x | inner} + 5'd1;
  wire [4:0] next_y  = {1'b0, y | inner} + 5'd1;
  wire [4:0] size    = 5'd4 << log2ctb;
  wire [3:0] one_x   = x & (~x + 4'd1);
  wire [3:0] one_y   = y & (~y + 4'd1);
  wire [3:0] zero_x  = next_x[3:0] & ~(x | inner);
  wire [3:0] zero_y  = next_y[3:0] & ~(y | inner);
  wire       at_left = x == 4'd0;
  wire       at_top  = y == 4'd0;
  wire       ends_x  = next_x == size;
  wire       ends_y  = next_y == size;
  wire       right   = at_top ? (ends_x ? head_i[`T265_DEC_HEAD_ABOVE_RIGHT] : above)
                              : !ends_x && one_y >= zero_x;
  wire       below   = !ends_y && (at_left ? left : one_x > zero_y);

  // What there is of the picture, in units of four samples.
  wire [5:0] rest_x  = {1'b0, head_i[`T265_DEC_HEAD_RIGHT], 1'b0} - {1'b0, next_x};
  wire [5:0] rest_y  = {1'b0, head_i[`T265_DEC_HEAD_BOTTOM], 1'b0} - {1'b0, next_y};
  wire       some_x  = !rest_x[5] && rest_x != 6'd0;
  wire       some_y  = !rest_y[5] && rest_y != 6'd0;
  wire       two_x   = log2[1] && rest_x > 6'd2;
  wire       two_y   = log2[1] && rest_y > 6'd2;

  // Places beyond those of the widest frame go nowhere.
  /* verilator lint_off UNUSEDSIGNAL */
  wire [13:0] pos_x = {2'd0, head_i[`T265_DEC_HEAD_CTUX], 2'd0} << log2ctb | {10'd0, x};
  wire [13:0] pos_y = {2'd0, head_i[`T265_DEC_HEAD_CTUY], 2'd0} << log2ctb | {10'd0, y};
  /* verilator lint_on UNUSEDSIGNAL */

  assign kept_o[`T265_DEC_KEPT_LOG2]      = log2;
  assign kept_o[`T265_DEC_KEPT_MODE]      = head_i[`T265_DEC_HEAD_MODE];
  assign kept_o[`T265_DEC_KEPT_STRONG]    = head_i[`T265_DEC_HEAD_STRONG];
  assign kept_o[`T265_DEC_KEPT_CODED]     = head_i[`T265_DEC_HEAD_CODED];
  assign kept_o[`T265_DEC_KEPT_HAS_LEFT]  = !at_left || left;
  assign kept_o[`T265_DEC_KEPT_HAS_ABOVE] = !at_top || above;
  assign kept_o[`T265_DEC_KEPT_HAS_CORNER] =
    at_left ? (at_top ? head_i[`T265_DEC_HEAD_ABOVE_LEFT] : left) : !at_top || above;
  assign kept_o[`T265_DEC_KEPT_RIGHT]     = {2{right && some_x}} & {two_x, !two_x};
  assign kept_o[`T265_DEC_KEPT_BELOW]     = {2{below && some_y}} & {two_y, !two_y};
  assign kept_o[`T265_DEC_KEPT_X]         = pos_x[PosBits-1:0];
  assign kept_o[`T265_DEC_KEPT_Y]         = pos_y[PosBits-1:0];
  assign kept_o[`T265_DEC_KEPT_QP]        = head_i[`T265_DEC_HEAD_QP];
  assign kept_o[`T265_DEC_KEPT_SKIP]      = head_i[`T265_DEC_HEAD_SKIP];

endmodule

`default_nettype wire
