package common

import (
	"testing"

	"vcsim/testbench/mutate"
)

// equivalent lists mutants that behave like their module, with the proof.
var equivalent = mutate.Equivalent{
	"vc_skid": {
		{Why: "spare_q is read after a parked word alone, which was written over it",
			Mutants: []string{"wire park = {{!load && |}}take;"}},
	},
	"vc_arbiter": {
		{Why: "sel_q is below Inputs: the loop sets word_valid for it",
			Mutants: []string{"word_valid = 1'{{b0|d1}};"}},
	},
	"vc_nal_pack": {
		{Why: "the last byte holds the stop bit: it is not zero",
			Mutants: []string{"if (put) zeros_q <= next != 8'd0 {{|| last |}}? 2'b00 : {zeros_q[0], 1'b1};"}},
	},
	"vc_nal_unpack": {
		{Why: "without bytes left word_q is not looked at, and the next word replaces it",
			Mutants: []string{"end else if (move{{ && some|}}) begin"}},
	},
	"vc_cabac_pack": {
		{Why: "a run leaves behind a byte, when has_q is set, or at the end, when fin_q is",
			Mutants: []string{"wire last = done && no_run || drain && one && {{fin_q && |}}!has_q;"}},
		{Why: "without has_q there is no run, and draining_q is clear already",
			Mutants: []string{"if (shift {{&& has_q |}}|| done) draining_q <= !no_run;"}},
		{Why: "at the end acc_q is empty, its carry too: no word leaves k_q at 0 with a carry in acc_q",
			Mutants: []string{
				"if (shift || done) fill_q <= {{done || |}}!digit[8];",
				"out_q <= drain ? {8{fill_q}} : held_q + {7'd0, {{shift && |}}digit[8]};",
			}},
	},
	"vc_cabac_enc": {
		{Why: "with a bin of a context the count is 0 or 1, so that both bits are zero",
			Mutants: []string{"n1_d = {in_count_i[{{2|1}}], in_bits_i[1], in_count_i[0]};"}},
		{Why: "the flush adds R < 2^9 to low << 2, whose low 9 bits are zero, as the terminating bin shifted by 7; only the bits above them leave, and low is cleared",
			Mutants: []string{"val1_d = 7'd{{0|1}};"}},
		{Why: "the flush adds nothing to low << 2, whose low 9 bits are zero, as the terminating bin shifted by 7",
			Mutants: []string{"if (valid3_q) low_q <= {{end3_q|1'b0}} ? 9'd0 : low_t[8:0];"}},
	},
	"vc_ram_latch": {
		{Why: "latches open in the cycle behind a write alone, so that nobody sees what data_q takes in others",
			Mutants: []string{"if ({{we_i|1'b1}}) data_q <= wdata_i;"}},
		{Why: "addresses from Depth on are not used",
			Mutants: []string{"assign words[Width*i +: Width] = {Width{1'{{b0|d1}}}};"}},
	},
	"vc_cabac_dec_core": {
		{Why: "while a bin waits its context is written in vain, and once more with the bin; context_q holds it, and goes around the memory",
			Mutants: []string{"assign we_o = {{step_o && |}}coded || init_i;"}},
	},
	"vc_cabac_bypass": {
		{Why: "the offset is below the range, so that differences are at least -1024 and below 1024: bits 10 and 11 are the same; there are 1 to Bypass bins, and one has no later pair",
			Mutants: []string{
				"if (i {{== 0 || i |}}< {29'd0, count_i}) begin",
				"if ({{i == 0|1'b1}}) bin_o = !less1[11] && count_i == 3'd1;",
				"if (i == 0) bin_o = !less1[1{{1|0}}] && count_i == 3'd1;",
				"bins_o[1:0] = {!less2[1{{1|0}}], less2[11] ? !less1[11] : !less3[11]};",
				"bins_o[1:0] = {!less2[11], less2[1{{1|0}}] ? !less1[11] : !less3[11]};",
				"bins_o[1:0] = {!less2[11], less2[11] ? !less1[1{{1|0}}] : !less3[11]};",
				"bins_o[1:0] = {!less2[11], less2[11] ? !less1[11] : !less3[1{{1|0}}]};",
				"case ({less1[11], less2[1{{1|0}}], less3[11]})",
				"case ({less1[11], less2[11], less3[1{{1|0}}]})",
				"wire [7:0] window = {bits_i, {(8 - Bypass) {1'{{b0|d1}}}}};",
			}},
	},
}

// TestMutants changes the RTL in every place that the generator knows.
func TestMutants(t *testing.T) {
	mutate.Mutants(t, "rtl/common", []mutate.Mutation{
		{Module: "vc_pipe", Sets: pipeSets, Cycles: 1 << 14},
		{Module: "vc_skid", Sets: skidSets, Cycles: 1 << 14},
		{Module: "vc_fifo", Sets: fifoSets, Cycles: 1 << 14},
		{Module: "vc_fifo_ram", Sets: ramFIFOSets, Cycles: 1 << 14},
		{Module: "vc_arbiter", Sets: arbiterSets, Cycles: 1 << 14},
		{Module: "vc_ram_ff", Sets: ramFFSets, Cycles: 1 << 14},
		{Module: "vc_ram_1rw", Sets: ram1RWSets, Cycles: 1 << 14},
		{Module: "vc_ram_1r1w", Sets: ram1R1WSets, Cycles: 1 << 14},
		{Module: "vc_nal_pack", Sets: nalSets, Cycles: 1 << 14},
		{Module: "vc_cabac_pack", Sets: packSets, Cycles: 1 << 14},
		{Module: "vc_cabac_ctx", Sets: ctxSets, Cycles: 1 << 14},
		{Module: "vc_cabac_enc", Sets: laneSets, Cycles: 1 << 14},
		{Module: "vc_cabac_step", Sets: laneSets, Cycles: 1 << 14},
		{Module: "vc_cabac_range", Sets: laneSets, Cycles: 1 << 14},
		{Module: "vc_cabac_dec_core", Sets: decoderSets, Cycles: 1 << 14},
		{Module: "vc_cabac_dec", Sets: decoderSets, Cycles: 1 << 14},
		{Module: "vc_cabac_bypass", Sets: decoderSets, Cycles: 1 << 14},
		{Module: "vc_nal_unpack", Sets: unpackSets, Cycles: 1 << 14},
		{Module: "vc_ram_latch", Sets: ramLatchSets, Cycles: 1 << 14},
		{Module: "vc_clock_gate", Sets: ramLatchSets, Cycles: 1 << 14},
	}, equivalent)
}
