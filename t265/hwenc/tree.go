package hwenc

import "vcsim/sim"

// RTL: rtl/t265/t265_enc_tree.v

// A TreeUnit holds the plans of two CTUs of each thread, the one in the closed loop and
// one that waits, walks the transform tree of the former, and hands out the transform
// blocks of those threads that have none under way, one thread after the other.
type TreeUnit struct {
	// Plan is always taken: its thread is one of Free.
	Plan *sim.Stream[Plan]
	// Done is always taken.
	Done *sim.Stream[Done]
	Out  *sim.Stream[FirstTU]
	// Head goes as the words of a CTU that enters the closed loop come from the memory,
	// before its first block is at Out, and whether or not that one is taken; EnteredX is
	// the column of the CTU.
	Head     *sim.Stream[Head]
	EnteredX uint16
	// Free tells by thread that a plan may come, and source samples for the slot that is
	// not that of Slot; Idle that there is no CTU at all.
	Free, Idle sim.Set
	// Slot is by thread the slot of the CTU in the loop in the memory of source samples.
	Slot sim.Set

	plans   *sim.RAM1R1W[Plan] // by thread and slot
	edges   *sim.RAM1R1W[edgeWord]
	at      []uint8 // by thread: the next block of a CTU, its first 4x4 block in z-order
	waiting sim.Set // there is a plan of a CTU that is not in the loop
	busy    sim.Set // a CTU is in the loop
	ready   sim.Set // its next block may go out
	fresh   sim.Set // it is the first one
	last    uint8   // thread that was picked last
	picked  bool    // its words are at the ports of the memories,
	came    bool    // since this cycle
	first   bool    // its block is the first one
	valid   bool
	out     FirstTU
}

// An edgeWord is what the first block of a CTU needs of a Plan.
type edgeWord struct {
	row    [18]uint8
	corner uint8
}

// NewTreeUnit returns the unit after reset.
func NewTreeUnit(spec Spec, plan *sim.Stream[Plan], done *sim.Stream[Done], head *sim.Stream[Head], out *sim.Stream[FirstTU]) *TreeUnit {
	all := sim.FirstOf(spec.Threads)
	return &TreeUnit{Plan: plan, Done: done, Head: head, Out: out, Free: all, Idle: all,
		plans: sim.NewRAM1R1W[Plan](2 * spec.Threads), edges: sim.NewRAM1R1W[edgeWord](spec.Threads), at: make([]uint8, spec.Threads)}
}

func (u *TreeUnit) Eval() {
	u.Plan.Ready, u.Done.Ready, u.Head.Ready = true, true, true
	u.Out.Valid, u.Out.Data = u.valid, u.out
	u.Head.Valid = u.came && u.first
	p := u.plans.Q()
	u.Head.Data = Head{Thread: u.last, QP: p.QP, High: p.High, Fine: p.Fine, First: p.First, Last: p.Last, Left: p.Left, Mode: p.Mode, Split: p.Split, Split8: p.Split8}
	u.EnteredX = p.X
}

func (u *TreeUnit) Clock() {
	load := !u.valid || u.Out.Ready // the output register is free after this edge
	ready, fresh, slot := u.ready, u.fresh, u.Slot
	enter := u.waiting &^ u.busy
	u.waiting &^= enter
	u.busy |= enter
	u.ready |= enter
	u.fresh |= enter
	u.Slot ^= enter
	if load {
		u.valid = u.picked
		if u.picked {
			u.block()
		}
	}
	u.came = ready != 0 && (load || !u.picked)
	if load || !u.picked {
		if u.picked = ready != 0; u.picked {
			t := ready.NextAfter(int(u.last))
			u.last, u.first = uint8(t), fresh.Has(t)
			u.plans.Read(2*t + int(slot>>t&1))
			if u.first {
				u.edges.Read(t)
			}
			u.ready.Remove(t)
			u.fresh.Remove(t)
		}
	}
	if u.Done.Valid {
		d := &u.Done.Data
		u.ready.Put(int(d.Thread), !d.LastTU)
		if d.LastTU {
			u.busy.Remove(int(d.Thread))
		}
	}
	if u.Plan.Valid {
		p := &u.Plan.Data
		t := int(p.Thread)
		u.plans.Write(2*t+int(^slot>>t&1), *p)
		u.edges.Write(t, edgeWord{p.Row, p.Corner})
		u.waiting.Add(t)
	}
	u.Free = ^(u.waiting | u.fresh) & sim.FirstOf(len(u.at))
	u.Idle = ^(u.waiting | u.busy) & sim.FirstOf(len(u.at))
	u.plans.Clock()
	u.edges.Clock()
}

// block puts the next block of the picked thread out.
func (u *TreeUnit) block() {
	p, e := u.plans.Q(), u.edges.Q()
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
		Row: e.row, Corner: e.corner,
	}
}
