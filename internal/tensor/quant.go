package tensor

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Scheme says which values of a matrix share a scale.
type Scheme struct {
	kind  schemeKind
	group int
}

type schemeKind uint8

const (
	perTensor schemeKind = iota
	perChannel
	perRow
	perGroup
)

// PerTensor, PerChannel (one scale per column), PerRow and [PerGroup] are the schemes.
var (
	PerTensor  = Scheme{}
	PerChannel = Scheme{kind: perChannel}
	PerRow     = Scheme{kind: perRow}
)

// PerGroup gives every n consecutive values of a row one scale; the last group of a row may be shorter.
func PerGroup(n int) Scheme { return Scheme{kind: perGroup, group: n} }

// ParseScheme reads "tensor", "channel", "row" or "groupN" (N from 1 to 2^20).
func ParseScheme(s string) (Scheme, error) {
	switch s {
	case "tensor":
		return PerTensor, nil
	case "channel":
		return PerChannel, nil
	case "row":
		return PerRow, nil
	}
	if d, ok := strings.CutPrefix(s, "group"); ok {
		if n, err := strconv.Atoi(d); err == nil && n >= 1 && n <= 1<<20 {
			return PerGroup(n), nil
		}
	}
	return Scheme{}, fmt.Errorf("quantiser %q: want tensor, channel, row or groupN", s)
}

func (s Scheme) String() string {
	switch s.kind {
	case perChannel:
		return "channel"
	case perRow:
		return "row"
	case perGroup:
		return "group" + strconv.Itoa(s.group)
	}
	return "tensor"
}

// Scales returns how many scales a rows x cols matrix has.
func (s Scheme) Scales(rows, cols int) int {
	switch s.kind {
	case perChannel:
		return cols
	case perRow:
		return rows
	case perGroup:
		return rows * ((cols + s.group - 1) / s.group)
	}
	return 1
}

// locate returns the first scale of a row and how many neighbouring values share one.
func (s Scheme) locate(row, cols int) (first, per int) {
	switch s.kind {
	case perChannel:
		return 0, 1
	case perRow:
		return row, cols
	case perGroup:
		return row * ((cols + s.group - 1) / s.group), s.group
	}
	return 0, cols
}

// Quant is a round-to-nearest quantiser to 8-bit codes.
//
// Symmetric (absmax): code = round(v/D) + 128 with D = absmax/127, so codes are 1..255 and zero is exact. Asymmetric:
// code = round((v-lo)/D) with D = (max-lo)/255. With Clip > 0 the range of each scale is first limited to Clip standard
// deviations around the mean of the values that share it (around zero when symmetric); values outside saturate.
//
// One scale is a float32; several are bfloat16, rounded up (and lo down) so that the range still covers every value.
type Quant struct {
	Scheme Scheme
	Asym   bool
	Clip   float64
}

// Params are the scales of a quantised matrix: value = Scale * (code - 128), or Scale*code + Low when Low is not nil.
type Params struct {
	Scale []float32
	Low   []float32
}

// Fit computes the scales for a rows x cols matrix of finite values.
func (q Quant) Fit(x []float32, rows, cols int) Params {
	f := q.NewFitter(rows, cols)
	f.Add(x)
	return f.Params()
}

// A Fitter does what [Quant.Fit] does for rows that come a few at a time, in their order.
type Fitter struct {
	q         Quant
	row, cols int
	acc       []stat
}

// NewFitter begins the fit of a rows x cols matrix.
func (q Quant) NewFitter(rows, cols int) *Fitter {
	f := &Fitter{q: q, cols: cols, acc: make([]stat, q.Scheme.Scales(rows, cols))}
	for i := range f.acc {
		f.acc[i] = stat{lo: math.Inf(1), hi: math.Inf(-1)}
	}
	return f
}

// Add takes the next whole rows.
func (f *Fitter) Add(x []float32) {
	for ; len(x) > 0; x = x[f.cols:] {
		s, per := f.q.Scheme.locate(f.row, f.cols)
		for c := 0; c < f.cols; c += per {
			f.acc[s].add(x[c:min(c+per, f.cols)], f.q.Clip > 0)
			s++
		}
		f.row++
	}
}

// Params returns the scales of the rows so far.
func (f *Fitter) Params() Params {
	q, acc, n := f.q, f.acc, len(f.acc)
	p := Params{Scale: make([]float32, n)}
	if q.Asym {
		p.Low = make([]float32, n)
	}
	for i := range acc {
		lo, hi := acc[i].bounds(q)
		if q.Asym {
			l := float32(lo)
			if n > 1 {
				l = BF16Down(l)
			}
			p.Low[i] = l
			p.Scale[i] = scaleUp((hi-float64(l))/255, n > 1)
		} else {
			p.Scale[i] = scaleUp(max(hi, -lo)/127, n > 1)
		}
	}
	return p
}

// scaleUp rounds a step up to float32 or bfloat16.
func scaleUp(d float64, short bool) float32 {
	f := float32(d)
	if float64(f) < d {
		f = math.Nextafter32(f, math.MaxFloat32)
	}
	if short {
		f = BF16Up(f)
	}
	return f
}

// stat gathers the range, and for clipping the moments, of the values that share a scale.
type stat struct {
	lo, hi, sum, sum2 float64
	n                 int
}

func (a *stat) add(x []float32, moments bool) {
	lo, hi := float32(math.Inf(1)), float32(math.Inf(-1))
	for _, v := range x {
		lo, hi = min(lo, v), max(hi, v)
	}
	a.lo, a.hi = min(a.lo, float64(lo)), max(a.hi, float64(hi))
	if moments {
		for _, v := range x {
			a.sum += float64(v)
			a.sum2 += float64(float64(v) * float64(v))
		}
		a.n += len(x)
	}
}

func (a *stat) bounds(q Quant) (lo, hi float64) {
	if a.lo > a.hi {
		return 0, 0
	}
	if q.Clip <= 0 {
		return a.lo, a.hi
	}
	n := float64(a.n)
	mean := 0.0
	if q.Asym {
		mean = a.sum / n
	}
	dev := q.Clip * math.Sqrt(max(0, a.sum2/n-float64(mean*mean)))
	return max(a.lo, mean-dev), min(a.hi, mean+dev)
}

// A Window is a part of a matrix: W x H values, those of its row i following each other from i*Stride on. The upper left one
// is in column X and row Y of a matrix of Cols columns.
type Window struct {
	Cols       int
	X, Y, W, H int
	Stride     int
}

// whole is the window of a whole matrix.
func whole(rows, cols int) Window { return Window{Cols: cols, W: cols, H: rows, Stride: cols} }

// runs calls f for every run of values of a window that share a scale: k is the index of the scale, and the run is at
// values from to to of the slice that holds the window.
func (q Quant) runs(w Window, f func(k, from, to int)) {
	for r := range w.H {
		s, per := q.Scheme.locate(w.Y+r, w.Cols)
		for c := w.X; c < w.X+w.W; {
			end := min((c/per+1)*per, w.X+w.W)
			f(s+c/per, r*w.Stride+c-w.X, r*w.Stride+end-w.X)
			c = end
		}
	}
}

// Quantize writes the code of every value to dst. A scale of zero gives code 128 (0 when asymmetric).
func (q Quant) Quantize(dst []uint8, x []float32, rows, cols int, p Params) {
	q.QuantizeWindow(dst, x, whole(rows, cols), p)
}

// QuantizeWindow does that for the values of a window; dst and x are laid out alike.
func (q Quant) QuantizeWindow(dst []uint8, x []float32, w Window, p Params) {
	zero, least := 128.0, 1.0
	if q.Asym {
		zero, least = 0, 0
	}
	q.runs(w, func(k, from, to int) {
		inv, low := 0.0, 0.0
		if d := p.Scale[k]; d > 0 {
			inv = 1 / float64(d)
		}
		if q.Asym {
			low = float64(p.Low[k])
		}
		out := dst[from:to]
		for i, v := range x[from:to] {
			k := math.Floor(float64((float64(v)-low)*inv) + zero + 0.5)
			out[i] = uint8(max(least, min(255, k)))
		}
	})
}

// Dequantize writes the value of every code to dst.
func (q Quant) Dequantize(dst []float32, codes []uint8, rows, cols int, p Params) {
	q.DequantizeWindow(dst, codes, whole(rows, cols), p)
}

// DequantizeWindow does that for the codes of a window; dst and codes are laid out alike.
func (q Quant) DequantizeWindow(dst []float32, codes []uint8, w Window, p Params) {
	q.runs(w, func(k, from, to int) {
		zero, low := 128, 0.0
		if q.Asym {
			zero, low = 0, float64(p.Low[k])
		}
		d := float64(p.Scale[k])
		out := dst[from:to]
		for i, k := range codes[from:to] {
			out[i] = finite(float64(d*float64(int(k)-zero)) + low)
		}
	})
}

// finite rounds to float32, saturating at its range.
func finite(v float64) float32 {
	return float32(max(-math.MaxFloat32, min(math.MaxFloat32, v)))
}

// RTN rounds a matrix to bits-bit integers and back, the baseline of quantisation papers (VcLLM, equation 1):
// D = absmax/2^(bits-1), level = round(v/D) limited to -2^(bits-1) .. 2^(bits-1)-1. Scales are not rounded. It returns the
// values and the bits a value with 16-bit scales (none counted for one scale per tensor).
func RTN(x []float32, rows, cols, bits int, s Scheme) ([]float32, float64) {
	n := s.Scales(rows, cols)
	peak := make([]float64, n)
	each := func(f func(k int, part []float32, at int)) {
		for r := range rows {
			k, per := s.locate(r, cols)
			for c := 0; c < cols; c += per {
				f(k, x[r*cols+c:r*cols+min(c+per, cols)], r*cols+c)
				k++
			}
		}
	}
	each(func(k int, part []float32, _ int) {
		for _, v := range part {
			peak[k] = max(peak[k], math.Abs(float64(v)))
		}
	})
	half := math.Exp2(float64(bits - 1))
	out := make([]float32, len(x))
	each(func(k int, part []float32, at int) {
		d := peak[k] / half
		if d == 0 {
			return
		}
		for i, v := range part {
			out[at+i] = float32(d * clamp(math.RoundToEven(float64(v)/d), -half, half-1))
		}
	})
	rate := float64(bits)
	if n > 1 {
		rate += 16 * float64(n) / float64(len(x))
	}
	return out, rate
}

// SquaredError returns the sum of (x - dequantised code)^2 over the values of a window; x and codes are laid out alike.
func (q Quant) SquaredError(x []float32, codes []uint8, w Window, p Params) float64 {
	zero := 128
	if q.Asym {
		zero = 0
	}
	sum := 0.0
	q.runs(w, func(k, from, to int) {
		d, low := float64(p.Scale[k]), 0.0
		if q.Asym {
			low = float64(p.Low[k])
		}
		codes := codes[from:to]
		for i, v := range x[from:to] {
			e := float64(v) - float64(d*float64(int(codes[i])-zero)) - low
			sum += float64(e * e)
		}
	})
	return sum
}
