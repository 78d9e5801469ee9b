package peertest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// X264Intra are the options for one H.264 picture inside the subset of vcsim.
const X264Intra = " --frames 1 --keyint 1 --ipratio 1 --no-deblock --threads 1"

// X264 codes samples of the given size and kind with x264.
func X264(t testing.TB, pix []byte, size, csp, options string) []byte {
	t.Helper()
	tool := Tool(t, "x264")
	dir := t.TempDir()
	yuv, file := filepath.Join(dir, "in.yuv"), filepath.Join(dir, "s.264")
	if err := os.WriteFile(yuv, pix, 0o666); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"--demuxer", "raw", "--muxer", "raw", "--input-res", size, "--input-csp", csp, "--output-csp", csp,
		"--fps", "1", "-o", file, yuv}, strings.Fields(options)...)
	if err := Run(tool, args...); err != nil {
		t.Fatal(err)
	}
	stream, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return stream
}
