// Sign data hiding of a sub-block of 16 levels in scan order (package t265): which
// level moves by one towards its coefficient, if any. The best move has the greatest
// gain, the first of equals; a gain of 0 stands for a move that is out.
//
// Mirror:     t265/hwenc/quant.go
// Latency:    0
// Throughput: 1
// Storage:    0 bits

`default_nettype none

module t265_hide (
  input  wire [15:0] set_i,       // the level is not zero
  input  wire [15:0] negative_i,  // the coefficient is below zero
  input  wire [15:0] born_i,      // rounded up from zero: the move would be back to it
  input  wire [95:0] gain_i,      // 1..39 each
  input  wire        odd_i,       // sum of the levels
  output wire        move_o,
  output wire [3:0]  k_o          // scan position that moves
);

  // Positions from the lowest level on.
  reg  [15:0] from;
  integer     i;

  always @* begin
    from = set_i;
    for (i = 1; i < 16; i = i + 1) begin
      if (from[i-1]) from[i] = 1'b1;
    end
  end

  wire [15:0] lowest   = from & ~{from[14:0], 1'b0};
  wire        far      = |(set_i[15:4] & from[11:0]);
  wire        negative = |(lowest & negative_i);

  assign move_o = far && (odd_i ^ negative);

  // Another level would carry the sign if the lowest went to zero, or if one before it
  // came up with the other sign.
  wire [15:0] out = ~from & (negative_i ^ {16{negative}}) | lowest & born_i;

  // A tree of comparisons: node i has its children at 2 * i and 2 * i + 1, the leaves
  // are nodes 16 to 31.
  reg [191:0] gain;
  reg [127:0] place;
  reg         second;

  always @* begin
    gain[5:0]  = 6'd0;  // there is no node 0
    place      = 128'd0;
    for (i = 0; i < 16; i = i + 1) begin
      gain[6*(i+16) +: 6] = gain_i[6*i +: 6] & {6{!out[i]}};
    end
    for (i = 15; i > 0; i = i - 1) begin
      second = gain[12*i+6 +: 6] > gain[12*i +: 6];
      gain[6*i +: 6]  = second ? gain[12*i+6 +: 6] : gain[12*i +: 6];
      place[4*i +: 4] = second ? place[8*i+4 +: 4] : place[8*i +: 4];
      place[4*i + (i < 2 ? 3 : i < 4 ? 2 : i < 8 ? 1 : 0)] = second;
    end
  end

  wire unused = &{1'b0, gain[11:0], place[3:0]};

  assign k_o = place[7:4];

endmodule

`default_nettype wire
