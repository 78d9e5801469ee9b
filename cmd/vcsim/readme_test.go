package main

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"

	"vcsim/cluster"
	"vcsim/internal/golden"
	"vcsim/internal/presets"
)

// TestReadmeDemo: what the README shows of the main job is what it prints. -update rewrites it.
func TestReadmeDemo(t *testing.T) {
	const path = "../../README.md"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, from, ok := strings.Cut(string(data), "a step:\n\n")
	block, after, ok2 := strings.Cut(from, "\nA speedup is stated twice")
	if !ok || !ok2 {
		t.Fatal("the README has no block of the demo")
	}
	stdout, _, _ := execute(t, "cluster", "--model", "llama2-7b", "--bw", "10Gbps")
	_, stdout, _ = strings.Cut(stdout, "\n\n") // the title
	stdout, _, _ = strings.Cut(stdout, "\naccuracy\n")
	want := regexp.MustCompile(`(?m)^(.)`).ReplaceAllString(stdout, "    $1")
	if block == want {
		return
	}
	if golden.Update() {
		if err := os.WriteFile(path, []byte(before+"a step:\n\n"+want+"\nA speedup is stated twice"+after), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("the README shows\n%s\nthe command prints (go test -update rewrites it)\n%s", block, want)
}

// TestReadmeErrors: the number of rows and the mean error of each file in the README and in docs/cluster.md are those of this
// model. -update rewrites them.
func TestReadmeErrors(t *testing.T) {
	row := regexp.MustCompile(`(?m)^\| ([a-z0-9_]+)[^|]*\| (\d+) \| ([0-9.]+) \|`)
	stacks := map[[2]string]cluster.Efficiency{}
	for path, least := range map[string]int{"../../README.md": 6, "../../docs/cluster.md": 8} {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		found := row.FindAllStringSubmatch(string(data), -1)
		if len(found) < least {
			t.Errorf("%s: %d rows of measurements, want at least %d", path, len(found), least)
		}
		for _, m := range found {
			f, err := presets.Measured(m[1])
			if err != nil {
				t.Errorf("%s: %v", path, err)
				continue
			}
			var mape float64
			for i := range f.Rows {
				v, err := f.Predict(i, stacks)
				if err != nil {
					t.Fatal(err)
				}
				mape += math.Abs(v.Error) / float64(len(f.Rows))
			}
			got := fmt.Sprintf("| %d | %.2f |", len(f.Rows), mape)
			if strings.HasSuffix(m[0], got) {
				continue
			}
			if golden.Update() {
				line := strings.TrimSuffix(m[0], fmt.Sprintf("| %s | %s |", m[2], m[3])) + got
				data = []byte(strings.Replace(string(data), m[0], line, 1))
				continue
			}
			t.Errorf("%s: %s has %s rows and %s %%, the model says %s (go test -update rewrites it)", path, m[1], m[2], m[3], got)
		}
		if golden.Update() {
			if err := os.WriteFile(path, data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}
