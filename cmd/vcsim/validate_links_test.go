package main

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"vcsim/cluster/collective"
	"vcsim/internal/presets"
)

const collectiveRowText = "- {id: a-allreduce-16, quantity: collective_us, collective: all_reduce, gpu: h100-sxm, gpus: 16, gpus_per_node: 8, " +
	"intra_gb_per_s: 450, inter_gbps_per_gpu: 400, stack: nccl, bytes: 1073741824, collective_us: 4500}\n"

// TestCollectiveGoals holds the collective model to the published collectives: medians of absolute errors below and from 16 MiB up, and
// every fabric's largest sizes.
func TestCollectiveGoals(t *testing.T) {
	files := make([]presets.MeasuredFile, 2)
	for i, name := range []string{"collectives", "nccl_h100"} {
		var err error
		if files[i], err = presets.Measured(name); err != nil {
			t.Fatal(err)
		}
	}
	errs, err := fabricErrors(files, collective.DefaultLinkConstants(), false, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range errs {
		if !(*e.Plateau <= 15) {
			t.Errorf("%s: %.1f %% off at its largest sizes, want at most 15", e.Fabric, *e.Plateau)
		}
	}
	if all := errs[len(errs)-1]; all.Rows != len(files[0].Rows)+len(files[1].Rows) || !(*all.Small <= 15) || !(*all.Large <= 7) {
		t.Errorf("%d rows: median %.1f %% below 16 MiB and %.1f %% from there up, want at most 15 and 7", all.Rows, *all.Small, *all.Large)
	}
	for i := range files[1].Rows {
		v, err := files[1].Predict(i, nil)
		if err != nil {
			t.Fatal(err)
		}
		if r := &files[1].Rows[i]; r.Bytes > 1<<20 && math.Abs(v.Error) > 20 || v.Predicted > 2*v.Measured || v.Predicted < v.Measured/2 {
			t.Errorf("%s: %.4g us, measured %.4g; want 20 %% above 1 MiB and a factor 2 below", r.ID, v.Predicted, v.Measured)
		}
	}
}

// TestLinkConstantsAreFitted: the command recorded beside the constants finds them.
func TestLinkConstantsAreFitted(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	stdout, stderr, code := call("validate collectives nccl_h100 --fit links --json")
	var got linkFit
	if err := json.Unmarshal([]byte(stdout), &got); err != nil || code != 0 {
		t.Fatalf("exit %d, %s", code, stderr)
	}
	want, err := linkSet(collective.DefaultLinkConstants())
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Set) != len(collective.LinkConstantNames()) {
		t.Errorf("%d constants, want %d", len(got.Set), len(collective.LinkConstantNames()))
	}
	for name, v := range got.Set {
		if w := number(want[name]); !(math.Abs(number(v)/w-1) <= 0.02) {
			t.Errorf("%s: fitted %v, and the table says %v", name, v, w)
		}
	}
}

func TestValidateCollectives(t *testing.T) {
	path := writeRows(t, validHead+collectiveRowText+strings.NewReplacer("id: a", "id: b", "collective_us: 4500", "collective_us: 1, healthy: false").Replace(collectiveRowText))
	stdout, stderr, code := call("validate --json " + path)
	var v validation
	if err := json.Unmarshal([]byte(stdout), &v); err != nil || code != 0 {
		t.Fatalf("exit %d, %s", code, stderr)
	}
	if len(v.Rows) != 2 || v.Rows[0].Quantity != "collective_us" || math.Abs(v.MAPE-math.Abs(v.Rows[0].Error)) > 1e-9 || v.Max != math.Abs(v.Rows[0].Error) {
		t.Errorf("%+v: the unsound row must not count", v)
	}
	if len(v.Fabrics) != 2 || v.Fabrics[0].Fabric != "a" || v.Fabrics[1].Fabric != "all" || v.Fabrics[1].Rows != 1 || v.Fabrics[0].Small != nil {
		t.Errorf("fabrics %+v", v.Fabrics)
	}
	two := writeRows(t, validHead+collectiveRowText+strings.NewReplacer("id: a", "id: b").Replace(collectiveRowText))
	stdout, stderr, code = call("validate " + two + " --fit rdma,nvls --held-out --json")
	var fitted linkFit
	if err := json.Unmarshal([]byte(stdout), &fitted); err != nil || code != 0 {
		t.Fatalf("exit %d, %s", code, stderr)
	}
	if len(fitted.Fabrics) != 3 || fitted.Fabrics[0].HeldOut == nil || fitted.Rows != 2 {
		t.Errorf("%+v", fitted)
	}
	stdout, _, _ = call("validate " + two + " --fit rdma --held-out")
	for _, want := range []string{"nvlink_ring:", "left out: median", "all"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in\n%s", want, stdout)
		}
	}
	change := func(old, new string) string {
		return writeRows(t, validHead+strings.Replace(collectiveRowText, old, new, 1))
	}
	testRefusals(t, []refusal{
		{"validate " + change("all_reduce", "all_reuse"), 2, `row a-allreduce-16: unknown collective "all_reuse"`},
		{"validate " + change("inter_gbps_per_gpu: 400", "inter_gbps_per_gpu: null"), 2, "no inter_gbps_per_gpu for 16 GPUs"},
		{"validate " + change("collective_us: 4500", "collective_us: 0"), 2, "measured collective_us is 0"},
		{"validate " + change("bytes: 1073741824", "bytes: many"), 2, "rows.yaml:4: "},
		{"validate " + change("gpus: 16", "gpus: 1"), 2, "gpus is 1"},
		{"validate " + two + " --fit luck", 2, `unknown constant "luck"`},
		{"validate " + two + " --fit links,rdma", 2, "is all of them"},
		{"validate " + two + " --fit links --gpu h100-sxm", 2, "do not go with collectives"},
		{"validate " + path + " --fit rdma --held-out", 2, "one fabric only"},
	})
}

// number is a YAML or JSON number.
func number(v any) float64 {
	switch n := v.(type) {
	case int:
		return float64(n)
	case float64:
		return n
	}
	return math.NaN()
}
