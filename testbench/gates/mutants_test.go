package gates

import (
	"bytes"
	"slices"
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

// TestProve: a fault that shows only in a state that is never reached is proven; one that shows is not.
func TestProve(t *testing.T) {
	NeedCells(t, "yosys-abc")
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
	both := slices.IndexFunc(d.Top.Cells, func(c netlist.Cell) bool { return c.Name == "both" })
	var list []netlist.Mutant
	for _, stuck := range []netlist.Bit{netlist.Low, netlist.High} {
		list = append(list, netlist.Mutant{Module: d.Top, Cell: both, Kind: "stuck", Pins: [2]string{"Y"}, Stuck: stuck})
	}
	f, err := netlist.NewFaults(d, lib, list)
	if err != nil {
		t.Fatal(err)
	}
	f.Sim().Eval()
	f.Clock(0) // one of the registers is set from now on
	f.Start()
	for k, want := range []string{"top", ""} {
		for _, search := range append(quick, patient...) {
			if got, err := prove(t.TempDir(), f, k, netlist.Given{}, []string{search}); err != nil || got != want {
				t.Errorf("%v: %s: shown equivalent in %q, %v, want %q", list[k], search, got, err, want)
			}
		}
	}
}
