package cluster

import (
	"math"
	"testing"
)

func TestCollectiveDistinct(t *testing.T) {
	// Two choices among two: both the same half of the time.
	if got := distinct(2, 2); !near(got, 1.5, 1e-12) {
		t.Errorf("two among two: %v different, want 1.5", got)
	}
	if got := distinct(8, 1); !near(got, 1, 1e-12) {
		t.Errorf("one among eight: %v different, want 1", got)
	}
	if got, want := distinct(8, 8), 8*(1-math.Pow(7.0/8, 8)); !near(got, want, 1e-12) {
		t.Errorf("eight among eight: %v different, want %v", got, want)
	}
}

// 100 tokens of 1000 values to two experts each, FP8.
func TestCollectiveExchange(t *testing.T) {
	f := testFabric(t, twoTiers(2, 400e9, 25e9, NVLink4, InfiniBand), Derate{})
	r := Routing{Tokens: 100, Hidden: 1000, TopK: 2}
	g := group{4, 1}
	var p Plan
	f.exchange(&p, g, &r, ExchangeDeduplicated, false, &plainChannel)
	if p.n != 2 {
		t.Fatalf("%d ways, want two", p.n)
	}
	const values = 100 * 1000
	// Low latency: a copy for each expert, half of them to the other node.
	low := wayOf(t, &p, Direct, protoLL)
	checkWay(t, "low latency", low, 35, 0, 2*values*0.5/(0.64*25e9))
	checkTraffic(t, "low latency", low.traffic, traffic{payload: values, wire: values})
	// Once per node: 1.5 of two nodes, half of them the other one. Inside,
	// 1.75 of four ranks are reached, half of them through the link.
	once := wayOf(t, &p, Direct, protoSimple)
	checkWay(t, "deduplicated", once, 120, 0, values*0.75/(0.64*25e9))
	checkTraffic(t, "deduplicated", once.traffic, traffic{payload: values * 0.75, wire: values * 0.75})
	// Slow links inside.
	tight := testFabric(t, twoTiers(2, 4e9, 25e9, NVLink4, InfiniBand), Derate{})
	tight.exchange(&p, g, &r, ExchangeDeduplicated, false, &plainChannel)
	checkWay(t, "links inside", wayOf(t, &p, Direct, protoSimple), 120, 0, values*1.75/2/(0.75*4e9*0.95))
	checkWay(t, "links inside, low latency", wayOf(t, &p, Direct, protoLL), 35, 0, 2*values*0.25/(0.75*4e9))

	// The codec packs a dispatched token once for all nodes, and what
	// comes back each time.
	ch := channel{ratio: 4, encode: 1e15, decode: 1e15, fill: 3e-6, compress: true}
	wide := Routing{Tokens: 100, Hidden: 1000, TopK: 4}
	big := group{8, 1} // four nodes of two
	remote := distinct(4, 4) * 3 / 4
	f.exchange(&p, big, &wide, ExchangeDeduplicated, false, &ch)
	checkTraffic(t, "dispatch", wayOf(t, &p, Direct, protoSimple).traffic,
		traffic{payload: values * remote, wire: values * remote / 4, coded: values * remote, encoded: values, decoded: values * remote})
	if w := wayOf(t, &p, Direct, protoSimple); !near(w.alpha, 123e-6, 1e-9) {
		t.Errorf("dispatch: alpha %v, want one fill more", w.alpha)
	}
	if w := wayOf(t, &p, Direct, protoLL); !near(w.alpha, 38e-6, 1e-9) || !near(w.traffic.encoded, 4*values*6/8, 1e-9) || !near(w.traffic.decoded, 4*values*6/8, 1e-9) {
		t.Errorf("low latency: alpha %v, encoded %v, decoded %v; want one fill and all copies", w.alpha, w.traffic.encoded, w.traffic.decoded)
	}
	f.exchange(&p, big, &wide, ExchangeDeduplicated, true, &ch)
	if w := wayOf(t, &p, Direct, protoSimple); !near(w.traffic.encoded, values*remote, 1e-9) {
		t.Errorf("combine: encodes %v, want every copy, %v", w.traffic.encoded, values*remote)
	}
	// Fewer copies than tokens: the encoder sees what is sent.
	one := Routing{Tokens: 100, Hidden: 1000, TopK: 1}
	f.exchange(&p, big, &one, ExchangeDeduplicated, false, &ch)
	if w := wayOf(t, &p, Direct, protoSimple); !near(w.traffic.encoded, values*0.75, 1e-9) {
		t.Errorf("one expert: encodes %v, want %v", w.traffic.encoded, values*0.75)
	}
	// At most two nodes among four.
	wide.NodeLimit = 2
	f.exchange(&p, big, &wide, ExchangeDeduplicated, false, &plainChannel)
	if w, want := wayOf(t, &p, Direct, protoSimple), values*distinct(2, 4)*3/4; !near(w.traffic.payload, want, 1e-9) {
		t.Errorf("two nodes among four: %v bytes, want %v", w.traffic.payload, want)
	}
	tight.exchange(&p, big, &wide, ExchangeDeduplicated, false, &plainChannel)
	if w, want := wayOf(t, &p, Direct, protoSimple), values*distinct(4, 4)/2/(0.75*4e9*0.95); !near(w.beta, want, 1e-9) {
		t.Errorf("two nodes among four: %v s/B inside, want %v", w.beta, want)
	}

	// The library's all-to-all moves a copy for each expert.
	f.exchange(&p, g, &r, ExchangePermuted, false, &plainChannel)
	plain := testPlan(f, AllToAll, g, &plainChannel)
	if p.n != 1 || !near(p.time(1), plain.time(2*values), 1e-12) {
		t.Errorf("permuted: %v s, want the all-to-all of 2 x %v bytes, %v s", p.time(1), values, plain.time(2*values))
	}
	if _, tr := p.message(2); !near(tr.payload, 2*2*values*0.5, 1e-12) {
		t.Errorf("permuted: %v bytes leave, want %v", tr.payload, 2*values)
	}
	// Nothing to send.
	for _, c := range []struct {
		g group
		r Routing
	}{{group{1, 1}, r}, {g, Routing{Hidden: 1000, TopK: 2}}, {g, Routing{Tokens: 1, Hidden: 1000}}} {
		if f.exchange(&p, c.g, &c.r, ExchangeDeduplicated, false, &plainChannel); p.n != 0 || p.time(1) != 0 {
			t.Errorf("%+v over %d ranks: %d ways, want none", c.r, c.g.n, p.n)
		}
	}
}
