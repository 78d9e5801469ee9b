// Context of sig_coeff_flag (H.265 clause 9.3.4.2.5, luma).
//
// Mirror:     t265/hwenc/residual.go
// Latency:    0
// Throughput: 1 flag a cycle
// Storage:    0 bits

`default_nettype none

module t265_sig (
  input  wire [1:0] log2_i,    // of the transform block, less 2
  input  wire [1:0] scan_i,    // scanIdx 0..2
  input  wire       later_i,   // not sub-block 0
  input  wire [1:0] around_i,  // coded_sub_block_flag to the right, and below
  input  wire [3:0] k_i,       // scan position in the sub-block
  output wire [4:0] inc_o      // ctxInc 0..26
);

  localparam [1:0] DIAGONAL = 2'd0;

  wire [1:0] x;
  wire [1:0] y;
  wire [3:0] inc4;
  reg  [1:0] near;   // 2 close to the sub-blocks that are coded, 0 far from them
  reg  [4:0] first;  // context of near 0 in sub-block 0

  t265_position u_position (
    .scan_k_i({scan_i, k_i}),
    .x_o     (x),
    .y_o     (y)
  );

  t265_sig4 u_sig4 (
    .y_x_i({y, x}),
    .inc_o(inc4)
  );

  wire [2:0] sum = {1'b0, x} + {1'b0, y};

  always @* begin
    case (around_i)
      2'd0: near = sum == 3'd0 ? 2'd2 : sum < 3'd3 ? 2'd1 : 2'd0;
      2'd1: near = y == 2'd0 ? 2'd2 : y == 2'd1 ? 2'd1 : 2'd0;
      2'd2: near = x == 2'd0 ? 2'd2 : x == 2'd1 ? 2'd1 : 2'd0;
      default: near = 2'd2;
    endcase
  end

  always @* begin
    first = scan_i == DIAGONAL ? 5'd9 : 5'd15;
    if (log2_i[1]) first = 5'd21;
  end

  assign inc_o = log2_i == 2'd0 ? {1'b0, inc4} : !later_i && sum == 3'd0 ? 5'd0
               : first + {3'd0, near} + (later_i ? 5'd3 : 5'd0);

endmodule

`default_nettype wire
