// Package tensorcodec carries tensors through a video codec and back: it cuts matrices into frames, finds the quantiser
// parameter for a rate or a distortion, and keeps streams, scales and recipe together in a safetensors container whose
// damage is always detected.
//
// The codecs are seen through the small interface [Codec]. Frames, and tensors, are coded in parallel; the output depends
// on the input and the options alone.
package tensorcodec

import (
	"errors"
	"fmt"
	"io"
	"math"
)

// FormatError reports a container or stream that is damaged or was not written by this package.
type FormatError string

func (e FormatError) Error() string { return "invalid " + string(e) }

// UnsupportedError reports a valid request outside what the package or a codec does.
type UnsupportedError string

func (e UnsupportedError) Error() string { return "unsupported " + string(e) }

// Codec makes encoders and decoders of one bitstream format. Its methods may be called concurrently.
type Codec interface {
	Name() string // as in the recipe: "t265"
	MaxQP() int   // 51

	// NewEncoder returns an encoder of frames of one size, for one goroutine.
	NewEncoder(Config) (Encoder, error)

	// SplitFrames cuts a stream into parts of one coded picture each, every part decodable by [Codec.DecodeFrame].
	SplitFrames(stream []byte) ([][]byte, error)

	// DecodeFrame decodes one part. The picture belongs to the caller.
	DecodeFrame(part []byte) (Picture, error)
}

// Config fixes what an encoder does for all its frames.
type Config struct {
	Width, Height int // of a frame, in values
	Tier          string
	Lossless      bool
	FineQP        bool   // frames may have a QP that is not an integer
	Off           string // tools to leave out, comma separated
	CTU           int    // 0: the codec's default

	// OnRow, if not nil, is called as an encoder goes down a frame, with the number of rows of samples that it has coded since
	// the last call. A search of the encoder's own may code rows more than once.
	OnRow func(rows int)
}

// Encoder codes frames of one size.
type Encoder interface {
	// AppendHeader appends what precedes the first frame of a stream (parameter sets).
	AppendHeader(dst []byte) []byte

	// AppendFrame appends the frame with the given index in its stream. Sample (x, y) is pix[y*stride+x].
	AppendFrame(dst, pix []byte, stride int, qp QP, index int) ([]byte, error)

	// Recon is the picture a decoder will see, Width*Height samples, valid until the next frame.
	Recon() []byte

	// Bins counts the arithmetic-coder bins of the last frame.
	Bins() Bins
}

// Picture is a decoded frame.
type Picture struct {
	Width, Height, Stride int
	Pix                   []byte
}

// decoded is what the decoder of a codec returns for a part, as a picture.
func decoded(width, height int, pix []byte, err error) (Picture, error) {
	switch {
	case errors.Is(err, io.EOF):
		return Picture{}, FormatError("stream: no picture")
	case err != nil:
		return Picture{}, err
	case len(pix) != width*height:
		return Picture{}, fmt.Errorf("stream: %d samples in a picture of %dx%d", len(pix), width, height)
	}
	return Picture{Width: width, Height: height, Stride: width, Pix: pix}, nil
}

// Bins counts binary decisions by how they were coded.
type Bins struct{ Regular, Bypass int64 }

func (b *Bins) add(o Bins) { b.Regular += o.Regular; b.Bypass += o.Bypass }

// QP is a quantiser parameter in 1/16 steps: 16*22+4 codes three quarters of a picture at QP 22 and one quarter at 23.
type QP int

const qpOne = 16

// Base is the lower of the two integer parameters; Frac/16 is the share of the next one.
func (q QP) Base() int { return int(q) / qpOne }

// Frac is the share of the picture, in 1/16, that uses Base+1.
func (q QP) Frac() int { return int(q) % qpOne }

// At returns the integer parameter of a unit when units alternate between Base and Base+1 as evenly as Frac allows.
func (q QP) At(index int) int {
	f := q.Frac()
	return q.Base() + (index+1)*f/qpOne - index*f/qpOne
}

// Float returns the parameter as a number.
func (q QP) Float() float64 { return float64(q) / qpOne }

// ToQP rounds a number to the nearest 1/16.
func ToQP(v float64) QP { return QP(math.Round(v * qpOne)) }

// Target is what the encoder aims at: exactly one kind.
type Target struct {
	Kind  TargetKind
	Value float64
}

// TargetKind says what the value of a [Target] means.
type TargetKind uint8

const (
	TargetQP   TargetKind = iota // fixed quantiser parameter, 0..51, in 1/16 steps
	TargetBits                   // bits a value, counting every stored byte
	TargetMSE                    // mean squared error at most, in squared units of the values
)

func (t Target) String() string {
	return fmt.Sprintf("%s %g", [...]string{"QP", "bits a value", "MSE"}[t.Kind], t.Value)
}

// check refuses values out of range.
func (t Target) check(maxQP int) error {
	switch v := t.Value; {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return fmt.Errorf("%v is not a finite number", t)
	case t.Kind == TargetQP && (v < 0 || v > float64(maxQP)):
		return fmt.Errorf("%v is outside 0..%d", t, maxQP)
	case t.Kind != TargetQP && v <= 0:
		return fmt.Errorf("%v must be positive", t)
	case t.Kind == TargetBits && v > 64:
		return fmt.Errorf("%v: at most 64", t)
	}
	return nil
}
