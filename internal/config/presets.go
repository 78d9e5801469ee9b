package config

import (
	"bytes"
	"embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed presets/*.yaml
var presetFiles embed.FS

// A Row is one preset: a value of type T under a name, and where its numbers come from.
type Row[T any] struct {
	Name    string
	Value   T
	Sources []Source
	Note    string
}

// A Source says where numbers come from: a short key, unique in its file, and what it stands for.
type Source struct{ Key, Text string }

// presetFile is the form of a file under presets/. A row holds `sources`, a list of keys of the map of that name, may
// hold a `note`, and otherwise holds the fields of the preset's type.
type presetFile struct {
	Schema  string            `yaml:"schema"` // vcsim.presets/1
	Sources map[string]string `yaml:"sources"`
	Rows    Node              `yaml:"rows"`
}

// PresetKinds lists the preset files: codecs, gpus, links, memories, models, paper.
func PresetKinds() []string {
	entries, err := presetFiles.ReadDir("presets")
	if err != nil {
		panic(err) // embedded
	}
	var kinds []string
	for _, e := range entries {
		kinds = append(kinds, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return kinds
}

// PresetFile returns the YAML text of one kind of presets.
func PresetFile(kind string) ([]byte, error) {
	data, err := presetFiles.ReadFile("presets/" + kind + ".yaml")
	if err != nil {
		kinds := PresetKinds()
		return nil, fmt.Errorf("no presets called %q (%s)%s", kind, strings.Join(kinds, ", "), DidYouMean(kind, kinds))
	}
	return bytes.Clone(data), nil
}

// Presets decodes all presets of a kind, in the order of the file, each strictly into a T. T may be Node.
func Presets[T any](kind string) ([]Row[T], error) {
	return presets[T](kind, func(string) bool { return true })
}

// Preset decodes one preset. The error for an unknown name suggests the nearest one.
func Preset[T any](kind, name string) (Row[T], error) {
	rows, err := presets[T](kind, func(n string) bool { return n == name })
	if err != nil {
		return Row[T]{}, err
	}
	if len(rows) == 0 {
		names, err := PresetNames(kind)
		if err != nil {
			return Row[T]{}, err
		}
		return Row[T]{}, fmt.Errorf("no preset %q in %s%s", name, kind, DidYouMean(name, names))
	}
	return rows[0], nil
}

// PresetNames lists the presets of a kind, in the order of the file.
func PresetNames(kind string) ([]string, error) {
	rows, err := Presets[Node](kind)
	var names []string
	for _, r := range rows {
		names = append(names, r.Name)
	}
	return names, err
}

// presets decodes the presets of a kind whose name is wanted.
func presets[T any](kind string, wanted func(name string) bool) ([]Row[T], error) {
	data, err := PresetFile(kind)
	if err != nil {
		return nil, err
	}
	file := "presets/" + kind + ".yaml"
	var f presetFile
	if err := Decode(file, data, &f); err != nil {
		return nil, err
	}
	var rows []Row[T]
	for i := 0; i+1 < len(f.Rows.Content); i += 2 {
		name, fields := f.Rows.Content[i].Value, f.Rows.Content[i+1]
		if !wanted(name) {
			continue
		}
		row, err := presetRow[T](file, f.Sources, name, fields)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// presetRow takes `sources` and `note` out of a row and decodes the rest into its value.
func presetRow[T any](file string, sources map[string]string, name string, fields *Node) (Row[T], error) {
	row := Row[T]{Name: name}
	var keys []string
	rest := *fields
	rest.Content = slices.Clone(fields.Content)
	for i := 0; i+1 < len(rest.Content); {
		key, val := rest.Content[i].Value, rest.Content[i+1]
		var err error
		switch key {
		case "sources":
			err = DecodeNode(file, val, &keys)
		case "note":
			err = DecodeNode(file, val, &row.Note)
		default:
			i += 2
			continue
		}
		if err != nil {
			return row, err
		}
		rest.Content = slices.Delete(rest.Content, i, i+2)
	}
	for _, key := range keys {
		text, ok := sources[key]
		if !ok {
			return row, &Error{File: file, Line: fields.Line, Msg: fmt.Sprintf("%s: unknown source %s", name, key)}
		}
		row.Sources = append(row.Sources, Source{key, text})
	}
	if len(row.Sources) == 0 {
		return row, &Error{File: file, Line: fields.Line, Msg: name + ": no sources"}
	}
	return row, DecodeNode(file, &rest, &row.Value)
}
