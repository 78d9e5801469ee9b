package tensorcodec

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"vcsim/internal/tensor"
)

// TestPlayersOnSharedTensors decodes the stream of every tensor of the data folder in ffmpeg, and T.265's in libde265: they
// must see what our decoder sees, whose codes the container's checksum holds to the encoder's.
func TestPlayersOnSharedTensors(t *testing.T) {
	files, _ := filepath.Glob("../../../shared/tensors/*.safetensors")
	if len(files) == 0 {
		t.Skip("no ../shared/tensors beside the checkout")
	}
	ffmpeg, de265 := player(t, "ffmpeg"), player(t, "libde265-dec265")
	for _, codec := range []string{"t265", "t264"} {
		for _, f := range files {
			t.Run(codec+"/"+filepath.Base(f), func(t *testing.T) {
				src, err := tensor.OpenSafetensors(f)
				if err != nil {
					t.Fatal(err)
				}
				defer src.Close()
				o := codecOptions(t, codec, "hw", Target{TargetQP, 24})
				_, b := pack(t, src, Selection{}, o, 0)
				c, _, err := unpack(b) // checks the codes
				if err != nil {
					t.Fatal(err)
				}
				dir := t.TempDir()
				for _, st := range c.Tensors {
					if st.Raw {
						continue
					}
					stream, err := c.Stream(st)
					if err != nil {
						t.Fatal(err)
					}
					_, _, want, err := DecodeStream(o.Codec, stream, 0)
					if err != nil {
						t.Fatal(err)
					}
					in, out := filepath.Join(dir, "stream"), filepath.Join(dir, "out")
					if err := os.WriteFile(in, stream, 0o644); err != nil {
						t.Fatal(err)
					}
					args := []string{"-y", "-loglevel", "error", "-threads", "1", "-f", "hevc", "-i", in, "-f", "rawvideo", out}
					if codec == "t264" { // gray is reported as yuv420p; take the luma
						args = []string{"-y", "-loglevel", "error", "-threads", "1", "-f", "h264", "-i", in, "-vf", "extractplanes=y", "-f", "rawvideo", out}
					}
					sees(t, st.Name, want, out, ffmpeg, args...)
					if codec == "t265" {
						sees(t, st.Name, want, out, de265, "-q", "-t", "0", "-L", "-o", out, in)
					}
				}
			})
		}
	}
}

// player is the path of a decoder; without it the test skips, or fails when VCSIM_REQUIRE_TOOLS is 1.
func player(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		if os.Getenv("VCSIM_REQUIRE_TOOLS") == "1" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	return path
}

// sees runs a player and compares what it wrote to out.
func sees(t *testing.T, name string, want []byte, out, path string, args ...string) {
	t.Helper()
	os.Remove(out)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if msg, err := exec.CommandContext(ctx, path, args...).CombinedOutput(); err != nil {
		t.Errorf("%s: %s: %v %s", name, filepath.Base(path), err, msg)
		return
	}
	got, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		at := 0
		for at < len(got) && at < len(want) && got[at] == want[at] {
			at++
		}
		t.Errorf("%s: %s writes %d samples, want %d; the first difference is at %d", name, filepath.Base(path), len(got), len(want), at)
	}
}
