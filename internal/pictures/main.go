// Pictures draws the pictures of README.md and docs into a directory:
//
//	go run ./internal/pictures docs/pictures
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"vcsim/internal/atomicfile"
	"vcsim/internal/drawing"
)

// A picture is a file of docs/pictures, and what draws it, with a program where runs of it do.
type picture struct {
	file  string
	write func(w io.Writer, p *program) error
}

var pictures = []picture{
	{"chain.svg", drawn(chain)},
	{"t264-encoder.svg", drawn(t264Encoder)},
	{"t264-decoder.svg", drawn(t264Decoder)},
	{"t265-encoder.svg", drawn(t265Encoder)},
	{"forms.svg", drawn(forms)},
	{"skid.svg", traced(skidTiming)},
	{"t264-encoder-timing.svg", traced(encoderTiming)},
	{"t264-lane-timing.svg", traced(laneTiming)},
	{"t264-decoder-timing.svg", traced(decoderTiming)},
	{"area-energy.svg", charted("area-energy.svg", "codec", "show", "--plot", "OUT/area-energy.svg")},
	{"t265-area-energy.svg", charted("t265-area-energy.svg", "codec", "show", "t265", "--plot", "OUT/t265-area-energy.svg")},
	{"engines.svg", charted("fig9-area.svg", "reproduce", "fig9", "--out", "OUT")},
	{"speedup.svg", charted("fig10a-rtx3090.svg", "reproduce", "fig10a", "--out", "OUT")},
	{"rate-distortion.svg", charted("rd.svg", "compare", "testbench/common/testdata/weights.pgm", "--codec", "t264,t265", "--peers", "none", "--plot", "OUT/rd.svg")},
}

// drawn is a picture that needs no run.
func drawn(draw func() *drawing.Drawing) func(io.Writer, *program) error {
	return func(w io.Writer, _ *program) error { return draw().Write(w) }
}

// traced is a picture of what a clocked model does.
func traced(run func() (*drawing.Drawing, error)) func(io.Writer, *program) error {
	return func(w io.Writer, _ *program) error {
		d, err := run()
		if err != nil {
			return err
		}
		return d.Write(w)
	}
}

// charted is a chart that a run of the program draws into a file.
func charted(file string, args ...string) func(io.Writer, *program) error {
	return func(w io.Writer, p *program) error { return p.chart(w, file, args) }
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: pictures DIRECTORY")
		os.Exit(2)
	}
	if err := save(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

// save writes every picture into a directory, which it makes if need be.
func save(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	vcsim, err := build()
	if err != nil {
		return err
	}
	defer vcsim.close()
	for _, p := range pictures {
		draw := func(w io.Writer) error { return p.write(w, vcsim) }
		if err := atomicfile.Write(filepath.Join(dir, p.file), draw); err != nil {
			return fmt.Errorf("%s: %w", p.file, err)
		}
	}
	return nil
}
