package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"vcsim/internal/codecpoint"
	"vcsim/internal/presets"
	"vcsim/internal/report"
)

// inferenceFigureJSON is the JSON of `vcsim reproduce inference`.
type inferenceFigureJSON struct {
	Schema     string      `json:"schema"`
	Figure     string      `json:"figure"`
	Statements []statement `json:"statements"`
	Infer      *inferJSON  `json:"infer"`
}

func newInferenceCommand(a *app, _ *reproduceFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "inference",
		Short: "LLaMA-3-70B with 128k tokens of context on four 8 GB devices",
		Long: "inference works out the paper's headline case of serving: weights, KV cache and activations of LLaMA-3-70B compressed so\n" +
			"that four small devices hold it. It has no chart.",
		Example: "  vcsim reproduce inference",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			r, err := inferenceFigure()
			if err != nil {
				return err
			}
			return a.print(r)
		},
	}
}

func inferenceFigure() (*report.Result, error) {
	paper, err := presets.Paper()
	if err != nil {
		return nil, err
	}
	const devices, gib = 4, 1 << 30
	f := clusterFlags{model: "llama3-70b", gpu: "rtx3090", gpus: devices, perNode: 1, batch: 1, bw: 10e9, workload: "infer", context: 128 << 10, mem: 8 * gib,
		instances: codecpoint.TableInstances, bypass: "auto", nvencReading: "pixels", codecs: []string{"ideal", "t265"},
		bitsGrad: 16, bitsActGrad: 16, bitsParam: 16,
		bitsWeights: paper.Get("inference.weights"), bitsKV: paper.Get("inference.kv-cache"), bitsAct: paper.Get("inference.activations")}
	if paper.Err != nil {
		return nil, paper.Err
	}
	r, err := f.resolve(func(string) bool { return false })
	if err != nil {
		return nil, err
	}
	job, infer, err := r.inference()
	if err != nil {
		return nil, err
	}
	m := &job.Model
	cache := m.KVValues() * float64(job.Context) * 2 // bytes in FP16
	var list []statement
	add := func(what, unit, name string, ours float64, digits int, from, remark string) {
		p := paper.Get(name)
		list = append(list, statement{what, unit, &p, &ours, from, join(agree(p, ours, digits), remark)})
	}
	add("KV cache, FP16", "GB", "inference.kv-cache-fp16", cache/gib, 0, "2 x layers x KV width x 131072 tokens x 2 B", "in GiB; 42.9 GB")
	add("KV cache, compressed", "GB", "inference.kv-cache-compressed", cache*job.BitsKV/16/gib, 1, "at 2.9 bits", "in GiB; 7.79 GB")
	add("weights, per device", "GB", "inference.weights-per-device", infer.Memory.Weights, 1, "70.55e9 x 2.88 bits / 4", "in GB")
	add("KV cache, per device", "GB", "inference.kv-per-device", infer.Memory.KV, 1, "of the line above, / 4", "1.81 in GiB: the paper adds GiB to the weights' GB")
	add("memory, less by", "", "inference.memory-reduction", infer.Plain.Total/infer.Memory.Total, 1, "weights, cache and activations", "")
	add("communication, faster by", "", "inference.communication-speedup", infer.Codecs[1].CommSpeedup, 1, "16 / 3.5 bits, less the hop's latency", "")
	if paper.Err != nil {
		return nil, paper.Err
	}
	j := &inferenceFigureJSON{Schema: reproduceSchema, Figure: "inference", Statements: list, Infer: infer}
	return &report.Result{Schema: j.Schema, Payload: j, Tables: []report.Table{statementTable(list)},
		Title: "Inference: LLaMA-3-70B, 128k tokens of context, four devices",
		Facts: []report.Fact{
			{Column: report.Column{Key: "compressed"}, Value: infer.Memory.fits()},
			{Column: report.Column{Key: "uncompressed"}, Value: infer.Plain.fits()},
		},
		Notes: []string{fmt.Sprintf("Capacity is not all: weights and cache that are stored compressed are decoded for every token. With %d decoders of Table II a token takes %.3g s; %.0f per device would keep up with the memory (%.3g s).",
			codecpoint.TableInstances, infer.Codecs[2].Token, *infer.Codecs[2].Decoders, infer.Codecs[1].Token)},
	}, nil
}
