// The macroblock of a lane: its fields, the operations before its levels (mb_type,
// mb_qp_delta and coded_block_flag of the DC block, H.264 clause 7.3.5), and the
// flags of its AC blocks, which shift as the blocks are done.
//
// Mirror:     t264/hwenc/residual.go
// Latency:    0
// Throughput: 1 operation a cycle
// Storage:    49 bits
// Packing:    HEAD in (gen/t264_enc_words.vh)

`default_nettype none
`include "t264_enc_words.vh"

module t264_residual_head (
  input  wire                       clk_i,
  input  wire                       rst_i,
  input  wire                       load_i,
  input  wire [`T264_HEAD_BITS-1:0] load_head_i,
  input  wire                       load_dc_i,    // a DC level is not zero
  input  wire                       step_i,       // an operation of this module leaves
  input  wire                       next_i,       // an AC block is done
  output reg                        terminate_o,  // kind of the operation
  output reg  [6:0]                 ctx_o,
  output reg                        bin_o,
  output wire                       ends_o,       // it is the last one
  output wire                       dc_coded_o,
  output wire [15:0]                coded_o,      // AC blocks from the one under way on
  output wire [3:0]                 block_o,      // the one under way
  output wire [1:0]                 inc_o,        // ctxIdxInc of its coded_block_flag
  output wire                       last_o
);

  localparam [3:0] S_TYPE = 4'd0, S_PCM = 4'd1, S_CBP = 4'd2, S_CHROMA = 4'd3, S_MODE1 = 4'd4;
  localparam [3:0] S_MODE0 = 4'd5, S_DELTA0 = 4'd6, S_DELTA1 = 4'd7, S_DELTA2 = 4'd8, S_DC = 4'd9;

  // Contexts, by index in a lane: laneMBType, laneQPDelta and laneCoded of t264/hwenc/binarise.go.
  localparam [6:0] TYPE_0  = 7'd74, TYPE_1 = 7'd75, TYPE_2 = 7'd96;  // by available neighbours
  localparam [6:0] CBP     = 7'd90, CHROMA = 7'd91, MODE_1 = 7'd15, MODE_0 = 7'd16;
  localparam [6:0] DELTA_0 = 7'd31, DELTA_0_CHANGED = 7'd47, DELTA_1 = 7'd48, DELTA_2 = 7'd63;
  localparam [4:0] CODED   = 5'd19;  // / 4

  reg  [3:0]  state_q;
  reg  [3:0]  state_d;
  reg  [1:0]  mode_q;
  reg  [1:0]  delta_q;
  reg         changed_q;
  reg         left_q;
  reg         above_q;
  reg  [4:0]  left_coded_q;
  reg  [4:0]  above_coded_q;
  reg         last_q;
  reg         dc_coded_q;
  reg  [15:0] coded_q;
  reg  [5:0]  before_q;  // bit 0 is the block before the one under way
  reg  [3:0]  block_q;

  wire unused = &{1'b0, load_head_i[`T264_HEAD_QP]};

  // Neighbours of the block: x in bits 2 and 0 of its number, y in bits 3 and 1.
  wire left_flag  = block_q[0] ? before_q[0] : block_q[2] ? before_q[2]
                  : left_coded_q[{1'b0, block_q[3], block_q[1]}];
  wire above_flag = block_q[1] ? before_q[1] : block_q[3] ? before_q[5]
                  : above_coded_q[{1'b0, block_q[2], block_q[0]}];

  assign ends_o     = state_q == S_DC;
  assign dc_coded_o = dc_coded_q;
  assign coded_o    = coded_q;
  assign block_o    = block_q;
  assign inc_o      = {above_flag, left_flag};
  assign last_o     = last_q;

  always @* begin
    state_d     = state_q + 4'd1;
    terminate_o = 1'b0;
    ctx_o       = {CODED, above_coded_q[4], left_coded_q[4]};
    bin_o       = 1'b0;
    case (state_q)
      S_TYPE: begin
        ctx_o = left_q && above_q ? TYPE_2 : left_q || above_q ? TYPE_1 : TYPE_0;
        bin_o = 1'b1;
      end
      S_PCM: begin
        ctx_o       = 7'd0;
        terminate_o = 1'b1;
      end
      S_CBP: begin
        ctx_o = CBP;
        bin_o = coded_q != 16'd0;
      end
      S_CHROMA: ctx_o = CHROMA;
      S_MODE1: begin
        ctx_o = MODE_1;
        bin_o = mode_q[1];
      end
      S_MODE0: begin
        ctx_o = MODE_0;
        bin_o = mode_q[0];
      end
      S_DELTA0: begin
        ctx_o = changed_q ? DELTA_0_CHANGED : DELTA_0;
        bin_o = delta_q != 2'd0;
        if (!bin_o) state_d = S_DC;
      end
      S_DELTA1: begin
        ctx_o = DELTA_1;
        bin_o = delta_q[1];
        if (!bin_o) state_d = S_DC;
      end
      S_DELTA2: ctx_o = DELTA_2;
      default: bin_o = dc_coded_q;  // S_DC
    endcase
  end

  always @(posedge clk_i) begin
    if (load_i) state_q <= S_TYPE;
    else if (step_i) state_q <= state_d;
  end

  // Before a slice, as after the last macroblock of one.
  always @(posedge clk_i) begin
    if (rst_i) last_q <= 1'b1;
    else if (load_i) last_q <= load_head_i[`T264_HEAD_LAST];
  end

  always @(posedge clk_i) begin
    if (load_i) begin
      mode_q        <= load_head_i[`T264_HEAD_MODE];
      delta_q       <= load_head_i[`T264_HEAD_QP_DELTA];
      changed_q     <= load_head_i[`T264_HEAD_CHANGED];
      left_q        <= load_head_i[`T264_HEAD_LEFT];
      above_q       <= load_head_i[`T264_HEAD_ABOVE];
      left_coded_q  <= load_head_i[`T264_HEAD_LEFT_CODED];
      above_coded_q <= load_head_i[`T264_HEAD_ABOVE_CODED];
      coded_q       <= load_head_i[`T264_HEAD_CODED];
      dc_coded_q    <= load_dc_i;
      block_q       <= 4'd0;
    end else if (next_i) begin
      coded_q  <= {1'b0, coded_q[15:1]};
      before_q <= {before_q[4:0], coded_q[0]};
      block_q  <= block_q + 4'd1;
    end
  end

endmodule

`default_nettype wire
