package hwenc

import (
	"math/rand/v2"
	"testing"

	"vcsim/sim"
	"vcsim/t265/block"
)

// transformBlock is a block at both ends of a transform.
type transformBlock struct {
	tag      Tag
	residual [256]int16 // raster
	coef     [256]int16
}

// randomBlock makes one: dense or sparse values of any size, and extremes.
func randomBlock(rng *rand.Rand, log2 uint8) *transformBlock {
	b := &transformBlock{tag: Tag{Thread: uint8(rng.IntN(64)), CX: uint8(rng.IntN(4)), QP: uint8(rng.IntN(52)), LastTU: rng.IntN(2) == 0, Log2: log2}}
	n := 4 << log2
	share := [...]float64{0.02, 0.3, 1}[rng.IntN(3)]
	limit := 1 << rng.IntN(17)
	extreme := rng.IntN(4) == 0
	for i := range n * n {
		if rng.Float64() >= share {
			continue
		}
		r, c := rng.IntN(511)-255, rng.IntN(2*limit+1)-limit
		if extreme {
			r, c = 510*rng.IntN(2)-255, 65536*rng.IntN(2)-32768
		}
		b.residual[i], b.coef[i] = int16(r), int16(min(max(c, -32768), 32767))
	}
	return b
}

// forward returns the coefficients of the residual, the transpose of what block.Forward makes of its transpose.
func (b *transformBlock) forward() (out [256]int16) {
	log2 := int(b.tag.Log2) + 2
	n := 1 << log2
	var p block.Pairs
	var coef [1024]int32
	for y := range n {
		for x := range n / 2 {
			p[y*n/2+x] = block.Pair(int32(b.residual[2*x*n+y]), int32(b.residual[(2*x+1)*n+y]))
		}
	}
	block.Forward(&coef, &p, log2, false)
	for i := range n * n {
		out[i] = int16(coef[i%n*n+i/n])
	}
	return out
}

// inverse returns the residual that the coefficients stand for.
func (b *transformBlock) inverse() (out [256]int16) {
	log2 := int(b.tag.Log2) + 2
	n := 1 << log2
	var p block.Pairs
	var res [1024]int16
	for i := range n * n / 2 {
		p[i] = block.Pair(int32(b.coef[2*i]), int32(b.coef[2*i+1]))
	}
	block.Inverse(&res, &p, log2, block.Extent{Rows: n, Cols: 15}, false)
	for i := range n * n {
		out[i] = max(min(res[i], 255), -256)
	}
	return out
}

// row and strip are beat i of a block, in rows and in sub-blocks.
func (b *transformBlock) row(v *[256]int16, i int) (beat [8]int16) {
	copy(beat[:], v[8*i:])
	return beat
}

func (b *transformBlock) strip(v *[256]int16, i int) (beat [8]int16) {
	n := 4 << b.tag.Log2
	half := n / 2 // beats of a strip
	for k := range beat {
		x, y := i/half*4+i%2*2+k/4, i%half/2*4+k%4
		beat[k] = v[y*n+x]
	}
	return beat
}

// A transformRun drives a transform with blocks. A pause lasts a random time.
type transformRun struct {
	rng        *rand.Rand
	idle, back bool
	size       func(rng *rand.Rand) uint8
	sent       []*transformBlock // not yet come out
	in, out    int               // beats of the last one, and of the first one
	cycles     int
	beats      int // that came out
	firstOut   int // cycle
}

func (r *transformRun) open(stall bool) bool { return !stall || r.rng.IntN(3) > 0 }

// next is the word at the input if none waits there.
func (r *transformRun) next() (b *transformBlock, i int, ok bool) {
	if !r.open(r.idle) {
		return nil, 0, false
	}
	if n := len(r.sent); n > 0 && r.in < 2<<(2*r.sent[n-1].tag.Log2) {
		b = r.sent[n-1]
	} else {
		b = randomBlock(r.rng, r.size(r.rng))
		r.sent, r.in = append(r.sent, b), 0
	}
	r.in++
	return b, r.in - 1, true
}

// moved is a beat that came out.
func (r *transformRun) moved() (b *transformBlock, i int) {
	b, i = r.sent[0], r.out
	if r.out++; r.out == 2<<(2*b.tag.Log2) {
		r.out = 0
		r.sent = r.sent[1:]
	}
	if r.beats == 0 {
		r.firstOut = r.cycles
	}
	r.beats++
	return b, i
}

func sizes(maxTU int) func(rng *rand.Rand) uint8 {
	if maxTU == 8 {
		return func(*rand.Rand) uint8 { return 1 }
	}
	left := 0
	return func(rng *rand.Rand) uint8 { // runs of 8x8
		if left == 0 {
			left = rng.IntN(12)
			return 2
		}
		left--
		return 1
	}
}

func runForward(t *testing.T, maxTU int, r *transformRun, cycles int) {
	var in sim.Stream[Residual]
	var out sim.Stream[Coefs]
	u := NewForwardUnit(maxTU, &in, &out)
	var want [256]int16
	for r.cycles = range cycles {
		if !in.Valid {
			if b, i, ok := r.next(); ok {
				in.Valid, in.Data = true, Residual{b.tag, b.row(&b.residual, i)}
			}
		}
		out.Ready = r.open(r.back)
		u.Eval()
		if out.Moves() {
			b, i := r.moved()
			if i == 0 {
				want = b.forward()
			}
			if w := (Coefs{b.tag, b.strip(&want, i)}); out.Data != w {
				t.Fatalf("cycle %d, beat %d: got %v, want %v", r.cycles, i, out.Data, w)
			}
		}
		u.Clock()
		if in.Moves() {
			in.Valid = false
		}
	}
}

func runInverse(t *testing.T, maxTU int, r *transformRun, cycles int) {
	var in sim.Stream[Coefs]
	var out sim.Stream[Residual]
	u := NewInverseUnit(maxTU, &in, &out)
	var want [256]int16
	for r.cycles = range cycles {
		if !in.Valid {
			if b, i, ok := r.next(); ok {
				in.Valid, in.Data = true, Coefs{b.tag, b.strip(&b.coef, i)}
			}
		}
		out.Ready = r.open(r.back)
		u.Eval()
		if out.Moves() {
			b, i := r.moved()
			if i == 0 {
				want = b.inverse()
			}
			if w := (Residual{b.tag, b.row(&want, i)}); out.Data != w {
				t.Fatalf("cycle %d, beat %d: got %v, want %v", r.cycles, i, out.Data, w)
			}
		}
		u.Clock()
		if in.Moves() {
			in.Valid = false
		}
	}
}

var transforms = []struct {
	name string
	run  func(t *testing.T, maxTU int, r *transformRun, cycles int)
}{{"forward", runForward}, {"inverse", runInverse}}

// TestTransforms: both transforms are those of package block, with pauses at both ends.
func TestTransforms(t *testing.T) {
	for _, x := range transforms {
		for _, maxTU := range []int{8, 16} {
			for stall := range 4 {
				r := &transformRun{rng: rand.New(rand.NewPCG(uint64(stall), 1)), idle: stall&1 != 0, back: stall&2 != 0, size: sizes(maxTU)}
				x.run(t, maxTU, r, 20000)
				if r.beats < 5000 {
					t.Errorf("%s of %d, stall %d: %d beats in %d cycles", x.name, maxTU, stall, r.beats, 20000)
				}
			}
		}
	}
}

// TestTransformPace: without pauses a beat leaves in every cycle from the first one on in blocks of one size. Where sizes follow
// each other at random, the memory between the dimensions is too full for the second half of a block of 16x16 now and then.
func TestTransformPace(t *testing.T) {
	const cycles = 20000
	for _, x := range transforms {
		for _, c := range []struct {
			name  string
			maxTU int
			size  func(rng *rand.Rand) uint8
			first int // cycle of the first beat
			gaps  int
		}{
			{"8 alone", 8, sizes(8), 17, 0},
			{"8", 16, func(*rand.Rand) uint8 { return 1 }, 21, 0},
			{"16", 16, func(*rand.Rand) uint8 { return 2 }, 49, 0},
			{"half of the area each", 16, func(rng *rand.Rand) uint8 { return 1 + uint8(rng.IntN(5))/4 }, -1, cycles * 4 / 100},
		} {
			r := &transformRun{rng: rand.New(rand.NewPCG(3, 1)), size: c.size}
			x.run(t, c.maxTU, r, cycles)
			gaps := cycles - r.firstOut - r.beats
			t.Logf("%s, %s: first beat after %d cycles, %d gaps", x.name, c.name, r.firstOut, gaps)
			if c.first >= 0 && r.firstOut != c.first || gaps > c.gaps {
				t.Errorf("%s, %s: first beat after %d cycles, want %d; %d gaps, want %d at most", x.name, c.name, r.firstOut, c.first, gaps, c.gaps)
			}
		}
	}
}

// TestTransformRoom: as many beats go into a transform of which none leaves as its memories and pipelines hold, and no more than
// eight blocks.
func TestTransformRoom(t *testing.T) {
	for _, tt := range []struct {
		maxTU         int
		log2          uint8
		forward, back int
	}{{8, 1, 26, 24}, {16, 1, 64, 64}, {16, 2, 68, 80}} {
		var res, back sim.Stream[Residual]
		var coef, deq sim.Stream[Coefs]
		f, i := NewForwardUnit(tt.maxTU, &res, &coef), NewInverseUnit(tt.maxTU, &deq, &back)
		var got [2]int
		for range 400 {
			res.Valid, res.Data.Log2, deq.Valid, deq.Data.Log2 = true, tt.log2, true, tt.log2
			f.Eval()
			i.Eval()
			if res.Moves() {
				got[0]++
			}
			if deq.Moves() {
				got[1]++
			}
			f.Clock()
			i.Clock()
		}
		if want := [2]int{tt.forward, tt.back}; got != want {
			t.Errorf("MaxTU %d, blocks of %d: got %v beats, want %v", tt.maxTU, 4<<tt.log2, got, want)
		}
	}
}

// TestTransformAllocs: a cycle allocates nothing.
func TestTransformAllocs(t *testing.T) {
	var res, back sim.Stream[Residual]
	var coef sim.Stream[Coefs]
	f, i := NewForwardUnit(16, &res, &coef), NewInverseUnit(16, &coef, &back)
	back.Ready = true
	if n := testing.AllocsPerRun(1000, func() {
		res.Valid, res.Data.Log2 = true, 2
		i.Eval()
		f.Eval()
		i.Clock()
		f.Clock()
	}); n != 0 {
		t.Errorf("%v allocations a cycle", n)
	}
}
