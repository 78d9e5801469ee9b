package tensor

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// nearest rounds v to a binary format with the given precision and minimum exponent through math/big, ties to even.
func nearest(v float64, prec uint, minExp int) float64 {
	if v == 0 {
		return 0
	}
	exp := math.Ilogb(v)
	if exp < minExp {
		prec -= uint(minExp - exp) // subnormal: fewer bits; the callers stay above half of the least one
	}
	f, _ := new(big.Float).SetPrec(prec).SetMode(big.ToNearestEven).SetFloat64(v).Float64()
	return f
}

func TestHalfRoundTrip(t *testing.T) {
	for i := range 1 << 16 {
		h := uint16(i)
		if h&0x7c00 != 0x7c00 {
			if got := Float32ToF16(F16ToFloat32(h)); got != h {
				t.Fatalf("F16 %#04x: got %#04x", h, got)
			}
		}
		if h&0x7f80 != 0x7f80 {
			if got := Float32ToBF16(BF16ToFloat32(h)); got != h {
				t.Fatalf("BF16 %#04x: got %#04x", h, got)
			}
		}
	}
}

// TestHalfDefinition widens every binary16 and bfloat16 by the definition of IEEE 754-2008, 3.4: (-1)^s 2^(e-bias) (1 + f/2^p),
// without the one when e is zero; e of all ones is infinity, or a NaN that keeps its fraction.
func TestHalfDefinition(t *testing.T) {
	for _, c := range []struct {
		name       string
		fraction   int
		exponent   int
		widen      func(uint16) float32
		narrow     func(float32) uint16
		infinities [2]uint16
	}{
		{"binary16", 10, 5, F16ToFloat32, Float32ToF16, [2]uint16{0x7c00, 0xfc00}},
		{"bfloat16", 7, 8, BF16ToFloat32, Float32ToBF16, [2]uint16{0x7f80, 0xff80}},
	} {
		for i := range 1 << 16 {
			h := uint16(i)
			f, e := int(h)&(1<<c.fraction-1), int(h)>>c.fraction&(1<<c.exponent-1)
			got := c.widen(h)
			if math.Signbit(float64(got)) != (h>>15 == 1) {
				t.Fatalf("%s %#04x: sign of %g", c.name, h, got)
			}
			a := math.Abs(float64(got))
			bias := 1<<(c.exponent-1) - 1
			want := math.Ldexp(float64(f)/float64(int(1)<<c.fraction)+1, e-bias)
			switch {
			case e == 1<<c.exponent-1 && f == 0:
				want = math.Inf(1)
			case e == 1<<c.exponent-1:
				if bits := math.Float32bits(got); bits&0x7fffffff != 0x7f800000|uint32(f)<<(23-c.fraction) {
					t.Fatalf("%s %#04x: NaN %#x", c.name, h, bits)
				}
				if back := c.widen(c.narrow(got)); back == back {
					t.Fatalf("%s %#04x: NaN came back as %g", c.name, h, back)
				}
				continue
			case e == 0:
				want = math.Ldexp(float64(f)/float64(int(1)<<c.fraction), 1-bias)
			}
			if a != want {
				t.Fatalf("%s %#04x: %g, want %g", c.name, h, a, want)
			}
		}
		for i, sign := range []int{1, -1} {
			if h := c.narrow(float32(math.Inf(sign))); h != c.infinities[i] {
				t.Errorf("%s: infinity %d is %#04x", c.name, sign, h)
			}
		}
	}
	// A NaN becomes a quiet one and keeps its sign; of a bfloat16, also the upper bits of its fraction.
	for _, c := range []struct {
		nan       uint32
		f16, bf16 uint16
	}{{0x7f800001, 0x7e00, 0x7fc0}, {0xff800001, 0xfe00, 0xffc0}, {0x7fffffff, 0x7e00, 0x7fff}, {0x7f810000, 0x7e00, 0x7fc1}, {0xffc00000, 0xfe00, 0xffc0}} {
		v := math.Float32frombits(c.nan)
		if f16, bf16 := Float32ToF16(v), Float32ToBF16(v); f16 != c.f16 || bf16 != c.bf16 {
			t.Errorf("NaN %#x: binary16 %#04x, bfloat16 %#04x; want %#04x, %#04x", c.nan, f16, bf16, c.f16, c.bf16)
		}
	}
}

// TestHalfNeighbours rounds the floats on both sides of the middle between any two finite neighbours, and the middle, which goes
// to the even one.
func TestHalfNeighbours(t *testing.T) {
	for _, c := range []struct {
		name   string
		last   uint16 // the largest finite one
		widen  func(uint16) float32
		narrow func(float32) uint16
	}{{"binary16", 0x7bff, F16ToFloat32, Float32ToF16}, {"bfloat16", 0x7f7f, BF16ToFloat32, Float32ToBF16}} {
		for h := uint16(0); h < c.last; h++ {
			below, above := c.widen(h), c.widen(h+1)
			middle := float32((float64(below) + float64(above)) / 2) // exact: it has one bit more
			even := h + h&1
			for _, k := range []struct {
				v    float32
				want uint16
			}{{math.Nextafter32(middle, 0), h}, {middle, even}, {math.Nextafter32(middle, above), h + 1}} {
				if got := c.narrow(k.v); got != k.want {
					t.Fatalf("%s: %g is %#04x, want %#04x", c.name, k.v, got, k.want)
				}
				if got := c.narrow(-k.v); got != k.want|0x8000 {
					t.Fatalf("%s: %g is %#04x, want %#04x", c.name, -k.v, got, k.want|0x8000)
				}
			}
		}
	}
}

// TestDTypeTable: sizes and names of safetensors 0.6, and values that are out of the table.
func TestDTypeTable(t *testing.T) {
	sizes := map[string]int{"F64": 64, "F32": 32, "F16": 16, "BF16": 16, "I8": 8, "U8": 8, "BOOL": 8, "F4": 4, "F6_E2M3": 6, "F6_E3M2": 6,
		"F8_E5M2": 8, "F8_E4M3": 8, "F8_E8M0": 8, "I16": 16, "U16": 16, "I32": 32, "U32": 32, "I64": 64, "U64": 64, "C64": 64}
	codable := map[string]bool{"F64": true, "F32": true, "F16": true, "BF16": true, "I8": true, "U8": true}
	for d := F64; d <= C64; d++ {
		name := d.String()
		if d.Bits() != sizes[name] || d.Codable() != codable[name] || d.Integer() != (name == "I8" || name == "U8") {
			t.Errorf("%s: %d bits, codable %v, integer %v", name, d.Bits(), d.Codable(), d.Integer())
		}
		delete(sizes, name)
	}
	for name := range sizes {
		t.Errorf("no type %s", name)
	}
	for d, want := range map[DType]string{Invalid: "invalid", C64 + 1: "DType(21)", 255: "DType(255)"} {
		if d.Bits() != 0 || d.Codable() || d.Integer() || d.String() != want {
			t.Errorf("%d: %s, %d bits, codable %v", uint8(d), d, d.Bits(), d.Codable())
		}
	}
	for _, name := range []string{"invalid", "", "f32"} {
		if d, err := ParseDType(name); err == nil || d != Invalid {
			t.Errorf("ParseDType(%q) = %v", name, d)
		}
	}
}

func TestHalfRounding(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 200000 {
		v := math.Float32frombits(rng.Uint32())
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			continue
		}
		if a := math.Abs(float64(v)); a < 65504 && a >= 0x1p-24 {
			if got, want := float64(F16ToFloat32(Float32ToF16(v))), nearest(float64(v), 11, -14); got != want {
				t.Fatalf("case %d: F16(%g) = %g, want %g", i, v, got, want)
			}
		}
		if a := math.Abs(float64(v)); a < 3.3e38 && a >= 0x1p-126 {
			if got, want := float64(BF16ToFloat32(Float32ToBF16(v))), nearest(float64(v), 8, -126); got != want {
				t.Fatalf("case %d: BF16(%g) = %g, want %g", i, v, got, want)
			}
		}
		up, down := BF16Up(v), BF16Down(v)
		if math.Abs(float64(v)) < 3.3e38 && !(down <= v && v <= up) {
			t.Fatalf("case %d: BF16Down(%g) = %g, BF16Up = %g", i, v, down, up)
		}
		if Float32ToBF16(up) != uint16(math.Float32bits(up)>>16) {
			t.Fatalf("case %d: BF16Up(%g) = %g is not a bfloat16", i, v, up)
		}
	}
}

// TestBF16Bounds: the nearest bfloat16 at or above, and at or below.
func TestBF16Bounds(t *testing.T) {
	const largest = 0x7f7f0000
	for _, c := range []struct{ v, down, up uint32 }{
		{0, 0, 0},
		{0x3f800000, 0x3f800000, 0x3f800000}, // exact
		{0xbf800000, 0xbf800000, 0xbf800000},
		{0x3f800001, 0x3f800000, 0x3f810000},
		{0x3f80ffff, 0x3f800000, 0x3f810000},
		{0x3f808000, 0x3f800000, 0x3f810000},
		{0xbf800001, 0xbf810000, 0xbf800000},
		{0xbf80ffff, 0xbf810000, 0xbf800000},
		{0x3fffffff, 0x3fff0000, 0x40000000},
		{1, 0, 0x00010000},
		{0x80000001, 0x80010000, 0x80000000},
		{largest, largest, largest},
		{largest + 1, largest, largest},
		{0xff7f0001, 0xff7f0000, 0xff7f0000},
	} {
		v := math.Float32frombits(c.v)
		if got := math.Float32bits(BF16Up(v)); got != c.up {
			t.Errorf("BF16Up(%#x) = %#x, want %#x", c.v, got, c.up)
		}
		if got := math.Float32bits(BF16Down(v)); got != c.down {
			t.Errorf("BF16Down(%#x) = %#x, want %#x", c.v, got, c.down)
		}
	}
}

func TestHalfExtremes(t *testing.T) {
	for i, c := range []struct {
		v    float32
		f16  uint16
		bf16 uint16
	}{
		{0, 0, 0},
		{65504, 0x7bff, 0x4780},
		{65519, 0x7bff, 0x4780},
		{1e30, 0x7bff, 0x714a},
		{-1e30, 0xfbff, 0xf14a},
		{math.MaxFloat32, 0x7bff, 0x7f7f},
		{float32(math.Inf(-1)), 0xfc00, 0xff80},
		{0x1p-24, 1, 0x3380},
		{0x1p-25, 0, 0x3300}, // tie to even
		{0x3p-25, 2, 0x33c0}, // 1.5 units: tie to even
		{0x1p-14, 0x400, 0x3880},
	} {
		if got := Float32ToF16(c.v); got != c.f16 {
			t.Errorf("case %d: F16(%g) = %#04x, want %#04x", i, c.v, got, c.f16)
		}
		if got := Float32ToBF16(c.v); got != c.bf16 {
			t.Errorf("case %d: BF16(%g) = %#04x, want %#04x", i, c.v, got, c.bf16)
		}
	}
	if v := F16ToFloat32(Float32ToF16(float32(math.NaN()))); v == v {
		t.Errorf("F16(NaN) = %g", v)
	}
	if v := BF16ToFloat32(Float32ToBF16(math.Float32frombits(0x7f800001))); v == v {
		t.Errorf("BF16(NaN with low fraction) = %g", v)
	}
}

func TestDecodeEncode(t *testing.T) {
	values := []float32{0, 1, -1, 3, 100, -128, 127, 300, -300}
	for _, c := range []struct {
		d    DType
		want []float32
	}{
		{F64, values}, {F32, values}, {F16, values}, {BF16, values},
		{I8, []float32{0, 1, -1, 3, 100, -128, 127, 127, -128}},
		{U8, []float32{0, 1, 0, 3, 100, 0, 127, 255, 0}},
	} {
		raw, err := Encode(nil, c.d, values)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := len(raw), len(values)*c.d.Bits()/8; got != want {
			t.Fatalf("%s: %d bytes, want %d", c.d, got, want)
		}
		got, err := Decode(nil, c.d, raw)
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s: value %d: got %g, want %g", c.d, i, got[i], c.want[i])
			}
		}
		if c.d.Bits() > 8 {
			if _, err := Decode(nil, c.d, raw[1:]); err == nil {
				t.Errorf("%s: no error on a partial value", c.d)
			}
		}
	}
	for d := F64; int(d) < len(dtypes); d++ {
		if got, err := ParseDType(d.String()); err != nil || got != d {
			t.Errorf("ParseDType(%q) = %v, %v", d, got, err)
		}
		if !d.Codable() {
			if _, err := Decode(nil, d, nil); err == nil {
				t.Errorf("Decode accepts %s", d)
			}
			if _, err := Encode(nil, d, nil); err == nil {
				t.Errorf("Encode accepts %s", d)
			}
		}
	}
}

// TestDecodeAppends: values follow those that are there; ties go to the even integer.
func TestDecodeAppends(t *testing.T) {
	got, err := Decode([]float32{9, 8}, I8, []byte{1, 0xff})
	if err != nil || !slices.Equal(got, []float32{9, 8, 1, -1}) {
		t.Errorf("Decode: %v, %v", got, err)
	}
	values := []float32{-200, -128.5, -0.5, 0.5, 1.5, 2.5, 126.5, 127.5, 254.5, 255.5, 1e9}
	for d, want := range map[DType][]float32{
		I8: {-128, -128, 0, 0, 2, 2, 126, 127, 127, 127, 127},
		U8: {0, 0, 0, 0, 2, 2, 126, 128, 254, 255, 255},
	} {
		raw, err := Encode([]byte("ab"), d, values)
		if err != nil || string(raw[:2]) != "ab" {
			t.Fatal(string(raw), err)
		}
		if got, err := Decode(nil, d, raw[2:]); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v, want %v", d, got, err, want)
		}
	}
}

// TestNumValues: the products at the bounds, and what errors return.
func TestNumValues(t *testing.T) {
	for _, c := range []struct {
		shape []int
		n     int
		err   string
	}{
		{nil, 1, ""}, {[]int{1, 1}, 1, ""}, {[]int{MaxValues}, MaxValues, ""}, {[]int{1 << 24, 1 << 24}, MaxValues, ""}, {[]int{3, 5, 7}, 105, ""}, {[]int{4, 0}, 0, ""},
		{[]int{MaxValues + 1}, 0, "more than"}, {[]int{1 << 24, 1<<24 + 1}, 0, "more than"}, {[]int{3, -1}, 0, "dimension 1 is negative"}, {[]int{0, -2}, 0, "dimension 1 is negative"},
	} {
		n, err := NumValues(c.shape)
		if n != c.n || (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("NumValues(%v) = %d, %v", c.shape, n, err)
		}
		size, err := Info{DType: F32, Shape: c.shape}.NumBytes()
		if size != 4*int64(c.n) || (err != nil) != (c.err != "") {
			t.Errorf("NumBytes(%v) = %d, %v", c.shape, size, err)
		}
	}
	for n := range 9 { // of six bits
		size, err := Info{DType: F6E2M3, Shape: []int{n}}.NumBytes()
		if whole := n%4 == 0; whole && size != int64(3*n/4) || !whole && size != 0 || whole != (err == nil) {
			t.Errorf("%d values of six bits: %d bytes, %v", n, size, err)
		}
	}
}

func TestFold(t *testing.T) {
	for i, c := range []struct {
		shape      []int
		rows, cols int
		bad        bool
	}{
		{nil, 1, 1, false},
		{[]int{7}, 1, 7, false},
		{[]int{3, 5}, 3, 5, false},
		{[]int{2, 3, 5}, 6, 5, false},
		{[]int{2, 0, 5}, 0, 0, false},
		{[]int{5, 0}, 0, 0, false},
		{[]int{-1, 5}, 0, 0, true},
		{[]int{1 << 40, 1 << 40}, 0, 0, true},
		{[]int{0, 1 << 62, 1 << 62}, 0, 0, true},
	} {
		rows, cols, err := Fold(c.shape)
		if rows != c.rows || cols != c.cols || (err != nil) != c.bad {
			t.Errorf("case %d: Fold(%v) = %d, %d, %v", i, c.shape, rows, cols, err)
		}
	}
}

func TestCheckFinite(t *testing.T) {
	if err := CheckFinite([]float32{1, -math.MaxFloat32, 0}); err != nil {
		t.Error(err)
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for from, err := range map[int]error{0: CheckFinite([]float32{1, 2, float32(v)}), 40: CheckFiniteFrom([]float32{1, 2, float32(v)}, 40)} {
			if _, ok := err.(UnsupportedError); !ok || !strings.Contains(err.Error(), fmt.Sprintf("at index %d:", from+2)) {
				t.Errorf("%v: error %v", v, err)
			}
		}
	}
}
