package lmc

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"vcsim/internal/tensor"
)

// A repeated is a safetensors file of any size that is not there: header, then a pattern again and again, the round in its first
// bytes.
type repeated struct {
	header  []byte
	pattern []byte
	size    int64
}

func (f *repeated) ReadAt(b []byte, off int64) (int, error) {
	n := 0
	for n < len(b) && off < f.size {
		if off < int64(len(f.header)) {
			k := copy(b[n:], f.header[off:])
			n += k
			off += int64(k)
			continue
		}
		round := (off - int64(len(f.header))) / int64(len(f.pattern))
		from := (off - int64(len(f.header))) % int64(len(f.pattern))
		k := copy(b[n:min(len(b), n+int(f.size-off))], f.pattern[from:])
		if from == 0 && k >= 2 {
			storeValue(b[n:], uint64(round), 2)
		}
		n += k
		off += int64(k)
	}
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

// peakHeap calls f and returns by how much the heap in use has grown at most meanwhile.
func peakHeap(f func()) int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	before := int64(m.HeapInuse)
	stop, peak := make(chan bool), make(chan int64)
	go func() {
		most := int64(0)
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most = max(most, int64(m.HeapInuse)-before)
			select {
			case <-stop:
				peak <- most
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	}()
	f()
	stop <- true
	return <-peak
}

// TestMemory: however large the file, packing, verifying and unpacking it, whole and on a base, take some buffers for each
// thread, in one tensor as in many. VCSIM_LMC_LONG=1 makes the file larger.
func TestMemory(t *testing.T) {
	const threads, limit = 2, 24 << 20
	size := int64(96 << 20)
	if os.Getenv("VCSIM_LMC_LONG") != "" {
		size = 1 << 30
	}
	file := func(change int) *Snapshot {
		infos := []tensor.Info{{Name: "one", DType: tensor.BF16, Shape: []int{int(size / 4)}}}
		for i := range 16 {
			infos = append(infos, tensor.Info{Name: fmt.Sprint("part", i), DType: tensor.BF16, Shape: []int{int(size / 64)}})
		}
		header, err := tensor.SafetensorsHeader(infos, nil)
		if err != nil {
			t.Fatal(err)
		}
		pattern := gaussBF16(1<<19 + 8)
		for i := 64; i < change; i += 2 {
			pattern[i] += 4
		}
		s, err := read(&repeated{header, pattern, int64(len(header)) + size}, int64(len(header))+size, "repeated.safetensors")
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	dir := t.TempDir()
	check := func(what string, f func() error) {
		t.Helper()
		var err error
		grown := peakHeap(func() { err = f() })
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if grown > limit {
			t.Errorf("%s of %d MiB: the heap grew by %d bytes, want %d at most", what, size>>20, grown, limit)
		}
		t.Logf("%s of %d MiB: the heap grew by %.1f MB", what, size>>20, float64(grown)/1e6)
	}
	write := func(name string, opts PackOptions, in *Snapshot) func() error {
		return func() error {
			out, err := os.Create(filepath.Join(dir, name))
			if err != nil {
				return err
			}
			defer out.Close()
			_, err = Pack(t.Context(), out, in, opts)
			return err
		}
	}
	a, b := file(0), file(1<<19)
	check("pack", write("a.lmc", PackOptions{Threads: threads}, a))
	base := openChain(t, filepath.Join(dir, "a.lmc"))
	defer base.Close()
	check("pack on a base", write("b.lmc", PackOptions{Threads: threads, Base: base, BasePath: "a.lmc"}, b))
	packed := openChain(t, filepath.Join(dir, "b.lmc"))
	defer packed.Close()
	if mode := packed.tensors[0].mode; mode == Whole {
		t.Errorf("the snapshot on a base is stored whole")
	}
	check("verify", func() error { return Verify(t.Context(), packed, 1, UnpackOptions{Threads: threads}) })
	check("unpack on a base", func() error {
		got, want := sha256.New(), sha256.New()
		if err := Unpack(t.Context(), got, packed, UnpackOptions{Threads: threads}); err != nil {
			return err
		}
		if _, err := io.Copy(want, bufio.NewReaderSize(io.NewSectionReader(b.r, 0, b.bytes), 1<<20)); err != nil {
			return err
		}
		if string(got.Sum(nil)) != string(want.Sum(nil)) {
			return fmt.Errorf("other bytes than were packed")
		}
		return nil
	})
}
