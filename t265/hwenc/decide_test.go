package hwenc

import (
	"math/rand/v2"
	"testing"

	"vcsim/sim"
	"vcsim/t265/block"
	"vcsim/t265/hw"
)

// plan decides a CTU as package t265 says.
func (d *decideBench) plan(job *RefJob, src *[256]uint8, left *[16]uint8, maxTU int) (p Plan) {
	var b block.OpenBorder
	copy(b.Above[:], job.Row[:16])
	copy(b.Left[:], left[:])
	b.Substitute(16, job.Left, job.Above)
	p.Mode = uint8(block.OpenMode(src[:], 16, 4, int(job.QP), &b))
	cost := func(x, y, log2 int) uint32 {
		n := 1 << log2
		above, side := make([]uint8, n), make([]uint8, n)
		for i := range n {
			above[i], side[i] = b.Above[x+i], b.Left[y+i]
			if y > 0 {
				above[i] = src[16*(y-1)+x+i]
			}
			if x > 0 {
				side[i] = src[16*(y+i)+x-1]
			}
		}
		pred := make([]uint8, n*n)
		block.OpenPredict(pred, log2, int(p.Mode), above, side)
		var coef [1024]int32
		if log2 == 2 {
			for i := range pred {
				coef[i] = (int32(src[16*(y+i>>2)+x+i&3]) - int32(pred[i])) << 5
			}
		} else {
			var res block.Pairs
			block.SubtractRows(&res, src[16*y+x:], 16, pred, n)
			block.ForwardRows(&coef, &res, log2, false)
		}
		q := block.NewQuantizer(int(job.QP), log2, true, false)
		l := block.LevelsIn(make([]int16, 1024), make([]uint16, 64), log2, 0)
		_, dist, rate := q.Block(&l, &coef)
		return uint32(dist + rate*block.BitPrice>>4)
	}
	sum := uint32(block.SplitPrice)
	for i := range 4 {
		x, y := i&1*8, i>>1*8
		parts := uint32(block.SplitPrice)
		for k := range 4 {
			parts += cost(x+k&1*4, y+k>>1*4, 2)
		}
		whole := cost(x, y, 3)
		if parts < whole {
			p.Split8 |= 1 << i
		}
		sum += min(parts, whole)
	}
	if p.Split = maxTU == 8 || sum < cost(0, 0, 4); !p.Split {
		p.Split8 = 0
	}
	return p
}

// A decideBench feeds a DecideUnit with CTUs and looks at what comes out.
type decideBench struct {
	ref  sim.Stream[RefJob]
	src  sim.Stream[hw.SourceBeat]
	out  sim.Stream[Plan]
	unit *DecideUnit
	rng  *rand.Rand

	columns [][16]uint8 // by thread
	jobs    []RefJob    // that wait for ref
	beats   []hw.SourceBeat
	plans   []Plan // to come
	stored  []hw.SourceBeat
	threads []uint8
}

// add makes up a CTU.
func (d *decideBench) add(threads, maxTU int) {
	rng := d.rng
	job := RefJob{Job: Job{Thread: uint8(rng.IntN(threads)), X: uint16(rng.IntN(64)), QP: uint8(rng.IntN(52)), High: rng.IntN(2) == 0, Last: rng.IntN(2) == 0,
		Left: rng.IntN(5) > 0, Above: rng.IntN(5) > 0}, Corner: uint8(rng.Uint32())}
	var src [256]uint8
	base, dx, dy, noise := rng.IntN(256), rng.IntN(17)-8, rng.IntN(17)-8, 1+rng.IntN(1<<rng.IntN(9))
	if rng.IntN(4) == 0 {
		dx, dy = 0, 0
	}
	corners := rng.IntN(6) == 0
	sample := func(x, y int) uint8 {
		v := base + x*dx + y*dy + rng.IntN(noise) - noise/2
		if corners && (x>>3+y>>3)&1 != 0 {
			v += 100
		}
		return uint8(min(max(v, 0), 255))
	}
	for i := range job.Row {
		job.Row[i] = sample(i, -1)
	}
	for i := range src {
		src[i] = sample(i&15, i>>4)
	}
	column := &d.columns[job.Thread]
	if rng.IntN(8) == 0 {
		for i := range src {
			src[i] = uint8(255 * rng.IntN(2))
		}
	}
	p := d.plan(&job, &src, column, maxTU)
	p.RefJob = job
	d.jobs = append(d.jobs, job)
	d.plans = append(d.plans, p)
	for i := range 32 {
		var b hw.SourceBeat
		for k := range 8 {
			b |= hw.SourceBeat(src[(i&7+i>>4*8)*16+i>>3&1*8+k]) << (8 * k)
		}
		d.beats = append(d.beats, b)
		d.stored = append(d.stored, b)
		d.threads = append(d.threads, job.Thread)
	}
	for y := range column {
		column[y] = src[16*y+15]
	}
}

// TestDecide: mode, tree and copied samples of random CTUs, with pauses at the inputs.
func TestDecide(t *testing.T) {
	for _, maxTU := range []int{8, 16} {
		for _, threads := range []int{1, 3, 16} {
			spec := DefaultSpec()
			spec.Threads, spec.Lanes, spec.MaxTU = threads, threads, maxTU
			d := &decideBench{rng: rand.New(rand.NewPCG(1, uint64(threads))), columns: make([][16]uint8, threads)}
			d.unit = NewDecideUnit(spec, &d.ref, &d.src, &d.out)
			modes, splits, written, longest := [4]int{}, 0, 0, 0
			const n = 600
			made, done, idle, cycles := 0, 0, 0, 0
			for ; done < n; cycles++ {
				for made < n && len(d.jobs) < 3 {
					d.add(threads, maxTU)
					made++
				}
				pause := done > n/2 && cycles>>9&1 == 0
				if !d.ref.Valid && len(d.jobs) > 0 && !(pause && d.rng.IntN(50) > 0) {
					d.ref.Valid, d.ref.Data, d.jobs = true, d.jobs[0], d.jobs[1:]
				}
				if !d.src.Valid && len(d.beats) > 0 && !(pause && d.rng.IntN(4) > 0) {
					d.src.Valid, d.src.Data, d.beats = true, d.beats[0], d.beats[1:]
				}
				d.unit.Eval()
				idle++
				if d.out.Valid {
					got, want := d.out.Data, d.plans[0]
					if !want.Above {
						copy(want.Row[:16], got.Row[:16])
					}
					if got != want {
						t.Fatalf("MaxTU %d, CTU %d of %d threads: got %+v, want %+v", maxTU, done, threads, got, want)
					}
					modes[got.Mode]++
					splits += int(bin(got.Split))
					d.plans = d.plans[1:]
					done++
					longest, idle = max(longest, idle), 0
				}
				if beat, addr, valid := d.unit.Written(); valid {
					if beat != d.stored[0] || addr != int(d.threads[0])<<5|written&31 {
						t.Fatalf("beat %d: %#x at %d", written, beat, addr)
					}
					d.stored, d.threads = d.stored[1:], d.threads[1:]
					written++
				}
				d.unit.Clock()
				if d.ref.Moves() {
					d.ref.Valid = false
				}
				if d.src.Moves() {
					d.src.Valid = false
				}
				if done == n/2 && idle == 1 {
					if threads == 16 && cycles > 34*(n/2)+200 {
						t.Errorf("MaxTU %d: %d cycles for %d CTUs", maxTU, cycles, n/2)
					}
				}
				if idle > 3000 {
					t.Fatalf("MaxTU %d, %d threads: nothing comes behind CTU %d", maxTU, threads, done)
				}
			}
			t.Logf("MaxTU %d, %d threads: modes %d, %d of %d split, longest wait %d, %d cycles", maxTU, threads, modes, splits, n, longest, cycles)
		}
	}
}
