package hwdec

import (
	"fmt"
	"math/bits"

	"vcsim/sim"
	"vcsim/t265/block"
)

// RTL: rtl/t265/t265_dec_inverse.v rtl/t265/t265_dec_passes.v rtl/t265/t265_dec_coefs.v rtl/t265/t265_dec_itransform.v rtl/t265/t265_dec_idst.v rtl/t265/t265_dec_transpose.v rtl/t265/t265_dec_turned.v rtl/t265/t265_dec_dequant.v

// A LevelWord holds four levels of a coded block. Those of a block follow each other,
// each group of four once at most; positions without a word have levels of zero. All words
// of a block have the same Log2, Skip, Scan, QP, and ByColumns.
type LevelWord struct {
	Log2      uint8    // of the size of the block, less 2
	Skip      bool     // transform_skip_flag, of 4x4 alone
	Scan      uint8    // scanIdx, 0..2
	QP        uint8    // 0..51
	ByColumns bool     // the residual leaves by columns
	X, Y      uint8    // of the sub-block in the block
	Group     uint8    // scan positions 4*Group..4*Group+3 of the sub-block
	Last      bool     // of the block
	Levels    [4]int16 // of these
}

// A ResidualWord is the residual of four samples of a row, or a column, s9: more does not
// differ for a sample of 8 bits. Rows come from the top, columns from the left.
type ResidualWord [4]int16

// An InverseSpec holds the parameters of an InverseUnit, spelled as in Verilog.
type InverseSpec struct {
	MaxTU int // largest block, 8 or 16
	MinTU int // smallest block, 4 or 8
}

// Validate reports the first parameter out of range.
func (s InverseSpec) Validate() error {
	if s.MaxTU != 8 && s.MaxTU != 16 {
		return fmt.Errorf("t265: MaxTU is %d, neither 8 nor 16", s.MaxTU)
	}
	if s.MinTU != 4 && s.MinTU != 8 {
		return fmt.Errorf("t265: MinTU is %d, neither 4 nor 8", s.MinTU)
	}
	return nil
}

// PlaceBits is the width of the column, or row, of a sub-block.
func (s InverseSpec) PlaceBits() int { return bits.Len(uint(s.MaxTU/4 - 1)) }

// A pass is what the engine does with a block.
type pass uint8

const (
	passNone    pass = iota
	passColumns      // coefficients to transposition
	passRows         // transposition to residual
	passSkip         // coefficients to residual, by columns
)

// passBeats is the number of beats of a pass by log2 of the size of a block, less 2.
var passBeats = [4]uint8{4, 8, 32, 32}

// residualWords is the number of words of a residual by log2 of the size, less 2.
var residualWords = [4]uint8{4, 16, 64, 64}

// A pair of pages holds blocks, of which the older one is read. Flags count by page.
type pagePair struct {
	held  [2]bool // by a block
	ready [2]bool // which is complete
	block [2]inversePlace
	write uint8 // the page that is next to be held
	end   uint8 // next to be complete
	read  uint8 // next to be read
}

// An inversePlace is a block in a page.
type inversePlace struct {
	log2 uint8
	skip bool
	at   uint8 // of InverseUnit.blocks
}

// inverseBlocks is more than the number of blocks in an InverseUnit.
const inverseBlocks = 8

// An InverseUnit scales levels and transforms them (clauses 8.6.2 and 8.6.4): levels of
// coded blocks in, residuals out, blocks in their order.
//
// The engine has no valid bits that wait: a pass begins when all that it reads is there
// and all that it writes has room, and its beats follow each other.
type InverseUnit struct {
	in  *sim.Stream[LevelWord]
	out *sim.Stream[ResidualWord]

	lat    uint8 // cycles from a read of the engine to its sums
	scales bool  // the end of a block, in the first stage of scaling

	coefs, turned, done pagePair

	// The pass under way.
	pass  pass
	place inversePlace
	page  uint8
	beat  uint8
	// Ends of passes on their way to the sums, bit i: in i cycles more.
	columnEnds, residualEnds uint8

	// The residual that leaves: read from its page, in the register of the memory, and out.
	reads, fetched bool
	leaving        inversePlace
	from           uint8
	word           uint8
	fetch          ResidualWord
	valid          bool
	data           ResidualWord

	coef   block.Pairs // of the block that comes
	extent block.Extent
	blocks [inverseBlocks][4 * 64]ResidualWord
	next   uint8 // of blocks
}

// NewInverseUnit returns a unit after reset.
func NewInverseUnit(spec InverseSpec, in *sim.Stream[LevelWord], out *sim.Stream[ResidualWord]) *InverseUnit {
	if err := spec.Validate(); err != nil {
		panic(err)
	}
	u := &InverseUnit{in: in, out: out, lat: 4}
	if spec.MaxTU == 8 {
		u.lat = 3
	}
	return u
}

func (u *InverseUnit) Eval() {
	u.in.Ready = !u.coefs.held[u.coefs.write]
	u.out.Valid, u.out.Data = u.valid, u.data
}

func (u *InverseUnit) Clock() {
	// What is there before the edge.
	columns := u.coefs.ready[u.coefs.read]
	rows := u.turned.ready[u.turned.read]
	room := !u.done.held[u.done.write]
	turnRoom, turnEmpty := !u.turned.held[u.turned.write], u.turned.held == [2]bool{}
	residual := u.done.ready[u.done.read]

	if !u.out.Valid || u.out.Ready {
		u.leave(residual)
	}
	u.ends()
	next := passNone
	switch skip := u.coefs.block[u.coefs.read].skip; {
	case rows && room:
		next = passRows
	case columns && skip && turnEmpty && room:
		next = passSkip
	case columns && !skip && turnRoom:
		next = passColumns
	}
	u.step(next)
	if u.scales {
		u.coefs.complete()
	}
	u.scales = u.in.Moves() && u.in.Data.Last
	if u.in.Moves() {
		u.take(&u.in.Data)
	}
}

// hold is the start of a block in its page.
func (p *pagePair) hold(b inversePlace) {
	p.held[p.write], p.block[p.write] = true, b
	p.write ^= 1
}

// complete is the end of the block that is not complete.
func (p *pagePair) complete() {
	p.ready[p.end] = true
	p.end ^= 1
}

// take starts to read a block.
func (p *pagePair) take() (b inversePlace, page uint8) {
	page = p.read
	p.ready[page] = false
	p.read ^= 1
	return p.block[page], page
}

// step is the edge of the engine: a beat goes by, and next is the pass that may begin.
func (u *InverseUnit) step(next pass) {
	last := u.beat+1 == passBeats[u.place.log2&3]
	if u.pass != passNone {
		u.beat++
		if !last {
			return
		}
		switch u.pass {
		case passColumns:
			u.coefs.held[u.page] = false
			u.columnEnds |= 1 << (u.lat - 1)
		case passSkip:
			u.coefs.held[u.page] = false
			u.residualEnds |= 1 << (u.lat - 1)
		case passRows:
			u.turned.held[u.page] = false
			u.residualEnds |= 1 << (u.lat - 1)
		}
	}
	u.pass, u.beat = next, 0
	switch next {
	case passColumns:
		u.place, u.page = u.coefs.take()
		u.turned.hold(u.place)
	case passSkip:
		u.place, u.page = u.coefs.take()
		u.done.hold(u.place)
	case passRows:
		u.place, u.page = u.turned.take()
		u.done.hold(u.place)
	}
}

// ends is the edge of the last beats on their way to the sums.
func (u *InverseUnit) ends() {
	if u.columnEnds&1 != 0 {
		u.turned.complete()
	}
	if u.residualEnds&1 != 0 {
		u.done.complete()
	}
	u.columnEnds >>= 1
	u.residualEnds >>= 1
}

// leave is the edge of the way out.
func (u *InverseUnit) leave(residual bool) {
	u.valid, u.data = u.fetched, u.fetch
	u.fetched = u.reads
	if u.reads {
		u.fetch = u.blocks[u.leaving.at][u.word]
		if u.word++; u.word != residualWords[u.leaving.log2&3] {
			return
		}
		u.done.held[u.from] = false
	}
	if u.reads = residual; residual {
		u.leaving, u.from = u.done.take()
		u.word = 0
	}
}

// take is the edge at which a word comes in.
func (u *InverseUnit) take(w *LevelWord) {
	log2 := int(w.Log2&3) + 2
	s := block.NewScaler(int(w.QP), log2)
	scan := &block.Scans[0][w.Scan%3]
	x, y := int(w.X), int(w.Y)
	for i, l := range w.Levels {
		k := int(w.Group&3)<<2 + i
		at := (4*y+int(scan.PosY[k]))<<log2 + 4*x + int(scan.PosX[k])
		u.coef[at>>1&511] += int64(s.Coefficient(int32(l))) << (at & 1 << 5)
	}
	u.extent.Rows = max(u.extent.Rows, 4*y+4)
	u.extent.Cols |= 1 << x
	if w.Last {
		u.coefs.hold(inversePlace{w.Log2, w.Skip, u.next})
		u.restore(&u.blocks[u.next], w)
		u.next = (u.next + 1) % inverseBlocks
	}
}

// restore transforms the block that has come.
func (u *InverseUnit) restore(words *[4 * 64]ResidualWord, w *LevelWord) {
	var res [1024]int16
	log2 := int(w.Log2&3) + 2
	if w.Skip {
		block.InverseSkip(&res, &u.coef)
	} else {
		block.Inverse(&res, &u.coef, log2, u.extent, log2 == 2)
	}
	u.extent = block.Extent{}
	clear(u.coef[:])
	n := 1 << log2
	for i, v := range res[:n*n] {
		at := i
		if w.ByColumns {
			at = i&(n-1)<<log2 | i>>log2
		}
		words[at>>2][at&3] = min(max(v, -256), 255)
	}
}
