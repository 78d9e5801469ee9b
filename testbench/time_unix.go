//go:build unix

package testbench

import (
	"syscall"
	"testing"
)

// ProcessorTime returns the nanoseconds that this process took of the processor,
// which other programs do not change much.
func ProcessorTime(b *testing.B) int64 {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return u.Utime.Nano() + u.Stime.Nano()
}
