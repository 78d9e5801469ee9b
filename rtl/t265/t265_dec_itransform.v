// The engine of the inverse transform (clause 8.6.4.2): vectors of 8 and 16 points and
// DST-VII vectors of 4, one pass of either dimension, rounded and limited. Transform skip
// takes the way of the DST-VII.
//
// The sums of t265_idct are short of six bits that no rounding needs.
//
// Mirror:     t265/hwdec/itransform.go
// Latency:    5; 4 with MaxTU 8
// Throughput: 8 values a cycle; 4 of 4x4 blocks
// Storage:    1000 bits, with MaxTU 8 760

`default_nettype none

module t265_dec_itransform #(
  parameter MaxTU = 16,  // longest vector, 8 or 16
  parameter MinTU = 4    // shortest one, 4 or 8
) (
  input  wire         clk_i,
  input  wire [1:0]   part_i,     // of a DCT vector: see t265_idct
  input  wire         short_i,    // the lower four values are a vector of a 4x4 block
  input  wire         skip_i,     // which has transform skip
  input  wire [127:0] values_i,   // s16
  input  wire         columns_i,  // the sums are those of the first pass
  input  wire         small_i,    // of a 4x4 block
  input  wire         en_i,       // there are sums
  output reg  [127:0] values_o    // s16; after the second pass s9, the lowest bits
);

  localparam SUM = 20;  // bits of a sum

  wire [8*SUM-1:0] dct;
  wire [4*SUM-5:0] dst;
  wire [1:0]       leave;

  t265_idct #(
    .MaxTU(MaxTU),
    .Shift(6),
    .Width(SUM)
  ) u_idct (
    .clk_i   (clk_i),
    .rst_i   (1'b0),  // its parts go nowhere
    .en_i    (1'b1),
    .part_i  (part_i),
    .values_i(values_i),
    .leave_o (leave),
    .beat_o  (dct)
  );

  wire unused = &{1'b0, leave, dst, small_i};

  localparam SHORT = SUM - 1;

  genvar g;
  generate
    if (MinTU == 8) begin : gen_no_dst
      wire unused_dst = &{1'b0, short_i, skip_i};

      assign dst = {(4 * SHORT) {1'b0}};
    end else begin : gen_dst
      wire [99:0]        sums;
      wire [4*SHORT-1:0] high;
      wire               unused_low = &{1'b0, sums};

      t265_dec_idst u_idst (
        .clk_i   (clk_i),
        .en_i    (short_i),
        .skip_i  (skip_i),
        .values_i(values_i[63:0]),
        .sums_o  (sums)
      );

      for (g = 0; g < 4; g = g + 1) begin : gen_sum
        assign high[SHORT*g +: SHORT] = sums[25*g+6 +: SHORT];
      end

      if (MaxTU == 8) begin : gen_at_once
        assign dst = high;
      end else begin : gen_wait
        // They wait for the place of the sums of 16 points.
        reg [4*SHORT-1:0] high_q;

        always @(posedge clk_i) high_q <= high;
        assign dst = high_q;
      end
    end

    for (g = 0; g < 8; g = g + 1) begin : gen_value
      wire [SUM-1:0] sum;
      // Rounded by one bit after the first pass, by six after the second one.
      wire [SUM-1:0] rounded = sum + {14'd0, !columns_i, 4'd0, columns_i};
      wire           over    = rounded[SUM-1:16] != {4{rounded[SUM-1]}};
      wire           beyond  = rounded[SUM-1:14] != {6{rounded[SUM-1]}};

      if (g < 4 && MinTU == 4) begin : gen_both
        assign sum = small_i ? {dst[SHORT*g+SHORT-1], dst[SHORT*g +: SHORT]}
                             : dct[SUM*g +: SUM];
      end else begin : gen_dct
        assign sum = dct[SUM*g +: SUM];
      end

      always @(posedge clk_i) begin
        if (en_i) begin
          values_o[16*g+9 +: 7] <= over ? {rounded[SUM-1], {6{!rounded[SUM-1]}}} : rounded[16:10];
          if (columns_i) begin
            values_o[16*g +: 9] <= over ? {9{!rounded[SUM-1]}} : rounded[9:1];
          end else begin
            values_o[16*g +: 9] <= beyond ? {rounded[SUM-1], {8{!rounded[SUM-1]}}} : rounded[14:6];
          end
        end
      end
    end
  endgenerate

endmodule

`default_nettype wire
