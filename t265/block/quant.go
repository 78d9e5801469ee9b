package block

import "math/bits"

// Quantisation of the hw tier: fixed point, one coefficient at a time, then
// sign data hiding one sub-block at a time. No rule depends on coded bins.

// quantScale by QP modulo 6: 2^20 / levelScale.
var quantScale = [6]uint32{26214, 23302, 20560, 18396, 16384, 14564}

// laneBias turns four signed 16-bit lanes, summed with their weights into one
// word, into four unsigned lanes above 1<<15.
const laneBias = 0x8000800080008000

// laneOnes has the lowest bit of every lane set.
const laneOnes = 0x0001000100010001

// A Quantizer turns coefficients into levels.
type Quantizer struct {
	scale   uint32 // 15 bits
	fine    uint   // shift to 1/64 steps, 15 + QP/6 - log2: 10..21
	steps   *stepTable
	hide    bool
	tallies *tallyTable
}

// Rounding thresholds in 1/64 step. Above one half, they trade distortion for
// rate: a step up from zero costs about three bits, later ones about one.
const (
	roundFrom0 = 39
	roundFrom1 = 36
	roundOff   = 32 // without the dead zone
)

// hideCost is the price of one more unit of a level in 1/64 squared step.
const hideCost = 4

// A step says what becomes of a coefficient: bits 15..0 hold the squared error
// of its level in 1/4096 squared steps, bits 31..16 the magnitude of the
// level, bits 47..32 the level. Bits 62..48 are the key of the next best
// level, which is one step nearer to the coefficient (moveKey); bit 63 tells
// that the level is not zero.
type step uint64

// A stepTable holds the steps of coefficients of -stepRange..stepRange-1 in
// 1/64 quantiser step, index 0 the least.
type stepTable [2 * stepRange]step

const stepRange = 2048

// deadZoneSteps and roundedSteps are the tables with and without the dead zone.
var deadZoneSteps, roundedSteps = newStepTable(roundFrom0, roundFrom1), newStepTable(roundOff, roundOff)

func newStepTable(from0, from1 int) *stepTable {
	t := new(stepTable)
	for i := range t {
		w, s := abs(i-stepRange), (i-stepRange)>>63
		l, from := w>>6, from0
		if l > 0 {
			from = from1
		}
		if w&63 >= from {
			l++
		}
		e := w - l<<6
		t[i] = step(e*e) | step(l)<<16 | step(uint16((l^s)-s))<<32 | step(moveKey(e, l, -s))<<48
		if l > 0 {
			t[i] |= 1 << 63
		}
	}
	return t
}

// moveKey packs the price of moving a level of magnitude l one step towards
// its coefficient, which is e/64 steps above it: the change of the squared
// error in 1/64 squared steps, plus hideCost if the level grows, less hideCost
// if it shrinks, plus hideCost if it was zero; above that 16, in bits 15..6.
// Bits 5..2 are left for the scan position, so that the least key is the first
// of the cheapest; bit 1 is set if the level shrinks, bit 0 if the coefficient
// is negative.
func moveKey(e, l, sign int) uint16 {
	cost, shrinks := 64-2*e+hideCost, 0
	if e < 0 {
		cost, shrinks = 64+2*e-hideCost, 1
	}
	if l == 0 {
		cost += hideCost
	}
	return uint16((cost+16)<<6 | shrinks<<1 | sign)
}

// NewQuantizer returns the Quantizer of blocks of size 1<<log2 at a QP of 0..51.
// hide applies sign data hiding.
func NewQuantizer(qp, log2 int, deadZone, hide bool) Quantizer {
	q := Quantizer{scale: quantScale[qp%6], fine: uint(15 + qp/6 - log2), steps: roundedSteps, tallies: roundedTallies, hide: hide}
	if deadZone {
		q.steps, q.tallies = deadZoneSteps, deadZoneTallies
	}
	return q
}

// Block quantises the coefficients of a block. It returns whether a level is not
// zero, the squared error in 1/4096 squared steps, and an estimate of the bits
// in 1/16.
func (q *Quantizer) Block(l *Levels, coef *[1024]int32) (any bool, dist, rate int) {
	lev, mask, scan := l.Lev, l.Mask, l.Order()
	all := uint32(0)
	var in [16]int32
	for i := range mask {
		at := int(scan.SubY[i&63])<<(l.Log2+2) + int(scan.SubX[i&63])<<2
		for k := range in {
			in[k] = coef[(at+int(scan.Raster[k]))&1023]
		}
		m, sum, d := q.SubBlock((*[16]int16)(lev[i*16:]), &in)
		dist += d
		mask[i] = uint16(m)
		all |= m
		rate += SubBlockRate(m, sum)
	}
	return all != 0, dist, rate + int(BlockRate[l.Log2])
}

// SkipBlock is Block for a transform skip block, the coefficients being those
// of ForwardSkip.
func (q *Quantizer) SkipBlock(l *Levels, src []byte, stride int, pred []byte) (any bool, dist, rate int) {
	raster := &Scans[0][l.Scan].Raster
	var block [16]uint8
	for y := range 4 {
		copy(block[4*y:4*y+4], src[y*stride:])
	}
	p := (*[16]uint8)(pred)
	var in [16]int32
	for k := range in {
		i := raster[k] & 15
		in[k] = (int32(block[i]) - int32(p[i])) << 5
	}
	m, sum, dist := q.SubBlock((*[16]int16)(l.Lev), &in)
	l.Mask[0] = uint16(m)
	return m != 0, dist, SubBlockRate(m, sum) + int(BlockRate[2])
}

// SubBlock quantises 16 coefficients in coding order and returns mask, sum of
// the magnitudes of the levels, and squared error.
func (q *Quantizer) SubBlock(out *[16]int16, in *[16]int32) (m, sum uint32, dist int) {
	scale := int64(q.scale) << (32 - q.fine&31) // so that fine becomes 32
	table := q.steps
	_, _, _ = *out, *in, *table // not nil
	var keys [4]uint64
	var acc, all uint64
	four := uint64(0)
	for k := range 16 {
		c := in[k]
		// Rounded towards zero.
		w := uint64((int64(c)*scale+int64(uint32(c>>31)))>>32 + stepRange)
		t := uint64(table[w%(2*stepRange)])
		out[k] = int16(t >> 32)
		all |= w
		acc += t
		four = four>>16 | t>>48<<48
		keys[k>>2] = four
	}
	sum, dist = uint32(acc)>>16, int(acc&0xffff)
	if all >= 2*stepRange {
		sum, dist = q.largeLevels(out, &keys, in)
	}
	for i := range keys {
		w := keys[i]
		// Four bits next to each other, of 15, 31, 47 and 63.
		m = m>>4 | uint32((w>>15&laneOnes)*0x1000_2000_4000_8000>>48)
		keys[i] = w&^laneBias | uint64(i)<<4*laneOnes | 0x000c_0008_0004_0000
	}
	if !q.hide || m < (m&-m)<<4 || m == 0 {
		return m, sum, dist // highest and lowest are at most 3 apart
	}
	return hideSign(out, &keys, m, sum, dist)
}

// largeLevels does the first part of subBlock for coefficients that may be
// outside of the table: it looks up those of levels 0 and 1 instead.
func (q *Quantizer) largeLevels(out *[16]int16, keys *[4]uint64, in *[16]int32) (sum uint32, dist int) {
	scale := uint64(q.scale) << (32 - q.fine&31)
	table := q.steps
	for k, c := range in {
		s := c >> 31
		w := int32(uint64((c^s)-s) * scale >> 32)
		l := w >> 6
		more := l + (-l)>>31 // max(l-1, 0)
		t := uint64(table[uint32((w-more<<6^s)-s+stepRange)%(2*stepRange)])
		out[k] = int16(int32(t>>32) + (more ^ s) - s)
		sum += uint32(t)>>16 + uint32(more)
		dist += int(t & 0xffff)
		keys[k>>2&3] = keys[k>>2&3]>>16 | t&(0xffff<<48)
	}
	return sum, dist
}

// BitPrice is the price of a bit in 1/4096 squared steps, SplitPrice that of a
// split of the residual quadtree.
const (
	BitPrice   = 400
	SplitPrice = 400
)

// BlockRate is the estimated side information of a block by log2 of its size,
// patternRate that of the significance of a sub-block by the number of its
// nonzero levels: half a bit and log2 of the binomial coefficient. 1/16 bit.
var (
	BlockRate   = [6]uint8{2: 26, 3: 44, 4: 80, 5: 112}
	patternRate = [17]uint8{8, 72, 119, 154, 181, 202, 216, 226, 229, 226, 216, 202, 181, 154, 119, 72, 8}
)

// SubBlockRate estimates the bits of a sub-block in 1/16: the pattern, the
// signs, and the magnitudes less one in a Golomb-Rice code whose parameter
// suits their mean. sum is the sum of the magnitudes.
func SubBlockRate(m, sum uint32) int {
	nz := uint32(bits.OnesCount32(m))
	if sum < 64 {
		return int(smallRates[nz&31%17][sum&63])
	}
	return countRate(nz, sum)
}

// countRate is subBlockRate of nz levels; smallRates tabulates it.
func countRate(nz, sum uint32) int {
	rate := int(patternRate[nz])
	if nz == 0 {
		return rate
	}
	k := uint32(bits.Len32(sum/nz)) - 1
	return rate + int(nz+nz*(k+1)+(sum-nz)>>k)<<4
}

var smallRates = func() (t [17][64]uint16) {
	for nz := range uint32(17) {
		for sum := nz; sum < 64; sum++ {
			t[nz][sum] = uint16(countRate(nz, sum))
		}
	}
	return t
}()

// hideSign hides the sign of the level at the lowest scan position of a
// sub-block in the parity of the sum of its levels (clause 7.4.9.11): if the
// parity is wrong, the level whose move costs least moves, the lowest of
// equals. keys holds the keys of the moves, scan position 0 in the lowest 16
// bits. Mask, sum and squared error are those of the sub-block.
func hideSign(lev *[16]int16, keys *[4]uint64, m, sum uint32, dist int) (uint32, uint32, int) {
	lowest := bits.TrailingZeros32(m) & 15
	negative := uint32(uint16(lev[lowest])) >> 15
	// Another level would carry the hidden sign if the lowest went down to
	// zero, or if a level before it came up with the other sign: their keys
	// become the largest. No branch, since nothing can predict it.
	at := lowest & 3 << 4
	shrinks := uint32(keys[lowest>>2]>>at) >> 1 & 1
	l := int32(lev[lowest])
	keys[lowest>>2] |= uint64(shrinks&(uint32(l*l-2)>>31)) * 0x7fff << at
	before := &lanesBefore[lowest]
	for i := range keys {
		keys[i] |= (keys[i] ^ uint64(negative)*laneOnes) & before[i] * 0x7fff
	}
	four := least4(least4(keys[0], keys[1]), least4(keys[2], keys[3]))
	four = least4(four, four>>32)
	best := uint32(uint16(least4(four, four>>16)))
	// Nor does the parity have one.
	wrong := -((sum ^ uint32(negative)) & 1)
	k := best >> 2 & 15
	shrinks = best >> 1 & 1
	change := int(best>>6) - 16 + hideCost*(2*int(shrinks)+int(m>>k&1)-2)
	l = int32(lev[k]) + int32((1-2*(best&1^shrinks))&wrong)
	lev[k] = int16(l)
	m = m&^(1<<k) | uint32(l|-l)>>31<<k
	sum += (1 - 2*shrinks) & wrong
	return m, sum, dist + change<<6&int(int32(wrong))
}

// lanesBefore has bit 0 of the lanes set that come before a scan position.
var lanesBefore = func() (t [16][4]uint64) {
	for k := range t {
		for i := range k {
			t[k][i>>2] |= 1 << (i & 3 << 4)
		}
	}
	return t
}()

// least4 returns the smaller of each of four pairs of 15-bit values.
func least4(a, b uint64) uint64 {
	t := ((a | laneBias) - b) & laneBias // bit 15 where a >= b
	return a ^ (a^b)&(t-t>>15)
}
