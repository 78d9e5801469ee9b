package t264

import "vcsim/testbench"

// equivalent lists the mutants that behave like the module, with the proof.
var equivalent = testbench.Equivalent{
	"t264_mode": {
		{Source: "above_sum_d = above_sum_d + {4'd0, ref_above_i[8*i +: 8]};", Old: "above_sum_d + {4'd0, ref_above_i[8*i +: 8]}", New: "above_sum_d + {4'd1, ref_above_i[8*i +: 8]}"}: wraps,
		{Source: "left_sum_d  = left_sum_d + {4'd0, ref_left_i[8*i +: 8]};", Old: "left_sum_d + {4'd0, ref_left_i[8*i +: 8]}", New: "left_sum_d + {4'd1, ref_left_i[8*i +: 8]}"}:       wraps,
	},
	"t264_sad": {
		{Source: "c_dc_d    = c_dc_d + {{(SUM - 8) {1'b0}}, b_dc_q[8*i +: 8]};", Old: "c_dc_d + {{(SUM - 8) {1'b0}}, b_dc_q[8*i +: 8]}", New: "c_dc_d + {{(SUM - 8) {1'd1}}, b_dc_q[8*i +: 8]}"}:                   wraps,
		{Source: "c_above_d = c_above_d + {{(SUM - 8) {1'b0}}, b_above_q[8*i +: 8]};", Old: "c_above_d + {{(SUM - 8) {1'b0}}, b_above_q[8*i +: 8]}", New: "c_above_d + {{(SUM - 8) {1'd1}}, b_above_q[8*i +: 8]}"}: wraps,
		{Source: "c_left_d  = c_left_d + {{(SUM - 8) {1'b0}}, b_left_q[8*i +: 8]};", Old: "c_left_d + {{(SUM - 8) {1'b0}}, b_left_q[8*i +: 8]}", New: "c_left_d + {{(SUM - 8) {1'd1}}, b_left_q[8*i +: 8]}"}:       wraps,
		{Source: "a_valid_q <= 1'b0;", Old: "1'b0", New: "1'd1"}: "a beat too many, not the last, before the first macroblock, which has no neighbours and is predicted by DC anyway",
		{Source: "dc_q    <= (dc_q & ~{16{fresh_q}}) + {{(16 - SUM) {1'b0}}, c_dc_q};", Old: "(dc_q & ~{16{fresh_q}}) + {{(16 - SUM) {1'b0}}, c_dc_q}", New: "(dc_q & ~{16{fresh_q}}) + {{(16 - SUM) {1'd1}}, c_dc_q}"}:                   wraps,
		{Source: "above_q <= (above_q & ~{16{fresh_q}}) + {{(16 - SUM) {1'b0}}, c_above_q};", Old: "(above_q & ~{16{fresh_q}}) + {{(16 - SUM) {1'b0}}, c_above_q}", New: "(above_q & ~{16{fresh_q}}) + {{(16 - SUM) {1'd1}}, c_above_q}"}: wraps,
		{Source: "left_q  <= (left_q & ~{16{fresh_q}}) + {{(16 - SUM) {1'b0}}, c_left_q};", Old: "(left_q & ~{16{fresh_q}}) + {{(16 - SUM) {1'b0}}, c_left_q}", New: "(left_q & ~{16{fresh_q}}) + {{(16 - SUM) {1'd1}}, c_left_q}"}:       wraps,
	},
	"t264_absdiff": {
		{Source: "wire [8:0] d = {1'b0, a_i[8*g +: 8]} - {1'b0, b_i[8*g +: 8]};", Old: "{1'b0, a_i[8*g +: 8]} - {1'b0, b_i[8*g +: 8]}", New: "{1'b0, b_i[8*g +: 8]} - {1'b0, a_i[8*g +: 8]}"}: "the difference the other way round has the same magnitude",
	},
	"t264_dct": {
		{Source: "if (rst_i) out_valid_q <= 1'b0;", Old: "rst_i", New: "1'sb0"}: "the second cycle of reset finds the quantiser ready and hold_valid_q low, and clears the register",
	},
	"t264_border": {
		{Source: "sum_valid_q <= 1'b0;", Old: "1'b0", New: "1'd1"}: "one shift too many before the first macroblock: 4 words of its own fill the column",
		{Source: "done_q      <= 1'b0;", Old: "1'b0", New: "1'd1"}: "writes neighbours of a frame not yet begun, all of which are written again before they are available",
	},
	"t264_residual": {
		{Source: "word       = 7'd0;", Old: "7'd0", New: "7'd1"}: "every state with an operation sets its bins",
	},
	"t264_residual_levels": {
		{Source: "wire [191:0] levels = {levels_q, 10'd0};", Old: "{levels_q, 10'd0}", New: "{levels_q, 10'd1}"}: "the ten bits belong to AC level 0, which is not there",
		{Source: "top_o = 4'd0;", Old: "4'd0", New: "4'd1"}:                                                      "without a bit in the mask no level is taken",
		{Source: "pair = 24'd0;", Old: "24'd0", New: "24'd1"}:                                                    "one of the eight pairs is always selected",
	},
	"t264_residual_suffix": {
		{Source: "bins  = 4'd1;", Old: "4'd1", New: "4'd0"}: "the magnitude is 1 or more where it counts",
	},
	"t264_enc_context": {
		{Source: "ready  = 1'b0;", Old: "1'b0", New: "1'd1"}:                                     "one of the lanes is always selected",
		{Source: "lane_d = {LaneBits{1'b0}};", Old: "{LaneBits{1'b0}}", New: "{LaneBits{1'd1}}"}: "without a lane that asks nothing is taken",
		{Source: "qp_d   = 6'd0;", Old: "6'd0", New: "6'd1"}:                                     "without a lane that asks nothing is taken",
		{Source: "wire        [6:0]  state   = sum < 14'sd1 ? 7'd1 : sum > 14'sd126 ? 7'd126 : sum[6:0];", Old: "sum < 14'sd1 ? 7'd1 : sum > 14'sd126 ? 7'd126 : sum[6:0]", New: "sum <= 14'sd1 ? 7'd1 : sum > 14'sd126 ? 7'd126 : sum[6:0]"}: "1 is limited to 1",
		{Source: "wire        [6:0]  state   = sum < 14'sd1 ? 7'd1 : sum > 14'sd126 ? 7'd126 : sum[6:0];", Old: "sum < 14'sd1 ? 7'd1 : sum > 14'sd126 ? 7'd126 : sum[6:0]", New: "sum < 14'sd1 ? 7'd1 : sum >= 14'sd126 ? 7'd126 : sum[6:0]"}: "126 is limited to 126",
	},
	"t264_enc_store": {
		{Source: "wire read_mb = valid1_q && kind1_q != AC;", Old: "valid1_q && kind1_q != AC", New: "valid1_q || kind1_q != AC"}:                                                               "a macroblock is read in vain",
		{Source: "head = {PtrBits{1'b0}};", Old: "{PtrBits{1'b0}}", New: "{PtrBits{1'd1}}"}:                                                                                                     "one of the threads is always selected",
		{Source: "tail = {PtrBits{1'b0}};", Old: "{PtrBits{1'b0}}", New: "{PtrBits{1'd1}}"}:                                                                                                     "one of the threads is always selected",
		{Source: "avail_o[i] = 1'b0;", Old: "1'b0", New: "1'd1"}:                                                                                                                                "one of the threads is always selected",
		{Source: "assign load_levels_o = kind2_q == AC ? {ac_word, 2'd0} : dc_levels;", Old: "kind2_q == AC ? {ac_word, 2'd0} : dc_levels", New: "kind2_q == AC ? {ac_word, 2'd1} : dc_levels"}: "the two bits belong to no AC level",
	},
	"t264_parse": {
		{Source: "state_q <= IDLE;", Old: "IDLE", New: "1'sb0"}: "IDLE is 0",
		{Source: "wire [3:0] smaller    = left_mode < above_mode ? left_mode : above_mode;", Old: "left_mode < above_mode ? left_mode : above_mode", New: "left_mode <= above_mode ? left_mode : above_mode"}: "the smaller of two that are equal",
	},
	"t264_parse_control": {
		{Source: "fail_code_o = BAD_DATA;", Old: "BAD_DATA", New: "(BAD_DATA + 1'b1)"}:                                                "without fail_o the code is not looked at",
		{Source: "fail_code_o = BAD_DATA;", Old: "BAD_DATA", New: "1'sb0"}:                                                            "without fail_o the code is not looked at",
		{Source: "DRAIN: state_o = IDLE;", Old: "IDLE", New: "1'sb0"}:                                                                 "IDLE is 0",
		{Source: "zero_kind_o = NONE;", Old: "NONE", New: "1'sb0"}:                                                                    "NONE is 0",
		{Source: "one_kind_o  = NONE;", Old: "NONE", New: "1'sb0"}:                                                                    "NONE is 0",
		{Source: "zero_ctx_o = {CTX_QP, 1'b1, k_i != 6'd0};", Old: "{CTX_QP, 1'b1, k_i != 6'd0}", New: "{CTX_QP, 1'b1, k_i == 6'd0}"}: "exchanges the contexts 62 and 63, which start equal",
	},
	"t264_parse_residual": {
		{Source: "state_q <= SIG;", Old: "SIG", New: "1'sb0"}:                  "SIG is 0",
		{Source: "end else if (active_i) begin", Old: "active_i", New: "1'b1"}: "between blocks the search goes on for nothing; start_i sets all that it changes",
	},
	"t264_dec_context": {
		{Source: "if (i == Lanes - 1 || init_i[i]) lane_d = i[LaneBits-1:0];", Old: "i == Lanes - 1 || init_i[i]", New: "i == Lanes + 1 || init_i[i]"}: "without a lane that asks the choice is not looked at",
		{Source: "if (i == Lanes - 1 || init_i[i]) qp_d = init_qp_i[6*i+:6];", Old: "i == Lanes - 1 || init_i[i]", New: "i == Lanes + 1 || init_i[i]"}: "without a lane that asks the choice is not looked at",
		{Source: "if (sum > 13'sd126) pre = 7'd126;", Old: "sum > 13'sd126", New: "sum >= 13'sd126"}:                                                   "126 is limited to 126",
	},
	"t264_idct4": {
		{Source: "if (slot_i) cell_q[72*r +: 72] <= {cell_q[72*r +: 54], enter[18*r +: 18]};", Old: "slot_i", New: "1'b1"}: replaced,
	},
	"t264_idct8": {
		{Source: "if (rst_i) begin", Old: "rst_i", New: "1'sb0"}:  settles,
		{Source: "start_q    <= 8'd0;", Old: "8'd0", New: "8'd1"}: settles,
		{Source: "row_on_q   <= 1'b0;", Old: "1'b0", New: "1'd1"}: settles,
		{Source: "row_q      <= 4'd0;", Old: "4'd0", New: "4'd1"}: settles,
		{Source: "shift1_q   <= 1'b0;", Old: "1'b0", New: "1'd1"}: settles,
		{Source: "shift2_q   <= 1'b0;", Old: "1'b0", New: "1'd1"}: settles,
		{Source: "last1_q    <= 1'b0;", Old: "1'b0", New: "1'd1"}: settles,
		{Source: "last2_q    <= 1'b0;", Old: "1'b0", New: "1'd1"}: settles,
		{Source: "leave_on_q <= 1'b0;", Old: "1'b0", New: "1'd1"}: settles,
		{Source: "leave_q    <= 4'd0;", Old: "4'd0", New: "4'd1"}: settles,
		{Source: "side_q     <= 1'b0;", Old: "1'b0", New: "1'd1"}: settles,
		{Source: "leave_on_q <= last2_q || leave_on_q && leave_q[3:1] != 3'd7;", Old: "last2_q || leave_on_q && leave_q[3:1] != 3'd7", New: "last2_q || leave_on_q || leave_q[3:1] != 3'd7"}: "shifts in the same cycles as a block that enters, and after the last column",
		{Source: "if (side_q) cell_q[128*i +: 128] <= {cell_q[128*i +: 112], enter[16*i +: 16]};", Old: "side_q", New: "1'b1"}:                                                               replaced,
	},
	"t264_plane": {
		{Source: "above_sum_q <= (above_word == 2'd0 ? 12'd0 : above_sum_q) + {2'd0, above_q[9:0]};", Old: "(above_word == 2'd0 ? 12'd0 : above_sum_q) + {2'd0, above_q[9:0]}", New: "(above_word == 2'd0 ? 12'd0 : above_sum_q) + {2'd1, above_q[9:0]}"}:                                                                      "four times 1024 are 0 in 12 bits",
		{Source: "left_sum_q  <= (phase_i == 2'd0 ? 12'd0 : left_sum_q) + {2'd0, left_q[9:0]};", Old: "(phase_i == 2'd0 ? 12'd0 : left_sum_q) + {2'd0, left_q[9:0]}", New: "(phase_i == 2'd0 ? 12'd0 : left_sum_q) + {2'd1, left_q[9:0]}"}:                                                                                     "four times 1024 are 0 in 12 bits",
		{Source: "assign plane_o = plane_i ? {down_q, right_q, first_q} : {22'd0, 3'd0, dc, 5'd0};", Old: "plane_i ? {down_q, right_q, first_q} : {22'd0, 3'd0, dc, 5'd0}", New: "plane_i ? {down_q, right_q, first_q} : {22'd1, 3'd0, dc, 5'd0}"}:                                                                             "15 steps of 1/32 do not reach the next sample value",
		{Source: "assign plane_o = plane_i ? {down_q, right_q, first_q} : {22'd0, 3'd0, dc, 5'd0};", Old: "plane_i ? {down_q, right_q, first_q} : {22'd0, 3'd0, dc, 5'd0}", New: "plane_i ? {down_q, right_q, first_q} : {22'd0, 3'd0, dc, 5'd1}"}:                                                                             "1/32 does not reach the next sample value",
		{Source: "above_by_q  <= (above_word == 2'd0 ? 15'd0 : above_by_q) + ({1'b0, above_far} + {4'd0, above_q[20:10]});", Old: "(above_word == 2'd0 ? 15'd0 : above_by_q) + ({1'b0, above_far} + {4'd0, above_q[20:10]})", New: "(above_word == 2'd0 ? 15'd0 : above_by_q) + ({1'd1, above_far} + {4'd0, above_q[20:10]})"}: "four times 16384 are 0 in 15 bits",
		{Source: "left_by_q   <= (phase_i == 2'd0 ? 15'd0 : left_by_q) + ({1'b0, left_far} + {4'd0, left_q[20:10]});", Old: "(phase_i == 2'd0 ? 15'd0 : left_by_q) + ({1'b0, left_far} + {4'd0, left_q[20:10]})", New: "(phase_i == 2'd0 ? 15'd0 : left_by_q) + ({1'd1, left_far} + {4'd0, left_q[20:10]})"}:                   "four times 16384 are 0 in 15 bits",
	},
	"t264_intra": {
		{Source: "wire [271:0] stretched = {48'd0, line_q[199:192], line_q, {2{line_q[7:0]}}};", Old: "{48'd0, line_q[199:192], line_q, {2{line_q[7:0]}}}", New: "{48'd1, line_q[199:192], line_q, {2{line_q[7:0]}}}"}: "the largest index is 25: the six bytes on top are never chosen",
		{Source: "z      = 6'd0;", Old: "6'd0", New: "6'd1"}: "no mode reads z before it sets it",
		{Source: "index  = z[5:1] > 5'd6 ? 6'd0 : 6'd7 - (z >> 1);", Old: "z[5:1] > 5'd6 ? 6'd0 : 6'd7 - (z >> 1)", New: "z[5:1] > 5'd7 ? 6'd0 : 6'd7 - (z >> 1)"}: "7 - 7 is 0, too",
	},
	"t264_dec_thread": {
		{Source: "head_q  <= 3'd0;", Old: "3'd0", New: "3'd1"}: "the store is a ring: any first slot will do",
		{Source: "read_q  <= 1'b0;", Old: "1'b0", New: "1'd1"}: "the two entries are a ring: either may be first",
	},
	"t264_dec_sched": {
		{Source: "word_q      <= 2'd0;", Old: "2'd0", New: "2'd1"}: "cleared at the end of the first slot, before a block is issued",
		{Source: "taken_q     <= 9'd0;", Old: "9'd0", New: "9'd1"}: "shifted out at the end of the first slot, before a block is issued",
	},
	"t264_dec_ref": {
		{Source: "wire        put_left  = done_i && last_col && (phase_i == 2'd1 || phase_i == 2'd0 && done_wide);", Old: "done_i && last_col && (phase_i == 2'd1 || phase_i == 2'd0 && done_wide)", New: "done_i && last_col && (phase_i == 2'd1 || phase_i == 2'd0 || done_wide)"}: "the word is written again in phase 1, and not read in between",
		{Source: "left_read = ref_i && ref_kind_i == DC;", Old: "ref_i && ref_kind_i == DC", New: "ref_i || ref_kind_i == DC"}:                                                                                                                                                       "what is read for other kinds is not used",
		{Source: "if (phase_i == 2'd0 && ref_i) begin", Old: "phase_i == 2'd0 && ref_i", New: "phase_i == 2'd1 && ref_i"}:                                                                                                                                                            "the words stay until phase 2, and are used from then on",
		{Source: "if (phase_i == 2'd2 && ref_i) corner2_q <= corner_d;", Old: "phase_i == 2'd2 && ref_i", New: "phase_i == 2'd3 && ref_i"}:                                                                                                                                           "the references stay in phase 3, and corner3_q follows in phase 1",
	},
	"t264_dec_pixels": {
		{Source: "wire             near_first = near_valid && near[1:0] == 2'd0;", Old: "near_valid && near[1:0] == 2'd0", New: "near_valid || near[1:0] == 2'd0"}:       "references of an 8x8 block that are read again after they went into the line are not used",
		{Source: "wire             ref_first  = ref_valid_q && ref_q[1:0] == 2'd0;", Old: "ref_valid_q && ref_q[1:0] == 2'd0", New: "ref_valid_q || ref_q[1:0] == 2'd0"}: "the line gets the same references again",
		{Source: "if (phase_q == 2'd3) ref_valid_q <= near_valid;", Old: "phase_q == 2'd3", New: "phase_q == 2'd2"}:                                                      "pred_valid_q takes the old value in that phase; nobody else reads it in phase 3",
		{Source: "if (phase_q == 2'd2) pred_valid_q <= ref_valid_q;", Old: "phase_q == 2'd2", New: "phase_q == 2'd3"}:                                                    "ref_valid_q changes in that phase only; samp_valid_q reads it in phase 1",
		{Source: "if (phase_q == 2'd3) ref_q <= near;", Old: "phase_q == 2'd3", New: "phase_q == 2'd2"}:                                                                  "as for ref_valid_q",
		{Source: "if (phase_q == 2'd2) pred_q <= ref_q;", Old: "phase_q == 2'd2", New: "phase_q == 2'd3"}:                                                                "as for pred_valid_q",
	},
}

const (
	wraps    = "16 samples, or the beats of a macroblock, each with an upper bit more, add a multiple of the range of the sum"
	settles  = "the counters run out within 26 cycles without a reset, before the first row of a block can enter"
	replaced = "the assignment after it, when the condition does not hold, replaces all"
)
