package hw

import (
	"math/rand/v2"
	"testing"

	"vcsim/internal/romtest"
)

// TestMBItem: fields and bits agree, and no two fields share a bit.
func TestMBItem(t *testing.T) {
	for i, m := range []MBItem{
		{Kind: 3}, {Mode: 3}, {CBP: 15}, {QP: 63}, {Left: true}, {Above: true}, {AboveLeft: true}, {AboveRight: true}, {Final: true}, {X: 1023}, {Y: 1023},
	} {
		want := []uint64{3, 3 << 2, 15 << 4, 63 << 8, 1 << 14, 1 << 15, 1 << 16, 1 << 17, 1 << 18, 1023 << 19, 1023 << 29}[i]
		if got := m.Pack(); got != want {
			t.Errorf("%+v: got %#x, want %#x", m, got, want)
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		v := rng.Uint64N(1 << 39)
		m := UnpackMBItem(v)
		if got := m.Pack(); got != v || romtest.Bits(m) != v {
			t.Fatalf("%+v: got %#x, by the tags %#x, want %#x", m, got, romtest.Bits(m), v)
		}
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
