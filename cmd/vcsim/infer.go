package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"vcsim/cluster"
	"vcsim/internal/codecpoint"
	"vcsim/internal/config"
	"vcsim/internal/presets"
	"vcsim/internal/report"
)

// inferJSON is the JSON of `vcsim cluster --workload infer`.
type inferJSON struct {
	Schema  string           `json:"schema"`
	Model   string           `json:"model"`
	GPU     string           `json:"gpu"`
	Devices int              `json:"devices"`
	Batch   int              `json:"batch_sequences"`
	Context int              `json:"context_tokens"`
	Prompt  int              `json:"prompt_tokens"`
	BW      float64          `json:"bw_gbps"`
	Stack   string           `json:"stack"`
	Memory  inferMemoryJSON  `json:"memory"`
	Plain   inferMemoryJSON  `json:"memory_uncompressed"`
	Codecs  []inferCodecJSON `json:"codecs"`
}

type inferMemoryJSON struct {
	Weights     float64 `json:"weights_gb"`
	KV          float64 `json:"kv_gb"`
	Activations float64 `json:"activations_gb"`
	Total       float64 `json:"total_gb"`
	Capacity    float64 `json:"capacity_gb"`
	Feasible    bool    `json:"feasible"`
	Reason      string  `json:"reason,omitempty"`
}

type inferCodecJSON struct {
	Name        string   `json:"name"`
	FirstToken  float64  `json:"time_to_first_token_s"`
	Token       float64  `json:"time_per_token_s"`
	TokensPerS  float64  `json:"tokens_per_s"`
	Energy      float64  `json:"energy_j_per_token"`
	Compute     float64  `json:"compute_s"`
	Read        float64  `json:"memory_s"`
	Decode      float64  `json:"decode_s"`
	Comm        float64  `json:"comm_s"`
	CommSpeedup float64  `json:"comm_speedup"`
	Decoders    *float64 `json:"decoders_needed"`
	Instances   int      `json:"instances"`    // of encoder and decoder on a device; 0 of what cannot be counted
	DecoderArea *float64 `json:"decoders_mm2"` // area of the decoders needed; null where not known
	Area        *float64 `json:"area_mm2"`
	Source      string   `json:"source"`

	uncompressed bool
}

// infer answers `vcsim cluster --workload infer`.
func (a *app) infer(cmd *cobra.Command, f *clusterFlags) error {
	changed := cmd.Flags().Changed
	if !changed("batch") {
		f.batch = 1
	}
	if !changed("gpus-per-node") {
		f.perNode = 1
	}
	if !changed("gpus") {
		f.gpus = 4
	}
	if len(f.rates.list) > 1 {
		return errors.New("--bw: --workload infer takes one rate")
	}
	if f.context == 0 {
		f.context = f.seq
	}
	r, err := f.resolve(changed)
	if err != nil {
		return err
	}
	j, study, err := r.inference()
	if err != nil {
		return err
	}
	a.resolve("context", j.Context)
	a.resolve("prompt", study.Prompt)
	if err := a.print(inferResult(r, study)); err != nil {
		return err
	}
	if !study.Memory.Feasible {
		return &exitError{exitMismatch, fmt.Errorf("%s on %d x %s: %s", f.model, j.Devices, f.gpu, study.Memory.Reason)}
	}
	return nil
}

// inference evaluates the job without compression and with each codec.
func (r *clusterRun) inference() (*cluster.Inference, *inferJSON, error) {
	f := r.flags
	j := cluster.Inference{Model: r.job.Model, GPU: r.job.GPU, Precision: r.job.Precision, Eff: r.job.Eff, Net: r.job.Net, Devices: f.gpus, Batch: f.batch, Context: int(f.context),
		Prompt: int(f.prompt), BitsWeights: f.bitsWeights, BitsKV: f.bitsKV, BitsAct: f.bitsAct, MemBytes: float64(f.mem)}
	var err error
	if j.Context, err = presets.Sequence(j.Context, "context", f.model, &r.model.Value); err != nil {
		return nil, nil, err
	}
	if f.ratio > 0 {
		b := cluster.PayloadBits / f.ratio
		j.BitsWeights, j.BitsKV, j.BitsAct = b, b, b
	}
	codecs := slices.DeleteFunc(slices.Clone(r.codecs), func(c presets.Codec) bool { return c.Uncompressed })
	pj, _ := presets.MemoryEnergy(r.job.GPU.MemType)
	study, err := cluster.CompareInference(&j, clusterCodecs(codecs), &r.power, pj)
	if err != nil {
		return nil, nil, err
	}
	out := newInferJSON(&j, study, codecs)
	out.Model, out.GPU, out.BW, out.Stack = f.model, f.gpu, float64(f.bw)/1e9, r.constants.String()
	return &j, out, nil
}

// newInferJSON sets out a study of codecs; the caller names model, GPU, link and stack.
func newInferJSON(j *cluster.Inference, s *cluster.InferStudy, codecs []presets.Codec) *inferJSON {
	out := &inferJSON{Schema: "vcsim.cluster.infer/1", Devices: j.Devices, Batch: j.Batch, Context: j.Context, Prompt: j.Prompt,
		Plain: newInferMemory(&s.Plain), Memory: newInferMemory(s.Compressed())}
	if out.Prompt == 0 {
		out.Prompt = j.Context
	}
	out.Codecs = append(out.Codecs, newInferCodec(&cluster.InferOutcome{Step: s.Plain, CommSpeedup: 1}, &presets.Codec{Codec: cluster.Codec{Name: "none"}, Uncompressed: true, Source: "uncompressed FP16"}))
	for i := range codecs {
		out.Codecs = append(out.Codecs, newInferCodec(&s.Outcomes[i], &codecs[i]))
	}
	return out
}

func newInferCodec(o *cluster.InferOutcome, c *presets.Codec) inferCodecJSON {
	st := &o.Step
	row := inferCodecJSON{Name: c.Name, FirstToken: st.FirstToken, Token: st.Token, TokensPerS: st.TokensPerS, Energy: st.EnergyJPerToken,
		Compute: st.Compute, Read: st.Read, Decode: st.Decode, Comm: st.Comm, CommSpeedup: o.CommSpeedup, Source: c.Source, uncompressed: c.Uncompressed}
	if c.DecodeBPS > 0 {
		row.Decoders = &st.DecodeInstances
		if c.HasArea {
			mm2 := st.DecodeInstances * c.DecodeMM2
			row.DecoderArea = &mm2
		}
	}
	row.Instances = c.Instances
	if area := c.AreaMM2(); c.HasArea {
		row.Area = &area
	}
	return row
}

func newInferMemory(st *cluster.InferStep) inferMemoryJSON {
	const gb = 1e9
	m := inferMemoryJSON{Weights: st.Memory.Weights / gb, KV: st.Memory.KV / gb, Activations: st.Memory.Activations / gb, Total: st.Memory.Total() / gb,
		Capacity: st.Capacity / gb, Feasible: st.Fits}
	if !st.Fits {
		m.Reason = fmt.Sprintf("needs %.2f GB a device (weights %.2f, KV cache %.2f, activations %.2f), has %.2f GB", m.Total, m.Weights, m.KV, m.Activations, m.Capacity)
	}
	return m
}

// fits says whether a total fits the usual sizes around a capacity, where
// decimal and binary gigabytes differ.
func (m *inferMemoryJSON) fits() string {
	const gib = 1.073741824
	gibs := float64(int(m.Capacity/gib + 0.5))
	if m.Total > gibs && m.Total <= gibs*gib {
		return fmt.Sprintf("%.2f GB fit %g GiB (%.2f GB) and not %g GB", m.Total, gibs, gibs*gib, gibs)
	}
	if m.Feasible {
		return fmt.Sprintf("%.2f GB fit", m.Total)
	}
	return m.Reason
}

func inferResult(r *clusterRun, j *inferJSON) *report.Result {
	f := r.flags
	memory := report.Table{Name: "memory", Columns: []report.Column{{Key: "part", Title: "memory of the fullest device"},
		{Key: "uncompressed_gb", Title: "FP16", Unit: "GB", Digits: 2}, {Key: "compressed_gb", Title: "compressed", Unit: "GB", Digits: 2}}}
	for _, p := range []struct {
		name string
		a, b float64
	}{
		{"weights", j.Plain.Weights, j.Memory.Weights}, {"KV cache", j.Plain.KV, j.Memory.KV}, {"activations", j.Plain.Activations, j.Memory.Activations},
		{fmt.Sprintf("total, of %.4g GB", j.Memory.Capacity), j.Plain.Total, j.Memory.Total},
	} {
		memory.Rows = append(memory.Rows, []any{p.name, p.a, p.b})
	}
	codecs := report.Table{Name: "codecs", Columns: []report.Column{{Key: "name", Title: "codec"}, {Key: "feasible"},
		{Key: "time_to_first_token_s", Title: "first token", Unit: "s", Digits: 2}, {Key: "time_per_token_s", Title: "per token", Unit: "s", Digits: 4},
		{Key: "tokens_per_s", Title: "rate", Unit: "tokens/s", Digits: 2}, {Key: "energy_j_per_token", Title: "energy", Unit: "J/token", Digits: 3},
		{Key: "compute_s", Title: "compute", Unit: "s", Digits: 4}, {Key: "memory_s", Title: "+ memory", Unit: "s", Digits: 4},
		{Key: "decode_s", Title: "+ decoding", Unit: "s", Digits: 4}, {Key: "comm_s", Title: "+ links", Unit: "s", Digits: 6},
		{Key: "comm_speedup", Title: "prompt over links, faster by", Digits: 2}, {Key: "decoders_needed", Title: "decoders needed", Digits: 0}}}
	for i := range j.Codecs {
		c := &j.Codecs[i]
		feasible := j.Memory.Feasible
		if c.uncompressed {
			feasible = j.Plain.Feasible
		}
		codecs.Rows = append(codecs.Rows, []any{c.Name, feasible, c.FirstToken, c.Token, c.TokensPerS, c.Energy, c.Compute, c.Read, c.Decode, c.Comm, c.CommSpeedup, cell(c.Decoders)})
	}
	pj, from := presets.MemoryEnergy(r.job.GPU.MemType)
	return &report.Result{Schema: j.Schema, Payload: j, Keys: r.keys(), Tables: []report.Table{codecs, memory},
		Title: fmt.Sprintf("%s served by %d x %s, %d tokens of context, %s per GPU and direction", f.model, j.Devices, f.gpu, j.Context, config.FormatBandwidth(f.bw)),
		Facts: []report.Fact{
			{Column: report.Column{Key: "compressed"}, Value: j.Memory.fits()},
			{Column: report.Column{Key: "uncompressed"}, Value: j.Plain.fits()},
		},
		Notes: append([]string{
			fmt.Sprintf("Bits a value: weights %.4g, KV cache %.4g, activations %.4g%s. Weights and cache are stored compressed and decoded whenever they are read: \"decoders needed\" is the number per device with which that no longer costs time.", f.bitsWeights, f.bitsKV, f.bitsAct, measuredAt(f)),
			fmt.Sprintf("The time per token is with a full cache. Efficiency: %s. Memory traffic: %g pJ per bit (%s).", j.Stack, pj, from),
		}, r.served(j)...)}
}

// served says how many instances of a codec the link asks for, what they take, and how many decoders the memory would ask for.
func (r *clusterRun) served(j *inferJSON) (notes []string) {
	for i := range r.codecs {
		p := &r.codecs[i].Point
		at := slices.IndexFunc(j.Codecs, func(c inferCodecJSON) bool { return c.Name == r.codecs[i].Name })
		if !p.Chosen || at < 0 {
			continue
		}
		note := fmt.Sprintf("%s: %d instances carry %s without slowing it, %.3g mm2 of encoders and %.3g mm2 of decoders on each device", r.codecs[i].Name, p.Instances,
			config.FormatBandwidth(r.flags.bw), float64(p.Instances)*p.EncodeMM2, float64(p.Instances)*p.DecodeMM2)
		if c := &j.Codecs[at]; c.Decoders != nil && c.DecoderArea != nil && *c.Decoders > float64(p.Instances) {
			note += fmt.Sprintf("; %.0f would decode weights and cache as fast as the memory gives them, %.3g mm2 of decoders", *c.Decoders, *c.DecoderArea)
		}
		notes = append(notes, note+".")
	}
	return notes
}

// measuredAt says where the bits of --snr are from.
func measuredAt(f *clusterFlags) string {
	if f.snr == 0 {
		return ""
	}
	return fmt.Sprintf(", measured of T.264 for %.4g dB (%s, %s)", -float64(f.snr), codecpoint.CodingsFile, codecpoint.CodingsCommand)
}
