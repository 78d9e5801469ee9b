package hwdec

import (
	"math/bits"

	"vcsim/internal/cabachw"
	"vcsim/sim"
	"vcsim/t265/block"
	"vcsim/t265/hw"
)

// RTL: rtl/t265/t265_parse.v rtl/t265/t265_parse_control.v rtl/t265/t265_parse_node.v rtl/t265/t265_parse_mode.v rtl/t265/t265_parse_qp.v rtl/t265/t265_parse_items.v

// A SliceConfig starts a slice segment in a decoder lane. A dependent one continues
// the slice before it in the same lane: its other fields do not count.
type SliceConfig struct {
	LastX, LastY uint16 // column and row of the last CTU of the picture
	PartX, PartY uint8  // what the picture has of them, in units of eight samples, 1..8
	X, Y         uint16 // first CTU of the slice segment
	QP           uint8  // SliceQpY, 0..51
	Dependent    bool   // dependent_slice_segment_flag
	Tools
}

// Tools are what sequence and picture parameter sets say of slice data.
type Tools struct {
	Log2CTB        uint8 `rtl:"2"` // log2 of the size of CTUs, less 4: 0..2
	Log2MinCB      uint8 `rtl:"2"` // log2 of the smallest coding unit, less 3: 0..3
	Log2MinTB      uint8 `rtl:"2"` // log2 of the smallest transform block, less 2: 0..3
	Log2MaxTB      uint8 `rtl:"2"` // log2 of the largest one, less 2: 0..3
	Depth          uint8 `rtl:"3"` // max_transform_hierarchy_depth_intra, 0..4
	QPDepth        uint8 `rtl:"2"` // diff_cu_qp_delta_depth, 0..3
	Log2MinPCM     uint8 `rtl:"2"` // log2 of the smallest coding unit with pcm_flag, less 3: 0..2
	Log2MaxPCM     uint8 `rtl:"2"` // log2 of the largest one, less 3: 0..2
	QPDelta        bool  // cu_qp_delta_enabled_flag
	Skip           bool  // transform_skip_enabled_flag
	TransquantFlag bool  // transquant_bypass_enabled_flag
	PCM            bool  // pcm_enabled_flag
	Hide           bool  // sign_data_hiding_enabled_flag
	Strong         bool  // strong_intra_smoothing_enabled_flag
}

// Pack returns the bits of t, in Verilog in the order of the fields, the first one
// lowest.
func (t *Tools) Pack() uint64 {
	v := uint64(t.Log2CTB) | uint64(t.Log2MinCB)<<2 | uint64(t.Log2MinTB)<<4 | uint64(t.Log2MaxTB)<<6 | uint64(t.Depth)<<8 |
		uint64(t.QPDepth)<<11 | uint64(t.Log2MinPCM)<<13 | uint64(t.Log2MaxPCM)<<15
	for i, b := range [...]bool{t.QPDelta, t.Skip, t.TransquantFlag, t.PCM, t.Hide, t.Strong} {
		if b {
			v |= 1 << (17 + i)
		}
	}
	return v
}

// An AboveRequest asks the memory of above words for the one at column Read, after
// Word has been written to column X if Write is set. They differ, or the picture has
// one column.
type AboveRequest struct {
	Write   bool
	X, Read uint16 `rtl:"CTUBits"`
	Word    uint16 `rtl:"AboveBits"` // cqtDepth of the bottom row, column i of eight samples in bits 2*i
}

// States of a ParseUnit: what is being decoded, or, where nothing is, what is done.
const (
	parseIdle  = iota // takes the next slice segment
	parseInit         // takes the contexts
	parseStart        // nine bits of ivlOffset
	parseFetch        // goes to the next CTU and asks for the above word
	parseWait         // takes it
	parseNode         // looks at a node of the coding quadtree
	parseSplit        // split_cu_flag
	parseUnit         // begins a coding unit
	parseTransquant
	parsePart
	parsePCM
	parsePrev  // prev_intra_luma_pred_flag of prediction block b
	parseWhich // goes to the mode of block b
	parseMPM   // mpm_idx
	parseRem   // rem_intra_luma_pred_mode
	parseMode  // derives the mode
	parseTree  // looks at a node of the transform tree
	parseSplitTransform
	parseCbf
	parseQP        // prefix of cu_qp_delta_abs
	parseQPOnes    // ones of its suffix
	parseQPBits    // the rest of that
	parseQPSign    // cu_qp_delta_sign_flag
	parseQPSet     // derives the QP
	parseSkip      // transform_skip_flag
	parseResidual  // residual_coding
	parseHead      // sends hw.ItemTU of a block that is not coded
	parseNext      // goes to the next node
	parseCTU       // sends hw.ItemCTU
	parseEnd       // end_of_slice_segment_flag
	parseSend      // sends hw.ItemEnd
	parseDrain     // drops the rest of the data
	numParseStates //
)

// A ParseUnit parses slice segment data (clause 7.3.8) with a decoder engine into items.
//
// Above is a memory of one word for each column of CTUs, which belongs to the slice;
// Reply is its answer, some cycles later. Nobody asks it where coding units are not
// split. Set takes the contexts that Init asks for. In a cycle its owner calls Eval,
// then, with all streams settled, Clock, after which the engine has had its edge, too.
type ParseUnit struct {
	Config *sim.Stream[SliceConfig]
	Set    *sim.Stream[hw.ContextValue]
	Above  *sim.Stream[AboveRequest]
	Reply  *sim.Stream[uint16]
	Out    *sim.Stream[hw.Item]

	engine *cabachw.DecoderUnit
	place  placeUnit
	around aroundUnit
	res    residualUnit
	state  uint8
	cfg    SliceConfig
	k      uint8 // bins of ivlOffset, of a mode or of cu_qp_delta_abs
	code   uint8 // hw.EndComplete or error

	// The node, of the coding quadtree or of a transform tree, by its first 4x4 block
	// in z-order in the CTU, and the coding unit.
	z, log2 uint8
	unit    uint8    // log2 of its size
	four    bool     // PART_NxN
	b       uint8    // prediction block
	prev    uint8    // prev_intra_luma_pred_flag, bit b
	mode    [4]uint8 // IntraPredModeY
	value   uint8    // mpm_idx or rem_intra_luma_pred_mode, and what becomes of it
	qp      uint8    // QpY
	qpCoded bool     // IsCuQpDeltaCoded
	minus   bool     // cu_qp_delta_sign_flag
	coded   bool     // cbf_luma
	skip    bool     // transform_skip_flag

	valid bool
	tag   hw.Item   // of the item in Out, without Data
	word  [4]uint16 // levels
}

// NewParseUnit returns a unit after reset that asks for up to bypass bypass bins a
// cycle, 1..4.
func NewParseUnit(bypass int, engine *cabachw.DecoderUnit, config *sim.Stream[SliceConfig], set *sim.Stream[hw.ContextValue],
	above *sim.Stream[AboveRequest], reply *sim.Stream[uint16], out *sim.Stream[hw.Item]) *ParseUnit {
	u := &ParseUnit{engine: engine, Config: config, Set: set, Above: above, Reply: reply, Out: out}
	u.res.bypass = uint8(bypass)
	return u
}

// Init asks for the contexts of a slice; qp is its QP.
func (u *ParseUnit) Init() (ask bool, qp uint8) { return u.state == parseInit, u.qp }

// Error reports the code of the last slice segment that ended early, until the next
// one starts.
func (u *ParseUnit) Error() uint8 { return u.code }

// splits reports that there are split_cu_flags.
func (u *ParseUnit) splits() bool { return u.cfg.Log2MinCB != u.cfg.Log2CTB+1 }

func (u *ParseUnit) Eval() {
	u.Config.Ready = u.state == parseIdle && !u.valid
	u.Set.Ready = u.state == parseInit
	u.Reply.Ready = u.state == parseWait
	if u.Above.Valid = u.state == parseFetch && u.splits(); u.Above.Valid {
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

// Request returns what the registers behind Above hold, also while Above is not valid.
func (u *ParseUnit) Request() AboveRequest {
	return AboveRequest{Write: !u.place.fresh, X: u.place.x, Read: u.place.nextX(), Word: u.around.word()}
}

// data returns the Data of the item in Out.
func (u *ParseUnit) data() uint64 {
	switch u.tag.Kind {
	case hw.ItemTU, hw.ItemCTU:
		h := hw.Head{Strong: u.cfg.Strong}
		u.place.head(&h)
		if u.tag.Kind == hw.ItemTU {
			h.X, h.Y = u.xy()
			h.Log2, h.Mode, h.Coded, h.Skip = (u.log2-2)&3, u.blockMode(), u.coded, u.skip
			h.Scan = uint8(block.ScanIndex(int(u.log2), int(h.Mode)))
			if u.coded {
				h.QP = u.qp
			}
		}
		return h.Pack()
	case hw.ItemEnd:
		return uint64(u.code)
	}
	w := &u.word
	return uint64(w[0]) | uint64(w[1])<<16 | uint64(w[2])<<32 | uint64(w[3])<<48
}

// xy returns column and row of the node in the CTU, in units of four samples.
func (u *ParseUnit) xy() (x, y uint8) { return even(u.z), even(u.z >> 1) }

// even gathers the bits 0, 2, 4 and 6.
func even(z uint8) uint8 { return z&1 | z>>1&2 | z>>2&4 | z>>3&8 }

// area is the number of 4x4 blocks of a square of size 1<<log2, modulo 256.
func area(log2 uint8) uint8 { return uint8(1 << (2*log2 - 4)) }

// blockMode is the mode of the transform block at the node.
func (u *ParseUnit) blockMode() uint8 {
	if !u.four {
		return u.mode[0]
	}
	return u.mode[u.z>>(2*u.unit-6)&3]
}

// ctb is log2 of the size of a CTU.
func (u *ParseUnit) ctb() uint8 { return u.cfg.Log2CTB + 4 }

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
	if u.valid && u.Out.Ready {
		u.valid = false
	}
	if u.state == parseResidual {
		w := u.res.cycle(free)
		u.group(&w)
	}
	enable := true
	switch u.state {
	case parseIdle:
		enable = u.Config.Valid && u.Config.Ready
	case parseInit:
		enable = u.Set.Valid && u.Set.Data.Last
	case parseFetch:
		enable = free && (u.Above.Ready || !u.splits())
	case parseWait:
		enable = u.Reply.Valid
	case parseHead, parseNext, parseCTU, parseSend:
		enable = free
	case parseResidual:
		enable = u.res.ready(free)
	case parseDrain:
		enable = u.engine.Ended()
	}
	overrun := u.engine.Overrun() && u.state >= parseNode && u.state < parseSend
	bin, step := u.engine.Step(enable)
	overrun = overrun || u.engine.Cut()
	if u.state == parseInit && u.Set.Valid {
		u.engine.Init(u.Set.Data.Ctx, u.Set.Data.Value)
	}
	next, before := requestNone, u.state
	if step {
		if overrun {
			next = u.fail(hw.EndData, requestNone)
		} else {
			next = u.step(bin)
		}
	}
	u.engine.Clock(next)
	if step && before != parseStart && u.state == parseStart {
		u.engine.Start()
	}
}

// group puts levels into the word of the item.
func (u *ParseUnit) group(w *groupWrite) {
	for i, set := range w.set {
		if set {
			u.word[i] = w.level[i]
		}
	}
	if w.push {
		u.push(hw.Item{Kind: hw.ItemLevels, SubX: u.res.subX, SubY: u.res.subY, Group: w.group})
	}
}

// fail ends the slice segment. What would be decoded next still is.
func (u *ParseUnit) fail(code uint8, next cabachw.Request) cabachw.Request {
	u.code, u.state = code, parseSend
	return next
}

// to enters a state in which r is decoded.
func (u *ParseUnit) to(state uint8, r cabachw.Request) cabachw.Request {
	u.state = state
	return r
}

// step leaves a state; bin is what was decoded in it. It returns the next request.
func (u *ParseUnit) step(bin uint8) cabachw.Request {
	switch u.state {
	case parseIdle:
		u.code, u.k = 0, 0
		if u.Config.Data.Dependent {
			return u.to(parseStart, requestBypass)
		}
		u.cfg = u.Config.Data
		u.qp = u.cfg.QP
		u.place.start(&u.cfg)
		u.around.load(0, false)
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
		u.place.next()
		u.around.next(u.place.left())
		u.z, u.log2 = 0, u.ctb()
		if u.splits() {
			return u.to(parseWait, requestNone)
		}
		return u.to(parseNode, requestNone)
	case parseWait:
		u.around.load(u.Reply.Data, u.place.up)
		return u.to(parseNode, requestNone)
	case parseNode:
		return u.node()
	case parseSplit:
		if bin != 0 {
			u.log2--
			return u.to(parseNode, requestNone)
		}
		return u.to(parseUnit, requestNone)
	case parseTree:
		return u.tree()
	case parseSplitTransform:
		if bin != 0 {
			u.log2--
			return u.to(parseTree, requestNone)
		}
		return u.cbf()
	case parseCbf:
		u.coded, u.skip, u.k, u.value = bin != 0, false, 0, 0
		switch {
		case !u.coded:
			return u.to(parseHead, requestNone)
		case u.cfg.QPDelta && !u.qpCoded:
			return u.to(parseQP, requestContext(hw.DecQPDelta))
		}
		return u.residual()
	case parseSkip:
		u.skip = bin != 0
		return u.begin()
	case parseResidual:
		if u.res.state == resGap {
			u.push(hw.Item{Kind: hw.ItemTU})
		}
		ends := u.res.state == resFlush
		next := u.res.step(bin, u.res.levels.rice)
		if ends {
			u.state = parseNext
		}
		return next
	case parseHead:
		u.push(hw.Item{Kind: hw.ItemTU})
		return u.to(parseNext, requestNone)
	case parseNext:
		return u.next()
	case parseCTU:
		u.push(hw.Item{Kind: hw.ItemCTU})
		return u.to(parseEnd, requestTerminate)
	case parseEnd:
		if bin != 0 {
			return u.to(parseSend, requestNone)
		}
		if u.place.final() {
			return u.fail(hw.EndPicture, requestNone)
		}
		return u.to(parseFetch, requestNone)
	case parseSend:
		u.push(hw.Item{Kind: hw.ItemEnd})
		return u.to(parseDrain, requestNone)
	case parseDrain:
		return u.to(parseIdle, requestNone)
	}
	if u.state >= parseQP {
		return u.qpDelta(bin)
	}
	return u.codingUnit(bin)
}

// node goes on at a node of the coding quadtree (clause 7.3.8.4).
func (u *ParseUnit) node() cabachw.Request {
	x, y := u.xy()
	right, bottom := u.place.right(), u.place.bottom()
	n := uint8(1) << (u.log2 - 3) // units of eight samples
	small := u.log2 == u.cfg.Log2MinCB+3
	if u.cfg.QPDelta && u.log2 == u.ctb()-u.cfg.QPDepth {
		u.quantGroup()
	}
	switch {
	case x>>1 >= right || y>>1 >= bottom:
		u.unit = u.log2
		return u.to(parseNext, requestNone)
	case small:
		return u.to(parseUnit, requestNone)
	case x>>1+n > right || y>>1+n > bottom:
		u.log2--
		return requestNone
	}
	return u.to(parseSplit, requestContext(hw.DecSplitCU+u.around.splitInc(x, y, u.ctb()-u.log2)))
}

// quantGroup starts a quantization group.
func (u *ParseUnit) quantGroup() {
	x, y := u.xy()
	u.qp, u.qpCoded = u.around.predictQP(x, y, u.qp), false
}

// codingUnit is step for coding_unit (clause 7.3.8.5) up to the transform tree.
func (u *ParseUnit) codingUnit(bin uint8) cabachw.Request {
	smallest := u.log2 == u.cfg.Log2MinCB+3
	pcm := u.cfg.PCM && u.log2-3 >= u.cfg.Log2MinPCM && u.log2-3 <= u.cfg.Log2MaxPCM
	switch u.state {
	case parseUnit, parseTransquant:
		if u.state == parseUnit {
			u.unit, u.four, u.b = u.log2, false, 0
			if u.cfg.QPDelta && u.log2 > u.ctb()-u.cfg.QPDepth {
				u.quantGroup()
			}
			if u.cfg.TransquantFlag {
				return u.to(parseTransquant, requestContext(hw.DecTransquant))
			}
		}
		switch {
		case bin != 0:
			return u.fail(hw.EndBypass, requestNone)
		case smallest:
			return u.to(parsePart, requestContext(hw.DecPartMode))
		case pcm:
			return u.to(parsePCM, requestTerminate)
		}
		return u.to(parsePrev, requestContext(hw.DecPrevIntra))
	case parsePart:
		u.four = bin == 0
		if !u.four && pcm {
			return u.to(parsePCM, requestTerminate)
		}
		return u.to(parsePrev, requestContext(hw.DecPrevIntra))
	case parsePCM:
		if bin != 0 {
			return u.fail(hw.EndPCM, requestNone)
		}
		return u.to(parsePrev, requestContext(hw.DecPrevIntra))
	case parsePrev:
		u.prev = u.prev&^(1<<u.b) | bin<<u.b
		if u.four && u.b < 3 {
			u.b++
			return requestContext(hw.DecPrevIntra)
		}
		u.b = 0
		return u.to(parseWhich, requestNone)
	case parseWhich:
		u.k, u.value = 0, 0
		if u.prev>>u.b&1 != 0 {
			return u.to(parseMPM, requestBypass)
		}
		return u.to(parseRem, requestBypass)
	case parseMPM:
		u.value += bin
		if bin != 0 && u.value == 1 {
			return requestBypass
		}
		return u.to(parseMode, requestNone)
	case parseRem:
		u.value = u.value<<1 | bin
		u.mode[u.b] = u.value
		if u.k++; u.k < 5 {
			return requestBypass
		}
		return u.to(parseMode, requestNone)
	}
	return u.deriveMode() // parseMode
}

// deriveMode gives prediction block b its mode (clause 8.4.2). What
// rem_intra_luma_pred_mode says is the mode less the candidates below it: with the
// candidates up to what it seems to be added, three times, it is the mode.
func (u *ParseUnit) deriveMode() cabachw.Request {
	at, size := u.z, u.unit
	if u.four {
		size--
		at |= u.b << (2*u.unit - 6)
	}
	x, y := even(at), even(at>>1)
	left, above := u.around.modes(x, y)
	cand := block.ProbableModes(int(left), int(above))
	mode := u.value
	last := true
	if u.prev>>u.b&1 != 0 {
		mode = uint8(cand[u.value])
	} else {
		for _, c := range cand {
			if uint8(c) <= u.mode[u.b] {
				mode++
			}
		}
		last = u.k == 7
	}
	u.mode[u.b] = mode
	u.k++
	if !last {
		return requestNone
	}
	u.around.setMode(x, y, 1<<(size-2), mode)
	if u.four && u.b < 3 {
		u.b++
		return u.to(parseWhich, requestNone)
	}
	return u.to(parseTree, requestNone)
}

// tree goes on at a node of a transform tree (clause 7.3.8.8).
func (u *ParseUnit) tree() cabachw.Request {
	depth, limit := u.unit-u.log2, u.cfg.Depth
	inferred := u.four && depth == 0
	if u.four {
		limit++
	}
	low, high := u.cfg.Log2MinTB+2, u.cfg.Log2MaxTB+2
	switch {
	case u.log2 > high || inferred:
		u.log2--
		return requestNone
	case u.log2 > low && depth < limit:
		return u.to(parseSplitTransform, requestContext(hw.DecSplit(u.log2)))
	}
	return u.cbf()
}

// cbf requests cbf_luma.
func (u *ParseUnit) cbf() cabachw.Request {
	if u.log2 == u.unit {
		return u.to(parseCbf, requestContext(hw.DecCbf+4))
	}
	return u.to(parseCbf, requestContext(hw.DecCbf))
}

// qpDelta is step for cu_qp_delta_abs and its sign (clauses 7.3.8.14 and 9.3.3.10).
func (u *ParseUnit) qpDelta(bin uint8) cabachw.Request {
	switch u.state {
	case parseQP:
		switch {
		case bin == 0 && u.k == 0:
			return u.to(parseQPSet, requestNone)
		case bin == 0:
			u.value = u.k
			return u.to(parseQPSign, requestBypass)
		}
		if u.k++; u.k < 5 {
			return requestContext(hw.DecQPDelta + 1)
		}
		u.k, u.value = 0, 1
		return u.to(parseQPOnes, requestBypass)
	case parseQPOnes:
		switch {
		case bin != 0:
			if u.k++; u.k == 5 { // 36 and more
				return u.fail(hw.EndQPDelta, requestBypass)
			}
			return requestBypass
		case u.k == 0:
			u.value = 5
			return u.to(parseQPSign, requestBypass)
		}
		return u.to(parseQPBits, requestBypass)
	case parseQPBits:
		u.value = u.value<<1 | bin
		if u.k--; u.k != 0 {
			return requestBypass
		}
		if u.value += 4; u.value > 26 {
			return u.fail(hw.EndQPDelta, requestBypass)
		}
		return u.to(parseQPSign, requestBypass)
	case parseQPSign:
		u.minus = bin != 0
		return u.to(parseQPSet, requestNone)
	}
	qp := int(u.qp) // parseQPSet
	if u.minus {
		qp -= int(u.value)
	} else {
		qp += int(u.value)
	}
	u.qp, u.qpCoded = uint8((qp+52)%52), true
	return u.residual()
}

// residual goes on to transform_skip_flag or the residual of a block.
func (u *ParseUnit) residual() cabachw.Request {
	if u.cfg.Skip && u.log2 == 2 {
		return u.to(parseSkip, requestContext(hw.DecTransformSkip))
	}
	return u.begin()
}

// begin goes on to the residual of a block.
func (u *ParseUnit) begin() cabachw.Request {
	scan := block.ScanIndex(int(u.log2), int(u.blockMode()))
	return u.to(parseResidual, u.res.start(u.log2, uint8(scan), u.cfg.Hide))
}

// next goes to the node behind this one in z-order. It is as large as its place
// allows: the first one of a coding unit, or one of the same transform tree.
func (u *ParseUnit) next() cabachw.Request {
	next := u.z + area(u.log2)
	unitEnds := next&(area(u.unit)-1) == 0
	if unitEnds {
		mask := area(u.unit) - 1
		at := u.z &^ mask
		u.around.setUnit(even(at), even(at>>1), 1<<(u.unit-2), u.ctb()-u.unit, u.qp)
	}
	if next&(area(u.ctb())-1) == 0 {
		return u.to(parseCTU, requestNone)
	}
	u.z = next
	u.log2 = uint8(bits.TrailingZeros8(u.z))>>1 + 2
	if unitEnds {
		return u.to(parseNode, requestNone)
	}
	return u.to(parseTree, requestNone)
}
