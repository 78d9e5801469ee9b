package t265

// Block size and intra mode decision of the hw tier. It is open loop: it sees
// source samples only, so that it can run ahead of the reconstruction. Each
// allowed size of every block of the CTU is tried with planar, DC, vertical
// and horizontal prediction from source neighbours; the cost of a mode is the
// sum of absolute Hadamard coefficients of the residual (4x4 or 8x8 tiles)
// plus a price for the side information of its block.

// hwModes are the four modes, in the order of the lanes below.
var hwModes = [4]uint8{modePlanar, modeDC, modeVertical, modeHorizontal}

// A hwDecider holds the scratch of the decision.
type hwDecider struct {
	ref, flt refs
	pred     [4][1024]uint8 // by lane
	tile     [64]int64
}

// blockPrice is the price of a block by log2 of its size, in 1/16 of the root
// of lambda; modePrice that of a mode other than DC.
var blockPrice = [6]int{2: 7 * 16, 3: 10 * 16, 4: 12 * 16, 5: 14 * 16}

const modePrice = 16

// rootLambda is the root of the Lagrange multiplier by QP, in 1/16: 0.75 times
// the quantiser step, 2^((QP-4)/6), over 2.
var rootLambda = [52]int{}

func init() {
	// 16 * 0.755 * 2^((qp-12)/6), by exact doubling every six steps.
	base := [6]int{1546, 1735, 1948, 2186, 2454, 2755} // 1/512 units of 2^(qp/6) * 0.755 / 4 * 16
	for qp := range rootLambda {
		rootLambda[qp] = base[qp%6] << (qp / 6) >> 9
	}
}

// decide fills the plan and the modes of the CTU at (x, y).
func (h *hwDecider) decide(e *Encoder, x, y int) {
	h.node(e, x, y, e.g.ctb)
}

// node decides the quadtree node (x, y) and returns its cost.
func (h *hwDecider) node(e *Encoder, x, y, log2 int) int {
	f, g := &e.f, &e.g
	n := 1 << log2
	fits := x+n <= f.width && y+n <= f.height
	mask := 1<<g.ctb - 1
	at := (y&mask)>>3<<3 + (x&mask)>>3
	half := n >> 1
	if log2 == 3 {
		whole, mode := 1<<30, uint8(modeDC)
		if g.allow[3] {
			whole, mode = h.leaf(e, x, y, 3)
		}
		parts := 1 << 30
		var modes [4]uint8
		if g.allow[2] {
			parts = 0
			for i := range 4 {
				c, m := h.leaf(e, x+i&1*4, y+i>>1*4, 2)
				parts += c
				modes[i] = m
			}
		}
		e.plan.cu[at] = 3
		e.plan.nxn[at] = parts < whole
		if parts < whole {
			for i, m := range modes {
				f.fillMode(x+i&1*4, y+i>>1*4, 4, m)
			}
			return parts
		}
		f.fillMode(x, y, 8, mode)
		return whole
	}
	parts := 1 << 30
	if log2 > g.minCB {
		parts = 0
		for i := range 4 {
			bx, by := x+i&1*half, y+i>>1*half
			if bx < f.width && by < f.height {
				parts += h.node(e, bx, by, log2-1)
			}
		}
	}
	if !fits || log2 > g.maxTB || !g.allow[log2] {
		return parts
	}
	whole, mode := h.leaf(e, x, y, log2)
	if whole > parts {
		return parts
	}
	for j := 0; j < n>>3; j++ {
		for i := 0; i < n>>3; i++ {
			e.plan.cu[at+8*j+i] = uint8(log2)
			e.plan.nxn[at+8*j+i] = false
		}
	}
	f.fillMode(x, y, n, mode)
	return whole
}

// leaf returns the cost and the mode of a block.
func (h *hwDecider) leaf(e *Encoder, x, y, log2 int) (int, uint8) {
	f := &e.f
	n := 1 << log2
	at := y*f.stride + x
	price := blockPrice[log2] * rootLambda[e.qp] >> 8
	h.ref.gather(e.src, f.stride, at, n, f.neighbours(x, y, n, e.edge))
	if e.p.Off&ToolIntra != 0 {
		dc(h.pred[1][:], n, log2, &h.ref)
		sums := h.satd(e.src[at:], f.stride, log2)
		return sums[1] + price, modeDC
	}
	ref := &h.ref
	if filtered(log2, modePlanar) {
		h.ref.filter(&h.flt, log2, e.p.Off&ToolStrong == 0)
		ref = &h.flt
	}
	planar(h.pred[0][:], n, log2, ref)
	dc(h.pred[1][:], n, log2, &h.ref)
	vertical(h.pred[2][:], n, log2, &h.ref)
	horizontal(h.pred[3][:], n, log2, &h.ref)
	sums := h.satd(e.src[at:], f.stride, log2)
	best, lane := sums[1], 1
	for _, l := range [3]int{0, 2, 3} {
		if c := sums[l] + modePrice*rootLambda[e.qp]>>8; c < best {
			best, lane = c, l
		}
	}
	return best + price, hwModes[lane]
}

// laneBias turns four signed 16-bit lanes, summed with their weights into one
// word, into four unsigned lanes above 1<<15.
const (
	laneBias = 0x8000800080008000
	laneOnes = 0x0001000100010001
	laneEven = 0x0000ffff0000ffff
)

// satd returns the sums of absolute Hadamard coefficients of source minus
// prediction for the four lanes, scaled to the range of a sum of absolute
// differences. A word carries the four lanes at once: residuals are s9, 8x8
// coefficients s15.
func (h *hwDecider) satd(src []byte, stride, log2 int) (sums [4]int) {
	n := 1 << log2
	if log2 == 2 {
		for y := range 4 {
			s := src[y*stride:][:4]
			for x := range 4 {
				h.tile[4*y+x] = h.lanes(s[x], 4*y+x)
			}
		}
		t := (*[16]int64)(h.tile[:])
		for i := range 4 {
			hadamard4(t, 4*i, 1)
		}
		for i := range 4 {
			hadamard4(t, i, 4)
		}
		h.absSum(16, &sums)
		for i := range sums {
			sums[i] = (sums[i] + 1) >> 1
		}
		return sums
	}
	for ty := 0; ty < n; ty += 8 {
		for tx := 0; tx < n; tx += 8 {
			for y := range 8 {
				s := src[(ty+y)*stride+tx:][:8]
				at := (ty+y)*n + tx
				for x := range 8 {
					h.tile[8*y+x] = h.lanes(s[x], at+x)
				}
			}
			for i := range 8 {
				hadamard8(&h.tile, 8*i, 1)
			}
			for i := range 8 {
				hadamard8(&h.tile, i, 8)
			}
			h.absSum(64, &sums)
		}
	}
	for i := range sums {
		sums[i] = (sums[i] + 2) >> 2
	}
	return sums
}

// lanes returns s minus the four predictions at i.
func (h *hwDecider) lanes(s uint8, i int) int64 {
	return int64(s)*laneOnes - int64(uint64(h.pred[0][i&1023])|uint64(h.pred[1][i&1023])<<16|
		uint64(h.pred[2][i&1023])<<32|uint64(h.pred[3][i&1023])<<48)
}

func hadamard4(t *[16]int64, at, step int) {
	a, b, c, d := t[at&15], t[(at+step)&15], t[(at+2*step)&15], t[(at+3*step)&15]
	a, b, c, d = a+c, b+d, a-c, b-d
	t[at&15], t[(at+step)&15], t[(at+2*step)&15], t[(at+3*step)&15] = a+b, a-b, c+d, c-d
}

func hadamard8(t *[64]int64, at, step int) {
	a, b, c, d := t[at&63], t[(at+step)&63], t[(at+2*step)&63], t[(at+3*step)&63]
	i, j, k, l := t[(at+4*step)&63], t[(at+5*step)&63], t[(at+6*step)&63], t[(at+7*step)&63]
	a, i = a+i, a-i
	b, j = b+j, b-j
	c, k = c+k, c-k
	d, l = d+l, d-l
	a, c = a+c, a-c
	b, d = b+d, b-d
	i, k = i+k, i-k
	j, l = j+l, j-l
	t[at&63], t[(at+step)&63] = a+b, a-b
	t[(at+2*step)&63], t[(at+3*step)&63] = c+d, c-d
	t[(at+4*step)&63], t[(at+5*step)&63] = i+j, i-j
	t[(at+6*step)&63], t[(at+7*step)&63] = k+l, k-l
}

// absSum adds the absolute values of the lanes of the first n words of the
// tile to sums.
func (h *hwDecider) absSum(n int, sums *[4]int) {
	var even, odd uint64
	for _, w := range h.tile[:n] {
		t := uint64(w) + laneBias
		neg := (t>>15&laneOnes ^ laneOnes) * 0xffff
		v := (t ^ laneBias) ^ neg
		v += neg & laneOnes
		even += v & laneEven
		odd += v >> 16 & laneEven
	}
	sums[0] += int(uint32(even))
	sums[1] += int(uint32(odd))
	sums[2] += int(even >> 32)
	sums[3] += int(odd >> 32)
}
