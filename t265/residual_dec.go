package t265

import (
	"math/bits"

	"vcsim/internal/cabac"
	"vcsim/t265/block"
)

// A residualDecoder parses residual_coding (clause 7.3.8.11) into scaled
// coefficients.
type residualDecoder struct {
	c     cabac.Decoder
	ctx   block.Contexts
	coef  block.Pairs // result; the caller clears it
	ext   block.Extent
	stats *Stats
}

// lastPrefix decodes last_sig_coeff_x_prefix or _y_prefix.
func (d *residualDecoder) lastPrefix(base, log2 int) int {
	offset, shift := block.LastContext(log2)
	limit := 2*log2 - 1
	n := 0
	for n < limit && d.c.Bin(&d.ctx[base+offset+n>>shift]) != 0 {
		n++
	}
	d.stats.Bins[ElemLastPrefix] += int64(min(n+1, limit))
	return n
}

// remaining decodes coeff_abs_level_remaining (clause 9.3.3.11).
func (d *residualDecoder) remaining(rice int) (v, bins int) {
	peek := d.c.Peek()
	prefix := bits.LeadingZeros32(^peek)
	if prefix <= 3 {
		n := prefix + 1 + rice
		d.c.Skip(peek>>(32-uint(n)), n)
		return prefix<<rice + int(peek<<uint(prefix+1)>>1>>(31-uint(rice))), n
	}
	if n := prefix + 1 + prefix - 3 + rice; n <= 22 {
		d.c.Skip(peek>>(32-uint(n)), n)
		suffix := int(peek << uint(prefix+1) >> (32 - uint(prefix-3+rice)))
		return (1<<(prefix-3)+3-1)<<rice + suffix, n
	}
	// A conforming prefix has at most 32 ones; 20 exceed every 16-bit level.
	prefix = d.c.Unary(20)
	suffix := int(d.c.BypassLong(prefix - 3 + rice))
	return (1<<(prefix-3)+3-1)<<rice + suffix, prefix + 1 + prefix - 3 + rice
}

// decode parses the levels of a block of size 1<<log2, scales them with s
// unless it is nil, and adds them to d.coef. hide is signHidden's permission.
func (d *residualDecoder) decode(log2, scanIdx int, s *block.Scaler, hide bool) {
	st := d.stats
	x := d.lastPrefix(block.CtxLastX, log2)
	y := d.lastPrefix(block.CtxLastY, log2)
	if n := int(block.GroupBits[x]); n > 0 {
		x = int(block.GroupStart[x]) + int(d.c.Bypass(n))
		st.Bins[ElemLastSuffix] += int64(n)
	}
	if n := int(block.GroupBits[y]); n > 0 {
		y = int(block.GroupStart[y]) + int(d.c.Bypass(n))
		st.Bins[ElemLastSuffix] += int64(n)
	}
	if scanIdx == block.ScanVert {
		x, y = y, x
	}
	scan := &block.Scans[log2-2][scanIdx]
	lastSub := int(scan.SubAt[y>>2<<3|x>>2])
	lastPos := int(scan.PosAt[y&3<<2|x&3])
	d.ext = block.Extent{}

	sigTab := &block.SigContexts[log2-2][scanIdx]
	// coded holds coded_sub_block_flag by column: bit y of entry x, with a
	// row and a column of zeros behind the last.
	var coded [9]uint16
	greater1 := 1 // greater1Ctx at the end of the sub-block before
	for i := lastSub; i >= 0; i-- {
		sx, sy := int(scan.SubX[i]), int(scan.SubY[i])
		right := coded[sx+1] >> sy & 1
		below := coded[sx] >> (sy + 1) & 1
		csbf := right | below<<1
		k := 15
		var pos [16]uint8 // coefficient indices of the nonzero levels
		count := 0
		inferDC := false
		if i == lastSub {
			pos[0] = uint8(lastPos)
			count = 1
			k = lastPos - 1
		} else if i > 0 {
			st.Bins[ElemCodedSubBlock]++
			if d.c.Bin(&d.ctx[block.CtxCodedSubBlock+int(min(csbf, 1))]) == 0 {
				continue
			}
			inferDC = true
		}
		coded[sx] |= 1 << sy
		later := 0
		if i > 0 {
			later = 1
		}
		tab := &sigTab[later][csbf&3]
		if k > 0 {
			st.Bins[ElemSig] += int64(k)
			for ; k > 0; k-- {
				bin := d.c.Bin(&d.ctx[block.CtxSig+int(tab[k])&31])
				pos[count&15] = uint8(k)
				count += bin
			}
		}
		if k == 0 {
			if inferDC && count == 0 {
				count = 1 // pos[0] is 0
				pos[0] = 0
			} else {
				st.Bins[ElemSig]++
				bin := d.c.Bin(&d.ctx[block.CtxSig+int(tab[0])&31])
				pos[count&15] = 0
				count += bin
			}
		}
		if count == 0 {
			continue
		}

		set := 0
		if i > 0 {
			set = 2
		}
		if i != lastSub && greater1 == 0 {
			set++
		}
		greater1 = 1
		var level [16]int32 // absolute values, in the order of pos
		flags := min(count, 8)
		first := -1 // the first level above one
		g1 := d.ctx[block.CtxGreater1+4*set:][:4]
		for m := range flags {
			bin := d.c.Bin(&g1[greater1&3])
			level[m&15] = int32(1 + bin)
			if bin != 0 {
				greater1 = 0
				if first < 0 {
					first = m
				}
			} else if greater1 > 0 && greater1 < 3 {
				greater1++
			}
		}
		st.Bins[ElemGreater1] += int64(flags)
		if first >= 0 {
			level[first&15] += int32(d.c.Bin(&d.ctx[block.CtxGreater2+set]))
			st.Bins[ElemGreater2]++
		}
		signs := count
		hidden := hide && int(pos[0])-int(pos[(count-1)&15]) > 3
		if hidden {
			signs--
		}
		sign := d.c.Bypass(signs) << uint(32-signs)
		st.Bins[ElemSign] += int64(signs)

		// The escapes: a level equal to its base level has a remainder.
		rice := 0
		parity := int32(0)
		rem := 0
		for m := range count {
			base := int32(1)
			if m < 8 {
				base = 2
				if m == first {
					base = 3
				}
			} else {
				level[m&15] = 1
			}
			abs := level[m&15]
			if abs == base {
				v, bins := d.remaining(rice)
				rem += bins
				abs += int32(v)
				if abs > 3<<rice {
					rice = min(rice+1, 4)
				}
			}
			level[m&15] = abs
			parity += abs
		}
		st.Bins[ElemRemaining] += int64(rem)

		at := sy<<(log2+2) + sx<<2
		for m := range count {
			v := level[m&15]
			if sign>>31 != 0 {
				v = -v
			}
			sign <<= 1
			if m == count-1 && hidden && parity&1 != 0 {
				v = -v
			}
			v = int32(int16(v))
			if s != nil {
				v = s.Coefficient(v)
			}
			w := at + int(scan.Raster[pos[m&15]&15])
			d.coef[w>>1&511] += int64(v) << (uint(w) & 1 << 5)
		}
		d.ext.Cols |= 1 << sx
		d.ext.Rows = max(d.ext.Rows, 4*sy+4)
	}
}
