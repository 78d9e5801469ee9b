// Inverse 4x4 transform (clause 8.5.12.2), or the Hadamard transform of DC
// levels (8.5.10), which is the same without its halvings: rows of coefficients
// in phases 0 to 3, columns of the residual before rounding a slot later.
//
// Mirror:     t264/hwdec/pixels.go
// Latency:    5
// Throughput: 4 values a cycle
// Storage:    360 bits
// Packing:    value i in bits [18*i +: 18]

`default_nettype none

module t264_idct4 (
  input  wire        clk_i,
  input  wire        slot_i,      // parity of the slot: rows enter along rows or columns
  input  wire        hadamard_i,  // of the block that enters
  input  wire [71:0] row_i,       // columns 0 to 3, s18
  input  wire        hadamard2_i, // of the block that leaves
  output reg  [71:0] column_o     // rows 0 to 3, s18, from phase 1 on
);

  // One dimension: equations 8-338 to 8-345, all terms wrap at 18 bits.
  function [71:0] inverse(input [71:0] v, input hadamard);
    reg signed [17:0] a, b, c, d, e0, e1, o0, o1, hb, hd;
    begin
      a  = v[17:0];
      b  = v[35:18];
      c  = v[53:36];
      d  = v[71:54];
      hb = hadamard ? b : b >>> 1;
      hd = hadamard ? d : d >>> 1;
      e0 = a + c;
      e1 = a - c;
      o0 = hb - d;
      o1 = b + hd;
      inverse = {e0 - o1, e1 - o0, e1 + o0, e0 + o1};
    end
  endfunction

  // The transposition shifts towards index 3, along rows or along columns.
  reg  [287:0] cell_q;  // that of row r and column c at 18*(4*r + c)
  wire [71:0]  first = inverse(row_i, hadamard_i);
  wire [71:0]  down  = cell_q[287:216];
  wire [71:0]  right = {cell_q[270 +: 18], cell_q[198 +: 18], cell_q[126 +: 18], cell_q[54 +: 18]};
  wire [71:0]  out   = slot_i ? right : down;
  wire [71:0]  turned = {out[17:0], out[35:18], out[53:36], out[71:54]};
  wire [71:0]  enter = {first[17:0], first[35:18], first[53:36], first[71:54]};
  integer      r;

  always @(posedge clk_i) begin
    for (r = 0; r < 4; r = r + 1) begin
      if (slot_i) cell_q[72*r +: 72] <= {cell_q[72*r +: 54], enter[18*r +: 18]};
    end
    if (!slot_i) cell_q <= {cell_q[215:0], enter};
    column_o <= inverse(turned, hadamard2_i);
  end

endmodule

`default_nettype wire
