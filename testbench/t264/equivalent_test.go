package t264

import "vcsim/testbench/mutate"

// equivalent lists mutants that behave like their module, with the proof.
var equivalent = mutate.Equivalent{
	// Pixel path of the encoder.
	"t264_enc_sched": {
		{Why: "in READ the state goes to SEND all the same, and what is read again is not used; in SEND the thread is in flight, not wanted",
			Mutants: []string{"wire fetch = {{state_q == PICK && |}}!start && wanted;"}},
		{Why: "read in vain: without wanted the step to the next thread goes back to PICK",
			Mutants: []string{"wire fetch = state_q == PICK && !start{{ && wanted|}};"}},
		{Why: "the place is the same during SEND, and so is what follows from it",
			Mutants: []string{".we_i (start || state_q == {{READ|(READ + 1'b1)}}),"}},
	},
	"t264_enc_ref": {
		{Why: "border makes done_data_i for the macroblock that is in the loop: its last word is written after all others",
			Mutants: []string{"wire write = done_{{valid_i && done_|}}ready_o;"}},
	},
	"t264_mode": {
		{Given: "ref_valid_i || !ref_ready_o", Why: "ready_q follows ref_valid_i, which stays",
			Mutants: []string{"wire load = ref_{{valid_i && ref_|}}ready_o;"}},
	},
	"t264_sad": {
		{Why: "a beat too many, not the last, before the first macroblock, which has no neighbours and is predicted by DC anyway",
			Mutants: []string{"a_valid_q <= 1'{{b0|d1}};", "a_valid_q <= {{1'b0|a_valid_q}};"}},
		{Why: "32 beats with the five upper bits add 32 * 31 * 2^11, 64 beats with six 64 * 63 * 2^10: 0 in 16 bits",
			Mutants: []string{
				"dc_q <= (dc_q & ~{16{fresh_q}}) + {{(16 - SUM) {1'{{b0|d1}}}}, c_dc_q};",
				"above_q <= (above_q & ~{16{fresh_q}}) + {{(16 - SUM) {1'{{b0|d1}}}}, c_above_q};",
				"left_q <= (left_q & ~{16{fresh_q}}) + {{(16 - SUM) {1'{{b0|d1}}}}, c_left_q};",
			}},
	},
	"t264_dct": {
		{Given: "beat_valid_i || !beat_ready_o", Why: "the token of t264_mode comes when all samples of its macroblock wait",
			Mutants: []string{"wire take = beat_{{valid_i && beat_|}}ready_o;"}},
		{Given: "hdr_ready_i || !release_q", Why: "two headers wait, and t264_enc_dc has taken the third: the blocks of one more do not find room before their end",
			Mutants: []string{
				"assign tok_ready_o = release_q{{ && hdr_ready_i|}};",
				"release_q <= take && (&cnt_q){{ || release_q && !hdr_ready_i|}};",
			}},
		{Given: "take || !(&cnt_q)", Why: "the last beat does not wait: the one before is not the last of its block and goes on at once",
			Mutants: []string{"release_q <= {{take && |}}(&cnt_q) || release_q && !hdr_ready_i;"}},
	},
	"t264_enc_dc": {
		{Given: "!full_q || state_q == IDLE && hdr_valid_i && !mb_full_q",
			Why: "16 blocks take 32 cycles or more, and the steps from the start on 27; headers overtake blocks; the levels need the last AC block, which came with the blocks before",
			Mutants: []string{
				"wire start = {{state_q == IDLE && |}}full_q && hdr_valid_i && !mb_full_q && !mb_valid_q;",
				"wire start = state_q == IDLE && full_q && {{hdr_valid_i && |}}!mb_full_q && !mb_valid_q;",
				"wire start = state_q == IDLE && full_q && hdr_valid_i && !mb_{{full_q && !mb_|}}valid_q;",
			}},
		{Why: "IDLE some cycles earlier, when no 16 blocks are there, as above",
			Mutants: []string{
				"BORDER: if (step_q == 3'd7) state_q <= {{DRAIN|1'sb0}};",
				"DRAIN: if ({{finish|1'b1}}) state_q <= IDLE;",
			}},
	},
	"t264_border": {
		{Given: "block_valid || row_q == 2'd0", Why: "a block stays until its last row, and rows count while there is one",
			Mutants: []string{
				"if ({{block_valid && |}}row_q == 2'd3) block_q <= block_q == 3'd6 ? 3'd0 : block_q + 3'd1;",
				"last1_q <= block_{{valid && block_|}}ready;",
			}},
		{Given: "sum_valid_q || place_q == 3'd0", Why: "the eight words of a macroblock come in eight cycles; word 0 is one to the side",
			Mutants: []string{
				"done_q <= {{sum_valid_q && |}}place_q == 3'd7 || done_q && !done_ready_i;",
				"if ({{sum_valid_q && |}}!to_side) bottom_q <= {rec, bottom_q[127:32]};",
			}},
		{Why: "writes neighbours before any frame has begun, which are written again before they are available, and ends a flight of a thread that has none",
			Mutants: []string{
				"done_q <= 1'{{b0|d1}};",
				"done_q <= {{1'b0|done_q}};",
			}},
	},
	// Entropy coding of the encoder.
	"t264_residual": {
		{Why: "state 11 does what S_END does, but for late_q, which is up when block 15 ends",
			Mutants: []string{"wire [3:0] after_block = block == 4'd15 ? {{S_END|(S_END + 1'b1)}} : S_AC;"}},
	},
	"t264_residual_levels": {
		{Why: "the ten bits belong to AC level 0, which is not there",
			Mutants: []string{"wire [191:0] levels = {levels_q, levels_q[{{9:0|10:1}}]};"}},
		{Why: "without a bit in the mask no level is taken",
			Mutants: []string{"top_o = 4'd{{0|1}};", "top_o = 4'd{{0|15}};"}},
	},
	"t264_residual_suffix": {
		{Why: "the magnitude is 1 or more where it counts",
			Mutants: []string{"bins = 4'd{{1|2}};", "bins = 4'd{{1|0}};"}},
	},
	"t264_enc_store": {
		{Given: "ac_ready_o || !ac_valid_i", Why: "the flags of four macroblocks find room, and no more are in the loop",
			Mutants: []string{"wire ac_moves = ac_valid_i{{ && ac_ready_o|}};"}},
		{Given: "mb_ready_o || !mb_valid_i", Why: "the flags of its AC blocks come before a macroblock",
			Mutants: []string{"wire mb_moves = mb_valid_i{{ && mb_ready_o|}};"}},
		{Given: "valid1_q || kind1_q == HEAD", Why: "kind_d is 0 without a fetch",
			Mutants: []string{
				"wire read_ac = {{valid1_q && |}}kind1_q == AC;",
				"wire done = {{valid1_q && |}}kind1_q == LOW;",
			}},
		{Why: "a macroblock is read in vain",
			Mutants: []string{
				"wire read_mb = valid1_q {{&&|||}} kind1_q != AC;",
				"wire read_mb = valid1_q{{ && kind1_q != AC|}};",
				"wire read_mb = {{valid1_q && |}}kind1_q != AC;",
			}},
		{Why: "one of the threads is always selected",
			Mutants: []string{"head = {PtrBits{1'{{b0|d1}}}};", "tail = {PtrBits{1'{{b0|d1}}}};", "avail_o[i] = 1'{{b0|d1}};"}},
		{Why: "the two bits belong to no AC level",
			Mutants: []string{"assign load_levels_o = kind2_q == AC ? {ac_word, dc_levels[{{1:0|2:1}}]} : dc_levels;"}},
	},
	"t264_enc": {
		{Why: "the place of a thread is reserved from its request on, when nobody else asks for it",
			Mutants: []string{".take_valid_i (req_valid_o{{ && req_ready_i|}}),"}},
	},
	// Decoder lane.
	"t264_parse_residual": {
		{Why: "between blocks the search goes on for nothing; start_i sets all that it changes",
			Mutants: []string{"end else if ({{active_i|1'b1}}) begin"}},
	},
	"t264_parse_control": {
		{Why: "exchanges the contexts 62 and 63, which start equal",
			Mutants: []string{"zero_ctx_o = {CTX_QP, 1'b1, k_i {{!|=}}= 6'd0};"}},
	},
	"t264_dec": {
		{Why: "one of the lanes is always selected",
			Mutants: []string{"valid = 1'{{b0|d1}};", "item = {ITEM{1'{{b0|d1}}}};"}},
	},
	// Pixel path of the decoder. A thread has one block in flight: what the block
	// writes it reads after the last of the writes alone.
	"t264_dec_ref": {
		{Why: "with the earlier words of an 8x8 block, or in the earlier phases, goes what is not complete; the same places are written again with the last word, in phase 1, before the thread reads them",
			Mutants: []string{
				"wire last_row = done_kind_i == AC ? done_block_i[3] && done_block_i[1] : done_kind_i != DC{{ && (!done_wide || done_word_i == 2'd3)|}};",
				"wire last_col = done_kind_i == AC ? done_block_i[2] && done_block_i[0] : done_kind_i != DC{{ && (!done_wide || done_word_i == 2'd3)|}};",
				"wire put_above = {{phase_i == 2'd1 && |}}done_i && last_row;",
				"wire put_left = done_i && last_col{{ && (phase_i == 2'd1 || phase_i == 2'd0 && done_wide)|}};",
				"wire put_left = done_i && last_col && (phase_i == 2'd1 || phase_i == 2'd0 {{&&|||}} done_wide);",
				"wire put_left = done_i && last_col && (phase_i == 2'd1 || phase_i == 2'd0{{ && done_wide|}});",
				"wire put_left = done_i && last_col && (phase_i == 2'd1 || {{phase_i == 2'd0 && |}}done_wide);",
			}},
		{Why: "what is read without need is not used: in phases 2 and 3 nothing is written above, and in phases 0 and 1 a DC block alone looks at the column",
			Mutants: []string{
				"wire get_above = phase_i[1]{{ && near_i|}};",
				"left_read = ref_i {{&&|||}} ref_kind_i == DC;",
				"left_read = ref_i{{ && ref_kind_i == DC|}};",
				"left_read = ref_{{i && ref_|}}kind_i == DC;",
			}},
		{Why: "references go on in phase 2 of the first slot of a block (line_q, plane) and corner2_q then; until then nothing else is read, and the words stay from phase 0 on",
			Mutants: []string{
				"if (phase_i == 2'd3{{ && near_i|}}) begin",
				"if (phase_i == 2'd0{{ && ref_i|}}) begin",
				"if (phase_i == 2'd{{0|1}} && ref_i) begin",
			}},
		{Why: "the references are there in phases 1 to 3, in the later slots of an 8x8 block still those of the first; corner3_q follows in phase 1, before it changes in phase 1 or later, and is used from phase 0 on",
			Mutants: []string{
				"if (phase_i == 2'd2{{ && ref_i|}}) corner2_q <= corner_d;",
				"if (phase_i == 2'd{{2|3}} && ref_i) corner2_q <= corner_d;",
				"if (phase_i == 2'd{{2|1}} && ref_i) corner2_q <= corner_d;",
				"if (phase_i == 2'd{{1|2}}) corner3_q <= corner2_q;",
			}},
	},
	"t264_dec_pixels": {
		{Why: "as in t264_idct8: side_q alone has a reset",
			Mutants: []string{".{{rst_i|1'sb0}} (rst_i),"}},
		{Why: "references that are read again, or without a block, come after those of the block went into the line, and are not used",
			Mutants: []string{
				"wire near_first = near_valid {{&&|||}} near[`T264_STEP_WORD] == 2'd0;",
				"wire near_first = near_valid{{ && near[`T264_STEP_WORD] == 2'd0|}};",
				"wire near_first = near{{_valid && near|}}[`T264_STEP_WORD] == 2'd0;",
			}},
		{Why: "the line gets the same references again, or those of no block",
			Mutants: []string{
				"wire ref_first = ref_valid_q {{&&|||}} ref_q[`T264_STEP_WORD] == 2'd0;",
				"wire ref_first = ref_valid_q{{ && ref_q[`T264_STEP_WORD] == 2'd0|}};",
				"wire ref_first = ref_{{valid_q && ref_|}}q[`T264_STEP_WORD] == 2'd0;",
			}},
		{Why: "near changes after phase 3 alone; pred_* take the old values in phase 2, and nobody else looks in phase 3",
			Mutants: []string{"if (phase_q == 2'd{{3|2}}) ref_q <= near;"}},
		{Why: "ref_* change after phase 3 alone; samp_* take the old values in phase 1, and others look in phase 0",
			Mutants: []string{
				"if (phase_q == 2'd{{2|3}}) pred_valid_q <= ref_valid_q;",
				"if (phase_q == 2'd{{2|1}}) pred_valid_q <= ref_valid_q;",
				"if (phase_q == 2'd{{2|3}}) pred_q <= ref_q;",
				"if (phase_q == 2'd{{2|1}}) pred_q <= ref_q;",
			}},
		{Why: "the DC block of a candidate that is not issued writes in vain: its thread has used what was there, and the block itself writes again",
			Mutants: []string{
				"put_dc_q <= pred_{{valid_q && pred_|}}q[`T264_STEP_KIND] == DC;",
				".put_i (samp_{{valid_q && samp_|}}kind == DC),",
			}},
	},
	"t264_dec_residual": {
		{Why: "the address stays in a slot, and the word is used in phase 3: it may be read in phase 1",
			Mutants: []string{".re_i (phase_i {{=|!}}= 2'd2),", ".re_i (phase_i == 2'd{{2|1}}),"}},
		{Why: "as in t264_idct8: side_q alone has a reset",
			Mutants: []string{".{{rst_i|1'sb0}} (rst_i),"}},
	},
	"t264_dec_predict": {
		{Why: "what is written in other phases is written again in phase 1",
			Mutants: []string{".we_i (p{{hase_i == 2'd1 && p|}}ut_i),"}},
		{Why: "the address stays in a slot, and the word is used in phases 2 and 3: it may be read in phase 1",
			Mutants: []string{".re_i (phase_i {{=|!}}= 2'd0),", ".re_i (phase_i == 2'd{{0|1}}),"}},
	},
	"t264_dec_sched": {
		{Why: "pick_q does not count without pick_valid_q",
			Mutants: []string{"{any_low, low} = {{NOBODY|(NOBODY + 1'b1)}};"}},
		{Why: "rows start in slots without an 8x8 block, too: they enter in cycles in which those of a next block would, and the start of the slot after keeps them from their last",
			Mutants: []string{"assign lev_start_o = {{quad_q && |}}word_q == 2'd0;"}},
		{Why: "shifted out at the end of the first slot, before a block is issued",
			Mutants: []string{"taken_q <= 9'd{{0|1}};"}},
	},
	"t264_dec_above": {
		{Why: "before the first request a column that nobody has written, later the word once more that the last request wrote there",
			Mutants: []string{".en_i (read_q || {{chosen && |}}write),"}},
	},
	"t264_idct8": {
		{Why: "rows go in along one side and leave along the other; which is which does not matter",
			Mutants: []string{
				"side_q <= {{rst_i|1'b0}} ? 1'b0 : side_q ^ last2_q;",
				"side_q <= rst_i ? 1'{{b0|d1}} : side_q ^ last2_q;",
			}},
		{Why: "between blocks what is not a row enters, in cycles in which rows of a next block would, whose eight replace it",
			Mutants: []string{"shift1_q <= {{row_on_q && |}}!row_q[0];"}},
	},
	"t264_dec_thread": {
		{Why: "the store is a ring: any first slot will do",
			Mutants: []string{"head_q <= 3'd{{0|1}};", "head_q <= 3'd{{0|7}};", "head_q <= {{3'd0|head_q}};"}},
		{Why: "the two entries are a ring: either may be first",
			Mutants: []string{"read_q <= 1'{{b0|d1}};", "read_q <= {{1'b0|read_q}};"}},
		{Why: "counts down from 0 and back: only whether it is 0 counts",
			Mutants: []string{"if (ready != leave) ready_q <= {{ready|!(ready)}} ? ready_q + 2'd1 : ready_q - 2'd1;"}},
	},
	"t264_intra": {
		{Why: "the line gets the same references again, or those of no block",
			Mutants: []string{"if (phase_i == 2'd2{{ && new_i|}}) begin"}},
	},
	"t264_plane": {
		{Why: "four words: 4 * 1024 and 4 * 3072 are 0 in 12 bits, 4 * 16384 in the 15 bits of the other sums, of which lower bits depend on lower bits alone",
			Mutants: []string{
				"above_sum_q <= (above_word == 2'd0 ? 12'd0 : above_sum_q) + {2'd{{0|1}}, above_q[9:0]};",
				"above_sum_q <= (above_word == 2'd0 ? 12'd0 : above_sum_q) + {2'd{{0|3}}, above_q[9:0]};",
				"above_by_q <= (above_word == 2'd0 ? 15'd0 : above_by_q) + ({1'{{b0|d1}}, above_far} + {4'd0, above_q[20:10]});",
				"left_sum_q <= (phase_i == 2'd0 ? 12'd0 : left_sum_q) + {2'd{{0|1}}, left_q[9:0]};",
				"left_sum_q <= (phase_i == 2'd0 ? 12'd0 : left_sum_q) + {2'd{{0|3}}, left_q[9:0]};",
				"left_by_q <= (phase_i == 2'd0 ? 15'd0 : left_by_q) + ({1'{{b0|d1}}, left_far} + {4'd0, left_q[20:10]});",
			}},
		{Why: "the mean of one side does not depend on which one it is",
			Mutants: []string{"sides_q <= {by_{{above_i, by_left|left_i, by_above}}_i};"}},
		{Why: "any fraction will do: 31/32 do not reach the next sample value",
			Mutants: []string{"assign plane_o[`T264_PLANE_FIRST] = plane_i ? first_q : {3'd0, dc, first_q[{{4:0|5:1}}]};"}},
	},
}
