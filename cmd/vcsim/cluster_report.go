package main

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"vcsim/cluster"
	"vcsim/internal/codecpoint"
	"vcsim/internal/config"
	"vcsim/internal/explain"
	"vcsim/internal/presets"
	"vcsim/internal/report"
	"vcsim/internal/study"
)

// clusterJSON is the JSON of `vcsim cluster`.
type clusterJSON struct {
	Schema  string            `json:"schema"`
	Model   string            `json:"model"`
	GPU     string            `json:"gpu"`
	GPUs    int               `json:"gpus"`
	BW      float64           `json:"bw_gbps"`
	Batch   int               `json:"batch_sequences"`
	Seq     int               `json:"seq_tokens"`
	Stack   string            `json:"stack"`
	Layout  cluster.Layout    `json:"layout"`
	Step    stepJSON          `json:"step"`
	Memory  memoryJSON        `json:"memory"`
	Search  searchJSON        `json:"search"`
	Network float64           `json:"network_pj_per_wire_bit"`
	Codecs  []codecJSON       `json:"codecs"`
	Bits    []presets.Traffic `json:"bits"`
	Nearest cluster.Neighbour `json:"nearest_validation"`
	// What the prediction rests on: measured, interpolated, transferred or physics only.
	Evidence cluster.Evidence `json:"evidence"`
	Basis    []study.Basis    `json:"basis"`
	Unused   []string         `json:"inputs_without_effect,omitempty"`
	Points   []pointJSON      `json:"points,omitempty"`
	Explain  []explain.Line   `json:"explain,omitempty"`
}

type stepJSON struct {
	Time      float64 `json:"step_time_s"`
	Forward   float64 `json:"forward_s"`
	Backward  float64 `json:"backward_s"`
	Again     float64 `json:"recompute_s"`
	TP        float64 `json:"tp_s"`
	CP        float64 `json:"cp_s"`
	EP        float64 `json:"ep_s"`
	PP        float64 `json:"pp_s"`
	Params    float64 `json:"params_s"`
	Bubble    float64 `json:"bubble_s"`
	DP        float64 `json:"dp_s"`
	Optimizer float64 `json:"optimizer_s"`
	Offload   float64 `json:"offload_s"`
	Jitter    float64 `json:"jitter_s"`
	Host      float64 `json:"host_s"`
	Ckpt      float64 `json:"checkpoint_s"`
	Hidden    float64 `json:"hidden_s"`
	Traffic   float64 `json:"traffic_gb_per_gpu"`
	Tokens    float64 `json:"tokens_per_s"`
	Energy    float64 `json:"energy_j_per_token"`
}

type memoryJSON struct {
	Parameters  float64 `json:"parameters_gb"`
	Gradients   float64 `json:"gradients_gb"`
	Optimizer   float64 `json:"optimizer_gb"`
	Activations float64 `json:"activations_gb"`
	Buffers     float64 `json:"buffers_gb"`
	Reserve     float64 `json:"reserve_gb"`
	Total       float64 `json:"total_gb"`
	Capacity    float64 `json:"capacity_gb"`
}

type searchJSON struct {
	Points   int `json:"points"`
	Feasible int `json:"feasible"`
	Refused  int `json:"refused"`
	TooBig   int `json:"too_big"`
}

type pointJSON struct {
	Layout cluster.Layout `json:"layout"`
	Time   *float64       `json:"step_time_s"`
	Memory *float64       `json:"memory_gb"`
	Reason string         `json:"reason,omitempty"`
}

type codecJSON struct {
	Name            string         `json:"name"`
	Layout          cluster.Layout `json:"layout"`
	Speedup         float64        `json:"speedup"`
	SpeedupTwice    *float64       `json:"speedup_at_twice_the_batch"`
	SpeedupSame     float64        `json:"speedup_same_layout"`
	StepTime        float64        `json:"step_time_s"`
	StepTimeSame    float64        `json:"step_time_same_layout_s"`
	Tokens          float64        `json:"tokens_per_s"`
	EnergyPerToken  float64        `json:"energy_j_per_token"`
	EnergyGain      float64        `json:"energy_gain"`
	CommEnergyGain  float64        `json:"comm_energy_gain"`
	NetworkOverCode *float64       `json:"network_over_codec_energy"`
	GPUEnergy       float64        `json:"gpu_j_per_token"`
	NICEnergy       float64        `json:"nic_j_per_token"`
	SwitchEnergy    float64        `json:"switch_j_per_token"`
	CodecEnergy     float64        `json:"codec_j_per_token"`
	Area            *float64       `json:"area_mm2"`
	DieFraction     *float64       `json:"die_fraction"`
	Crossover       *float64       `json:"crossover_bw_gbps"`
	Knee            *float64       `json:"knee_bw_gbps"`
	BitsGrad        float64        `json:"grad_bits_per_value"`
	BitsAct         float64        `json:"act_bits_per_value"`
	BitsActGrad     float64        `json:"actgrad_bits_per_value"`
	BitsParam       float64        `json:"param_bits_per_value"`
	Warmup          float64        `json:"warmup_fraction"`
	Instances       int            `json:"instances"` // of encoder and decoder on a GPU; 0 of what cannot be counted
	Basis           string         `json:"compared_at"`
	Accuracy        string         `json:"accuracy"`
	Source          string         `json:"source"`

	Figures []codecpoint.Figure `json:"figures,omitempty"` // of one instance, each with its origin
}

// finite is v, or nil where there is no such number.
func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// cell is a table cell of a number that may be missing.
func cell(v *float64) any {
	if v == nil {
		return nil
	}
	return *v
}

func newStepJSON(st *cluster.Step, tokens, joules float64) stepJSON {
	return stepJSON{Time: st.Time, Forward: st.Forward, Backward: st.Backward, Again: st.Again, TP: st.TP, CP: st.CP, EP: st.EP, Offload: st.Offload, Jitter: st.Jitter, PP: st.PP, Params: st.Params,
		Bubble: st.Bubble, DP: st.DP, Optimizer: st.Optimizer, Host: st.Host, Ckpt: st.Checkpoint, Hidden: st.Hidden, Traffic: st.Traffic / 1e9,
		Tokens: tokens / st.Time, Energy: joules / tokens}
}

func (r *clusterRun) codecJSON(p *presets.Codec, o *cluster.Outcome, tokens float64) codecJSON {
	width := func(c cluster.Class) float64 { return cluster.PayloadBits / o.Codec.Ratio(c) }
	j := codecJSON{Name: p.Name, Layout: o.Step.Layout, Speedup: o.Speedup, SpeedupSame: o.SpeedupSame, StepTime: o.Time, StepTimeSame: o.SameTime,
		Tokens: o.TokensPerS, EnergyPerToken: o.EnergyJPerToken, EnergyGain: o.EnergyGain, CommEnergyGain: o.CommEnergyGain,
		GPUEnergy: (o.Energy.GPU + o.Energy.Idle) / tokens, NICEnergy: o.Energy.NIC / tokens, SwitchEnergy: o.Energy.Switch / tokens, CodecEnergy: o.Energy.Codec / tokens,
		BitsGrad: width(cluster.Grad), BitsAct: width(cluster.Act), BitsActGrad: width(cluster.ActGrad), BitsParam: width(cluster.Param),
		Warmup: o.Codec.Warmup, Instances: p.Instances, Source: p.Source, Figures: p.Point.Figures, Basis: p.Basis, Accuracy: presets.Accuracy(p.Name)}
	if j.Basis == "" {
		j.Basis = "its own bits"
		if o.Codec.Bits == r.bits {
			j.Basis = "the bits of the job"
		}
	}
	if k := p.EncodePJPerBit + p.DecodePJPerBit; k > 0 {
		j.NetworkOverCode = finite(r.power.NetworkPJPerBit() / k)
	}
	if p.HasArea {
		j.Area, j.DieFraction = finite(o.AreaMM2), finite(o.DieFraction)
	}
	if p.EncodeBPS > 0 {
		j.Crossover = finite(o.CrossoverBPS / 1e9)
		if o.KneeBPS > 0 || p.HasArea { // kernels never hide beside the wire
			j.Knee = finite(o.KneeBPS / 1e9)
		}
	}
	return j
}

// result renders a study.
func (r *clusterRun) result(s *cluster.Study, points []searchPoint) *report.Result {
	f := r.flags
	b := &s.Base
	setting := r.setting()
	near, basis := cluster.Nearest(&r.job, b, r.measured), setting.Bases(s, f.gpu, r.measured)
	evidence := basis[0].Level
	own, same := setting.Spreads(s)
	moved := false
	j := clusterJSON{Schema: "vcsim.cluster/1", Model: f.model, GPU: f.gpu, GPUs: f.gpus, BW: float64(f.bw) / 1e9, Batch: f.batch, Seq: r.job.Seq,
		Stack: r.constants.String(), Layout: b.Layout, Network: r.power.NetworkPJPerBit(), Nearest: near, Evidence: evidence, Basis: basis,
		Step:   newStepJSON(b, s.Tokens, s.Energy.Total()),
		Memory: newMemoryJSON(&b.Memory, &r.job.GPU),
		Search: searchJSON{s.Found.Points, s.Found.Feasible, s.Found.Refused, s.Found.TooBig},
		Codecs: []codecJSON{}, Bits: r.traffic}

	codecs := report.Table{Name: "codecs", Columns: []report.Column{
		{Key: "name", Title: "codec"}, {Key: "speedup", Digits: 2}, {Key: "speedup_same_layout", Title: "same layout", Digits: 2},
		{Key: "step_time_s", Title: "step", Unit: "s", Digits: 3},
		{Key: "energy_j_per_token", Title: "energy", Unit: "J/token", Digits: 3, Minor: true}, {Key: "energy_gain", Title: "energy gain", Digits: 3},
		{Key: "comm_energy_gain", Title: "comm. gain", Digits: 2, Minor: true}, {Key: "area_mm2", Title: "area", Unit: "mm2", Digits: 2},
		{Key: "die_percent", Title: "die", Unit: "%", Digits: 2, Minor: true}, {Key: "knee_bw_gbps", Title: "full below", Unit: "Gbps", Digits: 1},
		{Key: "crossover_bw_gbps", Title: "none above", Unit: "Gbps", Digits: 1},
	}}
	layouts := report.Table{Name: "layouts", Columns: []report.Column{{Key: "name", Title: "codec"}, {Key: "layout", Title: "its best layout"},
		{Key: "tokens_per_s", Unit: "tokens/s", Title: "rate", Digits: 0}, {Key: "figures", Title: "figures from"}}}
	for i := range s.Outcomes {
		c := r.codecJSON(&r.codecs[i], &s.Outcomes[i], s.Tokens)
		var speedup, speedupSame any = c.Speedup, c.SpeedupSame
		if own != nil {
			c.SpeedupTwice = finite(own[i].Twice)
			if own[i].Moves() {
				speedup, moved = report.Range{Value: own[i].Once, Other: own[i].Twice}, true
			}
			if same[i].Moves() {
				speedupSame, moved = report.Range{Value: same[i].Once, Other: same[i].Twice}, true
			}
		}
		j.Codecs = append(j.Codecs, c)
		var die any
		if c.DieFraction != nil {
			die = 100 * *c.DieFraction
		}
		codecs.Rows = append(codecs.Rows, []any{c.Name, speedup, speedupSame, c.StepTime, c.EnergyPerToken, c.EnergyGain, c.CommEnergyGain,
			cell(c.Area), die, cell(c.Knee), cell(c.Crossover)})
		layouts.Rows = append(layouts.Rows, []any{c.Name, c.Layout.String(), c.Tokens, c.Source})
	}
	tables := []report.Table{codecs, accuracyTable(j.Codecs), bitsTable(r.traffic), layouts, stepTable(&j), memoryTable(&j), basisTable(basis)}
	if f.points {
		var t report.Table
		t, j.Points = pointTable(points)
		tables = append(tables, t)
	}
	if f.explain {
		j.Explain = explain.Study(&explain.Setting{Model: r.model, GPU: r.gpu, Constants: r.constants, Job: r.job, LinkBPS: float64(f.bw), Power: r.power, Codecs: r.codecs}, s)
		tables = append(tables, explainTable(j.Explain))
		j.Unused = setting.Unused(s)
	}
	return &report.Result{Schema: j.Schema, Payload: &j, Tables: tables, Keys: r.keys(),
		Title: fmt.Sprintf("%s on %d x %s, %s per GPU and direction", f.model, f.gpus, f.gpu, config.FormatBandwidth(f.bw)),
		Facts: []report.Fact{
			{Column: report.Column{Key: "layout"}, Value: b.Layout.String()},
			{Column: report.Column{Key: "step_time_s", Title: "step without a codec", Unit: "s", Digits: 3}, Value: b.Time},
			{Column: report.Column{Key: "tokens_per_s", Unit: "tokens/s", Title: "tokens per second", Digits: 0}, Value: j.Step.Tokens},
			{Column: report.Column{Key: "energy_j_per_token", Unit: "J/token", Title: "energy", Digits: 3, Minor: true}, Value: j.Step.Energy},
			{Column: report.Column{Key: "search", Title: "layouts searched"}, Value: fmt.Sprintf("%d, of which %d fit, %d do not, %d cannot be cut", s.Found.Points, s.Found.Feasible, s.Found.TooBig, s.Found.Refused)},
			{Column: report.Column{Key: "nearest_validation", Title: "nearest measurement"}, Value: fmt.Sprintf("%s (%s): the model is %+.1f %% off there", near.ID, near.GPU, near.Error)},
			{Column: report.Column{Key: "evidence"}, Value: evidence.String()},
		},
		Notes: slices.Concat(r.notes(), r.hardware(j.Codecs), advice(setting.Advise(s), b), moves(moved), unused(j.Unused), r.warnings(b))}
}

// hardware says how many instances of a codec the link asks for and what they take, and what a way through memory costs.
func (r *clusterRun) hardware(codecs []codecJSON) (notes []string) {
	for i := range r.codecs {
		c, p := &r.codecs[i], &r.codecs[i].Point
		if p.Chosen {
			decoders := ""
			if p.Decoders > 1 {
				decoders = fmt.Sprintf(" with %d decoders each", p.Decoders)
			}
			notes = append(notes, fmt.Sprintf("%s: %d instances%s carry %s without slowing it, %.3g mm2 of encoders and %.3g mm2 of decoders on each GPU.", c.Name, c.Instances, decoders,
				config.FormatBandwidth(r.flags.bw), float64(c.Instances)*c.EncodeMM2, float64(c.Instances)*c.DecodeMM2))
		}
		if m := p.MemoryPJPerBit; m[0] > 0 {
			wire := (codecs[i].NICEnergy + codecs[i].SwitchEnergy) / r.power.NetworkPJPerBit() // bits a token, in 10^12
			notes = append(notes, fmt.Sprintf("%s memory to memory: %.3g to %.3g J/token more for HBM, beside %.3g for the codec itself; not in the energies above.", c.Name, wire*m[0], wire*m[1], codecs[i].CodecEnergy))
		}
	}
	return notes
}

// moves says what a range in the table is.
func moves(moved bool) []string {
	if !moved {
		return nil
	}
	return []string{"A range is a speedup that hangs on the batch: it goes from this one to twice as many sequences a step."}
}

// advice says which instances would help where no codec does.
func advice(list []study.Advice, b *cluster.Step) []string {
	if b.Traffic == 0 {
		return []string{"Nothing crosses the links of --bw at the best layout, so that no codec can help there."}
	}
	var parts []string
	for _, v := range list {
		parts = append(parts, fmt.Sprintf("--instances %d make %s %.2f of the %.2f that its bits allow", v.Instances, v.Codec, v.Speedup, v.Limit))
	}
	if len(parts) == 0 {
		return nil
	}
	return []string{"The instances are too slow for the link: " + strings.Join(parts, "; ") + "."}
}

// unused names inputs that --explain found to have no effect.
func unused(names []string) []string {
	if len(names) == 0 {
		return nil
	}
	return []string{"Inputs without effect on this result, each changed by a tenth up and down: " + strings.Join(names, "; ") + "."}
}

// accuracyTable says at which bits each codec is compared, and what is known of the accuracy that its speed costs.
func accuracyTable(list []codecJSON) report.Table {
	t := report.Table{Name: "accuracy", Columns: []report.Column{{Key: "name", Title: "codec"}, {Key: "grad_bits", Title: "gradients", Unit: "bits", Digits: 2},
		{Key: "act_bits", Title: "activations", Unit: "bits", Digits: 2, Minor: true}, {Key: "actgrad_bits", Title: "their gradients", Unit: "bits", Digits: 2, Minor: true},
		{Key: "param_bits", Title: "parameters", Unit: "bits", Digits: 2, Minor: true}, {Key: "compared_at", Title: "compared at"}, {Key: "accuracy", Title: "known of its accuracy"}}}
	for i := range list {
		c := &list[i]
		t.Rows = append(t.Rows, []any{c.Name, c.BitsGrad, c.BitsAct, c.BitsActGrad, c.BitsParam, c.Basis, c.Accuracy})
	}
	return t
}

// bitsTable says where the bits of each class of traffic are from, what they cost by measurement, and what a stated error costs.
func bitsTable(list []presets.Traffic) report.Table {
	stated := fmt.Sprintf("at %.4g dB", list[0].Stated)
	t := report.Table{Name: "bits", Columns: []report.Column{{Key: "class", Title: "traffic"}, {Key: "job_bits_per_value", Title: "bits", Digits: 2}, {Key: "bits_from", Title: "from"}, {Key: "paper_bits_per_value", Title: "paper", Digits: 1},
		{Key: "t264_nmse_db", Title: "T.264 there", Unit: "dB", Digits: 1}, {Key: "t265_nmse_db", Title: "T.265 there", Unit: "dB", Digits: 1, Minor: true}, {Key: "t264_bits_per_value", Title: stated, Digits: 2}, {Key: "t265_bits_per_value", Title: "T.265", Digits: 2, Minor: true}}}
	for _, c := range list {
		t.Rows = append(t.Rows, []any{c.Class, c.Bits, c.From, cell(c.Paper), cell(c.T264DB), cell(c.T265DB), cell(c.T264Bits), cell(c.T265Bits)})
	}
	return t
}

// basisTable says what the numbers rest on.
func basisTable(list []study.Basis) report.Table {
	t := report.Table{Name: "basis", Columns: []report.Column{{Key: "of", Title: "numbers"}, {Key: "level", Title: "evidence"}, {Key: "rows", Title: "the model's error nearby"}}}
	for _, b := range list {
		t.Rows = append(t.Rows, []any{b.Of, b.Level.String(), b.Rows})
	}
	t.Rows = append(t.Rows, []any{"area, rate and energy of a codec", "no prediction", "figures as the table of layouts names them"})
	return t
}

// keys say in each row of the CSV what it is of, so that the rows of several runs make one table.
func (r *clusterRun) keys() []report.Fact {
	return []report.Fact{{Column: report.Column{Key: "model"}, Value: r.flags.model}, {Column: report.Column{Key: "gpu"}, Value: r.flags.gpu},
		{Column: report.Column{Key: "gpus"}, Value: r.flags.gpus}, {Column: report.Column{Key: "bw_gbps", Unit: "Gbps"}, Value: float64(r.flags.bw) / 1e9}}
}

// warnings name what is beyond reason in a prediction.
func (r *clusterRun) warnings(st *cluster.Step) []string {
	var out []string
	g := &r.job.GPU
	if used := r.job.Utilisation(st); used > mostOfPeak {
		out = append(out, fmt.Sprintf("Warning: the step takes %.0f %% of the peak; measured jobs stay below %.0f %%.", 100*used, 100*mostOfPeak))
	}
	if s, err := cluster.NewSystem(r.job); err == nil {
		if w, _ := s.GPUPower(st, &r.power); w > g.TDPW {
			out = append(out, fmt.Sprintf("Warning: a GPU draws %.0f W, more than its board's %.0f W.", w, g.TDPW))
		}
	}
	return out
}

// mostOfPeak is the part of the peak that no measured training job exceeds.
const mostOfPeak = 0.65

func (r *clusterRun) notes() []string {
	f := r.flags
	bits := fmt.Sprintf("Bits a value: gradients %g, activations %g, activation gradients %g, gathered parameters %g.", hundredths(r.bits[cluster.Grad]), hundredths(r.bits[cluster.Act]), hundredths(r.bits[cluster.ActGrad]), hundredths(r.bits[cluster.Param]))
	if f.ratio > 0 {
		bits = fmt.Sprintf("All traffic compressed by %g.", f.ratio)
	}
	if f.snr > 0 {
		bits += fmt.Sprintf(" Those that were measured of T.264 for %.4g dB; codecs of H.265 take those of T.265, which the table of codecs' bits has.", -float64(f.snr))
	}
	bits += fmt.Sprintf(" Measured bits and errors (dB: mean squared error over the variance of 8-bit codes, the mean over the planes of a class): %s, %s.", codecpoint.CodingsFile, codecpoint.CodingsCommand)
	notes := []string{
		bits + " A speedup is the uncompressed step over the compressed one: each at its own best layout, then both at the uncompressed one's. Link rates are per GPU and per direction; the codec gives its full ratio below the first and nothing above the second.",
		r.jobNote(),
		energyNote(&r.power),
	}
	if f.seq == 0 && filepath.Ext(f.model) == ".json" {
		notes = append(notes, fmt.Sprintf("The sequence length, %d tokens, is all positions that %s allows; --seq sets another.", r.job.Seq, f.model))
	}
	return append(notes, r.skipped...)
}

// hundredths rounds bits as people read them.
func hundredths(bits float64) float64 { return math.Round(100*bits) / 100 }

// jobNote says what a step is and whose efficiency it has.
func (r *clusterRun) jobNote() string {
	f := r.flags
	from := ""
	if r.batch != "" {
		from = " (" + r.batch + ")"
	}
	return fmt.Sprintf("A step is %d sequences of %d tokens%s, on %s a node. Efficiency: %s.", f.batch, r.job.Seq, from, plural(f.perNode, "GPU"), r.constants)
}

// plural is a count of things.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

func newMemoryJSON(m *cluster.Memory, g *cluster.GPU) memoryJSON {
	const gb = 1e9
	return memoryJSON{m.Parameters / gb, m.Gradients / gb, m.Optimizer / gb, m.Activations / gb, m.Buffers / gb, m.Reserve / gb, m.Total() / gb, g.MemGB}
}

func stepTable(j *clusterJSON) report.Table {
	t := report.Table{Name: "step", Columns: []report.Column{{Key: "part", Title: "where the uncompressed step goes"},
		{Key: "time_s", Title: "time", Unit: "s", Digits: 3}, {Key: "share_percent", Title: "share", Unit: "%", Digits: 1}}}
	s := &j.Step
	const always = 11 // parts that every job shows, if only as nothing
	for i, p := range []struct {
		name string
		v    float64
	}{
		{"forward", s.Forward}, {"backward", s.Backward}, {"recomputation", s.Again}, {"tensor-parallel collectives", s.TP},
		{"stage-to-stage messages", s.PP}, {"pipeline bubble", s.Bubble}, {"gradient reduction", s.DP}, {"gathered parameters", s.Params},
		{"optimizer", s.Optimizer}, {"host and launches", s.Host}, {"checkpoints", s.Ckpt},
		{"context-parallel keys and values", s.CP}, {"expert all-to-alls", s.EP}, {"activations to the host", s.Offload}, {"slowest rank", s.Jitter},
	} {
		if p.v == 0 && i >= always {
			continue // the job has no such thing
		}
		t.Rows = append(t.Rows, []any{p.name, p.v, 100 * p.v / s.Time})
	}
	return t
}

func memoryTable(j *clusterJSON) report.Table {
	t := report.Table{Name: "memory", Columns: []report.Column{{Key: "part", Title: "memory of the fullest GPU"}, {Key: "size_gb", Title: "size", Unit: "GB", Digits: 2}}}
	m := &j.Memory
	for _, p := range []struct {
		name string
		v    float64
	}{
		{"parameters", m.Parameters}, {"gradients", m.Gradients}, {"optimizer", m.Optimizer}, {"activations", m.Activations},
		{"buffers", m.Buffers}, {"reserve", m.Reserve}, {fmt.Sprintf("total, of %g GB", m.Capacity), m.Total},
	} {
		t.Rows = append(t.Rows, []any{p.name, p.v})
	}
	return t
}

func pointTable(points []searchPoint) (report.Table, []pointJSON) {
	t := report.Table{Name: "points", Columns: []report.Column{{Key: "layout", Title: "layout searched"}, {Key: "step_time_s", Title: "step", Unit: "s", Digits: 3},
		{Key: "memory_gb", Title: "memory", Unit: "GB", Digits: 1}, {Key: "reason", Title: "not feasible because"}}}
	var out []pointJSON
	for i := range points {
		p := &points[i]
		j := pointJSON{Layout: p.step.Layout}
		if p.step.Time > 0 {
			gb := p.step.Memory.Total() / 1e9
			j.Time, j.Memory = &p.step.Time, &gb
		}
		if p.reason != nil {
			j.Reason = p.reason.Error()
		}
		out = append(out, j)
		t.Rows = append(t.Rows, []any{j.Layout.String(), cell(j.Time), cell(j.Memory), strings.TrimSpace(j.Reason)})
	}
	return t, out
}

func explainTable(lines []explain.Line) report.Table {
	t := report.Table{Name: "explain", Columns: []report.Column{{Key: "what"}, {Key: "formula"}, {Key: "numbers"}, {Key: "source"}}}
	for _, x := range lines {
		t.Rows = append(t.Rows, []any{x.What, x.Formula, x.Numbers, x.Source})
	}
	return t
}

// energyNote says what the energies count.
func energyNote(p *cluster.Power) string {
	gpu := "GPUs by their power over time, capped by the board's"
	if p.ComputePJPerFLOP > 0 {
		gpu = fmt.Sprintf("%.3g pJ per FLOP (board power at 45 %% utilisation)", p.ComputePJPerFLOP)
	}
	return fmt.Sprintf("Energy: %s; %.4g pJ per wire bit (%s). Gains at the same layout: the whole cluster's, then the communication's alone.", gpu, p.NetworkPJPerBit(), p.Source)
}
