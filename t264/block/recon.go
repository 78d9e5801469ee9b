package block

import "encoding/binary"

// Picture construction (clause 8.5.14): prediction plus residual.

// spread gives each byte of p&LaneBytes a lane of its own.
const LaneBytes = 0x00ff * LaneOnes

// addClip adds a residual of four lanes, rounded from 6 fraction bits (equations
// 8-354 and 8-403), to four samples, one to a lane, and limits the sums to
// 8 bits.
func addClip(pred uint64, res int64) uint64 {
	// The residual is s10, plus 512 here; sums are 0..1278.
	sum := (uint64(res)+(laneBias+32*LaneOnes))>>6&(0x3ff*LaneOnes) + pred
	low := sum + (0x8000-512)*LaneOnes  // bit 15: not negative
	high := sum + (0x8000-768)*LaneOnes // bit 15: above 255
	keep := low >> 15 & LaneOnes * 0xff
	over := high >> 15 & LaneOnes * 0xff
	return low&keep | over
}

// Reconstruct4 adds the residual of InverseTransform4 to the prediction in
// dst, whose rows are stride apart.
func Reconstruct4(dst []byte, stride int, v *Lanes4) {
	for y, w := range v {
		row := dst[y*stride:][:4]
		p := uint64(binary.LittleEndian.Uint32(row))
		p = (p | p<<16) & laneEven
		p = addClip((p|p<<8)&LaneBytes, w)
		p = (p | p>>8) & laneEven
		binary.LittleEndian.PutUint32(row, uint32(p|p>>16))
	}
}

// Reconstruct8 is Reconstruct4 for InverseTransform8.
func Reconstruct8(dst []byte, stride int, v *Lanes8) {
	for y := range 8 {
		row := dst[y*stride:][:8]
		p := binary.LittleEndian.Uint64(row)
		even := addClip(p&LaneBytes, v[2*y])
		odd := addClip(p>>8&LaneBytes, v[2*y+1])
		binary.LittleEndian.PutUint64(row, even|odd<<8)
	}
}

// ReconstructBypass adds a residual without transform (clause 8.5.15) to the
// prediction of a block of size n: lev holds s16 values column by column. In
// modes vertical and horizontal each value is the difference from the one
// before it in the direction of prediction, and lev is overwritten by sums.
func ReconstructBypass(dst []byte, stride, n, mode int, lev []int16) {
	switch mode {
	case ModeVertical:
		for i := range lev {
			if i%n != 0 {
				lev[i] += lev[i-1]
			}
		}
	case ModeHorizontal:
		for i := n; i < len(lev); i++ {
			lev[i] += lev[i-n]
		}
	}
	for y := range n {
		row := dst[y*stride:][:n]
		for x := range row {
			row[x] = Clip8(int32(row[x]) + int32(lev[x*n+y]))
		}
	}
}
