package cabachw

import "vcsim/internal/cabac"

// RTL: rtl/common/vc_cabac_ctx.v rtl/common/vc_cabac_step.v

// A contextUnit is the context memory of a lane. In one cycle it reads a
// context, and at the edge it holds the state after the bin, or a new value.
type contextUnit struct {
	mem []uint8 // pStateIdx<<1 | valMps
}

// read returns the context at addr.
func (u *contextUnit) read(addr uint8) uint8 { return u.mem[addr] }

// code is the edge of a cycle with a context bin.
func (u *contextUnit) code(addr uint8, bin int) { u.mem[addr] = cabac.Next(u.mem[addr], bin) }

// init is the edge of a cycle that sets a context.
func (u *contextUnit) init(addr, value uint8) { u.mem[addr] = value }

// A ContextUnit is the context memory on its own, as its bench drives it: in a
// cycle any number of Read, then Code or Init at the edge, or neither.
type ContextUnit struct{ u contextUnit }

// NewContextUnit returns a memory of contexts that are zero.
func NewContextUnit(contexts int) *ContextUnit {
	return &ContextUnit{contextUnit{mem: make([]uint8, contexts)}}
}

// Read returns the context at addr: pStateIdx<<1 | valMps.
func (c *ContextUnit) Read(addr uint8) uint8 { return c.u.read(addr) }

// Code holds the state after the bin.
func (c *ContextUnit) Code(addr uint8, bin int) { c.u.code(addr, bin) }

// Init sets the context.
func (c *ContextUnit) Init(addr, value uint8) { c.u.init(addr, value) }
