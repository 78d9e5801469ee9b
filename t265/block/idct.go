package block

// Inverse transforms (clause 8.6.4.2): DCT of 4 to 32 points, DST-VII of 4,
// transform skip, and the bypass.
//
// A word of a pairs block holds two neighbouring coefficients of a row: the
// even column plus the odd one times 1<<32. Sums, differences and products by
// constants act on both at once as long as each result stays below 1<<31,
// which bounds on the standard's 16-bit coefficients ensure: 32767 * 64 * 32
// is below 1<<26, and so is every partial sum.

// Pairs holds up to 32x32 values, two to a word, n/2 words to a row.
type Pairs [512]int64

// Pair packs two values; lowOf and highOf take them out.
func Pair(low, high int32) int64 { return int64(low) + int64(high)<<32 }
func lowOf(w int64) int32        { return int32(w) }
func highOf(w int64) int32       { return int32((w + 1<<31) >> 32) }

// At returns value i of the raster.
func (p *Pairs) At(i int) int32 {
	if i&1 == 0 {
		return lowOf(p[i>>1])
	}
	return highOf(p[i>>1])
}

// dctBase is the first column of transMatrix by angle: entry j is 64 times
// sqrt(2) cos(j pi/64) as the standard rounds it (clause 8.6.4.2, transMatrix
// columns 0 to 15).
var dctBase = [33]int64{64, 90, 90, 90, 89, 88, 87, 85, 83, 82, 80, 78, 75, 73, 70, 67,
	64, 61, 57, 54, 50, 46, 43, 38, 36, 31, 25, 22, 18, 13, 9, 4, 0}

// dctMatrix is transMatrix: row = frequency, column = sample, 32 points. The
// matrix of n points is made of every 32/n-th row's first n columns.
var dctMatrix = func() (m [32][32]int64) {
	for k := range 32 {
		for n := range 32 {
			j := k * (2*n + 1) % 128
			sign := int64(1)
			if j > 64 {
				j = 128 - j
			}
			if j > 32 {
				j, sign = 64-j, -1
			}
			m[k][n] = sign * dctBase[j]
		}
	}
	return m
}()

// odd16 and odd32 hold the odd rows of the 16- and 32-point matrices: index
// sample, then odd frequency.
var odd16, odd32 = func() (a [8][8]int64, b [16][16]int64) {
	for n := range 8 {
		for k := range 8 {
			a[n][k] = dctMatrix[2*(2*k+1)][n]
		}
	}
	for n := range 16 {
		for k := range 16 {
			b[n][k] = dctMatrix[2*k+1][n]
		}
	}
	return a, b
}()

// inverse4, 8, 16 and 32 are one-dimensional inverse DCTs: v holds
// coefficients on entry and samples on return, unrounded.

func inverse4(v *[4]int64) {
	e0, e1 := 64*(v[0]+v[2]), 64*(v[0]-v[2])
	o0, o1 := 83*v[1]+36*v[3], 36*v[1]-83*v[3]
	v[0], v[1], v[2], v[3] = e0+o0, e1+o1, e1-o1, e0-o0
}

func inverse8(v *[8]int64) {
	e := [4]int64{v[0], v[2], v[4], v[6]}
	inverse4(&e)
	a, b, c, d := v[1], v[3], v[5], v[7]
	o0 := 89*a + 75*b + 50*c + 18*d
	o1 := 75*a - 18*b - 89*c - 50*d
	o2 := 50*a - 89*b + 18*c + 75*d
	o3 := 18*a - 50*b + 75*c - 89*d
	v[0], v[7] = e[0]+o0, e[0]-o0
	v[1], v[6] = e[1]+o1, e[1]-o1
	v[2], v[5] = e[2]+o2, e[2]-o2
	v[3], v[4] = e[3]+o3, e[3]-o3
}

// inverse16 reads only the first `rows` coefficients, 1 to 16; the others
// are zero.
func inverse16(v *[16]int64, rows int) {
	e := [8]int64{v[0], v[2], v[4], v[6], v[8], v[10], v[12], v[14]}
	inverse8(&e)
	a0, a1, a2, a3, a4, a5, a6, a7 := v[1], v[3], v[5], v[7], v[9], v[11], v[13], v[15]
	if rows <= 8 {
		for i := range 8 {
			c := &odd16[i]
			o := c[0]*a0 + c[1]*a1 + c[2]*a2 + c[3]*a3
			v[i], v[15-i] = e[i]+o, e[i]-o
		}
		return
	}
	for i := range 8 {
		c := &odd16[i]
		o := c[0]*a0 + c[1]*a1 + c[2]*a2 + c[3]*a3 + c[4]*a4 + c[5]*a5 + c[6]*a6 + c[7]*a7
		v[i], v[15-i] = e[i]+o, e[i]-o
	}
}

// inverse32 is like inverse16.
func inverse32(v *[32]int64, rows int) {
	var e [16]int64
	for i := range e {
		e[i] = v[2*i]
	}
	inverse16(&e, (rows+1)/2)
	var a [16]int64
	for i := range a {
		a[i] = v[2*i+1]
	}
	for i := range 16 {
		c := &odd32[i]
		o := c[0]*a[0] + c[1]*a[1] + c[2]*a[2] + c[3]*a[3]
		if rows > 8 {
			o += c[4]*a[4] + c[5]*a[5] + c[6]*a[6] + c[7]*a[7]
		}
		if rows > 16 {
			o += c[8]*a[8] + c[9]*a[9] + c[10]*a[10] + c[11]*a[11] +
				c[12]*a[12] + c[13]*a[13] + c[14]*a[14] + c[15]*a[15]
		}
		v[i], v[31-i] = e[i]+o, e[i]-o
	}
}

// inverseDST4 is the one-dimensional inverse DST-VII (clause 8.6.4.2).
func inverseDST4(v *[4]int64) {
	a, b, c, d := v[0], v[1], v[2], v[3]
	v[0] = 29*a + 74*b + 84*c + 55*d
	v[1] = 55*a + 74*b - 29*c - 84*d
	v[2] = 74*a - 74*c + 74*d
	v[3] = 84*a - 74*b + 55*c - 29*d
}

// clip16 limits v to a 16-bit signed value.
func clip16(v int32) int32 {
	if v != int32(int16(v)) {
		if v < 0 {
			return -32768
		}
		return 32767
	}
	return v
}

// An Extent says where the nonzero coefficients of a block lie: all within
// the first `rows` rows, and in column groups of four whose bit is set.
type Extent struct {
	Rows int
	Cols uint8
}

// between rounds the column sums of a first stage to 16 bits (shift 7) and
// transposes them. o holds n sums of the columns 2p and 2p+1; mid receives
// pairs of rows, n/2 words to a column.
func between(mid, o []int64, p, n int) {
	h := n >> 1
	even := mid[2*p*h:][:h]
	odd := mid[(2*p+1)*h:][:h]
	o = o[:2*h]
	for i := range even {
		a, b := o[2*i], o[2*i+1]
		even[i] = Pair(clip16((lowOf(a)+64)>>7), clip16((lowOf(b)+64)>>7))
		odd[i] = Pair(clip16((highOf(a)+64)>>7), clip16((highOf(b)+64)>>7))
	}
}

// finish rounds the sums of a second stage (bdShift = 20 - BitDepth = 12):
// o holds n sums of the rows 2r and 2r+1 of the residual.
func finish(res *[1024]int16, o []int64, r, n int) {
	top := res[2*r*n:][:n]
	bottom := res[(2*r+1)*n:][:n]
	o = o[:n]
	for i, w := range o {
		w += Pair(1<<11, 1<<11)
		top[i] = int16(lowOf(w) >> 12)
		bottom[i] = int16(highOf(w) >> 12)
	}
}

// Inverse computes the residual, an n by n raster of 1<<log2 points
// a side, s16, from scaled coefficients. dst selects the DST-VII (4x4 only).
func Inverse(res *[1024]int16, coef *Pairs, log2 int, ext Extent, dst bool) {
	switch log2 {
	case 2:
		inverseBlock4(res, coef, dst)
	case 3:
		inverseBlock8(res, coef, ext)
	case 4:
		inverseBlock16(res, coef, ext)
	case 5:
		inverseBlock32(res, coef, ext)
	}
}

func inverseBlock4(res *[1024]int16, coef *Pairs, dst bool) {
	var mid [8]int64
	for p := range 2 {
		v := [4]int64{coef[p], coef[p+2], coef[p+4], coef[p+6]}
		if dst {
			inverseDST4(&v)
		} else {
			inverse4(&v)
		}
		between(mid[:], v[:], p, 4)
	}
	for r := range 2 {
		v := [4]int64{mid[r], mid[r+2], mid[r+4], mid[r+6]}
		if dst {
			inverseDST4(&v)
		} else {
			inverse4(&v)
		}
		finish(res, v[:], r, 4)
	}
}

func inverseBlock8(res *[1024]int16, coef *Pairs, ext Extent) {
	var mid [32]int64
	columns8(&mid, coef, ext)
	for r := range 4 {
		row8(res, &mid, r)
	}
}

// columns8 is the first stage of 8x8 points.
func columns8(mid *[32]int64, coef *Pairs, ext Extent) {
	for p := range 4 {
		if ext.Cols>>(p>>1)&1 == 0 {
			continue // mid is zero
		}
		v := [8]int64{coef[p], coef[p+4], coef[p+8], coef[p+12], coef[p+16], coef[p+20], coef[p+24], coef[p+28]}
		inverse8(&v)
		between(mid[:], v[:], p, 8)
	}
}

// row8 is the second stage of rows 2r and 2r+1.
func row8(res *[1024]int16, mid *[32]int64, r int) {
	v := [8]int64{mid[r], mid[r+4], mid[r+8], mid[r+12], mid[r+16], mid[r+20], mid[r+24], mid[r+28]}
	inverse8(&v)
	finish(res, v[:], r, 8)
}

func inverseBlock16(res *[1024]int16, coef *Pairs, ext Extent) {
	var mid [128]int64
	cols := columns16(&mid, coef, ext)
	for r := range 8 {
		row16(res, &mid, r, cols)
	}
}

// columns16 is the first stage of 16x16 points; the columns from cols on are zero.
func columns16(mid *[128]int64, coef *Pairs, ext Extent) (cols int) {
	for p := range 8 {
		if ext.Cols>>(p>>1)&1 == 0 {
			continue
		}
		cols = 2*p + 2
		var v [16]int64
		for k := range min(ext.Rows, 16) {
			v[k] = coef[k<<3+p]
		}
		inverse16(&v, ext.Rows)
		between(mid[:], v[:], p, 16)
	}
	return cols
}

// row16 is the second stage of rows 2r and 2r+1.
func row16(res *[1024]int16, mid *[128]int64, r, cols int) {
	var v [16]int64
	for k := range min(cols, 16) {
		v[k] = mid[k<<3+r]
	}
	inverse16(&v, cols)
	finish(res, v[:], r, 16)
}

// inverseEdges is Inverse of 8x8 or 16x16 points for the last row and the last column alone.
func inverseEdges(res *[1024]int16, coef *Pairs, log2 int, ext Extent) {
	if log2 == 3 {
		var mid [32]int64
		columns8(&mid, coef, ext)
		lastColumn(res, mid[:], 8, 8)
		row8(res, &mid, 3)
		return
	}
	var mid [128]int64
	cols := columns16(&mid, coef, ext)
	lastColumn(res, mid[:], 16, cols)
	row16(res, &mid, 7, cols)
}

// lastColumn is the second stage of the last column of n by n points, of which the columns
// from cols on are zero after the first stage. The last column of transMatrix is the first
// one with the odd rows negated.
func lastColumn(res *[1024]int16, mid []int64, n, cols int) {
	h := n >> 1
	var sums [8]int64
	for k := 0; k < cols; k += 2 {
		even, odd := dctBase[32/n*k], dctBase[32/n*(k+1)]
		a, b := mid[k*h:][:h], mid[(k+1)*h:][:h]
		for r, v := range a {
			sums[r&7] += even*v - odd*b[r]
		}
	}
	for r, w := range sums[:h] {
		w += Pair(1<<11, 1<<11)
		res[(2*r*n+n-1)&1023], res[(2*r*n+2*n-1)&1023] = int16(lowOf(w)>>12), int16(highOf(w)>>12)
	}
}

func inverseBlock32(res *[1024]int16, coef *Pairs, ext Extent) {
	var mid [512]int64
	cols := 0
	for p := range 16 {
		if ext.Cols>>(p>>1)&1 == 0 {
			continue
		}
		cols = 2*p + 2
		var v [32]int64
		for k := range min(ext.Rows, 32) {
			v[k] = coef[k<<4+p]
		}
		inverse32(&v, ext.Rows)
		between(mid[:], v[:], p, 32)
	}
	for r := range 16 {
		var v [32]int64
		for k := range min(cols, 32) {
			v[k] = mid[k<<4+r]
		}
		inverse32(&v, cols)
		finish(res, v[:], r, 32)
	}
}

// InverseSkip computes the 4x4 residual of a transform skip block: a shift by
// 7 and the rounding of the second stage (clause 8.6.4.2, tsShift).
func InverseSkip(res *[1024]int16, coef *Pairs) {
	for i := range 16 {
		res[i] = int16((coef.At(i)<<7 + 1<<11) >> 12)
	}
}

// InverseBypass copies the levels of a transquant bypass block.
func InverseBypass(res *[1024]int16, coef *Pairs, log2 int) {
	for i := range 1 << (2 * log2) {
		res[i] = int16(coef.At(i))
	}
}
