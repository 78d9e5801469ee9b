package main

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestListWidth: the first table of each list fits on a terminal of 80 columns, the fields that are left out are named, and
// the formats for programs have them all.
func TestListWidth(t *testing.T) {
	for _, args := range [][]string{{"stacks"}, {"gpus"}, {"models"}, {"codecs"}, {"links"}, {"memories"}, {"stacks", "h100-sxm/nemo"}, {"stacks", "h100-sxm/torchtitan"}} {
		stdout, stderr, code := execute(t, append([]string{"list"}, args...)...)
		if code != 0 {
			t.Fatalf("%v: exit %d, %s", args, code, stderr)
		}
		table, _, _ := strings.Cut(stdout, "\nsources\n")
		for _, line := range strings.Split(table, "\n") {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "─")); n > 80 {
				t.Errorf("%v: a line of %d: %q", args, n, line)
			}
		}
	}
	if stdout, _, _ := execute(t, "list", "stacks"); !strings.Contains(stdout, "routed_mult") || strings.Contains(stdout, "  megatron-core  ") {
		t.Errorf("list stacks does not say what is left out, or says the stack twice: %q", stdout)
	}
	for _, args := range [][]string{{"list", "stacks", "h100-sxm/nemo"}, {"list", "stacks", "--csv"}, {"list", "stacks", "--json"}, {"list", "stacks", "--markdown"}} {
		if stdout, _, _ := execute(t, args...); !strings.Contains(stdout, "routed_mult") {
			t.Errorf("%v does not show routed_mult", args)
		}
	}
}

// TestClusterCSVKeys: each row of the CSV says what it is of, and the header is the same for training and inference.
func TestClusterCSVKeys(t *testing.T) {
	for _, workload := range []string{"train", "infer"} {
		stdout, stderr, code := execute(t, "cluster", "--workload", workload, "--model", "llama2-7b", "--gpus", "16", "--gpu", "a100-80g", "--bw", "2.5Gbps", "--codec", "t264,t265-paper", "--csv")
		lines := strings.Split(strings.TrimSpace(stdout), "\n")
		if code != 0 || len(lines) < 3 || !strings.HasPrefix(lines[0], "model,gpu,gpus,bw_gbps,") {
			t.Fatalf("%s: exit %d, %s%s", workload, code, stderr, stdout)
		}
		for _, line := range lines[1:] {
			if !strings.HasPrefix(line, "llama2-7b,a100-80g,16,2.5,") {
				t.Errorf("%s: %s", workload, line)
			}
		}
	}
}
