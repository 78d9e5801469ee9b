// Package report turns one result into text, markdown, CSV or JSON, draws line charts as PNG or SVG, and shows progress
// on a terminal.
//
// A command fills a Result once; every format is a view of it. No format ever shows NaN or an infinity: Write refuses
// such a result, because it is a fault of the model that made it.
package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// A Result is what one command found.
type Result struct {
	Schema string   // of the JSON, "vcsim.cluster/1"
	Title  string   // one line, text and markdown only
	Facts  []Fact   // single values, in order
	Keys   []Fact   // what all rows are of: the first columns of the CSV, and in no other format
	Tables []Table  // the first is the main one: CSV holds it alone
	Notes  []string // sentences below the tables, text and markdown only

	// Verbatim is text below the notes, as it is, without a newline at its end; text and markdown only.
	Verbatim string

	// Payload, when set, is the JSON in place of Facts and Tables: a struct or map that encodes as an object. Its keys
	// end in their unit.
	Payload any
}

// A Fact is one named value.
type Fact struct {
	Column
	Value any // as a cell of a Table
}

// A Table has a name, unique in its Result, and rows of cells.
type Table struct {
	Name    string // JSON key, and heading where there are several tables
	Columns []Column
	Rows    [][]any // string, bool, int, int64, float64, Range, Shape, or nil for a value that is not known
}

// A Shape is a cell: the dimensions of a tensor, outermost first. JSON has a list of numbers, people read 256x688.
type Shape []int

func (s Shape) String() string {
	var b strings.Builder
	for i, n := range s {
		if i > 0 {
			b.WriteByte('x')
		}
		fmt.Fprint(&b, n)
	}
	return b.String()
}

// MarshalJSON writes a list, also of a scalar.
func (s Shape) MarshalJSON() ([]byte, error) { return json.Marshal(append([]int{}, s...)) }

// A Range is a cell: a value, and another that it may as well be. People read "1.12-1.22", programs the value alone.
type Range struct{ Value, Other float64 }

// MarshalJSON writes the value.
func (r Range) MarshalJSON() ([]byte, error) { return json.Marshal(r.Value) }

// A Column says what its cells are.
type Column struct {
	Key    string // in JSON and CSV; ends in the unit: "step_time_s"
	Title  string // in text and markdown; Key with spaces if empty
	Unit   string // "s", "Gbps", "mm2", "J/token", "%"; "" if there is no dimension
	Digits int    // after the decimal point of a float64, in text and markdown; 0 means four significant digits
	Minor  bool   // left out of text first where a table is too wide
}

// A Format is a way to write results.
type Format int

const (
	Text Format = iota
	Markdown
	CSV
	JSON
)

// Write writes the results one after the other. JSON is one object, or a list of objects if there are several results;
// CSV takes exactly one result, with at least one table, and writes full precision.
func Write(w io.Writer, f Format, results ...*Result) error { return WriteWidth(w, f, 0, results...) }

// WriteWidth is Write with lines of text of at most width characters, where words and first columns allow it: cells and notes are
// wrapped, then columns left out, minor ones first, and named below the table. Width 0 is no bound.
func WriteWidth(w io.Writer, f Format, width int, results ...*Result) error {
	for _, r := range results {
		if err := r.check(); err != nil {
			return err
		}
	}
	switch f {
	case JSON:
		return writeJSON(w, results)
	case CSV:
		if len(results) != 1 || len(results[0].Tables) == 0 {
			return ErrNoTable
		}
		return writeCSV(w, results[0].keyed())
	}
	var b strings.Builder
	for i, r := range results {
		if i > 0 {
			b.WriteByte('\n')
		}
		r.render(&b, f == Markdown, width)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// ErrNoTable is returned for CSV of what is not one table.
var ErrNoTable = errors.New("this result is not a single table, so there is no CSV of it")

// keyed is the main table with the keys as its first columns.
func (r *Result) keyed() *Table {
	t := r.Tables[0]
	if len(r.Keys) == 0 {
		return &t
	}
	var columns []Column
	var cells []any
	for _, k := range r.Keys {
		columns, cells = append(columns, k.Column), append(cells, k.Value)
	}
	t.Columns = append(columns, t.Columns...)
	rows := make([][]any, len(t.Rows))
	for i, row := range t.Rows {
		rows[i] = slices.Concat(cells, row)
	}
	t.Rows = rows
	return &t
}

// unitKeys are the ends of JSON keys for the units that are not spelled the same in lower case.
var unitKeys = strings.NewReplacer("%", "percent", "/", "_per_", " ", "_")

// check returns an error for a result that cannot be shown: a key without its unit, a cell of another type or that is
// not finite, rows of different lengths, a key twice.
func (r *Result) check() error {
	seen := map[string]bool{}
	once := func(key string) error {
		if key == "" || key == "schema" || seen[key] {
			return fmt.Errorf("report: key %q is missing, reserved or there twice", key)
		}
		seen[key] = true
		return nil
	}
	for _, k := range r.Keys {
		if err := errors.Join(k.Column.check(), k.Column.checkCell(k.Value)); err != nil {
			return err
		}
	}
	for _, f := range r.Facts {
		if err := errors.Join(once(f.Key), f.Column.check(), f.Column.checkCell(f.Value)); err != nil {
			return err
		}
	}
	for _, t := range r.Tables {
		if err := once(t.Name); err != nil {
			return err
		}
		for _, c := range t.Columns {
			if err := c.check(); err != nil {
				return err
			}
		}
		for i, row := range t.Rows {
			if len(row) != len(t.Columns) {
				return fmt.Errorf("report: table %s row %d has %d cells, want %d", t.Name, i, len(row), len(t.Columns))
			}
			for j, v := range row {
				if err := t.Columns[j].checkCell(v); err != nil {
					return fmt.Errorf("%w (table %s row %d)", err, t.Name, i)
				}
			}
		}
	}
	return nil
}

func (c Column) check() error {
	unit := strings.ToLower(unitKeys.Replace(c.Unit))
	if c.Key == "" || c.Key != strings.ToLower(c.Key) || strings.Contains(c.Key, " ") || !strings.HasSuffix("_"+c.Key, "_"+unit) && unit != "" {
		return fmt.Errorf("report: key %q must be lower case and end in its unit %q", c.Key, unit)
	}
	return nil
}

func (c Column) checkCell(v any) error {
	switch v := v.(type) {
	case nil, string, bool, int, int64, Shape:
		return nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("report: %s is %v", c.Key, v)
		}
		return nil
	case Range:
		return errors.Join(c.checkCell(v.Value), c.checkCell(v.Other))
	}
	return fmt.Errorf("report: %s holds a %T", c.Key, v)
}
