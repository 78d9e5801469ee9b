// Vcsim tells hardware architects what a tensor codec on the accelerator buys and what it costs.
//
// Each subcommand has a file of its own and an entry in the table in root.go. It fills a report.Result and hands it to
// app.print; it returns errors and never exits. Results go to standard output, the log and progress to standard error.
package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"

	"vcsim/internal/figures"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second interrupt ends the process at once
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// Exit codes. An error without a code of its own is a fault of the input, so exitUsage.
const (
	exitMismatch    = 1 // a comparison failed, or nothing feasible was found
	exitUsage       = 2 // flags, configuration or input that cannot be read or is not supported
	exitMissingTool = 3 // an external program is not installed
	exitInterrupt   = 128 + int(syscall.SIGINT)
	exitPipe        = 128 + int(syscall.SIGPIPE)
)

// An exitError is an error that decides the exit code.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

// exitCode is the process's exit code for the error of a command.
func exitCode(err error) int {
	var ee *exitError
	var mismatch figures.MismatchError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &ee):
		return ee.code
	case errors.As(err, &mismatch):
		return exitMismatch
	case errors.Is(err, context.Canceled):
		return exitInterrupt
	case errors.Is(err, syscall.EPIPE):
		return exitPipe
	case errors.Is(err, exec.ErrNotFound):
		return exitMissingTool
	}
	return exitUsage
}

// oneLine is the message of err on one line; cobra spreads its suggestions over several.
func oneLine(err error) string {
	msg := strings.TrimSpace(err.Error())
	if head, list, ok := strings.Cut(msg, "\n\nDid you mean this?\n\t"); ok {
		msg = head + "; did you mean " + strings.ReplaceAll(list, "\n\t", " or ") + "?"
	}
	return strings.Join(strings.FieldsFunc(msg, func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
}
