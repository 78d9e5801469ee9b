package cluster

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"vcsim/cluster/collective"
)

// A CollectiveFabric is what a [Measurement] of a collective may say about its
// network beyond the rates.
type CollectiveFabric struct {
	NCCL             string  `yaml:"nccl"`             // version of the library
	Derived          bool    `yaml:"derived"`          // the time was worked out from a published bandwidth
	Rails            int     `yaml:"rails"`            // as in [Tier]
	Oversubscription float64 `yaml:"oversubscription"` // as in [Tier]
	SHARP            bool    `yaml:"sharp"`            // the network's switches reduce
}

// collectiveNames are the names that measurements use beside those of Op.
var collectiveNames = map[string]collective.Op{"allreduce": collective.AllReduce, "allgather": collective.AllGather, "reducescatter": collective.ReduceScatter,
	"all_to_all": collective.AllToAll, "alltoallv": collective.AllToAll, "send_recv": collective.SendRecv, "reduce": collective.Broadcast}

func opOf(name string) (collective.Op, bool) {
	if o, ok := collective.OpOf(name); ok && o != collective.GatherReduce {
		return o, true
	}
	o, ok := collectiveNames[name]
	return o, ok
}

// Expert exchanges of these stacks send a token once per node and rank, and
// only to as many nodes as the routing of DeepSeek-V3 allows (arXiv 2412.19437,
// section 2.1.2).
var deduplicatingStacks = []string{"deepep", "mori"}

const deepSeekNodes = 4

// IsCollective reports whether the row measures a collective by itself, which
// needs neither a model nor the constants of a stack.
func (r *Measurement) IsCollective() bool { return r.Quantity == "collective_us" }

// Unhealthy reports whether the row's source says that its fabric was not
// sound; such rows are predicted and not counted.
func (r *Measurement) Unhealthy() bool { return r.Healthy != nil && !*r.Healthy }

// Network is the fabric that the row describes: its links by the names of GPU
// and stack, their rates by the row.
func (r *Measurement) Network() (collective.Network, error) {
	intra, inter := collective.FamiliesOf(r.GPU, r.Stack, r.Fabric)
	if r.GPUs < 2 {
		return collective.Network{}, fmt.Errorf("gpus is %d, want 2 or more", r.GPUs)
	}
	perNode := r.GPUsPerNode
	if perNode == 0 {
		perNode = 8
	}
	if perNode < 0 {
		return collective.Network{}, fmt.Errorf("gpus_per_node is %d", perNode)
	}
	var n collective.Network
	if perNode > 1 {
		rate := orZero(r.IntraGBPerS)
		if !(rate > 0) {
			return n, fmt.Errorf("no intra_gb_per_s for %d GPUs a node", perNode)
		}
		n.Tiers = append(n.Tiers, collective.Tier{Name: "node", GPUs: perNode, BytesPerSecond: collective.BytesPerSecond(rate * 1e9), Family: intra})
	}
	if r.GPUs > perNode {
		rate := orZero(r.InterGbpsPerGPU)
		if rate == 0 {
			rate = r.InterGbpsPerNode / float64(perNode)
		}
		if !(rate > 0) {
			return n, fmt.Errorf("no inter_gbps_per_gpu for %d GPUs, %d a node", r.GPUs, perNode)
		}
		n.Tiers = append(n.Tiers, collective.Tier{Name: "fabric", BytesPerSecond: collective.BytesPerSecond(rate * 1e9 / 8), Family: inter, Shared: true,
			Codec: true, Rails: r.Rails, Oversubscription: r.Oversubscription, InNetwork: r.SHARP})
	}
	return n, nil
}

// PredictCollective is the microseconds of the row's collective.
func (r *Measurement) PredictCollective(c *collective.LinkConstants) (float64, error) {
	us, err := r.predictCollective(c)
	if err != nil {
		return 0, fmt.Errorf("row %s: %w", r.ID, err)
	}
	return us, nil
}

func (r *Measurement) predictCollective(c *collective.LinkConstants) (float64, error) {
	n, err := r.Network()
	if err != nil {
		return 0, err
	}
	forced, _, _ := strings.Cut(r.Algo, ",")
	f, err := collective.NewFabric(&n, c, collective.Derate{RingOnly: forced == collective.Ring.String()})
	if err != nil {
		return 0, err
	}
	var p collective.Plan
	g := collective.Group{N: r.GPUs, Stride: 1}
	size := r.Bytes
	switch r.Collective {
	case "dispatch", "combine":
		routing := collective.Routing{Tokens: float64(r.Tokens), Hidden: float64(r.Hidden), TopK: r.TopK}
		for _, v := range []struct {
			name  string
			value float64
		}{{"tokens", routing.Tokens}, {"hidden", routing.Hidden}, {"topk", float64(r.TopK)}, {"bits", r.Bits}} {
			if !(v.value > 0) || math.IsInf(v.value, 0) {
				return 0, fmt.Errorf("%s wants a positive %s", r.Collective, v.name)
			}
		}
		if r.EP < 0 || r.EP > r.GPUs {
			return 0, fmt.Errorf("ep %d, and gpus is %d", r.EP, r.GPUs)
		}
		if r.EP > 0 {
			g.N = r.EP
		}
		style := collective.ExchangePermuted
		if slices.Contains(deduplicatingStacks, r.Stack) {
			style = collective.ExchangeDeduplicated
			routing.NodeLimit = deepSeekNodes
		}
		f.Exchange(&p, g, &routing, style, r.Collective == "combine", &collective.Plain)
		size = r.Bits / 8
	default:
		op, ok := opOf(r.Collective)
		if !ok {
			return 0, fmt.Errorf("unknown collective %q", r.Collective)
		}
		if !(size > 0) || math.IsInf(size, 0) {
			return 0, fmt.Errorf("bytes is %v, want a positive number", size)
		}
		f.Plan(&p, op, g, &collective.Plain)
	}
	return p.Time(size) / 1e-6, nil
}

// FabricOf is the fabric of a row by its id: what stands before the
// collective's name.
func (r *Measurement) FabricOf() string {
	id := r.ID
	for _, name := range []string{"allreduce", "allgather", "reducescatter", "alltoall", "broadcast", "sendrecv", "dispatch", "combine"} {
		if i := strings.Index(id, "-"+name); i > 0 {
			return id[:i]
		}
	}
	return fmt.Sprintf("%s/%s/%d", r.GPU, r.Stack, r.GPUsPerNode)
}
