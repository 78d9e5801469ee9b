package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vcsim/internal/tensor"
)

const lmcData = "../../internal/lmc/testdata/"

// mustSnapshot runs a command that must succeed and returns its JSON.
func mustSnapshot(t *testing.T, args ...string) map[string]any {
	t.Helper()
	stdout, stderr, code := execute(t, append([]string{"snapshot", "--json"}, args...)...)
	var j map[string]any
	if err := json.Unmarshal([]byte(stdout), &j); err != nil || code != 0 || stderr != "" || j["schema"] != "vcsim.snapshot."+args[0]+"/1" {
		t.Fatalf("snapshot %v: exit %d, %q, %v", args, code, stderr, err)
	}
	return j
}

func TestSnapshot(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	j := mustSnapshot(t, "pack", lmcData+"step0200.safetensors", "-o", path("a.lmc"))
	if ratio, _ := j["ratio"].(float64); ratio < 1.2 || j["planes"] == nil {
		t.Errorf("pack: got %v", j)
	}
	mustSnapshot(t, "pack", "--base", path("a.lmc"), lmcData+"step0250.safetensors", "-o", path("b.lmc"))
	mustSnapshot(t, "pack", "--base", path("b.lmc"), lmcData+"step0300.safetensors", "-o", path("c.lmc"))
	for out, want := range map[string]string{"a": "step0200", "b": "step0250", "c": "step0300"} {
		mustSnapshot(t, "unpack", path(out+".lmc"), "-o", path(out))
		mustSnapshot(t, "verify", path(out+".lmc"))
		got, err := os.ReadFile(path(out))
		if err != nil {
			t.Fatal(err)
		}
		w, err := os.ReadFile(lmcData + want + ".safetensors")
		if err != nil || !bytes.Equal(got, w) {
			t.Errorf("%s: not restored, %v", want, err)
		}
	}
	mustSnapshot(t, "unpack", "--tensor", "weight", path("c.lmc"), "-o", path("w"))
	if f, err := tensor.OpenSafetensors(path("w")); err != nil || len(f.Tensors()) != 1 {
		t.Errorf("unpack --tensor: %v", err)
	} else {
		f.Close()
	}
	if j := mustSnapshot(t, "list", path("c.lmc")); j["base"] != "b.lmc" || j["bases"] != 2.0 {
		t.Errorf("list: got %v", j)
	}
	if err := os.Rename(path("a.lmc"), path("moved.lmc")); err != nil {
		t.Fatal(err)
	}
	mustSnapshot(t, "verify", "--chain", dir, path("c.lmc"))
	b, err := os.ReadFile(path("b.lmc"))
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/3] ^= 4
	if err := os.WriteFile(path("b.lmc"), b, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args   string
		code   int
		stderr string
	}{
		{"verify --chain DIR DIR/c.lmc", 1, "block"},
		{"verify DIR/b.lmc", 1, `base "a.lmc"`},
		{"unpack DIR/b.lmc -o DIR/x", 2, `base "a.lmc"`},
		{"unpack DIR/moved.lmc --tensor none -o DIR/x", 2, `no tensor "none"`},
		{"pack DIR/moved.lmc -o DIR/moved.lmc", 2, "would be overwritten"},
		{"pack DIR/moved.lmc --max-chain 0 -o DIR/x", 2, "--max-chain"},
		{"pack DIR/moved.lmc", 2, "out"},
		{"list DIR", 2, "is a directory"},
		{"wrap", 2, `no command "wrap"`},
	} {
		args := append([]string{"snapshot"}, strings.Fields(strings.ReplaceAll(tt.args, "DIR", dir))...)
		if _, stderr, code := execute(t, args...); code != tt.code || !strings.Contains(stderr, tt.stderr) {
			t.Errorf("%s: exit %d, %q; want %d and %q", tt.args, code, stderr, tt.code, tt.stderr)
		}
	}
}

// TestCheckpointRatio: cluster takes the ratio of a checkpoint from a packed one.
func TestCheckpointRatio(t *testing.T) {
	dir := t.TempDir()
	packed, raw := filepath.Join(dir, "b.lmc"), lmcData+"step0250.safetensors"
	ratio := mustSnapshot(t, "pack", "--base", lmcData+"step0200.lmc", raw, "-o", packed)["ratio"].(float64)
	run := func(ratio string) (string, string, int) {
		return execute(t, "cluster", "--model", "llama2-7b", "--bw", "10Gbps", "--ckpt-steps", "100", "--ckpt-bw", "2GB/s", "--ckpt-ratio", ratio, "--csv")
	}
	want, stderr, code := run(fmt.Sprint(ratio))
	if code != 0 {
		t.Fatalf("exit %d, %s", code, stderr)
	}
	if got, stderr, code := run(packed); code != 0 || got != want {
		t.Errorf("ratio of a file: exit %d, %s\n%s\nwant\n%s", code, stderr, got, want)
	}
	if none, _, _ := run("1"); none == want {
		t.Error("the ratio changes nothing")
	}
	for arg, want := range map[string]string{raw: "not packed", filepath.Join(dir, "none"): "neither a number nor a file", "0.5": "want 1 to 1000", dir: "is a directory"} {
		if _, stderr, code := run(arg); code != 2 || !strings.Contains(stderr, want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: exit %d, %q; want 2 and %q", arg, code, stderr, want)
		}
	}
}

// TestSnapshotKill: a pack that is killed at any moment leaves the old file or the new one, and nothing beside it.
func TestSnapshotKill(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.safetensors"), filepath.Join(dir, "out.lmc")
	data := make([]byte, 8<<20)
	r := rand.New(rand.NewPCG(5, 5))
	for i := range data {
		data[i] = byte(r.NormFloat64() * 20)
	}
	f, err := os.Create(in)
	if err != nil {
		t.Fatal(err)
	}
	w, err := tensor.NewSafetensorsWriter(f, []tensor.Info{{Name: "w", DType: tensor.BF16, Shape: []int{len(data) / 2}}}, nil)
	if err == nil {
		err = w.Write(data)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	mustSnapshot(t, "pack", in, "-o", out)
	whole := time.Since(start)
	want, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	old := []byte("the old file")
	killed := 0
	const rounds = 12
	for k := range rounds {
		if err := os.WriteFile(out, old, 0o666); err != nil {
			t.Fatal(err)
		}
		cmd := program(t, "snapshot", "pack", in, "-o", out)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(whole * time.Duration(k+1) / rounds)
		cmd.Process.Kill()
		if cmd.Wait() != nil {
			killed++
		}
		got, err := os.ReadFile(out)
		if err != nil || !bytes.Equal(got, old) && !bytes.Equal(got, want) {
			t.Fatalf("killed in round %d: %d bytes, neither old nor new; %v", k, len(got), err)
		}
	}
	if killed == 0 {
		t.Error("no run was killed before its end")
	}
	os.WriteFile(out, old, 0o666)
	mustSnapshot(t, "pack", in, "-o", out)
	if got, err := os.ReadFile(out); err != nil || !bytes.Equal(got, want) {
		t.Errorf("after the kills: not the new file, %v", err)
	}
}
