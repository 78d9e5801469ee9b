package console

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// Help is the help text of a command, in lines of at most width characters.
func Help(c *cobra.Command, width int) string {
	var b strings.Builder
	long := c.Long
	if long == "" {
		long = c.Short
	}
	b.WriteString(Paragraphs(long, width) + "\n\n" + Usage(c, width))
	return b.String()
}

// Usage is how a command is called: the part of Help below its description.
func Usage(c *cobra.Command, width int) string {
	var b strings.Builder
	b.WriteString("Usage:\n")
	if c.Runnable() {
		b.WriteString(WrapIndented(c.UseLine(), width, "  ", "      ") + "\n")
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("  " + c.CommandPath() + " [command]\n")
	}
	if c.HasExample() {
		b.WriteString("\nExamples:\n" + examples(c.Example, width) + "\n")
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("\nAvailable Commands:\n")
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() || sub.Name() == "help" {
				name := fmt.Sprintf("  %-*s ", sub.NamePadding(), sub.Name())
				b.WriteString(WrapIndented(sub.Short, width, name, strings.Repeat(" ", len(name))) + "\n")
			}
		}
	}
	if c.HasAvailableLocalFlags() {
		b.WriteString("\nFlags:\n" + c.LocalFlags().FlagUsagesWrapped(width))
	}
	if c.HasAvailableInheritedFlags() {
		b.WriteString("\nGlobal Flags:\n" + c.InheritedFlags().FlagUsagesWrapped(width))
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("\n" + Wrap(fmt.Sprintf("%q shows what a command does.", c.CommandPath()+" [command] --help"), width) + "\n")
	}
	return b.String()
}

// Paragraphs wraps paragraphs, which blank lines separate. Lines that begin with a space or a tab stay as they are where they
// fit, and are wrapped below their first word otherwise.
func Paragraphs(s string, width int) string {
	var out, open []string
	flush := func() {
		if len(open) > 0 {
			out = append(out, Wrap(strings.Join(open, " "), width))
			open = nil
		}
	}
	for _, line := range strings.Split(strings.TrimSpace(s), "\n") {
		switch trimmed := strings.TrimLeft(line, " \t"); {
		case trimmed == "":
			flush()
			out = append(out, "")
		case trimmed == line:
			open = append(open, line)
		default:
			flush()
			if utf8.RuneCountInString(line) > width {
				indent := line[:len(line)-len(trimmed)]
				line = WrapIndented(trimmed, width, indent, indent+"  ")
			}
			out = append(out, line)
		}
	}
	flush()
	return strings.Join(out, "\n")
}

// examples breaks command lines that are too long as a shell takes them: with a backslash at the end of the line.
func examples(s string, width int) string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	for i, line := range lines {
		if utf8.RuneCountInString(line) > width {
			lines[i] = strings.ReplaceAll(WrapIndented(line, width-2, "  ", "      "), "\n", " \\\n")
		}
	}
	return strings.Join(lines, "\n")
}
