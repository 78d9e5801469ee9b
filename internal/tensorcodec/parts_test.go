package tensorcodec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"vcsim/internal/tensor"
)

// The tests of this file hold the parts of which the coding of a tensor consists to their definitions, value by value.

// TestInside: the values of a rectangle that are not padding, counted one by one.
func TestInside(t *testing.T) {
	const w, h = 7, 5
	g := Grid{Width: w, Height: h, FrameWidth: 3, FrameHeight: 2}
	for values := (h-1)*w + 1; values <= h*w; values++ {
		for i := range g.Frames() {
			x, y, fw, fh := g.rect(i)
			want := 0
			for r := y; r < y+fh; r++ {
				for c := x; c < x+fw; c++ {
					if r*w+c < values {
						want++
					}
				}
			}
			if got := (goal{values: values}).inside(g, x, y, fw, fh); got != want {
				t.Errorf("%d values, frame %d: %d inside, want %d", values, i, got, want)
			}
			if got := (goal{}).inside(g, x, y, fw, fh); got != fw*fh {
				t.Errorf("frame %d of a plane: %d inside, want %d", i, got, fw*fh)
			}
		}
	}
	// Squared errors of codes, in a rectangle.
	rng := rand.New(rand.NewPCG(31, 1))
	a, b := make([]byte, w*h), make([]byte, w*h)
	for i := range a {
		a[i], b[i] = byte(rng.Uint32()), byte(rng.Uint32())
	}
	errs := codeErrors(a, w)
	for i := range g.Frames() {
		x, y, fw, fh := g.rect(i)
		want := 0.0
		for r := y; r < y+fh; r++ {
			for c := x; c < x+fw; c++ {
				want += math.Pow(float64(a[r*w+c])-float64(b[r*w+c]), 2)
			}
		}
		if got := errs(b, x, y, fw, fh); got != want {
			t.Errorf("frame %d: squared error %g, want %g", i, got, want)
		}
	}
	for _, codes := range [][]byte{{7}, {0, 255}, {1, 2, 3, 4, 5}} {
		mean, want := 0.0, 0.0
		for _, c := range codes {
			mean += float64(c) / float64(len(codes))
		}
		for _, c := range codes {
			want += (float64(c) - mean) * (float64(c) - mean) / float64(len(codes))
		}
		if got := codeVariance(codes); math.Abs(got-want) > 1e-9 {
			t.Errorf("variance of %d: %g, want %g", codes, got, want)
		}
	}
	for n, want := range map[int]int{1: 1, guessSample - 1: 1, guessSample: 2, 3*guessSample + 5: 4} {
		if got := guessStep(n); got != want {
			t.Errorf("step of %d codes: %d, want %d", n, got, want)
		}
	}
}

// TestFills: what stands in the place of an outlier is the mean of its neighbours in the row, by the rules of the comment.
func TestFills(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 2))
	for round := range 300 {
		cols := 1 + rng.IntN(6)
		n := 1 + rng.IntN(20)
		x := make([]float32, n)
		var o outliers
		far := map[int]bool{}
		for i := range x {
			x[i] = float32(1 + rng.IntN(1000))
			if rng.IntN(3) == 0 {
				o.index = append(o.index, uint32(i))
				o.value = append(o.value, x[i])
				far[i] = true
			}
		}
		y := slices.Clone(x)
		o.remove(y, cols)
		want := slices.Clone(x)
		for i := range x {
			if !far[i] {
				continue
			}
			var sides []float32
			if i%cols > 0 {
				sides = append(sides, want[i-1]) // what stands there by now
			}
			if i%cols < cols-1 && i+1 < n {
				right := x[i+1]
				if far[i+1] {
					right = 0
				}
				sides = append(sides, right)
			}
			want[i] = 0
			for _, v := range sides {
				want[i] += v / float32(len(sides))
			}
		}
		for i := range x {
			if math.Abs(float64(y[i]-want[i])) > 1e-3 {
				t.Fatalf("round %d: value %d of %d in rows of %d is %g, want %g", round, i, n, cols, y[i], want[i])
			}
		}
		for range 10 {
			from := rng.IntN(n + 1)
			to := from + rng.IntN(n+1-from)
			first, end := o.between(from, to)
			for k, i := range o.index {
				if inside := int(i) >= from && int(i) < to; inside != (k >= first && k < end) {
					t.Fatalf("round %d: outlier at %d between %d and %d: %d to %d", round, i, from, to, first, end)
				}
			}
		}
	}
}

// TestFarValues: left out are the values beyond k deviations of the others, repeated until nothing changes, in pieces as at once.
func TestFarValues(t *testing.T) {
	x := []float32{0, 1, -1, 2, -2, 1, 0, 100, 1, -1, 5000, 0, 3, -90, 30, 1e5, -9e5, 1e7, 12, -2e8, 7, 3e9}
	for _, k := range []float64{1.5, 2, 3, 4, 1000} {
		inside := slices.Clone(x)
		var lo, hi float64
		for range maxOutlierTrims {
			mean, dev := 0.0, 0.0
			for _, v := range inside {
				mean += float64(v) / float64(len(inside))
			}
			for _, v := range inside {
				dev += (float64(v) - mean) * (float64(v) - mean) / float64(len(inside))
			}
			lo, hi = mean-k*math.Sqrt(dev), mean+k*math.Sqrt(dev)
			next := slices.DeleteFunc(slices.Clone(x), func(v float32) bool { return float64(v) < lo || float64(v) > hi })
			if len(next) == len(inside) {
				break
			}
			inside = next
		}
		var want []uint32
		for i, v := range x {
			if float64(v) < lo || float64(v) > hi {
				want = append(want, uint32(i))
			}
		}
		for _, piece := range []int{1, 3, len(x)} {
			o, err := farValues(len(x), k, func(f func(int, []float32) error) error {
				for at := 0; at < len(x); at += piece {
					if err := f(at, x[at:min(at+piece, len(x))]); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil || !slices.Equal(o.index, want) {
				t.Errorf("%g deviations, %d at a time: outliers at %d, want %d", k, piece, o.index, want)
			}
		}
	}
	for _, k := range []float64{0, -1, math.NaN()} {
		if o := findOutliers(x, k); o.index != nil {
			t.Errorf("%g deviations: outliers at %d", k, o.index)
		}
	}
	for call := range 6 { // an error of any pass is returned
		calls := 0
		_, err := farValues(len(x), 2, func(f func(int, []float32) error) error {
			if calls++; calls > call {
				return errFaulty
			}
			return f(0, x)
		})
		if err != errFaulty {
			t.Errorf("pass %d fails: %v", call, err)
		}
	}
}

// TestTargetRanges: what a target may be, and what is said when it is missed.
func TestTargetRanges(t *testing.T) {
	for _, c := range []struct {
		target Target
		want   string
	}{
		{Target{TargetQP, 0}, ""}, {Target{TargetQP, 51}, ""}, {Target{TargetQP, 51.01}, "outside 0..51"}, {Target{TargetQP, -0.01}, "outside 0..51"}, {Target{TargetQP, math.NaN()}, "not a finite"},
		{Target{TargetBits, 1e-9}, ""}, {Target{TargetBits, 64}, ""}, {Target{TargetBits, 64.1}, "at most 64"}, {Target{TargetBits, 0}, "must be positive"}, {Target{TargetBits, math.Inf(1)}, "not a finite"},
		{Target{TargetMSE, 1e-30}, ""}, {Target{TargetMSE, 1e30}, ""}, {Target{TargetMSE, 0}, "must be positive"}, {Target{TargetMSE, math.Inf(-1)}, "not a finite"},
	} {
		if err := c.target.check(51); (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.target, err, c.want)
		}
	}
	const top = QP(51 * qpOne)
	for _, c := range []struct {
		target Target
		got    float64
		qp     QP
		want   string
	}{
		{Target{TargetBits, 2}, 2.0199, 300, ""}, {Target{TargetBits, 2}, 1.981, 300, ""}, {Target{TargetBits, 2}, 2.021, 300, "was missed: the nearest found is 2.0210 at QP 18.75"},
		{Target{TargetBits, 2}, 1.97, 300, "was missed"}, {Target{TargetBits, 2}, 1.5, 0, "a finer quantiser or a residual holds more"}, {Target{TargetBits, 2}, 2.5, 0, "QP 0 gives 2.5000"},
		{Target{TargetBits, 2}, 2.5, top, "QP 51 gives 2.5000"}, {Target{TargetBits, 2}, 1.5, top, "QP 51 gives 1.5000"},
		{Target{TargetMSE, 4}, 4.039, 300, ""}, {Target{TargetMSE, 4}, 0, 300, ""}, {Target{TargetMSE, 4}, 4.05, 300, "cannot be reached: QP 18.75 gives 4.05"}, {Target{TargetQP, 4}, 9, 300, ""},
	} {
		if got := c.target.missed(c.got, c.qp, top); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%v, got %g: %q, want %q", c.target, c.got, got, c.want)
		}
	}
}

// TestQPs: parameters in sixteenths: the lower integer, the share of the next, and units that alternate evenly.
func TestQPs(t *testing.T) {
	for q := QP(0); q <= 51*qpOne; q += 7 {
		if q.Base() != int(math.Floor(q.Float())) || q.Frac() != int((q.Float()-float64(q.Base()))*16) || ToQP(q.Float()) != q {
			t.Errorf("%d: %d and %d sixteenths, back %d", q, q.Base(), q.Frac(), ToQP(q.Float()))
		}
		sum := 0
		for i := range 64 {
			at := q.At(i)
			if at != q.Base() && at != q.Base()+1 {
				t.Errorf("%d: unit %d has %d", q, i, at)
			}
			sum += at
			if off := float64(sum) - q.Float()*float64(i+1); off > 0 || off <= -1 { // never a whole unit behind
				t.Errorf("%d: after %d units %g off", q, i+1, off)
			}
		}
	}
	for v, want := range map[float64]QP{0.03: 0, 0.04: 1, 21.97: 352, 22.03: 352, 22.04: 353} {
		if got := ToQP(v); got != want {
			t.Errorf("ToQP(%g) = %d, want %d", v, got, want)
		}
	}
}

// TestCurves: bits are interpolated linearly and errors in the logarithm, and the best point has the least sum of both.
func TestCurves(t *testing.T) {
	c := curve{values: 10, qp: []QP{0, 96, 192, 816}, bits: []float64{80, 50, 30, 2}, err: []float64{0.01, 0.04, 0.5, 9}}
	for _, k := range []struct {
		qp        QP
		bits, err float64
	}{{0, 80, 0.01}, {96, 50, 0.04}, {48, 65, 0.02}, {24, 72.5, 0.01 * math.Sqrt2}, {192, 30, 0.5}, {144, 40, math.Sqrt(0.02)}, {816, 2, 9}, {504, 16, math.Sqrt(4.5)}} {
		if bits, err := c.at(k.qp); math.Abs(bits-k.bits) > 1e-9 || math.Abs(err-k.err) > 1e-9 {
			t.Errorf("at %d: %g bits, error %g; want %g, %g", k.qp, bits, err, k.bits, k.err)
		}
	}
	for _, lambda := range []float64{1e-6, 1e-3, 0.01, 0.1, 1, 100} {
		qp, bits := c.best(lambda)
		least := math.Inf(1)
		var want QP
		for q := QP(0); q <= 816; q += 4 { // a quarter of a step
			if b, e := c.at(q); e+lambda*b < least {
				least, want = e+lambda*b, q
			}
		}
		if b, _ := c.at(qp); qp != want || bits != b {
			t.Errorf("lambda %g: %d with %g bits, want %d", lambda, qp, bits, want)
		}
	}
}

// TestSummary: the distortion of a container is the mean over the values of its tensors, copies being exact.
func TestSummary(t *testing.T) {
	e := Encoded{Results: []TensorResult{
		{Values: 100, Distortion: tensor.Distortion{N: 100, MSE: 4, NMSEDB: -10, PSNRDB: 20, Max: 5, Cosine: 0.9}, Bins: Bins{3, 4}},
		{Values: 300, Raw: true, Distortion: tensor.Distortion{N: 300, Cosine: 1}},
		{Values: 600, Distortion: tensor.Distortion{N: 600, MSE: 1, NMSEDB: -20, PSNRDB: 30, Max: 2, Cosine: 0.99}, Bins: Bins{50, 60}},
	}}
	d := e.Distortion()
	near := func(what string, got, want float64) {
		if !(math.Abs(got-want) <= 1e-12*math.Abs(want)) {
			t.Errorf("%s: %g, want %g", what, got, want)
		}
	}
	near("MSE", d.MSE, (100*4+600*1)/1000.0)
	near("NMSE", d.NMSEDB, 10*math.Log10((100*0.1+600*0.01)/1000))
	near("PSNR", d.PSNRDB, -10*math.Log10((100*0.01+600*0.001)/1000))
	near("cosine", d.Cosine, (100*0.9+300+600*0.99)/1000)
	if d.N != 1000 || d.Max != 5 || e.Coded() != 700 || e.Bins() != (Bins{53, 64}) {
		t.Errorf("%d values, largest error %g, %d coded, bins %+v", d.N, d.Max, e.Coded(), e.Bins())
	}
	if d := (&Encoded{}).Distortion(); d.MSE != 0 || d.Cosine != 1 || !math.IsInf(d.NMSEDB, -1) || !math.IsInf(d.PSNRDB, 1) {
		t.Errorf("of nothing: %+v", d)
	}
	if r := (TensorResult{Values: 16, Bytes: 6}); r.BitsPerValue() != 3 {
		t.Errorf("%g bits a value", r.BitsPerValue())
	}
	if r := (TensorResult{Bytes: 6}); r.BitsPerValue() != 48 {
		t.Errorf("%g bits of no value", r.BitsPerValue())
	}
}

// TestRecipeForms: every recipe comes back from its line, which is as documented.
func TestRecipeForms(t *testing.T) {
	for line, want := range map[string]Common{
		"version=1 codec=t265 quant=tensor":                                    {Codec: "t265"},
		"version=1 codec=t264 quant=group128 asym":                             {Codec: "t264", Quant: tensor.Quant{Scheme: tensor.PerGroup(128), Asym: true}},
		"version=1 codec=t265 quant=row rotate=both seed=18446744073709551615": {Codec: "t265", Quant: tensor.Quant{Scheme: tensor.PerRow}, Rotate: tensor.Hadamard{Rows: true, Cols: true, Seed: math.MaxUint64}},
		"version=1 codec=t265 quant=channel rotate=rows seed=0 mean":           {Codec: "t265", Quant: tensor.Quant{Scheme: tensor.PerChannel}, Rotate: tensor.Hadamard{Rows: true}, Means: true},
		"version=1 codec=t265 quant=tensor asym rotate=cols seed=7 mean":       {Codec: "t265", Quant: tensor.Quant{Asym: true}, Rotate: tensor.Hadamard{Cols: true, Seed: 7}, Means: true},
	} {
		got, words, err := parseCommon(line + " tensors=12 meta=abc")
		if err != nil || got != want || words["tensors"] != "12" || words["meta"] != "abc" || want.String() != line {
			t.Errorf("%s: %+v, %v, %v; written %s", line, got, words, err, want)
		}
	}
	for line, want := range map[string]recipe{
		"raw at=3": {raw: true, at: 3, sum: "77"},
		"at=0 dtype=BF16 shape=5 frame=5x1 codes=aa":                              {dtype: tensor.BF16, shape: []int{5}, frameW: 5, frameH: 1, codes: "aa", sum: "77"},
		"at=9 dtype=U8 shape=2,3,4 fold=8 frame=8x3 outliers residual codes=0123": {at: 9, dtype: tensor.U8, shape: []int{2, 3, 4}, fold: 8, frameW: 8, frameH: 3, outliers: true, residual: true, codes: "0123", sum: "77"},
		"at=1 dtype=F32 shape=6 fold=1 frame=1x6 codes=f":                         {at: 1, dtype: tensor.F32, shape: []int{6}, fold: 1, frameW: 1, frameH: 6, codes: "f", sum: "77"},
		"at=1 dtype=I8 shape=6,1 frame=1x6 residual codes=f":                      {at: 1, dtype: tensor.I8, shape: []int{6, 1}, frameW: 1, frameH: 6, residual: true, codes: "f", sum: "77"},
	} {
		got, err := parseRecipe(line + " sum=77")
		if err != nil || fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) || want.String() != line {
			t.Errorf("%s: %+v, %v; written %s", line, got, err, want)
		}
	}
	for s, want := range map[string]tensor.Hadamard{"none": {}, "rows": {Rows: true, Seed: 5}, "cols": {Cols: true, Seed: 5}, "both": {Rows: true, Cols: true, Seed: 5}} {
		if got, err := ParseRotation(s, 5); err != nil || got != want {
			t.Errorf("rotation %q: %+v, %v", s, got, err)
		}
	}
	if _, err := ParseRotation("all", 5); err == nil {
		t.Error("rotation all")
	}
}

// TestMatrixOf: the matrix of a stored tensor, and folds that no tensor has.
func TestMatrixOf(t *testing.T) {
	for _, c := range []struct {
		shape            []int
		fold, rows, cols int
		bad              bool
	}{
		{[]int{4, 6}, 0, 4, 6, false}, {[]int{4, 6}, 8, 3, 8, false}, {[]int{4, 6}, 7, 4, 7, false}, {[]int{4, 6}, 24, 1, 24, false}, {[]int{4, 6}, 25, 0, 0, true},
		{[]int{1, 1}, 1, 1, 1, false}, {[]int{0, 3}, 0, 0, 0, false}, {[]int{1 << 17}, maxSide, 2, maxSide, false}, {[]int{1 << 17}, maxSide + 1, 0, 0, true}, {[]int{-1}, 0, 0, 0, true}, {[]int{1}, 2, 0, 0, true},
	} {
		rows, cols, err := matrixOf(c.shape, c.fold)
		if rows != c.rows || cols != c.cols || (err != nil) != c.bad {
			t.Errorf("%v, fold %d: %dx%d, %v", c.shape, c.fold, rows, cols, err)
		}
	}
}

// TestPlan says of every tensor whether it is coded, or why it is copied.
func TestPlan(t *testing.T) {
	infos := []Single{{tensor.Info{Name: "w", DType: tensor.F32, Shape: []int{2}}, nil}, {tensor.Info{Name: "ids", DType: tensor.I8, Shape: []int{2}}, nil},
		{tensor.Info{Name: "long", DType: tensor.I64, Shape: []int{2}}, nil}, {tensor.Info{Name: "empty", DType: tensor.F32, Shape: []int{0}}, nil}, {tensor.Info{Name: "one", DType: tensor.F32}, nil}}
	for _, c := range []struct {
		sel      Selection
		integers bool
		want     string // note or "coded" of each that is there
	}{
		{Selection{}, false, "w coded, ids integers are copied, long dtype I64 is copied, empty empty tensor is copied, one scalar is copied"},
		{Selection{}, true, "w coded, ids coded, long dtype I64 is copied, empty empty tensor is copied, one scalar is copied"},
		{Selection{Globs: []string{"ids"}}, false, "ids coded"}, {Selection{Globs: []string{"i*"}}, false, "ids integers are copied"}, {Selection{Globs: []string{"w", "ids"}}, false, "w coded, ids coded"},
		{Selection{Globs: []string{"w"}, Keep: true}, true, "w coded, ids not selected, long not selected, empty not selected, one not selected"},
		{Selection{Globs: []string{"x"}}, true, `no tensor matches ["x"]`}, {Selection{Globs: []string{"x"}, Keep: true}, true, `no tensor matches ["x"]`}, {Selection{Globs: []string{"[", "w"}}, true, "syntax error"},
	} {
		jobs, err := plan(sources(infos), c.sel, c.integers)
		var list []string
		for _, j := range jobs {
			note, _, _ := strings.Cut(j.note, ",")
			if j.coded {
				note += "coded"
			}
			list = append(list, j.info.Name+" "+note)
		}
		if got := strings.Join(list, ", "); err == nil && got != c.want || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v, integers %v: %s, %v; want %s", c.sel, c.integers, got, err, c.want)
		}
	}
	if _, err := plan(sources{{tensor.Info{Name: "bad", Shape: []int{-1}}, nil}}, Selection{}, false); err == nil || !strings.Contains(err.Error(), `"bad"`) {
		t.Errorf("a negative dimension: %v", err)
	}
}

// TestEachOrder: every index is worked on once, and the error of the lowest that failed is returned.
func TestEachOrder(t *testing.T) {
	for _, workers := range []int{1, 2, 5} {
		for _, n := range []int{0, 1, 7, 50} {
			done := make([]atomic.Int64, n)
			if err := each(n, workers, func(i int) error { done[i].Add(1); return nil }); err != nil {
				t.Error(err)
			}
			for i := range done {
				if done[i].Load() != 1 {
					t.Errorf("%d workers: %d of %d was worked on %d times", workers, i, n, done[i].Load())
				}
			}
		}
		var begun atomic.Int64
		err := each(1000, workers, func(i int) error {
			begun.Add(1)
			if i >= 20 {
				return fmt.Errorf("error %d", i)
			}
			return nil
		})
		if err == nil || err.Error() != "error 20" || begun.Load() > int64(20+2*workers) {
			t.Errorf("%d workers: %v after %d", workers, err, begun.Load())
		}
	}
}

// TestSingleReads: parts of a tensor at every offset, and its data as a whole, whether or not the source can be read in part.
func TestSingleReads(t *testing.T) {
	data := make([]byte, 3<<20+5)
	for i := range data {
		data[i] = byte(i * 7 >> 3)
	}
	info := tensor.Info{Name: "x", DType: tensor.U8, Shape: []int{len(data)}}
	s := Single{info, data}
	small := Single{tensor.Info{Name: "y", DType: tensor.I16, Shape: []int{3}}, []byte{1, 2, 3, 4, 5, 6}}
	for off := -1; off <= 7; off++ {
		for n := range 8 {
			p := make([]byte, n)
			err := small.ReadAt("y", p, int64(off))
			if inside := off >= 0 && off+n <= 6; inside != (err == nil) || inside && !bytes.Equal(p, small.Data[off:off+n]) {
				t.Errorf("%d bytes from %d: %v, %v", n, off, p, err)
			}
		}
	}
	for _, src := range []Source{s, sources{s}} { // the second cannot be read in part
		var b bytes.Buffer
		v := values{info, src}
		if n, err := v.WriteTo(&b); err != nil || n != int64(len(data)) || !bytes.Equal(b.Bytes(), data) {
			t.Errorf("%T: %d bytes written, %v", src, n, err)
		}
		if _, err := v.WriteTo(&shortWriter{}); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("%T: a writer without room: %v", src, err)
		}
		got, err := v.read([]float32{-1}, 1000, 50)
		if err != nil || len(got) != 51 || got[0] != -1 {
			t.Fatalf("%T: %d values, %v", src, len(got), err)
		}
		for i, x := range got[1:] {
			if x != float32(data[1000+i]) {
				t.Errorf("%T: value %d is %g, want %d", src, 1000+i, x, data[1000+i])
			}
		}
		if got, err := v.read(got[:1], 1<<40, 0); err != nil || len(got) != 1 {
			t.Errorf("%T: no values: %v, %v", src, got, err)
		}
	}
	if n, err := (values{info, s}).WriteTo(&shortWriter{1}); !errors.Is(err, io.ErrShortWrite) || n != 1<<20 {
		t.Errorf("a writer with room for one piece: %d bytes, %v", n, err)
	}
	wrong := values{tensor.Info{Name: "x", DType: tensor.F32, Shape: []int{len(data)}}, sources{s}}
	if _, err := wrong.read(nil, 0, 1); err == nil {
		t.Error("data of another size than the shape says")
	}
}

// A shortWriter takes as many writes as there is room for.
type shortWriter struct{ room int }

func (w *shortWriter) Write(p []byte) (int, error) {
	if w.room == 0 {
		return 0, io.ErrShortWrite
	}
	w.room--
	return len(p), nil
}

// TestArrays: arrays of scales and outliers that are not what the recipe asks for are refused.
func TestArrays(t *testing.T) {
	f32 := func(v ...float32) []byte { b, _ := tensor.Encode(nil, tensor.F32, v); return b }
	nan := float32(math.NaN())
	for _, c := range []struct {
		p    part
		n    int
		want string
	}{
		{part{suffixScale, tensor.F32, []int{2}, f32(1, 2)}, 2, ""}, {part{suffixScale, tensor.F32, []int{2}, f32(1, 2)}, 3, "want 3 scales"}, {part{suffixScale, tensor.F32, []int{2, 1}, f32(1, 2)}, 2, "want 2 scales"},
		{part{suffixScale, tensor.BF16, []int{2}, f32(1)}, 2, ""}, {part{suffixScale, tensor.F16, []int{2}, f32(1)}, 2, "want 2 scales"}, {part{suffixScale, tensor.F32, []int{1}, f32(nan)}, 1, "finite"},
		{part{suffixLow, tensor.F32, []int{1}, f32(1)}, 1, "no \".vcsim.scale\""},
	} {
		v, err := vector(map[string]part{c.p.suffix: c.p}, suffixScale, c.n)
		if c.want == "" && (err != nil || len(v) != c.n) || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v for %d: %v, %v", c.p, c.n, v, err)
		}
	}
	u32 := func(v ...uint32) (b []byte) {
		for _, x := range v {
			b = append(b, byte(x), byte(x>>8), byte(x>>16), byte(x>>24))
		}
		return b
	}
	for _, c := range []struct {
		index []byte
		d     tensor.DType
		shape []int
		want  string
	}{
		{u32(0, 3, 9), tensor.U32, []int{3}, ""}, {u32(0, 3, 10), tensor.U32, []int{3}, "outlier 2 at position 10 of 10"}, {u32(3, 3, 9), tensor.U32, []int{3}, "outlier 1"}, {u32(4, 3, 9), tensor.U32, []int{3}, "outlier 1"},
		{u32(0, 3, 9), tensor.I32, []int{3}, "not a list"}, {u32(0, 3, 9), tensor.U32, []int{3, 1}, "not a list"}, {u32(0, 3), tensor.U32, []int{2}, "want 2 scales"},
	} {
		parts := map[string]part{suffixOutlierIndex: {suffixOutlierIndex, c.d, c.shape, c.index}, suffixOutlierValue: {suffixOutlierValue, tensor.F32, []int{3}, f32(1, 2, 3)}}
		o, err := readOutliers(parts, 10)
		if c.want == "" && (err != nil || !slices.Equal(o.index, []uint32{0, 3, 9}) || !slices.Equal(o.value, []float32{1, 2, 3})) || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v %v: %+v, %v; want %q", c.d, c.index, o, err, c.want)
		}
	}
	if _, err := readOutliers(map[string]part{}, 10); err == nil {
		t.Error("no outliers")
	}
}

// edited is a container whose metadata and arrays a test has changed.
type edited struct {
	Source
	meta   map[string]string
	arrays []tensor.Info
}

func (e edited) Metadata() map[string]string { return e.meta }
func (e edited) Tensors() []tensor.Info      { return e.arrays }

// TestOpenErrors: recipes and arrays that do not belong together are refused, each with what is wrong.
func TestOpenErrors(t *testing.T) {
	o := standinTensors(Target{TargetQP, 30})
	o.Quant.Scheme = tensor.PerRow
	_, b := pack(t, mixed(t), Selection{Globs: []string{"activation", "*layernorm*"}, Keep: true}, o, 0)
	good, err := tensor.ReadSafetensors(bytes.NewReader(b), int64(len(b)), "x")
	if err != nil {
		t.Fatal(err)
	}
	if !IsContainer(good) || IsContainer(mixed(t)) {
		t.Error("IsContainer is wrong")
	}
	own := metaPrefix + "activation"
	for _, c := range []struct {
		name string
		edit func(e *edited)
		want string
	}{
		{"nothing", func(e *edited) {}, ""},
		{"no recipe", func(e *edited) { delete(e.meta, metaKey) }, `no "vcsim"`},
		{"one recipe less", func(e *edited) { delete(e.meta, own) }, "4 recipes, want 5"},
		{"metadata", func(e *edited) { e.meta["more"] = "x" }, "metadata has checksum"},
		{"a bad recipe", func(e *edited) { e.meta[own] += " x" }, `tensor "activation": invalid recipe`},
		{"a strange array", func(e *edited) { e.arrays = append(e.arrays, tensor.Info{Name: "y", DType: tensor.U8}) }, `no recipe for array "y"`},
		{"a strange suffix", func(e *edited) {
			e.arrays = append(e.arrays, tensor.Info{Name: "activation.vcsim.x", DType: tensor.U8})
		}, "no recipe for array"},
		{"a bad shape", func(e *edited) { e.arrays[0].Shape = []int{-1} }, "negative"},
		{"a stream that is none", func(e *edited) {
			for i := range e.arrays {
				if e.arrays[i].Name == "activation" {
					e.arrays[i].DType = tensor.I8
				}
			}
		}, `no data for tensor "activation"`},
		{"no stream", func(e *edited) {
			e.arrays = slices.DeleteFunc(e.arrays, func(i tensor.Info) bool { return i.Name == "activation" })
		}, `no data for tensor "activation"`},
		{"a frame too large", func(e *edited) { e.meta[own] = replaceWord(e.meta[own], "frame", "70000x1") }, `tensor "activation"`},
		{"a fold too large", func(e *edited) { e.meta[own] = strings.Replace(e.meta[own], " frame=", " fold=999999999 frame=", 1) }, `tensor "activation": invalid recipe: fold`},
	} {
		e := edited{Source: good, meta: map[string]string{}, arrays: slices.Clone(good.Tensors())}
		for k, v := range good.Metadata() {
			e.meta[k] = v
		}
		c.edit(&e)
		_, err := OpenContainer(e)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	c, err := OpenContainer(good)
	if err != nil {
		t.Fatal(err)
	}
	bytesOf := map[string]int{}
	for _, info := range good.Tensors() {
		n, _ := info.NumBytes()
		name, _, _ := strings.Cut(info.Name, ".vcsim.")
		bytesOf[name] += int(n)
	}
	for _, st := range c.Tensors {
		if st.Bytes != bytesOf[st.Name] {
			t.Errorf("%s: %d bytes, want %d", st.Name, st.Bytes, bytesOf[st.Name])
		}
		stream, err := c.Stream(st)
		if st.Raw != (err != nil) || err == nil && !bytes.HasPrefix(stream, []byte("SIN!")) {
			t.Errorf("%s: stream of %d bytes, %v", st.Name, len(stream), err)
		}
	}
	// An error of the writer, or of a tensor, ends it; those before have been written, in order.
	for stop := range len(c.Tensors) {
		var seen []string
		err := c.DecodeAll(2, func(st StoredTensor, _ []byte) error {
			if len(seen) == stop {
				return errFaulty
			}
			seen = append(seen, st.Name)
			return nil
		})
		if err != errFaulty || len(seen) != stop {
			t.Errorf("stopped at tensor %d: %v after %v", stop, err, seen)
		}
		for i, name := range seen {
			if c.Tensors[i].Name != name {
				t.Errorf("tensor %d is %s, want %s", i, name, c.Tensors[i].Name)
			}
		}
	}
	count := 0 // with as many workers as there are cores
	if err := c.DecodeAll(0, func(StoredTensor, []byte) error { count++; return nil }); err != nil || count != len(c.Tensors) {
		t.Errorf("%d tensors decoded, %v", count, err)
	}
	unknown := *c
	unknown.Common.Codec = "none"
	for _, st := range c.Tensors {
		if _, err := unknown.Decode(st, 1); err == nil {
			t.Errorf("%s: decodes with another recipe", st.Name)
		}
	}
	if _, err := Lookup("none"); err == nil || !strings.Contains(err.Error(), "there is standin, t264, t265") {
		t.Errorf("Lookup: %v", err)
	}
	if err := c.Select("["); err == nil {
		t.Error("a bad pattern")
	}
	if err := c.Select("zzz"); err == nil {
		t.Error("a pattern that matches nothing")
	}
	if err := c.Select("act*"); err != nil || len(c.Tensors) != 1 || c.Tensors[0].Name != "activation" {
		t.Errorf("selected %d tensors, %v", len(c.Tensors), err)
	}
}

// replaceWord sets the value of a word of a recipe.
func replaceWord(line, key, value string) string {
	words := strings.Split(line, " ")
	for i, w := range words {
		if strings.HasPrefix(w, key+"=") {
			words[i] = key + "=" + value
		}
	}
	return strings.Join(words, " ")
}

// TestFoldNear: unit times the power of two whose product is nearest to the square root, in octaves, at most 1024 and n.
func TestFoldNear(t *testing.T) {
	for _, c := range []struct{ n, unit, want int }{
		{1, 1, 1}, {2, 1, 2}, {3, 1, 2}, {4096, 1, 64}, {8191, 1, 64}, {8192, 1, 128}, {1 << 30, 1, 1024}, {1 << 30, 3, 768}, {100, 64, 64}, {100, 101, 101}, {7, 5, 5}, {4096, 48, 48}, {30000, 3, 192}, {1 << 30, 1025, 1025},
	} {
		if got := nearSquare(c.n, c.unit); got != c.want {
			t.Errorf("nearSquare(%d, %d) = %d, want %d", c.n, c.unit, got, c.want)
		}
	}
	for _, c := range []struct {
		dims []int
		want bool
	}{{nil, false}, {[]int{5}, false}, {[]int{5, 3}, false}, {[]int{5, 3, 3}, true}, {[]int{5, 3, 63, 1}, true}, {[]int{5, 3, 64}, false}, {[]int{5, 3, 3, 64}, false}, {[]int{500, 300, 3}, true}} {
		if got := isKernel(c.dims); got != c.want {
			t.Errorf("%v is a kernel: %v", c.dims, got)
		}
	}
	// Values that repeat themselves get the width of their matrix back, or a multiple of it.
	rng := rand.New(rand.NewPCG(31, 3))
	for _, c := range []struct {
		n, period  int
		rows, cols int
	}{{40000, 100, 400, 100}, {30000, 3, 157, 192}, {40000, 0, 157, 256}, {3000, 100, 47, 64}, {3200, 100, 32, 100}, {6400, 64, 100, 64}} {
		x := make([]float32, c.n)
		for i := range x {
			x[i] = float32(rng.NormFloat64() * 0.1)
			if c.period > 0 {
				x[i] += float32((i % c.period * 7919) % 101)
			}
		}
		if rows, cols := FoldAuto.shape([]int{c.n}, c.n, x, false); rows != c.rows || cols != c.cols {
			t.Errorf("%d values of period %d: %dx%d, want %dx%d", c.n, c.period, rows, cols, c.rows, c.cols)
		}
	}
}

// TestMatrices: a matrix for experiments holds the codes that a container would, and measures as the tensor does.
func TestMatrices(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 4))
	x := make([]float32, 90*64)
	for i := range x {
		x[i] = float32(rng.NormFloat64() * 20)
	}
	for _, d := range []tensor.DType{tensor.F32, tensor.I8, tensor.U8} {
		data, err := tensor.Encode(nil, d, x)
		if err != nil {
			t.Fatal(err)
		}
		info := tensor.Info{Name: "x", DType: d, Shape: []int{90, 64}}
		o := standinTensors(Target{TargetQP, 20})
		o.Integers = true
		m, err := NewMatrix(info, data, o)
		if err != nil {
			t.Fatal(err)
		}
		e, _ := pack(t, Single{info, data}, Selection{}, o, 0)
		c, err := m.Encode(m.Options())
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Distortion(c.Recon)
		if err != nil {
			t.Fatal(err)
		}
		if want := e.Results[0].Distortion; math.Abs(got.MSE-want.MSE) > 1e-9*want.MSE || m.Rows != 90 || m.Cols != 64 {
			t.Errorf("%s: %dx%d, MSE %g, want %g", d, m.Rows, m.Cols, got.MSE, want.MSE)
		}
		values, _ := tensor.Decode(nil, d, data)
		unit, zero := 1.0, float32(0)
		if d == tensor.U8 {
			zero = 128
		}
		for i, v := range values {
			if m.Values[i] != v-zero {
				t.Fatalf("%s: value %d is %g, want %g", d, i, m.Values[i], v-zero)
			}
		}
		if !d.Integer() {
			peak := 0.0
			for _, v := range values {
				peak = max(peak, math.Abs(float64(v)))
			}
			unit = peak * peak / 127 / 127
		}
		if math.Abs(m.Unit()/unit-1) > 1e-5 {
			t.Errorf("%s: a step is %g squared, want %g", d, m.Unit(), unit)
		}
	}
	data, _ := tensor.Encode(nil, tensor.F32, x)
	m, err := NewMatrix(tensor.Info{Name: "x", DType: tensor.F32, Shape: []int{5759}}, data[:4*5759], standinTensors(Target{}))
	if err != nil || m.Rows != 89 || m.Cols != 64 || len(m.Values) != 89*64 { // without the row that is not full
		t.Errorf("a prime number of values: %+v, %v", m, err)
	}
	for _, info := range []tensor.Info{{DType: tensor.F32}, {DType: tensor.F32, Shape: []int{0}}, {DType: tensor.I64, Shape: []int{4}}, {DType: tensor.F32, Shape: []int{-4}}} {
		if _, err := NewMatrix(info, make([]byte, 32), standinTensors(Target{})); err == nil {
			t.Errorf("%v: no error", info)
		}
	}
}

// TestPadding: the end of the last row is the mean of the values in that row, rounded for integers, or what stands above it where
// columns have scales or means of their own.
func TestPadding(t *testing.T) {
	x := make([]float32, 5*9+4)
	for i := range x {
		x[i] = float32((i*i)%23 - 7)
	}
	last := x[45:]
	mean := float32(0)
	for _, v := range last {
		mean += v / float32(len(last))
	}
	above := x[40:45] // under the first four columns there are values
	for _, c := range []struct {
		d    tensor.DType
		set  func(o *TensorOptions)
		want []float32
	}{
		{tensor.F32, func(o *TensorOptions) {}, slices.Repeat([]float32{mean}, 5)},
		{tensor.I8, func(o *TensorOptions) {}, slices.Repeat([]float32{float32(math.Round(float64(mean)))}, 5)},
		{tensor.I8, func(o *TensorOptions) { o.Means = true }, slices.Repeat([]float32{float32(math.Round(float64(mean)))}, 5)},
		{tensor.F32, func(o *TensorOptions) { o.Means = true }, above}, {tensor.F32, func(o *TensorOptions) { o.Quant.Scheme = tensor.PerChannel }, above},
		{tensor.F32, func(o *TensorOptions) { o.Fold = 7 }, nil},
	} {
		data, err := tensor.Encode(nil, c.d, x)
		if err != nil {
			t.Fatal(err)
		}
		info := tensor.Info{Name: "x", DType: c.d, Shape: []int{len(x)}}
		o := standinTensors(Target{TargetQP, 9})
		o.Fold = 9
		c.set(&o)
		for _, hold := range []bool{true, false} {
			p, err := prepare(info, 0, values{info, Single{info, data}}, o, hold)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(p.padding, c.want) || p.rows*p.cols != len(x)+len(c.want) {
				t.Errorf("%s, held %v: %dx%d, padding %v, want %v", c.d, hold, p.rows, p.cols, p.padding, c.want)
			}
			if want := tensor.Variance(x); math.Abs(p.variance-want) > 1e-5*want {
				t.Errorf("%s, held %v: variance %g, want %g", c.d, hold, p.variance, want)
			}
		}
	}
	// A value that is not finite is refused, held or not.
	x[48] = float32(math.Inf(1))
	data, _ := tensor.Encode(nil, tensor.F32, x)
	info := tensor.Info{Name: "x", DType: tensor.F32, Shape: []int{len(x)}}
	for _, hold := range []bool{true, false} {
		if _, err := prepare(info, 0, values{info, Single{info, data}}, standinTensors(Target{}), hold); err == nil || !strings.Contains(err.Error(), "index 48") {
			t.Errorf("held %v: %v", hold, err)
		}
	}
}

// TestStreamedBands: bands of frames of more values than are looked at at a time, with scales of their own for every row.
func TestStreamedBands(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 5))
	const rows, cols = 330, 500
	x := make([]float32, rows*cols-77)
	for i := range x {
		x[i] = float32(rng.NormFloat64() * float64(1+i/cols%9))
	}
	x[123456] = 1e4
	data, _ := tensor.Encode(nil, tensor.BF16, x)
	src := Single{tensor.Info{Name: "x", DType: tensor.BF16, Shape: []int{len(x)}}, data}
	o := standinTensors(Target{TargetQP, 12})
	o.Quant, o.Outliers, o.Fold, o.FrameWidth, o.FrameHeight = tensor.Quant{Scheme: tensor.PerRow, Asym: true}, 12, cols, 256, 320
	o.hold = math.MaxInt
	_, want := pack(t, src, Selection{}, o, 0)
	o.hold = -1
	e, got := pack(t, src, Selection{}, o, 0)
	if !bytes.Equal(got, want) {
		t.Error("the container depends on whether the tensor is held")
	}
	check(t, src, e, got)
}

// labelled is a source with metadata of its own.
type labelled struct {
	Source
	meta map[string]string
}

func (l labelled) Metadata() map[string]string { return l.meta }

// TestBudgetWithHeader: a budget counts the header of the file, however large the metadata are.
func TestBudgetWithHeader(t *testing.T) {
	one, two := large(96).(Single), large(128).(Single)
	one.Info.Name, two.Info.Name = "one", "two"
	src := labelled{sources{one, two}, map[string]string{"licence": strings.Repeat("all rights ", 150)}}
	for _, bits := range []float64{2, 4} {
		for _, budget := range []float64{0, bits} {
			target := Target{TargetBits, bits}
			e, b := pack(t, src, Selection{}, standinTensors(target), budget)
			if got := 8 * float64(len(b)) / float64(e.Values); math.Abs(got-bits) > 0.02*bits || e.Note != "" {
				t.Errorf("%g bits a value, budget %g: %g (%s)", bits, budget, got, e.Note)
			}
		}
	}
	// What cannot be reached is said.
	e, _ := pack(t, src, Selection{}, standinTensors(Target{}), 30)
	if !strings.Contains(e.Note, "budget 30 bits a value was missed") {
		t.Errorf("note %q", e.Note)
	}
}

// TestGrids: streams of several pictures, put together as a plane is cut, and those that cannot be.
func TestGrids(t *testing.T) {
	plane := noise(50, 40, 20)
	g, _ := NewGrid(50, 40, 20, 16)
	c, err := EncodePlane(plane, g, standinOptions(Target{TargetQP, 8}))
	if err != nil {
		t.Fatal(err)
	}
	got, grid, err := DecodeGrid(standin{}, c.Stream, 50, 40, 2)
	if err != nil || grid != g || !bytes.Equal(got, c.Recon) {
		t.Errorf("grid %+v, %v", grid, err)
	}
	if got, err = DecodeTiles(standin{}, c.Stream, 50, 40, 0); err != nil || !bytes.Equal(got, c.Recon) {
		t.Errorf("tiles: %v", err)
	}
	for _, size := range [][2]int{{0, 40}, {50, 0}, {61, 40}, {50, 49}, {20, 16}} {
		if _, _, err := DecodeGrid(standin{}, c.Stream, size[0], size[1], 1); err == nil {
			t.Errorf("%v: no error", size)
		}
	}
	other, err := EncodePlane(plane, Grid{50, 40, 25, 16}, standinOptions(Target{TargetQP, 8}))
	if err != nil {
		t.Fatal(err)
	}
	parts, _ := standin{}.SplitFrames(other.Stream)
	first, _ := standin{}.SplitFrames(c.Stream)
	if _, err := decodeAll(mixedSizes{parts: [][]byte{first[0], first[1], parts[0]}}, nil, 1); err == nil || !strings.Contains(err.Error(), "frame 2: unsupported stream: picture of 25x16 after one of 20x16") {
		t.Errorf("pictures of two sizes: %v", err)
	}
	if _, err := EncodePlane(plane[1:], g, standinOptions(Target{TargetQP, 8})); err == nil {
		t.Error("a plane that is too short")
	}
	if _, err := EncodePlane(plane, Grid{50, 40, 0, 1}, standinOptions(Target{TargetQP, 8})); err == nil {
		t.Error("frames without width")
	}
	if p, err := decoded(2, 2, make([]byte, 4), nil); err != nil || p.Stride != 2 {
		t.Errorf("%+v, %v", p, err)
	}
	var fe FormatError
	if _, err := decoded(2, 2, nil, io.EOF); !errors.As(err, &fe) {
		t.Errorf("no picture: %v", err)
	}
	if _, err := decoded(2, 2, make([]byte, 3), nil); err == nil {
		t.Error("a picture of three samples")
	}
	if _, err := decoded(2, 2, nil, errFaulty); err != errFaulty {
		t.Errorf("an error: %v", err)
	}
}

// mixedSizes is a codec whose streams are parts that a test gives.
type mixedSizes struct {
	standin
	parts [][]byte
}

func (m mixedSizes) SplitFrames([]byte) ([][]byte, error) { return m.parts, nil }

// TestGuess: where a search begins is where the formulas of its comment put it.
func TestGuess(t *testing.T) {
	for _, c := range []struct {
		target    Target
		deviation float64
		unit      float64
		want      float64
	}{
		{Target{TargetBits, 2.05}, 16, 1, 28}, {Target{TargetBits, 3.05}, 16, 1, 22}, {Target{TargetBits, 3.05}, 32, 1, 28}, {Target{TargetBits, 60}, 16, 1, 0}, {Target{TargetBits, 0.01}, 5000, 1, 51},
		{Target{TargetMSE, 1.0 / 12}, 0, 1, 4}, {Target{TargetMSE, 4.0 / 12}, 0, 1, 10}, {Target{TargetMSE, 16.0 / 12}, 0, 4, 10}, {Target{TargetMSE, 1e-12}, 0, 1, 0},
	} {
		s := searcher{c: &frameCoder{opt: standinOptions(c.target)}, goal: goal{unit: c.unit}, codes: func() float64 { return c.deviation*c.deviation - 0.1 }}
		if got := s.guess().Float(); math.Abs(got-c.want) > 1.0/16 {
			t.Errorf("%v, deviation %g, unit %g: begins at QP %g, want %g", c.target, c.deviation, c.unit, got, c.want)
		}
	}
}

// counting is the stand-in codec, which counts the frames that it codes.
type counting struct {
	standin
	frames *atomic.Int64
}

type countingEncoder struct {
	Encoder
	frames *atomic.Int64
}

func (c counting) NewEncoder(cfg Config) (Encoder, error) {
	e, err := c.standin.NewEncoder(cfg)
	return countingEncoder{e, c.frames}, err
}

func (e countingEncoder) AppendFrame(dst, pix []byte, stride int, qp QP, index int) ([]byte, error) {
	e.frames.Add(1)
	return e.Encoder.AppendFrame(dst, pix, stride, qp, index)
}

// TestSearchTries: a search codes a plane a few times, looks at four of many frames first, and tells of the progress of all.
func TestSearchTries(t *testing.T) {
	for _, size := range [][4]int{{128, 128, 128, 128}, {256, 256, 32, 32}} {
		plane := noise(size[0], size[1], 30)
		g, _ := NewGrid(size[0], size[1], size[2], size[3])
		for _, target := range []Target{{TargetBits, 1}, {TargetBits, 2.5}, {TargetBits, 4.5}, {TargetMSE, 2}, {TargetMSE, 60}, {TargetQP, 20}} {
			var frames, values atomic.Int64
			o := standinOptions(target)
			o.Codec = counting{frames: &frames}
			o.Progress = func(n int) { values.Add(int64(n)) }
			if _, err := EncodePlane(plane, g, o); err != nil {
				t.Fatal(err)
			}
			limit := int64(6 * g.Frames())
			if g.Frames() > 1 {
				limit = int64(6*g.Frames() + 12*sampleCount)
			}
			if target.Kind == TargetQP {
				limit = int64(g.Frames())
			}
			if n := frames.Load(); n > limit || n < int64(g.Frames()) || values.Load() != n*int64(size[2]*size[3]) {
				t.Errorf("%v, %v: %d frames coded, want at most %d; progress of %d values", size, target, n, limit, values.Load())
			}
		}
	}
}

// watching is the stand-in codec, which notes the first code of every frame.
type watching struct {
	standin
	seen *[]byte
}

type watchingEncoder struct {
	Encoder
	seen *[]byte
}

func (c watching) NewEncoder(cfg Config) (Encoder, error) {
	e, err := c.standin.NewEncoder(cfg)
	return watchingEncoder{e, c.seen}, err
}

func (e watchingEncoder) AppendFrame(dst, pix []byte, stride int, qp QP, index int) ([]byte, error) {
	*e.seen = append(*e.seen, pix[0])
	return e.Encoder.AppendFrame(dst, pix, stride, qp, index)
}

// TestSampledFrames: a search looks at frames that are spread over the plane before it codes all of them.
func TestSampledFrames(t *testing.T) {
	plane := noise(256, 256, 30)
	g, _ := NewGrid(256, 256, 32, 32)
	for i := range g.Frames() {
		x, y, _, _ := g.rect(i)
		plane[y*256+x] = byte(i)
	}
	var seen []byte
	o := standinOptions(Target{TargetBits, 3})
	o.Codec, o.Workers = watching{seen: &seen}, 1
	if _, err := EncodePlane(plane, g, o); err != nil {
		t.Fatal(err)
	}
	if want := []byte{8, 24, 40, 56}; !bytes.Equal(seen[:4], want) {
		t.Errorf("frames %d are coded first, want %d", seen[:4], want)
	}
	last := seen[len(seen)-64:]
	for i, frame := range last {
		if int(frame) != i {
			t.Errorf("frame %d of the last run is %d", i, frame)
		}
	}
}

// TestResidualTarget: the second stream has a target of its own, and is not clipped.
func TestResidualTarget(t *testing.T) {
	src := large(96)
	size, mse := map[float64]int{}, map[float64]float64{}
	for _, qp := range []float64{8, 20, 44} {
		o := standinTensors(Target{TargetQP, 30})
		o.Quant.Clip = 1.5
		o.Residual = &Target{TargetQP, qp}
		e, _ := pack(t, src, Selection{}, o, 0)
		size[qp], mse[qp] = e.Bytes, e.Results[0].MSE
	}
	if size[8] < size[20]+1000 || size[20] < size[44]+1000 || mse[8] > mse[20]/4 || mse[20] > mse[44]/4 {
		t.Errorf("bytes %v, MSE %v by the QP of the residual", size, mse)
	}
}
