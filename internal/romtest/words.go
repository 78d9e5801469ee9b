package romtest

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"vcsim/internal/golden"
)

// A Word is what one unit hands to another in Verilog: a Go struct whose fields, the
// lowest first, carry their width in bits.
//
//	Height uint16   `rtl:"10"`            // a number
//	Thread uint8    `rtl:"ThreadBits"`    // or what follows from parameters of the module
//	Last   bool                           // 1 bit
//	Levels [16]int16 `rtl:"12 from 1"`    // each value, without those before number 1
//	Job    job                            // a word in the word, named or embedded: all of its fields
//
// A field without a tag is not in the word, unless it is a bool or a struct.
type Word struct {
	Name  string // of the macros
	Value any    // the struct
}

// Words returns a Verilog header with the layout of words: macros for the offset of
// each field (_AT), for its width (_BITS), and for both as what goes into the brackets
// of a select (no suffix); for the width of a value of a field of several (_EACH); and
// for the width of the word (_BITS). None has an argument: the preprocessor of iverilog
// 11 crashes where those of one file reach another.
func Words(file, prefix, purpose, source string, words []Word) string {
	guard := strings.ToUpper(strings.ReplaceAll(file, ".", "_"))
	var s strings.Builder
	fmt.Fprintf(&s, "// %s\n//\n// Generated from %s\n// by go generate. Do not edit.\n\n`ifndef %s\n`define %s\n",
		strings.ReplaceAll(purpose, "\n", "\n// "), source, guard, guard)
	for _, w := range words {
		t := reflect.TypeOf(w.Value)
		fields := layout(t)
		type define struct{ name, value string }
		name := prefix + "_" + w.Name
		var list []define
		var at sum
		for _, f := range fields {
			n := name + "_" + upper(f.name)
			offset := at.String()
			list = append(list, define{n, selected(at, f.bits())})
			list = append(list, define{n + "_AT", parenthesised(offset)}, define{n + "_BITS", parenthesised(f.bits().String())})
			if f.count > 1 {
				list = append(list, define{n + "_EACH", parenthesised(f.width.String())})
			}
			if !f.whole {
				at = at.add(f.bits())
			}
		}
		list = append(list, define{name + "_BITS", parenthesised(at.String())})
		width := 0
		for _, d := range list {
			width = max(width, len(d.name))
		}
		fmt.Fprintf(&s, "\n// %s\n", t.Name())
		for _, d := range list {
			fmt.Fprintf(&s, "`define %-*s %s\n", width, d.name, d.value)
		}
	}
	s.WriteString("\n`endif\n")
	return s.String()
}

// Bits returns the bits of a word of at most 64, whose widths are all numbers.
func Bits(word any) uint64 {
	var bits uint64
	at := 0
	put := func(v reflect.Value, width int) {
		var x uint64
		switch {
		case v.Kind() == reflect.Bool && v.Bool():
			x = 1
		case v.CanInt():
			x = uint64(v.Int())
		case v.CanUint():
			x = v.Uint()
		}
		bits |= x & (1<<width - 1) << at
		at += width
	}
	v := reflect.ValueOf(word)
	for _, f := range layout(v.Type()) {
		if f.whole {
			continue
		}
		field := v.FieldByIndex(f.index)
		if field.Kind() != reflect.Array {
			put(field, f.width.plain)
			continue
		}
		for i := f.first; i < field.Len(); i++ {
			put(field.Index(i), f.width.plain)
		}
	}
	return bits
}

// CheckWords compares a generated header with that in dir. The flag -update writes it
// first.
func CheckWords(t *testing.T, dir, file, want string) {
	t.Helper()
	golden.Check(t, filepath.Join(dir, file), want)
}

// A sum of a number and of terms that are parameters, each with how often it counts.
type sum struct {
	terms []term
	plain int
}

type term struct {
	text  string
	times int
}

func (a sum) add(b sum) sum {
	out := sum{plain: a.plain + b.plain, terms: append([]term(nil), a.terms...)}
next:
	for _, t := range b.terms {
		for i := range out.terms {
			if out.terms[i].text == t.text {
				out.terms[i].times += t.times
				continue next
			}
		}
		out.terms = append(out.terms, t)
	}
	return out
}

func (a sum) times(n int) sum {
	out := sum{plain: n * a.plain}
	for _, t := range a.terms {
		out.terms = append(out.terms, term{t.text, n * t.times})
	}
	return out
}

func (a sum) String() string {
	var parts []string
	for _, t := range a.terms {
		if t.times == 1 {
			parts = append(parts, t.text)
		} else {
			parts = append(parts, fmt.Sprintf("%d * %s", t.times, t.text))
		}
	}
	text := strings.Join(parts, " + ")
	switch {
	case len(parts) == 0:
		return strconv.Itoa(a.plain)
	case a.plain > 0:
		return text + " + " + strconv.Itoa(a.plain)
	case a.plain < 0:
		return text + " - " + strconv.Itoa(-a.plain)
	}
	return text
}

func parenthesised(s string) string {
	if strings.Contains(s, " ") {
		return "(" + s + ")"
	}
	return s
}

func selected(at, bits sum) string {
	if len(bits.terms) == 0 && bits.plain == 1 {
		return at.String()
	}
	return at.String() + " +: " + bits.String()
}

type field struct {
	name         string
	width        sum // of a value
	count, first int
	whole        bool  // a word in the word, whose fields follow
	index        []int // as reflect.Value.FieldByIndex takes it
}

func (f field) bits() sum { return f.width.times(f.count) }

// layout returns the fields of a word, the lowest first.
func layout(t reflect.Type) []field {
	var fields []field
	for i := range t.NumField() {
		f := t.Field(i)
		tag, tagged := f.Tag.Lookup("rtl")
		switch {
		case tagged:
		case f.Type.Kind() == reflect.Struct:
			inner := layout(f.Type)
			whole := field{name: f.Name, count: 1, whole: true}
			for _, g := range inner {
				if !g.whole {
					whole.width = whole.width.add(g.bits())
				}
			}
			for j := range inner {
				inner[j].index = append([]int{i}, inner[j].index...)
			}
			fields = append(append(fields, whole), inner...)
			continue
		case f.Type.Kind() == reflect.Bool:
			tag = "1"
		default:
			continue
		}
		text, from, _ := strings.Cut(tag, " from ")
		out := field{name: f.Name, index: []int{i}, count: 1}
		if n, err := strconv.Atoi(text); err == nil {
			out.width.plain = n
		} else {
			out.width.terms = []term{{text, 1}}
		}
		if f.Type.Kind() == reflect.Array {
			if from != "" {
				n, err := strconv.Atoi(from)
				if err != nil {
					panic("romtest: " + t.Name() + "." + f.Name + ": " + err.Error())
				}
				out.first = n
			}
			out.count = f.Type.Len() - out.first
		}
		fields = append(fields, out)
	}
	return fields
}

// upper returns the name of a field as macros have it: QPDelta becomes QP_DELTA.
func upper(name string) string {
	var s strings.Builder
	for i, c := range name {
		big := func(j int) bool { return j < len(name) && name[j] >= 'A' && name[j] <= 'Z' }
		if i > 0 && big(i) && (!big(i-1) || i+1 < len(name) && !big(i+1) && !(name[i+1] >= '0' && name[i+1] <= '9')) {
			s.WriteByte('_')
		}
		s.WriteRune(c)
	}
	return strings.ToUpper(s.String())
}
