package cluster

import "math"

// Power holds the energy constants of a study, per GPU.
type Power struct {
	// ComputePJPerFLOP, where it is set, is the energy of a model FLOP, memory
	// included, and IdleFraction the share of the board power that a waiting
	// GPU draws: the accounting of papers that give no power. Where it is 0,
	// GPUs draw power over time ([System.GPUPower]).
	ComputePJPerFLOP float64
	IdleFraction     float64
	NICPJPerBit      float64 // both ends of a transfer, per wire bit
	SwitchPJPerBit   float64 // switch and optics, per wire bit
	HostW            float64 // of a node, per GPU: processors, fans, NICs at rest, switches of the links inside
	Conversion       float64 // part of the wall's power that reaches the parts, 0 to 1; 0 means 1
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

// What a GPU draws between idle and board power, as a share of the range:
// by hand, so that nodes come out as measured (MLPerf Training v4.1, closed
// division with power).
const (
	shareProducts    = 0.9  // matrix products whose energy per FLOP is not known
	shareElementwise = 0.75 // kernels bound by memory
	shareComm        = 0.5  // waiting for a collective that its kernels carry out
	shareWait        = 0.25 // waiting with clocks up
)

// NodeHostW is what a node draws per GPU beside the GPUs at full load, in
// watts: processors, memory, fans, NICs and NVLink switches of an 8-GPU HGX
// node. The vendor's 10.2 kW for a DGX H100 leave 575 W a GPU at most; about
// 60 % of it is what the measured nodes show.
const NodeHostW = 345

// watts is the power at a share of the range between idle and board power.
func (g *GPU) watts(share float64) float64 { return g.IdleW + share*(g.TDPW-g.IdleW) }

// GPUPower is the mean power of one GPU of a step in watts, and the part of it
// that is drawn while the GPU waits: products at what their FLOPs take,
// element-wise kernels, communication that shows and waiting at their shares.
// It is never above the board's.
func (s *System) GPUPower(st *Step, p *Power) (mean, waiting float64) {
	g := &s.GPU
	atRest := g.watts(shareWait)
	if p.IdleFraction > 0 {
		atRest = p.IdleFraction * g.TDPW
	}
	work := st.Forward + st.Backward + st.Again
	comm := st.TP + st.CP + st.EP + st.PP + st.Params + st.DP + st.Offload
	memory := max(0, work-st.Products) + st.Optimizer
	wait := max(0, st.Time-st.Products-memory-comm)
	idle := wait * atRest
	joules := st.Products*g.watts(s.productShare) + memory*g.watts(shareElementwise) + comm*g.watts(shareComm) + idle
	return joules / st.Time, idle / st.Time
}

// NodePower is the mean power of a node with so many GPUs in watts, at the
// wall.
func (s *System) NodePower(st *Step, gpus int, p *Power) float64 {
	e := s.Energy(st, p)
	perGPU := (e.GPU + e.Idle + e.NIC + e.Codec) / st.Time / float64(st.Layout.GPUs())
	return float64(gpus) * (perGPU + p.HostW) / orOne(p.Conversion)
}

// Energy is one step of the whole job, in joules.
type Energy struct {
	GPU, Idle, NIC, Switch, Codec float64
}

// Total is the sum over the components in joules.
func (e *Energy) Total() float64 { return e.GPU + e.Idle + e.NIC + e.Switch + e.Codec }

// Comm is what communication takes: NIC, switch and codec, in joules.
func (e *Energy) Comm() float64 { return e.NIC + e.Switch + e.Codec }

// Energy of a step: GPUs by their power over time, or by a fixed energy per
// FLOP where p names one (recomputed work included); wire bits through NICs
// and switches; payload bits through encoder and decoder.
func (s *System) Energy(st *Step, p *Power) Energy {
	gpus := float64(st.Layout.GPUs())
	const pJ = 1e-12
	bits := 8 * gpus * pJ
	e := Energy{
		NIC:    st.Wire * bits * p.NICPJPerBit,
		Switch: st.Wire * bits * p.SwitchPJPerBit,
		Codec:  bits * (st.Encoded*s.Codec.EncodePJPerBit + st.Decoded*s.Codec.DecodePJPerBit),
	}
	if p.ComputePJPerFLOP == 0 {
		mean, waiting := s.GPUPower(st, p)
		e.GPU, e.Idle = (mean-waiting)*st.Time*gpus, waiting*st.Time*gpus
		return e
	}
	work := st.Forward + st.Backward + st.Again
	again := 1.0
	if work > st.Again {
		again = work / (work - st.Again)
	}
	e.GPU = st.FLOPs * again * p.ComputePJPerFLOP * pJ
	e.Idle = math.Max(0, st.Time-work-st.Optimizer) * s.GPU.TDPW * p.IdleFraction * gpus
	return e
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
