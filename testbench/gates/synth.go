// Package gates runs mapped netlists in the benches of the RTL: yosys maps a module onto the cells of the library (synth.go), the netlist
// stands for the module in its bench, port for port against the clocked Go model (compare.go), faults of single cells ask whether the
// bench would notice (mutants.go), and counters of toggles give energy by unit (power.go).
package gates

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vcsim/internal/liberty"
	"vcsim/internal/netlist"
	"vcsim/internal/verilog"
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
	files, rtl, err := sources(root, top)
	if err != nil {
		return nil, err
	}
	script := o.script(slices.Sorted(maps.Keys(files)), top, params)
	key := fmt.Sprintf("%.16x", sha256.Sum256([]byte(script+rtl+synth.Hash)))
	n := &Netlist{Lib: lib, Source: synth, Hash: key}
	for _, p := range params {
		n.Params = append(n.Params, netlist.Param{Name: p.Name, Value: p.Value})
	}
	dir := filepath.Join(root, "out", "gates", top+"-"+key)
	file := filepath.Join(dir, "netlist.json")
	if _, err := os.Stat(file); err != nil {
		if err := os.MkdirAll(filepath.Join(dir, "rtl"), 0o777); err != nil {
			return nil, err
		}
		maps.Copy(files, map[string]string{"cells.lib": string(synth.Text), "constr.txt": "set_driving_cell BUFx2_ASAP7_75t_R\nset_load 3.898\n",
			"icg.v": gateMap, "cells.v": liberty.Techmap, "synth.ys": script})
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				return nil, err
			}
		}
		cmd := exec.Command("yosys", "-q", "synth.ys")
		cmd.Dir = dir
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

// sources returns the Verilog that a module is of, by the path below the folder of a run, and its hash. Names of yosys have the names and lines of
// files in them, and a count of all that it read: so a netlist depends on nothing but what is in it.
func sources(root, top string) (files map[string]string, hash string, err error) {
	r, err := verilog.Read(filepath.Join(root, "rtl"))
	if err != nil {
		return nil, "", err
	}
	list, hash, err := r.Closure(top)
	files = map[string]string{}
	for name, text := range list {
		files[filepath.Join("rtl", name)] = text
	}
	return files, hash, err
}

// memories are the modules that stay black boxes.
var memories = []string{"rtl/vc_ram_1r1w.v", "rtl/vc_ram_1rw.v"}

// script returns the commands of yosys for a module of some files; it runs in the folder that these are in.
func (o Options) script(files []string, top string, params testbench.Params) string {
	var s strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&s, format+"\n", args...) }
	boxes, modules := "", ""
	for _, name := range files {
		switch {
		case slices.Contains(memories, name):
			boxes += " " + name
		case filepath.Ext(name) == ".v":
			modules += " " + name
		}
	}
	if boxes != "" {
		line("read_verilog -lib%s", boxes)
	}
	line("read_verilog -defer -I rtl%s", modules)
	if o.ClockGate > 0 {
		line("read_liberty -lib -ignore_miss_func cells.lib")
	}
	for _, p := range params {
		line("chparam -set %s %d %s", p.Name, p.Value, top)
	}
	line("hierarchy -check -top %s", top)
	line("techmap -map cells.v t:vc_clock_gate; delete vc_clock_gate")
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
		line("techmap -map icg.v; clean")
	} else {
		line("dfflegalize -cell $_DFF_P_ 01 -cell $_DLATCH_P_ 01")
	}
	line("techmap -map cells.v")
	line("dfflibmap -liberty cells.lib; opt -nodffe -nosdff")
	line("abc -liberty cells.lib -constr constr.txt -script +strash;ifraig;dc2;map,-B,0.9,-D,450;topo;buffer,-c;upsize,-D,450;dnsize,-D,450;stime,-p")
	line("hilomap -singleton -hicell TIEHIx1_ASAP7_75t_R H -locell TIELOx1_ASAP7_75t_R L; clean -purge")
	line("tee -q -o stat stat -liberty cells.lib")
	line("write_json netlist.json.new")
	line("write_verilog -noattr -noexpr netlist.v")
	return s.String()
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
