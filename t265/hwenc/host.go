package hwenc

import (
	"encoding/binary"
	"errors"
	"fmt"

	"vcsim/sim"
	"vcsim/t265/hw"
)

// A Frame is a frame for a Host.
type Frame struct {
	Pix           []byte // rows of Stride samples
	Stride        int
	Width, Height int  // samples; the host pads to CTUs by replication
	QP16          int  // QP in 1/16, 0..816
	Fine          bool // cu_qp_delta is enabled, which a QP between two needs
}

// ctus returns the size of the frame in CTUs.
func (f *Frame) ctus() (w, h int) { return (f.Width + 15) / 16, (f.Height + 15) / 16 }

// row8 returns the eight samples from (x, y) on, the first one lowest.
func (f *Frame) row8(x, y int) hw.SourceBeat {
	row := f.Pix[min(y, f.Height-1)*f.Stride:][:f.Width]
	if x+8 <= len(row) {
		return hw.SourceBeat(binary.LittleEndian.Uint64(row[x:]))
	}
	v := hw.SourceBeat(0)
	for i := range 8 {
		v |= hw.SourceBeat(row[min(x+i, len(row)-1)]) << (8 * i)
	}
	return v
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
	req    sim.Stream[hw.CTURequest]
	src    sim.Stream[hw.SourceBeat]
	out    sim.Stream[SliceWord]

	frames  []Frame
	data    [][]byte // of the slice of each frame
	next    int      // frame that no thread has
	left    int      // frames without their last byte
	threads []hostThread
	free    ring[uint8]       // threads without CTUs to ask for
	asked   ring[hostRequest] // a thread has one request under way
	at      int               // beats of the first request that were sent
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

// maxRows is the height of the highest frame in CTUs.
const maxRows = 1023

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
		return nil, errors.New("t265: a run of outstanding bytes did not fit its counter")
	}
	return h.data, nil
}

// Begin hands frames to the host, to be coded by Step. Frames before must be
// done.
func (h *Host) Begin(frames []Frame) error {
	data := make([][]byte, len(frames))
	for i := range frames {
		f := &frames[i]
		w, n := f.ctus()
		switch {
		case w < 1 || w > h.spec.FrameCTUs || n < 1 || n > maxRows:
			return fmt.Errorf("t265: frame %d: %dx%d samples: want 1 to %d columns and 1 to %d rows of CTUs", i, f.Width, f.Height, h.spec.FrameCTUs, maxRows)
		case f.QP16 < 0 || f.QP16 > 16*51:
			return fmt.Errorf("t265: frame %d: QP %d/16: want 0 to 816", i, f.QP16)
		case f.QP16&15 != 0 && !f.Fine:
			return fmt.Errorf("t265: frame %d: QP %d/16 lies between two, and cu_qp_delta is not enabled", i, f.QP16)
		case f.Stride < f.Width || len(f.Pix) < (f.Height-1)*f.Stride+f.Width:
			return fmt.Errorf("t265: frame %d: %d samples in rows of %d do not hold %dx%d", i, len(f.Pix), f.Stride, f.Width, f.Height)
		}
		data[i] = make([]byte, 0, 256*w*n)
	}
	h.frames, h.data, h.next, h.left, h.drained = frames, data, 0, len(frames), false
	return nil
}

// Ports returns the streams between host and encoder.
func (h *Host) Ports() (*sim.Stream[hw.FrameConfig], *sim.Stream[hw.CTURequest], *sim.Stream[hw.SourceBeat], *sim.Stream[SliceWord]) {
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
	a.Ops += h.Unit.Ops()
	if h.src.Moves() {
		a.Values += Values
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
	w, n := f.ctus()
	h.config.Valid, h.config.Data = true, hw.FrameConfig{Thread: h.free.pop(), QP: uint8(f.QP16 >> 4), High: uint32(highCTUs(f.QP16, w*n)), Fine: f.Fine,
		Width: uint16(w), Height: uint16(n)}
	th.asking = h.next
	th.coding.push(h.next)
	h.next++
}

func (h *hostUnit) request(r *hw.CTURequest) {
	f := &h.frames[h.threads[r.Thread].asking]
	h.asked.push(hostRequest{f, 16 * int(r.X), 16 * int(r.Y), h.cycle + 1 + h.Latency})
	if r.Last {
		h.free.push(r.Thread)
	}
}

// beat sends the next samples of the oldest request: tiles of 8x8 samples in z-order,
// rows from the top.
func (h *hostUnit) beat() {
	r := h.asked.first()
	h.src.Valid, h.src.Data = true, r.frame.row8(r.x+h.at>>3&1*8, r.y+h.at>>4*8+h.at&7)
	if h.at++; h.at == sourceBeats {
		h.at = 0
		h.asked.pop()
	}
}

func (h *hostUnit) take(w *SliceWord) {
	th := &h.threads[w.Thread]
	i := *th.coding.first()
	h.data[i] = binary.LittleEndian.AppendUint64(h.data[i], w.Data)[:len(h.data[i])+int(w.Count)]
	if w.Last {
		th.coding.pop()
		h.left--
	}
}

// highCTUs returns how many CTUs of a picture have the higher of the two QPs that
// a QP in 1/16 steps lies between; they are the first ones.
func highCTUs(qp16, ctus int) int { return (qp16&15*ctus + 8) >> 4 }
