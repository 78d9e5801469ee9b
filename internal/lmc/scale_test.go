package lmc

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"vcsim/internal/cputime"
	"vcsim/internal/tensor"
)

// bigFile writes a safetensors file with Gaussian BF16 tensors of 2^22 values and size bytes in all. Steps more than none change
// the values a little.
func bigFile(t testing.TB, path string, size int64, steps int) {
	t.Helper()
	const values = 1 << 22
	var infos []tensor.Info
	for i := range int(size / (2 * values)) {
		infos = append(infos, tensor.Info{Name: fmt.Sprintf("layers.%d.weight", i), DType: tensor.BF16, Shape: []int{values / 4096, 4096}})
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := bufio.NewWriterSize(f, 1<<20)
	w, err := tensor.NewSafetensorsWriter(out, infos, nil)
	if err != nil {
		t.Fatal(err)
	}
	// 2^18 deviates in ever other order: what takes the time is not their making.
	deviates := make([]float32, 1<<18)
	r := rand.New(rand.NewPCG(9, 9))
	for i := range deviates {
		deviates[i] = float32(r.NormFloat64())
	}
	change := rand.New(rand.NewPCG(10, uint64(steps)))
	data := make([]byte, 2*values)
	for range infos {
		var at, mul uint32
		for i := range values {
			if i%4096 == 0 {
				at, mul = r.Uint32(), r.Uint32()|1
			}
			x := 0.02 * deviates[(at+uint32(i)*mul)>>14]
			if steps > 0 {
				x += 1e-4 * deviates[change.Uint32()>>14]
			}
			storeValue(data[2*i:], uint64(math.Float32bits(x)+0x8000)>>16, 2)
		}
		if err := w.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
}

// packTo packs file, on base unless that is "", to out, or nowhere if that is "".
func packTo(t testing.TB, file, base, out string, threads int) {
	t.Helper()
	in, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	opts := PackOptions{Threads: threads}
	if base != "" {
		if opts.Base, err = Open(base); err != nil {
			t.Fatal(err)
		}
		defer opts.Base.Close()
		opts.BasePath = filepath.Base(base)
	}
	w := io.Discard
	if out != "" {
		f, err := os.Create(out)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		w = f
	}
	if _, err := Pack(t.Context(), w, in, opts); err != nil {
		t.Fatal(err)
	}
}

// unpackTo restores file to out.
func unpackTo(t testing.TB, file string, out io.Writer, threads int) {
	t.Helper()
	s, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.OpenChain(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	if err := Unpack(t.Context(), out, s, UnpackOptions{Threads: threads}); err != nil {
		t.Fatal(err)
	}
}

// TestScaling measures whole snapshots with one and two threads: time by the clock and of the processors, the least of
// some rounds in turn. Files are in the page cache.
func TestScaling(t *testing.T) {
	if os.Getenv("VCSIM_LMC_SPEED") == "" {
		t.Skip("set VCSIM_LMC_SPEED=1 to measure")
	}
	dir := t.TempDir()
	const size = 64 << 20
	file, next := filepath.Join(dir, "a.safetensors"), filepath.Join(dir, "b.safetensors")
	bigFile(t, file, size, 0)
	bigFile(t, next, size, 1)
	whole, delta := filepath.Join(dir, "a.lmc"), filepath.Join(dir, "b.lmc")
	scratch := filepath.Join(dir, "scratch")
	packTo(t, file, "", whole, 0)
	packTo(t, next, whole, delta, 0)
	for _, c := range []struct {
		name string
		run  func(threads int)
	}{
		{"pack", func(n int) { packTo(t, file, "", "", n) }},
		{"pack to a file", func(n int) { packTo(t, file, "", scratch, n) }},
		{"unpack", func(n int) { unpackTo(t, whole, io.Discard, n) }},
		{"pack on a base", func(n int) { packTo(t, next, whole, "", n) }},
		{"unpack on a base", func(n int) { unpackTo(t, delta, io.Discard, n) }},
	} {
		var wall, cpu [3]float64
		for range 5 {
			for n := 1; n <= 2; n++ {
				start, used := time.Now(), cputime.Used(t)
				c.run(n)
				w, u := time.Since(start).Seconds(), (cputime.Used(t) - used).Seconds()
				if wall[n] == 0 || w < wall[n] {
					wall[n] = w
				}
				if cpu[n] == 0 || u < cpu[n] {
					cpu[n] = u
				}
			}
		}
		speed := func(s float64) float64 { return size / s / 1e9 }
		fmt.Printf("%-17s 1 thread %.2f GB/s (%.3f s, %.3f s of processors), 2 threads %.2f GB/s (%.3f s, %.3f s): %.2f times\n",
			c.name, speed(wall[1]), wall[1], cpu[1], speed(wall[2]), wall[2], cpu[2], wall[1]/wall[2])
	}
}
