// Banks of a group of four scan positions in the memory of coefficients: two bits a bank, which
// of the four positions it takes, and the column of that. scanIdx above the group.
//
// Generated from t265/hw/dec_banks.go and t265/block/scan.go by go generate. Do not edit.
// Mirror: t265/hw/dec_banks.go

`default_nettype none

module t265_dec_group (
  input wire [3:0] scan_group_i,
  output reg [7:0] lanes_o,
  output reg [7:0] columns_o
);

  always @* begin
    case (scan_group_i)
      4'd0: {lanes_o, columns_o} = {8'd180, 8'd64};
      4'd1: {lanes_o, columns_o} = {8'd135, 8'd25};
      4'd2: {lanes_o, columns_o} = {8'd216, 8'd182};
      4'd3: {lanes_o, columns_o} = {8'd27, 8'd239};
      4'd4: {lanes_o, columns_o} = {8'd120, 8'd120};
      4'd5: {lanes_o, columns_o} = {8'd210, 8'd210};
      4'd6: {lanes_o, columns_o} = {8'd141, 8'd141};
      4'd7: {lanes_o, columns_o} = {8'd39, 8'd39};
      4'd8: {lanes_o, columns_o} = {8'd228, 8'd0};
      4'd9: {lanes_o, columns_o} = {8'd30, 8'd85};
      4'd10: {lanes_o, columns_o} = {8'd177, 8'd170};
      default: {lanes_o, columns_o} = {8'd75, 8'd255};
    endcase
  end

endmodule

`default_nettype wire
