// QpY of a coding unit from qPY_PRED and CuQpDeltaVal (H.265 clause 8.6.1).
//
// Mirror:     t265/hwdec/parse.go
// Latency:    0
// Throughput: 1
// Storage:    0 bits

`default_nettype none

module t265_parse_qp (
  input  wire [5:0] predicted_i,  // 0..51
  input  wire [4:0] delta_i,      // cu_qp_delta_abs, 0..26
  input  wire       minus_i,
  output wire [5:0] qp_o
);

  wire [6:0] less = {1'b0, predicted_i} - {2'b00, delta_i};
  wire [6:0] sum  = minus_i ? less : {1'b0, predicted_i} + {2'b00, delta_i};
  wire [5:0] wrap = minus_i ? (sum[6] ? 6'd52 : 6'd0) : sum > 7'd51 ? 6'd12 : 6'd0;  // 12 is -52

  assign qp_o = sum[5:0] + wrap;

endmodule

`default_nettype wire
