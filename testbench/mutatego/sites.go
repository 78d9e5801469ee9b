package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// A mutant is one change of the source text of a package.
type mutant struct {
	id       int
	file     string // base name
	line     int
	col      int
	fn       string // function or variable it is in
	from, to string // text before and after; to is "" where a statement is removed
	nth      int    // of the mutants with the same file, fn, from and to
	start    int    // offsets in the file
	end      int
	fromLine int // of the function it is in
	toLine   int
	unit     int  // the first mutant of its function
	always   bool // every test reaches it: it is in the initialisation of the package
}

// key identifies a mutant as long as its function does not change.
func (m *mutant) key() string {
	to := m.to
	if to == "" {
		to = "(removed)"
	}
	return fmt.Sprintf("%s %s: %s => %s #%d", m.file, m.fn, oneLine(m.from), oneLine(to), m.nth)
}

// oneLine joins the words of a text by single spaces.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// operators lists what becomes of a binary operator: its opposite, and of
// comparisons also the one whose boundary is one off.
var operators = map[token.Token][]token.Token{
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL}, token.REM: {token.MUL},
	token.AND: {token.OR}, token.OR: {token.AND}, token.XOR: {token.AND}, token.AND_NOT: {token.AND}, token.SHL: {token.SHR}, token.SHR: {token.SHL},
	token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR}, token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL}, token.LAND: {token.LOR}, token.LOR: {token.LAND},
	token.ADD_ASSIGN: {token.SUB_ASSIGN}, token.SUB_ASSIGN: {token.ADD_ASSIGN}, token.MUL_ASSIGN: {token.QUO_ASSIGN}, token.QUO_ASSIGN: {token.MUL_ASSIGN},
	token.REM_ASSIGN: {token.MUL_ASSIGN}, token.AND_ASSIGN: {token.OR_ASSIGN}, token.OR_ASSIGN: {token.AND_ASSIGN}, token.XOR_ASSIGN: {token.AND_ASSIGN},
	token.AND_NOT_ASSIGN: {token.AND_ASSIGN}, token.SHL_ASSIGN: {token.SHR_ASSIGN}, token.SHR_ASSIGN: {token.SHL_ASSIGN},
	token.INC: {token.DEC}, token.DEC: {token.INC},
}

// A finder collects the mutants of one part of a file.
type finder struct {
	fset *token.FileSet
	info *types.Info
	src  []byte
	file string
	fn   string
	list *[]*mutant
}

func (f *finder) text(n ast.Node) string {
	return string(f.src[f.fset.Position(n.Pos()).Offset:f.fset.Position(n.End()).Offset])
}

// add enters the replacement of node n by a text.
func (f *finder) add(n ast.Node, to string) {
	p := f.fset.Position(n.Pos())
	f.enter(p, f.fset.Position(n.End()).Offset, f.text(n), to)
}

func (f *finder) enter(p token.Position, end int, from, to string) {
	if from == to {
		return
	}
	*f.list = append(*f.list, &mutant{file: f.file, line: p.Line, col: p.Column, fn: f.fn, from: from, to: to, start: p.Offset, end: end})
}

// operator enters the replacements of an operator between the two operands, or
// behind the one, that n has as its text.
func (f *finder) operator(n ast.Node, at token.Pos, op token.Token) {
	p, end := f.fset.Position(n.Pos()), f.fset.Position(n.End()).Offset
	from := f.text(n)
	k := f.fset.Position(at).Offset - p.Offset
	for _, to := range operators[op] {
		f.enter(p, end, from, from[:k]+to.String()+from[k+len(op.String()):])
	}
}

// literal enters the neighbour of an integer, one more, and of one also zero.
func (f *finder) literal(n *ast.BasicLit) {
	tv, ok := f.info.Types[n]
	if n.Kind != token.INT || !ok || tv.Value == nil {
		return
	}
	v, exact := constant.Int64Val(constant.ToInt(tv.Value))
	if !exact {
		return
	}
	f.add(n, strconv.FormatInt(v+1, 10))
	if v == 1 {
		f.add(n, "0")
	}
}

// visit finds the mutants below a node. Composite literals of more than many
// elements are data: one element in sixteen changes.
func (f *finder) visit(root ast.Node) {
	const many = 32
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			if len(n.Elts) > many {
				for i := 0; i < len(n.Elts); i += 16 {
					f.visit(n.Elts[i])
				}
				return false
			}
		case *ast.ArrayType, *ast.ImportSpec, *ast.FieldList:
			return false
		case *ast.BinaryExpr:
			if t, ok := f.info.Types[n.X].Type.Underlying().(*types.Basic); n.Op == token.ADD && ok && t.Info()&types.IsString != 0 {
				return true
			}
			f.operator(n, n.OpPos, n.Op)
		case *ast.UnaryExpr:
			if n.Op == token.NOT || n.Op == token.SUB || n.Op == token.XOR {
				f.add(n, "("+f.text(n.X)+")")
			}
		case *ast.BasicLit:
			f.literal(n)
		case *ast.Ident:
			if obj := f.info.Uses[n]; obj == types.Universe.Lookup("true") {
				f.add(n, "false")
			} else if obj == types.Universe.Lookup("false") {
				f.add(n, "true")
			}
		case *ast.IfStmt:
			switch c := n.Cond.(type) {
			case *ast.CallExpr, *ast.Ident, *ast.SelectorExpr:
				f.add(c, "!"+f.text(c))
			}
		case *ast.IncDecStmt:
			f.operator(n, n.TokPos, n.Tok)
		case *ast.AssignStmt:
			if n.Tok != token.ASSIGN && n.Tok != token.DEFINE {
				f.operator(n, n.TokPos, n.Tok)
			}
		case *ast.BlockStmt:
			f.removals(n.List)
		case *ast.CaseClause:
			for _, e := range n.List {
				if _, constant := e.(*ast.BasicLit); !constant {
					f.visit(e)
				}
			}
			for _, s := range n.Body {
				f.visit(s)
			}
			f.removals(n.Body)
			return false
		}
		return true
	})
}

// removals enters the statements that a list would do without.
func (f *finder) removals(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt, *ast.IncDecStmt:
			f.add(s, "")
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE {
				f.add(s, "")
			}
		}
	}
}
