package cluster

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"vcsim/cluster/collective"
)

// numbers visits every number below a value that can be set, with its path.
func numbers(v reflect.Value, path string, visit func(path string, at reflect.Value)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			numbers(v.Elem(), path, visit)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				numbers(v.Field(i), path+"."+v.Type().Field(i).Name, visit)
			}
		}
	case reflect.Array, reflect.Slice:
		for i := range v.Len() {
			numbers(v.Index(i), fmt.Sprintf("%s[%d]", path, i), visit)
		}
	case reflect.Int, reflect.Uint8, reflect.Float64:
		if v.CanSet() {
			visit(path, v)
		}
	}
}

// leaves are the numbers below *p, in order.
func leaves(p any) (names []string, at []reflect.Value) {
	numbers(reflect.ValueOf(p).Elem(), "", func(path string, v reflect.Value) {
		names, at = append(names, path), append(at, v)
	})
	return names, at
}

// spoil puts an odd value where a number was.
func spoil(r *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.Int:
		v.SetInt([]int64{0, 1, -1, 2, 3, 7, -1 << 40, math.MinInt64, math.MaxInt64, 1 << 24, 1 << 30, 1<<31 - 1}[r.IntN(12)])
	case reflect.Uint8:
		v.SetUint([]uint64{0, 1, 2, 3, 4, 9, 13, 14, 99, 255}[r.IntN(10)])
	default:
		v.SetFloat([]float64{0, -1, math.NaN(), math.Inf(1), math.Inf(-1), 1e300, -1e300, 5e-324, 1e-9, math.MaxFloat64, 1e6, 0.5, 2}[r.IntN(13)])
	}
}

// randomJob is a job with models of all kinds, GPUs of all speeds and every
// constant within its range.
func randomJob(r *rand.Rand) Job {
	between := func(lo, hi float64) float64 { return lo * math.Pow(hi/lo, r.Float64()) }
	m := []Model{gptTiny, llamaTiny, moeTiny, mlaTiny, llama7b}[r.IntN(5)]
	fp8, fp4 := between(0.1, 1e4), between(0.1, 2e4)
	g := GPU{PeakTFLOPS: between(0.1, 5000), FP8TFLOPS: &fp8, FP4TFLOPS: &fp4, MemGB: 1e5, MemGBPerS: between(1, 2e4), TDPW: between(10, 3000),
		PCIeGBPerS: between(1, 100), ExpTera: r.Float64() * 50}
	g.IdleW = r.Float64() * mostIdle * g.TDPW
	var e Efficiency
	for i := range Table {
		c := &Table[i]
		most := c.Max
		if !c.Bounded {
			most = min(most, 200)
		}
		*c.at(&e) = max(c.Min, 0.01*most) + r.Float64()*(most-max(c.Min, 0.01*most))
		if r.IntN(4) == 0 {
			*c.at(&e) = c.Min
		}
	}
	for _, b := range []*bool{&e.Flash, &e.FusedSoftmax, &e.FusedGrad, &e.FusedLoss, &e.Deduplicated, &e.RingOnly, &e.SplitSend} {
		*b = r.IntN(2) == 0
	}
	e.GradBytes = 2 * r.IntN(3)
	n := collective.NodeNetwork(1<<r.IntN(4), collective.BytesPerSecond(between(1e9, 1e12)), collective.BytesPerSecond(between(1e7, 1e12)))
	c := Codec{Bits: UniformBits(1 + 15*r.Float64()), EncodeBPS: BitsPerSecond(between(1e9, 1e13)), DecodeBPS: BitsPerSecond(between(1e9, 1e13)),
		ChunkBytes: between(1, 1e6), Serial: r.IntN(2) == 0, Gather: r.IntN(2) == 0, Bypass: Bypass(r.IntN(3)), EncodePJPerBit: r.Float64() * 100, DecodePJPerBit: r.Float64() * 100}
	return Job{Model: m, GPU: g, Eff: e, Net: n, Seq: 64 << r.IntN(8), GlobalBatch: 24 << r.IntN(6), Codec: c, Precision: Precision(r.IntN(int(numPrecisions)))}
}

func randomLayout(r *rand.Rand) Layout {
	pow := func(n int) int { return 1 << r.IntN(n) }
	l := Layout{DP: pow(5), PP: pow(3), TP: pow(3), CP: pow(2), Microbatch: pow(3), Interleave: 1 + r.IntN(2), Recompute: Recompute(r.IntN(3)),
		SequenceParallel: r.IntN(2) == 0, ZeRO: r.IntN(4), AsyncTP: r.IntN(2) == 0, RecomputeLayers: r.IntN(3), OffloadLayers: r.IntN(3)}
	if l.PP == 1 {
		l.Interleave = 1
	}
	if r.IntN(2) == 0 {
		l.EP, l.ETP = pow(4), r.IntN(3)
	}
	if r.IntN(3) == 0 {
		l.ZeROGroup = pow(4)
	}
	return l
}

// sound reports a number of *p that is negative, infinite or none.
func unsound(p any) string {
	names, at := leaves(p)
	for i, v := range at {
		if v.Kind() == reflect.Float64 {
			if f := v.Float(); !(f >= 0) || math.IsInf(f, 0) {
				return fmt.Sprintf("%s is %v", names[i], f)
			}
		}
	}
	return ""
}

// checkStep reports what no step of a sound job can be.
func checkStep(s *System, st *Step) error {
	if what := unsound(st); what != "" {
		return fmt.Errorf("%s", what)
	}
	sum := st.Forward + st.Backward + st.Again + st.TP + st.CP + st.EP + st.PP + st.Params + st.Offload + st.Bubble + st.DP + st.Optimizer + st.Checkpoint + st.Jitter + st.Host
	if !near(sum, st.Time, 1e-6) {
		return fmt.Errorf("parts of %v s in %v s: %+v", sum, st.Time, *st)
	}
	if st.Products > (st.Forward+st.Backward+st.Again)*(1+1e-9) {
		return fmt.Errorf("products of %v s in %v s of work", st.Products, st.Forward+st.Backward+st.Again)
	}
	// A little is lost where nearly all of a long step waits.
	slack := 1 + 1e-9
	p := Power{NICPJPerBit: 100, SwitchPJPerBit: 50, HostW: 300, Conversion: 0.9}
	mean, waiting := s.GPUPower(st, &p)
	if !(mean <= s.GPU.TDPW*slack && mean*slack >= s.GPU.IdleW && waiting >= 0 && waiting <= mean*slack) {
		return fmt.Errorf("%v W, %v of them waiting, from a board of %v to %v", mean, waiting, s.GPU.IdleW, s.GPU.TDPW)
	}
	e := s.Energy(st, &p)
	if what := unsound(&e); what != "" {
		return fmt.Errorf("energy: %s", what)
	}
	if w := (e.GPU + e.Idle) / st.Time / float64(st.Layout.GPUs()); w > s.GPU.TDPW*slack {
		return fmt.Errorf("%v J take %v W of a board of %v", e.GPU+e.Idle, w, s.GPU.TDPW)
	}
	return nil
}

// Whatever the job and the layout: a step is the sum of its parts, nothing in
// it is negative, and no board gives more than its power.
func TestEveryStepIsSound(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	steps := 0
	for range 1000 {
		j := randomJob(r)
		s, err := NewSystem(j)
		if err != nil {
			t.Fatalf("%+v: %v", j, err)
		}
		ev := s.evaluation()
		for range 12 {
			l := randomLayout(r)
			var st Step
			if ev.step(&st, &l) != nil {
				continue
			}
			steps++
			if err := checkStep(s, &st); err != nil {
				t.Fatalf("%v of %+v: %v", l, j, err)
			}
		}
	}
	if steps < 1000 {
		t.Errorf("%d steps only", steps)
	}
}

// checkError wants one line.
func checkError(err error) error {
	if text := err.Error(); text == "" || strings.Contains(text, "\n") || strings.Contains(text, "%!") {
		return fmt.Errorf("an error of %q", text)
	}
	return nil
}

// Numbers that nobody means are refused in a line, or give numbers.
func TestOddNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	refused, taken := 0, 0
	for range 12000 {
		j := randomJob(r)
		links := collective.DefaultLinkConstants()
		if r.IntN(4) == 0 {
			j.Links = &links
		}
		l := randomLayout(r)
		job := struct {
			Job    *Job
			Layout *Layout
		}{&j, &l}
		names, at := leaves(&job)
		var what []string
		for range 1 + r.IntN(2) {
			k := r.IntN(len(at))
			spoil(r, at[k])
			what = append(what, fmt.Sprint(names[k], " ", at[k]))
		}
		s, err := NewSystem(j)
		if err == nil {
			var st Step
			if st, err = s.Step(l); err == nil {
				taken++
				if err := checkStep(s, &st); err != nil {
					t.Errorf("%v: %v", what, err)
				}
				continue
			}
		}
		refused++
		if err := checkError(err); err != nil {
			t.Errorf("%v: %v", what, err)
		}
	}
	if refused < 500 || taken < 500 {
		t.Errorf("%d refused, %d taken", refused, taken)
	}
}

// The same of rows of measurements and of inference.
func TestOddRows(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	intra, inter := 450.0, 400.0
	mb, v, recompute := 1, 1, RecomputeNone
	sound, refused := 0, 0
	for range 8000 {
		j := randomJob(r)
		a, b, c, d, e := intra, inter, mb, v, recompute
		row := Measurement{ID: "row", Model: j.Model, GPU: "h100-sxm", Stack: "test", Seq: j.Seq, GPUs: 16, TP: 2, PP: 2, DP: 4, GlobalBatch: 64, Microbatch: &c, Interleave: &d,
			Recompute: &e, IntraGBPerS: &a, InterGbpsPerGPU: &b, GPUsPerNode: 8, IterS: 1, VolumeRatio: 2, Bytes: 1e6, Tokens: 100, Hidden: 1000, TopK: 4, Bits: 16, GiB: 1, Percent: 1,
			AllreduceS: 1, CollectUS: 1, Speedup: 1, NodeW: 1, Conversion: 0.9}
		row.Quantity = []string{"", "iter_s", "node_power", "allreduce_s", "compressed_speedup", "activations", "activations_percent_of_no_recompute_no_sp",
			"parameters+gradients+optimizer", "allocated", "collective_us", "luck"}[r.IntN(11)]
		row.Collective = []string{"all_reduce", "dispatch", "combine", "alltoall", "sendrecv"}[r.IntN(5)]
		names, at := leaves(&row)
		k := r.IntN(len(at))
		if names[k] == ".GlobalBatch" || names[k] == ".GPUs" || names[k] == ".Model.Layers" {
			k = 0 // an open search over 2^30 sequences is not for a test
		}
		spoil(r, at[k])
		what := fmt.Sprint(row.Quantity, " ", row.Collective, " with ", names[k], " ", at[k])
		predict := func() (float64, error) {
			if row.IsCollective() {
				links := collective.DefaultLinkConstants()
				return row.PredictCollective(&links)
			}
			return row.Predict(j.GPU, j.Eff)
		}
		if p, err := predict(); err != nil {
			refused++
			if err := checkError(err); err != nil || p != 0 {
				t.Errorf("%s: %v with %v", what, err, p)
			}
		} else if sound++; !(p >= 0) || math.IsInf(p, 0) {
			t.Errorf("%s: predicts %v", what, p)
		}
		if m, err := row.Measured(); err != nil {
			if err := checkError(err); err != nil || m != 0 {
				t.Errorf("%s: %v with %v", what, err, m)
			}
		}
	}
	if sound < 500 || refused < 500 {
		t.Errorf("%d sound, %d refused", sound, refused)
	}
	for range 4000 {
		j := randomJob(r)
		n := Inference{Model: j.Model, GPU: j.GPU, Eff: j.Eff, Net: j.Net, Precision: j.Precision, Devices: 2, Batch: 4, Context: 2048, Prompt: 100,
			BitsWeights: 4, BitsKV: 8, BitsAct: 3, Codec: j.Codec, MemBytes: 1e9}
		names, at := leaves(&n)
		k := r.IntN(len(at))
		spoil(r, at[k])
		st, err := Infer(&n, &Power{NICPJPerBit: 1, SwitchPJPerBit: 1}, 1)
		if err != nil {
			if err := checkError(err); err != nil {
				t.Errorf("inference with %s %v: %v", names[k], at[k], err)
			}
		} else if what := unsound(&st); what != "" {
			t.Errorf("inference with %s %v: %s", names[k], at[k], what)
		}
	}
}
