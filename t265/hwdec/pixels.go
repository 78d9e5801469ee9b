package hwdec

import (
	"fmt"
	"math/bits"

	"vcsim/sim"
	"vcsim/t265/block"
	"vcsim/t265/hw"
)

// RTL: rtl/t265/t265_dec_pixels.v

// A PixelsSpec holds the parameters of the decoder's pixel path, spelled as in Verilog.
type PixelsSpec struct {
	Threads   int // independent frames, 2..64
	FrameCTUs int // widest and highest frame, in CTUs of 16 samples, 2..1024
	MaxCTU    int // largest CTU, 16, 32 or 64
	MaxTU     int // largest transform block, 8 or 16
	Modes     int // 35, or 4: planar, DC, horizontal and vertical, those of tier hw
	Words     int // words of items by thread, 16..256; a block of 16x16 has up to 65
}

// DefaultPixelsSpec is a path for 16 frames of at most 256 by 256.
func DefaultPixelsSpec() PixelsSpec {
	return PixelsSpec{Threads: 16, FrameCTUs: 16, MaxCTU: 64, MaxTU: 16, Modes: block.NumModes, Words: 72}
}

// Validate reports the first parameter out of range.
func (s PixelsSpec) Validate() error {
	for _, p := range []struct {
		name         string
		v, low, high int
	}{{"Threads", s.Threads, 2, 64}, {"FrameCTUs", s.FrameCTUs, 2, 1024}, {"Words", s.Words, 16, 256}} {
		if p.v < p.low || p.v > p.high {
			return fmt.Errorf("t265: %s is %d, not in %d..%d", p.name, p.v, p.low, p.high)
		}
	}
	if s.MaxCTU != 16 && s.MaxCTU != 32 && s.MaxCTU != 64 {
		return fmt.Errorf("t265: MaxCTU is %d, not 16, 32 or 64", s.MaxCTU)
	}
	if err := s.predict().Validate(); err != nil {
		return err
	}
	return s.inverse().Validate()
}

func (s PixelsSpec) inverse() InverseSpec { return InverseSpec{MaxTU: s.MaxTU, MinTU: 4} }

func (s PixelsSpec) predict() PredictSpec { return PredictSpec{MaxTU: s.MaxTU, Modes: s.Modes} }

// ThreadBits is the width of a thread.
func (s PixelsSpec) ThreadBits() int { return bits.Len(uint(s.Threads - 1)) }

// PosBits is the width of a column or row in a picture, in units of four samples.
func (s PixelsSpec) PosBits() int { return bits.Len(uint(s.FrameCTUs-1)) + 2 }

// Words of the queues inside.
const (
	blocksDepth = 5 // between the scheduler and the windows
	sumsDepth   = 4 // between the windows and the reconstruction
)

// A PixelsUnit is the pixel path of the decoder: items of all threads in, those of a
// thread in their order, samples out, four values a cycle.
type PixelsUnit struct {
	In  *sim.Stream[ThreadItem]
	Out *sim.Stream[PixelWord]

	sched   *SchedUnit
	jobs    *sim.FIFO[BlockJob]
	windows *WindowsUnit
	sums    *sim.FIFO[SumJob]
	inverse *InverseUnit
	predict *PredictUnit
	recon   *ReconUnit

	blocks, job sim.Stream[BlockJob]
	turns, sum  sim.Stream[SumJob]
	levels      sim.Stream[LevelWord]
	residual    sim.Stream[ResidualWord]
	refs        sim.Stream[hw.RefBeat]
	pred        sim.Stream[PredictWord]
	done        sim.Stream[uint8]
}

// NewPixelsUnit returns a path after reset.
func NewPixelsUnit(spec PixelsSpec, in *sim.Stream[ThreadItem], out *sim.Stream[PixelWord]) *PixelsUnit {
	if err := spec.Validate(); err != nil {
		panic(err)
	}
	u := &PixelsUnit{In: in, Out: out}
	u.sched = NewSchedUnit(spec, in, &u.blocks, &u.levels, &u.done)
	u.jobs = sim.NewFIFO(&u.blocks, &u.job, blocksDepth)
	u.sums = sim.NewFIFO(&u.turns, &u.sum, sumsDepth)
	u.inverse = NewInverseUnit(spec.inverse(), &u.levels, &u.residual)
	u.predict = NewPredictUnit(spec.predict(), &u.refs, &u.pred)
	u.recon = NewReconUnit(&u.sum, &u.pred, &u.residual, out, &u.done)
	u.windows = NewWindowsUnit(spec, &u.job, &u.refs, &u.turns, &u.recon.Write)
	return u
}

// Takes reports whether an item of a thread could move in this cycle.
func (u *PixelsUnit) Takes(thread uint8) bool { return u.sched.Takes(thread) }

func (u *PixelsUnit) Eval() {
	u.jobs.Eval()
	u.sums.Eval()
	u.inverse.Eval()
	u.predict.Eval()
	u.recon.Eval()
	u.predict.Eval() // its words move on with the last one
	u.windows.Eval()
	u.sched.Eval()
}

func (u *PixelsUnit) Clock() {
	u.sched.Clock()
	u.jobs.Clock()
	u.windows.Clock()
	u.sums.Clock()
	u.inverse.Clock()
	u.predict.Clock()
	u.recon.Clock()
}
