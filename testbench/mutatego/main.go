// Mutatego changes Go packages in every place that its operators know and asks
// whether the tests of the package itself notice.
//
//	go run ./testbench/mutatego [-sample N] [-seed S] [-jobs N] [-least P] [-slowest D] [-v] [package folder ...]
//
// It prints every mutant that survives and that survivors.txt does not name with
// a reason. It exits 1 if they are more than a share of all, or if one that
// the list names does not survive.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// packages are those that the whole run covers.
var packages = []string{"t264/block", "t265/block", "internal/cabac", "internal/tensor", "internal/tensorcodec", "internal/lmc", "sim", "cluster/collective", "cluster", "area", "internal/liberty"}

// listFile names the survivors with their reasons.
const listFile = "testbench/mutatego/survivors.txt"

var (
	sample  = flag.Int("sample", 0, "try `N` mutants of all packages, chosen at random; 0 is all")
	seed    = flag.Uint64("seed", 1, "of the choice")
	jobs    = flag.Int("jobs", runtime.GOMAXPROCS(0), "test binaries at a time")
	verbose = flag.Bool("v", false, "print every mutant")
	least   = flag.Float64("least", 95, "`per cent` of the mutants of each package that tests must notice, those with a reason apart")
	slowest = flag.Duration("slowest", 5*time.Second, "processor `time` above which a test is not asked")
	only    = flag.String("only", "", "try the mutants whose key contains this `text`")
)

func readFile(name string) ([]byte, error) { return os.ReadFile(name) }

func main() {
	flag.Parse()
	dirs := flag.Args()
	if len(dirs) == 0 {
		dirs = packages
	}
	ok, err := run(dirs)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutatego:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// A verdict is what became of a mutant.
type verdict int

const (
	killed verdict = iota
	survived
)

func run(dirs []string) (bool, error) {
	reasons, err := readReasons(listFile)
	if err != nil {
		return false, err
	}
	work, err := os.MkdirTemp("", "mutatego")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(work)
	var targets []*target
	for _, dir := range dirs {
		t, err := load(filepath.Clean(dir))
		if err != nil {
			return false, fmt.Errorf("%s: %w", dir, err)
		}
		targets = append(targets, t)
	}
	pass := true
	for _, t := range targets {
		good, err := t.try(work, reasons)
		if err != nil {
			return false, fmt.Errorf("%s: %w", t.dir, err)
		}
		pass = pass && good
	}
	return pass, nil
}

// readReasons reads lines of a package, a key and a reason, parted by tabs.
func readReasons(name string) (map[string]string, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	reasons := map[string]string{}
	for i, line := range strings.Split(string(text), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 3 || f[2] == "" {
			return nil, fmt.Errorf("%s:%d: want package, mutant and reason, parted by tabs", name, i+1)
		}
		reasons[f[0]+"\t"+f[1]] = f[2]
	}
	return reasons, nil
}

// pattern reports whether an entry with dots in the place of some text names a
// mutant: one for all of a function that changes speed alone. Whether tests
// notice these is left open.
func pattern(reasons map[string]string, key string) bool {
next:
	for entry := range reasons {
		parts := strings.Split(entry, "...")
		if len(parts) == 1 {
			continue
		}
		rest, ok := strings.CutPrefix(key, parts[0])
		if !ok {
			continue
		}
		last := parts[len(parts)-1]
		if rest, ok = strings.CutSuffix(rest, last); !ok {
			continue
		}
		for _, p := range parts[1 : len(parts)-1] {
			if _, rest, ok = strings.Cut(rest, p); !ok {
				continue next
			}
		}
		return true
	}
	return false
}

// goList is what go list says of a package.
type goList struct {
	Dir, ImportPath, Export string
	GoFiles                 []string
}

// load finds the mutants of the package in a folder.
func load(dir string) (*target, error) {
	out, err := exec.Command("go", "list", "-e", "-export", "-deps", "-json=Dir,ImportPath,Export,GoFiles", "os", "strconv", "./"+dir).Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	exports := map[string]string{}
	var p goList
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var q goList
		if err := d.Decode(&q); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		exports[q.ImportPath] = q.Export
		if strings.HasSuffix(q.ImportPath, "/"+filepath.ToSlash(dir)) {
			p = q
		}
	}
	t := &target{dir: dir, path: p.ImportPath}
	t.lookup = func(fset *token.FileSet) types.Importer {
		return importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
			if exports[path] == "" {
				return nil, fmt.Errorf("no export data of %s", path)
			}
			return os.Open(exports[path])
		})
	}
	var files []string
	for _, f := range p.GoFiles {
		files = append(files, filepath.Join(p.Dir, f))
	}
	return t, t.find(files)
}

// buildSize is how many mutants one build holds, so that the compiler takes
// seconds, not minutes.
const buildSize = 300

// try runs the tests of a package with its mutants and reports.
func (t *target) try(work string, reasons map[string]string) (bool, error) {
	all := t.mutants()
	list := slices.Clone(all)
	if *only != "" {
		list = slices.DeleteFunc(list, func(m *mutant) bool { return !strings.Contains(m.key(), *only) })
	}
	if *sample > 0 && *sample < len(list) {
		rng := rand.New(rand.NewPCG(*seed, 0))
		rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		list = list[:*sample]
	}
	start := childTime()
	dir, err := os.MkdirTemp(work, "")
	if err != nil {
		return false, err
	}
	tried, verdicts, err := t.tryParts(list, dir)
	if err != nil {
		return false, err
	}
	return t.report(tried, verdicts, len(all), reasons, childTime()-start), nil
}

// childTime is the processor time of all programs that have been run.
func childTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// tryParts tries mutants, build by build in dir, and returns those that compile
// and what became of them.
func (t *target) tryParts(list []*mutant, dir string) (tried []*mutant, verdicts []verdict, err error) {
	tests, err := t.measure(dir)
	if err != nil {
		return nil, nil, err
	}
	all := t.mutants()
	for part := range slices.Chunk(list, buildSize) {
		dropped := map[int]bool{}
		for _, m := range all {
			dropped[m.id] = true
		}
		for _, m := range part {
			delete(dropped, m.id)
		}
		if err := t.check(dropped); err != nil {
			return nil, nil, err
		}
		part = slices.DeleteFunc(part, func(m *mutant) bool { return dropped[m.id] })
		b, err := t.build(dir, dropped)
		if err != nil {
			return nil, nil, err
		}
		b.tests = tests
		tried = append(tried, part...)
		verdicts = append(verdicts, b.tryAll(t, part)...)
	}
	return tried, verdicts, nil
}

// tryAll tries the mutants of a build, several at a time.
func (b *binary) tryAll(t *target, list []*mutant) []verdict {
	verdicts := make([]verdict, len(list))
	var wg sync.WaitGroup
	next := make(chan int)
	var mu sync.Mutex
	for range *jobs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range next {
				verdicts[i] = b.try(list[i])
				if *verbose {
					mu.Lock()
					fmt.Printf("%s\t%s:%d\t%s\n", [...]string{"noticed", "survived"}[verdicts[i]], t.dir, list[i].line, list[i].key())
					mu.Unlock()
				}
			}
		}()
	}
	for i := range list {
		next <- i
	}
	close(next)
	wg.Wait()
	return verdicts
}

// report prints the survivors and the counts, and says whether the package
// passes.
func (t *target) report(list []*mutant, verdicts []verdict, total int, reasons map[string]string, took time.Duration) bool {
	good := true
	var counts [2]int
	excused, unexcused := 0, 0
	for i, m := range list {
		v := verdicts[i]
		counts[v]++
		_, listed := reasons[t.dir+"\t"+m.key()]
		switch {
		case v != killed && !listed && pattern(reasons, t.dir+"\t"+m.key()):
			excused++
		case v == killed && listed:
			fmt.Printf("%s/%s:%d: listed as a survivor, but the tests notice: %s\n", t.dir, m.file, m.line, m.key())
			good = false
		case v != killed && listed:
			excused++
		case v != killed:
			fmt.Printf("%s/%s:%d: survived: %s\n", t.dir, m.file, m.line, m.key())
			unexcused++
		}
	}
	fmt.Printf("%s: %d of %d mutants tried, %d noticed, %d not, %d of them with a reason; %d s of processor time\n", t.dir, len(list), total, counts[killed], counts[survived], excused, int(took.Seconds()))
	if share := 100 * float64(unexcused) / float64(max(len(list), 1)); share > 100-*least {
		fmt.Printf("%s: the tests miss %.1f %% of the mutants without a reason, more than %.1f %%\n", t.dir, share, 100-*least)
		good = false
	}
	return good
}

// check adds to the dropped mutants those that do not compile.
func (t *target) check(dropped map[int]bool) error {
	for {
		fset := token.NewFileSet()
		owners := map[string][]int{} // by file: the mutant of each line, 0 for none
		failed := map[int]bool{}
		var stray error
		note := func(p token.Position, err error) {
			if o := owners[p.Filename]; p.Line > 0 && p.Line <= len(o) && o[p.Line-1] != 0 {
				failed[o[p.Line-1]] = true
			} else if stray == nil {
				stray = err
			}
		}
		files, err := parse(fset, "chooser.go", []byte(fmt.Sprintf(chooser, t.name)), nil)
		if err != nil {
			return err
		}
		for _, s := range t.sources {
			text := s.instrument(dropped)
			owners[s.base] = lineOwners(text)
			files, err = parse(fset, s.base, text, files)
			var list scanner.ErrorList
			if errors.As(err, &list) {
				for _, e := range list {
					note(e.Pos, e)
				}
			} else if err != nil {
				return err
			}
		}
		if len(failed) == 0 {
			conf := types.Config{Importer: t.lookup(fset), Error: func(err error) {
				var te types.Error
				if errors.As(err, &te) {
					note(te.Fset.Position(te.Pos), err)
				}
			}}
			conf.Check(t.path, fset, files, nil)
		}
		if len(failed) == 0 {
			return stray
		}
		for id := range failed {
			dropped[id] = true
		}
	}
}

// lineOwners returns the mutant that each line of an instrumented file belongs to.
func lineOwners(text []byte) []int {
	var owners []int
	id := 0
	for line := range strings.Lines(string(text)) {
		if n, ok := strings.CutPrefix(line, "//mutant "); ok {
			id, _ = strconv.Atoi(strings.TrimSpace(n))
		} else if id != 0 && (strings.HasPrefix(line, "func ") && !strings.Contains(line, "_mutant")) {
			id = 0
		}
		owners = append(owners, id)
	}
	return owners
}

func parse(fset *token.FileSet, name string, text []byte, files []*ast.File) ([]*ast.File, error) {
	f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
	if f != nil {
		files = append(files, f)
	}
	return files, err
}
