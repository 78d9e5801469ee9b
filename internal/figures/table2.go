package figures

import (
	"fmt"
	"math"

	"vcsim/cluster"
	"vcsim/internal/codecpoint"
	"vcsim/internal/presets"
)

// Table2 is Table II of the paper: what its engines take, and what follows from it.
type Table2 struct {
	Figure     string       `json:"figure"`
	Rows       []Table2Row  `json:"rows"`
	Pairs      []Table2Pair `json:"pairs"`
	Own        []OwnEngine  `json:"own"` // ours beside the paper's tensor codecs
	Statements []Statement  `json:"statements"`
	// Figures are the numbers of one instance of ours, each with the file that it is from and the command that renews it.
	Figures []codecpoint.Figure `json:"figures"`

	Rate      float64 `json:"-"` // of one engine, values a second
	Instances float64 `json:"-"` // engines of a row
}

// A Table2Row is one engine of the table: as printed, then as it follows.
type Table2Row struct {
	Name       string  `json:"name"` // codec and half
	Codec      string  `json:"-"`
	Half       string  `json:"-"` // enc or dec
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

// A Table2Pair is an encoder with its decoder, against the network.
type Table2Pair struct {
	Name     string  `json:"name"`
	Area     float64 `json:"area_mm2"`
	Die      float64 `json:"die_percent"`
	Smaller  float64 `json:"times_smaller_than_gpu"`
	Energy   float64 `json:"energy_printed_pj"`
	Ratio    float64 `json:"network_over_codec"`
	Gain     float64 `json:"energy_gain_at_ratio_5"`
	MinRatio float64 `json:"break_even_ratio"` // compression at which network and codec take what the network alone does
}

// NewTable2 works the table out from the numbers that the paper states.
func NewTable2(s *presets.Stated) (*Table2, error) {
	rate := s.Get("table2.throughput") * 1e9 // bits of payload a second
	instance := s.Get("table2.instance-rate")
	nccl := s.Get("table2.nccl.energy")
	die := s.Get("section6.rtx3090-die")
	instances := math.Ceil(rate / (instance * cluster.PayloadBits))
	values := instances * instance // a second
	j := &Table2{Figure: "table2", Rate: instance, Instances: instances}
	area, energy := map[string]float64{}, map[string]float64{}
	for _, name := range []string{"h264", "h265", "t264", "t265"} {
		for _, half := range []string{"enc", "dec"} {
			key := "table2." + name + "-" + half
			r := Table2Row{Name: name + " " + half, Codec: name, Half: half, Power: s.Get(key + ".power"), Area: s.Get(key + ".area"), Printed: s.Get(key + ".energy")}
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
		j.Pairs = append(j.Pairs, Table2Pair{name, area[name], 100 * area[name] / die, die / area[name], k, nccl / k, nccl / (nccl/5 + k), nccl / (nccl - k)})
	}
	add := func(what, unit, key string, ours float64, digits int, from, remark string) {
		var paper *float64
		verdict := ""
		if key != "" {
			v := s.Get(key)
			paper, verdict = &v, agree(v, ours, digits)
		}
		j.Statements = append(j.Statements, Statement{what, unit, paper, &ours, from, join(verdict, remark)})
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
	var err error
	if j.Own, j.Figures, err = ownEngines(s); err != nil {
		return nil, err
	}
	return j, nil
}
