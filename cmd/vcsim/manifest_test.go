package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestManifest(t *testing.T) {
	dir := t.TempDir()
	conf, out := filepath.Join(dir, "c.yaml"), filepath.Join(dir, "m.json")
	text := []byte("model: llama2-7b\nbw: 25Gbps\n")
	if err := os.WriteFile(conf, text, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, stderr, code := execute(t, "cluster", "-f", conf, "--manifest", out); code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var m manifest
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(text)
	if m.Schema != "vcsim.manifest/1" || m.Command != "vcsim cluster" || len(m.Arguments) != 5 || m.ExitCode != 0 {
		t.Errorf("manifest %+v", m)
	}
	if m.Config["bw"] != "25Gbps" || m.Config["gpu"] != "rtx3090" || m.Config["gpus"] != "32" {
		t.Errorf("resolved flags: bw %q, gpu %q, gpus %q; want those of the file and the defaults", m.Config["bw"], m.Config["gpu"], m.Config["gpus"])
	}
	if len(m.Inputs) != 1 || m.Inputs[0].SHA256 != hex.EncodeToString(sum[:]) {
		t.Errorf("inputs %+v, want the configuration and its hash", m.Inputs)
	}
	// A run that is refused leaves none.
	if _, _, code := execute(t, "cluster", "--model", "nobody", "--bw", "1Gbps", "--manifest", filepath.Join(dir, "no.json")); code != 2 {
		t.Errorf("exit %d, want 2", code)
	}
	if _, err := os.Stat(filepath.Join(dir, "no.json")); err == nil {
		t.Error("a refused run wrote a manifest")
	}
}

// TestManifestOfEveryCommand: the manifest of each command names the files that it read, with their hashes, and what the run
// found for flags that were not given.
func TestManifestOfEveryCommand(t *testing.T) {
	dir := t.TempDir()
	for _, args := range []string{"samples .", "encode plane.pgm -o plane.265 --qp 27", "encode model.safetensors -o small.safetensors --bits 3"} {
		if _, stderr, code := runProgram(t, dir, strings.Fields(args)...); code != 0 {
			t.Fatal(stderr)
		}
	}
	for name, text := range map[string]string{"m.yaml": "layers: 8\nhidden: 1024\nheads: 8\nffn: 4096\nvocab: 32000\nseq: 2048\n", "job.yaml": "model: m.yaml\nbw: 10Gbps\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tried := map[string]bool{}
	for _, tt := range []struct {
		args, inputs string
		config       map[string]string
	}{
		{"cluster -f job.yaml", "job.yaml m.yaml", map[string]string{"bw": "10Gbps", "seq": "2048", "layout": "*", "stack": "megatron-lm"}},
		{"cluster --model m.yaml --bw 10Gbps --ckpt-steps 100 --ckpt-bw 1GB/s --ckpt-ratio step1.lmc", "m.yaml step1.lmc", nil},
		{"cluster --workload infer --model m.yaml --bw 10Gbps", "m.yaml", map[string]string{"context": "2048", "prompt": "2048", "gpus": "4", "batch": "1"}},
		{"encode plane.pgm -o a.265", "plane.pgm", map[string]string{"qp": "*", "codec": "t265", "frame": "128x128", "bits": "3", "workers": "*"}},
		{"encode plane.pgm -o a.264 --qp 30", "plane.pgm", map[string]string{"qp": "30", "codec": "t264", "bits": ""}},
		{"encode model.safetensors -o a.safetensors", "model.safetensors", map[string]string{"qp": "*", "codec": "t265"}},
		{"decode plane.265 -o back.pgm", "plane.265", nil},
		{"inspect small.safetensors", "small.safetensors", nil},
		{"compare plane.pgm --peers none --tiers hw --rates 3", "plane.pgm", map[string]string{"tiers": "hw"}},
		{"codec show --lanes 8", "", map[string]string{"lanes": "8", "bits": "3"}},
		{"area --lanes 8", "", map[string]string{"lanes": "8", "bits": "3"}},
		{"energy --lanes 8", "", map[string]string{"lanes": "8", "bits": "3"}},
		{"sim plane.pgm", "plane.pgm", map[string]string{"qp": "*", "threads": "24", "lanes": "24", "frame": "*", "values": "8"}},
		{"sim plane.pgm --unit dec --lanes 4,8 --qp 28.5", "plane.pgm", map[string]string{"qp": "28.5", "threads": "4,8", "values": "4", "bits": ""}},
		{"validate megatron_seqsel", "", nil},
		{"init --workload train --model llama2-7b --gpu rtx3090 --gpus 32 --bw 10Gbps --codec t264 -o new.yaml", "", map[string]string{"gpus": "32"}},
		{"samples again", "", nil},
		{"snapshot pack --base step1.lmc step2.safetensors -o step2.lmc", "step2.safetensors step1.lmc", nil},
		{"snapshot unpack step2.lmc -o back.safetensors", "step2.lmc step1.lmc", nil},
		{"snapshot list step2.lmc", "step2.lmc", nil},
		{"snapshot verify step2.lmc", "step2.lmc", nil},
		{"reproduce fig3 --in model.safetensors --tensor activation", "model.safetensors", nil},
		{"reproduce table2 --out charts", "", map[string]string{"out": "charts"}},
		{"list models", "", nil},
		{"version", "", nil},
		{"docs pages", "", nil},
	} {
		words := strings.Fields(tt.args)
		tried[words[0]] = true
		_, stderr, code := runProgram(t, dir, append(words, "--manifest", "manifest.json")...)
		if code != 0 {
			t.Errorf("%s: exit %d, %s", tt.args, code, stderr)
			continue
		}
		b, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
		if err != nil {
			t.Fatal(err)
		}
		var m manifest
		if err := json.Unmarshal(b, &m); err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, in := range m.Inputs {
			got[filepath.Base(in.Path)] = in.SHA256
		}
		for _, name := range strings.Fields(tt.inputs) {
			data, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			if sum := sha256.Sum256(data); got[name] != hex.EncodeToString(sum[:]) {
				t.Errorf("%s: the hash of %s is %q", tt.args, name, got[name])
			}
			delete(got, name)
		}
		if len(got) > 0 {
			t.Errorf("%s: other inputs: %v", tt.args, got)
		}
		for flag, want := range tt.config {
			if v := m.Config[flag]; v != want && (want != "*" || v == "" || v == "0") {
				t.Errorf("%s: --%s is %q, want %q", tt.args, flag, v, want)
			}
		}
	}
	for _, c := range newRootCommand(&app{}).Commands() {
		if c.Name() != "help" && !tried[c.Name()] {
			t.Errorf("%s was not tried", c.Name())
		}
	}
}

func TestDocs(t *testing.T) {
	dir := t.TempDir()
	if _, stderr, code := execute(t, "docs", dir); code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	for _, f := range []string{"man/man1/vcsim.1", "man/man1/vcsim-cluster.1", "completions/vcsim.bash", "completions/_vcsim", "completions/vcsim.fish"} {
		if st, err := os.Stat(filepath.Join(dir, f)); err != nil || st.Size() == 0 {
			t.Errorf("%s: %v", f, err)
		}
	}
}
