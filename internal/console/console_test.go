package console

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

func TestWrap(t *testing.T) {
	for _, tt := range []struct {
		in, first, others string
		width             int
		want              string
	}{
		{"", "", "", 10, ""},
		{"one two", "", "", 7, "one two"},
		{"one two", "", "", 6, "one\ntwo"},
		{"  one \n two  ", "", "", 80, "one two"},
		{"a word-longer-than-a-line b", "", "", 8, "a\nword-longer-than-a-line\nb"},
		{"äö üß", "", "", 5, "äö üß"}, // characters, not bytes
		{"äö üß", "", "", 4, "äö\nüß"},
		{"one two three", "- ", "  ", 9, "- one two\n  three"},
	} {
		if got := WrapIndented(tt.in, tt.width, tt.first, tt.others); got != tt.want {
			t.Errorf("%q at %d: %q, want %q", tt.in, tt.width, got, tt.want)
		}
	}
}

func TestParagraphs(t *testing.T) {
	const in = "one two\nthree four\n\n  a   table\n  of something too long\nend"
	const want = "one two\nthree four\n\n  a   table\n  of\n    something\n    too long\nend"
	if got := Paragraphs(in, 12); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestHelp: every part of the help is there, no line is too long, and a long example is one that a shell takes.
func TestHelp(t *testing.T) {
	c := &cobra.Command{Use: "tool FILE", Short: "short", Long: strings.Repeat("prose ", 30), Example: "  tool " + strings.Repeat("argument ", 12) + "end", Run: func(*cobra.Command, []string) {}}
	c.Flags().Int("number", 7, strings.Repeat("meaning ", 20))
	c.AddCommand(&cobra.Command{Use: "sub", Short: strings.Repeat("what it does ", 8), Run: func(*cobra.Command, []string) {}})
	text := Help(c, 40)
	for line := range strings.Lines(text) {
		if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > 40 {
			t.Errorf("%d characters: %q", n, line)
		}
	}
	for _, want := range []string{"prose prose", "Usage:\n  tool FILE [flags]\n  tool [command]\n", "Examples:\n  tool argument", "--number int", "Available Commands:\n  sub", "(default 7)"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	_, example, _ := strings.Cut(text, "Examples:\n")
	example, _, _ = strings.Cut(example, "\n\n")
	if joined := strings.Join(strings.Fields(strings.ReplaceAll(example, " \\\n", " ")), " "); joined != strings.TrimSpace(c.Example) || strings.Contains(joined, `\`) {
		t.Errorf("the example as a shell reads it: %q", joined)
	}
}

// TestNoTerminal: what is no terminal has no colour, the usual width and messages of one line.
func TestNoTerminal(t *testing.T) {
	var b bytes.Buffer
	if IsTerminal(&b) || Colour(&b) || WidthOf(&b) != Width || Prose(&b) != Width {
		t.Error("a buffer is a terminal")
	}
	if err := Message(&b, strings.Repeat("word ", 40)); err != nil || strings.Count(b.String(), "\n") != 1 {
		t.Errorf("%q, %v", b.String(), err)
	}
}
