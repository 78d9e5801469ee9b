// Which slots of a memory have data: blocks of one slot or of Many are written as a
// whole before they are read. A block of Many slots takes at most two with its first
// beat, and two more with the first one of its second half.
//
// Mirror:     t265/hwenc/transform.go
// Latency:    1 from the last beat of a block to the first one that is read
// Throughput: a beat in and a beat out a cycle
// Storage:    about 40 bits

`default_nettype none

module t265_slots #(
  parameter Slots    = 8,  // 2, 4 or 8
  parameter Many     = 4,  // slots of a large block: 1, 2 or 4; with 1 there is none
  parameter Beats    = 8,  // of a slot, 4 or 8
  parameter SlotBits = $clog2(Slots),        // bits of a slot
  parameter BeatBits = $clog2(Many * Beats)  // bits of a beat of a block
) (
  input  wire                clk_i,
  input  wire                rst_i,
  input  wire                write_i,  // a beat
  input  wire                large_i,  // of a large block
  output wire                room_o,   // for it
  output wire [SlotBits-1:0] wslot_o,  // the first one of the block
  output wire [BeatBits-1:0] wbeat_o,
  input  wire                read_i,   // a beat
  output wire                any_o,    // there is one
  output wire                large_o,  // of a large block
  output wire [SlotBits-1:0] rslot_o,
  output wire [BeatBits-1:0] rbeat_o
);

  localparam SHORT = $clog2(Beats);              // bits of a beat of a small block
  localparam PART  = Many == 4 ? BeatBits - 1 : BeatBits;  // of a beat of what is taken at once
  localparam COUNT = SlotBits + 1;               // bits of a number of slots

  reg  [COUNT-1:0]    free_q;   // slots without data
  reg  [COUNT-1:0]    ready_q;  // slots that are complete
  reg  [Slots-1:0]    large_q;  // by the first slot of a block
  reg  [SlotBits-1:0] wslot_q;
  reg  [SlotBits-1:0] rslot_q;
  reg  [BeatBits-1:0] wbeat_q;
  reg  [BeatBits-1:0] rbeat_q;

  wire             wlarge = Many > 1 && large_i;
  wire             rlarge = large_q[rslot_q];
  wire             begins = wbeat_q[PART-1:0] == {PART{1'b0}};
  wire [COUNT-1:0] takes  = wlarge ? {{(COUNT - 2) {1'b0}}, 2'd2} : {{(COUNT - 1) {1'b0}}, 1'b1};
  wire [COUNT-1:0] wsize  = wlarge ? Many[COUNT-1:0] : {{(COUNT - 1) {1'b0}}, 1'b1};
  wire [COUNT-1:0] rsize  = rlarge ? Many[COUNT-1:0] : {{(COUNT - 1) {1'b0}}, 1'b1};
  wire             wlast  = write_i && (wlarge ? &wbeat_q : &wbeat_q[SHORT-1:0]);
  wire             rlast  = read_i && (rlarge ? &rbeat_q : &rbeat_q[SHORT-1:0]);

  assign room_o  = !begins || free_q >= takes;
  assign any_o   = ready_q != {COUNT{1'b0}};
  assign large_o = rlarge;
  assign wslot_o = wslot_q;
  assign rslot_o = rslot_q;
  assign wbeat_o = wbeat_q;
  assign rbeat_o = rbeat_q;

  always @(posedge clk_i) begin
    if (rst_i) begin
      free_q  <= Slots[COUNT-1:0];
      ready_q <= {COUNT{1'b0}};
      wslot_q <= {SlotBits{1'b0}};
      rslot_q <= {SlotBits{1'b0}};
      wbeat_q <= {BeatBits{1'b0}};
      rbeat_q <= {BeatBits{1'b0}};
    end else begin
      free_q  <= free_q - (write_i && begins ? takes : {COUNT{1'b0}})
               + (rlast ? rsize : {COUNT{1'b0}});
      ready_q <= ready_q + (wlast ? wsize : {COUNT{1'b0}}) - (rlast ? rsize : {COUNT{1'b0}});
      if (write_i) wbeat_q <= wlast ? {BeatBits{1'b0}} : wbeat_q + 1'b1;
      if (read_i) rbeat_q <= rlast ? {BeatBits{1'b0}} : rbeat_q + 1'b1;
      if (wlast) wslot_q <= wslot_q + wsize[SlotBits-1:0];
      if (rlast) rslot_q <= rslot_q + rsize[SlotBits-1:0];
    end
  end

  always @(posedge clk_i) begin
    if (wlast) large_q[wslot_q] <= wlarge;
  end

endmodule

`default_nettype wire
