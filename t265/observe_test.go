package t265

import (
	"bytes"
	"testing"

	"vcsim/internal/bitio"
	"vcsim/internal/codectest"
)

// TestObserve: what an observer sees adds up to what the encoder counts, whether a picture has one slice or three.
func TestObserve(t *testing.T) {
	for _, p := range []Params{{Width: 72, Height: 56}, {Width: 96, Height: 100, CTU: 32, Slices: 3, FineQP: true}, {Width: 64, Height: 64, MaxTU: 8, Off: ToolTSkip | ToolSDH}} {
		pix := codectest.Plane(codectest.Kinds[0], p.Width, p.Height, 3)
		e := newEncoder(t, p)
		plain, err := e.AppendFrame(nil, pix, p.Width, 20)
		if err != nil {
			t.Fatal(err)
		}
		var got Stats
		first, last := 0, 0
		e.Observe(func(b *Block) {
			got.TUs[b.Levels.Log2]++
			if b.Coded {
				got.CodedTUs[b.Levels.Log2]++
			}
			if b.Unit {
				got.Bins[ElemPrevIntra]++
				got.Bins[ElemPartMode]++
			}
			if b.Skip {
				got.SkippedTU++
				got.Bins[ElemTransformSkip]++
			}
			if b.EndCTU {
				got.CTUs++
			}
			if b.First {
				first++
			}
			if b.Last {
				last++
			}
			got.Bins[ElemSplitTransform] += int64(b.TreeSplits)
		})
		stream, err := e.AppendFrame(nil, pix, p.Width, 20)
		if err != nil || !bytes.Equal(stream, plain) {
			t.Fatalf("%+v: another stream with an observer, %v", p, err)
		}
		want := e.Stats()
		for _, elem := range []Element{ElemPrevIntra, ElemPartMode, ElemSplitCU, ElemSplitTransform, ElemTransformSkip} {
			if got.Bins[elem] != want.Bins[elem] {
				t.Errorf("%+v: %d of %v, want %d", p, got.Bins[elem], elem, want.Bins[elem])
			}
		}
		if got.TUs != want.TUs || got.CodedTUs != want.CodedTUs || got.SkippedTU != want.SkippedTU || got.CTUs != want.CTUs {
			t.Errorf("%+v: saw %v of %v blocks, %d skip, %d CTUs; want %v of %v, %d, %d", p, got.CodedTUs, got.TUs, got.SkippedTU, got.CTUs,
				want.CodedTUs, want.TUs, want.SkippedTU, want.CTUs)
		}
		if n := max(p.Slices, 1); first != n || last != n {
			t.Errorf("%+v: %d begin and %d end slices, want %d", p, first, last, n)
		}
	}
}

// TestSlices: the slices of a stream are what follows the headers, with their QP.
func TestSlices(t *testing.T) {
	p := Params{Width: 96, Height: 100, CTU: 16, Slices: 3}
	e := newEncoder(t, p)
	stream, err := e.AppendFrame(e.AppendHeader(nil), codectest.Plane(codectest.Kinds[1], p.Width, p.Height, 4), p.Width, 23)
	if err != nil {
		t.Fatal(err)
	}
	list, err := Slices(stream)
	if err != nil || len(list) != 3 {
		t.Fatalf("%d slices, %v", len(list), err)
	}
	for i, s := range list {
		if s.QP != 23 || s.SPS == nil || s.PPS == nil {
			t.Errorf("slice %d: QP %d", i, s.QP)
		}
		var w bitio.Writer
		w.Reset(nil)
		writeSliceHeader(&w, []int{0, 2, 4}[i]*e.f.grid.CTBWidth, 6, 23)
		at := bytes.Index(stream, append(bitio.AppendEscaped([]byte{nalIDRNLP << 1, 1}, w.Bytes()), s.Data...))
		if at < 0 {
			t.Errorf("slice %d: its data do not follow its header", i)
		}
	}
	if _, err := Slices(append(e.AppendHeader(nil), 0, 0, 1, nalIDRNLP<<1, 1)); err == nil {
		t.Error("a slice without a header passes")
	}
}

// TestDecoderObserve: a Decoder tells all transform blocks and CTUs, with as many
// levels as there are signs or hidden ones, and is silent again.
func TestDecoderObserve(t *testing.T) {
	e, err := NewEncoder(Params{Width: 64, Height: 64, Tier: RDO, CTU: 16, Off: ToolSDH})
	if err != nil {
		t.Fatal(err)
	}
	pix := make([]byte, 64*64)
	for i := range pix {
		pix[i] = byte(i * i >> 3)
	}
	stream, err := e.AppendFrame(e.AppendHeader(nil), pix, 64, 20)
	if err != nil {
		t.Fatal(err)
	}
	for _, on := range []bool{true, false} {
		d, err := NewDecoder(stream)
		if err != nil {
			t.Fatal(err)
		}
		var blocks, coded, levels, ctus, ends int64
		d.Observe(func(b *Transform, last bool) {
			if b == nil {
				ctus++
				if last {
					ends++
				}
				return
			}
			blocks++
			if b.Coded {
				coded++
			}
			for i, sig := range b.Sig {
				for k := range 16 {
					if has := sig>>k&1 != 0; has != (b.Levels[16*i+k] != 0) {
						t.Fatalf("level %d of sub-block %d is %d, its flag %v", k, i, b.Levels[16*i+k], has)
					} else if has {
						levels++
					}
				}
			}
		})
		if !on {
			d.Observe(nil)
		}
		if _, err := d.Next(); err != nil {
			t.Fatal(err)
		}
		s := d.Stats()
		var all, with int64
		for i := range s.TUs {
			all, with = all+s.TUs[i], with+s.CodedTUs[i]
		}
		got, want := [5]int64{blocks, coded, levels, ctus, ends}, [5]int64{all, with, s.Bins[ElemSign], 16, 1}
		if !on {
			want = [5]int64{}
		}
		if got != want || with == 0 {
			t.Errorf("told %v, want %v", got, want)
		}
	}
}
