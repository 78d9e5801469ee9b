package netlist

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"vcsim/internal/liberty"
)

// cellsLib has the cells of the tests: one of each kind that matters.
const cellsLib = `library (test) {
 cell (NAND2) { area : 1; pin (A) { direction : input; capacitance : 0.5; } pin (B) { direction : input; capacitance : 0.5; }
  pin (Y) { direction : output; function : "(!A) + (!B)"; internal_power () { related_pin : "A"; related_pg_pin : VDD; rise_power (scalar) { values ("0.2"); } fall_power (scalar) { values ("0.4"); } } } }
 cell (AOI) { area : 1; pin (A1) { direction : input; capacitance : 1; } pin (A2) { direction : input; capacitance : 1; } pin (B) { direction : input; capacitance : 1; }
  pin (Y) { direction : output; function : "(!A1 * !B) + (!A2 * !B)"; } }
 cell (OAI) { area : 1; pin (A1) { direction : input; capacitance : 1; } pin (A2) { direction : input; capacitance : 1; } pin (B) { direction : input; capacitance : 1; }
  pin (Y) { direction : output; function : "(!A1 * !A2) + (!B)"; } }
 cell (DFFQN) { area : 1; ff (IQN,IQNN) { clocked_on : "CLK"; next_state : "!D"; }
  pin (CLK) { clock : true; direction : input; capacitance : 1; internal_power () { related_pg_pin : VDD; rise_power (scalar) { values ("0.1"); } fall_power (scalar) { values ("0.3"); } } }
  pin (D) { direction : input; capacitance : 0.5; } pin (QN) { direction : output; function : "IQN"; } }
 cell (DFFR) { area : 1; ff (IQ,IQN) { clocked_on : "CLK"; next_state : "D"; clear : "!R"; }
  pin (CLK) { clock : true; direction : input; } pin (D) { direction : input; } pin (R) { direction : input; } pin (Q) { direction : output; function : "IQ"; } }
 cell (ICG) { area : 1; clock_gating_integrated_cell : latch_posedge; pin (CLK) { clock : true; direction : input; } pin (ENA) { direction : input; }
  pin (GCLK) { direction : output; state_function : "CLK & IQ"; } }
 cell (DHL) { area : 1; latch (IQ,IQN) { enable : "CLK"; data_in : "D"; }
  pin (CLK) { clock : true; direction : input; capacitance : 1; } pin (D) { direction : input; } pin (Q) { direction : output; function : "IQ"; } }
}`

func testLib(t testing.TB) *liberty.Library {
	t.Helper()
	lib, err := liberty.Parse("test", strings.NewReader(cellsLib))
	if err != nil {
		t.Fatal(err)
	}
	return lib
}

// A counter of two bits, the high one of them behind a clock gate, and a memory that takes it.
const counterJSON = `{"modules": {
 "vc_ram_1r1w": {"ports": {}, "cells": {}, "netnames": {}},
 "top": {"ports": {"clk_i": {"direction": "input", "bits": [2]}, "addr_i": {"direction": "input", "bits": [3]}, "low_o": {"direction": "output", "bits": [4]},
   "high_o": {"direction": "output", "bits": [5]}, "word_o": {"direction": "output", "bits": [20, 21]}},
  "cells": {
   "low": {"type": "DFFQN", "connections": {"CLK": [2], "D": [6], "QN": [7]}},
   "lowinv": {"type": "NAND2", "connections": {"A": [7], "B": ["1"], "Y": [4]}},
   "lownext": {"type": "NAND2", "connections": {"A": [4], "B": [4], "Y": [6]}},
   "gate": {"type": "ICG", "connections": {"CLK": [2], "ENA": [4], "GCLK": [8]}},
   "high": {"type": "DFFQN", "connections": {"CLK": [8], "D": [9], "QN": [10]}},
   "highinv": {"type": "NAND2", "connections": {"A": [10], "B": [10], "Y": [5]}},
   "highnext": {"type": "NAND2", "connections": {"A": [5], "B": [5], "Y": [9]}},
   "ram": {"type": "vc_ram_1r1w", "parameters": {"Width": "00000010", "Depth": "00000010"}, "connections": {
     "clk_i": [2], "we_i": [4], "waddr_i": [5], "wdata_i": [4, 5], "re_i": ["1"], "raddr_i": [3], "rdata_o": [20, 21]}}},
  "netnames": {"low": {"hide_name": 0, "bits": [4]}}}}}`

func counter(t testing.TB) (*Design, *liberty.Library) {
	t.Helper()
	lib := testLib(t)
	d, err := Read(strings.NewReader(counterJSON), "top", Output(lib))
	if err != nil {
		t.Fatal(err)
	}
	return d, lib
}

func (s *Sim) word(t testing.TB, port string) uint64 {
	t.Helper()
	var v [Lanes]uint64
	if err := s.Output(port, 0, &v); err != nil {
		t.Fatal(err)
	}
	for k := range v {
		if v[k] != v[0] {
			t.Fatalf("%s: run %d has %d, run 0 %d", port, k, v[k], v[0])
		}
	}
	return v[0]
}

// A latch behind a clock gate takes what its register takes at the edge, through an inverter, where the gate is open: the register is d_i
// of the cycle before, and the latch the same where we_i was high.
const latchJSON = `{"modules": {
 "top": {"ports": {"clk_i": {"direction": "input", "bits": [2]}, "d_i": {"direction": "input", "bits": [3]}, "we_i": {"direction": "input", "bits": [4]},
   "q_o": {"direction": "output", "bits": [5]}},
  "cells": {
   "data": {"type": "DFFQN", "connections": {"CLK": [2], "D": [3], "QN": [6]}},
   "inv": {"type": "NAND2", "connections": {"A": [6], "B": [6], "Y": [7]}},
   "gate": {"type": "ICG", "connections": {"CLK": [2], "ENA": [4], "GCLK": [8]}},
   "word": {"type": "DHL", "connections": {"CLK": [8], "D": [7], "Q": [5]}}},
  "netnames": {}}}}`

func TestSimLatch(t *testing.T) {
	lib := testLib(t)
	read := func(text string) (*Sim, error) {
		d, err := Read(strings.NewReader(text), "top", Output(lib))
		if err != nil {
			t.Fatal(err)
		}
		return NewSim(d, lib, nil)
	}
	s, err := read(latchJSON)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	want, writes := uint64(0), 0
	for i := range 64 {
		d, we := rng.Uint64()&1, rng.Uint64()&1
		for port, v := range map[string]uint64{"d_i": d, "we_i": we} {
			var all [Lanes]uint64
			for k := range all {
				all[k] = v
			}
			if err := s.SetInput(port, 0, &all); err != nil {
				t.Fatal(err)
			}
		}
		s.Eval()
		if got := s.word(t, "q_o"); got != want {
			t.Fatalf("cycle %d: %d, want %d", i, got, want)
		}
		if we == 1 {
			want = d
			writes++
		}
		s.Clock()
	}
	if writes == 0 || writes == 64 {
		t.Fatal("the gate does not move")
	}
	if _, err := read(strings.Replace(latchJSON, `"D": [7], "Q"`, `"D": [3], "Q"`, 1)); err == nil || !strings.Contains(err.Error(), "latch") {
		t.Errorf("a latch behind an input: %v", err)
	}
}

func TestSim(t *testing.T) {
	d, lib := counter(t)
	s, err := NewSim(d, lib, nil)
	if err != nil {
		t.Fatal(err)
	}
	var one [Lanes]uint64
	for k := range one {
		one[k] = 1
	}
	if err := s.SetInput("addr_i", 0, &one); err != nil {
		t.Fatal(err)
	}
	var memory [2]uint64
	word := uint64(0)
	for i := range uint64(16) {
		s.Eval()
		s.Count(^uint64(0))
		low, high := s.word(t, "low_o"), s.word(t, "high_o")
		if low != i&1 || high != i>>1&1 {
			t.Fatalf("cycle %d: %d%d, want %d", i, high, low, i&3)
		}
		if got := s.word(t, "word_o"); got != word {
			t.Fatalf("cycle %d: the memory gives %d, want %d", i, got, word)
		}
		word = memory[1]
		if low == 1 {
			memory[high] = low | high<<1
		}
		s.Clock()
	}
	accounts, memories := s.Power(1)
	if m := memories[0]; m.Reads != 16*Lanes || m.Writes != 8*Lanes {
		t.Errorf("%d reads and %d writes, want %d and %d", m.Reads, m.Writes, 16*Lanes, 8*Lanes)
	}
	// The clock pin of a flip-flop takes 0.4 fJ inside, and 1 fF at 0.7 V. The gate is open in every other cycle.
	pin := 0.4 + 0.7*0.7
	if got, want := accounts[""].Clock, Lanes*(16*pin+8*pin); math.Abs(got-want) > 1e-9 {
		t.Errorf("the clock takes %g fJ, want %g", got, want)
	}
	s.Clear()
	if a, _ := s.Power(1); a[""].Total() != 0 {
		t.Errorf("%g fJ after Clear", a[""].Total())
	}
}

// TestMergeGates: gates with the same enable become one, and nothing else changes.
func TestMergeGates(t *testing.T) {
	lib := testLib(t)
	text := strings.Replace(counterJSON, `"highinv"`, `"gate2": {"type": "ICG", "connections": {"CLK": [2], "ENA": [4], "GCLK": [30]}},
   "more": {"type": "DFFQN", "connections": {"CLK": [30], "D": [4], "QN": [31]}}, "highinv"`, 1)
	d, err := Read(strings.NewReader(text), "top", Output(lib))
	if err != nil {
		t.Fatal(err)
	}
	count := func(name string) int { return d.Count(func(c *Cell) bool { return c.Type == name }) }
	before := count("ICG")
	d.MergeGates(lib)
	if before != 2 || count("ICG") != 1 || count("DFFQN") != 3 {
		t.Fatalf("%d gates of %d, %d flip-flops", count("ICG"), before, count("DFFQN"))
	}
	for i := range d.Top.Cells {
		if c := &d.Top.Cells[i]; c.Name == "more" || c.Name == "high" {
			if b, _ := c.Pin("CLK"); b != 8 {
				t.Errorf("the clock of %s is net %d, want 8", c.Name, b)
			}
		}
	}
}

// TestFaultsFollow: what Faults follows beside the runs is what runs that have the faults do, in every cycle: registers, outputs of the memory and
// its rows.
func TestFaultsFollow(t *testing.T) {
	d, lib := counter(t)
	list := d.Mutants(lib, 24, rand.New(rand.NewPCG(1, 2)))
	s, err := NewSim(d, lib, list)
	if err != nil {
		t.Fatal(err)
	}
	f, err := NewFaults(d, lib, list)
	if err != nil {
		t.Fatal(err)
	}
	names, vars := s.states()
	same, others := f.sim.states()
	if !slices.Equal(names, same) {
		t.Fatalf("registers %v, and %v", names, same)
	}
	rng, differ := rand.New(rand.NewPCG(3, 4)), 0
	for cycle := range 64 {
		var all [Lanes]uint64
		if rng.IntN(2) == 0 {
			for k := range all {
				all[k] = 1
			}
		}
		for _, sim := range []*Sim{s, f.sim} {
			if err := sim.SetInput("addr_i", 0, &all); err != nil {
				t.Fatal(err)
			}
			sim.Eval()
		}
		s.Clock()
		if shown := f.Clock(^uint64(0)); shown != nil { // nothing is observed
			t.Fatalf("cycle %d: %v are shown", cycle, shown)
		}
		for k := range list {
			state := map[int32]uint64{}
			for _, c := range f.faults[k].state {
				state[c.v] = c.diff
			}
			for i, v := range vars {
				want := -(s.v[v] >> (k + 1) & 1)
				if got := f.sim.v[others[i]] ^ state[others[i]]; got != want {
					t.Fatalf("cycle %d, %v: %s is %x, want %x", cycle, list[k], names[i], got, want)
				}
				if state[others[i]] != 0 {
					differ++
				}
			}
			for row := range int32(2) {
				want := s.rams[0].row(rowKey{0, int32(k + 1), row})
				got, ok := f.faults[k].rows[rowKey{0, 5, row}]
				if good := f.sim.rams[0].row(rowKey{0, 5, row}); !ok {
					got = good
				} else if slices.Equal(got, good) {
					t.Fatalf("cycle %d, %v: row %d is kept though it is the same", cycle, list[k], row)
				}
				if !slices.Equal(got, want) {
					t.Fatalf("cycle %d, %v: row %d is %x, want %x", cycle, list[k], row, got, want)
				}
			}
		}
	}
	if differ == 0 {
		t.Error("no fault does anything")
	}
}

// TestFaultsShown: an output that is observed shows just the faults that change it, in the cycle in which they do; with a guard, while that is high in
// the run without a fault.
func TestFaultsShown(t *testing.T) {
	if free, guarded := testFaultsShown(t, ""), testFaultsShown(t, "low_o"); guarded <= free {
		t.Errorf("faults are beside the runs for %d cycles with a guard, for %d without", guarded, free)
	}
}

// testFaultsShown observes two ports, under a guard or always. It returns the sum of the cycles in which faults are beside the runs.
func testFaultsShown(t *testing.T, guard string) (cycles int) {
	d, lib := counter(t)
	list := d.Mutants(lib, 24, rand.New(rand.NewPCG(1, 2)))
	s, err := NewSim(d, lib, list)
	if err != nil {
		t.Fatal(err)
	}
	f, err := NewFaults(d, lib, list)
	if err != nil {
		t.Fatal(err)
	}
	ports := []string{"high_o", "word_o"}
	for _, p := range ports {
		f.Observe(p, 0, 1, guard)
	}
	done := map[int]bool{}
	for cycle := range 16 {
		s.Eval()
		f.sim.Eval()
		var want []int
		for k := range list {
			for _, p := range ports {
				var v, g [Lanes]uint64
				if err := s.Output(p, 0, &v); err != nil {
					t.Fatal(err)
				}
				if guard != "" {
					if err := s.Output(guard, 0, &g); err != nil {
						t.Fatal(err)
					}
				}
				if (v[0]^v[k+1])&1 != 0 && !done[k] && (guard == "" || g[0] != 0) {
					done[k] = true
					want = append(want, k)
				}
			}
		}
		if got := f.Clock(^uint64(0)); !slices.Equal(got, want) {
			t.Errorf("cycle %d shows %v, want %v", cycle, got, want)
		}
		s.Clock()
		cycles += len(f.Live)
	}
	if len(done) == 0 || len(done) == len(list) || len(f.Live) != len(list)-len(done) {
		t.Errorf("%d of %d faults show, %d are left", len(done), len(list), len(f.Live))
	}
	return cycles
}

func TestExpr(t *testing.T) {
	pins := []string{"A", "B", "C"}
	for _, c := range []struct {
		text  string
		table uint64 // of 8 rows
	}{
		{"A", 0xaa}, {"!A", 0x55}, {"A'", 0x55}, {"A B", 0x88}, {"A * B + C", 0xf8}, {"A & (B | C)", 0xa8}, {"A ^ B", 0x66}, {"!(A + B) * C", 0x10}, {"1", 0xff}, {"0", 0}, {"A B ^ C", 0x28},
	} {
		e, err := ParseExpr(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := e.truth(pins) & 0xff; got != c.table {
			t.Errorf("%s: truth table %#x, want %#x", c.text, got, c.table)
		}
	}
	for _, bad := range []string{"", "A +", "(A", "A)", "A $ B"} {
		if _, err := ParseExpr(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestTranspose(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var a [64]uint64
	for i := range a {
		a[i] = rng.Uint64()
	}
	b := a
	transpose(&b)
	for i := range 64 {
		for j := range 64 {
			if a[i]>>j&1 != b[j]>>i&1 {
				t.Fatalf("bit %d of word %d", j, i)
			}
		}
	}
}

// TestCellModels: the models in Verilog follow from the liberty, and refuse what they cannot be.
func TestCellModels(t *testing.T) {
	lib := testLib(t)
	for name, want := range map[string][]string{
		"AOI":   {"assign Y = ((~A1 & ~B) | (~A2 & ~B));"},
		"DFFQN": {"always @(posedge vc_clock) vc_state <= D;", "wire IQNN = vc_state;", "wire IQN = ~vc_state;"}, // starts as the register of the RTL
		"DFFR":  {"posedge vc_force0", "if (vc_force0) vc_state <= 1'b0; else vc_state <= D;", "wire vc_force0 = ~R;"},
		"DHL":   {"always @* if (vc_clock) vc_state <= D;"},
		"ICG":   {"vc_state <= CLK & (ENA);", "assign GCLK = vc_state;"},
	} {
		var text bytes.Buffer
		if err := writeCell(&text, lib.Cell(name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, w := range want {
			if !strings.Contains(text.String(), w) {
				t.Errorf("%s: no %q in\n%s", name, w, text.String())
			}
		}
	}
	c := *lib.Cell("AOI")
	c.Pins = append([]liberty.Pin(nil), c.Pins...)
	c.Pins[3].Function = ""
	if err := writeCell(&bytes.Buffer{}, &c); err == nil {
		t.Error("an output without a function is taken")
	}
}

// TestFaults: no fault leaves the function of its cell as it was.
func TestFaults(t *testing.T) {
	lib := testLib(t)
	kinds := map[string]int{}
	for _, f := range cellFaults(lib, "AOI") {
		kinds[strings.Fields(f.Kind)[0]]++
	}
	// A1 and A2 are alike, so that two pairs of pins are left; OAI has the same pins.
	if kinds["exchanged"] != 2 || kinds["inverted"] != 1 || kinds["stuck"] != 8 || kinds["function"] != 1 {
		t.Errorf("faults of AOI: %v", kinds)
	}
	for _, f := range cellFaults(lib, "DFFQN") {
		if f.Pins[0] == "CLK" {
			t.Errorf("a fault of the clock: %v", f.Kind)
		}
	}
}

// TestSetRegister: a register of the RTL is found by what yosys calls its data.
func TestSetRegister(t *testing.T) {
	lib := testLib(t)
	text := strings.Replace(counterJSON, `"netnames": {"low"`, `"netnames": {"$abc$7$flatten\\u_a.\\u_b.$0\\run_q[1:0][0]": {"hide_name": 1, "bits": [6]},
   "$abc$7$flatten\\u_a.\\u_b.$0\\run_q[1:0][1]": {"hide_name": 1, "bits": [9]}, "low"`, 1)
	d, err := Read(strings.NewReader(text), "top", Output(lib))
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSim(d, lib, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SetRegister("", "u_a.u_b.run_q", 5, 2); err != nil {
		t.Fatal(err)
	}
	s.Eval()
	var low, high [Lanes]uint64
	if err := s.Output("low_o", 0, &low); err != nil {
		t.Fatal(err)
	}
	if err := s.Output("high_o", 0, &high); err != nil {
		t.Fatal(err)
	}
	if low[5] != 0 || high[5] != 1 || high[4] != 0 || high[6] != 0 {
		t.Errorf("the register is %d%d in run 5, want 10; %d and %d beside it, want 0", high[5], low[5], high[4], high[6])
	}
	for name, value := range map[string]uint64{"u_b.run_q": 0, "u_a.u_b.run_q": 4} {
		if err := s.SetRegister("", name, 0, value); err == nil {
			t.Errorf("%s takes %d", name, value)
		}
	}
}

// partJSON has a module with three bits of input.
const partJSON = `{"modules": {
 "part": {"ports": {"x_i": {"direction": "input", "bits": [2, 3, 4]}, "y_o": {"direction": "output", "bits": [5]}},
  "cells": {"both": {"type": "NAND2", "connections": {"A": [2], "B": [3], "Y": [5]}}}, "netnames": {}},
 "top": {"ports": {"x_i": {"direction": "input", "bits": [2, 3, 4]}, "on_i": {"direction": "input", "bits": [6]}, "y_o": {"direction": "output", "bits": [5]}},
  "cells": {"u_part": {"type": "part", "connections": {"x_i": [2, 3, 4], "y_o": [5]}}}, "netnames": {}}}}`

// TestBreaks: a bound is broken in the runs whose number is beyond it.
func TestBreaks(t *testing.T) {
	lib := testLib(t)
	d, err := Read(strings.NewReader(partJSON), "top", Output(lib))
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSim(d, lib, nil)
	if err != nil {
		t.Fatal(err)
	}
	var x, on [Lanes]uint64
	for k := range x {
		x[k], on[k] = uint64(k)&7, uint64(k)>>3&1
	}
	if err := s.SetInput("x_i", 0, &x); err != nil {
		t.Fatal(err)
	}
	if err := s.SetInput("on_i", 0, &on); err != nil {
		t.Fatal(err)
	}
	s.Eval()
	for _, c := range []struct {
		bound Bound
		ok    func(x, on uint64) bool
	}{
		{Bound{Name: "x_i", Bits: 3, Max: 5}, func(x, on uint64) bool { return x <= 5 }},
		{Bound{Name: "x_i", From: 1, Bits: 2, Max: 2, Valid: "on_i"}, func(x, on uint64) bool { return on == 0 || x>>1 <= 2 }},
		{Bound{Module: "part", Name: "x_i", Bits: 3, Max: 1, Signed: true}, func(x, on uint64) bool { return x <= 1 || x >= 6 }},
	} {
		got, err := s.Breaks(&c.bound)
		if err != nil {
			t.Fatal(err)
		}
		for k := range x {
			if broken := got>>k&1 != 0; broken == c.ok(x[k], on[k]) {
				t.Errorf("%+v: %d, valid %d: broken %v", c.bound, x[k], on[k], broken)
			}
		}
	}
	for _, b := range []Bound{{Module: "other", Name: "x_i", Bits: 1}, {Name: "x_i", From: 1, Bits: 3}, {Name: "x_i", Bits: 1, Valid: "off_i"}} {
		if _, err := s.Breaks(&b); err == nil {
			t.Errorf("%+v: no error", b)
		}
	}
}
