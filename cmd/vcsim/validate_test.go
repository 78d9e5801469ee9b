package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vcsim/cluster"
	"vcsim/internal/config"
	"vcsim/internal/presets"
)

const (
	validHead = "schema: vcsim.validation/1\nstudy: test\nrows:\n"
	validRow  = "- {id: a, gpu: a100-80g, stack: megatron-lm, model: {layers: 24, hidden: 2048, heads: 16, kv_heads: 16, ffn: 8192, tied: true, vocab: 51200}, " +
		"seq: 2048, tp: 1, pp: 1, dp: 8, gpus: 8, global_batch: 64, microbatch: 1, interleave: 1, recompute: full, iter_s: 2}\n"
)

// writeRows writes a file of measurements and returns its path.
func writeRows(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rows.yaml")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestValidateRefuses(t *testing.T) {
	change := func(old, new string) string {
		if !strings.Contains(validRow, old) {
			t.Fatalf("no %q in the row", old)
		}
		return validHead + strings.Replace(validRow, old, new, 1)
	}
	for _, tt := range []struct{ text, want string }{
		{"", "rows.yaml:1: the file is empty"},
		{validHead + "[]", "rows.yaml"},
		{strings.TrimSuffix(validHead, "rows:\n") + "rows: []\n", "rows.yaml:1: no rows"},
		{strings.Replace(validHead, "/1", "/2", 1) + validRow, `rows.yaml:1: schema is "vcsim.validation/2"`},
		{strings.Replace(validHead, "study", "studie", 1) + validRow, "rows.yaml:2: "},
		{change("global_batch", "globl_batch"), "rows.yaml:4: "},
		{change("hidden", "hiden"), "rows.yaml:4: "},
		{change("iter_s: 2", "iter_s: fast"), "rows.yaml:4: "},
		{change("iter_s: 2", "iter_s: .nan"), "rows.yaml:4: "},
		{change(", iter_s: 2", ""), "row a: measured iter_s is 0, want a positive number"},
		{change("iter_s: 2", "iter_s: -2"), "row a: measured iter_s is -2"},
		{change("iter_s: 2", "quantity: joy, iter_s: 2"), `row a: unknown quantity "joy"`},
		{change("a100-80g", "a100-80"), "row a: no preset"},
		{change("megatron-lm", "megatron-ml"), "did you mean megatron-lm?"},
		{change("recompute: full", "recompute: some"), `recompute "some"`},
		{change("heads: 16", "heads: 15"), "row a"},
		{change("layers: 24", "layers: -24"), "row a"},
		{change("layers: 24", "layers: 2000000000000"), "row a"},
		{change("seq: 2048", "seq: -1"), "row a"},
		{change("dp: 8", "dp: 7"), "row a"},
		{change("tp: 1", "tp: 1, cp: 3"), "is 24 GPUs, and gpus is 8"},
	} {
		path := writeRows(t, tt.text)
		stdout, stderr, code := call("validate " + path)
		if code != 2 || !strings.Contains(stderr, tt.want) || strings.Count(stderr, "\n") != 1 || stdout != "" {
			t.Errorf("%q: got exit %d, %q, want 2 and one line with %q", tt.text, code, stderr, tt.want)
		}
	}
	testRefusals(t, []refusal{
		{"validate", 2, "validate wants a file"},
		{"validate no-such-file.yaml", 2, "no-such-file.yaml is neither a file nor the name of a built-in one"},
		{"validate " + t.TempDir(), 2, "is a directory"},
		{"validate memory --held-out", 2, "need --fit"},
		{"validate memory --fit luck", 2, `unknown constant "luck"`},
		{"validate megatron_seqsel vtrain_multi --fit gemm_fraction", 2, "one set at a time"},
		{"validate megatron_seqsel --fit gemm_fraction --weight megatron_sc21=2", 2, "not among the files"},
		{"validate megatron_seqsel --fit gemm_fraction --weight megatron_seqsel=NaN", 2, "--weight"},
		{"validate megatron_seqsel --fit gemm_fraction --stack none", 2, "no rows"},
	})
}

// TestValidateJSON: one object for one file, a list for several, in the order given.
func TestValidateJSON(t *testing.T) {
	path := writeRows(t, validHead+validRow)
	stdout, stderr, code := call("validate --json " + path)
	if code != 0 {
		t.Fatal(stderr)
	}
	var one map[string]any
	if err := json.Unmarshal([]byte(stdout), &one); err != nil {
		t.Fatal(err)
	}
	for _, key := range strings.Fields("schema file rows mape_percent max_error_percent") {
		if one[key] == nil {
			t.Errorf("no key %s", key)
		}
	}
	if one["schema"] != "vcsim.validate/1" || one["file"] != path {
		t.Errorf("got schema %v, file %v", one["schema"], one["file"])
	}
	row := one["rows"].([]any)[0].(map[string]any)
	if row["id"] != "a" || row["quantity"] != "iter_s" || row["measured"] != 2. {
		t.Errorf("row %v", row)
	}
	predicted, percent := row["predicted"].(float64), row["error_percent"].(float64)
	if math.Abs(percent-100*(predicted-2)/2) > 1e-9 || math.Abs(one["mape_percent"].(float64)-math.Abs(percent)) > 1e-9 {
		t.Errorf("row %v, mean %v", row, one["mape_percent"])
	}
	stdout, _, _ = call("validate --json " + path + " memory")
	var list []struct{ Schema, File string }
	if err := json.Unmarshal([]byte(stdout), &list); err != nil || len(list) != 2 || list[0].File != path || list[1].File != "memory" {
		t.Errorf("two files: got %+v, %v", list, err)
	}
}

// TestMeasurements holds the model to the published measurements: the mean absolute error of a file, in percent, that it must reach.
// Beside it, what others reach on the same study.
func TestMeasurements(t *testing.T) {
	limits := map[string]float64{
		"megatron_seqsel": 0.76, // Calculon 3.65
		"megatron_sc21":   4.61, // Calculon 10.9
		"megatron_zero3":  6.1,
		"megatron_2020":   3.1,
		"vtrain_multi":    6.62, // vTrain 14.7
		"vtrain_single":   6.38, // vTrain 8.4, Calculon 38.9
		"fsdp_mpt":        3.8,
		"memory":          1,
		"node_power":      10, // Calculon 2.1 to 8.5
		"compression":     5.1,
		"zeropp":          12,

		"mlperf_405b":         8,
		"mlperf_8b":           8,
		"dgxc_nemo":           8,
		"bridge_blackwell":    8,
		"bridge_h100":         0.39,
		"fsdp_torchtitan":     4.4,
		"megatron_core_h100":  2.68,
		"internevo_7b":        8,
		"titan_more":          8,
		"simumax_b200_dense":  5, // SimuMax 5.4
		"fms_fsdp":            15,
		"dgxc_jax_fsdp":       15,
		"dgxc_moe":            12,
		"bridge_moe":          12,
		"simumax_b200_moe":    6,  // SimuMax 6.6
		"simumax_b200_memory": 2,  // SimuMax 0.4
		"collectives":         16, // the goals are medians and plateaus: TestCollectiveGoals
		"nccl_h100":           9,
	}
	stacks := map[[2]string]cluster.Efficiency{}
	for _, name := range config.MeasurementNames() {
		f, err := presets.Measured(name)
		if err != nil {
			t.Fatal(err)
		}
		var mape float64
		for i := range f.Rows {
			v, err := f.Predict(i, stacks)
			if err != nil {
				t.Fatal(err)
			}
			mape += math.Abs(v.Error) / float64(len(f.Rows))
		}
		limit, ok := limits[name]
		if !ok {
			limit = 15 // no target: a floor against regressions
		}
		if !(mape <= limit) {
			t.Errorf("%s: mean error %.2f %%, want at most %v", name, mape, limit)
		}
		delete(limits, name)
	}
	for name := range limits {
		t.Errorf("%s: no such file", name)
	}
}

// TestFittedCommands: the command recorded beside a set of constants is one, and fits a set as good as that, so the set is not set by hand.
func TestFittedCommands(t *testing.T) {
	rows, err := config.Presets[cluster.Efficiency]("stacks")
	if err != nil {
		t.Fatal(err)
	}
	done := map[string]bool{}
	for _, r := range rows {
		e := &r.Value
		args, ok := strings.CutPrefix(e.Fitted, "vcsim ")
		if r.Name != e.GPU+"/"+e.Stack || !ok {
			t.Errorf("%s: named for %s/%s, fitted %q", r.Name, e.GPU, e.Stack, e.Fitted)
			continue
		}
		if done[args] || testing.Short() && strings.Contains(args, "vtrain_single") {
			continue // fitted together with another set, or takes seconds
		}
		done[args] = true
		var got fit
		stdout, stderr, code := call(args + " --json")
		if err := json.Unmarshal([]byte(stdout), &got); err != nil || code != 0 {
			t.Errorf("%s: %q gives exit %d, %s", r.Name, e.Fitted, code, stderr)
			continue
		}
		have, err := meanError(args, got.Sets)
		if err != nil {
			t.Fatal(err)
		}
		if have > 1.02*got.MAPE+0.02 {
			t.Errorf("%s: mean error %.3f %%, fitted again %.3f %%", r.Name, have, got.MAPE)
		}
	}
}

// meanError is the mean absolute error in percent of the presets' sets on the rows of their fit.
func meanError(args string, sets []map[string]any) (float64, error) {
	of := func(gpu, stack string) bool {
		return slices.ContainsFunc(sets, func(s map[string]any) bool { return s["gpu"] == gpu && s["stack"] == stack })
	}
	stacks := map[[2]string]cluster.Efficiency{}
	var sum float64
	n := 0
	for _, name := range config.MeasurementNames() {
		if !strings.Contains(args+" ", " "+name+" ") {
			continue
		}
		f, err := presets.Measured(name)
		if err != nil {
			return 0, err
		}
		for i := range f.Rows {
			if !of(f.Rows[i].GPU, f.Rows[i].Stack) {
				continue
			}
			v, err := f.Predict(i, stacks)
			if err != nil {
				return 0, err
			}
			sum += math.Abs(v.Error)
			n++
		}
	}
	if n == 0 {
		return 0, fmt.Errorf("no rows of the sets in %q", args)
	}
	return sum / float64(n), nil
}

func TestReproduceRefuses(t *testing.T) {
	file := writeRows(t, "a file, not a directory")
	testRefusals(t, []refusal{
		{"reproduce", 2, "reproduce wants a figure: fig2b, fig3, fig4, fig9, fig10a, fig10b, table2"},
		{"reproduce fig10c", 2, `no figure "fig10c"`},
		{"reproduce tabel2", 2, "did you mean table2?"},
		{"reproduce table2 more", 2, "more"},
		{"reproduce fig10a --out " + file, 2, "--out"},
		{"reproduce fig10b --out " + filepath.Join(file, "below"), 2, "--out"},
		{"reproduce fig10b --json --csv", 2, "give one of"},
	})
}
