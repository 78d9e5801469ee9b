package collective

import (
	"math"
	"testing"
)

func TestDistinct(t *testing.T) {
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

// 1000 tokens of 100 values to two experts each, over two nodes of two.
func TestExchange(t *testing.T) {
	f := testFabric(t, twoTiers(2, 400e9, 25e9, NVLink4, InfiniBand), Derate{})
	tight := testFabric(t, twoTiers(2, 4e9, 25e9, NVLink4, InfiniBand), Derate{})
	r := Routing{Tokens: 1000, Hidden: 100, TopK: 2}
	few := Routing{Tokens: 256, Hidden: 1000, TopK: 2}
	g := Group{4, 1}
	const values, fewValues = 1000 * 100, 256 * 1000
	only := func(f *Fabric, g Group, r Routing, combine bool, ch *Channel) *way {
		t.Helper()
		var p Plan
		if f.Exchange(&p, g, &r, ExchangeDeduplicated, combine, ch); p.n != 1 {
			t.Fatalf("%d ways, want one", p.n)
		}
		return &p.ways[0]
	}
	// Low latency: a copy for each expert, half of them to the other node.
	low := only(f, g, few, false, &Plain)
	checkWay(t, "low latency", low, 35, 0, 2*fewValues*0.5/(0.64*25e9))
	checkTraffic(t, "low latency", low.traffic, Traffic{Payload: fewValues, Wire: fewValues})
	checkWay(t, "low latency, links inside", only(tight, g, few, false, &Plain), 35, 0, 2*fewValues*0.25/(0.75*4e9))
	few.Tokens++
	if w := only(f, g, few, false, &Plain); !near(w.alpha, 120e-6, 1e-9) {
		t.Errorf("257 tokens: alpha %v, want that of the other kernels", w.alpha)
	}
	few.Tokens--
	// Once per node: 1.5 of two nodes, half of them the other one. Inside,
	// 1.75 of four ranks are reached, half of them through the link.
	once := only(f, g, r, false, &Plain)
	checkWay(t, "deduplicated", once, 120, 0, values*0.75/(0.64*25e9))
	checkTraffic(t, "deduplicated", once.traffic, Traffic{Payload: values * 0.75, Wire: values * 0.75})
	checkWay(t, "links inside", only(tight, g, r, false, &Plain), 120, 0, values*1.75/2/(0.75*4e9*0.95))

	// The codec packs a dispatched token once for all nodes, and what
	// comes back each time.
	ch := Channel{Ratio: 4, Encode: 1e15, Decode: 1e15, Fill: 3e-6, Compress: true}
	r.TopK, few.TopK = 4, 4
	big := Group{8, 1} // four nodes of two
	remote := distinct(4, 4) * 3 / 4
	w := only(f, big, r, false, &ch)
	checkTraffic(t, "dispatch", w.traffic,
		Traffic{Payload: values * remote, Wire: values * remote / 4, Coded: values * remote, Encoded: values, Decoded: values * remote})
	if !near(w.alpha, 123e-6, 1e-9) {
		t.Errorf("dispatch: alpha %v, want one fill more", w.alpha)
	}
	w = only(f, big, few, false, &ch)
	if copies := 4.0 * fewValues * 6 / 8; !near(w.alpha, 38e-6, 1e-9) || !near(w.traffic.Encoded, copies, 1e-9) || !near(w.traffic.Decoded, copies, 1e-9) {
		t.Errorf("low latency: alpha %v, encoded %v, decoded %v; want one fill and all copies", w.alpha, w.traffic.Encoded, w.traffic.Decoded)
	}
	if w := only(f, big, r, true, &ch); !near(w.traffic.Encoded, values*remote, 1e-9) {
		t.Errorf("combine: encodes %v, want every copy, %v", w.traffic.Encoded, values*remote)
	}
	// Fewer copies than tokens: the encoder sees what is sent.
	if w := only(f, big, Routing{Tokens: 1000, Hidden: 100, TopK: 1}, false, &ch); !near(w.traffic.Encoded, values*0.75, 1e-9) {
		t.Errorf("one expert: encodes %v, want %v", w.traffic.Encoded, values*0.75)
	}
	// At most two nodes among four.
	r.NodeLimit = 2
	if w, want := only(f, big, r, false, &Plain), values*distinct(2, 4)*3/4; !near(w.traffic.Payload, want, 1e-9) {
		t.Errorf("two nodes among four: %v bytes, want %v", w.traffic.Payload, want)
	}
	if w, want := only(tight, big, r, false, &Plain), values*distinct(4, 4)/2/(0.75*4e9*0.95); !near(w.beta, want, 1e-9) {
		t.Errorf("two nodes among four: %v s/B inside, want %v", w.beta, want)
	}
	r.TopK, r.NodeLimit = 2, 0

	var p Plan
	// The library's all-to-all moves a copy for each expert.
	f.Exchange(&p, g, &r, ExchangePermuted, false, &Plain)
	plain := testPlan(f, AllToAll, g, &Plain)
	if p.n != 1 || !near(p.Time(1), plain.Time(2*values), 1e-12) {
		t.Errorf("permuted: %v s, want the all-to-all of 2 x %v bytes, %v s", p.Time(1), values, plain.Time(2*values))
	}
	if _, tr := p.Message(2); !near(tr.Payload, 2*2*values*0.5, 1e-12) {
		t.Errorf("permuted: %v bytes leave, want %v", tr.Payload, 2*values)
	}
	// Nothing to send.
	for _, c := range []struct {
		g Group
		r Routing
	}{{Group{1, 1}, r}, {g, Routing{Hidden: 1000, TopK: 2}}, {g, Routing{Tokens: 1, Hidden: 1000}}} {
		if f.Exchange(&p, c.g, &c.r, ExchangeDeduplicated, false, &Plain); p.n != 0 || p.Time(1) != 0 {
			t.Errorf("%+v over %d ranks: %d ways, want none", c.r, c.g.N, p.n)
		}
	}
}
