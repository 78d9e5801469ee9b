// Bypass bins of a CABAC decoder (H.265 clause 9.3.4.3.4): each doubles the offset,
// takes in a bit, and is one if the range can be subtracted. Several a cycle go in
// pairs: what is subtracted is 0, 1, 2 or 3 ranges. Of an odd count the first pair
// is one bin.
//
// Mirror:     internal/cabachw/dec.go
// Latency:    0
// Throughput: count_i bins a cycle
// Storage:    none

`default_nettype none

module vc_cabac_bypass #(
  parameter Bypass = 2  // bins, 1..7
) (
  input  wire [7:0]        rng_i,    // the range is 256 more
  input  wire [8:0]        off_i,    // below the range
  input  wire [Bypass-1:0] bits_i,   // to come, from the top
  // With Bypass 1 nothing looks at it.
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire [2:0]        count_i,  // 1..Bypass
  /* verilator lint_on UNUSEDSIGNAL */
  output reg  [8:0]        off_o,
  output reg               bin_o,    // of a count of one, early; else 0
  output reg  [Bypass-1:0] bins_o    // most significant first
);

  generate
    if (Bypass < 1 || Bypass > 7) begin : gen_illegal_bypass
      illegal_Bypass_is_not_1_to_7 u_illegal ();
    end
  endgenerate

  generate
    if (Bypass == 1) begin : gen_single
      wire [9:0] value = {off_i, bits_i};
      wire [9:0] less  = value - {2'b01, rng_i};

      always @* begin
        off_o  = less[9] ? value[8:0] : less[8:0];
        bin_o  = !less[9];
        bins_o = bin_o;
      end
    end else begin : gen_pairs
      wire [11:0] once   = {4'b0001, rng_i};
      wire [11:0] twice  = {3'b001, rng_i, 1'b0};
      wire [11:0] thrice = once + twice;
      wire [7:0]  window = {bits_i, {(8 - Bypass) {1'b0}}};
      wire [7:0]  bits   = count_i[0] ? window >> 1 : window;
      reg  [11:0] value;
      // Bits 10 and 9 of a difference are zero in the one that is chosen.
      /* verilator lint_off UNUSEDSIGNAL */
      reg  [11:0] less1;
      reg  [11:0] less2;
      reg  [11:0] less3;
      /* verilator lint_on UNUSEDSIGNAL */
      integer     i;

      always @* begin
        off_o  = off_i;
        bin_o  = 1'b0;
        bins_o = {Bypass{1'b0}};
        value  = 12'd0;
        less1  = 12'd0;
        less2  = 12'd0;
        less3  = 12'd0;
        for (i = 0; i < Bypass; i = i + 2) begin
          if (i == 0 || i < {29'd0, count_i}) begin
            value = {1'b0, off_o, bits[7-i-:2]};
            if (i == 0 && count_i[0]) value = {2'b00, off_o, bits[6]};
            less1  = value - once;
            less2  = value - twice;
            less3  = value - thrice;
            bins_o = bins_o << 2;
            if (i == 0) bin_o = !less1[11] && count_i == 3'd1;
            bins_o[1:0] = {!less2[11], less2[11] ? !less1[11] : !less3[11]};
            case ({less1[11], less2[11], less3[11]})
              3'b000: off_o = less3[8:0];
              3'b001: off_o = less2[8:0];
              3'b011: off_o = less1[8:0];
              default: off_o = value[8:0];
            endcase
          end
        end
      end
    end
  endgenerate

endmodule

`default_nettype wire
