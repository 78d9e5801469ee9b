// A bank of the store of the T.265 encoder: the CTUs of the threads of a few lanes, from
// which it makes the words of those lanes. Each thread has a ring of places for sub-blocks;
// a transform block lies there in the order of its scan, and blocks in z-order. A lane that
// is free is chosen; the memories are read; the word goes out. Sub-blocks that come in go
// first: the memories have one port.
//
// Mirror:     t265/hwenc/feed.go
// Latency:    2 from a lane that is free to its word
// Throughput: 1 word a cycle, or 1 sub-block in
// Storage:    Share * Turns * (32 * 264 + 2 * 18) bits of memory, and
//             Share * (14 + TurnBits) + Share * Turns * 15 + 46 bits
// Packing:    lane l of the bank has bit l of ready_i and word_valid_o and
//             turn_o[TurnBits*l +: TurnBits]; its threads are numbers turn * Lanes + First + l,
//             with bit turn * Share + l of room_o; HEAD in (gen/t265_enc_words.vh), its QP that
//             of the slice; level k in lev_levels_i[15*k +: 15], sign above magnitude;
//             lev_about_i is row above column of the last level as coded, above the flags of the
//             sub-blocks that are coded, in scan order; word_o as in t265_binarise

`default_nettype none
`include "t265_enc_words.vh"

module t265_enc_feed #(
  parameter Share      = 4,   // lanes of the bank
  parameter Turns      = 1,   // threads of a lane
  parameter First      = 0,   // number of the first lane
  parameter Lanes      = 16,  // lanes of all banks
  parameter MaxTU      = 16,  // largest transform block, 8 or 16
  parameter ThreadBits = Lanes * Turns > 1 ? $clog2(Lanes * Turns) : 1,  // bits of a thread number
  parameter TurnBits   = Turns > 1 ? $clog2(Turns) : 1                   // bits of a turn
) (
  input  wire                        clk_i,
  input  wire                        rst_i,
  input  wire                        take_valid_i,   // a CTU was requested
  input  wire [ThreadBits-1:0]       take_thread_i,
  output wire [Share*Turns-1:0]      room_o,
  input  wire                        head_valid_i,
  input  wire [`T265_HEAD_BITS-1:0]  head_data_i,
  input  wire                        lev_valid_i,    // a sub-block
  input  wire [ThreadBits-1:0]       lev_thread_i,
  input  wire [1:0]                  lev_log2_i,     // of the size of its block, less 2
  input  wire [3:0]                  lev_index_i,    // its place in the scan
  input  wire                        lev_last_i,     // the last one of its block to come
  input  wire [239:0]                lev_levels_i,
  input  wire [23:0]                 lev_about_i,
  input  wire [Share-1:0]            ready_i,        // stays until a word comes
  output wire [Share-1:0]            word_valid_o,
  output reg  [55:0]                 word_o,
  output wire [Share*TurnBits-1:0]   turn_o
);

  localparam OWN      = Share * Turns;                  // threads
  localparam OWN_BITS = OWN > 1 ? $clog2(OWN) : 1;      // bits of the number of one
  localparam [1:0] BLOCK = 2'd0, TOP = 2'd1, SUB = 2'd2, LEVELS = 2'd3;  // kinds of words
  localparam HEAD = `T265_HEAD_BITS - ThreadBits;       // bits of a HEAD but for its thread
  localparam ADDR = $clog2(32 * OWN);                   // bits of a place of a thread
  localparam HALF = $clog2(2 * OWN);                    // bits of a half of a ring

  integer i;
  integer k;

  // By thread.
  reg  [6*OWN-1:0] head_q;  // place of the block to code, and a bit for the count beyond the ring
  reg  [6*OWN-1:0] tail_q;  // of the block that comes
  reg  [2*OWN-1:0] held_q;  // CTUs that are requested or here
  reg  [OWN-1:0]   come_q;  // half of the ring for the next HEAD

  // By lane.
  reg  [Share*TurnBits-1:0] turn_q;
  reg  [Share-1:0]          open_q;    // it codes its thread; else it looks for one
  reg  [Share-1:0]          free_q;    // it waits for a word, and none is on its way
  reg  [Share-1:0]          after_q;   // lanes behind the one served last
  reg  [2*Share-1:0]        kind_q;    // of its next word
  reg  [4*Share-1:0]        sub_q;     // sub-block, in scan order
  reg  [4*Share-1:0]        groups_q;  // groups of levels that are to be sent
  reg  [Share-1:0]          delta_q;   // cu_qp_delta of the CTU is coded
  reg  [Share-1:0]          high_q;    // QP of the CTU before is that of the slice + 1
  reg  [2*Share-1:0]        left_q;    // mode of the CTU before

  // The threads that the words of the path are of, and that of the lane that is chosen.
  wire [Share-1:0]    grant;
  wire [OWN-1:0]      take;
  wire [OWN-1:0]      head;
  wire [OWN-1:0]      lev;
  wire [OWN-1:0]      pick;
  wire [OWN-1:0]      avail;  // a block is there
  reg  [OWN_BITS-1:0] head_own;
  reg                 head_half;
  reg  [OWN_BITS-1:0] lev_own;
  reg  [4:0]          lev_place;
  reg  [OWN_BITS-1:0] own_d;
  reg  [4:0]          place_d;

  genvar t;
  generate
    for (t = 0; t < OWN; t = t + 1) begin : gen_thread
      localparam [31:0] NUMBER = (t / Share) * Lanes + First + t % Share;
      localparam [31:0] TURN   = t / Share;

      assign take[t]   = take_valid_i && take_thread_i == NUMBER[ThreadBits-1:0];
      assign head[t]   = head_valid_i && head_data_i[`T265_HEAD_THREAD] == NUMBER[ThreadBits-1:0];
      assign lev[t]    = lev_valid_i && lev_thread_i == NUMBER[ThreadBits-1:0];
      assign pick[t]   = grant[t % Share] && turn_q[TurnBits*(t % Share) +: TurnBits] == TURN[TurnBits-1:0];
      assign avail[t]  = head_q[6*t +: 6] != tail_q[6*t +: 6];
      assign room_o[t] = !held_q[2*t + 1];
    end
  endgenerate

  always @* begin
    head_own  = {OWN_BITS{1'b0}};
    head_half = 1'b0;
    lev_own   = {OWN_BITS{1'b0}};
    lev_place = 5'd0;
    own_d     = {OWN_BITS{1'b0}};
    place_d   = 5'd0;
    for (k = 0; k < OWN; k = k + 1) begin
      head_own  = head_own | k[OWN_BITS-1:0] & {OWN_BITS{head[k]}};
      head_half = head_half | come_q[k] & head[k];
      lev_own   = lev_own | k[OWN_BITS-1:0] & {OWN_BITS{lev[k]}};
      lev_place = lev_place | tail_q[6*k +: 5] & {5{lev[k]}};
      own_d     = own_d | k[OWN_BITS-1:0] & {OWN_BITS{pick[k]}};
      place_d   = place_d | head_q[6*k +: 5] & {5{pick[k]}};
    end
  end

  // The lanes take turns. A lane without a thread looks at the next one.
  reg  [Share-1:0]          has;   // a block for the lane is there
  reg  [Share-1:0]          finds;
  reg  [Share*TurnBits-1:0] turn_d;

  wire             write  = lev != {OWN{1'b0}};
  wire [Share-1:0] asks   = free_q & open_q & has & {Share{!write}};
  wire [Share-1:0] behind = asks & after_q;
  wire [Share-1:0] want   = behind != {Share{1'b0}} ? behind : asks;
  wire             chosen = asks != {Share{1'b0}};

  assign grant = want & (~want + 1'b1);

  always @* begin
    for (i = 0; i < Share; i = i + 1) begin
      turn_d[TurnBits*i +: TurnBits] = turn_q[TurnBits*i +: TurnBits] + 1'b1;
      if ({{(32 - TurnBits) {1'b0}}, turn_q[TurnBits*i +: TurnBits]} == Turns - 1) begin
        turn_d[TurnBits*i +: TurnBits] = {TurnBits{1'b0}};
      end
      has[i]   = 1'b0;
      finds[i] = 1'b0;
      for (k = 0; k < Turns; k = k + 1) begin
        if (turn_q[TurnBits*i +: TurnBits] == k[TurnBits-1:0]) has[i] = avail[Share*k + i];
        if (turn_d[TurnBits*i +: TurnBits] == k[TurnBits-1:0]) finds[i] = avail[Share*k + i];
      end
    end
  end

  // The lane that is chosen.
  reg  [1:0] kind_d;
  reg  [3:0] sub_d;
  reg  [3:0] groups_d;
  reg        delta_d;
  reg        high_d;
  reg  [1:0] left_d;

  always @* begin
    kind_d   = 2'd0;
    sub_d    = 4'd0;
    groups_d = 4'd0;
    delta_d  = 1'b0;
    high_d   = 1'b0;
    left_d   = 2'd0;
    for (i = 0; i < Share; i = i + 1) begin
      kind_d   = kind_d | kind_q[2*i +: 2] & {2{grant[i]}};
      sub_d    = sub_d | sub_q[4*i +: 4] & {4{grant[i]}};
      groups_d = groups_d | groups_q[4*i +: 4] & {4{grant[i]}};
      delta_d  = delta_d | delta_q[i] & grant[i];
      high_d   = high_d | high_q[i] & grant[i];
      left_d   = left_d | left_q[2*i +: 2] & {2{grant[i]}};
    end
  end

  wire [3:0] group_d = groups_d[3] ? 4'b1000 : groups_d[2] ? 4'b0100
                     : groups_d[1] ? 4'b0010 : 4'b0001;  // the last one comes first

  // The word that is made.
  reg                valid1_q;
  reg [Share-1:0]    lane1_q;
  reg [OWN_BITS-1:0] own1_q;
  reg [4:0]          place1_q;
  reg [1:0]          kind1_q;
  reg [3:0]          sub1_q;
  reg [3:0]          groups1_q;
  reg [3:0]          group1_q;
  reg                delta1_q;
  reg                high1_q;
  reg [1:0]          left1_q;

  // Memories: each group of levels has its own.
  wire [239:0]        levels;
  wire [23:0]         about;
  wire [HEAD-1:0]     stored;
  wire [OWN_BITS:0]   into = {head_own, head_half};
  wire [OWN_BITS:0]   from = {own1_q, place1_q[4]};
  wire [OWN_BITS+4:0] base = write ? {lev_own, lev_place} : {own_d, place_d};
  wire [3:0]          part = write ? lev_index_i : sub_d;
  wire [OWN_BITS+4:0] addr = base | {{(OWN_BITS + 1) {1'b0}}, part};  // blocks are aligned
  wire                unused = &{1'b0, into, from, addr};  // the highest ones, of one thread

  genvar g;
  generate
    for (g = 0; g < 4; g = g + 1) begin : gen_group
      vc_ram_1rw #(
        .Width(60),
        .Depth(32 * OWN)
      ) u_levels (
        .clk_i  (clk_i),
        .en_i   (write || chosen && (kind_d == TOP || kind_d == SUB || kind_d == LEVELS && group_d[g])),
        .we_i   (write),
        .addr_i (addr[ADDR-1:0]),
        .wdata_i(lev_levels_i[60*g +: 60]),
        .rdata_o(levels[60*g +: 60])
      );
    end
  endgenerate

  vc_ram_1rw #(
    .Width(24),
    .Depth(32 * OWN)
  ) u_about (
    .clk_i  (clk_i),
    .en_i   (write ? lev_last_i : chosen && kind_d != LEVELS),
    .we_i   (write),
    .addr_i (base[ADDR-1:0]),
    .wdata_i(lev_about_i),
    .rdata_o(about)
  );

  vc_ram_latch #(
    .Width(HEAD),
    .Depth(2 * OWN)
  ) u_heads (
    .clk_i  (clk_i),
    .we_i   (head != {OWN{1'b0}}),
    .waddr_i(into[HALF-1:0]),
    .wdata_i(head_data_i[`T265_HEAD_BITS-1:ThreadBits]),
    .raddr_i(from[HALF-1:0]),
    .rdata_o(stored)
  );

  // The block that the word is of.
  wire [`T265_HEAD_BITS-1:0] h      = {stored, {ThreadBits{1'b0}}};
  wire                       split  = h[`T265_HEAD_SPLIT];
  wire [3:0]                 split8 = h[`T265_HEAD_SPLIT8];
  wire [1:0]                 mode   = h[`T265_HEAD_MODE];  // DC, planar, vertical, horizontal
  wire                       high   = h[`T265_HEAD_HIGH];
  wire [3:0]                 z      = place1_q[3:0];
  wire [15:0]                coded  = about[15:0];
  wire                       first  = z == 4'd0;
  wire [1:0]                 log2   = !split ? 2'd2 : {1'b0, !split8[z[3:2]]};
  wire                       ends   = !split || z[3:2] == 2'd3 && (log2[0] || z[1:0] == 2'd3);
  wire [1:0]                 scan   = log2[1] ? 2'd0 : {mode == 2'd3, mode == 2'd2};
  wire                       code   = coded != 16'd0;

  // The mode by the most probable ones: that of the CTU on the left, and DC.
  wire [1:0] left     = left1_q & {2{h[`T265_HEAD_LEFT]}};
  wire       aligned  = left[1] && mode == left;  // as on the left, and not planar or DC
  wire       probable = !mode[1] || aligned || !left[1] && mode == 2'd2;
  reg  [4:0] value;

  always @* begin
    case (mode)
      2'd0: value = 5'd1;
      2'd1: value = left[1] ? 5'd2 : 5'd0;
      default: begin
        value = 5'd8;  // of horizontal, behind planar and DC
        if (aligned) value = 5'd0;
        else if (mode == 2'd2) value = left[1] ? 5'd23 : 5'd2;
      end
    endcase
  end

  wire [`T265_BLOCK_BITS-1:0] block;
  wire                        fresh = h[`T265_HEAD_FINE] && !delta1_q;
  wire                        whole = MaxTU > 8;  // split_transform_flag of a CTU is coded

  assign block[`T265_BLOCK_INIT]      = first && h[`T265_HEAD_FIRST];
  assign block[`T265_BLOCK_QP]        = h[`T265_HEAD_QP];
  assign block[`T265_BLOCK_SPLITS]    = 2'd0;
  assign block[`T265_BLOCK_SPLIT_END] = 1'b0;
  assign block[`T265_BLOCK_SPLIT_INC] = 6'd0;
  assign block[`T265_BLOCK_UNIT]      = first;
  assign block[`T265_BLOCK_PART]      = first;
  assign block[`T265_BLOCK_PROBABLE]  = first && probable;
  assign block[`T265_BLOCK_MODE]      = value & {5{first}};
  assign block[`T265_BLOCK_TREES]     = z[1:0] != 2'd0 ? 2'd0 : first && split && whole ? 2'd2 : 2'd1;
  assign block[`T265_BLOCK_TREE_END]  = log2 != 2'd0;
  assign block[`T265_BLOCK_ROOT]      = !split;
  assign block[`T265_BLOCK_CODED]     = code;
  assign block[`T265_BLOCK_DELTA]     = !code || !fresh ? 2'd0
                                      : high == high1_q ? 2'd1 : high ? 2'd2 : 2'd3;
  assign block[`T265_BLOCK_SKIP_FLAG] = code && log2 == 2'd0;
  assign block[`T265_BLOCK_SKIP]      = code && log2 == 2'd0;
  assign block[`T265_BLOCK_LOG2]      = log2;
  assign block[`T265_BLOCK_SCAN]      = scan;
  assign block[`T265_BLOCK_LAST_X]    = {1'b0, about[19:16]};
  assign block[`T265_BLOCK_LAST_Y]    = {1'b0, about[23:20]};
  assign block[`T265_BLOCK_HIDE]      = 1'b1;
  assign block[`T265_BLOCK_END_CTU]   = ends;
  assign block[`T265_BLOCK_LAST]      = ends && h[`T265_HEAD_LAST];

  // The flags of a sub-block.
  reg  [15:0] mask;
  reg  [15:0] greater;
  reg  [15:0] sign;
  reg         two;
  reg  [3:0]  top;    // the last sub-block of the block that is coded
  reg  [3:0]  grown;  // groups with a level above one

  always @* begin
    two = 1'b0;
    top = 4'd0;
    for (i = 0; i < 16; i = i + 1) begin
      mask[i]    = levels[15*i +: 14] != 14'd0;
      greater[i] = levels[15*i + 1 +: 13] != 13'd0;
      sign[i]    = levels[15*i + 14];
      if (greater[i]) two = levels[15*i + 2 +: 12] != 12'd0 || levels[15*i];
      if (coded[i]) top = i[3:0];
    end
    for (i = 0; i < 4; i = i + 1) grown[i] = greater[4*i +: 4] != 4'd0;
  end

  // Of the sub-blocks on the right and below, by the sub-block: those of 16x16, in the diagonal
  // scan, and those of 8x8, where the horizontal scan exchanges them.
  wire [15:0] right16 = {2'b00, coded[15], 1'b0, coded[14], coded[13], 1'b0, coded[12],
                         coded[11], coded[10], coded[9], coded[8], coded[7], coded[5], coded[4], coded[2]};
  wire [15:0] below16 = {1'b0, coded[15], 1'b0, coded[14], coded[13], 1'b0, coded[12], coded[11],
                         coded[10], 1'b0, coded[8], coded[7], coded[6], coded[4], coded[3], coded[1]};
  wire [3:0]  right8  = {2'b00, coded[3], coded[2]};
  wire [3:0]  below8  = {1'b0, coded[3], 1'b0, coded[1]};
  wire [1:0]  around8 = {below8[sub1_q[1:0]], right8[sub1_q[1:0]]};
  wire [1:0]  around  = log2[1] ? {below16[sub1_q], right16[sub1_q]}
                      : scan[0] ? {around8[0], around8[1]} : around8;

  wire [`T265_SUB_BITS-1:0] flags;

  assign flags[`T265_SUB_MASK]    = mask;
  assign flags[`T265_SUB_GREATER] = greater;
  assign flags[`T265_SUB_SIGN]    = sign;
  assign flags[`T265_SUB_TWO]     = two;
  assign flags[`T265_SUB_AROUND]  = around;
  assign flags[`T265_SUB_DC]      = sub1_q == 4'd0;
  assign flags[`T265_SUB_TOP]     = kind1_q == TOP;

  // The word, and what comes after it.
  reg  [59:0] four;
  reg  [3:0]  groups;
  reg         done;  // the block ends

  always @* begin
    four = 60'd0;
    for (i = 0; i < 4; i = i + 1) four = four | levels[60*i +: 60] & {60{group1_q[i]}};
    groups = kind1_q == LEVELS ? groups1_q & ~group1_q : grown;
    done   = groups == 4'd0 && sub1_q == 4'd0;
    word_o = {four[58:45], four[43:30], four[28:15], four[13:0]};
    case (kind1_q)
      BLOCK: begin
        word_o = {{(56 - `T265_BLOCK_BITS) {1'b0}}, block};
        done   = !code;
      end
      TOP, SUB: word_o = {{(56 - `T265_SUB_BITS) {1'b0}}, flags};
      default: ;
    endcase
  end

  wire       is_block = kind1_q == BLOCK;
  wire       last     = done && ends;  // of the CTU
  wire       over     = last && h[`T265_HEAD_LAST];
  wire [1:0] kind     = done ? BLOCK : is_block ? TOP : groups != 4'd0 ? LEVELS : SUB;
  wire [3:0] sub      = is_block ? top : groups != 4'd0 ? sub1_q : sub1_q - 4'd1;
  wire [5:0] places   = log2[1] ? 6'd16 : log2[0] ? 6'd4 : 6'd1;
  wire [5:0] comes    = lev_log2_i[1] ? 6'd16 : lev_log2_i[0] ? 6'd4 : 6'd1;

  assign word_valid_o = lane1_q & {Share{valid1_q}};
  assign turn_o       = turn_q;

  always @(posedge clk_i) begin
    if (rst_i) begin
      valid1_q <= 1'b0;
      after_q  <= {Share{1'b0}};
      free_q   <= {Share{1'b0}};
    end else begin
      valid1_q <= chosen;
      if (chosen) after_q <= ~(grant | grant - 1'b1);
      free_q <= ready_i & ~word_valid_o & ~grant;
    end
  end

  always @(posedge clk_i) begin
    if (chosen) begin
      lane1_q   <= grant;
      own1_q    <= own_d;
      place1_q  <= place_d;
      kind1_q   <= kind_d;
      sub1_q    <= sub_d;
      groups1_q <= groups_d;
      group1_q  <= group_d;
      delta1_q  <= delta_d;
      high1_q   <= high_d;
      left1_q   <= left_d;
    end
  end

  always @(posedge clk_i) begin
    for (i = 0; i < Share; i = i + 1) begin
      if (rst_i) begin
        turn_q[TurnBits*i +: TurnBits] <= {TurnBits{1'b0}};
        open_q[i]                      <= Turns == 1;
        kind_q[2*i +: 2]               <= BLOCK;
        delta_q[i]                     <= 1'b0;
        high_q[i]                      <= 1'b0;
      end else if (word_valid_o[i]) begin
        kind_q[2*i +: 2] <= kind;
        if (is_block && code) delta_q[i] <= 1'b1;
        if (is_block && code) high_q[i] <= high;
        if (last) delta_q[i] <= 1'b0;
        if (over) high_q[i] <= 1'b0;
        if (over) open_q[i] <= Turns == 1;
      end else if (free_q[i] && !open_q[i]) begin
        turn_q[TurnBits*i +: TurnBits] <= turn_d[TurnBits*i +: TurnBits];
        open_q[i]                      <= finds[i];
      end
    end
  end

  always @(posedge clk_i) begin
    for (i = 0; i < Share; i = i + 1) begin
      if (word_valid_o[i]) begin
        sub_q[4*i +: 4]    <= sub;
        groups_q[4*i +: 4] <= groups;
        if (last) left_q[2*i +: 2] <= mode;
      end
    end
  end

  always @(posedge clk_i) begin
    for (k = 0; k < OWN; k = k + 1) begin
      if (rst_i) begin
        head_q[6*k +: 6] <= 6'd0;
        tail_q[6*k +: 6] <= 6'd0;
        held_q[2*k +: 2] <= 2'd0;
        come_q[k]        <= 1'b0;
      end else begin
        if (valid1_q && done && own1_q == k[OWN_BITS-1:0]) head_q[6*k +: 6] <= head_q[6*k +: 6] + places;
        if (lev[k] && lev_last_i) tail_q[6*k +: 6] <= tail_q[6*k +: 6] + comes;
        if (take[k] && !(valid1_q && last && own1_q == k[OWN_BITS-1:0])) begin
          held_q[2*k +: 2] <= held_q[2*k +: 2] + 2'd1;
        end else if (!take[k] && valid1_q && last && own1_q == k[OWN_BITS-1:0]) begin
          held_q[2*k +: 2] <= held_q[2*k +: 2] - 2'd1;
        end
        if (head[k]) come_q[k] <= !come_q[k];
      end
    end
  end

endmodule

`default_nettype wire
