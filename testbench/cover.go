package testbench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A Row is one unit in the table of make cosim.
type Row struct {
	Unit       string   `json:"unit"`
	Sets       int      `json:"parameter_sets"`
	Cycles     int      `json:"cycles"`
	Mismatches int      `json:"mismatches"`
	Lines      Coverage `json:"lines"`
	Toggles    Coverage `json:"toggles"`
}

// Coverage counts the points hit, over all parameter sets and patterns.
type Coverage struct {
	Hit    int      `json:"hit"`
	Points int      `json:"points"`
	Missed []string `json:"missed,omitempty"`
	// Reached names the other points, of lines alone: a module under several
	// units counts once in the total.
	Reached []string `json:"reached,omitempty"`
}

func (c Coverage) String() string {
	if c.Points == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f%% (%d/%d)", 100*float64(c.Hit)/float64(c.Points), c.Hit, c.Points)
}

// coverCycles is the length of each run for coverage; the build is slow.
const coverCycles = 8 * batch

// cover runs every set and pattern with coverage counted. A line point counts
// once however many parameter sets build it; the same bit of a port under
// different parameters is one toggle point.
func (row *Row) cover(u Unit, sets []Set) error {
	lines, toggles := map[string]bool{}, map[string]bool{}
	cycles, points := coverCycles, coverage
	if u.Lines {
		points = lineCoverage
	}
	if u.CoverCycles != 0 {
		cycles = u.CoverCycles
	}
	for i, set := range sets {
		exe, err := u.build(set, points).make()
		if err != nil {
			return err
		}
		for j, stall := range Stalls {
			rec := NewRecording(u, set)
			rec.Record(set.Model(stall, uint64(100+i*len(Stalls)+j)), cycles)
			file := filepath.Join(filepath.Dir(exe), fmt.Sprintf("coverage-%d.dat", j))
			p, _, err := start(exe, "--coverage", file)
			if err != nil {
				return err
			}
			if err := p.run(cycles, rec.inBytes, make([]byte, len(rec.outBytes))); err != nil {
				return err
			}
			if err := p.close(); err != nil {
				return err
			}
			if err := readCoverage(file, lines, toggles); err != nil {
				return err
			}
		}
	}
	row.Lines, row.Toggles = count(lines), count(toggles)
	row.Toggles.Reached = nil
	return nil
}

// unreached says why lines are not reached, by file and source.
var unreached = map[string]string{
	"vc_cabac_next.v default: state_o = 6'd63;": "no context takes state 63",
}

// tables says why rows of a generated table may be missed, by file.
var tables = map[string]string{
	"t264_qp.v": "a row of a table by QP, which the short run for coverage did not meet; the comparison goes through all QPs, and TestROM holds the table against Go",
}

// Unreached returns why the point of a line is not reached, or "".
func Unreached(point string) string {
	place, _, _ := strings.Cut(point, " ")
	part := strings.Split(place, ":")
	line, err := strconv.Atoi(part[1])
	if err != nil {
		return ""
	}
	for _, pattern := range []string{"rtl/*/", "rtl/*/gen/"} {
		names, _ := filepath.Glob(filepath.Join(Root(), pattern, part[0]))
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				return ""
			}
			if lines := strings.Split(string(text), "\n"); line <= len(lines) {
				if why := tables[part[0]]; why != "" {
					return why
				}
				return unreached[part[0]+" "+strings.TrimSpace(lines[line-1])]
			}
		}
	}
	return ""
}

func count(points map[string]bool) Coverage {
	c := Coverage{Points: len(points)}
	for name, hit := range points {
		if hit {
			c.Hit++
			c.Reached = append(c.Reached, name)
		} else {
			c.Missed = append(c.Missed, name)
		}
	}
	slices.Sort(c.Missed)
	slices.Sort(c.Reached)
	return c
}

// readCoverage adds the points of one coverage file, whose lines look like
//
//	C '\x01f\x02file\x01l\x02line\x01...\x01page\x02v_line/module' 12
func readCoverage(name string, lines, toggles map[string]bool) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	for s := bufio.NewScanner(f); ; {
		if !s.Scan() {
			return s.Err()
		}
		point, hits, ok := strings.Cut(strings.TrimPrefix(s.Text(), "C '"), "' ")
		if !ok {
			continue
		}
		n, err := strconv.ParseUint(hits, 10, 64)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		key := map[string]string{}
		for _, field := range strings.Split(point, "\x01") {
			if k, v, ok := strings.Cut(field, "\x02"); ok {
				key[k] = v
			}
		}
		id := fmt.Sprintf("%s:%s:%s %s", filepath.Base(key["f"]), key["l"], key["n"], key["o"])
		switch {
		case strings.HasPrefix(key["page"], "v_toggle/"):
			toggles[id] = toggles[id] || n > 0
		case strings.HasPrefix(key["page"], "v_line/"), strings.HasPrefix(key["page"], "v_branch/"):
			lines[id] = lines[id] || n > 0
		}
	}
}

// rowsFile is the file of the rows of the table, which VCSIM_COSIM_ROWS names, or "": nobody asks for the table, nor for coverage.
func rowsFile() string { return os.Getenv("VCSIM_COSIM_ROWS") }

// save appends the row to the file of the rows.
func (row *Row) save() error {
	name := rowsFile()
	if name == "" {
		return nil
	}
	data, err := json.Marshal(row)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	if _, err := f.Write(append(data, '\n')); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
