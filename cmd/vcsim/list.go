package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"vcsim/internal/config"
	"vcsim/internal/report"
)

func newListCommand(a *app) *cobra.Command {
	kinds := config.PresetKinds()
	return &cobra.Command{
		Use:   "list [KIND [NAME...]]",
		Short: "Show the presets and where their numbers come from",
		Long:  "list shows the presets of one kind (" + strings.Join(kinds, ", ") + "), or the named ones, with the source of each row.\nWithout arguments it shows the kinds.",
		Example: "  vcsim list models\n" +
			"  vcsim list gpus h100-sxm rtx3090 --json",
		ValidArgsFunction: func(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return kinds, cobra.ShellCompDirectiveNoFileComp
			}
			return completePresets(args[0])(cmd, args, word)
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.listKinds()
			}
			return a.listPresets(args[0], args[1:])
		},
	}
}

func (a *app) listKinds() error {
	t := report.Table{Name: "kinds", Columns: []report.Column{{Key: "kind"}, {Key: "presets"}}}
	for _, kind := range config.PresetKinds() {
		names, err := config.PresetNames(kind)
		if err != nil {
			return err
		}
		t.Rows = append(t.Rows, []any{kind, len(names)})
	}
	return a.print(&report.Result{Schema: "vcsim.list/1", Tables: []report.Table{t}})
}

// listPresets shows the presets of a kind, the named ones or all, then what the source keys stand for, then the notes.
func (a *app) listPresets(kind string, names []string) error {
	rows, err := config.Presets[config.Node](kind)
	if err != nil {
		return err
	}
	all := slices.Clone(rows)
	if len(names) > 0 {
		rows = rows[:0]
		for _, name := range names {
			row, err := config.Preset[config.Node](kind, name)
			if err != nil {
				return err
			}
			rows = append(rows, row)
		}
	}
	log.Debugf("%d presets of %s", len(rows), kind)

	main := report.Table{Name: kind, Columns: []report.Column{{Key: "name"}}}
	sources := report.Table{Name: "sources", Columns: []report.Column{{Key: "source"}, {Key: "stands_for"}}}
	notes := report.Table{Name: "notes", Columns: []report.Column{{Key: "name"}, {Key: "note"}}}
	column, known := map[string]int{}, map[string]bool{}
	for _, r := range all { // all presets of a kind have the same columns, whichever are shown
		err := flatten(&r.Value, "", func(key string, _ any) {
			if _, ok := column[key]; !ok {
				column[key] = len(main.Columns)
				main.Columns = append(main.Columns, report.Column{Key: key, Title: key})
			}
		})
		if err != nil {
			return err
		}
	}
	cells := make([]map[string]any, len(rows))
	for i, r := range rows {
		cells[i] = map[string]any{}
		if err := flatten(&r.Value, "", func(key string, value any) { cells[i][key] = value }); err != nil {
			return err
		}
		if r.Note != "" {
			notes.Rows = append(notes.Rows, []any{r.Name, r.Note})
		}
		for _, s := range r.Sources {
			if !known[s.Key] {
				known[s.Key] = true
				sources.Rows = append(sources.Rows, []any{s.Key, s.Text})
			}
		}
	}
	main.Columns = append(main.Columns, report.Column{Key: "source"})
	for i, r := range rows {
		row := make([]any, len(main.Columns))
		row[0] = r.Name
		for key, j := range column {
			row[j] = cells[i][key]
		}
		var keys []string
		for _, s := range r.Sources {
			keys = append(keys, s.Key)
		}
		row[len(row)-1] = strings.Join(keys, ", ")
		main.Rows = append(main.Rows, row)
	}
	if !a.json && !a.csv && !a.markdown {
		if len(names) == 1 {
			main = fieldPerRow(&main)
		} else {
			withoutEmpty(&main)
			withoutRepeats(&main)
		}
	}
	res := &report.Result{Schema: "vcsim.list." + kind + "/1", Tables: []report.Table{main, sources}}
	if len(notes.Rows) > 0 || a.json {
		res.Tables = append(res.Tables, notes)
	}
	return a.print(res)
}

// withoutEmpty drops the columns that no row has a value in.
func withoutEmpty(t *report.Table) {
	for j := len(t.Columns) - 1; j > 0; j-- {
		if !slices.ContainsFunc(t.Rows, func(row []any) bool { return row[j] != nil }) {
			t.Columns = slices.Delete(t.Columns, j, j+1)
			for i := range t.Rows {
				t.Rows[i] = slices.Delete(t.Rows[i], j, j+1)
			}
		}
	}
}

// withoutRepeats drops the columns that say no more than the name does.
func withoutRepeats(t *report.Table) {
	for j := len(t.Columns) - 1; j > 0; j-- {
		repeats := true
		for _, row := range t.Rows {
			cell, ok := row[j].(string)
			repeats = repeats && ok && cell != "" && strings.Contains("/"+row[0].(string)+"/", "/"+cell+"/")
		}
		if !repeats || len(t.Rows) == 0 {
			continue
		}
		t.Columns = slices.Delete(t.Columns, j, j+1)
		for i := range t.Rows {
			t.Rows[i] = slices.Delete(t.Rows[i], j, j+1)
		}
	}
}

// fieldPerRow turns a table of one row: a row for each field that it has.
func fieldPerRow(t *report.Table) report.Table {
	fields := report.Table{Name: t.Name, Columns: []report.Column{{Key: "field"}, {Key: "value", Title: fmt.Sprint(t.Rows[0][0])}}}
	for j, c := range t.Columns[1:] {
		if v := t.Rows[0][j+1]; v != nil {
			fields.Rows = append(fields.Rows, []any{c.Key, strings.ReplaceAll(fmt.Sprint(v), ",", ", ")}) // where it may wrap
		}
	}
	return fields
}

// flatten calls set for every scalar below n, the keys on the way joined by underscores.
func flatten(n *config.Node, prefix string, set func(key string, value any)) error {
	if len(n.Content) == 0 {
		var value any
		if err := n.Decode(&value); err != nil {
			return fmt.Errorf("%s: %w", prefix, err)
		}
		set(prefix, value)
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i].Value
		if prefix != "" {
			key = prefix + "_" + key
		}
		if err := flatten(n.Content[i+1], key, set); err != nil {
			return err
		}
	}
	return nil
}
