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

// tableRows are the rows of the table of a page whose header line begins as given, each cut into its cells.
func tableRows(t *testing.T, page, header string) (rows [][]string) {
	t.Helper()
	b, err := os.ReadFile("../../" + page)
	if err != nil {
		t.Fatal(err)
	}
	_, from, ok := strings.Cut(string(b), "\n"+header)
	if !ok {
		t.Fatalf("%s has no table that begins with %q", page, header)
	}
	for i, line := range strings.Split(from, "\n") {
		if i < 2 { // the rest of the header, and the rule
			continue
		}
		if !strings.HasPrefix(line, "|") {
			break
		}
		var cells []string
		for _, c := range strings.Split(strings.Trim(line, "|"), "|") {
			cells = append(cells, strings.TrimSpace(c))
		}
		rows = append(rows, cells)
	}
	return rows
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
		var j struct {
			Above []map[string]any `json:"above_ecsq"`
		}
		printed(t, onlyLine(t, "compression.md", "compare ../shared", "--codec t264,t265"), &j)
		for _, row := range tableRows(t, "docs/compression.md", "| mean over planes | at 2 bits | at 3 bits | at 4 bits | bins a value") {
			found := false
			for _, r := range j.Above {
				if name, _ := r["tensor"].(string); strings.HasPrefix(name, "mean") && r["method"] == row[0] {
					found = true
					for i, key := range []string{"at_2", "at_3", "at_4"} {
						if v, ok := r[key].(float64); !ok || !sameFigure(row[i+1], v) {
							t.Errorf("%s: the page says %s, compare says %v (%s)", row[0], row[i+1], r[key], key)
						}
					}
				}
			}
			if !found {
				t.Errorf("compare prints no mean of %s", row[0])
			}
		}
	})
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
