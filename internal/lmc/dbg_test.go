package lmc

import (
	"strings"
	"testing"
)

type benchT struct{ *testing.B }

func BenchmarkDbg(b *testing.B) {
	var tt testing.T
	blocks := bf16Blocks(&tt)
	for name, l := range blocks {
		name = strings.Split(name, ".")[0]
		b.Run("enc/"+name, func(b *testing.B) {
			var e encoder
			var dst []byte
			b.SetBytes(2 * BlockValues)
			i := 0
			for b.Loop() {
				dst = e.encodeBlock(dst[:0], l[i%len(l)], layout{w: 2, float: true}, nil)
				i++
			}
		})
		b.Run("dec/"+name, func(b *testing.B) {
			var e encoder
			var d decoder
			var c [][]byte
			for _, x := range l {
				c = append(c, e.encodeBlock(nil, x, layout{w: 2, float: true}, nil))
			}
			dst := make([]byte, 2*BlockValues)
			b.SetBytes(2 * BlockValues)
			i := 0
			for b.Loop() {
				d.decodeBlock(dst, c[i%len(c)], nil, 2, true)
				i++
			}
		})
	}
}
