// Intra mode decision of the encoder (package t265, mode) while the source samples go
// by into a queue: the Hadamard coefficients of the source, less those of DC, planar,
// vertical and horizontal prediction, which the samples above and on the left give.
//
// Source beats are rows of tiles of 8x8 samples. A tile is transformed by rows, turned,
// and transformed by columns; beat k of what comes out has the coefficients of horizontal
// frequency k. All samples have 128 subtracted. Words: REF in, CHOSEN out
// (gen/t265_enc_words.vh).
//
// Mirror:     t265/hwenc/mode.go
// Latency:    14 from the last source beat
// Throughput: 1 beat a cycle
// Storage:    64 words of 11 bits, 3 borders of 16 + 16 samples, a column of samples by thread

`default_nettype none
`include "t265_enc_words.vh"

module t265_mode #(
  parameter Threads    = 4,   // frames in flight
  parameter FrameCTUs  = 64,  // widest frame in CTUs, 2..256
  parameter ThreadBits = Threads > 1 ? $clog2(Threads) : 1,  // bits of a thread number
  parameter XBits      = $clog2(FrameCTUs)                   // bits of the column of a CTU
) (
  input  wire                         clk_i,
  input  wire                         rst_i,
  input  wire                         ref_valid_i,
  output wire                         ref_ready_o,
  input  wire [`T265_REF_BITS-1:0]    ref_data_i,
  input  wire                         src_valid_i,
  output wire                         src_ready_o,
  input  wire [63:0]                  src_data_i,
  input  wire                         room_i,  // for the beat, which the queue takes as it comes
  output wire                         out_valid_o,
  input  wire                         out_ready_i,
  output wire [`T265_CHOSEN_BITS-1:0] out_data_o
);

  localparam       ADDR     = $clog2(2 * Threads);  // bits of an address of columns
  localparam [2:0] PREPARED = 3'd7;

  integer i;

  // The border of the CTU whose samples come next: read the column on the left, add up
  // its samples and those above.
  reg  [2:0]   prepare_q;
  reg  [127:0] left_q;
  reg  [12:0]  sum_q;
  reg  [63:0]  part;
  reg  [10:0]  part_sum;
  reg  [4:0]   at_q;  // beats that have come
  wire [63:0]  column;

  reg  [`T265_CHOSEN_MODE_AT-1:0] cur_q;  // the CTU of which tile turned_q is
  reg  [1:0]                      turned_q;
  reg                             begin_q;
  reg                             last_q;
  reg                             out_valid_q;

  wire         ref_left  = ref_data_i[`T265_REF_LEFT];
  wire       ref_above = ref_data_i[`T265_REF_ABOVE];
  wire [7:0] fill      = ref_above ? ref_data_i[`T265_REF_ROW_AT +: 8] : 8'd128;
  wire       coming    = at_q != 5'd0 && cur_q[`T265_CHOSEN_THREAD] == ref_data_i[`T265_REF_THREAD];
  wire       reads     = prepare_q == 3'd0 && ref_valid_i && !coming;
  wire       enable    = !last_q || !out_valid_q || out_ready_i;
  wire       load      = ref_valid_i && ref_ready_o;
  wire [127:0] row     = ref_above ? ref_data_i[`T265_REF_ROW_AT +: 128] : {16{left_q[7:0]}};

  wire [ThreadBits:0] read_at  = {ref_data_i[`T265_REF_THREAD], prepare_q[0]};
  wire [ThreadBits:0] write_at = {cur_q[`T265_CHOSEN_THREAD], at_q[4]};

  assign ref_ready_o = begin_q && turned_q == 2'd0 && enable;

  always @* begin
    case (prepare_q[1:0])
      2'd3: part = row[63:0];
      2'd0: part = row[127:64];
      2'd1: part = left_q[63:0];
      default: part = left_q[127:64];
    endcase
    part_sum = 11'd0;
    for (i = 0; i < 8; i = i + 1) part_sum = part_sum + {3'd0, part[8*i +: 8]};
  end

  always @(posedge clk_i) begin
    if (rst_i) prepare_q <= 3'd0;
    else if (reads || load || prepare_q != 3'd0 && prepare_q != PREPARED)
      prepare_q <= prepare_q + 1'b1;
  end

  always @(posedge clk_i) begin
    if (prepare_q == 3'd1) left_q[63:0] <= ref_left ? column : {8{fill}};
    if (prepare_q == 3'd2) left_q[127:64] <= ref_left ? column : {8{fill}};
    if (prepare_q == 3'd2) sum_q <= 13'd16;
    else if (prepare_q != PREPARED) sum_q <= sum_q + {2'd0, part_sum};
  end

  // Source beats into the turning memory, their last samples into the columns.
  reg  [2:0]  step_q;
  reg         fills_q;
  reg         full_q;
  reg         turn_q;
  reg  [55:0] samples_q;
  wire [87:0] across;
  wire [87:0] turned;

  wire         take  = src_valid_i && src_ready_o;
  wire         fills = step_q == 3'd0 ? take : fills_q;
  wire         shift = fills ? take : full_q && enable;
  wire         ends  = shift && step_q == 3'd7;

  assign src_ready_o = room_i && enable && (prepare_q == PREPARED || at_q[4:3] != 2'd0) &&
                       (step_q == 3'd0 || fills_q);

  always @(posedge clk_i) begin
    if (rst_i) begin
      at_q    <= 5'd0;
      step_q  <= 3'd0;
      fills_q <= 1'b0;
      full_q  <= 1'b0;
      turn_q  <= 1'b0;
    end else begin
      if (take) at_q <= at_q + 1'b1;
      if (shift) begin
        step_q  <= step_q + 1'b1;
        fills_q <= fills;
      end
      if (ends) begin
        full_q <= fills;
        turn_q <= !turn_q;
      end
    end
  end

  always @(posedge clk_i) begin
    if (take) samples_q <= {src_data_i[63:56], samples_q[55:8]};
    if (ends) turned_q <= at_q[4:3];
  end

  vc_ram_1r1w #(
    .Width(64),
    .Depth(2 * Threads)
  ) u_columns (
    .clk_i  (clk_i),
    .we_i   (take && (&at_q[3:0])),
    .waddr_i(write_at[ADDR-1:0]),
    .wdata_i({src_data_i[63:56], samples_q}),
    .re_i   (reads || prepare_q == 3'd1),
    .raddr_i(read_at[ADDR-1:0]),
    .rdata_o(column)
  );

  t265_hadamard8 #(
    .Width(8)
  ) u_rows (
    .in_i (src_data_i ^ {8{8'h80}}),
    .out_o(across)
  );

  t265_turn #(
    .Width(11)
  ) u_turn (
    .clk_i  (clk_i),
    .shift_i(shift),
    .turn_i (turn_q),
    .in_i   (across),
    .out_o  (turned)
  );

  // Coefficients of the source, and beside them those of the border of the tile.
  reg  [111:0] coef_q;
  reg          coef_valid_q;
  reg  [2:0]   k_q;
  reg          first_q;  // of the CTU
  reg  [1:0]   tile_q;
  reg  [4:0]   threshold_q;
  reg  [87:0]  above_q;  // the next one lowest
  reg  [87:0]  side_q;
  wire [111:0] coef;
  wire [87:0]  above;
  wire [87:0]  side;

  wire [63:0] tile_above = turned_q == 2'd0 ? row[63:0] :
                           cur_q[`T265_CHOSEN_ROW_AT + (turned_q[0] ? 64 : 0) +: 64];
  wire [63:0] tile_side  = turned_q == 2'd0 ? left_q[63:0] :
                           cur_q[`T265_CHOSEN_SIDE_AT + 64 +: 64];

  t265_hadamard8 #(
    .Width(11)
  ) u_columns8 (
    .in_i (turned),
    .out_o(coef)
  );

  t265_hadamard8 #(
    .Width(8)
  ) u_above (
    .in_i (tile_above ^ {8{8'h80}}),
    .out_o(above)
  );

  t265_hadamard8 #(
    .Width(8)
  ) u_side (
    .in_i (tile_side ^ {8{8'h80}}),
    .out_o(side)
  );

  wire [12:0] third = {7'd0, ref_data_i[`T265_REF_QP]} + 13'd2;
  wire [12:0] times = third + (third << 1) + (third << 3) + (third << 5);  // 43 of 128 are a third

  wire unused = &{1'b0, times[12], times[6:0]};

  always @(posedge clk_i) begin
    if (rst_i) begin
      begin_q      <= 1'b0;
      coef_valid_q <= 1'b0;
      last_q       <= 1'b0;
    end else if (enable) begin
      begin_q      <= ends && fills;
      coef_valid_q <= shift && full_q;
      last_q       <= shift && full_q && step_q == 3'd7 && turned_q == 2'd3;
    end
  end

  always @(posedge clk_i) begin
    if (shift) begin
      coef_q  <= coef;
      k_q     <= step_q;
      first_q <= step_q == 3'd0 && turned_q == 2'd0;
    end
    if (begin_q && enable) begin
      above_q <= above;
      tile_q  <= turned_q;
      if (!turned_q[0]) side_q <= side;
    end else if (coef_valid_q && enable) begin
      above_q[76:0] <= above_q[87:11];
    end
    if (load) begin
      cur_q                              <= {sum_q[12:5], left_q, ref_data_i};
      cur_q[`T265_CHOSEN_ROW_AT +: 128]  <= row;
      threshold_q                        <= times[11:7];
    end
  end

  // The decision, for which the job waits.
  reg  [`T265_CHOSEN_MODE_AT-1:0] out_q;
  reg  [1:0]                      mode_q;
  wire                            decided;
  wire [1:0]                      mode;

  assign out_valid_o = out_valid_q;
  assign out_data_o  = {mode_q, out_q};

  t265_mode_sums u_sums (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .valid_i    (coef_valid_q && enable),
    .first_i    (first_q),
    .last_i     (last_q),
    .k_i        (k_q),
    .tile_i     (tile_q),
    .threshold_i(threshold_q),
    .coef_i     (coef_q),
    .above_i    (above_q[10:0]),
    .side_i     (side_q),
    .bottom_i   (cur_q[`T265_CHOSEN_SIDE_AT + 120 +: 8]),
    .right_i    (cur_q[`T265_CHOSEN_ROW_AT + 120 +: 8]),
    .dc_i       (cur_q[`T265_CHOSEN_DC]),
    .valid_o    (decided),
    .mode_o     (mode)
  );

  always @(posedge clk_i) begin
    if (rst_i) out_valid_q <= 1'b0;
    else out_valid_q <= decided || out_valid_q && !out_ready_i;
  end

  always @(posedge clk_i) begin
    if (last_q && enable) out_q <= cur_q;
    if (decided) mode_q <= mode;
  end

endmodule

`default_nettype wire
