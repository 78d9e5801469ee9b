//go:build unix

package testbench

import (
	"os"
	"path/filepath"
	"syscall"
)

// locked runs f while no other process is in it for the same path, whose folder is
// made: packages are tested side by side, and share what they build.
func locked(path string, f func() error) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	file, err := os.OpenFile(path+".lock", os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return err
	}
	defer file.Close() // unlocks
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX); err != nil {
		return err
	}
	return f()
}
