// Intra prediction of blocks of 4x4 to MaxTU (clauses 8.4.4.2.3 to 8.4.4.2.6), eight
// samples a cycle: a row of an 8x8 block, half a row of a 16x16 block, two rows of a 4x4
// block. References are filtered for the planar mode of 8x8 and 16x16 blocks.
//
// The first stage picks the references of a beat, filters them, and sums up those of the
// DC mode; the second stage predicts. Both take a step while step_i is high.
//
// Mirror:     t265/hwenc/predict.go
// Latency:    2
// Throughput: 8 samples a cycle
// Storage:    233 bits

`default_nettype none

module t265_intra #(
  parameter MaxTU = 16,  // largest block, 8 or 16
  parameter MinTU = 4    // smallest block, 4 or 8
) (
  input  wire                clk_i,
  input  wire                step_i,
  input  wire [1:0]          mode_i,    // DC, planar, vertical, horizontal
  input  wire [1:0]          log2_i,    // of the size, less 2
  input  wire [4:0]          beat_i,
  input  wire [8*MaxTU+15:0] above_i,   // as t265_window has them
  input  wire [8*MaxTU+15:0] left_i,
  input  wire [7:0]          corner_i,
  output reg  [63:0]         pred_o
);

  localparam [1:0] PLANAR     = 2'd1;
  localparam [1:0] VERTICAL   = 2'd2;
  localparam [1:0] HORIZONTAL = 2'd3;

  // The fraction of a rounded sum goes nowhere.
  /* verilator lint_off UNUSEDSIGNAL */
  function [7:0] tap(input [7:0] a, input [7:0] b, input [7:0] c);
    reg [9:0] sum;
    begin
      sum = ({2'd0, a} + {2'd0, c}) + ({1'b0, b, 1'b0} + 10'd2);
      tap = sum[9:2];
    end
  endfunction

  function [7:0] quarter(input [8:0] twice, input [7:0] a, input [7:0] b);
    reg [9:0] sum;
    begin
      sum = ({2'd0, a} + {2'd0, b}) + ({1'b0, twice} + 10'd2);
      quarter = sum[9:2];
    end
  endfunction

  // base plus half of the difference of edge and corner, limited.
  function [7:0] lean(input [7:0] base, input [7:0] edge_of, input [7:0] corner);
    reg [8:0] diff;
    reg [9:0] sum;
    begin
      diff = {1'b0, edge_of} - {1'b0, corner};
      sum  = {2'd0, base} + {{2{diff[8]}}, diff[8:1]};
      lean = sum[9] ? 8'd0 : sum[8] ? 8'd255 : sum[7:0];
    end
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  function [9:0] sum4(input [31:0] s);
    sum4 = ({2'd0, s[7:0]} + {2'd0, s[15:8]}) + ({2'd0, s[23:16]} + {2'd0, s[31:24]});
  endfunction

  // References of the beat.
  wire         four    = MinTU == 4 && log2_i == 2'd0;
  wire         sixteen = MaxTU == 16 && log2_i[1];
  wire         filter  = mode_i == PLANAR && !four;
  wire         right   = sixteen && beat_i[0];  // half of a row
  wire [3:0]   y       = four ? {2'd0, beat_i[0], 1'b0} :
                         sixteen ? beat_i[4:1] : {1'b0, beat_i[2:0]};
  wire [151:0] row;      // from the corner on
  wire [151:0] column;
  wire [79:0]  near;     // of the row, from the one before
  wire [23:0]  beside;   // of the column
  reg  [63:0]  above;
  wire [23:0]  far_row;  // around the sample behind the block
  wire [23:0]  far_column;
  integer      i;

  assign near       = right ? row[143:64] : row[79:0];
  assign beside     = column[8*y +: 24];
  assign far_row    = sixteen ? row[151:128] : row[87:64];
  assign far_column = sixteen ? column[151:128] : column[87:64];

  generate
    if (MaxTU == 16) begin : gen_wide
      assign row    = {above_i, corner_i};
      assign column = {left_i, corner_i};
    end else begin : gen_narrow
      assign row    = {64'd0, above_i, corner_i};
      assign column = {64'd0, left_i, corner_i};
    end
  endgenerate

  wire [7:0] left       = filter ? tap(beside[7:0], beside[15:8], beside[23:16]) : beside[15:8];
  wire [7:0] end_row    = filter ? tap(far_row[7:0], far_row[15:8], far_row[23:16]) :
                          far_row[15:8];
  wire [7:0] end_column = filter ? tap(far_column[7:0], far_column[15:8], far_column[23:16]) :
                          far_column[15:8];

  always @* begin
    for (i = 0; i < 8; i = i + 1) begin
      above[8*i +: 8] = near[8*i+8 +: 8];
      if (filter) above[8*i +: 8] = tap(near[8*i +: 8], near[8*i+8 +: 8], near[8*i+16 +: 8]);
    end
    if (four) above[63:32] = near[39:8];
  end

  reg [1:0]  mode_q;
  reg        four_q;
  reg        sixteen_q;
  reg        right_q;
  reg [3:0]  y_q;
  reg [63:0] above_q;
  reg [7:0]  left_q;
  reg [7:0]  next_q;    // of the lower row of a 4x4 block
  reg [7:0]  corner_q;
  reg [8:0]  low_q;     // steps across the upper row, s9
  reg [8:0]  high_q;    // and the lower one
  reg [7:0]  far_column_q;
  reg [12:0] lower_q;   // its share in the upper row
  reg [10:0] first_q;   // sums for the DC mode: of the first four on either side
  reg [10:0] second_q;  // of the next four

  always @(posedge clk_i) begin
    if (step_i) begin
      mode_q    <= mode_i;
      four_q    <= four;
      sixteen_q <= sixteen;
      right_q   <= right;
      y_q       <= y;
      above_q   <= above;
      corner_q  <= corner_i;
      first_q   <= {1'b0, sum4(row[39:8])} + {1'b0, sum4(column[39:8])};
      second_q  <= {1'b0, sum4(row[71:40])} + {1'b0, sum4(column[71:40])};
      left_q       <= left;
      next_q       <= beside[23:16];
      low_q        <= {1'b0, end_row} - {1'b0, left};
      high_q       <= {1'b0, end_row} - {1'b0, four ? beside[23:16] : left};
      far_column_q <= end_column;
      lower_q      <= {5'd0, end_column} * {8'd0, {1'b0, y} + 5'd1};
    end
  end

  // Of those behind the first eight.
  wire [12:0] others;

  generate
    if (MaxTU == 16) begin : gen_others
      reg [11:0] others_q;

      always @(posedge clk_i) begin
        if (step_i) begin
          others_q <= ({2'd0, sum4(row[103:72])} + {2'd0, sum4(row[135:104])})
                    + ({2'd0, sum4(column[103:72])} + {2'd0, sum4(column[135:104])});
        end
      end

      assign others = sixteen_q ? {1'b0, others_q} : 13'd0;
    end else begin : gen_none
      assign others = 13'd0;
    end
  endgenerate

  // Planar: what the lanes of a group of four have in common, then a lane. A sum is
  // below 2^13.
  wire [7:0]  left_high = four_q ? next_q : left_q;
  wire [3:0]  rest      = ~y_q & {sixteen_q, !four_q, 2'b11};  // rows below
  wire [3:0]  rest_high = four_q ? {2'd0, rest[1], 1'b0} : rest;
  wire [12:0] step_low  = {{4{low_q[8]}}, low_q};
  wire [12:0] step_high = {{4{high_q[8]}}, high_q};
  wire [12:0] round     = sixteen_q ? 13'd16 : four_q ? 13'd4 : 13'd8;
  wire [12:0] wide      = sixteen_q ? {1'b0, left_q, 4'd0} : {2'd0, left_q, 3'd0};
  wire [12:0] start_low = four_q ? {3'd0, left_q, 2'd0} : wide;
  wire [12:0] next_row  = {3'd0, next_q, 2'd0} + {5'd0, far_column_q};
  wire [12:0] start     = four_q ? next_row : wide;
  wire [12:0] eighth    = right_q ? {step_low[9:0], 3'd0} : 13'd0;
  wire [12:0] fourth    = four_q ? 13'd0 : {step_low[10:0], 2'd0};
  wire [12:0] base_low  = lower_q + round + start_low + eighth;
  wire [12:0] base_high = lower_q + round + start + eighth + fourth;
  wire [12:0] three_low  = step_low + {step_low[11:0], 1'b0};
  wire [12:0] three_high = step_high + {step_high[11:0], 1'b0};
  // The fraction goes nowhere.
  /* verilator lint_off UNUSEDSIGNAL */
  wire [12:0] total = {2'd0, first_q} + (four_q ? 13'd0 : {2'd0, second_q})
                    + others + round;
  /* verilator lint_on UNUSEDSIGNAL */
  wire [7:0]  dc    = sixteen_q ? total[12:5] : four_q ? total[10:3] : total[11:4];
  wire [8:0]  twice = {dc, 1'b0};
  wire        top   = y_q == 4'd0;
  reg  [12:0] across;
  // The fraction goes nowhere.
  /* verilator lint_off UNUSEDSIGNAL */
  reg  [12:0] sum;
  /* verilator lint_on UNUSEDSIGNAL */
  reg  [7:0]  side;
  reg  [7:0]  over;
  reg         on_top;
  reg         on_left;
  reg  [63:0] pred;
  integer     k;

  always @* begin
    for (k = 0; k < 8; k = k + 1) begin
      over    = above_q[8*k +: 8];
      side    = k < 4 ? left_q : left_high;
      on_top  = top && (k < 4 || !four_q);
      on_left = !right_q && (k == 0 || k == 4 && four_q);
      case (k % 4)
        0: across = k < 4 ? step_low : step_high;
        1: across = k < 4 ? {step_low[11:0], 1'b0} : {step_high[11:0], 1'b0};
        2: across = k < 4 ? three_low : three_high;
        default: across = k < 4 ? {step_low[10:0], 2'd0} : {step_high[10:0], 2'd0};
      endcase
      sum = ((k < 4 ? base_low : base_high) + across)
          + {5'd0, over} * {9'd0, k < 4 ? rest : rest_high};
      case (mode_q)
        PLANAR: pred[8*k +: 8] = sixteen_q ? sum[12:5] : four_q ? sum[10:3] : sum[11:4];
        VERTICAL: pred[8*k +: 8] = on_left ? lean(over, side, corner_q) : over;
        HORIZONTAL: pred[8*k +: 8] = on_top ? lean(side, over, corner_q) : side;
        default: pred[8*k +: 8] = quarter(twice, on_top ? over : dc, on_left ? side : dc);
      endcase
    end
  end

  always @(posedge clk_i) begin
    if (step_i) pred_o <= pred;
  end

endmodule

`default_nettype wire
