// Inverse DCT of vectors of 8 and 16 points (clause 8.6.4.2), a stage of two: eight
// values a cycle in and out, rounded and limited.
//
// A part of a vector is 0 none, 1 all 8 points, 2 and 3 the halves of 16 points in
// consecutive steps: coefficients 0 to 7, then 14, 15, 12, 13, 10, 11, 8 and 9. Values
// 0 to 7 leave first. A vector of 8 points leaves behind the register of the second
// beat. leave_o is 3 for the first beat of 16 points, 1 or 3 for the others.
//
// Mirror:     t265/hwenc/transform.go
// Latency:    3 steps; 2 with MaxTU 8
// Throughput: 8 values a step
// Storage:    730 + 8 * Width bits; with MaxTU 8 470

`default_nettype none

module t265_idct #(
  parameter MaxTU = 16,  // longest vector, 8 or 16
  parameter Shift = 7,   // of the sums
  parameter Width = 16   // of a value that leaves
) (
  input  wire              clk_i,
  input  wire              rst_i,
  input  wire              en_i,      // a step
  input  wire [1:0]        part_i,
  input  wire [127:0]      values_i,  // s16
  output wire [1:0]        leave_o,
  output wire [8*Width-1:0] beat_o
);

  localparam       SUM    = 25;
  localparam       ALL    = 26;
  localparam       LIMIT  = ALL - Shift;
  localparam [1:0] NONE   = 2'd0;
  localparam [1:0] FIRST  = 2'd2;
  localparam [1:0] SECOND = 2'd3;

  // limited returns a value of LIMIT bits in Width.
  function [Width-1:0] limited(input [LIMIT-1:0] v);
    limited = v[LIMIT-1:Width-1] == {(LIMIT - Width + 1) {v[LIMIT-1]}}
            ? v[Width-1:0] : {v[LIMIT-1], {(Width - 1) {!v[LIMIT-1]}}};
  endfunction

  reg  [1:0]   part_q;
  reg  [1:0]   summed_q;
  wire [127:0] in;  // of 8 points
  wire         load = MaxTU == 8 ? part_i != NONE : part_i[0];

  always @(posedge clk_i) begin
    if (rst_i) begin
      part_q   <= NONE;
      summed_q <= NONE;
    end else if (en_i) begin
      part_q   <= part_i;
      summed_q <= part_q;
    end
  end

  // 8 points: values 0 and 4 together, 2 and 6 and nine times these, five and nine times
  // the odd ones.
  localparam [17:0] ROUND = 1 << (Shift - 7);

  wire [17:0] x0 = {{2{in[15]}}, in[15:0]};
  wire [17:0] x4 = {{2{in[79]}}, in[79:64]};
  wire [19:0] x2 = {{4{in[47]}}, in[47:32]};
  wire [19:0] x6 = {{4{in[111]}}, in[111:96]};
  wire [19:0] x1 = {{4{in[31]}}, in[31:16]};
  wire [19:0] x3 = {{4{in[63]}}, in[63:48]};
  wire [19:0] x5 = {{4{in[95]}}, in[95:80]};
  wire [19:0] x7 = {{4{in[127]}}, in[127:112]};
  reg  [17:0] plus_q;
  reg  [17:0] less_q;
  reg  [15:0] p_q;
  reg  [15:0] q_q;
  reg  [19:0] p9_q;
  reg  [19:0] q9_q;
  reg  [19:0] a5_q;
  reg  [19:0] b5_q;
  reg  [19:0] c5_q;
  reg  [19:0] d5_q;
  reg  [19:0] a9_q;
  reg  [19:0] b9_q;
  reg  [19:0] c9_q;
  reg  [19:0] d9_q;

  always @(posedge clk_i) begin
    if (en_i && load) begin
      plus_q <= x0 + x4 + ROUND;
      less_q <= x0 - x4 + ROUND;
      p_q    <= in[47:32];
      q_q    <= in[111:96];
      p9_q   <= x2 + (x2 << 3);
      q9_q   <= x6 + (x6 << 3);
      a5_q   <= x1 + (x1 << 2);
      b5_q   <= x3 + (x3 << 2);
      c5_q   <= x5 + (x5 << 2);
      d5_q   <= x7 + (x7 << 2);
      a9_q   <= x1 + (x1 << 3);
      b9_q   <= x3 + (x3 << 3);
      c9_q   <= x5 + (x5 << 3);
      d9_q   <= x7 + (x7 << 3);
    end
  end

  wire [SUM-1:0] t0 = {{7{plus_q[17]}}, plus_q};
  wire [SUM-1:0] t1 = {{7{less_q[17]}}, less_q};
  wire [SUM-1:0] p  = {{9{p_q[15]}}, p_q};
  wire [SUM-1:0] q  = {{9{q_q[15]}}, q_q};
  wire [SUM-1:0] p9 = {{5{p9_q[19]}}, p9_q};
  wire [SUM-1:0] q9 = {{5{q9_q[19]}}, q9_q};
  wire [SUM-1:0] a5 = {{5{a5_q[19]}}, a5_q};
  wire [SUM-1:0] b5 = {{5{b5_q[19]}}, b5_q};
  wire [SUM-1:0] c5 = {{5{c5_q[19]}}, c5_q};
  wire [SUM-1:0] d5 = {{5{d5_q[19]}}, d5_q};
  wire [SUM-1:0] a9 = {{5{a9_q[19]}}, a9_q};
  wire [SUM-1:0] b9 = {{5{b9_q[19]}}, b9_q};
  wire [SUM-1:0] c9 = {{5{c9_q[19]}}, c9_q};
  wire [SUM-1:0] d9 = {{5{d9_q[19]}}, d9_q};

  // 83 = 72 + 9 + 2, 36, 89 = 80 + 9, 75 = 80 - 5, 50 = 40 + 10, 18.
  wire [SUM-1:0] t2 = (p9 << 3) + p9 + (p << 1) + (q9 << 2);
  wire [SUM-1:0] t3 = (p9 << 2) - (q9 << 3) - q9 - (q << 1);
  wire [SUM-1:0] e0 = (t0 << 6) + t2;
  wire [SUM-1:0] e3 = (t0 << 6) - t2;
  wire [SUM-1:0] e1 = (t1 << 6) + t3;
  wire [SUM-1:0] e2 = (t1 << 6) - t3;
  wire [SUM-1:0] o0 = (a5 << 4) + a9 + (b5 << 4) - b5 + (c5 << 3) + (c5 << 1) + (d9 << 1);
  wire [SUM-1:0] o1 = (a5 << 4) - a5 - (b9 << 1) - (c5 << 4) - c9 - (d5 << 3) - (d5 << 1);
  wire [SUM-1:0] o2 = (a5 << 3) + (a5 << 1) - (b5 << 4) - b9 + (c9 << 1) + (d5 << 4) - d5;
  wire [SUM-1:0] o3 = (a9 << 1) - (b5 << 3) - (b5 << 1) + (c5 << 4) - c5 - (d5 << 4) - d9;

  reg  [8*SUM-1:0] sum_q;

  always @(posedge clk_i) begin
    if (en_i && (MaxTU == 8 || part_q[0]))
      sum_q <= {e0 - o0, e1 - o1, e2 - o2, e3 - o3, e3 + o3, e2 + o2, e1 + o1, e0 + o0};
  end

  genvar g;
  generate
    if (MaxTU == 8) begin : gen_whole
      for (g = 0; g < 8; g = g + 1) begin : gen_value
        wire [SUM-1:0] e = sum_q[SUM*g +: SUM];

        assign beat_o[Width*g +: Width] = limited({e[SUM-1], e[SUM-1:Shift]});
      end
      assign in      = values_i;
      assign leave_o = summed_q;
    end else begin : gen_halves
      reg  [63:0]       wait_q;  // even coefficients of the first half
      wire [63:0]       even = {values_i[111:96], values_i[79:64],
                                values_i[47:32], values_i[15:0]};
      wire [63:0]       back = {even[15:0], even[31:16], even[47:32], even[63:48]};
      wire [63:0]       odd  = {values_i[127:112], values_i[95:80],
                                values_i[63:48], values_i[31:16]};
      wire [8*SUM-1:0]  odds;
      wire [8*Width-1:0] first;
      wire [8*Width-1:0] last;   // values 8 to 15, backwards
      wire [8*Width-1:0] other;  // the second beat, and 8 points
      reg  [8*Width-1:0] held_q;
      reg  [1:0]        held_part_q;

      assign in = part_i[1] ? {back, wait_q} : values_i;

      t265_odd8 #(
        .Width(16),
        .Flip (1),
        .Round(0)
      ) u_odd (
        .clk_i   (clk_i),
        .en_i    (en_i),
        .load_i  (part_i[1]),
        .second_i(part_i[0]),
        .in_i    (odd),
        .sums_o  (odds)
      );

      for (g = 0; g < 8; g = g + 1) begin : gen_value
        wire [ALL-1:0] e    = {sum_q[SUM*g+SUM-1], sum_q[SUM*g +: SUM]};
        wire [ALL-1:0] o    = {odds[SUM*g+SUM-1], odds[SUM*g +: SUM]};
        wire [ALL-1:0] plus = summed_q[1] ? e + o : e;
        wire [ALL-1:0] less = e - o;

        wire unused = &{1'b0, plus[Shift-1:0], less[Shift-1:0]};

        assign first[Width*g +: Width] = limited(plus[ALL-1:Shift]);
        assign other[Width*g +: Width] = summed_q[1] ? last[Width*(7-g) +: Width]
                                                   : first[Width*g +: Width];
        assign last[Width*g +: Width] = limited(less[ALL-1:Shift]);
      end

      always @(posedge clk_i) begin
        if (rst_i) held_part_q <= NONE;
        else if (en_i) held_part_q <= summed_q;
      end

      always @(posedge clk_i) begin
        if (en_i && part_i == FIRST) wait_q <= even;
        if (en_i && summed_q[0]) held_q <= other;
      end

      assign leave_o = summed_q == SECOND ? SECOND : held_part_q == FIRST ? NONE : held_part_q;
      assign beat_o  = summed_q == SECOND ? first : held_q;
    end
  endgenerate

endmodule

`default_nettype wire
