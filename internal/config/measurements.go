package config

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

//go:embed measurements/*.yaml
var measurementFiles embed.FS

// MeasurementSchema is the schema of a file of published measurements.
const MeasurementSchema = "vcsim.validation/1"

// measurementFile is the form of such a file: a row is the defaults overlaid
// by the row's own keys.
type measurementFile struct {
	Schema   string `yaml:"schema"`
	Study    string `yaml:"study"`
	Defaults Node   `yaml:"defaults"`
	Rows     []Node `yaml:"rows"`
}

// MeasurementNames lists the built-in files of published measurements, without
// their ending.
func MeasurementNames() []string {
	entries, err := measurementFiles.ReadDir("measurements")
	if err != nil {
		panic(err) // embedded
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return names
}

// Measurements decodes a file of published measurements, strictly, each row
// into a T; path is a file or the name of a built-in one.
func Measurements[T any](path string) (study string, rows []T, err error) {
	var f measurementFile
	if slices.Contains(MeasurementNames(), path) {
		path = "measurements/" + path + ".yaml"
		data, err := measurementFiles.ReadFile(path)
		if err != nil {
			panic(err) // embedded
		}
		if err := Decode(path, data, &f); err != nil {
			return "", nil, err
		}
	} else if err := Load(path, &f); err != nil {
		return "", nil, err
	}
	if f.Schema != MeasurementSchema {
		return "", nil, &Error{File: path, Line: 1, Msg: fmt.Sprintf("schema is %q, want %s", f.Schema, MeasurementSchema)}
	}
	if len(f.Rows) == 0 {
		return "", nil, &Error{File: path, Line: 1, Msg: "no rows"}
	}
	rows = make([]T, len(f.Rows))
	for i := range f.Rows {
		row := overlaid(&f.Defaults, &f.Rows[i])
		if err := DecodeNode(path, row, &rows[i]); err != nil {
			return "", nil, err
		}
	}
	return f.Study, rows, nil
}

// overlaid is the row with the defaults' keys that it does not have: a key of
// the row replaces the default's whole value, also where both are mappings.
func overlaid(defaults, row *Node) *Node {
	if defaults.Kind != yaml.MappingNode || row.Kind != yaml.MappingNode {
		return row
	}
	out := *row
	out.Content = slices.Clone(row.Content)
	for i := 0; i+1 < len(defaults.Content); i += 2 {
		key := defaults.Content[i]
		has := false
		for k := 0; k < len(row.Content); k += 2 {
			has = has || row.Content[k].Value == key.Value
		}
		if !has {
			out.Content = append(out.Content, key, defaults.Content[i+1])
		}
	}
	return &out
}
