// Package peertest runs the programs of others that tests compare with.
package peertest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Tool returns the path of a program. Without it the test is skipped, or fails
// when VCSIM_REQUIRE_TOOLS is 1.
func Tool(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		Missing(t, "tool "+name)
	}
	return path
}

// Missing skips a test for want of something that the machine does not have, or
// fails it when VCSIM_REQUIRE_TOOLS is 1.
func Missing(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("VCSIM_REQUIRE_TOOLS") == "1" {
		t.Fatalf("%s is missing, and VCSIM_REQUIRE_TOOLS=1 asks for it", what)
	}
	t.Skipf("%s is missing", what)
}

// Run executes a program with a limit of a minute. The error holds what it
// printed.
func Run(path string, args ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, path, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %s: %w\n%s", filepath.Base(path), strings.Join(args, " "), err, out)
	}
	return nil
}

// A Player decodes streams.
type Player struct {
	Name string
	path string
	args func(in, out string) []string
}

// The formats of streams that Players knows.
const (
	H264 = "h264"
	H265 = "hevc"
)

// Players returns the decoders of a format, ffmpeg first.
func Players(t testing.TB, format string) []Player {
	t.Helper()
	ffmpeg := func(in, out string) []string {
		args := []string{"-y", "-loglevel", "error", "-threads", "1", "-f", format, "-i", in}
		if format == H264 { // it reports monochrome as 4:2:0, and -pix_fmt gray would rescale the range
			args = append(args, "-vf", "extractplanes=y")
		}
		return append(args, "-f", "rawvideo", out)
	}
	list := []Player{{"ffmpeg", Tool(t, "ffmpeg"), ffmpeg}}
	if format == H265 {
		list = append(list, Player{"libde265", Tool(t, "libde265-dec265"), func(in, out string) []string {
			return []string{"-q", "-t", "0", "-L", "-o", out, in}
		}})
	}
	return list
}

// Play returns the luma samples of all pictures of a stream.
func (p Player) Play(t testing.TB, stream []byte) ([]byte, error) {
	t.Helper()
	dir := t.TempDir()
	in, out := filepath.Join(dir, "stream"), filepath.Join(dir, "samples")
	if err := os.WriteFile(in, stream, 0o666); err != nil {
		return nil, err
	}
	if err := Run(p.path, p.args(in, out)...); err != nil {
		return nil, err
	}
	return os.ReadFile(out)
}

// Check plays a stream of pictures of the given width in all players of its format
// and compares their samples with want.
func Check(t testing.TB, what, format string, width int, stream, want []byte) {
	t.Helper()
	for _, p := range Players(t, format) {
		got, err := p.Play(t, stream)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		if len(got) != len(want) {
			t.Errorf("%s: %s decodes %d samples, want %d", what, p.Name, len(got), len(want))
			continue
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s: %s differs at sample %d (column %d): got %d, want %d", what, p.Name, i, i%width, got[i], want[i])
				break
			}
		}
	}
}
