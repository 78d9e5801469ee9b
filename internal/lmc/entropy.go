package lmc

import (
	"math"
	"math/bits"
	"sync"
)

// log2Table holds log2(1 + i/1024), for interpolation.
var log2Table = sync.OnceValue(func() *[1025]float64 {
	var t [1025]float64
	for i := range t {
		t[i] = math.Log2(1 + float64(i)/1024)
	}
	return &t
})

// log2 returns the binary logarithm of n > 0 with an error below 2e-7.
func log2(n uint32, t *[1025]float64) float64 {
	e := bits.Len32(n) - 1
	x := uint64(n) << (52 - e) & (1<<52 - 1) // fraction, 52 bits
	i := x >> 42
	f := float64(x&(1<<42-1)) * 0x1p-42
	return float64(e) + t[i] + (t[i+1]-t[i])*f
}

// entropyBits returns the order-0 entropy of the counted symbols, in bits in all, and the number of different ones.
func (h *histogram) entropyBits() (total float64, distinct int) {
	t := log2Table()
	var n uint32
	var sum float64
	for _, c := range h {
		if c > 0 {
			n += c
			sum += float64(c) * log2(c, t)
			distinct++
		}
	}
	if distinct < 2 {
		return 0, distinct
	}
	return float64(n)*log2(n, t) - sum, distinct
}

// sampleEntropy estimates, from counts of a sample, the entropy of a symbol (with the correction of Miller and Madow).
func (h *histogram) sampleEntropy() (bits float64, distinct int) {
	n := 0
	for _, c := range h {
		n += int(c)
	}
	total, distinct := h.entropyBits()
	return (total + float64(distinct-1)/(2*math.Ln2)) / float64(n), distinct
}

// choiceBits returns the entropy of which k of n items are marked.
func choiceBits(n, k int) float64 {
	if k <= 0 || k >= n {
		return 0
	}
	var h histogram
	h[0], h[1] = uint32(k), uint32(n-k)
	b, _ := h.entropyBits()
	return b
}
