package t265

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"

	"vcsim/internal/tensor"
	"vcsim/t265"
	"vcsim/t265/block"
	"vcsim/t265/hwenc"
	"vcsim/testbench"
)

// randomWords makes the words of slices of random length: all elements, sizes and
// scans, in several densities and sizes of levels, up to the largest ones.
type randomWords struct {
	rng     *rand.Rand
	log2    int // of the largest block
	left    int // blocks of the slice
	first   bool
	density float64 // share of levels that are not zero
	size    int     // bits of a level
	hide    bool
}

func newRandomWords(log2 int, seed uint64) *randomWords {
	return &randomWords{rng: rand.New(rand.NewPCG(seed, 5)), log2: log2}
}

func (r *randomWords) chance(n int) bool { return r.rng.IntN(n) == 0 }

func (r *randomWords) level() int16 {
	if r.rng.Float64() >= r.density {
		return 0
	}
	v := 1 + r.rng.IntN(1<<r.rng.IntN(r.size+1))
	if r.chance(64) {
		v = 13108
	}
	if r.chance(2) {
		v = -v
	}
	return int16(max(-13108, min(v, 13108)))
}

// next returns the words of a block.
func (r *randomWords) next() []hwenc.Word {
	if r.left == 0 {
		r.left = 1 + r.rng.IntN(40)
		r.first = true
		r.hide = !r.chance(3)
	}
	r.left--
	r.density = [...]float64{0, 0.02, 0.1, 0.5, 0.9, 1}[r.rng.IntN(6)]
	r.size = r.rng.IntN(14)
	b := t265.Block{First: r.first, SliceQP: r.rng.IntN(52), Hides: r.hide, Last: r.left == 0, EndCTU: r.left == 0 || r.chance(4)}
	r.first = false
	if b.Unit = r.chance(3); b.Unit {
		b.Probable = r.chance(2)
		b.Mode = uint8(r.rng.IntN(32))
		if b.Probable {
			b.Mode %= 3
		}
	}
	log2 := 2 + r.rng.IntN(r.log2-1)
	for log2 > 3 && r.chance(2) {
		log2 = 2 + r.rng.IntN(2)
	}
	b.TreeSplits, b.TreeEnds = r.rng.IntN(4), log2 > 2 && r.chance(2)
	if room := 5 - log2; b.TreeEnds {
		b.TreeSplits = min(b.TreeSplits, room+1)
	} else {
		b.TreeSplits = min(b.TreeSplits, room)
	}
	b.Root, b.QPCoded, b.QPDelta = r.chance(2), r.chance(4), r.rng.IntN(3)-1
	b.Skip = log2 == 2 && !r.chance(4)
	b.Levels = block.LevelsIn(make([]int16, 1024), make([]uint16, 64), log2, 0)
	if log2 < 4 {
		b.Levels.Scan = r.rng.IntN(3)
	}
	r.levels(&b)
	return hwenc.AppendWords(nil, &b)
}

// levels fills the sub-blocks, each of them in a density of its own now and then.
func (r *randomWords) levels(b *t265.Block) {
	l := &b.Levels
	top := r.rng.IntN(len(l.Mask))
	density := r.density
	for i := range top + 1 {
		if r.density = density; r.chance(4) {
			r.density = [...]float64{0, 0.06, 1}[r.rng.IntN(3)]
		}
		for k := range 16 {
			v := r.level()
			l.Lev[16*i+k] = v
			if v != 0 {
				l.Mask[i] |= 1 << k
				b.Coded = true
			}
		}
		if r.chance(8) { // the DC alone, or the last position
			k := 15 * r.rng.IntN(2)
			l.Lev[16*i+k], l.Mask[i] = 1, 1<<k
			b.Coded = true
		}
	}
}

// A plane is a picture.
type plane struct {
	w, h     int
	pix      []byte
	anchored bool // frames start at the origin
}

// planes returns those of the data folder, where it is there, and a made-up one.
var planes = sync.OnceValue(func() (list []plane) {
	files, _ := filepath.Glob(filepath.Join(testbench.Root(), "../shared/planes/*.pgm"))
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			panic(err)
		}
		w, h, pix, err := tensor.ParsePGM(data, file)
		if err != nil {
			panic(err)
		}
		list = append(list, plane{w: w, h: h, pix: pix})
	}
	// Noise that grows to the right, on a ramp, with blocks of black and white.
	rng := rand.New(rand.NewPCG(1, 2))
	p := plane{w: 256, h: 128, pix: make([]byte, 1<<15)}
	for i := range p.pix {
		x, y := i%256, i/256
		p.pix[i] = uint8(min(max(128+rng.NormFloat64()*float64(x)/4+float64(y)/2, 0), 255))
		if x < 32 {
			p.pix[i] = uint8(255 * (x>>3&1 ^ y>>3&1))
		}
	}
	return append(list, p)
})

// A slice is one of a real plane.
type slice = hwenc.CodedSlice

// realSlices returns slices of the planes in parameters and QPs that differ, with blocks up to size maxTU.
var realSlices = sync.OnceValue(func() (list [6][]slice) {
	rng := rand.New(rand.NewPCG(3, 4))
	for i, p := range planes() {
		for log2 := 3; log2 <= 5; log2++ {
			params := t265.Params{Width: min(p.w, 64), Height: min(p.h, 48), MaxTU: 1 << log2, CTU: []int{0, 32, 64}[i%3], FineQP: i%2 == 0}
			if params.CTU != 64 {
				params.Slices = 1 + i%2
			}
			if i%5 == 0 {
				params.Off = t265.ToolTSkip
			}
			at := rng.IntN(p.h-params.Height+1)*p.w + rng.IntN(p.w-params.Width+1)
			slices, err := hwenc.CodePicture(params, p.pix[at:], p.w, 16*rng.IntN(45))
			if err != nil {
				panic(err)
			}
			list[log2] = append(list[log2], slices...)
		}
	}
	return list
})
