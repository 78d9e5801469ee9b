package sim

import (
	"math/rand/v2"
	"testing"
)

// TestSet: a Set against a map, and NextAfter against a walk around.
func TestSet(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var s Set
		want := map[int]bool{}
		for range rng.IntN(20) {
			i := rng.IntN(64)
			switch rng.IntN(4) {
			case 0:
				s.Remove(i)
				delete(want, i)
			case 1:
				s.Put(i, false)
				delete(want, i)
			case 2:
				s.Put(i, true)
				want[i] = true
			default:
				s.Add(i)
				want[i] = true
			}
		}
		if s.Len() != len(want) {
			t.Fatalf("%b has %d members, want %d", s, s.Len(), len(want))
		}
		last, seen := -1, 0
		for m := s; m != 0; m = m.Rest() {
			i := m.First()
			if i <= last || !want[i] {
				t.Fatalf("%b: member %d behind %d", s, i, last)
			}
			last = i
			seen++
		}
		if seen != len(want) {
			t.Fatalf("%b: %d members visited, want %d", s, seen, len(want))
		}
		for i := range 64 {
			if s.Has(i) != want[i] {
				t.Fatalf("%b.Has(%d) is %v", s, i, s.Has(i))
			}
			next := i
			for k := 1; k <= 64; k++ {
				if want[(i+k)%64] {
					next = (i + k) % 64
					break
				}
			}
			if got := s.NextAfter(i); got != next {
				t.Fatalf("%b.NextAfter(%d) is %d, want %d", s, i, got, next)
			}
		}
	}
	if Set(0).First() != 64 || Set(0).Rest() != 0 {
		t.Error("the empty set has a member")
	}
	for n := range 65 {
		if got := FirstOf(n); got.Len() != n || n > 0 && !got.Has(n-1) {
			t.Errorf("FirstOf(%d) is %b", n, got)
		}
	}
}

// TestWheel: events come in their cycle, also those beyond sight, which are put on again.
func TestWheel(t *testing.T) {
	const lanes, end = 40, 3000
	rng := rand.New(rand.NewPCG(3, 4))
	var w Wheel[Set]
	var due [lanes]uint64
	plan := func(now uint64, lane int) {
		due[lane] = now + 1 + uint64(rng.IntN(800))
		w.At(now, due[lane]).Add(lane)
	}
	for lane := range lanes {
		plan(0, lane)
	}
	late := 0
	for now := uint64(1); now < end; now++ {
		for m := w.Take(now); m != 0; m = m.Rest() {
			lane := m.First()
			switch {
			case due[lane] > now:
				if w.Sees(now-(WheelCycles-1), due[lane]) {
					t.Fatalf("cycle %d: lane %d is due in %d, which was in sight", now, lane, due[lane])
				}
				late++
				w.At(now, due[lane]).Add(lane)
			case due[lane] < now:
				t.Fatalf("cycle %d: lane %d was due in %d", now, lane, due[lane])
			default:
				plan(now, lane)
			}
		}
		for lane := range lanes {
			if due[lane] <= now {
				t.Fatalf("cycle %d: lane %d was due in %d and did not come", now, lane, due[lane])
			}
			if due[lane] == now+1 && !w.Slot(now+1).Has(lane) {
				t.Fatalf("cycle %d: lane %d is due and not there", now+1, lane)
			}
		}
	}
	if late == 0 {
		t.Error("no event was out of sight")
	}
	if w.Clamp(100, 500) != 355 || w.Clamp(100, 355) != 355 || w.Clamp(100, 354) != 354 || w.Clamp(100, Never) != 355 {
		t.Error("Clamp is not as documented")
	}
	if !w.Sees(100, 355) || w.Sees(100, 356) || w.Sees(100, Never) {
		t.Error("Sees is not as documented")
	}
}
