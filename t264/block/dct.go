package block

import "encoding/binary"

// Forward transforms: the transposes of those in idct.go, on the same words.
// Residuals are s9, coefficients at most s15 (4x4: 36*255, 8x8: 64*255); the
// quantiser knows the norms of the basis functions.

// Subtract4 returns source minus prediction, 4x4 samples: word y holds columns
// 0..3 of row y.
func Subtract4(v *Lanes4, src []byte, srcStride int, pred []byte, predStride int) {
	for y := range v {
		v[y] = int64(Spread(src[y*srcStride:])) - int64(Spread(pred[y*predStride:]))
	}
}

// Spread gives each of four samples a lane.
func Spread(s []byte) uint64 {
	a := uint64(binary.LittleEndian.Uint32(s))
	a = (a | a<<16) & laneEven
	return (a | a<<8) & LaneBytes
}

// Subtract8 is Subtract4 for 8x8 samples: words 2y and 2y+1 hold columns 0, 2,
// 4, 6 and 1, 3, 5, 7 of row y.
func Subtract8(v *Lanes8, src []byte, srcStride int, pred []byte, predStride int) {
	for y := range 8 {
		a := binary.LittleEndian.Uint64(src[y*srcStride:][:8])
		b := binary.LittleEndian.Uint64(pred[y*predStride:][:8])
		v[2*y] = int64(a&LaneBytes) - int64(b&LaneBytes)
		v[2*y+1] = int64(a>>8&LaneBytes) - int64(b>>8&LaneBytes)
	}
}

func forward4(p, q, r, s int64) (int64, int64, int64, int64) {
	a, b, c, d := p+s, q+r, q-r, p-s
	return a + b, 2*d + c, a - b, d - 2*c
}

func forward8(v *[8]int64) {
	s0, s1, s2, s3 := v[0]+v[7], v[1]+v[6], v[2]+v[5], v[3]+v[4]
	d0, d1, d2, d3 := v[0]-v[7], v[1]-v[6], v[2]-v[5], v[3]-v[4]
	a0, a1, a2, a3 := s0+s3, s1+s2, s0-s3, s1-s2
	a4 := d1 + d2 + d0 + half(d0)
	a5 := d0 - d3 - d2 - half(d2)
	a6 := d0 + d3 - d1 - half(d1)
	a7 := d1 - d2 + d3 + half(d3)
	v[0], v[4] = a0+a1, a0-a1
	v[2], v[6] = a2+half(a3), half(a2)-a3
	v[1], v[7] = a4+quarter(a7), quarter(a4)-a7
	v[3], v[5] = a5+quarter(a6), a6-quarter(a5)
}

// ForwardTransform4 turns a residual by rows, as Subtract4 leaves it, into
// coefficients by columns, as InverseTransform4 takes them.
func ForwardTransform4(v *Lanes4) {
	a, b, c, d := forward4(v[0], v[1], v[2], v[3])
	a, b, c, d = forward4(transpose(a, b, c, d))
	v[0], v[1], v[2], v[3] = a, b, c, d
}

// ForwardTransform8 is ForwardTransform4 for an 8x8 block.
func ForwardTransform8(v *Lanes8) {
	var even, odd [8]int64
	for i := range even {
		even[i], odd[i] = v[2*i], v[2*i+1]
	}
	forward8(&even)
	forward8(&odd)
	var top, bottom [8]int64
	top[0], top[2], top[4], top[6] = transpose(even[0], even[1], even[2], even[3])
	top[1], top[3], top[5], top[7] = transpose(odd[0], odd[1], odd[2], odd[3])
	bottom[0], bottom[2], bottom[4], bottom[6] = transpose(even[4], even[5], even[6], even[7])
	bottom[1], bottom[3], bottom[5], bottom[7] = transpose(odd[4], odd[5], odd[6], odd[7])
	forward8(&top)
	forward8(&bottom)
	for i := range top {
		v[2*i], v[2*i+1] = top[i], bottom[i]
	}
}

// Unpack writes the lanes of words to out, four to a word.
func Unpack(out []int16, words []int64) {
	for i, w := range words {
		o := out[4*i:][:4]
		t := biased(w) ^ laneBias
		o[0], o[1], o[2], o[3] = int16(t), int16(t>>16), int16(t>>32), int16(t>>48)
	}
}
