package t265

import (
	"fmt"

	"vcsim/internal/names"
	"vcsim/internal/raster"
)

// Tools is a set of coding tools.
type Tools uint32

// Coding tools that Params.Off can switch off one by one.
const (
	ToolTransform Tools = 1 << iota // off: every block is a 4x4 transform skip block
	ToolIntra                       // off: DC prediction only
	ToolAngular                     // off: only planar, DC, horizontal and vertical (always so in tier hw)
	ToolRDOQ                        // off: no rate-distortion optimised quantisation (tier rdo)
	ToolDeadZone                    // off: levels are rounded to nearest (tier hw, and rdo without rdoq)
	ToolSDH                         // off: no sign data hiding
	ToolTSkip                       // off: no transform skip
	ToolStrong                      // off: no strong intra smoothing
	ToolTU4                         // off: no transform blocks of this size
	ToolTU8
	ToolTU16
	ToolTU32
	allTools = 1<<iota - 1
)

var toolNames = names.List{"transform", "intra", "angular", "rdoq", "deadzone", "sdh", "tskip", "strong", "tu4", "tu8", "tu16", "tu32"}

// ParseTools reads a list of names separated by commas; the empty string is
// the empty set.
func ParseTools(s string) (Tools, error) {
	set, err := toolNames.ParseSet("tool", s)
	if err != nil {
		return 0, fmt.Errorf("t265: %w", err)
	}
	return Tools(set), nil
}

// String lists the names of the set, separated by commas.
func (t Tools) String() string { return toolNames.Set(uint32(t)) }

// A Tier selects how the encoder decides.
type Tier int

const (
	HW  Tier = iota // the rules that the RTL implements; see the package comment
	RDO             // the software search
)

var tierNames = names.List{"hw", "rdo"}

func (t Tier) String() string { return tierNames.Name("Tier", int(t)) }

// ParseTier reads "hw" or "rdo".
func ParseTier(s string) (Tier, error) {
	t, err := tierNames.Parse("tier", s)
	if err != nil {
		return 0, fmt.Errorf("t265: %w", err)
	}
	return Tier(t), nil
}

// Params configures an Encoder. The zero value of every field but the size is
// the default.
type Params struct {
	Width, Height int   // picture size in samples, 1 to 16888, at most 35651584 samples; rounded up to CTUs in tier hw
	Tier          Tier  // HW or RDO
	Lossless      bool  // transquant bypass everywhere; the QP has no effect
	Off           Tools // tools not to use
	CTU           int   // coding tree unit: 16, 32, 64, or 0 to choose; in tier hw also the coding unit
	MaxTU         int   // largest transform: 4, 8, 16, 32, or 0 for 16 (hw) and 32 (rdo)
	Slices        int   // slices of a picture, at most one per CTU row; 0 is 1
	// FineQP enables cu_qp_delta, which AppendFrameFine needs.
	FineQP bool
}

// A geometry holds the sizes that Params imply, as log2.
type geometry struct {
	ctb, minCB, maxTB int
	unit              int     // coding unit of the hw search
	depth             int     // max_transform_hierarchy_depth_intra
	allow             [7]bool // transform sizes
	width, height     int     // coded size
	level             int     // general_level_idc
}

// levels are general_level_idc and MaxLumaPs of Table A.8.
var levelLimits = []struct{ idc, samples int }{
	{30, 36864}, {60, 122880}, {63, 245760}, {90, 552960}, {93, 983040},
	{120, 2228224}, {150, 8912896}, {180, 35651584},
}

// levelFor returns the smallest level for a coded size.
func levelFor(w, h int) (int, error) {
	for _, l := range levelLimits {
		// A.4.1: the size, and each side within sqrt(8 * MaxLumaPs).
		if w*h <= l.samples && w*w <= 8*l.samples && h*h <= 8*l.samples {
			return l.idc, nil
		}
	}
	return 0, UnsupportedError(fmt.Sprintf("picture of %dx%d samples: above level 6.2", w, h))
}

// Validate reports the first setting, or combination, that cannot be coded.
func (p *Params) Validate() error {
	_, err := p.geometry()
	return err
}

func (p *Params) geometry() (g geometry, err error) {
	fail := func(format string, args ...any) (geometry, error) {
		return geometry{}, fmt.Errorf("t265: "+format, args...)
	}
	if err := raster.CheckSize(p.Width, p.Height, maxDimension, maxSamples); err != nil {
		return fail("%w", err)
	}
	if p.Tier != HW && p.Tier != RDO {
		return fail("unknown tier %d", int(p.Tier))
	}
	if p.Off&^allTools != 0 {
		return fail("unknown tools %#x", uint32(p.Off&^allTools))
	}
	maxTU := p.MaxTU
	if maxTU == 0 {
		maxTU = 32
		if p.Tier == HW {
			maxTU = 16
		}
	}
	if maxTU != 4 && maxTU != 8 && maxTU != 16 && maxTU != 32 {
		return fail("largest transform %d: want 4, 8, 16 or 32", p.MaxTU)
	}
	off := func(t Tools) bool { return p.Off&t != 0 }
	if off(ToolTransform) {
		if off(ToolTSkip) {
			return fail("tools transform and tskip are both off: no way to code a residual")
		}
		if off(ToolTU4) {
			return fail("tool transform is off, which needs 4x4 blocks, and so is tu4")
		}
		if p.Lossless {
			return fail("lossless coding has no transform: tool transform cannot be off")
		}
		maxTU = 4
	}
	smallest := 0
	for l := 2; l <= 5; l++ {
		g.allow[l] = 1<<l <= maxTU && !off(ToolTU4<<(l-2))
		if g.allow[l] {
			g.maxTB = l
			if smallest == 0 {
				smallest = l
			}
		}
	}
	if smallest == 0 {
		return fail("tools off (%v) and largest transform %d leave no transform size", p.Off, maxTU)
	}
	switch p.CTU {
	case 0:
		g.ctb = 5
		if p.Tier == RDO {
			g.ctb = 6
		} else if g.maxTB <= 4 {
			g.ctb = 4
		}
	case 16:
		g.ctb = 4
	case 32:
		g.ctb = 5
	case 64:
		g.ctb = 6
	default:
		return fail("CTU %d: want 16, 32, 64 or 0", p.CTU)
	}
	if err := g.setSize(p, smallest); err != nil {
		return geometry{}, err
	}
	if g.ctb == 4 && g.level >= 150 {
		if p.CTU != 0 {
			return fail("CTU 16 needs a level below 5, at most %d samples; the picture has %d", 2228224, g.width*g.height)
		}
		g.ctb = 5
		if err := g.setSize(p, smallest); err != nil {
			return geometry{}, err
		}
	}
	if g.ctb < smallest {
		return fail("CTU %d is smaller than the smallest transform %d", 1<<g.ctb, 1<<smallest)
	}
	if g.maxTB > g.ctb {
		for g.maxTB = g.ctb; !g.allow[g.maxTB]; g.maxTB-- {
		}
	}
	g.unit = max(g.maxTB, g.minCB)
	rows := (g.height + 1<<g.ctb - 1) >> g.ctb
	if p.Slices < 0 || p.Slices > rows {
		return fail("%d slices: want at most one for each of the %d CTU rows", p.Slices, rows)
	}
	return g, nil
}

// setSize sets the smallest coding unit, the coded size, and what follows from it.
// smallest is log2 of the smallest transform.
func (g *geometry) setSize(p *Params, smallest int) (err error) {
	g.minCB, g.depth = max(smallest, 3), 2
	if p.Tier == HW {
		g.minCB, g.depth = g.ctb, g.ctb-2
	}
	align := 1<<g.minCB - 1
	g.width, g.height = (p.Width+align)&^align, (p.Height+align)&^align
	g.level, err = levelFor(g.width, g.height)
	return err
}

// canSplit reports whether the transform tree may split a node: some transform size
// below is allowed and within its depth.
func (g *geometry) canSplit(n node) bool {
	for l := n.log2 - 1; l >= 2 && n.depth+n.log2-l <= g.depth; l-- {
		if g.allow[l] {
			return true
		}
	}
	return false
}

// signalsSplit reports whether split_transform_flag is coded for a node that is
// not the root of a coding unit of four prediction blocks.
func (g *geometry) signalsSplit(n node, limit int) bool {
	return n.log2 <= max(g.maxTB, 3) && n.log2 > 2 && n.depth < limit
}
