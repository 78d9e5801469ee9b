package t264

import (
	"vcsim/internal/bitio"
	"vcsim/sim"
)

// RTL: rtl/t264/t264_enc.v

// An EncoderUnit is the hardware encoder of the hw tier: frames by thread in,
// bytes of their slices out, as Encoder makes them. The host answers requests
// with source samples, and writes parameter sets and slice headers; see
// AppendSliceNAL.
type EncoderUnit struct {
	Config *sim.Stream[FrameConfig]
	Req    *sim.Stream[MBRequest]
	Src    *sim.Stream[SourceBeat]
	Out    *sim.Stream[SliceWord]

	ac     sim.Stream[ACToken]
	mb     sim.Stream[MBToken]
	pixels *EncPixels
	code   *EncCodeUnit
}

// NewEncoderUnit returns an encoder after reset.
func NewEncoderUnit(spec EncSpec, cfg *sim.Stream[FrameConfig], req *sim.Stream[MBRequest], src *sim.Stream[SourceBeat], out *sim.Stream[SliceWord]) *EncoderUnit {
	u := &EncoderUnit{Config: cfg, Req: req, Src: src, Out: out}
	u.pixels = NewEncPixels(spec, cfg, req, src, &u.ac, &u.mb)
	u.code = NewEncCodeUnit(&u.ac, &u.mb, out, spec)
	return u
}

// Overflow reports that a lane lost bytes: a run of 2^16 outstanding ones.
func (u *EncoderUnit) Overflow() bool { return u.code.Overflow() }

func (u *EncoderUnit) Eval() {
	u.code.Eval()
	u.pixels.Room = u.code.Room
	u.pixels.Eval()
}

func (u *EncoderUnit) Clock() {
	u.code.Take, u.code.TakeThread = u.Req.Moves(), u.Req.Data.Thread
	u.code.Clock()
	u.pixels.Clock()
}

// EncoderActivity counts what an EncoderUnit did.
type EncoderActivity struct {
	Cycles uint64
	Blocks uint64 // AC blocks that left the pixel path
	Ops    uint64 // operations that the lanes took, context values not counted
	Values uint64 // samples that entered
}

// Watch counts the cycle into a, between Eval and Clock.
func (u *EncoderUnit) Watch(a *EncoderActivity, spec EncSpec) {
	a.Cycles++
	if u.ac.Moves() {
		a.Blocks++
	}
	if u.Src.Moves() {
		a.Values += uint64(spec.Values)
	}
	for _, l := range u.code.lanes {
		if l.ops.Moves() && l.ops.Data.Kind != 3 {
			a.Ops++
		}
	}
}

// AppendSliceNAL appends to dst the NAL unit of a frame that an EncoderUnit
// coded: start code, headers and the bytes of its slice. QP is that of the slice,
// QP16 / 16 rounded down; index counts the frames of the stream.
func AppendSliceNAL(dst, data []byte, qp, index int) []byte {
	var w bitio.Writer
	w.Reset(nil)
	writeSliceHeader(&w, 0, index&1, qp)
	dst = bitio.AppendNAL(dst, []byte{3<<5 | nalIDR}, w.Bytes())
	return append(dst, data...)
}
