package main

import (
	"bytes"
	_ "embed"
	"fmt"

	"github.com/spf13/cobra"

	"vcsim/internal/tensor"
	"vcsim/internal/tensorcodec"
)

// sampleTensors are small real tensors; see samples/README.md.
//
//go:embed samples/samples.safetensors
var sampleTensors []byte

// Names of the sample tensors.
const (
	sampleWeights    = "model.layers.1.self_attn.k_proj.weight"
	sampleKeys       = "layers.3.k_cache"
	sampleActivation = "activation"
)

// sampleFlags choose the tensor a figure is made of.
type sampleFlags struct {
	codecFlags
	in     string
	sample string
}

// samples are the short names of the built-in tensors.
var samples = map[string]string{"weights": sampleWeights, "keys": sampleKeys, "activation": sampleActivation}

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
		name, ok := samples[f.sample]
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
	s, err := tensor.ReadSafetensors(bytes.NewReader(sampleTensors), int64(len(sampleTensors)), "samples")
	if err != nil {
		return nil, err
	}
	info, ok := s.Lookup(name)
	if !ok {
		return nil, fmt.Errorf("no sample %q", name)
	}
	raw, err := s.Read(name, nil)
	if err != nil {
		return nil, err
	}
	return tensorcodec.NewMatrix(info, raw, o)
}
