// A memory that turns tiles of 8x8 words: while the rows of one go in, the columns of
// the one before come out, and the other way round by turns.
//
// Mirror:     t265/hwenc/mode.go
// Latency:    8 words
// Throughput: 8 words in and 8 out a cycle
// Storage:    64 * Width bits of flip-flops

`default_nettype none

module t265_turn #(
  parameter Width = 11  // of a word
) (
  input  wire              clk_i,
  input  wire              shift_i,  // words go in and come out
  input  wire              turn_i,   // what goes in is a column here; the same for a tile
  input  wire [8*Width-1:0] in_i,
  output wire [8*Width-1:0] out_o
);

  localparam ROW = 8 * Width;

  reg [8*ROW-1:0] words_q;
  reg [8*ROW-1:0] words_d;
  reg [ROW-1:0]   column;
  integer         i;

  assign out_o = turn_i ? column : words_q[ROW-1:0];

  always @* begin
    words_d = {in_i, words_q[8*ROW-1:ROW]};
    for (i = 0; i < 8; i = i + 1) begin
      column[Width*i +: Width] = words_q[ROW*i +: Width];
      if (turn_i) begin
        words_d[ROW*i +: ROW] = {in_i[Width*i +: Width], words_q[ROW*i+Width +: ROW-Width]};
      end
    end
  end

  always @(posedge clk_i) begin
    if (shift_i) words_q <= words_d;
  end

endmodule

`default_nettype wire
