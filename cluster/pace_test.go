package cluster

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"vcsim/cluster/collective"
)

// Blocks over stages: evenly, or with embedding and loss as a block each.
func TestStages(t *testing.T) {
	for _, c := range []struct {
		layers, pp, v           int
		first, mid, last, inner float64
	}{
		{32, 8, 1, 4, 4, 4, 4},
		{32, 8, 4, 4, 4, 4, 4},
		{126, 8, 8, 15, 16, 15, 16},        // 128 slots over 64 chunks
		{126, 16, 8, 7, 8, 7, 8},           // 128 chunks
		{61, 16, 1, 3, 4, 3, 55.0 / 14},    // 63 slots over 16 stages
		{61, 2, 8, 30.5, 30.5, 30.5, 30.5}, // two ends, no inner stage
		{5, 2, 1, 2.5, 2.5, 2.5, 2.5},
		{10, 4, 5, 2, 3, 2, 3}, // divides by no 20 chunks
	} {
		l := Layout{PP: c.pp, Interleave: c.v}
		first, mid, last, inner := l.stages(c.layers)
		if first != c.first || mid != c.mid || last != c.last || inner != c.inner {
			t.Errorf("%d layers over %d x %d: %v, %v, %v, %v; want %v, %v, %v, %v", c.layers, c.pp, c.v, first, mid, last, inner, c.first, c.mid, c.last, c.inner)
		}
	}
}

// Weights of the fullest stage, its gradient sums and its traffic.
func TestWork(t *testing.T) {
	j := unitJob(moeTiny)
	s := evaluate(t, j)
	m := &j.Model
	for _, tied := range []bool{false, true} {
		s.Model.Tied = tied
		for _, pp := range []int{1, 2} {
			l := Layout{DP: 4, PP: pp, TP: 2, EP: 4, ETP: 1, Microbatch: 1, Interleave: 1}
			var w stageWork
			s.work(&w, &l, 6)
			layers := 5 / float64(pp)
			embed := 32.0 * 1000 / 2
			ends := embed
			if pp == 1 && !tied {
				ends *= 2
			}
			dense := layers*(m.LayerParams()-m.ExpertParams())/2 + ends
			expert := layers * (8 * 3 * 32 * 24 * 4 / 5.0) / 4
			if !near(w.dense, dense, 1e-12) || !near(w.expert, expert, 1e-12) || w.embedParams != embed {
				t.Errorf("pp %d, tied %v: %v + %v weights (%v), want %v + %v", pp, tied, w.dense, w.expert, w.embedParams, dense, expert)
			}
			if want := (dense + expert) * 2 * 4 / 1e12; !near(w.accumulate, want, 1e-12) {
				t.Errorf("sums take %v s, want %v", w.accumulate, want)
			}
			if want := layers * 6; !near(w.sent.Payload, want*w.block.sent.Payload, 1e-12) {
				t.Errorf("payload %v, want %v blocks'", w.sent.Payload, want)
			}
			s.work(&w, &l, 1)
			if w.accumulate != 0 {
				t.Error("one micro-batch adds up gradients")
			}
		}
	}
	j.Eff.FusedGrad = true
	s = evaluate(t, j)
	var w stageWork
	if s.work(&w, &Layout{DP: 4, PP: 1, TP: 2, EP: 4, ETP: 1, Microbatch: 1, Interleave: 1}, 6); w.accumulate != 0 {
		t.Error("products that add up leave sums to others")
	}
}

// Messages between stages: 2 bytes a hidden value each way, per virtual stage.
func TestMessages(t *testing.T) {
	j := unitJob(gptTiny)
	for _, split := range []bool{false, true} {
		j.Eff.SplitSend = split
		s := evaluate(t, j)
		l := Layout{DP: 2, PP: 4, TP: 2, CP: 2, Microbatch: 3, Interleave: 1}
		for _, v := range []int{1, 3} {
			l.Interleave = v
			bytes := 2 * (3 * 64 / 2.0) * 32
			if split {
				bytes /= 2
			}
			g := collective.Group{N: 4, Stride: 2 * 2 * 2}
			a, ta := s.comm(collective.SendRecv, g, Act, bytes)
			b, _ := s.comm(collective.SendRecv, g, ActGrad, bytes)
			slot, sent := s.messages(&l)
			if want := (a + b) * float64(v); !near(slot, want, 1e-12) || want == 0 {
				t.Errorf("v %d, split %v: %v s, want %v", v, split, slot, want)
			}
			if want := 2 * ta.Payload * float64(v) * 4; !near(sent.Payload, want, 1e-12) || want == 0 { // 24 / (2 x 3) micro-batches
				t.Errorf("v %d, split %v: %v bytes, want %v", v, split, sent.Payload, want)
			}
		}
		l.PP = 1
		if slot, sent := s.messages(&l); slot != 0 || sent != (collective.Traffic{}) {
			t.Errorf("one stage sends messages: %v s, %+v", slot, sent)
		}
	}
}

// Gradients and parameters between replicas, by ZeRO stage.
func TestReplicated(t *testing.T) {
	j := unitJob(gptTiny)
	const params = 3e6
	for _, c := range []struct {
		name string
		l    Layout
		eff  func(*Efficiency)
	}{
		{"zero 0", Layout{DP: 16, PP: 1, TP: 2, ZeRO: 0}, nil},
		{"zero 0, 32-bit gradients in pieces", Layout{DP: 16, PP: 1, TP: 2}, func(e *Efficiency) { e.GradBytes, e.Bucket = 4, 0.7 }},
		{"zero 1", Layout{DP: 16, PP: 1, TP: 2, ZeRO: 1}, func(e *Efficiency) { e.GradBytes = 4 }},
		{"zero 1, groups", Layout{DP: 8, CP: 2, PP: 1, TP: 2, ZeRO: 1, ZeROGroup: 4}, func(e *Efficiency) { e.Bucket = 1 }},
		{"zero 2", Layout{DP: 16, PP: 1, TP: 2, ZeRO: 2}, nil},
		{"zero 3", Layout{DP: 16, PP: 1, TP: 2, ZeRO: 3}, nil},
		{"zero 3, groups", Layout{DP: 16, PP: 1, TP: 2, ZeRO: 3, ZeROGroup: 8}, nil},
		{"zero 3, stages", Layout{DP: 16, PP: 2, TP: 2, ZeRO: 3}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := j
			if c.eff != nil {
				c.eff(&j.Eff)
			}
			s := evaluate(t, j)
			l := c.l
			n := l.DP * max(1, l.CP)
			w := stageWork{l: &l, n: 6, first: 2, mid: 3, last: 1}
			d := s.replicated(&w, params, collective.Group{N: n, Stride: l.TP})
			width := 2.0
			if j.Eff.GradBytes == 4 {
				width = 4
			}
			pieces := 1.0
			if j.Eff.Bucket > 0 {
				pieces = math.Ceil(3 / j.Eff.Bucket)
			}
			if l.ZeRO == 3 {
				pieces = 3
			}
			inner := n
			if l.ZeROGroup > 0 {
				inner = l.ZeROGroup
			}
			comm := func(op collective.Op, g collective.Group, class Class, v float64) (float64, float64) {
				x, tr := s.comm(op, g, class, v/pieces)
				return x * pieces, tr.Payload * pieces
			}
			var want dataParallel
			var payload float64
			if l.ZeRO == 0 {
				want.grads, payload = comm(collective.AllReduce, collective.Group{N: n, Stride: 2}, Grad, width*params)
			} else {
				scatter, ps := comm(collective.ReduceScatter, collective.Group{N: inner, Stride: 2}, Grad, width*params)
				gather, pg := comm(collective.AllGather, collective.Group{N: inner, Stride: 2}, Param, 2*params)
				if inner < n {
					x, px := comm(collective.AllReduce, collective.Group{N: n / inner, Stride: 2 * inner}, Grad, width*params/float64(inner))
					scatter += x
					ps += px
				}
				switch {
				case l.ZeRO == 1 || l.ZeRO == 3 && l.PP > 1:
					want.once, want.grads, payload = gather, scatter, pg+ps
				case l.ZeRO == 2:
					want.once, want.grads, want.perSlot, payload = gather, scatter, scatter*5/6, pg+6*ps
				default:
					want.perSlot, payload = 2*gather+scatter, 12*pg+6*ps
				}
			}
			if !near(d.once, want.once, 1e-12) || !near(d.grads, want.grads, 1e-12) || !near(d.perSlot, want.perSlot, 1e-12) || !near(d.sent.Payload, payload, 1e-12) {
				t.Errorf("got %+v, want %+v and %v bytes", d, want, payload)
			}
		})
	}
	s := evaluate(t, j)
	w := stageWork{l: &Layout{DP: 1, PP: 1, TP: 1}, n: 1}
	if d := s.replicated(&w, params, collective.Group{N: 1, Stride: 1}); d != (dataParallel{}) {
		t.Errorf("one replica: %+v", d)
	}
}

// The gradients of a stage: replicated weights, experts' and a shared embedding.
func TestGradients(t *testing.T) {
	j := unitJob(moeTiny)
	j.Model.Tied = true
	s := evaluate(t, j)
	for _, pp := range []int{1, 2} {
		l := Layout{DP: 8, PP: pp, TP: 2, EP: 4, ETP: 2, Microbatch: 1, Interleave: 1}
		w := stageWork{l: &l, n: 3, dense: 5e6, expert: 7e6, embedParams: 1e6}
		d := s.gradients(&w, &l)
		a := s.replicated(&w, 5e6, collective.Group{N: 8, Stride: 2})
		b := s.replicated(&w, 7e6, collective.Group{N: 2, Stride: 8}) // 16 ranks, 8 of which hold the experts once
		grads, payload := a.grads+b.grads, a.sent.Payload+b.sent.Payload
		if pp == 2 {
			x, tx := s.comm(collective.AllReduce, collective.Group{N: 2, Stride: 16}, Grad, 2e6)
			grads += x
			payload += tx.Payload
		}
		if !near(d.grads, grads, 1e-12) || !near(d.sent.Payload, payload, 1e-12) || payload == 0 {
			t.Errorf("pp %d: %v s and %v bytes, want %v and %v", pp, d.grads, d.sent.Payload, grads, payload)
		}
		l.ZeRO = 2
		d = s.gradients(&w, &l)
		a, b = s.replicated(&w, 5e6, collective.Group{N: 8, Stride: 2}), s.replicated(&w, 7e6, collective.Group{N: 2, Stride: 8})
		if !near(d.once, a.once+b.once, 1e-12) || !near(d.perSlot, a.perSlot+b.perSlot, 1e-12) {
			t.Errorf("pp %d, ZeRO 2: %+v, want the sum of %+v and %+v", pp, d, a, b)
		}
	}
}

// A slot: work and what shows of its collectives, then gaps and the host.
func TestSlot(t *testing.T) {
	j := unitJob(gptTiny)
	j.Eff.LaunchUS, j.Eff.GapUS, j.Eff.TPOverlap, j.Eff.CPOverlap, j.Eff.EPOverlap = 3, 5, 0.5, 0.5, 0.5
	s := evaluate(t, j)
	if !near(s.launch, 3e-6, 1e-12) || !near(s.gap, 5e-6, 1e-12) {
		t.Errorf("a launch takes %v s and a gap %v, want 3e-6 and 5e-6", s.launch, s.gap)
	}
	s.launch, s.gap = 2, 0.25
	f := pass{gemm: 1, core: 2, mem: 3, launch: 4, tp: 0.5, cp: 0.25, ep: 0.125}
	g := pass{gemm: 10, core: 20, mem: 30, launch: 40, tp: 5, cp: 2.5, ep: 1.25}
	l := Layout{DP: 1, PP: 1, TP: 1, Microbatch: 1, Interleave: 1}
	w := stageWork{l: &l, n: 2, block: block{fwd: f, bwd: g}, accumulate: 7}
	end := pass{gemm: 100, core: 50, mem: 150, launch: 300}
	paces := s.blockPaces(&w)
	got := s.slot(&w, &paces, 3, &end)
	gpu := 3*(6+60) + 300 + 7.0
	tp, cp, ep := 3*(0.25+2.5), 3*(0.125+1.25), 3*(0.0625+0.625)
	kernels := 3*44 + 300.0
	busy := gpu + tp + cp + ep + kernels*0.25
	want := slot{gpu: gpu, tp: tp, cp: cp, ep: ep, products: 3*(3+30) + 150, host: near4(busy, kernels*2) - busy + kernels*0.25}
	if !near(got.gpu, want.gpu, 1e-12) || !near(got.tp, want.tp, 1e-12) || !near(got.cp, want.cp, 1e-12) || !near(got.ep, want.ep, 1e-12) ||
		!near(got.products, want.products, 1e-12) || !near(got.host, want.host, 1e-12) || got.offload != 0 {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if want := near4(busy, kernels*2); !near(got.total(), want, 1e-12) {
		t.Errorf("a slot takes %v s, want %v", got.total(), want)
	}
	// What waits for the host's memory is part of it.
	l.OffloadLayers = 4
	s.GPU.PCIeGBPerS = 1e-9
	off := s.slot(&w, &paces, 3, &end)
	if want := s.offload(&w, 3); want < 1e3 || off.offload != want || !near(off.total(), gpu+tp+cp+ep+want+off.host, 1e-12) {
		t.Errorf("offloading: %+v, want %v s of it", off, want)
	}
	l.OffloadLayers = 0
	// Recomputation is a third pass.
	w.block.again = f
	paces = s.blockPaces(&w)
	if more := s.slot(&w, &paces, 3, &end); !near(more.gpu-got.gpu, 18, 1e-9) || !near(more.tp-got.tp, 0.75, 1e-9) {
		t.Errorf("recomputation adds %v s of work and %v of TP, want 18 and 0.75", more.gpu-got.gpu, more.tp-got.tp)
	}
}

// Activations that wait in the host's memory show where they take longer than
// the pass beside them.
func TestOffload(t *testing.T) {
	j := unitJob(gptTiny)
	s := evaluate(t, j)
	l := Layout{DP: 1, PP: 1, TP: 1, Microbatch: 1, Interleave: 1, OffloadLayers: 2}
	bytes := LayerActivations(&gptTiny, &l, 64, true)
	moved := 3 * 2 / 4.0 * bytes / 10e9 // 3 blocks of 4, of which 2 are offloaded
	w := stageWork{l: &l, block: block{fwd: pass{gemm: moved / 6, core: moved / 12}, bwd: pass{mem: moved / 24}, again: pass{gemm: moved / 24}}}
	if want := moved - 3*(moved/6+moved/12) + moved - 3*(moved/24+moved/24); !near(s.offload(&w, 3), want, 1e-12) {
		t.Errorf("%v s show, want %v of %v", s.offload(&w, 3), want, moved)
	}
	w.block.fwd.gemm, w.block.bwd.mem = 1, 1
	if got := s.offload(&w, 3); got != 0 {
		t.Errorf("%v s show beside long passes", got)
	}
	l.OffloadLayers = 0
	w.block = block{}
	if got := s.offload(&w, 3); got != 0 {
		t.Errorf("%v s without offloading", got)
	}
	l.OffloadLayers, s.GPU.PCIeGBPerS = 2, 0
	if got := s.offload(&w, 3); got != 0 {
		t.Errorf("%v s over a host link that is not known", got)
	}
}

// The step from its slots: the slowest stage paces, the others fill and drain.
func TestPace(t *testing.T) {
	j := unitJob(gptTiny)
	j.Eff.PPOverlap, j.Eff.ParamOverlap, j.Eff.DPOverlap = 0.5, 0.5, 0.75
	j.Eff.SlotMS, j.Eff.StepMS, j.Eff.Jitter = 500, 3000, 1
	j.Checkpoint = Checkpoint{Steps: 10, BytesPerSecond: 1e5}
	s := evaluate(t, j)
	fwd := pass{gemm: 1, core: 0.5, mem: 0.5}
	bwd := pass{gemm: 2, core: 1, mem: 1}
	again := pass{gemm: 0.25, launch: 1}
	fwd.launch, bwd.launch = 1, 1
	for _, c := range []struct {
		name                    string
		l                       Layout
		first, mid, last, inner float64
		head, embed             float64
		slowest, blocks, others float64 // of a slot without overheads
	}{
		{"one stage", Layout{DP: 2, PP: 1, TP: 1, Interleave: 1}, 4, 4, 4, 4, 3, 1, 4*6.25 + 4, 4, 0},
		{"head", Layout{DP: 2, PP: 4, TP: 1, Interleave: 1}, 4, 4, 4, 4, 3, 1, 4*6.25 + 3, 4, 4*6.25 + 1 + 2*4*6.25},
		{"embedding", Layout{DP: 2, PP: 4, TP: 1, Interleave: 2}, 4, 4, 4, 4, 1, 3, 4*6.25 + 3, 4, 4*6.25 + 1 + 2*4*6.25},
		{"inner", Layout{DP: 2, PP: 4, TP: 1, Interleave: 2}, 3, 4, 3, 3.5, 2, 1, 4 * 6.25, 4, 3*6.25 + 1 + 3*6.25 + 2 + 2*3.5*6.25 - 4*6.25},
		{"three stages", Layout{DP: 2, PP: 3, TP: 1, Interleave: 1}, 3, 4, 3, 4, 2, 1, 4 * 6.25, 4, 3*6.25 + 1 + 3*6.25 + 2},
		{"two stages", Layout{DP: 2, PP: 2, TP: 1, Interleave: 1}, 2.5, 2.5, 2, 2.5, 1, 2, 2.5*6.25 + 2, 2.5, 2*6.25 + 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			const n = 6.0
			l := c.l
			w := stageWork{l: &l, n: n, block: block{fwd: fwd, bwd: bwd, again: again}, first: c.first, mid: c.mid, last: c.last, inner: c.inner,
				head: pass{gemm: c.head, launch: 1}, embed: pass{mem: c.embed, launch: 1}, dense: 3e9, expert: 0}
			for _, big := range []bool{false, true} {
				d := dataParallel{perSlot: 2, once: 1, grads: 4}
				ppSlot := 3.0
				if l.PP == 1 {
					ppSlot = 0
				}
				if big {
					d, ppSlot = dataParallel{perSlot: 400, once: 1000, grads: 4000}, ppSlot*100
				}
				var st Step
				s.pace(&st, &w, ppSlot, &d)
				v, p := float64(l.Interleave), float64(l.PP)
				// All of it is on one tier, which what hides in a slot holds.
				pp := ppSlot - min(ppSlot/2, c.slowest)
				gather := d.perSlot - min(d.perSlot/2, c.slowest-(ppSlot-pp))
				free := (c.slowest - (ppSlot - pp) - (d.perSlot - gather)) / c.slowest
				extra := pp + gather + 0.5*v
				window := (1 + (v-1)*p) / v
				once := d.once - min(d.once/2, c.blocks*2*window*free)
				dp := d.grads - min(0.75*d.grads, c.blocks*4.25*window*free)
				bubble := 0.0
				if l.PP > 1 {
					bubble = (c.others + (p-1)*extra) / v
				}
				opt := 3e9 * 30 / 1e12
				ckpt := gptTiny.Params() * 14 / 1e5 / 10
				before := n*(c.slowest+extra) + once + bubble + dp + opt + 3 + ckpt
				jitter := before * 0.01 * math.Sqrt(2*math.Log(float64(l.GPUs())))
				check := func(what string, got, want float64) {
					t.Helper()
					if !near(got, want, 1e-9) {
						t.Errorf("big %v: %s %v, want %v", big, what, got, want)
					}
				}
				check("messages", st.PP, n*pp)
				check("parameters", st.Params, n*gather+once)
				check("gradients", st.DP, dp)
				check("bubble", st.Bubble, bubble)
				check("optimizer", st.Optimizer, opt)
				check("checkpoint", st.Checkpoint, ckpt)
				check("jitter", st.Jitter, jitter)
				check("forward", st.Forward, n*c.blocks*2)
				check("again", st.Again, n*c.blocks*0.25)
				check("backward", st.Backward, n*(c.slowest-c.blocks*2.25))
				check("host", st.Host, n*0.5*v+3)
				check("hidden", st.Hidden, d.grads-dp+d.once-once+n*(d.perSlot-gather+ppSlot-pp))
				check("time", st.Time, before+jitter)
			}
		})
	}
	if slowest(1) != 0 {
		t.Error("one rank waits for itself")
	}
}

// Classes of traffic on one tier of links share its time; those on different
// tiers do not see each other.
func TestContention(t *testing.T) {
	j := unitJob(gptTiny)
	j.Net = collective.NodeNetwork(4, 1e12, 1e11)
	j.Eff.PPOverlap, j.Eff.ParamOverlap, j.Eff.DPOverlap = 1, 1, 1
	s := evaluate(t, j)
	for _, c := range []struct {
		name                string
		tp, cp, dp, pp, ep  int
		tpT, cpT, epT       float64 // seconds of a block's collectives
		replicas, stageTier int
		inner, outer        float64 // idle seconds of a slot of 100, with 2 blocks
	}{
		{"TP inside", 4, 1, 2, 2, 0, 5, 0, 0, 1, 1, 90, 100},
		{"TP across", 8, 1, 2, 2, 0, 5, 0, 0, 1, 1, 100, 90},
		{"CP across", 2, 4, 2, 2, 0, 5, 7, 0, 1, 1, 90, 86},
		{"EP inside", 1, 1, 4, 2, 4, 0, 0, 11, 0, 1, 78, 100},
		{"EP across", 2, 1, 4, 2, 4, 3, 0, 11, 1, 1, 94, 78},
		{"more than there is", 8, 1, 2, 2, 0, 60, 0, 0, 1, 1, 100, 0},
		{"all inside", 1, 1, 2, 2, 0, 0, 0, 0, 0, 0, 100, 100},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := Layout{DP: c.dp, PP: c.pp, TP: c.tp, CP: c.cp, EP: c.ep, Microbatch: 1, Interleave: 1}
			w := stageWork{l: &l, block: block{fwd: pass{tp: c.tpT / 2, cp: c.cpT / 2, ep: c.epT / 2}, bwd: pass{tp: c.tpT / 4, cp: c.cpT / 4, ep: c.epT / 4},
				again: pass{tp: c.tpT / 4, cp: c.cpT / 4, ep: c.epT / 4}}}
			got := s.idle(&w, 2, 100)
			if !near(got.seconds[0], c.inner, 1e-12) || !near(got.seconds[1], c.outer, 1e-12) {
				t.Errorf("idle %v and %v s, want %v and %v", got.seconds[0], got.seconds[1], c.inner, c.outer)
			}
			if r, p := s.tier(l.replicaGroup()), s.tier(l.stageGroup()); r != c.replicas || p != c.stageTier {
				t.Errorf("replicas are on tier %d and stages on %d, want %d and %d", r, p, c.replicas, c.stageTier)
			}
			// What hides is gone for the next.
			before := got.seconds[1]
			if shows := got.share(1, 40, 0.5); !near(shows, 40-min(20, before), 1e-12) || !near(got.seconds[1], before-min(20, before), 1e-12) {
				t.Errorf("of 40 s half of which may hide in %v, %v show and %v are left", before, shows, got.seconds[1])
			}
		})
	}
	// The last tier takes what no domain holds.
	if got := s.tier(collective.Group{N: 3, Stride: 2}); got != 1 {
		t.Errorf("five ranks are on tier %d, want 1", got)
	}
	// Gradients hide less under a backward pass in which stages use the same links.
	w := stageWork{l: &Layout{DP: 2, PP: 2, TP: 4, Microbatch: 1, Interleave: 1}, n: 2, block: block{fwd: pass{gemm: 10, launch: 1}, bwd: pass{gemm: 20, launch: 1}},
		first: 1, mid: 1, last: 1, inner: 1}
	for _, slot := range []float64{0, 6} {
		var st Step
		s.pace(&st, &w, slot, &dataParallel{grads: 25})
		if want := 25 - 20*(30-slot)/30; !near(st.DP, want, 1e-12) {
			t.Errorf("with %v s of messages a slot, %v s of gradients show, want %v", slot, st.DP, want)
		}
	}
}

// Hidden collectives count in full what does not show.
func TestHiddenCollectives(t *testing.T) {
	j := unitJob(gptTiny)
	j.Eff.TPOverlap, j.Eff.CPOverlap, j.Eff.EPOverlap = 0.5, 0.25, 0.125
	s := evaluate(t, j)
	l := Layout{DP: 1, PP: 1, TP: 1, Microbatch: 1, Interleave: 1}
	p := pass{gemm: 100, core: 100, mem: 100, launch: 1, tp: 8, cp: 8, ep: 8}
	w := stageWork{l: &l, n: 3, block: block{fwd: p, bwd: p, again: p}, first: 2, mid: 2, last: 2, inner: 2}
	var st Step
	s.pace(&st, &w, 0, &dataParallel{})
	for _, c := range []struct {
		what      string
		got, want float64
	}{{"TP", st.TP, 3 * 2 * 3 * 4}, {"CP", st.CP, 3 * 2 * 3 * 6}, {"EP", st.EP, 3 * 2 * 3 * 7}, {"hidden", st.Hidden, 3 * 2 * 3 * (4 + 2 + 1)},
		{"products", st.Products, 3 * 2 * 3 * 200}} {
		if !near(c.got, c.want, 1e-12) {
			t.Errorf("%s %v s, want %v", c.what, c.got, c.want)
		}
	}
}

// The optimizer passes over its shards; low-precision copies are made of all
// weights.
func TestOptimizer(t *testing.T) {
	j := unitJob(moeTiny)
	j.Precision = FP8
	j.Eff.OptimizerMult = 2
	s := evaluate(t, j)
	w := stageWork{dense: 1e9, expert: 2e9}
	const copies = 3e9 * 4 / 1e12
	for _, c := range []struct {
		l    Layout
		want float64
	}{
		{Layout{DP: 8, TP: 2, EP: 4, ETP: 2}, 3e9},
		{Layout{DP: 8, TP: 2, EP: 4, ETP: 2, ZeRO: 1}, 1e9/8 + 2e9/2},
		{Layout{DP: 8, TP: 2, EP: 8, ETP: 2, ZeRO: 2}, 1e9/8 + 2e9},
		{Layout{DP: 8, CP: 2, TP: 1, EP: 4, ZeRO: 1, ZeROGroup: 4}, 1e9/4 + 2e9/4},
	} {
		c.l.PP = 1
		if got, want := s.optimizer(&w, &c.l), c.want*30*2/1e12+copies; !near(got, want, 1e-12) {
			t.Errorf("%v: %v s, want %v", c.l, got, want)
		}
	}
	w.expert = 0
	if got, want := s.optimizer(&w, &Layout{DP: 8, TP: 2, PP: 1, ZeRO: 1}), 1e9/8*60/1e12+1e9*4/1e12; !near(got, want, 1e-12) {
		t.Errorf("no experts: %v s, want %v", got, want)
	}
}

// A whole step is its parts put together.
func TestStepIsItsParts(t *testing.T) {
	for _, m := range []Model{gptTiny, moeTiny, mlaTiny} {
		j := unitJob(m)
		j.GPU.MemGBPerS = 50
		j.Eff.LaunchUS, j.Eff.GapUS = 1, 1
		s := evaluate(t, j)
		for _, l := range []Layout{
			{DP: 2, PP: 2, TP: 2, Microbatch: 2, Interleave: 1, Recompute: RecomputeFull, ZeRO: 1},
			{DP: 2, PP: 1, TP: 2, CP: 2, Microbatch: 3, Interleave: 1, SequenceParallel: true, ZeRO: 3},
		} {
			var st, want Step
			if err := s.step(&st, &l); err != nil {
				t.Fatal(err)
			}
			var w stageWork
			n := 24 / (l.DP * l.Microbatch)
			s.work(&w, &l, n)
			pp, sent := s.messages(&l)
			d := s.gradients(&w, &l)
			s.pace(&want, &w, pp, &d)
			if st.Time != want.Time || st.Microbatches != n {
				t.Errorf("%v: %v s, want %v", l, st.Time, want.Time)
			}
			if total := w.sent.Payload + sent.Payload + d.sent.Payload; !near(st.Traffic, total, 1e-12) {
				t.Errorf("%v: %v bytes, want %v", l, st.Traffic, total)
			}
			if got := m.StepFLOPs(24*64, 64); st.FLOPs != got {
				t.Errorf("%v: %v FLOPs, want %v", l, st.FLOPs, got)
			}
			if st.Memory != s.memory(&l, n) || st.Layout != l {
				t.Errorf("%v: memory or layout of something else", l)
			}
			s.GPU.MemGB = st.Memory.Total() / 1e9 * (1 + 1e-12)
			if !s.Fits(&st) {
				t.Error("exactly full does not fit")
			}
			if s.GPU.MemGB *= 0.999; s.Fits(&st) {
				t.Error("more than full fits")
			}
		}
	}
}

// Power over time, never above the board's.
func TestGPUPower(t *testing.T) {
	j := unitJob(gptTiny)
	j.Eff.PJ16 = 80
	s := evaluate(t, j)
	share := bounded(1e12, 0.5e12) / 0.5e12
	st := Step{Layout: Layout{DP: 3, PP: 1, TP: 1}, Time: 100, Forward: 20, Backward: 30, Again: 10, Products: 50, Optimizer: 5,
		TP: 1, CP: 2, EP: 3, PP: 4, Params: 5, DP: 6, Offload: 1, Wire: 1e12, Encoded: 2e12, Decoded: 3e12}
	mean, waiting := s.GPUPower(&st, &Power{})
	w := func(share float64) float64 { return 12 + 40*share }
	rest := 100 - 50 - 15 - 22.0
	if want := (50*w(share) + 15*w(0.75) + 22*w(0.5) + rest*w(0.25)) / 100; !near(mean, want, 1e-12) || !near(waiting, rest*w(0.25)/100, 1e-12) {
		t.Errorf("%v W, %v of them waiting; want %v and %v", mean, waiting, want, rest*w(0.25)/100)
	}
	_, waiting = s.GPUPower(&st, &Power{IdleFraction: 0.5})
	if want := rest * 26 / 100; !near(waiting, want, 1e-12) {
		t.Errorf("waiting at half the board's power: %v W, want %v", waiting, want)
	}
	s.Codec = Codec{EncodePJPerBit: 2, DecodePJPerBit: 5}
	p := Power{NICPJPerBit: 3, SwitchPJPerBit: 7, HostW: 11, Conversion: 0.5}
	e := s.Energy(&st, &p)
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"GPU and idle", e.GPU + e.Idle, 3 * 100 * mean}, {"idle", e.Idle, 3 * rest * w(0.25)}, {"NIC", e.NIC, 3 * 8 * 3}, {"switch", e.Switch, 3 * 8 * 7},
		{"codec", e.Codec, 3 * 8 * (2*2 + 3*5)}, {"total", e.Total(), 300*mean + 24*(3+7+19)}, {"communication", e.Comm(), 24 * (3 + 7 + 19)},
		{"node", s.NodePower(&st, 4, &p), 4 * (mean + 8*(3+19)/100.0 + 11) / 0.5}, {"wire bit", p.NetworkPJPerBit(), 10},
	} {
		if !near(c.got, c.want, 1e-12) {
			t.Errorf("%s: %v, want %v", c.what, c.got, c.want)
		}
	}
	p.ComputePJPerFLOP, p.IdleFraction = 4, 0.25
	st.FLOPs = 1e13
	e = s.Energy(&st, &p)
	if want := 1e13 * 4e-12 * 60 / 50; !near(e.GPU, want, 1e-12) {
		t.Errorf("by FLOP: %v J, want %v", e.GPU, want)
	}
	if want := (100.0 - 60 - 5) * 52 * 0.25 * 3; !near(e.Idle, want, 1e-12) {
		t.Errorf("idle by share: %v J, want %v", e.Idle, want)
	}
	g := unitGPU()
	if want := 52 / (1 * 0.45); !near(g.ComputePJ(), want, 1e-12) {
		t.Errorf("%v pJ a FLOP, want %v", g.ComputePJ(), want)
	}
	if g.watts(0) != 12 || g.watts(1) != 52 {
		t.Error("the range is not idle to board power")
	}
}

// Every result of a search stays within the board's power.
func TestBelowBoardPower(t *testing.T) {
	j := testJob()
	j.GPU.IdleW = 60
	for _, pj := range []float64{0, 0.5, 1, 5} {
		j.Eff.PJ16 = pj
		s, err := NewSystem(j)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Search(&Space{GPUs: 16}, func(st *Step, reason error) {
			if reason != nil {
				return
			}
			if w, _ := s.GPUPower(st, &Power{}); !(w > j.GPU.IdleW && w <= j.GPU.TDPW) {
				t.Errorf("%v: %v W from a board of %v", st.Layout, w, j.GPU.TDPW)
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
}

func ExampleLayout_String() {
	fmt.Println(Layout{DP: 2, PP: 4, TP: 8, CP: 2, Microbatch: 1, Interleave: 3, Recompute: RecomputeFull, SequenceParallel: true, ZeRO: 1,
		ZeROGroup: 4, EP: 8, ETP: 2, RecomputeLayers: 5, OffloadLayers: 6, AsyncTP: true})
	fmt.Println(strings.TrimSpace(Layout{DP: 1, PP: 1, TP: 1, Microbatch: 2, Interleave: 1}.String()))
	// Output:
	// dp2,pp4,tp8,cp2,mb1,v3,full,sp,zero1,zg4,ep8,etp2,rl5,ol6,async
	// dp1,pp1,tp1,mb2,v1,none
}
