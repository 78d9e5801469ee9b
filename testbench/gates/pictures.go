package gates

import (
	"math"
	"math/rand/v2"
)

// Pictures that transforms have trouble with are of so many samples.
const (
	PictureWidth  = 256
	PictureHeight = 64
)

// blocks returns a picture whose blocks of n x n samples are what fill puts into the rows of each, whose first sample is at x, y.
func blocks(n int, fill func(block [][]byte, x, y int)) []byte {
	pix := make([]byte, PictureWidth*PictureHeight)
	block := make([][]byte, n)
	for y := 0; y < PictureHeight; y += n {
		for x := 0; x < PictureWidth; x += n {
			for i := range block {
				block[i] = pix[(y+i)*PictureWidth+x:][:n]
			}
			fill(block, x, y)
		}
	}
	return pix
}

// Steps returns blocks of n x n samples whose transforms have coefficients with many low bits of zero: flat ones, and such as have two values, which
// are multiples of 32, or black and white.
func Steps(n int, seed uint64) []byte {
	rng := rand.New(rand.NewPCG(seed, 4))
	return blocks(n, func(block [][]byte, _, _ int) {
		value := [2]byte{byte(32 * rng.IntN(8)), byte(32 * rng.IntN(8))}
		if rng.IntN(4) == 0 {
			value = [2]byte{0, 255}
		}
		if seed%2 == 0 {
			value[1] = value[0]
		}
		columns, rows := rng.IntN(1<<n), rng.IntN(1<<n) // which of them have the other value
		for y, row := range block {
			for x := range row {
				row[x] = value[(columns>>x^rows>>y)&1]
			}
		}
	})
}

// Stripes returns black and white columns, or rows, or almost so, that go through the whole picture, but for some blocks of n x n samples, where some of
// the columns, or rows, are exchanged for their complement: prediction from the edge is best, and of these blocks it says the opposite. No other
// residual is as large: of 255 and -255.
func Stripes(n int, seed uint64) []byte {
	rng := rand.New(rand.NewPCG(seed, 5))
	line := make([]byte, PictureWidth)
	for i := range line {
		line[i] = byte(255*rng.IntN(2)) ^ byte(rng.IntN(1+63*int(seed>>1&1)))
	}
	return blocks(n, func(block [][]byte, left, top int) {
		other := 0
		if rng.IntN(6) == 0 {
			other = 1<<n - 1
			if rng.IntN(2) == 0 {
				other = rng.IntN(1 << n)
			}
		}
		for y, row := range block {
			for x := range row {
				along, at := x, left+x
				if seed%2 != 0 {
					along, at = y, top+y
				}
				row[x] = line[at] ^ byte(-(other >> along & 1))
			}
		}
	})
}

// Waves returns blocks that are one function of a transform, in half of them, or the sum of several, each as large as there is room for or smaller:
// coefficients of all sizes, alone and with others. The functions are from -1 to 1, as many as they have points.
func Waves(functions [][]float64, seed uint64) []byte {
	n, rng := len(functions), rand.New(rand.NewPCG(seed, 6))
	return blocks(n, func(block [][]byte, _, _ int) {
		sum := make([]float64, n*n)
		for range 1 + rng.IntN(2)*rng.IntN(4) {
			u, v, size := rng.IntN(n), rng.IntN(n), float64(rng.IntN(257)-128)
			for i := range sum {
				sum[i] += size * functions[u][i%n] * functions[v][i/n]
			}
		}
		for y, row := range block {
			for x := range row {
				row[x] = byte(min(max(128+int(sum[y*n+x]), 0), 255))
			}
		}
	})
}

// Cosines returns the functions of a discrete cosine transform of n points.
func Cosines(n int) [][]float64 {
	functions := make([][]float64, n)
	for k := range functions {
		for i := range n {
			functions[k] = append(functions[k], math.Cos(math.Pi*float64(k)*(float64(i)+0.5)/float64(n)))
		}
	}
	return functions
}
