// Takes bins of coeff_abs_level_remaining (H.265 clause 9.3.3.11), up to Bypass a cycle.
// Several are the first ones of a level, and none of them is beyond its end: one of
// prefix and cRiceParam of suffix at most. Where they begin with a one, the next bin
// alone is sure to be of the same level; what they are is found in the cycle of that one.
//
// Mirror:     t265/hwdec/residual.go
// Latency:    1 to the remainder
// Throughput: 1 request a cycle
// Storage:    32 bits

`default_nettype none

module t265_parse_remaining #(
  parameter Bypass = 4  // bypass bins a cycle, 1..4
) (
  input  wire        clk_i,
  input  wire        begin_i,     // a level comes: group_i bins of it are asked for
  input  wire [2:0]  group_i,
  input  wire        prefix_i,    // the bins are the first ones, or of a prefix,
  input  wire        suffix_i,    // or of a suffix
  input  wire        step_i,
  input  wire [Bypass-1:0] bins_i,
  input  wire [2:0]  rice_i,
  output wire        several_o,   // more than one bin, and the first is a one
  output wire        done_o,      // the level is complete
  output wire        rest_o,      // or the bins of a suffix follow
  output wire        prefix_o,    // the bins begin with one of the prefix
  output wire [2:0]  count_o,     // bins of the suffix to ask for
  output wire        big_o,       // the prefix is above 3
  output wire [15:0] a_o
);

  localparam [31:0] BYPASS32 = Bypass;
  localparam [2:0]  MOST     = BYPASS32[2:0];

  reg [4:0]  ones_q;    // of the prefix
  reg [2:0]  group_q;   // bins of this request
  reg [4:0]  need_q;    // bins of the suffix to come
  reg [15:0] a_q;
  reg        mixed_q;   // a_q holds the first bins, which begin with a one,
  reg [1:0]  behind_q;  // and so many more

  // What the first bins are: a prefix that goes on, or bins of a suffix behind one.
  reg        all;
  reg  [1:0] ahead;  // ones of the prefix
  reg  [2:0] start;

  always @* begin
    case (behind_q)
      2'd1: begin
        all   = a_q[0];
        ahead = 2'd1;
        start = 3'd1;
      end
      2'd2: begin
        all   = &a_q[1:0];
        ahead = {a_q[1], !a_q[1]};
        start = a_q[1] ? 3'd2 : {2'b01, a_q[0]};
      end
      default: begin
        all   = &a_q[2:0];
        ahead = !a_q[2] ? 2'd1 : a_q[1] ? 2'd3 : 2'd2;
        start = !a_q[2] ? {1'b1, a_q[1:0]} : a_q[1] ? 3'd3 : {2'b10, a_q[0]};
      end
    endcase
  end

  wire        pre    = prefix_i && (!mixed_q || all);
  wire        suf    = suffix_i || prefix_i && mixed_q && !all;
  wire [4:0]  ones   = mixed_q && all ? {3'd0, behind_q} + 5'd1 : ones_q;
  wire [15:0] a      = mixed_q ? {13'd0, start} : a_q;

  // The bins, and the first one of them.
  wire [15:0] raw    = {{(16 - Bypass) {1'b0}}, bins_i};
  wire [3:0]  bins   = raw[3:0];
  wire [2:0]  behind = group_q - 3'd1;
  wire        first  = bins[behind[1:0]];
  wire        single = behind == 3'd0;
  wire        above3 = |ones[4:2];
  wire        last   = ones == 5'd19;

  wire [4:0]  need0  = (above3 ? ones - 5'd3 : 5'd0) + {2'd0, rice_i} - {2'd0, behind};
  wire [4:0]  need1  = need_q + (mixed_q ? {3'd0, ahead} : 5'd0) - {2'd0, group_q};
  wire [4:0]  need   = pre ? need0 : need1;

  assign several_o = pre && !single && first;
  assign done_o    = (suf || pre && !first) && need == 5'd0;
  assign rest_o    = suf || !first || single && last;
  assign prefix_o  = pre;
  assign count_o   = need < {2'd0, MOST} ? need[2:0] : MOST;
  assign big_o     = above3;
  assign a_o       = a_q;

  always @(posedge clk_i) begin
    if (step_i && suf) a_q <= a << group_q | raw;
    else if (step_i && pre) a_q <= above3 ? 16'd1 : single ? {11'd0, ones} : raw;
    if (begin_i) begin
      ones_q  <= 5'd0;
      group_q <= group_i;
      mixed_q <= 1'b0;
    end else if (step_i && (pre || suf)) begin
      if (pre && single) ones_q <= ones + {4'd0, first};
      group_q <= pre && first ? 3'd1 : count_o;
      mixed_q <= Bypass != 1 && several_o;
    end
    if (step_i && prefix_i) behind_q <= behind[1:0];
    if (step_i) need_q <= pre && first && single ? 5'd17 + {2'd0, rice_i} : need;
  end

endmodule

`default_nettype wire
