package collective

import (
	"fmt"
	"math"
	"strings"
)

// A Family is a kind of link: its constants belong to the kind, its rate to
// the tier that it joins.
type Family uint8

const (
	FamilyDefault Family = iota // NVLink4 inside a node, InfiniBand between nodes
	NVLink2                     // V100
	NVLink3                     // A100
	NVLink4                     // Hopper; the switch reduces (NVLS)
	NVLink5                     // Blackwell; the switch reduces (NVLS)
	XGMI                        // AMD Instinct: every GPU has a link of its own to every other one
	PCIe                        // through the host's root complex or a switch
	InfiniBand
	RoCE
	EFA       // AWS, GPUDirect RDMA (A100 and later)
	EFAStaged // AWS before GPUDirect: every byte passes the host's memory
	TCPXO     // Google GPUDirect-TCPXO (A3 Mega)
	TCPX      // Google GPUDirect-TCPX (A3 High)
	TCP       // sockets through the host's memory
	numFamilies
)

var familyNames = [numFamilies]string{"default", "nvlink2", "nvlink3", "nvlink4", "nvlink5", "xgmi", "pcie",
	"infiniband", "roce", "efa", "efa-staged", "tcpxo", "tcpx", "tcp"}

func (f Family) String() string { return familyNames[f] }

// MarshalText is the inverse of UnmarshalText.
func (f Family) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText accepts the names that String gives.
func (f *Family) UnmarshalText(text []byte) error {
	for i, n := range familyNames {
		if n == string(text) {
			*f = Family(i)
			return nil
		}
	}
	return fmt.Errorf("link family %q, want one of %s", text, strings.Join(familyNames[1:], ", "))
}

// Network reports whether the family joins nodes rather than the GPUs of one.
func (f Family) Network() bool { return f >= InfiniBand }

// gpuFamilies names the links inside a node by the beginning of a preset's name.
var gpuFamilies = []struct {
	prefix string
	family Family
}{
	{"v100", NVLink2}, {"a100", NVLink3}, {"a800", NVLink3},
	{"h100-pcie", PCIe}, {"h100", NVLink4}, {"h200", NVLink4}, {"h800", NVLink4}, {"h20", NVLink4}, {"gh200", NVLink4},
	{"b100", NVLink5}, {"b200", NVLink5}, {"b300", NVLink5}, {"gb200", NVLink5}, {"gb300", NVLink5},
	{"mi", XGMI},
}

// FamiliesOf maps the names of published measurements to kinds of links:
// intra from the GPU, inter from the fabric where it is named (infiniband,
// roce, efa, ethernet, ...) and from the stack's suffix (nccl+efa,
// nccl+tcpx, ...) where not. Unnamed networks are InfiniBand, unknown GPUs
// have PCIe.
func FamiliesOf(gpu, stack, fabric string) (intra, inter Family) {
	intra = PCIe
	for _, g := range gpuFamilies {
		if strings.HasPrefix(gpu, g.prefix) {
			intra = g.family
			break
		}
	}
	name := fabric
	if name == "" {
		_, name, _ = strings.Cut(stack, "+")
	}
	switch name {
	case "roce":
		inter = RoCE
	case "efa":
		inter = EFA
		if intra == NVLink2 {
			inter = EFAStaged
		}
	case "tcpxo":
		inter = TCPXO
	case "tcpx":
		inter = TCPX
	case "tcp", "socket", "ethernet":
		inter = TCP
	default:
		inter = InfiniBand
	}
	return intra, inter
}

// The protocols of NCCL: LL sends a flag with every 4 bytes, LL128 one with
// every 120, Simple synchronises per chunk.
const (
	protoLL = iota
	protoLL128
	protoSimple
	numProtos
)

// What NCCL itself assumes, src/graph/tuning.cc of NCCL 2.28
// (ncclTunerConstantsDefaults), in microseconds by protocol.
var (
	ringBaseUS = [numProtos]float64{6.6, 14.0, 8.4}
	treeBaseUS = [numProtos]float64{6.8, 14.0, 8.4}

	nvlinkRingUS = [numProtos]float64{0.6, 1.9, 3.4}
	nvlinkTreeUS = [numProtos]float64{0.6, 1.25, 4.0}
	pcieRingUS   = [numProtos]float64{1.0, 2.5, 5.7}
	pcieTreeUS   = [numProtos]float64{1.0, 1.9, 4.0}

	// A hop of the network by protocol, against its LL hop: 5.0, 8.5, 14 us.
	networkHop = [numProtos]float64{1, 8.5 / 5.0, 14 / 5.0}

	// Part of the wire that a protocol leaves to data, and what of that a tree
	// reaches.
	ringShare = [numProtos]float64{0.5, 0.92, 1}
	treeShare = [numProtos]float64{0.92 / 3.8, 0.92 * 120 / 128, 0.92}

	// A tree's part of what it moves inside one node, over two nodes and more,
	// by protocol (perChMaxTreeBws and perChMaxTreeLL128Bws, GB/s per channel).
	treeAmpere    = [2][numProtos]float64{{1, 1, 23.6 / 24.0}, {1, 1, 17.8 / 24.0}}
	treeHopper    = [2][numProtos]float64{{1, 1, 1}, {1, 29.0 / 36.7, 36.0 / 38.7}}
	treeBlackwell = [2][numProtos]float64{{1, 31.67 / 55.6, 42.8 / 70.0}, {1, 20.0 / 55.6, 24.0 / 70.0}}
	treeAny       = [2][numProtos]float64{{1, 1, 1}, {1, 1, 1}}

	// LL between nodes: bytes/s of a node, two nodes and more (llMaxBws,
	// Hopper).
	llNode = [2]float64{45e9, 35e9}
)

// More of the same table.
const (
	patBaseUS = 8.0
	patShare  = 0.75 // of a ring's bandwidth that parallel aggregated trees reach
	nvlsUS    = 25.0

	// NVLS of Blackwell against Hopper (nvlsEfficiency), and the NVLS tree
	// over more than two domains against two (perChMaxNVLSTreeBws of 2.26).
	nvlsBlackwell     = 0.74 / 0.85
	nvlsManyHopper    = 45.5 / 57.7
	nvlsManyBlackwell = 43.8 / 96
	nvlsLeast         = 3 // GPUs of a domain from which NVLS is used

	networkPeer = 2.7 / 5.0 // a further peer of an all-to-all against an LL hop: ring and tree of the network
)

// Links that no published collective of the fitted files used.
const (
	pcieFraction = 0.76 // NCCL src/graph/topo.h: 12 of the 15.75 GB/s of PCIe 3.0 x16
	tcpHopUS     = 35.0 // an 8-byte broadcast between two nodes over sockets takes 38 to 46 us, NVIDIA/nccl-tests issue 82
	tcpFraction  = 0.7  // sockets below the node's limit: 0.46 to 0.97 of 32 Gbit/s, NVIDIA/nccl issue 209
	tcpNodeBytes = 6e9  // most that sockets move per node: 4 to 6 GB/s, NVIDIA/nccl issue 450
)

const microsecond = 1e-6 // seconds

// MaxOversubscription is the most that a [Tier] may say.
const MaxOversubscription = 1e3

// LinkConstants are what the families reach, fitted on published collectives
// (see [FitLinks]); everything else in the collective model is the algorithm's
// definition or NCCL's own table.
type LinkConstants struct {
	NVLinkRing      float64 `yaml:"nvlink_ring"`       // ring over NVLink 2 to 4, part of the link's rate
	NVLink5Ring     float64 `yaml:"nvlink5_ring"`      // ring over NVLink 5
	NVLinkExchange  float64 `yaml:"nvlink_exchange"`   // all-to-all over NVLink
	NVLS            float64 `yaml:"nvls"`              // all-reduce in the switch of NVLink 4: buffer bytes/s over the link's rate
	NVLSTree        float64 `yaml:"nvls_tree"`         // the same between two domains, part of NVLS
	XGMIRing        float64 `yaml:"xgmi_ring"`         // ring over xGMI
	XGMIExchange    float64 `yaml:"xgmi_exchange"`     // all-to-all over xGMI
	RDMA            float64 `yaml:"rdma"`              // InfiniBand, RoCE, EFA and TCPXO: part of the NIC's rate
	RDMAExchange    float64 `yaml:"rdma_exchange"`     // the same in an all-to-all, whose messages collide
	TCPX            float64 `yaml:"tcpx"`              // TCPX: part of the NIC's rate
	RDMAHopUS       float64 `yaml:"rdma_hop_us"`       // one LL hop over InfiniBand or RoCE, microseconds
	EFAHopUS        float64 `yaml:"efa_hop_us"`        // the same over EFA
	TCPXOHopUS      float64 `yaml:"tcpxo_hop_us"`      // the same over TCPXO
	TCPXHopUS       float64 `yaml:"tcpx_hop_us"`       // the same over TCPX
	StagedGBPerS    float64 `yaml:"staged_gb_per_s"`   // most that a node moves through host memory, 1e9 bytes/s
	NetworkUS       float64 `yaml:"network_us"`        // start of a collective between nodes of several GPUs, microseconds
	Chunk           float64 `yaml:"chunk"`             // cost of a chunk's synchronisation against the latency of its path
	LowLatencyUS    float64 `yaml:"low_latency_us"`    // start of a low-latency expert exchange, microseconds
	DeduplicatedUS  float64 `yaml:"deduplicated_us"`   // start of a deduplicated expert exchange, microseconds
	DeduplicatedNVL float64 `yaml:"deduplicated_node"` // expert exchange inside a node, part of its all-to-all
}

// DefaultLinkConstants are the fitted ones: vcsim validate collectives
// nccl_h100 --fit links.
func DefaultLinkConstants() LinkConstants {
	return LinkConstants{
		NVLinkRing: 0.743, NVLink5Ring: 0.557, NVLinkExchange: 0.748, NVLS: 0.631, NVLSTree: 0.918,
		XGMIRing: 0.71, XGMIExchange: 0.691, RDMA: 0.955, RDMAExchange: 0.898, TCPX: 0.96,
		RDMAHopUS: 9.72, NetworkUS: 21.3, EFAHopUS: 31.3, TCPXOHopUS: 41.3, TCPXHopUS: 150, StagedGBPerS: 8.87, Chunk: 0.287,
		LowLatencyUS: 34.4, DeduplicatedUS: 75.5, DeduplicatedNVL: 0.901,
	}
}

// A LinkConstant is a constant with its name, its bounds, and what it would be
// taken for without a measurement.
type LinkConstant struct {
	Name               string   // as in YAML
	At                 *float64 // its place in the set
	Least, Most, Prior float64
}

// All lists the constants in the order of the struct. The bounds are what
// physics allows: no part above 1, no hop below a switch's 0.5 us.
func (c *LinkConstants) All() []LinkConstant {
	return []LinkConstant{
		{"nvlink_ring", &c.NVLinkRing, 0.4, 1, 0.8}, {"nvlink5_ring", &c.NVLink5Ring, 0.4, 1, 0.8},
		{"nvlink_exchange", &c.NVLinkExchange, 0.4, 1, 0.8}, {"nvls", &c.NVLS, 0.3, 1, 0.7}, {"nvls_tree", &c.NVLSTree, 0.3, 1, 0.9},
		{"xgmi_ring", &c.XGMIRing, 0.4, 1, 0.8}, {"xgmi_exchange", &c.XGMIExchange, 0.4, 1, 0.8},
		{"rdma", &c.RDMA, 0.5, 1, 0.96}, {"rdma_exchange", &c.RDMAExchange, 0.5, 1, 0.96}, {"tcpx", &c.TCPX, 0.5, 1, 0.96},
		{"rdma_hop_us", &c.RDMAHopUS, 0.5, 100, 5}, {"efa_hop_us", &c.EFAHopUS, 0.5, 200, 5},
		{"tcpxo_hop_us", &c.TCPXOHopUS, 0.5, 500, 35}, {"tcpx_hop_us", &c.TCPXHopUS, 0.5, 2000, 35},
		{"staged_gb_per_s", &c.StagedGBPerS, 1, 50, 12}, {"network_us", &c.NetworkUS, 0.5, 100, 5}, {"chunk", &c.Chunk, 0.001, 2, 1},
		{"low_latency_us", &c.LowLatencyUS, 1, 200, 15}, {"deduplicated_us", &c.DeduplicatedUS, 1, 1000, 50},
		{"deduplicated_node", &c.DeduplicatedNVL, 0.3, 1, 1},
	}
}

// PriorLinkConstants are what one would assume without a measurement: NCCL's
// table where it has the constant (a network hop of 5 us, 12 of 12.5 GB/s of a
// NIC), the latency of sockets where data pass the host, round numbers
// elsewhere. Fits start from them.
func PriorLinkConstants() LinkConstants {
	var c LinkConstants
	for _, k := range c.All() {
		*k.At = k.Prior
	}
	return c
}

// Validate reports the first constant outside its bounds.
func (c *LinkConstants) Validate() error {
	for _, k := range c.All() {
		if !(*k.At >= k.Least && *k.At <= k.Most) || math.IsNaN(*k.At) {
			return fmt.Errorf("link constants: %s is %v, want %v to %v", k.Name, *k.At, k.Least, k.Most)
		}
	}
	return nil
}

// LinkConstantNames lists the names that [FitLinks] can free.
func LinkConstantNames() []string {
	var c LinkConstants
	var names []string
	for _, k := range c.All() {
		names = append(names, k.Name)
	}
	return names
}
