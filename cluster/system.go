package cluster

import (
	"fmt"
)

// A GPU is an accelerator's published figures. Fields that a vendor does not
// disclose are nil.
type GPU struct {
	PeakTFLOPS   float64  `yaml:"peak_tflops"`     // dense 16-bit matrix rate, 1e12 FLOP/s
	FP8TFLOPS    *float64 `yaml:"fp8_tflops"`      // the same with 8-bit inputs; nil where not known
	FP4TFLOPS    *float64 `yaml:"fp4_tflops"`      // the same with 4-bit inputs in scaled blocks; nil where there is none
	ExpTera      float64  `yaml:"exp_tera_per_s"`  // exponentials, 1e12 a second; 0 where not known: they then bound nothing
	MemGB        float64  `yaml:"mem_gb"`          // capacity, 1e9 bytes
	MemGBPerS    float64  `yaml:"mem_gb_per_s"`    // memory bandwidth, 1e9 bytes/s
	MemType      string   `yaml:"mem_type"`        // gddr6x, hbm2e, ...
	TDPW         float64  `yaml:"tdp_w"`           // board power, W
	IdleW        float64  `yaml:"idle_w"`          // board power with nothing to do, W; 0 where not known
	Architecture string   `yaml:"architecture"`    // hopper, blackwell, ...: GPUs of one share what their kernels reach
	DieMM2       *float64 `yaml:"die_mm2"`         // die area, mm2
	Process      string   `yaml:"process"`         // foundry node
	NVLinkGBPerS float64  `yaml:"nvlink_gb_per_s"` // GPU-to-GPU link, 1e9 bytes/s per direction; 0 if it has none
	PCIeGBPerS   float64  `yaml:"pcie_gb_per_s"`   // host link, 1e9 bytes/s per direction
	NodeGPUs     int      `yaml:"node_gpus"`       // GPUs that a node joins by the faster of the two; 0 where not known
	NVENC        int      `yaml:"nvenc"`           // video encoders on the die
	NVDEC        *int     `yaml:"nvdec"`           // video decoders on the die
	NVENCMBPerS  *float64 `yaml:"nvenc_mb_per_s"`  // measured 8-bit luma rate of the encoders, 1e6 bytes/s
	NVDECMBPerS  *float64 `yaml:"nvdec_mb_per_s"`  // measured 8-bit luma rate of the decoders, 1e6 bytes/s
}

// leastFigure is the least that a rate, a capacity or a power may be: what is
// smaller by far divides to infinity.
const leastFigure = 1e-9

// mostIdle is the most of a board's power that it may draw with nothing to do:
// arithmetic needs some.
const mostIdle = 0.99

// Validate reports the first figure that is missing or absurd.
func (g *GPU) Validate() error {
	for _, d := range []struct {
		name       string
		value, max float64
	}{
		{"peak_tflops", g.PeakTFLOPS, 1e6}, {"mem_gb", g.MemGB, 1e5},
		{"mem_gb_per_s", g.MemGBPerS, 1e7}, {"tdp_w", g.TDPW, 1e5},
	} {
		if !(d.value >= leastFigure && d.value <= d.max) {
			return fmt.Errorf("gpu: %s is %v, want %v to %v", d.name, d.value, leastFigure, d.max)
		}
	}
	for _, d := range []struct {
		name       string
		value, max float64
	}{{"idle_w", g.IdleW, g.TDPW * mostIdle}, {"exp_tera_per_s", g.ExpTera, 1e6}, {"nvlink_gb_per_s", g.NVLinkGBPerS, 1e6}, {"pcie_gb_per_s", g.PCIeGBPerS, 1e6}} {
		if !(d.value == 0 || d.value >= leastFigure && d.value <= d.max) {
			return fmt.Errorf("gpu: %s is %v, want 0 or %v to %v", d.name, d.value, leastFigure, d.max)
		}
	}
	decoders := 0
	if g.NVDEC != nil {
		decoders = *g.NVDEC
	}
	for _, d := range []struct {
		name  string
		value float64
	}{
		{"nvenc", float64(g.NVENC)}, {"nvdec", float64(decoders)},
		{"die_mm2", orZero(g.DieMM2)}, {"nvenc_mb_per_s", orZero(g.NVENCMBPerS)}, {"nvdec_mb_per_s", orZero(g.NVDECMBPerS)},
	} {
		if !(d.value >= 0 && d.value <= 1e6) {
			return fmt.Errorf("gpu: %s is %v, want 0 to 1e6", d.name, d.value)
		}
	}
	if g.NodeGPUs < 0 || g.NodeGPUs > 1<<10 {
		return fmt.Errorf("gpu: node_gpus is %d, want 0 to %d", g.NodeGPUs, 1<<10)
	}
	for _, d := range []struct {
		name  string
		value *float64
	}{{"fp8_tflops", g.FP8TFLOPS}, {"fp4_tflops", g.FP4TFLOPS}} {
		if d.value != nil && !(*d.value >= leastFigure && *d.value <= 1e6) {
			return fmt.Errorf("gpu: %s is %v, want %v to 1e6", d.name, *d.value, leastFigure)
		}
	}
	return nil
}

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

func (p Precision) width() width {
	if p >= numPrecisions {
		return bits16 // no GPU supports it
	}
	return [numPrecisions]width{bits16, bits8, bits8, bits4}[p]
}

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
