// The memory of above words of all decoder lanes, in one RAM with one port. A
// request takes two cycles, one to write and one to read; a lane has one in each
// macroblock and waits for the reply.
//
// Mirror:     t264/hwdec/above.go
// Latency:    4 for a lane that is alone and selected
// Throughput: 1 request in 2 cycles
// Storage:    25 * Lanes * 2^MBBits bits of RAM, 28 + 2 * MBBits + 3 * LaneBits of flip-flops
// Packing:    lane l has bit l of the flags, and its part l of the other ports

`default_nettype none
`include "t264_dec_words.vh"

module t264_dec_above #(
  parameter Lanes    = 8,   // decoder lanes
  parameter FrameMBs = 64,  // widest and highest frame in macroblocks, 2..1024
  parameter LaneBits = Lanes > 1 ? $clog2(Lanes) : 1,       // bits of the number of a lane
  parameter MBBits   = FrameMBs > 1 ? $clog2(FrameMBs) : 1  // bits of a column or row
) (
  input  wire                               clk_i,
  input  wire                               rst_i,
  input  wire [Lanes-1:0]                   in_valid_i,
  output wire [Lanes-1:0]                   in_ready_o,
  input  wire [Lanes-1:0]                   in_write_i,  // the word goes to column x
  input  wire [MBBits*Lanes-1:0]            in_x_i,
  input  wire [MBBits*Lanes-1:0]            in_read_i,   // then this column is read
  input  wire [`T264_AROUND_BITS*Lanes-1:0] in_word_i,
  output reg  [Lanes-1:0]                   out_valid_o,
  output wire [`T264_AROUND_BITS-1:0]       out_word_o
);

  localparam WIDTH     = `T264_ASK_BITS;
  localparam ADDR_BITS = Lanes == 1 ? MBBits : LaneBits + MBBits;

  wire [WIDTH*Lanes-1:0] requests;
  wire                   chosen;
  wire [WIDTH-1:0]       request;
  wire [LaneBits-1:0]    lane;
  reg                    read_q;   // second cycle of a request
  reg                    reply_q;
  reg  [LaneBits-1:0]    lane_q;   // of the reply
  integer                i;
  genvar                 l;

  wire                       write   = request[`T264_ASK_WRITE];
  wire [LaneBits+MBBits-1:0] address = {lane, read_q ? request[`T264_ASK_READ]
                                                     : request[`T264_ASK_X]};

  generate
    for (l = 0; l < Lanes; l = l + 1) begin : gen_request
      assign requests[WIDTH*l + `T264_ASK_WRITE] = in_write_i[l];
      assign requests[WIDTH*l + `T264_ASK_X]     = in_x_i[MBBits*l +: MBBits];
      assign requests[WIDTH*l + `T264_ASK_READ]  = in_read_i[MBBits*l +: MBBits];
      assign requests[WIDTH*l + `T264_ASK_WORD]  =
        in_word_i[`T264_AROUND_BITS*l +: `T264_AROUND_BITS];
    end
  endgenerate

  vc_arbiter #(
    .Width (WIDTH),
    .Inputs(Lanes)
  ) u_arbiter (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .in_valid_i  (in_valid_i),
    .in_ready_o  (in_ready_o),
    .in_data_i   (requests),
    .out_valid_o (chosen),
    .out_ready_i (read_q),
    .out_data_o  (request),
    .out_source_o(lane)
  );

  vc_ram_1rw #(
    .Width(`T264_AROUND_BITS),
    .Depth(Lanes << MBBits)
  ) u_ram (
    .clk_i  (clk_i),
    .en_i   (read_q || chosen && write),
    .we_i   (!read_q),
    .addr_i (address[ADDR_BITS-1:0]),
    .wdata_i(request[`T264_ASK_WORD]),
    .rdata_o(out_word_o)
  );

  always @* begin
    out_valid_o = {Lanes{1'b0}};
    for (i = 0; i < Lanes; i = i + 1) begin
      if (lane_q == i[LaneBits-1:0]) out_valid_o[i] = reply_q;
    end
  end

  always @(posedge clk_i) begin
    if (rst_i) begin
      read_q  <= 1'b0;
      reply_q <= 1'b0;
    end else begin
      read_q  <= chosen && !read_q;
      reply_q <= read_q;
    end
  end

  always @(posedge clk_i) lane_q <= lane;

endmodule

`default_nettype wire
