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
