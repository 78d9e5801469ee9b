// Scheduler of the pixel path: takes the items of all threads into their memory, and
// sends their blocks on, one after the other: heads to the windows, levels to the inverse
// path. A block can begin when it is complete, or its thread has no room for more of it,
// and the block before is reconstructed. Of threads whose block can begin, one with a
// block of the size of the last one goes first, since the inverse path is fastest with
// blocks of one size; among these it is round robin.
//
// Words: DEC_ITEM in (gen/t265_dec_words.vh), DEC_JOB out (gen/t265_dec_pixel_words.vh).
//
// Mirror:     t265/hwdec/sched.go
// Latency:    4 from the last item of a block to its head
// Throughput: 1 item a cycle in, 1 word out
// Storage:    Width * Words * 2^ThreadBits bits of memory, Threads * 37 bits and 230

`default_nettype none
`include "t265_dec_pixel_words.vh"

module t265_dec_sched #(
  parameter Threads    = 16,  // independent frames
  parameter FrameCTUs  = 16,  // widest and highest frame, in CTUs of 16 samples
  parameter MaxTU      = 16,  // largest transform block, 8 or 16
  parameter Words      = 72,  // of items by thread
  parameter ThreadBits = Threads > 1 ? $clog2(Threads) : 1,  // bits of a thread number
  parameter PosBits    = $clog2(FrameCTUs) + 2,  // bits of a column or row, in units of four
  parameter PlaceBits  = $clog2(MaxTU / 4)  // bits of the row or column of a sub-block
) (
  input  wire                          clk_i,
  input  wire                          rst_i,
  output wire [Threads-1:0]            in_ready_o,   // an item of the thread may come
  input  wire                          in_valid_i,
  input  wire [ThreadBits-1:0]         in_thread_i,
  input  wire [9:0]                    in_tag_i,     // an item without its data
  input  wire [63:0]                   in_data_i,
  output wire                          job_valid_o,
  input  wire                          job_ready_i,
  output wire [`T265_DEC_JOB_BITS-1:0] job_o,
  output wire                          lev_valid_o,
  input  wire                          lev_ready_i,
  output wire [1:0]                    lev_log2_o,   // of the size, less 2
  output wire                          lev_skip_o,
  output wire [1:0]                    lev_scan_o,
  output wire [5:0]                    lev_qp_o,
  output wire                          lev_columns_o,
  output wire [PlaceBits-1:0]          lev_x_o,      // sub-block
  output wire [PlaceBits-1:0]          lev_y_o,
  output wire [1:0]                    lev_group_o,
  output wire                          lev_last_o,
  output wire [63:0]                   lev_levels_o,
  input  wire                          done_i,       // a block is reconstructed
  input  wire [ThreadBits-1:0]         done_thread_i
);

  generate
    if (Words < 16 || Words > 256) begin : gen_illegal_words
      illegal_Words_is_not_16_to_256 u_illegal ();
    end
  endgenerate

  localparam KEPT  = `T265_DEC_KEPT_BITS;
  localparam GROUP = `T265_DEC_GROUP_BITS;
  localparam WIDTH = KEPT > GROUP ? KEPT : GROUP;
  localparam ADDR  = $clog2(Words);

  // Threads.
  wire [Threads-1:0]      room, want, there, open;
  wire [2*Threads-1:0]    sizes;
  wire [ADDR*Threads-1:0] read_at, write_at;
  wire                    stays;
  wire [ThreadBits-1:0]   item_thread;
  wire                    put, put_head, put_more, put_ends;
  wire [1:0]              put_log2;
  wire                    reads, starts, leaves;  // the next word; of a block; the last one
  wire [ThreadBits-1:0]   from;
  reg  [ThreadBits-1:0]   thread_q;               // of the word that was read

  genvar t;
  generate
    for (t = 0; t < Threads; t = t + 1) begin : gen_thread
      localparam [31:0] INDEX = t;
      t265_dec_thread #(
        .Words(Words)
      ) u_thread (
        .clk_i     (clk_i),
        .rst_i     (rst_i),
        .put_i     (put && item_thread == INDEX[ThreadBits-1:0]),
        .put_head_i(put_head),
        .put_log2_i(put_log2),
        .put_more_i(put_more),
        .put_ends_i(put_ends),
        .read_i    (reads && from == INDEX[ThreadBits-1:0]),
        .start_i   (starts && cand_q == INDEX[ThreadBits-1:0]),
        .end_i     (leaves && thread_q == INDEX[ThreadBits-1:0]),
        .done_i    (done_i && done_thread_i == INDEX[ThreadBits-1:0]),
        .room_o    (room[t]),
        .want_o    (want[t]),
        .there_o   (there[t]),
        .open_o    (open[t]),
        .log2_o    (sizes[2*t +: 2]),
        .read_o    (read_at[ADDR*t +: ADDR]),
        .write_o   (write_at[ADDR*t +: ADDR])
      );
    end
  endgenerate

  wire [WIDTH-1:0] word;

  assign in_ready_o = room & {Threads{!stays}};

  t265_dec_store #(
    .Threads  (Threads),
    .FrameCTUs(FrameCTUs),
    .MaxTU    (MaxTU),
    .Words    (Words),
    .Width    (WIDTH)
  ) u_store (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .in_take_i  (in_valid_i && in_ready_o[in_thread_i]),
    .in_thread_i(in_thread_i),
    .in_tag_i   (in_tag_i),
    .in_data_i  (in_data_i),
    .stays_o    (stays),
    .thread_o   (item_thread),
    .open_i     (open[item_thread]),
    .at_i       (write_at[ADDR*item_thread +: ADDR]),
    .put_o      (put),
    .put_head_o (put_head),
    .put_log2_o (put_log2),
    .put_more_o (put_more),
    .put_ends_o (put_ends),
    .read_i     (reads),
    .raddr_i    ({read_at[ADDR*from +: ADDR], from}),
    .word_o     (word)
  );

  // The next block.
  reg                  cand_valid_q;
  reg [ThreadBits-1:0] cand_q;
  reg [1:0]            log2_q;  // of its size, less 2
  reg [4:0]            run_q;   // blocks of this size that have followed the first one
  reg [Threads-1:0]    other;   // threads that can begin a block
  reg [Threads-1:0]    like;    // of this size
  reg [ThreadBits-1:0] low, high, pick;
  reg                  any_high;
  integer              i;
  wire                 keeps  = like != {Threads{1'b0}} && run_q != 5'd31;
  wire [Threads-1:0]   among  = keeps ? like : other;
  wire                 choose = starts || !cand_valid_q;

  always @* begin
    low      = {ThreadBits{1'b0}};
    high     = {ThreadBits{1'b0}};
    any_high = 1'b0;
    for (i = Threads - 1; i >= 0; i = i - 1) begin
      other[i] = want[i] && !(cand_valid_q && cand_q == i[ThreadBits-1:0]);
      like[i]  = other[i] && sizes[2*i +: 2] == log2_q;
    end
    for (i = Threads - 1; i >= 0; i = i - 1) begin
      if (among[i]) low = i[ThreadBits-1:0];
      if (among[i] && cand_q < i[ThreadBits-1:0]) begin
        high     = i[ThreadBits-1:0];
        any_high = 1'b1;
      end
    end
    pick = any_high ? high : low;
  end

  always @(posedge clk_i) begin
    if (rst_i) begin
      cand_valid_q <= 1'b0;
      cand_q       <= {ThreadBits{1'b0}};
      log2_q       <= 2'd0;
      run_q        <= 5'd0;
    end else if (choose) begin
      cand_valid_q <= other != {Threads{1'b0}};
      run_q        <= keeps ? run_q + 5'd1 : 5'd0;
      if (other != {Threads{1'b0}}) begin
        cand_q <= pick;
        log2_q <= sizes[2*pick +: 2];
      end
    end
  end

  // The word that was read.
  reg         valid_q;
  reg         head_q;   // it is a head
  reg         waits_q;  // for the next word of the block
  reg         high_q;   // the levels that come have upper bytes
  reg  [31:0] upper_q;
  reg         lev_valid_q;
  wire        upper    = word[`T265_DEC_GROUP_HIGH];
  wire        last     = word[GROUP-1:32] == {(GROUP - 32) {1'b0}};
  wire        lev_free = !lev_valid_q || lev_ready_i;
  wire        taken    = head_q ? job_ready_i : upper || lev_free;
  wire        ends     = head_q ? !word[`T265_DEC_KEPT_CODED] : last;
  wire        go       = !valid_q || taken;  // the next word may be read
  wire        under    = waits_q || valid_q && !ends;

  assign starts = go && !under && cand_valid_q;
  assign from   = starts ? cand_q : thread_q;
  assign reads  = starts || go && under && there[thread_q];
  assign leaves = valid_q && taken && ends;

  always @(posedge clk_i) begin
    if (rst_i) begin
      valid_q <= 1'b0;
      waits_q <= 1'b0;
    end else if (go) begin
      valid_q <= reads;
      waits_q <= under && !reads;
    end
  end

  always @(posedge clk_i) begin
    if (go) head_q <= starts;
    if (starts) thread_q <= cand_q;
    if (valid_q && taken) begin
      high_q  <= !head_q && upper;
      upper_q <= word[31:0];
    end
  end

  assign job_valid_o                = valid_q && head_q;
  assign job_o[`T265_DEC_JOB_THREAD] = thread_q;
  assign job_o[`T265_DEC_JOB_PLACE] = word[`T265_DEC_KEPT_PLACE];

  // Levels. About a block is kept: scan, by columns, size, transform skip, QP.
  wire [5:0]      mode      = word[`T265_DEC_KEPT_MODE];
  wire            scans     = !word[`T265_DEC_KEPT_LOG2_AT+1];  // not all are diagonal
  wire            down      = mode >= 6'd6 && mode <= 6'd14;
  wire            across    = mode >= 6'd22 && mode <= 6'd30;
  reg  [11:0]     about_q;      // of the block under way
  reg  [11:0]     lev_about_q;  // of the levels that leave
  reg  [GROUP-34:0] place_q;
  reg  [63:0]     levels_q;
  integer         k;

  always @(posedge clk_i) begin
    if (rst_i) lev_valid_q <= 1'b0;
    else if (lev_free) lev_valid_q <= valid_q && !head_q && !upper;
  end

  always @(posedge clk_i) begin
    if (valid_q && head_q) begin
      about_q <= {{down, across} & {2{scans}}, mode >= 6'd2 && mode < 6'd18,
                  word[`T265_DEC_KEPT_LOG2], word[`T265_DEC_KEPT_SKIP], word[`T265_DEC_KEPT_QP]};
    end
    if (lev_free && valid_q && !head_q && !upper) begin
      lev_about_q <= about_q;
      place_q     <= word[GROUP-2:32];
      for (k = 0; k < 4; k = k + 1) begin
        levels_q[16*k +: 16] <= {high_q ? upper_q[8*k +: 8] : {8{word[8*k+7]}}, word[8*k +: 8]};
      end
    end
  end

  assign lev_valid_o = lev_valid_q;
  assign {lev_scan_o, lev_columns_o, lev_log2_o, lev_skip_o, lev_qp_o} = lev_about_q;
  assign {lev_y_o, lev_x_o, lev_group_o} = place_q;
  assign lev_last_o   = place_q == {(GROUP - 33) {1'b0}};
  assign lev_levels_o = levels_q;

endmodule

`default_nettype wire
