// The level of a product of a magnitude and the scale (package t265, quantisation): it is
// shifted, so that it is in 1/64 quantiser step, and rounded with the dead zone.
//
// Mirror:     t265/hwenc/quant.go
// Latency:    0
// Throughput: 1
// Storage:    0 bits

`default_nettype none

module t265_round #(
  parameter Units = 19  // bits of the magnitude in 1/64 step
) (
  input  wire [Units:0]   product_i,
  input  wire [3:0]       shift_i,
  output wire [Units-7:0] level_o,
  output wire             zero_o,     // it was below 1/64 step,
  output wire             none_o,     // below one
  output wire             up_o,       // and rounded up
  output wire [5:0]       error_o     // in 1/64 step, 0..38
);

  // As roundFrom0 and roundFrom1 in t265/block/quant.go.
  localparam [5:0] UP_ZERO = 6'd39;  // rest from which a level of zero is rounded up
  localparam [5:0] UP_MORE = 6'd36;  // and any other

  wire [Units:0]   units = product_i >> shift_i;
  wire [5:0]       rest  = units[5:0];
  wire [Units-7:0] whole = units[Units-1:6];

  wire unused = &{1'b0, units[Units]};

  assign zero_o  = none_o && rest == 6'd0;
  assign none_o  = whole == {(Units - 6) {1'b0}};
  assign up_o    = rest >= (none_o ? UP_ZERO : UP_MORE);
  assign level_o = whole + {{(Units - 7) {1'b0}}, up_o};
  assign error_o = (rest ^ {6{up_o}}) + {5'd0, up_o};

endmodule

`default_nettype wire
