// m and n of the contexts of an encoder lane (H.264 Tables 9-12 to 9-33, I slices),
// by their index in the lane.
//
// Generated from t264/binarise.go and context.go by go generate. Do not edit.
// Mirror: t264/binarise.go

`default_nettype none

module t264_enc_context_rom (
  input  wire        [6:0] index_i,
  output reg  signed [6:0] m_o,
  output reg  signed [7:0] n_o
);

  always @* begin
    case (index_i)
      7'd0: {m_o, n_o} = {-7'sd7, 8'sd93};
      7'd1: {m_o, n_o} = {-7'sd11, 8'sd87};
      7'd2: {m_o, n_o} = {-7'sd3, 8'sd77};
      7'd3: {m_o, n_o} = {-7'sd5, 8'sd71};
      7'd4: {m_o, n_o} = {-7'sd4, 8'sd63};
      7'd5: {m_o, n_o} = {-7'sd4, 8'sd68};
      7'd6: {m_o, n_o} = {-7'sd12, 8'sd84};
      7'd7: {m_o, n_o} = {-7'sd7, 8'sd62};
      7'd8: {m_o, n_o} = {-7'sd7, 8'sd65};
      7'd9: {m_o, n_o} = {7'sd8, 8'sd61};
      7'd10: {m_o, n_o} = {7'sd5, 8'sd56};
      7'd11: {m_o, n_o} = {-7'sd2, 8'sd66};
      7'd12: {m_o, n_o} = {7'sd1, 8'sd64};
      7'd13: {m_o, n_o} = {7'sd0, 8'sd61};
      7'd14: {m_o, n_o} = {-7'sd2, 8'sd78};
      7'd15: {m_o, n_o} = {-7'sd1, 8'sd54};
      7'd16: {m_o, n_o} = {7'sd7, 8'sd51};
      7'd17: {m_o, n_o} = {7'sd1, 8'sd50};
      7'd18: {m_o, n_o} = {7'sd7, 8'sd52};
      7'd19: {m_o, n_o} = {7'sd10, 8'sd35};
      7'd20: {m_o, n_o} = {7'sd0, 8'sd44};
      7'd21: {m_o, n_o} = {7'sd11, 8'sd38};
      7'd22: {m_o, n_o} = {7'sd1, 8'sd45};
      7'd23: {m_o, n_o} = {7'sd0, 8'sd46};
      7'd24: {m_o, n_o} = {7'sd5, 8'sd44};
      7'd25: {m_o, n_o} = {7'sd31, 8'sd17};
      7'd26: {m_o, n_o} = {7'sd1, 8'sd51};
      7'd27: {m_o, n_o} = {7'sd7, 8'sd50};
      7'd28: {m_o, n_o} = {7'sd28, 8'sd19};
      7'd29: {m_o, n_o} = {7'sd16, 8'sd33};
      7'd30: {m_o, n_o} = {7'sd14, 8'sd62};
      7'd31: {m_o, n_o} = {7'sd0, 8'sd41};
      7'd32: {m_o, n_o} = {7'sd24, 8'sd0};
      7'd33: {m_o, n_o} = {7'sd15, 8'sd9};
      7'd34: {m_o, n_o} = {7'sd8, 8'sd25};
      7'd35: {m_o, n_o} = {7'sd13, 8'sd18};
      7'd36: {m_o, n_o} = {7'sd15, 8'sd9};
      7'd37: {m_o, n_o} = {7'sd13, 8'sd19};
      7'd38: {m_o, n_o} = {7'sd10, 8'sd37};
      7'd39: {m_o, n_o} = {7'sd12, 8'sd18};
      7'd40: {m_o, n_o} = {7'sd6, 8'sd29};
      7'd41: {m_o, n_o} = {7'sd20, 8'sd33};
      7'd42: {m_o, n_o} = {7'sd15, 8'sd30};
      7'd43: {m_o, n_o} = {7'sd4, 8'sd45};
      7'd44: {m_o, n_o} = {7'sd1, 8'sd58};
      7'd45: {m_o, n_o} = {7'sd0, 8'sd62};
      7'd46: {m_o, n_o} = {7'sd7, 8'sd61};
      7'd47: {m_o, n_o} = {7'sd0, 8'sd63};
      7'd48: {m_o, n_o} = {7'sd0, 8'sd63};
      7'd49: {m_o, n_o} = {7'sd12, 8'sd38};
      7'd50: {m_o, n_o} = {7'sd11, 8'sd45};
      7'd51: {m_o, n_o} = {7'sd15, 8'sd39};
      7'd52: {m_o, n_o} = {7'sd11, 8'sd42};
      7'd53: {m_o, n_o} = {7'sd13, 8'sd44};
      7'd54: {m_o, n_o} = {7'sd16, 8'sd45};
      7'd55: {m_o, n_o} = {7'sd12, 8'sd41};
      7'd56: {m_o, n_o} = {7'sd10, 8'sd49};
      7'd57: {m_o, n_o} = {7'sd30, 8'sd34};
      7'd58: {m_o, n_o} = {7'sd18, 8'sd42};
      7'd59: {m_o, n_o} = {7'sd10, 8'sd55};
      7'd60: {m_o, n_o} = {7'sd17, 8'sd51};
      7'd61: {m_o, n_o} = {7'sd17, 8'sd46};
      7'd62: {m_o, n_o} = {7'sd0, 8'sd89};
      7'd63: {m_o, n_o} = {7'sd0, 8'sd63};
      7'd64: {m_o, n_o} = {-7'sd3, 8'sd71};
      7'd65: {m_o, n_o} = {-7'sd6, 8'sd42};
      7'd66: {m_o, n_o} = {-7'sd5, 8'sd50};
      7'd67: {m_o, n_o} = {-7'sd3, 8'sd54};
      7'd68: {m_o, n_o} = {-7'sd2, 8'sd62};
      7'd69: {m_o, n_o} = {7'sd0, 8'sd58};
      7'd70: {m_o, n_o} = {7'sd1, 8'sd63};
      7'd71: {m_o, n_o} = {-7'sd2, 8'sd72};
      7'd72: {m_o, n_o} = {-7'sd1, 8'sd74};
      7'd73: {m_o, n_o} = {-7'sd9, 8'sd91};
      7'd74: {m_o, n_o} = {7'sd20, -8'sd15};
      7'd75: {m_o, n_o} = {7'sd2, 8'sd54};
      7'd76: {m_o, n_o} = {-7'sd17, 8'sd123};
      7'd77: {m_o, n_o} = {-7'sd12, 8'sd115};
      7'd78: {m_o, n_o} = {-7'sd16, 8'sd122};
      7'd79: {m_o, n_o} = {-7'sd11, 8'sd115};
      7'd80: {m_o, n_o} = {-7'sd5, 8'sd67};
      7'd81: {m_o, n_o} = {-7'sd5, 8'sd27};
      7'd82: {m_o, n_o} = {-7'sd3, 8'sd39};
      7'd83: {m_o, n_o} = {-7'sd2, 8'sd44};
      7'd84: {m_o, n_o} = {7'sd0, 8'sd46};
      7'd85: {m_o, n_o} = {-7'sd16, 8'sd64};
      7'd86: {m_o, n_o} = {-7'sd8, 8'sd68};
      7'd87: {m_o, n_o} = {-7'sd10, 8'sd78};
      7'd88: {m_o, n_o} = {-7'sd6, 8'sd77};
      7'd89: {m_o, n_o} = {-7'sd10, 8'sd86};
      7'd90: {m_o, n_o} = {-7'sd28, 8'sd127};
      7'd91: {m_o, n_o} = {-7'sd23, 8'sd104};
      7'd92: {m_o, n_o} = {-7'sd12, 8'sd63};
      7'd93: {m_o, n_o} = {-7'sd2, 8'sd68};
      7'd94: {m_o, n_o} = {-7'sd15, 8'sd84};
      7'd95: {m_o, n_o} = {-7'sd13, 8'sd104};
      default: {m_o, n_o} = {7'sd3, 8'sd74};
    endcase
  end

endmodule

`default_nettype wire
