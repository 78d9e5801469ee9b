package t265

import (
	"bytes"
	"context"
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

// oracles decode a file to a file of luma samples.
func oracles(t testing.TB) map[string]func(in, out string) error {
	ffmpeg, dec265 := tool(t, "ffmpeg"), tool(t, "libde265-dec265")
	return map[string]func(in, out string) error{
		"ffmpeg": func(in, out string) error {
			return run(t, ffmpeg, "-y", "-loglevel", "error", "-threads", "1", "-f", "hevc", "-i", in, "-f", "rawvideo", out)
		},
		"libde265": func(in, out string) error {
			return run(t, dec265, "-q", "-t", "0", "-L", "-o", out, in)
		},
	}
}

// checkOracles decodes a stream of any number of pictures everywhere.
func checkOracles(t testing.TB, what string, w int, stream, want []byte) {
	t.Helper()
	dir := t.TempDir()
	in, out := filepath.Join(dir, "s.265"), filepath.Join(dir, "out")
	if err := os.WriteFile(in, stream, 0o644); err != nil {
		t.Fatal(err)
	}
	for name, decode := range oracles(t) {
		os.Remove(out)
		if err := decode(in, out); err != nil {
			t.Fatalf("%s: %s: %v", what, name, err)
		}
		got, err := os.ReadFile(out)
		if err != nil {
			t.Fatalf("%s: %s: %v", what, name, err)
		}
		if len(got) != len(want) {
			t.Fatalf("%s: %s decodes %d samples, want %d", what, name, len(got), len(want))
		}
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("%s: %s differs at sample %d (column %d): got %d, want %d", what, name, i, i%w, got[i], want[i])
			}
		}
	}
	got, _, _, err := decodeAll(stream)
	if err != nil {
		t.Fatalf("%s: own decoder: %v", what, err)
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("%s: own decoder differs", what)
	}
}

// TestConformanceTools runs the covering array; VCSIM_LONG=1 makes it longer.
func TestConformanceTools(t *testing.T) {
	oracles(t)
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
			if p.FineQP && qp < 51 {
				stream, err = e.AppendFrameFine(stream, pix, p.Width, 16*qp+i%16)
			} else {
				stream, err = e.AppendFrame(stream, pix, p.Width, qp)
			}
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, e.Recon()...)
		}
		checkOracles(t, fmt.Sprintf("%+v %s QP %v", p, kind, qps), p.Width, stream, want)
	}
}

// TestConformanceQP covers every QP in both tiers.
func TestConformanceQP(t *testing.T) {
	oracles(t)
	for _, tier := range []Tier{HW, RDO} {
		for _, kind := range []string{"gauss", "extremes", "columns"} {
			p := Params{Width: 72, Height: 40, Tier: tier}
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
			checkOracles(t, fmt.Sprintf("%v %s every QP", tier, kind), 72, stream, want)
		}
	}
}

// TestConformanceSizes covers small, odd and wide pictures.
func TestConformanceSizes(t *testing.T) {
	oracles(t)
	for i, s := range [][2]int{{1, 1}, {2, 3}, {7, 9}, {8, 8}, {9, 16}, {17, 65}, {64, 1}, {1, 200}, {4096, 8}, {4095, 17}, {1030, 70}} {
		p := Params{Width: s[0], Height: s[1], Tier: Tier(i & 1)}
		pix := testPlane(planeKinds[i%len(planeKinds)], s[0], s[1], 3)
		stream, recon := encodeOne(t, p, pix, 22)
		checkOracles(t, fmt.Sprintf("%+v", p), p.Width, stream, recon)
	}
}

// TestConformancePlanes codes the planes of the data folder, when present.
func TestConformancePlanes(t *testing.T) {
	names, _ := filepath.Glob("../../shared/planes/*.pgm")
	if len(names) == 0 {
		t.Skip("the data folder ../shared is not beside the checkout")
	}
	oracles(t)
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
		checkOracles(t, name, w, stream, recon)
	}
}

// TestConformanceX265 decodes streams made now by x265 as ffmpeg does.
func TestConformanceX265(t *testing.T) {
	x265, ffmpeg := tool(t, "x265"), tool(t, "ffmpeg")
	dir := t.TempDir()
	yuv, file, out := filepath.Join(dir, "in.yuv"), filepath.Join(dir, "s.265"), filepath.Join(dir, "out")
	for i, options := range []string{
		"--preset ultrafast --qp 10 --no-wpp",
		"--preset medium --qp 30 --wpp",
		"--preset placebo --qp 22 --no-wpp",
		"--preset placebo --qp 35 --wpp --ctu 32",
		"--preset medium --qp 18 --wpp --ctu 16 --max-tu-size 16",
		"--preset slow --qp 8 --tskip --no-wpp",
		"--preset medium --lossless --wpp",
		"--preset fast --crf 25 --aq-mode 3 --qg-size 8 --no-wpp",
	} {
		kind := []string{"columns", "gauss", "outliers", "gradient"}[i%4]
		if err := os.WriteFile(yuv, testPlane(kind, 200, 136, uint64(i)), 0o644); err != nil {
			t.Fatal(err)
		}
		args := append([]string{"--input", yuv, "--input-res", "200x136", "--input-csp", "i400", "--fps", "1", "-f", "1", "--keyint", "1",
			"--ipratio", "1", "--no-deblock", "--no-sao", "--no-info", "--pools", "1", "-F", "1", "-o", file}, strings.Fields(options)...)
		if err := run(t, x265, args...); err != nil {
			t.Fatal(err)
		}
		if err := run(t, ffmpeg, "-y", "-loglevel", "error", "-threads", "1", "-f", "hevc", "-i", file, "-f", "rawvideo", out); err != nil {
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
