package tensorcodec

import (
	"fmt"

	"vcsim/internal/tensor"
)

// A Matrix is a tensor turned into 8-bit codes and not coded yet, for experiments that code it in several ways. Where folding
// leaves a last row that is not full, experiments are done without that row.
type Matrix struct {
	Name       string
	Rows, Cols int
	Values     []float32 // of the tensor; those of a U8 tensor are counted from 128, as codes are
	Codes      []byte
	Grid       Grid

	p *prepared
	o TensorOptions
}

// NewMatrix prepares one tensor.
func NewMatrix(info tensor.Info, raw []byte, o TensorOptions) (*Matrix, error) {
	if n, err := tensor.NumValues(info.Shape); err != nil || n == 0 || len(info.Shape) == 0 || !info.DType.Codable() {
		return nil, UnsupportedError(fmt.Sprintf("tensor %q: %s %v has no values that a codec takes", info.Name, info.DType, info.Shape))
	}
	x, err := tensor.Decode(nil, info.DType, raw)
	if err != nil {
		return nil, fmt.Errorf("tensor %q: %w", info.Name, err)
	}
	if _, cols := o.Fold.shape(info.Shape, len(x), x, o.columns()); len(x)%cols != 0 {
		info.Shape = []int{len(x) / cols, cols}
		raw = raw[:len(x)/cols*cols*info.DType.Bits()/8]
		o.Fold = FoldNone
	}
	p, err := prepare(info, 0, values{info, Single{info, raw}}, o, true)
	if err != nil {
		return nil, fmt.Errorf("tensor %q: %w", info.Name, err)
	}
	offset(p.x, info.DType)
	return &Matrix{Name: info.Name, Rows: p.rows, Cols: p.cols, Values: p.x, Codes: p.codes, Grid: p.grid, p: p, o: o}, nil
}

// Distortion measures decoded codes against the tensor, in its units. Values are not rounded to the tensor's type.
func (m *Matrix) Distortion(codes []byte) (tensor.Distortion, error) {
	out, _, err := m.p.finish(m.o.common(), codes)
	if err != nil {
		return tensor.Distortion{}, err
	}
	offset(out, m.p.info.DType)
	return tensor.Compare(m.Values, out), nil
}

// offset counts the values of a U8 tensor from 128.
func offset(x []float32, d tensor.DType) {
	if d == tensor.U8 {
		for i := range x {
			x[i] -= 128
		}
	}
}

// Unit is the mean squared size of one code step, in squared units of the tensor.
func (m *Matrix) Unit() float64 { return m.p.goal(0).unit }

// Options returns the options that the matrix was prepared with.
func (m *Matrix) Options() Options { return m.o.Options }

// Encode codes the codes; rates count the stream alone, errors are in the tensor's units.
func (m *Matrix) Encode(o Options) (*Coded, error) {
	c, err := encodePlane(m.Codes, m.Grid, o, nil, m.p.goal(0), m.p.errors())
	if err != nil {
		return nil, fmt.Errorf("tensor %q: %w", m.Name, err)
	}
	return c, nil
}
