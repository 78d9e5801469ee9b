package netlist

import (
	"math/bits"
	"slices"

	"vcsim/internal/liberty"
)

// Faults follows what mutants do beside the 64 runs of a Sim that have none. Of each mutant it keeps where its registers and memories hold
// something else, and works out in each cycle the nets that differ, and no others (differential fault simulation; W.-T. Cheng and M.-L. Yu,
// "Differential fault simulation: a fast method using minimal memory", 26th DAC, 1989). A mutant that does little takes little time.
type Faults struct {
	sim     *Sim
	lib     *liberty.Library
	mutants []Mutant
	faults  []faultState
	Live    []int // mutants that are followed

	fanout  []int32 // gates that a variable goes to, by first
	first   []int32
	readers []int32 // registers that a variable goes to, by firstFF
	firstFF []int32
	ramOf   []int32 // memories that a variable goes to, by firstRAM
	firstRM []int32
	outputs []uint64  // runs in which a variable is compared, by variable
	guarded []guarded // not those that are compared always
	diff    []uint64  // by variable; zero between two mutants
	touched []int32
	queue   queue
	start   []uint64 // variables as they are where runs start
	ffs     []int32  // registers, and memories, to be looked at
	rams    []int32
	ffSeen  []bool
	ramSeen []bool
	look    []uint64 // runs of a memory to be looked at
}

type faultState struct {
	mask  int32
	state []change // of registers and of outputs of memories
	rows  map[rowKey][]uint64
	after []change // behind the edge
	reads []ramRead
	wrote []ramWrite
	ever  map[int32]bool // registers, and outputs of memories, that differed at some time
	rams  map[int32]bool // memories that did
	start []change       // state from which runs start
}

// A change is a variable with the runs in which it differs.
type change struct {
	v    int32
	diff uint64
}

type rowKey struct{ ram, run, row int32 }

type ramRead struct {
	rowKey
	words []uint64
}

type ramWrite struct {
	rowKey
	words []uint64 // as the mutant has it behind the edge
}

// NewFaults compiles a design with any number of mutants, each of which stays beside all 64 runs.
func NewFaults(d *Design, lib *liberty.Library, mutants []Mutant) (*Faults, error) {
	s, err := compile(d, lib, mutants)
	if err != nil {
		return nil, err
	}
	for _, k := range s.faults {
		s.v[k] = 0
	}
	f := &Faults{sim: s, lib: lib, mutants: mutants, diff: make([]uint64, len(s.v)), outputs: make([]uint64, len(s.v)),
		ffSeen: make([]bool, len(s.ffs)), ramSeen: make([]bool, len(s.rams)), look: make([]uint64, len(s.rams)), queue: newQueue(len(s.ands))}
	for i, k := range s.faults {
		f.faults = append(f.faults, faultState{mask: k, rows: map[rowKey][]uint64{}, ever: map[int32]bool{}, rams: map[int32]bool{}})
		f.Live = append(f.Live, i)
	}
	f.fanout, f.first = index(len(s.v), func(add func(v uint32, i int)) {
		for i, a := range s.ands {
			add(a.a>>1, i)
			add(a.b>>1, i)
		}
	})
	f.readers, f.firstFF = index(len(s.v), func(add func(v uint32, i int)) {
		for i := range s.ffs {
			ff := &s.ffs[i]
			add(uint32(ff.q), i)
			add(uint32(ff.data>>1), i)
			add(uint32(ff.open>>1), i)
		}
	})
	f.ramOf, f.firstRM = index(len(s.v), func(add func(v uint32, i int)) {
		for i := range s.rams {
			r := &s.rams[i]
			for _, l := range slices.Concat([]literal{r.read, r.write}, r.raddr, r.waddr, r.wdata) {
				add(uint32(l>>1), i)
			}
			for _, k := range r.rdata {
				add(uint32(k), i)
			}
		}
	})
	return f, nil
}

// index lists what goes with each variable: the list of variable v is from first[v] to first[v+1].
func index(n int, each func(add func(v uint32, i int))) (list, first []int32) {
	first = make([]int32, n+1)
	each(func(v uint32, i int) { first[v+1]++ })
	for v := range n {
		first[v+1] += first[v]
	}
	list = make([]int32, first[n])
	at := slices.Clone(first)
	each(func(v uint32, i int) {
		list[at[v]] = int32(i)
		at[v]++
	})
	return list, first
}

// Sim returns the simulation of the runs without a fault. Its edge is Clock of the Faults.
func (f *Faults) Sim() *Sim { return f.sim }

// Observe has Clock look at an output port, at most 64 bits from its bit from on, of which the mask says what counts: in the cycles in which the
// output guard, of one bit, is high, in all without one.
func (f *Faults) Observe(port string, from int, mask uint64, guard string) {
	out := f.sim.ports[port]
	for i, l := range out[from:min(from+64, len(out))] {
		switch {
		case mask>>i&1 == 0:
		case guard == "":
			f.outputs[l>>1] = ^uint64(0)
			f.guarded = slices.DeleteFunc(f.guarded, func(g guarded) bool { return g.v == int32(l>>1) })
		case f.outputs[l>>1] == ^uint64(0): // another port without a guard
		default: // before the first edge, so that no output is all ones for its guard
			f.guarded = append(f.guarded, guarded{int32(l >> 1), f.sim.ports[guard][0]})
		}
	}
}

// A guarded variable is compared while another is high.
type guarded struct {
	v     int32
	guard literal
}

// expose sets the runs in which guarded variables are compared in this cycle.
func (f *Faults) expose() {
	for _, g := range f.guarded {
		f.outputs[g.v] = 0
	}
	for _, g := range f.guarded {
		f.outputs[g.v] |= f.sim.get(g.guard)
	}
}

// Clock is the edge of the clock, after Eval. It returns the mutants that an observed output shows in this cycle in one of the given runs, and
// follows them no further.
func (f *Faults) Clock(runs uint64) (shown []int) {
	f.expose()
	left := f.Live[:0]
	for _, i := range f.Live {
		if f.settle(&f.faults[i], runs) {
			shown = append(shown, i)
			f.faults[i] = faultState{mask: f.faults[i].mask}
			continue
		}
		left = append(left, i)
	}
	f.Live = left
	f.sim.Clock()
	for _, i := range f.Live {
		f.keep(&f.faults[i])
	}
	return shown
}

// set notes that a variable differs.
func (f *Faults) set(v int32, diff uint64) {
	f.diff[v] = diff
	f.touched = append(f.touched, v)
	for _, a := range f.fanout[f.first[v]:f.first[v+1]] {
		f.queue.push(int(a))
	}
	for _, i := range f.readers[f.firstFF[v]:f.firstFF[v+1]] {
		if !f.ffSeen[i] {
			f.ffSeen[i] = true
			f.ffs = append(f.ffs, i)
		}
	}
	for _, i := range f.ramOf[f.firstRM[v]:f.firstRM[v+1]] {
		f.ram(i)
	}
}

func (f *Faults) ram(i int32) {
	if !f.ramSeen[i] {
		f.ramSeen[i] = true
		f.rams = append(f.rams, i)
	}
}

// Start says that runs start in the state of now, behind the edge: machines start there. It is the same in all runs.
func (f *Faults) Start() {
	f.start = slices.Clone(f.sim.v)
	for i := range f.faults {
		f.faults[i].start = slices.Clone(f.faults[i].state)
	}
}

// Drop follows a mutant no further.
func (f *Faults) Drop(k int) {
	f.Live = slices.DeleteFunc(f.Live, func(i int) bool { return i == k })
}

// differs returns the runs in which a literal differs.
func (f *Faults) differs(l literal) uint64 { return f.diff[l>>1] }

// settle works out the nets of a mutant, and what its registers and memories take. It reports whether an output shows it.
func (f *Faults) settle(m *faultState, runs uint64) (shown bool) {
	s := f.sim
	f.set(m.mask, ^uint64(0))
	for _, c := range m.state {
		f.set(c.v, c.diff)
	}
	for {
		i := f.queue.pop()
		if i < 0 {
			break
		}
		a := &s.ands[i]
		x := s.v[a.a>>1] ^ f.diff[a.a>>1] ^ -uint64(a.a&1)
		y := s.v[a.b>>1] ^ f.diff[a.b>>1] ^ -uint64(a.b&1)
		if d := x&y ^ s.v[a.out]; d != 0 {
			f.set(int32(a.out), d)
		}
	}
	for _, v := range f.touched {
		if f.diff[v]&f.outputs[v]&runs != 0 {
			shown = true
			break
		}
	}
	if !shown {
		f.registers(m)
		f.memories(m)
	}
	for _, v := range f.touched {
		f.diff[v] = 0
	}
	for _, i := range f.ffs {
		f.ffSeen[i] = false
	}
	for _, i := range f.rams {
		f.ramSeen[i] = false
	}
	f.touched, f.ffs, f.rams = f.touched[:0], f.ffs[:0], f.rams[:0]
	return shown
}

// registers works out in which runs registers differ behind the edge.
func (f *Faults) registers(m *faultState) {
	s := f.sim
	m.after = m.after[:0]
	for _, i := range f.ffs {
		ff := &s.ffs[i]
		data, open, q := s.get(ff.data), s.get(ff.open), s.v[ff.q]
		good := data&open | q&^open
		data, open, q = data^f.differs(ff.data), open^f.differs(ff.open), q^f.diff[ff.q]
		if d := good ^ (data&open | q&^open); d != 0 {
			m.after = append(m.after, change{ff.q, d})
		}
	}
}

// memories works out what the memories of a mutant do that differ.
func (f *Faults) memories(m *faultState) {
	s := f.sim
	m.reads, m.wrote = m.reads[:0], m.wrote[:0]
	for _, i := range f.rams {
		r := &s.rams[i]
		look := f.differs(r.read) | f.differs(r.write)
		for _, list := range [][]literal{r.raddr, r.waddr, r.wdata} {
			for _, l := range list {
				look |= f.differs(l)
			}
		}
		for _, k := range r.rdata {
			look |= f.diff[k]
		}
		f.look[i] = look
	}
	for k := range m.rows { // a row that is other than it should be matters when it is read or written
		r := &s.rams[k.ram]
		if f.look[k.ram]>>k.run&1 == 0 && (s.get(r.read)>>k.run&1 != 0 && s.address(r.raddr, k.run) == k.row || s.get(r.write)>>k.run&1 != 0 && s.address(r.waddr, k.run) == k.row) {
			f.look[k.ram] |= 1 << k.run
			f.ram(k.ram)
		}
	}
	for _, i := range f.rams {
		for look := f.look[i]; look != 0; look &= look - 1 {
			f.memory(m, i, int32(bits.TrailingZeros64(look)))
		}
		f.look[i] = 0
	}
}

// address returns what the bits of an address are in a run.
func (s *Sim) address(list []literal, run int32) (n int32) {
	for j, l := range list {
		n |= int32(s.get(l)>>run&1) << j
	}
	return n
}

// memory works out what one memory of a mutant does in one run.
func (f *Faults) memory(m *faultState, i, run int32) {
	s := f.sim
	r := &s.rams[i]
	bit := func(l literal) uint64 { return (s.get(l) ^ f.differs(l)) >> run & 1 }
	row := func(list []literal) (k rowKey) {
		for j, l := range list {
			k.row |= int32(bit(l)) << j
		}
		k.ram, k.run = i, run
		return k
	}
	content := func(k rowKey) []uint64 {
		if int(k.row) >= r.depth {
			return make([]uint64, r.words)
		}
		if w, ok := m.rows[k]; ok {
			return slices.Clone(w)
		}
		return slices.Clone(r.row(k))
	}
	// The output that is read, or that stays.
	if bit(r.read) != 0 {
		k := row(r.raddr)
		m.reads = append(m.reads, ramRead{k, content(k)})
	} else {
		words := make([]uint64, r.words)
		for j, v := range r.rdata {
			words[j/64] |= (s.v[v] ^ f.diff[v]) >> run & 1 << (j % 64)
		}
		m.reads = append(m.reads, ramRead{rowKey{i, run, 0}, words})
	}
	var written rowKey
	writes := bit(r.write) != 0
	if writes {
		written = row(r.waddr)
		if int(written.row) < r.depth {
			words := make([]uint64, r.words)
			for j, l := range r.wdata {
				words[j/64] |= bit(l) << (j % 64)
			}
			m.wrote = append(m.wrote, ramWrite{written, words})
		}
	}
	if s.get(r.write)>>run&1 != 0 {
		if k := (rowKey{i, run, s.address(r.waddr, run)}); int(k.row) < r.depth && (!writes || k != written) {
			m.wrote = append(m.wrote, ramWrite{k, content(k)})
		}
	}
}

func (r *simRAM) row(k rowKey) []uint64 {
	return r.mem[(int(k.run)*r.depth+int(k.row))*r.words:][:r.words]
}

// keep takes over what a mutant holds behind the edge, as far as it differs from the runs without it.
func (f *Faults) keep(m *faultState) {
	s := f.sim
	m.state, m.after = m.after, m.state[:0]
	for _, w := range m.wrote {
		if slices.Equal(w.words, s.rams[w.ram].row(w.rowKey)) {
			delete(m.rows, w.rowKey)
		} else {
			m.rows[w.rowKey] = w.words
			m.rams[w.ram] = true
		}
	}
	for i := 0; i < len(m.reads); {
		ram := m.reads[i].ram
		end := i
		for end < len(m.reads) && m.reads[end].ram == ram {
			end++
		}
		for j, v := range s.rams[ram].rdata {
			d := uint64(0)
			for _, r := range m.reads[i:end] {
				d |= ((r.words[j/64]>>(j%64) ^ s.v[v]>>r.run) & 1) << r.run
			}
			if d != 0 {
				m.state = append(m.state, change{v, d})
			}
		}
		i = end
	}
	for _, c := range m.state {
		m.ever[c.v] = true
	}
}

// A queue holds numbers, of which the lowest comes out first: a bit each, and a bit for each word of those below.
type queue struct{ levels [3][]uint64 }

func newQueue(n int) (q queue) {
	for i := range q.levels {
		n = (n + 63) / 64
		q.levels[i] = make([]uint64, max(n, 1))
	}
	return q
}

func (q *queue) push(n int) {
	for i := range q.levels {
		q.levels[i][n>>6] |= 1 << (n & 63)
		n >>= 6
	}
}

// pop returns the lowest number, -1 without one.
func (q *queue) pop() int {
	top := q.levels[2]
	for i, w := range top {
		if w == 0 {
			continue
		}
		n := i<<6 | bits.TrailingZeros64(w)
		n = n<<6 | bits.TrailingZeros64(q.levels[1][n])
		n = n<<6 | bits.TrailingZeros64(q.levels[0][n])
		for k, at := 0, n; k < 3; k++ {
			q.levels[k][at>>6] &^= 1 << (at & 63)
			if q.levels[k][at>>6] != 0 {
				break
			}
			at >>= 6
		}
		return n
	}
	return -1
}
