// The sub-blocks of a transform block, from the last one on (H.265 clauses 6.5.3 to 6.5.5
// and 9.3.4.2.4). The vertical scan, of 8x8 blocks, has the order of the diagonal one. Of
// the sub-blocks visited last, each row and each column keep coded_sub_block_flag.
//
// Mirror:     t265/hwdec/residual.go
// Latency:    1 to leave a sub-block
// Throughput: 1 sub-block a cycle
// Storage:    23 bits

`default_nettype none

module t265_parse_scan (
  input  wire       clk_i,
  input  wire       clear_i,       // no block is being parsed
  input  wire [1:0] log2_i,        // of the transform block, less 2
  input  wire       horizontal_i,  // scanIdx is 1
  input  wire [2:0] x_i,           // column and row in units of four samples
  input  wire [2:0] y_i,
  input  wire       leave_i,       // the place is left,
  input  wire       coded_i,       // with levels
  output reg  [2:0] x_o,           // the one before it in scan order, if there is one
  output reg  [2:0] y_o,
  output wire       later_o,       // there is one
  output wire       right_o,       // coded_sub_block_flag on the right,
  output wire       below_o,       // and below
  output wire       beside_o,      // either, of the next one, if this one has no levels
  output wire [5:0] sub_o,         // row and column of the one that was left
  output wire       home_o         // it was the one at (0, 0)
);

  reg [7:0] right_q;  // by row
  reg [7:0] below_q;  // by column
  reg [5:0] sub_q;
  reg       home_q;

  wire [2:0] end_    = ~(3'b111 << log2_i);
  wire [7:0] row     = 8'd1 << y_i;
  wire [7:0] col     = 8'd1 << x_i;
  wire [7:0] right_0 = right_q & ~row;
  wire [7:0] below_0 = below_q & ~col;

  always @* begin
    x_o = x_i - 3'd1;
    y_o = y_i + 3'd1;
    if (horizontal_i) begin
      y_o = y_i;
      if (x_i == 3'd0) {x_o, y_o} = {end_, y_i - 3'd1};
    end else if (x_i == 3'd0) begin
      {x_o, y_o} = {y_i - 3'd1, 3'd0};
    end else if (y_i == end_) begin
      {x_o, y_o} = {end_, x_i - 3'd1};
    end
  end

  assign later_o  = {x_i, y_i} != 6'd0;
  assign right_o  = right_q[y_i];
  assign below_o  = below_q[x_i];
  assign beside_o = right_0[y_o] || below_0[x_o];
  assign sub_o    = sub_q;
  assign home_o   = home_q;

  always @(posedge clk_i) begin
    if (clear_i) begin
      right_q <= 8'd0;
      below_q <= 8'd0;
    end else if (leave_i) begin
      right_q <= right_0 | row & {8{coded_i}};
      below_q <= below_0 | col & {8{coded_i}};
    end
    if (leave_i) begin
      sub_q  <= {y_i, x_i};
      home_q <= !later_o;
    end
  end

endmodule

`default_nettype wire
