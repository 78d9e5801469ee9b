package hwdec

import (
	"math/bits"

	"vcsim/internal/cabachw"
	"vcsim/t264/block"
	"vcsim/t264/hw"
)

// aheadBlocks holds what a lane that goes ahead needs of each block category.
var aheadBlocks = func() (t [block.NumCats]blockContexts) {
	for cat := range t {
		b, r := &t[cat], residualUnit{cat: uint8(cat)}
		b.end = 15
		if cat == block.Cat8x8 {
			b.end = 63
		}
		for r.k = range b.end {
			b.sig[r.k], b.last[r.k] = r.sigCtx(r.k), r.lastCtx()
		}
		for s := range b.one {
			b.one[s], b.more[s] = hw.DecAbsContext(r.cat, block.AbsOne[s]), hw.DecAbsContext(r.cat, block.AbsMore[s])
		}
	}
	return
}()

type blockContexts struct {
	end       uint8     // last scan position
	sig, last [64]uint8 // contexts by scan position
	one, more [8]uint8  // contexts of levels by their state
}

// block goes ahead within a block, residualUnit.step for many bins: through the
// map and through all levels but the suffix of one. It reports whether the lane can go
// on; else it waits for a word or for its item to leave.
func (l *laneAhead) block() bool {
	if l.parse.res.state <= resLast && !l.flags() {
		return !l.d.Waits()
	}
	return l.levels()
}

// flags goes ahead within the map. It is not ok if the lane has to wait or has no
// more bytes.
func (l *laneAhead) flags() (ok bool) {
	r, d := &l.parse.res, l.d
	t := &aheadBlocks[r.cat&3]
	w, k, mask, last, end := d.Window, uint64(r.k), l.mask, r.state == resLast, uint64(t.end)
	// A bin moves on or adds to mask.
	var late uint64
	from := max(d.Now, d.Fed()) - k - uint64(bits.OnesCount64(mask))
	state := uint8(resOne)
	for {
		if !last {
			p := &d.Contexts[t.sig[k&63]]
			c := *p
			e, m := w.Split(c)
			w = w.Settle(e, m)
			*p = cabachw.After(c, m)
			if cabachw.Value(c, m) == 0 {
				k++
				if w.Low() {
					if w, late, ok = d.Fill(w, from+k+uint64(bits.OnesCount64(mask))); !ok {
						state = resSig
						break
					}
					from += late
				}
				if k == end {
					break
				}
				continue
			}
			mask |= 1 << (k & 63)
			if w.Low() {
				if w, late, ok = d.Fill(w, from+k+uint64(bits.OnesCount64(mask))); !ok {
					state = resLast
					break
				}
				from += late
			}
		}
		last = false
		p := &d.Contexts[t.last[k&63]]
		c := *p
		e, m := w.Split(c)
		w = w.Settle(e, m)
		*p = cabachw.After(c, m)
		if cabachw.Value(c, m) != 0 {
			from++
			if w.Low() {
				w, _, _ = d.Fill(w, from+k+uint64(bits.OnesCount64(mask)))
			}
			break
		}
		k++
		if w.Low() {
			if w, late, ok = d.Fill(w, from+k+uint64(bits.OnesCount64(mask))); !ok {
				state = resSig
				break
			}
			from += late
		}
		if k == end {
			break
		}
	}
	d.Window, d.Now = w, from+k+uint64(bits.OnesCount64(mask))
	if k == end && state != resLast { // not zero by inference
		mask |= 1 << (k & 63)
		state = resOne
	}
	l.mask, r.k, r.state = mask, uint8(k), state
	return !d.Waits() && !d.Overrun()
}

// levels goes ahead through the levels of a block. It reports whether the lane can
// go on.
func (l *laneAhead) levels() bool {
	r, d := &l.parse.res, l.d
	t := &aheadBlocks[r.cat&3]
	w, now, mask, abs, a, state := d.Window, max(d.Now, d.Fed()), l.mask, r.abs&7, r.a, r.state
	var late uint64
	ok := true
	for {
		if state == resOne {
			p := &d.Contexts[t.one[abs]]
			c := *p
			e, m := w.Split(c)
			w = w.Settle(e, m)
			*p = cabachw.After(c, m)
			now++
			a, state = 0, resSign
			if cabachw.Value(c, m) != 0 {
				a, state = 1, resMore
			}
			if w.Low() {
				if w, late, ok = d.Fill(w, now); !ok {
					break
				}
				now, late = now+late, 0
			}
		}
		if state == resMore {
			p := &d.Contexts[t.more[abs]]
			c := *p
			for {
				e, m := w.Split(c)
				w = w.Settle(e, m)
				one := cabachw.Value(c, m)
				c = cabachw.After(c, m)
				now++
				switch {
				case one == 0:
					state = resSign
				case a == block.MaxPrefix-1:
					a, state = 1, resOnes
				default:
					a++
				}
				if w.Low() {
					if w, late, ok = d.Fill(w, now); !ok {
						break
					}
					now, late = now+late, 0
				}
				if state != resMore {
					break
				}
			}
			*p = c
			if state == resOnes {
				r.esc, r.ones, l.req = true, 0, requestBypass
				break
			}
			if !ok {
				break
			}
		}
		if l.parse.valid {
			d.Window, d.Now = w, now
			l.mask, r.state, r.a, r.abs = mask, resSign, a, abs
			return false
		}
		now = max(now, l.freeAt, l.signAt)
		at := bits.Len64(mask) - 1
		mask &^= 1 << (at & 63)
		var sign uint8
		bad := false
		if r.esc {
			d.Window, d.Now = w, now
			var cut bool
			if a, sign, cut = l.suffix(a); cut {
				return true
			}
			bad = (a+1-uint16(sign))>>15 != 0
			w, now = d.Window, d.Now
			late, ok = max(now, d.Fed())-now, !d.Waits() && !d.Overrun()
			abs = block.AfterTwo[abs]
		} else {
			w, sign = w.Sign()
			now++
			if w.Low() {
				w, late, ok = d.Fill(w, now)
			}
			if a == 0 {
				abs = block.AfterOne[abs]
			} else {
				abs = block.AfterTwo[abs]
			}
		}
		s := -uint16(sign)
		l.data |= uint64((a+1^s)-s) << (16 * (at & 3))
		state = resOne
		next := bits.Len64(mask) - 1 // -1 after the last level
		if bad {
			req := requestNone
			if mask != 0 {
				req = requestContext(t.one[abs])
			}
			d.Window, d.Now = w, now
			l.req, l.errorAt = l.parse.fail(hw.EndLevel, req), now
			return true
		}
		if next>>2 != at>>2 {
			l.push(at>>2, mask == 0, now)
			if mask == 0 {
				d.Window, d.Now = w, now
				return true
			}
			l.signAt = now + uint64(at>>2-next>>2) - 1
		}
		now, late = now+late, 0
		if !ok {
			break
		}
	}
	d.Window, d.Now = w, now
	l.mask, r.state, r.a, r.abs = mask, state, a, abs
	return !d.Waits()
}

// suffix decodes the last bins of coeff_abs_level_minus1 (clause 9.3.2.3) and the sign, where a holds the bits of the suffix so far; cut: the slice
// ends within them.
func (l *laneAhead) suffix(a uint16) (level uint16, sign uint8, cut bool) {
	r, d := &l.parse.res, l.d
	bins := d.Bypass(uint(r.ones) + 1)
	r.esc = false
	if d.Cut() {
		l.req, l.errorAt = l.parse.fail(hw.EndData, requestNone), d.Now
		return 0, 0, true
	}
	return (a<<r.ones | uint16(bins>>1)) + 13, bins & 1, false
}

// push makes the item of a group of four levels, which is there from cycle now on. With the last one of a block, the parser goes on
// to the next block.
func (l *laneAhead) push(group int, last bool, now uint64) {
	kind := uint8(hw.ItemBlock)
	if l.parse.dc {
		kind = hw.ItemDC
	}
	l.item = hw.Item{Kind: kind, Block: l.parse.b, Group: uint8(group), Last: last, Coded: true, Data: l.data}
	l.parse.valid, l.parse.tag.Kind, l.itemAt, l.pushed, l.data = true, kind, now, true, 0
	if last {
		l.parse.nextBlock()
		l.parse.state, l.req = parseBlock, requestNone
	}
}
