package sim

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// source sends 0, 1, 2, ... and starts a word in a given share of the cycles.
type source struct {
	out   *Stream[int]
	rng   *rand.Rand
	share float64
	next  int
	limit int
	valid bool
}

func (s *source) Eval() { s.out.Valid, s.out.Data = s.valid, s.next }
func (s *source) Clock() {
	if s.out.Moves() {
		s.next++
		s.valid = false
	}
	if !s.valid && s.next < s.limit {
		s.valid = s.rng.Float64() < s.share
	}
}

// sink takes a word in a given share of the cycles and checks the stream rules.
type sink struct {
	t     *testing.T
	in    *Stream[int]
	rng   *rand.Rand
	share float64
	ready bool
	got   []int
	held  bool
	data  int
}

func (s *sink) Eval() { s.in.Ready = s.ready }
func (s *sink) Clock() {
	if s.held && (!s.in.Valid || s.in.Data != s.data) {
		s.t.Fatalf("word %d was not taken and did not hold: got %v, %d", s.data, s.in.Valid, s.in.Data)
	}
	s.held, s.data = s.in.Valid && !s.in.Ready, s.in.Data
	if s.in.Moves() {
		s.got = append(s.got, s.in.Data)
	}
	s.ready = s.rng.Float64() < s.share
}

// untag is a wire from an Arbiter to a sink; it checks the order per input.
type untag struct {
	in  *Stream[Tagged[int]]
	out *Stream[int]
}

func (u *untag) Eval() {
	u.out.Valid, u.out.Data = u.in.Valid, u.in.Data.Word
	u.in.Ready = u.out.Ready
}
func (u *untag) Clock() {}

func TestPrimitives(t *testing.T) {
	builds := []struct {
		name     string
		capacity int
		build    func(in, out *Stream[int]) Unit
	}{
		{"pipe", 1, func(in, out *Stream[int]) Unit { return &Pipe[int]{In: in, Out: out} }},
		{"skid", 2, func(in, out *Stream[int]) Unit { return &Skid[int]{In: in, Out: out} }},
		{"fifo 2", 2, func(in, out *Stream[int]) Unit { return NewFIFO(in, out, 2) }},
		{"fifo 3", 3, func(in, out *Stream[int]) Unit { return NewFIFO(in, out, 3) }},
		{"ram fifo 2", 3, func(in, out *Stream[int]) Unit { return NewRAMFIFO(in, out, 2) }},
		{"ram fifo 8", 9, func(in, out *Stream[int]) Unit { return NewRAMFIFO(in, out, 8) }},
		{"fifo 8", 8, func(in, out *Stream[int]) Unit { return NewFIFO(in, out, 8) }},
	}
	for _, b := range builds {
		for _, shares := range [][2]float64{{1, 1}, {0.4, 1}, {1, 0.4}, {0.5, 0.5}, {1, 0}} {
			in, out := new(Stream[int]), new(Stream[int])
			rng := rand.New(rand.NewPCG(1, 2))
			src := &source{out: in, rng: rng, share: shares[0], limit: 1000}
			snk := &sink{t: t, in: out, rng: rng, share: shares[1]}
			u := b.build(in, out)
			var k Kernel
			k.Add(src, u, snk)
			if shares[1] == 0 {
				k.Run(100)
				if src.next != b.capacity {
					t.Errorf("%s: took %d words with a closed output, want %d", b.name, src.next, b.capacity)
				}
				continue
			}
			if err := k.RunUntil(func() bool { return len(snk.got) == 1000 }, 10000); err != nil {
				t.Fatalf("%s %v: %v after %d words", b.name, shares, err, len(snk.got))
			}
			for i, v := range snk.got {
				if v != i {
					t.Fatalf("%s %v: word %d: got %d", b.name, shares, i, v)
				}
			}
			// The first cycle of the source is empty.
			latency := uint64(1)
			if strings.HasPrefix(b.name, "ram") {
				latency = 2
			}
			if shares == [2]float64{1, 1} && k.Cycle() != 1001+latency {
				t.Errorf("%s: %d cycles for 1000 words", b.name, k.Cycle())
			}
		}
	}
}

// TestThroughput: a full system moves a word a cycle.
func TestThroughput(t *testing.T) {
	a, b, c, d := new(Stream[int]), new(Stream[int]), new(Stream[int]), new(Stream[int])
	rng := rand.New(rand.NewPCG(1, 2))
	snk := &sink{t: t, in: d, rng: rng, share: 1}
	var k Kernel
	k.Add(&source{out: a, rng: rng, share: 1, limit: 1 << 30}, &Pipe[int]{In: a, Out: b}, &Skid[int]{In: b, Out: c}, NewFIFO(c, d, 2), snk)
	k.Run(1000)
	if got, want := len(snk.got), 1000-4; got != want {
		t.Errorf("%d words in 1000 cycles through 3 stages, want %d", got, want)
	}
}

func TestArbiter(t *testing.T) {
	for _, n := range []int{1, 2, 3, 5} {
		rng := rand.New(rand.NewPCG(3, 4))
		var k Kernel
		a := &Arbiter[int]{Out: new(Stream[Tagged[int]])}
		var srcs []*source
		for range n {
			s := &source{out: new(Stream[int]), rng: rng, share: 1, limit: 300}
			srcs = append(srcs, s)
			a.In = append(a.In, s.out)
			k.Add(s)
		}
		out := new(Stream[int])
		snk := &sink{t: t, in: out, rng: rng, share: 1}
		k.Add(a, &untag{a.Out, out}, snk)
		for len(snk.got) < 300*n {
			if k.Cycle() > uint64(300*n+3+n) {
				t.Fatalf("%d inputs: %d words in %d cycles", n, len(snk.got), k.Cycle())
			}
			k.Step()
			lo, hi := 1000, 0
			for _, s := range srcs {
				lo, hi = min(lo, s.next), max(hi, s.next)
			}
			if hi-lo > 1 {
				t.Fatalf("%d inputs, cycle %d: unfair: between %d and %d words taken", n, k.Cycle(), lo, hi)
			}
		}
		// One busy input among idle ones has the output to itself.
		srcs[n-1].limit += 50
		before := k.Cycle()
		for len(snk.got) < 300*n+50 {
			k.Step()
		}
		if got := k.Cycle() - before; got > 55 {
			t.Errorf("%d inputs: 50 words of one input took %d cycles", n, got)
		}
	}
}

func TestRAM(t *testing.T) {
	ff, one, two := NewRAMFF[int](4), NewRAM1RW[int](4), NewRAM1R1W[int](4)
	ff.Write(1, 5)
	one.Write(1, 5)
	two.Write(1, 5)
	two.Read(1)
	if ff.Read(1) != 0 {
		t.Error("ff: the write shows before the edge")
	}
	ff.Clock()
	one.Clock()
	two.Clock()
	if ff.Read(1) != 5 || two.Q() != 0 {
		t.Errorf("got %d and %d, want 5 and the old word 0", ff.Read(1), two.Q())
	}
	one.Read(1)
	two.Read(1)
	one.Clock()
	two.Clock()
	one.Clock()
	two.Clock()
	if one.Q() != 5 || two.Q() != 5 {
		t.Errorf("got %d and %d, want 5 and 5", one.Q(), two.Q())
	}
	one.Read(1)
	one.Write(1, 6)
	one.Clock()
	if one.Q() != 5 {
		t.Errorf("a write changed Q to %d", one.Q())
	}
}

func TestRunUntilLimit(t *testing.T) {
	var k Kernel
	if err := k.RunUntil(func() bool { return false }, 10); !errors.Is(err, ErrLimit) || k.Cycle() != 10 {
		t.Errorf("got %v after %d cycles", err, k.Cycle())
	}
}

// chain is source, pipe, fifo, sink with everything watched.
type chain struct {
	Kernel
	a        Activity
	s0, s1   Stream[int]
	s2       Stream[int]
	vcd, evt bytes.Buffer
	v        *VCD
	p        *Perfetto
	src      *source
	snk      *sink
}

func newChain(t *testing.T, in, out float64) *chain {
	c := &chain{}
	rng := rand.New(rand.NewPCG(1, 2))
	c.src = &source{out: &c.s0, rng: rng, share: in, limit: 1 << 30}
	c.snk = &sink{t: t, in: &c.s2, rng: rng, share: out}
	c.Add(c.src, &Pipe[int]{In: &c.s0, Out: &c.s1}, NewFIFO(&c.s1, &c.s2, 3), c.snk)
	c.a.Add("source", nil, []*Wire{&c.s0.Wire})
	c.a.Add("pipe", []*Wire{&c.s0.Wire}, []*Wire{&c.s1.Wire})
	c.a.Add("fifo", []*Wire{&c.s1.Wire}, []*Wire{&c.s2.Wire})
	c.a.Add("sink", []*Wire{&c.s2.Wire}, nil)
	c.Watch(&c.a)
	c.v = NewVCD(&c.vcd, 10, 20)
	c.v.Wire("s1", &c.s1.Wire)
	c.v.Signal("s1_data", 32, func() uint64 { return uint64(c.s1.Data) })
	c.Watch(c.v)
	c.p = NewPerfetto(&c.evt, &c.a, 10, 20)
	c.Watch(c.p)
	return c
}

func TestActivity(t *testing.T) {
	closed := newChain(t, 1, 0)
	closed.Run(100)
	u := closed.a.Units()
	// The sink never takes: behind it all are blocked in the end, by it.
	if got := u[1].Cycles[Blocked]; got < 90 || u[1].BlockedBy[3] != got {
		t.Errorf("pipe: blocked in %d cycles, by the sink in %d", got, u[1].BlockedBy[3])
	}
	empty := newChain(t, 0, 1)
	empty.Run(100)
	u = empty.a.Units()
	if got := u[3].Cycles[Starved]; got < 99 || u[3].StarvedBy[0] < 90 {
		t.Errorf("sink: starved in %d cycles, by the source in %d", got, u[3].StarvedBy[0])
	}
	busy := newChain(t, 0.5, 0.5)
	busy.Run(1000)
	for i, u := range busy.a.Units() {
		sum := uint64(0)
		for _, n := range u.Cycles {
			sum += n
		}
		if sum != 1000 {
			t.Errorf("%s: the states add up to %d of 1000 cycles", u.Name, sum)
		}
		if got := sumOf(u.BlockedBy); got != u.Cycles[Blocked] {
			t.Errorf("unit %d: %d cycles blocked, %d attributed", i, u.Cycles[Blocked], got)
		}
		if got := sumOf(u.StarvedBy); got != u.Cycles[Starved] {
			t.Errorf("unit %d: %d cycles starved, %d attributed", i, u.Cycles[Starved], got)
		}
	}
	f := busy.a.Flow(&busy.s2.Wire)
	if f.Moved != uint64(len(busy.snk.got)) || f.Moved+f.Blocked+f.Starved+f.Idle != busy.a.Cycles() {
		t.Errorf("flow %+v, %d words taken in %d cycles", f, len(busy.snk.got), busy.a.Cycles())
	}
}

// TestStallRoots: the first unit of a chain is blocked by the last, and the last
// starved by the first; of the units between each knows its neighbours.
func TestStallRoots(t *testing.T) {
	const n = 4
	for _, c := range []struct {
		name   string
		wires  [n + 1]Wire // from the outside through the units to the outside
		states [n]State
		root   [n]int // n is the outside, -1 for none
	}{
		{"the outside does not take", [n + 1]Wire{{Valid: true}, {Valid: true}, {Valid: true}, {Valid: true}, {Valid: true}},
			[n]State{Blocked, Blocked, Blocked, Blocked}, [n]int{n, n, n, n}},
		{"the outside gives nothing", [n + 1]Wire{{Ready: true}, {Ready: true}, {Ready: true}, {Ready: true}, {Ready: true}},
			[n]State{Starved, Starved, Starved, Starved}, [n]int{n, n, n, n}},
		{"unit 2 takes nothing", [n + 1]Wire{{Valid: true}, {Valid: true}, {Valid: true}, {}, {Ready: true}},
			[n]State{Blocked, Blocked, Busy, Idle}, [n]int{2, 2, -1, -1}},
		{"unit 1 gives nothing", [n + 1]Wire{{Valid: true, Ready: true}, {}, {Ready: true}, {Ready: true}, {Ready: true}},
			[n]State{Busy, Idle, Starved, Starved}, [n]int{-1, -1, 1, 1}},
		{"only unit 0", [n + 1]Wire{{Valid: true}, {Valid: true}, {Valid: true, Ready: true}, {}, {}},
			[n]State{Blocked, Busy, Busy, Idle}, [n]int{1, -1, -1, -1}},
	} {
		var a Activity
		for i := range n {
			a.Add("unit", []*Wire{&c.wires[i]}, []*Wire{&c.wires[i+1]})
		}
		a.Watch(0)
		for i, u := range a.Units() {
			var blocked, starved [n + 1]uint64
			switch {
			case c.root[i] < 0:
			case c.states[i] == Blocked:
				blocked[c.root[i]] = 1
			case c.states[i] == Starved:
				starved[c.root[i]] = 1
			}
			if u.Cycles[c.states[i]] != 1 || !slices.Equal(u.BlockedBy, blocked[:]) || !slices.Equal(u.StarvedBy, starved[:]) {
				t.Errorf("%s: unit %d: cycles %v, blocked by %v, starved by %v; want %v, %v, %v",
					c.name, i, u.Cycles, u.BlockedBy, u.StarvedBy, c.states[i], blocked, starved)
			}
		}
	}
}

// TestStates: what a unit of one input and one output does by their handshakes.
func TestStates(t *testing.T) {
	for _, c := range []struct {
		in, out Wire
		want    State
	}{
		{Wire{}, Wire{}, Idle},
		{Wire{}, Wire{Ready: true}, Idle},
		{Wire{Ready: true}, Wire{}, Starved},
		{Wire{Ready: true}, Wire{Ready: true}, Starved},
		{Wire{Ready: true}, Wire{Valid: true, Ready: true}, Busy},
		{Wire{Ready: true}, Wire{Valid: true}, Blocked},
		{Wire{Valid: true}, Wire{}, Busy},
		{Wire{Valid: true, Ready: true}, Wire{Ready: true}, Busy},
		{Wire{Valid: true}, Wire{Valid: true}, Blocked},
	} {
		var a Activity
		i := a.Add("unit", []*Wire{&c.in}, []*Wire{&c.out})
		a.Watch(0)
		if got := a.State(i); got != c.want || a.Units()[i].Cycles[c.want] != 1 {
			t.Errorf("in %+v, out %+v: %v, want %v", c.in, c.out, got, c.want)
		}
	}
}

// TestUnitKinds: units of a kind have the number in their name alone.
func TestUnitKinds(t *testing.T) {
	var a Activity
	var w Wire
	a.Add("path 2", nil, []*Wire{&w})
	if i := a.AddNth("lane", 7, []*Wire{&w}, nil); i != 1 {
		t.Errorf("the second unit has index %d", i)
	}
	if u := a.Units(); u[0].Name != "path 2" || u[0].Kind != "path 2" || u[1].Name != "lane 7" || u[1].Kind != "lane" {
		t.Errorf("got %+v", u)
	}
}

// TestTraceOfStates: idle cycles leave gaps, and a dump begins with every signal.
func TestTraceOfStates(t *testing.T) {
	var in, out Wire
	var a Activity
	a.Add("unit", []*Wire{&in}, []*Wire{&out})
	var events, dump strings.Builder
	p, v := NewPerfetto(&events, &a, 0, 100), NewVCD(&dump, 0, 100)
	v.Wire("in", &in)
	v.Signal("word", 8, func() uint64 { return 0 })
	for cycle := range uint64(12) {
		in.Valid = cycle/3&1 == 1
		a.Watch(cycle)
		p.Watch(cycle)
		v.Watch(cycle)
	}
	if err := errors.Join(p.Close(), v.Close()); err != nil {
		t.Fatal(err)
	}
	if got := events.String(); strings.Contains(got, "idle") || strings.Count(got, `"busy"`) != 2 || !strings.Contains(got, `"ts":3,"dur":3`) || !strings.Contains(got, `"ts":9,"dur":3`) {
		t.Errorf("events\n%s", got)
	}
	_, first, _ := strings.Cut(dump.String(), "#0\n")
	first, rest, _ := strings.Cut(first, "#3\n")
	if first != "0!\n0\"\nb0 #\n" || !strings.HasPrefix(rest, "1!\n#6\n0!\n") {
		t.Errorf("dump begins with %q, then %q", first, rest)
	}
}

func sumOf(s []uint64) (n uint64) {
	for _, v := range s {
		n += v
	}
	return n
}

func TestTraces(t *testing.T) {
	run := func() (*chain, string, string) {
		c := newChain(t, 0.5, 0.5)
		c.Run(40)
		if err := errors.Join(c.v.Close(), c.p.Close()); err != nil {
			t.Fatal(err)
		}
		return c, c.vcd.String(), c.evt.String()
	}
	_, vcd, events := run()
	_, vcd2, events2 := run()
	if vcd != vcd2 || events != events2 {
		t.Error("two runs differ")
	}
	for _, want := range []string{"$var wire 1 ! s1_valid $end", "$var wire 32 # s1_data $end", "\n#10\n", "\n#20\n"} {
		if !strings.Contains(vcd, want) {
			t.Errorf("no %q in\n%s", want, vcd)
		}
	}
	var trace struct {
		TraceEvents []struct {
			Ph, Name string
			Tid      int
			Ts, Dur  uint64
		}
	}
	if err := json.Unmarshal([]byte(events), &trace); err != nil {
		t.Fatalf("%v in %s", err, events)
	}
	var names []string
	for _, e := range trace.TraceEvents {
		if e.Ph == "X" {
			if e.Ts < 10 || e.Ts+e.Dur > 20 || e.Dur == 0 {
				t.Errorf("slice %+v outside the window", e)
			}
			names = append(names, e.Name)
		}
	}
	if !slices.Contains(names, "busy") || !slices.Contains(names, "blocked") {
		t.Errorf("slices %q", names)
	}
	empty := newChain(t, 1, 1)
	if err := errors.Join(empty.v.Close(), empty.p.Close()); err != nil || !json.Valid(empty.evt.Bytes()) {
		t.Errorf("a trace without cycles: %v, %s", err, empty.evt.String())
	}
}

func TestVCDIdentifiers(t *testing.T) {
	seen := map[string]bool{}
	for i := range 20000 {
		id := vcdID(i)
		if seen[id] {
			t.Fatalf("identifier %d, %q, is there twice", i, id)
		}
		seen[id] = true
	}
}

// TestVCDClock: the unit of time is the longest that the period is a multiple of.
func TestVCDClock(t *testing.T) {
	for _, c := range []struct {
		hz    float64
		scale string
		units uint64
	}{
		{0, "1ns", 1}, {-1, "1ns", 1}, {1e9, "1ns", 1}, {2.5e8, "1ns", 4}, {1e8, "10ns", 1}, {5e7, "10ns", 2}, {1e7, "100ns", 1}, {1e6, "1us", 1},
		{3e8, "1fs", 3333333}, {8e8, "10ps", 125}, {1e12, "1ps", 1}, {1e15, "1fs", 1}, {1e17, "1fs", 1}, {10, "100ms", 1}, {1, "1s", 1}, {0.5, "1s", 2}, {0.01, "100s", 1},
	} {
		v := NewVCD(nil, 0, 1)
		if v.Clock(c.hz); v.scale != c.scale || v.units != c.units {
			t.Errorf("%g Hz: %d of %s, want %d of %s", c.hz, v.units, v.scale, c.units, c.scale)
		}
	}
	for i, want := range map[int]string{0: "!", 93: "~", 94: "!\"", 95: "\"\"", 94*94 + 1: "\"!\""} {
		if got := vcdID(i); got != want {
			t.Errorf("identifier %d is %q, want %q", i, got, want)
		}
	}
}

// TestPanics: constructors refuse what cannot be built.
func TestPanics(t *testing.T) {
	for name, f := range map[string]func(){
		"fifo of 1":      func() { NewFIFO[int](nil, nil, 1) },
		"ram fifo of 1":  func() { NewRAMFIFO[int](nil, nil, 1) },
		"ram fifo below": func() { NewRAMFIFO[int](nil, nil, -1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
	NewFIFO[int](nil, nil, 2)
	NewRAMFIFO[int](nil, nil, 2)
	var w Wheel[int]
	for cycle := range uint64(WheelCycles) {
		*w.Slot(cycle + 5) = int(cycle)
	}
	for cycle := range uint64(WheelCycles) {
		if got := w.Take(cycle + 5); got != int(cycle) || *w.Slot(cycle + 5) != 0 {
			t.Errorf("%d is due in cycle %d", got, cycle+5)
		}
	}
}

func TestNoAllocation(t *testing.T) {
	c := newChain(t, 1, 1)
	c.snk.got = make([]int, 0, 100000)
	c.Run(100)
	if n := testing.AllocsPerRun(1000, c.Step); n != 0 {
		t.Errorf("%v allocations a cycle", n)
	}
}

func BenchmarkKernel(b *testing.B) {
	streams := make([]Stream[uint64], 9)
	var k Kernel
	for i := range 8 {
		k.Add(&Pipe[uint64]{In: &streams[i], Out: &streams[i+1]})
	}
	streams[0].Valid, streams[8].Ready = true, true
	b.ReportAllocs()
	for b.Loop() {
		k.Step()
	}
}

func BenchmarkFIFO(b *testing.B) {
	var in, out Stream[uint64]
	f := NewFIFO(&in, &out, 16)
	in.Valid, out.Ready = true, true
	b.ReportAllocs()
	for b.Loop() {
		f.Eval()
		f.Clock()
	}
}
