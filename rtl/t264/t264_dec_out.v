// Queue of samples between the pixel path, which does not wait, and the outside:
// a memory with its read register as output. credit_o returns a slot of four
// words when the last of them has been read.
//
// Mirror:     t264/hwdec/pixels.go
// Latency:    2
// Throughput: 1 word a cycle
// Storage:    4 * Slots * Width bits of memory, and control

`default_nettype none

module t264_dec_out #(
  parameter Width    = 54,  // bits
  parameter Slots    = 16,  // of four words
  parameter SlotBits = $clog2(Slots)  // bits of an index of them
) (
  input  wire             clk_i,
  input  wire             rst_i,
  input  wire             in_valid_i,  // never more than fit
  input  wire [Width-1:0] in_data_i,
  output wire             out_valid_o,
  input  wire             out_ready_i,
  output wire [Width-1:0] out_data_o,
  output wire             credit_o
);

  localparam [31:0]         LAST32 = 4 * Slots - 1;
  localparam [SlotBits+1:0] LAST   = LAST32[SlotBits+1:0];

  localparam [SlotBits+1:0] FIRST = {(SlotBits + 2) {1'b0}};
  localparam [SlotBits+2:0] NONE  = {(SlotBits + 3) {1'b0}};

  reg                valid_q;
  reg [SlotBits+1:0] head_q;
  reg [SlotBits+1:0] tail_q;
  reg [SlotBits+2:0] count_q;

  wire read = (!valid_q || out_ready_i) && count_q != NONE;

  assign out_valid_o = valid_q;
  assign credit_o    = read && head_q[1:0] == 2'd3;

  vc_ram_1r1w #(
    .Width(Width),
    .Depth(4 * Slots)
  ) u_mem (
    .clk_i  (clk_i),
    .we_i   (in_valid_i),
    .waddr_i(tail_q),
    .wdata_i(in_data_i),
    .re_i   (read),
    .raddr_i(head_q),
    .rdata_o(out_data_o)
  );

  always @(posedge clk_i) begin
    if (rst_i) begin
      valid_q <= 1'b0;
      head_q  <= FIRST;
      tail_q  <= FIRST;
      count_q <= NONE;
    end else begin
      if (!valid_q || out_ready_i) valid_q <= read;
      if (read) head_q <= head_q == LAST ? FIRST : head_q + 1'b1;
      if (in_valid_i) tail_q <= tail_q == LAST ? FIRST : tail_q + 1'b1;
      if (in_valid_i && !read) count_q <= count_q + 1'b1;
      if (read && !in_valid_i) count_q <= count_q - 1'b1;
    end
  end

endmodule

`default_nettype wire
