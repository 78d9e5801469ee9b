// The values of a 4x4 sub-block in scan order (clauses 6.5.3 to 6.5.5), from those at
// column * 4 + row, or at row * 4 + column.
//
// Generated from t265/block/scan.go by go generate. Do not edit.
// Mirror: t265/block/scan.go

`default_nettype none

module t265_scan4 #(
  parameter Width = 16  // bits of a value
) (
  input  wire [1:0]          scan_i,   // scanIdx 0..2
  input  wire                rows_i,   // row * 4 + column
  input  wire [16*Width-1:0] values_i,
  output wire [16*Width-1:0] levels_o
);

  wire diagonal = scan_i == 2'd0;
  wire straight = scan_i == (rows_i ? 2'd1 : 2'd2);

  assign levels_o[Width*0 +: Width] = values_i[Width*0 +: Width];
  assign levels_o[Width*1 +: Width] = diagonal
    ? (rows_i ? values_i[Width*4 +: Width] : values_i[Width*1 +: Width])
    : (straight ? values_i[Width*1 +: Width] : values_i[Width*4 +: Width]);
  assign levels_o[Width*2 +: Width] = diagonal
    ? (rows_i ? values_i[Width*1 +: Width] : values_i[Width*4 +: Width])
    : (straight ? values_i[Width*2 +: Width] : values_i[Width*8 +: Width]);
  assign levels_o[Width*3 +: Width] = diagonal
    ? (rows_i ? values_i[Width*8 +: Width] : values_i[Width*2 +: Width])
    : (straight ? values_i[Width*3 +: Width] : values_i[Width*12 +: Width]);
  assign levels_o[Width*4 +: Width] = diagonal
    ? values_i[Width*5 +: Width]
    : (straight ? values_i[Width*4 +: Width] : values_i[Width*1 +: Width]);
  assign levels_o[Width*5 +: Width] = diagonal
    ? (rows_i ? values_i[Width*2 +: Width] : values_i[Width*8 +: Width])
    : values_i[Width*5 +: Width];
  assign levels_o[Width*6 +: Width] = diagonal
    ? (rows_i ? values_i[Width*12 +: Width] : values_i[Width*3 +: Width])
    : (straight ? values_i[Width*6 +: Width] : values_i[Width*9 +: Width]);
  assign levels_o[Width*7 +: Width] = diagonal
    ? (rows_i ? values_i[Width*9 +: Width] : values_i[Width*6 +: Width])
    : (straight ? values_i[Width*7 +: Width] : values_i[Width*13 +: Width]);
  assign levels_o[Width*8 +: Width] = diagonal
    ? (rows_i ? values_i[Width*6 +: Width] : values_i[Width*9 +: Width])
    : (straight ? values_i[Width*8 +: Width] : values_i[Width*2 +: Width]);
  assign levels_o[Width*9 +: Width] = diagonal
    ? (rows_i ? values_i[Width*3 +: Width] : values_i[Width*12 +: Width])
    : (straight ? values_i[Width*9 +: Width] : values_i[Width*6 +: Width]);
  assign levels_o[Width*10 +: Width] = diagonal
    ? (rows_i ? values_i[Width*13 +: Width] : values_i[Width*7 +: Width])
    : values_i[Width*10 +: Width];
  assign levels_o[Width*11 +: Width] = diagonal
    ? values_i[Width*10 +: Width]
    : (straight ? values_i[Width*11 +: Width] : values_i[Width*14 +: Width]);
  assign levels_o[Width*12 +: Width] = diagonal
    ? (rows_i ? values_i[Width*7 +: Width] : values_i[Width*13 +: Width])
    : (straight ? values_i[Width*12 +: Width] : values_i[Width*3 +: Width]);
  assign levels_o[Width*13 +: Width] = diagonal
    ? (rows_i ? values_i[Width*14 +: Width] : values_i[Width*11 +: Width])
    : (straight ? values_i[Width*13 +: Width] : values_i[Width*7 +: Width]);
  assign levels_o[Width*14 +: Width] = diagonal
    ? (rows_i ? values_i[Width*11 +: Width] : values_i[Width*14 +: Width])
    : (straight ? values_i[Width*14 +: Width] : values_i[Width*11 +: Width]);
  assign levels_o[Width*15 +: Width] = values_i[Width*15 +: Width];

endmodule

`default_nettype wire
