package config

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Numbers with a dimension. On the command line and in YAML they need a suffix (`10Gbps`). Each type is a pflag.Value
// (Set, String, Type) and an encoding.TextUnmarshaler, which is how YAML and JSON texts reach it; String is the shortest
// text that parses back to the same number. All are positive: zero, negative and absurd numbers are refused.
type (
	BitsPerSecond float64 // 1 Gbps = 1e9 bit/s
	Bytes         int64   // 1 GB = 1e9 bytes, 1 GiB = 2^30 bytes
	Hertz         float64
	Decibels      float64 // a ratio of powers: 10 times its decimal logarithm
	Seconds       float64
	Tokens        int64 // 128k = 131072, as context lengths are named; the suffix may be left out
)

// A suffix is one spelling of a unit: the number before it times scale is the value.
type suffix struct {
	text   string
	scale  float64
	parsed bool // understood, never printed
}

// A quantity is one kind of number: its suffixes from small to large, and the range that is believed.
type quantity struct {
	name     string // as in "a bandwidth"
	suffixes []suffix
	min, max float64
	whole    bool // must be a whole number
}

var (
	bandwidth = quantity{name: "bandwidth", min: 1, max: 1e16, suffixes: []suffix{
		{text: "bps", scale: 1}, {text: "kbps", scale: 1e3}, {text: "Mbps", scale: 1e6}, {text: "Gbps", scale: 1e9}, {text: "Tbps", scale: 1e12},
		{"B/s", 8, true}, {"kB/s", 8e3, true}, {"MB/s", 8e6, true}, {"GB/s", 8e9, true}, {"TB/s", 8e12, true},
	}}
	size = quantity{name: "size", min: 1, max: 1 << 53, whole: true, suffixes: []suffix{
		{text: "B", scale: 1}, {text: "kB", scale: 1e3}, {text: "MB", scale: 1e6}, {text: "GB", scale: 1e9}, {text: "TB", scale: 1e12}, {text: "PB", scale: 1e15},
		{text: "KiB", scale: 1 << 10}, {text: "MiB", scale: 1 << 20}, {text: "GiB", scale: 1 << 30}, {text: "TiB", scale: 1 << 40},
	}}
	frequency = quantity{name: "frequency", min: 1, max: 1e12, suffixes: []suffix{
		{text: "Hz", scale: 1}, {text: "kHz", scale: 1e3}, {text: "MHz", scale: 1e6}, {text: "GHz", scale: 1e9},
	}}
	ratio    = quantity{name: "ratio in decibels", min: 1, max: 100, suffixes: []suffix{{text: "dB", scale: 1}}}
	duration = quantity{name: "time", min: 1e-15, max: 1e10, suffixes: []suffix{
		{text: "fs", scale: 1e-15}, {text: "ps", scale: 1e-12}, {text: "ns", scale: 1e-9}, {text: "us", scale: 1e-6}, {text: "ms", scale: 1e-3}, {text: "s", scale: 1},
		{"µs", 1e-6, true}, {"min", 60, true}, {"h", 3600, true}, {"d", 86400, true},
	}}
	tokens = quantity{name: "number of tokens", min: 1, max: 1 << 30, whole: true, suffixes: []suffix{
		{text: "", scale: 1}, {text: "k", scale: 1 << 10}, {text: "M", scale: 1 << 20},
	}}
)

// number splits a text into a decimal number and what follows. The exponent needs a digit, so that "1EB" has none.
var number = regexp.MustCompile(`^([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?) ?(.*)$`)

// parse reads text as a number with one of q's suffixes.
func (q *quantity) parse(text string) (float64, error) {
	m := number.FindStringSubmatch(text)
	if m == nil {
		return 0, fmt.Errorf("%q is not a %s: want a number with a suffix (%s)", text, q.name, q.list())
	}
	scale, near := 0.0, ""
	for _, s := range q.suffixes {
		if s.text == m[2] {
			scale = s.scale
		} else if strings.EqualFold(s.text, m[2]) {
			near = fmt.Sprintf("; did you mean %s%s?", m[1], s.text)
		}
	}
	switch {
	case scale == 0 && m[2] == "":
		return 0, fmt.Errorf("%s %s needs a suffix: %s", q.name, text, q.list())
	case scale == 0:
		return 0, fmt.Errorf("%s %q has the unknown suffix %q (%s)%s", q.name, text, m[2], q.list(), near)
	}
	v, err := strconv.ParseFloat(m[1], 64)
	if err != nil && v == 0 {
		return 0, fmt.Errorf("%q is not a %s", text, q.name)
	}
	// Divide by powers of ten below one: 3 * 1e-9 is not the number nearest to 3e-9, 3 / 1e9 is.
	if scale < 1 {
		v /= math.Round(1 / scale)
	} else {
		v *= scale
	}
	if r := math.Round(v); q.whole && math.Abs(v-r) <= 1e-9*math.Abs(v) {
		v = r // 8.7GB is whole although 8.7 is not a binary fraction
	}
	switch {
	case v <= 0:
		return 0, fmt.Errorf("%s %s must be positive", q.name, text)
	case v < q.min || v > q.max:
		return 0, fmt.Errorf("%s %s is outside the range %s to %s", q.name, text, q.format(q.min), q.format(q.max))
	case q.whole && v != math.Trunc(v):
		return 0, fmt.Errorf("%s %s is not a whole number", q.name, text)
	}
	return v, nil
}

// format writes v with the suffix that makes the shortest text, the larger suffix among equals.
func (q *quantity) format(v float64) string {
	if v == 0 {
		return "0" // a flag not set; pflag then shows no default
	}
	best := ""
	for _, s := range q.suffixes {
		scaled := v / s.scale
		if s.scale < 1 {
			scaled = v * math.Round(1/s.scale)
		}
		if s.parsed || (scaled < 1 && best != "") {
			continue
		}
		text := strconv.FormatFloat(scaled, 'f', -1, 64) + s.text
		if back, err := q.parse(text); err != nil || back != v {
			continue
		}
		if best == "" || len(text) <= len(best) {
			best = text
		}
	}
	if best == "" { // out of range
		best = fmt.Sprintf("%g%s", v/q.suffixes[0].scale, q.suffixes[0].text)
	}
	return best
}

func (q *quantity) list() string {
	var names []string
	for _, s := range q.suffixes {
		if s.text != "" {
			names = append(names, s.text)
		}
	}
	return strings.Join(names, ", ")
}

// ParseBandwidth reads a bandwidth such as "10Gbps" (bit/s) or "1.25GB/s".
func ParseBandwidth(s string) (BitsPerSecond, error) {
	v, err := bandwidth.parse(s)
	return BitsPerSecond(v), err
}

// FormatBandwidth writes v with the suffix that makes the shortest exact text.
func FormatBandwidth(v BitsPerSecond) string { return bandwidth.format(float64(v)) }

func (v *BitsPerSecond) UnmarshalText(b []byte) error { return v.Set(string(b)) }
func (v *BitsPerSecond) Set(s string) error           { return set(v, s, ParseBandwidth) }
func (v BitsPerSecond) String() string                { return FormatBandwidth(v) }
func (v BitsPerSecond) Type() string                  { return bandwidth.name }

// ParseBytes reads a size in bytes such as "80GB" or "8GiB".
func ParseBytes(s string) (Bytes, error) { v, err := size.parse(s); return Bytes(v), err }

// FormatBytes writes v with the suffix that makes the shortest exact text.
func FormatBytes(v Bytes) string { return size.format(float64(v)) }

func (v *Bytes) UnmarshalText(b []byte) error { return v.Set(string(b)) }
func (v *Bytes) Set(s string) error           { return set(v, s, ParseBytes) }
func (v Bytes) String() string                { return FormatBytes(v) }
func (v Bytes) Type() string                  { return size.name }

// ParseFrequency reads a frequency such as "1GHz".
func ParseFrequency(s string) (Hertz, error) { v, err := frequency.parse(s); return Hertz(v), err }

// FormatFrequency writes v with the suffix that makes the shortest exact text.
func FormatFrequency(v Hertz) string { return frequency.format(float64(v)) }

func (v *Hertz) UnmarshalText(b []byte) error { return v.Set(string(b)) }
func (v *Hertz) Set(s string) error           { return set(v, s, ParseFrequency) }
func (v Hertz) String() string                { return FormatFrequency(v) }
func (v Hertz) Type() string                  { return frequency.name }

// ParseDecibels reads a ratio of powers such as "20dB".
func ParseDecibels(s string) (Decibels, error) { v, err := ratio.parse(s); return Decibels(v), err }

// FormatDecibels writes v with its suffix.
func FormatDecibels(v Decibels) string { return ratio.format(float64(v)) }

func (v *Decibels) UnmarshalText(b []byte) error { return v.Set(string(b)) }
func (v *Decibels) Set(s string) error           { return set(v, s, ParseDecibels) }
func (v Decibels) String() string                { return FormatDecibels(v) }
func (v Decibels) Type() string                  { return ratio.name }

// ParseSeconds reads a time such as "5us" or "1.5h".
func ParseSeconds(s string) (Seconds, error) { v, err := duration.parse(s); return Seconds(v), err }

// FormatSeconds writes v with the suffix that makes the shortest exact text.
func FormatSeconds(v Seconds) string { return duration.format(float64(v)) }

func (v *Seconds) UnmarshalText(b []byte) error { return v.Set(string(b)) }
func (v *Seconds) Set(s string) error           { return set(v, s, ParseSeconds) }
func (v Seconds) String() string                { return FormatSeconds(v) }
func (v Seconds) Type() string                  { return duration.name }

// ParseTokens reads a number of tokens such as "4096" or "128k" (131 072).
func ParseTokens(s string) (Tokens, error) { v, err := tokens.parse(s); return Tokens(v), err }

// FormatTokens writes v with the suffix that makes the shortest exact text.
func FormatTokens(v Tokens) string { return tokens.format(float64(v)) }

func (v *Tokens) UnmarshalText(b []byte) error { return v.Set(string(b)) }
func (v *Tokens) Set(s string) error           { return set(v, s, ParseTokens) }
func (v Tokens) String() string                { return FormatTokens(v) }
func (v Tokens) Type() string                  { return tokens.name }

// set leaves v alone unless s parses.
func set[T any](v *T, s string, parse func(string) (T, error)) error {
	x, err := parse(s)
	if err == nil {
		*v = x
	}
	return err
}
