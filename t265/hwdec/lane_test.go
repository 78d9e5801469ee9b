package hwdec

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"vcsim/internal/cabachw"
	"vcsim/internal/codectest"
	"vcsim/sim"
	"vcsim/t265"
	"vcsim/t265/hw"
)

// encodePicture codes one picture with the software encoder.
func encodePicture(t testing.TB, p t265.Params, pix []byte, qp int) []byte {
	t.Helper()
	e, err := t265.NewEncoder(p)
	if err != nil {
		t.Fatalf("%+v: %v", p, err)
	}
	stream, _ := codectest.Encode(t, e, pix, p.Width, qp)
	return stream
}

// A laneRun is a lane with its surroundings.
type laneRun struct {
	words  sim.Stream[cabachw.Word]
	config sim.Stream[SliceConfig]
	set    sim.Stream[hw.ContextValue]
	above  sim.Stream[AboveRequest]
	reply  sim.Stream[uint16]
	out    sim.Stream[hw.Item]
	lane   *LaneUnit
	bypass int
	memory [1024]uint16
	next   int // context
	cycles int
	// Cycles since the last item and since the last byte, and the most of them.
	silent, worst, ending, worstEnd int
}

func newLaneRun(bypass int) *laneRun {
	r := &laneRun{bypass: bypass}
	r.lane = NewLaneUnit(LaneSpec{FrameCTUs: 1024, MaxCTU: 64, MaxTU: 32, Bypass: bypass}, &r.words, &r.config, &r.set, &r.above, &r.reply, &r.out)
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

// items parses a slice segment. The streams pause at random when rng is there.
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
			t.Fatalf("no item in %d cycles, state %d, %d", r.silent, r.lane.Parse.state, r.lane.Parse.res.state)
		}
	}
	for r.lane.Parse.state != parseIdle {
		r.cycle()
	}
	return items
}

// sameItems reports the first item that differs.
func sameItems(got, want []hw.Item) error {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return fmt.Errorf("item %d is %+v, want %+v; as heads %+v, want %+v", i, got[i], want[i], hw.UnpackHead(got[i].Data), hw.UnpackHead(want[i].Data))
		}
	}
	if len(got) != len(want) {
		return fmt.Errorf("%d items, want %d", len(got), len(want))
	}
	return nil
}

// checkLane parses a stream in a lane and compares its items with what the Decoder
// makes of it.
func checkLane(t testing.TB, r *laneRun, stream []byte, rng *rand.Rand) {
	t.Helper()
	_, pictures, err := DecodeItems(stream)
	if err != nil {
		t.Fatal(err)
	}
	slices, err := Slices(stream)
	if err != nil {
		t.Fatal(err)
	}
	var got, want []hw.Item
	for i := range slices {
		got = append(got, r.items(t, &slices[i], rng)...)
	}
	for _, p := range pictures {
		want = append(want, p...)
	}
	if err := sameItems(got, want); err != nil {
		t.Fatal(err)
	}
}

// laneParams are settings with which streams reach much of a lane.
var laneParams = []t265.Params{
	{Tier: t265.HW},
	{Tier: t265.HW, CTU: 32, Slices: 2, FineQP: true},
	{Tier: t265.HW, CTU: 64, MaxTU: 32},
	{Tier: t265.HW, CTU: 16, MaxTU: 8},
	{Tier: t265.RDO},
	{Tier: t265.RDO, CTU: 16, Slices: 2},
	{Tier: t265.RDO, CTU: 32, MaxTU: 4},
	{Tier: t265.RDO, Off: t265.ToolSDH | t265.ToolTSkip},
}

func TestLane(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	var runs [4]*laneRun
	for i := range runs {
		runs[i] = newLaneRun(i + 1)
	}
	for i, p := range laneParams {
		for j, kind := range codectest.Kinds {
			p.Width, p.Height = 72+24*(i%3), 40+16*(j%4)
			p.Slices = min(p.Slices, 1+(p.Height-1)/32)
			qp := []int{0, 4, 12, 22, 30, 44, 51}[(i+j)%7]
			stream := encodePicture(t, p, codectest.Plane(kind, p.Width, p.Height, uint64(i)), qp)
			var stall *rand.Rand
			if (i+j)%2 != 0 {
				stall = rng
			}
			for _, r := range runs {
				t.Run(fmt.Sprintf("%d-%s-%d-%d", i, kind, qp, r.bypass), func(t *testing.T) { checkLane(t, r, stream, stall) })
			}
		}
	}
}

// TestLaneX265 parses the streams of testdata that lanes take.
func TestLaneX265(t *testing.T) {
	files, err := filepath.Glob("../testdata/x265/*.265")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d streams: %v", len(files), err)
	}
	taken := 0
	for i, name := range files {
		stream, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := DecodeItems(stream); err != nil {
			t.Logf("%s: %v", filepath.Base(name), err)
			continue
		}
		taken++
		t.Run(filepath.Base(name), func(t *testing.T) { checkLane(t, newLaneRun(1+i%4), stream, nil) })
	}
	if taken < 6 {
		t.Errorf("lanes take %d streams", taken)
	}
}

// TestLaneRate: values a cycle at about three bits a value.
func TestLaneRate(t *testing.T) {
	const w, h = 256, 256
	for _, c := range []struct {
		tier t265.Tier
		want [5]float64 // values a cycle, by Bypass
	}{{t265.HW, [5]float64{1: .27, 2: .318, 3: .33, 4: .335}}, {t265.RDO, [5]float64{1: .275, 2: .313, 3: .325, 4: .33}}} {
		p := t265.Params{Width: w, Height: h, Tier: c.tier}
		var stream []byte
		for qp := 32; qp > 0; qp-- {
			if stream = encodePicture(t, p, codectest.Plane("gauss", w, h, 9), qp); len(stream)*8 > 3*w*h {
				break
			}
		}
		d, err := t265.NewDecoder(stream)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Next(); err != nil {
			t.Fatal(err)
		}
		stats := d.Stats()
		slices, err := Slices(stream)
		if err != nil {
			t.Fatal(err)
		}
		for bypass := 1; bypass <= 4; bypass++ {
			r := newLaneRun(bypass)
			items := r.items(t, &slices[0], nil)
			rate := float64(w*h) / float64(r.cycles)
			t.Logf("%v, Bypass %d: %.2f bits a value, %.2f context and %.2f bypass bins a value, %.3f bins a cycle, %.3f values a cycle, %.2f items a block of 16 values", c.tier, bypass,
				float64(len(stream)*8)/(w*h), float64(stats.Regular())/(w*h), float64(stats.BypassBins())/(w*h), float64(stats.Regular()+stats.BypassBins())/float64(r.cycles), rate, float64(len(items)*16)/(w*h))
			if rate < c.want[bypass] {
				t.Errorf("%v, Bypass %d: %.3f values a cycle", c.tier, bypass, rate)
			}
		}
	}
}

// laneGap is the bound on the cycles between two items of a slice segment, and on those
// to the first one, when no stream pauses: contexts, ivlOffset and a CTU without a
// coded block, or the flags of 64 sub-blocks. laneEnd is the bound on the cycles from
// the last byte to hw.ItemEnd: up to 24 bits are to come.
const (
	laneGap = 400
	laneEnd = 4096
)

// TestLaneDamaged: whatever the data, a slice segment ends within the bounds, and the
// lane takes the next one.
func TestLaneDamaged(t *testing.T) {
	rng := rand.New(rand.NewPCG(43, 44))
	n := 300
	if os.Getenv("VCSIM_LONG") == "1" {
		n = 100000
	}
	r := newLaneRun(4)
	var intact []Slice
	var streams [][]byte
	for i, p := range laneParams {
		p.Width, p.Height = 72, 56
		stream := encodePicture(t, p, codectest.Plane(codectest.Kinds[i%len(codectest.Kinds)], 72, 56, 5), 6+6*i)
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
			s.Config.QPDelta, s.Config.TransquantFlag, s.Config.PCM = rng.IntN(2) == 0, rng.IntN(4) == 0, rng.IntN(4) == 0
			s.Config.QP = uint8(rng.IntN(52))
		}
		items := r.items(t, &s, nil)
		last := items[len(items)-1]
		if last.Kind != hw.ItemEnd || last.Data > hw.EndPicture || uint64(r.lane.Parse.Error()) != last.Data {
			t.Fatalf("slice %d ends with %+v, error output %d", i, last, r.lane.Parse.Error())
		}
		codes[last.Data]++
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
