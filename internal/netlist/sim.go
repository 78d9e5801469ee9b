package netlist

import (
	"fmt"
	"math/bits"
	"regexp"
	"strconv"
	"strings"

	"vcsim/internal/liberty"
)

// Lanes is the number of runs that a Sim does side by side, one in each bit of a word.
const Lanes = 64

// A Sim simulates a design, cycle by cycle, in 64 runs at a time. Every net is a word with one bit of each run. The functions of the cells
// become a list of two-input ANDs in the order of the data, so that a cycle is one pass over them: nets are as they settle before the edge of
// the clock, without glitches. Registers and memories start at zero. Memories behave as vc_ram_1rw and vc_ram_1r1w do (sim/ram.go).
type Sim struct {
	design  *Design
	v       []uint64 // by variable: 0 is constant 0
	ands    []and
	ffs     []simFF
	rams    []simRAM
	ports   map[string][]literal
	inputs  map[string][]int32                // variables of an input port
	places  map[string][]map[string][]literal // ports of the instances of modules of the RTL
	next    []uint64
	faults  []int32 // variable of each mutant: the runs that have it
	changed []int   // memories with another output, in Clock

	// What is counted.
	Drivers []Driver
	outs    []literal // of drivers
	before  []uint64
	toggles []uint64
	gates   []simGate
	cycles  uint64
	clocks  map[string]float64 // fJ a cycle at clock pins, by path
	leaks   map[string]float64 // pW, by path
	units   map[string]string  // module of the RTL, by path
}

// A literal is a variable times two, plus one where it is negated.
type literal uint32

const (
	falseLit literal = 0
	trueLit  literal = 1
)

func (l literal) not() literal { return l ^ 1 }

// and is v[out] = a AND b.
type and struct{ out, a, b uint32 }

type simFF struct {
	q     int32
	path  string
	place faultPlace
	data  literal
	open  literal // that the clock reaches it
}

// A Driver is an output of a cell or an input of the top: a net whose toggles are counted.
type Driver struct {
	Path   string // of the instance, parts separated by dots; "" for the top
	Cell   string // type, "" for an input of the top
	Pin    string
	Load   float64      // fF of the pins that it drives
	Energy float64      // fJ of a toggle inside the cells that it drives
	state  bool         // of a flip-flop or a memory
	lib    *liberty.Pin // nil for an input of the top and for a memory
}

type simGate struct {
	path   string
	open   literal
	count  uint64
	cell   *liberty.Cell
	energy float64 // fJ of an open cycle at the clock pins behind it
}

type simRAM struct {
	path          string
	write, read   literal
	waddr, raddr  []literal
	wdata         []literal
	rdata         []int32
	words         int // of 64 bits, in a row
	width, depth  int
	ports         string   // 1rw or 1r1w
	mem           []uint64 // run, row, word
	reads, writes uint64
	out           []uint64 // of rdata, after the edge
	rows          []uint64
}

func (s *Sim) get(l literal) uint64 { return s.v[l>>1] ^ -uint64(l&1) }

// SetInput sets an input port from values of the runs; where it has more than 64 bits, from its bit from on.
func (s *Sim) SetInput(port string, from int, values *[Lanes]uint64) error {
	in, ok := s.inputs[port]
	if !ok || from >= len(in) {
		return fmt.Errorf("no input %s with bit %d", port, from)
	}
	slice := *values
	transpose(&slice)
	for i, k := range in[from:min(from+64, len(in))] {
		s.v[k] = slice[i]
	}
	return nil
}

// Output returns the values of an output port in the runs, from its bit from on.
func (s *Sim) Output(port string, from int, values *[Lanes]uint64) error {
	out, ok := s.ports[port]
	if !ok || from >= len(out) {
		return fmt.Errorf("no output %s with bit %d", port, from)
	}
	clear(values[:])
	for i, l := range out[from:min(from+64, len(out))] {
		values[i] = s.get(l)
	}
	transpose(values)
	return nil
}

// Bits returns the number of bits of a port of the design, 0 without one.
func (s *Sim) Bits(port string) int { return max(len(s.ports[port]), len(s.inputs[port])) }

// registerName is what yosys calls the data of a bit of a register of the RTL.
var registerName = regexp.MustCompile(`^\$abc\$\d+(?:\$flatten)?(.*)\$0\\(\w+)\[\d+:0\](?:\[(\d+)\])?\[0\]$`)

// SetRegister sets a register of the RTL in a run. The path is that of the instance in the netlist, the name that of the register in its
// module, behind the names of instances that are not there any more.
func (s *Sim) SetRegister(path, name string, run int, value uint64) error {
	found := uint64(0)
	for i := range s.ffs {
		f := &s.ffs[i]
		if f.path != path {
			continue
		}
		data, _ := f.place.m.Cells[f.place.cell].Pin("D")
		m := registerName.FindStringSubmatch(f.place.m.Names[int(data)])
		if m == nil || strings.ReplaceAll(m[1], `\`, "")+m[2] != name {
			continue
		}
		bit, _ := strconv.Atoi(m[3]) // 0 without a number
		found |= 1 << bit
		s.v[f.q] = s.v[f.q]&^(1<<run) | value>>bit&1<<run
	}
	if found == 0 || found&(found+1) != 0 || value&^found != 0 {
		return fmt.Errorf("%s: no register %s, or not all its bits", path, name)
	}
	return nil
}

// Eval lets all nets settle.
func (s *Sim) Eval() {
	v := s.v
	for i := range s.ands {
		a := &s.ands[i]
		v[a.out] = (v[a.a>>1] ^ -uint64(a.a&1)) & (v[a.b>>1] ^ -uint64(a.b&1))
	}
}

// Count counts the toggles since the cycle before in the runs of a mask, and what happens in this one.
func (s *Sim) Count(mask uint64) {
	for i, l := range s.outs {
		now := s.get(l)
		s.toggles[i] += uint64(bits.OnesCount64((now ^ s.before[i]) & mask))
		s.before[i] = now
	}
	for i := range s.gates {
		s.gates[i].count += uint64(bits.OnesCount64(s.get(s.gates[i].open) & mask))
	}
	for i := range s.rams {
		r := &s.rams[i]
		r.reads += uint64(bits.OnesCount64(s.get(r.read) & mask))
		r.writes += uint64(bits.OnesCount64(s.get(r.write) & mask))
	}
	s.cycles += uint64(bits.OnesCount64(mask))
}

// Clear forgets what was counted.
func (s *Sim) Clear() {
	clear(s.toggles)
	for i := range s.gates {
		s.gates[i].count = 0
	}
	for i := range s.rams {
		s.rams[i].reads, s.rams[i].writes = 0, 0
	}
	s.cycles = 0
}

// Clock is the edge of the clock.
func (s *Sim) Clock() {
	for i := range s.ffs {
		f := &s.ffs[i]
		s.next[i] = s.get(f.data)
		if f.open != trueLit {
			open := s.get(f.open)
			s.next[i] = s.next[i]&open | s.v[f.q]&^open
		}
	}
	s.changed = s.changed[:0]
	for i := range s.rams {
		if s.rams[i].clock(s) {
			s.changed = append(s.changed, i)
		}
	}
	for _, i := range s.changed {
		r := &s.rams[i]
		for j, k := range r.rdata {
			s.v[k] = r.out[j]
		}
	}
	for i := range s.ffs {
		s.v[s.ffs[i].q] = s.next[i]
	}
}

// clock reads, then writes: a read gives what was there before.
func (r *simRAM) clock(s *Sim) (changed bool) {
	var slice [Lanes]uint64
	address := func(lits []literal) {
		clear(slice[:])
		for i, l := range lits {
			slice[i] = s.get(l)
		}
		transpose(&slice)
	}
	row := func(lane int) []uint64 {
		if slice[lane] >= uint64(r.depth) {
			return nil // not used
		}
		return r.mem[(lane*r.depth+int(slice[lane]))*r.words:][:r.words]
	}
	read, write := s.get(r.read), s.get(r.write)
	if read != 0 {
		address(r.raddr)
		for m := read; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros64(m)
			clear(r.rows[lane*r.words:][:r.words])
			copy(r.rows[lane*r.words:][:r.words], row(lane))
		}
	}
	if write != 0 {
		address(r.waddr)
		var data [Lanes]uint64
		for w := range r.words {
			clear(data[:])
			for i, l := range r.wdata[64*w : min(64*w+64, len(r.wdata))] {
				data[i] = s.get(l)
			}
			transpose(&data)
			for m := write; m != 0; m &= m - 1 {
				lane := bits.TrailingZeros64(m)
				if to := row(lane); to != nil {
					to[w] = data[lane]
				}
			}
		}
	}
	if read != 0 {
		var data [Lanes]uint64
		for w := range r.words {
			for lane := range Lanes {
				data[lane] = r.rows[lane*r.words+w]
			}
			transpose(&data)
			for i, k := range r.rdata[64*w : min(64*w+64, len(r.rdata))] {
				r.out[64*w+i] = s.v[k]&^read | data[i]&read
			}
		}
	}
	return read != 0
}

// transpose turns bit j of word i into bit i of word j.
func transpose(a *[64]uint64) {
	mask := uint64(0x00000000ffffffff)
	for j := 32; j != 0; j, mask = j>>1, mask^mask<<(j>>1) {
		for k := 0; k < 64; k = (k + j + 1) &^ j {
			t := (a[k]>>j ^ a[k+j]) & mask
			a[k] ^= t << j
			a[k+j] ^= t
		}
	}
}
