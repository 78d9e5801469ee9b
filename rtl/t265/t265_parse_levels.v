// Puts the levels of a sub-block together (H.265 clause 7.3.8.11), in groups of four from
// the highest scan position down: those that their flags tell at once, the others one a
// cycle, as their remainders are decoded.
//
// Mirror:     t265/hwdec/levels.go
// Latency:    0 from a remainder to the word of the item
// Throughput: 1 remainder a cycle; a group without any takes a cycle
// Storage:    67 bits

`default_nettype none

module t265_parse_levels #(
  parameter Bypass = 4  // signs a cycle, 1..4
) (
  input  wire        clk_i,
  input  wire        open_i,      // a sub-block begins, with known_i at k_i
  input  wire        known_i,
  input  wire        found_i,     // a level at k_i
  input  wire [3:0]  k_i,
  input  wire        flag_i,      // coeff_abs_level_greater1_flag of level m_i is bin_i
  input  wire [2:0]  m_i,
  input  wire        bin_i,
  input  wire        two_i,       // coeff_abs_level_greater2_flag is zero
  input  wire        sign_i,      // a group of signs
  input  wire [2:0]  signs_i,     // of so many
  input  wire [Bypass-1:0] bins_i,
  input  wire        hidden_i,    // the last sign is hidden
  input  wire        begin_i,     // flags and signs are there
  input  wire [1:0]  group_i,     // the highest group with levels
  input  wire [4:0]  count_i,     // levels
  input  wire        active_i,    // remainders come, after begin_i, until finish_o
  input  wire        free_i,      // the word may change
  input  wire        later_i,     // not the sub-block at (0, 0)
  input  wire        full_i,      // a remainder is complete
  input  wire        big_i,       // its prefix is above 3
  input  wire [15:0] a_i,         // it, from the cycle after full_i
  output wire        above_o,     // a level has coeff_abs_level_greater1_flag
  output wire        wait_o,      // the last remainder cannot leave
  output wire [2:0]  old_rice_o,  // cRiceParam before the remainder that is there
  output wire [2:0]  rice_o,
  output wire [3:0]  set_o,       // levels to the word
  output wire [63:0] levels_o,
  output wire        push_o,      // the word is complete
  output wire [1:0]  group_o,
  output wire        finish_o     // the sub-block has no other one
);

  reg [15:0] sig_q;     // levels by scan position
  reg [15:0] signs_q;   // decoded so far, the last one lowest
  reg [7:0]  above_q;   // flags of the levels to come, the first one lowest
  reg [7:0]  escape_q;  // which of them have a remainder
  reg [1:0]  group_q;
  reg [3:0]  done_q;    // remainders of the group in the word
  reg [4:0]  left_q;    // levels of this group and the lower ones
  reg        seen_q;    // a higher group has a level with the flag
  reg        parity_q;  // of the sum of the levels in the word and before
  reg        full_q;
  reg        big_q;
  reg [2:0]  rice_q;

  // Levels of the group, by position: flags by rank.
  reg  [3:0] sig;
  always @* begin
    case (group_q)
      2'd0: sig = sig_q[3:0];
      2'd1: sig = sig_q[7:4];
      2'd2: sig = sig_q[11:8];
      default: sig = sig_q[15:12];
    endcase
  end

  wire [1:0] rank2  = {1'b0, sig[3]};
  wire [1:0] rank1  = {1'b0, sig[3]} + {1'b0, sig[2]};
  wire [1:0] rank0  = rank1 + {1'b0, sig[1]};
  wire [2:0] pop    = {1'b0, rank0} + {2'b00, sig[0]};
  wire [3:0] flags  = above_q[3:0];
  wire [3:0] rest   = escape_q[3:0];
  wire [3:0] above  = sig & {flags[0], flags[rank2], flags[rank1], flags[rank0]};
  wire [3:0] escape = sig & {rest[0], rest[rank2], rest[rank1], rest[rank0]};
  wire [3:0] higher = {1'b0, above[3], |above[3:2], |above[3:1]};
  wire [3:0] first  = above & ~higher & {4{!seen_q}};

  // The next remainder of the group.
  wire [3:0] need = escape & ~done_q;
  wire [3:0] slot = {need[3], need[2] && !need[3], need[1] && need[3:2] == 2'd0, need == 4'd1};
  wire       none = need == 4'd0;
  wire       act  = active_i && free_i && (none || full_q);
  wire       take = act && !none;
  wire       flip = ^(sig & ~escape & ~above);

  wire       up    = |(slot & above);
  wire [1:0] base  = {up, !up || |(slot & first)};
  wire [6:0] value7 = a_i[6:0] + {5'd0, base};
  wire [6:0] limit = 7'd3 << rice_q;
  wire       grow  = take && !rice_q[2] && (big_q || value7 > limit);
  wire [2:0] after = rice_q + {2'd0, grow};
  wire       odd   = parity_q ^ flip ^ (!none && value7[0]);

  // Signs by rank; a hidden one is the parity.
  wire [4:0]  place  = left_q - 5'd1 - {4'd0, hidden_i};
  wire [18:0] shown  = {signs_q, 3'd0} >> place[3:0];
  wire [3:0]  window = shown[3:0];
  wire [3:0]  coded  = {window[3], window[2'd3 - rank2], window[2'd3 - rank1],
                        window[2'd3 - rank0]};
  wire [4:0]  final_ = left_q - 5'd1;
  wire [3:0]  lowest = {final_ == 5'd0, final_ == {3'd0, rank2}, final_ == {3'd0, rank1},
                        final_ == {3'd0, rank0}};
  wire [3:0]  minus  = coded & ~({4{hidden_i}} & lowest) | {4{hidden_i && odd}} & lowest;

  // a + c, or -(a + c) = ~a - (c - 1).
  wire        negative = |(slot & minus);
  wire [5:0]  c        = {4'd0, base} + (big_q ? 6'd2 << rice_q : 6'd0);
  wire [6:0]  term     = negative ? ~({1'b0, c} - 7'd2) : {1'b0, c};
  wire [15:0] level    = (a_i ^ {16{negative}}) + {{9{term[6]}}, term};
  wire        unused   = &{1'b0, shown[18:4], place[4]};

  genvar j;
  generate
    for (j = 0; j < 4; j = j + 1) begin : gen_level
      wire        known = sig[j] && !escape[j];
      wire        sign  = known && minus[j];
      wire [15:0] plain = {{14{sign}}, known && (above[j] || minus[j]), known && !above[j]};

      assign set_o[j] = act && (!escape[j] || slot[j]);
      assign levels_o[16*j +: 16] = escape[j] ? level : plain;
    end
  endgenerate

  // The next group with an item.
  wire [2:0] has   = {|sig_q[11:8], |sig_q[7:4], |sig_q[3:0] || !later_i};
  wire [2:0] below = has & {group_q == 2'd3, group_q[1], |group_q};

  assign above_o    = |above_q;
  assign wait_o     = full_q && !take;
  assign old_rice_o = rice_q;
  assign rice_o     = after;
  assign push_o     = act && (need & ~slot) == 4'd0;
  assign group_o    = group_q;
  assign finish_o   = push_o && below == 3'd0;

  integer i;

  always @(posedge clk_i) begin
    if (open_i) sig_q <= 16'd0;
    for (i = 0; i < 16; i = i + 1) begin
      if (found_i && k_i == i[3:0]) sig_q[i] <= 1'b1;
    end
    if (open_i && known_i) sig_q[k_i] <= 1'b1;
    if (sign_i) signs_q <= signs_q << signs_i | {{(16 - Bypass) {1'b0}}, bins_i};
  end

  always @(posedge clk_i) begin
    if (open_i) begin
      above_q  <= 8'd0;
      escape_q <= 8'hff;
    end else if (flag_i) begin
      if (bin_i) above_q[m_i] <= 1'b1;
      else escape_q[m_i] <= 1'b0;
    end else if (two_i) begin
      escape_q <= escape_q & ~(above_q & (~above_q + 8'd1));
    end else if (push_o) begin
      above_q  <= above_q >> pop;
      escape_q <= ~(~escape_q >> pop);
    end
  end

  always @(posedge clk_i) begin
    if (begin_i) begin
      group_q  <= group_i;
      left_q   <= count_i;
      seen_q   <= 1'b0;
      parity_q <= 1'b0;
      rice_q   <= 3'd0;
    end else begin
      rice_q <= after;
      if (push_o) begin
        group_q <= below[2] ? 2'd2 : {1'b0, below[1]};
        left_q  <= left_q - {2'd0, pop};
        seen_q  <= seen_q || |above;
      end
      if (push_o) parity_q <= odd;
      else if (take) parity_q <= parity_q ^ value7[0];
    end
    if (begin_i || push_o) done_q <= 4'd0;
    else if (take) done_q <= done_q | slot;
    if (begin_i) full_q <= 1'b0;
    else if (full_i) full_q <= 1'b1;
    else if (take) full_q <= 1'b0;
    if (full_i) big_q <= big_i;
  end

endmodule

`default_nettype wire
