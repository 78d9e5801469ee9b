package sim

// RTL: rtl/common/vc_arbiter.v

// A Tagged word remembers the input of the Arbiter that it came from.
type Tagged[T any] struct {
	Word   T
	Source int
}

// An Arbiter merges streams, round robin. One input is selected; it sends while
// it has words and nobody else waits, and gives way after each word otherwise.
// The selection is a register, so that ready depends on no valid: the first
// word after a change waits one cycle in an idle system, none in a busy one.
// Latency 1 through the output register, one word a cycle. There are at most 64
// inputs, and nothing else drives their Ready.
type Arbiter[T any] struct {
	In  []*Stream[T]
	Out *Stream[Tagged[T]]

	sel, was int // selected now, and in the cycle before
	valid    bool
	data     Tagged[T]
}

func (a *Arbiter[T]) Eval() {
	a.Out.Valid, a.Out.Data = a.valid, a.data
	a.In[a.was].Ready = false
	a.In[a.sel].Ready = !a.valid || a.Out.Ready
	a.was = a.sel
}

func (a *Arbiter[T]) Clock() {
	var valid Set
	for i, in := range a.In {
		valid.Put(i, in.Valid)
	}
	a.ClockAmong(valid)
}

// ClockAmong is Clock for a caller that knows which inputs are valid.
func (a *Arbiter[T]) ClockAmong(valid Set) {
	in := a.In[a.sel]
	has := valid.Has(a.sel)
	if in.Ready { // the output register is free after this edge
		a.valid = has
		if has {
			a.data = Tagged[T]{in.Data, a.sel}
		}
	}
	if in.Ready || !has {
		a.sel = valid.NextAfter(a.sel)
	}
}

// Selected returns the input that is selected: the one that may send.
func (a *Arbiter[T]) Selected() int { return a.sel }

// Reset selects input 0 and clears the valid bit.
func (a *Arbiter[T]) Reset() { a.sel, a.valid = 0, false }
