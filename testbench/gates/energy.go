package gates

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
	"vcsim/testbench"
)

// An EnergyTop is a top whose energy is measured.
type EnergyTop struct {
	Side  energy.Side
	Lanes int    // of the larger top; the smaller one has energy.MeasuredLanes
	Words string // what the smaller top is, for the tables
	Bench func(c *EnergyCase) Bench
	Load  func(c *EnergyCase, frames *[netlist.Lanes][]EnergyFrame) (*EnergyLoad, error)
}

// An EnergyFrame is a frame cut from a plane.
type EnergyFrame struct {
	Pix                   []byte
	Stride, Width, Height int
	QP16                  int
}

// An EnergyLoad drives the 64 runs of a top. The software has coded all frames, which tells their bins and the samples of blocks with levels; see
// energy.Counters.
type EnergyLoad struct {
	Models                                     [netlist.Lanes]testbench.Model
	Counts                                     func(run int) (samples, bits uint64) // of a host, so far
	Bytes                                      int                                  // of the slices of all frames
	MapBins, LevelBins, SignBins, Coded, Large int64
}

// An EnergyCase is a top, and the frames that it is driven with.
type EnergyCase struct {
	Gate   int // least number of flip-flops of a clock gate, 0 for none
	Lanes  int
	Width  int // of the frames
	Frames int // for each lane
	Group  string
	Planes []string // of the data folder
	QPs    []int    // in 1/16
	Window Window
}

// energyHeight is that of all frames.
const energyHeight = energy.MeasuredFrame

// QPs in 1/16 for a standard deviation of 20 codes: about 6, 3 and 1.5 bits a value.
var energyQPs = []int{14 * 16, 25 * 16, 33 * 16}

// Cases are what is measured. The model is fitted on the first, and on one plane with all lanes, which tells what lanes add to the units that they
// share. Its error is that on the planes of the others.
//
// A macroblock of 6 bits a value keeps a lane for 2000 cycles: so long are the spread of the windows and what they count at least. Before, the contexts
// of all lanes are set, and the first row of macroblocks, which has nothing above it, is over.
func (top *EnergyTop) Cases() []EnergyCase {
	base := EnergyCase{Gate: energy.Gated, Lanes: energy.MeasuredLanes, Width: energy.MeasuredFrame, Frames: 8, QPs: energyQPs, Window: Window{Warm: 7168, Spread: 2048, Cycles: 4096}}
	fit, held, lanes, more, wide, free := base, base, base, base, base, base
	fit.Group, fit.Planes = energy.GroupFit, []string{"w_k1", "act_b4c", "g_k1", "gauss"}
	held.Group, held.Planes = energy.GroupHeld, []string{"w_down3", "v3", "actgrad_b2", "adam_v1"}
	all := Window{Warm: 5120, Spread: 2048, Cycles: 2048}
	lanes.Group, lanes.Planes, lanes.Lanes, lanes.Frames, lanes.Window = energy.GroupFit, []string{"w_k1"}, top.Lanes, 2, all
	more.Group, more.Planes, more.Lanes, more.Frames, more.Window = energy.GroupHeld, []string{"v3", "actgrad_b2"}, top.Lanes, 2, all
	wide.Group, wide.Planes, wide.Width, wide.Frames, wide.QPs, wide.Window.Warm = energy.GroupHeld, []string{"v3", "actgrad_b2"}, 256, 2, energyQPs[1:2], 12288
	more.QPs = energyQPs[1:2]
	free.Gate, free.Group, free.Planes, free.QPs = 0, energy.GroupHeld, []string{"v3", "actgrad_b2"}, energyQPs[1:]
	idle, flat := fit, fit // hardly a bit: lanes wait for the pixel path
	idle.Planes, idle.QPs = []string{"g_k1"}, []int{45 * 16}
	flat.Planes, flat.QPs = []string{flatPlane}, []int{33 * 16}
	return []EnergyCase{fit, idle, flat, held, lanes, more, wide, free}
}

// flatPlane is a plane of one value, which is in no file.
const flatPlane = "flat"

// An energyPlane is one of the data folder.
type energyPlane struct {
	w, h int
	pix  []byte
}

func readPlane(t testing.TB, name string) *energyPlane {
	t.Helper()
	if name == flatPlane {
		return &energyPlane{256, 256, bytes.Repeat([]byte{128}, 256*256)}
	}
	data, err := os.ReadFile(filepath.Join(testbench.Root(), "../shared/planes", name+".pgm"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the data folder ../shared has no such plane: ", err)
	} else if err != nil {
		t.Fatal(err)
	}
	var p energyPlane
	if _, err := fmt.Sscanf(string(data[:min(len(data), 40)]), "P5\n%d %d\n255\n", &p.w, &p.h); err != nil {
		t.Fatal(err)
	}
	p.pix = data[len(data)-p.w*p.h:]
	return &p
}

// cut returns frames at random places of a plane, by run.
func (c *EnergyCase) cut(p *energyPlane, qp int) (list [netlist.Lanes][]EnergyFrame) {
	rng := rand.New(rand.NewPCG(7, uint64(qp)))
	for k := range list {
		for range c.Lanes * c.Frames {
			x, y := rng.IntN(p.w-c.Width+1), rng.IntN(p.h-energyHeight+1)
			list[k] = append(list[k], EnergyFrame{Pix: p.pix[y*p.w+x:], Stride: p.w, Width: c.Width, Height: energyHeight, QP16: qp})
		}
	}
	return list
}

// head is what stands before the rows.
func (top *EnergyTop) head(t testing.TB, n *Netlist) []string {
	t.Helper()
	version, err := exec.Command("yosys", "-V").Output()
	if err != nil {
		t.Fatal(err)
	}
	hash, err := energy.RTLHash(testbench.Root(), top.Side)
	if err != nil {
		t.Fatal(err)
	}
	return []string{energy.Command + " wrote this: toggles of mapped netlists of the tops times liberty, 64 stimuli side by side", "rtl " + hash,
		"tool " + strings.Join(strings.Fields(string(version))[:2], " "), "cells " + n.Source.Set + ", liberty " + n.Source.Hash, "tops " + top.Words}
}

// Measure runs all cases of a top, every output compared with the model in every cycle, and writes its table of energy and that of the accesses of its
// memories.
func (top *EnergyTop) Measure(t *testing.T) {
	if os.Getenv("VCSIM_ENERGY") != "1" {
		t.Skip(energy.Command + " runs it")
	}
	NeedCells(t)
	var rows, memories [][]string
	for _, c := range top.Cases() {
		b := top.Bench(&c)
		n, err := b.Netlist()
		if err != nil {
			t.Fatal(err)
		}
		for _, plane := range c.Planes {
			p := readPlane(t, plane)
			for _, qp := range c.QPs {
				m := top.measure(t, &c, &b, n, p, qp)
				key := []string{strconv.Itoa(c.Gate), strconv.Itoa(c.Lanes), strconv.Itoa(c.Width), plane, strconv.Itoa(qp)}
				total := 0.0
				for _, u := range m.units {
					row := append(key[:len(key):len(key)], c.Group, u.Unit, strconv.Itoa(u.Instances))
					for _, v := range []float64{m.cycles, m.samples, m.bits, m.mapBins, m.levelBins, m.signBins, m.coded, m.moving, m.large, u.Logic, u.State, u.Clock, u.Leakage} {
						row = append(row, strconv.FormatFloat(v, 'g', 7, 64))
					}
					rows = append(rows, row)
					total += u.Logic + u.State + u.Clock + u.Leakage
				}
				for _, r := range m.memories {
					memories = append(memories, append(key[:len(key):len(key)], r.Path, r.Ports, strconv.Itoa(r.Width), strconv.Itoa(r.Depth), fmt.Sprint(r.Reads), fmt.Sprint(r.Writes)))
				}
				t.Logf("%s %s: %.2f bits a value, %.3f values a cycle, %.2f pJ a value, %.2f a cycle", top.Side, strings.Join(key, " "), m.bits/m.samples, m.samples/m.cycles,
					total/1e3/m.samples, total/1e3/m.cycles)
			}
		}
		// A run that is ended leaves what it has.
		head, key := top.head(t, n), []string{"gate", "lanes", "frame", "plane", "qp16"}
		writeRows(t, string(top.Side)+".csv", head, append(key[:len(key):len(key)], "group", "unit", "instances", "cycles", "samples", "bits", "map_bins", "level_bins", "sign_bins", "coded_samples", "moving_samples", "large_samples",
			"logic_fj", "state_fj", "clock_fj", "leakage_fj"), rows)
		writeRows(t, string(top.Side)+"_memories.csv", head, append(key[:len(key):len(key)], "memory", "ports", "width", "depth", "reads", "writes"), memories)
	}
}

// A measurement is that of one plane at one QP, all runs together; see energy.Counters.
type measurement struct {
	units                                       []Sample
	memories                                    []netlist.MemoryAccount
	cycles, samples, bits, coded, moving, large float64
	mapBins, levelBins, signBins                float64
}

func (top *EnergyTop) measure(t *testing.T, c *EnergyCase, b *Bench, n *Netlist, p *energyPlane, qp int) (m measurement) {
	sim, err := netlist.NewSim(n.Design, n.Lib, nil)
	if err != nil {
		t.Fatal(err)
	}
	frames := c.cut(p, qp)
	load, err := top.Load(c, &frames)
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewRun(b, sim, func(k int) testbench.Model { return load.Models[k] })
	if err != nil {
		t.Fatal(err)
	}
	var samples, bits uint64
	m.units, m.memories, err = Measure(r, c.Window, func(run int) {
		s, b := load.Counts(run)
		samples, bits = samples-s, bits-b
	}, func(run int) {
		s, b := load.Counts(run)
		samples, bits = samples+s, bits+b
	})
	if err != nil {
		t.Fatalf("%s: %v", top.Side, err)
	}
	values, moving := 0, 0
	for k := range frames {
		for i := range frames[k] {
			values += frames[k][i].Width * frames[k][i].Height
			moving += frames[k][i].moving()
		}
	}
	m.samples, m.bits, m.cycles = float64(samples), float64(bits), float64(sim.Cycles())
	// Bins go with bits, and coded blocks with samples, as in the frames as a whole.
	perBit, perSample := m.bits/float64(8*load.Bytes), m.samples/float64(values)
	m.mapBins, m.levelBins, m.signBins = perBit*float64(load.MapBins), perBit*float64(load.LevelBins), perBit*float64(load.SignBins)
	m.moving, m.coded, m.large = perSample*float64(moving), perSample*float64(load.Coded), perSample*float64(load.Large)
	return m
}

// moving returns the number of samples that differ from the one to their left.
func (f *EnergyFrame) moving() (n int) {
	for y := range f.Height {
		row := f.Pix[y*f.Stride:][:f.Width]
		for x, v := range row {
			if x == 0 || v != row[x-1] {
				n++
			}
		}
	}
	return n
}

func writeRows(t testing.TB, name string, comments, head []string, rows [][]string) {
	t.Helper()
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
