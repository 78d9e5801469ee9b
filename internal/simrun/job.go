package simrun

import (
	"bytes"
	"fmt"

	"vcsim/internal/tensorcodec"
	"vcsim/t264"
	"vcsim/t264/hwdec"
	"vcsim/t264/hwenc"
	"vcsim/t265"
	hwenc265 "vcsim/t265/hwenc"
)

// A Job is a plane with what the software codec makes of it.
type Job struct {
	Name  string // for messages
	Plane []byte
	Grid  tensorcodec.Grid
	Coded *tensorcodec.Coded

	codec  Codec
	slices []hwdec.Slice // one a frame of the encoder; of t265 their data alone
	frames []hwenc.Frame
	fine   bool // cu_qp_delta is enabled, of t265
}

// NewJob codes a plane in software.
func NewJob(name string, plane []byte, grid tensorcodec.Grid, o tensorcodec.Options) (*Job, error) {
	j := &Job{Name: name, Plane: plane, Grid: grid}
	var err error
	if j.Coded, err = tensorcodec.EncodePlane(plane, grid, o); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err = j.codec.UnmarshalText([]byte(o.Codec.Name())); err == nil {
		err = j.cut()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for i := range grid.Frames() {
		pix, stride := grid.Frame(plane, make([]byte, grid.FrameWidth*grid.FrameHeight), i)
		j.frames = append(j.frames, hwenc.Frame{Pix: pix, Width: grid.FrameWidth, Height: grid.FrameHeight, Stride: stride, QP16: int(16*j.Coded.QP + .5)})
	}
	return j, nil
}

// cut cuts the stream into slices.
func (j *Job) cut() (err error) {
	if j.codec == T264 {
		j.slices, err = hwdec.Slices(j.Coded.Stream)
		return err
	}
	list, err := t265.Slices(j.Coded.Stream)
	for _, s := range list {
		j.slices = append(j.slices, hwdec.Slice{Data: s.Data})
		j.fine = s.PPS.QPDelta
	}
	return err
}

// frame265 is frame k for the encoder of t265.
func (j *Job) frame265(k int) hwenc265.Frame {
	f := &j.frames[k]
	return hwenc265.Frame{Pix: f.Pix, Stride: f.Stride, Width: f.Width, Height: f.Height, QP16: f.QP16, Fine: j.fine}
}

// DefaultFrame is at most 256x256, less high where that gives count frames.
func DefaultFrame(width, height, count int) (w, h int) {
	w, h = min(width, 256), min(height, 256)
	for h > 32 && (width+w-1)/w*((height+h-1)/h) < count {
		h = (h/2 + 15) &^ 15
	}
	return w, h
}

// FramesWanted is the number of frames of a plane with which every thread of every instance gets two.
func (c *Config) FramesWanted(p Point) int { return 2 * p.Threads * c.Instances }

// coded is the size of a frame of the job in whole macroblocks or CTUs, in samples.
func (j *Job) coded() (width, height int) {
	return (j.Grid.FrameWidth + 15) &^ 15, (j.Grid.FrameHeight + 15) &^ 15
}

// inside is how much of frame k is of the plane.
func (j *Job) inside(k int) (width, height int) {
	g := &j.Grid
	across := (g.Width + g.FrameWidth - 1) / g.FrameWidth
	return min(g.FrameWidth, g.Width-k%across*g.FrameWidth), min(g.FrameHeight, g.Height-k/across*g.FrameHeight)
}

// A place is a frame of a job.
type place struct {
	job   *Job
	frame int
}

// share gives the frames of all jobs to instances, in turn.
func share(jobs []*Job, instances int) [][]place {
	shares := make([][]place, instances)
	n := 0
	for _, j := range jobs {
		for i := range j.frames {
			shares[n%instances] = append(shares[n%instances], place{j, i})
			n++
		}
	}
	return shares
}

// Verify compares the bytes or samples of every frame with those of the software codec.
func (r *Result) Verify() error {
	for _, in := range r.instances {
		for i, at := range in.places {
			if err := r.verify(at, in.data[i]); err != nil {
				return fmt.Errorf("%s: frame %d: %w", at.job.Name, at.frame, err)
			}
		}
	}
	return nil
}

func (r *Result) verify(at place, data []byte) error {
	if r.unit == Decoder {
		if x, y, ok := at.job.differs(data, at.frame); ok {
			return fmt.Errorf("the sample at column %d, row %d from the model of %d lanes is not that of the software", x, y, r.Lanes)
		}
		return nil
	}
	if want := at.job.slices[at.frame].Data; !bytes.Equal(data, want) {
		return fmt.Errorf("%d bytes from the model of %d threads and %d lanes are not the %d of the software", len(data), r.Threads, r.Lanes, len(want))
	}
	return nil
}

// differs finds a sample of frame k that is not the one of the software.
func (j *Job) differs(pix []byte, k int) (x, y int, ok bool) {
	g := &j.Grid
	want, stride := g.Frame(j.Coded.Recon, make([]byte, g.FrameWidth*g.FrameHeight), k)
	w, h := j.inside(k) // what the grid pads is not in the reconstruction of the plane
	width, _ := j.coded()
	for y := range h {
		for x := range w {
			if pix[y*width+x] != want[y*stride+x] {
				return x, y, true
			}
		}
	}
	return 0, 0, false
}

// Stream is the stream of a job's plane with the slices that the hardware made.
func (r *Result) Stream(j *Job) ([]byte, error) {
	codec, err := tensorcodec.Lookup(j.codec.String())
	if err != nil {
		return nil, err
	}
	e, err := codec.NewEncoder(tensorcodec.Config{Width: j.Grid.FrameWidth, Height: j.Grid.FrameHeight, Tier: "hw", FineQP: j.fine || j.frames[0].QP16&15 != 0})
	if err != nil {
		return nil, err
	}
	data := make([][]byte, len(j.frames))
	for _, in := range r.instances {
		for i, at := range in.places {
			if at.job == j {
				data[at.frame] = in.data[i]
			}
		}
	}
	stream := e.AppendHeader(nil)
	for i, d := range data {
		if qp := j.frames[i].QP16 >> 4; j.codec == T265 {
			stream = t265.AppendSliceNAL(stream, d, qp)
		} else {
			stream = t264.AppendSliceNAL(stream, d, qp, i)
		}
	}
	return stream, nil
}
