package t264

import (
	"os"
	"strconv"
	"testing"

	"vcsim/internal/netlist"
	"vcsim/t264/hwdec"
	"vcsim/t264/hwenc"
	"vcsim/testbench"
	"vcsim/testbench/gates"
)

// A gateBench is a unit whose netlist runs in its bench.
type gateBench struct {
	gates.Bench
	long bool // more than a minute to map: the target make cosim-gates alone
}

// gateBenches returns the lanes, pixel paths and tops.
func gateBenches(t testing.TB) []gateBench {
	lane, lanes := decLaneSets(t)
	code, codes := codeSets()
	pixels, paths := pixelsSets()
	recon, recons := pixelSets()
	enc, dec := energyEnc(t, energyEncSpec, 0), energyDec(t, energyDecSpec, 0)
	return []gateBench{
		{Bench: gates.Bench{Unit: lane, Set: lanes[0]}},
		{Bench: gates.Bench{Unit: code, Set: codes[0], Options: gates.Options{Keep: []string{"t264_enc_lane", "t264_enc_store", "t264_context"}}}, long: true},
		{Bench: gates.Bench{Unit: pixels, Set: paths[0], Options: gates.Options{Keep: encPixelsUnits}, Given: encGiven(hwenc.Spec{Threads: 8, FrameMBs: 16})}, long: true},
		{Bench: gates.Bench{Unit: recon, Set: recons[0], Options: gates.Options{Keep: decPixelsUnits}}, long: true},
		{Bench: enc, long: true},
		{Bench: dec, long: true},
	}
}

// encGiven is what proofs of a pixel path of the encoder may assume: the QP of a frame is at most 51, in 1/16, and so is that in the place of each.
func encGiven(spec hwenc.Spec) netlist.Given {
	return netlist.Given{
		Inputs: []netlist.Bound{{Name: "cfg_data_i", Valid: "cfg_valid_i", From: spec.ThreadBits() + spec.XBits() + 10, Bits: 10, Max: 51 * 16}},
		Words:  []netlist.Bound{{Name: "u_place", From: spec.XBits() + 10, Bits: 10, Max: 51 * 16}},
	}
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
func TestGates(t *testing.T) {
	gates.NeedCells(t)
	for _, b := range gateBenches(t) {
		t.Run(b.Unit.Top, func(t *testing.T) {
			if b.long && os.Getenv("VCSIM_GATES") != "1" {
				t.Skip("make cosim-gates runs it")
			}
			b.Compare(t, 1<<17)
		})
	}
}

// TestGatesVerilated: Verilator says the same of the netlist of a lane as the simulation of gates does.
func TestGatesVerilated(t *testing.T) {
	if os.Getenv("VCSIM_GATES") != "1" {
		t.Skip("make cosim-gates runs it")
	}
	gates.NeedCells(t, "verilator", "g++", "ar")
	b := gateBenches(t)[0]
	b.Verilated(t, 1<<15)
}

// TestGateMutants: the comparison notices faults of single cells.
func TestGateMutants(t *testing.T) {
	gates.NeedCells(t)
	for _, b := range gateBenches(t) {
		t.Run(b.Unit.Top, func(t *testing.T) {
			whole := os.Getenv("VCSIM_GATES") == "1"
			count, cycles := 30, 1<<14
			switch {
			case !whole && b.long:
				t.Skip("make cosim-gates runs it")
			case whole:
				count, cycles = 100, 1<<16
			}
			seed := uint64(1)
			if text := os.Getenv("VCSIM_GATES_SEED"); text != "" {
				var err error
				if seed, err = strconv.ParseUint(text, 10, 32); err != nil {
					t.Fatalf("VCSIM_GATES_SEED: %v", err)
				}
			}
			b.Mutants(t, count, cycles, seed)
		})
	}
}
