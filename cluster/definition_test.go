package cluster

import (
	"math"
	"testing"

	"vcsim/cluster/collective"
)

// Inference from its definition: per device, a pass is the slowest of
// arithmetic, memory and decoding, and messages join the devices.
func TestInferFromDefinition(t *testing.T) {
	m := Model{Layers: 6, Hidden: 64, Heads: 8, KVHeads: 2, FFN: 160, Gated: true, Vocab: 300}
	for _, c := range []struct {
		name string
		edit func(*Inference)
	}{
		{"plain", func(j *Inference) { j.BitsWeights, j.BitsKV, j.BitsAct = 16, 16, 16 }},
		{"compressed", func(j *Inference) {}},
		{"cache only", func(j *Inference) { j.BitsWeights = 16 }},
		{"weights only", func(j *Inference) { j.BitsKV = 16 }},
		{"short prompt", func(j *Inference) { j.Prompt = 100 }},
		{"many sequences", func(j *Inference) { j.Batch = 12 }},
		{"fast memory", func(j *Inference) { j.GPU.MemGBPerS = 1e6 }},
		{"slow decoder", func(j *Inference) { j.Codec.DecodeBPS = 1e8 }},
		{"always bypassed", func(j *Inference) { j.Codec.Bypass = BypassAlways }},
		{"slow link", func(j *Inference) { j.Net = collective.FlatNetwork(1e4) }},
		{"slow memory", func(j *Inference) { j.GPU.MemGBPerS, j.Batch, j.Prompt = 1e-3, 2, 700 }},
		{"slow encoder", func(j *Inference) { j.Codec.EncodeBPS = 1e4 }},
		{"serial", func(j *Inference) { j.Codec.EncodeBPS, j.Codec.Serial = 1e9, true }},
		{"slow encoder of nothing", func(j *Inference) { j.Codec.EncodeBPS, j.BitsAct = 1e4, 16 }},
		{"slow encoder, forced", func(j *Inference) { j.Codec.EncodeBPS, j.Codec.Bypass = 1e4, BypassNever }},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := Inference{Model: m, GPU: unitGPU(), Eff: unitEff(), Net: collective.FlatNetwork(1e8), Devices: 3, Batch: 1, Context: 2000,
				BitsWeights: 3, BitsKV: 2, BitsAct: 4,
				Codec: Codec{EncodeBPS: 1e11, DecodeBPS: 2e11, Instances: 4, EncodePJPerBit: 3, DecodePJPerBit: 5}}
			j.Eff.GEMMFraction, j.Eff.MemoryFraction = 0.5, 0.25
			c.edit(&j)
			p := Power{ComputePJPerFLOP: 2, NICPJPerBit: 30, SwitchPJPerBit: 7}
			st, err := Infer(&j, &p, 11)
			if err != nil {
				t.Fatal(err)
			}
			check := func(what string, got, want float64) {
				t.Helper()
				if !near(got, want, 1e-9) {
					t.Errorf("%s: %v, want %v", what, got, want)
				}
			}
			const h, n, kv = 64.0, 3.0, 2 * 6 * 16.0
			b := float64(j.Batch)
			prompt := 2000.0
			if j.Prompt > 0 {
				prompt = float64(j.Prompt)
			}
			chunk := min(512, prompt)
			check("weights", st.Memory.Weights, m.Params()*j.BitsWeights/8/n)
			check("cache", st.Memory.KV, kv*2000*b*j.BitsKV/8/n)
			check("activations", st.Memory.Activations, 2*chunk*(2*h+480))
			check("memory", st.Memory.Total(), st.Memory.Weights+st.Memory.KV+st.Memory.Activations)
			micro := min(b, n)
			seqs := b / micro
			weights := 6*(h*(64+32)+64*h+3*h*160) + 300*h
			cached := kv * 2000 * seqs
			flops := 2*weights*seqs + 4*6*64*2000*seqs
			rate, bandwidth := 0.5e12, j.GPU.MemGBPerS*1e9*0.25
			compute := flops / rate / n
			memory := (weights*j.BitsWeights + cached*j.BitsKV) / 8 / bandwidth / n
			coded := 0.0
			if j.BitsWeights < 16 {
				coded += 16 * weights
			}
			if j.BitsKV < 16 {
				coded += 16 * cached
			}
			decode := float64(j.Codec.DecodeBPS) * 4
			decoding := coded / decode / n
			busy := max(compute, memory, decoding)
			check("compute", st.Compute, n*compute)
			check("read", st.Read, n*max(0, memory-compute))
			check("decode", st.Decode, n*max(0, decoding-max(compute, memory)))
			want := 0.0
			if coded > 0 {
				want = math.Ceil(coded / n / float64(j.Codec.DecodeBPS) / max(compute, memory))
			}
			check("decoders", st.DecodeInstances, want)
			s, err := NewSystem(Job{Model: m, GPU: j.GPU, Eff: j.Eff, Net: j.Net, Seq: 2000, GlobalBatch: j.Batch, Codec: j.Codec})
			if err != nil {
				t.Fatal(err)
			}
			ch := collective.Channel{Ratio: 16 / j.BitsAct, Encode: float64(j.Codec.EncodeBPS) * 4 / 8, Decode: decode / 8, Serial: j.Codec.Serial, Force: j.Codec.Bypass == BypassNever}
			ch.Compress = ch.Ratio != 1 && j.Codec.Bypass != BypassAlways
			var plan, plain collective.Plan
			s.fabric.Plan(&plan, collective.SendRecv, collective.Group{N: 3, Stride: 1}, &ch)
			s.fabric.Plan(&plain, collective.SendRecv, collective.Group{N: 3, Stride: 1}, &collective.Plain)
			hop, sent := plan.Message(2 * h * seqs)
			check("links", st.Comm, 2*hop)
			check("token", st.Token, max(n*busy+2*hop, micro*(busy+hop)))
			check("tokens/s", st.TokensPerS, b/st.Token)
			chunkTime := (2*weights*chunk*b + 2*6*64*prompt*chunk*b) / rate / n
			chunkMemory := (weights*j.BitsWeights + kv*prompt/2*b*j.BitsKV) / 8 / bandwidth / n
			chunkDecode := 0.0
			if coded > 0 {
				chunkDecode = (weights + kv*prompt/2*b) * 16 / decode / n
			}
			link := plan.Time(2 * h * chunk * b)
			check("chunk", st.Chunk, link)
			check("plain chunk", st.ChunkPlain, plain.Time(2*h*chunk*b))
			check("first token", st.FirstToken, math.Ceil(prompt/chunk)*max(chunkTime, chunkMemory, chunkDecode, link)+2*(max(chunkTime, chunkMemory, chunkDecode)+link))
			wire := 2 * 16 * h
			codec := coded / seqs * 5
			net := wire
			if sent.Coded > 0 {
				net = wire * j.BitsAct / 16
				codec += wire * 8
			}
			bits := weights/seqs*j.BitsWeights + kv*2000*j.BitsKV
			check("energy", st.EnergyJPerToken, (flops/seqs*2+bits*11+net*37+codec)*1e-12)
			none, err := Infer(&j, &Power{}, 0)
			if err != nil {
				t.Fatal(err)
			}
			check("energy by board power", none.EnergyJPerToken, (flops/seqs*52/0.45+codec)*1e-12)
		})
	}
}

// A codec's silicon, rates and ratio, with instances and without.
func TestCodecTotals(t *testing.T) {
	c := Codec{EncodeBPS: 3, DecodeBPS: 5, EncodeMM2: 0.25, DecodeMM2: 0.5, Bits: Bits{Act: 4}, ChunkBytes: 24}
	for _, instances := range []int{0, 1, 4} {
		times := max(1, float64(instances))
		c.Instances = instances
		if e, d := c.Rates(); e != 3*times || d != 5*times || c.AreaMM2() != 0.75*times {
			t.Errorf("%d instances: %v and %v bit/s, %v mm2", instances, e, d, c.AreaMM2())
		}
	}
	c.Instances = 4
	if c.Ratio(Act) != 4 || c.Ratio(Grad) != 1 {
		t.Errorf("ratios %v and %v, want 4 and 1", c.Ratio(Act), c.Ratio(Grad))
	}
	ch := c.channel(Act)
	if ch.Encode != 12.0/8 || ch.Decode != 20.0/8 || !near(ch.Fill, 24/1.5+24/2.5, 1e-12) || !ch.Compress {
		t.Errorf("channel %+v", ch)
	}
	if plain := c.channel(Grad); plain.Compress || plain.Fill != 0 {
		t.Errorf("channel without bits %+v", plain)
	}
	c.Bypass = BypassAlways
	if c.channel(Act).Compress {
		t.Error("always bypassed, and compressed")
	}
	if e, d := (&Codec{}).Rates(); !math.IsInf(e, 1) || !math.IsInf(d, 1) {
		t.Error("a codec without a rate is limited")
	}
}

// What a study says of a codec, from steps of its own.
func TestOutcome(t *testing.T) {
	j := testJob()
	die := 800.0
	j.GPU.DieMM2 = &die
	c := t265(5)
	c.Warmup = 0.25
	p := Power{NICPJPerBit: 100, SwitchPJPerBit: 10}
	sp := &Space{GPUs: 16, TP: 1}
	st, err := Compare(j, sp, []Codec{c}, &p, nil)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := NewSystem(j)
	if err != nil {
		t.Fatal(err)
	}
	coded, err := plain.WithCodec(c)
	if err != nil {
		t.Fatal(err)
	}
	base, err := plain.Search(sp, nil)
	if err != nil {
		t.Fatal(err)
	}
	own, err := coded.Search(sp, nil)
	if err != nil {
		t.Fatal(err)
	}
	same, err := coded.Step(base.Best.Layout)
	if err != nil {
		t.Fatal(err)
	}
	warm, err := plain.Step(own.Best.Layout)
	if err != nil {
		t.Fatal(err)
	}
	o := &st.Outcomes[0]
	check := func(what string, got, want float64) {
		t.Helper()
		if !near(got, want, 1e-12) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	sameTime := 0.25*base.Best.Time + 0.75*same.Time
	time := min(0.25*warm.Time+0.75*own.Best.Time, sameTime)
	step, before := own.Best, warm
	if sameTime <= 0.25*warm.Time+0.75*own.Best.Time {
		step, before = same, base.Best
	}
	check("tokens", st.Tokens, 64*4096)
	check("time", o.Time, time)
	check("time at the same layout", o.SameTime, sameTime)
	check("speedup", o.Speedup, base.Best.Time/time)
	check("speedup at the same layout", o.SpeedupSame, base.Best.Time/sameTime)
	check("tokens/s", o.TokensPerS, 64*4096/time)
	mix := func(a, b *Step) Energy {
		x, y := coded.Energy(a, &p), plain.Energy(b, &p)
		return Energy{GPU: 0.75*x.GPU + 0.25*y.GPU, Idle: 0.75*x.Idle + 0.25*y.Idle, NIC: 0.75*x.NIC + 0.25*y.NIC,
			Switch: 0.75*x.Switch + 0.25*y.Switch, Codec: 0.75 * x.Codec}
	}
	e, f := mix(&step, &before), mix(&same, &base.Best)
	check("energy", o.Energy.Total(), e.Total())
	check("NIC", o.Energy.NIC, e.NIC)
	check("switch", o.Energy.Switch, e.Switch)
	check("codec", o.Energy.Codec, e.Codec)
	check("GPU", o.Energy.GPU, e.GPU)
	check("J/token", o.EnergyJPerToken, e.Total()/64/4096)
	g := plain.Energy(&base.Best, &p)
	check("gain", o.EnergyGain, g.Total()/f.Total())
	check("communication's gain", o.CommEnergyGain, g.Comm()/f.Comm())
	check("area", o.AreaMM2, 13*(0.1846+0.0385))
	check("die", o.DieFraction, 13*(0.1846+0.0385)/800)
	check("crossover", o.CrossoverBPS, 100e9)
	check("knee", o.KneeBPS, 20e9)
}

// Divisors in rising order, or the one asked for.
func TestFactors(t *testing.T) {
	for _, c := range []struct {
		n, only int
		want    []int
	}{{12, 0, []int{1, 2, 3, 4, 6, 12}}, {16, 0, []int{1, 2, 4, 8, 16}}, {1, 0, []int{1}}, {12, 4, []int{4}}, {12, 5, nil}, {0, 0, nil}} {
		got := factors(c.n, c.only)
		if len(got) != len(c.want) {
			t.Errorf("%d, %d: %v, want %v", c.n, c.only, got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%d, %d: %v, want %v", c.n, c.only, got, c.want)
			}
		}
	}
	if orDefault(3, 7) != 3 || orDefault(0, 7) != 7 || orDefault(-1, 7) != 7 || orOne(0) != 1 || orOne(0.5) != 0.5 {
		t.Error("defaults")
	}
}

// The cuts of a space: what is open is tried, what is held is not.
func TestSpace(t *testing.T) {
	j := unitJob(gptTiny)
	j.GlobalBatch = 64
	s, err := NewSystem(j)
	if err != nil {
		t.Fatal(err)
	}
	type count struct{ micro, chunks, zeros, recomputes, cps, sps map[int]int }
	look := func(sp Space) (count, Found) {
		c := count{map[int]int{}, map[int]int{}, map[int]int{}, map[int]int{}, map[int]int{}, map[int]int{}}
		f, err := s.Search(&sp, func(st *Step, _ error) {
			l := &st.Layout
			c.micro[l.Microbatch]++
			c.chunks[l.Interleave]++
			c.zeros[l.ZeRO]++
			c.recomputes[int(l.Recompute)]++
			c.cps[l.CP]++
			if l.SequenceParallel {
				c.sps[l.TP]++
			}
			if l.GPUs() != sp.GPUs {
				t.Errorf("%v of %d GPUs", l, sp.GPUs)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		return c, f
	}
	has := func(what string, m map[int]int, want ...int) {
		t.Helper()
		if len(m) != len(want) {
			t.Errorf("%s: %v, want %v", what, m, want)
			return
		}
		for _, w := range want {
			if m[w] == 0 {
				t.Errorf("%s: %v, want %v", what, m, want)
			}
		}
	}
	c, _ := look(Space{GPUs: 2, DP: 2, PP: 1, TP: 1})
	has("micro-batches", c.micro, 1, 2, 4, 8, 16)
	has("interleave", c.chunks, 1)
	has("ZeRO", c.zeros, 0, 1, 2, 3)
	has("recomputation", c.recomputes, 0, 1, 2)
	has("CP", c.cps, 1)
	c, _ = look(Space{GPUs: 2, DP: 2, PP: 1, TP: 1, MaxMicrobatch: 4})
	has("micro-batches to 4", c.micro, 1, 2, 4)
	c, _ = look(Space{GPUs: 2, DP: 2, PP: 1, TP: 1, Microbatch: 2})
	has("micro-batch 2", c.micro, 2)
	c, _ = look(Space{GPUs: 2, PP: 2, TP: 1})
	has("interleave of two stages", c.chunks, 1, 2)
	has("ZeRO of one replica", c.zeros, 0)
	c, _ = look(Space{GPUs: 4, PP: 2, DP: 2})
	has("ZeRO of two stages", c.zeros, 0, 1, 2)
	c, _ = look(Space{GPUs: 2, PP: 2, TP: 1, MaxInterleave: 1})
	has("interleave to 1", c.chunks, 1)
	c, _ = look(Space{GPUs: 2, PP: 2, TP: 1, Interleave: 2})
	has("interleave 2", c.chunks, 2)
	c, f := look(Space{GPUs: 4, CP: 2})
	has("CP 2", c.cps, 2)
	has("sequence parallel", c.sps, 2)
	if f.Points != f.Feasible+f.Refused+f.TooBig {
		t.Errorf("%+v does not add up", f)
	}
	off, none, zero := false, RecomputeNone, 1
	c, _ = look(Space{GPUs: 4, SequenceParallel: &off, Recompute: &none, ZeRO: &zero})
	has("no sequence parallel", c.sps)
	has("no recomputation", c.recomputes, 0)
	has("ZeRO 1", c.zeros, 1)
	if _, err := s.Search(&Space{GPUs: 3, CP: 2}, nil); err == nil {
		t.Error("3 GPUs in pairs")
	}
	s.Model.Layers = 14 // with embedding and loss 16
	c, _ = look(Space{GPUs: 8, PP: 8, TP: 1, DP: 1})
	has("interleave of uneven stages", c.chunks, 1, 2)
	s.Model.Layers = 4

	// Memory decides, unless it is told not to.
	s.GPU.MemGB = 1.00001
	if _, err := s.Search(&Space{GPUs: 1}, nil); err == nil {
		t.Error("too big, and found")
	}
	if f, err := s.Search(&Space{GPUs: 1, AnyMemory: true}, nil); err != nil || f.TooBig != 0 {
		t.Errorf("any memory: %+v, %v", f, err)
	}
	rest := Layout{RecomputeLayers: 2, AsyncTP: true, OffloadLayers: 1}
	if f, err := s.Search(&Space{GPUs: 2, AnyMemory: true, Rest: rest}, nil); err != nil || f.Best.Layout.RecomputeLayers != 2 || !f.Best.Layout.AsyncTP || f.Best.Layout.OffloadLayers != 1 {
		t.Errorf("what is not searched is not kept: %v, %v", f.Best.Layout, err)
	}
}

// A row's job and its layout.
func TestMeasurementJob(t *testing.T) {
	rate, gbps, mb, v := 600.0, 80.0, 2, 1
	full, none := RecomputeFull, RecomputeNone
	r := Measurement{ID: "r", Model: moeTiny, GPU: "h100-sxm", Seq: 64, GPUs: 32, GPUsPerNode: 4, TP: 2, PP: 1, DP: 8, CP: 2, ZeRO: 1, ZeROGroup: 4, EP: 4,
		GlobalBatch: 32, Microbatch: &mb, Interleave: &v, Recompute: &full, SequenceParallel: true, IntraGBPerS: &rate, InterGbpsPerGPU: &gbps,
		Precision: FP8, GPUOverrides: GPU{PeakTFLOPS: 9, MemGB: 7, MemGBPerS: 6, TDPW: 5, NVLinkGBPerS: 4, PCIeGBPerS: 3}}
	g := unitGPU()
	j := r.job(g, unitEff())
	if *j.GPU.FP8TFLOPS != 9 || j.GPU.PeakTFLOPS != 1 || *j.GPU.FP4TFLOPS != 4 || j.GPU.MemGB != 7 || j.GPU.MemGBPerS != 6 || j.GPU.TDPW != 5 ||
		j.GPU.NVLinkGBPerS != 4 || j.GPU.PCIeGBPerS != 3 || j.GPU.IdleW != 4.95 {
		t.Errorf("the GPU of the row: %+v", j.GPU)
	}
	if *g.FP8TFLOPS != 2 {
		t.Error("the row changes the preset")
	}
	if n := j.Net.Tiers; len(n) != 2 || n[0].GPUs != 4 || n[0].BytesPerSecond != 600e9 || n[0].Family != collective.NVLink4 || n[1].BytesPerSecond != 1e10 || n[1].Family != collective.InfiniBand || n[1].Effective || n[0].Effective {
		t.Errorf("the network of the row: %+v", n)
	}
	if j.GlobalBatch != 32 || j.Seq != 64 || j.Precision != FP8 {
		t.Errorf("the job of the row: %+v", j)
	}
	for w, p := range []Precision{BF16, FP8, NVFP4} {
		o := g.overlay(&GPU{PeakTFLOPS: 9}, p.width())
		got := [3]float64{o.PeakTFLOPS, *o.FP8TFLOPS, *o.FP4TFLOPS}
		want := [3]float64{1, 2, 4}
		want[w] = 9
		if got != want {
			t.Errorf("%v: peaks %v, want %v", p, got, want)
		}
	}
	r.InterGbpsPerGPU, r.InterGbpsPerNode, r.GlobalBatch = nil, 320, 0
	if j = r.job(g, unitEff()); j.Net.Tiers[1].BytesPerSecond != 1e10 || !j.Net.Tiers[1].Effective || j.GlobalBatch != 64 {
		t.Errorf("a rate by node: %+v, batch %d", j.Net.Tiers, j.GlobalBatch)
	}
	r.InterGbpsPerNode, r.IntraGBPerS = 0, nil
	r.GPUOverrides.NVLinkGBPerS = 0
	if j = r.job(g, unitEff()); j.Net.Tiers[0].BytesPerSecond != 3e9 || j.Net.Tiers[1].BytesPerSecond != 3e9 {
		t.Errorf("no rates: %+v", j.Net.Tiers)
	}
	r.GlobalBatch = 32
	want := Layout{DP: 8, PP: 1, TP: 2, CP: 2, Microbatch: 2, Interleave: 1, Recompute: RecomputeFull, SequenceParallel: true, ZeRO: 1, ZeROGroup: 4, EP: 4}
	if l := r.layout(); l != want {
		t.Errorf("layout %v, want %v", l, want)
	}
	r.RecomputeLayers, r.Recompute = 3, &none
	want.RecomputeLayers = 3
	if l := r.layout(); l != want {
		t.Errorf("some layers recomputed: %v, want %v", l, want)
	}
	r.EP = 8 // 8 x 2 ranks of 32 do; 32 x 2 do not
	want.EP = 8
	if l := r.layout(); l != want {
		t.Errorf("ep 8: %v, want %v", l, want)
	}
	r.EP = 32
	want.EP, want.ETP = 32, 1
	if l := r.layout(); l != want {
		t.Errorf("ep 32: %v, want %v", l, want)
	}
	r.EP, r.TP = 0, 1
	if l := r.layout(); l.SequenceParallel || l.ETP != 0 {
		t.Errorf("one rank: %v", l)
	}
	s, err := NewSystem(unitJob(moeTiny))
	if err != nil {
		t.Fatal(err)
	}
	sp := r.space(s)
	if !sp.AnyMemory || sp.GPUs != 16 || sp.DP != 8 || sp.CP != 2 || sp.Microbatch != 2 || sp.Interleave != 1 || *sp.Recompute != RecomputeFull || *sp.ZeRO != 1 || sp.Rest.ZeROGroup != 4 {
		t.Errorf("space %+v", sp)
	}
	r.Microbatch, r.DP, r.PP = nil, 0, 4
	if sp = r.space(s); sp.AnyMemory || sp.DP != 4 || sp.Microbatch != 0 || sp.MaxMicrobatch != 64 || sp.MaxInterleave != 5 {
		t.Errorf("open space %+v", sp)
	}
	s.Eff.StageBatches = true
	if sp = r.space(s); sp.Microbatch != 24/4/4 {
		t.Errorf("a micro-batch a stage: %d, want 1", sp.Microbatch)
	}
	r.Recompute = nil
	if sp = r.space(s); sp.Recompute != nil || sp.AnyMemory {
		t.Error("recomputation is open")
	}
}

// What a row measures, and the model's value of it.
func TestQuantities(t *testing.T) {
	one, none := 1, RecomputeNone
	r := Measurement{ID: "r", Model: gptTiny, GPU: "a100-80g", Seq: 64, GPUs: 8, GPUsPerNode: 4, TP: 2, PP: 1, DP: 4, GlobalBatch: 8,
		Microbatch: &one, Interleave: &one, Recompute: &none, Conversion: 0.5, IterS: 1, AllreduceS: 2, Speedup: 3, GiB: 4, Percent: 5, CollectUS: 6, NodeW: 7}
	for q, want := range map[string]float64{"": 1, "iter_s": 1, "allreduce_s": 2, "compressed_speedup": 3, "activations": 4, "allocated": 4,
		"parameters+gradients+optimizer": 4, "activations_percent_of_no_recompute_no_sp": 5, "collective_us": 6, "node_power": 7} {
		r.Quantity = q
		if got, err := r.Measured(); err != nil || got != want {
			t.Errorf("%s: %v, %v; want %v", q, got, err, want)
		}
	}
	g, e := unitGPU(), unitEff()
	s, err := r.system(g, e)
	if err != nil {
		t.Fatal(err)
	}
	l := r.layout()
	st, err := s.Step(l)
	if err != nil {
		t.Fatal(err)
	}
	const gib = 1 << 30
	m := st.Memory
	reduce, _ := s.evaluation().comm(collective.AllReduce, collective.Group{N: 8, Stride: 1}, Grad, 2*gptTiny.Params())
	plain := l
	plain.SequenceParallel = false
	for q, want := range map[string]float64{"iter_s": st.Time, "allreduce_s": reduce, "activations": m.Activations / gib,
		"parameters+gradients+optimizer": (m.Parameters + m.Gradients + m.Optimizer) / gib, "allocated": (m.Total() - 1e9) / gib,
		"activations_percent_of_no_recompute_no_sp": 100,
		"node_power": s.NodePower(&st, 4, &Power{HostW: NodeHostW, Conversion: 0.5})} {
		r.Quantity = q
		if got, err := r.Predict(g, e); err != nil || !near(got, want, 1e-12) {
			t.Errorf("%s: %v, %v; want %v", q, got, err, want)
		}
	}
	r.Quantity, r.BytesPerParam = "parameters+gradients+optimizer", 9
	if got, err := r.Predict(g, e); err != nil || !near(got, (m.Parameters+m.Gradients+m.Optimizer)/2/gib, 1e-12) {
		t.Errorf("9 bytes a parameter: %v, %v", got, err)
	}
	if got, err := r.Step(g, e); err != nil || got.Time != st.Time {
		t.Errorf("step %v, %v", got.Time, err)
	}
	r.GPUs = 9
	if _, err := r.Step(g, e); err == nil {
		t.Error("8 ranks on 9 GPUs")
	}
}

// Checkpoints cost their share of a step; the ratio counts from 1.
func TestCheckpointShare(t *testing.T) {
	for ratio, want := range map[float64]float64{0: 14, 1: 14, 7: 2} {
		c := Checkpoint{Steps: 4, BytesPerSecond: 10, Ratio: ratio}
		if got := c.perStep(&gptTiny); !near(got, want*gptTiny.Params()/40, 1e-12) {
			t.Errorf("ratio %v: %v s, want %v", ratio, got, want*gptTiny.Params()/40)
		}
	}
	if (&Checkpoint{}).perStep(&gptTiny) != 0 {
		t.Error("no checkpoints take time")
	}
}
