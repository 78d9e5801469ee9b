// What a Hadamard coefficient costs: by how much its logarithm, in half octaves, is
// above a threshold.
//
// Mirror:     t265/hwenc/mode.go
// Latency:    0
// Throughput: combinational
// Storage:    none

`default_nettype none

module t265_mode_cost (
  input  wire [14:0] value_i,      // signed
  input  wire [4:0]  threshold_i,  // 0..17
  output wire [4:0]  cost_o
);

  // The place of the leading one, and the bit below it.
  wire [13:0] m     = value_i[13:0] ^ {14{value_i[14]}};
  wire        high8 = |m[13:8];
  wire [8:0]  m8    = high8 ? {2'd0, m[13:7]} : {m[7:0], 1'b0};
  wire        high4 = |m8[8:5];
  wire [4:0]  m4    = high4 ? m8[8:4] : m8[4:0];
  wire        high2 = |m4[4:3];
  wire [2:0]  m2    = high2 ? m4[4:2] : m4[2:0];
  wire        below = m2[2] ? m2[1] : m2[0];
  wire [5:0]  over  = {1'b0, high8, high4, high2, m2[2], below} - {1'b0, threshold_i};

  assign cost_o = over[4:0] & {5{!over[5]}};

endmodule

`default_nettype wire
