package main

import (
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vcsim/internal/atomicfile"
	"vcsim/internal/report"
	"vcsim/internal/tensor"
	"vcsim/internal/tensorcodec"
)

// codecFlags are the flags that say how codes are made and coded; encode and compare share them.
type codecFlags struct {
	codec, tier, off     string
	ctu, workers         int
	quant, rotate, frame string
	fold                 string
	asym, means          bool
	clip, outliers       float64
	seed                 uint64
	size                 string
	tensors              []string
}

func (f *codecFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.codec, "codec", "t265", "t265 or t264")
	flags.StringVar(&f.off, "off", "", "leave out these `TOOL,...` of the codec")
	flags.IntVar(&f.ctu, "ctu", 0, "size of a coding tree unit, 16, 32 or 64 (default: the tier's)")
	flags.IntVar(&f.workers, "workers", 0, "frames coded at the same time (default: one per core)")
	flags.StringVar(&f.quant, "quant", "tensor", "values that share a scale: tensor, channel (a column), row or groupN (of a row)")
	flags.BoolVar(&f.asym, "asym", false, "quantise between minimum and maximum, not symmetrically")
	flags.Float64Var(&f.clip, "clip", 0, "limit the range of a scale to this many standard deviations (0: no limit)")
	flags.Float64Var(&f.outliers, "outliers", 0, "store values beyond this many standard deviations (of the others) exactly (0: none)")
	flags.BoolVar(&f.means, "center", false, "subtract the mean of every column first")
	flags.StringVar(&f.rotate, "rotate", "none", "randomised Hadamard rotation: rows (mixes the columns), cols or both")
	flags.Lookup("rotate").NoOptDefVal = "both"
	flags.Uint64Var(&f.seed, "seed", 1, "of the rotation's signs")
	flags.StringVar(&f.fold, "fold", "auto", "columns of the matrix that a tensor becomes: a number; none, its last dimension; auto, that too unless it is too narrow for a picture")
	flags.StringVar(&f.frame, "frame", "", "cut into frames of `WxH`, or of the matrix where that is smaller (default: tensors at most 1024x1024, planes whole)")
	flags.StringVar(&f.size, "size", "", "`WxH` of a .raw plane")
	flags.StringArrayVar(&f.tensors, "tensor", nil, "only tensors whose name matches `GLOB`; may be repeated")
}

// options turns the flags into options without tier and target.
func (f *codecFlags) options() (o tensorcodec.TensorOptions, err error) {
	if o.Codec, err = tensorcodec.Lookup(f.codec); err != nil {
		return o, err
	}
	o.Off, o.CTU, o.Workers, o.Tier = f.off, f.ctu, f.workers, f.tier
	if o.Quant.Scheme, err = tensor.ParseScheme(f.quant); err != nil {
		return o, err
	}
	if f.clip < 0 || math.IsNaN(f.clip) {
		return o, fmt.Errorf("--clip %g: want a positive number of standard deviations", f.clip)
	}
	if f.outliers < 0 || math.IsNaN(f.outliers) {
		return o, fmt.Errorf("--outliers %g: want a positive number of standard deviations", f.outliers)
	}
	o.Outliers = f.outliers
	if f.workers < 0 {
		return o, fmt.Errorf("--workers %d: want a positive number", f.workers)
	}
	o.Quant.Asym, o.Quant.Clip, o.Means = f.asym, f.clip, f.means
	if o.Rotate, err = tensorcodec.ParseRotation(f.rotate, f.seed); err != nil {
		return o, err
	}
	if o.Fold, err = tensorcodec.ParseFold(f.fold); err != nil {
		return o, fmt.Errorf("--%w", err)
	}
	o.FrameWidth, o.FrameHeight, err = parseSize("frame", f.frame)
	return o, err
}

type encodeFlags struct {
	codecFlags
	out            string
	qp, bits       float64
	mse, budget    float64
	lossless, keep bool
	integers       bool
	residual       string
}

func newEncodeCommand(a *app) *cobra.Command {
	var f encodeFlags
	c := &cobra.Command{
		Use:   "encode IN -o OUT",
		Short: "Compress tensors or planes with a video codec",
		Long: `encode compresses a plane of 8-bit codes (.pgm, or .raw with --size) or tensors (.safetensors, .npy, a shard index or
directory). The ending of OUT decides what is written: .265 and .264 hold the bitstream of one plane; .safetensors holds
the streams of all tensors with their scales, recipe and checksums, and any safetensors reader opens it.

Tensors are quantised to 8-bit codes first; what the codec loses comes on top. Without --qp, --bits, --mse, --budget or
--lossless the target is 3 bits a value. --bits and --budget count every stored byte, --lossless is about the codes.
Tensors of types that no codec handles, scalars and empty tensors are copied; so are tensors that would not get smaller,
and integers and masks, unless --integers or --tensor with the whole name asks for them.

A tensor is coded as a matrix. Its columns are the last dimension, but convolution kernels [out, in, kh, kw] become out
rows, and what is flat, narrower than 64 columns or lower than 32 rows is folded to a width of a power of two near the
square root, at most 1024. --quant, --rotate and --center work on that matrix; with --quant channel or --center a narrow
tensor keeps its columns apart. --fold overrides, and the recipe records the width.

The figures printed are of all values, also of tensors that are copied: bits a value is the size of OUT over their number;
mse is in code units for a plane, in the
tensor's units otherwise; over several tensors mse, nmse (relative to the variance) and psnr (relative to the range) are
means weighted by values.`,
		Example: "  vcsim encode plane.pgm -o plane.265 --qp 27\n" +
			"  vcsim encode model.safetensors -o small.safetensors --bits 3 --quant group128 --tensor '*proj*' --keep",
		Args: wantArgs(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return interruptible(cmd.Context(), func() error { return a.encode(args[0], &f, cmd.Flags()) })
		},
	}
	flags := c.Flags()
	f.register(flags)
	flags.StringVarP(&f.out, "output", "o", "", "file to write: .265, .264 or .safetensors")
	markOutputs(flags, "output")
	flags.StringVar(&f.tier, "tier", "hw", "hw (what the hardware does) or rdo (software search)")
	flags.Float64Var(&f.qp, "qp", 0, "fixed quantiser parameter, 0 to 51; fractions mix two")
	flags.Float64Var(&f.bits, "bits", 3, "target bits a value of every tensor")
	flags.Float64Var(&f.mse, "mse", 0, "target mean squared error of every tensor")
	flags.Float64Var(&f.budget, "budget", 0, "target bits a value of all tensors together, spread by rate-distortion slope")
	flags.BoolVar(&f.lossless, "lossless", false, "keep every 8-bit code")
	exclusive(c, "qp", "bits", "mse", "budget", "lossless")
	flags.StringVar(&f.residual, "residual", "", "code what was lost in a second stream: `qpN` or N bits a value")
	flags.BoolVar(&f.integers, "integers", false, "code I8 and U8 tensors too, as the 8-bit codes they are")
	flags.BoolVar(&f.keep, "keep", false, "copy the tensors that --tensor does not select, instead of leaving them out")
	return c
}

// target reads the one target that was given.
func (f *encodeFlags) target(flags *pflag.FlagSet) (tensorcodec.Target, error) {
	switch {
	case flags.Changed("qp"):
		return tensorcodec.Target{Kind: tensorcodec.TargetQP, Value: f.qp}, nil
	case flags.Changed("mse"):
		return tensorcodec.Target{Kind: tensorcodec.TargetMSE, Value: f.mse}, nil
	case flags.Changed("budget"):
		if !(f.budget > 0) {
			return tensorcodec.Target{}, fmt.Errorf("--budget %g: want a positive number of bits a value", f.budget)
		}
		return tensorcodec.Target{}, nil
	case f.lossless:
		return tensorcodec.Target{}, nil
	}
	return tensorcodec.Target{Kind: tensorcodec.TargetBits, Value: f.bits}, nil
}

func parseResidual(s string) (*tensorcodec.Target, error) {
	if s == "" {
		return nil, nil
	}
	t := &tensorcodec.Target{Kind: tensorcodec.TargetBits}
	number, ok := strings.CutPrefix(s, "qp")
	if ok {
		t.Kind = tensorcodec.TargetQP
	}
	var err error
	if t.Value, err = strconv.ParseFloat(number, 64); err != nil {
		return nil, fmt.Errorf("--residual %q: want qpN or a number of bits", s)
	}
	return t, nil
}

func (a *app) encode(path string, f *encodeFlags, flags *pflag.FlagSet) error {
	if f.out == "" {
		return errNoOutput
	}
	ext := filepath.Ext(f.out)
	if ext != ".265" && ext != ".264" && ext != ".safetensors" {
		return fmt.Errorf("-o %s: encode writes .265, .264 or .safetensors", f.out)
	}
	if ext != ".safetensors" && !flags.Changed("codec") {
		f.codec = "t" + ext[1:]
	}
	o, err := f.options()
	if err != nil {
		return err
	}
	if held := o.Rotate.Rows || o.Rotate.Cols || f.residual != ""; held && ext == ".safetensors" {
		fewerCollections() // large tensors are in memory: to collect often would gain nothing
	} else {
		boundedHeap()
	}
	if a.csv && ext != ".safetensors" {
		return report.ErrNoTable
	}
	if ext != ".safetensors" && "t"+ext[1:] != f.codec {
		return fmt.Errorf("-o %s: codec %s writes .%s or .safetensors", f.out, f.codec, f.codec[1:])
	}
	if o.Target, err = f.target(flags); err != nil {
		return err
	}
	o.Lossless, o.Integers = f.lossless, f.integers
	if o.Residual, err = parseResidual(f.residual); err != nil {
		return err
	}
	in, err := openInput(path, f.size)
	if err != nil {
		return err
	}
	defer in.close()
	if ext == ".safetensors" {
		return a.encodeTensors(in, f, o)
	}
	if in.plane == nil {
		return fmt.Errorf("-o %s: a bare stream has no place for scales: write a .safetensors file", f.out)
	}
	for _, name := range []string{"budget", "residual", "tensor", "quant", "rotate", "asym", "clip", "outliers", "center", "keep", "fold", "integers"} {
		if flags.Changed(name) {
			return fmt.Errorf("--%s is for tensors; %s is a plane of codes", name, path)
		}
	}
	return a.encodePlane(in, f, o)
}

// largeSide is the width or height beyond which a plane may be too large for one picture.
const largeSide = 4096

// encodePlane writes the bare stream of a plane.
func (a *app) encodePlane(in *input, f *encodeFlags, o tensorcodec.TensorOptions) error {
	grid, err := tensorcodec.NewGrid(in.width, in.height, min(o.FrameWidth, in.width), min(o.FrameHeight, in.height))
	if err != nil {
		return err
	}
	bar := a.progress("encoding", len(in.plane))
	if bar != nil {
		o.Progress = func(n int) { bar.Add(int64(n)) }
	}
	start := time.Now()
	coded, err := tensorcodec.EncodePlane(in.plane, grid, o.Options)
	seconds := time.Since(start).Seconds()
	bar.Stop()
	if err != nil {
		hint := ""
		if f.frame == "" && max(in.width, in.height) > largeSide {
			hint = "; --frame WxH cuts a large plane"
		}
		return fmt.Errorf("%s: %w%s", in.path, err, hint)
	}
	if err := writeAll(f.out, coded.Stream); err != nil {
		return err
	}
	s := summary{
		codec: o.Codec.Name(), tier: f.tier, bytes: len(coded.Stream), values: len(in.plane), coded: len(in.plane), frames: grid.Frames(),
		distortion: tensor.CompareCodes(in.plane, coded.Recon), bins: coded.Bins, seconds: seconds, note: coded.Note,
	}
	if !f.lossless {
		s.qp = coded.QP
		a.resolve("qp", s.qp)
	}
	a.resolveOptions(&o, f)
	a.resolve("frame", fmt.Sprintf("%dx%d", grid.FrameWidth, grid.FrameHeight))
	if coded.Note != "" {
		a.miss(coded.Note)
	}
	return a.print(s.result(nil))
}

// encodeTensors writes a container.
func (a *app) encodeTensors(in *input, f *encodeFlags, o tensorcodec.TensorOptions) error {
	src, sel := in.asSource(), tensorcodec.Selection{Globs: f.tensors, Keep: f.keep}
	in.planeOptions(&o, &f.codecFlags)
	total := 0
	for _, t := range src.Tensors() {
		n, err := tensor.NumValues(t.Shape)
		if err != nil {
			return fmt.Errorf("%s: tensor %q: %w", in.path, t.Name, err)
		}
		total += n
	}
	bar := a.progress("encoding", total)
	switch {
	case bar == nil:
	case len(src.Tensors()) == 1: // one by one would be nothing and then all
		o.Progress = func(n int) { bar.Add(int64(n)) }
	default:
		o.Done = func(n int) { bar.Add(int64(n)) }
	}
	start := time.Now()
	e, err := tensorcodec.Encode(src, sel, o, f.budget)
	seconds := time.Since(start).Seconds()
	bar.Stop()
	if err != nil {
		return fmt.Errorf("%s: %w", in.path, err)
	}
	if err := atomicfile.Write(f.out, e.Write); err != nil {
		return err
	}
	s := summary{
		codec: o.Codec.Name(), tier: f.tier, bytes: e.Bytes, values: e.Values, coded: e.Coded(),
		distortion: e.Distortion(), bins: e.Bins(), seconds: seconds,
	}
	missed := 0
	for _, r := range e.Results {
		s.frames += r.Frames
		if r.Missed {
			missed++
			s.note = r.Note
			a.miss(r.Name + ": " + r.Note)
		}
	}
	if missed > 1 {
		s.note = fmt.Sprintf("%d tensors missed their target, see their notes", missed)
	}
	if e.Note != "" {
		s.note = e.Note
		a.miss(e.Note)
	}
	if len(e.Results) == 1 && !e.Results[0].Raw && !f.lossless {
		s.qp = e.Results[0].QP
	}
	if !f.lossless {
		a.resolve("qp", qpList(e.Results))
	}
	a.resolveOptions(&o, f)
	return a.print(s.result(e.Results))
}

// resolveOptions notes what flags stand for that were not given.
func (a *app) resolveOptions(o *tensorcodec.TensorOptions, f *encodeFlags) {
	if f.workers == 0 {
		a.resolve("workers", runtime.GOMAXPROCS(0))
	}
	if f.lossless || o.Target.Kind != tensorcodec.TargetBits || f.budget > 0 {
		a.resolve("bits", "") // the default is no target then
	}
}

// qpList is the quantiser parameter of every tensor, in their order; "raw" for those that were copied.
func qpList(results []tensorcodec.TensorResult) string {
	var list []string
	for _, r := range results {
		if r.Raw {
			list = append(list, "raw")
			continue
		}
		list = append(list, strconv.FormatFloat(r.QP, 'g', -1, 64))
	}
	return strings.Join(list, ",")
}

// A summary is what encode reports.
type summary struct {
	codec, tier   string
	bytes         int
	values, coded int // all, and those that were not copied
	frames        int
	distortion    tensor.Distortion
	bins          tensorcodec.Bins
	seconds       float64
	qp            any // nil when several were used
	note          string
}

func (s *summary) result(tensors []tensorcodec.TensorResult) *report.Result {
	titles := map[string]string{"nmse_db": "NMSE", "psnr_db": "PSNR", "mse": "MSE", "qp": "QP", "encode_mvalues_per_s": "encode speed"}
	fact := func(key, unit string, v any) report.Fact {
		return report.Fact{Column: report.Column{Key: key, Title: titles[key], Unit: unit}, Value: v}
	}
	n := float64(max(1, s.values))
	perValue := func(b int64) float64 { return float64(b) / float64(max(1, s.coded)) }
	d := s.distortion
	facts := []report.Fact{
		fact("codec", "", s.codec), fact("tier", "", s.tier), fact("qp", "", s.qp),
		fact("values", "", s.values), fact("frames", "", s.frames), fact("bytes", "", s.bytes),
		fact("bits_per_value", "", 8*float64(s.bytes)/n),
		fact("mse", "", d.MSE), fact("nmse_db", "dB", finiteOrNil(d.NMSEDB)), fact("psnr_db", "dB", finiteOrNil(d.PSNRDB)),
		fact("max_error", "", d.Max), fact("cosine", "", d.Cosine),
	}
	bins := []report.Fact{fact("regular_bins_per_value", "", perValue(s.bins.Regular)), fact("bypass_bins_per_value", "", perValue(s.bins.Bypass))}
	speed := fact("encode_mvalues_per_s", "Mvalues/s", float64(s.values)/max(s.seconds, 1e-9)/1e6)
	r := &report.Result{Schema: "vcsim.encode/1", Facts: slices.Concat(facts, bins, []report.Fact{speed})}
	payload := map[string]any{"bins_per_value": map[string]float64{"regular": perValue(s.bins.Regular), "bypass": perValue(s.bins.Bypass)}}
	for _, f := range append(facts, speed) { // the bins are an object of their own
		payload[f.Key] = f.Value
	}
	if s.note != "" {
		r.Notes = append(r.Notes, s.note)
		payload["note"] = s.note
	}
	if tensors != nil {
		t := report.Table{Name: "tensors", Columns: []report.Column{
			{Key: "name"}, {Key: "dtype"}, {Key: "shape"}, {Key: "bytes"}, {Key: "bits_per_value"}, {Key: "mse", Title: "MSE"}, {Key: "nmse_db", Title: "NMSE", Unit: "dB", Digits: 2}, {Key: "qp", Title: "QP"}, {Key: "note"},
		}}
		rows := []map[string]any{}
		for _, e := range tensors {
			row := []any{e.Name, e.DType.String(), report.Shape(e.Shape), e.Bytes, e.BitsPerValue(), e.MSE, finiteOrNil(e.NMSEDB), e.QP, nil}
			if e.Raw {
				row[5], row[6], row[7] = nil, nil, nil
			}
			if e.Note != "" {
				row[8] = e.Note
			}
			t.Rows = append(t.Rows, row)
			m := map[string]any{}
			for i, c := range t.Columns {
				m[c.Key] = row[i]
			}
			rows = append(rows, m)
		}
		r.Tables = []report.Table{t}
		payload["tensors"] = rows
	}
	r.Payload = payload
	return r
}
