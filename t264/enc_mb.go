package t264

import "encoding/binary"

// Arithmetic of the pixel path of the hardware encoder: what its units compute
// of a macroblock, stage by stage.

// An encMB is a macroblock on its way through the pixel path. Each stage adds what
// it computes; what moves through the streams is a pointer.
type encMB struct {
	encJob
	aboveRef, leftRef border
	src               [256]uint8 // by block in decoding order, rows from the top
	mode              uint8
	vector            [16]uint8     // the row above, the column on the left, or the DC value
	words             [16]block4    // by block: AC coefficients, and then their levels
	sum               [16]int32     // DC coefficients by column and row of blocks
	lev               [16][16]int16 // AC levels by block and scan position
	coded             uint16        // AC blocks with levels
	dcLev             [16]int16     // by scan position
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
func (m *encMB) add(at int, s SourceBeat, n int) int {
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
func (m *encMB) decide() {
	const bias = 0x100 * laneOnes
	dc := m.dcValue()
	middle := uint64(dc)*laneOnes | bias
	var top [4][2]uint64 // by column of blocks
	for i := range top {
		t := uint64(binary.LittleEndian.Uint32(m.aboveRef.samples[4*i:])) * lanes2
		top[i] = [2]uint64{t&laneBytes | bias, t>>8&laneBytes | bias}
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
		s, v, h := binary.LittleEndian.Uint64(m.src[8*i:]), &top[blockX[b]>>2&3], side[(int(blockY[b])>>1+i&1)&7]
		even, odd := s&laneBytes, s>>8&laneBytes
		all += even + odd
		below[modeVertical] += positive(v[0]-even) + positive(v[1]-odd)
		below[modeHorizontal] += positive(h-even) + positive(h-odd)
		below[modeDC] += positive(middle-even) + positive(middle-odd)
	}
	total, left, above := sumLanes(all), 0, 0
	for i := range 16 {
		left += int(m.leftRef.samples[i])
		above += int(m.aboveRef.samples[i])
	}
	sums := [3]int{
		modeVertical:   total - 16*above + 2*sumLanes(below[modeVertical]),
		modeHorizontal: total - 16*left + 2*sumLanes(below[modeHorizontal]),
		modeDC:         total - 256*int(dc) + 2*sumLanes(below[modeDC]),
	}
	m.mode = uint8(pick(&sums, neighbourhood{left: m.left, above: m.above}, modePrice(int(m.qp))))
	switch m.mode {
	case modeVertical:
		m.vector = m.aboveRef.samples
	case modeHorizontal:
		m.vector = m.leftRef.samples
	default:
		fill(m.vector[:], dc)
	}
}

// positive keeps the lanes above 0 of differences of samples, which have 256 added.
func positive(d uint64) uint64 {
	k := d >> 8 & laneOnes
	return d & (k<<8 - k)
}

// dcValue is the DC prediction (equations 8-117 to 8-120).
func (m *encMB) dcValue() uint8 {
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
func (m *encMB) transform(b int) {
	v, s := &m.words[b&15], m.src[16*b:][:16]
	x, y := blockX[b&15]&12, blockY[b&15]&12
	if m.mode == modeHorizontal {
		side := m.vector[y:][:4]
		for i := range v {
			v[i] = int64(spread(s[4*i:])) - int64(side[i])*laneOnes
		}
	} else {
		above := int64(spread(m.vector[x:]))
		for i := range v {
			v[i] = int64(spread(s[4*i:])) - above
		}
	}
	forwardTransform4(v)
	m.sum[x+y>>2] = int32(v.takeDC())
}

// hwQuantizers are those of the hw tier, by QP.
var hwQuantizers = func() (t [52]quantizer) {
	for qp := range t {
		t[qp] = quantizers[qp]
		t[qp].rounder = deadZone
	}
	return t
}()

// quantise computes the AC levels of block b.
func (m *encMB) quantise(b int) {
	v := &m.words[b&15]
	coded := hwQuantizers[m.qp].words4(v)
	v.scan(&m.lev[b&15])
	m.coded = m.coded&^(1<<b) | uint16(bin(coded))<<b
}

// quantiseDC computes the DC levels and the coefficients that they stand for.
func (m *encMB) quantiseDC() {
	sum := m.sum
	inverseDC(&sum)
	m.dcCoded = hwQuantizers[m.qp].dc(&m.dcLev, &sum) != 0
	m.dc = [16]int32{}
	if m.dcCoded {
		for k, v := range m.dcLev {
			m.dc[scan4[k]&15] = int32(v)
		}
		inverseDC(&m.dc)
		for i, v := range m.dc {
			m.dc[i] = scalers[m.qp].dcCoefficient(v)
		}
	}
	dc := uint8(bin(m.dcCoded)) << 4
	m.bottom.coded = uint8(m.coded>>10&3|m.coded>>14&3<<2) | dc
	m.right.coded = uint8(m.coded>>5&1|m.coded>>7&1<<1|m.coded>>13&1<<2|m.coded>>15<<3) | dc
}

// head sets the fields of w but for its levels.
func (m *encMB) head(w *MBToken) {
	w.Thread, w.QP, w.Mode, w.CBP, w.QPDelta, w.Changed = m.thread, m.sliceQP, m.mode, m.coded != 0, m.delta, m.changed
	w.Left, w.Above, w.LeftCoded, w.AboveCoded, w.Last = m.left, m.above, m.leftRef.coded, m.aboveRef.coded, m.last
}

// ac sets w to the levels of block b.
func (m *encMB) ac(w *ACToken, b uint8) {
	w.Thread, w.Block, w.Coded, w.Levels = m.thread, b, m.coded>>b&1 != 0, m.lev[b&15]
}

// residual computes the AC residual of border word i, of block 15 also that of
// word 7.
func (m *encMB) residual(i int) {
	b := borderBlocks[i]
	var v block4
	if m.coded>>b&1 != 0 {
		v = m.words[b]
		scalers[m.qp].words4(&v)
		inverseTransform4(&v)
	}
	if borderRight>>i&1 != 0 || i == 6 {
		for y := range 4 {
			m.rest[max(i, i/6*7)][y] = lane(v[y], 3)
		}
	}
	if borderRight>>i&1 == 0 {
		for x := range 4 {
			m.rest[i][x] = lane(v[3], x)
		}
	}
}

// finish reconstructs the samples of border word i.
func (m *encMB) finish(i int) {
	b := borderBlocks[i]
	bx, by := int(blockX[b]), int(blockY[b])
	dc := m.dc[bx&12+by>>2] + 32
	side := borderRight>>i&1 != 0
	to, at := m.bottom.samples[:], bx
	if side {
		to, at = m.right.samples[:], by
	}
	for k := range 4 {
		p := m.vector[at+k]
		if m.mode == modeVertical && side || m.mode == modeHorizontal && !side {
			p = m.vector[15]
		}
		to[at+k] = clip8(int32(p) + (int32(m.rest[i][k])+dc)>>6)
	}
}

// code goes through all stages.
func (m *encMB) code() {
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
