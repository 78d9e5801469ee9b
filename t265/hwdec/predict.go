package hwdec

import (
	"fmt"

	"vcsim/sim"
	"vcsim/t265/block"
	"vcsim/t265/hw"
)

// RTL: rtl/t265/t265_dec_predict.v rtl/t265/t265_dec_smooth.v rtl/t265/t265_dec_angle.v rtl/t265/t265_dec_project.v rtl/t265/t265_dec_strong.v rtl/t265/t265_dec_line.v rtl/t265/t265_dec_intra.v

// A PredictWord is the prediction of four samples of a row, or of a column in the modes of
// hw.ByColumns. Rows come from the top, columns from the left.
type PredictWord [4]uint8

// A PredictSpec holds the parameters of a PredictUnit, spelled as in Verilog.
type PredictSpec struct {
	MaxTU int // largest block, 8, 16 or 32
	Modes int // 35, or 4: planar, DC, horizontal and vertical, those of tier hw
}

// DefaultPredictSpec is all modes at blocks of up to 16x16.
func DefaultPredictSpec() PredictSpec { return PredictSpec{MaxTU: 16, Modes: block.NumModes} }

// Validate reports the first parameter out of range.
func (s PredictSpec) Validate() error {
	if s.MaxTU != 8 && s.MaxTU != 16 && s.MaxTU != 32 {
		return fmt.Errorf("t265: MaxTU is %d, not 8, 16 or 32", s.MaxTU)
	}
	if s.Modes != block.NumModes && s.Modes != len(block.DecisionModes) {
		return fmt.Errorf("t265: Modes is %d, neither 35 nor 4", s.Modes)
	}
	return nil
}

// lastWord is the number of the last word of a prediction by log2 of the size, less 2.
var lastWord = [4]uint8{3, 15, 63, 255}

// A PredictUnit predicts blocks from their reference samples (clause 8.4.4.2): beats of
// references in, prediction out, blocks in their order.
//
// A beat waits in the first stage for the next one of its block, since the filter of its
// last sample needs the one behind. The references of a block go into one page while
// those of the block before are read from the other. A word of the prediction is read,
// turned to its place, and interpolated, in three stages that move together.
type PredictUnit struct {
	in  *sim.Stream[hw.RefBeat]
	out *sim.Stream[PredictWord]

	// The first stage.
	held bool
	at   uint8 // number of the beat

	// The second turn of a block of 32x32 with strong smoothing, of beats that the unit
	// makes itself.
	decides bool // the last beat in the first stage tells whether there is one
	turns   bool

	waits bool // no word of the block that came last is read yet
	busy  bool // words of a block are read
	word  uint8

	readValid, turnedValid, outValid bool
	read, turned, outWord            PredictWord

	// The block that comes.
	log2, mode     uint8
	strong         bool
	refs, filtered block.Refs
	nb             block.Neighbourhood

	pages      [2]predicting
	fill, from uint8 // pages of the block that comes, and of the one that is read

	step bool // the words move on
}

// A predicting is a block with its prediction in raster order.
type predicting struct {
	log2      uint8 // of its size, less 2
	byColumns bool
	pred      [1024]uint8
}

// NewPredictUnit returns a unit after reset.
func NewPredictUnit(spec PredictSpec, in *sim.Stream[hw.RefBeat], out *sim.Stream[PredictWord]) *PredictUnit {
	if err := spec.Validate(); err != nil {
		panic(err)
	}
	return &PredictUnit{in: in, out: out}
}

func (u *PredictUnit) Eval() {
	u.out.Valid, u.out.Data = u.outValid, u.outWord
	u.step = !u.outValid || u.out.Ready
	u.in.Ready = !u.turns && !u.decides && (!u.held || u.leaves())
}

// leaves tells that the beat in the first stage may go to its page.
func (u *PredictUnit) leaves() bool { return u.at != 0 || !u.waits }

func (u *PredictUnit) Clock() {
	waits := u.waits
	if u.step {
		if u.outValid = u.turnedValid; u.turnedValid {
			u.outWord = u.turned
		}
		u.turnedValid, u.turned = u.readValid, u.read
		if u.readValid = u.busy; u.busy {
			u.fetch()
		}
	}
	if waits && !u.busy {
		u.busy, u.word, u.from = true, 0, u.fill^1
	}
	u.load()
}

// fetch reads a word of the prediction.
func (u *PredictUnit) fetch() {
	p := &u.pages[u.from]
	at, side := int(u.word)<<2, int(p.log2&3)+2
	if p.byColumns {
		line, first := at>>side, at&(1<<side-1)
		for i := range u.read {
			u.read[i] = p.pred[((first+i)<<side+line)&1023]
		}
	} else {
		copy(u.read[:], p.pred[at:])
	}
	if u.word == 0 {
		u.waits = false
	}
	u.busy = u.word != lastWord[p.log2&3]
	u.word++
}

// load is the edge of the first stage.
func (u *PredictUnit) load() {
	const lastTurn = 2*32/4 - 1
	switch {
	case u.decides:
		u.decides, u.held = false, false
		if u.turns = u.refs.Smooth(); u.turns {
			u.at = 0xff
		} else {
			u.complete()
		}
	case u.turns:
		u.held = true
		if u.at++; u.at == lastTurn {
			u.turns = false
			u.complete()
		}
	case u.in.Moves():
		u.take(&u.in.Data)
	case u.held && u.last():
		u.held = false
	}
}

// last tells that the beat in the first stage is the last one of its block.
func (u *PredictUnit) last() bool { return u.at == 2<<(u.log2&3)-1 }

// take is the edge at which a beat comes in.
func (u *PredictUnit) take(b *hw.RefBeat) {
	const c = block.RefCorner
	if u.held && !u.last() {
		u.at++
	} else {
		u.held, u.at = true, 0
		u.log2, u.mode, u.strong = b.Log2, b.Mode, b.Strong
		u.refs[c] = b.Corner
		u.nb = block.Neighbourhood{Left: b.HasLeft, Above: b.HasAbove, Corner: b.HasCorner}
	}
	first := 4 * int(u.at&15)
	for i := range 4 {
		u.refs[c+1+first+i], u.refs[c-1-first-i] = b.Above[i], b.Left[i]
	}
	if u.at >= 1<<(u.log2&3) {
		if b.HasAbove {
			u.nb.AboveRight += 4
		}
		if b.HasLeft {
			u.nb.BelowLeft += 4
		}
	}
	if u.last() {
		log2 := int(u.log2&3) + 2
		u.refs.Substitute(1<<log2, u.nb)
		if u.strong && log2 == 5 && block.Filtered(log2, int(u.mode)) {
			u.decides = true
		} else {
			u.complete()
		}
	}
}

// complete computes the prediction of the block that has come.
func (u *PredictUnit) complete() {
	log2, mode := int(u.log2&3)+2, int(u.mode)
	p := &u.pages[u.fill]
	p.log2, p.byColumns = u.log2, hw.ByColumns(u.mode)
	r := &u.refs
	if block.Filtered(log2, mode) {
		r = &u.filtered
		u.refs.Filter(r, log2, u.strong)
	}
	block.Predict(p.pred[:], 1<<log2, log2, mode, r)
	u.waits = true
	u.fill ^= 1
}
