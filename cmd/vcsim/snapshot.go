package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"vcsim/internal/atomicfile"
	"vcsim/internal/lmc"
	"vcsim/internal/report"
)

// snapshotFlags are the flags of the subcommands of snapshot, each of which has some of them.
type snapshotFlags struct {
	out, base, chain, tensor string
	maxChain, threads        int
}

func newSnapshotCommand(a *app) *cobra.Command {
	var f snapshotFlags
	cmd := &cobra.Command{
		Use:   "snapshot",
		Short: "Lossless snapshots and incremental checkpoints of safetensors files",
		Long: "snapshot packs safetensors files without loss, whole or as the difference to an earlier checkpoint, and restores any of\n" +
			"them to the byte. Damage and mixed-up files are found and named.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("snapshot has no command %q (pack, unpack, list, verify)", args[0])
			}
			return cmd.Help()
		},
	}
	pack := &cobra.Command{
		Use:   "pack FILE -o OUT",
		Short: "Pack a checkpoint, whole or on a base",
		Long: "pack writes a packed snapshot of a safetensors file. With --base it stores differences to an earlier checkpoint, raw or\n" +
			"packed, which the snapshot names by its content and by its path relative to OUT; where the chain of bases is as long as\n" +
			"--max-chain allows, it packs whole. OUT is replaced at once when all of it is on the disk, or not at all.",
		Example: "  vcsim snapshot pack step1000.safetensors -o step1000.lmc\n  vcsim snapshot pack --base step1000.lmc step1100.safetensors -o step1100.lmc --json",
		Args:    wantArgs(1, 1),
		RunE:    func(cmd *cobra.Command, args []string) error { return a.snapshotPack(cmd.Context(), args[0], &f) },
	}
	pack.Flags().StringVar(&f.base, "base", "", "earlier checkpoint, raw or packed, to store differences to")
	pack.Flags().IntVar(&f.maxChain, "max-chain", lmc.DefaultMaxDepth, "bases below a snapshot at most")
	unpack := &cobra.Command{
		Use:     "unpack FILE -o OUT",
		Short:   "Restore a checkpoint, or one tensor of it",
		Long:    "unpack restores the safetensors file of a snapshot, or with --tensor one that holds a single tensor, for which no other is read.",
		Example: "  vcsim snapshot unpack step1100.lmc -o step1100.safetensors\n  vcsim snapshot unpack --tensor lm_head.weight step1100.lmc -o head.safetensors",
		Args:    wantArgs(1, 1),
		RunE:    func(cmd *cobra.Command, args []string) error { return a.snapshotUnpack(cmd.Context(), args[0], &f) },
	}
	unpack.Flags().StringVar(&f.tensor, "tensor", "", "restore this tensor alone")
	list := &cobra.Command{
		Use:     "list FILE",
		Short:   "Show the tensors of a snapshot",
		Long:    "list shows the tensors of a snapshot, packed or raw, their sizes and how they are stored. It reads the index alone.",
		Example: "  vcsim snapshot list step1100.lmc",
		Args:    wantArgs(1, 1),
		RunE:    func(_ *cobra.Command, args []string) error { return a.snapshotList(args[0]) },
	}
	verify := &cobra.Command{
		Use:     "verify FILE",
		Short:   "Restore everything without writing it, and check it",
		Long:    "verify restores every block of a snapshot and of the bases that it needs and compares all checksums. It names what differs.",
		Example: "  vcsim snapshot verify step1100.lmc",
		Args:    wantArgs(1, 1),
		RunE:    func(cmd *cobra.Command, args []string) error { return a.snapshotVerify(cmd.Context(), args[0], &f) },
	}
	for _, c := range []*cobra.Command{pack, unpack} {
		c.Flags().StringVarP(&f.out, "out", "o", "", "file to write")
		markOutputs(c.Flags(), "out")
		c.MarkFlagRequired("out")
	}
	for _, c := range []*cobra.Command{pack, unpack, verify} {
		c.Flags().IntVar(&f.threads, "threads", 0, "goroutines that code; 0 is one for each processor")
		c.PreRunE = func(*cobra.Command, []string) error {
			if f.threads < 0 {
				return fmt.Errorf("--threads %d: want 0 or more", f.threads)
			}
			return nil
		}
		c.Flags().StringVar(&f.chain, "chain", "", "directory to search for bases that are not where they were")
	}
	cmd.AddCommand(pack, unpack, list, verify)
	return cmd
}

// openSnapshot opens a file with its chain.
func openSnapshot(ctx context.Context, path, dir string) (*lmc.Snapshot, error) {
	s, err := lmc.Open(path)
	if err != nil {
		return nil, err
	}
	if err := s.OpenChain(ctx, dir); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// readsChains refuses to write over a file that the result is made from.
func (a *app) readsChains(sources ...*lmc.Snapshot) error {
	for _, s := range sources {
		if err := a.alsoReads("the base", s.Chain()...); err != nil {
			return err
		}
	}
	return nil
}

// snapshotProgress is a bar of total bytes where standard error is a terminal.
func (a *app) snapshotProgress(what string, total int64) *report.Progress {
	if f, ok := a.stderr.(*os.File); ok && !a.quiet {
		return report.NewProgress(f, what, total)
	}
	return nil
}

func gigabytesPerSecond(bytes int64, seconds float64) float64 {
	return float64(bytes) / 1e9 / max(seconds, 1e-9)
}

func (a *app) snapshotPack(ctx context.Context, file string, f *snapshotFlags) error {
	if a.csv {
		return report.ErrNoTable // before the work, not after it
	}
	if f.maxChain < 1 || f.maxChain > lmc.MaxDepth {
		return fmt.Errorf("--max-chain %d: want 1 to %d", f.maxChain, lmc.MaxDepth)
	}
	in, err := openSnapshot(ctx, file, f.chain)
	if err != nil {
		return err
	}
	defer in.Close()
	opts := lmc.PackOptions{MaxDepth: f.maxChain, Threads: f.threads, Stats: a.json}
	if f.base != "" {
		if opts.Base, err = openSnapshot(ctx, f.base, f.chain); err != nil {
			return err
		}
		defer opts.Base.Close()
		if opts.BasePath, err = relative(filepath.Dir(f.out), f.base); err != nil {
			return err
		}
	}
	if err := a.readsChains(in, opts.Base); err != nil {
		return err
	}
	bar := a.snapshotProgress("pack", in.Size())
	opts.Progress = bar.Add
	start := time.Now()
	var res *lmc.PackResult
	err = atomicfile.Write(f.out, func(w io.Writer) error {
		res, err = lmc.Pack(ctx, w, in, opts)
		return err
	})
	bar.Stop()
	if err != nil {
		return err
	}
	seconds := time.Since(start).Seconds()
	r := &report.Result{Schema: "vcsim.snapshot.pack/1", Facts: []report.Fact{
		{Column: report.Column{Key: "file"}, Value: f.out},
		{Column: report.Column{Key: "raw_bytes", Unit: "bytes"}, Value: res.RawBytes},
		{Column: report.Column{Key: "packed_bytes", Unit: "bytes"}, Value: res.PackedBytes},
		{Column: report.Column{Key: "ratio", Digits: 4}, Value: float64(res.RawBytes) / float64(max(1, res.PackedBytes))},
		{Column: report.Column{Key: "time_s", Unit: "s", Digits: 3}, Value: seconds},
		{Column: report.Column{Key: "speed_gb_per_s", Unit: "GB/s", Digits: 3}, Value: gigabytesPerSecond(res.RawBytes, seconds)},
		{Column: report.Column{Key: "content"}, Value: res.Content.Full()},
		{Column: report.Column{Key: "bases"}, Value: res.Depth},
		{Column: report.Column{Key: "whole_tensors"}, Value: res.Tensors[lmc.Whole]},
		{Column: report.Column{Key: "xor_tensors"}, Value: res.Tensors[lmc.XOR]},
		{Column: report.Column{Key: "zigzag_tensors"}, Value: res.Tensors[lmc.Zigzag]},
		{Column: report.Column{Key: "step_tensors"}, Value: res.Tensors[lmc.Step]},
	}}
	if len(res.Groups) > 0 {
		r.Tables = []report.Table{groupTable(res.Groups), planeTable(res.Groups)}
	}
	if res.BaseDropped {
		r.Notes = append(r.Notes, fmt.Sprintf("Packed whole: its base has as many bases below it as --max-chain %d allows.", f.maxChain))
	}
	return a.print(r)
}

// groupTable has a row for the tensors of one type and mode. The bound of differences is that of their zigzag form.
func groupTable(groups []lmc.Group) report.Table {
	t := report.Table{Name: "groups", Columns: []report.Column{{Key: "dtype"}, {Key: "mode"}, {Key: "group_bytes", Unit: "bytes"}, {Key: "bound_bytes", Unit: "bytes", Digits: 0},
		{Key: "coded_bytes", Unit: "bytes"}}}
	for _, g := range groups {
		var size int64
		var bound float64
		for k := range g.Width {
			size += g.Bytes[k]
			bound += g.BoundBits[k] / 8
		}
		t.Rows = append(t.Rows, []any{g.DType.String(), g.Mode.String(), size, bound, g.Total})
	}
	return t
}

// planeTable has a row for each plane of the tensors of one type and mode. Steps are not coded by planes.
func planeTable(groups []lmc.Group) report.Table {
	t := report.Table{Name: "planes", Columns: []report.Column{{Key: "dtype"}, {Key: "mode"}, {Key: "plane"}, {Key: "plane_bytes", Unit: "bytes"},
		{Key: "bound_bytes", Unit: "bytes", Digits: 0}, {Key: "coded_bytes", Unit: "bytes"}, {Key: "bound_bits", Unit: "bits", Digits: 3}}}
	for _, g := range groups {
		for k := range g.Width {
			var coded any
			if g.Mode != lmc.Step {
				coded = g.Coded[k]
			}
			t.Rows = append(t.Rows, []any{g.DType.String(), g.Mode.String(), k, g.Bytes[k], g.BoundBits[k] / 8, coded, g.BoundBits[k] / float64(max(1, g.Bytes[k]))})
		}
	}
	return t
}

// checkpointRatio returns the compression ratio that s states, or that of the packed snapshot of that name.
func checkpointRatio(s string) (float64, error) {
	ratio, err := strconv.ParseFloat(s, 64)
	if err != nil {
		snapshot, openErr := lmc.Open(s)
		if errors.Is(openErr, fs.ErrNotExist) {
			return 0, fmt.Errorf("--ckpt-ratio %q is neither a number nor a file", s)
		} else if openErr != nil {
			return 0, fmt.Errorf("--ckpt-ratio: %w", openErr)
		}
		defer snapshot.Close()
		if !snapshot.Packed {
			return 0, fmt.Errorf("--ckpt-ratio %s: not packed; see 'vcsim snapshot pack'", s)
		}
		ratio = max(1, float64(snapshot.Size())/float64(snapshot.FileBytes()))
	}
	if !(ratio >= 1 && ratio <= 1000) {
		return 0, fmt.Errorf("--ckpt-ratio is %v, want 1 to 1000", ratio)
	}
	return ratio, nil
}

// relative returns the path of file from dir, with slashes.
func relative(dir, file string) (string, error) {
	from, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(from, to)
	return filepath.ToSlash(rel), err
}

func (a *app) snapshotUnpack(ctx context.Context, file string, f *snapshotFlags) error {
	s, err := openSnapshot(ctx, file, f.chain)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := a.readsChains(s); err != nil {
		return err
	}
	total := s.Size()
	if f.tensor != "" {
		total = -1
		for _, t := range s.Tensors() {
			if t.Name == f.tensor {
				total = t.Bytes
			}
		}
		if total < 0 {
			return fmt.Errorf("%s: no tensor %q", file, f.tensor)
		}
	}
	bar := a.snapshotProgress("unpack", total)
	opts := lmc.UnpackOptions{Threads: f.threads, Progress: bar.Add}
	start := time.Now()
	err = atomicfile.Write(f.out, func(w io.Writer) error {
		if f.tensor != "" {
			return lmc.UnpackTensor(ctx, w, s, f.tensor, opts)
		}
		return lmc.Unpack(ctx, w, s, opts)
	})
	bar.Stop()
	if err != nil {
		return err
	}
	seconds := time.Since(start).Seconds()
	return a.print(&report.Result{Schema: "vcsim.snapshot.unpack/1", Facts: []report.Fact{
		{Column: report.Column{Key: "file"}, Value: f.out},
		{Column: report.Column{Key: "raw_bytes", Unit: "bytes"}, Value: total},
		{Column: report.Column{Key: "time_s", Unit: "s", Digits: 3}, Value: seconds},
		{Column: report.Column{Key: "speed_gb_per_s", Unit: "GB/s", Digits: 3}, Value: gigabytesPerSecond(total, seconds)},
	}})
}

func (a *app) snapshotList(file string) error {
	s, err := lmc.Open(file)
	if err != nil {
		return err
	}
	defer s.Close()
	r := &report.Result{Schema: "vcsim.snapshot.list/1", Facts: []report.Fact{
		{Column: report.Column{Key: "packed"}, Value: s.Packed},
		{Column: report.Column{Key: "raw_bytes", Unit: "bytes"}, Value: s.Size()},
		{Column: report.Column{Key: "file_bytes", Unit: "bytes"}, Value: s.FileBytes()},
		{Column: report.Column{Key: "bases"}, Value: s.Depth()},
	}}
	if s.Packed {
		r.Facts = append(r.Facts, report.Fact{Column: report.Column{Key: "content"}, Value: s.Content().Full()})
	}
	if path, hash := s.BaseName(); s.Depth() > 0 {
		r.Facts = append(r.Facts, report.Fact{Column: report.Column{Key: "base"}, Value: path}, report.Fact{Column: report.Column{Key: "base_content"}, Value: hash.Full()})
	}
	t := report.Table{Name: "tensors", Columns: []report.Column{{Key: "name"}, {Key: "dtype"}, {Key: "shape"}, {Key: "mode"}, {Key: "tensor_bytes", Unit: "bytes"},
		{Key: "stored_bytes", Unit: "bytes"}, {Key: "blocks"}, {Key: "hash"}}}
	for _, i := range s.Tensors() {
		var hash any
		if s.Packed {
			hash = i.Hash.String()
		}
		t.Rows = append(t.Rows, []any{i.Name, i.DType.String(), report.Shape(i.Shape), i.Mode.String(), i.Bytes, i.Packed, i.Blocks, hash})
	}
	r.Tables = []report.Table{t}
	return a.print(r)
}

func (a *app) snapshotVerify(ctx context.Context, file string, f *snapshotFlags) error {
	damaged := func(err error) error { // an interruption keeps its own code
		var format lmc.FormatError
		var chain *lmc.ChainError
		if errors.As(err, &format) || errors.As(err, &chain) {
			return &exitError{exitMismatch, err}
		}
		return err
	}
	s, err := openSnapshot(ctx, file, f.chain)
	if err != nil {
		return damaged(err)
	}
	defer s.Close()
	bar := a.snapshotProgress("verify", s.Size())
	start := time.Now()
	err = lmc.Verify(ctx, s, 10, lmc.UnpackOptions{Threads: f.threads, Progress: bar.Add})
	bar.Stop()
	if err != nil {
		return damaged(err)
	}
	seconds := time.Since(start).Seconds()
	if err := s.Hash(ctx, nil); err != nil {
		return err
	}
	t := report.Table{Name: "chain", Columns: []report.Column{{Key: "file"}}}
	for _, member := range s.Chain() {
		t.Rows = append(t.Rows, []any{member})
	}
	return a.print(&report.Result{Schema: "vcsim.snapshot.verify/1", Facts: []report.Fact{
		{Column: report.Column{Key: "ok"}, Value: true},
		{Column: report.Column{Key: "content"}, Value: s.Content().Full()},
		{Column: report.Column{Key: "raw_bytes", Unit: "bytes"}, Value: s.Size()},
		{Column: report.Column{Key: "time_s", Unit: "s", Digits: 3}, Value: seconds},
		{Column: report.Column{Key: "speed_gb_per_s", Unit: "GB/s", Digits: 3}, Value: gigabytesPerSecond(s.Size(), seconds)},
	}, Tables: []report.Table{t}})
}
