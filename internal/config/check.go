package config

import (
	"encoding"
	"fmt"
	"math"
	"reflect"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// A checker holds a YAML value against the Go type it will be decoded into, before yaml.v3 decodes it. yaml.v3 alone
// takes null for any type, NaN for a number and 1.5 for an integer, and checks field names in whole files only.
type checker struct{ file string }

var (
	nodeType            = reflect.TypeFor[yaml.Node]()
	durationType        = reflect.TypeFor[time.Duration]()
	unmarshalerType     = reflect.TypeFor[yaml.Unmarshaler]()
	textUnmarshalerType = reflect.TypeFor[encoding.TextUnmarshaler]()
)

func (c *checker) errorf(n *Node, path, format string, args ...any) error {
	msg := fmt.Sprintf(format, args...)
	if path != "" {
		msg = path + ": " + msg
	}
	return &Error{File: c.file, Line: max(n.Line, 1), Msg: msg}
}

// value checks node n, reached by the keys in path, against type t.
func (c *checker) value(n *Node, t reflect.Type, path string) error {
	if n.Kind == yaml.AliasNode || n.Anchor != "" {
		return c.errorf(n, path, "anchors and aliases are not supported")
	}
	if t == nodeType {
		return nil
	}
	if t.Kind() == reflect.Pointer {
		if n.Tag == "!!null" {
			return nil
		}
		return c.value(n, t.Elem(), path)
	}
	if p := reflect.PointerTo(t); t == durationType || p.Implements(unmarshalerType) || p.Implements(textUnmarshalerType) {
		return c.leaf(n, t, path)
	}
	switch t.Kind() {
	case reflect.Struct:
		return c.mapping(n, t, path)
	case reflect.Map:
		return c.mapping(n, t, path)
	case reflect.Slice, reflect.Array:
		if n.Kind != yaml.SequenceNode {
			return c.errorf(n, path, "want a list, got %s", describe(n))
		}
		for i, e := range n.Content {
			if err := c.value(e, t.Elem(), fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
		return nil
	case reflect.Interface:
		switch n.Kind {
		case yaml.MappingNode:
			return c.mapping(n, reflect.MapOf(reflect.TypeFor[string](), t), path)
		case yaml.SequenceNode:
			return c.value(n, reflect.SliceOf(t), path)
		}
		return c.finite(n, path)
	}
	return c.leaf(n, t, path)
}

// mapping checks the keys and values of n against a struct or a map type.
func (c *checker) mapping(n *Node, t reflect.Type, path string) error {
	if n.Kind != yaml.MappingNode {
		return c.errorf(n, path, "want keys and values, got %s", describe(n))
	}
	var names []string
	fields := map[string]reflect.Type{}
	if t.Kind() == reflect.Struct {
		names = addFields(nil, fields, t)
	}
	seen := map[string]int{}
	for i := 0; i < len(n.Content); i += 2 {
		key, val := n.Content[i], n.Content[i+1]
		if key.Kind != yaml.ScalarNode || key.Tag == "!!merge" {
			return c.errorf(key, path, "want a plain key, got %s", describe(key))
		}
		if first, ok := seen[key.Value]; ok {
			return c.errorf(key, path, "duplicate key %s, first on line %d", key.Value, first)
		}
		seen[key.Value] = key.Line
		var elem reflect.Type
		if t.Kind() == reflect.Map {
			elem = t.Elem()
			if err := c.leaf(key, t.Key(), path); err != nil {
				return err
			}
		} else if elem = fields[key.Value]; elem == nil {
			return c.errorf(key, path, "unknown key %s%s", key.Value, DidYouMean(key.Value, names))
		}
		sub := key.Value
		if path != "" {
			sub = path + "." + key.Value
		}
		if err := c.value(val, elem, sub); err != nil {
			return err
		}
	}
	return nil
}

// addFields collects the YAML keys of struct type t and their types, in order of declaration.
func addFields(names []string, fields map[string]reflect.Type, t reflect.Type) []string {
	for i := range t.NumField() {
		f := t.Field(i)
		tag, opts, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		switch {
		case !f.IsExported() || tag == "-":
			continue
		case strings.Contains(opts, "inline"):
			names = addFields(names, fields, f.Type)
			continue
		case tag == "":
			tag = strings.ToLower(f.Name)
		}
		names = append(names, tag)
		fields[tag] = f.Type
	}
	return names
}

// leaf checks a value that yaml.v3 decodes in one piece.
func (c *checker) leaf(n *Node, t reflect.Type, path string) error {
	if n.Tag == "!!null" {
		return c.errorf(n, path, "want %s, got nothing", want(t))
	}
	if err := c.finite(n, path); err != nil {
		return err
	}
	v := reflect.New(t)
	err := n.Decode(v.Interface())
	if f := 0.0; err == nil && (v.Elem().CanInt() || v.Elem().CanUint()) && n.Tag == "!!float" && n.Decode(&f) == nil && f != math.Trunc(f) {
		err = &yaml.TypeError{} // yaml.v3 would drop the fraction
	}
	switch err := err.(type) {
	case nil:
		return nil
	case *yaml.TypeError:
		return c.errorf(n, path, "want %s, got %s", want(t), describe(n))
	default:
		return c.errorf(n, path, "%v", err)
	}
}

func (c *checker) finite(n *Node, path string) error {
	var f float64
	if n.Kind == yaml.ScalarNode && n.Tag == "!!float" && (n.Decode(&f) != nil || math.IsNaN(f) || math.IsInf(f, 0)) {
		return c.errorf(n, path, "%s is not a finite number", n.Value)
	}
	return nil
}

func want(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a text"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return fmt.Sprintf("a whole number of at most %d bits", t.Bits())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return fmt.Sprintf("a whole number from 0 of at most %d bits", t.Bits())
	}
	return "a " + t.Name()
}

// describe names what stands in the file, shortened to one line.
func describe(n *Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "keys and values"
	case yaml.SequenceNode:
		return "a list"
	}
	if n.Tag == "!!null" {
		return "nothing"
	}
	v := n.Value
	if r := []rune(v); len(r) > 40 {
		v = string(r[:40]) + "..."
	}
	return fmt.Sprintf("%q", v)
}

// DidYouMean returns "; did you mean X?" for the known name nearest to word, or "" when none is near.
func DidYouMean(word string, known []string) string {
	if near := Nearest(word, known); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// Nearest returns the known name within two edits of word (one for words up to four letters), or of which word is the
// start; "" if there is none. The first of equals wins.
func Nearest(word string, known []string) string {
	best, limit := "", 2
	if len(word) <= 4 {
		limit = 1
	}
	least := limit + 1
	for _, k := range known {
		d := edits(strings.ToLower(word), strings.ToLower(k), least)
		if len(word) >= 3 && d > 1 && strings.HasPrefix(k, word) {
			d = 1
		}
		if d < least {
			best, least = k, d
		}
	}
	return best
}

// edits is the optimal string alignment distance of a and b (insert, delete, replace, swap neighbours); at least
// limit is returned when the lengths alone differ by that much.
func edits(a, b string, limit int) int {
	if d := len(a) - len(b); d >= limit || -d >= limit {
		return limit
	}
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for j := range rows[0] {
		rows[0][j] = j
	}
	prev2, prev, cur := rows[2], rows[0], rows[1]
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return prev[len(b)]
}
