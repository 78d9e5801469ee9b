package cluster

import "math"

// An Outcome is what one codec does for a job, against no codec.
type Outcome struct {
	Codec Codec
	Step  Step // at the codec's own best layout
	Same  Step // at the layout that is best without a codec

	// Time of a step in seconds, the uncompressed warm-up steps averaged in.
	Time, SameTime float64
	// Uncompressed time over compressed time: each at its own best layout,
	// and both at the layout that is best without a codec.
	Speedup, SpeedupSame float64
	TokensPerS           float64

	Energy          Energy  // joules per step, at the codec's own best layout
	EnergyJPerToken float64 // of the whole cluster
	EnergyGain      float64 // uncompressed over compressed, whole cluster, same layout
	CommEnergyGain  float64 // same, communication alone; 1 where nothing is sent

	AreaMM2      float64 // all encoder and decoder instances of one GPU
	DieFraction  float64 // share of the GPU's die; NaN where the die is not disclosed
	CrossoverBPS float64 // link rate at which the codec stops paying, bit/s; +Inf without a limit
	KneeBPS      float64 // link rate up to which it gives the whole ratio, bit/s
}

// A Study compares codecs on one job.
type Study struct {
	Base     Step    // best layout without a codec
	Found    Found   // how the search for it went
	Energy   Energy  // joules of Base
	Tokens   float64 // per step
	Outcomes []Outcome
}

// Compare searches the space once without a codec and once per codec. visit
// sees the points of the first search.
func Compare(j Job, sp *Space, codecs []Codec, p *Power, visit func(*Step, error)) (*Study, error) {
	j.Codec = Codec{Name: "none"}
	plain, err := NewSystem(j)
	if err != nil {
		return nil, err
	}
	st := &Study{Tokens: float64(j.GlobalBatch) * float64(j.Seq)}
	if st.Found, err = plain.Search(sp, visit); err != nil {
		return nil, err
	}
	st.Base = st.Found.Best
	st.Energy = plain.Energy(&st.Base, p)
	for _, c := range codecs {
		s, err := plain.WithCodec(c)
		if err != nil {
			return nil, err
		}
		o, err := s.outcome(plain, sp, st, p)
		if err != nil {
			return nil, err
		}
		st.Outcomes = append(st.Outcomes, o)
	}
	return st, nil
}

func (s *System) outcome(plain *System, sp *Space, st *Study, p *Power) (Outcome, error) {
	c := &s.Codec
	o := Outcome{Codec: *c, AreaMM2: c.AreaMM2(), DieFraction: math.NaN()}
	found, err := s.Search(sp, nil)
	if err != nil {
		return o, err
	}
	o.Step = found.Best
	if o.Same, err = s.Step(st.Base.Layout); err != nil {
		return o, err
	}
	o.SameTime = c.Warmup*st.Base.Time + (1-c.Warmup)*o.Same.Time
	own, err := plain.Step(o.Step.Layout)
	if err != nil {
		return o, err
	}
	o.Time = c.Warmup*own.Time + (1-c.Warmup)*o.Step.Time
	if o.SameTime <= o.Time { // the warm-up can make the common layout the better one
		o.Step, o.Time = o.Same, o.SameTime
	}
	o.Speedup = st.Base.Time / o.Time
	o.SpeedupSame = st.Base.Time / o.SameTime
	o.TokensPerS = st.Tokens / o.Time

	mix := func(st *Step, plainStep *Step) Energy {
		a, b := s.Energy(st, p), plain.Energy(plainStep, p)
		w := c.Warmup
		return Energy{
			GPU: (1-w)*a.GPU + w*b.GPU, Idle: (1-w)*a.Idle + w*b.Idle, NIC: (1-w)*a.NIC + w*b.NIC,
			Switch: (1-w)*a.Switch + w*b.Switch, Codec: (1 - w) * a.Codec,
		}
	}
	if o.Step.Layout == st.Base.Layout {
		own = st.Base
	}
	o.Energy = mix(&o.Step, &own)
	o.EnergyJPerToken = o.Energy.Total() / st.Tokens
	same := mix(&o.Same, &st.Base)
	o.EnergyGain = st.Energy.Total() / same.Total()
	o.CommEnergyGain = 1
	if same.Comm() > 0 {
		o.CommEnergyGain = st.Energy.Comm() / same.Comm()
	}
	if d := s.GPU.DieMM2; d != nil && *d > 0 {
		o.DieFraction = o.AreaMM2 / *d
	}
	best := 1.0
	for class := range c.Bits {
		best = math.Max(best, c.Ratio(Class(class)))
	}
	o.CrossoverBPS, o.KneeBPS = c.Crossover(best)
	return o, nil
}
