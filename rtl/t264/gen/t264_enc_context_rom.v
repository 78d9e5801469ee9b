// m and n of the contexts of an encoder lane (H.264 Tables 9-12 to 9-33, I slices), by
// their index in the lane, and the mark of the last one.
//
// Generated from t264/hw/enc_order.go and t264/block/context.go by go generate. Do not edit.
// Mirror: t264/hw/enc_order.go

`default_nettype none

module t264_enc_context_rom (
  input wire [6:0] ctx_i,
  output reg last_o,
  output reg signed [6:0] m_o,
  output reg signed [7:0] n_o
);

  always @* begin
    case (ctx_i)
      7'd0: {last_o, m_o, n_o} = {1'd0, -7'sd7, 8'sd93};
      7'd1: {last_o, m_o, n_o} = {1'd0, -7'sd11, 8'sd87};
      7'd2: {last_o, m_o, n_o} = {1'd0, -7'sd3, 8'sd77};
      7'd3: {last_o, m_o, n_o} = {1'd0, -7'sd5, 8'sd71};
      7'd4: {last_o, m_o, n_o} = {1'd0, -7'sd4, 8'sd63};
      7'd5: {last_o, m_o, n_o} = {1'd0, -7'sd4, 8'sd68};
      7'd6: {last_o, m_o, n_o} = {1'd0, -7'sd12, 8'sd84};
      7'd7: {last_o, m_o, n_o} = {1'd0, -7'sd7, 8'sd62};
      7'd8: {last_o, m_o, n_o} = {1'd0, -7'sd7, 8'sd65};
      7'd9: {last_o, m_o, n_o} = {1'd0, 7'sd8, 8'sd61};
      7'd10: {last_o, m_o, n_o} = {1'd0, 7'sd5, 8'sd56};
      7'd11: {last_o, m_o, n_o} = {1'd0, -7'sd2, 8'sd66};
      7'd12: {last_o, m_o, n_o} = {1'd0, 7'sd1, 8'sd64};
      7'd13: {last_o, m_o, n_o} = {1'd0, 7'sd0, 8'sd61};
      7'd14: {last_o, m_o, n_o} = {1'd0, -7'sd2, 8'sd78};
      7'd15: {last_o, m_o, n_o} = {1'd0, -7'sd1, 8'sd54};
      7'd16: {last_o, m_o, n_o} = {1'd0, 7'sd7, 8'sd51};
      7'd17: {last_o, m_o, n_o} = {1'd0, 7'sd1, 8'sd50};
      7'd18: {last_o, m_o, n_o} = {1'd0, 7'sd7, 8'sd52};
      7'd19: {last_o, m_o, n_o} = {1'd0, 7'sd10, 8'sd35};
      7'd20: {last_o, m_o, n_o} = {1'd0, 7'sd0, 8'sd44};
      7'd21: {last_o, m_o, n_o} = {1'd0, 7'sd11, 8'sd38};
      7'd22: {last_o, m_o, n_o} = {1'd0, 7'sd1, 8'sd45};
      7'd23: {last_o, m_o, n_o} = {1'd0, 7'sd0, 8'sd46};
      7'd24: {last_o, m_o, n_o} = {1'd0, 7'sd5, 8'sd44};
      7'd25: {last_o, m_o, n_o} = {1'd0, 7'sd31, 8'sd17};
      7'd26: {last_o, m_o, n_o} = {1'd0, 7'sd1, 8'sd51};
      7'd27: {last_o, m_o, n_o} = {1'd0, 7'sd7, 8'sd50};
      7'd28: {last_o, m_o, n_o} = {1'd0, 7'sd28, 8'sd19};
      7'd29: {last_o, m_o, n_o} = {1'd0, 7'sd16, 8'sd33};
      7'd30: {last_o, m_o, n_o} = {1'd0, 7'sd14, 8'sd62};
      7'd31: {last_o, m_o, n_o} = {1'd0, 7'sd0, 8'sd41};
      7'd32: {last_o, m_o, n_o} = {1'd0, 7'sd24, 8'sd0};
      7'd33: {last_o, m_o, n_o} = {1'd0, 7'sd15, 8'sd9};
      7'd34: {last_o, m_o, n_o} = {1'd0, 7'sd8, 8'sd25};
      7'd35: {last_o, m_o, n_o} = {1'd0, 7'sd13, 8'sd18};
      7'd36: {last_o, m_o, n_o} = {1'd0, 7'sd15, 8'sd9};
      7'd37: {last_o, m_o, n_o} = {1'd0, 7'sd13, 8'sd19};
      7'd38: {last_o, m_o, n_o} = {1'd0, 7'sd10, 8'sd37};
      7'd39: {last_o, m_o, n_o} = {1'd0, 7'sd12, 8'sd18};
      7'd40: {last_o, m_o, n_o} = {1'd0, 7'sd6, 8'sd29};
      7'd41: {last_o, m_o, n_o} = {1'd0, 7'sd20, 8'sd33};
      7'd42: {last_o, m_o, n_o} = {1'd0, 7'sd15, 8'sd30};
      7'd43: {last_o, m_o, n_o} = {1'd0, 7'sd4, 8'sd45};
      7'd44: {last_o, m_o, n_o} = {1'd0, 7'sd1, 8'sd58};
      7'd45: {last_o, m_o, n_o} = {1'd0, 7'sd0, 8'sd62};
      7'd46: {last_o, m_o, n_o} = {1'd0, 7'sd7, 8'sd61};
      7'd47: {last_o, m_o, n_o} = {1'd0, 7'sd0, 8'sd63};
      7'd48: {last_o, m_o, n_o} = {1'd0, 7'sd0, 8'sd63};
      7'd49: {last_o, m_o, n_o} = {1'd0, 7'sd12, 8'sd38};
      7'd50: {last_o, m_o, n_o} = {1'd0, 7'sd11, 8'sd45};
      7'd51: {last_o, m_o, n_o} = {1'd0, 7'sd15, 8'sd39};
      7'd52: {last_o, m_o, n_o} = {1'd0, 7'sd11, 8'sd42};
      7'd53: {last_o, m_o, n_o} = {1'd0, 7'sd13, 8'sd44};
      7'd54: {last_o, m_o, n_o} = {1'd0, 7'sd16, 8'sd45};
      7'd55: {last_o, m_o, n_o} = {1'd0, 7'sd12, 8'sd41};
      7'd56: {last_o, m_o, n_o} = {1'd0, 7'sd10, 8'sd49};
      7'd57: {last_o, m_o, n_o} = {1'd0, 7'sd30, 8'sd34};
      7'd58: {last_o, m_o, n_o} = {1'd0, 7'sd18, 8'sd42};
      7'd59: {last_o, m_o, n_o} = {1'd0, 7'sd10, 8'sd55};
      7'd60: {last_o, m_o, n_o} = {1'd0, 7'sd17, 8'sd51};
      7'd61: {last_o, m_o, n_o} = {1'd0, 7'sd17, 8'sd46};
      7'd62: {last_o, m_o, n_o} = {1'd0, 7'sd0, 8'sd89};
      7'd63: {last_o, m_o, n_o} = {1'd0, 7'sd0, 8'sd63};
      7'd64: {last_o, m_o, n_o} = {1'd0, -7'sd3, 8'sd71};
      7'd65: {last_o, m_o, n_o} = {1'd0, -7'sd6, 8'sd42};
      7'd66: {last_o, m_o, n_o} = {1'd0, -7'sd5, 8'sd50};
      7'd67: {last_o, m_o, n_o} = {1'd0, -7'sd3, 8'sd54};
      7'd68: {last_o, m_o, n_o} = {1'd0, -7'sd2, 8'sd62};
      7'd69: {last_o, m_o, n_o} = {1'd0, 7'sd0, 8'sd58};
      7'd70: {last_o, m_o, n_o} = {1'd0, 7'sd1, 8'sd63};
      7'd71: {last_o, m_o, n_o} = {1'd0, -7'sd2, 8'sd72};
      7'd72: {last_o, m_o, n_o} = {1'd0, -7'sd1, 8'sd74};
      7'd73: {last_o, m_o, n_o} = {1'd0, -7'sd9, 8'sd91};
      7'd74: {last_o, m_o, n_o} = {1'd0, 7'sd20, -8'sd15};
      7'd75: {last_o, m_o, n_o} = {1'd0, 7'sd2, 8'sd54};
      7'd76: {last_o, m_o, n_o} = {1'd0, -7'sd17, 8'sd123};
      7'd77: {last_o, m_o, n_o} = {1'd0, -7'sd12, 8'sd115};
      7'd78: {last_o, m_o, n_o} = {1'd0, -7'sd16, 8'sd122};
      7'd79: {last_o, m_o, n_o} = {1'd0, -7'sd11, 8'sd115};
      7'd80: {last_o, m_o, n_o} = {1'd0, -7'sd5, 8'sd67};
      7'd81: {last_o, m_o, n_o} = {1'd0, -7'sd5, 8'sd27};
      7'd82: {last_o, m_o, n_o} = {1'd0, -7'sd3, 8'sd39};
      7'd83: {last_o, m_o, n_o} = {1'd0, -7'sd2, 8'sd44};
      7'd84: {last_o, m_o, n_o} = {1'd0, 7'sd0, 8'sd46};
      7'd85: {last_o, m_o, n_o} = {1'd0, -7'sd16, 8'sd64};
      7'd86: {last_o, m_o, n_o} = {1'd0, -7'sd8, 8'sd68};
      7'd87: {last_o, m_o, n_o} = {1'd0, -7'sd10, 8'sd78};
      7'd88: {last_o, m_o, n_o} = {1'd0, -7'sd6, 8'sd77};
      7'd89: {last_o, m_o, n_o} = {1'd0, -7'sd10, 8'sd86};
      7'd90: {last_o, m_o, n_o} = {1'd0, -7'sd28, 8'sd127};
      7'd91: {last_o, m_o, n_o} = {1'd0, -7'sd23, 8'sd104};
      7'd92: {last_o, m_o, n_o} = {1'd0, -7'sd12, 8'sd63};
      7'd93: {last_o, m_o, n_o} = {1'd0, -7'sd2, 8'sd68};
      7'd94: {last_o, m_o, n_o} = {1'd0, -7'sd15, 8'sd84};
      7'd95: {last_o, m_o, n_o} = {1'd0, -7'sd13, 8'sd104};
      default: {last_o, m_o, n_o} = {1'd1, 7'sd3, 8'sd74};
    endcase
  end

endmodule

`default_nettype wire
