// Where reference samples go in the line of their block, 2 * MaxTU samples in words of
// four:
//
//   planar, DC, horizontal, vertical: main in even words, side in odd ones
//   positive angles: main all along
//   negative angles: main in the first half; the corner at the end, and before it, backwards,
//                    the samples of side that the angle projects onto the line of main
//
// With angle a, sample t of side, counted from the corner, is the projected sample
// ((2t + 1) * a) >> 6, if it is the first one with that number. (Clause 8.4.4.2.6 has
// t = (k * invAngle + 128) >> 8 for sample k, and invAngle is 8192 / a, rounded.)
//
// Mirror:     t265/hwdec/predict.go
// Latency:    0
// Throughput: a word of main and of side a cycle
// Storage:    10 bits, with MaxTU 8 9 bits, with MaxTU 32 11 bits

`default_nettype none

module t265_dec_project #(
  parameter MaxTU    = 16,  // largest block, 8, 16 or 32
  parameter Modes    = 35,  // 35, or 4: no angles
  parameter SizeBits = $clog2(MaxTU)  // log2 of the largest block
) (
  input  wire                clk_i,
  input  wire                leave_i,
  input  wire [SizeBits-2:0] at_i,        // the words have samples 4 * at_i on
  input  wire                half_i,      // which are the first n
  input  wire                aligned_i,   // planar, DC, horizontal, vertical
  input  wire                negative_i,
  input  wire [5:0]          angle_i,     // its magnitude
  input  wire [31:0]         side_i,
  input  wire [7:0]          corner_i,    // behind the first n
  output reg  [MaxTU/2-1:0]  words_o,     // that are written whole
  output reg  [MaxTU-1:0]    bytes_o,     // that are written, of the second half
  output reg  [31:0]         side_o       // with its samples where they go
);

  localparam WORDS = MaxTU / 2;     // of a line
  localparam HIGH  = SizeBits - 2;  // bits of the number of a word in half a line
  localparam SUM   = SizeBits + 6;

  integer w;

  always @* begin
    for (w = 0; w < WORDS; w = w + 1) begin
      words_o[w] = leave_i && (aligned_i ? at_i == w[SizeBits-1:1] :
                   (half_i || !negative_i) && at_i == w[SizeBits-2:0]);
    end
  end

  generate
    if (Modes == 4) begin : gen_four
      always @* begin
        bytes_o = {MaxTU{1'b0}};
        side_o  = side_i;
      end

      wire unused = &{1'b0, clk_i, angle_i, corner_i};
    end else begin : gen_all
      // Numbers of the projected samples up to that of the sample before the word, and up
      // to those of the word, with a fraction of six bits.
      reg  [SUM-1:0] sum_q;
      wire [SUM-1:0] angle = {{(SUM - 6) {1'b0}}, angle_i};
      wire [SUM-1:0] sum0  = at_i == {(SizeBits - 1) {1'b0}} ? angle : sum_q;
      wire [SUM-1:0] sum1  = sum0 + {angle[SUM-2:0], 1'b0};
      wire [SUM-1:0] sum2  = sum0 + {angle[SUM-3:0], 2'd0};
      wire [SUM-1:0] sum3  = sum1 + {angle[SUM-3:0], 2'd0};
      wire [SUM-1:0] sum4  = sum0 + {angle[SUM-4:0], 3'd0};

      always @(posedge clk_i) begin
        if (leave_i) sum_q <= sum4;
      end

      // Samples of the word that are projected, and the last two bits of their numbers.
      wire [3:0] is  = {sum4[6], sum3[6], sum2[6], sum1[6]} ^ {sum3[6], sum2[6], sum1[6], sum0[6]};
      wire [7:0] low = {sum4[7:6], sum3[7:6], sum2[7:6], sum1[7:6]};

      wire unused = &{1'b0, sum1, sum2, sum3};

      // Byte b of a word is for numbers that end with 3 - b. The next one of these gets it
      // if its sample is not in this word, until that comes; one beyond the line has the
      // byte of the corner, which comes behind the first n samples.
      wire [HIGH-1:0] word_before = ~sum0[SUM-1:8];  // of the sample before
      wire [HIGH-1:0] word_behind = word_before - 1'b1;
      reg  [3:0]      from;
      reg  [HIGH-1:0] word;
      integer         b, t, v;

      always @* begin
        for (b = 0; b < 4; b = b + 1) begin
          for (t = 0; t < 4; t = t + 1) begin
            from[t] = negative_i ? is[t] && low[2*t +: 2] == ~b[1:0] : t == b;
          end
          side_o[8*b +: 8] = side_i[7:0] & {8{from[0]}} | side_i[15:8] & {8{from[1]}}
                           | side_i[23:16] & {8{from[2]}} | side_i[31:24] & {8{from[3]}};
          word = ~b[1:0] > sum0[7:6] ? word_before : word_behind;
          for (v = 0; v < WORDS / 2; v = v + 1) begin
            bytes_o[4*v+b] = leave_i && negative_i
                           && (half_i ? word == v[HIGH-1:0] : b == 3 && v == WORDS / 2 - 1);
          end
        end
        if (!half_i) side_o[31:24] = corner_i;
      end
    end
  endgenerate

endmodule

`default_nettype wire
