// Package study says of a comparison of codecs on one job what a single prediction leaves out: how it moves with the batch and with the link's
// rate, what each number rests on, which instances would help, and which inputs had no effect.
package study

import (
	"math"

	"vcsim/cluster"
	"vcsim/cluster/collective"
)

// A Setting is a comparison that can be run again with something changed.
type Setting struct {
	Job    cluster.Job
	Space  cluster.Space
	Codecs []cluster.Codec
	Power  cluster.Power
}

// Compare runs the comparison. The error is a *cluster.InfeasibleError where nothing fits.
func (s *Setting) Compare(visit func(*cluster.Step, error)) (*cluster.Study, error) {
	return cluster.Compare(s.Job, &s.Space, s.Codecs, &s.Power, visit)
}

// AtBatch is the setting with so many sequences a step.
func (s Setting) AtBatch(sequences int) *Setting {
	s.Job.GlobalBatch = sequences
	return &s
}

// AtRate is the setting with another rate of the outermost links, in bits a second per GPU and direction.
func (s Setting) AtRate(bps float64) *Setting {
	tiers := append([]collective.Tier(nil), s.Job.Net.Tiers...)
	tiers[len(tiers)-1].BytesPerSecond = collective.BytesPerSecond(bps / 8)
	s.Job.Net.Tiers = tiers
	return &s
}

// Steady is how far a speedup may move with the batch and still be one number.
const Steady = 0.03

// A Spread is a speedup at the batch and at twice the batch.
type Spread struct{ Once, Twice float64 }

// Moves reports whether the speedup is no single number.
func (s Spread) Moves() bool { return math.Abs(s.Once-s.Twice) > Steady }

// Spreads are those of the codecs of a study, each at its own best layout and at the uncompressed one's; nil where no layout takes twice the batch.
func (s *Setting) Spreads(of *cluster.Study) (own, same []Spread) {
	twice, err := s.AtBatch(2 * s.Job.GlobalBatch).Compare(nil)
	if err != nil {
		return nil, nil
	}
	for i := range of.Outcomes {
		a, b := &of.Outcomes[i], &twice.Outcomes[i]
		own = append(own, Spread{a.Speedup, b.Speedup})
		same = append(same, Spread{a.SpeedupSame, b.SpeedupSame})
	}
	return own, same
}

// nothing is a speedup that is none as it is printed, and worth one that is worth an architect's word.
const (
	nothing = 1.005
	worth   = 1.01
)

// An Advice says how many instances of a codec bring it near to what its ratio allows.
type Advice struct {
	Codec     string
	Instances int
	Speedup   float64 // with them
	Limit     float64 // of the same bits without a limit of rate
}

// Advise looks for instances where every codec with a limited rate gains nothing and an unlimited one would: for each, the fewest that give
// nine tenths of the unlimited gain. It returns nothing where a codec gains, or none could.
func (s *Setting) Advise(of *cluster.Study) []Advice {
	var out []Advice
	known := map[cluster.Codec]Advice{} // codecs of the same rates and bits behave alike
	for i := range of.Outcomes {
		c := &s.Codecs[i]
		if c.EncodeBPS == 0 && c.DecodeBPS == 0 || c.EncodeMM2+c.DecodeMM2 == 0 { // no hardware that can be counted
			continue
		}
		if of.Outcomes[i].Speedup >= nothing {
			return nil
		}
		alike := *c
		alike.Name, alike.EncodeMM2, alike.DecodeMM2, alike.EncodePJPerBit, alike.DecodePJPerBit = "", 0, 0, 0, 0
		a, ok := known[alike]
		if !ok {
			a = s.advise(alike)
			known[alike] = a
		}
		if a.Codec = c.Name; a.Instances > 0 {
			out = append(out, a)
		}
	}
	return out
}

// advise is the advice for one codec, without instances where there is none.
func (s *Setting) advise(c cluster.Codec) Advice {
	limit, err := s.with(c.Unlimited())
	if err != nil || limit < worth {
		return Advice{}
	}
	enough := func(n int) (float64, bool) {
		many := c
		many.Instances = n
		v, err := s.with(many)
		return v, err == nil && v-1 >= 0.9*(limit-1)
	}
	const most = 1 << 16
	lo, hi := max(1, c.Instances), 2*max(1, c.Instances)
	best, ok := enough(hi)
	for !ok && hi < most {
		lo, hi = hi, 2*hi
		best, ok = enough(hi)
	}
	if !ok {
		return Advice{}
	}
	for hi-lo > 1 {
		mid := (lo + hi) / 2
		if v, ok := enough(mid); ok {
			hi, best = mid, v
		} else {
			lo = mid
		}
	}
	return Advice{"", hi, best, limit}
}

// with is the speedup of one codec.
func (s *Setting) with(c cluster.Codec) (float64, error) {
	one := *s
	one.Codecs = []cluster.Codec{c}
	st, err := one.Compare(nil)
	if err != nil {
		return 0, err
	}
	return st.Outcomes[0].Speedup, nil
}
