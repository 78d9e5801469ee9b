package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"vcsim/internal/config"
	"vcsim/internal/figures"
	"vcsim/internal/report"
)

// figureCommands are the tables and figures of the paper that can be reproduced, one file each.
var figureCommands = []func(*app, *reproduceFlags) *cobra.Command{
	newFig2bCommand,
	newFig3Command,
	newFig4Command,
	newFig9Command,
	newFig10aCommand,
	newFig10bCommand,
	newTable2Command,
	newInferenceCommand,
	newLMCCommand,
}

// reproduceSchema is the schema of the JSON of a figure: each has a layout of its own.
func reproduceSchema(figure string) string { return "vcsim.reproduce." + figure + "/1" }

type reproduceFlags struct{ out string }

func newReproduceCommand(a *app) *cobra.Command {
	var f reproduceFlags
	var names []string
	cmd := &cobra.Command{
		Use:   "reproduce FIGURE",
		Short: "The paper's figures and tables, ours beside theirs",
		Long: "reproduce works out a figure or table of the paper (VcLLM, arXiv 2407.00467) and prints what the paper states beside what\n" +
			"follows here. With --out it also draws the charts, as PNG and SVG.",
		Example: "  vcsim reproduce fig10a --out charts\n  vcsim reproduce table2 --markdown",
		RunE: func(_ *cobra.Command, args []string) error {
			want := strings.Join(names, ", ")
			if len(args) == 0 {
				return fmt.Errorf("reproduce wants a figure: %s", want)
			}
			return fmt.Errorf("no figure %q (%s)%s", args[0], want, config.DidYouMean(args[0], names))
		},
	}
	cmd.PersistentFlags().StringVar(&f.out, "out", "", "directory for the charts, made if need be")
	for _, newFigure := range figureCommands {
		sub := newFigure(a, &f)
		names = append(names, sub.Name())
		cmd.AddCommand(sub)
	}
	return cmd
}

// A drawing writes itself to a .png or .svg.
type drawing interface{ Save(path string) error }

// A namedChart is a chart and the name of its files, without their ending.
type namedChart struct {
	name  string
	chart drawing
}

// save draws the charts if --out asks for it, and returns the files written.
func (f *reproduceFlags) save(a *app, charts ...namedChart) ([]string, error) {
	if f.out == "" {
		return nil, nil
	}
	if err := os.MkdirAll(f.out, 0o777); err != nil {
		return nil, fmt.Errorf("--out: %w", err)
	}
	var files []string
	for _, c := range charts {
		for _, ending := range []string{".png", ".svg"} {
			files = append(files, filepath.Join(f.out, c.name+ending))
		}
	}
	if err := a.alsoWrites(files...); err != nil {
		return nil, err
	}
	for i, path := range files {
		if err := charts[i/2].chart.Save(path); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// A figure is the result of a subcommand with charts.
type figure interface {
	charts() []namedChart
	result(files []string) *report.Result
}

// printFigure prints r and draws its charts if --out asks for it.
func (a *app) printFigure(r figure, f *reproduceFlags) error {
	files, err := f.save(a, r.charts()...)
	if err != nil {
		return err
	}
	return a.print(r.result(files))
}

// fileNote is the sentence on the files written, or none.
func fileNote(files []string) []string {
	if len(files) == 0 {
		return nil
	}
	return []string{"Written: " + strings.Join(files, ", ") + "."}
}

func statementTable(list []figures.Statement) report.Table {
	t := report.Table{Name: "statements", Columns: []report.Column{{Key: "statement"}, {Key: "unit"}, {Key: "paper"}, {Key: "ours"}, {Key: "from"}, {Key: "remark"}}}
	for _, s := range list {
		t.Rows = append(t.Rows, []any{s.What, s.Unit, cell(s.Paper), cell(s.Ours), s.Formula, s.Remark})
	}
	return t
}
