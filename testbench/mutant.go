package testbench

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Mutant is one change of one expression of a module.
type Mutant struct {
	Line     int
	Old, New string
}

var (
	assignment = regexp.MustCompile(`^(.*?(?:<=|[^=!<>]=) )([^=].*);(\s*//.*)?$`)
	condition  = regexp.MustCompile(`^(\s*(?:end )?(?:else )?if \()(.*?)(\)(?: begin|;)?(?: [a-z0-9_\[\]:]+ <?= .*;)?(?:\s*//.*)?)$`)
	extension  = regexp.MustCompile(`\(\w+ - \w+\) \{`) // a width, not logic
	constant   = regexp.MustCompile(`\d+'[db]\d+`)
)

// swaps lists the operators that a mutant exchanges.
var swaps = [][2]string{{" && ", " || "}, {" || ", " && "}, {" == ", " != "}, {" != ", " == "}, {" + ", " - "}, {" - ", " + "},
	{" << ", " >> "}, {" ^ ", " | "}, {" | ", " & "}, {" < ", " <= "}, {"!", ""}, {"~", ""}}

// changes returns the mutants of an expression.
func changes(e string) []string {
	var out []string
	widths := extension.FindAllStringIndex(e, -1)
	for _, s := range swaps {
		for i := 0; ; {
			j := strings.Index(e[i:], s[0])
			if j < 0 {
				break
			}
			i += j
			inside := slices.ContainsFunc(widths, func(w []int) bool { return w[0] <= i && i < w[1] })
			if !inside && (s[0] != "!" || !strings.HasPrefix(e[i:], "!=")) {
				out = append(out, e[:i]+s[1]+e[i+len(s[0]):])
			}
			i += len(s[0])
		}
	}
	for _, m := range constant.FindAllStringIndex(e, -1) {
		width, v, _ := strings.Cut(e[m[0]:m[1]], "'")
		base := 10
		if v[0] == 'b' {
			base = 2
		}
		n, err := strconv.ParseUint(v[1:], base, 64)
		if err == nil {
			out = append(out, e[:m[0]]+fmt.Sprintf("%s'd%d", width, n^1)+e[m[1]:])
		}
	}
	return out
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

// mutate rewrites a module so that the variable vc_mutant of the harness
// chooses one of its mutants, numbered from 1; 0 is the module itself.
func mutate(file, to string) ([]Mutant, error) {
	text, err := os.ReadFile(filepath.Join(Root(), file))
	if err != nil {
		return nil, err
	}
	var mutants []Mutant
	choose := func(line int, e string, more ...string) string {
		if !balanced(e) {
			return e
		}
		out := "(" + e + ")"
		for _, c := range append(changes(e), more...) {
			mutants = append(mutants, Mutant{line, e, c})
			out = fmt.Sprintf("(($c32(\"vc_mutant\") == 32'd%d) ? (%s) : %s)", len(mutants), c, out)
		}
		return out
	}
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		trim := strings.TrimSpace(line)
		if strings.HasPrefix(trim, "//") || strings.HasPrefix(trim, "parameter") || strings.HasPrefix(trim, "localparam") ||
			strings.HasPrefix(trim, "for ") || strings.HasPrefix(trim, ".") {
			continue
		}
		if m := assignment.FindStringSubmatch(line); m != nil && balanced(m[2]) {
			line = m[1] + choose(i+1, m[2]) + ";"
		}
		if m := condition.FindStringSubmatch(line); m != nil && balanced(m[2]) {
			line = m[1] + choose(i+1, m[2], "1'b0", "1'b1") + m[3]
		}
		lines[i] = line
	}
	return mutants, os.WriteFile(to, []byte(strings.Join(lines, "\n")), 0o666)
}

// Survivors runs all mutants of file, a module of the unit, against the model
// over all sets and patterns. It returns their number and those not caught.
func Survivors(dir string, u Unit, file string, sets []Set, cycles int) (int, []Mutant, error) {
	out := filepath.Join(dir, filepath.Base(file))
	mutants, err := mutate(file, out)
	if err != nil {
		return 0, nil, err
	}
	alive := map[int]bool{}
	for i := range mutants {
		alive[i+1] = true
	}
	for i, set := range sets {
		b := u.build(set, mutated)
		if filepath.Base(file) == filepath.Base(u.Source) {
			b.sources = []string{out}
		} else {
			b.sources = append(b.sources, out)
		}
		exe, err := b.make()
		if err != nil {
			return 0, nil, err
		}
		for j, stall := range Stalls {
			rec := newRecording(u, set)
			rec.record(set.Model(stall, uint64(200+i*len(Stalls)+j)), cycles)
			for n := 0; n <= len(mutants); n++ {
				if n > 0 && !alive[n] {
					continue
				}
				// Every other pattern starts from random registers: a reset that
				// is missing shows.
				p, _, err := start(exe, "--mutant", strconv.Itoa(n), "--seed", strconv.Itoa(j%2*(j+4*i)))
				if err != nil {
					return 0, nil, err
				}
				got := make([]byte, len(rec.outBytes))
				if err := p.run(cycles, rec.inBytes, got); err != nil {
					return 0, nil, err
				}
				if err := p.close(); err != nil {
					return 0, nil, err
				}
				_, diff := newComparer(rec.out, j%2 != 0).compare(rec.outBytes, got)
				if n == 0 && diff != "" {
					return 0, nil, fmt.Errorf("%s without a mutant: %s", file, diff)
				}
				if n > 0 && diff != "" {
					delete(alive, n)
				}
			}
		}
	}
	var left []Mutant
	for i, m := range mutants {
		if alive[i+1] {
			left = append(left, m)
		}
	}
	return len(mutants), left, nil
}
