// Memory of the words that decoder lanes keep for each macroblock column. A
// request writes a word, if it has one, then reads another.
//
// Mirror:     t264/dec_unit.go
// Latency:    5, in an idle system
// Throughput: 1 request in 3 cycles
// Storage:    Lanes * 2^MBBits * 25 bits of memory, and an arbiter
// Packing:    lane i in bit i, or in [Bits*i +: Bits]

`default_nettype none

module t264_dec_above #(
  parameter Lanes    = 16,
  parameter LaneBits = 4,
  parameter MBBits   = 6   // bits of a column of macroblocks
) (
  input  wire                    clk_i,
  input  wire                    rst_i,
  input  wire [Lanes-1:0]        ask_valid_i,
  output wire [Lanes-1:0]        ask_ready_o,
  input  wire [Lanes-1:0]        ask_write_i,
  input  wire [MBBits*Lanes-1:0] ask_x_i,
  input  wire [MBBits*Lanes-1:0] ask_read_i,
  input  wire [25*Lanes-1:0]     ask_word_i,
  output reg  [Lanes-1:0]        reply_valid_o,
  input  wire [Lanes-1:0]        reply_ready_i,
  output wire [24:0]             reply_word_o
);

  localparam WIDTH = 26 + 2 * MBBits;
  localparam [1:0] WRITE = 2'd0, READ = 2'd1, REPLY = 2'd2;

  wire [WIDTH*Lanes-1:0] asks;
  wire                   valid;
  wire [WIDTH-1:0]       ask;
  wire [LaneBits-1:0]    lane;
  reg  [1:0]             state_q;
  wire                   replied = state_q == REPLY && reply_ready_i[lane];
  integer                i;

  genvar l;
  generate
    for (l = 0; l < Lanes; l = l + 1) begin : gen_ask
      assign asks[WIDTH*l +: WIDTH] = {ask_word_i[25*l +: 25], ask_read_i[MBBits*l +: MBBits],
                                       ask_x_i[MBBits*l +: MBBits], ask_write_i[l]};
    end
  endgenerate

  vc_arbiter #(
    .Width  (WIDTH),
    .Inputs (Lanes),
    .SelBits(LaneBits)
  ) u_arbiter (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .in_valid_i  (ask_valid_i),
    .in_ready_o  (ask_ready_o),
    .in_data_i   (asks),
    .out_valid_o (valid),
    .out_ready_i (replied),
    .out_data_o  (ask),
    .out_source_o(lane)
  );

  vc_ram_1rw #(
    .Width   (25),
    .Depth   (Lanes << MBBits),
    .AddrBits(LaneBits + MBBits)
  ) u_mem (
    .clk_i  (clk_i),
    .en_i   (state_q == READ || state_q == WRITE && valid && ask[0]),
    .we_i   (state_q == WRITE),
    .addr_i ({lane, state_q == WRITE ? ask[1 +: MBBits] : ask[1 + MBBits +: MBBits]}),
    .wdata_i(ask[1 + 2 * MBBits +: 25]),
    .rdata_o(reply_word_o)
  );

  always @* begin
    for (i = 0; i < Lanes; i = i + 1) begin
      reply_valid_o[i] = state_q == REPLY && lane == i[LaneBits-1:0];
    end
  end

  always @(posedge clk_i) begin
    if (rst_i) state_q <= WRITE;
    else begin
      case (state_q)
        WRITE: if (valid) state_q <= READ;
        READ: state_q <= REPLY;
        default: if (replied) state_q <= WRITE;
      endcase
    end
  end

endmodule

`default_nettype wire
