package main

import (
	"vcsim/internal/drawing"
	"vcsim/sim"
)

// watch is a function as a sim.Watcher.
type watch func(cycle uint64)

func (w watch) Watch(cycle uint64) { w(cycle) }

// level is a wire in one cycle.
func level(high bool) drawing.Cycle {
	if high {
		return drawing.Cycle{Signal: drawing.High}
	}
	return drawing.Cycle{Signal: drawing.Low}
}

// word is a stream in one cycle, with the name and colour of its word.
func word(w *sim.Wire, name string, hue int) drawing.Cycle {
	switch {
	case w.Moves():
		return drawing.Cycle{Signal: drawing.Moves, Hue: hue, Label: name}
	case w.Valid:
		return drawing.Cycle{Signal: drawing.Waits, Label: name}
	}
	return drawing.Cycle{}
}
