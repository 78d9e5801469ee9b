// A clock gate: the enable of a cycle lets the clock through in the next one.
//
// This is a model for simulation, which synthesis replaces by an integrated clock
// gate of the library: a latch that holds the enable while the clock is high, and an
// AND. Written so, its clock would rise before flip-flops have sampled what hangs on
// it; here it rises as they change.
//
// Mirror:     sim/ram.go
// Latency:    1 from the enable to the clock
// Throughput: 1 pulse a cycle
// Storage:    1 bit

`default_nettype none

module vc_clock_gate (
  input  wire clk_i,
  input  wire en_i,
  output wire clk_o
);

  reg clk_q;

  assign clk_o = clk_q;

  always @(posedge clk_i or negedge clk_i)
    clk_q <= clk_i && en_i;

endmodule

`default_nettype wire
