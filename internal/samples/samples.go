// Package samples holds small real tensors and checkpoints, which the figures run on where they are given none, and writes
// them as files to try the program on. README.md beside it says where they are from; all are CC0-1.0.
package samples

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"vcsim/internal/atomicfile"
	"vcsim/internal/lmc"
	"vcsim/internal/tensor"
)

// Tensors is a safetensors file of three tensors, BF16 256x256 each.
//
//go:embed tensors.safetensors
var Tensors []byte

// Names of the tensors.
const (
	Weights    = "model.layers.1.self_attn.k_proj.weight"
	Keys       = "layers.3.k_cache"
	Activation = "activation" // with massive outliers
)

// step1 and step2 are cuts of consecutive checkpoints of one model.
var (
	//go:embed step1.safetensors
	step1 []byte
	//go:embed step2.safetensors
	step2 []byte
)

// A File is one that [Write] makes.
type File struct{ Name, Holds string }

// Files are what [Write] makes, in this order.
var Files = []File{
	{"model.safetensors", "three BF16 tensors of 256x256: a key projection, a key cache, an activation with outliers"},
	{"plane.pgm", "8-bit codes of a 128x128 cut of the key projection"},
	{"step1.safetensors", "a cut of a checkpoint: weights, master weights and Adam moments"},
	{"step1.lmc", "the same, packed"},
	{"step2.safetensors", "the same of the next checkpoint"},
}

// planeSide is the width and the height of the sample plane.
const planeSide = 128

// Write writes [Files] to a directory, which it makes. It replaces existing files only if force is set: otherwise it
// writes none and returns an error.
func Write(ctx context.Context, dir string, force bool) error {
	for _, f := range Files {
		path := filepath.Join(dir, f.Name)
		if _, err := os.Lstat(path); err == nil && !force {
			return fmt.Errorf("%s exists; --force overwrites it, or name another directory", path)
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	plane, err := plane()
	if err != nil {
		return err
	}
	for _, f := range Files {
		path := filepath.Join(dir, f.Name)
		err := atomicfile.Write(path, func(w io.Writer) (err error) {
			switch f.Name {
			case "model.safetensors":
				_, err = w.Write(Tensors)
			case "plane.pgm":
				_, err = w.Write(plane)
			case "step1.safetensors":
				_, err = w.Write(step1)
			case "step2.safetensors":
				_, err = w.Write(step2)
			case "step1.lmc":
				err = pack(ctx, w, filepath.Join(dir, "step1.safetensors"))
			default:
				err = fmt.Errorf("no sample %s", f.Name)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// plane is a PGM of the corner of the weights as codes floor(w/D + 128.5), with D = absmax/127 over the whole tensor.
func plane() ([]byte, error) {
	values, shape, err := Values(Weights)
	if err != nil {
		return nil, err
	}
	var most float64
	for _, v := range values {
		most = max(most, math.Abs(float64(v)))
	}
	b := tensor.AppendPGM(nil, planeSide, planeSide)
	for y := range planeSide {
		for _, v := range values[y*shape[1]:][:planeSide] {
			b = append(b, uint8(math.Floor(float64(v)*127/most+128.5)))
		}
	}
	return b, nil
}

func pack(ctx context.Context, w io.Writer, path string) error {
	in, err := lmc.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := in.OpenChain(ctx, ""); err != nil {
		return err
	}
	_, err = lmc.Pack(ctx, w, in, lmc.PackOptions{})
	return err
}

// Raw is a tensor of [Tensors] as it is stored.
func Raw(name string) (tensor.Info, []byte, error) {
	s, err := tensor.ReadSafetensors(bytes.NewReader(Tensors), int64(len(Tensors)), "samples")
	if err != nil {
		return tensor.Info{}, nil, err
	}
	info, ok := s.Lookup(name)
	if !ok {
		return info, nil, fmt.Errorf("no sample %q", name)
	}
	raw, err := s.Read(name, nil)
	return info, raw, err
}

// Values is a tensor of [Tensors] and its shape.
func Values(name string) ([]float32, []int, error) {
	info, raw, err := Raw(name)
	if err != nil {
		return nil, nil, err
	}
	values, err := tensor.Decode(nil, info.DType, raw)
	return values, info.Shape, err
}
