package simrun

import (
	"slices"
	"strings"

	"vcsim/sim"
)

// A Workload is what the software codec made of all jobs of a sweep.
type Workload struct {
	Values, Frames                 int
	Samples                        int     // values and padding
	Bytes, BinsRegular, BinsBypass float64 // of the slices
}

// NewWorkload adds jobs up.
func NewWorkload(jobs []*Job) Workload {
	var w Workload
	for _, j := range jobs {
		w.Values += len(j.Plane)
		width, height := j.coded()
		w.Samples += len(j.frames) * width * height
		w.Frames += len(j.frames)
		w.BinsRegular += float64(j.Coded.Bins.Regular)
		w.BinsBypass += float64(j.Coded.Bins.Bypass)
		for _, s := range j.slices {
			w.Bytes += float64(len(s.Data))
		}
	}
	return w
}

// BitsPerValue is the size of the slices.
func (w *Workload) BitsPerValue() float64 { return 8 * w.Bytes / float64(w.Values) }

// BinsPerValue are the bins of the arithmetic coder.
func (w *Workload) BinsPerValue() (regular, bypass float64) {
	return w.BinsRegular / float64(w.Values), w.BinsBypass / float64(w.Values)
}

// Padding is how many samples the hardware codes beside the values, by their share: of frames at the edge of a plane, and of
// macroblocks at the edge of a frame.
func (w *Workload) Padding() float64 { return float64(w.Samples)/float64(w.Values) - 1 }

// A rate is the mean over a span of cycles of an instance. Values are those of the planes; samples are what the pixel path
// takes, values and padding.
type rate struct{ values, samples, ops, bits float64 } // a cycle

// rates returns the means over all cycles and over those in which the instance was fully loaded, which may be none.
func (in *instance) rates() (all, steady rate, ok bool) {
	share := in.valueShare()
	mean := func(from, to count, cycles uint64) rate {
		c := float64(cycles)
		samples := float64(to.samples-from.samples) / c
		return rate{share * samples, samples, (to.ops - from.ops) / c, 8 * float64(to.bytes-from.bytes) / c}
	}
	all = mean(count{}, in.total, max(1, in.cycles))
	end := in.drain / markCycles
	if begin := (end + 4) / 5; in.drained && end >= begin+8 {
		return all, mean(in.marks[begin], in.marks[end], (end-begin)*markCycles), true
	}
	return all, all, false
}

// valueShare is the part of the samples of an instance that are values of a plane and not padding.
func (in *instance) valueShare() float64 {
	values, samples := 0, 0
	for _, at := range in.places {
		w, h := at.job.coded()
		samples += w * h
		w, h = at.job.inside(at.frame)
		values += w * h
	}
	return float64(values) / float64(max(1, samples))
}

// OperationsPerValue is what a lane of the first instance did for a value, nil where it had none.
func (r *Result) OperationsPerValue() *float64 {
	in := r.instances[0]
	values := in.valueShare() * float64(in.total.samples)
	if values == 0 {
		return nil
	}
	ops := in.total.ops / values
	return &ops
}

// A Count is what an instance did in all.
type Count struct {
	Cycles, Samples uint64 // samples of the pixel path, values and padding
	Bytes           uint64 // of slices
}

// Counts are what each instance did.
func (r *Result) Counts() (list []Count) {
	for _, in := range r.instances {
		list = append(list, Count{in.cycles, in.total.samples, in.total.bytes})
	}
	return list
}

// Figures are those of one point: of all its instances together unless said otherwise.
type Figures struct {
	Point
	Jobs      []*Job
	Instances int
	Cycles    uint64 // of the slowest instance

	Values       float64  // a cycle
	SteadyValues float64  // the same while every thread had a frame
	Gain         *float64 // steady values of one instance that each further lane gave, against the point before; nil without one

	LanesBusy, PixelsBusy float64 // percent, while steady; the pixel path is busy with padding too
	PaddingSamples        float64 // a cycle, while steady
	Bins, Bits            float64 // a cycle, while steady
	PayloadBPS, WireBPS   float64 // at the clock
	Per100Gbps            float64 // instances for 100 Gbps of payload
	KCyclesPerS           float64 // simulated
	Short                 bool    // some thread was never loaded for long: steady is all
}

// Summarise works the figures out, at a clock in Hz.
func (c *Config) Summarise(results []*Result, clock float64) []Figures {
	var list []Figures
	for n, r := range results {
		var all, steady rate
		w := NewWorkload(r.Jobs)
		f := Figures{Point: r.Point, Jobs: r.Jobs, Instances: len(r.instances)}
		for _, in := range r.instances {
			a, s, ok := in.rates()
			f.Short = f.Short || !ok
			all = rate{all.values + a.values, all.samples + a.samples, all.ops + a.ops, all.bits + a.bits}
			steady = rate{steady.values + s.values, steady.samples + s.samples, steady.ops + s.ops, steady.bits + s.bits}
			f.Cycles = max(f.Cycles, in.cycles)
			f.KCyclesPerS += float64(in.cycles) / in.seconds / 1e3
		}
		k := float64(len(r.instances))
		f.Values, f.SteadyValues = all.values, steady.values
		if n > 0 && r.sameJobs(results[n-1]) && r.Lanes > results[n-1].Lanes && r.Threads >= results[n-1].Threads {
			_, before, _ := results[n-1].instances[0].rates()
			gain := (steady.values/k - before.values) / float64(r.Lanes-results[n-1].Lanes)
			f.Gain = &gain
		}
		f.LanesBusy, f.PixelsBusy = 100*steady.ops/k/float64(r.Lanes), 100*steady.samples/k/float64(c.Values)
		f.Bins, f.Bits = (w.BinsRegular+w.BinsBypass)/float64(w.Values)*steady.values, steady.bits
		f.PayloadBPS, f.WireBPS = 16*steady.values*clock, steady.bits*clock
		f.PaddingSamples = steady.samples - steady.values
		f.Per100Gbps = 100 * k / (f.PayloadBPS / 1e9)
		list = append(list, f)
	}
	return list
}

// UnitFigures are what units of a kind did.
type UnitFigures struct {
	Kind                 string
	Count                int
	Percent              [sim.NumStates]float64 // of the cycles, by state
	BlockedBy, StarvedBy string                 // kind that most of it is due to; "" for none
}

// sameJobs reports whether two runs are of the same planes, perhaps cut differently.
func (r *Result) sameJobs(o *Result) bool {
	return slices.EqualFunc(r.Jobs, o.Jobs, func(a, b *Job) bool {
		return a.Name == b.Name && len(a.Plane) == len(b.Plane) && (len(a.Plane) == 0 || &a.Plane[0] == &b.Plane[0])
	})
}

// Units says what the units of a run that was observed did, by kind.
func (r *Result) Units() []UnitFigures {
	a := r.instances[0].activity
	if a == nil {
		return nil
	}
	type group struct {
		cycles           [sim.NumStates]uint64
		count            int
		blocked, starved map[string]uint64
	}
	groups := map[string]*group{}
	var order []string
	units := a.Units()
	kind := func(i int) string {
		if i == len(units) {
			return "outside"
		}
		return units[i].Kind
	}
	for i, u := range units {
		name := kind(i)
		g := groups[name]
		if g == nil {
			g = &group{blocked: map[string]uint64{}, starved: map[string]uint64{}}
			groups[name] = g
			order = append(order, name)
		}
		g.count++
		for s, n := range u.Cycles {
			g.cycles[s] += n
		}
		for j, n := range u.BlockedBy {
			g.blocked[kind(j)] += n
		}
		for j, n := range u.StarvedBy {
			g.starved[kind(j)] += n
		}
	}
	var list []UnitFigures
	for _, name := range order {
		g := groups[name]
		f := UnitFigures{Kind: name, Count: g.count, BlockedBy: mostOf(g.blocked), StarvedBy: mostOf(g.starved)}
		for s, n := range g.cycles {
			f.Percent[s] = 100 * float64(n) / float64(g.count) / float64(max(1, a.Cycles()))
		}
		list = append(list, f)
	}
	return list
}

// mostOf names what has the largest count, or nothing.
func mostOf(m map[string]uint64) string {
	var names []string
	for name, n := range m {
		if n > 0 {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	slices.SortFunc(names, func(a, b string) int {
		if m[a] != m[b] {
			return int(int64(m[b]) - int64(m[a]))
		}
		return strings.Compare(a, b)
	})
	return names[0]
}
