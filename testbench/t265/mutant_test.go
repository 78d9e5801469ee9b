package t265

import (
	"testing"

	"vcsim/testbench"
	"vcsim/testbench/mutate"
)

// TestMutants changes the RTL in every place that the generator knows.
func TestMutants(t *testing.T) {
	var rows []mutate.Mutation
	for _, bench := range []struct {
		modules []string
		sets    func() (testbench.Unit, []testbench.Set)
		first   int // sets
		cycles  int
	}{
		{[]string{"context"}, contextSets, 3, 1 << 13},
		{[]string{"syntax", "residual", "sig", "bypass", "remaining", "binarise"}, binariseSets, 3, 1 << 14},
		{[]string{"enc_lane"}, laneSets, 4, 1 << 15},
		{[]string{"enc_store", "enc_feed", "enc_word", "enc_places", "enc_memory"}, storeSets, 3, 1 << 15},
		{[]string{"enc_code", "enc_feed"}, codeSets, 4, 1 << 15},
		{[]string{"enc"}, encSets, 2, 1 << 14},
		{[]string{"window", "intra", "predict", "recon", "samples"}, samplesSets, 3, 1 << 14},
		{[]string{"quant", "quant_value", "hide", "scale", "multiple", "coef_multiple", "product", "round"}, quantSets, 4, 1 << 14},
		{[]string{"cost", "rate", "coef_multiple", "product", "round"}, costSets, 3, 1 << 14},
		{[]string{"fdct", "odd8", "slots", "transpose", "permute8", "strips", "tags", "forward"}, forwardSets, 2, 1 << 14},
		{[]string{"idct", "odd8", "slots", "transpose", "permute8", "strips", "tags", "inverse"}, inverseSets, 2, 1 << 14},
		{[]string{"hadamard8", "mode_cost", "mode_sums", "mode", "turn"}, modeSets, 2, 1 << 14},
		{[]string{"open", "open_row", "split_size", "split_tiles", "split", "decide"}, decideSets, 2, 1 << 14},
		{[]string{"split_sum"}, splitSets, 4, 1 << 13},
		{[]string{"enc_sched"}, schedSets, 3, 1 << 14},
		{[]string{"enc_ref"}, refSets, 3, 1 << 12},
		{[]string{"enc_tree"}, treeSets, 3, 1 << 13},
		{[]string{"enc_pixels"}, pixelsSets, 2, 1 << 13},
		{[]string{"dec_dequant", "dec_coefs", "dec_transpose", "dec_turned", "dec_idst", "dec_itransform", "dec_passes", "dec_inverse"}, decInverseSets, 3, 1 << 14},
		{[]string{"dec_predict", "dec_smooth", "dec_angle", "dec_project", "dec_strong", "dec_line", "dec_intra"}, decPredictSets, 4, 1 << 14},
		{[]string{"dec_sched", "dec_thread", "dec_store", "dec_head"}, decSchedSets, 3, 1 << 14},
		{[]string{"dec_windows"}, decWindowsSets, 3, 1 << 13},
		{[]string{"dec_recon"}, decReconSets, 3, 1 << 13},
		{[]string{"dec_pixels"}, decPixelsSets, 2, 1 << 13},
		{[]string{"dec_banks", "parse", "parse_control", "parse_items", "parse_mode", "parse_node", "parse_qp", "parse_place", "parse_around", "parse_residual", "parse_remaining", "parse_scan", "parse_levels", "dec_lane"},
			func() (testbench.Unit, []testbench.Set) { return decLaneSets(t) }, 4, 1 << 14},
	} {
		var build []string
		if u, _ := bench.sets(); u.Top == "t265_decide" || u.Top == "t265_mode" {
			for _, module := range bench.modules {
				build = append(build, "t265_"+module)
			}
		}
		for _, module := range bench.modules {
			rows = append(rows, mutate.Mutation{Module: "t265_" + module, Cycles: bench.cycles, Long: true, Build: build,
				Sets: func() (testbench.Unit, []testbench.Set) {
					u, sets := bench.sets()
					return u, sets[:bench.first]
				}})
		}
	}
	mutate.Mutants(t, "rtl/t265", rows, equivalent)
}

// equivalent lists mutants that behave like their module.
var equivalent = mutate.Equivalent{
	"t265_dec_recon": {
		{Why: "the sample above goes to the window with line 3 or a later one, and the block holds until then",
			Mutants: []string{"if (line_q == 4'd{{0|1}}) corner_q <= sum_i[`T265_DEC_SUM_CORNER];"}},
	},
	"t265_dec_coefs": {
		{Why: "a beat is looked at in the cycle after its read alone",
			Mutants: []string{
				"if ({{re_i|1'b1}}) order_q <= order;",
				"if ({{re_i|1'b1}}) there_value_q[b] <= there[groups[2*b +: 2]];",
			}},
	},
	"t265_dec_transpose": {
		{Why: "a beat is looked at in the cycle after its read alone",
			Mutants: []string{"if ({{re_i|1'b1}}) order_q <= rrow_i[2:0] ^ (rhalf_i ? 3'd6 : 3'd0);"}},
	},
	"t265_dec_passes": {
		{Why: "with MaxTU 8 no block has that bit",
			Mutants: []string{
				"wire two = {{MaxTU != 8 && |}}log2[1];",
				"wire out_large = {{MaxTU != 8 && |}}out_q[1];",
			}},
		{Why: "the beat is 0 while there is no pass, and the word while no residual leaves",
			Mutants: []string{
				"wire ends = {{pass_q != NONE && |}}last;",
				"wire out_ends = word_ready_i && {{busy_q && |}}word_last;",
			}},
		{Why: "that is the value of NONE",
			Mutants: []string{
				"next = {{NONE|1'sb0}};",
				"if (rst_i) pass_q <= {{NONE|1'sb0}};",
			}},
		{Why: "of two empty pages either is the first",
			Mutants: []string{
				"{coef_write_q, coef_end_q, coef_read_q} <= 3'd{{0|7}};",
				"{turn_write_q, turn_end_q, turn_read_q} <= 3'd{{0|7}};",
				"{res_write_q, res_end_q, res_read_q} <= 3'd{{0|7}};",
			}},
	},
	"t265_dec_predict": {
		{Why: "with Modes 4 there is no angle: constants save cells",
			Mutants: []string{"wire aligned = {{Modes == 4 || |}}planar_q || dc_q || straight_q;"}},
	},
	"t265_dec_smooth": {
		{Why: "all words together add a multiple of 512n, and the mean is the eight bits below that",
			Mutants: []string{"if (leave_o && half) sum_q <= start + {{(SUM - 11) {1'{{b0|d1}}}}, sum8};"}},
		{Why: "with Modes 4 there is no angle: constants save cells",
			Mutants: []string{"wire aligned = {{Modes == 4 || |}}planar_o || dc_o || straight_o;"}},
		{Why: "nothing is decided there",
			Mutants: []string{"assign smooth = 1'{{b0|d1}};"}},
	},
	"t265_dec_strong": {
		{Why: "the sample stays while its beat waits",
			Mutants: []string{"if ({{leave_i && |}}at_i == 4'd7) begin"}},
		{Why: "without it the sum is even",
			Mutants: []string{"sum2 = base + {step[12:0], 1'{{b0|d1}}};"}},
		{Why: "a beat of the second turn leaves in the cycle after it came",
			Mutants: []string{
				"turned_q <= turns_q{{ || turned_q && !begin_i|}};",
				"turned_q <= turns_q || turned_q && {{!|}}begin_i;",
			}},
	},
	"t265_dec_angle": {
		{Why: "with Modes 4 all angles are 0",
			Mutants: []string{"assign negative_o = 1'{{b0|d1}};"}},
	},
	"t265_dec_project": {
		{Why: "with Modes 4 only whole words are written",
			Mutants: []string{"bytes_o = {MaxTU{1'{{b0|d1}}}};"}},
		{Why: "with no angle the second sample of a word comes within 1/64 below the next number",
			Mutants: []string{"wire [SUM-1:0] sum2 = sum0 + {angle[SUM-3:0], 2'd{{0|1}}};"}},
	},
	"t265_dec_intra": {
		{Why: "without an angle, as always with Modes 4, the first sample is that of the even word",
			Mutants: []string{"wire [2:0] from = {{Modes == 4|1'b0}} ? 3'd0 : from_i;"}},
		{Why: "with MaxTU 8 and 16 no block has that size",
			Mutants: []string{"wire edges = {{MaxTU != 32 || |}}log2_i != 2'd3;"}},
		{Why: "no sample but the first one of a row in horizontal and vertical mode can leave the range",
			Mutants: []string{"if ({{k == 0|1'b1}}) begin"}},
	},
	"t265_dec_dequant": {
		{Why: "five times a level beyond 2^17 is limited at all sizes and QPs, also if 2^18 is missing from its product",
			Mutants: []string{"wire [22:0] times1 = {{4{odd[1{{8|7}}]}}, odd[18:0]};"}},
		{Why: "a level of 2^14 and more is limited at all sizes and QPs that this remainder has, also if 2^16 is missing from its product",
			Mutants: []string{"rem_i[3]: rest = {{7{level_i[1{{5|4}}]}}, level_i};"}},
	},
	"t265_dec_idst": {
		{Why: "sums of values that are not there go nowhere; the registers hold to save energy",
			Mutants: []string{
				"if ({{en_i|1'b1}}) begin",
				"if ({{go_q|1'b1}}) begin",
			}},
	},
	"t265_dec_itransform": {
		{Why: "values without a pass are not written; the registers hold to save energy",
			Mutants: []string{"if ({{en_i|1'b1}}) begin"}},
	},
	"t265_dec_inverse": {
		{Why: "the engine may transform what is not there, or a vector of four points as one of eight: those sums go nowhere",
			Mutants: []string{
				"part_q <= pass == NONE {{|||&&}} log2 == 2'd0 ? 2'd0 : log2[0] ? 2'd1 : {1'b1, half};",
				"part_q <= pass == NONE {{|| log2 == 2'd0 |}}? 2'd0 : log2[0] ? 2'd1 : {1'b1, half};",
				"part_q <= {{pass == NONE || |}}log2 == 2'd0 ? 2'd0 : log2[0] ? 2'd1 : {1'b1, half};",
				"part_q <= {{pass == NONE || log2 == 2'd|1'b}}0 ? 2'd0 : log2[0] ? 2'd1 : {1'b1, half};",
				"part_q <= pass == NONE || log2 == 2'd{{0|3}} ? 2'd0 : log2[0] ? 2'd1 : {1'b1, half};",
				"part_q <= pass == NONE || log2 == 2'd0 ? 2'd{{0|1}} : log2[0] ? 2'd1 : {1'b1, half};",
				"short_q <= pass != NONE {{&&|||}} log2 == 2'd0;",
				"short_q <= pass != NONE{{ && log2 == 2'd0|}};",
				"short_q <= {{pass != NONE && |}}log2 == 2'd0;",
			}},
		{Why: "a word that is read for nothing is not valid",
			Mutants: []string{
				".re_i (leave{{ && word_valid|}}),",
				"if (leave{{ && fetched_q|}}) out_q <= word;",
			}},
	},
	"t265_enc_store": {
		{Why: "a sub-block of a block comes once, so that its index is not that of the last one",
			Mutants: []string{"wire later = full && (known == 16'd0 || index >{{|=}} top_q);"}},
	},
	"t265_enc_word": {
		{Why: "a block without levels ends with its word, so that no sub-block comes after it",
			Mutants: []string{
				"top = 4'd{{0|1}};",
				"top = 4'd{{0|15}};",
			}},
	},
	"t265_syntax": {
		{Why: "state 15 is in the branch of S_END, and nothing else asks for either",
			Mutants: []string{
				"state_d = !coded ? (word_i[`T265_BLOCK_END_CTU] ? {{S_END|(S_END + 1'b1)}} : S_FIRST) : delta != 2'd0 ? S_DELTA : after_delta;",
				"else if (done_i) state_q <= end_q ? {{S_END|(S_END + 1'b1)}} : S_FIRST;",
			}},
	},
	"t265_enc_feed": {
		{Why: "a turn is below Turns, so that one of the threads of its lane has it",
			Mutants: []string{"has[i] = 1'{{b0|d1}};"}},
		{Why: "what is read for nothing is not looked at: a word of levels needs nothing of its block, one of flags all of a sub-block, and without a word the next one reads its own",
			Mutants: []string{
				".read_about_i (chosen {{&&|||}} kind_d != LEVELS),",
				".read_about_i (chosen{{ && kind_d != LEVELS|}}),",
				".read_about_i ({{chosen && |}}kind_d != LEVELS),",
				".read_i ({4{chosen}} {{&||}} (kind_d == LEVELS ? group_d : {4{kind_d != BLOCK}})),",
				".read_i ({4{chosen}}{{ & (kind_d == LEVELS ? group_d : {4{kind_d != BLOCK}})|}}),",
				".read_i ({4{chosen}} & ({{kind_d == LEVELS|1'b0}} ? group_d : {4{kind_d != BLOCK}})),",
				".read_i ({4{chosen}} & (kind_d == {{LEVELS|(LEVELS + 1'b1)}} ? group_d : {4{kind_d != BLOCK}})),",
			}},
		{Why: "only a coded block has sub-blocks; the words of these say again what its own word said, before the next block asks",
			Mutants: []string{
				"wire is_block = kind1_q {{=|!}}= BLOCK;",
				"wire is_block = kind1_q == {{BLOCK|(BLOCK + 1'b1)}};",
				"if ({{is_block && |}}code) delta_q[i] <= 1'b1;",
				"if ({{is_block && |}}code) high_q[i] <= high;",
			}},
		{Why: "all lanes are behind the one served last, or none is: either way the lowest one that asks is first",
			Mutants: []string{"after_q <= {Share{1'{{b0|d1}}}};"}},
		{Why: "without a word its registers are not looked at",
			Mutants: []string{"if ({{chosen|1'b1}}) begin"}},
		{Why: "the mode of the CTU before is wanted with the first word of the next one alone",
			Mutants: []string{"if ({{last|1'b1}}) left_q[2*i +: 2] <= mode;"}},
	},
	"t265_enc_sched": {
		{Why: "a word that is read for nothing is read again before it counts",
			Mutants: []string{"wire fetch = state_q == PICK && !start{{ && wanted|}};"}},
		{Why: "the place that was read holds until the words are sent",
			Mutants: []string{".we_i (start || state_q == {{READ|(READ + 1'b1)}}),"}},
	},
	"t265_enc_pixels": {
		{Why: "between beats the address is that of the beat before, with the same data, or that of the last beat of a CTU, which is written later",
			Mutants: []string{
				".we_i ({{write && |}}!write_addr[0]),",
				".we_i (write{{ && write|}}_addr[0]),",
			}},
		{Why: "an odd beat follows the even one that was written in its place",
			Mutants: []string{
				".we_i (write {{&&|||}} write_addr[0]),",
				".we_i (write{{ && write_addr[0]|}}),",
			}},
	},
	"t265_enc_tree": {
		{Why: "plans come one at a time, so that the first pick has no choice",
			Mutants: []string{
				"thread_q <= {ThreadBits{1'{{b0|d1}}}};",
				"thread_q <= {{{ThreadBits{1'b0}}|thread_q}};",
			}},
		{Why: "the register may change while it is not valid",
			Mutants: []string{"if (load{{ && picked_q|}}) begin"}},
		{Why: "a thread is picked only if one is ready",
			Mutants: []string{"low = {ThreadBits{1'{{b0|d1}}}};"}},
		{Why: "the place behind the last block of a CTU is not looked at",
			Mutants: []string{"wire [4:0] after = {1'b0, at} + (!split ? 5'd1{{6|7}} : quarter ? 5'd1 : 5'd4);"}},
	},
	"t265_bypass": {
		{Why: "a group is made of the bins of total, and these are above them",
			Mutants: []string{
				"wire [10:0] joined = ({4'd{{0|1}}, held_q} << chunk_count_q) | {7'd0, chunk_q};",
				"wire [10:0] joined = ({4'd{{0|15}}, held_q} << chunk_count_q) | {7'd0, chunk_q};",
			}},
	},
	"t265_window": {
		{Why: "with MaxTU 8 no block has that bit",
			Mutants: []string{"wire sixteen = {{MaxTU == 16 && |}}fetch_log2_i[1];"}},
		{Why: "with MinTU 8 there is no block of 4x4",
			Mutants: []string{"wire four = {{MinTU == 4 && |}}fetch_log2_i == 2'd0;"}},
	},
	"t265_intra": {
		{Why: "with MaxTU 8 no block has that bit",
			Mutants: []string{"wire sixteen = {{MaxTU == 16 && |}}log2_i[1];"}},
		{Why: "with MinTU 8 there is no block of 4x4",
			Mutants: []string{"wire four = {{MinTU == 4 && |}}log2_i == 2'd0;"}},
	},
	"t265_predict": {
		{Why: "with MaxTU 8 no block has that bit",
			Mutants: []string{
				"wire sixteen = {{MaxTU == 16 && |}}log2[1];",
				"wire mid_sixteen = {{MaxTU == 16 && |}}mid_log2[1];",
			}},
		{Why: "with MinTU 8 there is no block of 4x4",
			Mutants: []string{
				"wire four = {{MinTU == 4 && |}}log2 == 2'd0;",
				"wire mid_four = {{MinTU == 4 && |}}mid_log2 == 2'd0;",
				"wire end_four = {{MinTU == 4 && |}}end_tag_q[`T265_TAG_LOG2] == 2'd0;",
			}},
		{Why: "what is loaded without need is never looked at",
			Mutants: []string{
				"if (tu_{{valid_i && tu_|}}ready_o) tu_q <= tu_data_i[`T265_FIRST_TU];",
				"if (free{{ && waits_q|}}) begin",
				"if (step{{ && valid_q|}}) begin",
				"if (step{{ && mid_valid_q|}}) begin",
				"if (step{{ && end_valid_q|}}) begin",
			}},
	},
	"t265_samples": {
		{Why: "with MinTU 8 there is no block of 4x4",
			Mutants: []string{"assign narrow_room = {{wide_room|1'sb0}};", "assign narrow = {{wide|1'sb0}};"}},
	},
	"t265_recon": {
		{Why: "with MinTU 8 there is no block of 4x4",
			Mutants: []string{"wire waits = {{MinTU == 4 && |}}waits_q;", "wire four = {{MinTU == 4 && |}}log2 == 2'd0;"}},
		{Why: "with MaxTU 8 no block has that bit",
			Mutants: []string{
				"wire inv_wide = {{MaxTU == 16 && |}}inv_data_i[`T265_RES_LOG2_AT+1];",
				"wire sixteen = {{MaxTU == 16 && |}}log2[1];",
			}},
		{Why: "what is loaded without need is never looked at",
			Mutants: []string{
				"if ({{scaled_valid_i|1'b1}}) begin",
			}},
	},
	"t265_forward": {
		{Why: "with MaxTU 8 any part but none is a whole vector",
			Mutants: []string{"assign row_part = take ? {{WHOLE|(WHOLE + 1'b1)}} : NONE;"}},
		{Why: "a first half may come several times: the last one counts, that with which the right samples are there",
			Mutants: []string{
				"assign row_part = {{!right|1'b1}} ? part_q : take ? FIRST : NONE;",
				"assign row_part = !right ? part_q : {{take|1'b1}} ? FIRST : NONE;",
			}},
		{Why: "the memory is empty in a reset, whose second cycle clears it",
			Mutants: []string{"if ({{rst_i|1'sb0}}) part_q <= NONE;"}},
	},
	"t265_inverse": {
		{Why: "with MaxTU 8 no tag has that bit, and t265_slots does not look at it",
			Mutants: []string{"wire in_large = {{MaxTU != 8 && |}}in_tag[WordBits-1];"}},
		{Why: "the memories are empty in a reset, whose second cycle clears them",
			Mutants: []string{"if ({{rst_i|1'sb0}}) begin"}},
	},
	"t265_fdct": {
		{Why: "what is loaded without need is never looked at",
			Mutants: []string{
				`if ({{MaxTU != 8 && |}}part_i[1]) begin`,
				`wire load = MaxTU {{=|!}}= 8 ? part_i != NONE : part_i[0];`,
				`wire load = {{MaxTU == 8|!(MaxTU == 8)}} ? part_i != NONE : part_i[0];`,
				`wire load = {{MaxTU == 8|1'b0}} ? part_i != NONE : part_i[0];`,
				`wire load = {{MaxTU == 8|1'b1}} ? part_i != NONE : part_i[0];`,
				`if (en_i{{ && load|}}) begin`,
				`wire wide = {{MaxTU != 8 && |}}part_q[1];`,
				`if (en_i{{ && (MaxTU == 8 || part_q[0])|}}) sum_q[KEPT*i +: KEPT] <= sums[SUM*i+Shift +: KEPT];`,
				`if (en_i && ({{MaxTU == 8 || |}}part_q[0])) sum_q[KEPT*i +: KEPT] <= sums[SUM*i+Shift +: KEPT];`,
				`if (en_i && (MaxTU {{=|!}}= 8 || part_q[0])) sum_q[KEPT*i +: KEPT] <= sums[SUM*i+Shift +: KEPT];`,
				`if (en_i{{ && summed_q[0]|}}) held_q <= other;`,
			}},
		{Why: "what waits is wanted in the next step alone, and a step that stalls sees the same values",
			Mutants: []string{
				`if (en_i {{&&|||}} part_i == FIRST) wait_q <= sum;`,
				`if (en_i{{ && part_i == FIRST|}}) wait_q <= sum;`,
				`if ({{en_i && |}}part_i == FIRST) wait_q <= sum;`,
			}},
		{Why: "nothing is ahead of it in a reset, whose next cycles clear it",
			Mutants: []string{
				`if ({{rst_i|1'sb0}}) held_part_q <= NONE;`,
			}},
		{Why: "the second half of a vector follows the first one in the next step",
			Mutants: []string{
				`assign leave_o = summed_q == SECOND ? SECOND : {{held_part_q == FIRST|1'b0}} ? NONE : held_part_q;`,
				`assign leave_o = summed_q == SECOND ? SECOND : held_part_q == FIRST ? {{NONE|(NONE + 1'b1)}} : held_part_q;`,
			}},
	},
	"t265_idct": {
		{Why: "what is loaded without need is never looked at",
			Mutants: []string{
				`wire load = MaxTU {{=|!}}= 8 ? part_i != NONE : part_i[0];`,
				`wire load = {{MaxTU == 8|!(MaxTU == 8)}} ? part_i != NONE : part_i[0];`,
				`wire load = {{MaxTU == 8|1'b0}} ? part_i != NONE : part_i[0];`,
				`wire load = {{MaxTU == 8|1'b1}} ? part_i != NONE : part_i[0];`,
				`if (en_i{{ && load|}}) begin`,
				`if (en_i{{ && (MaxTU == 8 || part_q[0])|}})`,
				`if (en_i && ({{MaxTU == 8 || |}}part_q[0]))`,
				`if (en_i && (MaxTU {{=|!}}= 8 || part_q[0]))`,
				`if (en_i{{ && summed_q[0]|}}) held_q <= other;`,
			}},
		{Why: "five times a value has 19 bits",
			Mutants: []string{
				`wire [SUM-1:0] a5 = {{5{a5_q[1{{9|8}}]}}, a5_q};`,
				`wire [SUM-1:0] b5 = {{5{b5_q[1{{9|8}}]}}, b5_q};`,
				`wire [SUM-1:0] c5 = {{5{c5_q[1{{9|8}}]}}, c5_q};`,
				`wire [SUM-1:0] d5 = {{5{d5_q[1{{9|8}}]}}, d5_q};`,
			}},
		{Why: "nothing is ahead of it in a reset, whose next cycles clear it",
			Mutants: []string{
				`if ({{rst_i|1'sb0}}) held_part_q <= NONE;`,
			}},
		{Why: "what waits is wanted in the next step alone, and a step that stalls sees the same values",
			Mutants: []string{
				`if (en_i {{&&|||}} part_i == FIRST) wait_q <= even;`,
				`if (en_i{{ && part_i == FIRST|}}) wait_q <= even;`,
				`if ({{en_i && |}}part_i == FIRST) wait_q <= even;`,
			}},
		{Why: "the second half of a vector follows the first one in the next step",
			Mutants: []string{
				`assign leave_o = summed_q == SECOND ? SECOND : {{held_part_q == FIRST|1'b0}} ? NONE : held_part_q;`,
				`assign leave_o = summed_q == SECOND ? SECOND : held_part_q == FIRST ? {{NONE|(NONE + 1'b1)}} : held_part_q;`,
			}},
	},
	"t265_odd8": {
		{Why: "what is loaded without need is never looked at",
			Mutants: []string{
				`if (en_i{{ && load_i|}}) in_q[Width*g +: Width] <= in_i[Width*g +: Width] ^ {Width{invert}};`,
				`if (en_i{{ && load_q|}}) sum_q <= sum_d;`,
			}},
	},
	"t265_quant": {
		{Why: "with MinTU 8 there is no block of 4x4",
			Mutants: []string{
				"wire from_skip = {{MinTU == 4 && |}}(half_q ? half_skip_q : skip_valid_i);",
				"wire rows2 = {{MinTU == 4 && |}}head2_q[`T265_TAG_LOG2] == 2'd0;",
				"wire rows3 = {{MinTU == 4 && |}}head3_q[`T265_TAG_LOG2] == 2'd0;",
				"wire rows4 = {{MinTU == 4 && |}}head4_q[`T265_TAG_LOG2] == 2'd0;",
			}},
	},
	"t265_product": {
		{Why: "the scales of these two are even: a one in bit 0 of the product goes no further, and that bit is left out",
			Mutants: []string{"wire [PROD-1:0] third = (wide << 3 & {PROD{rem_i[0] || rem_i[2]}}) | ({7'd0, value_i, 8'd{{0|1}}} & {PROD{rem_i[1] || rem_i[5]}});"}},
	},
	"t265_mode": {
		{Given: "ref_valid_i || !ref_ready_o", Why: "the border was prepared from the job, which stays",
			Mutants: []string{"wire load = ref_{{valid_i && ref_|}}ready_o;"}},
		{Why: "the memory shows the lower half of the column until the next CTU reads, and it is wanted from cycle 5 on alone",
			Mutants: []string{
				"if (prepare_q {{=|!}}= 3'd2) left_q[127:64] <= ref_left ? column : {8{fill}};",
				"if (prepare_q == 3'd{{2|3}}) left_q[127:64] <= ref_left ? column : {8{fill}};",
				"if ({{prepare_q == 3'd2|1'b1}}) left_q[127:64] <= ref_left ? column : {8{fill}};",
			}},
		{Why: "four times a multiple of 2^11 is a multiple of 2^13, which the sum does not hold",
			Mutants: []string{
				"else if (prepare_q != PREPARED) sum_q <= sum_q + {2'd{{0|1}}, part_sum};",
				"else if (prepare_q != PREPARED) sum_q <= sum_q + {2'd{{0|3}}, part_sum};",
			}},
		{Why: "the first step of a tile sets it, and the others alone look at it",
			Mutants: []string{"fills_q <= 1'{{b0|d1}};", "fills_q <= {{1'b0|fills_q}};"}},
		{Why: "tiles go in as rows and as columns by turns; which come first does not matter",
			Mutants: []string{"turn_q <= 1'{{b0|d1}};", "turn_q <= {{1'b0|turn_q}};"}},
		{Why: "until the beat comes another word is in its place, and no job of the thread reads it while the CTU comes",
			Mutants: []string{".we_i ({{take && |}}(&at_q[3:0])),"}},
		{Why: "nothing is ahead of them in a reset, whose second cycle clears them",
			Mutants: []string{"if ({{rst_i|1'sb0}}) begin"}},
		{Why: "a beat too many, not the last, before the first CTU, which starts the sums",
			Mutants: []string{"coef_valid_q <= 1'{{b0|d1}};", "coef_valid_q <= {{1'b0|coef_valid_q}};"}},
		{Why: "enable is low with the last beat of a CTU alone, whose frequency has filled the register",
			Mutants: []string{"end else if (coef_valid_q{{ && enable|}}) begin"}},
		{Why: "no decision waits in a reset, and without a beat it is not looked at",
			Mutants: []string{"last_q <= 1'{{b0|d1}};", "last_q <= {{1'b0|last_q}};"}},
	},
	"t265_mode_sums": {
		{Why: "the eight coefficients of a tile are replaced before what comes behind them is the lowest",
			Mutants: []string{"side_d = {15'd{{0|1}}, side_q[119:15]};", "side_d = {15'd{{0|32767}}, side_q[119:15]};"}},
		{Why: "a beat too many, not the last, before the first CTU, which starts the sums",
			Mutants: []string{"if (rst_i) valid_q <= 1'{{b0|d1}};"}},
		{Why: "nothing is ahead of it in a reset, whose second cycle clears it",
			Mutants: []string{"if ({{rst_i|1'sb0}}) valid_q <= 1'b0;"}},
		{Why: "32 times a multiple of 2^8 is a multiple of 2^13, which the sums do not hold",
			Mutants: []string{
				"dc_total_q <= (sum_first_q ? 13'd0 : dc_total_q) + {5'd{{0|1}}, dc_sum_q};",
				"dc_total_q <= (sum_first_q ? 13'd0 : dc_total_q) + {5'd{{0|31}}, dc_sum_q};",
				"planar_total_q <= (sum_first_q ? 13'd0 : planar_total_q) + {5'd{{0|1}}, planar_sum_q};",
				"planar_total_q <= (sum_first_q ? 13'd0 : planar_total_q) + {5'd{{0|31}}, planar_sum_q};",
				"above_total_q <= (sum_first_q ? 13'd0 : above_total_q) + {5'd{{0|1}}, above_sum_q};",
				"above_total_q <= (sum_first_q ? 13'd0 : above_total_q) + {5'd{{0|31}}, above_sum_q};",
				"side_total_q <= (sum_first_q ? 13'd0 : side_total_q) + {4'd{{0|1}}, side_sum_q};",
				"side_total_q <= (sum_first_q ? 13'd0 : side_total_q) + {4'd{{0|15}}, side_sum_q};",
			}},
	},
	"t265_split": {
		{Given: "wide_go && narrow_go", Why: "blocks of one size come a beat a cycle at most, as fast as they are transformed, and nothing behind holds them up",
			Mutants: []string{
				"wire enable = wide_go {{&&|||}} narrow_go;",
				"wire enable = wide_go{{ && narrow_go|}};",
				"wire enable = {{wide_go && |}}narrow_go;",
				"wire reads = run_q{{ && enable|}};",
				"assign in_ready_o = begin_q{{ && enable|}};",
				"assign write_valid_o = valid1_q{{ && enable|}};",
				"begin_q <= start || {{begin_q && |}}!enable;",
				"begin_q <= start{{ || begin_q && !enable|}};",
				"if ({{enable|1'b1}}) valid1_q <= run_q;",
			}},
		{Given: "in_valid_i || !in_ready_o", Why: "begin_q follows in_valid_i, which stays",
			Mutants: []string{"wire load = in_{{valid_i && in_|}}ready_o;"}},
		{Given: "reads || !(&at_q[3:0])", Why: "beats are read one a cycle until the last one of a CTU",
			Mutants: []string{"wire half = {{reads && |}}(&at_q[3:0]);"}},
		{Given: "!flight_q[2] && (!begin_q || run_q && !last)", Why: "a job comes with the first of its beats",
			Mutants: []string{"wire start = in_valid_i && !{{begin_q && !|}}flight_q[2] && (!run_q || last);"}},
		{Why: "a plan comes 90 cycles behind its job, a fourth job 96: the condition above has it",
			Mutants: []string{"wire start = in_valid_i && !begin_q && {{!flight_q[2] && |}}(!run_q || last);"}},
		{Given: "!in_valid_i || begin_q || !run_q || last", Why: "a job comes 32 cycles behind another one at least, when the beats of that one have been read",
			Mutants: []string{"wire start = in_valid_i && !begin_q && !flight_q[2]{{ && (!run_q || last)|}};"}},
		{Why: "three jobs or less wait for their plan, two when a job starts: one more does not stop it, either",
			Mutants: []string{
				"flight_q <= 3'd{{0|1}};",
				"flight_q <= {{flight_q + {2'd0, load} - |}}{2'd0, plan_valid_o};",
				"flight_q <= {{flight_q + {2'd0, load} - {2'd0, plan_valid_o}|1'sb0}};",
				"flight_q <= flight_q{{ + {2'd0, load} - {2'd0, plan_valid_o}|}};",
			}},
		{Why: "the beats of a CTU are read from its decision on, before the memory is full",
			Mutants: []string{
				"used_q <= 7'd{{0|1}};",
				"used_q <= {{used_q + {6'd0, beat_valid_i} - |}}{2'd0, half, 4'd0};",
				"used_q <= {{used_q + {6'd0, beat_valid_i} - {2'd0, half, 4'd0}|1'sb0}};",
				"used_q <= used_q{{ + {6'd0, beat_valid_i} - {2'd0, half, 4'd0}|}};",
			}},
		{Why: "no job is there in the first cycle after a reset",
			Mutants: []string{"begin_q <= 1'{{b0|d1}};", "begin_q <= {{1'b0|begin_q}};"}},
		{Why: "what is loaded without a beat is not looked at, or loaded again with one",
			Mutants: []string{
				"if ({{reads|1'b1}}) at1_q <= at_q[4:0];",
				"if ({{reads|1'b1}}) begin",
			}},
		{Why: "with MaxTU 8 t265_split_sum does not look at it",
			Mutants: []string{
				"assign wide_done = 1'{{b0|d1}};",
				"assign wide_cost = 22'd{{0|1}};",
				"assign wide_cost = 22'd{{0|4194303}};",
			}},
	},
	"t265_split_tiles": {
		{Given: "enable_i", Why: "as in t265_split",
			Mutants: []string{
				"end else if ({{enable_i|1'b1}}) begin",
				"if ({{enable_i|1'b1}}) begin", // four times
				"if ({{enable_i|1'b1}}) begin",
				"if ({{enable_i|1'b1}}) begin",
				"if ({{enable_i|1'b1}}) begin",
				"assign small_valid_o = small_valid_q{{ && enable_i|}};",
				"else if ({{enable_i|1'b1}}) small_valid_q <= step != 2'd0 || valid3_q && third_q;",
			}},
		{Why: "behind row 3 or 7 of a tile comes another tile or none, behind the others the next row",
			Mutants: []string{"else if (enable_i) small_valid_q <= step != 2'd0 || valid3_q{{ && third_q|}};"}},
		{Why: "behind the last beat of a CTU its number stays, and the next CTU replaces what is written then",
			Mutants: []string{"wire fourth = {{valid_i && |}}(&at_i[1:0]);"}},
		{Why: "nothing is ahead of it in a reset, whose second cycle clears it",
			Mutants: []string{"if ({{rst_i|1'sb0}}) small_valid_q <= 1'b0;"}},
	},
	"t265_split_size": {
		{Given: "ready", Why: "as in t265_split",
			Mutants: []string{
				"assign go_o = {{!valid_q || |}}ready;",
				"assign go_o = {{!|}}valid_q || ready;",
			}},
		{Given: "enable_i", Why: "as in t265_split",
			Mutants: []string{
				"if ({{enable_i|1'b1}}) valid_q <= valid_i;",
				"else if (ready) valid_q <= 1'{{b0|d1}};",
				"else if ({{ready|1'sb0}}) valid_q <= 1'b0;",
				"else if ({{ready|1'b1}}) valid_q <= 1'b0;",
				"if ({{enable_i|1'b1}}) begin",
			}},
		{Why: "t265_forward looks at the highest bit alone, with MaxTU 8 at none",
			Mutants: []string{".in_data_i ({res_q, {{SIZE|(SIZE + 1'b1)}}, qp_q}),"}},
	},
	"t265_split_sum": {
		{Why: "four times a multiple of 2^18 is a multiple of 2^20, which the sum does not hold",
			Mutants: []string{
				"wire [19:0] small_sum = small_sum_q + {2'd{{0|1}}, small_cost_i};",
				"wire [19:0] small_sum = small_sum_q + {2'd{{0|3}}, small_cost_i};",
			}},
		{Why: "four times a multiple of 2^20 is a multiple of 2^22, which the sum does not hold",
			Mutants: []string{
				"wire [21:0] sum = sum_q + {2'd{{0|1}}, best_q};",
				"wire [21:0] sum = sum_q + {2'd{{0|3}}, best_q};",
			}},
		{Why: "nothing is ahead of it in a reset, whose second cycle clears it; with MaxTU 16 and 8",
			Mutants: []string{"if ({{rst_i|1'sb0}}) valid_q <= 1'b0;", "if ({{rst_i|1'sb0}}) valid_q <= 1'b0;"}},
	},
	"t265_cost": {
		{Why: "both beats of a sub-block add it, twice 2^(SUM-1), which the sum does not hold",
			Mutants: []string{"wire [SUM-1:0] sum3 = {1'{{b0|d1}}, sum3_q} + {{(SUM - 4) {1'b0}}, more3_q};"}},
		{Why: "a block of 4x4 has one sub-block, so that none of it has been before",
			Mutants: []string{"wire [Cost-1:0] before = {{Log2 != 2 && |}}more_q ? cost_q : {{(Cost - 12) {1'b0}}, PRICE};"}},
		{Why: "eight times a multiple of 2^(UNITS-6) is a multiple of 2^(UNITS-3), which the sum does not hold",
			Mutants: []string{
				"sum = sum + {3'd{{0|1}}, wholes[(UNITS-6)*i +: UNITS-6]};",
				"sum = sum + {3'd{{0|7}}, wholes[(UNITS-6)*i +: UNITS-6]};",
			}},
		{Why: "eight times a multiple of 2^11 is a multiple of 2^14, which the sum of 14 bits does not hold",
			Mutants: []string{
				"error = error + {3'd{{0|1}}, {3{e[4]}} & {e[5], 2'b01}, 1'b0, {7{e[0]}} & {e[5:1], 2'b01}} + {3'd0, e[5], 2'd0, {6{e[1]}} & {e[5:2], 2'b01}, 2'd0} + {5'd0, {5{e[2]}} & {e[5:3], 2'b01}, 4'd0} + {4'd0, {4{e[3]}} & {e[5:4], 2'b01}, 6'd0};",
				"error = error + {3'd{{0|7}}, {3{e[4]}} & {e[5], 2'b01}, 1'b0, {7{e[0]}} & {e[5:1], 2'b01}} + {3'd0, e[5], 2'd0, {6{e[1]}} & {e[5:2], 2'b01}, 2'd0} + {5'd0, {5{e[2]}} & {e[5:3], 2'b01}, 4'd0} + {4'd0, {4{e[3]}} & {e[5:4], 2'b01}, 6'd0};",
				"error = error + {3'd0, {3{e[4]}} & {e[5], 2'b01}, 1'b0, {7{e[0]}} & {e[5:1], 2'b01}} + {3'd{{0|1}}, e[5], 2'd0, {6{e[1]}} & {e[5:2], 2'b01}, 2'd0} + {5'd0, {5{e[2]}} & {e[5:3], 2'b01}, 4'd0} + {4'd0, {4{e[3]}} & {e[5:4], 2'b01}, 6'd0};",
				"error = error + {3'd0, {3{e[4]}} & {e[5], 2'b01}, 1'b0, {7{e[0]}} & {e[5:1], 2'b01}} + {3'd{{0|7}}, e[5], 2'd0, {6{e[1]}} & {e[5:2], 2'b01}, 2'd0} + {5'd0, {5{e[2]}} & {e[5:3], 2'b01}, 4'd0} + {4'd0, {4{e[3]}} & {e[5:4], 2'b01}, 6'd0};",
			}},
	},
}
