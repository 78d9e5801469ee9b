package t265

import (
	"vcsim/t265/hw"
	"vcsim/t265/hwdec"
	"vcsim/t265/hwenc"
)

// packed packs fields, lowest first.
type packed struct {
	w [6]uint64
	n int
}

// add appends the n lowest bits of v.
func (b *packed) add(v uint64, n int) *packed {
	v &= 1<<n - 1
	i, at := b.n/64, b.n%64
	b.w[i] |= v << at
	if at+n > 64 {
		b.w[i+1] |= v >> (64 - at)
	}
	b.n += n
	return b
}

func (b *packed) flag(v bool) *packed { return b.add(bit(v), 1) }

func (b *packed) samples(s []uint8) *packed {
	for _, v := range s {
		b.add(uint64(v), 8)
	}
	return b
}

// put sets ports of 64 bits to the word and returns their number.
func (b *packed) put(ports []uint64) int { return copy(ports, b.w[:(b.n+63)/64]) }

// The words of path.go as Verilog has them.

func (b *packed) job(spec hwenc.Spec, j *hwenc.Job) *packed {
	b.add(uint64(j.Thread), spec.ThreadBits()).add(uint64(j.X), spec.XBits()).add(uint64(j.QP), 6)
	return b.flag(j.High).flag(j.Fine).flag(j.First).flag(j.Last).flag(j.Left).flag(j.Above).flag(j.Right)
}

func (b *packed) refJob(spec hwenc.Spec, r *hwenc.RefJob) *packed {
	return b.job(spec, &r.Job).samples(r.Row[:]).add(uint64(r.Corner), 8)
}

func (b *packed) plan(spec hwenc.Spec, p *hwenc.Plan) *packed {
	return b.refJob(spec, &p.RefJob).add(uint64(p.Mode), 2).flag(p.Split).add(uint64(p.Split8), 4)
}

func (b *packed) chosen(spec hwenc.Spec, c *hwenc.Chosen) *packed {
	return b.refJob(spec, &c.RefJob).samples(c.Side[:]).add(uint64(c.DC), 8).add(uint64(c.Mode), 2)
}

func (b *packed) head(spec hwenc.Spec, h *hwenc.Head) *packed {
	b.add(uint64(h.Thread), spec.ThreadBits()).add(uint64(h.QP), 6).flag(h.High).flag(h.Fine).flag(h.First).flag(h.Last).flag(h.Left)
	return b.add(uint64(h.Mode), 2).flag(h.Split).add(uint64(h.Split8), 4)
}

func (b *packed) tag(spec hwenc.Spec, t *hwenc.Tag) *packed {
	b.add(uint64(t.Thread), spec.ThreadBits()).add(uint64(t.CX), 2).add(uint64(t.CY), 2).add(uint64(t.Mode), 2)
	return b.add(uint64(t.QP), 6).flag(t.LastTU).add(uint64(t.Log2), 2)
}

func (b *packed) firstTU(spec hwenc.Spec, t *hwenc.FirstTU) *packed {
	return b.tag(spec, &t.Tag).flag(t.First).flag(t.Left).flag(t.Above).flag(t.Right).samples(t.Row[:]).add(uint64(t.Corner), 8)
}

func (b *packed) subLevels(spec hwenc.Spec, l *hwenc.SubLevels) *packed {
	b.tag(spec, &l.Tag).add(uint64(l.SX), 2).add(uint64(l.SY), 2).add(uint64(l.Scan), 2).add(uint64(l.Mask), 16)
	for _, v := range l.Levels {
		b.add(uint64(v), 16)
	}
	return b.flag(l.LastSub)
}

// Words of the decoder.

func (b *packed) refBeat(r *hw.RefBeat) *packed {
	b.samples(r.Above[:]).samples(r.Left[:]).flag(r.HasAbove).flag(r.HasLeft).add(uint64(r.Corner), 8).flag(r.HasCorner)
	return b.add(uint64(r.Log2), 2).add(uint64(r.Mode), 6).flag(r.Strong)
}

func (b *packed) block(spec hwdec.PixelsSpec, j *hwdec.BlockJob) *packed {
	p := &j.Place
	b.add(uint64(j.Thread), spec.ThreadBits()).add(uint64(p.Log2), 2).add(uint64(p.Mode), 6).flag(p.Strong).flag(p.Coded)
	b.flag(p.HasLeft).flag(p.HasAbove).flag(p.HasCorner).add(uint64(p.Right), 2).add(uint64(p.Below), 2)
	return b.add(uint64(p.X), spec.PosBits()).add(uint64(p.Y), spec.PosBits())
}

func (b *packed) sum(spec hwdec.PixelsSpec, j *hwdec.SumJob) *packed {
	b.add(uint64(j.Thread), spec.ThreadBits()).add(uint64(j.Log2), 2).flag(j.ByColumns).flag(j.Coded)
	return b.add(uint64(j.Corner), 8).add(uint64(j.X), spec.PosBits()).add(uint64(j.Y), spec.PosBits())
}

func (b *packed) left(w *hwdec.LeftWord) *packed {
	return b.samples(w.Samples[:]).add(uint64(w.Corner), 8)
}
