package cluster

import (
	"fmt"
	"math"
)

// A Job is everything but the layout.
type Job struct {
	Model       Model
	GPU         GPU
	Eff         Efficiency
	Net         Network
	Seq         int // tokens per sequence
	GlobalBatch int // sequences per optimizer step over all replicas
	Codec       Codec
	Checkpoint  Checkpoint
}

// A Checkpoint is the training state written to storage every so many steps,
// while training waits. The zero value writes none.
type Checkpoint struct {
	Steps          int     // between two checkpoints
	BytesPerSecond float64 // of the storage, for the whole job
	Ratio          float64 // of lossless compression (arXiv 2505.09810); 0 means 1
}

// Validate reports the first field outside its range.
func (c *Checkpoint) Validate() error {
	if c.Steps == 0 {
		return nil
	}
	if c.Steps < 0 {
		return fmt.Errorf("checkpoint: every %d steps", c.Steps)
	}
	if !(c.BytesPerSecond > 0) || math.IsInf(c.BytesPerSecond, 0) {
		return fmt.Errorf("checkpoint: storage rate is %v, want a positive number of bytes per second", c.BytesPerSecond)
	}
	if !(c.Ratio == 0 || c.Ratio >= 1 && c.Ratio <= 1000) {
		return fmt.Errorf("checkpoint: ratio is %v, want 1 to 1000", c.Ratio)
	}
	return nil
}

// perStep is the seconds a step waits for checkpoints, on average: 16-bit
// weights and the optimizer's state of every parameter.
func (c *Checkpoint) perStep(m *Model) float64 {
	if c.Steps == 0 {
		return 0
	}
	return m.Params() * (bytesWeight + bytesOptimizer) / max(1, c.Ratio) / c.BytesPerSecond / float64(c.Steps)
}

// A System is a validated Job with the constants of the hot path worked out.
// It may be shared by goroutines: its methods only read it.
type System struct {
	Job
	links    [maxTiers]link
	nlinks   int
	channels [numClasses]channel

	perGEMM      float64 // seconds per (m+d)(n+d)(k+r)
	perAttention float64 // seconds per FLOP of the attention core
	perByte      float64 // seconds per byte of element-wise traffic
	checkpoint   float64 // seconds per step
	launch       float64 // seconds of host time per kernel
}

// NewSystem validates the job. Errors name the field.
func NewSystem(j Job) (*System, error) {
	for _, v := range []interface{ Validate() error }{&j.Model, &j.GPU, &j.Eff, &j.Net, &j.Codec, &j.Checkpoint} {
		if err := v.Validate(); err != nil {
			return nil, err
		}
	}
	if len(j.Net.Tiers) > maxTiers {
		return nil, fmt.Errorf("network: %d tiers, want at most %d", len(j.Net.Tiers), maxTiers)
	}
	const most = 1 << 30
	if j.Seq < 1 || j.Seq > most {
		return nil, fmt.Errorf("sequence length is %d, want 1 to %d", j.Seq, most)
	}
	if j.GlobalBatch < 1 || j.GlobalBatch > most {
		return nil, fmt.Errorf("global batch is %d, want 1 to %d", j.GlobalBatch, most)
	}
	s := &System{Job: j}
	s.setRates()
	return s, nil
}

// WithCodec is the same system with another codec.
func (s *System) WithCodec(c Codec) (*System, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	o := *s
	o.Codec = c
	o.setRates()
	return &o, nil
}

func (s *System) setRates() {
	e := &s.Eff
	peak := s.GPU.PeakTFLOPS * 1e12
	s.perGEMM = 2 / (peak * e.GEMMFraction)
	s.perAttention = 1 / (peak * e.AttentionFraction)
	s.perByte = 1 / (s.GPU.MemGBPerS * 1e9 * e.MemoryFraction)
	s.launch = e.LaunchUS * 1e-6
	s.checkpoint = s.Checkpoint.perStep(&s.Model)
	s.nlinks = 0
	for i, t := range s.Net.Tiers {
		l := link{gpus: t.GPUs, codec: t.Codec, shared: t.Shared, half: e.HalfKB * 1e3}
		if i == len(s.Net.Tiers)-1 || l.gpus == 0 {
			l.gpus = math.MaxInt32
		}
		if t.Shared {
			l.rate, l.latency = t.BytesPerSecond*e.InterFraction, e.InterUS*1e-6
			l.cap = e.InterCapGB * 1e9
			if l.cap > 0 {
				l.rate = min(l.rate, l.cap)
			}
		} else {
			l.rate, l.latency = t.BytesPerSecond*e.IntraFraction, e.IntraUS*1e-6
		}
		s.links[i] = l
		s.nlinks++
	}
	for c := range s.channels {
		s.channels[c] = s.Codec.channel(Class(c))
	}
}

// A Step is one optimizer step of one layout, in seconds unless said
// otherwise. The components up to Host add up to Time; they are those of the
// stage that sets the pace.
type Step struct {
	Layout       Layout
	Microbatches int // per replica

	Time       float64
	Forward    float64 // GPU work of the forward passes
	Backward   float64 // GPU work of the backward passes
	Again      float64 // GPU work of recomputation
	TP         float64 // tensor-parallel collectives not hidden
	PP         float64 // stage-to-stage messages not hidden
	Params     float64 // gathered parameters and, with ZeRO 3, scattered gradients not hidden
	Bubble     float64 // pipeline fill and drain
	DP         float64 // gradient reduction not hidden
	Optimizer  float64
	Checkpoint float64 // writing the training state, per step on average
	Host       float64 // launches beyond the GPU's work and fixed overheads

	Hidden  float64 // communication under compute, not part of Time
	Memory  Memory
	Traffic float64 // payload bytes per GPU that left for the codec's tier
	Wire    float64 // bytes of them on the wire
	Coded   float64 // payload bytes of them that passed the codec
	FLOPs   float64 // of the whole job, without recomputation
}

// Step evaluates one layout. The error is a *LayoutError when the job cannot
// be cut that way; memory is reported but not checked (see [System.Fits]).
func (s *System) Step(l Layout) (Step, error) {
	var st Step
	err := s.step(&st, &l)
	return st, err
}

func (s *System) step(st *Step, l *Layout) error {
	if err := l.check(&s.Model, s.Seq, s.GlobalBatch); err != nil {
		return err
	}
	m := &s.Model
	n := s.GlobalBatch / (l.DP * l.Microbatch)
	mb := float64(n)
	p, t, v := float64(l.PP), float64(l.TP), float64(l.Interleave)
	*st = Step{Layout: *l, Microbatches: n}

	fwd, bwd, again, coll := s.layer(l)
	head, embed := s.head(l)
	layers := float64((m.Layers + l.PP - 1) / l.PP)

	// Weights of the stage that has the most of them, and its messages.
	embedParams := m.EmbeddingParams() / t
	params := layers*m.LayerParams()/t + embedParams
	if l.PP == 1 && !m.Tied {
		params += embedParams
	}
	tokens := s.tokens(l)

	// One slot: a micro-batch forward and backward through one stage.
	var slot kernels
	slot.add(fwd)
	slot.add(bwd)
	slot.add(again)
	slot = slot.times(layers)
	if n > 1 { // accumulation reads and writes every gradient
		slot.gpu += params * 2 * bytesGradient * s.perByte
	}
	tpShown := 1 - s.Eff.TPOverlap
	cost := func(k kernels) (time, host float64) {
		gpu := k.gpu + k.tp*tpShown
		time = k.launch * s.launch
		// Small kernels wait for the host while large ones run, so the two
		// overlap less than perfectly where they are alike.
		g2, h2 := gpu*gpu, time*time
		time = math.Sqrt(math.Sqrt(g2*g2 + h2*h2))
		return time, time - gpu
	}
	withHead, withEmbed := slot, slot
	withHead.add(head)
	withEmbed.add(embed)
	if l.PP == 1 {
		withHead.add(embed)
	}

	// Messages between stages: activations forward, gradients backward.
	var ppSlot float64
	var tr traffic
	if l.PP > 1 {
		g := group{l.PP, l.TP * l.context() * l.DP}
		bytes := 2 * tokens * float64(m.Hidden)
		if l.SequenceParallel || s.Eff.SplitSend {
			bytes /= t
		}
		a, ta := s.send(bytes, g, &s.channels[Act])
		b, tb := s.send(bytes, g, &s.channels[ActGrad])
		ppSlot = (a + b) * v
		ta.add(tb)
		tr.add(ta.scale(v * mb))
	}
	tr.add(coll.scale(layers * mb))

	// Gathered parameters and reduced gradients.
	replicas := l.DP * l.context()
	dpGroup := group{replicas, l.TP}
	payload := 2 * params
	var perSlot, once, grads float64
	if replicas > 1 {
		switch l.ZeRO {
		case 0:
			var tg traffic
			if s.Codec.Gather && s.channels[Grad].compress {
				grads, tg = s.gather(payload, dpGroup, &s.channels[Grad])
			} else {
				grads, tg = s.allReduce(payload, dpGroup, &s.channels[Grad])
			}
			tr.add(tg)
		case 1, 2:
			rs, tg := s.ring(payload, dpGroup, 1, &s.channels[Grad])
			ag, ta := s.ring(payload, dpGroup, 1, &s.channels[Param])
			once = ag
			tr.add(ta)
			if l.ZeRO == 2 && n > 1 {
				perSlot = rs * (mb - 1) / mb
				tr.add(tg.scale(mb - 1))
			}
			grads = rs
			tr.add(tg)
		case 3:
			rs, tg := s.ring(payload, dpGroup, 1, &s.channels[Grad])
			ag, ta := s.ring(payload, dpGroup, 1, &s.channels[Param])
			perSlot = 2*ag + rs
			ta = ta.scale(2)
			ta.add(tg)
			tr.add(ta.scale(mb))
		}
	}

	// The slowest stage sets the pace; the others fill and drain.
	tHead, hostHead := cost(withHead)
	tEmbed, _ := cost(withEmbed)
	tMid, _ := cost(slot)
	pace, host := tHead, hostHead
	work := withHead
	if l.PP > 1 && tEmbed > tHead {
		pace, host = cost(withEmbed)
		work = withEmbed
	}
	pp := ppSlot * (1 - s.Eff.PPOverlap)
	gather := perSlot - min(perSlot*s.Eff.ParamOverlap, pace)
	extra := pp + gather + s.Eff.SlotMS*1e-3
	if l.PP > 1 {
		others := tEmbed + tHead + (p-2)*tMid + p*extra - (pace + extra)
		st.Bubble = others / v
	}
	st.PP = mb * pp
	st.Params = mb*gather + once*(1-s.Eff.ParamOverlap)
	st.TP = mb * work.tp * tpShown
	st.Host = mb*(host+s.Eff.SlotMS*1e-3) + s.Eff.StepMS*1e-3
	st.Forward = mb * fwd.gpu * layers
	st.Again = mb * again.gpu * layers
	st.Backward = mb*work.gpu - st.Forward - st.Again

	// Gradients reduce under the last micro-batch's backward pass.
	if l.PP > 1 && m.Tied {
		e, te := s.ring(2*embedParams, group{2, l.TP * replicas * (l.PP - 1)}, 2, &s.channels[Grad])
		grads += e
		tr.add(te)
	}
	backward := layers * (bwd.gpu + again.gpu)
	st.DP = grads - min(grads*s.Eff.DPOverlap, backward)
	st.Hidden = grads - st.DP + mb*(perSlot-gather+ppSlot-pp+work.tp*(1-tpShown))

	shard := 1.0
	if l.ZeRO >= 1 {
		shard = float64(replicas)
	}
	st.Optimizer = params / shard * (bytesOptimizer*2 + bytesGradient + bytesWeight) * s.perByte * s.Eff.OptimizerMult

	st.Time = mb*(pace+extra) + once*(1-s.Eff.ParamOverlap) + st.Bubble + st.DP + st.Optimizer + s.Eff.StepMS*1e-3 + s.checkpoint
	st.Checkpoint = s.checkpoint
	st.Traffic, st.Wire, st.Coded = tr.payload, tr.wire, tr.coded
	st.Memory = s.memory(l, n)
	st.FLOPs = s.Model.StepFLOPs(float64(s.GlobalBatch)*float64(s.Seq), s.Seq)
	return nil
}

// tokens is the number of tokens of a micro-batch on one rank.
func (s *System) tokens(l *Layout) float64 {
	return float64(l.Microbatch) * float64(s.Seq) / float64(l.context())
}

// Fits reports whether the step's fullest GPU has room.
func (s *System) Fits(st *Step) bool { return st.Memory.Total() <= s.GPU.MemGB*1e9 }
