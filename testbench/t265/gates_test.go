package t265

import (
	"math/rand/v2"
	"sync"
	"testing"

	"vcsim/t265"
	"vcsim/t265/hwenc"
	"vcsim/testbench"
	"vcsim/testbench/gates"
)

// gateCases returns the lane, the pixel path and the top of the encoder.
func gateCases(testing.TB) []gates.Case {
	lane, lanes := laneSets()
	pixels, _ := pixelsSets()
	from := append(pictures(), hard()...)
	enc := energyEnc(energySpec, 0)
	code, codes := codeSets()
	alone := laneParts(lane, lanes[0])
	path := energySpec
	path.MinTU = 4 // which 0 stands for
	enc.Parts = append(append(pixelsParts(path), gates.Bench{Unit: pixels, Set: pixelsSet(path, from)}, gates.Bench{Unit: code, Set: codes[0]}), alone...)
	return []gates.Case{
		{Bench: gates.Bench{Unit: lane, Set: lanes[0], Parts: alone}},
		{Bench: gates.Bench{Unit: pixels, Set: pixelsSet(pathSpec, from), Options: gates.Options{Keep: pixelsUnits}, Parts: pixelsParts(pathSpec)}, Long: true},
		{Bench: enc, Long: true},
	}
}

// hard returns pictures that transforms have trouble with, of all sizes.
func hard() (list []plane) {
	for i := range uint64(12) {
		n := 4 << (i % 3)
		for _, pix := range [][]byte{gates.Steps(n, i), gates.Stripes(n, i), gates.Waves(gates.Cosines(n), i)} {
			list = append(list, plane{w: gates.PictureWidth, h: gates.PictureHeight, pix: pix, anchored: true})
		}
	}
	return list
}

// pixelsParts returns the benches of the units of a pixel path.
func pixelsParts(spec hwenc.Spec) []gates.Bench {
	sched, _ := schedSets()
	ref, _ := refSets()
	tree, _ := treeSets()
	samples, _ := samplesSets()
	forward, _ := forwardSets()
	quant, _ := quantSets()
	inverse, _ := inverseSets()
	decide, _ := decideSets()
	return []gates.Bench{
		{Unit: sched, Set: schedSet(spec)},
		{Unit: ref, Set: refSet(spec)},
		{Unit: tree, Set: treeSet(spec)},
		{Unit: samples, Set: sampleSet(spec)},
		{Unit: forward, Set: transformSet(false, spec.MaxTU, spec.ThreadBits())},
		{Unit: quant, Set: quantSet(spec, true)},
		{Unit: inverse, Set: transformSet(true, spec.MaxTU, spec.ThreadBits())},
		{Unit: decide, Set: decideSet(spec)},
	}
}

// laneSpec is that of the lanes of the netlists, which are all alike.
var laneSpec = hwenc.LaneSpec{Bypass: energySpec.Bypass, Groups: energySpec.Groups, MaxTU: energySpec.MaxTU}

// laneParts returns the benches of a lane that starts in the middle of a long run of outstanding bytes, and of one that gets positions which no
// block has.
func laneParts(lane testbench.Unit, set testbench.Set) []gates.Bench {
	const runBits = 16
	runs, far := set, set
	runs.Model = func(stall testbench.Stall, seed uint64) testbench.Model { return newRunModel(runBits, stall, seed) }
	far.Model = func(stall testbench.Stall, seed uint64) testbench.Model {
		m := newLaneModel(laneSpec, runBits, stall, seed)
		m.far = true
		return m
	}
	return []gates.Bench{{Unit: lane, Set: runs}, {Unit: lane, Set: far}}
}

// A runModel is a laneModel that starts with a count of outstanding bytes that is about to have another bit, and codes a slice that has a byte of
// 255 behind its first: the count goes up over the bit, or overflows, then down to zero.
type runModel struct {
	*laneModel
	count uint64
}

func newRunModel(runBits int, stall testbench.Stall, seed uint64) *runModel {
	m := &runModel{newLaneModel(laneSpec, runBits, stall, seed), 1<<(1+seed%uint64(runBits)) - 1}
	s := runSlices()[m.rng.IntN(len(runSlices()))]
	m.queue, m.want = s.Words, [][]byte{nil} // its bytes are others
	m.unit.Outstanding(uint32(m.count))
	return m
}

func (m *runModel) Start() []gates.Register {
	return []gates.Register{{Name: "u_enc.u_pack.run_q", Value: m.count}}
}

// runSlices returns slices of one CTU whose second byte is 255.
var runSlices = sync.OnceValue(func() (list []slice) {
	rng := rand.New(rand.NewPCG(8, 8))
	from := planes()
	for len(list) < 12 {
		p := &from[rng.IntN(len(from))]
		at := rng.IntN(p.h-15)*p.w + rng.IntN(p.w-15)
		slices, err := hwenc.CodePicture(t265.Params{Width: 16, Height: 16, CTU: 16, MaxTU: energySpec.MaxTU}, p.pix[at:], p.w, 16*rng.IntN(51))
		if err != nil {
			panic(err)
		}
		if s := slices[0]; len(s.Data) > 2 && s.Data[1] == 255 {
			list = append(list, s)
		}
	}
	return list
})

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
