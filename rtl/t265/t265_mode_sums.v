// Costs of the four modes of a CTU, beat by beat of the Hadamard coefficients of its
// source samples: one horizontal frequency of a tile of 8x8. DC prediction has but the
// mean, vertical prediction the row of vertical frequency zero, horizontal prediction
// the column of beat 0, whose costs are looked up one by one. Planar prediction has the
// rows and columns of the frequencies of a ramp: 0, 1, 2 and 4.
//
// Mirror:     t265/hwenc/mode.go
// Latency:    5 from the last beat
// Throughput: 1 beat a cycle
// Storage:    18 coefficients, 21 costs, 4 sums

`default_nettype none

module t265_mode_sums (
  input  wire         clk_i,
  input  wire         rst_i,
  input  wire         valid_i,
  input  wire         first_i,  // of a CTU
  input  wire         last_i,
  input  wire [2:0]   k_i,      // horizontal frequency
  input  wire [1:0]   tile_i,
  input  wire [4:0]   threshold_i,
  input  wire [111:0] coef_i,   // 8 of s14, by vertical frequency
  input  wire [10:0]  above_i,  // s11, of the samples above the tile: frequency k_i
  input  wire [87:0]  side_i,   // 8 of s11, of the samples on its left
  input  wire [7:0]   bottom_i, // the last sample on the left of the CTU
  input  wire [7:0]   right_i,  // the last one above it
  input  wire [7:0]   dc_i,
  output wire         valid_o,
  output wire [1:0]   mode_o
);

  localparam [12:0] PRICE = 13'd25;

  genvar  g;
  integer i;

  // Planar prediction, of which a ramp is 23 or 7, 1, 2, 0, 4 and zeros: 8 times a
  // coefficient. Terms wrap at 17 bits, which their sum has room in.
  wire        zero   = k_i == 3'd0;
  wire [7:0]  bottom = {!bottom_i[7], bottom_i[6:0]};
  wire [7:0]  right  = {!right_i[7], right_i[6:0]};
  wire [7:0]  dc     = {!dc_i[7], dc_i[6:0]};
  wire [8:0]  corner = {bottom[7], bottom} + {right[7], right};
  wire [11:0] fall   = {above_i[10], above_i} - ({bottom[7], bottom, 3'd0} & {12{zero}});
  wire [16:0] fall1  = {{5{fall[11]}}, fall};
  wire [16:0] fall0  = {fall1[13:0], 3'd0} - fall1 + (tile_i[1] ? 17'd0 : {fall1[12:0], 4'd0});

  reg  [4:0]   threshold_q;
  reg  [119:0] planar_q;
  wire [119:0] planar;
  wire [39:0]  cost;
  wire [39:0]  planar_cost;

  generate
    for (g = 0; g < 8; g = g + 1) begin : gen_row
      wire [14:0] coef = {coef_i[14*g+13], coef_i[14*g +: 14]};
      wire [11:0] run  = {side_i[11*g+10], side_i[11*g +: 11]} -
                         (g == 0 ? {right[7], right, 3'd0} : 12'd0);
      wire [16:0] run1 = {{5{run[11]}}, run};
      wire [16:0] base = {run1[13:0], 3'd0} & {17{zero}} | run1 & {17{k_i == 3'd1}} |
                         {run1[15:0], 1'b0} & {17{k_i == 3'd2}} |
                         {run1[14:0], 2'd0} & {17{k_i == 3'd4}};
      wire [16:0] rest = ({run1[12:0], 4'd0} & {17{!tile_i[0]}}) - run1;
      wire [16:0] down = g == 0 ? fall0 + ({corner, 8'd0} & {17{zero}}) :
                         g == 1 ? fall1 : g == 2 ? {fall1[15:0], 1'b0} :
                         g == 4 ? {fall1[14:0], 2'd0} : 17'd0;
      wire [16:0] sum  = base + (rest & {17{zero}}) + down + 17'd4;

      wire unused = &{1'b0, sum[2:0]};

      assign planar[15*g +: 15] = coef - {sum[16], sum[16:3]};

      t265_mode_cost u_source (
        .value_i    (coef),
        .threshold_i(threshold_i),
        .cost_o     (cost[5*g +: 5])
      );

      t265_mode_cost u_planar (
        .value_i    (planar_q[15*g +: 15]),
        .threshold_i(threshold_q),
        .cost_o     (planar_cost[5*g +: 5])
      );
    end
  endgenerate

  // Coefficients of the residuals, and costs of those of the source.
  reg                valid_q;
  reg                first_q;
  reg                last_q;
  reg                zero_q;
  reg  [119:0]       side_q;  // horizontal prediction, the next one lowest
  reg  [14:0]        above_q;
  reg  [14:0]        mean_q;
  reg  [39:0]        cost_q;
  reg  [119:0]       side_d;
  wire [14:0]        coef0 = {coef_i[13], coef_i[13:0]};
  wire [4:0]         above_cost;
  wire [4:0]         side_cost;
  wire [4:0]         mean_cost;

  always @* begin
    side_d = {15'd0, side_q[119:15]};
    for (i = 0; i < 8; i = i + 1) begin
      if (zero)
        side_d[15*i +: 15] = {coef_i[14*i+13], coef_i[14*i +: 14]}
                           - {side_i[11*i+10], side_i[11*i +: 11], 3'd0};
    end
  end

  always @(posedge clk_i) begin
    if (rst_i) valid_q <= 1'b0;
    else valid_q <= valid_i;
  end

  always @(posedge clk_i) begin
    first_q     <= first_i;
    last_q      <= last_i;
    zero_q      <= zero;
    threshold_q <= threshold_i;
    planar_q    <= planar;
    above_q     <= coef0 - {above_i[10], above_i, 3'd0};
    mean_q      <= coef0 - {dc[7], dc, 6'd0};
    cost_q      <= cost;
    if (valid_i) side_q <= side_d;
  end

  t265_mode_cost u_above (
    .value_i    (above_q),
    .threshold_i(threshold_q),
    .cost_o     (above_cost)
  );

  t265_mode_cost u_side (
    .value_i    (side_q[14:0]),
    .threshold_i(threshold_q),
    .cost_o     (side_cost)
  );

  t265_mode_cost u_mean (
    .value_i    (mean_q),
    .threshold_i(threshold_q),
    .cost_o     (mean_cost)
  );

  // Costs of a beat: of the source that of row 0, and the sum of the others.
  reg        cost_valid_q;
  reg        cost_first_q;
  reg        cost_last_q;
  reg        cost_zero_q;
  reg [39:0] planar_cost_q;
  reg [4:0]  above_cost_q;
  reg [4:0]  side_cost_q;
  reg [4:0]  mean_cost_q;
  reg [4:0]  source_q;
  reg [7:0]  rest_q;
  reg [7:0]  rest_d;
  reg [7:0]  planar_sum_d;

  always @* begin
    rest_d       = 8'd0;
    planar_sum_d = {3'd0, planar_cost_q[4:0]};
    for (i = 1; i < 8; i = i + 1) begin
      rest_d       = rest_d + {3'd0, cost_q[5*i +: 5]};
      planar_sum_d = planar_sum_d + {3'd0, planar_cost_q[5*i +: 5]};
    end
  end

  // Sums of a beat by mode, and of the CTU.
  reg        sum_valid_q;
  reg        sum_first_q;
  reg        sum_last_q;
  reg [7:0]  dc_sum_q;
  reg [7:0]  planar_sum_q;
  reg [7:0]  above_sum_q;
  reg [8:0]  side_sum_q;
  reg        done_q;
  reg [12:0] dc_total_q;
  reg [12:0] planar_total_q;
  reg [12:0] above_total_q;
  reg [12:0] side_total_q;

  always @(posedge clk_i) begin
    if (rst_i) begin
      cost_valid_q <= 1'b0;
      sum_valid_q  <= 1'b0;
      done_q       <= 1'b0;
    end else begin
      cost_valid_q <= valid_q;
      sum_valid_q  <= cost_valid_q;
      done_q       <= sum_valid_q && sum_last_q;
    end
  end

  always @(posedge clk_i) begin
    cost_first_q  <= first_q;
    cost_last_q   <= last_q;
    cost_zero_q   <= zero_q;
    planar_cost_q <= planar_cost;
    above_cost_q  <= above_cost;
    side_cost_q   <= side_cost;
    mean_cost_q   <= mean_cost;
    source_q      <= cost_q[4:0];
    rest_q        <= rest_d;

    sum_first_q  <= cost_first_q;
    sum_last_q   <= cost_last_q;
    planar_sum_q <= planar_sum_d;
    dc_sum_q     <= rest_q + {3'd0, cost_zero_q ? mean_cost_q : source_q};
    above_sum_q  <= rest_q + {3'd0, above_cost_q};
    side_sum_q   <= {4'd0, side_cost_q} + (cost_zero_q ? 9'd0 : {1'b0, rest_q} + {4'd0, source_q});

    if (sum_valid_q) begin
      dc_total_q     <= (sum_first_q ? 13'd0 : dc_total_q) + {5'd0, dc_sum_q};
      planar_total_q <= (sum_first_q ? 13'd0 : planar_total_q) + {5'd0, planar_sum_q};
      above_total_q  <= (sum_first_q ? 13'd0 : above_total_q) + {5'd0, above_sum_q};
      side_total_q   <= (sum_first_q ? 13'd0 : side_total_q) + {4'd0, side_sum_q};
    end
  end

  // The least one; of equals the first.
  wire [12:0] planar_price = planar_total_q + PRICE;
  wire        planar_wins  = planar_price < dc_total_q;
  wire [12:0] best         = planar_wins ? planar_price : dc_total_q;
  wire        side_wins    = side_total_q < above_total_q;
  wire [12:0] edge_price   = (side_wins ? side_total_q : above_total_q) + PRICE;
  wire        edge_wins    = edge_price < best;

  assign valid_o = done_q;
  assign mode_o  = {edge_wins, edge_wins ? side_wins : planar_wins};

endmodule

`default_nettype wire
