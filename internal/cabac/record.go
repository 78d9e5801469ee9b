//go:build cabacbins

package cabac

import "slices"

// With the build tag cabacbins every Encoder keeps what it codes, as ops of a
// lane. The benches drive the lane with the bins of the software encoders.
const recording = true

// A Codeword is what an Encoder coded between Reset and Flush.
type Codeword struct {
	// Ops holds one bin each. OpInit of every context used comes first; the
	// index of a context is the order of its first use.
	Ops   []Op
	Bytes []byte
}

// Codewords are those of all Encoders, which may not run side by side.
var Codewords []Codeword

type recorder struct {
	before int // bytes
	index  map[*uint8]int
	value  []uint8 // of each context after its last bin
	init   []Op
	ops    []Op
}

func (r *recorder) start(dst []byte) { *r = recorder{before: len(dst), index: map[*uint8]int{}} }

func (r *recorder) op(op Op) { r.ops = append(r.ops, op) }

func (r *recorder) bin(ctx *uint8, bin int) {
	i, ok := r.index[ctx]
	switch {
	case !ok:
		i = len(r.value)
		if i > 255 {
			panic("cabac: more than 256 contexts in a codeword")
		}
		r.index[ctx] = i
		r.value = append(r.value, 0)
		r.init = append(r.init, Op{Kind: OpInit, Ctx: uint8(i), Bits: *ctx})
	case r.value[i] != *ctx: // set from outside
		r.op(Op{Kind: OpInit, Ctx: uint8(i), Bits: *ctx})
	}
	r.op(Op{Kind: OpContext, Ctx: uint8(i), Bits: uint8(bin & 1)})
	r.value[i] = Next(*ctx, bin&1)
}

func (r *recorder) run(ctx *[32]uint8, index *[16]uint8, bins uint16, from, to int) {
	// A context that occurs twice has its new value at the second bin: work on
	// a copy, under the addresses of the original.
	kept := *ctx
	for k := from; k >= to; k-- {
		p := &ctx[index[k&15]&31]
		bin := int(bins >> (k & 15) & 1)
		r.bin(p, bin)
		*p = Next(*p, bin)
	}
	*ctx = kept
}

func (r *recorder) bypass(v uint64, n int) {
	for n--; n >= 0; n-- {
		r.op(Op{Kind: OpBypass, Count: 1, Bits: uint8(v >> uint(n) & 1)})
	}
}

func (r *recorder) end(buf []byte) {
	Codewords = append(Codewords, Codeword{Ops: append(r.init, r.ops...), Bytes: slices.Clone(buf[r.before:])})
}
