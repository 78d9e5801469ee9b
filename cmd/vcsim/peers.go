package main

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

// A peer is another encoder, run as a program on a plane of codes: intra only, no loop filter, no adaptive quantisation.
type peer struct {
	name   string
	tools  []string // programs it needs
	qps    func(qp float64) float64
	encode func(raw, out string, w, h int, qp float64) []string
	decode func(stream, out string) []string
	skip   func(stream []byte) int // bytes of the stream that are not needed to decode
}

// peers are the encoders that compare knows; the command lines are those of x265 3.5, x264 0.164 and aomenc 3.6.
var peers = []peer{
	x265Peer("ultrafast"), x265Peer("medium"), x265Peer("placebo"),
	x264Peer("ultrafast", "--cabac"), x264Peer("medium"), x264Peer("placebo"),
	{
		name: "av1 cpu-used 2", tools: []string{"aomenc", "aomdec"},
		qps: func(qp float64) float64 { return min(63, max(1, math.Round(1.65*qp-16.5))) }, // about the same quantiser step
		encode: func(raw, out string, w, h int, qp float64) []string {
			return []string{"aomenc", "--obu", "--i420", "--monochrome", "--allintra", "--limit=1", "--threads=1", "--cpu-used=2", "--end-usage=q",
				fmt.Sprintf("--width=%d", w), fmt.Sprintf("--height=%d", h), "--fps=1/1", fmt.Sprintf("--cq-level=%d", int(qp)),
				"--enable-cdef=0", "--enable-restoration=0", "--loopfilter-control=0", "--aq-mode=0", "--deltaq-mode=0", "--disable-warning-prompt", "--quiet", "-o", out, raw}
		},
		decode: func(stream, out string) []string { return []string{"aomdec", "--rawvideo", "-o", out, stream} },
	},
}

func x265Peer(preset string) peer {
	return peer{
		name: "x265 " + preset, tools: []string{"x265", "ffmpeg"},
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

func x264Peer(preset string, more ...string) peer {
	return peer{
		name: "x264 " + preset, tools: []string{"x264", "ffmpeg"},
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
func (p *peer) missing() string {
	for _, tool := range p.tools {
		if _, err := exec.LookPath(tool); err != nil {
			return tool
		}
	}
	return ""
}

// minPeerSide is the least width and height that is given to other encoders; x265 refuses pictures below one CTU.
const minPeerSide = 64

// run codes a plane at qp, rounded to what the encoder takes, and returns the bytes of its stream and what decodes from it.
func (p *peer) run(ctx context.Context, dir string, plane []byte, w, h int, qp float64) (size int, recon []byte, err error) {
	if p.qps != nil {
		qp = p.qps(qp)
	}
	raw, out, back := filepath.Join(dir, "plane"), filepath.Join(dir, "stream"), filepath.Join(dir, "back")
	in := plane
	if strings.HasPrefix(p.name, "av1") { // its input has chroma planes, which are ignored
		in = append(append([]byte(nil), plane...), bytes.Repeat([]byte{128}, 2*((w+1)/2)*((h+1)/2))...)
	}
	if err := os.WriteFile(raw, in, 0o666); err != nil {
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
			return 0, nil, fmt.Errorf("%s: %w: %s", p.name, err, oneLine(fmt.Errorf("%.200s", stderr.String())))
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
		return 0, nil, fmt.Errorf("%s: %d bytes come back of a plane of %dx%d", p.name, len(recon), w, h)
	}
	size = len(stream)
	if p.skip != nil {
		size -= p.skip(stream)
	}
	return size, recon[:w*h], nil
}
