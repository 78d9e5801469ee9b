// Intra prediction of blocks of 4x4 and 8x8 samples and of the 4x4 blocks of
// I_16x16 macroblocks (clauses 8.3.1.2, 8.3.2.2 and 8.3.3): the references of a
// block in phase 2, four samples of a column in phases 1, 2, 3, 0. An 8x8 block
// takes four slots, two columns each, upper half first.
//
// Every directional sample is a filter of two or three neighbours in the line of
// references that runs from the lower left over the corner to the upper right.
//
// Mirror:     t264/hwdec/pixels.go
// Latency:    3
// Throughput: 4 samples a cycle
// Storage:    500 bits

`default_nettype none
`include "t264_dec_words.vh"

module t264_intra (
  input  wire                        clk_i,
  input  wire [1:0]                  phase_i,
  // in phase 2
  input  wire                        new_i,     // a block begins
  input  wire [127:0]                above_i,   // and above right
  input  wire [63:0]                 left_i,
  input  wire [7:0]                  corner_i,
  input  wire [3:0]                  near_i,    // available: above right, above left, above, left
  input  wire [1:0]                  kind_i,    // 0 4x4, 1 8x8, 2 AC, 3 DC
  input  wire [3:0]                  mode_i,
  input  wire [3:0]                  block_i,   // 4x4 block of the macroblock
  input  wire [1:0]                  word_i,    // slot of an 8x8 block
  input  wire [`T264_PLANE_BITS-1:0] plane_i,   // of the macroblock, in phases 1 to 3
  output wire [7:0]                  corner_o,  // in phases 3 to 2
  output reg  [31:0]                 pred_o
);

  localparam [1:0] WIDE = 2'd1;
  localparam [1:0] AC   = 2'd2;

  // The fraction of a rounded sum goes nowhere.
  /* verilator lint_off UNUSEDSIGNAL */
  function [7:0] tap(input [7:0] a, input [7:0] b, input [7:0] c);
    reg [9:0] sum;
    begin
      sum = ({2'd0, a} + {2'd0, c}) + ({1'b0, b, 1'b0} + 10'd2);
      tap = sum[9:2];
    end
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  function [9:0] four(input [31:0] s);
    four = ({2'd0, s[7:0]} + {2'd0, s[15:8]}) + ({2'd0, s[23:16]} + {2'd0, s[31:24]});
  endfunction

  // The line of references: sample i of 25 at 8*i, the corner at 8, left samples
  // downwards below, above ones upwards. Missing samples above right repeat the
  // last one above.
  wire         wide = kind_i == WIDE;
  wire [63:0]  above_far = wide ? (near_i[3] ? above_i[127:64] : {8{above_i[63:56]}}) :
                           {8{near_i[3] ? above_i[63:56] : above_i[31:24]}};
  wire [31:0]  above_mid = wide || near_i[3] ? above_i[63:32] : {4{above_i[31:24]}};
  wire [199:0] raw = {above_far, above_mid, above_i[31:0], corner_i,
                      left_i[7:0], left_i[15:8], left_i[23:16], left_i[31:24],
                      left_i[39:32], left_i[47:40], left_i[55:48], left_i[63:56]};
  wire [215:0] ends = {raw[199:192], raw, raw[7:0]};  // the last samples once more
  reg  [199:0] line_d;
  reg  [199:0] line_q;
  reg  [1:0]   kind_q;
  reg  [3:0]   mode_q;
  reg  [1:0]   near_q;
  reg  [1:0]   word_q;
  integer      i;

  always @* begin
    line_d = raw;
    if (wide) begin
      for (i = 0; i < 25; i = i + 1) begin
        line_d[8*i +: 8] = tap(ends[8*i +: 8], ends[8*i + 8 +: 8], ends[8*i + 16 +: 8]);
      end
      line_d[8*7 +: 8] = tap(raw[8*6 +: 8], raw[8*7 +: 8], near_i[2] ? corner_i : raw[8*7 +: 8]);
      line_d[8*9 +: 8] = tap(near_i[2] ? corner_i : raw[8*9 +: 8], raw[8*9 +: 8], raw[8*10 +: 8]);
    end
  end

  always @(posedge clk_i) begin
    if (phase_i == 2'd2 && new_i) begin
      line_q <= line_d;
      kind_q <= kind_i;
      mode_q <= mode_i;
      near_q <= near_i[1:0];
    end
    if (phase_i == 2'd2) word_q <= word_i;
  end

  assign corner_o = line_q[71:64];

  // First step: three samples for each of the four, from index i - 1 on. Column
  // x, rows y to y + 3.
  wire [271:0] stretched = {48'd0, line_q[199:192], line_q, {2{line_q[7:0]}}};
  wire [1:0]   beat = phase_i + 2'd1;
  wire         eight = kind_q == WIDE;
  wire [2:0]   x = eight ? {word_q, beat[1]} : {1'b0, beat};
  wire         below = eight && beat[0];
  reg  [95:0]  pick;
  reg  [95:0]  pick_q;
  reg  [3:0]   two;     // a filter of two samples
  reg  [3:0]   two_q;
  reg          copy_q;  // no filter
  // Of the 25 samples the line is stretched to 32: its index wraps.
  /* verilator lint_off UNUSEDSIGNAL */
  reg  [5:0]   index;   // of the middle one, plus 9
  /* verilator lint_on UNUSEDSIGNAL */
  reg  [5:0]   z;
  reg  [5:0]   xx;
  reg  [5:0]   yy;
  integer      k;

  always @* begin
    xx = {3'd0, x};
    for (k = 0; k < 4; k = k + 1) begin
      yy     = {3'd0, below, k[1:0]};
      two[k] = 1'b0;
      z      = 6'd0;
      case (mode_q)
        4'd0: index = 6'd10 + xx;                                     // vertical
        4'd1: index = 6'd8 - yy;                                      // horizontal
        4'd3: index = 6'd11 + (xx + yy);                              // diagonal down left
        4'd4: index = 6'd9 + (xx - yy);                               // diagonal down right
        4'd5: begin                                                   // vertical right
          z      = (xx << 1) - yy;
          two[k] = !z[5] && !yy[0];
          index  = z[5] ? 6'd10 + z : 6'd9 + (xx - (yy >> 1));
        end
        4'd6: begin                                                   // horizontal down
          z      = (yy << 1) - xx;
          two[k] = !z[5] && !xx[0];
          index  = z[5] ? 6'd8 - z : (xx[0] ? 6'd9 : 6'd8) - ((z + {5'd0, xx[0]}) >> 1);
        end
        4'd7: begin                                                   // vertical left
          two[k] = !yy[0];
          index  = 6'd10 + (xx + (yy >> 1)) + {5'd0, yy[0]};
        end
        default: begin                                                // horizontal up
          z      = xx + (yy << 1);
          two[k] = !xx[0];
          index  = z[5:1] > 5'd6 ? 6'd0 : 6'd7 - (z >> 1);
        end
      endcase
      pick[24*k +: 24] = stretched[8*index[4:0] +: 24];
    end
  end

  // Sums for the mean of 4x4 and 8x8 blocks.
  wire [9:0]  sum_a = four(line_q[72 +: 32]);
  wire [9:0]  sum_b = four(line_q[104 +: 32]);
  wire [9:0]  sum_l = four(line_q[32 +: 32]);
  wire [9:0]  sum_m = four(line_q[0 +: 32]);
  reg  [10:0] above_q;
  reg  [10:0] left_q;
  reg  [1:0]  sides_q;
  reg         wide2_q;
  reg         mean_q;   // the mode
  reg         flat_q;   // the mode is DC or plane of a macroblock

  always @(posedge clk_i) begin
    pick_q <= pick;
    two_q  <= two;
    copy_q <= mode_q[3:1] == 3'd0;
    mean_q <= mode_q == 4'd2;
    flat_q <= kind_q == AC && mode_q[1];
    above_q <= {1'b0, sum_a} + (eight ? {1'b0, sum_b} : 11'd0);
    left_q  <= {1'b0, sum_l} + (eight ? {1'b0, sum_m} : 11'd0);
    sides_q <= near_q;
    wide2_q <= eight;
  end

  // Second step: filters, the mean, or the plane.
  wire [11:0] total = {1'b0, above_q & {11{sides_q[1]}}} + {1'b0, left_q & {11{sides_q[0]}}};
  // The fractions of rounded sums go nowhere; one side alone has 11 bits.
  /* verilator lint_off UNUSEDSIGNAL */
  wire [11:0] half  = total + (wide2_q ? 12'd4 : 12'd2);
  wire [11:0] full  = total + (wide2_q ? 12'd8 : 12'd4);
  reg  [7:0]  mean;
  reg  [31:0] shaped;
  reg  [8:0]  pair;
  /* verilator lint_on UNUSEDSIGNAL */

  always @* begin
    case (sides_q)
      2'd0: mean = 8'd128;
      2'd3: mean = wide2_q ? full[11:4] : full[10:3];
      default: mean = wide2_q ? half[10:3] : half[9:2];
    endcase
    for (k = 0; k < 4; k = k + 1) begin
      pair = {1'b0, pick_q[24*k + 8 +: 8]} + {1'b0, pick_q[24*k + 16 +: 8]} + 9'd1;
      shaped[8*k +: 8] = tap(pick_q[24*k +: 8], pick_q[24*k + 8 +: 8], pick_q[24*k + 16 +: 8]);
      if (two_q[k]) shaped[8*k +: 8] = pair[8:1];
      if (copy_q) shaped[8*k +: 8] = pick_q[24*k + 8 +: 8];
    end
  end

  // The plane at the first sample of the column, s16, in units of 1/32.
  wire signed [10:0] right_i = plane_i[`T264_PLANE_RIGHT];
  wire signed [10:0] down_i  = plane_i[`T264_PLANE_DOWN];
  reg         [1:0]  row_q;
  reg  signed [15:0] base_q;
  reg  signed [15:0] value_q;
  reg  signed [10:0] right_q;
  reg  signed [10:0] down_q;
  wire signed [12:0] over    = {{2{right_i[10]}}, right_i} & {13{block_i[0]}};
  wire signed [12:0] over2   = {{1{right_i[10]}}, right_i, 1'b0} & {13{block_i[2]}};
  wire signed [12:0] under   = {{2{down_i[10]}}, down_i} & {13{row_q[0]}};
  wire signed [12:0] under2  = {{1{down_i[10]}}, down_i, 1'b0} & {13{row_q[1]}};
  wire signed [12:0] across  = over + over2;    // columns of blocks times right
  wire signed [12:0] along   = under + under2;  // rows of blocks times down
  // The fraction of a rounded value goes nowhere.
  /* verilator lint_off UNUSEDSIGNAL */
  reg  signed [15:0] value;
  /* verilator lint_on UNUSEDSIGNAL */
  reg         [31:0] plane;

  always @(posedge clk_i) begin
    base_q <= $signed(plane_i[`T264_PLANE_FIRST]) + {across[12], across, 2'd0};
    row_q  <= {block_i[3], block_i[1]};
    if (phase_i == 2'd3) begin
      value_q <= base_q + {along[12], along, 2'd0};
      right_q <= right_i;
      down_q  <= down_i;
    end else value_q <= value_q + {{5{right_q[10]}}, right_q};
  end

  always @* begin
    for (k = 0; k < 4; k = k + 1) begin
      value = value_q + (k[0] ? {{5{down_q[10]}}, down_q} : 16'd0) +
              (k[1] ? {{4{down_q[10]}}, down_q, 1'b0} : 16'd0);
      plane[8*k +: 8] = value[12:5];
      if (value[14:13] != 2'd0) plane[8*k +: 8] = 8'd255;
      if (value[15]) plane[8*k +: 8] = 8'd0;
    end
  end

  always @(posedge clk_i) begin
    pred_o <= flat_q ? plane : mean_q ? {4{mean}} : shaped;
  end

endmodule

`default_nettype wire
