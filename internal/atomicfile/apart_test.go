package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestApart: one file is known by every spelling and link, whether it exists or not.
func TestApart(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(os.Mkdir("sub", 0o777))
	check(os.WriteFile("in", []byte("x"), 0o666))
	check(os.WriteFile("other", []byte("x"), 0o666))
	check(os.Link("in", "hard"))
	check(os.Symlink("in", "soft"))
	check(os.Symlink("soft", "softer"))
	check(os.Symlink(filepath.Join(dir, "in"), "sub/up"))
	check(os.Symlink("sub", "alias"))
	check(os.Symlink(".", "here"))
	check(os.Symlink("new", "dangling"))
	check(os.Symlink("loop", "loop"))
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{"in", "in", true},
		{"in", "./in", true},
		{"in", "sub/../in", true},
		{"in", filepath.Join(dir, "in"), true},
		{"in", "hard", true},
		{"in", "soft", true},
		{"hard", "softer", true},
		{"in", "sub/up", true},
		{"in", "alias/up", true},
		{"in", "here/in", true},
		{"in", "other", false},
		{"in", "new", false},
		{"in", "sub", false},
		{"new", "new", true},
		{"new", "./new", true},
		{"new", filepath.Join(dir, "sub/../new"), true},
		{"new", "here/new", true},
		{"new", "dangling", true},
		{"new", "here/dangling", true},
		{"sub/new", "alias/new", true},
		{"sub/new", "new", false},
		{"sub/no/new", "alias/no/new", true},
		{"sub/no/new", "alias/no/newer", false},
		{"loop", "new", false},
	} {
		if got := Same(tt.a, tt.b); got != tt.same {
			t.Errorf("%s and %s: same %v, want %v", tt.a, tt.b, got, tt.same)
		}
		if Same(tt.b, tt.a) != tt.same {
			t.Errorf("%s and %s: not symmetric", tt.b, tt.a)
		}
		for _, roles := range [][2][]Role{
			{{{"the input", tt.a}}, {{"-o", tt.b}}},
			{{{"the input", "other"}}, {{"-o", tt.a}, {"--trace", tt.b}}},
		} {
			err := Apart(roles[0], roles[1])
			var overlap *OverlapError
			if tt.same && tt.a != "sub" && !errors.As(err, &overlap) {
				t.Errorf("%v: error %v", roles, err)
			}
			if !tt.same && tt.a != "other" && tt.b != "other" && err != nil {
				t.Errorf("%v: error %v", roles, err)
			}
		}
	}
	if err := Apart(nil, []Role{{"-o", os.DevNull}, {"--trace", os.DevNull}}); err != nil {
		t.Errorf("a device named twice: %v", err)
	}
	if b, err := os.ReadFile("in"); err != nil || string(b) != "x" {
		t.Errorf("the file holds %q, %v", b, err)
	}
}
