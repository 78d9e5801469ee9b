package hwdec

import (
	"math/rand/v2"
	"testing"

	"vcsim/sim"
	"vcsim/t265/block"
)

// A levelBlock is a coded block in raster order.
type levelBlock struct {
	head   LevelWord
	levels [1024]int16
}

// words returns the words of a block, those without levels left out but the last one.
func (b *levelBlock) words() (list []LevelWord) {
	n := 1 << b.head.Log2
	scan := &block.Scans[0][b.head.Scan]
	for i := 4*n*n - 1; i >= 0; i-- {
		w := b.head
		w.X, w.Y, w.Group, w.Last = uint8(i>>2%n), uint8(i>>2/n), uint8(i&3), i == 0
		any := false
		for k := range w.Levels {
			at := (4*int(w.Y)+int(scan.PosY[4*w.Group+uint8(k)]))*4*n + 4*int(w.X) + int(scan.PosX[4*w.Group+uint8(k)])
			w.Levels[k] = b.levels[at]
			any = any || w.Levels[k] != 0
		}
		if any || w.Last {
			list = append(list, w)
		}
	}
	return list
}

// residual is that of the software, limited, in the order in which it leaves.
func (b *levelBlock) residual() (list []int16) {
	log2 := int(b.head.Log2) + 2
	n := 1 << log2
	s := block.NewScaler(int(b.head.QP), log2)
	var coef block.Pairs
	var res [1024]int16
	for i, l := range b.levels[:n*n] {
		coef[i>>1] += int64(s.Coefficient(int32(l))) << (i & 1 << 5)
	}
	if b.head.Skip {
		block.InverseSkip(&res, &coef)
	} else {
		block.Inverse(&res, &coef, log2, block.Extent{Rows: n, Cols: 255}, log2 == 2)
	}
	for i := range n * n {
		at := i
		if b.head.ByColumns {
			at = i%n*n + i/n
		}
		list = append(list, min(max(res[at], -256), 255))
	}
	return list
}

func randomBlock(rng *rand.Rand, log2 uint8) *levelBlock {
	b := &levelBlock{head: LevelWord{Log2: log2, Scan: uint8(rng.IntN(3)), QP: uint8(rng.IntN(52)), ByColumns: rng.IntN(2) == 0}}
	b.head.Skip = log2 == 0 && rng.IntN(2) == 0
	share, size := [...]float64{0.01, 0.3, 1}[rng.IntN(3)], rng.IntN(17)
	for i := range b.levels[:16<<(2*log2)] {
		if rng.Float64() < share {
			b.levels[i] = int16(rng.IntN(1<<size) - 1<<size/2)
		}
	}
	return b
}

// run sends blocks through a unit, and returns what leaves and the cycles of its words.
func runInverse(spec InverseSpec, blocks []*levelBlock) (values []int16, cycles []int) {
	var in sim.Stream[LevelWord]
	var out sim.Stream[ResidualWord]
	u := NewInverseUnit(spec, &in, &out)
	var words []LevelWord
	count := 0
	for _, b := range blocks {
		words = append(words, b.words()...)
		count += 4 << (2 * b.head.Log2)
	}
	out.Ready = true
	for cycle := 0; len(cycles) < count && cycle < 1000+3*len(words)+4*count; cycle++ {
		if in.Valid = len(words) > 0; in.Valid {
			in.Data = words[0]
		}
		u.Eval()
		if out.Valid {
			values, cycles = append(values, out.Data[:]...), append(cycles, cycle)
		}
		u.Clock()
		if in.Moves() {
			words = words[1:]
		}
	}
	return values, cycles
}

// TestInverseUnit: the residuals are those of the software, in both orders.
func TestInverseUnit(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 265))
	for _, spec := range []InverseSpec{{MaxTU: 16, MinTU: 4}, {MaxTU: 8, MinTU: 4}, {MaxTU: 16, MinTU: 8}} {
		var blocks []*levelBlock
		var want []int16
		for range 2000 {
			log2 := uint8(rng.IntN(3))
			if 4<<log2 < spec.MinTU || 4<<log2 > spec.MaxTU {
				continue
			}
			b := randomBlock(rng, log2)
			blocks, want = append(blocks, b), append(want, b.residual()...)
		}
		got, _ := runInverse(spec, blocks)
		if len(got) != len(want) {
			t.Fatalf("%+v: %d samples, want %d", spec, len(got), len(want))
		}
		for i, v := range got {
			if v != want[i] {
				t.Fatalf("%+v: sample %d is %d, want %d", spec, i, v, want[i])
			}
		}
	}
}

// TestInverseRate: blocks of one kind leave at the interval of the package comment, and the
// first one after the latency that the module states.
func TestInverseRate(t *testing.T) {
	for _, c := range []struct {
		name     string
		log2     uint8
		skip     bool
		interval float64 // cycles a block
		latency  int     // from the last levels to the first samples
	}{
		{"16x16", 2, false, 65, 79}, {"8x8", 1, false, 17, 31}, {"4x4", 0, false, 8.5, 23}, {"transform skip", 0, true, 7, 14},
	} {
		const count = 64
		var blocks []*levelBlock
		for range count {
			b := &levelBlock{head: LevelWord{Log2: c.log2, Skip: c.skip}}
			for i := range b.levels {
				b.levels[i] = 1
			}
			blocks = append(blocks, b)
		}
		_, cycles := runInverse(InverseSpec{MaxTU: 16, MinTU: 4}, blocks)
		words := len(cycles) / count
		first, last := cycles[8*words], cycles[(count-1)*words]
		if got := float64(last-first) / (count - 9); got > c.interval || got < c.interval-1 {
			t.Errorf("%s: %.2f cycles a block, want %.1f", c.name, got, c.interval)
		}
		if got := cycles[0] - (words - 1); got != c.latency {
			t.Errorf("%s: latency %d, want %d", c.name, got, c.latency)
		}
	}
}

func BenchmarkInverseUnit(b *testing.B) {
	rng := rand.New(rand.NewPCG(2, 265))
	var words []LevelWord
	for i := range 64 {
		words = append(words, randomBlock(rng, uint8(i%3)).words()...)
	}
	var in sim.Stream[LevelWord]
	var out sim.Stream[ResidualWord]
	u := NewInverseUnit(InverseSpec{MaxTU: 16, MinTU: 4}, &in, &out)
	out.Ready = true
	at := 0
	b.ReportAllocs()
	for range b.N {
		in.Valid, in.Data = true, words[at]
		u.Eval()
		u.Clock()
		if in.Moves() {
			at = (at + 1) % len(words)
		}
	}
}
