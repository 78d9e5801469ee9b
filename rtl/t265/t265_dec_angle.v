// What an intra prediction mode means: its angle (Table 8-5), and whether its references
// are filtered (Table 8-3). Modes 2 to 17 are vertical ones with the samples above and on
// the left exchanged.
//
// Mirror:     t265/hwdec/predict.go
// Latency:    0
// Throughput: combinational
// Storage:    none

`default_nettype none

module t265_dec_angle #(
  parameter Modes = 35  // 35, or 4: planar, DC, horizontal and vertical
) (
  input  wire [5:0] mode_i,        // IntraPredModeY
  input  wire [1:0] log2_i,        // of the size of the block, less 2
  output wire       planar_o,
  output wire       dc_o,
  output wire       straight_o,    // horizontal and vertical
  output wire       negative_o,    // intraPredAngle is negative
  output wire       filter_o,
  output wire [5:0] angle_o        // its magnitude in 1/32 sample
);

  generate
    if (Modes == 4) begin : gen_four
      wire unused = &{1'b0, mode_i};

      assign planar_o   = !mode_i[3] && !mode_i[0];
      assign dc_o       = mode_i[0];
      assign straight_o = mode_i[3];
      assign negative_o = 1'b0;
      assign filter_o   = planar_o && log2_i != 2'd0;
      assign angle_o    = 6'd0;
    end else begin : gen_all
      // The distance from mode 10 or 26 is that from the next multiple of 16.
      wire [5:0] from = mode_i + 6'd6;
      wire       low  = from[5:3] == 3'd0;
      wire [3:0] far  = from[3] ? 4'd0 - from[3:0] : from[3:0];
      reg  [5:0] angle;

      always @* begin
        case (far)
          4'd0: angle = 6'd0;
          4'd1: angle = 6'd2;
          4'd2: angle = 6'd5;
          4'd3: angle = 6'd9;
          4'd4: angle = 6'd13;
          4'd5: angle = 6'd17;
          4'd6: angle = 6'd21;
          4'd7: angle = 6'd26;
          default: angle = 6'd32;
        endcase
      end

      assign planar_o   = low && !from[0];
      assign dc_o       = low && from[0];
      assign straight_o = from[3:0] == 4'd0;
      assign negative_o = from[4] && from[3:0] != 4'd0;
      assign filter_o   = log2_i != 2'd0 && (planar_o || !dc_o && (log2_i == 2'd1 ? far[3] :
                            log2_i == 2'd2 ? far[3:1] != 3'd0 : far != 4'd0));
      assign angle_o    = angle;
    end
  endgenerate

endmodule

`default_nettype wire
