// A row of a 4x4 block, column 0 lowest, from the levels in scan order (zig-zag, clause 8.5.6).
//
// Generated from t264/block/scan.go by go generate. Do not edit.
// Mirror: t264/block/scan.go

`default_nettype none

module t264_scan4_row #(
  parameter Width = 16  // bits of a level
) (
  input  wire [1:0]          row_i,
  input  wire [16*Width-1:0] levels_i,
  output reg  [4*Width-1:0]  values_o
);

  always @* begin
    case (row_i)
      2'd0: begin
        values_o[Width*0 +: Width] = levels_i[Width*0 +: Width];
        values_o[Width*1 +: Width] = levels_i[Width*1 +: Width];
        values_o[Width*2 +: Width] = levels_i[Width*5 +: Width];
        values_o[Width*3 +: Width] = levels_i[Width*6 +: Width];
      end
      2'd1: begin
        values_o[Width*0 +: Width] = levels_i[Width*2 +: Width];
        values_o[Width*1 +: Width] = levels_i[Width*4 +: Width];
        values_o[Width*2 +: Width] = levels_i[Width*7 +: Width];
        values_o[Width*3 +: Width] = levels_i[Width*12 +: Width];
      end
      2'd2: begin
        values_o[Width*0 +: Width] = levels_i[Width*3 +: Width];
        values_o[Width*1 +: Width] = levels_i[Width*8 +: Width];
        values_o[Width*2 +: Width] = levels_i[Width*11 +: Width];
        values_o[Width*3 +: Width] = levels_i[Width*13 +: Width];
      end
      default: begin
        values_o[Width*0 +: Width] = levels_i[Width*9 +: Width];
        values_o[Width*1 +: Width] = levels_i[Width*10 +: Width];
        values_o[Width*2 +: Width] = levels_i[Width*14 +: Width];
        values_o[Width*3 +: Width] = levels_i[Width*15 +: Width];
      end
    endcase
  end

endmodule

`default_nettype wire
