package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const goMod = "module m\n\ngo 1.25\n"

// TestRun builds the program and runs it on small modules.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	bin := filepath.Join(t.TempDir(), "testrun")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const head = "package m\n\nimport \"testing\"\n\n"
	tests := []struct {
		name, source, last string
		code               int
		contains           string
	}{
		{"pass", head + `func TestA(t *testing.T) { t.Run("x", func(*testing.T) {}) }`, "2 passed, 0 failed, 0 skipped", 0, "ok    m"},
		{"skip", head + `func TestA(t *testing.T) {}; func TestB(t *testing.T) { t.Skip("no tool") }`, "1 passed, 0 failed, 1 skipped", 0, "no tool"},
		{"fail", head + `func TestA(t *testing.T) {}; func TestB(t *testing.T) { t.Error("wrong") }`, "1 passed, 1 failed, 0 skipped", 1, "wrong"},
		{"panic", head + `func TestA(t *testing.T) {}; func TestB(t *testing.T) { panic("boom") }`, "1 passed, 1 failed, 0 skipped", 1, "boom"},
		{"exit", head + `import "os"; func TestB(t *testing.T) { println("gone"); os.Exit(3) }`, "0 passed, 1 failed, 0 skipped", 1, "FAIL  m"},
		{"no build", head + `func TestA(t *testing.T) { undefined() }`, "0 passed, 1 failed, 0 skipped", 1, "undefined: undefined"},
		{"no tests", "package m", "0 passed, 0 failed, 0 skipped", 1, ""},
	}
	for _, tt := range tests {
		dir := t.TempDir()
		for name, text := range map[string]string{"go.mod": goMod, "m_test.go": tt.source} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command(bin, "./...")
		cmd.Dir = dir
		out, _ := cmd.CombinedOutput()
		lines := strings.Split(strings.TrimRight(string(out), "\n"), "\n")
		if last := lines[len(lines)-1]; last != tt.last || cmd.ProcessState.ExitCode() != tt.code || !strings.Contains(string(out), tt.contains) {
			t.Errorf("%s: got exit %d, last line %q, want %d, %q and %q in\n%s", tt.name, cmd.ProcessState.ExitCode(), last, tt.code, tt.last, tt.contains, out)
		}
	}
}
