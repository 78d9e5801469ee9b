package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"vcsim/cluster"
	"vcsim/cluster/collective"
	"vcsim/internal/presets"
	"vcsim/internal/report"
)

// allLinks is the name of all link constants together in --fit.
const allLinks = "links"

// collectives reports whether the rows of all files are collectives, which
// depend on the links alone.
func collectives(files []presets.MeasuredFile) bool {
	for i := range files {
		for j := range files[i].Rows {
			if !files[i].Rows[j].IsCollective() {
				return false
			}
		}
	}
	return true
}

// fabricError is the error of one fabric's collectives, or of all; it is the
// JSON. Percentages without rows to take them from are left out.
type fabricError struct {
	Fabric      string   `json:"fabric"`
	Rows        int      `json:"rows"`
	Small       *float64 `json:"small_median_percent,omitempty"` // below 16 MiB
	Large       *float64 `json:"large_median_percent,omitempty"`
	Plateau     *float64 `json:"plateau_percent"`
	Most        *float64 `json:"max_error_percent"`
	HeldOut     *float64 `json:"held_out_median_percent,omitempty"`
	HeldPlateau *float64 `json:"held_out_plateau_percent,omitempty"`
}

func fabricErrors(files []presets.MeasuredFile, c collective.LinkConstants, heldOut bool, free []string) ([]fabricError, error) {
	var rows []cluster.Measurement
	for i := range files {
		rows = append(rows, files[i].Rows...)
	}
	all, err := cluster.CollectiveErrors(rows, c, heldOut, free)
	if err != nil {
		return nil, err
	}
	percent := func(v float64) *float64 {
		if math.IsNaN(v) {
			return nil
		}
		v *= 100
		return &v
	}
	var out []fabricError
	for _, e := range all {
		out = append(out, fabricError{e.Fabric, e.Rows, percent(e.Small), percent(e.Large), percent(e.Plateau), percent(e.Most),
			percent(e.HeldOut), percent(e.HeldPlateau)})
	}
	return out, nil
}

func fabricTable(fabrics []fabricError) report.Table {
	t := report.Table{Name: "fabrics", Columns: []report.Column{{Key: "fabric"}, {Key: "rows"},
		{Key: "small_median_percent", Title: "median below 16 MiB", Unit: "%", Digits: 1},
		{Key: "large_median_percent", Title: "from 16 MiB", Unit: "%", Digits: 1},
		{Key: "plateau_percent", Title: "largest sizes", Unit: "%", Digits: 1},
		{Key: "max_error_percent", Title: "worst", Unit: "%", Digits: 1}}}
	held := slices.ContainsFunc(fabrics, func(f fabricError) bool { return f.HeldOut != nil })
	if held {
		t.Columns = append(t.Columns, report.Column{Key: "held_out_median_percent", Title: "left out: median", Unit: "%", Digits: 1},
			report.Column{Key: "held_out_plateau_percent", Title: "largest sizes left out", Unit: "%", Digits: 1})
	}
	cell := func(v *float64) any {
		if v == nil {
			return nil
		}
		return *v
	}
	for _, f := range fabrics {
		row := []any{f.Fabric, f.Rows, cell(f.Small), cell(f.Large), cell(f.Plateau), cell(f.Most)}
		if held {
			row = append(row, cell(f.HeldOut), cell(f.HeldPlateau))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// linkFit is the result of fitting link constants; it is the JSON.
type linkFit struct {
	Schema  string         `json:"schema"`
	Set     map[string]any `json:"set"` // keys as in the YAML
	Rows    int            `json:"rows"`
	Fabrics []fabricError  `json:"fabrics"`
}

// fitLinks adjusts the constants of the families of links to all rows.
func (a *app) fitLinks(files []presets.MeasuredFile, f *validateFlags) error {
	if f.stack != "" || f.gpu != "" || len(f.weight) > 0 {
		return fmt.Errorf("--gpu, --stack and --weight do not go with collectives: their constants are those of links")
	}
	free := f.fit
	if slices.Contains(free, allLinks) {
		if len(free) > 1 {
			return fmt.Errorf("--fit %s: %s is all of them", strings.Join(free, ","), allLinks)
		}
		free = nil
	}
	var rows []cluster.Measurement
	for i := range files {
		rows = append(rows, files[i].Rows...)
	}
	set := collective.DefaultLinkConstants()
	err := a.during(fmt.Sprintf("fitting to %d rows", len(rows)), func() (err error) {
		set, err = cluster.FitLinks(rows, set, free)
		return err
	})
	if err != nil {
		return err
	}
	out := linkFit{Schema: "vcsim.validate.links/1", Rows: len(rows)}
	errors := func() (err error) {
		out.Fabrics, err = fabricErrors(files, set, f.heldOut, free)
		return err
	}
	if f.heldOut {
		err = a.during("fitting without each fabric in turn", errors)
	} else {
		err = errors()
	}
	if err != nil {
		return err
	}
	text, err := yaml.Marshal(set)
	if err != nil {
		return err
	}
	if out.Set, err = linkSet(set); err != nil {
		return err
	}
	return a.print(&report.Result{Schema: out.Schema, Title: "links", Verbatim: strings.TrimSpace(string(text)),
		Tables: []report.Table{fabricTable(out.Fabrics)},
		Facts:  []report.Fact{{Column: report.Column{Key: "rows"}, Value: len(rows)}}, Payload: &out})
}

// linkSet is the constants by the keys of their YAML.
func linkSet(c collective.LinkConstants) (map[string]any, error) {
	text, err := yaml.Marshal(c)
	if err != nil {
		return nil, err
	}
	var set map[string]any
	err = yaml.Unmarshal(text, &set)
	return set, err
}
