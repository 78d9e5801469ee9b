// What coding units derive contexts, modes and QPs from (H.265 clauses 8.4.2, 8.6.1 and
// 9.3.4.2.2): an entry for each row, of the unit on the left, and for each column, of
// the unit above. A unit replaces both. Modes are by four samples of the CTU, depths
// and QPs by eight.
//
// Mirror:     t265/hwdec/around.go
// Latency:    1 to update
// Throughput: 1 block a cycle
// Storage:    7 * MaxCTU bits, but 1
// Packing:    depth of column i of eight samples in word[2*i +: 2]

`default_nettype none

module t265_parse_around #(
  parameter MaxCTU = 64,  // largest CTU, 16, 32 or 64
  parameter XYBits = $clog2(MaxCTU) - 2  // bits of a place in units of four samples
) (
  input  wire                clk_i,
  input  wire                next_i,        // a CTU begins
  input  wire                left_i,        // it has one on the left
  input  wire                load_i,        // the word of its column is there
  input  wire                has_above_i,   // and counts
  input  wire [MaxCTU/4-1:0] above_i,
  output wire [MaxCTU/4-1:0] word_o,
  input  wire [XYBits-1:0]   x_i,           // a node
  input  wire [XYBits-1:0]   y_i,
  input  wire [1:0]          depth_i,
  input  wire [5:0]          qp_i,          // of the coding unit before it, or of a unit
  output wire [1:0]          split_inc_o,
  output wire [5:0]          predicted_o,   // qPY_PRED
  input  wire [XYBits-1:0]   mode_x_i,      // a prediction block
  input  wire [XYBits-1:0]   mode_y_i,
  output wire [5:0]          left_mode_o,
  output wire [5:0]          above_mode_o,
  input  wire                set_mode_i,
  input  wire [2:0]          mode_log2_i,   // of its size in units of four samples
  input  wire [5:0]          mode_i,
  input  wire                set_unit_i,    // depth_i and qp_i are those of the unit at unit_x_i
  input  wire [XYBits-1:0]   unit_x_i,
  input  wire [XYBits-1:0]   unit_y_i,
  input  wire [2:0]          unit_log2_i,   // of its size in units of four samples, 1..4
  input  wire [1:0]          unit_depth_i
);

  localparam FOURS  = MaxCTU / 4;
  localparam EIGHTS = MaxCTU / 8;

  localparam [5:0] DC_MODE = 6'd1;

  reg [6*FOURS-1:0]  left_mode_q;
  reg [6*FOURS-1:0]  above_mode_q;
  reg [2*EIGHTS-1:0] left_depth_q;
  reg [2*EIGHTS-1:0] above_depth_q;
  reg [6*EIGHTS-1:0] left_qp_q;
  reg [6*EIGHTS-1:0] above_qp_q;
  reg                left_q;

  // The entry of an index, as a sum of products.
  reg [5:0] left_mode, above_mode, left_qp, above_qp;
  reg [1:0] left_depth, above_depth;
  integer   i;

  always @* begin
    {left_mode, above_mode} = 12'd0;
    for (i = 0; i < FOURS; i = i + 1) begin
      left_mode  = left_mode | left_mode_q[6*i +: 6] & {6{mode_y_i == i[XYBits-1:0]}};
      above_mode = above_mode | above_mode_q[6*i +: 6] & {6{mode_x_i == i[XYBits-1:0]}};
    end
  end

  always @* begin
    {left_qp, above_qp, left_depth, above_depth} = 16'd0;
    for (i = 0; i < EIGHTS; i = i + 1) begin
      left_qp     = left_qp | left_qp_q[6*i +: 6] & {6{y_i[XYBits-1:1] == i[XYBits-2:0]}};
      above_qp    = above_qp | above_qp_q[6*i +: 6] & {6{x_i[XYBits-1:1] == i[XYBits-2:0]}};
      left_depth  = left_depth | left_depth_q[2*i +: 2] & {2{y_i[XYBits-1:1] == i[XYBits-2:0]}};
      above_depth = above_depth | above_depth_q[2*i +: 2] & {2{x_i[XYBits-1:1] == i[XYBits-2:0]}};
    end
  end

  wire [5:0] qp_left  = |x_i ? left_qp : qp_i;
  wire [5:0] qp_above = |y_i ? above_qp : qp_i;
  wire [6:0] qp_sum   = {1'b0, qp_left} + {1'b0, qp_above} + 7'd1;
  wire       unused   = &{1'b0, qp_sum[0]};

  assign word_o       = above_depth_q;
  assign split_inc_o  = {1'b0, left_depth > depth_i} + {1'b0, above_depth > depth_i};
  assign predicted_o  = qp_sum[6:1];
  assign left_mode_o  = |mode_x_i || left_q ? left_mode : DC_MODE;
  assign above_mode_o = |mode_y_i ? above_mode : DC_MODE;

  // Rows and columns of a block: the places that agree with it above its size.
  wire [XYBits-1:0] mode_mask = {XYBits{1'b1}} << mode_log2_i;
  wire [XYBits-1:0] unit_mask = {XYBits{1'b1}} << unit_log2_i;

  always @(posedge clk_i) begin
    if (next_i) left_q <= left_i;
    for (i = 0; i < FOURS; i = i + 1) begin
      if (set_mode_i && (i[XYBits-1:0] & mode_mask) == mode_y_i) left_mode_q[6*i +: 6] <= mode_i;
      if (set_mode_i && (i[XYBits-1:0] & mode_mask) == mode_x_i) above_mode_q[6*i +: 6] <= mode_i;
    end
    for (i = 0; i < EIGHTS; i = i + 1) begin
      if (set_unit_i && ({i[XYBits-2:0], 1'b0} & unit_mask) == unit_y_i) begin
        left_qp_q[6*i +: 6]    <= qp_i;
        left_depth_q[2*i +: 2] <= unit_depth_i;
      end
      if (set_unit_i && ({i[XYBits-2:0], 1'b0} & unit_mask) == unit_x_i) begin
        above_qp_q[6*i +: 6]    <= qp_i;
        above_depth_q[2*i +: 2] <= unit_depth_i;
      end
    end
    if (next_i && !left_i) left_depth_q <= {2 * EIGHTS{1'b0}};
    if (load_i) above_depth_q <= above_i & {2 * EIGHTS{has_above_i}};
  end

endmodule

`default_nettype wire
