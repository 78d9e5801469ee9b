// Intra mode of a prediction block (H.265 clause 8.4.2), and scan of a transform block. The
// mode is a candidate, or what rem_intra_luma_pred_mode says: that is the mode less the
// candidates below it. With the candidates up to what it seems to be added, three times, it
// is the mode.
//
// Mirror:     t265/hwdec/parse.go
// Latency:    0
// Throughput: 1
// Storage:    0 bits

`default_nettype none

module t265_parse_mode (
  input  wire [5:0] left_i,      // modes of the neighbours
  input  wire [5:0] above_i,
  input  wire       probable_i,  // prev_intra_luma_pred_flag
  input  wire [4:0] value_i,     // mpm_idx or rem_intra_luma_pred_mode
  input  wire [5:0] guess_i,
  output wire [5:0] mode_o,
  input  wire [5:0] tu_mode_i,   // of a transform block
  input  wire       tu_large_i,  // above 8x8
  output wire [1:0] scan_o       // scanIdx
);

  localparam [5:0] PLANAR = 6'd0, DC = 6'd1, VERTICAL = 6'd26;

  wire       same    = left_i == above_i;
  wire       flat    = left_i[5:1] == 5'd0;
  wire [4:0] before  = left_i[4:0] + 5'd29;  // modulo 32, above 2
  wire [4:0] after   = left_i[4:0] - 5'd1;
  wire       planar  = left_i == PLANAR || above_i == PLANAR;
  wire       dc      = left_i == DC || above_i == DC;
  wire [5:0] third   = !planar ? PLANAR : !dc ? DC : VERTICAL;
  wire [5:0] cand0   = same && flat ? PLANAR : left_i;
  wire [5:0] cand1   = !same ? above_i : flat ? DC : {1'b0, before} + 6'd2;
  wire [5:0] cand2   = !same ? third : flat ? VERTICAL : {1'b0, after} + 6'd2;

  wire [1:0] below   = {1'b0, cand0 <= guess_i} + {1'b0, cand1 <= guess_i} +
                       {1'b0, cand2 <= guess_i};
  wire [5:0] cand    = value_i[1] ? cand2 : value_i[0] ? cand1 : cand0;

  assign mode_o = probable_i ? cand : {1'b0, value_i} + {4'd0, below};

  // Clause 7.4.9.11: vertical for modes near horizontal, and the other way round.
  wire across = tu_mode_i >= 6'd6 && tu_mode_i <= 6'd14;
  wire down   = tu_mode_i >= 6'd22 && tu_mode_i <= 6'd30;

  assign scan_o = {across, down} & {2{!tu_large_i}};

endmodule

`default_nettype wire
