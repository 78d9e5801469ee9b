package main

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

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
