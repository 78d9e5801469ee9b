// The bypass bins of a sub-block, coeff_sign_flag and coeff_abs_level_remaining (H.265
// clauses 7.3.8.11 and 9.3.3.11), in groups that the engine takes in a cycle. They are
// made while the context bins of the sub-block are coded. Stages: four scan positions of
// signs make a chunk of bins, or a level is picked; the level makes chunks of up to four;
// chunks are put together to groups; groups wait in a queue.
//
// Mirror:     t265/hwenc/bypass.go
// Latency:    4
// Throughput: 1 level a cycle, and another for every four bins from the fifth on
// Storage:    83 + (Bypass + 4) * Groups bits, and control of the queue
// Packing:    word_i as LEVELS in gen/t265_enc_words.vh: level k in [14*k +: 14]

`default_nettype none

module t265_bypass #(
  parameter Bypass = 4,  // bins of a full group, 4..7
  parameter Groups = 8   // groups in the queue
) (
  input  wire        clk_i,
  input  wire        rst_i,
  input  wire        load_i,         // a sub-block with levels comes in
  input  wire [15:0] load_mask_i,    // those that are not zero
  output wire        idle_o,         // it may
  input  wire [15:0] greater_i,      // levels of the sub-block above one in magnitude
  input  wire [15:0] sign_i,         // below zero
  input  wire        hide_i,         // sign data hiding
  input  wire        word_valid_i,   // the magnitudes of four levels
  input  wire [55:0] word_i,
  output wire        word_take_o,    // they are done with
  output wire        group_valid_o,
  input  wire        group_ready_i,
  output wire [2:0]  group_count_o,
  output wire [6:0]  group_bits_o,   // the first one highest
  output wire        group_last_o    // of the sub-block
);

  generate
    if (Bypass < 4 || Bypass > 7) begin : gen_illegal_bypass
      illegal_Bypass_is_not_4_to_7 u_illegal ();
    end
    if (Groups < 2 || Groups > 16) begin : gen_illegal_groups
      illegal_Groups_is_not_2_to_16 u_illegal ();
    end
  endgenerate

  localparam [1:0]  S_IDLE = 2'd0, S_SIGN = 2'd1, S_LEVEL = 2'd2;  // of the first stage
  localparam [2:0]  NONE = 3'd0, FIRST = 3'd1, PREFIX = 3'd2;      // of the second
  localparam [2:0]  SUFFIX = 3'd3, END = 3'd4;
  localparam [31:0] SIZE32 = Bypass;
  localparam [3:0]  SIZE   = SIZE32[3:0];

  reg  [1:0]  state_q;
  reg  [1:0]  nibble_q;       // four scan positions whose signs come next
  reg  [15:0] mask_q;         // levels that are not picked
  reg  [3:0]  count_q;        // levels before
  reg         seen_q;         // one of them was above one
  reg  [2:0]  coding_q, coding_d;
  reg  [13:0] level_q;        // magnitude
  reg  [13:0] value_q;        // coeff_abs_level_remaining
  reg         codes_q;        // it is coded
  reg         last_q;         // level of the sub-block
  reg  [2:0]  rice_q;         // cRiceParam
  reg  [3:0]  left_q;         // bins of the prefix to come, or groups of four of the suffix
  reg  [3:0]  left_d;
  reg  [3:0]  chunk_q;
  reg  [3:0]  chunk;
  reg  [2:0]  chunk_count_q;
  reg  [2:0]  chunk_count;
  reg         chunk_end_q;    // the sub-block ends: no bins
  reg  [6:0]  held_q;         // bins that are not in a group yet
  reg  [2:0]  held_count_q;
  integer     i;

  wire queue_ready;
  wire moves;  // the third stage, and so the chunk in front of it
  wire ends;   // the chunk ends a level

  // The level to pick, the last one of the mask.
  reg  [3:0]  top;
  reg  [15:0] one;  // its bit
  reg  [13:0] magnitude;

  always @* begin
    top = 4'd0;
    for (i = 1; i < 16; i = i + 1) begin
      if (mask_q[i]) top = i[3:0];
    end
    one      = 16'd0;
    one[top] = 1'b1;
    case (top[1:0])
      2'd0: magnitude = word_i[13:0];
      2'd1: magnitude = word_i[27:14];
      2'd2: magnitude = word_i[41:28];
      default: magnitude = word_i[55:42];
    endcase
  end

  wire [3:0]  nibble  = greater_i[{top[3:2], 2'd0} +: 4];
  wire        grouped = nibble != 4'd0;  // its word is needed
  wire        above   = greater_i[top];
  wire [13:0] level   = above ? magnitude : 14'd1;
  wire [1:0]  base    = count_q[3] ? 2'd1 : !seen_q ? 2'd3 : 2'd2;  // 3 for the first above one
  wire        free    = coding_q == NONE || moves && ends;
  wire        pick    = state_q == S_LEVEL && free && (!grouped || word_valid_i);
  wire [15:0] mask_d  = mask_q & ~one;

  // Signs, while no level is under way.
  wire [15:0] lowest = mask_q & (~mask_q + 16'd1);
  wire        hidden = hide_i && {4'd0, mask_q} >= {lowest, 4'd0};
  wire [15:0] shown  = hidden ? mask_q & ~lowest : mask_q;
  wire [3:0]  four   = shown[{nibble_q, 2'd0} +: 4];
  wire [3:0]  minus  = sign_i[{nibble_q, 2'd0} +: 4];
  wire        signs  = state_q == S_SIGN && coding_q == NONE;

  assign idle_o      = state_q == S_IDLE;
  assign word_take_o = pick && grouped && mask_d[{top[3:2], 2'd0} +: 4] == 4'd0;

  always @(posedge clk_i) begin
    if (rst_i) state_q <= S_IDLE;
    else if (load_i) state_q <= S_SIGN;
    else if (signs && moves && nibble_q == 2'd0) state_q <= S_LEVEL;
    else if (pick && mask_d == 16'd0) state_q <= S_IDLE;
  end

  always @(posedge clk_i) begin
    if (load_i) begin
      nibble_q <= 2'd3;
      mask_q   <= load_mask_i;
      count_q  <= 4'd0;
      seen_q   <= 1'b0;
    end else begin
      if (signs && moves) nibble_q <= nibble_q - 2'd1;
      if (pick) begin
        mask_q  <= mask_d;
        count_q <= count_q + 4'd1;
        seen_q  <= seen_q || above;
      end
    end
  end

  always @(posedge clk_i) begin
    if (pick) begin
      level_q <= level;
      value_q <= level - {12'd0, base};
      codes_q <= level >= {12'd0, base};
      last_q  <= mask_d == 16'd0;
    end
  end

  // Chunks of a level.
  wire [4:0]  prefix;
  wire [3:0]  length;
  wire [12:0] suffix;

  t265_remaining u_remaining (
    .value_i (value_q),
    .rice_i  (rice_q),
    .prefix_o(prefix),
    .length_o(length),
    .suffix_o(suffix)
  );

  wire [5:0]  bins   = {1'b0, prefix} + {2'd0, length};
  wire        short  = bins <= 6'd4;  // never so of a level below its base
  wire [4:0]  ones   = coding_q == FIRST ? prefix : {1'b0, left_q};  // and a zero, of a prefix
  wire [3:0]  below  = length - 4'd1;  // bits of a suffix below its top one
  wire [15:0] padded = {3'd0, suffix};
  wire        rises  = level_q > (14'd3 << rice_q) && !rice_q[2];
  reg  [3:0]  code;  // the last bins of a prefix

  assign ends = coding_q == FIRST && (!codes_q || short) || coding_q == SUFFIX && left_q == 4'd0;

  always @* begin
    case (ones[2:0])
      3'd1: code = 4'b0000;
      3'd2: code = 4'b0010;
      3'd3: code = 4'b0110;
      default: code = 4'b1110;
    endcase
  end

  always @* begin
    chunk       = 4'd0;
    chunk_count = 3'd0;
    coding_d    = coding_q;
    left_d      = left_q - 4'd1;
    case (coding_q)
      FIRST, PREFIX: begin
        if (short) begin
          chunk       = code << length | suffix[3:0];
          chunk_count = bins[2:0];
        end else if (codes_q && ones > 5'd4) begin
          chunk       = 4'b1111;
          chunk_count = 3'd4;
          coding_d    = PREFIX;
          left_d      = ones[3:0] - 4'd4;
        end else if (codes_q) begin
          chunk       = code;
          chunk_count = ones[2:0];
          coding_d    = SUFFIX;
          left_d      = {2'd0, below[3:2]};
        end
      end
      SUFFIX: begin
        chunk       = padded[{left_q[1:0], 2'd0} +: 4];
        chunk_count = left_q[1:0] == below[3:2] ? {1'b0, below[1:0]} + 3'd1 : 3'd4;
      end
      END: coding_d = NONE;
      default: begin  // NONE
        for (i = 3; i >= 0; i = i - 1) begin
          if (signs && four[i]) begin
            chunk       = {chunk[2:0], minus[i]};
            chunk_count = chunk_count + 3'd1;
          end
        end
      end
    endcase
    if (ends) coding_d = last_q ? END : NONE;
  end

  always @(posedge clk_i) begin
    if (rst_i) coding_q <= NONE;
    else if (pick) coding_q <= FIRST;
    else if (moves) coding_q <= coding_d;
  end

  always @(posedge clk_i) begin
    if (moves) begin
      left_q <= left_d;
      if (signs) rice_q <= 3'd0;
      else if (ends && rises) rice_q <= rice_q + 3'd1;
    end
  end

  // Groups.
  wire [3:0]  total   = {1'b0, held_count_q} + {1'b0, chunk_count_q};
  wire        over    = total > SIZE;
  wire [3:0]  rest    = total - SIZE;  // bins behind a full group
  wire        push    = chunk_end_q || over;
  wire [10:0] joined  = ({4'd0, held_q} << chunk_count_q) | {7'd0, chunk_q};
  wire [10:0] shifted = joined >> rest[2:0];
  wire [2:0]  keep    = chunk_end_q ? 3'd0 : over ? rest[2:0] : total[2:0];
  wire        unused  = &{1'b0, shifted[10:Bypass], rest[3]};

  wire [Bypass+3:0] in_group = chunk_end_q ? {1'b1, held_count_q, held_q[Bypass-1:0]}
                                           : {1'b0, SIZE[2:0], shifted[Bypass-1:0]};
  wire [Bypass+3:0] out_group;

  assign moves = !push || queue_ready;

  always @(posedge clk_i) begin
    if (rst_i) begin
      chunk_count_q <= 3'd0;
      chunk_end_q   <= 1'b0;
      held_count_q  <= 3'd0;
    end else if (moves) begin
      chunk_count_q <= chunk_count;
      chunk_end_q   <= coding_q == END;
      held_count_q  <= keep;
    end
  end

  always @(posedge clk_i) begin
    if (moves) begin
      chunk_q <= chunk;
      held_q  <= joined[6:0] & ~(7'h7f << keep);
    end
  end

  vc_fifo #(
    .Width(Bypass + 4),
    .Depth(Groups)
  ) u_queue (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .in_valid_i (push),
    .in_ready_o (queue_ready),
    .in_data_i  (in_group),
    .out_valid_o(group_valid_o),
    .out_ready_i(group_ready_i),
    .out_data_o (out_group)
  );

  assign group_last_o  = out_group[Bypass+3];
  assign group_count_o = out_group[Bypass+2:Bypass];

  generate
    if (Bypass == 7) begin : gen_all
      assign group_bits_o = out_group[6:0];
    end else begin : gen_some
      assign group_bits_o = {{(7 - Bypass) {1'b0}}, out_group[Bypass-1:0]};
    end
  endgenerate

endmodule

`default_nettype wire
