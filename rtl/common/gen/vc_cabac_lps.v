// Ranges of the less probable symbol (H.265 Table 9-46, H.264 Table 9-44). The range for bits
// 7..6 = q of the current range sits in row_o[8*q +: 8].
//
// Generated from internal/cabac/tables.go by go generate. Do not edit.
// Mirror: internal/cabac/tables.go

`default_nettype none

module vc_cabac_lps (
  input wire [5:0] state_i,
  output reg [31:0] row_o
);

  always @* begin
    case (state_i)
      6'd0: row_o = {8'd240, 8'd208, 8'd176, 8'd128};
      6'd1: row_o = {8'd227, 8'd197, 8'd167, 8'd128};
      6'd2: row_o = {8'd216, 8'd187, 8'd158, 8'd128};
      6'd3: row_o = {8'd205, 8'd178, 8'd150, 8'd123};
      6'd4: row_o = {8'd195, 8'd169, 8'd142, 8'd116};
      6'd5: row_o = {8'd185, 8'd160, 8'd135, 8'd111};
      6'd6: row_o = {8'd175, 8'd152, 8'd128, 8'd105};
      6'd7: row_o = {8'd166, 8'd144, 8'd122, 8'd100};
      6'd8: row_o = {8'd158, 8'd137, 8'd116, 8'd95};
      6'd9: row_o = {8'd150, 8'd130, 8'd110, 8'd90};
      6'd10: row_o = {8'd142, 8'd123, 8'd104, 8'd85};
      6'd11: row_o = {8'd135, 8'd117, 8'd99, 8'd81};
      6'd12: row_o = {8'd128, 8'd111, 8'd94, 8'd77};
      6'd13: row_o = {8'd122, 8'd105, 8'd89, 8'd73};
      6'd14: row_o = {8'd116, 8'd100, 8'd85, 8'd69};
      6'd15: row_o = {8'd110, 8'd95, 8'd80, 8'd66};
      6'd16: row_o = {8'd104, 8'd90, 8'd76, 8'd62};
      6'd17: row_o = {8'd99, 8'd86, 8'd72, 8'd59};
      6'd18: row_o = {8'd94, 8'd81, 8'd69, 8'd56};
      6'd19: row_o = {8'd89, 8'd77, 8'd65, 8'd53};
      6'd20: row_o = {8'd85, 8'd73, 8'd62, 8'd51};
      6'd21: row_o = {8'd80, 8'd69, 8'd59, 8'd48};
      6'd22: row_o = {8'd76, 8'd66, 8'd56, 8'd46};
      6'd23: row_o = {8'd72, 8'd63, 8'd53, 8'd43};
      6'd24: row_o = {8'd69, 8'd59, 8'd50, 8'd41};
      6'd25: row_o = {8'd65, 8'd56, 8'd48, 8'd39};
      6'd26: row_o = {8'd62, 8'd54, 8'd45, 8'd37};
      6'd27: row_o = {8'd59, 8'd51, 8'd43, 8'd35};
      6'd28: row_o = {8'd56, 8'd48, 8'd41, 8'd33};
      6'd29: row_o = {8'd53, 8'd46, 8'd39, 8'd32};
      6'd30: row_o = {8'd50, 8'd43, 8'd37, 8'd30};
      6'd31: row_o = {8'd48, 8'd41, 8'd35, 8'd29};
      6'd32: row_o = {8'd45, 8'd39, 8'd33, 8'd27};
      6'd33: row_o = {8'd43, 8'd37, 8'd31, 8'd26};
      6'd34: row_o = {8'd41, 8'd35, 8'd30, 8'd24};
      6'd35: row_o = {8'd39, 8'd33, 8'd28, 8'd23};
      6'd36: row_o = {8'd37, 8'd32, 8'd27, 8'd22};
      6'd37: row_o = {8'd35, 8'd30, 8'd26, 8'd21};
      6'd38: row_o = {8'd33, 8'd29, 8'd24, 8'd20};
      6'd39: row_o = {8'd31, 8'd27, 8'd23, 8'd19};
      6'd40: row_o = {8'd30, 8'd26, 8'd22, 8'd18};
      6'd41: row_o = {8'd28, 8'd25, 8'd21, 8'd17};
      6'd42: row_o = {8'd27, 8'd23, 8'd20, 8'd16};
      6'd43: row_o = {8'd25, 8'd22, 8'd19, 8'd15};
      6'd44: row_o = {8'd24, 8'd21, 8'd18, 8'd14};
      6'd45: row_o = {8'd23, 8'd20, 8'd17, 8'd14};
      6'd46: row_o = {8'd22, 8'd19, 8'd16, 8'd13};
      6'd47: row_o = {8'd21, 8'd18, 8'd15, 8'd12};
      6'd48: row_o = {8'd20, 8'd17, 8'd14, 8'd12};
      6'd49: row_o = {8'd19, 8'd16, 8'd14, 8'd11};
      6'd50: row_o = {8'd18, 8'd15, 8'd13, 8'd11};
      6'd51: row_o = {8'd17, 8'd15, 8'd12, 8'd10};
      6'd52: row_o = {8'd16, 8'd14, 8'd12, 8'd10};
      6'd53: row_o = {8'd15, 8'd13, 8'd11, 8'd9};
      6'd54: row_o = {8'd14, 8'd12, 8'd11, 8'd9};
      6'd55: row_o = {8'd14, 8'd12, 8'd10, 8'd8};
      6'd56: row_o = {8'd13, 8'd11, 8'd9, 8'd8};
      6'd57: row_o = {8'd12, 8'd11, 8'd9, 8'd7};
      6'd58: row_o = {8'd12, 8'd10, 8'd9, 8'd7};
      6'd59: row_o = {8'd11, 8'd10, 8'd8, 8'd7};
      6'd60: row_o = {8'd11, 8'd9, 8'd8, 8'd6};
      6'd61: row_o = {8'd10, 8'd9, 8'd7, 8'd6};
      6'd62: row_o = {8'd9, 8'd8, 8'd7, 8'd6};
      default: row_o = {8'd2, 8'd2, 8'd2, 8'd2};
    endcase
  end

endmodule

`default_nettype wire
