// Scales of the quantiser of 4x4 blocks by QP modulo 6: positions with both coordinates even,
// both odd, others.
//
// Generated from t264/block/quant.go by go generate. Do not edit.
// Mirror: t264/block/quant.go

`default_nettype none

module t264_scale4 (
  input wire [2:0] rem_i,
  output reg [41:0] row_o
);

  always @* begin
    case (rem_i)
      3'd0: row_o = {14'd8066, 14'd5243, 14'd13107};
      3'd1: row_o = {14'd7490, 14'd4660, 14'd11916};
      3'd2: row_o = {14'd6554, 14'd4194, 14'd10082};
      3'd3: row_o = {14'd5825, 14'd3647, 14'd9362};
      3'd4: row_o = {14'd5243, 14'd3355, 14'd8192};
      default: row_o = {14'd4559, 14'd2893, 14'd7282};
    endcase
  end

endmodule

`default_nettype wire
