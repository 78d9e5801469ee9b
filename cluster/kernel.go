package cluster

// Kernel is a scheme that the GPU's own kernels run before a message and after it: encoding reads each 16-bit value so many times from
// memory and writes its bits, decoding reads the bits and writes 16. Both run at what element-wise kernels reach of the memory's bandwidth,
// and neither beside the wire; their energy is the GPU's.
func Kernel(name string, bits Bits, reads float64, g *GPU, e *Efficiency) Codec {
	widest := 0.0
	for _, b := range bits {
		widest = max(widest, b)
	}
	bytesPerS := g.MemGBPerS * 1e9 * e.MemoryFraction
	const value = PayloadBits / 8 // bytes
	return Codec{Name: name, Bits: bits, Serial: true, EncodeBPS: BitsPerSecond(PayloadBits * bytesPerS / (value*reads + widest/8)),
		DecodeBPS: BitsPerSecond(PayloadBits * bytesPerS / (value + widest/8))}
}

// Bits of ZeRO++ (arXiv 2306.10209, section 3): 8 for gathered weights (qwZ) and 4 for scattered gradients (qgZ), in blocks whose 32-bit
// scales serve 256 values.
const (
	zeroWeightBits   = 8 + 32.0/256
	zeroGradientBits = 4 + 32.0/256
)

// ZeROPlusPlus is ZeRO++ on the GPU's kernels: quantised weights (qwZ), a copy of them in each node for the backward pass (hpZ), quantised
// gradients that are exchanged once and never summed in quantised form (qgZ).
func ZeROPlusPlus(g *GPU, e *Efficiency) Codec {
	c := Kernel("zeropp", Bits{Param: zeroWeightBits, Grad: zeroGradientBits}, 1, g, e)
	c.NodeCopy = true
	return c
}
