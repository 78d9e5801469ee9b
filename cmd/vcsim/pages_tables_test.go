package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"vcsim/internal/peertest"
)

// tableLines are the lines of the table of a page whose header line begins as given.
func tableLines(t *testing.T, page, header string) []string {
	t.Helper()
	b, err := os.ReadFile("../../" + page)
	if err != nil {
		t.Fatal(err)
	}
	_, from, ok := strings.Cut("\n"+string(b), "\n"+header)
	if !ok {
		t.Fatalf("%s has no table that begins with %q", page, header)
	}
	table, _, _ := strings.Cut(header+from+"\n\n", "\n\n")
	return strings.Split(table, "\n")
}

// tableCells are the cells of the header line of a table.
func tableCells(t *testing.T, page, header string) []string {
	t.Helper()
	return cells(tableLines(t, page, header)[0])
}

// tableRows are the cells of the rows of a table.
func tableRows(t *testing.T, page, header string) (rows [][]string) {
	t.Helper()
	for _, line := range tableLines(t, page, header)[2:] { // behind the header and the rule
		rows = append(rows, cells(line))
	}
	return rows
}

// cells are the cells of a line of a table.
func cells(line string) (cells []string) {
	for _, c := range strings.Split(strings.Trim(line, "|"), "|") {
		cells = append(cells, strings.TrimSpace(c))
	}
	return cells
}

// sameFigure reports whether v, rounded to the digits of a cell, is what the cell says. Units may follow.
func sameFigure(cell string, v float64) bool {
	cell, _, _ = strings.Cut(strings.TrimPrefix(cell, "+"), " ")
	_, decimals, _ := strings.Cut(cell, ".")
	return strconv.FormatFloat(v, 'f', len(decimals), 64) == cell
}

// onlyLine is the one command line of a page that has all parts.
func onlyLine(t *testing.T, page string, parts ...string) string {
	t.Helper()
	var found string
	for _, l := range pageLines(t) {
		ok := l.page == page
		for _, p := range parts {
			ok = ok && strings.Contains(l.line, p)
		}
		if ok && found != "" && found != l.line {
			t.Fatalf("%s: both %s and %s have %q", page, found, l.line, parts)
		}
		if ok {
			found = l.line
		}
	}
	if found == "" {
		t.Fatalf("%s has no command line with %q", page, parts)
	}
	return found
}

// TestPageTables: the tables of the pages have the figures that the commands beside them print.
func TestPageTables(t *testing.T) {
	dir := pagesFolder(t)
	printed := func(t *testing.T, line string, into any) {
		t.Helper()
		words, err := shellWords(dir, line)
		if errors.Is(err, errNoData) {
			t.Skip(err)
		} else if err != nil {
			t.Fatal(err)
		}
		stdout, stderr, code := runProgram(t, dir, append(words[1:], "--json")...)
		if code != 0 {
			t.Fatalf("%s: exit %d, %s", line, code, stderr)
		}
		if err := json.Unmarshal([]byte(stdout), into); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("outliers", func(t *testing.T) {
		line := onlyLine(t, "compression.md", "encode", " OPTIONS")
		rows := tableRows(t, "docs/compression.md", "| options | MSE |")
		if len(rows) != 5 {
			t.Errorf("%d rows", len(rows))
		}
		for _, row := range rows {
			options := strings.Trim(strings.TrimPrefix(row[0], "(none)"), "`")
			var j struct{ MSE float64 }
			printed(t, strings.Replace(line, "OPTIONS", options, 1), &j)
			if !sameFigure(row[1], j.MSE) {
				t.Errorf("the page says %s for %q, encode says %g", row[1], options, j.MSE)
			}
		}
	})
	t.Run("sweep", func(t *testing.T) {
		var j struct {
			Runs []struct {
				Lanes   float64
				Values  float64 `json:"steady_values_per_cycle"`
				Busy    float64 `json:"lanes_busy_percent"`
				Pixels  float64 `json:"pixels_busy_percent"`
				Payload float64 `json:"payload_gbps"`
			}
		}
		printed(t, onlyLine(t, "measurements.md", "sim --lanes"), &j)
		rows := tableRows(t, "docs/measurements.md", "| lanes | values/cycle, all threads loaded |")
		lanesBefore, valuesBefore := 0.0, 0.0
		for _, row := range rows {
			lanes, err := strconv.ParseFloat(row[0], 64)
			if err != nil {
				t.Fatal(err)
			}
			var values, busy, pixels, payload, n float64
			for _, r := range j.Runs {
				if r.Lanes == lanes {
					values, busy, pixels, payload, n = values+r.Values, busy+r.Busy, pixels+r.Pixels, payload+r.Payload, n+1
				}
			}
			if n == 0 {
				t.Errorf("no run has %g lanes", lanes)
				continue
			}
			want := []float64{values / n, (values/n - valuesBefore) / (lanes - lanesBefore), busy / n, pixels / n, payload / n, 100 * n / payload}
			for i, v := range want {
				if first := i == 1 && valuesBefore == 0; first != (row[i+1] == "") || !first && !sameFigure(row[i+1], v) {
					t.Errorf("%g lanes: the page says %q, sim says %g", lanes, row[i+1], v)
				}
			}
			lanesBefore, valuesBefore = lanes, values/n
		}
		if len(rows) != 6 {
			t.Errorf("%d rows", len(rows))
		}
	})
	t.Run("codecs", func(t *testing.T) {
		if os.Getenv("VCSIM_PAGES") != "all" {
			t.Skip("takes minutes (VCSIM_PAGES=all)")
		}
		var j aboveECSQ
		printed(t, onlyLine(t, "compression.md", "compare ../shared", "--codec t264,t265"), &j)
		for _, row := range tableRows(t, "docs/compression.md", "| mean over planes | at 2 bits | at 3 bits | at 4 bits | bins a value") {
			for i, key := range []string{"at_2", "at_3", "at_4"} {
				j.check(t, "mean", row[0], key, row[i+1])
			}
		}
	})
	t.Run("peers", func(t *testing.T) {
		if os.Getenv("VCSIM_PAGES") != "all" {
			t.Skip("takes ten minutes of other encoders (VCSIM_PAGES=all)")
		}
		var j aboveECSQ
		printed(t, strings.Replace(onlyLine(t, "compression.md", "compare ../shared", "--peers x265,x264,av1"), " --markdown", "", 1), &j)
		for _, row := range tableRows(t, "docs/compression.md", "| mean over planes | at 2 bits | at 3 bits | at 4 bits |") {
			for i, key := range []string{"at_2", "at_3", "at_4"} {
				j.check(t, "mean", row[0], key, row[i+1])
			}
		}
		rows := tableRows(t, "docs/compression.md", "| at 3 bits |")
		methods := tableCells(t, "docs/compression.md", "| at 3 bits |")
		for _, row := range rows {
			for i, cell := range row[1:] {
				j.check(t, row[0], methods[i+1], "at_3", cell)
			}
		}
	})
}

// aboveECSQ is what compare prints as JSON of the bits of each method above the scalar quantiser with entropy coding.
type aboveECSQ struct {
	Above []map[string]any `json:"above_ecsq"`
}

// check compares a cell of a page with what compare printed of a method on a plane, or of the mean.
func (j *aboveECSQ) check(t *testing.T, tensor, method, key, cell string) {
	t.Helper()
	for _, r := range j.Above {
		if name, _ := r["tensor"].(string); strings.HasPrefix(name, tensor) && r["method"] == method {
			if v, ok := r[key].(float64); !ok || !sameFigure(cell, v) {
				t.Errorf("%s, %s: the page says %s, compare says %v (%s)", tensor, method, cell, r[key], key)
			}
			return
		}
	}
	t.Errorf("compare prints no %s of %s", tensor, method)
}

// TestFullRange: the ffmpeg command of the page gives the samples that decode gives, for streams of both codecs; what the page says
// of -pix_fmt gray is so.
func TestFullRange(t *testing.T) {
	ffmpeg := peertest.Tool(t, "ffmpeg")
	b, err := os.ReadFile("../../docs/compression.md")
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^    ffmpeg (.*)$`).FindStringSubmatch(string(b))
	if line == nil {
		t.Fatal("docs/compression.md has no command of ffmpeg")
	}
	dir := pagesFolder(t)
	for _, codec := range []string{"264", "265"} {
		for _, args := range []string{"encode plane.pgm -o plane.CODEC --qp 27", "decode plane.CODEC -o ours.raw"} {
			if _, stderr, code := runProgram(t, dir, strings.Fields(strings.ReplaceAll(args, "CODEC", codec))...); code != 0 {
				t.Fatal(stderr)
			}
		}
		samples := func(args string) string {
			cmd := exec.Command(ffmpeg, append([]string{"-v", "error", "-y"}, strings.Fields(strings.ReplaceAll(args, ".264", "."+codec))...)...)
			cmd.Dir = dir
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v: %s", args, err, out)
			}
			data, err := os.ReadFile(filepath.Join(dir, "plane.raw"))
			if err != nil {
				t.Fatal(err)
			}
			return string(data)
		}
		ours, err := os.ReadFile(filepath.Join(dir, "ours.raw"))
		if err != nil {
			t.Fatal(err)
		}
		if samples(line[1]) != string(ours) {
			t.Errorf("ffmpeg %s: not the samples of .%s", line[1], codec)
		}
		if gray := strings.Replace(line[1], "-vf extractplanes=y", "-pix_fmt gray", 1); (samples(gray) == string(ours)) != (codec == "265") {
			t.Errorf("ffmpeg %s: of .%s the page says something else", gray, codec)
		}
	}
}
