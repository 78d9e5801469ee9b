package figures

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"vcsim/cluster"
	"vcsim/cluster/collective"
	"vcsim/internal/codecpoint"
	"vcsim/internal/config"
	"vcsim/internal/presets"
)

const (
	fig10bGPU         = "h100-sxm"
	fig10bUtilisation = 0.42
	fig10bReplicas    = 64
	fig10bTokens      = 4e6

	// The jobs at their own best layouts, at the link rate at which the paper's text says that its codecs pay: twice as many GPUs as the
	// model needs to fit, each with that link alone; and one cluster for all models, in nodes of 8.
	fig10bGPUs  = 512
	fig10bNode  = 8
	fig10bStack = "megatron-core"
	fig10bGbps  = 10
)

// A reading says how many bits the printed energies of network and codec are of.
type reading struct{ network, codec float64 }

// fig10bReadings are as the table is headed, as its numbers add up, and the network per bit with the codec per byte of an 8-bit sample, the
// unit in which codecs' engines are usually rated.
var fig10bReadings = []reading{{1, 1}, {cluster.PayloadBits, cluster.PayloadBits}, {1, 8}}

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
	LinkGbps    float64       `json:"bw_gbps"` // of Layouts, per GPU and direction
	Layouts     []Fig10bJob   `json:"layouts"` // each cluster by rising size of the model
	Statements  []Statement   `json:"statements"`
}

// A Fig10bJob is one model on a cluster with a slow network, at the layout that is best there without a codec.
type Fig10bJob struct {
	Model  string             `json:"model"`
	Params float64            `json:"params_b"` // 1e9
	GPUs   int                `json:"gpus"`
	Node   int                `json:"gpus_per_node"` // joined by NVLink
	Layout string             `json:"layout"`
	Time   float64            `json:"communication_time_percent"` // of the step without a codec, that shows
	Share  float64            `json:"communication_percent"`      // of the energy without a codec
	Gain   map[string]float64 `json:"energy_gain"`                // whole cluster at that layout, by codec
	Speed  map[string]float64 `json:"speedup"`                    // the same
}

// A Fig10bPoint is one model in one reading of the network's energy.
type Fig10bPoint struct {
	Model   string             `json:"model"`
	Params  float64            `json:"params_b"` // 1e9
	Network float64            `json:"network_pj_per_bit"`
	Codec   float64            `json:"t264_pj_per_bit"`       // encoder and decoder of T.264
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
	for _, of := range fig10bReadings {
		p := cluster.Power{ComputePJPerFLOP: g.Value.TDPW / (g.Value.PeakTFLOPS * fig10bUtilisation), NICPJPerBit: nccl / of.network}
		for _, name := range fig10bModels {
			m, err := config.Preset[cluster.Model]("models", name)
			if err != nil {
				return nil, err
			}
			v := cluster.DataParallelVolume(&m.Value, fig10bReplicas, fig10bTokens, m.Value.Seq)
			plain := p.Energy(v, 1, 0)
			pt := Fig10bPoint{Model: name, Params: m.Value.Params() / 1e9, Network: p.NetworkPJPerBit(),
				Codec: (paper.Get("table2.t264-enc.energy") + paper.Get("table2.t264-dec.energy")) / of.codec, Share: 100 * plain.Comm() / plain.Total(),
				Energy: plain.Total() / fig10bTokens, Gain: map[string]float64{}, Comm: map[string]float64{}}
			for _, codec := range Fig10bCodecs {
				k := (paper.Get("table2."+codec+"-enc.energy") + paper.Get("table2."+codec+"-dec.energy")) / of.codec
				with := p.Energy(v, fig10Ratio, k)
				pt.Gain[codec], pt.Comm[codec] = plain.Total()/with.Total(), plain.Comm()/with.Comm()
			}
			r.Points = append(r.Points, pt)
		}
	}
	if err := r.layouts(&g.Value); err != nil {
		return nil, err
	}
	perBit, perValue, mixed := r.Reading(0), r.Reading(1), r.Reading(2)
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
		add("energy gain of communication, "+CodecTitle(codec), key, perBit[0].Comm[codec], 2, "any model, both per bit or both per value", "")
	}
	add("energy gain of communication, T.264", "", mixed[0].Comm["t264"], 2, "network per bit, codec per byte", "")
	widest := func(points []Fig10bPoint) float64 {
		most := 0.0
		for _, p := range points {
			most = max(most, p.Gain["t264"])
		}
		return most
	}
	add("energy gain of the cluster at most, T.264", "", widest(perBit), 2, fmt.Sprintf("%g pJ/bit", perBit[0].Network), "")
	add("energy gain of the cluster at most, T.264", "", widest(perValue), 2, fmt.Sprintf("%g pJ/bit", perValue[0].Network), "")
	for i := range 2 {
		jobs := r.Jobs(i)
		for _, j := range []*Fig10bJob{&jobs[0], &jobs[len(jobs)-1]} {
			add("energy gain of the cluster, T.264, "+j.Model, "", j.Gain["t264"], 2, fmt.Sprintf("%d GPUs, %d a node, %d Gbps, its best layout", j.GPUs, j.Node, fig10bGbps), "")
		}
	}
	return r, paper.Err
}

// layouts fills in the jobs at their own best layouts: energies as Table II is headed, one ratio for all traffic.
func (r *Fig10b) layouts(g *cluster.GPU) error {
	r.LinkGbps = fig10bGbps
	constants, err := presets.Efficiency(fig10bGPU, fig10bStack)
	if err != nil {
		return err
	}
	eff := constants.Values
	eff.InterFraction, eff.InterCapGB, eff.IntraFraction = 1, 0, min(eff.IntraFraction, 1)
	power, err := presets.Power(g, codecpoint.PerBit)
	if err != nil {
		return err
	}
	table, err := presets.Engines()
	if err != nil {
		return err
	}
	o := presets.CodecOptions{Bits: cluster.UniformBits(fig10Ratio), Point: codecpoint.Options{Table: table, Instances: codecpoint.TableInstances, Reading: codecpoint.PerBit}}
	var codecs []cluster.Codec
	for _, name := range Fig10bCodecs {
		if strings.HasPrefix(name, "t") {
			name += "-paper" // the row of Table II
		}
		c, err := o.Codec(name)
		if err != nil {
			return err
		}
		codecs = append(codecs, c.Codec)
	}
	for _, node := range []int{1, fig10bNode} {
		net := collective.NodeNetwork(node, collective.BytesPerSecond(g.NVLinkGBPerS*1e9), fig10bGbps*1e9/8)
		outer := &net.Tiers[len(net.Tiers)-1]
		outer.Effective = true
		if node > 1 {
			net.Tiers[0].Family, _ = collective.FamiliesOf(fig10bGPU, "", "")
		}
		for _, name := range fig10bModels {
			m, err := config.Preset[cluster.Model]("models", name)
			if err != nil {
				return err
			}
			job := cluster.Job{Model: m.Value, GPU: *g, Eff: eff, Net: net, Seq: m.Value.Seq}
			gpus := fig10bGPUs
			if node == 1 {
				gpus = 2
			}
			j, err := fig10bJob(job, gpus, codecs, &power)
			var infeasible *cluster.InfeasibleError
			for node == 1 && gpus < fig10bGPUs && errors.As(err, &infeasible) {
				gpus *= 2
				j, err = fig10bJob(job, gpus, codecs, &power)
			}
			if node == 1 && err == nil {
				j, err = fig10bJob(job, 2*gpus, codecs, &power) // which leaves layouts to choose from
			}
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			j.Model, j.Node = name, node
			r.Layouts = append(r.Layouts, j)
		}
	}
	return nil
}

// fig10bJob is one model on so many GPUs.
func fig10bJob(job cluster.Job, gpus int, codecs []cluster.Codec, power *cluster.Power) (Fig10bJob, error) {
	job.GlobalBatch = gpus * max(1, int(math.Round(fig10bTokens/float64(job.Seq*gpus))))
	st, err := cluster.Compare(job, &cluster.Space{GPUs: gpus}, codecs, power, nil)
	if err != nil {
		return Fig10bJob{}, err
	}
	b := &st.Base
	j := Fig10bJob{Params: job.Model.Params() / 1e9, GPUs: gpus, Layout: b.Layout.String(), Gain: map[string]float64{}, Speed: map[string]float64{},
		Time: 100 * (b.TP + b.CP + b.EP + b.PP + b.Params + b.DP) / b.Time, Share: 100 * st.Energy.Comm() / st.Energy.Total()}
	for i, codec := range Fig10bCodecs {
		j.Gain[codec], j.Speed[codec] = st.Outcomes[i].EnergyGain, st.Outcomes[i].SpeedupSame
	}
	return j, nil
}

// Jobs are the jobs of one cluster, by rising size of the model: 0 on twice as many GPUs as it needs, 1 on one cluster for all.
func (r *Fig10b) Jobs(i int) []Fig10bJob {
	n := len(fig10bModels)
	return r.Layouts[i*n : (i+1)*n]
}

// Reading is the points of one reading of the energies, by rising size of the model: 0 as the table is headed, per bit, 1
// per 16-bit value, 2 the network per bit and the codec per byte.
func (r *Fig10b) Reading(i int) []Fig10bPoint {
	n := len(fig10bModels)
	return r.Points[i*n : (i+1)*n]
}
