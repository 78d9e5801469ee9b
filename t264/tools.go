package t264

import (
	"fmt"

	"vcsim/internal/names"
	"vcsim/internal/raster"
)

// Tools is a set of coding tools.
type Tools uint32

// Coding tools that Params.Off can switch off one by one. Of the block sizes tier
// hw uses the largest that is not off.
const (
	ToolIntra    Tools = 1 << iota // off: DC prediction only
	ToolAngular                    // off: only DC, horizontal and vertical (always so in tier hw)
	ToolRDOQ                       // off: no rate-distortion optimised quantisation (tier rdo)
	ToolDeadZone                   // off: levels are rounded to nearest (tier hw, and rdo without rdoq)
	ToolI4                         // off: no macroblocks of 4x4 blocks
	ToolI8                         // off: no macroblocks of 8x8 blocks
	ToolI16                        // off: no macroblocks of one 16x16 block
	allTools     = 1<<iota - 1
)

var toolNames = names.List{"intra", "angular", "rdoq", "deadzone", "i4", "i8", "i16"}

// ParseTools reads a list of names separated by commas; the empty string is
// the empty set.
func ParseTools(s string) (Tools, error) {
	set, err := toolNames.ParseSet("tool", s)
	if err != nil {
		return 0, fmt.Errorf("t264: %w", err)
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
		return 0, fmt.Errorf("t264: %w", err)
	}
	return Tier(t), nil
}

// Params configures an Encoder. The zero value of every field but the size is
// the default.
type Params struct {
	Width, Height int   // picture size in samples, 1 to 16880, at most 35651584 samples
	Tier          Tier  // HW or RDO
	Lossless      bool  // transform bypass everywhere; the QP has no effect
	Off           Tools // tools not to use
	Slices        int   // slices of a picture, at most one per macroblock row; 0 is 1
}

// A geometry holds the sizes that Params imply.
type geometry struct {
	width, height int // coded size
	level         int // level_idc
}

// Validate reports the first setting, or combination, that cannot be coded.
func (p *Params) Validate() error {
	_, err := p.geometry()
	return err
}

func (p *Params) geometry() (g geometry, err error) {
	fail := func(format string, args ...any) (geometry, error) {
		return geometry{}, fmt.Errorf("t264: "+format, args...)
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
	if blocks := ToolI4 | ToolI8 | ToolI16; p.Off&blocks == blocks {
		return fail("tools off (%v) leave no block size", p.Off)
	}
	g.width, g.height = (p.Width+15)&^15, (p.Height+15)&^15
	if g.level, err = levelFor(g.width, g.height); err != nil {
		return geometry{}, err
	}
	if rows := g.height / 16; p.Slices < 0 || p.Slices > rows {
		return fail("%d slices: want at most one for each of the %d macroblock rows", p.Slices, rows)
	}
	return g, nil
}
