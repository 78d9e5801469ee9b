package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"vcsim/internal/codecpoint"
	"vcsim/internal/figures"
	"vcsim/internal/presets"
	"vcsim/internal/report"
)

func newInferenceCommand(a *app, _ *reproduceFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "inference",
		Short: "LLaMA-3-70B with 128k tokens of context on four 8 GB devices",
		Long: "inference works out the paper's headline case of serving: weights, KV cache and activations of LLaMA-3-70B compressed so\n" +
			"that four small devices hold it. It has no chart.",
		Example: "  vcsim reproduce inference",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			paper, err := presets.Paper()
			if err != nil {
				return err
			}
			r, err := figures.NewInference(paper)
			if err != nil {
				return err
			}
			return a.print(inferenceResult(r))
		},
	}
}

// inferenceJSON is the JSON of `vcsim reproduce inference`.
type inferenceJSON struct {
	Figure     string              `json:"figure"`
	Statements []figures.Statement `json:"statements"`
	Infer      *inferJSON          `json:"infer"`
}

func inferenceResult(r *figures.Inference) *report.Result {
	infer := newInferJSON(&r.Job, r.Study, r.Codecs)
	infer.Model, infer.GPU, infer.BW, infer.Stack = r.Model, r.GPU, r.LinkBPS/1e9, r.Stack
	free, t265 := &r.Study.Outcomes[0].Step, &r.Study.Outcomes[1].Step
	return &report.Result{Schema: reproduceSchema, Payload: &inferenceJSON{"inference", r.Statements, infer}, Tables: []report.Table{statementTable(r.Statements)},
		Title: "Inference: LLaMA-3-70B, 128k tokens of context, four devices",
		Facts: []report.Fact{
			{Column: report.Column{Key: "compressed"}, Value: infer.Memory.fits()},
			{Column: report.Column{Key: "uncompressed"}, Value: infer.Plain.fits()},
		},
		Notes: []string{fmt.Sprintf("Capacity is not all: weights and cache that are stored compressed are decoded for every token. With %d decoders of Table II a token takes %.3g s; %.0f per device would keep up with the memory (%.3g s).",
			codecpoint.TableInstances, t265.Token, t265.DecodeInstances, free.Token)},
	}
}
