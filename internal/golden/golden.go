// Package golden compares what tests make with files that are checked in. The flag
// -update of `go test` writes those files instead.
package golden

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden and the generated files")

// Update reports whether the flag -update is set.
func Update() bool { return *update }

// Check compares got with the contents of file, and leaves it beside, in file.got,
// where they differ.
func Check(t testing.TB, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if line, g, w, ok := differ(got, string(b)); ok {
		os.WriteFile(file+".got", []byte(got), 0o666)
		t.Errorf("%s: line %d: got %q, want %q (go test -update writes the file)", file, line, g, w)
	}
}

// differ finds the first line, from 1 on, that is not the same.
func differ(got, want string) (line int, g, w string, ok bool) {
	if got == want {
		return 0, "", "", false
	}
	for line = 1; ; line++ {
		var moreG, moreW bool
		g, got, moreG = strings.Cut(got, "\n")
		w, want, moreW = strings.Cut(want, "\n")
		if g != w || moreG != moreW {
			return line, g, w, true
		}
	}
}
