// Tags of the blocks in a transform, at most eight, from their first beat in to their
// last beat out.
//
// Mirror:     t265/hwenc/transform.go
// Latency:    1
// Throughput: a beat in and a beat out a cycle
// Storage:    8 * TagWidth latches, TagWidth + 20 bits

`default_nettype none

module t265_tags #(
  parameter MaxTU   = 16,  // largest block, 8 or 16
  parameter TagWidth = 19   // its highest two bits are log2 of the size, less 2
) (
  input  wire               clk_i,
  input  wire               rst_i,
  input  wire               in_i,      // a beat
  input  wire [TagWidth-1:0] in_tag_i,
  output wire               begins_o,  // the next one is the first of its block
  output wire               free_o,    // there is room for the tag of one more
  input  wire               out_i,     // a beat
  output reg  [TagWidth-1:0] tag_o      // of it, the cycle after
);

  localparam BEAT = MaxTU == 8 ? 3 : 5;  // bits of a beat of a block

  reg  [BEAT-1:0] in_beat_q;
  reg  [BEAT-1:0] out_beat_q;
  reg  [2:0]      in_q;
  reg  [2:0]      out_q;
  reg  [3:0]      blocks_q;
  wire [TagWidth-1:0] tag;
  wire            in_large  = MaxTU != 8 && in_tag_i[TagWidth-1];
  wire            out_large = MaxTU != 8 && tag[TagWidth-1];
  wire            in_last   = in_i && (in_large ? &in_beat_q : &in_beat_q[2:0]);
  wire            out_last  = out_i && (out_large ? &out_beat_q : &out_beat_q[2:0]);
  wire            begin_tag = in_i && begins_o;

  assign begins_o = in_beat_q == {BEAT{1'b0}};
  assign free_o   = !blocks_q[3];

  always @(posedge clk_i) begin
    if (rst_i) begin
      in_beat_q  <= {BEAT{1'b0}};
      out_beat_q <= {BEAT{1'b0}};
      in_q       <= 3'd0;
      out_q      <= 3'd0;
      blocks_q   <= 4'd0;
    end else begin
      if (in_i) in_beat_q <= in_last ? {BEAT{1'b0}} : in_beat_q + 1'b1;
      if (out_i) out_beat_q <= out_last ? {BEAT{1'b0}} : out_beat_q + 1'b1;
      in_q     <= in_q + {2'd0, begin_tag};
      out_q    <= out_q + {2'd0, out_last};
      blocks_q <= blocks_q + {3'd0, begin_tag} - {3'd0, out_last};
    end
  end

  always @(posedge clk_i) begin
    if (out_i) tag_o <= tag;
  end

  vc_ram_latch #(
    .Width(TagWidth),
    .Depth(8)
  ) u_tags (
    .clk_i  (clk_i),
    .we_i   (begin_tag),
    .waddr_i(in_q),
    .wdata_i(in_tag_i),
    .raddr_i(out_q),
    .rdata_o(tag)
  );

endmodule

`default_nettype wire
