package hwenc

import (
	"encoding/binary"
	"vcsim/t264/block"
	"vcsim/t264/hw"
)

// Arithmetic of the pixel path of the hardware encoder: what its units compute
// of a macroblock, stage by stage.

// A macroblock is on its way through the pixel path. Each stage adds what it
// computes; what moves through the streams is a pointer.
type macroblock struct {
	job
	aboveRef, leftRef border
	src               [256]uint8 // by block in decoding order, rows from the top
	mode              uint8
	vector            [16]uint8        // the row above, the column on the left, or the DC value
	words             [16]block.Lanes4 // by block: AC coefficients, and then their levels
	sum               [16]int32        // DC coefficients by column and row of blocks
	lev               [16][16]int16    // AC levels by block and scan position
	coded             uint16           // AC blocks with levels
	dcLev             [16]int16        // by scan position
	dcCoded           bool
	dc                [16]int32   // restored DC coefficients by column and row of blocks
	rest              [8][4]int16 // AC residuals of the border words
	bottom, right     border
}

// A border is what the neighbours of a macroblock need of it.
type border struct {
	samples [16]uint8
	coded   uint8 // coded_block_flag of the 4 AC blocks beside, and of the DC block
}

// onBorder tells the blocks in the last row or column of a macroblock.
const onBorder = 1<<5 | 1<<7 | 1<<10 | 1<<11 | 1<<13 | 1<<14 | 1<<15

// borderBlocks lists the blocks of the border words, 4 samples each; those of
// borderRight are of the right column, the others of the bottom row. borderIndex is
// the first border word of a block.
var (
	borderBlocks = [8]uint8{5, 7, 10, 11, 13, 14, 15, 15}
	borderIndex  = [16]uint8{5: 0, 7: 1, 10: 2, 11: 3, 13: 4, 14: 5, 15: 6}
)

const borderRight = 1<<0 | 1<<1 | 1<<4 | 1<<7

// add takes n samples of a beat, those from at on, and returns at+n.
func (m *macroblock) add(at int, s hw.SourceBeat, n int) int {
	if n == 8 {
		binary.LittleEndian.PutUint64(m.src[at:], uint64(s))
	} else {
		binary.LittleEndian.PutUint32(m.src[at:], uint32(s))
	}
	return at + n
}

// decide picks the mode with the lowest sum of absolute differences, and its
// vector.
//
// Two words of 16-bit lanes hold 8 samples, those of even columns and those of
// odd ones. As |s-p| is s-p, and twice p-s where that is above 0, a prediction
// whose samples p hardly change costs one subtraction a word.
func (m *macroblock) decide() {
	const bias = 0x100 * block.LaneOnes
	dc := m.dcValue()
	middle := uint64(dc)*block.LaneOnes | bias
	var top [4][2]uint64 // by column of blocks
	for i := range top {
		t := uint64(binary.LittleEndian.Uint32(m.aboveRef.samples[4*i:])) * block.Lanes2
		top[i] = [2]uint64{t&block.LaneBytes | bias, t>>8&block.LaneBytes | bias}
	}
	var side [8]uint64 // by pair of rows
	for i := range side {
		side[i] = uint64(m.leftRef.samples[2*i])*0x10001 | uint64(m.leftRef.samples[2*i+1])*0x10001<<32 | bias
	}
	// Lanes add up 64 values of 8 bits.
	var all uint64
	var below [3]uint64
	for i := range 32 {
		b := i >> 1
		s, v, h := binary.LittleEndian.Uint64(m.src[8*i:]), &top[block.X[b]>>2&3], side[(int(block.Y[b])>>1+i&1)&7]
		even, odd := s&block.LaneBytes, s>>8&block.LaneBytes
		all += even + odd
		below[block.ModeVertical] += positive(v[0]-even) + positive(v[1]-odd)
		below[block.ModeHorizontal] += positive(h-even) + positive(h-odd)
		below[block.ModeDC] += positive(middle-even) + positive(middle-odd)
	}
	total, left, above := block.SumLanes(all), 0, 0
	for i := range 16 {
		left += int(m.leftRef.samples[i])
		above += int(m.aboveRef.samples[i])
	}
	sums := [3]int{
		block.ModeVertical:   total - 16*above + 2*block.SumLanes(below[block.ModeVertical]),
		block.ModeHorizontal: total - 16*left + 2*block.SumLanes(below[block.ModeHorizontal]),
		block.ModeDC:         total - 256*int(dc) + 2*block.SumLanes(below[block.ModeDC]),
	}
	m.mode = uint8(block.PickMode(&sums, block.Neighbourhood{Left: m.left, Above: m.above}, block.ModePrice(int(m.qp))))
	switch m.mode {
	case block.ModeVertical:
		m.vector = m.aboveRef.samples
	case block.ModeHorizontal:
		m.vector = m.leftRef.samples
	default:
		block.Fill(m.vector[:], dc)
	}
}

// positive keeps the lanes above 0 of differences of samples, which have 256 added.
func positive(d uint64) uint64 {
	k := d >> 8 & block.LaneOnes
	return d & (k<<8 - k)
}

// dcValue is the DC prediction (equations 8-117 to 8-120).
func (m *macroblock) dcValue() uint8 {
	sum, shift := 8, 4
	if m.left {
		for _, v := range m.leftRef.samples {
			sum += int(v)
		}
	}
	if m.above {
		for _, v := range m.aboveRef.samples {
			sum += int(v)
		}
	}
	switch {
	case m.left && m.above:
		sum += 8
		shift++
	case !m.left && !m.above:
		return 128
	}
	return uint8(sum >> shift)
}

// transform computes the coefficients of block b.
func (m *macroblock) transform(b int) {
	v, s := &m.words[b&15], m.src[16*b:][:16]
	x, y := block.X[b&15]&12, block.Y[b&15]&12
	if m.mode == block.ModeHorizontal {
		side := m.vector[y:][:4]
		for i := range v {
			v[i] = int64(block.Spread(s[4*i:])) - int64(side[i])*block.LaneOnes
		}
	} else {
		above := int64(block.Spread(m.vector[x:]))
		for i := range v {
			v[i] = int64(block.Spread(s[4*i:])) - above
		}
	}
	block.ForwardTransform4(v)
	m.sum[x+y>>2] = int32(v.TakeDC())
}

// hwQuantizers are those of the hw tier, by QP.
var hwQuantizers = func() (t [52]block.Quantizer) {
	for qp := range t {
		t[qp] = block.Quantizers[qp]
		t[qp].Rounder = block.DeadZone
	}
	return t
}()

// quantise computes the AC levels of block b.
func (m *macroblock) quantise(b int) {
	v := &m.words[b&15]
	coded := hwQuantizers[m.qp].Words4(v)
	v.Scan(&m.lev[b&15])
	m.coded = m.coded&^(1<<b) | uint16(bin(coded))<<b
}

// quantiseDC computes the DC levels and the coefficients that they stand for.
func (m *macroblock) quantiseDC() {
	sum := m.sum
	block.InverseDC(&sum)
	m.dcCoded = hwQuantizers[m.qp].QuantiseDC(&m.dcLev, &sum) != 0
	m.dc = [16]int32{}
	if m.dcCoded {
		for k, v := range m.dcLev {
			m.dc[block.Scan4[k]&15] = int32(v)
		}
		block.InverseDC(&m.dc)
		for i, v := range m.dc {
			m.dc[i] = block.Scalers[m.qp].DCCoefficient(v)
		}
	}
	dc := uint8(bin(m.dcCoded)) << 4
	m.bottom.coded = uint8(m.coded>>10&3|m.coded>>14&3<<2) | dc
	m.right.coded = uint8(m.coded>>5&1|m.coded>>7&1<<1|m.coded>>13&1<<2|m.coded>>15<<3) | dc
}

// head sets the fields of w but for its levels.
func (m *macroblock) head(w *hw.MBToken) {
	w.Thread, w.QP, w.Mode, w.CBP, w.QPDelta, w.Changed = m.thread, m.sliceQP, m.mode, m.coded != 0, m.delta, m.changed
	w.Left, w.Above, w.LeftCoded, w.AboveCoded, w.Last = m.left, m.above, m.leftRef.coded, m.aboveRef.coded, m.last
}

// ac sets w to the levels of block b.
func (m *macroblock) ac(w *hw.ACToken, b uint8) {
	w.Thread, w.Block, w.Coded, w.Levels = m.thread, b, m.coded>>b&1 != 0, m.lev[b&15]
}

// residual computes the AC residual of border word i, of block 15 also that of
// word 7.
func (m *macroblock) residual(i int) {
	b := borderBlocks[i]
	var v block.Lanes4
	if m.coded>>b&1 != 0 {
		v = m.words[b]
		block.Scalers[m.qp].Words4(&v)
		block.InverseTransform4(&v)
	}
	if borderRight>>i&1 != 0 || i == 6 {
		for y := range 4 {
			m.rest[max(i, i/6*7)][y] = block.Lane(v[y], 3)
		}
	}
	if borderRight>>i&1 == 0 {
		for x := range 4 {
			m.rest[i][x] = block.Lane(v[3], x)
		}
	}
}

// finish reconstructs the samples of border word i.
func (m *macroblock) finish(i int) {
	b := borderBlocks[i]
	bx, by := int(block.X[b]), int(block.Y[b])
	dc := m.dc[bx&12+by>>2] + 32
	side := borderRight>>i&1 != 0
	to, at := m.bottom.samples[:], bx
	if side {
		to, at = m.right.samples[:], by
	}
	for k := range 4 {
		p := m.vector[at+k]
		if m.mode == block.ModeVertical && side || m.mode == block.ModeHorizontal && !side {
			p = m.vector[15]
		}
		to[at+k] = block.Clip8(int32(p) + (int32(m.rest[i][k])+dc)>>6)
	}
}

// code goes through all stages.
func (m *macroblock) code() {
	m.decide()
	for b := range 16 {
		m.transform(b)
		m.quantise(b)
	}
	m.quantiseDC()
	for i := range 7 {
		m.residual(i)
	}
	for i := range 8 {
		m.finish(i)
	}
}
