// The sub-block before another one in scan order (H.265 clauses 6.5.3 to 6.5.5). The
// vertical scan, of 8x8 blocks, has the order of the diagonal one.
//
// Mirror:     t265/hwdec/residual.go
// Latency:    0
// Throughput: 1
// Storage:    0 bits

`default_nettype none

module t265_parse_scan (
  input  wire [1:0] log2_i,        // of the transform block, less 2
  input  wire       horizontal_i,  // scanIdx is 1
  input  wire [2:0] x_i,           // column and row in units of four samples, not both 0
  input  wire [2:0] y_i,
  output reg  [2:0] x_o,
  output reg  [2:0] y_o
);

  wire [2:0] end_ = ~(3'b111 << log2_i);

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

endmodule

`default_nettype wire
