package t265

// hwModes are the four modes, in the order of the lanes below.
var hwModes = [4]uint8{modeDC, modePlanar, modeVertical, modeHorizontal}

// A hwDecider holds the scratch of the decision.
type hwDecider struct {
	ref, flt refs
	pred     [4][1024]uint8 // by lane
	tables   [2]*costTable
	tableQP  [2]int
}

// modePrice is the price of a mode other than DC in 1/256 squared steps.
const modePrice = 400

// decide returns the lane of the best mode for the block (x, y) of size
// 1<<log2; h.pred holds the predictions of all four.
func (h *hwDecider) decide(e *Encoder, x, y, log2 int) int {
	f := &e.f
	n := 1 << log2
	at := y*f.stride + x
	h.ref.gather(f.pix, f.stride, at, n, f.grid.neighbours(x, y, n, e.edge))
	dc(h.pred[0][:], n, log2, &h.ref)
	if e.p.Off&ToolIntra != 0 {
		return 0
	}
	ref := &h.ref
	if filtered(log2, modePlanar) {
		h.ref.filter(&h.flt, log2, e.p.Off&ToolStrong == 0)
		ref = &h.flt
	}
	planar(h.pred[1][:], n, log2, ref)
	vertical(h.pred[2][:], n, log2, &h.ref)
	horizontal(h.pred[3][:], n, log2, &h.ref)
	sums := h.table(e.qp).hadamard(&h.pred, e.src[at:], f.stride, log2)
	best := 0
	for l := 1; l < 4; l++ {
		// DC, the commonest mode, needs no price.
		c := sums[l] + modePrice
		if best == 0 && c < sums[0] || best > 0 && c < sums[best]+modePrice {
			best = l
		}
	}
	return best
}

// table returns the cost table of a QP; fine QPs alternate between two.
func (h *hwDecider) table(qp int) *costTable {
	i := qp & 1
	if h.tables[i] == nil {
		h.tables[i] = new(costTable)
		h.tableQP[i] = -1
	}
	if h.tableQP[i] != qp {
		h.tables[i].load(qp)
		h.tableQP[i] = qp
	}
	return h.tables[i]
}
