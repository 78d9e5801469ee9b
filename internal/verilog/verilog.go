// Package verilog reads Verilog as far as it takes to know which sources a module is of, and whether they changed.
package verilog

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Sources is the Verilog of a folder: modules, each with the names that it uses, and headers.
type Sources struct {
	modules map[string]source
	headers map[string]source
}

// A source is a piece of Verilog in the form that is hashed and synthesised: tokens, without comments and layout. So no name in a
// netlist depends on a line number.
type source struct {
	text  string
	words map[string]bool
}

// A token of Verilog is a string, a word with what may be in a number, an operator, or one character.
var token = regexp.MustCompile("\"(?:[^\"\\\\\n]|\\\\.)*\"|[A-Za-z0-9_$`']+|<<<|>>>|===|!==|<<|>>|<=|>=|==|!=|&&|\\|\\||\\*\\*|~&|~\\||~\\^|\\^~|\\+:|-:|\\S")

// comment is a comment of either kind, or a string, which may look as if it held one.
var comment = regexp.MustCompile("(?s)\"(?:[^\"\\\\\n]|\\\\.)*\"|//[^\n]*|/\\*.*?\\*/")

// directive is a line that has to stay one.
var directive = regexp.MustCompile("^\\s*`(include|define|undef|default_nettype|timescale|ifdef|ifndef|else|elsif|endif)\\b")

// normal is Verilog as its tokens, with a space between two, a line for each directive and up to each semicolon.
func normal(text string) source {
	text = comment.ReplaceAllStringFunc(text, func(s string) string {
		if s[0] == '"' {
			return s
		}
		return " "
	})
	s := source{words: map[string]bool{}}
	var b strings.Builder
	open := false // a line has begun
	end := func() {
		if open {
			b.WriteByte('\n')
		}
		open = false
	}
	for line := range strings.Lines(text) {
		alone := directive.MatchString(line)
		if alone {
			end()
		}
		for _, t := range token.FindAllString(line, -1) {
			if open {
				b.WriteByte(' ')
			}
			b.WriteString(t)
			s.words[t], open = true, true
			if t == ";" && !alone {
				end()
			}
		}
		if alone {
			end()
		}
	}
	end()
	s.text = b.String()
	return s
}

// Read reads all Verilog below a folder. A file has the module of its name.
func Read(dir string) (*Sources, error) {
	r := &Sources{modules: map[string]source{}, headers: map[string]source{}}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		ext := filepath.Ext(path)
		if ext != ".v" && ext != ".vh" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if ext == ".vh" {
			r.headers[filepath.Base(path)] = normal(string(text))
		} else {
			r.modules[strings.TrimSuffix(filepath.Base(path), ext)] = normal(string(text))
		}
		return nil
	})
	return r, err
}

// define is the definition of a macro.
var define = regexp.MustCompile("^`define (\\w+)")

// use adds to words what the lines of a header use, and the definitions that they need, until nothing is added.
func use(lines []string, words map[string]bool) (added bool) {
	before := len(words)
	for _, line := range lines {
		if d := define.FindStringSubmatch(line); d == nil || words["`"+d[1]] || words[d[1]] {
			for _, t := range token.FindAllString(line, -1) {
				words[t] = true
			}
		}
	}
	return len(words) > before
}

// needed is the lines of a header without definitions that are not among words.
func needed(lines []string, words map[string]bool) string {
	return strings.Join(slices.DeleteFunc(lines, func(line string) bool {
		d := define.FindStringSubmatch(line)
		return d != nil && !words["`"+d[1]] && !words[d[1]]
	}), "")
}

// Text is a module in the form that is hashed: tokens with a space between two, without comments. It is empty if there is no such module.
func (r *Sources) Text(module string) string { return r.modules[module].text }

// Closure is the files of a module, of all modules below it and of the headers that they include, these without the definitions
// that none of the modules uses, by name, and their hash of 16 digits. Comments and layout are not in it.
func (r *Sources) Closure(top string) (files map[string]string, hash string, err error) {
	if _, ok := r.modules[top]; !ok {
		return nil, "", fmt.Errorf("there is no module %s", top)
	}
	files = map[string]string{}
	words, headers := map[string]bool{}, map[string][]string{}
	queue := []string{top}
	for len(queue) > 0 {
		name := queue[0]
		queue = queue[1:]
		if _, ok := files[name+".v"]; ok {
			continue
		}
		s := r.modules[name]
		files[name+".v"] = s.text
		for word := range s.words {
			words[word] = true
			if _, ok := r.modules[word]; ok {
				queue = append(queue, word)
			}
			if h, ok := strings.CutPrefix(word, "\""); ok {
				h = strings.TrimSuffix(h, "\"")
				if header, ok := r.headers[h]; ok {
					headers[h] = slices.Collect(strings.Lines(header.text))
				}
			}
		}
	}
	for more := true; more; { // a definition may use one of another header
		more = false
		for _, lines := range headers {
			more = use(lines, words) || more
		}
	}
	for h, lines := range headers {
		files[h] = needed(lines, words)
	}
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(sum, "%s\n%s\n", name, files[name])
	}
	return files, hex.EncodeToString(sum.Sum(nil)[:8]), nil
}
