// The places of the threads of a bank of the store of the T.265 encoder: a ring of 32 sub-blocks
// each, of which two CTUs are counted from their request on.
//
// Mirror:     t265/hwenc/feed.go
// Latency:    0
// Throughput: 1 word of each kind a cycle
// Storage:    Share * Turns * 15 bits
// Packing:    thread turn * Lanes + First + lane is number turn * Share + lane of the bank, with
//             that bit of room_o, avail_o, and pick_i; a place is that number above 5 bits

`default_nettype none

module t265_enc_places #(
  parameter Share      = 4,   // lanes of the bank
  parameter Turns      = 1,   // threads of a lane
  parameter First      = 0,   // number of the first lane
  parameter Lanes      = 18,  // lanes of all banks
  parameter ThreadBits = Lanes * Turns > 1 ? $clog2(Lanes * Turns) : 1,  // bits of a thread number
  parameter OwnBits    = Share * Turns > 1 ? $clog2(Share * Turns) : 1   // bits of one of the bank
) (
  input  wire                   clk_i,
  input  wire                   rst_i,
  input  wire                   take_valid_i,   // a CTU was requested
  input  wire [ThreadBits-1:0]  take_thread_i,
  output wire [Share*Turns-1:0] room_o,
  input  wire                   head_valid_i,
  input  wire [ThreadBits-1:0]  head_thread_i,
  output wire                   head_we_o,      // it is of the bank
  output reg  [OwnBits:0]       head_at_o,      // thread above half of the ring
  input  wire                   lev_valid_i,
  input  wire [ThreadBits-1:0]  lev_thread_i,
  input  wire [1:0]             lev_log2_i,     // of the size of its block, less 2
  input  wire                   lev_last_i,     // the last one of its block to come
  output wire                   lev_we_o,
  output reg  [OwnBits+4:0]     lev_at_o,       // of its block
  output wire [Share*Turns-1:0] avail_o,        // a block is there
  input  wire [Share*Turns-1:0] pick_i,
  output reg  [OwnBits+4:0]     pick_at_o,      // of its block
  input  wire                   end_i,          // a block goes,
  input  wire                   end_ctu_i,      // and its CTU
  input  wire [OwnBits-1:0]     end_own_i,
  input  wire [5:0]             end_places_i
);

  localparam OWN = Share * Turns;  // threads

  reg  [6*OWN-1:0] head_q;  // place of the block to code, and a bit for the count beyond the ring
  reg  [6*OWN-1:0] tail_q;  // of the block that comes
  reg  [2*OWN-1:0] held_q;  // CTUs that are requested or here
  reg  [OWN-1:0]   come_q;  // half of the ring for the next HEAD

  wire [OWN-1:0]   take;
  wire [OWN-1:0]   head;
  wire [OWN-1:0]   lev;
  wire [OWN-1:0]   ends;
  wire [5:0]       comes = lev_log2_i[1] ? 6'd16 : lev_log2_i[0] ? 6'd4 : 6'd1;
  integer          k;

  genvar t;
  generate
    for (t = 0; t < OWN; t = t + 1) begin : gen_thread
      localparam [31:0] NUMBER = (t / Share) * Lanes + First + t % Share;
      localparam [31:0] OWNER  = t;

      assign take[t]    = take_valid_i && take_thread_i == NUMBER[ThreadBits-1:0];
      assign head[t]    = head_valid_i && head_thread_i == NUMBER[ThreadBits-1:0];
      assign lev[t]     = lev_valid_i && lev_thread_i == NUMBER[ThreadBits-1:0];
      assign ends[t]    = end_own_i == OWNER[OwnBits-1:0];
      assign avail_o[t] = head_q[6*t +: 6] != tail_q[6*t +: 6];
      assign room_o[t]  = !held_q[2*t + 1];
    end
  endgenerate

  assign head_we_o = head != {OWN{1'b0}};
  assign lev_we_o  = lev != {OWN{1'b0}};

  always @* begin
    head_at_o = {(OwnBits + 1) {1'b0}};
    lev_at_o  = {(OwnBits + 5) {1'b0}};
    pick_at_o = {(OwnBits + 5) {1'b0}};
    for (k = 0; k < OWN; k = k + 1) begin
      head_at_o = head_at_o | {k[OwnBits-1:0], come_q[k]} & {(OwnBits + 1) {head[k]}};
      lev_at_o  = lev_at_o | {k[OwnBits-1:0], tail_q[6*k +: 5]} & {(OwnBits + 5) {lev[k]}};
      pick_at_o = pick_at_o | {k[OwnBits-1:0], head_q[6*k +: 5]} & {(OwnBits + 5) {pick_i[k]}};
    end
  end

  always @(posedge clk_i) begin
    for (k = 0; k < OWN; k = k + 1) begin
      if (rst_i) begin
        head_q[6*k +: 6] <= 6'd0;
        tail_q[6*k +: 6] <= 6'd0;
        held_q[2*k +: 2] <= 2'd0;
        come_q[k]        <= 1'b0;
      end else begin
        if (end_i && ends[k]) head_q[6*k +: 6] <= head_q[6*k +: 6] + end_places_i;
        if (lev[k] && lev_last_i) tail_q[6*k +: 6] <= tail_q[6*k +: 6] + comes;
        if (take[k] && !(end_ctu_i && ends[k])) held_q[2*k +: 2] <= held_q[2*k +: 2] + 2'd1;
        if (!take[k] && end_ctu_i && ends[k]) held_q[2*k +: 2] <= held_q[2*k +: 2] - 2'd1;
        if (head[k]) come_q[k] <= !come_q[k];
      end
    end
  end

endmodule

`default_nettype wire
