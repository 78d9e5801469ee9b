package simrun

import (
	"math/rand/v2"
	"testing"

	"vcsim/internal/tensorcodec"
)

// TestActivity: bins add up to those that the encoder counted; a plane of one value has no coded sample and moves in its first column
// alone, and noise at a fine step is coded whole; jobs add up.
func TestActivity(t *testing.T) {
	for _, codec := range []Codec{T264, T265} {
		t.Run(codec.String(), func(t *testing.T) { testActivity(t, codec) })
	}
}

func testActivity(t *testing.T, in Codec) {
	const w, h = 40, 24 // a frame of 48x32 samples with padding
	rng := rand.New(rand.NewPCG(17, 1))
	job := func(qp float64, value func(x, y int) byte) *Job {
		t.Helper()
		plane := make([]byte, w*h)
		for i := range plane {
			plane[i] = value(i%w, i/w)
		}
		grid, err := tensorcodec.NewGrid(w, h, w, h)
		if err != nil {
			t.Fatal(err)
		}
		codec, err := tensorcodec.Lookup(in.String())
		if err != nil {
			t.Fatal(err)
		}
		j, err := NewJob("plane", plane, grid, tensorcodec.Options{Codec: codec, Tier: "hw", Target: tensorcodec.Target{Kind: tensorcodec.TargetQP, Value: qp}})
		if err != nil {
			t.Fatal(err)
		}
		return j
	}
	flat := job(20, func(x, y int) byte { return 128 })
	noise := job(4, func(x, y int) byte { return byte(rng.IntN(256)) })
	bars := job(20, func(x, y int) byte { return byte(60 * (x / 2 % 2)) }) // every second sample moves
	moved := 0.0
	for i, v := range noise.Plane {
		if i%w == 0 || v != noise.Plane[i-1] {
			moved++
		}
	}
	const samples = 48 * 32
	var sum Activity
	for _, c := range []struct {
		name          string
		job           *Job
		coded, moving float64
	}{{"flat", flat, 0, samples / float64(w)}, {"noise", noise, -1, samples * moved / (w * h)}, {"bars", bars, -1, samples / 2}} {
		a, err := NewActivity([]*Job{c.job})
		if err != nil {
			t.Fatal(err)
		}
		bins := c.job.Coded.Bins
		if got := a.MapBins + a.LevelBins + a.SignBins; got != float64(bins.Regular+bins.Bypass) {
			t.Errorf("%s: %g bins, the encoder counted %d and %d", c.name, got, bins.Regular, bins.Bypass)
		}
		if c.coded >= 0 && a.Coded != c.coded || a.Coded > samples || a.Moving != c.moving {
			t.Errorf("%s: %+v", c.name, a)
		}
		sum.MapBins, sum.LevelBins, sum.SignBins, sum.Coded, sum.Moving, sum.Large = sum.MapBins+a.MapBins, sum.LevelBins+a.LevelBins, sum.SignBins+a.SignBins, sum.Coded+a.Coded, sum.Moving+a.Moving, sum.Large+a.Large
	}
	a, err := NewActivity([]*Job{noise})
	if err != nil || a.Coded < w*h || a.SignBins < w*h/2 || a.LevelBins < a.SignBins || a.MapBins < w*h {
		t.Errorf("noise: %+v, %v", a, err)
	}
	if all, err := NewActivity([]*Job{flat, noise, bars}); err != nil || all != sum {
		t.Errorf("together %+v, one by one %+v, %v", all, sum, err)
	}
	broken := *flat
	coded := *flat.Coded
	coded.Stream = map[Codec][]byte{T264: {0, 0, 1, 0x67, 1}, T265: {0, 0, 1, 0x42, 1, 1}}[in] // a sequence parameter set that ends
	broken.Coded = &coded
	if _, err := NewActivity([]*Job{&broken}); err == nil {
		t.Error("a broken stream counts")
	}
}
