package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	ok := func(s string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
	}
	if err := Write(path, ok("one")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, ok("two")); err != nil {
		t.Fatal(err)
	}
	fail := errors.New("fail")
	if err := Write(path, func(w io.Writer) error { io.WriteString(w, "thr"); return fail }); err != fail {
		t.Errorf("error %v", err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "two" {
		t.Errorf("file holds %q, %v", b, err)
	}
	if st, err := os.Stat(path); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", st.Mode(), err)
	}
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("%d files left", len(files))
	}
	absent := filepath.Join(dir, "no", "out")
	if err := Write(absent, ok("x")); err == nil || !strings.Contains(err.Error(), absent+":") {
		t.Errorf("writing into a missing directory: %v", err)
	}
	if err := Write(os.DevNull, ok("x")); err != nil {
		t.Error(err)
	}
	f, publish, discard, err := openTemp(dir, "out")
	if err != nil {
		t.Fatal(err)
	}
	defer discard()
	f.WriteString("three")
	if err := publish(path); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if b, _ := os.ReadFile(path); string(b) != "three" {
		t.Errorf("file holds %q", b)
	}
}

// A process that is killed while it writes leaves neither the file nor a piece of it.
func TestKilled(t *testing.T) {
	if path := os.Getenv("VCSIM_TEST_WRITE"); path != "" {
		Write(path, func(w io.Writer) error {
			w.Write(make([]byte, 1<<20))
			fmt.Println("writing")
			time.Sleep(time.Minute)
			return nil
		})
		return
	}
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
	cmd.Env = append(os.Environ(), "VCSIM_TEST_WRITE="+filepath.Join(dir, "out"))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, len("writing"))); err != nil {
		t.Fatal(err)
	}
	cmd.Process.Kill()
	cmd.Wait()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".tmp") { // where the system has no unnamed files
			t.Errorf("%s is left", f.Name())
		}
	}
}
