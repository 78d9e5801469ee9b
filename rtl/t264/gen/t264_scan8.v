// Context of significant_coeff_flag at the scan position after k_i of an 8x8 block, and of
// last_significant_coeff_flag at k_i (H.264 Table 9-43), in their banks of t264_dec_banks.
//
// Generated from t264/block/scan.go by go generate. Do not edit.
// Mirror: t264/block/scan.go

`default_nettype none

module t264_scan8 (
  input wire [5:0] k_i,
  output reg [5:0] sig_o,
  output reg [5:0] last_o
);

  always @* begin
    case (k_i)
      6'd0: {sig_o, last_o} = {6'd16, 6'd15};
      6'd1: {sig_o, last_o} = {6'd31, 6'd16};
      6'd2: {sig_o, last_o} = {6'd47, 6'd16};
      6'd3: {sig_o, last_o} = {6'd48, 6'd16};
      6'd4: {sig_o, last_o} = {6'd49, 6'd16};
      6'd5: {sig_o, last_o} = {6'd49, 6'd16};
      6'd6: {sig_o, last_o} = {6'd48, 6'd16};
      6'd7: {sig_o, last_o} = {6'd48, 6'd16};
      6'd8: {sig_o, last_o} = {6'd47, 6'd16};
      6'd9: {sig_o, last_o} = {6'd47, 6'd16};
      6'd10: {sig_o, last_o} = {6'd48, 6'd16};
      6'd11: {sig_o, last_o} = {6'd48, 6'd16};
      6'd12: {sig_o, last_o} = {6'd48, 6'd16};
      6'd13: {sig_o, last_o} = {6'd49, 6'd16};
      6'd14: {sig_o, last_o} = {6'd49, 6'd16};
      6'd15: {sig_o, last_o} = {6'd48, 6'd16};
      6'd16: {sig_o, last_o} = {6'd48, 6'd31};
      6'd17: {sig_o, last_o} = {6'd48, 6'd31};
      6'd18: {sig_o, last_o} = {6'd48, 6'd31};
      6'd19: {sig_o, last_o} = {6'd47, 6'd31};
      6'd20: {sig_o, last_o} = {6'd47, 6'd31};
      6'd21: {sig_o, last_o} = {6'd50, 6'd31};
      6'd22: {sig_o, last_o} = {6'd51, 6'd31};
      6'd23: {sig_o, last_o} = {6'd51, 6'd31};
      6'd24: {sig_o, last_o} = {6'd51, 6'd31};
      6'd25: {sig_o, last_o} = {6'd52, 6'd31};
      6'd26: {sig_o, last_o} = {6'd53, 6'd31};
      6'd27: {sig_o, last_o} = {6'd54, 6'd31};
      6'd28: {sig_o, last_o} = {6'd53, 6'd31};
      6'd29: {sig_o, last_o} = {6'd52, 6'd31};
      6'd30: {sig_o, last_o} = {6'd51, 6'd31};
      6'd31: {sig_o, last_o} = {6'd51, 6'd31};
      6'd32: {sig_o, last_o} = {6'd50, 6'd47};
      6'd33: {sig_o, last_o} = {6'd55, 6'd47};
      6'd34: {sig_o, last_o} = {6'd56, 6'd47};
      6'd35: {sig_o, last_o} = {6'd57, 6'd47};
      6'd36: {sig_o, last_o} = {6'd55, 6'd47};
      6'd37: {sig_o, last_o} = {6'd50, 6'd47};
      6'd38: {sig_o, last_o} = {6'd51, 6'd47};
      6'd39: {sig_o, last_o} = {6'd52, 6'd47};
      6'd40: {sig_o, last_o} = {6'd53, 6'd48};
      6'd41: {sig_o, last_o} = {6'd58, 6'd48};
      6'd42: {sig_o, last_o} = {6'd54, 6'd48};
      6'd43: {sig_o, last_o} = {6'd53, 6'd48};
      6'd44: {sig_o, last_o} = {6'd52, 6'd48};
      6'd45: {sig_o, last_o} = {6'd50, 6'd48};
      6'd46: {sig_o, last_o} = {6'd55, 6'd48};
      6'd47: {sig_o, last_o} = {6'd56, 6'd48};
      6'd48: {sig_o, last_o} = {6'd57, 6'd49};
      6'd49: {sig_o, last_o} = {6'd55, 6'd49};
      6'd50: {sig_o, last_o} = {6'd50, 6'd49};
      6'd51: {sig_o, last_o} = {6'd53, 6'd49};
      6'd52: {sig_o, last_o} = {6'd58, 6'd50};
      6'd53: {sig_o, last_o} = {6'd54, 6'd50};
      6'd54: {sig_o, last_o} = {6'd53, 6'd50};
      6'd55: {sig_o, last_o} = {6'd55, 6'd50};
      6'd56: {sig_o, last_o} = {6'd56, 6'd51};
      6'd57: {sig_o, last_o} = {6'd57, 6'd51};
      6'd58: {sig_o, last_o} = {6'd55, 6'd51};
      6'd59: {sig_o, last_o} = {6'd58, 6'd51};
      6'd60: {sig_o, last_o} = {6'd54, 6'd52};
      6'd61: {sig_o, last_o} = {6'd56, 6'd52};
      default: {sig_o, last_o} = {6'd15, 6'd52};
    endcase
  end

endmodule

`default_nettype wire
