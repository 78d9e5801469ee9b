package lmc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"vcsim/internal/tensor"
)

// UnpackOptions are the options of [Unpack], [UnpackTensor] and [Verify].
type UnpackOptions struct {
	Threads  int // 0 is one for each processor
	Progress func(bytes int64)
}

// Unpack writes the safetensors file of which s, whose chain must be open, is the snapshot.
func Unpack(ctx context.Context, out io.Writer, s *Snapshot, opts UnpackOptions) error {
	if _, err := out.Write(s.header); err != nil {
		return err
	}
	return s.copyBlocks(ctx, out, s.blockRefs(), opts)
}

// UnpackTensor writes a safetensors file that holds one tensor alone. No block of another tensor is read.
func UnpackTensor(ctx context.Context, out io.Writer, s *Snapshot, name string, opts UnpackOptions) error {
	i, ok := s.byName[name]
	if !ok {
		return fmt.Errorf("%s: no tensor %q", s.Path, name)
	}
	header, err := tensor.SafetensorsHeader([]tensor.Info{s.tensors[i].Info}, nil)
	if err != nil {
		return err
	}
	if _, err := out.Write(header); err != nil {
		return err
	}
	refs := s.blockRefs()
	refs = slices.DeleteFunc(refs, func(r blockRef) bool { return r.i != i })
	return s.copyBlocks(ctx, out, refs, opts)
}

func (s *Snapshot) copyBlocks(ctx context.Context, out io.Writer, refs []blockRef, opts UnpackOptions) error {
	workers := newWorkers(opts.Threads)
	defer release(workers)
	return ordered(ctx, workers, len(refs), func(w *worker, k int, dst []byte) ([]byte, error) {
		_, size := s.tensors[refs[k].i].span(refs[k].b)
		dst = grow(dst, size)
		_, err := s.readBlock(w, refs[k].i, refs[k].b, dst, 0)
		return dst, err
	}, func(k int, b []byte) error {
		if opts.Progress != nil {
			opts.Progress(int64(len(b)))
		}
		_, err := out.Write(b)
		return err
	})
}

// Verify restores every block of s, whose chain must be open, and checks it. It returns what is wrong, at most limit
// faults, or nil.
func Verify(ctx context.Context, s *Snapshot, limit int, opts UnpackOptions) error {
	var mu sync.Mutex
	faults := map[int]error{}
	refs := s.blockRefs()
	workers := newWorkers(opts.Threads)
	defer release(workers)
	err := ordered(ctx, workers, len(refs), func(w *worker, k int, dst []byte) ([]byte, error) {
		_, size := s.tensors[refs[k].i].span(refs[k].b)
		dst = grow(dst, size)
		if _, err := s.readBlock(w, refs[k].i, refs[k].b, dst, 0); err != nil {
			mu.Lock()
			faults[k] = err
			mu.Unlock()
		}
		return dst, nil
	}, func(k int, b []byte) error {
		if opts.Progress != nil {
			opts.Progress(int64(len(b)))
		}
		mu.Lock()
		defer mu.Unlock()
		if len(faults) >= limit {
			return errTooMany
		}
		return nil
	})
	if err != nil && err != errTooMany {
		return err
	}
	var list []int
	for k := range faults {
		list = append(list, k)
	}
	slices.Sort(list)
	var all []error
	for _, k := range list[:min(len(list), limit)] {
		all = append(all, faults[k])
	}
	return errors.Join(all...)
}

var errTooMany = errors.New("snapshot: too many faults")
