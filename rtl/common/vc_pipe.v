// One register between two streams.
//
// Mirror:     sim/pipe.go
// Latency:    1
// Throughput: 1 word a cycle; in_ready_o depends combinationally on out_ready_i
// Storage:    Width + 1 bits

`default_nettype none

module vc_pipe #(
  parameter Width = 8  // bits
) (
  input  wire             clk_i,
  input  wire             rst_i,
  input  wire             in_valid_i,
  output wire             in_ready_o,
  input  wire [Width-1:0] in_data_i,
  output wire             out_valid_o,
  input  wire             out_ready_i,
  output wire [Width-1:0] out_data_o
);

  reg             valid_q;
  reg [Width-1:0] data_q;

  assign in_ready_o  = !valid_q || out_ready_i;
  assign out_valid_o = valid_q;
  assign out_data_o  = data_q;

  always @(posedge clk_i) begin
    if (rst_i) valid_q <= 1'b0;
    else if (in_ready_o) valid_q <= in_valid_i;
  end

  always @(posedge clk_i) begin
    if (in_ready_o && in_valid_i) data_q <= in_data_i;
  end

endmodule

`default_nettype wire
