// What the scheduler knows of one thread: where its words are in the memory of items,
// how many blocks are complete, the sizes of the next ones, and whether one is on its
// way. A thread takes an item while there is room for four words, two of which the item
// before may need, and less than two blocks are complete.
//
// Mirror:     t265/hwdec/sched.go
// Latency:    1
// Throughput: a word in and a word out a cycle
// Storage:    16 + 2 * AddrBits + CountBits bits

`default_nettype none

module t265_dec_thread #(
  parameter Words     = 72,  // of memory
  parameter AddrBits  = $clog2(Words),     // bits of an address of one
  parameter CountBits = $clog2(Words + 1)  // bits of a count of 0 .. Words
) (
  input  wire                clk_i,
  input  wire                rst_i,
  input  wire                put_i,        // a word of the thread is written
  input  wire                put_head_i,   // it is a head
  input  wire [1:0]          put_log2_i,   // of a block of this size, less 2
  input  wire                put_more_i,   // levels of its block are to come
  input  wire                put_ends_i,   // it is the last one of its block
  input  wire                read_i,       // a word is read
  input  wire                start_i,      // which is the head of the next block
  input  wire                end_i,        // the last word of the block leaves
  input  wire                done_i,       // the block is reconstructed
  output wire                room_o,       // an item may come
  output wire                want_o,       // the next block can begin
  output wire                there_o,      // there is a word
  output wire                open_o,       // levels of a block are to come
  output wire [1:0]          log2_o,       // size of the next block, less 2
  output wire [AddrBits-1:0] read_o,       // where it is read
  output wire [AddrBits-1:0] write_o       // where the next one goes
);

  localparam [31:0]          LAST32 = Words - 1;
  localparam [31:0]          ROOM32 = Words - 4;
  localparam [AddrBits-1:0]  LAST   = LAST32[AddrBits-1:0];
  localparam [CountBits-1:0] ROOM   = ROOM32[CountBits-1:0];

  reg                 busy_q;
  reg                 open_q;
  reg [AddrBits-1:0]  read_q;
  reg [AddrBits-1:0]  write_q;
  reg [CountBits-1:0] count_q;
  reg [1:0]           blocks_q;  // complete ones that have not left
  reg [1:0]           from_q;    // of sizes: of the next block,
  reg [1:0]           to_q;      // and of the head that comes
  reg [7:0]           sizes_q;

  assign room_o  = count_q <= ROOM && !blocks_q[1];
  assign want_o  = !busy_q && (blocks_q != 2'd0 || !room_o);
  assign there_o = count_q != {CountBits{1'b0}};
  assign open_o  = open_q;
  assign log2_o  = sizes_q[2*from_q +: 2];
  assign read_o  = read_q;
  assign write_o = write_q;

  always @(posedge clk_i) begin
    if (rst_i) begin
      busy_q   <= 1'b0;
      open_q   <= 1'b0;
      read_q   <= {AddrBits{1'b0}};
      write_q  <= {AddrBits{1'b0}};
      count_q  <= {CountBits{1'b0}};
      blocks_q <= 2'd0;
      from_q   <= 2'd0;
      to_q     <= 2'd0;
    end else begin
      if (start_i || done_i) busy_q <= start_i;
      if (put_i) open_q <= put_more_i;
      if (read_i) read_q <= read_q == LAST ? {AddrBits{1'b0}} : read_q + 1'b1;
      if (put_i) write_q <= write_q == LAST ? {AddrBits{1'b0}} : write_q + 1'b1;
      if (put_i != read_i) count_q <= put_i ? count_q + 1'b1 : count_q - 1'b1;
      if ((put_i && put_ends_i) != end_i) blocks_q <= end_i ? blocks_q - 2'd1 : blocks_q + 2'd1;
      if (start_i) from_q <= from_q + 2'd1;
      if (put_i && put_head_i) to_q <= to_q + 2'd1;
    end
  end

  always @(posedge clk_i) begin
    if (put_i && put_head_i) sizes_q[2*to_q +: 2] <= put_log2_i;
  end

endmodule

`default_nettype wire
