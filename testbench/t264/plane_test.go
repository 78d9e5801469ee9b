package t264

import (
	"math/rand/v2"
	"sync"

	"vcsim/t264"
	"vcsim/t264/hw"
	"vcsim/t264/hwenc"
)

// A slice is a frame that the software encoder coded: its macroblocks as the
// pixel path hands them on, and its bytes.
type slice struct {
	mbs  []macroblock
	data []byte
}

// codeSlice cuts a frame out of a plane and codes it.
func codeSlice(p *picture, x, y, w, h, qp16 int) *slice {
	s := new(slice)
	var err error
	s.data, err = hwenc.AppendSlice(nil, t264.Params{Width: w, Height: h}, p.pix[y*p.w+x:], p.w, qp16, func(mb *hw.MBToken, ac *[16]hw.ACToken) {
		m := macroblock{mb: *mb, ac: *ac}
		for b := range ac {
			if ac[b].Coded {
				m.coded |= 1 << b
			}
		}
		s.mbs = append(s.mbs, m)
	})
	if err != nil {
		panic(err)
	}
	return s
}

// slices returns frames of many sizes, planes and QPs, coded once.
var slices = sync.OnceValue(func() []*slice {
	rng := rand.New(rand.NewPCG(7, 7))
	from := pictures()
	var list []*slice
	for i := range 48 {
		p := &from[i%len(from)]
		w, h := 16*(1+rng.IntN(5)), 16*(1+rng.IntN(4))
		qp16 := 16 * rng.IntN(52)
		if i%2 == 0 {
			qp16 = 16*20 + rng.IntN(16*12)
		}
		list = append(list, codeSlice(p, rng.IntN(p.w-w+1), rng.IntN(p.h-h+1), w, h, qp16))
	}
	return list
})
