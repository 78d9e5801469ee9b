// Inserts emulation prevention bytes (H.264 clause 7.4.1, H.265 7.4.2) into the
// bytes of slice data and collects them in words. A 3 goes in before a byte of 3
// or less that follows two zeros; that byte waits a cycle, of which two bits.
//
// Mirror:     internal/cabachw/nal_pack.go
// Latency:    1 from the byte that completes a word
// Throughput: 1 byte a cycle, 2 cycles for one with a 3 before it
// Storage:    8 * Bytes + CountBits + 8 bits
// Packing:    byte i of a word in out_data_o[8*i +: 8]; those from out_count_o on are zero

`default_nettype none

module vc_nal_pack #(
  parameter Bytes     = 8,  // in a word, 2..8
  parameter CountBits = $clog2(Bytes + 1)  // bits of a count of 0 .. Bytes
) (
  input  wire                 clk_i,
  input  wire                 rst_i,
  input  wire                 in_valid_i,
  output wire                 in_ready_o,
  input  wire [7:0]           in_data_i,
  input  wire                 in_last_i,
  output wire                 out_valid_o,
  input  wire                 out_ready_i,
  output wire [8*Bytes-1:0]   out_data_o,
  output wire [CountBits-1:0] out_count_o,
  output wire                 out_last_o
);

  generate
    if (Bytes < 2 || Bytes > 8) begin : gen_illegal_bytes
      illegal_Bytes_is_not_2_to_8 u_illegal ();
    end
  endgenerate

  localparam [31:0]          FULL32 = Bytes - 1;
  localparam [CountBits-1:0] FULL   = FULL32[CountBits-1:0];  // bytes before the last of a word

  reg                  valid_q;
  reg  [8*Bytes-1:0]   data_q;
  reg  [CountBits-1:0] count_q;
  reg                  last_q;
  reg  [1:0]           zeros_q;      // the byte before is zero; and the one before it
  reg                  pending_q;    // a byte waits behind the 3
  reg  [1:0]           wait_q;       // its low bits; the others are zero
  reg                  wait_last_q;

  wire free   = !valid_q || out_ready_i;  // a byte may enter the word
  wire take   = in_valid_i && in_ready_o;
  wire insert = take && zeros_q[1] && in_data_i[7:2] == 6'd0;
  wire put    = take || free && pending_q;

  wire [7:0]           rest = pending_q ? {6'd0, wait_q} : in_data_i;
  wire [7:0]           next = insert ? 8'd3 : rest;
  wire                 last = pending_q ? wait_last_q : in_last_i && !insert;
  wire [CountBits-1:0] at   = valid_q ? {CountBits{1'b0}} : count_q;

  assign in_ready_o  = free && !pending_q;
  assign out_valid_o = valid_q;
  assign out_data_o  = data_q;
  assign out_count_o = count_q;
  assign out_last_o  = last_q;

  always @(posedge clk_i) begin
    if (rst_i) begin
      valid_q   <= 1'b0;
      count_q   <= {CountBits{1'b0}};
      zeros_q   <= 2'b00;
      pending_q <= 1'b0;
    end else if (free) begin
      valid_q   <= put && (last || at == FULL);
      count_q   <= put ? at + 1'b1 : at;
      pending_q <= insert;
      if (put) zeros_q <= next != 8'd0 || last ? 2'b00 : {zeros_q[0], 1'b1};
    end
  end

  integer i;

  always @(posedge clk_i) begin
    if (insert) begin
      wait_q      <= in_data_i[1:0];
      wait_last_q <= in_last_i;
    end
    if (put) begin
      last_q <= last;
      for (i = 0; i < Bytes; i = i + 1) begin
        if (at == i[CountBits-1:0]) data_q[8*i +: 8] <= next;
        else if (at == {CountBits{1'b0}}) data_q[8*i +: 8] <= 8'd0;
      end
    end
  end

endmodule

`default_nettype wire
