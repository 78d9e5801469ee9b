package area

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// A term is something that area grows with.
type term struct {
	reason string
	of     func(Params) float64
}

// A shape is how a module is made: the part that it has once for each lane, and what the rest of it grows with. Terms stand in the
// order of their worth, since few rows carry few terms.
type shape struct {
	lane  string   // module of the part; "" without one
	knobs []string // parameters of the part
	cells []term
	sram1 []term
	sram2 []term
}

func one(Params) float64       { return 1 }
func threads(p Params) float64 { return float64(max(p["Threads"], p["Lanes"])) }

// widest is the number of columns of the widest frame, of macroblocks or CTUs.
func widest(p Params) int { return max(p["FrameMBs"], p["FrameCTUs"]) }

// column is the width of the number of a column.
func column(p Params) float64 { return float64(bits.Len(uint(widest(p) - 1))) }

func product(a, b func(Params) float64) func(Params) float64 {
	return func(p Params) float64 { return a(p) * b(p) }
}

func isSet(name string, value int) func(Params) float64 {
	return func(p Params) float64 {
		if p[name] == value {
			return 1
		}
		return 0
	}
}

// columnsOf are the macroblock columns of all threads, and the corner left of the first.
func columnsOf(p Params) float64 { return threads(p) * float64(p["FrameMBs"]+1) }

// wordsOf are the columns of all threads.
func wordsOf(p Params) float64 { return threads(p) * float64(widest(p)) }

// turns are the threads of a lane.
func turns(p Params) int { return max(1, p["Threads"]/max(1, p["Lanes"])) }

// banks are those of the store of T.265, each of four lanes where that divides them, else of three or two (rtl/t265/t265_enc_store.v).
func banks(p Params) float64 {
	for _, share := range []int{4, 3, 2} {
		if p["Lanes"]%share == 0 {
			return float64(p["Lanes"] / share)
		}
	}
	return float64(p["Lanes"])
}

// sizes are those of the transforms of T.265, from 4x4 on; a lane has contexts for each.
func sizes(p Params) float64 { return float64(bits.Len(uint(p["MaxTU"])) - 2) }

var (
	pixelTerms = []term{
		{"a pixel path", one},
		{"state and choice by thread", threads},
		{"values a cycle", isSet("Values", 8)},
		{"transforms of 8x8", isSet("Transform8", 1)},
		{"numbers of columns by thread", product(threads, column)},
	}
	rowTerms = []term{
		{"rows above, by thread and column", columnsOf},
		{"by thread", threads},
		{"a pixel path", one},
		{"transforms of 8x8", isSet("Transform8", 1)},
		{"numbers of columns by thread", product(threads, column)},
	}
	storeTerms = []term{
		{"levels and state by thread", threads},
		{"a pixel path", one},
		{"transforms of 8x8", isSet("Transform8", 1)},
		{"numbers of columns by thread", product(threads, column)},
	}
	laneTerms = []term{{"a lane", one}, {"bypass bins a cycle", func(p Params) float64 { return float64(p["Bypass"]) }},
		{"turns of a lane", func(p Params) float64 { return float64(p["Turns"]) }}, {"numbers of columns", column}}
	crossTerms = []term{{"the unit", one}, {"by lane", threads}, {"the thread that each lane looks at", product(threads, func(p Params) float64 { return float64(p["Lanes"]) })}}

	smallTU       = term{"transforms up to 8x8", isSet("MaxTU", 8)}
	encTerms265   = []term{{"a pixel path", one}, {"state, choice and store by thread", threads}, smallTU}
	pathTerms265  = []term{{"rows above, by thread and column", wordsOf}, {"source and state by thread", threads}, {"a pixel path", one}, smallTU, {"numbers of columns by thread", product(threads, column)}}
	storeCells265 = []term{{"the unit", one}, {"by lane", threads}, {"banks of the store", banks}, smallTU}
	storeTerms265 = []term{{"levels by thread", threads}, {"the unit", one}, smallTU}
	laneTerms265  = []term{{"a lane", one}, {"contexts by size of transforms", sizes}, {"groups of bypass bins", func(p Params) float64 { return float64(p["Groups"]) }}, {"bypass bins a cycle", func(p Params) float64 { return float64(p["Bypass"]) }}}

	lanesTerms = []term{{"the unit", one}, {"by lane", threads}, {"numbers of columns", column}, {"the decoder's contexts", isSet("Decoder", 1)}}
)

var shapes = map[string]shape{
	"t264_enc":        {lane: "t264_enc_lane", knobs: []string{"Bypass", "Turns"}, cells: pixelTerms, sram1: rowTerms, sram2: storeTerms},
	"t264_dec":        {lane: "t264_dec_lane", knobs: []string{"Bypass", "FrameMBs"}, cells: pixelTerms, sram1: rowTerms, sram2: storeTerms},
	"t264_enc_pixels": {cells: pixelTerms, sram1: rowTerms, sram2: storeTerms},
	"t264_dec_pixels": {cells: pixelTerms, sram1: rowTerms, sram2: storeTerms},
	"t264_enc_store":  {cells: crossTerms, sram1: storeTerms, sram2: storeTerms},
	"t264_context":    {cells: lanesTerms},
	"t264_dec_above":  {cells: lanesTerms, sram1: []term{{"a word by thread and column", wordsOf}}},
	"t264_enc_lane":   {cells: laneTerms},
	"t264_dec_lane":   {cells: laneTerms},

	"t265_enc":       {lane: "t265_enc_lane", knobs: []string{"Bypass", "Groups", "MaxTU"}, cells: encTerms265, sram1: storeTerms265, sram2: pathTerms265},
	"t265_enc_store": {cells: storeCells265, sram1: storeTerms265},
	"t265_enc_lane":  {cells: laneTerms265},
	"t265_context":   {cells: []term{{"the unit", one}, {"by lane", threads}}},
}

// Modelled are the modules that the model knows.
func Modelled() []string {
	var list []string
	for name := range shapes {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// SmallUnit is the area of cells in um2 below which a unit is too small for its error to matter.
const SmallUnit = 200

// An Estimate is the size of a module with any parameters, and how good it is.
type Estimate struct {
	Size
	LaneUM2 float64 // of one lane, of a top
	GHz     float64 // without wires: of the row, or the lowest of the module's rows
	Row     *Row    // that has these parameters, nil where the model interpolates
	Rows    int     // that the model was fitted to
	Mean    float64 // error of the model on rows that it was not fitted to, each left out in turn: mean and largest, in percent
	Worst   float64
	LeftOut int     // rows that were left out; the others carry a term alone
	Large   float64 // the largest error among rows of at least SmallUnit
	terms   []string
}

// Terms are what the model says that the cells beside the lanes grow with.
func (e *Estimate) Terms() []string { return e.terms }

// Source says in a few words where the estimate is from.
func (e *Estimate) Source() string {
	from := File
	if e.Row == nil {
		from = fmt.Sprintf("model of %d rows of %s", e.Rows, File)
	}
	if e.LeftOut == 0 {
		return from + ", its error not measured"
	}
	return fmt.Sprintf("%s; the model is %.1f %% off in the mean and %.1f %% at worst on %d rows left out", from, e.Mean, e.Worst, e.LeftOut)
}

// Estimate is the size of a module: its row where there is one, else what the model makes of the module's rows.
func (t *Table) Estimate(module string, p Params) (*Estimate, error) {
	s, ok := shapes[module]
	if !ok {
		return nil, fmt.Errorf("area: no model of %s (%s)", module, strings.Join(Modelled(), ", "))
	}
	rows, params := t.of(module)
	e := &Estimate{Rows: len(rows)}
	for i, r := range rows {
		if sameParams(params[i], p) {
			e.Row = r
		}
		if e.GHz == 0 || r.GHz() < e.GHz {
			e.GHz = r.GHz()
		}
	}
	m, err := t.fit(&s, rows, params)
	if err != nil {
		return nil, fmt.Errorf("area: %s: %w", module, err)
	}
	e.terms = m.cells.reasons()
	if e.Size, err = m.at(p); err != nil {
		return nil, fmt.Errorf("area: %s: %w", module, err)
	}
	if s.lane != "" {
		if e.LaneUM2, err = m.laneUM2(p); err != nil {
			return nil, err
		}
	}
	if e.Row != nil {
		e.Size, e.GHz = e.Row.Size(), e.Row.GHz()
		for _, part := range e.Row.Parts {
			if part.Module == s.lane {
				e.LaneUM2 = part.UM2
			}
		}
	}
	for i := range rows {
		without, err := t.fit(&s, slices.Delete(slices.Clone(rows), i, i+1), slices.Delete(slices.Clone(params), i, i+1))
		if err != nil || len(without.cells.terms) < len(m.cells.terms) {
			continue // the row carries a term alone
		}
		got, err := without.at(params[i])
		if err != nil {
			continue
		}
		off := 100 * math.Abs(got.Cells/rows[i].UM2-1)
		e.Mean, e.Worst, e.LeftOut = e.Mean+off, max(e.Worst, off), e.LeftOut+1
		if rows[i].UM2 >= SmallUnit {
			e.Large = max(e.Large, off)
		}
	}
	e.Mean /= float64(max(1, e.LeftOut))
	return e, nil
}

// sameParams tells whether two sets of parameters are the same.
func sameParams(a, b Params) bool {
	if len(a) != len(b) {
		return false
	}
	for name, v := range a {
		if w, ok := b[name]; !ok || v != w {
			return false
		}
	}
	return true
}

// of lists the rows of a module with their parameters.
func (t *Table) of(module string) (rows []*Row, params []Params) {
	for i := range t.Rows {
		if r := &t.Rows[i]; r.Module == module {
			p, _ := ParseParams(r.Params) // reading the rows has checked them
			rows, params = append(rows, r), append(params, p)
		}
	}
	return rows, params
}

// A fitted model is a shape with the coefficients of its terms.
type fitted struct {
	table               *Table
	shape               *shape
	cells, sram1, sram2 linear
}

func (t *Table) fit(s *shape, rows []*Row, params []Params) (*fitted, error) {
	if len(rows) == 0 {
		return nil, fmt.Errorf("no rows in %s: %s", File, Command)
	}
	m := &fitted{table: t, shape: s}
	var cells, one, two []float64
	for i, r := range rows {
		rest := r.UM2
		if s.lane != "" {
			lane, err := laneOf(r, s.lane)
			if err != nil {
				return nil, err
			}
			rest -= lane.UM2 * float64(params[i]["Lanes"])
		}
		cells, one, two = append(cells, rest), append(one, float64(r.SRAM1)), append(two, float64(r.SRAM2))
	}
	m.cells, m.sram1, m.sram2 = solve(s.cells, params, cells), solve(s.sram1, params, one), solve(s.sram2, params, two)
	return m, nil
}

func laneOf(r *Row, module string) (Part, error) {
	for _, p := range r.Parts {
		if p.Module == module {
			return p, nil
		}
	}
	return Part{}, fmt.Errorf("the row %s has no part %s", r.Params, module)
}

// laneUM2 is a lane of a top with these parameters: that of a row with the same ones of the lane, else of the lane's own model.
func (m *fitted) laneUM2(p Params) (float64, error) {
	knobs := Params{}
	for _, k := range m.shape.knobs {
		knobs[k] = p[k]
	}
	if slices.Contains(m.shape.knobs, "Turns") {
		knobs["Turns"] = turns(p)
	}
	if row := m.table.find(m.shape.lane, knobs); row != nil {
		return row.UM2, nil
	}
	rows, params := m.table.of(m.shape.lane)
	s := shapes[m.shape.lane]
	lane, err := m.table.fit(&s, rows, params)
	if err != nil {
		return 0, err
	}
	size, err := lane.at(knobs)
	return size.Cells, err
}

// Among are those of some parameters that the rows of a module have.
func (t *Table) Among(module string, p Params) Params {
	_, params := t.of(module)
	own := Params{}
	for _, r := range params {
		for name := range r {
			if v, ok := p[name]; ok {
				own[name] = v
			}
		}
	}
	return own
}

// With is the row of a module whose parameters are all among those given, with the same values; nil where there is none or more than one.
func (t *Table) With(module string, p Params) (found *Row) {
	rows, params := t.of(module)
	for i, r := range params {
		agrees := true
		for name, v := range r {
			w, ok := p[name]
			agrees = agrees && ok && v == w
		}
		switch {
		case agrees && found != nil:
			return nil
		case agrees:
			found = rows[i]
		}
	}
	return found
}

func (t *Table) find(module string, p Params) *Row {
	rows, params := t.of(module)
	for i := range rows {
		if sameParams(params[i], p) {
			return rows[i]
		}
	}
	return nil
}

// at is the size that the model gives.
func (m *fitted) at(p Params) (s Size, err error) {
	if s.Cells, err = m.cells.at(p); err != nil {
		return s, err
	}
	if m.shape.lane != "" {
		lane, err := m.laneUM2(p)
		if err != nil {
			return s, err
		}
		s.Cells += lane * float64(p["Lanes"])
	}
	if s.SRAM1, err = m.sram1.at(p); err != nil {
		return s, err
	}
	s.SRAM2, err = m.sram2.at(p)
	return s, err
}

// A linear is a sum of terms, and the values that the ones left out of it had in all rows.
type linear struct {
	terms   []term
	factors []float64
	fixed   []fixed
}

type fixed struct {
	term
	value float64
}

// solve fits terms by least squares. It leaves out a term that does not vary by itself in the rows.
func solve(terms []term, params []Params, want []float64) (l linear) {
	var chosen []term
	values := func(t term) []float64 {
		v := make([]float64, len(params))
		for i, p := range params {
			v[i] = t.of(p)
		}
		return v
	}
	design := func(list []term) *mat.Dense {
		a := mat.NewDense(len(params), len(list), nil)
		for j, t := range list {
			a.SetCol(j, values(t))
		}
		return a
	}
	for _, t := range terms {
		try := append(slices.Clone(chosen), t)
		var svd mat.SVD
		if len(try) <= len(params) && svd.Factorize(design(try), mat.SVDNone) {
			if v := svd.Values(nil); v[len(v)-1] > 1e-9*v[0] {
				chosen = try
				continue
			}
		}
		if v := values(t); len(v) > 0 && slices.Max(v) == slices.Min(v) {
			l.fixed = append(l.fixed, fixed{t, v[0]})
		}
	}
	l.terms = chosen
	if len(chosen) == 0 {
		return l
	}
	var x mat.VecDense
	if err := x.SolveVec(design(chosen), mat.NewVecDense(len(want), want)); err == nil {
		l.factors = x.RawVector().Data
	}
	return l
}

// at is the sum for parameters. A term that no row varies must have the value that it has there.
func (l *linear) at(p Params) (float64, error) {
	sum := 0.0
	for i, t := range l.terms {
		sum += l.factors[i] * t.of(p)
	}
	for _, f := range l.fixed {
		if v := f.of(p); v != f.value {
			return 0, fmt.Errorf("no row tells what %s cost at %g instead of %g", f.reason, v, f.value)
		}
	}
	return max(0, sum), nil
}

func (l *linear) reasons() (list []string) {
	for _, t := range l.terms {
		list = append(list, t.reason)
	}
	return list
}
