package rd

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A Peer is another encoder, run as a program on a plane of codes: intra only, no loop filter, no adaptive quantisation.
type Peer struct {
	Name   string
	tools  []string // programs it needs
	qps    func(qp float64) float64
	encode func(raw, out string, w, h int, qp float64) []string
	decode func(stream, out string) []string
	skip   func(stream []byte) int // bytes of the stream that are not needed to decode
	chroma bool                    // its input has chroma planes, which are ignored
}

// peers are the encoders that compare knows; the command lines are those of x265 3.5, x264 0.164 and aomenc 3.6.
var peers = []Peer{
	x265Peer("ultrafast"), x265Peer("medium"), x265Peer("placebo"),
	x264Peer("ultrafast", "--cabac"), x264Peer("medium"), x264Peer("placebo"),
	{
		Name: "av1 cpu-used 2", tools: []string{"aomenc", "aomdec"}, chroma: true,
		qps: func(qp float64) float64 { return min(63, max(1, math.Round(1.65*qp-16.5))) }, // about the same quantiser step
		encode: func(raw, out string, w, h int, qp float64) []string {
			return []string{"aomenc", "--obu", "--i420", "--monochrome", "--allintra", "--limit=1", "--threads=1", "--cpu-used=2", "--end-usage=q",
				fmt.Sprintf("--width=%d", w), fmt.Sprintf("--height=%d", h), "--fps=1/1", fmt.Sprintf("--cq-level=%d", int(qp)),
				"--enable-cdef=0", "--enable-restoration=0", "--loopfilter-control=0", "--aq-mode=0", "--deltaq-mode=0", "--disable-warning-prompt", "--quiet", "-o", out, raw}
		},
		decode: func(stream, out string) []string { return []string{"aomdec", "--rawvideo", "-o", out, stream} },
	},
}

func x265Peer(preset string) Peer {
	return Peer{
		Name: "x265 " + preset, tools: []string{"x265", "ffmpeg"},
		encode: func(raw, out string, w, h int, qp float64) []string {
			return []string{"x265", "--input", raw, "--input-res", fmt.Sprintf("%dx%d", w, h), "--input-csp", "i400", "--fps", "1", "-f", "1", "--keyint", "1",
				"--preset", preset, "--tune", "psnr", "--qp", strconv.Itoa(int(qp)), "--ipratio", "1", "--aq-mode", "0", "--no-deblock", "--no-sao", "--no-info",
				"--no-wpp", "--pools", "1", "-F", "1", "-o", out}
		},
		decode: func(stream, out string) []string {
			return []string{"ffmpeg", "-y", "-loglevel", "error", "-threads", "1", "-f", "hevc", "-i", stream, "-f", "rawvideo", out}
		},
	}
}

func x264Peer(preset string, more ...string) Peer {
	return Peer{
		Name: "x264 " + preset, tools: []string{"x264", "ffmpeg"},
		encode: func(raw, out string, w, h int, qp float64) []string {
			return append([]string{"x264", "--input-res", fmt.Sprintf("%dx%d", w, h), "--input-csp", "i400", "--output-csp", "i400", "--demuxer", "raw", "--muxer", "raw",
				"--fps", "1", "--frames", "1", "--keyint", "1", "--preset", preset, "--tune", "psnr", "--qp", strconv.Itoa(int(qp)), "--ipratio", "1",
				"--no-deblock", "--threads", "1", "--quiet", "-o", out, raw}, more...)
		},
		decode: func(stream, out string) []string {
			return []string{"ffmpeg", "-y", "-loglevel", "error", "-threads", "1", "-f", "h264", "-i", stream, "-vf", "extractplanes=y", "-f", "rawvideo", out}
		},
		skip: seiBytes,
	}
}

// seiBytes counts the supplemental information of an H.264 stream (NAL unit type 6), start codes included: x264 writes its
// settings there.
func seiBytes(stream []byte) int {
	n, at := 0, -1
	for i := 0; i+3 <= len(stream); i++ {
		if stream[i] != 0 || stream[i+1] != 0 || stream[i+2] != 1 {
			continue
		}
		start := i
		if i > 0 && stream[i-1] == 0 {
			start--
		}
		if at >= 0 {
			n += start - at
		}
		at = -1
		if i+3 < len(stream) && stream[i+3]&31 == 6 {
			at = start
		}
	}
	if at >= 0 {
		n += len(stream) - at
	}
	return n
}

// missing names the first program that the peer needs and that is not installed.
func (p *Peer) missing() string {
	for _, tool := range p.tools {
		if _, err := exec.LookPath(tool); err != nil {
			return tool
		}
	}
	return ""
}

// A MissingError is returned for an encoder that needs a program that is not installed.
type MissingError struct{ Peer, Tool string }

func (e *MissingError) Error() string {
	return fmt.Sprintf("%s needs %s, which is not installed", e.Peer, e.Tool)
}

// Unwrap makes it an exec.ErrNotFound.
func (e *MissingError) Unwrap() error { return exec.ErrNotFound }

// An UnknownError is returned for a name with which that of no encoder begins.
type UnknownError string

func (e UnknownError) Error() string { return string(e) + ": no such encoder" }

// MissingPeers are the encoders that cannot run here.
func MissingPeers() (list []MissingError) {
	for i := range peers {
		if tool := peers[i].missing(); tool != "" {
			list = append(list, MissingError{peers[i].Name, tool})
		}
	}
	return list
}

// ChoosePeers finds the peers by the beginnings of their names; one that was asked for must be installed.
func ChoosePeers(names []string) ([]*Peer, error) {
	var out []*Peer
	for _, name := range names {
		found := false
		for i := range peers {
			p := &peers[i]
			tool := p.missing()
			switch {
			case name == "none":
				found = true
			case name == "installed":
				found = true
				if tool == "" {
					out = append(out, p)
				}
			case strings.HasPrefix(p.Name, name):
				found = true
				if tool != "" {
					return nil, &MissingError{p.Name, tool}
				}
				out = append(out, p)
			}
		}
		if !found {
			return nil, UnknownError(name)
		}
	}
	return out, nil
}

// minPeerSide is the least width and height that is given to other encoders; x265 refuses pictures below one CTU.
const minPeerSide = 64

// A plane is width x height codes.
type plane struct {
	pix           []byte
	width, height int
}

// run codes a plane at qp, rounded to what the encoder takes, and returns the bytes of its stream and what decodes from it.
func (p *Peer) run(ctx context.Context, dir string, in plane, qp float64) (size int, recon []byte, err error) {
	w, h, pix := in.width, in.height, in.pix
	if p.qps != nil {
		qp = p.qps(qp)
	}
	raw, out, back := filepath.Join(dir, "plane"), filepath.Join(dir, "stream"), filepath.Join(dir, "back")
	if p.chroma {
		pix = append(append([]byte(nil), pix...), bytes.Repeat([]byte{128}, 2*((w+1)/2)*((h+1)/2))...)
	}
	if err := os.WriteFile(raw, pix, 0o666); err != nil {
		return 0, nil, err
	}
	for _, line := range [][]string{p.encode(raw, out, w, h, qp), p.decode(out, back)} {
		ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
		cmd := exec.CommandContext(ctx, line[0], line[1:]...)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		err := cmd.Run()
		cancel()
		if err != nil {
			return 0, nil, fmt.Errorf("%s: %w: %s", p.Name, err, complaint(stderr.String()))
		}
	}
	stream, err := os.ReadFile(out)
	if err != nil {
		return 0, nil, err
	}
	if recon, err = os.ReadFile(back); err != nil {
		return 0, nil, err
	}
	if len(recon) < w*h {
		return 0, nil, fmt.Errorf("%s: %d bytes come back of a plane of %dx%d", p.Name, len(recon), w, h)
	}
	size = len(stream)
	if p.skip != nil {
		size -= p.skip(stream)
	}
	return size, recon[:w*h], nil
}

// complaint is the beginning of what a program complained about, on one line.
func complaint(text string) string {
	text = strings.TrimSpace(fmt.Sprintf("%.200s", text))
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
}
