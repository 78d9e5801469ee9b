package hwenc

import (
	"vcsim/sim"
	"vcsim/t265/block"
)

// RTL: rtl/t265/t265_quant.v rtl/t265/t265_quant_value.v rtl/t265/t265_coef_multiple.v rtl/t265/t265_product.v rtl/t265/t265_multiple.v rtl/t265/t265_round.v rtl/t265/t265_hide.v rtl/t265/t265_scale.v

// A QuantUnit quantises coefficients of 4x4 sub-blocks, of two beats each, hides a
// sign in each (package t265, sign data hiding), and scales the levels again (clause
// 8.6.4.2). Beats of the two inputs alternate by sub-block; that of a block with
// transform skip goes first. The levels of a sub-block leave in scan order, with the
// first of its two beats of scaled coefficients.
type QuantUnit struct {
	coef *sim.Stream[Coefs]
	skip *sim.Stream[SkipResidual]
	lev  *sim.Stream[SubLevels]
	deq  *sim.Stream[Coefs]
	rest *sim.Stream[SkipScaled]

	arith *quantArith

	half     bool      // the first beat of a sub-block is there
	halfSkip bool      // from skip
	in       [16]int32 // coefficients of the sub-block that comes
	sx, sy   uint8     // the sub-block of coef that comes
	takes    bool      // a beat
	takeSkip bool      // from skip

	stages             uint8 // bit i: a second beat came i+1 enabled cycles ago
	subs               [8]quantSub
	first, next        uint8 // the oldest of subs, and the one that comes
	fresh              bool  // the streams have not yet the data of this stage
	levTaken, deqTaken bool
	levLeaves          bool
	deqLeaves          bool
	enable             bool
}

// quantLag is the latency of scaled coefficients from the first beat of their sub-block
// on, in cycles.
const quantLag = 7

// The bits of QuantUnit.stages in which words leave.
const (
	quantFirst  = 1 << (quantLag - 2) // the levels, and the first beat of scaled coefficients
	quantSecond = 1 << (quantLag - 1)
)

// A quantSub is a sub-block on its way.
type quantSub struct {
	levels SubLevels
	scaled [2][8]int16 // as the coefficients came
}

// quantArith has the arithmetic by QP and by log2 of the size less 2.
type quantArith struct {
	quantizers [52][4]block.Quantizer
	scalers    [52][4]block.Scaler
}

func newQuantArith(hide bool) *quantArith {
	a := new(quantArith)
	for qp := range 52 {
		for l := range 4 {
			a.quantizers[qp][l] = block.NewQuantizer(qp, l+2, true, hide)
			a.scalers[qp][l] = block.NewScaler(qp, l+2)
		}
	}
	return a
}

// quantOrder gives the place among the 16 values of two beats of the value at a scan
// position, by scanIdx: of columns, and of rows.
var quantOrder = func() (t [2][3][16]uint8) {
	for scan := range 3 {
		s := &block.Scans[0][scan]
		for k := range 16 {
			t[0][scan][k] = s.PosX[k]<<2 | s.PosY[k]
			t[1][scan][k] = s.PosY[k]<<2 | s.PosX[k]
		}
	}
	return t
}()

// NewQuantUnit returns a quantiser after reset. coef has blocks of 8x8 and larger, deq
// their scaled coefficients; skip has blocks with transform skip, rest their scaled
// coefficients. hide applies sign data hiding.
func NewQuantUnit(hide bool, coef *sim.Stream[Coefs], skip *sim.Stream[SkipResidual], lev *sim.Stream[SubLevels], deq *sim.Stream[Coefs], rest *sim.Stream[SkipScaled]) *QuantUnit {
	return &QuantUnit{coef: coef, skip: skip, lev: lev, deq: deq, rest: rest, arith: newQuantArith(hide)}
}

func (u *QuantUnit) Eval() {
	out := u.stages & (quantFirst | quantSecond)
	u.lev.Valid, u.deq.Valid, u.rest.Valid = false, false, false
	u.levLeaves, u.deqLeaves = true, true
	if out != 0 {
		u.emit(out == quantSecond)
	}
	u.enable = u.levLeaves && u.deqLeaves
	u.takeSkip = u.halfSkip
	if !u.half {
		u.takeSkip = u.skip.Valid
	}
	u.skip.Ready, u.coef.Ready = u.enable && u.takeSkip, u.enable && !u.takeSkip
	u.takes = u.skip.Moves() || u.coef.Moves()
}

// emit drives the outputs with the oldest sub-block.
func (u *QuantUnit) emit(second bool) {
	s := &u.subs[u.first]
	if u.fresh {
		u.fresh = false
		beat := &s.scaled[bin(second)&1]
		if s.levels.Log2 == 0 {
			u.rest.Data = SkipScaled{s.levels.Tag, *beat}
		} else {
			u.deq.Data = Coefs{s.levels.Tag, *beat}
		}
		if !second {
			u.lev.Data = s.levels
		}
	}
	if !second {
		u.lev.Valid = !u.levTaken
		u.levLeaves = u.levTaken || u.lev.Ready
	}
	if s.levels.Log2 == 0 {
		u.rest.Valid = !u.deqTaken
		u.deqLeaves = u.deqTaken || u.rest.Ready
	} else {
		u.deq.Valid = !u.deqTaken
		u.deqLeaves = u.deqTaken || u.deq.Ready
	}
}

func (u *QuantUnit) Clock() {
	if !u.enable {
		u.levTaken, u.deqTaken = u.levLeaves, u.deqLeaves
		return
	}
	u.levTaken, u.deqTaken = false, false
	if u.stages&quantSecond != 0 {
		u.first = (u.first + 1) & 7
	}
	u.stages = u.stages << 1 & (2*quantSecond - 1)
	u.fresh = true
	if !u.takes {
		return
	}
	if u.half {
		u.stages |= 1
	}
	at := u.in[8*bin(u.half):][:8]
	if u.takeSkip {
		for i, v := range &u.skip.Data.Values {
			at[i] = int32(v) << 5
		}
	} else {
		for i, v := range &u.coef.Data.Values {
			at[i] = int32(v)
		}
	}
	if u.half {
		u.code()
	}
	u.half, u.halfSkip = !u.half, u.takeSkip && !u.half
}

// code quantises the sub-block that is there.
func (u *QuantUnit) code() {
	s := &u.subs[u.next]
	u.next = (u.next + 1) & 7
	l := &s.levels
	if u.takeSkip {
		l.Tag, l.SX, l.SY, l.LastSub = u.skip.Data.Tag, 0, 0, true
	} else {
		l.Tag, l.SX, l.SY = u.coef.Data.Tag, u.sx, u.sy
		side := uint8(1)<<(l.Log2&3) - 1 // sub-blocks, less one
		if u.sy++; l.SY == side {
			u.sx, u.sy = l.SX+1, 0
		}
		if l.LastSub = l.SX == side && l.SY == side; l.LastSub {
			u.sx = 0
		}
	}
	l.Scan = uint8(block.ScanIndex(int(l.Log2)+2, int(block.DecisionModes[l.Mode&3])))
	order := &quantOrder[bin(u.takeSkip)&1][l.Scan]
	var in [16]int32
	for k, i := range order {
		in[k] = u.in[i&15]
	}
	q, d := &u.arith.quantizers[l.QP][l.Log2&3], &u.arith.scalers[l.QP][l.Log2&3]
	mask, _, _ := q.SubBlock(&l.Levels, &in)
	l.Mask = uint16(mask)
	for k, i := range order {
		s.scaled[i>>3&1][i&7] = int16(d.Coefficient(int32(l.Levels[k])))
	}
}
