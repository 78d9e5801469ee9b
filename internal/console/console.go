// Package console knows the terminal that text goes to: whether there is one, how wide it is, whether it wants colour, and
// how prose is wrapped for it. Where there is no terminal, text is plain and Width characters wide.
package console

import (
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// Text is wrapped at Width characters where no terminal asks for more, and prose nowhere at more than MaxProse.
const (
	Width    = 80
	MaxProse = 120
)

// terminal is the file behind w if that is a terminal, else nil.
func terminal(w any) *os.File {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

// IsTerminal reports whether f, a reader or a writer, is a terminal.
func IsTerminal(f any) bool { return terminal(f) != nil }

// Colour reports whether text to w may have colours: w is a terminal that is not dumb, and NO_COLOR (no-color.org) is unset or
// empty.
func Colour(w io.Writer) bool {
	return IsTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// WidthOf is how many characters a line to w may have: those of its terminal, but at least Width.
func WidthOf(w io.Writer) int {
	if f := terminal(w); f != nil {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil {
			return max(Width, n)
		}
	}
	return Width
}

// Prose is WidthOf for sentences, which wide terminals do not make wider than MaxProse.
func Prose(w io.Writer) int { return min(MaxProse, WidthOf(w)) }

// Wrap breaks s between words into lines of at most width characters, where the words allow it.
func Wrap(s string, width int) string { return WrapIndented(s, width, "", "") }

// WrapIndented is Wrap of text whose first line begins with one string and the others with another. Both count as width.
func WrapIndented(s string, width int, first, others string) string {
	var b strings.Builder
	b.WriteString(first)
	column, start := utf8.RuneCountInString(first), true
	for _, word := range strings.Fields(s) {
		n := utf8.RuneCountInString(word)
		switch {
		case start:
		case column+1+n > width:
			b.WriteString("\n" + others)
			column = utf8.RuneCountInString(others)
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
		start = false
	}
	return b.String()
}

// Message writes a message as one line, or wrapped at words where w is a terminal.
func Message(w io.Writer, text string) error {
	if IsTerminal(w) {
		text = Wrap(text, Prose(w))
	}
	_, err := io.WriteString(w, text+"\n")
	return err
}
