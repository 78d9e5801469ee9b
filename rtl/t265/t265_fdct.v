// Forward DCT of vectors of 8 and 16 points (clause 8.6.4.2 transposed), a stage of
// two: eight values a cycle in and out, rounded to s16.
//
// A part of a vector is 0 none, 1 all 8 points, 2 and 3 the halves of 16 points in
// consecutive steps: values 0 to 3 and 12 to 15, then 8 to 11 and 4 to 7. Of these,
// coefficients leave from a stage of rows odd ones first, then even ones; from one of
// columns in groups {0, 2, 1, 3}, {4, 6, 5, 7} and so on. A vector of 8 points leaves
// in order, behind the register of the second beat. leave_o is 3 for the first beat of
// 16 points, 1 or 3 for the others.
//
// Mirror:     t265/hwenc/transform.go
// Latency:    3 steps; 2 with MaxTU 8
// Throughput: 8 values a step
// Storage:    about 30 * Width + 400 bits; with MaxTU 8 8 * Width + 150

`default_nettype none

module t265_fdct #(
  parameter Width   = 9,   // bits of a value
  parameter MaxTU   = 16,  // longest vector, 8 or 16
  parameter Shift   = 2,   // of the sums of 8 points; one more for 16
  parameter Columns = 0    // 1: a stage of columns
) (
  input  wire               clk_i,
  input  wire               rst_i,
  input  wire               en_i,     // a step
  input  wire [1:0]         part_i,
  input  wire [8*Width-1:0] values_i,
  output wire [1:0]         leave_o,
  output wire [127:0]       beat_o
);

  localparam       WIDE   = Width + 1;
  localparam       TERM   = Width + 2;
  localparam       SUM    = Width + 10;
  localparam       KEPT   = MaxTU == 8 ? 16 : 17;  // bits of a sum of 8 points, from Shift on
  localparam [1:0] NONE   = 2'd0;
  localparam [1:0] FIRST  = 2'd2;
  localparam [1:0] SECOND = 2'd3;

  // Sums and differences of values from both ends.
  reg  [4*WIDE-1:0] sum;
  reg  [4*WIDE-1:0] diff;
  reg  [WIDE-1:0]   low;
  reg  [WIDE-1:0]   high;
  integer           i;

  always @* begin
    for (i = 0; i < 4; i = i + 1) begin
      low  = {values_i[Width*i+Width-1], values_i[Width*i +: Width]};
      high = {values_i[Width*(7-i)+Width-1], values_i[Width*(7-i) +: Width]};
      sum[WIDE*i +: WIDE]  = low + high;
      diff[WIDE*i +: WIDE] = low - high;
    end
  end

  // What goes on in 8 points, and what of 16 waits for their second half.
  reg  [1:0]        part_q;
  reg  [1:0]        summed_q;
  reg  [4*TERM-1:0] even_d;
  reg  [4*TERM-1:0] odd_d;
  reg  [4*TERM-1:0] even_q;
  reg  [4*TERM-1:0] odd_q;
  reg  [4*WIDE-1:0] wait_q;
  reg  [TERM-1:0]   before;
  reg  [TERM-1:0]   near;
  reg  [TERM-1:0]   far;
  wire              load = MaxTU == 8 ? part_i != NONE : part_i[0];

  always @* begin
    for (i = 0; i < 4; i = i + 1) begin
      before = {wait_q[WIDE*i+WIDE-1], wait_q[WIDE*i +: WIDE]};
      near   = {{2{values_i[Width*i+Width-1]}}, values_i[Width*i +: Width]};
      far    = {{2{values_i[Width*(7-i)+Width-1]}}, values_i[Width*(7-i) +: Width]};
      even_d[TERM*i +: TERM] = {sum[WIDE*i+WIDE-1], sum[WIDE*i +: WIDE]};
      odd_d[TERM*i +: TERM]  = {diff[WIDE*i+WIDE-1], diff[WIDE*i +: WIDE]};
      if (MaxTU != 8 && part_i[1]) begin
        even_d[TERM*i +: TERM] = before + near + far;
        odd_d[TERM*i +: TERM]  = before - near - far;
      end
    end
  end

  always @(posedge clk_i) begin
    if (rst_i) begin
      part_q   <= NONE;
      summed_q <= NONE;
    end else if (en_i) begin
      part_q   <= part_i;
      summed_q <= part_q;
    end
  end

  always @(posedge clk_i) begin
    if (en_i && load) begin
      even_q <= even_d;
      odd_q  <= odd_d;
    end
    if (en_i && part_i == FIRST) wait_q <= sum;
  end

  // 8 points.
  wire             wide = MaxTU != 8 && part_q[1];
  wire [SUM-1:0]   half  = {{(SUM - 1) {1'b0}}, 1'b1} << (Shift - 1);
  wire [SUM-1:0]   round = wide ? half << 1 : half;
  wire [SUM-1:0]   e0 = {{8{even_q[TERM-1]}}, even_q[TERM-1:0]};
  wire [SUM-1:0]   e1 = {{8{even_q[2*TERM-1]}}, even_q[2*TERM-1:TERM]};
  wire [SUM-1:0]   e2 = {{8{even_q[3*TERM-1]}}, even_q[3*TERM-1:2*TERM]};
  wire [SUM-1:0]   e3 = {{8{even_q[4*TERM-1]}}, even_q[4*TERM-1:3*TERM]};
  wire [SUM-1:0]   a  = {{8{odd_q[TERM-1]}}, odd_q[TERM-1:0]};
  wire [SUM-1:0]   b  = {{8{odd_q[2*TERM-1]}}, odd_q[2*TERM-1:TERM]};
  wire [SUM-1:0]   c  = {{8{odd_q[3*TERM-1]}}, odd_q[3*TERM-1:2*TERM]};
  wire [SUM-1:0]   d  = {{8{odd_q[4*TERM-1]}}, odd_q[4*TERM-1:3*TERM]};
  wire [SUM-1:0]   p  = e0 - e3;
  wire [SUM-1:0]   q  = e1 - e2;
  wire [SUM-1:0]   u  = e0 + e3;
  wire [SUM-1:0]   v  = e1 + e2;
  wire [SUM-1:0]   p9 = p + (p << 3);
  wire [SUM-1:0]   q9 = q + (q << 3);
  wire [SUM-1:0]   a5 = a + (a << 2);
  wire [SUM-1:0]   b5 = b + (b << 2);
  wire [SUM-1:0]   c5 = c + (c << 2);
  wire [SUM-1:0]   d5 = d + (d << 2);
  wire [SUM-1:0]   a9 = a + (a << 3);
  wire [SUM-1:0]   b9 = b + (b << 3);
  wire [SUM-1:0]   c9 = c + (c << 3);
  wire [SUM-1:0]   d9 = d + (d << 3);
  wire [8*SUM-1:0] sums;

  // 83 = 72 + 9 + 2, 36, 89 = 80 + 9, 75 = 80 - 5, 50 = 40 + 10, 18.
  assign sums[0 +: SUM]     = (u << 6) + (v << 6) + round;
  assign sums[4*SUM +: SUM] = (u << 6) - (v << 6) + round;
  assign sums[2*SUM +: SUM] = (p9 << 3) + p9 + (p << 1) + (q9 << 2) + round;
  assign sums[6*SUM +: SUM] = (p9 << 2) - (q9 << 3) - q9 - (q << 1) + round;
  assign sums[SUM +: SUM]   = (a5 << 4) + a9 + (b5 << 4) - b5 + (c5 << 3) + (c5 << 1) + (d9 << 1)
                            + round;
  assign sums[3*SUM +: SUM] = (a5 << 4) - a5 - (b9 << 1) - (c5 << 4) - c9 - (d5 << 3) - (d5 << 1)
                            + round;
  assign sums[5*SUM +: SUM] = (a5 << 3) + (a5 << 1) - (b5 << 4) - b9 + (c9 << 1) + (d5 << 4) - d5
                            + round;
  assign sums[7*SUM +: SUM] = (a9 << 1) - (b5 << 3) - (b5 << 1) + (c5 << 4) - c5 - (d5 << 4) - d9
                            + round;

  reg  [8*KEPT-1:0] sum_q;

  always @(posedge clk_i) begin
    for (i = 0; i < 8; i = i + 1) begin
      if (en_i && (MaxTU == 8 || part_q[0])) sum_q[KEPT*i +: KEPT] <= sums[SUM*i+Shift +: KEPT];
    end
  end

  genvar g;
  generate
    if (MaxTU == 8) begin : gen_whole
      for (g = 0; g < 8; g = g + 1) begin : gen_value
        assign beat_o[16*g +: 16] = sum_q[KEPT*g +: 16];
      end
      assign leave_o = summed_q;
    end else begin : gen_halves
      localparam ODD = Width + 10;

      wire [8*ODD-1:0] odds;
      wire [127:0]     even;
      wire [127:0]     odd;
      wire [127:0]     first;
      wire [127:0]     other;  // the second beat, and 8 points
      reg  [127:0]     held_q;
      reg  [1:0]       held_part_q;

      t265_odd8 #(
        .Width(WIDE),
        .Flip (0),
        .Round(1 << Shift)
      ) u_odd (
        .clk_i   (clk_i),
        .en_i    (en_i),
        .load_i  (part_i[1]),
        .second_i(part_i[0]),
        .in_i    (diff),
        .sums_o  (odds)
      );

      wire unused = &{1'b0, odds};  // bits below and above a coefficient

      for (g = 0; g < 8; g = g + 1) begin : gen_value
        assign even[16*g +: 16] = summed_q[1] ? sum_q[KEPT*g+1 +: 16] : sum_q[KEPT*g +: 16];
        assign odd[16*g +: 16]  = odds[ODD*g+Shift+1 +: 16];
      end

      if (Columns) begin : gen_columns
        assign first = {odd[63:32], even[63:32], odd[31:0], even[31:0]};
        assign other = summed_q[1] ? {odd[127:96], even[127:96], odd[95:64], even[95:64]} : even;
      end else begin : gen_rows
        assign first = odd;
        assign other = even;
      end

      always @(posedge clk_i) begin
        if (rst_i) held_part_q <= NONE;
        else if (en_i) held_part_q <= summed_q;
      end

      always @(posedge clk_i) begin
        if (en_i && summed_q[0]) held_q <= other;
      end

      assign leave_o = summed_q == SECOND ? SECOND : held_part_q == FIRST ? NONE : held_part_q;
      assign beat_o  = summed_q == SECOND ? first : held_q;
    end
  endgenerate

endmodule

`default_nettype wire
