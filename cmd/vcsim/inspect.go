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
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return interruptible(cmd.Context(), func() error { return a.inspect(args[0], name) })
		},
	}
	c.Flags().StringVar(&name, "tensor", "", "show the stream of the tensor whose name matches `GLOB`")
	return c
}

func (a *app) inspect(path, name string) error {
	switch filepath.Ext(path) {
	case ".265":
		stream, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return a.inspectStream(path, stream)
	case ".264":
		_, err := tensorcodec.Lookup("t264")
		return err
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
	if c.Common.Codec != "t265" {
		return tensorcodec.UnsupportedError(fmt.Sprintf("codec %q in inspect", c.Common.Codec))
	}
	return a.inspectStream(path, stream)
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

func (a *app) inspectStream(path string, stream []byte) error {
	d, err := t265.NewDecoder(stream)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	values := 0
	for {
		p, err := d.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		values += p.Width * p.Height
	}
	sps, pps := d.ParameterSets()
	if sps == nil {
		return fmt.Errorf("%s: no picture in the stream", path)
	}
	stats := d.Stats()
	return a.print(streamResult(len(stream), values, sps, pps, &stats))
}

func streamResult(size, values int, sps *t265.SPS, pps *t265.PPS, s *t265.Stats) *report.Result {
	fact := func(key string, v any) report.Fact { return report.Fact{Column: report.Column{Key: key}, Value: v} }
	n := float64(values)
	r := &report.Result{Schema: "vcsim.inspect/1", Facts: []report.Fact{
		fact("codec", "t265"), fact("bytes", size), fact("values", values), fact("bits_per_value", 8*float64(size)/n),
		fact("pictures", s.Pictures), fact("slices", s.Slices), fact("ctus", s.CTUs),
		fact("profile_idc", sps.ProfileIDC), fact("level", fmt.Sprintf("%d.%d", sps.LevelIDC/30, sps.LevelIDC%30/3)),
		fact("width", sps.Width-sps.CropLeft-sps.CropRight), fact("height", sps.Height-sps.CropTop-sps.CropBottom),
		fact("ctu", 1<<sps.Log2CTB), fact("smallest_cu", 1<<sps.Log2MinCB), fact("smallest_tu", 1<<sps.Log2MinTB), fact("largest_tu", 1<<sps.Log2MaxTB),
		fact("transform_depth", sps.MaxDepthIntra), fact("strong_smoothing", sps.StrongSmoothing), fact("pcm", sps.PCM), fact("sao", sps.SAO),
		fact("sign_hiding", pps.SignHiding), fact("transform_skip", pps.TransformSkip), fact("cu_qp_delta", pps.QPDelta), fact("transquant_bypass", pps.TransquantBypass),
		fact("wpp", pps.WPP), fact("init_qp", pps.InitQP),
	}}
	bins := report.Table{Name: "bins", Columns: []report.Column{{Key: "element"}, {Key: "coding"}, {Key: "bins"}, {Key: "bins_per_value", Digits: 4}, {Key: "share_percent", Unit: "%", Digits: 1}}}
	total := max(1, s.Regular()+s.BypassBins())
	add := func(name, kind string, count int64) {
		bins.Rows = append(bins.Rows, []any{name, kind, count, float64(count) / n, 100 * float64(count) / float64(total)})
	}
	for e := t265.Element(0); e < t265.NumElements; e++ {
		if s.Bins[e] > 0 {
			kind := "regular"
			if e.Bypass() {
				kind = "bypass"
			}
			add(e.String(), kind, s.Bins[e])
		}
	}
	add("all", "regular", s.Regular())
	add("all", "bypass", s.BypassBins())
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
	modes := report.Table{Name: "modes", Columns: []report.Column{{Key: "mode"}, {Key: "blocks"}, {Key: "share_percent", Unit: "%", Digits: 1}}}
	all := int64(0)
	for _, m := range s.Modes {
		all += m
	}
	for m, count := range s.Modes {
		if count > 0 {
			modes.Rows = append(modes.Rows, []any{modeName(m), count, 100 * float64(count) / float64(all)})
		}
	}
	r.Tables = []report.Table{bins, blocks, modes}
	if s.NxN+s.PCM+s.SkippedTU > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d coding units of four prediction blocks, %d PCM, %d blocks without transform.", s.NxN, s.PCM, s.SkippedTU))
	}
	return r
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
