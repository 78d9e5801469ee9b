// Package sim steps clocked models: a two-phase kernel, streams with a
// valid/ready handshake, and the elastic primitives from which units are
// built. Each primitive has a Verilog twin under rtl/common that agrees with
// it on every port in every cycle.
//
// A cycle has two phases. In Eval every unit drives its outputs, from sinks to
// sources: valid and data of its output streams from its registers, ready of
// its input streams from its registers and from the ready of its outputs,
// which the sinks have driven already. Then Clock commits the registers of
// every unit; it changes no stream, so its order does not matter.
package sim

import (
	"errors"
	"fmt"
)

// A Unit is a clocked block.
type Unit interface {
	// Eval drives the outputs for this cycle. It may be called more than once
	// in a cycle and changes no register.
	Eval()
	// Clock is the rising edge: it commits the registers.
	Clock()
}

// A Wire is the handshake of a stream. A word moves in a cycle in which both
// are high. Valid never waits for Ready; once up, it and its data hold.
type Wire struct {
	Valid, Ready bool
}

// Moves reports whether a word moves in this cycle.
func (w *Wire) Moves() bool { return w.Valid && w.Ready }

// A Stream carries words of type T from one unit to one other.
type Stream[T any] struct {
	Wire
	Data T
}

// A Kernel steps units in a fixed order. It is deterministic and allocates
// nothing per cycle.
type Kernel struct {
	units    []Unit
	watchers []Watcher
	cycle    uint64
}

// A Watcher sees every cycle after its Eval phase and before its Clock phase,
// when all streams are settled.
type Watcher interface {
	Watch(cycle uint64)
}

// Add appends units in dataflow order, sources first.
func (k *Kernel) Add(units ...Unit) { k.units = append(k.units, units...) }

// Watch appends a watcher.
func (k *Kernel) Watch(w Watcher) { k.watchers = append(k.watchers, w) }

// Cycle returns the number of cycles stepped so far.
func (k *Kernel) Cycle() uint64 { return k.cycle }

// Step runs one cycle.
func (k *Kernel) Step() {
	k.Settle()
	for _, w := range k.watchers {
		w.Watch(k.cycle)
	}
	for _, u := range k.units {
		u.Clock()
	}
	k.cycle++
}

// Settle runs the Eval phase of a cycle alone, sinks first.
func (k *Kernel) Settle() {
	for i := len(k.units) - 1; i >= 0; i-- {
		k.units[i].Eval()
	}
}

// Run steps n cycles.
func (k *Kernel) Run(n uint64) {
	for range n {
		k.Step()
	}
}

// ErrLimit is in the error of RunUntil when the limit is reached.
var ErrLimit = errors.New("cycle limit reached")

// RunUntil steps until done reports true, at most limit cycles.
func (k *Kernel) RunUntil(done func() bool, limit uint64) error {
	for range limit {
		if done() {
			return nil
		}
		k.Step()
	}
	if done() {
		return nil
	}
	return fmt.Errorf("sim: cycle %d: %w", k.cycle, ErrLimit)
}
