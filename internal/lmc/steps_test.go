package lmc

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// TestSteps: steps between values of every kind, and to slightly changed ones, are restored.
func TestSteps(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	var w worker
	coded := 0
	for _, width := range []int{2, 4} {
		l := layout{w: width, float: true, cols: 64}
		for _, n := range []int{1, 2, 3, 7, 8, 100, 1000, 4099, 40000} {
			for from, base := range patterns(r, n, width) {
				for to, values := range patterns(r, n, width) {
					if n > 1000 && from != "normal" && from != "special" {
						continue
					}
					if to == "ramp" {
						to = "near"
						for i := range n {
							v := loadValue(base[i*width:], width)
							if r.Float64() < 0.6 {
								v += uint64(r.ExpFloat64()*20) ^ uint64(r.IntN(2)*-1)
							}
							storeValue(values[i*width:], v, width)
						}
					}
					what := fmt.Sprintf("%d values of %d bytes, %s to %s", n, width, from, to)
					b := w.encodeBlock([]byte("before"), bytes.Clone(values), base, l, Step, nil)[6:]
					if b[0]&flagSteps != 0 {
						coded++
					}
					got := make([]byte, len(values))
					if fault := w.dec.restoreBlock(got, b, base, l, Step); fault != "" {
						t.Fatalf("%s: %s", what, fault)
					}
					if i := firstDifference(got, values); i >= 0 {
						t.Fatalf("%s: value %d is % x, want % x", what, i/width, got[i/width*width:][:width], values[i/width*width:][:width])
					}
					if len(b) > len(values)+1+width {
						t.Errorf("%s: %d bytes", what, len(b))
					}
				}
			}
		}
	}
	if coded < 100 {
		t.Errorf("%d blocks of steps; the others were stored whole", coded)
	}
}

func firstDifference(a, b []byte) int {
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return -1
}

// TestFrequencies: the frequencies of any counts fill the states, and cost little more than the entropy.
func TestFrequencies(t *testing.T) {
	for l := range maxLevel {
		if levelValue(l) >= levelValue(l+1) {
			t.Errorf("level %d is %d, the next %d", l, levelValue(l), levelValue(l+1))
		}
		if l > 0 && nearestLevel(levelValue(l)<<8) != l {
			t.Errorf("nearest level of %d is %d, want %d", levelValue(l), nearestLevel(levelValue(l)<<8), l)
		}
	}
	r := rand.New(rand.NewPCG(8, 2))
	for round := range 2000 {
		var h histogram
		n := 0
		symbols := 1 + r.IntN(256)
		width := math.Exp(6 * r.Float64())
		for range 1 << (5 + r.IntN(12)) {
			s := int(math.Abs(r.NormFloat64()) * width)
			h[s%symbols]++
			n++
		}
		for _, bits := range []int{maxStateBits - 1, maxStateBits} {
			var q, p frequencies
			if !q.set(&h, bits) {
				t.Fatalf("round %d: %d symbols do not fit %d bits", round, symbols, bits)
			}
			p.level = q.level
			if !p.expand(bits) || p != q {
				t.Fatalf("round %d: levels do not give the frequencies again", round)
			}
			sum := 0
			for s, f := range q.freq {
				if sum += int(f); (f > 0) != (h[s] > 0) {
					t.Fatalf("round %d: symbol %d occurs %d times, frequency %d", round, s, h[s], f)
				}
			}
			if sum != 1<<bits {
				t.Fatalf("round %d: frequencies add up to %d, want %d", round, sum, 1<<bits)
			}
			entropy, _ := h.entropyBits()
			if got := q.bits(&h, bits); got > 1.02*entropy+0.03*float64(n)+16 {
				t.Errorf("round %d, %d symbols: %.0f bits for an entropy of %.0f", round, symbols, got, entropy)
			}
		}
	}
}

// TestStatesPlane: planes coded by states cost little more than their entropy.
func TestStatesPlane(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 3))
	var e encoder
	var d decoder
	states := 0
	for _, n := range []int{50, 96, 1000, 1001, 1002, 1003, 1004, 9216, statesPlane} {
		for _, width := range []float64{0.5, 1, 3, 10} {
			src := make([]byte, n)
			for i := range src {
				src[i] = byte(120 + r.NormFloat64()*width)
			}
			var h histogram
			e.hist.count(&h, src)
			b := e.encodePlane(nil, src, true)
			if b[0] == methodStates {
				states++
				if bound, _ := h.entropyBits(); float64(len(b)) > 1.01*bound/8+60 {
					t.Errorf("%d bytes, width %g: %d bytes for an entropy of %.0f", n, width, len(b), bound/8)
				}
			}
			got := make([]byte, n)
			d.src, d.fault = b, ""
			d.decodePlane(got, true)
			if d.fault != "" || len(d.src) > 0 || !bytes.Equal(got, src) {
				t.Errorf("%d bytes, width %g: not restored: %q, %d bytes left", n, width, d.fault, len(d.src))
			}
		}
	}
	if states < 10 {
		t.Errorf("%d planes were coded by states", states)
	}
}

func FuzzDecodeSteps(f *testing.F) {
	r := rand.New(rand.NewPCG(8, 4))
	var w worker
	for _, width := range []int{2, 4} {
		for _, values := range patterns(r, 300, width) {
			base := patterns(r, 300, width)["normal"]
			f.Add(w.encodeBlock(nil, values, base, layout{w: width, float: true}, Step, nil), base, width == 4)
		}
	}
	f.Fuzz(func(t *testing.T, src, base []byte, wide bool) {
		l := layout{w: 2, float: true}
		if wide {
			l.w = 4
		}
		base = base[:len(base)/l.w*l.w]
		if len(base) == 0 {
			return
		}
		var w worker
		got := make([]byte, len(base))
		w.dec.restoreBlock(got, src, base, l, Step)
		if len(src) > 0 {
			w.dec.restoreBlock(got, append([]byte{flagSteps}, src...), base, l, Step)
		}
		// Any values are restored.
		values := bytes.Repeat(src, len(base)/max(len(src), 1)+1)
		for len(values) < len(base) {
			values = append(values, 0)
		}
		values = values[:len(base)]
		b := w.encodeBlock(nil, bytes.Clone(values), base, l, Step, nil)
		if fault := w.dec.restoreBlock(got, b, base, l, Step); fault != "" || !bytes.Equal(got, values) {
			t.Fatalf("round trip: %s", fault)
		}
	})
}
