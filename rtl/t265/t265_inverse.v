// Inverse transform of blocks of 8x8 and 16x16 (clause 8.6.4.2): a memory of strips of
// four columns, columns, a memory to transpose them, and rows. The residual is limited
// to s9.
//
// Words: COEF in, RES out (gen/t265_enc_words.vh), with the tag in two parts: log2 of
// the size less 2 is its highest field.
//
// Mirror:     t265/hwenc/transform.go
// Latency:    21 for 8x8 (17 with MaxTU 8), 49 for 16x16, from the first beat to the first
// Throughput: as that of t265_forward
// Storage:    10 SRAMs of 1024 bits (with MaxTU 8 3072 latches), about 1500 bits

`default_nettype none

module t265_inverse #(
  parameter MaxTU    = 16,  // largest block, 8 or 16
  parameter TagWidth = 17,  // bits of a tag without the size
  parameter WordBits = TagWidth + 2  // bits of a tag
) (
  input  wire                  clk_i,
  input  wire                  rst_i,
  input  wire                  in_valid_i,
  output wire                  in_ready_o,
  input  wire [WordBits+127:0] in_data_i,
  output wire                  out_valid_o,
  input  wire                  out_ready_i,
  output wire [WordBits+71:0]  out_data_o
);

  generate
    if (MaxTU != 8 && MaxTU != 16) begin : gen_illegal_max_tu
      illegal_MaxTU_is_neither_8_nor_16 u_illegal ();
    end
  endgenerate

  localparam [1:0] NONE   = 2'd0;
  localparam [1:0] WHOLE  = 2'd1;
  localparam [1:0] FIRST  = 2'd2;
  localparam [1:0] SECOND = 2'd3;

  // Columns. The room for the strip of a small block counts if there is a block.
  wire [WordBits-1:0] in_tag   = in_data_i[WordBits-1:0];
  wire                in_large = MaxTU != 8 && in_tag[WordBits-1];
  wire                take     = in_valid_i && in_ready_o;
  wire                tag_free;
  wire                begins;
  wire                strip_room;
  wire                columns_go;
  wire                column_any;
  wire                column_large;
  wire                column_second;
  wire [1:0]          column_next = !column_any    ? NONE
                                  : !column_large  ? WHOLE
                                  : !column_second ? FIRST : SECOND;
  wire [127:0]        column;
  wire [1:0]          column_part;
  wire [1:0]          column_leave;
  wire [127:0]        column_beat;
  wire                column_room;

  assign in_ready_o = (tag_free || !begins) && strip_room;
  assign columns_go = column_leave == NONE || column_room;

  t265_strips #(
    .MaxTU  (MaxTU),
    .Inverse(1)
  ) u_strips (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .write_i (take),
    .large_i (in_large || !in_valid_i),
    .data_i  (in_data_i[WordBits +: 128]),
    .room_o  (strip_room),
    .read_i  (columns_go && column_any),
    .any_o   (column_any),
    .large_o (column_large),
    .second_o(column_second),
    .data_o  (column)
  );

  t265_idct #(
    .MaxTU(MaxTU),
    .Shift(7),
    .Width(16)
  ) u_columns (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .en_i    (columns_go),
    .part_i  (column_part),
    .values_i(column),
    .leave_o (column_leave),
    .beat_o  (column_beat)
  );

  // Rows.
  reg          out_valid_q;
  reg  [71:0]  out_q;
  wire         rows_go = !out_valid_q || out_ready_i;
  wire         row_out;  // a beat leaves
  wire         row_any;
  wire         row_large;
  wire         row_second;
  wire [1:0]   row_next = !row_any ? NONE : !row_large ? WHOLE : !row_second ? FIRST : SECOND;
  wire [127:0] row;
  wire [1:0]   row_part;
  wire [1:0]   row_leave;
  wire [71:0]  row_beat;

  t265_transpose #(
    .MaxTU  (MaxTU),
    .Inverse(1)
  ) u_transpose (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .write_i (columns_go && column_leave != NONE),
    .large_i (column_leave[1]),
    .data_i  (column_beat),
    .room_o  (column_room),
    .read_i  (rows_go && row_any),
    .any_o   (row_any),
    .large_o (row_large),
    .second_o(row_second),
    .data_o  (row)
  );

  t265_idct #(
    .MaxTU(MaxTU),
    .Shift(12),
    .Width(9)
  ) u_rows (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .en_i    (rows_go),
    .part_i  (row_part),
    .values_i(row),
    .leave_o (row_leave),
    .beat_o  (row_beat)
  );

  generate
    if (MaxTU == 8) begin : gen_parts
      assign column_part = column_next;
      assign row_part    = row_next;
    end else begin : gen_part_words
      reg [1:0] column_part_q;
      reg [1:0] row_part_q;

      assign column_part = column_part_q;
      assign row_part    = row_part_q;

      always @(posedge clk_i) begin
        if (rst_i) begin
          column_part_q <= NONE;
          row_part_q    <= NONE;
        end else begin
          if (columns_go) column_part_q <= column_next;
          if (rows_go) row_part_q <= row_next;
        end
      end
    end
  endgenerate

  always @(posedge clk_i) begin
    if (rst_i) out_valid_q <= 1'b0;
    else if (rows_go) out_valid_q <= row_leave != NONE;
  end

  always @(posedge clk_i) begin
    if (row_out) out_q <= row_beat;
  end

  assign row_out     = rows_go && row_leave != NONE;
  assign out_valid_o = out_valid_q;
  assign out_data_o[WordBits +: 72] = out_q;

  t265_tags #(
    .MaxTU  (MaxTU),
    .TagWidth(WordBits)
  ) u_tags (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .in_i    (take),
    .in_tag_i(in_tag),
    .begins_o(begins),
    .free_o  (tag_free),
    .out_i   (row_out),
    .tag_o   (out_data_o[WordBits-1:0])
  );

endmodule

`default_nettype wire
