package hwdec

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"vcsim/internal/cabachw"
	"vcsim/sim"
	"vcsim/t264"
	"vcsim/t264/hw"
)

// An Activity counts what a Unit did.
type Activity struct {
	Cycles uint64
	Values uint64 // samples that left
	Bytes  uint64 // of slice data that entered
}

// A Host is what stands beside a Unit: it has the headers of slices
// read, hands each lane the slices of the next picture when the samples of one
// are all there, and takes every sample.
type Host struct {
	Unit     *Unit
	Activity Activity
	// Kernel steps the decoder and its host; watchers may be added.
	Kernel sim.Kernel

	spec    Spec
	out     sim.Stream[PixelWord]
	frames  [][]Slice
	data    [][]byte // of each frame, coded size
	next    int      // frame that no lane has
	left    int      // frames without their last sample
	lanes   []hostLane
	loaded  uint64 // by lane: bytes of its slice are left
	empty   uint64 // it has a frame, and no bytes are left of the slice before
	turn    int
	word    int  // lane that is offered a word, -1 for none: they share its port
	config  int  // and a configuration
	drained bool // a lane found no frame
	drain   uint64
	err     error
}

// A hostLane is what a lane works on.
type hostLane struct {
	frame  int // -1 for none
	slice  int // the next one
	rest   []byte
	stride int
	wanted int // samples
}

// NewHost returns a host with a decoder after reset, or the error of
// spec.Validate.
func NewHost(spec Spec) (*Host, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	h := &Host{spec: spec, word: -1, config: -1, lanes: make([]hostLane, spec.Lanes)}
	h.Unit = NewUnit(spec, &h.out)
	h.Kernel.Add(h.Unit, (*hostUnit)(h))
	h.Kernel.Watch((*hostUnit)(h))
	return h, nil
}

// Begin hands the slices of pictures to the host, to be decoded by Step. Those
// before must be done.
func (h *Host) Begin(frames [][]Slice) error {
	data := make([][]byte, len(frames))
	for i, f := range frames {
		if len(f) == 0 {
			return fmt.Errorf("t264: picture %d has no slice", i)
		}
		c := &f[0].Config
		if most := h.spec.FrameMBs; int(c.LastX) >= most || int(c.LastY) >= most {
			return fmt.Errorf("t264: picture %d of %dx%d: at most %dx%d", i, 16*(int(c.LastX)+1), 16*(int(c.LastY)+1), 16*most, 16*most)
		}
		if c.Transform8 && !h.spec.Transform8 {
			return t264.UnsupportedError(fmt.Sprintf("transform_8x8_mode_flag = 1 of picture %d in a decoder without 8x8 blocks", i))
		}
		data[i] = make([]byte, 256*(int(c.LastX)+1)*(int(c.LastY)+1))
	}
	h.frames, h.data, h.next, h.left, h.drained, h.err = frames, data, 0, len(frames), false, nil
	for l := range h.lanes {
		h.take(l)
	}
	return nil
}

// take gives lane l the next frame.
func (h *Host) take(l int) {
	if h.next == len(h.frames) {
		if !h.drained {
			h.drained, h.drain = true, h.Kernel.Cycle()
		}
		h.lanes[l].frame = -1
		h.empty &^= 1 << l
		return
	}
	c := &h.frames[h.next][0].Config
	h.lanes[l] = hostLane{frame: h.next, stride: 16 * (int(c.LastX) + 1), wanted: len(h.data[h.next])}
	h.empty |= 1 << l
	h.loaded &^= 1 << l
	h.next++
}

// Ports returns the lanes that are offered a word and a configuration, -1 for
// none, and the stream of samples.
func (h *Host) Ports() (word, config int, out *sim.Stream[PixelWord]) {
	return h.word, h.config, &h.out
}

// Step runs one cycle.
func (h *Host) Step() { h.Kernel.Step() }

// Done reports whether the samples of all pictures are there, or one cannot be
// decoded: see Err.
func (h *Host) Done() bool { return h.left == 0 || h.err != nil }

// Err returns why a picture could not be decoded.
func (h *Host) Err() error { return h.err }

// Data returns the samples of each picture, rows of the coded width, a multiple
// of 16; complete when Done.
func (h *Host) Data() [][]byte { return h.data }

// Drained returns the cycle in which a lane first found no picture, and whether
// one has: from there on the decoder is not fully loaded.
func (h *Host) Drained() (cycle uint64, ok bool) { return h.drain, h.drained }

// A hostUnit is the host as a clocked unit behind the decoder.
type hostUnit Host

func (h *hostUnit) Eval() { h.out.Ready = true }

// Watch counts the cycle.
func (h *hostUnit) Watch(uint64) {
	h.Activity.Cycles++
	if h.out.Valid {
		h.Activity.Values += 4
	}
}

func (h *hostUnit) Clock() {
	u := h.Unit
	full := -1 // lane that took a word in this cycle, whatever its Ready was
	if h.word >= 0 && u.Words[h.word].Moves() {
		u.Words[h.word].Valid = false
		full, h.word = h.word, -1
	}
	if h.config >= 0 && u.Config[h.config].Moves() {
		u.Config[h.config].Valid = false
		h.config = -1
	}
	if h.out.Valid {
		h.sample(&h.out.Data)
	}
	if h.config < 0 && h.empty != 0 {
		h.start()
	}
	if h.word < 0 {
		h.send(full)
	}
}

// start drives the configuration of the next slice of a lane whose last one was
// sent.
func (h *hostUnit) start() {
	for m := h.empty; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		if i == h.word {
			continue
		}
		l := &h.lanes[i]
		slices := h.frames[l.frame]
		if code := h.Unit.Error(i); code != 0 && l.slice > 0 && h.err == nil {
			h.err = fmt.Errorf("t264: picture %d, slice %d: %s", l.frame, l.slice-1, endNames[code&15])
		}
		if l.slice == len(slices) {
			continue
		}
		c := &h.Unit.Config[i]
		c.Valid, c.Data = true, slices[l.slice].Config
		l.rest = slices[l.slice].Data
		if l.slice++; len(l.rest) != 0 {
			h.empty &^= 1 << i
			h.loaded |= 1 << i
		}
		h.config = i
		return
	}
}

// send drives the next word of a lane that takes one, the lanes in turn. A word
// for one that is full would keep the others from the port.
func (h *hostUnit) send(full int) {
	open := h.loaded & h.Unit.wordsReady()
	if full >= 0 {
		open &^= 1 << full
	}
	if open == 0 {
		return
	}
	if behind := open & (^uint64(1) << h.turn); behind != 0 {
		open = behind
	}
	h.turn = bits.TrailingZeros64(open)
	l := &h.lanes[h.turn]
	w := &h.Unit.Words[h.turn]
	k := min(8, len(l.rest))
	w.Valid, w.Data = true, cabachw.Word{Count: uint8(k), Last: k == len(l.rest)}
	if k == 8 {
		w.Data.Data = binary.LittleEndian.Uint64(l.rest)
	} else {
		for i, b := range l.rest[:k] {
			w.Data.Data |= uint64(b) << (8 * i)
		}
	}
	h.Activity.Bytes += uint64(k)
	if l.rest = l.rest[k:]; len(l.rest) == 0 {
		h.loaded &^= 1 << h.turn
		if l.frame >= 0 {
			h.empty |= 1 << h.turn
		}
	}
	h.word = h.turn
}

// sample stores four samples of a column.
func (h *hostUnit) sample(w *PixelWord) {
	l := &h.lanes[w.Thread]
	at := (16*int(w.MBY)+4*int(w.Y))*l.stride + 16*int(w.MBX) + int(w.X)
	pix := h.data[l.frame]
	for k := range 4 {
		pix[at] = byte(w.Data >> (8 * k))
		at += l.stride
	}
	if l.wanted -= 4; l.wanted == 0 {
		h.left--
		(*Host)(h).take(int(w.Thread))
	}
}

// endNames says what the codes of hw.ItemEnd mean.
var endNames = [16]string{
	hw.EndComplete: "complete", hw.EndStart: "invalid start of the slice data", hw.EndData: "slice data ends early", hw.EndPCM: "unsupported mb_type I_PCM",
	hw.EndChroma: "mb_type with chroma coefficients in a monochrome picture", hw.EndMode: "intra mode without its neighbours",
	hw.EndQPDelta: "mb_qp_delta out of range", hw.EndLevel: "level beyond 16 bits", hw.EndPicture: "slice data beyond the last macroblock",
}

// Observe names the units of the decoder to a, sources first: unpacking and parser
// of every lane, the choice among the lanes, and the pixel path. It implies
// SetStepped.
func (u *Unit) Observe(a *sim.Activity) {
	u.SetStepped()
	wires := func(w ...*sim.Wire) []*sim.Wire { return w }
	var items []*sim.Wire
	for i, l := range u.lanes {
		a.AddNth("unpack", i, wires(&u.Words[i].Wire), wires(&l.bytes.Wire))
		a.AddNth("lane", i, wires(&l.bytes.Wire, &u.Config[i].Wire), wires(&u.items[i].Wire))
		items = append(items, &u.items[i].Wire)
	}
	a.Add("choice", items, wires(&u.item.Wire))
	a.Add("pixels", wires(&u.item.Wire), wires(&u.Out.Wire))
}
