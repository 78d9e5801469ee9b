// Package mutate measures the benches: it changes a module of the RTL in every
// place that it knows (mutant.go), has the comparison of testbench run each of the
// mutants (mutants.go), and has yosys prove that those which no comparison notices
// behave like the module (prove.go). What yosys proves of the primitives of streams
// stands in its tests.
package mutate

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"vcsim/testbench"
)

// A Mutant is one change of one expression of a module: another operator, an
// operand dropped or exchanged, a constant or a bit select off by one, a choice
// turned round or stuck, a condition stuck, nothing, or an assignment that does
// not happen.
type Mutant struct {
	Line     int
	Source   string // the line, without comment
	Old, New string
}

// String returns the line of a mutant with the change inside: {{old|new}}.
func (m Mutant) String() string {
	a, b := m.Old, m.New
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	k := 0
	for k < len(a)-n && k < len(b)-n && a[len(a)-1-k] == b[len(b)-1-k] {
		k++
	}
	at := strings.Index(m.Source, m.Old)
	line := m.Source[:at+n] + "{{" + a[n:len(a)-k] + "|" + b[n:len(b)-k] + "}}" + m.Source[at+len(a)-k:]
	return strings.Join(strings.Fields(line), " ")
}

var (
	replication = regexp.MustCompile(`\([^(){}]*\) ?\{`) // a width, not logic
	countPart   = regexp.MustCompile(`\{[^{},?:]+\{`)    // of a replication, without parentheses
	indexPart   = regexp.MustCompile(`\[[^\[\]]*\]`)     // a bit select is changed as a whole
	constant    = regexp.MustCompile(`\b\d+'s?[bdh][0-9a-fA-F]+`)
	localName   = regexp.MustCompile(`\b[A-Z][A-Z0-9_]+\b`)
	bitSelect   = regexp.MustCompile(`\b(\w+)\[(\d+)(?::(\d+))?\]`)
	declaration = regexp.MustCompile(`\b(?:wire|reg)\s+(?:signed\s+)?\[(\d+):0\]\s+(\w+)`)
	caseItem    = regexp.MustCompile(`^(?:default|[\w', ]+):\s+`)
	unusedWire  = regexp.MustCompile(`^wire\s+(?:\[[^\]]*\]\s*)?unused`)
	portInput   = regexp.MustCompile(`^\s*\.\w+_i\s*\(`)
)

// swaps lists the operators that a mutant exchanges.
var swaps = [][2]string{{" && ", " || "}, {" || ", " && "}, {" == ", " != "}, {" != ", " == "}, {" + ", " - "}, {" - ", " + "},
	{" << ", " >> "}, {" >> ", " << "}, {" >>> ", " >> "}, {" ^ ", " | "}, {" | ", " & "}, {" & ", " | "}, {" < ", " <= "}, {" <= ", " < "},
	{" > ", " >= "}, {" >= ", " > "}, {" * ", " + "}, {"!", ""}, {"~", ""}}

// precedence orders the binary operators, the tightest first (IEEE 1364-2005
// table 5-4).
var precedence = map[string]int{" * ": 1, " + ": 2, " - ": 2, " << ": 3, " >> ": 3, " >>> ": 3, " < ": 4, " <= ": 4, " > ": 4, " >= ": 4,
	" == ": 5, " != ": 5, " & ": 6, " ^ ": 7, " | ": 8, " && ": 9, " || ": 10}

// A span is the half-open range of an operand in an expression.
type span struct{ from, to int }

func (s span) in(e string) string { return e[s.from:s.to] }

// operands finds the operands around the operator op at e[i:].
func operands(e, op string, i int) (left, right span) {
	level := precedence[op]
	binds := func(j int, orSame bool) bool { // a looser operator is at j
		for o, l := range precedence {
			if strings.HasPrefix(e[j:], o) {
				return l > level || orSame && l == level
			}
		}
		return strings.HasPrefix(e[j:], " ? ") || strings.HasPrefix(e[j:], " : ")
	}
	depth := 0
	left = span{0, i}
	for j := i - 1; j >= 0; j-- {
		switch c := e[j]; {
		case strings.IndexByte(")]}", c) >= 0:
			depth++
		case strings.IndexByte("([{", c) >= 0:
			depth--
		case depth == 0 && c == ' ' && binds(j, false):
			left.from = j + strings.IndexByte(e[j+1:], ' ') + 2
		case depth == 0 && c == ',':
			left.from = j + 2
		}
		if depth < 0 {
			left.from = j + 1
		}
		if left.from > 0 {
			break
		}
	}
	depth, right = 0, span{i + len(op), len(e)}
	for j := right.from; j < len(e); j++ {
		c := e[j]
		switch {
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		}
		if depth < 0 || depth == 0 && (c == ',' || c == ' ' && binds(j, true)) {
			right.to = j
			break
		}
	}
	return left, right
}

// conditional finds what stands before the ? at e[i:].
func conditional(e string, i int) span {
	depth := 0
	for j := i - 1; j >= 0; j-- {
		switch c := e[j]; {
		case strings.IndexByte(")]}", c) >= 0:
			depth++
		case strings.IndexByte("([{", c) >= 0:
			if depth--; depth < 0 {
				return span{j + 1, i}
			}
		case depth == 0 && (c == ',' || strings.HasPrefix(e[j:], ": ") || strings.HasPrefix(e[j:], "? ")):
			return span{j + 2, i}
		}
	}
	return span{0, i}
}

// changes returns the mutants of an expression; top holds the highest bit of
// the signals of fixed width.
func changes(e string, top map[string]int) []string {
	c := changer{e: e, have: map[string]bool{e: true}}
	c.widths = slices.Concat(replication.FindAllStringIndex(e, -1), countPart.FindAllStringIndex(e, -1), indexPart.FindAllStringIndex(e, -1))
	c.operators()
	c.choices()
	c.constants()
	c.selects(top)
	c.parts()
	if constant.FindString(e) != e && !strings.HasPrefix(e, "{") || strings.Contains(e, ",") {
		c.add("1'sb0") // one bit, signed: it changes neither the width nor the sign of the others
	}
	return c.list
}

// A changer collects the changes of an expression, each once.
type changer struct {
	e      string
	widths [][]int // parts of e that are widths or places, not logic
	have   map[string]bool
	list   []string
}

func (c *changer) add(s string) {
	if !c.have[s] {
		c.have[s] = true
		c.list = append(c.list, s)
	}
}

// splice enters the expression with another text in the place of a part.
func (c *changer) splice(from, to int, s string) { c.add(c.e[:from] + s + c.e[to:]) }

// logic reports whether the text at i is no part of a width or a place.
func (c *changer) logic(i int) bool {
	for _, w := range c.widths {
		if w[0] <= i && i < w[1] {
			return false
		}
	}
	return true
}

// operators enters another operator, an operand dropped, both exchanged.
func (c *changer) operators() {
	e := c.e
	for _, s := range swaps {
		for i := 0; ; i += len(s[0]) {
			j := strings.Index(e[i:], s[0])
			if j < 0 {
				break
			}
			i += j
			if !c.logic(i) || s[0] == "!" && strings.HasPrefix(e[i:], "!=") {
				continue
			}
			c.splice(i, i+len(s[0]), s[1])
			level := precedence[s[0]]
			if level == 0 || level == 4 || level == 5 { // comparisons change in their constants
				continue
			}
			left, right := operands(e, s[0], i)
			c.splice(left.from, right.to, left.in(e))
			if level != 3 {
				c.splice(left.from, right.to, right.in(e))
			}
			if s[0] == " - " {
				c.splice(left.from, right.to, right.in(e)+s[0]+left.in(e))
			}
		}
	}
}

// choices enters a choice the other way, or none.
func (c *changer) choices() {
	e := c.e
	for i := 0; ; i += 3 {
		j := strings.Index(e[i:], " ? ")
		if j < 0 {
			break
		}
		i += j
		x := conditional(e, i)
		c.splice(x.from, x.to, "!("+x.in(e)+")")
		c.splice(x.from, x.to, "1'b0")
		c.splice(x.from, x.to, "1'b1")
	}
}

// constants enters constants and parameters off by one.
func (c *changer) constants() {
	e := c.e
	for _, m := range constant.FindAllStringIndex(e, -1) {
		if !c.logic(m[0]) {
			continue
		}
		width, v, _ := strings.Cut(e[m[0]:m[1]], "'")
		sign := ""
		if v[0] == 's' {
			sign, v = "s", v[1:]
		}
		n, err := strconv.ParseUint(v[1:], map[byte]int{'b': 2, 'd': 10, 'h': 16}[v[0]], 64)
		w, err2 := strconv.Atoi(width)
		if err != nil || err2 != nil || w > 63 {
			continue
		}
		for _, v := range []uint64{n + 1, n - 1} {
			c.splice(m[0], m[1], fmt.Sprintf("%s'%sd%d", width, sign, v&(1<<w-1)))
		}
	}
	for _, m := range localName.FindAllStringIndex(e, -1) {
		if c.logic(m[0]) && !strings.HasPrefix(e[m[1]:], "[") {
			c.splice(m[0], m[1], "("+e[m[0]:m[1]]+" + 1'b1)")
		}
	}
}

// selects enters bits one place off; top is the highest bit of each name.
func (c *changer) selects(top map[string]int) {
	e := c.e
	for _, m := range bitSelect.FindAllStringSubmatchIndex(e, -1) {
		name := e[m[2]:m[3]]
		high, _ := strconv.Atoi(e[m[4]:m[5]])
		low := high
		if m[6] >= 0 {
			low, _ = strconv.Atoi(e[m[6]:m[7]])
		}
		by := -1
		if low == 0 {
			if by = 1; high >= top[name] {
				continue
			}
		}
		if m[6] >= 0 {
			c.splice(m[0], m[1], fmt.Sprintf("%s[%d:%d]", name, high+by, low+by))
		} else {
			c.splice(m[0], m[1], fmt.Sprintf("%s[%d]", name, high+by))
		}
	}
}

// parts enters two parts of a concatenation exchanged.
func (c *changer) parts() {
	e := c.e
	for i := range e {
		if e[i] != '{' {
			continue
		}
		depth, comma, commas := 0, 0, 0
		for j := i + 1; j < len(e) && depth >= 0; j++ {
			switch ch := e[j]; {
			case strings.IndexByte("([{", ch) >= 0:
				depth++
			case strings.IndexByte(")]}", ch) >= 0:
				depth--
			case ch == ',' && depth == 0:
				comma, commas = j, commas+1
			}
			if depth < 0 && commas == 1 {
				c.splice(i, j+1, "{"+e[comma+2:j]+", "+e[i+1:comma]+"}")
			}
		}
	}
}

// balanced reports whether every parenthesis in e is closed in e.
func balanced(e string) bool {
	depth := 0
	for _, c := range e {
		switch c {
		case '(', '{', '[':
			depth++
		case ')', '}', ']':
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return depth == 0
}

// closing returns the index after the parenthesis that closes the one at
// s[open], or -1.
func closing(s string, open int) int {
	depth := 0
	for i := open; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// assigned returns the index of the assignment operator of a statement, and the
// operator.
func assigned(s string) (int, string) {
	depth := 0
	for i := range s {
		switch s[i] {
		case '(', '{', '[':
			depth++
		case ')', '}', ']':
			depth--
		case ' ':
			for _, op := range []string{" <= ", " = "} {
				if depth == 0 && strings.HasPrefix(s[i:], op) {
					return i, op
				}
			}
		}
	}
	return -1, ""
}

// A mutator rewrites a module.
type mutator struct {
	source  string // the line
	mutants []Mutant
	top     map[string]int
	only    int // number of the mutant to write, or 0 for a choice of all
	before  int // numbers that other modules have
}

// choose returns an expression that is e, or one of its mutants.
func (m *mutator) choose(line int, e string, more ...string) string {
	if !balanced(e) {
		return e
	}
	first := len(m.mutants) + 1
	out, only := "("+e+")", e
	for _, c := range append(changes(e, m.top), more...) {
		if c == e {
			continue
		}
		m.mutants = append(m.mutants, Mutant{line, m.source, e, c})
		if len(m.mutants) == m.only {
			only = "(" + c + ")"
		}
		out = fmt.Sprintf("(($c32(\"vc_mutant\") == 32'd%d) ? (%s) : %s)", m.before+len(m.mutants), c, out)
	}
	n := len(m.mutants) + 1 - first
	if n == 0 || m.only != 0 {
		return only
	}
	return fmt.Sprintf("((($c32(\"vc_mutant\") - 32'd%d) < 32'd%d) ? %s : (%s))", m.before+first, n, out, e)
}

// statement rewrites a statement, or the start of one.
func (m *mutator) statement(line int, s string) string {
	trim := strings.TrimLeft(s, " ")
	indent := s[:len(s)-len(trim)]
	for _, word := range []string{"always @(posedge clk_i) ", "always @* ", "end else ", "else ", "end "} {
		if strings.HasPrefix(trim, word) {
			return indent + word + m.statement(line, trim[len(word):])
		}
	}
	for _, word := range []string{"if (", "case ("} {
		if !strings.HasPrefix(trim, word) {
			continue
		}
		open := len(word) - 1
		end := closing(trim, open)
		if end < 0 || strings.Contains(trim, "begin :") {
			return s // the condition of a generate block is constant
		}
		more := []string{"1'b1"}
		rest := trim[end:]
		if word == "case (" {
			more = nil
		} else {
			rest = m.conditioned(line, rest)
		}
		return indent + word + m.choose(line, trim[open+1:end-1], more...) + ")" + rest
	}
	if p := portInput.FindString(s); p != "" && !strings.Contains(p, ".clk_i") {
		end := closing(s, len(p)-1)
		if end < 0 {
			return s
		}
		return p + m.choose(line, s[len(p):end-1]) + s[end-1:]
	}
	if item := caseItem.FindString(trim); item != "" {
		return indent + item + m.statement(line, trim[len(item):])
	}
	return m.assignment(line, s, true)
}

// conditioned rewrites what follows an if on its line. An assignment that never
// happens is the condition stuck at 0.
func (m *mutator) conditioned(line int, s string) string {
	if strings.TrimSpace(s) == "begin" || s == "" {
		return s
	}
	return m.assignment(line, s, false)
}

func (m *mutator) assignment(line int, s string, remove bool) string {
	i, op := assigned(s)
	if i < 0 || !strings.HasSuffix(s, ";") {
		return s
	}
	var more []string
	if remove && op == " <= " {
		more = []string{strings.TrimSpace(s[:i])}
	}
	return s[:i] + op + m.choose(line, s[i+len(op):len(s)-1], more...) + ";"
}

// mutateFile rewrites a module so that the variable vc_mutant of the harness
// chooses one of its mutants, numbered from 1; 0 is the module itself. With only, it
// writes that one mutant in plain Verilog.
func mutateFile(file, to string, only int) ([]Mutant, error) {
	return mutateModule(file, to, mutator{only: only}, nil)
}

// mutateModule is mutateFile for a module whose mutants come behind those of others in a
// build. The module itself checks at each edge of its clock that what is given holds.
func mutateModule(file, to string, m mutator, given []string) ([]Mutant, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	m.top = map[string]int{}
	for _, d := range declaration.FindAllStringSubmatch(string(text), -1) {
		m.top[d[2]], _ = strconv.Atoi(d[1])
	}
	lines := strings.Split(string(text), "\n")
	for i := 0; i < len(lines); i++ {
		line, _, _ := strings.Cut(lines[i], "//")
		line = strings.TrimRight(line, " ")
		trim := strings.TrimSpace(line)
		if strings.HasPrefix(trim, "localparam") {
			for i+1 < len(lines) && !strings.HasSuffix(trim, ";") {
				i++
				next, _, _ := strings.Cut(lines[i], "//")
				trim = strings.TrimSpace(next)
			}
			continue
		}
		if trim == "" || strings.HasPrefix(trim, "parameter") || strings.HasPrefix(trim, "for ") || unusedWire.MatchString(trim) {
			continue
		}
		// An assignment or a condition over several lines becomes one.
		first := i
		_, op := assigned(line)
		if op != "" || strings.HasPrefix(strings.TrimPrefix(strings.TrimPrefix(trim, "end "), "else "), "if (") {
			for i+1 < len(lines) && !strings.HasSuffix(line, ";") && !strings.HasSuffix(line, "begin") && !balancedStart(line, op) {
				i++
				next, _, _ := strings.Cut(lines[i], "//")
				line += " " + strings.TrimSpace(next)
				lines[i] = ""
			}
		}
		m.source = strings.TrimSpace(line)
		lines[first] = m.statement(first+1, line)
	}
	out := strings.Join(lines, "\n")
	if !strings.Contains(out, "clk_i") {
		given = nil
	}
	for i, g := range given {
		out = strings.Replace(out, "\nendmodule", fmt.Sprintf("\n  always @(posedge clk_i) if (!(%s)) $c(\"vc_broken(%d);\");\nendmodule", g, i), 1)
	}
	return m.mutants, os.WriteFile(to, []byte(out), 0o666)
}

// balancedStart reports whether a line is whole: a condition without its
// statement is, an assignment without its semicolon is not.
func balancedStart(line, op string) bool { return op == "" && balanced(line) }

// moreRegisters is the number of random values that registers start from, for
// each set of parameters.
const moreRegisters = 24

// survivors runs those mutants of file, a module of the unit, that are alive against the
// model over all sets and patterns; the module without one must keep what is given, by
// module.
// It returns the indices of those not caught.
func (b Mutation) survivors(dir, file string, mutants []Mutant, alive []int, given map[string][]string) ([]int, error) {
	u, sets := b.Sets()
	build := b.Build
	if build == nil {
		build = []string{b.Module}
	}
	var files []string
	before, first := 0, 0 // mutants of other modules of the build, and of those before
	for _, module := range build {
		if module == b.Module {
			first = before
		}
		to := filepath.Join(dir, module+".v")
		list, err := mutateModule(filepath.Join(filepath.Dir(file), module+".v"), to, mutator{before: before}, given[module])
		if err != nil {
			return nil, err
		}
		before += len(list)
		files = append(files, to)
	}
	for i, set := range sets {
		if len(alive) == 0 {
			break
		}
		exe, err := u.Mutated(set, files...)
		if err != nil {
			return nil, err
		}
		for j, stall := range testbench.Stalls {
			rec := testbench.NewRecording(u, set)
			rec.Record(set.Model(stall, uint64(200+i*len(testbench.Stalls)+j)), b.Cycles)
			for more := range moreRegisters {
				seed, n := u.Registers(i, j), b.Cycles
				if more > 0 { // what no reset clears shows early
					seed, n = 2+i+more*len(sets), min(2048, b.Cycles)
				}
				if more > 0 && (u.FromZero || j%3 != 0) {
					break
				}
				if diff, err := rec.Differs(exe, 0, seed, n); err != nil || diff {
					return nil, fmt.Errorf("%s in %s without a mutant: differs: %t, %v", file, u.Top, diff, err)
				}
				kept := alive[:0]
				for _, mutant := range alive {
					diff, err := rec.Differs(exe, first+mutant+1, seed, n)
					if err != nil {
						return nil, fmt.Errorf("%s in %s mutant %v: %w", file, u.Top, mutants[mutant], err)
					}
					if !diff {
						kept = append(kept, mutant)
					}
				}
				alive = kept
			}
		}
	}
	return alive, nil
}
