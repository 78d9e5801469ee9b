package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vcsim/internal/peertest"
)

func TestInitWithFlags(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "my.yaml")
	all := []string{"init", "--workload", "train", "--model", "llama2-7b", "--gpu", "rtx3090", "--gpus", "32", "--bw", "10Gbps", "--codec", "t264", "-o", file}
	if _, stderr, code := execute(t, all...); code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	stdout, stderr, code := execute(t, "cluster", "-f", file, "--json")
	if code != 0 || !strings.Contains(stdout, `"name": "t264"`) || !strings.Contains(stdout, `"gpus": 32`) {
		t.Errorf("the written file: exit %d, %s%s", code, stderr, stdout)
	}
	// The command line wins over the file.
	if stdout, _, _ := execute(t, "cluster", "-f", file, "--gpus", "64", "--json"); !strings.Contains(stdout, `"gpus": 64`) {
		t.Error("--gpus 64 does not override the file's 32")
	}
	// An existing file is kept.
	if _, stderr, code := execute(t, all...); code != 2 || !strings.Contains(stderr, "--force") {
		t.Errorf("second run: exit %d, %q; want 2 and a word of --force", code, stderr)
	}
	for _, bad := range []struct{ flag, value, want string }{
		{"--model", "llama2-7", "did you mean llama2-7b?"}, {"--bw", "10", "needs a suffix"}, {"--gpus", "0", "1 to"},
	} {
		args := append([]string{}, all...)
		for i := range args {
			if args[i] == bad.flag {
				args[i+1] = bad.value
			}
			if args[i] == file {
				args[i] = filepath.Join(dir, "bad.yaml")
			}
		}
		_, stderr, code := execute(t, args...)
		if code != 2 || !strings.Contains(stderr, bad.want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s %s: exit %d, %q; want 2 and one line with %q", bad.flag, bad.value, code, stderr, bad.want)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "bad.yaml")); err == nil {
		t.Error("a refused run wrote its file")
	}
}

func TestInitWithoutTerminal(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.yaml")
	stdout, stderr, code := execute(t, "init", "-o", file)
	if code != 2 || stdout != "" || !strings.Contains(stderr, "no terminal") || strings.Count(stderr, "\n") != 1 {
		t.Errorf("exit %d, stdout %q, stderr %q; want 2 and one line on stderr", code, stdout, stderr)
	}
}

func TestConfigFileErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"model: llama2-7b\nbw: 10Gbps\ngpuss: 4\n", ":3: unknown key gpuss; did you mean gpus?"},
		{"model: llama2-7b\nbw: 10\n", ":2: bw: "},
		{"model: llama2-7b\ngpus: many\nbw: 10Gbps\n", ":2: gpus: "},
		{"", ":1: the file is empty"},
		{"model: a\nmodel: b\n", ":2: "},
		{"file: other.yaml\n", ":1: unknown key file"},
	} {
		path := filepath.Join(t.TempDir(), "c.yaml")
		if err := os.WriteFile(path, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, stderr, code := execute(t, "cluster", "-f", path)
		if code != 2 || !strings.Contains(stderr, path+c.want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%q: exit %d, %q; want 2 and %q", c.text, code, stderr, path+c.want)
		}
	}
}

// TestWizard drives the wizard in a real terminal: an arrow key, defaults, an
// answer that is refused, and an interrupt.
func TestWizard(t *testing.T) {
	tmux := peertest.Tool(t, "tmux")
	dir := t.TempDir()
	session := newTerminal(t, tmux, dir)
	session.start("init", "-o", "w.yaml")
	session.expect("What runs on the cluster?")
	session.send("Down", "Enter")
	session.expect("Which model?")
	session.send("Enter")
	session.expect("Which GPU?")
	session.send("Enter")
	session.expect("How many of them?")
	session.send("Enter")
	session.expect("How fast is the link?")
	session.send("10", "Enter")
	session.expect("needs a suffix")
	session.send("BSpace", "BSpace", "25Gbps", "Enter")
	session.expect("How long is the context?")
	session.send("128k", "Enter")
	session.expect("Which codec?")
	session.send("Down", "Enter")
	session.expect("exit 0")
	data, err := os.ReadFile(filepath.Join(dir, "w.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"workload: infer\n", "model: llama3-70b\n", "gpu: rtx3090\n", "gpus: 4\n", "bw: 25Gbps\n", "context: 128k\n", "codec: t264-paper\n"} {
		if !strings.Contains(string(data), want) {
			t.Errorf("the file lacks %q:\n%s", want, data)
		}
	}
	if _, stderr, code := execute(t, "cluster", "-f", filepath.Join(dir, "w.yaml")); code != 0 {
		t.Errorf("the file does not run: exit %d, %s", code, stderr)
	}

	session = newTerminal(t, tmux, t.TempDir()) // a screen that shows nothing of the first run
	session.start("init", "-o", filepath.Join(dir, "never.yaml"))
	session.expect("What runs on the cluster?")
	session.send("Down", "C-c")
	session.expect("exit 130")
	if _, err := os.Stat(filepath.Join(dir, "never.yaml")); err == nil {
		t.Error("an interrupted wizard wrote its file")
	}
}

// A terminalSession is a tmux session of its own server.
type terminalSession struct {
	t            *testing.T
	tmux, socket string
}

// newTerminal is a terminal that is wide enough for most lines.
func newTerminal(t *testing.T, tmux, dir string) *terminalSession {
	return newTerminalOf(t, tmux, dir, 150)
}

// newTerminalOf is a terminal of a width, where programs see more environment variables.
func newTerminalOf(t *testing.T, tmux, dir string, width int, env ...string) *terminalSession {
	s := &terminalSession{t: t, tmux: tmux, socket: filepath.Join(dir, "tmux")}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"new-session", "-d", "-s", "t", "-x", fmt.Sprint(width), "-y", "40", "-c", dir, "env", "-u", "NO_COLOR", asProgram + "=1", "PS1=$ ", "VCSIM=" + self}
	s.run(append(append(args, env...), "sh")...)
	t.Cleanup(func() { exec.Command(tmux, "-S", s.socket, "kill-server").Run() })
	return s
}

func (s *terminalSession) run(args ...string) string {
	s.t.Helper()
	out, err := exec.Command(s.tmux, append([]string{"-f", "/dev/null", "-S", s.socket}, args...)...).CombinedOutput()
	if err != nil {
		s.t.Fatalf("tmux %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// start runs the program on a cleared screen and shows its exit code.
func (s *terminalSession) start(args ...string) {
	s.t.Helper()
	s.send(fmt.Sprintf(`clear; "$VCSIM" %s; echo "exit $?"`, strings.Join(args, " ")), "Enter")
}

func (s *terminalSession) send(keys ...string) {
	s.t.Helper()
	for _, k := range keys {
		s.run("send-keys", "-t", "t", k)
	}
}

// screen is what the terminal shows, with the sequences of colours.
func (s *terminalSession) screen() string { return s.run("capture-pane", "-e", "-p", "-t", "t") }

// expect waits until the screen shows the text.
func (s *terminalSession) expect(text string) {
	s.t.Helper()
	var screen string
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(30 * time.Millisecond) {
		screen = s.run("capture-pane", "-p", "-t", "t")
		// The command line itself holds `exit $?`, not a number.
		if strings.Contains(screen, text) {
			// A prompt is on the screen shortly before the terminal hands over single keys.
			time.Sleep(200 * time.Millisecond)
			return
		}
	}
	s.t.Fatalf("the terminal never shows %q:\n%s", text, screen)
}

// TestInitRuns: answers that cluster refuses make no file, and the reason is the one that cluster gives.
func TestInitRuns(t *testing.T) {
	file := filepath.Join(t.TempDir(), "my.yaml")
	for _, c := range []struct {
		flags []string
		code  int
		want  string
	}{
		{[]string{"--model", "llama3-70b", "--gpu", "rtx3090", "--gpus", "1", "--codec", "t264"}, 1, "llama3-70b on 1 x rtx3090"},
		{[]string{"--model", "llama2-7b", "--gpu", "h100-sxm", "--gpus", "8", "--codec", "nvenc"}, 2, "video encoder"},
	} {
		_, stderr, code := execute(t, append([]string{"init", "--workload", "train", "--bw", "10Gbps", "-o", file}, c.flags...)...)
		if code != c.code || !strings.Contains(stderr, c.want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%v: exit %d, %q; want %d and one line with %q", c.flags, code, stderr, c.code, c.want)
		}
		if _, err := os.Stat(file); err == nil {
			t.Errorf("%v: a file was written", c.flags)
			os.Remove(file)
		}
	}
}
