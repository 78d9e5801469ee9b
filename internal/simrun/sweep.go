// Package simrun runs the clocked models of the hardware on planes: it sweeps parameters, shares the frames among instances, compares what
// comes out with the software codec, and works out rates.
package simrun

import (
	"errors"
	"fmt"

	"vcsim/t264/hwdec"
	"vcsim/t264/hwenc"
)

// A Unit is a half of the codec in hardware.
type Unit uint8

const (
	Encoder Unit = iota
	Decoder
)

var unitNames = [...]string{"enc", "dec"}

func (u Unit) String() string { return unitNames[u] }

// UnmarshalText accepts enc and dec.
func (u *Unit) UnmarshalText(text []byte) error {
	for i, name := range unitNames {
		if name == string(text) {
			*u = Unit(i)
			return nil
		}
	}
	return fmt.Errorf("unit %q: want enc or dec", text)
}

// DecoderValues is what a decoder's pixel path does in a cycle.
const DecoderValues = 4

// A Config is what all runs of a sweep share.
type Config struct {
	Unit      Unit
	Values    int    // a cycle of the pixel path
	Bypass    int    // bypass bins a cycle of a lane
	Latency   uint64 // cycles that the memory takes to answer an encoder
	Instances int    // that share the frames
}

// DefaultConfig is one instance of a unit.
func DefaultConfig(u Unit) Config {
	if u == Decoder {
		return Config{Unit: u, Values: DecoderValues, Bypass: hwdec.DefaultSpec().Bypass, Instances: 1}
	}
	s := hwenc.DefaultSpec()
	return Config{Unit: u, Values: s.Values, Bypass: s.Bypass, Instances: 1}
}

// DefaultLanes is how many lanes a unit has where nobody says.
func DefaultLanes(u Unit) int {
	if u == Decoder {
		return hwdec.DefaultSpec().Lanes
	}
	return hwenc.DefaultSpec().Lanes
}

// A Point is one run of a sweep.
type Point struct{ Threads, Lanes int }

// Sweep lists the points of lists of threads and lanes. An empty list means as many as of the other, both empty the default; of two
// lists of several, the pairs in which lanes share the threads evenly.
func (c *Config) Sweep(threads, lanes []int) (points []Point, err error) {
	if len(lanes) == 0 && len(threads) == 0 {
		lanes = []int{DefaultLanes(c.Unit)}
	}
	switch {
	case len(lanes) == 0:
		for _, n := range threads {
			points = append(points, Point{n, n})
		}
	case len(threads) == 0:
		for _, n := range lanes {
			points = append(points, Point{n, n})
		}
	default:
		for _, t := range threads {
			for _, l := range lanes {
				if len(threads)*len(lanes) == 1 && l > t {
					return nil, fmt.Errorf("%d lanes, %d threads: a lane codes the levels of whole threads; give --threads %d or more, or --lanes %d or fewer", l, t, l, t)
				}
				if len(threads)*len(lanes) == 1 || l >= 1 && l <= t && t%l == 0 {
					points = append(points, Point{t, l})
				}
			}
		}
		if len(points) == 0 {
			return nil, errors.New("no number of --threads is a multiple of one of --lanes")
		}
	}
	for _, p := range points {
		if err := c.check(p); err != nil {
			return nil, err
		}
	}
	if c.Instances < 1 {
		return nil, fmt.Errorf("--instances %d: want 1 or more", c.Instances)
	}
	return points, nil
}

// check refuses a point that the unit cannot be built for; the frame does not matter for that.
func (c *Config) check(p Point) error {
	const side = 32
	if c.Unit == Encoder {
		return c.encSpec(p, side).Validate()
	}
	if p.Threads != p.Lanes {
		return fmt.Errorf("%d threads, %d lanes: a decoder has as many threads as lanes; a lane decodes slices one after the other, and more threads would hide next to nothing", p.Threads, p.Lanes)
	}
	return c.decSpec(p, side).Validate()
}

// encSpec suits frames of up to widest macroblocks.
func (c *Config) encSpec(p Point, widest int) hwenc.Spec {
	return hwenc.Spec{Threads: p.Threads, Lanes: p.Lanes, Values: c.Values, Bypass: c.Bypass, FrameMBs: max(2, widest)}
}

// decSpec suits frames of up to longest samples a side.
func (c *Config) decSpec(p Point, longest int) hwdec.Spec {
	s := hwdec.DefaultSpec()
	s.Lanes, s.Bypass, s.FrameMBs = p.Lanes, c.Bypass, max(2, (longest+15)/16)
	return s
}
