// A memory of flip-flops with one write port and two combinational read ports.
// A word read in the cycle of its write is the old one.
//
// Mirror:     sim/ram.go
// Latency:    0 to read, 1 to write
// Throughput: 2 reads and 1 write a cycle
// Storage:    Depth * Width bits of flip-flops

`default_nettype none

module vc_ram_ff2 #(
  parameter Width    = 8,  // bits
  parameter Depth    = 4,  // words; addresses from Depth on are not used
  parameter AddrBits = Depth > 1 ? $clog2(Depth) : 1  // bits of an address
) (
  input  wire                clk_i,
  input  wire                we_i,
  input  wire [AddrBits-1:0] waddr_i,
  input  wire [Width-1:0]    wdata_i,
  input  wire [AddrBits-1:0] raddr0_i,
  output wire [Width-1:0]    rdata0_o,
  input  wire [AddrBits-1:0] raddr1_i,
  output wire [Width-1:0]    rdata1_o
);

  reg [Width-1:0] mem_q [0:Depth-1];

  assign rdata0_o = mem_q[raddr0_i];
  assign rdata1_o = mem_q[raddr1_i];

  always @(posedge clk_i) begin
    if (we_i) mem_q[waddr_i] <= wdata_i;
  end

endmodule

`default_nettype wire
