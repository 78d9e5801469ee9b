package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"vcsim/internal/atomicfile"
	"vcsim/internal/lmc"
	"vcsim/internal/report"
	"vcsim/internal/tensor"
	"vcsim/internal/tensorcodec"
)

// newSamplesCommand writes small real inputs, named as in the examples.
func newSamplesCommand(a *app) *cobra.Command {
	var force bool
	c := &cobra.Command{
		Use:   "samples DIR",
		Short: "Write small real inputs, on which the examples of the README run",
		Long: "samples writes the built-in tensors of a small language model: model.safetensors; their 8-bit codes as weights.pgm, keys.pgm and\n" +
			"plane.pgm; and two checkpoints, step1.lmc (packed) and step2.safetensors, whose weights differ by a small step. Files that are there\n" +
			"already are left alone unless --force is given.",
		Example: "  vcsim samples .",
		Args:    withUsage(cobra.ExactArgs(1)),
		RunE:    func(cmd *cobra.Command, args []string) error { return a.samples(cmd.Context(), args[0], force) },
	}
	c.Flags().BoolVar(&force, "force", false, "overwrite files of these names")
	return c
}

// A sampleFile is a file that samples writes.
type sampleFile struct {
	name, what string
	write      func(io.Writer) error
}

func (a *app) samples(ctx context.Context, dir string, force bool) error {
	s, err := tensor.ReadSafetensors(bytes.NewReader(sampleTensors), int64(len(sampleTensors)), "samples")
	if err != nil {
		return err
	}
	plain := func(b []byte) func(io.Writer) error {
		return func(w io.Writer) error { _, err := w.Write(b); return err }
	}
	files := []sampleFile{{"model.safetensors", "a key projection, a key cache and an activation", plain(sampleTensors)}}
	for _, p := range []struct{ file, tensor string }{{"plane.pgm", sampleWeights}, {"weights.pgm", sampleWeights}, {"keys.pgm", sampleKeys}} {
		m, err := loadSample(p.tensor, tensorcodec.TensorOptions{})
		if err != nil {
			return err
		}
		files = append(files, sampleFile{p.file, "the 8-bit codes of " + p.tensor, plain(append(tensor.AppendPGM(nil, m.Cols, m.Rows), m.Codes...))})
	}
	next, err := nextStep(s)
	if err != nil {
		return err
	}
	files = append(files,
		sampleFile{"step1.lmc", "the tensors as a packed snapshot", func(w io.Writer) error {
			in, err := lmc.Open(filepath.Join(dir, "model.safetensors"))
			if err != nil {
				return err
			}
			defer in.Close()
			_, err = lmc.Pack(ctx, w, in, lmc.PackOptions{MaxDepth: lmc.DefaultMaxDepth})
			return err
		}},
		sampleFile{"step2.safetensors", "the tensors a step later", plain(next)})
	var paths []string
	for _, f := range files {
		path := filepath.Join(dir, f.name)
		if _, err := os.Lstat(path); err == nil && !force {
			return fmt.Errorf("%s exists; --force overwrites it", path)
		} else if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		paths = append(paths, path)
	}
	if err := a.alsoWrites(paths...); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	t := report.Table{Name: "files", Columns: []report.Column{{Key: "file"}, {Key: "bytes"}, {Key: "holds"}}}
	for i, f := range files {
		if err := atomicfile.Write(paths[i], f.write); err != nil {
			return err
		}
		st, err := os.Stat(paths[i])
		if err != nil {
			return err
		}
		t.Rows = append(t.Rows, []any{paths[i], st.Size(), f.what})
	}
	return a.print(&report.Result{Schema: "vcsim.samples/1", Tables: []report.Table{t}})
}

// nextStep is the sample tensors as a step of training would leave them: every value of 16 bits moves to its neighbour, up or down by
// a fixed pattern, one in four of them.
func nextStep(s *tensor.Safetensors) ([]byte, error) {
	infos := s.Tensors()
	head, err := tensor.SafetensorsHeader(infos, s.Metadata())
	if err != nil {
		return nil, err
	}
	for _, info := range infos {
		data, err := s.Read(info.Name, nil)
		if err != nil {
			return nil, err
		}
		for i := 0; info.DType == tensor.BF16 && i+1 < len(data); i += 2 {
			switch hash := uint32(i/2) * 2654435761 >> 28; {
			case hash < 2 && data[i] < 0xff:
				data[i]++
			case hash >= 2 && hash < 4 && data[i] > 0:
				data[i]--
			}
		}
		head = append(head, data...)
	}
	return head, nil
}
