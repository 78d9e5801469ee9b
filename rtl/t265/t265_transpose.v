// The memory between the two dimensions of a transform: vectors in, and those of the
// other dimension out, eight values a beat, in eight banks. The values of a beat, in
// and out, are in eight different banks: that of value j of vector i is the exclusive
// or of three bits of each.
//
// A vector of 16 points comes in two beats. Forward: odd coefficients, then even ones;
// out come values 0 to 3 and 12 to 15, then 8 to 11 and 4 to 7, both in the order of
// the three lowest bits. Inverse: values 0 to 7, then 8 to 15; out come 0 to 7, then
// 14, 15, 12, 13, 10, 11, 8 and 9.
//
// Mirror:     t265/hwenc/transform.go
// Latency:    1 from the read to its data; 0 with MaxTU 8
// Throughput: a beat in and a beat out a cycle
// Storage:    8 SRAMs of 1024 bits; with MaxTU 8 2048 latches

`default_nettype none

module t265_transpose #(
  parameter MaxTU   = 16,  // largest block, 8 or 16
  parameter Inverse = 0    // 1: inverse transform
) (
  input  wire         clk_i,
  input  wire         rst_i,
  input  wire         write_i,  // a beat
  input  wire         large_i,  // of a block of 16x16
  input  wire [127:0] data_i,
  output wire         room_o,   // for it
  input  wire         read_i,   // a beat
  output wire         any_o,    // there is one
  output wire         large_o,  // of a block of 16x16
  output wire         second_o, // the second one of its vector, if that is large
  output wire [127:0] data_o
);

  localparam SLOT = MaxTU == 8 ? 1 : 3;  // bits of a slot
  localparam BEAT = MaxTU == 8 ? 3 : 5;  // bits of a beat of a block

  wire [SLOT-1:0] wslot;
  wire [BEAT-1:0] wbeat;
  wire [SLOT-1:0] rslot;
  wire [BEAT-1:0] rbeat;

  t265_slots #(
    .Slots(MaxTU == 8 ? 2 : 8),
    .Many (MaxTU == 8 ? 1 : 4),
    .Beats(8)
  ) u_slots (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .write_i(write_i),
    .large_i(large_i),
    .room_o (room_o),
    .wslot_o(wslot),
    .wbeat_o(wbeat),
    .read_i (read_i),
    .any_o  (any_o),
    .large_o(large_o),
    .rslot_o(rslot),
    .rbeat_o(rbeat)
  );

  wire [2:0]   word;  // where the beat that comes is written
  wire [2:0]   line;  // of the beat that is read
  wire [2:0]   order; // of the values that were read
  wire [127:0] banks;
  wire [127:0] words;

  t265_permute8 u_in (
    .mask_i  (word),
    .values_i(data_i),
    .values_o(banks)
  );

  t265_permute8 u_out (
    .mask_i  (order),
    .values_i(words),
    .values_o(data_o)
  );

  assign second_o = rbeat[0];

  genvar b;
  generate
    if (MaxTU == 8) begin : gen_latches
      assign word     = wbeat;
      assign line     = rbeat;
      assign order    = rbeat;
      for (b = 0; b < 8; b = b + 1) begin : gen_bank
        localparam [31:0] BANK = b;

        vc_ram_latch #(
          .Width(16),
          .Depth(16)
        ) u_ram (
          .clk_i  (clk_i),
          .we_i   (write_i),
          .waddr_i({wslot, word}),
          .wdata_i(banks[16*b +: 16]),
          .raddr_i({rslot, line ^ BANK[2:0]}),
          .rdata_o(words[16*b +: 16])
        );
      end
    end else begin : gen_sram
      reg  [2:0] order_q;
      wire [2:0] to = wslot + (large_i ? {1'b0, wbeat[4], wbeat[0]} : 3'd0);
      wire       half = large_o && rbeat[0];

      assign word     = large_i ? wbeat[3:1] : wbeat[2:0];
      assign line     = !large_o ? rbeat[2:0] : Inverse ? rbeat[3:1] : rbeat[4:2];
      assign order    = order_q;

      always @(posedge clk_i) begin
        if (read_i) order_q <= line ^ (Inverse && half ? 3'd6 : 3'd0);
      end

      // The slots of the lower and of the upper half of a vector that is read.
      wire       which = Inverse ? rbeat[4] : !rbeat[1];
      wire [2:0] lower = rslot + (large_o ? {2'd0, which} : 3'd0);
      wire [2:0] upper = rslot + (large_o ? {2'b01, which} : 3'd0);

      for (b = 0; b < 8; b = b + 1) begin : gen_bank
        localparam [31:0] BANK = b;

        wire [2:0] value = line ^ BANK[2:0];

        vc_ram_1r1w #(
          .Width(16),
          .Depth(64)
        ) u_ram (
          .clk_i  (clk_i),
          .we_i   (write_i),
          .waddr_i({to, word}),
          .wdata_i(banks[16*b +: 16]),
          .re_i   (read_i),
          .raddr_i({(Inverse ? half : value[2] ^ half) ? upper : lower, value}),
          .rdata_o(words[16*b +: 16])
        );
      end
    end
  endgenerate

endmodule

`default_nettype wire
