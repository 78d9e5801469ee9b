package cluster

import (
	"strings"
	"testing"

	"vcsim/cluster/collective"
)

func collectiveRow() Measurement {
	intra, inter := 400.0, 200.0
	return Measurement{ID: "nccl-test-allreduce-16-1024", Quantity: "collective_us", GPU: "h100-sxm", Stack: "nccl", GPUs: 16, GPUsPerNode: 8,
		IntraGBPerS: &intra, InterGbpsPerGPU: &inter, Collective: "all_reduce", Bytes: 1 << 30, CollectUS: 100}
}

// A row is the plan of the fabric that its keys describe.
func TestCollectivePredict(t *testing.T) {
	f := testFabric(t, twoTiers(8, 400e9, 25e9, collective.NVLink4, collective.InfiniBand), collective.Derate{})
	only := testFabric(t, twoTiers(8, 400e9, 25e9, collective.NVLink4, collective.InfiniBand), collective.Derate{RingOnly: true})
	node := testFabric(t, collective.Network{Tiers: []collective.Tier{{GPUs: 8, BytesPerSecond: 400e9, Family: collective.NVLink4}}}, collective.Derate{})
	flat := testFabric(t, collective.Network{Tiers: []collective.Tier{{BytesPerSecond: 25e9, Shared: true}}}, collective.Derate{})
	sharp := twoTiers(8, 400e9, 25e9, collective.NVLink4, collective.InfiniBand)
	sharp.Tiers[1].InNetwork = true
	leaf := twoTiers(8, 400e9, 25e9, collective.NVLink4, collective.InfiniBand)
	leaf.Tiers[1].Oversubscription = 2
	routing := collective.Routing{Tokens: 128, Hidden: 7168, TopK: 8, NodeLimit: 4}
	free := collective.Routing{Tokens: 128, Hidden: 7168, TopK: 8}
	expert := func(r *Measurement) {
		r.Collective, r.Bytes, r.Tokens, r.Hidden, r.TopK, r.Bits = "dispatch", 0, 128, 7168, 8, 16
	}
	exchange := func(f *collective.Fabric, n int, r collective.Routing, style collective.ExchangeStyle, combine bool) float64 {
		var p collective.Plan
		f.Exchange(&p, collective.Group{N: n, Stride: 1}, &r, style, combine, &collective.Plain)
		return p.Time(2)
	}
	for _, c := range []struct {
		name string
		edit func(*Measurement)
		want float64
	}{
		{"all-reduce", func(*Measurement) {}, testPlan(f, collective.AllReduce, collective.Group{N: 16, Stride: 1}, &collective.Plain).Time(1 << 30)},
		{"ring", func(r *Measurement) { r.Algo = "ring, MIN_CTAS=24" }, testPlan(only, collective.AllReduce, collective.Group{N: 16, Stride: 1}, &collective.Plain).Time(1 << 30)},
		{"just ring", func(r *Measurement) { r.Algo = "ring" }, testPlan(only, collective.AllReduce, collective.Group{N: 16, Stride: 1}, &collective.Plain).Time(1 << 30)},
		{"ring and more", func(r *Measurement) { r.Algo = "ring LL to 1 MiB, NVLS from 2 MiB" }, testPlan(f, collective.AllReduce, collective.Group{N: 16, Stride: 1}, &collective.Plain).Time(1 << 30)},
		{"all-gather", func(r *Measurement) { r.Collective = "all_gather" }, testPlan(f, collective.AllGather, collective.Group{N: 16, Stride: 1}, &collective.Plain).Time(1 << 30)},
		{"all-to-all", func(r *Measurement) { r.Collective = "alltoall" }, testPlan(f, collective.AllToAll, collective.Group{N: 16, Stride: 1}, &collective.Plain).Time(1 << 30)},
		{"all-to-all, longer name", func(r *Measurement) { r.Collective = "all_to_all" }, testPlan(f, collective.AllToAll, collective.Group{N: 16, Stride: 1}, &collective.Plain).Time(1 << 30)},
		{"reduce", func(r *Measurement) { r.Collective = "reduce" }, testPlan(f, collective.Broadcast, collective.Group{N: 16, Stride: 1}, &collective.Plain).Time(1 << 30)},
		{"all ranks", func(r *Measurement) { expert(r); r.Stack, r.EP = "deepep", 16 }, exchange(f, 16, routing, collective.ExchangeDeduplicated, false)},
		{"node", func(r *Measurement) { r.GPUs, r.InterGbpsPerGPU = 8, nil }, testPlan(node, collective.AllReduce, collective.Group{N: 8, Stride: 1}, &collective.Plain).Time(1 << 30)},
		{"eight a node", func(r *Measurement) { r.GPUsPerNode = 0 }, testPlan(f, collective.AllReduce, collective.Group{N: 16, Stride: 1}, &collective.Plain).Time(1 << 30)},
		{"per node", func(r *Measurement) { r.InterGbpsPerGPU, r.InterGbpsPerNode = nil, 1600 }, testPlan(f, collective.AllReduce, collective.Group{N: 16, Stride: 1}, &collective.Plain).Time(1 << 30)},
		{"one a node", func(r *Measurement) { r.GPUs, r.GPUsPerNode, r.IntraGBPerS = 2, 1, nil }, testPlan(flat, collective.AllReduce, collective.Group{N: 2, Stride: 1}, &collective.Plain).Time(1 << 30)},
		{"sharp", func(r *Measurement) { r.SHARP = true }, testPlan(testFabric(t, sharp, collective.Derate{}), collective.AllReduce, collective.Group{N: 16, Stride: 1}, &collective.Plain).Time(1 << 30)},
		{"oversubscribed", func(r *Measurement) { r.Oversubscription = 2 }, testPlan(testFabric(t, leaf, collective.Derate{}), collective.AllReduce, collective.Group{N: 16, Stride: 1}, &collective.Plain).Time(1 << 30)},
		{"rails", func(r *Measurement) { r.Oversubscription, r.Rails = 2, 8 }, testPlan(f, collective.AllReduce, collective.Group{N: 16, Stride: 1}, &collective.Plain).Time(1 << 30)},
		{"dispatch", expert, exchange(f, 16, free, collective.ExchangePermuted, false)},
		{"deepep", func(r *Measurement) { expert(r); r.Stack = "deepep" }, exchange(f, 16, routing, collective.ExchangeDeduplicated, false)},
		{"mori", func(r *Measurement) { expert(r); r.Stack = "mori" }, exchange(f, 16, routing, collective.ExchangeDeduplicated, false)},
		{"combine", func(r *Measurement) { expert(r); r.Stack, r.Collective = "deepep", "combine" }, exchange(f, 16, routing, collective.ExchangeDeduplicated, true)},
		{"fewer ranks", func(r *Measurement) { expert(r); r.Stack, r.EP = "deepep", 12 }, exchange(f, 12, routing, collective.ExchangeDeduplicated, false)},
	} {
		r := collectiveRow()
		c.edit(&r)
		if got, err := r.PredictCollective(&testLinks); err != nil || !near(got, c.want*1e6, 1e-9) {
			t.Errorf("%s: %v us, %v; want %v", c.name, got, err, c.want*1e6)
		}
	}
	r := collectiveRow()
	r.InterGbpsPerGPU, r.InterGbpsPerNode = nil, 1600
	if n, err := r.Network(); err != nil || n.Tiers[1].BytesPerSecond != 25e9 {
		t.Errorf("1600 Gbit/s a node of eight: %+v, %v", n, err)
	}
}

func TestCollectivePredictRefuses(t *testing.T) {
	expert := func(r *Measurement) {
		r.Collective, r.Bytes, r.Tokens, r.Hidden, r.TopK, r.Bits = "dispatch", 0, 128, 7168, 8, 16
	}
	zero := 0.0
	for _, c := range []struct {
		want string
		edit func(*Measurement)
	}{
		{"gpus is 1", func(r *Measurement) { r.GPUs = 1 }},
		{"no intra_gb_per_s for 8 GPUs", func(r *Measurement) { r.IntraGBPerS = nil }},
		{"no intra_gb_per_s", func(r *Measurement) { r.IntraGBPerS = &zero }},
		{"no inter_gbps_per_gpu for 16 GPUs", func(r *Measurement) { r.InterGbpsPerGPU = nil }},
		{`unknown collective "gather_reduce"`, func(r *Measurement) { r.Collective = "gather_reduce" }},
		{`unknown collective ""`, func(r *Measurement) { r.Collective = "" }},
		{"bytes is 0", func(r *Measurement) { r.Bytes = 0 }},
		{"positive tokens", func(r *Measurement) { expert(r); r.Tokens = 0 }},
		{"positive hidden", func(r *Measurement) { expert(r); r.Hidden = -1 }},
		{"positive topk", func(r *Measurement) { expert(r); r.TopK = 0 }},
		{"positive bits", func(r *Measurement) { expert(r); r.Bits = 0 }},
		{"ep 17, and gpus is 16", func(r *Measurement) { expert(r); r.EP = 17 }},
		{"ep -1, and gpus is 16", func(r *Measurement) { expert(r); r.EP = -1 }},
		{"gpus_per_node is -1", func(r *Measurement) { r.GPUsPerNode = -1 }},
		{"oversubscription is -1", func(r *Measurement) { r.Oversubscription = -1 }},
	} {
		r := collectiveRow()
		c.edit(&r)
		_, err := r.PredictCollective(&testLinks)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "row "+r.ID) {
			t.Errorf("got %v, want an error of the row with %q", err, c.want)
		}
	}
}

func TestCollectiveRowNames(t *testing.T) {
	yes, no := true, false
	r := collectiveRow()
	if v, err := r.Measured(); err != nil || v != 100 || !r.IsCollective() || r.FabricOf() != "nccl-test" {
		t.Errorf("measured %v, %v; collective %v of %s", v, err, r.IsCollective(), r.FabricOf())
	}
	if r.Unhealthy() {
		t.Error("unhealthy though nothing says so")
	}
	r.Healthy = &yes
	if r.Unhealthy() {
		t.Error("unhealthy though it says healthy")
	}
	r.Healthy = &no
	if !r.Unhealthy() {
		t.Error("healthy though it says not")
	}
	r.ID, r.Quantity = "allreduce-x", ""
	if r.FabricOf() != "h100-sxm/nccl/8" || r.IsCollective() {
		t.Errorf("without a name: %s, collective %v", r.FabricOf(), r.IsCollective())
	}
	for id, want := range map[string]string{"a-b-dispatch-8": "a-b", "x-combine-8-1": "x", "y-sendrecv": "y", "z-reducescatter-2": "z"} {
		r.ID = id
		if got := r.FabricOf(); got != want {
			t.Errorf("%s is of %s, want %s", id, got, want)
		}
	}
}
