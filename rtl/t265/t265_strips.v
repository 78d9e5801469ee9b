// The memory between 4x4 sub-blocks and columns: a strip of four columns. A column goes
// in or out in beats of two sub-blocks, four values of each, from the top; a sub-block
// in two beats of two columns, from the left. The two parts of a beat are in different
// banks.
//
// Of columns of 16 values that come out, the second beat is in the order that
// t265_transpose has: 14, 15, 12, 13, 10, 11, 8 and 9.
//
// Mirror:     t265/hwenc/transform.go
// Latency:    1 from the read to its data; 0 with MaxTU 8
// Throughput: a beat in and a beat out a cycle
// Storage:    2 SRAMs of 1024 bits; with MaxTU 8 1024 latches

`default_nettype none

module t265_strips #(
  parameter MaxTU   = 16,  // largest block, 8 or 16
  parameter Inverse = 0    // 1: sub-blocks in, columns out; 0: columns in, sub-blocks out
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
  output wire         second_o, // the second one of its column, if that is large
  output wire [127:0] data_o
);

  localparam SLOT = MaxTU == 8 ? 1 : 2;  // bits of a slot
  localparam BEAT = MaxTU == 8 ? 2 : 3;  // bits of a beat of a strip

  wire [SLOT-1:0] wslot;
  wire [BEAT-1:0] wbeat;
  wire [SLOT-1:0] rslot;
  wire [BEAT-1:0] rbeat;

  t265_slots #(
    .Slots(MaxTU == 8 ? 2 : 4),
    .Many (MaxTU == 8 ? 1 : 2),
    .Beats(4)
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

  // In slot and word of a bank: of a column {half of 16 values, column}, of half a
  // sub-block {upper bit of its row, half, column}. Parts cross for odd columns, and
  // for odd rows of sub-blocks.
  wire [SLOT-1:0]  wto;
  wire [SLOT-1:0]  rto;
  wire             wcross;
  wire             rcross;
  wire             crossed;   // of what was read
  wire [127:0]     words;
  wire [127:0]     banks = wcross ? {data_i[63:0], data_i[127:64]} : data_i;
  wire [127:0]     parts = crossed ? {words[63:0], words[127:64]} : words;

  genvar b;
  generate
    if (MaxTU == 8) begin : gen_small
      assign wto     = wslot;
      assign rto     = rslot;
      assign wcross  = Inverse ? wbeat[1] : wbeat[0];
      assign rcross  = Inverse ? rbeat[0] : rbeat[1];
      assign crossed = rcross;
      assign data_o  = parts;
      for (b = 0; b < 2; b = b + 1) begin : gen_bank
        localparam [31:0] BANK = b;

        wire [1:0] half  = Inverse ? wbeat : rbeat;
        wire [1:0] side  = {half[0], half[1] ^ BANK[0]};
        wire [1:0] wword = Inverse ? side : wbeat;
        wire [1:0] rword = Inverse ? rbeat : side;

        vc_ram_latch #(
          .Width(64),
          .Depth(8)
        ) u_ram (
          .clk_i  (clk_i),
          .we_i   (write_i),
          .waddr_i({wto, wword}),
          .wdata_i(banks[64*b +: 64]),
          .raddr_i({rto, rword}),
          .rdata_o(words[64*b +: 64])
        );
      end
    end else begin : gen_large
      reg        cross_q;
      reg        second_q;
      wire [2:0] beat  = Inverse ? wbeat : rbeat;  // of a sub-block
      wire [2:0] turn  = Inverse ? rbeat : wbeat;  // of a column
      wire       half  = (Inverse ? large_o : large_i) && turn[0];
      wire [1:0] col   = (Inverse ? large_o : large_i) ? turn[2:1] : turn[1:0];

      assign wto     = wslot + {1'b0, Inverse ? beat[2] : half};
      assign rto     = rslot + {1'b0, Inverse ? half : beat[2]};
      assign wcross  = Inverse ? beat[1] : col[0];
      assign rcross  = Inverse ? col[0] ^ half : beat[1];
      assign crossed = cross_q;

      always @(posedge clk_i) begin
        if (read_i) begin
          cross_q  <= rcross;
          second_q <= half;
        end
      end

      for (b = 0; b < 2; b = b + 1) begin : gen_bank
        localparam [31:0] BANK = b;

        wire [1:0] side  = {beat[0], beat[1] ^ BANK[0]};
        wire [1:0] wword = Inverse ? side : col;
        wire [1:0] rword = Inverse ? col : side;

        assign data_o[64*b +: 64] = Inverse && second_q
                                  ? {parts[64*b +: 32], parts[64*b+32 +: 32]} : parts[64*b +: 64];

        vc_ram_1r1w #(
          .Width(64),
          .Depth(16)
        ) u_ram (
          .clk_i  (clk_i),
          .we_i   (write_i),
          .waddr_i({wto, wword}),
          .wdata_i(banks[64*b +: 64]),
          .re_i   (read_i),
          .raddr_i({rto, rword}),
          .rdata_o(words[64*b +: 64])
        );
      end
    end
  endgenerate

  assign second_o = rbeat[0];

endmodule

`default_nettype wire
