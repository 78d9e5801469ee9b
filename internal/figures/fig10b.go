package figures

import (
	"fmt"

	"vcsim/cluster"
	"vcsim/internal/config"
	"vcsim/internal/presets"
)

const (
	fig10bGPU         = "h100-sxm"
	fig10bUtilisation = 0.42
	fig10bReplicas    = 64
	fig10bTokens      = 4e6
)

// fig10bModels rise in size.
var fig10bModels = []string{"llama2-7b", "llama2-13b", "nemotron-4-15b", "gpt-neox-20b", "llama2-70b", "gpt3-175b", "nemotron-4-340b"}

// Fig10bCodecs, in the order of the tables.
var Fig10bCodecs = []string{"t264", "t265", "h264", "h265"}

// Fig10b is the energy that a codec saves in data-parallel training, against the size of the model.
type Fig10b struct {
	Figure      string        `json:"figure"`
	GPU         string        `json:"gpu"`
	Utilisation float64       `json:"utilisation"`
	Replicas    int           `json:"dp"`
	Tokens      float64       `json:"batch_tokens"`
	Ratio       float64       `json:"ratio"`
	Points      []Fig10bPoint `json:"points"`
	Statements  []Statement   `json:"statements"`
}

// A Fig10bPoint is one model in one reading of the network's energy.
type Fig10bPoint struct {
	Model   string             `json:"model"`
	Params  float64            `json:"params_b"` // 1e9
	Network float64            `json:"network_pj_per_bit"`
	Share   float64            `json:"communication_percent"` // of the energy without a codec
	Energy  float64            `json:"energy_j_per_token"`    // without a codec
	Gain    map[string]float64 `json:"energy_gain"`           // whole cluster, by codec
	Comm    map[string]float64 `json:"comm_energy_gain"`      // communication alone, by codec
}

// NewFig10b works the points out, and the statements of the paper on them.
func NewFig10b(paper *presets.Stated) (*Fig10b, error) {
	g, err := presets.GPU(fig10bGPU)
	if err != nil {
		return nil, err
	}
	r := &Fig10b{Figure: "fig10b", GPU: fig10bGPU, Utilisation: fig10bUtilisation, Replicas: fig10bReplicas,
		Tokens: fig10bTokens, Ratio: fig10Ratio}
	nccl := paper.Get("table2.nccl.energy")
	for _, bits := range []float64{1, cluster.PayloadBits} { // that the printed energies are of
		p := cluster.Power{ComputePJPerFLOP: g.Value.TDPW / (g.Value.PeakTFLOPS * fig10bUtilisation), NICPJPerBit: nccl / bits}
		for _, name := range fig10bModels {
			m, err := config.Preset[cluster.Model]("models", name)
			if err != nil {
				return nil, err
			}
			v := cluster.DataParallelVolume(&m.Value, fig10bReplicas, fig10bTokens, m.Value.Seq)
			plain := p.Energy(v, 1, 0)
			pt := Fig10bPoint{Model: name, Params: m.Value.Params() / 1e9, Network: p.NetworkPJPerBit(), Share: 100 * plain.Comm() / plain.Total(),
				Energy: plain.Total() / fig10bTokens, Gain: map[string]float64{}, Comm: map[string]float64{}}
			for _, codec := range Fig10bCodecs {
				k := (paper.Get("table2."+codec+"-enc.energy") + paper.Get("table2."+codec+"-dec.energy")) / bits
				with := p.Energy(v, fig10Ratio, k)
				pt.Gain[codec], pt.Comm[codec] = plain.Total()/with.Total(), plain.Comm()/with.Comm()
			}
			r.Points = append(r.Points, pt)
		}
	}
	perBit, perValue := r.Reading(0), r.Reading(1)
	add := func(what, key string, ours float64, digits int, from, remark string) {
		st := Statement{What: what, Ours: &ours, Formula: from, Remark: remark}
		if key != "" {
			v := paper.Get(key)
			st.Paper, st.Remark = &v, join(agree(v, ours, digits), remark)
		}
		r.Statements = append(r.Statements, st)
	}
	k := paper.Get("table2.t264-enc.energy") + paper.Get("table2.t264-dec.energy")
	add("NCCL over T.264, energy", "section6.energy-ratio-t264-vs-nccl", nccl/k, 1, "5120 / (97.8 + 63.5)", "")
	for _, codec := range Fig10bCodecs {
		key := ""
		if codec == "t264" {
			key = "section6.energy-gain-at-ratio-5"
		}
		add("energy gain of communication, "+CodecTitle(codec), key, perBit[0].Comm[codec], 2, "any model, either reading", "")
	}
	widest := func(points []Fig10bPoint) float64 {
		most := 0.0
		for _, p := range points {
			most = max(most, p.Gain["t264"])
		}
		return most
	}
	add("energy gain of the cluster at most, T.264", "", widest(perBit), 2, fmt.Sprintf("%g pJ/bit", perBit[0].Network), "")
	add("energy gain of the cluster at most, T.264", "", widest(perValue), 2, fmt.Sprintf("%g pJ/bit", perValue[0].Network), "")
	return r, paper.Err
}

// Reading is the points of one reading of the network's energy, by rising size of the model: 0 as the table is headed, per bit, 1
// per 16-bit value.
func (r *Fig10b) Reading(i int) []Fig10bPoint {
	n := len(fig10bModels)
	return r.Points[i*n : (i+1)*n]
}
