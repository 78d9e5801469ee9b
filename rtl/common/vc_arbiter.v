// Merges Inputs streams into one, round robin. The selected input sends while
// it alone has words, and gives way after each word otherwise. The selection is
// a register, so that ready depends on no valid.
//
// Mirror:     sim/arbiter.go
// Latency:    1, and 1 to select in an idle system
// Throughput: 1 word a cycle
// Storage:    Width + 2 * SelBits + 1 bits
// Packing:    input i has bit i of in_valid_i and in_ready_o and in_data_i[Width*i +: Width]

`default_nettype none

module vc_arbiter #(
  parameter Width   = 8,  // bits
  parameter Inputs  = 4,  // streams
  parameter SelBits = Inputs > 1 ? $clog2(Inputs) : 1  // bits of the index of a stream
) (
  input  wire                    clk_i,
  input  wire                    rst_i,
  input  wire [Inputs-1:0]       in_valid_i,
  output reg  [Inputs-1:0]       in_ready_o,
  input  wire [Inputs*Width-1:0] in_data_i,
  output wire                    out_valid_o,
  input  wire                    out_ready_i,
  output wire [Width-1:0]        out_data_o,
  output wire [SelBits-1:0]      out_source_o
);

  generate
    if (Inputs < 1) begin : gen_illegal_inputs
      illegal_Inputs_is_below_1 u_illegal ();
    end
  endgenerate

  reg               valid_q;
  reg [Width-1:0]   data_q;
  reg [SelBits-1:0] source_q;
  reg [SelBits-1:0] sel_q;
  reg [SelBits-1:0] sel_d;
  reg [SelBits-1:0] low;       // lowest other input with a word
  reg [SelBits-1:0] high;      // lowest one above sel_q
  reg               any_low;
  reg               any_high;
  reg [Width-1:0]   word;      // of the selected input
  reg               word_valid;
  integer           i;

  wire free = !valid_q || out_ready_i;  // the output register is free after this edge

  assign out_valid_o  = valid_q;
  assign out_data_o   = data_q;
  assign out_source_o = source_q;

  always @* begin
    in_ready_o = {Inputs{1'b0}};
    word       = {Width{1'b0}};
    word_valid = 1'b0;
    low        = {SelBits{1'b0}};
    high       = {SelBits{1'b0}};
    any_low    = 1'b0;
    any_high   = 1'b0;
    for (i = Inputs - 1; i >= 0; i = i - 1) begin
      if (sel_q == i[SelBits-1:0]) begin
        in_ready_o[i] = free;
        word          = in_data_i[Width*i +: Width];
        word_valid    = in_valid_i[i];
      end else if (in_valid_i[i]) begin
        if (sel_q < i[SelBits-1:0]) begin
          high     = i[SelBits-1:0];
          any_high = 1'b1;
        end
        low     = i[SelBits-1:0];
        any_low = 1'b1;
      end
    end
    sel_d = sel_q;
    if (free || !word_valid) begin
      if (any_high) sel_d = high;
      else if (any_low) sel_d = low;
    end
  end

  always @(posedge clk_i) begin
    if (rst_i) begin
      valid_q <= 1'b0;
      sel_q   <= {SelBits{1'b0}};
    end else begin
      sel_q <= sel_d;
      if (free) valid_q <= word_valid;
    end
  end

  always @(posedge clk_i) begin
    if (free && word_valid) begin
      data_q   <= word;
      source_q <= sel_q;
    end
  end

endmodule

`default_nettype wire
