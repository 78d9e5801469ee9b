// Package liberty reads Liberty files, the descriptions of standard cells that synthesis, timing and power work from, and finds the
// one to use. Where no ASAP7 liberty is at hand, it writes a compact one from the facts of its cells that it carries.
package liberty

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A Group is a group of a Liberty file with its attributes, both in order: library, cell, pin, timing, and so on.
type Group struct {
	Name   string
	Args   []string
	Attrs  []Attr
	Groups []*Group
}

// An Attr is an attribute: name : value, or name (value, ...). Values have no quotes.
type Attr struct {
	Name   string
	Values []string
}

// Attr is the first value of an attribute, "" without one.
func (g *Group) Attr(name string) string {
	for i := range g.Attrs {
		if g.Attrs[i].Name == name && len(g.Attrs[i].Values) > 0 {
			return g.Attrs[i].Values[0]
		}
	}
	return ""
}

// All are the groups of a name.
func (g *Group) All(name string) (list []*Group) {
	for _, c := range g.Groups {
		if c.Name == name {
			list = append(list, c)
		}
	}
	return list
}

// arg is the first argument of a group, "" without one.
func (g *Group) arg() string {
	if len(g.Args) == 0 {
		return ""
	}
	return g.Args[0]
}

// ParseGroup reads the syntax of Liberty: one group with all that it holds. name is for messages, which give the line.
func ParseGroup(name string, r io.Reader) (*Group, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	p := &parser{text: string(text), line: 1}
	g, err := p.file()
	if err != nil {
		return nil, fmt.Errorf("%s:%d: %w", name, p.line, err)
	}
	return g, nil
}

// A parser is at a token of a text.
type parser struct {
	text string
	line int
	kind byte // of the token: 'w' for a word or string, 0 at the end, or the character itself
	word string
}

// next goes to the next token. Newlines mean nothing, a backslash before one neither.
func (p *parser) next() error {
	for p.text != "" {
		switch c := p.text[0]; {
		case c == '\n':
			p.line++
			p.text = p.text[1:]
		case c == ' ' || c == '\t' || c == '\r' || c == '\\':
			p.text = p.text[1:]
		case strings.HasPrefix(p.text, "/*"):
			end := strings.Index(p.text, "*/")
			if end < 0 {
				return fmt.Errorf("a comment does not end")
			}
			p.skip(end + 2)
		case c == '"':
			end := strings.IndexByte(p.text[1:], '"')
			if end < 0 {
				return fmt.Errorf("a string does not end")
			}
			p.kind, p.word = 'w', p.text[1:1+end]
			p.skip(end + 2)
			return nil
		case strings.IndexByte("(){}:;,", c) >= 0:
			p.kind, p.text = c, p.text[1:]
			return nil
		default:
			end := strings.IndexAny(p.text, "(){}:;,\" \t\r\n\\")
			if end < 0 {
				end = len(p.text)
			}
			p.kind, p.word, p.text = 'w', p.text[:end], p.text[end:]
			return nil
		}
	}
	p.kind = 0
	return nil
}

// skip goes over n bytes.
func (p *parser) skip(n int) {
	p.line += strings.Count(p.text[:n], "\n")
	p.text = p.text[n:]
}

// file is the one group of a file.
func (p *parser) file() (*Group, error) {
	var all Group
	if err := p.next(); err != nil {
		return nil, err
	}
	for p.kind != 0 {
		if err := p.statement(&all); err != nil {
			return nil, err
		}
	}
	if len(all.Groups) != 1 || len(all.Attrs) > 0 {
		return nil, fmt.Errorf("want one group, library")
	}
	return all.Groups[0], nil
}

// statement reads an attribute or a group into g, from its name on.
func (p *parser) statement(g *Group) error {
	if p.kind == ';' {
		return p.next()
	}
	if p.kind != 'w' {
		return p.unexpected("a name")
	}
	name := p.word
	if err := p.next(); err != nil {
		return err
	}
	switch p.kind {
	case ':':
		value, err := p.value()
		if err != nil {
			return err
		}
		g.Attrs = append(g.Attrs, Attr{name, []string{value}})
		return nil
	case '(':
		args, err := p.args()
		if err != nil {
			return err
		}
		if p.kind == '{' {
			return p.group(g, name, args)
		}
		g.Attrs = append(g.Attrs, Attr{name, args})
		return nil
	}
	return p.unexpected(": or ( after " + name)
}

// value reads what is between : and the end of the line or a semicolon.
func (p *parser) value() (string, error) {
	if err := p.next(); err != nil {
		return "", err
	}
	if p.kind != 'w' {
		return "", p.unexpected("a value")
	}
	value := p.word
	return value, p.next()
}

// args reads the arguments after ( and goes behind the ).
func (p *parser) args() (args []string, err error) {
	for {
		if err := p.next(); err != nil {
			return nil, err
		}
		switch p.kind {
		case 'w':
			args = append(args, p.word)
		case ',', ':': // a list, a range of bits
		case ')':
			return args, p.next()
		default:
			return nil, p.unexpected(")")
		}
	}
}

// group reads the body of a group from its { on.
func (p *parser) group(in *Group, name string, args []string) error {
	g := &Group{Name: name, Args: args}
	in.Groups = append(in.Groups, g)
	if err := p.next(); err != nil {
		return err
	}
	for p.kind != '}' {
		if err := p.statement(g); err != nil {
			return err
		}
	}
	return p.next()
}

func (p *parser) unexpected(want string) error {
	switch p.kind {
	case 0:
		return fmt.Errorf("want %s, not the end of the file", want)
	case 'w':
		return fmt.Errorf("want %s, not %q", want, p.word)
	}
	return fmt.Errorf("want %s, not %c", want, p.kind)
}

// numbers are the numbers of a list in a string.
func numbers(text string) (list []float64, err error) {
	for f := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\n' || r == '\\' }) {
		v, err := strconv.ParseFloat(f, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is not a number", f)
		}
		list = append(list, v)
	}
	return list, nil
}
