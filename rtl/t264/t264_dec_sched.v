// Scheduler of the pixel path: takes the items of all threads into the store,
// and once in four cycles (a slot, phases 0 to 3) issues the next block of a
// thread that has it and whose neighbours are reconstructed, round robin.
//
// A 4x4 block or a DC block takes one slot of prediction, three slots after its
// issue; an 8x8 block takes four, from the ninth on, and four slots of levels.
//
// Mirror:     t264/hwdec/pixels.go
// Latency:    1 slot
// Throughput: 1 block a slot
// Storage:    31 * Threads bits, and about 200

`default_nettype none
`include "t264_dec_words.vh"

module t264_dec_sched #(
  parameter Threads    = 16,  // independent frames
  parameter FrameMBs   = 64,  // widest and highest frame in macroblocks, 2..1024
  parameter Slots      = 16,  // slots of samples in flight, at least 16
  parameter ThreadBits = Threads > 1 ? $clog2(Threads) : 1,   // bits of a thread number
  parameter MBBits     = FrameMBs > 1 ? $clog2(FrameMBs) : 1  // bits of a column or row
) (
  input  wire                          clk_i,
  input  wire                          rst_i,
  input  wire [1:0]                    phase_i,
  // items; levels in all phases, others in phases 1 to 3
  output wire                          in_open_o,
  input  wire [3*Threads-1:0]          in_kinds_i,   // by thread, of its next item
  input  wire [Threads-1:0]            in_bad_i,     // if that is an end: not complete
  output wire [Threads-1:0]            in_ready_o,   // it may come
  input  wire                          in_valid_i,
  input  wire [ThreadBits-1:0]         in_thread_i,  // the one that is there
  input  wire [2:0]                    in_kind_i,
  input  wire [1:0]                    in_word_i,    // upper bits of the group
  input  wire                          in_last_i,
  input  wire [`T264_MB_ITEM_CBP_AT:0] in_data_i,    // low bits
  output wire                          we_mb_o,
  output wire                          we_modes_o,
  output wire                          we_o,         // of levels
  output wire [ThreadBits+2:0]         waddr_o,
  output wire                          fill_o,       // the other groups of the word become zero
  output wire                          mb_waddr_o,
  // the macroblock of the candidate, read in phase 0
  output wire [ThreadBits:0]           mb_raddr_o,
  input  wire [1:0]                    mb_kind_i,
  input  wire [1:0]                    mb_mode_i,
  input  wire [3:0]                    mb_cbp_i,
  input  wire [5:0]                    mb_qp_i,
  input  wire [3:0]                    mb_near_i,    // above right, above left, above, left
  input  wire [MBBits-1:0]             mb_x_i,
  input  wire [MBBits-1:0]             mb_y_i,
  input  wire [63:0]                   modes_i,
  // levels, read in phase 0
  output wire [ThreadBits+2:0]         raddr_o,
  output wire                          lev_on_o,     // there are some
  output wire                          lev_start_o,  // first word of an 8x8 block
  output wire [1:0]                    lev_kind_o,   // 0 4x4, 1 8x8, 2 AC, 3 DC
  output wire [1:0]                    lev_word_o,   // of an 8x8 block
  output wire [1:0]                    lev_x_o,      // column of the block, 4x4 blocks
  output wire [1:0]                    lev_y_o,
  output wire [ThreadBits-1:0]         lev_thread_o,
  output wire [5:0]                    lev_qp_o,
  // blocks whose references are gathered in this slot, and the last word of one
  output wire                          tok_valid_o,
  output wire [`T264_STEP_BITS-1:0]    tok_o,
  input  wire                          done_i,
  input  wire [ThreadBits-1:0]         done_thread_i,
  input  wire                          credit_i      // a slot of samples has left
);

  generate
    if (Slots < 16 || Slots > 63) begin : gen_illegal_slots
      illegal_Slots_is_not_16_to_63 u_illegal ();
    end
  endgenerate

  localparam KBITS = `T264_STEP_WORD_AT;  // of a token without its word of an 8x8 block
  localparam [2:0] MB = 3'd0, MODES = 3'd1;   // items: see t264/hw/item.go
  localparam [1:0] WIDE = 2'd1, DC = 2'd3;    // kinds of blocks
  localparam [ThreadBits:0] NOBODY = {(ThreadBits + 1) {1'b0}};

  // Threads.
  wire [Threads-1:0]    eligible, room;
  wire [Threads-1:0]    fill, mb_write, mb_read;
  wire [3*Threads-1:0]  head;
  wire [3*Threads-1:0]  tail;
  wire [5*Threads-1:0]  step;
  wire [4*Threads-1:0]  mask;
  wire                  issue;
  wire                  take;
  reg                   cand_valid_q;
  reg  [ThreadBits-1:0] cand_q;
  reg                   mb_last_q;
  reg  [4:0]            step_q;  // after the candidate
  reg                   need_q;
  wire                  pop;
  reg                   lev_wide_q;
  reg  [ThreadBits-1:0] lev_thread_q;
  wire                  bad = in_data_i[`T264_END_ITEM_CODE] != 4'd0;

  genvar t;
  generate
    for (t = 0; t < Threads; t = t + 1) begin : gen_thread
      localparam [31:0] INDEX = t;
      assign in_ready_o[t] = room[t] && (phase_i != 2'd0 || in_kinds_i[3*t + 1]);
      t264_dec_thread u_thread (
        .clk_i      (clk_i),
        .rst_i      (rst_i),
        .next_kind_i(in_kinds_i[3*t +: 3]),
        .next_bad_i (in_bad_i[t]),
        .ready_o    (room[t]),
        .take_i     (take && in_thread_i == INDEX[ThreadBits-1:0]),
        .kind_i     (in_kind_i),
        .word_i     (in_word_i),
        .last_i     (in_last_i),
        .mb_kind_i  (in_data_i[`T264_MB_ITEM_KIND]),
        .mb_coded_i (in_data_i[`T264_MB_ITEM_CBP_AT]),
        .bad_i      (bad),
        .issue_i    (issue && cand_q == INDEX[ThreadBits-1:0]),
        .mb_last_i  (mb_last_q),
        .step_i     (step_q),
        .need_i     (need_q),
        .pop_i      (pop && lev_thread_q == INDEX[ThreadBits-1:0]),
        .pop4_i     (lev_wide_q),
        .done_i     (done_i && done_thread_i == INDEX[ThreadBits-1:0]),
        .eligible_o (eligible[t]),
        .head_o     (head[3*t +: 3]),
        .tail_o     (tail[3*t +: 3]),
        .fill_o     (fill[t]),
        .mb_write_o (mb_write[t]),
        .mb_read_o  (mb_read[t]),
        .step_o     (step[5*t +: 5]),
        .mask_o     (mask[4*t +: 4])
      );
    end
  endgenerate

  // Items.
  assign in_open_o  = phase_i != 2'd0 || in_kind_i[1];
  assign take       = in_valid_i && in_ready_o[in_thread_i];
  assign we_mb_o    = take && in_kind_i == MB;
  assign we_modes_o = take && in_kind_i == MODES;
  assign we_o       = take && in_kind_i[1];
  assign waddr_o    = {in_thread_i, tail[3*in_thread_i +: 3]};
  assign fill_o     = fill[in_thread_i];
  assign mb_waddr_o = mb_write[in_thread_i];

  // The thread after the candidate.
  reg [ThreadBits-1:0] low, high;
  reg                  any_low;
  reg                  any_high;
  reg                  pick_valid_q;
  reg [ThreadBits-1:0] pick_q;
  integer              i;

  always @* begin
    {any_low, low}   = NOBODY;
    {any_high, high} = NOBODY;
    for (i = Threads - 1; i >= 0; i = i - 1) begin
      if (eligible[i] && !(cand_valid_q && cand_q == i[ThreadBits-1:0])) begin
        {any_low, low} = {1'b1, i[ThreadBits-1:0]};
        if (cand_q < i[ThreadBits-1:0]) {any_high, high} = {1'b1, i[ThreadBits-1:0]};
      end
    end
  end

  // The candidate: its macroblock is there from phase 1 on, and all about it in
  // phase 3.
  reg  [1:0] kind_q;
  reg        wide_q;      // an 8x8 block
  reg        coded_q;
  reg  [3:0] block_q;
  reg  [3:0] mode_q;
  reg  [3:0] mask_q;
  reg  [4:0] here_q;      // its step
  reg        quad_q;      // an 8x8 block holds the store
  reg  [1:0] word_q;      // its word in this slot
  reg  [8:0] taken_q;     // slots of prediction, from the third after this one on
  reg  [5:0] credit_q;    // free slots of samples
  wire       intra16 = mb_kind_i[1];
  wire [3:0] block   = intra16 ? here_q[3:0] - 4'd1 : here_q[3:0];
  wire       dc      = intra16 && here_q == 5'd0;
  wire [4:0] after   = here_q + (mb_kind_i == WIDE ? 5'd4 : 5'd1);
  wire       fits    = wide_q ? credit_q > 6'd3 : !taken_q[0] && credit_q != 6'd0;

  assign mb_raddr_o = {cand_q, mb_read[cand_q]};
  assign issue      = phase_i == 2'd3 && cand_valid_q && fits && !quad_q;

  always @(posedge clk_i) begin
    pick_q       <= any_high ? high : low;
    pick_valid_q <= any_low;
    here_q    <= step[5*cand_q +: 5];
    mask_q    <= mask[4*cand_q +: 4];
    kind_q    <= dc ? DC : mb_kind_i;
    wide_q    <= mb_kind_i == WIDE;
    coded_q   <= dc || mb_cbp_i[block[3:2]];
    block_q   <= block;
    mode_q    <= intra16 ? {2'd0, mb_mode_i} : modes_i[4*block +: 4];
    mb_last_q <= intra16 ? after[4] && after[0] : after[4];
    step_q    <= (intra16 ? after[4] && after[0] : after[4]) ? 5'd0 : after;
    need_q    <= mb_cbp_i[after[3:2]];  // of I_16x16 all bits are the same
  end

  always @(posedge clk_i) begin
    if (rst_i) begin
      cand_valid_q <= 1'b0;
      cand_q       <= {ThreadBits{1'b0}};
    end else begin
      if (phase_i == 2'd3 && (issue || !cand_valid_q)) cand_valid_q <= pick_valid_q;
      if (phase_i == 2'd3 && (issue || !cand_valid_q) && pick_valid_q) cand_q <= pick_q;
    end
  end

  // Levels of the block issued last.
  reg        lev_coded_q;
  reg  [1:0] lev_kind_q;
  reg  [3:0] lev_block_q;
  reg  [3:0] lev_mask_q;
  reg  [5:0] lev_qp_q;
  wire [2:0] slot = head[3*lev_thread_q +: 3];
  wire       slot_end = phase_i == 2'd3;

  assign raddr_o      = {lev_thread_q, slot + {1'b0, word_q}};
  assign lev_on_o     = lev_coded_q && (!lev_wide_q || lev_mask_q[word_q]);
  assign lev_start_o  = quad_q && word_q == 2'd0;
  assign lev_kind_o   = lev_kind_q;
  assign lev_word_o   = word_q;
  assign lev_x_o      = {lev_block_q[2], lev_block_q[0]};
  assign lev_y_o      = {lev_block_q[3], lev_block_q[1]};
  assign lev_thread_o = lev_thread_q;
  assign lev_qp_o     = lev_qp_q;
  assign pop          = phase_i == 2'd0 && lev_coded_q && !quad_q;

  // Slots of credit: an 8x8 block takes four, a DC block gives none back.
  wire [5:0] cost = !issue || kind_q == DC ? 6'd0 : wide_q ? 6'd4 : 6'd1;

  always @(posedge clk_i) begin
    if (rst_i) begin
      lev_coded_q <= 1'b0;
      quad_q      <= 1'b0;
      taken_q     <= 9'd0;
      credit_q    <= Slots[5:0];
    end else begin
      credit_q <= credit_q - cost + {5'd0, credit_i};
      if (slot_end) begin
        taken_q     <= {1'b0, taken_q[8:1]} | {{4{issue && wide_q}}, 5'd0};
        if (!quad_q) lev_coded_q <= issue && coded_q;
        if (issue) quad_q <= wide_q;
        else if (word_q == 2'd2) quad_q <= 1'b0;
      end
    end
  end

  // 0 from the end of the first slot on, before a block is issued.
  always @(posedge clk_i) begin
    if (slot_end) word_q <= quad_q ? word_q + 2'd1 : 2'd0;
  end

  always @(posedge clk_i) begin
    if (issue) begin
      lev_thread_q <= cand_q;
      lev_wide_q   <= wide_q;
      lev_kind_q   <= kind_q;
      lev_block_q  <= block_q;
      lev_mask_q   <= mask_q;
      lev_qp_q     <= mb_qp_i;
    end
  end

  // Tokens. Those of 8x8 blocks wait for their levels.
  wire [KBITS-1:0]   token;
  reg  [5:0]         wait_valid_q;
  reg  [6*KBITS-1:0] wait_q;
  reg                tok_valid_q;
  reg  [KBITS-1:0]   tok_q;
  reg  [1:0]         sub_q;
  wire               more = tok_valid_q && tok_q[`T264_STEP_KIND] == WIDE && sub_q != 2'd3;

  assign token[`T264_STEP_THREAD] = cand_q;
  assign token[`T264_STEP_KIND]   = kind_q;
  assign token[`T264_STEP_BLOCK]  = block_q;
  assign token[`T264_STEP_MODE]   = mode_q;
  assign token[`T264_STEP_NEAR]   = mb_near_i;
  assign token[`T264_STEP_X]      = mb_x_i;
  assign token[`T264_STEP_Y]      = mb_y_i;
  assign tok_valid_o              = tok_valid_q;
  assign tok_o                    = {sub_q, tok_q};

  always @(posedge clk_i) begin
    if (rst_i) begin
      wait_valid_q <= 6'd0;
      tok_valid_q  <= 1'b0;
    end else if (slot_end) begin
      wait_valid_q <= {wait_valid_q[4:0], issue && wide_q};
      tok_valid_q  <= more || wait_valid_q[5] || issue && !wide_q;
    end
  end

  always @(posedge clk_i) begin
    if (slot_end) begin
      wait_q <= {wait_q[5*KBITS-1:0], token};
      sub_q  <= more ? sub_q + 2'd1 : 2'd0;
      if (!more) tok_q <= wait_valid_q[5] ? wait_q[6*KBITS-1:5*KBITS] : token;
    end
  end

endmodule

`default_nettype wire
