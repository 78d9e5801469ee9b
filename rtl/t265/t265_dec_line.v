// Reference samples of two blocks, each in a page of latches: a line of 2 * MaxTU samples
// in words of four, even words and odd ones in a bank each, so that two neighbours are
// read at once. See t265_dec_smooth for what is where.
//
// The enables of a write come a cycle before its data, as those of a clock gate do. A read
// in the cycle of the data finds them.
//
// Mirror:     t265/hwdec/predict.go
// Latency:    0 to read, 1 to write
// Throughput: a word of main and one of side in, a word of each bank out, a cycle
// Storage:    32 * MaxTU bits of latches, 2.5 * MaxTU clock gates (with Modes 4, MaxTU)

`default_nettype none

module t265_dec_line #(
  parameter MaxTU    = 16,  // largest block, 8, 16 or 32
  parameter Modes    = 35,  // 35, or 4: only whole words are written
  parameter AddrBits = $clog2(MaxTU / 4)  // bits of the address of a word in a bank
) (
  input  wire                clk_i,
  input  wire                wpage_i,
  input  wire [MaxTU/2-1:0]  words_i,  // that are written whole
  input  wire [MaxTU-1:0]    bytes_i,  // that are written, of the second half of the line
  // in the next cycle
  input  wire [31:0]         main_i,   // to words of the first half and of even ones ...
  input  wire [31:0]         side_i,
  input  wire                odd_i,    // ... side to odd words of the first half
  input  wire [1:0]          upper_i,  // ... side to odd, even words of the second half
  // read
  input  wire                rpage_i,
  input  wire [AddrBits-1:0] raddr_even_i,
  input  wire [AddrBits-1:0] raddr_odd_i,
  output wire [31:0]         even_o,
  output wire [31:0]         odd_o
);

  localparam WORDS = MaxTU / 2;  // of a page

  wire [31:0]         odd   = odd_i ? side_i : main_i;
  wire [63:0]         upper = {upper_i[1] ? side_i : main_i, upper_i[0] ? side_i : main_i};
  wire [64*WORDS-1:0] words;  // even ones of both pages, odd ones of both pages

  wire unused = &{1'b0, bytes_i, upper};

  genvar p, w, b;
  generate
    for (p = 0; p < 2; p = p + 1) begin : gen_page
      localparam [31:0] PAGE = p;

      wire here = wpage_i == PAGE[0];

      for (w = 0; w < WORDS; w = w + 1) begin : gen_word
        localparam PLACE = (w % 2) * WORDS + p * (WORDS / 2) + w / 2;

        if (Modes == 4 || w < WORDS / 2) begin : gen_whole
          wire       open;
          reg [31:0] word_q;

          assign words[32*PLACE +: 32] = word_q;

          vc_clock_gate u_gate (
            .clk_i(clk_i),
            .en_i (here && words_i[w]),
            .clk_o(open)
          );

          // A latch is meant: the clock gate opens it for half of a cycle.
          /* verilator lint_off LATCH */
          always @* begin
            if (open) word_q = w % 2 != 0 ? odd : main_i;
          end
          /* verilator lint_on LATCH */
        end else begin : gen_bytes
          for (b = 0; b < 4; b = b + 1) begin : gen_byte
            wire      open;
            reg [7:0] byte_q;

            assign words[32*PLACE+8*b +: 8] = byte_q;

            vc_clock_gate u_gate (
              .clk_i(clk_i),
              .en_i (here && (words_i[w] || bytes_i[4*(w-WORDS/2)+b])),
              .clk_o(open)
            );

            // A latch is meant, as above.
            /* verilator lint_off LATCH */
            always @* begin
              if (open) byte_q = upper[32*(w%2)+8*b +: 8];
            end
            /* verilator lint_on LATCH */
          end
        end
      end
    end
  endgenerate

  assign even_o = words[32*{rpage_i, raddr_even_i} +: 32];
  assign odd_o  = words[32*WORDS+32*{rpage_i, raddr_odd_i} +: 32];

endmodule

`default_nettype wire
