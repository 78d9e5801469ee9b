package testbench

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A variant is a way to build a bench.
type variant int

const (
	fast         variant = iota // -O3, nothing else
	timed                       // and -O2 of the compiler, for benchmarks
	traced                      // with waveforms
	lineCoverage                // line coverage, -O0: optimised away points are lost
	coverage                    // toggle coverage as well
	mutated                     // with a choice of mutants
)

// Root is the folder of go.mod.
func Root() string {
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	panic("testbench: not inside the module")
}

// Required reports whether a missing tool is a failure.
func Required() bool {
	return Full() || os.Getenv("VCSIM_REQUIRE_TOOLS") == "1"
}

// Full reports whether all parameter sets and cycles are asked for.
func Full() bool { return os.Getenv("VCSIM_COSIM") == "require" || All() }

// All reports whether everything is asked for: all planes of the data folder
// and long runs, beyond what Full asks.
func All() bool { return os.Getenv("VCSIM_COSIM_FULL") == "1" }

// NeedTools skips the test when one of the programs is missing, or fails it
// where they are required.
func NeedTools(t testing.TB, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil {
			if Required() {
				t.Fatalf("%s is required and missing", name)
			}
			t.Skipf("no %s on this system", name)
		}
	}
}

// A build names what goes into one executable.
type build struct {
	top     string   // module
	sources []string // Verilog files, the top first; modules in Folders of the top are found by name
	binding string   // C++ file
	params  Params
	variant variant
}

var (
	buildMutex   sync.Mutex // one compiler at a time
	runtimeReady = map[variant]string{}
)

// make builds the executable, unless one of the same inputs is there already,
// and returns its path.
func (b build) make() (string, error) {
	buildMutex.Lock()
	defer buildMutex.Unlock()
	root := Root()
	if err := b.params.Check(b.sources[0]); err != nil {
		return "", err
	}
	key, err := b.hash(root)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(root, "out", "verilator", fmt.Sprintf("%s-%.16x", b.top, key))
	exe := filepath.Join(dir, "bench")
	if _, err := os.Stat(exe); err == nil {
		return exe, nil
	}
	return exe, locked(dir, func() error {
		if _, err := os.Stat(exe); err == nil {
			return nil // by another process
		}
		return b.compile(root, dir, exe)
	})
}

// Folders lists the folders, from the root, in which a module finds those that it instantiates and the headers that it includes:
// rtl/common and, for a module of a codec, the one of its codec.
func Folders(module string) []string {
	list := []string{"rtl/common", "rtl/common/gen"}
	if codec, _, _ := strings.Cut(module, "_"); codec != "vc" {
		list = append(list, "rtl/"+codec, "rtl/"+codec+"/gen")
	}
	return list
}

// compile makes exe in dir.
func (b build) compile(root, dir, exe string) error {
	runtime, err := runtimeObjects(root, b.variant)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	args := []string{"--cc", "--Mdir", dir, "--default-language", "1364-2005", "--x-initial", "unique", "--x-assign", "unique",
		"--unroll-count", "1024", "--top-module", b.top, "--prefix", "V" + b.top}
	for _, folder := range Folders(b.top) {
		args = append(args, "-y", filepath.Join(root, folder), "-I"+filepath.Join(root, folder))
	}
	for _, p := range b.params {
		args = append(args, fmt.Sprintf("-G%s=%d", p.Name, p.Value))
	}
	switch b.variant {
	case fast, timed:
		args = append(args, "-O3")
	case traced:
		args = append(args, "-O3", "--trace", "--trace-underscore")
	case lineCoverage:
		args = append(args, "-O0", "--coverage-line")
	case coverage:
		args = append(args, "-O0", "--coverage-line", "--coverage-toggle")
	case mutated:
		args = append(args, "-O3", "-Wno-lint", "-Wno-style", "-Wno-fatal")
	}
	if err := run(root, "verilator", append(args, b.sources...)...); err != nil {
		return err
	}
	models, err := filepath.Glob(filepath.Join(dir, "V*.cpp"))
	if err != nil {
		return err
	}
	var unity strings.Builder
	for _, m := range models {
		fmt.Fprintf(&unity, "#include %q\n", filepath.Base(m))
	}
	fmt.Fprintf(&unity, "#include %q\n", b.binding)
	if err := os.WriteFile(filepath.Join(dir, "unity.cpp"), []byte(unity.String()), 0o666); err != nil {
		return err
	}
	header, err := precompiled(root, b.variant)
	if err != nil {
		return err
	}
	flags := append(cxxFlags(b.variant), "-include", header, "-I"+dir, "-I"+filepath.Dir(header), filepath.Join(dir, "unity.cpp"), runtime, "-lpthread", "-o", exe+".new")
	if err := run(root, "g++", flags...); err != nil {
		return err
	}
	return os.Rename(exe+".new", exe)
}

// hash covers everything that the executable depends on, beside the tools.
func (b build) hash(root string) ([]byte, error) {
	h := sha256.New()
	fmt.Fprintln(h, b.top, b.params, b.variant)
	files := append([]string{b.binding, filepath.Join(root, "testbench/harness.hpp"), filepath.Join(root, "testbench/build.go")}, b.sources...)
	for _, folder := range Folders(b.top) {
		more, err := filepath.Glob(filepath.Join(root, folder, "*.v*"))
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		fmt.Fprintln(h, filepath.Base(name), len(data))
		h.Write(data)
	}
	return h.Sum(nil), nil
}

func cxxFlags(v variant) []string {
	f := []string{"-std=gnu++17", "-w", "-DVM_SC=0", "-DVM_TRACE_FST=0"}
	level, trace, cov := "-O1", "0", "0" // -O2 compiles more than twice as long, and a bench takes as long to run
	switch v {
	case timed:
		level = "-O2"
	case traced:
		trace = "1"
	case lineCoverage, coverage:
		level, cov = "-O0", "1"
	}
	if v == mutated {
		f = append(f, "-DVC_MUTANTS")
	}
	f = append(f, level, "-DVM_TRACE="+trace, "-DVM_TRACE_VCD="+trace, "-DVM_COVERAGE="+cov)
	include := verilatorRoot() + "/include"
	return append(f, "-I"+include, "-I"+include+"/vltstd")
}

// precompiled compiles harness.hpp once for each kind of bench, which halves the
// time of the others, and returns the header to include first.
func precompiled(root string, v variant) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, "testbench/harness.hpp"))
	if err != nil {
		return "", err
	}
	version, err := exec.Command("g++", "--version").Output()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(root, "out", "verilator", fmt.Sprintf("header-%d-%.8x", v, sha256.Sum256(slices.Concat(text, version, []byte(verilatorRoot())))))
	header := filepath.Join(dir, "harness.hpp")
	if _, err := os.Stat(header + ".gch"); err == nil {
		return header, nil
	}
	return header, locked(dir, func() error {
		if _, err := os.Stat(header + ".gch"); err == nil {
			return nil // by another process
		}
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(header, text, 0o666); err != nil {
			return err
		}
		if err := run(root, "g++", append(cxxFlags(v), "-x", "c++-header", header, "-o", header+".new")...); err != nil {
			return err
		}
		return os.Rename(header+".new", header+".gch")
	})
}

var verilatorRoot = sync.OnceValue(func() string {
	out, err := exec.Command("verilator", "--getenv", "VERILATOR_ROOT").Output()
	if root := strings.TrimSpace(string(out)); err == nil && root != "" {
		return root
	}
	return "/usr/share/verilator"
})

// runtimeObjects builds Verilator's own library, once for each kind of bench.
func runtimeObjects(root string, v variant) (string, error) {
	if v == mutated {
		v = fast
	}
	if lib := runtimeReady[v]; lib != "" {
		return lib, nil
	}
	version, err := exec.Command("verilator", "--version").Output()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(root, "out", "verilator", fmt.Sprintf("runtime-%d-%.8x", v, sha256.Sum256(version)))
	lib := filepath.Join(dir, "libverilated.a")
	if err := locked(dir, func() error {
		if _, err := os.Stat(lib); err == nil {
			return nil
		}
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
		sources := []string{"verilated.cpp", "verilated_threads.cpp"}
		switch v {
		case traced:
			sources = append(sources, "verilated_vcd_c.cpp")
		case lineCoverage, coverage:
			sources = append(sources, "verilated_cov.cpp")
		}
		var objects []string
		for _, s := range sources {
			o := filepath.Join(dir, strings.TrimSuffix(s, ".cpp")+".o")
			flags := slices.Concat(cxxFlags(v), []string{"-c", filepath.Join(verilatorRoot(), "include", s), "-o", o})
			if err := run(root, "g++", flags...); err != nil {
				return err
			}
			objects = append(objects, o)
		}
		if err := run(root, "ar", append([]string{"rcs", lib + ".new"}, objects...)...); err != nil {
			return err
		}
		return os.Rename(lib+".new", lib)
	}); err != nil {
		return "", err
	}
	runtimeReady[v] = lib
	return lib, nil
}

func run(dir, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return fmt.Errorf("%s: %w\n%s", name, err, out)
	}
	return err
}
