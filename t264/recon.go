package t264

import "encoding/binary"

// Picture construction (clause 8.5.14): prediction plus residual.

// spread gives each byte of p&laneBytes a lane of its own.
const laneBytes = 0x00ff * laneOnes

// addClip adds a residual of four lanes, rounded from 6 fraction bits (equations
// 8-354 and 8-403), to four samples, one to a lane, and limits the sums to
// 8 bits.
func addClip(pred uint64, res int64) uint64 {
	// The residual is s10, plus 512 here; sums are 0..1278.
	sum := (uint64(res)+(laneBias+32*laneOnes))>>6&(0x3ff*laneOnes) + pred
	low := sum + (0x8000-512)*laneOnes  // bit 15: not negative
	high := sum + (0x8000-768)*laneOnes // bit 15: above 255
	keep := low >> 15 & laneOnes * 0xff
	over := high >> 15 & laneOnes * 0xff
	return low&keep | over
}

// reconstruct4 adds the residual of inverseTransform4 to the prediction in
// dst, whose rows are stride apart.
func reconstruct4(dst []byte, stride int, v *block4) {
	for y, w := range v {
		row := dst[y*stride:][:4]
		p := uint64(binary.LittleEndian.Uint32(row))
		p = (p | p<<16) & laneEven
		p = addClip((p|p<<8)&laneBytes, w)
		p = (p | p>>8) & laneEven
		binary.LittleEndian.PutUint32(row, uint32(p|p>>16))
	}
}

// reconstruct8 is reconstruct4 for inverseTransform8.
func reconstruct8(dst []byte, stride int, v *block8) {
	for y := range 8 {
		row := dst[y*stride:][:8]
		p := binary.LittleEndian.Uint64(row)
		even := addClip(p&laneBytes, v[2*y])
		odd := addClip(p>>8&laneBytes, v[2*y+1])
		binary.LittleEndian.PutUint64(row, even|odd<<8)
	}
}

// reconstructBypass adds a residual without transform (clause 8.5.15) to the
// prediction of a block of size n: lev holds s16 values column by column. In
// modes vertical and horizontal each value is the difference from the one
// before it in the direction of prediction, and lev is overwritten by sums.
func reconstructBypass(dst []byte, stride, n, mode int, lev []int16) {
	switch mode {
	case modeVertical:
		for i := range lev {
			if i%n != 0 {
				lev[i] += lev[i-1]
			}
		}
	case modeHorizontal:
		for i := n; i < len(lev); i++ {
			lev[i] += lev[i-n]
		}
	}
	for y := range n {
		row := dst[y*stride:][:n]
		for x := range row {
			row[x] = clip8(int32(row[x]) + int32(lev[x*n+y]))
		}
	}
}
