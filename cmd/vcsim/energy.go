package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"vcsim/energy"
	"vcsim/internal/codecpoint"
	"vcsim/internal/report"
)

// energyUnitJSON is the energy of the units of a kind, in pJ a payload bit.
type energyUnitJSON struct {
	Side    string  `json:"side"`            // encoder or decoder
	Unit    string  `json:"unit"`            // module of the RTL, memories, or wires
	Count   int     `json:"count"`           // instances of the unit; 0 for memories and wires
	Logic   float64 `json:"logic_pj"`        // combinational cells, pJ a payload bit
	State   float64 `json:"state_pj"`        // flip-flops that change, pJ a payload bit
	Clock   float64 `json:"clock_pj"`        // clock pins and clock gates, pJ a payload bit
	Leakage float64 `json:"leakage_pj"`      // pJ a payload bit
	Total   float64 `json:"payload_bit_pj"`  // a payload bit, of 16 a value; of a unit, of all its instances
	Share   float64 `json:"energy_fraction"` // of the side
}

// energySideJSON is an encoder or a decoder as a whole.
type energySideJSON struct {
	Side    string   `json:"side"`                // encoder or decoder
	PerBit  float64  `json:"payload_bit_pj"`      // a payload bit, of 16 a value; of a unit, of all its instances
	Low     float64  `json:"payload_bit_low_pj"`  // with memories at the low end of their range
	High    float64  `json:"payload_bit_high_pj"` // with memories at the high end of their range
	PerWire float64  `json:"wire_bit_pj"`         // a bit of the slices
	PerBin  float64  `json:"bin_pj"`              // a bin of the arithmetic coder
	Value   float64  `json:"value_pj"`            // a value
	Power   float64  `json:"power_w"`             // of 100 Gbps of payload
	Paper   *float64 `json:"paper_pj"`            // Table II; null without --paper
	Source  string   `json:"source"`
}

// energyGateJSON is a run of a top that was mapped with clock gates and without.
type energyGateJSON struct {
	Side      string  `json:"side"`                // encoder or decoder
	Plane     string  `json:"plane"`               // of the data folder
	Bits      float64 `json:"bits_per_value"`      // of the slices
	Without   float64 `json:"without_gates_pj"`    // cells alone, a value
	With      float64 `json:"with_gates_pj"`       // cells alone, a value
	Saved     float64 `json:"saved_fraction"`      // of the energy without gates
	LaneClock float64 `json:"lane_clock_fraction"` // clock pins of flip-flops in the lanes' energy without gates
}

type energyJSON struct {
	Schema string           `json:"schema"`
	Codec  string           `json:"codec"`
	Bits   float64          `json:"bits_per_value"` // at which the energies are
	Sides  []energySideJSON `json:"sides"`          // encoder and decoder
	Absent []string         `json:"absent"`         // sides that do not exist in hardware yet
	Units  []energyUnitJSON `json:"units"`          // what takes them
	Gates  []energyGateJSON `json:"clock_gates"`    // what clock gates save, as measured
}

func newEnergyCommand(a *app) *cobra.Command {
	var f hardwareFlags
	cmd := &cobra.Command{
		Use:   "energy",
		Short: "What encoder and decoder of T.264 or T.265 take of energy, by unit",
		Long: "energy prints what our own hardware takes, from toggles of its gates on real planes (energy/*.csv, ASAP7 at 0.70 V) and, for other lanes, rates and\n" +
			"bits, from the model between them, with its error on other planes. It runs no tool. Wires are an allowance and memories a cited range: both are lines of their own.",
		Example: "  vcsim energy --paper --plot energy.svg\n  vcsim energy --lanes 16 --bits 4 --json\n  vcsim energy --codec t265",
		Args:    wantArgs(0, 0),
		RunE: func(*cobra.Command, []string) error {
			r, err := f.energy()
			if err != nil {
				return err
			}
			return a.print(r)
		},
	}
	f.registerCodec(cmd)
	f.register(cmd)
	return cmd
}

// payloadBits are those of a value.
const payloadBits = 16

// energy works out both sides.
func (f *hardwareFlags) energy() (*report.Result, error) {
	h, paper, err := f.hardware()
	if err != nil {
		return nil, err
	}
	j := &energyJSON{Schema: "vcsim.energy/2", Codec: f.codec, Bits: f.bits, Absent: absent(f.codec)}
	for _, s := range h.Sides() {
		of := energy.Side(s.Module)
		if !s.Measured() {
			return nil, fmt.Errorf("--codec %s: the energy of its %s was not measured yet: %s writes %s", f.codec, s.Name(), energy.Command, energy.File(of))
		}
		r, err := s.MeanEnergy(f.bits)
		if err != nil {
			return nil, err
		}
		low, high := r.Range()
		total := r.Total()
		row := energySideJSON{Side: s.Name(), PerBit: total / payloadBits, Low: low / payloadBits, High: high / payloadBits, PerWire: total / f.bits, PerBin: total / r.Bins, Value: total,
			Power: total / payloadBits * 1e-12 * 100e9, Source: energy.File(of) + ": " + energy.Basis(of)}
		if f.paper {
			perBit := half(&paper, s.Name()).EnergyPrinted / payloadBits // printed for a value
			row.Paper = &perBit
		}
		j.Sides = append(j.Sides, row)
		add := func(u energyUnitJSON) {
			u.Side, u.Share = s.Name(), u.Total*payloadBits/total
			j.Units = append(j.Units, u)
		}
		for _, p := range r.Units {
			add(energyUnitJSON{Unit: p.Unit, Count: p.Instances, Logic: p.Logic / payloadBits, State: p.State / payloadBits, Clock: p.Clock / payloadBits, Leakage: p.Leakage / payloadBits, Total: p.Total() / payloadBits})
		}
		add(energyUnitJSON{Unit: "memories", Total: r.Memory / payloadBits})
		add(energyUnitJSON{Unit: "wires", Total: r.Wires / payloadBits})
		gates, err := energy.ClockGates(of)
		if err != nil {
			return nil, err
		}
		for _, g := range gates {
			j.Gates = append(j.Gates, energyGateJSON{Side: s.Name(), Plane: g.Plane, Bits: g.Bits, Without: g.Without, With: g.With, Saved: 1 - g.With/g.Without, LaneClock: g.LaneClock})
		}
	}
	if err := f.draw(j.chart()); err != nil {
		return nil, err
	}
	return j.result(f), nil
}

// chart draws the energy of a payload bit of both sides, by kind of unit.
func (j *energyJSON) chart() *report.Bars {
	var bars []stack
	for _, s := range j.Sides {
		of := stack{name: fmt.Sprintf("%s\n%.3g pJ/bit", s.Side, s.PerBit), kinds: map[string]float64{}}
		for _, u := range j.Units {
			if u.Side == s.Side {
				of.kinds[codecpoint.KindOf(u.Unit)] += u.Total
			}
		}
		bars = append(bars, of)
	}
	return stacked(fmt.Sprintf("Energy of %s a payload bit, %g bits a value", codecpoint.Title(j.Codec), j.Bits), "energy (pJ a payload bit)", bars)
}

func (j *energyJSON) result(f *hardwareFlags) *report.Result {
	sides := report.Table{Name: "sides", Columns: []report.Column{{Key: "side"}, {Key: "payload_bit_pj", Title: "payload bit", Unit: "pJ", Digits: 3}, {Key: "payload_bit_low_pj", Title: "from", Unit: "pJ", Digits: 3},
		{Key: "payload_bit_high_pj", Title: "to", Unit: "pJ", Digits: 3}, {Key: "wire_bit_pj", Title: "wire bit", Unit: "pJ", Digits: 2}, {Key: "bin_pj", Title: "bin", Unit: "pJ", Digits: 2}, {Key: "value_pj", Title: "value", Unit: "pJ", Digits: 2},
		{Key: "power_w", Title: "100 Gbps", Unit: "W", Digits: 3}}}
	if f.paper {
		sides.Columns = append(sides.Columns, report.Column{Key: "paper_pj", Title: "the paper's", Unit: "pJ", Digits: 2})
	}
	units := report.Table{Name: "units", Columns: []report.Column{{Key: "side"}, {Key: "unit"}, {Key: "count", Digits: 0}, {Key: "logic_pj", Title: "logic", Unit: "pJ", Digits: 4}, {Key: "state_pj", Title: "state", Unit: "pJ", Digits: 4},
		{Key: "clock_pj", Title: "clock", Unit: "pJ", Digits: 4}, {Key: "leakage_pj", Title: "leakage", Unit: "pJ", Digits: 4, Minor: true}, {Key: "payload_bit_pj", Title: "together", Unit: "pJ", Digits: 4}, {Key: "energy_percent", Title: "share", Unit: "%", Digits: 1}}}
	r := &report.Result{Schema: j.Schema, Payload: j, Title: fmt.Sprintf("%s in ASAP7 at %g bits a value, pJ a payload bit of 16 a value", codecpoint.Title(j.Codec), j.Bits)}
	for _, s := range j.Sides {
		row := []any{s.Side, s.PerBit, s.Low, s.High, s.PerWire, s.PerBin, s.Value, s.Power}
		if f.paper {
			row = append(row, cell(s.Paper))
		}
		sides.Rows = append(sides.Rows, row)
		r.Notes = append(r.Notes, fmt.Sprintf("%s: %s.", s.Side, s.Source))
	}
	for _, u := range j.Units {
		var parts []any
		if u.Count > 0 {
			parts = []any{u.Count, u.Logic, u.State, u.Clock, u.Leakage}
		} else {
			parts = []any{nil, nil, nil, nil, nil}
		}
		units.Rows = append(units.Rows, append(append([]any{u.Side, u.Unit}, parts...), u.Total, 100*u.Share))
	}
	gates := report.Table{Name: "clock gates", Columns: []report.Column{{Key: "side"}, {Key: "plane"}, {Key: "bits_per_value", Title: "bits a value", Digits: 2}, {Key: "without_gates_pj", Title: "without gates", Unit: "pJ", Digits: 2},
		{Key: "with_gates_pj", Title: "with", Unit: "pJ", Digits: 2}, {Key: "saved_percent", Title: "saved", Unit: "%", Digits: 1}, {Key: "lane_clock_percent", Title: "lane clock", Unit: "%", Digits: 1}}}
	for _, g := range j.Gates {
		gates.Rows = append(gates.Rows, []any{g.Side, g.Plane, g.Bits, g.Without, g.With, 100 * g.Saved, 100 * g.LaneClock})
	}
	r.Tables = []report.Table{sides, units, gates}
	r.Notes = append(r.Notes, codecpoint.MissingNotes(j.Codec)...)
	r.Notes = append(r.Notes, "Cycles are those of the clocked models on real planes, the mean over weights, gradients, activations and caches, of an instance that is never idle.")
	r.Notes = append(r.Notes, fmt.Sprintf("Clock gates: pJ a value of cells as measured, without wires and memories, of tops of %d lanes; a gate serves %d flip-flops or more with the same enable. Lane clock: clock pins in what lanes take without gates.", energy.MeasuredLanes, energy.Gated))
	if f.paper {
		r.Notes = append(r.Notes, "The paper's figures are read as of a value of 16 bits (docs/cluster.md).")
	}
	return r
}
