package tensor

import "math"

// BlockDCT returns the orthonormal type-II DCT of every n x n block of a rows x cols matrix. Values beyond the last whole
// block of a row or column are left as they are. It serves to study what a transform does to a distribution; codecs have
// integer transforms of their own.
func BlockDCT(x []float32, rows, cols, n int) []float32 {
	basis := make([]float64, n*n) // row k: cosine of frequency k
	for k := range n {
		norm := math.Sqrt(2 / float64(n))
		if k == 0 {
			norm = math.Sqrt(1 / float64(n))
		}
		for i := range n {
			basis[k*n+i] = norm * math.Cos(math.Pi*float64(2*i+1)*float64(k)/float64(2*n))
		}
	}
	out := append([]float32(nil), x...)
	half, full := make([]float64, n*n), make([]float64, n*n)
	for y := 0; y+n <= rows; y += n {
		for c := 0; c+n <= cols; c += n {
			for i := range n { // rows
				for k := range n {
					sum := 0.0
					for j := range n {
						sum += basis[k*n+j] * float64(x[(y+i)*cols+c+j])
					}
					half[i*n+k] = sum
				}
			}
			for k := range n { // columns
				for j := range n {
					sum := 0.0
					for i := range n {
						sum += basis[k*n+i] * half[i*n+j]
					}
					full[k*n+j] = sum
				}
			}
			for i := range n {
				for j := range n {
					out[(y+i)*cols+c+j] = finite(full[i*n+j])
				}
			}
		}
	}
	return out
}
