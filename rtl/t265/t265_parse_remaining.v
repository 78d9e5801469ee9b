// Takes bins of coeff_abs_level_remaining (H.265 clause 9.3.3.11), up to Bypass a cycle.
// Several are the first ones of a level, and none of them is beyond its end: one of
// prefix and cRiceParam of suffix at most. Where they begin with a one, the next bin
// alone is sure to be of the same level.
//
// Mirror:     t265/hwdec/residual.go
// Latency:    1 to the remainder
// Throughput: 1 request a cycle
// Storage:    29 bits

`default_nettype none

module t265_parse_remaining #(
  parameter Bypass = 4  // bypass bins a cycle, 1..4
) (
  input  wire        clk_i,
  input  wire        begin_i,     // a level comes: group_i bins of it are asked for
  input  wire [2:0]  group_i,
  input  wire        prefix_i,    // the bins are of a prefix,
  input  wire        suffix_i,    // or of a suffix
  input  wire        step_i,
  input  wire [Bypass-1:0] bins_i,
  input  wire [2:0]  rice_i,
  output wire        several_o, // more than one bin, and the first is a one
  output wire        done_o,      // a zero, or the bins of a suffix, end the level
  output wire        all_o,       // the bins are ones, but not the last of the prefix
  output wire [2:0]  count_o,     // bins to ask for, if not at its end, after a first zero
  output wire        zero_o,      // the first one is a zero
  output wire        big_o,       // the prefix is above 3
  output wire [15:0] a_o
);

  localparam [31:0] BYPASS32 = Bypass;
  localparam [2:0]  MOST     = BYPASS32[2:0];

  reg [4:0]  ones_q;   // of the prefix
  reg [2:0]  group_q;  // bins of this request
  reg [4:0]  need_q;   // bins of the suffix to come
  reg [15:0] a_q;

  // The bins, the first one in bit 3, and behind it what is not there.
  wire [3:0] raw    = {{(4 - Bypass) {1'b0}}, bins_i};
  wire [3:0] bins   = raw << (3'd4 - group_q);
  wire [2:0] behind = group_q - 3'd1;
  wire       single = behind == 3'd0;
  wire       above3 = ones_q > 5'd3;
  wire [4:0] need0  = (above3 ? ones_q - 5'd3 : 5'd0) + {2'd0, rice_i} - {2'd0, behind};
  wire [4:0] need1  = need_q - {2'd0, group_q};
  wire [4:0] need   = prefix_i ? need0 : need1;

  // Ones at the start, 1..3 unless all are.
  wire [2:0] start = !bins[2] ? 3'd1 : !bins[1] ? 3'd2 : !bins[0] ? 3'd3 : 3'd4;
  wire       every = start >= group_q;
  wire [2:0] got   = behind - start;
  wire [1:0] low   = got == 3'd2 ? bins[1:0] :
                     got == 3'd1 ? {1'b0, group_q[2] ? bins[0] : bins[1]} : 2'd0;
  wire       last  = ones_q == 5'd19;

  assign zero_o      = !bins[3];
  assign several_o = prefix_i && !single && bins[3];
  assign done_o      = (suffix_i || prefix_i && !bins[3]) && need == 5'd0;
  assign all_o       = every && !last;
  assign count_o     = need < {2'd0, MOST} ? need[2:0] : MOST;
  assign big_o       = above3;
  assign a_o         = a_q;

  always @(posedge clk_i) begin
    if (step_i && suffix_i) a_q <= a_q << group_q | {12'd0, raw};
    if (step_i && prefix_i) begin
      if (!bins[3]) a_q <= above3 ? 16'd1 : single ? {11'd0, ones_q} : {12'd0, raw};
      else if (every) a_q <= 16'd1;
      else a_q <= {11'd0, {2'd0, start} << got} | {14'd0, low};
    end
    if (begin_i) begin
      ones_q  <= 5'd0;
      group_q <= group_i;
    end else if (step_i && (prefix_i || suffix_i)) begin
      if (prefix_i && bins[3]) ones_q <= ones_q + {2'd0, every ? group_q : start};
      group_q <= prefix_i && bins[3] ? 3'd1 : count_o;
    end
    if (step_i && prefix_i && bins[3])
      need_q <= (every ? 5'd17 : 5'd0) + {2'd0, rice_i} - (every ? 5'd0 : {2'd0, got});
    else if (step_i) need_q <= need;
  end

endmodule

`default_nettype wire
