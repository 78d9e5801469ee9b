// Forward transform of blocks of 8x8 and 16x16 samples (package t265, tier hw): rows,
// a memory to transpose them, columns, and a memory of strips of four columns, of which
// 4x4 sub-blocks leave.
//
// Words: RES in, COEF out (gen/t265_enc_words.vh), with the tag in two parts: log2 of
// the size less 2 is its highest field. With a constant there the hardware for the
// other size goes away.
//
// Mirror:     t265/hwenc/transform.go
// Latency:    21 for 8x8 (17 with MaxTU 8), 49 for 16x16, from the first beat to the first
// Throughput: 1 beat a cycle, but a gap of at most 8 cycles in a block of 16x16 that
//             follows one to three of 8x8 and another one of 16x16
// Storage:    10 SRAMs of 1024 bits (with MaxTU 8 3072 latches), about 1500 bits

`default_nettype none

module t265_forward #(
  parameter MaxTU    = 16,  // largest block, 8 or 16
  parameter TagWidth = 17,  // bits of a tag without the size
  parameter WordBits = TagWidth + 2  // bits of a tag
) (
  input  wire                  clk_i,
  input  wire                  rst_i,
  input  wire                  in_valid_i,
  output wire                  in_ready_o,
  input  wire [WordBits+71:0]  in_data_i,
  output wire                  out_valid_o,
  input  wire                  out_ready_i,
  output wire [WordBits+127:0] out_data_o
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

  // Rows. Their second halves are exchanged: samples 0 to 3 and 12 to 15 go first.
  wire [71:0]         in_values = in_data_i[WordBits +: 72];
  wire [WordBits-1:0] in_tag    = in_data_i[WordBits-1:0];
  wire                in_large  = MaxTU != 8 && in_tag[WordBits-1];
  wire                take      = in_valid_i && in_ready_o;
  wire                rows_go;
  wire                tag_free;
  wire                begins;
  wire [1:0]          row_part;
  wire [71:0]         row;
  wire [1:0]          row_leave;
  wire [127:0]        row_beat;
  wire                row_room;

  assign in_ready_o = rows_go && (tag_free || !begins);
  assign rows_go    = row_leave == NONE || row_room;

  generate
    if (MaxTU == 8) begin : gen_row
      assign row_part = take ? WHOLE : NONE;
      assign row      = in_values;
    end else begin : gen_half_row
      reg  [1:0]  part_q;
      reg  [71:0] half_q;
      wire        right = part_q == FIRST;

      assign row_part = !right ? part_q : take ? FIRST : NONE;
      assign row      = right ? {in_values[71:36], half_q[35:0]} : half_q;

      always @(posedge clk_i) begin
        if (rst_i) part_q <= NONE;
        else if (rows_go) begin
          if (take) part_q <= right ? SECOND : in_large ? FIRST : WHOLE;
          else if (!right) part_q <= NONE;
        end
      end

      always @(posedge clk_i) begin
        // The order of the second half: 8 to 11, then 4 to 7.
        if (take) half_q <= right ? {half_q[71:36], in_values[35:0]} : in_values;
      end
    end
  endgenerate

  t265_fdct #(
    .Width  (9),
    .MaxTU  (MaxTU),
    .Shift  (2),
    .Columns(0)
  ) u_rows (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .en_i    (rows_go),
    .part_i  (row_part),
    .values_i(row),
    .leave_o (row_leave),
    .beat_o  (row_beat)
  );

  // Columns.
  wire         columns_go;
  wire         column_any;
  wire         column_large;
  wire         column_second;
  wire         column_read = columns_go && column_any;
  wire [1:0]   column_next = !column_any    ? NONE
                           : !column_large  ? WHOLE
                           : !column_second ? FIRST : SECOND;
  wire [127:0] column;
  wire [1:0]   column_part;
  wire [1:0]   column_leave;
  wire [127:0] column_beat;
  wire         column_room;

  assign columns_go = column_leave == NONE || column_room;

  t265_transpose #(
    .MaxTU  (MaxTU),
    .Inverse(0)
  ) u_transpose (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .write_i (rows_go && row_leave != NONE),
    .large_i (row_leave[1]),
    .data_i  (row_beat),
    .room_o  (row_room),
    .read_i  (column_read),
    .any_o   (column_any),
    .large_o (column_large),
    .second_o(column_second),
    .data_o  (column)
  );

  generate
    if (MaxTU == 8) begin : gen_column
      assign column_part = column_next;
    end else begin : gen_column_word
      reg [1:0] part_q;

      assign column_part = part_q;

      always @(posedge clk_i) begin
        if (rst_i) part_q <= NONE;
        else if (columns_go) part_q <= column_next;
      end
    end
  endgenerate

  t265_fdct #(
    .Width  (16),
    .MaxTU  (MaxTU),
    .Shift  (9),
    .Columns(1)
  ) u_columns (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .en_i    (columns_go),
    .part_i  (column_part),
    .values_i(column),
    .leave_o (column_leave),
    .beat_o  (column_beat)
  );

  // Strips.
  reg          out_valid_q;
  wire         out_go = !out_valid_q || out_ready_i;
  wire         out_any;
  wire         out_large;
  wire         out_second;
  wire         out_read = out_go && out_any;
  wire         out_next_large;
  wire [127:0] part;
  wire [127:0] sub;

  wire unused = &{1'b0, in_large, out_second, out_next_large};

  t265_strips #(
    .MaxTU  (MaxTU),
    .Inverse(0)
  ) u_strips (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .write_i (columns_go && column_leave != NONE),
    .large_i (column_leave[1]),
    .data_i  (column_beat),
    .room_o  (column_room),
    .read_i  (out_read),
    .any_o   (out_any),
    .large_o (out_next_large),
    .second_o(out_second),
    .data_o  (part)
  );

  always @(posedge clk_i) begin
    if (rst_i) out_valid_q <= 1'b0;
    else if (out_go) out_valid_q <= out_any;
  end

  assign sub[15:0]   = part[15:0];
  assign sub[31:16]  = out_large ? part[47:32] : part[31:16];
  assign sub[47:32]  = out_large ? part[31:16] : part[47:32];
  assign sub[79:48]  = part[79:48];
  assign sub[95:80]  = out_large ? part[111:96] : part[95:80];
  assign sub[111:96] = out_large ? part[95:80] : part[111:96];
  assign sub[127:112] = part[127:112];

  generate
    if (MaxTU == 8) begin : gen_out
      reg [127:0] out_q;

      assign out_large = 1'b0;
      assign out_data_o[WordBits +: 128] = out_q;

      always @(posedge clk_i) begin
        if (out_read) out_q <= sub;
      end
    end else begin : gen_out_word
      reg large_q;

      assign out_large = large_q;
      assign out_data_o[WordBits +: 128] = sub;

      always @(posedge clk_i) begin
        if (out_read) large_q <= out_next_large;
      end
    end
  endgenerate

  assign out_valid_o = out_valid_q;

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
    .out_i   (out_read),
    .tag_o   (out_data_o[WordBits-1:0])
  );

endmodule

`default_nettype wire
