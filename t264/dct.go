package t264

import "encoding/binary"

// Forward transforms: the transposes of those in idct.go, on the same words.
// Residuals are s9, coefficients at most s15 (4x4: 36*255, 8x8: 64*255); the
// quantiser knows the norms of the basis functions.

// subtract4 returns source minus prediction, 4x4 samples: word y holds columns
// 0..3 of row y.
func subtract4(v *block4, src []byte, srcStride int, pred []byte, predStride int) {
	for y := range v {
		v[y] = int64(spread(src[y*srcStride:])) - int64(spread(pred[y*predStride:]))
	}
}

// spread gives each of four samples a lane.
func spread(s []byte) uint64 {
	a := uint64(binary.LittleEndian.Uint32(s))
	a = (a | a<<16) & laneEven
	return (a | a<<8) & laneBytes
}

// subtract8 is subtract4 for 8x8 samples: words 2y and 2y+1 hold columns 0, 2,
// 4, 6 and 1, 3, 5, 7 of row y.
func subtract8(v *block8, src []byte, srcStride int, pred []byte, predStride int) {
	for y := range 8 {
		a := binary.LittleEndian.Uint64(src[y*srcStride:][:8])
		b := binary.LittleEndian.Uint64(pred[y*predStride:][:8])
		v[2*y] = int64(a&laneBytes) - int64(b&laneBytes)
		v[2*y+1] = int64(a>>8&laneBytes) - int64(b>>8&laneBytes)
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

// forwardTransform4 turns a residual by rows, as subtract4 leaves it, into
// coefficients by columns, as inverseTransform4 takes them.
func forwardTransform4(v *block4) {
	a, b, c, d := forward4(v[0], v[1], v[2], v[3])
	a, b, c, d = forward4(transpose(a, b, c, d))
	v[0], v[1], v[2], v[3] = a, b, c, d
}

// forwardTransform8 is forwardTransform4 for an 8x8 block.
func forwardTransform8(v *block8) {
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

// unpack writes the lanes of words to out, four to a word.
func unpack(out []int16, words []int64) {
	for i, w := range words {
		o := out[4*i:][:4]
		t := biased(w) ^ laneBias
		o[0], o[1], o[2], o[3] = int16(t), int16(t>>16), int16(t>>32), int16(t>>48)
	}
}
