// Scan position in a 4x4 sub-block of the coefficient in a row and a column (clauses 6.5.3 to
// 6.5.5): scanIdx above row above column.
//
// Generated from t265/block/scan.go by go generate. Do not edit.
// Mirror: t265/block/scan.go

`default_nettype none

module t265_place4 (
  input wire [5:0] scan_y_x_i,
  output reg [3:0] k_o
);

  always @* begin
    case (scan_y_x_i)
      6'd0: k_o = 4'd0;
      6'd1: k_o = 4'd2;
      6'd2: k_o = 4'd5;
      6'd3: k_o = 4'd9;
      6'd4: k_o = 4'd1;
      6'd5: k_o = 4'd4;
      6'd6: k_o = 4'd8;
      6'd7: k_o = 4'd12;
      6'd8: k_o = 4'd3;
      6'd9: k_o = 4'd7;
      6'd10: k_o = 4'd11;
      6'd11: k_o = 4'd14;
      6'd12: k_o = 4'd6;
      6'd13: k_o = 4'd10;
      6'd14: k_o = 4'd13;
      6'd15: k_o = 4'd15;
      6'd16: k_o = 4'd0;
      6'd17: k_o = 4'd1;
      6'd18: k_o = 4'd2;
      6'd19: k_o = 4'd3;
      6'd20: k_o = 4'd4;
      6'd21: k_o = 4'd5;
      6'd22: k_o = 4'd6;
      6'd23: k_o = 4'd7;
      6'd24: k_o = 4'd8;
      6'd25: k_o = 4'd9;
      6'd26: k_o = 4'd10;
      6'd27: k_o = 4'd11;
      6'd28: k_o = 4'd12;
      6'd29: k_o = 4'd13;
      6'd30: k_o = 4'd14;
      6'd31: k_o = 4'd15;
      6'd32: k_o = 4'd0;
      6'd33: k_o = 4'd4;
      6'd34: k_o = 4'd8;
      6'd35: k_o = 4'd12;
      6'd36: k_o = 4'd1;
      6'd37: k_o = 4'd5;
      6'd38: k_o = 4'd9;
      6'd39: k_o = 4'd13;
      6'd40: k_o = 4'd2;
      6'd41: k_o = 4'd6;
      6'd42: k_o = 4'd10;
      6'd43: k_o = 4'd14;
      6'd44: k_o = 4'd3;
      6'd45: k_o = 4'd7;
      6'd46: k_o = 4'd11;
      default: k_o = 4'd15;
    endcase
  end

endmodule

`default_nettype wire
