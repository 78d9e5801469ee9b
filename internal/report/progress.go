package report

import (
	"os"
	"time"

	"github.com/jedib0t/go-pretty/v6/progress"
	"golang.org/x/term"
)

// Progress is a bar on a terminal. Where there is no terminal it does nothing, and neither does a nil *Progress.
type Progress struct {
	writer  progress.Writer
	tracker *progress.Tracker
	done    chan struct{}
}

// NewProgress starts a bar of total steps on f if f is a terminal; otherwise it returns nil. Stop must be called before
// anything else is written to f.
func NewProgress(f *os.File, what string, total int64) *Progress {
	if !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	p := &Progress{writer: progress.NewWriter(), tracker: &progress.Tracker{Message: what, Total: total}, done: make(chan struct{})}
	p.writer.SetOutputWriter(f)
	p.writer.SetUpdateFrequency(100 * time.Millisecond)
	p.writer.AppendTracker(p.tracker)
	go func() {
		defer close(p.done)
		p.writer.Render()
	}()
	return p
}

// Add counts n steps as done. It may be called from several goroutines.
func (p *Progress) Add(n int64) {
	if p != nil {
		p.tracker.Increment(n)
	}
}

// Stop ends the bar and returns when its last state is on the terminal.
func (p *Progress) Stop() {
	if p == nil {
		return
	}
	p.tracker.MarkAsDone()
	for !p.writer.IsRenderInProgress() { // Stop before Render began would be lost
		select {
		case <-p.done:
			return
		case <-time.After(time.Millisecond):
		}
	}
	p.writer.Stop()
	<-p.done
}
