package tensor

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
)

func gaussian(n int, seed uint64) []float32 {
	rng := rand.New(rand.NewPCG(seed, 0))
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(rng.NormFloat64())
	}
	return x
}

func TestParseScheme(t *testing.T) {
	for _, s := range []string{"tensor", "channel", "row", "group1", "group128", "group1048576"} {
		if got, err := ParseScheme(s); err != nil || got.String() != s {
			t.Errorf("ParseScheme(%q) = %v, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "group", "group0", "group-1", "group1048577", "group9999999", "columns"} {
		if got, err := ParseScheme(s); err == nil {
			t.Errorf("ParseScheme(%q) = %v", s, got)
		}
	}
}

func TestScales(t *testing.T) {
	for _, c := range []struct {
		s    Scheme
		want int
	}{{PerTensor, 1}, {PerChannel, 10}, {PerRow, 3}, {PerGroup(4), 9}, {PerGroup(10), 3}, {PerGroup(99), 3}, {PerGroup(1), 30}} {
		if got := c.s.Scales(3, 10); got != c.want {
			t.Errorf("%v: %d scales, want %d", c.s, got, c.want)
		}
	}
}

// scaleOf is the definition of which scale value (r, c) uses.
func scaleOf(s Scheme, r, c, cols int) int {
	switch s.kind {
	case perChannel:
		return c
	case perRow:
		return r
	case perGroup:
		return r*((cols+s.group-1)/s.group) + c/s.group
	}
	return 0
}

func TestQuantDefinition(t *testing.T) {
	const rows, cols = 7, 37
	x := gaussian(rows*cols, 3)
	for i := range x {
		x[i] *= float32(math.Exp2(float64(i%cols) - 20))
		x[i] += float32(i%5) * 0.01
	}
	for _, s := range []Scheme{PerTensor, PerChannel, PerRow, PerGroup(8), PerGroup(37), PerGroup(1), PerGroup(1000)} {
		for _, asym := range []bool{false, true} {
			q := Quant{Scheme: s, Asym: asym}
			p := q.Fit(x, rows, cols)
			if got, want := len(p.Scale), s.Scales(rows, cols); got != want {
				t.Fatalf("%v: %d scales, want %d", s, got, want)
			}
			codes := make([]uint8, len(x))
			q.Quantize(codes, x, rows, cols, p)
			y := make([]float32, len(x))
			q.Dequantize(y, codes, rows, cols, p)
			for r := range rows {
				for c := range cols {
					i, k := r*cols+c, scaleOf(s, r, c, cols)
					d, v := float64(p.Scale[k]), float64(x[i])
					var want, value float64
					if asym {
						want = (v - float64(p.Low[k])) / d
						value = d*float64(codes[i]) + float64(p.Low[k])
					} else {
						want = v/d + 128
						value = d * (float64(codes[i]) - 128)
						if codes[i] == 0 {
							t.Fatalf("%v: value %d: code 0", s, i)
						}
					}
					if d == 0 {
						continue
					}
					if math.Abs(float64(codes[i])-want) > 0.5001 || want > 255.001 || want < -0.001 {
						t.Errorf("%v asym %v: value %d: code %d, want about %g", s, asym, i, codes[i], want)
					}
					if y[i] != float32(value) {
						t.Errorf("%v asym %v: value %d: %g, want %g", s, asym, i, y[i], value)
					}
				}
			}
		}
	}
}

// The scale of the largest value must be tight: no code range is wasted beyond the rounding of the scale.
func TestQuantTight(t *testing.T) {
	x := gaussian(1000, 5)
	for _, c := range []struct {
		q     Quant
		slack float64
	}{{Quant{}, 1e-6}, {Quant{Scheme: PerGroup(100)}, 1.0 / 128}, {Quant{Asym: true}, 1e-6}} {
		p := c.q.Fit(x, 1, len(x))
		lo, hi := float64(x[0]), float64(x[0])
		for _, v := range x[:len(x)/len(p.Scale)] {
			lo, hi = min(lo, float64(v)), max(hi, float64(v))
		}
		want := max(hi, -lo) / 127
		if c.q.Asym {
			want = (hi - lo) / 255
		}
		if got := float64(p.Scale[0]); got < want || got > want*(1+c.slack) {
			t.Errorf("%+v: scale %g, want %g", c.q, got, want)
		}
	}
}

func TestQuantExtremes(t *testing.T) {
	const big = math.MaxFloat32
	for i, x := range [][]float32{
		{0, 0, 0}, {5}, {-3, -3}, {big, -big}, {big, big}, {math.SmallestNonzeroFloat32, 0}, {1e-40, -1e-40}, {1e-44, 3e38},
	} {
		for _, s := range []Scheme{PerTensor, PerChannel, PerGroup(1)} {
			for _, asym := range []bool{false, true} {
				q := Quant{Scheme: s, Asym: asym}
				p := q.Fit(x, 1, len(x))
				codes := make([]uint8, len(x))
				q.Quantize(codes, x, 1, len(x), p)
				y := make([]float32, len(x))
				q.Dequantize(y, codes, 1, len(x), p)
				if err := CheckFinite(y); err != nil {
					t.Errorf("case %d %v asym %v: %v", i, s, asym, err)
				}
				for k := range x {
					tol := 0.51*float64(p.Scale[min(k, len(p.Scale)-1)]) + 1e-6*math.Abs(float64(x[k])) + 1e-45
					if s != PerTensor {
						tol += 0.01 * math.Abs(float64(x[k])) // a clamped bfloat16 scale
					}
					if e := math.Abs(float64(x[k]) - float64(y[k])); e > tol {
						t.Errorf("case %d %v asym %v: value %d: %g became %g", i, s, asym, k, x[k], y[k])
					}
				}
			}
		}
	}
}

// TestQuantZeroScale: values without a range have the code of zero.
func TestQuantZeroScale(t *testing.T) {
	for _, c := range []struct {
		x    []float32
		asym bool
		want uint8
	}{{[]float32{0, 0}, false, 128}, {[]float32{0, 0}, true, 0}, {[]float32{7, 7}, true, 0}} {
		q := Quant{Asym: c.asym}
		codes := []uint8{9, 9}
		q.Quantize(codes, c.x, 1, 2, q.Fit(c.x, 1, 2))
		if codes[0] != c.want || codes[1] != c.want {
			t.Errorf("%v, asym %v: codes %d, want %d", c.x, c.asym, codes, c.want)
		}
	}
}

func TestQuantClip(t *testing.T) {
	x := gaussian(4096, 9)
	x[17] = 1000
	plain, clipped := Quant{}, Quant{Clip: 0.25}
	if a, b := plain.Fit(x, 64, 64), clipped.Fit(x, 64, 64); b.Scale[0] > a.Scale[0]/50 {
		t.Errorf("scale %g, clipped %g", a.Scale[0], b.Scale[0])
	}
	p := clipped.Fit(x, 64, 64)
	codes := make([]uint8, len(x))
	clipped.Quantize(codes, x, 64, 64, p)
	if codes[17] != 255 {
		t.Errorf("outlier has code %d", codes[17])
	}
}

func TestRTN(t *testing.T) {
	x := []float32{-4, -1.1, 0.9, 3.9, 0, 0, 0, 0}
	got, rate := RTN(x, 2, 4, 2, PerTensor) // D = 4/2: levels -4, -2, 0, 2
	want := []float32{-4, -2, 0, 2, 0, 0, 0, 0}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("value %d: got %g, want %g", i, got[i], want[i])
		}
	}
	if rate != 2 {
		t.Errorf("rate %g", rate)
	}
	if _, rate = RTN(x, 2, 4, 2, PerGroup(4)); rate != 2+16/4.0 {
		t.Errorf("grouped rate %g", rate)
	}
}

// TestRTNDefinition: every value of every group by equation 1 of VcLLM, with groups of zeros and groups whose step is 1.
func TestRTNDefinition(t *testing.T) {
	const rows, cols = 5, 23
	x := gaussian(rows*cols, 7)
	for i := range x {
		switch r, c := i/cols, i%cols; {
		case r == 1 || c == 4:
			x[i] = 0
		case r == 2:
			x[i] = float32(4 - i%9) // peak 4
		}
	}
	for _, bits := range []int{2, 3, 8} {
		for _, s := range []Scheme{PerTensor, PerChannel, PerRow, PerGroup(6), PerGroup(23), PerGroup(1)} {
			peak := map[int]float64{}
			for i, v := range x {
				k := scaleOf(s, i/cols, i%cols, cols)
				peak[k] = max(peak[k], math.Abs(float64(v)))
			}
			got, rate := RTN(x, rows, cols, bits, s)
			for i, v := range x {
				want := float32(0)
				levels := float64(int(1) << (bits - 1))
				if d := peak[scaleOf(s, i/cols, i%cols, cols)] / levels; d > 0 {
					want = float32(d * min(levels-1, math.RoundToEven(float64(v)/d)))
				}
				if got[i] != want {
					t.Fatalf("%d bits, %v: value %d: %g became %g, want %g", bits, s, i, v, got[i], want)
				}
			}
			want := float64(bits)
			if n := len(peak); n > 1 {
				want += 16 * float64(n) / (rows * cols)
			}
			if rate != want {
				t.Errorf("%d bits, %v: %g bits a value, want %g", bits, s, rate, want)
			}
		}
	}
}

// TestScaleWidths: one scale is a float32, two and more are bfloat16; both cover the range, and by no more than their last place.
func TestScaleWidths(t *testing.T) {
	for rows := 1; rows <= 3; rows++ {
		x := gaussian(rows*50, uint64(rows))
		for _, q := range []Quant{{Scheme: PerRow}, {Scheme: PerRow, Asym: true}} {
			p := q.Fit(x, rows, 50)
			for r := range rows {
				row := x[r*50 : (r+1)*50]
				lo, hi := float64(slices.Min(row)), float64(slices.Max(row))
				step := max(hi, -lo) / 127
				if q.Asym {
					low := float64(p.Low[r])
					if low > lo || rows == 1 && low != lo || low < lo-math.Abs(lo)/128 {
						t.Errorf("%d rows: low %g of %g", rows, low, lo)
					}
					step = (hi - low) / 255
				}
				d := p.Scale[r]
				if rows > 1 && BF16ToFloat32(Float32ToBF16(d)) != d {
					t.Errorf("%d rows, asym %v: scale %g is no bfloat16", rows, q.Asym, d)
				}
				before := math.Nextafter32(d, 0)
				if rows > 1 {
					before = BF16Down(before)
				}
				if float64(d) < step || float64(before) >= step {
					t.Errorf("%d rows, asym %v: scale %g for a step of %g", rows, q.Asym, d, step)
				}
			}
		}
	}
}

// TestClipDefinition: clipped ranges are Clip standard deviations around the mean, or around zero, within those of the values.
func TestClipDefinition(t *testing.T) {
	for _, shift := range []float64{0, 3} {
		x := gaussian(4096, 33)
		for i := range x {
			x[i] += float32(shift)
		}
		var sum, sum2, lo, hi float64
		for _, v := range x {
			sum, sum2 = sum+float64(v), sum2+float64(v)*float64(v)
			lo, hi = min(lo, float64(v)), max(hi, float64(v))
		}
		mean := sum / 4096
		for _, clip := range []float64{0.5, 1, 1.75, 3, 100} {
			p := Quant{Clip: clip}.Fit(x, 64, 64)
			limit := clip * math.Sqrt(sum2/4096)
			if want := max(min(hi, limit), min(-lo, limit)) / 127; math.Abs(float64(p.Scale[0])/want-1) > 1e-6 {
				t.Errorf("clip %g at %g: scale %g, want %g", clip, shift, p.Scale[0], want)
			}
			p = Quant{Clip: clip, Asym: true}.Fit(x, 64, 64)
			dev := clip * math.Sqrt(sum2/4096-mean*mean)
			low := max(lo, mean-dev)
			if want := (min(hi, mean+dev) - low) / 255; math.Abs(float64(p.Scale[0])/want-1) > 1e-6 || math.Abs(float64(p.Low[0])-low) > 1e-6 {
				t.Errorf("clip %g at %g: scale %g from %g, want %g from %g", clip, shift, p.Scale[0], p.Low[0], want, low)
			}
		}
	}
}

// TestWindows: what a window of a matrix makes is that part of what the whole matrix makes, and the squared error is that of
// its values.
func TestWindows(t *testing.T) {
	const rows, cols = 9, 22
	x := gaussian(rows*cols, 37)
	for _, s := range []Scheme{PerTensor, PerChannel, PerRow, PerGroup(5), PerGroup(1), PerGroup(40)} {
		for _, asym := range []bool{false, true} {
			q := Quant{Scheme: s, Asym: asym}
			p := q.Fit(x, rows, cols)
			codes, y := make([]uint8, len(x)), make([]float32, len(x))
			q.Quantize(codes, x, rows, cols, p)
			q.Dequantize(y, codes, rows, cols, p)
			for _, w := range []Window{{X: 0, Y: 0, W: 22, H: 9}, {X: 3, Y: 2, W: 13, H: 6}, {X: 21, Y: 8, W: 1, H: 1}, {X: 5, Y: 0, W: 5, H: 9}, {X: 4, Y: 7, W: 18, H: 2}} {
				w.Cols, w.Stride = cols, cols+3
				part, partCodes := make([]float32, w.H*w.Stride), make([]uint8, w.H*w.Stride)
				for i := range w.H {
					copy(part[i*w.Stride:], x[(w.Y+i)*cols+w.X:][:w.W])
				}
				q.QuantizeWindow(partCodes, part, w, p)
				restored := make([]float32, len(part))
				q.DequantizeWindow(restored, partCodes, w, p)
				want := 0.0
				for i := range w.H {
					for j := range w.W {
						at := (w.Y+i)*cols + w.X + j
						if c := partCodes[i*w.Stride+j]; c != codes[at] || restored[i*w.Stride+j] != y[at] {
							t.Fatalf("%v asym %v %+v: value %d,%d: code %d, want %d", s, asym, w, i, j, c, codes[at])
						}
						k := scaleOf(s, w.Y+i, w.X+j, cols)
						value := float64(p.Scale[k]) * (float64(codes[at]) - 128)
						if asym {
							value = float64(p.Scale[k])*float64(codes[at]) + float64(p.Low[k])
						}
						want += (float64(x[at]) - value) * (float64(x[at]) - value)
					}
				}
				if got := q.SquaredError(part, partCodes, w, p); math.Abs(got-want) > 1e-9*want {
					t.Errorf("%v asym %v %+v: squared error %g, want %g", s, asym, w, got, want)
				}
			}
		}
	}
}

func TestHadamard(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {1, 2}, {3, 1}, {8, 8}, {5, 7}, {33, 96}, {16, 688}, {100, 3}, {24, 20}, {9, 33}} {
		rows, cols := size[0], size[1]
		for _, h := range []Hadamard{{Rows: true, Seed: 1}, {Cols: true, Seed: 2}, {Rows: true, Cols: true, Seed: 3}} {
			x := gaussian(rows*cols, 11)
			y := append([]float32(nil), x...)
			h.Forward(y, rows, cols)
			var ex, ey float64
			same := true
			for i := range x {
				ex += float64(x[i]) * float64(x[i])
				ey += float64(y[i]) * float64(y[i])
				same = same && x[i] == y[i]
			}
			if math.Abs(ex-ey) > 1e-5*ex {
				t.Errorf("%dx%d %+v: energy %g became %g", rows, cols, h, ex, ey)
			}
			if mixed := h.Rows && cols > 1 || h.Cols && rows > 1; same == mixed {
				t.Errorf("%dx%d %+v: unchanged = %v", rows, cols, h, same)
			}
			h.Inverse(y, rows, cols)
			for i := range x {
				if math.Abs(float64(x[i]-y[i])) > 4e-7*math.Max(1, math.Abs(float64(x[i]))) {
					t.Fatalf("%dx%d %+v: value %d: %g came back as %g", rows, cols, h, i, x[i], y[i])
				}
			}
		}
	}
}

// TestSplitmix compares the generator of the signs with what Vigna's splitmix64.c prints for two seeds, and the signs with the
// top bits. Files hold only the seed: other signs would restore other values.
func TestSplitmix(t *testing.T) {
	for seed, want := range map[uint64][]uint64{
		0:       {0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f, 0xf88bb8a8724c81ec, 0x1b39896a51a8749b},
		1234567: {6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821},
	} {
		words, signs := splitmix{seed}, splitmix{seed}
		for i, w := range want {
			if got := words.word(); got != w {
				t.Errorf("seed %d, word %d: got %#x, want %#x", seed, i, got, w)
			}
			sign := 1.0
			if int64(w) < 0 {
				sign = -1
			}
			if got := signs.sign(); got != sign {
				t.Errorf("seed %d, sign %d: got %g, want %g", seed, i, got, sign)
			}
		}
	}
}

// TestHadamardOverlap rotates lengths that are no powers of two by the definition: the first P values, then the last P, each
// with signs of its own that begin where the documented stream of the pass says.
func TestHadamardOverlap(t *testing.T) {
	for _, c := range []struct{ n, stream int }{{2, 0}, {3, 0}, {5, 2}, {12, 0}, {17, 2}, {31, 0}} {
		p := 1
		for 2*p <= c.n {
			p *= 2
		}
		x := gaussian(c.n, uint64(c.n))
		want := make([]float64, c.n)
		for i, v := range x {
			want[i] = float64(v)
		}
		pass := func(at, k int) {
			g := splitmix{41 + uint64(c.stream+k)*0xd1342543de82ef95}
			in := make([]float64, p)
			for i := range in {
				in[i] = g.sign() * want[at+i]
			}
			for i := range p {
				sum := 0.0
				for j, v := range in {
					if bits.OnesCount(uint(i&j))%2 == 1 {
						v = -v
					}
					sum += v
				}
				want[at+i] = float64(float32(sum / math.Sqrt(float64(p))))
			}
		}
		pass(0, 0)
		if p < c.n {
			pass(c.n-p, 1)
		}
		h := Hadamard{Rows: true, Seed: 41}
		rows, cols := 1, c.n
		if c.stream == 2 {
			h, rows, cols = Hadamard{Cols: true, Seed: 41}, c.n, 1
		}
		h.Forward(x, rows, cols)
		for i := range x {
			if math.Abs(want[i]-float64(x[i])) > 2e-6 {
				t.Errorf("%d values, stream %d: output %d is %g, want %g", c.n, c.stream, i, x[i], want[i])
			}
		}
	}
}

// The butterflies against the definition: entry (i, j) of the Hadamard matrix is (-1)^popcount(i & j).
func TestHadamardDefinition(t *testing.T) {
	const n = 16
	h := Hadamard{Rows: true, Seed: 7}
	g := splitmix{h.Seed}
	var sign [n]float64
	for i := range sign {
		sign[i] = g.sign()
	}
	x := gaussian(n, 13)
	y := append([]float32(nil), x...)
	h.Forward(y, 1, n)
	for i := range n {
		want := 0.0
		for j := range n {
			s := sign[j]
			for b := i & j; b != 0; b &= b - 1 {
				s = -s
			}
			want += s * float64(x[j]) / 4
		}
		if math.Abs(want-float64(y[i])) > 1e-6 {
			t.Errorf("output %d: got %g, want %g", i, y[i], want)
		}
	}
	// A column rotation is a row rotation of the transpose, with other signs.
	const rows, cols = 24, 20
	m := gaussian(rows*cols, 17)
	tr := make([]float32, len(m))
	for i := range m {
		tr[i%cols*rows+i/cols] = m[i]
	}
	Hadamard{Cols: true, Seed: 9}.Forward(m, rows, cols)
	for c := range cols {
		Hadamard{Seed: 9}.lanes(tr[c*rows:], rows, 1, 1, 2, false)
	}
	for i := range m {
		if m[i] != tr[i%cols*rows+i/cols] {
			t.Fatalf("value %d: %g, transposed %g", i, m[i], tr[i%cols*rows+i/cols])
		}
	}
}

func TestHadamardSpreadsOutliers(t *testing.T) {
	const rows, cols = 64, 96
	x := gaussian(rows*cols, 19)
	x[5*cols+90] = 1000
	x[63*cols+95] = -1000
	Hadamard{Rows: true, Cols: true, Seed: 1}.Forward(x, rows, cols)
	for i, v := range x {
		if math.Abs(float64(v)) > 200 {
			t.Errorf("value %d is still %g", i, v)
		}
	}
}

func TestMeans(t *testing.T) {
	const rows, cols = 9, 5
	x := gaussian(rows*cols, 23)
	for i := range x {
		x[i] += float32(100 * (i % cols))
	}
	y := append([]float32(nil), x...)
	mean := RemoveMeans(y, rows, cols)
	for c := range cols {
		if want := float64(100 * c); math.Abs(float64(mean[c])-want) > 3 {
			t.Errorf("column %d: mean %g, want about %g", c, mean[c], want)
		}
		if BF16ToFloat32(Float32ToBF16(mean[c])) != mean[c] {
			t.Errorf("column %d: mean %g is not a bfloat16", c, mean[c])
		}
	}
	AddMeans(y, rows, cols, mean)
	for i := range x {
		if math.Abs(float64(x[i]-y[i])) > 1e-4 {
			t.Errorf("value %d: %g came back as %g", i, x[i], y[i])
		}
	}
}

// TestCompareChunks compares tensors of several chunks, the last one short, with plain sums.
func TestCompareChunks(t *testing.T) {
	const n = 2*chunk + 77
	rng := rand.New(rand.NewPCG(61, 62))
	u, v := make([]uint8, n), make([]uint8, n)
	x, y := make([]float32, n), make([]float32, n)
	sum, worst := 0, 0
	for i := range u {
		u[i] = uint8(100 + rng.IntN(20))
		v[i] = uint8(100 + rng.IntN(20))
	}
	u[3], u[n-1], v[n-1] = 50, 200, 255
	for i := range u {
		x[i], y[i] = float32(u[i]), float32(v[i])
		e := int(u[i]) - int(v[i])
		sum += e * e
		worst = max(worst, e, -e)
	}
	codes, floats := CompareCodes(u, v), Compare(x, y)
	for _, d := range []Distortion{codes, floats} {
		if d.N != n || d.MSE != float64(sum)/n || d.Max != float64(worst) || d.Cosine != codes.Cosine || d.NMSEDB != codes.NMSEDB {
			t.Errorf("got %+v, want MSE %g, max %d", d, float64(sum)/n, worst)
		}
	}
	var sx, sxx, syy, sxy float64
	for i := range u {
		a, b := float64(u[i]), float64(v[i])
		sx, sxx, syy, sxy = sx+a, sxx+a*a, syy+b*b, sxy+a*b
	}
	variance := sxx/n - sx/n*(sx/n)
	if want := sxy / math.Sqrt(sxx*syy); math.Abs(codes.Cosine-want) > 1e-12 {
		t.Errorf("cosine %.15g, want %.15g", codes.Cosine, want)
	}
	if want := 10 * math.Log10(codes.MSE/variance); math.Abs(codes.NMSEDB-want) > 1e-9 {
		t.Errorf("NMSE %g, want %g", codes.NMSEDB, want)
	}
	if want := 10 * math.Log10(150*150/codes.MSE); floats.PSNRDB != want {
		t.Errorf("PSNR %g, want %g", floats.PSNRDB, want)
	}
}

// TestComparer: values that come in pieces, of whatever lengths, measure as they do at once.
func TestComparer(t *testing.T) {
	for _, n := range []int{0, 1, 5, chunk - 1, chunk, chunk + 1, 2 * chunk, 3*chunk + 11} {
		x, y := gaussian(n, 71), gaussian(n, 72)
		for i := range x {
			x[i] += 2 // a mean, so that the variance is not the mean square
			y[i] = x[i] + y[i]/16
		}
		if n > 5 {
			x[n-1], x[n/2], y[3] = 40, -30, 100
		}
		want := Compare(x, y)
		for _, piece := range []int{1 << 20, chunk, 1000, 65537, 7777} {
			var c Comparer
			for at := 0; at < n; at += piece {
				end := min(n, at+piece)
				c.Add(x[at:end], y[at:end])
			}
			if got := c.Distortion(); got != want {
				t.Errorf("%d values, %d at a time: got %+v, want %+v", n, piece, got, want)
			}
		}
	}
}

// TestSumChunksWaits: the sum holds the part of a chunk that is late, whoever works on it.
func TestSumChunksWaits(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	for round := range 6 {
		var inside sync.WaitGroup
		inside.Add(2)
		m := sumChunks(2*chunk, func(from, to int) moments {
			inside.Done()
			inside.Wait() // both chunks have begun
			if from/chunk == round%2 {
				time.Sleep(2 * time.Millisecond)
			}
			return moments{a: float64(to - from)}
		})
		if m.a != 2*chunk {
			t.Fatalf("round %d: sum of %g values, want %d", round, m.a, 2*chunk)
		}
	}
}

func TestVariance(t *testing.T) {
	for _, c := range []struct {
		x    []float32
		want float64
	}{{nil, 0}, {[]float32{5}, 0}, {[]float32{1, 3}, 1}, {[]float32{2, 4, 4, 4, 5, 5, 7, 9}, 4}, {[]float32{-3, 0, 3}, 6}} {
		if got := Variance(c.x); got != c.want {
			t.Errorf("Variance(%v) = %g, want %g", c.x, got, c.want)
		}
	}
	for _, c := range []struct{ variance, mse, want float64 }{{1, 1, 0}, {1, 2, 0}, {1, 0.25, 1}, {4, 1, 1}, {8, 0.5, 2}, {1, 1.0 / 64, 3}} {
		if got := GaussianBits(c.variance, c.mse); got != c.want {
			t.Errorf("GaussianBits(%g, %g) = %g, want %g", c.variance, c.mse, got, c.want)
		}
	}
}

func TestCompare(t *testing.T) {
	a, b := []float32{1, 2, 3, 4}, []float32{1, 2, 3, 2}
	d := Compare(a, b)
	if d.MSE != 1 || d.Max != 2 || d.N != 4 {
		t.Errorf("%+v", d)
	}
	if want := 10 * math.Log10(1/1.25); math.Abs(d.NMSEDB-want) > 1e-12 {
		t.Errorf("NMSE %g, want %g", d.NMSEDB, want)
	}
	if want := 10 * math.Log10(9); math.Abs(d.PSNRDB-want) > 1e-12 {
		t.Errorf("PSNR %g, want %g", d.PSNRDB, want)
	}
	if want := 22 / math.Sqrt(30*18); math.Abs(d.Cosine-want) > 1e-12 {
		t.Errorf("cosine %g, want %g", d.Cosine, want)
	}
	if d = Compare(a, a); d.MSE != 0 || !math.IsInf(d.NMSEDB, -1) || !math.IsInf(d.PSNRDB, 1) || d.Cosine != 1 {
		t.Errorf("equal: %+v", d)
	}
	if d = Compare(nil, nil); d.MSE != 0 || d.Cosine != 1 {
		t.Errorf("empty: %+v", d)
	}
	for _, pair := range [][2][]float32{{{0, 0}, {1, 0}}, {{1, 0}, {0, 0}}} {
		if d = Compare(pair[0], pair[1]); d.Cosine != 0 || d.MSE != 0.5 {
			t.Errorf("one of them zero: %+v", d)
		}
	}
	if d = Compare([]float32{3, 3}, []float32{3, 4}); !math.IsInf(d.NMSEDB, 1) {
		t.Errorf("constant: %+v", d)
	}
	u, v := []uint8{0, 255, 7, 9}, []uint8{255, 255, 7, 8}
	d = CompareCodes(u, v)
	if want := (255*255 + 1) / 4.0; d.MSE != want || d.Max != 255 {
		t.Errorf("codes: %+v, want MSE %g", d, want)
	}
}

// ECSQ on a Gaussian at high rate needs 0.2546 bits more than the bound (Gish and Pierce, 1968).
func TestECSQGaussian(t *testing.T) {
	x := gaussian(1<<18, 29)
	e := NewECSQ(x)
	v := Variance(x)
	for _, bits := range []float64{2, 3, 4} {
		mse := e.AtBits(bits)
		if gap := bits - GaussianBits(v, mse); gap < 0.235 || gap > 0.265 {
			t.Errorf("%g bits: gap to the bound %.4f, want 0.25", bits, gap)
		}
		if got := e.AtMSE(mse); math.Abs(got-bits) > 0.01 {
			t.Errorf("%g bits: inverse gives %g", bits, got)
		}
	}
}

func TestECSQDefinition(t *testing.T) {
	x := gaussian(500, 31)
	e := NewECSQ(x)
	for _, step := range []float64{1e-6, 0.1, 0.5, 2, 100} {
		cells := map[float64][]float64{}
		for _, v := range x {
			k := math.Floor((float64(v)-e.mean)/step + 0.5)
			cells[k] = append(cells[k], float64(v))
		}
		var bits, mse float64
		for _, c := range cells {
			m := 0.0
			for _, v := range c {
				m += v / float64(len(c))
			}
			for _, v := range c {
				mse += (v - m) * (v - m) / float64(len(x))
			}
			p := float64(len(c)) / float64(len(x))
			bits -= p * math.Log2(p)
		}
		b, m := e.At(step)
		if math.Abs(b-bits) > 1e-9 || math.Abs(m-mse) > 1e-9 {
			t.Errorf("step %g: %g bits, MSE %g; want %g, %g", step, b, m, bits, mse)
		}
	}
	flat := NewECSQ([]float32{4, 4, 4})
	if b := flat.AtMSE(1); b != 0 {
		t.Errorf("constant: %g bits", b)
	}
	if m := NewECSQ(nil).AtBits(3); m != 0 {
		t.Errorf("empty: MSE %g", m)
	}
	if b, m := NewECSQ(nil).At(1); b != 0 || m != 0 {
		t.Errorf("empty: %g bits, MSE %g", b, m)
	}
	// Values on an edge belong to the cell above: floor(v + 1/2).
	edges := NewECSQ([]float32{0.5, -1.5, 1.5, -0.5, -1, 1})
	if b, m := edges.At(1); math.Abs(b-math.Log2(3)-1.0/3) > 1e-15 || math.Abs(m-0.25/6) > 1e-15 {
		t.Errorf("on edges: %g bits, MSE %g", b, m)
	}
	if b := NewECSQ([]float32{0, 1}).AtMSE(0); b != 1 {
		t.Errorf("two values without error: %g bits", b)
	}
	// The bisection ends at the least step that is not too fine: entropy at most what is asked, error at least.
	for _, bits := range []float64{0.5, 1, 3.5, 7} {
		mse := e.AtBits(bits)
		for _, step := range []float64{1e-3, 0.01, 0.1, 0.3, 1, 3} {
			if b, m := e.At(step); b > bits && m > mse*1.02 || b < bits-0.02 && m < mse*0.98 {
				t.Errorf("%g bits: MSE %g; a step of %g has %g bits, MSE %g", bits, mse, step, b, m)
			}
		}
	}
	// Sums relative to the mean keep their digits when it is large.
	far := make([]float32, 1000)
	for i := range far {
		far[i] = 1<<20 + float32(i%7)/8
	}
	var sum, sum2 float64
	for _, v := range far {
		d := float64(v) - 1<<20
		sum, sum2 = sum+d, sum2+d*d
	}
	if _, m := NewECSQ(far).At(100); math.Abs(m-(sum2-sum*sum/1000)/1000) > 1e-12 {
		t.Errorf("around 2^20: MSE %.17g, want %.17g", m, (sum2-sum*sum/1000)/1000)
	}
}

func BenchmarkQuantize(b *testing.B) {
	x := gaussian(1<<18, 1)
	codes := make([]uint8, len(x))
	for _, s := range []Scheme{PerTensor, PerChannel, PerGroup(128)} {
		b.Run(s.String(), func(b *testing.B) {
			q := Quant{Scheme: s}
			b.SetBytes(int64(len(x)))
			b.ReportAllocs()
			for b.Loop() {
				q.Quantize(codes, x, 512, 512, q.Fit(x, 512, 512))
			}
		})
	}
}

func BenchmarkHadamard(b *testing.B) {
	x := gaussian(1<<20, 1)
	b.SetBytes(1 << 20)
	for b.Loop() {
		Hadamard{Rows: true, Cols: true}.Forward(x, 1024, 1024)
	}
}

// A cosine of the basis becomes one coefficient, and the energy stays.
func TestBlockDCT(t *testing.T) {
	for _, n := range []int{4, 8, 32} {
		rows, cols := 2*n+1, n+3
		x := make([]float32, rows*cols)
		u, v := n-1, 1 // frequencies down and across
		for i := range n {
			for j := range n {
				a := math.Cos(math.Pi * float64((2*i+1)*u) / float64(2*n))
				b := math.Cos(math.Pi * float64((2*j+1)*v) / float64(2*n))
				x[(n+i)*cols+j] = float32(2 / float64(n) * a * b)
			}
		}
		x[cols-1], x[rows*cols-1] = 5, 7
		y := BlockDCT(x, rows, cols, n)
		for i := range rows {
			for j := range cols {
				want := 0.0
				switch {
				case i == n+u && j == v:
					want = 1
				case i == 0 && j == cols-1:
					want = 5
				case i == rows-1 && j == cols-1:
					want = 7
				}
				if got := float64(y[i*cols+j]); math.Abs(got-want) > 1e-6 {
					t.Fatalf("size %d: coefficient (%d,%d) is %g, want %g", n, i, j, got, want)
				}
			}
		}
	}
}
