// The place of a macroblock of a decoder lane, and which of its neighbours are
// available: in the picture and in the slice (H.264 clause 6.4.9).
//
// Mirror:     t264/hwdec/parse.go
// Latency:    1
// Throughput: 1 macroblock a cycle
// Storage:    5 * MBBits + 3 bits

`default_nettype none

module t264_parse_place #(
  parameter FrameMBs = 64,  // widest and highest frame in macroblocks, 2..1024
  parameter MBBits   = FrameMBs > 1 ? $clog2(FrameMBs) : 1  // bits of a column or row
) (
  input  wire              clk_i,
  input  wire              load_i,         // a slice begins
  input  wire [MBBits-1:0] last_x_i,       // last macroblock of the picture
  input  wire [MBBits-1:0] last_y_i,
  input  wire [MBBits-1:0] x_i,            // first macroblock of the slice
  input  wire [MBBits-1:0] y_i,
  input  wire              next_i,         // to the first macroblock, or to the next
  output wire              fresh_o,        // the first one comes next
  output wire [MBBits-1:0] x_o,
  output wire [MBBits-1:0] y_o,
  output wire [MBBits-1:0] next_x_o,       // column of the one that comes next
  output wire              final_o,        // the last macroblock of the picture
  output wire              left_o,
  output wire              above_o,
  output wire              above_left_o,
  output wire              above_right_o
);

  reg [MBBits-1:0] last_x_q;
  reg [MBBits-1:0] last_y_q;
  reg [MBBits-1:0] first_q;  // column of the first macroblock
  reg [MBBits-1:0] x_q;
  reg [MBBits-1:0] y_q;
  reg [1:0]        rows_q;   // complete rows: 0, 1, 2 or more; the first may be short
  reg              fresh_q;

  wire            row_end = x_q == last_x_q;
  wire            column0 = !(|x_q);
  wire [MBBits:0] right   = {1'b0, x_q} - {1'b0, first_q};  // of the first macroblock
  wire            below   = !(|right);
  wire            before  = &right;

  assign fresh_o       = fresh_q;
  assign x_o           = x_q;
  assign y_o           = y_q;
  assign next_x_o      = fresh_q ? x_q : row_end ? {MBBits{1'b0}} : x_q + 1'b1;
  assign final_o       = row_end && y_q == last_y_q;
  assign left_o        = !column0 && !(rows_q == 2'd0 && below);
  assign above_o       = rows_q[1] || rows_q[0] && !right[MBBits];
  assign above_left_o  = rows_q[1] && !column0 || rows_q[0] && !right[MBBits] && !below;
  assign above_right_o = !row_end && (rows_q[1] || rows_q[0] && (!right[MBBits] || before));

  always @(posedge clk_i) begin
    if (load_i) begin
      last_x_q <= last_x_i;
      last_y_q <= last_y_i;
      first_q  <= x_i;
      x_q      <= x_i;
      y_q      <= y_i;
      rows_q   <= 2'd0;
      fresh_q  <= 1'b1;
    end else if (next_i) begin
      x_q     <= next_x_o;
      fresh_q <= 1'b0;
      if (!fresh_q && row_end) y_q <= y_q + 1'b1;
      if (!fresh_q && row_end && !rows_q[1]) rows_q <= rows_q + 2'd1;
    end
  end

endmodule

`default_nettype wire
