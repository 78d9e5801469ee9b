package netlist

import (
	"fmt"
	"strings"
)

// An Expr is a function of pins in the syntax of Liberty: ! and ' negate, * and & and white space are AND, + and | OR, ^ XOR.
type Expr struct {
	op   byte // 'v' for a pin, '0' and '1' for constants, or ! * + ^
	name string
	args []*Expr
}

// ParseExpr reads an expression.
func ParseExpr(text string) (*Expr, error) {
	p := exprParser{text: text}
	e, err := p.sum()
	if err == nil && p.peek() != 0 {
		err = fmt.Errorf("unexpected %q", p.text[p.at:])
	}
	if err != nil {
		return nil, fmt.Errorf("function %q: %w", text, err)
	}
	return e, nil
}

type exprParser struct {
	text string
	at   int
}

func (p *exprParser) peek() byte {
	for p.at < len(p.text) && (p.text[p.at] == ' ' || p.text[p.at] == '\t') {
		p.at++
	}
	if p.at == len(p.text) {
		return 0
	}
	return p.text[p.at]
}

// sum is the loosest: OR, then AND, then XOR, as the Liberty reference orders them.
func (p *exprParser) sum() (*Expr, error) { return p.list("+|", '+', p.product) }

func (p *exprParser) product() (*Expr, error) {
	e, err := p.exclusive()
	for err == nil {
		c := p.peek()
		if c == '*' || c == '&' {
			p.at++
		} else if c == 0 || strings.IndexByte("+|)^", c) >= 0 {
			return e, nil
		}
		var f *Expr
		if f, err = p.exclusive(); err == nil {
			e = &Expr{op: '*', args: []*Expr{e, f}}
		}
	}
	return nil, err
}

func (p *exprParser) exclusive() (*Expr, error) { return p.list("^", '^', p.unary) }

func (p *exprParser) list(ops string, op byte, part func() (*Expr, error)) (*Expr, error) {
	e, err := part()
	for err == nil {
		c := p.peek()
		if c == 0 || strings.IndexByte(ops, c) < 0 {
			return e, nil
		}
		p.at++
		var f *Expr
		if f, err = part(); err == nil {
			e = &Expr{op: op, args: []*Expr{e, f}}
		}
	}
	return nil, err
}

func (p *exprParser) unary() (e *Expr, err error) {
	switch c := p.peek(); {
	case c == '!':
		p.at++
		if e, err = p.unary(); err != nil {
			return nil, err
		}
		return &Expr{op: '!', args: []*Expr{e}}, nil
	case c == '(':
		p.at++
		if e, err = p.sum(); err != nil {
			return nil, err
		}
		if p.peek() != ')' {
			return nil, fmt.Errorf("a ) is missing")
		}
		p.at++
	case c == 0:
		return nil, fmt.Errorf("it ends too early")
	default:
		from := p.at
		for p.at < len(p.text) && (p.text[p.at] == '_' || p.text[p.at] >= '0' && p.text[p.at] <= '9' || p.text[p.at]|32 >= 'a' && p.text[p.at]|32 <= 'z') {
			p.at++
		}
		switch name := p.text[from:p.at]; name {
		case "":
			return nil, fmt.Errorf("unexpected %q", p.text[from:])
		case "0", "1":
			e = &Expr{op: name[0]}
		default:
			e = &Expr{op: 'v', name: name}
		}
	}
	for p.peek() == '\'' {
		p.at++
		e = &Expr{op: '!', args: []*Expr{e}}
	}
	return e, nil
}

// Eval evaluates the expression bit by bit over values of the pins.
func (e *Expr) Eval(pin func(name string) uint64) uint64 {
	switch e.op {
	case 'v':
		return pin(e.name)
	case '0':
		return 0
	case '1':
		return ^uint64(0)
	case '!':
		return ^e.args[0].Eval(pin)
	}
	a, b := e.args[0].Eval(pin), e.args[1].Eval(pin)
	switch e.op {
	case '*':
		return a & b
	case '+':
		return a | b
	}
	return a ^ b
}

// Verilog returns the expression in Verilog.
func (e *Expr) Verilog() string {
	switch e.op {
	case 'v':
		return e.name
	case '0', '1':
		return "1'b" + string(e.op)
	case '!':
		return "~" + e.args[0].Verilog()
	}
	return "(" + e.args[0].Verilog() + map[byte]string{'*': " & ", '+': " | ", '^': " ^ "}[e.op] + e.args[1].Verilog() + ")"
}

// truth returns the truth table of the expression over pins, of which there are at most six: bit i is its value where bit j of i is that
// of pin j.
func (e *Expr) truth(pins []string) uint64 {
	masks := [6]uint64{0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0, 0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000}
	return e.Eval(func(name string) uint64 {
		for i, p := range pins {
			if p == name {
				return masks[i]
			}
		}
		return 0
	})
}
