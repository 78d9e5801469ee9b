package tensorcodec

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"testing"

	"vcsim/internal/tensor"
)

// TestStreamedAsHeld: a tensor that is read as it is coded gives the same container and the same figures as one that is held
// in memory.
func TestStreamedAsHeld(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, shape := range [][]int{{150, 130}, {1999}, {500, 7}, {12, 300}} {
		n, _ := tensor.NumValues(shape)
		x := make([]float32, n)
		for i := range x {
			x[i] = float32(40*rng.NormFloat64()) + float32(i%shape[len(shape)-1]%50)
		}
		if n > 1000 {
			x[17], x[18], x[n-1] = 1e6, -1e7, 3e6
		}
		for _, d := range []tensor.DType{tensor.F32, tensor.BF16, tensor.I8} {
			data, err := tensor.Encode(nil, d, x)
			if err != nil {
				t.Fatal(err)
			}
			src := Single{tensor.Info{Name: "x", DType: d, Shape: shape}, data}
			for name, set := range map[string]func(*TensorOptions){
				"plain":    func(o *TensorOptions) {},
				"frames":   func(o *TensorOptions) { o.FrameWidth, o.FrameHeight = 48, 16 },
				"channel":  func(o *TensorOptions) { o.Quant.Scheme = tensor.PerChannel },
				"row asym": func(o *TensorOptions) { o.Quant = tensor.Quant{Scheme: tensor.PerRow, Asym: true} },
				"group":    func(o *TensorOptions) { o.Quant = tensor.Quant{Scheme: tensor.PerGroup(60), Clip: 3} },
				"outliers": func(o *TensorOptions) { o.Outliers, o.Means = 6, true; o.FrameHeight, o.FrameWidth = 8, 1000 },
				"bits":     func(o *TensorOptions) { o.Target = Target{TargetBits, 5}; o.FrameWidth, o.FrameHeight = 64, 8 },
				"mse":      func(o *TensorOptions) { o.Target = Target{TargetMSE, 2}; o.Outliers = 6 },
				"lossless": func(o *TensorOptions) { o.Lossless = true },
			} {
				t.Run(fmt.Sprint(shape, d, name), func(t *testing.T) {
					budgets := []float64{0, 4}
					if n < 10000 { // too small for that
						budgets = budgets[:1]
					}
					for _, budget := range budgets {
						o := standinTensors(Target{TargetQP, 9})
						o.Integers, o.Workers = true, 3
						set(&o)
						o.hold = math.MaxInt
						held, want := pack(t, src, Selection{}, o, budget)
						o.hold = -1
						streamed, got := pack(t, src, Selection{}, o, budget)
						if !bytes.Equal(got, want) || streamed.Results[0].Distortion != held.Results[0].Distortion || streamed.Results[0].QP != held.Results[0].QP {
							t.Errorf("budget %g: streamed: %d bytes, %+v; held: %d bytes, %+v", budget, len(got), streamed.Results[0], len(want), held.Results[0])
						}
						check(t, src, streamed, got)
					}
				})
			}
		}
	}
}

// faulty is a source whose reads fail from some call on.
type faulty struct {
	Single
	left *atomic.Int64
}

var errFaulty = errors.New("the disk is gone")

func (f faulty) ReadAt(name string, p []byte, off int64) error {
	if f.left.Add(-1) < 0 {
		return errFaulty
	}
	return f.Single.ReadAt(name, p, off)
}

// TestReadFails: a read that fails anywhere ends the run with its error.
func TestReadFails(t *testing.T) {
	src := large(256).(Single)
	for _, o := range []TensorOptions{standinTensors(Target{TargetQP, 9}), standinTensors(Target{TargetBits, 3})} {
		o.FrameWidth, o.FrameHeight, o.Workers, o.hold = 256, 8, 3, -1
		var count atomic.Int64
		count.Store(1 << 40)
		if _, err := Encode(faulty{src, &count}, Selection{}, o, 0); err != nil {
			t.Fatal(err)
		}
		reads := int(1<<40 - count.Load())
		for k := 0; k < reads; k += 1 + reads/25 {
			var left atomic.Int64
			left.Store(int64(k))
			if _, err := Encode(faulty{src, &left}, Selection{}, o, 0); !errors.Is(err, errFaulty) {
				t.Errorf("read %d of %d fails: error %v", k, reads, err)
			}
		}
	}
}

// generated is a tensor of float32 values that are made when they are read.
type generated struct{ info tensor.Info }

func (g generated) Tensors() []tensor.Info              { return []tensor.Info{g.info} }
func (g generated) Metadata() map[string]string         { return nil }
func (g generated) Read(string, []byte) ([]byte, error) { return nil, errors.New("read as a whole") }

func (g generated) ReadAt(_ string, p []byte, off int64) error {
	for i := 0; i < len(p); i += 4 {
		v := uint32(off/4) + uint32(i/4)
		v *= 2654435761
		v ^= v >> 15
		v *= 2246822519
		binary.LittleEndian.PutUint32(p[i:], math.Float32bits(float32(int32(v>>8&0xffff)+int32(v>>16)-0xffff)))
	}
	return nil
}

// TestMemory: what is alive while a tensor is coded is frames, streams and bands, far less than the tensor.
func TestMemory(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	src := generated{tensor.Info{Name: "x", DType: tensor.F32, Shape: []int{8192, 1024}}} // 32 MB
	o := codecOptions(t, "t265", "hw", Target{TargetQP, 40})
	o.Workers = 2
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var mu sync.Mutex
	peak := uint64(0)
	o.Progress = func(int) {
		mu.Lock()
		defer mu.Unlock()
		runtime.ReadMemStats(&now)
		peak = max(peak, now.HeapAlloc)
	}
	e, err := Encode(src, Selection{}, o, 0)
	if err != nil {
		t.Fatal(err)
	}
	if e.Coded() != 8<<20 || peak == 0 {
		t.Fatalf("%d values coded, %d bytes seen", e.Coded(), peak)
	}
	if used := int64(peak) - int64(before.HeapAlloc); used > 40<<20 {
		t.Errorf("%d MiB are alive while a tensor of 32 MiB is coded, want the 20 or so of frames in flight", used>>20)
	}
	t.Logf("%d MiB", (int64(peak)-int64(before.HeapAlloc))>>20)
}
