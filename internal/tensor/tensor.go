// Package tensor reads, writes, quantises, rotates and measures the arrays that a tensor codec works on.
//
// Arrays come from safetensors files (single or sharded with an index), npy files, PGM planes and raw bytes. Inside the
// package a tensor is a row-major slice of float32 and a [Matrix] shape: [..., rows, cols] folds to a matrix of cols
// columns. Everything here is sequential and deterministic: the same input gives the same bytes on every machine.
package tensor

import (
	"fmt"
	"math"
)

// FormatError reports that the input is not a valid file of its kind. It is wrapped with the file and the position.
type FormatError string

func (e FormatError) Error() string { return "invalid " + string(e) }

// UnsupportedError reports that the input is valid but outside what this package handles.
type UnsupportedError string

func (e UnsupportedError) Error() string { return "unsupported " + string(e) }

// Info describes one tensor of a file.
type Info struct {
	Name  string
	DType DType
	Shape []int // outermost first; empty for a scalar
}

// MaxValues bounds the number of elements a shape may announce, so that products of dimensions and byte counts fit int64.
const MaxValues = 1 << 48

// NumValues returns the number of elements of a shape (1 for a scalar), or an error if a dimension is negative or the
// product exceeds [MaxValues].
func NumValues(shape []int) (int, error) {
	n, zero := 1, false
	for i, d := range shape {
		if d < 0 {
			return 0, FormatError(fmt.Sprintf("shape %v: dimension %d is negative", shape, i))
		}
		if d == 0 {
			zero = true
			continue
		}
		if d > MaxValues/n {
			return 0, FormatError(fmt.Sprintf("shape %v: more than %d values", shape, MaxValues))
		}
		n *= d
	}
	if zero {
		return 0, nil
	}
	return n, nil
}

// NumBytes returns the size of the tensor's data in bytes, or an error if the shape is out of range or the data of a
// sub-byte type does not end on a byte.
func (t Info) NumBytes() (int64, error) {
	n, err := NumValues(t.Shape)
	if err != nil {
		return 0, err
	}
	bits := int64(n) * int64(t.DType.Bits())
	if bits%8 != 0 {
		return 0, FormatError(fmt.Sprintf("shape %v: %d values of %s do not end on a byte", t.Shape, n, t.DType))
	}
	return bits / 8, nil
}

// Fold returns the matrix a shape becomes for the codec: cols is the last dimension and rows the product of the others.
// A 1-D tensor is one row. A scalar is 1x1; a tensor without values folds to 0x0.
func Fold(shape []int) (rows, cols int, err error) {
	n, err := NumValues(shape)
	if err != nil || n == 0 {
		return 0, 0, err
	}
	if len(shape) == 0 {
		return 1, 1, nil
	}
	cols = shape[len(shape)-1]
	return n / cols, cols, nil
}

// CheckFinite returns an error that names the first NaN or infinity of x and its index, or nil.
func CheckFinite(x []float32) error { return CheckFiniteFrom(x, 0) }

// CheckFiniteFrom does that for values whose first has the given index.
func CheckFiniteFrom(x []float32, from int) error {
	for i, v := range x {
		if math.Float32bits(v)&0x7f800000 == 0x7f800000 {
			return UnsupportedError(fmt.Sprintf("value %v at index %d: a tensor must be finite", v, from+i))
		}
	}
	return nil
}
