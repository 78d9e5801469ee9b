package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
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
