// Vcsim tells hardware architects what a tensor codec on the accelerator buys and what it costs.
//
// Each subcommand has a file of its own and an entry in the table in root.go. It fills a report.Result and hands it to
// app.print; it returns errors and never exits. Results go to standard output, the log and progress to standard error.
package main

import (
	"context"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second interrupt ends the process at once
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}
