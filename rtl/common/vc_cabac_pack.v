// Collects the settled bits of a CABAC encoder into bytes and resolves carries
// (the outstanding bits of H.265 clause 9.3.4.6.3, by bytes): it holds the
// newest byte below 255 and counts the bytes of 255 after it, until the next
// byte tells whether a carry runs through them.
//
// Mirror:     internal/cabachw/pack.go
// Latency:    1 from the bits that complete the next byte
// Throughput: 1 word a cycle; a run of bytes of 255 leaves at one a cycle
// Storage:    34 + RunBits bits
// Packing:    in_bits_i holds in_n_i bits, the carry into the bits before above them

`default_nettype none

module vc_cabac_pack #(
  parameter RunBits = 16  // bits of the count of bytes of 255
) (
  input  wire       clk_i,
  input  wire       rst_i,
  input  wire       in_valid_i,
  output wire       in_ready_o,
  input  wire [7:0] in_bits_i,
  input  wire [2:0] in_n_i,      // 1..7
  input  wire       in_last_i,   // ends the codeword: zero bits fill the byte
  output wire       out_valid_o,
  input  wire       out_ready_i,
  output wire [7:0] out_data_o,
  output wire       out_last_o,
  output wire       overflow_o   // a run did not fit its counter: bytes are lost
);

  generate
    if (RunBits < 1 || RunBits > 31) begin : gen_illegal_runbits
      illegal_RunBits_is_not_1_to_31 u_illegal ();
    end
  endgenerate

  reg  [7:0]         acc_q;       // carry, and up to 7 pending bits below it, left aligned
  reg  [2:0]         k_q;         // pending bits
  reg                fin_q;       // the last word is in
  reg                has_q;       // held_q is a byte of this codeword
  reg  [7:0]         held_q;
  reg  [RunBits-1:0] run_q;       // bytes of 255 behind held_q
  reg                draining_q;  // the run leaves
  reg                fill_q;      // as bytes of 255, not of 0
  reg                out_valid_q;
  reg  [7:0]         out_q;
  reg                out_last_q;
  reg                overflow_q;

  wire free  = !out_valid_q || out_ready_i;  // the output register is free after this edge
  wire step  = free && !draining_q;
  wire word  = step && !fin_q && in_valid_i;
  wire close = step && fin_q && k_q != 3'd0; // zero bits fill the byte
  wire done  = step && fin_q && k_q == 3'd0;
  wire drain = free && draining_q;

  wire [3:0]  bits_t = {1'b0, k_q} + {1'b0, in_n_i};               // 1..14
  wire [15:0] sum    = {acc_q, 8'd0} + ({8'd0, in_bits_i} << ~bits_t);
  wire [8:0]  digit  = fin_q ? {acc_q, 1'b0} : sum[15:7];          // carry and byte
  wire        take   = word && bits_t[3] || close;                 // a byte is complete
  wire        count  = take && has_q && digit == 9'd255;
  wire        shift  = take && !count;                             // it replaces the held one
  wire        no_run = run_q == {RunBits{1'b0}};
  wire        one    = run_q == {{(RunBits - 1) {1'b0}}, 1'b1};
  wire        last   = done && no_run || drain && one && fin_q && !has_q;
  wire        emit   = shift && has_q || done || drain;

  assign in_ready_o  = step && !fin_q;
  assign out_valid_o = out_valid_q;
  assign out_data_o  = out_q;
  assign out_last_o  = out_last_q;
  assign overflow_o  = overflow_q;

  always @(posedge clk_i) begin
    if (rst_i) begin
      acc_q       <= 8'd0;
      k_q         <= 3'd0;
      fin_q       <= 1'b0;
      has_q       <= 1'b0;
      run_q       <= {RunBits{1'b0}};
      draining_q  <= 1'b0;
      out_valid_q <= 1'b0;
      overflow_q  <= 1'b0;
    end else begin
      if (close) begin
        acc_q <= 8'd0;
        k_q   <= 3'd0;
      end else if (word) begin
        acc_q <= bits_t[3] ? {1'b0, sum[6:0]} : sum[15:8];
        k_q   <= bits_t[2:0];
      end
      if (word) fin_q <= in_last_i;
      else if (last) fin_q <= 1'b0;
      if (shift) has_q <= 1'b1;
      else if (done) has_q <= 1'b0;
      if (count) run_q <= run_q + 1'b1;
      else if (drain) run_q <= run_q - 1'b1;
      if (count && run_q == {RunBits{1'b1}}) overflow_q <= 1'b1;
      if (shift && has_q || done) draining_q <= !no_run;
      else if (drain && one) draining_q <= 1'b0;
      if (free) out_valid_q <= emit;
    end
  end

  always @(posedge clk_i) begin
    if (shift || done) fill_q <= done || !digit[8];
    if (shift) held_q <= digit[7:0];
    if (emit) begin
      out_q      <= drain ? {8{fill_q}} : held_q + {7'd0, shift && digit[8]};
      out_last_q <= last;
    end
  end

endmodule

`default_nettype wire
