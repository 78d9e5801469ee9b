// Package config reads configuration strictly, parses numbers that carry a unit, and holds the presets.
//
// A file is one YAML document (version 1.2 as gopkg.in/yaml.v3 reads it). Unknown keys, duplicate keys, null where a
// value is needed, numbers that are not finite, a second document, an empty file and wrong types are all refused, each
// with one line that names file and line.
package config

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"gopkg.in/yaml.v3"
)

// maxFileBytes bounds what Load reads; the largest measurement file in use has 0.2 MB.
const maxFileBytes = 64 << 20

// Node is a YAML value not yet decoded. A field of this type takes anything; DecodeNode reads it later.
type Node = yaml.Node

// An Error is a fault in a configuration file.
type Error struct {
	File string
	Line int // from 1; 0 when the fault has no place in the file
	Msg  string
	Err  error // what the system said of the file; nil for a fault in it
}

// Unwrap returns what the system said.
func (e *Error) Unwrap() error { return e.Err }

// Error is one printable line, whatever the file holds.
func (e *Error) Error() string {
	place := e.File
	if e.Line > 0 {
		place = fmt.Sprintf("%s:%d", e.File, e.Line)
	}
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, place+": "+e.Msg)
}

// Load decodes the YAML file at path into dst, a pointer. Errors are of type *Error.
func Load(path string, dst any) error {
	f, err := os.Open(path)
	if err != nil {
		return fileError(path, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFileBytes+1))
	if err != nil {
		return fileError(path, err)
	}
	if len(data) > maxFileBytes {
		return &Error{File: path, Msg: fmt.Sprintf("larger than %d bytes", maxFileBytes)}
	}
	return Decode(path, data, dst)
}

func fileError(path string, err error) error {
	msg := err.Error()
	if pe, ok := err.(*os.PathError); ok {
		msg = pe.Err.Error()
	}
	return &Error{File: path, Msg: msg, Err: err}
}

// Decode decodes the one YAML document in data into dst, a pointer; name stands for the file in errors.
// Fields of dst that the document does not mention keep their value. Errors are of type *Error.
func Decode(name string, data []byte, dst any) error {
	d := yaml.NewDecoder(bytes.NewReader(data))
	var doc, next Node
	switch err := d.Decode(&doc); {
	case err == io.EOF:
		return &Error{File: name, Line: 1, Msg: "the file is empty"}
	case err != nil:
		return yamlError(name, err)
	}
	if err := d.Decode(&next); err == nil {
		return &Error{File: name, Line: next.Line, Msg: "a second document; one is allowed"}
	} else if err != io.EOF {
		return yamlError(name, err)
	}
	return DecodeNode(name, &doc, dst)
}

// DecodeNode is Decode for a value that was read as a Node before. It is as strict, unlike Node.Decode.
func DecodeNode(name string, n *Node, dst any) error {
	v := reflect.ValueOf(dst)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		panic(fmt.Sprintf("config: DecodeNode into %T, want a pointer", dst))
	}
	if n.Kind == yaml.DocumentNode {
		n = n.Content[0]
	}
	if err := (&checker{file: name}).value(n, v.Type().Elem(), ""); err != nil {
		return err
	}
	if err := n.Decode(dst); err != nil {
		return yamlError(name, err)
	}
	return nil
}

var yamlLine = regexp.MustCompile(`^(?:yaml: )?(?:unmarshal errors:\s+)?(?:line (\d+): )?`)

// yamlError turns the first fault that yaml.v3 reports into an Error.
func yamlError(name string, err error) error {
	text := err.Error()
	if te, ok := err.(*yaml.TypeError); ok && len(te.Errors) > 0 {
		text = te.Errors[0]
	}
	m := yamlLine.FindStringSubmatch(text)
	line, convErr := strconv.Atoi(m[1])
	if convErr != nil {
		line = 1 // yaml.v3 leaves the line out when it is the first
	}
	msg, _, _ := strings.Cut(text[len(m[0]):], "\n")
	return &Error{File: name, Line: line, Msg: msg}
}
