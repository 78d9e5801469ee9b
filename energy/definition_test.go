package energy

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b)+1e-300 }

// TestSums: totals are sums of their parts, and accesses count the bits that are read and written.
func TestSums(t *testing.T) {
	u := Unit{Logic: 1, State: 20, Clock: 300, Leakage: 4000}
	m := Measurement{Units: []Unit{u, {Logic: 5}}, Memories: []Memory{{Width: 3, Reads: 10, Writes: 100}, {Width: 2, Reads: 0.5}}}
	p := Part{Logic: 1, State: 20, Clock: 300, Leakage: 4000}
	r := Result{Cells: 100, Memory: 20, MemoryLow: 10, MemoryHigh: 70, Wires: 3}
	low, high := r.Range()
	for _, c := range []struct{ got, want float64 }{{u.Total(), 4321}, {m.Cells(), 4326}, {m.Accessed(), 331}, {p.Total(), 4321}, {r.Total(), 123}, {low, 113}, {high, 173}} {
		if c.got != c.want {
			t.Errorf("%g, want %g", c.got, c.want)
		}
	}
}

const (
	unitHead   = "gate,group,plane,qp16,cycles,samples,bits,unit,instances,logic_fj,state_fj,clock_fj,leakage_fj\n"
	memoryHead = "gate,plane,qp16,memory,ports,width,depth,reads,writes\n"
)

// TestParse: rows of one gate, plane and QP are one measurement, with the memories that name the same; what is not there, or no number, is
// named with its line.
func TestParse(t *testing.T) {
	units := "# from there\n" + unitHead + "4,fit,a,320,10,20,30,u,4,1,2,3,4\n4,fit,a,320,10,20,30,v,1,5,6,7,8\n0,held,a,320,11,21,31,u,4,9,9,9,9\n4,held,b,320,12,22,32,u,4,1,1,1,1\n4,fit,a,321,13,23,33,u,4,2,2,2,2\n"
	memories := memoryHead + "4,a,320,m,1rw,8,64,100,200\n4,a,320,n,1r1w,9,65,101,201\n0,a,320,m,1rw,8,64,1,2\n"
	list, err := parse(Encoder, []byte(units), []byte(memories))
	if err != nil {
		t.Fatal(err)
	}
	want := []Measurement{
		{Side: Encoder, Gate: 4, Plane: "a", QP16: 320, Cycles: 10, Samples: 20, Bits: 30, Units: []Unit{{"u", 4, 1, 2, 3, 4}, {"v", 1, 5, 6, 7, 8}}, Memories: []Memory{{"m", "1rw", 8, 64, 100, 200}, {"n", "1r1w", 9, 65, 101, 201}}},
		{Side: Encoder, Gate: 0, Plane: "a", Held: true, QP16: 320, Cycles: 11, Samples: 21, Bits: 31, Units: []Unit{{"u", 4, 9, 9, 9, 9}}, Memories: []Memory{{"m", "1rw", 8, 64, 1, 2}}},
		{Side: Encoder, Gate: 4, Plane: "b", Held: true, QP16: 320, Cycles: 12, Samples: 22, Bits: 32, Units: []Unit{{"u", 4, 1, 1, 1, 1}}},
		{Side: Encoder, Gate: 4, Plane: "a", QP16: 321, Cycles: 13, Samples: 23, Bits: 33, Units: []Unit{{"u", 4, 2, 2, 2, 2}}},
	}
	if got, want := fmt.Sprintf("%+v", list), fmt.Sprintf("%+v", want); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	for _, c := range []struct{ units, memories, want string }{
		{unitHead, memoryHead + "4,a,320,m,1rw,8,64,1,2\n", "enc_memories.csv:2: no measurement of it in enc.csv"},
		{strings.Replace(unitHead, "plane", "plan", 1) + "4,fit,a,320,10,20,30,u,4,1,2,3,4\n", memoryHead, "enc.csv:2: no column plane"},
		{unitHead + "4,fit,a,320,10,20,30,u,4,1,2,3,4\n4,fit,a,320,10,20,30,v,4,1,x,3,4\n", memoryHead, "enc.csv:3: state_fj: "},
		{unitHead + "4,fit,a,320,10,20,30,u,4,1,2,y,x\n", memoryHead, "enc.csv:2: clock_fj: "},
		{unitHead + "4,fit,a,320,10,20,30,u\n", memoryHead, "wrong number of fields"}, {"", memoryHead, "enc.csv: EOF"}, {unitHead, "", "enc_memories.csv: EOF"},
		{unitHead + "4,fit,a,320,10,20,30,u,4,1,2,3,4\n", memoryHead + "4,a,320,m,1rw,8,64,1,z\n", "enc_memories.csv:2: writes: "},
	} {
		if _, err := parse(Encoder, []byte(c.units), []byte(c.memories)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.want, err)
		}
	}
	for _, s := range []Side{Encoder, Decoder} {
		lines := Provenance(s)
		list, err := Measurements(s)
		if err != nil || len(list) == 0 || len(lines) == 0 || slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, "#") || l != strings.TrimSpace(l) }) {
			t.Errorf("%s: %d measurements, from %q, %v", s, len(list), lines, err)
		}
		for _, m := range list {
			if m.Side != s || m.Cycles <= 0 || len(m.Units) == 0 || len(m.Memories) == 0 {
				t.Errorf("%s: %+v", s, m)
			}
		}
		if File(s) != "energy/"+string(s)+".csv" {
			t.Errorf("%s", File(s))
		}
	}
	for _, f := range []func() error{func() error { _, err := Measurements("x"); return err }, func() error { _, err := For("x"); return err }, func() error { _, err := load("x"); return err }} {
		if err := f(); err == nil || err.Error() != `no energy of side "x"` {
			t.Errorf("%v", err)
		}
	}
	if Basis("x") != `no energy of side "x"` || len(Provenance("x")) != 0 {
		t.Errorf("%s", Basis("x"))
	}
}

// TestLeastSquares: what is an exact sum is found, weighted or not; otherwise no other coefficients of zero or more come nearer.
func TestLeastSquares(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 1))
	for round := range 200 {
		n := 4 + rng.IntN(6)
		x := make([][3]float64, n)
		y, weight := make([]float64, n), make([]float64, n)
		want := term{rng.Float64(), 10 * rng.Float64(), 0.1 * rng.Float64()}
		for k := range want {
			if rng.IntN(4) == 0 {
				want[k] = 0
			}
		}
		for i := range x {
			x[i] = features(100+1000*rng.Float64(), 100*rng.Float64(), 1000*rng.Float64())
			weight[i] = 0.1 + rng.Float64()
			y[i] = want[0]*x[i][0] + want[1]*x[i][1] + want[2]*x[i][2]
		}
		got := leastSquares(x, y, weight)
		for k := range want {
			if math.Abs(got[k]-want[k]) > 1e-6*(1+want[k]) {
				t.Fatalf("round %d: %v, want %v", round, got, want)
			}
		}
		if f := want.at(x[0]); !near(f, y[0]) && y[0] != 0 {
			t.Errorf("round %d: %g, want %g", round, f, y[0])
		}
		for i := range y { // some of it noise, and below nothing
			y[i] += 300 * rng.NormFloat64()
		}
		off := func(t term) (sum float64) {
			for i := range x {
				sum += math.Pow((t.at(x[i])-y[i])*weight[i], 2)
			}
			return sum
		}
		got = leastSquares(x, y, weight)
		least := off(got)
		for k := range got {
			if got[k] < 0 {
				t.Fatalf("round %d: %v", round, got)
			}
			for _, step := range []float64{-0.01, 0.01} {
				other := got
				other[k] = max(0, other[k]+step*(0.01+other[k]))
				if off(other) < least*(1-1e-9) {
					t.Fatalf("round %d: %v is off by %g, %v by %g", round, got, least, other, off(other))
				}
			}
		}
	}
	if got := leastSquares([][3]float64{{1, 0, 0}, {2, 0, 0}}, []float64{-3, -6}, []float64{1, 1}); got != (term{}) {
		t.Errorf("what is below nothing: %v", got)
	}
	if got := leastSquares([][3]float64{{1, 0, 0}, {2, 0, 0}}, []float64{3, 6}, []float64{1, 1}); got != (term{3, 0, 0}) {
		t.Errorf("one feature: %v", got)
	}
}

// TestEnergyOfUnits: idle energy of what a lane has once grows with the lanes, the rest does not; leakage lasts as long as a cycle.
func TestEnergyOfUnits(t *testing.T) {
	m := Model{units: []unitModel{
		{name: "pixels", instances: 1, parts: [4]term{{1, 10, 100}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}}},
		{name: "lane", instances: 4, perLane: true, parts: [4]term{{1000, 100, 10}, {2000, 0, 0}, {3000, 0, 0}, {4000, 0, 0}}},
		{name: "store", instances: 1, perLane: true, parts: [4]term{{8, 0, 0}, {}, {}, {}}},
	}, accesses: term{1, 2, 3}, bits: 50, Error: 0.01, Worst: 0.03}
	for _, c := range []struct {
		lanes int
		clock float64
		slow  float64
	}{{4, 0, 1}, {8, 1e9, 1}, {2, 0.5e9, 2}, {24, 2e9, 0.5}} {
		r := m.Energy(Counters{Lanes: c.lanes, Cycles: 7, Clock: c.clock, Samples: 5, Bits: 3})
		share := float64(c.lanes) / 4
		want := map[string]Part{
			"pixels": {"pixels", 1, (7 + 50 + 300) / 1e3, 14 / 1e3, 21 / 1e3, 28 / 1e3 * c.slow},
			"lane":   {"lane", c.lanes, (7000*share + 500 + 30) / 1e3, 14000 * share / 1e3, 21000 * share / 1e3, 28000 * share / 1e3 * c.slow},
			"store":  {"store", 1, 56 * share / 1e3, 0, 0, 0},
		}
		cells := 0.0
		last := math.Inf(1)
		for _, p := range r.Units {
			w := want[p.Unit]
			if p.Instances != w.Instances || !near(p.Logic, w.Logic) || !near(p.State, w.State) || !near(p.Clock, w.Clock) || !near(p.Leakage, w.Leakage) {
				t.Errorf("%d lanes at %g Hz: %+v, want %+v", c.lanes, c.clock, p, w)
			}
			if p.Total() > last {
				t.Errorf("%d lanes: %s takes more than the unit before it", c.lanes, p.Unit)
			}
			last = p.Total()
			cells += w.Total()
		}
		accessed, leakage := 7.0+2*5+3*3, 7*50*float64(c.lanes)*7.87e-3*c.slow
		for _, v := range []struct{ got, want float64 }{{r.Cells, cells}, {r.Wires, 0.3 * cells}, {r.Memory, (accessed*17 + leakage) / 1e3}, {r.MemoryLow, (accessed*10.5 + leakage) / 1e3}, {r.MemoryHigh, (accessed*117 + leakage) / 1e3}, {r.Error, 0.01}, {r.Worst, 0.03}, {float64(len(r.Units)), 3}} {
			if !near(v.got, v.want) {
				t.Errorf("%d lanes at %g Hz: %g, want %g", c.lanes, c.clock, v.got, v.want)
			}
		}
	}
}

// TestFitOnSome: a model is of the rows with clock gates that are not held back, and its error that on those that are.
func TestFitOnSome(t *testing.T) {
	made := func(k int, held bool, more float64) Measurement {
		c, s, b := 1000+100*float64(k*k), 50+40*float64(k%3), 20+35*float64(k%4)
		return Measurement{Side: Decoder, Gate: Gated, Held: held, Cycles: c, Samples: s, Bits: b,
			Units:    []Unit{{"t264_dec_lane", 4, more * (3*c + 2*b), more * c, more * (c + s), more * 0.5 * c}, {"top", 1, more * s, 0, more * 2 * c, 0}},
			Memories: []Memory{{"m", "1rw", 8, 16, (c + b) / 8, 2 * s / 8}, {"n", "1r1w", 4, 10, 0, 0}}}
	}
	var list []Measurement
	for k := range 6 {
		list = append(list, made(k, false, 1))
	}
	list = append(list, made(6, true, 1), made(7, true, 1/1.1), made(8, true, 1))
	other, ungated := made(2, false, 7), made(3, false, 9)
	other.Side, ungated.Gate = Encoder, 0
	list = append(list, other, ungated)
	m, err := Fit(list, Decoder)
	if err != nil {
		t.Fatal(err)
	}
	// The error of the second of those held back is that of its cells beside what memories take.
	k := &list[7]
	memory := k.Accessed()*17 + k.Cycles*(8*16+4*10)*7.87e-3
	off := (1.1*k.Cells()+memory)/(k.Cells()+memory) - 1
	if m.Held != 3 || math.Abs(m.Worst-off) > 1e-6 || math.Abs(m.Error-off/3) > 1e-6 || m.bits != (8*16+4*10)/4 {
		t.Errorf("error %g and %g on %d, %g bits; want %g and %g", m.Error, m.Worst, m.Held, m.bits, off/3, off)
	}
	r := m.Energy(Counters{Lanes: 8, Cycles: 100, Samples: 10, Bits: 1})
	want := (2*(3*100+100+100+50) + 2 + 10 + 10 + 200) / 1e3
	if math.Abs(r.Cells-want) > 1e-6 || r.Units[0].Unit != "t264_dec_lane" || r.Units[0].Instances != 8 || r.Units[1].Instances != 1 {
		t.Errorf("%+v, want %g", r, want)
	}
	if leak := 100 * 42 * 8 * 7.87e-3; math.Abs(r.Memory-((100+20+1)*17+leak)/1e3) > 1e-6 {
		t.Errorf("memories take %g pJ", r.Memory)
	}
	for _, c := range []struct {
		list []Measurement
		want string
	}{{nil, "energy of dec: 0 measurements to fit and 0 beside them"}, {slices.Concat(list[:3], list[6:8]), "3 measurements to fit and 2"}, {slices.Concat(list[:6], list[6:7]), "6 measurements to fit and 1"}} {
		if _, err := Fit(c.list, Decoder); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	if _, err := Fit(slices.Concat(list[:4], list[6:8]), Decoder); err != nil {
		t.Errorf("four to fit and two beside them: %v", err)
	}
	// Errors count as shares of the whole: of rows of one feature that do not agree, the energy a cycle is that which the shares balance.
	var rows []Measurement
	sum, squares := 0.0, 0.0
	for _, k := range []float64{1, 2, 4, 8, 1, 1} {
		m := Measurement{Side: Decoder, Gate: Gated, Held: len(rows) >= 4, Cycles: 100 * k * k, Units: []Unit{{Name: "u", Instances: 1, Clock: 100 * k}}}
		if !m.Held { // each cycle costs 1/k
			sum, squares = sum+k, squares+k*k
		}
		rows = append(rows, m)
	}
	if m, err = Fit(rows, Decoder); err != nil {
		t.Fatal(err)
	}
	if r := m.Energy(Counters{Lanes: 4, Cycles: 1e6}); math.Abs(r.Cells/(1e3*sum/squares)-1) > 1e-9 {
		t.Errorf("%g pJ of a million cycles, want %g", r.Cells, 1e3*sum/squares)
	}
	for _, s := range []Side{Encoder, Decoder} {
		m, err := For(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{fmt.Sprintf("(%.1f %% off in the mean and %.1f %% at worst on %d runs", 100*m.Error, 100*m.Worst, m.Held), "with 4 lanes on frames of 64 x 64", "30 % more for wires; memories at 17 fJ a bit of an access (10.5 to 117)"} {
			if !strings.Contains(Basis(s), want) {
				t.Errorf("%s: %s, want %s", s, Basis(s), want)
			}
		}
	}
}
