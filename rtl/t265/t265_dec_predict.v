// Prediction of the decoder (clause 8.4.4.2): reference samples of blocks in, four
// predicted samples a word out, by rows, or by columns in modes 2 to 17. Blocks keep their
// order.
//
// References of a block go into a page of t265_dec_line while those of the block before
// are read from the other one. A word of the prediction is read, turned to its place and
// interpolated, in three stages that move together.
//
// Words: DEC_REF in (gen/t265_dec_words.vh).
//
// Mirror:     t265/hwdec/predict.go
// Latency:    from the first beat to the first samples 6 for 4x4, 8 for 8x8, 12 for 16x16,
//             20 for 32x32, 37 with strong smoothing
// Throughput: 4 samples a cycle
// Storage:    32 * MaxTU bits of latches, 491 bits of flip-flops

`default_nettype none
`include "t265_dec_words.vh"

module t265_dec_predict #(
  parameter MaxTU = 16,  // largest block, 8, 16 or 32
  parameter Modes = 35   // 35, or 4: planar, DC, horizontal and vertical
) (
  input  wire                          clk_i,
  input  wire                          rst_i,
  input  wire                          in_valid_i,
  output wire                          in_ready_o,
  input  wire [`T265_DEC_REF_BITS-1:0] in_data_i,
  output wire                          out_valid_o,
  input  wire                          out_ready_i,
  output wire [31:0]                   out_data_o
);

  generate
    if (MaxTU != 8 && MaxTU != 16 && MaxTU != 32) begin : gen_illegal_max_tu
      illegal_MaxTU_is_not_8_16_or_32 u_illegal ();
    end
    if (Modes != 35 && Modes != 4) begin : gen_illegal_modes
      illegal_Modes_is_neither_35_nor_4 u_illegal ();
    end
  endgenerate

  localparam SIZE = $clog2(MaxTU);         // log2 of the largest block
  localparam FRAC = MaxTU == 32 ? 6 : 5;   // bits of the fraction of a place in the line
  localparam POS  = SIZE + 1 + FRAC;       // bits of a place
  localparam ADDR = SIZE - 2;              // bits of the address of a word in a bank

  // References.
  reg                waits_q;  // no word of the block that came last is read yet
  wire               complete;
  wire               leave;
  wire               last;
  wire [1:0]         in_log2;
  wire               in_planar;
  wire               in_dc;
  wire               in_straight;
  wire               in_negative;
  wire [5:0]         in_angle;
  wire               in_ends;
  wire [7:0]         in_main_end;
  wire [7:0]         in_side_end;
  wire [MaxTU/2-1:0] words;
  wire [MaxTU-1:0]   bytes;
  wire [31:0]        main;
  wire [31:0]        side;
  wire               odd;
  wire [1:0]         upper;

  t265_dec_smooth #(
    .MaxTU(MaxTU),
    .Modes(Modes)
  ) u_smooth (
    .clk_i     (clk_i),
    .rst_i     (rst_i),
    .in_valid_i(in_valid_i),
    .in_ready_o(in_ready_o),
    .in_data_i (in_data_i),
    .room_i    (!waits_q),
    .complete_o(complete),
    .leave_o   (leave),
    .last_o    (last),
    .log2_o    (in_log2),
    .planar_o  (in_planar),
    .dc_o      (in_dc),
    .straight_o(in_straight),
    .negative_o(in_negative),
    .angle_o   (in_angle),
    .ends_o    (in_ends),
    .main_end_o(in_main_end),
    .side_end_o(in_side_end),
    .words_o   (words),
    .bytes_o   (bytes),
    .main_o    (main),
    .side_o    (side),
    .odd_o     (odd),
    .upper_o   (upper)
  );

  // The block that waits: what a row adds to the place in the line, where that counts, and
  // the ends.
  wire [POS-1:0] size     = {{(POS - FRAC) {1'b0}}, 1'b1, {(FRAC - 1) {1'b0}}};
  wire [POS-1:0] magnitude = {{(POS - 6) {1'b0}}, in_angle} << (FRAC - 5);
  wire [POS-1:0] in_step  = in_planar ? size >> ({1'b0, in_log2} + 3'd2) :
                            in_negative ? {POS{1'b0}} - magnitude : magnitude;
  reg            fill_q;      // the page that is next to be filled
  reg  [1:0]     next_log2_q;
  reg            next_planar_q;
  reg            next_dc_q;
  reg            next_straight_q;
  reg  [POS-1:0] next_step_q;
  reg  [7:0]     next_main_end_q;
  reg  [7:0]     next_side_end_q;

  always @(posedge clk_i) begin
    if (leave) begin
      next_log2_q     <= in_log2;
      next_planar_q   <= in_planar;
      next_dc_q       <= in_dc;
      next_straight_q <= in_straight;
      next_step_q     <= in_step;
    end
    if (in_ends) begin
      next_main_end_q <= in_main_end;
      next_side_end_q <= in_side_end;
    end
  end

  // The block that is read.
  reg             busy_q;
  reg             page_q;
  reg  [1:0]      log2_q;
  reg             planar_q;
  reg             dc_q;
  reg             straight_q;
  reg  [POS-1:0]  step_q;
  reg  [POS-1:0]  place_q;  // of the first sample of the row
  reg  [SIZE-1:0] row_q;
  reg  [ADDR-1:0] part_q;   // word of the row
  wire            step;     // words move on

  wire [SIZE-1:0] rows      = ~({{ADDR{1'b1}}, 2'd0} << log2_q);  // the last one
  wire [ADDR-1:0] parts     = rows[SIZE-1:2];
  wire            part_last = part_q == parts;
  wire            row_last  = row_q == rows;
  wire            top       = row_q == {SIZE{1'b0}};
  wire            first     = part_q == {ADDR{1'b0}};
  wire            reads     = step && busy_q;
  wire            ends      = reads && part_last && row_last;
  wire            start     = waits_q && (!busy_q || ends);

  always @(posedge clk_i) begin
    if (rst_i) begin
      waits_q <= 1'b0;
      busy_q  <= 1'b0;
      fill_q  <= 1'b0;
      page_q  <= 1'b1;
    end else begin
      if (complete) waits_q <= 1'b1;
      else if (reads && top && first) waits_q <= 1'b0;
      if (start) busy_q <= 1'b1;
      else if (ends) busy_q <= 1'b0;
      fill_q <= fill_q ^ last;
      page_q <= page_q ^ start;
    end
  end

  always @(posedge clk_i) begin
    if (start) begin
      log2_q     <= next_log2_q;
      planar_q   <= next_planar_q;
      dc_q       <= next_dc_q;
      straight_q <= next_straight_q;
      step_q     <= next_step_q;
      place_q    <= next_step_q;
      row_q      <= {SIZE{1'b0}};
      part_q     <= {ADDR{1'b0}};
    end else if (reads) begin
      part_q <= part_last ? {ADDR{1'b0}} : part_q + 1'b1;
      if (part_last) begin
        row_q   <= row_q + 1'b1;
        place_q <= place_q + step_q;
      end
    end
  end

  // Words of the line.
  wire            aligned = Modes == 4 || planar_q || dc_q || straight_q;
  wire [SIZE-2:0] word    = place_q[POS-1:FRAC+2] + {1'b0, part_q};
  wire [ADDR-1:0] behind  = word[SIZE-2:1] + {{(ADDR - 1) {1'b0}}, word[0]};
  wire [31:0]     even_word;
  wire [31:0]     odd_word;

  t265_dec_line #(
    .MaxTU(MaxTU),
    .Modes(Modes)
  ) u_line (
    .clk_i       (clk_i),
    .wpage_i     (fill_q),
    .words_i     (words),
    .bytes_i     (bytes),
    .main_i      (main),
    .side_i      (side),
    .odd_i       (odd),
    .upper_i     (upper),
    .rpage_i     (page_q),
    .raddr_even_i(aligned ? part_q : behind),
    .raddr_odd_i (aligned ? row_q[SIZE-1:2] : word[SIZE-2:1]),
    .even_o      (even_word),
    .odd_o       (odd_word)
  );

  // What is read.
  reg            read_valid_q;
  reg [31:0]     even_q;
  reg [31:0]     odd_q;
  reg [2:0]      from_q;
  reg [1:0]      lane_q;
  reg            read_planar_q;
  reg            read_dc_q;
  reg            read_straight_q;
  reg [1:0]      read_log2_q;
  reg            read_top_q;
  reg            read_first_q;
  reg [ADDR-1:0] rest_q;
  reg [FRAC-1:0] frac_q;
  reg [7:0]      main_end_q;
  reg [7:0]      side_end_q;
  reg            turned_valid_q;
  reg            out_valid_q;

  always @(posedge clk_i) begin
    if (reads) begin
      even_q          <= even_word;
      odd_q           <= odd_word;
      from_q          <= aligned ? 3'd0 : {word[0], place_q[FRAC+1:FRAC]};
      lane_q          <= row_q[1:0];
      read_planar_q   <= planar_q;
      read_dc_q       <= dc_q;
      read_straight_q <= straight_q;
      read_log2_q     <= log2_q;
      read_top_q      <= top;
      read_first_q    <= first;
      rest_q          <= parts - part_q;
      frac_q          <= place_q[FRAC-1:0];
    end
    if (reads && top && first) begin
      main_end_q <= next_main_end_q;
      side_end_q <= next_side_end_q;
    end
  end

  t265_dec_intra #(
    .MaxTU(MaxTU),
    .Modes(Modes)
  ) u_intra (
    .clk_i     (clk_i),
    .step_i    (step),
    .even_i    (even_q),
    .odd_i     (odd_q),
    .from_i    (from_q),
    .lane_i    (lane_q),
    .planar_i  (read_planar_q),
    .dc_i      (read_dc_q),
    .straight_i(read_straight_q),
    .log2_i    (read_log2_q),
    .top_i     (read_top_q),
    .first_i   (read_first_q),
    .rest_i    (rest_q),
    .frac_i    (frac_q),
    .main_end_i(main_end_q),
    .side_end_i(side_end_q),
    .pred_o    (out_data_o)
  );

  assign step        = !out_valid_q || out_ready_i;
  assign out_valid_o = out_valid_q;

  always @(posedge clk_i) begin
    if (rst_i) begin
      read_valid_q   <= 1'b0;
      turned_valid_q <= 1'b0;
      out_valid_q    <= 1'b0;
    end else if (step) begin
      read_valid_q   <= busy_q;
      turned_valid_q <= read_valid_q;
      out_valid_q    <= turned_valid_q;
    end
  end

endmodule

`default_nettype wire
