package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"gopkg.in/yaml.v3"

	"vcsim/cluster"
	"vcsim/internal/codecpoint"
	"vcsim/internal/config"
	"vcsim/internal/golden"
	"vcsim/internal/layouts"
	"vcsim/internal/peertest"
	"vcsim/internal/presets"
)

// jsonLines are command lines that print every schema, between them with every key that a schema can have, where `vcsim samples .`
// has been run.
var jsonLines = []string{
	"cluster --model llama2-7b --bw 10Gbps --codec t264,t265-paper,nvenc,ideal,rtn-4,1bit-adam --explain --points",
	"cluster --model llama2-7b --bw 10Gbps --codec t264 --layout dp4,pp8",
	"cluster --model llama2-7b --bw 1Gbps,10Gbps --codec t264,ideal",
	"cluster --workload infer --model llama3-70b --context 8k --gpus 4 --mem 8GiB --bw 10Gbps",
	"cluster --workload infer --model llama2-7b --context 2k --gpus 4 --bw 10Gbps",
	"encode plane.pgm -o plane.265 --qp 27 --manifest manifest.json",
	"encode plane.pgm -o plane.264 --bits 2",
	"encode plane.pgm -o missed.265 --bits 12",
	"encode model.safetensors -o small.safetensors --bits 3",
	"encode model.safetensors -o kept.safetensors --tensor *k_proj* --keep --bits 3",
	"decode plane.265 -o back.pgm",
	"decode small.safetensors -o back.safetensors",
	"decode small.safetensors -o taken.265 --tensor *k_proj*",
	"inspect plane.265",
	"inspect plane.264",
	"encode model.safetensors -o searched.safetensors --codec t264 --tier rdo --tensor *k_cache* --qp 38",
	"inspect searched.safetensors --tensor *k_cache*",
	"inspect small.safetensors",
	"inspect kept.safetensors",
	"inspect model.safetensors",
	"compare plane.pgm --peers none --tiers hw --rates 3 --frame 64x64",
	"codec show --paper",
	"codec show t265",
	"codec show t265-paper",
	"area --paper",
	"area --codec t265",
	"energy --paper",
	"energy --codec t265",
	"sim plane.pgm --lanes 4",
	"sim plane.pgm --codec t265 --lanes 4",
	"sim plane.pgm --lanes 4,8 --bits 3",
	"sim plane.pgm --unit dec --lanes 4",
	"validate megatron_seqsel",
	"validate nccl_h100",
	"validate megatron_seqsel --fit gemm_fraction",
	"validate bridge_h100 bridge_blackwell --fit memory_fraction --held-out",
	"validate collectives --fit rdma --held-out",
	"samples new",
	"snapshot pack step1.safetensors -o packed1.lmc",
	"snapshot pack --base packed1.lmc step2.safetensors -o packed2.lmc",
	"snapshot unpack packed2.lmc -o unpacked.safetensors",
	"snapshot list packed2.lmc",
	"snapshot list step1.safetensors",
	"snapshot verify packed2.lmc",
	"reproduce fig2b --nmse -20",
	"reproduce fig3",
	"reproduce fig4",
	"reproduce fig10a",
	"reproduce fig10b",
	"reproduce fig9",
	"reproduce table2",
	"reproduce inference",
	"reproduce lmc step1.safetensors",
	"list",
	"version",
}

const jsonIntro = `# JSON

What each command prints with ` + "`--json`" + ` and what ` + "`--manifest`" + ` writes. Every document begins with its schema, and each schema has one layout: a new
layout has a new number. Several results in a row are a list of documents. Numbers have full precision, keys end in their unit, rates a second are of the
whole job where nothing else is said, and what is not known is null.

` + "`tensors[].name`" + ` is the key ` + "`name`" + ` of the objects in the list ` + "`tensors`" + `. "May be absent" are keys that some documents of the schema do not have. Names in capitals stand for keys
that follow from the command line.

This page is written by ` + "`make layouts`" + `.
`

// TestJSONPage: docs/json.md has the layout of every document that commands print, and each key has a meaning. -update writes it.
func TestJSONPage(t *testing.T) {
	if testing.Short() {
		t.Skip("runs every command")
	}
	peertest.Tool(t, "bzip2")
	dir := t.TempDir()
	if _, stderr, code := runProgram(t, dir, "samples", "."); code != 0 {
		t.Fatal(stderr)
	}
	var docs layouts.Documents
	lines := slices.Clone(jsonLines)
	for _, kind := range config.PresetKinds() {
		lines = append(lines, "list "+kind)
	}
	for _, line := range lines {
		words := strings.Fields(line)
		stdout, stderr, code := runProgram(t, dir, append(words, "--json")...)
		if code != 0 && code != exitMismatch { // which has its document too
			t.Errorf("%s: exit %d, %s", line, code, stderr)
			continue
		}
		if err := docs.Add(commandOf(words), []byte(stdout)); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	manifest, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := docs.Add("--manifest", manifest); err != nil {
		t.Fatal(err)
	}
	m := layouts.Meanings{Keys: layouts.Keys}
	if m.Comments, err = layouts.Comments(".", "../../cluster", "../../cluster/collective", "../../internal/presets", "../../internal/figures", "../../internal/explain", "../../internal/study"); err != nil {
		t.Fatal(err)
	}
	page, unknown := docs.Page(&m)
	for _, path := range unknown {
		t.Errorf("%s has no meaning: say it in internal/layouts/keys.go or in the comment of its field", path)
	}
	for _, name := range m.Unused() {
		t.Errorf("internal/layouts/keys.go explains %s, which no document has", name)
	}
	golden.Check(t, "../../docs/json.md", jsonIntro+page)
}

// commandOf is the command of a command line: "vcsim snapshot pack".
func commandOf(words []string) string {
	c, _, err := newRootCommand(&app{}).Find(words)
	if err != nil {
		return words[0]
	}
	path := c.CommandPath()
	for _, w := range words {
		switch {
		case w == "infer" && c.Name() == "cluster":
			path += " --workload infer"
		case w == "--fit":
			path += " --fit"
		}
	}
	if c.Name() == "list" && len(words) > 1 {
		path += " " + words[1]
	}
	return path
}

const yamlIntro = `# YAML

The files that the program reads, and the presets that are built in. A file is one YAML document; unknown and repeated keys, wrong types and values outside
their range are refused with file and line. Keys end in their unit. "Needed" are keys that a file must have; what it leaves out else is the default. A range is the one that the
program names when it refuses -1.

This page is written by ` + "`make layouts`" + `.
`

// A yamlKind is a kind of file with a file of it that is right, in which one field after the other is changed.
type yamlKind struct {
	title, about string
	typ          reflect.Type
	right        any                     // a value that the program takes
	refuses      func(path string) error // what it says to a file
}

// TestYAMLPage: docs/yaml.md has every key of every kind of YAML file: its type, its range as the program states it, its
// default and its meaning. -update writes it.
func TestYAMLPage(t *testing.T) {
	comments, err := layouts.Comments("../../cluster", "../../cluster/collective", "../../internal/config", "../../internal/codecpoint", "../../internal/presets")
	if err != nil {
		t.Fatal(err)
	}
	model, err := presets.Model("llama2-7b")
	if err != nil {
		t.Fatal(err)
	}
	gpu, err := presets.GPU("rtx3090")
	if err != nil {
		t.Fatal(err)
	}
	stacks, err := config.Presets[cluster.Efficiency]("stacks")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := presets.Measured("megatron_seqsel")
	if err != nil {
		t.Fatal(err)
	}
	kinds := []yamlKind{
		{"A model: `cluster --model FILE.yaml`", "`vcsim list models` shows the built-in ones. A Hugging Face `config.json` serves too.", reflect.TypeFor[cluster.Model](), model.Value,
			func(path string) error { _, err := presets.Model(path); return err }},
		{"A GPU: `cluster --gpu FILE.yaml`", "`vcsim list gpus` shows the built-in ones.", reflect.TypeFor[cluster.GPU](), gpu.Value,
			func(path string) error { _, err := presets.GPU(path); return err }},
		{"Rows of measurements: `validate FILE.yaml`", "A file has `schema: " + config.MeasurementSchema + "`, `study` (its name), `defaults` (fields that all rows share) and `rows`, a list of:",
			reflect.TypeFor[cluster.Measurement](), rows.Rows[0], nil},
		{"Presets: stacks", "The built-in sets of efficiency constants (`vcsim list stacks`); `cluster --stack` chooses one by name. A preset file has `schema: vcsim.presets/1`, `sources` (keys of publications and what they stand for) and `rows`, by the name of the preset. Each row has `sources`, may have a `note`, and has the fields below.",
			reflect.TypeFor[cluster.Efficiency](), stacks[0].Value, func(path string) error {
				var e cluster.Efficiency
				if err := config.Load(path, &e); err != nil {
					return err
				}
				return e.Validate()
			}},
		{"Presets: codecs", "The engines of the paper's Table II (`vcsim list codecs`), `encoder` and `decoder` each with:", reflect.TypeFor[codecpoint.Half](), nil, nil},
	}
	used := map[string]bool{}
	var b strings.Builder
	b.WriteString(yamlIntro)
	b.WriteString(studyTable(t))
	path := filepath.Join(t.TempDir(), "x.yaml")
	for _, k := range kinds {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| key | type | unit | range | default | meaning |\n| --- | --- | --- | --- | --- | --- |\n", k.title, k.about)
		for _, f := range layouts.Fields(k.typ, comments) {
			used["yaml:"+f.Key] = true
			meaning := cmp.Or(layouts.Keys["yaml:"+f.Key], f.Meaning, layouts.Keys[f.Key])
			if meaning == "" {
				t.Errorf("%s: %s has no meaning: say it in the comment of its field or, as yaml:%s, in internal/layouts/keys.go", k.title, f.Key, f.Key)
			}
			limits, fallback := "", f.Zero
			if k.refuses != nil && !strings.Contains(f.Key, ".") {
				limits = stated(k.try(t, path, f.Key, "-1"))
				if k.try(t, path, f.Key, "") != nil {
					fallback = "needed"
				}
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s |\n", f.Key, f.Type, layouts.Unit(f.Key), limits, fallback, meaning)
		}
	}
	for _, kind := range []string{"links", "memories", "paper"} {
		fmt.Fprintf(&b, "\n## Presets: %s\n\n`vcsim list %s` shows them; no file of this kind is read.\n\n| key | type | unit | meaning |\n| --- | --- | --- | --- |\n", kind, kind)
		for _, f := range nodeFields(t, kind) {
			meaning := layouts.Keys[f.Key]
			if named := layouts.Keys[kind+"."+f.Key]; named != "" {
				meaning = named
			}
			if meaning == "" {
				t.Errorf("%s: %s has no meaning", kind, f.Key)
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", f.Key, f.Type, layouts.Unit(f.Key), meaning)
		}
	}
	for name := range layouts.Keys {
		if strings.HasPrefix(name, "yaml:") && !used[name] {
			t.Errorf("internal/layouts/keys.go explains %s, which no file has", name)
		}
	}
	for _, kind := range config.PresetKinds() {
		if !strings.Contains(b.String(), "list "+kind) {
			t.Errorf("the page has no presets of kind %s", kind)
		}
	}
	golden.Check(t, "../../docs/yaml.md", b.String())
}

// try returns what the program says to a file in which a field has another value, or is left out where that is "".
func (k *yamlKind) try(t *testing.T, path, key, value string) error {
	t.Helper()
	text, err := yaml.Marshal(k.right)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, line := range strings.Split(string(text), "\n") {
		switch name, _, _ := strings.Cut(line, ":"); {
		case strings.HasSuffix(line, ": null"):
		case name != key:
			lines = append(lines, line)
		}
	}
	if value != "" {
		lines = append(lines, key+": "+value)
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o666); err != nil {
		t.Fatal(err)
	}
	return k.refuses(path)
}

// stated is the range that a refusal names.
func stated(err error) string {
	if err == nil {
		return ""
	}
	_, limits, ok := strings.Cut(err.Error(), "want ")
	if !ok || strings.Contains(err.Error(), "want a") {
		limits = strings.TrimPrefix(limits, "want ")
	}
	if strings.HasPrefix(limits, "true or false") || strings.HasPrefix(limits, "text") {
		return ""
	}
	return limits
}

// studyTable is the section of `cluster -f`: its flags.
func studyTable(t *testing.T) string {
	var b strings.Builder
	b.WriteString("\n## A study: `cluster -f FILE.yaml`\n\n`vcsim init` writes one. The keys are the long names of the flags of `vcsim cluster`; a flag on the command line wins over the file. Rates, sizes, times and numbers of tokens carry their unit: `10Gbps`, `8GiB`, `5us`, `128k`.\n\n" +
		"| key | type | range | default | meaning |\n| --- | --- | --- | --- | --- |\n")
	cmd := newClusterCommand(&app{})
	dir := t.TempDir()
	count := 0
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Name == "file" || f.Name == "help" {
			return
		}
		count++
		typ, _ := pflag.UnquoteUsage(f)
		if name := map[string]string{"": "true or false", "int": "integer", "float": "number", "string": "text", "strings": "list of text"}[typ]; name != "" {
			typ = name
		}
		fallback := f.DefValue
		switch {
		case f.Name == "model" || f.Name == "bw":
			fallback = "needed"
		case fallback == "[]" || strings.Contains(f.Usage, "(default:"):
			fallback = ""
		}
		limits := ""
		if f.Value.Type() == "int" || f.Value.Type() == "float64" {
			path := filepath.Join(dir, f.Name+".yaml")
			text := "model: llama2-7b\nbw: 10Gbps\n"
			if of := f.Annotations[flagWorkload]; len(of) > 0 {
				text += "workload: " + of[0] + "\n"
			}
			if err := os.WriteFile(path, []byte(text+f.Name+": -1\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			_, stderr, code := execute(t, "cluster", "-f", path)
			if code != exitUsage {
				t.Errorf("cluster -f with %s: -1: exit %d, %s", f.Name, code, stderr)
			}
			limits = stated(errors.New(strings.TrimSpace(stderr)))
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", f.Name, strings.ReplaceAll(typ, "|", "or"), limits, fallback, strings.ReplaceAll(f.Usage, "|", " or "))
	})
	if count < 40 {
		t.Errorf("cluster has %d flags", count)
	}
	return b.String()
}

// nodeFields are the fields that the presets of a kind have.
func nodeFields(t *testing.T, kind string) (list []layouts.Field) {
	rows, err := config.Presets[config.Node](kind)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		err := flatten(&r.Value, "", func(key string, value any) {
			typ := "number"
			if _, ok := value.(string); ok {
				typ = "text"
			}
			if !slices.ContainsFunc(list, func(f layouts.Field) bool { return f.Key == key }) {
				list = append(list, layouts.Field{Key: key, Type: typ})
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return list
}

// TestSchemasAreOnThePage: each schema that the sources name has its section.
func TestSchemasAreOnThePage(t *testing.T) {
	page, err := os.ReadFile("../../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	name := regexp.MustCompile(`"(vcsim\.[a-z0-9.]+/[0-9]+)"`)
	for _, pattern := range []string{"*.go", "../../internal/*/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") || strings.Contains(file, "/config/") { // which reads YAML
				continue
			}
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range name.FindAllStringSubmatch(string(b), -1) {
				if found++; !strings.Contains(string(page), "\n## "+m[1]+"\n") {
					t.Errorf("%s: docs/json.md does not have %s: print one in jsonLines, and make layouts", file, m[1])
				}
			}
		}
	}
	if found < 12 {
		t.Errorf("the sources name %d schemas", found)
	}
}
