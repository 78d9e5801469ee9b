package presets

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"vcsim/internal/codecpoint"
	"vcsim/internal/config"
)

// An OwnCodec is a user's codec, from a YAML file of the fields of a point. Rates are of one instance, in payload.
type OwnCodec struct {
	EncodeGbps     float64 `yaml:"encode_gbps"`
	DecodeGbps     float64 `yaml:"decode_gbps"`
	EncodeMM2      float64 `yaml:"encode_mm2"`
	DecodeMM2      float64 `yaml:"decode_mm2"`
	EncodePJPerBit float64 `yaml:"encode_pj_per_bit"` // of payload
	DecodePJPerBit float64 `yaml:"decode_pj_per_bit"`
	Instances      int     `yaml:"instances"`   // of each; 0: the fewest that carry the link
	Ratio          float64 `yaml:"ratio"`       // of all traffic; 0: the bits a value of the job
	ChunkBytes     float64 `yaml:"chunk_bytes"` // of payload that goes through as one piece; 0: 16 KiB
	Source         string  `yaml:"source"`
}

// ownChunk is the piece of a codec whose file names none.
const ownChunk = 16 << 10

// ownCodec reads a user's codec.
func (o *CodecOptions) ownCodec(path string) (Codec, error) {
	var own OwnCodec
	if err := config.Load(path, &own); err != nil {
		return Codec{}, err
	}
	for _, v := range []struct {
		field      string
		value, max float64
	}{{"encode_gbps", own.EncodeGbps, 1e9}, {"decode_gbps", own.DecodeGbps, 1e9}, {"encode_mm2", own.EncodeMM2, 1e6}, {"decode_mm2", own.DecodeMM2, 1e6},
		{"encode_pj_per_bit", own.EncodePJPerBit, 1e6}, {"decode_pj_per_bit", own.DecodePJPerBit, 1e6}, {"instances", float64(own.Instances), 1 << 16},
		{"ratio", own.Ratio, 1000}, {"chunk_bytes", own.ChunkBytes, 1e12}} {
		if !(v.value >= 0 && v.value <= v.max) {
			return Codec{}, fmt.Errorf("%s: %s is %v, want 0 to %v", path, v.field, v.value, v.max)
		}
	}
	switch {
	case own.EncodeGbps == 0 || own.DecodeGbps == 0:
		return Codec{}, fmt.Errorf("%s: encode_gbps and decode_gbps are needed: payload of one instance", path)
	case own.Ratio != 0 && own.Ratio < 1:
		return Codec{}, fmt.Errorf("%s: ratio is %v, want 1 or more", path, own.Ratio)
	case own.Source == "":
		return Codec{}, fmt.Errorf("%s: source is needed: where the figures come from", path)
	}
	p := codecpoint.Point{Name: strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), EncodeBPS: own.EncodeGbps * 1e9, DecodeBPS: own.DecodeGbps * 1e9,
		Instances: own.Instances, ChunkBytes: own.ChunkBytes, EncodePJPerBit: own.EncodePJPerBit, DecodePJPerBit: own.DecodePJPerBit,
		EncodeMM2: own.EncodeMM2, DecodeMM2: own.DecodeMM2, HasArea: own.EncodeMM2+own.DecodeMM2 > 0}
	if p.ChunkBytes == 0 {
		p.ChunkBytes = ownChunk
	}
	bits := o.Point.Demand.Bits
	if own.Ratio > 0 {
		p.Traffic.Bits = 16 / own.Ratio
		bits = [codecpoint.MaxClasses]float64{p.Traffic.Bits, p.Traffic.Bits, p.Traffic.Bits, p.Traffic.Bits}
	}
	if o.Point.Instances > 0 {
		p.Instances = o.Point.Instances
	}
	if p.Instances == 0 {
		p.Instances, p.Chosen = 1, true
		for _, b := range bits {
			if b > 0 && b < 16 {
				p.Instances = max(p.Instances, int(math.Ceil(o.Point.Demand.LinkBPS*16/b/min(p.EncodeBPS, p.DecodeBPS)-1e-9)))
			}
		}
	}
	p.Source = fmt.Sprintf("%s: %s", path, own.Source)
	for _, f := range []codecpoint.Figure{{What: "encoder rate", Value: own.EncodeGbps, Unit: "Gbps of payload"}, {What: "decoder rate", Value: own.DecodeGbps, Unit: "Gbps of payload"},
		{What: "encoder area", Value: own.EncodeMM2, Unit: "mm2"}, {What: "decoder area", Value: own.DecodeMM2, Unit: "mm2"},
		{What: "encoder energy", Value: own.EncodePJPerBit, Unit: "pJ per payload bit"}, {What: "decoder energy", Value: own.DecodePJPerBit, Unit: "pJ per payload bit"}} {
		f.File, f.Note = path, own.Source
		p.Figures = append(p.Figures, f)
	}
	return o.codec(&p)
}
