// Cost of a transform block if it is coded (package t265, transform tree): squared error
// of its levels without a hidden sign, and the price of their estimated bits, in 1/4096
// squared steps. A 4x4 sub-block comes in two beats of 8 values, in any order. Nothing
// stalls: a result is there for one cycle.
//
// Mirror:     t265/hwenc/cost.go
// Latency:    6 from the last beat of a block
// Throughput: 1 beat a cycle
// Storage:    380 to 500 bits
// Packing:    value i of a beat in values_i[Bits*i +: Bits]

`default_nettype none

module t265_cost #(
  parameter Log2 = 3,                    // of the block size, 2..5
  parameter Bits = Log2 == 2 ? 9 : 16,   // of a value: with transform skip, the residual
  parameter Cost = 2 * Log2 + 14         // of a cost
) (
  input  wire              clk_i,
  input  wire              rst_i,
  input  wire              valid_i,
  input  wire              last_i,  // the last beat of a block
  input  wire [5:0]        qp_i,
  input  wire [8*Bits-1:0] values_i,
  output wire              done_o,
  output wire [Cost-1:0]   cost_o
);

  generate
    if (Log2 < 2 || Log2 > 5) begin : gen_illegal_log2
      illegal_Log2_is_not_2_to_5 u_illegal ();
    end
  endgenerate

  localparam BASE  = Log2 == 2 ? 8 : 15 - Log2;   // least shift of the quantiser
  localparam UNITS = Log2 == 2 ? 15 : 15 + Log2;  // bits of a magnitude in 1/64 step
  localparam SUM   = UNITS - 2;                   // of the magnitudes of 16 levels
  // The price of BlockRate, which has 16 units a bit, as SubBlockRate has.
  localparam [11:0] PRICE = Log2 == 2 ? 12'd650 : Log2 == 3 ? 12'd1100 : Log2 == 4 ? 12'd2000
                          : 12'd2800;

  // Stages 1 to 3: magnitudes, products, sums of a beat. Stage 4: sums of a
  // sub-block. Stage 5: its bits, and the sum of its errors. Stage 6: the cost.
  reg        half_q;       // the first beat of a sub-block has been
  reg  [4:1] first_q;      // a first beat, or none before one
  reg  [5:1] second_q;     // a second beat
  reg  [5:1] last_q;       // of the block
  reg  [5:0] rem_q;
  reg  [3:0] shift1_q;
  reg  [3:0] shift2_q;
  reg        more_q;       // a sub-block of the block has been
  reg        done_q;
  wire [5:0] rem;
  wire [3:0] sixth;

  t265_qp u_qp (
    .qp_i (qp_i),
    .div_o(sixth),
    .rem_o(rem)
  );

  always @(posedge clk_i) begin
    if (rst_i) begin
      half_q   <= 1'b0;
      second_q <= 5'd0;
      more_q   <= 1'b0;
      done_q   <= 1'b0;
    end else begin
      half_q   <= half_q ^ valid_i;
      second_q <= {second_q[4:1], valid_i && half_q};
      if (second_q[5]) more_q <= !last_q[5];
      done_q   <= second_q[5] && last_q[5];
    end
  end

  always @(posedge clk_i) begin
    first_q  <= {first_q[3:1], !half_q};
    last_q   <= {last_q[4:1], last_i};
    rem_q    <= rem;
    shift1_q <= sixth;
    shift2_q <= shift1_q;
  end

  // The beat in stage 3, and its sums.
  wire [8*(UNITS-6)-1:0] wholes;
  wire [7:0]             up;
  wire [7:0]             set;
  wire [47:0]            errors;

  genvar g;
  generate
    for (g = 0; g < 8; g = g + 1) begin : gen_value
      wire [Bits-1:0]  value = values_i[Bits*g +: Bits];
      reg  [Bits-1:0]  abs_q;
      reg  [UNITS:0]   product_q;
      wire [Bits+3:0]  multiple;
      wire [UNITS:0]   product;
      wire [UNITS:0]   units = product_q >> shift2_q;
      wire             none;

      t265_coef_multiple #(
        .Coef(Bits)
      ) u_multiple (
        .value_i   (abs_q),
        .rem_i     (rem_q),
        .multiple_o(multiple)
      );

      t265_product #(
        .Coef(Bits),
        .Base(BASE)
      ) u_product (
        .value_i   (abs_q),
        .multiple_i(multiple),
        .rem_i     (rem_q),
        .product_o (product)
      );

      t265_round #(
        .Units(UNITS)
      ) u_round (
        .units_i(units[UNITS-1:0]),
        .whole_o(wholes[(UNITS-6)*g +: UNITS-6]),
        .none_o (none),
        .up_o   (up[g]),
        .error_o(errors[6*g +: 6])
      );

      wire unused = &{1'b0, units[UNITS]};

      assign set[g] = !none || up[g];

      always @(posedge clk_i) begin
        abs_q     <= (value ^ {Bits{value[Bits-1]}}) + {{(Bits - 1) {1'b0}}, value[Bits-1]};
        product_q <= product;
      end
    end
  endgenerate

  reg [SUM-2:0] sum;    // of the levels less those that were rounded up
  reg [3:0]     more;
  reg [13:0]    error;  // squared, in stage 4
  reg [3:0]     count;
  reg [47:0]    errors3_q;
  reg [5:0]     e;
  integer       i;

  always @* begin
    sum   = {(SUM - 1) {1'b0}};
    more  = 4'd0;
    error = 14'd0;
    count = 4'd0;
    for (i = 0; i < 8; i = i + 1) begin
      e     = errors3_q[6*i +: 6];
      sum   = sum + {3'd0, wholes[(UNITS-6)*i +: UNITS-6]};
      more  = more + {3'd0, up[i]};
      count = count + {3'd0, set[i]};
      // The square by its bits: that of each, and twice the product with the higher ones.
      error = error + {3'd0, {3{e[4]}} & {e[5], 2'b01}, 1'b0, {7{e[0]}} & {e[5:1], 2'b01}}
            + {3'd0, e[5], 2'd0, {6{e[1]}} & {e[5:2], 2'b01}, 2'd0}
            + {5'd0, {5{e[2]}} & {e[5:3], 2'b01}, 4'd0}
            + {4'd0, {4{e[3]}} & {e[5:4], 2'b01}, 6'd0};
    end
  end

  reg  [SUM-2:0]  sum3_q;
  reg  [3:0]      more3_q;
  reg  [3:0]      count3_q;
  reg  [SUM-1:0]  sum4_q;
  reg  [13:0]     error4_q;
  reg  [4:0]      count4_q;
  reg  [14:0]     error5_q;
  reg  [4:0]      count5_q;
  reg  [8:0]      bits5_q;
  reg  [Cost-1:0] cost_q;
  wire [8:0]      rate;
  wire [12:0]     pattern;

  t265_rate #(
    .Sum(SUM)
  ) u_rate (
    .count_i(count4_q),
    .sum_i  (sum4_q),
    .bits_o (rate)
  );

  t265_pattern u_pattern (
    .count_i(count5_q),
    .price_o(pattern)
  );

  // 400 a bit.
  wire [16:0]     price  = {4'd0, bits5_q, 4'd0} + {1'b0, bits5_q, 7'd0} + {bits5_q, 8'd0};
  wire [Cost-1:0] before = Log2 != 2 && more_q ? cost_q : {{(Cost - 12) {1'b0}}, PRICE};

  // What a first beat brings is alone in a sum, and waits there for the second.
  wire [SUM-1:0] sum3 = {1'b0, sum3_q} + {{(SUM - 4) {1'b0}}, more3_q};

  always @(posedge clk_i) begin
    sum3_q    <= sum;
    more3_q   <= more;
    errors3_q <= errors;
    count3_q  <= count;
    error4_q  <= error;
    if (first_q[3]) begin
      sum4_q   <= sum3;
      count4_q <= {1'b0, count3_q};
    end else if (second_q[3]) begin
      sum4_q   <= sum4_q + sum3;
      count4_q <= count4_q + {1'b0, count3_q};
    end
    if (first_q[4]) error5_q <= {1'b0, error4_q};
    else if (second_q[4]) error5_q <= error5_q + {1'b0, error4_q};
    count5_q <= count4_q;
    bits5_q  <= rate;
    if (second_q[5]) begin
      cost_q <= before + {{(Cost - 15) {1'b0}}, error5_q} + {{(Cost - 13) {1'b0}}, pattern}
              + {{(Cost - 17) {1'b0}}, price};
    end
  end

  assign done_o = done_q;
  assign cost_o = cost_q;

endmodule

`default_nettype wire
