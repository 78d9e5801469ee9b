package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"vcsim/internal/config"
	"vcsim/internal/tensorcodec"
	"vcsim/sim"
	"vcsim/t264"
)

type simFlags struct {
	codec, unit, tier     string
	threads, lanes        []int
	values, bypass        int
	qp, bits              float64
	frame, size           string
	latency               uint64
	clock                 config.Hertz
	instances             int
	out, trace, vcd, span string
}

func newSimCommand(a *app) *cobra.Command {
	f := simFlags{clock: 1e9}
	c := &cobra.Command{
		Use:   "sim PLANE...",
		Short: "Run a clocked model of the hardware on real planes",
		Long: `sim runs the clocked model of a hardware codec on planes of 8-bit codes (.pgm, or .raw with --size), cycle for
cycle as the Verilog under rtl/ does, and reports cycles, values, bins and bits a cycle, what every unit did, and the
throughput at a clock.

Planes are cut into frames; each thread of an instance codes one frame at a time. Lists in --threads and --lanes are a
sweep; its runs, and the --instances of each that share the frames, run side by side on all cores. "Steady" figures
leave out the start, until every thread works, and the end, from the first thread on that finds no frame.

The bytes are compared with those of the software codec; a difference is exit code 1.`,
		Example: "  vcsim sim --threads 24 --lanes 24 plane.pgm\n" +
			"  vcsim sim --lanes 8,16,24,32 --bits 3 --json weights.pgm keys.pgm",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return interruptible(cmd.Context(), func() error { return a.sim(cmd.Context(), args, &f) })
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.codec, "codec", "t264", "t264")
	flags.StringVar(&f.unit, "unit", "enc", "enc or dec")
	flags.IntSliceVar(&f.threads, "threads", nil, "frames in flight, 1 to 64 (default: as many as lanes)")
	flags.IntSliceVar(&f.lanes, "lanes", nil, "CABAC lanes (default: as many as threads, else 24)")
	flags.IntVar(&f.values, "values", 8, "values a cycle of the encoder's pixel path, 4 or 8")
	flags.IntVar(&f.bypass, "bypass", 4, "bypass bins a cycle of an encoder lane, 1 to 7")
	flags.Float64Var(&f.qp, "qp", 0, "quantiser parameter, 0 to 51; fractions mix two")
	flags.Float64Var(&f.bits, "bits", 3, "target bits a value of every plane")
	flags.StringVar(&f.tier, "tier", "hw", "what the decoder gets: hw or rdo")
	flags.StringVar(&f.frame, "frame", "", "cut planes into frames of `WxH` (default: at most 256x256, less high where that gives every thread two)")
	flags.StringVar(&f.size, "size", "", "`WxH` of a .raw plane")
	flags.Uint64Var(&f.latency, "latency", 0, "cycles that the memory takes to answer the encoder's request for samples")
	flags.Var(&f.clock, "clock", "clock `FREQUENCY` for throughput")
	flags.IntVar(&f.instances, "instances", 1, "instances that share the frames")
	flags.StringVarP(&f.out, "output", "o", "", "write the stream of a single plane to this .264")
	flags.StringVar(&f.trace, "trace", "", "write what every unit did, for ui.perfetto.dev, to this JSON `file`")
	flags.StringVar(&f.vcd, "vcd", "", "write the handshakes of all streams to this value change dump `file`")
	flags.StringVar(&f.span, "window", "0:5000", "cycles `FROM:TO` of --trace and --vcd")
	c.MarkFlagsMutuallyExclusive("qp", "bits")
	return c
}

// A simJob is a plane with what the software codec makes of it.
type simJob struct {
	in     *input
	grid   tensorcodec.Grid
	coded  *tensorcodec.Coded
	slices []t264.SliceData // one a frame of the encoder
	frames []t264.HostFrame
}

// A simRun is one point of a sweep and what came out.
type simRun struct {
	threads, lanes int
	parts          []*simPart // by instance
	err            error
}

// A simPart is one instance. Its counts are sums since the start.
type simPart struct {
	jobs     []int // frames, as indices over all planes
	cycles   uint64
	now      simCount
	marks    []simCount // every simMark cycles
	drain    uint64
	drained  bool
	activity *sim.Activity
	data     [][]byte // by job
	seconds  float64
}

// A simCount is what an instance has done: values of its pixel path, operations of its lanes, bytes on the wire.
type simCount struct{ values, ops, bytes uint64 }

const simMark = 256

func (a *app) sim(ctx context.Context, paths []string, f *simFlags) error {
	fewerCollections()
	if f.codec != "t264" {
		return fmt.Errorf("--codec %s: there is a clocked model of t264 only", f.codec)
	}
	if f.unit != "enc" && f.unit != "dec" {
		return fmt.Errorf("--unit %q: want enc or dec", f.unit)
	}
	runs, err := f.sweep()
	if err != nil {
		return err
	}
	if (f.trace != "" || f.vcd != "") && (len(runs) > 1 || f.instances > 1) {
		return errors.New("--trace and --vcd are of one run of one instance")
	}
	window, err := parseSpan(f.span)
	if err != nil {
		return err
	}
	if f.out != "" && len(paths) > 1 {
		return fmt.Errorf("-o writes the stream of one plane; %d were given", len(paths))
	}
	most := 0
	for _, r := range runs {
		most = max(most, r.threads)
	}
	var jobs []*simJob
	for _, path := range paths {
		j, err := f.load(path, most, len(paths))
		if err != nil {
			return err
		}
		jobs = append(jobs, j)
	}
	bar := a.progress("simulating", len(runs)*f.instances)
	defer bar.Stop()
	limit := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wait sync.WaitGroup
	var once sync.Mutex
	for _, r := range runs {
		r.share(jobs, f.instances)
		for _, p := range r.parts {
			wait.Add(1)
			go func() {
				defer wait.Done()
				limit <- struct{}{}
				err := f.runEncoder(ctx, r, p, jobs, window)
				<-limit
				bar.Add(1)
				if err != nil {
					once.Lock()
					r.err = errors.Join(r.err, err)
					once.Unlock()
				}
			}()
		}
	}
	wait.Wait()
	var mismatch error
	for _, r := range runs {
		if r.err != nil {
			return r.err
		}
		if err := r.verify(jobs); err != nil && mismatch == nil {
			mismatch = err
		}
	}
	if f.out != "" && mismatch == nil {
		if err := f.writeStream(runs[0], jobs[0]); err != nil {
			return err
		}
	}
	if err := a.print(f.report(runs, jobs)); err != nil {
		return err
	}
	if mismatch != nil {
		return &exitError{exitMismatch, mismatch}
	}
	return nil
}

// sweep lists the points of --threads and --lanes.
func (f *simFlags) sweep() (runs []*simRun, err error) {
	threads, lanes := f.threads, f.lanes
	if len(lanes) == 0 && len(threads) == 0 {
		lanes = []int{24}
	}
	add := func(t, l int) {
		spec := f.encSpec(t, l, 2)
		if e := spec.Validate(); e != nil && err == nil {
			err = e
		}
		runs = append(runs, &simRun{threads: t, lanes: l})
	}
	switch {
	case len(lanes) == 0:
		for _, t := range threads {
			add(t, t)
		}
	case len(threads) == 0:
		for _, l := range lanes {
			add(l, l)
		}
	default:
		for _, t := range threads {
			for _, l := range lanes {
				if len(threads)*len(lanes) == 1 || l >= 1 && l <= t && t%l == 0 {
					add(t, l)
				}
			}
		}
		if len(runs) == 0 {
			err = errors.New("no number of --threads is a multiple of one of --lanes")
		}
	}
	if err == nil && f.instances < 1 {
		err = fmt.Errorf("--instances %d: want 1 or more", f.instances)
	}
	return runs, err
}

func (f *simFlags) encSpec(threads, lanes, frameMBs int) t264.EncSpec {
	return t264.EncSpec{Threads: threads, Lanes: lanes, Values: f.values, Bypass: f.bypass, FrameMBs: max(2, frameMBs)}
}

// parseSpan reads FROM:TO.
func parseSpan(s string) (w [2]uint64, err error) {
	from, to, ok := strings.Cut(s, ":")
	a, errA := strconv.ParseUint(from, 10, 63)
	b, errB := strconv.ParseUint(to, 10, 63)
	if !ok || errA != nil || errB != nil || a >= b {
		return w, fmt.Errorf("--window %q: want FROM:TO in cycles", s)
	}
	return [2]uint64{a, b}, nil
}

// load reads a plane and codes it in software.
func (f *simFlags) load(path string, threads, planes int) (*simJob, error) {
	in, err := openInput(path, f.size)
	if err != nil {
		return nil, err
	}
	defer in.close()
	if in.plane == nil {
		return nil, fmt.Errorf("%s: sim runs on planes of 8-bit codes: want .pgm or .raw", path)
	}
	w, h, err := parseSize(f.frame)
	if err != nil {
		return nil, err
	}
	if f.frame == "" {
		w, h = defaultFrame(in.width, in.height, (2*threads*f.instances+planes-1)/planes)
	}
	j := &simJob{in: in}
	if j.grid, err = tensorcodec.NewGrid(in.width, in.height, w, h); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	codec, err := tensorcodec.Lookup(f.codec)
	if err != nil {
		return nil, err
	}
	o := tensorcodec.Options{Codec: codec, Tier: "hw", Target: tensorcodec.Target{Kind: tensorcodec.TargetBits, Value: f.bits}}
	if f.unit == "dec" {
		o.Tier = f.tier
	}
	if f.qp != 0 {
		o.Target = tensorcodec.Target{Kind: tensorcodec.TargetQP, Value: f.qp}
	}
	if j.coded, err = tensorcodec.EncodePlane(in.plane, j.grid, o); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if j.slices, err = t264.Slices(j.coded.Stream); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for i := range j.grid.Frames() {
		pix, stride := j.grid.Frame(in.plane, make([]byte, j.grid.FrameWidth*j.grid.FrameHeight), i)
		j.frames = append(j.frames, t264.HostFrame{Pix: pix, Width: j.grid.FrameWidth, Height: j.grid.FrameHeight, Stride: stride, QP16: int(16*j.coded.QP + .5)})
	}
	return j, nil
}

// defaultFrame is at most 256x256, less high where that gives count frames.
func defaultFrame(width, height, count int) (w, h int) {
	w, h = min(width, 256), min(height, 256)
	for h > 32 && (width+w-1)/w*((height+h-1)/h) < count {
		h = (h/2 + 15) &^ 15
	}
	return w, h
}

// share gives the frames of all planes to instances, in turn.
func (r *simRun) share(jobs []*simJob, instances int) {
	r.parts = make([]*simPart, instances)
	for i := range r.parts {
		r.parts[i] = &simPart{}
	}
	n := 0
	for _, j := range jobs {
		for range j.frames {
			p := r.parts[n%instances]
			p.jobs = append(p.jobs, n)
			n++
		}
	}
}

// frame finds frame n over all planes.
func frameOf(jobs []*simJob, n int) (*simJob, int) {
	for _, j := range jobs {
		if n < len(j.frames) {
			return j, n
		}
		n -= len(j.frames)
	}
	panic("no such frame")
}

// runEncoder runs one instance to its end.
func (f *simFlags) runEncoder(ctx context.Context, r *simRun, p *simPart, jobs []*simJob, window [2]uint64) error {
	var list []t264.HostFrame
	widest, samples := 0, 0
	for _, n := range p.jobs {
		j, i := frameOf(jobs, n)
		list = append(list, j.frames[i])
		widest = max(widest, (j.grid.FrameWidth+15)/16)
		samples += (j.grid.FrameWidth + 15) &^ 15 * ((j.grid.FrameHeight + 15) &^ 15)
	}
	spec := f.encSpec(r.threads, r.lanes, widest)
	host, err := t264.NewEncoderHost(spec)
	if err != nil {
		return err
	}
	host.Latency = f.latency
	if err := host.Begin(list); err != nil {
		return err
	}
	p.activity = new(sim.Activity)
	host.Unit.Observe(p.activity)
	k := &host.Kernel
	k.Watch(p.activity)
	k.Watch(watchFunc(func(cycle uint64) {
		a := &host.Activity
		p.now = simCount{a.Values, a.Ops, a.Bytes}
		if cycle%simMark == 0 {
			p.marks = append(p.marks, p.now)
		}
	}))
	start := time.Now()
	// A lane takes at most about 70 operations for a value.
	err = f.traced(k, p.activity, window, func() error {
		limit := uint64(samples)*100 + 1e6
		for done := func() bool { return host.Done() || k.Cycle()%4096 == 0 && ctx.Err() != nil }; ; {
			if err := k.RunUntil(done, limit); err != nil {
				return fmt.Errorf("%d threads, %d lanes: %w", r.threads, r.lanes, err)
			}
			return ctx.Err()
		}
	})
	p.seconds = time.Since(start).Seconds()
	p.cycles, p.data = k.Cycle(), host.Data()
	p.drain, p.drained = host.Drained()
	if err == nil && host.Unit.Overflow() {
		err = errors.New("a lane counted more outstanding bytes than it can")
	}
	return err
}

// A watchFunc is a sim.Watcher.
type watchFunc func(cycle uint64)

func (f watchFunc) Watch(cycle uint64) { f(cycle) }

// traced runs with --trace and --vcd, whose files are written whole or not at all.
func (f *simFlags) traced(k *sim.Kernel, activity *sim.Activity, window [2]uint64, run func() error) error {
	inner := run
	if f.trace != "" {
		next := inner
		inner = func() error {
			return tensorcodec.WriteFile(f.trace, func(w io.Writer) error {
				t := sim.NewPerfetto(w, activity, window[0], window[1])
				k.Watch(t)
				return errors.Join(next(), t.Close())
			})
		}
	}
	if f.vcd == "" {
		return inner()
	}
	return tensorcodec.WriteFile(f.vcd, func(w io.Writer) error {
		v := sim.NewVCD(w, window[0], window[1])
		activity.Wires(v.Wire)
		k.Watch(v)
		return errors.Join(inner(), v.Close())
	})
}

// verify compares the bytes of every frame with the software's.
func (r *simRun) verify(jobs []*simJob) error {
	for _, p := range r.parts {
		for i, n := range p.jobs {
			j, k := frameOf(jobs, n)
			if !bytes.Equal(p.data[i], j.slices[k].Data) {
				return fmt.Errorf("%s: frame %d: %d bytes from the model of %d threads and %d lanes, %d other ones from the software", j.in.path, k, len(p.data[i]), r.threads, r.lanes, len(j.slices[k].Data))
			}
		}
	}
	return nil
}

// writeStream writes the stream of the one plane with the slices that the hardware made.
func (f *simFlags) writeStream(r *simRun, j *simJob) error {
	codec, err := tensorcodec.Lookup(f.codec)
	if err != nil {
		return err
	}
	e, err := codec.NewEncoder(tensorcodec.Config{Width: j.grid.FrameWidth, Height: j.grid.FrameHeight, Tier: "hw", FineQP: j.frames[0].QP16&15 != 0})
	if err != nil {
		return err
	}
	data := make([][]byte, len(j.frames))
	for _, p := range r.parts {
		for i, n := range p.jobs {
			data[n] = p.data[i]
		}
	}
	stream := e.AppendHeader(nil)
	for i, d := range data {
		stream = t264.AppendSliceNAL(stream, d, j.frames[i].QP16>>4, i)
	}
	return writeAll(f.out, stream)
}
