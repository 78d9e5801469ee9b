package sim

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
)

// A Perfetto writes what units did over a window of cycles as trace events in
// JSON, which ui.perfetto.dev reads: one track a unit, one slice for each run
// of cycles in one state, one microsecond a cycle. Idle cycles leave gaps.
type Perfetto struct {
	w        *bufio.Writer
	activity *Activity
	from, to uint64
	state    []State
	since    []uint64
	started  bool
	end      uint64
	clock    float64 // Hz
}

// NewPerfetto returns a trace of the cycles from <= cycle < to of the units of
// a, which the kernel must watch before it.
func NewPerfetto(w io.Writer, a *Activity, from, to uint64) *Perfetto {
	return &Perfetto{w: bufio.NewWriter(w), activity: a, from: from, to: to}
}

// Watch records the cycle.
func (p *Perfetto) Watch(cycle uint64) {
	if cycle < p.from || cycle >= p.to {
		return
	}
	if !p.started {
		p.start()
	}
	for i := range p.state {
		if s := p.activity.State(i); s != p.state[i] {
			p.slice(i, cycle)
			p.state[i], p.since[i] = s, cycle
		}
	}
	p.end = cycle + 1
}

// Clock notes the frequency of the cycles in Hz in the trace, whose time stays that of one microsecond a cycle: the format has no
// finer whole unit.
func (p *Perfetto) Clock(hz float64) { p.clock = hz }

// start writes the names of the tracks; every unit is idle before the window.
func (p *Perfetto) start() {
	p.started = true
	n := len(p.activity.units)
	p.state, p.since = make([]State, n), make([]uint64, n)
	p.w.WriteString(`{"displayTimeUnit":"ns","traceEvents":[`)
	for i, u := range p.activity.units {
		if i > 0 {
			p.w.WriteByte(',')
		}
		fmt.Fprintf(p.w, "\n"+`{"ph":"M","pid":0,"tid":%d,"name":"thread_name","args":{"name":%s}}`, i, strconv.Quote(u.Name))
	}
}

func (p *Perfetto) slice(i int, until uint64) {
	if p.state[i] == Idle {
		return
	}
	fmt.Fprintf(p.w, ",\n"+`{"ph":"X","pid":0,"tid":%d,"name":"%s","ts":%d,"dur":%d}`, i, p.state[i], p.since[i], until-p.since[i])
}

// Close ends the trace and returns the first error of the writer, which stays
// open.
func (p *Perfetto) Close() error {
	if !p.started {
		p.start()
	}
	for i := range p.state {
		p.slice(i, p.end)
	}
	p.w.WriteString("\n]")
	if p.clock > 0 {
		fmt.Fprintf(p.w, `,"otherData":{"clock_hz":%g,"microsecond_of_trace":"one cycle"}`, p.clock)
	}
	p.w.WriteString("}\n")
	return p.w.Flush()
}
