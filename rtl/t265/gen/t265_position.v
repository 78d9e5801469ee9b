// Column and row in a 4x4 sub-block of the coefficient at a scan position (clauses 6.5.3 to
// 6.5.5): scanIdx above the position.
//
// Generated from t265/block/scan.go by go generate. Do not edit.
// Mirror: t265/block/scan.go

`default_nettype none

module t265_position (
  input wire [5:0] scan_k_i,
  output reg [1:0] x_o,
  output reg [1:0] y_o
);

  always @* begin
    case (scan_k_i)
      6'd0: {x_o, y_o} = {2'd0, 2'd0};
      6'd1: {x_o, y_o} = {2'd0, 2'd1};
      6'd2: {x_o, y_o} = {2'd1, 2'd0};
      6'd3: {x_o, y_o} = {2'd0, 2'd2};
      6'd4: {x_o, y_o} = {2'd1, 2'd1};
      6'd5: {x_o, y_o} = {2'd2, 2'd0};
      6'd6: {x_o, y_o} = {2'd0, 2'd3};
      6'd7: {x_o, y_o} = {2'd1, 2'd2};
      6'd8: {x_o, y_o} = {2'd2, 2'd1};
      6'd9: {x_o, y_o} = {2'd3, 2'd0};
      6'd10: {x_o, y_o} = {2'd1, 2'd3};
      6'd11: {x_o, y_o} = {2'd2, 2'd2};
      6'd12: {x_o, y_o} = {2'd3, 2'd1};
      6'd13: {x_o, y_o} = {2'd2, 2'd3};
      6'd14: {x_o, y_o} = {2'd3, 2'd2};
      6'd15: {x_o, y_o} = {2'd3, 2'd3};
      6'd16: {x_o, y_o} = {2'd0, 2'd0};
      6'd17: {x_o, y_o} = {2'd1, 2'd0};
      6'd18: {x_o, y_o} = {2'd2, 2'd0};
      6'd19: {x_o, y_o} = {2'd3, 2'd0};
      6'd20: {x_o, y_o} = {2'd0, 2'd1};
      6'd21: {x_o, y_o} = {2'd1, 2'd1};
      6'd22: {x_o, y_o} = {2'd2, 2'd1};
      6'd23: {x_o, y_o} = {2'd3, 2'd1};
      6'd24: {x_o, y_o} = {2'd0, 2'd2};
      6'd25: {x_o, y_o} = {2'd1, 2'd2};
      6'd26: {x_o, y_o} = {2'd2, 2'd2};
      6'd27: {x_o, y_o} = {2'd3, 2'd2};
      6'd28: {x_o, y_o} = {2'd0, 2'd3};
      6'd29: {x_o, y_o} = {2'd1, 2'd3};
      6'd30: {x_o, y_o} = {2'd2, 2'd3};
      6'd31: {x_o, y_o} = {2'd3, 2'd3};
      6'd32: {x_o, y_o} = {2'd0, 2'd0};
      6'd33: {x_o, y_o} = {2'd0, 2'd1};
      6'd34: {x_o, y_o} = {2'd0, 2'd2};
      6'd35: {x_o, y_o} = {2'd0, 2'd3};
      6'd36: {x_o, y_o} = {2'd1, 2'd0};
      6'd37: {x_o, y_o} = {2'd1, 2'd1};
      6'd38: {x_o, y_o} = {2'd1, 2'd2};
      6'd39: {x_o, y_o} = {2'd1, 2'd3};
      6'd40: {x_o, y_o} = {2'd2, 2'd0};
      6'd41: {x_o, y_o} = {2'd2, 2'd1};
      6'd42: {x_o, y_o} = {2'd2, 2'd2};
      6'd43: {x_o, y_o} = {2'd2, 2'd3};
      6'd44: {x_o, y_o} = {2'd3, 2'd0};
      6'd45: {x_o, y_o} = {2'd3, 2'd1};
      6'd46: {x_o, y_o} = {2'd3, 2'd2};
      default: {x_o, y_o} = {2'd3, 2'd3};
    endcase
  end

endmodule

`default_nettype wire
