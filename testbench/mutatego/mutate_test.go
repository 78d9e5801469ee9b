package main

import (
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestSites: every operator finds its places, and only those.
func TestSites(t *testing.T) {
	list := sites(t, `package p

func f(a, b int, on bool) (s string) {
	if on && a < b {
		a += 3
	}
	switch a {
	case 7:
		b++
	}
	g(!on, a&b)
	return "x" + "y"
}

func g(on bool, a int) {}
`)
	want := []string{
		"on && a < b => on || a < b", "a < b => a <= b", "a < b => a >= b", "a += 3 => a -= 3", "3 => 4", "a += 3 => (removed)",
		"b++ => b--", "b++ => (removed)", "!on => (on)", "a&b => a|b", "g(!on, a&b) => (removed)",
	}
	got := map[string]bool{}
	for _, m := range list {
		k := m.key()
		got[k[strings.Index(k, ": ")+2:strings.LastIndex(k, " #")]] = true
	}
	for _, w := range want {
		if !got[w] {
			t.Errorf("no mutant %s", w)
		}
		delete(got, w)
	}
	for g := range got {
		t.Errorf("mutant %s", g)
	}
}

// sites returns the mutants of a file of a package without imports.
func sites(t *testing.T, text string) []*mutant {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.go")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	tg := target{path: "p", lookup: noImports}
	if err := tg.find([]string{file}); err != nil {
		t.Fatal(err)
	}
	return tg.mutants()
}

// noImports is an importer of packages that import nothing.
func noImports(*token.FileSet) types.Importer { return nil }

// TestPatterns: an entry with dots names all mutants of a function, or those with some text.
func TestPatterns(t *testing.T) {
	reasons := map[string]string{"p\ta.go take: ...": "x", "p\ta.go four: ...look(...) => (removed) ...": "x", "p\ta.go one: 1 => 2 #0": "x"}
	for key, want := range map[string]bool{
		"p\ta.go take: 1 => 2 #0": true, "p\ta.go takes: 1 => 2 #0": false, "q\ta.go take: 1 => 2 #0": false,
		"p\ta.go four: a = look(b) => (removed) #3": true, "p\ta.go four: a = luck(b) => (removed) #3": false, "p\ta.go four: a = look(b) => 0 #3": false,
		"p\ta.go one: 1 => 2 #1": false,
	} {
		if got := pattern(reasons, key); got != want {
			t.Errorf("%s: %v, want %v", key, got, want)
		}
	}
}

// TestStages: quick tests share a run, and so do those that take a little; each slow one has its own.
func TestStages(t *testing.T) {
	of := func(ms ...int) (tests []*test) {
		for _, n := range ms {
			tests = append(tests, &test{took: time.Duration(n) * time.Millisecond})
		}
		return tests
	}
	for _, c := range []struct {
		took []int
		want []int // tests of each stage
	}{
		{nil, nil}, {[]int{1, 2, 99}, []int{3}}, {[]int{100, 999}, []int{2}}, {[]int{1000, 1001}, []int{1, 1}}, {[]int{5, 6, 200, 5000, 6000}, []int{2, 1, 1, 1}},
	} {
		var got []int
		for _, s := range stages(of(c.took...)) {
			got = append(got, len(s))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v ms: stages of %v tests, want %v", c.took, got, c.want)
		}
	}
}

// TestVerdicts: of a package made for it, the tests notice some mutants and miss
// others, one does not compile, and one never ends.
func TestVerdicts(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module m\n\ngo 1.25.1\n",
		"p/p.go": `package p

var table = func() (t [4]int) {
	for i := range t {
		t[i] = 2 * i
	}
	return t
}()

type counter struct{ n int }

func (c *counter) to(_ int, limit int) {
	for c.n < limit {
		c.n++
	}
}

func small(n int) bool { return n < 10 }

func size() int { return len([3]int{}) }
`,
		"p/p_test.go": `package p

import "testing"

func TestCounter(t *testing.T) {
	var c counter
	if c.to(0, 5); c.n != 5 {
		t.Error(c.n)
	}
}

func TestSmall(t *testing.T) {
	if !small(3) || small(20) || size() != 3 || table[3] != 6 {
		t.Error("small")
	}
}
`,
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	tg, err := load("p")
	if err != nil {
		t.Fatal(err)
	}
	list, verdicts, err := tg.tryParts(tg.mutants(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]verdict{}
	for i, m := range list {
		got[m.key()] = verdicts[i]
	}
	for key, want := range map[string]verdict{
		"p.go (*counter).to: c.n < limit => c.n <= limit #0": killed,
		"p.go (*counter).to: c.n++ => c.n-- #0":              killed,
		"p.go (*counter).to: c.n++ => (removed) #0":          killed, // does not end
		"p.go small: n < 10 => n <= 10 #0":                   survived,
		"p.go small: n < 10 => n >= 10 #0":                   killed,
		"p.go small: 10 => 11 #0":                            survived,
		"p.go table: 2 => 3 #0":                              killed,
		"p.go table: 2 * i => 2 / i #0":                      killed, // at the start of the program
	} {
		if v, ok := got[key]; !ok || v != want {
			t.Errorf("%s: there %v, verdict %v, want %v", key, ok, v, want)
		}
	}
}
