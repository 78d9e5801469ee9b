package hw

import (
	"testing"

	"vcsim/t265/block"
)

// TestEncOrder: each context but those of split_cu_flag and cu_transquant_bypass_flag, which the tier does not code, has one place.
func TestEncOrder(t *testing.T) {
	var places [block.NumContexts]int
	for _, o := range encOrder {
		places[o]++
	}
	for o, n := range places {
		want := 1
		if o == block.CtxTransquant || o >= block.CtxSplitCU && o < block.CtxSplitCU+3 {
			want = 0
		}
		if n != want {
			t.Errorf("context %d has %d places, want %d", o, n, want)
		}
	}
}

// TestEncContexts: a lane has the contexts of the blocks that it codes, and no others.
func TestEncContexts(t *testing.T) {
	for log2 := 3; log2 <= 5; log2++ {
		used := make([]bool, encContexts)
		for i := range EncSig {
			used[i] = i < encLastX
		}
		for l := 2; l <= log2; l++ {
			offset, shift := block.LastContext(l)
			for i := range 2*l - 1 {
				used[int(EncLast[l-2][0])+i>>shift], used[int(EncLast[l-2][1])+i>>shift] = true, true
			}
			if encOrder[EncLast[l-2][0]] != uint8(block.CtxLastX+offset) || encOrder[EncLast[l-2][1]] != uint8(block.CtxLastY+offset) {
				t.Errorf("size %d: the prefixes start at other contexts", 1<<l)
			}
			for scan := range block.SigContexts[l-2] {
				for later := range 2 {
					for csbf := range 4 {
						for _, inc := range block.SigContexts[l-2][scan][later][csbf] {
							used[EncSig+int(inc)] = true
						}
					}
				}
			}
		}
		n := EncContexts(1 << log2)
		for i, u := range used {
			if u != (i < n) {
				t.Errorf("largest block %d: context %d used %v, of %d", 1<<log2, i, u, n)
			}
		}
	}
}

// TestContextRange: preCtxState is limited at its lower end alone, and is never 0 before that, so that the RTL looks at its sign.
func TestContextRange(t *testing.T) {
	for i, o := range encOrder {
		v := int(block.InitValues[o])
		for qp := range 52 {
			if pre := ((v>>4)*5-45)*qp>>4 + (v&15)<<3 - 16; pre == 0 || pre > 126 {
				t.Errorf("context %d of the lane at QP %d: %d", i, qp, pre)
			}
		}
	}
}

// TestDecOrder: each context has one place.
func TestDecOrder(t *testing.T) {
	var places [block.NumContexts]int
	for _, o := range DecOrder {
		if o >= 0 {
			places[o]++
		}
	}
	for o, n := range places {
		if n != 1 {
			t.Errorf("context %d has %d places", o, n)
		}
	}
}
