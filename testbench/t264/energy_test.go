package t264

import (
	"fmt"
	"testing"

	"vcsim/energy"
	"vcsim/internal/netlist"
	"vcsim/t264"
	"vcsim/t264/hwdec"
	"vcsim/t264/hwenc"
	"vcsim/testbench/gates"
)

// energyTops returns encoder and decoder as they are measured.
func energyTops(t testing.TB) []gates.EnergyTop {
	words := fmt.Sprintf("enc %+v, dec %+v", energyEncSpec, energyDecSpec)
	return []gates.EnergyTop{
		{Side: energy.T264Encoder, Lanes: 24, Words: words, Load: loadEnc, Bench: func(c *gates.EnergyCase) gates.Bench { return energyEnc(t, encSpecOf(c), c.Gate) }},
		{Side: energy.T264Decoder, Lanes: 16, Words: words, Load: loadDec, Bench: func(c *gates.EnergyCase) gates.Bench { return energyDec(t, decSpecOf(c), c.Gate) }},
	}
}

func encSpecOf(c *gates.EnergyCase) hwenc.Spec {
	spec := energyEncSpec
	spec.Lanes, spec.Threads = c.Lanes, c.Lanes
	return spec
}

func decSpecOf(c *gates.EnergyCase) hwdec.Spec {
	spec := energyDecSpec
	spec.Lanes = c.Lanes
	return spec
}

// code codes frames in software and counts their bins.
func code(frames *[netlist.Lanes][]gates.EnergyFrame) (load *gates.EnergyLoad, streams [netlist.Lanes][][]hwdec.Slice, err error) {
	first := &frames[0][0]
	e, err := t264.NewEncoder(t264.Params{Width: first.Width, Height: first.Height})
	if err != nil {
		return nil, streams, err
	}
	load = new(gates.EnergyLoad)
	var all t264.Stats
	for k := range frames {
		for _, f := range frames[k] {
			stream, err := e.AppendFrameFine(e.AppendHeader(nil), f.Pix, f.Stride, f.QP16)
			if err != nil {
				return nil, streams, err
			}
			slices, err := hwdec.Slices(stream)
			if err != nil {
				return nil, streams, err
			}
			for i := range slices {
				load.Bytes += len(slices[i].Data)
			}
			streams[k] = append(streams[k], slices)
			stats := e.Stats()
			all.Add(&stats)
		}
	}
	load.LevelBins, load.SignBins = all.Bins[t264.ElemAbsPrefix]+all.Bins[t264.ElemAbsSuffix], all.Bins[t264.ElemSign]
	load.MapBins, load.Coded = all.Regular()+all.BypassBins()-load.LevelBins-load.SignBins, all.CodedSamples()
	return load, streams, nil
}

func loadEnc(c *gates.EnergyCase, frames *[netlist.Lanes][]gates.EnergyFrame) (*gates.EnergyLoad, error) {
	load, _, err := code(frames)
	if err != nil {
		return nil, err
	}
	spec := encSpecOf(c)
	var hosts [netlist.Lanes]*hwenc.Host
	for k := range hosts {
		if hosts[k], err = hwenc.NewHost(spec); err != nil {
			return nil, err
		}
		var list []hwenc.Frame
		for _, f := range frames[k] {
			list = append(list, hwenc.Frame{Pix: f.Pix, Stride: f.Stride, Width: f.Width, Height: f.Height, QP16: f.QP16})
		}
		if err := hosts[k].Begin(list); err != nil {
			return nil, err
		}
		load.Models[k] = &encHostModel{host: hosts[k], spec: spec, want: make([][]byte, len(list))}
	}
	load.Counts = func(k int) (samples, bits uint64) { return hosts[k].Activity.Values, 8 * hosts[k].Activity.Bytes }
	return load, nil
}

func loadDec(c *gates.EnergyCase, frames *[netlist.Lanes][]gates.EnergyFrame) (*gates.EnergyLoad, error) {
	load, streams, err := code(frames)
	if err != nil {
		return nil, err
	}
	var hosts [netlist.Lanes]*hwdec.Host
	for k := range hosts {
		if hosts[k], err = hwdec.NewHost(decSpecOf(c)); err != nil {
			return nil, err
		}
		if err := hosts[k].Begin(streams[k]); err != nil {
			return nil, err
		}
		load.Models[k] = &decHostModel{host: hosts[k], want: make([]t264.Picture, len(streams[k]))}
	}
	load.Counts = func(k int) (samples, bits uint64) { return hosts[k].Activity.Values, 8 * hosts[k].Activity.Bytes }
	return load, nil
}

// TestEnergyData measures the tops on planes and writes the tables of energy.
func TestEnergyData(t *testing.T) {
	for _, top := range energyTops(t) {
		t.Run(string(top.Side), top.Measure)
	}
}
