// Residuals of two blocks, each in a page: rows in, eight values a beat, and rows or
// columns out, four values a word. A beat of a 4x4 block has four values, the lower ones.
//
// A word of a bank holds two neighbours of a row. Pair p of row r is in bank p ^ r, of
// the two lowest bits.
//
// Mirror:     t265/hwdec/itransform.go
// Latency:    1 from the read to its data
// Throughput: a beat in and a word out a cycle
// Storage:    4 SRAMs of 1152 bits and 4 bits, with MaxTU 8 1152 bits

`default_nettype none

module t265_dec_turned #(
  parameter MaxTU    = 16,  // largest block, 8 or 16
  parameter SideBits = $clog2(MaxTU)  // bits of a row or column
) (
  input  wire                  clk_i,
  input  wire                  we_i,
  input  wire                  wpage_i,
  input  wire [SideBits-1:0]   wrow_i,
  input  wire                  whalf_i,    // columns 8 to 15
  input  wire [71:0]           wdata_i,    // s9
  input  wire                  re_i,
  input  wire                  rpage_i,
  input  wire                  rcolumns_i,
  input  wire [SideBits-1:0]   rline_i,    // the row, or column, of the word
  input  wire [SideBits-3:0]   rpart_i,    // values 4*rpart_i on
  output wire [35:0]           rdata_o
);

  localparam WORD = MaxTU == 8 ? 4 : 6;  // bits of an address

  wire [1:0]  pair = rline_i[2:1];  // of a column
  reg  [1:0]  order_q;
  reg         columns_q;
  reg         odd_q;
  wire [71:0] words;
  wire [71:0] values;

  always @(posedge clk_i) begin
    if (re_i) begin
      order_q   <= rcolumns_i ? pair : {rpart_i[0], 1'b0} ^ rline_i[1:0];
      columns_q <= rcolumns_i;
      odd_q     <= rline_i[0];
    end
  end

  wire unused = &{1'b0, whalf_i};

  genvar b;
  generate
    for (b = 0; b < 4; b = b + 1) begin : gen_bank
      localparam [31:0] BANK = b;

      wire [1:0]      from = wrow_i[1:0] ^ BANK[1:0];
      wire [1:0]      row  = pair ^ BANK[1:0];
      wire [1:0]      take = order_q ^ BANK[1:0];
      wire [WORD-1:0] waddr;
      wire [WORD-1:0] raddr;

      if (MaxTU == 8) begin : gen_small
        assign waddr = {wpage_i, wrow_i};
        assign raddr = {rpage_i, rcolumns_i ? {rpart_i, row} : rline_i};
      end else begin : gen_large
        assign waddr = {wpage_i, wrow_i, whalf_i};
        assign raddr = {rpage_i, rcolumns_i ? {rpart_i, row, rline_i[3]} : {rline_i, rpart_i[1]}};
      end

      vc_ram_1r1w #(
        .Width(18),
        .Depth(1 << WORD)
      ) u_ram (
        .clk_i  (clk_i),
        .we_i   (we_i),
        .waddr_i(waddr),
        .wdata_i(wdata_i[18*from +: 18]),
        .re_i   (re_i),
        .raddr_i(raddr),
        .rdata_o(words[18*b +: 18])
      );

      assign values[18*b +: 18] = words[18*take +: 18];
      assign rdata_o[9*b +: 9]  = !columns_q ? values[9*b +: 9]
                                : odd_q ? values[18*b+9 +: 9] : values[18*b +: 9];
    end
  endgenerate

endmodule

`default_nettype wire
