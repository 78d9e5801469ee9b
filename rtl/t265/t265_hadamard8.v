// Hadamard transform of eight values, in natural order.
//
// Mirror:     t265/block/open.go, Hadamard8
// Latency:    0
// Throughput: combinational
// Storage:    none

`default_nettype none

module t265_hadamard8 #(
  parameter Bits = 8  // of a value, signed
) (
  input  wire [8*Bits-1:0]     in_i,
  output wire [8*(Bits+3)-1:0] out_o
);

  localparam OUT = Bits + 3;

  reg signed [OUT-1:0] v [0:7];
  reg signed [OUT-1:0] w [0:7];

  reg [8*OUT-1:0] out;
  integer         i;

  assign out_o = out;

  always @* begin
    for (i = 0; i < 8; i = i + 1) v[i] = {{3{in_i[Bits*i+Bits-1]}}, in_i[Bits*i +: Bits]};
    for (i = 0; i < 8; i = i + 2) begin
      w[i]   = v[i] + v[i+1];
      w[i+1] = v[i] - v[i+1];
    end
    for (i = 0; i < 8; i = i + 4) begin
      v[i]   = w[i] + w[i+2];
      v[i+1] = w[i+1] + w[i+3];
      v[i+2] = w[i] - w[i+2];
      v[i+3] = w[i+1] - w[i+3];
    end
    for (i = 0; i < 4; i = i + 1) begin
      out[OUT*i +: OUT]     = v[i] + v[i+4];
      out[OUT*(i+4) +: OUT] = v[i] - v[i+4];
    end
  end

endmodule

`default_nettype wire
