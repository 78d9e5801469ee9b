package cabac

// RTL: rtl/common/vc_cabac_ctx.v rtl/common/vc_cabac_step.v

// A contextUnit is the context memory of a lane. In one cycle it reads a
// context, and at the edge it holds the state after the bin, or a new value.
type contextUnit struct {
	mem []uint8 // pStateIdx<<1 | valMps
}

// read returns the context at addr.
func (u *contextUnit) read(addr uint8) uint8 { return u.mem[addr] }

// code is the edge of a cycle with a context bin.
func (u *contextUnit) code(addr uint8, bin int) { u.mem[addr] = Next(u.mem[addr], bin) }

// init is the edge of a cycle that sets a context.
func (u *contextUnit) init(addr, value uint8) { u.mem[addr] = value }
