package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"vcsim/internal/peertest"
)

// promises are what the program promises its users beside its results, and the tests that hold it to each.
var promises = []struct{ promise, tests string }{
	{"no command writes over its input or over another of its outputs, by any spelling", "TestInputsAreNotOverwritten TestEveryOutputBySpelling TestOutputFlagsAreMarked"},
	{"a flat or narrow tensor costs what a matrix of its values costs", "TestEncodeFolds TestFoldRate TestFoldShape TestFoldRoundTrip TestParseFold"},
	{"a frame larger than a tensor changes nothing", "TestFrameLargerThanTensor"},
	{"sim counts the values of planes, not padding, and a plane's result depends on nothing beside it", "TestSimCountsValues TestSimAlone"},
	{"a missed target is said with the figure of the row, and exits with 1 under --strict", "TestMissedTargets"},
	{"encode counts rate and error over the same values", "TestKeptTensorsCount"},
	{"a manifest has the hashes of inputs and what the run found for flags", "TestManifest TestManifestOfEveryCommand TestManifestHasWhatWasFound"},
	{"CSV is refused before the work, has the table asked for, and says what all rows are of", "TestHelpfulRefusals TestCSVTables TestClusterCSVKeys"},
	{"a schema has one layout, which docs/json.md has; docs/yaml.md has every key of every YAML file", "TestJSONPage TestSchemasAreOnThePage TestYAMLPage"},
	{"shapes are lists", "TestShapesAreLists"},
	{"sim takes tensors and lists planes by name with QP and frame", "TestSimTensors"},
	{"a trace has a unit of time for each cycle and the clock; an empty window is an error", "TestSimTraces TestTraceClocks TestOddInputs"},
	{"text fits 80 columns and is wrapped at words", "TestEightyColumns TestHelpFits TestWizardWraps TestListWidth"},
	{"colour is for terminals, and not with NO_COLOR", "TestColour"},
	{"GPUs come from files as models do", "TestGPUFiles"},
	{"a config.json does not set an endless sequence silently", "TestPositions TestSequence"},
	{"what cannot be done is said with what to do instead", "TestHelpfulRefusals TestOddInputs"},
	{"init writes what cluster runs", "TestInitRuns TestInitWithFlags TestWizard"},
	{"decode says what it crops", "TestDecodeSaysWhatItCrops"},
	{"a unit stands once", "TestUnitsOnce"},
	{"encoding holds frames in memory, not tensors", "TestMemory"},
	{"long work shows that it goes on", "TestProgressOnTerminals TestOnRow TestTurn"},
	{"full range is as the page says", "TestFullRange"},
	{"the pages show what the program prints", "TestPages TestPagesRun TestPageTables TestPageClaims TestReadmeDemo TestSamples"},
}

// TestPromises: the tests of the promises are there.
func TestPromises(t *testing.T) {
	found := map[string]bool{}
	name := regexp.MustCompile(`(?m)^func (Test\w+)\(t `)
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		b, err := os.ReadFile(path)
		for _, m := range name.FindAllSubmatch(b, -1) {
			found[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range promises {
		for _, name := range strings.Fields(p.tests) {
			if !found[name] {
				t.Errorf("%s: there is no %s", p.promise, name)
			}
		}
	}
}

// TestEveryOutputBySpelling: each flag of each command that names a file to write refuses the command's input, however it is
// spelt, and the input stays as it is.
func TestEveryOutputBySpelling(t *testing.T) {
	dir := t.TempDir()
	for _, args := range []string{"samples .", "samples new", "encode plane.pgm -o plane.265 --qp 30", "encode model.safetensors -o coded.safetensors --qp 30"} {
		if _, stderr, code := runProgram(t, dir, strings.Fields(args)...); code != 0 {
			t.Fatal(stderr)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "job.yaml"), []byte("model: llama2-7b\nbw: 10Gbps\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(".", filepath.Join(dir, "sub")); err != nil {
		peertest.Missing(t, "a file system with links: "+err.Error())
	}
	runs := 0
	for _, tt := range []struct{ command, args, input string }{
		{"encode", "encode model.safetensors", "model.safetensors"}, {"encode", "encode plane.pgm -o o.265", "plane.pgm"},
		{"decode", "decode coded.safetensors", "coded.safetensors"}, {"decode", "decode plane.265 -o o.pgm", "plane.265"},
		{"inspect", "inspect plane.265", "plane.265"}, {"compare", "compare plane.pgm --peers none", "plane.pgm"}, {"sim", "sim plane.pgm", "plane.pgm"},
		{"cluster", "cluster -f job.yaml", "job.yaml"}, {"validate", "validate job.yaml", "job.yaml"},
		{"snapshot pack", "snapshot pack step1.safetensors", "step1.safetensors"}, {"snapshot pack", "snapshot pack --base step1.lmc step2.safetensors", "step1.lmc"},
		{"snapshot unpack", "snapshot unpack step1.lmc", "step1.lmc"}, {"snapshot list", "snapshot list step1.lmc", "step1.lmc"}, {"snapshot verify", "snapshot verify step1.lmc", "step1.lmc"},
		{"reproduce fig3", "reproduce fig3 --in model.safetensors --tensor activation", "model.safetensors"}, {"reproduce lmc", "reproduce lmc step1.safetensors", "step1.safetensors"},
	} {
		before, err := os.ReadFile(filepath.Join(dir, tt.input))
		if err != nil {
			t.Fatal(err)
		}
		hard, soft := "hard"+filepath.Ext(tt.input), "soft"+filepath.Ext(tt.input)
		for _, link := range []string{hard, soft} {
			os.Remove(filepath.Join(dir, link)) // of the row before
		}
		if err := os.Link(filepath.Join(dir, tt.input), filepath.Join(dir, hard)); err != nil {
			peertest.Missing(t, "a file system with links: "+err.Error())
		}
		if err := os.Symlink(tt.input, filepath.Join(dir, soft)); err != nil {
			peertest.Missing(t, "a file system with links: "+err.Error())
		}
		cmd, _, err := newRootCommand(&app{}).Find(strings.Fields(tt.command))
		if err != nil {
			t.Fatal(err)
		}
		var flags []string
		add := func(f *pflag.Flag) {
			if _, ok := f.Annotations[writes]; !ok {
				return
			}
			if flags = append(flags, "--"+f.Name+"="); f.Shorthand != "" {
				flags = append(flags, "-"+f.Shorthand)
			}
		}
		cmd.LocalFlags().VisitAll(add)
		cmd.InheritedFlags().VisitAll(add)
		if len(flags) == 0 {
			t.Errorf("%s has no output flag: not even --manifest", tt.command)
		}
		for _, flag := range flags {
			for _, spelling := range []string{tt.input, "./" + tt.input, "new/../" + tt.input, "sub/" + tt.input, filepath.Join(dir, tt.input), hard, soft} {
				words := append(strings.Fields(tt.args), flag+spelling)
				if strings.HasPrefix(tt.args, "snapshot") && cmd.Flags().Lookup("out") != nil && !strings.HasPrefix(flag, "-o") && !strings.HasPrefix(flag, "--out") {
					words = append(words, "-o", "o.lmc")
				}
				if (cmd.Name() == "encode" || cmd.Name() == "decode") && strings.HasPrefix(flag, "--manifest") && !strings.Contains(tt.args, " -o ") {
					words = append(words, "-o", "o.safetensors")
				}
				runs++
				stdout, stderr, code := runProgram(t, dir, words...)
				if code != 2 || !strings.Contains(stderr, "would be overwritten") || strings.Count(stderr, "\n") != 1 || stdout != "" {
					t.Errorf("%q: exit %d, %q", words, code, stderr)
				}
				if after, err := os.ReadFile(filepath.Join(dir, tt.input)); err != nil || string(after) != string(before) {
					t.Fatalf("%q: the input has changed, %v", words, err)
				}
			}
		}
	}
	if runs < 200 {
		t.Errorf("%d runs", runs)
	}
}

// TestUnitsOnce: in text, a figure has its unit beside it or above its column, and not in its name too.
func TestUnitsOnce(t *testing.T) {
	dir := t.TempDir()
	pgm, _ := gaussianPGM(t, 64, 64)
	twice := regexp.MustCompile(`(?m)^(?:[a-z ]+ )?(s|ms|bytes|percent|gb|gbps|gb per s|hz|mm2|db) {2,}\S+ (s|ms|bytes|%|GB|Gbps|GB/s|Hz|mm2|dB)$|\((?:s|%|GB|Gbps|dB)\).*\((?:s|%|GB|Gbps|dB)\) \(`)
	for _, bad := range []string{"time s          0.008 s", "raw bytes  12 bytes"} {
		if !twice.MatchString(bad) {
			t.Fatalf("%q is not found", bad)
		}
	}
	for _, args := range []string{
		"snapshot pack " + lmcData + "step0200.safetensors -o DIR/a.lmc", "snapshot unpack DIR/a.lmc -o DIR/a.safetensors", "snapshot list DIR/a.lmc", "snapshot verify DIR/a.lmc",
		"encode " + pgm + " -o DIR/a.265 --qp 30", "decode DIR/a.265 -o DIR/a.pgm", "sim " + pgm + " --lanes 2", "cluster --model llama2-7b --bw 10Gbps", "validate memory", "inspect DIR/a.265",
	} {
		stdout, stderr, code := execute(t, strings.Fields(strings.ReplaceAll(args, "DIR", dir))...)
		if code != 0 {
			t.Errorf("%s: exit %d, %s", args, code, stderr)
		}
		if m := twice.FindString(stdout); m != "" {
			t.Errorf("%s: the unit stands twice: %q", args, m)
		}
	}
}

// TestShapesAreLists: a shape is a list of numbers in every document.
func TestShapesAreLists(t *testing.T) {
	b, err := os.ReadFile("../../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| `[^`]*\\bshape` \\| ([^|]*) \\|").FindAllStringSubmatch(string(b), -1)
	if len(rows) < 5 {
		t.Errorf("%d shapes", len(rows))
	}
	for _, m := range rows {
		if m[1] != "list of numbers" {
			t.Errorf("%s", m[0])
		}
	}
}

// TestSimTensors: sim runs on the tensors that are chosen, and says of each plane its name, shape, frame and QP. (The outliers of
// the activation leave so few codes that its rate is that of QP 0.)
func TestSimTensors(t *testing.T) {
	dir := t.TempDir()
	if _, stderr, code := runProgram(t, dir, "samples", "."); code != 0 {
		t.Fatal(stderr)
	}
	stdout, stderr, code := runProgram(t, dir, "sim", "model.safetensors", "--tensor", "*k_proj*", "--tensor", "activation", "--lanes", "4", "--frame", "64x32", "--json")
	if code != 0 {
		t.Fatal(stderr)
	}
	var j struct {
		Values int
		Runs   []struct{ Plane string }
		Planes []struct {
			Plane, Frame string
			Shape        []int
			QP           float64
		}
	}
	if err := json.Unmarshal([]byte(stdout), &j); err != nil {
		t.Fatal(err)
	}
	var names []string
	for i, p := range j.Planes {
		names = append(names, p.Plane)
		if p.Frame != "64x32" || fmt.Sprint(p.Shape) != "[256 256]" || (p.QP <= 0) != (p.Plane == "activation") || j.Runs[i].Plane != p.Plane {
			t.Errorf("%+v", p)
		}
	}
	if got := strings.Join(names, " "); got != "model.layers.1.self_attn.k_proj.weight activation" || j.Values != 2*256*256 || len(j.Runs) != 2 {
		t.Errorf("planes %s, %d values, %d runs", got, j.Values, len(j.Runs))
	}
}

// TestGPUFiles: a YAML file with the fields of a GPU gives what the preset of those fields gives.
func TestGPUFiles(t *testing.T) {
	dir := t.TempDir()
	var list struct{ GPUs []map[string]any }
	stdout, _, _ := execute(t, "list", "gpus", "rtx3090", "--json")
	if err := json.Unmarshal([]byte(stdout), &list); err != nil || len(list.GPUs) != 1 {
		t.Fatal(err, stdout)
	}
	var b strings.Builder
	for key, v := range list.GPUs[0] {
		if v != nil && key != "name" && key != "source" {
			fmt.Fprintf(&b, "%s: %v\n", key, v)
		}
	}
	file := filepath.Join(dir, "mine.yaml")
	if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	step := func(gpu string) float64 {
		var j struct {
			Step struct {
				Time float64 `json:"step_time_s"`
			}
		}
		stdout, stderr, code := execute(t, "cluster", "--model", "llama2-7b", "--bw", "10Gbps", "--stack", "megatron-lm", "--gpu", gpu, "--json")
		if err := json.Unmarshal([]byte(stdout), &j); err != nil || code != 0 {
			t.Fatalf("%s: exit %d, %s, %v", gpu, code, stderr, err)
		}
		return j.Step.Time
	}
	if mine, preset := step(file), step("rtx3090"); mine <= 0 || mine < 0.5*preset || mine > 2*preset {
		t.Errorf("a step takes %g s on the file and %g s on the preset", mine, preset)
	}
}

// TestPositions: a configuration with a million positions asks for the length of the sequences.
func TestPositions(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "config.json")
	text := `{"model_type": "llama", "hidden_size": 1024, "num_hidden_layers": 4, "num_attention_heads": 8, "intermediate_size": 4096, "vocab_size": 32000, "max_position_embeddings": 1048576}`
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, stderr, code := execute(t, "cluster", "--model", file, "--bw", "10Gbps"); code != 2 || !strings.Contains(stderr, "1048576 positions") || !strings.Contains(stderr, "give --seq") {
		t.Errorf("exit %d, %s", code, stderr)
	}
	stdout, stderr, code := execute(t, "cluster", "--model", file, "--bw", "10Gbps", "--seq", "4k", "--json")
	if code != 0 || !strings.Contains(stdout, `"seq_tokens": 4096`) {
		t.Errorf("--seq 4k: exit %d, %s", code, stderr)
	}
	if _, stderr, code := execute(t, "cluster", "--workload", "infer", "--model", file, "--bw", "10Gbps"); code != 2 || !strings.Contains(stderr, "give --context") {
		t.Errorf("infer: exit %d, %s", code, stderr)
	}
}
