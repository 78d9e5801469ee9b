package sim

// What a model that runs ahead is made of. Such a model knows the cycle of an event before it comes and does nothing in the
// cycles between: it keeps its events in a Wheel, by cycle, and visits in each cycle those that are due.

// Never is a cycle that does not come.
const Never = ^uint64(0)

// WheelCycles is the number of cycles that a Wheel has in sight, the present one among them.
const WheelCycles = 256

// A Wheel holds what is due in the cycles to come, a T for each of WheelCycles. The zero T is nothing, and the zero Wheel
// holds nothing. With an event in cycle 500 that a model learns of in cycle 100, At(100, 500) is the slot of cycle 355; the
// model looks there, finds that it is early, and puts the event on again with At(355, 500).
type Wheel[T any] struct {
	slots [WheelCycles]T
}

// Slot is what is due in a cycle in sight.
func (w *Wheel[T]) Slot(cycle uint64) *T { return &w.slots[cycle%WheelCycles] }

// At is what is due in a cycle, seen from cycle now, or, if the cycle is out of sight, in the last one in sight.
func (w *Wheel[T]) At(now, cycle uint64) *T { return w.Slot(w.Clamp(now, cycle)) }

// Clamp returns the cycle whose slot At returns.
func (w *Wheel[T]) Clamp(now, cycle uint64) uint64 { return min(cycle, now+WheelCycles-1) }

// Sees reports whether a cycle has a slot of its own, seen from cycle now.
func (w *Wheel[T]) Sees(now, cycle uint64) bool { return cycle-now < WheelCycles }

// Take returns what is due in cycle now and empties its slot, which from then on is that of a cycle to come.
func (w *Wheel[T]) Take(now uint64) T {
	s := w.Slot(now)
	due := *s
	var nothing T
	*s = nothing
	return due
}
