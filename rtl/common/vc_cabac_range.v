// Ranges of the two values of a context bin (H.265 clause 9.3.4.3.2): the range of
// the less probable one, and by how many bits it is renormalised, and that of the
// more probable one.
//
// Mirror:     internal/cabachw/enc.go
// Latency:    0
// Throughput: 1 bin a cycle
// Storage:    none

`default_nettype none

module vc_cabac_range (
  input  wire [5:0] state_i,  // pStateIdx
  input  wire [7:0] rng_i,    // the range is 256 more
  output wire [8:0] mps_o,
  output reg  [7:0] lps_o,
  output reg  [2:0] shift_o   // of lps_o
);

  wire [31:0] row;

  assign mps_o = {1'b1, rng_i} - {1'b0, lps_o};

  vc_cabac_lps u_lps (
    .state_i(state_i),
    .row_o  (row)
  );

  always @* begin
    case (rng_i[7:6])
      2'd0: lps_o = row[7:0];
      2'd1: lps_o = row[15:8];
      2'd2: lps_o = row[23:16];
      default: lps_o = row[31:24];
    endcase
  end

  always @* begin
    shift_o = 3'd7;
    if (lps_o[2]) shift_o = 3'd6;
    if (lps_o[3]) shift_o = 3'd5;
    if (lps_o[4]) shift_o = 3'd4;
    if (lps_o[5]) shift_o = 3'd3;
    if (lps_o[6]) shift_o = 3'd2;
    if (lps_o[7]) shift_o = 3'd1;
  end

endmodule

`default_nettype wire
