package cluster

import (
	"math"
	"testing"

	"vcsim/cluster/collective"
)

// The rate of a long message by the channel that the codec makes.
func TestChannelRate(t *testing.T) {
	const link = 1e9 // bytes/s
	n := collective.FlatNetwork(link)
	links := collective.DefaultLinkConstants()
	f, err := collective.NewFabric(&n, &links, collective.Derate{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		codec Codec
		want  float64
		coded bool
	}{
		{"none", Codec{}, link, false},
		{"ideal", Codec{Bits: UniformBits(5)}, 5 * link, true},
		{"codec-bound", Codec{Bits: UniformBits(5), EncodeBPS: 16e9, DecodeBPS: 24e9}, 2 * link, true},
		{"instances add up", Codec{Bits: UniformBits(5), EncodeBPS: 16e9, DecodeBPS: 24e9, Instances: 2}, 4 * link, true},
		{"barely slower than the link", Codec{Bits: UniformBits(5), EncodeBPS: 7.9e9, DecodeBPS: 80e9}, link, false},
		{"slower, auto", Codec{Bits: UniformBits(5), EncodeBPS: 4e9, DecodeBPS: 80e9}, link, false},
		{"slower, never bypassed", Codec{Bits: UniformBits(5), EncodeBPS: 4e9, DecodeBPS: 80e9, Bypass: BypassNever}, link / 2, true},
		{"always bypassed", Codec{Bits: UniformBits(5), Bypass: BypassAlways}, link, false},
		{"serial", Codec{Bits: UniformBits(4), EncodeBPS: 32e9, DecodeBPS: 32e9, Serial: true}, 1 / (0.25 + 0.25 + 0.25) * link, true},
	} {
		ch := c.codec.channel(Grad)
		const v = 1e18 // latencies do not count
		s, sent := testPlan(&f, collective.SendRecv, collective.Group{N: 2, Stride: 1}, &ch).Message(v)
		if got, coded := v/s, sent.Coded == v; !near(got, c.want, 1e-4) || coded != c.coded {
			t.Errorf("%s: %v B/s, coded %v; want %v, %v", c.name, got, coded, c.want, c.coded)
		}
	}
}

// The neutral points of the paper's codecs, derived in closed form.
func TestCrossover(t *testing.T) {
	t265 := Codec{EncodeBPS: 100e9 / 13, DecodeBPS: 100e9 / 13, Instances: 13}
	nvenc := Codec{EncodeBPS: 14.4e9, DecodeBPS: 17.6e9}
	serial := t265
	serial.Serial = true
	slow := nvenc
	slow.Serial = true
	for _, c := range []struct {
		name        string
		codec       Codec
		cross, knee float64
	}{
		{"t265", t265, 100e9, 20e9}, {"nvenc", nvenc, 14.4e9, 2.88e9},
		{"t265 serial", serial, 40e9, 0}, {"nvenc serial", slow, 6.336e9, 0},
		{"ideal", Codec{}, math.Inf(1), math.Inf(1)},
	} {
		cross, knee := c.codec.Crossover(5)
		if cross != c.cross && !near(cross, c.cross, 1e-9) || knee != c.knee && !near(knee, c.knee, 1e-9) {
			t.Errorf("%s: crossover %v, knee %v; want %v, %v", c.name, cross, knee, c.cross, c.knee)
		}
	}
}

// TestClassRates: a class goes at its own rate, and crossover and knee are those of the classes.
func TestClassRates(t *testing.T) {
	c := Codec{Name: "c", Bits: Bits{Grad: 2, Act: 8}, EncodeBPS: 10e9, DecodeBPS: 20e9, Instances: 2}
	c.ClassEncodeBPS[Grad], c.ClassDecodeBPS[Grad] = 80e9, 60e9
	if got := c.channel(Grad); got.Encode != 160e9/8 || got.Decode != 120e9/8 {
		t.Errorf("gradients: %+v", got)
	}
	if got := c.channel(Act); got.Encode != 20e9/8 || got.Decode != 40e9/8 {
		t.Errorf("activations: %+v", got)
	}
	// Gradients of ratio 8 at 120 Gbps, activations of ratio 2 at 20 Gbps.
	if crossover, knee := c.Crossover(4); crossover != 120e9 || knee != 10e9 {
		t.Errorf("crossover %g, knee %g, want 120e9 and 10e9", crossover, knee)
	}
	c.ClassDecodeBPS[Act] = -1
	if err := c.Validate(); err == nil {
		t.Error("a negative rate is accepted")
	}
}
