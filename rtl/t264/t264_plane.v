// Prediction of I_16x16 macroblocks in modes DC and plane (clauses 8.3.3.3 and
// 8.3.3.4) as a plane: value of its first sample, in units of 1/32 and rounded,
// and steps to the right and down. It takes four reference samples above in each
// phase of a slot, and four to the left a cycle earlier.
//
// Mirror:     t264/hwdec/pixels.go
// Latency:    9, from phase 0
// Throughput: 1 macroblock a slot
// Storage:    236 bits

`default_nettype none
`include "t264_dec_words.vh"

module t264_plane (
  input  wire                        clk_i,
  input  wire [1:0]                  phase_i,
  input  wire [31:0]                 above_i,     // word i in phase i
  input  wire [31:0]                 left_i,      // word i in phase i - 1
  input  wire [7:0]                  corner_i,    // in phases 0 and 1 of the next slot
  input  wire                        by_above_i,  // available, in phase 1 of the next slot
  input  wire                        by_left_i,
  input  wire                        plane_i,     // the mode, in phase 1 of the slot after it
  output wire [`T264_PLANE_BITS-1:0] plane_o      // in that phase
);

  // Sum of four samples with 10 bits, and of their index times them with 11.
  function [20:0] weigh(input [31:0] s);
    reg [9:0]  sum;
    reg [10:0] by;
    begin
      sum   = ({2'd0, s[7:0]} + {2'd0, s[15:8]}) + ({2'd0, s[23:16]} + {2'd0, s[31:24]});
      by    = ({3'd0, s[15:8]} + {2'd0, s[23:16], 1'b0}) +
              ({3'd0, s[31:24]} + {2'd0, s[31:24], 1'b0});
      weigh = {by, sum};
    end
  endfunction

  // Sums over a side: of the samples, and of i * sample i, i = 0..15. In word w
  // the samples count 4 * w times more.
  reg  [20:0] above_q;
  reg  [20:0] left_q;
  reg  [11:0] above_sum_q;  // there in phase 1
  reg  [14:0] above_by_q;
  reg  [11:0] left_sum_q;   // there in phase 0
  reg  [14:0] left_by_q;
  reg  [11:0] left_all_q;
  wire [1:0]  above_word = phase_i - 2'd1;
  wire [13:0] above_far  = {1'b0, above_q[9:0] & {10{above_word[1]}}, 3'd0} +
                           {2'd0, above_q[9:0] & {10{above_word[0]}}, 2'd0};
  wire [13:0] left_far   = {1'b0, left_q[9:0] & {10{phase_i[1]}}, 3'd0} +
                           {2'd0, left_q[9:0] & {10{phase_i[0]}}, 2'd0};

  always @(posedge clk_i) begin
    above_q     <= weigh(above_i);
    left_q      <= weigh(left_i);
    above_sum_q <= (above_word == 2'd0 ? 12'd0 : above_sum_q) + {2'd0, above_q[9:0]};
    above_by_q  <= (above_word == 2'd0 ? 15'd0 : above_by_q) +
                   ({1'b0, above_far} + {4'd0, above_q[20:10]});
    left_sum_q  <= (phase_i == 2'd0 ? 12'd0 : left_sum_q) + {2'd0, left_q[9:0]};
    left_by_q   <= (phase_i == 2'd0 ? 15'd0 : left_by_q) +
                   ({1'b0, left_far} + {4'd0, left_q[20:10]});
    left_all_q  <= left_sum_q;
  end

  // V of the standard in phase 0, H in phase 1: the sum of (i - 7) * sample i
  // less 8 corners. Then c and b.
  wire        [11:0] side    = phase_i[0] ? above_sum_q : left_sum_q;
  wire        [14:0] side_by = phase_i[0] ? above_by_q : left_by_q;
  wire        [14:0] more    = side_by + {3'd0, side};
  wire        [11:0] less    = side + {4'd0, corner_i};
  reg  signed [14:0] slope_q;  // -9180..9180
  wire signed [16:0] five    = {{2{slope_q[14]}}, slope_q} + {slope_q, 2'd0};
  // The fraction of a rounded sum goes nowhere.
  /* verilator lint_off UNUSEDSIGNAL */
  wire signed [16:0] rounded = five + 17'sd32;
  /* verilator lint_on UNUSEDSIGNAL */
  reg  signed [10:0] step_q;   // c in phase 2, b in phase 3
  reg  signed [10:0] down_q;
  reg  signed [10:0] right_q;
  reg  signed [11:0] both_q;
  reg         [7:0]  low_q;    // the last sample to the left
  reg         [8:0]  ends_q;   // with the last one above
  reg         [8:0]  ends2_q;
  reg         [15:0] first_q;

  always @(posedge clk_i) begin
    slope_q <= more - {less, 3'd0};
    step_q  <= rounded[16:6];
    first_q <= {3'd0, ends2_q, 4'd0} + 16'd16 + {{4{both_q[11]}}, both_q} -
               {both_q[11], both_q, 3'd0};
    if (phase_i == 2'd2) begin
      low_q   <= left_i[31:24];
      down_q  <= step_q;
      ends2_q <= ends_q;
    end
    if (phase_i == 2'd3) begin
      ends_q  <= {1'b0, above_i[31:24]} + {1'b0, low_q};
      right_q <= step_q;
      both_q  <= {step_q[10], step_q} + {down_q[10], down_q};
    end
  end

  // Mean of the samples there are.
  reg  [12:0] total_q;
  reg  [1:0]  sides_q;
  // The fraction of a rounded sum goes nowhere.
  /* verilator lint_off UNUSEDSIGNAL */
  wire [12:0] half = total_q + 13'd8;
  wire [12:0] full = total_q + 13'd16;
  /* verilator lint_on UNUSEDSIGNAL */
  reg  [7:0]  dc;

  always @(posedge clk_i) begin
    if (phase_i == 2'd1) begin
      total_q <= {1'b0, left_all_q & {12{by_left_i}}} + {1'b0, above_sum_q & {12{by_above_i}}};
      sides_q <= {by_above_i, by_left_i};
    end
  end

  always @* begin
    case (sides_q)
      2'd0: dc = 8'd128;
      2'd3: dc = full[12:5];
      default: dc = half[11:4];
    endcase
  end

  // Without slopes any fraction will do.
  assign plane_o[`T264_PLANE_FIRST] = plane_i ? first_q : {3'd0, dc, first_q[4:0]};
  assign plane_o[`T264_PLANE_RIGHT] = plane_i ? right_q : 11'd0;
  assign plane_o[`T264_PLANE_DOWN]  = plane_i ? down_q : 11'd0;

endmodule

`default_nettype wire
