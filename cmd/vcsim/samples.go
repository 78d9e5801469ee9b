package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"vcsim/internal/report"
	"vcsim/internal/samples"
	"vcsim/internal/tensor"
	"vcsim/internal/tensorcodec"
)

// sampleFlags choose the tensor a figure is made of.
type sampleFlags struct {
	codecFlags
	in     string
	sample string
}

// sampleNames are the short names of the built-in tensors.
var sampleNames = map[string]string{"weights": samples.Weights, "keys": samples.Keys, "activation": samples.Activation}

func (f *sampleFlags) register(c *cobra.Command, sample string) {
	f.codecFlags.register(c.Flags())
	c.Flags().StringVar(&f.sample, "sample", sample, "built-in tensor: weights (a key projection), keys (a key cache) or activation (with massive outliers)")
	c.Flags().StringVar(&f.in, "in", "", "file to use instead")
}

// load prepares the tensor of a figure.
func (f *sampleFlags) load() (*tensorcodec.Matrix, error) {
	o, err := f.options()
	if err != nil {
		return nil, err
	}
	if f.in == "" {
		name, ok := sampleNames[f.sample]
		if !ok {
			return nil, fmt.Errorf("--sample %s: want weights, keys or activation", f.sample)
		}
		return loadSample(name, o)
	}
	all, err := loadMatrices(f.in, &f.codecFlags, o)
	if err != nil {
		return nil, err
	}
	if len(all) != 1 {
		return nil, fmt.Errorf("%s: %d tensors match; choose one with --tensor", f.in, len(all))
	}
	if m := all[0]; tensor.Variance(m.Values) == 0 {
		return nil, fmt.Errorf("%s: all values of %q are %g: there is nothing to draw; choose another tensor", f.in, m.Name, m.Values[0])
	}
	return all[0], nil
}

// loadSample prepares a built-in tensor.
func loadSample(name string, o tensorcodec.TensorOptions) (*tensorcodec.Matrix, error) {
	info, raw, err := samples.Raw(name)
	if err != nil {
		return nil, err
	}
	return tensorcodec.NewMatrix(info, raw, o)
}

func newSamplesCommand(a *app) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "samples DIR",
		Short: "Write small real inputs to try the other commands on",
		Long: "samples writes a model, a plane and two checkpoints, cut from a small language model (CC0-1.0), under the names that the\n" +
			"README's examples use.",
		Example: "  vcsim samples .",
		Args:    wantArgs(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := samples.Write(cmd.Context(), args[0], force); err != nil {
				return err
			}
			t := report.Table{Name: "files", Columns: []report.Column{{Key: "file"}, {Key: "holds"}}}
			for _, f := range samples.Files {
				t.Rows = append(t.Rows, []any{filepath.Join(args[0], f.Name), f.Holds})
			}
			return a.print(&report.Result{Schema: "vcsim.samples/1", Tables: []report.Table{t}})
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "overwrite files that exist")
	return cmd
}
