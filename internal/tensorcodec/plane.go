package tensorcodec

import (
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

	// Progress, if not nil, is called after every coded frame with its number of values; a search codes frames more than
	// once. It may be called concurrently.
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

// frameCoder codes the frames of one plane, as often as a search asks. Its encoders are kept between runs.
type frameCoder struct {
	opt   Options
	grid  Grid
	plane []byte
	idle  chan *worker
	limit chan struct{} // shared by all planes that are coded at the same time; may be nil
}

type worker struct {
	enc Encoder
	buf []byte // a padded frame
}

func newFrameCoder(plane []byte, grid Grid, opt Options, limit chan struct{}) (*frameCoder, error) {
	if err := grid.check(); err != nil {
		return nil, err
	}
	if len(plane) != grid.Width*grid.Height {
		return nil, fmt.Errorf("plane of %d bytes, %dx%d needs %d", len(plane), grid.Width, grid.Height, grid.Width*grid.Height)
	}
	if err := opt.Target.check(opt.Codec.MaxQP()); err != nil && !opt.Lossless {
		return nil, err
	}
	n := min(opt.workers(), grid.Frames())
	c := &frameCoder{opt: opt, grid: grid, plane: plane, idle: make(chan *worker, n), limit: limit}
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
	enc, err := c.opt.Codec.NewEncoder(Config{
		Width: c.grid.FrameWidth, Height: c.grid.FrameHeight,
		Tier: c.opt.Tier, Lossless: c.opt.Lossless, Off: c.opt.Off, CTU: c.opt.CTU,
		FineQP: !c.opt.Lossless && (c.opt.Target.Kind != TargetQP || ToQP(c.opt.Target.Value).Frac() != 0),
	})
	if err != nil {
		return nil, err
	}
	w := &worker{enc: enc}
	if c.grid.Width%c.grid.FrameWidth != 0 || c.grid.Height%c.grid.FrameHeight != 0 {
		w.buf = make([]byte, c.grid.FrameWidth*c.grid.FrameHeight)
	}
	return w, nil
}

// run codes the frames whose indices are listed (nil: all) and returns a stream of them. Their reconstruction is placed
// into recon when it is not nil.
func (c *frameCoder) run(qp QP, frames []int, recon []byte) ([]byte, Bins, error) {
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
			err := func() (err error) {
				if c.limit != nil {
					c.limit <- struct{}{}
					defer func() { <-c.limit }()
				}
				if w == nil {
					if w, err = c.newWorker(); err != nil {
						return err
					}
				}
				pix, stride := c.grid.Frame(c.plane, w.buf, i)
				var dst []byte
				if k == 0 {
					dst = w.enc.AppendHeader(make([]byte, 0, c.grid.FrameWidth*c.grid.FrameHeight/2+256))
				}
				if parts[k], err = w.enc.AppendFrame(dst, pix, stride, qp, k); err != nil {
					return err
				}
				bins[k] = w.enc.Bins()
				if recon != nil {
					c.grid.place(recon, w.enc.Recon(), c.grid.FrameWidth, i)
				}
				if c.opt.Progress != nil {
					_, _, w, h := c.grid.rect(i)
					c.opt.Progress(w * h)
				}
				return nil
			}()
			if err != nil {
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
	total := 0
	for k, b := range bins {
		sum.add(b)
		total += len(parts[k])
	}
	if count == 1 {
		return parts[0], sum, nil
	}
	stream := make([]byte, 0, total)
	for _, p := range parts {
		stream = append(stream, p...)
	}
	return stream, sum, nil
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
	return encodePlane(plane, grid, opt, nil, planeGoal(plane))
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
	pictures, err := decodeAll(codec, stream, workers)
	if err != nil {
		return nil, err
	}
	grid := Grid{width, height, pictures[0].Width, pictures[0].Height}
	if err := grid.check(); err != nil {
		return nil, err
	}
	if len(pictures) != grid.Frames() {
		return nil, FormatError(fmt.Sprintf("stream: %d pictures of %dx%d, a plane of %dx%d has %d", len(pictures), grid.FrameWidth, grid.FrameHeight, width, height, grid.Frames()))
	}
	return assemble(grid, pictures), nil
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
