package hwdec

import (
	"vcsim/internal/cabachw"
	"vcsim/sim"
	"vcsim/t264/block"
	"vcsim/t264/hw"
)

// RTL: rtl/t264/t264_parse.v rtl/t264/t264_parse_control.v rtl/t264/t264_parse_place.v rtl/t264/t264_parse_items.v

// A SliceConfig starts a slice in a decoder lane.
type SliceConfig struct {
	LastX, LastY uint16 // column and row of the last macroblock of the picture
	X, Y         uint16 // first macroblock of the slice
	QP           uint8  // SliceQPY, 0..51
	Transform8   bool   // transform_8x8_mode_flag
}

// An AboveRequest asks the memory of above words for the one at column Read,
// after Word has been written to column X if Write is set. They differ.
type AboveRequest struct {
	Write   bool
	X, Read uint16 `rtl:"MBBits"`
	Word    uint32 `rtl:"25"` // AboveBits
}

// States of a ParseUnit: what is being decoded, or, where nothing is, what is
// done.
const (
	parseIdle  = iota // takes the next slice
	parseInit         // takes the contexts
	parseStart        // nine bits of ivlOffset
	parseFetch        // asks for the above word
	parseWait         // takes it
	parseMB           // begins a macroblock
	parseType
	parseT8
	parsePCM // second bin of mb_type
	parseType3
	parseType4
	parseType6
	parseType7
	parsePrev
	parseRem0
	parseRem1
	parseRem2
	parseMode   // derives the mode of a block
	parseCBP    // bin b>>2
	parseQP     // bin k
	parseQPSet  // derives the QP
	parseHeader // sends hw.ItemMB
	parseModes  // sends hw.ItemModes
	parseBlock  // goes to the next block
	parseCoded
	parseResidualBlock
	parseEnd  // end_of_slice_flag
	parseSend // sends hw.ItemEnd
	parseDrain
)

// A ParseUnit parses slice data (clause 7.3.4) with a decoder engine into items.
//
// Above is a memory of one word for each macroblock column, which belongs to
// the slice; Reply is its answer, some cycles later. Set takes the contexts
// that Init asks for. In a cycle its owner calls Eval, then, with all streams
// settled, Clock, after which the engine has had its edge, too.
type ParseUnit struct {
	Config *sim.Stream[SliceConfig]
	Set    *sim.Stream[hw.ContextValue]
	Above  *sim.Stream[AboveRequest]
	Reply  *sim.Stream[uint32]
	Out    *sim.Stream[hw.Item]

	engine *cabachw.DecoderUnit
	around aroundUnit
	res    residualUnit
	state  uint8
	cfg    SliceConfig // X, Y move on
	x0     uint16      // cfg.X of the slice
	rows   uint8       // complete rows of the slice: 0, 1, 2 or more; the first may be short
	first  bool        // no macroblock of the slice yet
	qp     uint8
	qpDiff bool  // mb_qp_delta of the macroblock before was not zero
	k      uint8 // bins of ivlOffset or mb_qp_delta
	code   uint8 // hw.EndComplete or error

	kind, mode16, cbp uint8
	b                 uint8 // 4x4 block
	done              bool  // no block is left
	dc                bool  // the DC block comes next
	prev              bool  // prev_intra_pred_mode_flag
	rem               uint8

	valid bool
	tag   hw.Item   // of the item in Out, without Data
	word  [4]uint16 // modes or levels
}

// NewParseUnit returns a unit after reset that asks for up to bypass bypass bins
// a cycle, 1..4.
func NewParseUnit(bypass int, engine *cabachw.DecoderUnit, config *sim.Stream[SliceConfig], set *sim.Stream[hw.ContextValue],
	above *sim.Stream[AboveRequest], reply *sim.Stream[uint32], out *sim.Stream[hw.Item]) *ParseUnit {
	u := &ParseUnit{engine: engine, Config: config, Set: set, Above: above, Reply: reply, Out: out}
	u.res.bypass = uint8(bypass)
	return u
}

// Init asks for the contexts of a slice; qp is its QP.
func (u *ParseUnit) Init() (ask bool, qp uint8) { return u.state == parseInit, u.qp }

// Error reports the code of the last slice that ended early, until the next
// one starts.
func (u *ParseUnit) Error() uint8 { return u.code }

func (u *ParseUnit) Eval() {
	u.Config.Ready = u.state == parseIdle && !u.valid
	u.Set.Ready = u.state == parseInit
	u.Reply.Ready = u.state == parseWait
	if u.Above.Valid = u.state == parseFetch; u.Above.Valid {
		u.Above.Data = u.Request()
	}
	if u.Out.Valid = u.valid; u.valid {
		u.Out.Data = u.Item()
	}
	u.engine.Drain(u.state == parseDrain)
	u.engine.Eval()
}

// Item returns what the registers behind Out hold, also while Out is not valid.
func (u *ParseUnit) Item() hw.Item {
	t := u.tag
	t.Data = u.data()
	return t
}

// Request returns what the registers behind Above hold, also while Above is not
// valid.
func (u *ParseUnit) Request() AboveRequest {
	q := AboveRequest{Write: !u.first, X: u.cfg.X, Read: u.cfg.X, Word: u.around.above.pack()}
	if !u.first {
		q.Read = u.nextX()
	}
	return q
}

func (u *ParseUnit) nextX() uint16 {
	if u.cfg.X == u.cfg.LastX {
		return 0
	}
	return u.cfg.X + 1
}

// neighbours returns which neighbouring macroblocks are available.
func (u *ParseUnit) neighbours() (left, above, aboveLeft, aboveRight bool) {
	d := int(u.cfg.X) - int(u.x0)
	left = u.cfg.X != 0 && !(u.rows == 0 && d == 0)
	above = u.rows >= 2 || u.rows == 1 && d >= 0
	aboveLeft = u.rows >= 2 && u.cfg.X != 0 || u.rows == 1 && d >= 1
	aboveRight = u.cfg.X != u.cfg.LastX && (u.rows >= 2 || u.rows == 1 && d >= -1)
	return
}

// data returns the Data of the item in Out.
func (u *ParseUnit) data() uint64 {
	switch u.tag.Kind {
	case hw.ItemMB:
		m := hw.MBItem{Kind: u.kind, Mode: u.mode16, CBP: u.cbp, QP: u.qp, X: u.cfg.X, Y: u.cfg.Y,
			Final: u.final()}
		m.Left, m.Above, m.AboveLeft, m.AboveRight = u.neighbours()
		return m.Pack()
	case hw.ItemEnd:
		return uint64(u.code)
	}
	w := &u.word
	return uint64(w[0]) | uint64(w[1])<<16 | uint64(w[2])<<32 | uint64(w[3])<<48
}

func (u *ParseUnit) final() bool { return u.cfg.X == u.cfg.LastX && u.cfg.Y == u.cfg.LastY }

func (u *ParseUnit) push(t hw.Item) { u.valid, u.tag = true, t }

var (
	requestNone      = cabachw.Request{}
	requestBypass    = cabachw.Request{Kind: cabachw.RequestBypass, Count: 1}
	requestTerminate = cabachw.Request{Kind: cabachw.RequestTerminate}
)

func requestContext(ctx uint8) cabachw.Request {
	return cabachw.Request{Kind: cabachw.RequestContext, Ctx: ctx}
}

func (u *ParseUnit) Clock() {
	free := !u.valid || u.Out.Ready
	enable := true
	switch u.state {
	case parseIdle:
		enable = u.Config.Valid && u.Config.Ready
	case parseInit:
		enable = u.Set.Valid && u.Set.Data.Last
	case parseFetch:
		enable = u.Above.Ready
	case parseWait:
		enable = u.Reply.Valid
	case parseMode, parseHeader, parseModes, parseCoded, parseSend:
		enable = free
	case parseResidualBlock:
		if u.res.state == resSign {
			enable = free && !u.res.waits()
		}
	case parseDrain:
		enable = u.engine.Ended()
	}
	overrun := u.engine.Overrun() && u.state >= parseMB && u.state < parseSend
	bin, step := u.engine.Step(enable)
	overrun = overrun || u.engine.Cut()
	if u.valid && u.Out.Ready {
		u.valid = false
		if u.tag.Kind != hw.ItemMB {
			u.word = [4]uint16{}
		}
	}
	if u.state == parseInit && u.Set.Valid {
		u.engine.Init(u.Set.Data.Ctx, u.Set.Data.Value)
	}
	if u.state == parseResidualBlock {
		u.res.search()
	}
	start := u.state == parseInit
	next := requestNone
	if step {
		if overrun {
			next = u.fail(hw.EndData, requestNone)
		} else {
			next = u.step(bin)
		}
	}
	u.engine.Clock(next)
	if start && step {
		u.engine.Start()
	}
}

// fail ends the slice. What would be decoded next still is.
func (u *ParseUnit) fail(code uint8, next cabachw.Request) cabachw.Request {
	u.code, u.state = code, parseSend
	return next
}

// to enters a state in which r is decoded.
func (u *ParseUnit) to(state uint8, r cabachw.Request) cabachw.Request {
	u.state = state
	return r
}

// step leaves a state; bin is what was decoded in it. It returns the next
// request.
func (u *ParseUnit) step(bin uint8) cabachw.Request {
	switch u.state {
	case parseIdle:
		u.cfg = u.Config.Data
		u.x0, u.rows, u.first, u.qp, u.qpDiff, u.k, u.code = u.cfg.X, 0, true, u.cfg.QP, false, 0, 0
		u.word = [4]uint16{}
		u.around.next(0, false, false)
		return u.to(parseInit, requestNone)
	case parseInit:
		return u.to(parseStart, requestBypass)
	case parseStart:
		if bin != 0 {
			return u.fail(hw.EndStart, requestNone)
		}
		if u.k++; u.k < 9 {
			return requestBypass
		}
		return u.to(parseFetch, requestNone)
	case parseFetch:
		if !u.first {
			if u.cfg.X == u.cfg.LastX {
				u.cfg.Y++
				u.rows = min(u.rows+1, 2)
			}
			u.cfg.X = u.nextX()
		}
		u.first = false
		return u.to(parseWait, requestNone)
	case parseWait:
		left, above, _, _ := u.neighbours()
		u.around.next(u.Reply.Data, left, above)
		return u.to(parseMB, requestNone)
	case parseMB:
		u.b, u.k, u.cbp, u.kind, u.mode16, u.done, u.dc = 0, 0, 0, block.MB4x4, 0, false, false
		return u.to(parseType, requestContext(hw.DecMBType+u.around.typeInc()))
	case parseResidualBlock:
		next, w := u.res.step(bin)
		return u.residual(next, w)
	case parseBlock:
		return u.block()
	case parseCoded:
		return u.coded(bin)
	case parseEnd:
		if bin != 0 {
			return u.to(parseSend, requestNone)
		}
		if u.final() {
			return u.fail(hw.EndPicture, requestNone)
		}
		return u.to(parseFetch, requestNone)
	case parseSend:
		u.push(hw.Item{Kind: hw.ItemEnd})
		return u.to(parseDrain, requestNone)
	case parseDrain:
		return u.to(parseIdle, requestNone)
	}
	return u.macroblock(bin)
}

// macroblock is step for what precedes the blocks.
func (u *ParseUnit) macroblock(bin uint8) cabachw.Request {
	switch u.state {
	case parseType:
		switch {
		case bin != 0:
			return u.to(parsePCM, requestTerminate)
		case u.cfg.Transform8:
			return u.to(parseT8, requestContext(hw.DecT8+u.around.t8Inc()))
		}
		return u.to(parsePrev, requestContext(hw.DecPrevIntra))
	case parseT8:
		u.kind = bin
		return u.to(parsePrev, requestContext(hw.DecPrevIntra))
	case parsePCM:
		if bin != 0 {
			return u.fail(hw.EndPCM, requestNone)
		}
		return u.to(parseType3, requestContext(hw.DecTypeBins))
	case parseType3:
		u.cbp = 15 * bin
		return u.to(parseType4, requestContext(hw.DecTypeBins+1))
	case parseType4:
		if bin != 0 {
			return u.fail(hw.EndChroma, requestNone)
		}
		return u.to(parseType6, requestContext(hw.DecTypeBins+2))
	case parseType6:
		u.mode16 = bin << 1
		return u.to(parseType7, requestContext(hw.DecTypeBins+3))
	case parseType7:
		u.mode16 |= bin
		u.kind = block.MB16x16
		return u.to(parseQP, u.firstQP())
	case parsePrev:
		u.prev = bin != 0
		if u.prev {
			return u.to(parseMode, requestNone)
		}
		return u.to(parseRem0, requestContext(hw.DecRemIntra))
	case parseRem0, parseRem1:
		u.rem = u.rem>>1 | bin<<2
		return u.to(u.state+1, requestContext(hw.DecRemIntra))
	case parseRem2:
		u.rem = u.rem>>1 | bin<<2
		return u.to(parseMode, requestNone)
	case parseMode:
		return u.mode()
	case parseCBP:
		i := u.b >> 2
		u.cbp |= bin << i
		u.around.setCBP(i, bin)
		u.b = (u.b + 4) & 15
		switch {
		case i < 3:
			return requestContext(hw.DecCBP + u.around.cbpInc(i+1))
		case u.cbp != 0:
			return u.to(parseQP, u.firstQP())
		}
		u.qpDiff = false
		return u.to(parseHeader, requestNone)
	case parseQP:
		if bin == 0 {
			return u.to(parseQPSet, requestNone)
		}
		u.k++
		next := requestContext(hw.DecQPDelta + min(u.k+1, 3))
		if u.k > 2*26 {
			return u.fail(hw.EndQPDelta, next)
		}
		return next
	case parseQPSet:
		qp := int(u.qp) - int(u.k>>1)
		if u.k&1 != 0 {
			qp = int(u.qp) + int(u.k>>1) + 1
		}
		u.qp = uint8((qp + 52) % 52)
		u.qpDiff = u.k != 0
		if u.k == 2*26-1 { // 26
			return u.fail(hw.EndQPDelta, requestNone)
		}
		return u.to(parseHeader, requestNone)
	case parseHeader:
		return u.header()
	}
	u.push(hw.Item{Kind: hw.ItemModes}) // parseModes
	return u.to(parseBlock, requestNone)
}

func (u *ParseUnit) firstQP() cabachw.Request {
	inc := uint8(0)
	if u.qpDiff {
		inc = 1
	}
	return requestContext(hw.DecQPDelta + inc)
}

// Intra modes of blocks that read samples of the left, above and above left
// neighbours, by bit of the mode.
var modesLeft, modesAbove, modesCorner = func() (left, above, corner uint16) {
	for m, n := range block.Needs {
		for _, p := range []struct {
			need bool
			set  *uint16
		}{{n.Left, &left}, {n.Above, &above}, {n.Corner, &corner}} {
			if p.need {
				*p.set |= 1 << m
			}
		}
	}
	return
}()

// mode gives block b its mode.
func (u *ParseUnit) mode() cabachw.Request {
	left, above := u.around.modes(u.b)
	mode := min(left, above)
	if left == modeNone || above == modeNone {
		mode = block.ModeDC
	}
	if !u.prev {
		mode = uint8(block.ModeFromRemainder(int(u.rem), int(mode)))
	}
	i, first := u.b>>2, u.b == 0
	if u.kind == block.MB8x8 {
		u.word[i] = uint16(mode) * 0x1111
	} else {
		n := 4 * (u.b & 3)
		u.word[i] = u.word[i]&^(15<<n) | uint16(mode)<<n
	}
	if u.kind == block.MB8x8 {
		u.around.setMode(u.b, 2, mode)
		u.b += 4
	} else {
		u.around.setMode(u.b, 1, mode)
		u.b++
	}
	next := u.to(parsePrev, requestContext(hw.DecPrevIntra))
	if u.b &= 15; u.b == 0 {
		next = u.to(parseCBP, requestContext(hw.DecCBP+u.around.cbpInc(0)))
	}
	_, _, aboveLeft, _ := u.neighbours()
	if left == modeNone && modesLeft>>mode&1 != 0 || above == modeNone && modesAbove>>mode&1 != 0 ||
		first && !aboveLeft && modesCorner>>mode&1 != 0 {
		return u.fail(hw.EndMode, next)
	}
	return next
}

// header sends hw.ItemMB.
func (u *ParseUnit) header() cabachw.Request {
	u.around.setKind(u.kind, u.cbp)
	next := u.to(parseModes, requestNone)
	if u.kind == block.MB16x16 {
		u.dc = true
		next = u.to(parseCoded, requestContext(hw.DecCoded(block.CatDC, u.around.dcInc())))
		left, above, aboveLeft, _ := u.neighbours()
		if !left && u.mode16&1 != 0 || !above && (u.mode16 == 0 || u.mode16 == 3) || !aboveLeft && u.mode16 == 3 {
			return u.fail(hw.EndMode, next)
		}
	}
	u.push(hw.Item{Kind: hw.ItemMB})
	return next
}

// category returns the category of the block that comes next.
func (u *ParseUnit) category() uint8 {
	switch {
	case u.dc:
		return block.CatDC
	case u.kind == block.MB16x16:
		return block.CatAC
	case u.kind == block.MB8x8:
		return block.Cat8x8
	}
	return block.Cat4x4
}

// block goes to block b, or past an 8x8 block outside the pattern.
func (u *ParseUnit) block() cabachw.Request {
	if u.done {
		return u.to(parseEnd, requestTerminate)
	}
	i := u.b >> 2
	cat := u.category()
	switch {
	case u.cbp>>i&1 == 0:
		u.around.setCoded8(i, 0)
		u.advance(4)
		return requestNone
	case cat == block.Cat8x8:
		u.around.setCoded8(i, 1)
		return u.to(parseResidualBlock, u.res.start(cat))
	}
	return u.to(parseCoded, requestContext(hw.DecCoded(cat, u.around.codedInc(u.b))))
}

// advance goes n blocks on.
func (u *ParseUnit) advance(n uint8) {
	u.b += n
	u.done = u.b > 15
	u.b &= 15
}

// coded takes coded_block_flag.
func (u *ParseUnit) coded(bin uint8) cabachw.Request {
	cat := u.category()
	if cat == block.CatDC {
		u.around.left.dc, u.around.above.dc = bin, bin
	} else {
		u.around.setCoded(u.b, bin)
	}
	if bin != 0 {
		return u.to(parseResidualBlock, u.res.start(cat))
	}
	u.push(u.blockItem(hw.Item{Last: true}))
	u.nextBlock()
	return u.to(parseBlock, requestNone)
}

// blockItem completes an item of the block.
func (u *ParseUnit) blockItem(t hw.Item) hw.Item {
	t.Kind, t.Block = hw.ItemBlock, u.b
	if u.dc {
		t.Kind = hw.ItemDC
	}
	return t
}

// nextBlock goes past the block that has been parsed.
func (u *ParseUnit) nextBlock() {
	switch {
	case u.dc:
		u.dc = false
	case u.kind == block.MB8x8:
		u.advance(4)
	default:
		u.advance(1)
	}
}

// residual takes what a bin of a block did.
func (u *ParseUnit) residual(next cabachw.Request, w levelWrite) cabachw.Request {
	if w.write {
		u.word[w.slot&3] = w.level
	}
	if w.bad {
		return u.fail(hw.EndLevel, next)
	}
	if w.push {
		u.push(u.blockItem(hw.Item{Group: w.group, Last: w.last, Coded: true}))
	}
	if w.last {
		u.nextBlock()
		u.state = parseBlock
	}
	return next
}
