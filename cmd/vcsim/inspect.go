package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"vcsim/internal/report"
	"vcsim/internal/tensor"
	"vcsim/internal/tensorcodec"
	"vcsim/t265"
)

func newInspectCommand(a *app) *cobra.Command {
	var name string
	c := &cobra.Command{
		Use:   "inspect IN",
		Short: "Show what a stream or a container is made of",
		Long: `inspect decodes an Annex B stream and shows its parameter sets, its coding units and transform blocks by size, its intra
modes, and the arithmetic-coder bins of every syntax element. Of a container it shows the recipe and the tensors; with
--tensor it shows the stream of that tensor. Of any other safetensors file it lists the tensors.`,
		Example: "  vcsim inspect plane.265\n  vcsim inspect small.safetensors --tensor '*layers.1*q_proj*'",
		Args:    withUsage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return interruptible(cmd.Context(), func() error { return a.inspect(args[0], name) })
		},
	}
	c.Flags().StringVar(&name, "tensor", "", "show the stream of the tensor whose name matches `GLOB`")
	return c
}

func (a *app) inspect(path, name string) error {
	switch filepath.Ext(path) {
	case ".265", ".264":
		if name != "" {
			return fmt.Errorf("%s is a stream: --tensor is of a container (.safetensors)", path)
		}
		stream, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return a.inspectStream(path, "t"+filepath.Ext(path)[1:], stream)
	case ".safetensors":
	default:
		return fmt.Errorf("%s: unknown kind of file: want .265, .264 or .safetensors", path)
	}
	s, err := tensor.OpenSafetensors(path)
	if err != nil {
		return err
	}
	defer s.Close()
	if !tensorcodec.IsContainer(s) {
		if name != "" {
			return fmt.Errorf("%s holds no coded tensors: it has no streams", path)
		}
		t := report.Table{Name: "tensors", Columns: []report.Column{{Key: "name"}, {Key: "dtype"}, {Key: "shape"}, {Key: "bytes"}}}
		for _, info := range s.Tensors() {
			n, err := info.NumBytes()
			if err != nil {
				return err
			}
			t.Rows = append(t.Rows, []any{info.Name, info.DType.String(), shapeText(info.Shape), n})
		}
		return a.print(&report.Result{Schema: "vcsim.inspect/1", Tables: []report.Table{t}})
	}
	c, err := tensorcodec.OpenContainer(s)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if name == "" {
		return a.inspectContainer(c)
	}
	if err := c.Select(name); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if len(c.Tensors) != 1 {
		return fmt.Errorf("%s: %d tensors match %q; inspect shows one stream", path, len(c.Tensors), name)
	}
	stream, err := c.Stream(c.Tensors[0])
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return a.inspectStream(path, c.Common.Codec, stream)
}

// shapeText writes a shape as 256x688; a scalar is empty.
func shapeText(shape []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(shape), " ", "x"), "[]")
}

func (a *app) inspectContainer(c *tensorcodec.Container) error {
	t := report.Table{Name: "tensors", Columns: []report.Column{
		{Key: "name"}, {Key: "dtype"}, {Key: "shape"}, {Key: "stored"}, {Key: "frame"}, {Key: "frames"}, {Key: "bytes"}, {Key: "bits_per_value", Digits: 4},
	}}
	for _, st := range c.Tensors {
		row := []any{st.Name, st.DType.String(), shapeText(st.Shape), "raw", nil, nil, st.Bytes, nil}
		if n, err := tensor.NumValues(st.Shape); err == nil && n > 0 {
			row[7] = 8 * float64(st.Bytes) / float64(n)
		}
		if !st.Raw {
			row[3], row[4], row[5] = "coded", fmt.Sprintf("%dx%d", st.Grid.FrameWidth, st.Grid.FrameHeight), st.Grid.Frames()
			if st.Residual {
				row[3] = "coded, with residual"
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return a.print(&report.Result{Schema: "vcsim.inspect/1", Facts: []report.Fact{{Column: report.Column{Key: "recipe"}, Value: c.Common.String()}}, Tables: []report.Table{t}})
}

func (a *app) inspectStream(path, codec string, stream []byte) error {
	var r *report.Result
	var err error
	switch codec {
	case "t264":
		r, err = inspect264(stream)
	case "t265":
		r, err = inspect265(stream)
	default:
		err = tensorcodec.UnsupportedError(fmt.Sprintf("codec %q in inspect", codec))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return a.print(r)
}

var errNoPicture = errors.New("no picture in the stream")

// countValues decodes all pictures and returns their number of values.
func countValues(next func() (width, height int, err error)) (values int, err error) {
	for {
		w, h, err := next()
		if errors.Is(err, io.EOF) {
			return values, nil
		}
		if err != nil {
			return 0, err
		}
		values += w * h
	}
}

// streamResult begins the result of a stream: what every codec has.
func streamResult(codec string, stream []byte, values int, pictures, slices int64) *report.Result {
	return &report.Result{Schema: "vcsim.inspect/1", Facts: []report.Fact{
		fact("codec", codec), fact("bytes", len(stream)), fact("values", values), fact("bits_per_value", 8*float64(len(stream))/float64(values)),
		fact("pictures", pictures), fact("slices", slices),
	}}
}

// countBins lists the bins of all elements of a codec.
func countBins[E interface {
	~int
	String() string
	Bypass() bool
}](counts []int64) (list []binCount) {
	for e, n := range counts {
		list = append(list, binCount{E(e).String(), E(e).Bypass(), n})
	}
	return list
}

func fact(key string, v any) report.Fact {
	return report.Fact{Column: report.Column{Key: key}, Value: v}
}

// A binCount is the bins of one syntax element.
type binCount struct {
	element string
	bypass  bool
	count   int64
}

// binTable lists the bins of a stream of so many values.
func binTable(list []binCount, values int) report.Table {
	t := report.Table{Name: "bins", Columns: []report.Column{{Key: "element"}, {Key: "coding"}, {Key: "bins"}, {Key: "bins_per_value", Digits: 4}, {Key: "share_percent", Unit: "%", Digits: 1}}}
	var regular, bypass int64
	for _, b := range list {
		if b.bypass {
			bypass += b.count
		} else {
			regular += b.count
		}
	}
	total := float64(max(1, regular+bypass))
	kinds := map[bool]string{false: "regular", true: "bypass"}
	for _, b := range append(list, binCount{"all", false, regular}, binCount{"all", true, bypass}) {
		if b.count > 0 || b.element == "all" {
			t.Rows = append(t.Rows, []any{b.element, kinds[b.bypass], b.count, float64(b.count) / float64(values), 100 * float64(b.count) / total})
		}
	}
	return t
}

// modeTable lists the intra modes of one kind of block.
func modeTable(name string, counts []int64, modeName func(int) string) report.Table {
	t := report.Table{Name: name, Columns: []report.Column{{Key: "mode"}, {Key: "blocks"}, {Key: "share_percent", Unit: "%", Digits: 1}}}
	all := int64(0)
	for _, m := range counts {
		all += m
	}
	for m, count := range counts {
		if count > 0 {
			t.Rows = append(t.Rows, []any{modeName(m), count, 100 * float64(count) / float64(all)})
		}
	}
	return t
}

func inspect265(stream []byte) (*report.Result, error) {
	d, err := t265.NewDecoder(stream)
	if err != nil {
		return nil, err
	}
	values, err := countValues(func() (int, int, error) {
		p, err := d.Next()
		return p.Width, p.Height, err
	})
	if err != nil {
		return nil, err
	}
	sps, pps := d.ParameterSets()
	if sps == nil || values == 0 {
		return nil, errNoPicture
	}
	s := d.Stats()
	r := streamResult("t265", stream, values, s.Pictures, s.Slices)
	r.Facts = append(r.Facts, fact("ctus", s.CTUs),
		fact("profile_idc", sps.ProfileIDC), fact("level", fmt.Sprintf("%d.%d", sps.LevelIDC/30, sps.LevelIDC%30/3)),
		fact("width", sps.Width-sps.CropLeft-sps.CropRight), fact("height", sps.Height-sps.CropTop-sps.CropBottom),
		fact("ctu", 1<<sps.Log2CTB), fact("smallest_cu", 1<<sps.Log2MinCB), fact("smallest_tu", 1<<sps.Log2MinTB), fact("largest_tu", 1<<sps.Log2MaxTB),
		fact("transform_depth", sps.MaxDepthIntra), fact("strong_smoothing", sps.StrongSmoothing), fact("pcm", sps.PCM), fact("sao", sps.SAO),
		fact("sign_hiding", pps.SignHiding), fact("transform_skip", pps.TransformSkip), fact("cu_qp_delta", pps.QPDelta), fact("transquant_bypass", pps.TransquantBypass),
		fact("wpp", pps.WPP), fact("init_qp", pps.InitQP))
	blocks := report.Table{Name: "blocks", Columns: []report.Column{{Key: "size"}, {Key: "coding_units"}, {Key: "transform_blocks"}, {Key: "with_coefficients"}, {Key: "values_percent", Unit: "%", Digits: 1}}}
	for k := range s.CUs {
		row := []any{fmt.Sprintf("%dx%d", 1<<k, 1<<k), s.CUs[k], nil, nil, nil}
		if k < len(s.TUs) {
			row[2], row[3] = s.TUs[k], s.CodedTUs[k]
			row[4] = 100 * float64(s.TUs[k]<<(2*k)) / float64(s.Pictures*int64(sps.Width*sps.Height))
		}
		if row[1] != int64(0) || row[2] != nil && row[2] != int64(0) {
			blocks.Rows = append(blocks.Rows, row)
		}
	}
	r.Tables = []report.Table{binTable(countBins[t265.Element](s.Bins[:]), values), blocks, modeTable("modes", s.Modes[:], modeName)}
	if s.NxN+s.PCM+s.SkippedTU > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d coding units of four prediction blocks, %d PCM, %d blocks without transform.", s.NxN, s.PCM, s.SkippedTU))
	}
	return r, nil
}

// modeName names the intra prediction modes of H.265, table 8-1.
func modeName(m int) string {
	switch m {
	case 0:
		return "planar"
	case 1:
		return "DC"
	case 10:
		return "10 (horizontal)"
	case 26:
		return "26 (vertical)"
	}
	return fmt.Sprint(m)
}
