// The place of a CTU of a decoder lane, and which of its neighbours are available: in
// the picture and in the slice (H.265 clause 6.4.1).
//
// Mirror:     t265/hwdec/place.go
// Latency:    1
// Throughput: 1 CTU a cycle
// Storage:    5 * CTUBits + 12 bits
// Packing:    head_o as gen/t265_dec_words.vh says, without the fields of a transform block

`default_nettype none
`include "t265_dec_words.vh"

module t265_parse_place #(
  parameter FrameCTUs = 64,  // widest and highest picture in CTUs, 2..1024
  parameter CTUBits   = FrameCTUs > 1 ? $clog2(FrameCTUs) : 1  // bits of a column or row
) (
  input  wire               clk_i,
  input  wire               load_i,        // a slice begins
  input  wire [CTUBits-1:0] last_x_i,      // last CTU of the picture
  input  wire [CTUBits-1:0] last_y_i,
  input  wire [3:0]         part_x_i,      // what the picture has of it, in eight samples
  input  wire [3:0]         part_y_i,
  input  wire [CTUBits-1:0] x_i,           // first CTU of the slice
  input  wire [CTUBits-1:0] y_i,
  input  wire [1:0]         log2_i,        // of the size of a CTU, less 4
  input  wire               next_i,        // to the first CTU, or to the next
  output wire               fresh_o,       // the first one comes next
  output wire [CTUBits-1:0] x_o,
  output wire [CTUBits-1:0] next_x_o,      // column of the one that comes next
  output wire               next_left_o,   // it will have one on the left
  output wire               final_o,       // the last CTU of the picture
  output wire               above_o,       // the one above is available
  output wire [3:0]         right_o,       // columns of eight samples to the end of the picture
  output wire [3:0]         bottom_o,      // rows of eight samples in the CTU
  input  wire               strong_i,      // strong_intra_smoothing_enabled_flag
  output wire [`T265_DEC_HEAD_BITS-1:0] head_o
);

  reg [CTUBits-1:0] last_x_q;
  reg [CTUBits-1:0] last_y_q;
  reg [3:0]         part_x_q;
  reg [3:0]         part_y_q;
  reg [CTUBits-1:0] first_x_q;  // column of the first CTU
  reg [CTUBits-1:0] x_q;
  reg [CTUBits-1:0] y_q;
  reg               fresh_q;
  reg               first_q;    // the first CTU
  reg               up_q;       // the one above is in the slice
  reg               corner_q;   // and the one before that

  wire               row_end = x_q == last_x_q;
  wire [CTUBits-1:0] beside  = x_q + 1'b1;
  wire               column0 = !(|x_q);
  wire [3:0]         size    = 4'd2 << log2_i;
  wire [4:0]         wide    = {1'b0, size} + {1'b0, part_x_q};

  assign fresh_o     = fresh_q;
  assign x_o         = x_q;
  assign next_x_o    = fresh_q ? x_q : row_end ? {CTUBits{1'b0}} : beside;
  assign next_left_o = !fresh_q && !row_end;
  assign final_o     = row_end && y_q == last_y_q;
  assign above_o     = up_q;
  assign right_o     = row_end ? part_x_q : beside != last_x_q || wide[4] ? 4'd15 : wide[3:0];
  assign bottom_o    = y_q == last_y_q ? part_y_q : size;

  assign head_o[`T265_DEC_HEAD_CTUX_AT-1:0]  = {`T265_DEC_HEAD_CTUX_AT{1'b0}};
  assign head_o[`T265_DEC_HEAD_CTUX]         = {{(10 - CTUBits) {1'b0}}, x_q};
  assign head_o[`T265_DEC_HEAD_CTUY]         = {{(10 - CTUBits) {1'b0}}, y_q};
  assign head_o[`T265_DEC_HEAD_LOG2_CTB]     = log2_i;
  assign head_o[`T265_DEC_HEAD_LEFT]         = !column0 && !first_q;
  assign head_o[`T265_DEC_HEAD_ABOVE]        = up_q;
  assign head_o[`T265_DEC_HEAD_ABOVE_LEFT]   = !column0 && corner_q;
  assign head_o[`T265_DEC_HEAD_ABOVE_RIGHT]  = !row_end && (up_q || beside == first_x_q);
  assign head_o[`T265_DEC_HEAD_RIGHT]        = right_o;
  assign head_o[`T265_DEC_HEAD_BOTTOM]       = bottom_o;
  assign head_o[`T265_DEC_HEAD_FINAL]        = final_o;
  assign head_o[`T265_DEC_HEAD_STRONG]       = strong_i;

  always @(posedge clk_i) begin
    if (load_i) begin
      last_x_q  <= last_x_i;
      last_y_q  <= last_y_i;
      part_x_q  <= part_x_i;
      part_y_q  <= part_y_i;
      first_x_q <= x_i;
      x_q       <= x_i;
      y_q       <= y_i;
      fresh_q   <= 1'b1;
      up_q      <= 1'b0;
      corner_q  <= 1'b0;
    end else if (next_i) begin
      x_q      <= next_x_o;
      fresh_q  <= 1'b0;
      first_q  <= fresh_q;
      corner_q <= up_q;
      if (!fresh_q && next_x_o == first_x_q) up_q <= 1'b1;
      if (!fresh_q && row_end) y_q <= y_q + 1'b1;
    end
  end

endmodule

`default_nettype wire
