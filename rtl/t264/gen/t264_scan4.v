// The levels of a 4x4 block in scan order (zig-zag, clause 8.5.6), from those at column * 4 + row.
//
// Generated from t264/block/scan.go by go generate. Do not edit.
// Mirror: t264/block/scan.go

`default_nettype none

module t264_scan4 #(
  parameter Width = 16  // bits of a level
) (
  input  wire [16*Width-1:0] block_i,
  output wire [16*Width-1:0] levels_o
);

  assign levels_o[Width*0 +: Width] = block_i[Width*0 +: Width];
  assign levels_o[Width*1 +: Width] = block_i[Width*4 +: Width];
  assign levels_o[Width*2 +: Width] = block_i[Width*1 +: Width];
  assign levels_o[Width*3 +: Width] = block_i[Width*2 +: Width];
  assign levels_o[Width*4 +: Width] = block_i[Width*5 +: Width];
  assign levels_o[Width*5 +: Width] = block_i[Width*8 +: Width];
  assign levels_o[Width*6 +: Width] = block_i[Width*12 +: Width];
  assign levels_o[Width*7 +: Width] = block_i[Width*9 +: Width];
  assign levels_o[Width*8 +: Width] = block_i[Width*6 +: Width];
  assign levels_o[Width*9 +: Width] = block_i[Width*3 +: Width];
  assign levels_o[Width*10 +: Width] = block_i[Width*7 +: Width];
  assign levels_o[Width*11 +: Width] = block_i[Width*10 +: Width];
  assign levels_o[Width*12 +: Width] = block_i[Width*13 +: Width];
  assign levels_o[Width*13 +: Width] = block_i[Width*14 +: Width];
  assign levels_o[Width*14 +: Width] = block_i[Width*11 +: Width];
  assign levels_o[Width*15 +: Width] = block_i[Width*15 +: Width];

endmodule

`default_nettype wire
