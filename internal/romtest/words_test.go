package romtest

import "testing"

type inner struct {
	Thread uint8 `rtl:"ThreadBits"`
	Last   bool
}

type outer struct {
	QPDelta uint8 `rtl:"2"`
	inner
	Levels [4]int16 `rtl:"12 from 1"`
	Odd    uint8    `rtl:"(Values == 4 ? 2 : 1)"`
	MBX    uint8    `rtl:"ThreadBits"`
	None   int
}

func TestWords(t *testing.T) {
	const want = "// Words.\n// Two lines.\n//\n// Generated from a.go\n// by go generate. Do not edit.\n\n`ifndef A_WORDS_VH\n`define A_WORDS_VH\n" + `
// outer
` + "`define P_W_QP_DELTA      0 +: 2\n" +
		"`define P_W_QP_DELTA_AT   0\n" +
		"`define P_W_QP_DELTA_BITS 2\n" +
		"`define P_W_INNER         2 +: ThreadBits + 1\n" +
		"`define P_W_INNER_AT      2\n" +
		"`define P_W_INNER_BITS    (ThreadBits + 1)\n" +
		"`define P_W_THREAD        2 +: ThreadBits\n" +
		"`define P_W_THREAD_AT     2\n" +
		"`define P_W_THREAD_BITS   ThreadBits\n" +
		"`define P_W_LAST          ThreadBits + 2\n" +
		"`define P_W_LAST_AT       (ThreadBits + 2)\n" +
		"`define P_W_LAST_BITS     1\n" +
		"`define P_W_LEVELS        ThreadBits + 3 +: 36\n" +
		"`define P_W_LEVELS_AT     (ThreadBits + 3)\n" +
		"`define P_W_LEVELS_BITS   36\n" +
		"`define P_W_LEVELS_EACH   12\n" +
		"`define P_W_ODD           ThreadBits + 39 +: (Values == 4 ? 2 : 1)\n" +
		"`define P_W_ODD_AT        (ThreadBits + 39)\n" +
		"`define P_W_ODD_BITS      ((Values == 4 ? 2 : 1))\n" +
		"`define P_W_MBX           ThreadBits + (Values == 4 ? 2 : 1) + 39 +: ThreadBits\n" +
		"`define P_W_MBX_AT        (ThreadBits + (Values == 4 ? 2 : 1) + 39)\n" +
		"`define P_W_MBX_BITS      ThreadBits\n" +
		"`define P_W_BITS          (2 * ThreadBits + (Values == 4 ? 2 : 1) + 39)\n" +
		"\n`endif\n"
	if got := Words("a_words.vh", "P", "Words.\nTwo lines.", "a.go", []Word{{"W", outer{}}}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestBits(t *testing.T) {
	type word struct {
		A  uint8 `rtl:"3"`
		In inner2
		B  [3]int16 `rtl:"4 from 1"`
		C  bool
	}
	w := word{A: 5, In: inner2{X: -1, Y: true}, B: [3]int16{9, -8, 7}, C: true}
	if got, want := Bits(w), uint64(5|3<<3|1<<5|8<<6|7<<10|1<<14); got != want {
		t.Errorf("got %#x, want %#x", got, want)
	}
}

type inner2 struct {
	X int8 `rtl:"2"`
	Y bool
}
