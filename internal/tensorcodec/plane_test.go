package tensorcodec

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// noise is a Gaussian plane around 128 with some structure along the columns.
func noise(w, h int, dev float64) []byte {
	rng := rand.New(rand.NewPCG(uint64(w), uint64(h)))
	p := make([]byte, w*h)
	for i := range p {
		v := 128 + dev*rng.NormFloat64() + 10*math.Sin(float64(i%w)/9)
		p[i] = byte(max(0, min(255, v)))
	}
	return p
}

func standinOptions(t Target) Options {
	return Options{Codec: standin{}, Tier: "hw", Target: t}
}

func TestTensorGrid(t *testing.T) {
	for _, c := range []struct{ w, h, fw, fh, frames int }{
		{1, 1, 1, 1, 1}, {1024, 1024, 1024, 1024, 1}, {1025, 1024, 520, 1024, 2}, {4096, 4096, 1024, 1024, 16},
		{11008, 1, 1008, 1, 11}, {688, 256, 688, 256, 1}, {3000, 2100, 1000, 704, 9},
	} {
		g := TensorGrid(c.w, c.h)
		if g.FrameWidth != c.fw || g.FrameHeight != c.fh || g.Frames() != c.frames {
			t.Errorf("%dx%d: frames %dx%d, %d of them; want %dx%d, %d", c.w, c.h, g.FrameWidth, g.FrameHeight, g.Frames(), c.fw, c.fh, c.frames)
		}
	}
}

func TestGridErrors(t *testing.T) {
	for i, g := range [][4]int{{0, 1, 1, 1}, {1, -1, 1, 1}, {4, 4, -1, 4}, {4, 4, 1 << 17, 4}} {
		if _, err := NewGrid(g[0], g[1], g[2], g[3]); err == nil {
			t.Errorf("case %d: grid %v is accepted", i, g)
		}
	}
}

// Every value of every frame against the definition: replicate the nearest value inside the plane.
func TestGridPadding(t *testing.T) {
	const w, h = 13, 9
	plane := make([]byte, w*h)
	for i := range plane {
		plane[i] = byte(i)
	}
	for _, size := range [][2]int{{13, 9}, {5, 4}, {13, 4}, {5, 9}, {16, 16}, {1, 1}} {
		g, err := NewGrid(w, h, size[0], size[1])
		if err != nil {
			t.Fatal(err)
		}
		back := make([]byte, w*h)
		buf := make([]byte, size[0]*size[1])
		for i := range g.Frames() {
			pix, stride := g.Frame(plane, buf, i)
			x0, y0, _, _ := g.rect(i)
			for y := range size[1] {
				for x := range size[0] {
					want := plane[min(y0+y, h-1)*w+min(x0+x, w-1)]
					if got := pix[y*stride+x]; got != want {
						t.Fatalf("frames %v: frame %d (%d,%d): got %d, want %d", size, i, x, y, got, want)
					}
				}
			}
			g.place(back, pix, stride, i)
		}
		if !bytes.Equal(plane, back) {
			t.Errorf("frames %v: plane does not come back", size)
		}
	}
}

func TestPlaneRoundTrip(t *testing.T) {
	const w, h = 150, 90
	plane := noise(w, h, 25)
	for _, size := range [][2]int{{0, 0}, {64, 32}, {150, 16}, {8, 8}} {
		g, err := NewGrid(w, h, size[0], size[1])
		if err != nil {
			t.Fatal(err)
		}
		opt := standinOptions(Target{TargetQP, 20})
		opt.Workers = 1
		one, err := EncodePlane(plane, g, opt)
		if err != nil {
			t.Fatal(err)
		}
		opt.Workers = 7
		many, err := EncodePlane(plane, g, opt)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(one.Stream, many.Stream) || one.Bins != many.Bins || !bytes.Equal(one.Recon, many.Recon) {
			t.Errorf("frames %v: the result depends on the number of workers", size)
		}
		back, err := DecodePlane(standin{}, one.Stream, g, 3)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(back, one.Recon) {
			t.Errorf("frames %v: decoding differs from the encoder's reconstruction", size)
		}
		opt.Lossless = true
		exact, err := EncodePlane(plane, g, opt)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(exact.Recon, plane) {
			t.Errorf("frames %v: lossless is not", size)
		}
	}
}

func TestDecodeStream(t *testing.T) {
	plane := noise(40, 96, 20)
	g, _ := NewGrid(40, 96, 40, 32)
	c, err := EncodePlane(plane, g, standinOptions(Target{TargetQP, 10}))
	if err != nil {
		t.Fatal(err)
	}
	w, h, got, err := DecodeStream(standin{}, c.Stream, 0)
	if err != nil || w != 40 || h != 96 || !bytes.Equal(got, c.Recon) {
		t.Errorf("three stacked pictures: %dx%d, %v", w, h, err)
	}
	if _, _, _, err := DecodeStream(standin{}, c.Stream[:8], 0); err == nil || !strings.Contains(err.Error(), "no picture") {
		t.Errorf("no picture: %v", err)
	}
	if _, err := DecodePlane(standin{}, c.Stream, Grid{40, 64, 40, 32}, 0); err == nil || !strings.Contains(err.Error(), "3 frames") {
		t.Errorf("wrong plane: %v", err)
	}
	if _, err := DecodePlane(standin{}, c.Stream, Grid{60, 96, 60, 32}, 0); err == nil || !strings.Contains(err.Error(), "picture of 40x32") {
		t.Errorf("wrong frame: %v", err)
	}
}

func TestFrameError(t *testing.T) {
	plane := noise(64, 64, 20)
	for _, at := range []int{16*64 + 32, 48 * 64} { // frames 6 and 12 of 16
		copy(plane[at:], []byte{99, 98, 97})
	}
	g, _ := NewGrid(64, 64, 16, 16)
	for i := range 20 {
		_, err := EncodePlane(plane, g, standinOptions(Target{TargetQP, 20}))
		if err == nil || !strings.HasPrefix(err.Error(), "frame 6: ") {
			t.Fatalf("run %d: error %v, want that of frame 6", i, err)
		}
	}
}

func TestQP(t *testing.T) {
	for _, q := range []QP{0, 16, 22*16 + 4, 22*16 + 15, 51 * 16} {
		sum := 0
		for i := range 16 {
			sum += q.At(i)
		}
		if sum != int(q) {
			t.Errorf("QP %g: 16 units have a mean of %g", q.Float(), float64(sum)/16)
		}
	}
	for i, c := range []Target{
		{TargetQP, -1}, {TargetQP, 52}, {TargetQP, math.NaN()}, {TargetBits, 0}, {TargetBits, -3}, {TargetBits, math.Inf(1)}, {TargetMSE, 0}, {TargetMSE, -1},
	} {
		if _, err := EncodePlane(make([]byte, 64), Grid{8, 8, 8, 8}, standinOptions(c)); err == nil {
			t.Errorf("case %d: %v is accepted", i, c)
		}
	}
}

func TestRateTargets(t *testing.T) {
	for _, size := range [][4]int{{256, 256, 0, 0}, {640, 512, 128, 64}} {
		plane := noise(size[0], size[1], 30)
		g, err := NewGrid(size[0], size[1], size[2], size[3])
		if err != nil {
			t.Fatal(err)
		}
		n := float64(len(plane))
		for _, bits := range []float64{0.7, 1.5, 2, 3, 4, 5.5} {
			c, err := EncodePlane(plane, g, standinOptions(Target{TargetBits, bits}))
			if err != nil {
				t.Fatal(err)
			}
			if got := 8 * float64(len(c.Stream)) / n; math.Abs(got-bits) > 0.01*bits || c.Note != "" {
				t.Errorf("%v: %g bits a value, want %g (%s)", size, got, bits, c.Note)
			}
		}
		for _, mse := range []float64{0.5, 3, 20, 100} {
			c, err := EncodePlane(plane, g, standinOptions(Target{TargetMSE, mse}))
			if err != nil {
				t.Fatal(err)
			}
			if got := squaredError(plane, c.Recon) / n; got > mse || got < 0.97*mse || c.Note != "" {
				t.Errorf("%v: MSE %g, want just below %g (%s)", size, got, mse, c.Note)
			}
		}
		for i, target := range []Target{{TargetBits, 60}, {TargetBits, 1e-4}, {TargetMSE, 1e-9}} {
			c, err := EncodePlane(plane, g, standinOptions(target))
			if err != nil {
				t.Fatal(err)
			}
			want := []float64{0, 51, 0}[i]
			if c.QP != want || !strings.Contains(c.Note, "cannot be reached") {
				t.Errorf("%v %v: QP %g (want %g), note %q", size, target, c.QP, want, c.Note)
			}
		}
	}
}

func squaredError(a, b []byte) float64 {
	sum := 0.0
	for i := range a {
		e := float64(a[i]) - float64(b[i])
		sum += e * e
	}
	return sum
}

func TestConstantPlane(t *testing.T) {
	plane := bytes.Repeat([]byte{7}, 4096)
	for _, target := range []Target{{TargetBits, 3}, {TargetMSE, 1}, {TargetQP, 51}} {
		if _, err := EncodePlane(plane, Grid{64, 64, 64, 64}, standinOptions(target)); err != nil {
			t.Errorf("%v: %v", target, err)
		}
	}
}

func ExampleTarget() {
	fmt.Println(Target{TargetBits, 2.5})
	// Output: bits a value 2.5
}
