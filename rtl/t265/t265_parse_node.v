// The node of a decoder lane, of the coding quadtree or of a transform tree, by its first
// 4x4 block in z-order in the CTU (H.265 clauses 7.3.8.4 and 7.3.8.8). The one behind it
// is as large as its place allows: the first one of a coding unit, or one of the same
// transform tree.
//
// Mirror:     t265/hwdec/parse.go
// Latency:    1
// Throughput: 1 node a cycle
// Storage:    2 * XYBits + 6 bits

`default_nettype none

module t265_parse_node #(
  parameter MaxCTU = 64,  // largest CTU, 16, 32 or 64
  parameter XYBits = $clog2(MaxCTU) - 2  // bits of a place in units of four samples
) (
  input  wire              clk_i,
  input  wire [1:0]        ctb_i,      // log2 of the size of a CTU, less 4
  input  wire              start_i,    // a CTU begins
  input  wire              quarter_i,  // on to the first quarter
  input  wire              unit_i,     // the node is a coding unit, or lies outside
  input  wire              next_i,     // on to the node behind it
  input  wire              four_i,     // PART_NxN
  input  wire [1:0]        b_i,        // prediction block
  input  wire [3:0]        right_i,    // what the picture has of the CTU, in eight samples
  input  wire [3:0]        bottom_i,
  output wire [2:0]        log2_o,     // of the size of the node, 2..6
  output wire [2:0]        unit_o,     // of that of the coding unit
  output wire [XYBits-1:0] x_o,        // the node, in units of four samples
  output wire [XYBits-1:0] y_o,
  output wire [XYBits-1:0] unit_x_o,   // the coding unit
  output wire [XYBits-1:0] unit_y_o,
  output wire [XYBits-1:0] part_x_o,   // the prediction block
  output wire [XYBits-1:0] part_y_o,
  output wire [1:0]        quarter_o,  // of the coding unit, that the node lies in
  output wire              outside_o,  // of the picture
  output wire              cut_o,      // by the end of the picture
  output wire              unit_end_o, // the node ends the coding unit
  output wire              ctu_end_o   // and the CTU
);

  localparam Z_BITS = 2 * XYBits;

  reg [Z_BITS-1:0] z_q;
  reg [2:0]       log2_q;
  reg [2:0]       unit_q;

  // Sizes in 4x4 blocks; one as large as the largest CTU is 0.
  wire [Z_BITS-1:0] one       = {{(Z_BITS - 1) {1'b0}}, 1'b1};
  wire [3:0]       shift     = {log2_q - 3'd2, 1'b0};
  wire [Z_BITS-1:0] z_next    = z_q + (one << shift);
  wire [Z_BITS-1:0] unit_low  = ~({Z_BITS{1'b1}} << {unit_q - 3'd2, 1'b0});
  wire [Z_BITS-1:0] ctb_low   = ~({Z_BITS{1'b1}} << {{1'b0, ctb_i} + 3'd2, 1'b0});
  wire [Z_BITS-1:0] unit_z    = z_q & ~unit_low;
  wire [3:0]       part_at   = {unit_q - 3'd3, 1'b0};
  wire [Z_BITS-1:0] quarter   = {{(Z_BITS - 2) {1'b0}}, b_i & {2{four_i}}};
  wire [Z_BITS-1:0] part_z    = z_q | quarter << part_at;
  wire [Z_BITS-1:0] part      = z_q >> part_at;
  wire             unused    = &{1'b0, part[Z_BITS-1:2]};
  reg  [2:0]       log2_next;
  integer          i;

  always @* begin
    log2_next = 3'd2;
    for (i = XYBits - 1; i > 0; i = i - 1) begin
      if (z_next[2*i +: 2] != 2'd0) log2_next = i[2:0] + 3'd2;
    end
    if (z_next[1:0] != 2'd0) log2_next = 3'd2;
  end

  genvar j;
  generate
    for (j = 0; j < XYBits; j = j + 1) begin : gen_bit
      assign {y_o[j], x_o[j]}           = z_q[2*j +: 2];
      assign {unit_y_o[j], unit_x_o[j]} = unit_z[2*j +: 2];
      assign {part_y_o[j], part_x_o[j]} = part_z[2*j +: 2];
    end
  endgenerate

  // In units of eight samples.
  wire [3:0] size = 4'd1 << (log2_q - 3'd3);
  wire [3:0] x8   = {{(5 - XYBits) {1'b0}}, x_o[XYBits-1:1]};
  wire [3:0] y8   = {{(5 - XYBits) {1'b0}}, y_o[XYBits-1:1]};

  assign log2_o     = log2_q;
  assign unit_o     = unit_q;
  assign quarter_o  = part[1:0];
  assign outside_o  = x8 >= right_i || y8 >= bottom_i;
  assign cut_o      = {1'b0, x8} + {1'b0, size} > {1'b0, right_i} ||
                      {1'b0, y8} + {1'b0, size} > {1'b0, bottom_i};
  assign unit_end_o = (z_next & unit_low) == {Z_BITS{1'b0}};
  assign ctu_end_o  = (z_next & ctb_low) == {Z_BITS{1'b0}};

  always @(posedge clk_i) begin
    if (start_i) begin
      z_q    <= {Z_BITS{1'b0}};
      log2_q <= {1'b1, ctb_i};
    end else if (next_i) begin
      z_q    <= z_next;
      log2_q <= log2_next;
    end else if (quarter_i) begin
      log2_q <= log2_q - 3'd1;
    end
    if (unit_i) unit_q <= log2_q;
  end

endmodule

`default_nettype wire
