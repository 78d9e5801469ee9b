package block

// Inverse transforms (clauses 8.5.10 to 8.5.13): 4x4, 8x8, the Hadamard
// transform of DC levels, and the bypass.
//
// A word of a block holds four 16-bit values: the sum of lane i times
// 1<<(16*i). Sums, differences and products by constants act on all lanes at
// once; what leaves 16 bits, which no conforming stream does (8.5.12.2), wraps.
//
// Coefficients are stored column by column (see Scan4): a word holds rows of
// one column, so that the standard's first stage, which combines the
// coefficients of each row, combines words. A transposition brings the second
// stage into the same form.

type (
	Lanes4 [4]int64  // word x: rows 0..3 of column x
	Lanes8 [16]int64 // words 2x and 2x+1: rows 0..3 and 4..7 of column x
)

const (
	LaneOnes = 0x0001000100010001
	laneBias = 0x8000 * LaneOnes
	laneEven = 0x0000ffff0000ffff
)

// biased makes all lanes unsigned, above 1<<15: separate bit fields.
func biased(w int64) uint64 { return uint64(w) + laneBias }

// half shifts all lanes right by one.
func half(w int64) int64 {
	return int64(biased(w)>>1&(0x7fff*LaneOnes)) - 0x4000*LaneOnes
}

// quarter shifts all lanes right by two.
func quarter(w int64) int64 {
	return int64(biased(w)>>2&(0x3fff*LaneOnes)) - 0x2000*LaneOnes
}

// Lane takes value i out of a word.
func Lane(w int64, i int) int16 {
	return int16(biased(w)>>(16*uint(i)&63) ^ 0x8000)
}

// transpose exchanges words and lanes of four words.
func transpose(a, b, c, d int64) (int64, int64, int64, int64) {
	p, q, r, s := biased(a), biased(b), biased(c), biased(d)
	p, q = p&laneEven|q&laneEven<<16, p>>16&laneEven|q&^laneEven
	r, s = r&laneEven|s&laneEven<<16, r>>16&laneEven|s&^laneEven
	const low, bias = 1<<32 - 1, laneBias
	return int64(p&low | r<<32 - bias), int64(q&low | s<<32 - bias),
		int64(p>>32 | r&^low - bias), int64(q>>32 | s&^low - bias)
}

// inverse4 is the one-dimensional transform of equations 8-338 to 8-345.
func inverse4(a, b, c, d int64) (int64, int64, int64, int64) {
	e0, e1 := a+c, a-c
	o0, o1 := half(b)-d, b+half(d)
	return e0 + o1, e1 + o0, e1 - o0, e0 - o1
}

// inverse8 is the one-dimensional transform of clause 8.5.13.
func inverse8(v *[8]int64) {
	a0, a2 := v[0]+v[4], v[0]-v[4]
	a4, a6 := half(v[2])-v[6], v[2]+half(v[6])
	b0, b2, b4, b6 := a0+a6, a2+a4, a2-a4, a0-a6
	a1 := v[5] - v[3] - v[7] - half(v[7])
	a3 := v[1] + v[7] - v[3] - half(v[3])
	a5 := v[7] - v[1] + v[5] + half(v[5])
	a7 := v[3] + v[5] + v[1] + half(v[1])
	b1, b7 := a1+quarter(a7), a7-quarter(a1)
	b3, b5 := a3+quarter(a5), quarter(a3)-a5
	v[0], v[7] = b0+b7, b0-b7
	v[1], v[6] = b2+b5, b2-b5
	v[2], v[5] = b4+b3, b4-b3
	v[3], v[4] = b6+b1, b6-b1
}

// InverseTransform4 replaces coefficients by the residual before rounding:
// word y holds columns 0..3 of row y.
func InverseTransform4(v *Lanes4) {
	a, b, c, d := inverse4(v[0], v[1], v[2], v[3])
	a, b, c, d = inverse4(transpose(a, b, c, d))
	v[0], v[1], v[2], v[3] = a, b, c, d
}

// InverseTransform8 replaces coefficients by the residual before rounding:
// words 2y and 2y+1 hold columns 0, 2, 4, 6 and 1, 3, 5, 7 of row y.
func InverseTransform8(v *Lanes8) {
	var top, bottom [8]int64 // rows 0..3 and 4..7; by column
	for i := range top {
		top[i], bottom[i] = v[2*i], v[2*i+1]
	}
	inverse8(&top)
	inverse8(&bottom)
	var even, odd [8]int64 // columns of this parity; by row
	even[0], even[1], even[2], even[3] = transpose(top[0], top[2], top[4], top[6])
	odd[0], odd[1], odd[2], odd[3] = transpose(top[1], top[3], top[5], top[7])
	even[4], even[5], even[6], even[7] = transpose(bottom[0], bottom[2], bottom[4], bottom[6])
	odd[4], odd[5], odd[6], odd[7] = transpose(bottom[1], bottom[3], bottom[5], bottom[7])
	inverse8(&even)
	inverse8(&odd)
	for i := range even {
		v[2*i], v[2*i+1] = even[i], odd[i]
	}
}

// InverseDC is the transform of the 16 DC levels of an Intra16x16 macroblock
// (equation 8-328); the matrix is its own transpose. c is in any order that
// keeps rows and columns apart: its transpose gives the transposed result.
func InverseDC(c *[16]int32) {
	for i := 0; i < 16; i += 4 {
		hadamard4(c, i, 1)
	}
	for i := range 4 {
		hadamard4(c, i, 4)
	}
}

// hadamard4 transforms four values in the sequency order of the standard.
func hadamard4(c *[16]int32, at, step int) {
	p, q, r, s := c[at&15], c[(at+step)&15], c[(at+2*step)&15], c[(at+3*step)&15]
	a, b, d, e := p+s, q+r, p-s, q-r
	c[at&15], c[(at+step)&15], c[(at+2*step)&15], c[(at+3*step)&15] = a+b, d+e, a-b, d-e
}
