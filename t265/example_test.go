package t265_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"

	"vcsim/t265"
)

// A plane of codes goes through the encoder, and comes back from the decoder as the encoder's reconstruction.
func Example() {
	const width, height = 256, 256
	random := rand.New(rand.NewPCG(1, 2))
	plane := make([]byte, width*height)
	for i := range plane {
		plane[i] = byte(max(0, min(255, 128.5+20*random.NormFloat64()))) // as the codes of a weight matrix
	}

	e, err := t265.NewEncoder(t265.Params{Width: width, Height: height, Tier: t265.HW})
	if err != nil {
		fmt.Println(err)
		return
	}
	stream, err := e.AppendFrame(e.AppendHeader(nil), plane, width, 28) // Annex B, QP 28
	if err != nil {
		fmt.Println(err)
		return
	}

	d, err := t265.NewDecoder(stream)
	if err != nil {
		fmt.Println(err)
		return
	}
	picture, err := d.Next()
	if err != nil {
		fmt.Println(err)
		return
	}
	var squares float64
	for i, v := range e.Recon() {
		squares += (float64(v) - float64(plane[i])) * (float64(v) - float64(plane[i]))
	}
	fmt.Printf("%.2f bits a value\n", 8*float64(len(stream))/(width*height))
	fmt.Printf("mean squared error %.1f\n", squares/(width*height))
	fmt.Println("decoder and encoder agree:", bytes.Equal(picture.Pix, e.Recon()))
	// Output:
	// 2.49 bits a value
	// mean squared error 22.2
	// decoder and encoder agree: true
}
