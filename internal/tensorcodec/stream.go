package tensorcodec

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"sync"

	"vcsim/internal/raster"
	"vcsim/internal/tensor"
)

// A tensor that is not held in memory is read as it is coded: every frame by the worker that codes it, and once more, for the
// checksum of the codes and the distortion, when the frames above it and beside it are coded. What is in memory is the
// frames in flight, the stream, and the reconstruction of rows that are not complete.

// values are the values of a tensor of a source.
type values struct {
	info tensor.Info
	src  Source
}

// bytes returns count values from value from on, as they are stored.
func (v values) bytes(buf []byte, from, count int) ([]byte, error) {
	size := v.info.DType.Bits() / 8
	src, ok := v.src.(RangeSource)
	if !ok {
		all, err := v.src.Read(v.info.Name, nil)
		if err != nil {
			return nil, err
		}
		if want, err := v.info.NumBytes(); err != nil || int64(len(all)) != want {
			return nil, FormatError("data: not the size that its shape says")
		}
		return append(buf[:0], all[from*size:][:count*size]...), nil
	}
	if cap(buf) < count*size {
		buf = make([]byte, count*size)
	}
	buf = buf[:count*size]
	return buf, src.ReadAt(v.info.Name, buf, int64(from)*int64(size))
}

// read appends count values from value from on to dst.
func (v values) read(dst []float32, from, count int) ([]float32, error) {
	if count == 0 {
		return dst, nil
	}
	buf := rawBuffers.Get().(*[]byte)
	defer rawBuffers.Put(buf)
	var err error
	if *buf, err = v.bytes(*buf, from, count); err != nil {
		return nil, err
	}
	return tensor.Decode(dst, v.info.DType, *buf)
}

// rawBuffers hold values as they are stored, a window's at most.
var rawBuffers = sync.Pool{New: func() any { return new([]byte) }}

// WriteTo copies the stored data of a tensor of any type.
func (v values) WriteTo(w io.Writer) (n int64, err error) {
	size, err := v.info.NumBytes()
	if err != nil {
		return 0, err
	}
	src, ok := v.src.(RangeSource)
	if !ok {
		all, err := v.src.Read(v.info.Name, nil)
		if err != nil {
			return 0, err
		}
		k, err := w.Write(all)
		return int64(k), err
	}
	buf := make([]byte, min(size, 1<<20))
	for n < size {
		piece := buf[:min(int64(len(buf)), size-n)]
		if err := src.ReadAt(v.info.Name, piece, n); err != nil {
			return n, err
		}
		k, err := w.Write(piece)
		n += int64(k)
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// A streamSubject codes a tensor that is read as it is coded.
type streamSubject struct {
	p *prepared
}

func (s *streamSubject) frame(w *worker, i int) ([]byte, int, error) {
	p := s.p
	x, y, width, height := p.grid.rect(i)
	var err error
	if w.x, err = p.rect(w.x, x, y, width, height); err != nil {
		return nil, 0, err
	}
	fw, fh := p.grid.FrameWidth, p.grid.FrameHeight
	if len(w.buf) < 2*fw*fh {
		w.buf = make([]byte, 2*fw*fh)
	}
	codes := w.buf[:width*height]
	p.toCodes(codes, w.x, tensor.Window{Cols: p.cols, X: x, Y: y, W: width, H: height, Stride: width})
	if width == fw && height == fh {
		return codes, fw, nil
	}
	padded := w.buf[fw*fh : 2*fw*fh]
	raster.Pad(padded, fw, codes, width, width, height)
	return padded, fw, nil
}

// begin measures errors where the target needs them, and the whole result where all frames are coded.
func (s *streamSubject) begin(frames []int) attempt {
	a := &streamAttempt{p: s.p, errs: make([]float64, s.p.grid.Frames())}
	if frames == nil {
		a.tail = newTail(s.p)
	}
	return a
}

// A streamAttempt is one run over a tensor that is read as it is coded.
type streamAttempt struct {
	p    *prepared
	errs []float64 // by frame
	tail *tail     // nil when not all frames are coded
}

func (a *streamAttempt) coded(w *worker, i int) error {
	p := a.p
	x, y, width, height := p.grid.rect(i)
	recon := w.enc.Recon()
	if p.info.DType.Integer() {
		sum := 0
		for r := range height {
			sum += squaredCodes(w.buf[r*width:][:width], recon[r*p.grid.FrameWidth:])
		}
		a.errs[i] = float64(sum)
	} else {
		inside := recon
		if fw := p.grid.FrameWidth; width < fw {
			inside = w.buf[:width*height] // the codes have done their service
			raster.Copy(inside, width, recon, fw, width, height)
		}
		a.errs[i] = p.opt.Quant.SquaredError(w.x, inside, tensor.Window{Cols: p.cols, X: x, Y: y, W: width, H: height, Stride: width}, p.params)
	}
	if a.tail == nil {
		return nil
	}
	return a.tail.place(recon, i)
}

func (a *streamAttempt) squared(i int) float64 { return a.errs[i] }

func (a *streamAttempt) drop() { a.tail = nil }

func (a *streamAttempt) stop() {
	if a.tail != nil {
		a.tail.stop()
	}
}

// finish returns the checksum of the codes and the distortion.
func (a *streamAttempt) finish() (string, tensor.Distortion) {
	return hex.EncodeToString(a.tail.sum.Sum(nil)[:4]), a.tail.compare.Distortion()
}

// A tail takes the reconstruction of the frames of a tensor, puts them together to bands of a frame's height, and looks at the
// bands from the top down: checksum and distortion are sums in the order of the values.
type tail struct {
	p       *prepared
	sum     hash.Hash
	compare tensor.Comparer

	mu      sync.Mutex
	turn    *sync.Cond
	bands   map[int]*band // begun and not finished, by the row of frames
	next    int           // the band that is looked at next
	busy    bool          // someone looks at it
	free    [][]byte
	stopped bool

	x, y []float32 // values of a piece of a band, and what they have become
	raw  []byte
}

// A band is the reconstruction of a row of frames.
type band struct {
	recon []byte
	left  int // frames to come
}

// bandsAhead bounds how many bands may be begun behind the one that is looked at.
const bandsAhead = 8

func newTail(p *prepared) *tail {
	t := &tail{p: p, sum: sha256.New(), bands: map[int]*band{}}
	t.turn = sync.NewCond(&t.mu)
	return t
}

// place copies frame i to its band, and looks at the bands that are complete.
func (t *tail) place(recon []byte, i int) error {
	p := t.p
	g := p.grid
	row := i / g.across()
	x, _, w, h := g.rect(i)
	t.mu.Lock()
	for row > t.next+bandsAhead && !t.stopped {
		t.turn.Wait()
	}
	b := t.bands[row]
	if b == nil {
		b = &band{left: g.across()}
		if n := len(t.free); n > 0 {
			b.recon, t.free = t.free[n-1], t.free[:n-1]
		} else {
			b.recon = make([]byte, g.Width*min(g.FrameHeight, g.Height))
		}
		t.bands[row] = b
	}
	t.mu.Unlock()
	raster.Copy(b.recon[x:], g.Width, recon, g.FrameWidth, w, h)
	t.mu.Lock()
	defer t.mu.Unlock()
	b.left--
	for !t.busy && !t.stopped {
		b := t.bands[t.next]
		if b == nil || b.left > 0 {
			return nil
		}
		t.busy = true
		t.mu.Unlock()
		err := t.look(b.recon, t.next*g.FrameHeight)
		t.mu.Lock()
		t.busy = false
		delete(t.bands, t.next)
		t.free = append(t.free, b.recon)
		t.next++
		t.turn.Broadcast()
		if err != nil {
			return err
		}
	}
	return nil
}

func (t *tail) stop() {
	t.mu.Lock()
	t.stopped = true
	t.turn.Broadcast()
	t.mu.Unlock()
}

// look adds the rows from y on to the checksum and to the distortion.
func (t *tail) look(recon []byte, y int) error {
	p := t.p
	rows := min(p.grid.FrameHeight, p.rows-y)
	t.sum.Write(recon[:rows*p.cols])
	step := max(1, chunkValues/p.cols)
	for r := 0; r < rows; r += step {
		h := min(step, rows-r)
		from := (y + r) * p.cols
		count := min(h*p.cols, p.n-from)
		if count <= 0 {
			break
		}
		codes := recon[r*p.cols:][:h*p.cols]
		var err error
		if t.x, err = p.data.read(t.x[:0], from, count); err != nil {
			return err
		}
		if t.y, err = t.restore(codes, y+r, h, from, count); err != nil {
			return err
		}
		t.compare.Add(t.x, t.y)
	}
	return nil
}

// restore returns what decoding gives for the codes of some rows.
func (t *tail) restore(codes []byte, y, rows, from, count int) ([]float32, error) {
	p := t.p
	var err error
	if p.info.DType.Integer() {
		t.raw = append(t.raw[:0], codes[:count]...)
		for i := range t.raw {
			t.raw[i] ^= codeBias(p.info.DType)
		}
		return tensor.Decode(t.y[:0], p.info.DType, t.raw)
	}
	if cap(t.y) < len(codes) {
		t.y = make([]float32, len(codes))
	}
	out := t.y[:len(codes)]
	p.opt.Quant.DequantizeWindow(out, codes, tensor.Window{Cols: p.cols, Y: y, W: p.cols, H: rows, Stride: p.cols}, p.params)
	if p.mean != nil {
		tensor.AddMeans(out, rows, p.cols, p.mean)
	}
	for k, end := p.far.between(from, from+count); k < end; k++ {
		out[int(p.far.index[k])-from] = p.far.value[k]
	}
	if p.info.DType == tensor.F32 {
		return out[:count], nil
	}
	if t.raw, err = tensor.Encode(t.raw[:0], p.info.DType, out[:count]); err != nil {
		return nil, err
	}
	return tensor.Decode(t.y[:0], p.info.DType, t.raw)
}
