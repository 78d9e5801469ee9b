package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestSweep: several rates make a row each, a chart in text with its marks, and a file where one is asked for; a codec's speedup falls
// to nothing above its rate.
func TestSweep(t *testing.T) {
	const job = "cluster --model llama2-7b --layout dp4,pp8 --codec ideal,t265-paper,t264-paper --ratio 5 "
	file := filepath.Join(t.TempDir(), "sweep.svg")
	stdout, stderr, code := call(job + "--bw 1Gbps:400Gbps:log3,10Gbps --plot " + file)
	if code != 0 || stderr != "" {
		t.Fatalf("exit %d, %s", code, stderr)
	}
	for _, want := range []string{"a ideal; b t265-paper, t264-paper; c the ratio's bound", "d 10 Gbps", "1024 sequences of 4096 tokens", "link rate per GPU"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in\n%s", want, stdout)
		}
	}
	if svg, err := os.ReadFile(file); err != nil || !strings.Contains(string(svg), "10 Gbps") {
		t.Errorf("%d bytes drawn, %v", len(svg), err)
	}
	stdout, _, _ = call(job + "--bw 1Gbps:400Gbps:log3,10Gbps --json")
	var j sweepJSON
	if err := json.Unmarshal([]byte(stdout), &j); err != nil || len(j.Points) != 4 || len(j.Bounds) != 3 || j.Points[1].BW != 10 || j.Schema != "vcsim.cluster_sweep/1" {
		t.Fatalf("%+v, %v", j, err)
	}
	last := j.Points[3]
	if first := j.Points[0].Codecs[1].Speedup; first < 1.1 || first > j.Bounds[1].Bound || last.BW != 400 || last.Codecs[1].Speedup > 1.001 || j.Points[0].Comm < last.Comm {
		t.Errorf("%+v", j.Points)
	}
	one, _, _ := call(job + "--bw 10Gbps --json")
	var single clusterJSON
	if err := json.Unmarshal([]byte(one), &single); err != nil || single.Codecs[1].Speedup != j.Points[1].Codecs[1].Speedup {
		t.Errorf("one rate gives %v, the sweep %v, %v", single.Codecs[1].Speedup, j.Points[1].Codecs[1].Speedup, err)
	}
	csv, _, _ := call(job + "--bw 1Gbps,10Gbps --csv")
	if lines := strings.Split(strings.TrimSpace(csv), "\n"); len(lines) != 3 || !strings.HasPrefix(lines[0], "model,gpu,gpus,bw_gbps,step_time_s,ideal_speedup,t265_paper_speedup") {
		t.Errorf("CSV %q", lines)
	}
	testRefusals(t, []refusal{
		{"cluster --model llama2-7b --bw 1Gbps:2Gbps", 2, "FROM:TO:log10"},
		{"cluster --model llama2-7b --bw 2Gbps:1Gbps:log3", 2, "ends at or below"},
		{"cluster --model llama2-7b --bw 1Gbps:2Gbps:cube", 2, "logN or linN"},
		{"cluster --model llama2-7b --bw 1Gbps,2", 2, "needs a suffix"},
		{"cluster --model llama2-7b --bw 1Gbps --plot " + file + ".png", 2, "--plot draws speedups over link rates"},
		{"cluster --model llama2-7b --bw 1Gbps,2Gbps --gpus 1", 1, "no layout fits"},
		{"cluster --workload infer --model llama2-7b --bw 1Gbps,2Gbps", 2, "takes one rate"},
		{"cluster --model llama2-7b --bw 1Gbps --codec t264@nvfp5", 2, "unknown format"},
		{"cluster --model llama2-7b --bw 1Gbps --codec t264@fp8", 2, "were not measured"},
		{"cluster --workload infer --model llama2-7b --bw 1Gbps --codec nvfp4", 2, "is of training"},
	})
}

// TestDefaultJob: the demo's speedups are numbers at the batch of a real job, and ranges at a small one; no line of text is wider than a
// terminal.
func TestDefaultJob(t *testing.T) {
	for args, ranges := range map[string]bool{"": false, " --batch 64": true} {
		stdout, stderr, code := execute(t, strings.Fields("cluster --model llama2-7b --bw 10Gbps"+args)...)
		if code != 0 {
			t.Fatal(stderr)
		}
		if got := strings.Contains(stdout, "A range is a speedup that hangs on the batch"); got != ranges {
			t.Errorf("%q: ranges %v, want %v", args, got, ranges)
		}
		for _, want := range []string{"speedups, with a codec", "numbers ", "t264@nvfp4", "the error of nvfp4", "known of its accuracy"} {
			if !strings.Contains(stdout, want) {
				t.Errorf("%q: no %q", args, want)
			}
		}
		for line := range strings.Lines(stdout) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > 80 {
				t.Errorf("%q: %d characters: %s", args, n, line)
			}
		}
	}
}
