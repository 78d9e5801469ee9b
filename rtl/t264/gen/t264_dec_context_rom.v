// m and n of the contexts of a decoder lane (H.264 Tables 9-12 to 9-33, I slices), by
// their index in the lane, and the mark of the last one.
//
// Generated from t264/hw/dec_order.go and t264/block/context.go by go generate. Do not edit.
// Mirror: t264/hw/dec_order.go

`default_nettype none

module t264_dec_context_rom (
  input wire [7:0] ctx_i,
  output reg last_o,
  output reg signed [6:0] m_o,
  output reg signed [7:0] n_o
);

  always @* begin
    case (ctx_i)
      8'd0: {last_o, m_o, n_o} = {1'd0, -7'sd7, 8'sd93};
      8'd1: {last_o, m_o, n_o} = {1'd0, -7'sd11, 8'sd87};
      8'd2: {last_o, m_o, n_o} = {1'd0, -7'sd3, 8'sd77};
      8'd3: {last_o, m_o, n_o} = {1'd0, -7'sd5, 8'sd71};
      8'd4: {last_o, m_o, n_o} = {1'd0, -7'sd4, 8'sd63};
      8'd5: {last_o, m_o, n_o} = {1'd0, -7'sd4, 8'sd68};
      8'd6: {last_o, m_o, n_o} = {1'd0, -7'sd12, 8'sd84};
      8'd7: {last_o, m_o, n_o} = {1'd0, -7'sd7, 8'sd62};
      8'd8: {last_o, m_o, n_o} = {1'd0, -7'sd7, 8'sd65};
      8'd9: {last_o, m_o, n_o} = {1'd0, 7'sd8, 8'sd61};
      8'd10: {last_o, m_o, n_o} = {1'd0, 7'sd5, 8'sd56};
      8'd11: {last_o, m_o, n_o} = {1'd0, -7'sd2, 8'sd66};
      8'd12: {last_o, m_o, n_o} = {1'd0, 7'sd1, 8'sd64};
      8'd13: {last_o, m_o, n_o} = {1'd0, 7'sd0, 8'sd61};
      8'd14: {last_o, m_o, n_o} = {1'd0, -7'sd2, 8'sd78};
      8'd15: {last_o, m_o, n_o} = {1'd0, -7'sd17, 8'sd120};
      8'd16: {last_o, m_o, n_o} = {1'd0, -7'sd20, 8'sd112};
      8'd17: {last_o, m_o, n_o} = {1'd0, 7'sd1, 8'sd50};
      8'd18: {last_o, m_o, n_o} = {1'd0, 7'sd7, 8'sd52};
      8'd19: {last_o, m_o, n_o} = {1'd0, 7'sd10, 8'sd35};
      8'd20: {last_o, m_o, n_o} = {1'd0, 7'sd0, 8'sd44};
      8'd21: {last_o, m_o, n_o} = {1'd0, 7'sd11, 8'sd38};
      8'd22: {last_o, m_o, n_o} = {1'd0, 7'sd1, 8'sd45};
      8'd23: {last_o, m_o, n_o} = {1'd0, 7'sd0, 8'sd46};
      8'd24: {last_o, m_o, n_o} = {1'd0, 7'sd5, 8'sd44};
      8'd25: {last_o, m_o, n_o} = {1'd0, 7'sd31, 8'sd17};
      8'd26: {last_o, m_o, n_o} = {1'd0, 7'sd1, 8'sd51};
      8'd27: {last_o, m_o, n_o} = {1'd0, 7'sd7, 8'sd50};
      8'd28: {last_o, m_o, n_o} = {1'd0, 7'sd28, 8'sd19};
      8'd29: {last_o, m_o, n_o} = {1'd0, 7'sd16, 8'sd33};
      8'd30: {last_o, m_o, n_o} = {1'd0, 7'sd14, 8'sd62};
      8'd31: {last_o, m_o, n_o} = {1'd0, -7'sd18, 8'sd114};
      8'd32: {last_o, m_o, n_o} = {1'd0, -7'sd13, 8'sd108};
      8'd33: {last_o, m_o, n_o} = {1'd0, -7'sd15, 8'sd100};
      8'd34: {last_o, m_o, n_o} = {1'd0, -7'sd13, 8'sd101};
      8'd35: {last_o, m_o, n_o} = {1'd0, -7'sd13, 8'sd91};
      8'd36: {last_o, m_o, n_o} = {1'd0, -7'sd12, 8'sd94};
      8'd37: {last_o, m_o, n_o} = {1'd0, -7'sd10, 8'sd88};
      8'd38: {last_o, m_o, n_o} = {1'd0, -7'sd16, 8'sd84};
      8'd39: {last_o, m_o, n_o} = {1'd0, -7'sd10, 8'sd86};
      8'd40: {last_o, m_o, n_o} = {1'd0, -7'sd7, 8'sd83};
      8'd41: {last_o, m_o, n_o} = {1'd0, -7'sd13, 8'sd87};
      8'd42: {last_o, m_o, n_o} = {1'd0, -7'sd19, 8'sd94};
      8'd43: {last_o, m_o, n_o} = {1'd0, 7'sd1, 8'sd70};
      8'd44: {last_o, m_o, n_o} = {1'd0, 7'sd0, 8'sd72};
      8'd45: {last_o, m_o, n_o} = {1'd0, -7'sd5, 8'sd74};
      8'd46: {last_o, m_o, n_o} = {1'd0, 7'sd18, 8'sd59};
      8'd47: {last_o, m_o, n_o} = {1'd0, -7'sd11, 8'sd85};
      8'd48: {last_o, m_o, n_o} = {1'd0, -7'sd15, 8'sd92};
      8'd49: {last_o, m_o, n_o} = {1'd0, -7'sd14, 8'sd89};
      8'd50: {last_o, m_o, n_o} = {1'd0, -7'sd26, 8'sd71};
      8'd51: {last_o, m_o, n_o} = {1'd0, -7'sd15, 8'sd81};
      8'd52: {last_o, m_o, n_o} = {1'd0, -7'sd14, 8'sd80};
      8'd53: {last_o, m_o, n_o} = {1'd0, 7'sd0, 8'sd68};
      8'd54: {last_o, m_o, n_o} = {1'd0, -7'sd14, 8'sd70};
      8'd55: {last_o, m_o, n_o} = {1'd0, -7'sd24, 8'sd56};
      8'd56: {last_o, m_o, n_o} = {1'd0, -7'sd23, 8'sd68};
      8'd57: {last_o, m_o, n_o} = {1'd0, -7'sd24, 8'sd50};
      8'd58: {last_o, m_o, n_o} = {1'd0, -7'sd11, 8'sd74};
      8'd59: {last_o, m_o, n_o} = {1'd0, 7'sd3, 8'sd62};
      8'd60: {last_o, m_o, n_o} = {1'd0, 7'sd0, 8'sd41};
      8'd61: {last_o, m_o, n_o} = {1'd0, 7'sd0, 8'sd63};
      8'd62: {last_o, m_o, n_o} = {1'd0, 7'sd0, 8'sd63};
      8'd63: {last_o, m_o, n_o} = {1'd0, 7'sd0, 8'sd63};
      8'd64: {last_o, m_o, n_o} = {1'd0, 7'sd24, 8'sd0};
      8'd65: {last_o, m_o, n_o} = {1'd0, 7'sd15, 8'sd9};
      8'd66: {last_o, m_o, n_o} = {1'd0, 7'sd8, 8'sd25};
      8'd67: {last_o, m_o, n_o} = {1'd0, 7'sd13, 8'sd18};
      8'd68: {last_o, m_o, n_o} = {1'd0, 7'sd15, 8'sd9};
      8'd69: {last_o, m_o, n_o} = {1'd0, 7'sd13, 8'sd19};
      8'd70: {last_o, m_o, n_o} = {1'd0, 7'sd10, 8'sd37};
      8'd71: {last_o, m_o, n_o} = {1'd0, 7'sd12, 8'sd18};
      8'd72: {last_o, m_o, n_o} = {1'd0, 7'sd6, 8'sd29};
      8'd73: {last_o, m_o, n_o} = {1'd0, 7'sd20, 8'sd33};
      8'd74: {last_o, m_o, n_o} = {1'd0, 7'sd15, 8'sd30};
      8'd75: {last_o, m_o, n_o} = {1'd0, 7'sd4, 8'sd45};
      8'd76: {last_o, m_o, n_o} = {1'd0, 7'sd1, 8'sd58};
      8'd77: {last_o, m_o, n_o} = {1'd0, 7'sd0, 8'sd62};
      8'd78: {last_o, m_o, n_o} = {1'd0, 7'sd7, 8'sd61};
      8'd79: {last_o, m_o, n_o} = {1'd0, 7'sd23, -8'sd13};
      8'd80: {last_o, m_o, n_o} = {1'd0, 7'sd26, -8'sd13};
      8'd81: {last_o, m_o, n_o} = {1'd0, 7'sd12, 8'sd38};
      8'd82: {last_o, m_o, n_o} = {1'd0, 7'sd11, 8'sd45};
      8'd83: {last_o, m_o, n_o} = {1'd0, 7'sd15, 8'sd39};
      8'd84: {last_o, m_o, n_o} = {1'd0, 7'sd11, 8'sd42};
      8'd85: {last_o, m_o, n_o} = {1'd0, 7'sd13, 8'sd44};
      8'd86: {last_o, m_o, n_o} = {1'd0, 7'sd16, 8'sd45};
      8'd87: {last_o, m_o, n_o} = {1'd0, 7'sd12, 8'sd41};
      8'd88: {last_o, m_o, n_o} = {1'd0, 7'sd10, 8'sd49};
      8'd89: {last_o, m_o, n_o} = {1'd0, 7'sd30, 8'sd34};
      8'd90: {last_o, m_o, n_o} = {1'd0, 7'sd18, 8'sd42};
      8'd91: {last_o, m_o, n_o} = {1'd0, 7'sd10, 8'sd55};
      8'd92: {last_o, m_o, n_o} = {1'd0, 7'sd17, 8'sd51};
      8'd93: {last_o, m_o, n_o} = {1'd0, 7'sd17, 8'sd46};
      8'd94: {last_o, m_o, n_o} = {1'd0, 7'sd0, 8'sd89};
      8'd95: {last_o, m_o, n_o} = {1'd0, 7'sd40, -8'sd15};
      8'd96: {last_o, m_o, n_o} = {1'd0, 7'sd26, -8'sd19};
      8'd97: {last_o, m_o, n_o} = {1'd0, 7'sd22, -8'sd17};
      8'd98: {last_o, m_o, n_o} = {1'd0, 7'sd26, -8'sd17};
      8'd99: {last_o, m_o, n_o} = {1'd0, 7'sd30, -8'sd25};
      8'd100: {last_o, m_o, n_o} = {1'd0, 7'sd28, -8'sd20};
      8'd101: {last_o, m_o, n_o} = {1'd0, 7'sd33, -8'sd23};
      8'd102: {last_o, m_o, n_o} = {1'd0, 7'sd37, -8'sd27};
      8'd103: {last_o, m_o, n_o} = {1'd0, 7'sd33, -8'sd23};
      8'd104: {last_o, m_o, n_o} = {1'd0, 7'sd40, -8'sd28};
      8'd105: {last_o, m_o, n_o} = {1'd0, 7'sd38, -8'sd17};
      8'd106: {last_o, m_o, n_o} = {1'd0, 7'sd33, -8'sd11};
      8'd107: {last_o, m_o, n_o} = {1'd0, 7'sd40, -8'sd15};
      8'd108: {last_o, m_o, n_o} = {1'd0, 7'sd41, -8'sd6};
      8'd109: {last_o, m_o, n_o} = {1'd0, 7'sd38, 8'sd1};
      8'd110: {last_o, m_o, n_o} = {1'd0, 7'sd41, 8'sd17};
      8'd111: {last_o, m_o, n_o} = {1'd0, 7'sd49, -8'sd14};
      8'd112: {last_o, m_o, n_o} = {1'd0, 7'sd44, 8'sd3};
      8'd113: {last_o, m_o, n_o} = {1'd0, 7'sd45, 8'sd6};
      8'd114: {last_o, m_o, n_o} = {1'd0, 7'sd44, 8'sd34};
      8'd115: {last_o, m_o, n_o} = {1'd0, 7'sd33, 8'sd54};
      8'd116: {last_o, m_o, n_o} = {1'd0, 7'sd19, 8'sd82};
      8'd128: {last_o, m_o, n_o} = {1'd0, -7'sd3, 8'sd71};
      8'd129: {last_o, m_o, n_o} = {1'd0, -7'sd5, 8'sd67};
      8'd130: {last_o, m_o, n_o} = {1'd0, -7'sd12, 8'sd92};
      8'd131: {last_o, m_o, n_o} = {1'd0, -7'sd3, 8'sd75};
      8'd132: {last_o, m_o, n_o} = {1'd0, -7'sd17, 8'sd123};
      8'd133: {last_o, m_o, n_o} = {1'd0, -7'sd12, 8'sd115};
      8'd134: {last_o, m_o, n_o} = {1'd0, -7'sd16, 8'sd122};
      8'd135: {last_o, m_o, n_o} = {1'd0, -7'sd11, 8'sd115};
      8'd136: {last_o, m_o, n_o} = {1'd0, -7'sd5, 8'sd50};
      8'd137: {last_o, m_o, n_o} = {1'd0, -7'sd3, 8'sd39};
      8'd138: {last_o, m_o, n_o} = {1'd0, -7'sd10, 8'sd60};
      8'd139: {last_o, m_o, n_o} = {1'd0, 7'sd1, 8'sd34};
      8'd140: {last_o, m_o, n_o} = {1'd0, -7'sd3, 8'sd54};
      8'd141: {last_o, m_o, n_o} = {1'd0, -7'sd2, 8'sd44};
      8'd142: {last_o, m_o, n_o} = {1'd0, -7'sd6, 8'sd62};
      8'd143: {last_o, m_o, n_o} = {1'd0, 7'sd1, 8'sd43};
      8'd144: {last_o, m_o, n_o} = {1'd0, -7'sd2, 8'sd62};
      8'd145: {last_o, m_o, n_o} = {1'd0, 7'sd0, 8'sd46};
      8'd146: {last_o, m_o, n_o} = {1'd0, -7'sd4, 8'sd65};
      8'd147: {last_o, m_o, n_o} = {1'd0, 7'sd0, 8'sd54};
      8'd148: {last_o, m_o, n_o} = {1'd0, 7'sd0, 8'sd58};
      8'd149: {last_o, m_o, n_o} = {1'd0, -7'sd16, 8'sd64};
      8'd150: {last_o, m_o, n_o} = {1'd0, -7'sd12, 8'sd73};
      8'd151: {last_o, m_o, n_o} = {1'd0, -7'sd2, 8'sd55};
      8'd152: {last_o, m_o, n_o} = {1'd0, 7'sd1, 8'sd63};
      8'd153: {last_o, m_o, n_o} = {1'd0, -7'sd8, 8'sd68};
      8'd154: {last_o, m_o, n_o} = {1'd0, -7'sd8, 8'sd76};
      8'd155: {last_o, m_o, n_o} = {1'd0, 7'sd0, 8'sd61};
      8'd156: {last_o, m_o, n_o} = {1'd0, -7'sd2, 8'sd72};
      8'd157: {last_o, m_o, n_o} = {1'd0, -7'sd10, 8'sd78};
      8'd158: {last_o, m_o, n_o} = {1'd0, -7'sd7, 8'sd80};
      8'd159: {last_o, m_o, n_o} = {1'd0, 7'sd1, 8'sd64};
      8'd160: {last_o, m_o, n_o} = {1'd0, -7'sd1, 8'sd74};
      8'd161: {last_o, m_o, n_o} = {1'd0, -7'sd6, 8'sd77};
      8'd162: {last_o, m_o, n_o} = {1'd0, -7'sd9, 8'sd88};
      8'd163: {last_o, m_o, n_o} = {1'd0, 7'sd0, 8'sd68};
      8'd164: {last_o, m_o, n_o} = {1'd0, -7'sd9, 8'sd91};
      8'd165: {last_o, m_o, n_o} = {1'd0, -7'sd10, 8'sd86};
      8'd166: {last_o, m_o, n_o} = {1'd0, -7'sd17, 8'sd110};
      8'd167: {last_o, m_o, n_o} = {1'd0, -7'sd9, 8'sd92};
      8'd168: {last_o, m_o, n_o} = {1'd0, 7'sd31, 8'sd21};
      8'd169: {last_o, m_o, n_o} = {1'd0, 7'sd31, 8'sd31};
      8'd170: {last_o, m_o, n_o} = {1'd0, 7'sd25, 8'sd50};
      8'd171: {last_o, m_o, n_o} = {1'd0, 7'sd13, 8'sd41};
      8'd172: {last_o, m_o, n_o} = {1'd0, -7'sd28, 8'sd127};
      8'd173: {last_o, m_o, n_o} = {1'd0, -7'sd23, 8'sd104};
      8'd174: {last_o, m_o, n_o} = {1'd0, -7'sd1, 8'sd54};
      8'd175: {last_o, m_o, n_o} = {1'd0, 7'sd7, 8'sd51};
      8'd176: {last_o, m_o, n_o} = {1'd0, -7'sd12, 8'sd63};
      8'd177: {last_o, m_o, n_o} = {1'd0, -7'sd2, 8'sd68};
      8'd178: {last_o, m_o, n_o} = {1'd0, -7'sd15, 8'sd84};
      8'd179: {last_o, m_o, n_o} = {1'd0, -7'sd13, 8'sd104};
      8'd180: {last_o, m_o, n_o} = {1'd0, -7'sd3, 8'sd70};
      8'd181: {last_o, m_o, n_o} = {1'd0, -7'sd8, 8'sd93};
      8'd182: {last_o, m_o, n_o} = {1'd0, -7'sd10, 8'sd90};
      8'd183: {last_o, m_o, n_o} = {1'd0, -7'sd30, 8'sd127};
      8'd184: {last_o, m_o, n_o} = {1'd0, 7'sd20, -8'sd15};
      8'd185: {last_o, m_o, n_o} = {1'd0, 7'sd2, 8'sd54};
      8'd186: {last_o, m_o, n_o} = {1'd0, 7'sd3, 8'sd74};
      8'd192: {last_o, m_o, n_o} = {1'd0, -7'sd17, 8'sd127};
      8'd193: {last_o, m_o, n_o} = {1'd0, -7'sd13, 8'sd102};
      8'd194: {last_o, m_o, n_o} = {1'd0, 7'sd0, 8'sd82};
      8'd195: {last_o, m_o, n_o} = {1'd0, -7'sd7, 8'sd74};
      8'd196: {last_o, m_o, n_o} = {1'd0, -7'sd6, 8'sd42};
      8'd197: {last_o, m_o, n_o} = {1'd0, -7'sd5, 8'sd27};
      8'd198: {last_o, m_o, n_o} = {1'd0, -7'sd15, 8'sd55};
      8'd199: {last_o, m_o, n_o} = {1'd1, -7'sd1, 8'sd23};
      default: {last_o, m_o, n_o} = {1'd0, 7'sd0, 8'sd0};
    endcase
  end

endmodule

`default_nettype wire
