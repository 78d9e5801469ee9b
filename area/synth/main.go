// Command synth maps the grid of modules with yosys and times it with OpenSTA, and writes the rows of package area. Rows whose
// sources and tools are those of the file are not run again. With a liberty other than that of the file, such as the compact one,
// the rows go to out/synth/rows.csv, and the command prints how far they are from the others.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"time"

	"vcsim/area"
	"vcsim/internal/atomicfile"
	"vcsim/internal/liberty"
	"vcsim/internal/verilog"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := synth(ctx, os.Args[1:])
	var missing *exec.Error
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
	case errors.As(err, &missing):
		fmt.Fprintf(os.Stderr, "synth: %s is missing; run .ci/setup\n", missing.Name)
		os.Exit(3)
	default:
		fmt.Fprintln(os.Stderr, "synth:", err)
		os.Exit(2)
	}
}

// synth runs what the arguments ask for.
func synth(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("synth", flag.ContinueOnError)
	force := flags.Bool("force", false, "run rows that are fresh, too")
	units := flags.Bool("units", false, "leave out the tops, which take minutes each")
	root := flags.String("root", ".", "`folder` of the repository")
	scratch := flags.String("scratch", "out/synth", "`folder` of scripts, netlists and reports, below the root")
	flags.Usage = func() {
		fmt.Fprintln(flags.Output(), "usage: synth [flags] [MODULE | \"MODULE PARAMETERS\"]...")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return err
	}
	list, err := choose(flags.Args(), *units)
	if err != nil {
		return err
	}
	source, err := liberty.Synth(*root)
	if err != nil {
		return err
	}
	yosys, sta, err := versions(ctx)
	if err != nil {
		return err
	}
	sources, err := verilog.Read(filepath.Join(*root, "rtl"))
	if err != nil {
		return err
	}
	f := &flow{dir: filepath.Join(*root, *scratch), rtl: sources}
	if err := f.prepare(source); err != nil {
		return err
	}
	job := job{flow: f, force: *force, tools: []string{"yosys: " + yosys, "timing: " + sta, "cells: " + source.Set, "liberty: " + source.Hash}}
	if err := job.open(*root); err != nil {
		return err
	}
	return job.run(ctx, list)
}

// choose takes the points that arguments name, all without any.
func choose(names []string, units bool) (list []point, err error) {
	used := map[string]bool{}
	for _, p := range points() {
		full := p.module + " " + p.params
		if len(names) > 0 && !slices.Contains(names, p.module) && !slices.Contains(names, full) || units && p.top() {
			continue
		}
		used[p.module], used[full] = true, true
		list = append(list, p)
	}
	for _, name := range names {
		if !used[name] {
			return nil, fmt.Errorf("%q is not in the grid", name)
		}
	}
	return list, nil
}

// A job is a table of rows that grows.
type job struct {
	flow  *flow
	force bool
	tools []string
	path  string
	table area.Table  // of the file at path
	other *area.Table // rows of other tools to compare with, or nil
}

// open reads the rows that are there: those of the repository where the tools are the same, else those of an earlier run.
func (j *job) open(root string) error {
	read := func(path string) (*area.Table, error) {
		file, err := os.Open(path)
		if errors.Is(err, os.ErrNotExist) {
			return new(area.Table), nil
		}
		if err != nil {
			return nil, err
		}
		defer file.Close()
		t, err := area.Read(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return t, nil
	}
	j.path = filepath.Join(root, area.File)
	t, err := read(j.path)
	if err != nil {
		return err
	}
	if len(t.Tools) > 0 && !slices.Equal(t.Tools, j.tools) {
		j.other, j.path = t, j.flow.path("rows.csv")
		if t, err = read(j.path); err != nil {
			return err
		}
	}
	if slices.Equal(t.Tools, j.tools) {
		j.table = *t
	}
	j.table.Tools = j.tools
	return nil
}

// run runs the points that are not fresh and writes the file after each.
func (j *job) run(ctx context.Context, list []point) error {
	order := map[string]int{}
	for i, p := range points() {
		order[p.module+" "+p.params] = i + 1
	}
	j.table.Rows = slices.DeleteFunc(j.table.Rows, func(r area.Row) bool { return order[r.Module+" "+r.Params] == 0 })
	fmt.Printf("%-17s %9s %6s %7s %7s %6s %6s  %s\n", "unit", "um2", "flops", "sram1", "sram2", "GHz", "s", "parameters")
	for i := range list {
		p := &list[i]
		_, hash, err := j.flow.rtl.Closure(p.module)
		if err != nil {
			return err
		}
		row := j.table.Find(p.module, p.params)
		if row != nil && row.RTL == hash && row.TargetPS == p.targetPS && !j.force {
			j.show(row, "")
			continue
		}
		began := time.Now()
		fresh, err := j.flow.run(ctx, p)
		if err != nil {
			return fmt.Errorf("%s %s: %w", p.module, p.params, err)
		}
		if row == nil {
			j.table.Rows = append(j.table.Rows, fresh)
		} else {
			*row = fresh
		}
		slices.SortFunc(j.table.Rows, func(a, b area.Row) int {
			return order[a.Module+" "+a.Params] - order[b.Module+" "+b.Params]
		})
		if err := atomicfile.Write(j.path, func(w io.Writer) error { return j.table.Write(w) }); err != nil {
			return err
		}
		j.show(&fresh, fmt.Sprintf("%.0f", time.Since(began).Seconds()))
	}
	if j.other != nil {
		j.compare(list)
	}
	return nil
}

func (j *job) show(r *area.Row, seconds string) {
	fmt.Printf("%-17s %9.1f %6d %7d %7d %6.2f %6s  %s\n", r.Module, r.UM2, r.Flops, r.SRAM1, r.SRAM2, r.GHz(), seconds, r.Params)
}

// compare prints how far the rows are from those that the repository has of other tools.
func (j *job) compare(list []point) {
	fmt.Printf("\nagainst %s (%s; %s):\n", area.File, j.other.Tools[2], j.other.Tools[3])
	sum, n := 0., 0
	for i := range list {
		ours, theirs := j.table.Find(list[i].module, list[i].params), j.other.Find(list[i].module, list[i].params)
		if ours == nil || theirs == nil || theirs.UM2 == 0 {
			continue
		}
		e := 100 * (ours.UM2/theirs.UM2 - 1)
		clock := ""
		if theirs.GHz() > 0 {
			clock = fmt.Sprintf(", clock %+.1f %%", 100*(ours.GHz()/theirs.GHz()-1))
		}
		fmt.Printf("%-17s area %+.1f %%%s  %s\n", list[i].module, e, clock, list[i].params)
		sum, n = sum+max(e, -e), n+1
	}
	if n > 0 {
		fmt.Printf("mean difference of %d areas: %.1f %%\n", n, sum/float64(n))
	}
}
