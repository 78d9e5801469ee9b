package golden

import (
	"os"
	"path/filepath"
	"testing"
)

func TestDiffer(t *testing.T) {
	for _, c := range []struct {
		got, want string
		line      int // 0 for none
	}{
		{"", "", 0}, {"a\nb\n", "a\nb\n", 0}, {"a", "", 1}, {"", "a", 1}, {"a\nb", "a\nc", 2}, {"a\n", "a", 1}, {"a", "a\n", 1}, {"a\nb", "a\nb\nc", 2}, {"a\n\n", "a\n", 2},
	} {
		line, _, _, ok := differ(c.got, c.want)
		if ok != (c.line > 0) || line != c.line {
			t.Errorf("%q, %q: line %d, differ %v, want %d", c.got, c.want, line, ok, c.line)
		}
	}
}

// A recorder is a test that is allowed to fail.
type recorder struct {
	testing.TB
	errors int
}

func (r *recorder) Errorf(string, ...any) { r.errors++ }
func (r *recorder) Helper()               {}

func TestCheck(t *testing.T) {
	if Update() {
		t.Skip("-update makes every file right")
	}
	file := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(file, []byte("a\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	r := &recorder{TB: t}
	if Check(r, file, "a\n"); r.errors != 0 {
		t.Error("the same: an error")
	}
	if Check(r, file, "b\n"); r.errors != 1 {
		t.Error("another text: no error")
	}
	if got, err := os.ReadFile(file + ".got"); err != nil || string(got) != "b\n" {
		t.Errorf("left beside: %q, %v", got, err)
	}
}
