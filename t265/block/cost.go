package block

// Costs of blocks in the decisions of tier hw: quantised as in quant.go but
// without sign data hiding, and without levels as a result.

// A tally is of levels: the sum of their squared errors in 1/4096 squared steps in
// bits 31..0, that of their magnitudes in bits 55..32, and how many are not zero
// from bit 56 on. Tallies add up.
type tally uint64

// cost returns the squared error of 16 levels and an estimate of their bits in 1/16.
func (t tally) cost() (dist, rate int) {
	nz, sum := uint32(t>>56), uint32(t>>32&(1<<24-1))
	if sum < 64 {
		return int(uint32(t)), int(smallRates[nz%17][sum])
	}
	return int(uint32(t)), countRate(nz, sum)
}

// A tallyTable holds the tallies of single levels by the magnitude of the
// coefficient in 1/64 quantiser step.
type tallyTable [stepRange]tally

var deadZoneTallies, roundedTallies = newTallyTable(deadZoneSteps), newTallyTable(roundedSteps)

func newTallyTable(steps *stepTable) *tallyTable {
	t := new(tallyTable)
	for w := range t {
		s := steps[stepRange+w]
		t[w] = tally(s&0xffff | s>>16&0xffff<<32 | s>>63<<56)
	}
	return t
}

// tally returns that of one coefficient of magnitude w/64 steps. A level above one
// has the squared error of the level of one that is as far off.
func (q *Quantizer) tally(w uint32) tally {
	more := uint32(0)
	if w >= stepRange {
		more = w>>6 - 1
	}
	return q.tallies[(w-more<<6)%stepRange] + tally(more)<<32
}

// coefficient is the tally of a coefficient.
func (q *Quantizer) coefficient(c int32) tally {
	return q.tally(uint32(uint64(abs(int(c))) * uint64(q.scale) >> q.fine))
}

// Cost returns the cost of the coefficients of a block, a raster of 1<<log2 points
// a side, in 1/4096 squared steps: the squared error of their levels, which hide no
// signs, plus BitPrice for each estimated bit. It may stop when the cost is limit or
// more, and then returns any number that is.
func (q *Quantizer) Cost(coef *[1024]int32, log2, limit int) int {
	n := 1 << log2
	scale := uint64(q.scale) << (32 - q.fine&31) // so that fine becomes 32
	table := q.tallies
	dist, rate := 0, int(BlockRate[log2])
	for y := 0; y < n; y += 4 {
		for x := 0; x < n; x += 4 {
			var sum tally
			large := uint64(0)
			at := y<<log2 + x
			for range 4 {
				for _, c := range (*[4]int32)(coef[at&1023:]) {
					s := c >> 31
					w := uint64(uint32((c^s)-s)) * scale >> 32
					large |= w
					sum += table[w%stepRange]
				}
				at += n
			}
			if large >= stepRange {
				sum = q.largeTally(coef, y<<log2+x, n)
			}
			d, r := sum.cost()
			dist += d
			rate += r
		}
		if dist+rate*BitPrice>>4 >= limit {
			break
		}
	}
	return dist + rate*BitPrice>>4
}

// largeTally is the tally of a sub-block whose coefficients may be outside of the
// table.
func (q *Quantizer) largeTally(coef *[1024]int32, at, stride int) (sum tally) {
	for range 4 {
		for _, c := range (*[4]int32)(coef[at&1023:]) {
			sum += q.coefficient(c)
		}
		at += stride
	}
	return sum
}

// RowsCost is Cost of the coefficients that ForwardRows makes of a residual of 8x8 or 16x16
// points. It looks at strips of four columns as they are transformed.
func (q *Quantizer) RowsCost(res *Pairs, log2, limit int) int {
	var narrow [32]int64
	var wide [128]int64
	if log2 == 3 {
		forwardFirst8(&narrow, res, true)
	} else {
		forwardFirst16(&wide, res, true)
	}
	cost := int(BlockRate[log2]) * BitPrice >> 4
	var v [2][16]int64 // sums of the columns of a strip
	for s := 0; s < 1<<(log2-2) && cost < limit; s++ {
		for i := range v {
			if log2 == 3 {
				forwardSecond8((*[8]int64)(v[i][:]), &narrow, 2*s+i)
			} else {
				forwardSecond16(&v[i], &wide, 2*s+i)
			}
		}
		cost += q.stripCost(&v, 1<<log2, uint(log2+6))
	}
	return cost
}

// stripCost is the cost of n rows of four columns without that of their block.
func (q *Quantizer) stripCost(v *[2][16]int64, n int, shift uint) int {
	scale := uint64(q.scale) << (32 - q.fine&31) // so that fine becomes 32
	table := q.tallies
	round := int64(1) << (shift & 31) >> 1
	round += round << 32
	dist, rate := 0, 0
	for y := 0; y < n; y += 4 {
		var sum tally
		large := uint64(0)
		for i := range v {
			for _, w := range (*[4]int64)(v[i][y&15:]) {
				w += round
				low, high := int64(lowOf(w))>>(shift&31), (w+1<<31)>>(32+shift&31)
				s := low >> 63
				a := uint64((low^s)-s) * scale >> 32
				s = high >> 63
				b := uint64((high^s)-s) * scale >> 32
				large |= a | b
				sum += table[a%stepRange] + table[b%stepRange]
			}
		}
		if large >= stepRange {
			sum = 0
			for i := range v {
				for _, w := range (*[4]int64)(v[i][y&15:]) {
					w += round
					sum += q.coefficient(lowOf(w)>>(shift&31)) + q.coefficient(highOf(w)>>(shift&31))
				}
			}
		}
		d, r := sum.cost()
		dist += d
		rate += r
	}
	return dist + rate*BitPrice>>4
}

// A SkipCosts is Quantizer.Cost for transform skip blocks: tallies by the residual
// of a sample, plus 255.
type SkipCosts [512]tally

// Load fills the table for the Quantizer of 4x4 blocks.
func (t *SkipCosts) Load(q *Quantizer) {
	for d := range 256 {
		v := q.tally(uint32(uint64(d<<5) * uint64(q.scale) >> q.fine))
		t[255-d], t[255+d] = v, v
	}
}

// Cost returns the cost of source minus prediction, a raster of 4x4 samples.
func (t *SkipCosts) Cost(src []byte, stride int, pred []byte) int {
	p := (*[16]uint8)(pred)
	var sum tally
	for y := range 4 {
		row := (*[4]uint8)(src[y*stride:])
		sum += t[255+int(row[0])-int(p[4*y])] + t[255+int(row[1])-int(p[4*y+1])] +
			t[255+int(row[2])-int(p[4*y+2])] + t[255+int(row[3])-int(p[4*y+3])]
	}
	dist, rate := sum.cost()
	return dist + (rate+int(BlockRate[2]))*BitPrice>>4
}

// OpenCost is Cost with the prediction of OpenPredict, which it may write to pred.
func (t *SkipCosts) OpenCost(src []byte, stride int, pred []byte, lane int, above, left []uint8) int {
	if lane != 0 {
		OpenPredict(pred, 2, lane, above, left)
		return t.Cost(src, stride, pred)
	}
	a, l := (*[4]uint8)(above), (*[4]uint8)(left)
	v := (int(a[0]) + int(a[1]) + int(a[2]) + int(a[3]) + int(l[0]) + int(l[1]) + int(l[2]) + int(l[3]) + 4) >> 3
	inner := (*[256]tally)(t[255-v&255:]) // by sample
	edge := func(sample, near uint8) tally { return t[(255+int(sample)-(int(near)+3*v+2)>>2)&511] }
	row := (*[4]uint8)(src)
	sum := t[(255+int(row[0])-(int(l[0])+2*v+int(a[0])+2)>>2)&511] + edge(row[1], a[1]) + edge(row[2], a[2]) + edge(row[3], a[3])
	for y := 1; y < 4; y++ {
		row = (*[4]uint8)(src[y*stride:])
		sum += edge(row[0], l[y]) + inner[row[1]] + inner[row[2]] + inner[row[3]]
	}
	dist, rate := sum.cost()
	return dist + (rate+int(BlockRate[2]))*BitPrice>>4
}
