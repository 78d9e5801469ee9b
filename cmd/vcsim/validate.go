package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"gopkg.in/yaml.v3"

	"vcsim/cluster"
	"vcsim/cluster/collective"
	"vcsim/internal/config"
	"vcsim/internal/presets"
	"vcsim/internal/report"
)

type validateFlags struct {
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
	cmd.Flags().StringSliceVar(&f.fit, "fit", nil, "constants to fit first: "+strings.Join(cluster.Constants(), ", ")+
		"; of files of collectives, links for all of "+strings.Join(collective.LinkConstantNames(), ", "))
	cmd.Flags().StringSliceVar(&f.weight, "weight", nil, "with --fit, the weight of each file as FILE=W (1 if not given)")
	cmd.Flags().StringVar(&f.stack, "stack", "", "with --fit, only the rows of this software stack")
	cmd.Flags().StringVar(&f.gpu, "gpu", "", "with --fit, only the rows of this GPU")
	cmd.Flags().BoolVar(&f.heldOut, "held-out", false, "also the error of each model's, each GPU's and each network's rows (of collectives: each fabric's) when the constants are fitted without them; needs --fit")
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

	Fabrics []fabricError `json:"fabrics,omitempty"` // of a file of collectives
}

func (a *app) validate(paths []string, f *validateFlags) error {
	var files []presets.MeasuredFile
	for _, p := range paths {
		m, err := presets.Measured(p)
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s is neither a file nor the name of a built-in one%s", p, config.DidYouMean(p, config.MeasurementNames()))
		}
		if err != nil {
			return err
		}
		files = append(files, m)
	}
	stacks := map[[2]string]cluster.Efficiency{}
	if len(f.fit) > 0 {
		if collectives(files) {
			return a.fitLinks(files, f)
		}
		return a.fit(files, f)
	}
	if f.heldOut || f.stack != "" || f.gpu != "" || len(f.weight) > 0 {
		return fmt.Errorf("--held-out, --gpu, --stack and --weight need --fit")
	}
	var results []*report.Result
	for i := range files {
		held, err := files[i].Validate(stacks)
		if err != nil {
			return err
		}
		v := validation{Schema: "vcsim.validate/1", File: files[i].Path, Study: files[i].Study, Rows: held.Rows, MAPE: held.MAPE, Max: held.Max}
		if collectives(files[i : i+1]) {
			if v.Fabrics, err = fabricErrors(files[i:i+1], collective.DefaultLinkConstants(), false, nil); err != nil {
				return err
			}
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
	tables := []report.Table{t}
	if len(v.Fabrics) > 0 {
		tables = append(tables, fabricTable(v.Fabrics))
	}
	return &report.Result{Schema: v.Schema, Title: v.Study + " (" + filepath.Base(v.File) + ")", Tables: tables,
		Facts: []report.Fact{
			{Column: report.Column{Key: "mape_percent", Title: "mean absolute error", Unit: "%", Digits: 2}, Value: v.MAPE},
			{Column: report.Column{Key: "max_error_percent", Title: "largest absolute error", Unit: "%", Digits: 2}, Value: v.Max},
		},
		Payload: v}
}

// samples are the rows to fit with the weights of their files, the file of each, and the sets that their stacks start from.
func (f *validateFlags) samples(files []presets.MeasuredFile) (samples []cluster.Sample, fileOf []int, sets []cluster.Efficiency, err error) {
	weights := map[string]float64{}
	for _, w := range f.weight {
		name, value, ok := strings.Cut(w, "=")
		v, err := strconv.ParseFloat(value, 64)
		if !ok || err != nil || !(v > 0 && v <= 1e6) {
			return nil, nil, nil, fmt.Errorf("--weight %q, want FILE=W with W above 0", w)
		}
		weights[name] = v
	}
	at := map[[2]string]int{}
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
			key := [2]string{r.GPU, r.Stack}
			k, ok := at[key]
			if !ok {
				constants, err := presets.Efficiency(r.GPU, r.Stack)
				if err != nil {
					return nil, nil, nil, fmt.Errorf("%s: row %s: %w", files[i].Path, r.ID, err)
				}
				e := constants.Values
				if len(sets) > 0 && (e.Architecture == "" || sets[0].Architecture == "") {
					return nil, nil, nil, fmt.Errorf("%s: row %s is of %s/%s, the rows before of %s/%s, and one of the two shares no constants: fit one set at a time (--gpu, --stack)",
						files[i].Path, r.ID, r.GPU, r.Stack, sets[0].GPU, sets[0].Stack)
				}
				k = len(sets)
				at[key] = k
				e.GPU = r.GPU
				sets = append(sets, e)
			}
			// The weight is the file's, however many rows it has.
			samples = append(samples, cluster.Sample{Row: r, GPU: files[i].GPUs[j], Weight: w / float64(len(files[i].Rows)), Set: k})
			fileOf = append(fileOf, i)
		}
	}
	for name := range weights {
		return nil, nil, nil, fmt.Errorf("--weight names %q, which is not among the files", name)
	}
	if len(samples) == 0 {
		return nil, nil, nil, fmt.Errorf("--fit: no rows of %s/%s", orAny(f.gpu), orAny(f.stack))
	}
	return samples, fileOf, sets, nil
}

// fit adjusts the constants of the rows' sets: of one (gpu, stack), or of
// several that share constants by architecture and stack.
func (a *app) fit(files []presets.MeasuredFile, f *validateFlags) error {
	samples, fileOf, sets, err := f.samples(files)
	if err != nil {
		return err
	}
	var fitted []cluster.Efficiency
	var mape float64
	err = a.during(fmt.Sprintf("fitting to %d rows", len(samples)), func() (err error) {
		fitted, mape, err = cluster.Fit(samples, sets, f.fit)
		return err
	})
	if err != nil {
		return err
	}
	constants, err := cluster.FreeConstants(samples, sets, f.fit)
	if err != nil {
		return err
	}
	out := fit{Schema: "vcsim.validate.fit/1", MAPE: 100 * mape, Rows: len(samples), Constants: constants}
	for i := range files {
		out.Files = append(out.Files, fitFile{File: files[i].Path})
	}
	for _, k := range fileOf {
		out.Files[k].Rows++
	}
	for i := range samples {
		r := &samples[i].Row
		p, err := r.Predict(samples[i].GPU, fitted[samples[i].Set])
		if err != nil {
			return err
		}
		m, err := r.Measured()
		if err != nil {
			return err
		}
		f := &out.Files[fileOf[i]]
		f.MAPE += 100 * math.Abs(p/m-1) / float64(f.Rows)
	}
	var texts []string
	for i := range fitted {
		text, err := yaml.Marshal(fitted[i])
		if err != nil {
			return err
		}
		var set map[string]any
		if err := yaml.Unmarshal(text, &set); err != nil {
			return err
		}
		out.Sets = append(out.Sets, set)
		texts = append(texts, strings.TrimSpace(string(text)))
	}
	title := sets[0].GPU + "/" + sets[0].Stack
	if len(sets) > 1 {
		title = fmt.Sprintf("%d sets", len(sets))
	}
	res := &report.Result{Schema: out.Schema, Title: title, Verbatim: strings.Join(texts, "\n---\n"),
		Facts: []report.Fact{
			{Column: report.Column{Key: "rows"}, Value: len(samples)},
			{Column: report.Column{Key: "constants", Title: "constants fitted"}, Value: constants},
			{Column: report.Column{Key: "mape_percent", Title: "mean absolute error", Unit: "%", Digits: 2}, Value: out.MAPE},
		}}
	if f.heldOut {
		ways := []struct {
			key, title string
			without    string
			of         func(*cluster.Sample) string
			to         **float64
			file       func(*fitFile) **float64
		}{
			{"held_out_mape_percent", "mean absolute error of models left out", "model", cluster.ByModel, &out.HeldOut, func(f *fitFile) **float64 { return &f.HeldOut }},
			{"held_out_gpu_mape_percent", "mean absolute error of GPUs left out", "GPU", cluster.ByGPU, &out.HeldOutGPU, func(f *fitFile) **float64 { return &f.HeldOutGPU }},
			{"held_out_network_mape_percent", "mean absolute error of networks left out", "network", cluster.ByNetwork, &out.HeldOutNetwork, func(f *fitFile) **float64 { return &f.HeldOutNetwork }},
		}
		for i, h := range ways {
			one := !slices.ContainsFunc(samples, func(s cluster.Sample) bool { return h.of(&s) != h.of(&samples[0]) })
			if last := i == len(ways)-1; one && (!last || len(res.Facts) > 2) {
				continue // nothing to leave out, and another way has something
			}
			var rel []float64
			err := a.during("fitting without each "+h.without+" in turn", func() (err error) {
				rel, err = cluster.LeaveOut(samples, sets, f.fit, h.of)
				return err
			})
			if err != nil {
				return err
			}
			mean := presets.MeanAbsolute(rel)
			for k, e := range rel {
				f := &out.Files[fileOf[k]]
				if *h.file(f) == nil {
					*h.file(f) = new(float64)
				}
				**h.file(f) += 100 * math.Abs(e) / float64(f.Rows)
			}
			*h.to = &mean
			res.Facts = append(res.Facts, report.Fact{Column: report.Column{Key: h.key, Title: h.title, Unit: "%", Digits: 2}, Value: mean})
		}
	}
	t := report.Table{Name: "files", Columns: []report.Column{{Key: "file"}, {Key: "rows"}, {Key: "mape_percent", Title: "error", Unit: "%", Digits: 2},
		{Key: "held_out_mape_percent", Title: "models left out", Unit: "%", Digits: 2}, {Key: "held_out_gpu_mape_percent", Title: "GPUs left out", Unit: "%", Digits: 2},
		{Key: "held_out_network_mape_percent", Title: "networks left out", Unit: "%", Digits: 2}}}
	for _, f := range out.Files {
		t.Rows = append(t.Rows, []any{f.File, f.Rows, f.MAPE, cell(f.HeldOut), cell(f.HeldOutGPU), cell(f.HeldOutNetwork)})
	}
	if f.heldOut {
		res.Tables = append(res.Tables, t)
	}
	res.Payload = &out
	return a.print(res)
}

type fit struct {
	Schema         string           `json:"schema"`
	Sets           []map[string]any `json:"sets"` // keys as in the preset
	Rows           int              `json:"rows"`
	Constants      int              `json:"constants"` // numbers that the fit adjusted; what sets share is one
	MAPE           float64          `json:"mape_percent"`
	HeldOut        *float64         `json:"held_out_mape_percent,omitempty"`
	HeldOutGPU     *float64         `json:"held_out_gpu_mape_percent,omitempty"`
	HeldOutNetwork *float64         `json:"held_out_network_mape_percent,omitempty"`
	Files          []fitFile        `json:"files"`
}

// fitFile is a fit's error on one file.
type fitFile struct {
	File           string   `json:"file"`
	Rows           int      `json:"rows"`
	MAPE           float64  `json:"mape_percent"`
	HeldOut        *float64 `json:"held_out_mape_percent,omitempty"`
	HeldOutGPU     *float64 `json:"held_out_gpu_mape_percent,omitempty"`
	HeldOutNetwork *float64 `json:"held_out_network_mape_percent,omitempty"`
}

func orAny(s string) string {
	if s == "" {
		return "any"
	}
	return s
}
