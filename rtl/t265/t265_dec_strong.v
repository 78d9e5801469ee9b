// Strong smoothing of the references of a block of 32x32 (clause 8.4.4.2.3): when all have
// come and lie close to two straight lines, from the corner to either end, they go by a
// second time, as beats of samples on these lines.
//
// Mirror:     t265/hwdec/predict.go
// Latency:    2 from the last beat to the first one of the second turn
// Throughput: a beat a cycle
// Storage:    73 bits

`default_nettype none

module t265_dec_strong (
  input  wire        clk_i,
  input  wire        rst_i,
  input  wire        begin_i,    // the first beat of a block comes
  input  wire [7:0]  corner_i,   // with it
  input  wire        leave_i,    // a beat leaves
  input  wire [3:0]  at_i,       // its number
  input  wire [7:0]  main_i,     // its last sample of main
  input  wire [7:0]  side_i,
  input  wire        decide_i,   // the last beat comes of a block that may have a second turn
  output wire        decides_o,  // it is there
  output wire        smooth_o,   // and has one
  output wire        turns_o,    // a beat of the second turn comes
  output wire        turned_o,   // one came last
  output wire [7:0]  corner_o,
  output wire [31:0] main_o,
  output wire [31:0] side_o
);

  reg        decides_q;
  reg        turns_q;
  reg        turned_q;
  reg [7:0]  corner_q;
  reg [7:0]  mid_main_q;
  reg [7:0]  mid_side_q;
  reg [8:0]  step_main_q;  // from the corner to the end, s9
  reg [8:0]  step_side_q;
  reg [13:0] main_q;       // 64 times the sample before the next beat
  reg [13:0] side_q;

  // Straight within eight: corner plus end less twice the sample in the middle.
  function straight(input [7:0] corner, input [7:0] mid, input [7:0] last);
    reg [9:0] off;
    begin
      off = {2'd0, corner} + {2'd0, last} - {1'b0, mid, 1'b0};
      straight = off[9:3] == 7'd0 || off[9:3] == 7'd127 && off[2:0] != 3'd0;
    end
  endfunction

  wire ends = at_i == 4'd14;  // the last but one is in the first stage

  assign decides_o = decides_q;
  assign smooth_o  = straight(corner_q, mid_main_q, main_i)
                  && straight(corner_q, mid_side_q, side_i);
  assign turns_o   = turns_q;
  assign turned_o  = turned_q;
  assign corner_o  = corner_q;

  always @(posedge clk_i) begin
    if (rst_i) begin
      decides_q <= 1'b0;
      turns_q   <= 1'b0;
    end else begin
      decides_q <= decide_i;
      turns_q   <= turns_q ? !ends : decides_q && smooth_o;
    end
  end

  always @(posedge clk_i) begin
    turned_q <= turns_q || turned_q && !begin_i;
    if (begin_i) corner_q <= corner_i;
    if (leave_i && at_i == 4'd7) begin
      mid_main_q <= main_i;
      mid_side_q <= side_i;
    end
  end

  // Four samples of either side, and what is behind them.
  wire [17:0] steps = {step_side_q, step_main_q};
  wire [27:0] bases = {side_q, main_q};
  reg  [27:0] ahead;
  reg  [63:0] samples;
  integer     k;

  // The fraction of a sum goes nowhere.
  /* verilator lint_off UNUSEDSIGNAL */
  reg [13:0] step;
  reg [13:0] base;
  reg [13:0] sum1;
  reg [13:0] sum2;
  reg [13:0] sum3;
  /* verilator lint_on UNUSEDSIGNAL */

  always @* begin
    for (k = 0; k < 2; k = k + 1) begin
      step = {{5{steps[9*k+8]}}, steps[9*k +: 9]};
      base = bases[14*k +: 14];
      sum1 = base + step;
      sum2 = base + {step[12:0], 1'b0};
      sum3 = sum1 + {step[12:0], 1'b0};
      ahead[14*k +: 14]   = base + {step[11:0], 2'd0};
      samples[32*k +: 32] = {ahead[14*k+6 +: 8], sum3[13:6], sum2[13:6], sum1[13:6]};
    end
  end

  assign main_o = samples[31:0];
  assign side_o = samples[63:32];

  always @(posedge clk_i) begin
    if (decides_q) begin
      step_main_q <= {1'b0, main_i} - {1'b0, corner_q};
      step_side_q <= {1'b0, side_i} - {1'b0, corner_q};
      main_q      <= {corner_q, 6'd32};
      side_q      <= {corner_q, 6'd32};
    end else begin
      main_q <= ahead[13:0];
      side_q <= ahead[27:14];
    end
  end

endmodule

`default_nettype wire
