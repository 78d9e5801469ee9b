// Classes of the scales of an 8x8 block, four scan positions a row.
//
// Generated from t264/block/dequant.go by go generate. Do not edit.
// Mirror: t264/block/dequant.go

`default_nettype none

module t264_class8 (
  input wire [3:0] group_i,
  output reg [11:0] row_o
);

  always @* begin
    case (group_i)
      4'd0: row_o = {3'd4, 3'd3, 3'd3, 3'd0};
      4'd1: row_o = {3'd5, 3'd3, 3'd4, 3'd1};
      4'd2: row_o = {3'd1, 3'd0, 3'd3, 3'd5};
      4'd3: row_o = {3'd3, 3'd0, 3'd1, 3'd2};
      4'd4: row_o = {3'd3, 3'd5, 3'd5, 3'd3};
      4'd5: row_o = {3'd4, 3'd1, 3'd4, 3'd3};
      4'd6: row_o = {3'd4, 3'd1, 3'd4, 3'd1};
      4'd7: row_o = {3'd3, 3'd5, 3'd5, 3'd3};
      4'd8: row_o = {3'd3, 3'd5, 3'd5, 3'd3};
      4'd9: row_o = {3'd0, 3'd1, 3'd2, 3'd1};
      4'd10: row_o = {3'd5, 3'd1, 3'd2, 3'd1};
      4'd11: row_o = {3'd5, 3'd3, 3'd3, 3'd5};
      4'd12: row_o = {3'd1, 3'd4, 3'd1, 3'd5};
      4'd13: row_o = {3'd5, 3'd3, 3'd1, 3'd4};
      4'd14: row_o = {3'd2, 3'd1, 3'd3, 3'd5};
      default: row_o = {3'd1, 3'd5, 3'd5, 3'd1};
    endcase
  end

endmodule

`default_nettype wire
