package common

import (
	"testing"

	"vcsim/testbench"
)

// equivalent lists the mutants that behave like the module, with the proof.
var equivalent = testbench.Equivalent{
	"vc_skid": {
		{Source: "wire park = !load && take;", Old: "!load && take", New: "take"}: "spare_q is read after a parked word alone, which was written over it",
	},
	"vc_arbiter": {
		{Source: "word       = {Width{1'b0}};", Old: "{Width{1'b0}}", New: "{Width{1'd1}}"}:                          selNames,
		{Source: "word_valid = 1'b0;", Old: "1'b0", New: "1'd1"}:                                                     selNames,
		{Source: "low        = {SelBits{1'b0}};", Old: "{SelBits{1'b0}}", New: "{SelBits{1'd1}}"}:                    "low and high are read where any_low and any_high say that the loop has set them",
		{Source: "high       = {SelBits{1'b0}};", Old: "{SelBits{1'b0}}", New: "{SelBits{1'd1}}"}:                    "low and high are read where any_low and any_high say that the loop has set them",
		{Source: "if (sel_q < i[SelBits-1:0]) begin", Old: "sel_q < i[SelBits-1:0]", New: "sel_q <= i[SelBits-1:0]"}: "in the branch where sel_q is not i",
	},
	"vc_nal_pack": {
		{Source: "if (put) zeros_q <= next != 8'd0 || last ? 2'b00 : {zeros_q[0], 1'b1};", Old: "next != 8'd0 || last ? 2'b00 : {zeros_q[0], 1'b1}", New: "next != 8'd0 ? 2'b00 : {zeros_q[0], 1'b1}"}: "the last byte holds the stop bit: it is not zero",
	},
	"vc_cabac_pack": {
		{Source: "wire        last   = done && no_run || drain && one && fin_q && !has_q;", Old: "done && no_run || drain && one && fin_q && !has_q", New: "done && no_run || drain && one && !has_q"}:               "a run leaves behind a byte, when has_q is set, or at the end, when fin_q is",
		{Source: "if (shift && has_q || done) draining_q <= !no_run;", Old: "shift && has_q || done", New: "shift || done"}:                                                                                          "without has_q there is no run, and draining_q is clear already",
		{Source: "if (shift || done) fill_q <= done || !digit[8];", Old: "done || !digit[8]", New: "!digit[8]"}:                                                                                                      noCarry,
		{Source: "out_q      <= drain ? {8{fill_q}} : held_q + {7'd0, shift && digit[8]};", Old: "drain ? {8{fill_q}} : held_q + {7'd0, shift && digit[8]}", New: "drain ? {8{fill_q}} : held_q + {7'd0, digit[8]}"}: noCarry,
	},
	"vc_cabac_bypass": {
		{Source: "wire [7:0]  window = {bits_i, {(8 - Bypass) {1'b0}}};", Old: "{bits_i, {(8 - Bypass) {1'b0}}}", New: "{bits_i, {(8 - Bypass) {1'd1}}}"}:                                                "no bin takes the bits below those of bits_i",
		{Source: "if (i == 0 || i < {29'd0, count_i}) begin", Old: "i == 0 || i < {29'd0, count_i}", New: "i < {29'd0, count_i}"}:                                                                        "the count is 1 or more",
		{Source: "if (i == 0) bin_o = !less1[11] && count_i == 3'd1;", Old: "i == 0", New: "1'b1"}:                                                                                                       "a count of one has no later pair",
		{Source: "if (i == 0) bin_o = !less1[11] && count_i == 3'd1;", Old: "!less1[11] && count_i == 3'd1", New: "!less1[10] && count_i == 3'd1"}:                                                       "one bin is below two ranges: " + tenBits,
		{Source: "bins_o[1:0] = {!less2[11], less2[11] ? !less1[11] : !less3[11]};", Old: "{!less2[11], less2[11] ? !less1[11] : !less3[11]}", New: "{!less2[10], less2[11] ? !less1[11] : !less3[11]}"}: tenBits,
		{Source: "bins_o[1:0] = {!less2[11], less2[11] ? !less1[11] : !less3[11]};", Old: "{!less2[11], less2[11] ? !less1[11] : !less3[11]}", New: "{!less2[11], less2[10] ? !less1[11] : !less3[11]}"}: tenBits,
		{Source: "bins_o[1:0] = {!less2[11], less2[11] ? !less1[11] : !less3[11]};", Old: "{!less2[11], less2[11] ? !less1[11] : !less3[11]}", New: "{!less2[11], less2[11] ? !less1[10] : !less3[11]}"}: "below two ranges: " + tenBits,
		{Source: "bins_o[1:0] = {!less2[11], less2[11] ? !less1[11] : !less3[11]};", Old: "{!less2[11], less2[11] ? !less1[11] : !less3[11]}", New: "{!less2[11], less2[11] ? !less1[11] : !less3[10]}"}: "from two ranges on: " + tenBits,
		{Source: "case ({less1[11], less2[11], less3[11]})", Old: "{less1[11], less2[11], less3[11]}", New: "{less1[11], less2[10], less3[11]}"}:                                                         tenBits,
		{Source: "case ({less1[11], less2[11], less3[11]})", Old: "{less1[11], less2[11], less3[11]}", New: "{less1[11], less2[11], less3[10]}"}:                                                         "from one range on: " + tenBits + "; below it the choice is the default either way",
	},
	"vc_nal_unpack": {
		{Source: "end else if (move && some) begin", Old: "move && some", New: "move"}: "without bytes left word_q is not looked at, and the next word replaces it",
	},
	"vc_cabac_enc": {
		{Source: "n1_d   = {in_count_i[2], in_bits_i[1], in_count_i[0]};", Old: "{in_count_i[2], in_bits_i[1], in_count_i[0]}", New: "{in_count_i[1], in_bits_i[1], in_count_i[0]}"}: "with a bin of a context the count is 0 or 1, so that both bits are zero",
		{Source: "val1_d = 7'd0;", Old: "7'd0", New: "7'd1"}:                                                                               "the flush adds R < 2^9 to low << 2, " + lowZero + "; only the bits above them leave, and low is cleared",
		{Source: "if (valid3_q) low_q <= end3_q ? 9'd0 : low_t[8:0];", Old: "end3_q ? 9'd0 : low_t[8:0]", New: "1'b0 ? 9'd0 : low_t[8:0]"}: "the flush adds nothing to low << 2, " + lowZero,
	},
}

const (
	selNames = "sel_q is below Inputs: the loop sets word and word_valid for it"
	noCarry  = "at the end acc_q is empty, its carry too: no word leaves k_q at 0 with a carry in acc_q"
	tenBits  = "the difference is at least -1024 and below 1024, so that bits 10 and 11 are the same"
	lowZero  = "whose low 9 bits are zero, as the terminating bin shifted by 7"
)

// TestMutants changes the RTL in every place that the generator knows.
func TestMutants(t *testing.T) {
	testbench.Mutants(t, "rtl/common", []testbench.Mutation{
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
		{Module: "vc_cabac_dec_core", Sets: decoderSets, Cycles: 1 << 14, Operators: testbench.FewOperators},
		{Module: "vc_cabac_bypass", Sets: decoderSets, Cycles: 1 << 14},
		{Module: "vc_nal_unpack", Sets: unpackSets, Cycles: 1 << 14},
		{Module: "vc_ram_ff2", Sets: ramFF2Sets, Cycles: 1 << 14},
	}, equivalent)
}
