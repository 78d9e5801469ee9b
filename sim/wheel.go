package sim

// What a model that runs ahead is made of. Such a model knows the cycle of an event before it comes and does nothing in the
// cycles between: it keeps its events in a Wheel, by cycle, and visits in each cycle those that are due.

// Never is a cycle that does not come.
const Never = ^uint64(0)

// A Wheel holds what is due in the cycles to come, a T for each of as many cycles as it has slots. The zero T is nothing.
// With 64 slots and an event in cycle 200 that a model learns of in cycle 100, At(100, 200) is the slot of cycle 163; the
// model looks there, finds that it is early, and puts the event on again with At(163, 200).
type Wheel[T any] struct {
	slots []T
}

// NewWheel returns a Wheel of the given number of cycles, a power of two.
func NewWheel[T any](cycles int) Wheel[T] {
	if cycles <= 0 || cycles&(cycles-1) != 0 {
		panic("sim: the cycles of a Wheel are no power of two")
	}
	return Wheel[T]{slots: make([]T, cycles)}
}

// Slot is what is due in a cycle in sight.
func (w *Wheel[T]) Slot(cycle uint64) *T { return &w.slots[cycle&uint64(len(w.slots)-1)] }

// At is what is due in a cycle, seen from cycle now, or, if the cycle is out of sight, in the last one in sight.
func (w *Wheel[T]) At(now, cycle uint64) *T { return w.Slot(w.Clamp(now, cycle)) }

// Clamp returns the cycle whose slot At returns.
func (w *Wheel[T]) Clamp(now, cycle uint64) uint64 { return min(cycle, now+uint64(len(w.slots))-1) }

// Sees reports whether a cycle has a slot of its own, seen from cycle now.
func (w *Wheel[T]) Sees(now, cycle uint64) bool { return cycle-now < uint64(len(w.slots)) }

// Take returns what is due in cycle now and empties its slot, which from then on is that of a cycle to come.
func (w *Wheel[T]) Take(now uint64) T {
	s := w.Slot(now)
	due := *s
	var nothing T
	*s = nothing
	return due
}
