package sim

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
)

// A VCD writes the values of signals over a window of cycles as a value change
// dump (IEEE 1364-2005 clause 18): one time unit a cycle at 1 GHz, and at every clock whose period is a time scale.
type VCD struct {
	w        *bufio.Writer
	from, to uint64
	signals  []vcdSignal
	started  bool
	scale    string // of a time unit
	units    uint64 // a cycle
}

type vcdSignal struct {
	name, id string
	bits     int
	get      func() uint64
	last     uint64
}

// NewVCD returns a dump of the cycles from <= cycle < to.
func NewVCD(w io.Writer, from, to uint64) *VCD {
	return &VCD{w: bufio.NewWriter(w), from: from, to: to, scale: "1ns", units: 1}
}

// Clock sets the frequency of the cycles in Hz; 0 keeps 1 GHz. A time unit is the longest time scale, of 1, 10 or 100 of a unit
// of time, of which the period is a multiple; else a femtosecond, to which the period is rounded.
func (v *VCD) Clock(hz float64) {
	if hz <= 0 {
		return
	}
	period := uint64(max(1, math.Round(1e15/hz))) // fs
	fs := uint64(1)
	for _, unit := range []string{"fs", "ps", "ns", "us", "ms", "s"} {
		for _, n := range []uint64{1, 10, 100} {
			if period%fs == 0 {
				v.scale, v.units = fmt.Sprint(n, unit), period/fs
			}
			fs *= 10
		}
	}
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
			fmt.Fprintf(v.w, "#%d\n", cycle*v.units)
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
	fmt.Fprintf(v.w, "$timescale %s $end\n$scope module top $end\n", v.scale)
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
	fmt.Fprintf(v.w, "#%d\n", v.to*v.units)
	return v.w.Flush()
}
