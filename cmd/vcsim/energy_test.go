package main

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"vcsim/energy"
)

// TestEnergy: the units add up to their side, wires are the allowance on cells, the units of energy agree, a bit has
// one to three bins, clock gates save, more bits take more, and the paper's figures come only when asked for.
func TestEnergy(t *testing.T) {
	before := map[string][]energySideJSON{}
	for _, args := range [][]string{{"energy", "--json"}, {"energy", "--json", "--paper", "--lanes", "16", "--decoder-lanes", "8", "--bits", "4"},
		{"energy", "--json", "--codec", "t265"}, {"energy", "--json", "--codec", "t265", "--paper", "--lanes", "16", "--bits", "4"}} {
		stdout, stderr, code := execute(t, args...)
		var j energyJSON
		if err := json.Unmarshal([]byte(stdout), &j); err != nil || code != 0 {
			t.Fatalf("%v: exit %d, %v: %s", args, code, err, stderr)
		}
		want, absent := sidesOf(args)
		if len(j.Sides) != len(want) || !slices.Equal(j.Absent, absent) {
			t.Fatalf("%v: %d sides, absent %v", args, len(j.Sides), j.Absent)
		}
		for i, s := range j.Sides {
			sum, share, cells, wires := 0., 0., 0., 0.
			for _, u := range j.Units {
				if u.Side != s.Side {
					continue
				}
				sum, share = sum+u.Total, share+u.Share
				switch {
				case u.Unit == "wires":
					wires = u.Total
				case u.Count > 0:
					cells += u.Total
					if parts := u.Logic + u.State + u.Clock + u.Leakage; math.Abs(parts/u.Total-1) > 1e-9 {
						t.Errorf("%v: the parts of %s %s are %g, together %g", args, u.Side, u.Unit, parts, u.Total)
					}
				}
			}
			if math.Abs(sum/s.PerBit-1) > 1e-9 || math.Abs(share-1) > 1e-9 || math.Abs(wires/cells/energy.Allowance-1) > 1e-9 {
				t.Errorf("%v: the units of the %s take %g pJ, of them cells %g and wires %g; it takes %g", args, s.Side, sum, cells, wires, s.PerBit)
			}
			if !(s.Low < s.PerBit && s.PerBit < s.High) || math.Abs(s.Value/s.PerBit-16) > 1e-9 || math.Abs(s.PerWire*j.Bits/s.Value-1) > 1e-9 || math.Abs(s.Power/s.PerBit-0.1) > 1e-9 {
				t.Errorf("%v: %+v", args, s)
			}
			if bins := s.Value / s.PerBin; !(bins > j.Bits && bins < 3*j.Bits) {
				t.Errorf("%v: the %s has %g bins at %g bits a value", args, s.Side, bins, j.Bits)
			}
			if (s.Paper != nil) != slices.Contains(args, "--paper") || s.Side != want[i] || !strings.Contains(s.Source, "energy/"+j.Codec+"_"+s.Side[:3]) {
				t.Errorf("%v: %+v", args, s)
			}
			if was := before[j.Codec]; was != nil && s.PerBit <= was[i].PerBit {
				t.Errorf("%s: 4 bits take %g pJ a payload bit and 3 bits %g", s.Side, s.PerBit, was[i].PerBit)
			}
		}
		before[j.Codec] = j.Sides
		sides := map[string]int{}
		for _, g := range j.Gates {
			if sides[g.Side]++; !(g.With < g.Without) || math.Abs(g.Saved-1+g.With/g.Without) > 1e-9 || !(g.LaneClock > 0 && g.LaneClock < 1) {
				t.Errorf("%v: %+v", args, g)
			}
		}
		for _, side := range want {
			if sides[side] == 0 || sides[side] != sides[want[0]] {
				t.Errorf("%v: clock gates of %v", args, sides)
			}
		}
	}
	for _, tt := range []struct{ args, want string }{
		{"energy --lanes 0", "lanes: 0"}, {"energy --bits 17", "--bits is 17"}, {"energy --clock 9GHz", "timing of t264_"}, {"energy x", "takes flags only"},
	} {
		if _, stderr, code := execute(t, strings.Fields(tt.args)...); code != 2 || !strings.Contains(stderr, tt.want) {
			t.Errorf("%s: exit %d, %q, want %q", tt.args, code, stderr, tt.want)
		}
	}
}
