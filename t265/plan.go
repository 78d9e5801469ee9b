package t265

import "vcsim/t265/block"

// What the searches of both tiers hand to the coding of a CTU.

// A ctuPlan holds the decisions for one CTU. Entries of transform blocks are
// indexed by the decoding order of their first 4x4 block.
type ctuPlan struct {
	log2CTB int
	cu      [64]uint8  // log2 size of the coding unit by 8x8 block, raster of 8
	nxn     [64]bool   // by the same index
	tu      [256]uint8 // log2 size of the transform block, by order
	cbf     [256]bool  // by order
	skip    [256]bool  // transform skip
	// lev and mask hold a block of n*n samples at 16*z and z.
	lev  [4096]int16
	mask [256]uint16
}

// order returns the index of the transform block at a node.
func (c *ctuPlan) order(n node) int {
	mask := 1<<c.log2CTB - 1
	return int(block.ZOrder[(n.y&mask)>>2<<4|(n.x&mask)>>2])
}

// unit returns the index of the coding unit at a node.
func (c *ctuPlan) unit(n node) int {
	mask := 1<<c.log2CTB - 1
	return (n.y&mask)>>3<<3 + (n.x&mask)>>3
}

// levels returns the part of the plan for the transform block at a node.
func (c *ctuPlan) levels(n node, scanIdx int) block.Levels {
	z := c.order(n)
	return block.LevelsIn(c.lev[16*z:], c.mask[z:], n.log2, scanIdx)
}

// setUnit enters a coding unit into the plan.
func (c *ctuPlan) setUnit(n node, nxn bool) {
	at := c.unit(n)
	for range 1 << (n.log2 - 3) {
		for i := range 1 << (n.log2 - 3) {
			c.cu[at+i] = uint8(n.log2)
			c.nxn[at+i] = nxn
		}
		at += 8
	}
}
