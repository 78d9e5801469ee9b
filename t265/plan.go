package t265

// What the searches of both tiers hand to the coding of a CTU.

// A ctuPlan holds the decisions for one CTU. Entries of transform blocks are
// indexed by the decoding order of their first 4x4 block, zOrder.
type ctuPlan struct {
	cu   [64]uint8  // log2 size of the coding unit by 8x8 block, raster of 8
	nxn  [64]bool   // by the same index
	tu   [256]uint8 // log2 size of the transform block, by zOrder
	cbf  [256]bool  // by zOrder
	skip [256]bool  // transform skip
	// lev and mask hold a block of n*n samples at 16*z and z.
	lev  [4096]int16
	mask [256]uint16
}

// levels returns the part of the plan for the block at order z.
func (c *ctuPlan) levels(z, log2 int) ([]int16, []uint16) {
	n := 1 << (2 * log2)
	return c.lev[16*z:][:n], c.mask[z:][:n/16]
}

// setUnit enters a coding unit of size 1<<log2 into the plan.
func (c *ctuPlan) setUnit(x, y, log2, ctb int, nxn bool) {
	mask := 1<<ctb - 1
	at := (y&mask)>>3<<3 + (x&mask)>>3
	for range 1 << (log2 - 3) {
		for i := range 1 << (log2 - 3) {
			c.cu[at+i] = uint8(log2)
			c.nxn[at+i] = nxn
		}
		at += 8
	}
}
