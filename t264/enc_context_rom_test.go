package t264

import (
	"fmt"
	"testing"

	"vcsim/internal/romtest"
)

// TestEncContextROM: the contexts of the RTL's encoder lane are those of Go.
func TestEncContextROM(t *testing.T) {
	var rows []string
	for _, ctx := range laneOrder[:laneContexts] {
		rows = append(rows, initValue(int(ctx)))
	}
	romtest.Check(t, romDir, map[string]string{"t264_enc_context_rom.v": romtest.Module{
		Name: "t264_enc_context_rom", From: "t264/binarise.go and context.go", Mirror: "t264/binarise.go",
		Purpose: "m and n of the contexts of an encoder lane (H.264 Tables 9-12 to 9-33, I slices),\n// by their index in the lane.",
		Ports:   "  input  wire        [6:0] index_i,\n  output reg  signed [6:0] m_o,\n  output reg  signed [7:0] n_o\n",
		Body:    romtest.Case("index_i", 7, "{m_o, n_o}", rows),
	}.String()})
}

// initValue is m and n of a context in Verilog.
func initValue(ctx int) string {
	v := initValues[ctx]
	return fmt.Sprintf("{%s, %s}", romtest.Signed(7, int(v[0])), romtest.Signed(8, int(v[1])))
}

// TestLaneOrder: each context of the hw tier is there once.
func TestLaneOrder(t *testing.T) {
	seen := map[uint8]int{}
	for i, c := range laneOrder {
		if j, ok := seen[c]; ok {
			t.Errorf("context %d has the indices %d and %d", c, i, j)
		}
		seen[c] = i
	}
	if len(seen) != 7+4+2*(4+10)+2*(15+14) {
		t.Errorf("%d contexts", len(seen))
	}
}
