package hwenc

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"vcsim/internal/codectest"
	"vcsim/sim"
	"vcsim/t265"
	"vcsim/t265/block"
	"vcsim/t265/hw"
)

// testPlanes returns the planes of the data folder, or where it is absent random
// ones of different character.
func testPlanes(t testing.TB) []codectest.Picture {
	out := codectest.SharedPlanes(t)
	rng := rand.New(rand.NewPCG(1, 2))
	for k := range 4 {
		p := codectest.Picture{Width: 256, Height: 256, Pix: make([]byte, 1<<16)}
		for i := range p.Pix {
			x, y := i%256, i/256
			p.Pix[i] = uint8(min(max(int(128+rng.NormFloat64()*float64(4+20*k)+float64(k*x-k*y)/2), 0), 255))
		}
		out = append(out, p)
	}
	return out
}

// A codedCTU is a CTU as the software encoder codes it.
type codedCTU struct {
	head   Head
	levels []SubLevels // of its transform blocks in z-order, sub-blocks in the order of the path
}

// softwareCTUs codes a picture whose sides are multiples of 16 in software.
func softwareCTUs(t testing.TB, spec Spec, pix []byte, width, qp16 int, fine bool, thread uint8) []codedCTU {
	height := len(pix) / width
	e, err := t265.NewEncoder(t265.Params{Width: width, Height: height, CTU: spec.CTU, MaxTU: spec.MaxTU, Off: spec.Off(), FineQP: fine})
	if err != nil {
		t.Fatal(err)
	}
	high := highCTUs(qp16, width/16*(height/16))
	var list []codedCTU
	z, mode := 16, block.ModeDC
	e.Observe(func(b *t265.Block) {
		if z == 16 {
			z = 0
			n := len(list)
			c := codedCTU{head: Head{Thread: thread, QP: uint8(b.SliceQP), High: n < high, Fine: fine, First: n == 0, Left: n%(width/16) > 0}}
			if c.head.High {
				c.head.QP++
			}
			list = append(list, c)
			if !c.head.Left {
				mode = block.ModeDC
			}
			cand := block.ProbableModes(mode, block.ModeDC)
			if mode = cand[b.Mode%3]; !b.Probable {
				mode = block.ModeFromRemainder(int(b.Mode), cand)
			}
			for lane, m := range block.DecisionModes {
				if int(m) == mode {
					c.head.Mode = uint8(lane)
				}
			}
			list[n] = c
		}
		c := &list[len(list)-1]
		log2, splits := 2, b.TreeSplits
		if b.TreeEnds {
			splits--
		}
		switch {
		case z == 0 && spec.MaxTU == 16:
			log2 = 4 - splits
		case z&3 == 0:
			log2 = 3 - splits
		}
		c.head.Split = c.head.Split || log2 < 4
		if log2 == 2 {
			c.head.Split8 |= 1 << (z >> 2)
		}
		side := 1 << (log2 - 2)
		end := z + side*side
		tag := Tag{Thread: thread, CX: uint8(z&1 | z>>1&2), CY: uint8(z>>1&1 | z>>2&2), Mode: c.head.Mode, QP: c.head.QP, LastTU: end == 16, Log2: uint8(log2 - 2)}
		scan := block.ScanIndex(log2, mode)
		for x := range side {
			for y := range side {
				l := SubLevels{Tag: tag, SX: uint8(x), SY: uint8(y), Scan: uint8(scan), LastSub: x+1 == side && y+1 == side}
				if b.Coded {
					i := b.Levels.Order().SubAt[y<<3|x]
					l.Mask = b.Levels.Mask[i]
					for k := range l.Levels {
						if l.Mask>>k&1 != 0 {
							l.Levels[k] = b.Levels.Lev[16*int(i)+k]
						}
					}
				}
				c.levels = append(c.levels, l)
			}
		}
		z = end
		c.head.Last = b.Last
	})
	if _, err := e.AppendFrameFine(nil, pix, width, qp16); err != nil {
		t.Fatal(err)
	}
	return list
}

// An oracle stands for the decision with one that it knows: a queue of delay cycles.
type oracle struct {
	jobs  *sim.Stream[RefJob]
	src   *sim.Stream[hw.SourceBeat]
	plan  *sim.Stream[Plan]
	known func(j *Job) *Head
	delay int

	open  bool
	queue []oracleCTU // the last one comes in if open
	at    int         // beats of the first one that are written
	cycle int
}

type oracleCTU struct {
	plan  Plan
	beats []hw.SourceBeat
	from  int
}

func (o *oracle) writing() bool {
	if len(o.queue) == 0 || o.at == sourceBeats {
		return false
	}
	c := &o.queue[0]
	return len(c.beats) == sourceBeats && o.cycle >= c.from
}

func (o *oracle) Written() (hw.SourceBeat, int, bool) {
	if !o.writing() {
		return 0, 0, false
	}
	c := &o.queue[0]
	return c.beats[o.at], int(c.plan.Thread)*sourceBeats + o.at, true
}

func (o *oracle) Eval() {
	room := len(o.queue) <= o.delay/32+2
	o.jobs.Ready = !o.open && room
	o.src.Ready = o.open
	o.plan.Valid = o.at == sourceBeats
	if o.plan.Valid {
		o.plan.Data = o.queue[0].plan
	}
}

func (o *oracle) Clock() {
	switch {
	case o.plan.Valid:
		o.queue, o.at = o.queue[1:], 0
	case o.writing():
		o.at++
	}
	if o.jobs.Moves() {
		j := o.jobs.Data
		h := o.known(&j.Job)
		o.queue = append(o.queue, oracleCTU{plan: Plan{RefJob: j, Mode: h.Mode, Split: h.Split, Split8: h.Split8}})
		o.open = true
	}
	if o.src.Moves() {
		c := &o.queue[len(o.queue)-1]
		if c.beats = append(c.beats, o.src.Data); len(c.beats) == sourceBeats {
			o.open, c.from = false, o.cycle+o.delay
		}
	}
	o.cycle++
}

// A pixelsHost feeds frames to a pixel path and collects its words.
type pixelsHost struct {
	cfg    sim.Stream[hw.FrameConfig]
	req    sim.Stream[hw.CTURequest]
	src    sim.Stream[hw.SourceBeat]
	heads  sim.Stream[Head]
	levels sim.Stream[SubLevels]
	unit   *PixelsUnit
	spec   Spec

	pix     [64][]byte // the frame of a thread
	width   [64]int
	pending []hw.CTURequest
	at      int // beats of pending[0] sent
	gotHead [64][]Head
	gotLev  [64][]SubLevels
	moved   int // beats
	stall   func() bool
}

func newPixelsHost(spec Spec, stall func() bool) *pixelsHost {
	h := &pixelsHost{spec: spec, stall: stall}
	h.unit = NewPixelsUnit(spec, &h.cfg, &h.req, &h.src, &h.heads, &h.levels)
	h.unit.Room = sim.FirstOf(spec.Threads)
	return h
}

// cycle runs one clock.
func (h *pixelsHost) cycle() {
	if !h.src.Valid && len(h.pending) > 0 && !h.stall() {
		r := &h.pending[0]
		x, y := int(r.X)*16+h.at>>3&1*8, int(r.Y)*16+h.at>>4*8+h.at&7
		h.src.Valid, h.src.Data = true, hw.SourceBeat(binary.LittleEndian.Uint64(h.pix[r.Thread][y*h.width[r.Thread]+x:]))
	}
	h.req.Ready = !h.stall()
	h.unit.Eval()
	if h.heads.Valid {
		t := h.heads.Data.Thread
		h.gotHead[t] = append(h.gotHead[t], h.heads.Data)
	}
	if h.levels.Valid {
		t := h.levels.Data.Thread
		h.gotLev[t] = append(h.gotLev[t], h.levels.Data)
	}
	if h.req.Moves() {
		h.pending = append(h.pending, h.req.Data)
	}
	h.unit.Clock()
	if h.src.Moves() {
		h.moved++
		h.src.Valid = false
		if h.at++; h.at == sourceBeats {
			h.at = 0
			h.pending = append(h.pending[:0], h.pending[1:]...)
		}
	}
	if h.cfg.Moves() {
		h.cfg.Valid = false
	}
}

// A testFrame is a picture of a thread with its coding in software.
type testFrame struct {
	cfg  hw.FrameConfig
	pix  []byte
	want []codedCTU
}

func newTestFrame(t testing.TB, rng *rand.Rand, spec Spec, planes []codectest.Picture, thread, width, height int) *testFrame {
	fine := rng.IntN(3) > 0
	qp16 := 16 * rng.IntN(52)
	if fine {
		qp16 = rng.IntN(16*51 + 1)
	}
	p := &planes[rng.IntN(len(planes))]
	f := &testFrame{pix: p.Cut(rng.IntN(p.Width), rng.IntN(p.Height), 16*width, 16*height)}
	f.cfg = hw.FrameConfig{Thread: uint8(thread), QP: uint8(qp16 >> 4), High: uint32(highCTUs(qp16, width*height)), Fine: fine, Width: uint16(width), Height: uint16(height)}
	f.want = softwareCTUs(t, spec, f.pix, 16*width, qp16, fine, uint8(thread))
	return f
}

// run codes one frame a thread and compares.
func (h *pixelsHost) run(t testing.TB, frames []*testFrame) {
	want, got, next := 0, 0, 0
	for i, f := range frames {
		h.pix[i], h.width[i] = f.pix, 16*int(f.cfg.Width)
		h.gotHead[i], h.gotLev[i] = nil, nil
		want += len(f.want)
	}
	for cycles := 0; got < want; cycles++ {
		if cycles > 2000*want+1000 {
			t.Fatalf("%d of %d CTUs", got, want)
		}
		if !h.cfg.Valid && next < len(frames) {
			h.cfg.Valid, h.cfg.Data = true, frames[next].cfg
			next++
		}
		h.cycle()
		if l := &h.levels.Data; h.levels.Valid && l.LastTU && l.LastSub {
			got++
		}
	}
	for i, f := range frames {
		at := 0
		for k, c := range f.want {
			if k >= len(h.gotHead[i]) || h.gotHead[i][k] != c.head {
				t.Fatalf("%+v, CTU %d:\ngot  %+v\nwant %+v", f.cfg, k, h.gotHead[i][k], c.head)
			}
			for _, l := range c.levels {
				if at >= len(h.gotLev[i]) || h.gotLev[i][at] != l {
					t.Fatalf("%+v, CTU %d %+v, sub-block %d:\ngot  %+v\nwant %+v", f.cfg, k, c.head, at, h.gotLev[i][at], l)
				}
				at++
			}
		}
	}
}

var testSpecs = []Spec{
	{Threads: 8, Lanes: 8, MaxTU: 16, CTU: 16, Bypass: 4, Groups: 8, FrameCTUs: 16},
	{Threads: 5, Lanes: 1, MaxTU: 8, CTU: 16, Bypass: 4, Groups: 8, FrameCTUs: 8},
	{Threads: 1, Lanes: 1, MaxTU: 16, CTU: 16, Bypass: 4, Groups: 8, FrameCTUs: 8},
	{Threads: 4, Lanes: 2, MaxTU: 16, MinTU: 8, CTU: 16, Bypass: 4, Groups: 8, FrameCTUs: 8},
	{Threads: 3, Lanes: 3, MaxTU: 8, MinTU: 8, CTU: 16, Bypass: 4, Groups: 8, FrameCTUs: 2},
}

// TestPixels: modes, trees and levels are those of the software encoder, and levels
// also with decisions that are known.
func TestPixels(t *testing.T) {
	planes := testPlanes(t)
	for _, spec := range testSpecs {
		for _, share := range []float64{0, 0.3} {
			for _, known := range []bool{false, true} {
				t.Run(fmt.Sprintf("T=%d MaxTU=%d MinTU=%d stall=%.1f known=%v", spec.Threads, spec.MaxTU, spec.MinTU, share, known), func(t *testing.T) {
					rng := rand.New(rand.NewPCG(3, uint64(spec.Threads)))
					h := newPixelsHost(spec, func() bool { return rng.Float64() < share })
					for range 4 {
						var frames []*testFrame
						for i := range spec.Threads {
							frames = append(frames, newTestFrame(t, rng, spec, planes, i, 1+rng.IntN(spec.FrameCTUs), 1+rng.IntN(6)))
						}
						if known {
							count := make([]int, spec.Threads)
							h.unit.decide = &oracle{jobs: &h.unit.refJob, src: &h.src, plan: &h.unit.plan, delay: 60, known: func(j *Job) *Head {
								count[j.Thread]++
								return &frames[j.Thread].want[count[j.Thread]-1].head
							}}
						}
						h.run(t, frames)
					}
				})
			}
		}
	}
}

func TestPixelsNoAllocation(t *testing.T) {
	h := newPixelsHost(testSpecs[0], func() bool { return false })
	h.req.Ready, h.src.Valid, h.cfg.Valid = true, true, true
	h.cfg.Data = hw.FrameConfig{Width: 16, Height: 1000, QP: 25}
	moved := 0
	if n := testing.AllocsPerRun(5000, func() {
		h.src.Data = h.src.Data*6364136223846793005 + 1442695040888963407
		h.unit.Eval()
		if h.levels.Valid {
			moved++
		}
		h.unit.Clock()
		if h.cfg.Ready {
			h.cfg.Data.Thread = (h.cfg.Data.Thread + 1) & 7
		}
	}); n != 0 {
		t.Errorf("%v allocations a cycle", n)
	}
	if moved < 1000 {
		t.Errorf("%d sub-blocks in 5000 cycles", moved)
	}
}
