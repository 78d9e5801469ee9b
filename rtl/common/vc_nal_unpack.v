// Takes the words of slice data apart and removes emulation prevention bytes
// (H.264 clause 7.4.1, H.265 7.4.2): a 3 after two zeros, both in the slice data.
// A 3 that ends the NAL unit stays. Byte i of a word sits in in_data_i[8*i +: 8].
//
// Mirror:     internal/cabachw/nal_unpack.go
// Latency:    2
// Throughput: 1 byte a cycle, one cycle more for each byte that is removed
// Storage:    81 bits

`default_nettype none

module vc_nal_unpack (
  input  wire        clk_i,
  input  wire        rst_i,
  input  wire        in_valid_i,
  output wire        in_ready_o,
  input  wire [63:0] in_data_i,
  input  wire [3:0]  in_count_i,  // bytes, 1..8
  input  wire        in_last_i,   // ends the NAL unit
  output wire        out_valid_o,
  input  wire        out_ready_i,
  output wire [7:0]  out_data_o,
  output wire        out_last_o
);

  reg [63:0] word_q;
  reg [3:0]  count_q;  // bytes left in word_q
  reg        end_q;    // word_q ends the NAL unit
  reg [1:0]  zeros_q;  // bytes of zero before, 0..2
  reg        valid_q;
  reg [7:0]  data_q;
  reg        last_q;

  wire move = !valid_q || out_ready_i;
  wire some = count_q != 4'd0;
  wire last = end_q && count_q == 4'd1;
  wire drop = zeros_q[1] && word_q[7:0] == 8'd3 && !last;
  wire load = in_valid_i && in_ready_o;

  assign in_ready_o  = !some || count_q == 4'd1 && move;
  assign out_valid_o = valid_q;
  assign out_data_o  = data_q;
  assign out_last_o  = last_q;

  always @(posedge clk_i) begin
    if (rst_i) begin
      count_q <= 4'd0;
      zeros_q <= 2'd0;
      valid_q <= 1'b0;
    end else begin
      if (move) valid_q <= some && !drop;
      if (load) count_q <= in_count_i;
      else if (move && some) count_q <= count_q - 4'd1;
      if (move && some) begin
        if (last || word_q[7:0] != 8'd0) zeros_q <= 2'd0;
        else if (!zeros_q[1]) zeros_q <= zeros_q + 2'd1;
      end
    end
  end

  always @(posedge clk_i) begin
    if (load) begin
      word_q <= in_data_i;
      end_q  <= in_last_i;
    end else if (move && some) begin
      word_q[55:0] <= word_q[63:8];
    end
    if (move && some) begin
      data_q <= word_q[7:0];
      last_q <= last;
    end
  end

endmodule

`default_nettype wire
