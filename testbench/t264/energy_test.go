package t264

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"vcsim/energy"
	"vcsim/internal/netlist"
	"vcsim/t264"
	"vcsim/t264/hwdec"
	"vcsim/t264/hwenc"
	"vcsim/testbench"
	"vcsim/testbench/gates"
)

// An energyCase is a top, and the frames that it is driven with.
type energyCase struct {
	gate    int // least number of flip-flops of a clock gate, 0 for none
	encoder int // lanes
	decoder int // lanes
	width   int // of the frames
	frames  int // for each lane
	group   string
	planes  []string // of the data folder
	qps     []int    // in 1/16
	window  gates.Window
}

// energyHeight is that of all frames.
const energyHeight = energy.MeasuredFrame

// QPs in 1/16 for a standard deviation of 20 codes: about 6, 3 and 1.5 bits a value.
var energyQPs = []int{14 * 16, 25 * 16, 33 * 16}

// energyCases are what is measured. The model is fitted on the first, and on one plane with all lanes, which tells what lanes add to the
// units that they share. Its error is that on the planes of the others.
//
// A macroblock of 6 bits a value keeps a lane for 2000 cycles: so long are the spread of the windows and what they count at least. Before,
// the contexts of all lanes are set, and the first row of macroblocks, which has nothing above it, is over.
func energyCases() []energyCase {
	base := energyCase{gate: energy.Gated, encoder: energy.MeasuredLanes, decoder: energy.MeasuredLanes, width: energy.MeasuredFrame, frames: 8, qps: energyQPs,
		window: gates.Window{Warm: 7168, Spread: 2048, Cycles: 4096}}
	fit, held, lanes, more, wide, free := base, base, base, base, base, base
	fit.group, fit.planes = energy.GroupFit, []string{"w_k1", "act_b4c", "g_k1", "gauss"}
	held.group, held.planes = energy.GroupHeld, []string{"w_down3", "v3", "actgrad_b2", "adam_v1"}
	all := gates.Window{Warm: 5120, Spread: 2048, Cycles: 2048}
	lanes.group, lanes.planes, lanes.encoder, lanes.decoder, lanes.frames, lanes.window = energy.GroupFit, []string{"w_k1"}, 24, 16, 2, all
	more.group, more.planes, more.encoder, more.decoder, more.frames, more.window = energy.GroupHeld, []string{"v3", "actgrad_b2"}, 24, 16, 2, all
	wide.group, wide.planes, wide.width, wide.frames, wide.qps, wide.window.Warm = energy.GroupHeld, []string{"v3", "actgrad_b2"}, 256, 2, energyQPs[1:2], 12288
	more.qps = energyQPs[1:2]
	free.gate, free.group, free.planes, free.qps = 0, energy.GroupHeld, []string{"v3", "actgrad_b2"}, energyQPs[1:]
	idle, flat := fit, fit // hardly a bit: lanes wait for the pixel path
	idle.planes, idle.qps = []string{"g_k1"}, []int{45 * 16}
	flat.planes, flat.qps = []string{flatPlane}, []int{33 * 16}
	return []energyCase{fit, idle, flat, held, lanes, more, wide, free}
}

func (c *energyCase) encSpec() hwenc.Spec {
	spec := energyEncSpec
	spec.Lanes, spec.Threads = c.encoder, c.encoder
	return spec
}

func (c *energyCase) decSpec() hwdec.Spec {
	spec := energyDecSpec
	spec.Lanes = c.decoder
	return spec
}

// lanes returns those of a side.
func (c *energyCase) lanes(side energy.Side) int {
	if side == energy.T264Encoder {
		return c.encoder
	}
	return c.decoder
}

func (c *energyCase) bench(t testing.TB, side energy.Side) gates.Bench {
	if side == energy.T264Encoder {
		return energyEnc(t, c.encSpec(), c.gate)
	}
	return energyDec(t, c.decSpec(), c.gate)
}

// energyHead is what stands before the rows.
func energyHead(t testing.TB, n *gates.Netlist) []string {
	t.Helper()
	version, err := exec.Command("yosys", "-V").Output()
	if err != nil {
		t.Fatal(err)
	}
	hash, err := energy.RTLHash(testbench.Root(), "t264")
	if err != nil {
		t.Fatal(err)
	}
	return []string{"make energy wrote this: toggles of mapped netlists of the tops times liberty, 64 stimuli side by side",
		"rtl " + hash, "tool " + strings.Join(strings.Fields(string(version))[:2], " "), "cells " + n.Source.Set + ", liberty " + n.Source.Hash,
		fmt.Sprintf("tops enc %+v, dec %+v", energyEncSpec, energyDecSpec)}
}

// cut returns frames at random places of a plane, by run.
func (c *energyCase) cut(p *picture, qp, threads int) (list [netlist.Lanes][]hwenc.Frame) {
	rng := rand.New(rand.NewPCG(7, uint64(qp)))
	for k := range list {
		for range threads * c.frames {
			x, y := rng.IntN(p.w-c.width+1), rng.IntN(p.h-energyHeight+1)
			list[k] = append(list[k], hwenc.Frame{Pix: p.pix[y*p.w+x:], Stride: p.w, Width: c.width, Height: energyHeight, QP16: qp})
		}
	}
	return list
}

// An energyRun is a top joined to 64 hosts with frames of a plane.
type energyRun struct {
	*gates.Run
	counts func(run int) energyCounts // of a host, so far
	stats  t264.Stats                 // of all frames
	values int64                      // in these
	moving int64                      // of the values
	bytes  int64
}

// energyCounts are samples and bits.
type energyCounts struct{ samples, bits uint64 }

// run codes the frames of all runs in software, too, which counts their bins.
func (c *energyCase) run(side energy.Side, b *gates.Bench, sim *netlist.Sim, p *picture, qp int) (*energyRun, error) {
	e, err := t264.NewEncoder(t264.Params{Width: c.width, Height: energyHeight})
	if err != nil {
		return nil, err
	}
	var r energyRun
	frames := c.cut(p, qp, c.lanes(side))
	var streams [netlist.Lanes][][]hwdec.Slice
	for k := range frames {
		for _, f := range frames[k] {
			stream, err := e.AppendFrameFine(e.AppendHeader(nil), f.Pix, f.Stride, f.QP16)
			if err != nil {
				return nil, err
			}
			slices, err := hwdec.Slices(stream)
			if err != nil {
				return nil, err
			}
			for i := range slices {
				r.bytes += int64(len(slices[i].Data))
			}
			streams[k] = append(streams[k], slices)
			stats := e.Stats()
			r.stats.Add(&stats)
			r.values += int64(f.Width * f.Height)
			for y := range f.Height {
				row := f.Pix[y*f.Stride:][:f.Width]
				for x, v := range row {
					if x == 0 || v != row[x-1] {
						r.moving++
					}
				}
			}
		}
	}
	var models [netlist.Lanes]testbench.Model
	if side == energy.T264Encoder {
		var hosts [netlist.Lanes]*hwenc.Host
		for k := range hosts {
			if hosts[k], err = hwenc.NewHost(c.encSpec()); err != nil {
				return nil, err
			}
			if err := hosts[k].Begin(frames[k]); err != nil {
				return nil, err
			}
			models[k] = &encHostModel{host: hosts[k], spec: c.encSpec(), want: make([][]byte, len(frames[k]))}
		}
		r.counts = func(k int) energyCounts { return energyCounts{hosts[k].Activity.Values, 8 * hosts[k].Activity.Bytes} }
	} else {
		var hosts [netlist.Lanes]*hwdec.Host
		for k := range hosts {
			if hosts[k], err = hwdec.NewHost(c.decSpec()); err != nil {
				return nil, err
			}
			if err := hosts[k].Begin(streams[k]); err != nil {
				return nil, err
			}
			models[k] = &decHostModel{host: hosts[k], want: make([]t264.Picture, len(streams[k]))}
		}
		r.counts = func(k int) energyCounts { return energyCounts{hosts[k].Activity.Values, 8 * hosts[k].Activity.Bytes} }
	}
	r.Run, err = gates.NewRun(b, sim, func(k int) testbench.Model { return models[k] })
	return &r, err
}

// TestEnergyData measures the tops on planes and writes the tables of energy, by top, and the accesses of memories beside each.
func TestEnergyData(t *testing.T) {
	if os.Getenv("VCSIM_ENERGY") != "1" {
		t.Skip("make energy runs it")
	}
	gates.NeedCells(t)
	for _, side := range []energy.Side{energy.T264Encoder, energy.T264Decoder} {
		t.Run(string(side), func(t *testing.T) { measureSide(t, side) })
	}
}

func measureSide(t *testing.T, side energy.Side) {
	var rows, memories [][]string
	var head []string
	for _, c := range energyCases() {
		b := c.bench(t, side)
		n, err := b.Netlist()
		if err != nil {
			t.Fatal(err)
		}
		head = energyHead(t, n)
		for _, plane := range c.planes {
			p := readPlane(t, plane)
			for _, qp := range c.qps {
				m := c.measure(t, side, &b, n, p, qp)
				key := []string{strconv.Itoa(c.gate), strconv.Itoa(c.lanes(side)), strconv.Itoa(c.width), plane, strconv.Itoa(qp)}
				total := 0.0
				for _, u := range m.units {
					row := append(key[:len(key):len(key)], c.group, u.Unit, strconv.Itoa(u.Instances))
					for _, v := range []float64{m.cycles, m.samples, m.bits, m.mapBins, m.levelBins, m.signBins, m.coded, m.moving, u.Logic, u.State, u.Clock, u.Leakage} {
						row = append(row, number(v))
					}
					rows = append(rows, row)
					total += u.Logic + u.State + u.Clock + u.Leakage
				}
				for _, r := range m.memories {
					memories = append(memories, append(key[:len(key):len(key)], r.Path, r.Ports, strconv.Itoa(r.Width), strconv.Itoa(r.Depth), fmt.Sprint(r.Reads), fmt.Sprint(r.Writes)))
				}
				t.Logf("%s %s: %.2f bits a value, %.3f values a cycle, %.2f pJ a value, %.2f a cycle", side, strings.Join(key, " "), m.bits/m.samples, m.samples/m.cycles,
					total/1e3/m.samples, total/1e3/m.cycles)
			}
		}
	}
	key := []string{"gate", "lanes", "frame", "plane", "qp16"}
	writeRows(t, string(side)+".csv", head, append(key[:len(key):len(key)], "group", "unit", "instances", "cycles", "samples", "bits", "map_bins", "level_bins", "sign_bins", "coded_samples", "moving_samples",
		"logic_fj", "state_fj", "clock_fj", "leakage_fj"), rows)
	writeRows(t, string(side)+"_memories.csv", head, append(key[:len(key):len(key)], "memory", "ports", "width", "depth", "reads", "writes"), memories)
}

// A measurement is that of one plane at one QP, all runs together; see energy.Counters.
type measurement struct {
	units                                []gates.Sample
	memories                             []netlist.MemoryAccount
	cycles, samples, bits, coded, moving float64
	mapBins, levelBins, signBins         float64
}

func (c *energyCase) measure(t *testing.T, side energy.Side, b *gates.Bench, n *gates.Netlist, p *picture, qp int) (m measurement) {
	sim, err := netlist.NewSim(n.Design, n.Lib, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.run(side, b, sim, p, qp)
	if err != nil {
		t.Fatal(err)
	}
	var sum energyCounts
	m.units, m.memories, err = gates.Measure(r.Run, c.window, func(run int) {
		c := r.counts(run)
		sum.samples, sum.bits = sum.samples-c.samples, sum.bits-c.bits
	}, func(run int) {
		c := r.counts(run)
		sum.samples, sum.bits = sum.samples+c.samples, sum.bits+c.bits
	})
	if err != nil {
		t.Fatalf("%s: %v", side, err)
	}
	m.samples, m.bits, m.cycles = float64(sum.samples), float64(sum.bits), float64(sim.Cycles())
	// Bins go with bits, and coded blocks with samples, as in the frames as a whole.
	perBit, perSample := m.bits/float64(8*r.bytes), m.samples/float64(r.values)
	bins := &r.stats.Bins
	m.levelBins = perBit * float64(bins[t264.ElemAbsPrefix]+bins[t264.ElemAbsSuffix])
	m.signBins = perBit * float64(bins[t264.ElemSign])
	m.mapBins = perBit*float64(r.stats.Regular()+r.stats.BypassBins()) - m.levelBins - m.signBins
	m.moving = perSample * float64(r.moving)
	m.coded = perSample * float64(r.stats.CodedSamples())
	return m
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', 7, 64) }

// flatPlane is a plane of one value, which is in no file.
const flatPlane = "flat"

func readPlane(t testing.TB, name string) *picture {
	t.Helper()
	if name == flatPlane {
		return &picture{w: 256, h: 256, pix: bytes.Repeat([]byte{128}, 256*256)}
	}
	data, err := os.ReadFile(filepath.Join(testbench.Root(), "../shared/planes", name+".pgm"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the data folder ../shared has no such plane: ", err)
	} else if err != nil {
		t.Fatal(err)
	}
	var p picture
	if _, err := fmt.Sscanf(string(data[:min(len(data), 40)]), "P5\n%d %d\n255\n", &p.w, &p.h); err != nil {
		t.Fatal(err)
	}
	p.pix = data[len(data)-p.w*p.h:]
	return &p
}

func writeRows(t testing.TB, name string, comments, head []string, rows [][]string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(testbench.Root(), "energy"), 0o777); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(testbench.Root(), "energy", name))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range comments {
		fmt.Fprintf(f, "# %s\n", c)
	}
	w := csv.NewWriter(f)
	w.Write(head)
	w.WriteAll(rows)
	if err := w.Error(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
