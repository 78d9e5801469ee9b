// Absolute differences of samples.
//
// Mirror:     t264/hwenc/mode.go
// Latency:    0
// Throughput: combinational
// Storage:    none

`default_nettype none

module t264_absdiff #(
  parameter Values = 8  // samples
) (
  input  wire [8*Values-1:0] a_i,
  input  wire [8*Values-1:0] b_i,
  output wire [8*Values-1:0] d_o
);

  genvar g;
  generate
    for (g = 0; g < Values; g = g + 1) begin : gen_diff
      wire [8:0] d = {1'b0, a_i[8*g +: 8]} - {1'b0, b_i[8*g +: 8]};
      assign d_o[8*g +: 8] = (d[7:0] ^ {8{d[8]}}) + {7'd0, d[8]};
    end
  endgenerate

endmodule

`default_nettype wire
