package collective

import (
	"math"
	"testing"
)

func TestPlanLeast(t *testing.T) {
	p := Plan{n: 3}
	p.ways[0] = way{algorithm: Ring, alpha: 1, beta: 1, traffic: Traffic{Payload: 2, Wire: 1, Coded: 2, Encoded: 1, Decoded: 2}}
	p.ways[1] = way{algorithm: Tree, alpha: 2, sigma: 0.5, beta: 0.25, traffic: Traffic{Payload: 1}}
	p.ways[2] = way{algorithm: NVLS, alpha: 9, beta: 0.0625}
	for _, c := range []struct {
		v    float64
		algo Algorithm
		want float64
	}{{0.25, Ring, 1.25}, {1, Ring, 2}, {4, Tree, 4}, {16, Tree, 8}, {256, NVLS, 25}} {
		w, s := p.best(c.v)
		if w.algorithm != c.algo || s != c.want || p.Time(c.v) != c.want {
			t.Errorf("%v bytes: %v in %v s, want %v in %v", c.v, w.algorithm, s, c.algo, c.want)
		}
	}
	if s, tr := p.Message(0.5); s != 1.5 || tr != (Traffic{1, 0.5, 1, 0.5, 1}) {
		t.Errorf("half a byte: %v s, %+v", s, tr)
	}
	if w, s := p.best(0); w != nil || s != 0 || p.Time(-1) != 0 {
		t.Error("nothing to send takes time")
	}
	if s, tr := p.Message(0); s != 0 || tr != (Traffic{}) {
		t.Error("nothing to send is traffic")
	}
	var none Plan
	if none.Time(1e9) != 0 {
		t.Error("an empty plan takes time")
	}
}

// No operation over one rank, and every operation has ways over two.
func TestPlanOps(t *testing.T) {
	f := testFabric(t, twoTiers(8, 400e9, 25e9, NVLink4, InfiniBand), Derate{})
	for op := range numOps {
		if p := testPlan(f, op, Group{1, 1}, &Plain); p.n != 0 {
			t.Errorf("%v over one rank has %d ways", op, p.n)
		}
		for _, g := range []Group{{2, 1}, {2, 8}, {16, 1}, {8, 8}, {64, 1}} {
			p := testPlan(f, op, g, &Plain)
			if p.n == 0 {
				t.Errorf("%v over %v has no way", op, g)
			}
			last := 0.0
			for v := 1.0; v < 1e12; v *= 7 {
				s := p.Time(v)
				if !(s >= last) || math.IsInf(s, 0) {
					t.Fatalf("%v over %v: %v bytes take %v s, fewer %v", op, g, v, s, last)
				}
				last = s
			}
		}
	}
	var used Plan
	f.Plan(&used, AllReduce, Group{16, 1}, &Plain)
	f.Plan(&used, AllGather, Group{1, 1}, &Plain)
	if used.n != 0 {
		t.Error("a plan keeps its old ways")
	}
	names := map[string]bool{}
	for op := range numOps {
		names[op.String()] = true
	}
	for a := range numAlgorithms {
		names[a.String()] = true
	}
	if len(names) != int(numOps)+int(numAlgorithms) {
		t.Errorf("operations and algorithms share names: %v", names)
	}
}

// A table gives what was asked for, whatever else shares its place.
func TestPlans(t *testing.T) {
	f := testFabric(t, twoTiers(8, 400e9, 25e9, NVLink4, InfiniBand), Derate{})
	ch := [4]Channel{}
	for c := range ch {
		ch[c] = Channel{Ratio: float64(c + 1), Encode: 1e12, Decode: 1e12, Compress: c > 0}
	}
	var table Plans
	for range 2 {
		for op := range numOps {
			for n := 1; n <= 300; n *= 3 {
				for stride := 1; stride <= 16; stride *= 2 {
					for class := range uint8(len(ch)) {
						g := Group{n, stride}
						got := table.Get(f, op, g, class, &ch[class])
						if want := testPlan(f, op, g, &ch[class]); got.n != want.n || got.Time(1e6) != want.Time(1e6) {
							t.Fatalf("%v over %v, %v: another plan than asked for", op, g, class)
						}
						if again := table.Get(f, op, g, class, &ch[class]); again != got {
							t.Fatal("the same question has another place")
						}
					}
				}
			}
		}
	}
	// What the table has it does not work out again.
	g := Group{16, 1}
	p := table.Get(f, AllReduce, g, 0, &ch[0])
	p.n = 0
	if table.Get(f, AllReduce, g, 0, &ch[0]).n != 0 {
		t.Error("a plan of the table is worked out again")
	}
}

func TestAllocates(t *testing.T) {
	f := testFabric(t, twoTiers(8, 400e9, 25e9, NVLink4, InfiniBand), Derate{})
	var p Plan
	r := Routing{Tokens: 4096, Hidden: 7168, TopK: 8}
	if n := testing.AllocsPerRun(100, func() {
		for op := range numOps {
			f.Plan(&p, op, Group{64, 1}, &Plain)
			p.Message(1e6)
		}
		f.Exchange(&p, Group{64, 1}, &r, ExchangeDeduplicated, true, &Plain)
		p.Message(2)
	}); n != 0 {
		t.Errorf("a plan allocates %v times", n)
	}
}

func BenchmarkPlan(b *testing.B) {
	f := testFabric(b, twoTiers(8, 400e9, 25e9, NVLink4, InfiniBand), Derate{})
	var p Plan
	b.ReportAllocs()
	for b.Loop() {
		f.Plan(&p, AllReduce, Group{64, 1}, &Plain)
	}
}

func BenchmarkMessage(b *testing.B) {
	f := testFabric(b, twoTiers(8, 400e9, 25e9, NVLink4, InfiniBand), Derate{})
	var table Plans
	g := Group{64, 1}
	b.ReportAllocs()
	for b.Loop() {
		table.Get(f, AllReduce, g, 0, &Plain).Message(1e6)
	}
}
