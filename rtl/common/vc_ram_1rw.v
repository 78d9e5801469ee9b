// A memory with one port that reads or writes. The word read is at rdata_o in
// the next cycle and stays until the next read.
//
// Mirror:     sim/ram.go
// Latency:    1
// Throughput: 1 read or 1 write a cycle
// Storage:    Depth * Width bits, SRAM from 1 kbit on

`default_nettype none

module vc_ram_1rw #(
  parameter Width    = 8,   // bits
  parameter Depth    = 64,  // words; addresses from Depth on are not used
  parameter AddrBits = Depth > 1 ? $clog2(Depth) : 1  // bits of an address
) (
  input  wire                clk_i,
  input  wire                en_i,
  input  wire                we_i,
  input  wire [AddrBits-1:0] addr_i,
  input  wire [Width-1:0]    wdata_i,
  output wire [Width-1:0]    rdata_o
);

  reg [Width-1:0] mem_q [0:Depth-1];
  reg [Width-1:0] rdata_q;

  assign rdata_o = rdata_q;

  always @(posedge clk_i) begin
    if (en_i && we_i) mem_q[addr_i] <= wdata_i;
    if (en_i && !we_i) rdata_q <= mem_q[addr_i];
  end

endmodule

`default_nettype wire
