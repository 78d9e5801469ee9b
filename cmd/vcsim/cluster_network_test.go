package main

import (
	"encoding/json"
	"testing"
)

// TestNetworkFlags: a slower or scarcer network takes longer, rails undo an oversubscribed spine, and switches that reduce save time.
func TestNetworkFlags(t *testing.T) {
	step := func(args string) float64 {
		stdout, stderr, code := call("cluster --model llama2-7b --gpu h100-sxm --gpus 32 --gpus-per-node 8 --bw 50Gbps --batch 256 --layout dp4,tp8,zero0 --json " + args)
		var v struct {
			Step struct {
				Time float64 `json:"step_time_s"`
			} `json:"step"`
		}
		if err := json.Unmarshal([]byte(stdout), &v); err != nil || code != 0 || !(v.Step.Time > 0) {
			t.Fatalf("%s: exit %d, %s%s", args, code, stderr, stdout[:min(len(stdout), 300)])
		}
		return v.Step.Time
	}
	plain := step("")
	if got := step("--fabric infiniband --oversubscription 1 --rails 0"); got != plain {
		t.Errorf("the defaults by name: %v s, without them %v", got, plain)
	}
	if got := step("--oversubscription 4"); !(got > plain) {
		t.Errorf("oversubscribed 4 to 1: %v s, not oversubscribed %v", got, plain)
	}
	if got := step("--oversubscription 4 --rails 8"); got != plain {
		t.Errorf("oversubscribed above rails: %v s, not oversubscribed %v", got, plain)
	}
	if got := step("--sharp"); !(got < plain) {
		t.Errorf("SHARP: %v s, without %v", got, plain)
	}
	if got := step("--fabric tcp"); !(got > plain) {
		t.Errorf("sockets: %v s, InfiniBand %v", got, plain)
	}
	job := "cluster --model llama2-7b --bw 10Gbps "
	testRefusals(t, []refusal{
		{job + "--fabric token-ring", 2, `--fabric "token-ring", want one of [infiniband`},
		{job + "--fabric nvlink4", 2, `--fabric "nvlink4", want one of`},
		{job + "--oversubscription 0.5", 2, "--oversubscription is 0.5, want 1 to 1000"},
		{job + "--oversubscription NaN", 2, "--oversubscription is NaN"},
		{job + "--oversubscription -1", 2, "--oversubscription is -1"},
		{job + "--rails -1", 2, "--rails is -1, want 0 to 1024"},
	})
}
