package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vcsim/internal/atomicfile"
	"vcsim/internal/config"
	"vcsim/internal/simrun"
	"vcsim/internal/tensor"
	"vcsim/internal/tensorcodec"
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
	tensors               []string

	flags *pflag.FlagSet
}

func newSimCommand(a *app) *cobra.Command {
	f := simFlags{clock: 1e9}
	c := &cobra.Command{
		Use:   "sim PLANE|TENSORS...",
		Short: "Run a clocked model of the hardware on real planes",
		Long: `sim runs the clocked model of a hardware codec on planes of 8-bit codes (.pgm, or .raw with --size), cycle for
cycle as the Verilog under rtl/ does, and reports cycles, values, bins and bits a cycle, what every unit did, and the
throughput at a clock, area of the hardware and energy of the run. Of .safetensors and .npy files it runs on the tensors, or those that --tensor selects, each
quantised to codes with one scale.

Every plane has a row for every point; it does not matter what else runs. Values are those of the plane: padding of frames
takes cycles, bits and operations, and is told apart.

Planes are cut into frames; each thread of an instance codes one frame at a time. Lists in --threads and --lanes are a
sweep; its runs, and the --instances of each that share the frames, run side by side on all cores. "Steady" figures
leave out the start, until every thread works, and the end, from the first thread on that finds no frame.

A decoder has as many threads as lanes and four values a cycle. Of t265 there is an encoder. Bytes and samples are compared with those of the
software codec; a difference is exit code 1.`,
		Example: "  vcsim sim --threads 24 --lanes 24 plane.pgm\n" +
			"  vcsim sim --codec t265 --frame 256x256 plane.pgm\n" +
			"  vcsim sim --lanes 8,16,24,32 --bits 3 --json weights.pgm keys.pgm\n" +
			"  vcsim sim --unit dec --tier rdo --lanes 16 plane.pgm --trace t.json",
		Args: wantArgs(1, many),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := f.config(len(args))
			if err != nil {
				return err
			}
			return interruptible(cmd.Context(), func() error { return a.sim(cmd.Context(), args, &f, c) })
		},
	}
	flags, encoder := c.Flags(), simrun.DefaultConfig(simrun.T264, simrun.Encoder)
	f.flags = flags
	flags.StringVar(&f.codec, "codec", simrun.T264.String(), "t264, or t265, of which there is an encoder")
	flags.StringVar(&f.unit, "unit", "enc", "enc or dec")
	flags.IntSliceVar(&f.threads, "threads", nil, "frames in flight, 1 to 64 (default: as many as lanes)")
	flags.IntSliceVar(&f.lanes, "lanes", nil, fmt.Sprintf("CABAC lanes (default: as many as threads, else %d, of t265 %d)", simrun.DefaultLanes(simrun.T264, simrun.Encoder),
		simrun.DefaultLanes(simrun.T265, simrun.Encoder)))
	flags.IntVar(&f.values, "values", encoder.Values, "values a cycle of the encoder's pixel path, 4 or 8; of t265 8")
	flags.IntVar(&f.bypass, "bypass", encoder.Bypass, "bypass bins a cycle of a lane: of an encoder 1 to 7, of t265 4 to 7, of a decoder 1 to 4 (default of a decoder: 1)")
	flags.Float64Var(&f.qp, "qp", 0, "quantiser parameter, 0 to 51; fractions mix two")
	flags.Float64Var(&f.bits, "bits", 3, "target bits a value of every plane")
	flags.StringVar(&f.tier, "tier", "hw", "what the decoder gets: hw or rdo")
	flags.StringVar(&f.frame, "frame", "", "cut planes into frames of `WxH` (default: at most 256x256, less high where that gives every thread two)")
	flags.StringVar(&f.size, "size", "", "`WxH` of a .raw plane")
	flags.StringArrayVar(&f.tensors, "tensor", nil, "only tensors whose name matches `GLOB`; may be repeated")
	flags.Uint64Var(&f.latency, "latency", 0, "cycles that the memory takes to answer the encoder's request for samples")
	flags.Var(&f.clock, "clock", "clock `FREQUENCY` for throughput")
	flags.IntVar(&f.instances, "instances", encoder.Instances, "instances that share the frames")
	flags.StringVarP(&f.out, "output", "o", "", "write the stream of a single plane to this .264 or .265")
	flags.StringVar(&f.trace, "trace", "", "write what every unit did, for ui.perfetto.dev, to this JSON `file`")
	flags.StringVar(&f.vcd, "vcd", "", "write the handshakes of all streams to this value change dump `file`")
	flags.StringVar(&f.span, "window", "0:5000", "cycles `FROM:TO` of --trace and --vcd")
	markOutputs(flags, "output", "trace", "vcd")
	reserveFlags(flags, flagUnit, simrun.Encoder.String(), "latency", "output")
	reserveFlags(flags, flagUnit, simrun.Decoder.String(), "tier")
	exclusive(c, "qp", "bits")
	return c
}

// maxLatency is that of a memory farther away than any.
const maxLatency = 1 << 20

// config checks the flags that do not need the planes, for so many of them.
func (f *simFlags) config(planes int) (c simrun.Config, err error) {
	var codec simrun.Codec
	if err := codec.UnmarshalText([]byte(f.codec)); err != nil {
		return c, fmt.Errorf("--%w", err)
	}
	var unit simrun.Unit
	if err := unit.UnmarshalText([]byte(f.unit)); err != nil {
		return c, fmt.Errorf("--%w", err)
	}
	if codec == simrun.T265 && unit == simrun.Decoder {
		return c, errors.New("--unit dec: of t265 there is a clocked model of the encoder only")
	}
	c = simrun.DefaultConfig(codec, unit)
	limit := c.Values
	c.Latency, c.Instances = f.latency, f.instances
	if f.flags.Changed("values") {
		c.Values = f.values
	}
	if f.flags.Changed("bypass") {
		c.Bypass = f.bypass
	}
	if unit == simrun.Decoder && c.Values != simrun.DecoderValues {
		return c, fmt.Errorf("--values %d: the pixel path of a decoder does %d values a cycle; --instances are how it scales", c.Values, simrun.DecoderValues)
	}
	if codec == simrun.T265 && c.Values != limit {
		return c, fmt.Errorf("--values %d: the pixel path of t265 does %d values a cycle; --instances are how it scales", c.Values, limit)
	}
	if name, of := foreignFlag(f.flags, flagUnit, f.unit); name != "" {
		return c, fmt.Errorf("--%s is of --unit %s", name, of)
	}
	for _, list := range []struct {
		flag   string
		values []int
	}{{"threads", f.threads}, {"lanes", f.lanes}} {
		for _, v := range list.values {
			if v < 1 || v > 64 {
				return c, fmt.Errorf("--%s %d: want 1 to 64", list.flag, v)
			}
		}
	}
	if f.latency > maxLatency {
		return c, fmt.Errorf("--latency %d: want at most %d", f.latency, maxLatency)
	}
	if ext := strings.Replace(codec.String(), "t", ".", 1); f.out != "" && filepath.Ext(f.out) != ext {
		return c, fmt.Errorf("-o %s: sim writes %s", f.out, ext)
	}
	if f.out != "" && planes > 1 {
		return c, fmt.Errorf("-o writes the stream of one plane; %d were given", planes)
	}
	return c, nil
}

func (a *app) sim(ctx context.Context, paths []string, f *simFlags, c simrun.Config) error {
	fewerCollections()
	points, err := c.Sweep(f.threads, f.lanes)
	if err != nil {
		return err
	}
	if (f.trace != "" || f.vcd != "") && (len(points) > 1 || c.Instances > 1) {
		return errors.New("--trace and --vcd are of one run of one instance")
	}
	var planes []simPlane
	for _, path := range paths {
		p, err := f.load(path)
		if err != nil {
			return err
		}
		planes = append(planes, p...)
	}
	switch {
	case f.out != "" && len(planes) > 1:
		return fmt.Errorf("-o writes the stream of one plane; there are %d", len(planes))
	case f.out != "" && len(points) > 1:
		return errors.New("-o writes the stream of one run: give one number of --threads and --lanes")
	case (f.trace != "" || f.vcd != "") && len(planes) > 1:
		return fmt.Errorf("--trace and --vcd are of one plane; there are %d", len(planes))
	}
	var probe simrun.Probe
	if probe.From, probe.To, err = parseSpan(f.span); err != nil {
		return err
	}
	probe.Clock = float64(f.clock)
	var tasks []simrun.Task
	for _, p := range planes {
		jobs := map[[2]int]*simrun.Job{} // by frame size
		for _, point := range points {
			w, h, err := f.frameOf(&p, &c, point)
			if err != nil {
				return err
			}
			j := jobs[[2]int{w, h}]
			if j == nil {
				if j, err = f.job(&p, &c, w, h); err != nil {
					return err
				}
				jobs[[2]int{w, h}] = j
			}
			tasks = append(tasks, simrun.Task{Point: point, Jobs: []*simrun.Job{j}})
		}
	}
	runs := len(tasks) * c.Instances
	if runs == 1 {
		runs = 0 // one by one would be nothing and then all
	}
	bar := a.progress("simulating", runs)
	defer bar.Stop()
	var results []*simrun.Result
	err = f.traced(&probe, func() (err error) {
		results, err = c.Run(ctx, tasks, &probe, func() { bar.Add(1) })
		return err
	})
	if err != nil {
		return err
	}
	var mismatch error
	for _, r := range results {
		if err := r.Verify(); err != nil && mismatch == nil {
			mismatch = err
		}
	}
	if f.out != "" && mismatch == nil {
		stream, err := results[0].Stream(tasks[0].Jobs[0])
		if err != nil {
			return err
		}
		if err := writeAll(f.out, stream); err != nil {
			return err
		}
	}
	a.resolveSim(f, &c, points, tasks)
	r, err := a.simReport(f, &c, results)
	if err != nil {
		return err
	}
	if err := a.print(r); err != nil {
		return err
	}
	if mismatch != nil {
		return &exitError{exitMismatch, mismatch}
	}
	return nil
}

// resolveSim notes what flags stand for that were not given, each value once.
func (a *app) resolveSim(f *simFlags, c *simrun.Config, points []simrun.Point, tasks []simrun.Task) {
	values := map[string][]string{}
	add := func(flag string, v any) {
		if text := fmt.Sprint(v); !slices.Contains(values[flag], text) {
			values[flag] = append(values[flag], text)
		}
	}
	for _, p := range points {
		add("threads", p.Threads)
		add("lanes", p.Lanes)
	}
	for _, t := range tasks {
		for _, j := range t.Jobs {
			add("qp", j.Coded.QP)
			add("frame", fmt.Sprintf("%dx%d", j.Grid.FrameWidth, j.Grid.FrameHeight))
		}
	}
	add("values", c.Values)
	add("bypass", c.Bypass)
	if f.flags.Changed("qp") {
		add("bits", "") // the default is no target then
	}
	for flag, list := range values {
		a.resolve(flag, strings.Join(list, ","))
	}
}

// parseSpan reads FROM:TO.
func parseSpan(s string) (begin, end uint64, err error) {
	from, to, ok := strings.Cut(s, ":")
	begin, errA := strconv.ParseUint(from, 10, 63)
	end, errB := strconv.ParseUint(to, 10, 63)
	if !ok || errA != nil || errB != nil || begin >= end {
		return 0, 0, fmt.Errorf("--window %q: want FROM:TO in cycles", s)
	}
	return begin, end, nil
}

// A simPlane is what a job is made of.
type simPlane struct {
	name          string
	width, height int
	codes         []byte
}

// load reads a plane, or the tensors of a file as planes.
func (f *simFlags) load(path string) ([]simPlane, error) {
	in, err := openInput(path, f.size)
	if err != nil {
		return nil, err
	}
	defer in.close()
	if in.plane != nil {
		if len(f.tensors) > 0 {
			return nil, fmt.Errorf("--tensor is for tensors; %s is a plane", path)
		}
		return []simPlane{{path, in.width, in.height, in.plane}}, nil
	}
	var planes []simPlane
	sel := tensorcodec.Selection{Globs: f.tensors}
	for _, info := range in.source.Tensors() {
		ok, err := sel.Matches(info.Name)
		if err != nil {
			return nil, err
		}
		n, err := tensor.NumValues(info.Shape)
		if err != nil {
			return nil, fmt.Errorf("%s: tensor %q: %w", path, info.Name, err)
		}
		if named := slices.Contains(f.tensors, info.Name); !ok || n == 0 || len(info.Shape) == 0 || !info.DType.Codable() || info.DType.Integer() && !named {
			continue
		}
		raw, err := in.source.Read(info.Name, nil)
		if err != nil {
			return nil, err
		}
		m, err := tensorcodec.NewMatrix(info, raw, tensorcodec.TensorOptions{})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		planes = append(planes, simPlane{info.Name, m.Cols, m.Rows, m.Codes})
	}
	if len(planes) == 0 {
		return nil, fmt.Errorf("%s: no tensor with values that a codec takes matches %q", path, f.tensors)
	}
	return planes, nil
}

// frameOf is the size of the frames of a plane for a point.
func (f *simFlags) frameOf(p *simPlane, c *simrun.Config, point simrun.Point) (w, h int, err error) {
	if f.frame == "" {
		w, h = simrun.DefaultFrame(p.width, p.height, c.FramesWanted(point))
		return w, h, nil
	}
	w, h, err = parseSize("frame", f.frame)
	return min(w, p.width), min(h, p.height), err
}

// job codes a plane in software, in frames of a size.
func (f *simFlags) job(p *simPlane, c *simrun.Config, w, h int) (*simrun.Job, error) {
	grid, err := tensorcodec.NewGrid(p.width, p.height, w, h)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.name, err)
	}
	codec, err := tensorcodec.Lookup(f.codec)
	if err != nil {
		return nil, err
	}
	o := tensorcodec.Options{Codec: codec, Tier: "hw", Target: tensorcodec.Target{Kind: tensorcodec.TargetBits, Value: f.bits}}
	if c.Unit == simrun.Decoder {
		o.Tier = f.tier
	}
	if f.flags.Changed("qp") {
		o.Target = tensorcodec.Target{Kind: tensorcodec.TargetQP, Value: f.qp}
	}
	return simrun.NewJob(p.name, p.codes, grid, o)
}

// traced runs with --trace and --vcd, whose files are written whole or not at all.
func (f *simFlags) traced(p *simrun.Probe, run func() error) error {
	for _, file := range []struct {
		path string
		to   *io.Writer
	}{{f.trace, &p.Trace}, {f.vcd, &p.VCD}} {
		if file.path == "" {
			continue
		}
		inner := run
		run = func() error {
			return atomicfile.Write(file.path, func(w io.Writer) error {
				*file.to = w
				return inner()
			})
		}
	}
	return run()
}
