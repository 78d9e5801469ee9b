// A memory of flip-flops with one write port and one combinational read port.
// A word read in the cycle of its write is the old one.
//
// Mirror:     sim/ram.go
// Latency:    0 to read, 1 to write
// Throughput: 1 read and 1 write a cycle
// Storage:    Depth * Width bits of flip-flops

`default_nettype none

module vc_ram_ff #(
  parameter Width    = 8,  // bits
  parameter Depth    = 4,  // words; addresses from Depth on are not used
  parameter AddrBits = Depth > 1 ? $clog2(Depth) : 1  // bits of an address
) (
  input  wire                clk_i,
  input  wire                we_i,
  input  wire [AddrBits-1:0] waddr_i,
  input  wire [Width-1:0]    wdata_i,
  input  wire [AddrBits-1:0] raddr_i,
  output wire [Width-1:0]    rdata_o
);

  reg [Width-1:0] mem_q [0:Depth-1];

  assign rdata_o = mem_q[raddr_i];

  always @(posedge clk_i) begin
    if (we_i) mem_q[waddr_i] <= wdata_i;
  end

endmodule

`default_nettype wire
