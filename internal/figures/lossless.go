package figures

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/klauspost/compress/zstd"

	"vcsim/internal/lmc"
	"vcsim/internal/tensor"
)

// A MismatchError says that a compressor did not restore what it packed.
type MismatchError string

func (e MismatchError) Error() string { return string(e) }

// A Lossless is one file packed by one compressor.
type Lossless struct {
	File, Compressor         string
	PackedBytes              int
	Ratio                    float64
	OfBound                  float64 // order-0 entropy of the byte planes over the packed size, percent
	PackGBPerS, UnpackGBPerS float64 // bytes of the file by processor time
}

// LosslessRuns is how many compressors CompareLossless packs each file with.
func LosslessRuns() int { return 1 + len(compressors(context.Background(), "")) }

// CompareLossless packs and restores files with snapshots and with general compressors, one thread each, and calls done after
// each of them. bzip2 is the program; without it the error is exec.ErrNotFound.
func CompareLossless(ctx context.Context, files []string, done func()) ([]Lossless, error) {
	bzip2, err := exec.LookPath("bzip2")
	if err != nil {
		return nil, err
	}
	list := compressors(ctx, bzip2)
	var rows []Lossless
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		planes, err := groupFile(file)
		if err != nil {
			return nil, err
		}
		ours, bound, err := measureLMC(ctx, file, raw)
		if err != nil {
			return nil, err
		}
		if !ours.restored {
			return nil, MismatchError(file + ": snapshot does not restore it")
		}
		add := func(name string, p packing) {
			done()
			n := float64(len(raw))
			rows = append(rows, Lossless{filepath.Base(file), name, p.size, n / float64(p.size), 100 * bound / float64(p.size), n / p.pack / 1e9, n / p.unpack / 1e9})
		}
		add("vcsim snapshot", ours)
		for _, c := range list {
			in := raw
			if c.grouped {
				in = planes
			}
			p, err := c.measure(in)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.name, err)
			}
			if !p.restored {
				return nil, MismatchError(fmt.Sprintf("%s: %s does not restore it", file, c.name))
			}
			add(c.name, p)
		}
	}
	return rows, nil
}

// A packing is what a compressor makes of a file.
type packing struct {
	size         int
	pack, unpack float64 // seconds
	restored     bool
}

// compressors are the general ones.
func compressors(ctx context.Context, bzip2 string) []compressor {
	filter := func(args ...string) func(b []byte) ([]byte, error) {
		return func(b []byte) ([]byte, error) {
			cmd := exec.CommandContext(ctx, bzip2, args...)
			cmd.Stdin = bytes.NewReader(b)
			return cmd.Output()
		}
	}
	return []compressor{
		gzipCompressor(6), gzipCompressor(9),
		{"bzip2 -9", false, filter("-9c"), filter("-dc")},
		{"bzip2 -9 grouped", true, filter("-9c"), filter("-dc")},
		zstdCompressor("zstd fastest", zstd.SpeedFastest, false), zstdCompressor("zstd default", zstd.SpeedDefault, false), zstdCompressor("zstd best", zstd.SpeedBestCompression, false),
		zstdCompressor("zstd fastest grouped", zstd.SpeedFastest, true), zstdCompressor("zstd default grouped", zstd.SpeedDefault, true), zstdCompressor("zstd best grouped", zstd.SpeedBestCompression, true),
	}
}

// A compressor packs raw bytes of a file or, if grouped is set, its planes.
type compressor struct {
	name    string
	grouped bool
	pack    func(b []byte) ([]byte, error)
	unpack  func(b []byte) ([]byte, error)
}

func zstdCompressor(name string, level zstd.EncoderLevel, grouped bool) compressor {
	return compressor{name, grouped, func(b []byte) ([]byte, error) {
		w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(level), zstd.WithEncoderConcurrency(1))
		if err != nil {
			return nil, err
		}
		defer w.Close()
		return w.EncodeAll(b, nil), nil
	}, func(b []byte) ([]byte, error) {
		r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, err
		}
		defer r.Close()
		return r.DecodeAll(b, nil)
	}}
}

func gzipCompressor(level int) compressor {
	return compressor{fmt.Sprintf("gzip -%d", level), false, func(b []byte) ([]byte, error) {
		var out bytes.Buffer
		w, err := gzip.NewWriterLevel(&out, level)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(b); err != nil {
			return nil, err
		}
		err = w.Close()
		return out.Bytes(), err
	}, func(b []byte) ([]byte, error) {
		r, err := gzip.NewReader(bytes.NewReader(b))
		if err != nil {
			return nil, err
		}
		return io.ReadAll(r)
	}}
}

// processTime is the processor time that this process and the programs that it has waited for took.
func processTime() (time.Duration, error) {
	var total time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			return 0, err
		}
		total += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return total, nil
}

// timed returns the processor seconds that f takes.
func timed(f func() error) (float64, error) {
	start, err := processTime()
	if err != nil {
		return 0, err
	}
	if err := f(); err != nil {
		return 0, err
	}
	end, err := processTime()
	return max((end - start).Seconds(), 1e-6), err
}

// measure packs and restores in.
func (c *compressor) measure(in []byte) (p packing, err error) {
	var small, back []byte
	if p.pack, err = timed(func() (err error) { small, err = c.pack(in); return }); err != nil {
		return p, err
	}
	if p.unpack, err = timed(func() (err error) { back, err = c.unpack(small); return }); err != nil {
		return p, err
	}
	p.size, p.restored = len(small), bytes.Equal(back, in)
	return p, nil
}

// groupFile returns the planes of all tensors of a file.
func groupFile(file string) ([]byte, error) {
	s, err := tensor.OpenSafetensors(file)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	var planes, buf []byte
	for _, info := range s.Tensors() {
		if buf, err = s.Read(info.Name, buf); err != nil {
			return nil, err
		}
		planes = lmc.AppendPlanes(planes, buf, info)
	}
	return planes, nil
}

// measureLMC packs and restores a file with one thread and returns what came out and the bound in bytes.
func measureLMC(ctx context.Context, file string, raw []byte) (p packing, bound float64, err error) {
	s, err := lmc.Open(file)
	if err != nil {
		return
	}
	defer s.Close()
	var out, back bytes.Buffer
	out.Grow(len(raw))
	back.Grow(len(raw))
	if p.pack, err = timed(func() error {
		_, err := lmc.Pack(ctx, &out, s, lmc.PackOptions{Threads: 1})
		return err
	}); err != nil {
		return
	}
	res, err := lmc.Pack(ctx, io.Discard, s, lmc.PackOptions{Threads: 1, Stats: true})
	if err != nil {
		return
	}
	for _, g := range res.Groups {
		for k := range g.Width {
			bound += g.BoundBits[k] / 8
		}
	}
	temp, err := os.CreateTemp("", "vcsim-*.lmc")
	if err != nil {
		return
	}
	defer os.Remove(temp.Name())
	defer temp.Close()
	if _, err = temp.Write(out.Bytes()); err != nil {
		return
	}
	packed, err := lmc.Open(temp.Name())
	if err != nil {
		return
	}
	defer packed.Close()
	if p.unpack, err = timed(func() error { return lmc.Unpack(ctx, &back, packed, lmc.UnpackOptions{Threads: 1}) }); err != nil {
		return
	}
	p.size, p.restored = out.Len(), bytes.Equal(back.Bytes(), raw)
	return p, bound, nil
}
