package cabac

// What an encoder lane takes in a cycle.

// The kinds of an Op.
const (
	OpContext   = iota // one bin with a context
	OpBypass           // Count bins
	OpTerminate        // end_of_slice flags and the like; after a one the codeword ends
	OpInit             // sets a context
)

// An Op is one cycle's work of an encoder lane.
type Op struct {
	Kind  uint8
	Ctx   uint8 // of OpContext and OpInit, below Contexts
	Count uint8 // of OpBypass, 1..Bypass; of OpContext, 1 when a bypass bin follows, else 0
	Bits  uint8 // the bin, and above it the bypass bin after it; Count bins, most significant first; the context byte of OpInit
}

// A PackedOp is an Op in one word for lists that are made and read fast: Kind
// lowest, then Ctx, Count and Bits, 8 bits each.
type PackedOp uint32

// Pack returns the op in one word.
func (o Op) Pack() PackedOp {
	return PackedOp(o.Kind) | PackedOp(o.Ctx)<<8 | PackedOp(o.Count)<<16 | PackedOp(o.Bits)<<24
}

// PackContext returns a packed OpContext.
func PackContext(ctx, count, bits uint8) PackedOp {
	return PackedOp(ctx)<<8 | PackedOp(count)<<16 | PackedOp(bits)<<24
}

// Op returns the op.
func (p PackedOp) Op() Op {
	return Op{Kind: uint8(p), Ctx: uint8(p >> 8), Count: uint8(p >> 16), Bits: uint8(p >> 24)}
}
