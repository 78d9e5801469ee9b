// Banks of a column of a sub-block in the memory of coefficients: two bits a value, its bank
// and its group in scan order. Values are rows 0 to 3, of the lower half of a column of 16 rows
// 2, 3, 0 and 1. The half is above scanIdx, which is above the column.
//
// Generated from t265/hw/dec_banks.go and t265/block/scan.go by go generate. Do not edit.
// Mirror: t265/hw/dec_banks.go

`default_nettype none

module t265_dec_column (
  input wire [4:0] half_scan_x_i,
  output reg [7:0] banks_o,
  output reg [7:0] groups_o
);

  always @* begin
    case (half_scan_x_i)
      5'd0: {banks_o, groups_o} = {8'd228, 8'd64};
      5'd1: {banks_o, groups_o} = {8'd75, 8'd148};
      5'd2: {banks_o, groups_o} = {8'd177, 8'd233};
      5'd3: {banks_o, groups_o} = {8'd30, 8'd254};
      5'd4: {banks_o, groups_o} = {8'd228, 8'd228};
      5'd5: {banks_o, groups_o} = {8'd75, 8'd228};
      5'd6: {banks_o, groups_o} = {8'd177, 8'd228};
      5'd7: {banks_o, groups_o} = {8'd30, 8'd228};
      5'd8: {banks_o, groups_o} = {8'd228, 8'd0};
      5'd9: {banks_o, groups_o} = {8'd75, 8'd85};
      5'd10: {banks_o, groups_o} = {8'd177, 8'd170};
      5'd11: {banks_o, groups_o} = {8'd30, 8'd255};
      5'd12: {banks_o, groups_o} = {8'd228, 8'd64};
      5'd13: {banks_o, groups_o} = {8'd75, 8'd148};
      5'd14: {banks_o, groups_o} = {8'd177, 8'd233};
      5'd15: {banks_o, groups_o} = {8'd30, 8'd254};
      5'd16: {banks_o, groups_o} = {8'd78, 8'd4};
      5'd17: {banks_o, groups_o} = {8'd180, 8'd73};
      5'd18: {banks_o, groups_o} = {8'd27, 8'd158};
      5'd19: {banks_o, groups_o} = {8'd225, 8'd239};
      5'd20: {banks_o, groups_o} = {8'd78, 8'd78};
      5'd21: {banks_o, groups_o} = {8'd180, 8'd78};
      5'd22: {banks_o, groups_o} = {8'd27, 8'd78};
      5'd23: {banks_o, groups_o} = {8'd225, 8'd78};
      5'd24: {banks_o, groups_o} = {8'd78, 8'd0};
      5'd25: {banks_o, groups_o} = {8'd180, 8'd85};
      5'd26: {banks_o, groups_o} = {8'd27, 8'd170};
      5'd27: {banks_o, groups_o} = {8'd225, 8'd255};
      5'd28: {banks_o, groups_o} = {8'd78, 8'd4};
      5'd29: {banks_o, groups_o} = {8'd180, 8'd73};
      5'd30: {banks_o, groups_o} = {8'd27, 8'd158};
      default: {banks_o, groups_o} = {8'd225, 8'd239};
    endcase
  end

endmodule

`default_nettype wire
