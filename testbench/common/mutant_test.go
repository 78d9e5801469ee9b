package common

import (
	"testing"

	"vcsim/testbench"
)

var equivalent = testbench.Equivalent{}

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
		{Module: "vc_cabac_dec_core", Sets: decoderSets, Cycles: 1 << 14},
		{Module: "vc_cabac_bypass", Sets: decoderSets, Cycles: 1 << 14},
		{Module: "vc_nal_unpack", Sets: unpackSets, Cycles: 1 << 14},
		{Module: "vc_ram_ff2", Sets: ramFF2Sets, Cycles: 1 << 14},
	}, equivalent)
}
