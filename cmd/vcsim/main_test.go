package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"vcsim/internal/config"
	"vcsim/internal/golden"
	"vcsim/internal/peertest"
)

// The test binary is also the program: started with this variable set it runs main, with one more command.
const asProgram = "VCSIM_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		commands = append(commands, newWaitCommand)
		main()
	}
	os.Exit(m.Run())
}

// newWaitCommand says that it runs and waits for the interrupt.
func newWaitCommand(a *app) *cobra.Command {
	return &cobra.Command{Use: "wait", Hidden: true, RunE: func(cmd *cobra.Command, _ []string) error {
		fmt.Fprintln(a.stdout, "waiting")
		<-cmd.Context().Done()
		return errors.New("wait: stopped")
	}}
}

func program(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), asProgram+"=1", "GORACE=atexit_sleep_ms=0")
	return cmd
}

// execute runs the program in a process of its own.
func execute(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := program(t, args...)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	var ee *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &ee) {
		t.Fatal(err)
	}
	return out.String(), errOut.String(), cmd.ProcessState.ExitCode()
}

func TestExitCodes(t *testing.T) {
	tests := []struct {
		args   string
		code   int
		stderr string
	}{
		{"", 0, ""},
		{"--help", 0, ""},
		{"list", 0, ""},
		{"list models --csv", 0, ""},
		{"version", 0, ""},
		{"lst", 2, `vcsim: unknown command "lst" for "vcsim"; did you mean list?` + "\n"},
		{"lst --json", 2, `vcsim: unknown command "lst" for "vcsim"; did you mean list?` + "\n"},
		{"frobnicate", 2, `vcsim: unknown command "frobnicate" for "vcsim"` + "\n"},
		{"list --jsn", 2, "vcsim: unknown flag: --jsn; did you mean --json?\n"},
		{"list --frobnicate", 2, "vcsim: unknown flag: --frobnicate\n"},
		{"list -x", 2, "vcsim: unknown shorthand flag: 'x' in -x\n"},
		{"list --json=maybe", 2, "vcsim: --json maybe: want true or false\n"},
		{"list --json --csv", 2, "vcsim: give one of --json, --csv and --markdown\n"},
		{"list modles", 2, `vcsim: no presets called "modles" (` + strings.Join(config.PresetKinds(), ", ") + `); did you mean models?` + "\n"},
		{"list models llama2-7", 2, `vcsim: no preset "llama2-7" in models; did you mean llama2-7b?` + "\n"},
		{"version --csv", 2, "vcsim: this result is not a single table, so there is no CSV of it\n"},
		{"version now", 2, `vcsim: vcsim version takes flags only, not "now"; usage: vcsim version [flags]` + "\n"},
	}
	for _, tt := range tests {
		stdout, stderr, code := execute(t, strings.Fields(tt.args)...)
		if code != tt.code || stderr != tt.stderr {
			t.Errorf("vcsim %s: got exit %d and %q, want %d and %q", tt.args, code, stderr, tt.code, tt.stderr)
		}
		if (code == 0) != (stdout != "") {
			t.Errorf("vcsim %s: exit %d and %d bytes on standard output", tt.args, code, len(stdout))
		}
	}
}

func TestExitCodeOfError(t *testing.T) {
	_, noTool := exec.LookPath("no-such-tool-anywhere")
	tests := []struct {
		err  error
		want int
	}{
		{nil, 0},
		{&config.Error{File: "a", Line: 1, Msg: "b"}, 2},
		{fs.ErrNotExist, 2},
		{fmt.Errorf("codec: %w", noTool), 3},
		{fmt.Errorf("all: %w", &exitError{exitMismatch, errors.New("fits nowhere")}), 1},
		{&exitError{exitMissingTool, context.Canceled}, 3},
		{fmt.Errorf("search: %w", context.Canceled), 130},
		{fmt.Errorf("write: %w", syscall.EPIPE), 141},
	}
	for _, tt := range tests {
		if got := exitCode(tt.err); got != tt.want {
			t.Errorf("%v: got %d, want %d", tt.err, got, tt.want)
		}
	}
	if got, want := oneLine(errors.New("a\nb\r\n\n  c\n")), "a; b;   c"; got != want {
		t.Errorf("oneLine: got %q, want %q", got, want)
	}
}

func TestInterrupt(t *testing.T) {
	cmd := program(t, "wait")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer time.AfterFunc(20*time.Second, func() { cmd.Process.Kill() }).Stop()
	if line, err := bufio.NewReader(stdout).ReadString('\n'); err != nil || line != "waiting\n" {
		t.Fatalf("got %q, %v", line, err)
	}
	cmd.Process.Signal(os.Interrupt)
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 130 || stderr.String() != "vcsim: interrupted\n" {
		t.Errorf("got exit %d and %q, want 130 and one line", code, stderr.String())
	}
}

// TestInterruptedCommands: what computes for long ends at once. The work that goes on behind is short here.
func TestInterruptedCommands(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, args := range []string{
		"validate megatron_seqsel",
		"cluster --model llama2-7b --bw 10Gbps",
		inferCase,
		"reproduce fig10a",
		"reproduce fig10b",
		"inspect ../../t264/testdata/x264/q51.264",
	} {
		if code := run(ctx, strings.Fields(args), io.Discard, io.Discard); code != exitInterrupt {
			t.Errorf("%s: exit %d, want %d", args, code, exitInterrupt)
		}
	}
}

// TestBrokenPipe: a reader that has seen enough is no reason for a message.
func TestBrokenPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	cmd := program(t, "list", "paper")
	var stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = w, &stderr
	if err := cmd.Run(); err == nil || stderr.Len() > 0 {
		t.Errorf("got %v and %q, want a silent failure", err, stderr.String())
	}
}

func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		peertest.Missing(t, "/dev/full")
	}
	defer full.Close()
	cmd := program(t, "list")
	var stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = full, &stderr
	cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code != 2 || !strings.Contains(stderr.String(), "no space left") {
		t.Errorf("got exit %d and %q", code, stderr.String())
	}
}

// TestLog: log lines reach standard error up to the last one before the process exits, and only when asked for.
func TestLog(t *testing.T) {
	for _, tt := range []struct {
		args  string
		lines int
	}{{"list models", 0}, {"list models -v", 0}, {"list models -vv", 2}, {"list models -vv -q", 0}} {
		stdout, stderr, _ := execute(t, strings.Fields(tt.args)...)
		if got := strings.Count(stderr, "\n"); got != tt.lines {
			t.Errorf("%s: got %d lines, want %d: %q", tt.args, got, tt.lines, stderr)
		}
		if tt.lines > 0 && (!strings.Contains(stderr, " presets of models\n") || !strings.Contains(stderr, "[vcsim] exit 0 after ")) {
			t.Errorf("%s: got %q", tt.args, stderr)
		}
		if strings.Contains(stdout, "[vcsim]") {
			t.Errorf("%s: log lines on standard output", tt.args)
		}
	}
}

func TestGolden(t *testing.T) {
	tests := []struct{ golden, args string }{
		{"list-gpus.txt", "list gpus rtx3090 b200"},
		{"list-gpus.csv", "list gpus rtx3090 b200 --csv"},
		{"list-models.json", "list models llama2-7b --json"},
		{"list-codecs.md", "list codecs t265 --markdown"},
	}
	for _, tt := range tests {
		got, _, _ := execute(t, strings.Fields(tt.args)...)
		golden.Check(t, filepath.Join("testdata", tt.golden), got)
	}
}

// TestListKinds: one row for each kind of presets, with their number.
func TestListKinds(t *testing.T) {
	want := "kind,presets\n"
	for _, kind := range config.PresetKinds() {
		names, err := config.PresetNames(kind)
		if err != nil {
			t.Fatal(err)
		}
		want += fmt.Sprintf("%s,%d\n", kind, len(names))
	}
	if got, _, _ := execute(t, "list", "--csv"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestVersion(t *testing.T) {
	stdout, _, code := execute(t, "version", "--json")
	var v struct {
		Schema    string
		Version   string
		GoVersion string `json:"go_version"`
	}
	if err := json.Unmarshal([]byte(stdout), &v); err != nil || code != 0 {
		t.Fatal(err, code)
	}
	if v.Schema != "vcsim.version/1" || v.Version == "" || !strings.HasPrefix(v.GoVersion, "go1.") {
		t.Errorf("got %+v", v)
	}
	if info, ok := debug.ReadBuildInfo(); !ok || slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		return // with the race detector, time says nothing
	}
	best := time.Hour
	for tries := 0; tries < 100 && best > 50*time.Millisecond; tries++ { // others may be using the machine
		start := time.Now()
		execute(t, "version")
		best = min(best, time.Since(start))
	}
	if best > 50*time.Millisecond {
		t.Errorf("version takes %s, want at most 50 ms", best)
	}
}

func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if stdout, stderr, code := execute(t, "completion", shell); code != 0 || len(stdout) < 500 || stderr != "" {
			t.Errorf("%s: exit %d, %d bytes, %q", shell, code, len(stdout), stderr)
		}
	}
	for _, tt := range []struct{ args, want string }{
		{"list mod", "models"},
		{"validate vtrain", "vtrain_multi vtrain_single"},
		{"reproduce fig10", "fig10a fig10b"},
		{"list models lla", "llama2-7b llama2-13b llama2-70b llama3-8b llama3-70b llama3-405b"},
	} {
		stdout, _, _ := execute(t, append([]string{"__complete"}, strings.Fields(tt.args)...)...)
		words := strings.Fields(stdout)
		if i := slices.Index(words, ":4"); i >= 0 {
			words = words[:i]
		}
		for _, w := range strings.Fields(tt.want) {
			if !slices.Contains(words, w) {
				t.Errorf("complete %s: got %v, want %s among them", tt.args, words, w)
			}
		}
	}
}

// TestHelp: every command says in a line what it does, and shows an example whose words it understands.
func TestHelp(t *testing.T) {
	root := newRootCommand(&app{stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{}})
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			walk(sub)
		}
		if c == root || !c.IsAvailableCommand() || c.HasSubCommands() {
			return
		}
		if c.Short == "" || c.Example == "" || c.Long == "" && len(c.Short) < 20 {
			t.Errorf("%s: needs a short text and an example", c.CommandPath())
		}
		for _, line := range strings.Split(c.Example, "\n") {
			words := strings.Fields(line)
			if found, flags, err := root.Find(words[1:]); words[0] != "vcsim" || err != nil || found != c {
				t.Errorf("%s: the example %q is not one: %v", c.CommandPath(), line, err)
			} else if err := found.ParseFlags(flags); err != nil {
				t.Errorf("%s: the example %q: %v", c.CommandPath(), line, err)
			}
		}
	}
	walk(root)
}
