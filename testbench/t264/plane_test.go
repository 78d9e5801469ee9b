package t264

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"

	"vcsim/t264"
	"vcsim/testbench"
)

// A plane holds samples in rows.
type plane struct {
	name          string
	width, height int
	pix           []byte
}

// planes returns those of ../shared/planes, or a noise and a ramp without it.
var planes = sync.OnceValue(func() []plane {
	var list []plane
	files, _ := filepath.Glob(filepath.Join(testbench.Root(), "../shared/planes/*.pgm"))
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil {
			p := plane{name: filepath.Base(file)}
			var limit int
			if _, err := fmt.Fscanf(bytes.NewReader(data), "P5\n%d %d\n%d\n", &p.width, &p.height, &limit); err == nil && len(data) >= p.width*p.height {
				p.pix = data[len(data)-p.width*p.height:]
				list = append(list, p)
			}
		}
	}
	if list != nil {
		return list
	}
	rng := rand.New(rand.NewPCG(1, 1))
	noise := plane{name: "noise", width: 256, height: 256}
	ramp := plane{name: "ramp", width: 256, height: 256}
	for i := range 256 * 256 {
		noise.pix = append(noise.pix, uint8(min(max(128+28*rng.NormFloat64(), 0), 255)))
		ramp.pix = append(ramp.pix, uint8(128+60*math.Sin(float64(i%256)/30)+30*math.Cos(float64(i/256)/20)))
	}
	return []plane{noise, ramp}
})

// A slice is a frame that the software encoder coded: its macroblocks as the
// pixel path hands them on, and its bytes.
type slice struct {
	mbs  []macroblock
	data []byte
}

// codeSlice cuts a frame out of a plane and codes it.
func codeSlice(p *plane, x, y, w, h, qp16 int) *slice {
	params := t264.Params{Width: w, Height: h}
	e, err := t264.NewEncoder(params)
	if err != nil {
		panic(err)
	}
	s := new(slice)
	s.data, err = e.AppendSlice(nil, p.pix[y*p.width+x:], p.width, qp16, func(mb *t264.MBToken, ac *[16]t264.ACToken) {
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
	var list []*slice
	for i := range 48 {
		p := &planes()[i%len(planes())]
		w, h := 16*(1+rng.IntN(5)), 16*(1+rng.IntN(4))
		qp16 := 16 * rng.IntN(52)
		if i%2 == 0 {
			qp16 = 16*20 + rng.IntN(16*12)
		}
		list = append(list, codeSlice(p, rng.IntN(p.width-w+1), rng.IntN(p.height-h+1), w, h, qp16))
	}
	return list
})
