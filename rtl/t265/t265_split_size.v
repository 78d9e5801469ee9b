// Cost of the blocks of a size that are transformed, from their residuals.
//
// Mirror:     t265/hwenc/split.go
// Latency:    31 from the first beat of a block of 8x8, 87 of 16x16
// Throughput: 1 beat a cycle
// Storage:    82 bits, those of t265_forward and of t265_cost

`default_nettype none

module t265_split_size #(
  parameter Log2 = 3,             // of the size, 3 or 4
  parameter Cost = 2 * Log2 + 14  // bits of a cost
) (
  input  wire            clk_i,
  input  wire            rst_i,
  input  wire            enable_i,  // a beat may come; then go_o is high
  input  wire            valid_i,
  input  wire [5:0]      qp_i,
  input  wire [71:0]     res_i,     // 8 of s9
  output wire            go_o,
  output wire            done_o,
  output wire [Cost-1:0] cost_o
);

  localparam [1:0] SIZE = Log2 == 4 ? 2'd2 : 2'd1;
  localparam       BEAT = 2 * Log2 - 3;  // bits of the beat of a block

  reg            valid_q;
  reg [5:0]      qp_q;
  reg [71:0]     res_q;
  reg [BEAT-1:0] at_q;  // of what is transformed
  wire           ready;
  wire           coef_valid;
  wire [135:0]   coef;  // coefficients, size, QP

  assign go_o = !valid_q || ready;

  t265_forward #(
    .MaxTU  (1 << Log2),
    .TagWidth(6)
  ) u_forward (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .in_valid_i (valid_q),
    .in_ready_o (ready),
    .in_data_i  ({res_q, SIZE, qp_q}),
    .out_valid_o(coef_valid),
    .out_ready_i(1'b1),
    .out_data_o (coef)
  );

  t265_cost #(
    .Log2(Log2)
  ) u_cost (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .valid_i (coef_valid),
    .last_i  (&at_q),
    .qp_i    (coef[5:0]),
    .values_i(coef[135:8]),
    .done_o  (done_o),
    .cost_o  (cost_o)
  );

  wire unused = &{1'b0, coef[7:6]};

  always @(posedge clk_i) begin
    if (rst_i) begin
      valid_q <= 1'b0;
      at_q    <= {BEAT{1'b0}};
    end else begin
      if (enable_i) valid_q <= valid_i;
      else if (ready) valid_q <= 1'b0;
      if (coef_valid) at_q <= at_q + 1'b1;
    end
  end

  always @(posedge clk_i) begin
    if (enable_i) begin
      qp_q  <= qp_i;
      res_q <= res_i;
    end
  end

endmodule

`default_nettype wire
