package t264

import (
	"errors"
	"fmt"

	"vcsim/internal/bitio"
	"vcsim/sim"
)

// A HostFrame is a frame for an EncoderHost.
type HostFrame struct {
	Pix           []byte // rows of Stride samples
	Stride        int
	Width, Height int // samples; the host pads to macroblocks by replication
	QP16          int // QP in 1/16, 0..816
}

// EncoderActivity counts what an EncoderUnit did.
type EncoderActivity struct {
	Cycles uint64
	Values uint64 // samples that entered
	Ops    uint64 // operations that the lanes took, context values not counted
	Bytes  uint64 // that left
}

// An EncoderHost does what stands beside an EncoderUnit: it hands frames to
// threads, answers requests for samples at once, takes every word, and writes
// parameter sets and headers.
type EncoderHost struct {
	Unit     *EncoderUnit
	Activity EncoderActivity

	spec EncSpec
	cfg  sim.Stream[FrameConfig]
	req  sim.Stream[MBRequest]
	src  sim.Stream[SourceBeat]
	out  sim.Stream[SliceWord]

	frames  []HostFrame
	next    int   // frame to hand out
	current []int // frame by thread, -1 for none
	asked   []MBRequest
	head    int // of asked
	at      int // samples of asked[head] sent
	data    [][]byte
	left    int // frames without their last byte
}

// NewEncoderHost returns a host with an encoder after reset, or the error of
// spec.Validate.
func NewEncoderHost(spec EncSpec) (*EncoderHost, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	h := &EncoderHost{spec: spec, current: make([]int, spec.Threads)}
	for t := range h.current {
		h.current[t] = -1
	}
	h.Unit = NewEncoderUnit(spec, &h.cfg, &h.req, &h.src, &h.out)
	return h, nil
}

// Encode codes the frames and returns the slice data of each, emulation
// prevention included.
func (h *EncoderHost) Encode(frames []HostFrame) ([][]byte, error) {
	for i, f := range frames {
		w, n := (f.Width+15)/16, (f.Height+15)/16
		switch {
		case w < 1 || w > h.spec.FrameMBs || n < 1 || n > 1<<rowBits-1:
			return nil, fmt.Errorf("t264: frame %d: %dx%d samples: want 1 to %d columns and up to %d rows of macroblocks", i, f.Width, f.Height, h.spec.FrameMBs, 1<<rowBits-1)
		case f.QP16 < 0 || f.QP16 > 16*51:
			return nil, fmt.Errorf("t264: frame %d: QP %d/16: want 0 to 816", i, f.QP16)
		case f.Stride < f.Width || len(f.Pix) < (f.Height-1)*f.Stride+f.Width:
			return nil, fmt.Errorf("t264: frame %d: %d samples in rows of %d do not hold %dx%d", i, len(f.Pix), f.Stride, f.Width, f.Height)
		}
	}
	h.Begin(frames)
	for h.left > 0 {
		h.Step()
		if h.Unit.Overflow() {
			return nil, errors.New("t264: a run of outstanding bytes did not fit its counter")
		}
	}
	return h.data, nil
}

// Begin hands frames to the host, of sizes that Encode takes, to be coded by
// Step.
func (h *EncoderHost) Begin(frames []HostFrame) {
	h.frames, h.next, h.left, h.data = frames, 0, len(frames), make([][]byte, len(frames))
}

// Step runs one cycle.
func (h *EncoderHost) Step() {
	if !h.cfg.Valid && h.next < len(h.frames) {
		h.start()
	}
	if !h.src.Valid && h.head < len(h.asked) {
		h.beat()
	}
	h.req.Ready, h.out.Ready = true, true
	u, a := h.Unit, &h.Activity
	u.Eval()
	a.Cycles++
	a.Ops += u.code.ops()
	if h.src.Moves() {
		a.Values += uint64(h.spec.Values)
	}
	u.Clock()
	if h.req.Valid {
		if h.head == len(h.asked) {
			h.asked, h.head = h.asked[:0], 0
		}
		h.asked = append(h.asked, h.req.Data)
	}
	if h.cfg.Moves() {
		h.cfg.Valid = false
	}
	if h.src.Moves() {
		h.src.Valid = false
		if h.at += h.spec.Values; h.at == 256 {
			h.at = 0
			h.head++
		}
	}
	if h.out.Valid {
		h.take(&h.out.Data)
	}
}

// start hands the next frame to a thread without one.
func (h *EncoderHost) start() {
	for t, f := range h.current {
		if f < 0 {
			f := &h.frames[h.next]
			h.current[t] = h.next
			h.next++
			h.cfg.Valid = true
			h.cfg.Data = FrameConfig{Thread: uint8(t), Width: uint16((f.Width + 15) / 16), Height: uint16((f.Height + 15) / 16), QP16: uint16(f.QP16)}
			return
		}
	}
}

// beat sends the next samples of the oldest request.
func (h *EncoderHost) beat() {
	r := &h.asked[h.head]
	f := &h.frames[h.current[r.Thread]]
	b := h.at >> 4 & 15
	x, y := 16*int(r.X)+int(blockX[b]), 16*int(r.Y)+int(blockY[b])+h.at>>2&3
	v := uint64(0)
	for i := range h.spec.Values {
		p := f.Pix[min(y+i>>2, f.Height-1)*f.Stride+min(x+i&3, f.Width-1)]
		v |= uint64(p) << (8 * i)
	}
	h.src.Valid, h.src.Data = true, SourceBeat(v)
}

func (h *EncoderHost) take(w *SliceWord) {
	i := h.current[w.Thread]
	for k := range w.Count {
		h.data[i] = append(h.data[i], byte(w.Data>>(8*k)))
	}
	h.Activity.Bytes += uint64(w.Count)
	if w.Last {
		h.current[w.Thread] = -1
		h.left--
	}
}

// AppendSliceNAL appends to dst the NAL unit of a frame that an EncoderUnit
// coded: start code, headers, and the bytes of its slice. QP is that of the
// slice, QP16/16 rounded down; index counts the frames of the stream. The
// parameter sets are those of Encoder.AppendHeader.
func AppendSliceNAL(dst, data []byte, qp, index int) []byte {
	var w bitio.Writer
	w.Reset(nil)
	writeSliceHeader(&w, 0, index&1, qp)
	dst = append(dst, 0, 0, 0, 1, 3<<5|nalIDR)
	return append(bitio.AppendEscaped(dst, w.Bytes()), data...)
}
