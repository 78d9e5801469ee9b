package hw

import (
	"math/rand/v2"
	"testing"

	"vcsim/internal/romtest"
	"vcsim/t265/block"
)

// TestHead: fields and bits agree, and no two fields share a bit.
func TestHead(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		v := rng.Uint64N(1 << HeadBits)
		h := UnpackHead(v)
		if got := h.Pack(); got != v || romtest.Bits(h) != v {
			t.Fatalf("%+v: got %#x, by the tags %#x, want %#x", h, got, romtest.Bits(h), v)
		}
	}
	if got := romtest.Bits(Item{Kind: 3, SubX: 7, SubY: 7, Group: 3}); got != 1<<(ItemBits-64)-1 {
		t.Errorf("the fields of an item before Data have the bits %#x, not %d", got, ItemBits-64)
	}
}

func TestItemLevel(t *testing.T) {
	item := Item{Data: 0x8000_7fff_ffff_0001}
	for i, want := range []int16{1, -1, 32767, -32768} {
		if got := item.Level(i); got != want {
			t.Errorf("level %d: got %d, want %d", i, got, want)
		}
	}
}

// TestHeadNeighbours: a Head has what the neighbours of a block need, wherever the
// picture and the slice end.
func TestHeadNeighbours(t *testing.T) {
	for log2 := 4; log2 <= 6; log2++ {
		size := 1 << log2
		for w8 := 1; w8 <= 3*size/8; w8++ {
			for h8 := 1; h8 <= 2*size/8; h8++ {
				g := block.NewGrid(8*w8, 8*h8, log2)
				for start := range min(g.CTBWidth+1, g.CTBWidth*g.CTBHeight) {
					for addr := start; addr < g.CTBWidth*g.CTBHeight; addr++ {
						cx, cy, e := addr%g.CTBWidth, addr/g.CTBWidth, g.Edges(addr, start)
						h := Head{Log2CTB: uint8(log2 - 4), Left: e.Left, Above: e.Above, AboveLeft: e.AboveLeft, AboveRight: e.AboveRight,
							Right: 15, Bottom: uint8(min(h8-cy*size/8, size/8))}
						if cx >= g.CTBWidth-2 {
							h.Right = uint8(min(w8-cx*size/8, 15))
						}
						for l := 0; l <= 3 && l <= log2-2; l++ {
							n := 4 << l
							for y := 0; y < size && cy*size+y+n <= g.Height; y += n {
								for x := 0; x < size && cx*size+x+n <= g.Width; x += n {
									h.X, h.Y, h.Log2 = uint8(x/4), uint8(y/4), uint8(l)
									if got, want := h.Neighbours(), g.Neighbours(cx*size+x, cy*size+y, n, e); got != want {
										t.Fatalf("block of %d at (%d, %d) of CTU %d of %d, %dx%d, slice from %d: got %+v, want %+v", n, x, y, addr, size, g.Width, g.Height, start, got, want)
									}
								}
							}
						}
					}
				}
			}
		}
	}
}
