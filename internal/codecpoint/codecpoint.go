// Package codecpoint gives a codec as plain numbers: payload rate, energy and area of an instance, which traffic it takes, and
// where each figure comes from. The points are our own hardware, from synthesis and clocked models; those of the paper (VcLLM, arXiv
// 2407.00467), its Table II and the video engines of a GPU; schemes that are traffic alone; and files of users.
package codecpoint

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Table II of the paper: 13 engines of 3840x2160 at 60 frames/s make up the 100 Gbps of payload to which its rows are
// normalised.
const (
	TableInstances = 13
	TableBPS       = 100e9
)

const (
	valueBits  = 16       // of payload in a value
	chunkBytes = 16 << 10 // payload that goes through encoder, wire and decoder as one piece
)

// A Half is an encoder or a decoder of Table II, the aggregate of all engines and one of them.
type Half struct {
	PowerW        float64 `yaml:"power_w"`
	AreaMM2       float64 `yaml:"area_mm2"`
	EnergyPrinted float64 `yaml:"energy_printed"` // pJ under the heading "Energy/Bit", see Reading
	PJPerRawBit   float64 `yaml:"pj_per_raw_bit"`
	InstanceMW    float64 `yaml:"instance_mw"`
	InstanceMM2   float64 `yaml:"instance_mm2"`
}

// An Engine is a codec of Table II.
type Engine struct {
	Encoder Half `yaml:"encoder"`
	Decoder Half `yaml:"decoder"`
}

// A Reading says what the printed energies of Table II are of.
type Reading uint8

const (
	PerValue Reading = iota // of a 16-bit value, as the table's numbers add up
	PerBit                  // of a payload bit, as the column is headed
)

// pj is a printed energy as pJ per payload bit.
func (r Reading) pj(printed float64) float64 {
	if r == PerBit {
		return printed
	}
	return printed / valueBits
}

// words say how a printed energy was read.
func (r Reading) words() string {
	if r == PerBit {
		return ", read as it is headed"
	}
	return ", read as that of a value of 16 bits"
}

// tableFile is where Table II is in the repository.
const tableFile = "internal/config/presets/codecs.yaml"

// A Pixel says what a byte of a video engine's rate holds.
type Pixel uint8

const (
	PixelValue Pixel = iota // an 8-bit pixel: one value, 16 bits of payload
	PixelFP16               // a byte of FP16 payload: half a value
)

// A Video is what a GPU has in video engines.
type Video struct {
	GPU                        string   // name of the GPU, for messages
	Encoders, Decoders         int      // 0: it has none, or that is not known
	EncodeMBPerS, DecodeMBPerS *float64 // of the whole GPU; nil: the paper's figures for one engine
	Pixel                      Pixel
	Force                      bool // allow one engine that the GPU does not have
}

// Traffic is what a codec takes of the traffic. The zero value takes every class, at the bits a value of the job.
type Traffic struct {
	None      bool    // nothing is compressed
	Bits      float64 // a value, where the scheme sets them itself
	Gradients bool    // weight gradients alone
	Gather    bool    // gradients are exchanged by all-to-all and all-gather, never re-encoded
	Warmup    float64 // fraction of the steps that run uncompressed, where the scheme sets it itself
}

// A Point is a codec as plain numbers.
type Point struct {
	Name    string
	Traffic Traffic

	EncodeBPS, DecodeBPS           float64 // payload bits per second of one instance; 0: unlimited
	Instances                      int     // of each; 0: not hardware that can be counted
	ChunkBytes                     float64 // payload that goes through as one piece
	EncodePJPerBit, DecodePJPerBit float64 // pJ per payload bit
	EncodeMM2, DecodeMM2           float64 // of one instance
	HasArea                        bool
	Source                         string // where the figures come from, for the reader

	// Of hardware of our own:
	EncodeClass, DecodeClass [MaxClasses]float64 // payload bits per second by class of the demand; 0: as above
	Decoders                 int                 // that make up an instance with one encoder
	Chosen                   bool                // the number of instances follows from the link
	Latency                  float64             // seconds of a macroblock through encoder and decoder
	MemoryPJPerBit           [2]float64          // low and high, per wire bit, where the stream goes through memory
	Figures                  []Figure            // each number with its origin
}

// Options say how points are built.
type Options struct {
	Table     map[string]Engine // Table II by codec
	Instances int               // of encoder and decoder; 0: 13 of the paper's, of ours the fewest that carry the link
	Spec      Spec              // of our own; the zero value is DefaultSpec of the codec
	Demand    Demand
	Reading   Reading
	Video     Video
}

// tableCodecs are the rows of Table II, by the name of the codec; tensor codecs of the paper say so.
var tableCodecs = map[string]string{"t264-paper": "t264", "t265-paper": "t265", "h264": "h264", "h265": "h265"}

// The 1-bit schemes: 1-bit Adam and 1-bit LAMB as the paper compares them, 3.25 bits on average.
const (
	onebitWarmup = 0.15 // of the steps
	onebitBits   = 1
)

// Names are the names that New takes, rtn-4 standing for rtn-K.
func Names() []string {
	return []string{"t264", "t264-paper", "t265-paper", "h264", "h265", "nvenc", "none", "ideal", "rtn-4", "1bit-adam", "1bit-lamb"}
}

// Defaults are the codecs to compare where the user names none: training adds schemes of gradients, and a GPU with video
// encoders its own.
func Defaults(video, training bool) []string {
	list := []string{"ideal", "t264", "t264-paper", "t265-paper", "h264", "h265"}
	if video {
		list = append(list, "nvenc")
	}
	if training {
		list = append(list, "rtn-4", "1bit-adam")
	}
	return list
}

// An UnknownError is returned for a name that is not among Names.
type UnknownError string

func (e UnknownError) Error() string {
	return fmt.Sprintf("unknown codec %q (%s)", string(e), strings.Join(Names(), ", "))
}

// New builds the point of a name.
func New(name string, o *Options) (Point, error) {
	p := Point{Name: name}
	switch {
	case name == "none":
		p.Traffic.None, p.Source = true, "uncompressed FP16"
	case name == "ideal":
		p.Source = "the ratio alone: no rate limit, area or energy"
	case slices.Contains(Own(), name):
		if list := Missing(name); len(list) > 0 {
			return p, fmt.Errorf("codec %s: its %s does not exist in hardware yet, and a link needs both sides; %s-paper is the row of the paper, t264 our own hardware, and codec show %s shows what there is", name, strings.Join(list, " and "), name, name)
		}
		return o.hardware(p)
	case tableCodecs[name] != "":
		return o.engine(p)
	case name == "nvenc":
		return o.nvenc(p)
	case name == "1bit-adam" || name == "1bit-lamb":
		p.Traffic = Traffic{Bits: onebitBits, Gradients: true, Gather: true, Warmup: onebitWarmup}
		p.Source = "traffic only: gradients of 1 bit after 15 % of the steps (mean 3.25)"
	case strings.HasPrefix(name, "rtn-"):
		k, err := strconv.Atoi(name[len("rtn-"):])
		if err != nil || k < 1 || k > 8 {
			return p, fmt.Errorf("codec %q: rtn-K wants K from 1 to 8", name)
		}
		p.Traffic.Bits = float64(k)
		p.Source = fmt.Sprintf("traffic only: round to nearest, %d bits a value", k)
	default:
		return p, UnknownError(name)
	}
	return p, nil
}

// engine fills in a codec of Table II.
func (o *Options) engine(p Point) (Point, error) {
	row, ok := o.Table[tableCodecs[p.Name]]
	if !ok {
		return p, fmt.Errorf("codec %s: Table II has no row of it", p.Name)
	}
	e, d := &row.Encoder, &row.Decoder
	p.Instances, p.ChunkBytes = o.Instances, chunkBytes
	if p.Instances == 0 {
		p.Instances = TableInstances
	}
	p.EncodeBPS, p.DecodeBPS = TableBPS/TableInstances, TableBPS/TableInstances
	p.EncodeMM2, p.DecodeMM2, p.HasArea = e.AreaMM2/TableInstances, d.AreaMM2/TableInstances, true
	p.EncodePJPerBit, p.DecodePJPerBit = o.Reading.pj(e.EnergyPrinted), o.Reading.pj(d.EnergyPrinted)
	p.Source = fmt.Sprintf("paper, Table II (ASAP7): %d instances of %.2f Gbps", p.Instances, TableBPS/TableInstances/1e9)
	p.Figures = []Figure{
		{"encoder rate", p.EncodeBPS / 1e9, "Gbps of payload", tableFile, "", "of the paper: 100 Gbps of Table II over its 13 engines"},
		{"decoder rate", p.DecodeBPS / 1e9, "Gbps of payload", tableFile, "", "of the paper: 100 Gbps of Table II over its 13 engines"},
		{"encoder area", p.EncodeMM2, "mm2", tableFile, "", "of the paper: Table II over its 13 engines"},
		{"decoder area", p.DecodeMM2, "mm2", tableFile, "", "of the paper: Table II over its 13 engines"},
		{"encoder energy", p.EncodePJPerBit, "pJ per payload bit", tableFile, "", "of the paper: Table II" + o.Reading.words()},
		{"decoder energy", p.DecodePJPerBit, "pJ per payload bit", tableFile, "", "of the paper: Table II" + o.Reading.words()}}
	return p, nil
}

// nvenc fills in the GPU's own video engines as a tensor codec. Their energy is not published; the paper's H.265 engines
// stand in.
func (o *Options) nvenc(p Point) (Point, error) {
	const paperEncode, paperDecode = 900e6, 1100e6 // bytes of 8-bit luma per second, paper section VI
	v := &o.Video
	if v.Encoders == 0 && !v.Force {
		return p, fmt.Errorf("codec nvenc: %s has no video encoder (A100, H100, H200, B200 and MI300X have none; the paper's NVENC case runs on RTX, L40S and V100); --force-nvenc adds a hypothetical one", v.GPU)
	}
	row, ok := o.Table["h265"]
	if !ok {
		return p, fmt.Errorf("codec nvenc: Table II has no row of h265, whose energy stands in")
	}
	engines := max(1, v.Encoders)
	encode, decode := paperEncode*float64(engines), paperDecode*float64(max(1, v.Decoders))
	if v.Encoders == 0 { // one engine that the GPU does not have
		decode = paperDecode
	}
	from := "(RTX 3090, paper, per engine)"
	switch {
	case v.EncodeMBPerS != nil && v.DecodeMBPerS != nil:
		encode, decode, from = *v.EncodeMBPerS*1e6, *v.DecodeMBPerS*1e6, "(of all engines: vcsim list gpus "+v.GPU+")"
	case v.EncodeMBPerS != nil:
		encode, from = *v.EncodeMBPerS*1e6, "(of all engines: vcsim list gpus "+v.GPU+"; decoders as the paper's RTX 3090)"
	}
	byteBits, reading := float64(valueBits), "8-bit pixels"
	if v.Pixel == PixelFP16 {
		byteBits, reading = 8, "bytes of FP16 payload"
	}
	p.EncodeBPS, p.DecodeBPS = encode*byteBits, decode*byteBits
	p.Instances, p.ChunkBytes = 1, chunkBytes
	p.EncodePJPerBit, p.DecodePJPerBit = o.Reading.pj(row.Encoder.EnergyPrinted), o.Reading.pj(row.Decoder.EnergyPrinted)
	p.Source = fmt.Sprintf("%.0f/%.0f MB/s %s, %s: %.1f/%.1f Gbps; energy as H.265",
		encode/1e6, decode/1e6, from, reading, p.EncodeBPS/1e9, p.DecodeBPS/1e9)
	origin := func(what string, bps float64, given *float64) Figure {
		if given == nil {
			return Figure{what, bps / 1e9, "Gbps of payload", "internal/config/presets/paper.yaml", "", "of the paper: 900 and 1100 MB/s of 8-bit luma of one engine (RTX 3090); " + reading}
		}
		return Figure{what, bps / 1e9, "Gbps of payload", "internal/config/presets/gpus.yaml", "", "of all engines of the GPU, whose source vcsim list gpus " + v.GPU + " names; " + reading}
	}
	const stands = "of the paper's H.265 in Table II, in the place of an energy that nobody has published"
	p.Figures = []Figure{origin("encoder rate", p.EncodeBPS, v.EncodeMBPerS), origin("decoder rate", p.DecodeBPS, v.DecodeMBPerS),
		{"encoder energy", p.EncodePJPerBit, "pJ per payload bit", tableFile, "", stands}, {"decoder energy", p.DecodePJPerBit, "pJ per payload bit", tableFile, "", stands}}
	if v.Encoders == 0 {
		p.Source = "hypothetical (" + v.GPU + " has no encoder): " + p.Source
	}
	return p, nil
}
