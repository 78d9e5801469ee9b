package hwdec

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"vcsim/sim"
	"vcsim/t264"
	"vcsim/t264/hw"
)

// pixelStreams makes small streams of both tiers with all tools, and takes those
// of x264 that stay inside the subset.
func pixelStreams(t testing.TB) (streams [][]byte) {
	rng := rand.New(rand.NewPCG(7, 8))
	for i, c := range []struct {
		tier   t264.Tier
		off    t264.Tools
		qp     int
		slices int
	}{
		{t264.HW, 0, 30, 1}, {t264.HW, 0, 8, 2}, {t264.RDO, 0, 22, 1}, {t264.RDO, t264.ToolI16, 35, 3}, {t264.RDO, t264.ToolI4 | t264.ToolI8, 16, 1},
		{t264.RDO, t264.ToolI4 | t264.ToolI16, 28, 2}, {t264.RDO, t264.ToolI8 | t264.ToolI16, 40, 1}, {t264.RDO, 0, 0, 1},
	} {
		w, h := 16*(1+rng.IntN(5)), 48
		pix := make([]byte, w*h)
		for j := range pix {
			x, y := j%w, j/w
			pix[j] = byte(128 + (x*(3+i)+y*5)%90 - 45 + rng.IntN(8+9*(x*y/300&3)))
		}
		e, err := t264.NewEncoder(t264.Params{Width: w, Height: h, Tier: c.tier, Off: c.off, Slices: c.slices})
		if err != nil {
			t.Fatal(err)
		}
		s, err := e.AppendFrame(e.AppendHeader(nil), pix, w, c.qp)
		if err != nil {
			t.Fatal(err)
		}
		streams = append(streams, s)
	}
	for _, name := range []string{"ultrafast-q12", "medium-q24", "placebo-q30", "no8x8-q20", "slices-q28", "aq-crf30", "q51", "smooth-q37", "waves-q26", "waves8-q30"} {
		s, err := os.ReadFile("../testdata/x264/" + name + ".264")
		if err != nil {
			t.Fatal(err)
		}
		streams = append(streams, s)
	}
	return streams
}

// TestPixels: the samples of the path are the pictures of the Decoder, in any
// number of threads.
func TestPixels(t *testing.T) {
	type job struct {
		items []hw.Item
		want  t264.Picture
		got   []byte
		at    int // next item
		words int
	}
	var jobs []job
	for _, s := range pixelStreams(t) {
		pictures, items, err := DecodeItems(s)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range pictures {
			jobs = append(jobs, job{items: items[i], want: p})
		}
	}
	for _, threads := range []int{2, 3, 16} {
		t.Run(fmt.Sprint(threads), func(t *testing.T) {
			spec := DefaultPixelsSpec()
			spec.Threads = threads
			var in sim.Stream[ThreadItem]
			var out sim.Stream[PixelWord]
			u := NewPixelsUnit(spec, &in, &out)
			of := make([]int, threads) // job of each thread
			for i := range of {
				of[i] = i
			}
			for i := range jobs {
				j := &jobs[i]
				j.at, j.words = 0, 0
				j.got = make([]byte, (j.want.Width+15)&^15*((j.want.Height+15)&^15))
			}
			next, done, stuck := threads, 0, 0
			rng := rand.New(rand.NewPCG(1, uint64(threads)))
			for done < len(jobs) {
				i := rng.IntN(threads)
				if !in.Valid && of[i] < len(jobs) {
					if j := &jobs[of[i]]; j.at < len(j.items) {
						in.Valid, in.Data = true, ThreadItem{uint8(i), j.items[j.at]}
					}
				}
				out.Ready = true
				u.Eval()
				u.Clock()
				if in.Valid && in.Ready {
					jobs[of[in.Data.Thread]].at++
				}
				in.Valid = false
				stuck++
				if out.Valid {
					stuck = 0
					w := out.Data
					j := &jobs[of[w.Thread]]
					stride := (j.want.Width + 15) &^ 15
					for k := range 4 {
						j.got[(16*int(w.MBY)+4*int(w.Y)+k)*stride+16*int(w.MBX)+int(w.X)] = byte(w.Data >> (8 * k))
					}
					if j.words++; 4*j.words == len(j.got) {
						done++
						of[w.Thread] = next
						next++
					}
				}
				if stuck > 1000 {
					t.Fatalf("no samples for 1000 cycles, %d of %d pictures done", done, len(jobs))
				}
			}
			for i, j := range jobs {
				stride := (j.want.Width + 15) &^ 15
				for y := range j.want.Height {
					if g, w := j.got[y*stride:][:j.want.Width], j.want.Pix[y*j.want.Width:][:j.want.Width]; !bytes.Equal(g, w) {
						t.Fatalf("picture %d, row %d: got %d, want %d", i, y, g, w)
					}
				}
			}
		})
	}
}
