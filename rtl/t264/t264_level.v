// Quantiser of one coefficient (package t264, rule 4), in four stages that the
// owner enables together: magnitude, product, shift, rounding. scale_i belongs to
// the second stage, sixth_i to the third.
//
// Mirror:     t264/hwenc/quant.go
// Latency:    4
// Throughput: 1
// Storage:    4 * Coef + 2 * Units + 45 bits or so

`default_nettype none

module t264_level #(
  parameter Coef  = 14,  // bits of a magnitude
  parameter Base  = 9,   // shift to 1/64 step at QP 0
  parameter Units = 17   // bits of a magnitude in 1/64 step
) (
  input  wire                    clk_i,
  input  wire                    enable_i,
  input  wire signed [Coef:0]    coef_i,
  input  wire        [13:0]      scale_i,  // one cycle later
  input  wire        [3:0]       sixth_i,  // QP / 6, two cycles later
  output wire signed [Units-6:0] level_o,
  output wire                    set_o,    // not zero
  output wire                    weak_o    // a one that may not stand alone
);

  // In 1/64 step, as deadZone in t264/block/quant.go.
  localparam [5:0] UP_ZERO = 6'd38;      // rest from which a level of zero is rounded up
  localparam [5:0] UP_MORE = 6'd35;      // and any other
  localparam [5:0] ALONE   = 6'd54;      // magnitude from which a one may stand alone
  localparam       PROD    = Coef + 14;  // bits of a product

  reg  [Coef-1:0]   abs_q;
  reg               sign1_q;
  reg  [Coef+6:0]   low_q;
  reg  [Coef+6:0]   high_q;
  reg               sign2_q;
  reg  [Units-1:0]  units_q;
  reg               sign3_q;
  reg  [Units-6:0]  level_q;
  reg               set_q;
  reg               weak_q;

  wire [Coef:0]     abs     = (coef_i ^ {(Coef + 1) {coef_i[Coef]}}) + {{Coef{1'b0}}, coef_i[Coef]};
  wire [Coef+6:0]   upper   = high_q + {7'd0, low_q[Coef+6:7]};
  wire [PROD-1:0]   product = {upper, low_q[6:0]};
  wire [PROD-1:0]   shifted = product >> sixth_i;
  wire [5:0]        rest    = units_q[5:0];
  wire [Units-7:0]  whole   = units_q[Units-1:6];
  wire              none    = whole == {(Units - 6) {1'b0}};
  wire              up      = rest >= (none ? UP_ZERO : UP_MORE);
  wire [Units-6:0]  mag     = {1'b0, whole} + {{(Units - 6) {1'b0}}, up};

  wire unused = &{1'b0, abs[Coef], shifted};

  assign level_o = level_q;
  assign set_o   = set_q;
  assign weak_o  = weak_q;

  always @(posedge clk_i) begin
    if (enable_i) begin
      abs_q   <= abs[Coef-1:0];
      sign1_q <= coef_i[Coef];
      low_q   <= {7'd0, abs_q} * {{Coef{1'b0}}, scale_i[6:0]};
      high_q  <= {7'd0, abs_q} * {{Coef{1'b0}}, scale_i[13:7]};
      sign2_q <= sign1_q;
      units_q <= shifted[Base +: Units];
      sign3_q <= sign2_q;
      level_q <= (mag ^ {(Units - 5) {sign3_q}}) + {{(Units - 6) {1'b0}}, sign3_q};
      set_q   <= !none || up;
      weak_q  <= none && rest < ALONE;
    end
  end

endmodule

`default_nettype wire
