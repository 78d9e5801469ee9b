package rd

import (
	"math"
	"slices"
	"testing"

	"vcsim/internal/baseline"
	"vcsim/internal/tensor"
	"vcsim/internal/tensorcodec"
)

// TestFormats: on a Gaussian the codec needs a little more than ECSQ at the error of a format and less than the format; that is what
// coding at the same error takes; and formats leave the comparison at rates as it is.
func TestFormats(t *testing.T) {
	m := gaussian(t, 128, 256)
	methods := Methods{Codecs: []tensorcodec.Codec{lookup(t, "t265")}, Tiers: []string{"hw"}, Step: func() {}}
	rates := []float64{2, 3, 4}
	plain, err := Compare(t.Context(), m, rates, &methods)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"nvfp4", "mxfp4", "mxfp8", "fp8", "rtn-2-g32"} {
		f, err := baseline.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		methods.Formats = append(methods.Formats, f)
	}
	r, err := Compare(t.Context(), m, rates, &methods)
	if err != nil {
		t.Fatal(err)
	}
	for k := range plain.Above {
		for i := range rates {
			if a, b := plain.Above[k][i], r.Above[k][i]; (a == nil) != (b == nil) || a != nil && *a != *b {
				t.Errorf("%s at %v bits differs with formats", r.Curves[k].Method, rates[i])
			}
		}
	}
	if len(r.Formats) != len(methods.Formats) || plain.Formats != nil {
		t.Fatalf("%d formats", len(r.Formats))
	}
	variance := tensor.Variance(m.Values)
	for i, f := range r.Formats {
		y, bits := methods.Formats[i].Round(m.Values, m.Rows, m.Cols)
		mse := tensor.Compare(m.Values, y).MSE
		if f.Bits != bits || f.MSE != mse || math.Abs(f.NMSEDB-10*math.Log10(mse/variance)) > 1e-12 || f.Format != methods.Formats[i].Name() {
			t.Errorf("%+v: want %v bits and error %v", f, bits, mse)
		}
		if len(f.Needs) != 1 || f.Needs[0].Method != "t265 hw" || f.Needs[0].Bits == nil {
			t.Fatalf("%s: %+v", f.Format, f.Needs)
		}
		need := *f.Needs[0].Bits
		if need < f.ECSQ-0.05 || need > f.ECSQ+1.2 || f.Format != "fp8" && need >= f.Bits {
			t.Errorf("%s of %.3f bits: the codec needs %.3f, ECSQ %.3f", f.Format, f.Bits, need, f.ECSQ)
		}
		opt := m.Options()
		opt.Codec, opt.Tier, opt.Target = methods.Codecs[0], "hw", tensorcodec.Target{Kind: tensorcodec.TargetMSE, Value: mse}
		c, err := m.Encode(opt)
		if err != nil {
			t.Fatal(err)
		}
		if got := 8 * float64(len(c.Stream)) / float64(len(m.Values)); math.Abs(got-need) > 0.12 {
			t.Errorf("%s: coding at its error takes %.3f bits, %.3f were found", f.Format, got, need)
		}
	}
}

// TestExtend: parameters keep their phase, reach the errors of formats, and stay within what a codec has.
func TestExtend(t *testing.T) {
	m := gaussian(t, 64, 64)
	at := func(qp float64) FormatPoint { return FormatPoint{MSE: m.Unit() / 12 * math.Exp2((qp-4)/3)} } // as sampleQPs has it
	for _, tt := range []struct {
		qps     []float64
		formats []FormatPoint
		lo, hi  float64
	}{
		{[]float64{20, 23, 26}, nil, 20, 26},
		{[]float64{20, 23, 26}, []FormatPoint{at(24)}, 17, 29},
		{[]float64{20, 23, 26}, []FormatPoint{at(12), at(40)}, 5, 44},
		{[]float64{20, 23}, []FormatPoint{at(-20)}, 20, 23},
		{[]float64{20, 23}, []FormatPoint{at(50)}, 20, 50},
		{nil, []FormatPoint{at(20)}, 15, 24},
	} {
		got := extend(slices.Clone(tt.qps), m, tt.formats)
		for i := 1; i < len(got); i++ {
			if got[i]-got[i-1] != qpStep {
				t.Errorf("%v is not even", got)
			}
		}
		if len(got) == 0 || got[0] < 0 || got[0] > tt.lo+2 || got[len(got)-1] < tt.hi-2 || got[len(got)-1] > mostQP {
			t.Errorf("%v with %v: %v, want about %v to %v", tt.qps, tt.formats, got, tt.lo, tt.hi)
		}
		for _, q := range tt.qps {
			if !slices.Contains(got, q) {
				t.Errorf("%v has lost %v", got, q)
			}
		}
	}
}
