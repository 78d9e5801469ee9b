package tensorcodec_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"

	"vcsim/internal/tensor"
	"vcsim/internal/tensorcodec"
)

// A tensor is coded at 3 bits a value into a safetensors container, and decoded from it.
func Example() {
	const rows, cols = 256, 512
	random := rand.New(rand.NewPCG(1, 2))
	var data []byte
	for range rows * cols {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(0.02*random.NormFloat64())))
	}
	source := tensorcodec.Single{Info: tensor.Info{Name: "weight", DType: tensor.F32, Shape: []int{rows, cols}}, Data: data}

	codec, err := tensorcodec.Lookup("t265")
	if err != nil {
		fmt.Println(err)
		return
	}
	encoded, err := tensorcodec.Encode(source, tensorcodec.Selection{}, tensorcodec.TensorOptions{
		Options: tensorcodec.Options{Codec: codec, Tier: "hw", Target: tensorcodec.Target{Kind: tensorcodec.TargetBits, Value: 3}},
	}, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer // any safetensors reader lists it
	if err := encoded.Write(&file); err != nil {
		fmt.Println(err)
		return
	}

	stored, err := tensor.ReadSafetensors(bytes.NewReader(file.Bytes()), int64(file.Len()), "weight.safetensors")
	if err != nil {
		fmt.Println(err)
		return
	}
	container, err := tensorcodec.OpenContainer(stored)
	if err != nil {
		fmt.Println(err)
		return
	}
	decoded, err := container.Decode(container.Tensors[0], 0) // float32, as the original
	if err != nil {
		fmt.Println(err)
		return
	}
	var squares, energy float64
	for i := 0; i < len(data); i += 4 {
		v := float64(math.Float32frombits(binary.LittleEndian.Uint32(data[i:])))
		d := float64(math.Float32frombits(binary.LittleEndian.Uint32(decoded[i:]))) - v
		squares, energy = squares+d*d, energy+v*v
	}
	fmt.Printf("%.1f bits a value\n", encoded.Results[0].BitsPerValue())
	fmt.Printf("error %.0f dB below the signal\n", 10*math.Log10(energy/squares))
	// Output:
	// 3.0 bits a value
	// error 15 dB below the signal
}
