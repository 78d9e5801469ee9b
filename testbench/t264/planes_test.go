package t264

import (
	"bytes"
	"fmt"
	"testing"

	"vcsim/t264"
	"vcsim/t264/hwdec"
	"vcsim/t264/hwenc"
	"vcsim/testbench"
)

// An encHostModel is an encoder with its host, until all frames are coded.
type encHostModel struct {
	host *hwenc.Host
	spec hwenc.Spec
	want [][]byte
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

// A decHostModel is a decoder with its host, until all frames are decoded.
type decHostModel struct {
	host *hwdec.Host
	want []t264.Picture
}

func (m *decHostModel) Cycle(in, out []uint64) {
	m.host.Kernel.Settle()
	word, config, samples := m.host.Ports()
	decPorts(m.host.Unit, word, config, samples, in, out)
	m.host.Step()
}

func (m *decHostModel) Done() (bool, error) {
	if err := m.host.Err(); err != nil || !m.host.Done() {
		return err != nil, err
	}
	for i, got := range m.host.Data() {
		p := &m.want[i]
		stride := (p.Width + 15) &^ 15
		for y := range p.Height {
			if !bytes.Equal(got[y*stride:][:p.Width], p.Pix[y*p.Width:][:p.Width]) {
				return true, fmt.Errorf("frame %d: row %d is not that of the software", i, y)
			}
		}
	}
	return true, nil
}

// planeFrames cuts a plane into frames.
func planeFrames(p *picture) (frames []hwenc.Frame) {
	for _, r := range testbench.Cuts(p.w, p.h) {
		frames = append(frames, hwenc.Frame{Pix: p.pix[r.Min.Y*p.w+r.Min.X:], Stride: p.w, Width: r.Dx(), Height: r.Dy(), QP16: threeBits(p)})
	}
	return frames
}

// planes returns the pictures that the tops are compared on: all where everything
// is asked for, else two.
func planes() []picture {
	from := pictures()
	if !testbench.All() {
		return from[:2]
	}
	return from
}

// TestPlanesEnc: the encoder and its Verilog on whole planes at 3 bits a value;
// the bytes are those of the software.
func TestPlanesEnc(t *testing.T) {
	if !testbench.Full() {
		t.Skip("make cosim runs it on two planes, make cosim-full on all")
	}
	u, _ := encSets()
	spec := hwenc.Spec{Threads: 8, Lanes: 8, Values: 8, Bypass: 4, FrameMBs: 16}
	from := planes()
	for i := range from {
		frames := planeFrames(&from[i])
		var want [][]byte
		for _, f := range frames {
			data, err := hwenc.AppendSlice(nil, t264.Params{Width: f.Width, Height: f.Height}, f.Pix, f.Stride, f.QP16, nil)
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, data)
		}
		testbench.Replay(t, u, encSet(spec, func(testbench.Stall, uint64) testbench.Model {
			host, err := hwenc.NewHost(spec)
			if err == nil {
				err = host.Begin(frames)
			}
			if err != nil {
				t.Fatal(err)
			}
			return &encHostModel{host, spec, want}
		}), fmt.Sprintf("t264_enc plane %d", i), []testbench.Stall{{}}, 1<<26)
	}
}

// TestPlanesDec: the decoder and its Verilog on whole planes of both tiers at 3
// bits a value; the samples are those of the software.
func TestPlanesDec(t *testing.T) {
	if !testbench.Full() {
		t.Skip("make cosim runs it on two planes, make cosim-full on all")
	}
	u, _ := decSets(t)
	spec := hwdec.Spec{Lanes: 8, FrameMBs: 16, Slots: 16, Bypass: 1, Transform8: true}
	from := planes()
	for i := range from {
		var slices [][]hwdec.Slice
		var want []t264.Picture
		for k, f := range planeFrames(&from[i]) {
			e, err := t264.NewEncoder(t264.Params{Width: f.Width, Height: f.Height, Tier: t264.Tier(k & 1)})
			if err != nil {
				t.Fatal(err)
			}
			stream, err := e.AppendFrameFine(e.AppendHeader(nil), f.Pix, f.Stride, f.QP16)
			if err != nil {
				t.Fatal(err)
			}
			s, err := hwdec.Slices(stream)
			if err != nil {
				t.Fatal(err)
			}
			slices = append(slices, s)
			want = append(want, t264.Picture{Width: f.Width, Height: f.Height, Pix: bytes.Clone(e.Recon())})
		}
		set := decSet(t, spec)
		set.Model = func(testbench.Stall, uint64) testbench.Model {
			host, err := hwdec.NewHost(spec)
			if err == nil {
				err = host.Begin(slices)
			}
			if err != nil {
				t.Fatal(err)
			}
			return &decHostModel{host, want}
		}
		testbench.Replay(t, u, set, fmt.Sprintf("t264_dec plane %d", i), []testbench.Stall{{}}, 1<<26)
	}
}
