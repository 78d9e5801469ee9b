package verilog

import (
	"os"
	"path/filepath"
	"testing"
)

// TestClosure: comments, layout and definitions that nobody uses do not change the hash, all else does, in the module and below it.
func TestClosure(t *testing.T) {
	files := map[string]string{
		"a.v":   "`include \"w.vh\"\nmodule a (input [`W-1:0] x); // a comment\n  b u_b (.x(x));\n  assign y = x && z; /* \"two\n lines\" */\nendmodule\n",
		"b.v":   "module b (input x);\nendmodule\n",
		"c.v":   "module c; endmodule\n",
		"w.vh":  "`ifndef W_VH\n`define W `HALF + 2\n`define HALF 2\n`define OTHER 7\n`endif\n",
		"v.vh":  "`define V 4\n",
		"notes": "no Verilog",
	}
	hash := func(change map[string]string) string {
		dir := t.TempDir()
		for name, text := range files {
			if c, ok := change[name]; ok {
				text = c
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		r, err := Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		list, h, err := r.Closure("a")
		if err != nil {
			t.Fatal(err)
		}
		if len(list) != 3 {
			t.Errorf("%d files in the closure of a, want a.v, b.v and w.vh", len(list))
		}
		return h
	}
	want := hash(nil)
	for _, tt := range []struct {
		name, text string
		same       bool
	}{
		{"a.v", "`include \"w.vh\"\nmodule  a\n(input [`W -1:0] x ) ; b u_b(.x(x)); assign y=x&&z; endmodule // \"", true},
		{"a.v", "`include \"w.vh\"\nmodule a (input [`W-1:0] x);\n  b u_b (.x(x));\n  assign y = x & & z;\nendmodule\n", false},
		{"b.v", "module b (input x); // more\nendmodule\n", true},
		{"b.v", "module b (input y);\nendmodule\n", false},
		{"c.v", "module c (input x); endmodule\n", true},
		{"w.vh", "`ifndef W_VH\n`define W `HALF + 2\n`define HALF 2\n`define OTHER 8\n`endif\n", true},
		{"w.vh", "`ifndef W_VH\n`define W `HALF + 2\n`define HALF 2\n`endif\n", true},
		{"w.vh", "`ifndef W_VH\n`define W `HALF + 2\n`define HALF 3\n`define OTHER 7\n`endif\n", false},
		{"w.vh", "`ifndef W_VH\n`define W `HALF + 3\n`define HALF 2\n`define OTHER 7\n`endif\n", false},
		{"w.vh", "`ifdef W_VH\n`define W `HALF + 2\n`define HALF 2\n`define OTHER 7\n`endif\n", false},
		{"v.vh", "`define V 5\n", true},
	} {
		if got := hash(map[string]string{tt.name: tt.text}); (got == want) != tt.same {
			t.Errorf("%s as %q: the hash is the same: %v, want %v", tt.name, tt.text, got == want, tt.same)
		}
	}
	if _, _, err := (&Sources{}).Closure("none"); err == nil {
		t.Error("a module that is not there has a hash")
	}
}

// TestNormal: what is synthesised reads as what was written.
func TestNormal(t *testing.T) {
	got := normal("`define A 4'b01 // a bit\nassign x = a <= 4'sd3 ? b >>> 2 : {c, `A};\nassign y = v[3 +: 2]; initial $display(\"// no comment\");").text
	want := "`define A 4'b01\nassign x = a <= 4'sd3 ? b >>> 2 : { c , `A } ;\nassign y = v [ 3 +: 2 ] ;\ninitial $display ( \"// no comment\" ) ;\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
