package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"vcsim/internal/tensor"
)

// TestHelpfulRefusals: what cannot be done is said in one line, with what to do instead, and the exit code of usage.
func TestHelpfulRefusals(t *testing.T) {
	dir := t.TempDir()
	pgm, _ := gaussianPGM(t, 64, 64)
	zeros := filepath.Join(dir, "zeros.pgm")
	if err := os.WriteFile(zeros, append(tensor.AppendPGM(nil, 64, 64), make([]byte, 4096)...), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"weights.safetensors", "s.lmc", "bad.yaml"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("no_such_key: 1\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ args, want string }{
		{"help nosuch", `no help on "nosuch"`},
		{"help encde", "did you mean encode?"},
		{"help snapshot nosuch", `no help on "snapshot nosuch"`},
		{"completion tcsh", "no completion for tcsh: want bash"},
		{"version --csv", "no CSV"},
		{"decode absent.265 -o x.pgm --csv", "no CSV"}, // before the file is looked for
		{"encode " + pgm + " -o DIR/o.265 --csv", "no CSV"},
		{"sim " + pgm + " --csv --table plans", "did you mean planes?"},
		{"sim " + pgm + " --table planes", "--csv"},
		{"inspect DIR/s.lmc", "vcsim snapshot list"},
		{"encode DIR/wieghts.safetensors -o DIR/o.safetensors", "did you mean weights.safetensors?"},
		{"encode " + mixedTensors + " -o DIR/o.safetensors --rotate rows", "--rotate=rows"},
		{"reproduce fig3 --in " + zeros, "nothing to draw"},
		{"cluster --model llama2-7b --bw 10Gbps --gpu DIR/bad.yaml", "bad.yaml"},
		{"cluster --model llama2-7b --bw 10Gbps --gpu DIR/bd.yaml", "did you mean bad.yaml?"},
	} {
		_, stderr, code := execute(t, strings.Fields(strings.ReplaceAll(tt.args, "DIR", dir))...)
		if code != 2 || !strings.Contains(stderr, tt.want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: exit %d, %q, want %q", tt.args, code, stderr, tt.want)
		}
	}
	if stdout, _, code := execute(t, "--version"); code != 0 || !strings.HasPrefix(stdout, "vcsim ") {
		t.Errorf("--version: exit %d, %q", code, stdout)
	}
	if stdout, _, code := execute(t, "help", "snapshot", "pack"); code != 0 || !strings.Contains(stdout, "--base") {
		t.Errorf("help snapshot pack: exit %d, %q", code, stdout)
	}
}

// TestMissedTargets: a target that is missed is said with the figure that is printed, and --strict makes it exit code 1.
func TestMissedTargets(t *testing.T) {
	pgm, _ := gaussianPGM(t, 64, 64)
	dir := t.TempDir()
	out := filepath.Join(dir, "o.safetensors")
	for _, args := range []string{
		"encode " + pgm + " -o DIR/o.265 --bits 12", "encode " + mixedTensors + " -o DIR/o.safetensors --mse 1e-12",
		"encode " + mixedTensors + " -o DIR/o.safetensors --tensor activation --bits 7", "sim " + pgm + " --lanes 2 --bits 12",
	} {
		words := strings.Fields(strings.ReplaceAll(args, "DIR", dir))
		stdout, stderr, code := execute(t, words...)
		stdout = strings.Join(strings.Fields(stdout), " ")
		if code != 0 || !strings.Contains(stdout, "cannot be reached") && !strings.Contains(stdout, "missed") {
			t.Errorf("%s: exit %d, %s%s", args, code, stdout, stderr)
		}
		_, stderr, code = execute(t, append(words, "--strict")...)
		if code != 1 || !strings.Contains(stderr, "--strict") || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s --strict: exit %d, %q", args, code, stderr)
		}
	}
	if _, stderr, code := execute(t, "encode", pgm, "-o", out, "--bits", "3", "--strict"); code != 0 {
		t.Errorf("a target that was met: exit %d, %s", code, stderr)
	}
	// The figure in the note is the row's.
	j := mustEncode(t, mixedTensors, out, "--tensor", "activation", "--bits", "7")
	var row struct {
		Tensors []struct {
			Bits float64 `json:"bits_per_value"`
		}
	}
	stdout, _, _ := execute(t, "encode", mixedTensors, "-o", out, "--tensor", "activation", "--bits", "7", "--json")
	if err := json.Unmarshal([]byte(stdout), &row); err != nil {
		t.Fatal(err)
	}
	if want := strings.TrimRight(jsonNumber(row.Tensors[0].Bits), "0"); !strings.Contains(j.Note, want[:5]) {
		t.Errorf("note %q, the row has %s bits a value", j.Note, want)
	}
}

func jsonNumber(v float64) string {
	b, _ := json.Marshal(v)
	return string(b)
}

// TestCSVTables: --table chooses a table, and the points of compare are kept.
func TestCSVTables(t *testing.T) {
	pgm, _ := gaussianPGM(t, 64, 64)
	for _, tt := range []struct{ args, head string }{
		{"sim " + pgm + " --lanes 2 --csv", "plane,threads,lanes,"},
		{"sim " + pgm + " --lanes 2 --csv --table planes", "plane,shape,frame,"},
		{"sim " + pgm + " --lanes 2 --csv --table units", "unit,count,"},
		{"compare " + pgm + " --peers none --tiers hw --rates 3 --csv", "tensor,method,at_3"},
		{"compare " + pgm + " --peers none --tiers hw --rates 3 --csv --points", "tensor,method,qp,"},
		{"compare " + pgm + " --peers none --tiers hw --rates 3 --csv --table points", "tensor,method,qp,"},
		{"list models --csv --table sources", "source,stands_for"},
		{"inspect " + mixedTensors + " --csv", "name,dtype,shape,bytes"},
	} {
		stdout, stderr, code := execute(t, strings.Fields(tt.args)...)
		if code != 0 || !strings.HasPrefix(stdout, tt.head) {
			t.Errorf("%s: exit %d, %s%.80q", tt.args, code, stderr, stdout)
		}
	}
}

// TestKeptTensorsCount: rate and error are over the same values, those of all tensors.
func TestKeptTensorsCount(t *testing.T) {
	out := filepath.Join(t.TempDir(), "o.safetensors")
	one := mustEncode(t, mixedTensors, out, "--tensor", "activation", "--qp", "30")
	all := mustEncode(t, mixedTensors, out, "--tensor", "activation", "--qp", "30", "--keep")
	if want := one.MSE * float64(one.Values) / float64(all.Values); all.Values <= one.Values || all.MSE < 0.999*want || all.MSE > 1.001*want {
		t.Errorf("MSE %g over %d values, %g over %d: want %g", one.MSE, one.Values, all.MSE, all.Values, want)
	}
}

// TestDecodeSaysWhatItCrops: pictures larger than --size are cropped, and decode says so.
func TestDecodeSaysWhatItCrops(t *testing.T) {
	pgm, _ := gaussianPGM(t, 100, 64)
	dir := t.TempDir()
	mustEncode(t, pgm, filepath.Join(dir, "o.265"), "--qp", "30", "--frame", "64x64")
	for size, crops := range map[string]bool{"100x64": true, "128x64": false} {
		stdout, stderr, code := execute(t, "decode", filepath.Join(dir, "o.265"), "-o", filepath.Join(dir, "o.pgm"), "--size", size)
		if code != 0 || strings.Contains(stdout, "cropped") != crops {
			t.Errorf("--size %s: exit %d, %s%s", size, code, stdout, stderr)
		}
	}
}

// TestManifestHasWhatWasFound: the QP that a search found stands in the manifest, not the flag's default.
func TestManifestHasWhatWasFound(t *testing.T) {
	pgm, _ := gaussianPGM(t, 64, 64)
	dir := t.TempDir()
	for _, out := range []string{"o.265", "o.safetensors"} {
		path := filepath.Join(dir, "m.json")
		if _, stderr, code := execute(t, "encode", pgm, "-o", filepath.Join(dir, out), "--bits", "3", "--manifest", path); code != 0 {
			t.Fatal(stderr)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var m manifest
		if err := json.Unmarshal(b, &m); err != nil || m.Config["qp"] == "0" || m.Config["bits"] != "3" || len(m.Inputs) != 1 || m.Inputs[0].Path != pgm {
			t.Errorf("%s: %s, %v", out, b, err)
		}
	}
}

// TestEightyColumns: what is printed fits 80 columns, and --wide has the rest.
func TestEightyColumns(t *testing.T) {
	pgm, _ := gaussianPGM(t, 64, 64)
	for _, args := range []string{
		"cluster --model llama2-7b --bw 10Gbps", "cluster --model llama2-7b --bw 10Gbps --points", "list", "list models", "list gpus", "list stacks", "list paper",
		"validate memory", "reproduce table2", "reproduce fig3", "reproduce inference", "compare " + pgm + " --peers none --tiers hw --points",
		"sim " + pgm + " --lanes 2,4", "sim " + pgm + " --lanes 2", "inspect " + mixedTensors, "encode " + mixedTensors + " -o " + filepath.Join(t.TempDir(), "o.safetensors"),
	} {
		stdout, stderr, code := execute(t, strings.Fields(args)...)
		if code != 0 {
			t.Errorf("%s: exit %d: %s", args, code, stderr)
		}
		for _, line := range strings.Split(stdout, "\n") {
			if n := utf8.RuneCountInString(line); n > 80 {
				t.Errorf("%s: a line of %d characters: %q", args, n, line)
			}
		}
	}
	stdout, _, _ := execute(t, "cluster", "--model", "llama2-7b", "--bw", "10Gbps", "--wide")
	if !strings.Contains(stdout, "none above") || strings.Contains(stdout, "Left out") {
		t.Errorf("--wide:\n%s", stdout)
	}
}

// TestSamples: what samples writes is what the lines of the README read.
func TestSamples(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	if _, stderr, code := execute(t, "samples", dir); code != 0 {
		t.Fatal(stderr)
	}
	if _, stderr, code := execute(t, "samples", dir); code != 2 || !strings.Contains(stderr, "--force") {
		t.Errorf("a second time: exit %d, %s", code, stderr)
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, line := range strings.Split(string(readme), "\n") {
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) < 3 || words[0] != "bin/vcsim" {
			continue
		}
		switch words[1] {
		case "encode", "compare", "sim", "snapshot":
		default:
			continue
		}
		if words[1] == "compare" {
			words = append(words, "--peers", "none") // others need not be installed
		}
		cmd := program(t, words[1:]...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", line, err, out)
		}
		ran++
	}
	if ran < 3 {
		t.Errorf("%d lines of the README ran", ran)
	}
}
