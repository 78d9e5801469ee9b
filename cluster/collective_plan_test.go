package cluster

import (
	"math"
	"testing"
)

func TestCollectivePlanLeast(t *testing.T) {
	p := Plan{n: 3}
	p.ways[0] = way{algorithm: Ring, alpha: 1, beta: 1, traffic: traffic{payload: 2, wire: 1, coded: 2, encoded: 1, decoded: 2}}
	p.ways[1] = way{algorithm: Tree, alpha: 2, sigma: 0.5, beta: 0.25, traffic: traffic{payload: 1}}
	p.ways[2] = way{algorithm: NVLS, alpha: 9, beta: 0.0625}
	for _, c := range []struct {
		v    float64
		algo Algorithm
		want float64
	}{{0.25, Ring, 1.25}, {1, Ring, 2}, {4, Tree, 4}, {16, Tree, 8}, {256, NVLS, 25}} {
		w, s := p.best(c.v)
		if w.algorithm != c.algo || s != c.want || p.time(c.v) != c.want {
			t.Errorf("%v bytes: %v in %v s, want %v in %v", c.v, w.algorithm, s, c.algo, c.want)
		}
	}
	if s, tr := p.message(0.5); s != 1.5 || tr != (traffic{1, 0.5, 1, 0.5, 1}) {
		t.Errorf("half a byte: %v s, %+v", s, tr)
	}
	if w, s := p.best(0); w != nil || s != 0 || p.time(-1) != 0 {
		t.Error("nothing to send takes time")
	}
	if s, tr := p.message(0); s != 0 || tr != (traffic{}) {
		t.Error("nothing to send is traffic")
	}
	var none Plan
	if none.time(1e9) != 0 {
		t.Error("an empty plan takes time")
	}
}

// No operation over one rank, and every operation has ways over two.
func TestCollectivePlanOps(t *testing.T) {
	f := testFabric(t, twoTiers(8, 400e9, 25e9, NVLink4, InfiniBand), Derate{})
	for op := range numOps {
		if p := testPlan(f, op, group{1, 1}, &plainChannel); p.n != 0 {
			t.Errorf("%v over one rank has %d ways", op, p.n)
		}
		for _, g := range []group{{2, 1}, {2, 8}, {16, 1}, {8, 8}, {64, 1}} {
			p := testPlan(f, op, g, &plainChannel)
			if p.n == 0 {
				t.Errorf("%v over %v has no way", op, g)
			}
			last := 0.0
			for v := 1.0; v < 1e12; v *= 7 {
				s := p.time(v)
				if !(s >= last) || math.IsInf(s, 0) {
					t.Fatalf("%v over %v: %v bytes take %v s, fewer %v", op, g, v, s, last)
				}
				last = s
			}
		}
	}
	var used Plan
	f.plan(&used, AllReduce, group{16, 1}, &plainChannel)
	f.plan(&used, AllGather, group{1, 1}, &plainChannel)
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
func TestCollectivePlans(t *testing.T) {
	f := testFabric(t, twoTiers(8, 400e9, 25e9, NVLink4, InfiniBand), Derate{})
	ch := [numClasses]channel{}
	for c := range ch {
		ch[c] = channel{ratio: float64(c + 1), encode: 1e12, decode: 1e12, compress: c > 0}
	}
	var table Plans
	for range 2 {
		for op := range numOps {
			for n := 1; n <= 300; n *= 3 {
				for stride := 1; stride <= 16; stride *= 2 {
					for class := range numClasses {
						g := group{n, stride}
						got := table.get(f, op, g, class, &ch[class])
						if want := testPlan(f, op, g, &ch[class]); got.n != want.n || got.time(1e6) != want.time(1e6) {
							t.Fatalf("%v over %v, %v: another plan than asked for", op, g, class)
						}
						if again := table.get(f, op, g, class, &ch[class]); again != got {
							t.Fatal("the same question has another place")
						}
					}
				}
			}
		}
	}
	// What the table has it does not work out again.
	g := group{16, 1}
	p := table.get(f, AllReduce, g, Grad, &ch[Grad])
	p.n = 0
	if table.get(f, AllReduce, g, Grad, &ch[Grad]).n != 0 {
		t.Error("a plan of the table is worked out again")
	}
}

func TestCollectiveAllocates(t *testing.T) {
	f := testFabric(t, twoTiers(8, 400e9, 25e9, NVLink4, InfiniBand), Derate{})
	var p Plan
	r := Routing{Tokens: 4096, Hidden: 7168, TopK: 8}
	if n := testing.AllocsPerRun(100, func() {
		for op := range numOps {
			f.plan(&p, op, group{64, 1}, &plainChannel)
			p.message(1e6)
		}
		f.exchange(&p, group{64, 1}, &r, ExchangeDeduplicated, true, &plainChannel)
		p.message(2)
	}); n != 0 {
		t.Errorf("a plan allocates %v times", n)
	}
}

func BenchmarkCollectivePlan(b *testing.B) {
	f := testFabric(b, twoTiers(8, 400e9, 25e9, NVLink4, InfiniBand), Derate{})
	var p Plan
	b.ReportAllocs()
	for b.Loop() {
		f.plan(&p, AllReduce, group{64, 1}, &plainChannel)
	}
}

func BenchmarkCollectiveMessage(b *testing.B) {
	f := testFabric(b, twoTiers(8, 400e9, 25e9, NVLink4, InfiniBand), Derate{})
	var table Plans
	g := group{64, 1}
	b.ReportAllocs()
	for b.Loop() {
		table.get(f, AllReduce, g, Grad, &plainChannel).message(1e6)
	}
}
