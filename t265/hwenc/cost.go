package hwenc

import "vcsim/t265/block"

// RTL: rtl/t265/t265_cost.v rtl/t265/t265_rate.v

// A CostUnit estimates what a transform block costs if it is coded (package t265,
// transform tree): it quantises without sign data hiding, and adds the squared error
// and the estimated bits of its sub-blocks. A sub-block comes in two beats. What
// comes out needs no room: nothing stalls.
type CostUnit struct {
	Valid  bool     // a beat comes
	Last   bool     // the last one of its block
	QP     uint8    // 0..51
	Values [8]int16 // coefficients, s16, or of a 4x4 block the residual, s9; in any order in their sub-block

	Done bool   // a block is complete
	Cost uint32 // in 1/4096 squared steps

	quantizers [52]block.Quantizer
	shift      uint // of what comes: 5 with transform skip
	start      uint32
	half       bool // the first beat of a sub-block is there
	in         [16]int32
	sum        uint32          // of the block that comes
	stages     uint8           // bit i: the last beat came i+1 cycles ago
	costs      [costLag]uint32 // of blocks on their way
	next, old  uint8
}

// costLag is the latency of a CostUnit in cycles.
const costLag = 6

// NewCostUnit returns a CostUnit of blocks of size 1<<log2 after reset. log2 is 2, of
// blocks with transform skip, to 5.
func NewCostUnit(log2 int) *CostUnit {
	u := &CostUnit{start: blockPrice(int(block.BlockRate[log2]))}
	if log2 == 2 {
		u.shift = 5
	}
	for qp := range u.quantizers {
		u.quantizers[qp] = block.NewQuantizer(qp, log2, true, false)
	}
	u.sum = u.start
	return u
}

// blockPrice is the price of bits, given in 1/16. BitPrice is a multiple of 16, so
// that the sum of the prices of parts is that of the whole.
func blockPrice(rate int) uint32 { return uint32(rate * (block.BitPrice / 16)) }

func (u *CostUnit) Eval() {
	u.Done = u.stages>>(costLag-1)&1 != 0
	if u.Done {
		u.Cost = u.costs[u.old]
	}
}

func (u *CostUnit) Clock() {
	if u.Done {
		u.old = (u.old + 1) % costLag
	}
	u.stages <<= 1
	if !u.Valid {
		return
	}
	for i, v := range &u.Values {
		u.in[8*int(bin(u.half))+i] = int32(v) << u.shift
	}
	if u.half = !u.half; u.half {
		return
	}
	var levels [16]int16
	mask, sum, dist := u.quantizers[u.QP].SubBlock(&levels, &u.in)
	u.sum += uint32(dist) + blockPrice(block.SubBlockRate(mask, sum))
	if u.Last {
		u.costs[u.next] = u.sum
		u.next = (u.next + 1) % costLag
		u.stages |= 1
		u.sum = u.start
	}
}
