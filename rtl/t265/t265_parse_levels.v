// Puts the levels of a sub-block together (H.265 clause 7.3.8.11), in groups of four from
// the highest scan position down: those that their flags tell at once, the others one a
// cycle, as their remainders are decoded. While one group is being put together, the kinds
// of levels of the next one are found.
//
// Mirror:     t265/hwdec/levels.go
// Latency:    0 from a remainder to the word of the item
// Throughput: 1 remainder a cycle; a group without any takes a cycle
// Storage:    84 bits

`default_nettype none

module t265_parse_levels #(
  parameter Bypass = 4  // signs a cycle, 1..4
) (
  input  wire        clk_i,
  input  wire        clear_i,     // no block is being parsed, or it ends early: there are no groups
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
  input  wire        flags_i,     // flags come, not all of which are there
  input  wire [1:0]  group_i,     // after them: the highest group with levels
  input  wire [4:0]  count_i,     // and the levels
  input  wire        home_i,      // the sub-block at (0, 0), whose group 0 has an item in any case
  input  wire        signed_i,    // the signs are there
  input  wire        free_i,      // the word may change
  input  wire        full_i,      // a remainder is complete
  input  wire        big_i,       // its prefix is above 3
  input  wire [1:0]  base_i,      // what is added to it, 1..3
  input  wire [15:0] a_i,         // it, from the cycle after full_i
  output wire        above_o,     // a level has coeff_abs_level_greater1_flag
  output wire        wait_o,      // the last remainder cannot leave
  output wire [2:0]  old_rice_o,  // cRiceParam before the remainder that is there
  output wire [2:0]  rice_o,      // and after it
  output wire [3:0]  set_o,       // levels to the word
  output wire [63:0] levels_o,
  output wire        push_o,      // the word is complete
  output wire [1:0]  group_o,
  output wire        idle_o       // and the last one
);

  localparam [1:0] ESCAPE = 2'd3;  // a level with a remainder; 1 and 2 are those without, 0 is none

  reg [15:0] sig_q;     // levels by scan position
  reg [15:0] signs_q;   // decoded so far, the last one lowest
  reg [7:0]  above_q;   // flags of the levels to come, the first one lowest
  reg [7:0]  escape_q;  // which of them have a remainder

  // The groups to come.
  reg        more_q;
  reg [1:0]  next_q;    // the first one
  reg [4:0]  left_q;    // their levels

  // The group that is put together.
  reg        there_q;
  reg [7:0]  kind_q;    // its levels by position
  reg [3:0]  need_q;    // remainders to come
  reg [3:0]  place_q;   // sign of the first level
  reg        lowest_q;  // it has the last level of the sub-block
  reg [1:0]  group_q;
  reg        parity_q;  // of the sum of the levels in the word and before

  reg        full_q;
  reg        big_q;
  reg [1:0]  base_q;
  reg [2:0]  rice_q;

  // Kinds of the levels of the next group: its flags are by rank.
  reg [3:0] sig;

  always @* begin
    case (next_q)
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
  wire [3:0] above  = {flags[0], flags[rank2], flags[rank1], flags[rank0]};
  wire [3:0] escape = sig & {rest[0], rest[rank2], rest[rank1], rest[rank0]};
  wire [2:0] has    = {|sig_q[11:8], |sig_q[7:4], |sig_q[3:0] || home_i};
  wire [2:0] below  = has & {next_q == 2'd3, next_q[1], |next_q};
  wire [4:0] place  = left_q - 5'd1 - {4'd0, hidden_i};

  // The next remainder of the group.
  wire [3:0] slot = {need_q[3], need_q[3:2] == 2'd1, need_q[3:1] == 3'd1, need_q == 4'd1};
  wire       none = need_q == 4'd0;
  wire       act  = there_q && signed_i && free_i && (none || full_q);
  wire       take = act && !none;
  wire       push = act && (need_q & ~slot) == 4'd0;
  wire       load = more_q && !flags_i && (!there_q || push);

  // cRiceParam grows with a level above three times two to it.
  wire [6:0] value7 = a_i[6:0] + {5'd0, base_q};
  wire [6:0] limit  = 7'd3 << rice_q;
  wire       grow   = full_q && !rice_q[2] && (big_q || value7 > limit);

  assign above_o    = |above_q;
  assign wait_o     = full_q && !take;
  assign old_rice_o = rice_q;
  assign rice_o     = rice_q + {2'd0, grow};

  // Signs by rank; a hidden one is the parity.
  wire [3:0]  there, plain1, plain2, remainder;
  wire [1:0]  at2    = {1'b0, there[3]};
  wire [1:0]  at1    = {1'b0, there[3]} + {1'b0, there[2]};
  wire [1:0]  at0    = at1 + {1'b0, there[1]};
  wire [18:0] shown  = {signs_q, 3'd0} >> place_q;
  wire [3:0]  window = shown[3:0];
  wire [3:0]  coded  = {window[3], window[2'd3 - at2], window[2'd3 - at1], window[2'd3 - at0]};
  wire [3:0]  lowest = there & (~there + 4'd1) & {4{hidden_i && lowest_q}};
  wire        flip   = ^plain1;
  wire        odd    = parity_q ^ flip ^ (take && value7[0]);
  wire [3:0]  minus  = coded & ~lowest | {4{odd}} & lowest;

  // a + c, or -(a + c) = ~a - (c - 1).
  wire        negative = |(slot & minus);
  wire [5:0]  c        = {4'd0, base_q} + (big_q ? 6'd2 << rice_q : 6'd0);
  wire [6:0]  term     = negative ? ~({1'b0, c} - 7'd2) : {1'b0, c};
  wire [15:0] level    = (a_i ^ {16{negative}}) + {{9{term[6]}}, term};
  wire        unused   = &{1'b0, shown[18:4], place[4]};

  genvar j;
  generate
    for (j = 0; j < 4; j = j + 1) begin : gen_level
      wire [1:0]  kind  = kind_q[2*j +: 2];
      wire        sign  = minus[j] && (plain1[j] || plain2[j]);
      wire [15:0] plain = {{14{sign}}, plain2[j] || sign, plain1[j]};

      assign there[j]     = kind != 2'd0;
      assign plain1[j]    = kind == 2'd1;
      assign plain2[j]    = kind == 2'd2;
      assign remainder[j] = kind == ESCAPE;
      assign set_o[j] = act && (!remainder[j] || slot[j]);
      assign levels_o[16*j +: 16] = remainder[j] ? level : plain;
    end
  endgenerate

  assign push_o  = push;
  assign group_o = group_q;
  assign idle_o  = !more_q && (!there_q || push);

  integer i;
  integer n;

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
    end else if (load) begin
      above_q  <= above_q >> pop;
      escape_q <= ~(~escape_q >> pop);
    end
  end

  always @(posedge clk_i) begin
    if (clear_i) begin
      more_q  <= 1'b0;
      there_q <= 1'b0;
    end else begin
      if (flags_i) more_q <= 1'b1;
      else if (load) more_q <= |below;
      if (load) there_q <= 1'b1;
      else if (push) there_q <= 1'b0;
    end
    if (flags_i) begin
      next_q <= group_i;
      left_q <= count_i;
    end else if (load) begin
      next_q <= below[2] ? 2'd2 : {1'b0, below[1]};
      left_q <= left_q - {2'd0, pop};
    end
    if (load) begin
      for (n = 0; n < 4; n = n + 1)
        kind_q[2*n +: 2] <= {2{sig[n]}} & {escape[n] || above[n], escape[n] || !above[n]};
      need_q   <= escape;
      place_q  <= place[3:0];
      lowest_q <= left_q == {2'd0, pop};
      group_q  <= next_q;
    end else if (take) begin
      need_q <= need_q & ~slot;
    end
    if (flags_i) begin
      parity_q <= 1'b0;
      full_q   <= 1'b0;
      rice_q   <= 3'd0;
    end else begin
      if (push) parity_q <= odd;
      else if (take) parity_q <= parity_q ^ value7[0];
      if (full_i) full_q <= 1'b1;
      else if (take) full_q <= 1'b0;
      if (take) rice_q <= rice_o;
    end
    if (full_i) begin
      big_q  <= big_i;
      base_q <= base_i;
    end
  end

endmodule

`default_nettype wire
