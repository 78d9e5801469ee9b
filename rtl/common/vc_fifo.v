// A queue of Depth words: a memory of Depth - 1 words behind an output register.
//
// Mirror:     sim/fifo.go
// Latency:    1
// Throughput: 1 word a cycle; in_ready_o depends on flip-flops alone
// Storage:    Depth * Width bits, and control

`default_nettype none

module vc_fifo #(
  parameter Width     = 8,  // bits
  parameter Depth     = 4,  // words, at least 2
  parameter CountBits = $clog2(Depth)  // bits of a count of 0 .. Depth - 1
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

  localparam [31:0]          LAST32 = Depth - 2;             // last address of the memory
  localparam [31:0]          FULL32 = Depth - 1;             // words in the full memory
  localparam [CountBits-1:0] LAST   = LAST32[CountBits-1:0];
  localparam [CountBits-1:0] FULL   = FULL32[CountBits-1:0];
  localparam                 ADDR   = Depth > 2 ? $clog2(Depth - 1) : 1;  // bits of an address

  reg                  valid_q;
  reg  [Width-1:0]     data_q;
  reg  [CountBits-1:0] head_q;
  reg  [CountBits-1:0] tail_q;
  reg  [CountBits-1:0] count_q;
  wire [Width-1:0]     mem_data;

  wire empty = count_q == {CountBits{1'b0}};
  wire take  = in_valid_i && in_ready_o;
  wire load  = !valid_q || out_ready_i;  // the output register is free after this edge
  wire pass  = load && empty && take;    // the word that enters goes straight there
  wire pop   = load && !empty;           // or the oldest of the memory does
  wire push  = take && !pass;

  assign in_ready_o  = count_q != FULL;
  assign out_valid_o = valid_q;
  assign out_data_o  = data_q;

  vc_ram_ff #(
    .Width(Width),
    .Depth(Depth - 1)
  ) u_mem (
    .clk_i  (clk_i),
    .we_i   (push),
    .waddr_i(tail_q[ADDR-1:0]),
    .wdata_i(in_data_i),
    .raddr_i(head_q[ADDR-1:0]),
    .rdata_o(mem_data)
  );

  always @(posedge clk_i) begin
    if (rst_i) begin
      valid_q <= 1'b0;
      head_q  <= {CountBits{1'b0}};
      tail_q  <= {CountBits{1'b0}};
      count_q <= {CountBits{1'b0}};
    end else begin
      if (load) valid_q <= !empty || take;
      if (pop) head_q <= head_q == LAST ? {CountBits{1'b0}} : head_q + 1'b1;
      if (push) tail_q <= tail_q == LAST ? {CountBits{1'b0}} : tail_q + 1'b1;
      if (push && !pop) count_q <= count_q + 1'b1;
      if (pop && !push) count_q <= count_q - 1'b1;
    end
  end

  always @(posedge clk_i) begin
    if (pop || pass) data_q <= empty ? in_data_i : mem_data;
  end

endmodule

`default_nettype wire
