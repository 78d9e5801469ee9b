package tensorcodec

import (
	"fmt"
	"io"
	"math"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync/atomic"

	"vcsim/internal/tensor"
)

// Source is a set of named tensors: a [tensor.Safetensors] or a [Single].
type Source interface {
	Tensors() []tensor.Info
	Metadata() map[string]string
	Read(name string, buf []byte) ([]byte, error)
}

// A RangeSource is a source that need not read a tensor as a whole. Encoding reads such sources as it goes.
type RangeSource interface {
	Source

	// ReadAt fills p with the data of a tensor from byte off on. It may be called concurrently.
	ReadAt(name string, p []byte, off int64) error
}

// Single is a source of one tensor.
type Single struct {
	Info tensor.Info
	Data []byte
}

// Tensors lists the one tensor.
func (s Single) Tensors() []tensor.Info { return []tensor.Info{s.Info} }

// Metadata is empty.
func (s Single) Metadata() map[string]string { return nil }

// Read returns the data itself.
func (s Single) Read(string, []byte) ([]byte, error) { return s.Data, nil }

// ReadAt copies a part of the data.
func (s Single) ReadAt(_ string, p []byte, off int64) error {
	if off < 0 || off+int64(len(p)) > int64(len(s.Data)) {
		return fmt.Errorf("tensor %q: bytes %d to %d of %d", s.Info.Name, off, off+int64(len(p)), len(s.Data))
	}
	copy(p, s.Data[off:])
	return nil
}

// Selection says which tensors of a source are coded.
type Selection struct {
	Globs []string // in the syntax of path.Match; empty: all
	Keep  bool     // copy the others instead of leaving them out
}

// Matches reports whether a tensor of that name is selected.
func (s Selection) Matches(name string) (bool, error) {
	if len(s.Globs) == 0 {
		return true, nil
	}
	for _, g := range s.Globs {
		ok, err := path.Match(g, name)
		if err != nil {
			return false, fmt.Errorf("tensor pattern %q: %w", g, err)
		}
		if ok || g == name {
			return true, nil
		}
	}
	return false, nil
}

// job is one tensor of an encoding run.
type job struct {
	info  tensor.Info
	coded bool   // otherwise copied
	note  string // why it is copied
}

// plan decides what happens to every tensor of a source.
func plan(src Source, sel Selection, integers bool) ([]job, error) {
	var jobs []job
	matched := false
	for _, info := range src.Tensors() {
		ok, err := sel.Matches(info.Name)
		if err != nil {
			return nil, err
		}
		matched = matched || ok
		n, err := tensor.NumValues(info.Shape)
		if err != nil {
			return nil, fmt.Errorf("tensor %q: %w", info.Name, err)
		}
		j := job{info: info}
		switch {
		case !ok && !sel.Keep:
			continue
		case !ok:
			j.note = "not selected"
		case !info.DType.Codable():
			j.note = "dtype " + info.DType.String() + " is copied"
		case info.DType.Integer() && !integers && !slices.Contains(sel.Globs, info.Name):
			j.note = "integers are copied, as they may be indices or masks; --integers codes them"
		case n == 0:
			j.note = "empty tensor is copied"
		case len(info.Shape) == 0:
			j.note = "scalar is copied"
		default:
			j.coded = true
		}
		jobs = append(jobs, j)
	}
	if !matched {
		return nil, fmt.Errorf("no tensor matches %q", sel.Globs)
	}
	return jobs, nil
}

// Encoded is a finished container.
type Encoded struct {
	Results []TensorResult // in the order of the source
	Bytes   int            // of the whole container
	Values  int            // of all its tensors
	Note    string         // why a budget was missed; empty when it was met

	meta    map[string]string
	entries []*entry
}

// Bins sums the bins of all tensors.
func (e *Encoded) Bins() (b Bins) {
	for _, r := range e.Results {
		b.add(r.Bins)
	}
	return b
}

// Coded counts the values of the tensors that were coded, not copied.
func (e *Encoded) Coded() (n int) {
	for _, r := range e.Results {
		if !r.Raw {
			n += r.Values
		}
	}
	return n
}

// Distortion summarises the tensors, copied ones included as exact, weighted by their values: the mean of MSE, of MSE/variance, of MSE/range^2 and
// of the cosine, and the largest error.
func (e *Encoded) Distortion() tensor.Distortion {
	d := tensor.Distortion{NMSEDB: math.Inf(-1), PSNRDB: math.Inf(1), Cosine: 1}
	var mse, nmse, pmse, cos float64
	for _, r := range e.Results {
		n := float64(r.Values)
		d.N += r.Values
		if r.Raw {
			cos += n
			continue
		}
		mse += n * r.MSE
		nmse += n * math.Pow(10, r.NMSEDB/10)
		pmse += n * math.Pow(10, -r.PSNRDB/10)
		cos += n * r.Cosine
		d.Max = max(d.Max, r.Max)
	}
	if d.N > 0 {
		n := float64(d.N)
		d.MSE, d.Cosine = mse/n, cos/n
		d.NMSEDB, d.PSNRDB = 10*math.Log10(nmse/n), -10*math.Log10(pmse/n)
	}
	return d
}

// Encode codes the selected tensors of a source. A tensor that would not get smaller, for which scales and headers would
// take more than half of a target rate, or that no codec handles (see [tensor.DType.Codable]; scalars; empty tensors),
// is copied and its result says why. So are I8 and U8 tensors, unless the options or the selection by its whole name ask
// for them. A tensor with a NaN or an infinity is refused by name.
//
// With budget > 0 the target of the options is ignored: all coded tensors together get that many bits a value, spread so
// that a bit buys the same reduction of the error relative to the variance everywhere.
func Encode(src Source, sel Selection, o TensorOptions, budget float64) (*Encoded, error) {
	meta := map[string]string{}
	for k, v := range src.Metadata() {
		if k == metaKey || strings.HasPrefix(k, metaPrefix) {
			return nil, UnsupportedError("input: it is a container of coded tensors already")
		}
		meta[k] = v
	}
	jobs, err := plan(src, sel, o.Integers)
	if err != nil {
		return nil, err
	}
	common := o.common()
	line := common.String() + " tensors=" + strconv.Itoa(len(jobs)) + " meta=" + metaSum(meta)
	meta[metaKey] = line
	head, err := tensor.SafetensorsHeader(nil, meta)
	if err != nil {
		return nil, err
	}
	total := 0
	for _, j := range jobs {
		n, _ := tensor.NumValues(j.info.Shape) // checked by plan
		total += n
	}
	out := &Encoded{meta: meta, Bytes: len(head), Values: total}
	run := &run{src: src, jobs: jobs, opt: o, fixed: len(head), total: max(1, total), limit: make(chan struct{}, o.workers())}
	if run.bits = budget; budget <= 0 && !o.Lossless && o.Target.Kind == TargetBits {
		run.bits = o.Target.Value
	}
	targets := make([]Target, len(jobs))
	for i := range targets {
		targets[i] = o.Target
	}
	if budget > 0 {
		if targets, err = run.spread(budget); err != nil {
			return nil, err
		}
	}
	if out.entries, err = run.encode(targets); err != nil {
		return nil, err
	}
	if budget > 0 {
		if out.Note, err = run.settle(budget, targets, out.entries); err != nil {
			return nil, err
		}
	}
	for _, e := range out.entries {
		out.Results = append(out.Results, e.result)
	}
	infos, _ := layout(out.entries)
	head, err = tensor.SafetensorsHeader(infos, out.metadata())
	if err != nil {
		return nil, err
	}
	out.Bytes = len(head)
	for _, e := range out.entries {
		for i := range e.parts {
			out.Bytes += e.dataSize(i)
		}
	}
	return out, nil
}

// run is what the coding of one source shares.
type run struct {
	src   Source
	jobs  []job
	opt   TensorOptions
	fixed int     // bytes of the container that belong to no tensor
	total int     // values
	bits  float64 // a value that a target or a budget allows; 0: no such
	limit chan struct{}
}

// prepare finds out how a tensor becomes codes; for one that is copied it returns the entry instead.
func (r *run) prepare(i int) (*prepared, *entry, error) {
	j := r.jobs[i]
	data := values{j.info, r.src}
	if !j.coded {
		e := rawEntry(j.info, i, data, j.note)
		return nil, e, e.seal(r.opt.common())
	}
	n, _ := tensor.NumValues(j.info.Shape) // checked by plan
	p, err := prepare(j.info, i, data, r.opt, r.opt.held(j.info.DType, n))
	if err != nil {
		return nil, nil, fmt.Errorf("tensor %q: %w", j.info.Name, err)
	}
	if side := p.draft().size() + r.fixed*p.n/r.total + streamHeader; r.bits > 0 && 8*float64(side) > r.bits*float64(p.n)/2 {
		e := rawEntry(j.info, i, data, fmt.Sprintf("copied: %d bytes beside the stream are most of its rate", side))
		return nil, e, e.seal(r.opt.common())
	}
	return p, nil, nil
}

// streamHeader is about what the parameter sets and the slice header of a stream take, bytes.
const streamHeader = 80

// encode codes every tensor toward its target.
func (r *run) encode(targets []Target) ([]*entry, error) {
	entries := make([]*entry, len(r.jobs))
	err := each(len(r.jobs), r.opt.workers(), func(i int) error {
		var err error
		entries[i], err = r.encodeOne(i, targets[i])
		if err == nil && r.opt.Done != nil {
			r.opt.Done(entries[i].result.Values)
		}
		return err
	})
	return entries, err
}

func (r *run) encodeOne(i int, target Target) (*entry, error) {
	p, e, err := r.prepare(i)
	if err != nil || e != nil {
		return e, err
	}
	p.opt.Target = target
	e, err = encodeTensor(p, r.fixed*p.n/r.total, r.limit)
	if err != nil {
		return nil, fmt.Errorf("tensor %q: %w", p.info.Name, err)
	}
	plain := rawEntry(p.info, i, nil, fmt.Sprintf("copied: coding it would take %d bytes", e.result.Bytes))
	if err := plain.seal(r.opt.common()); err != nil {
		return nil, err
	}
	if size, _ := p.info.NumBytes(); plain.result.Bytes+int(size) > e.result.Bytes {
		return e, nil
	}
	plain.main = p.data
	return plain, plain.seal(r.opt.common())
}

// each calls f for 0..n-1 in up to workers goroutines and returns the error of the lowest index that failed.
func each(n, workers int, f func(i int) error) error {
	errs := make([]error, n)
	var next atomic.Int64
	var bad atomic.Bool
	parallel(min(n, workers), func() {
		for !bad.Load() {
			i := int(next.Add(1)) - 1
			if i >= n {
				return
			}
			if errs[i] = f(i); errs[i] != nil {
				bad.Store(true)
			}
		}
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// metadata is the container's: the source's strings and the recipes.
func (e *Encoded) metadata() map[string]string {
	m := map[string]string{}
	for k, v := range e.meta {
		m[k] = v
	}
	for _, t := range e.entries {
		m[metaPrefix+t.info.Name] = t.recipe.String() + " sum=" + t.recipe.sum
	}
	return m
}

// layout orders the arrays by falling element size, so that all are aligned; the streams come last.
func layout(entries []*entry) ([]tensor.Info, []io.WriterTo) {
	type array struct {
		info tensor.Info
		data io.WriterTo
	}
	var arrays []array
	for _, e := range entries {
		for i, p := range e.parts {
			data := io.WriterTo(pieces{p.data})
			if i == 0 && e.main != nil {
				data = e.main
			}
			arrays = append(arrays, array{p.info(e.info.Name), data})
		}
	}
	sort.SliceStable(arrays, func(i, j int) bool { return arrays[i].info.DType.Bits() > arrays[j].info.DType.Bits() })
	infos, data := make([]tensor.Info, len(arrays)), make([]io.WriterTo, len(arrays))
	for i, a := range arrays {
		infos[i], data[i] = a.info, a.data
	}
	return infos, data
}

// Write writes the container.
func (e *Encoded) Write(w io.Writer) error {
	infos, data := layout(e.entries)
	sw, err := tensor.NewSafetensorsWriter(w, infos, e.metadata())
	if err != nil {
		return err
	}
	for i, d := range data {
		if n, err := infos[i].NumBytes(); err != nil {
			return err
		} else if n == 0 {
			if err := sw.Write(nil); err != nil {
				return err
			}
			continue
		}
		if _, err := d.WriteTo(appender{sw}); err != nil {
			return err
		}
	}
	return sw.Close()
}

// An appender writes pieces of a tensor.
type appender struct{ w *tensor.SafetensorsWriter }

func (a appender) Write(b []byte) (int, error) { return len(b), a.w.Append(b) }
