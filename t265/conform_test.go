package t265

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vcsim/internal/codectest"
	"vcsim/internal/peertest"
)

// Conformance against decoders and an encoder that nobody here wrote.

// TestConformanceTools runs the covering array; VCSIM_LONG=1 makes it longer.
func TestConformanceTools(t *testing.T) {
	peertest.Players(t, codec.Format)
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
		var qps []int // in 1/16
		for _, qp := range []int{i % 52, (i + 17) % 52, (i + 35) % 52} {
			if qps = append(qps, 16*qp); p.FineQP {
				qps[len(qps)-1] = min(16*qp+i%16, 16*51)
			}
		}
		codec.CheckQPs(t, fmt.Sprintf("%+v QPs %v", p, qps), newEncoder(t, p), kind, p.Width, p.Height, uint64(i), qps)
	}
}

// TestConformanceQP covers every QP in both tiers.
func TestConformanceQP(t *testing.T) {
	peertest.Players(t, codec.Format)
	for _, tier := range testTiers {
		for _, kind := range []string{"gauss", "extremes", "columns"} {
			p := Params{Width: 72, Height: 40, Tier: tier}
			codec.CheckQPs(t, tier.String()+" every QP", newEncoder(t, p), kind, p.Width, p.Height, 0, codectest.EveryQP())
		}
	}
}

// TestConformanceSizes covers small, odd and wide pictures.
func TestConformanceSizes(t *testing.T) {
	peertest.Players(t, codec.Format)
	for i, s := range codectest.Sizes {
		p := Params{Width: s[0], Height: s[1], Tier: testTiers[i%len(testTiers)]}
		pix := codectest.Plane(codectest.Kinds[i%len(codectest.Kinds)], s[0], s[1], 3)
		stream, recon := encodeOne(t, p, pix, 22)
		codec.CheckStream(t, fmt.Sprintf("%+v", p), p.Width, stream, recon)
	}
}

// TestConformancePlanes codes the planes of the data folder, when present.
func TestConformancePlanes(t *testing.T) {
	planes := codectest.SharedPlanes(t)
	if len(planes) == 0 {
		t.Skip("the data folder ../shared is not beside the checkout")
	}
	peertest.Players(t, codec.Format)
	for i, plane := range planes {
		stream, recon := encodeOne(t, Params{Width: plane.Width, Height: plane.Height}, plane.Pix, 10+2*i)
		codec.CheckStream(t, plane.Name, plane.Width, stream, recon)
	}
}

// TestConformanceX265 decodes streams made now by x265 as ffmpeg does.
func TestConformanceX265(t *testing.T) {
	x265 := peertest.Tool(t, "x265")
	dir := t.TempDir()
	yuv, file := filepath.Join(dir, "in.yuv"), filepath.Join(dir, "s.265")
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
		if err := os.WriteFile(yuv, codectest.Plane(kind, 200, 136, uint64(i)), 0o644); err != nil {
			t.Fatal(err)
		}
		args := append([]string{"--input", yuv, "--input-res", "200x136", "--input-csp", "i400", "--fps", "1", "-f", "1", "--keyint", "1",
			"--ipratio", "1", "--no-deblock", "--no-sao", "--no-info", "--pools", "1", "-F", "1", "-o", file}, strings.Fields(options)...)
		if err := peertest.Run(x265, args...); err != nil {
			t.Fatal(err)
		}
		stream, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		codec.CheckPeer(t, kind+" "+options, stream)
	}
}
