package t264

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

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
	{"w_k1", true}, {"act_b4c", true}, {"g_k1", true}, {"k3", true}, {"gauss", true},
	{"w_down3", false}, {"act_b2", false}, {"g_o1c", false}, {"v3", false}, {"actgrad_b2", false},
}

// Frames of 64 by 64 lie where 64 runs of four lanes each may find them. After the contexts of all lanes are set, every lane is busy.
const (
	energyFrame = 64
	energyWarm  = 1536 // cycles
	energyCount = 768
)

// energyQPs are in 1/16 for a standard deviation of 20 codes: about 6, 3 and 1.5 bits a value.
var energyQPs = []int{14 * 16, 25 * 16, 33 * 16}

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
func energyRun(side string, b *gates.Bench, sim *netlist.Sim, p *picture, qp int) (r *gates.Run, counts func() (samples, bits uint64), err error) {
	if side == "enc" {
		frames := energyFrames(p, qp, energyEncSpec.Threads)
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
		var slices [][]hwdec.Slice
		for _, f := range frames[k] {
			stream, e1 := e.AppendFrameFine(e.AppendHeader(nil), f.Pix, f.Stride, f.QP16)
			s, e2 := hwdec.Slices(stream)
			if e1 != nil || e2 != nil {
				err = fmt.Errorf("%v, %v", e1, e2)
			}
			slices = append(slices, s)
		}
		h, e := hwdec.NewHost(energyDecSpec)
		if e == nil {
			e = h.Begin(slices)
		}
		if e != nil {
			err = e
		}
		hosts[k] = h
		return &decHostModel{host: h, want: make([]t264.Picture, len(slices))}
	})
	return r, func() (samples, bits uint64) {
		for _, h := range hosts {
			samples += h.Activity.Values
			bits += 8 * h.Activity.Bytes
		}
		return samples, bits
	}, err
}

// TestEnergyData measures the tops on planes and writes energy/gates.csv and energy/memories.csv.
func TestEnergyData(t *testing.T) {
	if os.Getenv("VCSIM_ENERGY") != "1" {
		t.Skip("make energy runs it")
	}
	gates.NeedCells(t)
	var rows, memories [][]string
	for _, side := range []string{"enc", "dec"} {
		for _, gate := range []int{4, 0} {
			b := energyEnc(t, gate)
			if side == "dec" {
				b = energyDec(t, gate)
			}
			n, err := b.Netlist()
			if err != nil {
				t.Fatal(err)
			}
			for i, plane := range energyPlanes {
				if gate == 0 && i > 1 { // shows what the clock gates gain
					break
				}
				p := readPlane(t, plane.name)
				for _, qp := range energyQPs {
					sim, err := netlist.NewSim(n.Design, n.Lib, nil)
					if err != nil {
						t.Fatal(err)
					}
					r, counts, err := energyRun(side, &b, sim, p, qp)
					if err != nil {
						t.Fatal(err)
					}
					var samples, bits uint64
					samplesOf, mems, err := gates.Measure(r, energyWarm, energyCount, func() { samples, bits = counts() })
					if err != nil {
						t.Fatalf("%s, %s: %v", side, plane.name, err)
					}
					s, w := counts()
					samples, bits = s-samples, w-bits
					group := map[bool]string{true: "fit", false: "held"}[plane.fit]
					head := []string{side, strconv.Itoa(gate), plane.name, group, strconv.Itoa(qp)}
					total := 0.0
					for _, u := range samplesOf {
						rows = append(rows, append(append([]string(nil), head...), u.Unit, strconv.Itoa(u.Instances), fmt.Sprint(sim.Cycles()), fmt.Sprint(samples), fmt.Sprint(bits),
							number(u.Logic), number(u.State), number(u.Clock), number(u.Leakage)))
						total += u.Logic + u.State + u.Clock + u.Leakage
					}
					for _, m := range mems {
						memories = append(memories, append(append([]string(nil), head...), m.Path, m.Ports, strconv.Itoa(m.Width), strconv.Itoa(m.Depth), fmt.Sprint(m.Reads), fmt.Sprint(m.Writes)))
					}
					t.Logf("%s gate %d %s %d: %.2f bits a value, %.3f values a cycle, %.2f pJ a value", side, gate, plane.name, qp, float64(bits)/float64(samples),
						float64(samples)/float64(sim.Cycles()), total/1e3/float64(samples))
				}
			}
			writeRows(t, "gates.csv", []string{"side", "gate", "plane", "group", "qp16", "unit", "instances", "cycles", "samples", "bits", "logic_fj", "state_fj", "clock_fj", "leakage_fj"}, rows)
			writeRows(t, "memories.csv", []string{"side", "gate", "plane", "group", "qp16", "memory", "ports", "width", "depth", "reads", "writes"}, memories)
		}
	}
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', 7, 64) }

func readPlane(t testing.TB, name string) *picture {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(testbench.Root(), "../shared/planes", name+".pgm"))
	if err != nil {
		t.Skip(err)
	}
	var p picture
	if _, err := fmt.Sscanf(string(data[:min(len(data), 40)]), "P5\n%d %d\n255\n", &p.w, &p.h); err != nil {
		t.Fatal(err)
	}
	p.pix = data[len(data)-p.w*p.h:]
	return &p
}

func writeRows(t testing.TB, name string, head []string, rows [][]string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(testbench.Root(), "energy"), 0o777); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(testbench.Root(), "energy", name))
	if err != nil {
		t.Fatal(err)
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
