package sim

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
)

// A VCD writes the values of signals over a window of cycles as a value change
// dump (IEEE 1364-2005 clause 18), one time unit a cycle.
type VCD struct {
	w        *bufio.Writer
	from, to uint64
	signals  []vcdSignal
	started  bool
}

type vcdSignal struct {
	name, id string
	bits     int
	get      func() uint64
	last     uint64
}

// NewVCD returns a dump of the cycles from <= cycle < to.
func NewVCD(w io.Writer, from, to uint64) *VCD {
	return &VCD{w: bufio.NewWriter(w), from: from, to: to}
}

// Signal adds a signal of 1..64 bits before the first cycle.
func (v *VCD) Signal(name string, bits int, get func() uint64) {
	v.signals = append(v.signals, vcdSignal{name: name, id: vcdID(len(v.signals)), bits: bits, get: get})
}

// Wire adds the handshake of a stream.
func (v *VCD) Wire(name string, w *Wire) {
	v.Signal(name+"_valid", 1, func() uint64 { return bit(w.Valid) })
	v.Signal(name+"_ready", 1, func() uint64 { return bit(w.Ready) })
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// vcdID is the i-th identifier of printable characters.
func vcdID(i int) string {
	id := ""
	for {
		id += string(rune('!' + i%94))
		if i /= 94; i == 0 {
			return id
		}
	}
}

// Watch dumps the cycle.
func (v *VCD) Watch(cycle uint64) {
	if cycle < v.from || cycle >= v.to {
		return
	}
	if !v.started {
		v.header()
	}
	stamped := false
	for i := range v.signals {
		s := &v.signals[i]
		value := s.get()
		if v.started && value == s.last {
			continue
		}
		if !stamped {
			fmt.Fprintf(v.w, "#%d\n", cycle)
			stamped = true
		}
		s.last = value
		if s.bits == 1 {
			fmt.Fprintf(v.w, "%d%s\n", value&1, s.id)
		} else {
			fmt.Fprintf(v.w, "b%s %s\n", strconv.FormatUint(value, 2), s.id)
		}
	}
	v.started = true
}

func (v *VCD) header() {
	fmt.Fprint(v.w, "$timescale 1ns $end\n$scope module top $end\n")
	for _, s := range v.signals {
		fmt.Fprintf(v.w, "$var wire %d %s %s $end\n", s.bits, s.id, s.name)
	}
	fmt.Fprint(v.w, "$upscope $end\n$enddefinitions $end\n")
}

// Close writes the end of the window and returns the first error of the writer,
// which stays open.
func (v *VCD) Close() error {
	if !v.started {
		v.header()
	}
	fmt.Fprintf(v.w, "#%d\n", v.to)
	return v.w.Flush()
}
