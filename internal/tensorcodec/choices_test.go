package tensorcodec

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"vcsim/internal/tensor"
)

// The tests of this file hold to their definitions which tensors are copied, which are held, and what is said of a target that is missed.

// TestSideCosts: a tensor is copied where what is stored beside its stream, with 80 bytes of headers and its share of those of the file,
// takes more than half of its rate.
func TestSideCosts(t *testing.T) {
	const rows, cols = 32, 64
	rng := rand.New(rand.NewPCG(42, 1))
	x := make([]float32, rows*cols)
	for i := range x {
		x[i] = float32(rng.NormFloat64())
	}
	data, _ := tensor.Encode(nil, tensor.F32, x)
	info := tensor.Info{Name: "x", DType: tensor.F32, Shape: []int{rows, cols}}
	o := standinTensors(Target{})
	o.Quant.Scheme = tensor.PerRow
	r := &run{src: Single{info, data}, jobs: []job{{info: info, coded: true}}, opt: o, fixed: 1000, total: 4 * rows * cols}
	p, e, err := r.prepare(0) // without a rate nothing is copied
	if err != nil || e != nil {
		t.Fatal(e, err)
	}
	side := p.draft().size() + 250 + 80
	for _, more := range []float64{-0.001, 0, 0.001} {
		r.bits = 2*8*float64(side)/(rows*cols) + more
		p, e, err := r.prepare(0)
		if err != nil || (e != nil) != (more < 0) || (p != nil) == (e != nil) {
			t.Errorf("%+g bits from the limit: copied %v, %v", more, e != nil, err)
		}
		if e != nil && (e.result.Note != fmt.Sprintf("copied: %d bytes beside the stream are most of its rate", side) || !e.result.Raw || e.recipe.sum == "" || e.result.Bytes != e.size()) {
			t.Errorf("%+v", e.result)
		}
	}
	r.jobs[0] = job{info: info, note: "so"}
	if p, e, err := r.prepare(0); p != nil || err != nil || e.result.Note != "so" || !e.result.Raw || e.result.Bytes <= len(data) {
		t.Errorf("a tensor that is to be copied: %v, %v", e, err)
	}
}

// TestHeaderShares: what is reckoned for the tensors of a container adds up to its header, but for the width of offsets and padding.
func TestHeaderShares(t *testing.T) {
	meta := map[string]string{metaKey: "x", "own": "y"}
	fixed, err := tensor.SafetensorsHeader(nil, meta)
	if err != nil {
		t.Fatal(err)
	}
	var infos []tensor.Info
	sum := 0
	const tensors = 60
	for k := range tensors {
		e := &entry{info: tensor.Info{Name: fmt.Sprintf("layer.%d", 10+k)}, recipe: recipe{raw: k%3 == 0, at: k % 10, sum: "0123456789abcdef"}}
		e.parts = []part{{dtype: tensor.U8, shape: []int{4}, data: make([]byte, 4)}}
		if k%2 == 0 {
			e.parts = append(e.parts, part{suffix: suffixScale, dtype: tensor.F32, shape: []int{1}, data: make([]byte, 4)})
		}
		for _, p := range e.parts {
			infos = append(infos, p.info(e.info.Name))
		}
		meta[metaPrefix+e.info.Name] = e.recipe.String() + " sum=" + e.recipe.sum
		sum += headerSize(e)
		if e.size() != headerSize(e)+4*len(e.parts) {
			t.Errorf("tensor %d: %d bytes, of which %d are header", k, e.size(), headerSize(e))
		}
	}
	whole, err := tensor.SafetensorsHeader(infos, meta)
	if err != nil {
		t.Fatal(err)
	}
	// Each offset may have two digits more than in the header of a tensor alone; padding is eight bytes at most, which each tensor alone may have, too.
	off := sum - (len(whole) - len(fixed))
	if off < -4*len(infos)-8 || off > 7*tensors+8 {
		t.Errorf("the tensors add %d bytes, their sizes say %d", len(whole)-len(fixed), sum)
	}
	// Of one tensor alone no less than its lines, each with a comma, and no more than a comma and seven bytes of padding beside.
	var one *entry
	for k := range 16 {
		name, sum := strings.Repeat("a", 1+k/2), "01"[k&1:]
		one = &entry{info: tensor.Info{Name: name}, recipe: recipe{raw: true, sum: sum}, parts: []part{{dtype: tensor.U8, shape: []int{4}}}}
		lines := `"` + name + `":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"vcsim:` + name + `":"raw at=0 sum=` + sum + `",`
		if got := headerSize(one); got < len(lines) || got > len(lines)+8 {
			t.Errorf("%d bytes for the %d of %s", got, len(lines), lines)
		}
	}
	one.main, one.parts[0].shape = pieces{}, []int{1 << 20}
	if one.size() != headerSize(one)+1<<20 {
		t.Errorf("a part that is elsewhere: %d bytes", one.size())
	}
}

// TestLayoutOrder: arrays come by falling size of their elements, those of one size as the tensors do.
func TestLayoutOrder(t *testing.T) {
	var entries []*entry
	for k, d := range []tensor.DType{tensor.U8, tensor.BF16, tensor.F64, tensor.F32, tensor.I8, tensor.F16} {
		entries = append(entries, &entry{info: tensor.Info{Name: string(rune('a' + k))}, parts: []part{{dtype: d, shape: []int{1}, data: make([]byte, d.Bits()/8)}, {suffix: suffixScale, dtype: tensor.F32, shape: []int{1}, data: make([]byte, 4)}}})
	}
	infos, data := layout(entries)
	var names []string
	for i, info := range infos {
		names = append(names, strings.TrimSuffix(info.Name, suffixScale))
		var b bytes.Buffer
		if n, err := data[i].WriteTo(&b); err != nil || int(n) != info.DType.Bits()/8 {
			t.Errorf("%s: %d bytes, %v", info.Name, n, err)
		}
	}
	if got := strings.Join(names, ""); got != "c"+"abcddef"+"bf"+"ae" {
		t.Errorf("arrays of %s", got)
	}
}

// TestHeldTensors: small tensors are held, and those that no part of can be coded without the rest.
func TestHeldTensors(t *testing.T) {
	rows, cols, residual := tensor.Hadamard{Rows: true}, tensor.Hadamard{Cols: true}, &Target{}
	for _, c := range []struct {
		o    TensorOptions
		d    tensor.DType
		n    int
		want bool
	}{
		{TensorOptions{}, tensor.F32, 1 << 20, true}, {TensorOptions{}, tensor.F32, 1<<20 + 1, false}, {TensorOptions{hold: 5}, tensor.F32, 5, true}, {TensorOptions{hold: 5}, tensor.F32, 6, false}, {TensorOptions{hold: -1}, tensor.F32, 1, false},
		{TensorOptions{hold: -1, Rotate: rows}, tensor.F32, 1, true}, {TensorOptions{hold: -1, Rotate: cols}, tensor.F32, 1, true}, {TensorOptions{hold: -1, Rotate: cols}, tensor.U8, 1, true},
		{TensorOptions{hold: -1, Residual: residual}, tensor.F32, 1, true}, {TensorOptions{hold: -1, Residual: residual}, tensor.U8, 1, false}, {TensorOptions{hold: -1, Residual: residual}, tensor.I8, 1, false},
	} {
		if got := c.o.held(c.d, c.n); got != c.want {
			t.Errorf("%+v, %d values of %v: held %v", c.o, c.n, c.d, got)
		}
	}
}

// TestSomeCodes: the codes that a search looks at to begin are those of the tensor, as far apart as there are 65 536 in it, held or not.
func TestSomeCodes(t *testing.T) {
	rng := rand.New(rand.NewPCG(42, 2))
	const rows, cols = 400, 501 // 200 400 values: every fourth
	x := make([]float32, rows*cols-7)
	for i := range x {
		x[i] = float32(math.Round(rng.NormFloat64() * float64(10+i/cols%5*7)))
	}
	for _, d := range []tensor.DType{tensor.F32, tensor.I8, tensor.U8} {
		data, err := tensor.Encode(nil, d, x)
		if err != nil {
			t.Fatal(err)
		}
		info := tensor.Info{Name: "x", DType: d, Shape: []int{len(x)}}
		o := standinTensors(Target{TargetQP, 9})
		o.Fold, o.Quant.Scheme, o.FrameWidth, o.FrameHeight = cols, tensor.PerRow, 128, 128
		held, err := prepare(info, 0, values{info, Single{info, data}}, o, true)
		if err != nil {
			t.Fatal(err)
		}
		streamed, err := prepare(info, 0, values{info, Single{info, data}}, o, false)
		if err != nil {
			t.Fatal(err)
		}
		var want []byte
		for i := 0; i < rows*cols; i += 4 {
			want = append(want, held.codes[i])
		}
		if !bytes.Equal(held.some, want) || !bytes.Equal(streamed.some, want) {
			t.Errorf("%v: %d codes held, %d streamed, want %d, or others", d, len(held.some), len(streamed.some), len(want))
		}
		if d.Integer() {
			values, _ := tensor.Decode(nil, d, data)
			for i, v := range values {
				code := int(v)
				if d == tensor.I8 {
					code += 128
				}
				if int(held.codes[i]) != code {
					t.Fatalf("%v: value %g has code %d", d, v, held.codes[i])
				}
			}
		}
		if streamed.codes != nil || streamed.x != nil || len(held.codes) != rows*cols {
			t.Errorf("%v: %d codes streamed, %d held", d, len(streamed.codes), len(held.codes))
		}
	}
}

// TestUnits: a code step is 1 for integers, else the mean square of the scales, and never nothing.
func TestUnits(t *testing.T) {
	for _, c := range []struct {
		d     tensor.DType
		scale []float32
		want  float64
	}{{tensor.F32, []float32{3}, 9}, {tensor.F32, []float32{1, 2, 4, 0}, 21.0 / 4}, {tensor.U8, []float32{3}, 1}, {tensor.I8, nil, 1}, {tensor.F32, []float32{0}, 1e-300}} {
		p := prepared{info: tensor.Info{DType: c.d}, n: 5, params: tensor.Params{Scale: c.scale}}
		if g := p.goal(7); math.Abs(g.unit-c.want) > 1e-12*c.want || g.overhead != 7 || g.values != 5 {
			t.Errorf("%v, scales %v: %+v, want a unit of %g", c.d, c.scale, g, c.want)
		}
	}
	for n, want := range map[int]tensor.DType{1: tensor.F32, 2: tensor.BF16, 9: tensor.BF16} {
		v := make([]float32, n)
		v[n-1] = 0.5
		for _, low := range []bool{false, true} {
			q := tensor.Params{Scale: v}
			if low {
				q.Low = v
			}
			parts := scaleParts(q, "s", "l")
			if len(parts) != 1+int(b2i(low)) {
				t.Fatalf("%d parts", len(parts))
			}
			for k, p := range parts {
				back, err := tensor.Decode(nil, p.dtype, p.data)
				if err != nil || p.dtype != want || !slices.Equal(back, v) || p.suffix != "sl"[k:k+1] || len(p.shape) != 1 || p.shape[0] != n {
					t.Errorf("%d scales: %v %v, %v", n, p.dtype, p.shape, err)
				}
			}
		}
	}
}

// TestMissedTargets: a tensor says that it misses its target where what is stored in the end is more than 1 % off, and with a residual
// where one of the streams does.
func TestMissedTargets(t *testing.T) {
	info := tensor.Info{Name: "x", DType: tensor.F32, Shape: []int{64, 64}}
	x := make([]float32, 64*64)
	rng := rand.New(rand.NewPCG(42, 3))
	for i := range x {
		x[i] = float32(rng.NormFloat64())
	}
	data, _ := tensor.Encode(nil, tensor.F32, x)
	for _, c := range []struct {
		target   Target
		residual *Target
		missed   bool
		notes    []string
	}{
		{Target{TargetBits, 4}, nil, false, nil},
		{Target{TargetBits, 15}, nil, true, []string{"15 cannot be reached"}},
		{Target{TargetMSE, 0.001}, nil, false, nil},
		{Target{TargetMSE, 1e-12}, nil, true, []string{"cannot be reached"}},
		{Target{TargetQP, 30}, nil, false, nil},
		{Target{TargetQP, 30}, &Target{TargetQP, 20}, false, nil},
		{Target{TargetBits, 15}, &Target{TargetQP, 20}, true, []string{"15 cannot be reached"}},
		{Target{TargetBits, 4}, &Target{TargetMSE, 1e-12}, true, []string{" residual: MSE 1e-12 cannot be reached"}},
		{Target{TargetBits, 15}, &Target{TargetMSE, 1e-12}, true, []string{"15 cannot be reached", " residual: MSE 1e-12 cannot be reached"}},
		{Target{TargetBits, 4}, &Target{TargetBits, 2}, false, nil},
	} {
		o := standinTensors(c.target)
		o.Residual = c.residual
		p, err := prepare(info, 0, values{info, Single{info, data}}, o, true)
		if err != nil {
			t.Fatal(err)
		}
		e, err := encodeTensor(p, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		ok := e.result.Missed == c.missed && (e.result.Note == "") == (c.notes == nil)
		for _, note := range c.notes {
			ok = ok && strings.Contains(e.result.Note, note)
		}
		if !ok {
			t.Errorf("%v, residual %v: missed %v, %q", c.target, c.residual, e.result.Missed, e.result.Note)
		}
		if c.target.Kind == TargetBits && c.residual == nil && !c.missed && math.Abs(e.result.BitsPerValue()-c.target.Value) > 0.01*c.target.Value {
			t.Errorf("%v: %g bits a value", c.target, e.result.BitsPerValue())
		}
	}
	// The share of the header of the file counts: with it the target is out of reach, without it not.
	o := standinTensors(Target{TargetBits, 4})
	p, err := prepare(info, 0, values{info, Single{info, data}}, o, true)
	if err != nil {
		t.Fatal(err)
	}
	for shared, want := range map[int]string{0: "", 500: "", 1500: "", 3000: "4 cannot be reached"} {
		e, err := encodeTensor(p, shared, nil)
		if err != nil {
			t.Fatal(err)
		}
		if e.result.Missed != (want != "") || want != "" && !strings.Contains(e.result.Note, "bits a value 4 ") {
			t.Errorf("%d bytes of the file: missed %v, %q", shared, e.result.Missed, e.result.Note)
		}
		if got := 8 * float64(e.result.Bytes+shared) / 4096; want == "" && math.Abs(got-4) > 0.04 {
			t.Errorf("%d bytes of the file: %g bits a value with them", shared, got)
		}
	}
}

// TestFarEnds: a value on the very limit is inside, deviations count from the mean, and none is no limit.
func TestFarEnds(t *testing.T) {
	for _, c := range []struct {
		x    []float32
		k    float64
		want []uint32
	}{
		{[]float32{-1, 1}, 1, nil}, {[]float32{999, 1001}, 1, nil}, {[]float32{1, 2, 3}, 0, nil}, {[]float32{5}, 0, nil},
		{[]float32{1000, 1001, 1000, 1001, 1000, 1001, 1000, 1001, 1004}, 2.5, []uint32{8}}, {[]float32{-1000, -1001, -1000, -1001, -1000, -1001, -1000, -1001, -1004}, 2.5, []uint32{8}},
		{[]float32{7, 7, 7}, 1, nil},
	} {
		if o := findOutliers(c.x, c.k); !slices.Equal(o.index, c.want) {
			t.Errorf("%v, %g deviations: %d, want %d", c.x, c.k, o.index, c.want)
		}
	}
}

// TestGridLimits: a side of a plane or frame is one at least, and of a frame 65 536 at most; so is a fold.
func TestGridLimits(t *testing.T) {
	for _, c := range []struct {
		g  Grid
		ok bool
	}{
		{Grid{1, 1, 1, 1}, true}, {Grid{0, 1, 1, 1}, false}, {Grid{1, 0, 1, 1}, false}, {Grid{1, 1, 0, 1}, false}, {Grid{1, 1, 1, 0}, false}, {Grid{1 << 20, 1 << 20, 1 << 16, 1 << 16}, true},
		{Grid{9, 9, 1<<16 + 1, 1}, false}, {Grid{9, 9, 1, 1<<16 + 1}, false}, {Grid{-1, 1, 1, 1}, false}, {Grid{1, -1, 1, 1}, false},
	} {
		if err := c.g.check(); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c.g, err)
		}
	}
	for s, want := range map[string]Fold{"1": 1, "65536": 65536, "65537": -2, "0": -2, "-1": -2, "auto": FoldAuto, "none": FoldNone, "x": -2} {
		if got, err := ParseFold(s); (err != nil) != (want == -2) || err == nil && got != want {
			t.Errorf("fold %s: %d, %v", s, got, err)
		}
	}
	if rows, cols := FoldNone.shape(nil, 5, nil, false); rows != 1 || cols != 5 {
		t.Errorf("a tensor without dimensions: %dx%d", rows, cols)
	}
	for name, c := range codecs {
		if c.MaxQP() != 51 || c.Name() != name {
			t.Errorf("%s: named %s, QP up to %d", name, c.Name(), c.MaxQP())
		}
	}
}

// TestOnePicture: a stream of a single picture is a plane of one frame, and a second picture of another size is named.
func TestOnePicture(t *testing.T) {
	plane := noise(24, 16, 20)
	g, _ := NewGrid(24, 16, 24, 16)
	c, err := EncodePlane(plane, g, standinOptions(Target{TargetQP, 8}))
	if err != nil {
		t.Fatal(err)
	}
	got, grid, err := DecodeGrid(standin{}, c.Stream, 24, 16, 1)
	if err != nil || grid != g || !bytes.Equal(got, c.Recon) {
		t.Errorf("%+v, %v", grid, err)
	}
	var parts [][]byte
	for _, size := range [][2]int{{24, 16}, {24, 8}, {20, 16}} {
		c, err := EncodePlane(plane[:size[0]*size[1]], Grid{size[0], size[1], size[0], size[1]}, standinOptions(Target{TargetQP, 8}))
		if err != nil {
			t.Fatal(err)
		}
		p, _ := standin{}.SplitFrames(c.Stream)
		parts = append(parts, p[0])
	}
	for k, want := range map[int]string{1: "frame 1: unsupported stream: picture of 24x8 after one of 24x16", 2: "frame 1: unsupported stream: picture of 20x16 after one of 24x16"} {
		if _, err := decodeAll(mixedSizes{parts: [][]byte{parts[0], parts[k]}}, nil, 1); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestSmallBudget: a budget of less than a bit a value is one, and the target of the options is not looked at with it.
func TestSmallBudget(t *testing.T) {
	src := large(128)
	for _, budget := range []float64{0.9, 3} {
		e, b := pack(t, src, Selection{}, standinTensors(Target{TargetBits, -7}), budget)
		if got := 8 * float64(len(b)) / float64(e.Values); math.Abs(got-budget) > 0.02*budget || e.Note != "" {
			t.Errorf("budget %g: %g bits a value, %q", budget, got, e.Note)
		}
	}
}

// TestProgressOfCodecs: each codec tells of all values of a plane as it codes them, counts bins, and decodes a stream of one picture as a
// plane.
func TestProgressOfCodecs(t *testing.T) {
	plane := noise(80, 64, 20)
	for _, name := range []string{"t264", "t265", "standin"} {
		codec, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, frames := range []int{1, 4} {
			g, err := NewGrid(80, 64, 80, 64/frames)
			if err != nil {
				t.Fatal(err)
			}
			values := 0
			o := Options{Codec: codec, Tier: "hw", Target: Target{TargetQP, 28}, Workers: 1, Progress: func(n int) { values += n }}
			c, err := EncodePlane(plane, g, o)
			if err != nil {
				t.Fatal(err)
			}
			if values != len(plane) {
				t.Errorf("%s, %d frames: progress of %d values, want %d", name, frames, values, len(plane))
			}
			if name == "standin" && c.Bins.Regular != int64(80*frames) || c.Bins.Regular < int64(frames) {
				t.Errorf("%s, %d frames: %d bins", name, frames, c.Bins.Regular)
			}
			w, h, got, err := DecodeStream(codec, c.Stream, 0)
			if err != nil || w != 80 || h != 64 || !bytes.Equal(got, c.Recon) {
				t.Errorf("%s, %d frames: decodes to %dx%d, %d samples, %v", name, frames, w, h, len(got), err)
			}
		}
	}
	if err := (&Container{}).DecodeAll(2, func(StoredTensor, []byte) error { return errFaulty }); err != nil {
		t.Errorf("a container without tensors: %v", err)
	}
}

// TestFoldOfPart: a tensor that is not held is folded as one that is, by a part from the middle of its values.
func TestFoldOfPart(t *testing.T) {
	rng := rand.New(rand.NewPCG(42, 4))
	for _, n := range []int{tensor.PeriodSample, tensor.PeriodSample + 5000, 3 * tensor.PeriodSample} {
		x := make([]byte, n)
		for i := range x {
			x[i] = byte(rng.IntN(20) + i%100*7919%101)
			if at := i - max(0, n-tensor.PeriodSample)/2; at < 0 || at >= tensor.PeriodSample {
				x[i] = byte(rng.IntN(20) + i%70*7919%101) // another period at both ends
			}
		}
		info := tensor.Info{Name: "x", DType: tensor.U8, Shape: []int{n}}
		o := standinTensors(Target{TargetQP, 9})
		p, err := prepare(info, 0, values{info, Single{info, x}}, o, false)
		if err != nil || p.cols != 100 || p.rows != (n+99)/100 {
			t.Fatalf("%d values: %dx%d, %v", n, p.rows, p.cols, err)
		}
	}
}

// TestShareOfHeader: where the rate of a tensor is that of its target, but for its share of the header of the file, the note says so.
func TestShareOfHeader(t *testing.T) {
	info := tensor.Info{Name: "x", DType: tensor.U8, Shape: []int{64, 64}}
	o := standinTensors(Target{})
	o.Codec, o.Integers = newRuled(func(QP) int { return 1500 }, nil), true
	for _, shared := range []int{0, 10, 100} {
		p, err := prepare(info, 0, values{info, Single{info, bytes.Repeat([]byte{100}, 4096)}}, o, true)
		if err != nil {
			t.Fatal(err)
		}
		own := 8 * float64(p.draft().size()+1500) / 4096
		p.opt.Target = Target{TargetBits, own}
		e, err := encodeTensor(p, shared, nil)
		if err != nil {
			t.Fatal(err)
		}
		if missed := shared == 100; e.result.Missed != missed || missed != strings.Contains(e.result.Note, "and its share of the file's header") {
			t.Errorf("%d bytes of the file: missed %v, %q", shared, e.result.Missed, e.result.Note)
		}
	}
	for _, target := range []Target{{TargetBits, 100}, {TargetMSE, 100}} {
		if note := target.missed(1.01*target.Value, 5, 9); note != "" {
			t.Errorf("one per cent off: %s", note)
		}
	}
	if n, err := (values{tensor.Info{Shape: []int{-1}}, Single{}}).WriteTo(&bytes.Buffer{}); n != 0 || err == nil {
		t.Errorf("a negative dimension: %d bytes, %v", n, err)
	}
}

// TestResidualRate: the rate of a residual is that of its stream and of its scales.
func TestResidualRate(t *testing.T) {
	const rows, cols = 96, 64
	rng := rand.New(rand.NewPCG(42, 5))
	x := make([]float32, rows*cols)
	for i := range x {
		x[i] = float32(rng.NormFloat64() * float64(1+i/cols%7))
	}
	data, _ := tensor.Encode(nil, tensor.F32, x)
	info := tensor.Info{Name: "x", DType: tensor.F32, Shape: []int{rows, cols}}
	for _, bits := range []float64{2, 3.5} {
		o := standinTensors(Target{TargetQP, 36})
		o.Quant.Scheme, o.Residual = tensor.PerRow, &Target{TargetBits, bits}
		p, err := prepare(info, 0, values{info, Single{info, data}}, o, true)
		if err != nil {
			t.Fatal(err)
		}
		e, err := encodeTensor(p, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		stream, scales := 0, 0
		for _, part := range e.parts {
			switch part.suffix {
			case suffixResidual:
				stream = len(part.data)
			case suffixResidualScale:
				scales = len(part.data)
			}
		}
		if got := 8 * float64(stream+scales) / (rows * cols); math.Abs(got-bits) > 0.01*bits || scales != 2*rows || e.result.Note != "" {
			t.Errorf("%g bits a value: %d bytes and %d of scales are %g, %q", bits, stream, scales, got, e.result.Note)
		}
	}
	// A matrix for experiments leaves out a last row of one value, too.
	m, err := NewMatrix(tensor.Info{Name: "x", DType: tensor.F32, Shape: []int{64*90 + 1}}, data[:4*(64*90+1)], standinTensors(Target{}))
	if err != nil || m.Rows != 90 || m.Cols != 64 || len(m.Values) != 90*64 {
		t.Errorf("a value more than the rows hold: %v", err)
	}
}
