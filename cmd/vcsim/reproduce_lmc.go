package main

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
	"github.com/spf13/cobra"

	"vcsim/internal/lmc"
	"vcsim/internal/report"
	"vcsim/internal/tensor"
)

func newLMCCommand(a *app, f *reproduceFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "lmc FILE...",
		Short: "Lossless compression of checkpoints against gzip, bzip2 and zstd",
		Long: "lmc packs safetensors files with 'vcsim snapshot' and with general compressors, and compares size and speed with what the\n" +
			"LMC paper (arXiv 2505.09810) states. Times are processor time of one thread. bzip2 is the program; the others run here.\n" +
			"'grouped' means that the compressor sees the byte planes. There is no chart.",
		Example: "  vcsim reproduce lmc model.safetensors --markdown",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := reproduceLMC(cmd.Context(), args)
			if err != nil {
				return err
			}
			return a.print(r)
		},
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

func reproduceLMC(ctx context.Context, files []string) (*report.Result, error) {
	bzip2, err := exec.LookPath("bzip2")
	if err != nil {
		return nil, err
	}
	filter := func(args ...string) func(b []byte) ([]byte, error) {
		return func(b []byte) ([]byte, error) {
			cmd := exec.CommandContext(ctx, bzip2, args...)
			cmd.Stdin = bytes.NewReader(b)
			return cmd.Output()
		}
	}
	list := []compressor{
		gzipCompressor(6), gzipCompressor(9),
		{"bzip2 -9", false, filter("-9c"), filter("-dc")},
		{"bzip2 -9 grouped", true, filter("-9c"), filter("-dc")},
		zstdCompressor("zstd fastest", zstd.SpeedFastest, false), zstdCompressor("zstd default", zstd.SpeedDefault, false), zstdCompressor("zstd best", zstd.SpeedBestCompression, false),
		zstdCompressor("zstd fastest grouped", zstd.SpeedFastest, true), zstdCompressor("zstd default grouped", zstd.SpeedDefault, true), zstdCompressor("zstd best grouped", zstd.SpeedBestCompression, true),
	}
	stated := []string{"Stated by the paper on 16 cores: 2.78 GiB/s compressing and 3.76 GiB/s decompressing, 0.187 and 0.252 GB/s a core; better than bzip2 in a tenth of its time."}
	t := report.Table{Name: "compressors", Columns: []report.Column{{Key: "file"}, {Key: "compressor"}, {Key: "packed_bytes", Unit: "bytes"}, {Key: "ratio", Digits: 4},
		{Key: "of_bound_percent", Title: "of bound", Unit: "%", Digits: 2}, {Key: "compress_gb_per_s", Title: "compress", Unit: "GB/s", Digits: 3}, {Key: "decompress_gb_per_s", Title: "decompress", Unit: "GB/s", Digits: 3}}}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		planes, err := groupFile(file)
		if err != nil {
			return nil, err
		}
		packed, bound, enc, dec, err := measureLMC(ctx, file, raw)
		if err != nil {
			return nil, err
		}
		row := func(name string, size int, enc, dec float64) {
			speed := func(s float64) float64 { return float64(len(raw)) / s / 1e9 }
			t.Rows = append(t.Rows, []any{filepath.Base(file), name, size, float64(len(raw)) / float64(size), 100 * bound / float64(size), speed(enc), speed(dec)})
		}
		row("vcsim snapshot", packed, enc, dec)
		for _, c := range list {
			in := raw
			if c.grouped {
				in = planes
			}
			var small, back []byte
			enc, err := timed(func() (err error) { small, err = c.pack(in); return })
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.name, err)
			}
			dec, err := timed(func() (err error) { back, err = c.unpack(small); return })
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.name, err)
			}
			if !bytes.Equal(back, in) {
				return nil, &exitError{exitMismatch, fmt.Errorf("%s: %s does not restore it", file, c.name)}
			}
			row(c.name, len(small), enc, dec)
		}
	}
	return &report.Result{Schema: reproduceSchema, Title: "Lossless compression of checkpoints", Tables: []report.Table{t}, Notes: append(stated,
		"The bound is the order-0 entropy of the byte planes, block by block; a compressor that finds repetitions may pass it. Speeds are bytes of the file by processor time, one run each: repeat them before relying on them.")}, nil
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

// measureLMC packs and restores a file with one thread and returns the packed size and the bound in bytes, and the times
// in seconds.
func measureLMC(ctx context.Context, file string, raw []byte) (packed int, bound, enc, dec float64, err error) {
	s, err := lmc.Open(file)
	if err != nil {
		return
	}
	defer s.Close()
	var out, back bytes.Buffer
	out.Grow(len(raw))
	back.Grow(len(raw))
	if enc, err = timed(func() error {
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
	p, err := lmc.Open(temp.Name())
	if err != nil {
		return
	}
	defer p.Close()
	if dec, err = timed(func() error { return lmc.Unpack(ctx, &back, p, lmc.UnpackOptions{Threads: 1}) }); err != nil {
		return
	}
	if !bytes.Equal(back.Bytes(), raw) {
		err = &exitError{exitMismatch, fmt.Errorf("%s: snapshot does not restore it", file)}
	}
	return out.Len(), bound, enc, dec, err
}
