package t265

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"vcsim/energy"
	"vcsim/internal/netlist"
	"vcsim/t265"
	"vcsim/t265/hwenc"
	"vcsim/testbench/gates"
)

// energyTop returns the encoder as it is measured.
func energyTop() *gates.EnergyTop {
	return &gates.EnergyTop{Side: energy.T265Encoder, Lanes: 18, Words: fmt.Sprintf("enc %+v", energySpec), Load: loadEnc, Bench: func(c *gates.EnergyCase) gates.Bench { return energyEnc(specOf(c), c.Gate) }}
}

func specOf(c *gates.EnergyCase) hwenc.Spec {
	spec := energySpec
	spec.Lanes, spec.Threads = c.Lanes, c.Lanes
	return spec
}

// loadEnc codes frames in software, which counts their bins, and gives them to hosts.
func loadEnc(c *gates.EnergyCase, frames *[netlist.Lanes][]gates.EnergyFrame) (*gates.EnergyLoad, error) {
	spec := specOf(c)
	first := &frames[0][0]
	e, err := t265.NewEncoder(t265.Params{Width: first.Width, Height: first.Height, CTU: spec.CTU, MaxTU: spec.MaxTU})
	if err != nil {
		return nil, err
	}
	load := new(gates.EnergyLoad)
	var hosts [netlist.Lanes]*hwenc.Host
	var all t265.Stats
	for k := range frames {
		var list []hwenc.Frame
		var want [][]byte
		for _, f := range frames[k] {
			stream, err := e.AppendFrameFine(e.AppendHeader(nil), f.Pix, f.Stride, f.QP16)
			if err != nil {
				return nil, err
			}
			slices, err := t265.Slices(stream)
			if err != nil {
				return nil, err
			}
			load.Bytes += len(slices[0].Data)
			stats := e.Stats()
			all.Add(&stats)
			list = append(list, hwenc.Frame{Pix: f.Pix, Stride: f.Stride, Width: f.Width, Height: f.Height, QP16: f.QP16})
			want = append(want, slices[0].Data)
		}
		if hosts[k], err = hwenc.NewHost(spec); err != nil {
			return nil, err
		}
		if err := hosts[k].Begin(list); err != nil {
			return nil, err
		}
		load.Models[k] = &encHostModel{host: hosts[k], spec: spec, want: want}
	}
	load.LevelBins, load.SignBins = all.Bins[t265.ElemRemaining], all.Bins[t265.ElemSign]
	load.MapBins = all.Regular() + all.BypassBins() - load.LevelBins - load.SignBins
	load.Coded, load.Large = all.CodedSamples(), all.LargeSamples()
	load.Counts = func(k int) (samples, bits uint64) { return hosts[k].Activity.Values, 8 * hosts[k].Activity.Bytes }
	return load, nil
}

// TestEnergyData measures the encoder on planes and writes the tables of its energy.
func TestEnergyData(t *testing.T) { energyTop().Measure(t) }

// TestEnergyLoad: a host that is measured codes its frames as the software does, which has counted all their bins and bytes.
func TestEnergyLoad(t *testing.T) {
	c := gates.EnergyCase{Lanes: 4, Width: 64, Frames: 1}
	rng := rand.New(rand.NewPCG(3, 1))
	pix := make([]byte, 96*96)
	for i := range pix {
		pix[i] = byte(128 + 20*rng.NormFloat64())
	}
	var frames [netlist.Lanes][]gates.EnergyFrame
	for k := range frames {
		for range c.Lanes {
			frames[k] = append(frames[k], gates.EnergyFrame{Pix: pix[96*rng.IntN(32)+rng.IntN(32):], Stride: 96, Width: 64, Height: 64, QP16: 16 * 26})
		}
	}
	load, err := loadEnc(&c, &frames)
	if err != nil {
		t.Fatal(err)
	}
	spec, in, out := specOf(&c), make([]uint64, len(encUnit.In)), make([]uint64, len(encUnit.Out))
	bytes := 0
	for k := range load.Models[:2] {
		m := load.Models[k].(*encHostModel)
		for done := false; !done; {
			if m.Cycle(in, out); m.host.Done() {
				if done, err = m.Done(); err != nil {
					t.Fatal(err)
				}
			}
		}
		samples, bits := load.Counts(k)
		if m.spec != spec || samples != 4*64*64 || bits == 0 {
			t.Errorf("run %d: %d samples and %d bits of %+v", k, samples, bits, m.spec)
		}
		bytes += int(bits / 8)
	}
	bins := load.MapBins + load.LevelBins + load.SignBins
	if part := float64(bytes) / float64(load.Bytes) * netlist.Lanes / 2; part < .97 || part > 1.03 || bins < 8*int64(load.Bytes) || bins > 16*int64(load.Bytes) || load.Coded < 64*4*60*60 || load.LevelBins == 0 || load.SignBins == 0 {
		t.Errorf("%d bytes of two runs, %d in all, bins %d, %d and %d, %d coded samples", bytes, load.Bytes, load.MapBins, load.LevelBins, load.SignBins, load.Coded)
	}
}
