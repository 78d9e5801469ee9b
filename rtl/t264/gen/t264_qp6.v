// Quotient and remainder of a QP by 6.
//
// Generated from t264/dequant.go by go generate. Do not edit.
// Mirror: t264/dequant.go

`default_nettype none

module t264_qp6 (
  input  wire [5:0] qp_i,
  output wire [3:0] div_o,
  output wire [2:0] rem_o
);

  reg [6:0] row;

  assign {div_o, rem_o} = row;

  always @* begin
    case (qp_i)
      6'd0: row = {4'd0, 3'd0};
      6'd1: row = {4'd0, 3'd1};
      6'd2: row = {4'd0, 3'd2};
      6'd3: row = {4'd0, 3'd3};
      6'd4: row = {4'd0, 3'd4};
      6'd5: row = {4'd0, 3'd5};
      6'd6: row = {4'd1, 3'd0};
      6'd7: row = {4'd1, 3'd1};
      6'd8: row = {4'd1, 3'd2};
      6'd9: row = {4'd1, 3'd3};
      6'd10: row = {4'd1, 3'd4};
      6'd11: row = {4'd1, 3'd5};
      6'd12: row = {4'd2, 3'd0};
      6'd13: row = {4'd2, 3'd1};
      6'd14: row = {4'd2, 3'd2};
      6'd15: row = {4'd2, 3'd3};
      6'd16: row = {4'd2, 3'd4};
      6'd17: row = {4'd2, 3'd5};
      6'd18: row = {4'd3, 3'd0};
      6'd19: row = {4'd3, 3'd1};
      6'd20: row = {4'd3, 3'd2};
      6'd21: row = {4'd3, 3'd3};
      6'd22: row = {4'd3, 3'd4};
      6'd23: row = {4'd3, 3'd5};
      6'd24: row = {4'd4, 3'd0};
      6'd25: row = {4'd4, 3'd1};
      6'd26: row = {4'd4, 3'd2};
      6'd27: row = {4'd4, 3'd3};
      6'd28: row = {4'd4, 3'd4};
      6'd29: row = {4'd4, 3'd5};
      6'd30: row = {4'd5, 3'd0};
      6'd31: row = {4'd5, 3'd1};
      6'd32: row = {4'd5, 3'd2};
      6'd33: row = {4'd5, 3'd3};
      6'd34: row = {4'd5, 3'd4};
      6'd35: row = {4'd5, 3'd5};
      6'd36: row = {4'd6, 3'd0};
      6'd37: row = {4'd6, 3'd1};
      6'd38: row = {4'd6, 3'd2};
      6'd39: row = {4'd6, 3'd3};
      6'd40: row = {4'd6, 3'd4};
      6'd41: row = {4'd6, 3'd5};
      6'd42: row = {4'd7, 3'd0};
      6'd43: row = {4'd7, 3'd1};
      6'd44: row = {4'd7, 3'd2};
      6'd45: row = {4'd7, 3'd3};
      6'd46: row = {4'd7, 3'd4};
      6'd47: row = {4'd7, 3'd5};
      6'd48: row = {4'd8, 3'd0};
      6'd49: row = {4'd8, 3'd1};
      6'd50: row = {4'd8, 3'd2};
      default: row = {4'd8, 3'd3};
    endcase
  end

endmodule

`default_nettype wire
