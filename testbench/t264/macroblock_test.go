package t264

import (
	"math/rand/v2"

	"vcsim/t264/hw"
	"vcsim/t264/hwenc"
)

// A macroblock is what the pixel path says of one.
type macroblock struct {
	mb    hw.MBToken
	ac    [16]hw.ACToken
	coded uint16 // AC blocks
}

// randomMBs makes macroblocks of slices of random length, in several densities
// and sizes of levels, up to the largest ones.
type randomMBs struct {
	rng     *rand.Rand
	left    int // macroblocks of the slice
	qp      uint8
	changed bool
	density float64 // share of levels that are not zero
	size    int     // bits of a level
}

func newRandomMBs(seed uint64) *randomMBs {
	return &randomMBs{rng: rand.New(rand.NewPCG(seed, 5))}
}

func (r *randomMBs) level(limit int) int16 {
	if r.rng.Float64() >= r.density {
		return 0
	}
	v := 1 + r.rng.IntN(1<<r.rng.IntN(r.size+1))
	if r.rng.IntN(64) == 0 {
		v = limit
	}
	if r.rng.IntN(2) == 0 {
		v = -v
	}
	return int16(min(max(v, -limit), limit))
}

func (r *randomMBs) next() *macroblock {
	m := new(macroblock)
	if r.left == 0 {
		r.left = 1 + r.rng.IntN(12)
		r.qp = uint8(r.rng.IntN(52))
		r.changed = false
	} else {
		m.mb.Left = r.rng.IntN(4) != 0
		m.mb.Above = !m.mb.Left || r.rng.IntN(2) != 0
	}
	r.left--
	r.density = [...]float64{0, 0.02, 0.1, 0.5, 0.9, 1}[r.rng.IntN(6)]
	r.size = r.rng.IntN(11)
	m.mb.QP, m.mb.Mode, m.mb.Changed, m.mb.Last = r.qp, uint8(r.rng.IntN(3)), r.changed, r.left == 0
	m.mb.QPDelta = uint8(r.rng.IntN(3))
	r.changed = m.mb.QPDelta != 0
	m.mb.LeftCoded, m.mb.AboveCoded = uint8(r.rng.IntN(32)), uint8(r.rng.IntN(32))
	if !m.mb.Left {
		m.mb.LeftCoded = 31
	}
	if !m.mb.Above {
		m.mb.AboveCoded = 31
	}
	for k := range m.mb.DC {
		m.mb.DC[k] = r.level(6529)
	}
	some := r.rng.IntN(8) != 0
	only := 16 // a block that is coded alone
	if r.rng.IntN(6) == 0 {
		only = r.rng.IntN(16) * r.rng.IntN(2)
	}
	for b := range m.ac {
		m.ac[b].Block = uint8(b)
		if some && r.rng.IntN(8) != 0 && (only > 15 || b == only) {
			for k := 1; k < 16; k++ {
				m.ac[b].Levels[k] = r.level(1633)
			}
		}
		m.flag(b)
	}
	m.mb.CBP = m.coded != 0
	return m
}

// flag marks block b as coded when it is.
func (m *macroblock) flag(b int) {
	for _, v := range m.ac[b].Levels {
		if v != 0 {
			m.ac[b].Coded = true
			m.coded |= 1 << b
		}
	}
}

// head, dcHalf and acBlock are the answers of the store.
func (m *macroblock) head() *hwenc.Block {
	b := m.dcHalf(8)
	b.MB, b.Coded, b.Mask = m.mb, m.coded, mask(m.mb.DC[:])
	return b
}

func (m *macroblock) dcHalf(from int) *hwenc.Block {
	b := new(hwenc.Block)
	copy(b.Levels[:8], m.mb.DC[from:])
	b.Mask = mask(b.Levels[:8])
	return b
}

func (m *macroblock) acBlock(i int) *hwenc.Block {
	return &hwenc.Block{Mask: mask(m.ac[i].Levels[:]), Levels: m.ac[i].Levels}
}

func mask(levels []int16) (m uint16) {
	for k, v := range levels {
		if v != 0 {
			m |= 1 << k
		}
	}
	return m
}
