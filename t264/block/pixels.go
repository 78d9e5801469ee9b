package block

// Arithmetic of the decoder's pixel path. It equals that of idct.go and recon.go for every
// conforming stream; where a level of a damaged one leads beyond 16 bits, terms
// wrap here as the wires of the RTL do: at 18 bits in 4x4 blocks and the DC
// transform, at 16 in 8x8 blocks.

func wrap18(v int32) int32 { return v << 14 >> 14 }
func wrap16(v int32) int32 { return int32(int16(v)) }

// Residual4 turns levels in scan order into the residual before rounding,
// row by row, each s18; dc replaces the first coefficient where it is wanted.
func Residual4(dst *[16]int32, levels *[16]int16, qp uint8, ac bool, dc int16) {
	scale := &Scalers[qp]
	var c [16]int32 // column by column
	for k, v := range levels {
		p := Scan4[k] & 15
		c[p] = wrap18(int32(v) * scale.Four[p])
	}
	if ac {
		c[0] = int32(dc)
	}
	for y := range 4 {
		c[y], c[4+y], c[8+y], c[12+y] = pixelInverse4(c[y], c[4+y], c[8+y], c[12+y], 1)
	}
	for x := range 4 {
		dst[x], dst[4+x], dst[8+x], dst[12+x] = pixelInverse4(c[4*x], c[4*x+1], c[4*x+2], c[4*x+3], 1)
	}
}

// DCCoefficients turns the DC levels of an I_16x16 macroblock into coefficients, column
// by column of blocks.
func DCCoefficients(dst *[16]int16, levels *[16]int16, qp uint8) {
	scale := Scalers[qp].Four[0]
	var c [16]int32
	for k, v := range levels {
		c[Scan4[k]&15] = wrap18(int32(v) * scale)
	}
	for y := range 4 {
		c[y], c[4+y], c[8+y], c[12+y] = pixelInverse4(c[y], c[4+y], c[8+y], c[12+y], 0)
	}
	for x := range 4 {
		c[4*x], c[4*x+1], c[4*x+2], c[4*x+3] = pixelInverse4(c[4*x], c[4*x+1], c[4*x+2], c[4*x+3], 0)
	}
	for i, v := range c {
		dst[i] = int16(wrap18(v+2) >> 2)
	}
}

// pixelInverse4 is inverse4 of values of 18 bits, or with halving 0 the Hadamard
// transform.
func pixelInverse4(a, b, c, d int32, halving uint) (int32, int32, int32, int32) {
	e0, e1 := a+c, a-c
	o0, o1 := b>>halving-d, b+d>>halving
	return wrap18(e0 + o1), wrap18(e1 + o0), wrap18(e1 - o0), wrap18(e0 - o1)
}

// Residual8 is Residual4 of an 8x8 block; its values are s16.
func Residual8(dst *[64]int32, levels *[64]int16, qp uint8) {
	scale := &Scalers[qp]
	var c [64]int32 // column by column
	for k, v := range levels {
		p := Scan8[k] & 63
		c[p] = wrap18(wrap18(int32(v)*scale.Eight[p])+2) >> 2
	}
	for y := range 8 {
		pixelInverse8(&c, y, 8)
	}
	for x := range 8 {
		pixelInverse8(&c, 8*x, 1)
		for y := range 8 {
			dst[8*y+x] = c[8*x+y]
		}
	}
}

// pixelInverse8 is inverse8 of the eight values from at on, with all terms of 16
// bits.
func pixelInverse8(c *[64]int32, at, step int) {
	var v [8]int32
	for i := range v {
		v[i] = wrap16(c[(at+i*step)&63])
	}
	w := wrap16
	a0, a2 := w(v[0]+v[4]), w(v[0]-v[4])
	a4, a6 := w(v[2]>>1-v[6]), w(v[2]+v[6]>>1)
	b0, b2, b4, b6 := a0+a6, a2+a4, a2-a4, a0-a6
	a1 := w(v[5] - v[3] - v[7] - v[7]>>1)
	a3 := w(v[1] + v[7] - v[3] - v[3]>>1)
	a5 := w(v[7] - v[1] + v[5] + v[5]>>1)
	a7 := w(v[3] + v[5] + v[1] + v[1]>>1)
	b1, b7 := a1+a7>>2, a7-a1>>2
	b3, b5 := a3+a5>>2, a3>>2-a5
	for i, u := range [8]int32{b0 + b7, b2 + b5, b4 + b3, b6 + b1, b6 - b1, b4 - b3, b2 - b5, b0 - b7} {
		c[(at+i*step)&63] = w(u)
	}
}

// AddResidual adds a residual, s18 with 6 fraction bits, to a sample.
func AddResidual(pred uint8, residual int32) uint8 {
	return Clip8(int32(pred) + wrap18(residual+32)>>6)
}
