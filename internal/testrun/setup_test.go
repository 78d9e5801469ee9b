package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"vcsim/internal/peertest"
)

// setupScript is .ci/setup with a table of tools of its own.
func setupScript(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../.ci/setup")
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), "\ntools=(\n")
	_, tail, ok2 := strings.Cut(rest, "\n)\n")
	if !ok || !ok2 {
		t.Fatal(".ci/setup has no table of tools")
	}
	const table = `
tools=(
  "ffmpeg                  ffmpeg"
  "x264                    x264"
  "x265                    x265"
  "libde265-dec265,dec265  libde265-examples"
)
`
	path := filepath.Join(t.TempDir(), "setup")
	if err := os.WriteFile(path, []byte(head+table+tail), 0o777); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestSetup runs .ci/setup with a PATH that holds only what each case puts there.
func TestSetup(t *testing.T) {
	bash, env := peertest.Tool(t, "bash"), peertest.Tool(t, "env")
	const (
		root    = "echo 0"
		user    = "echo 1000"
		apt     = `echo "$@" >>"$CALLS"`
		noApt   = "exit 100"
		sudo    = `shift; "$@"`
		askSudo = "exit 1"
	)
	have := func(commands ...string) map[string]string {
		m := map[string]string{}
		for i := 0; i < len(commands); i += 2 {
			m[commands[i]] = commands[i+1]
		}
		return m
	}
	tests := []struct {
		name     string
		commands map[string]string
		code     int
		says     string
		calls    string
	}{
		{"nothing missing", have("ffmpeg", "", "x264", "", "x265", "", "dec265", ""), 0, "", ""},
		{"as root", have("ffmpeg", "", "x264", "", "apt-get", apt, "id", root), 0, "installing x265 libde265-examples",
			"update -qq\ninstall -qq -y --no-install-recommends x265 libde265-examples\n"},
		{"through sudo", have("ffmpeg", "", "x264", "", "x265", "", "apt-get", apt, "id", user, "sudo", sudo), 0, "installing libde265-examples",
			"update -qq\ninstall -qq -y --no-install-recommends libde265-examples\n"},
		{"no apt", have("ffmpeg", ""), 3, "setup: the tests need x264 x265 libde265-examples, and this system has no apt-get;", ""},
		{"no sudo", have("apt-get", apt, "id", user), 3, "there is no sudo", ""},
		{"sudo asks", have("apt-get", apt, "id", user, "sudo", askSudo), 3, "sudo wants a password", ""},
		{"apt fails", have("apt-get", noApt, "id", root), 3, "apt-get update does not work", ""},
	}
	script := setupScript(t)
	for _, tt := range tests {
		dir := t.TempDir()
		if err := os.Symlink(env, filepath.Join(dir, "env")); err != nil {
			t.Fatal(err)
		}
		for name, body := range tt.commands {
			if err := os.WriteFile(filepath.Join(dir, name), []byte("#!"+bash+"\n"+body+"\n"), 0o777); err != nil {
				t.Fatal(err)
			}
		}
		calls := filepath.Join(dir, "calls.txt")
		cmd := exec.Command(bash, script)
		cmd.Env = []string{"PATH=" + dir, "CALLS=" + calls}
		out, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != tt.code || !strings.Contains(string(out), tt.says) || tt.says == "" && len(out) > 0 {
			t.Errorf("%s: got exit %d and %q, want %d and %q", tt.name, code, out, tt.code, tt.says)
		}
		if got, _ := os.ReadFile(calls); string(got) != tt.calls {
			t.Errorf("%s: apt-get was called with %q, want %q", tt.name, got, tt.calls)
		}
	}
}
