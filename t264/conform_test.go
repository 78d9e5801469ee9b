package t264

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
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
			qps = append(qps, min(16*qp+i%16, 16*51))
		}
		codec.CheckQPs(t, fmt.Sprintf("%+v QPs %v", p, qps), newEncoder(t, p), kind, p.Width, p.Height, uint64(i), qps)
	}
}

// TestConformanceQP covers every QP in both tiers and with every block size.
func TestConformanceQP(t *testing.T) {
	peertest.Players(t, codec.Format)
	for _, p := range []Params{
		{Tier: HW}, {Tier: HW, Off: ToolI16 | ToolI4}, {Tier: HW, Off: ToolI16 | ToolI8}, {Tier: RDO},
	} {
		p.Width, p.Height = 72, 40
		for _, kind := range []string{"gauss", "extremes", "checks", "columns"} {
			codec.CheckQPs(t, fmt.Sprintf("%+v every QP", p), newEncoder(t, p), kind, p.Width, p.Height, 0, codectest.EveryQP())
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

// TestConformanceX264 decodes streams made now by x264 as ffmpeg does.
func TestConformanceX264(t *testing.T) {
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
			stream := peertest.X264(t, codectest.Plane(kind, 200, 136, uint64(i)), "200x136", "i400", options+peertest.X264Intra)
			codec.CheckPeer(t, kind+" "+options, stream)
		}
	}
}

// TestUnsupported names the element of streams outside the subset.
func TestUnsupported(t *testing.T) {
	pix := codectest.Plane("gradient", 128, 6*64, 1)
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
		_, _, _, err := codec.Decode(peertest.X264(t, pix, "128x64", csp, c.options))
		var u UnsupportedError
		if !errors.As(err, &u) || !strings.Contains(err.Error(), c.element) {
			t.Errorf("%s: got %v, want an unsupported %s", c.options, err, c.element)
		}
	}
}
