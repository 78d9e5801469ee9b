// The levels of a lane: one block of them (of the DC levels, one half), the mask of
// those not taken yet, and the level under way. When the last level of a block is
// taken, the next block is fetched.
//
// Mirror:     t264/hwenc/residual.go
// Latency:    1
// Throughput: 1 level a cycle
// Storage:    221 bits
// Packing:    load_levels_i: AC level k in [12*k - 10 +: 12], k = 1..15; DC level k & 7 in
//             [24*(k & 7) +: 14]

`default_nettype none

module t264_residual_levels (
  input  wire         clk_i,
  input  wire         rst_i,
  input  wire         avail_i,        // the store holds a macroblock to begin with now
  input  wire         idle_i,         // no macroblock is under way
  input  wire [15:0]  coded_i,        // AC blocks from the one under way on
  output wire         fetch_valid_o,
  input  wire         fetch_ready_i,
  output wire [1:0]   fetch_kind_o,   // 0 macroblock, 1 AC block, 2 the other DC levels
  input  wire         load_valid_i,
  output wire         load_head_o,    // the load is of a macroblock
  input  wire [5:0]   load_qp_i,
  input  wire [15:0]  load_mask_i,
  input  wire [181:0] load_levels_i,
  input  wire         ac_i,           // the block is one of AC levels
  input  wire         one_i,          // waits for a level, or codes its first bin
  input  wire         map_done_i,     // the significance map ends
  input  wire         level_done_i,   // the level under way ends
  input  wire         escape_i,       // it goes on with a suffix: its magnitude less 14 counts
  output wire [15:0]  mask_o,
  output reg  [3:0]   top_o,          // scan position of the last level in the mask
  output wire         under_o,        // a level is under way
  output wire         rest_o,         // others of its block follow
  output wire [12:0]  mag_o,          // of the level under way; first the QP
  output wire         sign_o,
  output wire [3:0]   abs_inc_o       // ctxIdxInc of its bins: the first one where one_i is high
);

  localparam [1:0]  HEAD = 2'd0, AC = 2'd1, LOW = 2'd2;
  localparam [12:0] PREFIX = 13'd14;  // magnitude up to which a level has no suffix (uCoff)

  reg  [181:0] levels_q;
  reg  [15:0]  mask_q;
  reg  [15:0]  mask_d;
  reg  [23:0]  pair;
  reg  [13:0]  level;
  reg          under_q;
  reg          rest_q;
  reg  [12:0]  mag_q;
  reg          sign_q;
  reg  [1:0]   fetch_q;  // what was asked for last
  reg          req_q;
  reg          wait_q;
  integer      i;

  // In pairs of AC levels, of which there is no level 0; a DC level is 10 bits up.
  wire [191:0] levels = {levels_q, levels_q[9:0]};

  wire waits = req_q || wait_q;  // for levels
  wire next  = map_done_i || level_done_i && rest_q || one_i && !under_q;
  wire take  = next && !waits;

  wire [12:0] level_mag = (level[12:0] ^ {13{level[13]}}) + {12'd0, level[13]};

  assign fetch_valid_o = req_q;
  assign fetch_kind_o  = fetch_q;
  assign load_head_o   = load_valid_i && fetch_q == HEAD;
  assign mask_o        = mask_q;
  assign under_o       = under_q;
  assign rest_o        = rest_q;
  assign mag_o         = mag_q;
  assign sign_o        = sign_q;

  always @* begin
    top_o = 4'd0;
    for (i = 0; i < 16; i = i + 1) begin
      if (mask_q[i]) top_o = i[3:0];
    end
  end

  always @* begin
    pair = 24'd0;
    for (i = 0; i < 8; i = i + 1) begin
      if ((ac_i ? top_o[3:1] : top_o[2:0]) == i[2:0]) pair = levels[24*i +: 24];
    end
    level = {{2{pair[11]}}, pair[11:0]};
    if (top_o[0]) level = {{2{pair[23]}}, pair[23:12]};
    if (!ac_i) level = pair[23:10];
  end

  always @* begin
    mask_d = mask_q;
    if (take) mask_d[top_o] = 1'b0;
    if (load_valid_i) mask_d = load_mask_i;
  end

  always @(posedge clk_i) begin
    mask_q <= mask_d;
    if (take) rest_q <= mask_d != 16'd0;
    if (load_valid_i) levels_q <= load_levels_i;
    if (take) begin
      mag_q  <= level_mag;
      sign_q <= level[13];
    end else if (load_head_o) begin
      mag_q[5:0] <= load_qp_i;
    end else if (escape_i) begin
      mag_q <= mag_q - PREFIX;
    end
  end

  always @(posedge clk_i) begin
    if (take) under_q <= 1'b1;
    else if (level_done_i) under_q <= 1'b0;
  end

  // State of the abs contexts (clause 9.3.3.1.3): 0..3 ones so far, 4..7 above one.
  reg  [2:0] abs_q;

  wire [3:0] abs_one  = abs_q[2] ? 4'd0 : {2'b00, abs_q[1:0]} + 4'd1;
  wire [3:0] abs_more = abs_q[2] ? {2'b00, abs_q[1:0]} + 4'd6 : 4'd5;

  assign abs_inc_o = one_i ? abs_one : abs_more;

  always @(posedge clk_i) begin
    if (map_done_i) begin
      abs_q <= 3'd0;
    end else if (level_done_i) begin
      if (one_i) abs_q <= abs_q[2] || abs_q[1:0] == 2'd3 ? abs_q : abs_q + 3'd1;
      else abs_q <= !abs_q[2] ? 3'd4 : abs_q == 3'd7 ? 3'd7 : abs_q + 3'd1;
    end
  end

  // Fetches.
  wire ask_head = idle_i && !waits && avail_i;
  wire ask_low  = fetch_q == HEAD && mask_d[15:8] == 8'd0;
  wire ask_ac   = fetch_q != HEAD && mask_d == 16'd0
                && (coded_i[15:1] != 15'd0 || coded_i[0] && fetch_q == LOW);
  wire ask      = (!idle_i || load_valid_i) && !req_q && (!wait_q || load_valid_i)
                && (ask_low || ask_ac);

  always @(posedge clk_i) begin
    if (rst_i) begin
      req_q  <= 1'b0;
      wait_q <= 1'b0;
    end else begin
      if (ask || ask_head) req_q <= 1'b1;
      else if (fetch_ready_i) req_q <= 1'b0;
      if (req_q) wait_q <= 1'b1;
      else if (load_valid_i) wait_q <= 1'b0;
    end
  end

  always @(posedge clk_i) begin
    if (ask_head) fetch_q <= HEAD;
    else if (ask) fetch_q <= ask_low ? LOW : AC;
  end

endmodule

`default_nettype wire
