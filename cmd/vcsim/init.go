package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/AlecAivazis/survey/v2"
	"github.com/AlecAivazis/survey/v2/core"
	"github.com/AlecAivazis/survey/v2/terminal"
	"github.com/spf13/cobra"

	"vcsim/internal/atomicfile"
	"vcsim/internal/config"
	"vcsim/internal/console"
)

// A question of the wizard: its answer is the value of a flag of `init` and a
// key of the file, which `vcsim cluster -f` reads.
type question struct {
	key      string
	prompt   string
	explain  string   // one line, in the prompt's help and in the file
	options  []string // to choose from; nil: type a value
	fallback string
	infer    string // fallback for inference, where it differs
	check    func(string) error
	only     string // workload that it is for; "" for both
	value    string
}

func newInitCommand(a *app) *cobra.Command {
	var out string
	var force bool
	qs, err := wizardQuestions()
	if err != nil {
		panic(err) // embedded presets
	}
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Ask for workload, model, GPU, link and codec, and write a configuration",
		Long: "init asks a few questions, explains each choice in a line, and writes a commented YAML file that\n" +
			"`vcsim cluster -f` runs. A question whose flag is given is not asked; without a terminal every flag is needed.",
		Example: "  vcsim init\n" +
			"  vcsim init --workload train --model llama2-7b --gpu rtx3090 --gpus 32 --bw 10Gbps --codec t264 -o my.yaml",
		Args: wantArgs(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.wizard(cmd, qs, out, force) },
	}
	for i := range qs {
		q := &qs[i]
		cmd.Flags().StringVar(&q.value, q.key, "", q.explain)
		if q.options != nil {
			if err := cmd.RegisterFlagCompletionFunc(q.key, cobra.FixedCompletions(q.options, cobra.ShellCompDirectiveNoFileComp)); err != nil {
				panic(err) // the flag is defined above
			}
		}
	}
	cmd.Flags().StringVarP(&out, "output", "o", "vcsim.yaml", "file to write")
	markOutputs(cmd.Flags(), "output")
	cmd.Flags().BoolVar(&force, "force", false, "overwrite it if it exists")
	return cmd
}

func wizardQuestions() ([]question, error) {
	models, err := config.PresetNames("models")
	if err != nil {
		return nil, err
	}
	gpus, err := config.PresetNames("gpus")
	if err != nil {
		return nil, err
	}
	return []question{
		{key: "workload", prompt: "What runs on the cluster?", explain: "train: data, pipeline and tensor parallel steps; infer: a model served by a pipeline of devices",
			options: []string{"train", "infer"}, fallback: "train"},
		{key: "model", prompt: "Which model?", explain: "a preset (vcsim list models); edit the file to name a config.json instead", options: models, fallback: "llama2-7b", infer: "llama3-70b"},
		{key: "gpu", prompt: "Which GPU?", explain: "its peak, memory, power, die and video engines (vcsim list gpus)", options: gpus, fallback: "rtx3090"},
		{key: "gpus", prompt: "How many of them?", explain: "for inference, the devices of the pipeline", fallback: "32", infer: "4", check: checkCount},
		{key: "bw", prompt: "How fast is the link?", explain: "per GPU and per direction, with its unit: 10Gbps", fallback: "10Gbps",
			check: func(s string) error { _, err := config.ParseBandwidth(s); return err }},
		{key: "context", prompt: "How long is the context?", explain: "tokens per sequence when the cache is full; 128k = 131072", fallback: "8k", only: "infer",
			check: func(s string) error { _, err := config.ParseTokens(s); return err }},
		{key: "codec", prompt: "Which codec?", explain: "t264 is our own hardware, t264-paper and t265-paper are the paper's tensor codecs, h264 and h265 their video parents, nvenc the GPU's own, ideal the ratio alone",
			options: []string{"t264", "t264-paper", "t265-paper", "h265", "h264", "nvenc", "ideal"}, fallback: "t264"},
	}, nil
}

func checkCount(s string) error {
	if n, err := strconv.Atoi(s); err != nil || n < 1 || n > 1<<20 {
		return fmt.Errorf("%q is not a number from 1 to %d", s, 1<<20)
	}
	return nil
}

// accept checks a value that came by flag or was typed.
func (q *question) accept(v string) error {
	if q.options != nil {
		for _, o := range q.options {
			if v == o {
				return nil
			}
		}
		return fmt.Errorf("%q is none of the choices%s", v, config.DidYouMean(v, q.options))
	}
	return q.check(v)
}

func (a *app) wizard(cmd *cobra.Command, qs []question, out string, force bool) error {
	if _, err := os.Stat(out); err == nil && !force {
		return fmt.Errorf("%s exists; --force overwrites it, -o names another file", out)
	}
	terminals := console.IsTerminal(os.Stdin) && console.IsTerminal(os.Stderr)
	for i := range qs {
		q := &qs[i]
		if q.only != "" && q.only != qs[0].value {
			continue
		}
		if cmd.Flags().Changed(q.key) {
			if err := q.accept(q.value); err != nil {
				return fmt.Errorf("--%s: %w", q.key, err)
			}
			continue
		}
		if !terminals {
			return fmt.Errorf("init asks questions and there is no terminal: give --%s and the other flags, or write the file by hand", q.key)
		}
		if qs[0].value == "infer" && q.infer != "" {
			q.fallback = q.infer
		}
		if err := q.ask(); err != nil {
			if errors.Is(err, terminal.InterruptErr) {
				return context.Canceled
			}
			return err
		}
	}
	if err := clusterRuns(cmd.Context(), qs); err != nil {
		return fmt.Errorf("vcsim cluster does not run this, so nothing is written: %w", err)
	}
	if err := writeFile(out, []byte(wizardFile(qs))); err != nil {
		return err
	}
	return console.Message(a.stderr, fmt.Sprintf("vcsim: wrote %s; run: vcsim cluster -f %s", out, out))
}

// clusterRuns tries the answers on the command that the file is for.
func clusterRuns(ctx context.Context, qs []question) error {
	var args []string
	for _, q := range qs {
		if q.value != "" {
			args = append(args, "--"+q.key+"="+q.value)
		}
	}
	cmd := newClusterCommand(&app{stdout: io.Discard, stderr: io.Discard})
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs(args)
	return cmd.ExecuteContext(ctx)
}

// refused is as wide as what survey writes before the reason why it refuses an answer.
const refused = "                                 "

// ask explains and prompts on standard error.
func (q *question) ask() error {
	width := console.Prose(os.Stderr)
	fmt.Fprintln(os.Stderr, console.WrapIndented(q.explain, width, "  ", "  "))
	core.DisableColor = !console.Colour(os.Stderr)
	stdio := survey.WithStdio(os.Stdin, os.Stderr, os.Stderr)
	if q.options != nil {
		return survey.AskOne(&survey.Select{Message: q.prompt, Options: q.options, Default: q.fallback, PageSize: 10}, &q.value, stdio)
	}
	return survey.AskOne(&survey.Input{Message: q.prompt, Default: q.fallback}, &q.value, stdio,
		survey.WithValidator(func(v any) error {
			if err := q.accept(fmt.Sprint(v)); err != nil {
				return errors.New(strings.TrimSpace(console.WrapIndented(err.Error(), width, refused, "")))
			}
			return nil
		}))
}

// wizardFile is the commented YAML of the answers.
func wizardFile(qs []question) string {
	var b strings.Builder
	comment := func(text string) { b.WriteString(console.WrapIndented(text, console.Width, "# ", "# ") + "\n") }
	comment("Configuration of `vcsim cluster -f FILE`: keys are the long names of its flags (vcsim cluster --help).")
	for i := range qs {
		q := &qs[i]
		if q.value == "" {
			continue
		}
		b.WriteByte('\n')
		comment(q.explain)
		fmt.Fprintf(&b, "%s: %s\n", q.key, q.value)
	}
	return b.String()
}

// writeFile writes a file so that it appears whole or not at all.
func writeFile(path string, data []byte) error {
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
