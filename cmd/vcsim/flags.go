package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vcsim/internal/config"
	"vcsim/internal/report"
	"vcsim/internal/tensorcodec"
)

// many is no bound on the number of arguments.
const many = -1

// wantArgs checks the number of arguments of a command.
func wantArgs(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		n := len(args)
		if n >= least && (n <= most || most == many) {
			return nil
		}
		if f := cmd.Flags().Lookup("rotate"); f != nil && f.Changed {
			for _, arg := range args {
				if _, e := tensorcodec.ParseRotation(arg, 0); e == nil {
					return fmt.Errorf("--rotate takes what it rotates after an equals sign: --rotate=%s", arg)
				}
			}
		}
		switch {
		case most == 0:
			return fmt.Errorf("%s takes flags only, not %q; usage: %s", cmd.CommandPath(), args[0], cmd.UseLine())
		case n == 0:
			return fmt.Errorf("%s wants an argument; usage: %s", cmd.CommandPath(), cmd.UseLine())
		}
		return fmt.Errorf("%s wants one argument, not %d (%s); usage: %s", cmd.CommandPath(), n, strings.Join(args, ", "), cmd.UseLine())
	}
}

// exclusive makes a command refuse more than one of some flags.
func exclusive(c *cobra.Command, names ...string) {
	c.PreRunE = func(cmd *cobra.Command, _ []string) error {
		var given []string
		for _, name := range names {
			if cmd.Flags().Changed(name) {
				given = append(given, "--"+name)
			}
		}
		if len(given) > 1 {
			return fmt.Errorf("give one of %s", strings.Join(given, " and "))
		}
		return nil
	}
}

// flagError says what a flag wants, or which flag is nearest to an unknown one.
func flagError(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	var number *strconv.NumError
	if errors.As(err, &invalid) && errors.As(err, &number) {
		what := "a number"
		switch {
		case errors.Is(number.Err, strconv.ErrRange):
			what = "a smaller number"
		case number.Func == "ParseBool":
			what = "true or false"
		case number.Func != "ParseFloat":
			what = "a whole number"
		}
		return fmt.Errorf("--%s %s: want %s", invalid.GetFlag().Name, invalid.GetValue(), what)
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	var names []string
	add := func(f *pflag.Flag) { names = append(names, f.Name) }
	cmd.Flags().VisitAll(add)
	cmd.InheritedFlags().VisitAll(add)
	if near := config.Nearest(unknown.GetSpecifiedName(), names); near != "" {
		return fmt.Errorf("%w; did you mean --%s?", err, near)
	}
	return err
}

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
		if _, list := cmd.Flags().Lookup(key).Value.(pflag.SliceValue); !list && n.Tag == "!!seq" {
			return at("%s: want one value, got a list", key)
		}
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

// commandTables names the tables that the results of a command can have, the main one first; a command that is not here has
// none. --table chooses among them, and --csv of other commands is refused before any work.
var commandTables = map[string][]string{
	"vcsim cluster":             {"codecs", "accuracy", "bits", "layouts", "step", "memory", "basis", "points", "explain", "speedup", "bounds"},
	"vcsim encode":              {"tensors"},
	"vcsim inspect":             {"tensors", "bins", "blocks", "modes", "modes_4x4", "modes_8x8", "modes_16x16"},
	"vcsim compare":             {"above_ecsq", "formats", "points"},
	"vcsim codec show":          {"sides", "energy", "units", "figures"},
	"vcsim area":                {"sides", "units", "lane"},
	"vcsim energy":              {"sides", "units"},
	"vcsim sim":                 {"runs", "planes", "units", "cost", "cost_units"},
	"vcsim validate":            {"rows", "fabrics"},
	"vcsim snapshot list":       {"tensors"},
	"vcsim snapshot verify":     {"chain"},
	"vcsim reproduce fig2b":     {"bits_per_value", "statements"},
	"vcsim reproduce fig3":      {"domains"},
	"vcsim reproduce fig9":      {"own", "engines", "statements"},
	"vcsim reproduce fig10a":    {"speedup", "derived", "statements"},
	"vcsim reproduce fig10b":    {"gain", "layouts", "statements"},
	"vcsim reproduce table2":    {"engines", "own", "pairs", "statements"},
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
