package simrun

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"time"

	"vcsim/sim"
	"vcsim/t264/hwdec"
	"vcsim/t264/hwenc"
	hwenc265 "vcsim/t265/hwenc"
)

// markCycles is how often the counts of a run are noted.
const markCycles = 256

// A Result is one point of a sweep and what came out.
type Result struct {
	Point
	Jobs      []*Job
	unit      Unit
	instances []*instance
}

// An instance is one unit with its share of the frames. Its counts are sums since the start.
type instance struct {
	places   []place
	cycles   uint64
	total    count
	marks    []count // every markCycles
	drain    uint64  // cycle in which a thread found no frame
	drained  bool
	activity *sim.Activity // nil in a sweep
	data     [][]byte      // by place
	seconds  float64
}

// A count is what an instance has done: samples of its pixel path, operations of its lanes, bytes on the wire.
type count struct {
	samples uint64
	ops     float64
	bytes   uint64
}

// A Probe writes what a run of one instance did in a window of cycles.
type Probe struct {
	Trace, VCD io.Writer // nil: not written
	From, To   uint64
	Clock      float64 // Hz; 0: 1 GHz
}

// A Task is one point with the jobs that its instances share.
type Task struct {
	Point
	Jobs []*Job
}

// Run runs all tasks, their instances side by side on all cores, and calls step after each instance. A single task is observed, for Units
// and for the probe, which takes twice the time.
func (c *Config) Run(ctx context.Context, tasks []Task, probe *Probe, step func()) ([]*Result, error) {
	for _, t := range tasks {
		if n := NewWorkload(t.Jobs).Frames; n < c.Instances {
			return nil, fmt.Errorf("there are fewer frames (%d) than %d instances: use smaller ones (--frame), a larger plane or fewer --instances", n, c.Instances)
		}
	}
	limit := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wait sync.WaitGroup
	var results []*Result
	errs := make([][]error, len(tasks))
	for i, t := range tasks {
		p := t.Point
		r := &Result{Point: p, Jobs: t.Jobs, unit: c.Unit}
		results = append(results, r)
		errs[i] = make([]error, c.Instances)
		for k, places := range share(t.Jobs, c.Instances) {
			in := &instance{places: places}
			if len(tasks) == 1 {
				in.activity = new(sim.Activity)
			}
			r.instances = append(r.instances, in)
			wait.Go(func() {
				limit <- struct{}{}
				errs[i][k] = c.run(ctx, p, in, probe)
				<-limit
				step()
			})
		}
	}
	wait.Wait()
	for _, list := range errs {
		for _, err := range list { // one is enough to say
			if err != nil {
				return nil, err
			}
		}
	}
	return results, nil
}

// run runs one instance to its end.
func (c *Config) run(ctx context.Context, p Point, in *instance, probe *Probe) error {
	samples := uint64(0)
	for _, at := range in.places {
		w, h := at.job.coded()
		samples += uint64(w * h)
	}
	start := c.encoder
	switch {
	case c.Codec == T265:
		start = c.encoder265
	case c.Unit == Decoder:
		start = c.decoder
	}
	m, err := start(p, in.places)
	if err != nil {
		return err
	}
	closers := in.watch(m, probe)
	began := time.Now()
	// A lane takes at most about 70 operations for a value.
	limit := samples*100 + c.Latency*samples/256 + 1e6
	k := m.kernel
	err = k.RunUntil(func() bool { return m.done() || k.Cycle()%4096 == 0 && ctx.Err() != nil }, limit)
	if err != nil {
		err = fmt.Errorf("%d threads, %d lanes: %w", p.Threads, p.Lanes, err)
	} else {
		err = ctx.Err()
	}
	for _, closer := range closers {
		err = errors.Join(err, closer.Close())
	}
	if err != nil {
		return err
	}
	in.seconds, in.total, in.cycles = time.Since(began).Seconds(), m.count(), k.Cycle()
	if probe != nil && (probe.Trace != nil || probe.VCD != nil) && probe.From >= in.cycles {
		return fmt.Errorf("--window %d:%d is empty: the run has %d cycles", probe.From, probe.To, in.cycles)
	}
	in.drain, in.drained = m.drained()
	in.data, err = m.finish()
	return err
}

// watch notes counts, and observes the units for an instance that has an activity. What it returns is closed after the run.
func (in *instance) watch(m *machine, probe *Probe) (closers []io.Closer) {
	k := m.kernel
	if in.activity != nil {
		m.observe(in.activity)
		k.Watch(in.activity)
	}
	k.Watch(watchFunc(func(cycle uint64) {
		if cycle%markCycles == 0 {
			in.marks = append(in.marks, m.count())
		}
	}))
	if in.activity == nil || probe == nil {
		return nil
	}
	if probe.VCD != nil {
		v := sim.NewVCD(probe.VCD, probe.From, probe.To)
		v.Clock(probe.Clock)
		in.activity.Wires(v.Wire)
		k.Watch(v)
		closers = append(closers, v)
	}
	if probe.Trace != nil {
		t := sim.NewPerfetto(probe.Trace, in.activity, probe.From, probe.To)
		t.Clock(probe.Clock)
		k.Watch(t)
		closers = append(closers, t)
	}
	return closers
}

// A watchFunc is a sim.Watcher.
type watchFunc func(cycle uint64)

func (f watchFunc) Watch(cycle uint64) { f(cycle) }

// A machine is an encoder or a decoder with its host.
type machine struct {
	kernel  *sim.Kernel
	observe func(*sim.Activity)
	count   func() count
	done    func() bool
	drained func() (uint64, bool)
	finish  func() (data [][]byte, err error)
}

// encoder returns a machine that codes frames.
func (c *Config) encoder(p Point, places []place) (*machine, error) {
	var frames []hwenc.Frame
	widest := 0
	for _, at := range places {
		frames = append(frames, at.job.frames[at.frame])
		width, _ := at.job.coded()
		widest = max(widest, width/16)
	}
	host, err := hwenc.NewHost(c.encSpec(p, widest))
	if err != nil {
		return nil, err
	}
	host.Latency = c.Latency
	if err := host.Begin(frames); err != nil {
		return nil, err
	}
	return &machine{
		kernel: &host.Kernel, observe: host.Unit.Observe, done: host.Done, drained: host.Drained,
		count: func() count { a := &host.Activity; return count{a.Values, float64(a.Ops), a.Bytes} },
		finish: func() ([][]byte, error) {
			if host.Unit.Overflow() {
				return nil, errOverflow
			}
			return host.Data(), nil
		},
	}, nil
}

// encoder265 returns a machine that codes frames in T.265.
func (c *Config) encoder265(p Point, places []place) (*machine, error) {
	var frames []hwenc265.Frame
	widest := 0
	for _, at := range places {
		frames = append(frames, at.job.frame265(at.frame))
		width, _ := at.job.coded()
		widest = max(widest, width/16)
	}
	host, err := hwenc265.NewHost(c.encSpec265(p, widest))
	if err != nil {
		return nil, err
	}
	host.Latency = c.Latency
	if err := host.Begin(frames); err != nil {
		return nil, err
	}
	return &machine{
		kernel: &host.Kernel, observe: host.Unit.Observe, done: host.Done, drained: host.Drained,
		count: func() count { a := &host.Activity; return count{a.Values, float64(a.Ops), a.Bytes} },
		finish: func() ([][]byte, error) {
			if host.Unit.Overflow() {
				return nil, errOverflow
			}
			return host.Data(), nil
		},
	}, nil
}

var errOverflow = errors.New("a lane counted more outstanding bytes than it can")

// decoder returns a machine that decodes frames.
func (c *Config) decoder(p Point, places []place) (*machine, error) {
	var frames [][]hwdec.Slice
	longest, bins, values := 0, 0., 0.
	for _, at := range places {
		j := at.job
		frames = append(frames, j.slices[at.frame:at.frame+1])
		longest = max(longest, j.Grid.FrameWidth, j.Grid.FrameHeight)
		bins += float64(j.Coded.Bins.Regular+j.Coded.Bins.Bypass) / float64(len(j.frames))
		w, h := j.coded()
		values += float64(w * h)
	}
	host, err := hwdec.NewHost(c.decSpec(p, longest))
	if err != nil {
		return nil, err
	}
	if err := host.Begin(frames); err != nil {
		return nil, err
	}
	return &machine{
		kernel: &host.Kernel, observe: host.Unit.Observe, done: host.Done, drained: host.Drained,
		count: func() count {
			a := &host.Activity
			return count{a.Values, bins / values * float64(a.Values), a.Bytes} // a bin is an operation
		},
		finish: func() ([][]byte, error) { return host.Data(), host.Err() },
	}, nil
}
