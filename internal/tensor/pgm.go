package tensor

import (
	"fmt"
	"strconv"
)

// ParsePGM reads an 8-bit binary PGM (P5, maximum value 255, comments allowed in the header) from b; file names it in
// errors. The samples alias b, width*height bytes in raster order.
func ParsePGM(b []byte, file string) (width, height int, pix []byte, err error) {
	i := 0
	fail := func(format string, a ...any) (int, int, []byte, error) {
		return 0, 0, nil, fmt.Errorf("%s: offset %d: %w", file, i, FormatError("pgm: "+fmt.Sprintf(format, a...)))
	}
	if len(b) < 2 || b[0] != 'P' {
		return fail("no magic number")
	}
	if b[1] != '5' {
		if b[1] >= '1' && b[1] <= '7' {
			return 0, 0, nil, fmt.Errorf("%s: offset 0: %w", file, UnsupportedError(fmt.Sprintf("netpbm type P%c: only P5, 8 bit", b[1])))
		}
		return fail("no magic number")
	}
	i = 2
	var v [3]int
	for k := range v {
		from := i
		for i < len(b) && (space(b[i]) || b[i] == '#') {
			if b[i] == '#' {
				for i < len(b) && b[i] != '\n' && b[i] != '\r' {
					i++
				}
				continue
			}
			i++
		}
		digits := i
		for i < len(b) && b[i] >= '0' && b[i] <= '9' {
			i++
		}
		n, err := strconv.Atoi(string(b[digits:min(i, digits+10)]))
		if err != nil || from == digits || i-digits > 9 {
			i = digits
			return fail("header field %d is not a number", k+1)
		}
		v[k] = n
	}
	if i >= len(b) || !space(b[i]) {
		return fail("no white space after the header")
	}
	i++
	if v[2] != 255 {
		return 0, 0, nil, fmt.Errorf("%s: offset %d: %w", file, i, UnsupportedError(fmt.Sprintf("pgm maximum value %d: only 255, 8-bit codes", v[2])))
	}
	width, height = v[0], v[1]
	if width < 1 || height < 1 {
		return fail("size %dx%d", width, height)
	}
	pix = b[i:]
	if int64(width)*int64(height) > int64(len(pix)) {
		return fail("%dx%d samples, the file has %d", width, height, len(pix))
	}
	if n := width * height; n < len(pix) {
		i += n
		return fail("%d bytes after the last sample", len(pix)-n)
	}
	return width, height, pix, nil
}

// AppendPGM appends the header of a binary 8-bit PGM; the samples follow it.
func AppendPGM(dst []byte, width, height int) []byte {
	return fmt.Appendf(dst, "P5\n%d %d\n255\n", width, height)
}

func space(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }
