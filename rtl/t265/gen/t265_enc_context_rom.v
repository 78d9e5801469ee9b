// initValue of the contexts of an encoder lane (H.265 Tables 9-5 to 9-37, initType 0), by
// their index in the lane.
//
// Generated from t265/hw/enc_order.go and t265/block/context.go by go generate. Do not edit.
// Mirror: t265/hw/enc_order.go

`default_nettype none

module t265_enc_context_rom (
  input wire [6:0] ctx_i,
  output reg [7:0] value_o
);

  always @* begin
    case (ctx_i)
      7'd0: value_o = 8'd140;
      7'd1: value_o = 8'd92;
      7'd2: value_o = 8'd137;
      7'd3: value_o = 8'd138;
      7'd4: value_o = 8'd140;
      7'd5: value_o = 8'd152;
      7'd6: value_o = 8'd138;
      7'd7: value_o = 8'd139;
      7'd8: value_o = 8'd153;
      7'd9: value_o = 8'd74;
      7'd10: value_o = 8'd149;
      7'd11: value_o = 8'd92;
      7'd12: value_o = 8'd139;
      7'd13: value_o = 8'd107;
      7'd14: value_o = 8'd122;
      7'd15: value_o = 8'd152;
      7'd16: value_o = 8'd138;
      7'd17: value_o = 8'd153;
      7'd18: value_o = 8'd136;
      7'd19: value_o = 8'd167;
      7'd20: value_o = 8'd91;
      7'd21: value_o = 8'd171;
      7'd22: value_o = 8'd154;
      7'd23: value_o = 8'd154;
      7'd24: value_o = 8'd111;
      7'd25: value_o = 8'd141;
      7'd26: value_o = 8'd184;
      7'd27: value_o = 8'd184;
      7'd28: value_o = 8'd153;
      7'd29: value_o = 8'd138;
      7'd30: value_o = 8'd138;
      7'd31: value_o = 8'd139;
      7'd32: value_o = 8'd110;
      7'd33: value_o = 8'd110;
      7'd34: value_o = 8'd124;
      7'd35: value_o = 8'd125;
      7'd36: value_o = 8'd140;
      7'd37: value_o = 8'd153;
      7'd38: value_o = 8'd110;
      7'd39: value_o = 8'd110;
      7'd40: value_o = 8'd124;
      7'd41: value_o = 8'd125;
      7'd42: value_o = 8'd140;
      7'd43: value_o = 8'd153;
      7'd44: value_o = 8'd111;
      7'd45: value_o = 8'd111;
      7'd46: value_o = 8'd125;
      7'd47: value_o = 8'd110;
      7'd48: value_o = 8'd110;
      7'd49: value_o = 8'd94;
      7'd50: value_o = 8'd124;
      7'd51: value_o = 8'd108;
      7'd52: value_o = 8'd124;
      7'd53: value_o = 8'd107;
      7'd54: value_o = 8'd125;
      7'd55: value_o = 8'd141;
      7'd56: value_o = 8'd179;
      7'd57: value_o = 8'd153;
      7'd58: value_o = 8'd125;
      7'd59: value_o = 8'd107;
      7'd60: value_o = 8'd125;
      7'd61: value_o = 8'd141;
      7'd62: value_o = 8'd179;
      7'd63: value_o = 8'd153;
      7'd64: value_o = 8'd125;
      7'd65: value_o = 8'd107;
      7'd66: value_o = 8'd125;
      7'd67: value_o = 8'd141;
      7'd68: value_o = 8'd179;
      7'd69: value_o = 8'd153;
      7'd70: value_o = 8'd125;
      7'd71: value_o = 8'd125;
      7'd72: value_o = 8'd127;
      7'd73: value_o = 8'd140;
      7'd74: value_o = 8'd109;
      7'd75: value_o = 8'd125;
      7'd76: value_o = 8'd127;
      7'd77: value_o = 8'd140;
      7'd78: value_o = 8'd109;
      7'd79: value_o = 8'd111;
      7'd80: value_o = 8'd143;
      7'd81: value_o = 8'd127;
      7'd82: value_o = 8'd111;
      7'd83: value_o = 8'd79;
      7'd84: value_o = 8'd111;
      7'd85: value_o = 8'd143;
      7'd86: value_o = 8'd127;
      7'd87: value_o = 8'd111;
      default: value_o = 8'd79;
    endcase
  end

endmodule

`default_nettype wire
