// A small odd multiple of a level: levelScale is made of these.
//
// Mirror:     t265/hwenc/quant.go
// Latency:    0
// Throughput: 1
// Storage:    0 bits

`default_nettype none

module t265_multiple #(
  parameter Width = 16  // bits of the value
) (
  input  wire                    one_i,    // 1 times, else by far_i:
  input  wire [1:0]              far_i,    // 1: 3 times, 2: 5 times, 3: 9 times,
  input  wire                    minus_i,  // or 7 instead of 9 times
  input  wire signed [Width-1:0] value_i,
  output wire signed [Width+3:0] multiple_o
);

  wire [Width+3:0] wide = {{4{value_i[Width-1]}}, value_i};
  reg  [Width+3:0] other;

  always @* begin
    case (far_i)
      2'd1: other = wide << 1;
      2'd2: other = wide << 2;
      default: other = wide << 3;
    endcase
    if (one_i) other = {(Width + 4) {1'b0}};
  end

  // One bit below the others carries the one of the difference.
  wire [Width+4:0] sum = {other, 1'b1} + {wide ^ {(Width + 4) {minus_i}}, minus_i};

  wire unused = &{1'b0, sum[0]};

  assign multiple_o = sum[Width+4:1];

endmodule

`default_nettype wire
