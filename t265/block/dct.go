package block

import "encoding/binary"

// Forward transforms: the transposes of clause 8.6.4.2, scaled so that the
// inverse restores the residual. Words are pairs as in idct.go: residuals are
// s9, first-stage sums stay below 255*64*32, second-stage sums below
// 32767*64*32, all within 31 bits.

// forward32t is odd32 transposed: index odd frequency, then sample.
var forward32t = func() (t [16][16]int64) {
	for k := range 16 {
		for n := range 16 {
			t[k][n] = odd32[n][k]
		}
	}
	return t
}()

func forward4(v *[4]int64) {
	e0, e1 := v[0]+v[3], v[1]+v[2]
	o0, o1 := v[0]-v[3], v[1]-v[2]
	v[0], v[2] = 64*(e0+e1), 64*(e0-e1)
	v[1], v[3] = 83*o0+36*o1, 36*o0-83*o1
}

func forward8(v *[8]int64) {
	e := [4]int64{v[0] + v[7], v[1] + v[6], v[2] + v[5], v[3] + v[4]}
	a, b, c, d := v[0]-v[7], v[1]-v[6], v[2]-v[5], v[3]-v[4]
	forward4(&e)
	v[0], v[2], v[4], v[6] = e[0], e[1], e[2], e[3]
	v[1] = 89*a + 75*b + 50*c + 18*d
	v[3] = 75*a - 18*b - 89*c - 50*d
	v[5] = 50*a - 89*b + 18*c + 75*d
	v[7] = 18*a - 50*b + 75*c - 89*d
}

func forward16(v *[16]int64) {
	u := [8]int64{v[0] + v[15], v[1] + v[14], v[2] + v[13], v[3] + v[12], v[4] + v[11], v[5] + v[10], v[6] + v[9], v[7] + v[8]}
	a, b, c, d, e, f, g, h := v[0]-v[15], v[1]-v[14], v[2]-v[13], v[3]-v[12], v[4]-v[11], v[5]-v[10], v[6]-v[9], v[7]-v[8]
	v[1] = 90*a + 87*b + 80*c + 70*d + 57*e + 43*f + 25*g + 9*h
	v[3] = 87*a + 57*b + 9*c - 43*d - 80*e - 90*f - 70*g - 25*h
	v[5] = 80*a + 9*b - 70*c - 87*d - 25*e + 57*f + 90*g + 43*h
	v[7] = 70*a - 43*b - 87*c + 9*d + 90*e + 25*f - 80*g - 57*h
	v[9] = 57*a - 80*b - 25*c + 90*d - 9*e - 87*f + 43*g + 70*h
	v[11] = 43*a - 90*b + 57*c + 25*d - 87*e + 70*f + 9*g - 80*h
	v[13] = 25*a - 70*b + 90*c - 80*d + 43*e + 9*f - 57*g + 87*h
	v[15] = 9*a - 25*b + 43*c - 57*d + 70*e - 80*f + 87*g - 90*h
	forward8(&u)
	v[0], v[2], v[4], v[6], v[8], v[10], v[12], v[14] = u[0], u[1], u[2], u[3], u[4], u[5], u[6], u[7]
}

func forward32(v *[32]int64) {
	var e [16]int64
	var o [16]int64
	for i := range 16 {
		e[i], o[i] = v[i]+v[31-i], v[i]-v[31-i]
	}
	forward16(&e)
	for k := range 16 {
		c := &forward32t[k]
		v[2*k] = e[k]
		v[2*k+1] = c[0]*o[0] + c[1]*o[1] + c[2]*o[2] + c[3]*o[3] + c[4]*o[4] + c[5]*o[5] + c[6]*o[6] + c[7]*o[7] +
			c[8]*o[8] + c[9]*o[9] + c[10]*o[10] + c[11]*o[11] + c[12]*o[12] + c[13]*o[13] + c[14]*o[14] + c[15]*o[15]
	}
}

// forwardDST4 is the forward DST-VII.
func forwardDST4(v *[4]int64) {
	a, b, c, d := v[0], v[1], v[2], v[3]
	v[0] = 29*a + 55*b + 74*c + 84*d
	v[1] = 74*a + 74*b - 74*d
	v[2] = 84*a - 29*b - 74*c + 55*d
	v[3] = 55*a - 84*b + 74*c - 29*d
}

// turn rounds n first-stage sums of the columns (or rows) 2p and 2p+1 by shift and
// transposes them, like between, which also limits them.
func turn(mid, o []int64, p, n int, shift uint) {
	h := n >> 1
	even := mid[2*p*h:][:h]
	odd := mid[(2*p+1)*h:][:h]
	o = o[:2*h]
	round := int64(1) << (shift & 31) >> 1
	round += round << 32
	for i := range even {
		a, b := o[2*i]+round, o[2*i+1]+round
		even[i] = Pair(lowOf(a)>>(shift&31), lowOf(b)>>(shift&31))
		odd[i] = Pair(highOf(a)>>(shift&31), highOf(b)>>(shift&31))
	}
}

// settle rounds n second-stage sums of the rows 2r and 2r+1, or if rows is set, of
// the columns 2r and 2r+1.
func settle(coef *[1024]int32, o []int64, r, n int, shift uint, rows bool) {
	round := int64(1) << (shift & 31) >> 1
	round += round << 32
	o = o[:n]
	if rows {
		for i, w := range o {
			w += round
			pair := coef[i*n+2*r:][:2]
			pair[0] = lowOf(w) >> (shift & 31)
			pair[1] = highOf(w) >> (shift & 31)
		}
		return
	}
	top := coef[2*r*n:][:n]
	bottom := coef[(2*r+1)*n:][:n]
	for i, w := range o {
		w += round
		top[i] = lowOf(w) >> (shift & 31)
		bottom[i] = highOf(w) >> (shift & 31)
	}
}

// Forward computes the coefficients, s16 in a raster of 1<<log2
// points a side, of a residual of pairs of columns, s9: columns first, then rows.
// dst selects the DST-VII (4x4 only).
func Forward(coef *[1024]int32, res *Pairs, log2 int, dst bool) {
	forward(coef, res, log2, dst, false)
}

// ForwardRows is Forward with rows first, then columns, of a residual of pairs of
// rows (SubtractRows). The roundings of the first stage make it differ from
// Forward: it is the transpose of Forward of the transposed residual.
func ForwardRows(coef *[1024]int32, res *Pairs, log2 int, dst bool) {
	forward(coef, res, log2, dst, true)
}

func forward(coef *[1024]int32, res *Pairs, log2 int, dst, rows bool) {
	switch log2 {
	case 2:
		forwardBlock4(coef, res, dst, rows)
	case 3:
		forwardBlock8(coef, res, rows)
	case 4:
		forwardBlock16(coef, res, rows)
	case 5:
		forwardBlock32(coef, res, rows)
	}
}

// The shifts of a stage are BitDepth + log2 - 9 and log2 + 6.

func forwardBlock4(coef *[1024]int32, res *Pairs, dst, rows bool) {
	var mid [8]int64
	for p := range 2 {
		v := [4]int64{res[p], res[p+2], res[p+4], res[p+6]}
		if rows {
			v = [4]int64(res[4*p:])
		}
		if dst {
			forwardDST4(&v)
		} else {
			forward4(&v)
		}
		turn(mid[:], v[:], p, 4, 1)
	}
	for r := range 2 {
		v := [4]int64{mid[r], mid[r+2], mid[r+4], mid[r+6]}
		if dst {
			forwardDST4(&v)
		} else {
			forward4(&v)
		}
		settle(coef, v[:], r, 4, 8, rows)
	}
}

func forwardBlock8(coef *[1024]int32, res *Pairs, rows bool) {
	var mid [32]int64
	forwardFirst8(&mid, res, rows)
	var v [8]int64
	for r := range 4 {
		forwardSecond8(&v, &mid, r)
		settle(coef, v[:], r, 8, 9, rows)
	}
}

// forwardFirst8 is the first stage of 8x8 points.
func forwardFirst8(mid *[32]int64, res *Pairs, rows bool) {
	for p := range 4 {
		var v [8]int64
		if rows {
			v = [8]int64(res[8*p:])
		} else {
			v = [8]int64{res[p], res[p+4], res[p+8], res[p+12], res[p+16], res[p+20], res[p+24], res[p+28]}
		}
		forward8(&v)
		turn(mid[:], v[:], p, 8, 2)
	}
}

// forwardSecond8 writes the sums of the second stage of the rows, or columns, 2r and 2r+1.
func forwardSecond8(v *[8]int64, mid *[32]int64, r int) {
	*v = [8]int64{mid[r], mid[r+4], mid[r+8], mid[r+12], mid[r+16], mid[r+20], mid[r+24], mid[r+28]}
	forward8(v)
}

func forwardBlock16(coef *[1024]int32, res *Pairs, rows bool) {
	var mid [128]int64
	forwardFirst16(&mid, res, rows)
	var v [16]int64
	for r := range 8 {
		forwardSecond16(&v, &mid, r)
		settle(coef, v[:], r, 16, 10, rows)
	}
}

// forwardFirst16 is the first stage of 16x16 points.
func forwardFirst16(mid *[128]int64, res *Pairs, rows bool) {
	for p := range 8 {
		var v [16]int64
		if rows {
			v = [16]int64(res[16*p:])
		} else {
			for k := range v {
				v[k] = res[k<<3+p]
			}
		}
		forward16(&v)
		turn(mid[:], v[:], p, 16, 3)
	}
}

// forwardSecond16 writes the sums of the second stage of the rows, or columns, 2r and 2r+1.
func forwardSecond16(v *[16]int64, mid *[128]int64, r int) {
	for k := range v {
		v[k] = mid[k<<3+r]
	}
	forward16(v)
}

func forwardBlock32(coef *[1024]int32, res *Pairs, rows bool) {
	var mid [512]int64
	var v [32]int64
	for p := range 16 {
		if rows {
			v = [32]int64(res[32*p:])
		} else {
			for k := range v {
				v[k] = res[k<<4+p]
			}
		}
		forward32(&v)
		turn(mid[:], v[:], p, 32, 4)
	}
	for r := range 16 {
		for k := range v {
			v[k] = mid[k<<4+r]
		}
		forward32(&v)
		settle(coef, v[:], r, 32, 11, rows)
	}
}

// ForwardSkip scales a 4x4 residual as InverseSkip expects it: by 1<<5, the
// gain of a 4x4 transform.
func ForwardSkip(coef *[1024]int32, res *Pairs) {
	for i := range 16 {
		coef[i] = res.At(i) << 5
	}
}

// Subtract writes source minus prediction, a raster of n by n samples, as pairs
// of columns.
func Subtract(res *Pairs, src []byte, stride int, pred []byte, n int) {
	h := n >> 1
	for y := range n {
		a := src[y*stride:][:n]
		b := pred[y*n:][:n]
		row := res[y*h:][:h]
		for len(row) >= 2 && len(a) >= 4 && len(b) >= 4 {
			v := binary.LittleEndian.Uint32(a)
			w := binary.LittleEndian.Uint32(b)
			row[0] = spread2(v) - spread2(w)
			row[1] = spread2(v>>16) - spread2(w>>16)
			a, b, row = a[4:], b[4:], row[2:]
		}
	}
}

// SubtractRows writes source minus prediction, a raster of n by n samples, as pairs
// of rows: n words to a pair, the upper row in the lower half.
func SubtractRows(res *Pairs, src []byte, stride int, pred []byte, n int) {
	for y := 0; y < n; y += 2 {
		a, b := src[y*stride:][:n], src[(y+1)*stride:][:n]
		p, q := pred[y*n:][:n], pred[(y+1)*n:][:n]
		row := res[y>>1*n:][:n]
		for x := range row {
			row[x] = int64(a[x]) - int64(p[x]) + (int64(b[x])-int64(q[x]))<<32
		}
	}
}

// spread2 makes a pair of the two lowest bytes of w.
func spread2(w uint32) int64 { return int64(w&0xff) | int64(w&0xff00)<<24 }
