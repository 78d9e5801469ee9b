// Package atomicfile writes files as a whole or not at all.
package atomicfile

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Write writes a file as a whole or not at all: the data goes to an unnamed or temporary file in the same directory,
// is flushed to the disk, and takes the name only then. An existing path that is not a regular file (a pipe, a
// device) is written directly.
func Write(path string, write func(io.Writer) error) (err error) {
	if st, err := os.Stat(path); err == nil && !st.Mode().IsRegular() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		err = write(f)
		if e := f.Close(); err == nil {
			err = e
		}
		return err
	}
	dir := filepath.Dir(path)
	f, publish, discard, err := openUnnamed(dir, filepath.Base(path))
	if err != nil {
		return err
	}
	defer func() {
		f.Close()
		if err != nil {
			discard()
		}
	}()
	w := bufio.NewWriterSize(f, 1<<16)
	if err = write(w); err != nil {
		return err
	}
	if err = w.Flush(); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = publish(path); err != nil {
		return err
	}
	if d, err := os.Open(dir); err == nil { // make the new name durable; not every file system can
		d.Sync()
		d.Close()
	}
	return nil
}

// openTemp is openUnnamed for systems without unnamed files.
func openTemp(dir, base string) (f *os.File, publish func(string) error, discard func(), err error) {
	f, err = os.CreateTemp(dir, "."+base+".*.tmp")
	var pe *fs.PathError
	if errors.As(err, &pe) { // the name that the user knows
		err = &fs.PathError{Op: "create", Path: filepath.Join(dir, base), Err: pe.Err}
	}
	if err != nil {
		return nil, nil, nil, err
	}
	name := f.Name()
	publish = func(path string) error {
		mode := os.FileMode(0o644)
		if st, err := os.Stat(path); err == nil {
			mode = st.Mode().Perm()
		}
		if err := f.Chmod(mode); err != nil {
			return err
		}
		return os.Rename(name, path)
	}
	return f, publish, func() { os.Remove(name) }, nil
}
