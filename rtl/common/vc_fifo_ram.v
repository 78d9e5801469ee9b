// A queue of Depth words in a memory with a read port and a write port, and one
// more at the output of the memory.
//
// Mirror:     sim/ramfifo.go
// Latency:    2
// Throughput: 1 word a cycle; in_ready_o depends on flip-flops alone
// Storage:    Depth * Width bits of memory, Width bits at its output, and control

`default_nettype none

module vc_fifo_ram #(
  parameter Width     = 8,   // bits
  parameter Depth     = 16,  // words in the memory, at least 2
  parameter AddrBits  = $clog2(Depth),     // bits of an address
  parameter CountBits = $clog2(Depth + 1)  // bits of a count of 0 .. Depth
) (
  input  wire             clk_i,
  input  wire             rst_i,
  input  wire             in_valid_i,
  output wire             in_ready_o,
  input  wire [Width-1:0] in_data_i,
  output wire             out_valid_o,
  input  wire             out_ready_i,
  output wire [Width-1:0] out_data_o
);

  generate
    if (Depth < 2) begin : gen_illegal_depth
      illegal_Depth_is_below_2 u_illegal ();
    end
  endgenerate

  localparam [31:0]          LAST32 = Depth - 1;  // last address
  localparam [31:0]          FULL32 = Depth;      // words in the full memory
  localparam [AddrBits-1:0]  LAST   = LAST32[AddrBits-1:0];
  localparam [CountBits-1:0] FULL   = FULL32[CountBits-1:0];

  reg                 valid_q;
  reg [AddrBits-1:0]  head_q;
  reg [AddrBits-1:0]  tail_q;
  reg [CountBits-1:0] count_q;

  wire take = in_valid_i && in_ready_o;
  wire pop  = count_q != {CountBits{1'b0}} && (!valid_q || out_ready_i);

  assign in_ready_o  = count_q != FULL;
  assign out_valid_o = valid_q;

  vc_ram_1r1w #(
    .Width(Width),
    .Depth(Depth)
  ) u_mem (
    .clk_i  (clk_i),
    .we_i   (take),
    .waddr_i(tail_q),
    .wdata_i(in_data_i),
    .re_i   (pop),
    .raddr_i(head_q),
    .rdata_o(out_data_o)
  );

  always @(posedge clk_i) begin
    if (rst_i) begin
      valid_q <= 1'b0;
      head_q  <= {AddrBits{1'b0}};
      tail_q  <= {AddrBits{1'b0}};
      count_q <= {CountBits{1'b0}};
    end else begin
      valid_q <= pop || valid_q && !out_ready_i;
      if (pop) head_q <= head_q == LAST ? {AddrBits{1'b0}} : head_q + 1'b1;
      if (take) tail_q <= tail_q == LAST ? {AddrBits{1'b0}} : tail_q + 1'b1;
      if (take && !pop) count_q <= count_q + 1'b1;
      if (pop && !take) count_q <= count_q - 1'b1;
    end
  end

endmodule

`default_nettype wire
