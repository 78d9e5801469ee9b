package hwenc

import "vcsim/sim"

// RTL: rtl/t265/t265_enc_tree.v

// A TreeUnit holds the plan of the CTU that each thread has in the closed loop, walks its
// transform tree, and hands out the transform blocks of those threads that have none
// under way, one thread after the other.
type TreeUnit struct {
	// Plan is always taken: its thread is one of Free.
	Plan *sim.Stream[Plan]
	// Done is always taken.
	Done *sim.Stream[Done]
	Out  *sim.Stream[FirstTU]
	// Free tells by thread that no CTU is in the closed loop: the source memory may
	// be written and a plan sent.
	Free sim.Set

	plans  *sim.RAM1R1W[Plan]
	rows   *sim.RAM1R1W[rowWord]
	at     []uint8 // by thread: the next block of a CTU, its first 4x4 block in z-order
	ready  sim.Set // a block may go out
	fresh  sim.Set // it is the first one of its CTU
	last   uint8   // thread that was picked last
	picked bool    // its words are at the ports of the memories
	first  bool    // its block is the first one
	valid  bool
	out    FirstTU
}

// A rowWord is what the first block of a CTU needs of a Plan.
type rowWord struct {
	row    [18]uint8
	corner uint8
}

// NewTreeUnit returns the unit after reset.
func NewTreeUnit(spec Spec, plan *sim.Stream[Plan], done *sim.Stream[Done], out *sim.Stream[FirstTU]) *TreeUnit {
	u := &TreeUnit{Plan: plan, Done: done, Out: out, Free: sim.FirstOf(spec.Threads),
		plans: sim.NewRAM1R1W[Plan](spec.Threads), rows: sim.NewRAM1R1W[rowWord](spec.Threads), at: make([]uint8, spec.Threads)}
	return u
}

func (u *TreeUnit) Eval() {
	u.Plan.Ready, u.Done.Ready = true, true
	u.Out.Valid, u.Out.Data = u.valid, u.out
}

func (u *TreeUnit) Clock() {
	load := !u.valid || u.Out.Ready // the output register is free after this edge
	ready, fresh := u.ready, u.fresh
	if load {
		u.valid = u.picked
		if u.picked {
			u.block()
		}
	}
	if load || !u.picked {
		if u.picked = ready != 0; u.picked {
			t := ready.NextAfter(int(u.last))
			u.last, u.first = uint8(t), fresh.Has(t)
			u.plans.Read(t)
			if u.first {
				u.rows.Read(t)
			}
			u.ready.Put(t, false)
			u.fresh.Put(t, false)
		}
	}
	if u.Done.Valid {
		d := &u.Done.Data
		u.ready.Put(int(d.Thread), !d.LastTU)
		if d.LastTU {
			u.Free.Put(int(d.Thread), true)
		}
	}
	if u.Plan.Valid {
		p := &u.Plan.Data
		t := int(p.Thread)
		u.plans.Write(t, *p)
		u.rows.Write(t, rowWord{p.Row, p.Corner})
		u.ready.Put(t, true)
		u.fresh.Put(t, true)
		u.Free.Put(t, false)
	}
	u.plans.Clock()
	u.rows.Clock()
}

// block puts the next block of the picked thread out.
func (u *TreeUnit) block() {
	p, r := u.plans.Q(), u.rows.Q()
	at := &u.at[u.last]
	z := *at
	if u.first {
		z = 0
	}
	log2 := uint8(2)
	if p.Split {
		log2 = 1 - p.Split8>>(z>>2)&1
	}
	next := z + 1<<(2*log2)
	*at = next & 15
	u.out = FirstTU{
		TU: TU{Tag: Tag{Thread: u.last, CX: z>>1&2 | z&1, CY: z>>2&2 | z>>1&1, Mode: p.Mode, QP: p.QP, LastTU: next == 16, Log2: log2},
			First: u.first, Left: p.Left, Above: p.Above, Right: p.Right},
		Row: r.row, Corner: r.corner,
	}
}
