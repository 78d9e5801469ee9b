package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vcsim/internal/config"
)

// setFromFile sets the flags of cmd that the command line leaves open from a
// YAML file whose keys are the flags' long names. Errors name file and line.
func setFromFile(cmd *cobra.Command, path string) error {
	var values map[string]config.Node
	if err := config.Load(path, &values); err != nil {
		return err
	}
	var names, keys []string
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "file" && f.Name != "help" && f.Name != "manifest" {
			names = append(names, f.Name)
		}
	})
	for key := range values {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b string) int { return values[a].Line - values[b].Line })
	for _, key := range keys {
		n := values[key]
		at := func(format string, args ...any) error {
			return &config.Error{File: path, Line: n.Line, Msg: fmt.Sprintf(format, args...)}
		}
		if !slices.Contains(names, key) {
			return at("unknown key %s%s", key, config.DidYouMean(key, names))
		}
		if cmd.Flags().Changed(key) {
			continue // the command line wins
		}
		texts := []string{n.Value}
		if len(n.Content) > 0 || n.Tag == "!!seq" {
			texts = nil
			for _, e := range n.Content {
				texts = append(texts, e.Value)
			}
		}
		for _, text := range texts {
			if err := cmd.Flags().Set(key, text); err != nil {
				return at("%s: %v", key, err)
			}
		}
	}
	return nil
}

// Flags whose values other flags may be reserved for.
const (
	flagWorkload = "workload"
	flagUnit     = "unit"
)

// reserveFlags notes that flags make sense with one value of a choosing flag only.
func reserveFlags(fs *pflag.FlagSet, choice, value string, names ...string) {
	for _, name := range names {
		if err := fs.SetAnnotation(name, choice, []string{value}); err != nil {
			panic(err) // the flag is not defined
		}
	}
}

// foreignFlag is the first flag given that is reserved for another value of the choosing flag, and that value; or nothing.
func foreignFlag(fs *pflag.FlagSet, choice, value string) (name, of string) {
	fs.Visit(func(f *pflag.Flag) {
		if reserved := f.Annotations[choice]; name == "" && len(reserved) > 0 && reserved[0] != value {
			name, of = f.Name, reserved[0]
		}
	})
	return name, of
}
