package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

type testLink struct {
	Name string        `yaml:"name"`
	Rate BitsPerSecond `yaml:"rate"`
}

type testCommon struct {
	Note string `yaml:"note"`
}

type testFile struct {
	Common testCommon     `yaml:",inline"`
	Layers int            `yaml:"layers"`
	Small  uint8          `yaml:"small"`
	Scale  float64        `yaml:"scale"`
	Die    *float64       `yaml:"die_mm2"`
	Gated  bool           `yaml:"gated"`
	Links  []testLink     `yaml:"links"`
	ByName map[string]int `yaml:"by_name"`
	Wait   time.Duration  `yaml:"wait"`
	Tokens Tokens         `yaml:"tokens"`
	Any    any            `yaml:"any"`
	Rest   Node           `yaml:"rest"`
}

func TestDecode(t *testing.T) {
	const text = `
note: inline
layers: 32
scale: 2
die_mm2: null
gated: true
links:
  - {name: a, rate: 10Gbps}
  - name: b
    rate: "1 GB/s"
by_name: {x: 1, y: 2}
wait: 3ms
tokens: 128k
any: [1, {a: b}, null]
rest: {anything: [goes]}
`
	f := testFile{Small: 7}
	if err := Decode("f.yaml", []byte(text), &f); err != nil {
		t.Fatal(err)
	}
	if f.Common.Note != "inline" || f.Layers != 32 || f.Scale != 2 || f.Die != nil || !f.Gated || f.Small != 7 {
		t.Errorf("scalars: got %+v", f)
	}
	if len(f.Links) != 2 || f.Links[0] != (testLink{"a", 10e9}) || f.Links[1] != (testLink{"b", 8e9}) {
		t.Errorf("links: got %+v", f.Links)
	}
	if f.ByName["y"] != 2 || f.Wait != 3*time.Millisecond || f.Tokens != 128<<10 {
		t.Errorf("by_name, wait, tokens: got %v %v %v", f.ByName, f.Wait, f.Tokens)
	}
	var rest struct {
		Anything []string `yaml:"anything"`
	}
	if err := DecodeNode("f.yaml", &f.Rest, &rest); err != nil || len(rest.Anything) != 1 {
		t.Errorf("rest: got %v, %v", rest, err)
	}
	var strict struct{ Anythin []string }
	err := DecodeNode("f.yaml", &f.Rest, &strict)
	if want := "f.yaml:15: unknown key anything; did you mean anythin?"; err == nil || err.Error() != want {
		t.Errorf("rest: got %v, want %s", err, want)
	}
}

// TestDecodeErrors: every fault is one line with its place.
func TestDecodeErrors(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", "f:1: the file is empty"},
		{"# only a comment\n", "f:1: the file is empty"},
		{"null\n", "f:1: want keys and values, got nothing"},
		{"[1]\n", "f:1: want keys and values, got a list"},
		{"layers: 1\n---\nlayers: 2\n", "f:2: a second document; one is allowed"},
		{"layers: 1\nlayrs: 2\n", "f:2: unknown key layrs; did you mean layers?"},
		{"zzz: 2\n", "f:1: unknown key zzz"},
		{"\"z\\nz\": 2\n", "f:1: unknown key z\ufffdz"},
		{"layers: 1\n\nlayers: 2\n", "f:3: duplicate key layers, first on line 1"},
		{"layers: many\n", `f:1: layers: want a whole number of at most 64 bits, got "many"`},
		{"layers: 1.5\n", `f:1: layers: want a whole number of at most 64 bits, got "1.5"`},
		{"layers: null\n", "f:1: layers: want a whole number of at most 64 bits, got nothing"},
		{"layers:\n", "f:1: layers: want a whole number of at most 64 bits, got nothing"},
		{"layers: [1]\n", "f:1: layers: want a whole number of at most 64 bits, got a list"},
		{"small: 256\n", `f:1: small: want a whole number from 0 of at most 8 bits, got "256"`},
		{"small: -1\n", `f:1: small: want a whole number from 0 of at most 8 bits, got "-1"`},
		{"scale: .nan\n", "f:1: scale: .nan is not a finite number"},
		{"scale: -.inf\n", "f:1: scale: -.inf is not a finite number"},
		{"any: [0, .inf]\n", "f:1: any[1]: .inf is not a finite number"},
		{"any: {a: 1, a: 2}\n", "f:1: any: duplicate key a, first on line 1"},
		{"gated: 1\n", `f:1: gated: want true or false, got "1"`},
		{"links:\n  - {name: a}\n  - {nam: b}\n", "f:3: links[1]: unknown key nam; did you mean name?"},
		{"links: {name: a}\n", "f:1: links: want a list, got keys and values"},
		{"links:\n- rate: 10\n", "f:2: links[0].rate: bandwidth 10 needs a suffix: bps, kbps, Mbps, Gbps, Tbps, B/s, kB/s, MB/s, GB/s, TB/s"},
		{"by_name: {x: y}\n", `f:1: by_name.x: want a whole number of at most 64 bits, got "y"`},
		{"note: &a x\n", "f:1: note: anchors and aliases are not supported"},
		{"layers: 1\n  gated: true\n", "f:2: mapping values are not allowed in this context"},
		{"layers: \x01\n", "f:1: control characters are not allowed"},
	}
	for _, tt := range tests {
		var f testFile
		err := Decode("f", []byte(tt.text), &f)
		var ce *Error
		if !errors.As(err, &ce) {
			t.Errorf("%q: got %v (%T), want an *Error", tt.text, err, err)
		} else if err.Error() != tt.want {
			t.Errorf("%q:\n got %s\nwant %s", tt.text, err, tt.want)
		}
	}
}

func TestLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.yaml")
	var f testFile
	if err, want := Load(path, &f), path+": no such file or directory"; err == nil || err.Error() != want {
		t.Errorf("missing file: got %v, want %s", err, want)
	}
	if err := os.WriteFile(path, []byte("layers: 3\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Load(path, &f); err != nil || f.Layers != 3 {
		t.Errorf("got %v, layers %d, want 3", err, f.Layers)
	}
}

func TestNearest(t *testing.T) {
	known := []string{"llama2-7b", "llama2-13b", "heads", "kv_heads", "tp", "pp"}
	tests := []struct{ word, want string }{
		{"llama2-7", "llama2-7b"}, {"lama2-13b", "llama2-13b"}, {"haeds", "heads"}, {"Heads", "heads"},
		{"llama", "llama2-7b"}, {"tpp", "tp"}, {"dp", "tp"}, {"completely", ""}, {"", ""},
	}
	for _, tt := range tests {
		if got := Nearest(tt.word, known); got != tt.want {
			t.Errorf("Nearest(%q): got %q, want %q", tt.word, got, tt.want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{"", "layers: 1", "links:\n- {rate: 10Gbps}", "a: &a [*a]", "? [x]\n: y", "{[]: 0}", "<<: {layers: 1}", "---\n...\n", "any: !!binary x", "{lh0\r\r\rß%}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var v testFile
		err := Decode("f", []byte(s), &v)
		if err != nil && (strings.Contains(err.Error(), "\n") || !errors.As(err, new(*Error))) {
			t.Errorf("got %q (%T), want one line of type *Error", err, err)
		}
	})
}
