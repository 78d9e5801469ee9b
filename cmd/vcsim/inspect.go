package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"vcsim/internal/inspect"
	"vcsim/internal/report"
	"vcsim/internal/tensor"
	"vcsim/internal/tensorcodec"
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
		Args:    wantArgs(1, 1),
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
	case ".lmc":
		return fmt.Errorf("%s is a snapshot: vcsim snapshot list %s shows it", path, path)
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
			t.Rows = append(t.Rows, []any{info.Name, info.DType.String(), report.Shape(info.Shape), n})
		}
		return a.print(&report.Result{Schema: "vcsim.inspect.tensors/1", Tables: []report.Table{t}})
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

func (a *app) inspectContainer(c *tensorcodec.Container) error {
	t := report.Table{Name: "tensors", Columns: []report.Column{
		{Key: "name"}, {Key: "dtype"}, {Key: "shape"}, {Key: "stored"}, {Key: "frame"}, {Key: "frames"}, {Key: "bytes"}, {Key: "bits_per_value", Digits: 4},
	}}
	for _, st := range c.Tensors {
		row := []any{st.Name, st.DType.String(), report.Shape(st.Shape), "raw", nil, nil, st.Bytes, nil}
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
	return a.print(&report.Result{Schema: "vcsim.inspect.container/1", Facts: []report.Fact{{Column: report.Column{Key: "recipe"}, Value: c.Common.String()}}, Tables: []report.Table{t}})
}

func (a *app) inspectStream(path, codec string, stream []byte) error {
	r, err := inspect.Stream(codec, stream)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return a.print(r)
}

func fact(key string, v any) report.Fact {
	return report.Fact{Column: report.Column{Key: key}, Value: v}
}
