package tensorcodec

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"

	"vcsim/internal/tensor"
)

// Fold says how wide the matrix of a tensor is: a number of columns, [FoldAuto] or [FoldNone].
type Fold int

const (
	// FoldAuto keeps the last dimension as columns unless the picture would be too narrow for a video codec: see [Fold.shape].
	FoldAuto Fold = 0

	// FoldNone keeps the last dimension always, as [tensor.Fold] does.
	FoldNone Fold = -1
)

const (
	narrow  = 64   // a matrix with fewer columns is folded over
	short   = 32   // so is one with fewer rows: at 16, 0.05 bit a value is lost
	maxFold = 1024 // widest matrix that folding makes by itself
	maxTaps = 64   // dimensions from the third on of a convolution kernel are smaller
)

// ParseFold reads "auto", "none" or a number of columns.
func ParseFold(s string) (Fold, error) {
	switch s {
	case "auto":
		return FoldAuto, nil
	case "none":
		return FoldNone, nil
	}
	if n, err := strconv.Atoi(s); err == nil && n >= 1 && n <= maxSide {
		return Fold(n), nil
	}
	return 0, fmt.Errorf("fold %q: want auto, none or a number of columns up to %d", s, maxSide)
}

// shape returns the matrix that a tensor of n >= 1 values becomes, row-major as the tensor is; x are some of its values, in a
// row. With FoldAuto
//
//   - a convolution kernel [out, in, kh, kw] becomes out rows of in*kh*kw columns,
//   - what is still narrower than 64 columns or lower than 32 rows gets as many columns as the power of two nearest to the
//     square root of n, at most 1024; where the values repeat themselves, as those of a matrix do that was flattened, it gets
//     the width of that matrix back (see [tensor.Period]),
//   - everything else keeps its last dimension as columns.
//
// With columns, the values of one column share something (a scale, a mean): the width is then the multiple of the last
// dimension, by a power of two, that is nearest, so that a column of the matrix still holds values of one column of the
// tensor. The last row may be partly padding.
func (f Fold) shape(dims []int, n int, x []float32, columns bool) (rows, cols int) {
	last := n
	if len(dims) > 0 {
		last = dims[len(dims)-1]
	}
	switch {
	case f > 0:
		cols = min(int(f), n)
	case f == FoldNone:
		cols = last
	default:
		cols = last
		if isKernel(dims) {
			cols = n / dims[0]
		}
		switch {
		case cols >= narrow && n/cols >= short:
		case !columns || len(dims) < 2:
			cols = nearSquare(n, 1)
			if p := tensor.Period(x); p >= narrow && n/p >= short {
				cols = p
			} else if p > 0 && p < narrow {
				cols = nearSquare(n, p)
			}
		case last < maxFold:
			cols = nearSquare(n, last)
		default:
			cols = last
		}
	}
	return (n + cols - 1) / cols, cols
}

// isKernel reports whether dims are those of a convolution kernel: output and input channels, then a few taps.
func isKernel(dims []int) bool {
	if len(dims) < 3 {
		return false
	}
	for _, d := range dims[2:] {
		if d >= maxTaps {
			return false
		}
	}
	return true
}

// nearSquare returns unit times the power of two that comes nearest to the square root of n, at most maxFold and n.
func nearSquare(n, unit int) int {
	most := min(n, maxFold) / unit
	if most < 1 {
		return unit
	}
	k := int(math.Round(math.Log2(math.Sqrt(float64(n)) / float64(unit))))
	return unit << max(0, min(k, bits.Len(uint(most))-1))
}

// matrixOf returns the matrix of a stored tensor: fold columns, or the last dimension where the recipe names none.
func matrixOf(shape []int, fold int) (rows, cols int, err error) {
	rows, cols, err = tensor.Fold(shape)
	if err != nil || fold == 0 {
		return rows, cols, err
	}
	n := rows * cols
	if fold > max(n, 1) || fold > maxSide {
		return 0, 0, FormatError(fmt.Sprintf("recipe: fold=%d of %d values", fold, n))
	}
	return (n + fold - 1) / fold, fold, nil
}
