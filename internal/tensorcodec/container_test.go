package tensorcodec

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"vcsim/internal/tensor"
)

func mixed(t testing.TB) *tensor.Safetensors {
	t.Helper()
	s, err := tensor.OpenSafetensors("testdata/mixed.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func standinTensors(target Target) TensorOptions {
	return TensorOptions{Options: standinOptions(target)}
}

// pack encodes a source and returns the container's bytes.
func pack(t testing.TB, src Source, sel Selection, o TensorOptions, budget float64) (*Encoded, []byte) {
	t.Helper()
	e, err := Encode(src, sel, o, budget)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := e.Write(&b); err != nil {
		t.Fatal(err)
	}
	if b.Len() != e.Bytes {
		t.Errorf("container has %d bytes, Bytes says %d", b.Len(), e.Bytes)
	}
	return e, b.Bytes()
}

// unpack decodes a container into the data of its tensors by name.
func unpack(b []byte) (*Container, map[string][]byte, error) {
	s, err := tensor.ReadSafetensors(bytes.NewReader(b), int64(len(b)), "x")
	if err != nil {
		return nil, nil, err
	}
	c, err := OpenContainer(s)
	if err != nil {
		return nil, nil, err
	}
	out := map[string][]byte{}
	err = c.DecodeAll(3, func(t StoredTensor, data []byte) error {
		out[t.Name] = data
		return nil
	})
	return c, out, err
}

// check compares a container with its source: shapes, order, metadata, exact copies, and the reported distortion.
func check(t *testing.T, src Source, e *Encoded, b []byte) {
	t.Helper()
	c, out, err := unpack(b)
	if err != nil {
		t.Fatal(err)
	}
	if len(out) != len(e.Results) {
		t.Fatalf("%d tensors, want %d", len(out), len(e.Results))
	}
	if got, want := fmt.Sprint(c.Meta), fmt.Sprint(src.Metadata()); got != want && src.Metadata() != nil {
		t.Errorf("metadata %s, want %s", got, want)
	}
	total := 0
	for i, r := range e.Results {
		st := c.Tensors[i]
		if st.Name != r.Name || st.DType != r.DType || fmt.Sprint(st.Shape) != fmt.Sprint(r.Shape) || st.Raw != r.Raw {
			t.Errorf("tensor %d: %v raw %v, want %v raw %v", i, st.Info, st.Raw, r.Info, r.Raw)
		}
		want, err := src.Read(r.Name, nil)
		if err != nil {
			t.Fatal(err)
		}
		total += r.Bytes
		if r.Raw {
			if !bytes.Equal(out[r.Name], want) {
				t.Errorf("tensor %q is not copied exactly", r.Name)
			}
			continue
		}
		a, err := tensor.Decode(nil, r.DType, want)
		if err != nil {
			t.Fatal(err)
		}
		y, err := tensor.Decode(nil, r.DType, out[r.Name])
		if err != nil {
			t.Fatal(err)
		}
		if len(a) != len(y) {
			t.Fatalf("tensor %q: %d values, want %d", r.Name, len(y), len(a))
		}
		if d := tensor.Compare(a, y); d != r.Distortion {
			t.Errorf("tensor %q: decoding gives %+v, the encoder said %+v", r.Name, d, r.Distortion)
		}
	}
	// The rest is the common part of the header, and offsets longer than those that the sizes were reckoned with.
	if slack := len(b) - total; slack < 0 || slack > 400+len(fmt.Sprint(src.Metadata()))+40*len(e.Results) {
		t.Errorf("tensors add up to %d bytes of %d", total, len(b))
	}
}

func TestContainerRoundTrip(t *testing.T) {
	src := mixed(t)
	for _, c := range []struct {
		name string
		set  func(*TensorOptions)
	}{
		{"plain", func(o *TensorOptions) {}},
		{"channel", func(o *TensorOptions) { o.Quant.Scheme = tensor.PerChannel }},
		{"row asym", func(o *TensorOptions) { o.Quant = tensor.Quant{Scheme: tensor.PerRow, Asym: true} }},
		{"group", func(o *TensorOptions) { o.Quant = tensor.Quant{Scheme: tensor.PerGroup(100), Clip: 4} }},
		{"asym", func(o *TensorOptions) { o.Quant.Asym = true }},
		{"rotate", func(o *TensorOptions) { o.Rotate = tensor.Hadamard{Rows: true, Cols: true, Seed: 5} }},
		{"rows mean", func(o *TensorOptions) { o.Rotate = tensor.Hadamard{Rows: true, Seed: math.MaxUint64}; o.Means = true }},
		{"cols", func(o *TensorOptions) { o.Rotate = tensor.Hadamard{Cols: true} }},
		{"outliers", func(o *TensorOptions) { o.Outliers = 8 }},
		{"outliers all", func(o *TensorOptions) {
			o.Outliers, o.Means, o.Rotate = 3, true, tensor.Hadamard{Rows: true, Cols: true, Seed: 1}
			o.Residual = &Target{TargetQP, 30}
		}},
		{"frames", func(o *TensorOptions) { o.FrameWidth, o.FrameHeight = 50, 24 }},
		{"lossless", func(o *TensorOptions) { o.Lossless = true }},
		{"residual", func(o *TensorOptions) { o.Residual = &Target{TargetQP, 12} }},
		{"residual all", func(o *TensorOptions) {
			o.Residual = &Target{TargetBits, 2}
			o.Quant = tensor.Quant{Scheme: tensor.PerGroup(64), Asym: true}
			o.Means, o.Rotate = true, tensor.Hadamard{Rows: true, Seed: 1}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := standinTensors(Target{TargetQP, 22})
			c.set(&o)
			e, b := pack(t, src, Selection{}, o, 0)
			check(t, src, e, b)
			o.Workers = 1
			if _, again := pack(t, src, Selection{}, o, 0); !bytes.Equal(b, again) {
				t.Error("the container depends on the number of workers")
			}
		})
	}
}

func TestResidualLowersError(t *testing.T) {
	src := mixed(t)
	o := standinTensors(Target{TargetQP, 30})
	sel := Selection{Globs: []string{"*gate_proj*"}}
	one, _ := pack(t, src, sel, o, 0)
	o.Residual = &Target{TargetQP, 10}
	two, _ := pack(t, src, sel, o, 0)
	if one.Results[0].MSE < 20*two.Results[0].MSE {
		t.Errorf("MSE %g, with residual %g", one.Results[0].MSE, two.Results[0].MSE)
	}
}

func TestDTypes(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	values := make([]float32, 64*80)
	for i := range values {
		values[i] = float32(40 * rng.NormFloat64())
	}
	for _, d := range []tensor.DType{tensor.F64, tensor.F32, tensor.F16, tensor.BF16, tensor.I8, tensor.U8} {
		data, err := tensor.Encode(nil, d, values)
		if err != nil {
			t.Fatal(err)
		}
		src := Single{tensor.Info{Name: "x", DType: d, Shape: []int{2, 32, 80}}, data}
		o := standinTensors(Target{TargetQP, 16})
		e, b := pack(t, src, Selection{}, o, 0)
		if e.Results[0].Raw != d.Integer() {
			t.Errorf("%s: stored raw %v", d, e.Results[0].Raw)
		}
		check(t, src, e, b)
		if d.Integer() {
			if e, _ = pack(t, src, Selection{Globs: []string{"x"}}, o, 0); e.Results[0].Raw {
				t.Errorf("%s is stored raw although it was named", d)
			}
			o.Integers = true
			if e, b = pack(t, src, Selection{}, o, 0); e.Results[0].Raw {
				t.Errorf("%s is stored raw although integers were asked for", d)
			}
			check(t, src, e, b)
			o.Lossless = true
			if e, _ = pack(t, src, Selection{}, o, 0); !e.Results[0].Raw && e.Results[0].MSE != 0 {
				t.Errorf("%s: lossless has an MSE of %g", d, e.Results[0].MSE)
			}
		}
	}
}

func TestShapesAndCopies(t *testing.T) {
	small := []byte{1, 2, 3, 4, 5, 6, 7, 8}
	for i, c := range []struct {
		d     tensor.DType
		shape []int
		note  string
	}{
		{tensor.F32, nil, "scalar"},
		{tensor.F32, []int{0}, "empty"},
		{tensor.F32, []int{4, 0, 3}, "empty"},
		{tensor.I64, []int{1}, "dtype I64"},
		{tensor.Bool, []int{2, 2}, "dtype BOOL"},
		{tensor.F8E4M3, []int{8}, "dtype F8_E4M3"},
		{tensor.F32, []int{2}, "copied: coding it"},
		{tensor.U8, []int{1, 1, 1, 1, 1}, "copied: coding it"},
	} {
		info := tensor.Info{Name: "x", DType: c.d, Shape: c.shape}
		n, err := info.NumBytes()
		if err != nil {
			t.Fatal(err)
		}
		src := Single{info, small[:n]}
		o := standinTensors(Target{TargetQP, 16})
		o.Integers = true
		e, b := pack(t, src, Selection{}, o, 0)
		if r := e.Results[0]; !r.Raw || !strings.Contains(r.Note, c.note) {
			t.Errorf("case %d: raw %v, note %q, want %q", i, r.Raw, r.Note, c.note)
		}
		check(t, src, e, b)
	}
}

func TestNonFiniteIsRefusedByName(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		x := make([]float32, 100)
		x[37] = float32(v)
		for _, d := range []tensor.DType{tensor.F32, tensor.F16, tensor.BF16} {
			data, err := tensor.Encode(nil, d, x)
			if err != nil {
				t.Fatal(err)
			}
			_, err = Encode(Single{tensor.Info{Name: "a.b", DType: d, Shape: []int{10, 10}}, data}, Selection{}, standinTensors(Target{}), 0)
			var ue tensor.UnsupportedError
			if !errors.As(err, &ue) || !strings.Contains(err.Error(), `"a.b"`) || !strings.Contains(err.Error(), "index 37") {
				t.Errorf("%s %v: error %v", d, v, err)
			}
		}
	}
}

func TestSelection(t *testing.T) {
	src := mixed(t)
	o := standinTensors(Target{TargetQP, 22})
	e, b := pack(t, src, Selection{Globs: []string{"*.k_cache", "activation"}}, o, 0)
	if len(e.Results) != 2 {
		t.Errorf("%d tensors selected", len(e.Results))
	}
	check(t, src, e, b)
	e, b = pack(t, src, Selection{Globs: []string{"*.k_cache"}, Keep: true}, o, 0)
	if len(e.Results) != 5 || e.Coded() != 64*128 {
		t.Errorf("%d tensors kept, %d values coded", len(e.Results), e.Coded())
	}
	check(t, src, e, b)
	for _, g := range []string{"nothing*", "[a"} {
		if _, err := Encode(src, Selection{Globs: []string{g}}, o, 0); err == nil || !strings.Contains(err.Error(), g) {
			t.Errorf("%q: error %v", g, err)
		}
	}
	s, err := tensor.ReadSafetensors(bytes.NewReader(b), int64(len(b)), "x")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Encode(s, Selection{}, o, 0); err == nil || !strings.Contains(err.Error(), "already") {
		t.Errorf("a container as input: %v", err)
	}
}

func large(n int) Source {
	rng := rand.New(rand.NewPCG(8, 9))
	x := make([]float32, n*n)
	for i := range x {
		x[i] = float32(rng.NormFloat64() * 0.02)
	}
	data, _ := tensor.Encode(nil, tensor.BF16, x)
	return Single{tensor.Info{Name: "w", DType: tensor.BF16, Shape: []int{n, n}}, data}
}

func TestOutliers(t *testing.T) {
	x := make([]float32, 10000)
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range x {
		x[i] = float32(rng.NormFloat64())
	}
	want := map[uint32]float32{0: 1e6, 1: -3e5, 99: 50, 5000: -40, 9999: 1e30}
	for i, v := range want {
		x[i] = v
	}
	o := findOutliers(x, 10)
	if len(o.index) != len(want) {
		t.Errorf("outliers at %v", o.index)
	}
	for k, i := range o.index {
		if want[i] != o.value[k] {
			t.Errorf("outlier at %d: %g, want %g", i, o.value[k], want[i])
		}
	}
	y := append([]float32(nil), x...)
	o.remove(y, 100)
	for i, v := range y {
		if math.Abs(float64(v)) > 6 {
			t.Errorf("value %d is still %g", i, v)
		}
	}
	o.restore(y)
	for i := range x {
		if x[i] != y[i] {
			t.Errorf("value %d: %g, want %g", i, y[i], x[i])
		}
	}
	for _, x := range [][]float32{nil, {1}, {1, 1, 1}, {math.MaxFloat32, -math.MaxFloat32}} {
		if o := findOutliers(x, 3); len(o.index) > 0 {
			t.Errorf("%v has outliers %v", x, o.index)
		}
	}

	// At equal rate the massive activation keeps its other values only when the outliers are stored apart.
	src, sel := mixed(t), Selection{Globs: []string{"activation"}}
	b := standinTensors(Target{TargetBits, 4})
	plain, _ := pack(t, src, sel, b, 0)
	b.Outliers = 20
	apart, _ := pack(t, src, sel, b, 0)
	if p, a := plain.Results[0], apart.Results[0]; a.MSE > p.MSE/100 || math.Abs(a.BitsPerValue()-4) > 0.1 {
		t.Errorf("MSE %g, with outliers apart %g at %g bits", p.MSE, a.MSE, a.BitsPerValue())
	}
}

// The rate a target means is the size of the file.
func TestTensorRate(t *testing.T) {
	src := large(256)
	for _, bits := range []float64{1.5, 3, 4.5} {
		for _, q := range []tensor.Quant{{}, {Scheme: tensor.PerGroup(128)}} {
			o := standinTensors(Target{TargetBits, bits})
			o.Quant = q
			e, b := pack(t, src, Selection{}, o, 0)
			if got := 8 * float64(len(b)) / float64(e.Values); math.Abs(got-bits) > 0.01*bits {
				t.Errorf("%v: file has %g bits a value, want %g", q.Scheme, got, bits)
			}
		}
	}
	for _, mse := range []float64{1e-5, 1e-6} {
		e, _ := pack(t, src, Selection{}, standinTensors(Target{TargetMSE, mse}), 0)
		if got := e.Results[0].MSE; got > mse*1.005 || got < 0.95*mse {
			t.Errorf("MSE %g, want %g", got, mse)
		}
	}
}

// sources joins single tensors.
type sources []Single

func (s sources) Tensors() (out []tensor.Info) {
	for _, t := range s {
		out = append(out, t.Info)
	}
	return out
}
func (s sources) Metadata() map[string]string { return nil }
func (s sources) Read(name string, buf []byte) ([]byte, error) {
	for _, t := range s {
		if t.Info.Name == name {
			return t.Data, nil
		}
	}
	return nil, errors.New("absent")
}

// A budget over an easy and a hard tensor must beat the same rate for each, in relative error, and keep the total.
func TestBudget(t *testing.T) {
	hard := large(192).(Single)
	hard.Info.Name = "hard"
	easy := make([]float32, 192*192)
	for i := range easy {
		easy[i] = float32(i%192/24) - 4 // steps: flate packs them well
	}
	data, _ := tensor.Encode(nil, tensor.F32, easy)
	src := sources{hard, {tensor.Info{Name: "easy", DType: tensor.F32, Shape: []int{192, 192}}, data}, {tensor.Info{Name: "none", DType: tensor.F32, Shape: []int{0}}, nil}}
	const bits = 2.0
	same, _ := pack(t, src, Selection{}, standinTensors(Target{TargetBits, bits}), 0)
	spread, b := pack(t, src, Selection{}, standinTensors(Target{}), bits)
	check(t, src, spread, b)
	if got := 8 * float64(len(b)) / float64(spread.Values); math.Abs(got-bits) > 0.02*bits {
		t.Errorf("%g bits a value, want %g (%s)", got, bits, spread.Note)
	}
	if a, c := same.Distortion().NMSEDB, spread.Distortion().NMSEDB; c > a-1 {
		t.Errorf("relative error %.2f dB at equal rates, %.2f dB with a budget", a, c)
	}
	if h, e := spread.Results[0], spread.Results[1]; h.BitsPerValue() < e.BitsPerValue() {
		t.Errorf("the hard tensor has %g bits, the easy one %g", h.BitsPerValue(), e.BitsPerValue())
	}
	if _, err := Encode(sources{src[2]}, Selection{}, standinTensors(Target{}), 2); err == nil {
		t.Error("a budget over nothing is accepted")
	}
}

// Every single-bit error and every truncation is either found or changes nothing that is decoded.
func TestDamageIsFound(t *testing.T) {
	src := mixed(t)
	o := standinTensors(Target{TargetQP, 34})
	o.Quant = tensor.Quant{Scheme: tensor.PerGroup(64), Asym: true}
	o.Means, o.Rotate = true, tensor.Hadamard{Rows: true, Seed: 3}
	o.Residual, o.Outliers = &Target{TargetQP, 40}, 4
	e, good := pack(t, src, Selection{}, o, 0)
	check(t, src, e, good)
	goodC, want, err := unpack(good)
	if err != nil {
		t.Fatal(err)
	}
	same := func(c *Container, out map[string][]byte) bool {
		if len(out) != len(want) || fmt.Sprint(c.Meta) != fmt.Sprint(goodC.Meta) {
			return false
		}
		for i, a := range goodC.Tensors {
			b := c.Tensors[i]
			if a.Name != b.Name || a.DType != b.DType || fmt.Sprint(a.Shape) != fmt.Sprint(b.Shape) || !bytes.Equal(want[a.Name], out[a.Name]) {
				return false
			}
		}
		return true
	}
	head := 8 + int(binary.LittleEndian.Uint64(good))
	silent := 0
	try := func(b []byte, what string) {
		c, out, err := unpack(b)
		if err == nil && !same(c, out) {
			t.Errorf("%s: decodes to something else without an error", what)
		} else if err == nil {
			silent++
		}
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for i := 0; i < 8*len(good); {
		b := append([]byte(nil), good...)
		b[i/8] ^= 1 << (i % 8)
		try(b, fmt.Sprintf("bit %d of byte %d", i%8, i/8))
		if i < 8*head {
			i += 1 + rng.IntN(6)
		} else {
			i += 1 + rng.IntN(800)
		}
	}
	for n := 0; n < len(good); n += 1 + rng.IntN(200) {
		if _, _, err := unpack(good[:n]); err == nil {
			t.Errorf("truncated to %d bytes: no error", n)
		}
	}
	// Swapping two equally long stretches of data.
	for range 50 {
		b := append([]byte(nil), good...)
		i, k := head+rng.IntN(len(b)-head-8), head+rng.IntN(len(b)-head-8)
		for j := range 8 {
			b[i+j], b[k+j] = b[k+j], b[i+j]
		}
		try(b, fmt.Sprintf("bytes %d and %d swapped", i, k))
	}
	if silent > 200 { // spaces of the header, swaps of a stretch with itself
		t.Errorf("%d damaged files decode as if whole", silent)
	}
}

// An encoder and a decoder that disagree must be noticed even where nothing is damaged.
func TestDecoderDisagrees(t *testing.T) {
	_, b := pack(t, mixed(t), Selection{}, standinTensors(Target{TargetQP, 30}), 0)
	codecs["standin"] = wrongDecoder{}
	defer func() { codecs["standin"] = standin{} }()
	if _, _, err := unpack(b); err == nil || !strings.Contains(err.Error(), "checksum") {
		t.Errorf("error %v", err)
	}
}

type wrongDecoder struct{ standin }

func (w wrongDecoder) DecodeFrame(part []byte) (Picture, error) {
	p, err := w.standin.DecodeFrame(part)
	if err == nil {
		p.Pix[len(p.Pix)/2]++
	}
	return p, err
}

func TestRecipeErrors(t *testing.T) {
	for i, line := range []string{
		"", "raw", "raw at=x sum=0", "raw at=1 at=2 sum=0", "raw at=0 sum=0 extra", "at=0 dtype=I64 shape=1 frame=1x1 codes=0 sum=0",
		"at=0 dtype=F32 shape=1,-1 frame=1x1 codes=0 sum=0", "at=0 dtype=F32 shape=01 frame=1x1 codes=0 sum=0", "at=0 dtype=F32 shape=1 frame=1 codes=0 sum=0",
		"dtype=F32 at=0 shape=1 frame=1x1 codes=0 sum=0",
	} {
		if r, err := parseRecipe(line); err == nil {
			t.Errorf("case %d: %q is read as %+v", i, line, r)
		}
	}
	for i, line := range []string{
		"", "version=2 codec=t265", "version=1 codec=t265 quant=x tensors=1 meta=0", "version=1 codec=t265 quant=tensor rotate=both tensors=1 meta=0",
		"version=1 codec=t265 quant=tensor rotate=no seed=1 tensors=1 meta=0", "version=1  codec=t265 quant=tensor tensors=1 meta=0",
		"version=1 codec=t265 quant=tensor tensors=1 meta=0 more",
	} {
		if c, _, err := parseCommon(line); err == nil {
			t.Errorf("case %d: %q is read as %+v", i, line, c)
		}
	}
}

func FuzzContainer(f *testing.F) {
	o := standinTensors(Target{TargetQP, 34})
	o.Residual = &Target{TargetQP, 40}
	_, b := pack(f, mixed(f), Selection{Globs: []string{"input_ids", "*layernorm*"}}, o, 0)
	f.Add(b)
	_, b = pack(f, mixed(f), Selection{Globs: []string{"activation"}}, o, 0)
	f.Add(b)
	c265, err := Lookup("t265")
	if err != nil {
		f.Fatal(err)
	}
	o.Codec, o.Tier = c265, "rdo"
	_, b = pack(f, mixed(f), Selection{Globs: []string{"input_ids", "*layernorm*"}}, o, 0)
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) { unpack(b) })
}

// FuzzRecipe decodes arrays of the right names and any content, past the checksums.
func FuzzRecipe(f *testing.F) {
	plane := noise(24, 16, 20)
	for _, name := range []string{"standin", "t265"} {
		c, err := Lookup(name)
		if err != nil {
			f.Fatal(err)
		}
		coded, err := EncodePlane(plane, Grid{24, 16, 24, 16}, Options{Codec: c, Tier: "hw", Target: Target{TargetQP, 30}})
		if err != nil {
			f.Fatal(err)
		}
		scale := []byte{0, 0, 0x80, 0x3f}
		f.Add("version=1 codec="+name+" quant=tensor tensors=1 meta=0", "at=0 dtype=F32 shape=16,24 frame=24x16 codes="+codesSum(coded.Recon)+" sum=0", coded.Stream, scale, scale, 1)
		f.Add("version=1 codec="+name+" quant=group8 asym rotate=both seed=3 mean tensors=1 meta=0", "at=0 dtype=BF16 shape=2,8,24 frame=24x16 outliers codes="+codesSum(coded.Recon)+" sum=0", coded.Stream, make([]byte, 96), []byte{5, 0, 0, 0}, 48)
	}
	f.Fuzz(func(t *testing.T, line, own string, stream, scales, index []byte, n int) {
		common, _, err := parseCommon(line)
		if err != nil {
			return
		}
		r, err := parseRecipe(own)
		if err != nil || r.raw {
			return
		}
		codec, err := Lookup(common.Codec)
		if err != nil || n < 0 || n > len(scales)/2 {
			return
		}
		dtype := tensor.BF16
		if n == 1 && len(scales) >= 4 {
			dtype = tensor.F32
		}
		vector := func(suffix string) part { return part{suffix, dtype, []int{n}, scales[:n*dtype.Bits()/8]} }
		k := len(index) / 4
		parts := map[string]part{"": {dtype: tensor.U8, data: stream}, suffixResidual: {dtype: tensor.U8, data: stream},
			suffixOutlierIndex: {suffixOutlierIndex, tensor.U32, []int{k}, index[:4*k]}, suffixOutlierValue: {suffixOutlierValue, tensor.F32, []int{k}, index[:4*k]}}
		for _, s := range []string{suffixScale, suffixLow, suffixMean, suffixResidualScale, suffixResidualLow} {
			parts[s] = vector(s)
		}
		info := tensor.Info{Name: "x", DType: r.dtype, Shape: r.shape}
		raw, err := decodeTensor(codec, common, info, r, parts, 1)
		if want, e := info.NumBytes(); err == nil && (e != nil || int64(len(raw)) != want) {
			t.Errorf("%d bytes of %v, want %d", len(raw), info, want)
		}
	})
}
