// Package hwenc is the hardware encoder of the hw tier of t265: its clocked units, and
// the host beside them.
package hwenc

// The words that the pixel path hands to a lane: for each transform block one of
// its syntax; if it is coded, one for each of its 4x4 sub-blocks from the one with
// the last level back to the one of the DC; and behind each of these one for each
// group of four scan positions, from the last back, that has a level above one. In
// Verilog a word has its fields in this order, the first one lowest, in the bits
// that the tags say; rtl/t265/gen/t265_enc_words.vh has their offsets.

// A Word is one of the three.
type Word uint64

// wordBits is the width of a word.
const wordBits = 56

// A BlockWord is what is coded of a transform block ahead of its sub-blocks, and
// behind them: the syntax of clauses 7.3.8.4 to 7.3.8.11 since the block before.
type BlockWord struct {
	Init     bool  // the first one of a slice: its contexts come first
	QP       uint8 `rtl:"6"` // SliceQpY
	Unit     bool  // a CTU begins, with a part_mode of one
	Probable bool  // prev_intra_luma_pred_flag
	Mode     uint8 `rtl:"5"` // mpm_idx 0..2, or rem_intra_luma_pred_mode
	Trees    uint8 `rtl:"2"` // split_transform_flag, 0..3 of them: ones,
	TreeEnd  bool  // but the last a zero
	Root     bool  // trafoDepth is 0
	Coded    bool  // cbf_luma
	Delta    uint8 `rtl:"2"` // cu_qp_delta: 0 none, 1 of zero, 2 of one, 3 of -1
	Skip     bool  // transform_skip_flag, a one, is coded
	Log2     uint8 `rtl:"2"` // of the size, less 2
	Scan     uint8 `rtl:"2"` // scanIdx 0..2
	LastX    uint8 `rtl:"5"` // of the last level, as coded: exchanged in the vertical scan
	LastY    uint8 `rtl:"5"`
	Hide     bool  // sign data hiding
	EndCTU   bool  // end_of_slice_segment_flag follows,
	Last     bool  // a one
}

// A SubBlockWord holds the flags of 16 levels, bit k that of scan position k.
type SubBlockWord struct {
	Mask    uint16 `rtl:"16"` // not zero
	Greater uint16 `rtl:"16"` // above one in magnitude
	Sign    uint16 `rtl:"16"` // below zero
	Two     bool   // the highest position of Greater is above two in magnitude
	Around  uint8  `rtl:"2"` // coded_sub_block_flag of the sub-block to the right, and below
	DC      bool   // sub-block 0
	Top     bool   // it has the last level
}

// A LevelsWord holds the magnitudes of four levels, the lowest scan position first.
type LevelsWord struct {
	Level [4]uint16 `rtl:"14"` // at most 13108
}

// A packer puts fields into a word.
type packer struct {
	word Word
	at   uint
}

func (p *packer) bits(n uint, v Word) {
	p.word |= v << p.at
	p.at += n
}

func (p *packer) flag(b bool) { p.bits(1, Word(bin(b))) }

func bin(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

// Word returns the word.
func (b *BlockWord) Word() Word {
	var p packer
	p.flag(b.Init)
	p.bits(6, Word(b.QP))
	p.flag(b.Unit)
	p.flag(b.Probable)
	p.bits(5, Word(b.Mode))
	p.bits(2, Word(b.Trees))
	p.flag(b.TreeEnd)
	p.flag(b.Root)
	p.flag(b.Coded)
	p.bits(2, Word(b.Delta))
	p.flag(b.Skip)
	p.bits(2, Word(b.Log2))
	p.bits(2, Word(b.Scan))
	p.bits(5, Word(b.LastX))
	p.bits(5, Word(b.LastY))
	p.flag(b.Hide)
	p.flag(b.EndCTU)
	p.flag(b.Last)
	return p.word
}

// An unpacker takes fields out of a word.
type unpacker Word

func (u *unpacker) bits(n uint) uint8 {
	v := uint8(*u & (1<<n - 1))
	*u >>= n
	return v
}

func (u *unpacker) flag() bool { return u.bits(1) != 0 }

// block returns the BlockWord.
func (w Word) block() (b BlockWord) {
	u := unpacker(w)
	b.Init = u.flag()
	b.QP = u.bits(6)
	b.Unit = u.flag()
	b.Probable = u.flag()
	b.Mode = u.bits(5)
	b.Trees = u.bits(2)
	b.TreeEnd = u.flag()
	b.Root = u.flag()
	b.Coded = u.flag()
	b.Delta = u.bits(2)
	b.Skip = u.flag()
	b.Log2 = u.bits(2)
	b.Scan = u.bits(2)
	b.LastX = u.bits(5)
	b.LastY = u.bits(5)
	b.Hide = u.flag()
	b.EndCTU = u.flag()
	b.Last = u.flag()
	return b
}

// Word returns the word.
func (s *SubBlockWord) Word() Word {
	p := packer{Word(s.Mask) | Word(s.Greater)<<16 | Word(s.Sign)<<32, 48}
	p.flag(s.Two)
	p.bits(2, Word(s.Around))
	p.flag(s.DC)
	p.flag(s.Top)
	return p.word
}

// subBlock returns the SubBlockWord.
func (w Word) subBlock() (s SubBlockWord) {
	s.Mask, s.Greater, s.Sign = uint16(w), uint16(w>>16), uint16(w>>32)
	u := unpacker(w >> 48)
	s.Two = u.flag()
	s.Around = u.bits(2)
	s.DC = u.flag()
	s.Top = u.flag()
	return s
}

// Word returns the word.
func (l *LevelsWord) Word() Word {
	return Word(l.Level[0]) | Word(l.Level[1])<<14 | Word(l.Level[2])<<28 | Word(l.Level[3])<<42
}

// level returns one of the magnitudes of a LevelsWord.
func (w Word) level(i int) uint16 { return uint16(w >> (14 * (i & 3)) & (1<<14 - 1)) }
