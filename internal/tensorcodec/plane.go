package tensorcodec

import (
	"bytes"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

// Options say how codes are coded.
type Options struct {
	Codec    Codec
	Tier     string
	Off      string
	CTU      int
	Lossless bool
	Target   Target

	// Workers bounds the goroutines that code frames; 0 means one per core.
	Workers int

	// Progress, if not nil, is called as frames are coded, row of blocks by row of blocks, with the number of their values; a
	// search codes frames more than once. It may be called concurrently.
	Progress func(values int)
}

func (o Options) workers() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// Coded is a coded plane.
type Coded struct {
	Grid   Grid
	Stream []byte
	Recon  []byte // what decoding gives, Width*Height
	Bins   Bins
	QP     float64
	Note   string // why a target was missed; empty when it was met
}

// A subject is what a [frameCoder] codes: where the samples of its frames come from, and what becomes of their
// reconstruction.
type subject interface {
	// frame returns the samples of frame i, which may lie in the buffers of the worker, and their stride.
	frame(w *worker, i int) (pix []byte, stride int, err error)

	// begin returns what takes the reconstruction of a run over the listed frames (nil: all).
	begin(frames []int) attempt
}

// An attempt is one run over the frames of a subject.
type attempt interface {
	// coded takes frame i, which worker w has just coded. It is called concurrently.
	coded(w *worker, i int) error

	// squared is the sum of squared errors of frame i, in the units of the target.
	squared(i int) float64

	// drop ends an attempt that is not the one chosen.
	drop()

	// stop says that a frame failed, so that no frame waits for it.
	stop()
}

// frameCoder codes the frames of one plane, as often as a search asks. Its encoders are kept between runs.
type frameCoder struct {
	opt   Options
	grid  Grid
	sub   subject
	idle  chan *worker
	limit chan struct{} // shared by all planes that are coded at the same time; may be nil
}

// A worker is what one goroutine codes with.
type worker struct {
	enc Encoder
	buf []byte    // a frame
	x   []float32 // its values, of a tensor that is read as it is coded
	out []byte    // the coded frame

	values, rows int // of the frame under way: those of the plane, and rows of samples that have been coded
}

func newFrameCoder(sub subject, grid Grid, opt Options, limit chan struct{}) (*frameCoder, error) {
	if err := grid.check(); err != nil {
		return nil, err
	}
	if err := opt.Target.check(opt.Codec.MaxQP()); err != nil && !opt.Lossless {
		return nil, err
	}
	n := min(opt.workers(), grid.Frames())
	c := &frameCoder{opt: opt, grid: grid, sub: sub, idle: make(chan *worker, n), limit: limit}
	first, err := c.newWorker() // reports what the codec refuses before any work
	if err != nil {
		return nil, err
	}
	c.idle <- first
	for range n - 1 {
		c.idle <- nil // made when first needed
	}
	return c, nil
}

func (c *frameCoder) newWorker() (*worker, error) {
	w := &worker{}
	var onRow func(rows int)
	if report := c.opt.Progress; report != nil {
		onRow = func(rows int) {
			before := w.rows * w.values / c.grid.FrameHeight // the rest is padding
			w.rows += rows
			report(w.rows*w.values/c.grid.FrameHeight - before)
		}
	}
	enc, err := c.opt.Codec.NewEncoder(Config{
		OnRow: onRow,
		Width: c.grid.FrameWidth, Height: c.grid.FrameHeight,
		Tier: c.opt.Tier, Lossless: c.opt.Lossless, Off: c.opt.Off, CTU: c.opt.CTU,
		FineQP: !c.opt.Lossless && (c.opt.Target.Kind != TargetQP || ToQP(c.opt.Target.Value).Frac() != 0),
	})
	if err != nil {
		return nil, err
	}
	w.enc = enc
	return w, nil
}

// run codes the frames whose indices are listed (nil: all), hands them to a, and returns the parts of a stream, one a frame.
func (c *frameCoder) run(qp QP, frames []int, a attempt) ([][]byte, Bins, error) {
	count := c.grid.Frames()
	if frames != nil {
		count = len(frames)
	}
	parts := make([][]byte, count)
	bins := make([]Bins, count)
	var next atomic.Int64
	var mu sync.Mutex
	var failed error
	failedAt := count
	one := func(w *worker, k, i int) (*worker, error) {
		if c.limit != nil {
			c.limit <- struct{}{}
			defer func() { <-c.limit }()
		}
		var err error
		if w == nil {
			if w, err = c.newWorker(); err != nil {
				return nil, err
			}
		}
		pix, stride, err := c.sub.frame(w, i)
		if err != nil {
			return w, err
		}
		_, _, width, height := c.grid.rect(i)
		w.values, w.rows = width*height, 0
		w.out = w.out[:0]
		if k == 0 {
			w.out = w.enc.AppendHeader(w.out)
		}
		if w.out, err = w.enc.AppendFrame(w.out, pix, stride, qp, k); err != nil {
			return w, err
		}
		parts[k] = bytes.Clone(w.out)
		bins[k] = w.enc.Bins()
		return w, nil
	}
	code := func() {
		w := <-c.idle
		defer func() { c.idle <- w }()
		for {
			k := int(next.Add(1)) - 1
			if k >= count {
				return
			}
			i := k
			if frames != nil {
				i = frames[k]
			}
			var err error
			if w, err = one(w, k, i); err == nil {
				err = a.coded(w, i)
			}
			if err != nil {
				next.Store(int64(count)) // no more frames
				a.stop()
				mu.Lock()
				if k < failedAt { // the first frame's error, whatever the timing
					failed, failedAt = fmt.Errorf("frame %d: %w", i, err), k
				}
				mu.Unlock()
				return
			}
		}
	}
	parallel(min(cap(c.idle), count), code)
	if failed != nil {
		return nil, Bins{}, failed
	}
	var sum Bins
	for _, b := range bins {
		sum.add(b)
	}
	return parts, sum, nil
}

// join makes one stream of its parts.
func join(parts [][]byte) []byte {
	switch len(parts) {
	case 0:
		return nil
	case 1:
		return parts[0]
	}
	return bytes.Join(parts, nil)
}

// length is the number of bytes of a stream.
func length(parts [][]byte) (n int) {
	for _, p := range parts {
		n += len(p)
	}
	return n
}

// A planeSubject is a plane of codes in memory; errs is the sum of squared errors of a reconstruction in a rectangle of it.
type planeSubject struct {
	grid  Grid
	plane []byte
	errs  func(recon []byte, x, y, w, h int) float64

	mu   sync.Mutex
	free [][]byte // reconstructions of attempts that were dropped
}

func (p *planeSubject) frame(w *worker, i int) ([]byte, int, error) {
	if n := p.grid.FrameWidth * p.grid.FrameHeight; len(w.buf) < n && (p.grid.Width%p.grid.FrameWidth != 0 || p.grid.Height%p.grid.FrameHeight != 0) {
		w.buf = make([]byte, n)
	}
	pix, stride := p.grid.Frame(p.plane, w.buf, i)
	return pix, stride, nil
}

func (p *planeSubject) begin([]int) attempt {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.free); n > 0 {
		recon := p.free[n-1]
		p.free = p.free[:n-1]
		return &planeAttempt{p, recon}
	}
	return &planeAttempt{p, make([]byte, p.grid.Width*p.grid.Height)}
}

// A planeAttempt keeps the reconstruction.
type planeAttempt struct {
	sub   *planeSubject
	recon []byte
}

func (a *planeAttempt) coded(w *worker, i int) error {
	a.sub.grid.place(a.recon, w.enc.Recon(), a.sub.grid.FrameWidth, i)
	return nil
}

func (a *planeAttempt) squared(i int) float64 {
	x, y, w, h := a.sub.grid.rect(i)
	return a.sub.errs(a.recon, x, y, w, h)
}

func (a *planeAttempt) stop() {}

func (a *planeAttempt) drop() {
	a.sub.mu.Lock()
	a.sub.free = append(a.sub.free, a.recon)
	a.sub.mu.Unlock()
}

// parallel runs f in n goroutines and waits for all of them; a single one runs in the caller's.
func parallel(n int, f func()) {
	if n <= 1 {
		f()
		return
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(f)
	}
	wg.Wait()
}

// EncodePlane codes a plane of 8-bit codes. A target in bits counts the stream alone; one in MSE is in squared code units.
func EncodePlane(plane []byte, grid Grid, opt Options) (*Coded, error) {
	return encodePlane(plane, grid, opt, nil, goal{unit: 1}, codeErrors(plane, grid.Width))
}

// DecodePlane decodes the stream of a plane that was cut as grid says.
func DecodePlane(codec Codec, stream []byte, grid Grid, workers int) ([]byte, error) {
	if err := grid.check(); err != nil {
		return nil, err
	}
	parts, err := codec.SplitFrames(stream)
	if err != nil {
		return nil, err
	}
	if len(parts) != grid.Frames() {
		return nil, FormatError(fmt.Sprintf("stream: %d frames, a plane of %dx%d in frames of %dx%d has %d",
			len(parts), grid.Width, grid.Height, grid.FrameWidth, grid.FrameHeight, grid.Frames()))
	}
	var plane []byte
	var once sync.Once // when a picture has shown that the sizes are true
	err = decodeParts(codec, parts, workers, func(i int, p Picture) error {
		if p.Width != grid.FrameWidth || p.Height != grid.FrameHeight {
			return FormatError(fmt.Sprintf("stream: picture of %dx%d, want %dx%d", p.Width, p.Height, grid.FrameWidth, grid.FrameHeight))
		}
		once.Do(func() { plane = make([]byte, grid.Width*grid.Height) })
		grid.place(plane, p.Pix, p.Stride, i)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return plane, nil
}

// decodeParts decodes every part and hands its picture to each, in no particular order; the error of the first bad frame
// is returned.
func decodeParts(codec Codec, parts [][]byte, workers int, each func(i int, p Picture) error) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	errs := make([]error, len(parts))
	var next atomic.Int64
	var bad atomic.Bool
	parallel(min(workers, len(parts)), func() {
		for !bad.Load() {
			i := int(next.Add(1)) - 1
			if i >= len(parts) {
				return
			}
			p, err := codec.DecodeFrame(parts[i])
			if err == nil {
				err = each(i, p)
			}
			if err != nil {
				errs[i] = fmt.Errorf("frame %d: %w", i, err)
				bad.Store(true)
			}
		}
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// maxPlane bounds the number of values of a plane whose size only the stream says.
const maxPlane = 1 << 34

// DecodeTiles decodes a stream whose pictures are the frames of a plane of the given size, cut at the size of the first.
func DecodeTiles(codec Codec, stream []byte, width, height, workers int) ([]byte, error) {
	plane, _, err := DecodeGrid(codec, stream, width, height, workers)
	return plane, err
}

// DecodeGrid does that and says how the plane is cut.
func DecodeGrid(codec Codec, stream []byte, width, height, workers int) ([]byte, Grid, error) {
	pictures, err := decodeAll(codec, stream, workers)
	if err != nil {
		return nil, Grid{}, err
	}
	grid := Grid{width, height, pictures[0].Width, pictures[0].Height}
	if err := grid.check(); err != nil {
		return nil, grid, err
	}
	if len(pictures) != grid.Frames() {
		return nil, grid, FormatError(fmt.Sprintf("stream: %d pictures of %dx%d, a plane of %dx%d has %d", len(pictures), grid.FrameWidth, grid.FrameHeight, width, height, grid.Frames()))
	}
	return assemble(grid, pictures), grid, nil
}

// DecodeStream decodes a stream whose plane is not known: one picture is the plane; several, which must have one size, are
// stacked, the first on top.
func DecodeStream(codec Codec, stream []byte, workers int) (width, height int, plane []byte, err error) {
	pictures, err := decodeAll(codec, stream, workers)
	if err != nil {
		return 0, 0, nil, err
	}
	first := pictures[0]
	if len(pictures) == 1 && first.Stride == first.Width {
		return first.Width, first.Height, first.Pix[:first.Width*first.Height], nil
	}
	grid := Grid{first.Width, first.Height * len(pictures), first.Width, first.Height}
	return grid.Width, grid.Height, assemble(grid, pictures), nil
}

// decodeAll decodes all pictures of a stream, at least one, which must have one size.
func decodeAll(codec Codec, stream []byte, workers int) ([]Picture, error) {
	parts, err := codec.SplitFrames(stream)
	if err != nil {
		return nil, err
	}
	if len(parts) == 0 {
		return nil, FormatError("stream: no picture")
	}
	pictures := make([]Picture, len(parts))
	var values atomic.Int64
	err = decodeParts(codec, parts, workers, func(i int, p Picture) error {
		pictures[i] = p
		if n := values.Add(int64(p.Width) * int64(p.Height)); n > maxPlane {
			return UnsupportedError(fmt.Sprintf("stream: more than %d values", maxPlane))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i, p := range pictures {
		if p.Width != pictures[0].Width || p.Height != pictures[0].Height {
			return nil, fmt.Errorf("frame %d: %w", i, UnsupportedError(fmt.Sprintf("stream: picture of %dx%d after one of %dx%d", p.Width, p.Height, pictures[0].Width, pictures[0].Height)))
		}
	}
	return pictures, nil
}

// assemble puts decoded frames together.
func assemble(grid Grid, pictures []Picture) []byte {
	plane := make([]byte, grid.Width*grid.Height)
	for i, p := range pictures {
		grid.place(plane, p.Pix, p.Stride, i)
	}
	return plane
}
