// Where four coefficients of an 8x8 block in scan order go (zig-zag, clause 8.5.6): enable of
// position 8 * row + column, and its value.
//
// Generated from t264/block/scan.go by go generate. Do not edit.
// Mirror: t264/block/scan.go

`default_nettype none

module t264_place8 (
  input  wire          load_i,
  input  wire [3:0]    group_i,
  input  wire [63:0]   coef_i,
  output wire [63:0]   write_o,
  output wire [1023:0] coef_o
);

  assign write_o[0] = load_i && group_i == 4'd0;
  assign coef_o[0 +: 16] = coef_i[0 +: 16];
  assign write_o[1] = load_i && group_i == 4'd0;
  assign coef_o[16 +: 16] = coef_i[16 +: 16];
  assign write_o[8] = load_i && group_i == 4'd0;
  assign coef_o[128 +: 16] = coef_i[32 +: 16];
  assign write_o[16] = load_i && group_i == 4'd0;
  assign coef_o[256 +: 16] = coef_i[48 +: 16];
  assign write_o[9] = load_i && group_i == 4'd1;
  assign coef_o[144 +: 16] = coef_i[0 +: 16];
  assign write_o[2] = load_i && group_i == 4'd1;
  assign coef_o[32 +: 16] = coef_i[16 +: 16];
  assign write_o[3] = load_i && group_i == 4'd1;
  assign coef_o[48 +: 16] = coef_i[32 +: 16];
  assign write_o[10] = load_i && group_i == 4'd1;
  assign coef_o[160 +: 16] = coef_i[48 +: 16];
  assign write_o[17] = load_i && group_i == 4'd2;
  assign coef_o[272 +: 16] = coef_i[0 +: 16];
  assign write_o[24] = load_i && group_i == 4'd2;
  assign coef_o[384 +: 16] = coef_i[16 +: 16];
  assign write_o[32] = load_i && group_i == 4'd2;
  assign coef_o[512 +: 16] = coef_i[32 +: 16];
  assign write_o[25] = load_i && group_i == 4'd2;
  assign coef_o[400 +: 16] = coef_i[48 +: 16];
  assign write_o[18] = load_i && group_i == 4'd3;
  assign coef_o[288 +: 16] = coef_i[0 +: 16];
  assign write_o[11] = load_i && group_i == 4'd3;
  assign coef_o[176 +: 16] = coef_i[16 +: 16];
  assign write_o[4] = load_i && group_i == 4'd3;
  assign coef_o[64 +: 16] = coef_i[32 +: 16];
  assign write_o[5] = load_i && group_i == 4'd3;
  assign coef_o[80 +: 16] = coef_i[48 +: 16];
  assign write_o[12] = load_i && group_i == 4'd4;
  assign coef_o[192 +: 16] = coef_i[0 +: 16];
  assign write_o[19] = load_i && group_i == 4'd4;
  assign coef_o[304 +: 16] = coef_i[16 +: 16];
  assign write_o[26] = load_i && group_i == 4'd4;
  assign coef_o[416 +: 16] = coef_i[32 +: 16];
  assign write_o[33] = load_i && group_i == 4'd4;
  assign coef_o[528 +: 16] = coef_i[48 +: 16];
  assign write_o[40] = load_i && group_i == 4'd5;
  assign coef_o[640 +: 16] = coef_i[0 +: 16];
  assign write_o[48] = load_i && group_i == 4'd5;
  assign coef_o[768 +: 16] = coef_i[16 +: 16];
  assign write_o[41] = load_i && group_i == 4'd5;
  assign coef_o[656 +: 16] = coef_i[32 +: 16];
  assign write_o[34] = load_i && group_i == 4'd5;
  assign coef_o[544 +: 16] = coef_i[48 +: 16];
  assign write_o[27] = load_i && group_i == 4'd6;
  assign coef_o[432 +: 16] = coef_i[0 +: 16];
  assign write_o[20] = load_i && group_i == 4'd6;
  assign coef_o[320 +: 16] = coef_i[16 +: 16];
  assign write_o[13] = load_i && group_i == 4'd6;
  assign coef_o[208 +: 16] = coef_i[32 +: 16];
  assign write_o[6] = load_i && group_i == 4'd6;
  assign coef_o[96 +: 16] = coef_i[48 +: 16];
  assign write_o[7] = load_i && group_i == 4'd7;
  assign coef_o[112 +: 16] = coef_i[0 +: 16];
  assign write_o[14] = load_i && group_i == 4'd7;
  assign coef_o[224 +: 16] = coef_i[16 +: 16];
  assign write_o[21] = load_i && group_i == 4'd7;
  assign coef_o[336 +: 16] = coef_i[32 +: 16];
  assign write_o[28] = load_i && group_i == 4'd7;
  assign coef_o[448 +: 16] = coef_i[48 +: 16];
  assign write_o[35] = load_i && group_i == 4'd8;
  assign coef_o[560 +: 16] = coef_i[0 +: 16];
  assign write_o[42] = load_i && group_i == 4'd8;
  assign coef_o[672 +: 16] = coef_i[16 +: 16];
  assign write_o[49] = load_i && group_i == 4'd8;
  assign coef_o[784 +: 16] = coef_i[32 +: 16];
  assign write_o[56] = load_i && group_i == 4'd8;
  assign coef_o[896 +: 16] = coef_i[48 +: 16];
  assign write_o[57] = load_i && group_i == 4'd9;
  assign coef_o[912 +: 16] = coef_i[0 +: 16];
  assign write_o[50] = load_i && group_i == 4'd9;
  assign coef_o[800 +: 16] = coef_i[16 +: 16];
  assign write_o[43] = load_i && group_i == 4'd9;
  assign coef_o[688 +: 16] = coef_i[32 +: 16];
  assign write_o[36] = load_i && group_i == 4'd9;
  assign coef_o[576 +: 16] = coef_i[48 +: 16];
  assign write_o[29] = load_i && group_i == 4'd10;
  assign coef_o[464 +: 16] = coef_i[0 +: 16];
  assign write_o[22] = load_i && group_i == 4'd10;
  assign coef_o[352 +: 16] = coef_i[16 +: 16];
  assign write_o[15] = load_i && group_i == 4'd10;
  assign coef_o[240 +: 16] = coef_i[32 +: 16];
  assign write_o[23] = load_i && group_i == 4'd10;
  assign coef_o[368 +: 16] = coef_i[48 +: 16];
  assign write_o[30] = load_i && group_i == 4'd11;
  assign coef_o[480 +: 16] = coef_i[0 +: 16];
  assign write_o[37] = load_i && group_i == 4'd11;
  assign coef_o[592 +: 16] = coef_i[16 +: 16];
  assign write_o[44] = load_i && group_i == 4'd11;
  assign coef_o[704 +: 16] = coef_i[32 +: 16];
  assign write_o[51] = load_i && group_i == 4'd11;
  assign coef_o[816 +: 16] = coef_i[48 +: 16];
  assign write_o[58] = load_i && group_i == 4'd12;
  assign coef_o[928 +: 16] = coef_i[0 +: 16];
  assign write_o[59] = load_i && group_i == 4'd12;
  assign coef_o[944 +: 16] = coef_i[16 +: 16];
  assign write_o[52] = load_i && group_i == 4'd12;
  assign coef_o[832 +: 16] = coef_i[32 +: 16];
  assign write_o[45] = load_i && group_i == 4'd12;
  assign coef_o[720 +: 16] = coef_i[48 +: 16];
  assign write_o[38] = load_i && group_i == 4'd13;
  assign coef_o[608 +: 16] = coef_i[0 +: 16];
  assign write_o[31] = load_i && group_i == 4'd13;
  assign coef_o[496 +: 16] = coef_i[16 +: 16];
  assign write_o[39] = load_i && group_i == 4'd13;
  assign coef_o[624 +: 16] = coef_i[32 +: 16];
  assign write_o[46] = load_i && group_i == 4'd13;
  assign coef_o[736 +: 16] = coef_i[48 +: 16];
  assign write_o[53] = load_i && group_i == 4'd14;
  assign coef_o[848 +: 16] = coef_i[0 +: 16];
  assign write_o[60] = load_i && group_i == 4'd14;
  assign coef_o[960 +: 16] = coef_i[16 +: 16];
  assign write_o[61] = load_i && group_i == 4'd14;
  assign coef_o[976 +: 16] = coef_i[32 +: 16];
  assign write_o[54] = load_i && group_i == 4'd14;
  assign coef_o[864 +: 16] = coef_i[48 +: 16];
  assign write_o[47] = load_i && group_i == 4'd15;
  assign coef_o[752 +: 16] = coef_i[0 +: 16];
  assign write_o[55] = load_i && group_i == 4'd15;
  assign coef_o[880 +: 16] = coef_i[16 +: 16];
  assign write_o[62] = load_i && group_i == 4'd15;
  assign coef_o[992 +: 16] = coef_i[32 +: 16];
  assign write_o[63] = load_i && group_i == 4'd15;
  assign coef_o[1008 +: 16] = coef_i[48 +: 16];

endmodule

`default_nettype wire
