package tensorcodec

import (
	"fmt"
	"math"
)

// goal measures what a target counts.
type goal struct {
	// overhead is the number of bytes that are stored beside the stream.
	overhead int

	// values counts those of the tensor in the plane, row-major; what follows is padding. 0: all.
	values int

	// unit is the squared size of one code step, 1 for planes: where the search for an MSE starts.
	unit float64
}

// inside counts the values of a rectangle of the plane that are not padding.
func (m goal) inside(g Grid, x, y, w, h int) int {
	n := w * h
	if m.values > 0 && y+h == g.Height {
		n -= max(0, x+w-max(x, m.values-(g.Height-1)*g.Width))
	}
	return n
}

// codeErrors returns the sum of squared errors in a rectangle of a plane, in code units.
func codeErrors(plane []byte, width int) func(recon []byte, x, y, w, h int) float64 {
	return func(recon []byte, x, y, w, h int) float64 {
		sum := 0
		for r := y; r < y+h; r++ {
			sum += squaredCodes(plane[r*width+x:][:w], recon[r*width+x:][:w])
		}
		return float64(sum)
	}
}

func squaredCodes(a, b []byte) (sum int) {
	for i := range a {
		e := int(a[i]) - int(b[i])
		sum += e * e
	}
	return sum
}

// Rates within rateSlack of the target, and errors at most mseSlack (in half log2 units: 1 %) below it, end a search.
const (
	rateSlack   = 0.003
	mseSlack    = 0.0072
	maxTries    = 12
	sampleCount = 4 // frames that a search looks at before it codes all of them
)

// point is one coding of a plane.
type point struct {
	qp    QP
	parts [][]byte // of the stream
	what  attempt
	bins  Bins
	off   float64 // distance from the target, increasing with qp; see searcher.off
}

// searcher looks for the quantiser parameter that meets a target.
type searcher struct {
	c     *frameCoder
	goal  goal
	codes func() float64 // variance of the codes
}

// encodePlane codes a plane in memory toward a target that counts what goal says and the errors that errs says.
func encodePlane(plane []byte, grid Grid, opt Options, limit chan struct{}, g goal, errs func(recon []byte, x, y, w, h int) float64) (*Coded, error) {
	if err := grid.check(); err != nil {
		return nil, err
	}
	if len(plane) != grid.Width*grid.Height {
		return nil, fmt.Errorf("plane of %d bytes, %dx%d needs %d", len(plane), grid.Width, grid.Height, grid.Width*grid.Height)
	}
	sub := &planeSubject{grid: grid, plane: plane, errs: errs}
	p, note, err := encodeSubject(sub, grid, opt, limit, g, func() float64 {
		some := make([]byte, 0, guessSample)
		for i := 0; i < len(plane); i += guessStep(len(plane)) {
			some = append(some, plane[i])
		}
		return codeVariance(some)
	})
	if err != nil {
		return nil, err
	}
	return &Coded{Grid: grid, Stream: join(p.parts), Recon: p.what.(*planeAttempt).recon, Bins: p.bins, QP: p.qp.Float(), Note: note}, nil
}

// encodeSubject codes a subject toward its target; codes returns the variance of its codes, about.
func encodeSubject(sub subject, grid Grid, opt Options, limit chan struct{}, g goal, codes func() float64) (point, string, error) {
	c, err := newFrameCoder(sub, grid, opt, limit)
	if err != nil {
		return point{}, "", err
	}
	s := &searcher{c: c, goal: g, codes: codes}
	if opt.Lossless || opt.Target.Kind == TargetQP {
		p, err := s.try(ToQP(opt.Target.Value)*b2i(!opt.Lossless), nil)
		return p, "", err
	}
	return s.search()
}

// guessStep is the distance of the codes that a search looks at to begin, about guessSample of them.
func guessStep(n int) int { return 1 + n/guessSample }

const guessSample = 1 << 16

func codeVariance(codes []byte) float64 {
	var sum, sum2 float64
	for _, c := range codes {
		v := float64(c)
		sum += v
		sum2 += v * v
	}
	n := float64(len(codes))
	return sum2/n - sum/n*sum/n
}

func b2i(b bool) QP {
	if b {
		return 1
	}
	return 0
}

// try codes the listed frames (nil: all) and measures how far they are from the target.
func (s *searcher) try(qp QP, frames []int) (point, error) {
	g := s.c.grid
	what := s.c.sub.begin(frames)
	parts, bins, err := s.c.run(qp, frames, what)
	if err != nil {
		return point{}, err
	}
	p := point{qp: qp, parts: parts, what: what, bins: bins}
	target := s.c.opt.Target
	if target.Kind == TargetQP || s.c.opt.Lossless {
		return p, nil
	}
	values, squared := 0, 0.0
	each := func(i int) {
		x, y, w, h := g.rect(i)
		values += s.goal.inside(g, x, y, w, h)
		if target.Kind == TargetMSE {
			squared += what.squared(i)
		}
	}
	if frames == nil {
		for i := range g.Frames() {
			each(i)
		}
	} else {
		for _, i := range frames {
			each(i)
		}
	}
	if target.Kind == TargetBits {
		share := float64(s.goal.overhead) * float64(values) / float64(s.goal.inside(g, 0, 0, g.Width, g.Height))
		p.off = target.Value - 8*(float64(length(parts))+share)/float64(values)
	} else {
		p.off = math.Log2(squared/float64(values)/target.Value) / 2 // -Inf when nothing is lost
	}
	return p, nil
}

// done reports whether a point meets the target.
func (s *searcher) done(p point) bool {
	if s.c.opt.Target.Kind == TargetBits {
		return math.Abs(p.off) <= rateSlack*s.c.opt.Target.Value
	}
	return p.off <= 0 && p.off >= -mseSlack
}

// better orders points: nearest in rate; for an MSE, those that keep it before those that do not.
func (s *searcher) better(a, b point) bool {
	if s.c.opt.Target.Kind == TargetMSE && (a.off <= 0) != (b.off <= 0) {
		return a.off <= 0
	}
	return math.Abs(a.off) < math.Abs(b.off)
}

// search runs the secant method inside a bracket. Both kinds of target change by about 1/6 per step of the parameter: a
// bit for every doubling of the quantiser step, which takes 6 of them.
func (s *searcher) search() (point, string, error) {
	start := s.guess()
	if n := s.c.grid.Frames(); n > 2*sampleCount {
		frames := make([]int, sampleCount)
		for k := range frames {
			frames[k] = (2*k + 1) * n / (2 * sampleCount)
		}
		p, err := s.bracket(start, frames)
		if err != nil {
			return point{}, "", err
		}
		start = p.qp
		p.what.drop()
	}
	best, err := s.bracket(start, nil)
	if err != nil {
		return point{}, "", err
	}
	return best, s.note(best), nil
}

func (s *searcher) bracket(start QP, frames []int) (best point, err error) {
	top := QP(s.c.opt.Codec.MaxQP() * qpOne)
	lo, hi := QP(-1), top+1 // off < 0 at lo, > 0 at hi; both ends unknown yet
	var offLo, offHi float64
	qp := max(0, min(top, start))
	for tries := range maxTries {
		p, err := s.try(qp, frames)
		if err != nil {
			return point{}, err
		}
		off := p.off
		switch {
		case tries == 0:
			best = p
		case s.better(p, best):
			best.what.drop()
			best = p
		default:
			p.what.drop()
		}
		if s.done(p) {
			break
		}
		if off < 0 {
			lo, offLo = qp, max(off, -8)
		} else {
			hi, offHi = qp, min(off, 8)
		}
		if hi-lo <= 1 {
			break
		}
		var next float64
		switch {
		case lo >= 0 && hi <= top: // aim a little inside the tolerance
			next = float64(lo) + float64(hi-lo)*(s.aim()-offLo)/(offHi-offLo)
			margin := float64(hi-lo) / 16
			next = max(float64(lo)+margin, min(float64(hi)-margin, next))
		case lo >= 0:
			next = float64(lo) + 1.15*6*qpOne*(-offLo) + 1
		default:
			next = float64(hi) - 1.15*6*qpOne*offHi - 1
		}
		qp = max(lo+1, min(hi-1, QP(math.Round(next))))
	}
	return best, nil
}

// aim is the offset a search heads for: the target itself for rates, the middle of the tolerance for errors.
func (s *searcher) aim() float64 {
	if s.c.opt.Target.Kind == TargetMSE {
		return -mseSlack / 2
	}
	return 0
}

// guess starts the search where theory puts it: the step is 2^((QP-4)/6) codes, a Gaussian needs log2(deviation/step) + 2.05
// bits, less about 0.25 for what the codec saves over plain quantisation at low rates; the error of a step is step^2/12.
func (s *searcher) guess() QP {
	target := s.c.opt.Target
	if target.Kind == TargetMSE {
		return ToQP(max(0, 4+3*math.Log2(max(12*target.Value/s.goal.unit, 1e-9))))
	}
	return ToQP(max(0, min(float64(s.c.opt.Codec.MaxQP()), 4+6*(0.5*math.Log2(s.codes()+0.1)+2.05-target.Value))))
}

// note says why the best point misses the target.
func (s *searcher) note(best point) string {
	target := s.c.opt.Target
	got := target.Value - best.off
	if target.Kind == TargetMSE {
		got = target.Value * math.Exp2(2*best.off)
	}
	return target.missed(got, best.qp, QP(s.c.opt.Codec.MaxQP()*qpOne))
}

// missed says that a figure misses the target by more than 1 %, or is "".
func (target Target) missed(got float64, qp, top QP) string {
	if target.Kind == TargetMSE {
		if got <= 1.01*target.Value {
			return ""
		}
		return fmt.Sprintf("%v cannot be reached: QP %g gives %.4g", target, qp.Float(), got)
	}
	if target.Kind != TargetBits || math.Abs(got-target.Value) <= 0.01*target.Value {
		return ""
	}
	if qp == 0 && got < target.Value {
		return fmt.Sprintf("%v cannot be reached: QP 0 gives %.4f; a finer quantiser or a residual holds more", target, got)
	}
	if qp == 0 || qp == top {
		return fmt.Sprintf("%v cannot be reached: QP %g gives %.4f", target, qp.Float(), got)
	}
	return fmt.Sprintf("%v was missed: the nearest found is %.4f at QP %g", target, got, qp.Float())
}
