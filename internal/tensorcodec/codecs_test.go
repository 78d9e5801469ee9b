package tensorcodec

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"vcsim/internal/tensor"
)

func codecOptions(t testing.TB, codec, tier string, target Target) TensorOptions {
	t.Helper()
	c, err := Lookup(codec)
	if err != nil {
		t.Fatal(err)
	}
	return TensorOptions{Options: Options{Codec: c, Tier: tier, Target: target}}
}

func TestContainerOfCodecs(t *testing.T) {
	for _, codec := range []string{"t265", "t264"} {
		t.Run(codec, func(t *testing.T) { testContainer(t, codec) })
	}
}

func testContainer(t *testing.T, codec string) {
	src := mixed(t)
	for _, tier := range []string{"hw", "rdo"} {
		for i, set := range []func(*TensorOptions){
			func(o *TensorOptions) {},
			func(o *TensorOptions) { o.Target = Target{TargetBits, 4} },
			func(o *TensorOptions) { o.Lossless = true },
			func(o *TensorOptions) { o.FrameWidth, o.FrameHeight = 48, 40 },
			func(o *TensorOptions) {
				o.Outliers, o.Means, o.Rotate, o.Residual = 20, true, tensor.Hadamard{Rows: true, Seed: 9}, &Target{TargetQP, 30}
				o.Quant = tensor.Quant{Scheme: tensor.PerGroup(64), Asym: true}
			},
		} {
			o := codecOptions(t, codec, tier, Target{TargetQP, 24})
			set(&o)
			o.Workers = 3
			e, b := pack(t, src, Selection{}, o, 0)
			check(t, src, e, b)
			o.Workers = 1
			if _, again := pack(t, src, Selection{}, o, 0); !bytes.Equal(b, again) {
				t.Errorf("%s case %d: the container depends on the number of workers", tier, i)
			}
		}
	}
	for i, set := range []func(*TensorOptions){
		func(o *TensorOptions) { o.Tier = "fast" },
		func(o *TensorOptions) { o.Off = "everything" },
		func(o *TensorOptions) { o.CTU = 17 },
	} {
		o := codecOptions(t, codec, "hw", Target{TargetQP, 24})
		set(&o)
		if _, err := Encode(src, Selection{}, o, 0); err == nil {
			t.Errorf("refusal %d: no error", i)
		}
	}
}

// Damaged streams inside a container are found by the checksum, and those outside one end in an error or a picture.
func TestDamageOfCodecs(t *testing.T) {
	for _, codec := range []string{"t265", "t264"} {
		t.Run(codec, func(t *testing.T) { testDamage(t, codec) })
	}
}

func testDamage(t *testing.T, codec string) {
	o := codecOptions(t, codec, "hw", Target{TargetQP, 30})
	_, good := pack(t, mixed(t), Selection{Globs: []string{"*.k_cache"}}, o, 0)
	rng := rand.New(rand.NewPCG(4, 4))
	for range 300 {
		b := append([]byte(nil), good...)
		at := len(b)/4 + rng.IntN(len(b)*3/4) // the data, mostly
		b[at] ^= 1 << rng.IntN(8)
		if _, _, err := unpack(b); err == nil {
			t.Errorf("a bit of byte %d is wrong, and no error", at)
		}
	}
	plane := noise(96, 80, 20)
	c, err := EncodePlane(plane, Grid{96, 80, 32, 32}, o.Options)
	if err != nil {
		t.Fatal(err)
	}
	for n := range c.Stream {
		w, h, _, err := DecodeStream(o.Codec, c.Stream[:n], 1)
		if err == nil && (w != 32 || h%32 != 0) {
			t.Errorf("cut after %d bytes: %dx%d", n, w, h)
		}
		if _, err := DecodePlane(o.Codec, c.Stream[:n], c.Grid, 1); err == nil {
			t.Errorf("cut after %d bytes: the plane decodes", n)
		}
		if n%7 != 0 {
			continue
		}
		b := append([]byte(nil), c.Stream...)
		b[n] ^= 1 << rng.IntN(8)
		DecodeStream(o.Codec, b, 1) // must return
	}
}

// All tensors of the data folder, through the codec and back.
func TestSharedTensors(t *testing.T) {
	for _, codec := range []string{"t265", "t264"} {
		t.Run(codec, func(t *testing.T) { testSharedTensors(t, codec) })
	}
}

func testSharedTensors(t *testing.T, codec string) {
	files, _ := filepath.Glob("../../../shared/tensors/*.safetensors")
	if len(files) == 0 {
		t.Skip("no ../shared/tensors beside the checkout")
	}
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			t.Parallel()
			src, err := tensor.OpenSafetensors(f)
			if err != nil {
				t.Fatal(err)
			}
			defer src.Close()
			o := codecOptions(t, codec, "hw", Target{TargetQP, 26})
			o.Quant.Scheme = tensor.PerGroup(128)
			e, b := pack(t, src, Selection{}, o, 0)
			check(t, src, e, b)
			for _, r := range e.Results {
				if !r.Raw && r.NMSEDB > 3 {
					t.Errorf("%s: NMSE %.1f dB", r.Name, r.NMSEDB)
				}
			}
		})
	}
}

func BenchmarkT265Tensor(b *testing.B) {
	src := large(1024)
	for _, set := range []string{"tensor", "group128"} {
		b.Run(fmt.Sprint(set), func(b *testing.B) {
			o := codecOptions(b, "t265", "hw", Target{TargetQP, 24})
			var err error
			if o.Quant.Scheme, err = tensor.ParseScheme(set); err != nil {
				b.Fatal(err)
			}
			b.SetBytes(1 << 20)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Encode(src, Selection{}, o, 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
