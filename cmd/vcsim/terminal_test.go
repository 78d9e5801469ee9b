package main

import (
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"vcsim/internal/console"
	"vcsim/internal/peertest"
)

// allCommands are the program's command and all below it.
func allCommands() (all []*cobra.Command) {
	root := newRootCommand(&app{stdout: io.Discard, stderr: io.Discard})
	addCompletion(root)
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		all = append(all, c)
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(root)
	return all
}

// TestHelpFits: every help text fits 80 columns, says what the command does, and names all of its flags.
func TestHelpFits(t *testing.T) {
	all := allCommands()
	if len(all) < 25 {
		t.Fatalf("%d commands", len(all))
	}
	for _, c := range all {
		words := strings.Fields(c.CommandPath())[1:]
		stdout, stderr, code := execute(t, append(words, "--help")...)
		if code != 0 || stderr != "" || len(stdout) < 80 {
			t.Errorf("%s --help: exit %d, %q, %d bytes", c.CommandPath(), code, stderr, len(stdout))
		}
		for _, line := range strings.Split(stdout, "\n") {
			if n := utf8.RuneCountInString(line); n > 80 || strings.HasSuffix(line, " ") {
				t.Errorf("%s --help: a line of %d characters: %q", c.CommandPath(), n, line)
			}
		}
	}
}

// colour is the sequence that sets one (SGR with a colour's number). The attributes of the cursor and of the screen are none.
var colour = regexp.MustCompile("\x1b\\[[0-9;]*(?:3[0-7]|4[0-7]|9[0-7])[0-9;]*m")

// TestColour: the log and the wizard are coloured on a terminal, not with NO_COLOR, and nothing is where there is no terminal.
func TestColour(t *testing.T) {
	if stdout, stderr, code := execute(t, "list", "models", "-v", "-v"); code != 0 || strings.Contains(stdout+stderr, "\x1b") || !strings.Contains(stderr, "presets of models") {
		t.Errorf("no terminal: exit %d, %.200q", code, stderr)
	}
	tmux := peertest.Tool(t, "tmux")
	for _, tt := range []struct {
		env  string
		want bool
	}{{"NO_COLOR=", true}, {"NO_COLOR=1", false}} {
		dir := t.TempDir()
		s := newTerminalOf(t, tmux, dir, 80, tt.env)
		s.start("list", "models", "-v", "-v", ">", filepath.Join(dir, "stdout"))
		s.expect("exit 0")
		if got := s.screen(); colour.MatchString(got) != tt.want || !strings.Contains(got, "presets of models") {
			t.Errorf("%s: the log has colours: %v, want %v:\n%q", tt.env, !tt.want, tt.want, got)
		}
		s.start("init")
		s.expect("What runs on the cluster?")
		if got := s.screen(); colour.MatchString(got) != tt.want {
			t.Errorf("%s: the wizard has colours: %v, want %v:\n%q", tt.env, !tt.want, tt.want, got)
		}
	}
}

// TestWizardWraps: on a terminal of 80 columns the wizard's sentences and a message of one long line break between words.
func TestWizardWraps(t *testing.T) {
	s := newTerminalOf(t, peertest.Tool(t, "tmux"), t.TempDir(), 80)
	s.start("init", "--workload", "train", "--model", "llama2-7b", "--gpu", "rtx3090", "--gpus", "32")
	s.expect("How fast is the link?")
	s.send("10", "Enter")
	s.expect("needs a suffix")
	s.send("C-c")
	s.expect("exit 130")
	s.start("init", "--workload", "train", "--model", "llama2-7b", "--gpu", "rtx3090", "--gpus", "32", "--bw", "10Gbps")
	s.expect("Which codec?")
	qs, err := wizardQuestions()
	if err != nil {
		t.Fatal(err)
	}
	want := console.WrapIndented(qs[len(qs)-1].explain, 80, "  ", "  ")
	if got := s.run("capture-pane", "-p", "-t", "t"); !strings.Contains(got, want) || !strings.Contains(want, "\n") {
		t.Errorf("the explanation is not wrapped at words, want %q:\n%s", want, got)
	}
	s.send("C-c")
	s.expect("exit 130")
	s.start("reproduce", "nothing")
	s.expect("exit 2")
	screen := s.run("capture-pane", "-p", "-t", "t")
	for _, name := range []string{"fig10a", "fig10b", "table2", "inference", "lmc"} {
		if !strings.Contains(screen, name) {
			t.Errorf("%s is broken at the edge:\n%s", name, screen)
		}
	}
}

// TestProgressOnTerminals: one long frame, a search over it, a fit and a comparison of compressors show that they go on, on a
// terminal alone and not with -q; an interrupt ends them with one line and no file.
func TestProgressOnTerminals(t *testing.T) {
	tmux := peertest.Tool(t, "tmux")
	dir := t.TempDir()
	pgm, _ := gaussianPGM(t, 1024, 3072)
	s := newTerminalOf(t, tmux, dir, 80)
	for _, tt := range []struct{ args, shows string }{
		{"encode " + pgm + " -o p.265 --tier rdo --qp 20", "encoding"},
		{"encode " + pgm + " -o q.265 --tier rdo --bits 3", "pass 2"},
		{"encode " + pgm + " -o r.safetensors --tier rdo --bits 3", "pass 2"},
		{"validate vtrain_multi vtrain_single --fit gemm_fraction,launch_us --held-out", "fitting"},
		{"sim " + pgm + " --lanes 1", "simulating"},
	} {
		s.start(strings.Fields(tt.args)...)
		s.expect(tt.shows)
		s.send("C-c")
		s.expect("exit 130")
		if got := s.run("capture-pane", "-p", "-t", "t"); !strings.Contains(got, "vcsim: interrupted\nexit 130") {
			t.Errorf("%s: after an interrupt:\n%s", tt.args, got)
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*.265")); len(left) > 0 || err != nil {
		t.Errorf("interrupted runs left %v, %v", left, err)
	}
	s.start("encode", pgm, "-o", "p.265", "--qp", "40", "-q")
	s.expect("exit 0")
	if got := s.run("capture-pane", "-p", "-t", "t"); strings.Contains(got, "encoding") {
		t.Errorf("-q shows progress:\n%s", got)
	}
}
