// Scales of 4x4 blocks by QP modulo 6 (equation 8-315): positions with both coordinates even,
// both odd, others.
//
// Generated from t264/block/dequant.go by go generate. Do not edit.
// Mirror: t264/block/dequant.go

`default_nettype none

module t264_norm4 (
  input wire [2:0] rem_i,
  output reg [14:0] row_o
);

  always @* begin
    case (rem_i)
      3'd0: row_o = {5'd13, 5'd16, 5'd10};
      3'd1: row_o = {5'd14, 5'd18, 5'd11};
      3'd2: row_o = {5'd16, 5'd20, 5'd13};
      3'd3: row_o = {5'd18, 5'd23, 5'd14};
      3'd4: row_o = {5'd20, 5'd25, 5'd16};
      default: row_o = {5'd23, 5'd29, 5'd18};
    endcase
  end

endmodule

`default_nettype wire
