package tensorcodec

import (
	"fmt"
	"io"
	"math"
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

	// hold, if not zero, is the size of a tensor below which it is held in memory; negative: none is.
	hold int

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
	Missed   bool // the target; the note says by how much
}

// BitsPerValue is the stored size over the number of values.
func (r TensorResult) BitsPerValue() float64 { return 8 * float64(r.Bytes) / float64(max(1, r.Values)) }

// entry is a tensor ready to be stored.
type entry struct {
	info   tensor.Info
	recipe recipe
	parts  []part
	main   io.WriterTo // if not nil, the data of the first part
	result TensorResult
}

func (e *entry) seal(c Common) error {
	var err error
	e.recipe.sum, err = checksumOf(c, e.info.Name, e.recipe.String(), e.parts, e.main)
	e.result.Bytes = e.size()
	return err
}

// size is what the tensor adds to the container.
func (e *entry) size() int {
	n := headerSize(e)
	for i := range e.parts {
		n += e.dataSize(i)
	}
	return n
}

// dataSize is the number of bytes of a part.
func (e *entry) dataSize(i int) int {
	if i == 0 && e.main != nil {
		n, err := e.parts[0].info(e.info.Name).NumBytes()
		if err != nil {
			return 0 // reported when the container is written
		}
		return int(n)
	}
	return len(e.parts[i].data)
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

// rawEntry copies a tensor, which is read when it is needed.
func rawEntry(info tensor.Info, at int, data io.WriterTo, note string) *entry {
	n, _ := tensor.NumValues(info.Shape)
	e := &entry{info: info, recipe: recipe{raw: true, at: at}, main: data}
	e.parts = []part{{dtype: info.DType, shape: info.Shape}}
	e.result = TensorResult{Info: info, Values: n, Raw: true, Note: note}
	e.result.Distortion.N, e.result.Distortion.Cosine = n, 1
	return e
}

// prepared is a tensor whose codes are known: how values become codes, and where the values are.
type prepared struct {
	info       tensor.Info
	at         int
	opt        TensorOptions
	n          int // values
	rows, cols int // of the matrix; its last row may end in padding
	grid       Grid
	params     tensor.Params
	mean       []float32
	far        outliers
	fill       []float32 // what stands in the place of each outlier
	padding    []float32 // the end of the last row
	variance   float64
	some       []byte // codes that are guessStep apart

	data values

	// Of a tensor that is held in memory; else nil.
	x     []float32 // rows*cols: the values, then padding
	work  []float32 // after means and rotation; may be x
	codes []uint8
}

// wholeValues is the size of a tensor below which it is held in memory while it is coded: that of a frame.
const wholeValues = 1 << 20

// held reports whether a tensor is held in memory: a small one, and one that no part of can be coded without the rest.
func (o TensorOptions) held(d tensor.DType, n int) bool {
	return n <= o.holdUpTo() || o.Rotate.Rows || o.Rotate.Cols || o.Residual != nil && !d.Integer()
}

func (o TensorOptions) holdUpTo() int {
	if o.hold != 0 {
		return max(0, o.hold)
	}
	return wholeValues
}

// prepare finds out how a tensor of a codable type with at least one dimension and one value becomes codes.
func prepare(info tensor.Info, at int, data values, o TensorOptions, hold bool) (*prepared, error) {
	p := &prepared{info: info, at: at, opt: o, data: data}
	var err error
	if p.n, err = tensor.NumValues(info.Shape); err != nil {
		return nil, err
	}
	if hold {
		if p.x, err = data.read(make([]float32, 0, p.n+maxFold), 0, p.n); err != nil {
			return nil, err
		}
	}
	if err := p.fold(); err != nil {
		return nil, err
	}
	if p.grid, err = o.grid(p.rows, p.cols); err != nil {
		return nil, err
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	if !info.DType.Integer() {
		if err := p.findOutliers(); err != nil {
			return nil, err
		}
	}
	if err := p.pad(); err != nil {
		return nil, err
	}
	if hold {
		p.x = append(p.x, p.padding...)
	}
	if !info.DType.Integer() && o.Means {
		sums := tensor.NewMeans(p.cols)
		if err := p.eachRows(func(y int, rows []float32) { sums.Add(rows) }); err != nil {
			return nil, err
		}
		p.mean = sums.Means()
	}
	if hold {
		p.transform()
	}
	if err := p.quantise(); err != nil {
		return nil, err
	}
	return p, nil
}

// fold decides the shape of the matrix.
func (p *prepared) fold() error {
	x := p.x
	if x == nil && p.opt.Fold == FoldAuto { // a part of the values shows their period
		x = make([]float32, 0, tensor.PeriodSample)
		var err error
		if x, err = p.data.read(x, max(0, p.n-tensor.PeriodSample)/2, min(p.n, tensor.PeriodSample)); err != nil {
			return err
		}
	}
	p.rows, p.cols = p.opt.Fold.shape(p.info.Shape, p.n, x, p.opt.columns())
	return nil
}

// check refuses values that are not finite, and measures the variance.
func (p *prepared) check() error {
	var sum, sum2 float64
	err := p.eachChunk(func(from int, x []float32) error {
		if !p.info.DType.Integer() {
			if err := tensor.CheckFiniteFrom(x, from); err != nil {
				return err
			}
		}
		for _, v := range x {
			sum += float64(v)
			sum2 += float64(float64(v) * float64(v))
		}
		return nil
	})
	mean := sum / float64(p.n)
	p.variance = max(0, sum2/float64(p.n)-float64(mean*mean))
	return err
}

// findOutliers finds the values that are stored exactly and what stands in their place.
func (p *prepared) findOutliers() error {
	if !(p.opt.Outliers > 0) {
		return nil
	}
	var err error
	if p.far, err = farValues(p.n, p.opt.Outliers, p.eachChunk); err != nil || len(p.far.index) == 0 {
		return err
	}
	p.fill, err = p.far.fills(p.n, p.cols, func(i int) (float32, error) {
		if p.x != nil {
			return p.x[i], nil
		}
		v, err := p.data.read(nil, i, 1)
		if err != nil {
			return 0, err
		}
		return v[0], nil
	})
	return err
}

// pad makes the end of the last row: the mean of the values in that row, which costs a codec next to nothing; or the row
// above, where columns have scales or means of their own.
func (p *prepared) pad() error {
	missing := p.rows*p.cols - p.n
	if missing == 0 {
		return nil
	}
	p.padding = make([]float32, missing)
	if p.opt.columns() && !p.info.DType.Integer() {
		var err error
		p.padding, err = p.window(p.padding[:0], p.n-p.cols, missing)
		return err
	}
	from := (p.rows - 1) * p.cols
	last, err := p.window(nil, from, p.n-from)
	if err != nil {
		return err
	}
	sum := 0.0
	for _, v := range last {
		sum += float64(v)
	}
	mean := sum / float64(len(last))
	if p.info.DType.Integer() {
		mean = math.Round(mean)
	}
	for i := range p.padding {
		p.padding[i] = float32(mean)
	}
	return nil
}

// window appends values from..from+count of the tensor to dst, with the outliers replaced.
func (p *prepared) window(dst []float32, from, count int) ([]float32, error) {
	at := len(dst)
	if p.x != nil {
		dst = append(dst, p.x[from:from+count]...)
	} else {
		var err error
		if dst, err = p.data.read(dst, from, count); err != nil {
			return nil, err
		}
	}
	for k, end := p.far.between(from, from+count); k < end; k++ {
		dst[at+int(p.far.index[k])-from] = p.fill[k]
	}
	return dst, nil
}

// rect writes the values of a rectangle of the matrix to dst, w a row, with the outliers replaced and the means removed: what
// the quantiser sees of a tensor that is not held.
func (p *prepared) rect(dst []float32, x, y, w, h int) ([]float32, error) {
	dst = dst[:0]
	step := 1 // rows read at once
	if w == p.cols {
		step = h
	}
	for r := y; r < y+h; r += step {
		from := r*p.cols + x
		count := min(max(0, p.n-from), step*w)
		var err error
		if dst, err = p.window(dst, from, count); err != nil {
			return nil, err
		}
		if missing := step*w - count; missing > 0 {
			at := from + count - p.n
			dst = append(dst, p.padding[at:at+missing]...)
		}
	}
	if p.mean != nil {
		tensor.SubtractMeans(dst, h, w, p.mean[x:x+w])
	}
	return dst, nil
}

// chunkValues is about how many values are looked at at a time.
const chunkValues = 1 << 16

// eachChunk hands all values to f, in order.
func (p *prepared) eachChunk(f func(from int, x []float32) error) error {
	if p.x != nil {
		return f(0, p.x[:p.n])
	}
	var buf []float32
	for from := 0; from < p.n; from += chunkValues {
		var err error
		if buf, err = p.data.read(buf[:0], from, min(chunkValues, p.n-from)); err != nil {
			return err
		}
		if err := f(from, buf); err != nil {
			return err
		}
	}
	return nil
}

// eachRows hands the matrix to f, whole rows at a time, in order, as the quantiser sees it.
func (p *prepared) eachRows(f func(y int, x []float32)) error {
	if p.work != nil {
		f(0, p.work)
		return nil
	}
	var buf []float32
	step := max(1, chunkValues/p.cols)
	for y := 0; y < p.rows; y += step {
		var err error
		if buf, err = p.rect(buf, 0, y, p.cols, min(step, p.rows-y)); err != nil {
			return err
		}
		f(y, buf)
	}
	return nil
}

// transform makes what the quantiser sees of a tensor that is held.
func (p *prepared) transform() {
	o := p.opt
	p.work = p.x
	if p.info.DType.Integer() {
		return
	}
	if len(p.far.index) > 0 || o.Means || o.Rotate.Rows || o.Rotate.Cols {
		p.work = slices.Clone(p.x)
	}
	p.far.remove(p.work[:p.n], p.cols)
	if o.Means {
		tensor.SubtractMeans(p.work, p.rows, p.cols, p.mean)
	}
	o.Rotate.Forward(p.work, p.rows, p.cols)
}

// quantise fits the scales, and makes the codes of a tensor that is held, else those that are guessStep apart.
func (p *prepared) quantise() error {
	integer := p.info.DType.Integer()
	q := p.opt.Quant
	step := guessStep(p.rows * p.cols)
	var some []float32
	if !integer {
		fit := q.NewFitter(p.rows, p.cols)
		next := 0
		err := p.eachRows(func(y int, x []float32) {
			fit.Add(x)
			for ; p.work == nil && next < (y*p.cols)+len(x); next += step {
				some = append(some, x[next-y*p.cols])
			}
		})
		if err != nil {
			return err
		}
		p.params = fit.Params()
	}
	switch {
	case p.work != nil:
		p.codes = make([]uint8, len(p.work))
		p.toCodes(p.codes, p.work, tensor.Window{Cols: p.cols, W: p.cols, H: p.rows, Stride: p.cols})
		for i := 0; i < len(p.codes); i += step {
			p.some = append(p.some, p.codes[i])
		}
	case integer:
		return p.eachRows(func(y int, x []float32) {
			for len(p.some)*step < y*p.cols+len(x) {
				v := x[len(p.some)*step-y*p.cols : len(p.some)*step-y*p.cols+1]
				p.some = append(p.some, 0)
				p.toCodes(p.some[len(p.some)-1:], v, tensor.Window{})
			}
		})
	default:
		p.some = make([]byte, len(some))
		for k := range some {
			i := k * step
			q.QuantizeWindow(p.some[k:k+1], some[k:k+1], tensor.Window{Cols: p.cols, X: i % p.cols, Y: i / p.cols, W: 1, H: 1}, p.params)
		}
	}
	return nil
}

// toCodes makes the codes of a window.
func (p *prepared) toCodes(dst []uint8, x []float32, w tensor.Window) {
	if !p.info.DType.Integer() {
		p.opt.Quant.QuantizeWindow(dst, x, w, p.params)
		return
	}
	zero := float32(0)
	if p.info.DType == tensor.I8 {
		zero = 128
	}
	for i, v := range x {
		dst[i] = uint8(v + zero)
	}
}

// codeBias is what an I8 value is XORed with to make a code: v+128.
func codeBias(d tensor.DType) byte {
	if d == tensor.I8 {
		return 0x80
	}
	return 0
}

// goal counts every stored byte; errors are in the tensor's units, and a rotation keeps their sum.
func (p *prepared) goal(overhead int) goal {
	g := goal{overhead: overhead, values: p.n, unit: 1}
	if !p.info.DType.Integer() {
		g.unit = 0
		for _, d := range p.params.Scale {
			g.unit += float64(d) * float64(d) / float64(len(p.params.Scale))
		}
		g.unit = max(g.unit, 1e-300)
	}
	return g
}

// errors returns the sum of squared errors in a rectangle of the matrix of a tensor that is held.
func (p *prepared) errors() func(recon []byte, x, y, w, h int) float64 {
	if p.info.DType.Integer() {
		return codeErrors(p.codes, p.cols)
	}
	return func(recon []byte, x, y, w, h int) float64 {
		at := y*p.cols + x
		return p.opt.Quant.SquaredError(p.work[at:], recon[at:], tensor.Window{Cols: p.cols, X: x, Y: y, W: w, H: h, Stride: p.cols}, p.params)
	}
}

// subject returns what a frameCoder codes.
func (p *prepared) subject() subject {
	if p.work != nil {
		return &planeSubject{grid: p.grid, plane: p.codes, errs: p.errors()}
	}
	return &streamSubject{p: p}
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
		parts = append(parts, part{suffix: a.suffix, dtype: d, shape: []int{len(a.v)}, data: data})
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
	e.parts = []part{{dtype: tensor.U8, shape: []int{p.rows * p.cols}}}
	if p.info.DType.Integer() {
		return e
	}
	e.parts = append(e.parts, scaleParts(p.params, suffixScale, suffixLow)...)
	if p.mean != nil {
		data, _ := tensor.Encode(nil, tensor.BF16, p.mean) // BF16 is codable
		e.parts = append(e.parts, part{suffix: suffixMean, dtype: tensor.BF16, shape: []int{p.cols}, data: data})
	}
	if len(p.far.index) > 0 {
		e.recipe.outliers = true
		e.parts = append(e.parts, p.far.parts()...)
	}
	return e
}

// encodeTensor codes a prepared tensor; shared is its share of the container's fixed bytes.
func encodeTensor(p *prepared, shared int, limit chan struct{}) (*entry, error) {
	o := p.opt
	e := p.draft()
	coded, note, err := encodeSubject(p.subject(), p.grid, o.Options, limit, p.goal(e.size()+shared), func() float64 { return codeVariance(p.some) })
	if err != nil {
		return nil, err
	}
	e.main, e.parts[0].shape = pieces(coded.parts), []int{length(coded.parts)}
	e.result = TensorResult{Info: p.info, Values: p.n, Variance: p.variance, Bins: coded.bins, QP: coded.qp.Float(), Frames: p.grid.Frames(), Grid: p.grid, Note: note}
	residualNote := ""
	if a, ok := coded.what.(*streamAttempt); ok {
		e.recipe.codes, e.result.Distortion = a.finish()
	} else if residualNote, err = p.complete(e, coded.what.(*planeAttempt).recon, limit); err != nil {
		return nil, err
	}
	if err := e.seal(o.common()); err != nil {
		return nil, err
	}
	if r := &e.result; e.recipe.residual { // the target was that of the first stream
		r.Missed = r.Note != "" || residualNote != ""
		r.Note += residualNote
	} else if !o.Lossless { // what is stored in the end, with the residual and with values of the tensor's type
		got := r.MSE
		if o.Target.Kind == TargetBits {
			got = 8 * float64(r.Bytes+shared) / float64(p.n)
		}
		top := QP(o.Codec.MaxQP() * qpOne)
		r.Missed = o.Target.missed(got, coded.qp, top) != ""
		if r.Missed {
			if o.Target.Kind == TargetBits {
				got = r.BitsPerValue()
			}
			if note = o.Target.missed(got, coded.qp, top); note == "" { // its share of the file's header makes the difference
				note = fmt.Sprintf("%v was missed: %.4f, and its share of the file's header, at QP %g", o.Target, got, coded.qp.Float())
			}
			r.Note = note
		} else {
			r.Note = ""
		}
	}
	return e, nil
}

// complete measures the reconstruction of a tensor that is held, and codes what it lost if the options ask for that.
func (p *prepared) complete(e *entry, recon []byte, limit chan struct{}) (note string, err error) {
	o := p.opt
	common := o.common()
	out, raw, err := p.finish(common, recon)
	if err != nil {
		return "", err
	}
	sums := [][]byte{recon}
	if o.Residual != nil && !p.info.DType.Integer() {
		res := make([]float32, len(p.x))
		for i := range p.n {
			res[i] = p.x[i] - out[i]
		}
		opt := o
		opt.Quant, opt.Options.Target = common.Quant, *o.Residual
		second := &prepared{info: p.info, opt: opt, n: p.n, rows: p.rows, cols: p.cols, grid: p.grid, x: res, work: res}
		if err := second.quantise(); err != nil {
			return "", err
		}
		scales := scaleParts(second.params, suffixResidualScale, suffixResidualLow)
		overhead := 0
		for _, s := range scales {
			overhead += len(s.data)
		}
		c2, err := encodePlane(second.codes, p.grid, opt.Options, limit, second.goal(overhead), second.errors())
		if err != nil {
			return "", fmt.Errorf("residual: %w", err)
		}
		e.recipe.residual = true
		e.parts = append(e.parts, part{suffix: suffixResidual, dtype: tensor.U8, shape: []int{len(c2.Stream)}, data: c2.Stream})
		e.parts = append(e.parts, scales...)
		sums = append(sums, c2.Recon)
		e.result.Bins.add(c2.Bins)
		if out, raw, err = p.addResidual(out, c2.Recon, opt.Quant, second.params); err != nil {
			return "", err
		}
		if c2.Note != "" {
			note = " residual: " + c2.Note
		}
	}
	e.recipe.codes = codesSum(sums...)
	back, err := tensor.Decode(out[:0], p.info.DType, raw)
	if err != nil {
		return "", err
	}
	e.result.Distortion = tensor.Compare(p.x[:p.n], back)
	return note, nil
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
