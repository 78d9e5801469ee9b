// The transform tree of a CTU from the costs of its blocks, those of each size in
// decoding order: parts win against the whole block if they are cheaper with the price
// of a split. Costs of parts wait for that of the whole. With MinTU 8 blocks of 4x4 have
// none, and what makes it is not looked at.
//
// Mirror:     t265/hwenc/split.go
// Latency:    1 from the last cost, 2 with MaxTU 8
// Throughput: a cost of each size a cycle
// Storage:    4 sums of 20 bits, 2 of 26, and 50 bits

`default_nettype none

module t265_split_sum #(
  parameter MaxTU = 16,  // largest block, 8 or 16
  parameter MinTU = 4    // smallest block, 4 or 8
) (
  input  wire        clk_i,
  input  wire        rst_i,
  input  wire        small_valid_i,   // 4x4
  input  wire [17:0] small_cost_i,
  input  wire        narrow_valid_i,  // 8x8
  input  wire [19:0] narrow_cost_i,
  input  wire        wide_valid_i,    // 16x16
  input  wire [21:0] wide_cost_i,
  output wire        valid_o,
  output wire        split_o,
  output wire [3:0]  split8_o
);

  localparam [20:0] PRICE = 21'd400;  // of a split

  // Four blocks of 4x4.
  reg  [1:0]  small_count_q;
  reg  [19:0] small_sum_q;
  wire [19:0] small_parts;

  wire [19:0] small_sum = small_sum_q + {2'd0, small_cost_i};

  always @(posedge clk_i) begin
    if (rst_i) begin
      small_count_q <= 2'd0;
      small_sum_q   <= 20'd0;
    end else if (small_valid_i) begin
      small_count_q <= small_count_q + 1'b1;
      small_sum_q   <= &small_count_q ? 20'd0 : small_sum;
    end
  end

  // A word is there when it is due, and there is room.
  /* verilator lint_off PINCONNECTEMPTY */
  vc_fifo #(
    .Width(20),
    .Depth(4)
  ) u_small (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .in_valid_i (small_valid_i && (&small_count_q)),
    .in_ready_o (),
    .in_data_i  (small_sum),
    .out_valid_o(),
    .out_ready_i(narrow_valid_i),
    .out_data_o (small_parts)
  );
  /* verilator lint_on PINCONNECTEMPTY */

  // A tile of 8x8, and four of them.
  reg         best_valid_q;
  reg         part_q;
  reg  [19:0] best_q;
  reg  [1:0]  count_q;
  reg  [21:0] sum_q;
  reg  [2:0]  split8_q;

  wire [20:0] small_price = {1'b0, small_parts} + PRICE;
  wire        part        = MinTU == 4 && small_price < {1'b0, narrow_cost_i};
  wire [21:0] sum         = sum_q + {2'd0, best_q};
  wire        tiles_valid = best_valid_q && (&count_q);
  wire [3:0]  tiles_split = {part_q, split8_q};

  always @(posedge clk_i) begin
    if (rst_i) begin
      best_valid_q <= 1'b0;
      count_q      <= 2'd0;
      sum_q        <= 22'd0;
    end else begin
      best_valid_q <= narrow_valid_i;
      if (best_valid_q) begin
        count_q <= count_q + 1'b1;
        sum_q   <= tiles_valid ? 22'd0 : sum;
      end
    end
  end

  always @(posedge clk_i) begin
    part_q <= part;
    best_q <= part ? small_price[19:0] : narrow_cost_i;
    if (best_valid_q) split8_q <= {part_q, split8_q[2:1]};
  end

  reg       valid_q;
  reg [3:0] split8_done_q;

  assign valid_o = valid_q;

  generate
    if (MaxTU == 16) begin : gen_wide
      reg         split_q;
      wire [21:0] parts;
      wire [3:0]  split8;

      // As above.
      /* verilator lint_off PINCONNECTEMPTY */
      vc_fifo #(
        .Width(26),
        .Depth(3)
      ) u_tiles (
        .clk_i      (clk_i),
        .rst_i      (rst_i),
        .in_valid_i (tiles_valid),
        .in_ready_o (),
        .in_data_i  ({tiles_split, sum}),
        .out_valid_o(),
        .out_ready_i(wide_valid_i),
        .out_data_o ({split8, parts})
      );
      /* verilator lint_on PINCONNECTEMPTY */

      wire [22:0] price = {1'b0, parts} + {2'd0, PRICE};
      wire        split = price < {1'b0, wide_cost_i};

      assign split_o  = split_q;
      assign split8_o = split8_done_q & {4{split_q}};

      always @(posedge clk_i) begin
        if (rst_i) valid_q <= 1'b0;
        else valid_q <= wide_valid_i;
      end

      always @(posedge clk_i) begin
        split_q       <= split;
        split8_done_q <= split8;
      end
    end else begin : gen_narrow
      assign split_o  = 1'b1;
      assign split8_o = split8_done_q;

      always @(posedge clk_i) begin
        if (rst_i) valid_q <= 1'b0;
        else valid_q <= tiles_valid;
      end

      always @(posedge clk_i) split8_done_q <= tiles_split;

      wire unused = &{1'b0, wide_valid_i, wide_cost_i, sum};
    end
  endgenerate

endmodule

`default_nettype wire
