package hwdec

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"vcsim/internal/bitio"
	"vcsim/internal/cabac"
	"vcsim/internal/cabachw"
	"vcsim/internal/golden"
	"vcsim/sim"
	"vcsim/t264/hw"
)

const laneVectors = "../testdata/lane/random.gob"

// A laneVector is slice data with the code at its end; testbench/t264 reads
// them, too.
type laneVector struct {
	Config SliceConfig
	Data   []byte
	Code   uint8
}

// randomSlice makes slice data of random syntax elements: the parser says what
// comes next, and an arithmetic encoder codes a bin for it. The rates of ones
// differ by slice, so that long levels and all ends occur.
func randomSlice(rng *rand.Rand) laneVector {
	var config sim.Stream[SliceConfig]
	var set sim.Stream[hw.ContextValue]
	var above sim.Stream[AboveRequest]
	var reply sim.Stream[uint32]
	var out sim.Stream[hw.Item]
	u := NewParseUnit(1, nil, &config, &set, &above, &reply, &out)
	c := &config.Data
	c.LastX, c.LastY = uint16(rng.IntN(5)), uint16(rng.IntN(4))
	c.X, c.Y = uint16(rng.IntN(int(c.LastX)+1)), uint16(rng.IntN(int(c.LastY)+1))
	switch rng.IntN(8) {
	case 0, 1: // the macroblock below the first one has no neighbour above left
		c.LastX, c.X, c.LastY, c.Y = 1, 1, 2, 0
	case 2: // many rows
		c.LastX, c.X, c.LastY, c.Y = 0, 0, 7, 0
	}
	c.QP, c.Transform8 = uint8(rng.IntN(52)), rng.IntN(4) != 0
	memory := map[uint16]uint32{}
	ctx := slices.Clone(hw.InitialDecContexts[c.QP])
	var e cabac.Encoder
	e.Reset(nil)

	pick := func(p ...float64) float64 { return p[rng.IntN(len(p))] }
	sig, last, more, ones := pick(.1, .3, .9, 1), pick(0, .02, .1, .4), pick(.2, .6, .97), pick(.3, .6, .97)
	coded, delta, wide, bad := pick(.3, .9), pick(.2, .6, .97), pick(.1, .5), pick(0, 0, 0, .03)
	end, suffix := pick(0, 0, .05), pick(.5, .5, .995)
	edge := rng.IntN(3) == 0 // long suffixes are of levels near the largest
	if edge {
		more, ones = .97, .99
	}
	rate := func(q cabachw.Request) float64 {
		left, above, corner, _ := u.neighbours()
		plane := left && above && !corner // this mode alone is bad
		switch u.state {
		case parseType6, parseType7:
			if left && above {
				return .8
			}
		case parsePCM, parseType4:
			return bad
		case parseEnd:
			if u.final() {
				return 1 - bad
			}
			return end
		case parseType:
			if plane {
				return .45
			}
			return wide
		case parsePrev:
			if l, a := u.around.modes(u.b); l == modeNone || a == modeNone {
				return 1 - bad
			}
			return .5
		case parseCBP, parseCoded:
			return coded
		case parseQP:
			if u.k > 44 { // the last few are of interest
				return .9
			}
			return delta
		case parseResidualBlock:
			switch u.res.state {
			case resSig:
				return sig
			case resLast:
				return last
			case resMore, resOne:
				return more
			case resOnes:
				if edge && u.res.ones == 14 { // one more is an end, too
					return .1
				}
				return ones
			case resSuffix:
				switch {
				case !edge:
					return suffix
				case u.res.ones > 4:
					return 1
				case u.res.ones > 2: // 0010 at the end is -32768, or too much
					return .25
				}
				return .5
			}
		}
		return .5
	}
	var q cabachw.Request
	for {
		u.valid = false
		switch u.state {
		case parseFetch:
			if !u.first {
				memory[u.cfg.X] = u.around.above.pack()
			}
		case parseWait:
			reply.Data = memory[u.cfg.X]
		case parseDrain:
			e.Flush()
			return laneVector{Config: *c, Data: e.Bytes(), Code: u.code}
		case parseResidualBlock:
			for u.res.waits() {
				u.res.search()
			}
			u.res.search()
		}
		bin := uint8(0)
		if q.Kind != cabachw.RequestNone && u.state != parseStart && rng.Float64() < rate(q) {
			bin = 1
		}
		before := *u
		next := u.step(bin)
		if u.state == parseSend && u.code != 0 && q.Kind != cabachw.RequestNone && bad == 0 && !edge {
			*u = before
			bin ^= 1
			next = u.step(bin)
		}
		// What a bad slice still asks for is of no bin.
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
		if u.state == parseSend && (before.state != parseEnd || bin == 0) {
			e.Terminate(1) // for Flush
		}
		q = next
	}
}

// laneVectorsOf returns random slices that reach every code that slice data can
// have.
func laneVectorsOf(rng *rand.Rand) []laneVector {
	var out []laneVector
	var codes [hw.EndPicture + 1]int
	for codes[hw.EndComplete] < 60 || codes[hw.EndPCM] < 4 || codes[hw.EndChroma] < 4 || codes[hw.EndPicture] < 4 {
		v := randomSlice(rng)
		limit := 12
		switch v.Code {
		case hw.EndComplete:
			limit = 60
		case hw.EndLevel:
			limit = 100
		case hw.EndMode:
			limit = 80
		}
		if len(v.Data) > 3000 || v.Code == hw.EndComplete && len(v.Data) < 60 || codes[v.Code] >= limit {
			continue
		}
		codes[v.Code]++
		v.Data = bitio.AppendNAL(nil, nil, v.Data)
		v.Data = v.Data[bytes.Index(v.Data, []byte{0, 0, 1})+3:]
		out = append(out, v)
	}
	return out
}

func readLaneVectors(t *testing.T) (vectors []laneVector) {
	f, err := os.Open(laneVectors)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := gob.NewDecoder(f).Decode(&vectors); err != nil {
		t.Fatal(err)
	}
	return vectors
}

// sameItems reports the first item that differs.
func sameItems(got, want []hw.Item) error {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return fmt.Errorf("item %d is %+v, want %+v", i, got[i], want[i])
		}
	}
	if len(got) != len(want) {
		return fmt.Errorf("%d items, want %d", len(got), len(want))
	}
	return nil
}

// TestLaneGroups: groups of bypass bins change no item and no code where slice
// data, with many long suffixes, end early or are damaged.
func TestLaneGroups(t *testing.T) {
	rng := rand.New(rand.NewPCG(63, 64))
	single := newLaneRun(1)
	groups := []*laneRun{newLaneRun(2), newLaneRun(3), newLaneRun(4)}
	var codes [hw.EndPicture + 1]int
	for i, v := range readLaneVectors(t) {
		for trial := range 6 {
			s := Slice{Config: v.Config, Data: bytes.Clone(v.Data)}
			if trial != 0 {
				s.Data = s.Data[:1+rng.IntN(min(len(s.Data), 300))]
			}
			if trial > 3 {
				s.Data[rng.IntN(len(s.Data))] ^= 1 << rng.IntN(8)
			}
			want := single.items(t, &s, nil)
			codes[want[len(want)-1].Data]++
			for _, g := range groups {
				if err := sameItems(g.items(t, &s, nil), want); err != nil {
					t.Fatalf("vector %d, trial %d, Bypass %d: %v", i, trial, g.bypass, err)
				}
			}
		}
	}
	if codes[hw.EndData] < 300 || codes[hw.EndLevel] < 12 {
		t.Errorf("ends %v", codes)
	}
	t.Logf("ends %v", codes)
}

// TestLaneVectors: the lane finds the end of each vector, and they reach every end
// but two, which need damaged data. That a Decoder finds the same is a test of
// package t264.
func TestLaneVectors(t *testing.T) {
	if golden.Update() {
		var b bytes.Buffer
		if err := gob.NewEncoder(&b).Encode(laneVectorsOf(rand.New(rand.NewPCG(61, 62)))); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(laneVectors, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	vectors := readLaneVectors(t)
	var codes [hw.EndPicture + 1]int
	r := newLaneRun(1)
	levels, largest := 0, 0
	for i, v := range vectors {
		items := r.items(t, &Slice{Config: v.Config, Data: v.Data}, nil)
		if got := items[len(items)-1]; got.Kind != hw.ItemEnd || got.Data != uint64(v.Code) {
			t.Fatalf("vector %d: ends with %+v, want code %d", i, got, v.Code)
		}
		codes[v.Code]++
		for _, item := range items {
			if item.Kind == hw.ItemDC || item.Kind == hw.ItemBlock {
				for j := range 4 {
					levels++
					largest = max(largest, int(item.Level(j)), -int(item.Level(j)))
				}
			}
		}
	}
	for code, n := range codes {
		if n == 0 && code != hw.EndStart && code != hw.EndData {
			t.Errorf("no vector ends with code %d", code)
		}
	}
	if levels < 10000 || largest < 32000 {
		t.Errorf("%d levels up to %d", levels, largest)
	}
	t.Logf("%d vectors, ends %v, %d levels up to %d", len(vectors), codes, levels, largest)
}
