// Package layering holds the test of which package may import which.
package layering

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// A floor says what one package may import beside the standard library: packages of this module by their path in it,
// others by the path of their module or of a folder in it.
type floor struct {
	pkg     string
	imports []string
	tests   []string // allowed in its tests, beside imports
}

const (
	commonlog = "github.com/tliron/commonlog"
	goPretty  = "github.com/jedib0t/go-pretty/v6"
	gonum     = "gonum.org/v1/gonum"
	compress  = "github.com/klauspost/compress"
	plot      = "gonum.org/v1/plot"
	xterm     = "golang.org/x/term"
	yaml      = "gopkg.in/yaml.v3"
)

// floors is the table of packages, lowest first: a package imports only packages above its row. A new package needs a
// row; a package may be named before it exists.
var floors = []floor{
	{pkg: "internal/bitio"},
	{pkg: "internal/atomicfile"},
	{pkg: "internal/names"},
	{pkg: "internal/raster"},
	{pkg: "internal/golden"},
	{pkg: "internal/cputime"},
	{pkg: "internal/peertest"},
	{pkg: "internal/codectest", imports: []string{"internal/golden", "internal/peertest"}},
	{pkg: "internal/romtest", imports: []string{"internal/golden"}},
	{pkg: "sim", tests: []string{"internal/golden"}},
	{pkg: "internal/tensor", imports: []string{gonum, commonlog}, tests: []string{"internal/golden"}},
	{pkg: "internal/cabac", imports: []string{"internal/bitio"}, tests: []string{"internal/romtest"}},
	{pkg: "internal/cabachw", imports: []string{"internal/cabac", "sim"}, tests: []string{"internal/bitio"}},
	{pkg: "internal/lmc", imports: []string{"internal/bitio", "internal/tensor", commonlog}, tests: []string{"internal/cputime", "internal/golden", "internal/peertest", compress}},
	{pkg: "internal/samples", imports: []string{"internal/atomicfile", "internal/tensor", "internal/lmc"}},
	{pkg: "t264/block", imports: []string{"internal/cabac"}, tests: []string{"internal/codectest"}},
	{pkg: "t264", imports: []string{"internal/bitio", "internal/names", "internal/raster", "internal/cabac", "t264/block", commonlog}, tests: []string{"internal/codectest", "internal/cputime", "internal/golden", "internal/peertest", "internal/romtest"}},
	{pkg: "t264/hw", imports: []string{"internal/bitio", "sim", "internal/cabac", "internal/cabachw", "t264/block", "t264"}, tests: []string{"internal/romtest"}},
	{pkg: "t264/hwenc", imports: []string{"internal/bitio", "sim", "internal/cabac", "internal/cabachw", "t264/block", "t264", "t264/hw"}, tests: []string{"internal/codectest", "internal/cputime", "internal/golden", "internal/peertest", "internal/romtest"}},
	{pkg: "t264/hwdec", imports: []string{"internal/bitio", "sim", "internal/cabac", "internal/cabachw", "t264/block", "t264", "t264/hw"}, tests: []string{"internal/codectest", "internal/cputime", "internal/golden", "internal/peertest", "internal/raster", "internal/romtest"}},
	{pkg: "t265/block", imports: []string{"internal/cabac"}, tests: []string{"internal/codectest"}},
	{pkg: "t265", imports: []string{"internal/bitio", "internal/names", "internal/raster", "internal/cabac", "t265/block", commonlog}, tests: []string{"internal/codectest", "internal/golden", "internal/peertest"}},
	{pkg: "t265/hw", imports: []string{"sim", "t265/block"}, tests: []string{"internal/romtest"}},
	{pkg: "t265/hwenc", imports: []string{"internal/bitio", "sim", "internal/cabac", "internal/cabachw", "t265/block", "t265", "t265/hw"}, tests: []string{"internal/codectest", "internal/cputime", "internal/romtest"}},
	{pkg: "t265/hwdec", imports: []string{"internal/bitio", "sim", "internal/cabac", "internal/cabachw", "t265/block", "t265", "t265/hw"}, tests: []string{"internal/codectest", "internal/cputime", "internal/golden", "internal/peertest", "internal/raster", "internal/romtest"}},
	{pkg: "internal/tensorcodec", imports: []string{"internal/raster", "internal/tensor", "t264", "t265", commonlog}, tests: []string{"internal/peertest"}},
	{pkg: "internal/baseline", imports: []string{"internal/tensor"}},
	{pkg: "internal/verilog"},
	{pkg: "energy", imports: []string{"internal/verilog", gonum}},
	{pkg: "internal/simrun", imports: []string{"sim", "t264", "t264/hwenc", "t264/hwdec", "t265", "t265/hwenc", "internal/tensorcodec"}},
	{pkg: "internal/rd", imports: []string{"internal/tensor", "internal/tensorcodec", "internal/baseline"}, tests: []string{"internal/peertest"}},
	{pkg: "internal/liberty"},
	{pkg: "internal/netlist", imports: []string{"internal/liberty"}},
	{pkg: "internal/liberty/facts", imports: []string{"internal/atomicfile", "internal/liberty"}},
	{pkg: "area", imports: []string{gonum}},
	{pkg: "area/synth", imports: []string{"internal/atomicfile", "internal/liberty", "internal/verilog", "area"}, tests: []string{"internal/peertest"}},
	{pkg: "internal/codecpoint", imports: []string{"area", "energy"}, tests: []string{"t265/hw", "t265/hwenc"}},
	{pkg: "internal/codecpoint/rates", imports: []string{"internal/atomicfile", "internal/simrun", "internal/tensorcodec"}},
	{pkg: "internal/config", imports: []string{yaml, commonlog}},
	{pkg: "internal/console", imports: []string{xterm, "github.com/spf13/cobra"}},
	{pkg: "internal/report", imports: []string{"internal/atomicfile", "internal/console", goPretty, plot, xterm, commonlog}, tests: []string{"internal/golden"}},
	{pkg: "internal/inspect", imports: []string{"t264", "t265", "internal/tensorcodec", "internal/report"}},
	{pkg: "cluster/collective"},
	{pkg: "cluster", imports: []string{"cluster/collective", gonum, commonlog}, tests: []string{"internal/config", "internal/cputime"}},
	{pkg: "internal/presets", imports: []string{"internal/baseline", "internal/codecpoint", "internal/config", "cluster/collective", "cluster"}},
	{pkg: "internal/jobtest", imports: []string{"internal/codecpoint", "internal/config", "cluster/collective", "cluster", "internal/presets"}},
	{pkg: "internal/explain", imports: []string{"internal/codecpoint", "internal/config", "cluster/collective", "cluster", "internal/presets"}, tests: []string{"internal/jobtest"}},
	{pkg: "internal/study", imports: []string{"cluster/collective", "cluster"}, tests: []string{"internal/codecpoint", "internal/jobtest", "internal/presets"}},
	{pkg: "internal/figures", imports: []string{"internal/tensor", "internal/lmc", "t264", "t265", "internal/tensorcodec", "cluster/collective", "cluster", "internal/codecpoint", "internal/config", "internal/presets", compress}, tests: []string{"internal/peertest"}},
	{pkg: "internal/drawing", imports: []string{plot}},
	{pkg: "internal/pictures", imports: []string{"internal/atomicfile", "internal/drawing", "sim", "t264", "t264/hwenc", "t264/hwdec"}},
	{pkg: "docs"},
	{pkg: "internal/testrun", tests: []string{"internal/peertest"}},
	{pkg: "internal/layouts"},
	{pkg: "internal/layering"},
	{pkg: "cmd/vcsim", imports: []string{ // no codec: what is worked out with one has a package of its own
		"sim", "internal/tensor", "internal/lmc", "internal/tensorcodec", "internal/baseline", "internal/rd", "internal/simrun",
		"internal/atomicfile", "internal/config", "internal/console", "internal/report", "internal/inspect", "internal/samples", "cluster/collective", "cluster", "internal/codecpoint", "internal/presets", "internal/explain", "internal/study", "internal/figures", "area", "energy",
		commonlog, commonlog + "/simple", "github.com/tliron/go-kutil/util", "github.com/tliron/go-kutil/terminal", "github.com/spf13/cobra", "github.com/spf13/pflag", "github.com/AlecAivazis/survey/v2", xterm,
		yaml,
	}, tests: []string{"internal/golden", "internal/layouts", "internal/peertest"}},
	{pkg: "testbench", tests: []string{"sim"}},
	{pkg: "testbench/mutate", imports: []string{"testbench"}},
	{pkg: "testbench/gates", imports: []string{"energy", "internal/liberty", "internal/netlist", "internal/verilog", "testbench"}},
	{pkg: "testbench/*", imports: []string{
		"testbench", "testbench/mutate", "testbench/gates", "internal/netlist",
		"internal/bitio", "sim", "internal/tensor", "internal/cabac", "internal/cabachw", "internal/lmc", "t264/block", "t264", "t264/hw", "t264/hwenc", "t264/hwdec", "t265/block", "t265", "t265/hw", "t265/hwenc", "t265/hwdec", "internal/tensorcodec", "area", "energy",
		"internal/config", "internal/report", "internal/cputime", "internal/peertest", "cluster/collective", "cluster", commonlog,
	}},
}

// below lists folders: those of their packages that have no row share the row named folder/*.
var below = []string{"testbench"}

type goPackage struct {
	ImportPath                         string
	GoFiles, Deps                      []string
	Imports, TestImports, XTestImports []string
}

func TestLayering(t *testing.T) {
	pkgs := listPackages(t)
	if len(pkgs) < 5 {
		t.Fatalf("go list found %d packages", len(pkgs))
	}
	for _, p := range pkgs {
		for _, fault := range faults(floors, p) {
			t.Error(fault)
		}
	}
}

// TestFloors: the table itself points upward only, and the two codecs stay apart.
func TestFloors(t *testing.T) {
	above := map[string]bool{}
	for _, f := range floors {
		if above[f.pkg] {
			t.Errorf("%s is there twice", f.pkg)
		}
		for _, imp := range f.imports {
			if local := !strings.Contains(strings.Split(imp, "/")[0], "."); local && !above[imp] {
				t.Errorf("%s may import %s, which is not above it", f.pkg, imp)
			}
			if (f.pkg == "t264" && imp == "t265") || (f.pkg == "t265" && imp == "t264") {
				t.Errorf("%s may import %s", f.pkg, imp)
			}
		}
		above[f.pkg] = true
	}
}

// maxFiles bounds the files of a package without those of its tests: beyond it a
// room needs a wall. About 20 is what to aim at.
const maxFiles = 30

// tooLarge lists the packages that have more files than maxFiles, until they are
// parted; nothing may be added.
var tooLarge []string

func TestRoomsAreSmall(t *testing.T) {
	for _, p := range listPackages(t) {
		name := strings.TrimPrefix(p.ImportPath, "vcsim/")
		if n := len(p.GoFiles); n > maxFiles && !slices.Contains(tooLarge, name) {
			t.Errorf("%s has %d files beside its tests, at most %d", name, n, maxFiles)
		}
	}
}

// TestNoClockBelow: no software codec has a path to the clock, nor to hardware.
func TestNoClockBelow(t *testing.T) {
	for _, p := range listPackages(t) {
		switch name := strings.TrimPrefix(p.ImportPath, "vcsim/"); name {
		case "t264", "t265", "internal/tn", "t264/block", "t265/block", "internal/tn/block", "internal/cabac", "internal/tensorcodec":
			for _, dep := range p.Deps {
				if dep == "vcsim/sim" || strings.HasPrefix(dep, "vcsim/") && isHardware(dep) {
					t.Errorf("%s depends on %s", name, dep)
				}
			}
		}
	}
}

// TestSidesApart: the hardware encoder of a codec and its decoder do not depend
// on each other, nor on hardware of another codec.
func TestSidesApart(t *testing.T) {
	seen := 0
	for _, p := range listPackages(t) {
		room := p.ImportPath[strings.LastIndex(p.ImportPath, "/")+1:]
		if room != "hw" && room != "hwenc" && room != "hwdec" {
			continue
		}
		seen++
		shared := strings.TrimSuffix(p.ImportPath, room) + "hw"
		for _, dep := range p.Deps {
			if isHardware(dep) && dep != shared && dep != "vcsim/internal/cabachw" {
				t.Errorf("%s depends on %s", p.ImportPath, dep)
			}
		}
	}
	if seen < 3 {
		t.Errorf("%d rooms of hardware", seen)
	}
}

// isHardware tells the rooms of clocked units.
func isHardware(path string) bool {
	switch path[strings.LastIndex(path, "/")+1:] {
	case "hw", "hwenc", "hwdec", "cabachw":
		return strings.HasPrefix(path, "vcsim/")
	}
	return false
}

// TestFaults: the check finds what it is there to find.
func TestFaults(t *testing.T) {
	tests := []struct {
		p    goPackage
		want string // part of the one fault; "" for none
	}{
		{goPackage{ImportPath: "vcsim/t265", Imports: []string{"fmt", "vcsim/t265/block", "vcsim/internal/cabac"}}, ""},
		{goPackage{ImportPath: "vcsim/t265", Imports: []string{"vcsim/sim"}}, "t265 imports vcsim/sim"},
		{goPackage{ImportPath: "vcsim/t264/hwenc", TestImports: []string{"vcsim/t264/hwdec"}}, "the test of t264/hwenc imports vcsim/t264/hwdec"},
		{goPackage{ImportPath: "vcsim/t265", Imports: []string{"vcsim/t264"}}, "t265 imports vcsim/t264"},
		{goPackage{ImportPath: "vcsim/t265", TestImports: []string{"vcsim/t264"}}, "the test of t265 imports vcsim/t264"},
		{goPackage{ImportPath: "vcsim/t265", Imports: []string{commonlog}}, ""},
		{goPackage{ImportPath: "vcsim/t265", Imports: []string{commonlog + "/simple"}}, "t265 imports " + commonlog + "/simple"},
		{goPackage{ImportPath: "vcsim/sim", Imports: []string{commonlog}}, "sim imports " + commonlog},
		{goPackage{ImportPath: "vcsim/sim", Imports: []string{"C"}}, "sim imports C"},
		{goPackage{ImportPath: "vcsim/cluster", XTestImports: []string{"vcsim/cluster", "vcsim/internal/config"}}, ""},
		{goPackage{ImportPath: "vcsim/cluster", Imports: []string{"vcsim/internal/config"}}, "cluster imports vcsim/internal/config"},
		{goPackage{ImportPath: "vcsim/cluster", Imports: []string{gonum + "/optimize"}}, ""},
		{goPackage{ImportPath: "vcsim/cluster", Imports: []string{gonum + "x/optimize"}}, "cluster imports"},
		{goPackage{ImportPath: "vcsim/testbench/t265", TestImports: []string{"vcsim/t265"}}, ""},
		{goPackage{ImportPath: "vcsim/testbench/t265", TestImports: []string{"vcsim/testbench"}}, ""},
		{goPackage{ImportPath: "vcsim/testbench", Imports: []string{"vcsim/testbench/t265"}}, "testbench imports vcsim/testbench/t265"},
		{goPackage{ImportPath: "vcsim/testbench/t265", TestImports: []string{"vcsim/testbench/mutate"}}, ""},
		{goPackage{ImportPath: "vcsim/testbench", TestImports: []string{"vcsim/testbench/mutate"}}, "the test of testbench imports vcsim/testbench/mutate"},
		{goPackage{ImportPath: "vcsim/testbench/mutate", Imports: []string{"vcsim/t265"}}, "testbench/mutate imports vcsim/t265"},
		{goPackage{ImportPath: "vcsim/testbench/t265", TestImports: []string{"vcsim/testbench/t264"}}, "the test of testbench/t265 imports vcsim/testbench/t264"},
		{goPackage{ImportPath: "vcsim/internal/new"}, "internal/new has no row"},
	}
	for i, tt := range tests {
		got := faults(floors, tt.p)
		if tt.want == "" && len(got) > 0 || tt.want != "" && (len(got) != 1 || !strings.Contains(got[0], tt.want)) {
			t.Errorf("%d: %s: got %q, want %q", i, tt.p.ImportPath, got, tt.want)
		}
	}
}

func listPackages(t *testing.T) []goPackage {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,GoFiles,Deps,Imports,TestImports,XTestImports", "./...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		var ee *exec.ExitError
		if errors.As(err, &ee) {
			t.Fatalf("go list: %s", ee.Stderr)
		}
		t.Fatal(err)
	}
	var pkgs []goPackage
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := d.Decode(&p); err == io.EOF {
			return pkgs
		} else if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
}

// faults lists the imports of p that its row does not allow.
func faults(floors []floor, p goPackage) []string {
	name := strings.TrimPrefix(p.ImportPath, "vcsim/")
	find := func(row string) int { return slices.IndexFunc(floors, func(f floor) bool { return f.pkg == row }) }
	i := find(name)
	for _, dir := range below {
		if i < 0 && strings.HasPrefix(name, dir+"/") {
			i = find(dir + "/*")
		}
	}
	if i < 0 {
		return []string{name + " has no row in the table of internal/layering"}
	}
	var list []string
	check := func(who string, imports, allowed []string) {
		for _, imp := range imports {
			if !allows(allowed, imp) && imp != p.ImportPath {
				list = append(list, who+" imports "+imp+", which its row in internal/layering does not allow")
			}
		}
	}
	check(name, p.Imports, floors[i].imports)
	inTests := slices.Concat(floors[i].imports, floors[i].tests)
	check("the test of "+name, slices.Concat(p.TestImports, p.XTestImports), inTests)
	return list
}

// allows reports whether import path imp is of the standard library or in the list. Of commonlog only the package
// itself is meant: its backends belong to main.
func allows(list []string, imp string) bool {
	if local, ok := strings.CutPrefix(imp, "vcsim/"); ok {
		return slices.Contains(list, local)
	}
	if imp != "C" && !strings.Contains(strings.Split(imp, "/")[0], ".") {
		return true
	}
	return slices.ContainsFunc(list, func(a string) bool {
		return imp == a || a != commonlog && strings.HasPrefix(imp, a+"/")
	})
}
