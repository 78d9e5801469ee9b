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

	// squared returns the sum of squared errors of the reconstruction in a rectangle of the plane.
	squared func(recon []byte, x, y, w, h int) float64

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

// planeGoal counts the stream alone and errors in code units.
func planeGoal(plane []byte) func(Grid) goal {
	return func(g Grid) goal {
		return goal{unit: 1, squared: func(recon []byte, x, y, w, h int) float64 {
			sum := 0
			for r := y; r < y+h; r++ {
				a := plane[r*g.Width+x:][:w]
				b := recon[r*g.Width+x:][:w]
				for i := range a {
					e := int(a[i]) - int(b[i])
					sum += e * e
				}
			}
			return float64(sum)
		}}
	}
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
	qp     QP
	stream []byte
	recon  []byte
	bins   Bins
	off    float64 // distance from the target, increasing with qp; see searcher.off
}

// searcher looks for the quantiser parameter that meets a target.
type searcher struct {
	c    *frameCoder
	goal goal
	free [][]byte // reconstruction buffers
}

// encodePlane codes a plane toward a target that counts what goal says.
func encodePlane(plane []byte, grid Grid, opt Options, limit chan struct{}, makeGoal func(Grid) goal) (*Coded, error) {
	c, err := newFrameCoder(plane, grid, opt, limit)
	if err != nil {
		return nil, err
	}
	s := &searcher{c: c, goal: makeGoal(grid)}
	out := &Coded{Grid: grid}
	var p point
	if opt.Lossless || opt.Target.Kind == TargetQP {
		if grid.FrameWidth == grid.Width && grid.FrameHeight == grid.Height { // the encoder's picture is the plane
			p.qp = ToQP(opt.Target.Value) * b2i(!opt.Lossless)
			if p.stream, p.bins, err = c.run(p.qp, nil, nil); err != nil {
				return nil, err
			}
			w := <-c.idle
			p.recon = w.enc.Recon()
		} else if p, err = s.try(ToQP(opt.Target.Value)*b2i(!opt.Lossless), nil); err != nil {
			return nil, err
		}
	} else if p, out.Note, err = s.search(); err != nil {
		return nil, err
	}
	out.Stream, out.Recon, out.Bins, out.QP = p.stream, p.recon, p.bins, p.qp.Float()
	return out, nil
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
	var recon []byte
	if n := len(s.free); n > 0 {
		recon, s.free = s.free[n-1], s.free[:n-1]
	} else {
		recon = make([]byte, g.Width*g.Height)
	}
	stream, bins, err := s.c.run(qp, frames, recon)
	if err != nil {
		return point{}, err
	}
	p := point{qp: qp, stream: stream, recon: recon, bins: bins}
	target := s.c.opt.Target
	if target.Kind == TargetQP || s.c.opt.Lossless {
		return p, nil
	}
	values, squared := 0, 0.0
	each := func(i int) {
		x, y, w, h := g.rect(i)
		values += s.goal.inside(g, x, y, w, h)
		if target.Kind == TargetMSE {
			squared += s.goal.squared(recon, x, y, w, h)
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
		p.off = target.Value - 8*(float64(len(stream))+share)/float64(values)
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
			s.free = append(s.free, best.recon)
			best = p
		default:
			s.free = append(s.free, p.recon)
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
	var sum, sum2 float64
	step := 1 + len(s.c.plane)/65536
	n := 0
	for i := 0; i < len(s.c.plane); i += step {
		v := float64(s.c.plane[i])
		sum += v
		sum2 += v * v
		n++
	}
	variance := sum2/float64(n) - sum/float64(n)*sum/float64(n)
	return ToQP(max(0, min(float64(s.c.opt.Codec.MaxQP()), 4+6*(0.5*math.Log2(variance+0.1)+2.05-target.Value))))
}

// note says why the best point misses the target.
func (s *searcher) note(best point) string {
	target := s.c.opt.Target
	top := QP(s.c.opt.Codec.MaxQP() * qpOne)
	if target.Kind == TargetMSE {
		if best.off <= 0 {
			return ""
		}
		return fmt.Sprintf("%v cannot be reached: QP %g gives %.4g", target, best.qp.Float(), target.Value*math.Exp2(2*best.off))
	}
	if math.Abs(best.off) <= 0.01*target.Value {
		return ""
	}
	got := target.Value - best.off
	if best.qp == 0 && got < target.Value {
		return fmt.Sprintf("%v cannot be reached: QP 0 gives %.4f; a finer quantiser or a residual holds more", target, got)
	}
	if best.qp == 0 || best.qp == top {
		return fmt.Sprintf("%v cannot be reached: QP %g gives %.4f", target, best.qp.Float(), got)
	}
	return fmt.Sprintf("%v was missed: the nearest found is %.4f at QP %g", target, got, best.qp.Float())
}
