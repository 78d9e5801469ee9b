// Residuals of the blocks of 8x8 and 4x4 of a CTU from its source samples, row by row of
// tiles of 8x8: those of a row of the blocks of 8x8 a cycle, and those of two rows of a
// block of 4x4. What is predicted from inside the CTU replaces its row and column.
//
// Mirror:     t265/hwenc/split.go
// Latency:    1 to blocks of 8x8, 2 to 5 to blocks of 4x4
// Throughput: 1 beat a cycle
// Storage:    32 samples around the CTU, 25 of beats, 28 of predictions, and 110 bits

`default_nettype none

module t265_split_tiles (
  input  wire         clk_i,
  input  wire         rst_i,
  input  wire         enable_i,
  input  wire         load_i,  // a CTU comes, the beats of which follow from the next cycle on
  input  wire [5:0]   qp_i,
  input  wire [1:0]   mode_i,
  input  wire [127:0] row_i,   // samples above it
  input  wire [127:0] side_i,  // on the left
  input  wire         valid_i,
  input  wire [4:0]   at_i,    // number of the beat
  input  wire [63:0]  beat_i,
  output wire         narrow_valid_o,
  output wire [5:0]   narrow_qp_o,
  output wire [71:0]  narrow_res_o,
  output wire         small_valid_o,
  output wire         small_last_o,  // the second beat of a block
  output wire [5:0]   small_qp_o,
  output wire [71:0]  small_res_o
);

  reg       valid2_q;
  reg [2:0] at2_q;
  reg       valid3_q;
  reg       third_q;  // the beat there is the last one of four

  always @(posedge clk_i) begin
    if (rst_i) begin
      valid2_q <= 1'b0;
      valid3_q <= 1'b0;
    end else if (enable_i) begin
      valid2_q <= valid_i;
      valid3_q <= valid2_q;
    end
  end

  always @(posedge clk_i) begin
    if (enable_i) begin
      at2_q   <= at_i[2:0];
      third_q <= &at2_q[1:0];
    end
  end

  // What the predictions know of the CTU: its row and column, which those of blocks of
  // 8x8 and 4x4 replace as they go by.
  reg  [5:0]   qp_q;
  reg  [1:0]   mode_q;
  reg  [127:0] above_q;
  reg  [127:0] left_q;
  reg  [63:0]  beat1_q;  // the beat before,
  reg  [63:0]  beat2_q;
  reg  [39:0]  beat3_q;  // samples 3 to 7 of it
  reg  [31:0]  beat4_q;  // samples 4 to 7

  wire [63:0] tile_above = above_q[64*at_i[3] +: 64];
  wire [63:0] tile_left  = left_q[64*at_i[4] +: 64];
  wire        fourth     = valid_i && (&at_i[1:0]);

  always @(posedge clk_i) begin
    if (enable_i) begin
      beat1_q <= beat_i;
      beat2_q <= beat1_q;
      beat3_q <= beat2_q[63:24];
      beat4_q <= beat3_q[39:8];
      if (fourth) begin
        above_q[64*at_i[3] +: 64] <= beat_i;
        left_q[32*{at_i[4], at_i[2]} +: 32] <=
          {beat_i[63:56], beat1_q[63:56], beat2_q[63:56], beat3_q[39:32]};
      end
    end
    if (load_i) begin
      qp_q    <= qp_i;
      mode_q  <= mode_i;
      above_q <= row_i;
      left_q  <= side_i;
    end
  end

  // Blocks of 8x8: what is above and on the left of a tile when its first row is there,
  // which goes a cycle later.
  reg  [5:0]  narrow_qp_q;
  reg  [1:0]  narrow_mode_q;
  reg  [63:0] narrow_above_q;
  reg  [7:0]  narrow_left_q;
  reg  [11:0] narrow_base_q;
  reg  [8:0]  narrow_step_q;
  wire [11:0] narrow_base;
  wire [8:0]  narrow_step;
  reg  [7:0]  narrow_dc_q;
  reg  [11:0] narrow_sum;
  integer     i;

  always @* begin
    narrow_sum = 12'd8;
    for (i = 0; i < 8; i = i + 1)
      narrow_sum = narrow_sum + {4'd0, tile_above[8*i +: 8]} + {4'd0, tile_left[8*i +: 8]};
  end

  assign narrow_valid_o = valid2_q;
  assign narrow_qp_o    = narrow_qp_q;

  wire [7:0] narrow_left = tile_left[8*at_i[2:0] +: 8];

  t265_open_row #(
    .Log2(3)
  ) u_narrow_row (
    .y_i     ({1'b0, at_i[2:0]}),
    .right_i (1'b0),
    .left_i  (narrow_left),
    .bottom_i(tile_left[63:56]),
    .corner_i(at_i[2] ? narrow_above_q[63:56] : tile_above[63:56]),
    .base_o  (narrow_base),
    .step_o  (narrow_step)
  );

  t265_open #(
    .Log2(3)
  ) u_narrow_open (
    .mode_i (narrow_mode_q),
    .y_i    ({1'b0, at2_q}),
    .right_i(1'b0),
    .above_i(narrow_above_q),
    .left_i (narrow_left_q),
    .base_i (narrow_base_q),
    .step_i (narrow_step_q),
    .dc_i   (narrow_dc_q),
    .src_i  (beat1_q),
    .res_o  (narrow_res_o)
  );

  always @(posedge clk_i) begin
    if (enable_i) begin
      narrow_left_q <= narrow_left;
      narrow_base_q <= narrow_base;
      narrow_step_q <= narrow_step;
      if (at_i[2:0] == 3'd0) begin
        narrow_qp_q    <= qp_q;
        narrow_mode_q  <= mode_q;
        narrow_above_q <= tile_above;
        narrow_dc_q    <= narrow_sum[11:4];
      end
    end
  end

  // Blocks of 4x4: rows 0 and 1 of the one on the left of a tile leave when row 1 is in
  // beat1_q, rows 2 and 3 a cycle later, those of the one on the right behind them.
  reg  [5:0]  small_qp_q;
  reg  [1:0]  small_mode_q;
  reg  [31:0] small_above_q;
  reg  [15:0] small_left_q;  // of the rows that leave,
  reg  [15:0] small_rest_q;  // of rows 2 and 3
  reg         small_begin_q; // the first beat of a block leaves
  reg  [31:0] small_above;
  reg  [31:0] small_left;
  reg  [10:0] small_sum;
  reg  [7:0]  small_dc_q;
  reg  [63:0] small_src;
  reg         small_valid_q;
  reg         small_last_q;
  reg  [77:0] small_q;  // residual, QP
  wire [71:0] small_res;

  wire [1:0] step         = at2_q[1:0] & {2{valid2_q}};
  wire       small_begins = valid_i && at_i[0];

  always @* begin
    case (step)
      2'd1: small_src = {beat1_q[31:0], beat2_q[31:0]};
      2'd2: small_src = {beat_i[31:0], beat1_q[31:0]};
      2'd3: small_src = {beat3_q[39:8], beat4_q};
      default: small_src = {beat2_q[63:32], beat3_q[39:8]};
    endcase
    small_above = at_i[1] ? tile_above[63:32] : tile_above[31:0];
    small_left  = at_i[1] ? {beat_i[31:24], beat1_q[31:24], beat2_q[31:24], beat3_q[7:0]}
                           : tile_left[32*at_i[2] +: 32];
    small_sum   = 11'd4;
    for (i = 0; i < 4; i = i + 1)
      small_sum = small_sum + {3'd0, small_above[8*i +: 8]} + {3'd0, small_left[8*i +: 8]};
  end

  wire [21:0] small_base;
  wire [17:0] small_step;

  genvar r;
  generate
    for (r = 0; r < 2; r = r + 1) begin : gen_row
      localparam [3:0] LOW = r;

      t265_open_row #(
        .Log2(2)
      ) u_row (
        .y_i     ({2'd0, !small_begin_q, LOW[0]}),
        .right_i (1'b0),
        .left_i  (small_left_q[8*r +: 8]),
        .bottom_i(small_rest_q[15:8]),
        .corner_i(small_above_q[31:24]),
        .base_o  (small_base[11*r +: 11]),
        .step_o  (small_step[9*r +: 9])
      );
    end
  endgenerate

  t265_open #(
    .Log2(2)
  ) u_small_open (
    .mode_i (small_mode_q),
    .y_i    ({2'd0, !small_begin_q, 1'b0}),
    .right_i(1'b0),
    .above_i({2{small_above_q}}),
    .left_i (small_left_q),
    .base_i (small_base),
    .step_i (small_step),
    .dc_i   (small_dc_q),
    .src_i  (small_src),
    .res_o  (small_res)
  );

  wire unused = &{1'b0, narrow_sum[3:0], small_sum[2:0]};

  assign small_valid_o = small_valid_q && enable_i;
  assign small_last_o  = small_last_q;
  assign small_qp_o    = small_q[5:0];
  assign small_res_o   = small_q[77:6];

  always @(posedge clk_i) begin
    if (rst_i) small_valid_q <= 1'b0;
    else if (enable_i) small_valid_q <= step != 2'd0 || valid3_q && third_q;
  end

  always @(posedge clk_i) begin
    if (enable_i) begin
      small_begin_q <= small_begins;
      small_left_q  <= small_begins ? small_left[15:0] : small_rest_q;
      if (small_begins) begin
        small_above_q <= small_above;
        small_rest_q  <= small_left[31:16];
        small_dc_q    <= small_sum[10:3];
      end
      if (at_i[1:0] == 2'd1) begin
        small_qp_q   <= qp_q;
        small_mode_q <= mode_q;
      end
      small_last_q <= !small_begin_q;
      small_q      <= {small_res, small_qp_q};
    end
  end

endmodule

`default_nettype wire
