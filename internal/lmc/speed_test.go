package lmc

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/klauspost/compress/huff0"

	"vcsim/internal/tensor"
)

// cpuTime is the processor time of this thread.
func cpuTime(t *testing.T) time.Duration {
	const threadClock = 3 // CLOCK_THREAD_CPUTIME_ID
	var ts syscall.Timespec
	if _, _, errno := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, threadClock, uintptr(unsafe.Pointer(&ts)), 0); errno != 0 {
		t.Skip("no clock of a thread's processor time: ", errno)
	}
	return time.Duration(ts.Nano())
}

func gaussBF16(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, 2*n)
	for i := range n {
		storeValue(b[2*i:], uint64(math.Float32bits(float32(r.NormFloat64()*0.02))>>16), 2)
	}
	return b
}

// bf16Blocks returns whole blocks of BF16 values: Gaussian ones, and those of the corpus beside the checkout if it is there.
func bf16Blocks(t *testing.T) map[string][][]byte {
	blocks := map[string][][]byte{}
	cut := func(name string, b []byte) {
		for size := 2 * BlockValues; len(b) >= size; b = b[size:] {
			blocks[name] = append(blocks[name], b[:size])
		}
	}
	cut("gauss", gaussBF16(4*BlockValues))
	files, _ := filepath.Glob("../../../shared/tensors/*_bf16.safetensors")
	for _, file := range files {
		f, err := tensor.OpenSafetensors(file)
		if err != nil {
			t.Fatal(err)
		}
		var all []byte
		for _, info := range f.Tensors() {
			b, err := f.Read(info.Name, nil)
			if err != nil {
				t.Fatal(err)
			}
			if info.DType == tensor.BF16 {
				all = append(all, b...)
			}
		}
		f.Close()
		cut(filepath.Base(file), all)
	}
	return blocks
}

// TestSpeed measures the block coder against huff0 on the same byte planes, in turn, in processor time of one thread, the
// least of some rounds. First both sides start from BF16 values and end with them, and the planes are cut and joined by the
// same code; then from planes to planes.
func TestSpeed(t *testing.T) {
	if os.Getenv("VCSIM_LMC_SPEED") == "" {
		t.Skip("set VCSIM_LMC_SPEED=1 to measure")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	const n = BlockValues
	var e encoder
	var d decoder
	h := &huff0.Scratch{Reuse: huff0.ReusePolicyNone}
	dh := &huff0.Scratch{}
	planes, out := make([]byte, 2*n), make([]byte, 2*n)
	peerEncode := func(dst [][]byte, src []byte) [][]byte {
		for k := range 2 {
			plane := src[k*n : k*n+n]
			c, _, err := huff0.Compress4X(plane, h)
			switch err {
			case nil:
			case huff0.ErrIncompressible, huff0.ErrUseRLE:
				c = plane
			default:
				t.Fatal(err)
			}
			dst[k] = append(dst[k][:0], c...)
		}
		return dst
	}
	peerDecode := func(planes []byte, src [][]byte) {
		for k, c := range src {
			if len(c) == n {
				copy(planes[k*n:], c)
				continue
			}
			s, rest, err := huff0.ReadTable(c, dh)
			if err != nil {
				t.Fatal(err)
			}
			if _, err = s.Decoder().Decompress4X(planes[k*n:k*n:k*n+n], rest); err != nil {
				t.Fatal(err)
			}
		}
	}
	blocks := bf16Blocks(t)
	var names []string
	for name := range blocks {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		list := blocks[name]
		ours := make([][]byte, len(list))
		peer := make([][][]byte, len(list))
		for i := range peer {
			peer[i] = make([][]byte, 2)
		}
		var stats PlaneStats
		const rounds = 60
		var times [8][]float64
		coded := make([][]byte, len(list)) // planes by our coder
		cut := make([][]byte, len(list))   // planes
		for i, b := range list {
			cut[i] = make([]byte, 2*n)
			split(cut[i], b, 2, true)
		}
		for range rounds {
			for k, f := range []func(i int, b []byte){
				func(i int, b []byte) { ours[i] = e.encodeBlock(ours[i][:0], b, layout{w: 2, float: true}, nil) },
				func(i int, b []byte) { split(planes, b, 2, true); peer[i] = peerEncode(peer[i], planes) },
				func(i int, b []byte) {
					if fault := d.decodeBlock(out, ours[i], nil, 2, true); fault != "" {
						t.Fatal(fault)
					}
				},
				func(i int, b []byte) { peerDecode(planes, peer[i]); merge(out, planes, nil, 2, true) },
				func(i int, b []byte) {
					coded[i] = e.encodePlane(e.encodePlane(coded[i][:0], cut[i][:n], true), cut[i][n:], true)
				},
				func(i int, b []byte) { peer[i] = peerEncode(peer[i], cut[i]) },
				func(i int, b []byte) {
					d.src, d.fault = coded[i], ""
					d.decodePlane(planes[:n], true)
					if d.decodePlane(planes[n:], true); d.fault != "" {
						t.Fatal(d.fault)
					}
				},
				func(i int, b []byte) { peerDecode(planes, peer[i]) },
			} {
				clear(out)
				clear(planes)
				start := cpuTime(t)
				for i, b := range list {
					f(i, b)
				}
				times[k] = append(times[k], (cpuTime(t)-start).Seconds()/float64(len(list)))
				if (k == 2 || k == 3) && string(out) != string(list[len(list)-1]) || k >= 6 && string(planes) != string(cut[len(list)-1]) {
					t.Fatalf("%s: not restored", name)
				}
			}
		}
		size, peerSize, bound := 0, 0, 0.0
		for i, b := range list {
			e.measure(b, layout{w: 2, float: true}, &stats)
			size += len(ours[i])
			peerSize += len(peer[i][0]) + len(peer[i][1])
		}
		bound = (stats.BoundBits[0] + stats.BoundBits[1]) / 8
		fmt.Printf("%s: %d blocks, size / bound %.4f (huff0 %.4f)\n", name, len(list), float64(size)/bound, float64(peerSize)/bound)
		for k, what := range []string{"compress", "decompress", "compress planes", "decompress planes"} {
			us, them := times[2*k], times[2*k+1]
			slices.Sort(us)
			slices.Sort(them)
			speed := func(s float64) float64 { return 2 * n / s / 1e9 }
			fmt.Printf("  %-17s %.2f GB/s, huff0 %.2f: ratio %.2f (of medians %.2f)\n", what, speed(us[0]), speed(them[0]), them[0]/us[0], them[rounds/2]/us[rounds/2])
		}
	}
}

func BenchmarkEncodeBlock(b *testing.B) {
	src := gaussBF16(BlockValues)
	var e encoder
	var dst []byte
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		dst = e.encodeBlock(dst[:0], src, layout{w: 2, float: true}, nil)
	}
}

func BenchmarkDecodeBlock(b *testing.B) {
	src := gaussBF16(BlockValues)
	var e encoder
	var d decoder
	coded := e.encodeBlock(nil, src, layout{w: 2, float: true}, nil)
	dst := make([]byte, len(src))
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if fault := d.decodeBlock(dst, coded, nil, 2, true); fault != "" {
			b.Fatal(fault)
		}
	}
}

// BenchmarkSteps codes and decodes differences in which half of the values changed.
func BenchmarkSteps(b *testing.B) {
	for _, w := range []int{2, 4} {
		values, base := adamUpdate(rand.New(rand.NewPCG(1, 3)), BlockValues, w, 0.5)
		l := layout{w: w, float: true}
		var wk worker
		var coded []byte
		name := map[int]string{2: "BF16", 4: "F32"}[w]
		b.Run("encode/"+name, func(b *testing.B) {
			b.SetBytes(int64(len(values)))
			b.ReportAllocs()
			for b.Loop() {
				coded = wk.encodeBlock(coded[:0], values, base, l, Step, nil)
			}
		})
		b.Run("decode/"+name, func(b *testing.B) {
			dst := make([]byte, len(values))
			b.SetBytes(int64(len(values)))
			b.ReportAllocs()
			for b.Loop() {
				if fault := wk.dec.restoreBlock(dst, coded, base, l, Step); fault != "" {
					b.Fatal(fault)
				}
			}
		})
	}
}
