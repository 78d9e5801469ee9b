package t264

import (
	"math/bits"

	"vcsim/internal/cabac"
)

// aheadBlocks holds what a lane that goes ahead needs of each block category.
var aheadBlocks = func() (t [numCats]aheadBlock) {
	for cat := range t {
		b, r := &t[cat], parseResidual{cat: uint8(cat)}
		b.end = 15
		if cat == cat8x8 {
			b.end = 63
		}
		for r.k = range b.end {
			b.sig[r.k], b.last[r.k] = r.sigCtx(r.k), r.lastCtx()
		}
		for s := range b.one {
			b.one[s], b.more[s] = decAbsContext(r.cat, absOne[s]), decAbsContext(r.cat, absMore[s])
		}
	}
	return
}()

type aheadBlock struct {
	end       uint8     // last scan position
	sig, last [64]uint8 // contexts by scan position
	one, more [8]uint8  // contexts of levels by their state
}

// block goes ahead within a block, parseResidual.step for many bins: through the
// map and through all levels but the suffix of one. It reports whether the lane can go
// on; else it waits for a word or for its item to leave.
func (l *laneAhead) block() bool {
	r, d := &l.res, l.d
	t, contexts := &aheadBlocks[r.cat&3], &d.Contexts
	var b cabac.Bin
	w, now, mask, state := d.Window, max(d.Now, d.Fed()), l.mask, r.state
	if state <= resLast {
		k, end := r.k&63, t.end
		for {
			if state == resSig {
				p := &contexts[t.sig[k&63]]
				w, b = w.Bin(*p)
				*p = b.Next()
				now++
				if b.Value() != 0 {
					mask |= 1 << (k & 63)
					state = resLast
				} else {
					k++
				}
			} else {
				p := &contexts[t.last[k&63]]
				w, b = w.Bin(*p)
				*p = b.Next()
				now++
				if b.Value() != 0 {
					state = resOne
				} else {
					k++
					state = resSig
				}
			}
			if k == end { // not zero by inference
				mask |= 1 << (k & 63)
				state = resOne
			}
			if w.Low() {
				d.Window, d.Now = w, now
				d.Refill()
				if w, now = d.Window, max(now, d.Fed()); d.Waits() || d.Overrun() {
					r.k, r.state, l.mask = k, state, mask
					return !d.Waits()
				}
			}
			if state == resOne {
				break
			}
		}
	}
	a, abs := r.a, r.abs
	for {
		if state == resOne {
			p := &contexts[t.one[abs&7]]
			w, b = w.Bin(*p)
			*p = b.Next()
			now++
			a, state = 0, resSign
			if b.Value() != 0 {
				a, state = 1, resMore
			}
			if w.Low() {
				d.Window, d.Now = w, now
				d.Refill()
				if w, now = d.Window, max(now, d.Fed()); d.Waits() || d.Overrun() {
					break
				}
			}
		}
		if state == resMore {
			p := &contexts[t.more[abs&7]]
			c := *p
			for state == resMore {
				w, b = w.Bin(c)
				c = b.Next()
				now++
				switch {
				case b.Value() == 0:
					state = resSign
				case a == maxPrefix-1:
					a, state = 1, resOnes
				default:
					a++
				}
				if w.Low() {
					d.Window, d.Now = w, now
					d.Refill()
					if w, now = d.Window, max(now, d.Fed()); d.Waits() || d.Overrun() {
						break
					}
				}
			}
			*p = c
			if state == resOnes {
				r.esc, r.ones, l.req = true, 0, requestBypass
				break
			}
			if d.Waits() || d.Overrun() {
				break
			}
		}
		if l.valid {
			d.Window, d.Now = w, now
			l.mask, r.state, r.a, r.abs = mask, resSign, a, abs
			return false
		}
		now = max(now, l.freeAt, l.signAt)
		var sign uint8
		w, sign = w.Sign()
		now++
		m := a
		if r.esc {
			m += 13
		}
		level, bad := m+1, (m+1)>>15 != 0
		if sign != 0 {
			level, bad = ^m, m>>15 != 0
		}
		if m == 0 {
			abs = afterOne[abs&7]
		} else {
			abs = afterTwo[abs&7]
		}
		at := uint8(bits.Len64(mask) - 1)
		mask &^= 1 << (at & 63)
		l.data |= uint64(level) << (16 * (at & 3))
		state, r.esc = resOne, false
		d.Window, d.Now = w, now
		if w.Low() {
			d.Refill()
			w = d.Window
		}
		if bad {
			next := requestNone
			if mask != 0 {
				next = requestContext(t.one[abs&7])
			}
			l.req = l.fail(EndLevel, next)
			l.errorAt = now
			return true
		}
		if next := uint8(bits.Len64(mask) - 1); mask == 0 || next>>2 != at>>2 {
			l.tag = l.blockItem(Item{Group: at >> 2, Last: mask == 0, Coded: true})
			l.valid, l.item, l.itemAt, l.pushed = true, l.tag, now, true
			l.item.Data, l.data = l.data, 0
			if mask == 0 {
				l.nextBlock()
				l.state, l.req = parseBlock, requestNone
				return true
			}
			l.signAt = now + uint64(at>>2-next>>2) - 1
		}
		now = max(now, d.Fed())
		if d.Waits() || d.Overrun() {
			break
		}
	}
	d.Window, d.Now = w, now
	l.mask, r.state, r.a, r.abs = mask, state, a, abs
	return !d.Waits()
}
