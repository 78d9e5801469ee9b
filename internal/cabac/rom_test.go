package cabac

import (
	"testing"

	"vcsim/internal/romtest"
)

//go:generate go test -run ^TestROM$ -update .

// TestROM: the tables of the RTL are those of Go. The last row of each is the
// default of its case.
func TestROM(t *testing.T) {
	const tables = "internal/cabac/tables.go"
	lps := romtest.ROM{Name: "vc_cabac_lps", Source: tables, In: romtest.One("state_i", 6), Out: []romtest.Field{{Name: "row_o", Bits: 8, Values: 4}},
		Purpose: "Ranges of the less probable symbol (H.265 Table 9-46, H.264 Table 9-44). The range for bits\n7..6 = q of the current range sits in row_o[8*q +: 8]."}
	next := romtest.ROM{Name: "vc_cabac_next", Source: tables, In: romtest.One("state_i", 6), Out: []romtest.Field{romtest.One("state_o", 6)},
		Purpose: "State after the less probable symbol (H.265 Table 9-47, H.264 Table 9-45)."}
	for s := range 64 {
		r := rangeTabLps[s]
		lps.Rows = append(lps.Rows, []int{int(r[0]), int(r[1]), int(r[2]), int(r[3])})
		next.Rows = append(next.Rows, []int{int(transIdxLps[s])})
	}
	romtest.Check(t, "../../rtl/common/gen", map[string]string{"vc_cabac_lps.v": lps.String(), "vc_cabac_next.v": next.String()})
}
