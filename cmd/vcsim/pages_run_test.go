package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// longLines are command lines of the pages that take long: VCSIM_PAGES=all (make pages) runs them too.
var longLines = []struct{ part, reason string }{
	{"--peers x265,x264,av1", "ten minutes of other encoders"},
	{"compare ../shared/planes/*.pgm --codec", "some minutes"},
	{"compare plane.pgm", "25 s of other encoders; TestCompare and TestComparePeers run it on small planes"},
	{"compare testbench/", "20 s; TestCompare runs it on small planes"},
	{"compare ../shared/tensors/", "a minute; TestFormats of internal/rd compares formats"},
	{"reproduce fig2b", "20 s; TestReproduceCodecFigures runs it at fewer errors"},
}

// templates are command lines with a word that stands for several: TestPageTables runs those of the table beside it.
var templates = []string{" OPTIONS"}

// shownLine is a command of the program on a page, whole enough to run: in a block, or between backquotes with an argument
// that names something, not one such as FILE.
var (
	blockLine  = regexp.MustCompile(`(?m)^    (?:bin/)?(vcsim [a-z].*)$`)
	inlineLine = regexp.MustCompile("`(?:bin/)?(vcsim (?:cluster --|reproduce |list |compare |sim -|encode |snapshot [a-z]+ -|completion )[^`\n]*)`")
	fragment   = regexp.MustCompile(`\.\.\.|\b(FILE|NAME|DIR|OUT|N|K)\b|^vcsim cluster --(workload infer|ckpt-steps .*)$`)
)

// pageLine is a command line of a page and the block of output that the page shows below it.
type pageLine struct{ page, line, shown string }

// pageLines are the command lines of README, CONTRIBUTING and docs, in their order.
func pageLines(t *testing.T) (lines []pageLine) {
	t.Helper()
	for _, pattern := range []string{"../../README.md", "../../CONTRIBUTING.md", "../../docs/*.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			expressions := []*regexp.Regexp{blockLine, inlineLine}
			if name := filepath.Base(file); name == "json.md" || name == "yaml.md" { // which name commands without what they need
				expressions = expressions[:1]
			}
			for _, re := range expressions {
				for _, m := range re.FindAllStringSubmatchIndex(string(b), -1) {
					line, _, _ := strings.Cut(string(b[m[2]:m[3]]), "#")
					line = strings.TrimSpace(line)
					if re == inlineLine && fragment.MatchString(line) {
						continue
					}
					lines = append(lines, pageLine{filepath.Base(file), line, outputBelow(string(b[m[1]:]))})
				}
			}
		}
	}
	return lines
}

// outputBelow is the block that begins in the next lines, if it is output: it is indented and its first line is no command.
func outputBelow(rest string) string {
	_, rest, _ = strings.Cut(rest, "\n")
	if strings.HasPrefix(rest, "    ") {
		return "" // the next command of the same block
	}
	paragraph, below, _ := strings.Cut(strings.TrimLeft(rest, "\n"), "\n\n")
	if strings.HasPrefix(paragraph, "    ") {
		below = paragraph + "\n\n" + below
	} else if !strings.HasSuffix(paragraph, ":") || strings.Contains(paragraph, "\n") {
		return ""
	}
	var block strings.Builder
	for _, line := range strings.SplitAfter(below, "\n") {
		text, indented := strings.CutPrefix(line, "    ")
		if !indented && strings.TrimSpace(line) != "" {
			break
		}
		block.WriteString(text)
	}
	if shown := strings.TrimSpace(block.String()); !regexp.MustCompile(`^(bin/)?vcsim |^make `).MatchString(shown) {
		return shown
	}
	return ""
}

// runProgram runs the program as a process of its own in a folder.
func runProgram(t *testing.T, dir string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := program(t, args...)
	cmd.Dir = dir
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), errOut.String(), cmd.ProcessState.ExitCode()
}

// TestPagesRun: each command line that the pages show runs as it is printed where `vcsim samples .` has been run, and prints
// each line of the output that the page shows below it.
func TestPagesRun(t *testing.T) {
	if testing.Short() {
		t.Skip("runs every command of the pages")
	}
	dir := pagesFolder(t)
	ran, compared, skipped := map[string]bool{}, 0, map[string]int{}
	for _, l := range pageLines(t) {
		t.Run(l.page+"/"+strings.ReplaceAll(l.line, "/", "_"), func(t *testing.T) {
			skip := func(reason string) {
				skipped[reason]++
				t.Skip(reason)
			}
			for _, word := range templates {
				if strings.Contains(l.line, word) {
					skip("stands for several: TestPageTables runs them")
				}
			}
			if os.Getenv("VCSIM_PAGES") != "all" {
				for _, s := range longLines {
					if strings.Contains(l.line, s.part) {
						skip("takes " + s.reason + " (VCSIM_PAGES=all)")
					}
				}
			}
			words, err := shellWords(dir, l.line)
			if errors.Is(err, errNoData) {
				skip(err.Error())
			} else if err != nil {
				t.Fatal(err)
			}
			if ran[l.line] && l.shown == "" {
				return
			}
			ran[l.line] = true
			stdout, stderr, code := runProgram(t, dir, words[1:]...)
			if code != 0 {
				t.Fatalf("exit %d: %s", code, stderr)
			}
			for _, line := range strings.Split(l.shown, "\n") {
				if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "──") {
					continue
				}
				compared++
				if !strings.Contains(stdout, line) {
					t.Errorf("the page shows %q, which the command does not print", line)
				}
			}
		})
	}
	if len(ran) < 12 {
		t.Errorf("%d command lines ran", len(ran))
	}
	n := 0
	for reason, count := range skipped {
		t.Logf("%d skipped: %s", count, reason)
		n += count
	}
	t.Logf("%d command lines ran, %d lines of output compared, %d command lines skipped", len(ran), compared, n)
}

// pagesFolder is a folder like a checkout in which `vcsim samples .` has been run: testbench and, where it is there, ../shared
// are beside the samples.
func pagesFolder(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "checkout")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, at := range map[string]string{"testbench": root + "/testbench", "../shared": root + "/../shared"} {
		if _, err := os.Stat(at); err != nil {
			continue
		}
		if err := os.Symlink(at, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if _, stderr, code := runProgram(t, dir, "samples", "."); code != 0 {
		t.Fatalf("samples: exit %d, %s", code, stderr)
	}
	return dir
}

// errNoData says that a command line names a file of the data folder, which is optional.
var errNoData = errors.New("needs the optional data folder ../shared")

// shellWords are the words of a command line as a shell in dir hands them to the program. A file of the optional data folder that
// is not there is errNoData.
func shellWords(dir, line string) (words []string, err error) {
	for _, word := range strings.Fields(line) {
		if !strings.HasPrefix(word, "../shared/") {
			words = append(words, word)
			continue
		}
		files, err := filepath.Glob(filepath.Join(dir, word))
		if err != nil {
			return nil, err
		}
		if len(files) == 0 {
			return nil, errNoData
		}
		for _, f := range files {
			rel, err := filepath.Rel(dir, f)
			if err != nil {
				return nil, err
			}
			words = append(words, rel)
		}
	}
	return words, nil
}

// claims are figures in the prose of the pages: the groups of `says`, in their order, are the largest values that the
// expressions of `prints` find in the output of the command, rounded to the digits of the page.
var claims = []struct {
	page, says, command string
	prints              []string
}{
	{"docs/cluster.md", `reproduce inference.: ([0-9.]+) GB of weights and ([0-9.]+) GB of cache`, "reproduce inference",
		[]string{`weights, per device +GB +[0-9.]+ +([0-9.]+)`, `KV cache, per device +GB +[0-9.]+ +([0-9.]+)`}},
	{"docs/cluster.md", `Ours differ by at most ([0-9.]+) % on RTX 3090 and ([0-9.]+) % on A100`, "reproduce fig10a",
		[]string{`(?m)^rtx3090(?: +[0-9.]+){9} +-?([0-9.]+)$`, `(?m)^a100-80g(?: +[0-9.]+){9} +-?([0-9.]+)$`}},
	{"docs/cluster.md", `The two readings of NVENC break even at ([0-9.]+) and ([0-9.]+) Gbps`, "reproduce fig10a",
		[]string{`NVENC 7\.2 on rtx3090 helps below +Gbps +10 +([0-9.]+)`, `NVENC 14\.4 on rtx3090 helps below +Gbps +10 +([0-9.]+)`}},
	{"README.md", `The two readings of NVENC's 900 MB/s break even at ([0-9.]+) and ([0-9.]+) Gbps`, "reproduce fig10a",
		[]string{`NVENC 7\.2 on rtx3090 helps below +Gbps +10 +([0-9.]+)`, `NVENC 14\.4 on rtx3090 helps below +Gbps +10 +([0-9.]+)`}},
	{"docs/cluster.md", `The paper's ([0-9.]+) is the gain of\s+the communication alone`, "reproduce fig10b",
		[]string{`gain of communication, T\.264 +[0-9.]+ +([0-9.]+)`}},
	{"docs/cluster.md", `cluster gains [0-9.]+ to ([0-9.]+), nearly`, "reproduce fig10b", []string{`of the cluster at most, T\.264 +- +([0-9.]+) +5120`}},
	{"docs/cluster.md", `with N = 320 it is at most ([0-9.]+) % and ([0-9.]+)\.`, "reproduce fig10b",
		[]string{`(?m)^\S+ +[0-9.]+ +320 +[0-9.]+ +[0-9.]+ +([0-9.]+)`, `of the cluster at most, T\.264 +- +([0-9.]+) +320`}},
	{"README.md", `the gain of ([0-9.]+) is that of the communication alone; the whole\s+cluster gains at most ([0-9.]+), or ([0-9.]+) where`, "reproduce fig10b",
		[]string{`gain of communication, T\.264 +[0-9.]+ +([0-9.]+)`, `of the cluster at most, T\.264 +- +([0-9.]+) +5120`, `of the cluster at most, T\.264 +- +([0-9.]+) +320`}},
	{"README.md", `the gain is ([0-9.]+) at 7 billion parameters and ([0-9.]+) at 340, on twice`, "reproduce fig10b",
		[]string{`(?m)^llama2-7b +[0-9]+ +1(?: +[0-9.]+){3} +([0-9.]+)`, `(?m)^nemotron-4-340b +[0-9]+ +1(?: +[0-9.]+){3} +([0-9.]+)`}},
	{"docs/cluster.md", `the gain is ([0-9.]+) at 7 billion parameters and ([0-9.]+) at 340, where`, "reproduce fig10b",
		[]string{`(?m)^llama2-7b +[0-9]+ +1(?: +[0-9.]+){3} +([0-9.]+)`, `(?m)^nemotron-4-340b +[0-9]+ +1(?: +[0-9.]+){3} +([0-9.]+)`}},
	{"docs/cluster.md", `512 GPUs in nodes of 8 it falls from ([0-9.]+) to ([0-9.]+)\.`, "reproduce fig10b",
		[]string{`(?m)^llama2-7b +[0-9]+ +8(?: +[0-9.]+){3} +([0-9.]+)`, `(?m)^nemotron-4-340b +[0-9]+ +8(?: +[0-9.]+){3} +([0-9.]+)`}},
	{"docs/cluster.md", `communication gains ([0-9.]+)\. \(Attention`, "reproduce fig10b", []string{`([0-9.]+) +network per bit, codec`}},
	{"README.md", `Below ([0-9.]+) Gbps\s+a codec of ([0-9.]+) Gbps gives its full ratio`, "cluster --model llama2-7b --bw 10Gbps",
		[]string{`(?m)^t265-paper .* ([0-9.]+) +[0-9.]+$`, `(?m)^t265-paper .* +([0-9.]+)$`}},
}

// TestPageClaims: the figures that the prose of the pages draws from a command are those that it prints.
func TestPageClaims(t *testing.T) {
	outputs := map[string]string{}
	for _, c := range claims {
		b, err := os.ReadFile("../../" + c.page)
		if err != nil {
			t.Fatal(err)
		}
		m := regexp.MustCompile(c.says).FindSubmatch(b)
		if m == nil || len(m) != len(c.prints)+1 {
			t.Errorf("%s has no sentence like %q", c.page, c.says)
			continue
		}
		if outputs[c.command] == "" {
			stdout, stderr, code := execute(t, append(strings.Fields(c.command), "--wide")...)
			if code != 0 {
				t.Fatalf("%s: exit %d, %s", c.command, code, stderr)
			}
			outputs[c.command] = stdout
		}
		for i, re := range c.prints {
			largest, found := 0.0, false
			for _, g := range regexp.MustCompile(re).FindAllStringSubmatch(outputs[c.command], -1) {
				v, err := strconv.ParseFloat(g[1], 64)
				if err != nil {
					t.Fatal(err)
				}
				largest, found = max(largest, v), true
			}
			says := strings.TrimRight(string(m[i+1]), ".")
			_, decimals, _ := strings.Cut(says, ".")
			if prints := strconv.FormatFloat(largest, 'f', len(decimals), 64); !found || prints != says {
				t.Errorf("%s says %s (%s), vcsim %s prints %v (found: %v)", c.page, says, c.says, c.command, largest, found)
			}
		}
	}
}
