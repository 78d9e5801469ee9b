// Picture construction (clause 8.5.14): four samples of prediction plus the
// residual, rounded from 6 fraction bits, limited to 8 bits.
//
// Mirror:     t264/hwdec/pixels.go
// Latency:    1
// Throughput: 4 samples a cycle
// Storage:    32 bits

`default_nettype none

module t264_recon (
  input  wire        clk_i,
  input  wire [31:0] pred_i,
  input  wire [71:0] residual_i,  // s18 each
  output reg  [31:0] out_o
);

  // The fraction of a rounded sum goes nowhere.
  /* verilator lint_off UNUSEDSIGNAL */
  reg [17:0] rounded;
  /* verilator lint_on UNUSEDSIGNAL */
  reg [12:0] sum;
  reg [31:0] out;
  integer    i;

  always @* begin
    for (i = 0; i < 4; i = i + 1) begin
      rounded       = residual_i[18*i +: 18] + 18'd32;
      sum           = {rounded[17], rounded[17:6]} + {5'd0, pred_i[8*i +: 8]};
      out[8*i +: 8] = sum[7:0];
      if (sum[11:8] != 4'd0) out[8*i +: 8] = 8'd255;
      if (sum[12]) out[8*i +: 8] = 8'd0;
    end
  end

  always @(posedge clk_i) out_o <= out;

endmodule

`default_nettype wire
