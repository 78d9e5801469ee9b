// A memory of latches with one write port and combinational read ports. A word
// read in the cycle of its write is the old one.
//
// A write goes into a register. In the first half of the next cycle the clock gate
// of its word opens the latches behind that register: a read in that cycle finds
// the new word. So a bit costs a latch, and no multiplexer holds it. A read
// chooses in rows of four words first, then among the rows.
//
// Mirror:     sim/ram.go
// Latency:    0 to read, 1 to write
// Throughput: Reads reads and 1 write a cycle
// Storage:    Depth * Width bits of latches, Width of flip-flops, a clock gate a word

`default_nettype none

module vc_ram_latch #(
  parameter Width    = 8,  // bits
  parameter Depth    = 4,  // words; addresses from Depth on are not used
  parameter Reads    = 1,  // read ports
  parameter AddrBits = Depth > 1 ? $clog2(Depth) : 1  // bits of an address
) (
  input  wire                      clk_i,
  input  wire                      we_i,
  input  wire [AddrBits-1:0]       waddr_i,
  input  wire [Width-1:0]          wdata_i,
  input  wire [Reads*AddrBits-1:0] raddr_i,
  output wire [Reads*Width-1:0]    rdata_o
);

  localparam ROWS  = (Depth + 3) / 4;
  localparam PLACE = AddrBits > 2 ? AddrBits : 3;  // bits of an address, of a row one at least

  reg  [Width-1:0]        data_q;
  wire [4*ROWS*Width-1:0] words;

  always @(posedge clk_i) begin
    if (we_i) data_q <= wdata_i;
  end

  genvar i;
  generate
    for (i = 0; i < 4 * ROWS; i = i + 1) begin : gen_word
      if (i < Depth) begin : gen_latches
        localparam [31:0] ADDRESS = i;

        wire             open;
        reg  [Width-1:0] word_q;

        vc_clock_gate u_gate (
          .clk_i(clk_i),
          .en_i (we_i && waddr_i == ADDRESS[AddrBits-1:0]),
          .clk_o(open)
        );

        // A latch is meant: the clock gate opens it for half of a cycle.
        /* verilator lint_off LATCH */
        always @* begin
          if (open) word_q = data_q;
        end
        /* verilator lint_on LATCH */

        assign words[Width*i +: Width] = word_q;
      end else begin : gen_none
        assign words[Width*i +: Width] = {Width{1'b0}};
      end
    end

    for (i = 0; i < Reads; i = i + 1) begin : gen_read
      wire [PLACE-1:0] place = {{(PLACE - AddrBits) {1'b0}}, raddr_i[AddrBits*i +: AddrBits]};
      reg  [Width-1:0] row;
      reg  [Width-1:0] word;
      integer          r;

      always @* begin
        word = {Width{1'b0}};
        for (r = 0; r < ROWS; r = r + 1) begin
          row = words[Width*(4*r) +: Width] & {Width{place[1:0] == 2'd0}}
              | words[Width*(4*r+1) +: Width] & {Width{place[1:0] == 2'd1}}
              | words[Width*(4*r+2) +: Width] & {Width{place[1:0] == 2'd2}}
              | words[Width*(4*r+3) +: Width] & {Width{place[1:0] == 2'd3}};
          word = word | row & {Width{{{(34 - PLACE) {1'b0}}, place[PLACE-1:2]} == r}};
        end
      end

      assign rdata_o[Width*i +: Width] = word;
    end
  endgenerate

endmodule

`default_nettype wire
