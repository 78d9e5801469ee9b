// Parses residual_block_cabac (H.264 clause 7.3.5.3.3) into groups of four levels,
// a bin a cycle: significance map upwards, then levels from the highest position
// down. While these are decoded it looks for the next group that has some, one
// group a cycle. Bits of a suffix and the sign behind them go Bypass a cycle, the
// last of them with the sign.
//
// Mirror:     t264/hwdec/residual.go
// Latency:    0 from the sign of a level to the level
// Throughput: 1 bin a cycle; of a run of groups without levels, the second and later cost a cycle
// Storage:    106 bits

`default_nettype none

module t264_parse_residual #(
  parameter Bypass = 1  // bypass bins a cycle, 1..4
) (
  input  wire        clk_i,
  input  wire        start_i,      // a block may begin
  input  wire        active_i,     // it is being parsed
  input  wire        step_i,       // on to the next bin
  input  wire        bin_i,        // where one is asked for
  input  wire [Bypass-1:0] bins_i, // of a suffix and sign, most significant first
  input  wire [1:0]  cat_i,        // 0 DC, 1 AC, 2 4x4, 3 8x8; stable from start_i to the last bin
  output wire        sign_o,       // the bin is a sign: a level goes to the items
  output wire        waits_o,      // but for its group, which is being looked for
  output wire        fork_o,       // the next requests differ in the context
  output reg  [1:0]  zero_kind_o,  // the next request if the bin is zero
  output reg  [7:0]  zero_ctx_o,
  output reg  [1:0]  one_kind_o,   // if it is one
  output wire [7:0]  one_ctx_o,    // if fork_o is high; else both are for zero_ctx_o
  output wire [2:0]  count_o,      // bypass bins of the next request if the bin is zero; else 1
  output wire [1:0]  slot_o,       // place of the level in its group
  output wire [15:0] level_o,
  output wire        push_o,       // with a sign: the group is complete
  output wire [3:0]  group_o,
  output wire        last_o,       // and so is the block
  output wire        bad_o         // a level beyond 16 bits
);

  localparam [2:0] SIG    = 3'd0;  // significant_coeff_flag
  localparam [2:0] LAST   = 3'd1;  // last_significant_coeff_flag
  localparam [2:0] PREFIX = 3'd2;  // of coeff_abs_level_minus1
  localparam [2:0] ONES   = 3'd3;  // ones of its suffix
  localparam [2:0] SUFFIX = 3'd4;  // Bypass bits of the suffix
  localparam [2:0] SIGN   = 3'd5;  // the rest of them, and coeff_sign_flag

  localparam [31:0] BYPASS32   = Bypass;
  localparam [3:0]  GROUP      = BYPASS32[3:0];
  localparam [3:0]  TWO_GROUPS = {BYPASS32[2:0], 1'b0};

  localparam [1:0] NONE    = 2'd0;  // kinds of requests
  localparam [1:0] CONTEXT = 2'd1;
  localparam [1:0] BYPASS  = 2'd2;

  localparam [1:0] AC    = 2'd1;
  localparam [1:0] EIGHT = 2'd3;

  reg [2:0]  state_q;
  reg [5:0]  k_q;      // scan position; of levels, the group in its upper bits
  reg [3:0]  map_q;    // levels not zero in the group
  reg [6:0]  count_q;  // levels that are not decoded yet
  reg [2:0]  abs_q;    // 0..3 levels of one, 4..7 levels above one (clause 9.3.3.1.3)
  reg [15:0] a_q;      // level - 1; of an escaped one: 1, then the bits of its suffix
  reg        esc_q;    // a_q is of a suffix
  reg [3:0]  ones_q;   // ones of the suffix, then bits to come

  wire eight  = cat_i == EIGHT;
  wire flags  = state_q == SIG || state_q == LAST;
  wire onward = flags && !bin_i;  // to the next position
  wire mark   = state_q == SIG && bin_i;

  // The position after k_q; the last one has no flags.
  wire [5:0] k_next = k_q + 6'd1;
  wire       at_end = k_next == (eight ? 6'd63 : 6'd15);
  wire [5:0] sig8;
  wire [5:0] last8;

  t264_scan8 u_scan8 (
    .k_i   (k_q),
    .sig_o (sig8),
    .last_o(last8)
  );

  // Level.
  wire       sign   = state_q == SIGN;
  wire       one    = a_q == 16'd0;
  wire       final_ = count_q == 7'd1;
  wire [3:0] rest   = slot_o == 2'd3 ? {1'b0, map_q[2:0]} :
                      slot_o == 2'd2 ? {2'b00, map_q[1:0]} :
                      slot_o == 2'd1 ? {3'b000, map_q[0]} : 4'd0;
  wire       too_many = ones_q == 4'd14;
  wire       empty  = map_q == 4'd0;
  wire       lower  = state_q >= PREFIX && (empty || sign && step_i && rest == 4'd0);
  wire [3:0] maps;

  assign sign_o  = sign;
  assign waits_o = empty;
  assign slot_o  = map_q[3] ? 2'd3 : map_q[2] ? 2'd2 : {1'b0, map_q[1]};
  assign push_o  = sign && rest == 4'd0;
  assign group_o = k_q[5:2];
  assign last_o  = sign && final_;
  assign bad_o   = sign && wide || state_q == ONES && bin_i && too_many;

  // The level: m without its sign, less one. Of a group, the bits of the suffix
  // come late with the sign: above the three lowest, the sum is there for either
  // carry. Only a suffix of 14 bits, of which the last Bypass at most are of the
  // group, gives a level beyond 16 bits.
  wire wide;

  generate
    if (Bypass == 1) begin : gen_bit
      wire [15:0] m    = a_q + (esc_q ? 16'd13 : 16'd0);
      wire [15:0] plus = m + 16'd1;

      assign level_o = bins_i ? ~m : plus;
      assign wide    = bins_i ? m[15] : plus[15];
      assign count_o = 3'd1;
    end else begin : gen_group
      wire [15:0] a     = a_q << ones_q[1:0];
      wire [2:0]  late  = a[2:0] | {{(4 - Bypass) {1'b0}}, bins_i[Bypass-1:1]};
      wire [12:0] high0 = a[15:3] + {12'd0, esc_q};
      wire [12:0] high1 = high0 + 13'd1;
      wire [3:0]  m     = {1'b0, late} + (esc_q ? 4'd5 : 4'd0);
      wire [3:0]  plus  = {1'b0, late} + (esc_q ? 4'd6 : 4'd1);
      wire [3:0]  left  = state_q == SUFFIX ? ones_q - GROUP : ones_q;
      wire [2:0]  group = left < GROUP ? left[2:0] + 3'd1 : GROUP[2:0];

      assign level_o = bins_i[0] ? ~{m[3] ? high1 : high0, m[2:0]}
                                 : {plus[3] ? high1 : high0, plus[2:0]};
      assign wide = a[14:4] == 11'h7ff && (a[3] || late[2] || late[1] && (late[0] || !bins_i[0]));
      assign count_o = active_i ? group : 3'd1;
    end
  endgenerate

  // The last group of an 8x8 block is never read.
  vc_ram_ff #(
    .Width(4),
    .Depth(15)
  ) u_maps (
    .clk_i  (clk_i),
    .we_i   (flags),
    .waddr_i(k_q[5:2]),
    .wdata_i(map_q),
    .raddr_i(k_q[5:2] - 4'd1),
    .rdata_o(maps)
  );

  // The contexts after a level, and the requests. Places of contexts are those of
  // t264/hw/dec_order.go.
  localparam [3:0] INC0 = 4'd0;

  reg  [2:0] abs_d;
  wire [3:0] then_inc = abs_d[2] ? INC0 : {2'b00, abs_d[1:0]} + 4'd1;
  wire [3:0] more_inc = abs_q[2] ? {2'b01, abs_q[1:0]} + 4'd2 : 4'd5;
  wire [7:0] first    = {6'h31, cat_i};  // ctxIdxInc 1 of coeff_abs_level_minus1
  wire [7:0] sig_ctx  = {2'd0, eight ? sig8 : {cat_i, k_next[3:0]}};
  wire [7:0] last_ctx = {2'd1, eight ? last8 : {cat_i, k_q[3:0]}};

  assign fork_o    = flags;
  assign one_ctx_o = state_q == SIG ? last_ctx : first;

  always @* begin
    abs_d = abs_q;
    if (one) begin
      if (abs_q < 3'd3) abs_d = abs_q + 3'd1;
    end else if (!abs_q[2]) begin
      abs_d = 3'd4;
    end else if (abs_q != 3'd7) begin
      abs_d = abs_q + 3'd1;
    end
  end

  always @* begin
    zero_kind_o = BYPASS;
    zero_ctx_o  = {2'd2, more_inc, cat_i};
    one_kind_o  = BYPASS;
    case (state_q)
      SIG, LAST: begin
        zero_kind_o = CONTEXT;
        one_kind_o  = CONTEXT;
        zero_ctx_o  = at_end ? first : sig_ctx;
      end
      PREFIX: if (a_q[3:0] != 4'd13) one_kind_o = CONTEXT;
      SIGN: begin
        zero_kind_o = final_ ? NONE : CONTEXT;
        one_kind_o  = final_ ? NONE : CONTEXT;
        zero_ctx_o  = {2'd2, then_inc, cat_i};
      end
      default: ;
    endcase
  end

  // The next state.
  reg [2:0] state_d;

  always @* begin
    case (state_q)
      SIG: state_d = bin_i ? LAST : at_end ? PREFIX : SIG;
      LAST: state_d = bin_i || at_end ? PREFIX : SIG;
      PREFIX: state_d = !bin_i ? SIGN : a_q[3:0] == 4'd13 ? ONES : PREFIX;
      ONES: state_d = bin_i ? ONES : ones_q < GROUP ? SIGN : SUFFIX;
      SUFFIX: state_d = ones_q < TWO_GROUPS ? SIGN : SUFFIX;
      default: state_d = PREFIX;
    endcase
  end

  always @(posedge clk_i) begin
    if (start_i) begin
      state_q <= SIG;
      k_q     <= {5'd0, cat_i == AC};
      map_q   <= 4'd0;
      count_q <= 7'd0;
      abs_q   <= 3'd0;
    end else if (active_i) begin
      if (step_i) state_q <= state_d;
      if (step_i && onward) k_q <= k_next;
      if (lower) k_q[5:2] <= k_q[5:2] - 4'd1;
      if (lower) map_q <= maps;
      else if (mark) map_q[k_q[1:0]] <= 1'b1;  // a bin that waits is what it will be
      else if (step_i && onward) map_q <= (k_q[1:0] == 2'd3 ? 4'd0 : map_q) | {at_end, 3'd0};
      else if (step_i && sign) map_q <= rest;
      if (step_i && (mark || onward && at_end)) count_q <= count_q + 7'd1;
      if (step_i && sign) count_q <= count_q - 7'd1;
      if (step_i && sign) abs_q <= abs_d;
    end
  end

  always @(posedge clk_i) begin
    if (start_i || step_i && sign) begin
      a_q    <= 16'd0;
      esc_q  <= 1'b0;
      ones_q <= 4'd0;
    end else if (step_i && bin_i && state_q == PREFIX) begin
      a_q   <= a_q[3:0] == 4'd13 ? 16'd1 : a_q + 16'd1;
      esc_q <= a_q[3:0] == 4'd13;
    end else if (step_i && bin_i && state_q == ONES) begin
      ones_q <= ones_q + 4'd1;
    end else if (step_i && state_q == SUFFIX) begin
      a_q    <= {a_q[15-Bypass:0], bins_i};
      ones_q <= ones_q - GROUP;
    end
  end

endmodule

`default_nettype wire
