package hw

// CoefBank is the bank, of four, of the coefficient in row y and column x of a 4x4
// sub-block in the decoder's memory of coefficients. Each group of four positions of
// each scan (clauses 6.5.3 to 6.5.5), each row, and each column is in four banks.
var CoefBank = [4][4]uint8{
	{0, 3, 1, 2},
	{1, 2, 0, 3},
	{2, 0, 3, 1},
	{3, 1, 2, 0},
}
