package block

// Reference samples of intra prediction: gathering (clauses 8.3.1.2, 8.3.2.2
// and 8.3.3) and the filter of 8x8 blocks (8.3.2.2.1).
//
//	corner  above ......  above right ......
//	left    block
//	 :

// RefCorner is the index of the corner sample p[-1, -1] in refs.
const RefCorner = 16

// Refs holds the reference samples of a block of size n <= 16 in one line: the
// lower left end p[-1, n-1] at RefCorner-n, the corner at RefCorner, the upper
// right end p[2n-1, -1] (n < 16) at RefCorner+2n. Sample p[-1, i] is at
// RefCorner-1-i and p[i, -1] at RefCorner+1+i. Samples that are not available
// are undefined.
type Refs [2*RefCorner + 1]uint8

// Gather reads the reference samples of the n by n block whose top left
// sample is pix[at]. Where those above right are not available, the last one
// above stands in for them.
func (r *Refs) Gather(pix []byte, stride, at, n int, nb Neighbourhood) {
	const c = RefCorner
	if nb.Left {
		p := at - 1
		for i := c - 1; i >= c-n; i-- {
			r[i&31] = pix[p]
			p += stride
		}
	}
	if nb.Corner {
		r[c] = pix[at-stride-1]
	}
	if !nb.Above {
		return
	}
	switch {
	case n == 16:
		copy(r[c+1:c+1+16], pix[at-stride:])
	case nb.AboveRight:
		copy(r[c+1:c+1+2*n], pix[at-stride:])
	default:
		copy(r[c+1:c+1+n], pix[at-stride:])
		last := r[c+n]
		for i := c + 1 + n; i < c+1+2*n; i++ {
			r[i] = last
		}
	}
}

// Filter writes the filtered reference samples of an 8x8 block to dst.
func (r *Refs) Filter(dst *Refs, nb Neighbourhood) {
	const c, n = RefCorner, 8
	tap := func(a, b, d uint8) uint8 { return uint8((uint(a) + 2*uint(b) + uint(d) + 2) >> 2) }
	if nb.Above {
		first := r[c+1] // stands in for a missing corner
		if nb.Corner {
			first = r[c]
		}
		dst[c+1] = tap(first, r[c+1], r[c+2])
		for i := c + 2; i < c+2*n; i++ {
			dst[i] = tap(r[i-1], r[i], r[i+1])
		}
		dst[c+2*n] = tap(r[c+2*n-1], r[c+2*n], r[c+2*n])
	}
	if nb.Corner {
		before, after := r[c], r[c]
		if nb.Left {
			before = r[c-1]
		}
		if nb.Above {
			after = r[c+1]
		}
		dst[c] = tap(before, r[c], after)
	}
	if nb.Left {
		first := r[c-1]
		if nb.Corner {
			first = r[c]
		}
		dst[c-1] = tap(first, r[c-1], r[c-2])
		for i := c - 2; i > c-n; i-- {
			dst[i] = tap(r[i+1], r[i], r[i-1])
		}
		dst[c-n] = tap(r[c-n+1], r[c-n], r[c-n])
	}
}
