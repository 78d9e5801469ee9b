// Package layouts writes the reference pages of what the program prints as JSON and reads as YAML, for the tests that hold
// docs/json.md and docs/yaml.md against the program: the layouts come from documents that the program printed and from the
// types that it decodes into, the meanings from the comments of those types and from one list of keys.
package layouts

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Documents collects what documents of each schema look like.
type Documents struct {
	schemas map[string]*schema
	names   []string // in their order
}

// A schema is the union of the documents that name it.
type schema struct {
	commands []string
	keys     []string // paths, in their order
	about    map[string]*key
	objects  map[string]int // how many objects were at a path; "" is the document
}

type key struct {
	types map[string]bool // "number", "string", "list", ...
	count int             // objects that have it
}

// shared are objects that several schemas hold: they have a section of their own.
var shared = map[string]string{"layout": "layout", "statements[]": "statement"}

// variable are keys that follow from the command line or from names.
var variable = []struct {
	re *regexp.Regexp
	as string
}{
	{regexp.MustCompile(`^at_[0-9.]+$`), "at_RATE"},
	{regexp.MustCompile(`^at_[0-9.]+_db$`), "at_ERROR_db"},
	{regexp.MustCompile(`^(ht|t|h)26[45]$`), "CODEC"},
	{regexp.MustCompile(`^t26[45]_(hw|rdo)_bits$`), "CODEC_TIER_bits"},
}

// Add takes what a command printed: one document, or a list of them.
func (d *Documents) Add(command string, printed []byte) error {
	dec := json.NewDecoder(bytes.NewReader(printed))
	dec.UseNumber()
	tok, err := dec.Token()
	if err != nil {
		return err
	}
	if tok == json.Delim('[') {
		for dec.More() {
			if tok, err = dec.Token(); err != nil {
				return err
			}
			if err := d.document(command, dec, tok); err != nil {
				return err
			}
		}
		_, err = dec.Token()
	} else {
		err = d.document(command, dec, tok)
	}
	if err != nil {
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return fmt.Errorf("more than one document")
	}
	return nil
}

// document reads one whose first token was read; its first key is its schema.
func (d *Documents) document(command string, dec *json.Decoder, tok json.Token) error {
	name, err := dec.Token()
	if err != nil {
		return err
	}
	value, err := dec.Token()
	if err != nil {
		return err
	}
	text, ok := value.(string)
	if tok != json.Delim('{') || name != "schema" || !ok {
		return fmt.Errorf("the document begins with %v, %v %v: want its schema", tok, name, value)
	}
	s := d.schema(text)
	if len(s.commands) == 0 || !slices.Contains(s.commands, command) {
		s.commands = append(s.commands, command)
	}
	return d.object(s, "", dec)
}

func (d *Documents) schema(name string) *schema {
	if d.schemas == nil {
		d.schemas = map[string]*schema{}
	}
	s := d.schemas[name]
	if s == nil {
		s = &schema{about: map[string]*key{}, objects: map[string]int{}}
		d.schemas[name] = s
		d.names = append(d.names, name)
	}
	return s
}

// object reads the keys of an object up to its end.
func (d *Documents) object(s *schema, path string, dec *json.Decoder) error {
	s.objects[path]++
	seen := map[string]bool{}
	for dec.More() {
		tok, err := dec.Token()
		if err != nil {
			return err
		}
		name := tok.(string)
		for _, v := range variable {
			if v.re.MatchString(name) {
				name = v.as
			}
		}
		if path == "config" { // of a manifest
			name = "FLAG"
		}
		sub := name
		if path != "" {
			sub = path + "." + name
		}
		if tok, err = dec.Token(); err != nil {
			return err
		}
		if err := d.value(s, sub, dec, tok, !seen[sub]); err != nil {
			return err
		}
		seen[sub] = true
	}
	_, err := dec.Token()
	return err
}

func (d *Documents) value(s *schema, path string, dec *json.Decoder, tok json.Token, first bool) error {
	k := s.about[path]
	if k == nil {
		k = &key{types: map[string]bool{}}
		s.about[path] = k
		s.keys = append(s.keys, path)
	}
	if first {
		k.count++
	}
	name := path[strings.LastIndexByte(path, '.')+1:]
	switch t := tok.(type) {
	case json.Delim:
		to, below := s, path
		if as := shared[name]; as != "" {
			to, below = d.schema(as), ""
			k.types[as] = true
		}
		if t == '[' {
			k.types["list"] = true
			for dec.More() {
				tok, err := dec.Token()
				if err != nil {
					return err
				}
				if err := d.value(s, path+"[]", dec, tok, true); err != nil {
					return err
				}
			}
			_, err := dec.Token()
			return err
		}
		if shared[name] == "" {
			k.types["object"] = true
		}
		return d.object(to, below, dec)
	case json.Number:
		k.types["number"] = true
	case string:
		k.types["string"] = true
	case bool:
		k.types["true or false"] = true
	case nil:
		k.types["null"] = true
	}
	return nil
}

// typeOf is what a path holds, in words: "list of objects".
func (s *schema) typeOf(path string) string {
	names := slices.Sorted(maps.Keys(s.about[path].types))
	null := slices.Contains(names, "null")
	names = slices.DeleteFunc(names, func(n string) bool { return n == "null" })
	text := strings.Join(names, " or ")
	if text == "list" {
		of := ""
		if e := s.about[path+"[]"]; e != nil {
			of = s.typeOf(path + "[]")
		}
		switch {
		case of == "":
			text = "empty list"
		case strings.Contains(of, " "):
			text = "list of " + of
		default:
			text = "list of " + of + "s"
		}
	}
	if null && text != "" {
		text += " or null"
	} else if null {
		text = "null"
	}
	return text
}

// optional reports whether some object at the place of a path lacks it.
func (s *schema) optional(path string) bool {
	parent := ""
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		parent = path[:i]
	}
	return s.about[path].count < s.objects[parent]
}

// Meanings says what keys mean.
type Meanings struct {
	Keys     map[string]string // by path, or by the end of one
	Comments map[string]string // of fields of Go types, by the key of their tag

	used map[string]bool
}

// Of is the meaning of a path in a schema; the longest entry that fits wins.
func (m *Meanings) Of(schema, path string) string {
	path = strings.ReplaceAll(path, "[]", "")
	for name := schema + ":" + path; ; {
		if text, ok := m.Keys[name]; ok {
			if m.used == nil {
				m.used = map[string]bool{}
			}
			m.used[name] = true
			return text
		}
		i := strings.IndexAny(name, ":.")
		if strings.Contains(name, ":") {
			i = strings.IndexByte(name, ':') // the dots of a schema's name are none of a path
		}
		if i < 0 {
			return m.Comments[name]
		}
		name = name[i+1:]
	}
}

// Unused lists the entries that no path of JSON has taken.
func (m *Meanings) Unused() (list []string) {
	for name := range m.Keys {
		if !m.used[name] && !strings.HasPrefix(name, "yaml:") {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// Page writes the sections of all schemas, in the order of their names, and returns the paths without a meaning.
func (d *Documents) Page(m *Meanings) (page string, unknown []string) {
	var b strings.Builder
	names := slices.Clone(d.names)
	slices.SortFunc(names, func(a, b string) int { // objects of several schemas last
		inA, inB := strings.Contains(a, "/"), strings.Contains(b, "/")
		if inA != inB {
			return map[bool]int{true: -1, false: 1}[inA]
		}
		return strings.Compare(a, b)
	})
	for _, name := range names {
		s := d.schemas[name]
		fmt.Fprintf(&b, "\n## %s\n\n", name)
		if len(s.commands) > 0 {
			fmt.Fprintf(&b, "Printed by %s.\n\n", code(s.commands))
		}
		b.WriteString("| key | type | unit | meaning |\n| --- | --- | --- | --- |\n")
		for _, path := range s.keys {
			if strings.HasSuffix(path, "[]") {
				continue // its list says what it holds
			}
			text := m.Of(name, path)
			if text == "" {
				unknown = append(unknown, name+":"+path)
			}
			typ := s.typeOf(path)
			if s.optional(path) {
				typ += ", may be absent"
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", path, typ, Unit(path), strings.ReplaceAll(text, "|", "or"))
		}
	}
	return b.String(), unknown
}

func code(names []string) string { return "`" + strings.Join(names, "`, `") + "`" }

// units are the ends of keys that are units, the longest first.
var units = []struct{ end, unit string }{
	{"gb_per_s", "GB/s"}, {"mb_per_s", "MB/s"}, {"mvalues_per_s", "Mvalues/s"}, {"kcycles_per_s", "kcycles/s"}, {"tokens_per_s", "tokens/s"}, {"samples_per_s", "samples/s"},
	{"tera_per_s", "10^12/s"}, {"j_per_token", "J/token"}, {"pj_per_wire_bit", "pJ/bit"}, {"pj_per_raw_bit", "pJ/bit"}, {"pj_per_bit", "pJ/bit"}, {"pj_per_value", "pJ/value"},
	{"gb_per_gpu", "GB/GPU"}, {"gbps_per_gpu", "Gbps"}, {"gbps_per_node", "Gbps"}, {"values_per_cycle", "values/cycle"}, {"samples_per_cycle", "samples/cycle"}, {"bins_per_cycle", "bins/cycle"}, {"bits_per_cycle", "bits/cycle"},
	{"bits_per_value", "bits/value"}, {"bins_per_value", "bins/value"}, {"operations_per_value", "operations/value"},
	{"tflops", "TFLOP/s"}, {"mparams", "10^6"}, {"params_b", "10^9"}, {"pj_per_flop_16", "pJ/FLOP"}, {"pj_per_flop_8", "pJ/FLOP"}, {"pj_per_flop_4", "pJ/FLOP"},
	{"percent", "%"}, {"bytes", "bytes"}, {"tokens", "tokens"}, {"sequences", "sequences"}, {"gbps", "Gbps"}, {"mm2", "mm2"}, {"cycles", "cycles"}, {"bits", "bits"},
	{"gib", "GiB"}, {"gb", "GB"}, {"mw", "mW"}, {"hz", "Hz"}, {"db", "dB"}, {"us", "us"}, {"ms", "ms"}, {"pj", "pJ"}, {"w", "W"}, {"s", "s"},
}

// Unit is the unit that a key ends in; "" where it has none.
func Unit(path string) string {
	name := strings.TrimSuffix(path[strings.LastIndexByte(path, '.')+1:], "[]")
	for _, u := range units {
		if name == u.end || strings.HasSuffix(name, "_"+u.end) {
			return u.unit
		}
	}
	return ""
}
