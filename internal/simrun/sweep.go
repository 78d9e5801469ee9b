// Package simrun runs the clocked models of the hardware on planes: it sweeps parameters, shares the frames among instances, compares what
// comes out with the software codec, and works out rates.
package simrun

import (
	"errors"
	"fmt"

	"vcsim/t264/hwdec"
	"vcsim/t264/hwenc"
	hwenc265 "vcsim/t265/hwenc"
)

// A Codec is one that there is hardware of.
type Codec uint8

const (
	T264 Codec = iota
	T265       // its encoder alone
)

var codecNames = [...]string{"t264", "t265"}

func (c Codec) String() string { return codecNames[c] }

// UnmarshalText accepts t264 and t265.
func (c *Codec) UnmarshalText(text []byte) error {
	for i, name := range codecNames {
		if name == string(text) {
			*c = Codec(i)
			return nil
		}
	}
	return fmt.Errorf("codec %s: there are clocked models of t264 and t265", text)
}

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
	Codec     Codec
	Unit      Unit
	Values    int    // a cycle of the pixel path
	Bypass    int    // bypass bins a cycle of a lane
	Latency   uint64 // cycles that the memory takes to answer an encoder
	Instances int    // that share the frames
}

// DefaultConfig is one instance of a unit.
func DefaultConfig(codec Codec, u Unit) Config {
	c := Config{Codec: codec, Unit: u, Instances: 1}
	switch {
	case codec == T265:
		c.Values, c.Bypass = hwenc265.Values, hwenc265.DefaultSpec().Bypass
	case u == Decoder:
		c.Values, c.Bypass = DecoderValues, hwdec.DefaultSpec().Bypass
	default:
		s := hwenc.DefaultSpec()
		c.Values, c.Bypass = s.Values, s.Bypass
	}
	return c
}

// DefaultLanes is how many lanes a unit has where nobody says.
func DefaultLanes(codec Codec, u Unit) int {
	switch {
	case codec == T265:
		return hwenc265.DefaultSpec().Lanes
	case u == Decoder:
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
		lanes = []int{DefaultLanes(c.Codec, c.Unit)}
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
	switch {
	case c.Codec == T265 && c.Unit == Decoder:
		return errors.New("there is no clocked model of a decoder of t265")
	case c.Codec == T265:
		return c.encSpec265(p, side).Validate()
	case c.Unit == Encoder:
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

// encSpec265 suits frames of up to widest CTUs.
func (c *Config) encSpec265(p Point, widest int) hwenc265.Spec {
	s := hwenc265.DefaultSpec()
	s.Threads, s.Lanes, s.Bypass, s.FrameCTUs = p.Threads, p.Lanes, c.Bypass, max(2, widest)
	return s
}

// decSpec suits frames of up to longest samples a side.
func (c *Config) decSpec(p Point, longest int) hwdec.Spec {
	s := hwdec.DefaultSpec()
	s.Lanes, s.Bypass, s.FrameMBs = p.Lanes, c.Bypass, max(2, (longest+15)/16)
	return s
}
