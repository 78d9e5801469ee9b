package gates

import (
	"bytes"
	"strings"
	"testing"

	"vcsim/internal/liberty"
	"vcsim/internal/netlist"
)

// twoJSON is a register of an input, one of its complement, and whether both are set, which is never.
const twoJSON = `{"modules": {"top": {"attributes": {"top": "1"},
 "ports": {"clk_i": {"direction": "input", "bits": [2]}, "x_i": {"direction": "input", "bits": [3]}, "y_o": {"direction": "output", "bits": [4]}},
 "cells": {
  "inv": {"type": "INVx1_ASAP7_75t_R", "connections": {"A": [3], "Y": [5]}},
  "one": {"type": "DFFHQNx1_ASAP7_75t_R", "connections": {"CLK": [2], "D": [3], "QN": [6]}},
  "two": {"type": "DFFHQNx1_ASAP7_75t_R", "connections": {"CLK": [2], "D": [5], "QN": [7]}},
  "both": {"type": "NOR2x1_ASAP7_75t_R", "connections": {"A": [6], "B": [7], "Y": [4]}}},
 "netnames": {}}}}`

// TestSame: a fault that shows only in a state that is never reached is proven by the cycle before; one that shows is not.
func TestSame(t *testing.T) {
	NeedCells(t)
	source, err := cells()
	if err != nil {
		t.Fatal(err)
	}
	lib, err := liberty.Parse(source.Path, bytes.NewReader(source.Text))
	if err != nil {
		t.Fatal(err)
	}
	d, err := netlist.Read(strings.NewReader(twoJSON), "top", netlist.Output(lib))
	if err != nil {
		t.Fatal(err)
	}
	both := 0
	for i := range d.Top.Cells {
		if d.Top.Cells[i].Name == "both" {
			both = i
		}
	}
	for _, tt := range []struct {
		stuck netlist.Bit
		want  [2]bool // from any state, from that of a cycle
	}{{netlist.Low, [2]bool{false, true}}, {netlist.High, [2]bool{}}} {
		f := netlist.Mutant{Module: d.Top, Cell: both, Kind: "stuck", Pins: [2]string{"Y"}, Stuck: tt.stuck}
		sim, err := netlist.NewSim(d, lib, []netlist.Mutant{f})
		if err != nil {
			t.Fatal(err)
		}
		for before, want := range tt.want {
			if got, err := same(t.TempDir(), sim, before); err != nil || got != want {
				t.Errorf("stuck at %d, %d cycles before: %v, %v, want %v", tt.stuck, before, got, err, want)
			}
		}
	}
}
