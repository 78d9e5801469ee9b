package t264

import (
	"testing"

	"vcsim/internal/netlist"
	"vcsim/t264/hwdec"
	"vcsim/t264/hwenc"
	"vcsim/testbench"
	"vcsim/testbench/gates"
)

// gateCases returns the lanes, pixel paths and tops.
func gateCases(t testing.TB) []gates.Case {
	lane, lanes := decLaneSets(t)
	code, codes := codeSets()
	pixels, paths := pixelsSets()
	from := append(pictures(), overshoot())
	for i := range uint64(12) {
		from = append(from, hard(gates.Steps(4, i)), hard(gates.Stripes(4, i)), hard(gates.Waves(core, i)))
	}
	path := hwenc.Spec{Threads: 8, Lanes: 8, Values: 8, Bypass: 4, FrameMBs: 16}
	paths[0].Model = func(stall testbench.Stall, seed uint64) testbench.Model {
		return newPixelsModel(path, from, stall, seed)
	}
	recon, recons := pixelSets()
	enc, dec := energyEnc(t, energyEncSpec, 0), energyDec(t, energyDecSpec, 0)
	enc.Set.Model = func(stall testbench.Stall, seed uint64) testbench.Model {
		return newEncModel(energyEncSpec, from, stall, seed)
	}
	slices, err := decLaneSlices()
	if err != nil {
		t.Fatal(err)
	}
	runs := codeSet(energyEncSpec, 16)
	runs.Model = func(stall testbench.Stall, seed uint64) testbench.Model {
		return newRunModel(energyEncSpec, 16, stall, seed)
	}
	enc.Parts = []gates.Bench{{Unit: pixels, Set: pixelsSet(energyEncSpec, from)}, {Unit: code, Set: codeSet(energyEncSpec, 16)}, {Unit: code, Set: runs}}
	dec.Parts = []gates.Bench{
		{Unit: lane, Set: decLaneSet(hwdec.LaneSpec{FrameMBs: energyDecSpec.FrameMBs, Bypass: energyDecSpec.Bypass}, slices)},
		{Unit: recon, Set: pixelSet(hwdec.PixelsSpec{Threads: energyDecSpec.Lanes, FrameMBs: energyDecSpec.FrameMBs, Slots: energyDecSpec.Slots, Transform8: energyDecSpec.Transform8})},
	}
	return []gates.Case{
		{Bench: gates.Bench{Unit: lane, Set: lanes[0]}},
		{Bench: gates.Bench{Unit: code, Set: codes[0], Options: gates.Options{Keep: []string{"t264_enc_lane", "t264_enc_store", "t264_context"}}, Parts: []gates.Bench{{Unit: code, Set: runs}}}, Long: true},
		{Bench: gates.Bench{Unit: pixels, Set: paths[0], Options: gates.Options{Keep: encPixelsUnits}, Given: encGiven(path)}, Long: true},
		{Bench: gates.Bench{Unit: recon, Set: recons[0], Options: gates.Options{Keep: decPixelsUnits}}, Long: true},
		{Bench: enc, Long: true},
		{Bench: dec, Long: true},
	}
}

// hard returns a picture of those that transforms have trouble with.
func hard(pix []byte) picture {
	return picture{w: gates.PictureWidth, h: gates.PictureHeight, pix: pix, anchored: true}
}

// core are the functions of the forward 4x4 core transform, the largest value of each as one.
var core = [][]float64{{1, 1, 1, 1}, {1, 0.5, -0.5, -1}, {1, -1, -1, 1}, {0.5, -1, 1, -0.5}}

// encGiven is what proofs of a pixel path of the encoder may assume: the QP of a frame is at most 51, in 1/16, and so is that in the place of each,
// and at most 51 at the quantisers. What they get is the transform of residuals from -255 to 255. A prediction is the same in all rows, or in all
// columns: it does not count where a coefficient weighs neither columns nor rows alike, and samples from 0 to 255 alone make half as much.
func encGiven(spec hwenc.Spec) netlist.Given {
	const (
		even  = 255 * 16     // columns and rows by 1 1 1 1 or 1 -1 -1 1
		mixed = 255 * 24     // one of them by 2 1 -1 -2 or 1 -2 2 -1
		odd   = 255 * 36 / 2 // both
		apart = 255 * 24 / 2 // the columns, and rows by 1 -1 -1 1
	)
	at := spec.ThreadBits()
	given := netlist.Given{
		Inputs: []netlist.Bound{
			{Name: "cfg_data_i", Valid: "cfg_valid_i", From: at + spec.XBits() + 10, Bits: 10, Max: 51 * 16},
			{Module: "t264_quant", Name: "in_data_i", From: at, Bits: 6, Max: 51},
		},
		Words: []netlist.Bound{{Name: "u_place", From: spec.XBits() + 10, Bits: 10, Max: 51 * 16}},
	}
	for i, largest := range [8]uint64{even, mixed, even, mixed, mixed, odd, apart, odd} { // Values is 8: two columns
		given.Inputs = append(given.Inputs, netlist.Bound{
			Module: "t264_quant", Name: "in_data_i", From: at + 6 + 4 + 1 + 15*i, Bits: 15, Max: largest, Signed: true})
	}
	return given
}

// The units that energy is given by. They stay modules of their own in the netlist.
var (
	encPixelsUnits = []string{"t264_enc_sched", "t264_enc_ref", "t264_mode", "t264_dct", "t264_quant", "t264_enc_dc", "t264_border"}
	encUnits       = append([]string{"t264_enc_pixels", "t264_enc_code", "t264_enc_lane", "t264_enc_store", "t264_context"}, encPixelsUnits...)
	decPixelsUnits = []string{"t264_dec_store", "t264_dec_sched", "t264_dec_residual", "t264_dec_ref", "t264_dec_predict", "t264_dec_out"}
	decUnits       = append([]string{"t264_dec_pixels", "t264_dec_lane", "t264_dec_above", "t264_context"}, decPixelsUnits...)
)

// The tops that run: of four lanes, which is enough for all that a larger one has.
var (
	energyEncSpec = hwenc.Spec{Threads: 4, Lanes: 4, Values: 8, Bypass: 4, FrameMBs: 16}
	energyDecSpec = hwdec.Spec{Lanes: 4, FrameMBs: 16, Slots: 16, Bypass: 1, Transform8: true}
)

// energyEnc and energyDec return tops, with clock gates before groups of so many flip-flops.
func energyEnc(t testing.TB, spec hwenc.Spec, gate int) gates.Bench {
	u, _ := encSets()
	from := pictures()
	set := encSet(spec, func(stall testbench.Stall, seed uint64) testbench.Model { return newEncModel(spec, from, stall, seed) })
	return gates.Bench{Unit: u, Set: set, Options: gates.Options{Keep: encUnits, ClockGate: gate}, Given: encGiven(spec)}
}

func energyDec(t testing.TB, spec hwdec.Spec, gate int) gates.Bench {
	u, _ := decSets(t)
	return gates.Bench{Unit: u, Set: decSet(t, spec), Options: gates.Options{Keep: decUnits, ClockGate: gate}}
}

// TestGates: the netlist of each lane, pixel path and top does what the Go model does, on every port in every cycle.
func TestGates(t *testing.T) { gates.CompareCases(t, gateCases) }

// TestGatesVerilated: Verilator says the same of the netlist of a lane as the simulation of gates does.
func TestGatesVerilated(t *testing.T) { gates.VerilatedCase(t, gateCases) }

// TestGateMutants: the comparison notices faults of single cells.
func TestGateMutants(t *testing.T) { gates.MutantCases(t, gateCases) }
