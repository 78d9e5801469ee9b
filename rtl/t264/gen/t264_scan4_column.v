// The levels of a 4x4 block in scan order (zig-zag, clause 8.5.6) with those of a column replaced,
// row 0 lowest.
//
// Generated from t264/block/scan.go by go generate. Do not edit.
// Mirror: t264/block/scan.go

`default_nettype none

module t264_scan4_column #(
  parameter Width = 16  // bits of a level
) (
  input  wire [1:0]          column_i,
  input  wire [4*Width-1:0]  values_i,
  input  wire [16*Width-1:0] levels_i,
  output reg  [16*Width-1:0] levels_o
);

  always @* begin
    levels_o = levels_i;
    case (column_i)
      2'd0: begin
        levels_o[Width*0 +: Width] = values_i[Width*0 +: Width];
        levels_o[Width*2 +: Width] = values_i[Width*1 +: Width];
        levels_o[Width*3 +: Width] = values_i[Width*2 +: Width];
        levels_o[Width*9 +: Width] = values_i[Width*3 +: Width];
      end
      2'd1: begin
        levels_o[Width*1 +: Width] = values_i[Width*0 +: Width];
        levels_o[Width*4 +: Width] = values_i[Width*1 +: Width];
        levels_o[Width*8 +: Width] = values_i[Width*2 +: Width];
        levels_o[Width*10 +: Width] = values_i[Width*3 +: Width];
      end
      2'd2: begin
        levels_o[Width*5 +: Width] = values_i[Width*0 +: Width];
        levels_o[Width*7 +: Width] = values_i[Width*1 +: Width];
        levels_o[Width*11 +: Width] = values_i[Width*2 +: Width];
        levels_o[Width*14 +: Width] = values_i[Width*3 +: Width];
      end
      default: begin
        levels_o[Width*6 +: Width] = values_i[Width*0 +: Width];
        levels_o[Width*12 +: Width] = values_i[Width*1 +: Width];
        levels_o[Width*13 +: Width] = values_i[Width*2 +: Width];
        levels_o[Width*15 +: Width] = values_i[Width*3 +: Width];
      end
    endcase
  end

endmodule

`default_nettype wire
