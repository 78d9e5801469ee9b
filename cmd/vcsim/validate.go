package main

import (
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"gopkg.in/yaml.v3"

	"vcsim/cluster"
	"vcsim/internal/config"
	"vcsim/internal/presets"
	"vcsim/internal/report"
)

type validateFlags struct {
	all     bool
	fit     []string
	weight  []string
	stack   string
	gpu     string
	heldOut bool
}

func newValidateCommand(a *app) *cobra.Command {
	var f validateFlags
	cmd := &cobra.Command{
		Use:   "validate [FILE...]",
		Short: "Hold the cluster model against published measurements",
		Long: "validate predicts every row of the given files of published measurements (schema " + config.MeasurementSchema + "; a path, or\n" +
			"the name of a built-in file: " + strings.Join(config.MeasurementNames(), ", ") + ")\n" +
			"and prints the error of each row, its mean (MAPE) and its maximum. With --fit it first adjusts the named constants of the\n" +
			"rows' (gpu, stack), which must be one, and prints the set as YAML.",
		Example: "  vcsim validate megatron_seqsel megatron_sc21\n" +
			"  vcsim validate my_rows.yaml --json\n" +
			"  vcsim validate vtrain_multi vtrain_single --fit gemm_fraction,launch_us --held-out",
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return config.MeasurementNames(), cobra.ShellCompDirectiveDefault
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("validate wants a file, or the name of a built-in one: %s", strings.Join(config.MeasurementNames(), ", "))
			}
			return interruptible(cmd.Context(), func() error { return a.validate(args, &f) })
		},
	}
	cmd.Flags().StringSliceVar(&f.fit, "fit", nil, "constants to fit first: "+strings.Join(cluster.Constants(), ", "))
	cmd.Flags().StringSliceVar(&f.weight, "weight", nil, "with --fit, the weight of each file as FILE=W (1 if not given)")
	cmd.Flags().StringVar(&f.stack, "stack", "", "with --fit, only the rows of this software stack")
	cmd.Flags().StringVar(&f.gpu, "gpu", "", "with --fit, only the rows of this GPU")
	cmd.Flags().BoolVar(&f.heldOut, "held-out", false, "also the error of each model's rows when the constants are fitted without them; needs --fit")
	return cmd
}

// validation is one file's result; it is the JSON.
type validation struct {
	Schema  string               `json:"schema"`
	File    string               `json:"file"`
	Study   string               `json:"study,omitempty"`
	Rows    []presets.Prediction `json:"rows"`
	MAPE    float64              `json:"mape_percent"`
	Max     float64              `json:"max_error_percent"`
	HeldOut *float64             `json:"held_out_mape_percent,omitempty"`
}

func (a *app) validate(paths []string, f *validateFlags) error {
	var files []presets.MeasuredFile
	for _, p := range paths {
		m, err := presets.Measured(p)
		if err != nil {
			return err
		}
		files = append(files, m)
	}
	stacks := map[[2]string]cluster.Efficiency{}
	if len(f.fit) > 0 {
		return a.fit(files, f)
	}
	if f.heldOut || f.stack != "" || f.gpu != "" || len(f.weight) > 0 {
		return fmt.Errorf("--held-out, --gpu, --stack and --weight need --fit")
	}
	var results []*report.Result
	for i := range files {
		v := validation{Schema: "vcsim.validate/1", File: files[i].Path, Study: files[i].Study}
		for j := range files[i].Rows {
			row, err := files[i].Predict(j, stacks)
			if err != nil {
				return err
			}
			v.Rows = append(v.Rows, row)
			v.MAPE += math.Abs(row.Error) / float64(len(files[i].Rows))
			v.Max = math.Max(v.Max, math.Abs(row.Error))
		}
		results = append(results, v.result())
	}
	return a.print(results...)
}

func (v *validation) result() *report.Result {
	t := report.Table{Name: "rows", Columns: []report.Column{{Key: "id"}, {Key: "quantity"}, {Key: "measured"}, {Key: "predicted"},
		{Key: "error_percent", Title: "error", Unit: "%", Digits: 1}}}
	for _, r := range v.Rows {
		t.Rows = append(t.Rows, []any{r.ID, r.Quantity, r.Measured, r.Predicted, r.Error})
	}
	return &report.Result{Schema: v.Schema, Title: v.Study + " (" + filepath.Base(v.File) + ")", Tables: []report.Table{t},
		Facts: []report.Fact{
			{Column: report.Column{Key: "mape_percent", Title: "mean absolute error", Unit: "%", Digits: 2}, Value: v.MAPE},
			{Column: report.Column{Key: "max_error_percent", Title: "largest absolute error", Unit: "%", Digits: 2}, Value: v.Max},
		},
		Payload: v}
}

// fit adjusts the constants of the one (gpu, stack) of the rows.
func (a *app) fit(files []presets.MeasuredFile, f *validateFlags) error {
	weights := map[string]float64{}
	for _, w := range f.weight {
		name, value, ok := strings.Cut(w, "=")
		v, err := strconv.ParseFloat(value, 64)
		if !ok || err != nil || !(v > 0 && v <= 1e6) {
			return fmt.Errorf("--weight %q, want FILE=W with W above 0", w)
		}
		weights[name] = v
	}
	var samples []cluster.Sample
	var gpu, stack string
	for i := range files {
		w := 1.0
		if v, ok := weights[files[i].Path]; ok {
			w = v
			delete(weights, files[i].Path)
		}
		for j := range files[i].Rows {
			r := files[i].Rows[j]
			if f.stack != "" && r.Stack != f.stack || f.gpu != "" && r.GPU != f.gpu {
				continue
			}
			if len(samples) > 0 && (r.GPU != gpu || r.Stack != stack) {
				return fmt.Errorf("%s: row %s is of %s/%s, the rows before of %s/%s: fit one set at a time (--gpu, --stack)", files[i].Path, r.ID, r.GPU, r.Stack, gpu, stack)
			}
			gpu, stack = r.GPU, r.Stack
			// The weight is the file's, however many rows it has.
			samples = append(samples, cluster.Sample{Row: r, GPU: files[i].GPUs[j], Weight: w / float64(len(files[i].Rows))})
		}
	}
	for name := range weights {
		return fmt.Errorf("--weight names %q, which is not among the files", name)
	}
	if len(samples) == 0 {
		return fmt.Errorf("--fit: no rows of %s/%s", orAny(f.gpu), orAny(f.stack))
	}
	start, _, err := presets.Efficiency(gpu, stack)
	if err != nil {
		return err
	}
	start.GPU = gpu
	e, mape, err := cluster.Fit(samples, start, f.fit)
	if err != nil {
		return err
	}
	out := fit{Schema: "vcsim.validate.fit/1", MAPE: 100 * mape, Rows: len(samples)}
	text, err := yaml.Marshal(e)
	if err != nil {
		return err
	}
	if err := yaml.Unmarshal(text, &out.Set); err != nil {
		return err
	}
	res := &report.Result{Schema: out.Schema, Title: gpu + "/" + stack, Verbatim: strings.TrimSpace(string(text)),
		Facts: []report.Fact{
			{Column: report.Column{Key: "rows"}, Value: len(samples)},
			{Column: report.Column{Key: "mape_percent", Title: "mean absolute error", Unit: "%", Digits: 2}, Value: out.MAPE},
		}}
	if f.heldOut {
		h, err := cluster.LeaveOneModelOut(samples, start, f.fit)
		if err != nil {
			return err
		}
		h *= 100
		out.HeldOut = &h
		res.Facts = append(res.Facts, report.Fact{Column: report.Column{Key: "held_out_mape_percent", Title: "mean absolute error of models left out", Unit: "%", Digits: 2}, Value: h})
	}
	res.Payload = &out
	return a.print(res)
}

type fit struct {
	Schema  string         `json:"schema"`
	Set     map[string]any `json:"set"` // keys as in the preset
	Rows    int            `json:"rows"`
	MAPE    float64        `json:"mape_percent"`
	HeldOut *float64       `json:"held_out_mape_percent,omitempty"`
}

func orAny(s string) string {
	if s == "" {
		return "any"
	}
	return s
}
