// Package area says what the hardware takes of a chip: cells by unit, memories, and the clock that timing allows, in ASAP7. The rows are
// those that synthesis measured (area/synth writes them); between them a model by unit interpolates, which gives its error with
// every figure.
package area

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// How cells and bits become placed area, and a clock without wires one with them. The densities of memories are those of the 6T
// macros of asap7_sram_0p0, 0.036 to 0.048 um2 a bit: its 256 words of 64 bits take 747.4 um2, 0.0456 a bit.
const (
	Utilisation   = 0.7   // of the placed area that is cells
	SRAMBit       = 0.042 // um2 of a bit of one port; with two ports it counts twice
	SRAMBitLow    = 0.036
	SRAMBitHigh   = 0.048
	LayoutClock   = 0.70 // of the clock that is left behind placement and routing: 25 to 35 % less was seen
	AccessPS      = 160  // from the clock to the word of a memory: srambank_64x4x64_6t122 at a slew of 40 ps and 23 fF
	SetupPS       = 80   // of the ports of a memory: the same, banksel at a slow edge
	TargetClock   = 1e9  // Hz: the clock at which areas for a rate are compared
	MemoryLibrary = "asap7_sram_0p0, TT 0.70 V 25 C"
)

// Params are the parameters of a module by name, spelled as in Verilog.
type Params map[string]int

// ParseParams reads parameters written as Name=Value, with spaces between.
func ParseParams(text string) (Params, error) {
	p := Params{}
	for word := range strings.FieldsSeq(text) {
		name, value, ok := strings.Cut(word, "=")
		v, err := strconv.Atoi(value)
		if !ok || err != nil {
			return nil, fmt.Errorf("parameter %q: want Name=Value", word)
		}
		p[name] = v
	}
	return p, nil
}

// A Part is a module that was mapped once for all its instances.
type Part struct {
	Module string
	Count  int
	UM2    float64 // of one instance
}

// A Row is what synthesis made of a module with a set of parameters.
type Row struct {
	Module   string
	Params   string  // as ParseParams reads them, in the order of the grid
	TargetPS int     // delay that the mapping aimed at
	RTL      string  // hash of the sources of the module and all below it
	UM2      float64 // of cells, the parts included
	FlopUM2  float64 // of these, flip-flops and latches
	Flops    int     // flip-flops and latches
	SRAM1    int     // bits of memories with one port, over all instances
	SRAM2    int     // bits of memories with two ports
	PathPS   float64 // longest path between registers, setup included; 0 without one
	MemoryPS float64 // longest path from or to a memory, access or setup time included; 0 without one
	Parts    []Part
}

// GHz is the clock that timing allows, without wires; 0 for a module without registers.
func (r *Row) GHz() float64 {
	if path := max(r.PathPS, r.MemoryPS); path > 0 {
		return 1000 / path
	}
	return 0
}

// Size is the row's area.
func (r *Row) Size() Size {
	return Size{Cells: r.UM2, SRAM1: float64(r.SRAM1), SRAM2: float64(r.SRAM2)}
}

// A Size is cells in um2 and memories in bits.
type Size struct{ Cells, SRAM1, SRAM2 float64 }

// Plus adds n of another.
func (s Size) Plus(o Size, n float64) Size {
	return Size{s.Cells + n*o.Cells, s.SRAM1 + n*o.SRAM1, s.SRAM2 + n*o.SRAM2}
}

// CellMM2 is the placed area of the cells.
func (s Size) CellMM2() float64 { return s.Cells / Utilisation / 1e6 }

// SRAMMM2 is the area of the memories.
func (s Size) SRAMMM2() float64 { return (s.SRAM1 + 2*s.SRAM2) * SRAMBit / 1e6 }

// MM2 is the placed area: cells at the utilisation, and memories.
func (s Size) MM2() float64 { return s.CellMM2() + s.SRAMMM2() }

// A Table is what a file of rows holds.
type Table struct {
	Tools []string // lines that say what made the rows: versions, cells, liberty
	Rows  []Row
}

//go:embed rows.csv
var rowsCSV string

// File is where the rows are in the repository, and Command what renews them.
const (
	File    = "area/rows.csv"
	Command = "make synth"
)

// Rows are the rows that came with the program.
func Rows() (*Table, error) {
	t, err := Read(strings.NewReader(rowsCSV))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", File, err)
	}
	return t, nil
}

// Find is the row of a module with these parameters, nil without one.
func (t *Table) Find(module, params string) *Row {
	for i := range t.Rows {
		if r := &t.Rows[i]; r.Module == module && r.Params == params {
			return r
		}
	}
	return nil
}

var columns = []string{"module", "params", "target_ps", "rtl", "um2", "flop_um2", "flops", "sram1_bits", "sram2_bits", "path_ps", "memory_ps", "parts"}

// Write writes rows as CSV, in the order of module and parameters.
func (t *Table) Write(w io.Writer) error {
	for _, line := range t.Tools {
		if _, err := fmt.Fprintln(w, "#", line); err != nil {
			return err
		}
	}
	c := csv.NewWriter(w)
	c.Write(columns) // Flush says what went wrong
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	for i := range t.Rows {
		r := &t.Rows[i]
		var parts []string
		for _, p := range r.Parts {
			parts = append(parts, fmt.Sprintf("%s:%d:%s", p.Module, p.Count, number(p.UM2)))
		}
		c.Write([]string{r.Module, r.Params, strconv.Itoa(r.TargetPS), r.RTL, number(r.UM2), number(r.FlopUM2), strconv.Itoa(r.Flops), strconv.Itoa(r.SRAM1),
			strconv.Itoa(r.SRAM2), number(r.PathPS), number(r.MemoryPS), strings.Join(parts, " ")})
	}
	c.Flush()
	return c.Error()
}

// Read reads what Write wrote.
func Read(r io.Reader) (*Table, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	t := new(Table)
	for line := range strings.Lines(string(text)) {
		if tool, ok := strings.CutPrefix(line, "# "); ok {
			t.Tools = append(t.Tools, strings.TrimSpace(tool))
		}
	}
	c := csv.NewReader(strings.NewReader(string(text)))
	c.Comment = '#'
	records, err := c.ReadAll()
	if err != nil {
		return nil, err
	}
	if len(records) == 0 || !slices.Equal(records[0], columns) {
		return nil, fmt.Errorf("the columns are not %s", strings.Join(columns, ","))
	}
	for _, rec := range records[1:] {
		row, err := parseRow(rec)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", rec[0], rec[1], err)
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

func parseRow(rec []string) (r Row, err error) {
	number := func(i int) float64 {
		v, e := strconv.ParseFloat(rec[i], 64)
		if (e != nil || v < 0) && err == nil {
			err = fmt.Errorf("%s: %q is not a number of 0 or more", columns[i], rec[i])
		}
		return v
	}
	r = Row{Module: rec[0], Params: rec[1], TargetPS: int(number(2)), RTL: rec[3], UM2: number(4), FlopUM2: number(5), Flops: int(number(6)),
		SRAM1: int(number(7)), SRAM2: int(number(8)), PathPS: number(9), MemoryPS: number(10)}
	if _, e := ParseParams(r.Params); e != nil && err == nil {
		err = e
	}
	for word := range strings.FieldsSeq(rec[11]) {
		f := strings.Split(word, ":")
		if len(f) != 3 {
			return r, fmt.Errorf("parts: %q is not module:count:um2", word)
		}
		n, e1 := strconv.Atoi(f[1])
		a, e2 := strconv.ParseFloat(f[2], 64)
		if e1 != nil || e2 != nil {
			return r, fmt.Errorf("parts: %q is not module:count:um2", word)
		}
		r.Parts = append(r.Parts, Part{f[0], n, a})
	}
	return r, err
}
