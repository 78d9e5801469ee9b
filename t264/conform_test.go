package t264

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Conformance against decoders and an encoder that nobody here wrote.

// tool returns the path of an external program. Without it the test is
// skipped, or fails when VCSIM_REQUIRE_TOOLS is 1.
func tool(t testing.TB, name string) string {
	path, err := exec.LookPath(name)
	if err != nil {
		if os.Getenv("VCSIM_REQUIRE_TOOLS") == "1" {
			t.Fatalf("tool %s is missing", name)
		}
		t.Skipf("tool %s is not installed", name)
	}
	return path
}

// run executes a program with a limit of 30 seconds.
func run(t testing.TB, name string, args ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, name, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %s: %w\n%s", filepath.Base(name), strings.Join(args, " "), err, out)
	}
	return nil
}

// ffmpegLuma decodes a file to a file of luma samples. The decoder reports
// monochrome as 4:2:0; -pix_fmt gray would rescale the range.
func ffmpegLuma(t testing.TB, in, out string) error {
	return run(t, tool(t, "ffmpeg"), "-y", "-loglevel", "error", "-threads", "1", "-f", "h264", "-i", in, "-vf", "extractplanes=y", "-f", "rawvideo", out)
}

// checkOracle decodes a stream of any number of pictures with ffmpeg and with
// this package.
func checkOracle(t testing.TB, what string, w int, stream, want []byte) {
	t.Helper()
	dir := t.TempDir()
	in, out := filepath.Join(dir, "s.264"), filepath.Join(dir, "out")
	if err := os.WriteFile(in, stream, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := ffmpegLuma(t, in, out); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	got, err := os.ReadFile(out)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if len(got) != len(want) {
		t.Fatalf("%s: ffmpeg decodes %d samples, want %d", what, len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("%s: ffmpeg differs at sample %d (column %d): got %d, want %d", what, i, i%w, got[i], want[i])
		}
	}
	got, _, _, err = decodeAll(stream)
	if err != nil {
		t.Fatalf("%s: own decoder: %v", what, err)
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("%s: own decoder differs", what)
	}
}

// TestConformanceTools runs the covering array; VCSIM_LONG=1 makes it longer.
func TestConformanceTools(t *testing.T) {
	tool(t, "ffmpeg")
	n := 60
	if os.Getenv("VCSIM_LONG") == "1" {
		n = 1500
	}
	rng := rand.New(rand.NewPCG(31, 32))
	for i := range n {
		p, kind, _ := sweepParams(i, rng)
		if p.Validate() != nil {
			continue
		}
		e, err := NewEncoder(p)
		if err != nil {
			t.Fatal(err)
		}
		// Several QPs in one stream: one picture each.
		stream := e.AppendHeader(nil)
		var want []byte
		qps := []int{i % 52, (i + 17) % 52, (i + 35) % 52}
		for j, qp := range qps {
			pix := testPlane(kind, p.Width, p.Height, uint64(i+j))
			if stream, err = e.AppendFrameFine(stream, pix, p.Width, min(16*qp+i%16, 16*51)); err != nil {
				t.Fatal(err)
			}
			want = append(want, e.Recon()...)
		}
		checkOracle(t, fmt.Sprintf("%+v %s QP %v", p, kind, qps), p.Width, stream, want)
	}
}

// TestConformanceQP covers every QP in both tiers and with every block size.
func TestConformanceQP(t *testing.T) {
	tool(t, "ffmpeg")
	for _, p := range []Params{
		{Tier: HW}, {Tier: HW, Off: ToolI16 | ToolI4}, {Tier: HW, Off: ToolI16 | ToolI8}, {Tier: RDO},
	} {
		p.Width, p.Height = 72, 40
		for _, kind := range []string{"gauss", "extremes", "checks", "columns"} {
			e, err := NewEncoder(p)
			if err != nil {
				t.Fatal(err)
			}
			stream := e.AppendHeader(nil)
			var want []byte
			for qp := range 52 {
				if stream, err = e.AppendFrame(stream, testPlane(kind, 72, 40, uint64(qp)), 72, qp); err != nil {
					t.Fatal(err)
				}
				want = append(want, e.Recon()...)
			}
			checkOracle(t, fmt.Sprintf("%+v %s every QP", p, kind), 72, stream, want)
		}
	}
}

// TestConformanceSizes covers small, odd and wide pictures.
func TestConformanceSizes(t *testing.T) {
	tool(t, "ffmpeg")
	for i, s := range [][2]int{{1, 1}, {2, 3}, {7, 9}, {8, 8}, {9, 16}, {17, 65}, {64, 1}, {1, 200}, {4096, 8}, {4095, 17}, {1030, 70}} {
		p := Params{Width: s[0], Height: s[1], Tier: testTiers[i%len(testTiers)]}
		pix := testPlane(planeKinds[i%len(planeKinds)], s[0], s[1], 3)
		stream, recon := encodeOne(t, p, pix, 22)
		checkOracle(t, fmt.Sprintf("%+v", p), p.Width, stream, recon)
	}
}

// TestConformancePlanes codes the planes of the data folder, when present.
func TestConformancePlanes(t *testing.T) {
	names, _ := filepath.Glob("../../shared/planes/*.pgm")
	if len(names) == 0 {
		t.Skip("the data folder ../shared is not beside the checkout")
	}
	tool(t, "ffmpeg")
	for i, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		parts := bytes.SplitN(b, []byte("\n"), 4)
		var w, h int
		if _, err := fmt.Sscan(string(parts[1]), &w, &h); err != nil {
			t.Fatal(err)
		}
		p := Params{Width: w, Height: h}
		stream, recon := encodeOne(t, p, parts[3], 10+2*i)
		checkOracle(t, name, w, stream, recon)
	}
}

// TestConformanceX264 decodes streams made now by x264 as ffmpeg does.
func TestConformanceX264(t *testing.T) {
	x264 := tool(t, "x264")
	dir := t.TempDir()
	yuv, file, out := filepath.Join(dir, "in.yuv"), filepath.Join(dir, "s.264"), filepath.Join(dir, "out")
	for i, options := range []string{
		"--preset ultrafast --cabac --qp 10",
		"--preset ultrafast --cabac --qp 33 --slices 4",
		"--preset medium --qp 22",
		"--preset medium --qp 22 --trellis 0",
		"--preset placebo --qp 30",
		"--preset placebo --qp 16 --no-8x8dct --trellis 2",
		"--preset slow --qp 2",
		"--preset slow --qp 0",
		"--preset placebo --qp 0 --no-8x8dct",
		"--preset fast --crf 25 --aq-mode 3 --slices 3",
		"--preset medium --qp 9 --deblock 0:0", // on, but without effect at this QP
		"--preset medium --qp 45 --partitions i4x4",
		"--preset veryslow --qp 36 --partitions i8x8,i4x4",
		"--preset medium --qp 28 --aud --nal-hrd vbr --vbv-maxrate 9000 --vbv-bufsize 9000",
	} {
		kinds := []string{"columns", "noise", "gauss", "outliers", "gradient"}
		for k := range 3 {
			kind := kinds[(i+2*k)%len(kinds)]
			if err := os.WriteFile(yuv, testPlane(kind, 200, 136, uint64(i)), 0o644); err != nil {
				t.Fatal(err)
			}
			args := append([]string{"--demuxer", "raw", "--muxer", "raw", "--input-res", "200x136", "--input-csp", "i400", "--output-csp", "i400",
				"--fps", "1", "--frames", "1", "--keyint", "1", "--ipratio", "1", "--no-deblock", "--threads", "1", "-o", file, yuv}, strings.Fields(options)...)
			if err := run(t, x264, args...); err != nil {
				t.Fatal(err)
			}
			if err := ffmpegLuma(t, file, out); err != nil {
				t.Fatal(err)
			}
			stream, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			got, _, _, err := decodeAll(stream)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s %s: differs from ffmpeg, err %v", kind, options, err)
			}
		}
	}
}

// TestUnsupported names the element of streams outside the subset.
func TestUnsupported(t *testing.T) {
	x264 := tool(t, "x264")
	dir := t.TempDir()
	yuv, file := filepath.Join(dir, "in.yuv"), filepath.Join(dir, "s.264")
	if err := os.WriteFile(yuv, testPlane("gradient", 128, 6*64, 1), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ element, options string }{
		{"entropy_coding_mode_flag", "--no-cabac --keyint 1 --no-deblock"},
		{"disable_deblocking_filter_idc", "--keyint 1 --qp 30"},
		{"slice_type", "--keyint 9 --no-deblock"},
		{"mb_adaptive_frame_field_flag", "--keyint 1 --no-deblock --tff"},
		{"scaling_matrix", "--keyint 1 --no-deblock --cqm jvt"},
		{"chroma_format_idc", "--keyint 1 --no-deblock --profile main"},
	} {
		csp := "i400"
		if c.element == "chroma_format_idc" {
			csp = "i420"
		}
		args := append([]string{"--demuxer", "raw", "--muxer", "raw", "--input-res", "128x64", "--input-csp", csp, "--output-csp", csp,
			"--fps", "1", "-o", file, yuv}, strings.Fields(c.options)...)
		if err := run(t, x264, args...); err != nil {
			t.Fatal(err)
		}
		stream, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, _, _, err = decodeAll(stream)
		var u UnsupportedError
		if !errors.As(err, &u) || !strings.Contains(err.Error(), c.element) {
			t.Errorf("%s: got %v, want an unsupported %s", c.options, err, c.element)
		}
	}
}
