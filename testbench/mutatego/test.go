package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A binary is a test binary of a package with some of its mutants in it.
type binary struct {
	path  string
	dir   string // where its tests run
	tests []*test
}

// A test is one of the package, with what it takes and reaches.
type test struct {
	name   string
	took   time.Duration
	blocks map[string][]span // by base name of the file
}

// A span is a block of statements that a test reaches.
type span struct{ fromLine, fromCol, toLine, toCol int }

// Tests are asked in stages, so that most mutants cost no more than the quick tests: first those below quickTest, then
// those up to slowTest, each stage by one run, then every other by a run of its own.
const (
	quickTest = 100 * time.Millisecond
	slowTest  = time.Second
)

// build makes the test binary, in a folder, with all mutants but the dropped.
func (t *target) build(dir string, dropped map[int]bool) (*binary, error) {
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	put := func(to string, text []byte) error {
		from := filepath.Join(dir, filepath.Base(to))
		overlay.Replace[to] = from
		return os.WriteFile(from, text, 0o644)
	}
	root := filepath.Dir(t.sources[0].path)
	if err := put(filepath.Join(root, "mutant_chooser.go"), []byte(fmt.Sprintf(chooser, t.name))); err != nil {
		return nil, err
	}
	for _, s := range t.sources {
		if err := put(s.path, s.instrument(dropped)); err != nil {
			return nil, err
		}
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		return nil, err
	}
	b := &binary{path: filepath.Join(dir, "mutants.test"), dir: root}
	if out, err := exec.Command("go", "test", "-c", "-vet=off", "-overlay", file, "-o", b.path, "./"+t.dir).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("the mutants do not compile: %w\n%s", err, out)
	}
	return b, nil
}

// measure runs every test of the package alone, in a build in dir that notes what
// it reaches. A test that skips is left out, and so is one that takes longer than
// the slowest that is asked: what only that notices counts as a survivor.
func (t *target) measure(dir string) ([]*test, error) {
	cover := filepath.Join(dir, "cover.test")
	if out, err := exec.Command("go", "test", "-c", "-vet=off", "-cover", "-o", cover, "./"+t.dir).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("the tests do not compile: %w\n%s", err, out)
	}
	out, err := exec.Command(cover, "-test.list", "^(Test|Fuzz|Example)").Output()
	if err != nil {
		return nil, err
	}
	var tests []*test
	profile := cover + ".profile"
	for _, name := range strings.Fields(string(out)) {
		cmd := limited(context.Background(), *slowest, cover, "-test.run", "^"+name+"$", "-test.v", "-test.coverprofile", profile)
		cmd.Dir = filepath.Dir(t.sources[0].path)
		if out, err := cmd.CombinedOutput(); err != nil {
			if s, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && s.Signaled() {
				continue
			}
			return nil, fmt.Errorf("%s fails without mutants: %w\n%s", name, err, out)
		} else if !bytes.Contains(out, []byte("--- PASS: "+name)) {
			continue
		}
		x := &test{name: name, took: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
		if x.blocks, err = reached(profile); err != nil {
			return nil, err
		}
		tests = append(tests, x)
	}
	slices.SortStableFunc(tests, func(x, y *test) int { return int(x.took - y.took) })
	return tests, nil
}

var profileLine = regexp.MustCompile(`^(.*):(\d+)\.(\d+),(\d+)\.(\d+) \d+ (\d+)$`)

// reached reads a coverage profile.
func reached(name string) (map[string][]span, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	blocks := map[string][]span{}
	for _, line := range strings.Split(string(text), "\n") {
		f := profileLine.FindStringSubmatch(line)
		if f == nil || f[6] == "0" {
			continue
		}
		var n [4]int
		for i := range n {
			n[i], _ = strconv.Atoi(f[2+i])
		}
		base := filepath.Base(f[1])
		blocks[base] = append(blocks[base], span{n[0], n[1], n[2], n[3]})
	}
	return blocks, nil
}

// reaches reports whether a test reaches a mutant.
func (x *test) reaches(m *mutant) bool {
	for _, s := range x.blocks[m.file] {
		if (m.line > s.fromLine || m.line == s.fromLine && m.col >= s.fromCol) && (m.line < s.toLine || m.line == s.toLine && m.col <= s.toCol) {
			return true
		}
	}
	return false
}

// enters reports whether a test reaches the function that a mutant is in.
func (x *test) enters(m *mutant) bool {
	for _, s := range x.blocks[m.file] {
		if s.fromLine >= m.fromLine && s.toLine <= m.toLine {
			return true
		}
	}
	return false
}

// testsOf returns the tests that may notice a mutant. The heads of cases lie
// outside of all blocks: the function then decides. What the initialisation of
// the package reaches counts for no test: then all may.
func (b *binary) testsOf(m *mutant) []*test {
	if !m.always {
		for _, reaches := range []func(*test, *mutant) bool{(*test).reaches, (*test).enters} {
			var list []*test
			for _, x := range b.tests {
				if reaches(x, m) {
					list = append(list, x)
				}
			}
			if len(list) > 0 {
				return list
			}
		}
	}
	return b.tests
}

// try runs the tests that may notice a mutant, the quick ones first and the slow ones alone.
func (b *binary) try(m *mutant) verdict {
	for _, stage := range stages(b.testsOf(m)) {
		if b.fails(m, stage) {
			return killed
		}
	}
	return survived
}

// stages parts tests, quickest first, into those that one run asks.
func stages(tests []*test) (list [][]*test) {
	var quick, some []*test
	for _, x := range tests {
		switch {
		case x.took < quickTest:
			quick = append(quick, x)
		case x.took < slowTest:
			some = append(some, x)
		default:
			list = append(list, []*test{x})
		}
	}
	if len(some) > 0 {
		list = slices.Insert(list, 0, some)
	}
	if len(quick) > 0 {
		list = slices.Insert(list, 0, quick)
	}
	return list
}

// fails reports whether one of the tests fails with a mutant. Tests that take
// five times their processor time and two seconds more, or a lot of memory, fail too.
func (b *binary) fails(m *mutant, tests []*test) bool {
	var names []string
	limit := 2 * time.Second
	for _, x := range tests {
		names = append(names, x.name)
		limit += 5 * x.took
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*limit)
	defer cancel()
	cmd := limited(ctx, limit, b.path, "-test.failfast", "-test.run", "^("+strings.Join(names, "|")+")$")
	cmd.Dir = b.dir
	cmd.Env = append(os.Environ(), fmt.Sprintf("MUTANT_FN=%d", m.unit), fmt.Sprintf("MUTANT_ID=%d", m.id))
	return cmd.Run() != nil
}

// limited returns a command that gets so much processor time, to whole seconds,
// and 8 GB of memory.
func limited(ctx context.Context, limit time.Duration, name string, args ...string) *exec.Cmd {
	const limits = `ulimit -t "$0"; ulimit -v 8000000; exec "$@"`
	return exec.CommandContext(ctx, "sh", append([]string{"-c", limits, strconv.Itoa(int(limit.Seconds())), name}, args...)...)
}
