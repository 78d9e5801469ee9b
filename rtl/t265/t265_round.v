// The level of a magnitude in 1/64 quantiser step, rounded with the dead zone (package
// t265, quantisation), and how far it is off.
//
// Mirror:     t265/hwenc/quant.go
// Latency:    0
// Throughput: 1
// Storage:    0 bits

`default_nettype none

module t265_round #(
  parameter Units = 19  // bits of the magnitude in 1/64 step
) (
  input  wire [Units-1:0] units_i,
  output wire [Units-7:0] whole_o,  // the level, less one if it was rounded up
  output wire             none_o,   // it was below one
  output wire             up_o,     // it was rounded up
  output wire [5:0]       error_o   // in 1/64 step, 0..38
);

  // As roundFrom0 and roundFrom1 in t265/block/quant.go.
  localparam [5:0] UP_ZERO = 6'd39;  // rest from which a level of zero is rounded up
  localparam [5:0] UP_MORE = 6'd36;  // and any other

  wire [5:0]       rest  = units_i[5:0];
  wire [Units-7:0] whole = units_i[Units-1:6];

  assign none_o  = whole == {(Units - 6) {1'b0}};
  assign up_o    = rest >= (none_o ? UP_ZERO : UP_MORE);
  assign whole_o = whole;
  assign error_o = (rest ^ {6{up_o}}) + {5'd0, up_o};

endmodule

`default_nettype wire
