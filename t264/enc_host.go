package t264

import (
	"encoding/binary"
	"fmt"

	"vcsim/sim"
)

// An EncoderJob is a frame for a hardware encoder: samples in rows that are
// Stride apart. The host pads it to multiples of 16 by its last column and row.
type EncoderJob struct {
	Pix                   []byte
	Width, Height, Stride int
	QP16                  int // QP in 1/16, 0..816
}

// mbs returns the size of the frame in macroblocks.
func (j *EncoderJob) mbs() (w, h int) { return (j.Width + 15) / 16, (j.Height + 15) / 16 }

// row4 returns the four samples from (x, y) on, the first one lowest.
func (j *EncoderJob) row4(x, y int) uint32 {
	row := j.Pix[min(y, j.Height-1)*j.Stride:][:j.Width]
	if x+4 <= len(row) {
		return binary.LittleEndian.Uint32(row[x:])
	}
	v := uint32(0)
	for i := range 4 {
		v |= uint32(row[min(x+i, len(row)-1)]) << (8 * i)
	}
	return v
}

// An EncoderHost is what a hardware encoder is connected to: it gives each
// thread that has asked for the last macroblock of its frame the next one,
// answers requests, and collects the bytes of the slices. As a clocked unit it
// comes after the encoder in a kernel.
type EncoderHost struct {
	Config sim.Stream[FrameConfig]
	Req    sim.Stream[MBRequest]
	Src    sim.Stream[SourceBeat]
	Out    sim.Stream[SliceWord]
	// Data holds the slice data of each job, complete when it is Done.
	Data [][]byte
	// Latency is the number of cycles between a request and its first samples
	// beside the one that a register takes.
	Latency uint64

	spec    EncSpec
	jobs    []EncoderJob
	next    int // job that no thread has
	done    int
	threads []hostThread
	free    []uint8 // threads without macroblocks to ask for, a ring from head on
	head    int
	length  int
	asked   []hostRequest // a ring: a thread has one request under way
	first   int
	count   int
	at      int // samples of the first request that were sent
	cycle   uint64
	values  uint64
	drained bool // a thread found no job
	drain   uint64
}

// A hostThread is what a thread works on: jobs in the order of their slices.
type hostThread struct {
	asking int
	coding []int // jobs, the first of which gets bytes
}

type hostRequest struct {
	job  *EncoderJob
	x, y int
	from uint64 // cycle
}

// NewEncoderHost returns a host with the given frames, or the error of the first
// one that does not suit spec.
func NewEncoderHost(spec EncSpec, jobs []EncoderJob) (*EncoderHost, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	h := &EncoderHost{
		spec: spec, jobs: jobs, Data: make([][]byte, len(jobs)), threads: make([]hostThread, spec.Threads),
		free: make([]uint8, spec.Threads), length: spec.Threads, asked: make([]hostRequest, spec.Threads+1),
	}
	for i := range jobs {
		j := &jobs[i]
		w, rows := j.mbs()
		switch {
		case j.Width < 1 || j.Height < 1 || j.Stride < j.Width || len(j.Pix) < (j.Height-1)*j.Stride+j.Width:
			return nil, fmt.Errorf("t264: frame %d: %d samples in rows of %d do not hold %dx%d", i, len(j.Pix), j.Stride, j.Width, j.Height)
		case w > spec.FrameMBs || rows >= 1<<rowBits:
			return nil, fmt.Errorf("t264: frame %d of %dx%d: at most %dx%d", i, j.Width, j.Height, 16*spec.FrameMBs, 16*(1<<rowBits-1))
		case j.QP16 < 0 || j.QP16 > 16*51:
			return nil, fmt.Errorf("t264: frame %d: QP %d/16: want 0 to 816", i, j.QP16)
		}
		h.Data[i] = make([]byte, 0, w*rows*256)
	}
	for t := range h.free {
		h.free[t] = uint8(t)
		h.threads[t].coding = make([]int, 0, 8)
	}
	return h, nil
}

// Done reports whether the bytes of all jobs are there.
func (h *EncoderHost) Done() bool { return h.done == len(h.jobs) }

// Drained returns the cycle in which a thread first found no job, and whether one
// has: from there on the encoder is not fully loaded.
func (h *EncoderHost) Drained() (cycle uint64, ok bool) { return h.drain, h.drained }

// Values is the number of samples sent so far, padding included.
func (h *EncoderHost) Values() uint64 { return h.values }

func (h *EncoderHost) Eval() { h.Req.Ready, h.Out.Ready = true, true }

func (h *EncoderHost) Clock() {
	if h.Config.Moves() {
		h.Config.Valid = false
	}
	if h.Src.Moves() {
		h.Src.Valid = false
	}
	if h.Req.Moves() {
		h.request(&h.Req.Data)
	}
	if h.Out.Moves() {
		h.collect(&h.Out.Data)
	}
	h.cycle++
	if !h.Config.Valid && h.length > 0 {
		h.configure()
	}
	if !h.Src.Valid && h.count > 0 && h.asked[h.first].from <= h.cycle {
		h.send()
	}
}

// configure gives the next frame to the thread that waits longest.
func (h *EncoderHost) configure() {
	if h.next == len(h.jobs) {
		if !h.drained {
			h.drained, h.drain = true, h.cycle
		}
		return
	}
	t := h.free[h.head]
	h.head = (h.head + 1) % len(h.free)
	h.length--
	j := &h.jobs[h.next]
	w, rows := j.mbs()
	h.Config.Valid, h.Config.Data = true, FrameConfig{Thread: t, Width: uint16(w), Height: uint16(rows), QP16: uint16(j.QP16)}
	th := &h.threads[t]
	th.asking = h.next
	th.coding = append(th.coding, h.next)
	h.next++
}

func (h *EncoderHost) request(r *MBRequest) {
	j := h.threads[r.Thread].asking
	h.asked[(h.first+h.count)%len(h.asked)] = hostRequest{&h.jobs[j], 16 * int(r.X), 16 * int(r.Y), h.cycle + 1 + h.Latency}
	h.count++
	if r.Last {
		h.free[(h.head+h.length)%len(h.free)] = r.Thread
		h.length++
	}
}

// send drives the next beat of the first request.
func (h *EncoderHost) send() {
	r, b := &h.asked[h.first], h.at>>4
	x, y := r.x+int(blockX[b]), r.y+int(blockY[b])+h.at>>2&3
	beat := uint64(r.job.row4(x, y))
	if h.spec.Values == 8 {
		beat |= uint64(r.job.row4(x, y+1)) << 32
	}
	h.Src.Valid, h.Src.Data = true, SourceBeat(beat)
	h.values += uint64(h.spec.Values)
	if h.at += h.spec.Values; h.at == 256 {
		h.at = 0
		h.first = (h.first + 1) % len(h.asked)
		h.count--
	}
}

func (h *EncoderHost) collect(w *SliceWord) {
	th := &h.threads[w.Thread]
	j := th.coding[0]
	var b [wordBytes]byte
	binary.LittleEndian.PutUint64(b[:], w.Data)
	h.Data[j] = append(h.Data[j], b[:w.Count]...)
	if w.Last {
		copy(th.coding, th.coding[1:])
		th.coding = th.coding[:len(th.coding)-1]
		h.done++
	}
}

// Observe names the units of the encoder to a, sources first: those of the
// pixel path with the queues between them, and binariser, engine and packing of
// every lane.
func (u *EncoderUnit) Observe(a *sim.Activity) {
	p, c := u.pixels, u.code
	w := func(wires ...*sim.Wire) []*sim.Wire { return wires }
	a.Add("scheduler", w(&u.Config.Wire), w(&u.Req.Wire, &p.sched.job.Wire))
	a.Add("references", w(&p.sched.job.Wire), w(&p.ref.out.Wire))
	a.Add("mode", w(&u.Src.Wire, &p.ref.out.Wire), w(&p.mode.tok.Wire, &p.mode.beats.Wire))
	a.Add("source queue", w(&p.mode.beats.Wire), w(&p.dct.beat.Wire))
	a.Add("transform", w(&p.dct.beat.Wire, &p.mode.tok.Wire), w(&p.dct.out.Wire, &p.dct.hdr.Wire))
	a.Add("quantiser", w(&p.dct.out.Wire), w(&u.ac.Wire, &p.quant.sum.Wire, &p.quant.edge.Wire))
	a.Add("dc", w(&p.quant.sum.Wire, &p.dc.hdr.Wire), w(&u.mb.Wire, &p.dc.out.Wire))
	a.Add("border", w(&p.border.blocks.Wire, &p.dc.out.Wire), w(&p.border.done.Wire))
	a.Add("store", w(&u.ac.Wire, &u.mb.Wire), nil)
	var words []*sim.Wire
	for i, l := range c.lanes {
		a.Add(fmt.Sprintf("binariser %d", i), nil, w(&c.store.Fetch[i].Wire, &l.ops.Wire))
		a.Add(fmt.Sprintf("engine %d", i), w(&l.ops.Wire), w(&l.bytes.Wire))
		a.Add(fmt.Sprintf("packing %d", i), w(&l.bytes.Wire), w(&c.words[i].Wire))
		words = append(words, &c.words[i].Wire)
	}
	a.Add("arbiter", words, w(&u.Out.Wire))
}
