// Eight values in another order: that of place i goes to place i ^ mask.
//
// Mirror:     t265/hwenc/transform.go
// Latency:    0
// Throughput: 8 values a cycle
// Storage:    none

`default_nettype none

module t265_permute8 #(
  parameter Width = 16  // bits of a value
) (
  input  wire [2:0]         mask_i,
  input  wire [8*Width-1:0] values_i,
  output wire [8*Width-1:0] values_o
);

  wire [8*Width-1:0] four = mask_i[2] ? {values_i[4*Width-1:0], values_i[8*Width-1:4*Width]}
                                      : values_i;
  wire [8*Width-1:0] two;

  genvar g;
  generate
    for (g = 0; g < 2; g = g + 1) begin : gen_half
      wire [4*Width-1:0] in = four[4*Width*g +: 4*Width];

      assign two[4*Width*g +: 4*Width] = mask_i[1] ? {in[2*Width-1:0], in[4*Width-1:2*Width]} : in;
    end
    for (g = 0; g < 4; g = g + 1) begin : gen_pair
      wire [2*Width-1:0] in = two[2*Width*g +: 2*Width];

      assign values_o[2*Width*g +: 2*Width] = mask_i[0] ? {in[Width-1:0], in[2*Width-1:Width]} : in;
    end
  endgenerate

endmodule

`default_nettype wire
