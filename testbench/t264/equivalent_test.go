package t264

import "vcsim/testbench"

// equivalent lists mutants that behave like their module, with the proof.
var equivalent = testbench.Equivalent{
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
	// Pixel path of the decoder.
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
			Mutants: []string{"assign plane_o = plane_i ? {down_q, right_q, first_q} : {22'd0, 3'd0, dc, first_q[{{4:0|5:1}}]};"}},
	},
}
