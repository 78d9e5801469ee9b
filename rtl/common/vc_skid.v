// A pair of registers between two streams that cuts the ready path.
//
// Mirror:     sim/skid.go
// Latency:    1
// Throughput: 1 word a cycle; in_ready_o comes from a flip-flop
// Storage:    2 * (Width + 1) bits

`default_nettype none

module vc_skid #(
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
  reg             spare_valid_q;
  reg [Width-1:0] data_q;
  reg [Width-1:0] spare_q;

  wire take = in_valid_i && !spare_valid_q;    // a word enters
  wire load = !valid_q || out_ready_i;         // the main register is free after this edge
  wire fill = load && (spare_valid_q || take); // and gets a word: the spare one first
  wire park = !load && take;                   // the word that enters must wait

  assign in_ready_o  = !spare_valid_q;
  assign out_valid_o = valid_q;
  assign out_data_o  = data_q;

  always @(posedge clk_i) begin
    if (rst_i) begin
      valid_q       <= 1'b0;
      spare_valid_q <= 1'b0;
    end else begin
      if (load) valid_q <= spare_valid_q || take;
      if (load) spare_valid_q <= 1'b0;
      else if (take) spare_valid_q <= 1'b1;
    end
  end

  always @(posedge clk_i) begin
    if (fill) data_q <= spare_valid_q ? spare_q : in_data_i;
    if (park) spare_q <= in_data_i;
  end

endmodule

`default_nettype wire
