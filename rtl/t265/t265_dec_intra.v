// Prediction of four samples a cycle from their references (clauses 8.4.4.2.4 to
// 8.4.4.2.6), in two stages: the first turns the samples of a line to their places, the
// second interpolates. Both take a step while step_i is high.
//
// All modes have one form, with w the sample of the line, in units of 1/32 (of 1/64 with
// MaxTU 32, where all factors are twice those below):
//
//   angular  32 * w + (next - w) * fraction + 16
//   planar   16 * w + (side_n - w) * (y+1) * 16/n
//            + 16 * main_n + (side - main_n) * (n-1-x) * 16/n + 16
//   DC       32 * w + (dc - w) * 24 + 16 for an edge, w the sample outside; in the corner
//            8 * (side - dc) more, elsewhere w = dc
//   straight 32 * w, for an edge 16 * (side - corner) more
//
// Mirror:     t265/hwdec/predict.go
// Latency:    2
// Throughput: 4 samples a cycle
// Storage:    133 bits, with MaxTU 32 136 bits

`default_nettype none

module t265_dec_intra #(
  parameter MaxTU    = 16,  // largest block, 8, 16 or 32
  parameter Modes    = 35,  // 35, or 4: no angles
  parameter FracBits = MaxTU == 32 ? 6 : 5,
  parameter PartBits = $clog2(MaxTU / 4)  // bits of the number of a word in a row
) (
  input  wire                clk_i,
  input  wire                step_i,
  input  wire [31:0]         even_i,      // words of the line
  input  wire [31:0]         odd_i,
  input  wire [2:0]          from_i,      // the first sample in both, 0 without an angle
  input  wire [1:0]          lane_i,      // of the sample of side in the odd word
  input  wire                planar_i,
  input  wire                dc_i,
  input  wire                straight_i,
  input  wire [1:0]          log2_i,      // of the size of the block, less 2
  input  wire                top_i,       // first row
  input  wire                first_i,     // first word of a row
  input  wire [PartBits-1:0] rest_i,      // words behind it
  input  wire [FracBits-1:0] frac_i,      // angular: fraction; planar: factor of the row
  input  wire [7:0]          main_end_i,  // planar: main_n; straight: corner; DC
  input  wire [7:0]          side_end_i,  // planar: side_n; DC
  output wire [31:0]         pred_o
);

  localparam SUM  = FracBits + 10;  // bits of a sample with its fraction, with two bits above
  localparam LEAN = FracBits + 7;   // bits of a step across, signed
  localparam [FracBits-1:0] EDGE = 3 << (FracBits - 2);  // factor of an edge of the DC mode
  localparam [SUM-1:0]      HALF = 1 << (FracBits - 1);
  localparam [2:0]          LARGE = FracBits - 3;        // log2 of the largest block, less 2

  // Samples of the line, five from the first one on.
  wire [2:0]  from  = Modes == 4 ? 3'd0 : from_i;
  wire [63:0] words = from[2] ? {even_i, odd_i} : {odd_i, even_i};
  wire [47:0] pairs = from[1] ? words[63:16] : words[47:0];
  wire [39:0] line  = from[0] ? pairs[47:8] : pairs[39:0];
  wire [7:0]  side  = odd_i[8*lane_i +: 8];
  wire        edges = MaxTU != 32 || log2_i != 2'd3;  // they are filtered
  wire        flat  = dc_i && !(top_i && edges);      // no sample of the line counts ...
  wire        begun = dc_i && first_i && edges && !top_i;  // ... but that of side
  reg  [31:0] samples;
  reg  [35:0] steps;  // from these to the next ones, s9
  reg  [7:0]  next;
  integer     i;

  always @* begin
    for (i = 0; i < 4; i = i + 1) begin
      samples[8*i +: 8] = begun && i == 0 ? side : flat ? side_end_i : line[8*i +: 8];
      next              = planar_i || dc_i ? side_end_i : line[8*i+8 +: 8];
      steps[9*i +: 9]   = {1'b0, next} - {1'b0, samples[8*i +: 8]};
    end
  end

  // A step to the left in planar mode; half of what the edge of the others adds.
  wire [8:0]      lean  = {1'b0, side} - {1'b0, main_end_i};
  wire            leans = planar_i || first_i && edges && (straight_i || dc_i && top_i);
  wire [2:0]      shift = planar_i ? LARGE - {1'b0, log2_i} : straight_i ? LARGE + 3'd1 : LARGE;
  wire [LEAN-1:0] wide  = {{(LEAN - 9) {lean[8]}}, lean} << shift;
  wire [SUM-1:0]  tilt  = {{(SUM - LEAN) {wide[LEAN-1]}}, wide};
  reg  [SUM-1:0]  base;  // what is the same for all four
  integer         r;

  always @* begin
    base = straight_i ? {SUM{1'b0}} : HALF;
    if (planar_i) begin
      base = base + {3'd0, main_end_i, {(FracBits - 1) {1'b0}}};
      for (r = 0; r < PartBits; r = r + 1) begin
        if (rest_i[r]) base = base + (tilt << (r + 2));
      end
    end
  end

  reg                planar_q;
  reg [31:0]         samples_q;
  reg [35:0]         steps_q;
  reg [FracBits-1:0] frac_q;
  reg [LEAN-1:0]     lean_q;
  reg [SUM-1:0]      base_q;

  always @(posedge clk_i) begin
    if (step_i) begin
      planar_q  <= planar_i;
      samples_q <= samples;
      steps_q   <= steps;
      frac_q    <= dc_i ? EDGE : frac_i;
      lean_q    <= leans ? wide : {LEAN{1'b0}};
      base_q    <= base;
    end
  end

  // Second stage. An edge in horizontal and vertical mode alone can leave the range.
  wire [SUM-1:0] once  = {{(SUM - LEAN) {lean_q[LEAN-1]}}, lean_q};
  wire [SUM-1:0] twice = {once[SUM-2:0], 1'b0};
  // The fraction goes nowhere.
  /* verilator lint_off UNUSEDSIGNAL */
  reg  [SUM-1:0] sum;
  /* verilator lint_on UNUSEDSIGNAL */
  reg  [SUM-1:0] whole;
  reg  [SUM-1:0] across;
  reg  [31:0]    pred;
  reg  [31:0]    pred_q;
  integer        k;

  always @* begin
    for (k = 0; k < 4; k = k + 1) begin
      case (k)
        0: across = planar_q ? once + twice : twice;
        1: across = planar_q ? twice : {SUM{1'b0}};
        2: across = planar_q ? once : {SUM{1'b0}};
        default: across = {SUM{1'b0}};
      endcase
      whole = {2'd0, samples_q[8*k +: 8], {FracBits{1'b0}}};
      if (planar_q) whole = {3'd0, samples_q[8*k +: 8], {(FracBits - 1) {1'b0}}};
      sum = whole + base_q + across
          + {{(SUM - 9) {steps_q[9*k+8]}}, steps_q[9*k +: 9]} * {{(SUM - FracBits) {1'b0}}, frac_q};
      pred[8*k +: 8] = sum[FracBits +: 8];
      if (k == 0) begin
        if (sum[SUM-1]) pred[7:0] = 8'd0;
        else if (sum[SUM-2]) pred[7:0] = 8'd255;
      end
    end
  end

  always @(posedge clk_i) begin
    if (step_i) pred_q <= pred;
  end

  assign pred_o = pred_q;

endmodule

`default_nettype wire
