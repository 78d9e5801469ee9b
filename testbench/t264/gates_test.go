package t264

import (
	"testing"

	"vcsim/testbench/gates"
)

// gateBenches returns the benches of the netlists: lanes, pixel paths, tops.
func gateBenches(t testing.TB) []gates.Bench {
	lane, lanes := decLaneSets(t)
	code, codes := codeSets()
	return []gates.Bench{
		{Unit: lane, Set: lanes[0]},
		{Unit: code, Set: codes[0], Options: gates.Options{Keep: []string{"t264_enc_lane", "t264_enc_store", "t264_context"}}},
	}
}

// TestGates: the netlist of each lane, pixel path and top does what the Go model does, on every port in every cycle.
func TestGates(t *testing.T) {
	gates.NeedCells(t)
	for _, b := range gateBenches(t) {
		t.Run(b.Unit.Top, func(t *testing.T) { b.Compare(t, 1<<17) })
	}
}
