package cluster

import (
	"fmt"
	"math"

	"vcsim/cluster/collective"
)

// PayloadBits is the width of an uncompressed value on the wire (FP16, BF16).
const PayloadBits = 16

// BitsPerSecond is the rate of a codec, [collective.BytesPerSecond] that of a
// link: never one where the other is meant.
type BitsPerSecond float64

// A Class is a kind of traffic; each has its own bits a value.
type Class uint8

const (
	Grad    Class = iota // weight gradients (DP)
	Act                  // activations (PP and TP, forward)
	ActGrad              // gradients of activations (PP and TP, backward)
	Param                // gathered parameters (ZeRO 1 to 3)
	numClasses
)

var classNames = [numClasses]string{"weight gradients", "activations", "activation gradients", "gathered parameters"}

func (c Class) String() string { return classNames[c] }

// Bits is bits a value on the wire by class, 16 uncompressed.
type Bits [numClasses]float64

// UniformBits compresses every class by ratio.
func UniformBits(ratio float64) Bits {
	var b Bits
	for i := range b {
		b[i] = PayloadBits / ratio
	}
	return b
}

// Bypass says when messages go around the codec.
type Bypass uint8

const (
	BypassAuto   Bypass = iota // a message takes the faster way
	BypassAlways               // nothing is compressed
	BypassNever                // everything is compressed, even where that is slower
)

var bypassNames = [...]string{"auto", "always", "never"}

func (b Bypass) String() string {
	if int(b) < len(bypassNames) {
		return bypassNames[b]
	}
	return fmt.Sprintf("Bypass(%d)", uint8(b))
}

// UnmarshalText accepts auto, always and never.
func (b *Bypass) UnmarshalText(text []byte) error {
	for i, n := range bypassNames {
		if n == string(text) {
			*b = Bypass(i)
			return nil
		}
	}
	return fmt.Errorf("bypass %q, want auto, always or never", text)
}

// A Codec is what stands between memory and link on every GPU. The zero value
// compresses nothing.
type Codec struct {
	Name string
	Bits Bits // bits a value by class; 0 means 16

	// EncodeBPS and DecodeBPS are payload bits per second of one instance;
	// 0 means unlimited (an idealised codec, or a scheme run in passing by
	// the GPU's own kernels).
	EncodeBPS, DecodeBPS BitsPerSecond
	// ClassEncodeBPS and ClassDecodeBPS are those of a class, where more bits a value take a codec longer; 0 means the same as above.
	ClassEncodeBPS, ClassDecodeBPS [numClasses]BitsPerSecond
	Instances                      int // of each; 0 means 1

	Serial     bool    // encode, send, decode one after the other instead of in chunks side by side
	ChunkBytes float64 // payload of one chunk; a hop waits for its first chunk to be encoded and decoded
	Bypass     Bypass
	Gather     bool    // gradients by all-to-all and all-gather of compressed values, never re-encoded (1-bit Adam)
	NodeCopy   bool    // each node keeps a copy of the parameters that ZeRO 3 shards, and gathers from it for the backward pass (hpZ, arXiv 2306.10209)
	Warmup     float64 // fraction of the steps that run uncompressed, 0 to 1

	EncodePJPerBit, DecodePJPerBit float64 // pJ per payload bit
	EncodeMM2, DecodeMM2           float64 // mm2 of one instance
}

// Validate reports the first field outside its range.
func (c *Codec) Validate() error {
	if int(c.Bypass) >= len(bypassNames) {
		return fmt.Errorf("codec %s: bypass %v, want auto, always or never", c.Name, c.Bypass)
	}
	for class, b := range c.Bits {
		if b != 0 && !(b >= 0.001 && b <= 64) {
			return fmt.Errorf("codec %s: %v bits a value for %s, want 0.001 to 64", c.Name, b, Class(class))
		}
	}
	for class := range c.ClassEncodeBPS {
		if e, d := float64(c.ClassEncodeBPS[class]), float64(c.ClassDecodeBPS[class]); !(e >= 0 && e <= 1e18 && d >= 0 && d <= 1e18) {
			return fmt.Errorf("codec %s: rates of %s are %v and %v, want 0 to 1e18", c.Name, Class(class), e, d)
		}
	}
	for _, rate := range []BitsPerSecond{c.EncodeBPS, c.DecodeBPS} {
		if rate != 0 && rate < leastFigure {
			return fmt.Errorf("codec %s: a rate of %v bit/s, want 0 or at least %v", c.Name, float64(rate), leastFigure)
		}
	}
	for _, d := range []struct {
		name       string
		value, max float64
	}{
		{"encode rate", float64(c.EncodeBPS), 1e18}, {"decode rate", float64(c.DecodeBPS), 1e18},
		{"instances", float64(c.Instances), 1e6}, {"chunk", c.ChunkBytes, 1e12}, {"warm-up", c.Warmup, 1},
		{"encode energy", c.EncodePJPerBit, 1e9}, {"decode energy", c.DecodePJPerBit, 1e9},
		{"encode area", c.EncodeMM2, 1e6}, {"decode area", c.DecodeMM2, 1e6},
	} {
		if !(d.value >= 0 && d.value <= d.max) {
			return fmt.Errorf("codec %s: %s is %v, want 0 to %v", c.Name, d.name, d.value, d.max)
		}
	}
	return nil
}

// Rates is the payload rate of all instances together, in bits per second;
// +Inf where it is unlimited.
func (c *Codec) Rates() (encode, decode float64) {
	n := float64(max(c.Instances, 1))
	encode, decode = float64(c.EncodeBPS)*n, float64(c.DecodeBPS)*n
	if encode == 0 {
		encode = math.Inf(1)
	}
	if decode == 0 {
		decode = math.Inf(1)
	}
	return encode, decode
}

// Unlimited is the codec without a limit of rate.
func (c Codec) Unlimited() Codec {
	c.EncodeBPS, c.DecodeBPS, c.Instances = 0, 0, 0
	c.ClassEncodeBPS, c.ClassDecodeBPS = [numClasses]BitsPerSecond{}, [numClasses]BitsPerSecond{}
	return c
}

// of is the codec with the rates of a class.
func (c *Codec) of(class Class) *Codec {
	own := *c
	own.ClassEncodeBPS, own.ClassDecodeBPS = [numClasses]BitsPerSecond{}, [numClasses]BitsPerSecond{}
	if r := c.ClassEncodeBPS[class]; r > 0 {
		own.EncodeBPS = r
	}
	if r := c.ClassDecodeBPS[class]; r > 0 {
		own.DecodeBPS = r
	}
	return &own
}

// AreaMM2 is the silicon of all instances of encoder and decoder.
func (c *Codec) AreaMM2() float64 {
	return float64(max(c.Instances, 1)) * (c.EncodeMM2 + c.DecodeMM2)
}

// Ratio is payload over wire bits of a class, 1 when it is not compressed.
func (c *Codec) Ratio(class Class) float64 {
	if b := c.Bits[class]; b > 0 {
		return PayloadBits / b
	}
	return 1
}

// Crossover is the link rate in bits per second at which compressing traffic
// of the given ratio stops paying, and Knee the rate up to which it gives the
// whole ratio: min(E, D) and min(E, D)/r when codec and wire are pipelined,
// (1-1/r)/(1/E+1/D) and 0 when they follow each other. Both are +Inf for a
// codec without a rate limit and 0 for one that does not compress. With rates by class each class has its own ratio: compressing
// any class pays below the crossover, and all classes have their whole ratio up to the knee.
func (c *Codec) Crossover(ratio float64) (crossover, knee float64) {
	if ratio <= 1 {
		return 0, 0
	}
	if c.ClassEncodeBPS != [numClasses]BitsPerSecond{} {
		knee = math.Inf(1)
		for class := range c.Bits {
			if r := c.Ratio(Class(class)); r > 1 {
				x, k := c.of(Class(class)).Crossover(r)
				crossover, knee = max(crossover, x), min(knee, k)
			}
		}
		return crossover, knee
	}
	e, d := c.Rates()
	slow := min(e, d)
	if math.IsInf(slow, 1) {
		return slow, slow
	}
	if c.Serial {
		return (1 - 1/ratio) / (1/e + 1/d), 0
	}
	return slow, slow / ratio
}

func (c *Codec) channel(class Class) collective.Channel {
	ch := collective.Channel{Ratio: c.Ratio(class), Serial: c.Serial, Force: c.Bypass == BypassNever}
	ch.Compress = ch.Ratio != 1 && c.Bypass != BypassAlways
	if !ch.Compress {
		return ch
	}
	e, d := c.of(class).Rates()
	ch.Encode, ch.Decode = e/8, d/8
	ch.Fill = c.ChunkBytes/ch.Encode + c.ChunkBytes/ch.Decode
	return ch
}
