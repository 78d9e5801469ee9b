package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"vcsim/cluster"
	"vcsim/internal/presets"
	"vcsim/internal/report"
)

func newTable2Command(a *app, f *reproduceFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "table2",
		Short: "Table II: power, area and energy of the codec engines",
		Long: "table2 prints every number of the paper's Table II beside what follows from its other numbers. The column headed\n" +
			"'Energy/Bit (pJ)' is the energy of a 16-bit value: only then does it agree with the power and the rate. The table has\n" +
			"no chart.",
		Example: "  vcsim reproduce table2\n  vcsim reproduce table2 --csv",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			r, err := table2()
			if err != nil {
				return err
			}
			return a.print(r)
		},
	}
}

// table2JSON is the JSON of `vcsim reproduce table2`.
type table2JSON struct {
	Schema     string       `json:"schema"`
	Figure     string       `json:"figure"`
	Rows       []table2Row  `json:"rows"`
	Pairs      []table2Pair `json:"pairs"`
	Statements []statement  `json:"statements"`
}

// table2Row is one engine of the table: as printed, then as it follows.
type table2Row struct {
	Name       string  `json:"name"`
	Power      float64 `json:"power_w"`
	Area       float64 `json:"area_mm2"`
	Printed    float64 `json:"energy_printed_pj"`
	PerBit     float64 `json:"power_over_rate_pj_per_bit"`   // power / 100 Gbps
	PerValue   float64 `json:"power_over_rate_pj_per_value"` // power / (instances x rate of one)
	PowerBack  float64 `json:"power_from_energy_w"`          // printed energy x instances x rate of one
	Agrees     bool    `json:"agrees_per_value"`             // PowerBack rounds to Power
	RawBit     float64 `json:"energy_pj_per_bit"`            // printed / 16
	InstanceMW float64 `json:"instance_mw"`
	InstanceA  float64 `json:"instance_mm2"`
}

// table2Pair is an encoder with its decoder, against the network.
type table2Pair struct {
	Name     string  `json:"name"`
	Area     float64 `json:"area_mm2"`
	Die      float64 `json:"die_percent"`
	Smaller  float64 `json:"times_smaller_than_gpu"`
	Energy   float64 `json:"energy_printed_pj"`
	Ratio    float64 `json:"network_over_codec"`
	Gain     float64 `json:"energy_gain_at_ratio_5"`
	MinRatio float64 `json:"break_even_ratio"` // compression at which network and codec take what the network alone does
}

func table2() (*report.Result, error) {
	s, err := presets.Paper()
	if err != nil {
		return nil, err
	}
	rate := s.Get("table2.throughput") * 1e9 // bits of payload a second
	instance := s.Get("table2.instance-rate")
	nccl := s.Get("table2.nccl.energy")
	die := s.Get("section6.rtx3090-die")
	instances := math.Ceil(rate / (instance * cluster.PayloadBits))
	values := instances * instance // a second
	j := &table2JSON{Schema: reproduceSchema, Figure: "table2"}
	area, energy := map[string]float64{}, map[string]float64{}
	for _, name := range []string{"h264", "h265", "t264", "t265"} {
		for _, half := range []string{"enc", "dec"} {
			key := "table2." + name + "-" + half
			r := table2Row{Name: name + " " + half, Power: s.Get(key + ".power"), Area: s.Get(key + ".area"), Printed: s.Get(key + ".energy")}
			r.PerBit = r.Power / rate * 1e12
			r.PerValue = r.Power / values * 1e12
			r.PowerBack = r.Printed * values * 1e-12
			r.Agrees = fmt.Sprintf("%.1f", r.PowerBack) == fmt.Sprintf("%.1f", r.Power)
			r.RawBit = r.Printed / cluster.PayloadBits
			r.InstanceMW = 1e3 * r.PowerBack / instances
			r.InstanceA = r.Area / instances
			area[name] += r.Area
			energy[name] += r.Printed
			j.Rows = append(j.Rows, r)
		}
		k := energy[name]
		j.Pairs = append(j.Pairs, table2Pair{name, area[name], 100 * area[name] / die, die / area[name], k, nccl / k, nccl / (nccl/5 + k), nccl / (nccl - k)})
	}
	add := func(what, unit, key string, ours float64, digits int, from, remark string) {
		var paper *float64
		verdict := ""
		if key != "" {
			v := s.Get(key)
			paper, verdict = &v, agree(v, ours, digits)
		}
		j.Statements = append(j.Statements, statement{what, unit, paper, &ours, from, join(verdict, remark)})
	}
	t264, t265, h264 := energy["t264"], area["t265"], area["h264"]
	nic := s.Get("section6.h264-pair-times-smaller-than-cx5-nic")
	add("instances for 100 Gbps", "", "", instances, 0, fmt.Sprintf("100 Gbps / (%.4g Gvalue/s x 16 bits), rounded up", instance/1e9), fmt.Sprintf("%.3g give %.4g Gbps", instances, values*cluster.PayloadBits/1e9))
	add("NCCL over T.264, energy", "", "section6.energy-ratio-t264-vs-nccl", nccl/t264, 1, "5120 / (97.8 + 63.5)", "")
	add("energy gain at ratio 5, T.264", "", "section6.energy-gain-at-ratio-5", nccl/(nccl/5+t264), 2, "5120 / (5120/5 + 97.8 + 63.5)", "communication alone")
	add("T.265 encoder and decoder", "mm2", "section6.t265-area-on-gpu", t265, 1, "2.4 + 0.5", "the text and Table II disagree")
	add("T.265 share of the GPU's die", "", "section6.t265-area-fraction-of-gpu", t265/die, 3, "2.9 / 628", fmt.Sprintf("with the text's 3.2 mm2: %.4f", s.Get("section6.t265-area-on-gpu")/die))
	add("GPU over H.264 pair, area", "", "section6.h264-pair-times-smaller-than-gpu", die/h264, 0, "628 / (0.96 + 0.97)", "314 is 628 / 2: the pair rounded to 2 mm2")
	add("NIC that is 85 H.264 pairs", "mm2", "", nic*h264, 0, "85 x (0.96 + 0.97)", "the ConnectX-5's die is not printed: 164 to 170 mm2 follow")
	add("NCCL at 100 Gbps, per bit", "W", "", nccl*rate*1e-12, 0, "5120 pJ/bit x 100 Gbps", "as the column is headed: a whole server")
	add("NCCL at 100 Gbps, per value", "W", "", nccl/cluster.PayloadBits*rate*1e-12, 0, "5120 pJ / 16 bits x 100 Gbps", "as it adds up: 320 pJ/bit, NIC and optics")
	if s.Err != nil {
		return nil, s.Err
	}

	rows := report.Table{Name: "engines", Columns: []report.Column{{Key: "name", Title: "engine"}, {Key: "power_w", Title: "power", Unit: "W", Digits: 1},
		{Key: "area_mm2", Title: "area", Unit: "mm2", Digits: 2}, {Key: "energy_printed_pj", Title: "energy printed", Unit: "pJ", Digits: 1},
		{Key: "power_over_rate_pj_per_bit", Title: "power/rate", Unit: "pJ/bit", Digits: 1}, {Key: "power_over_rate_pj_per_value", Title: "power/rate", Unit: "pJ/value", Digits: 1},
		{Key: "power_from_energy_w", Title: "power if per value", Unit: "W", Digits: 2}, {Key: "agrees_per_value", Title: "agrees"},
		{Key: "energy_pj_per_bit", Title: "energy", Unit: "pJ/bit", Digits: 2}, {Key: "instance_mw", Title: "one engine", Unit: "mW", Digits: 1}, {Key: "instance_mm2", Title: "one engine", Unit: "mm2", Digits: 4}}}
	for _, r := range j.Rows {
		rows.Rows = append(rows.Rows, []any{engineName(r.Name), r.Power, r.Area, r.Printed, r.PerBit, r.PerValue, r.PowerBack, r.Agrees, r.RawBit, r.InstanceMW, r.InstanceA})
	}
	pairs := report.Table{Name: "pairs", Columns: []report.Column{{Key: "name", Title: "pair"}, {Key: "area_mm2", Title: "area", Unit: "mm2", Digits: 2}, {Key: "die_percent", Title: "of 628 mm2", Unit: "%", Digits: 2},
		{Key: "times_smaller_than_gpu", Title: "times smaller", Digits: 1}, {Key: "energy_printed_pj", Title: "energy printed", Unit: "pJ", Digits: 1}, {Key: "network_over_codec", Title: "network/codec", Digits: 2},
		{Key: "energy_gain_at_ratio_5", Title: "gain at ratio 5", Digits: 2}, {Key: "break_even_ratio", Title: "even at ratio", Digits: 2}}}
	for _, p := range j.Pairs {
		pairs.Rows = append(pairs.Rows, []any{engineName(p.Name), p.Area, p.Die, p.Smaller, p.Energy, p.Ratio, p.Gain, p.MinRatio})
	}
	return &report.Result{Schema: j.Schema, Payload: j, Title: "Table II of the paper: codec engines in ASAP7 at 100 Gbps, and what follows from its numbers",
		Tables: []report.Table{rows, pairs, statementTable(j.Statements)},
		Notes: []string{
			"The first three numbers of an engine are printed; the rest follows. 'Energy/Bit' of the table is not power over rate: 1.1 W / 100 Gbps is 11 pJ, printed is 167.8. Read as the energy of a 16-bit value, the printed energy gives back every printed power.",
			fmt.Sprintf("One engine codes 3840x2160 at 60 frames/s, %.4g Gvalue/s = %.3g Gbps of FP16; a row is %g of them. Ratios between rows hold in either reading.", instance/1e9, instance*cluster.PayloadBits/1e9, instances),
		}}, nil
}

// engineName is "h264 enc" as people write it.
func engineName(key string) string {
	codec, half, _ := strings.Cut(key, " ")
	codec = strings.ToUpper(codec[:1]) + "." + codec[1:]
	return strings.TrimSpace(codec + " " + half)
}
