//go:build unix

// Package cputime reads the clock of the processor for benchmarks: other programs
// change it little.
package cputime

import (
	"syscall"
	"testing"
	"time"
)

// Used returns the time that this process took of the processor, of all cores
// together.
func Used(t testing.TB) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
