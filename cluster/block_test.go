package cluster

import (
	"fmt"
	"math"
	"testing"

	"vcsim/cluster/collective"
)

// unitGPU reaches 1e12 FLOP/s in 16 bits, 2 and 4 times that in 8 and 4, and
// 1e12 bytes/s: a second is 1e12 of either.
func unitGPU() GPU {
	fp8, fp4 := 2.0, 4.0
	return GPU{PeakTFLOPS: 1, FP8TFLOPS: &fp8, FP4TFLOPS: &fp4, MemGB: 1e5, MemGBPerS: 1000, TDPW: 52, IdleW: 12, PCIeGBPerS: 10}
}

// unitEff takes nothing off.
func unitEff() Efficiency {
	return Efficiency{GEMMFraction: 1, AttentionFraction: 1, MemoryFraction: 1, OptimizerMult: 1, IntraFraction: 1, InterFraction: 1, Flash: true, FusedSoftmax: true}
}

func unitJob(m Model) Job {
	return Job{Model: m, GPU: unitGPU(), Eff: unitEff(), Net: collective.NodeNetwork(8, 1e12, 1e11), Seq: 64, GlobalBatch: 24}
}

func evaluate(t *testing.T, j Job) *evaluation {
	t.Helper()
	s, err := NewSystem(j)
	if err != nil {
		t.Fatal(err)
	}
	return s.evaluation()
}

var (
	gptTiny   = Model{Layers: 4, Hidden: 32, Heads: 4, KVHeads: 4, FFN: 128, Tied: true, Vocab: 1000}
	llamaTiny = Model{Layers: 4, Hidden: 32, Heads: 8, KVHeads: 2, HeadDim: 6, FFN: 96, Gated: true, Vocab: 1000}
	moeTiny   = Model{Layers: 5, Hidden: 32, Heads: 8, KVHeads: 2, FFN: 24, Gated: true, Vocab: 1000, Experts: 8, TopK: 3,
		SharedExperts: 2, SharedFFN: 5, DenseLayers: 1, DenseFFN: 80}
	mlaTiny = Model{Layers: 6, Hidden: 32, Heads: 4, KVHeads: 4, FFN: 24, Gated: true, Vocab: 1000, Experts: 16, TopK: 2, MoEEvery: 2, DenseFFN: 72,
		Attention: "mla", QRank: 20, KVRank: 10, RopeDim: 3, NopeDim: 7, VDim: 5}
)

func near4(a, b float64) float64 { return math.Pow(math.Pow(a, 4)+math.Pow(b, 4), 0.25) }

// The product at a size: FLOPs over the rate and the three efficiencies, and
// the bytes of both operands and of the result beside it.
func TestGEMM(t *testing.T) {
	j := unitJob(llamaTiny)
	j.Eff.GEMMFraction, j.Eff.MemoryFraction, j.Eff.GEMMHalfDim, j.Eff.GEMMHalfDepth = 0.5, 0.25, 10, 20
	s := evaluate(t, j)
	for _, c := range []struct {
		w                    width
		rate, bytes, deepens float64
	}{{bits16, 0.5e12, 2, 20}, {bits8, 1e12, 1, 40}, {bits4, 2e12, 0.5, 80}} {
		const m, n, k, result = 300.0, 50.0, 70.0, 3.0
		flops := 2 * m * n * k / c.rate / (m / (m + 10)) / (n / (n + 10)) / (k / (k + c.deepens))
		bytes := (m*k*c.bytes + n*k*c.bytes + m*n*result) / (0.25e12)
		if got, want := s.gemm(m, n, k, c.w, result), near4(flops, bytes); !near(got, want, 1e-12) {
			t.Errorf("%d bits: %v s, want %v (arithmetic %v, memory %v)", 16>>c.w, got, want, flops, bytes)
		}
		f, b := s.gemm3(m, n, k, c.w, result)
		if want := s.gemm(m, n, k, c.w, 2); f != want {
			t.Errorf("forward %v, want %v", f, want)
		}
		if want := s.gemm(m, k, n, c.w, 2) + s.gemm(n, k, m, c.w, result); b != want {
			t.Errorf("backward %v, want %v", b, want)
		}
	}
}

// Rates that the board's power bounds: (52 - 12) W over 80 pJ are 0.5e12
// FLOP/s, half of what the products could do.
func TestPowerBound(t *testing.T) {
	g := unitGPU()
	if got := g.powerBound(80); !near(got, 0.5e12, 1e-12) {
		t.Errorf("bound %v FLOP/s, want 0.5e12", got)
	}
	if !math.IsInf(g.powerBound(0), 1) {
		t.Error("an unknown energy bounds the rate")
	}
	for _, c := range []struct{ a, b, want float64 }{
		{1, 1, math.Pow(0.5, 0.25)}, {1, math.Inf(1), 1}, {2, 1, 2 / math.Pow(17, 0.25)}, {1e-3, 1, 1e-3}, {1e6, 1, 1},
	} {
		if got := bounded(c.a, c.b); !near(got, c.want, 1e-9) {
			t.Errorf("bounded(%v, %v) = %v, want %v", c.a, c.b, got, c.want)
		}
	}
	j := unitJob(llamaTiny)
	j.Eff.GEMMFraction, j.Eff.PJ16, j.Eff.PJ8, j.Eff.PJ4 = 0.8, 80, 40, 0
	s := evaluate(t, j)
	for w, want := range []float64{bounded(0.8e12, 0.5e12), bounded(1.6e12, 1e12), 3.2e12} {
		if got := 2 / s.perGEMM[w]; !near(got, want, 1e-12) {
			t.Errorf("width %d: %v FLOP/s, want %v", w, got, want)
		}
	}
	if want := bounded(0.8e12, 0.5e12) / 0.5e12; !near(s.productShare, want, 1e-12) {
		t.Errorf("products draw %v of the range, want %v", s.productShare, want)
	}
	j.Precision = NVFP4
	if s := evaluate(t, j); s.productShare != shareProducts {
		t.Errorf("products of unknown energy draw %v of the range, want %v", s.productShare, shareProducts)
	}
}

// One score takes 4 FLOPs a head value and an exponential; fused kernels skip
// the causal half and do 5 products for 2 backward.
func TestScores(t *testing.T) {
	j := unitJob(llamaTiny)
	j.Eff.AttentionFraction, j.Eff.AttentionMult = 0.5, 0.5
	j.GPU.ExpTera = 0.01
	s := evaluate(t, j)
	products, exp := 4*6/0.25e12, 1/0.01e12
	if want := math.Sqrt(products*products+exp*exp) / 2; !near(s.perScoreForward, want, 1e-12) {
		t.Errorf("a score forward takes %v s, want %v", s.perScoreForward, want)
	}
	if want := math.Sqrt(6.25*products*products+exp*exp) / 2; !near(s.perScoreBackward, want, 1e-12) {
		t.Errorf("a score backward takes %v s, want %v", s.perScoreBackward, want)
	}
	j.Eff.Flash = false
	s = evaluate(t, j)
	if !near(s.perScoreForward, products, 1e-12) || !near(s.perScoreBackward, 2*products, 1e-12) {
		t.Errorf("unfused: %v and %v s, want %v and twice that", s.perScoreForward, s.perScoreBackward, products)
	}
	m := mlaTiny
	if got := m.coreWidth(); got != (7+3+5)/2.0 {
		t.Errorf("latent attention: mean width %v, want 7.5", got)
	}
	j = unitJob(llamaTiny)
	j.Eff.PJ16 = 80
	if s := evaluate(t, j); !near(s.perScoreForward, 4*6/bounded(1e12, 0.5e12)/2, 1e-12) {
		t.Errorf("a score under the board's power takes %v s", s.perScoreForward)
	}
}

// Bytes of a converted value, and of its operands, by precision.
func TestPrecisions(t *testing.T) {
	for p, want := range map[Precision]float64{BF16: 0, FP8: 4, MXFP8: 6.0625, NVFP4: 7.125} {
		if conversion[p] != want {
			t.Errorf("%v: %v bytes a converted value, want %v", p, conversion[p], want)
		}
	}
	if operandBytes != [numWidths]float64{2, 1, 0.5} {
		t.Errorf("operands take %v bytes", operandBytes)
	}
	for text, want := range map[string]Precision{"bf16": BF16, "fp16": BF16, "fp8": FP8, "mxfp8": MXFP8, "nvfp4": NVFP4} {
		var p Precision = 99
		if err := p.UnmarshalText([]byte(text)); err != nil || p != want {
			t.Errorf("%s: %v, %v", text, p, err)
		}
		if out, err := want.MarshalText(); err != nil || want != BF16 && string(out) != text {
			t.Errorf("%v is written %s, %v", want, out, err)
		}
	}
	var p Precision
	if p.UnmarshalText([]byte("fp6")) == nil || Precision(9).String() != "Precision(9)" {
		t.Error("fp6 is accepted")
	}
	g := unitGPU()
	for p, want := range map[Precision]float64{BF16: 1e12, FP8: 2e12, MXFP8: 2e12, NVFP4: 4e12} {
		if got := g.peak(p.width()); got != want || !g.Supports(p) {
			t.Errorf("%v: peak %v, want %v", p, got, want)
		}
	}
	g.FP4TFLOPS = nil
	if g.Supports(NVFP4) || g.Supports(MXFP8) || !g.Supports(FP8) || g.Supports(numPrecisions) {
		t.Error("a GPU without 4-bit products has block scales")
	}
	g.FP8TFLOPS = nil
	if g.Supports(FP8) || !g.Supports(BF16) {
		t.Error("a GPU without 8-bit products has them")
	}
	j := unitJob(llamaTiny)
	j.GPU.FP8TFLOPS, j.Precision = nil, FP8
	if _, err := NewSystem(j); err == nil {
		t.Error("FP8 on a GPU without it: accepted")
	}
}

// parts of a block from the definitions, one linear layer after the other.
type partsOf struct {
	s              *evaluation
	w              width
	grad           float64
	fgemm, bgemm   float64
	fconv, bconv   float64
	module, modmem float64
}

func (p *partsOf) linear(m, n, k, times float64) {
	f, b := p.s.gemm3(m, n, k, p.w, p.grad)
	p.fgemm += times * f
	p.bgemm += times * b
	c := conversion[p.s.Precision] * p.s.perByte
	p.fconv += times * m * k * c
	p.bconv += times * m * n * c
}

// A block is the sum of its products, its element-wise bytes and its kernels,
// counted here from the architecture.
func TestBlock(t *testing.T) {
	type dims struct{ q, kv, split float64 }
	for _, c := range []struct {
		name string
		m    Model
		l    Layout
		p    Precision
		eff  func(*Efficiency)
	}{
		{"gpt", gptTiny, Layout{DP: 2, PP: 1, TP: 1, Microbatch: 3, Interleave: 1}, BF16, nil},
		{"gpt tp", gptTiny, Layout{DP: 2, PP: 1, TP: 4, Microbatch: 3, Interleave: 1}, FP8, nil},
		{"llama sp", llamaTiny, Layout{DP: 2, PP: 1, TP: 2, Microbatch: 1, Interleave: 1, SequenceParallel: true}, MXFP8, func(e *Efficiency) { e.Traffic, e.FusedGrad = 0.5, true }},
		{"llama cp", llamaTiny, Layout{DP: 1, PP: 1, TP: 2, CP: 4, Microbatch: 24, Interleave: 1}, NVFP4, func(e *Efficiency) { e.FusedGrad = true }},
		{"llama unfused", llamaTiny, Layout{DP: 8, PP: 1, TP: 8, Microbatch: 3, Interleave: 1}, BF16, func(e *Efficiency) { e.Flash = false }},
		{"llama without the softmax kernel", llamaTiny, Layout{DP: 8, PP: 1, TP: 1, Microbatch: 1, Interleave: 1}, BF16, func(e *Efficiency) { e.Flash, e.FusedSoftmax = false, false }},
		{"gpt with the softmax kernel", gptTiny, Layout{DP: 8, PP: 1, TP: 1, Microbatch: 1, Interleave: 1}, BF16, func(e *Efficiency) { e.Flash = false }},
		{"moe", moeTiny, Layout{DP: 4, PP: 1, TP: 1, EP: 4, Microbatch: 2, Interleave: 1}, BF16, func(e *Efficiency) { e.ExpertMult, e.RoutedMult = 0.5, 3 }},
		{"moe etp", moeTiny, Layout{DP: 4, PP: 1, TP: 2, EP: 4, ETP: 1, Microbatch: 2, Interleave: 1}, FP8, nil},
		{"moe tp", moeTiny, Layout{DP: 4, PP: 1, TP: 2, EP: 4, Microbatch: 2, Interleave: 1}, FP8, nil},
		{"mla", mlaTiny, Layout{DP: 4, PP: 1, TP: 2, EP: 8, ETP: 1, Microbatch: 1, Interleave: 1}, FP8, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := unitJob(c.m)
			j.Precision = c.p
			if c.eff != nil {
				c.eff(&j.Eff)
			}
			s := evaluate(t, j)
			if err := c.l.check(&c.m, j.Seq, j.GlobalBatch); err != nil {
				t.Fatal(err)
			}
			m, l := &c.m, &c.l
			tp, h := float64(l.TP), float64(m.Hidden)
			tokens := float64(l.Microbatch) * 64 / float64(max(1, l.CP))
			for _, experts := range []bool{false, true} {
				if experts && m.Experts == 0 {
					continue
				}
				p := partsOf{s: s, w: c.p.width(), grad: 4}
				if j.Eff.FusedGrad && j.GlobalBatch > l.DP*l.Microbatch {
					p.grad = 8
				}
				var d dims
				if m.Attention == "mla" {
					const q, kv, rope, nope, v = 20, 10, 3, 7, 5
					p.linear(tokens, q+kv+rope, h, 1)
					before := p
					p.linear(tokens, 4/tp*(nope+rope), q, 1)
					p.linear(tokens, 4/tp*(nope+v), kv, 1)
					p.module, p.modmem = p.fgemm-before.fgemm, p.fconv-before.fconv
					p.linear(tokens, h, 4/tp*v, 1)
					d = dims{split: 4 * (2*(nope+rope) + 2*v)}
				} else {
					hd := h / float64(m.Heads)
					if m.HeadDim > 0 {
						hd = float64(m.HeadDim)
					}
					d = dims{q: hd * float64(m.Heads), kv: hd * float64(m.KVHeads)}
					d.split = 2*d.q + 2*d.kv
					p.linear(tokens, (d.q+2*d.kv)/tp, h, 1)
					p.linear(tokens, h, d.q/tp, 1)
				}
				up := 1.0
				if m.Gated {
					up = 2
				}
				dense := float64(m.FFN)
				if m.DenseFFN > 0 {
					dense = float64(m.DenseFFN)
				}
				inner, permute := dense/tp, 0.0
				launchF, launchB := 30.0, 50.0
				if !experts {
					p.linear(tokens, dense/tp*up, h, 1)
					p.linear(tokens, h, dense/tp, 1)
				} else {
					ep, etp := float64(l.EP), tp
					if l.ETP > 0 {
						etp = float64(l.ETP)
					}
					f, e, k := float64(m.FFN), float64(m.Experts), float64(m.TopK)
					rows := tokens * k * etp / tp
					r := partsOf{s: s, w: p.w, grad: p.grad}
					r.linear(rows*ep/e, f/etp*up, h, e/ep)
					r.linear(rows*ep/e, h, f/etp, e/ep)
					mult := 1.0
					if j.Eff.ExpertMult > 0 {
						mult = j.Eff.ExpertMult
					}
					p.fgemm += r.fgemm / mult
					p.bgemm += r.bgemm / mult
					p.fconv += r.fconv
					p.bconv += r.bconv
					inner = rows / tokens * f / etp
					if shared := float64(m.SharedFFN + m.SharedExperts*m.FFN); shared > 0 {
						p.linear(tokens, shared/tp*up, h, 1)
						p.linear(tokens, h, shared/tp, 1)
						inner += shared / tp
					}
					rf, rb := s.gemm3(tokens/tp, e, h, bits16, p.grad)
					p.fgemm += rf
					p.bgemm += rb
					permute = rows * h * 8 * s.perByte
					if j.Eff.RoutedMult > 0 {
						permute *= j.Eff.RoutedMult
					}
					launchF += 16 + 6*e/ep
					launchB += 16 + 12*e/ep
				}
				rep := 1.0
				if l.SequenceParallel {
					rep = tp
				}
				traffic := 1.0
				if j.Eff.Traffic > 0 {
					traffic = j.Eff.Traffic
				}
				element := tokens * (22*h/rep + 8*d.split/tp + 4*up*inner) * s.perByte * traffic
				scores := tokens * float64(m.Heads) / tp * 64
				softmax, kernels := 0.0, 6.0
				if !j.Eff.Flash {
					softmax = 13
					if !j.Eff.FusedSoftmax || l.Microbatch*m.Heads/l.TP%4 != 0 {
						softmax += 16
						kernels += 14
					}
				}
				softmax *= scores * s.perByte
				b := s.block(l, experts)
				check := func(what string, got, want float64) {
					t.Helper()
					if !near(got, want, 1e-9) {
						t.Errorf("experts %v: %s %v, want %v", experts, what, got, want)
					}
				}
				if l.SequenceParallel { // inputs gathered again take multiprocessors from the products above them
					again, _ := s.comm(collective.AllGather, collective.Group{N: l.TP, Stride: 1}, Act, 2*tokens*h)
					p.bgemm += 0.15 * min(2*again, p.bgemm/2)
				}
				check("forward products", b.fwd.gemm, p.fgemm)
				check("backward products", b.bwd.gemm, p.bgemm)
				check("forward core", b.fwd.core, scores*s.perScoreForward)
				check("backward core", b.bwd.core, scores*s.perScoreBackward)
				check("forward memory", b.fwd.mem, p.fconv+element+softmax+permute)
				check("backward memory", b.bwd.mem, p.bconv+2*element+2*softmax+permute)
				check("forward kernels", b.fwd.launch, launchF+kernels)
				check("backward kernels", b.bwd.launch, launchB+2*kernels)
				check("recomputed", b.again.busy(), 0)

				// What recomputation repeats.
				full := *l
				full.Recompute = RecomputeFull
				if got := s.block(&full, experts).again; got != b.fwd {
					t.Errorf("experts %v: full recomputation repeats %+v, want %+v", experts, got, b.fwd)
				}
				full.RecomputeLayers = 1
				check("one layer recomputed", s.block(&full, experts).again.gemm, b.fwd.gemm/float64(m.Layers))
				full.RecomputeLayers = m.Layers
				check("all layers recomputed", s.block(&full, experts).again.gemm, b.fwd.gemm)
				sel := *l
				sel.Recompute = RecomputeSelective
				a := s.block(&sel, experts).again
				if m.Experts > 0 || m.Attention == "mla" {
					check("recomputed modules' products", a.gemm, p.module)
					check("recomputed modules' memory", a.mem, p.modmem+tokens*(8*h/rep+4*up*inner)*s.perByte*traffic)
					check("recomputed modules' kernels", a.launch, 12)
					check("recomputed core", a.core, 0)
				} else {
					check("recomputed core", a.core, b.fwd.core)
					check("recomputed softmax", a.mem, softmax)
					check("recomputed kernels", a.launch, kernels)
				}
			}
			// The average block.
			moe := map[string]float64{"moe": 4.0 / 5, "moe etp": 4.0 / 5, "moe tp": 4.0 / 5, "mla": 3.0 / 6}[c.name]
			x, y, z := s.blocks(l), s.block(l, false), block{}
			if moe > 0 {
				z = s.block(l, true)
			}
			for what, v := range map[string][3]float64{
				"forward products": {x.fwd.gemm, y.fwd.gemm, z.fwd.gemm}, "backward memory": {x.bwd.mem, y.bwd.mem, z.bwd.mem},
				"all-to-all": {x.fwd.ep, y.fwd.ep, z.fwd.ep}, "payload": {x.sent.Payload, y.sent.Payload, z.sent.Payload},
			} {
				if want := (1-moe)*v[1] + moe*v[2]; !near(v[0], want, 1e-9) {
					t.Errorf("average %s: %v, want %v", what, v[0], want)
				}
			}
		})
	}
}

// Collectives of a block: tensor, context and expert parallel.
func TestBlockCollectives(t *testing.T) {
	check := func(what string, got, want float64) {
		t.Helper()
		if !near(got, want, 1e-12) || want == 0 {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	j := unitJob(llamaTiny)
	j.Net = collective.NodeNetwork(2, 1e12, 1e11) // so that all but pairs leave the node
	s := evaluate(t, j)
	const h = 32
	l := Layout{DP: 1, PP: 1, TP: 8, Microbatch: 3, Interleave: 1}
	tokens := 3 * 64.0
	v := 2 * tokens * h
	g := collective.Group{N: 8, Stride: 1}
	time := func(op collective.Op, g collective.Group, class Class, v float64) float64 {
		x, _ := s.comm(op, g, class, v)
		return x
	}
	sent := func(op collective.Op, g collective.Group, class Class, v float64) float64 {
		_, x := s.comm(op, g, class, v)
		return x.Payload
	}
	b := s.block(&l, false)
	check("TP forward", b.fwd.tp, 2*time(collective.AllReduce, g, Act, v))
	check("TP backward", b.bwd.tp, 2*time(collective.AllReduce, g, ActGrad, v))
	check("TP payload", b.sent.Payload, 2*sent(collective.AllReduce, g, Act, v)+2*sent(collective.AllReduce, g, ActGrad, v))
	l.Recompute = RecomputeFull
	b = s.block(&l, false)
	check("TP payload, recomputed", b.sent.Payload, 4*sent(collective.AllReduce, g, Act, v)+2*sent(collective.AllReduce, g, ActGrad, v))
	check("TP recomputed", b.again.tp, 2*time(collective.AllReduce, g, Act, v))
	l.SequenceParallel = true
	b = s.block(&l, false)
	check("SP forward", b.fwd.tp, 2*time(collective.AllGather, g, Act, v)+2*time(collective.ReduceScatter, g, Act, v))
	// Inputs gathered again show where the weights' gradients, half of the backward products, end before.
	bare := l
	bare.SequenceParallel = false
	products := s.block(&bare, false).bwd.gemm
	shows := 2*time(collective.AllGather, g, Act, v) - products/2
	check("SP backward", b.bwd.tp, 2*time(collective.AllGather, g, ActGrad, v)+2*time(collective.ReduceScatter, g, ActGrad, v)+shows)
	check("SP backward products", b.bwd.gemm, products+0.15*products/2)
	check("SP payload", b.sent.Payload, 4*(sent(collective.AllGather, g, Act, v)+sent(collective.ReduceScatter, g, Act, v))+
		2*(sent(collective.AllGather, g, ActGrad, v)+sent(collective.ReduceScatter, g, ActGrad, v))+2*sent(collective.AllGather, g, Act, v))

	// Recomputation that stops early repeats neither the product that ends the block nor its collective.
	j.Eff.EarlyStop = true
	e := evaluate(t, j)
	l.Recompute = RecomputeFull
	ends, _ := e.gemm3(tokens, h, float64(llamaTiny.FFN)/8, bits16, 4)
	b = e.block(&l, false)
	check("stopped early, SP", b.again.tp, b.fwd.tp-time(collective.ReduceScatter, g, Act, v))
	check("stopped early, products", b.again.gemm, b.fwd.gemm-ends)
	check("stopped early, core", b.again.core, b.fwd.core)
	check("stopped early, SP payload", b.sent.Payload, s.block(&l, false).sent.Payload-sent(collective.ReduceScatter, g, Act, v))
	l.SequenceParallel = false
	b = e.block(&l, false)
	check("stopped early, TP", b.again.tp, time(collective.AllReduce, g, Act, v))
	check("stopped early, TP payload", b.sent.Payload, 3*sent(collective.AllReduce, g, Act, v)+2*sent(collective.AllReduce, g, ActGrad, v))
	j.Precision = FP8
	if f := evaluate(t, j); !near(f.block(&l, false).fwd.mem-f.block(&l, false).again.mem, tokens*float64(llamaTiny.FFN)/8*4*f.perByte, 1e-9) {
		t.Error("stopped early: the input of the last product is converted again")
	}
	j.Precision, j.Eff.EarlyStop = BF16, false

	// A collective starts with the slowest of its ranks.
	j.Eff.SkewUS = 3
	e = evaluate(t, j)
	late := 3e-6 * math.Sqrt(2*math.Log(8))
	l.Recompute = RecomputeNone
	b = e.block(&l, false)
	check("skewed forward", b.fwd.tp, s.block(&l, false).fwd.tp+2*late)
	check("skewed backward", b.bwd.tp, s.block(&l, false).bwd.tp+2*late)
	l.SequenceParallel = true
	b = e.block(&l, false)
	check("skewed SP forward", b.fwd.tp, s.block(&l, false).fwd.tp+4*late)
	check("skewed SP backward", b.bwd.tp, s.block(&l, false).bwd.tp+4*late)
	j.Eff.SkewUS = 0
	if l.Recompute = RecomputeSelective; l.forwards() != 1 {
		t.Errorf("selective recomputation repeats the collectives %d times", l.forwards()-1)
	}

	// Keys and values of the whole sequence, of 2 heads of 6, once around; their gradients as well.
	l = Layout{DP: 1, PP: 1, TP: 2, CP: 4, Microbatch: 3, Interleave: 1}
	g = collective.Group{N: 4, Stride: 2}
	b = s.block(&l, false)
	kv := 2 * (2 * 2 * 6 / 2.0) * tokens
	check("CP forward", b.fwd.cp, time(collective.AllGather, g, Act, kv))
	check("CP backward", b.bwd.cp, time(collective.AllGather, g, ActGrad, 2*kv))
	l.TP = 1
	b = s.block(&l, false)
	g = collective.Group{N: 4, Stride: 1}
	check("CP payload", b.sent.Payload, sent(collective.AllGather, g, Act, 2*kv)+sent(collective.AllGather, g, ActGrad, 4*kv))
	if l.CP = 1; s.block(&l, false).sent.Payload != 0 {
		t.Error("one rank sends something")
	}

	// Latent attention sends what its heads need: 7 + 3 + 5 values each.
	j.Model = mlaTiny
	s = evaluate(t, j)
	l = Layout{DP: 1, PP: 1, TP: 2, CP: 4, Microbatch: 3, Interleave: 1, EP: 1}
	check("CP of latents", s.block(&l, false).fwd.cp, time(collective.AllGather, collective.Group{N: 4, Stride: 2}, Act, 2*tokens*4*15/2))

	// Experts: every rank sends tokens x k / tp pairs, two ways, forward and backward.
	j.Model = moeTiny
	for _, dedup := range []bool{false, true} {
		j.Eff.Deduplicated = dedup
		s = evaluate(t, j)
		for _, etp := range []int{1, 2} {
			l = Layout{DP: 4, PP: 1, TP: 2, EP: 4, ETP: etp, Microbatch: 3, Interleave: 1}
			b = s.block(&l, true)
			g = collective.Group{N: 4, Stride: etp}
			pairs := tokens * 3 / 2
			exchange := func(class Class, combine bool) (float64, collective.Traffic) {
				if !dedup {
					return s.comm(collective.AllToAll, g, class, pairs*h*2)
				}
				var p collective.Plan
				s.fabric.Exchange(&p, g, &collective.Routing{Tokens: tokens / 2, Hidden: 1, TopK: 3}, collective.ExchangeDeduplicated, combine, &s.channels[class])
				return p.Message(2 * h)
			}
			d, td := exchange(Act, false)
			c, tc := exchange(Act, true)
			e, te := exchange(ActGrad, false)
			f, tf := exchange(ActGrad, true)
			wantF, wantB := d+c, e+f
			payload := td.Payload + tc.Payload + te.Payload + tf.Payload
			if etp == 2 {
				rows := tokens * 3
				wantF += time(collective.AllReduce, collective.Group{N: 2, Stride: 1}, Act, 2*rows*h)
				wantB += time(collective.AllReduce, collective.Group{N: 2, Stride: 1}, ActGrad, 2*rows*h)
				payload += sent(collective.AllReduce, collective.Group{N: 2, Stride: 1}, Act, 2*rows*h) + sent(collective.AllReduce, collective.Group{N: 2, Stride: 1}, ActGrad, 2*rows*h)
			}
			name := fmt.Sprintf("etp %d, dedup %v: ", etp, dedup)
			check(name+"forward all-to-alls", b.fwd.ep, wantF)
			check(name+"backward all-to-alls", b.bwd.ep, wantB)
			check(name+"payload", b.sent.Payload-s.block(&l, false).sent.Payload, payload)
		}
	}
}

// What is not hidden: TP under products, the context ring under the core,
// all-to-alls under what the two leave.
func TestShown(t *testing.T) {
	j := unitJob(llamaTiny)
	j.Eff.TPOverlap, j.Eff.CPOverlap, j.Eff.EPOverlap, j.Eff.AsyncTP = 0.5, 0.75, 0.25, 0.9
	s := evaluate(t, j)
	p := pass{gemm: 10, core: 3, mem: 2, tp: 8, cp: 8, ep: 8}
	for _, c := range []struct {
		name       string
		l          Layout
		p          pass
		tp, cp, ep float64
	}{
		{"fractions", Layout{}, pass{gemm: 10, core: 30, mem: 2, tp: 8, cp: 8, ep: 8}, 4, 2, 6},
		{"bounds", Layout{}, pass{gemm: 1, core: 2, mem: 2, tp: 8, cp: 8, ep: 80}, 7, 6, 78},
		{"asynchronous", Layout{AsyncTP: true}, p, 8 - 7.2, 5, 6},
		{"no room", Layout{}, pass{gemm: 1, tp: 8, ep: 8}, 7, 0, 8},
	} {
		tp, cp, ep := s.shown(&c.p, &c.l)
		if !near(tp, c.tp, 1e-12) || !near(cp, c.cp, 1e-12) || !near(ep, c.ep, 1e-12) {
			t.Errorf("%s: %v, %v, %v; want %v, %v, %v", c.name, tp, cp, ep, c.tp, c.cp, c.ep)
		}
	}
	j.Precision = NVFP4
	if tp, _, _ := evaluate(t, j).shown(&p, &Layout{}); tp != 8 {
		t.Errorf("4-bit products hide %v s of TP", 8-tp)
	}
	j.Precision, j.Eff.AsyncTP = BF16, 0
	if tp, _, _ := evaluate(t, j).shown(&p, &Layout{AsyncTP: true}); tp != 4 {
		t.Errorf("asynchronous TP that is not told apart shows %v s, want 4", tp)
	}
}

// The head is one product in 16 bits and the loss; the embedding a lookup.
func TestHead(t *testing.T) {
	j := unitJob(gptTiny)
	j.Precision = FP8
	for _, fused := range []bool{false, true} {
		j.Eff.FusedLoss = fused
		s := evaluate(t, j)
		l := Layout{DP: 2, PP: 1, TP: 2, Microbatch: 3, Interleave: 1}
		head, embed := s.head(&l)
		f, b := s.gemm3(192, 500, 32, bits16, 4)
		bytes := 20.0
		if fused {
			bytes = 8
		}
		if want := (pass{gemm: f + b, mem: 192 * 500 * bytes / 1e12, launch: 40}); !near(head.gemm, want.gemm, 1e-12) || !near(head.mem, want.mem, 1e-12) || head.launch != 40 {
			t.Errorf("head %+v, want %+v", head, want)
		}
		if want := (pass{mem: 192 * 32 * 10 / 1e12, launch: 10}); !near(embed.mem, want.mem, 1e-12) || embed.launch != 10 || embed.gemm != 0 {
			t.Errorf("embedding %+v, want %+v", embed, want)
		}
	}
}
