package main

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

const inferCase = "cluster --workload infer --model llama3-70b --context 128k --gpus 4 --bits-weights 2.88 --bits-kv 2.9 --bits-act 3.5 --bw 10Gbps "

func TestInferCase(t *testing.T) {
	stdout, stderr, code := execute(t, strings.Fields(inferCase+"--mem 8GiB --json")...)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	var j inferJSON
	if err := json.Unmarshal([]byte(stdout), &j); err != nil {
		t.Fatal(err)
	}
	if math.Abs(j.Memory.Weights-6.35) > 0.005 || math.Abs(j.Memory.KV-1.95) > 0.005 || !j.Memory.Feasible {
		t.Errorf("memory %+v, want 6.35 GB of weights and 1.95 GB of cache that fit", j.Memory)
	}
	if j.Plain.Feasible || !strings.Contains(j.Plain.Reason, "needs") {
		t.Errorf("uncompressed: %+v, want infeasible with its reason", j.Plain)
	}
	for _, c := range j.Codecs {
		if c.Name == "ideal" && math.Abs(c.CommSpeedup-4.5) > 0.1 {
			t.Errorf("communication faster by %v, want about 4.5", c.CommSpeedup)
		}
	}
	if stdout, _, _ := execute(t, strings.Fields(inferCase+"--mem 8GiB")...); !strings.Contains(stdout, "fit 8 GiB (8.59 GB) and not 8 GB") {
		t.Errorf("the text does not say that it fits 8 GiB and not 8 GB:\n%s", stdout)
	}
	if _, stderr, code := execute(t, strings.Fields(inferCase+"--mem 8GB")...); code != 1 || !strings.Contains(stderr, "has 8.00 GB") {
		t.Errorf("8 GB: exit %d, %q; want 1 with the reason", code, stderr)
	}
}

func TestInferRefuses(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{inferCase + "--layout dp4", "--layout is of training"},
		{inferCase + "--bits-kv 0", "KV cache"},
		{inferCase + "--gpus 81", "81 devices for 80 layers"},
		{"cluster --model llama2-7b --bw 10Gbps --mem 8GB", "--mem is of --workload infer"},
		{inferCase + "--mem 8", "needs a suffix"},
		{inferCase + "--prompt 256k", "at most the context"},
		{strings.Replace(inferCase, "infer", "dream", 1), "want train or infer"},
	} {
		_, stderr, code := execute(t, strings.Fields(c.args)...)
		if code != 2 || !strings.Contains(stderr, c.want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: exit %d, %q; want 2 and one line with %q", c.args, code, stderr, c.want)
		}
	}
}

func TestModelFiles(t *testing.T) {
	const dir = "../../cluster/testdata/huggingface/"
	stdout, stderr, code := execute(t, "cluster", "--model", dir+"llama-2-7b.json", "--bw", "10Gbps", "--json")
	preset, _, _ := execute(t, "cluster", "--model", "llama2-7b", "--bw", "10Gbps", "--json")
	if code != 0 || strings.Replace(stdout, dir+"llama-2-7b.json", "llama2-7b", 1) != preset {
		t.Errorf("the config.json of LLaMA-2-7B gives another answer than the preset (exit %d, %s)", code, stderr)
	}
	if _, stderr, code := execute(t, "cluster", "--model", dir+"none.json", "--bw", "10Gbps"); code != 2 || strings.Count(stderr, "\n") != 1 {
		t.Errorf("a missing file: exit %d, %q", code, stderr)
	}
}

// TestInferPrecision: the matrix products of serving run at the precision asked for, too.
func TestInferPrecision(t *testing.T) {
	first := func(precision string) float64 {
		t.Helper()
		stdout, stderr, code := call("cluster --workload infer --model llama2-7b --gpu h100-sxm --stack megatron-core --bw 10Gbps --json --precision " + precision)
		var j struct {
			Codecs []struct {
				First float64 `json:"time_to_first_token_s"`
			}
		}
		if err := json.Unmarshal([]byte(stdout), &j); err != nil || code != 0 {
			t.Fatalf("%s: exit %d, %q, %v", precision, code, stderr, err)
		}
		return j.Codecs[0].First
	}
	if half, quarter := first("bf16"), first("fp8"); quarter >= half {
		t.Errorf("the first token after %v s in BF16 and %v s in FP8", half, quarter)
	}
}
