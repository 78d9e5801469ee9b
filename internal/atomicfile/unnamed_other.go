//go:build !linux

package atomicfile

import "os"

func openUnnamed(dir, base string) (f *os.File, publish func(string) error, discard func(), err error) {
	return openTemp(dir, base)
}
