package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"vcsim/cluster"
	"vcsim/cluster/collective"
	"vcsim/internal/codecpoint"
	"vcsim/internal/config"
	"vcsim/internal/report"
)

// call runs the program inside the test's own process; args are separated by spaces.
func call(args string) (stdout, stderr string, code int) {
	var out, errOut bytes.Buffer
	code = run(context.Background(), strings.Fields(args), &out, &errOut)
	return out.String(), errOut.String(), code
}

// A refusal is a command line that must fail with one line on standard error.
type refusal struct {
	args string
	code int
	want string // part of the line
}

func testRefusals(t *testing.T, tests []refusal) {
	t.Helper()
	for _, tt := range tests {
		stdout, stderr, code := call(tt.args)
		if code != tt.code || !strings.Contains(stderr, tt.want) {
			t.Errorf("vcsim %s: got exit %d and %q, want %d and %q", tt.args, code, stderr, tt.code, tt.want)
		}
		if stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.HasPrefix(stderr, "vcsim: ") {
			t.Errorf("vcsim %s: %d bytes on standard output, and %q, want one line on standard error", tt.args, len(stdout), stderr)
		}
	}
}

func TestClusterRefuses(t *testing.T) {
	const job = "cluster --model llama2-7b --bw 10Gbps "
	testRefusals(t, []refusal{
		{"cluster", 2, "--model is needed"},
		{"cluster --model llama2-7b", 2, "--bw is needed"},
		{"cluster --model llama2-7 --bw 10Gbps", 2, `no preset "llama2-7" in models; did you mean llama2-7b?`},
		{"cluster --model llama2-7b --bw 10", 2, "needs a suffix"},
		{"cluster --model llama2-7b --bw -10Gbps", 2, "must be positive"},
		{"cluster --model llama2-7b --bw 0Gbps", 2, "must be positive"},
		{"cluster --model llama2-7b --bw NaNGbps", 2, "is not a bandwidth"},
		{"cluster --model llama2-7b --bw InfGbps", 2, "is not a bandwidth"},
		{"cluster --model llama2-7b --bw 1e300Gbps", 2, "outside the range"},
		{"cluster --model llama2-7b --bw 1e-9bps", 2, "outside the range"},
		{job + "--gpu rtx309", 2, "did you mean rtx3090?"},
		{job + "--stack megatron-ml", 2, "did you mean megatron-lm?"},
		{job + "--gpus 0", 2, "--gpus is 0, want 1 to"},
		{job + "--gpus -1", 2, "--gpus is -1"},
		{job + "--gpus 99999999", 2, "--gpus is 99999999"},
		{job + "--gpus 99999999999999999999", 2, "want a smaller number"},
		{job + "--batch 0", 2, "--batch is 0"},
		{job + "--instances 0", 2, "--instances is 0"},
		{job + "--seq 0", 2, "must be positive"},
		{job + "--seq 4096x", 2, "unknown suffix"},
		{job + "--ratio NaN", 2, "--ratio is NaN"},
		{job + "--ratio 0.5", 2, "--ratio is 0.5"},
		{job + "--ratio 5 --bits-grad 3", 2, "give --ratio or --bits-grad"},
		{job + "--bits-act NaN", 2, "--bits-act is NaN"},
		{job + "--bits-actgrad 17", 2, "--bits-actgrad is 17"},
		{job + "--bits-grad -1", 2, "--bits-grad is -1"},
		{job + "--warmup 1.5", 2, "--warmup is 1.5"},
		{job + "--idle-fraction NaN", 2, "--idle-fraction is NaN"},
		{job + "--overlap dp=NaN", 2, "--overlap"},
		{job + "--overlap dq=0.5", 2, "--overlap"},
		{job + "--latency -5us", 2, "--latency"},
		{job + "--codec t246", 2, "did you mean t264?"},
		{job + "--codec rtn-9", 2, "K from 1 to 8"},
		{job + "--codec nvenc --gpu h100-sxm", 2, "h100-sxm has no video encoder"},
		{job + "--bypass maybe", 2, `--bypass "maybe"`},
		{job + "--nvenc-reading bytes", 2, "want pixels or fp16"},
		{job + "--layout dp4,dp2", 2, "dp twice"},
		{job + "--layout zero4", 2, "zero4 is out of range"},
		{job + "--layout dp0", 2, "dp0 is out of range"},
		{job + "--layout left", 2, `"left" is none of`},
		{job + "--intra-bw 100GB/s", 2, "--intra-bw needs --gpus-per-node"},
		{job + "more", 2, `takes flags only, not "more"`},
		{job + "--gpus 1", 1, "llama2-7b on 1 x rtx3090: no layout fits"},
		{job + "--gpus 5", 1, "the smallest, dp1,pp5,tp1"},
		{job + "--gpus 1048576 --batch 64", 1, "no layout can be cut"},
		{job + "--seq 512M", 1, "no layout fits"},
		{job + "--layout dp3", 1, "no layout of 32 GPUs has the factors asked for"},
		{job + "--layout mb3", 1, "no layout can be cut"},
		{"cluster --model nemotron-4-340b --bw 10Gbps --gpus 2 --json", 1, "no layout fits"},
	})
}

// TestClusterJSON: the keys that programs read, spelled as documented, with numbers behind them.
func TestClusterJSON(t *testing.T) {
	stdout, stderr, code := call("cluster --model llama2-7b --bw 10Gbps --json")
	if code != 0 || stderr != "" {
		t.Fatalf("exit %d, %q", code, stderr)
	}
	var j map[string]any
	if err := json.Unmarshal([]byte(stdout), &j); err != nil {
		t.Fatal(err)
	}
	if j["schema"] != "vcsim.cluster/1" {
		t.Errorf("schema %v", j["schema"])
	}
	number := func(where string, o map[string]any, keys string) {
		for _, k := range strings.Fields(keys) {
			if v, ok := o[k].(float64); !ok {
				t.Errorf("%s: %s is %v, want a number", where, k, o[k])
			} else if v <= 0 && k != "error_percent" {
				t.Errorf("%s: %s is %v, want above zero", where, k, v)
			}
		}
	}
	number("layout", j["layout"].(map[string]any), "dp pp tp")
	near := j["nearest_validation"].(map[string]any)
	number("nearest_validation", near, "error_percent")
	if id, _ := near["id"].(string); id == "" {
		t.Error("nearest_validation: no id")
	}
	seen := map[string]bool{}
	for _, c := range j["codecs"].([]any) {
		o := c.(map[string]any)
		name, _ := o["name"].(string)
		seen[name] = true
		keys := "speedup speedup_same_layout step_time_s tokens_per_s energy_j_per_token energy_gain comm_energy_gain"
		if slices.Contains([]string{"t264", "t264-paper", "t265-paper", "h264", "h265"}, name) {
			keys += " area_mm2 die_fraction crossover_bw_gbps knee_bw_gbps"
		}
		number(name, o, keys)
		for _, k := range []string{"area_mm2", "die_fraction", "crossover_bw_gbps", "knee_bw_gbps"} {
			if _, ok := o[k]; !ok {
				t.Errorf("%s: no key %s", name, k)
			}
		}
	}
	for _, name := range []string{"ideal", "t264", "t264-paper", "t265-paper", "h264", "h265", "nvenc"} {
		if !seen[name] {
			t.Errorf("no codec %s", name)
		}
	}
}

// TestClusterPaper: --paper --ratio 5 gives the paper's 4.32 and 31.7 where every bit that is sent is encoded and decoded once, as
// between stages.
func TestClusterPaper(t *testing.T) {
	stdout, _, code := call("cluster --model llama2-7b --bw 10Gbps --layout dp1,tp1,pp32,v1 --paper --ratio 5 --codec t264-paper --json")
	var j clusterJSON
	if err := json.Unmarshal([]byte(stdout), &j); err != nil || code != 0 {
		t.Fatal(code, err)
	}
	c := j.Codecs[0]
	if math.Abs(c.CommEnergyGain-4.32) > 0.005 {
		t.Errorf("communication energy gain %.4f, want 4.32", c.CommEnergyGain)
	}
	if c.NetworkOverCode == nil || math.Abs(*c.NetworkOverCode-31.7) > 0.05 {
		t.Errorf("network over codec energy %v, want 31.7", c.NetworkOverCode)
	}
}

// TestModelParams: every model preset's dimensions give its published parameter count.
func TestModelParams(t *testing.T) {
	rows, err := config.Presets[cluster.Model]("models")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if got, want := r.Value.Params()/1e9, r.Value.ParamsB; !(math.Abs(got/want-1) <= 0.01) {
			t.Errorf("%s: %.4g billion parameters from its dimensions, published %.4g", r.Name, got, want)
		}
	}
}

// TestClusterEverywhere: every model on every GPU, over link rates and GPU counts from the absurd to the usual, gives finite numbers
// or says that nothing fits. Without VCSIM_LONG each pair sees a sixteenth of the settings, in turn.
func TestClusterEverywhere(t *testing.T) {
	models, err := config.PresetNames("models")
	if err != nil {
		t.Fatal(err)
	}
	gpus, err := config.PresetNames("gpus")
	if err != nil {
		t.Fatal(err)
	}
	rates := []string{"1bps", "1Mbps", "1Gbps", "100Gbps", "10000Tbps"}
	counts := []int{1, 8, 60, 1024, 1 << 20}
	turn, feasible := 0, 0
	for _, m := range models {
		for _, g := range gpus {
			f := clusterFlags{model: m, gpu: g, gpus: 1, perNode: 1, batch: 256, instances: codecpoint.TableInstances, lanes: 24, values: 8, placement: "inline",
				bitsGrad: 2.6, bitsAct: 3.5, bitsActGrad: 10.1, bitsParam: 16, bitsWeights: 2.88, bitsKV: 2.9, bypass: "auto", nvencReading: "pixels"}
			if err := f.bw.UnmarshalText([]byte("1Gbps")); err != nil {
				t.Fatal(err)
			}
			r, err := f.resolve(func(string) bool { return false })
			if err != nil {
				t.Fatalf("%s on %s: %v", m, g, err)
			}
			for _, rate := range rates {
				for _, n := range counts {
					turn++
					if os.Getenv("VCSIM_LONG") == "" && turn%16 != 0 {
						continue
					}
					if err := f.bw.UnmarshalText([]byte(rate)); err != nil {
						t.Fatal(err)
					}
					f.gpus, r.space.GPUs = n, n
					r.job.Net = collective.FlatNetwork(collective.BytesPerSecond(f.bw / 8))
					if n >= 8 && turn%2 == 0 {
						r.job.Net = collective.NodeNetwork(8, 100e9, collective.BytesPerSecond(f.bw/8))
					}
					ok, err := everywhere(r)
					if err != nil {
						t.Errorf("%s on %d x %s at %s: %v", m, n, g, rate, err)
					}
					if ok {
						feasible++
					}
				}
			}
		}
	}
	if feasible < 100 {
		t.Errorf("%d settings were feasible, want at least 100", feasible)
	}
}

// everywhere runs a study and prints it; ok is false where nothing fits.
func everywhere(r *clusterRun) (ok bool, err error) {
	var codecs []cluster.Codec
	for i := range r.codecs {
		codecs = append(codecs, r.codecs[i].Codec)
	}
	s, err := cluster.Compare(r.job, &r.space, codecs, &r.power, nil)
	if _, infeasible := err.(*cluster.InfeasibleError); infeasible {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	res := r.result(s, nil)
	if err := report.Write(io.Discard, report.JSON, res); err != nil { // refuses NaN and Inf
		return true, err
	}
	return true, report.Write(io.Discard, report.Text, res)
}

// TestClusterWidth: the output fits a wide terminal.
func TestClusterWidth(t *testing.T) {
	const widest = 140
	for _, args := range []string{"cluster --model llama2-7b --bw 10Gbps", "cluster --model llama3-405b --gpu h100-sxm --gpus 1024 --gpus-per-node 8 --bw 400Gbps --batch 2048"} {
		stdout, stderr, code := call(args)
		if code != 0 {
			t.Fatalf("%s: %s", args, stderr)
		}
		for _, line := range strings.Split(stdout, "\n") {
			if n := len([]rune(line)); n > widest {
				t.Errorf("%s: a line of %d characters, want at most %d: %s", args, n, widest, line)
			}
		}
	}
}
