// Sums of absolute differences of a macroblock from DC, vertical and horizontal
// prediction, beat by beat: selection, differences, sum of a beat, total. The owner
// enables the stages together.
//
// Mirror:     t264/hwenc/mode.go
// Latency:    4 from the last beat
// Throughput: 1 beat a cycle
// Storage:    about 40 * Values + 150 bits

`default_nettype none

module t264_sad #(
  parameter Values = 8  // samples a cycle, 4 or 8
) (
  input  wire                 clk_i,
  input  wire                 rst_i,
  input  wire                 enable_i,
  input  wire                 valid_i,
  input  wire                 last_i,   // of the macroblock
  input  wire [8*Values-1:0]  src_i,
  input  wire [31:0]          above_i,  // the four columns of the beat
  input  wire [2*Values-1:0]  left_i,   // its rows
  input  wire [7:0]           dc_i,
  output wire                 valid_o,
  output wire [15:0]          dc_o,
  output wire [15:0]          above_o,
  output wire [15:0]          left_o
);

  localparam SUM = Values == 4 ? 10 : 11;  // bits of the sum of a beat

  reg                 a_valid_q;
  reg                 a_last_q;
  reg  [8*Values-1:0] a_src_q;
  reg  [31:0]         a_above_q;
  reg  [2*Values-1:0] a_left_q;
  reg  [7:0]          a_dc_q;
  reg                 b_valid_q;
  reg                 b_last_q;
  wire [8*Values-1:0] b_dc_d;
  wire [8*Values-1:0] b_above_d;
  wire [8*Values-1:0] b_left_d;
  reg  [8*Values-1:0] b_dc_q;
  reg  [8*Values-1:0] b_above_q;
  reg  [8*Values-1:0] b_left_q;
  reg                 c_valid_q;
  reg                 c_last_q;
  reg  [SUM-1:0]      c_dc_d;
  reg  [SUM-1:0]      c_above_d;
  reg  [SUM-1:0]      c_left_d;
  reg  [SUM-1:0]      c_dc_q;
  reg  [SUM-1:0]      c_above_q;
  reg  [SUM-1:0]      c_left_q;
  reg                 fresh_q;  // the totals begin
  reg                 valid_q;
  reg  [15:0]         dc_q;
  reg  [15:0]         above_q;
  reg  [15:0]         left_q;
  wire [8*Values-1:0] left;

  genvar g;
  generate
    for (g = 0; g < Values; g = g + 1) begin : gen_left
      assign left[8*g +: 8] = a_left_q[8*(g/4) +: 8];
    end
  endgenerate

  t264_absdiff #(
    .Values(Values)
  ) u_dc (
    .a_i(a_src_q),
    .b_i({Values{a_dc_q}}),
    .d_o(b_dc_d)
  );

  t264_absdiff #(
    .Values(Values)
  ) u_above (
    .a_i(a_src_q),
    .b_i({Values / 4{a_above_q}}),
    .d_o(b_above_d)
  );

  t264_absdiff #(
    .Values(Values)
  ) u_left (
    .a_i(a_src_q),
    .b_i(left),
    .d_o(b_left_d)
  );

  integer i;

  always @* begin
    c_dc_d    = {SUM{1'b0}};
    c_above_d = {SUM{1'b0}};
    c_left_d  = {SUM{1'b0}};
    for (i = 0; i < Values; i = i + 1) begin
      c_dc_d    = c_dc_d + {{(SUM - 8) {1'b0}}, b_dc_q[8*i +: 8]};
      c_above_d = c_above_d + {{(SUM - 8) {1'b0}}, b_above_q[8*i +: 8]};
      c_left_d  = c_left_d + {{(SUM - 8) {1'b0}}, b_left_q[8*i +: 8]};
    end
  end

  assign valid_o = valid_q;
  assign dc_o    = dc_q;
  assign above_o = above_q;
  assign left_o  = left_q;

  always @(posedge clk_i) begin
    if (rst_i) begin
      a_valid_q <= 1'b0;
      b_valid_q <= 1'b0;
      c_valid_q <= 1'b0;
      valid_q   <= 1'b0;
    end else if (enable_i) begin
      a_valid_q <= valid_i;
      b_valid_q <= a_valid_q;
      c_valid_q <= b_valid_q;
      valid_q   <= c_valid_q && c_last_q;
    end
  end

  always @(posedge clk_i) begin
    if (enable_i) begin
      a_last_q  <= last_i;
      a_src_q   <= src_i;
      a_above_q <= above_i;
      a_left_q  <= left_i;
      a_dc_q    <= dc_i;
      b_last_q  <= a_last_q;
      b_dc_q    <= b_dc_d;
      b_above_q <= b_above_d;
      b_left_q  <= b_left_d;
      c_last_q  <= b_last_q;
      c_dc_q    <= c_dc_d;
      c_above_q <= c_above_d;
      c_left_q  <= c_left_d;
      // fresh_q has no reset: the first macroblock has no neighbours, and takes DC whatever
      // its totals.
      if (c_valid_q) begin
        fresh_q <= c_last_q;
        dc_q    <= (dc_q & ~{16{fresh_q}}) + {{(16 - SUM) {1'b0}}, c_dc_q};
        above_q <= (above_q & ~{16{fresh_q}}) + {{(16 - SUM) {1'b0}}, c_above_q};
        left_q  <= (left_q & ~{16{fresh_q}}) + {{(16 - SUM) {1'b0}}, c_left_q};
      end
    end
  end

endmodule

`default_nettype wire
