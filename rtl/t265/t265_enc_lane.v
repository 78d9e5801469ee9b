// Codes slices, one after the other: the binariser, the CABAC engine, and the packing
// with emulation prevention. A slice begins when the bytes of the one before are gone.
//
// Mirror:     t265/hwenc/lane.go
// Latency:    8 from a word to the bits
// Throughput: 1 operation a cycle
// Storage:    1 bit, and those of its parts
// Packing:    in_data_i as in t265_binarise; byte i of a word in out_data_o[8*i +: 8]

`default_nettype none

module t265_enc_lane #(
  parameter Bypass  = 4,   // bypass bins a cycle, 4..7
  parameter Groups  = 8,   // groups of them that wait
  parameter MaxTU   = 16,  // largest transform block, 8, 16 or 32
  parameter RunBits = 16   // bits of the count of outstanding bytes
) (
  input  wire        clk_i,
  input  wire        rst_i,
  input  wire        in_valid_i,
  output wire        in_ready_o,
  input  wire [55:0] in_data_i,
  output wire        init_valid_o,
  output wire [5:0]  init_qp_o,
  input  wire        set_valid_i,  // while init_valid_o is high
  input  wire [6:0]  set_ctx_i,
  input  wire [6:0]  set_value_i,
  input  wire        set_last_i,
  output wire        out_valid_o,
  input  wire        out_ready_i,
  output wire [63:0] out_data_o,
  output wire [3:0]  out_count_o,
  output wire        out_last_o,
  output wire        overflow_o
);

  generate
    if (MaxTU != 8 && MaxTU != 16 && MaxTU != 32) begin : gen_illegal_max_tu
      illegal_MaxTU_is_not_8_16_or_32 u_illegal ();
    end
  endgenerate

  reg        open_q;  // a slice is under way, or its bytes are

  wire       op_valid;
  wire       op_ready;
  wire [1:0] op_kind;
  wire [6:0] op_ctx;
  wire [2:0] op_count;
  wire [6:0] op_bits;
  wire       byte_valid;
  wire       byte_ready;
  wire [7:0] byte_data;
  wire       byte_last;

  always @(posedge clk_i) begin
    if (rst_i) open_q <= 1'b0;
    else if (init_valid_o) open_q <= 1'b1;
    else if (out_valid_o && out_ready_i && out_last_o) open_q <= 1'b0;
  end

  // A context is taken in the cycle in which it comes: what is behind the binariser is
  // empty between slices.
  /* verilator lint_off PINCONNECTEMPTY */
  t265_binarise #(
    .Bypass(Bypass),
    .Groups(Groups)
  ) u_binarise (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .start_i     (!open_q),
    .in_valid_i  (in_valid_i),
    .in_ready_o  (in_ready_o),
    .in_data_i   (in_data_i),
    .init_valid_o(init_valid_o),
    .init_qp_o   (init_qp_o),
    .set_valid_i (set_valid_i),
    .set_ready_o (),
    .set_ctx_i   (set_ctx_i),
    .set_value_i (set_value_i),
    .set_last_i  (set_last_i),
    .out_valid_o (op_valid),
    .out_ready_i (op_ready),
    .out_kind_o  (op_kind),
    .out_ctx_o   (op_ctx),
    .out_count_o (op_count),
    .out_bits_o  (op_bits)
  );
  /* verilator lint_on PINCONNECTEMPTY */

  vc_cabac_enc #(
    .Contexts(MaxTU == 8 ? 65 : MaxTU == 16 ? 79 : 89),
    .Bypass  (Bypass),
    .RunBits (RunBits)
  ) u_enc (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .in_valid_i (op_valid),
    .in_ready_o (op_ready),
    .in_kind_i  (op_kind),
    .in_ctx_i   (op_ctx),
    .in_count_i (op_count),
    .in_bits_i  (op_bits),
    .out_valid_o(byte_valid),
    .out_ready_i(byte_ready),
    .out_data_o (byte_data),
    .out_last_o (byte_last),
    .overflow_o (overflow_o)
  );

  vc_nal_pack #(
    .Bytes(8)
  ) u_nal (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .in_valid_i (byte_valid),
    .in_ready_o (byte_ready),
    .in_data_i  (byte_data),
    .in_last_i  (byte_last),
    .out_valid_o(out_valid_o),
    .out_ready_i(out_ready_i),
    .out_data_o (out_data_o),
    .out_count_o(out_count_o),
    .out_last_o (out_last_o)
  );

endmodule

`default_nettype wire
