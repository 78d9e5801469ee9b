package t265

import (
	"testing"

	"vcsim/t265/hwenc"
	"vcsim/testbench"
	"vcsim/testbench/gates"
)

// gateCases returns the lane, the pixel path and the top of the encoder.
func gateCases(testing.TB) []gates.Case {
	lane, lanes := laneSets()
	pixels, paths := pixelsSets()
	enc := energyEnc(energySpec, 0)
	return []gates.Case{
		{Bench: gates.Bench{Unit: lane, Set: lanes[0]}},
		{Bench: gates.Bench{Unit: pixels, Set: paths[0], Options: gates.Options{Keep: pixelsUnits}}, Long: true},
		{Bench: enc, Long: true},
	}
}

// The units that energy is given by. They stay modules of their own in the netlist.
var (
	pixelsUnits = []string{"t265_enc_sched", "t265_enc_ref", "t265_decide", "t265_enc_tree", "t265_samples", "t265_forward", "t265_quant", "t265_inverse"}
	encUnits    = append([]string{"t265_enc_pixels", "t265_enc_code", "t265_enc_lane", "t265_enc_store", "t265_context"}, pixelsUnits...)
)

// energySpec is that of the top that runs: four lanes are enough for all that a larger one has.
var energySpec = hwenc.Spec{Threads: 4, Lanes: 4, MaxTU: 16, CTU: 16, Bypass: 4, Groups: 8, FrameCTUs: 16}

// energyEnc returns a top, with clock gates before groups of so many flip-flops.
func energyEnc(spec hwenc.Spec, gate int) gates.Bench {
	u, _ := encSets()
	set := encSet(spec, func(stall testbench.Stall, seed uint64) testbench.Model { return newEncModel(spec, stall, seed) })
	return gates.Bench{Unit: u, Set: set, Options: gates.Options{Keep: encUnits, ClockGate: gate}}
}

// TestGates: the netlist of lane, pixel path and top does what the Go model does, on every port in every cycle.
func TestGates(t *testing.T) { gates.CompareCases(t, gateCases) }

// TestGatesVerilated: Verilator says the same of the netlist of a lane as the simulation of gates does.
func TestGatesVerilated(t *testing.T) { gates.VerilatedCase(t, gateCases) }

// TestGateMutants: the comparison notices faults of single cells.
func TestGateMutants(t *testing.T) { gates.MutantCases(t, gateCases) }
