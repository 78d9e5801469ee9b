// Keeps macroblocks between pixel path and lanes: for each thread the AC blocks that
// are coded, in a ring of Words, and one macroblock with its DC levels. It answers
// one fetch a cycle, the lanes in turn.
//
// Mirror:     t264/hwenc/store.go
// Latency:    2 from fetch to load
// Throughput: 1 block in and 1 block out a cycle
// Storage:    Threads * (Words * 180 + 264) bits of memory with two ports, and
//             Threads * (2 + 2 * PtrBits) + 90 bits
// Packing:    thread t has bit t of room_o; lane l has bit l of avail_o, late_i, fetch_valid_i,
//             fetch_ready_o and load_valid_o, and fetch_kind_i[2*l +: 2] and
//             thread_i[ThreadBits*l +: ThreadBits]; AC and MB in, HEAD out (gen/t264_enc_words.vh)

`default_nettype none
`include "t264_enc_words.vh"

module t264_enc_store #(
  parameter Threads    = 8,   // frames in flight
  parameter Lanes      = 8,   // CABAC engines
  parameter Words      = 20,  // AC blocks of a thread
  parameter ThreadBits = Threads > 1 ? $clog2(Threads) : 1,  // bits of a thread number
  parameter LaneBits   = Lanes > 1 ? $clog2(Lanes) : 1,      // bits of the number of a lane
  parameter PtrBits    = $clog2(Words),                      // bits of 0 .. Words - 1
  parameter AddrBits   = $clog2(Threads * Words)             // bits of 0 .. Threads * Words - 1
) (
  input  wire                        clk_i,
  input  wire                        rst_i,
  input  wire                        take_valid_i,  // a macroblock was requested
  input  wire [ThreadBits-1:0]       take_thread_i,
  output reg  [Threads-1:0]          room_o,
  input  wire                        ac_valid_i,
  output wire                        ac_ready_o,
  input  wire [`T264_AC_BITS-1:0]    ac_data_i,
  input  wire                        mb_valid_i,
  output wire                        mb_ready_o,
  input  wire [`T264_MB_BITS-1:0]    mb_data_i,
  input  wire [Lanes*ThreadBits-1:0] thread_i,      // of the lane
  input  wire [Lanes-1:0]            late_i,
  output reg  [Lanes-1:0]            avail_o,
  input  wire [Lanes-1:0]            fetch_valid_i,
  output wire [Lanes-1:0]            fetch_ready_o,
  input  wire [2*Lanes-1:0]          fetch_kind_i,
  output reg  [Lanes-1:0]            load_valid_o,
  output wire [`T264_HEAD_BITS-1:0]  load_head_o,
  output wire [15:0]                 load_mask_o,
  output wire [181:0]                load_levels_o
);

  localparam [1:0]         HEAD   = 2'd0, AC = 2'd1, LOW = 2'd2;  // fetches: see t264_residual
  localparam [31:0]        LAST32 = Words - 1;
  localparam [PtrBits-1:0] LAST   = LAST32[PtrBits-1:0];

  integer i;

  // Blocks in.
  wire [ThreadBits-1:0] ac_thread = ac_data_i[`T264_AC_THREAD];
  wire [3:0]            ac_block  = ac_data_i[`T264_AC_BLOCK];
  wire                  ac_coded  = ac_data_i[`T264_AC_CODED];
  wire [ThreadBits-1:0] mb_thread = mb_data_i[`T264_MB_THREAD];
  wire                  ac_moves  = ac_valid_i && ac_ready_o;
  wire                  mb_moves  = mb_valid_i && mb_ready_o;

  // The flags of AC blocks wait in order for their macroblocks.
  reg  [14:0] flags_q;
  wire [15:0] coded;

  vc_fifo #(
    .Width(16),
    .Depth(4)
  ) u_flags (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .in_valid_i (ac_valid_i && ac_block == 4'd15),
    .in_ready_o (ac_ready_o),
    .in_data_i  ({ac_coded, flags_q}),
    .out_valid_o(mb_ready_o),
    .out_ready_i(mb_valid_i),
    .out_data_o (coded)
  );

  always @(posedge clk_i) begin
    if (ac_moves) flags_q <= {ac_coded, flags_q[14:1]};
  end

  // The lanes take turns: those in after_q are behind the one served last.
  reg  [Lanes-1:0]      after_q;
  wire [Lanes-1:0]      behind = fetch_valid_i & after_q;
  wire [Lanes-1:0]      want   = behind != {Lanes{1'b0}} ? behind : fetch_valid_i;
  wire [Lanes-1:0]      grant  = want & (~want + 1'b1);
  reg  [LaneBits-1:0]   lane_d;
  reg  [1:0]            kind_d;
  reg  [ThreadBits-1:0] thread_d;
  reg                   valid1_q;
  reg  [LaneBits-1:0]   lane1_q;
  reg  [1:0]            kind1_q;
  reg  [ThreadBits-1:0] thread1_q;
  reg                   valid2_q;
  reg  [LaneBits-1:0]   lane2_q;
  reg  [1:0]            kind2_q;

  assign fetch_ready_o = grant;

  always @* begin
    lane_d   = {LaneBits{1'b0}};
    kind_d   = 2'd0;
    thread_d = {ThreadBits{1'b0}};
    for (i = 0; i < Lanes; i = i + 1) begin
      lane_d   = lane_d | i[LaneBits-1:0] & {LaneBits{grant[i]}};
      kind_d   = kind_d | fetch_kind_i[2*i +: 2] & {2{grant[i]}};
      thread_d = thread_d | thread_i[ThreadBits*i +: ThreadBits] & {ThreadBits{grant[i]}};
      load_valid_o[i] = valid2_q && lane2_q == i[LaneBits-1:0];
    end
  end

  always @(posedge clk_i) begin
    if (rst_i) valid1_q <= 1'b0;
    else valid1_q <= fetch_valid_i != {Lanes{1'b0}};
  end

  always @(posedge clk_i) begin
    if (grant != {Lanes{1'b0}}) after_q <= ~(grant | grant - 1'b1);  // the first one is alone
    lane1_q   <= lane_d;
    kind1_q   <= kind_d;
    thread1_q <= thread_d;
    valid2_q  <= valid1_q;  // 0 from the second cycle of a reset on
    lane2_q   <= lane1_q;
    kind2_q   <= kind1_q;
  end

  // Places by thread.
  reg  [Threads-1:0]         busy_q;  // reserved or in use, for a macroblock
  reg  [Threads-1:0]         full_q;  // in use
  reg  [Threads*PtrBits-1:0] head_q;
  reg  [Threads*PtrBits-1:0] tail_q;
  reg  [PtrBits-1:0]         head;
  reg  [PtrBits-1:0]         tail;

  wire read_ac = valid1_q && kind1_q == AC;
  wire read_mb = valid1_q && kind1_q != AC;
  wire done    = valid1_q && kind1_q == LOW;
  wire write   = ac_moves && ac_coded;

  wire [PtrBits-1:0] head_d = head == LAST ? {PtrBits{1'b0}} : head + 1'b1;
  wire [PtrBits-1:0] tail_d = tail == LAST ? {PtrBits{1'b0}} : tail + 1'b1;

  always @* begin
    head = {PtrBits{1'b0}};
    tail = {PtrBits{1'b0}};
    for (i = 0; i < Threads; i = i + 1) begin
      if (thread1_q == i[ThreadBits-1:0]) head = head_q[PtrBits*i +: PtrBits];
      if (ac_thread == i[ThreadBits-1:0]) tail = tail_q[PtrBits*i +: PtrBits];
    end
  end

  always @(posedge clk_i) begin
    for (i = 0; i < Threads; i = i + 1) begin
      if (rst_i) begin
        busy_q[i]                     <= 1'b0;
        full_q[i]                     <= 1'b0;
        head_q[PtrBits*i +: PtrBits] <= {PtrBits{1'b0}};
        tail_q[PtrBits*i +: PtrBits] <= {PtrBits{1'b0}};
      end else begin
        if (take_valid_i && take_thread_i == i[ThreadBits-1:0]) busy_q[i] <= 1'b1;
        if (mb_moves && mb_thread == i[ThreadBits-1:0]) full_q[i] <= 1'b1;
        if (thread1_q == i[ThreadBits-1:0]) begin
          if (read_ac) head_q[PtrBits*i +: PtrBits] <= head_d;
          if (done) busy_q[i] <= 1'b0;
          if (done) full_q[i] <= 1'b0;
        end
        if (write && ac_thread == i[ThreadBits-1:0]) tail_q[PtrBits*i +: PtrBits] <= tail_d;
      end
    end
  end

  integer t;

  always @* begin
    room_o = ~busy_q;
    for (i = 0; i < Lanes; i = i + 1) begin
      avail_o[i] = 1'b0;
      for (t = 0; t < Threads; t = t + 1) begin
        if (thread_i[ThreadBits*i +: ThreadBits] == t[ThreadBits-1:0]) begin
          avail_o[i] = full_q[t];
          if (!late_i[i]) room_o[t] = 1'b0;
        end
      end
    end
  end

  // Memories.
  wire [`T264_AC_LEVELS_BITS-1:0] ac_word;
  wire [`T264_STORED_BITS-1:0]    mb_word;
  wire [`T264_STORED_BITS-1:0]    mb_new;
  wire [AddrBits-1:0]             waddr;
  wire [AddrBits-1:0]             raddr;
  wire [31-AddrBits:0]            unused_w;
  wire [31-AddrBits:0]            unused_r;
  wire                            unused_cbp = mb_data_i[`T264_MB_CBP];

  assign mb_new[`T264_STORED_QP]          = mb_data_i[`T264_MB_QP];
  assign mb_new[`T264_STORED_MODE]        = mb_data_i[`T264_MB_MODE];
  assign mb_new[`T264_STORED_QP_DELTA]    = mb_data_i[`T264_MB_QP_DELTA];
  assign mb_new[`T264_STORED_CHANGED]     = mb_data_i[`T264_MB_CHANGED];
  assign mb_new[`T264_STORED_LEFT]        = mb_data_i[`T264_MB_LEFT];
  assign mb_new[`T264_STORED_ABOVE]       = mb_data_i[`T264_MB_ABOVE];
  assign mb_new[`T264_STORED_LEFT_CODED]  = mb_data_i[`T264_MB_LEFT_CODED];
  assign mb_new[`T264_STORED_ABOVE_CODED] = mb_data_i[`T264_MB_ABOVE_CODED];
  assign mb_new[`T264_STORED_LAST]        = mb_data_i[`T264_MB_LAST];
  assign mb_new[`T264_STORED_CODED]       = coded;
  assign mb_new[`T264_STORED_DC]          = mb_data_i[`T264_MB_DC];

  assign {unused_w, waddr} = {{(32 - ThreadBits) {1'b0}}, ac_thread} * Words
                           + {{(32 - PtrBits) {1'b0}}, tail};
  assign {unused_r, raddr} = {{(32 - ThreadBits) {1'b0}}, thread1_q} * Words
                           + {{(32 - PtrBits) {1'b0}}, head};

  vc_ram_1r1w #(
    .Width(`T264_AC_LEVELS_BITS),
    .Depth(Threads * Words)
  ) u_blocks (
    .clk_i  (clk_i),
    .we_i   (write),
    .waddr_i(waddr),
    .wdata_i(ac_data_i[`T264_AC_LEVELS]),
    .re_i   (read_ac),
    .raddr_i(raddr),
    .rdata_o(ac_word)
  );

  vc_ram_1r1w #(
    .Width(`T264_STORED_BITS),
    .Depth(Threads)
  ) u_mbs (
    .clk_i  (clk_i),
    .we_i   (mb_moves),
    .waddr_i(mb_thread),
    .wdata_i(mb_new),
    .re_i   (read_mb),
    .raddr_i(thread1_q),
    .rdata_o(mb_word)
  );

  // The answer.
  reg  [15:0]  ac_mask;
  reg  [15:0]  dc_mask;
  reg  [181:0] dc_levels;
  wire [111:0] dc_half = kind2_q == HEAD ? mb_word[`T264_STORED_DC_AT + 112 +: 112]
                                         : mb_word[`T264_STORED_DC_AT +: 112];

  always @* begin
    ac_mask   = 16'd0;
    dc_levels = 182'd0;
    for (i = 0; i < 16; i = i + 1) begin
      dc_mask[i] = mb_word[`T264_STORED_DC_AT + `T264_STORED_DC_EACH*i +: 14] != 14'd0;
    end
    for (i = 1; i < 16; i = i + 1) ac_mask[i] = ac_word[12*(i-1) +: 12] != 12'd0;
    for (i = 0; i < 8; i = i + 1) dc_levels[24*i +: 14] = dc_half[14*i +: 14];
  end

  assign load_head_o   = mb_word[`T264_STORED_HEAD];
  assign load_mask_o   = kind2_q == AC ? ac_mask
                       : kind2_q == HEAD ? dc_mask : {8'd0, dc_mask[7:0]};
  assign load_levels_o = kind2_q == AC ? {ac_word, dc_levels[1:0]} : dc_levels;

endmodule

`default_nettype wire
