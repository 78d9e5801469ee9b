// Reconstructed samples by thread that blocks of the CTU may be predicted from: the
// lowest one of each column, the rightmost one of each row, and by diagonal of places of
// blocks, in units of 4 samples, the one that is the corner of the next block there.
// The place of a block in the CTU tells which of its neighbours are there (clause
// 6.4.1); others are replaced (clause 8.4.4.2.2).
//
// A write is visible in the next cycle. The start of a CTU writes all rows and all
// diagonals: these may not be written otherwise in that cycle.
//
// Mirror:     t265/hwenc/predict.go
// Latency:    0 to fetch, 1 to write
// Throughput: 1 block and 1 beat of reconstruction a cycle
// Storage:    Threads * 328 bits of latches, 328 bits and clock gates to write them

`default_nettype none

module t265_window #(
  parameter Threads    = 16,  // frames in flight
  parameter MaxTU      = 16,  // largest block, 8 or 16
  parameter MinTU      = 4,   // smallest block, 4 or 8
  parameter ThreadBits = Threads > 1 ? $clog2(Threads) : 1  // bits of a thread number
) (
  input  wire                   clk_i,
  // start of a CTU
  input  wire                   begin_i,
  input  wire [ThreadBits-1:0]  begin_thread_i,
  input  wire [143:0]           begin_row_i,     // above it, and two more
  input  wire [7:0]             begin_corner_i,
  // reconstruction
  input  wire [ThreadBits-1:0]  thread_i,
  input  wire [3:0]             row_we_i,        // by group of 4 columns
  input  wire [63:0]            row_data_i,      // of an even group and an odd one
  input  wire [3:0]             left_we_i,       // by group of 4 rows
  input  wire [31:0]            left_data_i,
  input  wire [6:0]             diag_we_i,       // diagonals x - y + 3
  input  wire [15:0]            diag_data_i,     // of even numbers and of odd ones
  output wire [127:0]           row_o,           // that of thread_i
  // references of a block: two more are at index 8, of a 16x16 block at index 16
  input  wire [ThreadBits-1:0]  fetch_thread_i,
  input  wire [1:0]             fetch_cx_i,
  input  wire [1:0]             fetch_cy_i,
  input  wire [1:0]             fetch_log2_i,
  input  wire                   fetch_left_i,    // the CTU has these neighbours
  input  wire                   fetch_above_i,
  input  wire                   fetch_right_i,
  output wire [8*MaxTU+15:0]    above_o,         // the block's, and two more
  output wire [8*MaxTU+15:0]    left_o,
  output wire [7:0]             corner_o
);

  wire [143:0] row;   // of the block's thread
  wire [127:0] side;
  wire [55:0]  diag;
  wire [23:0]  ends;  // last samples of groups of rows at the start of a CTU
  genvar       g;

  generate
    for (g = 0; g < 4; g = g + 1) begin : gen_group
      vc_ram_latch #(
        .Width(32),
        .Depth(Threads),
        .Reads(2)
      ) u_row (
        .clk_i  (clk_i),
        .we_i   (begin_i || row_we_i[g]),
        .waddr_i(begin_i ? begin_thread_i : thread_i),
        .wdata_i(begin_i ? begin_row_i[32*g +: 32] : row_data_i[32*(g%2) +: 32]),
        .raddr_i({thread_i, fetch_thread_i}),
        .rdata_o({row_o[32*g +: 32], row[32*g +: 32]})
      );
      if (g < 3) begin : gen_left
        wire [23:0] unused_left;

        vc_ram_latch #(
          .Width(32),
          .Depth(Threads),
          .Reads(2)
        ) u_left (
          .clk_i  (clk_i),
          .we_i   (left_we_i[g]),
          .waddr_i(thread_i),
          .wdata_i(left_data_i),
          .raddr_i({begin_thread_i, fetch_thread_i}),
          .rdata_o({ends[8*g +: 8], unused_left, side[32*g +: 32]})
        );
      end else begin : gen_lowest
        vc_ram_latch #(
          .Width(32),
          .Depth(Threads)
        ) u_left (
          .clk_i  (clk_i),
          .we_i   (left_we_i[g]),
          .waddr_i(thread_i),
          .wdata_i(left_data_i),
          .raddr_i(fetch_thread_i),
          .rdata_o(side[32*g +: 32])
        );
      end
    end

    for (g = 0; g < 7; g = g + 1) begin : gen_diag
      wire [7:0] first;
      if (g < 3) begin : gen_left
        assign first = ends[8*(2-g) +: 8];
      end else if (g == 3) begin : gen_corner
        assign first = begin_corner_i;
      end else begin : gen_above
        assign first = begin_row_i[32*(g-3)-8 +: 8];
      end

      vc_ram_latch #(
        .Width(8),
        .Depth(Threads)
      ) u_diag (
        .clk_i  (clk_i),
        .we_i   (begin_i || diag_we_i[g]),
        .waddr_i(begin_i ? begin_thread_i : thread_i),
        .wdata_i(begin_i ? first : diag_data_i[8*(g%2) +: 8]),
        .raddr_i(fetch_thread_i),
        .rdata_o(diag[8*g +: 8])
      );
    end
  endgenerate

  vc_ram_latch #(
    .Width(16),
    .Depth(Threads)
  ) u_beyond (
    .clk_i  (clk_i),
    .we_i   (begin_i),
    .waddr_i(begin_thread_i),
    .wdata_i(begin_row_i[143:128]),
    .raddr_i(fetch_thread_i),
    .rdata_o(row[143:128])
  );

  // Which neighbours are there.
  wire four      = MinTU == 4 && fetch_log2_i == 2'd0;
  wire sixteen   = MaxTU == 16 && fetch_log2_i[1];
  wire at_right  = four ? fetch_cx_i == 2'd3 : fetch_cx_i[1] || sixteen;  // of the CTU
  wire at_bottom = four ? fetch_cy_i == 2'd3 : fetch_cy_i[1] || sixteen;
  wire at_top    = fetch_cy_i == 2'd0;
  wire at_left   = fetch_cx_i == 2'd0;
  wire has_left  = !at_left || fetch_left_i;
  wire has_above = !at_top || fetch_above_i;
  wire has_right = at_top ? (at_right ? fetch_right_i : fetch_above_i) :
                   four ? !fetch_cx_i[0] || fetch_cx_i == 2'd1 && fetch_cy_i == 2'd2 : !at_right;
  wire has_below = !at_bottom &&
                   (at_left ? fetch_left_i : four && fetch_cx_i == 2'd2 && !fetch_cy_i[0]);

  // The samples of the block.
  // The group behind, 0 for that of the next CTU.
  wire [1:0]   next_cx = fetch_cx_i + (four ? 2'd1 : 2'd2);
  wire [1:0]   next_cy = fetch_cy_i + (four ? 2'd1 : 2'd2);
  wire [31:0]  above4  = row[32*fetch_cx_i +: 32];
  wire [31:0]  left4   = side[32*fetch_cy_i +: 32];
  wire [7:0]   fill    = has_above ? above4[7:0] : has_left ? left4[7:0] : 8'd128;
  wire [63:0]  above8  = {fetch_cx_i[1] ? row[127:96] : row[63:32], above4};
  wire [63:0]  left8   = {fetch_cy_i[1] ? side[127:96] : side[63:32], left4};
  wire [63:0]  above   = has_above ? above8 : {8{fill}};
  wire [63:0]  left    = has_left ? left8 : {8{fill}};
  // The last ones of a block that is not 16x16. Above a block of 4x4 the last one counts in
  // the odd groups alone, which are the upper ones of above.
  wire [7:0]   last_x  = above[63:56];
  wire [7:0]   last_y  = four ? left[31:24] : left[63:56];
  reg  [15:0]  right;   // and the two behind it
  reg  [15:0]  below;

  always @* begin
    case (next_cx)
      2'd1: right = {last_x, row[39:32]};
      2'd2: right = row[79:64];
      2'd3: right = {last_x, row[103:96]};
      default: right = row[143:128];
    endcase
    case (next_cy)
      2'd1: below = {last_y, side[39:32]};
      2'd2: below = side[79:64];
      default: below = {last_y, side[103:96]};
    endcase
    if (!has_right) right = {2{last_x}};
    if (!has_below) below = {2{last_y}};
  end

  wire [2:0] diagonal = 3'd3 + {1'b0, fetch_cx_i} - {1'b0, fetch_cy_i};

  assign corner_o = has_left && has_above ? diag[8*diagonal +: 8] : fill;

  generate
    if (MaxTU == 16) begin : gen_wide
      wire [63:0] above_far = has_above ? row[127:64] : {8{fill}};
      wire [63:0] left_far  = has_left ? side[127:64] : {8{fill}};
      wire [15:0] right_far = has_right ? row[143:128] : {2{above_far[63:56]}};

      wire [15:0] right_end = sixteen ? above_far[15:0] : right;
      wire [15:0] below_end = sixteen ? left_far[15:0] : below;

      assign above_o = {right_far, above_far[63:16], right_end, above};
      assign left_o  = {{2{left_far[63:56]}}, left_far[63:16], below_end, left};
    end else begin : gen_narrow
      assign above_o = {right, above};
      assign left_o  = {below, left};
    end
  endgenerate

endmodule

`default_nettype wire
