package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"

	"vcsim/internal/atomicfile"
	"vcsim/internal/report"
	"vcsim/internal/tensor"
	"vcsim/internal/tensorcodec"
)

// An input is what encode and compare read: a plane of 8-bit codes, or a source of tensors.
type input struct {
	path          string
	width, height int
	plane         []byte             // nil for tensors
	source        tensorcodec.Source // nil for a plane
	close         func() error
}

// openInput reads a .pgm, .raw (with its size), .npy or .safetensors file, a shard index, or a directory of shards.
func openInput(path, size string) (*input, error) {
	in := &input{path: path, close: func() error { return nil }}
	if path == "-" {
		return nil, errors.New("-: vcsim reads files, not standard input")
	}
	ext := strings.ToLower(filepath.Ext(path))
	if size != "" && ext != ".raw" {
		return nil, fmt.Errorf("--size is for .raw input; %s says its own", path)
	}
	switch ext {
	case ".pgm", ".raw", ".npy":
		b, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		switch ext {
		case ".pgm":
			in.width, in.height, in.plane, err = tensor.ParsePGM(b, path)
		case ".raw":
			in.width, in.height, err = parseSize("size", size)
			if size == "" {
				err = fmt.Errorf("%s: a raw plane needs --size WxH", path)
			}
			if in.plane = b; err == nil && int64(in.width)*int64(in.height) != int64(len(b)) {
				err = fmt.Errorf("%s: %d bytes, --size %s needs %d", path, len(b), size, int64(in.width)*int64(in.height))
			}
		case ".npy":
			var s tensorcodec.Single
			s.Info, s.Data, err = tensor.ParseNPY(b, path)
			s.Info.Name = stem(path)
			in.source = s
		}
		return in, err
	case ".265", ".264":
		return nil, fmt.Errorf("%s is a coded stream: give it to vcsim decode", path)
	}
	if st, err := os.Stat(path); err != nil {
		return nil, err
	} else if ext != ".safetensors" && ext != ".json" && !st.IsDir() {
		return nil, fmt.Errorf("%s: unknown kind of file: want .pgm, .raw, .npy, .safetensors or .index.json", path)
	}
	s, err := tensor.OpenSafetensors(path)
	if err != nil {
		return nil, err
	}
	in.source, in.close = s, s.Close
	return in, nil
}

// asSource makes a tensor of a plane.
func (in *input) asSource() tensorcodec.Source {
	if in.plane == nil {
		return in.source
	}
	return tensorcodec.Single{Info: tensor.Info{Name: stem(in.path), DType: tensor.U8, Shape: []int{in.height, in.width}}, Data: in.plane}
}

// planeOptions makes the options of a plane: it is codes already, not folded and, where no frame is asked for, one frame.
func (in *input) planeOptions(o *tensorcodec.TensorOptions, f *codecFlags) {
	if in.plane == nil {
		return
	}
	o.Integers = true
	if f.fold == "auto" {
		o.Fold = tensorcodec.FoldNone
	}
	if f.frame == "" {
		o.FrameWidth, o.FrameHeight = 1<<30, 1<<30 // no smaller than the plane
	}
}

func stem(path string) string {
	base := filepath.Base(path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// parseSize reads the WxH of a flag; an empty string is 0, 0.
func parseSize(flag, s string) (w, h int, err error) {
	if s == "" {
		return 0, 0, nil
	}
	a, b, ok := strings.Cut(s, "x")
	w, errW := strconv.Atoi(a)
	h, errH := strconv.Atoi(b)
	if !ok || errW != nil || errH != nil || w < 1 || h < 1 || w > 1<<30 || h > 1<<30 {
		return 0, 0, fmt.Errorf("--%s %q: want WIDTHxHEIGHT", flag, s)
	}
	return w, h, nil
}

// interruptible runs f and returns early when the context ends; the process exits then, and f has published nothing.
func interruptible(ctx context.Context, f func() error) error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// fewerCollections lets the heap grow to several times what is live: a run is short and its buffers are long-lived.
func fewerCollections() { debug.SetGCPercent(400) }

// heapTarget is what the heap of an encoder that reads its input as it goes is held to, as far as what is alive allows.
const heapTarget = 256 << 20

// boundedHeap lets the heap grow as fewerCollections does, but not beyond a target.
func boundedHeap() {
	fewerCollections()
	debug.SetMemoryLimit(heapTarget)
}

// progress shows a bar for so many values, or for work of unknown length if that is 0, if standard error is a terminal that may be written to.
func (a *app) progress(what string, values int) *report.Progress {
	f, ok := a.stderr.(*os.File)
	if !ok || a.quiet {
		return nil
	}
	return report.NewProgress(f, what, int64(values))
}

// during shows that work of unknown length is under way, if standard error is a terminal that may be written to.
func (a *app) during(what string, work func() error) error {
	bar := a.progress(what, 0)
	defer bar.Stop()
	return work()
}

// finiteOrNil is v as a cell: a ratio to nothing is not known.
func finiteOrNil(v float64) any {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return nil
	}
	return v
}

// writeAll writes the pieces of a file, whole or not at all.
func writeAll(path string, pieces ...[]byte) error {
	return atomicfile.Write(path, func(w io.Writer) error {
		for _, p := range pieces {
			if _, err := w.Write(p); err != nil {
				return err
			}
		}
		return nil
	})
}

var errNoOutput = errors.New("give the output file with -o")
