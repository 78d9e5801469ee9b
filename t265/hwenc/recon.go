package hwenc

import "vcsim/sim"

// RTL: rtl/t265/t265_recon.v

// A reconUnit adds residuals to the predictions that have waited for them, a beat a
// cycle, and keeps the windows. Beats of 4x4 blocks wait a cycle and go first; their
// prediction is there then.
type reconUnit struct {
	inv    *sim.Stream[Residual]
	scaled *sim.Stream[SkipScaled]
	wide   sim.Stream[uint64]
	narrow sim.Stream[uint64]
	done   *sim.Stream[Done]
	line   *sim.Stream[Line]

	windows []window

	waits    bool // a beat of a 4x4 block
	skip     SkipScaled
	invBeat  uint8
	skipBeat uint8
	valid    bool
	tag      Tag
	beat     uint8
	rec      [8]uint8
	right    [4]uint8 // last samples of the rows so far of an 8x8 or 16x16 block
	skipTop  [2]uint8 // of a 4x4 block
}

// last tells whether the beat in the register is the last one of its block.
func (u *reconUnit) last() bool { return u.beat == lastBeat[u.tag.Log2&3] }

// writes tells whether the beat in the register changes rows or diagonals of its window.
func (u *reconUnit) writes() bool {
	return u.valid && (u.last() || u.tag.Log2 == 1 && u.beat == 3 || u.tag.Log2 > 1 && u.beat == 30)
}

func (u *reconUnit) eval() {
	u.scaled.Ready = true
	u.inv.Ready = u.wide.Valid && !u.waits
	last := u.valid && u.last()
	u.done.Ready, u.line.Ready = true, true
	u.done.Valid = last
	u.done.Data = Done{Thread: u.tag.Thread, LastTU: u.tag.LastTU}
	if u.line.Valid = last && u.tag.LastTU; u.line.Valid {
		l := &u.line.Data
		l.Thread = u.tag.Thread
		copy(l.Samples[:], u.windows[u.tag.Thread].row[:])
		switch x := 4 * int(u.tag.CX&3); u.tag.Log2 {
		case 0:
			copy(l.Samples[x:], u.rec[4:])
		case 1:
			copy(l.Samples[x:], u.rec[:])
		default:
			copy(l.Samples[8:], u.rec[:])
		}
	}
}

// queues tells the queues of predictions what leaves them.
func (u *reconUnit) queues() { u.narrow.Ready, u.wide.Ready = u.waits, u.inv.Moves() }

func (u *reconUnit) clock() {
	if u.valid {
		u.update()
	}
	if u.valid = u.waits || u.inv.Moves(); u.valid {
		if u.waits {
			u.tag, u.beat = u.skip.Tag, u.skipBeat
			for k, v := range u.skip.Values {
				u.rec[k] = clip8(int(uint8(u.narrow.Data>>(8*k))) + (int(v)+16)>>5)
			}
			u.skipBeat ^= 1
		} else {
			u.tag, u.beat = u.inv.Data.Tag, u.invBeat
			for k, v := range u.inv.Data.Values {
				u.rec[k] = clip8(int(uint8(u.wide.Data>>(8*k))) + int(v))
			}
			if u.invBeat++; u.invBeat > lastBeat[u.tag.Log2&3] {
				u.invBeat = 0
			}
		}
	}
	if u.waits = u.scaled.Valid; u.waits {
		u.skip = u.scaled.Data
	}
}

// update writes to the window what the beat in the register ends: four rows on the
// right, the lowest row, and the corners of blocks to come. All of a 16x16 block is
// replaced at the start of the next CTU but for its right column.
func (u *reconUnit) update() {
	w, r := &u.windows[u.tag.Thread], &u.rec
	x, y, d := 4*int(u.tag.CX), 4*int(u.tag.CY), 3+u.tag.CX-u.tag.CY
	switch u.tag.Log2 {
	case 0:
		if u.beat == 0 {
			u.skipTop = [2]uint8{r[3], r[7]}
			return
		}
		copy(w.left[y:], []uint8{u.skipTop[0], u.skipTop[1], r[3], r[7]})
		copy(w.row[x:x+4], r[4:])
		w.diag[d] = r[7]
		return
	case 1:
		copy(u.right[:], u.right[1:])
		u.right[3] = r[7]
		if u.beat&3 != 3 {
			return
		}
		copy(w.left[y+int(u.beat&4):], u.right[:])
		if u.beat == 3 {
			w.diag[d+1] = r[7]
			return
		}
		copy(w.row[x:x+8], r[:])
		w.diag[d], w.diag[d-1] = r[7], r[3]
	default:
		if u.beat&1 != 0 {
			copy(u.right[:], u.right[1:])
			u.right[3] = r[7]
			if u.beat&7 == 7 {
				copy(w.left[u.beat>>1&^3:], u.right[:])
			}
		}
		if u.beat == 30 {
			copy(w.row[:8], r[:])
		}
		if u.beat == 31 {
			copy(w.row[8:16], r[:])
		}
	}
}

// clip8 limits v to 0..255.
func clip8(v int) uint8 { return uint8(min(max(v, 0), 255)) }
