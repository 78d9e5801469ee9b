// Package gates runs mapped netlists in the benches of the RTL: yosys maps a module onto the cells of the library (synth.go), the netlist
// stands for the module in its bench, port for port against the clocked Go model (compare.go), faults of single cells ask whether the
// bench would notice (mutants.go), and counters of toggles give energy by unit (power.go).
package gates

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"vcsim/internal/liberty"
	"vcsim/internal/netlist"
	"vcsim/testbench"
)

// A Netlist is a mapped module.
type Netlist struct {
	Design *netlist.Design
	Lib    *liberty.Library // with energy
	Params []netlist.Param
	Source *liberty.Source // that the cells are of
	Hash   string          // of RTL, script and cells
}

// Options say how to map.
type Options struct {
	Keep      []string // modules that stay as they are, in hierarchy, beside the top
	ClockGate int      // the least number of flip-flops behind a clock gate, 0 for none
}

// ErrCells says that there is no library with all that the run needs.
var ErrCells = errors.New("no ASAP7 liberty with internal energies: set ASAP7_LIB, or put the shared data folder beside the checkout")

// NeedCells skips the test where a tool or the cells are missing, or fails it where they are required.
func NeedCells(t testing.TB, tools ...string) {
	t.Helper()
	testbench.NeedTools(t, append(tools, "yosys")...)
	if _, err := cells(); err != nil {
		if !errors.Is(err, ErrCells) {
			t.Fatal(err)
		}
		t.Skip(err)
	}
}

// cells finds the library; a compact one has functions but no energy.
func cells() (*liberty.Source, error) {
	s, err := liberty.Power(testbench.Root())
	if err != nil {
		return nil, err
	}
	if s.Path == "" {
		return nil, ErrCells
	}
	return s, nil
}

// Synth maps a module of the RTL. Results stay in out/gates, by the hash of all that they depend on.
func Synth(top string, params testbench.Params, o Options) (*Netlist, error) {
	root := testbench.Root()
	synth, err := liberty.Synth(root)
	if err != nil {
		return nil, err
	}
	power, err := cells()
	if err != nil {
		return nil, err
	}
	lib, err := liberty.Parse(power.Path, bytes.NewReader(power.Text))
	if err != nil {
		return nil, err
	}
	folder := codec(top)
	script := o.script(folder, top, params)
	rtl, err := closure(root, folder)
	if err != nil {
		return nil, err
	}
	key := fmt.Sprintf("%.16x", sha256.Sum256([]byte(script+rtl+synth.Hash)))
	n := &Netlist{Lib: lib, Source: synth, Hash: key}
	for _, p := range params {
		n.Params = append(n.Params, netlist.Param{Name: p.Name, Value: p.Value})
	}
	dir := filepath.Join(root, "out", "gates", top+"-"+key)
	file := filepath.Join(dir, "netlist.json")
	if _, err := os.Stat(file); err != nil {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return nil, err
		}
		for name, text := range map[string][]byte{"cells.lib": synth.Text, "constr.txt": []byte("set_driving_cell BUFx2_ASAP7_75t_R\nset_load 3.898\n"),
			"icg.v": []byte(gateMap), "cells.v": []byte(liberty.Techmap), "synth.ys": []byte(strings.ReplaceAll(script, "DIR", dir))} {
			if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
				return nil, err
			}
		}
		cmd := exec.Command("yosys", "-q", filepath.Join(dir, "synth.ys"))
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("yosys: %w\n%s", err, out[max(0, len(out)-1500):])
		}
		if err := os.Rename(file+".new", file); err != nil {
			return nil, err
		}
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if n.Design, err = netlist.Read(f, top, netlist.Output(lib)); err == nil {
		n.Design.MergeGates(lib)
	}
	return n, err
}

// gateMap makes a flip-flop with an enable one behind a clock gate of its own; netlist.MergeGates
// then makes one of those with the same enable.
const gateMap = `module \$_DFFE_PP_ (input D, C, E, output Q);
  wire gclk;
  ICGx1_ASAP7_75t_R icg (.CLK(C), .ENA(E), .SE(1'b0), .GCLK(gclk));
  \$_DFF_P_ ff (.D(D), .C(gclk), .Q(Q));
endmodule
`

// codec returns the folder of the RTL that a module is in, which its name begins with.
func codec(module string) string {
	prefix, _, _ := strings.Cut(module, "_")
	return prefix
}

// script returns the commands of yosys; DIR stands for the folder of the run.
func (o Options) script(folder, top string, params testbench.Params) string {
	var s strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&s, format+"\n", args...) }
	line("read_verilog -lib rtl/common/vc_ram_1rw.v rtl/common/vc_ram_1r1w.v")
	line("read_verilog -defer -I rtl/%[1]s/gen rtl/common/vc_[acfnps]*.v rtl/common/vc_ram_ff.v rtl/common/vc_ram_latch.v rtl/common/gen/*.v rtl/%[1]s/*.v rtl/%[1]s/gen/*.v", folder)
	if o.ClockGate > 0 {
		line("read_liberty -lib -ignore_miss_func DIR/cells.lib")
	}
	for _, p := range params {
		line("chparam -set %s %d %s", p.Name, p.Value, top)
	}
	line("hierarchy -check -top %s", top)
	line("techmap -map DIR/cells.v t:vc_clock_gate; delete vc_clock_gate")
	for _, k := range o.Keep {
		line(`setattr -mod -set keep_hierarchy 1 %[1]s *\\%[1]s *\\%[1]s\\*`, k) // parameters change its name
	}
	line("proc; flatten")
	ff := "-nodffe -nosdff"
	if o.ClockGate > 0 {
		ff = "-nosdff"
	}
	line("opt %s", ff)
	if len(o.Keep) == 0 {
		line("fsm; opt %s", ff)
	}
	line("wreduce; alumacc; memory -nomap; memory_map; opt %s; techmap", ff)
	if o.ClockGate > 0 {
		line("opt %s; dfflegalize -cell $_DFF_P_ 01 -cell $_DLATCH_P_ 01 -cell $_DFFE_PP_ 01 -mince %d", ff, o.ClockGate)
		line("techmap -map DIR/icg.v; clean")
	} else {
		line("dfflegalize -cell $_DFF_P_ 01 -cell $_DLATCH_P_ 01")
	}
	line("techmap -map DIR/cells.v")
	line("dfflibmap -liberty DIR/cells.lib; opt -nodffe -nosdff")
	line("abc -liberty DIR/cells.lib -constr DIR/constr.txt -script +strash;ifraig;dc2;map,-B,0.9,-D,450;topo;buffer,-c;upsize,-D,450;dnsize,-D,450;stime,-p")
	line("hilomap -singleton -hicell TIEHIx1_ASAP7_75t_R H -locell TIELOx1_ASAP7_75t_R L; clean -purge")
	line("tee -q -o DIR/stat stat -liberty DIR/cells.lib")
	line("write_json DIR/netlist.json.new")
	line("write_verilog -noattr -noexpr DIR/netlist.v")
	return s.String()
}

// closure returns the text of the files of the RTL that a netlist of a codec may be of.
func closure(root, folder string) (string, error) {
	var all strings.Builder
	for _, pattern := range []string{"common/*.v", "common/gen/*.v", folder + "/*.v", folder + "/gen/*.v*"} {
		files, err := filepath.Glob(filepath.Join(root, "rtl", pattern))
		if err != nil {
			return "", err
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				return "", err
			}
			fmt.Fprintln(&all, filepath.Base(name))
			all.Write(text)
		}
	}
	return all.String(), nil
}

// Verilog writes the netlist with the models of its cells to a file out/gates/KEY/TOP.v and returns its path from the root.
func (n *Netlist) Verilog() (string, error) {
	var text bytes.Buffer
	if err := n.Design.Write(&text, n.Params); err != nil {
		return "", err
	}
	if err := n.Design.WriteCells(&text, n.Lib); err != nil {
		return "", err
	}
	root := testbench.Root()
	name := filepath.Join("out", "gates", fmt.Sprintf("%s-%.16x", n.Design.Top.Unit, sha256.Sum256(text.Bytes())), n.Design.Top.Unit+".v")
	path := filepath.Join(root, name)
	if have, err := os.ReadFile(path); err == nil && bytes.Equal(have, text.Bytes()) {
		return name, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return "", err
	}
	return name, os.WriteFile(path, text.Bytes(), 0o666)
}
