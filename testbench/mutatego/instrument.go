package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"sort"
	"strings"
)

// All mutants of the functions of a package are in one build. Each is a copy of
// its function under another name; the function itself chooses between the
// copies by mutantFn and mutantID, which come from the environment. A chosen
// function is as short as this, so that the compiler inlines it:
//
//	func f(a int) int {
//		if mutantFn != 7 {
//			return f_original(a)
//		}
//		return f_chosen(a)
//	}
//
// A function literal that a package variable calls becomes such a function.
// Integers in other initialisers become calls of mutantValue. Declarations of
// constants have no code: their mutants are builds of their own.

// chooser is the file that joins the package.
const chooser = `package %s

import (
	mutantOS "os"
	mutantConv "strconv"
)

func mutantEnv(name string) int {
	n, _ := mutantConv.Atoi(mutantOS.Getenv(name))
	return n
}

var mutantFn, mutantID = mutantEnv("MUTANT_FN"), mutantEnv("MUTANT_ID")

func mutantValue[T any](id int, value, other T) T {
	if mutantID == id {
		return other
	}
	return value
}
`

// A unit is a function, or a function literal in a package variable.
type unit struct {
	name       string
	literal    bool
	recv       string // receiver as it stands, with its parentheses
	recvType   string
	typeParams string   // as they stand, with their brackets
	typeArgs   string   // their names, with brackets
	params     []string // types
	results    string
	start, end int // of the whole declaration or literal
	sig        int // offset of the type parameters or parameters
	mutants    []*mutant
}

// A source is one file of the package under test.
type source struct {
	path   string
	base   string
	text   []byte
	units  []*unit
	values []*mutant          // integers in initialisers of variables
	consts []*mutant          // in declarations of constants
	typeOf map[*mutant]string // of values
}

// A target is a package whose mutants are tried.
type target struct {
	dir     string // from the root of the module
	name    string
	path    string // import path
	sources []*source
	lookup  func(*token.FileSet) types.Importer
}

// find parses and checks the files of a package and lists its mutants.
func (t *target) find(files []string) error {
	fset := token.NewFileSet()
	var parsed []*ast.File
	for _, p := range files {
		text, err := readFile(p)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(fset, p, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		parsed = append(parsed, f)
		t.sources = append(t.sources, &source{path: p, base: filepath.Base(p), text: text, typeOf: map[*mutant]string{}})
		t.name = f.Name.Name
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: t.lookup(fset)}
	pkg, err := conf.Check(t.path, fset, parsed, info)
	if err != nil {
		return err
	}
	var all []*mutant
	for i, f := range parsed {
		s := t.sources[i]
		qualify := types.RelativeTo(pkg)
		off := func(p token.Pos) int { return fset.Position(p).Offset }
		find := func(name string, roots ...ast.Node) []*mutant {
			var list []*mutant
			fd := finder{fset, info, s.text, s.base, name, &list}
			for _, r := range roots {
				fd.visit(r)
			}
			all = append(all, list...)
			return list
		}
		literals := 0
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Body == nil || d.Name.Name == "init" || d.Name.Name == "main" || d.Name.Name == "_" {
					continue
				}
				name := d.Name.Name
				if d.Recv != nil {
					name = "(" + string(s.text[off(d.Recv.List[0].Type.Pos()):off(d.Recv.List[0].Type.End())]) + ")." + name
				}
				u := s.unit(off, d.Name.Name, d.Type)
				u.start, u.end = off(d.Pos()), off(d.End())
				if d.Recv != nil {
					u.recv = string(s.text[off(d.Recv.Pos()):off(d.Recv.End())]) + " "
					u.recvType = string(s.text[off(d.Recv.List[0].Type.Pos()):off(d.Recv.List[0].Type.End())])
				}
				u.mutants = find(name, d.Body)
				s.units = append(s.units, u)
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					v, ok := spec.(*ast.ValueSpec)
					if !ok || len(v.Values) == 0 {
						continue
					}
					if d.Tok == token.CONST {
						for _, e := range v.Values {
							s.consts = append(s.consts, find(v.Names[0].Name, e)...)
						}
						continue
					}
					for _, e := range v.Values {
						s.initialiser(fset, info, qualify, v.Names[0].Name, e, find, &literals)
					}
				}
			}
		}
	}
	seen := map[string]int{}
	for i, m := range all {
		m.id = i + 1
		k := m.key()
		m.nth = seen[k]
		seen[k]++
	}
	for _, s := range t.sources {
		for _, u := range s.units {
			for _, m := range u.mutants {
				m.unit, m.always = u.mutants[0].id, u.literal
				m.fromLine, m.toLine = 1+bytes.Count(s.text[:u.start], []byte("\n")), 1+bytes.Count(s.text[:u.end], []byte("\n"))
			}
		}
		for _, m := range s.values {
			m.always = true
		}
	}
	return nil
}

// initialiser finds the mutants in the value of a package variable: in
// function literals, which become units, and integers elsewhere.
func (s *source) initialiser(fset *token.FileSet, info *types.Info, qualify types.Qualifier, name string, e ast.Expr, find func(string, ...ast.Node) []*mutant, literals *int) {
	off := func(p token.Pos) int { return fset.Position(p).Offset }
	n := 0
	ast.Inspect(e, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FuncLit:
			*literals++
			u := s.unit(off, fmt.Sprintf("mutantLiteral%d_%s", *literals, strings.TrimSuffix(s.base, ".go")), node.Type)
			u.literal = true
			u.start, u.end = off(node.Pos()), off(node.End())
			u.mutants = find(name, node.Body)
			s.units = append(s.units, u)
			return false
		case *ast.ArrayType:
			return false
		case *ast.KeyValueExpr:
			if _, ok := node.Key.(*ast.BasicLit); ok {
				s.initialiser(fset, info, qualify, name, node.Value, find, literals)
				return false
			}
		case *ast.BasicLit:
			if n++; n > 32 && n%16 != 0 {
				return true
			}
			tv := info.Types[node]
			if b, ok := tv.Type.(*types.Basic); !ok || b.Info()&types.IsUntyped != 0 {
				return true // part of a constant
			}
			if node.Value == "127" || node.Value == "255" {
				return true // one more may be out of range
			}
			list := find(name, node)
			for _, m := range list {
				s.typeOf[m] = types.TypeString(tv.Type, qualify)
			}
			s.values = append(s.values, list...)
		}
		return true
	})
}

// mutants lists those of the whole package that one build holds.
func (t *target) mutants() (list []*mutant) {
	for _, s := range t.sources {
		for _, u := range s.units {
			list = append(list, u.mutants...)
		}
		list = append(list, s.values...)
	}
	return list
}

// A piece replaces part of a file.
type piece struct {
	start, end int
	text       string
}

func apply(text []byte, pieces []piece) []byte {
	sort.Slice(pieces, func(i, j int) bool { return pieces[i].start < pieces[j].start })
	var out bytes.Buffer
	at := 0
	for _, p := range pieces {
		out.Write(text[at:p.start])
		out.WriteString(p.text)
		at = p.end
	}
	out.Write(text[at:])
	return out.Bytes()
}

// instrument returns the file with all its mutants but those dropped. A comment
// above each copy of a function names its mutant.
func (s *source) instrument(dropped map[int]bool) []byte {
	var pieces []piece
	var tail bytes.Buffer
	values := map[[2]int][]*mutant{}
	for _, m := range s.values {
		if !dropped[m.id] {
			k := [2]int{m.start, m.end}
			values[k] = append(values[k], m)
		}
	}
	for k, list := range values {
		text := list[0].from
		for _, m := range list {
			text = fmt.Sprintf("mutantValue[%s](%d, %s, %s)", s.typeOf[m], m.id, text, m.to)
		}
		pieces = append(pieces, piece{k[0], k[1], text})
	}
	for _, u := range s.units {
		if len(u.mutants) == 0 {
			continue
		}
		choice := fmt.Sprintf("{\n\tif mutantFn != %d {\n\t\t%s\n\t}\n\t%s\n}", u.mutants[0].id, u.call("_original"), u.call("_chosen"))
		if u.literal {
			pieces = append(pieces, piece{u.start, u.end, u.name})
			fmt.Fprintf(&tail, "\n%s%s\n", u.header(""), choice)
		} else {
			pieces = append(pieces, piece{u.start, u.end, u.header("") + choice})
		}
		fmt.Fprintf(&tail, "\nfunc %s%s_original%s\n", u.recv, u.name, s.text[u.sig:u.end])
		fmt.Fprintf(&tail, "\n%s{\n\tswitch mutantID {\n", u.header("_chosen"))
		for _, m := range u.mutants {
			if !dropped[m.id] {
				fmt.Fprintf(&tail, "\tcase %d:\n\t\t%s\n", m.id, u.call(fmt.Sprint("_mutant", m.id)))
			}
		}
		fmt.Fprintf(&tail, "\t}\n\tpanic(\"no such mutant\")\n}\n")
		for _, m := range u.mutants {
			if !dropped[m.id] {
				text := apply(s.text[:u.end], []piece{{m.start, m.end, m.to}})[u.sig:]
				fmt.Fprintf(&tail, "\n//mutant %d\nfunc %s%s_mutant%d%s\n", m.id, u.recv, u.name, m.id, text)
			}
		}
	}
	return append(apply(s.text, pieces), tail.Bytes()...)
}

// unit returns the unit of a function type, without place and mutants.
func (s *source) unit(off func(token.Pos) int, name string, typ *ast.FuncType) *unit {
	text := func(n ast.Node) string { return string(s.text[off(n.Pos()):off(n.End())]) }
	u := &unit{name: name, sig: off(typ.Params.Pos())}
	if typ.TypeParams != nil {
		u.sig = off(typ.TypeParams.Pos())
		u.typeParams = text(typ.TypeParams)
		var names []string
		for _, f := range typ.TypeParams.List {
			for _, n := range f.Names {
				names = append(names, n.Name)
			}
		}
		u.typeArgs = "[" + strings.Join(names, ", ") + "]"
	}
	for _, f := range typ.Params.List {
		for range max(len(f.Names), 1) {
			u.params = append(u.params, text(f.Type))
		}
	}
	if typ.Results != nil {
		u.results = " " + text(typ.Results)
	}
	return u
}

// header returns the signature of a function that only calls another.
func (u *unit) header(suffix string) string {
	var params []string
	for i, t := range u.params {
		params = append(params, fmt.Sprintf("mutantArg%d %s", i, t))
	}
	recv := ""
	if u.recv != "" {
		recv = "(mutantReceiver " + u.recvType + ") "
	}
	return "func " + recv + u.name + suffix + u.typeParams + "(" + strings.Join(params, ", ") + ")" + u.results + " "
}

// call returns the statements that call a copy of the function.
func (u *unit) call(suffix string) string {
	var args []string
	for i, t := range u.params {
		a := fmt.Sprint("mutantArg", i)
		if strings.HasPrefix(t, "...") {
			a += "..."
		}
		args = append(args, a)
	}
	recv := ""
	if u.recv != "" {
		recv = "mutantReceiver."
	}
	c := recv + u.name + suffix + u.typeArgs + "(" + strings.Join(args, ", ") + ")"
	if u.results == "" {
		return c + "\n\t\treturn"
	}
	return "return " + c
}
