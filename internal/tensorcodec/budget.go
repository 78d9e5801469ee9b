package tensorcodec

import (
	"errors"
	"fmt"
	"math"
	"sync"
)

var errEmptyBudget = errors.New("no tensor to spread the budget over")

// probeStep is the distance of the quantiser parameters at which spread measures a tensor.
const probeStep = 6

// curve is the rate and the distortion of one tensor over the quantiser parameter.
type curve struct {
	values int
	qp     []QP
	bits   []float64 // of the whole tensor, all that is stored for it
	err    []float64 // sum of squared errors over the variance
}

// at interpolates between the measured points: bits linearly, errors in the logarithm.
func (c curve) at(qp QP) (bits, err float64) {
	k := 0
	for k < len(c.qp)-2 && qp > c.qp[k+1] {
		k++
	}
	f := float64(qp-c.qp[k]) / float64(c.qp[k+1]-c.qp[k])
	return c.bits[k] + f*(c.bits[k+1]-c.bits[k]), math.Exp(math.Log(c.err[k]) + f*(math.Log(c.err[k+1])-math.Log(c.err[k])))
}

// best returns the parameter with the least err + lambda*bits, searched over a quarter of a step.
func (c curve) best(lambda float64) (best QP, bits float64) {
	least := math.Inf(1)
	for qp := c.qp[0]; qp <= c.qp[len(c.qp)-1]; qp += qpOne / 4 {
		b, e := c.at(qp)
		if j := e + lambda*b; j < least {
			least, best, bits = j, qp, b
		}
	}
	return best, bits
}

// spread measures every coded tensor at a few parameters and chooses one for each, so that the slope of relative error over
// bits is the same everywhere and the sum of bits is budget a value.
func (r *run) spread(budget float64) ([]Target, error) {
	if err := (Target{TargetBits, budget}).check(r.opt.Codec.MaxQP()); err != nil {
		return nil, err
	}
	curves := make([]curve, len(r.jobs))
	var mu sync.Mutex
	values := 0
	err := each(len(r.jobs), r.opt.workers(), func(i int) error {
		p, e, err := r.prepare(i)
		if err != nil || e != nil {
			return err
		}
		mu.Lock()
		values += p.n
		mu.Unlock()
		curves[i], err = r.measure(p)
		return err
	})
	if err != nil {
		return nil, err
	}
	if values == 0 {
		return nil, errEmptyBudget
	}
	targets := make([]Target, len(r.jobs))
	lo, hi := -60.0, 60.0 // log2 of lambda
	for range 60 {
		m := (lo + hi) / 2
		sum := 0.0
		for i, c := range curves {
			if c.values > 0 {
				qp, bits := c.best(math.Exp2(m))
				targets[i] = Target{TargetQP, qp.Float()}
				sum += bits
			}
		}
		if sum > budget*float64(values) {
			lo = m
		} else {
			hi = m
		}
	}
	return targets, nil
}

// measure codes a sample of frames of a tensor at parameters probeStep apart.
func (r *run) measure(p *prepared) (curve, error) {
	o := r.opt.Options
	o.Target = Target{}
	o.Progress = nil
	sub := p.subject()
	fc, err := newFrameCoder(sub, p.grid, o, r.limit)
	if err != nil {
		return curve{}, err
	}
	frames := []int{}
	n := p.grid.Frames()
	for k := range min(n, sampleCount) {
		frames = append(frames, (2*k+1)*n/(2*min(n, sampleCount)))
	}
	overhead := p.draft().size() + r.fixed*p.n/r.total
	g := p.goal(0)
	variance := max(p.variance, 1e-300)
	c := curve{values: p.n}
	for qp := 0; ; qp += probeStep {
		qp = min(qp, o.Codec.MaxQP())
		what := sub.begin(frames)
		parts, _, err := fc.run(QP(qp*qpOne), frames, what)
		if err != nil {
			return curve{}, err
		}
		values, squared := 0, 0.0
		for _, i := range frames {
			x, y, w, h := p.grid.rect(i)
			values += g.inside(p.grid, x, y, w, h)
			squared += what.squared(i)
		}
		what.drop()
		scale := float64(p.n) / float64(values)
		c.qp = append(c.qp, QP(qp*qpOne))
		c.bits = append(c.bits, 8*(float64(length(parts))*scale+float64(overhead)))
		c.err = append(c.err, max(squared*scale/variance, 1e-12))
		if qp == o.Codec.MaxQP() {
			return c, nil
		}
	}
}

// settle shifts all parameters together until the sum of stored bits is within 0.5 % of the budget, coding again what
// changed. It keeps the best result and says so if that is more than 1 % off.
func (r *run) settle(budget float64, targets []Target, entries []*entry) (note string, err error) {
	top := float64(r.opt.Codec.MaxQP())
	bestMiss := math.Inf(1)
	best := make([]*entry, len(entries))
	for range 4 {
		bytes, values := 0, 0
		for _, e := range entries {
			if !e.result.Raw {
				bytes += e.result.Bytes + r.fixed*e.result.Values/r.total
				values += e.result.Values
			}
		}
		if values == 0 {
			return "", errEmptyBudget
		}
		miss := 8*float64(bytes)/float64(values) - budget
		if math.Abs(miss) < math.Abs(bestMiss) {
			bestMiss = miss
			copy(best, entries)
		}
		if math.Abs(miss) <= 0.005*budget {
			break
		}
		for i := range targets {
			targets[i].Value = max(0, min(top, targets[i].Value+6*miss))
		}
		again, err := r.encode(targets)
		if err != nil {
			return "", err
		}
		copy(entries, again)
	}
	copy(entries, best)
	if math.Abs(bestMiss) > 0.01*budget {
		note = fmt.Sprintf("budget %g bits a value was missed: the nearest found is %.4f", budget, budget+bestMiss)
	}
	return note, nil
}
