package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPages: each command line of the program that README.md, CONTRIBUTING.md and docs show is one that it takes, as far as names of
// commands and flags go.
func TestPages(t *testing.T) {
	var pages []string
	for _, pattern := range []string{"../../*.md", "../../docs/*.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, files...)
	}
	var (
		code    = regexp.MustCompile("`([^`\n]+)`|(?m:^    (.+)$)")
		command = regexp.MustCompile(`(?:^|[ ;&|]|bin/)vcsim ([a-z].*)$`)
	)
	found := 0
	for _, page := range pages {
		b, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range code.FindAllStringSubmatch(string(b), -1) {
			line, _, _ := strings.Cut(m[1]+m[2], "#")
			m := command.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			found++
			words := strings.Fields(m[1])
			root := newRootCommand(&app{stdout: io.Discard, stderr: io.Discard})
			root.InitDefaultCompletionCmd()
			cmd, _, err := root.Find(words)
			if err != nil || !cmd.HasParent() {
				t.Errorf("%s: %s: no such command", page, strings.TrimSpace(line))
				continue
			}
			cmd.InitDefaultHelpFlag()
			for _, word := range words {
				name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
				if !strings.HasPrefix(word, "--") || name == "" {
					continue
				}
				if cmd.Flags().Lookup(name) == nil && cmd.InheritedFlags().Lookup(name) == nil {
					t.Errorf("%s: %s: no flag --%s", page, strings.TrimSpace(line), name)
				}
			}
		}
	}
	if found < 20 {
		t.Errorf("%d command lines on the pages", found)
	}
}
