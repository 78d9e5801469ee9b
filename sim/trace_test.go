package sim

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"vcsim/internal/golden"
)

// A resetter is a unit with a reset, as all primitives are.
type resetter interface {
	Unit
	Reset()
}

// A harness is a unit whose inputs a test drives, and what it shows.
type harness struct {
	unit resetter
	in   []*Stream[int]
	out  *Wire
	data func() string
	more func() string // what else the unit tells
}

// drive runs a cycle with random inputs that keep the rules of streams, and
// returns what the ports show in it.
func (h *harness) drive(rng *rand.Rand, share float64) string {
	for i, s := range h.in {
		if held := s.Valid && !s.Ready; !held {
			s.Valid, s.Data = rng.Float64() < share, rng.IntN(1<<20)+i
		}
	}
	h.out.Ready = rng.Float64() < 0.6
	h.unit.Eval()
	shown := fmt.Sprint(h.out.Valid, " ")
	if h.out.Valid {
		shown += h.data()
	}
	for _, s := range h.in {
		shown += fmt.Sprint(" ", s.Ready)
	}
	h.unit.Clock()
	return shown + h.more() + "\n"
}

func harnesses() (names []string, build map[string]func() *harness) {
	nothing := func() string { return "" }
	build = map[string]func() *harness{}
	add := func(name string, f func() *harness) {
		names = append(names, name)
		build[name] = f
	}
	plain := func(name string, make func(in, out *Stream[int]) resetter) {
		add(name, func() *harness {
			in, out := new(Stream[int]), new(Stream[int])
			return &harness{make(in, out), []*Stream[int]{in}, &out.Wire, func() string { return fmt.Sprint(out.Data) }, nothing}
		})
	}
	plain("pipe", func(in, out *Stream[int]) resetter { return &Pipe[int]{In: in, Out: out} })
	plain("skid", func(in, out *Stream[int]) resetter { return &Skid[int]{In: in, Out: out} })
	for _, depth := range []int{2, 3, 5} {
		add(fmt.Sprint("fifo ", depth), func() *harness {
			in, out := new(Stream[int]), new(Stream[int])
			f := NewFIFO(in, out, depth)
			return &harness{f, []*Stream[int]{in}, &out.Wire, func() string { return fmt.Sprint(out.Data) }, func() string { return fmt.Sprint(" ", f.Len()) }}
		})
		plain(fmt.Sprint("ram fifo ", depth), func(in, out *Stream[int]) resetter { return NewRAMFIFO(in, out, depth) })
	}
	for _, n := range []int{1, 2, 3, 4} {
		add(fmt.Sprint("arbiter ", n), func() *harness {
			a := &Arbiter[int]{Out: new(Stream[Tagged[int]])}
			for range n {
				a.In = append(a.In, new(Stream[int]))
			}
			return &harness{a, a.In, &a.Out.Wire, func() string { return fmt.Sprint(a.Out.Data) }, func() string { return fmt.Sprint(" ", a.Selected()) }}
		})
	}
	return names, build
}

// TestPortTraces: what the ports of every primitive show under random inputs does
// not change by accident, and a reset leaves nothing behind. The benches compare
// the same ports with the Verilog.
func TestPortTraces(t *testing.T) {
	names, build := harnesses()
	var s strings.Builder
	for _, name := range names {
		h := build[name]()
		rng := rand.New(rand.NewPCG(5, 6))
		sum := sha256.New()
		for i := range 3000 {
			fmt.Fprint(sum, h.drive(rng, []float64{0.2, 0.5, 0.9}[i/1000]))
		}
		fmt.Fprintf(&s, "%s %x\n", name, sum.Sum(nil)[:8])
		for trial := range 20 {
			used, other := build[name](), build[name]()
			rng := rand.New(rand.NewPCG(7, uint64(trial)))
			for range 10 + trial {
				used.drive(rng, 0.9)
			}
			used.unit.Reset()
			for _, s := range used.in {
				*s = Stream[int]{}
			}
			a, b := rand.New(rand.NewPCG(9, 10)), rand.New(rand.NewPCG(9, 10))
			for i := range 50 {
				if got, want := used.drive(a, 0.7), other.drive(b, 0.7); got != want {
					t.Fatalf("%s, trial %d, cycle %d after the reset: got %q, want %q", name, trial, i, got, want)
				}
			}
		}
	}
	golden.Check(t, "testdata/ports.txt", s.String())
}

// TestTraceFiles: the traces of a chain, to the byte.
func TestTraceFiles(t *testing.T) {
	c := newChain(t, 0.5, 0.5)
	c.Run(40)
	if err := errors.Join(c.v.Close(), c.p.Close()); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "testdata/chain.vcd", c.vcd.String())
	golden.Check(t, "testdata/chain.json", c.evt.String())

	var late, unused bytes.Buffer
	v := NewVCD(&late, 100, 200)
	v.Clock(2.5e8)
	v.Signal("x", 3, func() uint64 { return 5 })
	p := NewPerfetto(&unused, &c.a, 100, 200)
	p.Clock(2.5e8)
	if err := errors.Join(v.Close(), p.Close()); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "testdata/empty.vcd", late.String())
	golden.Check(t, "testdata/empty.json", unused.String())
}

// TestRAMAccess: an access counts once, and a write does not move Q.
func TestRAMAccess(t *testing.T) {
	one, two, ff := NewRAM1RW[int](2), NewRAM1R1W[int](2), NewRAMFF[int](2)
	write := func(addr, v int) {
		one.Write(addr, v)
		two.Write(addr, v)
		ff.Write(addr, v)
		one.Clock()
		two.Clock()
		ff.Clock()
	}
	write(0, 7)
	one.Read(0)
	two.Read(0)
	one.Clock()
	two.Clock()
	write(0, 8)
	for range 3 { // no access: nothing is read or written again
		one.Clock()
		two.Clock()
		ff.Clock()
		if one.Q() != 7 || two.Q() != 7 || ff.Read(0) != 8 {
			t.Fatalf("Q is %d and %d, the word %d; want 7, 7 and 8", one.Q(), two.Q(), ff.Read(0))
		}
	}
	one.mem[0], two.mem[0], ff.mem[0] = 9, 9, 9
	one.Clock()
	two.Clock()
	ff.Clock()
	if one.Q() != 7 || two.Q() != 7 {
		t.Errorf("a read came twice: %d and %d", one.Q(), two.Q())
	}
	if one.mem[0] != 9 || two.mem[0] != 9 || ff.mem[0] != 9 {
		t.Errorf("a write came twice: %d, %d and %d", one.mem[0], two.mem[0], ff.mem[0])
	}
	one.Read(0)
	two.Read(0)
	one.Clock()
	two.Clock()
	one.mem[0], two.mem[0] = 11, 11
	one.Clock()
	two.Clock()
	if one.Q() != 9 || two.Q() != 9 {
		t.Errorf("a read came twice: %d and %d", one.Q(), two.Q())
	}
}

// TestLoops: a unit whose output goes back to the first unit, or to itself, is held up by that one.
func TestLoops(t *testing.T) {
	for _, c := range []struct {
		back             Wire
		state            State
		blocked, starved [3]uint64 // of unit 1 by units 0 and 1 and the outside
	}{
		{Wire{Valid: true}, Blocked, [3]uint64{2, 0, 0}, [3]uint64{}},
		{Wire{Ready: true}, Idle, [3]uint64{}, [3]uint64{}},
	} {
		var forth Wire
		var a Activity
		a.Add("first", []*Wire{&c.back}, []*Wire{&forth})
		a.Add("second", []*Wire{&forth}, []*Wire{&c.back})
		a.Watch(0)
		a.Watch(1)
		if u := a.Units()[1]; a.State(1) != c.state || [3]uint64(u.BlockedBy) != c.blocked || [3]uint64(u.StarvedBy) != c.starved {
			t.Errorf("back %+v: %v, blocked by %v, starved by %v", c.back, a.State(1), u.BlockedBy, u.StarvedBy)
		}
	}
	// In the first cycle the outside holds the unit up, in the second the unit itself.
	var self, in, out Wire
	var a Activity
	a.Add("self", []*Wire{&in, &self}, []*Wire{&out, &self})
	for cycle, wires := range [][3]Wire{{{}, {}, {Valid: true}}, {{Valid: true}, {}, {}}, {{}, {Ready: true}, {}}, {{Ready: true}, {}, {}}} {
		self, in, out = wires[0], wires[1], wires[2]
		a.Watch(uint64(cycle))
	}
	if u := a.Units()[0]; [2]uint64(u.BlockedBy) != [2]uint64{1, 1} || [2]uint64(u.StarvedBy) != [2]uint64{1, 1} {
		t.Errorf("self: blocked by %v, starved by %v, want one cycle each by itself and the outside", u.BlockedBy, u.StarvedBy)
	}
	var names []string
	a.Wires(func(name string, w *Wire) { names = append(names, fmt.Sprint(name, " ", *w)) })
	if got, want := strings.Join(names, ", "), "self.in0 {false false}, self.in1 {false true}, self.out0 {false false}"; got != want {
		t.Errorf("wires %s, want %s", got, want)
	}
}

// TestTraceClocks: the stamps of a dump are in units of its time, and a trace names the clock, however slow.
func TestTraceClocks(t *testing.T) {
	var dump, events bytes.Buffer
	v := NewVCD(&dump, 3, 6)
	v.Clock(2.5e8)
	word := uint64(0)
	v.Signal("x", 3, func() uint64 { return word })
	var a Activity
	p := NewPerfetto(&events, &a, 3, 6)
	p.Clock(0.5)
	for cycle := range uint64(9) {
		word = cycle
		a.Watch(cycle)
		v.Watch(cycle)
		p.Watch(cycle)
	}
	if err := errors.Join(v.Close(), p.Close()); err != nil {
		t.Fatal(err)
	}
	_, stamps, _ := strings.Cut(dump.String(), "$enddefinitions $end\n")
	if want := "#12\nb11 !\n#16\nb100 !\n#20\nb101 !\n#24\n"; stamps != want {
		t.Errorf("got %q, want %q", stamps, want)
	}
	if !strings.Contains(events.String(), `"clock_hz":0.5`) {
		t.Errorf("no clock in %s", events.String())
	}
}
