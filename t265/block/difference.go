package block

// Differences of source and prediction or reconstruction.

// AbsoluteDifference returns the sum of absolute differences of source and
// prediction, a raster of n by n samples.
func AbsoluteDifference(src []byte, stride int, pred []byte, n int) (sum int) {
	for y := range n {
		s, p := src[y*stride:][:n], pred[y*n:][:n]
		for x := range s {
			sum += abs(int(s[x]) - int(p[x]))
		}
	}
	return sum
}

// SquaredDifference returns the sum of squared differences of source and
// reconstruction, a raster of n by n samples.
func SquaredDifference(src []byte, stride int, rec []byte, n int) (sum int) {
	for y := range n {
		s, p := src[y*stride:][:n], rec[y*n:][:n]
		for x := range s {
			d := int(s[x]) - int(p[x])
			sum += d * d
		}
	}
	return sum
}
