package cluster

import "math"

// Power holds the energy constants of a study, per GPU.
type Power struct {
	ComputePJPerFLOP float64 // GPU and its memory while it computes
	IdleFraction     float64 // share of the board power a GPU draws while it waits, 0 to 1
	NICPJPerBit      float64 // both ends of a transfer, per wire bit
	SwitchPJPerBit   float64 // switch and optics, per wire bit
	Source           string
}

// NetworkPJPerBit is NIC and switch together, per wire bit.
func (p *Power) NetworkPJPerBit() float64 { return p.NICPJPerBit + p.SwitchPJPerBit }

// sustained is the utilisation at which the board power is taken to be drawn,
// where no better figure is known.
const sustained = 0.45

// ComputePJ is the energy of a FLOP when the board draws its rated power at
// 45 % of the peak.
func (g *GPU) ComputePJ() float64 { return g.TDPW / (g.PeakTFLOPS * sustained) }

// Energy is one step of the whole job, in joules.
type Energy struct {
	GPU, Idle, NIC, Switch, Codec float64
}

// Total is the sum over the components in joules.
func (e *Energy) Total() float64 { return e.GPU + e.Idle + e.NIC + e.Switch + e.Codec }

// Comm is what communication takes: NIC, switch and codec, in joules.
func (e *Energy) Comm() float64 { return e.NIC + e.Switch + e.Codec }

// Energy of a step: arithmetic (recomputed work included) at a fixed energy
// per FLOP, waiting at a share of the board power, wire bits through NICs and
// switches, payload bits through encoder and decoder.
func (s *System) Energy(st *Step, p *Power) Energy {
	gpus := float64(st.Layout.GPUs())
	work := st.Forward + st.Backward + st.Again
	again := 1.0
	if work > st.Again {
		again = work / (work - st.Again)
	}
	const pJ = 1e-12
	bits := 8 * gpus * pJ
	return Energy{
		GPU:    st.FLOPs * again * p.ComputePJPerFLOP * pJ,
		Idle:   math.Max(0, st.Time-work-st.Optimizer) * s.GPU.TDPW * p.IdleFraction * gpus,
		NIC:    st.Wire * bits * p.NICPJPerBit,
		Switch: st.Wire * bits * p.SwitchPJPerBit,
		Codec:  st.Coded * bits * (s.Codec.EncodePJPerBit + s.Codec.DecodePJPerBit),
	}
}

// A Volume is a step stated by its arithmetic and its traffic alone, over all
// GPUs: what it takes to speak of energy without a layout.
type Volume struct {
	FLOPs       float64 // without recomputation
	PayloadBits float64 // sent, before compression
}

// DataParallelVolume is one step over tokens in sequences of seq, with nothing
// but the ring all-reduce of the gradients: each of the dp replicas, cut over
// however many GPUs, sends 2(dp-1)/dp of its 16-bit gradients.
func DataParallelVolume(m *Model, dp int, tokens float64, seq int) Volume {
	return Volume{
		FLOPs:       m.StepFLOPs(tokens, seq),
		PayloadBits: 2 * float64(dp-1) * PayloadBits * m.Params(),
	}
}

// Energy of a volume whose traffic is compressed by ratio, every payload bit
// passing an encoder and a decoder that take codecPJPerBit together; 1 and 0
// stand for no codec.
func (p *Power) Energy(v Volume, ratio, codecPJPerBit float64) Energy {
	const pJ = 1e-12
	wire := v.PayloadBits / ratio * pJ
	return Energy{
		GPU:    v.FLOPs * p.ComputePJPerFLOP * pJ,
		NIC:    wire * p.NICPJPerBit,
		Switch: wire * p.SwitchPJPerBit,
		Codec:  v.PayloadBits * codecPJPerBit * pJ,
	}
}
