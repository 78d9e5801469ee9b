package simrun

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"vcsim/internal/tensorcodec"
)

// job is a plane of seeded Gaussian codes, cut into frames and coded at a quantiser parameter, in T.264.
func job(t *testing.T, width, height, frameWidth, frameHeight int, qp float64) *Job {
	t.Helper()
	return jobOf(t, T264, width, height, frameWidth, frameHeight, qp)
}

// jobOf is job in a codec.
func jobOf(t *testing.T, in Codec, width, height, frameWidth, frameHeight int, qp float64) *Job {
	t.Helper()
	random := rand.New(rand.NewPCG(1, uint64(width)))
	plane := make([]byte, width*height)
	for i := range plane {
		plane[i] = byte(max(0, min(255, 128+20*random.NormFloat64())))
	}
	grid, err := tensorcodec.NewGrid(width, height, frameWidth, frameHeight)
	if err != nil {
		t.Fatal(err)
	}
	codec, err := tensorcodec.Lookup(in.String())
	if err != nil {
		t.Fatal(err)
	}
	j, err := NewJob("plane", plane, grid, tensorcodec.Options{Codec: codec, Tier: "hw", Target: tensorcodec.Target{Kind: tensorcodec.TargetQP, Value: qp}})
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// tasks runs all points on the same jobs.
func tasks(points []Point, jobs []*Job) (list []Task) {
	for _, p := range points {
		list = append(list, Task{p, jobs})
	}
	return list
}

// TestPadding: rates count values of the plane alone, whatever the frames hold beside, and padding is told apart.
func TestPadding(t *testing.T) {
	for _, unit := range []Unit{Encoder, Decoder} {
		for _, tt := range []struct{ width, height, frameWidth, frameHeight int }{
			{64, 64, 32, 32},  // none
			{72, 64, 64, 32},  // frames at the right edge
			{17, 64, 17, 32},  // macroblocks
			{100, 50, 64, 48}, // all edges
		} {
			j := job(t, tt.width, tt.height, tt.frameWidth, tt.frameHeight, 30)
			c := DefaultConfig(T264, unit)
			c.Instances = 2
			results, err := c.Run(t.Context(), tasks([]Point{{2, 2}}, []*Job{j}), nil, func() {})
			if err != nil {
				t.Fatal(err)
			}
			values, samples := 0., uint64(0)
			for _, in := range results[0].instances {
				all, _, _ := in.rates()
				values += all.values * float64(in.cycles)
				samples += in.total.samples
			}
			if math.Abs(values-float64(tt.width*tt.height)) > 1e-6 {
				t.Errorf("%v %+v: %g values in all, the plane has %d", unit, tt, values, tt.width*tt.height)
			}
			w := NewWorkload([]*Job{j})
			if uint64(w.Samples) != samples || w.Values != tt.width*tt.height || math.Abs(w.Padding()-(float64(samples)/values-1)) > 1e-9 {
				t.Errorf("%v %+v: %+v, the hardware coded %d samples", unit, tt, w, samples)
			}
			f := c.Summarise(results, 1e9)[0]
			if (f.PaddingSamples > 0) != (samples > uint64(w.Values)) || math.Abs(f.PayloadBPS/(16e9*f.SteadyValues)-1) > 1e-9 {
				t.Errorf("%v %+v: %+v", unit, tt, f)
			}
		}
	}
}

func TestSweep(t *testing.T) {
	for _, tt := range []struct {
		unit           Unit
		threads, lanes []int
		want           []Point
		complain       string
	}{
		{Encoder, nil, nil, []Point{{24, 24}}, ""},
		{Decoder, nil, nil, []Point{{16, 16}}, ""},
		{Encoder, []int{3, 5}, nil, []Point{{3, 3}, {5, 5}}, ""},
		{Encoder, nil, []int{8, 4}, []Point{{8, 8}, {4, 4}}, ""},
		{Encoder, []int{8, 12}, []int{4, 6, 8}, []Point{{8, 4}, {8, 8}, {12, 4}, {12, 6}}, ""},
		{Encoder, []int{8, 9}, []int{5, 7}, nil, "multiple"},
		{Encoder, []int{8}, []int{5}, nil, "not a multiple"},
		{Encoder, nil, []int{4, 65}, nil, "Threads is 65"},
		{Decoder, []int{8}, []int{4}, nil, "as many threads as lanes"},
		{Decoder, nil, []int{1}, nil, "Lanes is 1"},
	} {
		c := DefaultConfig(T264, tt.unit)
		got, err := c.Sweep(tt.threads, tt.lanes)
		if tt.complain != "" {
			if err == nil || !strings.Contains(err.Error(), tt.complain) {
				t.Errorf("%v, threads %v, lanes %v: %v, want %q", tt.unit, tt.threads, tt.lanes, err, tt.complain)
			}
			continue
		}
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%v, threads %v, lanes %v: got %v, %v, want %v", tt.unit, tt.threads, tt.lanes, got, err, tt.want)
		}
	}
	c := DefaultConfig(T264, Encoder)
	c.Instances = 0
	if _, err := c.Sweep(nil, []int{4}); err == nil {
		t.Error("no instances: no error")
	}
}

func TestUnitNames(t *testing.T) {
	for _, u := range []Unit{Encoder, Decoder} {
		var back Unit
		if err := back.UnmarshalText([]byte(u.String())); err != nil || back != u {
			t.Errorf("%v comes back as %v, %v", u, back, err)
		}
	}
	var u Unit
	if err := u.UnmarshalText([]byte("both")); err == nil {
		t.Error("both: no error")
	}
	for _, c := range []Codec{T264, T265} {
		var back Codec
		if err := back.UnmarshalText([]byte(c.String())); err != nil || back != c {
			t.Errorf("%v comes back as %v, %v", c, back, err)
		}
	}
	var c Codec
	if err := c.UnmarshalText([]byte("t266")); err == nil {
		t.Error("t266: no error")
	}
	c265 := DefaultConfig(T265, Decoder)
	if _, err := c265.Sweep(nil, nil); err == nil {
		t.Error("a decoder of t265: no error")
	}
}

// TestDefaultFrame: frames are at most 256 a side, of whole macroblocks where they are made lower, and as many as wanted where 32 rows allow it.
func TestDefaultFrame(t *testing.T) {
	for _, tt := range []struct{ width, height, count, w, h int }{
		{1000, 1000, 1, 256, 256},
		{100, 50, 1, 100, 50},
		{256, 256, 2, 256, 128},
		{256, 256, 8, 256, 32},
		{256, 256, 100, 256, 32},
		{1024, 1024, 17, 256, 128},
	} {
		if w, h := DefaultFrame(tt.width, tt.height, tt.count); w != tt.w || h != tt.h {
			t.Errorf("%dx%d, %d frames: %dx%d, want %dx%d", tt.width, tt.height, tt.count, w, h, tt.w, tt.h)
		}
	}
	c := DefaultConfig(T264, Encoder)
	c.Instances = 2
	if got := c.FramesWanted(Point{8, 4}); got != 32 { // 8 threads of 2 instances twice
		t.Errorf("%d frames wanted, want 32", got)
	}
}

// TestShare: the frames of all jobs go to the instances in turn, each to one.
func TestShare(t *testing.T) {
	a, b := job(t, 64, 48, 32, 16, 30), job(t, 32, 48, 32, 16, 30) // six frames and three
	shares := share([]*Job{a, b}, 2)
	if len(shares) != 2 || len(shares[0]) != 5 || len(shares[1]) != 4 {
		t.Fatalf("shares %v", shares)
	}
	seen := map[place]bool{}
	for n := range 9 {
		at := shares[n%2][n/2]
		want := place{a, n}
		if n >= 6 {
			want = place{b, n - 6}
		}
		if at != want || seen[at] {
			t.Errorf("frame %d is %v", n, at)
		}
		seen[at] = true
	}
}

// TestRun: encoder and decoder give what the software does, whatever the number of instances; more lanes take fewer cycles, and the figures
// add up.
func TestRun(t *testing.T) {
	for _, of := range []struct {
		codec Codec
		unit  Unit
	}{{T264, Encoder}, {T264, Decoder}, {T265, Encoder}} {
		unit := of.unit
		jobs := []*Job{jobOf(t, of.codec, 200, 130, 64, 48, 30), jobOf(t, of.codec, 64, 96, 64, 48, 27.5)}
		w := NewWorkload(jobs)
		if w.Values != 200*130+64*96 || w.Frames != 12+2 {
			t.Errorf("%+v", w)
		}
		var one []Figures
		for _, instances := range []int{1, 2} {
			c := DefaultConfig(of.codec, unit)
			c.Instances = instances
			points, err := c.Sweep(nil, []int{2, 4})
			if err != nil {
				t.Fatal(err)
			}
			steps := make(chan struct{}, 10)
			results, err := c.Run(t.Context(), tasks(points, jobs), nil, func() { steps <- struct{}{} })
			if err != nil {
				t.Fatal(err)
			}
			if len(steps) != 2*instances || len(results) != 2 {
				t.Errorf("%+v: %d steps, %d results", of, len(steps), len(results))
			}
			for _, r := range results {
				if err := r.Verify(); err != nil {
					t.Errorf("%+v, %d instances: %v", of, instances, err)
				}
				if r.Units() != nil {
					t.Errorf("%+v: a sweep was observed", of)
				}
			}
			list := c.Summarise(results, 2e9)
			for i, f := range list {
				if f.Point != points[i] || f.Instances != instances || f.SteadyValues <= 0 || f.LanesBusy <= 0 || f.LanesBusy > 100 || f.PixelsBusy <= 0 || f.PixelsBusy > 100 {
					t.Errorf("%+v, %d instances: %+v", of, instances, f)
				}
				if want := 16 * 2e9 * f.SteadyValues; math.Abs(f.PayloadBPS/want-1) > 1e-12 || math.Abs(f.Per100Gbps*f.PayloadBPS/float64(instances)/100e9-1) > 1e-12 {
					t.Errorf("%+v: payload of %v bit/s at %v values a cycle, %v instances for 100 Gbps", of, f.PayloadBPS, f.SteadyValues, f.Per100Gbps)
				}
				if (f.Gain != nil) != (i > 0) {
					t.Errorf("%+v: point %d has gain %v", of, i, f.Gain)
				}
			}
			if list[1].Cycles >= list[0].Cycles {
				t.Errorf("%+v: %d cycles with 4 lanes, %d with 2", of, list[1].Cycles, list[0].Cycles)
			}
			if instances == 1 {
				one = list
			} else if list[0].Cycles > one[0].Cycles*7/10 {
				t.Errorf("%+v: two instances take %d cycles, one %d", of, list[0].Cycles, one[0].Cycles)
			}
		}
	}
}

// TestStream: the slices of the hardware make the software's stream, however many instances shared them.
func TestStream(t *testing.T) {
	for k, qp := range []float64{30, 27.5, 30, 27.5} {
		codec := Codec(k / 2)
		jobs := []*Job{jobOf(t, codec, 100, 70, 64, 48, 33), jobOf(t, codec, 130, 70, 64, 48, qp)}
		c := DefaultConfig(codec, Encoder)
		c.Instances = 3
		results, err := c.Run(t.Context(), tasks([]Point{{2, 2}}, jobs), nil, func() {})
		if err != nil {
			t.Fatal(err)
		}
		for i, j := range jobs {
			stream, err := results[0].Stream(j)
			if err != nil || !bytes.Equal(stream, j.Coded.Stream) {
				t.Errorf("%v, QP %v, job %d: %d bytes, the software's are %d: %v", codec, qp, i, len(stream), len(j.Coded.Stream), err)
			}
		}
	}
}

// TestProbe: a single run is observed, in the window that was asked for.
func TestProbe(t *testing.T) {
	jobs := []*Job{job(t, 64, 64, 32, 32, 30)}
	for _, unit := range []Unit{Encoder, Decoder} {
		var trace, vcd bytes.Buffer
		c := DefaultConfig(T264, unit)
		results, err := c.Run(t.Context(), tasks([]Point{{2, 2}}, jobs), &Probe{Trace: &trace, VCD: &vcd, From: 100, To: 300}, func() {})
		if err != nil {
			t.Fatal(err)
		}
		var events struct{ TraceEvents []struct{ TS float64 } }
		if err := json.Unmarshal(trace.Bytes(), &events); err != nil || len(events.TraceEvents) < 10 {
			t.Errorf("%v: %d events, %v", unit, len(events.TraceEvents), err)
		}
		for _, e := range events.TraceEvents {
			if e.TS != 0 && (e.TS < 100 || e.TS >= 300) {
				t.Errorf("%v: an event at %v", unit, e.TS)
			}
		}
		if text := vcd.String(); !strings.Contains(text, "$enddefinitions") || !strings.Contains(text, "#100\n") || !strings.Contains(text, "#300\n") || strings.Contains(text, "#301\n") {
			t.Errorf("%v: a dump of %d bytes", unit, vcd.Len())
		}
		kinds := map[string]int{}
		for _, u := range results[0].Units() {
			kinds[u.Kind] = u.Count
			sum := 0.
			for _, p := range u.Percent {
				sum += p
			}
			if math.Abs(sum-100) > 1e-9 {
				t.Errorf("%v: the states of %s make %v %%", unit, u.Kind, sum)
			}
		}
		want := map[Unit]string{Encoder: "engine", Decoder: "lane"}[unit]
		if kinds[want] != 2 {
			t.Errorf("%v: kinds %v, want two of %s", unit, kinds, want)
		}
	}
}

// TestRunFails: more instances than frames, and an interrupted run.
func TestRunFails(t *testing.T) {
	jobs := []*Job{job(t, 64, 64, 32, 32, 30)}
	c := DefaultConfig(T264, Encoder)
	c.Instances = 5
	if _, err := c.Run(t.Context(), tasks([]Point{{2, 2}}, jobs), nil, func() {}); err == nil || !strings.Contains(err.Error(), "fewer frames (4) than 5 instances") {
		t.Errorf("five instances: %v", err)
	}
	c.Instances = 1
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Run(ctx, tasks([]Point{{2, 2}}, jobs), nil, func() {}); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

// TestRates: steady figures leave out the first part of a loaded run and what comes after a thread found no frame.
func TestRates(t *testing.T) {
	in := &instance{places: []place{{job(t, 16, 16, 16, 16, 30), 0}}, cycles: 100 * markCycles, drain: 50*markCycles + 3, drained: true}
	for k := range uint64(101) { // one value a cycle at first, then two, then none
		c := count{samples: k * markCycles, bytes: k * markCycles}
		if k > 10 {
			c.samples += (min(k, 50) - 10) * markCycles
		}
		if k > 50 {
			c.samples = 90 * markCycles
		}
		in.marks = append(in.marks, c)
	}
	in.total = in.marks[100]
	all, steady, ok := in.rates()
	if !ok || all.values != 0.9 || steady.values != 2 || steady.bits != 8 {
		t.Errorf("all %+v, steady %+v, %v", all, steady, ok)
	}
	in.drained = false
	if _, steady, ok = in.rates(); ok || steady.values != 0.9 {
		t.Errorf("never drained: steady %+v, %v", steady, ok)
	}
}
