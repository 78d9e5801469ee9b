// Columns of two blocks, each in a page, between the two passes of the inverse transform:
// columns in, rows out, eight values a beat. A vector of 16 values goes in as values 0 to
// 7, then 8 to 15, and comes out as 0 to 7, then 14, 15, 12, 13, 10, 11, 8 and 9. A beat
// of a 4x4 block has four values, the lower ones.
//
// The value in row r and column c is in bank r ^ c, of the three lowest bits.
//
// Mirror:     t265/hwdec/itransform.go
// Latency:    1 from the read to its data
// Throughput: a beat in and a beat out a cycle
// Storage:    8 SRAMs of 1024 bits and 3 bits, with MaxTU 8 2048 bits

`default_nettype none

module t265_dec_transpose #(
  parameter MaxTU    = 16,  // largest block, 8 or 16
  parameter SideBits = $clog2(MaxTU)  // bits of a row or column
) (
  input  wire                clk_i,
  input  wire                we_i,
  input  wire                wpage_i,
  input  wire [SideBits-1:0] wcolumn_i,
  input  wire                whalf_i,    // rows 8 to 15
  input  wire [127:0]        wdata_i,
  input  wire                re_i,
  input  wire                rpage_i,
  input  wire [SideBits-1:0] rrow_i,
  input  wire                rhalf_i,    // columns 8 to 15
  output wire [127:0]        rdata_o
);

  localparam WORD = MaxTU == 8 ? 4 : 6;  // bits of an address

  wire [127:0] banks;
  wire [127:0] words;
  reg  [2:0]   order_q;

  t265_permute8 u_in (
    .mask_i  (wcolumn_i[2:0]),
    .values_i(wdata_i),
    .values_o(banks)
  );

  t265_permute8 u_out (
    .mask_i  (order_q),
    .values_i(words),
    .values_o(rdata_o)
  );

  always @(posedge clk_i) begin
    if (re_i) order_q <= rrow_i[2:0] ^ (rhalf_i ? 3'd6 : 3'd0);
  end

  wire unused = &{1'b0, whalf_i};

  genvar b;
  generate
    for (b = 0; b < 8; b = b + 1) begin : gen_bank
      localparam [31:0] BANK = b;

      wire [2:0]      column = rrow_i[2:0] ^ BANK[2:0];
      wire [WORD-1:0] waddr;
      wire [WORD-1:0] raddr;

      if (MaxTU == 8) begin : gen_small
        assign waddr = {wpage_i, wcolumn_i};
        assign raddr = {rpage_i, column};
      end else begin : gen_large
        assign waddr = {wpage_i, wcolumn_i[3], whalf_i, wcolumn_i[2:0]};
        assign raddr = {rpage_i, rhalf_i, rrow_i[3], column};
      end

      vc_ram_1r1w #(
        .Width(16),
        .Depth(1 << WORD)
      ) u_ram (
        .clk_i  (clk_i),
        .we_i   (we_i),
        .waddr_i(waddr),
        .wdata_i(banks[16*b +: 16]),
        .re_i   (re_i),
        .raddr_i(raddr),
        .rdata_o(words[16*b +: 16])
      );
    end
  endgenerate

endmodule

`default_nettype wire
