package figures

import (
	"vcsim/cluster"
	"vcsim/cluster/collective"
	"vcsim/internal/codecpoint"
	"vcsim/internal/presets"
)

// The paper's headline case of serving: four devices of 8 GiB with the compute of an RTX 3090, links of 10 Gbps.
const (
	inferenceModel   = "llama3-70b"
	inferenceGPU     = "rtx3090"
	inferenceDevices = 4
	inferenceLink    = 10e9 // bit/s
	inferenceContext = 128 << 10
	gib              = 1 << 30
)

// Inference is LLaMA-3-70B with 128k tokens of context on four small devices.
type Inference struct {
	Statements []Statement

	Model, GPU, Stack string // presets, and which constants serve
	LinkBPS           float64
	Job               cluster.Inference
	Codecs            []presets.Codec // without a rate limit, and T.265
	Study             *cluster.InferStudy
}

// NewInference works the case out with the bits a value that the paper states.
func NewInference(paper *presets.Stated) (*Inference, error) {
	r := &Inference{Model: inferenceModel, GPU: inferenceGPU, LinkBPS: inferenceLink}
	r.Job = cluster.Inference{Devices: inferenceDevices, Batch: 1, Context: inferenceContext, MemBytes: 8 * gib, Net: collective.FlatNetwork(inferenceLink / 8),
		BitsWeights: paper.Get("inference.weights"), BitsKV: paper.Get("inference.kv-cache"), BitsAct: paper.Get("inference.activations")}
	if paper.Err != nil {
		return nil, paper.Err
	}
	if err := r.compare(); err != nil {
		return nil, err
	}
	const gb = 1e9
	m, with, plain := &r.Job.Model, &r.Study.Compressed().Memory, &r.Study.Plain.Memory
	cache := m.KVValues() * float64(r.Job.Context) * 2 // bytes in FP16
	add := func(what, unit, name string, ours float64, digits int, from, remark string) {
		p := paper.Get(name)
		r.Statements = append(r.Statements, Statement{what, unit, &p, &ours, from, join(agree(p, ours, digits), remark)})
	}
	add("KV cache, FP16", "GB", "inference.kv-cache-fp16", cache/gib, 0, "2 x layers x KV width x 131072 tokens x 2 B", "in GiB; 42.9 GB")
	add("KV cache, compressed", "GB", "inference.kv-cache-compressed", cache*r.Job.BitsKV/16/gib, 1, "at 2.9 bits", "in GiB; 7.79 GB")
	add("weights, per device", "GB", "inference.weights-per-device", with.Weights/gb, 1, "70.55e9 x 2.88 bits / 4", "in GB")
	add("KV cache, per device", "GB", "inference.kv-per-device", with.KV/gb, 1, "of the line above, / 4", "1.81 in GiB: the paper adds GiB to the weights' GB")
	add("memory, less by", "", "inference.memory-reduction", (plain.Total()/gb)/(with.Total()/gb), 1, "weights, cache and activations", "")
	add("communication, faster by", "", "inference.communication-speedup", r.Study.Outcomes[0].CommSpeedup, 1, "16 / 3.5 bits, less the hop's latency", "")
	return r, paper.Err
}

// compare looks up the presets and evaluates the job.
func (r *Inference) compare() error {
	model, err := presets.Model(r.Model)
	if err != nil {
		return err
	}
	gpu, err := presets.GPU(r.GPU)
	if err != nil {
		return err
	}
	r.Job.Model, r.Job.GPU = model.Value, gpu.Value
	stack, err := presets.DefaultStack(r.GPU, "bf16")
	if err != nil {
		return err
	}
	constants, err := presets.Efficiency(r.GPU, stack)
	if err != nil {
		return err
	}
	r.Job.Eff, r.Stack = constants.Values, constants.String()
	r.Job.Eff.InterFraction, r.Job.Eff.InterCapGB = 1, 0 // the link rate is what the link gives
	power, err := presets.Power(&gpu.Value, codecpoint.PerValue)
	if err != nil {
		return err
	}
	table, err := presets.Engines()
	if err != nil {
		return err
	}
	o := presets.CodecOptions{Bits: cluster.Bits{cluster.Act: r.Job.BitsAct}, Point: codecpoint.Options{Table: table, Instances: codecpoint.TableInstances}}
	var codecs []cluster.Codec
	for _, name := range []string{"ideal", "t265-paper"} {
		c, err := o.Codec(name)
		if err != nil {
			return err
		}
		r.Codecs = append(r.Codecs, c)
		codecs = append(codecs, c.Codec)
	}
	pj, _ := presets.MemoryEnergy(gpu.Value.MemType)
	r.Study, err = cluster.CompareInference(&r.Job, codecs, &power, pj)
	return err
}
