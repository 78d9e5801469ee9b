package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"vcsim/internal/console"
)

// render writes r for people: as aligned text, or as markdown.
func (r *Result) render(b *strings.Builder, markdown bool, width int) {
	if markdown || width <= 0 {
		width = math.MaxInt
	}
	heading, bullet := "%s\n\n", "%s\n"
	if markdown {
		heading, bullet = "## %s\n\n", "- %s\n"
	}
	gap := "" // between the parts
	if r.Title != "" {
		title := r.Title
		if !markdown {
			title = console.Wrap(title, width)
		}
		fmt.Fprintf(b, heading, title)
	}
	if len(r.Facts) > 0 {
		t := newTable()
		t.Style().Options.SeparateHeader = false
		if markdown {
			t.AppendHeader(table.Row{"quantity", "value"})
		}
		for _, f := range r.Facts {
			t.AppendRow(table.Row{f.title(), strings.TrimSpace(f.cell(f.Value) + " " + f.Unit)})
		}
		if !markdown && width < math.MaxInt {
			names := 0
			for _, f := range r.Facts {
				names = max(names, utf8.RuneCountInString(f.title()))
			}
			t.SetColumnConfigs([]table.ColumnConfig{{Number: 2, WidthMax: max(minCell, width-names-2), WidthMaxEnforcer: wrapLines}})
		}
		b.WriteString(rendered(t, markdown))
		gap = "\n"
	}
	for _, tab := range r.Tables {
		b.WriteString(gap)
		gap = "\n"
		if len(r.Tables) > 1 {
			fmt.Fprintf(b, strings.Replace(heading, "##", "###", 1), strings.ReplaceAll(tab.Name, "_", " "))
		}
		if markdown {
			b.WriteString(rendered(tab.pretty(true, cellWidth), true))
		} else {
			b.WriteString(tab.fit(width))
		}
	}
	for _, n := range r.Notes {
		b.WriteString(gap)
		gap = ""
		if !markdown {
			n = console.Wrap(n, min(width, noteWidth))
		}
		fmt.Fprintf(b, bullet, n)
	}
	if r.Verbatim != "" {
		fence := ""
		if markdown {
			fence = "```\n"
		}
		fmt.Fprintf(b, "\n%s%s\n%s", fence, r.Verbatim, fence)
	}
}

// Text is wrapped at these widths, in characters: notes, and the cells of tables.
const noteWidth, cellWidth = console.MaxProse, 56

// wrapLines is console.Wrap of each line.
func wrapLines(s string, width int) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = console.Wrap(l, width)
	}
	return strings.Join(lines, "\n")
}

// breakWords breaks lines longer than width, behind a slash, a dot, a dash or an underscore where there is one in the second half.
func breakWords(s string, width int) string {
	var b strings.Builder
	for i, line := range strings.Split(s, "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		for r := []rune(line); ; {
			if len(r) <= width {
				b.WriteString(string(r))
				break
			}
			at := width
			for k := width; k > width/2; k-- {
				if strings.ContainsRune("/._-", r[k-1]) {
					at = k
					break
				}
			}
			b.WriteString(string(r[:at]))
			b.WriteByte('\n')
			r = r[at:]
		}
	}
	return b.String()
}

// newTable is an empty table in the one style of vcsim: no frame, a rule below the header.
func newTable() table.Writer {
	t := table.NewWriter()
	s := table.StyleLight
	s.Options = table.Options{SeparateHeader: true}
	s.Box.PaddingLeft, s.Box.PaddingRight = "", "  "
	s.Format.Header = text.FormatDefault
	t.SetStyle(s)
	t.SuppressTrailingSpaces()
	return t
}

func rendered(t table.Writer, markdown bool) string {
	if markdown {
		return t.RenderMarkdown() + "\n"
	}
	return t.Render() + "\n"
}

// minCell is the least width that cells are wrapped to.
const minCell = 24

// fit is the table as text of at most width characters a line, if need be without some columns, which it names.
func (tab *Table) fit(width int) string {
	var s string
	for _, cell := range []int{cellWidth, 40, 32, minCell} {
		if s = rendered(tab.pretty(false, cell), false); widest(s) <= width {
			return s
		}
	}
	left := *tab
	var gone []string
	for len(left.Columns) > 2 {
		j := len(left.Columns) - 1
		for k := j; k > 1; k-- {
			if left.Columns[k].Minor {
				j = k
				break
			}
		}
		gone = append([]string{left.Columns[j].title()}, gone...)
		left = left.without(j)
		for _, cell := range []int{cellWidth, 40, 32, minCell} {
			if s = rendered(left.pretty(false, cell), false); widest(s) <= width {
				return s + console.Wrap("Left out: "+strings.Join(gone, ", ")+" (--wide, --json).", width) + "\n"
			}
		}
	}
	return s + console.Wrap("Left out: "+strings.Join(gone, ", ")+" (--wide, --json).", width) + "\n"
}

// without returns the table without column j.
func (tab *Table) without(j int) Table {
	t := Table{Name: tab.Name, Columns: slices.Delete(slices.Clone(tab.Columns), j, j+1)}
	for _, row := range tab.Rows {
		t.Rows = append(t.Rows, slices.Delete(slices.Clone(row), j, j+1))
	}
	return t
}

// widest is the number of characters of the longest line.
func widest(s string) (n int) {
	for line := range strings.Lines(s) {
		n = max(n, utf8.RuneCountInString(strings.TrimRight(line, " \n")))
	}
	return n
}

// pretty lays the table out. In text, a unit that would widen its column stands below the title.
func (tab *Table) pretty(markdown bool, cellWidth int) table.Writer {
	t := newTable()
	header := make(table.Row, len(tab.Columns))
	configs := make([]table.ColumnConfig, len(tab.Columns))
	for j, c := range tab.Columns {
		header[j] = c.title()
		if c.Unit != "" {
			widest := 0
			for _, row := range tab.Rows {
				widest = max(widest, utf8.RuneCountInString(c.cell(row[j])))
			}
			gap := " "
			if !markdown && len(c.title())+len(c.Unit)+3 > widest {
				gap = "\n"
			}
			header[j] = c.title() + gap + "(" + c.Unit + ")"
		}
		configs[j].Number = j + 1
		if !markdown {
			configs[j].WidthMax, configs[j].WidthMaxEnforcer = cellWidth, wrapLines
			if cellWidth == minCell { // names and paths too
				configs[j].WidthMaxEnforcer = func(s string, width int) string { return breakWords(wrapLines(s, width), width) }
			}
		}
		for _, row := range tab.Rows {
			switch row[j].(type) {
			case int, int64, float64, Range:
				configs[j].Align, configs[j].AlignHeader = text.AlignRight, text.AlignRight
			}
		}
	}
	t.SetColumnConfigs(configs)
	t.AppendHeader(header)
	for _, row := range tab.Rows {
		cells := make(table.Row, len(row))
		for j, v := range row {
			cells[j] = tab.Columns[j].cell(v)
		}
		t.AppendRow(cells)
	}
	return t
}

func (c Column) title() string {
	if c.Title != "" {
		return c.Title
	}
	name := c.Key
	if c.Unit != "" { // which stands beside the value or below the title
		if s := strings.TrimSuffix(name, "_"+strings.ToLower(unitKeys.Replace(c.Unit))); s != "" {
			name = s
		}
	}
	return strings.ReplaceAll(name, "_", " ")
}

// cell is v for people.
func (c Column) cell(v any) string {
	switch v := v.(type) {
	case nil:
		return "-"
	case float64:
		if c.Digits > 0 {
			return strconv.FormatFloat(v, 'f', c.Digits, 64)
		}
		if a := math.Abs(v); a >= 1e4 && a < 1e15 {
			return strconv.FormatFloat(v, 'f', 0, 64)
		}
		return strconv.FormatFloat(v, 'g', 4, 64)
	case Range:
		return c.cell(min(v.Value, v.Other)) + "-" + c.cell(max(v.Value, v.Other))
	}
	return fmt.Sprint(v)
}

func writeCSV(w io.Writer, t *Table) error {
	cw := csv.NewWriter(w)
	rec := make([]string, len(t.Columns))
	for j, c := range t.Columns {
		rec[j] = c.Key
	}
	cw.Write(rec)
	for _, row := range t.Rows {
		for j, v := range row {
			switch v := v.(type) {
			case nil:
				rec[j] = ""
			case float64:
				rec[j] = strconv.FormatFloat(v, 'g', -1, 64)
			case Range:
				rec[j] = strconv.FormatFloat(v.Value, 'g', -1, 64)
			default:
				rec[j] = fmt.Sprint(v)
			}
		}
		cw.Write(rec)
	}
	cw.Flush()
	return cw.Error()
}

// An object is JSON with its keys in order.
type object []member

type member struct {
	key string
	val any
}

func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	for i, m := range o {
		b.WriteByte("{,"[min(i, 1)])
		key, err := encode(m.key)
		if err != nil {
			return nil, err
		}
		val, err := encode(m.val)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.key, err)
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(val)
	}
	if len(o) == 0 {
		b.WriteByte('{')
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// encode is json.Marshal that leaves <, > and & alone.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

func writeJSON(w io.Writer, results []*Result) error {
	docs := make([]json.RawMessage, len(results))
	for i, r := range results {
		doc, err := r.json()
		if err != nil {
			return fmt.Errorf("report: %s: %w", r.Schema, err)
		}
		docs[i] = doc
	}
	var data []byte
	var err error
	if len(docs) == 1 {
		data = docs[0]
	} else if data, err = encode(docs); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, data, "", "  "); err != nil {
		return err
	}
	b.WriteByte('\n')
	_, err = w.Write(b.Bytes())
	return err
}

// json is r as one JSON object, `schema` first.
func (r *Result) json() ([]byte, error) {
	head, err := encode(object{{"schema", r.Schema}})
	if err != nil {
		return nil, err
	}
	var body []byte
	if r.Payload != nil {
		body, err = encode(r.Payload)
	} else {
		body, err = encode(r.object())
	}
	if err != nil {
		return nil, err
	}
	if body[0] != '{' {
		return nil, errors.New("the payload is not an object")
	}
	if bytes.HasPrefix(body, []byte(`{"schema":`)) { // the payload says it itself
		if !bytes.HasPrefix(body, head[:len(head)-1]) {
			return nil, errors.New("the payload names another schema")
		}
		return body, nil
	}
	if len(body) > 2 { // not {}
		head[len(head)-1] = ','
		head = append(head, body[1:]...)
	}
	return head, nil
}

func (r *Result) object() object {
	var o object
	for _, f := range r.Facts {
		o = append(o, member{f.Key, f.Value})
	}
	for _, t := range r.Tables {
		rows := make([]object, len(t.Rows))
		for i, row := range t.Rows {
			for j, v := range row {
				rows[i] = append(rows[i], member{t.Columns[j].Key, v})
			}
		}
		o = append(o, member{t.Name, rows})
	}
	return o
}
