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
	unitHead   = "gate,lanes,frame,group,plane,qp16,cycles,samples,bits,map_bins,level_bins,sign_bins,coded_samples,moving_samples,unit,instances,logic_fj,state_fj,clock_fj,leakage_fj\n"
	memoryHead = "gate,lanes,frame,plane,qp16,memory,ports,width,depth,reads,writes\n"
)

// TestParse: rows of one gate, plane and QP are one measurement, with the memories that name the same; what is not there, or no number, is
// named with its line.
func TestParse(t *testing.T) {
	units := "# from there\n" + unitHead + "4,2,64,fit,a,320,10,20,30,1,2,3,4,5,u,4,1,2,3,4\n4,2,64,fit,a,320,10,20,30,1,2,3,4,5,v,1,5,6,7,8\n0,2,64,held,a,320,11,21,31,1,2,3,4,5,u,4,9,9,9,9\n4,3,64,held,a,320,12,22,32,1,2,3,4,5,u,4,1,1,1,1\n4,2,65,fit,a,320,13,23,33,1,2,3,4,5,u,4,2,2,2,2\n4,2,64,fit,a,321,14,24,34,1,2,3,4,5,u,4,3,3,3,3\n"
	memories := memoryHead + "4,2,64,a,320,m,1rw,8,64,100,200\n4,2,64,a,320,n,1r1w,9,65,101,201\n0,2,64,a,320,m,1rw,8,64,1,2\n"
	list, err := parse(T264Encoder, []byte(units), []byte(memories))
	if err != nil {
		t.Fatal(err)
	}
	made := func(gate, lanes, width, qp int, held bool, first float64, units []Unit, memories []Memory) Measurement {
		return Measurement{Side: T264Encoder, Gate: gate, Lanes: lanes, Width: width, Plane: "a", Held: held, QP16: qp, Units: units, Memories: memories,
			Counters: Counters{Lanes: lanes, Cycles: first, Samples: first + 10, Bits: first + 20, MapBins: 1, LevelBins: 2, SignBins: 3, Coded: 4, Moving: 5}}
	}
	want := []Measurement{
		made(4, 2, 64, 320, false, 10, []Unit{{"u", 4, 1, 2, 3, 4}, {"v", 1, 5, 6, 7, 8}}, []Memory{{"m", "1rw", 8, 64, 100, 200}, {"n", "1r1w", 9, 65, 101, 201}}),
		made(0, 2, 64, 320, true, 11, []Unit{{"u", 4, 9, 9, 9, 9}}, []Memory{{"m", "1rw", 8, 64, 1, 2}}),
		made(4, 3, 64, 320, true, 12, []Unit{{"u", 4, 1, 1, 1, 1}}, nil), made(4, 2, 65, 320, false, 13, []Unit{{"u", 4, 2, 2, 2, 2}}, nil), made(4, 2, 64, 321, false, 14, []Unit{{"u", 4, 3, 3, 3, 3}}, nil),
	}
	if got, want := fmt.Sprintf("%+v", list), fmt.Sprintf("%+v", want); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	large := strings.Replace(unitHead, "moving_samples", "moving_samples,large_samples", 1) + "4,2,64,fit,a,320,10,20,30,1,2,3,4,5,6,u,4,1,2,3,4\n"
	if list, err := parse(T265Encoder, []byte(large), []byte(memoryHead)); err != nil || len(list) != 1 || list[0].Large != 6 || list[0].Units[0].Instances != 4 {
		t.Errorf("large blocks: %+v, %v", list, err)
	}
	for _, c := range []struct{ units, memories, want string }{
		{unitHead, memoryHead + "4,2,64,a,320,m,1rw,8,64,1,2\n", "t264_enc_memories.csv:2: no measurement of it in t264_enc.csv"},
		{strings.Replace(unitHead, "plane", "plan", 1) + "4,2,64,fit,a,320,10,20,30,1,2,3,4,5,u,4,1,2,3,4\n", memoryHead, "t264_enc.csv:2: no column plane"},
		{unitHead + "4,2,64,fit,a,320,10,20,30,1,2,3,4,5,u,4,1,2,3,4\n4,2,64,fit,a,320,10,20,30,1,2,3,4,5,v,4,1,x,3,4\n", memoryHead, "t264_enc.csv:3: state_fj: "},
		{unitHead + "4,2,64,fit,a,320,10,20,30,1,2,3,4,5,u,4,1,2,y,x\n", memoryHead, "t264_enc.csv:2: clock_fj: "},
		{unitHead + "4,2,64,fit,a,320,10,20,30,1,2,3,4,5,u\n", memoryHead, "wrong number of fields"}, {"", memoryHead, "t264_enc.csv: EOF"}, {unitHead, "", "t264_enc_memories.csv: EOF"},
		{unitHead + "4,2,64,fit,a,320,10,20,30,1,2,3,4,5,u,4,1,2,3,4\n", memoryHead + "4,2,64,a,320,m,1rw,8,64,1,z\n", "t264_enc_memories.csv:2: writes: "},
	} {
		if _, err := parse(T264Encoder, []byte(c.units), []byte(c.memories)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.want, err)
		}
	}
	for _, s := range Sides {
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
		x := make([][]float64, n)
		y, weight := make([]float64, n), make([]float64, n)
		want := []float64{rng.Float64(), 10 * rng.Float64(), 0.1 * rng.Float64()}
		for k := range want {
			if rng.IntN(4) == 0 {
				want[k] = 0
			}
		}
		for i := range x {
			x[i] = []float64{100 + 1000*rng.Float64(), 100 * rng.Float64(), 1000 * rng.Float64()}
			weight[i] = 0.1 + rng.Float64()
			y[i] = want[0]*x[i][0] + want[1]*x[i][1] + want[2]*x[i][2]
		}
		got := leastSquares(x, y, weight)
		for k := range want {
			if math.Abs(got[k]-want[k]) > 1e-6*(1+want[k]) {
				t.Fatalf("round %d: %v, want %v", round, got, want)
			}
		}
		for i := range y { // some of it noise, and below nothing
			y[i] += 300 * rng.NormFloat64()
		}
		off := func(t []float64) (sum float64) {
			for i := range x {
				sum += math.Pow((t[0]*x[i][0]+t[1]*x[i][1]+t[2]*x[i][2]-y[i])*weight[i], 2)
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
				other := slices.Clone(got)
				other[k] = max(0, other[k]+step*(0.01+other[k]))
				if off(other) < least*(1-1e-9) {
					t.Fatalf("round %d: %v is off by %g, %v by %g", round, got, least, other, off(other))
				}
			}
		}
	}
	if got := leastSquares([][]float64{{1, 0}, {2, 0}}, []float64{-3, -6}, []float64{1, 1}); !slices.Equal(got, []float64{0, 0}) {
		t.Errorf("what is below nothing: %v", got)
	}
	if got := leastSquares([][]float64{{1, 0}, {2, 0}}, []float64{3, 6}, []float64{1, 1}); math.Abs(got[0]-3) > 1e-9 || got[1] != 0 {
		t.Errorf("one feature: %v", got)
	}
}

// TestEnergyOfUnits: the data of lanes go with bins, those of the pixel path with samples, both with bits; leakage lasts as long as a cycle.
func TestEnergyOfUnits(t *testing.T) {
	m := Model{units: []unitModel{
		{name: "t264_quant", instances: term{1}, parts: [4]term{{1, 2, 10, 100, 1000, 10000, 100000}, {2}, {3}, {4}}},
		{name: "t264_enc_lane", instances: term{0, 1}, parts: [4]term{{10, 20, 30, 40, 50}, {0, 2}, {0, 3}, {0, 4}}},
	}, accesses: term{1, 2, 3, 4, 5, 6, 7}, bits: term{7, 50}, Error: 0.01, Worst: 0.03}
	for _, c := range []struct {
		lanes int
		clock float64
		slow  float64
	}{{4, 0, 1}, {8, 1e9, 1}, {2, 0.5e9, 2}, {24, 2e9, 0.5}} {
		r := m.Energy(Counters{Lanes: c.lanes, Cycles: 7, Clock: c.clock, Samples: 5, Bits: 3, MapBins: 11, LevelBins: 13, SignBins: 17, Coded: 2, Moving: 4, Large: 3})
		n := float64(c.lanes)
		want := map[string]Part{
			"t264_quant":    {"t264_quant", 1, (7 + 14*n + 50 + 200 + 3000 + 40000 + 300000) / 1e3, 14 / 1e3, 21 / 1e3, 28 / 1e3 * c.slow},
			"t264_enc_lane": {"t264_enc_lane", c.lanes, (70 + 140*n + 330 + 520 + 150) / 1e3, 14 * n / 1e3, 21 * n / 1e3, 28 * n / 1e3 * c.slow},
		}
		cells, last := 0.0, math.Inf(1)
		for _, p := range r.Units {
			w := want[p.Unit]
			if p.Instances != w.Instances || !near(p.Logic, w.Logic) || !near(p.State, w.State) || !near(p.Clock, w.Clock) || !near(p.Leakage, w.Leakage) || p.Total() > last {
				t.Errorf("%d lanes at %g Hz: %+v, want %+v", c.lanes, c.clock, p, w)
			}
			last = p.Total()
			cells += w.Total()
		}
		accessed, leakage := 7+2*7*n+3*5+4*2+5*3+6*4+7*3, 7*(7+50*n)*7.87e-3*c.slow
		for _, v := range []struct{ got, want float64 }{{r.Cells, cells}, {r.Wires, 0.3 * cells}, {r.Memory, (accessed*17 + leakage) / 1e3}, {r.MemoryLow, (accessed*10.5 + leakage) / 1e3}, {r.MemoryHigh, (accessed*117 + leakage) / 1e3}, {r.Bins, 41}, {r.Error, 0.01}, {r.Worst, 0.03}, {float64(len(r.Units)), 2}} {
			if !near(v.got, v.want) {
				t.Errorf("%d lanes at %g Hz: %g, want %g", c.lanes, c.clock, v.got, v.want)
			}
		}
	}
	for bits, want := range map[float64][4]float64{0: {}, 0.5: {0.5}, 1: {1}, 1.75: {0.5, 0.5}, 2.5: {0, 1}, 4: {0, 0, 1}, 5: {0, 0, 0.5, 0.5}, 6: {0, 0, 0, 1}, 8: {0, 0, -1, 2}} {
		if got := hats(bits); got != want {
			t.Errorf("%g bits a sample: weights %v, want %v", bits, got, want)
		}
	}
}

// TestEntropy: the lanes of each codec have bins, and its pixel path has none.
func TestEntropy(t *testing.T) {
	for _, s := range Sides {
		list, err := Measurements(s)
		if err != nil {
			t.Fatal(err)
		}
		bins := 0
		for _, u := range list[0].Units {
			if entropy(u.Name) {
				bins++
			}
			if strings.Contains(u.Name, "pixels") && entropy(u.Name) || !strings.HasPrefix(u.Name, s.Codec()+"_") {
				t.Errorf("%s: unit %s", s, u.Name)
			}
		}
		if !entropy(s.Lane()) || !entropy(s.Codec()+"_context") || bins != 3 {
			t.Errorf("%s: %d units have bins", s, bins)
		}
	}
}

// TestTooFew: a model wants more rows than it has features, and two beside them.
func TestTooFew(t *testing.T) {
	list := made(rand.New(rand.NewPCG(51, 2)))
	var fit, held []Measurement
	for _, m := range list {
		if m.Held {
			held = append(held, m)
		} else {
			fit = append(fit, m)
		}
	}
	for _, c := range []struct {
		fit, held int
		ok        bool
	}{{features + 1, 2, true}, {features, 2, false}, {features + 1, 1, false}, {0, 0, false}} {
		if _, err := Fit(slices.Concat(fit[:c.fit], held[:c.held]), T264Encoder); (err == nil) != c.ok || err != nil && err.Error() != fmt.Sprintf("energy of t264_enc: %d measurements to fit and %d beside them", c.fit, c.held) {
			t.Errorf("%d and %d: %v", c.fit, c.held, err)
		}
	}
}
