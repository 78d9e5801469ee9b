package hwdec

import "vcsim/t265/hw"

// RTL: rtl/t265/t265_parse_place.v

// A placeUnit knows where the CTU of a lane lies, and which of its neighbours are
// available: in the picture and in the slice (clause 6.4.1).
type placeUnit struct {
	lastX, lastY, partX, partY uint16 // of SliceConfig
	size                       uint8  // of a CTU in units of eight samples: 2, 4 or 8
	x, y, x0                   uint16 // the CTU; the column of the first one of the slice
	fresh                      bool   // that one comes next
	first                      bool   // it is that one
	up, corner                 bool   // the CTUs above, and above on the left, are in the slice
}

// start is the edge at which a slice begins.
func (u *placeUnit) start(c *SliceConfig) {
	*u = placeUnit{lastX: c.LastX, lastY: c.LastY, partX: uint16(c.PartX), partY: uint16(c.PartY), size: 2 << c.Log2CTB, x: c.X, y: c.Y, x0: c.X, fresh: true}
}

// nextX is the column of the CTU that comes next.
func (u *placeUnit) nextX() uint16 {
	switch {
	case u.fresh:
		return u.x
	case u.x == u.lastX:
		return 0
	}
	return u.x + 1
}

// next is the edge at which that one begins.
func (u *placeUnit) next() {
	x := u.nextX()
	u.corner = u.up
	u.up = u.up || !u.fresh && x == u.x0
	if !u.fresh && u.x == u.lastX {
		u.y++
	}
	u.x, u.first, u.fresh = x, u.fresh, false
}

func (u *placeUnit) final() bool     { return u.x == u.lastX && u.y == u.lastY }
func (u *placeUnit) left() bool      { return u.x != 0 && !u.first }
func (u *placeUnit) aboveLeft() bool { return u.x != 0 && u.corner }

// aboveRight: the CTU after this one has one above it.
func (u *placeUnit) aboveRight() bool { return u.x != u.lastX && (u.up || u.x+1 == u.x0) }

// right and bottom return the columns and rows of eight samples of hw.Head.
func (u *placeUnit) right() uint8 {
	switch {
	case u.x == u.lastX:
		return uint8(u.partX)
	case u.x+1 == u.lastX:
		return uint8(min(uint16(u.size)+u.partX, 15))
	}
	return 15
}

func (u *placeUnit) bottom() uint8 {
	if u.y == u.lastY {
		return uint8(u.partY)
	}
	return u.size
}

// head fills in what a hw.Head says of the CTU.
func (u *placeUnit) head(h *hw.Head) {
	h.CTUX, h.CTUY, h.Log2CTB = u.x, u.y, u.size>>2
	h.Left, h.Above, h.AboveLeft, h.AboveRight = u.left(), u.up, u.aboveLeft(), u.aboveRight()
	h.Right, h.Bottom, h.Final = u.right(), u.bottom(), u.final()
}
