package t264

// Block size and intra mode decision of the hw tier. It is open loop: it sees
// source samples only, so that it can run ahead of the reconstruction. A
// macroblock is one 16x16 block, tried with DC, vertical and horizontal prediction from
// source neighbours; the cost of a mode is the sum of absolute Hadamard
// coefficients of the residual plus a price for the side information.
//
// The prediction of these modes has few coefficients: DC one, vertical a row,
// horizontal a column. One transform of the source block therefore serves the
// three modes.

// A hwDecider holds the scratch of the decision.
type hwDecider struct {
	ref, flt refs
	tiles    [4]tile
}

// A tile is the Hadamard transform of 8x8 source samples: its first row
// (frequencies along x) and column, which share the DC, and the sum of the
// absolute values of the rest.
type tile struct {
	row, col [8]int32
	rest     int
}

// Prices of the side information, in 1/16 of the root of lambda: of a mode
// other than DC, and of a macroblock of 4x4 blocks above one of 8x8 blocks.
const (
	modePrice  = 24
	smallPrice = 40 * 16
)

// rootLambda is 16 times the root of the Lagrange multiplier by QP: half a
// quantiser step, 0.625 * 2^(QP/6) / 2, times about 1.2.
var rootLambda = func() (t [52]int) {
	base := [6]int{384, 431, 484, 543, 609, 684} // 64 * 6 * 2^(i/6)
	for qp := range t {
		t[qp] = base[qp%6] << (qp / 6) >> 6
	}
	return t
}()

// decide chooses the kind and the modes of the macroblock (x, y): 16x16, or
// where that is off the cheaper of 8x8 and 4x4.
func (h *hwDecider) decide(e *Encoder, x, y int) {
	f, p := &e.f, &e.plan
	root := rootLambda[e.qp]
	price := modePrice * root >> 8
	if e.p.Off&(ToolI16|ToolI8) != ToolI16|ToolI8 {
		for i := range h.tiles {
			h.tiles[i].transform(e.src[(y+i>>1*8)*f.stride+x+i&1*8:], f.stride)
		}
	}
	if e.p.Off&ToolI16 == 0 {
		p.kind, p.mode16 = mb16x16, uint8(h.mode16(e, x, y, price))
		return
	}
	best := 1 << 30
	if e.p.Off&ToolI8 == 0 {
		best = 0
		p.kind = mb8x8
		for i := range 4 {
			bx, by := x+i&1*8, y+i>>1*8
			c, m := h.cost8(e, bx, by, &h.tiles[i], price)
			best += c
			f.fill4(f.mode, bx, by, 8, uint8(m))
		}
	}
	if e.p.Off&ToolI4 == 0 {
		cost := smallPrice * root >> 8
		var modes [16]uint8
		for b := range 16 {
			c, m := h.cost4(e, x+int(blockX[b]), y+int(blockY[b]), price)
			cost += c
			modes[b] = uint8(m)
		}
		if cost < best {
			p.kind = mb4x4
			for b, m := range modes {
				f.mode[(y+int(blockY[b]))>>2*f.stride4+(x+int(blockX[b]))>>2] = m
			}
		}
	}
}

// transform fills t from 8x8 samples.
func (t *tile) transform(src []byte, stride int) {
	var v block8
	var zero [8]byte
	subtract8(&v, src, stride, zero[:], 0)
	var even, odd [8]int64
	for i := range even {
		even[i], odd[i] = v[2*i], v[2*i+1]
	}
	hadamard8(&even)
	hadamard8(&odd)
	var top, bottom [8]int64
	top[0], top[2], top[4], top[6] = transpose(even[0], even[1], even[2], even[3])
	top[1], top[3], top[5], top[7] = transpose(odd[0], odd[1], odd[2], odd[3])
	bottom[0], bottom[2], bottom[4], bottom[6] = transpose(even[4], even[5], even[6], even[7])
	bottom[1], bottom[3], bottom[5], bottom[7] = transpose(odd[4], odd[5], odd[6], odd[7])
	hadamard8(&top)
	hadamard8(&bottom)
	var sum uint64
	for i := range top {
		t.row[i] = int32(lane(top[i], 0))
		if i > 0 {
			// Each absolute value is below 8192: 7 of them fit a lane.
			sum += absLanes(top[i])&^0xffff + absLanes(bottom[i])
		}
	}
	t.rest = sumLanes(sum)
	for i := range 4 {
		t.col[i], t.col[i+4] = int32(lane(top[0], i)), int32(lane(bottom[0], i))
	}
}

// hadamard8 is the one-dimensional transform in natural order: entry 0 is the
// sum.
func hadamard8(v *[8]int64) {
	a, b, c, d := v[0]+v[4], v[1]+v[5], v[2]+v[6], v[3]+v[7]
	i, j, k, l := v[0]-v[4], v[1]-v[5], v[2]-v[6], v[3]-v[7]
	a, c = a+c, a-c
	b, d = b+d, b-d
	i, k = i+k, i-k
	j, l = j+l, j-l
	v[0], v[1], v[2], v[3] = a+b, a-b, c+d, c-d
	v[4], v[5], v[6], v[7] = i+j, i-j, k+l, k-l
}

// absLanes returns the absolute values of the lanes.
func absLanes(w int64) uint64 {
	t := biased(w)
	neg := (t>>15&laneOnes ^ laneOnes) * 0xffff
	return (t ^ laneBias ^ neg) + neg&laneOnes
}

// sumLanes adds the unsigned lanes.
func sumLanes(w uint64) int {
	w = w&laneEven + w>>16&laneEven
	return int(uint32(w)) + int(w>>32)
}

// hadamardLine transforms n = 4 or 8 reference samples.
func hadamardLine(v *[8]int32, n int) {
	for step := n >> 1; step > 0; step >>= 1 {
		for i := range n {
			if i&step == 0 {
				a, b := v[i&7], v[(i+step)&7]
				v[i&7], v[(i+step)&7] = a+b, a-b
			}
		}
	}
}

func abs32(v int32) int {
	s := v >> 31
	return int((v ^ s) - s)
}

// lines holds the transforms of the references of a block side.
type lines struct {
	top, left [8]int32
}

// load reads n references above and left, from the i-th and j-th on.
func (l *lines) load(r *refs, n, i, j int, nb neighbourhood) {
	for k := range n {
		l.top[k&7], l.left[k&7] = int32(r[refCorner+1+i+k]), int32(r[refCorner-1-j-k])
	}
	if nb.above {
		hadamardLine(&l.top, n)
	}
	if nb.left {
		hadamardLine(&l.left, n)
	}
}

// modeCosts adds the cost of a tile of n by n samples in the three modes.
func (t *tile) modeCosts(costs *[3]int, l *lines, n int, dc int32) {
	row, col := 0, 0 // without the DC
	for i := 1; i < n; i++ {
		row += abs32(t.row[i&7])
		col += abs32(t.col[i&7])
	}
	v, h := t.rest+col, t.rest+row
	for i := range n {
		v += abs32(t.row[i&7] - int32(n)*l.top[i&7])
		h += abs32(t.col[i&7] - int32(n)*l.left[i&7])
	}
	costs[modeVertical] += v
	costs[modeHorizontal] += h
	costs[modeDC] += t.rest + row + col + abs32(t.row[0]-int32(n*n)*dc)
}

// pick returns the least of costs, scaled, with the price of the mode.
func pick(e *Encoder, costs *[3]int, shift uint, nb neighbourhood, price int) (cost, mode int) {
	cost, mode = costs[modeDC]>>shift, modeDC
	if e.p.Off&ToolIntra != 0 {
		return cost, mode
	}
	if c := costs[modeVertical]>>shift + price; nb.above && c < cost {
		cost, mode = c, modeVertical
	}
	if c := costs[modeHorizontal]>>shift + price; nb.left && c < cost {
		cost, mode = c, modeHorizontal
	}
	return cost, mode
}

// mode16 returns the mode of a 16x16 block.
func (h *hwDecider) mode16(e *Encoder, x, y, price int) (mode int) {
	nb := neighbours(x, y, 16, e.edge)
	h.ref.gather(e.src, e.f.stride, y*e.f.stride+x, 16, nb)
	dc := int32(dcValue(4, &h.ref, nb))
	var costs [3]int
	var l lines
	for i := range h.tiles {
		l.load(&h.ref, 8, i&1*8, i>>1*8, nb)
		h.tiles[i].modeCosts(&costs, &l, 8, dc)
	}
	_, mode = pick(e, &costs, 2, nb, price)
	return mode
}

// cost8 returns cost and mode of the 8x8 block whose transform is t.
func (h *hwDecider) cost8(e *Encoder, x, y int, t *tile, price int) (cost, mode int) {
	nb := neighbours(x, y, 8, e.edge)
	h.ref.gather(e.src, e.f.stride, y*e.f.stride+x, 8, nb)
	h.ref.filter(&h.flt, nb)
	var costs [3]int
	var l lines
	l.load(&h.flt, 8, 0, 0, nb)
	t.modeCosts(&costs, &l, 8, int32(dcValue(3, &h.flt, nb)))
	return pick(e, &costs, 2, nb, price)
}

// cost4 returns cost and mode of a 4x4 block.
func (h *hwDecider) cost4(e *Encoder, x, y, price int) (cost, mode int) {
	nb := neighbours(x, y, 4, e.edge)
	at := y*e.f.stride + x
	h.ref.gather(e.src, e.f.stride, at, 4, nb)
	var v block4
	var zero [4]byte
	subtract4(&v, e.src[at:], e.f.stride, zero[:], 0)
	a, b, c, d := plain4(v[0], v[1], v[2], v[3])
	a, b, c, d = plain4(transpose(a, b, c, d))
	var t tile
	for i, w := range [4]int64{a, b, c, d} {
		t.row[i] = int32(lane(w, 0))
		t.col[i] = int32(lane(a, i))
	}
	t.rest = sumLanes((absLanes(b) + absLanes(c) + absLanes(d)) &^ 0xffff)
	var costs [3]int
	var l lines
	l.load(&h.ref, 4, 0, 0, nb)
	t.modeCosts(&costs, &l, 4, int32(dcValue(2, &h.ref, nb)))
	return pick(e, &costs, 1, nb, price)
}

// plain4 is the Hadamard transform of four values in natural order.
func plain4(p, q, r, s int64) (int64, int64, int64, int64) {
	a, b, c, d := p+r, q+s, p-r, q-s
	return a + b, a - b, c + d, c - d
}
