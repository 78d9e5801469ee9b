package hw

import (
	"testing"

	"vcsim/internal/romtest"
	"vcsim/t265/block"
)

// bankROMs returns the tables of the decoder's memory of coefficients: where a group of
// levels is written, and where a column is read.
func bankROMs() (group, column romtest.ROM) {
	group = romtest.ROM{Name: "t265_dec_group", Source: "t265/hw/dec_banks.go and t265/block/scan.go", In: romtest.One("scan_group_i", 4),
		Purpose: "Banks of a group of four scan positions in the memory of coefficients: two bits a bank, which\nof the four positions it takes, and the column of that. scanIdx above the group.",
		Out:     []romtest.Field{romtest.One("lanes_o", 8), romtest.One("columns_o", 8)}}
	column = romtest.ROM{Name: "t265_dec_column", Source: "t265/hw/dec_banks.go and t265/block/scan.go", In: romtest.One("half_scan_x_i", 5),
		Purpose: "Banks of a column of a sub-block in the memory of coefficients: two bits a value, its bank\nand its group in scan order. Values are rows 0 to 3, of the lower half of a column of 16 rows\n2, 3, 0 and 1. The half is above scanIdx, which is above the column.",
		Out:     []romtest.Field{romtest.One("banks_o", 8), romtest.One("groups_o", 8)}}
	for scan := range block.Scans[0] {
		s := &block.Scans[0][scan]
		for g := range 4 {
			lanes, columns := 0, 0
			for i := range 4 {
				x, y := s.PosX[4*g+i], s.PosY[4*g+i]
				bank := 2 * CoefBank[y][x]
				lanes |= i << bank
				columns |= int(x) << bank
			}
			group.Rows = append(group.Rows, []int{lanes, columns})
		}
	}
	for half := range 2 {
		for scan := range 4 {
			for x := range 4 {
				banks, groups := 0, 0
				for i := range 4 {
					y := i ^ 2*half
					banks |= int(CoefBank[y][x]) << (2 * i)
					groups |= int(block.Scans[0][scan%3].PosAt[y<<2|x]>>2) << (2 * i)
				}
				column.Rows = append(column.Rows, []int{banks, groups})
			}
		}
	}
	return group, column
}

// TestCoefBank: what is written or read at once is in four banks.
func TestCoefBank(t *testing.T) {
	check := func(what string, n int, banks [4]uint8) {
		seen := 0
		for _, b := range banks {
			seen |= 1 << b
		}
		if seen != 15 {
			t.Errorf("%s %d is in banks %v", what, n, banks)
		}
	}
	for i := range 4 {
		check("row", i, CoefBank[i])
		check("column", i, [4]uint8{CoefBank[0][i], CoefBank[1][i], CoefBank[2][i], CoefBank[3][i]})
	}
	for scan := range block.Scans[0] {
		s := &block.Scans[0][scan]
		for g := range 4 {
			var banks [4]uint8
			for i := range banks {
				banks[i] = CoefBank[s.PosY[4*g+i]][s.PosX[4*g+i]]
			}
			check("group", 4*scan+g, banks)
		}
	}
}
