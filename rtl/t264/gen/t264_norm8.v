// Scales of 8x8 blocks by QP modulo 6 (equation 8-318), by class.
//
// Generated from t264/block/dequant.go by go generate. Do not edit.
// Mirror: t264/block/dequant.go

`default_nettype none

module t264_norm8 (
  input wire [2:0] rem_i,
  output reg [35:0] row_o
);

  always @* begin
    case (rem_i)
      3'd0: row_o = {6'd24, 6'd25, 6'd19, 6'd32, 6'd18, 6'd20};
      3'd1: row_o = {6'd26, 6'd28, 6'd21, 6'd35, 6'd19, 6'd22};
      3'd2: row_o = {6'd31, 6'd33, 6'd24, 6'd42, 6'd23, 6'd26};
      3'd3: row_o = {6'd33, 6'd35, 6'd26, 6'd45, 6'd25, 6'd28};
      3'd4: row_o = {6'd38, 6'd40, 6'd30, 6'd51, 6'd28, 6'd32};
      default: row_o = {6'd43, 6'd46, 6'd34, 6'd58, 6'd32, 6'd36};
    endcase
  end

endmodule

`default_nettype wire
