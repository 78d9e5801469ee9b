package hwenc

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"vcsim/sim"
	"vcsim/t265/block"
	"vcsim/t265/hw"
)

// A samplesThread codes pictures of random size with random modes and trees.
type samplesThread struct {
	grid     block.Grid
	src, rec []byte
	stride   int
	cx, cy   int // the CTU
	mode     uint8
	tree     []TU // its blocks to come
	busy     bool
	pred     [256]uint8 // of the block under way
	beat     int        // of it, next to be sent
	blocks   int
}

// A samplesBench stands for all that is around a SamplesUnit: source memory, tree, and a
// path that changes residuals a little.
type samplesBench struct {
	t       *testing.T
	rng     *rand.Rand
	stall   bool
	maxTU   int
	unit    *SamplesUnit
	threads []samplesThread
	wide    []Residual
	narrow  []SkipScaled
	tu      sim.Stream[FirstTU]
	res     sim.Stream[Residual]
	skip    sim.Stream[SkipResidual]
	inv     sim.Stream[Residual]
	scaled  sim.Stream[SkipScaled]
	done    sim.Stream[Done]
	line    sim.Stream[Line]
	beats   int // that left the prediction
	kind    int // of tree: 0 random, else blocks of size 2 << kind alone
}

func newSamplesBench(t *testing.T, spec Spec, stall bool, seed uint64) *samplesBench {
	b := &samplesBench{t: t, rng: rand.New(rand.NewPCG(seed, 9)), stall: stall, maxTU: spec.MaxTU, threads: make([]samplesThread, spec.Threads)}
	b.unit = NewSamplesUnit(spec, &b.tu, &b.res, &b.skip, &b.inv, &b.scaled, &b.done, &b.line)
	for i := range b.threads {
		b.picture(&b.threads[i])
	}
	return b
}

func (b *samplesBench) open() bool { return !b.stall || b.rng.IntN(3) != 0 }

// picture starts a picture of noise, of stripes, or of extremes.
func (b *samplesBench) picture(s *samplesThread) {
	w, h := 1+b.rng.IntN(4), 1+b.rng.IntN(3)
	s.grid = block.NewGrid(16*w, 16*h, 4)
	s.stride = 16*w + 8
	s.src, s.rec = make([]byte, s.stride*16*h), make([]byte, s.stride*16*h)
	kind := b.rng.IntN(3)
	for i := range s.src {
		switch kind {
		case 0:
			s.src[i] = uint8(b.rng.Uint32())
		case 1:
			s.src[i] = uint8(i%s.stride*3 + i/s.stride*5 + b.rng.IntN(4))
		default:
			s.src[i] = uint8(255 * b.rng.IntN(2))
		}
	}
	s.cx, s.cy = 0, 0
	b.plan(s)
}

// plan chooses mode and tree of the CTU.
func (b *samplesBench) plan(s *samplesThread) {
	s.mode = uint8(b.rng.IntN(4))
	s.tree = s.tree[:0]
	var add func(cx, cy, log2 uint8)
	add = func(cx, cy, log2 uint8) {
		split := b.rng.IntN(2) == 0
		if b.kind > 0 {
			split = int(log2)+1 > b.kind
		}
		if log2 > 0 && (split || 4<<log2 > b.maxTU) {
			h := uint8(1) << (log2 - 1)
			for i := range uint8(4) {
				add(cx+i&1*h, cy+i>>1*h, log2-1)
			}
			return
		}
		s.tree = append(s.tree, TU{Tag: Tag{CX: cx, CY: cy, Log2: log2, Mode: s.mode, QP: uint8(b.rng.IntN(52))}})
	}
	add(0, 0, 2)
	s.tree[0].First = true
	s.tree[len(s.tree)-1].LastTU = true
	w := s.grid.CTBWidth
	for i := range s.tree {
		t := &s.tree[i]
		t.Left, t.Above, t.Right = s.cx > 0, s.cy > 0, s.cy > 0 && s.cx+1 < w
	}
}

// issue sends a block of a thread that has none under way, and computes what becomes
// of it.
func (b *samplesBench) issue() {
	i := b.rng.IntN(len(b.threads))
	for range b.threads {
		if i = (i + 1) % len(b.threads); !b.threads[i].busy {
			break
		}
	}
	s := &b.threads[i]
	if s.busy {
		return
	}
	s.busy, s.beat = true, 0
	t := s.tree[0]
	s.tree = s.tree[1:]
	t.Thread = uint8(i)
	f := FirstTU{TU: t, Corner: uint8(b.rng.Uint32())}
	for k := range f.Row {
		f.Row[k] = uint8(b.rng.Uint32())
	}
	if at := 16 * (s.cy*s.stride + s.cx); t.First && t.Above {
		copy(f.Row[:], s.rec[at-s.stride:])
		if t.Left {
			f.Corner = s.rec[at-s.stride-1]
		}
	}
	b.tu.Valid, b.tu.Data = true, f
	x, y, log2 := 16*s.cx+4*int(t.CX), 16*s.cy+4*int(t.CY), int(t.Log2)+2
	edges := s.grid.Edges(s.cy*s.grid.CTBWidth+s.cx, 0)
	var r, filtered block.Refs
	for k := range r {
		r[k] = uint8(b.rng.Uint32())
	}
	r.Gather(s.rec, s.stride, y*s.stride+x, 1<<log2, s.grid.Neighbours(x, y, 1<<log2, edges))
	mode := int(block.DecisionModes[t.Mode])
	use := &r
	if block.Filtered(log2, mode) {
		use = &filtered
		r.Filter(use, log2, false)
	}
	block.Predict(s.pred[:], 1<<log2, log2, mode, use)
}

// beat checks a beat of residual, and returns what comes back.
func (b *samplesBench) beat(tag Tag, values *[8]int16, skip bool) (back [8]int16) {
	s := &b.threads[tag.Thread]
	n := 4 << tag.Log2
	for k, v := range values {
		i := 8*s.beat + k
		x, y := i%n, i/n
		at := (16*s.cy+4*int(tag.CY)+y)*s.stride + 16*s.cx + 4*int(tag.CX) + x
		if want := int16(s.src[at]) - int16(s.pred[i]); v != want {
			b.t.Fatalf("%+v, (%d, %d) of CTU (%d, %d): got %d, want %d", tag, x, y, s.cx, s.cy, v, want)
		}
		change := b.rng.IntN(9) - 4
		if b.rng.IntN(16) == 0 {
			change = b.rng.IntN(1024) - 512
		}
		rest := min(max(int(v)+change, -256), 255)
		back[k] = int16(rest)
		if skip {
			back[k] = int16(max(32*(int(v)+change)+b.rng.IntN(32)-16, -32768))
			rest = (int(back[k])<<7 + 2048) >> 12
		}
		s.rec[at] = uint8(min(max(int(s.pred[i])+rest, 0), 255))
	}
	s.beat++
	b.beats++
	return back
}

// cycle runs one.
func (b *samplesBench) cycle() {
	if !b.tu.Valid && b.open() {
		b.issue()
	}
	b.res.Ready, b.skip.Ready = b.open(), b.open()
	if !b.inv.Valid && len(b.wide) > 0 && b.open() {
		b.inv.Valid, b.inv.Data = true, b.wide[0]
		b.wide = b.wide[1:]
	}
	if !b.scaled.Valid && len(b.narrow) > 0 && b.open() {
		b.scaled.Valid, b.scaled.Data = true, b.narrow[0]
		b.narrow = b.narrow[1:]
	}
	u := b.unit
	u.Eval()
	read, addr := u.SrcRead, u.SrcAddr
	if b.res.Moves() {
		b.wide = append(b.wide, Residual{b.res.Data.Tag, b.beat(b.res.Data.Tag, &b.res.Data.Values, false)})
	}
	if b.skip.Moves() {
		b.narrow = append(b.narrow, SkipScaled{b.skip.Data.Tag, b.beat(b.skip.Data.Tag, &b.skip.Data.Values, true)})
	}
	if b.line.Valid {
		s := &b.threads[b.line.Data.Thread]
		if want := s.rec[(16*s.cy+15)*s.stride+16*s.cx:][:16]; !bytes.Equal(b.line.Data.Samples[:], want) || !b.done.Valid {
			b.t.Fatalf("line: got %v, want %v", b.line.Data.Samples, want)
		}
	}
	if b.done.Valid {
		d := b.done.Data
		s := &b.threads[d.Thread]
		if !s.busy || d.LastTU != (len(s.tree) == 0) || d.LastTU != b.line.Valid {
			b.t.Fatalf("done: %+v", d)
		}
		s.busy = false
		s.blocks++
		if d.LastTU {
			if s.cx++; s.cx == s.grid.CTBWidth {
				s.cx = 0
				s.cy++
			}
			if s.cy == s.grid.CTBHeight {
				b.picture(s)
			} else {
				b.plan(s)
			}
		}
	}
	u.Clock()
	for i := range read {
		if read[i] {
			u.Src[i] = b.source(addr, i)
		}
	}
	for _, w := range []*sim.Wire{&b.tu.Wire, &b.inv.Wire, &b.scaled.Wire} {
		if w.Moves() {
			w.Valid = false
		}
	}
}

// source answers a read of a memory of source samples.
func (b *samplesBench) source(addr uint16, odd int) (v hw.SourceBeat) {
	s := &b.threads[addr>>4]
	y := 16*s.cy + int(addr>>3&1*8+addr&3*2) + odd
	for k := range 8 {
		v |= hw.SourceBeat(s.src[y*s.stride+16*s.cx+int(addr>>2&1*8)+k]) << (8 * k)
	}
	return v
}

// TestSamples: blocks are predicted as package block does from all of the picture, and
// what is reconstructed is the prediction and the residual.
func TestSamples(t *testing.T) {
	for seed := range uint64(8) {
		spec := DefaultSpec()
		spec.Threads = []int{1, 16, 5, 64}[seed%4]
		spec.MaxTU = []int{16, 8}[seed/4]
		b := newSamplesBench(t, spec, seed&1 == 0, seed)
		for range 30000 {
			b.cycle()
		}
		for i := range b.threads {
			if b.threads[i].blocks < 10000/(12*spec.Threads) {
				t.Errorf("seed %d: thread %d did %d blocks", seed, i, b.threads[i].blocks)
			}
		}
	}
}

// TestSamplesStream: blocks of different threads follow each other without a gap, and
// a block takes its time at either end.
func TestSamplesStream(t *testing.T) {
	for kind := 1; kind <= 3; kind++ {
		spec := DefaultSpec()
		b := newSamplesBench(t, spec, false, uint64(kind))
		b.kind = kind
		for i := range b.threads {
			b.picture(&b.threads[i])
		}
		for range 100 {
			b.cycle()
		}
		b.beats = 0
		const cycles = 4000
		for range cycles {
			b.cycle()
		}
		if b.beats < cycles*99/100 {
			t.Errorf("blocks of %d: %d beats in %d cycles", 2<<kind, b.beats, cycles)
		}
	}
	for log2 := range uint8(3) {
		b := newSamplesBench(t, DefaultSpec(), false, 1)
		b.kind = int(log2) + 1
		b.picture(&b.threads[0])
		for i := range b.threads[1:] {
			b.threads[1+i].busy = true
		}
		// Five to the first beat, two through the queue of predictions, one to the sum.
		want := 5 + 2 + int(lastBeat[log2]) + 1 + 1
		start := b.threads[0].blocks
		cycles := 0
		for b.threads[0].blocks == start {
			b.cycle()
			cycles++
		}
		if cycles != want {
			t.Errorf("size %d: %d cycles, want %d", 4<<log2, cycles, want)
		}
	}
}

// TestSamplesRoom: of blocks of which nothing comes back, as many beats leave as predictions
// find room: in a memory, and one in the register behind it.
func TestSamplesRoom(t *testing.T) {
	for _, tt := range []struct{ maxTU, kind, want int }{{16, 1, 17}, {8, 1, 17}, {8, 2, 65}, {16, 2, 129}, {16, 3, 129}} {
		b := newSamplesBench(t, Spec{Threads: 64, MaxTU: tt.maxTU}, false, 1)
		b.kind = tt.kind
		for i := range b.threads {
			b.picture(&b.threads[i])
		}
		for range 300 {
			b.cycle()
			b.wide, b.narrow = nil, nil
			b.inv.Valid, b.scaled.Valid = false, false
		}
		if b.beats != tt.want {
			t.Errorf("MaxTU %d, blocks of %d: %d beats, want %d", tt.maxTU, 2<<tt.kind, b.beats, tt.want)
		}
	}
}

// TestSamplesBusy: no CTU may start in the cycles in which the reconstruction writes rows or
// diagonals: with the last beat of a block, with that of the upper half of an 8x8 block, and
// with that of the first half of the lowest row of a 16x16 block.
func TestSamplesBusy(t *testing.T) {
	for log2, want := range [][]int{{0}, {-4, 0}, {-1, 0}} {
		b := newSamplesBench(t, DefaultSpec(), false, 1)
		b.kind = log2 + 1
		b.picture(&b.threads[0])
		for i := range b.threads[1:] {
			b.threads[1+i].busy = true
		}
		var got []int
		for cycle := 0; b.threads[0].blocks == 0; cycle++ {
			if b.cycle(); !b.tu.Ready {
				got = append(got, cycle)
			}
		}
		for i := range got {
			got[i] -= 5 + 2 + int(lastBeat[log2]) + 1 // TestSamplesStream
		}
		if !slices.Equal(got, want) {
			t.Errorf("size %d: got %v, want %v", 4<<log2, got, want)
		}
	}
}

func BenchmarkSamples(b *testing.B) {
	bench := newSamplesBench(nil, DefaultSpec(), false, 1)
	b.ReportAllocs()
	for b.Loop() {
		bench.cycle()
	}
}
