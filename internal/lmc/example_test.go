package lmc_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"vcsim/internal/lmc"
	"vcsim/internal/tensor"
)

// checkpoint writes a safetensors file of one BF16 tensor.
func checkpoint(path string, weights []float32) error {
	var data []byte
	for _, v := range weights {
		data = binary.LittleEndian.AppendUint16(data, uint16(math.Float32bits(v)>>16))
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w, err := tensor.NewSafetensorsWriter(f, []tensor.Info{{Name: "weight", DType: tensor.BF16, Shape: []int{len(weights)}}}, nil)
	if err != nil {
		return err
	}
	if err := w.Write(data); err != nil {
		return err
	}
	return w.Close()
}

// pack writes a packed snapshot of in, as the difference to base if there is one.
func pack(ctx context.Context, out string, in, base *lmc.Snapshot) (*lmc.PackResult, error) {
	var b bytes.Buffer
	o := lmc.PackOptions{Base: base}
	if base != nil {
		o.BasePath = filepath.Base(base.Path)
	}
	result, err := lmc.Pack(ctx, &b, in, o)
	if err != nil {
		return nil, err
	}
	return result, os.WriteFile(out, b.Bytes(), 0o666)
}

// Two checkpoints are packed, the second as the difference to the first, and restored to the byte.
func Example() {
	if err := packAndRestore(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// whole: 1.51 times smaller
	// difference: 11.69 times smaller, 1 base below it
	// restored to the byte: true
}

func packAndRestore() error {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "lmc")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	name := func(file string) string { return filepath.Join(dir, file) }

	random := rand.New(rand.NewPCG(1, 2))
	weights := make([]float32, 1<<18)
	for i := range weights {
		weights[i] = float32(0.02 * random.NormFloat64())
	}
	if err := checkpoint(name("step1.safetensors"), weights); err != nil {
		return err
	}
	for i := range weights {
		weights[i] += float32(2e-5 * random.NormFloat64()) // one step of training
	}
	if err := checkpoint(name("step2.safetensors"), weights); err != nil {
		return err
	}

	first, err := lmc.Open(name("step1.safetensors"))
	if err != nil {
		return err
	}
	defer first.Close()
	whole, err := pack(ctx, name("step1.lmc"), first, nil)
	if err != nil {
		return err
	}
	base, err := lmc.Open(name("step1.lmc"))
	if err != nil {
		return err
	}
	defer base.Close()
	if err := base.OpenChain(ctx, ""); err != nil {
		return err
	}
	second, err := lmc.Open(name("step2.safetensors"))
	if err != nil {
		return err
	}
	defer second.Close()
	step, err := pack(ctx, name("step2.lmc"), second, base)
	if err != nil {
		return err
	}
	fmt.Printf("whole: %.2f times smaller\n", float64(whole.RawBytes)/float64(whole.PackedBytes))
	fmt.Printf("difference: %.2f times smaller, %d base below it\n", float64(step.RawBytes)/float64(step.PackedBytes), step.Depth)

	packed, err := lmc.Open(name("step2.lmc"))
	if err != nil {
		return err
	}
	defer packed.Close()
	if err := packed.OpenChain(ctx, ""); err != nil { // finds step1.lmc
		return err
	}
	var restored bytes.Buffer
	if err := lmc.Unpack(ctx, &restored, packed, lmc.UnpackOptions{}); err != nil {
		return err
	}
	original, err := os.ReadFile(name("step2.safetensors"))
	if err != nil {
		return err
	}
	fmt.Println("restored to the byte:", bytes.Equal(restored.Bytes(), original))
	return nil
}
