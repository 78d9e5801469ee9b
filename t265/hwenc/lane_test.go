package hwenc

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"vcsim/internal/cabac"
	"vcsim/internal/cabachw"
	"vcsim/internal/codectest"
	"vcsim/sim"
	"vcsim/t265"
	"vcsim/t265/hw"
)

// A laneBench is a lane with the unit of the contexts, and what moves through it.
type laneBench struct {
	in      sim.Stream[Word]
	set     sim.Stream[hw.ContextValue]
	out     sim.Stream[cabachw.Word]
	lane    *LaneUnit
	context *hw.ContextUnit
	// Cycles of a slice, and operations in them: with a context, and others.
	cycles, contexts, others int
}

func newLaneBench(spec LaneSpec) *laneBench {
	b := new(laneBench)
	b.lane = NewLaneUnit(spec, 16, &b.in, &b.set, &b.out)
	b.context = hw.NewContextUnit(hw.ContextSpec{Lanes: 1, MaxTU: spec.MaxTU}, []*sim.Stream[hw.ContextValue]{&b.set})
	return b
}

// code sends the words of a slice and returns its bytes. Where rng is not nil, both
// sides pause.
func (b *laneBench) code(t *testing.T, words []Word, rng *rand.Rand) (data []byte) {
	t.Helper()
	open := func() bool { return rng == nil || rng.IntN(3) != 0 }
	for idle := 0; idle < 5000; idle++ {
		if !b.in.Valid && len(words) > 0 && open() {
			b.in.Valid, b.in.Data = true, words[0]
			words = words[1:]
		}
		b.out.Ready = open()
		b.context.Eval()
		b.lane.Eval()
		b.context.Init[0], b.context.QP[0] = b.lane.Init()
		if o := &b.lane.ops; o.Moves() && o.Data.Kind != cabac.OpInit {
			if idle = 0; o.Data.Kind == cabac.OpContext {
				b.contexts++
			} else {
				b.others++
			}
		}
		if b.lane.open && !b.lane.binarise.Init {
			b.cycles++
		}
		b.context.Clock()
		b.lane.Clock()
		if b.in.Moves() {
			b.in.Valid = false
		}
		if b.out.Moves() {
			for k := range b.out.Data.Count {
				data = append(data, byte(b.out.Data.Data>>(8*k)))
			}
			if b.out.Data.Last {
				if len(words) > 0 || b.in.Valid {
					t.Fatalf("%d words are left over", len(words))
				}
				return data
			}
		}
	}
	t.Fatalf("the lane stands still, %d words to go; syntax %+v, residual %+v", len(words), b.lane.binarise.syntax, b.lane.binarise.residual)
	return nil
}

// TestLane: the bytes of a lane are the slice data of the software, for all sizes,
// tools and kinds of content.
func TestLane(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	specs := []LaneSpec{{4, 8, 32}, {7, 2, 32}, {5, 16, 32}, {4, 2, 16}}
	for i := range 160 {
		p := t265.Params{Width: 8 + rng.IntN(90), Height: 8 + rng.IntN(70), CTU: []int{0, 16, 32, 64}[rng.IntN(4)],
			MaxTU: []int{0, 4, 8, 16, 32}[rng.IntN(5)], Slices: rng.IntN(3), FineQP: rng.IntN(2) == 0}
		for _, tool := range []t265.Tools{t265.ToolSDH, t265.ToolTSkip, t265.ToolIntra, t265.ToolTU4, t265.ToolTU8, t265.ToolTU16} {
			if rng.IntN(4) == 0 {
				p.Off |= tool
			}
		}
		spec := specs[i%len(specs)]
		if p.Validate() != nil || p.MaxTU > spec.MaxTU {
			continue
		}
		qp16 := 16 * (i * 7 % 52)
		if p.FineQP {
			qp16 = min(qp16+rng.IntN(16), 16*51)
		}
		kind := codectest.Kinds[i%len(codectest.Kinds)]
		slices, err := CodePicture(p, codectest.Plane(kind, p.Width, p.Height, uint64(i)), p.Width, qp16)
		if err != nil {
			t.Fatal(err)
		}
		b := newLaneBench(spec)
		pause := rng
		if i%2 == 0 {
			pause = nil
		}
		for k, s := range slices {
			if got := b.code(t, s.Words, pause); !bytes.Equal(got, s.Data) {
				t.Fatalf("%d: %+v, %s, QP %d/16, %+v: slice %d of %d bytes differs from the %d of the software", i, p, kind, qp16, spec, k, len(got), len(s.Data))
			}
		}
	}
}

// TestLaneRate: on Gaussian values at 3 bits a lane does an operation in 98 of 100 cycles or more while a slice is open, and packs three
// bypass bins or more into a cycle.
func TestLaneRate(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	const size = 128
	pix := make([]byte, size*size)
	for i := range pix {
		pix[i] = uint8(min(max(128+28*rng.NormFloat64(), 0), 255))
	}
	params := t265.Params{Width: size, Height: size}
	e, err := t265.NewEncoder(params)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.AppendFrame(nil, pix, size, 27); err != nil {
		t.Fatal(err)
	}
	stats := e.Stats()
	slices, err := CodePicture(params, pix, size, 16*27)
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range []LaneSpec{{4, 4, 16}, {4, 8, 16}, {7, 4, 16}} {
		b := newLaneBench(spec)
		data := b.code(t, slices[0].Words, nil)
		const values = size * size
		busy := float64(b.contexts+b.others) / float64(b.cycles)
		packed := float64(stats.BypassBins()) / float64(b.others)
		t.Logf("%+v: %.2f bits a value, %.3f cycles a value, %.3f of them busy, %.2f bypass bins in a cycle of them",
			spec, 8*float64(len(data))/values, float64(b.cycles)/values, busy, packed)
		if busy < 0.98 || packed < 3 {
			t.Errorf("%+v: busy for %.3f of the cycles, %.2f bypass bins a cycle", spec, busy, packed)
		}
	}
}
