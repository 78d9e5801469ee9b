package t264

import (
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

// What the netlists are driven with: frames of planes of the data folder. The model of energy is fitted on the first group, and its error is
// that on the second.
var energyPlanes = []struct {
	name string
	fit  bool
}{
	{"w_k1", true}, {"act_b4c", true}, {"g_k1", true}, {"gauss", true},
	{"w_down3", false}, {"v3", false}, {"actgrad_b2", false},
}

// Frames of 64 by 64 lie where 64 runs of four lanes each may find them. After the contexts of all lanes are set, every lane is busy.
const (
	energyFrame    = energy.MeasuredFrame
	energyWarm     = 1280 // cycles
	energyCount    = 512
	energyEncCount = 2048 // a macroblock enters each thread every 500 cycles or so
)

// energyQPs are in 1/16 for a standard deviation of 20 codes: about 6, 3 and 1.5 bits a value.
var energyQPs = []int{14 * 16, 25 * 16, 33 * 16}

// energyHead is what stands before the rows.
func energyHead(t testing.TB, n *gates.Netlist) []string {
	t.Helper()
	version, err := exec.Command("yosys", "-V").Output()
	if err != nil {
		t.Fatal(err)
	}
	hash, err := energy.RTLHash(testbench.Root())
	if err != nil {
		t.Fatal(err)
	}
	return []string{"make energy wrote this: toggles of mapped netlists of the tops times liberty, 64 stimuli side by side",
		"rtl " + hash, "tool " + strings.Join(strings.Fields(string(version))[:2], " "), "cells " + n.Source.Set + ", liberty " + n.Source.Hash,
		fmt.Sprintf("tops enc %+v, dec %+v", energyEncSpec, energyDecSpec)}
}

// energyFrames cuts frames at random places of a plane, by run.
func energyFrames(p *picture, qp, n int) (list [netlist.Lanes][]hwenc.Frame) {
	rng := rand.New(rand.NewPCG(7, uint64(qp)))
	for k := range list {
		for range n {
			x, y := rng.IntN(p.w-energyFrame+1), rng.IntN(p.h-energyFrame+1)
			list[k] = append(list[k], hwenc.Frame{Pix: p.pix[y*p.w+x:], Stride: p.w, Width: energyFrame, Height: energyFrame, QP16: qp})
		}
	}
	return list
}

// energyRun joins a top to hosts with frames of a plane; counts returns samples and bits so far, of all runs together.
func energyRun(side energy.Side, b *gates.Bench, sim *netlist.Sim, p *picture, qp int) (r *gates.Run, counts func() (samples, bits uint64), err error) {
	if side == energy.Encoder {
		frames := energyFrames(p, qp, 3*energyEncSpec.Threads) // a thread may end one
		var hosts [netlist.Lanes]*hwenc.Host
		r, err = gates.NewRun(b, sim, func(k int) testbench.Model {
			h, e := hwenc.NewHost(energyEncSpec)
			if e == nil {
				e = h.Begin(frames[k])
			}
			if e != nil {
				err = e
			}
			hosts[k] = h
			return &encHostModel{host: h, spec: energyEncSpec, want: make([][]byte, len(frames[k]))}
		})
		return r, func() (samples, bits uint64) {
			for _, h := range hosts {
				samples += h.Activity.Values
				bits += 8 * h.Activity.Bytes
			}
			return samples, bits
		}, err
	}
	frames := energyFrames(p, qp, energyDecSpec.Lanes)
	var hosts [netlist.Lanes]*hwdec.Host
	e, err := t264.NewEncoder(t264.Params{Width: energyFrame, Height: energyFrame})
	if err != nil {
		return nil, nil, err
	}
	r, err = gates.NewRun(b, sim, func(k int) testbench.Model {
		var list [][]hwdec.Slice
		for _, f := range frames[k] {
			stream, e1 := e.AppendFrameFine(e.AppendHeader(nil), f.Pix, f.Stride, f.QP16)
			s, e2 := hwdec.Slices(stream)
			if e1 != nil || e2 != nil {
				err = fmt.Errorf("%v, %v", e1, e2)
			}
			list = append(list, s)
		}
		h, e := hwdec.NewHost(energyDecSpec)
		if e == nil {
			e = h.Begin(list)
		}
		if e != nil {
			err = e
		}
		hosts[k] = h
		return &decHostModel{host: h, want: make([]t264.Picture, len(list))}
	})
	return r, func() (samples, bits uint64) {
		for _, h := range hosts {
			samples += h.Activity.Values
			bits += 8 * h.Activity.Bytes
		}
		return samples, bits
	}, err
}

// TestEnergyData measures the tops on planes and writes the tables of energy: enc.csv and dec.csv, and the accesses of memories beside each.
func TestEnergyData(t *testing.T) {
	if os.Getenv("VCSIM_ENERGY") != "1" {
		t.Skip("make energy runs it")
	}
	gates.NeedCells(t)
	for _, side := range []energy.Side{energy.Encoder, energy.Decoder} {
		t.Run(string(side), func(t *testing.T) { measureSide(t, side) })
	}
}

func measureSide(t *testing.T, side energy.Side) {
	var rows, memories [][]string
	var head []string
	gate := energy.Gated
	b := energyEnc(t, gate)
	if side == energy.Decoder {
		b = energyDec(t, gate)
	}
	n, err := b.Netlist()
	if err != nil {
		t.Fatal(err)
	}
	head = energyHead(t, n)
	for _, plane := range energyPlanes {
		p := readPlane(t, plane.name)
		for _, qp := range energyQPs {
			m := measure(t, side, &b, n, p, qp)
			group := "fit"
			if !plane.fit {
				group = "held"
			}
			key := []string{strconv.Itoa(gate), plane.name, group, strconv.Itoa(qp)}
			total := 0.0
			for _, u := range m.units {
				rows = append(rows, append(key[:len(key):len(key)], []string{u.Unit, strconv.Itoa(u.Instances), fmt.Sprint(m.cycles), fmt.Sprint(m.samples), fmt.Sprint(m.bits),
					number(u.Logic), number(u.State), number(u.Clock), number(u.Leakage)}...))
				total += u.Logic + u.State + u.Clock + u.Leakage
			}
			for _, r := range m.memories {
				memories = append(memories, append(key[:len(key):len(key)], []string{r.Path, r.Ports, strconv.Itoa(r.Width), strconv.Itoa(r.Depth), fmt.Sprint(r.Reads), fmt.Sprint(r.Writes)}...))
			}
			t.Logf("%s gate %d %s %d: %.2f bits a value, %.3f values a cycle, %.2f pJ a value, %.2f a cycle", side, gate, plane.name, qp, float64(m.bits)/float64(m.samples),
				float64(m.samples)/float64(m.cycles), total/1e3/float64(m.samples), total/1e3/float64(m.cycles))
		}
	}
	writeRows(t, string(side)+".csv", head, []string{"gate", "plane", "group", "qp16", "unit", "instances", "cycles", "samples", "bits", "logic_fj", "state_fj", "clock_fj", "leakage_fj"}, rows)
	writeRows(t, string(side)+"_memories.csv", head, []string{"gate", "plane", "group", "qp16", "memory", "ports", "width", "depth", "reads", "writes"}, memories)
}

// A measurement is that of one plane at one QP.
type measurement struct {
	units                 []gates.Sample
	memories              []netlist.MemoryAccount
	cycles, samples, bits uint64
}

func measure(t *testing.T, side energy.Side, b *gates.Bench, n *gates.Netlist, p *picture, qp int) (m measurement) {
	sim, err := netlist.NewSim(n.Design, n.Lib, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, counts, err := energyRun(side, b, sim, p, qp)
	if err != nil {
		t.Fatal(err)
	}
	var samples, bits uint64
	count := energyCount
	if side == energy.Encoder {
		count = energyEncCount
	}
	if m.units, m.memories, err = gates.Measure(r, energyWarm, count, func() { samples, bits = counts() }); err != nil {
		t.Fatalf("%s: %v", side, err)
	}
	m.samples, m.bits = counts()
	m.samples, m.bits, m.cycles = m.samples-samples, m.bits-bits, sim.Cycles()
	return m
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', 7, 64) }

func readPlane(t testing.TB, name string) *picture {
	t.Helper()
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
