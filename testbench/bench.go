// Package testbench drives a Go unit and its Verilated twin with one stimulus
// and compares every output port in every cycle. The twin runs in a process of
// its own, in batches of records over stdin and stdout (harness.hpp).
package testbench

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A Port is a port of the module under test, of at most 64 bits.
type Port struct {
	Name string
	Bits int
	// Guard names the valid that a data output belongs to. Before it was high
	// for the first time the data has no value, unless registers start at zero.
	Guard string
	// Loose data has a value while its valid is high alone, and is compared then:
	// no register holds it, which is there for the next word already.
	Loose bool
}

func (p Port) size() int {
	switch {
	case p.Bits <= 8:
		return 1
	case p.Bits <= 16:
		return 2
	case p.Bits <= 32:
		return 4
	}
	return 8
}

// Wide returns a port of more than 64 bits as ports of 64 bits, the lowest first.
// The number of words of 32 bits is the same for all parameter sets.
func Wide(name string, bits int, guard string) []Port {
	var ports []Port
	for i := 0; bits > 0; i++ {
		p := Port{Name: fmt.Sprintf("%s.%d", name, i), Bits: 32, Guard: guard}
		if bits > 32 {
			p.Bits = 64
		}
		ports = append(ports, p)
		bits -= 64
	}
	return ports
}

// A Model is the Go unit with the stimulus around it.
type Model interface {
	// Cycle runs one cycle. It sets in to the inputs of the unit and out to
	// its outputs, port by port in the order of the Unit.
	Cycle(in, out []uint64)
}

// A Finite model has an end, such as that of its data.
type Finite interface {
	Model
	// Done returns whether all is over, and what is wrong with it.
	Done() (bool, error)
}

// A Unit is one module with its twin in Go.
type Unit struct {
	Top     string
	Source  string // Verilog file, from the root
	Binding string // C++ file, from the root
	In, Out []Port
	// FromZero keeps registers from starting at random values: a memory has no
	// reset.
	FromZero bool
	// CoverCycles is the length of each run for coverage, 0 for 32 Ki. The
	// build for coverage is slow: some 100 us a cycle for a large module.
	CoverCycles int
	// Cover is the number of parameter sets that coverage is counted in, the
	// first ones; 0 stands for all, -1 for none: the benches of all parts of the
	// module count it. Builds of large modules with coverage are slow.
	Cover int
	// Lines leaves toggles out of the coverage: their points make the C++ of a
	// large module eight times as long.
	Lines bool
}

// A Stall says which side of a unit pauses.
type Stall struct{ Idle, Back bool }

func (s Stall) String() string {
	switch s {
	case Stall{}:
		return "none"
	case Stall{Idle: true}:
		return "idle"
	case Stall{Back: true}:
		return "back"
	}
	return "both"
}

// Stalls are the four patterns that every unit runs under.
var Stalls = []Stall{{}, {Idle: true}, {Back: true}, {Idle: true, Back: true}}

// A Set is one parameter set of a unit with its model.
type Set struct {
	Params Params
	Model  func(stall Stall, seed uint64) Model
	// Width is the number of bits of a port under these parameters where it
	// differs from that of the Unit.
	Width map[string]int
}

const batch = 4096 // cycles

// Cosim compares the sets of a unit under the four patterns. Of the asked
// cycles for the whole unit a short run does one in twenty, of the first set;
// where everything is asked for, all run with eight seeds.
func Cosim(t *testing.T, u Unit, sets []Set, cycles int) {
	NeedTools(t, "verilator", "g++", "ar")
	if len(sets) < 3 {
		t.Fatalf("%s: %d parameter sets, want 3 or more", u.Top, len(sets))
	}
	row := Row{Unit: u.Top, Sets: len(sets)}
	rounds := 1
	switch {
	case All():
		rounds = 8
	case !Full():
		sets, cycles = sets[:1], cycles/20
	}
	each := (cycles/(len(sets)*len(Stalls)) + batch) / batch * batch
	for i, set := range sets {
		b := u.build(set, fast)
		exe, err := b.make()
		if err != nil {
			t.Fatal(err)
		}
		for j, stall := range Stalls {
			name := strings.ReplaceAll(fmt.Sprintf("%s/%s", set.Params, stall), " ", ",")
			t.Run(name, func(t *testing.T) {
				for round := range rounds {
					seed := uint64(1000*round + i*len(Stalls) + j)
					n, err := u.compare(exe, set, stall, seed, each, u.Registers(round*len(sets)+i, j))
					row.Cycles += n
					if err != nil {
						row.Mismatches++
						t.Error(err)
					}
				}
			})
		}
	}
	if Full() {
		if u.Cover > 0 {
			sets = sets[:u.Cover]
		}
		if u.Cover >= 0 && rowsFile() != "" {
			if err := row.cover(u, sets); err != nil {
				t.Error(err)
			}
		}
		if err := row.save(); err != nil {
			t.Error(err)
		}
	}
}

// Registers returns the --seed of the harness for a set and a pattern: of the
// patterns two start from zero, one from all ones, one from random values. What
// a missing reset leaves behind shows.
func (u Unit) Registers(set, pattern int) int {
	switch {
	case u.FromZero || pattern%2 == 0:
		return 0
	case pattern == 1:
		return 1
	}
	return 2 + set
}

// Replay compares a set of a unit under the given patterns until its Finite
// model is done, at most limit cycles. The row of the table is called name.
func Replay(t *testing.T, u Unit, set Set, name string, stalls []Stall, limit int) {
	NeedTools(t, "verilator", "g++", "ar")
	row := Row{Unit: name, Sets: 1}
	exe, err := u.build(set, fast).make()
	if err != nil {
		t.Fatal(err)
	}
	for j, stall := range stalls {
		t.Run(stall.String(), func(t *testing.T) {
			var m Finite
			kept := set
			kept.Model = func(stall Stall, seed uint64) Model {
				m = set.Model(stall, seed).(Finite)
				return m
			}
			n, err := u.compare(exe, kept, stall, uint64(j), limit, u.Registers(0, j))
			row.Cycles += n
			if err != nil {
				row.Mismatches++
				t.Fatal(err)
			}
			if done, err := m.Done(); !done || err != nil {
				t.Errorf("after %d cycles: done: %t, %v", n, done, err)
			}
		})
	}
	if Full() {
		if err := row.save(); err != nil {
			t.Error(err)
		}
	}
}

// Compare compares one set of a unit under the four patterns, for cycles in all.
// The row of the table is called name.
func Compare(t *testing.T, u Unit, set Set, name string, cycles int) {
	NeedTools(t, "verilator", "g++", "ar")
	row := Row{Unit: name, Sets: 1}
	exe, err := u.build(set, fast).make()
	if err != nil {
		t.Fatal(err)
	}
	for j, stall := range Stalls {
		t.Run(stall.String(), func(t *testing.T) {
			n, err := u.compare(exe, set, stall, uint64(j), (cycles/len(Stalls)+batch)/batch*batch, u.Registers(0, j))
			row.Cycles += n
			if err != nil {
				row.Mismatches++
				t.Error(err)
			}
		})
	}
	if Full() {
		if err := row.save(); err != nil {
			t.Error(err)
		}
	}
}

func (u Unit) build(set Set, v variant) build {
	root := Root()
	return build{top: u.Top, sources: []string{filepath.Join(root, u.Source)}, binding: filepath.Join(root, u.Binding), params: set.Params, variant: v}
}

// Mutated builds the bench of a unit with files that stand for the modules of their
// names and returns the path of the executable; vc_mutant chooses what these modules
// do.
func (u Unit) Mutated(set Set, files ...string) (string, error) {
	b := u.build(set, mutated)
	for _, file := range files {
		if filepath.Base(file) == filepath.Base(u.Source) {
			b.sources[0] = file
		} else {
			b.sources = append(b.sources, file)
		}
	}
	return b.make()
}

// With returns the ports with the widths of a set.
func (s Set) With(ports []Port) []Port {
	out := append([]Port(nil), ports...)
	for i := range out {
		if w, ok := s.Width[out[i].Name]; ok {
			out[i].Bits = w
		}
	}
	return out
}

// A process is a running bench.
type process struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout *bufio.Reader
	stderr bytes.Buffer
}

func start(exe string, args ...string) (*process, string, error) {
	p := &process{cmd: exec.Command(exe, args...)}
	p.cmd.Stderr = &p.stderr
	var err error
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		return nil, "", err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, "", err
	}
	p.stdout = bufio.NewReaderSize(out, 1<<16)
	if err := p.cmd.Start(); err != nil {
		return nil, "", err
	}
	ports, err := p.stdout.ReadString('\n')
	if err != nil {
		return nil, "", p.failed(err)
	}
	return p, ports, nil
}

func (p *process) failed(err error) error {
	p.stdin.Close()
	p.cmd.Process.Kill()
	p.cmd.Wait()
	return fmt.Errorf("bench: %w %s", err, p.stderr.String())
}

// run sends the inputs of n cycles and reads their outputs.
func (p *process) run(n int, in, out []byte) error {
	var head [4]byte
	binary.LittleEndian.PutUint32(head[:], uint32(n))
	if _, err := p.stdin.Write(append(head[:], in...)); err != nil {
		return p.failed(err)
	}
	if _, err := io.ReadFull(p.stdout, out); err != nil {
		return p.failed(err)
	}
	return nil
}

func (p *process) close() error {
	p.stdin.Write(make([]byte, 4))
	p.stdin.Close()
	io.Copy(io.Discard, p.stdout)
	if err := p.cmd.Wait(); err != nil {
		return fmt.Errorf("bench: %w %s", err, p.stderr.String())
	}
	return nil
}

func portLine(in, out []Port) string {
	var s strings.Builder
	for _, p := range in {
		fmt.Fprintf(&s, "in:%s:%d ", p.Name, p.size())
	}
	for _, p := range out {
		fmt.Fprintf(&s, "out:%s:%d ", p.Name, p.size())
	}
	return s.String() + "\n"
}

// A Recording holds the port values of a run of a Model, in the records of the
// harness.
type Recording struct {
	in, out  []Port
	guard    []int // as in comparer
	inBytes  []byte
	outBytes []byte
	values   []uint64
}

// NewRecording returns the recording of a unit with the ports of a set, without
// a cycle yet.
func NewRecording(u Unit, set Set) *Recording {
	r := &Recording{in: set.With(u.In), out: set.With(u.Out)}
	r.guard = guards(r.out)
	r.values = make([]uint64, len(r.in)+len(r.out))
	return r
}

// Record adds n cycles of the model.
func (r *Recording) Record(m Model, n int) {
	in, out := r.values[:len(r.in)], r.values[len(r.in):]
	for range n {
		m.Cycle(in, out)
		for i, p := range r.in {
			r.inBytes = appendValue(r.inBytes, in[i], p.size())
		}
		for i, p := range r.out {
			v := out[i]
			if p.Loose && out[r.guard[i]] == 0 {
				v = 0
			}
			r.outBytes = appendValue(r.outBytes, v, p.size())
		}
	}
}

func appendValue(b []byte, v uint64, size int) []byte {
	var full [8]byte
	binary.LittleEndian.PutUint64(full[:], v)
	return append(b, full[:size]...)
}

func recordSize(ports []Port) (n int) {
	for _, p := range ports {
		n += p.size()
	}
	return n
}

// compare runs model and RTL for n cycles. It returns the number of cycles
// compared and the first difference.
func (u Unit) compare(exe string, set Set, stall Stall, seed uint64, n, rtlSeed int) (int, error) {
	rec := NewRecording(u, set)
	m := set.Model(stall, seed)
	p, ports, err := start(exe, "--seed", strconv.Itoa(rtlSeed))
	if err != nil {
		return 0, err
	}
	if want := portLine(rec.in, rec.out); ports != want {
		return 0, p.failed(fmt.Errorf("ports of the module:\n%sports of the unit:\n%s", ports, want))
	}
	cmp := newComparer(rec.out, rtlSeed != 0)
	var history []byte
	got := make([]byte, batch*recordSize(rec.out))
	for done := 0; done < n; done += batch {
		if f, ok := m.(Finite); ok {
			if over, _ := f.Done(); over {
				return done, p.close()
			}
		}
		rec.inBytes, rec.outBytes = rec.inBytes[:0], rec.outBytes[:0]
		rec.Record(m, batch)
		if err := p.run(batch, rec.inBytes, got); err != nil {
			return done, fmt.Errorf("cycle %d to %d: %w", done, done+batch, err)
		}
		history = append(history, rec.inBytes...)
		if cycle, diff := cmp.compare(rec.outBytes, got); diff != "" {
			p.close()
			return done + cycle, fmt.Errorf("cycle %d: %s%s", done+cycle, diff, u.waveform(set, stall, history, done+cycle, rtlSeed))
		}
	}
	return n, p.close()
}

// Differs reports whether a mutant differs from the recording within cycles,
// with registers that start as the seed of the harness says. Most do early.
func (r *Recording) Differs(exe string, mutant, seed, cycles int) (bool, error) {
	p, _, err := start(exe, "--mutant", strconv.Itoa(mutant), "--seed", strconv.Itoa(seed))
	if err != nil {
		return false, err
	}
	cmp := newComparer(r.out, seed != 0)
	in, out := recordSize(r.in), recordSize(r.out)
	got := make([]byte, cycles*out)
	for from, to := 0, min(512, cycles); from < cycles; from, to = to, min(4*to, cycles) {
		part := got[from*out : to*out]
		if err := p.run(to-from, r.inBytes[from*in:to*in], part); err != nil {
			return false, err
		}
		if _, diff := cmp.compare(r.outBytes[from*out:to*out], part); diff != "" {
			return true, p.close()
		}
	}
	return false, p.close()
}

// A comparer compares batches of output records.
type comparer struct {
	ports []Port
	guard []int // index of the valid of a data port, -1 for none
	seen  []bool
	size  int
	exact bool // nothing is left out any more
	loose []span
}

// A span is where a loose port is in a record, and where its valid, of one byte, is.
type span struct{ at, size, guard int }

// guards returns the index of the valid that each port belongs to, -1 for none.
func guards(ports []Port) (list []int) {
	for _, p := range ports {
		g := -1
		for j, q := range ports {
			if p.Guard != "" && q.Name == p.Guard {
				g = j
			}
		}
		if p.Guard != "" && g < 0 || p.Loose && g < 0 {
			panic("testbench: port " + p.Name + " is guarded by " + p.Guard + ", which is no output")
		}
		list = append(list, g)
	}
	return list
}

func newComparer(ports []Port, random bool) *comparer {
	c := &comparer{ports: ports, seen: make([]bool, len(ports)), size: recordSize(ports), exact: !random, guard: guards(ports)}
	at := 0
	for i, p := range ports {
		if p.Loose {
			c.loose = append(c.loose, span{at, p.size(), recordSize(ports[:c.guard[i]])})
		}
		at += p.size()
	}
	return c
}

// clearLoose sets the loose ports of the records to zero where they have no value.
func (c *comparer) clearLoose(got []byte) {
	if len(c.loose) == 0 {
		return
	}
	for ; len(got) >= c.size; got = got[c.size:] {
		for _, s := range c.loose {
			if got[s.guard] == 0 {
				clear(got[s.at : s.at+s.size])
			}
		}
	}
}

// compare returns the first cycle of the batch that differs, and how.
func (c *comparer) compare(want, got []byte) (int, string) {
	c.clearLoose(got)
	if c.exact && bytes.Equal(want, got) {
		return 0, ""
	}
	values := make([]uint64, len(c.ports))
	for cycle := 0; cycle*c.size < len(want); cycle++ {
		w, g := want[cycle*c.size:(cycle+1)*c.size], got[cycle*c.size:(cycle+1)*c.size]
		var diffs []string
		off := 0
		for i, p := range c.ports {
			values[i] = value(w[off:], p.size())
			off += p.size()
		}
		off = 0
		all := true
		for i, p := range c.ports {
			have := value(g[off:], p.size())
			off += p.size()
			if j := c.guard[i]; j >= 0 && !c.exact && !c.seen[i] {
				if values[j] == 0 {
					all = false
					continue
				}
				c.seen[i] = true
			}
			if have != values[i] {
				diffs = append(diffs, fmt.Sprintf("%s: Go %#x, Verilog %#x", p.Name, values[i], have))
			}
		}
		if all {
			c.exact = true
		}
		if diffs != nil {
			return cycle, strings.Join(diffs, "; ")
		}
	}
	return 0, ""
}

func value(b []byte, size int) uint64 {
	var full [8]byte
	copy(full[:], b[:size])
	return binary.LittleEndian.Uint64(full[:])
}

// waveform repeats a run up to shortly after a difference with a dump of the
// cycles around it, and says where the dump is.
func (u Unit) waveform(set Set, stall Stall, history []byte, cycle, rtlSeed int) string {
	exe, err := u.build(set, traced).make()
	if err != nil {
		return fmt.Sprintf(" (no waveform: %v)", err)
	}
	size := recordSize(set.With(u.In))
	outSize := recordSize(set.With(u.Out))
	name := filepath.Join(Root(), "out", "cosim", strings.NewReplacer(" ", "_", "=", "").Replace(fmt.Sprintf("%s-%s-%s.vcd", u.Top, set.Params, stall)))
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return fmt.Sprintf(" (no waveform: %v)", err)
	}
	p, _, err := start(exe, "--seed", strconv.Itoa(rtlSeed), "--trace", name, strconv.Itoa(max(0, cycle-200)), strconv.Itoa(cycle+20))
	if err != nil {
		return fmt.Sprintf(" (no waveform: %v)", err)
	}
	out := make([]byte, batch*outSize)
	for len(history) > 0 {
		n := min(batch, len(history)/size)
		if err := p.run(n, history[:n*size], out[:n*outSize]); err != nil {
			return fmt.Sprintf(" (no waveform: %v)", err)
		}
		history = history[n*size:]
	}
	if err := p.close(); err != nil {
		return fmt.Sprintf(" (no waveform: %v)", err)
	}
	return "; waveform in " + name
}

// Time returns the nanoseconds that a cycle of the Verilated module takes on n
// cycles of stimulus of the model, repeated in its process without pipes in
// between.
func (u Unit) Time(set Set, stall Stall, seed uint64, n, repeat int) (float64, error) {
	exe, err := u.build(set, timed).make()
	if err != nil {
		return 0, err
	}
	rec := NewRecording(u, set)
	rec.Record(set.Model(stall, seed), n)
	p, _, err := start(exe, "--repeat", strconv.Itoa(repeat))
	if err != nil {
		return 0, err
	}
	var head [4]byte
	binary.LittleEndian.PutUint32(head[:], uint32(n))
	if _, err := p.stdin.Write(append(head[:], rec.inBytes...)); err != nil {
		return 0, p.failed(err)
	}
	line, err := p.stdout.ReadString('\n')
	if err != nil {
		return 0, p.failed(err)
	}
	if err := p.close(); err != nil {
		return 0, err
	}
	return strconv.ParseFloat(strings.TrimSpace(line), 64)
}
