// State after the less probable symbol (H.265 Table 9-47, H.264 Table 9-45).
//
// Generated from internal/cabac/tables.go by go generate. Do not edit.
// Mirror: internal/cabac/tables.go

`default_nettype none

module vc_cabac_next (
  input wire [5:0] state_i,
  output reg [5:0] state_o
);

  always @* begin
    case (state_i)
      6'd0: state_o = 6'd0;
      6'd1: state_o = 6'd0;
      6'd2: state_o = 6'd1;
      6'd3: state_o = 6'd2;
      6'd4: state_o = 6'd2;
      6'd5: state_o = 6'd4;
      6'd6: state_o = 6'd4;
      6'd7: state_o = 6'd5;
      6'd8: state_o = 6'd6;
      6'd9: state_o = 6'd7;
      6'd10: state_o = 6'd8;
      6'd11: state_o = 6'd9;
      6'd12: state_o = 6'd9;
      6'd13: state_o = 6'd11;
      6'd14: state_o = 6'd11;
      6'd15: state_o = 6'd12;
      6'd16: state_o = 6'd13;
      6'd17: state_o = 6'd13;
      6'd18: state_o = 6'd15;
      6'd19: state_o = 6'd15;
      6'd20: state_o = 6'd16;
      6'd21: state_o = 6'd16;
      6'd22: state_o = 6'd18;
      6'd23: state_o = 6'd18;
      6'd24: state_o = 6'd19;
      6'd25: state_o = 6'd19;
      6'd26: state_o = 6'd21;
      6'd27: state_o = 6'd21;
      6'd28: state_o = 6'd22;
      6'd29: state_o = 6'd22;
      6'd30: state_o = 6'd23;
      6'd31: state_o = 6'd24;
      6'd32: state_o = 6'd24;
      6'd33: state_o = 6'd25;
      6'd34: state_o = 6'd26;
      6'd35: state_o = 6'd26;
      6'd36: state_o = 6'd27;
      6'd37: state_o = 6'd27;
      6'd38: state_o = 6'd28;
      6'd39: state_o = 6'd29;
      6'd40: state_o = 6'd29;
      6'd41: state_o = 6'd30;
      6'd42: state_o = 6'd30;
      6'd43: state_o = 6'd30;
      6'd44: state_o = 6'd31;
      6'd45: state_o = 6'd32;
      6'd46: state_o = 6'd32;
      6'd47: state_o = 6'd33;
      6'd48: state_o = 6'd33;
      6'd49: state_o = 6'd33;
      6'd50: state_o = 6'd34;
      6'd51: state_o = 6'd34;
      6'd52: state_o = 6'd35;
      6'd53: state_o = 6'd35;
      6'd54: state_o = 6'd35;
      6'd55: state_o = 6'd36;
      6'd56: state_o = 6'd36;
      6'd57: state_o = 6'd36;
      6'd58: state_o = 6'd37;
      6'd59: state_o = 6'd37;
      6'd60: state_o = 6'd37;
      6'd61: state_o = 6'd38;
      6'd62: state_o = 6'd38;
      default: state_o = 6'd63;
    endcase
  end

endmodule

`default_nettype wire
