// Table prints the rows that the co-simulations wrote to the named file. It fails
// on a mismatch, below 98 % of the lines, or on a line not reached without a reason.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"vcsim/testbench"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: table FILE")
		os.Exit(2)
	}
	if err := table(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(1)
	}
}

// total adds up the rows. A line is reached if it is under any unit.
func total(rows []testbench.Row) (t testbench.Row) {
	lines := map[string]bool{}
	for _, r := range rows {
		t.Cycles += r.Cycles
		t.Mismatches += r.Mismatches
		for _, p := range r.Lines.Missed {
			if _, known := lines[p]; !known {
				lines[p] = false
			}
		}
		for _, p := range r.Lines.Reached {
			lines[p] = true
		}
	}
	for p, hit := range lines {
		t.Lines.Points++
		if hit {
			t.Lines.Hit++
		} else {
			t.Lines.Missed = append(t.Lines.Missed, p)
		}
	}
	slices.Sort(t.Lines.Missed)
	return t
}

func table(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	var rows []testbench.Row
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<24)
	for s.Scan() {
		var r testbench.Row
		if err := json.Unmarshal(s.Bytes(), &r); err != nil {
			return err
		}
		rows = append(rows, r)
	}
	if s.Err() != nil {
		return s.Err()
	}
	slices.SortFunc(rows, func(a, b testbench.Row) int { return strings.Compare(a.Unit, b.Unit) })
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "unit\tparameter sets\tcycles compared\tmismatches\tline coverage\ttoggle coverage")
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%v\t%v\n", r.Unit, r.Sets, r.Cycles, r.Mismatches, r.Lines, r.Toggles)
	}
	t := total(rows)
	fmt.Fprintf(w, "rtl/\t\t%d\t%d\t%v\t\n", t.Cycles, t.Mismatches, t.Lines)
	w.Flush()
	unexplained := 0
	for _, m := range t.Lines.Missed {
		why := testbench.Unreached(m)
		if why == "" {
			why = "not explained"
			unexplained++
		}
		fmt.Printf("line not reached: %s: %s\n", m, why)
	}
	for _, r := range rows {
		for _, m := range r.Toggles.Missed {
			fmt.Printf("%s: never toggled: %s\n", r.Unit, m)
		}
	}
	if t.Mismatches > 0 || unexplained > 0 || 100*t.Lines.Hit < 98*t.Lines.Points {
		return fmt.Errorf("%d mismatches, %v of the lines reached, %d misses not explained", t.Mismatches, t.Lines, unexplained)
	}
	return nil
}
