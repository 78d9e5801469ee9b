package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"vcsim/cluster"
	"vcsim/internal/config"
)

// instanceBPS is the payload rate of one engine of the paper's Table II: 13 of
// them make up the 100 Gbps to which its rows are normalised.
const (
	tableInstances = 13
	tableBPS       = 100e9
	chunkBytes     = 16 << 10 // payload that goes through encoder, wire and decoder as one piece
)

// codecRow is a preset of internal/config/presets/codecs.yaml.
type codecRow struct {
	Encoder codecHalf `yaml:"encoder"`
	Decoder codecHalf `yaml:"decoder"`
}

type codecHalf struct {
	PowerW        float64 `yaml:"power_w"`
	AreaMM2       float64 `yaml:"area_mm2"`
	EnergyPrinted float64 `yaml:"energy_printed"`
	PJPerRawBit   float64 `yaml:"pj_per_raw_bit"`
	InstanceMW    float64 `yaml:"instance_mw"`
	InstanceMM2   float64 `yaml:"instance_mm2"`
}

// codecOptions say how the codec points are built.
type codecOptions struct {
	gpuName    string
	gpu        *cluster.GPU
	bits       cluster.Bits
	instances  int
	serial     bool
	bypass     cluster.Bypass
	paper      bool    // energy as printed, pJ per payload bit
	warmup     float64 // of codecs; the 1-bit schemes have their own
	nvencFP16  bool    // NVENC's MB/s read as bytes of FP16 instead of 8-bit pixels
	forceNVENC bool
}

// A codecPoint is a codec with what the reader must know of its figures.
type codecPoint struct {
	cluster.Codec
	hardware bool // has an area
	source   string
}

var paperCodecs = []string{"t264", "t265", "h264", "h265"}

const (
	onebitWarmup = 0.15 // of the steps: 1-bit Adam and 1-bit LAMB as the paper compares them, 3.25 bits on average
	onebitBits   = 1
)

// codecNames are the names that codec takes, rtn-4 standing for rtn-K.
func codecNames() []string {
	return append(slices.Clone(paperCodecs), "nvenc", "none", "ideal", "rtn-4", "1bit-adam", "1bit-lamb")
}

// defaultCodecs are shown where --codec is not given.
func defaultCodecs(g *cluster.GPU, infer bool) []string {
	names := []string{"ideal", "t264", "t265", "h264", "h265"}
	if g.NVENC > 0 {
		names = append(names, "nvenc")
	}
	if infer {
		return names
	}
	return append(names, "rtn-4", "1bit-adam")
}

// point builds the codec of a name.
func (o *codecOptions) point(name string) (codecPoint, error) {
	p := codecPoint{Codec: cluster.Codec{Name: name, Bits: o.bits, Serial: o.serial, Bypass: o.bypass, Warmup: o.warmup}}
	switch {
	case name == "none":
		p.Bits, p.source = cluster.Bits{}, "uncompressed FP16"
	case name == "ideal":
		p.source = "the ratio alone: no rate limit, area or energy"
	case slices.Contains(paperCodecs, name):
		row, err := config.Preset[codecRow]("codecs", name)
		if err != nil {
			return p, err
		}
		e, d := &row.Value.Encoder, &row.Value.Decoder
		p.Instances = o.instances
		p.EncodeBPS, p.DecodeBPS = tableBPS/tableInstances, tableBPS/tableInstances
		p.ChunkBytes = chunkBytes
		p.EncodeMM2, p.DecodeMM2 = e.AreaMM2/tableInstances, d.AreaMM2/tableInstances
		p.EncodePJPerBit, p.DecodePJPerBit = e.EnergyPrinted/cluster.PayloadBits, d.EnergyPrinted/cluster.PayloadBits
		if o.paper {
			p.EncodePJPerBit, p.DecodePJPerBit = e.EnergyPrinted, d.EnergyPrinted
		}
		p.hardware = true
		p.source = fmt.Sprintf("paper, Table II (ASAP7): %d instances of %.2f Gbps", o.instances, tableBPS/tableInstances/1e9)
	case name == "nvenc":
		return o.nvenc(p)
	case name == "1bit-adam" || name == "1bit-lamb":
		p.Bits = cluster.Bits{}
		p.Bits[cluster.Grad] = onebitBits
		p.Gather, p.Warmup = true, onebitWarmup
		p.source = "traffic only: gradients of 1 bit after 15 % of the steps (mean 3.25)"
	case strings.HasPrefix(name, "rtn-"):
		k, err := strconv.Atoi(name[len("rtn-"):])
		if err != nil || k < 1 || k > 8 {
			return p, fmt.Errorf("codec %q: rtn-K wants K from 1 to 8", name)
		}
		for i := range p.Bits {
			p.Bits[i] = float64(k)
		}
		p.source = fmt.Sprintf("traffic only: round to nearest, %d bits a value", k)
	default:
		return p, fmt.Errorf("unknown codec %q (%s)%s", name, strings.Join(codecNames(), ", "), config.DidYouMean(name, codecNames()))
	}
	return p, p.Validate()
}

// nvenc is the GPU's own video engines as a tensor codec.
func (o *codecOptions) nvenc(p codecPoint) (codecPoint, error) {
	const paperEncode, paperDecode = 900e6, 1100e6 // bytes of 8-bit luma per second, paper section VI
	if o.gpu.NVENC == 0 && !o.forceNVENC {
		return p, fmt.Errorf("codec nvenc: %s has no video encoder (A100, H100, H200, B200 and MI300X have none; the paper's NVENC case runs on RTX, L40S and V100); --force-nvenc adds a hypothetical one", o.gpuName)
	}
	engines := max(1, o.gpu.NVENC)
	encode, decode := paperEncode*float64(engines), paperDecode*float64(engines)
	from := "(RTX 3090, paper, per engine)"
	if e, d := o.gpu.NVENCMBPerS, o.gpu.NVDECMBPerS; e != nil && d != nil {
		encode, decode, from = *e*1e6, *d*1e6, "(paper)"
	}
	valueBits := float64(cluster.PayloadBits) // an 8-bit pixel carries one value, 16 bits of payload
	reading := "8-bit pixels"
	if o.nvencFP16 {
		valueBits, reading = 8, "bytes of FP16 payload"
	}
	p.EncodeBPS, p.DecodeBPS = encode*valueBits, decode*valueBits
	p.Instances, p.ChunkBytes = 1, chunkBytes
	// Its energy is not published; the paper's H.265 engines stand in.
	row, err := config.Preset[codecRow]("codecs", "h265")
	if err != nil {
		return p, err
	}
	p.EncodePJPerBit, p.DecodePJPerBit = row.Value.Encoder.EnergyPrinted/cluster.PayloadBits, row.Value.Decoder.EnergyPrinted/cluster.PayloadBits
	if o.paper {
		p.EncodePJPerBit, p.DecodePJPerBit = row.Value.Encoder.EnergyPrinted, row.Value.Decoder.EnergyPrinted
	}
	p.source = fmt.Sprintf("%.0f/%.0f MB/s %s, %s: %.1f/%.1f Gbps; energy as H.265",
		encode/1e6, decode/1e6, from, reading, p.EncodeBPS/1e9, p.DecodeBPS/1e9)
	if o.gpu.NVENC == 0 {
		p.source = "hypothetical (" + o.gpuName + " has no encoder): " + p.source
	}
	return p, p.Validate()
}
