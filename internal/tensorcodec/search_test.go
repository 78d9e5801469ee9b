package tensorcodec

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"vcsim/internal/tensor"
)

// ruled is a codec whose frames have the size and the errors that a test says, and that notes how it was asked. Samples must be near 128.
type ruled struct {
	standin
	size    func(qp QP) int               // bytes of a frame
	squared func(qp QP) int               // sum of squared errors of a frame
	before  func(pix []byte, qp QP) error // of every frame
	mu      *sync.Mutex
	asked   *[]QP
	first   *[]byte // sample of each frame
}

type ruledEncoder struct {
	codec ruled
	cfg   Config
	recon []byte
}

func newRuled(size, squared func(qp QP) int) ruled {
	return ruled{size: size, squared: squared, mu: new(sync.Mutex), asked: new([]QP), first: new([]byte)}
}

func (c ruled) NewEncoder(cfg Config) (Encoder, error) {
	return &ruledEncoder{c, cfg, make([]byte, cfg.Width*cfg.Height)}, nil
}

func (e *ruledEncoder) AppendHeader(dst []byte) []byte { return dst }
func (e *ruledEncoder) Recon() []byte                  { return e.recon }
func (e *ruledEncoder) Bins() Bins                     { return Bins{} }

func (e *ruledEncoder) AppendFrame(dst, pix []byte, stride int, qp QP, _ int) ([]byte, error) {
	if e.codec.before != nil {
		if err := e.codec.before(pix, qp); err != nil {
			return nil, err
		}
	}
	e.codec.mu.Lock()
	*e.codec.asked = append(*e.codec.asked, qp)
	*e.codec.first = append(*e.codec.first, pix[0])
	e.codec.mu.Unlock()
	n := len(e.recon)
	total := 0
	if e.codec.squared != nil {
		total = e.codec.squared(qp)
	}
	a := int(math.Sqrt(float64(total) / float64(n)))
	more := (total - n*a*a) / (2*a + 1) // samples whose error is one more
	for y := range e.cfg.Height {
		for x := range e.cfg.Width {
			off := a
			if y*e.cfg.Width+x < more {
				off++
			}
			e.recon[y*e.cfg.Width+x] = byte(int(pix[y*stride+x]) + off)
		}
	}
	return append(dst, make([]byte, e.codec.size(qp))...), nil
}

// searching returns a search over a plane of one frame of 64 x 64.
func searching(t *testing.T, codec ruled, target Target) *searcher {
	t.Helper()
	plane := bytes.Repeat([]byte{100}, 64*64)
	g, err := NewGrid(64, 64, 64, 64)
	if err != nil {
		t.Fatal(err)
	}
	o := standinOptions(target)
	o.Codec = codec
	c, err := newFrameCoder(&planeSubject{grid: g, plane: plane, errs: codeErrors(plane, 64)}, g, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &searcher{c: c, goal: goal{unit: 1}, codes: func() float64 { return 1 }}
}

// TestSecant: where rate and error change as theory has it, a bit for six steps of the parameter, a search codes three times from
// wherever it begins: at the beginning, a little beyond the target, and on it.
func TestSecant(t *testing.T) {
	const n = 64 * 64
	for _, kind := range []TargetKind{TargetBits, TargetMSE} {
		for _, start := range []QP{0, 3, 96, 300, 500, 801, 816} {
			for _, meets := range []QP{40, 200, 400, 650, 740} {
				target := Target{kind, 10}
				if kind == TargetMSE {
					target.Value = math.Exp2(float64(meets)/48) / 8
				}
				codec := newRuled(func(qp QP) int { return int(math.Round(n / 8 * (10 + float64(meets-qp)/96))) },
					func(qp QP) int { return int(math.Round(n * math.Exp2(float64(qp)/48) / 8)) })
				s := searching(t, codec, target)
				best, err := s.bracket(start, nil)
				if err != nil {
					t.Fatal(err)
				}
				tries := len(*codec.asked)
				if !s.done(best) || tries > 3 && (meets > 50 || tries > 4) || (*codec.asked)[0] != start {
					t.Errorf("%v, met at %d, begun at %d: QPs %d, off by %g", target, meets, start, *codec.asked, best.off)
				}
			}
		}
	}
}

// TestSearchEnds: a search ends where the target is met, where the parameters on both sides of it are neighbours, at an end of the range,
// or after twelve tries; and it returns the best that it has seen: the nearest in rate, of errors the largest that is allowed.
func TestSearchEnds(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 1))
	const n = 64 * 64
	for round := range 400 {
		kind := TargetBits
		if round%2 == 1 {
			kind = TargetMSE
		}
		// Rates and errors by stairs of random height and width.
		at := make([]float64, 51*qpOne+1)
		level := 8 + 4*rng.Float64()
		for i := range at {
			if rng.IntN(1+round/20) == 0 {
				level -= rng.ExpFloat64() * float64(1+round/20) / 100
			}
			at[i] = max(level, 3)
		}
		size := func(qp QP) int { return int(n / 8 * at[qp]) }
		squared := func(qp QP) int { return int(n * math.Exp2(2*(8-at[qp]))) }
		target := Target{kind, at[rng.IntN(len(at))] + 0.3*rng.Float64() - 0.1}
		if kind == TargetMSE {
			target.Value = math.Exp2(2*(8-at[rng.IntN(len(at))])) * (0.9 + 0.2*rng.Float64())
		}
		if target.Value <= 0 {
			continue
		}
		codec := newRuled(size, squared)
		s := searching(t, codec, target)
		best, err := s.bracket(QP(rng.IntN(len(at))), nil)
		if err != nil {
			t.Fatal(err)
		}
		asked := *codec.asked
		off := func(qp QP) float64 {
			if kind == TargetBits {
				return target.Value - 8*float64(size(qp))/n
			}
			a := math.Floor(math.Sqrt(float64(squared(qp)) / n)) // what the codec makes of the sum of squares
			more := math.Floor((float64(squared(qp)) - n*a*a) / (2*a + 1))
			return math.Log2((a*a*n+more*(2*a+1))/n/target.Value) / 2
		}
		met := func(o float64) bool {
			if kind == TargetBits {
				return math.Abs(o) <= 0.003*target.Value
			}
			return o <= 0 && o >= -0.0072
		}
		lo, hi := QP(-1), QP(51*qpOne+1)
		seen := map[QP]bool{}
		for k, qp := range asked {
			if seen[qp] || qp <= lo || qp >= hi {
				t.Fatalf("round %d: QPs %d: the %d. is not between %d and %d", round, asked, k+1, lo, hi)
			}
			seen[qp] = true
			if last := k == len(asked)-1; met(off(qp)) && !last {
				t.Fatalf("round %d: QPs %d: the %d. meets the target", round, asked, k+1)
			}
			if off(qp) < 0 {
				lo = qp
			} else {
				hi = qp
			}
			if hi-lo <= 1 && k != len(asked)-1 {
				t.Fatalf("round %d: QPs %d: nothing is left behind the %d.", round, asked, k+1)
			}
		}
		if last := asked[len(asked)-1]; !met(off(last)) && hi-lo > 1 && len(asked) != 12 {
			t.Errorf("round %d: QPs %d: ends early", round, asked)
		}
		want := asked[0]
		for _, qp := range asked[1:] {
			a, b := off(qp), off(want)
			switch {
			case kind == TargetMSE && (a <= 0) != (b <= 0):
				if a <= 0 {
					want = qp
				}
			case math.Abs(a) < math.Abs(b):
				want = qp
			}
		}
		if best.qp != want || math.Abs(best.off-off(want)) > 1e-9 {
			t.Errorf("round %d: of QPs %d the best is %d, off by %g; got %d, %g", round, asked, want, off(want), best.qp, best.off)
		}
	}
}

// TestAim: a search heads for the middle of what it accepts.
func TestAim(t *testing.T) {
	for _, target := range []Target{{TargetBits, 4}, {TargetMSE, 4}} {
		s := searcher{c: &frameCoder{opt: standinOptions(target)}}
		aim := s.aim()
		far := 0.003 * target.Value
		if target.Kind == TargetMSE {
			far = 0.0072 / 2
		}
		for off, want := range map[float64]bool{aim: true, aim + 0.999*far: true, aim - 0.999*far: true, aim + 1.001*far: false, aim - 1.001*far: false} {
			if got := s.done(point{off: off}); got != want {
				t.Errorf("%v: off by %g is met: %v", target, off, got)
			}
		}
		if note := s.note(point{off: aim}); note != "" {
			t.Errorf("%v: %s", target, note)
		}
		if note := s.note(point{off: 0.5, qp: 5}); !strings.Contains(note, map[TargetKind]string{TargetBits: "is 3.5000", TargetMSE: "gives 8"}[target.Kind]) {
			t.Errorf("%v: %q", target, note)
		}
	}
}

// TestSearchBegins: a search for a plane begins where theory puts it, from the variance of its codes or the size of a step.
func TestSearchBegins(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 2))
	plane := make([]byte, 64*64)
	for i := range plane {
		plane[i] = byte(100 + 20*rng.IntN(2))
	}
	g, _ := NewGrid(64, 64, 64, 64)
	for _, c := range []struct {
		target Target
		want   float64
	}{{Target{TargetBits, 3}, 4 + 6*(0.5*math.Log2(100.1)+2.05-3)}, {Target{TargetMSE, 1.0 / 12}, 4}, {Target{TargetMSE, 16.0 / 12}, 16}} {
		codec := newRuled(func(QP) int { return 1536 }, func(QP) int { return int(4096 * c.target.Value) })
		o := standinOptions(c.target)
		o.Codec = codec
		if _, err := EncodePlane(plane, g, o); err != nil {
			t.Fatal(err)
		}
		if got := (*codec.asked)[0].Float(); math.Abs(got-c.want) > 0.1 {
			t.Errorf("%v: begins at QP %g, want %g", c.target, got, c.want)
		}
	}
}

// TestTry: how far some frames of a plane are from a target: bits with the share of what is stored beside, errors over the values alone.
func TestTry(t *testing.T) {
	const w, h, values = 50, 40, 50*40 - 13
	plane := bytes.Repeat([]byte{100}, w*h)
	g, _ := NewGrid(w, h, 16, 16)
	for _, frames := range [][]int{nil, {0}, {3, 11}, {8, 9, 10, 11}} {
		list := frames
		if frames == nil {
			for i := range g.Frames() {
				list = append(list, i)
			}
		}
		n, squared := 0, 0
		for _, i := range list {
			x, y, fw, fh := g.rect(i)
			for r := y; r < y+fh; r++ {
				for c := x; c < x+fw; c++ {
					if r*w+c < values {
						n++
					}
				}
			}
			squared += fw * fh * 9 // padding of the last row is compared, too
		}
		for _, target := range []Target{{TargetBits, 3}, {TargetMSE, 2}} {
			codec := newRuled(func(qp QP) int { return 40 + int(qp) }, func(QP) int { return 16 * 16 * 9 })
			o := standinOptions(target)
			o.Codec = codec
			c, err := newFrameCoder(&planeSubject{grid: g, plane: plane, errs: codeErrors(plane, w)}, g, o, nil)
			if err != nil {
				t.Fatal(err)
			}
			s := &searcher{c: c, goal: goal{overhead: 1000, values: values, unit: 1}}
			p, err := s.try(7, frames)
			if err != nil {
				t.Fatal(err)
			}
			want := 3 - 8*(float64(47*len(list))+1000*float64(n)/values)/float64(n)
			if target.Kind == TargetMSE {
				want = math.Log2(float64(squared)/float64(n)/2) / 2
			}
			if math.Abs(p.off-want) > 1e-9 || p.qp != 7 || len(p.parts) != len(list) {
				t.Errorf("%v, frames %d: off by %g, want %g; %d parts", target, frames, p.off, want, len(p.parts))
			}
		}
	}
	// One value, and two of padding.
	if got := (goal{values: 1}).inside(Grid{3, 1, 3, 1}, 0, 0, 3, 1); got != 1 {
		t.Errorf("%d values of one inside", got)
	}
}

// TestAttempts: attempts that are under way have reconstructions of their own.
func TestAttempts(t *testing.T) {
	g, _ := NewGrid(8, 8, 8, 8)
	p := &planeSubject{grid: g, plane: make([]byte, 64)}
	one, two := p.begin(nil), p.begin(nil)
	one.drop()
	two.drop()
	seen := map[*byte]bool{}
	for range 4 {
		recon := p.begin(nil).(*planeAttempt).recon
		if len(recon) != 64 || seen[&recon[0]] {
			t.Errorf("a reconstruction of %d samples is lent twice: %v", len(recon), seen[&recon[0]])
		}
		seen[&recon[0]] = true
	}
}

// TestCurveOfTensor: what spread measures of a tensor: parameters six apart, the bits of the whole from four of its frames and what is
// stored beside, and its squared error over the variance.
func TestCurveOfTensor(t *testing.T) {
	const side, frame = 64, 8
	data := make([]byte, side*side)
	for i := range data {
		data[i] = byte(100 + 10*(i&1))
	}
	g, _ := NewGrid(side, side, frame, frame)
	for i := range g.Frames() {
		x, y, _, _ := g.rect(i)
		data[y*side+x] = byte(i)
	}
	info := tensor.Info{Name: "x", DType: tensor.U8, Shape: []int{side, side}}
	codec := newRuled(func(qp QP) int { return 2000 - int(qp) }, func(qp QP) int { return frame * frame * (1 + int(qp)/96) * (1 + int(qp)/96) })
	o := standinTensors(Target{})
	o.Codec, o.Integers, o.FrameWidth, o.FrameHeight, o.Workers = codec, true, frame, frame, 1
	r := &run{src: Single{info, data}, jobs: []job{{info: info, coded: true}}, opt: o, fixed: 300, total: 2 * side * side}
	p, e, err := r.prepare(0)
	if err != nil || e != nil {
		t.Fatal(e, err)
	}
	c, err := r.measure(p)
	if err != nil {
		t.Fatal(err)
	}
	if want := []byte{8, 24, 40, 56}; !bytes.Equal((*codec.first)[:4], want) {
		t.Errorf("frames %d are measured, want %d", (*codec.first)[:4], want)
	}
	if len(c.qp) != 10 || c.qp[9] != 51*qpOne || c.values != side*side {
		t.Fatalf("QPs %d, %d values", c.qp, c.values)
	}
	beside := float64(p.draft().size() + 150) // half of what belongs to no tensor
	for k, qp := range c.qp {
		if k < 9 && qp != QP(6*k*qpOne) {
			t.Errorf("QPs %d", c.qp)
		}
		bits := 8 * (16*4*float64(2000-int(qp)) + beside)
		squared := float64(side*side*(1+int(qp)/96)*(1+int(qp)/96)) / tensor.Variance(decodeU8(data))
		if math.Abs(c.bits[k]-bits) > 1e-6 || math.Abs(c.err[k]-squared) > 1e-3*squared {
			t.Errorf("QP %d: %g bits, error %g; want %g, %g", qp, c.bits[k], c.err[k], bits, squared)
		}
	}
}

func decodeU8(data []byte) []float32 {
	x, err := tensor.Decode(nil, tensor.U8, data)
	if err != nil {
		panic(err)
	}
	return x
}

// TestSettle: a budget that is met within half a per cent is left as it is; otherwise all parameters move by six steps for a bit; what is
// more than one per cent off is said.
func TestSettle(t *testing.T) {
	made := func(values, size int) *entry {
		return &entry{result: TensorResult{Values: values, Bytes: size}}
	}
	r := &run{opt: standinTensors(Target{}), fixed: 100, total: 1000}
	for _, c := range []struct {
		what    string
		entries []*entry
		note    string
	}{
		{"exact", []*entry{made(100, 40), made(100, 40)}, ""}, // and ten bytes of the header each: 8*100/200
		{"half a per cent", []*entry{made(1000, 402)}, ""},    // and a hundred: 4.016
		{"copies do not count", []*entry{made(100, 40), {result: TensorResult{Values: 1e6, Bytes: 1, Raw: true}}}, ""},
		{"one per cent", []*entry{made(1000, 404)}, ""}, // 4.032
		{"more", []*entry{made(1000, 406)}, "the nearest found is 4.0480"},
		{"less", []*entry{made(1000, 394)}, "the nearest found is 3.9520"},
	} {
		note, err := r.settle(4, nil, c.entries)
		if err != nil || (note == "") != (c.note == "") || !strings.Contains(note, c.note) {
			t.Errorf("%s: %q, %v; want %q", c.what, note, err, c.note)
		}
	}
	for _, entries := range [][]*entry{nil, {{result: TensorResult{Values: 5, Raw: true}}}} {
		if _, err := r.settle(4, nil, entries); err != errEmptyBudget {
			t.Errorf("nothing to spread over: %v", err)
		}
	}
	// A tensor whose rate falls by a bit for six steps is on its budget after one move.
	info := tensor.Info{Name: "x", DType: tensor.U8, Shape: []int{64, 64}}
	codec := newRuled(func(qp QP) int { return 512 * (800 - int(qp)) / 96 }, func(QP) int { return 4096 })
	o := standinTensors(Target{})
	o.Codec, o.Integers = codec, true
	r = &run{src: Single{info, bytes.Repeat([]byte{100, 110}, 2048)}, jobs: []job{{info: info, coded: true}}, opt: o, total: 4096}
	for _, begin := range []float64{5, 10, 20, 35, 40} {
		*codec.asked = nil
		targets := []Target{{TargetQP, begin}}
		entries, err := r.encode(targets)
		if err != nil {
			t.Fatal(err)
		}
		note, err := r.settle(3, targets, entries)
		if err != nil || note != "" || len(*codec.asked) > 2 {
			t.Errorf("from QP %g: %q, %v, QPs %d", begin, note, err, *codec.asked)
		}
		if bits := entries[0].result.BitsPerValue(); math.Abs(bits-3) > 0.015 {
			t.Errorf("from QP %g: %g bits a value", begin, bits)
		}
	}
}

// TestFailureWakes: where a frame fails, those that wait for its band end, too.
func TestFailureWakes(t *testing.T) {
	const rows, cols = 512, 64
	data := bytes.Repeat([]byte{100}, rows*cols)
	data[0] = 1
	info := tensor.Info{Name: "x", DType: tensor.U8, Shape: []int{rows, cols}}
	ahead := make(chan struct{}, 64)
	codec := newRuled(func(QP) int { return 50 }, nil)
	codec.before = func(pix []byte, _ QP) error {
		if pix[0] != 1 {
			ahead <- struct{}{}
			return nil
		}
		for range bandsAhead + 1 { // the other worker has as many bands begun as it may, and waits
			<-ahead
		}
		time.Sleep(20 * time.Millisecond)
		return errFaulty
	}
	o := standinTensors(Target{TargetQP, 20})
	o.Codec, o.Integers, o.hold, o.FrameWidth, o.FrameHeight, o.Workers = codec, true, -1, cols, 16, 2
	done := make(chan error)
	go func() {
		_, err := Encode(Single{info, data}, Selection{}, o, 0)
		done <- err
	}()
	select {
	case err := <-done:
		if err == nil || !strings.Contains(err.Error(), "frame 0: "+errFaulty.Error()) {
			t.Errorf("%v", err)
		}
	case <-time.After(5 * time.Second):
		t.Fatal("the frames behind it still wait")
	}
}
