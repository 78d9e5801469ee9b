package report

import (
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/jedib0t/go-pretty/v6/progress"
	"golang.org/x/term"
)

// Progress is a bar on a terminal. Where there is no terminal it does nothing, and neither does a nil *Progress.
type Progress struct {
	writer  progress.Writer
	tracker *progress.Tracker
	done    chan struct{}

	what  string
	total int64 // 0 if it is not known
	mu    sync.Mutex
	steps int64
	pass  int64 // which time the bar is filled, from 1
}

// NewProgress starts a bar of total steps on f if f is a terminal; otherwise it returns nil. Where total is 0, because it is not
// known, the bar shows the time alone. Stop must be called before anything else is written to f.
func NewProgress(f *os.File, what string, total int64) *Progress {
	if !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	p := &Progress{writer: progress.NewWriter(), tracker: &progress.Tracker{Message: what, Total: total}, done: make(chan struct{}), what: what, total: total}
	p.writer.SetOutputWriter(f)
	p.writer.SetUpdateFrequency(100 * time.Millisecond)
	if total == 0 {
		p.writer.Style().Visibility.Value, p.writer.Style().Visibility.Percentage = false, false
		p.tracker.Start()
	}
	p.writer.AppendTracker(p.tracker)
	go func() {
		defer close(p.done)
		p.writer.Render()
	}()
	return p
}

// Add counts n steps as done. It may be called from several goroutines. Work that takes more steps than the total, as a search
// does that goes over its input again, fills the bar once more, and the bar says which time it is.
func (p *Progress) Add(n int64) {
	if p == nil || p.total == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.steps += n
	pass, value := turn(p.steps, p.total)
	if pass > 1 && pass != p.pass {
		p.tracker.UpdateMessage(fmt.Sprintf("%s, pass %d", p.what, pass))
	}
	p.pass = pass
	p.tracker.SetValue(value)
}

// turn is which time, from 1, a bar of a total is filled after so many steps, and how far. A full bar would be a done one, and
// could not begin again: it is filled up to one step.
func turn(steps, total int64) (pass, value int64) {
	last := max(0, steps-1)
	return last/total + 1, min(steps-last/total*total, total-1)
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
