package main

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// newDocsCommand writes the man pages and completion scripts of all commands;
// `make docs` calls it.
func newDocsCommand(*app) *cobra.Command {
	return &cobra.Command{
		Use:     "docs DIR",
		Hidden:  true,
		Short:   "Write the man pages and completion scripts into a folder",
		Example: "  vcsim docs out",
		Args:    withUsage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			man := filepath.Join(args[0], "man", "man1")
			comp := filepath.Join(args[0], "completions")
			for _, dir := range []string{man, comp} {
				if err := os.MkdirAll(dir, 0o755); err != nil {
					return err
				}
			}
			root.DisableAutoGenTag = true
			if err := doc.GenManTree(root, &doc.GenManHeader{Title: "VCSIM", Section: "1", Source: "vcsim", Manual: "vcsim"}, man); err != nil {
				return err
			}
			if err := root.GenBashCompletionFileV2(filepath.Join(comp, "vcsim.bash"), true); err != nil {
				return err
			}
			if err := root.GenZshCompletionFile(filepath.Join(comp, "_vcsim")); err != nil {
				return err
			}
			return root.GenFishCompletionFile(filepath.Join(comp, "vcsim.fish"), true)
		},
	}
}
