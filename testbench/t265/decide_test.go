package t265

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"vcsim/sim"
	"vcsim/t265/block"
	"vcsim/t265/hw"
	"vcsim/t265/hwenc"
	"vcsim/testbench"
)

// decideStimulus drives the decisions with CTUs: of pictures, of ramps with noise, and of
// extremes.
type decideStimulus struct {
	ref   sim.Stream[hwenc.RefJob]
	src   sim.Stream[hw.SourceBeat]
	spec  hwenc.Spec
	rng   *rand.Rand
	junk  *rand.Rand // for data that is not valid
	idle  *testbench.Gate
	refs  *testbench.Gate
	jobs  []hwenc.RefJob
	beats []hw.SourceBeat
	qp    int
	from  [64]func(x, y int) uint8 // by thread
	x     [64]int                  // of its CTU
	left  [64]int                  // CTUs that go on
	been  [64]bool                 // there is a column on its left in memory,
	side  [64][16]uint8            // which is this
	again bool                     // the next CTU is on the edge of two modes too, on the right of that of
	last  int                      // this thread
}

// newDecideStimulus returns one whose streams wait now and then.
func newDecideStimulus(spec hwenc.Spec, beats, refs bool, seed uint64) decideStimulus {
	return decideStimulus{spec: spec, rng: rand.New(rand.NewPCG(seed, 7)), junk: rand.New(rand.NewPCG(seed, 8)), idle: testbench.NewGate(2*seed, beats),
		refs: testbench.NewGate(2*seed+1, refs), qp: int(seed % 52)}
}

// decideModel is the unit, and counts what it decides.
type decideModel struct {
	decideStimulus
	plan  sim.Stream[hwenc.Plan]
	unit  *hwenc.DecideUnit
	modes [4]int
	parts [6]int // whole CTUs, and those by the number of tiles that are split
}

func newDecideModel(spec hwenc.Spec, stall testbench.Stall, seed uint64) *decideModel {
	m := &decideModel{decideStimulus: newDecideStimulus(spec, stall.Idle, stall.Back, seed)}
	m.unit = hwenc.NewDecideUnit(spec, &m.ref, &m.src, &m.plan)
	return m
}

// next makes a CTU.
func (m *decideStimulus) next() {
	rng := m.rng
	onEdge := m.again || rng.IntN(8) == 0 // of two modes
	v := rng.Uint64()
	if m.qp = (m.qp + 19) % 52; v&0x3000 != 0 {
		m.qp %= 26
	}
	job := hwenc.RefJob{Job: hwenc.Job{Thread: uint8(rng.IntN(m.spec.Threads)), X: uint16(rng.IntN(m.spec.FrameCTUs)), QP: uint8(m.qp), High: v&1 != 0,
		Fine: v&2 != 0, First: v&4 != 0, Last: v&8 != 0, Left: v&0x70 != 0, Above: v&0x700 != 0, Right: v&0x800 != 0}, Corner: uint8(v >> 16)}
	if m.again {
		job.Thread, job.Left = uint8(m.last), true
	}
	m.last, m.again = int(job.Thread), onEdge && rng.IntN(2) == 0
	// Mostly the picture goes on where the CTU before ended.
	t := int(job.Thread)
	job.Left = job.Left && m.been[t]
	m.been[t] = true
	if m.left[t]--; m.left[t] < 0 || onEdge {
		m.left[t], m.x[t], m.from[t] = rng.IntN(3), 0, samples(rng)
	} else {
		m.x[t] += 16
	}
	sample := func(x, y int) uint8 { return m.from[t](x+m.x[t], y) }
	for i := range job.Row {
		job.Row[i] = sample(i, -1)
	}
	var ctu [256]uint8
	for i := range ctu {
		ctu[i] = sample(i&15, i>>4)
	}
	if onEdge {
		m.toEdge(&job, &m.side[t], &ctu)
	}
	for y := range 16 {
		m.side[t][y] = ctu[16*y+15]
	}
	m.jobs = append(m.jobs, job)
	for i := range 32 {
		x, y := i>>3&1*8, i>>4*8+i&7
		m.beats = append(m.beats, hw.SourceBeat(binary.LittleEndian.Uint64(ctu[16*y+x:])))
	}
}

// toEdge turns the samples of a CTU, one after the other, into those of another one until one step of one sample changes its mode, and leaves them on either side of that step: the costs of
// two modes are as good as the same. Most begin as planar prediction from a row of low contrast and end as
// another one: with small coefficients, all of which cost something, rounding counts.
func (m *decideStimulus) toEdge(job *hwenc.RefJob, side *[16]uint8, ctu *[256]uint8) {
	rng := m.rng
	low := rng.IntN(4) > 0
	if low {
		job.QP, job.Above = uint8(rng.IntN(4)), true
		base, slope := 64+rng.IntN(128), rng.IntN(33)-16
		if job.Left {
			base = int(side[0])
		}
		for i := range job.Row {
			job.Row[i] = clip(base + (i*slope)>>3 + rng.IntN(2))
		}
	}
	var border block.OpenBorder
	copy(border.Above[:], job.Row[:16])
	copy(border.Left[:], side[:])
	border.Substitute(16, job.Left, job.Above)
	mode := func() int { return block.OpenMode(ctu[:], 16, 4, int(job.QP), &border) }
	// predicted returns the prediction in the mode of a lane with noise.
	predicted := func(lane int) (pix [256]uint8) {
		block.OpenPredict(pix[:], 4, lane, border.Above[:16], border.Left[:16])
		for i := range pix {
			pix[i] = clip(int(pix[i]) + rng.IntN(3) - 1)
		}
		return pix
	}
	if low {
		*ctu = predicted(1)
	}
	from, first := *ctu, mode()
	for range 4 {
		to := from
		if low {
			to = predicted(rng.IntN(2) * 2)
		} else {
			other := samples(rng)
			for i := range to {
				to[i] = other(i&15, i>>4)
			}
		}
		// The mode is still the first one with the first n samples of the other CTU.
		n := sort.Search(256, func(n int) bool {
			*ctu = from
			copy(ctu[:], to[:n+1])
			return mode() != first
		})
		*ctu = from
		if n == 256 {
			continue
		}
		copy(ctu[:], to[:n])
		step, by := 1, int(to[n])-int(from[n])
		if by < 0 {
			step, by = -1, -by
		}
		k := sort.Search(by, func(k int) bool {
			ctu[n] = uint8(int(from[n]) + step*(k+1))
			return mode() != first
		})
		ctu[n] = uint8(int(from[n]) + step*min(k+rng.IntN(2), by))
		return
	}
}

func clip(v int) uint8 { return uint8(min(max(v, 0), 255)) }

// samples returns the samples of a CTU, and of the row above it, by place.
func samples(rng *rand.Rand) func(x, y int) uint8 {
	switch rng.IntN(12) {
	case 10: // the second CTU is its own mirror image: vertical and horizontal prediction cost the same
		var t [16]int
		for i := range t {
			t[i] = 64 + rng.IntN(128)
		}
		return func(x, y int) uint8 {
			switch {
			case y < 0:
				return uint8(t[x&15])
			case x == 15:
				return uint8(t[y])
			}
			return clip(t[x&15] + t[y] - 128)
		}
	case 11: // low contrast
		base, dx, dy, noise := 64+rng.IntN(128), rng.IntN(17)-8, rng.IntN(17)-8, 1+rng.IntN(2)
		return func(x, y int) uint8 { return clip(base + (x*dx+y*dy)>>3 + rng.IntN(noise)) }
	case 0, 1, 2:
		all := planes()
		p := &all[rng.IntN(len(all))]
		x0, y0 := rng.IntN(p.w), rng.IntN(p.h)
		return func(x, y int) uint8 { return p.pix[(y0+y+p.h)%p.h*p.w+(x0+x)%p.w] }
	case 3: // extremes
		n := 1 + rng.IntN(4)
		return func(x, y int) uint8 { return uint8(-(rng.IntN(8) / 7 & 1) ^ -((x>>n ^ y>>n) & 1)) }
	case 4: // noise without a bound
		return func(x, y int) uint8 { return uint8(255 * rng.IntN(2)) }
	case 5: // black above white, or the other way round
		v := rng.IntN(2)
		return func(x, y int) uint8 { return uint8(255 * (bin(y < 0) ^ v)) }
	}
	if rng.IntN(3) > 0 { // planar
		base, dx, dy, noise := 112+rng.IntN(32), 2+rng.IntN(4), 2+rng.IntN(4), 1+rng.IntN(3)
		if rng.IntN(2) == 0 {
			dx = -dx
		} else {
			dy = -dy
		}
		return func(x, y int) uint8 { return clip(base + (x-16)*dx + (y-8)*dy + rng.IntN(noise)) }
	}
	base, dx, dy, noise, step := rng.IntN(256), rng.IntN(9)-4, rng.IntN(9)-4, 1+rng.IntN(1<<rng.IntN(7)), rng.IntN(80)*rng.IntN(2)
	switch rng.IntN(4) {
	case 0:
		dx = 0
	case 1:
		dy = 0
	}
	curve := rng.IntN(2) * rng.IntN(1<<rng.IntN(8))
	return func(x, y int) uint8 {
		return clip(base + x*dx + y*dy + rng.IntN(noise) - noise/2 + (x>>3&1^y>>3&1)*step + (x*5^x*y)%7*curve/4)
	}
}

func bin(b bool) int { return int(bit(b)) }

// drive puts out what comes in a cycle.
func (m *decideStimulus) drive() {
	if len(m.jobs) < 2 {
		m.next()
	}
	if !m.ref.Valid && m.refs.Open() {
		m.ref.Valid, m.ref.Data = true, m.jobs[0]
		m.jobs = slices.Delete(m.jobs, 0, 1)
	}
	if !m.src.Valid && m.idle.Open() {
		if len(m.beats) == 0 {
			m.next()
		}
		m.src.Valid, m.src.Data, m.beats = true, m.beats[0], m.beats[1:]
	}
}

// put sets the ports of both streams.
func (m *decideStimulus) put(in []uint64) (n int) {
	var ref packed
	ref.refJob(m.spec, &m.ref.Data)
	if !m.ref.Valid {
		n := ref.n
		for ref = (packed{}); ref.n < n; {
			ref.add(m.junk.Uint64(), 1)
		}
	}
	in[0] = bit(m.ref.Valid)
	n = 1 + ref.put(in[1:])
	in[n], in[n+1] = bit(m.src.Valid), uint64(m.src.Data)
	if !m.src.Valid {
		in[n+1] = m.junk.Uint64()
	}
	return n + 2
}

// taken ends a cycle.
func (m *decideStimulus) taken() {
	if m.ref.Moves() {
		m.ref.Valid = false
	}
	if m.src.Moves() {
		m.src.Valid = false
	}
}

func (m *decideModel) Cycle(in, out []uint64) {
	u := m.unit
	m.drive()
	u.Eval()
	m.put(in)
	var plan packed
	plan.plan(m.spec, &m.plan.Data)
	beat, addr, valid := u.Written()
	out[0], out[1], out[2], out[3], out[4] = bit(m.ref.Ready), bit(m.src.Ready), bit(valid), uint64(addr), uint64(beat)
	out[5] = bit(m.plan.Valid)
	plan.put(out[6:])
	if m.plan.Valid {
		p := &m.plan.Data
		m.modes[p.Mode]++
		k := 0
		if p.Split {
			k = 1
			for i := range 4 {
				k += int(p.Split8 >> i & 1)
			}
		}
		m.parts[k]++
	}
	u.Clock()
	m.taken()
}

func decideSets() (u testbench.Unit, sets []testbench.Set) {
	u = testbench.Unit{
		Top: "t265_decide", Source: "rtl/t265/t265_decide.v", Binding: "testbench/t265/bind/t265_decide.cpp", Cover: 2, Lines: true, CoverCycles: 1 << 13,
		In: append([]testbench.Port{{Name: "ref_valid_i", Bits: 1}}, testbench.Wide("ref_data_i", 178, "")...),
		Out: append([]testbench.Port{{Name: "ref_ready_o", Bits: 1}, {Name: "src_ready_o", Bits: 1}, {Name: "write_valid_o", Bits: 1}, {Name: "write_addr_o", Loose: true, Guard: "write_valid_o"},
			{Name: "write_data_o", Bits: 64, Loose: true, Guard: "write_valid_o"}, {Name: "plan_valid_o", Bits: 1}}, loose(testbench.Wide("plan_data_o", 185, "plan_valid_o"))...),
	}
	u.In = append(u.In, testbench.Port{Name: "src_valid_i", Bits: 1}, testbench.Port{Name: "src_data_i", Bits: 64})
	for _, spec := range loopSpecs {
		sets = append(sets, decideSet(spec))
	}
	return u, sets
}

// decideSet is the set of a spec.
func decideSet(spec hwenc.Spec) testbench.Set {
	return testbench.Set{
		Params: append(loopParams(spec), testbench.Param{Name: "MaxTU", Value: spec.MaxTU}, testbench.Param{Name: "MinTU", Value: spec.MinTU}),
		Width:  map[string]int{"write_addr_o": spec.ThreadBits() + 5},
		Model:  func(stall testbench.Stall, seed uint64) testbench.Model { return newDecideModel(spec, stall, seed) },
	}
}

// loose marks ports as having a value while their guard is high alone.
func loose(ports []testbench.Port) []testbench.Port {
	for i := range ports {
		ports[i].Loose = true
	}
	return ports
}

func TestDecide(t *testing.T) {
	u, sets := decideSets()
	testbench.Cosim(t, u, sets, cosimCycles)
}

// TestDecideStimulus: the decisions of the stimulus go all ways.
func TestDecideStimulus(t *testing.T) {
	_, sets := decideSets()
	in, out := make([]uint64, 8), make([]uint64, 12)
	for i, set := range sets {
		m := set.Model(testbench.Stall{}, uint64(i)).(*decideModel)
		for range 30000 {
			m.Cycle(in, out)
		}
		t.Logf("%v: modes %d, parts %d", set.Params, m.modes, m.parts)
		for k, n := range m.parts {
			if n < 10 && (k > 0 || m.spec.MaxTU == 16) && (k <= 1 || m.spec.MinTU == 4) || n > 0 && k > 1 && m.spec.MinTU == 8 {
				t.Errorf("%v: %d parts in %d CTUs", set.Params, k, n)
			}
		}
		for k, n := range m.modes {
			if n < 10 {
				t.Errorf("%v: mode %d in %d CTUs", set.Params, k, n)
			}
		}
	}
}
