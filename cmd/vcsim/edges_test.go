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

// TestOddInputs: what a new user may type is refused in words of this program, in one line that names the flag or the file, and
// before any work: nothing is written.
func TestOddInputs(t *testing.T) {
	dir := t.TempDir()
	if _, stderr, code := runProgram(t, dir, "samples", "."); code != 0 {
		t.Fatal(stderr)
	}
	if _, stderr, code := runProgram(t, dir, "encode", "plane.pgm", "-o", "plane.265", "--qp", "30"); code != 0 {
		t.Fatal(stderr)
	}
	plane, err := os.ReadFile(filepath.Join(dir, "plane.pgm"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"list.yaml": "model: llama2-7b\nbw: 10Gbps\nworkload: [train]\n", "part.yaml": "layers: 8\n", "gpu.yaml": "peak_tflops: 70\nmem_gb: 24\nmem_gb_per_s: 900\ntdp_w: 350\nnvlink_gb_per_s: -5\n",
		"noise.265": "no stream", "empty.pgm": "", "short.pgm": "P5\n4 4\n255\n", "empty.safetensors": "", "bad.npy": "bad", "upper.PGM": string(plane), "config.json": "{}",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	files := func() string {
		names, _ := filepath.Glob(filepath.Join(dir, "*"))
		return strings.Join(names, " ")
	}
	before := files()
	for _, tt := range []struct {
		args, want string
		code       int
	}{
		{"encode", "vcsim encode wants an argument; usage: vcsim encode IN -o OUT", 2},
		{"encode a b -o x.265", "vcsim encode wants one argument, not 2 (a, b)", 2},
		{"encode plane.pgm", "give the output file with -o", 2},
		{"encode plane.pgm -o x", "encode writes .265, .264 or .safetensors", 2},
		{"encode plane.pgm -o nodir/x.265", "-o nodir/x.265: there is no folder nodir", 2},
		{"encode plane.pgm -o plane.pgm/x.265", "plane.pgm is no folder", 2},
		{"encode plane.pgm -o x.265 --manifest nodir/m.json", "--manifest nodir/m.json: there is no folder nodir", 2},
		{"encode plane.pgm -o x.265 --manifest .", "--manifest .: that is a folder", 2},
		{"encode plane.pgm -o x.265 --qp 22 --bits 3", "give one of --qp and --bits", 2},
		{"encode plane.pgm -o x.265 --qp 60", "QP 60 is outside 0..51", 2},
		{"encode plane.pgm -o x.265 --qp many", "--qp many: want a number", 2},
		{"encode plane.pgm -o x.265 --workers 1.5", "--workers 1.5: want a whole number", 2},
		{"encode plane.pgm -o x.265 --workers 99999999999999999999", "want a smaller number", 2},
		{"encode plane.pgm -o x.265 --bits nan", "not a finite number", 2},
		{"encode plane.pgm -o x.265 --frame 64", "--frame \"64\": want WIDTHxHEIGHT", 2},
		{"encode plane.pgm -o x.265 --tensor a", "--tensor is for tensors", 2},
		{"encode plane.pgm -o x.265 -qp 27", "did you mean --qp?", 2},
		{"encode plane.pgm -o x.265 --json --csv", "give one of", 2},
		{"encode - -o x.265", "not standard input", 2},
		{"encode empty.pgm -o x.265", "empty.pgm: offset 0: invalid pgm", 2},
		{"encode short.pgm -o x.265", "short.pgm: offset 11", 2},
		{"encode empty.safetensors -o x.safetensors", "empty.safetensors: offset 0", 2},
		{"encode bad.npy -o x.safetensors", "bad.npy: offset 0", 2},
		{"encode plane.265 -o x.265", "give it to vcsim decode", 2},
		{"encode model.safetensors -o x.265", "write a .safetensors file", 2},
		{"encode model.safetensors -o x.safetensors --tensor nope", "no tensor matches", 2},
		{"encode model.safetensors -o x.safetensors --quant group", "want tensor, channel, row or groupN", 2},
		{"decode model.safetensors -o x.safetensors", "vcsim encode did not write it", 2},
		{"decode noise.265 -o x.pgm", "noise.265: ", 2},
		{"decode plane.265 -o x.mp4", "want .pgm, .raw, .npy or .safetensors", 2},
		{"decode plane.265 -o x.pgm --size 1", "--size \"1\": want WIDTHxHEIGHT", 2},
		{"decode plane.265 -o x.pgm --size 200x200", "a plane of 200x200 has 4", 2},
		{"inspect plane.pgm", "want .265, .264 or .safetensors", 2},
		{"compare plane.pgm --codec t266", "there is t264, t265", 2},
		{"compare plane.pgm --rates a", "want bits a value", 2},
		{"compare plane.pgm --peers foo", "no such encoder", 2},
		{"sim", "wants an argument", 2},
		{"sim plane.pgm --lanes a", "--lanes a: want a whole number", 2},
		{"sim plane.pgm --lanes 0", "--lanes 0: want 1 to 64", 2},
		{"sim plane.pgm --lanes 32 --threads 8", "give --threads 32 or more, or --lanes 8 or fewer", 2},
		{"sim plane.pgm --clock 1", "needs a suffix", 2},
		{"sim plane.pgm --instances 1000", "fewer frames (4) than 1000 instances", 2},
		{"sim plane.pgm --trace t.json --window 9000000:9000001", "is empty: the run has", 2},
		{"sim plane.pgm --unit dec --latency 3", "--latency is of --unit enc", 2},
		{"sim plane.pgm --qp 20 --bits 3", "give one of --qp and --bits", 2},
		{"sim plane.pgm --trace nodir/t.json", "there is no folder nodir", 2},
		{"sim plane.pgm --vcd .", "that is a folder", 2},
		{"cluster", "--model is needed", 2},
		{"cluster extra --model llama2-7b --bw 10Gbps", "takes flags only, not \"extra\"", 2},
		{"cluster --model llama27b --bw 10Gbps", "did you mean llama2-7b?", 2},
		{"cluster --model plane.pgm --bw 10Gbps", "plane.pgm: a model is a preset, a config.json or a .yaml file", 2},
		{"cluster --model part.yaml --bw 10Gbps", "hidden is 0, want 1 to", 2},
		{"cluster --model config.json --bw 10Gbps", "\"model_type\": missing", 2},
		{"cluster --model llama2-7b --bw 10Gbps --gpu gpu.yaml", "nvlink_gb_per_s is -5, want 0", 2},
		{"cluster --model llama2-7b --bw 10", "needs a suffix", 2},
		{"cluster --model llama2-7b --bw 10Gbps --stack megatron-ln", "did you mean megatron-lm?", 2},
		{"cluster --model llama2-7b --bw 10Gbps --gpus many", "--gpus many: want a whole number", 2},
		{"cluster -f list.yaml", "list.yaml:3: workload: want one value, got a list", 2},
		{"cluster -f nope.yaml", "nope.yaml: no such file", 2},
		{"validate", "validate wants a file", 2},
		{"validate megatron_seqse", "did you mean megatron_seqsel?", 2},
		{"validate megatron_seqsel --held-out", "need --fit", 2},
		{"init --model llama2-7b", "no terminal", 2},
		{"init extra", "takes flags only", 2},
		{"samples", "wants an argument", 2},
		{"snapshot foo", "no command \"foo\"", 2},
		{"snapshot pack plane.pgm -o x.lmc", "plane.pgm: offset 0", 2},
		{"snapshot pack step1.safetensors -o x.lmc --threads -1", "--threads -1: want 0 or more", 2},
		{"snapshot unpack step1.lmc -o x --tensor nope", "no tensor \"nope\"", 2},
		{"snapshot verify plane.pgm", "plane.pgm: offset 0", 1},
		{"reproduce fig5", "did you mean fig3?", 2},
		{"reproduce lmc", "wants an argument", 2},
		{"reproduce fig4 --zoom 0", "want 1 to 16", 2},
		{"reproduce fig2b --nmse a", "--nmse a: want a number", 2},
		{"list foo", "no presets called", 2},
		{"list models llama", "did you mean llama2-7b?", 2},
		{"version foo", "takes flags only", 2},
		{"foo", "unknown command", 2},
		{"--foo", "unknown flag", 2},
		{"completion foo", "want bash", 2},
	} {
		stdout, stderr, code := runProgram(t, dir, strings.Fields(tt.args)...)
		if code != tt.code || !strings.Contains(stderr, tt.want) || strings.Count(stderr, "\n") != 1 || stdout != "" {
			t.Errorf("%s: exit %d, %q, %.60q; want %d and one line with %q", tt.args, code, stderr, stdout, tt.code, tt.want)
		}
		if strings.Contains(stderr, "strconv") || strings.Contains(stderr, "arg(s)") {
			t.Errorf("%s: words of a library: %s", tt.args, stderr)
		}
	}
	if after := files(); after != before {
		t.Errorf("there were %s and now are %s", before, after)
	}
	if _, stderr, code := runProgram(t, dir, "encode", "upper.PGM", "-o", "x.265"); code != 0 {
		t.Errorf("an ending in capitals: exit %d, %s", code, stderr)
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
