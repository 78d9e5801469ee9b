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
	seen  *Transform // notes the levels, unless it is nil
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

// lastPosition decodes the position of the last level of a block (clauses
// 7.3.8.11 and 7.4.9.11) and returns its sub-block and position in coding order.
func (d *residualDecoder) lastPosition(log2, scanIdx int) (sub, pos int) {
	x := d.lastPrefix(block.CtxLastX, log2)
	y := d.lastPrefix(block.CtxLastY, log2)
	if n := int(block.GroupBits[x]); n > 0 {
		x = int(block.GroupStart[x]) + int(d.c.Bypass(n))
		d.stats.Bins[ElemLastSuffix] += int64(n)
	}
	if n := int(block.GroupBits[y]); n > 0 {
		y = int(block.GroupStart[y]) + int(d.c.Bypass(n))
		d.stats.Bins[ElemLastSuffix] += int64(n)
	}
	if scanIdx == block.ScanVert {
		x, y = y, x
	}
	scan := &block.Scans[log2-2][scanIdx]
	return int(scan.SubAt[y>>2<<3|x>>2]), int(scan.PosAt[y&3<<2|x&3])
}

// A parsedSubBlock holds the nonzero levels of the sub-block under way, the
// last one in scan order first.
type parsedSubBlock struct {
	count int
	pos   [16]uint8 // scan positions
	level [16]int32 // absolute values
	first int       // the first level above one among those with a flag, or -1
}

// decode parses the levels of a block of size 1<<log2, scales them with s
// unless it is nil, and adds them to d.coef. hide is
// sign_data_hiding_enabled_flag where it has effect.
func (d *residualDecoder) decode(log2, scanIdx int, s *block.Scaler, hide bool) {
	lastSub, lastPos := d.lastPosition(log2, scanIdx)
	scan := &block.Scans[log2-2][scanIdx]
	d.ext = block.Extent{}

	sigTab := &block.SigContexts[log2-2][scanIdx]
	// coded holds coded_sub_block_flag by column: bit y of entry x, with a
	// row and a column of zeros behind the last.
	var coded [9]uint16
	greater1 := 1 // greater1Ctx at the end of the sub-block before
	var b parsedSubBlock
	for i := lastSub; i >= 0; i-- {
		sx, sy := int(scan.SubX[i]), int(scan.SubY[i])
		right := coded[sx+1] >> sy & 1
		below := coded[sx] >> (sy + 1) & 1
		csbf := right | below<<1
		k := 15
		b.count = 0
		if i == lastSub {
			b.pos[0] = uint8(lastPos)
			b.count = 1
			k = lastPos - 1
		} else if i > 0 {
			d.stats.Bins[ElemCodedSubBlock]++
			if d.c.Bin(&d.ctx[block.CtxCodedSubBlock+int(min(csbf, 1))]) == 0 {
				continue
			}
		}
		coded[sx] |= 1 << sy
		later := 0
		if i > 0 {
			later = 1
		}
		d.significance(&b, &sigTab[later][csbf&3], k, i > 0 && i < lastSub)
		if b.count == 0 {
			continue
		}
		set := 2 * later
		if greater1 == 0 {
			set++
		}
		greater1 = d.flags(&b, set)
		hidden := hide && int(b.pos[0])-int(b.pos[(b.count-1)&15]) > 3
		signs := b.count
		if hidden {
			signs--
		}
		sign := d.c.Bypass(signs) << uint(32-signs)
		d.stats.Bins[ElemSign] += int64(signs)
		if sum := d.remainders(&b); hidden {
			sign |= uint32(sum&1) << (uint(32-b.count) & 31)
		}
		at := sy<<(log2+2) + sx<<2
		for m := range b.count {
			v := b.level[m&15]
			if sign>>31 != 0 {
				v = -v
			}
			sign <<= 1
			v = int32(int16(v))
			b.level[m&15] = v
			if s != nil {
				v = s.Coefficient(v)
			}
			w := at + int(scan.Raster[b.pos[m&15]&15])
			d.coef[w>>1&511] += int64(v) << (uint(w) & 1 << 5)
		}
		if d.seen != nil {
			d.seen.see(i, &b)
		}
		d.ext.Cols |= 1 << sx
		d.ext.Rows = max(d.ext.Rows, 4*sy+4)
	}
}

// significance decodes sig_coeff_flag (clause 7.3.8.11) of the scan positions
// from k down, with context increments from tab, and adds the positions to b.
// infer says that some level is known to be there.
func (d *residualDecoder) significance(b *parsedSubBlock, tab *[16]uint8, k int, infer bool) {
	count := b.count
	if k > 0 {
		d.stats.Bins[ElemSig] += int64(k)
		for ; k > 0; k-- {
			bin := d.c.Bin(&d.ctx[block.CtxSig+int(tab[k])&31])
			b.pos[count&15] = uint8(k)
			count += bin
		}
	}
	if k == 0 {
		b.pos[count&15] = 0
		if infer && count == 0 {
			count = 1
		} else {
			d.stats.Bins[ElemSig]++
			count += d.c.Bin(&d.ctx[block.CtxSig+int(tab[0])&31])
		}
	}
	b.count = count
}

// flags decodes coeff_abs_level_greater1_flag and coeff_abs_level_greater2_flag
// (clauses 7.3.8.11 and 9.3.4.2.6) with the contexts of a set, so that levels
// with flags have what these tell, and the others are one. It returns
// greater1Ctx at the end.
func (d *residualDecoder) flags(b *parsedSubBlock, set int) (greater1 int) {
	greater1 = 1
	n := min(b.count, 8)
	first := -1
	g1 := d.ctx[block.CtxGreater1+4*set:][:4]
	for m := range n {
		bin := d.c.Bin(&g1[greater1&3])
		b.level[m&15] = int32(1 + bin)
		if bin != 0 {
			greater1 = 0
			if first < 0 {
				first = m
			}
		} else if greater1 > 0 && greater1 < 3 {
			greater1++
		}
	}
	d.stats.Bins[ElemGreater1] += int64(n)
	if first >= 0 {
		b.level[first&15] += int32(d.c.Bin(&d.ctx[block.CtxGreater2+set]))
		d.stats.Bins[ElemGreater2]++
	}
	for m := n; m < b.count; m++ {
		b.level[m&15] = 1
	}
	b.first = first
	return greater1
}

// remainders decodes coeff_abs_level_remaining (clauses 7.3.8.11 and 9.3.3.11)
// of the levels that equal their base level, and returns the sum of all.
func (d *residualDecoder) remainders(b *parsedSubBlock) (sum int32) {
	rice, bins := 0, 0
	for m := range b.count {
		base := int32(1)
		if m < 8 {
			base = 2
			if m == b.first {
				base = 3
			}
		}
		level := b.level[m&15]
		if level == base {
			v, n := d.remaining(rice)
			bins += n
			level += int32(v)
			if level > 3<<rice {
				rice = min(rice+1, 4)
			}
			b.level[m&15] = level
		}
		sum += level
	}
	d.stats.Bins[ElemRemaining] += int64(bins)
	return sum
}
