package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"vcsim/internal/atomicfile"
	"vcsim/internal/config"
	"vcsim/internal/tensorcodec"
	"vcsim/sim"
	"vcsim/t264"
	"vcsim/t264/hwdec"
	"vcsim/t264/hwenc"
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

	changed func(flag string) bool // on the command line
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

A decoder has as many threads as lanes and four values a cycle. Bytes and samples are compared with those of the
software codec; a difference is exit code 1.`,
		Example: "  vcsim sim --threads 24 --lanes 24 plane.pgm\n" +
			"  vcsim sim --lanes 8,16,24,32 --bits 3 --json weights.pgm keys.pgm\n" +
			"  vcsim sim --unit dec --tier rdo --lanes 16 plane.pgm --trace t.json",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.changed = cmd.Flags().Changed
			if f.unit == "dec" {
				if !f.changed("bypass") {
					f.bypass = hwdec.DefaultSpec().Bypass
				}
				if !f.changed("values") {
					f.values = decValues
				}
			}
			if err := f.check(len(args)); err != nil {
				return err
			}
			return interruptible(cmd.Context(), func() error { return a.sim(cmd.Context(), args, &f) })
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.codec, "codec", "t264", "t264")
	flags.StringVar(&f.unit, "unit", "enc", "enc or dec")
	flags.IntSliceVar(&f.threads, "threads", nil, "frames in flight, 1 to 64 (default: as many as lanes)")
	flags.IntSliceVar(&f.lanes, "lanes", nil, "CABAC lanes (default: as many as threads, else 24)")
	flags.IntVar(&f.values, "values", 8, "values a cycle of the encoder's pixel path, 4 or 8")
	flags.IntVar(&f.bypass, "bypass", 4, "bypass bins a cycle of a lane: of an encoder 1 to 7, of a decoder 1 to 4 (default of a decoder: 1)")
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
	markOutputs(flags, "output", "trace", "vcd")
	c.MarkFlagsMutuallyExclusive("qp", "bits")
	return c
}

// A simJob is a plane with what the software codec makes of it.
type simJob struct {
	in     *input
	grid   tensorcodec.Grid
	coded  *tensorcodec.Coded
	slices []hwdec.Slice // one a frame of the encoder
	frames []hwenc.Frame
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
	activity *sim.Activity // nil in a sweep
	data     [][]byte      // by job
	seconds  float64
}

// A simCount is what an instance has done: values of its pixel path, operations of its lanes, bytes on the wire.
type simCount struct {
	values uint64
	ops    float64
	bytes  uint64
}

const (
	simMark   = 256
	decValues = 4 // a cycle of the decoder's pixel path
)

// maxLatency is that of a memory farther away than any.
const maxLatency = 1 << 20

// check refuses flags that do not go together, for so many planes.
func (f *simFlags) check(planes int) error {
	if f.codec != "t264" {
		return fmt.Errorf("--codec %s: there is a clocked model of t264 only", f.codec)
	}
	of := map[string][]string{"enc": {"latency", "output"}, "dec": {"tier"}}
	if of[f.unit] == nil {
		return fmt.Errorf("--unit %q: want enc or dec", f.unit)
	}
	if f.unit == "dec" && f.values != decValues {
		return fmt.Errorf("--values %d: the pixel path of a decoder does %d values a cycle; --instances are how it scales", f.values, decValues)
	}
	for unit, flags := range of {
		for _, flag := range flags {
			if unit != f.unit && f.changed(flag) {
				return fmt.Errorf("--%s is of --unit %s", flag, unit)
			}
		}
	}
	for _, list := range []struct {
		flag   string
		values []int
	}{{"threads", f.threads}, {"lanes", f.lanes}} {
		for _, v := range list.values {
			if v < 1 || v > 64 {
				return fmt.Errorf("--%s %d: want 1 to 64", list.flag, v)
			}
		}
	}
	if f.latency > maxLatency {
		return fmt.Errorf("--latency %d: want at most %d", f.latency, maxLatency)
	}
	if f.out != "" && filepath.Ext(f.out) != ".264" {
		return fmt.Errorf("-o %s: sim writes .264", f.out)
	}
	if f.out != "" && planes > 1 {
		return fmt.Errorf("-o writes the stream of one plane; %d were given", planes)
	}
	return nil
}

func (a *app) sim(ctx context.Context, paths []string, f *simFlags) error {
	fewerCollections()
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
				err := f.run(ctx, r, p, jobs, window, len(runs) == 1)
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
		if err := r.verify(jobs, f.unit); err != nil && mismatch == nil {
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
		if f.unit == "dec" {
			lanes = []int{16}
		}
	}
	add := func(t, l int) {
		e := f.encSpec(t, l, 32).Validate()
		if f.unit == "dec" {
			e = f.decSpec(l, 32).Validate()
			if t != l {
				e = fmt.Errorf("%d threads, %d lanes: a decoder has as many threads as lanes; a lane decodes slices one after the other, and more threads would hide next to nothing", t, l)
			}
		}
		if err == nil {
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

func (f *simFlags) encSpec(threads, lanes, frameMBs int) hwenc.Spec {
	return hwenc.Spec{Threads: threads, Lanes: lanes, Values: f.values, Bypass: f.bypass, FrameMBs: max(2, frameMBs)}
}

// decSpec suits frames of up to longest samples a side.
func (f *simFlags) decSpec(lanes, longest int) hwdec.Spec {
	s := hwdec.DefaultSpec()
	s.Lanes, s.Bypass, s.MBBits = lanes, f.bypass, max(1, bits.Len(uint((longest+15)/16-1)))
	return s
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
	if f.changed("qp") {
		o.Target = tensorcodec.Target{Kind: tensorcodec.TargetQP, Value: f.qp}
	}
	if j.coded, err = tensorcodec.EncodePlane(in.plane, j.grid, o); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if j.slices, err = hwdec.Slices(j.coded.Stream); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for i := range j.grid.Frames() {
		pix, stride := j.grid.Frame(in.plane, make([]byte, j.grid.FrameWidth*j.grid.FrameHeight), i)
		j.frames = append(j.frames, hwenc.Frame{Pix: pix, Width: j.grid.FrameWidth, Height: j.grid.FrameHeight, Stride: stride, QP16: int(16*j.coded.QP + .5)})
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

// A simInstance is an encoder or a decoder with its host.
type simInstance struct {
	kernel  *sim.Kernel
	observe func(*sim.Activity)
	count   func() simCount
	done    func() bool
	drained func() (uint64, bool)
	finish  func() (data [][]byte, err error)
}

// encoder returns an instance that codes the frames of p.
func (f *simFlags) encoder(r *simRun, p *simPart, jobs []*simJob) (*simInstance, error) {
	var frames []hwenc.Frame
	widest := 0
	for _, n := range p.jobs {
		j, i := frameOf(jobs, n)
		frames = append(frames, j.frames[i])
		widest = max(widest, (j.grid.FrameWidth+15)/16)
	}
	host, err := hwenc.NewHost(f.encSpec(r.threads, r.lanes, widest))
	if err != nil {
		return nil, err
	}
	host.Latency = f.latency
	if err := host.Begin(frames); err != nil {
		return nil, err
	}
	return &simInstance{
		kernel: &host.Kernel, observe: host.Unit.Observe, done: host.Done, drained: host.Drained,
		count: func() simCount { a := &host.Activity; return simCount{a.Values, float64(a.Ops), a.Bytes} },
		finish: func() ([][]byte, error) {
			if host.Unit.Overflow() {
				return nil, errors.New("a lane counted more outstanding bytes than it can")
			}
			return host.Data(), nil
		},
	}, nil
}

// decoder returns an instance that decodes the frames of p.
func (f *simFlags) decoder(r *simRun, p *simPart, jobs []*simJob) (*simInstance, error) {
	var frames [][]hwdec.Slice
	longest, bins, values := 0, 0., 0.
	for _, n := range p.jobs {
		j, i := frameOf(jobs, n)
		frames = append(frames, j.slices[i:i+1])
		longest = max(longest, j.grid.FrameWidth, j.grid.FrameHeight)
		bins += float64(j.coded.Bins.Regular+j.coded.Bins.Bypass) / float64(len(j.frames))
		values += float64((j.grid.FrameWidth + 15) &^ 15 * ((j.grid.FrameHeight + 15) &^ 15))
	}
	host, err := hwdec.NewHost(f.decSpec(r.lanes, longest))
	if err != nil {
		return nil, err
	}
	if err := host.Begin(frames); err != nil {
		return nil, err
	}
	return &simInstance{
		kernel: &host.Kernel, observe: host.Unit.Observe, done: host.Done, drained: host.Drained,
		count: func() simCount {
			a := &host.Activity
			return simCount{a.Values, bins / values * float64(a.Values), a.Bytes} // a bin is an operation
		},
		finish: func() ([][]byte, error) { return host.Data(), host.Err() },
	}, nil
}

// run runs one instance to its end. To observe its units takes twice the time.
func (f *simFlags) run(ctx context.Context, r *simRun, p *simPart, jobs []*simJob, window [2]uint64, observe bool) error {
	if len(p.jobs) == 0 {
		return fmt.Errorf("there are fewer frames than %d instances: use smaller ones (--frame) or more planes", f.instances)
	}
	samples := 0
	for _, n := range p.jobs {
		j, _ := frameOf(jobs, n)
		samples += (j.grid.FrameWidth + 15) &^ 15 * ((j.grid.FrameHeight + 15) &^ 15)
	}
	make := f.encoder
	if f.unit == "dec" {
		make = f.decoder
	}
	i, err := make(r, p, jobs)
	if err != nil {
		return err
	}
	k := i.kernel
	if observe {
		p.activity = new(sim.Activity)
		i.observe(p.activity)
		k.Watch(p.activity)
	}
	k.Watch(watchFunc(func(cycle uint64) {
		if cycle%simMark == 0 {
			p.marks = append(p.marks, i.count())
		}
	}))
	start := time.Now()
	// A lane takes at most about 70 operations for a value.
	err = f.traced(k, p.activity, window, func() error {
		err := k.RunUntil(func() bool { return i.done() || k.Cycle()%4096 == 0 && ctx.Err() != nil }, uint64(samples)*100+f.latency*uint64(samples)/256+1e6)
		if err != nil {
			return fmt.Errorf("%d threads, %d lanes: %w", r.threads, r.lanes, err)
		}
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	p.seconds, p.now, p.cycles = time.Since(start).Seconds(), i.count(), k.Cycle()
	p.drain, p.drained = i.drained()
	p.data, err = i.finish()
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
			return atomicfile.Write(f.trace, func(w io.Writer) error {
				t := sim.NewPerfetto(w, activity, window[0], window[1])
				k.Watch(t)
				return errors.Join(next(), t.Close())
			})
		}
	}
	if f.vcd == "" {
		return inner()
	}
	return atomicfile.Write(f.vcd, func(w io.Writer) error {
		v := sim.NewVCD(w, window[0], window[1])
		activity.Wires(v.Wire)
		k.Watch(v)
		return errors.Join(inner(), v.Close())
	})
}

// verify compares the bytes or samples of every frame with the software's.
func (r *simRun) verify(jobs []*simJob, unit string) error {
	for _, p := range r.parts {
		for i, n := range p.jobs {
			j, k := frameOf(jobs, n)
			if unit == "dec" {
				if x, y, ok := j.differs(p.data[i], k); ok {
					return fmt.Errorf("%s: frame %d: the sample at column %d, row %d from the model of %d lanes is not that of the software", j.in.path, k, x, y, r.lanes)
				}
				continue
			}
			if !bytes.Equal(p.data[i], j.slices[k].Data) {
				return fmt.Errorf("%s: frame %d: %d bytes from the model of %d threads and %d lanes are not the %d of the software", j.in.path, k, len(p.data[i]), r.threads, r.lanes, len(j.slices[k].Data))
			}
		}
	}
	return nil
}

// differs finds a sample of frame k that is not the one of the software.
func (j *simJob) differs(pix []byte, k int) (x, y int, ok bool) {
	want, stride := j.grid.Frame(j.coded.Recon, make([]byte, j.grid.FrameWidth*j.grid.FrameHeight), k)
	across := (j.grid.Width + j.grid.FrameWidth - 1) / j.grid.FrameWidth
	// What the grid pads is not in the reconstruction of the plane.
	w := min(j.grid.FrameWidth, j.grid.Width-k%across*j.grid.FrameWidth)
	h := min(j.grid.FrameHeight, j.grid.Height-k/across*j.grid.FrameHeight)
	for y := range h {
		for x := range w {
			if pix[y*((j.grid.FrameWidth+15)&^15)+x] != want[y*stride+x] {
				return x, y, true
			}
		}
	}
	return 0, 0, false
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
