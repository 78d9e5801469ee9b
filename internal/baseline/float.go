package baseline

import "math"

// A Float is a narrow floating-point format of sign, exponent and mantissa, with subnormal values. Conversions round to
// nearest, ties to even, and saturate: a magnitude beyond Max becomes Max, as the MX specification wants of elements.
type Float struct {
	name     string
	exponent int     // bits
	mantissa int     // bits
	bias     int     // of the exponent
	max      float64 // largest finite magnitude
	nan      bool    // has codes that are not numbers
	infinity bool    // and codes of infinity: the largest exponent is reserved as in IEEE 754
}

// The element formats of the OCP Microscaling Formats (MX) specification 1.0, table 1; E4M3 and E5M2 are those of the OCP 8-bit
// floating point specification 1.0, table 1.
var (
	E2M1 = Float{name: "E2M1", exponent: 2, mantissa: 1, bias: 1, max: 6}
	E4M3 = Float{name: "E4M3", exponent: 4, mantissa: 3, bias: 7, max: 448, nan: true}
	E5M2 = Float{name: "E5M2", exponent: 5, mantissa: 2, bias: 15, max: 57344, nan: true, infinity: true}
)

// String is the format's name.
func (f *Float) String() string { return f.name }

// Bits is the width of a value.
func (f *Float) Bits() int { return 1 + f.exponent + f.mantissa }

// Max is the largest finite magnitude.
func (f *Float) Max() float64 { return f.max }

// emax is the exponent of the largest magnitude: floor(log2(Max)).
func (f *Float) emax() int { return math.Ilogb(f.max) }

// Round is the value nearest to v. An infinity saturates; NaN stays NaN.
func (f *Float) Round(v float64) float64 {
	if v == 0 || math.IsNaN(v) {
		return v
	}
	if math.Abs(v) >= f.max {
		return math.Copysign(f.max, v)
	}
	// Frexp has the leading bit at 2^-1.
	_, e := math.Frexp(v)
	unit := max(e-1, 1-f.bias) - f.mantissa // exponent of the last bit kept
	return math.Ldexp(math.RoundToEven(math.Ldexp(v, -unit)), unit)
}

// Encode is the code of the value nearest to v: sign, exponent, mantissa from the most significant bit of [Float.Bits] bits. NaN
// becomes the format's NaN, or zero where it has none.
func (f *Float) Encode(v float64) uint8 {
	sign := uint8(0)
	if math.Signbit(v) {
		sign = 1 << (f.exponent + f.mantissa)
	}
	if math.IsNaN(v) {
		if !f.nan {
			return 0
		}
		return 1<<(f.exponent+f.mantissa) - 1
	}
	a := math.Abs(f.Round(v))
	if a == 0 {
		return sign
	}
	e := max(math.Ilogb(a), 1-f.bias)
	m := int(math.Ldexp(a, f.mantissa-e)) // with the leading bit, if the value is normal
	return sign | uint8((e+f.bias-1)<<f.mantissa+m)
}

// Decode is the value of a code; bits above [Float.Bits] are ignored.
func (f *Float) Decode(code uint8) float64 {
	sign := 1.
	if code>>(f.exponent+f.mantissa)&1 == 1 {
		sign = -1
	}
	e := int(code) >> f.mantissa & (1<<f.exponent - 1)
	m := int(code) & (1<<f.mantissa - 1)
	top := e == 1<<f.exponent-1
	switch {
	case f.infinity && top && m == 0:
		return math.Inf(int(sign))
	case f.infinity && top, f.nan && top && m == 1<<f.mantissa-1:
		return math.NaN()
	case e == 0:
		return sign * math.Ldexp(float64(m), 1-f.bias-f.mantissa)
	}
	return sign * math.Ldexp(float64(m+1<<f.mantissa), e-f.bias-f.mantissa)
}

// The scale format of the MX specification, section 5.4.1: a power of two without sign or zero.
const (
	scaleBias = 127
	scaleNaN  = 0xff
)

// EncodeE8M0 is the code of 2^e, limited to the format's 2^-127 to 2^127.
func EncodeE8M0(e int) uint8 { return uint8(min(max(e, -scaleBias), scaleBias) + scaleBias) }

// DecodeE8M0 is the value of a scale's code; 0xff is NaN.
func DecodeE8M0(code uint8) float64 {
	if code == scaleNaN {
		return math.NaN()
	}
	return math.Ldexp(1, int(code)-scaleBias)
}
