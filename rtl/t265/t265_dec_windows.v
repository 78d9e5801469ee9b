// Windows: the reconstructed samples that blocks are predicted from, by thread: the lowest
// ones of each column of the picture, and the rightmost ones of each row of the CTU, each
// word of these with the sample above it. The references of one block after the other are
// read, a beat a cycle, between the writes. With the beat of its upper right sample the
// block goes on to the reconstruction, which has room for it.
//
// Words: DEC_JOB in, DEC_SUM out (gen/t265_dec_pixel_words.vh), DEC_REF out
// (gen/t265_dec_words.vh).
//
// Mirror:     t265/hwdec/windows.go
// Latency:    1
// Throughput: 1 beat a cycle without a write
// Storage:    2^ThreadBits * (2^PosBits * 32 + MaxCTU * 10) bits of memory, 18 of flip-flops

`default_nettype none
`include "t265_dec_words.vh"
`include "t265_dec_pixel_words.vh"

module t265_dec_windows #(
  parameter Threads    = 16,  // independent frames
  parameter FrameCTUs  = 16,  // widest and highest frame, in CTUs of 16 samples
  parameter MaxCTU     = 64,  // largest CTU, 16, 32 or 64
  parameter ThreadBits = Threads > 1 ? $clog2(Threads) : 1,  // bits of a thread number
  parameter PosBits    = $clog2(FrameCTUs) + 2,  // bits of a column or row, in units of four
  parameter SideBits   = $clog2(MaxCTU / 4)  // bits of a row in a CTU, in units of four
) (
  input  wire                           clk_i,
  input  wire                           rst_i,
  input  wire                           job_valid_i,
  output wire                           job_ready_o,
  input  wire [`T265_DEC_JOB_BITS-1:0]  job_i,
  output wire                           ref_valid_o,
  input  wire                           ref_ready_i,
  output wire [`T265_DEC_REF_BITS-1:0]  ref_o,
  output wire                           sum_valid_o,
  input  wire                           sum_ready_i,
  output wire [`T265_DEC_SUM_BITS-1:0]  sum_o,
  // samples of a block that is reconstructed
  input  wire                           above_we_i,
  input  wire                           left_we_i,
  input  wire [ThreadBits-1:0]          thread_i,
  input  wire [PosBits-1:0]             x_i,
  // Of a row its place in the CTU counts.
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire [PosBits-1:0]             y_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  wire [31:0]                    above_i,
  input  wire [`T265_DEC_LEFT_BITS-1:0] left_i
);

  generate
    if (MaxCTU != 16 && MaxCTU != 32 && MaxCTU != 64) begin : gen_illegal_max_ctu
      illegal_MaxCTU_is_not_16_32_or_64 u_illegal ();
    end
    if (FrameCTUs < 2 || FrameCTUs > 1024) begin : gen_illegal_frame
      illegal_FrameCTUs_is_not_2_to_1024 u_illegal ();
    end
  endgenerate

  reg  [2:0] beat_q;        // that is read next
  reg        valid_q;       // a beat was read
  reg        corner_q;      // it ends with the sample above the upper right one
  reg        has_above_q;
  reg        has_left_q;
  reg        has_corner_q;
  reg        lone_q;
  reg  [8:0] about_q;       // strong, mode, size

  wire [1:0]            log2   = job_i[`T265_DEC_JOB_LOG2];
  wire [5:0]            mode   = job_i[`T265_DEC_JOB_MODE];
  wire [ThreadBits-1:0] thread = job_i[`T265_DEC_JOB_THREAD];
  wire                  writes = above_we_i || left_we_i;
  wire                  reads  = job_valid_i && (!valid_q || ref_ready_i) && !writes
                              && (beat_q != 3'd0 || sum_ready_i);
  // The beats of a block: up to its corners, and the pairs of those behind.
  wire [2:0]            inner  = {1'b0, log2[1], |log2};
  wire                  far    = beat_q > inner;
  wire                  second = log2[1] && beat_q[1];  // the pair
  wire                  last   = beat_q == {inner[1:0], 1'b1};
  wire [1:0]            right  = job_i[`T265_DEC_JOB_RIGHT];
  wire [1:0]            below  = job_i[`T265_DEC_JOB_BELOW];
  // Nothing is available but samples above right: the first one replaces the corner.
  wire                  lone   = right != 2'd0 && !job_i[`T265_DEC_JOB_HAS_LEFT]
                              && !job_i[`T265_DEC_JOB_HAS_ABOVE]
                              && !job_i[`T265_DEC_JOB_HAS_CORNER];
  wire [2:0]            beat_x = lone && beat_q == 3'd0 ? {log2[1], log2[0], log2 == 2'd0}
                                                        : beat_q;
  wire [PosBits-1:0]    x      = job_i[`T265_DEC_JOB_X] + {{(PosBits - 3) {1'b0}}, beat_x};
  // Of a row its place in the CTU counts.
  /* verilator lint_off UNUSEDSIGNAL */
  wire [PosBits-1:0]    y      = job_i[`T265_DEC_JOB_Y] + {{(PosBits - 3) {1'b0}}, beat_q};
  /* verilator lint_on UNUSEDSIGNAL */
  wire [SideBits-1:0]   side   = writes ? y_i[SideBits-1:0] : y[SideBits-1:0];
  wire [31:0]           above;
  wire [`T265_DEC_LEFT_BITS-1:0] left;

  assign job_ready_o = reads && last;
  assign ref_valid_o = valid_q;
  assign sum_valid_o = valid_q && corner_q && ref_ready_i;

  vc_ram_1rw #(
    .Width(32),
    .Depth(1 << (ThreadBits + PosBits))
  ) u_above (
    .clk_i  (clk_i),
    .en_i   (reads || above_we_i),
    .we_i   (above_we_i),
    .addr_i (writes ? {x_i, thread_i} : {x, thread}),
    .wdata_i(above_i),
    .rdata_o(above)
  );

  vc_ram_1rw #(
    .Width(`T265_DEC_LEFT_BITS),
    .Depth(1 << (ThreadBits + SideBits))
  ) u_left (
    .clk_i  (clk_i),
    .en_i   (reads || left_we_i),
    .we_i   (left_we_i),
    .addr_i ({side, writes ? thread_i : thread}),
    .wdata_i(left_i),
    .rdata_o(left)
  );

  assign ref_o[`T265_DEC_REF_ABOVE]      = above;
  assign ref_o[`T265_DEC_REF_LEFT]       = left[`T265_DEC_LEFT_SAMPLES];
  assign ref_o[`T265_DEC_REF_HAS_ABOVE]  = has_above_q;
  assign ref_o[`T265_DEC_REF_HAS_LEFT]   = has_left_q;
  assign ref_o[`T265_DEC_REF_CORNER]     = lone_q ? above[7:0] : left[`T265_DEC_LEFT_CORNER];
  assign ref_o[`T265_DEC_REF_HAS_CORNER] = has_corner_q;
  assign ref_o[`T265_DEC_REF_LOG2]       = about_q[1:0];
  assign ref_o[`T265_DEC_REF_MODE]       = about_q[7:2];
  assign ref_o[`T265_DEC_REF_STRONG]     = about_q[8];

  // The block is that of the beat: its last beat is read later.
  assign sum_o[`T265_DEC_SUM_THREAD]     = thread;
  assign sum_o[`T265_DEC_SUM_LOG2]       = log2;
  assign sum_o[`T265_DEC_SUM_BY_COLUMNS] = mode >= 6'd2 && mode < 6'd18;
  assign sum_o[`T265_DEC_SUM_CODED]      = job_i[`T265_DEC_JOB_CODED];
  assign sum_o[`T265_DEC_SUM_CORNER]     = above[31:24];
  assign sum_o[`T265_DEC_SUM_X]          = job_i[`T265_DEC_JOB_X];
  assign sum_o[`T265_DEC_SUM_Y]          = job_i[`T265_DEC_JOB_Y];

  always @(posedge clk_i) begin
    if (rst_i) begin
      valid_q <= 1'b0;
      beat_q  <= 3'd0;
    end else begin
      if (!valid_q || ref_ready_i) valid_q <= reads;
      if (reads) beat_q <= last ? 3'd0 : beat_q + 3'd1;
    end
  end

  always @(posedge clk_i) begin
    if (reads) begin
      corner_q     <= beat_q == inner;
      has_above_q  <= far ? right[1] || right[0] && !second : job_i[`T265_DEC_JOB_HAS_ABOVE];
      has_left_q   <= far ? below[1] || below[0] && !second : job_i[`T265_DEC_JOB_HAS_LEFT];
      has_corner_q <= job_i[`T265_DEC_JOB_HAS_CORNER] || lone;
      lone_q       <= lone;
      about_q      <= {job_i[`T265_DEC_JOB_STRONG], mode, log2};
    end
  end

endmodule

`default_nettype wire
