package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"vcsim/area"
	"vcsim/internal/liberty"
	"vcsim/internal/verilog"
)

// A flow maps points in a folder of its own.
type flow struct {
	dir string // of scripts, netlists and reports; the tools run there
	rtl *verilog.Sources

	gated bool   // the cells have a clock gate
	cells string // hash of the cells
}

// constraints are those of abc: what drives an input, and the load of an output in fF.
const constraints = "set_driving_cell BUFx2_ASAP7_75t_R\nset_load 3.898\n"

// prepare writes what all points share.
func (f *flow) prepare(source *liberty.Source) error {
	cells := source.Text
	f.gated = source.Gated()
	for _, folder := range []string{"rtl", "parts"} {
		if err := os.MkdirAll(f.path(folder), 0o755); err != nil {
			return err
		}
	}
	f.cells = source.Hash
	if err := os.WriteFile(f.path("cells.lib"), cells, 0o644); err != nil {
		return err
	}
	// Areas and states alone, which is all that mapping flip-flops and counting take, are read in no time.
	if err := os.WriteFile(f.path("areas.lib"), tables.ReplaceAll(cells, nil), 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(f.path("cells.v"), []byte(liberty.Techmap), 0o644); err != nil {
		return err
	}
	return os.WriteFile(f.path("constr.txt"), []byte(constraints), 0o644)
}

// tables are the groups of timing and energy of a pin, one level above their closing brace.
var tables = regexp.MustCompile(`(?s)\n +(?:timing|internal_power) \(\) \{.*?\n   \}`)

func (f *flow) path(name string) string { return filepath.Join(f.dir, name) }

// kept are the modules that are mapped for themselves, once for all instances.
var kept = []string{"t264_enc_lane", "t264_dec_lane"}

// parts are the modules that are mapped for themselves, in runs of their own, once for all tops that have them with the same parameters. Those
// of a pixel path know nothing of threads and frames but how many bits a tag has, so that tops that differ in these share half of it. All of them
// have registers at their borders; what mapping across these would save is lost.
var parts = []string{"t265_enc_lane", "t265_enc_pixels", "t265_mode_sums", "t265_split_size", "t265_cost", "t265_forward", "t265_inverse"}

// lanes are the parts that stay modules of their own where timing is analysed: they have no memories.
var lanes = []string{"t265_enc_lane"}

// load is the part of a script up to a flat netlist. Its statistics are of memories.
func load(p *point, files []string) string {
	var b strings.Builder
	top := p.module
	fmt.Fprintf(&b, "read_verilog -I rtl %s\n", strings.Join(files, " "))
	for word := range strings.FieldsSeq(p.params) {
		name, value, _ := strings.Cut(word, "=")
		fmt.Fprintf(&b, "chparam -set %s %s %s\n", name, value, top)
	}
	fmt.Fprintf(&b, "hierarchy -check -top %s\n", top)
	if latches(files) {
		b.WriteString("read_liberty -lib -ignore_miss_func areas.lib\ntechmap -map cells.v t:vc_clock_gate; delete vc_clock_gate\n")
	}
	for _, k := range kept {
		if k != top {
			fmt.Fprintf(&b, "setattr -mod -set keep_hierarchy 1 *%s\n", k)
		}
	}
	for _, k := range parts {
		if p.assembled() && k != top && slices.Contains(files, filepath.Join("rtl", k+".v")) { // the name alone, or with parameters or their hash
			fmt.Fprintf(&b, "setattr -mod -set keep_hierarchy 1 %[1]s *?%[1]s *?%[1]s?*=*\n", k)
		}
	}
	b.WriteString(`setattr -mod -set keep_hierarchy 1 *vc_ram_1r*
proc; flatten
tee -q -o rams stat
`)
	return b.String()
}

// latches tells whether sources have any, behind clock gates.
func latches(files []string) bool {
	return slices.Contains(files, filepath.Join("rtl", "vc_clock_gate.v"))
}

// mapping is the part of a script from a flat netlist to cells.
func mapping(top string, targetPS int, files []string) string {
	fsm := "fsm; opt -nodffe -nosdff;"
	if top != "vc_arbiter" && slices.Contains(files, filepath.Join("rtl", "vc_arbiter.v")) {
		fsm = "" // its search for state machines tries all requests of an arbiter of lanes: 2^18 for 18
	}
	state := "dfflegalize -cell $_DFF_P_ 01"
	if latches(files) {
		state += " -cell $_DLATCH_P_ 01\ntechmap -map cells.v"
	}
	return fmt.Sprintf(`opt -nodffe -nosdff; %s wreduce; alumacc
memory -nomap; memory_map; opt -nodffe -nosdff; techmap; %s
dfflibmap -liberty areas.lib; opt
abc -liberty cells.lib -constr constr.txt -script +strash;ifraig;dc2;map,-B,0.9,-D,%[3]d;topo;buffer,-c;upsize,-D,%[3]d;dnsize,-D,%[3]d;stime,-p
hilomap -singleton -hicell TIEHIx1_ASAP7_75t_R H -locell TIELOx1_ASAP7_75t_R L; clean -purge
`, fsm, state, targetPS)
}

// evert makes memories ports of the top, their names with a dot in them.
func evert(top string) string {
	return fmt.Sprintf("cd %s; expose -evert t:*vc_ram_1r*; cd; delete =*vc_ram_1r*\n", top)
}

// count and finish write statistics with areas, and the netlist.
func count(top string) string {
	return fmt.Sprintf("tee -q -o stat stat -top %s -liberty areas.lib\n", top)
}

const finish = "splitnets; clean -purge\nwrite_verilog -noattr -noexpr -simple-lhs gates.v\n"

// script is that of yosys for a point without parts.
func script(p *point, files []string) string {
	return load(p, files) + evert(p.module) + mapping(p.module, p.targetPS, files) + count(p.module) + finish
}

// A part is a module with its parameters that is mapped in a run of its own.
type part struct {
	name string // of yosys, which has the parameters in it, or their hash
	file string // of the netlist
}

// selection is the name as a pattern of yosys, in which a backslash has another meaning; blackboxes are asked for with = before it.
func (p *part) selection() string { return strings.ReplaceAll(p.name, `\`, "?") }

// partsOf lists the parts in the names of the modules of a flat netlist.
func partsOf(ls, top string) (list []part) {
	for name := range strings.FieldsSeq(ls) {
		if b := base(name); b != top && slices.Contains(parts, b) {
			list = append(list, part{name: name})
		}
	}
	return list
}

// box makes black boxes of memories, and of those parts whose sources are among the files.
func box(list []part, files []string) string {
	var b strings.Builder
	for i := range list {
		if slices.Contains(files, filepath.Join("rtl", base(list[i].name)+".v")) {
			fmt.Fprintf(&b, "setattr -mod -set blackbox 1 %s\n", list[i].selection())
		}
	}
	b.WriteString("setattr -mod -set blackbox 1 *vc_ram_1r*\n")
	return b.String()
}

const libraryAndTop = "read_liberty -lib -ignore_miss_func areas.lib\nread_rtlil top.il\n"

// mapPart has yosys map part i of a list, and sets its file, unless that is there.
func (f *flow) mapPart(ctx context.Context, list []part, i, targetPS int) error {
	module := base(list[i].name)
	below, hash, err := f.rtl.Closure(module)
	if err != nil {
		return err
	}
	delete(below, module+".v")
	var names []string
	for name := range below {
		names = append(names, filepath.Join("rtl", name))
	}
	text := libraryAndTop + box(list, names) + fmt.Sprintf("hierarchy -top %s\n", list[i].name) + mapping(module, targetPS, names)
	file := fmt.Sprintf("%s-%.8x", module, sha256.Sum256([]byte(text+hash+f.cells)))
	list[i].file = filepath.Join("parts", file+".il")
	if _, err := os.Stat(f.path(list[i].file)); err == nil {
		return nil
	}
	text += fmt.Sprintf("select %s\nwrite_rtlil -selected %s.il\n", list[i].selection(), file)
	if err := f.call(ctx, "yosys", file+".ys", text, "-q"); err != nil {
		return err
	}
	return os.Rename(f.path(file+".il"), f.path(list[i].file))
}

// mapParts has yosys map a point whose parts are mapped for themselves, several at a time. What is there of an earlier run is taken.
func (f *flow) mapParts(ctx context.Context, p *point, files []string) error {
	if err := f.call(ctx, "yosys", "load.ys", load(p, files)+"tee -q -o modules ls\nwrite_rtlil top.il\n", "-q"); err != nil {
		return err
	}
	ls, err := os.ReadFile(f.path("modules"))
	if err != nil {
		return err
	}
	list := partsOf(string(ls), p.module)
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	errs := make([]error, len(list))
	var all sync.WaitGroup
	for i := range list {
		all.Go(func() {
			free <- struct{}{}
			errs[i] = f.mapPart(ctx, list, i, p.targetPS)
			<-free
		})
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString(libraryAndTop + box(list, files) + mapping(p.module, p.targetPS, files))
	for i := range list {
		fmt.Fprintf(&b, "delete =%s\nread_rtlil %s\n", list[i].selection(), list[i].file)
	}
	b.WriteString(count(p.module))
	for i := range list {
		if !slices.Contains(lanes, base(list[i].name)) {
			fmt.Fprintf(&b, "setattr -mod -unset keep_hierarchy %s\n", list[i].selection())
		}
	}
	fmt.Fprintf(&b, "setattr -mod -unset top *\nsetattr -mod -set top 1 %s\nflatten\n", p.module) // each part was one
	b.WriteString(evert(p.module) + finish)
	return f.call(ctx, "yosys", "synth.ys", b.String(), "-q")
}

// periodPS is the clock of the analysis of timing; what is left of it tells the path.
const periodPS = 10000

// timing is the script of OpenSTA: the longest path to flip-flops and clock gates, which may lead through an open latch, to a latch, which
// has to be there before the clock falls, and from or to a memory.
func timing(p *point) string {
	return fmt.Sprintf(`read_liberty cells.lib
read_verilog timing.v
link_design %s
create_clock -name clk -period %d [get_ports clk_i]
puts "registers"
set gates [get_pins -quiet -hierarchical *ENA]
set latches [all_registers -level_sensitive -data_pins]
report_checks -path_delay max -digits 2 -to [all_registers -edge_triggered -data_pins]
if {[llength $gates] > 0} { report_checks -path_delay max -digits 2 -to $gates }
puts "latches"
if {[llength $latches] > 0} { report_checks -path_delay max -digits 2 -to $latches }
puts "memories"
set into {we_i waddr_i wdata_i re_i raddr_i en_i addr_i}
set words [get_ports -quiet *.rdata_o*]
if {[llength $words] > 0} {
  set_input_delay %d -clock clk $words
  foreach port $into { catch { set_output_delay %d -clock clk [get_ports -quiet *.$port*] } }
  report_checks -path_delay max -digits 2 -from $words
  foreach port $into { catch { report_checks -path_delay max -digits 2 -to [get_ports -quiet *.$port*] } }
}
exit
`, p.module, periodPS, area.AccessPS, area.SetupPS)
}

// run maps a point and reads what came of it.
func (f *flow) run(ctx context.Context, p *point) (area.Row, error) {
	row := area.Row{Module: p.module, Params: p.params, TargetPS: p.targetPS}
	files, hash, err := f.rtl.Closure(p.module)
	if err != nil {
		return row, err
	}
	row.RTL = hash
	if _, ok := files["vc_clock_gate.v"]; ok && !f.gated {
		return row, fmt.Errorf("it has latches behind clock gates, and the liberty no cell for these")
	}
	var names []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		name, text := filepath.Join("rtl", name), files[name]
		if strings.HasSuffix(name, ".v") {
			names = append(names, name)
		}
		if err := os.WriteFile(f.path(name), []byte(text), 0o644); err != nil {
			return row, err
		}
	}
	if p.assembled() {
		err = f.mapParts(ctx, p, names)
	} else {
		err = f.call(ctx, "yosys", "synth.ys", script(p, names), "-q")
	}
	if err != nil {
		return row, err
	}
	stat, err := os.ReadFile(f.path("stat"))
	if err != nil {
		return row, err
	}
	if err := cells(string(stat), &row); err != nil {
		return row, err
	}
	rams, err := os.ReadFile(f.path("rams"))
	if err != nil {
		return row, err
	}
	if row.SRAM1, row.SRAM2, err = memories(string(rams), p.module); err != nil {
		return row, err
	}
	netlist, err := os.ReadFile(f.path("gates.v"))
	if err != nil {
		return row, err
	}
	if err := os.WriteFile(f.path("timing.v"), inName.ReplaceAll(netlist, []byte("_${1}_.")), 0o644); err != nil {
		return row, err
	}
	if err := f.call(ctx, "sta", "timing.tcl", timing(p), "-exit"); err != nil {
		return row, err
	}
	report, err := os.ReadFile(f.path("timing.tcl.log"))
	if err != nil {
		return row, err
	}
	row.PathPS, row.MemoryPS = paths(string(report))
	return row, nil
}

// call writes a script and has a tool run it; what the tool says goes into a file beside it.
func (f *flow) call(ctx context.Context, tool, name, script string, flags ...string) error {
	if err := os.WriteFile(f.path(name), []byte(script), 0o644); err != nil {
		return err
	}
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, tool, append(flags, name)...)
	cmd.Dir = f.dir
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if e := os.WriteFile(f.path(name+".log"), out.Bytes(), 0o644); e != nil && err == nil {
		err = e
	}
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("%s: %w: %s", tool, err, lastLine(out.String()))
	}
	return nil
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

// hierarchyLine begins the statistics of all modules together.
const hierarchyLine = "=== design hierarchy"

var (
	moduleLine = regexp.MustCompile(`^=== (\S+) ===`)
	areaLine   = regexp.MustCompile(`Chip area for (?:top )?module '\\?(\S+)': ([0-9.]+)`)
	cellLine   = regexp.MustCompile(`^\s+(\S+)\s+(\d+)$`)
	bitsLine   = regexp.MustCompile(`Number of memory bits:\s+(\d+)`)
	borrowLine = regexp.MustCompile(`(?m)^actual time borrow\s+([0-9.]+)$`)
	setupLine  = regexp.MustCompile(`(?m)^library setup time\s+-([0-9.]+)$`)
	slackLine  = regexp.MustCompile(`(?m)^\s*(-?[0-9.]+)\s+slack`)
)

// base is the module that a name of yosys stands for: $paramod$hash\name, or $paramod\name\Parameter=value.
func base(name string) string {
	parts := strings.Split(strings.TrimPrefix(name, "\\"), "\\")
	if len(parts) > 1 && strings.HasPrefix(parts[0], "$paramod") {
		return parts[1]
	}
	return parts[0]
}

// flopUM2 are the areas of the state cells that the mapping may use, flip-flops and latches.
var flopUM2 = map[string]float64{"DFFHQNx1_ASAP7_75t_R": .2916, "DHLx1_ASAP7_75t_R": .2187}

// cells reads the statistics of yosys with areas.
func cells(stat string, row *area.Row) error {
	module, hierarchy := "", false
	modules := map[string]map[string]int{} // cells by module

	areas := map[string]float64{}
	for line := range strings.Lines(stat) {
		line = strings.TrimRight(line, "\n")
		if m := moduleLine.FindStringSubmatch(line); m != nil {
			module = m[1]
			modules[module] = map[string]int{}
		}
		if strings.HasPrefix(line, hierarchyLine) {
			hierarchy = true
		}
		if hierarchy {
			if m := areaLine.FindStringSubmatch(line); m != nil {
				row.UM2, _ = strconv.ParseFloat(m[2], 64) // the pattern is that of a number
			}
			continue
		}
		if m := areaLine.FindStringSubmatch(line); m != nil {
			areas[module], _ = strconv.ParseFloat(m[2], 64)
		}
		if m := cellLine.FindStringSubmatch(line); m != nil && module != "" {
			n, _ := strconv.Atoi(m[2])
			modules[module][m[1]] += n
		}
	}
	var add func(name string, n int) error
	add = func(name string, n int) error {
		for cell, count := range modules[name] {
			if modules[cell] != nil {
				row.Parts = append(row.Parts, area.Part{Module: base(cell), Count: n * count, UM2: areas[cell]})
				if err := add(cell, n*count); err != nil {
					return err
				}
				continue
			}
			if strings.HasPrefix(cell, "DFF") || strings.HasPrefix(cell, "DHL") || strings.HasPrefix(cell, "DLL") {
				one, ok := flopUM2[cell]
				if !ok {
					return fmt.Errorf("%s: no area of this state cell is known", cell)
				}
				row.Flops += n * count
				row.FlopUM2 += one * float64(n*count)
			}
		}
		return nil
	}
	if modules[row.Module] == nil {
		return fmt.Errorf("yosys says nothing on %s", row.Module)
	}
	if err := add(row.Module, 1); err != nil {
		return err
	}
	if row.UM2 == 0 {
		row.UM2 = areas[row.Module]
	}
	row.UM2, row.FlopUM2 = round(row.UM2), round(row.FlopUM2)
	for i := range row.Parts {
		row.Parts[i].UM2 = round(row.Parts[i].UM2)
	}
	return nil
}

// round keeps five digits behind the point, as cells have them.
func round(v float64) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'f', 5, 64), 64)
	return r
}

// memories adds up the bits of the memories of a top and of what is not flattened in it, by ports.
func memories(stat, top string) (one, two int, err error) {
	bits, count := map[string]int{}, map[string]map[string]int{} // cells by module
	module := ""
	for line := range strings.Lines(stat) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, hierarchyLine) {
			break // sums of what came before
		}
		if m := moduleLine.FindStringSubmatch(line); m != nil {
			module = m[1]
			count[module] = map[string]int{}
		} else if m := bitsLine.FindStringSubmatch(line); m != nil {
			bits[module], _ = strconv.Atoi(m[1])
		} else if m := cellLine.FindStringSubmatch(line); m != nil && module != "" {
			count[module][m[1]], _ = strconv.Atoi(m[2])
		}
	}
	var add func(module string, instances int) error
	add = func(module string, instances int) error {
		for name, n := range count[module] {
			n *= instances
			switch base(name) {
			case "vc_ram_1r1w", "vc_ram_1rw":
				if bits[name] == 0 {
					return fmt.Errorf("yosys says nothing on the bits of %s", name)
				}
				if base(name) == "vc_ram_1r1w" {
					two += n * bits[name]
				} else {
					one += n * bits[name]
				}
			default:
				if err := add(name, n); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return one, two, add(top, 1)
}

// inName is an index inside the name of a port, which OpenSTA takes for a bit of one.
var inName = regexp.MustCompile(`\[(\d+)\]\.`)

// paths reads the longest path between registers and the longest of a memory from what OpenSTA reported, in ps; 0 without one. A path to a
// latch has half a cycle, so that it counts twice.
func paths(report string) (registers, memory float64) {
	first, second, _ := strings.Cut(report, "memories\n")
	first, latches, _ := strings.Cut(first, "latches\n")
	longest := func(text string) (ps float64) {
		for _, m := range slackLine.FindAllStringSubmatch(text, -1) {
			slack, err := strconv.ParseFloat(m[1], 64)
			if err == nil {
				ps = max(ps, periodPS-slack)
			}
		}
		return round(ps)
	}
	registers = longest(first)
	if borrow, setup := borrowLine.FindStringSubmatch(latches), setupLine.FindStringSubmatch(latches); borrow != nil && setup != nil {
		late, _ := strconv.ParseFloat(borrow[1], 64) // the patterns are those of numbers
		before, _ := strconv.ParseFloat(setup[1], 64)
		registers = max(registers, round(2*(late+before)))
	}
	return registers, longest(second)
}

// versions are those of the tools.
func versions(ctx context.Context) (yosys, sta string, err error) {
	out, err := exec.CommandContext(ctx, "yosys", "-V").Output()
	if err != nil {
		return "", "", fmt.Errorf("yosys: %w", err)
	}
	if f := strings.Fields(string(out)); len(f) > 1 {
		yosys = f[0] + " " + f[1]
	}
	out, err = exec.CommandContext(ctx, "sta", "-version").Output()
	if err != nil {
		return "", "", fmt.Errorf("sta: %w", err)
	}
	return yosys, "OpenSTA " + strings.TrimSpace(string(out)), nil
}
