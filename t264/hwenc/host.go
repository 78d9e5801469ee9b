package hwenc

import (
	"encoding/binary"
	"errors"
	"fmt"

	"vcsim/sim"
	"vcsim/t264/hw"
)

// A Frame is a frame for a Host.
type Frame struct {
	Pix           []byte // rows of Stride samples
	Stride        int
	Width, Height int // samples; the host pads to macroblocks by replication
	QP16          int // QP in 1/16, 0..816
}

// mbs returns the size of the frame in macroblocks.
func (f *Frame) mbs() (w, h int) { return (f.Width + 15) / 16, (f.Height + 15) / 16 }

// row4 returns the four samples from (x, y) on, the first one lowest.
func (f *Frame) row4(x, y int) uint32 {
	row := f.Pix[min(y, f.Height-1)*f.Stride:][:f.Width]
	if x+4 <= len(row) {
		return binary.LittleEndian.Uint32(row[x:])
	}
	v := uint32(0)
	for i := range 4 {
		v |= uint32(row[min(x+i, len(row)-1)]) << (8 * i)
	}
	return v
}

// macroblock copies the 16 by 16 samples from (x, y) on to dst, by block in decoding
// order, rows from the top.
func (f *Frame) macroblock(dst *[256]uint8, x, y int) {
	for i := range 16 {
		// The blocks of a row are number b, b+1, b+4, and b+5.
		to := dst[16*(i>>3*8+i>>2&1*2)+4*(i&3):][:16*5+4]
		var left, right uint64
		if x+16 <= f.Width {
			row := f.Pix[min(y+i, f.Height-1)*f.Stride+x:][:16]
			left, right = binary.LittleEndian.Uint64(row), binary.LittleEndian.Uint64(row[8:])
		} else {
			left = uint64(f.row4(x, y+i)) | uint64(f.row4(x+4, y+i))<<32
			right = uint64(f.row4(x+8, y+i)) | uint64(f.row4(x+12, y+i))<<32
		}
		binary.LittleEndian.PutUint32(to, uint32(left))
		binary.LittleEndian.PutUint32(to[16:], uint32(left>>32))
		binary.LittleEndian.PutUint32(to[16*4:], uint32(right))
		binary.LittleEndian.PutUint32(to[16*5:], uint32(right>>32))
	}
}

// Activity counts what a Unit did.
type Activity struct {
	Cycles uint64
	Values uint64 // samples that entered
	Ops    uint64 // operations that the lanes took, context values not counted
	Bytes  uint64 // that left
}

// A Host is what stands beside a Unit. It gives each thread that
// has asked for the last macroblock of its frame the next frame, answers
// requests for samples, takes every word, and writes parameter sets and headers.
type Host struct {
	Unit     *Unit
	Activity Activity
	// Kernel steps the encoder and its host; watchers may be added.
	Kernel sim.Kernel
	// Latency is the number of cycles between a request and its first samples,
	// beside the one that a register takes.
	Latency uint64

	spec   Spec
	config sim.Stream[hw.FrameConfig]
	req    sim.Stream[hw.MBRequest]
	src    sim.Stream[hw.SourceBeat]
	out    sim.Stream[SliceWord]

	frames  []Frame
	data    [][]byte // of the slice of each frame
	next    int      // frame that no thread has
	left    int      // frames without their last byte
	threads []hostThread
	free    ring[uint8]       // threads without macroblocks to ask for
	asked   ring[hostRequest] // a thread has one request under way
	samples [256]uint8        // of the first request, as they are sent
	at      int               // of those, how many were sent
	cycle   uint64
	drained bool // a thread found no frame
	drain   uint64
}

// A hostThread is what a thread works on, as indices of frames.
type hostThread struct {
	asking int
	coding ring[int] // in the order of their slices; the first one gets bytes
}

type hostRequest struct {
	frame *Frame
	x, y  int
	from  uint64 // cycle
}

// A ring is a queue of a fixed capacity.
type ring[T any] struct {
	at      []T
	head, n int
}

func (r *ring[T]) first() *T { return &r.at[r.head] }

func (r *ring[T]) push(v T) {
	r.at[(r.head+r.n)%len(r.at)] = v
	r.n++
}

func (r *ring[T]) pop() T {
	v := r.at[r.head]
	r.head = (r.head + 1) % len(r.at)
	r.n--
	return v
}

// framesAhead bounds the frames of a thread whose last byte has not come: one
// that is asked for, and small ones in the store and in the lane.
const framesAhead = 8

// NewHost returns a host with an encoder after reset, or the error of
// spec.Validate.
func NewHost(spec Spec) (*Host, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	n := spec.Threads
	h := &Host{spec: spec, threads: make([]hostThread, n), free: ring[uint8]{at: make([]uint8, n)}, asked: ring[hostRequest]{at: make([]hostRequest, n)}}
	for t := range h.threads {
		h.free.push(uint8(t))
		h.threads[t].coding.at = make([]int, framesAhead)
	}
	h.Unit = NewUnit(spec, &h.config, &h.req, &h.src, &h.out)
	h.Kernel.Add(h.Unit, (*hostUnit)(h))
	h.Kernel.Watch((*hostUnit)(h))
	return h, nil
}

// Encode codes the frames and returns the slice data of each, emulation
// prevention included.
func (h *Host) Encode(frames []Frame) ([][]byte, error) {
	if err := h.Begin(frames); err != nil {
		return nil, err
	}
	for !h.Done() {
		h.Step()
	}
	if h.Unit.Overflow() {
		return nil, errors.New("t264: a run of outstanding bytes did not fit its counter")
	}
	return h.data, nil
}

// Begin hands frames to the host, to be coded by Step. Frames before must be
// done.
func (h *Host) Begin(frames []Frame) error {
	data := make([][]byte, len(frames))
	for i := range frames {
		f := &frames[i]
		w, n := f.mbs()
		switch {
		case w < 1 || w > h.spec.FrameMBs || n < 1 || n > 1<<rowBits-1:
			return fmt.Errorf("t264: frame %d: %dx%d samples: want 1 to %d columns and 1 to %d rows of macroblocks", i, f.Width, f.Height, h.spec.FrameMBs, 1<<rowBits-1)
		case f.QP16 < 0 || f.QP16 > 16*51:
			return fmt.Errorf("t264: frame %d: QP %d/16: want 0 to 816", i, f.QP16)
		case f.Stride < f.Width || len(f.Pix) < (f.Height-1)*f.Stride+f.Width:
			return fmt.Errorf("t264: frame %d: %d samples in rows of %d do not hold %dx%d", i, len(f.Pix), f.Stride, f.Width, f.Height)
		}
		data[i] = make([]byte, 0, 256*w*n)
	}
	h.frames, h.data, h.next, h.left, h.drained = frames, data, 0, len(frames), false
	return nil
}

// Ports returns the streams between host and encoder.
func (h *Host) Ports() (*sim.Stream[hw.FrameConfig], *sim.Stream[hw.MBRequest], *sim.Stream[hw.SourceBeat], *sim.Stream[SliceWord]) {
	return &h.config, &h.req, &h.src, &h.out
}

// Step runs one cycle.
func (h *Host) Step() { h.Kernel.Step() }

// Done reports whether the bytes of all frames are there.
func (h *Host) Done() bool { return h.left == 0 }

// Data returns the slice data of each frame, complete when Done.
func (h *Host) Data() [][]byte { return h.data }

// Drained returns the cycle in which a thread first found no frame, and whether
// one has: from there on the encoder is not fully loaded.
func (h *Host) Drained() (cycle uint64, ok bool) { return h.drain, h.drained }

// A hostUnit is the host as a clocked unit behind the encoder.
type hostUnit Host

func (h *hostUnit) Eval() { h.req.Ready, h.out.Ready = true, true }

// Watch counts the cycle.
func (h *hostUnit) Watch(uint64) {
	a := &h.Activity
	a.Cycles++
	a.Ops += h.Unit.code.ops()
	if h.src.Moves() {
		a.Values += uint64(h.spec.Values)
	}
	if h.out.Valid {
		a.Bytes += uint64(h.out.Data.Count)
	}
}

func (h *hostUnit) Clock() {
	if h.config.Moves() {
		h.config.Valid = false
	}
	if h.src.Moves() {
		h.src.Valid = false
	}
	if h.req.Valid {
		h.request(&h.req.Data)
	}
	if h.out.Valid {
		h.take(&h.out.Data)
	}
	h.cycle++
	if !h.config.Valid && h.free.n > 0 {
		h.start()
	}
	if !h.src.Valid && h.asked.n > 0 && h.asked.first().from <= h.cycle {
		h.beat()
	}
}

// start gives the next frame to the thread that waits longest.
func (h *hostUnit) start() {
	if h.next == len(h.frames) {
		if !h.drained {
			h.drained, h.drain = true, h.cycle
		}
		return
	}
	th := &h.threads[*h.free.first()]
	if th.coding.n == framesAhead {
		return
	}
	f := &h.frames[h.next]
	w, n := f.mbs()
	h.config.Valid, h.config.Data = true, hw.FrameConfig{Thread: h.free.pop(), Width: uint16(w), Height: uint16(n), QP16: uint16(f.QP16)}
	th.asking = h.next
	th.coding.push(h.next)
	h.next++
}

func (h *hostUnit) request(r *hw.MBRequest) {
	f := &h.frames[h.threads[r.Thread].asking]
	h.asked.push(hostRequest{f, 16 * int(r.X), 16 * int(r.Y), h.cycle + 1 + h.Latency})
	if r.Last {
		h.free.push(r.Thread)
	}
}

// beat sends the next samples of the oldest request.
func (h *hostUnit) beat() {
	if h.at == 0 {
		r := h.asked.first()
		r.frame.macroblock(&h.samples, r.x, r.y)
	}
	h.src.Valid = true
	if s := h.samples[h.at:]; h.spec.Values == 8 {
		h.src.Data = hw.SourceBeat(binary.LittleEndian.Uint64(s))
	} else {
		h.src.Data = hw.SourceBeat(binary.LittleEndian.Uint32(s))
	}
	if h.at += h.spec.Values; h.at == 256 {
		h.at = 0
		h.asked.pop()
	}
}

func (h *hostUnit) take(w *SliceWord) {
	th := &h.threads[w.Thread]
	i := *th.coding.first()
	var b [wordBytes]byte
	binary.LittleEndian.PutUint64(b[:], w.Data)
	h.data[i] = append(h.data[i], b[:w.Count]...)
	if w.Last {
		th.coding.pop()
		h.left--
	}
}
