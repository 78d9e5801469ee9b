package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/tliron/commonlog"
	"github.com/tliron/commonlog/simple"
	"github.com/tliron/go-kutil/terminal"
	"github.com/tliron/go-kutil/util"

	"vcsim/internal/atomicfile"
	"vcsim/internal/config"
	"vcsim/internal/console"
	"vcsim/internal/report"
)

// commands are the subcommands, in the order of the help text.
var commands = []func(*app) *cobra.Command{
	newClusterCommand,
	newEncodeCommand,
	newDecodeCommand,
	newInspectCommand,
	newCompareCommand,
	newSimCommand,
	newCodecCommand,
	newAreaCommand,
	newEnergyCommand,
	newValidateCommand,
	newInitCommand,
	newSamplesCommand,
	newSnapshotCommand,
	newReproduceCommand,
	newListCommand,
	newVersionCommand,
	newDocsCommand,
}

var log = commonlog.GetLogger("vcsim")

// An app is one run of the program: where its output goes and in which format.
type app struct {
	stdout, stderr      io.Writer
	json, csv, markdown bool
	verbose             int
	quiet               bool
	manifest            string            // file that says what the run was; "" writes none
	inputs, outputs     []atomicfile.Role // files that the run reads and writes
	table               string            // of --csv; "" is the main one
	strict, wide        bool
	missed              []string       // targets that the run missed
	resolved            map[string]any // what the run found for a flag, for the manifest
}

// run executes the command line args and returns the exit code. The one message of a failure is a line on stderr.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	start := time.Now()
	a := &app{stdout: stdout, stderr: stderr}
	root := newRootCommand(a)
	addCompletion(root)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	code := exitCode(err)
	if err != nil && ctx.Err() != nil {
		code = exitInterrupt // whatever the command made of it
	}
	if code == 0 && a.strict && len(a.missed) > 0 {
		err = &exitError{exitMismatch, fmt.Errorf("--strict: %s", a.missedTargets())}
		code = exitMismatch
	}
	if a.manifest != "" && (code == 0 || code == exitMismatch) {
		if e := a.writeManifest(a.manifest, cmd, args, code); e != nil {
			err, code = e, exitCode(e)
		}
	}
	switch {
	case code == exitInterrupt:
		fmt.Fprintln(stderr, "vcsim: interrupted")
	case err != nil && code != exitPipe:
		console.Message(stderr, "vcsim: "+oneLine(err)+nearFile(err))
	}
	log.Debugf("exit %d after %s", code, time.Since(start).Round(time.Microsecond))
	return code
}

func newRootCommand(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:           "vcsim",
		Short:         "What a tensor codec on the accelerator buys, and what it costs",
		Long:          "vcsim models video codecs as tensor codecs on accelerators: what they buy, and what they cost.\n\nExit codes: 0 ok, 1 mismatch or infeasible, 2 usage, configuration or input, 3 missing tool.",
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRunE: func(cmd *cobra.Command, args []string) error {
			if err := a.setup(); err != nil {
				return err
			}
			if err := a.checkTables(cmd); err != nil {
				return err
			}
			return a.claim(cmd, args)
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { fmt.Fprint(a.stdout, console.Help(cmd, console.Prose(a.stdout))) })
	root.SetUsageFunc(func(cmd *cobra.Command) error {
		_, err := fmt.Fprint(a.stderr, console.Usage(cmd, console.Prose(a.stderr)))
		return err
	})
	flags := root.PersistentFlags()
	flags.BoolVar(&a.json, "json", false, "write JSON")
	flags.BoolVar(&a.csv, "csv", false, "write the main table as CSV")
	flags.StringVar(&a.table, "table", "", "write the table of this `NAME`, with --csv")
	flags.BoolVar(&a.strict, "strict", false, "exit 1 when a target (--bits, --mse, --budget) was missed")
	flags.BoolVar(&a.wide, "wide", false, "print all columns of tables that are wider than 80 characters or the terminal")
	flags.BoolVar(&a.markdown, "markdown", false, "write markdown")
	flags.CountVarP(&a.verbose, "verbose", "v", "log more to standard error; twice for still more")
	flags.StringVar(&a.manifest, "manifest", "", "write a JSON file that says what the run was: version, arguments, resolved flags, input hashes")
	markOutputs(flags, "manifest")
	flags.BoolVarP(&a.quiet, "quiet", "q", false, "log errors only, and show no progress")
	for _, newCommand := range commands {
		root.AddCommand(newCommand(a))
	}
	root.Version = programVersion()
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetHelpCommand(newHelpCommand(root))
	return root
}

// addCompletion adds cobra's command of completion scripts; that of a shell that there is none for is an error.
func addCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			refuseUnknownShells(c)
		}
	}
}

// newHelpCommand is cobra's help, but a topic that there is none of is an error.
func newHelpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:               "help [COMMAND]",
		Short:             "Help about any command",
		Example:           "  vcsim help snapshot pack",
		PersistentPreRunE: func(*cobra.Command, []string) error { return nil },
		RunE: func(_ *cobra.Command, args []string) error {
			c, rest, err := root.Find(args)
			if err != nil || c == nil || len(rest) > 0 {
				var names []string
				for _, sub := range root.Commands() {
					names = append(names, sub.Name())
				}
				topic := strings.Join(args, " ")
				return fmt.Errorf("no help on %q%s", topic, config.DidYouMean(topic, names))
			}
			c.InitDefaultHelpFlag()
			return c.Help()
		},
	}
}

// refuseUnknownShells makes the completion of a shell that there is none for an error.
func refuseUnknownShells(c *cobra.Command) {
	c.Args = nil
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return c.Help()
		}
		var shells []string
		for _, sub := range c.Commands() {
			shells = append(shells, sub.Name())
		}
		return fmt.Errorf("no completion for %s: want %s", args[0], strings.Join(shells, ", "))
	}
	c.Args = cobra.ArbitraryArgs
}

// miss notes a target that was missed, for --strict.
func (a *app) miss(what string) { a.missed = append(a.missed, what) }

// missedTargets says which targets were missed, in a line.
func (a *app) missedTargets() string {
	if n := len(a.missed); n > 1 {
		return fmt.Sprintf("%d targets were missed, the first: %s", n, a.missed[0])
	}
	return a.missed[0]
}

// nearFile names the file beside a missing one whose name is nearest.
func nearFile(err error) string {
	var missing *fs.PathError
	if !errors.As(err, &missing) || !errors.Is(missing.Err, fs.ErrNotExist) || missing.Op == "create" {
		return ""
	}
	entries, _ := os.ReadDir(filepath.Dir(missing.Path)) // a folder that is not there has no names
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return config.DidYouMean(filepath.Base(missing.Path), names)
}

// setup checks the flags that all commands share and starts the log.
func (a *app) setup() error {
	if (a.json && a.csv) || (a.json && a.markdown) || (a.csv && a.markdown) {
		return errors.New("give one of --json, --csv and --markdown")
	}
	verbosity := a.verbose // notices, then information, then debugging
	if a.quiet {
		verbosity = -2
	}
	terminal.ColorizeStderr = console.Colour(a.stderr)
	backend := simple.NewBackend()
	backend.Buffered = false // a buffered line is lost when the process exits
	backend.Configure(verbosity, nil)
	backend.Writer = util.NewSyncedWriter(a.stderr)
	commonlog.SetBackend(backend)
	return nil
}

// print writes results to standard output in the format that the flags ask for.
func (a *app) print(results ...*report.Result) error {
	format := report.Text
	switch {
	case a.json:
		format = report.JSON
	case a.csv:
		format = report.CSV
	case a.markdown:
		format = report.Markdown
	}
	if a.csv {
		for i, r := range results {
			var err error
			if results[i], err = a.chosenTable(r); err != nil {
				return err
			}
		}
	}
	return report.WriteWidth(a.stdout, format, a.width(), results...)
}

// completePresets completes the names of presets of one kind, for a flag or an argument.
func completePresets(kind string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		names, err := config.PresetNames(kind)
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}

// resolve notes what the run found for a flag, for the manifest.
func (a *app) resolve(flag string, value any) {
	if a.resolved == nil {
		a.resolved = map[string]any{}
	}
	a.resolved[flag] = value
}

// width is how many characters a line of text may have; 0 is no bound.
func (a *app) width() int {
	if a.wide {
		return 0
	}
	return console.WidthOf(a.stdout)
}
