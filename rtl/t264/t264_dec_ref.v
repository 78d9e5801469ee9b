// Neighbours of all threads: the row above, the column to the left with the
// corner of each of its blocks, and the reference samples of the block that is
// predicted next. Slots have phases 0 to 3: references are read from phase 2 of
// the slot of the block (near_*), samples of a block that leaves (done_*) are
// written in phases 0 and 1.
//
// A row of samples above belongs to the picture until a block below replaces it,
// so that it serves all blocks of a macroblock. I_16x16 reads it for the whole
// macroblock: only its lowest and rightmost blocks replace it.
//
// Mirror:     t264/hwdec/pixels.go
// Latency:    4, from phase 2
// Throughput: 1 block a slot
// Storage:    Threads * (2^MBBits * 128 + 160) bits of memory, and 300

`default_nettype none

module t264_dec_ref #(
  parameter Threads    = 16,  // independent frames
  parameter FrameMBs   = 64,  // widest and highest frame in macroblocks, 2..1024
  parameter ThreadBits = Threads > 1 ? $clog2(Threads) : 1,   // bits of a thread number
  parameter MBBits     = FrameMBs > 1 ? $clog2(FrameMBs) : 1  // bits of a column or row
) (
  input  wire                  clk_i,
  input  wire [1:0]            phase_i,
  // the block whose references are read, for its first slot
  input  wire                  near_i,
  input  wire [ThreadBits-1:0] near_thread_i,
  input  wire [MBBits-1:0]     near_x_i,
  input  wire [1:0]            near_kind_i,  // 0 4x4, 1 8x8, 2 AC, 3 DC
  input  wire [3:0]            near_block_i,
  // the same, a slot later
  input  wire                  ref_i,
  input  wire [ThreadBits-1:0] ref_thread_i,
  input  wire [1:0]            ref_kind_i,
  input  wire                  ref_odd_i,    // block at an odd column
  input  wire                  ref_below_i,  // block not at the top
  output reg  [127:0]          above_o,      // from phase 1 on: above, and above right
  output reg  [63:0]           left_o,
  output reg  [7:0]            corner_o,
  output wire [31:0]           left_word_o,  // of a DC block: word 0 to 3 in phases 3 to 2
  // four samples of a block from the top of a column, in phases 2, 3, 0, 1
  input  wire                  done_i,
  input  wire [ThreadBits-1:0] done_thread_i,
  input  wire [MBBits-1:0]     done_x_i,
  input  wire [1:0]            done_kind_i,
  input  wire [3:0]            done_block_i,
  input  wire [1:0]            done_word_i,  // columns of an 8x8 block: 2*done_word_i on
  input  wire [31:0]           done_data_i
);

  generate
    if (Threads < 2 || Threads > 64) begin : gen_illegal_threads
      illegal_Threads_is_not_2_to_64 u_illegal ();
    end
    if (FrameMBs < 2 || FrameMBs > 1024) begin : gen_illegal_framembs
      illegal_FrameMBs_is_not_2_to_1024 u_illegal ();
    end
  endgenerate

  localparam [1:0] WIDE = 2'd1;
  localparam [1:0] AC   = 2'd2;
  localparam [1:0] DC   = 2'd3;

  // Above: two memories of four samples, for blocks at even and odd columns.
  wire [31:0] low;
  wire [31:0] high;
  reg  [55:0] bottom_q;  // lowest samples of the columns before
  wire        done_wide = done_kind_i == WIDE;
  wire        last_row  = done_kind_i == AC ? done_block_i[3] && done_block_i[1] :
                          done_kind_i != DC && (!done_wide || done_word_i == 2'd3);
  wire        put_above = phase_i == 2'd1 && done_i && last_row;
  wire        get_above = phase_i[1] && near_i;
  wire [31:0] four      = {done_data_i[31:24], bottom_q[55:32]};

  wire [MBBits:0]            pair       = {near_x_i, near_kind_i != DC && near_block_i[2]};
  wire [MBBits:0]            pair_next  = pair + {{MBBits{1'b0}}, phase_i[0]};
  wire [ThreadBits+MBBits:0] above_addr = get_above ? {near_thread_i, pair_next} :
                                          {done_thread_i, done_x_i, done_block_i[2]};

  vc_ram_1rw #(
    .Width(32),
    .Depth(Threads * 2 << MBBits)
  ) u_low (
    .clk_i  (clk_i),
    .en_i   (get_above || put_above && !done_block_i[0]),
    .we_i   (!get_above),
    .addr_i (above_addr),
    .wdata_i(done_wide ? bottom_q[31:0] : four),
    .rdata_o(low)
  );

  vc_ram_1rw #(
    .Width(32),
    .Depth(Threads * 2 << MBBits)
  ) u_high (
    .clk_i  (clk_i),
    .en_i   (get_above || put_above && (done_wide || done_block_i[0])),
    .we_i   (!get_above),
    .addr_i (above_addr),
    .wdata_i(four),
    .rdata_o(high)
  );

  // Left: four samples below the corner of their block.
  reg  [1:0]  left_row;
  reg         left_read;
  wire [39:0] left;
  reg  [7:0]  corner_d;   // of the block to the right of the one that is predicted
  reg  [7:0]  corner2_q;
  reg  [7:0]  corner3_q;
  reg  [7:0]  apart_q;    // lowest sample above the second word
  reg  [7:0]  before_q;   // lowest sample of the word before
  wire [1:0]  near_row  = {near_block_i[3], near_block_i[1]};
  wire [1:0]  done_row  = {done_block_i[3], done_block_i[1]};
  wire        last_col  = done_kind_i == AC ? done_block_i[2] && done_block_i[0] :
                          done_kind_i != DC && (!done_wide || done_word_i == 2'd3);
  wire        put_left  = done_i && last_col && (phase_i == 2'd1 || phase_i == 2'd0 && done_wide);
  wire        lower     = done_wide && phase_i[0];

  always @* begin
    left_read = near_i;
    case (phase_i)
      2'd2: left_row = near_kind_i == DC ? 2'd0 : near_row;
      2'd3: begin
        left_row = near_kind_i == AC ? near_row - 2'd1 : near_row + 2'd1;
        if (near_kind_i == DC) left_row = 2'd1;
      end
      default: begin
        left_row  = {1'b1, phase_i[0]};
        left_read = ref_i && ref_kind_i == DC;
      end
    endcase
  end

  vc_ram_1r1w #(
    .Width(40),
    .Depth(Threads * 4)
  ) u_left (
    .clk_i  (clk_i),
    .we_i   (put_left),
    .waddr_i({done_thread_i, lower ? done_row + 2'd1 : done_row}),
    .wdata_i({lower ? before_q : corner3_q, done_data_i}),
    .re_i   (left_read),
    .raddr_i({phase_i[1] ? near_thread_i : ref_thread_i, left_row}),
    .rdata_o(left)
  );

  assign left_word_o = left[31:0];

  // References: the first words arrive in phase 3, the second ones in phase 0.
  wire odd = near_block_i[0] && !near_kind_i[0];

  always @(posedge clk_i) begin
    if (phase_i == 2'd3 && near_i) begin
      above_o[63:0] <= odd ? {low, high} : {high, low};
      left_o        <= {{4{left[31:24]}}, left[31:0]};
      corner_o      <= left[39:32];
    end
    if (phase_i == 2'd0 && ref_i) begin
      if (ref_kind_i[0]) above_o[127:64] <= {high, low};
      else if (ref_odd_i) above_o[63:32] <= low;
      if (ref_kind_i == WIDE) left_o[63:32] <= left[31:0];
      apart_q <= left[31:24];
    end
  end

  always @* begin
    corner_d = above_o[31:24];
    if (ref_kind_i == WIDE) corner_d = above_o[63:56];
    if (ref_kind_i == AC && ref_below_i) corner_d = apart_q;
  end

  always @(posedge clk_i) begin
    if (phase_i == 2'd2 && ref_i) corner2_q <= corner_d;
    if (phase_i == 2'd1) corner3_q <= corner2_q;
    if (!done_wide || phase_i[0]) bottom_q <= {done_data_i[31:24], bottom_q[55:8]};
    before_q <= done_data_i[31:24];
  end

endmodule

`default_nettype wire
