// Package baseline holds the number formats that tensor codecs are compared with: the block formats of today's accelerators (NVFP4,
// MXFP4, MXFP8, FP8 with its scales) and round-to-nearest integers per group, each as exact codes and as the values that come back.
package baseline

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"vcsim/internal/tensor"
)

// scaling says how the scale of a block is stored.
type scaling uint8

const (
	scaleE8M0  scaling = iota // power of two, 8 bits: OCP MX
	scaleE4M3                 // E4M3 under one 32-bit scale of the tensor: NVFP4
	scaleFloat                // 32 bits, the largest magnitude over the element's largest
	scaleRTN                  // bfloat16, rounded up; integer elements
)

// A Format stores the values of a matrix, block by block along its rows; the last block of a row may be shorter. One scale belongs to a
// block.
type Format struct {
	name    string
	element *Float // nil: integers of bits
	bits    int    // of an element
	scaling scaling
	block   int // values that share a scale; 0: a row, -1: the tensor
}

// formats are those with a name of their own. FP8 per block is the 1x128 tile of DeepSeek-V3 (arXiv 2412.19437, section 3.3.2); NVFP4
// is as in NVIDIA's account of it (arXiv 2509.25149, section 2).
var formats = []Format{
	{name: "nvfp4", element: &E2M1, scaling: scaleE4M3, block: 16},
	{name: "mxfp4", element: &E2M1, scaling: scaleE8M0, block: 32},
	{name: "mxfp8", element: &E4M3, scaling: scaleE8M0, block: 32},
	{name: "mxfp8-e5m2", element: &E5M2, scaling: scaleE8M0, block: 32},
	{name: "fp8", element: &E4M3, scaling: scaleFloat, block: -1},
	{name: "fp8-e5m2", element: &E5M2, scaling: scaleFloat, block: -1},
	{name: "fp8-row", element: &E4M3, scaling: scaleFloat},
	{name: "fp8-block", element: &E4M3, scaling: scaleFloat, block: 128},
}

// Names are the names that [Lookup] takes; rtn-4-g128 stands for rtn-K-gN.
func Names() []string {
	var names []string
	for i := range formats {
		names = append(names, formats[i].name)
	}
	return append(names, "rtn-4-g128")
}

// Defaults are the formats that a comparison takes where none are named.
func Defaults() []string { return []string{"nvfp4", "mxfp4", "mxfp8", "fp8", "fp8-block"} }

// An UnknownError is returned for a name that is not among [Names].
type UnknownError string

func (e UnknownError) Error() string {
	return fmt.Sprintf("unknown format %q (%s)", string(e), strings.Join(Names(), ", "))
}

// RTN is round-to-nearest to integers of 1 to 8 bits, symmetric, with a bfloat16 scale for every group values of a row.
func RTN(bits, group int) (Format, error) {
	if bits < 1 || bits > 8 || group < 1 || group > 1<<20 {
		return Format{}, fmt.Errorf("rtn-%d-g%d: want 1 to 8 bits and groups of 1 to %d", bits, group, 1<<20)
	}
	return Format{name: fmt.Sprintf("rtn-%d-g%d", bits, group), bits: bits, scaling: scaleRTN, block: group}, nil
}

// Lookup finds a format by its name.
func Lookup(name string) (Format, error) {
	if i := slices.IndexFunc(formats, func(f Format) bool { return f.name == name }); i >= 0 {
		return formats[i], nil
	}
	if rest, ok := strings.CutPrefix(name, "rtn-"); ok {
		if k, g, ok := strings.Cut(rest, "-g"); ok {
			bits, err1 := strconv.Atoi(k)
			group, err2 := strconv.Atoi(g)
			if err1 == nil && err2 == nil {
				return RTN(bits, group)
			}
		}
	}
	return Format{}, UnknownError(name)
}

// Name is the format's name.
func (f *Format) Name() string { return f.name }

// width is the bits of an element.
func (f *Format) width() int {
	if f.element != nil {
		return f.element.Bits()
	}
	return f.bits
}

// span is the number of values that share a scale in rows of cols values.
func (f *Format) span(rows, cols int) int {
	switch f.block {
	case -1:
		return rows * cols
	case 0:
		return cols
	}
	return f.block
}

// Bits is the bits a value of a matrix of rows x cols, with all scales.
func (f *Format) Bits(rows, cols int) float64 {
	n := float64(rows) * float64(cols)
	if n == 0 {
		return float64(f.width())
	}
	scales := 1.
	if f.block != -1 {
		span := f.span(rows, cols)
		scales = float64(rows) * float64((cols+span-1)/span)
	}
	var bits float64
	switch f.scaling {
	case scaleE8M0:
		bits = 8 * scales
	case scaleE4M3:
		bits = 8*scales + 32
	case scaleFloat:
		bits = 32 * scales
	case scaleRTN:
		bits = 16 * scales
	}
	return float64(f.width()) + bits/n
}

// Nominal is the bits a value of a large matrix with whole blocks: 4.5 of NVFP4, 4.25 of MXFP4.
func (f *Format) Nominal() float64 { return math.Round(1024*f.Bits(1<<12, 1<<20)) / 1024 }

// Passes is how often a kernel reads the values from memory to code them: twice where a scale is the whole tensor's, once where it is that
// of a block, whose values a kernel holds.
func (f *Format) Passes() int {
	if f.scaling == scaleE4M3 || f.block == -1 {
		return 2
	}
	return 1
}

// A Coded is a matrix in a format.
type Coded struct {
	Format     Format
	Rows, Cols int
	Codes      []uint8   // one a value; of RTN in two's complement
	Scales     []uint8   // one a block, E8M0 or E4M3; nil where scales are wider
	Wide       []float32 // one a block, of FP8 and RTN
	Tensor     float32   // scale of the whole tensor, of NVFP4
}

// Encode stores rows x cols finite values. It panics where x has another number of values.
func (f *Format) Encode(x []float32, rows, cols int) *Coded {
	if len(x) != rows*cols {
		panic(fmt.Sprintf("baseline: %d values for a matrix of %d x %d", len(x), rows, cols))
	}
	c := &Coded{Format: *f, Rows: rows, Cols: cols, Codes: make([]uint8, len(x))}
	if f.scaling == scaleE4M3 {
		c.Tensor = float32(peak(x) / (f.element.max * E4M3.max))
	}
	c.blocks(func(lo, hi int) {
		part, codes := x[lo:hi], c.Codes[lo:hi]
		scale := c.addScale(peak(part))
		for i, v := range part {
			switch {
			case f.element == nil:
				codes[i] = uint8(integer(float64(v), scale, f.bits))
			case scale == 0:
				codes[i] = f.element.Encode(0)
			default:
				codes[i] = f.element.Encode(float64(v) / scale)
			}
		}
	})
	return c
}

// blocks calls f with the bounds of each block in turn.
func (c *Coded) blocks(f func(lo, hi int)) {
	if len(c.Codes) == 0 {
		return
	}
	if c.Format.block == -1 {
		f(0, len(c.Codes))
		return
	}
	span := c.Format.span(c.Rows, c.Cols)
	for r := range c.Rows {
		for lo := 0; lo < c.Cols; lo += span {
			f(r*c.Cols+lo, r*c.Cols+min(lo+span, c.Cols))
		}
	}
}

// addScale stores the scale of a block with the given largest magnitude, and returns what decoders multiply with; 0 where
// everything in the block becomes zero.
func (c *Coded) addScale(peak float64) float64 {
	f := &c.Format
	switch f.scaling {
	case scaleE8M0: // MX 1.0, section 6.3: the exponent of the largest magnitude over that of the element's largest
		e := -scaleBias
		if peak > 0 {
			e = math.Ilogb(peak) - f.element.emax()
		}
		c.Scales = append(c.Scales, EncodeE8M0(e))
	case scaleE4M3:
		code := uint8(0)
		if c.Tensor > 0 {
			code = E4M3.Encode(peak / f.element.max / float64(c.Tensor))
		}
		c.Scales = append(c.Scales, code)
	case scaleFloat:
		c.Wide = append(c.Wide, float32(peak/f.element.max))
	case scaleRTN:
		c.Wide = append(c.Wide, tensor.BF16Up(float32(peak/math.Exp2(float64(f.bits-1)))))
	}
	return c.scale(max(len(c.Scales), len(c.Wide)) - 1)
}

// scale is what block i's elements are multiplied with.
func (c *Coded) scale(i int) float64 {
	switch c.Format.scaling {
	case scaleE8M0:
		return DecodeE8M0(c.Scales[i])
	case scaleE4M3:
		return E4M3.Decode(c.Scales[i]) * float64(c.Tensor)
	}
	return float64(c.Wide[i])
}

// Decode returns the values that the codes stand for.
func (c *Coded) Decode() []float32 {
	out := make([]float32, len(c.Codes))
	f, i := &c.Format, 0
	c.blocks(func(lo, hi int) {
		scale := c.scale(i)
		for k := lo; k < hi; k++ {
			if f.element == nil {
				out[k] = float32(scale * float64(int8(c.Codes[k])))
			} else {
				out[k] = float32(scale * f.element.Decode(c.Codes[k]))
			}
		}
		i++
	})
	return out
}

// Round returns what rows x cols values become, and the bits a value that they take.
func (f *Format) Round(x []float32, rows, cols int) ([]float32, float64) {
	return f.Encode(x, rows, cols).Decode(), f.Bits(rows, cols)
}

// integer is the code of v at a step, within the range of two's complement.
func integer(v, step float64, bits int) int8 {
	if step == 0 {
		return 0
	}
	half := math.Exp2(float64(bits - 1))
	return int8(min(max(math.RoundToEven(v/step), -half), half-1))
}

// peak is the largest magnitude.
func peak(x []float32) float64 {
	var m float64
	for _, v := range x {
		m = max(m, math.Abs(float64(v)))
	}
	return m
}
