// Sign data hiding of a sub-block of 16 levels in scan order (package t265): which
// level moves by one towards its coefficient, if any. The best move has the greatest
// gain, the first of equals; a gain of 0 stands for a move that is out.
//
// Mirror:     t265/hwenc/quant.go
// Latency:    1
// Throughput: 1 sub-block a cycle
// Storage:    33 bits

`default_nettype none

module t265_hide (
  input  wire        clk_i,
  input  wire        enable_i,
  input  wire [15:0] set_i,       // the level is not zero
  input  wire [15:0] negative_i,  // the coefficient is below zero
  input  wire [15:0] born_i,      // its magnitude was below one: a level goes back to zero
  input  wire [95:0] gain_i,      // 1..39 each
  input  wire        odd_i,       // sum of the levels
  output wire        move_o,      // a cycle later
  output wire [3:0]  k_o          // scan position that moves
);

  // Positions from the lowest level on, and a tree that finds the sign there: node i has
  // its children at 2 * i and 2 * i + 1, the leaves are nodes 16 to 31.
  wire [15:0] from_2 = set_i | set_i << 1;
  wire [15:0] from_4 = from_2 | from_2 << 2;
  wire [15:0] from_8 = from_4 | from_4 << 4;
  wire [15:0] from   = from_8 | from_8 << 8;
  reg  [31:0] any;
  reg  [31:0] sign;
  integer     i;

  always @* begin
    any  = {set_i, 16'd0};
    sign = {negative_i, 16'd0};
    for (i = 15; i > 0; i = i - 1) begin
      any[i]  = any[2*i] || any[2*i+1];
      sign[i] = any[2*i] ? sign[2*i] : sign[2*i+1];
    end
  end

  wire [15:0] lowest   = from & ~{from[14:0], 1'b0};
  wire        far      = |(set_i[15:4] & from[11:0]);
  wire        negative = sign[1];

  // Another level would carry the sign if the lowest went to zero, or if one before it
  // came up with the other sign.
  wire [15:0] out = ~from & (negative_i ^ {16{negative}}) | lowest & born_i;

  // A tree of comparisons, numbered alike. Nodes 4 to 7 are registers.
  reg [191:0] gain;
  reg [63:0]  place;
  reg         second;
  reg [23:0]  gain_q;
  reg [7:0]   place_q;
  reg         move_q;

  always @* begin
    gain  = 192'd0;
    place = 64'd0;
    for (i = 0; i < 16; i = i + 1) begin
      gain[6*(i+16) +: 6] = gain_i[6*i +: 6] & {6{!out[i]}};
    end
    for (i = 15; i > 3; i = i - 1) begin
      second = gain[12*i+6 +: 6] > gain[12*i +: 6];
      gain[6*i +: 6]  = second ? gain[12*i+6 +: 6] : gain[12*i +: 6];
      if (i < 8) place[2*i +: 2] = {second, second ? place[4*i+2] : place[4*i]};
      else place[2*i] = second;
    end
  end

  always @(posedge clk_i) begin
    if (enable_i) begin
      gain_q  <= gain[24 +: 24];
      place_q <= place[8 +: 8];
      move_q  <= far && (odd_i ^ negative);
    end
  end

  wire        odd_2  = gain_q[11:6] > gain_q[5:0];    // of nodes 4 and 5
  wire        odd_3  = gain_q[23:18] > gain_q[17:12];  // of nodes 6 and 7
  wire [5:0]  gain_2 = odd_2 ? gain_q[11:6] : gain_q[5:0];
  wire [5:0]  gain_3 = odd_3 ? gain_q[23:18] : gain_q[17:12];
  wire        odd_1  = gain_3 > gain_2;
  wire [1:0]  node   = {odd_1, odd_1 ? odd_3 : odd_2};
  wire        unused = &{1'b0, gain, place, any, sign};

  assign move_o = move_q;
  assign k_o    = {node, place_q[2*node +: 2]};

endmodule

`default_nettype wire
