// Groups of bypass bins for the suffix of coeff_abs_level_minus1, Exp-Golomb of
// order 0, and the sign behind it (H.264 clause 9.3.2.3): bins - 1 ones and a zero,
// then bins - 1 bits of the magnitude below its top bit, and the sign. Each of the
// two parts goes in groups of Bypass from its end on; both in one where they fit.
//
// Mirror:     t264/hwenc/residual.go
// Latency:    0
// Throughput: 1 group a cycle
// Storage:    5 bits

`default_nettype none

module t264_residual_suffix #(
  parameter Bypass = 4  // bins in a group
) (
  input  wire        clk_i,
  input  wire        step_i,    // an operation leaves
  input  wire        first_i,   // the next one is the first of a part
  input  wire [12:0] mag_i,     // magnitude less 14
  input  wire        sign_i,
  output wire        merged_o,  // one group holds both parts
  output wire        end_o,     // the group is the last one of its part
  output wire [2:0]  count_o,   // bins of the group
  output reg  [6:0]  prefix_o,  // group of the first part, or of both
  output wire [6:0]  suffix_o   // group of the second part
);

  localparam [31:0] BYPASS32 = Bypass;
  localparam [3:0]  BYPASS4  = BYPASS32[3:0];
  localparam [4:0]  BYPASS5  = BYPASS32[4:0];
  localparam [6:0]  GROUP    = ~(7'h7f << Bypass);  // all bins of a group

  reg         first_q;
  reg  [3:0]  group_q;
  reg  [3:0]  bins;   // of a part, 1..13
  reg  [12:0] below;  // the magnitude without its top bit
  reg  [3:0]  group;  // from the end
  reg  [3:0]  count;
  integer     i;

  wire [20:0] tail   = {7'd0, below, sign_i};
  wire [6:0]  suffix = tail[{1'b0, group * BYPASS4} +: 7];
  wire [6:0]  ones   = ~(7'h7f << count);

  assign merged_o = {bins, 1'b0} <= BYPASS5;
  assign end_o    = group == 4'd0;
  assign count_o  = merged_o ? {bins[1:0], 1'b0} : count[2:0];
  assign suffix_o = suffix & GROUP;

  always @* begin
    bins  = 4'd1;
    below = mag_i;
    for (i = 0; i < 13; i = i + 1) begin
      if (mag_i[i]) bins = i[3:0] + 4'd1;
    end
    for (i = 0; i < 13; i = i + 1) begin
      if (bins == i[3:0] + 4'd1) below[i] = 1'b0;
    end
  end

  always @* begin
    group = group_q;
    count = BYPASS4;
    if (first_q) begin
      group = 4'd0;
      count = bins;
      for (i = 1; i < 13; i = i + 1) begin
        if ({28'd0, bins} > i * Bypass) begin
          group = i[3:0];
          count = bins - i[3:0] * BYPASS4;
        end
      end
    end
  end

  always @* begin
    prefix_o = ones & {6'h3f, !end_o};
    if (merged_o) begin
      case (bins[1:0])
        2'd1: prefix_o = {6'd0, suffix[0]};
        2'd2: prefix_o = {5'b00010, suffix[1:0]};
        default: prefix_o = {4'b0110, suffix[2:0]};
      endcase
    end
  end

  always @(posedge clk_i) begin
    if (step_i) begin
      first_q <= first_i;
      group_q <= group - 4'd1;
    end
  end

endmodule

`default_nettype wire
