// What the pixel path knows of one thread: the items in its store, where its
// reader stands, and whether a block of it is in flight.
//
// Mirror:     t264/hwdec/thread.go
// Latency:    1
// Throughput: one item and one block a cycle
// Storage:    31 bits

`default_nettype none

module t264_dec_thread (
  input  wire       clk_i,
  input  wire       rst_i,
  input  wire [2:0] next_kind_i,  // of the next item of the thread
  input  wire       next_bad_i,   // which, if an end, is of a picture that is not complete
  output reg        ready_o,      // there is room for it
  input  wire       take_i,       // an item of the thread moves
  input  wire [2:0] kind_i,       // of the item
  input  wire [1:0] word_i,       // sixteen scan positions of an 8x8 block that it belongs to
  input  wire       last_i,
  input  wire [1:0] mb_kind_i,    // of a macroblock item
  input  wire       mb_coded_i,   // its first block has an item
  input  wire       bad_i,        // of an end: not complete
  input  wire       issue_i,      // a block of the thread enters the pipeline
  input  wire       mb_last_i,    // the last of its macroblock
  input  wire [4:0] step_i,       // the step after it
  input  wire       need_i,       // which has an item
  input  wire       pop_i,        // levels leave the store
  input  wire       pop4_i,       // four words of them
  input  wire       done_i,       // the block in flight is reconstructed for the next
  output wire       eligible_o,   // a block can be issued
  output wire [2:0] head_o,       // slot of the oldest block
  output wire [2:0] tail_o,       // slot of the block that enters
  output wire       fill_o,       // the item is the first of its word
  output wire       mb_write_o,   // entry of the macroblock that enters
  output wire       mb_read_o,    // entry of the macroblock under way
  output wire [4:0] step_o,       // 0: its start
  output wire [3:0] mask_o        // words of the oldest 8x8 block that hold levels
);

  // Items: see t264/hw/item.go.
  localparam [2:0] MB    = 3'd0;
  localparam [2:0] MODES = 3'd1;
  localparam [2:0] DC    = 3'd2;
  localparam [2:0] BLOCK = 3'd3;
  localparam [2:0] END   = 3'd4;
  localparam [1:0] WIDE  = 2'd1;  // a macroblock of 8x8 blocks

  reg       busy_q;
  reg [2:0] head_q;
  reg [3:0] count_q;     // blocks of 16 levels in the store, 0..8
  reg       fresh_q;     // the next item of levels starts a block
  reg       wide_q;      // 8x8 blocks enter
  reg       read_q;      // entry of the macroblock under way
  reg [1:0] held_q;      // macroblocks in the store, 0..2
  reg [1:0] ready_q;     // of these, complete with modes
  reg [1:0] first_q;     // by entry: the first block has an item
  reg [4:0] step_q;
  reg       need_q;
  reg [7:0] mask_q;      // by bit 2 of the slot of the block

  wire       enter   = take_i && kind_i == MB;
  wire       levels  = take_i && (kind_i == BLOCK || kind_i == DC);
  wire       commit  = levels && last_i;
  wire       ready   = take_i && (kind_i == MB && mb_kind_i[1] || kind_i == MODES);
  wire       drop    = take_i && kind_i == END && bad_i;
  wire       leave   = issue_i && mb_last_i;
  wire       next    = step_q == 5'd0 ? first_q[read_q] : need_q;
  wire       some    = ready_q != 2'd0 && (count_q != 4'd0 || !next);
  wire [2:0] tail    = head_q + count_q[2:0];
  wire [3:0] mine    = tail[2] ? mask_q[7:4] : mask_q[3:0];
  wire [3:0] bit_w   = 4'd1 << word_i;
  wire [3:0] mask_d  = fresh_q ? bit_w : mine | bit_w;
  wire [3:0] grow    = !commit ? 4'd0 : wide_q ? 4'd4 : 4'd1;
  wire [3:0] shrink  = !pop_i ? 4'd0 : pop4_i ? 4'd4 : 4'd1;

  assign eligible_o = some && !busy_q;
  assign head_o     = head_q;
  assign tail_o     = tail + {1'b0, word_i};  // 4x4 blocks have one word
  assign fill_o     = fresh_q || wide_q && !mine[word_i];
  assign mb_write_o = read_q ^ held_q[0] ^ (kind_i == MODES);
  assign mb_read_o  = read_q;
  assign step_o     = step_q;
  assign mask_o     = head_q[2] ? mask_q[7:4] : mask_q[3:0];

  // A bad end waits until the thread has nothing left to do; a candidate has.
  always @* begin
    case (next_kind_i)
      MB: ready_o = !held_q[1];
      MODES: ready_o = 1'b1;
      END: ready_o = !next_bad_i || !some && !busy_q;
      default: ready_o = wide_q ? count_q < 4'd5 : count_q < 4'd8;
    endcase
  end

  always @(posedge clk_i) begin
    if (rst_i) begin
      busy_q  <= 1'b0;
      head_q  <= 3'd0;
      count_q <= 4'd0;
      fresh_q <= 1'b1;
      read_q  <= 1'b0;
      held_q  <= 2'd0;
      ready_q <= 2'd0;
      step_q  <= 5'd0;
    end else begin
      if (issue_i || done_i) busy_q <= issue_i;
      head_q  <= head_q + shrink[2:0];
      count_q <= count_q + grow - shrink;
      if (levels || drop) fresh_q <= last_i || drop;
      if (leave) read_q <= !read_q;
      if (enter != leave) held_q <= enter ? held_q + 2'd1 : held_q - 2'd1;
      if (ready != leave) ready_q <= ready ? ready_q + 2'd1 : ready_q - 2'd1;
      if (issue_i) step_q <= step_i;
      if (drop) begin
        held_q  <= 2'd0;
        ready_q <= 2'd0;
        step_q  <= 5'd0;
      end
    end
  end

  always @(posedge clk_i) begin
    if (enter) wide_q <= mb_kind_i == WIDE;
    if (enter) first_q[mb_write_o] <= mb_kind_i[1] || mb_coded_i;
    if (issue_i) need_q <= need_i;
    if (levels && wide_q && !tail[2]) mask_q[3:0] <= mask_d;
    if (levels && wide_q && tail[2]) mask_q[7:4] <= mask_d;
  end

endmodule

`default_nettype wire
