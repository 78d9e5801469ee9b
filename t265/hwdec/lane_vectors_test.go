package hwdec

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"vcsim/internal/bitio"
	"vcsim/internal/cabac"
	"vcsim/internal/cabachw"
	"vcsim/sim"
	"vcsim/t265/hw"
)

// randomTools draws parameter sets that a stream may have.
func randomTools(rng *rand.Rand) (t Tools) {
	flip := func() bool { return rng.IntN(2) == 0 }
	ctb := 4 + rng.IntN(3)
	minCB := 3 + rng.IntN(min(ctb-2, 3))
	if flip() {
		minCB = 3
	}
	minTB := 2 + rng.IntN(min(minCB-2, 4))
	if flip() {
		minTB = 2
	}
	maxTB := minTB + rng.IntN(min(ctb, 5)-minTB+1)
	low := min(minCB, 5)
	minPCM := low + rng.IntN(min(ctb, 5)-low+1)
	return Tools{Log2CTB: uint8(ctb - 4), Log2MinCB: uint8(minCB - 3), Log2MinTB: uint8(minTB - 2), Log2MaxTB: uint8(maxTB - 2),
		Depth: uint8(rng.IntN(ctb - minTB + 1)), QPDepth: uint8(rng.IntN(min(ctb-minCB, 3) + 1)),
		Log2MinPCM: uint8(minPCM - 3), Log2MaxPCM: uint8(minPCM - 3 + rng.IntN(min(ctb, 5)-minPCM+1)),
		QPDelta: flip(), Skip: flip(), Hide: flip(), TransquantFlag: rng.IntN(4) == 0, PCM: rng.IntN(4) == 0, Strong: flip()}
}

// randomSlice makes slice segment data of random syntax elements: the parser says what
// comes next, and an arithmetic encoder codes a bin for it. The rates of ones differ by
// slice, so that all elements and ends occur.
func randomSlice(rng *rand.Rand) (s Slice, code uint8) {
	var config sim.Stream[SliceConfig]
	var set sim.Stream[hw.ContextValue]
	var above sim.Stream[AboveRequest]
	var reply sim.Stream[uint16]
	var out sim.Stream[hw.Item]
	u := NewParseUnit(1, nil, &config, &set, &above, &reply, &out)
	c := &config.Data
	c.Tools = randomTools(rng)
	c.LastX, c.LastY = uint16(rng.IntN(3)), uint16(rng.IntN(3))
	c.X, c.Y = uint16(rng.IntN(int(c.LastX)+1)), uint16(rng.IntN(int(c.LastY)+1))
	unit := 1 << c.Log2MinCB // the sides are multiples of the smallest coding unit
	part := func() uint8 { return uint8(unit * (1 + rng.IntN(2<<c.Log2CTB/unit))) }
	c.PartX, c.PartY, c.QP = part(), part(), uint8(rng.IntN(52))
	memory := map[uint16]uint16{}
	ctx := hw.InitialDecContexts[c.QP]
	var e cabac.Encoder
	e.Reset(nil)

	pick := func(p ...float64) float64 { return p[rng.IntN(len(p))] }
	sig, coded, more, ones := pick(.1, .3, .9, 1), pick(.2, .9), pick(.2, .6, .97), pick(.2, .6, .95)
	split, cbf, delta, last, bad := pick(.2, .6), pick(.3, .9), pick(.2, .7, .97), pick(.3, .8), pick(0, 0, 0, .05, .5)
	rate := func() float64 {
		switch u.state {
		case parsePCM, parseTransquant:
			return bad
		case parseEnd:
			if u.place.final() {
				return 1 - bad
			}
			return .1
		case parseSplit, parseSplitTransform:
			return split
		case parseCbf:
			return cbf
		case parseQP, parseQPOnes:
			return delta
		case parseResidual:
			switch u.res.state {
			case resLastX, resLastY:
				return last
			case resCoded:
				return coded
			case resSig:
				return sig
			case resG1, resG2:
				return more
			case resPrefix:
				return ones
			}
		}
		return .5
	}
	var q cabachw.Request
	for {
		switch u.state {
		case parseFetch:
			if !u.place.fresh {
				memory[u.place.x] = u.around.word()
			}
			reply.Data = memory[u.place.nextX()]
		case parseDrain:
			e.Flush()
			data := bitio.AppendNAL(nil, nil, e.Bytes())
			return Slice{*c, data[bytes.Index(data, []byte{0, 0, 1})+3:]}, u.code
		case parseResidual:
			if u.res.cycle(true); !u.res.ready(true) {
				continue
			}
		}
		bin := uint8(0)
		if q.Kind != cabachw.RequestNone && u.state != parseStart && rng.Float64() < rate() {
			bin = 1
		}
		before := *u
		next := u.step(bin)
		if u.state == parseSend && u.code != 0 && q.Kind != cabachw.RequestNone && bad == 0 {
			*u = before
			bin ^= 1
			next = u.step(bin)
		}
		if before.state != parseStart && before.state != parseSend {
			switch q.Kind {
			case cabachw.RequestContext:
				e.Bin(&ctx[q.Ctx], int(bin))
			case cabachw.RequestBypass:
				e.Bypass(uint32(bin), 1)
			case cabachw.RequestTerminate:
				e.Terminate(int(bin))
			}
		}
		if u.state == parseSend && (before.state != parseEnd && before.state != parsePCM || bin == 0) {
			e.Terminate(1) // for Flush
		}
		q = next
	}
}

// TestLaneRandom: a lane finds the end of random syntax, however many bypass bins it
// takes in a cycle, with the same items, and these reach every end, mode, size, depth and
// QP.
func TestLaneRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 62))
	var runs [4]*laneRun
	for i := range runs {
		runs[i] = newLaneRun(i + 1)
	}
	var codes [hw.EndPicture + 1]int
	var modes [35]int
	var sizes [4]int
	var qps [52]int
	skips, levels, largest := 0, 0, 0
	for i := range 400 {
		s, code := randomSlice(rng)
		if len(s.Data) > 8000 {
			continue
		}
		want := runs[0].items(t, &s, nil)
		if last := want[len(want)-1]; last.Kind != hw.ItemEnd || last.Data != uint64(code) {
			t.Fatalf("slice %d ends with %+v, want code %d", i, last, code)
		}
		codes[code]++
		for _, r := range runs[1:] {
			got := r.items(t, &s, nil)
			if code != hw.EndComplete { // the levels of the last block may be on their way
				n := min(len(got), len(want)) - 1
				if n < len(want)-6 || got[len(got)-1] != want[len(want)-1] {
					t.Fatalf("slice %d, Bypass %d: %d items, want %d", i, r.bypass, len(got), len(want))
				}
				got, want = got[:n], want[:n]
			}
			if err := sameItems(got, want); err != nil {
				t.Fatalf("slice %d, Bypass %d: %v", i, r.bypass, err)
			}
			if code != hw.EndComplete {
				break
			}
		}
		for _, item := range want {
			switch item.Kind {
			case hw.ItemTU:
				h := hw.UnpackHead(item.Data)
				modes[h.Mode]++
				sizes[h.Log2]++
				if h.Coded {
					qps[h.QP]++
				}
				if h.Skip {
					skips++
				}
			case hw.ItemLevels:
				for j := range 4 {
					levels++
					largest = max(largest, int(item.Level(j)), -int(item.Level(j)))
				}
			}
		}
	}
	for m, n := range modes {
		if n == 0 {
			t.Errorf("no block of mode %d", m)
		}
	}
	for qp, n := range qps {
		if n == 0 {
			t.Errorf("no block of QP %d", qp)
		}
	}
	if min(sizes[0], sizes[1], sizes[2], sizes[3]) < 20 || skips < 20 || levels < 10000 || largest < 32000 {
		t.Errorf("sizes %v, %d with transform skip, %d levels up to %d", sizes, skips, levels, largest)
	}
	for code, n := range codes {
		if n == 0 && code != hw.EndStart && code != hw.EndData { // of damaged data
			t.Errorf("no slice ends with code %d", code)
		}
	}
	t.Logf("ends %v, sizes %v, %d with transform skip, %d levels up to %d", codes, sizes, skips, levels, largest)
}
