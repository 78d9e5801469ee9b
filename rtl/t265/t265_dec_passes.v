// Passes of the inverse transform: which block the engine reads and where it writes, and
// the residual that leaves. Each of three memories holds two blocks, coefficients, those
// between the passes, and residuals, which are complete before they are read.
//
// A pass is 1 columns, 2 rows, 3 transform skip: it begins when its block is complete and
// has room where it goes. Rows go before the columns of the next block.
//
// Mirror:     t265/hwdec/itransform.go
// Latency:    1 from a block that is complete to its first beat
// Throughput: a beat and a word a cycle
// Storage:    130 bits

`default_nettype none

module t265_dec_passes #(
  parameter MaxTU    = 16,  // largest block, 8 or 16
  parameter Sums     = MaxTU == 8 ? 3 : 4,  // cycles from a read to its sums
  parameter SideBits = $clog2(MaxTU)  // bits of a row or column
) (
  input  wire                clk_i,
  input  wire                rst_i,
  // coefficients
  output wire                in_ready_o,
  output wire                in_page_o,
  input  wire                in_end_i,      // the last ones of a block come in
  input  wire [1:0]          in_log2_i,     // of its size, less 2
  input  wire                in_skip_i,
  input  wire                in_columns_i,  // its residual leaves by columns
  input  wire [1:0]          in_scan_i,
  input  wire                in_there_i,    // the last ones are in the memory after this cycle
  // a beat that is read
  output wire [1:0]          pass_o,
  output wire                page_o,
  output wire [1:0]          log2_o,
  output wire [1:0]          scan_o,
  output wire [SideBits-1:0] line_o,        // column or row
  output wire                half_o,        // the second beat of 16 values
  // one with its sums, and one that is written, a cycle later
  output wire [1:0]          sum_pass_o,
  output wire                sum_small_o,   // of a 4x4 block
  output wire [1:0]          put_pass_o,
  output wire                put_page_o,
  output wire [SideBits-1:0] put_line_o,
  output wire                put_half_o,
  // a word of a residual that is read
  output wire                word_valid_o,
  input  wire                word_ready_i,
  output wire                word_page_o,
  output wire                word_columns_o,  // the memory has them as columns
  output wire [SideBits-1:0] word_line_o,
  output wire [SideBits-3:0] word_part_o
);

  localparam [1:0] NONE = 2'd0, COLUMNS = 2'd1, ROWS = 2'd2, SKIP = 2'd3;
  localparam       BEAT = MaxTU == 8 ? 3 : 5;   // bits of a beat of a pass
  localparam       WORD = 2 * SideBits - 2;     // bits of a word of a residual
  localparam       STEP = 4 + SideBits;         // bits of a beat on its way

  // Pages, in order coefficients, transposed, residuals.
  reg  [1:0] coef_held_q, coef_ready_q, turn_held_q, turn_ready_q, res_held_q, res_ready_q;
  reg        coef_write_q, coef_end_q, coef_read_q;
  reg        turn_write_q, turn_end_q, turn_read_q;
  reg        res_write_q, res_end_q, res_read_q;
  reg  [5:0] coef_q [0:1];  // scan, by columns, skip, log2
  reg  [2:0] turn_q [0:1];  // by columns, log2
  reg  [2:0] res_q [0:1];   // columns in the memory, log2

  // The pass under way.
  reg  [1:0]      pass_q;
  reg             page_q;
  reg             to_q;      // the page that it writes
  reg  [3:0]      block_q;   // scan, log2
  reg  [BEAT-1:0] beat_q;
  wire [1:0]      log2    = block_q[1:0];
  wire            two   = MaxTU != 8 && log2[1];
  wire            last    = two ? &beat_q : log2[0] ? &beat_q[2:0] : &beat_q[1:0];
  wire            ends    = pass_q != NONE && last;
  wire            begins  = pass_q == NONE || last;
  wire [5:0]      coef    = coef_q[coef_read_q];
  wire            room    = !res_held_q[res_write_q];
  wire            columns = coef_ready_q[coef_read_q];
  wire            rows    = turn_ready_q[turn_read_q] && room;
  reg  [1:0]      next;

  always @* begin
    next = NONE;
    if (begins) begin
      if (rows) next = ROWS;
      else if (columns && coef[2]) next = room && turn_held_q == 2'd0 ? SKIP : NONE;
      else if (columns && !turn_held_q[turn_write_q]) next = COLUMNS;
    end
  end

  wire from_coef = next == COLUMNS || next == SKIP;
  wire to_turn   = next == COLUMNS;
  wire to_res    = next == ROWS || next == SKIP;

  always @(posedge clk_i) begin
    if (rst_i) pass_q <= NONE;
    else if (begins) pass_q <= next;
  end

  always @(posedge clk_i) begin
    beat_q <= begins ? {BEAT{1'b0}} : beat_q + 1'b1;
    if (next != NONE) begin
      page_q  <= next == ROWS ? turn_read_q : coef_read_q;
      to_q    <= to_turn ? turn_write_q : res_write_q;
      block_q <= {coef[5:4], next == ROWS ? turn_q[turn_read_q][1:0] : coef[1:0]};
    end
    if (in_end_i) coef_q[coef_write_q] <= {in_scan_i, in_columns_i, in_skip_i, in_log2_i};
    if (to_turn) turn_q[turn_write_q] <= {coef[3], coef[1:0]};
    if (to_res) begin
      res_q[res_write_q] <= next == ROWS ? turn_q[turn_read_q] : {!coef[3], coef[1:0]};
    end
  end

  assign pass_o = pass_q;
  assign page_o = page_q;
  assign log2_o = log2;
  assign scan_o = block_q[3:2];

  generate
    if (MaxTU == 8) begin : gen_small
      assign line_o = beat_q;
      assign half_o = 1'b0;
    end else begin : gen_large
      assign line_o = two ? beat_q[4:1] : beat_q[3:0];
      assign half_o = two && beat_q[0];
    end
  endgenerate

  // Beats on their way: the last one of its pass, half, line, of a 4x4 block, page.
  reg  [2*Sums+1:0]        step_pass_q;
  reg  [(Sums+1)*STEP-1:0] step_q;
  wire [STEP-1:0]          step     = {ends, half_o, line_o, log2 == 2'd0, to_q};
  wire [STEP-1:0]          sum_step = step_q[STEP*(Sums-1) +: STEP];
  wire [STEP-1:0]          put_step = step_q[STEP*Sums +: STEP];
  wire                     sum_end  = sum_step[STEP-1];
  wire                     turn_end = sum_end && sum_pass_o == COLUMNS;
  wire                     res_end  = sum_end && sum_pass_o != COLUMNS && sum_pass_o != NONE;

  always @(posedge clk_i) begin
    if (rst_i) step_pass_q <= {(2 * Sums + 2) {1'b0}};
    else step_pass_q <= {step_pass_q[2*Sums-1:0], pass_q};
  end

  always @(posedge clk_i) step_q <= {step_q[STEP*Sums-1:0], step};

  assign sum_pass_o  = step_pass_q[2*Sums-2 +: 2];
  assign sum_small_o = sum_step[1];
  assign put_pass_o  = step_pass_q[2*Sums +: 2];
  assign put_page_o  = put_step[0];
  assign put_line_o  = put_step[2 +: SideBits];
  assign put_half_o  = put_step[STEP-2];

  wire unused = &{1'b0, put_step, sum_step};

  // Residuals out.
  reg             busy_q;
  reg  [2:0]      out_q;
  reg             out_page_q;
  reg  [WORD-1:0] word_q;
  wire            out_large  = MaxTU != 8 && out_q[1];
  wire            word_last  = out_large ? &word_q : out_q[0] ? &word_q[3:0] : &word_q[1:0];
  wire            out_begins = word_ready_i && (!busy_q || word_last);
  wire            out_next   = out_begins && res_ready_q[res_read_q];
  wire            out_ends   = word_ready_i && busy_q && word_last;

  always @(posedge clk_i) begin
    if (rst_i) busy_q <= 1'b0;
    else if (out_begins) busy_q <= out_next;
  end

  always @(posedge clk_i) begin
    if (out_next) begin
      out_page_q <= res_read_q;
      out_q      <= res_q[res_read_q];
    end
    if (word_ready_i) word_q <= out_begins ? {WORD{1'b0}} : word_q + 1'b1;
  end

  assign word_valid_o   = busy_q;
  assign word_page_o    = out_page_q;
  assign word_columns_o = out_q[2];

  generate
    if (MaxTU == 8) begin : gen_small_word
      assign word_line_o = out_q[0] ? word_q[3:1] : {1'b0, word_q[1:0]};
      assign word_part_o = out_q[0] ? word_q[0] : 1'b0;
    end else begin : gen_large_word
      assign word_line_o = out_q[1] ? word_q[5:2] : out_q[0] ? {1'b0, word_q[3:1]}
                                                  : {2'd0, word_q[1:0]};
      assign word_part_o = out_q[1] ? word_q[1:0] : out_q[0] ? {1'b0, word_q[0]} : 2'd0;
    end
  endgenerate

  // Flags of pages.
  wire [1:0] coef_free = {2{ends && pass_q != ROWS}} & {page_q, !page_q};
  wire [1:0] turn_free = {2{ends && pass_q == ROWS}} & {page_q, !page_q};
  wire [1:0] res_free  = {2{out_ends}} & {out_page_q, !out_page_q};

  assign in_ready_o = !coef_held_q[coef_write_q];
  assign in_page_o  = coef_write_q;

  always @(posedge clk_i) begin
    if (rst_i) begin
      {coef_held_q, coef_ready_q, turn_held_q, turn_ready_q, res_held_q, res_ready_q} <= 12'd0;
      {coef_write_q, coef_end_q, coef_read_q} <= 3'd0;
      {turn_write_q, turn_end_q, turn_read_q} <= 3'd0;
      {res_write_q, res_end_q, res_read_q} <= 3'd0;
    end else begin
      coef_held_q  <= coef_held_q & ~coef_free | {2{in_end_i}} & {coef_write_q, !coef_write_q};
      turn_held_q  <= turn_held_q & ~turn_free | {2{to_turn}} & {turn_write_q, !turn_write_q};
      res_held_q   <= res_held_q & ~res_free | {2{to_res}} & {res_write_q, !res_write_q};
      coef_ready_q <= coef_ready_q & ~({2{from_coef}} & {coef_read_q, !coef_read_q})
                    | {2{in_there_i}} & {coef_end_q, !coef_end_q};
      turn_ready_q <= turn_ready_q & ~({2{next == ROWS}} & {turn_read_q, !turn_read_q})
                    | {2{turn_end}} & {turn_end_q, !turn_end_q};
      res_ready_q  <= res_ready_q & ~({2{out_next}} & {res_read_q, !res_read_q})
                    | {2{res_end}} & {res_end_q, !res_end_q};
      coef_write_q <= coef_write_q ^ in_end_i;
      coef_end_q   <= coef_end_q ^ in_there_i;
      coef_read_q  <= coef_read_q ^ from_coef;
      turn_write_q <= turn_write_q ^ to_turn;
      turn_end_q   <= turn_end_q ^ turn_end;
      turn_read_q  <= turn_read_q ^ (next == ROWS);
      res_write_q  <= res_write_q ^ to_res;
      res_end_q    <= res_end_q ^ res_end;
      res_read_q   <= res_read_q ^ out_next;
    end
  end

endmodule

`default_nettype wire
