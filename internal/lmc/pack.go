package lmc

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"path/filepath"
	"slices"

	"vcsim/internal/tensor"
)

// DefaultMaxDepth is the number of bases below a snapshot from which on the next one is packed whole.
const DefaultMaxDepth = 16

// PackOptions are the options of [Pack].
type PackOptions struct {
	Base     *Snapshot // with its chain open; nil for none
	BasePath string    // by which the result names the base: relative to the result, with slashes
	MaxDepth int       // longest chain of bases; 0 is [DefaultMaxDepth]
	Threads  int       // 0 is one for each processor
	Stats    bool      // count entropies, which takes time
	Progress func(bytes int64)
}

// A PackResult says what [Pack] wrote.
type PackResult struct {
	RawBytes    int64
	PackedBytes int64
	Content     Hash
	Depth       int  // bases below it
	BaseDropped bool // packed whole, because the chain is as long as it may be
	Tensors     map[Mode]int
	Groups      []Group // by type and mode, with [PackOptions.Stats]
}

// A Group is what was counted for the tensors of one type and mode.
type Group struct {
	DType tensor.DType
	Mode  Mode
	Width int // planes
	PlaneStats
}

type statsKey struct {
	dtype tensor.DType
	mode  Mode
	width int
}

// A blockRef names block b of tensor i.
type blockRef struct{ i, b int }

func (x *index) blockRefs() []blockRef {
	var list []blockRef
	for i := range x.tensors {
		for b := range x.tensors[i].last - x.tensors[i].block {
			list = append(list, blockRef{i, b})
		}
	}
	return list
}

// Pack writes a packed snapshot of in, whose chain must be open, to out.
func Pack(ctx context.Context, out io.Writer, in *Snapshot, opts PackOptions) (*PackResult, error) {
	workers := newWorkers(opts.Threads)
	defer release(workers)
	res := &PackResult{RawBytes: in.size, Tensors: map[Mode]int{}}
	x := index{header: in.header, size: in.size}
	if err := x.parseHeader(in.Path); err != nil {
		return nil, err
	}
	base := opts.Base
	if base != nil {
		if err := base.Hash(ctx, nil); err != nil {
			return nil, err
		}
		if base.depth+1 > min(cmp.Or(opts.MaxDepth, DefaultMaxDepth), MaxDepth) {
			base, res.BaseDropped = nil, true
		}
	}
	if base != nil {
		if opts.BasePath == "" || len(opts.BasePath) > maxPath {
			return nil, fmt.Errorf("snapshot: path %q of the base: it must have 1 to %d bytes", opts.BasePath, maxPath)
		}
		x.depth, x.base, x.path = base.depth+1, base.content, filepath.ToSlash(opts.BasePath)
		err := ordered(ctx, workers, len(x.tensors), func(w *worker, i int, _ []byte) ([]byte, error) {
			mode, err := chooseMode(w, in, base, i)
			x.tensors[i].mode = mode
			return nil, err
		}, func(int, []byte) error { return nil })
		if err != nil {
			return nil, err
		}
	}
	for i := range x.tensors {
		res.Tensors[x.tensors[i].mode]++
	}
	if _, err := out.Write(head()); err != nil {
		return nil, err
	}
	refs := x.blockRefs()
	x.blocks = make([]blockEntry, len(refs))
	off := int64(headSize)
	err := ordered(ctx, workers, len(refs), func(w *worker, k int, dst []byte) ([]byte, error) {
		b, err := packBlock(w, in, base, &x, refs[k], dst, opts.Stats)
		x.blocks[k].crc = crc32.Checksum(b, castagnoli)
		return b, err
	}, func(k int, b []byte) error {
		e := &x.blocks[k]
		e.off, e.size = off, len(b)
		off += int64(len(b))
		if opts.Progress != nil {
			_, size := x.tensors[refs[k].i].span(refs[k].b)
			opts.Progress(int64(size))
		}
		_, err := out.Write(b)
		return err
	})
	if err != nil {
		return nil, err
	}
	x.content = x.hash()
	if in.hashed && x.content != in.content {
		return nil, fmt.Errorf("%s: it changed while it was packed", in.Path)
	}
	tail, err := x.appendIndex(nil)
	if err != nil {
		return nil, err
	}
	tail = append(tail, footer(tail, off)...)
	if _, err := out.Write(tail); err != nil {
		return nil, err
	}
	res.PackedBytes, res.Content, res.Depth = off+int64(len(tail)), x.content, x.depth
	res.Groups = groups(workers)
	return res, nil
}

// packBlock appends the coded form of a block to dst and notes the checksum of its values.
func packBlock(w *worker, in, base *Snapshot, x *index, ref blockRef, dst []byte, stats bool) ([]byte, error) {
	t := &x.tensors[ref.i]
	_, size := t.span(ref.b)
	for len(w.base) < 2 {
		w.base = append(w.base, nil)
	}
	values := grow(w.base[0][:0], size)
	w.base[0] = values
	sum, err := in.readBlock(w, ref.i, ref.b, values, 2)
	if err != nil {
		return nil, err
	}
	x.blocks[t.block+ref.b].sum = sum
	l := t.at(ref.b)
	var old []byte
	if t.mode != Whole {
		j, ok := base.match(t)
		if !ok {
			return nil, errors.New("snapshot: base lost a tensor")
		}
		old = grow(w.base[1][:0], size)
		w.base[1] = old
		if _, err := base.readBlock(w, j, ref.b, old, 2); err != nil {
			return nil, err
		}
	}
	var s *PlaneStats
	if stats {
		key := statsKey{t.DType, t.mode, t.w}
		if w.stats == nil {
			w.stats = map[statsKey]*PlaneStats{}
		}
		if s = w.stats[key]; s == nil {
			s = &PlaneStats{}
			w.stats[key] = s
		}
	}
	from := len(dst)
	dst = w.encodeBlock(dst, values, old, l, t.mode, s)
	if s != nil {
		s.Total += int64(len(dst) - from)
	}
	return dst, nil
}

// encodeBlock appends the coded form of values, which it may change, to dst; old has those of the base.
func (w *worker) encodeBlock(dst, values, old []byte, l layout, mode Mode, s *PlaneStats) []byte {
	switch mode {
	case XOR, Zigzag:
		difference(values, values, old, l.w, mode)
		l.float = l.float && mode == XOR
	case Step:
		if s != nil {
			diff := w.enc.take(len(values))
			difference(diff, values, old, l.w, Zigzag)
			w.enc.measure(diff, layout{w: l.w}, s)
			w.enc.give(diff)
			s = nil
		}
		if steps := w.enc.encodeSteps(dst, values, old, l.w); steps != nil {
			return steps
		}
	}
	return w.enc.encodeBlock(dst, values, l, s)
}

// groups adds up what the workers counted.
func groups(workers []*worker) []Group {
	var list []Group
	for _, w := range workers {
		for key, s := range w.stats {
			i := slices.IndexFunc(list, func(g Group) bool { return statsKey{g.DType, g.Mode, g.Width} == key })
			if i < 0 {
				i = len(list)
				list = append(list, Group{DType: key.dtype, Mode: key.mode, Width: key.width})
			}
			list[i].add(s)
		}
	}
	slices.SortFunc(list, func(a, b Group) int {
		return cmp.Or(cmp.Compare(a.DType, b.DType), cmp.Compare(a.Mode, b.Mode), cmp.Compare(a.Width, b.Width))
	})
	return list
}
