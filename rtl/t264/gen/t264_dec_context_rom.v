// m and n of the contexts of a decoder lane (H.264 Tables 9-12 to 9-33, I slices), by their place.
//
// Generated from t264/parse_context.go by go generate. Do not edit.
// Mirror: t264/parse_context.go

`default_nettype none

module t264_dec_context_rom (
  input  wire        [7:0] ctx_i,
  output reg  signed [6:0] m_o,
  output reg  signed [7:0] n_o
);

  always @* begin
    case (ctx_i)
      8'd0: {m_o, n_o} = {-7'sd7, 8'sd93};
      8'd1: {m_o, n_o} = {-7'sd11, 8'sd87};
      8'd2: {m_o, n_o} = {-7'sd3, 8'sd77};
      8'd3: {m_o, n_o} = {-7'sd5, 8'sd71};
      8'd4: {m_o, n_o} = {-7'sd4, 8'sd63};
      8'd5: {m_o, n_o} = {-7'sd4, 8'sd68};
      8'd6: {m_o, n_o} = {-7'sd12, 8'sd84};
      8'd7: {m_o, n_o} = {-7'sd7, 8'sd62};
      8'd8: {m_o, n_o} = {-7'sd7, 8'sd65};
      8'd9: {m_o, n_o} = {7'sd8, 8'sd61};
      8'd10: {m_o, n_o} = {7'sd5, 8'sd56};
      8'd11: {m_o, n_o} = {-7'sd2, 8'sd66};
      8'd12: {m_o, n_o} = {7'sd1, 8'sd64};
      8'd13: {m_o, n_o} = {7'sd0, 8'sd61};
      8'd14: {m_o, n_o} = {-7'sd2, 8'sd78};
      8'd15: {m_o, n_o} = {-7'sd17, 8'sd120};
      8'd16: {m_o, n_o} = {-7'sd20, 8'sd112};
      8'd17: {m_o, n_o} = {7'sd1, 8'sd50};
      8'd18: {m_o, n_o} = {7'sd7, 8'sd52};
      8'd19: {m_o, n_o} = {7'sd10, 8'sd35};
      8'd20: {m_o, n_o} = {7'sd0, 8'sd44};
      8'd21: {m_o, n_o} = {7'sd11, 8'sd38};
      8'd22: {m_o, n_o} = {7'sd1, 8'sd45};
      8'd23: {m_o, n_o} = {7'sd0, 8'sd46};
      8'd24: {m_o, n_o} = {7'sd5, 8'sd44};
      8'd25: {m_o, n_o} = {7'sd31, 8'sd17};
      8'd26: {m_o, n_o} = {7'sd1, 8'sd51};
      8'd27: {m_o, n_o} = {7'sd7, 8'sd50};
      8'd28: {m_o, n_o} = {7'sd28, 8'sd19};
      8'd29: {m_o, n_o} = {7'sd16, 8'sd33};
      8'd30: {m_o, n_o} = {7'sd14, 8'sd62};
      8'd31: {m_o, n_o} = {-7'sd18, 8'sd114};
      8'd32: {m_o, n_o} = {-7'sd13, 8'sd108};
      8'd33: {m_o, n_o} = {-7'sd15, 8'sd100};
      8'd34: {m_o, n_o} = {-7'sd13, 8'sd101};
      8'd35: {m_o, n_o} = {-7'sd13, 8'sd91};
      8'd36: {m_o, n_o} = {-7'sd12, 8'sd94};
      8'd37: {m_o, n_o} = {-7'sd10, 8'sd88};
      8'd38: {m_o, n_o} = {-7'sd16, 8'sd84};
      8'd39: {m_o, n_o} = {-7'sd10, 8'sd86};
      8'd40: {m_o, n_o} = {-7'sd7, 8'sd83};
      8'd41: {m_o, n_o} = {-7'sd13, 8'sd87};
      8'd42: {m_o, n_o} = {-7'sd19, 8'sd94};
      8'd43: {m_o, n_o} = {7'sd1, 8'sd70};
      8'd44: {m_o, n_o} = {7'sd0, 8'sd72};
      8'd45: {m_o, n_o} = {-7'sd5, 8'sd74};
      8'd46: {m_o, n_o} = {7'sd18, 8'sd59};
      8'd47: {m_o, n_o} = {-7'sd11, 8'sd85};
      8'd48: {m_o, n_o} = {-7'sd15, 8'sd92};
      8'd49: {m_o, n_o} = {-7'sd14, 8'sd89};
      8'd50: {m_o, n_o} = {-7'sd26, 8'sd71};
      8'd51: {m_o, n_o} = {-7'sd15, 8'sd81};
      8'd52: {m_o, n_o} = {-7'sd14, 8'sd80};
      8'd53: {m_o, n_o} = {7'sd0, 8'sd68};
      8'd54: {m_o, n_o} = {-7'sd14, 8'sd70};
      8'd55: {m_o, n_o} = {-7'sd24, 8'sd56};
      8'd56: {m_o, n_o} = {-7'sd23, 8'sd68};
      8'd57: {m_o, n_o} = {-7'sd24, 8'sd50};
      8'd58: {m_o, n_o} = {-7'sd11, 8'sd74};
      8'd59: {m_o, n_o} = {7'sd3, 8'sd62};
      8'd60: {m_o, n_o} = {7'sd0, 8'sd41};
      8'd61: {m_o, n_o} = {7'sd0, 8'sd63};
      8'd62: {m_o, n_o} = {7'sd0, 8'sd63};
      8'd63: {m_o, n_o} = {7'sd0, 8'sd63};
      8'd64: {m_o, n_o} = {7'sd24, 8'sd0};
      8'd65: {m_o, n_o} = {7'sd15, 8'sd9};
      8'd66: {m_o, n_o} = {7'sd8, 8'sd25};
      8'd67: {m_o, n_o} = {7'sd13, 8'sd18};
      8'd68: {m_o, n_o} = {7'sd15, 8'sd9};
      8'd69: {m_o, n_o} = {7'sd13, 8'sd19};
      8'd70: {m_o, n_o} = {7'sd10, 8'sd37};
      8'd71: {m_o, n_o} = {7'sd12, 8'sd18};
      8'd72: {m_o, n_o} = {7'sd6, 8'sd29};
      8'd73: {m_o, n_o} = {7'sd20, 8'sd33};
      8'd74: {m_o, n_o} = {7'sd15, 8'sd30};
      8'd75: {m_o, n_o} = {7'sd4, 8'sd45};
      8'd76: {m_o, n_o} = {7'sd1, 8'sd58};
      8'd77: {m_o, n_o} = {7'sd0, 8'sd62};
      8'd78: {m_o, n_o} = {7'sd7, 8'sd61};
      8'd79: {m_o, n_o} = {7'sd23, -8'sd13};
      8'd80: {m_o, n_o} = {7'sd26, -8'sd13};
      8'd81: {m_o, n_o} = {7'sd12, 8'sd38};
      8'd82: {m_o, n_o} = {7'sd11, 8'sd45};
      8'd83: {m_o, n_o} = {7'sd15, 8'sd39};
      8'd84: {m_o, n_o} = {7'sd11, 8'sd42};
      8'd85: {m_o, n_o} = {7'sd13, 8'sd44};
      8'd86: {m_o, n_o} = {7'sd16, 8'sd45};
      8'd87: {m_o, n_o} = {7'sd12, 8'sd41};
      8'd88: {m_o, n_o} = {7'sd10, 8'sd49};
      8'd89: {m_o, n_o} = {7'sd30, 8'sd34};
      8'd90: {m_o, n_o} = {7'sd18, 8'sd42};
      8'd91: {m_o, n_o} = {7'sd10, 8'sd55};
      8'd92: {m_o, n_o} = {7'sd17, 8'sd51};
      8'd93: {m_o, n_o} = {7'sd17, 8'sd46};
      8'd94: {m_o, n_o} = {7'sd0, 8'sd89};
      8'd95: {m_o, n_o} = {7'sd40, -8'sd15};
      8'd96: {m_o, n_o} = {7'sd26, -8'sd19};
      8'd97: {m_o, n_o} = {7'sd22, -8'sd17};
      8'd98: {m_o, n_o} = {7'sd26, -8'sd17};
      8'd99: {m_o, n_o} = {7'sd30, -8'sd25};
      8'd100: {m_o, n_o} = {7'sd28, -8'sd20};
      8'd101: {m_o, n_o} = {7'sd33, -8'sd23};
      8'd102: {m_o, n_o} = {7'sd37, -8'sd27};
      8'd103: {m_o, n_o} = {7'sd33, -8'sd23};
      8'd104: {m_o, n_o} = {7'sd40, -8'sd28};
      8'd105: {m_o, n_o} = {7'sd38, -8'sd17};
      8'd106: {m_o, n_o} = {7'sd33, -8'sd11};
      8'd107: {m_o, n_o} = {7'sd40, -8'sd15};
      8'd108: {m_o, n_o} = {7'sd41, -8'sd6};
      8'd109: {m_o, n_o} = {7'sd38, 8'sd1};
      8'd110: {m_o, n_o} = {7'sd41, 8'sd17};
      8'd111: {m_o, n_o} = {7'sd49, -8'sd14};
      8'd112: {m_o, n_o} = {7'sd44, 8'sd3};
      8'd113: {m_o, n_o} = {7'sd45, 8'sd6};
      8'd114: {m_o, n_o} = {7'sd44, 8'sd34};
      8'd115: {m_o, n_o} = {7'sd33, 8'sd54};
      8'd116: {m_o, n_o} = {7'sd19, 8'sd82};
      8'd128: {m_o, n_o} = {-7'sd3, 8'sd71};
      8'd129: {m_o, n_o} = {-7'sd5, 8'sd67};
      8'd130: {m_o, n_o} = {-7'sd12, 8'sd92};
      8'd131: {m_o, n_o} = {-7'sd3, 8'sd75};
      8'd132: {m_o, n_o} = {-7'sd17, 8'sd123};
      8'd133: {m_o, n_o} = {-7'sd12, 8'sd115};
      8'd134: {m_o, n_o} = {-7'sd16, 8'sd122};
      8'd135: {m_o, n_o} = {-7'sd11, 8'sd115};
      8'd136: {m_o, n_o} = {-7'sd5, 8'sd50};
      8'd137: {m_o, n_o} = {-7'sd3, 8'sd39};
      8'd138: {m_o, n_o} = {-7'sd10, 8'sd60};
      8'd139: {m_o, n_o} = {7'sd1, 8'sd34};
      8'd140: {m_o, n_o} = {-7'sd3, 8'sd54};
      8'd141: {m_o, n_o} = {-7'sd2, 8'sd44};
      8'd142: {m_o, n_o} = {-7'sd6, 8'sd62};
      8'd143: {m_o, n_o} = {7'sd1, 8'sd43};
      8'd144: {m_o, n_o} = {-7'sd2, 8'sd62};
      8'd145: {m_o, n_o} = {7'sd0, 8'sd46};
      8'd146: {m_o, n_o} = {-7'sd4, 8'sd65};
      8'd147: {m_o, n_o} = {7'sd0, 8'sd54};
      8'd148: {m_o, n_o} = {7'sd0, 8'sd58};
      8'd149: {m_o, n_o} = {-7'sd16, 8'sd64};
      8'd150: {m_o, n_o} = {-7'sd12, 8'sd73};
      8'd151: {m_o, n_o} = {-7'sd2, 8'sd55};
      8'd152: {m_o, n_o} = {7'sd1, 8'sd63};
      8'd153: {m_o, n_o} = {-7'sd8, 8'sd68};
      8'd154: {m_o, n_o} = {-7'sd8, 8'sd76};
      8'd155: {m_o, n_o} = {7'sd0, 8'sd61};
      8'd156: {m_o, n_o} = {-7'sd2, 8'sd72};
      8'd157: {m_o, n_o} = {-7'sd10, 8'sd78};
      8'd158: {m_o, n_o} = {-7'sd7, 8'sd80};
      8'd159: {m_o, n_o} = {7'sd1, 8'sd64};
      8'd160: {m_o, n_o} = {-7'sd1, 8'sd74};
      8'd161: {m_o, n_o} = {-7'sd6, 8'sd77};
      8'd162: {m_o, n_o} = {-7'sd9, 8'sd88};
      8'd163: {m_o, n_o} = {7'sd0, 8'sd68};
      8'd164: {m_o, n_o} = {-7'sd9, 8'sd91};
      8'd165: {m_o, n_o} = {-7'sd10, 8'sd86};
      8'd166: {m_o, n_o} = {-7'sd17, 8'sd110};
      8'd167: {m_o, n_o} = {-7'sd9, 8'sd92};
      8'd168: {m_o, n_o} = {7'sd31, 8'sd21};
      8'd169: {m_o, n_o} = {7'sd31, 8'sd31};
      8'd170: {m_o, n_o} = {7'sd25, 8'sd50};
      8'd171: {m_o, n_o} = {7'sd13, 8'sd41};
      8'd172: {m_o, n_o} = {-7'sd28, 8'sd127};
      8'd173: {m_o, n_o} = {-7'sd23, 8'sd104};
      8'd174: {m_o, n_o} = {-7'sd1, 8'sd54};
      8'd175: {m_o, n_o} = {7'sd7, 8'sd51};
      8'd176: {m_o, n_o} = {-7'sd12, 8'sd63};
      8'd177: {m_o, n_o} = {-7'sd2, 8'sd68};
      8'd178: {m_o, n_o} = {-7'sd15, 8'sd84};
      8'd179: {m_o, n_o} = {-7'sd13, 8'sd104};
      8'd180: {m_o, n_o} = {-7'sd3, 8'sd70};
      8'd181: {m_o, n_o} = {-7'sd8, 8'sd93};
      8'd182: {m_o, n_o} = {-7'sd10, 8'sd90};
      8'd183: {m_o, n_o} = {-7'sd30, 8'sd127};
      8'd184: {m_o, n_o} = {7'sd20, -8'sd15};
      8'd185: {m_o, n_o} = {7'sd2, 8'sd54};
      8'd186: {m_o, n_o} = {7'sd3, 8'sd74};
      8'd192: {m_o, n_o} = {-7'sd17, 8'sd127};
      8'd193: {m_o, n_o} = {-7'sd13, 8'sd102};
      8'd194: {m_o, n_o} = {7'sd0, 8'sd82};
      8'd195: {m_o, n_o} = {-7'sd7, 8'sd74};
      8'd196: {m_o, n_o} = {-7'sd6, 8'sd42};
      8'd197: {m_o, n_o} = {-7'sd5, 8'sd27};
      8'd198: {m_o, n_o} = {-7'sd15, 8'sd55};
      8'd199: {m_o, n_o} = {-7'sd1, 8'sd23};
      default: {m_o, n_o} = {7'sd0, 8'sd0};
    endcase
  end

endmodule

`default_nettype wire
