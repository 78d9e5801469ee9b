package presets

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vcsim/cluster"
	"vcsim/internal/codecpoint"
)

// TestTrafficBits: each class says where its bits are from; what was measured is that of the table of codings; and the bits of a ratio are those at which the
// table has its error.
func TestTrafficBits(t *testing.T) {
	none := func(string) bool { return false }
	job := cluster.Bits{cluster.Grad: 2.6, cluster.Act: 3.5, cluster.ActGrad: 10.1, cluster.Param: 16}
	list, err := TrafficBits(job, 0, false, none)
	if err != nil || len(list) != len(job) {
		t.Fatalf("%d classes, %v", len(list), err)
	}
	for class, c := range list {
		if from := map[bool]string{true: "the paper", false: "not compressed"}[class != int(cluster.Param)]; c.From != from || c.Bits != job[class] || c.Stated != -ReferenceSNR || len(c.Planes) == 0 {
			t.Errorf("%+v", c)
		}
		if _, err := os.Stat(filepath.Join("../..", c.File)); err != nil || !strings.HasPrefix(c.Command, "go generate") {
			t.Errorf("%s: %v, %s", c.Class, err, c.Command)
		}
		if c.T264Bits == nil || c.T265Bits == nil || *c.T264Bits < 2 || *c.T264Bits > 5 || (c.Paper == nil) != (class == int(cluster.Param)) {
			t.Errorf("%+v", c)
		}
	}
	if grad := list[cluster.Grad]; grad.T264DB == nil || *grad.T264DB < -20 || *grad.T264DB > -10 || *grad.T264Bits <= 2.6 {
		t.Errorf("2.6 bits on gradients: %+v", grad)
	}
	if act := list[cluster.ActGrad]; act.T264DB != nil {
		t.Errorf("an error at 10.1 bits, which no plane has: %+v", act)
	}
	for _, codec := range []string{"t264", "t265"} {
		for _, snr := range []float64{10, 15, 20, 25} {
			b, err := BitsAtSNR(codec, snr, job)
			if err != nil || b[cluster.Param] != 16 {
				t.Fatalf("%s at %g dB: %v, %v", codec, snr, b, err)
			}
			for class, planes := range map[cluster.Class]string{cluster.Grad: "gradients", cluster.Act: "activations", cluster.ActGrad: codecpoint.ActivationGradients} {
				if got, ok, err := codecpoint.ErrorAt(codec, planes, b[class]); err != nil || !ok || math.Abs(got.Value+snr) > 2 {
					t.Errorf("%s at %g dB: %g bits on %s are %g dB", codec, snr, b[class], planes, got.Value)
				}
			}
		}
		if _, err := BitsAtSNR(codec, 80, job); err == nil || !strings.Contains(err.Error(), "weight gradients") || !strings.Contains(err.Error(), "outside") {
			t.Errorf("80 dB: %v", err)
		}
	}
	at, err := BitsAtSNR("t264", 20, job)
	if err != nil {
		t.Fatal(err)
	}
	list, err = TrafficBits(at, 20, false, func(flag string) bool { return flag == "bits-param" })
	if err != nil {
		t.Fatal(err)
	}
	for class, c := range list {
		if want := map[bool]string{true: "measured at -20 dB", false: "--bits-param"}[class != int(cluster.Param)]; c.From != want || class != int(cluster.Param) && c.Bits != *c.T264Bits {
			t.Errorf("%+v", c)
		}
	}
	if list, err = TrafficBits(job, 0, true, none); err != nil || list[0].From != "--ratio" {
		t.Errorf("%+v, %v", list, err)
	}
	for name, want := range map[string]string{"t264": "t264", "t264-paper": "t264", "ideal": "t264", "t265-paper": "t265", "h265": "t265", "nvenc": "t265", "h264": "t264"} {
		if got := MeasuredCodec(name); got != want {
			t.Errorf("%s takes bits of %s", name, got)
		}
	}
}

// TestVideoEngines: the rates of video engines follow from what their sources say: 900 MB/s of the paper for the RTX 3090, and of the RTX 5090 three engines that take
// 0.180 ms for a frame of 256 x 256 in YUV444, together.
func TestVideoEngines(t *testing.T) {
	for name, want := range map[string]float64{"rtx3090": 900, "rtx5090": 3 * 256 * 256 / 0.180e-3 / 1e6} {
		gpu, err := GPU(name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := codecpoint.New("nvenc", &codecpoint.Options{Table: engines(t), Video: Video(name, &gpu.Value)})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.EncodeBPS / 16 / 1e6; math.Abs(got/want-1) > 1e-3 {
			t.Errorf("%s: %g MB/s, want %g", name, got, want)
		}
		if len(p.Figures) != 4 || p.Figures[0].File != "internal/config/presets/gpus.yaml" || !strings.Contains(p.Figures[0].Note, name) {
			t.Errorf("%s: %+v", name, p.Figures)
		}
		for _, f := range p.Figures[2:] {
			if !f.PaperFigure() || !strings.Contains(f.Note, "of the paper's H.265") {
				t.Errorf("%s: %+v does not say whose it is", name, f)
			}
		}
	}
}

func engines(t *testing.T) map[string]codecpoint.Engine {
	t.Helper()
	table, err := Engines()
	if err != nil {
		t.Fatal(err)
	}
	return table
}
