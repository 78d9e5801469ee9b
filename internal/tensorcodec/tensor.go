package tensorcodec

import (
	"fmt"
	"slices"

	"vcsim/internal/tensor"
)

// TensorOptions say how tensors become codes and how these are coded.
type TensorOptions struct {
	Options
	Quant       tensor.Quant
	Rotate      tensor.Hadamard
	Fold        Fold    // columns of the matrix that quantiser, rotation and frames work on
	Integers    bool    // code I8 and U8 tensors too, instead of copying them
	Outliers    float64 // store values farther than so many deviations (of the others) from the mean exactly; 0: none
	Means       bool    // subtract the mean of every column first
	FrameWidth  int     // with FrameHeight; 0: TensorGrid
	FrameHeight int

	// Done, if not nil, is called after every finished tensor with its number of values. It may be called concurrently.
	Done func(values int)

	// Residual, if not nil, codes what the first stream lost in a second one toward this target, with the same quantiser
	// and without rotation.
	Residual *Target
}

func (o TensorOptions) common() Common {
	return Common{Codec: o.Codec.Name(), Quant: tensor.Quant{Scheme: o.Quant.Scheme, Asym: o.Quant.Asym}, Rotate: o.Rotate, Means: o.Means}
}

// grid cuts a matrix into the frames asked for. A frame is never larger than the matrix: what it held beyond would be padding.
func (o TensorOptions) grid(rows, cols int) (Grid, error) {
	if o.FrameWidth == 0 && o.FrameHeight == 0 {
		return TensorGrid(cols, rows), nil
	}
	return NewGrid(cols, rows, min(o.FrameWidth, cols), min(o.FrameHeight, rows))
}

// matrix returns the shape of the matrix that a tensor of the values x, at least one, becomes.
func (o TensorOptions) matrix(dims []int, x []float32) (rows, cols int) {
	return o.Fold.shape(dims, x, o.columns())
}

// columns reports whether the values of a column share something.
func (o TensorOptions) columns() bool { return o.Means || o.Quant.Scheme == tensor.PerChannel }

// TensorResult says what became of one tensor.
type TensorResult struct {
	tensor.Info
	tensor.Distortion
	Values   int
	Variance float64
	Bytes    int  // stored for it: data, header and recipe
	Raw      bool // copied, not coded
	Bins     Bins
	QP       float64
	Frames   int
	Grid     Grid
	Note     string
}

// BitsPerValue is the stored size over the number of values.
func (r TensorResult) BitsPerValue() float64 { return 8 * float64(r.Bytes) / float64(max(1, r.Values)) }

// entry is a tensor ready to be stored.
type entry struct {
	info   tensor.Info
	recipe recipe
	parts  []part
	result TensorResult
}

func (e *entry) seal(c Common) {
	e.recipe.sum = checksum(c, e.info.Name, e.recipe.String(), e.parts)
	e.result.Bytes = e.size()
}

// size is what the tensor adds to the container.
func (e *entry) size() int {
	n := headerSize(e)
	for _, p := range e.parts {
		n += len(p.data)
	}
	return n
}

// headerSize is what the tensor adds to the container's header: the entries of its parts and its recipe.
func headerSize(e *entry) int {
	infos := make([]tensor.Info, len(e.parts))
	for i, p := range e.parts {
		infos[i] = p.info(e.info.Name)
	}
	line := e.recipe.String() + " sum=" + e.recipe.sum
	head, err := tensor.SafetensorsHeader(infos, map[string]string{metaPrefix + e.info.Name: line})
	if err != nil {
		return 0 // reported when the container is written
	}
	return len(head) - len(`12345678{"__metadata__":{}}`) + 2 // and two commas
}

// rawEntry copies a tensor.
func rawEntry(info tensor.Info, at int, data []byte, note string) *entry {
	n, _ := tensor.NumValues(info.Shape)
	e := &entry{info: info, recipe: recipe{raw: true, at: at}}
	e.parts = []part{{dtype: info.DType, shape: info.Shape, data: data}}
	e.result = TensorResult{Info: info, Values: n, Raw: true, Note: note}
	e.result.Distortion.N, e.result.Distortion.Cosine = n, 1
	return e
}

// prepared is a tensor turned into codes.
type prepared struct {
	info       tensor.Info
	at         int
	n          int       // values
	rows, cols int       // of the matrix; its last row may end in padding
	x          []float32 // rows*cols: the values, then padding
	work       []float32 // after means and rotation; may be x
	codes      []uint8
	params     tensor.Params
	mean       []float32
	far        outliers
	grid       Grid
}

// prepare turns a tensor of a codable type with at least one dimension and one value into codes.
func prepare(info tensor.Info, at int, raw []byte, o TensorOptions) (*prepared, error) {
	p := &prepared{info: info, at: at}
	var err error
	if p.n, err = tensor.NumValues(info.Shape); err != nil {
		return nil, err
	}
	if p.x, err = tensor.Decode(make([]float32, 0, p.n+maxFold), info.DType, raw); err != nil {
		return nil, err
	}
	p.rows, p.cols = o.matrix(info.Shape, p.x)
	if p.grid, err = o.grid(p.rows, p.cols); err != nil {
		return nil, err
	}
	p.x = slices.Grow(p.x, p.rows*p.cols-p.n)
	p.codes = make([]uint8, p.rows*p.cols)
	if info.DType.Integer() {
		bias := codeBias(info.DType)
		for i, v := range raw {
			p.codes[i] = v ^ bias
		}
		pad(p.codes, p.n, p.cols, false)
		p.x = pad(p.x[:len(p.codes)], p.n, p.cols, false)
		return p, nil
	}
	if err := tensor.CheckFinite(p.x); err != nil {
		return nil, err
	}
	p.far = findOutliers(p.x, o.Outliers)
	p.x = pad(p.x[:len(p.codes)], p.n, p.cols, o.columns())
	p.work = p.x
	if len(p.far.index) > 0 || o.Means || o.Rotate.Rows || o.Rotate.Cols {
		p.work = append([]float32(nil), p.x...)
	}
	p.far.remove(p.work, p.cols)
	if o.Means {
		p.mean = tensor.RemoveMeans(p.work, p.rows, p.cols)
	}
	o.Rotate.Forward(p.work, p.rows, p.cols)
	p.params = o.Quant.Fit(p.work, p.rows, p.cols)
	o.Quant.Quantize(p.codes, p.work, p.rows, p.cols, p.params)
	return p, nil
}

// pad fills the rest of the last row of x, which holds n values: with the mean of the values in that row, which costs a
// codec next to nothing; or with the row above, where columns have scales or means of their own.
func pad[V uint8 | float32](x []V, n, cols int, columns bool) []V {
	if n == len(x) {
		return x
	}
	if columns {
		copy(x[n:], x[n-cols:])
		return x
	}
	last := x[len(x)-cols : n]
	sum := 0.0
	for _, v := range last {
		sum += float64(v)
	}
	mean := V(sum / float64(len(last)))
	for i := n; i < len(x); i++ {
		x[i] = mean
	}
	return x
}

// codeBias is what an I8 value is XORed with to make a code: v+128.
func codeBias(d tensor.DType) byte {
	if d == tensor.I8 {
		return 0x80
	}
	return 0
}

// goal counts every stored byte, and errors in the tensor's units; a rotation keeps their sum.
func (p *prepared) goal(o TensorOptions, overhead int) func(Grid) goal {
	if p.info.DType.Integer() {
		return func(g Grid) goal {
			m := planeGoal(p.codes)(g)
			m.overhead, m.values = overhead, p.n
			return m
		}
	}
	return func(Grid) goal {
		unit := 0.0
		for _, d := range p.params.Scale {
			unit += float64(d) * float64(d) / float64(len(p.params.Scale))
		}
		return goal{overhead: overhead, values: p.n, unit: max(unit, 1e-300), squared: func(recon []byte, x, y, w, h int) float64 {
			return o.Quant.SquaredError(p.work, recon, p.cols, p.params, x, y, w, h)
		}}
	}
}

// scaleParts stores scales: one as F32, several, which are bfloat16 already, as BF16.
func scaleParts(p tensor.Params, scale, low string) []part {
	var parts []part
	for _, a := range []struct {
		suffix string
		v      []float32
	}{{scale, p.Scale}, {low, p.Low}} {
		if a.v == nil {
			continue
		}
		d := tensor.F32
		if len(a.v) > 1 {
			d = tensor.BF16
		}
		data, _ := tensor.Encode(nil, d, a.v) // both types are codable
		parts = append(parts, part{a.suffix, d, []int{len(a.v)}, data})
	}
	return parts
}

// draft returns the entry of a prepared tensor, its stream and checksums still to come.
func (p *prepared) draft() *entry {
	e := &entry{info: p.info}
	e.recipe = recipe{at: p.at, dtype: p.info.DType, shape: p.info.Shape, frameW: p.grid.FrameWidth, frameH: p.grid.FrameHeight,
		codes: "00000000", sum: "0000000000000000"}
	if _, cols, _ := tensor.Fold(p.info.Shape); cols != p.cols { // the shape was checked by prepare
		e.recipe.fold = p.cols
	}
	e.parts = []part{{dtype: tensor.U8, shape: []int{len(p.codes)}}}
	if p.info.DType.Integer() {
		return e
	}
	e.parts = append(e.parts, scaleParts(p.params, suffixScale, suffixLow)...)
	if p.mean != nil {
		data, _ := tensor.Encode(nil, tensor.BF16, p.mean) // BF16 is codable
		e.parts = append(e.parts, part{suffixMean, tensor.BF16, []int{p.cols}, data})
	}
	if len(p.far.index) > 0 {
		e.recipe.outliers = true
		e.parts = append(e.parts, p.far.parts()...)
	}
	return e
}

// encodeTensor codes a prepared tensor; shared is its share of the container's fixed bytes.
func encodeTensor(p *prepared, o TensorOptions, shared int, limit chan struct{}) (*entry, error) {
	e := p.draft()
	coded, err := encodePlane(p.codes, p.grid, o.Options, limit, p.goal(o, e.size()+shared))
	if err != nil {
		return nil, err
	}
	e.parts[0].data, e.parts[0].shape = coded.Stream, []int{len(coded.Stream)}
	common := o.common()
	out, raw, err := p.finish(common, coded.Recon)
	if err != nil {
		return nil, err
	}
	sums := [][]byte{coded.Recon}
	bins, note := coded.Bins, coded.Note
	if o.Residual != nil && !p.info.DType.Integer() {
		res := make([]float32, len(p.x))
		for i := range p.n {
			res[i] = p.x[i] - out[i]
		}
		q := common.Quant
		params := q.Fit(res, p.rows, p.cols)
		codes := make([]uint8, len(res))
		q.Quantize(codes, res, p.rows, p.cols, params)
		second := &prepared{info: p.info, n: p.n, rows: p.rows, cols: p.cols, work: res, codes: codes, params: params}
		scales := scaleParts(params, suffixResidualScale, suffixResidualLow)
		opt := o.Options
		opt.Target = *o.Residual
		overhead := 0
		for _, s := range scales {
			overhead += len(s.data)
		}
		c2, err := encodePlane(codes, p.grid, opt, limit, second.goal(o, overhead))
		if err != nil {
			return nil, fmt.Errorf("residual: %w", err)
		}
		e.recipe.residual = true
		e.parts = append(e.parts, part{suffixResidual, tensor.U8, []int{len(c2.Stream)}, c2.Stream})
		e.parts = append(e.parts, scales...)
		sums = append(sums, c2.Recon)
		bins.add(c2.Bins)
		if out, raw, err = p.addResidual(out, c2.Recon, q, params); err != nil {
			return nil, err
		}
		if c2.Note != "" {
			note += " residual: " + c2.Note
		}
	}
	e.recipe.codes = codesSum(sums...)
	back, err := tensor.Decode(out[:0], p.info.DType, raw)
	if err != nil {
		return nil, err
	}
	x := p.x[:p.n]
	e.result = TensorResult{Info: p.info, Distortion: tensor.Compare(x, back), Values: p.n, Variance: tensor.Variance(x),
		Bins: bins, QP: coded.QP, Frames: p.grid.Frames(), Grid: p.grid, Note: note}
	e.seal(common)
	return e, nil
}

// finish turns decoded codes into values, padding and all (before they are rounded to the stored type), and into stored bytes.
func (p *prepared) finish(c Common, codes []byte) ([]float32, []byte, error) {
	if p.info.DType.Integer() {
		bias := codeBias(p.info.DType)
		raw := make([]byte, p.n)
		for i, v := range codes[:p.n] {
			raw[i] = v ^ bias
		}
		out, err := tensor.Decode(nil, p.info.DType, raw)
		return out, raw, err
	}
	out := make([]float32, len(codes))
	c.Quant.Dequantize(out, codes, p.rows, p.cols, p.params)
	c.Rotate.Inverse(out, p.rows, p.cols)
	if c.Means {
		tensor.AddMeans(out, p.rows, p.cols, p.mean)
	}
	p.far.restore(out)
	raw, err := tensor.Encode(nil, p.info.DType, out[:p.n])
	return out, raw, err
}

// addResidual adds a dequantised second layer to the values of the first.
func (p *prepared) addResidual(out []float32, codes []byte, q tensor.Quant, params tensor.Params) ([]float32, []byte, error) {
	res := make([]float32, len(out))
	q.Dequantize(res, codes, p.rows, p.cols, params)
	for i := range out {
		out[i] += res[i]
	}
	raw, err := tensor.Encode(nil, p.info.DType, out[:p.n])
	return out, raw, err
}

// decodeTensor undoes encodeTensor; parts holds the stored arrays by suffix.
func decodeTensor(codec Codec, c Common, info tensor.Info, r recipe, parts map[string]part, workers int) ([]byte, error) {
	p := &prepared{info: info}
	var err error
	if p.n, err = tensor.NumValues(r.shape); err != nil {
		return nil, err
	}
	if p.rows, p.cols, err = matrixOf(r.shape, r.fold); err != nil {
		return nil, err
	}
	if p.grid, err = NewGrid(p.cols, p.rows, r.frameW, r.frameH); err != nil {
		return nil, FormatError("recipe: " + err.Error())
	}
	scales := func(scale, low string) (tensor.Params, error) {
		var q tensor.Params
		n := c.Quant.Scheme.Scales(p.rows, p.cols)
		if q.Scale, err = vector(parts, scale, n); err == nil && c.Quant.Asym {
			q.Low, err = vector(parts, low, n)
		}
		return q, err
	}
	var second tensor.Params
	if !info.DType.Integer() {
		if p.params, err = scales(suffixScale, suffixLow); err != nil {
			return nil, err
		}
		if c.Means {
			if p.mean, err = vector(parts, suffixMean, p.cols); err != nil {
				return nil, err
			}
		}
		if r.outliers {
			if p.far, err = readOutliers(parts, p.n); err != nil {
				return nil, err
			}
		}
		if r.residual {
			if second, err = scales(suffixResidualScale, suffixResidualLow); err != nil {
				return nil, err
			}
		}
	}
	plane, err := DecodePlane(codec, parts[""].data, p.grid, workers)
	if err != nil {
		return nil, err
	}
	sums := [][]byte{plane}
	if r.residual {
		plane2, err := DecodePlane(codec, parts[suffixResidual].data, p.grid, workers)
		if err != nil {
			return nil, fmt.Errorf("residual: %w", err)
		}
		sums = append(sums, plane2)
	}
	if got := codesSum(sums...); got != r.codes {
		return nil, FormatError(fmt.Sprintf("stream: decoded codes have checksum %s, the encoder's had %s", got, r.codes))
	}
	out, raw, err := p.finish(c, plane)
	if err == nil && r.residual {
		_, raw, err = p.addResidual(out, sums[1], c.Quant, second)
	}
	return raw, err
}

// vector reads n scales.
func vector(parts map[string]part, suffix string, n int) ([]float32, error) {
	p, ok := parts[suffix]
	if !ok {
		return nil, FormatError(fmt.Sprintf("container: no %q array", suffix))
	}
	if len(p.shape) != 1 || p.shape[0] != n || p.dtype != tensor.F32 && p.dtype != tensor.BF16 {
		return nil, FormatError(fmt.Sprintf("container: %q is %s %v, want %d scales", suffix, p.dtype, p.shape, n))
	}
	v, err := tensor.Decode(nil, p.dtype, p.data)
	if err != nil {
		return nil, err
	}
	return v, tensor.CheckFinite(v)
}
