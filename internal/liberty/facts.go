package liberty

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// The facts of the cells of ASAP7, 7.5 tracks, RVT, TT, 0.70 V, 25 C, that Fit leaves of the liberty of OpenROAD-flow-scripts (BSD
// 3-Clause, Lawrence T. Clark, Vinay Vashishtha, or Arizona State University).
//
//go:generate go run ./facts facts.csv
//go:embed facts.csv
var factsCSV string

// Facts is the compact library.
func Facts() (*Library, error) { return ReadFacts(strings.NewReader(factsCSV)) }

// digits are those that facts keep.
const digits = 4

// WriteFacts writes a library that Fit made as CSV, a row for each cell, state, pin, arc and energy.
func WriteFacts(w io.Writer, l *Library) error {
	c := csv.NewWriter(w)
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', digits, 64) }
	table := func(t *Table) string {
		if t == nil {
			return ""
		}
		var words []string
		for _, v := range slices.Concat(t.X, t.Y) {
			words = append(words, strconv.FormatFloat(v, 'g', -1, 64))
		}
		for _, v := range t.V {
			words = append(words, number(v))
		}
		return strings.Join(words, " ")
	}
	flag := func(set bool, word string) string {
		if set {
			return word
		}
		return ""
	}
	write := func(row ...string) { c.Write(row) } // Flush says what went wrong
	write("library", l.Name)
	for _, cell := range l.Cells {
		write("cell", cell.Name, strconv.FormatFloat(cell.Area, 'g', -1, 64), number(cell.Leakage), flag(cell.DontUse, "dont_use"), cell.Gate)
		if s := cell.Seq; s != nil {
			write("state", flag(s.Latch, "latch"), s.State, s.Inv, s.Clock, s.Next, s.Clear, s.Preset)
		}
		for i := range cell.Pins {
			p := &cell.Pins[i]
			write("pin", p.Name, p.Direction, flag(p.Clock, "clock"), number(p.Cap), number(p.MaxCap), p.Function)
			for _, a := range p.Arcs {
				write("arc", a.Related, a.Type, a.Sense, table(a.Rise), table(a.Fall), table(a.RiseSlew), table(a.FallSlew), table(a.RiseConstraint), table(a.FallConstraint))
			}
			for _, e := range p.Energies {
				write("energy", e.Related, table(e.Rise), table(e.Fall))
			}
		}
	}
	c.Flush()
	return c.Error()
}

// ReadFacts reads what WriteFacts wrote.
func ReadFacts(r io.Reader) (*Library, error) {
	c := csv.NewReader(r)
	c.FieldsPerRecord = -1
	l := new(Library)
	for {
		row, err := c.Read()
		if err == io.EOF {
			return l, nil
		}
		if err != nil {
			return nil, err
		}
		line, _ := c.FieldPos(0)
		if err := l.fact(row); err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
	}
}

// widths are the fields of the rows by kind.
var widths = map[string]int{"library": 2, "cell": 6, "state": 8, "pin": 7, "arc": 10, "energy": 4}

// fact adds a row to the cell and pin of the rows before.
func (l *Library) fact(row []string) (err error) {
	if widths[row[0]] != len(row) {
		return fmt.Errorf("%d fields of %q, want %d", len(row), row[0], widths[row[0]])
	}
	number := func(text string) float64 {
		v, e := strconv.ParseFloat(text, 64)
		if e != nil && err == nil {
			err = fmt.Errorf("%q is not a number", text)
		}
		return v
	}
	table := func(text string) *Table {
		list, e := numbers(text)
		if e != nil && err == nil {
			err = e
		}
		switch len(list) {
		case 1:
			return &Table{V: list}
		case 8:
			return &Table{X: list[:2], Y: list[2:4], V: list[4:]}
		}
		if len(list) > 0 && err == nil {
			err = fmt.Errorf("a table of %d numbers", len(list))
		}
		return nil
	}
	switch row[0] {
	case "library":
		l.Name = row[1]
		return nil
	case "cell":
		l.Cells = append(l.Cells, &Cell{Name: row[1], Area: number(row[2]), Leakage: number(row[3]), DontUse: row[4] != "", Gate: row[5]})
		return err
	}
	if len(l.Cells) == 0 {
		return fmt.Errorf("%s before the first cell", row[0])
	}
	cell := l.Cells[len(l.Cells)-1]
	switch row[0] {
	case "state":
		cell.Seq = &Seq{row[1] != "", row[2], row[3], row[4], row[5], row[6], row[7]}
		return nil
	case "pin":
		cell.Pins = append(cell.Pins, Pin{Name: row[1], Direction: row[2], Clock: row[3] != "", Cap: number(row[4]), MaxCap: number(row[5]), Function: row[6]})
		return err
	}
	if len(cell.Pins) == 0 {
		return fmt.Errorf("%s before the first pin", row[0])
	}
	pin := &cell.Pins[len(cell.Pins)-1]
	if row[0] == "arc" {
		pin.Arcs = append(pin.Arcs, Arc{row[1], row[2], row[3], "", table(row[4]), table(row[5]), table(row[6]), table(row[7]), table(row[8]), table(row[9])})
	} else {
		pin.Energies = append(pin.Energies, Energy{Related: row[1], Rise: table(row[2]), Fall: table(row[3])})
	}
	return err
}
