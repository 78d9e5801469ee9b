package t264

import (
	"math/rand/v2"
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
	for i := range 12 {
		from = append(from, steps(uint64(i)), stripes(uint64(i)), waves(uint64(i)))
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

// steps returns blocks of 4x4 samples whose transforms have coefficients with many low bits of zero: flat ones, and such as have two values, which
// are multiples of 32, or black and white.
func steps(seed uint64) picture {
	rng := rand.New(rand.NewPCG(seed, 4))
	p := picture{w: 256, h: 64, pix: make([]byte, 1<<14), anchored: true}
	for y := 0; y < p.h; y += 4 {
		for x := 0; x < p.w; x += 4 {
			value := [2]byte{byte(32 * rng.IntN(8)), byte(32 * rng.IntN(8))}
			if rng.IntN(4) == 0 {
				value = [2]byte{0, 255}
			}
			if seed%2 == 0 {
				value[1] = value[0]
			}
			columns, rows := rng.IntN(16), rng.IntN(16) // which of them have the other value
			for i := range 16 {
				p.pix[(y+i/4)*p.w+x+i%4] = value[(columns>>(i%4)^rows>>(i/4))&1]
			}
		}
	}
	return p
}

// stripes returns black and white columns, or rows, that go through all macroblocks, but for some blocks of 4x4 samples, where some of the
// columns, or rows, are exchanged for their complement: prediction from the edge is best, and of these blocks it says the opposite. No other
// residual is as large: of 255 and -255.
func stripes(seed uint64) picture {
	rng := rand.New(rand.NewPCG(seed, 5))
	p := picture{w: 256, h: 64, pix: make([]byte, 1<<14), anchored: true}
	line := make([]byte, p.w)
	for i := range line {
		line[i] = byte(255 * rng.IntN(2))
	}
	for y := 0; y < p.h; y += 4 {
		for x := 0; x < p.w; x += 4 {
			other := 0
			if rng.IntN(6) == 0 {
				other = 15
				if rng.IntN(2) == 0 {
					other = rng.IntN(16)
				}
			}
			for i := range 16 {
				along, at := i%4, x+i%4
				if seed%2 != 0 {
					along, at = i/4, y+i/4
				}
				p.pix[(y+i/4)*p.w+x+i%4] = line[at] ^ byte(-(other >> along & 1))
			}
		}
	}
	return p
}

// waves returns blocks of 4x4 samples that are one function of the transform, in half of them, or the sum of several, each as large as there is room for
// or smaller: coefficients of all sizes, alone and with others.
func waves(seed uint64) picture {
	functions := [4][4]int{{1, 1, 1, 1}, {2, 1, -1, -2}, {1, -1, -1, 1}, {1, -2, 2, -1}}
	rng := rand.New(rand.NewPCG(seed, 6))
	p := picture{w: 256, h: 64, pix: make([]byte, 1<<14), anchored: true}
	for y := 0; y < p.h; y += 4 {
		for x := 0; x < p.w; x += 4 {
			var block [16]int // 128 and four times the rest
			for range 1 + rng.IntN(2)*rng.IntN(4) {
				u, v, size := rng.IntN(4), rng.IntN(4), rng.IntN(257)-128
				for i := range block {
					block[i] += size * 4 / (1 + u%2) / (1 + v%2) * functions[u][i%4] * functions[v][i/4] // an odd function has a two in it
				}
			}
			for i, v := range block {
				p.pix[(y+i/4)*p.w+x+i%4] = byte(min(max(128+v/4, 0), 255))
			}
		}
	}
	return p
}

// encGiven is what proofs of a pixel path of the encoder may assume: the QP of a frame is at most 51, in 1/16, and so is that in the place of each,
// and at most 51 at the quantisers. What they get is the transform of residuals from -255 to 255. Where a coefficient weighs both columns and rows
// by 2 1 -1 -2 the prediction, which has no more than one of them, does not count, and samples alone make 255 * 18.
func encGiven(spec hwenc.Spec) netlist.Given {
	const (
		even  = 255 * 16 // columns and rows by 1 1 1 1 or 1 -1 -1 1
		odd   = 255 * 18
		mixed = 255 * 24
	)
	at := spec.ThreadBits()
	given := netlist.Given{
		Inputs: []netlist.Bound{
			{Name: "cfg_data_i", Valid: "cfg_valid_i", From: at + spec.XBits() + 10, Bits: 10, Max: 51 * 16},
			{Module: "t264_quant", Name: "in_data_i", From: at, Bits: 6, Max: 51},
		},
		Words: []netlist.Bound{{Name: "u_place", From: spec.XBits() + 10, Bits: 10, Max: 51 * 16}},
	}
	for i, largest := range [8]uint64{even, mixed, even, mixed, mixed, odd, mixed, odd} { // Values is 8: two columns
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
