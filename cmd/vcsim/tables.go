package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"vcsim/internal/config"
	"vcsim/internal/report"
)

// commandTables names the tables that the results of a command can have, the main one first; a command that is not here has
// none. --table chooses among them, and --csv of other commands is refused before any work.
var commandTables = map[string][]string{
	"vcsim cluster":             {"codecs", "accuracy", "layouts", "step", "memory", "basis", "points", "explain", "speedup", "bounds"},
	"vcsim encode":              {"tensors"},
	"vcsim inspect":             {"tensors", "bins", "blocks", "modes", "modes_4x4", "modes_8x8", "modes_16x16"},
	"vcsim compare":             {"above_ecsq", "formats", "points"},
	"vcsim area":                {"sides", "units"},
	"vcsim energy":              {"sides", "units"},
	"vcsim sim":                 {"runs", "planes", "units"},
	"vcsim validate":            {"rows", "fabrics"},
	"vcsim snapshot list":       {"tensors"},
	"vcsim snapshot verify":     {"chain"},
	"vcsim reproduce fig2b":     {"bits_per_value", "statements"},
	"vcsim reproduce fig3":      {"domains"},
	"vcsim reproduce fig10a":    {"speedup", "derived", "statements"},
	"vcsim reproduce fig10b":    {"gain", "layouts", "statements"},
	"vcsim reproduce table2":    {"engines", "pairs", "statements"},
	"vcsim reproduce inference": {"statements"},
	"vcsim reproduce lmc":       {"compressors"},
	"vcsim samples":             {"files"},
	"vcsim list":                {"kinds", "presets", "sources", "notes"},
}

// checkTables refuses --csv and --table where a command has no such table.
func (a *app) checkTables(cmd *cobra.Command) error {
	tables := commandTables[cmd.CommandPath()]
	switch {
	case a.table != "" && !a.csv:
		return fmt.Errorf("--table %s chooses the table of --csv", a.table)
	case a.csv && len(tables) == 0:
		return report.ErrNoTable
	case a.table != "" && !slices.Contains(tables, a.table):
		return fmt.Errorf("--table %s: %s has %s%s", a.table, cmd.CommandPath(), strings.Join(tables, ", "), config.DidYouMean(a.table, tables))
	}
	return nil
}

// chosenTable keeps the table of a result that --table names, else the main one.
func (a *app) chosenTable(r *report.Result) (*report.Result, error) {
	if a.table == "" || len(r.Tables) == 0 {
		return r, nil
	}
	var names []string
	for _, t := range r.Tables {
		if t.Name == a.table {
			only := *r
			only.Tables = []report.Table{t}
			return &only, nil
		}
		names = append(names, t.Name)
	}
	return nil, fmt.Errorf("--table %s: this result has %s", a.table, strings.Join(names, ", "))
}
