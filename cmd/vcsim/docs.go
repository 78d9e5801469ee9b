package main

import (
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"vcsim/internal/report"
)

func newVersionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version of this program and what it was built from",
		Example: "  vcsim version --json",
		Args:    wantArgs(0, 0),
		RunE:    func(*cobra.Command, []string) error { return a.print(versionResult()) },
	}
}

// programVersion is the version that the Go linker left in the binary.
func programVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return "vcsim " + info.Main.Version
	}
	return "vcsim unknown"
}

// versionResult reads what the Go linker left in the binary. The revision is there when the build saw the repository.
func versionResult() *report.Result {
	version := "unknown"
	vcs := map[string]any{"vcs.revision": nil, "vcs.time": nil, "vcs.modified": nil}
	if info, ok := debug.ReadBuildInfo(); ok {
		version = info.Main.Version
		for _, s := range info.Settings {
			if _, ok := vcs[s.Key]; ok {
				vcs[s.Key] = s.Value
			}
		}
	}
	if modified := vcs["vcs.modified"]; modified != nil {
		vcs["vcs.modified"] = modified == "true"
	}
	fact := func(key string, value any) report.Fact {
		return report.Fact{Column: report.Column{Key: key}, Value: value}
	}
	return &report.Result{
		Schema: "vcsim.version/1",
		Facts: []report.Fact{
			fact("version", version),
			fact("go_version", runtime.Version()),
			fact("platform", runtime.GOOS+"/"+runtime.GOARCH),
			fact("revision", vcs["vcs.revision"]),
			fact("revision_time", vcs["vcs.time"]),
			fact("modified", vcs["vcs.modified"]),
		},
	}
}

// newDocsCommand writes the man pages and completion scripts of all commands;
// `make docs` calls it.
func newDocsCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "docs DIR",
		Hidden:  true,
		Short:   "Write the man pages and completion scripts into a folder",
		Example: "  vcsim docs out",
		Args:    wantArgs(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			man := filepath.Join(args[0], "man", "man1")
			comp := filepath.Join(args[0], "completions")
			files := []string{filepath.Join(comp, "vcsim.bash"), filepath.Join(comp, "_vcsim"), filepath.Join(comp, "vcsim.fish")}
			if err := a.alsoWrites(append(files, manPages(root, man)...)...); err != nil {
				return err
			}
			for _, dir := range []string{man, comp} {
				if err := os.MkdirAll(dir, 0o755); err != nil {
					return err
				}
			}
			root.DisableAutoGenTag = true
			if err := doc.GenManTree(root, &doc.GenManHeader{Title: "VCSIM", Section: "1", Source: "vcsim", Manual: "vcsim"}, man); err != nil {
				return err
			}
			if err := root.GenBashCompletionFileV2(files[0], true); err != nil {
				return err
			}
			if err := root.GenZshCompletionFile(files[1]); err != nil {
				return err
			}
			return root.GenFishCompletionFile(files[2], true)
		},
	}
}

// manPages lists the man pages of a command and its subcommands, as cobra names them.
func manPages(c *cobra.Command, dir string) []string {
	pages := []string{filepath.Join(dir, strings.ReplaceAll(c.CommandPath(), " ", "-")+".1")}
	for _, sub := range c.Commands() {
		pages = append(pages, manPages(sub, dir)...)
	}
	return pages
}
