package presets

import (
	"errors"
	"fmt"
	"strings"

	"vcsim/cluster"
	"vcsim/internal/codecpoint"
	"vcsim/internal/config"
)

// A Codec is a codec of the cluster model with what the reader must know of its figures.
type Codec struct {
	cluster.Codec
	Uncompressed bool // leaves all traffic as it is
	HasArea      bool
	Source       string
	Point        codecpoint.Point // its figures with their origin
	Basis        string           // at which bits it is compared: "" for its own or the user's
}

// CodecOptions say how the codecs of a job are built.
type CodecOptions struct {
	Point  codecpoint.Options
	Bits   cluster.Bits // a value, by class of traffic
	Serial bool
	Bypass cluster.Bypass
	Warmup float64 // of codecs; the 1-bit schemes have their own

	// Whose kernels run number formats and quantised collectives; nil: there are none.
	GPU *cluster.GPU
	Eff *cluster.Efficiency
}

// Engines is Table II of the paper by codec.
func Engines() (map[string]codecpoint.Engine, error) {
	rows, err := config.Presets[codecpoint.Engine]("codecs")
	if err != nil {
		return nil, err
	}
	table := map[string]codecpoint.Engine{}
	for _, r := range rows {
		table[r.Name] = r.Value
	}
	return table, nil
}

// Video is what a GPU has in video engines.
func Video(name string, g *cluster.GPU) codecpoint.Video {
	v := codecpoint.Video{GPU: name, Encoders: g.NVENC, Decoders: g.NVENC, EncodeMBPerS: g.NVENCMBPerS, DecodeMBPerS: g.NVDECMBPerS}
	if g.NVDEC != nil {
		v.Decoders = *g.NVDEC
	}
	return v
}

// planes are the classes of planes whose rates serve the classes of traffic.
var planes = [codecpoint.MaxClasses]string{cluster.Grad: "gradients", cluster.Act: "activations", cluster.ActGrad: "gradients", cluster.Param: "weights"}

// Serve has a codec of our own carry a link of so many bits per second with the bits a value of o.
func (o *CodecOptions) Serve(link float64) {
	o.Point.Demand = codecpoint.Demand{Bits: o.Bits, Planes: planes, LinkBPS: link}
}

// Codec builds the codec of a name.
func (o *CodecOptions) Codec(name string) (Codec, error) {
	if isFile(name) {
		return o.ownCodec(name)
	}
	if c, ok, err := o.alternative(name); ok {
		return c, err
	}
	p, err := codecpoint.New(name, &o.Point)
	var unknown codecpoint.UnknownError
	if errors.As(err, &unknown) {
		return Codec{}, fmt.Errorf("unknown codec %q (%s)%s", name, strings.Join(CodecNames(), ", "), config.DidYouMean(name, CodecNames()))
	}
	if err != nil {
		return Codec{}, err
	}
	return o.codec(&p)
}

// codec copies a point into what the cluster model takes.
func (o *CodecOptions) codec(p *codecpoint.Point) (Codec, error) {
	c := Codec{Uncompressed: p.Traffic.None, HasArea: p.HasArea, Source: p.Source, Codec: cluster.Codec{
		Name: p.Name, Bits: o.bits(&p.Traffic), EncodeBPS: cluster.BitsPerSecond(p.EncodeBPS), DecodeBPS: cluster.BitsPerSecond(p.DecodeBPS), Instances: p.Instances,
		Serial: o.Serial, ChunkBytes: p.ChunkBytes, Bypass: o.Bypass, Gather: p.Traffic.Gather, Warmup: o.Warmup,
		EncodePJPerBit: p.EncodePJPerBit, DecodePJPerBit: p.DecodePJPerBit, EncodeMM2: p.EncodeMM2, DecodeMM2: p.DecodeMM2}}
	c.Point = *p
	for class := range c.ClassEncodeBPS {
		c.ClassEncodeBPS[class], c.ClassDecodeBPS[class] = cluster.BitsPerSecond(p.EncodeClass[class]), cluster.BitsPerSecond(p.DecodeClass[class])
	}
	if p.Traffic.Warmup > 0 {
		c.Warmup = p.Traffic.Warmup
	}
	return c, c.Validate()
}

// bits is the width of each class of traffic; 0 leaves it uncompressed.
func (o *CodecOptions) bits(t *codecpoint.Traffic) (b cluster.Bits) {
	switch {
	case t.None:
	case t.Gradients:
		b[cluster.Grad] = t.Bits
	case t.Bits > 0:
		for i := range b {
			b[i] = t.Bits
		}
	default:
		b = o.Bits
	}
	return b
}
