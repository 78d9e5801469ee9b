package cabachw

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"vcsim/internal/cabac"
	"vcsim/sim"
)

// encodeOps is the software Encoder over the ops of a lane: one slice of bytes
// for each codeword.
func encodeOps(ops []cabac.Op, contexts int) [][]byte {
	var out [][]byte
	ctx := make([]uint8, contexts)
	var e cabac.Encoder
	e.Reset(nil)
	for _, op := range ops {
		switch op.Kind {
		case cabac.OpContext:
			e.Bin(&ctx[op.Ctx], int(op.Bits&1))
			e.Bypass(uint32(op.Bits>>1), int(op.Count))
		case cabac.OpBypass:
			e.Bypass(uint32(op.Bits), int(op.Count))
		case cabac.OpTerminate:
			e.Terminate(int(op.Bits & 1))
			if op.Bits&1 != 0 {
				e.Flush()
				out = append(out, e.Bytes())
				e.Reset(nil)
			}
		case cabac.OpInit:
			ctx[op.Ctx] = op.Bits
		}
	}
	return out
}

// randomOps makes codewords whose bins are skewed in different ways.
func randomOps(rng *rand.Rand, spec EncoderSpec, codewords int) []cabac.Op {
	var ops []cabac.Op
	for c := range codewords {
		skew := []float64{0.02, 0.3, 0.97, 1}[rng.IntN(4)]
		if c == 0 || rng.IntN(2) == 0 {
			for i := range spec.Contexts {
				ops = append(ops, cabac.Op{Kind: cabac.OpInit, Ctx: uint8(i), Bits: cabac.InitContext(1 + rng.IntN(126))})
			}
		}
		for range rng.IntN(400) {
			op := cabac.Op{Ctx: uint8(rng.IntN(spec.Contexts))}
			switch rng.IntN(8) {
			case 0, 1, 2, 3:
				if rng.Float64() < skew {
					op.Bits = 1
				}
				op.Count = uint8(rng.IntN(2))
				op.Bits |= uint8(rng.IntN(2)) << 1
			case 4, 5, 6:
				op.Kind, op.Count = cabac.OpBypass, uint8(1+rng.IntN(spec.Bypass))
				op.Bits = uint8(rng.IntN(1 << op.Count))
				if skew > 0.9 {
					op.Bits = 1<<op.Count - 1
				}
			case 7:
				op.Kind = cabac.OpTerminate
			}
			ops = append(ops, op)
		}
		ops = append(ops, cabac.Op{Kind: cabac.OpTerminate, Bits: 1})
	}
	return ops
}

// runLane sends the ops through a lane and returns its codewords and cycles.
func runLane(t testing.TB, spec EncoderSpec, ops []cabac.Op, idle, back float64, rng *rand.Rand) ([][]byte, uint64) {
	t.Helper()
	var in sim.Stream[cabac.Op]
	var out sim.Stream[Byte]
	u := NewEncoderUnit(spec, &in, &out)
	want := 0
	for _, op := range ops {
		if op.Kind == cabac.OpTerminate && op.Bits == 1 {
			want++
		}
	}
	var got [][]byte
	var word []byte
	cycles := uint64(0)
	for i := 0; len(got) < want; cycles++ {
		if cycles > uint64(1000*len(ops)+1000) {
			t.Fatalf("%d of %d codewords after %d cycles", len(got), want, cycles)
		}
		if !in.Valid && i < len(ops) && rng.Float64() >= idle {
			in.Valid, in.Data = true, ops[i]
			i++
		}
		out.Ready = rng.Float64() >= back
		u.Eval()
		u.Clock()
		if in.Moves() {
			in.Valid = false
		}
		if out.Moves() {
			word = append(word, out.Data.Data)
			if out.Data.Last {
				got = append(got, word)
				word = nil
			}
		}
	}
	if u.Overflow() {
		t.Error("overflow")
	}
	return got, cycles
}

func TestEncoderUnit(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, spec := range []EncoderSpec{DefaultEncoderSpec(), {Contexts: 8, Bypass: 1, RunBits: 12}, {Contexts: 256, Bypass: 7, RunBits: 20}} {
		for trial := range 40 {
			ops := randomOps(rng, spec, 5)
			if trial == 0 {
				ops = []cabac.Op{{Kind: cabac.OpTerminate, Bits: 1}} // an empty slice
			}
			want := encodeOps(ops, spec.Contexts)
			stall := [4][2]float64{{0, 0}, {0.4, 0}, {0, 0.9}, {0.5, 0.5}}[trial%4]
			got, _ := runLane(t, spec, ops, stall[0], stall[1], rng)
			for i := range want {
				if !bytes.Equal(got[i], want[i]) {
					t.Fatalf("%+v trial %d codeword %d: got %x, want %x", spec, trial, i, got[i], want[i])
				}
			}
		}
	}
}

// TestEncoderUnitCarry: carries through long runs of bytes of 255, which need
// bypass ones on a range of 256.
func TestEncoderUnitCarry(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	spec := DefaultEncoderSpec()
	longest := 0
	for trial := range 400 {
		ops := []cabac.Op{{Kind: cabac.OpInit, Bits: cabac.InitContext(1 + rng.IntN(126))}}
		for range 1 + rng.IntN(8) {
			ops = append(ops, cabac.Op{Bits: uint8(rng.IntN(2))})
		}
		// A terminating bin of zero or some context bins bring the range near 256.
		for range rng.IntN(130) {
			ops = append(ops, cabac.Op{Kind: cabac.OpTerminate})
		}
		for range rng.IntN(64) {
			ops = append(ops, cabac.Op{Kind: cabac.OpBypass, Count: 4, Bits: 15})
		}
		for range rng.IntN(10) {
			ops = append(ops, cabac.Op{Bits: uint8(rng.IntN(2))})
		}
		ops = append(ops, cabac.Op{Kind: cabac.OpTerminate, Bits: 1})
		want := encodeOps(ops, spec.Contexts)
		for n := 1; n < 100; n++ {
			if bytes.Contains(want[0], bytes.Repeat([]byte{0xff}, n)) || bytes.Contains(want[0], make([]byte, n)) {
				longest = max(longest, n)
			}
		}
		got, _ := runLane(t, spec, ops, 0, float64(trial%3)/3, rng)
		if !bytes.Equal(got[0], want[0]) {
			t.Fatalf("trial %d: got %x, want %x", trial, got[0], want[0])
		}
	}
	if longest < 10 {
		t.Errorf("the longest run has %d bytes", longest)
	}
}

// TestEncoderUnitRate: an op a cycle, and two for the end of a codeword.
func TestEncoderUnitRate(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	spec := DefaultEncoderSpec()
	ops := randomOps(rng, spec, 50)
	_, cycles := runLane(t, spec, ops, 0, 0, rng)
	if limit := uint64(len(ops)) + 50*6 + 100; cycles > limit {
		t.Errorf("%d cycles for %d ops in 50 codewords, want at most %d", cycles, len(ops), limit)
	}
}

// TestPackOverflow: a run beyond the counter is reported.
func TestPackOverflow(t *testing.T) {
	var in sim.Stream[Bits]
	var out sim.Stream[Byte]
	u := NewPackUnit(2, &in, &out)
	out.Ready, in.Valid = true, true
	for i := range 200 {
		in.Data = Bits{Bits: 0x7f, N: 7}
		if i < 3 {
			in.Data.Bits = 0
		}
		u.Eval()
		u.Clock()
	}
	if !u.Overflow() {
		t.Error("no overflow after a long run")
	}
	u.Reset()
	if u.Overflow() {
		t.Error("reset keeps the overflow")
	}
}

func TestEncoderSpec(t *testing.T) {
	if err := DefaultEncoderSpec().Validate(); err != nil {
		t.Error(err)
	}
	for _, s := range []EncoderSpec{{}, {Contexts: 257, Bypass: 4, RunBits: 16}, {Contexts: 100, Bypass: 8, RunBits: 16}, {Contexts: 100, Bypass: 4, RunBits: 32}} {
		if s.Validate() == nil {
			t.Errorf("%+v is accepted", s)
		}
	}
}

func BenchmarkEncoderUnit(b *testing.B) {
	var in sim.Stream[cabac.Op]
	var out sim.Stream[Byte]
	spec := DefaultEncoderSpec()
	u := NewEncoderUnit(spec, &in, &out)
	ops := randomOps(rand.New(rand.NewPCG(17, 18)), spec, 20)
	out.Ready, in.Valid = true, true
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		in.Data = ops[i]
		u.Eval()
		u.Clock()
		if in.Ready {
			if i++; i == len(ops) {
				i = 0
			}
		}
	}
}
