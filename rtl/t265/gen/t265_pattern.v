// Price of the significance of a sub-block by the number of its levels that are not zero, in
// 1/4096 squared steps (patternRate times BitPrice / 16).
//
// Generated from t265/block/quant.go by go generate. Do not edit.
// Mirror: t265/block/quant.go

`default_nettype none

module t265_pattern (
  input wire [4:0] count_i,
  output reg [12:0] price_o
);

  always @* begin
    case (count_i)
      5'd0: price_o = 13'd200;
      5'd1: price_o = 13'd1800;
      5'd2: price_o = 13'd2975;
      5'd3: price_o = 13'd3850;
      5'd4: price_o = 13'd4525;
      5'd5: price_o = 13'd5050;
      5'd6: price_o = 13'd5400;
      5'd7: price_o = 13'd5650;
      5'd8: price_o = 13'd5725;
      5'd9: price_o = 13'd5650;
      5'd10: price_o = 13'd5400;
      5'd11: price_o = 13'd5050;
      5'd12: price_o = 13'd4525;
      5'd13: price_o = 13'd3850;
      5'd14: price_o = 13'd2975;
      5'd15: price_o = 13'd1800;
      default: price_o = 13'd200;
    endcase
  end

endmodule

`default_nettype wire
