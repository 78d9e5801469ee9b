package t265

import (
	"fmt"
	"image"
	"testing"

	"vcsim/internal/peertest"
	"vcsim/t265"
	"vcsim/t265/hwenc"
	"vcsim/testbench"
)

// An encHostModel is an encoder with its host, until all frames are coded.
type encHostModel struct {
	host *hwenc.Host
	spec hwenc.Spec
	want [][]byte // slices of the software
}

func (m *encHostModel) Cycle(in, out []uint64) {
	m.host.Kernel.Settle()
	cfg, req, src, words := m.host.Ports()
	encPorts(m.spec, cfg, req, src, words, m.host.Unit.Overflow(), in, out)
	m.host.Step()
}

func (m *encHostModel) Done() (bool, error) {
	if !m.host.Done() {
		return false, nil
	}
	return true, testbench.SameSlices(m.host.Data(), m.want)
}

// threeBits returns the frame of 256x256 samples of a plane, which repeats, at the
// QP in 1/16 that gives about 3 bits a value.
func threeBits(p *plane) hwenc.Frame {
	const size = 256
	cut := frame{from: p}
	f := hwenc.Frame{Pix: make([]byte, size*size), Stride: size, Width: size, Height: size, Fine: true}
	for i := range f.Pix {
		f.Pix[i] = cut.sample(i%size, i/size)
	}
	for low, high := 0, 51*16; low <= high; {
		f.QP16 = (low + high) / 2
		slices, err := hwenc.CodePicture(t265.Params{Width: size, Height: size, CTU: 16, MaxTU: 16, FineQP: true}, f.Pix, size, f.QP16)
		if err != nil {
			panic(err)
		}
		if len(slices[0].Data)*8 > 3*size*size {
			low = f.QP16 + 1
		} else {
			high = f.QP16 - 1
		}
	}
	return f
}

// A codedPlane is a plane cut into frames, with what the software makes of them.
type codedPlane struct {
	frames []hwenc.Frame
	want   [][]byte // slices
	recon  [][]byte
}

func codePlane(t *testing.T, spec hwenc.Spec, p *plane) (c codedPlane) {
	qp16 := threeBits(p).QP16
	for _, r := range testbench.Cuts(p.w, p.h) {
		f := hwenc.Frame{Pix: p.pix[r.Min.Y*p.w+r.Min.X:], Stride: p.w, Width: r.Dx(), Height: r.Dy(), QP16: qp16, Fine: true}
		e, err := t265.NewEncoder(frameParams(spec, &f))
		if err != nil {
			t.Fatal(err)
		}
		stream, err := e.AppendFrameFine(e.AppendHeader(nil), f.Pix, f.Stride, f.QP16)
		if err != nil {
			t.Fatal(err)
		}
		slices, err := t265.Slices(stream)
		if err != nil {
			t.Fatal(err)
		}
		c.frames, c.want, c.recon = append(c.frames, f), append(c.want, slices[0].Data), append(c.recon, append([]byte(nil), e.Recon()...))
	}
	return c
}

// frameParams returns the parameters with which the software codes a frame like the hardware.
func frameParams(spec hwenc.Spec, f *hwenc.Frame) t265.Params {
	return t265.Params{Width: f.Width, Height: f.Height, CTU: spec.CTU, MaxTU: spec.MaxTU, FineQP: f.Fine}
}

// play decodes what the hardware coded, the frames of each size in one stream, and compares the samples with those of the software.
func (c *codedPlane) play(t *testing.T, spec hwenc.Spec, data [][]byte) {
	streams, recons := map[image.Point][]byte{}, map[image.Point][]byte{}
	for i := range c.frames {
		f := &c.frames[i]
		size := image.Pt(f.Width, f.Height)
		if streams[size] == nil {
			e, err := t265.NewEncoder(frameParams(spec, f))
			if err != nil {
				t.Fatal(err)
			}
			streams[size] = e.AppendHeader(nil)
		}
		streams[size] = t265.AppendSliceNAL(streams[size], data[i], f.QP16>>4)
		recons[size] = append(recons[size], c.recon[i]...)
	}
	for size, stream := range streams {
		peertest.Check(t, fmt.Sprint("frames of ", size), peertest.H265, size.X, stream, recons[size])
	}
}

// TestPlanesEnc: the encoder and its Verilog on whole planes at 3 bits a value. The bytes are those of the software, and
// ffmpeg and libde265 decode them to its reconstruction. Two planes have the parameters of a set of TestEnc, and all planes, where
// everything is asked for, those of the product.
func TestPlanesEnc(t *testing.T) {
	if !testbench.Full() {
		t.Skip("make cosim runs it on two planes, make cosim-full on all")
	}
	testbench.NeedTools(t, "ffmpeg", "libde265-dec265")
	spec, from := hwenc.DefaultSpec(), planes()
	spec.FrameCTUs = 16
	if !testbench.All() {
		spec.Threads, spec.Lanes = 4, 4
		from = from[:min(2, len(from))]
	}
	for i := range from {
		c := codePlane(t, spec, &from[i])
		var host *hwenc.Host
		testbench.Replay(t, encUnit, encSet(spec, func(testbench.Stall, uint64) testbench.Model {
			var err error
			if host, err = hwenc.NewHost(spec); err == nil {
				err = host.Begin(c.frames)
			}
			if err != nil {
				t.Fatal(err)
			}
			return &encHostModel{host, spec, c.want}
		}), fmt.Sprintf("t265_enc plane %d", i), []testbench.Stall{{}}, 1<<26)
		if t.Failed() {
			return
		}
		c.play(t, spec, host.Data())
	}
}
