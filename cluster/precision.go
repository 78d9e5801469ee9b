package cluster

import "fmt"

// A Precision is the number format of the linear layers' products. Attention,
// the output head and communication stay in 16 bits.
type Precision uint8

const (
	BF16  Precision = iota // FP16 too: the same rate
	FP8                    // one scale a tensor
	MXFP8                  // one scale a block of 32 values (OCP MX 1.0)
	NVFP4                  // 4 bits, one scale a block of 16 values
	numPrecisions
)

var precisionNames = [numPrecisions]string{"bf16", "fp8", "mxfp8", "nvfp4"}

func (p Precision) String() string {
	if p < numPrecisions {
		return precisionNames[p]
	}
	return fmt.Sprintf("Precision(%d)", uint8(p))
}

// UnmarshalText accepts bf16, fp16, fp8, mxfp8 and nvfp4.
func (p *Precision) UnmarshalText(text []byte) error {
	if string(text) == "fp16" {
		*p = BF16
		return nil
	}
	for i, n := range precisionNames {
		if n == string(text) {
			*p = Precision(i)
			return nil
		}
	}
	return fmt.Errorf("precision %q, want bf16, fp16, fp8, mxfp8 or nvfp4", text)
}

// MarshalText is the inverse of UnmarshalText.
func (p Precision) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// width is the class of arithmetic: 16, 8 or 4 bits. MXFP8 multiplies at the
// rate of FP8.
type width uint8

const (
	bits16 width = iota
	bits8
	bits4
	numWidths
)

func (p Precision) width() width { return [numPrecisions]width{bits16, bits8, bits8, bits4}[p] }

// conversion is the bytes of memory traffic that making the low-precision
// copies of one 16-bit input value of a product takes. The value is read and
// written once by rows and once by columns, because forward and backward
// products walk it in different directions.
//
//	FP8:   read 2, write 1 and the transpose 1                                   = 4
//	MXFP8: read 2 by rows and 2 by columns, write 1 + 1/32 each way              = 6.0625
//	NVFP4: read 2 for the tensor's maximum, then 2 by rows and 2 by columns for
//	       the Hadamard transform, write 1/2 + 1/16 each way                      = 7.125
var conversion = [numPrecisions]float64{
	BF16:  0,
	FP8:   2 + 1 + 1,
	MXFP8: 2*2 + 2*(1+1.0/32),
	NVFP4: 3*2 + 2*(0.5+1.0/16),
}

// peak is the matrix rate at a width in FLOP/s, 0 where the GPU has none.
func (g *GPU) peak(w width) float64 {
	v := &g.PeakTFLOPS
	switch w {
	case bits8:
		v = g.FP8TFLOPS
	case bits4:
		v = g.FP4TFLOPS
	}
	if v == nil {
		return 0
	}
	return *v * 1e12
}

// Supports reports whether the GPU multiplies in the precision.
func (g *GPU) Supports(p Precision) bool {
	return p < numPrecisions && g.peak(p.width()) > 0 && (p != MXFP8 || g.FP4TFLOPS != nil)
}
