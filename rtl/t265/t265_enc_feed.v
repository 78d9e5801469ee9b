// A bank of the store of the T.265 encoder: the CTUs of the threads of a few lanes, from
// which it makes the words of those lanes. Each thread has a ring of places for sub-blocks;
// a transform block lies there in the order of its scan, and blocks in z-order. A lane that
// is free is chosen; the memories are read; the word goes out. Sub-blocks that come in go
// first: the memories have one port.
//
// Mirror:     t265/hwenc/feed.go
// Latency:    2 from a lane that is free to its word
// Throughput: 1 word a cycle, or 1 sub-block in
// Storage:    Share * (16 + TurnBits) + 31 bits, and that of its parts
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
  output wire [55:0]                 word_o,
  output wire [Share*TurnBits-1:0]   turn_o
);

  localparam OWN      = Share * Turns;                  // threads
  localparam OWN_BITS = OWN > 1 ? $clog2(OWN) : 1;      // bits of the number of one
  localparam [1:0] BLOCK = 2'd0, LEVELS = 2'd3;  // kinds of words: see t265_enc_word

  integer i;
  integer k;

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

  // Places by thread.
  wire [Share-1:0]    grant;
  wire [OWN-1:0]      pick;   // thread of the lane that is chosen
  wire [OWN-1:0]      avail;  // a block is there
  wire                head_we, write;
  wire [OWN_BITS:0]   head_at;
  wire [OWN_BITS+4:0] write_at, pick_at;

  genvar t;
  generate
    for (t = 0; t < OWN; t = t + 1) begin : gen_thread
      localparam [31:0] TURN = t / Share;

      wire [TurnBits-1:0] turn = turn_q[TurnBits*(t % Share) +: TurnBits];

      assign pick[t] = grant[t % Share] && turn == TURN[TurnBits-1:0];
    end
  endgenerate

  t265_enc_places #(
    .Share(Share),
    .Turns(Turns),
    .First(First),
    .Lanes(Lanes)
  ) u_places (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .take_valid_i (take_valid_i),
    .take_thread_i(take_thread_i),
    .room_o       (room_o),
    .head_valid_i (head_valid_i),
    .head_thread_i(head_data_i[`T265_HEAD_THREAD]),
    .head_we_o    (head_we),
    .head_at_o    (head_at),
    .lev_valid_i  (lev_valid_i),
    .lev_thread_i (lev_thread_i),
    .lev_log2_i   (lev_log2_i),
    .lev_last_i   (lev_last_i),
    .lev_we_o     (write),
    .lev_at_o     (write_at),
    .avail_o      (avail),
    .pick_i       (pick),
    .pick_at_o    (pick_at),
    .end_i        (valid1_q && done),
    .end_ctu_i    (valid1_q && last),
    .end_own_i    (own1_q),
    .end_places_i (places)
  );

  // The lanes take turns. A lane without a thread looks at the next one.
  reg  [Share-1:0]          has;   // a block for the lane is there
  reg  [Share-1:0]          finds;
  reg  [Share*TurnBits-1:0] turn_d;

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
  reg  [1:0] kind_d, left_d;
  reg  [3:0] sub_d, groups_d;
  reg        delta_d, high_d;

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

  wire [239:0] levels;
  wire [23:0]  about;
  wire [17:0]  stored;

  t265_enc_memory #(
    .Threads(OWN)
  ) u_memory (
    .clk_i        (clk_i),
    .head_we_i    (head_we),
    .head_at_i    (head_at),
    .head_i       (head_data_i[`T265_HEAD_BITS-1:ThreadBits]),
    .write_i      (write),
    .write_at_i   (write_at),
    .write_index_i(lev_index_i),
    .write_last_i (lev_last_i),
    .levels_i     (lev_levels_i),
    .about_i      (lev_about_i),
    .read_about_i (chosen && kind_d != LEVELS),
    .read_i       ({4{chosen}} & (kind_d == LEVELS ? group_d : {4{kind_d != BLOCK}})),
    .read_at_i    (pick_at),
    .read_index_i (sub_d),
    .read_head_i  ({own1_q, place1_q[4]}),
    .levels_o     (levels),
    .about_o      (about),
    .head_o       (stored)
  );

  // The word, and what comes after it.
  wire       is_block = kind1_q == BLOCK;
  wire       code, high;  // the block is coded
  wire [1:0] mode, kind;
  wire       done, last, over;  // the block ends, and its CTU, and the slice
  wire [3:0] sub, groups;
  wire [5:0] places;

  t265_enc_word #(
    .MaxTU(MaxTU)
  ) u_word (
    .kind_i  (kind1_q),
    .place_i (place1_q[3:0]),
    .sub_i   (sub1_q),
    .groups_i(groups1_q),
    .group_i (group1_q),
    .delta_i (delta1_q),
    .high_i  (high1_q),
    .left_i  (left1_q),
    .head_i  (stored),
    .about_i (about),
    .levels_i(levels),
    .word_o  (word_o),
    .code_o  (code),
    .high_o  (high),
    .mode_o  (mode),
    .done_o  (done),
    .last_o  (last),
    .over_o  (over),
    .kind_o  (kind),
    .sub_o   (sub),
    .groups_o(groups),
    .places_o(places)
  );

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
      own1_q    <= pick_at[OWN_BITS+4:5];
      place1_q  <= pick_at[4:0];
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

endmodule

`default_nettype wire
