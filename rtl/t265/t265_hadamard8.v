// Hadamard transform of eight values, in natural order.
//
// Mirror:     t265/hwenc/mode.go
// Latency:    0
// Throughput: combinational
// Storage:    none

`default_nettype none

module t265_hadamard8 #(
  parameter Width = 8  // of a value, signed
) (
  input  wire [8*Width-1:0]     in_i,
  output wire [8*(Width+3)-1:0] out_o
);

  localparam OUT = Width + 3;

  // Sums and differences of values one, two and four places apart.
  wire [8*OUT-1:0] one;
  wire [8*OUT-1:0] two;

  genvar i;
  generate
    for (i = 0; i < 8; i = i + 1) begin : gen_value
      localparam B = OUT * (i - i % 4 + i % 2);
      localparam C = OUT * (i % 4);
      localparam U = Width * (i - i % 2);

      wire [OUT-1:0] low  = {{3{in_i[U+Width-1]}}, in_i[U +: Width]};
      wire [OUT-1:0] high = {{3{in_i[U+2*Width-1]}}, in_i[U+Width +: Width]};

      assign one[OUT*i +: OUT]   = i % 2 == 0 ? low + high : low - high;
      assign two[OUT*i +: OUT]   = i % 4 < 2 ? one[B +: OUT] + one[B+2*OUT +: OUT]
                                         : one[B +: OUT] - one[B+2*OUT +: OUT];
      assign out_o[OUT*i +: OUT] = i < 4 ? two[C +: OUT] + two[C+4*OUT +: OUT]
                                         : two[C +: OUT] - two[C+4*OUT +: OUT];
    end
  endgenerate

endmodule

`default_nettype wire
