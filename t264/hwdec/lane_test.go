package hwdec

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"vcsim/internal/cabachw"
	"vcsim/internal/codectest"
	"vcsim/internal/peertest"
	"vcsim/internal/raster"
	"vcsim/sim"
	"vcsim/t264"
	"vcsim/t264/block"
	"vcsim/t264/hw"
)

// A laneRun is a lane with its surroundings.
type laneRun struct {
	words  sim.Stream[cabachw.Word]
	config sim.Stream[SliceConfig]
	set    sim.Stream[hw.ContextValue]
	above  sim.Stream[AboveRequest]
	reply  sim.Stream[uint32]
	out    sim.Stream[hw.Item]
	lane   *LaneUnit
	bypass int
	memory [1024]uint32
	next   int // context
	cycles int
	// Cycles since the last item and since the last byte, and the most of them.
	silent, worst, ending, worstEnd int
}

func newLaneRun(bypass int) *laneRun {
	r := &laneRun{bypass: bypass}
	r.lane = NewLaneUnit(LaneSpec{FrameMBs: 1024, Bypass: bypass}, &r.words, &r.config, &r.set, &r.above, &r.reply, &r.out)
	return r
}

// cycle runs one cycle, with the streams of the test settled.
func (r *laneRun) cycle() {
	r.lane.Eval()
	if ask, qp := r.lane.Parse.Init(); ask {
		r.set.Valid = true
		r.set.Data = hw.ContextValue{Ctx: uint8(r.next), Value: hw.InitialDecContexts[qp][r.next], Last: r.next == hw.DecContexts-1}
		r.next = (r.next + 1) % hw.DecContexts
	}
	r.lane.Clock()
	r.cycles++
	r.set.Valid = false
	r.reply.Valid = r.reply.Valid && !r.reply.Ready
	if r.above.Moves() {
		q := &r.above.Data
		if q.Write {
			r.memory[q.X] = q.Word
		}
		r.reply.Valid, r.reply.Data = true, r.memory[q.Read]
	}
	r.silent++
	if r.ending++; !r.lane.Parse.engine.Ended() {
		r.ending = 0
	}
}

// items parses a slice. The streams pause at random when rng is there.
func (r *laneRun) items(t testing.TB, s *Slice, rng *rand.Rand) []hw.Item {
	t.Helper()
	pause := func() bool { return rng != nil && rng.IntN(3) == 0 }
	var items []hw.Item
	left := s.Data
	r.config.Valid, r.config.Data = true, s.Config
	r.silent = 0
	for ended := false; !ended || len(left) > 0 || r.words.Valid; {
		if !r.words.Valid && len(left) > 0 && !pause() {
			n := min(8, len(left))
			if rng != nil {
				n = min(1+rng.IntN(8), len(left))
			}
			r.words.Valid, r.words.Data = true, cabachw.Word{Count: uint8(n), Last: n == len(left)}
			for i, b := range left[:n] {
				r.words.Data.Data |= uint64(b) << (8 * i)
			}
			left = left[n:]
		}
		r.out.Ready, r.above.Ready = !pause(), !pause()
		r.cycle()
		r.words.Valid = r.words.Valid && !r.words.Ready
		r.config.Valid = r.config.Valid && !r.config.Ready
		if r.out.Moves() {
			items = append(items, r.out.Data)
			ended = ended || r.out.Data.Kind == hw.ItemEnd
			if rng == nil {
				r.worst = max(r.worst, r.silent)
				if r.out.Data.Kind == hw.ItemEnd {
					r.worstEnd = max(r.worstEnd, r.ending)
				}
			}
			r.silent = 0
		}
		if r.silent > 20000 && !ended {
			t.Fatalf("no item in %d cycles, state %d", r.silent, r.lane.Parse.state)
		}
	}
	for !(r.lane.Parse.state == parseIdle) {
		r.cycle()
	}
	return items
}

// An itemDecoder makes pictures of items, of coded size: the arithmetic of a
// Decoder, without its parsing.
type itemDecoder struct {
	width, height int
	pix           []byte
	edge          block.Edge
	scale         *block.Scaler
	ref, flt      block.Refs
	four          [16]block.Lanes4 // zero between blocks
	eight         block.Lanes8     // zero between blocks
}

// start begins a picture of the size that s tells.
func (d *itemDecoder) start(s *SliceConfig) {
	d.width, d.height = 16*(int(s.LastX)+1), 16*(int(s.LastY)+1)
	d.pix = make([]byte, d.width*d.height)
}

// cropped returns the samples of the picture inside w by h.
func (d *itemDecoder) cropped(w, h int) []byte {
	out := make([]byte, w*h)
	raster.Copy(out, w, d.pix, d.width, w, h)
	return out
}

// reference returns the reference samples that the prediction of a block reads.
func (d *itemDecoder) reference(x, y, n, log2, mode int) (*block.Refs, block.Neighbourhood, error) {
	nb := block.Neighbours(x, y, n, d.edge)
	if !block.Allowed(log2, mode, nb) {
		return nil, nb, fmt.Errorf("intra mode %d of a %dx%d block without its neighbours", mode, n, n)
	}
	d.ref.Gather(d.pix, d.width, y*d.width+x, n, nb)
	if n == 8 {
		d.ref.Filter(&d.flt, nb)
		return &d.flt, nb, nil
	}
	return &d.ref, nb, nil
}

// slice decodes the items of a slice into the picture and returns the code of
// its end.
func (d *itemDecoder) slice(items []hw.Item) (code uint64, err error) {
	for len(items) > 0 {
		t := items[0]
		if t.Kind == hw.ItemEnd {
			if len(items) != 1 {
				return 0, fmt.Errorf("%d items after the end", len(items)-1)
			}
			return t.Data, nil
		}
		if t.Kind != hw.ItemMB {
			return 0, fmt.Errorf("kind %d where a macroblock begins", t.Kind)
		}
		items = items[1:]
		m := hw.UnpackMBItem(t.Data)
		d.scale = &block.Scalers[m.QP]
		d.edge = block.Edge{Left: m.Left, Above: m.Above, AboveLeft: m.AboveLeft, AboveRight: m.AboveRight}
		x, y := 16*int(m.X), 16*int(m.Y)
		if m.Final != (x+16 == d.width && y+16 == d.height) {
			return 0, fmt.Errorf("macroblock (%d, %d): final is %v", m.X, m.Y, m.Final)
		}
		// levelsOf returns the levels of the next block, or false at the end.
		levelsOf := func(kind, b uint8) (lev [64]int32, ok bool, err error) {
			group := uint8(16)
			for first := true; ; first = false {
				if len(items) == 0 {
					return lev, false, errors.New("no end")
				}
				t := items[0]
				if t.Kind == hw.ItemEnd {
					return lev, false, nil
				}
				if t.Kind != kind || t.Block != b || t.Group >= group || !first && !t.Coded || t.Coded != (t.Data != 0) {
					return lev, false, fmt.Errorf("item %+v, want kind %d, block %d, below group %d", t, kind, b, group)
				}
				group = t.Group
				items = items[1:]
				for i := range 4 {
					lev[4*group+uint8(i)] = int32(t.Level(i))
				}
				if t.Last {
					return lev, true, nil
				}
			}
		}
		if m.Kind == block.MB16x16 {
			if ok, err := d.items16(x, y, &m, levelsOf); !ok {
				if err != nil || len(items) != 1 {
					return 0, fmt.Errorf("macroblock (%d, %d): %d items left, %v", m.X, m.Y, len(items), err)
				}
			}
			continue
		}
		if items[0].Kind == hw.ItemEnd {
			continue
		}
		modes := items[0]
		if modes.Kind != hw.ItemModes {
			return 0, fmt.Errorf("kind %d instead of the modes", modes.Kind)
		}
		items = items[1:]
		n, log2, step := 4, 2, 1
		if m.Kind == block.MB8x8 {
			n, log2, step = 8, 3, 4
		}
		for b := 0; b < 16; b += step {
			bx, by := x+int(block.X[b]), y+int(block.Y[b])
			mode := int(modes.Data >> (4 * b) & 15)
			ref, nb, err := d.reference(bx, by, n, log2, mode)
			if err != nil {
				return 0, err
			}
			dst := d.pix[by*d.width+bx:]
			block.Predict(dst, d.width, log2, mode, ref, nb)
			if m.CBP>>(b>>2)&1 == 0 {
				continue
			}
			lev, ok, err := levelsOf(hw.ItemBlock, uint8(b))
			if err != nil {
				return 0, fmt.Errorf("macroblock (%d, %d): %w", m.X, m.Y, err)
			}
			if !ok {
				break
			}
			if n == 8 {
				for k, l := range lev {
					p := block.Scan8[k]
					d.eight[p>>2] += int64((l*d.scale.Eight[p]+2)>>2) << (16 * (p & 3))
				}
				block.InverseTransform8(&d.eight)
				block.Reconstruct8(dst, d.width, &d.eight)
				clear(d.eight[:])
				continue
			}
			w := &d.four[0]
			for k, l := range lev[:16] {
				p := block.Scan4[k]
				w[p>>2] += int64(l*d.scale.Four[p]) << (16 * (p & 3))
			}
			block.InverseTransform4(w)
			block.Reconstruct4(dst, d.width, w)
			clear(w[:])
		}
	}
	return 0, errors.New("no end")
}

// items16 decodes an I_16x16 macroblock; it is not ok when the slice ends.
func (d *itemDecoder) items16(x, y int, m *hw.MBItem, levelsOf func(kind, b uint8) ([64]int32, bool, error)) (ok bool, err error) {
	ref, nb, err := d.reference(x, y, 16, 4, int(m.Mode))
	if err != nil {
		return false, err
	}
	dst := d.pix[y*d.width+x:]
	block.Predict(dst, d.width, 4, int(m.Mode), ref, nb)
	lev, ok, err := levelsOf(hw.ItemDC, 0)
	if !ok {
		return false, err
	}
	var dc [16]int32
	for k, l := range lev[:16] {
		dc[block.Scan4[k]] = l
	}
	block.InverseDC(&dc)
	for b := range 16 {
		bx, by := int(block.X[b]), int(block.Y[b])
		w := &d.four[b]
		w[0] = int64(d.scale.DCCoefficient(dc[bx&12+by>>2]))
		if m.CBP != 0 {
			if lev, ok, err = levelsOf(hw.ItemBlock, uint8(b)); !ok {
				return false, err
			}
			if lev[0] != 0 {
				return false, fmt.Errorf("block %d: DC level %d", b, lev[0])
			}
			for k, l := range lev[:16] {
				p := block.Scan4[k]
				w[p>>2] += int64(l*d.scale.Four[p]) << (16 * (p & 3))
			}
		}
		block.InverseTransform4(w)
		block.Reconstruct4(dst[by*d.width+bx:], d.width, w)
	}
	clear(d.four[:])
	return true, nil
}

// checkLane parses a stream of one picture in a lane and compares the picture
// that the items give with that of the Decoder. It returns decoded bins and
// cycles.
func checkLane(t testing.TB, r *laneRun, stream []byte, rng *rand.Rand) {
	t.Helper()
	want, w, h, err := decodePicture(stream)
	if err != nil {
		t.Fatal(err)
	}
	slices, err := Slices(stream)
	if err != nil {
		t.Fatal(err)
	}
	var d itemDecoder
	for i := range slices {
		s := &slices[i]
		if s.Config.X == 0 && s.Config.Y == 0 {
			d.start(&s.Config)
		}
		code, err := d.slice(r.items(t, s, rng))
		if err != nil || code != hw.EndComplete {
			t.Fatalf("slice %d: end %d, %v", i, code, err)
		}
	}
	if got := d.cropped(w, h); !bytes.Equal(got, want[len(want)-len(got):]) {
		t.Fatal("the picture of the items differs from that of the decoder")
	}
}

// laneParams are settings with which streams reach all of a lane.
var laneParams = []t264.Params{
	{Tier: t264.HW},
	{Tier: t264.HW, Slices: 3},
	{Tier: t264.RDO},
	{Tier: t264.RDO, Slices: 2},
	{Tier: t264.RDO, Off: t264.ToolI16},
	{Tier: t264.RDO, Off: t264.ToolI16 | t264.ToolI8},
	{Tier: t264.RDO, Off: t264.ToolI16 | t264.ToolI4},
	{Tier: t264.RDO, Off: t264.ToolI4 | t264.ToolI8},
}

func TestLane(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	var runs [4]*laneRun
	for i := range runs {
		runs[i] = newLaneRun(i + 1)
	}
	for i, p := range laneParams {
		for j, kind := range codectest.Kinds {
			p.Width, p.Height = 56+16*(i%3), 40+16*(j%3)
			qp := []int{0, 4, 12, 22, 30, 44, 51}[(i+j)%7]
			stream, _ := encodePicture(t, p, codectest.Plane(kind, p.Width, p.Height, uint64(i)), qp)
			var stall *rand.Rand
			if (i+j)%2 != 0 {
				stall = rng
			}
			for _, r := range runs {
				t.Run(fmt.Sprintf("%v-%v-%s-%d-%d", p.Tier, p.Off, kind, qp, r.bypass), func(t *testing.T) { checkLane(t, r, stream, stall) })
			}
		}
	}
}

// TestLaneQPDelta: QPs between two integers change the QP by macroblock.
func TestLaneQPDelta(t *testing.T) {
	r := newLaneRun(1)
	e, err := t264.NewEncoder(t264.Params{Width: 128, Height: 64})
	if err != nil {
		t.Fatal(err)
	}
	for _, qp16 := range []int{5, 16*20 + 7, 16*50 + 15} {
		stream, err := e.AppendFrameFine(e.AppendHeader(nil), codectest.Plane("gauss", 128, 64, 1), 128, qp16)
		if err != nil {
			t.Fatal(err)
		}
		checkLane(t, r, stream, nil)
	}
}

// TestLaneX264 parses what x264 makes now.
func TestLaneX264(t *testing.T) {
	for i, options := range []string{
		"--preset ultrafast --cabac --qp 33 --slices 4",
		"--preset medium --qp 22",
		"--preset placebo --qp 30",
		"--preset placebo --qp 16 --no-8x8dct --trellis 2",
		"--preset slow --qp 2",
		"--preset fast --crf 25 --aq-mode 3 --slices 3",
		"--preset medium --qp 45 --partitions i4x4",
		"--preset veryslow --qp 36 --partitions i8x8,i4x4",
	} {
		kind := []string{"columns", "noise", "gauss", "outliers", "gradient"}[i%5]
		stream := peertest.X264(t, codectest.Plane(kind, 200, 136, uint64(i)), "200x136", "i400", options+peertest.X264Intra)
		t.Run(options, func(t *testing.T) { checkLane(t, newLaneRun(1+i%4), stream, nil) })
	}
}

// laneGap is the bound on the cycles between two items of a slice, and on
// those to the first one, when no stream pauses: from one block to the
// next macroblock with sixteen modes and the longest mb_qp_delta, or 63
// positions of an 8x8 block and four levels with the longest suffix, and 201
// cycles for contexts and ivlOffset.
// laneEnd is the bound on the cycles from the last byte to hw.ItemEnd: up to 24
// bits are to come, a bit serves at most 43 bins, and a bin has at most one
// cycle without a bin beside it, but for the change of macroblocks.
const (
	laneGap = 400
	laneEnd = 4096
)

// TestLaneDamaged: whatever the data, a slice ends within the bounds, and
// the lane takes the next one; complete pictures are those of the decoder. How many
// bypass bins a lane takes in a cycle shows in no item.
func TestLaneDamaged(t *testing.T) {
	rng := rand.New(rand.NewPCG(43, 44))
	n := 300
	if os.Getenv("VCSIM_LONG") == "1" {
		n = 100000
	}
	r := newLaneRun(1)
	groups := []*laneRun{newLaneRun(2), newLaneRun(3), newLaneRun(4)}
	var intact []Slice
	var streams [][]byte
	for i, p := range laneParams {
		p.Width, p.Height = 64, 48
		stream, _ := encodePicture(t, p, codectest.Plane(codectest.Kinds[i%len(codectest.Kinds)], 64, 48, 5), 6+6*i)
		slices, err := Slices(stream)
		if err != nil {
			t.Fatal(err)
		}
		intact = append(intact, slices...)
		streams = append(streams, stream)
	}
	var codes [hw.EndPicture + 1]int
	for i := range n {
		s := intact[rng.IntN(len(intact))]
		s.Data = bytes.Clone(s.Data)
		switch rng.IntN(6) {
		case 0:
			s.Data[rng.IntN(len(s.Data))] ^= 1 << rng.IntN(8)
		case 1:
			for range 20 {
				s.Data[rng.IntN(len(s.Data))] = uint8(rng.Uint32())
			}
		case 2:
			s.Data = s.Data[:1+rng.IntN(len(s.Data))]
		case 3:
			for j := range s.Data {
				s.Data[j] = uint8(rng.Uint32())
			}
		case 4: // the likely symbol throughout, then nothing
			s.Data = s.Data[:1+rng.IntN(min(20, len(s.Data)))]
			clear(s.Data[rng.IntN(len(s.Data)):])
			s.Config.LastX, s.Config.LastY = 1023, 1023
		case 5:
			s.Config.Transform8, s.Config.QP = rng.IntN(2) == 0, uint8(rng.IntN(52))
		}
		items := r.items(t, &s, nil)
		last := items[len(items)-1]
		if last.Kind != hw.ItemEnd || last.Data > hw.EndPicture || uint64(r.lane.Parse.Error()) != last.Data {
			t.Fatalf("slice %d ends with %+v, error output %d", i, last, r.lane.Parse.Error())
		}
		codes[last.Data]++
		for _, g := range groups {
			if err := sameItems(g.items(t, &s, nil), items); err != nil {
				t.Fatalf("slice %d, Bypass %d: %v", i, g.bypass, err)
			}
			r.worst, r.worstEnd = max(r.worst, g.worst), max(r.worstEnd, g.worstEnd)
		}
		for j, item := range items[:len(items)-1] {
			if item.Kind >= hw.ItemEnd {
				t.Fatalf("slice %d: item %d of %d is %+v", i, j, len(items), item)
			}
		}
		if i%50 == 0 {
			checkLane(t, r, streams[rng.IntN(len(streams))], nil)
		}
	}
	if r.worst > laneGap || r.worstEnd > laneEnd {
		t.Errorf("up to %d cycles between items, %d to the end: want at most %d and %d", r.worst, r.worstEnd, laneGap, laneEnd)
	}
	t.Logf("ends by code %v; up to %d cycles between items, %d from the last byte to the end", codes, r.worst, r.worstEnd)
}

// TestLaneRate: operations a cycle on a stream of about three bits a value, and
// what groups of bypass bins save there and where levels have long suffixes.
func TestLaneRate(t *testing.T) {
	w, h := 128, 128
	for _, c := range []struct {
		tier t264.Tier
		qp   int     // 0 for about three bits a value
		most float64 // cycles with groups of four, of those without
	}{{t264.HW, 0, 1}, {t264.RDO, 0, 1}, {t264.HW, 8, .945}, {t264.HW, 1, .9}} {
		p := t264.Params{Width: w, Height: h, Tier: c.tier}
		var stream []byte
		for qp := 32; qp > 0; qp-- {
			if c.qp != 0 {
				qp = c.qp
			}
			stream, _ = encodePicture(t, p, codectest.Plane("gauss", w, h, 9), qp)
			if c.qp != 0 || len(stream)*8 > 3*w*h {
				break
			}
		}
		d, err := t264.NewDecoder(stream)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Next(); err != nil {
			t.Fatal(err)
		}
		stats := d.Stats()
		ops := stats.Regular() + stats.BypassBins()
		slices, err := Slices(stream)
		if err != nil {
			t.Fatal(err)
		}
		single := 0 // cycles
		for _, bypass := range []int{1, 2, 4} {
			r := newLaneRun(bypass)
			items := r.items(t, &slices[0], nil)
			rate := float64(ops) / float64(r.cycles)
			t.Logf("%v, Bypass %d: %.2f bits a value, %.2f operations a value, %.3f operations a cycle, %.3f values a cycle, %.2f items a block of 16 values", c.tier, bypass,
				float64(len(stream)*8)/float64(w*h), float64(ops)/float64(w*h), rate, float64(w*h)/float64(r.cycles), float64(len(items)*16)/float64(w*h))
			if rate < 0.88 {
				t.Errorf("%v, Bypass %d: %.3f operations a cycle", c.tier, bypass, rate)
			}
			if bypass == 1 {
				single = r.cycles
			}
			if got := float64(r.cycles) / float64(single); bypass == 4 && got > c.most {
				t.Errorf("%v, QP %d: %d cycles with groups of four, %d without: %.3f of them, want %.3f", c.tier, c.qp, r.cycles, single, got, c.most)
			}
		}
	}
}

func BenchmarkLane(b *testing.B) {
	stream, _ := encodePicture(b, t264.Params{Width: 256, Height: 256}, codectest.Plane("gauss", 256, 256, 9), 24)
	slices, err := Slices(stream)
	if err != nil {
		b.Fatal(err)
	}
	s := &slices[0]
	var words []cabachw.Word
	for left := s.Data; len(left) > 0; {
		n := min(8, len(left))
		w := cabachw.Word{Count: uint8(n), Last: n == len(left)}
		for i, v := range left[:n] {
			w.Data |= uint64(v) << (8 * i)
		}
		words = append(words, w)
		left = left[n:]
	}
	r := newLaneRun(1)
	r.out.Ready, r.above.Ready = true, true
	r.config.Data = s.Config
	at := 0
	b.ReportAllocs()
	for b.Loop() {
		r.config.Valid = true
		if !r.words.Valid {
			r.words.Valid, r.words.Data = true, words[at]
			if at++; at == len(words) {
				at = 0
			}
		}
		r.cycle()
		r.words.Valid = r.words.Valid && !r.words.Ready
	}
}
