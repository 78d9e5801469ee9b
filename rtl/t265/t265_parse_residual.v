// Parses residual_coding (H.265 clause 7.3.8.11) into groups of four levels.
//
// Mirror:     t265/hwdec/residual.go
// Latency:    2 from the last bin of a sub-block to its last group
// Throughput: 1 request a cycle; five cycles without one for a block
// Storage:    59 bits, and those of sub-blocks, remainders and levels

`default_nettype none

module t265_parse_residual #(
  parameter Bypass = 4  // bypass bins a cycle of signs and levels, 1..4
) (
  input  wire              clk_i,
  input  wire              active_i,     // a block is being parsed
  input  wire              abort_i,      // the slice segment ends early
  input  wire              step_i,       // on to the next request
  input  wire              bin_i,        // where one is asked for
  input  wire [Bypass-1:0] bins_i,       // of signs and levels, most significant first
  input  wire [1:0]        log2_i,       // of the block, less 2
  input  wire [1:0]        scan_i,       // scanIdx
  input  wire              hide_i,       // sign_data_hiding_enabled_flag
  input  wire              free_i,       // the item register is free
  output wire [6:0]        first_ctx_o,  // of the first request of a block
  output wire              enable_o,
  output wire              head_o,       // the item of the block may leave
  output wire              end_o,        // the block is complete
  output wire              fork_o,       // the next requests differ in the context
  output reg  [1:0]        zero_kind_o,  // the next request if the bin is zero
  output reg  [6:0]        zero_ctx_o,
  output reg  [2:0]        zero_count_o,
  output reg  [1:0]        one_kind_o,   // if it is one
  output wire [1:0]        one_set_o,    // its context, if fork_o is high: ctxSet of greater1Ctx 0
  output wire [2:0]        one_count_o,
  output wire [3:0]        set_o,        // levels to the word of the item
  output wire [63:0]       levels_o,
  output wire              push_o,       // the word is complete
  output wire [5:0]        sub_o,
  output wire [1:0]        group_o
);

  localparam [4:0] LAST_X = 5'd0, GAP = 5'd1, LAST_Y = 5'd2, BITS_X = 5'd3, BITS_Y = 5'd4;
  localparam [4:0] BEGIN = 5'd5, KNOWN = 5'd6, ENTER = 5'd7, ADV = 5'd8, CODED = 5'd9, SIG = 5'd10;
  localparam [4:0] G1 = 5'd11, G2 = 5'd12, SIGN = 5'd13, PREFIX = 5'd14, SUFFIX = 5'd15;
  localparam [4:0] FLUSH = 5'd16;

  localparam [1:0] NONE = 2'd0, CONTEXT = 2'd1, BYPASS = 2'd2;  // kinds of requests
  localparam [1:0] HORIZONTAL = 2'd1, VERTICAL = 2'd2;  // scans

  localparam [31:0] BYPASS32 = Bypass;
  localparam [2:0]  MOST     = BYPASS32[2:0];

  reg [4:0] state_q;
  reg [4:0] x_q;         // the last position, prefix first; then, in bits 4..2, the sub-block
  reg [4:0] y_q;
  reg [3:0] n_q;         // bins of the prefix
  reg [4:0] need_q;      // bypass bins to come, of a suffix of the position or of signs
  reg [3:0] k_q;         // scan position
  reg [4:0] count_q;     // levels of the sub-block
  reg [3:0] top_q;       // position of the first one
  reg       hidden_q;    // the sign of the last one is hidden
  reg [1:0] set_q;       // ctxSet
  reg [1:0] greater1_q;  // greater1Ctx
  reg       first_q;     // the next remainder is that of the first level above two
  reg [2:0] m_q;         // flags of levels so far
  reg [4:0] remain_q;    // levels with a remainder that are to come

  wire go     = active_i && step_i;
  wire vector = state_q == LAST_Y || state_q == GAP;

  // The last position.
  wire [3:0] start  = log2_i == 2'd0 ? 4'd0 : log2_i[1] ? 4'd6 : 4'd3;
  wire [3:0] n_next = state_q == GAP ? 4'd0 : n_q + 4'd1;
  wire [3:0] limit  = {1'b0, log2_i, 1'b1} + 4'd2;
  wire       full   = n_next == limit;
  wire [3:0] index  = (log2_i == 2'd0 ? n_next : {1'b0, n_next[3:1]}) + start;
  wire [6:0] last_ctx = log2_i == 2'd3 ? {3'b101, vector, n_next[3:1]} : {2'b01, vector, index};
  wire [3:0] n_last = bin_i ? n_next : n_q;
  wire       long_x = |x_q[4:2];
  wire       long_y = state_q == LAST_Y ? |n_last[3:2] : |y_q[4:2];
  wire [4:0] x_last = scan_i == VERTICAL ? y_q : x_q;
  wire [4:0] y_last = scan_i == VERTICAL ? x_q : y_q;
  wire [3:0] k_last;

  assign first_ctx_o = log2_i == 2'd3 ? 7'b1010000 : {3'b010, start};

  t265_place4 u_place4 (
    .scan_y_x_i({scan_i, y_last[1:0], x_last[1:0]}), .k_o(k_last)
  );

  // Sub-blocks. One is left with its last flag of significance: from then on the place is
  // that of the next one.
  wire       bottom = k_q == 4'd0;
  wire       empty  = count_q == 5'd0;
  wire       known  = state_q == KNOWN;
  wire       found  = state_q == SIG && bin_i;
  wire       to_flags = bottom && (known || found || state_q == SIG && !empty);
  wire       leave  = state_q == ADV || bottom && (known || state_q == SIG);
  wire       later, right, below, beside, home;  // home: that of the levels on their way
  wire [2:0] x_next, y_next;

  t265_parse_scan u_scan (
    .clk_i(clk_i), .clear_i(!active_i), .log2_i(log2_i), .horizontal_i(scan_i == HORIZONTAL),
    .x_i(x_q[4:2]), .y_i(y_q[4:2]), .leave_i(go && leave), .coded_i(to_flags), .x_o(x_next),
    .y_o(y_next), .later_o(later), .right_o(right), .below_o(below), .beside_o(beside),
    .sub_o(sub_o), .home_o(home)
  );

  // Significance; the position before 0 is 15, of the next sub-block.
  wire [3:0] k_next = k_q - 4'd1;
  wire [4:0] sig_inc;
  wire       infer  = k_q == 4'd1 && empty && later;
  wire       open   = known || state_q == ENTER || state_q == CODED && bin_i;
  wire [3:0] apart  = top_q - k_q;

  t265_sig u_sig (
    .log2_i(log2_i), .scan_i(scan_i), .later_i(later), .around_i({below, right}), .k_i(k_next),
    .inc_o(sig_inc)
  );

  // Flags of levels.
  wire [1:0] set      = {later, greater1_q == 2'd0};
  wire [1:0] zero_inc = greater1_q == 2'd0 || greater1_q == 2'd3 ? greater1_q : greater1_q + 2'd1;
  wire [3:0] m_next   = {1'b0, m_q} + 4'd1;
  wire       flagged  = m_next[3] || {1'b0, m_next} == count_q;
  wire       above;

  // Signs.
  wire [4:0] signs    = count_q - {4'd0, hidden_q};
  wire [4:0] want     = state_q == SIGN ? need_q - {2'd0, MOST} : signs;
  wire       some     = state_q == SIGN && need_q > {2'd0, MOST};
  wire [2:0] taken    = some ? MOST : need_q[2:0];

  // Remainders. The levels from the ninth on have no flags.
  wire        waits, several, done, rest, prefix, big, idle;
  wire [2:0]  old_rice, rice, more;
  wire [15:0] a;
  wire [3:0]  plain   = count_q[4] ? 4'd8 : {1'b0, count_q[2:0] & {3{count_q[3]}}};
  wire [1:0]  base    = remain_q <= {1'b0, plain} ? 2'd1 : {1'b1, first_q};
  wire        final_  = remain_q == 5'd1;
  wire [2:0]  least   = state_q == SIGN ? 3'd1 : old_rice < MOST ? old_rice + 3'd1 : MOST;
  wire        flags   = known || state_q == SIG || state_q == G1 || state_q == G2;

  t265_parse_remaining #(
    .Bypass(Bypass)
  ) u_remaining (
    .clk_i(clk_i), .begin_i(go && (state_q == SIGN || done)), .group_i(least),
    .prefix_i(state_q == PREFIX), .suffix_i(state_q == SUFFIX), .step_i(go), .bins_i(bins_i),
    .rice_i(rice), .several_o(several), .done_o(done), .rest_o(rest), .prefix_o(prefix),
    .count_o(more), .big_o(big), .a_o(a)
  );

  t265_parse_levels #(
    .Bypass(Bypass)
  ) u_levels (
    .clk_i(clk_i), .clear_i(!active_i || step_i && abort_i), .open_i(go && open), .known_i(known),
    .found_i(go && found), .k_i(k_q), .flag_i(go && state_q == G1), .m_i(m_q), .bin_i(bin_i),
    .two_i(go && state_q == G2 && !bin_i), .sign_i(go && state_q == SIGN), .signs_i(taken),
    .bins_i(bins_i), .hidden_i(hidden_q), .flags_i(flags), .group_i(top_q[3:2] & {2{!empty}}),
    .count_i(count_q), .home_i(home), .signed_i(state_q != SIGN), .free_i(free_i),
    .full_i(go && done), .big_i(big), .base_i(base), .a_i(a), .above_o(above), .wait_o(waits),
    .old_rice_o(old_rice), .rice_o(rice), .set_o(set_o), .levels_o(levels_o), .push_o(push_o),
    .group_o(group_o), .idle_o(idle)
  );

  assign head_o   = state_q == GAP;
  assign enable_o = head_o ? free_i : state_q == PREFIX || state_q == SUFFIX ? !waits :
                    state_q == ENTER || state_q == CODED || state_q == FLUSH ? idle : 1'b1;
  assign end_o    = state_q == FLUSH;

  // Requests: zero_ctx_o also holds for a one, but after a flag that has a successor.
  assign fork_o      = state_q == G1 && !flagged;
  assign one_set_o   = set_q;
  assign one_count_o = prefix ? 3'd1 : zero_count_o;

  wire [1:0] enter = home || !later ? NONE : CONTEXT;  // of the next sub-block

  always @* begin
    zero_kind_o = NONE;
    one_kind_o  = NONE;
    case (state_q)
      LAST_X: one_kind_o = full ? NONE : CONTEXT;
      LAST_Y: begin
        zero_kind_o = long_x || |n_q[3:2] ? BYPASS : NONE;
        one_kind_o  = !full ? CONTEXT : long_x || |n_next[3:2] ? BYPASS : NONE;
      end
      GAP, KNOWN, ENTER: zero_kind_o = CONTEXT;
      BITS_X: {zero_kind_o, one_kind_o} = need_q != 5'd1 || long_y ? {2{BYPASS}} : {2{NONE}};
      BITS_Y: {zero_kind_o, one_kind_o} = need_q != 5'd1 ? {2{BYPASS}} : {2{NONE}};
      ADV: zero_kind_o = {1'b0, {x_next, y_next} != 6'd0};
      CODED: one_kind_o = CONTEXT;
      SIG: {zero_kind_o, one_kind_o} = {bottom && empty || infer ? NONE : CONTEXT, CONTEXT};
      G1: {zero_kind_o, one_kind_o} = {flagged && !above ? BYPASS : CONTEXT, CONTEXT};
      G2: {zero_kind_o, one_kind_o} = {2{BYPASS}};
      SIGN: {zero_kind_o, one_kind_o} = some || remain_q != 5'd0 ? {2{BYPASS}} : {2{enter}};
      PREFIX, SUFFIX: begin
        zero_kind_o = !several && done && final_ ? enter : BYPASS;
        one_kind_o  = prefix ? BYPASS : zero_kind_o;
      end
      default: ;
    endcase
  end

  always @* begin
    case (state_q)
      LAST_X, GAP, LAST_Y: zero_ctx_o = last_ctx;
      ADV: zero_ctx_o = {4'b1001, beside, 2'b00};
      SIGN, PREFIX, SUFFIX: zero_ctx_o = {4'b1001, right || below, 2'b00};
      KNOWN, SIG: zero_ctx_o = bottom ? {3'b100, set, 2'b01} : {2'b00, sig_inc};
      G1: zero_ctx_o = flagged ? {5'b00111, set_q} : zero_inc == 2'd0 ? {5'b11000, set_q}
                                                                      : {3'b100, set_q, zero_inc};
      default: zero_ctx_o = {2'b00, sig_inc};
    endcase
  end

  always @* begin
    zero_count_o = 3'd1;
    case (state_q)
      G1, G2: zero_count_o = want < {2'd0, MOST} ? want[2:0] : MOST;
      SIGN: if (some) zero_count_o = want < {2'd0, MOST} ? want[2:0] : MOST;
      PREFIX, SUFFIX: zero_count_o = several ? 3'd1 : done ? least : more;
      default: ;
    endcase
  end

  reg [4:0] state_d;

  // When all bins of a sub-block are there.
  wire [4:0] next = home ? FLUSH : later ? CODED : ENTER;

  always @* begin
    case (state_q)
      LAST_X: state_d = bin_i && !full ? LAST_X : GAP;
      LAST_Y: state_d = bin_i && !full ? LAST_Y : long_x ? BITS_X : long_y ? BITS_Y : BEGIN;
      BITS_X: state_d = need_q != 5'd1 ? BITS_X : long_y ? BITS_Y : BEGIN;
      BITS_Y: state_d = need_q != 5'd1 ? BITS_Y : BEGIN;
      KNOWN: state_d = bottom ? G1 : SIG;
      ENTER: state_d = SIG;
      ADV: state_d = {x_next, y_next} == 6'd0 ? ENTER : CODED;
      CODED: state_d = bin_i ? SIG : ADV;
      SIG: state_d = bottom ? (to_flags ? G1 : FLUSH) : infer && !bin_i ? KNOWN : SIG;
      G1: state_d = !flagged ? G1 : above || bin_i ? G2 : SIGN;
      G2: state_d = SIGN;
      SIGN: state_d = some ? SIGN : remain_q != 5'd0 ? PREFIX : next;
      PREFIX, SUFFIX:
        state_d = done ? (final_ ? next : PREFIX) : rest && !several ? SUFFIX : PREFIX;
      default: state_d = state_q + 5'd1;  // GAP, BEGIN
    endcase
  end

  always @(posedge clk_i) begin
    if (!active_i) begin
      state_q    <= LAST_X;
      n_q        <= 4'd0;
      greater1_q <= 2'd1;
    end else if (step_i) begin
      state_q <= state_d;
      n_q     <= state_q == GAP || bin_i ? n_next : n_q;
      if (to_flags) greater1_q <= 2'd1;
      if (state_q == G1) greater1_q <= bin_i ? 2'd0 : zero_inc;
    end
    if (go) begin
      if (to_flags) set_q <= set;
      case (state_q)
        LAST_X: x_q <= {1'b0, n_last};
        LAST_Y: if (full || !bin_i) begin
          need_q <= {2'd0, long_x ? x_q[3:1] : n_last[3:1]} - 5'd1;
          x_q    <= long_x ? {4'd1, x_q[0]} : x_q;
          y_q    <= long_y && !long_x ? {4'd1, n_last[0]} : {1'b0, n_last};
        end
        BITS_X: begin
          need_q <= (need_q == 5'd1 ? {2'd0, y_q[3:1]} : need_q) - 5'd1;
          x_q    <= {x_q[3:0], bin_i};
          y_q    <= need_q == 5'd1 && long_y ? {4'd1, y_q[0]} : y_q;
        end
        BITS_Y: {need_q, y_q} <= {need_q - 5'd1, y_q[3:0], bin_i};
        BEGIN: {x_q, y_q, k_q} <= {x_last, y_last, k_last};
        G1: need_q <= signs;
        G2: {need_q, first_q} <= {signs, bin_i};
        SIGN: need_q <= want;
        default: ;
      endcase
      if (leave) {x_q[4:2], y_q[4:2]} <= {x_next, y_next};
      if (open || done) first_q <= 1'b0;
      if (state_q == SIG && !bottom || open && !(known && bottom)) k_q <= k_next;
      if (open) begin
        count_q  <= {4'd0, known};
        remain_q <= 5'd0;
        m_q      <= 3'd0;
        hidden_q <= 1'b0;
        top_q    <= k_q;
      end
      if (found) begin
        count_q  <= count_q + 5'd1;
        hidden_q <= hide_i && !empty && apart > 4'd3;
        if (empty) top_q <= k_q;
        if (count_q[3]) remain_q <= remain_q + 5'd1;
      end
      if (state_q == G1) {m_q, remain_q} <= {m_next[2:0], remain_q + {4'd0, bin_i}};
      if (state_q == G2 && !bin_i || done) remain_q <= remain_q - 5'd1;
    end
  end

endmodule

`default_nettype wire
