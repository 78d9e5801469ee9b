package hwenc

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"vcsim/internal/codectest"
	"vcsim/sim"
	"vcsim/t265"
)

// A codeBench is the entropy coding behind a pixel path that says what CTUs hold.
type codeBench struct {
	heads  sim.Stream[Head]
	levels sim.Stream[SubLevels]
	out    sim.Stream[SliceWord]
	unit   *CodeUnit
	rng    *rand.Rand // nil for no pauses

	threads []codeThread
	loop    int // thread whose block comes
	pace    int // cycles from one sub-block to the next
	wait    int
	cycles  int
	ops     uint64
	words   [][]Word // by thread
	data    [][]byte
}

// A codeThread is a thread of the pixel path.
type codeThread struct {
	ctus  []PathCTU // that are not requested
	path  []PathCTU // that are
	head  bool      // of path[0] is sent
	at    int       // sub-block of path[0] that comes next
	left  int       // slices without their last byte
	since int       // cycle of the last request
}

func newCodeBench(spec Spec, rng *rand.Rand) *codeBench {
	b := &codeBench{rng: rng, threads: make([]codeThread, spec.Threads), words: make([][]Word, spec.Threads), data: make([][]byte, spec.Threads), pace: 2}
	b.unit = NewCodeUnit(spec, 16, &b.heads, &b.levels, &b.out)
	return b
}

func (b *codeBench) open() bool { return b.rng == nil || b.rng.IntN(3) != 0 }

// drive sets the inputs of a cycle from what Room was in the one before.
func (b *codeBench) drive() {
	s := b.unit.Store
	s.Take, b.heads.Valid, b.levels.Valid = false, false, false
	n := len(b.threads)
	for k := range n {
		t := (b.cycles + k) % n
		if th := &b.threads[t]; len(th.ctus) > 0 && s.Room.Has(t) && th.since != b.cycles-1 && b.open() {
			th.since = b.cycles
			th.path, th.ctus = append(th.path, th.ctus[0]), th.ctus[1:]
			s.Take, s.TakeThread = true, uint8(t)
			break
		}
	}
	if b.wait--; b.wait > 0 || !b.open() {
		return
	}
	for k := range n { // the block under way, or that of the next thread
		t := (b.loop + k) % n
		th := &b.threads[t]
		if len(th.path) == 0 {
			continue
		}
		b.loop = t
		c := &th.path[0]
		if !th.head {
			th.head = true
			b.heads.Valid, b.heads.Data = true, c.Head
			b.heads.Data.Thread = uint8(t)
			return
		}
		l := &c.Levels[th.at]
		b.levels.Valid, b.levels.Data = true, *l
		b.levels.Data.Thread = uint8(t)
		b.wait = b.pace
		if l.LastSub {
			b.loop = (t + 1) % n
		}
		if th.at++; th.at == len(c.Levels) {
			th.at, th.head, th.path = 0, false, th.path[1:]
		}
		return
	}
}

func (b *codeBench) step() {
	u := b.unit
	b.drive()
	b.out.Ready = b.open()
	u.Eval()
	for i := range u.Store.Words {
		if w := &u.Store.Words[i]; u.stepped && w.Valid {
			if !w.Ready {
				panic(fmt.Sprintf("lane %d is not ready for its word", i))
			}
			t := int(u.Store.Turn(i))*len(u.lanes) + i
			b.words[t] = append(b.words[t], w.Data)
		}
	}
	b.ops += u.ops()
	u.Clock()
	b.cycles++
	if b.out.Moves() {
		w := &b.out.Data
		for k := range w.Count {
			b.data[w.Thread] = append(b.data[w.Thread], byte(w.Data>>(8*k)))
		}
		if w.Last {
			b.threads[w.Thread].left--
		}
	}
}

// meant clears what a word of a block without levels says in vain.
func meant(words []Word) []Word {
	words = slices.Clone(words)
	for i := 0; i < len(words); {
		b := words[i].block()
		if !b.Coded {
			b.Scan, b.Hide = 0, true
		}
		words[i] = b.Word()
		i++
		for sub := b.Coded; sub; {
			s := words[i].subBlock()
			for i++; s.Greater != 0; s.Greater >>= 4 {
				if s.Greater&15 != 0 {
					i++
				}
			}
			sub = !s.DC
		}
	}
	return words
}

// TestCode: the words of the lanes and the bytes of the slices are those of the software.
func TestCode(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	for i, p := range [][3]int{{4, 4, 16}, {8, 4, 8}, {1, 1, 16}, {6, 2, 16}, {3, 3, 8}, {16, 8, 16}} {
		spec := DefaultSpec()
		spec.Threads, spec.Lanes, spec.MaxTU = p[0], p[1], p[2]
		b := newCodeBench(spec, []*rand.Rand{nil, rng}[i%2])
		b.unit.stepped = i < 3
		words, data := make([][]Word, spec.Threads), make([][]byte, spec.Threads)
		for n := range 3 * spec.Threads {
			th := n % spec.Threads
			params := t265.Params{Width: 8 + rng.IntN(60), Height: 8 + rng.IntN(40), CTU: 16, Slices: rng.IntN(2), MaxTU: spec.MaxTU, FineQP: rng.IntN(2) == 0}
			qp16 := rng.IntN(16*51 + 1)
			if !params.FineQP {
				qp16 &^= 15
			}
			kind := codectest.Kinds[n%len(codectest.Kinds)]
			list, err := CodePicture(params, codectest.Plane(kind, params.Width, params.Height, uint64(n)), params.Width, qp16)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range list {
				b.threads[th].ctus = append(b.threads[th].ctus, s.CTUs...)
				b.threads[th].left++
				words[th] = append(words[th], s.Words...)
				data[th] = append(data[th], s.Data...)
			}
		}
		left := func() (n int) {
			for i := range b.threads {
				n += b.threads[i].left
			}
			return n
		}
		for left() > 0 && b.cycles < 1<<20 {
			b.step()
		}
		for th := range spec.Threads {
			got, want := meant(b.words[th]), meant(words[th])
			for k, w := range got {
				if k >= len(want) || w != want[k] {
					t.Errorf("%+v, thread %d: word %d is %#x, not that of the software", spec, th, k, w)
					break
				}
			}
			if !bytes.Equal(b.data[th], data[th]) {
				t.Errorf("%+v, thread %d: %d bytes differ from %d; %d words of %d", spec, th, len(b.data[th]), len(data[th]), len(b.words[th]), len(words[th]))
			}
		}
	}
}

// TestCodeRate: on Gaussian values at 3 bits the lanes are hardly ever idle.
func TestCodeRate(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	const w, h = 256, 64
	pix := make([]byte, w*h)
	for i := range pix {
		pix[i] = uint8(min(max(128+28*rng.NormFloat64(), 0), 255))
	}
	for _, qp := range []int{27, 36, 18} {
		spec := DefaultSpec()
		spec.Threads, spec.Lanes = 16, 16
		b := newCodeBench(spec, nil)
		list, err := CodePicture(t265.Params{Width: w, Height: h, CTU: 16, MaxTU: 16}, pix, w, 16*qp)
		if err != nil {
			t.Fatal(err)
		}
		for i := range b.threads {
			b.threads[i].ctus = list[0].CTUs
			b.threads[i].left = 1
		}
		const warm, cycles = 3000, 12000
		for range warm {
			b.step()
		}
		before, coded := b.ops, 0
		for i := range b.threads {
			coded -= len(b.threads[i].ctus)
		}
		for range cycles {
			b.step()
		}
		for i := range b.threads {
			coded += len(b.threads[i].ctus)
		}
		busy := float64(b.ops-before) / cycles / float64(spec.Lanes)
		t.Logf("QP %d, %.2f bits a value: %.3f operations a cycle and lane, %.2f values a cycle", qp, 8*float64(len(list[0].Data))/(w*h), busy, -256*float64(coded)/cycles)
		if qp == 27 && busy < 0.95 {
			t.Errorf("lanes code in %.3f of the cycles", busy)
		}
	}
}
