package presets

import (
	"math"
	"strings"
	"testing"

	"vcsim/cluster"
	"vcsim/internal/baseline"
	"vcsim/internal/codecpoint"
)

// options are those of a job on a GPU whose kernels reach half of 1000 GB/s.
func options(t *testing.T) *CodecOptions {
	t.Helper()
	table, err := Engines()
	if err != nil {
		t.Fatal(err)
	}
	return &CodecOptions{Bits: cluster.UniformBits(5), Point: codecpoint.Options{Table: table, Instances: codecpoint.TableInstances, Video: codecpoint.Video{Encoders: 1}},
		GPU: &cluster.GPU{MemGBPerS: 1000}, Eff: &cluster.Efficiency{MemoryFraction: 0.5}}
}

// TestAlternatives: bits are those of the format with its scales, kernels take the bytes that they move, and each has its source and
// a word on accuracy.
func TestAlternatives(t *testing.T) {
	o := options(t)
	for name, want := range map[string]struct{ bits, encode, decode float64 }{ // Gbps of payload, from 500 GB/s over the bytes of a value
		"nvfp4":      {4.5, 16 * 500 / (4 + 4.5/8), 16 * 500 / (2 + 4.5/8)},
		"mxfp4":      {4.25, 16 * 500 / (2 + 4.25/8), 16 * 500 / (2 + 4.25/8)},
		"mxfp8":      {8.25, 16 * 500 / (2 + 8.25/8), 16 * 500 / (2 + 8.25/8)},
		"fp8":        {8, 16 * 500 / (4 + 1.), 16 * 500 / (2 + 1.)},
		"fp8-block":  {8.25, 16 * 500 / (2 + 8.25/8), 16 * 500 / (2 + 8.25/8)},
		"rtn-3-g128": {3.125, 16 * 500 / (2 + 3.125/8), 16 * 500 / (2 + 3.125/8)},
	} {
		c, err := o.Codec(name)
		if err != nil {
			t.Fatal(err)
		}
		for class, b := range c.Bits {
			if math.Abs(b-want.bits) > 1e-9 {
				t.Errorf("%s: %v bits for %v, want %v", name, b, cluster.Class(class), want.bits)
			}
		}
		if math.Abs(float64(c.EncodeBPS)/1e9/want.encode-1) > 1e-9 || math.Abs(float64(c.DecodeBPS)/1e9/want.decode-1) > 1e-9 || !c.Serial || c.HasArea || c.Name != name {
			t.Errorf("%s: %+v, want %v and %v Gbps one after the other", name, c, want.encode, want.decode)
		}
	}
	for _, name := range append(CodecNames(), Alternatives()...) {
		c, err := o.Codec(name)
		if err != nil || c.Source == "" || Accuracy(name) == "" || c.Name != name {
			t.Errorf("%s: %+v, %v, accuracy %q", name, c, err, Accuracy(name))
		}
	}
	if z, err := o.Codec("zeropp"); err != nil || !z.NodeCopy || z.Bits[cluster.Act] != 0 || z.Ratio(cluster.Param) < 1.9 || z.Ratio(cluster.Grad) < 3.8 {
		t.Errorf("zeropp: %+v, %v", z, err)
	}
	if l, err := o.Codec("lmc"); err != nil || math.Abs(l.Ratio(cluster.Param)-1.507) > 1e-9 || l.Instances < 1 {
		t.Errorf("lmc: %+v, %v", l, err)
	}
}

// TestLike: a codec at the bits of a format has its rates and the format's bits, one at its error fewer bits than the format.
func TestLike(t *testing.T) {
	o := options(t)
	t265, err := o.Codec("t265-paper")
	if err != nil {
		t.Fatal(err)
	}
	same, err := o.Codec("t265-paper=nvfp4")
	if err != nil || same.Bits != cluster.UniformBits(16/4.5) || same.EncodeBPS != t265.EncodeBPS || !same.HasArea || !strings.Contains(same.Basis, "bits of nvfp4") {
		t.Errorf("equal bits: %+v, %v", same, err)
	}
	for name, bits := range equalError {
		c, err := o.Codec(strings.Replace(name, "t265@", "t265-paper@", 1))
		if err != nil || c.Bits != bits || !strings.Contains(c.Basis, "error of") || !strings.Contains(Accuracy(name), "error as") {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
		f, err := baseline.Lookup(name[strings.IndexByte(name, '@')+1:])
		if err != nil {
			t.Fatal(err)
		}
		for class, b := range bits {
			if !(b > 2 && b < f.Nominal()) {
				t.Errorf("%s needs %v bits for %v, the format has %v", name, b, cluster.Class(class), f.Nominal())
			}
		}
	}
	for name, want := range map[string]string{"t265-paper@nvfp5": "unknown format", "t265-paper@fp8": "were not measured", "rtn-4=nvfp4": "sets its bits itself", "t266=nvfp4": "unknown codec",
		"rtn-9-g4": "1 to 8 bits", "nvfp44": "did you mean nvfp4?"} {
		if c, err := o.Codec(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %+v, %v, want %q", name, c, err, want)
		}
	}
	o.GPU = nil
	for _, name := range []string{"nvfp4", "zeropp", "lmc"} {
		if _, err := o.Codec(name); err == nil || !strings.Contains(err.Error(), "is of training") {
			t.Errorf("%s without a GPU: %v", name, err)
		}
	}
}
