package tensor

import (
	"encoding/binary"
	"fmt"
	"math"
)

// DType is the element type of a stored tensor, named as safetensors names it.
type DType uint8

// Element types of safetensors files. Those for which [DType.Codable] is false can only be copied.
const (
	Invalid DType = iota
	F64
	F32
	F16
	BF16
	I8
	U8
	Bool
	F4
	F6E2M3
	F6E3M2
	F8E5M2
	F8E4M3
	F8E8M0
	I16
	U16
	I32
	U32
	I64
	U64
	C64
)

var dtypes = [...]struct {
	name    string
	bits    int
	codable bool
}{
	Invalid: {"invalid", 0, false},
	F64:     {"F64", 64, true},
	F32:     {"F32", 32, true},
	F16:     {"F16", 16, true},
	BF16:    {"BF16", 16, true},
	I8:      {"I8", 8, true},
	U8:      {"U8", 8, true},
	Bool:    {"BOOL", 8, false},
	F4:      {"F4", 4, false},
	F6E2M3:  {"F6_E2M3", 6, false},
	F6E3M2:  {"F6_E3M2", 6, false},
	F8E5M2:  {"F8_E5M2", 8, false},
	F8E4M3:  {"F8_E4M3", 8, false},
	F8E8M0:  {"F8_E8M0", 8, false},
	I16:     {"I16", 16, false},
	U16:     {"U16", 16, false},
	I32:     {"I32", 32, false},
	U32:     {"U32", 32, false},
	I64:     {"I64", 64, false},
	U64:     {"U64", 64, false},
	C64:     {"C64", 64, false},
}

// ParseDType returns the type with a safetensors name.
func ParseDType(name string) (DType, error) {
	for d := F64; int(d) < len(dtypes); d++ {
		if dtypes[d].name == name {
			return d, nil
		}
	}
	return Invalid, UnsupportedError(fmt.Sprintf("dtype %q", name))
}

func (d DType) String() string {
	if int(d) < len(dtypes) {
		return dtypes[d].name
	}
	return fmt.Sprintf("DType(%d)", uint8(d))
}

// Bits returns the size of one element in bits.
func (d DType) Bits() int {
	if int(d) < len(dtypes) {
		return dtypes[d].bits
	}
	return 0
}

// Codable reports whether [Decode] and [Encode] handle the type.
func (d DType) Codable() bool { return int(d) < len(dtypes) && dtypes[d].codable }

// Integer reports whether the type holds 8-bit codes, which need no quantiser.
func (d DType) Integer() bool { return d == I8 || d == U8 }

// Decode converts little-endian elements of type d to float32, appending to dst. len(raw) must be a multiple of the
// element size. F64 values beyond the range of float32 become infinities.
func Decode(dst []float32, d DType, raw []byte) ([]float32, error) {
	if !d.Codable() {
		return nil, UnsupportedError(fmt.Sprintf("dtype %s", d))
	}
	size := d.Bits() / 8
	if len(raw)%size != 0 {
		return nil, FormatError(fmt.Sprintf("data: %d bytes are not a whole number of %s values", len(raw), d))
	}
	n := len(raw) / size
	at := len(dst)
	dst = append(dst, make([]float32, n)...)
	out := dst[at:]
	switch d {
	case F64:
		for i := range out {
			out[i] = float32(math.Float64frombits(binary.LittleEndian.Uint64(raw[8*i:])))
		}
	case F32:
		for i := range out {
			out[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
		}
	case F16:
		for i := range out {
			out[i] = F16ToFloat32(binary.LittleEndian.Uint16(raw[2*i:]))
		}
	case BF16:
		for i := range out {
			out[i] = BF16ToFloat32(binary.LittleEndian.Uint16(raw[2*i:]))
		}
	case I8:
		for i := range out {
			out[i] = float32(int8(raw[i]))
		}
	case U8:
		for i := range out {
			out[i] = float32(raw[i])
		}
	}
	return dst, nil
}

// Encode converts values to little-endian elements of type d, appending to dst. Rounding is to nearest, ties to even;
// finite values beyond the range of d become its largest finite value of the same sign.
func Encode(dst []byte, d DType, values []float32) ([]byte, error) {
	if !d.Codable() {
		return nil, UnsupportedError(fmt.Sprintf("dtype %s", d))
	}
	le := binary.LittleEndian
	for _, v := range values {
		switch d {
		case F64:
			dst = le.AppendUint64(dst, math.Float64bits(float64(v)))
		case F32:
			dst = le.AppendUint32(dst, math.Float32bits(v))
		case F16:
			dst = le.AppendUint16(dst, Float32ToF16(v))
		case BF16:
			dst = le.AppendUint16(dst, Float32ToBF16(v))
		case I8:
			dst = append(dst, byte(int8(clamp(math.RoundToEven(float64(v)), -128, 127))))
		case U8:
			dst = append(dst, byte(clamp(math.RoundToEven(float64(v)), 0, 255)))
		}
	}
	return dst, nil
}

func clamp(x, lo, hi float64) float64 { return max(lo, min(hi, x)) }

// BF16ToFloat32 widens a bfloat16; it is exact.
func BF16ToFloat32(h uint16) float32 { return math.Float32frombits(uint32(h) << 16) }

// Float32ToBF16 rounds to the nearest bfloat16, ties to even. Finite values stay finite.
func Float32ToBF16(v float32) uint16 {
	b := math.Float32bits(v)
	if b&0x7f800000 == 0x7f800000 { // infinity or NaN; a NaN keeps a fraction bit
		h := uint16(b >> 16)
		if b&0x007fffff != 0 {
			h |= 0x40
		}
		return h
	}
	h := uint16((b + 0x7fff + b>>16&1) >> 16)
	if h&0x7f80 == 0x7f80 { // rounded up to infinity
		h--
	}
	return h
}

// BF16Up returns the smallest bfloat16 at or above v, which must be finite; beyond the range, the largest finite one.
func BF16Up(v float32) float32 {
	b := math.Float32bits(v)
	if b&0xffff != 0 {
		if b>>31 == 0 {
			b += 0x10000 // away from zero is up
		}
		b &^= 0xffff
		if b&0x7f800000 == 0x7f800000 {
			b = 0x7f7f0000
		}
	}
	return math.Float32frombits(b)
}

// BF16Down returns the largest bfloat16 at or below v, which must be finite; beyond the range, the smallest finite one.
func BF16Down(v float32) float32 { return -BF16Up(-v) }

// F16ToFloat32 widens an IEEE 754 binary16; it is exact.
func F16ToFloat32(h uint16) float32 {
	sign, exp, frac := uint32(h>>15)<<31, uint32(h>>10&31), uint32(h&0x3ff)
	switch exp {
	case 31:
		return math.Float32frombits(sign | 0x7f800000 | frac<<13)
	case 0: // zero or subnormal: frac * 2^-24
		v := float32(frac) * 0x1p-24
		return math.Float32frombits(sign | math.Float32bits(v))
	}
	return math.Float32frombits(sign | (exp+127-15)<<23 | frac<<13)
}

// Float32ToF16 rounds to the nearest binary16, ties to even. Finite values stay finite.
func Float32ToF16(v float32) uint16 {
	b := math.Float32bits(v)
	sign := uint16(b >> 16 & 0x8000)
	b &= 0x7fffffff
	switch {
	case b > 0x7f800000: // NaN
		return sign | 0x7e00
	case b == 0x7f800000:
		return sign | 0x7c00
	case b >= 0x477fe000: // 65504 and above
		return sign | 0x7bff
	case b < 0x38800000: // below 2^-14: subnormal, in units of 2^-24
		return sign | uint16(math.RoundToEven(float64(math.Float32frombits(b))*0x1p24))
	}
	b += 0xfff + b>>13&1
	h := uint16((b - (127-15)<<23) >> 13)
	if h >= 0x7c00 {
		h = 0x7bff
	}
	return sign | h
}
