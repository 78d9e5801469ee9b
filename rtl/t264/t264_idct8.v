// Inverse 8x8 transform (clause 8.5.13): four coefficients of scan order a
// cycle in, columns of the residual before rounding out, four values a cycle,
// upper half first. Blocks may follow each other every 16 cycles.
//
// Mirror:     t264/hwdec/pixels.go
// Latency:    29
// Throughput: 4 values a cycle
// Storage:    2700 bits
// Packing:    value i in bits [16*i +: 16]

`default_nettype none

module t264_idct8 (
  input  wire        clk_i,
  input  wire        rst_i,
  input  wire        half_i,    // the lower half of a column leaves
  input  wire        start_i,   // the first four coefficients of a block
  input  wire        load_i,    // four coefficients
  input  wire [3:0]  group_i,   // scan positions 4*group_i on
  input  wire [63:0] coef_i,     // s16
  output reg  [63:0] column_o   // s16
);

  // The two halves of the transform of one dimension, all terms wrap at 16 bits:
  // b and a of the standard, then its sums.
  function [127:0] terms(input [127:0] v);
    reg signed [15:0] v0, v1, v2, v3, v4, v5, v6, v7, a0, a2, a4, a6, a1, a3, a5, a7;
    begin
      v0 = v[15:0];
      v1 = v[31:16];
      v2 = v[47:32];
      v3 = v[63:48];
      v4 = v[79:64];
      v5 = v[95:80];
      v6 = v[111:96];
      v7 = v[127:112];
      a0 = v0 + v4;
      a2 = v0 - v4;
      a4 = (v2 >>> 1) - v6;
      a6 = v2 + (v6 >>> 1);
      a1 = (v5 - v3) - (v7 + (v7 >>> 1));
      a3 = (v1 + v7) - (v3 + (v3 >>> 1));
      a5 = (v7 - v1) + (v5 + (v5 >>> 1));
      a7 = (v3 + v5) + (v1 + (v1 >>> 1));
      terms = {a7, a5, a3, a1, a0 - a6, a2 - a4, a2 + a4, a0 + a6};
    end
  endfunction

  function [127:0] sums(input [127:0] v);
    reg signed [15:0] b0, b2, b4, b6, a1, a3, a5, a7, b1, b3, b5, b7;
    begin
      b0 = v[15:0];
      b2 = v[31:16];
      b4 = v[47:32];
      b6 = v[63:48];
      a1 = v[79:64];
      a3 = v[95:80];
      a5 = v[111:96];
      a7 = v[127:112];
      b1 = a1 + (a7 >>> 2);
      b7 = a7 - (a1 >>> 2);
      b3 = a3 + (a5 >>> 2);
      b5 = (a3 >>> 2) - a5;
      sums = {b0 - b7, b2 - b5, b4 - b3, b6 - b1, b6 + b1, b4 + b3, b2 + b5, b0 + b7};
    end
  endfunction

  // Coefficients by row and column, in the order of arrival.
  wire [1023:0] load_d;
  wire [63:0]   write;
  reg  [1023:0] load_q;  // that of row y and column x at 16*(8*y + x)

  t264_place8 u_scan (
    .load_i (load_i),
    .group_i(group_i),
    .coef_i (coef_i),
    .write_o(write),
    .coef_o (load_d)
  );

  integer i;

  always @(posedge clk_i) begin
    for (i = 0; i < 64; i = i + 1) begin
      if (write[i]) load_q[16*i +: 16] <= load_d[16*i +: 16];
    end
  end

  // A row every other cycle, from the ninth cycle after the start: before that
  // its coefficients are not there, after that those of the next block arrive.
  reg  [7:0]   start_q;
  reg          row_on_q;
  reg  [3:0]   row_q;
  reg          shift1_q;
  reg          shift2_q;   // a row enters the transposition
  reg          last1_q;
  reg          last2_q;
  reg          leave_on_q;
  reg  [3:0]   leave_q;
  reg          side_q;     // rows enter along rows or columns
  reg  [127:0] line_q;
  reg  [127:0] term_q;

  always @(posedge clk_i) begin
    // Without a reset these run out within 26 cycles, before the first rows.
    start_q    <= {start_q[6:0], start_i};
    row_on_q   <= start_q[7] || row_on_q && row_q[3:1] != 3'd7;
    row_q      <= start_q[7] ? 4'd0 : row_q + 4'd1;
    shift1_q   <= row_on_q && !row_q[0];
    shift2_q   <= shift1_q;
    last1_q    <= row_on_q && row_q == 4'd14;
    last2_q    <= last1_q;
    leave_on_q <= last2_q || leave_on_q && leave_q[3:1] != 3'd7;
    leave_q    <= last2_q ? 4'd0 : leave_q + 4'd1;
    side_q     <= rst_i ? 1'b0 : side_q ^ last2_q;
  end

  always @(posedge clk_i) begin
    line_q <= load_q[128*row_q[3:1] +: 128];
    term_q <= terms(line_q);
  end

  // The transposition shifts towards index 7, along rows or along columns.
  reg  [1023:0] cell_q;  // that of row r and column c at 16*(8*r + c)
  wire [127:0]  sum = sums(term_q);
  wire          shift = shift2_q || leave_on_q && leave_q[0];
  reg  [127:0]  enter;
  reg  [127:0]  out;
  reg  [127:0]  out_q;
  reg  [127:0]  column_q;
  wire [127:0]  column = sums(column_q);

  always @* begin
    for (i = 0; i < 8; i = i + 1) begin
      enter[16*i +: 16] = sum[16*(7 - i) +: 16];
      out[16*i +: 16]   = side_q ? cell_q[128*(7 - i) + 112 +: 16] : cell_q[896 + 16*(7 - i) +: 16];
    end
  end

  always @(posedge clk_i) begin
    if (shift) begin
      for (i = 0; i < 8; i = i + 1) begin
        if (side_q) cell_q[128*i +: 128] <= {cell_q[128*i +: 112], enter[16*i +: 16]};
      end
      if (!side_q) cell_q <= {cell_q[895:0], enter};
    end
    out_q    <= out;
    column_q <= terms(out_q);
    column_o <= half_i ? column[127:64] : column[63:0];
  end

endmodule

`default_nettype wire
