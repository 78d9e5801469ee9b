// ctxInc of sig_coeff_flag in a 4x4 transform block (ctxIdxMap of clause 9.3.4.2.5), by row above
// column.
//
// Generated from t265/block/scan.go by go generate. Do not edit.
// Mirror: t265/block/scan.go

`default_nettype none

module t265_sig4 (
  input wire [3:0] y_x_i,
  output reg [3:0] inc_o
);

  always @* begin
    case (y_x_i)
      4'd0: inc_o = 4'd0;
      4'd1: inc_o = 4'd1;
      4'd2: inc_o = 4'd4;
      4'd3: inc_o = 4'd5;
      4'd4: inc_o = 4'd2;
      4'd5: inc_o = 4'd3;
      4'd6: inc_o = 4'd4;
      4'd7: inc_o = 4'd5;
      4'd8: inc_o = 4'd6;
      4'd9: inc_o = 4'd6;
      4'd10: inc_o = 4'd8;
      4'd11: inc_o = 4'd8;
      4'd12: inc_o = 4'd7;
      4'd13: inc_o = 4'd7;
      4'd14: inc_o = 4'd8;
      default: inc_o = 4'd8;
    endcase
  end

endmodule

`default_nettype wire
