package cabac

import "math/bits"

// Ahead does cycles of a lane and of the NALUnit behind it at once, while no
// stage waits: ops[0] is on In in the first of them, one more in each after it,
// and a word of n moves in the first or is not there. Only the last of ops may end
// a codeword; it is left over. Ahead ends, with the number of cycles done, with
// the cycle that fills a word of n, or makes a stage wait or Overflow rise. Then
// the state is as after that many cycles of Eval and Clock; the streams are those
// of before.
func (u *EncoderUnit) Ahead(n *NALUnit, ops []Op) int {
	if end := len(ops) - 1; end >= 0 && ops[end].Kind == OpTerminate && ops[end].Bits&1 != 0 {
		ops = ops[:end]
	}
	p := &u.pack
	if len(ops) == 0 || u.hold || p.fin || p.draining || n.pending || n.valid && !n.Out.Ready {
		return 0
	}
	if n.valid {
		n.valid, n.word.Count = false, 0
	}
	rng, low, stages, acc, k := u.rng, u.low, u.stages, p.acc, p.k
	mem := u.ctx.mem
	cycles := 0
	for more := true; more && cycles < len(ops); cycles++ {
		op := &ops[cycles]
		if p.valid {
			p.valid = false
			n.take(p.out)
			more = !n.valid && !n.pending
		}
		w := stages >> 48 // 0 settles nothing
		t := k + uint8(w>>stageN&7)
		sum := uint16(acc)<<8 + uint16(w&0xff)<<((15-t)&15)
		k = t & 7
		acc = uint8(sum >> 8)
		if t >= 8 {
			p.digit(sum >> 7)
			acc = uint8(sum & 0x7f)
			more = more && !p.draining && !p.overflow
		}
		stages <<= 16
		// The arithmetic is that of code and shift, and of Encoder.Bin.
		shift, add := uint(0), uint32(0)
		switch op.Kind {
		case OpContext:
			at := &mem[op.Ctx]
			c := *at
			i := c | (c^op.Bits)<<7
			*at = nextState[i]
			d := subdivisions[i]
			d, m := d>>(rng>>2&48), uint32(int64(d)>>63)
			l := uint32(d & 0xff)
			r := rng - l
			add = r & m
			r ^= (r ^ l) & m
			shift = uint(uint32(d)>>8&7 - r>>8)
			rng = r << (shift & 31)
			tail := op.Count & 1
			add = add<<(shift&31)<<tail + rng&-uint32(op.Bits>>1&tail)
			shift += uint(tail)
		case OpBypass:
			shift, add = uint(op.Count), rng*uint32(op.Bits)
		case OpTerminate:
			rng -= 2
			shift = uint(bits.LeadingZeros32(rng)) - 23
			rng <<= shift & 31
		case OpInit:
			mem[op.Ctx] = op.Bits
		}
		sum32 := low<<(shift&31) + add // below 512 without a shift
		low = sum32 & 0x1ff
		stages |= uint64(shift)<<stageN | uint64(uint8(sum32>>9))
	}
	u.rng, u.low, u.stages, p.acc, p.k = rng, low, stages, acc, k
	return cycles
}
