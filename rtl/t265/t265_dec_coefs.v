// Coefficients of two blocks, each in a page: groups of four scan positions in, columns
// out, eight values a beat. A column of 16 values comes in two beats, the second one in
// the order 14, 15, 12, 13, 10, 11, 8 and 9. What was not written is zero.
//
// Eight banks hold one coefficient a word: four for the sub-blocks of even rows and four
// for those of odd ones, in the lower half of 16 rows the other way round. Where in the
// four a coefficient is, t265_dec_group and t265_dec_column tell.
//
// Mirror:     t265/hwdec/itransform.go
// Latency:    1 from the read to its data
// Throughput: a group in and a beat out a cycle
// Storage:    8 SRAMs of 1024 bits and 144 bits, with MaxTU 8 2048 and 48 bits

`default_nettype none

module t265_dec_coefs #(
  parameter MaxTU     = 16,  // largest block, 8 or 16
  parameter PlaceBits = $clog2(MaxTU / 4)  // bits of the row or column of a sub-block
) (
  input  wire                 clk_i,
  input  wire                 we_i,       // a group
  input  wire                 fresh_i,    // the first one of its block
  input  wire                 wpage_i,
  input  wire [PlaceBits-1:0] wx_i,       // its sub-block
  input  wire [PlaceBits-1:0] wy_i,
  input  wire [1:0]           wscan_i,    // scanIdx
  input  wire [1:0]           wgroup_i,
  input  wire [63:0]          wdata_i,
  input  wire                 re_i,       // a beat
  input  wire                 rpage_i,
  input  wire [PlaceBits+1:0] rcolumn_i,
  input  wire                 rhalf_i,    // the lower half of 16 values
  input  wire [1:0]           rscan_i,
  output wire [127:0]         rdata_o
);

  localparam GROUPS = 4 << (2 * PlaceBits);  // of a page
  localparam SUBS   = 2 * PlaceBits;         // bits of a sub-block
  localparam WORD   = PlaceBits + 2 + (MaxTU == 8 ? 1 : 2);  // bits of an address

  wire [7:0]          lanes;
  wire [7:0]          columns;
  wire [7:0]          order;   // bank by value
  wire [7:0]          groups;  // group by value
  reg  [2*GROUPS-1:0] there_q;  // groups that were written, by page
  wire                odd;      // the row of sub-blocks is one of the upper four banks
  wire [WORD-1:0]     raddr;

  t265_dec_group u_group (
    .scan_group_i({wscan_i, wgroup_i}),
    .lanes_o     (lanes),
    .columns_o   (columns)
  );

  t265_dec_column u_column (
    .half_scan_x_i({rhalf_i, rscan_i, rcolumn_i[1:0]}),
    .banks_o      (order),
    .groups_o     (groups)
  );

  generate
    if (MaxTU == 8) begin : gen_small
      assign odd   = wy_i[0];
      assign raddr = {rpage_i, rcolumn_i};
    end else begin : gen_large
      assign odd   = ^wy_i;
      assign raddr = {rpage_i, rhalf_i, rcolumn_i};
    end
  endgenerate

  wire [2*GROUPS-1:0] sets = {{(2 * GROUPS - 1) {1'b0}}, we_i}
                             << {wpage_i, wy_i, wx_i, wgroup_i};
  wire [2*GROUPS-1:0] kept = {{GROUPS{!(we_i && fresh_i && wpage_i)}},
                              {GROUPS{!(we_i && fresh_i && !wpage_i)}}};

  always @(posedge clk_i) there_q <= there_q & kept | sets;

  genvar g, b;
  generate
    for (g = 0; g < 2; g = g + 1) begin : gen_half
      localparam [31:0] ODD = g;

      wire [63:0] words;
      wire [SUBS-1:0] sub;
      wire [3:0]  there = there_q[{rpage_i, sub, 2'd0} +: 4];
      reg  [7:0]  order_q;
      reg  [3:0]  there_value_q;

      if (MaxTU == 8) begin : gen_small
        assign sub = {ODD[0], rcolumn_i[2]};
      end else begin : gen_large
        assign sub = {rhalf_i, rhalf_i ^ ODD[0], rcolumn_i[3:2]};
      end

      always @(posedge clk_i) begin
        if (re_i) order_q <= order;
      end

      for (b = 0; b < 4; b = b + 1) begin : gen_bank
        wire [WORD-1:0] waddr;

        if (MaxTU == 8) begin : gen_small
          assign waddr = {wpage_i, wx_i, columns[2*b +: 2]};
        end else begin : gen_large
          assign waddr = {wpage_i, wy_i[1], wx_i, columns[2*b +: 2]};
        end

        vc_ram_1r1w #(
          .Width(16),
          .Depth(1 << WORD)
        ) u_ram (
          .clk_i  (clk_i),
          .we_i   (we_i && odd == ODD[0]),
          .waddr_i(waddr),
          .wdata_i(wdata_i[16*lanes[2*b +: 2] +: 16]),
          .re_i   (re_i),
          .raddr_i(raddr),
          .rdata_o(words[16*b +: 16])
        );

        // Value b.
        always @(posedge clk_i) begin
          if (re_i) there_value_q[b] <= there[groups[2*b +: 2]];
        end

        assign rdata_o[64*g+16*b +: 16] = words[16*order_q[2*b +: 2] +: 16]
                                          & {16{there_value_q[b]}};
      end
    end
  endgenerate

endmodule

`default_nettype wire
