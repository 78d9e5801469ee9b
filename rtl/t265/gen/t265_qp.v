// Quotient and remainder of a QP by 6, the remainder as one bit of six.
//
// Generated from t265/block/dequant.go by go generate. Do not edit.
// Mirror: t265/block/dequant.go

`default_nettype none

module t265_qp (
  input wire [5:0] qp_i,
  output reg [3:0] div_o,
  output reg [5:0] rem_o
);

  always @* begin
    case (qp_i)
      6'd0: {div_o, rem_o} = {4'd0, 6'd1};
      6'd1: {div_o, rem_o} = {4'd0, 6'd2};
      6'd2: {div_o, rem_o} = {4'd0, 6'd4};
      6'd3: {div_o, rem_o} = {4'd0, 6'd8};
      6'd4: {div_o, rem_o} = {4'd0, 6'd16};
      6'd5: {div_o, rem_o} = {4'd0, 6'd32};
      6'd6: {div_o, rem_o} = {4'd1, 6'd1};
      6'd7: {div_o, rem_o} = {4'd1, 6'd2};
      6'd8: {div_o, rem_o} = {4'd1, 6'd4};
      6'd9: {div_o, rem_o} = {4'd1, 6'd8};
      6'd10: {div_o, rem_o} = {4'd1, 6'd16};
      6'd11: {div_o, rem_o} = {4'd1, 6'd32};
      6'd12: {div_o, rem_o} = {4'd2, 6'd1};
      6'd13: {div_o, rem_o} = {4'd2, 6'd2};
      6'd14: {div_o, rem_o} = {4'd2, 6'd4};
      6'd15: {div_o, rem_o} = {4'd2, 6'd8};
      6'd16: {div_o, rem_o} = {4'd2, 6'd16};
      6'd17: {div_o, rem_o} = {4'd2, 6'd32};
      6'd18: {div_o, rem_o} = {4'd3, 6'd1};
      6'd19: {div_o, rem_o} = {4'd3, 6'd2};
      6'd20: {div_o, rem_o} = {4'd3, 6'd4};
      6'd21: {div_o, rem_o} = {4'd3, 6'd8};
      6'd22: {div_o, rem_o} = {4'd3, 6'd16};
      6'd23: {div_o, rem_o} = {4'd3, 6'd32};
      6'd24: {div_o, rem_o} = {4'd4, 6'd1};
      6'd25: {div_o, rem_o} = {4'd4, 6'd2};
      6'd26: {div_o, rem_o} = {4'd4, 6'd4};
      6'd27: {div_o, rem_o} = {4'd4, 6'd8};
      6'd28: {div_o, rem_o} = {4'd4, 6'd16};
      6'd29: {div_o, rem_o} = {4'd4, 6'd32};
      6'd30: {div_o, rem_o} = {4'd5, 6'd1};
      6'd31: {div_o, rem_o} = {4'd5, 6'd2};
      6'd32: {div_o, rem_o} = {4'd5, 6'd4};
      6'd33: {div_o, rem_o} = {4'd5, 6'd8};
      6'd34: {div_o, rem_o} = {4'd5, 6'd16};
      6'd35: {div_o, rem_o} = {4'd5, 6'd32};
      6'd36: {div_o, rem_o} = {4'd6, 6'd1};
      6'd37: {div_o, rem_o} = {4'd6, 6'd2};
      6'd38: {div_o, rem_o} = {4'd6, 6'd4};
      6'd39: {div_o, rem_o} = {4'd6, 6'd8};
      6'd40: {div_o, rem_o} = {4'd6, 6'd16};
      6'd41: {div_o, rem_o} = {4'd6, 6'd32};
      6'd42: {div_o, rem_o} = {4'd7, 6'd1};
      6'd43: {div_o, rem_o} = {4'd7, 6'd2};
      6'd44: {div_o, rem_o} = {4'd7, 6'd4};
      6'd45: {div_o, rem_o} = {4'd7, 6'd8};
      6'd46: {div_o, rem_o} = {4'd7, 6'd16};
      6'd47: {div_o, rem_o} = {4'd7, 6'd32};
      6'd48: {div_o, rem_o} = {4'd8, 6'd1};
      6'd49: {div_o, rem_o} = {4'd8, 6'd2};
      6'd50: {div_o, rem_o} = {4'd8, 6'd4};
      default: {div_o, rem_o} = {4'd8, 6'd8};
    endcase
  end

endmodule

`default_nettype wire
